//! Which scripts a capture calls, by whom, and their texts as far as the capture holds them.

use std::collections::BTreeMap;

use crate::core::bytes::{Arg, Bytes, shown};
use crate::core::capture::{Capture, Event, Origin, Script};
use crate::core::commands::{ScriptKind, command, script_call};
use crate::core::facts::{Place, ScriptName, script_id};

/// The calls and the texts.
#[derive(Debug, Default)]
pub struct Calls {
    texts: BTreeMap<String, Script>,
    /// Libraries of functions, in the order in which they were loaded.
    libraries: Vec<Bytes>,
    by: BTreeMap<Option<String>, BTreeMap<String, Called>>,
    /// Bytes of all texts that are kept.
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
        if event.origin == Origin::Script {
            return;
        }
        let args = event.args();
        if let Some(found) = script_call(&args) {
            let (id, function) = (script_id(&found, &args), found.kind == ScriptKind::Function);
            if let (ScriptKind::Source, Some(text)) = (found.kind, event.argv.get(found.index).and_then(Arg::known)) {
                self.keep(id.clone(), text);
            }
            let first = Place { seq: event.seq, line: event.line };
            let name = self.name(&id);
            let calls = self.by.entry(event.client.clone()).or_default();
            let fresh = Called { id: id.clone(), name, function, first, count: 0 };
            calls.entry(id).or_insert(fresh).count += 1;
            return;
        }
        let text = event.argv.last().and_then(Arg::known);
        match (command(&args).map(crate::core::commands::Command::name), text) {
            (Some("SCRIPT|LOAD"), Some(text)) => self.keep(sha1_smol::Sha1::from(text).digest().to_string(), text),
            (Some("FUNCTION|LOAD"), Some(text)) => self.load(text),
            _ => {}
        }
    }

    /// The scripts that some connections called, by id, each once.
    pub fn by(&self, connections: &[Option<&str>]) -> Vec<Called> {
        let mut all: BTreeMap<&str, Called> = BTreeMap::new();
        let inside = self.by.iter().filter(|(client, _)| connections.contains(&client.as_deref()));
        for (id, called) in inside.flat_map(|(_, calls)| calls) {
            match all.get_mut(id.as_str()) {
                None => drop(all.insert(id, called.clone())),
                Some(known) => {
                    known.first = known.first.min(called.first);
                    known.count += called.count;
                }
            }
        }
        let mut all: Vec<Called> = all.into_values().collect();
        all.sort_by_key(|called| called.first);
        all
    }

    /// A script's text; of a function, the library that it is in.
    pub fn text(&self, id: &str, function: bool) -> Option<&[u8]> {
        let own = self.texts.get(id).and_then(|script| script.source.as_ref());
        let library = || self.libraries.iter().rev().find(|library| function && names(&library.0, id));
        own.or_else(library).map(Bytes::as_slice)
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
        if known.source.is_none() && self.kept + text.len() <= MOST_TEXT {
            self.kept += text.len();
            known.source = Some(Bytes::from(text));
        }
    }

    fn load(&mut self, text: &[u8]) {
        if self.kept + text.len() <= MOST_TEXT && !self.libraries.iter().any(|library| library.0 == text) {
            self.kept += text.len();
            self.libraries.push(Bytes::from(text));
        }
    }
}

/// Whether a library's text has the name of a function in quotes: how it registers one, unless it makes the name up.
fn names(library: &[u8], function: &str) -> bool {
    [b'\'', b'"'].iter().any(|quote| {
        let quoted = [&[*quote], function.as_bytes(), &[*quote]].concat();
        library.windows(quoted.len()).any(|window| window == quoted)
    })
}

#[cfg(test)]
mod tests {
    use super::Calls;
    use crate::core::capture::monitor::Reader;

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
        assert_eq!(calls.text(&one, false), Some(&b"return 1"[..]));
        assert!(calls.text("f", true).is_some_and(|text| text.starts_with(b"#!lua")));
        assert_eq!(calls.text("ff", true), None);
        let of = |client| calls.by(&[Some(client)]).into_iter().map(|called| called.name).collect::<Vec<_>>();
        assert_eq!(of("a:1"), [&one[..8]]);
        assert_eq!(of("b:2").len(), 3);
        assert_eq!(calls.text("0123456789012345678901234567890123456789", false), None);
    }
}
