//! The server during a replay, and the three who speak to it: one makes users and reads what was refused, one rebuilds the
//! state, one calls the scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use redis::{Connection, RedisResult, Value};

use super::answer::{Broken, LONGEST_CALL, answer, cmd};
use super::aside::Aside;
use super::fate::{Fate, what_of};
use super::input::Input;
use super::path::announcement;
use super::recorded::Recorded;
use super::replay::{Plan, refused_pattern};
use super::user::{self, CALLER, KEEPER};
use crate::core::bytes::shown;
use crate::core::capture::{Event, Origin};
use crate::core::commands::{ScriptCall, ScriptKind, command, script_call};
use crate::core::facts::script_id;
use crate::core::keyspace::slot;
use crate::core::policy::Policy;
use crate::core::witness::libraries::text::{Named, name};
use crate::core::witness::libraries::{Home, Servers};
use crate::core::witness::{Outcome, Refusal, Replayed};
use crate::native::server::{Target, Trouble};

/// What the caller of a script is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// The keys that the call declares, under a policy.
    Keys(Policy),
    /// A slot: the only one that the node owns.
    Slot(u16),
}

/// The server during a replay, and the three who speak to it.
pub(super) struct Stage<'i> {
    pub(super) input: &'i Input,
    pub(super) recorded: Recorded<'i>,
    limit: Limit,
    end: Instant,
    stopped: &'i dyn Fn() -> bool,
    /// Makes the users and reads the log of refusals.
    pub(super) admin: Connection,
    /// Rebuilds the state.
    keeper: Connection,
    /// Calls the scripts.
    caller: Connection,
    /// The caller's address, by which the recording knows it.
    pub(super) address: String,
    db: u32,
    /// The libraries of functions that clients have loaded so far; and those that were loaded here for calls since the last of these
    /// commands, by their names.
    libraries: Servers,
    staged: BTreeMap<Vec<u8>, Vec<u8>>,
    pub(super) left_out: BTreeMap<String, u64>,
    /// Why nothing can be played, where that is known before.
    pub(super) broken: Option<String>,
}

impl<'i> Stage<'i> {
    pub(super) fn set(input: &'i Input, target: &Target, plan: &Plan<'i>, limit: Limit) -> Result<Self, Trouble> {
        let mut admin = target.connect()?;
        let mut empty = redis::pipe();
        empty.cmd("FLUSHALL").ignore().cmd("FUNCTION").arg("FLUSH").ignore().cmd("SCRIPT").arg("FLUSH").ignore();
        empty.exec(&mut admin).map_err(target.trouble("empty the private server"))?;
        let trouble = |error| target.trouble("make the users of a replay (ACL SETUSER)")(error);
        for rules in [user::rules(KEEPER, "allkeys"), user::rules(CALLER, "resetkeys")] {
            redis::cmd("ACL").arg("SETUSER").arg(rules).exec(&mut admin).map_err(trouble)?;
        }
        let login = |name: &str| {
            let (mut connection, address) = target.connect_named()?;
            redis::cmd("AUTH").arg(name).arg("").exec(&mut connection).map_err(trouble)?;
            connection.set_read_timeout(Some(LONGEST_CALL)).map_err(trouble)?;
            Ok((connection, address))
        };
        let (keeper, _) = login(KEEPER)?;
        let (caller, address) = login(CALLER)?;
        // A script may keep the server from answering anybody at all.
        admin.set_read_timeout(Some(LONGEST_CALL)).map_err(trouble)?;
        let (end, recorded, left_out) = (Instant::now() + plan.patience, Recorded::of(input), BTreeMap::new());
        let stopped = plan.stopped;
        Ok(Self {
            input,
            recorded,
            limit,
            end,
            stopped,
            admin,
            keeper,
            caller,
            address,
            db: 0,
            libraries: Servers::default(),
            staged: BTreeMap::new(),
            left_out,
            broken: None,
        })
    }

    /// Plays every command of the tape, and says how each script call went.
    pub(super) fn play(&mut self) -> Vec<Replayed> {
        let (mut calls, mut broken) = (Vec::new(), self.broken.take().map(Broken).or_else(|| self.load().err()));
        for event in self.input.tape.events.iter().filter(|event| event.origin == Origin::Client) {
            let args = event.args();
            if broken.is_none() && ((self.stopped)() || Instant::now() > self.end) {
                broken = Some(Broken("the time was over".to_owned()));
            }
            let Some(call) = script_call(&args) else {
                broken = broken.or_else(|| self.command(event, &args).err());
                continue;
            };
            // A call without a command of its script was refused, or touches nothing: either way there is nothing to hear.
            if self.recorded.events(event.seq).is_empty() {
                continue;
            }
            let mut replayed = Replayed {
                seq: event.seq,
                line: event.line,
                client: event.client.clone(),
                script: script_id(&call, &args),
                outcome: Outcome::Same,
                refusals: Vec::new(),
            };
            let outcome = match &broken {
                Some(Broken(why)) => Err(Broken(why.clone())),
                None => self.call(event, &call, &args, &mut replayed),
            };
            if let Err(Broken(why)) = outcome {
                replayed.outcome = Outcome::NotRun(why.clone());
                broken.get_or_insert(Broken(why));
            }
            calls.push(replayed);
        }
        calls
    }

    /// Gives the server the texts of scripts, whoever loaded them.
    fn load(&mut self) -> Result<(), Broken> {
        let digest = |id: &str| id.len() == 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        for (_, text) in self.input.calls.scripts().filter(|(id, _)| digest(id)) {
            answer(redis::cmd("SCRIPT").arg("LOAD").arg(text).query::<Value>(&mut self.keeper))?;
        }
        Ok(())
    }

    /// Gives the server the text that a script has at this call, where the call does not bring it; says why that cannot be.
    fn give_text(&mut self, client: Option<&str>, id: &str, kind: ScriptKind) -> Result<Option<String>, Broken> {
        let unseen = || Some("the text was not seen".to_owned());
        if kind != ScriptKind::Function {
            let is_seen = kind == ScriptKind::Source || self.input.calls.text(id).is_some();
            return Ok(if is_seen { None } else { unseen() });
        }
        let Some(told) = self.input.calls.told(id) else {
            let Home::In(library) = self.libraries.home(client, id) else { return Ok(unseen()) };
            return self.give_library(&library.text.0);
        };
        match told.as_slice() {
            [Some(text)] => self.give_library(text),
            [] | [None] => Ok(unseen()),
            _ => Ok(Some("the function had several texts, and which of them it was then is not known".to_owned())),
        }
    }

    /// Gives the server a library, where it has not got just that by its name; says why it takes it not.
    fn give_library(&mut self, text: &[u8]) -> Result<Option<String>, Broken> {
        let name = match name(text) {
            Named::As(name) => Some(name),
            Named::Nothing | Named::Unclear => None,
        };
        if name.as_ref().and_then(|name| self.staged.get(name)).is_some_and(|staged| staged == text) {
            return Ok(None);
        }
        if name.is_none() {
            // It may take the place of any.
            self.staged.clear();
        }
        let mut refused = self.load_library(text)?;
        if refused.is_some() {
            // Perhaps since a function of it stands in another one. Whoever calls that is given it anew.
            answer(redis::cmd("FUNCTION").arg("FLUSH").query::<Value>(&mut self.keeper))?;
            self.staged.clear();
            refused = self.load_library(text)?;
        }
        if let Some(name) = name.filter(|_| refused.is_none()) {
            self.staged.insert(name, text.to_vec());
        }
        Ok(refused.map(|said| format!("its library is refused: {said}")))
    }

    fn load_library(&mut self, text: &[u8]) -> Result<Option<String>, Broken> {
        answer(redis::cmd("FUNCTION").arg("LOAD").arg("REPLACE").arg(text).query::<Value>(&mut self.keeper))
    }

    /// A client's own command, where it changes what scripts find.
    fn command(&mut self, event: &Event, args: &[&[u8]]) -> Result<(), Broken> {
        let Some(known) = command(args) else {
            self.leave_out(shown(args.first().copied().unwrap_or_default()).into_owned());
            return Ok(());
        };
        match what_of(known, args) {
            Fate::Run => {
                if known.name().starts_with("FUNCTION|") {
                    self.libraries.look(event.client.as_deref(), &event.argv, usize::MAX);
                    self.staged.clear();
                }
                self.at(event.db)?;
                answer(cmd(args).query::<Value>(&mut self.keeper)).map(drop)
            }
            Fate::Skip => Ok(()),
            Fate::LeaveOut => {
                self.leave_out(known.name().replace('|', " "));
                Ok(())
            }
        }
    }

    fn leave_out(&mut self, what: String) {
        *self.left_out.entry(what).or_default() += 1;
    }

    /// Goes to a database.
    fn at(&mut self, db: u32) -> Result<(), Broken> {
        if self.db != db {
            for connection in [&mut self.keeper, &mut self.caller] {
                answer(redis::cmd("SELECT").arg(db).query::<Value>(connection))?;
            }
            self.db = db;
        }
        Ok(())
    }

    fn call(
        &mut self,
        event: &Event,
        call: &ScriptCall,
        args: &[&[u8]],
        replayed: &mut Replayed,
    ) -> Result<(), Broken> {
        if matches!(self.limit, Limit::Slot(_)) && event.db != 0 {
            replayed.outcome = Outcome::NotRun("a cluster has one database".to_owned());
            return Ok(());
        }
        self.at(event.db)?;
        if let Some(why) = self.give_text(event.client.as_deref(), &replayed.script, call.kind)? {
            replayed.outcome = Outcome::NotRun(why);
            return self.effects(event.seq);
        }
        let aside = self.aside(event.seq, call, args)?;
        let rules = match self.limit {
            Limit::Keys(policy) => user::keys_of(call, args, policy),
            Limit::Slot(_) => vec![b"allkeys".to_vec()],
        };
        answer(redis::cmd("ACL").arg("SETUSER").arg(CALLER).arg(rules).query::<Value>(&mut self.admin))?;
        answer(redis::cmd("ACL").arg("LOG").arg("RESET").query::<Value>(&mut self.admin))?;
        answer(redis::cmd("ECHO").arg(announcement(event.seq)).query::<Value>(&mut self.caller))?;
        let said = answer(cmd(args).query::<Value>(&mut self.caller))?;
        self.refusals(event.seq, said.as_deref(), replayed)?;
        if let (Limit::Slot(slot), Some(said)) = (self.limit, &said) {
            replayed.refusals.extend(self.other_slot(event.seq, call, args, slot, said));
        }
        if !replayed.refusals.is_empty() || matches!(replayed.outcome, Outcome::NotRun(_)) {
            aside.into_iter().try_for_each(|key| key.put_back(&mut self.keeper))?;
            answer(cmd(args).query::<Value>(&mut self.keeper))?;
        }
        Ok(())
    }

    /// What the server refused: what its log says, and for SORT its answer.
    fn refusals(&mut self, seq: u64, said: Option<&str>, replayed: &mut Replayed) -> Result<(), Broken> {
        let log: RedisResult<Vec<BTreeMap<String, Value>>> = redis::cmd("ACL").arg("LOG").query(&mut self.admin);
        let log = log.map_err(|error| Broken(format!("the log of refusals cannot be read: {error}")))?;
        // The newest entry comes first.
        for entry in log.iter().rev() {
            let text = |field: &str| match entry.get(field) {
                Some(Value::BulkString(bytes)) => bytes.clone(),
                Some(Value::SimpleString(text)) => text.clone().into_bytes(),
                _ => Vec::new(),
            };
            let object = text("object");
            if text("reason") == b"key" {
                let said = "no permission for a key that is not in KEYS".to_owned();
                replayed.refusals.push(self.recorded.refusal(seq, &object, said));
            } else {
                replayed.outcome = Outcome::NotRun(format!("it runs {}, which a replay does not", shown(&object)));
            }
        }
        if let Some(said) = said.filter(|said| said.contains("option of SORT denied")) {
            let steps = self.recorded.steps(seq);
            let patterns: Vec<&Vec<u8>> = steps.iter().flat_map(|step| &step.patterns).collect();
            if patterns.is_empty() {
                // GET # reads no other key, but is refused to whoever may not read every key.
                replayed.outcome = Outcome::NotRun("the server refuses SORT's GET # to such a user".to_owned());
            }
            let said = shown(said.split(" script:").next().unwrap_or_default().as_bytes()).into_owned();
            replayed.refusals.extend(patterns.into_iter().map(|pattern| refused_pattern(pattern, &said)));
        }
        Ok(())
    }

    /// The node's refusal of a key in another slot, whose name it does not say: the first such key that the recording has.
    fn other_slot(&self, seq: u64, call: &ScriptCall, args: &[&[u8]], owned: u16, said: &str) -> Option<Refusal> {
        const WORDS: [&str; 6] =
            ["CROSSSLOT", "CLUSTERDOWN", "MOVED", "non local key", "slot not served", "denied in Cluster mode"];
        let said = said.split(" script:").next().filter(|said| {
            let said = said.to_ascii_lowercase();
            WORDS.iter().any(|word| said.contains(&word.to_ascii_lowercase()))
        })?;
        let declared = args.get(call.keys.clone()).unwrap_or_default().iter().map(|key| key.to_vec());
        let mut keys = declared.chain(self.recorded.keys(seq));
        let key = keys.find(|key| slot(key) != owned)?;
        Some(self.recorded.refusal(seq, &key, shown(said.as_bytes()).into_owned()))
    }

    /// The keys that a call may change, as they are before it.
    fn aside(&mut self, seq: u64, call: &ScriptCall, args: &[&[u8]]) -> Result<Vec<Aside>, Broken> {
        let mut keys: BTreeSet<Vec<u8>> = BTreeSet::new();
        keys.extend(args.get(call.keys.clone()).unwrap_or_default().iter().map(|key| key.to_vec()));
        keys.extend(self.recorded.keys(seq));
        if let Limit::Slot(owned) = self.limit {
            keys.retain(|key| slot(key) == owned);
        }
        Aside::take(keys, &mut self.keeper)
    }

    /// What a script did that cannot run here, command by command.
    fn effects(&mut self, seq: u64) -> Result<(), Broken> {
        let events: Vec<&Event> = self.recorded.events(seq).to_vec();
        events.into_iter().try_for_each(|event| self.command(event, &event.args()))
    }
}
