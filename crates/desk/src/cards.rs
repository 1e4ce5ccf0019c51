//! A card as a dealer knows it.

use askama::Template;
use baccarat::{Face, Rank, Suit};
use replay::CardView;
use texts::Texts;

/// A card, drawn.
#[derive(Debug, Clone, PartialEq, Eq, Template)]
#[template(path = "card.html")]
pub(crate) struct CardFace {
    /// `7`, `10`, `K`; `?` where it was not read.
    pub(crate) rank: String,
    /// The suit; none where it is not known.
    pub(crate) suit: Option<Suit>,
    /// Whether it is printed in red.
    pub(crate) red: bool,
    /// Whether nothing of it is known.
    pub(crate) is_unread: bool,
    /// For those who hear the page: `7 of hearts`.
    pub(crate) name: String,
    /// What it counts by the common values.
    pub(crate) points: Option<u8>,
    /// Position in the shoe, from 0.
    pub(crate) position: u16,
}

impl CardFace {
    pub(crate) fn of(view: &CardView, texts: Texts) -> Self {
        let card = view.card.parse::<Face>().ok().and_then(Face::card);
        let suit = card.and_then(|card| card.suit);
        let rank = match card {
            Some(card) if card.rank == Rank::Ten => "10".to_owned(),
            Some(card) => card.rank.to_string(),
            None => "?".to_owned(),
        };
        let name = match (card, suit) {
            (None, _) => texts.card_not_read(),
            (Some(_), Some(suit)) => texts.card_name(texts.rank_word(&rank), suit_name(texts, suit)),
            (Some(_), None) => texts.card_of_unknown_suit(texts.rank_word(&rank)),
        };
        Self {
            rank,
            suit,
            red: suit.is_some_and(Suit::is_red),
            is_unread: card.is_none(),
            name,
            points: card.map(|card| card.points().get()),
            position: view.position,
        }
    }

    /// The drawing of its suit at a place on the card; empty where the suit is not known.
    fn pip(&self, x: u8, y: u8, size: u8) -> String {
        let drawn = self.suit.map(drawing);
        let drawn = drawn.map(|drawn| {
            format!(
                r#"<svg x="{x}" y="{y}" width="{size}" height="{size}" viewBox="0 0 20 20">{drawn}</svg>"#
            )
        });
        drawn.unwrap_or_default()
    }

    /// `7♥`, for a line of text.
    pub(crate) fn short(&self) -> String {
        let symbol = match self.suit {
            Some(Suit::Spades) => "♠",
            Some(Suit::Hearts) => "♥",
            Some(Suit::Diamonds) => "♦",
            Some(Suit::Clubs) => "♣",
            None => "",
        };
        format!("{}{symbol}", self.rank)
    }
}

/// The drawing of a suit, in a square of 20 units.
const fn drawing(suit: Suit) -> &'static str {
    match suit {
        Suit::Hearts => {
            r#"<path d="M10 18C3 12 1 9 1 6a4.6 4.6 0 0 1 9-1.4A4.6 4.6 0 0 1 19 6c0 3-2 6-9 12z"/>"#
        }
        Suit::Diamonds => r#"<path d="M10 1l7 9-7 9-7-9z"/>"#,
        Suit::Spades => {
            r#"<path d="M10 1c3 4 9 7 9 11.5a4 4 0 0 1-7.5 2c0 2 1 3.5 2 4.5h-7c1-1 2-2.5 2-4.5a4 4 0 0 1-7.5-2C1 8 7 5 10 1z"/>"#
        }
        Suit::Clubs => {
            r#"<circle cx="10" cy="5.5" r="4.2"/><circle cx="5.2" cy="12" r="4.2"/><circle cx="14.8" cy="12" r="4.2"/><path d="M9 9h2c0 5 .8 8 2.5 10h-7C8.2 17 9 14 9 9z"/>"#
        }
    }
}

fn suit_name(texts: Texts, suit: Suit) -> String {
    match suit {
        Suit::Spades => texts.spades(),
        Suit::Hearts => texts.hearts(),
        Suit::Diamonds => texts.diamonds(),
        Suit::Clubs => texts.clubs(),
    }
}

#[cfg(test)]
mod tests {
    use texts::Language;

    use super::*;

    fn face(card: &str) -> CardFace {
        let card = CardView { position: 3, card: card.to_owned(), to: "punto".to_owned() };
        CardFace::of(&card, Texts::of(Language::Spanish))
    }

    #[test]
    fn a_card_has_its_name_its_colour_and_its_points() {
        let ten = face("TH");
        assert_eq!((ten.short().as_str(), ten.red, ten.points), ("10♥", true, Some(0)));
        assert_eq!(face("7C").name, "7 de tréboles");
        let unread = face("??");
        assert!(unread.is_unread && unread.suit.is_none() && unread.points.is_none(), "{unread:?}");
        assert_eq!(face("7?").short(), "7");
        assert_eq!(face("no card").name, "carta sin leer");
    }
}
