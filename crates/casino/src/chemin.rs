//! Simulated chemin de fer: bankers and players of several temperaments, honest or with one fault.

mod bank;
mod corrections;
mod coup;
mod rounds;
mod stakes;

use std::collections::{BTreeMap, BTreeSet};

use baccarat::CheminRules;
use events::{Body, GarajeSet, Leave, LeaveGiven, Name, PlayersPresent};

use crate::Fault;
use crate::play::Game;
use crate::session::{Session, money, name};

/// How somebody plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Temper {
    Timid,
    Steady,
    Bold,
    Reckless,
}

impl Temper {
    /// The temper of a player, which follows from the name and does not change.
    fn of(name: &Name) -> Self {
        match name.as_str().bytes().map(u64::from).sum::<u64>() % 4 {
            0 => Self::Timid,
            1 => Self::Steady,
            2 => Self::Bold,
            _ => Self::Reckless,
        }
    }

    /// Chances in a hundred of taking the bank when it is offered.
    const fn takes(self) -> u64 {
        match self {
            Self::Timid => 35,
            Self::Steady => 60,
            Self::Bold => 80,
            Self::Reckless => 90,
        }
    }

    /// Chances in a hundred of giving it up after a coup that was not lost.
    const fn gives_up(self) -> u64 {
        match self {
            Self::Timid => 40,
            Self::Steady => 15,
            Self::Bold => 6,
            Self::Reckless => 2,
        }
    }

    /// Least and most minimums put into the bank.
    const fn bank(self) -> (u64, u64) {
        match self {
            Self::Timid => (2, 8),
            Self::Steady => (10, 40),
            Self::Bold => (30, 100),
            Self::Reckless => (70, 140),
        }
    }

    /// Chances in a hundred of calling banco.
    const fn calls(self) -> u64 {
        match self {
            Self::Timid => 1,
            Self::Steady => 4,
            Self::Bold => 10,
            Self::Reckless => 18,
        }
    }
}

/// A player at a seat or behind one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Who {
    seat: u8,
    player: Name,
    stands: bool,
}

impl Who {
    /// Position in the order of priority.
    const fn rank(&self, banker: u8) -> (bool, u8) {
        (self.stands, self.seat.wrapping_sub(banker).wrapping_sub(1))
    }
}

/// Whoever has the bank.
#[derive(Debug, Clone)]
struct Banker {
    who: Who,
    bank: u64,
    garaje: u64,
    winnings: u64,
    coups: u32,
    lost: bool,
}

/// A bank that nobody has.
#[derive(Debug, Default)]
struct Free {
    /// The seat to whose right it goes first.
    from: u8,
    declined: BTreeSet<u8>,
    least: Option<u64>,
    gave_up: Option<Who>,
    excluded: Vec<Who>,
    refused: bool,
    goes_on: Option<u64>,
}

/// A table of chemin de fer.
pub(crate) struct CheminDeFer {
    session: Session,
    rules: CheminRules,
    bank: Bank,
}

/// The state of the bank at one table.
#[derive(Debug, Default)]
struct Bank {
    standers: Vec<Who>,
    banker: Option<Banker>,
    free: Free,
    refusals: BTreeMap<u8, u8>,
    newcomers: BTreeSet<u8>,
    last_seated: u8,
    bought_from: Option<u8>,
    unlimited: bool,
    free_play: bool,
    seguido: Option<Who>,
    todo_va: bool,
    /// What passed with the last bank: its banker may take the cards once.
    before: Option<(Who, u64)>,
}

impl Game for CheminDeFer {
    fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    fn open(&mut self) {
        self.session.open(6);
        self.open_bank();
    }

    fn load(&mut self) {
        self.session.load();
    }

    fn coup(&mut self) {
        self.between_coups();
        self.play_coup();
    }

    fn end_shoe(&mut self) {
        self.give_bank_back();
        self.session.end_shoe();
    }

    fn close(&mut self) {
        let seated: Vec<u8> = self.session.players.keys().copied().collect();
        for seat in seated {
            self.session.stand_up(seat);
        }
        self.session.close();
    }
}

impl CheminDeFer {
    pub(crate) fn new(session: Session, rules: CheminRules) -> Self {
        Self { session, rules, bank: Bank::default() }
    }

    fn least(&self) -> u64 {
        self.session.limits.minimum.get()
    }

    fn most_in_bank(&self) -> u64 {
        if self.bank.unlimited { u64::MAX } else { self.least() * u64::from(self.rules.bank.maximum) }
    }

    fn seated(&self, seat: u8) -> Option<Who> {
        self.session.players.get(&seat).map(|player| Who { seat, player: player.clone(), stands: false })
    }

    fn everybody(&self) -> Vec<Who> {
        let seated = self.session.players.keys().filter_map(|seat| self.seated(*seat));
        seated.chain(self.bank.standers.iter().cloned()).collect()
    }

    /// The table has opened: some players stand, and leave is given for what needs it.
    fn open_bank(&mut self) {
        let seats: Vec<u8> = self.session.players.keys().copied().collect();
        let standers = self.session.dice.below(3).max(u64::from(self.session.aims_at(Fault::TableTooSmall)));
        for number in 1..=standers {
            if let Some(&seat) = self.session.dice.pick(&seats) {
                let player = name(&format!("stander-{number}"));
                self.bank.standers.push(Who { seat, player, stands: true });
            }
        }
        let (unlimited, free) = (self.session.dice.chance(25), self.session.dice.chance(50));
        let limited = [Fault::BankTooLarge, Fault::TodoVaLimited, Fault::GarajeCorrected]
            .into_iter()
            .any(|fault| self.session.aims_at(fault));
        if unlimited && !limited && self.rules.bank.may_be_unlimited {
            self.give_leave(Leave::UnlimitedBank, "ministerio");
            self.bank.unlimited = true;
        }
        let office = self.rules.free_play.office.clone();
        if free || self.session.aims_at(Fault::LeaveByAnother) || self.session.aims_at(Fault::LeaveTooLate) {
            if self.session.aims_at(Fault::LeaveByAnother) {
                let sequence = self.give_leave(Leave::FreePlay, "croupier");
                self.session.plant(Fault::LeaveByAnother, sequence, None);
            } else if !self.session.aims_at(Fault::LeaveTooLate) {
                self.give_leave(Leave::FreePlay, &office);
                self.bank.free_play = true;
            }
        }
        self.count_players();
    }

    fn give_leave(&mut self, leave: Leave, office: &str) -> u64 {
        let (office, given_by) = (name(office), name("director-1"));
        self.session.record(Body::LeaveGiven(LeaveGiven { leave, office, given_by }))
    }

    fn count_players(&mut self) -> u64 {
        let players = u16::try_from(self.everybody().len()).unwrap_or(u16::MAX);
        self.session.record(Body::PlayersPresent(PlayersPresent { players }))
    }

    fn set_garaje(&mut self, kind: events::Garaje, amount: u64) -> u64 {
        self.session.record(Body::GarajeSet(GarajeSet { kind, amount: money(amount) }))
    }

    fn commission_on(&self, won: u64) -> u64 {
        self.session.book.commission_on(money(won)).get()
    }
}

/// The kind of bet against the bank.
#[allow(clippy::expect_used, reason = "the name is a constant")]
fn punto() -> baccarat::BetKind {
    "punto".parse().expect("a kind of bet")
}
