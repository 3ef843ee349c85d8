//! What a capture has of each script call: the commands that its script ran.

use std::collections::BTreeMap;

use super::input::Input;
use super::path::Step;
use crate::core::bytes::Bytes;
use crate::core::capture::Event;
use crate::core::commands::{command, operand_keys};
use crate::core::witness::Refusal;

/// What the capture has of each call's script.
pub(super) struct Recorded<'i>(BTreeMap<u64, Vec<&'i Event>>);

impl<'i> Recorded<'i> {
    pub(super) fn of(input: &'i Input) -> Self {
        let mut events: BTreeMap<u64, Vec<&Event>> = BTreeMap::new();
        for event in &input.tape.events {
            if let Some(call) = event.call {
                events.entry(call).or_default().push(event);
            }
        }
        Self(events)
    }

    pub(super) fn events(&self, call: u64) -> &[&'i Event] {
        self.0.get(&call).map_or(&[], Vec::as_slice)
    }

    pub(super) fn steps(&self, call: u64) -> Vec<Step> {
        self.events(call).iter().map(|event| Step::of(event)).collect()
    }

    /// Every key and pattern that a call's script touched.
    pub(super) fn keys(&self, call: u64) -> Vec<Vec<u8>> {
        self.steps(call).into_iter().flat_map(|step| step.keys.into_iter().chain(step.patterns)).collect()
    }

    /// The first command of a call's script that touches a key.
    pub(super) fn refusal(&self, call: u64, key: &[u8], said: String) -> Refusal {
        let touching = self.events(call).iter().find_map(|event| {
            let args = event.args();
            let found = operand_keys(&args).ok()?;
            let operand = found.keys.iter().find(|operand| args.get(operand.index).is_some_and(|arg| *arg == key))?;
            Some((command(&args)?.name().replace('|', " "), operand.flags.access()))
        });
        let (command, access) = touching.unzip();
        Refusal { command, key: Some(Bytes::from(key)), access, said }
    }
}
