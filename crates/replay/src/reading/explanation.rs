//! The closed list of what may explain a record that play alone does not explain, with its costs.
//!
//! `docs/judging.md` ("Reading") has the same table; a test compares them. Every cost is an integer. A departure from the
//! rules of play explains a record too: a croupier may have dealt wrongly and recorded it rightly.

use baccarat::Side;

/// An event that was not recorded, though the numbering has no gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lost {
    /// A shoe's loading.
    Loading,
    /// Its burn.
    Burn,
    /// Its end.
    End,
    /// A bet with this id.
    Bet(u64),
    /// The withdrawal of this bet.
    Withdrawal(u64),
    /// "No va más".
    Close,
    /// A card.
    Card,
    /// A coup's settlement.
    Settlement,
}

/// A value that was recorded wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Misread {
    /// A card's position in the shoe.
    Position,
    /// The hand that a card went to.
    Hand,
    /// A card: of this hand, counted from 0.
    Face(Side, u8),
    /// How many cards were burned.
    Burned,
    /// The id of a bet in a settlement.
    Bet(u64),
    /// An announced total.
    Total(Side),
    /// The announced winner.
    Winner,
    /// Where the cut card lay.
    CutCard,
    /// How many cards were left at the end.
    CardsLeft,
}

/// Something that was played, or left undone, against the rules, and recorded as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Departure {
    /// A card was dealt that was not due.
    Drew,
    /// A card was due and was not dealt.
    Stood,
    /// A coup was settled before each hand had two cards.
    Short,
    /// A card was dealt before the bets were closed.
    NotClosed,
    /// A bet was placed, or taken back, after that.
    BetLate,
    /// A bet has the id of another one.
    IdReused,
    /// A bet was taken back that was not placed.
    NotPlaced(u64),
    /// A settlement has a line for a bet that was not placed.
    LineWithoutBet(u64),
    /// A settlement has no line for a bet.
    BetWithoutLine(u64),
    /// A void coup's stakes were not returned.
    NoRefund,
    /// What happens once happened again.
    Again,
    /// A coup has another number than the next.
    Number,
    /// A card left the shoe at another position than the next.
    Position,
    /// Other cards were burned than had to be.
    Burn,
    /// No cards were burned.
    NoBurn,
    /// Something was played without a shoe, or after its end.
    NoShoe,
    /// A shoe was loaded before the last one ended.
    NotEnded,
}

/// One thing that explains a part of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Explanation {
    /// An event was not recorded.
    Lost {
        /// Sequence of the event that shows it.
        at: u64,
        /// Its coup; 0: of none.
        coup: u32,
        /// What it was.
        what: Lost,
    },
    /// An event was recorded twice.
    Doubled {
        /// Sequence of the second recording.
        at: u64,
        /// Its coup; 0: of none.
        coup: u32,
        /// Whether it is a settlement.
        settlement: bool,
    },
    /// An event was recorded too early or too late.
    Moved {
        /// Its sequence.
        at: u64,
        /// Its coup; 0: of none.
        coup: u32,
    },
    /// An event carries the number of another coup than its own.
    Mislabelled {
        /// Its sequence.
        at: u64,
        /// Its own coup.
        coup: u32,
    },
    /// An event says something wrong.
    Misread {
        /// Its sequence; of a card, the event that shows it.
        at: u64,
        /// Its coup; 0: of none.
        coup: u32,
        /// What is wrong.
        what: Misread,
    },
    /// The record is right, and play was not.
    Departed {
        /// Sequence of the event.
        at: u64,
        /// Its coup; 0: of none.
        coup: u32,
        /// How.
        how: Departure,
    },
}

impl Explanation {
    /// Sequence of the event at which it shows.
    #[must_use]
    pub const fn at(&self) -> u64 {
        match self {
            Self::Lost { at, .. }
            | Self::Doubled { at, .. }
            | Self::Moved { at, .. }
            | Self::Mislabelled { at, .. }
            | Self::Misread { at, .. }
            | Self::Departed { at, .. } => *at,
        }
    }

    /// The coup that it concerns; 0: none.
    #[must_use]
    pub const fn coup(&self) -> u32 {
        match self {
            Self::Lost { coup, .. }
            | Self::Doubled { coup, .. }
            | Self::Moved { coup, .. }
            | Self::Mislabelled { coup, .. }
            | Self::Misread { coup, .. }
            | Self::Departed { coup, .. } => *coup,
        }
    }

    /// Whether the recording is wrong.
    #[must_use]
    pub const fn is_slip(&self) -> bool {
        !matches!(self, Self::Departed { .. })
    }

    /// What it costs.
    #[must_use]
    pub const fn cost(&self) -> u32 {
        match self {
            Self::Lost { what, .. } => match what {
                Lost::Close => 2,
                Lost::Burn | Lost::End | Lost::Bet(_) | Lost::Withdrawal(_) => 3,
                Lost::Loading | Lost::Settlement => 4,
                Lost::Card => 5,
            },
            Self::Doubled { settlement: false, .. } | Self::Mislabelled { .. } => 2,
            Self::Doubled { settlement: true, .. } | Self::Moved { .. } => 3,
            Self::Misread { what, .. } => match what {
                Misread::Total(_) => 1,
                Misread::Position
                | Misread::Bet(_)
                | Misread::Winner
                | Misread::CutCard
                | Misread::CardsLeft => 2,
                Misread::Hand | Misread::Burned => 3,
                Misread::Face(..) => 6,
            },
            Self::Departed { how, .. } => match how {
                Departure::NotClosed | Departure::BetLate | Departure::Burn => 2,
                Departure::Drew
                | Departure::Stood
                | Departure::Short
                | Departure::IdReused
                | Departure::NotPlaced(_)
                | Departure::LineWithoutBet(_)
                | Departure::BetWithoutLine(_)
                | Departure::NoRefund
                | Departure::Again
                | Departure::Number
                | Departure::NoBurn
                | Departure::NoShoe
                | Departure::NotEnded => 3,
                Departure::Position => 4,
            },
        }
    }
}

/// What several explanations cost together.
pub(super) fn cost(explanations: &[Explanation]) -> u32 {
    explanations.iter().map(Explanation::cost).sum()
}
