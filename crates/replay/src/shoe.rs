//! One shoe: how many cards it holds, which have come out, the burn, the cut card, the last coup.

mod composition;

use baccarat::{BurnMethod, Face, Rulebook};
use events::{BurnCards, CardDrawn, CutCardDrawn, Name, ShoeEnded, ShoeLoaded};
use serde::{Deserialize, Serialize};

use crate::sink::{Accusation, Sink};
use crate::{Code, Reason};
use composition::{Composition, face_code};

/// Whether cards were burned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Burn {
    NotYet,
    Done,
    /// The record says that it does not know.
    NotRecorded,
}

/// The state of a shoe.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Shoe {
    loaded: ShoeLoaded,
    /// Sequence of the event that loaded it.
    pub(crate) began: u64,
    /// Position the next card must have; `None` where events are missing.
    next_position: Option<u32>,
    seen: Composition,
    /// Faces by position, kept where the order was committed to.
    order: Vec<Face>,
    burn: Burn,
    cut: Option<u16>,
    cut_missed: bool,
    /// Coups that may still be begun, once the cut card is out.
    coups_left: Option<u32>,
    /// Number of the coup begun last; `None` where events are missing.
    last_coup: Option<u32>,
    ended: bool,
    /// Events are missing: another shoe may have been loaded meanwhile.
    doubted: bool,
    pub(crate) violated: bool,
    /// Why it is not shown to be right; the first reason stays.
    pub(crate) undecided: Option<Reason>,
}

impl Shoe {
    /// A shoe is loaded by the event of this sequence.
    pub(crate) fn load(loaded: ShoeLoaded, began: u64, rules: Option<&Rulebook>, sink: &mut Sink) -> Self {
        let whole = u16::from(loaded.decks) * 52;
        if loaded.cards != whole {
            sink.accuse(Accusation::new(
                Code::ShoeCount,
                format!("{whole} cards"),
                format!("{} cards", loaded.cards),
            ));
        }
        if let Some(rules) = rules {
            check_load(&loaded, rules, sink);
        }
        Self {
            began,
            next_position: Some(1),
            seen: Composition::new(loaded.decks),
            order: Vec::new(),
            burn: Burn::NotYet,
            cut: None,
            cut_missed: false,
            coups_left: None,
            last_coup: Some(0),
            ended: false,
            doubted: false,
            violated: false,
            undecided: None,
            loaded,
        }
    }

    pub(crate) fn id(&self) -> &Name {
        &self.loaded.shoe
    }

    /// Whether a coup was begun.
    pub(crate) fn begun(&self) -> bool {
        self.last_coup.is_none_or(|coup| coup > 0)
    }

    /// Whether no further coup may begin; where events are missing, nobody knows.
    pub(crate) const fn is_over(&self) -> bool {
        self.ended || self.doubted || self.cut_missed || matches!(self.coups_left, Some(0))
    }

    pub(crate) const fn ended(&self) -> bool {
        self.ended
    }

    /// Events are missing, perhaps even the loading of another shoe: from here on only what the
    /// events that are there show together is judged.
    pub(crate) fn doubt(&mut self, reason: Reason) {
        self.next_position = None;
        self.last_coup = None;
        self.coups_left = None;
        self.leave_open(reason);
        self.doubted = true;
        self.burn = Burn::NotRecorded;
        self.cut_missed = true;
        self.order.clear();
    }

    /// It is not shown to be right.
    pub(crate) const fn leave_open(&mut self, reason: Reason) {
        if self.undecided.is_none() {
            self.undecided = Some(reason);
        }
    }

    /// Whether events are missing since it was loaded.
    pub(crate) const fn is_doubted(&self) -> bool {
        self.doubted
    }

    /// The record says that it does not know what was burned; `false` where it says otherwise.
    pub(crate) fn burn_not_recorded(&mut self) -> bool {
        let unknown = self.burn == Burn::NotYet;
        if unknown {
            self.burn = Burn::NotRecorded;
            self.leave_open(Reason::BurnNotRecorded);
        }
        unknown
    }

    pub(crate) fn burn(&mut self, burn: &BurnCards, rules: Option<&Rulebook>, sink: &mut Sink) {
        if self.doubted {
            return self.next_position = None;
        }
        if self.burn == Burn::Done || self.last_coup.is_some_and(|coup| coup > 0) {
            sink.accuse(Accusation::new(
                Code::BurnRepeated,
                "one burn, before the first coup",
                "another burn",
            ));
        }
        self.burn = Burn::Done;
        if let Some(rules) = rules {
            self.check_burn(burn, rules, sink);
        }
        self.leave(burn.indicator, None, sink);
        for place in 0..usize::from(burn.burned) {
            self.leave(burn.faces.get(place).copied().unwrap_or(Face::Unseen), None, sink);
        }
    }

    fn check_burn(&mut self, burn: &BurnCards, rules: &Rulebook, sink: &mut Sink) {
        let due = match rules.burn.method {
            BurnMethod::Indicator { values } => match burn.indicator.card() {
                Some(card) => values[usize::from(card.rank.number()) - 1],
                None => return self.leave_open(Reason::CardUnread),
            },
            BurnMethod::Decks => self.loaded.decks,
            BurnMethod::Fixed { count } => count,
            BurnMethod::None => {
                sink.accuse(Accusation::new(Code::BurnCount, "no burn", format!("{} burned", burn.burned)));
                return;
            }
        };
        let told = u8::try_from(burn.faces.len()).unwrap_or(u8::MAX);
        if burn.burned != due {
            let expected = format!("{due} burned after {}", burn.indicator);
            sink.accuse(Accusation::new(Code::BurnCount, expected, format!("{} burned", burn.burned)));
        } else if told != 0 && told != burn.burned {
            sink.accuse(Accusation::new(Code::BurnCount, format!("{due} faces"), format!("{told} faces")));
        }
    }

    /// A coup begins with this number.
    pub(crate) fn begin_coup(&mut self, number: u32, sink: &mut Sink) {
        if let Some(last) = self.last_coup
            && number != last.saturating_add(1)
        {
            let expected = format!("coup {}", last.saturating_add(1));
            sink.accuse(
                Accusation::new(Code::CoupNumber, expected, format!("coup {number}")).in_coup(number),
            );
        }
        self.last_coup = Some(number);
        match self.coups_left {
            None => {}
            Some(0) => {
                let accusation = Accusation::new(
                    Code::CoupAfterLast,
                    "no further coup in this shoe",
                    format!("coup {number}"),
                );
                sink.accuse(accusation.in_coup(number));
            }
            Some(left) => self.coups_left = Some(left - 1),
        }
    }

    /// A card of a coup leaves the shoe.
    pub(crate) fn draw(&mut self, drawn: &CardDrawn, rules: Option<&Rulebook>, sink: &mut Sink) {
        if self.burn == Burn::NotYet && rules.is_some_and(|rules| rules.burn.method != BurnMethod::None) {
            sink.accuse(Accusation::new(Code::BurnMissing, "a burn before the first coup", "none recorded"));
            self.burn = Burn::Done;
            self.next_position = None;
        }
        if self.burn == Burn::NotRecorded && self.next_position == Some(1) {
            self.next_position = None;
        }
        self.leave(drawn.card, Some(drawn.position), sink);
        if let Some(rules) = rules {
            self.check_cut_missing(drawn.position, rules, sink);
        }
    }

    fn check_cut_missing(&mut self, position: u16, rules: &Rulebook, sink: &mut Sink) {
        let behind = self.loaded.cards_behind_cut.unwrap_or(rules.cut_card.cards_behind);
        let last_before = self.loaded.cards.saturating_sub(behind);
        if self.cut.is_none() && !self.cut_missed && position > last_before {
            self.cut_missed = true;
            let expected = format!("the cut card before position {}", u32::from(last_before) + 1);
            let recorded = format!("a card at position {position} and no cut card yet");
            sink.accuse(Accusation::new(Code::CutCardMissing, expected, recorded));
        }
    }

    /// One card leaves the shoe; where its position was recorded it has to be the next.
    fn leave(&mut self, face: Face, position: Option<u16>, sink: &mut Sink) {
        let cards = u32::from(self.loaded.cards);
        let recorded = position.map(u32::from);
        let place = recorded.or(self.next_position).unwrap_or(0);
        let expected = self.next_position.unwrap_or(place);
        let beyond = place > cards && !self.doubted;
        if recorded.is_some() && (place != expected || place == 0 || beyond) {
            let wanted = if expected > cards {
                format!("no card: the shoe held {cards}")
            } else {
                format!("position {expected}")
            };
            sink.accuse(Accusation::new(Code::ShoePosition, wanted, format!("position {place}")));
        }
        if recorded.is_some() || self.next_position.is_some() {
            self.next_position = Some(place.saturating_add(1));
        }
        if let Some((count, held)) = self.seen.add(face).filter(|_| !self.doubted) {
            let expected = format!("at most {held} of {face} in {} decks", self.loaded.decks);
            sink.accuse(Accusation::new(Code::ShoeSurplusCard, expected, format!("{face} number {count}")));
        }
        self.remember(place, face);
    }

    fn remember(&mut self, place: u32, face: Face) {
        if self.loaded.order_commitment.is_none() {
            return;
        }
        let Some(place) = usize::try_from(place).ok().and_then(|place| place.checked_sub(1)) else { return };
        if place < usize::from(self.loaded.cards) {
            if self.order.len() <= place {
                self.order.resize(place + 1, Face::Unseen);
            }
            self.order[place] = face;
        }
    }

    /// A card that was drawn had another face than was recorded.
    pub(crate) fn correct(&mut self, position: u16, taken_for: Face, face: Face) {
        self.leave_open(Reason::Corrected);
        self.seen.take_back(taken_for);
        self.seen.add(face);
        self.remember(u32::from(position), face);
    }

    /// The cut card comes out: the coup in play may end, and the rulebook says how many may follow.
    /// `first` says whether it came in place of the first card of the coup in play.
    pub(crate) fn cut(&mut self, cut: &CutCardDrawn, first: bool, rules: Option<&Rulebook>, sink: &mut Sink) {
        let position = u32::from(cut.position);
        if self.doubted {
            return;
        }
        if self.cut.is_some() {
            sink.accuse(Accusation::new(
                Code::CutCardPosition,
                "one cut card",
                format!("another at position {position}"),
            ));
            return;
        }
        self.cut = Some(cut.position);
        let counted = self
            .loaded
            .cards_behind_cut
            .map(|behind| u32::from(self.loaded.cards.saturating_sub(behind)) + 1);
        let due = counted.or(self.next_position).unwrap_or(position);
        if position != due || self.next_position.is_some_and(|next| next != position) {
            let expected = format!("before the card at position {due}");
            sink.accuse(Accusation::new(
                Code::CutCardPosition,
                expected,
                format!("before position {position}"),
            ));
        } else if let (None, Some(rules)) = (counted, rules) {
            let behind = u32::from(self.loaded.cards).saturating_sub(position.saturating_sub(1));
            check_depth(behind, rules, sink);
        }
        if let Some(rules) = rules {
            let after = rules.cut_card.last_coup.coups_after();
            let counted = u32::from(first && rules.cut_card.first_card_counts);
            self.coups_left = Some(after.saturating_sub(counted));
        }
    }

    pub(crate) fn end(&mut self, end: &ShoeEnded, sink: &mut Sink) {
        self.ended = true;
        if self.doubted {
            return;
        }
        if let Some(next) = self.next_position {
            let left = u32::from(self.loaded.cards).saturating_sub(next - 1);
            if u32::from(end.cards_left) != left && self.burn != Burn::NotRecorded {
                sink.accuse(Accusation::new(
                    Code::ShoeCardsLeft,
                    format!("{left} cards"),
                    format!("{} cards", end.cards_left),
                ));
            }
        }
        if let Some(commitment) = self.loaded.order_commitment {
            self.check_reveal(&commitment.0, end, sink);
        }
    }

    fn check_reveal(&self, commitment: &[u8; 32], end: &ShoeEnded, sink: &mut Sink) {
        let Some(reveal) = &end.reveal else {
            sink.accuse(Accusation::new(
                Code::ShoeOrderCommitment,
                "the order committed to",
                "no order revealed",
            ));
            return;
        };
        let mut bytes = reveal.nonce.0.to_vec();
        bytes.extend(reveal.order.iter().map(|face| face_code(*face)));
        if blake3::hash(&bytes).as_bytes() != commitment {
            sink.accuse(Accusation::new(
                Code::ShoeOrderCommitment,
                "an order that opens the commitment",
                "another order",
            ));
            return;
        }
        let differs = |(place, face): &(usize, &Face)| {
            **face != Face::Unseen && reveal.order.get(*place) != Some(*face)
        };
        if let Some((place, face)) = self.order.iter().enumerate().find(differs) {
            let told = reveal.order.get(place).map_or_else(|| "no card".to_owned(), ToString::to_string);
            let expected = format!("{told} at position {}", place + 1);
            sink.accuse(Accusation::new(Code::ShoeOrderCommitment, expected, format!("{face} drawn")));
        }
    }
}

fn check_load(loaded: &ShoeLoaded, rules: &Rulebook, sink: &mut Sink) {
    if !rules.shoe.decks.contains(&loaded.decks) {
        let allowed: Vec<String> = rules.shoe.decks.iter().map(ToString::to_string).collect();
        let expected = format!("{} decks", allowed.join(" or "));
        sink.accuse(Accusation::new(Code::ShoeDecks, expected, format!("{} decks", loaded.decks)));
    }
    if let Some(behind) = loaded.cards_behind_cut {
        check_depth(u32::from(behind), rules, sink);
    }
}

fn check_depth(behind: u32, rules: &Rulebook, sink: &mut Sink) {
    let least = u32::from(rules.cut_card.cards_behind);
    if behind < least {
        sink.accuse(Accusation::new(
            Code::ShoeCutDepth,
            format!("at least {least} cards behind"),
            format!("{behind} behind"),
        ));
    }
}
