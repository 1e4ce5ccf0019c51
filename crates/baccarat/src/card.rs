//! Cards as a table sees them: a rank, a suit when it was read, or nothing at all.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A card's index. The discriminant is its number: ace 1, jack 11, queen 12, king 13.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Rank {
    Ace = 1,
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
}

impl Rank {
    /// All thirteen ranks, ace first.
    pub const ALL: [Self; 13] = [
        Self::Ace,
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
    ];

    /// Number of the rank, 1 (ace) to 13 (king).
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The rank with this number, `None` outside 1 to 13.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// What the card counts in the game: ace 1, two to nine their index, ten and faces 0
    /// (Orden of 9 October 1979, 07.VI.1).
    #[must_use]
    pub const fn points(self) -> Points {
        let number = self.number();
        Points(if number >= 10 { 0 } else { number })
    }

    const fn letter(self) -> char {
        match self {
            Self::Ace => 'A',
            Self::Two => '2',
            Self::Three => '3',
            Self::Four => '4',
            Self::Five => '5',
            Self::Six => '6',
            Self::Seven => '7',
            Self::Eight => '8',
            Self::Nine => '9',
            Self::Ten => 'T',
            Self::Jack => 'J',
            Self::Queen => 'Q',
            Self::King => 'K',
        }
    }

    fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|rank| rank.letter() == letter)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A point count: the unit digit of a sum of card points, 0 to 9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Points(u8);

impl Points {
    /// The highest, which wins.
    pub const NINE: Self = Self(9);

    /// A point count, `None` above nine.
    #[must_use]
    pub const fn new(points: u8) -> Option<Self> {
        if points <= 9 { Some(Self(points)) } else { None }
    }

    /// The number, 0 to 9.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Sum with the tens dropped.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self((self.0 + other.0) % 10)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A suit of the French deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// All four suits.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// Hearts and diamonds are red.
    #[must_use]
    pub const fn is_red(self) -> bool {
        matches!(self, Self::Diamonds | Self::Hearts)
    }

    const fn letter(self) -> char {
        match self {
            Self::Clubs => 'C',
            Self::Diamonds => 'D',
            Self::Hearts => 'H',
            Self::Spades => 'S',
        }
    }
}

/// A card whose rank is known; its suit may not have been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card {
    /// The index.
    pub rank: Rank,
    /// The suit, `None` where nobody read it.
    pub suit: Option<Suit>,
}

impl Card {
    /// A fully known card.
    #[must_use]
    pub const fn new(rank: Rank, suit: Suit) -> Self {
        Self { rank, suit: Some(suit) }
    }

    /// What the card counts.
    #[must_use]
    pub const fn points(self) -> Points {
        self.rank.points()
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank.letter(), self.suit.map_or('?', Suit::letter))
    }
}

/// What a table recorded of a card: seen, or face down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Face {
    /// The card was read, spelled `7H`, or `7?` where the suit was not.
    Seen(Card),
    /// The card was not read, spelled `??`.
    Unseen,
}

impl Face {
    /// The card, if it was read.
    #[must_use]
    pub const fn card(self) -> Option<Card> {
        match self {
            Self::Seen(card) => Some(card),
            Self::Unseen => None,
        }
    }
}

impl From<Card> for Face {
    fn from(card: Card) -> Self {
        Self::Seen(card)
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seen(card) => card.fmt(f),
            Self::Unseen => f.write_str("??"),
        }
    }
}

/// A text that is not a card.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a card: expected a rank A 2 3 4 5 6 7 8 9 T J Q K and a suit C D H S, \
     for example `7H`; `7?` where the suit is not known, `??` where nothing is"
)]
pub struct CardError(String);

impl FromStr for Face {
    type Err = CardError;

    fn from_str(text: &str) -> Result<Self, CardError> {
        let wrong = || CardError(text.chars().take(20).collect());
        if text == "??" {
            return Ok(Self::Unseen);
        }
        let mut letters = text.chars();
        let (Some(rank), Some(suit), None) = (letters.next(), letters.next(), letters.next()) else {
            return Err(wrong());
        };
        let rank = Rank::from_letter(rank).ok_or_else(wrong)?;
        if suit == '?' {
            return Ok(Self::Seen(Card { rank, suit: None }));
        }
        let suit = Suit::ALL.into_iter().find(|s| s.letter() == suit).ok_or_else(wrong)?;
        Ok(Self::Seen(Card::new(rank, suit)))
    }
}

impl FromStr for Card {
    type Err = CardError;

    fn from_str(text: &str) -> Result<Self, CardError> {
        text.parse::<Face>()?.card().ok_or_else(|| CardError(text.to_owned()))
    }
}

impl Serialize for Face {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Face {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::money::parsed_text(deserializer, "a card such as \"7H\", \"7?\" or \"??\"")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_face_reads_back_as_written() {
        for rank in Rank::ALL {
            for suit in Suit::ALL.into_iter().map(Some).chain([None]) {
                let face = Face::Seen(Card { rank, suit });
                assert_eq!(face.to_string().parse::<Face>().unwrap(), face);
            }
        }
        assert_eq!("??".parse::<Face>().unwrap(), Face::Unseen);
    }

    #[test]
    fn what_is_no_card_is_refused() {
        for text in ["", "7", "1H", "10H", "7h", "7HH", "?H", "⑦H", "7X"] {
            let error = text.parse::<Face>().unwrap_err().to_string();
            assert!(error.contains("is not a card"), "{text}: {error}");
        }
    }

    #[test]
    fn points_are_ace_one_index_and_nought_for_ten_and_faces() {
        let points: Vec<u8> = Rank::ALL.iter().map(|rank| rank.points().get()).collect();
        assert_eq!(points, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]);
    }
}
