//! A shuffled shoe, its cut card, and what has been seen of it.

use baccarat::{Card, Rank, Suit};

use super::dice::Dice;

/// Cards in the order they will come out.
#[derive(Debug)]
pub(crate) struct Shoe {
    pub(crate) cards: Vec<Card>,
    /// Decks as recorded.
    pub(crate) decks: u8,
    /// Cards taken.
    taken: usize,
    /// Position of the next card, as recorded.
    pub(crate) position: u16,
    /// Position of the card before which the cut card lies.
    pub(crate) cut: u16,
    pub(crate) cut_out: bool,
    seen: Vec<Card>,
}

impl Shoe {
    /// A shoe of whole decks, shuffled; `behind` cards lie behind the cut card.
    pub(crate) fn shuffled(decks: u8, recorded: u8, behind: u16, dice: &mut Dice) -> Self {
        let deck = || {
            Suit::ALL
                .into_iter()
                .flat_map(|suit| Rank::ALL.into_iter().map(move |rank| Card::new(rank, suit)))
        };
        let mut cards: Vec<Card> = (0..decks).flat_map(|_| deck()).collect();
        dice.shuffle(&mut cards);
        let cut = u16::from(decks) * 52 - behind + 1;
        Self { cards, decks: recorded, taken: 0, position: 1, cut, cut_out: false, seen: Vec::new() }
    }

    pub(crate) fn count(&self) -> u16 {
        u16::try_from(self.cards.len()).unwrap_or(u16::MAX)
    }

    /// The next card and its position, unseen so far.
    pub(crate) fn take(&mut self) -> (u16, Card) {
        let card = self.cards[self.taken];
        self.taken += 1;
        self.position += 1;
        (self.position - 1, card)
    }

    /// The next card, seen by the table.
    pub(crate) fn draw(&mut self) -> (u16, Card) {
        let (position, card) = self.take();
        self.seen.push(card);
        (position, card)
    }

    /// A card all of whose copies were seen becomes the next one; `false` where there is none.
    pub(crate) fn forge_next(&mut self) -> bool {
        let copies = |card: &Card| self.seen.iter().filter(|seen| *seen == card).count();
        let spent = self.seen.iter().find(|card| copies(card) >= usize::from(self.decks)).copied();
        if let (Some(card), true) = (spent, self.taken < self.cards.len()) {
            self.cards[self.taken] = card;
        }
        spent.is_some()
    }

    /// The cards still to come.
    pub(crate) fn ahead(&self) -> &[Card] {
        &self.cards[self.taken..]
    }

    pub(crate) fn left(&self) -> u16 {
        self.count() - (self.position - 1)
    }
}
