//! Plans, and the streams of events they give.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;

use baccarat::Rulebook;
use events::{Line, Name, TableId};

use crate::Fault;
use crate::play::Play;

/// What to play.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The rules.
    pub rulebook: Arc<Rulebook>,
    /// Tables, at least 1.
    pub tables: u32,
    /// Shoes at each table, at least 1.
    pub shoes: u32,
    /// The same seed gives the same events.
    pub seed: u64,
    /// One fault to plant, which must apply to the rulebook.
    pub fault: Option<Fault>,
    /// Cards in front of the cut card, where shoes are to be short; as houses place it if `None`.
    pub cards_in_front: Option<u16>,
}

impl Plan {
    /// One honest shoe at one table.
    #[must_use]
    pub fn new(rulebook: Rulebook) -> Self {
        Self { rulebook: Arc::new(rulebook), tables: 1, shoes: 1, seed: 1, fault: None, cards_in_front: None }
    }
}

/// Where a fault was planted, and what has to be found there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planted {
    /// The fault.
    pub fault: Fault,
    /// The table.
    pub table: TableId,
    /// The shoe, where it belongs to one.
    pub shoe: Option<Name>,
    /// The coup, where it belongs to one.
    pub coup: Option<u32>,
    /// Sequence of the event that shows it first.
    pub sequence: u64,
    /// Code of the finding it must lead to.
    pub finding: &'static str,
}

/// Where a fault is to be planted: at the first place from here on that is fit for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target {
    pub(crate) fault: Fault,
    pub(crate) shoe: u32,
    pub(crate) coup: u32,
}

/// The events of a plan.
pub struct Simulation {
    /// All tables' events, by time; each table's in its own order.
    pub lines: Box<dyn Iterator<Item = Line>>,
    /// Where the fault was planted.
    pub planted: Option<Planted>,
}

/// Plays a plan. Events are made as they are taken, so that a plan may be of any size.
#[must_use]
pub fn simulate(plan: &Plan) -> Simulation {
    let target = plan.fault.and_then(|fault| find_place(plan, fault));
    let sessions = (0..plan.tables).map(|table| {
        let target = target.as_ref().filter(|(at, ..)| *at == table).map(|(_, target, _)| *target);
        Play::new(plan, table, target)
    });
    let lines = Box::new(Merged::new(sessions.map(Table::new).collect()));
    Simulation { lines, planted: target.map(|(_, _, planted)| planted) }
}

/// Tries places until the fault can be planted: a shoe may have none fit for it.
fn find_place(plan: &Plan, fault: Fault) -> Option<(u32, Target, Planted)> {
    for attempt in 0..64_u64 {
        let dice = (plan.seed ^ attempt.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .wrapping_mul(0xd134_2543_de82_ef95)
            >> 16;
        let table = u32::try_from(dice % u64::from(plan.tables)).unwrap_or_default();
        let shoe = u32::try_from(dice / 7 % u64::from(plan.shoes)).unwrap_or_default();
        let coup = u32::try_from(dice / 77 % 30).unwrap_or_default() + 2;
        let target = Target { fault, shoe, coup: if attempt > 8 { 2 } else { coup } };
        let mut session = Play::new(plan, table, Some(target));
        while session.planted().is_none() && !session.play_on().is_empty() {}
        if let Some(planted) = session.planted() {
            return Some((table, target, planted.clone()));
        }
    }
    None
}

/// One table's events, one after the other.
struct Table {
    session: Play,
    waiting: VecDeque<Line>,
}

impl Table {
    fn new(session: Play) -> Self {
        Self { session, waiting: VecDeque::new() }
    }

    /// Time of the next event.
    fn next_time(&mut self) -> Option<i64> {
        if self.waiting.is_empty() {
            self.waiting.extend(self.session.play_on());
        }
        self.waiting.front().map(|line| line.occurred_at.micros())
    }
}

/// All tables' events by time.
struct Merged {
    tables: Vec<Table>,
    order: BinaryHeap<Reverse<(i64, usize)>>,
}

impl Merged {
    fn new(mut tables: Vec<Table>) -> Self {
        let order = tables
            .iter_mut()
            .enumerate()
            .filter_map(|(at, table)| Some(Reverse((table.next_time()?, at))))
            .collect();
        Self { tables, order }
    }
}

impl Iterator for Merged {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let Reverse((_, at)) = self.order.pop()?;
        let line = self.tables[at].waiting.pop_front();
        if let Some(time) = self.tables[at].next_time() {
            self.order.push(Reverse((time, at)));
        }
        line
    }
}
