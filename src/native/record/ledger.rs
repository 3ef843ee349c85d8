//! What a recording lost, and where: told from breaks of the connections and from comparisons with each server's counts.

use std::collections::VecDeque;

use super::tally::{Finding, Turn};
use crate::core::capture::lines::{Gap, Share};
use crate::core::report::words::counted;

/// Losses so far, by server.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    gaps: Vec<Gap>,
    accounts: Vec<Account>,
    /// The time of the first line.
    first: Option<u64>,
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
    /// The questions for its counts whose lines were heard and that are still to be compared, and the last one that was.
    asked: VecDeque<Moment>,
    compared: Moment,
    /// The gap that began when it became a replica, while it is one.
    as_replica: Option<usize>,
    /// Something was heard since the last gap began.
    is_heard: bool,
}

/// A moment of a recording: the event before it, and its time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moment {
    after: u64,
    time: u64,
}

/// When something was last known that servers tell of each other. They hear of each other's changes late, so what one says is sure of a
/// while before only.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastKnown {
    before: Moment,
    last: Moment,
}

/// So long before, in microseconds: a change goes to every server of a cluster at once, or with the next exchange of its bus.
const LATE: u64 = 900_000;

impl LastKnown {
    pub(super) fn at(moment: Moment) -> Self {
        Self { before: moment, last: moment }
    }

    /// It is said again, to who asked at this moment.
    pub(super) fn see(&mut self, asked: Moment) {
        if asked.time.saturating_sub(self.last.time) >= LATE {
            *self = Self { before: self.last, last: asked };
        }
    }

    /// The last moment at which it was so.
    pub(super) fn for_sure(self) -> Moment {
        self.before
    }
}

impl Ledger {
    /// One more server.
    pub(super) fn add(&mut self, name: Option<String>) {
        self.accounts.push(Account { name, is_heard: true, ..Account::default() });
    }

    /// A line of a server was heard, at this time by its clock.
    pub(super) fn heard(&mut self, server: usize, time: u64) {
        self.first.get_or_insert(time);
        let account = &mut self.accounts[server];
        account.last_heard = time;
        if !account.is_heard {
            account.is_heard = true;
            for gap in &account.open {
                self.gaps[*gap].to.get_or_insert(time);
            }
        }
    }

    /// The line of a question for a server's counts was heard, after this event.
    pub(super) fn asked(&mut self, server: usize, after: u64) {
        let account = &mut self.accounts[server];
        account.asked.push_back(Moment { after, time: account.last_heard });
    }

    /// Takes in what became of a server's part since it was last compared; gives what there is to say of it.
    ///
    /// Of a cluster's node that is a replica, the cluster itself tells, and the one that has taken over is recorded.
    pub(super) fn turned(&mut self, server: usize, turn: Turn) -> Option<String> {
        let account = &mut self.accounts[server];
        let in_cluster = account.name.is_some();
        let why = match turn {
            Turn::IsReplica if in_cluster => return None,
            Turn::IsPrimary if account.as_replica.is_none() => return None,
            Turn::IsReplica => IS_REPLICA,
            Turn::WasReplica | Turn::IsPrimary => WAS_REPLICA,
        };
        let until = (turn != Turn::IsReplica).then_some(account.last_heard);
        if let (Some(gap), Some(_)) = (account.as_replica.take(), until) {
            self.gaps[gap].to = until;
            return Some("the server is a primary again".to_owned());
        }
        account.lost += 1;
        account.as_replica = until.is_none().then_some(self.gaps.len());
        let Moment { after, time: from } = account.compared;
        let node = account.name.clone();
        let said = format!("{}: {why}", node.as_deref().unwrap_or("the server"));
        self.gaps.push(Gap { node, after, from, to: until, lost: None, why: why.to_owned() });
        Some(said)
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

    /// Whether anything was heard of a server, or is told of it: ever, or since the moment at which it was known to be a replica.
    pub(super) fn knows(&self, server: usize, was_replica: Option<Moment>) -> bool {
        let account = &self.accounts[server];
        let counts = |time: u64| was_replica.is_none_or(|moment| time >= moment.time);
        (account.last_heard > 0 && counts(account.last_heard))
            || self.gaps.iter().any(|gap| gap.node == account.name && counts(gap.from))
    }

    /// This moment, after this event.
    pub(super) fn moment(&self, after: u64) -> Moment {
        Moment { after, time: self.last_heard() }
    }

    /// How far the lines are, by the servers' clocks.
    pub(super) fn last_heard(&self) -> u64 {
        self.accounts.iter().map(|account| account.last_heard).max().unwrap_or_default()
    }

    /// A server is heard only from now on; what it ran since that moment may have belonged to the recording.
    pub(super) fn joins(&mut self, server: usize, since: Moment, why: String) {
        let Moment { after, time } = since;
        let from = if time == 0 { self.first.unwrap_or_default() } else { time };
        self.gap(server, after, from, why);
    }

    fn gap(&mut self, server: usize, after: u64, from: u64, why: String) {
        let account = &mut self.accounts[server];
        account.open.push(self.gaps.len());
        account.is_heard = false;
        account.asked.clear();
        self.gaps.push(Gap { node: account.name.clone(), after, from, to: None, lost: None, why });
    }

    /// Commands of a server were heard that are not recorded: their lines could not be read, or were taken for something else.
    pub(super) fn missed(&mut self, server: usize, count: u64) {
        self.accounts[server].lost += count;
    }

    /// Takes in what a comparison found of a server; gives what there is to say of it.
    pub(super) fn found(&mut self, server: usize, finding: &Finding) -> Option<String> {
        let account = &mut self.accounts[server];
        let before = account.compared;
        account.compared = account.asked.pop_front().unwrap_or(before);
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
                        "{who} ran {} that the recording does not hold: {}{}",
                        counted(sum, "command"),
                        kinds(lost),
                        if open == 0 { UNBROKEN } else { "" }
                    )),
                }
            }
            Finding::Restarted(lost) => {
                let sum: u64 = lost.values().sum();
                account.lost += sum + 1;
                let more = if sum == 0 { String::new() } else { format!(", and {sum} after it: {}", kinds(lost)) };
                Some(format!("{who} was started anew: nobody knows how many commands before that were lost{more}"))
            }
            Finding::Reset => {
                account.lost += open.max(1) as u64;
                if open == 0 {
                    // Nobody can say that nothing was lost, so it is a gap even where no connection broke.
                    let (node, to) = (account.name.clone(), Some(account.last_heard));
                    let Moment { after, time: from } = before;
                    self.gaps.push(Gap { node, after, from, to, lost: None, why: RESET.to_owned() });
                }
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

    /// How many of them are those of gaps of which nobody can say yet.
    pub(super) fn open(&self) -> u64 {
        self.accounts.iter().map(|account| account.open.len() as u64).sum()
    }

    /// Each server's part, where there are several.
    pub(super) fn shares(&self) -> Vec<Share> {
        self.shares_by(Account::dropped)
    }

    /// The same without the gaps of which nobody can say yet.
    pub(super) fn settled_shares(&self) -> Vec<Share> {
        self.shares_by(|account| account.lost)
    }

    fn shares_by(&self, dropped: fn(&Account) -> u64) -> Vec<Share> {
        let share = |account: &Account| {
            let node = account.name.clone()?;
            Some(Share { node, events: account.events, dropped: dropped(account) })
        };
        self.accounts.iter().filter_map(share).collect()
    }
}

impl Account {
    fn dropped(&self) -> u64 {
        self.lost + self.open.len() as u64
    }
}

const IS_REPLICA: &str =
    "it became a replica: MONITOR shows there what its primary sends, and what clients run on that is not heard";
const WAS_REPLICA: &str =
    "it was a replica meanwhile: what another server ran then as the primary was not heard, nor that it did not";
/// Why commands may be missing where no connection broke.
const UNBROKEN: &str =
    "; no connection broke, but MONITOR does not show what the server held back in a pause (CLIENT PAUSE, a failover)";
const RESET: &str =
    "somebody reset the server's counts (CONFIG RESETSTAT), or, on a unix socket, another recorder asked for them";

/// The kinds that were lost most.
fn kinds(lost: &std::collections::BTreeMap<String, u64>) -> String {
    const SHOWN: usize = 5;
    let mut kinds: Vec<(&String, &u64)> = lost.iter().collect();
    kinds.sort_by(|a, b| b.1.cmp(a.1));
    let shown: Vec<String> = kinds.iter().take(SHOWN).map(|(name, count)| format!("{count} {name}")).collect();
    let more = if kinds.len() > SHOWN { ", …" } else { "" };
    shown.join(", ") + more
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn lost(count: u64) -> Finding {
        Finding::Lost(BTreeMap::from([("get".to_owned(), count)]))
    }

    #[test]
    fn what_servers_say_of_each_other_is_sure_of_a_while_before() {
        let at = |time: u64| Moment { after: 0, time };
        let mut known = LastKnown::at(at(0));
        // Asked again and again, it is never taken for what is so at this moment.
        for time in [400_000, 1_000_000, 1_500_000, 2_000_000, 2_000_001] {
            known.see(at(time));
            assert!(known.for_sure().time + LATE <= time.max(LATE), "{known:?} at {time}");
        }
        assert_eq!(known.for_sure().time, 1_000_000);
    }

    /// Two nodes, of which the second was not heard from event 7 on, and then again.
    fn broken() -> Ledger {
        let mut ledger = Ledger::default();
        for name in ["n:1", "n:2"] {
            ledger.add(Some(name.to_owned()));
        }
        ledger.heard(1, 50);
        ledger.breaks(1, 7, "it broke".to_owned());
        ledger.heard(0, 60);
        ledger
    }

    fn dropped(ledger: &Ledger) -> [u64; 2] {
        let shares = ledger.shares();
        [shares[0].dropped, shares[1].dropped]
    }

    #[test]
    fn a_gap_is_one_nodes_until_that_node_is_heard_and_counted() {
        let mut ledger = broken();
        assert_eq!((dropped(&ledger), ledger.gaps()[0].to), ([0, 1], None));
        assert_eq!(ledger.found(0, &lost(0)), None);
        ledger.heard(1, 70);
        ledger.heard(1, 80);
        let said = ledger.found(1, &lost(3)).expect("something was lost");
        assert!(said.starts_with("n:2 ran 3 commands"), "{said}");
        let gap = &ledger.gaps()[0];
        assert_eq!((gap.node.as_deref(), gap.from, gap.to, gap.lost), (Some("n:2"), 50, Some(70), Some(3)));
        assert_eq!((dropped(&ledger), ledger.lost()), ([0, 3], 3));
    }

    /// The recorder is behind: two questions are open before the first is compared.
    #[test]
    fn counts_that_were_reset_leave_a_gap_from_one_comparison_to_the_next() {
        let mut ledger = Ledger::default();
        ledger.add(None);
        for (after, time) in [(0, 10), (3, 20), (7, 30)] {
            ledger.heard(0, time);
            ledger.asked(0, after);
        }
        assert_eq!(ledger.found(0, &Finding::First), None);
        assert_eq!(ledger.found(0, &lost(0)), None);
        ledger.heard(0, 40);
        assert!(ledger.found(0, &Finding::Reset).is_some());
        let [gap] = ledger.gaps() else { panic!("{:?}", ledger.gaps()) };
        assert_eq!((gap.after, gap.from, gap.to, gap.lost, ledger.lost()), (3, 20, Some(40), None, 1));
    }

    #[test]
    fn a_server_is_a_replica_until_it_is_a_primary_again_however_it_became_one() {
        for turn in [Turn::WasReplica, Turn::IsPrimary] {
            let mut ledger = Ledger::default();
            ledger.add(None);
            ledger.heard(0, 10);
            assert!(ledger.turned(0, Turn::IsReplica).is_some());
            assert_eq!((ledger.gaps()[0].to, ledger.lost()), (None, 1));
            ledger.heard(0, 20);
            assert!(ledger.turned(0, turn).is_some());
            assert_eq!((ledger.gaps()[0].to, ledger.gaps().len(), ledger.lost()), (Some(20), 1, 1));
        }
        let mut ledger = Ledger::default();
        ledger.add(None);
        assert_eq!((ledger.turned(0, Turn::IsPrimary), ledger.lost()), (None, 0));
    }

    /// Others may take a node for a primary that is none any more; of one that was a replica meanwhile, that is news.
    #[test]
    fn each_reign_of_a_node_that_was_not_heard_is_news() {
        let mut ledger = broken();
        assert!(ledger.knows(1, None) && ledger.knows(1, Some(Moment { after: 7, time: 50 })));
        let replica = ledger.moment(8);
        assert!(!ledger.knows(1, Some(replica)));
        ledger.joins(1, replica, "it was not heard".to_owned());
        assert!(ledger.knows(1, Some(replica)));
        ledger.heard(0, 90);
        assert!(ledger.knows(1, None) && !ledger.knows(1, Some(ledger.moment(9))));
    }

    #[test]
    fn what_a_node_ran_before_it_was_given_up_stays_lost() {
        let mut ledger = broken();
        ledger.close(1);
        // It comes back as one that ran nothing since.
        ledger.joins(1, ledger.moment(9), "it joined".to_owned());
        assert_eq!(dropped(&ledger), [0, 2]);
        ledger.heard(1, 90);
        ledger.joined(1, true);
        assert_eq!(dropped(&ledger), [0, 1]);
        let [gave_up, joined] = ledger.gaps() else { panic!("{:?}", ledger.gaps()) };
        assert_eq!((gave_up.to, gave_up.lost), (None, None));
        assert_eq!((joined.from, joined.to, joined.lost), (60, Some(90), Some(0)));
    }

    #[test]
    fn nobody_knows_what_one_that_ran_something_lost() {
        let mut ledger = broken();
        ledger.joins(0, ledger.moment(9), "it joined".to_owned());
        ledger.joined(0, false);
        ledger.end();
        assert_eq!((dropped(&ledger), ledger.gaps()[1].lost), ([1, 1], None));
    }
}
