//! What there is of a server while it is heard: its lines, what is asked aside there, and when it is heard no more.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::Inventory;
use crate::core::capture::monitor::Reader;
use crate::core::commands::{Command, command};
use crate::core::witness::libraries::Listed;
use crate::native::record::again::Opened;
use crate::native::record::aside::{Aside, Ask};
use crate::native::record::ledger::Moment;
use crate::native::record::paired::AsShown;
use crate::native::record::scope::{Scope, Senders, Sorter};
use crate::native::record::wait::{Late, Wait};
use crate::native::runtime::link::Sent;
use crate::native::server::recorder::Ear;
use crate::native::server::topology::View;

/// How often a cluster is asked for its nodes, and a node for a sign of life that others wait for.
const VIEW: Duration = Duration::from_secs(1);
const PING: Duration = Duration::from_millis(100);
/// After this time without any line, it is asked again for its counts whose question was not shown.
const UNSHOWN: Duration = Duration::from_secs(2);
/// So often is a question given up at the end that ran in a pause.
const PAUSES: u32 = 3;
/// After this time without a word, others may say that a node is gone.
const SILENT: Duration = Duration::from_secs(2);

/// What there is while it is heard.
pub(in crate::native::record) struct Session {
    _ear: Ear,
    pub(super) aside: Aside,
    /// What was asked and MONITOR did not show yet.
    pub(super) sent: Sent,
    pub(super) sorter: Sorter,
    pub(super) reader: Reader,
    pub(super) last_line: Instant,
    /// How far the lines are and when it last answered with its counts, by its clock.
    pub(super) line_time: u64,
    pub(super) answer_time: Option<u64>,
    last_compare: Instant,
    last_view: Instant,
    last_ping: Instant,
    /// An answer to our own INFO came, and its line did not yet.
    pub(super) line_awaited: Option<Instant>,
    /// The last line was that of our own INFO.
    pub(in crate::native::record) is_at_question: bool,
    /// Comparisons whose line and answer have both come.
    pub(super) compared: u64,
    pub(super) asked: u64,
    /// When it was asked for its cluster's nodes, where the answer is still to come.
    views: VecDeque<Moment>,
    /// What libraries of functions it has, by its own word.
    pub(in crate::native::record) inventory: Inventory,
    /// What the last line has brought of that, and of which place.
    pub(in crate::native::record) listed: Option<(u64, Vec<Listed>)>,
    /// The place of the last line.
    pub(in crate::native::record) place: u64,
    /// Its cluster as it was at the lines that are read now.
    pub(super) cluster: AsShown<View>,
    /// It is a primary no more: after one last comparison it is left.
    is_leaving: bool,
    /// It says nothing, and others say that it is no primary.
    pub(super) is_given_up: bool,
    /// How often, since the recording began to end, a question was given up that ran in a pause.
    given_up_at_end: Option<u32>,
}

impl Session {
    /// `before` is where the session before this one asked from.
    pub(super) fn new(opened: Opened, before: Option<String>) -> Self {
        let Opened { ear, aside, sent, .. } = opened;
        let own = before.into_iter().chain(aside.address.clone()).collect();
        let now = Instant::now();
        Self {
            _ear: ear,
            sorter: sorter(own, aside.address.is_some(), &sent),
            sent,
            aside,
            reader: Reader::new(),
            last_line: now,
            line_time: 0,
            answer_time: None,
            last_compare: now,
            last_view: now,
            last_ping: now,
            line_awaited: None,
            is_at_question: false,
            compared: 0,
            asked: 1,
            views: VecDeque::new(),
            inventory: Inventory::new(),
            listed: None,
            place: 0,
            cluster: AsShown::default(),
            is_leaving: false,
            is_given_up: false,
            given_up_at_end: None,
        }
    }

    /// The commands of the tool's own that the server may have run, and that nobody was shown.
    pub(super) fn unshown(&self) -> Vec<&'static str> {
        let named =
            |words: Vec<Vec<u8>>| command(&words.iter().map(Vec::as_slice).collect::<Vec<_>>()).map(Command::name);
        self.sent.left().into_iter().filter_map(named).collect()
    }

    /// A comparison is done.
    pub(in crate::native::record) fn compared(&mut self) {
        self.compared += 1;
        // All that the session before has sent was heard by now.
        if let Some(own) = &self.aside.address {
            self.sorter.only_own(own);
        }
    }

    /// It is a primary no more: says whether that is news.
    pub(in crate::native::record) fn retire(&mut self) -> bool {
        let is_news = !std::mem::replace(&mut self.is_leaving, true);
        if is_news {
            self.ask_snapshot();
        }
        is_news
    }

    /// It was a primary, and the last comparison is done.
    pub(in crate::native::record) fn has_retired(&self) -> bool {
        self.is_leaving && self.is_settled()
    }

    /// Every question is answered, and everything before the last comparison was heard.
    pub(in crate::native::record) fn is_settled(&self) -> bool {
        self.compared >= self.asked && self.aside.open == 0
    }

    /// Others say that it is no primary: where it says nothing itself, it is heard no more.
    pub(in crate::native::record) fn give_up_where_silent(&mut self) {
        self.is_given_up |= self.is_silent_for(SILENT);
    }

    /// It is asked for something, and says nothing at all for longer than this.
    fn is_silent_for(&self, time: Duration) -> bool {
        self.aside.since.is_some_and(|since| since.max(self.last_line).elapsed() > time)
    }

    /// The wait for an end begins now.
    pub(in crate::native::record) fn begin_end(&mut self) {
        self.last_line = Instant::now();
        self.given_up_at_end.get_or_insert(0);
    }

    /// A question that runs in a pause stands in no line. Where nothing else comes, only the line of another one shows that.
    pub(in crate::native::record) fn ask_again_where_unshown(&mut self) {
        let is_unshown = self.line_awaited.is_some_and(|since| since.max(self.last_line).elapsed() > UNSHOWN);
        if is_unshown && self.aside.open == 0 && self.last_compare.elapsed() > UNSHOWN {
            self.last_compare = Instant::now();
            self.ask_snapshot();
        }
    }

    pub(super) fn late(&self, patience: Duration) -> Option<Late> {
        let wait = Wait {
            silent: self.last_line.elapsed(),
            answer: self.aside.unanswered.map(|since| since.elapsed()),
            line: self.line_awaited.map(|since| since.elapsed()),
            line_time: self.line_time,
            answer_time: self.answer_time,
        };
        // One pause may hide a question; where one follows the other, no end would come.
        let is_in_pauses = self.given_up_at_end.is_some_and(|times| times >= PAUSES);
        wait.late(patience).or(is_in_pauses.then_some(Late::Unshown))
    }

    /// Why it is heard no more, where that is so.
    pub(in crate::native::record) fn is_lost(&self, patience: Duration) -> Option<&'static str> {
        match () {
            () if self.is_given_up => Some(GIVEN_UP),
            () if self.is_held_back(patience) => Some("MONITOR is held back there"),
            () if self.is_silent_for(patience) => Some("it does not answer"),
            () => None,
        }
    }

    /// It answers, and MONITOR does not show that.
    fn is_held_back(&self, patience: Duration) -> bool {
        self.line_awaited.is_some_and(|since| since.max(self.last_line).elapsed() > patience)
    }

    /// Asks what is to be asked from time to time; others may wait to hear how far it is.
    pub(in crate::native::record) fn ask_what_is_due(
        &mut self,
        compares_every: Duration,
        in_cluster: bool,
        is_awaited: bool,
        now: Moment,
    ) {
        if self.aside.open > 0 {
            return;
        }
        self.ask_again_where_unshown();
        self.ask_libraries(false);
        if self.last_compare.elapsed() >= compares_every && self.is_settled() {
            self.last_compare = Instant::now();
            self.ask_snapshot();
        }
        if in_cluster && self.last_view.elapsed() >= VIEW {
            self.last_view = Instant::now();
            self.ask_view(now);
        }
        if is_awaited && self.last_ping.elapsed() >= PING {
            self.last_ping = Instant::now();
            self.aside.ask(Ask::Ping);
        }
    }

    /// Asks for its libraries, where what they are is not known and that is due; or `at_once`.
    pub(in crate::native::record) fn ask_libraries(&mut self, at_once: bool) {
        if let Some(ask) = self.inventory.ask(at_once) {
            self.aside.ask(ask);
        }
    }

    /// Asks for its cluster's nodes.
    pub(in crate::native::record) fn ask_view(&mut self, now: Moment) {
        self.views.push_back(now);
        self.aside.ask(Ask::View);
    }

    /// An answer to that has come, if the server tells; gives when it was asked.
    pub(in crate::native::record) fn view_came(&mut self, view: Option<&View>) -> Option<Moment> {
        if let Some(view) = view {
            self.cluster.answer(view.clone());
        }
        self.views.pop_front()
    }

    /// So many comparisons will not be: their questions ran in a pause, without a line. Where none is open any more, it is asked again,
    /// for what ran since the last comparison was compared with nothing.
    pub(super) fn passed_over(&mut self, count: u64) {
        self.asked = self.asked.saturating_sub(count);
        (0..count).for_each(|_| self.sent.give_up_question());
        if let Some(times) = self.given_up_at_end.as_mut().filter(|_| count > 0) {
            *times += 1;
        }
        if count > 0 && self.asked <= self.compared {
            self.ask_snapshot();
        }
    }

    pub(super) fn ask_snapshot(&mut self) {
        // Which loads failed is only counted: what is there is told before.
        self.ask_libraries(true);
        self.asked += 1;
        self.aside.ask(Ask::Snapshot);
    }
}

pub(super) const GIVEN_UP: &str = "it says nothing, and its cluster has given it up";

fn sorter(own: Vec<String>, has_address: bool, sent: &Sent) -> Sorter {
    let own = if has_address { Senders::Addresses(own) } else { Senders::SentOrPaused(sent.clone()) };
    Sorter::new(Scope::AllBut(own))
}
