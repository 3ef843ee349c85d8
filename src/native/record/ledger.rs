//! What a recording lost, and where: told from breaks of the connections and from comparisons with each server's counts.

use super::tally::Finding;
use crate::core::capture::lines::{Gap, Share};
use crate::core::report::words::counted;

/// Losses so far, by server.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    gaps: Vec<Gap>,
    accounts: Vec<Account>,
}

/// What is known of one server.
#[derive(Debug, Default)]
struct Account {
    /// What the capture calls it, where it is one of several.
    name: Option<String>,
    events: u64,
    lost: u64,
    /// Gaps whose loss is not counted yet.
    open: Vec<usize>,
    last_heard: u64,
    /// Something was heard since the last gap began.
    is_heard: bool,
}

impl Ledger {
    /// One more server.
    pub(super) fn add(&mut self, name: Option<String>) {
        self.accounts.push(Account { name, is_heard: true, ..Account::default() });
    }

    /// A line of a server was heard, at this time by its clock.
    pub(super) fn heard(&mut self, server: usize, time: u64) {
        let account = &mut self.accounts[server];
        account.last_heard = time;
        if !account.is_heard {
            account.is_heard = true;
            for gap in &account.open {
                self.gaps[*gap].to.get_or_insert(time);
            }
        }
    }

    /// An event of a server was recorded.
    pub(super) fn recorded(&mut self, server: usize) {
        self.accounts[server].events += 1;
    }

    /// A server was not heard any more after this event.
    pub(super) fn breaks(&mut self, server: usize, after: u64, why: String) {
        let from = self.accounts[server].last_heard;
        self.gap(server, after, from, why);
    }

    /// A server is heard only from now on, after this event; what it ran before may have belonged to the recording.
    pub(super) fn joins(&mut self, server: usize, after: u64, why: String) {
        let from = self.accounts.iter().map(|account| account.last_heard).max().unwrap_or_default();
        self.gap(server, after, from, why);
    }

    fn gap(&mut self, server: usize, after: u64, from: u64, why: String) {
        let account = &mut self.accounts[server];
        account.open.push(self.gaps.len());
        account.is_heard = false;
        self.gaps.push(Gap { node: account.name.clone(), after, from, to: None, lost: None, why });
    }

    /// A line of a server was heard that could not be read.
    pub(super) fn unread(&mut self, server: usize) {
        self.accounts[server].lost += 1;
    }

    /// Takes in what a comparison after this event found of a server; gives what there is to say of it.
    pub(super) fn found(&mut self, server: usize, finding: &Finding, after: u64) -> Option<String> {
        if matches!(finding, Finding::Reset) && self.accounts[server].open.is_empty() {
            // Nobody can say that nothing was lost, so it is a gap even where no connection broke.
            self.breaks(server, after, RESET.to_owned());
        }
        let account = &mut self.accounts[server];
        let open = account.open.len();
        let who = account.name.as_deref().unwrap_or("the server").to_owned();
        let said = match finding {
            Finding::First => return None,
            Finding::Lost(lost) => {
                let sum: u64 = lost.values().sum();
                account.lost += sum;
                // Of several gaps nobody can say which lost what.
                if open == 1 || sum == 0 {
                    account.open.iter().for_each(|gap| self.gaps[*gap].lost = Some(sum));
                }
                match (open, sum) {
                    (0, 0) => None,
                    (_, 0) => Some("nothing was lost meanwhile, by the server's own counts".to_owned()),
                    _ => Some(format!(
                        "{who} ran {} that the recording does not hold: {}",
                        counted(sum, "command"),
                        kinds(lost)
                    )),
                }
            }
            Finding::Restarted(lost) => {
                let sum: u64 = lost.values().sum();
                account.lost += sum.max(1);
                let more = if sum == 0 { String::new() } else { format!(", and {sum} after it: {}", kinds(lost)) };
                Some(format!("{who} was started anew: nobody knows how many commands before that were lost{more}"))
            }
            Finding::Reset => {
                account.lost += open as u64;
                Some(format!("{RESET}: nobody can say whether anything was lost"))
            }
        };
        account.open.clear();
        said
    }

    /// What a server that has joined ran before it did: nothing that belongs, or nobody can say.
    pub(super) fn joined(&mut self, server: usize, ran_nothing: bool) {
        let account = &mut self.accounts[server];
        for gap in std::mem::take(&mut account.open) {
            if ran_nothing {
                self.gaps[gap].lost = Some(0);
            } else {
                account.lost += 1;
            }
        }
    }

    /// Nothing will be compared any more: each gap that was not lost something, as far as anybody knows.
    pub(super) fn end(&mut self) {
        (0..self.accounts.len()).for_each(|server| self.close(server));
    }

    /// Nothing will be compared any more of a server.
    pub(super) fn close(&mut self, server: usize) {
        let account = &mut self.accounts[server];
        account.lost += account.open.len() as u64;
        account.open.clear();
    }

    /// How many commands were lost; at least one for each gap of which nobody can say.
    pub(super) fn lost(&self) -> u64 {
        self.accounts.iter().map(Account::dropped).sum()
    }

    pub(super) fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// Each server's part, where there are several.
    pub(super) fn shares(&self) -> Vec<Share> {
        let share = |account: &Account| {
            let node = account.name.clone()?;
            Some(Share { node, events: account.events, dropped: account.dropped() })
        };
        self.accounts.iter().filter_map(share).collect()
    }
}

impl Account {
    fn dropped(&self) -> u64 {
        self.lost + self.open.len() as u64
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
