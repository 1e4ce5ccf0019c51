//! The third stage: what was played against the rules, from the records of a reading.
//!
//! Each check is a pure function of a record, the rules and what came before it. It returns what it found, and knows
//! nothing of other checks. `coup` asks those of one coup in their order and has its money; `bank_coup` does so where a player
//! has the bank, and `bank` says who that is.

mod bank;
mod bank_account;
mod bank_calls;
mod bank_coup;
mod bank_draws;
mod bank_play;
mod bank_stakes;
mod bank_sums;
mod before;
mod bets;
mod boxes;
mod cards;
mod clock;
mod corrections;
mod coup;
mod doubt;
mod facts;
mod gaps;
mod holder;
mod index;
mod lacking;
mod late;
mod left_out;
mod limits;
mod lines;
mod loading;
mod mending;
mod moments;
mod most;
mod names;
mod numbers;
mod opening;
mod order;
mod payouts;
mod paytables;
mod play;
mod positions;
mod remarks;
mod result;
mod rulings;
mod seats;
mod shoe;
mod shoe_cards;
mod signers;
mod table;
mod table_limits;
mod unruled;
mod voids;

pub use before::{Book, Books, JudgedBy};
pub use coup::{BankChecked, CoupChecked, HeldBank};
pub use doubt::Open;
pub use facts::{Facts, InForce};
pub use lines::LineChecked;
pub use paytables::Paytables;
pub(crate) use signers::signers;
pub use table::{end_of_table, range_of_table, table};

use std::collections::BTreeMap;

use baccarat::Clause;

use crate::caps::Cap;
use crate::sink::{Accusation, Location, Sink};
use crate::{Code, SeatMoney, Statement};

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Sequence of the event at which it shows, or of its correction.
    pub sequence: u64,
    /// What it is called.
    pub code: Code,
    /// The place of its shoe in the reading.
    pub shoe: Option<usize>,
    /// The coup that it belongs to, if not the one that is checked.
    pub coup: Option<u32>,
    /// What each seat got beyond what was due, by seat. Empty if no money moved, or it is not known how much.
    pub money: Vec<SeatMoney>,
    /// What was expected and what is recorded.
    pub said: Said,
    /// The clause that it breaks; `None`: the record contradicts itself.
    pub clause: Option<Clause>,
    /// Sequence and code of another finding that it follows from.
    pub follows: Option<(u64, Code)>,
    /// The bets whose return its money is about, by their places among those of the coup.
    pub bets: Vec<usize>,
}

/// What was expected and what is recorded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Said {
    /// What the rule asks for.
    pub expected: Statement,
    /// What the record says.
    pub recorded: Statement,
}

/// What is wrong at a table, and what its coups come to.
#[derive(Debug, Clone, Default)]
pub struct TableChecked {
    /// What is wrong, in the order of the record.
    pub found: Vec<Found>,
    /// By its place in the reading: the sequence from which on a shoe is not in play.
    pub over: BTreeMap<usize, u64>,
    /// The same of the shoe that was in play before the range, if nothing of it is in the reading.
    pub before_over: Option<u64>,
    /// What was marked in the commission boxes, and collected.
    pub(crate) boxes: boxes::BoxesOver,
    /// By its place in the reading: why it is not known of a shoe whether all is right.
    pub shoes: BTreeMap<usize, Open>,
    /// By the place of the shoe in the reading, and of the coup in the shoe. A coup that is not checked is not here.
    pub coups: BTreeMap<(usize, usize), CoupChecked>,
}

/// What a check finds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// What is wrong for certain.
    pub found: Vec<Found>,
    /// Why it is not known whether all is right.
    pub open: Option<Open>,
    /// What there is more of than is kept, with the sequence of the event that shows it.
    pub(crate) beyond: Vec<(u64, Cap)>,
}

impl Checked {
    /// Nothing is found, and nothing is known to be right.
    const fn open(open: Open) -> Self {
        Self { found: Vec::new(), open: Some(open), beyond: Vec::new() }
    }

    /// There is more of this than is kept.
    fn forget(&mut self, at: u64, cap: Cap) {
        self.beyond.push((at, cap));
    }

    /// What is accused at an event.
    fn accuse(&mut self, at: u64, accusation: Accusation) {
        let sequence = accusation.location.map_or(at, |location| location.sequence);
        let Accusation { code, coup, mut money, expected, recorded, bet, irregularity, cause, bets, .. } =
            accusation;
        money.retain(|of| of.minor_units != 0);
        money.sort_unstable();
        let of_irregularity = irregularity.map(Clause::Irregularity);
        let clause = bet.map(Clause::Bet).or(of_irregularity).or_else(|| code.clause());
        let follows = cause.map(|cause| (cause.sequence, cause.code));
        self.found.push(Found {
            sequence,
            code,
            shoe: None,
            coup,
            money,
            said: Said { expected, recorded },
            clause,
            follows,
            bets,
        });
    }

    /// What a check accuses at an event that has a [`Sink`] to put it in.
    fn accuse_by(&mut self, at: u64, check: impl FnOnce(&mut Sink)) {
        let mut sink = Sink::default();
        sink.go_to(Location { entry: 0, sequence: at });
        check(&mut sink);
        sink.take().into_iter().for_each(|accusation| self.accuse(at, accusation));
        sink.take_forgotten().into_iter().for_each(|cap| self.forget(at, cap));
    }

    /// What another check found as well.
    fn and(&mut self, other: Self) {
        if !other.found.is_empty() {
            self.found.extend(other.found);
        }
        if !other.beyond.is_empty() {
            self.beyond.extend(other.beyond);
        }
        self.open = self.open.or(other.open);
    }
}
