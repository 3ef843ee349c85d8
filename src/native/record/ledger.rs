//! What a recording lost, and where: told from breaks of the connection and from comparisons with the server's counts.

use super::tally::Finding;
use crate::core::capture::lines::Gap;
use crate::core::report::words::counted;

/// Losses so far.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    gaps: Vec<Gap>,
    /// The first gap whose loss is not counted yet.
    open: usize,
    lost: u64,
    last_heard: u64,
}

impl Ledger {
    /// A line was heard, at this time by the server's clock.
    pub(super) fn heard(&mut self, time: u64) {
        self.last_heard = time;
        for gap in self.gaps.iter_mut().skip(self.open) {
            gap.to.get_or_insert(time);
        }
    }

    /// The connection broke after this event.
    pub(super) fn breaks(&mut self, after: u64, why: String) {
        self.gaps.push(Gap { after, from: self.last_heard, to: None, lost: None, why });
    }

    /// A line was heard that could not be read.
    pub(super) fn unread(&mut self) {
        self.lost += 1;
    }

    /// Takes in what a comparison after this event found; gives what there is to say of it.
    pub(super) fn found(&mut self, finding: &Finding, after: u64) -> Option<String> {
        let open = self.gaps.len() - self.open;
        let said = match finding {
            Finding::First => return None,
            Finding::Lost(lost) => {
                let sum: u64 = lost.values().sum();
                self.lost += sum;
                // Of several gaps nobody can say which lost what.
                if open == 1 || sum == 0 {
                    self.gaps.iter_mut().skip(self.open).for_each(|gap| gap.lost = Some(sum));
                }
                match (open, sum) {
                    (0, 0) => None,
                    (_, 0) => Some("nothing was lost meanwhile, by the server's own counts".to_owned()),
                    _ => Some(format!(
                        "the server ran {} that the recording does not hold: {}",
                        counted(sum, "command"),
                        kinds(lost)
                    )),
                }
            }
            Finding::Restarted(lost) => {
                let sum: u64 = lost.values().sum();
                self.lost += sum.max(1);
                let more = if sum == 0 { String::new() } else { format!(", and {sum} after it: {}", kinds(lost)) };
                Some(format!("the server was started anew: nobody knows how many commands before that were lost{more}"))
            }
            Finding::Reset => {
                // Nobody can say that nothing was lost, so it is a gap even where no connection broke.
                if open == 0 {
                    self.breaks(after, RESET.to_owned());
                }
                self.lost += open.max(1) as u64;
                Some(format!("{RESET}: nobody can say whether anything was lost"))
            }
        };
        self.open = self.gaps.len();
        said
    }

    /// Nothing will be compared any more: each gap that was not lost something, as far as anybody knows.
    pub(super) fn end(&mut self) {
        self.lost += (self.gaps.len() - self.open) as u64;
        self.open = self.gaps.len();
    }

    /// How many commands were lost; at least one for each gap of which nobody can say.
    pub(super) fn lost(&self) -> u64 {
        self.lost + (self.gaps.len() - self.open) as u64
    }

    pub(super) fn gaps(&self) -> &[Gap] {
        &self.gaps
    }
}

const RESET: &str = "somebody reset the server's counts (CONFIG RESETSTAT)";

/// The kinds that were lost most.
fn kinds(lost: &std::collections::BTreeMap<String, u64>) -> String {
    const SHOWN: usize = 5;
    let mut kinds: Vec<(&String, &u64)> = lost.iter().collect();
    kinds.sort_by(|a, b| b.1.cmp(a.1));
    let shown: Vec<String> = kinds.iter().take(SHOWN).map(|(name, count)| format!("{count} {name}")).collect();
    let more = if kinds.len() > SHOWN { ", …" } else { "" };
    shown.join(", ") + more
}
