//! The outcome of a coup as far as bets depend on it, and paytables prepared as look-up tables.
//!
//! Bets depend on totals, numbers of cards and pairs; two coups that agree in these pay the same. There are few
//! enough outcomes to decide a bet once for each.

use crate::{BetRule, Coup, Decision, Hand, Points, Suit, Winner};

/// What the first two cards of a hand make. Pairs are by rank: ten and jack are no pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pair {
    /// Different ranks.
    None,
    /// Same rank and suit.
    Suited,
    /// Same rank and colour, different suits.
    SameColour,
    /// Same rank, one red and one black.
    Mixed,
    /// A pair whose suits were not both read: any of the three.
    SuitsUnread,
}

impl Pair {
    const ALL: [Self; 5] = [Self::None, Self::Suited, Self::SameColour, Self::Mixed, Self::SuitsUnread];
    /// What a pair whose suits were not read may be.
    pub(crate) const READ: [Self; 3] = [Self::Suited, Self::SameColour, Self::Mixed];

    fn of(hand: &Hand) -> Self {
        let [first, second] = hand.two();
        if first.rank != second.rank {
            return Self::None;
        }
        match (first.suit, second.suit) {
            (Some(one), Some(other)) => Self::of_suits(one, other),
            (None, _) | (_, None) => Self::SuitsUnread,
        }
    }

    /// What two cards of one rank and these suits make.
    #[must_use]
    pub fn of_suits(one: Suit, other: Suit) -> Self {
        if one == other {
            Self::Suited
        } else if one.is_red() == other.is_red() {
            Self::SameColour
        } else {
            Self::Mixed
        }
    }
}

/// One hand of a finished coup, as far as bets look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct HandOutcome {
    /// 0 to 9.
    pub(crate) total: u8,
    /// Whether it has a third card.
    pub(crate) drew: bool,
    pub(crate) pair: Pair,
}

impl HandOutcome {
    /// A hand of this total that has a third card or not, and whose first two cards make this.
    #[must_use]
    pub const fn new(total: Points, drew: bool, pair: Pair) -> Self {
        Self { total: total.get(), drew, pair }
    }

    /// 0 to 9.
    #[must_use]
    pub const fn total(&self) -> u8 {
        self.total
    }

    fn of(hand: &Hand) -> Self {
        Self { total: hand.total().get(), drew: hand.third().is_some(), pair: Pair::of(hand) }
    }

    /// 2 or 3.
    #[must_use]
    pub const fn cards(self) -> u8 {
        if self.drew { 3 } else { 2 }
    }

    /// An 8 or 9 with two cards.
    #[must_use]
    pub const fn is_natural(self) -> bool {
        !self.drew && self.total >= 8
    }

    /// 0 to 19: total and number of cards.
    fn shape(self) -> usize {
        usize::from(self.total) * 2 + usize::from(self.drew)
    }
}

/// A finished coup, as far as bets look at it.
///
/// It need not come of cards: where some were not read, a coup may have come to any of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outcome {
    /// The players' hand.
    pub punto: HandOutcome,
    /// The bank's hand.
    pub banca: HandOutcome,
}

/// Shapes of two hands: total and number of cards of each.
const SHAPES: usize = 20 * 20;
/// What the first two cards of both hands make.
const PAIRS: usize = Pair::ALL.len() * Pair::ALL.len();

impl Outcome {
    /// What bets see of a coup.
    #[must_use]
    pub fn of(coup: &Coup) -> Self {
        Self { punto: HandOutcome::of(&coup.punto), banca: HandOutcome::of(&coup.banca) }
    }

    /// Whether suits that were not read leave open what a pair is.
    #[must_use]
    pub const fn has_suits_unread(&self) -> bool {
        matches!(self.punto.pair, Pair::SuitsUnread) || matches!(self.banca.pair, Pair::SuitsUnread)
    }

    /// Who won: the higher total; equal totals are a tie.
    #[must_use]
    pub fn winner(&self) -> Winner {
        match self.punto.total.cmp(&self.banca.total) {
            std::cmp::Ordering::Greater => Winner::Punto,
            std::cmp::Ordering::Less => Winner::Banca,
            std::cmp::Ordering::Equal => Winner::Tie,
        }
    }

    fn shape(&self) -> usize {
        self.punto.shape() * 20 + self.banca.shape()
    }

    fn pairs(&self) -> usize {
        self.punto.pair as usize * Pair::ALL.len() + self.banca.pair as usize
    }

    /// A number below [`Outcome::NUMBERS`] that no other outcome has.
    pub(crate) fn number(&self) -> usize {
        self.shape() * PAIRS + self.pairs()
    }

    /// How many numbers there are for outcomes.
    pub(crate) const NUMBERS: usize = SHAPES * PAIRS;

    /// The outcome with a number below [`Outcome::NUMBERS`].
    pub(crate) fn of_number(number: usize) -> Self {
        Self::numbered(number / PAIRS, number % PAIRS)
    }

    fn numbered(shape: usize, pairs: usize) -> Self {
        let hand = |shape: usize, pair: usize| HandOutcome {
            total: u8::try_from(shape / 2).unwrap_or_default(),
            drew: shape % 2 == 1,
            pair: Pair::ALL[pair],
        };
        let kinds = Pair::ALL.len();
        Self { punto: hand(shape / 20, pairs / kinds), banca: hand(shape % 20, pairs % kinds) }
    }
}

/// A bet's paytable, worked out once for everything a coup can come to: deciding it costs the same
/// whatever its conditions.
#[derive(Debug)]
pub struct Paytable {
    /// The possible decisions.
    decisions: Vec<Option<Decision>>,
    /// Index into `decisions` by shape, and by pairs where the bet looks at them.
    cells: Vec<u8>,
    /// 1, or [`PAIRS`] where the bet looks at pairs.
    width: usize,
}

impl Paytable {
    /// Works out a bet.
    #[must_use]
    pub fn new(rule: &BetRule) -> Self {
        let width = if rule.looks_at_pairs() { PAIRS } else { 1 };
        let mut table = Self { decisions: Vec::new(), cells: Vec::with_capacity(SHAPES * width), width };
        for shape in 0..SHAPES {
            for pairs in 0..width {
                let cell = table.index_of(rule.decide_outcome(&Outcome::numbered(shape, pairs)));
                table.cells.push(cell);
            }
        }
        table
    }

    /// A paytable has at most 64 rows, so the index fits a byte.
    fn index_of(&mut self, decision: Option<Decision>) -> u8 {
        let known = self.decisions.iter().position(|other| *other == decision);
        let index = known.unwrap_or_else(|| {
            self.decisions.push(decision);
            self.decisions.len() - 1
        });
        u8::try_from(index).unwrap_or(u8::MAX)
    }

    /// What [`BetRule::decide`] says of the coup.
    #[must_use]
    pub fn decide(&self, outcome: &Outcome) -> Option<Decision> {
        let pairs = if self.width == 1 { 0 } else { outcome.pairs() };
        let cell = self.cells[outcome.shape() * self.width + pairs];
        self.decisions.get(usize::from(cell)).copied().flatten()
    }
}
