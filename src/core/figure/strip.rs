//! The slots that keys fall into, as places on an axis: the picture is the argument for one tag.

use super::model::Words;
use super::width;
use crate::core::keyspace::SLOTS;
use crate::core::report::slots::{SlotUse, Slots};
use crate::core::report::words::counted;

/// What is drawn of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Strip {
    /// The queue's own slot, where keys fall into it.
    pub(super) own: Option<u16>,
    /// The others.
    pub(super) others: Vec<u16>,
    own_label: Option<Label>,
    other_label: Option<Label>,
}

/// What stands below the axis: a name, which may be cut, between what is told in any case.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Label {
    before: String,
    name: Words,
    after: String,
}

impl Label {
    fn of(used: &SlotUse) -> Self {
        let after = format!(" · {}", counted(used.keys, "key"));
        Self { before: format!("{} ", used.slot), name: Words::plain(&used.tag), after }
    }

    /// In so many columns, of which the name has no more than some.
    fn text(&self, mark: &str, most: usize) -> String {
        const LONGEST: usize = 32;
        let Self { before, name, after } = self;
        let others = width::of(mark) + width::of(before) + width::of(after);
        let name = width::cut(&name.text(), LONGEST.min(most.saturating_sub(others)));
        format!("{mark}{before}{name}{after}")
    }
}

impl Strip {
    pub(super) fn of(slots: &Slots) -> Self {
        let (own, others): (Vec<_>, Vec<_>) = slots.used.iter().partition(|used| Some(used.slot) == slots.home);
        Self {
            own: own.first().map(|used| used.slot),
            others: others.iter().map(|used| used.slot).collect(),
            own_label: own.first().map(|used| Label::of(used)),
            other_label: match others.as_slice() {
                [] => None,
                [one] => Some(Label::of(one)),
                many => {
                    let (slots, keys) = many.iter().fold((0, 0), |all, used| (all.0 + used.slots, all.1 + used.keys));
                    let more = if own.is_empty() { "" } else { " more" };
                    let before = format!("{slots}{more} slots · {}", counted(keys, "key"));
                    Some(Label { before, name: Words::default(), after: String::new() })
                }
            },
        }
    }

    /// What stands below the axis, and under which slot, each in no more than so many columns. Letters need the mark that shapes
    /// show.
    pub(super) fn labels(&self, with_marks: bool, most: usize) -> Vec<(u16, String)> {
        let text = |mark, label: &Label| label.text(if with_marks { mark } else { "" }, most);
        let own = self.own.zip(self.own_label.as_ref()).map(|(slot, label)| (slot, text("● ", label)));
        let others = self.others.first().zip(self.other_label.as_ref());
        let others = others.map(|(slot, label)| (*slot, text("◆ ", label)));
        own.into_iter().chain(others).collect()
    }

    /// In a sentence, for who does not see it.
    pub(super) fn said(&self) -> String {
        let labels: Vec<String> =
            self.labels(false, usize::MAX).into_iter().map(|(_, label)| format!("slot {label}")).collect();
        if labels.is_empty() { "no key in any slot".to_owned() } else { labels.join("; ") }
    }
}

/// The column of a slot on an axis of so many columns.
pub(super) fn column(slot: u16, width: usize) -> usize {
    usize::from(slot) * width.saturating_sub(1) / usize::from(SLOTS - 1)
}
