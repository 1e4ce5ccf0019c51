//! Plans, and the streams of events that they produce.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;

use baccarat::Rulebook;
use events::{Line, TableId};

use crate::forge::{Tape, forge, is_forged};
use crate::play::Play;
use crate::{Fault, Planted};

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
    /// A fault to plant after the first in the same coup or shoe, if one coup or shoe allows both.
    pub second: Option<Fault>,
    /// Whether honest play has everything that the rulebook allows: several slips, two seats, corrections,
    /// voids.
    pub varied: bool,
    /// Cards in front of the cut card, where shoes are to be short; as houses place it if `None`.
    pub cards_in_front: Option<u16>,
}

impl Plan {
    /// One honest shoe at one table.
    #[must_use]
    pub fn new(rulebook: Rulebook) -> Self {
        Self {
            rulebook: Arc::new(rulebook),
            tables: 1,
            shoes: 1,
            seed: 1,
            fault: None,
            second: None,
            varied: false,
            cards_in_front: None,
        }
    }
}

/// Where a fault is to be planted: in the first coup from here on that allows it.
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
    /// Where the second fault was planted.
    pub second: Option<Planted>,
}

/// Plays a plan. Events are made as they are taken, so that a plan may be of any size; a table whose
/// record is forged is played first.
#[must_use]
pub fn simulate(plan: &Plan) -> Simulation {
    let location = plan.fault.and_then(|fault| find_location(plan, fault));
    let mut planted =
        location.as_ref().map(|location| location.planted.clone()).unwrap_or_default().into_iter();
    let tables = (0..plan.tables).map(|number| match &location {
        Some(location) if location.table == number => match &location.forged {
            Some(lines) => Table::of(lines.clone()),
            None => Table::new(Play::new(plan, number, Some(location.target))),
        },
        Some(_) | None => Table::new(Play::new(plan, number, None)),
    });
    let lines = Box::new(Merged::new(tables.collect()));
    Simulation { lines, planted: planted.next(), second: planted.next() }
}

/// Where the faults of a plan were planted.
struct Location {
    table: u32,
    target: Target,
    planted: Vec<Planted>,
    /// The whole record, if it was forged after the play.
    forged: Option<Vec<Line>>,
}

/// Tries coups until the faults can be planted: a shoe may have none that allows them.
fn find_location(plan: &Plan, fault: Fault) -> Option<Location> {
    (0..64_u64).find_map(|attempt| {
        let dice = (plan.seed ^ attempt.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .wrapping_mul(0xd134_2543_de82_ef95)
            >> 16;
        let table = u32::try_from(dice % u64::from(plan.tables)).unwrap_or_default();
        let shoe = u32::try_from(dice / 7 % u64::from(plan.shoes)).unwrap_or_default();
        let coup = u32::try_from(dice / 77 % 30).unwrap_or_default() + 2;
        let coup = if attempt > 8 { 2 } else { coup };
        try_location(plan, table, Target { fault, shoe, coup })
    })
}

fn try_location(plan: &Plan, table: u32, target: Target) -> Option<Location> {
    let forgeries: Vec<Fault> =
        [Some(target.fault), plan.second].into_iter().flatten().filter(|fault| is_forged(*fault)).collect();
    let mut play = Play::new(plan, table, Some(target));
    let mut lines = Vec::new();
    while !(play.is_done() && forgeries.is_empty()) {
        let more = play.play_on();
        if more.is_empty() {
            break;
        }
        lines.extend(more);
    }
    let mut planted = play.is_done().then(|| play.planted().to_vec())?;
    if forgeries.is_empty() {
        return Some(Location { table, target, planted, forged: None });
    }
    let mut tape = Tape::new(Arc::clone(&plan.rulebook), lines);
    let mut marks = mark_all(&mut tape, &planted);
    for fault in forgeries {
        let (forged, mark) = forge(&mut tape, Target { fault, ..target }, &name_of(table), &planted)?;
        planted.push(forged);
        marks.push(mark);
    }
    for (planted, mark) in planted.iter_mut().zip(marks) {
        planted.sequence = tape.marked(mark);
    }
    planted.sort_by_key(|planted| planted.fault != target.fault);
    Some(Location { table, target, planted, forged: Some(tape.into_lines()) })
}

/// Marks the events that show faults planted in play, because forgeries may move them.
fn mark_all(tape: &mut Tape, planted: &[Planted]) -> Vec<usize> {
    let index = |tape: &Tape, sequence: u64| tape.lines.iter().position(|line| line.sequence == sequence);
    let indexes: Vec<usize> =
        planted.iter().map(|planted| index(tape, planted.sequence).unwrap_or_default()).collect();
    indexes.into_iter().map(|at| tape.mark(at)).collect()
}

/// Name of a table by its number.
#[allow(clippy::expect_used, reason = "the id made here is short and plain")]
pub(crate) fn name_of(table: u32) -> TableId {
    format!("PB-{:02}", table + 1).parse().expect("a table id")
}

/// One table's events, one after the other.
struct Table {
    /// What goes on, where not all has been played yet.
    play: Option<Play>,
    waiting: VecDeque<Line>,
}

impl Table {
    const fn new(play: Play) -> Self {
        Self { play: Some(play), waiting: VecDeque::new() }
    }

    fn of(lines: Vec<Line>) -> Self {
        Self { play: None, waiting: lines.into() }
    }

    /// Time of the next event.
    fn next_time(&mut self) -> Option<i64> {
        if let (true, Some(play)) = (self.waiting.is_empty(), self.play.as_mut()) {
            self.waiting.extend(play.play_on());
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
