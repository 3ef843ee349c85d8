//! All of it as the page loads it, packed as [captures](crate::web::packed) are.

use super::flaw::{Call, Flaw, NAMES, PASSES, Package, SERVERS, Said};
use crate::web::packed::{Packer, Unpacker};

impl Flaw {
    /// Packs it.
    pub fn pack(&self) -> Vec<u8> {
        let Self { date, repeat, engines, texts, calls, mended, own, package } = self;
        let mut out = Packer::default();
        for text in [date, repeat, engines, &mended.1, &package.name, &package.date, &package.repeat] {
            out.bytes(text.as_bytes());
        }
        for number in [mended.0, own.0, own.1].into_iter().chain(package.counts) {
            out.number(number);
        }
        pack_texts(&mut out, texts);
        out.list(calls.iter(), |out, Call { keys, args, touched, said }| {
            for texts in [keys, args, touched] {
                pack_texts(out, texts);
            }
            out.list(said.iter(), |out, said| out.list(said.iter(), pack_said));
        });
        out.into_bytes()
    }

    /// Unpacks it; `None` for bytes that nothing was packed into.
    pub fn unpack(bytes: &[u8]) -> Option<Self> {
        let mut rest = Unpacker::new(bytes);
        let rest = &mut rest;
        let [date, repeat, engines] = [rest.text()?, rest.text()?, rest.text()?];
        let analysed = rest.text()?;
        let [name, measured, again] = [rest.text()?, rest.text()?, rest.text()?];
        let [calls, declared, all] = [rest.number()?, rest.number()?, rest.number()?];
        let counts = [rest.number()?, rest.number()?, rest.number()?, rest.number()?];
        let flaw = Self {
            date,
            repeat,
            engines,
            mended: (calls, analysed),
            own: (declared, all),
            package: Package { name, date: measured, repeat: again, counts },
            texts: rest.list(Unpacker::text)?,
            calls: rest.list(unpack_call)?,
        };
        let whole = flaw.texts.len() == PASSES.len() && flaw.calls.len() == PASSES.len() * NAMES.len() * 2;
        (rest.is_empty() && whole).then_some(flaw)
    }
}

fn pack_texts(out: &mut Packer, texts: &[String]) {
    out.list(texts.iter(), |out, text| out.bytes(text.as_bytes()));
}

fn pack_said(out: &mut Packer, said: &Said) {
    let Said { versions, refused, words, logged, moved, unlocked, stolen } = said;
    for text in [versions, words] {
        out.bytes(text.as_bytes());
    }
    for flag in [refused, stolen] {
        out.number(u64::from(*flag));
    }
    for text in [logged, moved, unlocked] {
        out.maybe_text(text.as_ref());
    }
}

fn unpack_call(rest: &mut Unpacker<'_>) -> Option<Call> {
    let [keys, args, touched] = [rest.list(Unpacker::text)?, rest.list(Unpacker::text)?, rest.list(Unpacker::text)?];
    let said = rest.list(|rest| rest.list(unpack_said))?;
    (said.len() == SERVERS.len()).then_some(Call { keys, args, touched, said })
}

fn unpack_said(rest: &mut Unpacker<'_>) -> Option<Said> {
    let [versions, words] = [rest.text()?, rest.text()?];
    let [refused, stolen] = [rest.flag()?, rest.flag()?];
    let mut maybe = || rest.maybe(Unpacker::text);
    let [logged, moved, unlocked] = [maybe()?, maybe()?, maybe()?];
    Some(Said { versions, refused, words, logged, moved, unlocked, stolen })
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::Flaw;

    #[test]
    fn what_is_packed_comes_out_the_same() {
        let flaw = fixture::flaw();
        assert_eq!(Flaw::unpack(&flaw.pack()), Some(flaw));
    }

    #[test]
    fn damage_is_noticed_and_nothing_worse() {
        let packed = fixture::flaw().pack();
        for length in (0..packed.len()).step_by(53) {
            assert_eq!(Flaw::unpack(&packed[..length]), None, "cut at {length}");
        }
        for at in (0..packed.len()).step_by(61) {
            let mut changed = packed.clone();
            changed[at] ^= 0x95;
            let _ = Flaw::unpack(&changed);
        }
        assert_eq!(Flaw::unpack(b"<!doctype html>"), None);
    }
}
