//! Runs scripts on a real server with keys, arguments and data made at random, and sees what they touch.
//!
//! What a run comes to is learnt from: the arguments and the types of keys that led to the most commands are kept and changed
//! a little, and a key that had the wrong type for a command gets the right one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::Command;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use std::{fs, thread};

use echomq_conformance::core::bytes::Arg;
use echomq_conformance::core::capture::model::Origin;
use echomq_conformance::core::capture::monitor::Reader;
use echomq_conformance::core::commands::operand_keys;
use echomq_conformance::native::server::{PrivateServer, Target};
use redis::{Cmd, Connection, RedisResult, Value};

use crate::common::chance::Chance;
use crate::common::engines;

/// How long a run may keep the server's processor busy: a script that never ends costs a new server. A machine that does
/// something else besides takes longer for a run, but no more of that.
const MOST_BUSY: Duration = Duration::from_secs(2);

/// How long anything may take at all.
const PATIENCE: Duration = Duration::from_secs(120);

/// What was seen of a script.
#[derive(Default)]
pub(crate) struct Seen {
    /// Keys outside KEYS.
    pub(crate) undeclared: BTreeSet<String>,
    /// Commands that its runs came to, in all.
    pub(crate) commands: usize,
}

/// A server and its MONITOR.
pub(crate) struct Driver {
    live: Live,
    chance: Chance,
    /// What the script makes of its arguments.
    wanted: Vec<Wanted>,
    /// No run of the script went on for too long yet.
    patient: bool,
}

/// What a script makes of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Anything,
    Number,
    Json,
    MessagePack,
}

impl Wanted {
    fn of(text: &str, index: usize) -> Self {
        let given_to = |function: &str| text.contains(&format!("{function}(ARGV[{index}])"));
        if given_to("cmsgpack.unpack") {
            Self::MessagePack
        } else if given_to("cjson.decode") {
            Self::Json
        } else if given_to("tonumber") {
            Self::Number
        } else {
            Self::Anything
        }
    }
}

struct Live {
    client: Connection,
    monitor: BufReader<TcpStream>,
    marks: u64,
    server: PrivateServer,
}

/// One way to run a script.
#[derive(Clone)]
struct Plan {
    keys: Vec<&'static str>,
    arguments: Vec<Vec<u8>>,
}

/// Records and lists as queues pass them.
const JSON: [&str; 4] = [
    r#"{"id":"id1","delay":5,"attempts":3,"priority":0,"ttl":10,"name":"n","pk":"p:id2","data":{},"opts":{},"max":1}"#,
    r#"["id1","id2"]"#,
    "{}",
    r#"[["id1","p:"],["id2","p:"]]"#,
];

/// The same as `cmsgpack` packs it: a list of a prefix, an id, a name, a time and nothing; two lists of texts; two records.
const MESSAGE_PACK: [&[u8]; 5] = [
    b"\x9a\xa2p:\xa3id1\xa4name\xcd\x03\xe8\xc0\xc0\xc0\xc0\xc0\xc0",
    b"\x9a\xa2p:\xa3id1\xa4name\xcd\x03\xe8\xa4p:id\xa6p:id:d\xc0\xc0\xa2d1\xa2p:",
    b"\x92\xa3id1\xa3id2",
    b"\x88\xa5delay\x05\xa5token\xa10\xa8attempts\x03\xa5limit\x01\xa8keepJobs\x81\xa5count\x01\xaclockDuration\xcd\x03\xe8\
      \xa6parent\x82\xa2id\xa1a\xa3key\xa4p:id\xa4fpof\xc3",
    b"\x86\xa5token\xa10\xa8keepJobs\x80\xaclockDuration\xcd\x03\xe8\xa7limiter\x82\xa3max\x01\xa8duration\x0a\xa4name\xa1w\xa8attempts\x00",
];

/// The types that a key may have.
const TYPES: [&str; 6] = ["none", "string", "list", "hash", "zset", "set"];

impl Driver {
    pub(crate) fn new() -> Self {
        Self { live: Live::start(), chance: Chance::new(7), wanted: Vec::new(), patient: true }
    }

    /// Runs a script, or each function of a library, a number of times.
    pub(crate) fn drive(&mut self, source: &[u8], rounds: u32) -> Seen {
        // A flag of a hosted service, which no release of the engine knows.
        let text = String::from_utf8_lossy(source).replacen(" flags=allow-key-locking", "", 1);
        let (keys, arguments) = (highest(&text, "KEYS["), highest(&text, "ARGV["));
        self.wanted = (1..=arguments).map(|index| Wanted::of(&text, index)).collect();
        self.patient = true;
        let functions = self.load(&text);
        let mut seen = Seen::default();
        for function in if functions.is_empty() { vec![None] } else { functions.into_iter().map(Some).collect() } {
            let (keys, arguments) = if function.is_some() { (6, 8) } else { (keys, arguments) };
            let mut best = (0, self.plan(keys, arguments));
            for round in 0..rounds {
                let plan = if round % 3 == 0 { self.plan(keys, arguments) } else { self.changed(&best.1) };
                let learnt = self.run(&text, function.as_deref(), plan, &mut seen);
                if learnt.0 >= best.0 {
                    best = learnt;
                }
            }
        }
        seen
    }

    fn load(&mut self, text: &str) -> Vec<String> {
        if !(text.starts_with("#!") && text.lines().next().is_some_and(|line| line.contains("name="))) {
            return Vec::new();
        }
        let client = &mut self.live.client;
        redis::cmd("FUNCTION").arg("FLUSH").exec(client).expect("no functions");
        redis::cmd("FUNCTION").arg("LOAD").arg(text).exec(client).expect("a library");
        let list: Value = redis::cmd("FUNCTION").arg("LIST").query(client).expect("a list");
        let mut texts = Vec::new();
        flatten(&list, &mut texts);
        let names = texts.windows(2).filter(|pair| pair[0] == "name").map(|pair| pair[1].clone());
        names.collect::<BTreeSet<String>>().into_iter().collect()
    }

    fn plan(&mut self, keys: usize, arguments: usize) -> Plan {
        // Some scripts take any number.
        let (more, further) = ([0, 0, 1, 2, 10][self.number(5)], [0, 0, 1, 2, 4][self.number(5)]);
        let keys = (0..keys + more).map(|_| self.chance.pick(&TYPES)).collect();
        let arguments = (0..arguments + further).map(|place| self.argument(place)).collect();
        Plan { keys, arguments }
    }

    fn number(&mut self, limit: usize) -> usize {
        usize::try_from(self.chance.below(limit as u64)).expect("a few")
    }

    fn changed(&mut self, plan: &Plan) -> Plan {
        let mut plan = plan.clone();
        for _ in 0..=self.number(3) {
            let place = self.number(plan.keys.len() + plan.arguments.len() + 1);
            if let Some(own) = plan.keys.get_mut(place) {
                *own = self.chance.pick(&TYPES);
            } else if let Some(place) = place.checked_sub(plan.keys.len()).filter(|place| *place < plan.arguments.len())
            {
                plan.arguments[place] = self.argument(place);
            }
        }
        plan
    }

    fn argument(&mut self, place: usize) -> Vec<u8> {
        // Mostly what the script makes something of, and now and then anything.
        let wanted = self.wanted.get(place).copied().filter(|_| self.chance.below(5) > 0);
        match wanted.unwrap_or(Wanted::Anything) {
            // A time is also a number of rounds, which a script takes one by one.
            Wanted::Number if self.patient && self.chance.below(6) == 0 => b"1700000000000".to_vec(),
            Wanted::Number => self.chance.pick(&["0", "1", "2", "5", "1000"]).as_bytes().to_vec(),
            Wanted::Json => self.chance.pick(&JSON).as_bytes().to_vec(),
            Wanted::MessagePack => MESSAGE_PACK[self.number(MESSAGE_PACK.len())].to_vec(),
            Wanted::Anything => self.any_argument(),
        }
    }

    fn any_argument(&mut self) -> Vec<u8> {
        const TEXTS: [&str; 27] = [
            "",
            "0",
            "1",
            "2",
            "10",
            "1000",
            "-1",
            "99999",
            "id1",
            "id2",
            "p:",
            "p:id1",
            "k:1",
            "name",
            "data",
            "state",
            "wait",
            "true",
            "false",
            "LPUSH",
            "completed",
            "{}",
            "[]",
            "token",
            "+inf",
            "*",
            "5",
        ];
        match self.chance.below(12) {
            0 => MESSAGE_PACK[self.number(MESSAGE_PACK.len())].to_vec(),
            1 => self.chance.pick(&JSON).as_bytes().to_vec(),
            _ => self.chance.pick(&TEXTS).as_bytes().to_vec(),
        }
    }

    /// Runs it once, and again as long as a key has the wrong type; gives how far it came, and the plan by then.
    fn run(&mut self, text: &str, function: Option<&str>, mut plan: Plan, seen: &mut Seen) -> (usize, Plan) {
        let mut furthest = 0;
        for _ in 0..8 {
            let keys: Vec<String> = (1..=plan.keys.len()).map(|n| format!("k:{n}")).collect();
            self.live.lay_out(&keys, &plan.keys);
            let mut command = match function {
                Some(function) => redis::cmd("FCALL").arg(function).clone(),
                None => redis::cmd("EVAL").arg(text).clone(),
            };
            command.arg(keys.len()).arg(&keys).arg(&plan.arguments);
            let Some(reply) = self.live.call(&command) else {
                self.live = Live::start();
                self.patient = false;
                return (0, plan);
            };
            let lines = self.live.lines();
            seen.commands += lines.len();
            furthest = furthest.max(lines.len());
            for argv in &lines {
                seen.undeclared.extend(touched(argv).into_iter().filter(|key| !keys.contains(key)));
            }
            let wrong = reply.err().is_some_and(|error| error.to_string().contains("WRONGTYPE"));
            let Some(mended) = wrong.then(|| mend(lines.last(), &keys, &plan.keys)).flatten() else { break };
            plan.keys[mended.0] = mended.1;
        }
        (furthest, plan)
    }
}

impl Live {
    fn start() -> Self {
        let server = PrivateServer::start(&engines::valkey_8()).expect("a private server");
        let target = Target::private(&server, PATIENCE).expect("its address");
        let client = target.connect().expect("a connection");
        client.set_read_timeout(Some(PATIENCE)).expect("a patience");
        let mut stream = TcpStream::connect(server.address()).expect("a second connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a patience");
        stream.write_all(b"MONITOR\r\n").expect("a command");
        let mut monitor = BufReader::new(stream);
        let mut ok = String::new();
        monitor.read_line(&mut ok).expect("an answer");
        Self { client, monitor, marks: 0, server }
    }

    /// Runs a script; gives nothing when it went on for too long, and the server with it.
    fn call(&mut self, command: &Cmd) -> Option<RedisResult<Value>> {
        let pid = self.server.pid();
        let begin = busy(pid);
        let (done, wait) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let watch = scope.spawn(move || {
                while wait.recv_timeout(Duration::from_millis(20)) == Err(RecvTimeoutError::Timeout) {
                    if busy(pid).saturating_sub(begin) > MOST_BUSY {
                        let kill = Command::new("kill").args(["-9", &pid.to_string()]).status();
                        return kill.expect("our own server ends").success();
                    }
                }
                false
            });
            let reply = command.query(&mut self.client);
            drop(done);
            let killed = watch.join().expect("the watch ends");
            if killed { None } else { Some(reply) }
        })
    }

    /// The data that a run finds: each key of its type, and a few that scripts make names of.
    fn lay_out(&mut self, keys: &[String], types: &[&str]) {
        let mut pipe = redis::pipe();
        pipe.cmd("FLUSHALL").ignore();
        for (key, kind) in keys.iter().zip(types) {
            match *kind {
                "string" => pipe.cmd("SET").arg(key).arg("1"),
                "list" => pipe.cmd("RPUSH").arg(key).arg(&["id1", "id2", "0:0"]),
                "hash" => pipe.cmd("HSET").arg(key).arg(&FIELDS),
                "zset" => pipe.cmd("ZADD").arg(key).arg(&["1", "id1", "1700000000000", "id2"]),
                "set" => pipe.cmd("SADD").arg(key).arg(&["id1", "p:id2"]),
                _ => continue,
            };
            pipe.ignore();
        }
        for key in ["p:id1", "p:id2", "id1", "k:1:id1", "k:1id1"] {
            if !keys.iter().any(|own| own == key) {
                pipe.cmd("HSET").arg(key).arg(&FIELDS).ignore();
            }
        }
        pipe.exec(&mut self.client).expect("data");
    }

    /// The commands of scripts since the last time.
    fn lines(&mut self) -> Vec<Vec<Vec<u8>>> {
        self.marks += 1;
        let mark = format!("mark-{}", self.marks);
        redis::cmd("ECHO").arg(&mark).exec(&mut self.client).expect("an echo");
        let (mut reader, mut found) = (Reader::new(), Vec::new());
        loop {
            let mut line = Vec::new();
            self.monitor.read_until(b'\n', &mut line).expect("a line of MONITOR");
            let line = line.trim_ascii_end();
            let Some(event) = reader.line(line).expect("a line of MONITOR") else { continue };
            let argv: Vec<Vec<u8>> = event.argv.iter().map(|argument: &Arg| argument.as_slice().to_vec()).collect();
            if event.origin == Origin::Script {
                found.push(argv);
            } else if argv.last().is_some_and(|last| *last == mark.as_bytes()) {
                return found;
            }
        }
    }
}

/// How long a process has had a processor.
fn busy(pid: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{pid}/schedstat")).expect("the server runs");
    let nanoseconds = stat.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.expect("a number"))
}

const FIELDS: [&str; 24] = [
    "id1",
    "1",
    "data",
    "{}",
    "state",
    "wait",
    "name",
    "n",
    "delay",
    "5",
    "opts",
    "{\"delay\":0}",
    "priority",
    "1",
    "parentKey",
    "p:id2",
    "lock",
    "0",
    "max",
    "10",
    "deid",
    "d1",
    "ats",
    "1",
];

/// The type that the command wants of the key that it stopped at.
fn mend(last: Option<&Vec<Vec<u8>>>, keys: &[String], types: &[&'static str]) -> Option<(usize, &'static str)> {
    let argv = last?;
    let name = String::from_utf8_lossy(argv.first()?).to_ascii_uppercase();
    let groups: BTreeMap<char, &str> = BTreeMap::from([
        ('H', "hash"),
        ('L', "list"),
        ('R', "list"),
        ('B', "list"),
        ('Z', "zset"),
        ('S', "set"),
        ('X', "none"),
    ]);
    let wanted = match name.as_str() {
        "SET" | "SETEX" | "SETNX" | "STRLEN" | "SETRANGE" | "GET" | "INCR" | "INCRBY" | "DECR" | "DECRBY"
        | "GETSET" | "APPEND" => "string",
        _ => groups.get(&name.chars().next()?)?,
    };
    let touched = touched(argv);
    let place =
        keys.iter().zip(types).position(|(key, kind)| *kind != wanted && *kind != "none" && touched.contains(key))?;
    Some((place, TYPES.iter().find(|kind| **kind == wanted)?))
}

/// The keys of a command.
fn touched(argv: &[Vec<u8>]) -> Vec<String> {
    let argv: Vec<&[u8]> = argv.iter().map(Vec::as_slice).collect();
    let Ok(operands) = operand_keys(&argv) else { return Vec::new() };
    let places = operands.keys.iter().map(|key| key.index).chain(operands.patterns.iter().map(|pattern| pattern.index));
    places.map(|index| String::from_utf8_lossy(argv[index]).into_owned()).collect()
}

/// The highest number that follows a word.
fn highest(text: &str, word: &str) -> usize {
    let numbers = text.split(word).skip(1).filter_map(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<usize>().ok()
    });
    numbers.filter(|number| *number < 40).max().unwrap_or(0)
}

fn flatten(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::BulkString(bytes) => texts.push(String::from_utf8_lossy(bytes).into_owned()),
        Value::SimpleString(text) => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| flatten(value, texts)),
        Value::Map(pairs) => pairs.iter().for_each(|(key, value)| {
            flatten(key, texts);
            flatten(value, texts);
        }),
        _ => {}
    }
}
