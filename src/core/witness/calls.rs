//! Which scripts a capture calls, by whom, and their texts as far as the capture holds them.

use std::collections::{BTreeMap, BTreeSet};

use super::libraries::{Homes, Lived, Servers, sort, texts};
use crate::core::bytes::{Arg, Bytes, shown};
use crate::core::capture::{Capture, Event, Origin, Script};
use crate::core::commands::{ScriptKind, command, script_call};
use crate::core::facts::{Place, ScriptName, script_id};

/// The calls and the texts.
#[derive(Debug, Default)]
pub struct Calls {
    texts: BTreeMap<String, Script>,
    libraries: Servers,
    homes: Homes<(Option<String>, String)>,
    by: BTreeMap<Option<String>, BTreeMap<String, Called>>,
    /// Bytes of all scripts' texts that are kept.
    kept: usize,
}

/// A script or function that was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// Its SHA-1, or the function's name.
    pub id: String,
    /// What to call it.
    pub name: String,
    /// Whether it is a function.
    pub function: bool,
    /// Where it was called first.
    pub first: Place,
    /// How often.
    pub count: u64,
    /// Of a function, the libraries that it was in when they called it, as far as the events tell.
    pub(super) homes: Vec<Lived>,
}

/// How many bytes of texts are kept: a log may make a new text for each call. What is not kept counts as not seen.
const MOST_TEXT: usize = 64 * 1024 * 1024;

impl Calls {
    /// All calls of a capture.
    pub fn of(capture: &Capture) -> Self {
        let mut calls = Self { texts: capture.scripts.clone(), ..Self::default() };
        capture.events.iter().for_each(|event| calls.push(event));
        calls
    }

    /// Takes in the next event.
    pub fn push(&mut self, event: &Event) {
        self.homes.look(event);
        if event.origin == Origin::Script {
            return;
        }
        let args = event.args();
        if let Some(found) = script_call(&args) {
            let (id, function) = (script_id(&found, &args), found.kind == ScriptKind::Function);
            if let (ScriptKind::Source, Some(text)) = (found.kind, event.argv.get(found.index).and_then(Arg::known)) {
                self.keep(id.clone(), text);
            }
            if function {
                let home = self.libraries.home(event.client.as_deref(), &id);
                self.homes.call(event, (event.client.clone(), id.clone()), home);
            }
            let first = Place { seq: event.seq, line: event.line };
            let name = self.name(&id);
            let calls = self.by.entry(event.client.clone()).or_default();
            let fresh = Called { id: id.clone(), name, function, first, count: 0, homes: Vec::new() };
            calls.entry(id).or_insert(fresh).count += 1;
            return;
        }
        let room = MOST_TEXT.saturating_sub(self.kept);
        self.libraries.look(event.client.as_deref(), &event.argv, room);
        let text = event.argv.last().and_then(Arg::known);
        let is_load = command(&args).is_some_and(|command| command.name() == "SCRIPT|LOAD");
        if let Some(text) = text.filter(|_| is_load) {
            self.keep(sha1_smol::Sha1::from(text).digest().to_string(), text);
        }
    }

    /// The scripts that some connections called, by id, each once.
    pub fn by(&self, connections: &[Option<&str>]) -> Vec<Called> {
        let mut all: BTreeMap<&str, Called> = BTreeMap::new();
        // After QUIT an address may be another connection's, and stand here twice.
        let mut clients: BTreeSet<Option<String>> = BTreeSet::new();
        clients.extend(connections.iter().map(|client| client.map(str::to_owned)));
        for client in &clients {
            for (id, called) in self.by.get(client).into_iter().flatten() {
                let known = all.entry(id).or_insert_with(|| Called { count: 0, ..called.clone() });
                known.first = known.first.min(called.first);
                known.count += called.count;
                if called.function {
                    known.homes.extend(self.homes.of(&(client.clone(), id.clone())).iter().cloned());
                }
            }
        }
        let mut all: Vec<Called> = all.into_values().collect();
        for called in &mut all {
            sort(&mut called.homes);
        }
        all.sort_by_key(|called| called.first);
        all
    }

    /// A script's text.
    pub fn text(&self, sha1: &str) -> Option<&[u8]> {
        self.texts.get(sha1)?.source.as_ref().map(Bytes::as_slice)
    }

    /// Every text that a script had when some connections called it, the last one last: a function's library may be replaced. Nothing
    /// stands for one that was not seen.
    pub fn texts<'t>(&'t self, called: &'t Called) -> Vec<Option<&'t [u8]>> {
        if !called.function {
            return vec![self.text(&called.id)];
        }
        if let Some(told) = self.told(&called.id) {
            return told;
        }
        let libraries = texts(&called.homes).into_iter();
        let texts: Vec<_> = libraries.map(|library| library.map(|library| library.text.as_slice())).collect();
        if texts.is_empty() { vec![None] } else { texts }
    }

    /// The texts that the capture itself says a function had. Its recorder has heard what is not in the capture: what the events say by
    /// themselves may be older.
    pub(crate) fn told(&self, function: &str) -> Option<Vec<Option<&[u8]>>> {
        let own = self.texts.get(function)?;
        let texts = own.earlier.iter().chain([&own.source]);
        Some(texts.map(|text| text.as_ref().map(Bytes::as_slice)).collect())
    }

    /// Every text of a script with its SHA-1.
    pub fn scripts(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.texts.iter().filter_map(|(id, script)| Some((id.as_str(), script.source.as_ref()?.as_slice())))
    }

    fn name(&self, id: &str) -> String {
        let name = self.texts.get(id).and_then(|script| script.name.as_ref());
        let name = name.map(|name| shown(name.as_bytes()).into_owned());
        ScriptName { id: id.to_owned(), name }.shown().to_owned()
    }

    fn keep(&mut self, id: String, text: &[u8]) {
        let known = self.texts.entry(id).or_default();
        if known.source.is_none() && self.kept + self.libraries.bytes() + text.len() <= MOST_TEXT {
            self.kept += text.len();
            known.source = Some(Bytes::from(text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Calls;
    use crate::core::capture::json;
    use crate::core::capture::monitor::Reader;

    /// Another library may say its name as a value, before or after it.
    #[test]
    fn a_functions_text_is_the_library_that_registers_it() {
        let claim = "redis.register_function( 'claim', function() end)";
        let table = "redis.register_function{function_name = 'claim', callback = f}";
        let stats = "redis.register_function('stats', function() redis.call('HINCRBY', 'k', 'claim', 1) end)";
        let made_up = "for _, name in pairs({'claim'}) do redis.register_function(name, f) end";
        let text = |libraries: &[&str]| {
            let line = |(name, library): (usize, &&str)| {
                format!("1.000001 [0 a:1] \"FUNCTION\" \"LOAD\" \"#!lua name=l{name}\\n{library}\"\n")
            };
            let loads: String = libraries.iter().enumerate().map(line).collect();
            let text = calls(&(loads + "1.000002 [0 a:1] \"FCALL\" \"claim\" \"0\"\n"));
            let text = last(&text, "a:1").map(|text| String::from_utf8_lossy(&text).into_owned());
            text.map(|text| text.split_once('\n').expect("lines").1.to_owned())
        };
        for library in [claim, table, made_up] {
            assert_eq!(text(&[library]).as_deref(), Some(library));
        }
        for library in [claim, table] {
            assert_eq!(text(&[library, stats]).as_deref(), Some(library));
            assert_eq!(text(&[stats, library]).as_deref(), Some(library));
        }
        assert_eq!(text(&[claim, table]), None, "the engine may refuse the second, or not");
        assert_eq!(text(&[made_up, stats]).as_deref(), Some(made_up), "the other one's names stand there");
        assert_eq!(text(&[made_up, made_up]), None, "either may be it");
    }

    /// The text of the only function that somebody called, as it was last.
    fn last(calls: &Calls, client: &str) -> Option<Vec<u8>> {
        let called = calls.by(&[Some(client)]).into_iter().find(|called| called.function)?;
        calls.texts(&called).pop().flatten().map(<[u8]>::to_vec)
    }

    fn calls(log: &str) -> Calls {
        let (mut reader, mut calls) = (Reader::new(), Calls::default());
        for line in log.lines() {
            calls.push(&reader.line(line.as_bytes()).expect("a line").expect("an event"));
        }
        calls
    }

    #[test]
    fn texts_come_from_eval_script_load_and_function_load() {
        let one = sha1_smol::Sha1::from("return 1").digest().to_string();
        let calls = calls(&format!(
            concat!(
                "1.000001 [0 a:1] \"SCRIPT\" \"LOAD\" \"return 1\"\n",
                "1.000002 [0 a:1] \"EVALSHA\" \"{}\" \"0\"\n",
                "1.000003 [0 b:2] \"EVAL\" \"return 2\" \"0\"\n",
                "1.000004 [0 b:2] \"FUNCTION\" \"LOAD\" \"REPLACE\" \"#!lua name=l\\nredis.register_function('f', g)\"\n",
                "1.000005 [0 b:2] \"FCALL\" \"f\" \"0\"\n",
                "1.000006 [0 b:2] \"EVALSHA\" \"0123456789012345678901234567890123456789\" \"0\"\n",
            ),
            one.to_uppercase()
        ));
        assert_eq!(calls.text(&one), Some(&b"return 1"[..]));
        assert!(last(&calls, "b:2").is_some_and(|text| text.starts_with(b"#!lua")));
        let of = |client| calls.by(&[Some(client)]).into_iter().map(|called| called.name).collect::<Vec<_>>();
        assert_eq!(of("a:1"), [&one[..8]]);
        assert_eq!(of("b:2").len(), 3);
        assert_eq!(calls.text("0123456789012345678901234567890123456789"), None);
    }

    /// A recorder has heard what others loaded, which stands in no event.
    #[test]
    fn what_a_capture_says_of_a_function_counts_before_its_events() {
        let texts = |scripts: &str| {
            let load = r##"{"seq": 1, "origin": "client", "argv": ["FUNCTION", "LOAD", "#!lua name=l\nredis.register_function('f', g)"]}"##;
            let call = r#"{"seq": 2, "origin": "client", "argv": ["FCALL", "f", "0"]}"#;
            let text = format!(r#"{{"format": "emq-capture/1", "scripts": {scripts}, "events": [{load}, {call}]}}"#);
            let calls = Calls::of(&json::parse(text.as_bytes()).expect("a capture"));
            let called = calls.by(&[None]).pop().expect("a call");
            calls
                .texts(&called)
                .into_iter()
                .map(|text| text.map(|text| String::from_utf8_lossy(text).len()))
                .collect::<Vec<_>>()
        };
        assert_eq!(texts("{}"), [Some(44)]);
        assert_eq!(texts(r#"{"f": {"source": "abc"}}"#), [Some(3)]);
        assert_eq!(texts(r#"{"f": {}}"#), [None]);
        assert_eq!(texts(r#"{"f": {"source": null, "earlier": [null, "ab"]}}"#), [None, Some(2), None]);
    }

    /// Each node of a cluster has libraries of its own; a unix socket's path says nothing of nodes.
    #[test]
    fn a_function_has_the_text_of_the_node_that_it_was_called_on() {
        let load = |client: &str, more: &str| {
            format!(
                "1.000001 [0 {client}] \"FUNCTION\" \"LOAD\" \"REPLACE\" \"#!lua name=l\\nredis.register_function('f', {more})\"\n"
            )
        };
        let call = |client: &str| format!("1.000002 [0 {client}] \"FCALL\" \"f\" \"0\"\n");
        let (one, two) = ("a:1@n:1", "b:2@n:2");
        let log = [load(one, "one"), load(two, "two"), call(one), call(two)].concat();
        let ends = |log: &str, client: &str, more: &str| {
            last(&calls(log), client).is_some_and(|text| text.ends_with(format!("{more})").as_bytes()))
        };
        assert!(ends(&log, one, "one") && ends(&log, two, "two"));
        let sockets = log.replace("a:1", "unix:/a").replace("b:2", "unix:/a");
        assert!(ends(&sockets, "unix:/a@n:1", "two"));
    }

    /// One calls it before it is replaced, the other after that.
    #[test]
    fn a_function_has_the_texts_in_which_its_own_callers_called_it() {
        let load = |more: &str| {
            format!(
                "1.000001 [0 c:3] \"FUNCTION\" \"LOAD\" \"REPLACE\" \"#!lua name=l\\nredis.register_function('f', {more})\"\n"
            )
        };
        let call = |client: &str| format!("1.000002 [0 {client}] \"FCALL\" \"f\" \"0\"\n");
        let calls = calls(&[load("one"), call("a:1"), load("two"), call("b:2"), call("b:2")].concat());
        let of = |clients: &[Option<&str>]| {
            let called = calls.by(clients).pop().expect("a call");
            let is = |text: &[u8], word: &str| String::from_utf8_lossy(text).contains(word);
            let which = |text: Option<&[u8]>| text.map(|text| (is(text, "one"), is(text, "two")));
            (called.count, calls.texts(&called).into_iter().map(which).collect::<Vec<_>>())
        };
        let (one, two) = (Some((true, false)), Some((false, true)));
        assert_eq!(of(&[Some("a:1")]), (1, vec![one]));
        assert_eq!(of(&[Some("b:2")]), (2, vec![two]));
        assert_eq!(of(&[Some("b:2"), Some("a:1")]), (3, vec![one, two]));
    }
}
