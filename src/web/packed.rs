//! Captures as the page loads them: read, or refused, by the core while the page was built.
//!
//! A capture's JSON says where it is wrong, and the machinery for that is a third of what a browser would have to load
//! before the figure comes alive. So the JSON is read natively, and the page loads this: numbers as LEB128, byte strings
//! with their length before them, no names. It is written and read by the same build and kept nowhere, so it has no
//! version; the format to keep is `emq-capture/1`.

use std::collections::BTreeMap;

use crate::core::bytes::{Arg, Bytes};
use crate::core::capture::{Capture, Engine, Event, Origin, Read, Reply, Script, Source, SourceKind};

/// What stands in a packed file: the capture, or why there is none.
pub type Content = Result<Capture, String>;

/// Packs a capture, or the reason why there is none.
pub fn pack(content: Result<&Capture, &str>) -> Vec<u8> {
    let mut out = Packer::default();
    match content {
        Err(why) => {
            out.number(0);
            out.bytes(why.as_bytes());
        }
        Ok(capture) => {
            out.number(1);
            out.capture(capture);
        }
    }
    out.into_bytes()
}

/// Unpacks; `None` for bytes that nothing was packed into.
pub fn unpack(bytes: &[u8]) -> Option<Content> {
    let mut rest = Unpacker::new(bytes);
    let content = match rest.number()? {
        0 => Err(rest.text()?),
        1 => Ok(rest.capture()?),
        _ => return None,
    };
    rest.is_empty().then_some(content)
}

const KINDS: [SourceKind; 4] = [SourceKind::Probe, SourceKind::Record, SourceKind::Monitor, SourceKind::Fixture];

/// Writes what is packed.
#[derive(Debug, Default)]
pub(super) struct Packer(Vec<u8>);

impl Packer {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    pub(super) fn number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.0.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.0.push(number.to_le_bytes()[0]);
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn maybe<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.number(u64::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    pub(super) fn maybe_text(&mut self, text: Option<&String>) {
        self.maybe(text, |out, text| out.bytes(text.as_bytes()));
    }

    pub(super) fn list<T>(&mut self, items: impl ExactSizeIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        self.number(items.len() as u64);
        for item in items {
            write(self, item);
        }
    }

    pub(super) fn capture(&mut self, capture: &Capture) {
        let Capture { profile, queue, engine, source, scripts, events, reads, dropped } = capture;
        self.maybe_text(profile.as_ref());
        self.maybe_text(queue.as_ref());
        self.maybe(engine.as_ref(), |out, engine| {
            out.bytes(engine.name.as_bytes());
            out.bytes(engine.version.as_bytes());
        });
        self.number(KINDS.iter().position(|kind| *kind == source.kind).unwrap_or_default() as u64);
        self.number(u64::from(source.private));
        self.maybe_text(source.command.as_ref());
        self.number(source.left_out);
        self.number(u64::from(source.unfinished));
        self.list(scripts.iter(), |out, (id, script)| {
            out.bytes(id.as_bytes());
            out.maybe_text(script.name.as_ref());
            out.maybe(script.source.as_ref(), |out, source| out.bytes(&source.0));
        });
        self.list(events.iter(), Self::event);
        self.list(reads.iter(), |out, read| {
            out.list(read.argv.iter(), |out, arg| out.bytes(&arg.0));
            out.reply(&read.reply);
        });
        self.number(*dropped);
    }

    fn event(&mut self, event: &Event) {
        let Event { seq, line, time, client, db, origin, call, argv } = event;
        self.number(*seq);
        self.maybe(*line, Self::number);
        self.number(*time);
        self.maybe_text(client.as_ref());
        self.number(u64::from(*db));
        self.number(u64::from(*origin == Origin::Script));
        self.maybe(*call, Self::number);
        self.list(argv.iter(), |out, arg| match arg {
            Arg::Bytes(bytes) => {
                out.number(0);
                out.bytes(&bytes.0);
            }
            Arg::Redacted(length) => {
                out.number(1);
                out.number(*length);
            }
        });
    }

    fn reply(&mut self, reply: &Reply) {
        match reply {
            Reply::Nil(()) => self.number(0),
            Reply::Integer(number) => {
                self.number(1);
                self.number(number.cast_unsigned());
            }
            Reply::Text(text) => {
                self.number(2);
                self.bytes(&text.0);
            }
            Reply::Array(replies) => {
                self.number(3);
                self.list(replies.iter(), Self::reply);
            }
            Reply::Error { error } => {
                self.number(4);
                self.bytes(error.as_bytes());
            }
        }
    }
}

/// Reads it; `None` wherever it is not what was written.
pub(super) struct Unpacker<'b>(&'b [u8]);

impl<'b> Unpacker<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let length = usize::try_from(self.number()?).ok()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes.to_vec())
    }

    pub(super) fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?).ok()
    }

    pub(super) fn flag(&mut self) -> Option<bool> {
        Some(self.number()? == 1)
    }

    #[expect(clippy::option_option, reason = "the outer one says whether anything could be read at all")]
    pub(super) fn maybe<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        if self.flag()? { Some(Some(read(self)?)) } else { Some(None) }
    }

    /// A count that lies only makes the bytes run out: nothing is set aside for it.
    pub(super) fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(read(self)?);
        }
        Some(items)
    }

    pub(super) fn capture(&mut self) -> Option<Capture> {
        Some(Capture {
            profile: self.maybe(Self::text)?,
            queue: self.maybe(Self::text)?,
            engine: self.maybe(|rest| Some(Engine { name: rest.text()?, version: rest.text()? }))?,
            source: Source {
                kind: *KINDS.get(usize::try_from(self.number()?).ok()?)?,
                private: self.flag()?,
                command: self.maybe(Self::text)?,
                left_out: self.number()?,
                unfinished: self.flag()?,
            },
            scripts: self.scripts()?,
            events: self.list(Self::event)?,
            reads: self
                .list(|rest| Some(Read { argv: rest.list(|rest| rest.bytes().map(Bytes))?, reply: rest.reply()? }))?,
            dropped: self.number()?,
        })
    }

    fn scripts(&mut self) -> Option<BTreeMap<String, Script>> {
        let mut scripts = BTreeMap::new();
        for _ in 0..self.number()? {
            let id = self.text()?;
            let (name, source) = (self.maybe(Self::text)?, self.maybe(|rest| rest.bytes().map(Bytes))?);
            scripts.insert(id, Script { name, source, ..Script::default() });
        }
        Some(scripts)
    }

    fn event(&mut self) -> Option<Event> {
        Some(Event {
            seq: self.number()?,
            line: self.maybe(Self::number)?,
            time: self.number()?,
            client: self.maybe(Self::text)?,
            db: u32::try_from(self.number()?).ok()?,
            origin: if self.flag()? { Origin::Script } else { Origin::Client },
            call: self.maybe(Self::number)?,
            // The reader of captures refuses an event without a command, and the core relies on that.
            argv: self.list(Self::arg).filter(|argv| !argv.is_empty())?,
        })
    }

    fn arg(&mut self) -> Option<Arg> {
        Some(if self.flag()? { Arg::Redacted(self.number()?) } else { Arg::Bytes(Bytes(self.bytes()?)) })
    }

    fn reply(&mut self) -> Option<Reply> {
        Some(match self.number()? {
            0 => Reply::Nil(()),
            1 => Reply::Integer(self.number()?.cast_signed()),
            2 => Reply::Text(Bytes(self.bytes()?)),
            3 => Reply::Array(self.list(Self::reply)?),
            4 => Reply::Error { error: self.text()? },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{pack, unpack};
    use crate::core::capture::{Capture, json};

    fn full() -> Capture {
        let text = r#"{"format":"emq-capture/1","profile":"emq.1","queue":"q","engine":{"name":"valkey","version":"8.0.1"},
            "source":{"kind":"record","private":true,"command":"c","left_out":300,"unfinished":true},"scripts":{"ab":{"name":"n-1","source":"x"},"cd":{}},
            "events":[{"seq":1,"time":1796083200000000,"client":"a:1","db":3,"origin":"client","argv":["EVAL","x","0",{"base64":"/w=="},{"redacted":9}]},
            {"seq":4,"origin":"script","call":1,"argv":["SET","k","v"]}],
            "reads":[{"argv":["HGET","k","f"],"reply":null},{"argv":["A"],"reply":[-7,"t",{"error":"E"},{"base64":"/w=="}]}],"dropped":2}"#;
        json::parse(text.as_bytes()).expect("a capture")
    }

    #[test]
    fn what_is_packed_comes_out_the_same() {
        for capture in [full(), Capture::default()] {
            assert_eq!(unpack(&pack(Ok(&capture))), Some(Ok(capture)));
        }
        assert_eq!(unpack(&pack(Err("line 3: no"))), Some(Err("line 3: no".to_owned())));
    }

    #[test]
    fn damage_is_noticed_and_nothing_worse() {
        let packed = pack(Ok(&full()));
        for length in 0..packed.len() {
            assert_eq!(unpack(&packed[..length]), None, "cut at {length}");
        }
        for at in 0..packed.len() {
            let mut changed = packed.clone();
            changed[at] ^= 0x95;
            let _ = unpack(&changed);
        }
        assert_eq!(unpack(b"<!doctype html>"), None);
    }
}
