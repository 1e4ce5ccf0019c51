//! Which shoe is in play: it has to be loaded before play, and to end before another is loaded or the table closes
//! (`docs/judging.md`, "Identity").

use std::collections::BTreeMap;
use std::sync::Arc;

use events::{Body, Name, ShoeLoaded};
use serde::{Deserialize, Serialize};

use super::Checked;
use super::before::Before;
use super::doubt::Open;
use super::moments::{Moment, What};
use crate::Code;
use crate::caps::Cap;
use crate::identity::{First, Reused};
use crate::looks::characters;
use crate::reading::{Reading, Told};
use crate::shoe::{cards, check_depth};
use crate::sink::Accusation;
use crate::statement::{All, Decks, OfBets, OfPeople, OfShoe};

/// The shoe in play.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct InPlay {
    /// Its place in the reading; `None`: nothing of it is in the reading.
    #[serde(skip)]
    at: Option<usize>,
    id: Name,
    ended: bool,
}

/// Which shoe is in play, and which were.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Loadings {
    shoe: Option<InPlay>,
    /// The place in the reading of a shoe in play whose loading was lost.
    #[serde(skip)]
    not_loaded: Option<usize>,
    /// Sequence of the last loading; 0: none is recorded.
    last_loaded: u64,
    /// The rulebook of a shoe that is kept while the table is closed.
    overnight: Option<Arc<str>>,
    /// Whether play without a shoe is reported already.
    is_missing_reported: bool,
    /// Whether it is reported that the last shoe had no end.
    is_end_reported: bool,
    /// Whether events are missing in which a shoe may have been loaded, or have ended.
    is_missed: bool,
    reused: Reused,
    /// By the place of a shoe: the sequence from which on it is not in play.
    #[serde(skip)]
    pub(super) over: BTreeMap<usize, u64>,
    /// The same for a shoe that has no events in the reading.
    #[serde(skip)]
    pub(super) before_over: Option<u64>,
}

impl Loadings {
    /// Before a range; `at`: the place in it of the shoe in play.
    pub(super) fn begin_range(&mut self, at: Option<usize>) {
        self.over.clear();
        (self.before_over, self.not_loaded) = (None, None);
        self.shoe.iter_mut().for_each(|shoe| shoe.at = at);
    }

    /// Whether another shoe is in play than before the range, or none.
    pub(super) fn has_changed(&self) -> bool {
        self.shoe.as_ref().is_none_or(|shoe| shoe.at.is_some())
    }

    /// Sequence of the last loading; 0: none is recorded.
    pub(super) const fn last_loaded(&self) -> u64 {
        self.last_loaded
    }

    /// The id of the shoe in play.
    pub(super) fn in_play(&self) -> Option<&Name> {
        self.shoe.as_ref().map(|shoe| &shoe.id)
    }

    /// Whether a shoe is in play.
    pub(super) const fn is_in_play(&self) -> bool {
        self.shoe.is_some()
    }

    /// Checks a moment.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else needs a shoe or ends one")]
    pub(super) fn check<'r, 'a: 'r>(
        &mut self,
        moment: &Moment<'r, 'a>,
        reading: &Reading<'_>,
        before: &Before<'r>,
        checked: &mut Checked,
    ) {
        let at = moment.sequence;
        match moment.what {
            What::Loaded(loaded) => self.load(moment.shoe, loaded, before, checked),
            What::LoadingLost => {
                self.leave(at, checked);
                (self.overnight, self.is_end_reported, self.not_loaded) = (None, false, moment.shoe);
            }
            What::Around(told) => self.around(told, before, checked),
            What::Burned(_) if self.is_ahead(moment, reading) => self.burn_ahead(at, checked),
            What::Burned(_) | What::Began(_) | What::Cut(_) | What::Settled(_) => {
                self.require_shoe(at, checked);
            }
            What::Card(_) => {
                self.is_missed &= self.shoe.is_none();
                self.require_shoe(at, checked);
            }
            What::Ended(_) => match &mut self.shoe {
                Some(shoe) => shoe.ended = true,
                None if std::mem::take(&mut self.is_end_reported) => {}
                None => self.require_shoe(at, checked),
            },
            What::Missing(hole) => self.is_missed |= !before.gaps.beside_play(&hole).1,
            _ => {}
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else ends a shoe")]
    fn around(&mut self, told: &Told<'_, Body>, before: &Before<'_>, checked: &mut Checked) {
        match told.value {
            Body::TableClosed(_) => {
                if self.stays(before) {
                    self.overnight = before.opened.map(|opened| opened.rulebook.shared());
                } else {
                    self.leave(told.sequence, checked);
                }
            }
            Body::TableOpened(opened) => {
                // It goes on under the rulebook that it was played by alone.
                let kept = self.overnight.take();
                if kept.is_some_and(|kept| *kept != *opened.rulebook.as_str()) {
                    self.leave(told.sequence, checked);
                }
            }
            _ => {}
        }
    }

    /// Whether the shoe in play stays in play while the table is closed.
    pub(super) fn stays(&self, before: &Before<'_>) -> bool {
        let kept = before.rules().is_some_and(|tables| tables.rules().shoe.overnight);
        self.overnight.is_some() || kept && self.shoe.as_ref().is_some_and(|shoe| !shoe.ended)
    }

    /// The shoe in play is over.
    fn leave(&mut self, at: u64, checked: &mut Checked) {
        self.is_end_reported = false;
        self.over.extend(self.not_loaded.take().map(|place| (place, at)));
        if let Some(shoe) = self.shoe.take() {
            match shoe.at {
                Some(place) => drop(self.over.insert(place, at)),
                None => self.before_over = Some(at),
            }
            if !shoe.ended && !self.is_missed {
                let expected = OfShoe::End { shoe: shoe.id.as_str().into() };
                checked.accuse(at, Accusation::new(Code::ShoeNotEnded, expected, OfShoe::EndNotRecorded));
                self.is_end_reported = true;
            }
        }
        (self.is_missing_reported, self.is_missed) = (false, false);
    }

    /// Says once that there is play without a shoe.
    fn require_shoe(&mut self, at: u64, checked: &mut Checked) {
        let is_missing = self.shoe.is_none() && !self.is_missed;
        if is_missing && !std::mem::replace(&mut self.is_missing_reported, true) {
            let (expected, recorded) = (OfShoe::LoadedFirst, OfShoe::NotLoaded);
            checked.accuse(at, Accusation::new(Code::ShoeMissing, expected, recorded));
        }
    }

    /// Whether cards are burned before their shoe is loaded.
    fn is_ahead(&self, moment: &Moment<'_, '_>, reading: &Reading<'_>) -> bool {
        let shoe = moment.shoe.and_then(|shoe| reading.shoes.get(shoe));
        let loading = shoe.and_then(|shoe| shoe.loading);
        loading.is_some_and(|loading| moment.sequence < loading.sequence)
    }

    /// The burn of a shoe is recorded before its loading: in no shoe, or in the one before.
    fn burn_ahead(&mut self, at: u64, checked: &mut Checked) {
        if self.shoe.is_none() {
            return self.require_shoe(at, checked);
        }
        checked.accuse(at, Accusation::new(Code::BurnRepeated, OfShoe::BurnOnce, OfShoe::BurnAgain));
    }

    fn load(
        &mut self,
        shoe: Option<usize>,
        loading: &Told<'_, ShoeLoaded>,
        before: &Before<'_>,
        checked: &mut Checked,
    ) {
        self.leave(loading.sequence, checked);
        (self.overnight, self.is_end_reported) = (None, false);
        let (loaded, at) = (loading.value, loading.corrected_by.unwrap_or(loading.sequence));
        self.shoe = Some(InPlay { at: shoe, id: loaded.shoe.clone(), ended: false });
        self.last_loaded = loading.sequence;
        self.require_unused(at, loaded, before, checked);
        let whole = u16::from(loaded.decks) * 52;
        if loaded.cards != whole {
            let (expected, recorded) = (cards(u32::from(whole)), cards(u32::from(loaded.cards)));
            checked.accuse(at, Accusation::new(Code::ShoeCount, expected, recorded));
        }
        let Some(tables) = before.rules() else { return };
        if !tables.rules().shoe.decks.contains(&loaded.decks) {
            let expected =
                OfShoe::DecksAllowed { decks: tables.rules().shoe.decks.iter().copied().collect() };
            let recorded = OfShoe::Decks { decks: Decks(loaded.decks.into()) };
            checked.accuse(at, Accusation::new(Code::ShoeDecks, expected, recorded));
        }
        if let Some(behind) = loaded.cards_behind_cut {
            checked.accuse_by(at, |sink| check_depth(u32::from(behind), tables.rules(), sink));
        }
    }

    /// A shoe and its decks come once.
    fn require_unused(&mut self, at: u64, loaded: &ShoeLoaded, before: &Before<'_>, checked: &mut Checked) {
        let Reused { shoes, decks: decks_before } = &mut self.reused;
        let shoe = shoes.insert(&loaded.shoe);
        let decks: Vec<(&Name, First)> =
            loaded.deck_serials.iter().map(|deck| (deck, decks_before.insert(deck))).collect();
        let forgotten =
            [(Cap::ShoeIds, shoes.has_forgotten()), (Cap::DeckSerials, decks_before.has_forgotten())];
        let forgotten = forgotten.into_iter().filter(|(_, is_forgotten)| *is_forgotten);
        forgotten.for_each(|(cap, _)| checked.forget(at, cap));
        if before.rules().is_none_or(|tables| tables.rules().shoe.reuse) {
            return;
        }
        if shoe == First::Again {
            let recorded = OfShoe::ShoeAgain { shoe: loaded.shoe.as_str().into() };
            checked.accuse(at, Accusation::new(Code::ShoeIdReused, OfBets::IdUnused, recorded));
        }
        let again = decks.iter().filter(|(_, first)| *first == First::Again);
        let serials: All<Box<str>> = again.map(|(deck, _)| deck.as_str().into()).collect();
        if !serials.0.is_empty() {
            let recorded = OfShoe::DecksAgain { serials };
            checked.accuse(at, Accusation::new(Code::DeckReused, OfShoe::SerialsUnused, recorded));
        }
        let all = [(&loaded.shoe, shoe)].into_iter().chain(decks);
        let alike: Vec<&Name> =
            all.filter(|(_, first)| *first == First::Alike).map(|(name, _)| name).collect();
        if !alike.is_empty() {
            checked.accuse(at, Accusation::new(Code::NameLookAlike, OfPeople::NamesApart, used(&alike)));
            checked.open = Some(Open::Alike);
        }
    }
}

/// Names that look like some that were used before.
fn used(alike: &[&Name]) -> OfShoe {
    let names = alike.iter().map(|name| name.as_str().into()).collect();
    let characters = characters(alike.iter().copied(), |c| !(' '..='~').contains(&c));
    match characters.0.is_empty() {
        true => OfShoe::UsedAlike { names },
        false => OfShoe::UsedAlikeWith { names, characters },
    }
}
