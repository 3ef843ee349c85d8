//! The run as the page loads it, packed as [captures](crate::web::packed) are.

use super::run::{Cell, Check, Run, Runtime, Trip};
use crate::core::fleet::roster::Claim;
use crate::core::fleet::status::Status;
use crate::core::fleet::verdict::FleetVerdict;
use crate::web::packed::{Packer, Unpacker};

impl Run {
    /// Packs it.
    pub fn pack(&self) -> Vec<u8> {
        let Self { date, engine, profile, payloads, runtimes, cells } = self;
        let mut out = Packer::default();
        for text in [date, engine, profile] {
            out.bytes(text.as_bytes());
        }
        out.number(*payloads);
        out.list(runtimes.iter(), pack_runtime);
        out.list(cells.iter(), pack_cell);
        out.into_bytes()
    }

    /// Unpacks it; `None` for bytes that nothing was packed into.
    pub fn unpack(bytes: &[u8]) -> Option<Self> {
        let mut rest = Unpacker::new(bytes);
        let run = Self {
            date: rest.text()?,
            engine: rest.text()?,
            profile: rest.text()?,
            payloads: rest.number()?,
            runtimes: rest.list(unpack_runtime)?,
            cells: rest.list(unpack_cell)?,
        };
        let whole = |cell: &Cell| cell.producer < run.runtimes.len() && cell.consumer < run.runtimes.len();
        (rest.is_empty() && run.cells.iter().all(whole)).then_some(run)
    }
}

fn place<T: PartialEq>(all: &[T], one: &T) -> u64 {
    all.iter().position(|other| other == one).unwrap_or_default() as u64
}

fn at<T: Copy>(all: &[T], place: u64) -> Option<T> {
    all.get(usize::try_from(place).ok()?).copied()
}

fn pack_runtime(out: &mut Packer, runtime: &Runtime) {
    let Runtime { name, label, fixture, claim, source, status, evidence } = runtime;
    out.bytes(name.as_bytes());
    out.bytes(label.as_bytes());
    out.number(u64::from(*fixture));
    out.maybe(*claim, |out, claim| out.number(place(&Claim::ALL, &claim)));
    out.maybe_text(source.as_ref());
    out.number(place(&Status::ALL, status));
    out.maybe_text(evidence.as_ref());
}

fn unpack_runtime(rest: &mut Unpacker<'_>) -> Option<Runtime> {
    Some(Runtime {
        name: rest.text()?,
        label: rest.text()?,
        fixture: rest.flag()?,
        claim: rest.maybe(|rest| at(&Claim::ALL, rest.number()?))?,
        source: rest.maybe(Unpacker::text)?,
        status: at(&Status::ALL, rest.number()?)?,
        evidence: rest.maybe(Unpacker::text)?,
    })
}

fn pack_cell(out: &mut Packer, cell: &Cell) {
    let Cell { producer, consumer, verdict, why, keys, notes, trip } = cell;
    out.number(*producer as u64);
    out.number(*consumer as u64);
    out.number(place(&FleetVerdict::ALL, verdict));
    out.bytes(why.as_bytes());
    for texts in [keys, notes] {
        out.list(texts.iter(), |out, text| out.bytes(text.as_bytes()));
    }
    out.maybe(trip.as_ref(), |out, trip| {
        out.bytes(trip.payload.as_bytes());
        for checks in [&trip.checks, &trip.assertions] {
            out.list(checks.iter(), |out, check| {
                out.bytes(check.id.as_bytes());
                out.number(place(&FleetVerdict::ALL, &check.verdict));
                out.bytes(check.why.as_bytes());
            });
        }
        out.capture(&trip.capture);
    });
}

fn unpack_cell(rest: &mut Unpacker<'_>) -> Option<Cell> {
    Some(Cell {
        producer: usize::try_from(rest.number()?).ok()?,
        consumer: usize::try_from(rest.number()?).ok()?,
        verdict: at(&FleetVerdict::ALL, rest.number()?)?,
        why: rest.text()?,
        keys: rest.list(Unpacker::text)?,
        notes: rest.list(Unpacker::text)?,
        trip: rest.maybe(|rest| {
            let payload = rest.text()?;
            let (checks, assertions) = (rest.list(unpack_check)?, rest.list(unpack_check)?);
            Some(Trip { payload, checks, assertions, capture: rest.capture()? })
        })?,
    })
}

fn unpack_check(rest: &mut Unpacker<'_>) -> Option<Check> {
    Some(Check { id: rest.text()?, verdict: at(&FleetVerdict::ALL, rest.number()?)?, why: rest.text()? })
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::Run;

    #[test]
    fn what_is_packed_comes_out_the_same() {
        for run in [fixture::run(), Run::default()] {
            assert_eq!(Run::unpack(&run.pack()), Some(run));
        }
    }

    #[test]
    fn damage_is_noticed_and_nothing_worse() {
        let packed = fixture::run().pack();
        for length in (0..packed.len()).step_by(53) {
            assert_eq!(Run::unpack(&packed[..length]), None, "cut at {length}");
        }
        for at in (0..packed.len()).step_by(61) {
            let mut changed = packed.clone();
            changed[at] ^= 0x95;
            let _ = Run::unpack(&changed);
        }
        assert_eq!(Run::unpack(b"<!doctype html>"), None);
    }
}
