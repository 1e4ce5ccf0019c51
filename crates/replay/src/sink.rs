//! Collects everything that is wrong: an accusation is a finding before its rule and wording are filled in,
//! and the sink stamps each with its location and coup.

use baccarat::{BetKind, Money};
use serde::{Deserialize, Serialize};

use crate::caps::Cap;
use crate::seldom::{Seldom, seldom};
use crate::statement::OfRecord;
use crate::{Cause, Code, SeatMoney, Statement};

seldom!(Vec<Accusation>, Vec<Cap>);

/// A location in the log: the entry and the sequence of an event.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Location {
    pub(crate) entry: u64,
    pub(crate) sequence: u64,
}

/// What is wrong, and where it shows first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Accusation {
    pub(crate) code: Code,
    pub(crate) expected: Statement,
    pub(crate) recorded: Statement,
    pub(crate) money: Vec<SeatMoney>,
    /// The kind of bet whose paytable is the rule that was broken.
    pub(crate) bet: Option<BetKind>,
    /// The code of the irregularity whose consequence is the rule that was broken.
    pub(crate) irregularity: Option<String>,
    /// The coup it belongs to; `None`: the sink's current coup.
    pub(crate) coup: Option<u32>,
    /// The event that shows it first; `None`: the sink's current location.
    pub(crate) location: Option<Location>,
    /// What it follows from.
    pub(crate) cause: Option<Cause>,
    /// The bets whose return its money is about, by their index in the coup: its money is a share of what the coup's account
    /// says of them.
    #[serde(default)]
    pub(crate) bets: Vec<usize>,
    /// Money that moved with them and is no share of what the account says of them: the bank's.
    #[serde(default)]
    pub(crate) beside: Vec<SeatMoney>,
}

impl Accusation {
    pub(crate) fn new(code: Code, expected: impl Into<Statement>, recorded: impl Into<Statement>) -> Self {
        let (expected, recorded) = (expected.into(), recorded.into());
        Self {
            code,
            expected,
            recorded,
            money: Vec::new(),
            bet: None,
            irregularity: None,
            coup: None,
            location: None,
            cause: None,
            bets: Vec::new(),
            beside: Vec::new(),
        }
    }

    pub(crate) fn in_coup(self, coup: u32) -> Self {
        Self { coup: Some(coup), ..self }
    }

    /// It shows at an event before the one that is judged.
    pub(crate) fn at(self, location: Location) -> Self {
        Self { location: Some(location), ..self }
    }

    pub(crate) fn about(self, bet: &BetKind) -> Self {
        Self { bet: Some(bet.clone()), ..self }
    }

    pub(crate) fn under(self, irregularity: &str) -> Self {
        Self { irregularity: Some(irregularity.to_owned()), ..self }
    }

    /// It follows from another, which shows first at this event.
    pub(crate) fn following_from(self, location: Location, code: Code) -> Self {
        let Location { entry, sequence } = location;
        Self { cause: Some(Cause { entry, sequence, code }), ..self }
    }

    /// What each seat got beyond its due; seats that got what was due are not named.
    pub(crate) fn moving(self, mut money: Vec<SeatMoney>) -> Self {
        money.retain(|money| money.minor_units != 0);
        Self { money, ..self }
    }

    /// The same; the money is about the return of these bets.
    pub(crate) fn moving_for_bets(self, bets: Vec<usize>, money: Vec<SeatMoney>) -> Self {
        Self { bets, ..self.moving(money) }
    }
}

/// Takes accusations, each with the event and the coup at which it is made.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Sink {
    /// Location of findings on the event that is judged: the event itself, or its correction.
    location: Location,
    /// The event's own sequence, corrected or not.
    sequence: u64,
    coup: Option<u32>,
    /// When the event that is judged happened by its own time, in microseconds since 1970.
    #[serde(default)]
    time: i64,
    held: Seldom<Vec<Accusation>>,
    /// What there is more of than the judge keeps.
    #[serde(default)]
    beyond: Seldom<Vec<Cap>>,
}

impl Sink {
    /// There is more of something than the judge keeps: what is forgotten is not judged.
    pub(crate) fn forget(&mut self, cap: Cap) {
        self.beyond.push(cap);
    }

    /// What was forgotten since this was asked last.
    pub(crate) fn take_forgotten(&mut self) -> Vec<Cap> {
        self.beyond.begin_anew()
    }

    /// The next event is judged.
    pub(crate) fn go_to(&mut self, location: Location) {
        (self.location, self.sequence, self.coup) = (location, location.sequence, None);
    }

    /// What is judged from here on belongs to this coup.
    pub(crate) fn enter(&mut self, coup: Option<u32>) {
        self.coup = coup;
    }

    pub(crate) const fn location(&self) -> Location {
        self.location
    }

    pub(crate) fn accuse(&mut self, accusation: Accusation) {
        let coup = accusation.coup.or(self.coup);
        let location = accusation.location.or(Some(self.location));
        self.held.push(Accusation { coup, location, ..accusation });
    }

    pub(crate) fn accuse_all(&mut self, accusations: impl IntoIterator<Item = Accusation>) {
        accusations.into_iter().for_each(|accusation| self.accuse(accusation));
    }

    /// Everything put in so far.
    pub(crate) fn take(&mut self) -> Vec<Accusation> {
        self.held.begin_anew()
    }
}

/// What a seat got beyond what was due.
pub(crate) fn seat_money(seat: u8, got: Money, due: Money) -> SeatMoney {
    SeatMoney::exactly(seat, clamp(got.over(due)))
}

/// A difference as a signed integer; sums of recorded amounts always fit.
pub(crate) fn clamp(difference: i128) -> i64 {
    i64::try_from(difference).unwrap_or(if difference < 0 { i64::MIN } else { i64::MAX })
}

/// More of something is recorded than is kept of it.
pub(crate) fn more_than_kept(cap: Cap) -> Accusation {
    let expected = OfRecord::KeptAtMost { most: cap.most() as u64, what: cap };
    Accusation::new(Code::MoreThanKept, expected, OfRecord::MoreThanKept)
}
