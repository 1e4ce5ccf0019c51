//! What the record says of a shoe beside its coups: how many cards it holds, which were burned, and where the cut card
//! lay. It is shown as it was recorded, and nothing of it is judged here.

use baccarat::Face;
use events::{Body, decode_payload};

use crate::Entry;

/// Most burned cards that are kept: the cards of a shoe of twelve decks.
const MOST_BURNED: usize = 624;

/// What the record says of a shoe beside its coups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShoeMarks {
    shoe: String,
    is_in_play: bool,
    /// Cards in the shoe, the cut card not counted.
    pub cards: Option<u16>,
    /// The burned cards in their order; the first is the one that was shown. Unread ones have no face.
    pub burned: Vec<Face>,
    /// Position of the card before which the cut card lay.
    pub cut_before: Option<u16>,
}

impl ShoeMarks {
    /// Nothing yet of the shoe of this name.
    #[must_use]
    pub fn new(shoe: &str) -> Self {
        Self { shoe: shoe.to_owned(), is_in_play: false, cards: None, burned: Vec::new(), cut_before: None }
    }

    /// Takes entries of the shoe's table, in their order. What cannot be read says nothing.
    pub fn read<'a>(&mut self, entries: impl IntoIterator<Item = &'a Entry<'a>>) {
        let readable = entries.into_iter().filter(|entry| !entry.withheld);
        for event in readable.filter_map(|entry| decode_payload(entry.payload).ok()).flatten() {
            self.take(event.body);
        }
    }

    fn take(&mut self, body: Body) {
        if let Body::ShoeLoaded(loaded) = &body {
            self.is_in_play = loaded.shoe.as_str() == self.shoe;
            if self.is_in_play {
                (self.cards, self.cut_before) = (Some(loaded.cards), None);
                self.burned.clear();
            }
        } else if !self.is_in_play {
            // It is about another shoe.
        } else if let Body::BurnCards(burn) = body {
            let faces = (0..usize::from(burn.burned)).map(|at| burn.faces.get(at).copied());
            let faces = faces.map(|face| face.unwrap_or(Face::Unseen));
            let left = MOST_BURNED.saturating_sub(self.burned.len());
            self.burned.extend([burn.indicator].into_iter().chain(faces).take(left));
        } else if let Body::CutCardDrawn(cut) = body {
            self.cut_before = Some(cut.position);
        }
    }
}
