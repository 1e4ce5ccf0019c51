//! One shoe: its burn, the positions and the composition of its cards, its cut card, its end, its order
//! (`docs/judging.md`, "The cut card", "Other causes", "Replaced cards", "Identity").
//!
//! Its cards are checked in the order of the record, as they were recorded: what the reading understands of them is no
//! evidence of where they lay.

use std::collections::{BTreeMap, BTreeSet};

use baccarat::{BurnMethod, Face, Rulebook};
use events::{Body, BurnCards, CardDrawn, CutCardDrawn, Destination, ShoeEnded, ShoeLoaded};
use serde::{Deserialize, Serialize};

use super::Checked;
use super::before::Before;
use super::doubt::Open;
use super::gaps::Gap;
use super::positions::Positions;
use super::shoe_cards::ShoeCards;
use crate::Code;
use crate::reading::{BURN_CORRECTED, BURN_NOT_RECORDED, Explanation, Lost, Misread, ShoeRecord, Told};
use crate::shoe::composition::{Composition, Surplus, holds_exactly};
use crate::shoe::replaced::Replaced;
use crate::shoe::{
    MOST_BURNED, burned, cards, check_depth, least_events_before, opens, reads_otherwise, surplus_card,
};
use crate::sink::Accusation;
use crate::statement::{AnyOf, Burned, Decks, Faces, OfShoe};

/// Something that happened in a shoe.
enum What<'r> {
    Burned(&'r BurnCards),
    /// The same burn was recorded again.
    BurnedAgain,
    /// A card, with its coup as the reading has it.
    Card(u32, &'r CardDrawn),
    /// A card of a coup that is over, at a position that another card had: no card left the shoe.
    Stray(&'r CardDrawn),
    /// The cut card.
    Cut(&'r CutCardDrawn),
    Ended(&'r ShoeEnded),
    Ruled(&'r Body),
    /// A coup of this number begins; whether one of it was settled before.
    Began(u32, bool),
    /// Events are missing.
    Missing(Gap),
}

/// Something that happened, with the sequence at which it stands and the one at which a finding on it is located.
type Happened<'r> = (u64, u64, What<'r>);

/// Checks a shoe, up to where it is over. Without rules only what holds under any is checked. `out`: what came out of it before
/// this part of its record.
pub(super) fn shoe(
    (of, loaded): (&ShoeCards<'_, '_>, &ShoeLoaded),
    out: &mut CameOut,
    until: u64,
    rules: Option<&Rulebook>,
    before: &Before<'_>,
) -> Checked {
    let mut shoe = Shoe::goes_on(out, loaded, rules, of);
    if !of.shoe.missing.is_empty() {
        shoe.leave_open(Open::Missing);
    }
    for (sequence, at, what) in happened(of.shoe, before) {
        if sequence < until {
            shoe.take(sequence, at, &what);
        }
    }
    shoe.out.has_begun |= !of.shoe.coups.is_empty();
    shoe.checked
}

/// Everything that happened in a shoe, in the order of the record.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else of a shoe is checked again")]
fn happened<'r>(shoe: &'r ShoeRecord<'_>, before: &Before<'r>) -> Vec<Happened<'r>> {
    fn at<T>(told: &Told<'_, T>) -> (u64, u64) {
        (told.sequence, told.corrected_by.unwrap_or(told.sequence))
    }
    // A coup has six cards at most, and begins.
    let mut all: Vec<Happened<'r>> = Vec::with_capacity(8 * shoe.coups.len());
    let mut add = |(sequence, at): (u64, u64), what: What<'r>| all.push((sequence, at, what));
    shoe.burns.iter().for_each(|told| add(at(told), What::Burned(told.value)));
    shoe.cuts.iter().for_each(|told| add(at(told), What::Cut(told.value)));
    shoe.ends.iter().for_each(|told| add(at(told), What::Ended(told.value)));
    shoe.rulings.iter().for_each(|told| add(at(told), What::Ruled(told.value)));
    for hole in &shoe.missing {
        let gap = before.gaps.at(hole.first);
        gap.into_iter().for_each(|gap| add((hole.first, hole.first), What::Missing(*gap)));
    }
    let mut settled: BTreeSet<u32> = BTreeSet::new();
    for coup in &shoe.coups {
        // It matters only where events are missing.
        let again = !shoe.missing.is_empty() && settled.contains(&coup.number);
        settled.extend((!shoe.missing.is_empty() && !coup.settlements.is_empty()).then_some(coup.number));
        add((coup.began, coup.began), What::Began(coup.number, again));
        coup.rulings.iter().for_each(|told| add(at(told), What::Ruled(told.value)));
        for card in &coup.cards {
            let Some(sequence) = card.sequence else { continue };
            if let Some(Body::CardDrawn(drawn)) = before.said(sequence, card.corrected_by) {
                let at = (sequence, card.corrected_by.unwrap_or(sequence));
                add(at, What::Card(coup.number, drawn));
            }
        }
    }
    let remarked = shoe.remarks.iter().flat_map(|remark| remark.alternatives.iter().flatten());
    let doubled: BTreeSet<u64> = remarked.filter_map(doubled).collect();
    for told in &shoe.again {
        match told.value {
            Body::BurnCards(_) => add(at(told), What::BurnedAgain),
            Body::CardDrawn(drawn) if !doubled.contains(&told.sequence) => add(at(told), What::Stray(drawn)),
            Body::CardDrawn(drawn) => add(at(told), What::Card(drawn.coup, drawn)),
            Body::CutCardDrawn(cut) => add(at(told), What::Cut(cut)),
            Body::ShoeEnded(end) => add(at(told), What::Ended(end)),
            _ => {}
        }
    }
    all.sort_by_key(|(sequence, ..)| *sequence);
    all
}

/// Whether cards were burned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Burn {
    NotYet,
    Done,
    /// The record says that it does not know.
    NotRecorded,
}

/// How many cards were burned.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Burning {
    burn: Burn,
    /// A ruling says that more are burned than were.
    may_go_on: bool,
    /// How many were burned, and how many had to be, if that is known.
    burned: (u32, Option<u32>),
    /// That too few were, until no more are, and where that shows.
    too_few: Option<(u64, Accusation)>,
}

/// What came out of a shoe so far.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CameOut {
    positions: Positions,
    seen: Composition,
    replaced: Replaced,
    /// Cards of which it is found that more came out than the decks hold.
    surplus: Vec<Face>,
    burning: Burning,
    /// Whether a coup began.
    has_begun: bool,
    /// Whether the cut card came out, and whether it is found that it did not.
    is_cut: bool,
    is_cut_missed: bool,
    /// The faces that were read, by position, if the order was committed to.
    order: Vec<Face>,
}

impl CameOut {
    /// Nothing came out of so many decks.
    pub(super) fn nothing(decks: u8) -> Self {
        Self {
            positions: Positions::begin(),
            seen: Composition::new(decks),
            replaced: Replaced::default(),
            surplus: Vec::new(),
            burning: Burning { burn: Burn::NotYet, may_go_on: false, burned: (0, None), too_few: None },
            has_begun: false,
            is_cut: false,
            is_cut_missed: false,
            order: Vec::new(),
        }
    }

    /// Whether its cut card came out.
    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// What is wrong if no more cards are burned.
    pub(super) fn burn_is_over(&mut self, checked: &mut Checked) {
        if let Some((at, wrong)) = self.burning.too_few.take() {
            checked.accuse(at, wrong);
        }
    }
}

/// A shoe while its record is gone through.
struct Shoe<'r> {
    loaded: &'r ShoeLoaded,
    rules: Option<&'r Rulebook>,
    record: &'r ShoeRecord<'r>,
    /// What was read in it.
    cards: &'r ShoeCards<'r, 'r>,
    out: &'r mut CameOut,
    /// By the event that shows it: the coup of a card that was lost.
    lost: BTreeMap<u64, u32>,
    /// Sequences of burns and ends whose count was misread.
    misread: BTreeSet<u64>,
    missing: Missing,
    checked: Checked,
}

/// What is missing of a shoe so far.
#[derive(Default)]
struct Missing {
    any: bool,
    /// Events since the last position that is known.
    open: u64,
    /// Events between two coups, since the last coup began.
    between: u64,
    last_coup: u32,
    /// Another shoe may have been loaded since.
    is_other: bool,
}

/// What is certain of the recording of a shoe.
fn certain<'s>(shoe: &'s ShoeRecord<'_>) -> impl Iterator<Item = &'s Explanation> + use<'s> {
    let certain = shoe.remarks.iter().filter(|remark| remark.is_certain());
    certain.flat_map(|remark| remark.alternatives.iter().flatten())
}

/// A card of a coup was lost: the event that shows it, and its coup.
fn lost_card(of: &Explanation) -> Option<(u64, u32)> {
    if let Explanation::Lost { at, coup, what: Lost::Card } = of { Some((*at, *coup)) } else { None }
}

/// An event was recorded twice.
const fn doubled(of: &Explanation) -> Option<u64> {
    if let Explanation::Doubled { at, .. } = of { Some(*at) } else { None }
}

/// How many cards were burned, or were left, was misread.
fn misread_count(of: &Explanation) -> Option<u64> {
    if let Explanation::Misread { at, what: Misread::Burned | Misread::CardsLeft, .. } = of {
        Some(*at)
    } else {
        None
    }
}

impl<'r> Shoe<'r> {
    fn goes_on(
        out: &'r mut CameOut,
        loaded: &'r ShoeLoaded,
        rules: Option<&'r Rulebook>,
        of: &'r ShoeCards<'_, '_>,
    ) -> Self {
        Self {
            loaded,
            rules,
            record: of.shoe,
            cards: of,
            out,
            lost: certain(of.shoe).filter_map(lost_card).filter(|(_, coup)| *coup > 0).collect(),
            misread: certain(of.shoe).filter_map(misread_count).collect(),
            missing: Missing::default(),
            checked: Checked::default(),
        }
    }

    fn take(&mut self, sequence: u64, at: u64, what: &What<'r>) {
        match what {
            What::Burned(burn) => self.burn(sequence, at, burn),
            What::BurnedAgain => self.burn_again(at, self.coup_at(sequence)),
            What::Card(coup, drawn) => self.draw(sequence, at, *coup, drawn),
            What::Stray(drawn) => {
                let next = self.out.positions.next().unwrap_or_default();
                let (expected, position) = (OfShoe::Position { position: next }, drawn.position.into());
                let recorded = OfShoe::Position { position };
                self.checked.accuse(at, Accusation::new(Code::ShoePosition, expected, recorded));
            }
            What::Cut(cut) => self.cut(at, cut),
            What::Ended(end) => self.end(sequence, at, end),
            What::Ruled(body) => self.rule(sequence, body),
            What::Began(number, again) => self.begin(*number, *again),
            What::Missing(gap) => self.miss(sequence, gap),
        }
    }

    /// Events are missing that may have taken cards, burned, or met the cut card.
    fn miss(&mut self, sequence: u64, gap: &Gap) {
        self.missing.any = true;
        self.missing.open = self.missing.open.saturating_add(gap.events);
        if !gap.within {
            self.missing.between = self.missing.between.saturating_add(gap.events);
        }
        // More may have been burned, by a ruling.
        let ruled = u64::from(self.out.burning.may_go_on);
        if !self.has_begun(sequence) && self.missing.open.saturating_add(ruled) >= 2 {
            self.out.burning.too_few = None;
        }
    }

    fn begin(&mut self, number: u32, again: bool) {
        let between = std::mem::take(&mut self.missing.between);
        let is_before = between > 0 && number <= self.missing.last_coup && !again;
        if between > least_events_before(number) || is_before {
            self.doubt();
        }
        self.missing.last_coup = number;
    }

    /// From here on it may be another shoe.
    fn doubt(&mut self) {
        self.missing.is_other = true;
        self.out.burning.burn = Burn::NotRecorded;
        self.out.order.clear();
        self.out.positions = Positions::begin();
        self.out.positions.doubt();
    }

    /// Most cards that may have left it in missing events: one each, and a burn at once.
    fn may_be_missing(&self) -> u32 {
        let events = u32::try_from(self.missing.open).unwrap_or(u32::MAX);
        let burned = if self.out.burning.burn == Burn::NotYet { MOST_BURNED } else { 0 };
        if events == 0 { 0 } else { events.saturating_add(burned) }
    }

    /// The next position that is known shows how many cards left the shoe in what is missing before it.
    fn close(&mut self, position: u32) {
        let most = self.may_be_missing();
        let events = std::mem::take(&mut self.missing.open);
        let hidden = self.out.positions.next().and_then(|next| position.checked_sub(next));
        if let Some(hidden) = hidden.filter(|hidden| events > 0 && *hidden <= most) {
            self.out.positions.pass(hidden);
            if hidden > 0 && self.out.burning.burn == Burn::NotYet {
                self.out.burning.burn = Burn::NotRecorded;
            }
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is ruled of a shoe")]
    fn rule(&mut self, sequence: u64, body: &Body) {
        let provides = |code: &str| self.rules.is_some_and(|rules| rules.irregularities.contains_key(code));
        match body {
            Body::IrregularityRecorded(ruled) => {
                if !provides(ruled.code.as_str()) {
                    self.out.replaced.rule_on(&ruled.positions);
                }
                let burns = self.rules.is_none_or(|rules| rules.burn.method != BurnMethod::None);
                if ruled.code.as_str() == BURN_NOT_RECORDED && burns && self.out.burning.burn == Burn::NotYet
                {
                    self.out.burning.burn = Burn::NotRecorded;
                } else if ruled.code.as_str() == BURN_CORRECTED {
                    self.out.burning.may_go_on |= !self.has_begun(sequence);
                }
            }
            Body::CardReplaced(replaced) => {
                self.out.replaced.replace(replaced.position, replaced.card);
                self.out.seen.replace(self.out.replaced.cards());
                if !provides("card-replaced") {
                    self.out.replaced.rule_on(&[replaced.position]);
                }
            }
            _ => {}
        }
    }

    /// Whether a coup began before this event.
    fn has_begun(&self, sequence: u64) -> bool {
        self.out.has_begun || self.record.coups.iter().any(|coup| coup.began < sequence)
    }

    /// The coup in play at this event.
    fn coup_at(&self, sequence: u64) -> Option<u32> {
        let is_open = |settled: Option<u64>| settled.is_none_or(|settled| sequence < settled);
        let mut coups = self.record.coups.iter();
        let in_play = coups.find(|coup| {
            coup.began < sequence && is_open(coup.settlements.first().map(|settled| settled.sequence))
        });
        in_play.map(|coup| coup.number)
    }

    fn accuse(&mut self, at: u64, coup: Option<u32>, accusation: Accusation) {
        self.checked.accuse(at, coup.into_iter().fold(accusation, Accusation::in_coup));
    }

    fn burn(&mut self, sequence: u64, at: u64, burn: &BurnCards) {
        let coup = self.coup_at(sequence);
        let has_begun = self.has_begun(sequence);
        if self.missing.any && (self.out.burning.burn != Burn::NotYet || has_begun) {
            // The loading of another shoe is among what is missing.
            return self.doubt();
        }
        self.missing.open = 0;
        let again = self.out.burning.burn == Burn::Done || has_begun;
        if again && self.out.burning.may_go_on && !has_begun {
            self.burn_more(at, coup, burn);
        } else if again {
            self.burn_again(at, coup);
        } else if let Some(rules) = self.rules {
            self.count_burn(at, burn, rules);
        }
        self.out.burning.burn = Burn::Done;
        self.come_out(at, coup, burn.indicator, None);
        for at_burn in 0..usize::from(burn.burned) {
            self.come_out(at, coup, burn.faces.get(at_burn).copied().unwrap_or(Face::Unseen), None);
        }
        if self.misread.contains(&sequence) {
            // The count is wrong, and that is found: where the next card lies is as it is recorded.
            self.out.positions.doubt();
        }
    }

    fn burn_again(&mut self, at: u64, coup: Option<u32>) {
        let repeated = Accusation::new(Code::BurnRepeated, OfShoe::BurnOnce, OfShoe::BurnAgain);
        self.accuse(at, coup, repeated);
    }

    fn count_burn(&mut self, at: u64, burn: &BurnCards, rules: &Rulebook) {
        let indicator = self.revealed(1).filter(|_| burn.indicator.card().is_none());
        let indicator = indicator.unwrap_or(burn.indicator);
        let due = match rules.burn.method {
            BurnMethod::Indicator { values } => match indicator.card() {
                Some(card) => values[usize::from(card.rank.number()) - 1],
                None => return self.count_burn_unread(at, burn, values),
            },
            BurnMethod::Decks => self.loaded.decks,
            BurnMethod::Fixed { count } => count,
            BurnMethod::None => {
                let wrong = Accusation::new(Code::BurnCount, OfShoe::NoBurn, burned(burn.burned));
                return self.accuse(at, None, wrong);
            }
        };
        self.out.burning.burned = (u32::from(burn.burned), Some(u32::from(due)));
        let shown = u8::try_from(burn.faces.len()).unwrap_or(u8::MAX);
        if burn.burned != due {
            let expected = OfShoe::BurnDue { cards: [due].into_iter().collect(), indicator };
            self.miscount(at, Accusation::new(Code::BurnCount, expected, burned(burn.burned)));
        } else if shown != 0 && shown != burn.burned {
            let faces = |faces: u8| OfShoe::BurnFaces { faces: Faces(faces.into()) };
            self.accuse(at, None, Accusation::new(Code::BurnCount, faces(due), faces(shown)));
        }
    }

    /// Nobody read the indicator: as many may have been burned as any of them asks for.
    fn count_burn_unread(&mut self, at: u64, burn: &BurnCards, values: [u8; 13]) {
        let pool = self.cards.pool();
        let mut due: Vec<u8> = pool.ranks().map(|rank| values[usize::from(rank.number()) - 1]).collect();
        due.sort_unstable();
        due.dedup();
        if !due.contains(&burn.burned) {
            let expected = OfShoe::BurnDue { cards: AnyOf(due.into()), indicator: burn.indicator };
            self.accuse(at, None, Accusation::new(Code::BurnCount, expected, burned(burn.burned)));
        } else if due.len() > 1 {
            self.leave_open(Open::CardUnread);
        }
    }

    /// Further cards are burned by a ruling, because those before were too few: they count with these.
    fn burn_more(&mut self, at: u64, coup: Option<u32>, burn: &BurnCards) {
        let (before, due) = self.out.burning.burned;
        let all = before.saturating_add(1).saturating_add(u32::from(burn.burned));
        self.out.burning.burned = (all, due);
        self.out.burning.too_few = None;
        if let Some(due) = due.filter(|due| *due != all) {
            let expected = OfShoe::BurnDueInAll { cards: Burned(due) };
            let wrong = Accusation::new(Code::BurnCount, expected, OfShoe::Burned { cards: Burned(all) });
            self.miscount(at, coup.into_iter().fold(wrong, Accusation::in_coup));
        }
    }

    /// The count is wrong. If it is too small, a ruling may still have more burned.
    fn miscount(&mut self, at: u64, wrong: Accusation) {
        let (burned, due) = self.out.burning.burned;
        if due.is_some_and(|due| burned < due) {
            self.out.burning.too_few = Some((at, wrong));
        } else {
            self.checked.accuse(at, wrong);
        }
    }

    fn draw(&mut self, sequence: u64, at: u64, coup: u32, drawn: &CardDrawn) {
        self.out.burn_is_over(&mut self.checked);
        self.close(drawn.position.into());
        let rules = self.rules;
        if self.out.burning.burn == Burn::NotYet
            && rules.is_some_and(|rules| rules.burn.method != BurnMethod::None)
        {
            if !self.missing.any {
                let missing = Accusation::new(Code::BurnMissing, OfShoe::BurnFirst, OfShoe::BurnNotRecorded);
                self.accuse(sequence, Some(coup), missing);
            }
            self.out.burning.burn = Burn::Done;
            self.out.positions.doubt();
        }
        if self.out.burning.burn == Burn::NotRecorded && self.out.positions.next() == Some(1) {
            self.out.positions.doubt();
        }
        self.come_out(at, Some(coup), drawn.card, Some(drawn.position));
        if drawn.to == Destination::Removed {
            // The card itself is one of the decks'.
            self.out.replaced.remove(drawn.position, drawn.card);
            self.out.seen.replace(self.out.replaced.cards());
        }
        if self.out.burning.burn == Burn::NotYet {
            self.out.burning.burn = Burn::Done;
        }
        if let Some(rules) = rules {
            self.miss_cut(at, coup, drawn.position, rules);
        }
    }

    /// One card leaves the shoe.
    fn come_out(&mut self, at: u64, coup: Option<u32>, face: Face, position: Option<u16>) {
        let place = position.map(u32::from).or(self.out.positions.next()).unwrap_or(0);
        if position.is_none() {
            self.out.positions.pass(1);
        } else if let Some(expected) = self.out.positions.leave(place, self.last_place()) {
            let coup = self.lost_before(at).or(coup);
            let recorded = OfShoe::Position { position: place };
            self.accuse(at, coup, Accusation::new(Code::ShoePosition, expected, recorded));
        }
        if let Some(surplus) = self.out.seen.add(face).filter(|surplus| self.is_own(surplus)) {
            if surplus.count <= surplus.held.saturating_add(self.out.replaced.perhaps(surplus.of)) {
                self.leave_open(Open::Ruled);
            } else {
                self.out.surplus.push(surplus.of);
                self.accuse(at, coup, surplus_card(&surplus, self.loaded.decks));
            }
        }
        self.remember(place, face);
    }

    /// Whether it is a card of this shoe of which it is not found yet that too many came out.
    fn is_own(&self, surplus: &Surplus) -> bool {
        !self.missing.is_other && !self.out.surplus.contains(&surplus.of)
    }

    /// The coup of the card whose loss shows in the position of another, or in the settlement before that.
    fn lost_before(&mut self, at: u64) -> Option<u32> {
        let mut coup = None;
        while let Some(lost) = self.lost.first_entry().filter(|lost| *lost.key() <= at) {
            coup = Some(lost.remove());
        }
        coup
    }

    fn remember(&mut self, position: u32, face: Face) {
        let within = self.loaded.order_commitment.is_some() && (1..=self.most_held()).contains(&position);
        let Some(at) = usize::try_from(position).ok().filter(|_| within) else { return };
        if self.out.order.len() < at {
            self.out.order.resize(at, Face::Unseen);
        }
        self.out.order[at - 1] = face;
    }

    /// How many cards it held: as recorded, and 52 for each deck. Either may be right.
    fn held(&self) -> [u32; 2] {
        [u32::from(self.loaded.cards), u32::from(self.loaded.decks) * 52]
    }

    fn most_held(&self) -> u32 {
        let [recorded, by_decks] = self.held();
        recorded.max(by_decks).saturating_add(self.out.seen.replacements())
    }

    /// The last place that a card may have.
    fn last_place(&self) -> u32 {
        if self.missing.is_other { u32::MAX } else { self.most_held() }
    }

    /// The same number, and with each card that went into the shoe for another: where such a card lay is not recorded.
    fn with_replacements(&self, number: u32) -> impl Iterator<Item = u32> + use<> {
        number..=number.saturating_add(self.out.seen.replacements())
    }

    /// A card comes out behind the place of the cut card.
    fn miss_cut(&mut self, at: u64, coup: u32, position: u16, rules: &Rulebook) {
        let behind = self.loaded.cards_behind_cut.unwrap_or(rules.cut_card.cards_behind);
        let last_before = self.most_held().saturating_sub(u32::from(behind));
        let next = self.out.positions.next().unwrap_or_else(|| u32::from(position).saturating_add(1));
        let first = self.out.positions.counts(next).min().unwrap_or(next).saturating_sub(1);
        let may_be_cut = self.out.is_cut || self.missing.any;
        if !may_be_cut && first > last_before && !std::mem::replace(&mut self.out.is_cut_missed, true) {
            let expected = OfShoe::CutCardDue { position: last_before + 1 };
            let recorded = OfShoe::CutCardNotYet { position };
            self.accuse(at, Some(coup), Accusation::new(Code::CutCardMissing, expected, recorded));
        }
    }

    /// The cut card comes out. If the loading of another shoe may be missing, what is wrong as this shoe's cut card is that
    /// shoe's.
    fn cut(&mut self, at: u64, cut: &CutCardDrawn) {
        if self.missing.is_other {
            return;
        }
        if self.missing.between < 2 {
            return self.cut_of_this(at, cut);
        }
        let (out, found) = (self.out.clone(), self.checked.found.len());
        self.cut_of_this(at, cut);
        if self.checked.found.len() > found {
            self.checked.found.truncate(found);
            *self.out = out;
        }
    }

    /// It comes out once, where it was placed, and not too deep in the shoe.
    fn cut_of_this(&mut self, at: u64, cut: &CutCardDrawn) {
        let position = u32::from(cut.position);
        let before = (self.missing.open > 0)
            .then(|| (self.out.positions.clone(), self.out.burning.burn, self.missing.open));
        self.close(position);
        if std::mem::replace(&mut self.out.is_cut, true) {
            let recorded = OfShoe::CutCardAgain { position };
            return self
                .checked
                .accuse(at, Accusation::new(Code::CutCardPosition, OfShoe::OneCutCard, recorded));
        }
        let behind = self.loaded.cards_behind_cut.map(u32::from);
        let counted = behind.map(|behind| self.held().map(|held| held.saturating_sub(behind) + 1));
        let due = counted.map(|[recorded, _]| recorded).or(self.out.positions.next()).unwrap_or(position);
        let stands = |next: u32| self.out.positions.counts(next).any(|count| count == position);
        let is_placed = counted.is_none_or(|counted| {
            let mut due = counted.into_iter().flat_map(|at| self.with_replacements(at));
            due.any(|due| self.out.positions.counts(position).any(|count| count == due))
        });
        if !is_placed || self.out.positions.next().is_some_and(|next| !stands(next)) {
            let (expected, recorded) =
                (OfShoe::BeforeCard { position: due }, OfShoe::BeforePosition { position });
            self.checked.accuse(at, Accusation::new(Code::CutCardPosition, expected, recorded));
            // A wrong position does not show how many cards left the shoe in what is missing before it.
            if let Some((positions, burn, open)) = before {
                (self.out.positions, self.out.burning.burn, self.missing.open) = (positions, burn, open);
            }
        } else if let (None, Some(rules)) = (counted, self.rules) {
            let drawn = self.out.positions.counts(position).map(|at| at.saturating_sub(1)).min();
            let behind = self.most_held().saturating_sub(drawn.unwrap_or_default());
            self.checked.accuse_by(at, |sink| check_depth(behind, rules, sink));
        }
    }

    fn end(&mut self, sequence: u64, at: u64, end: &ShoeEnded) {
        self.out.burn_is_over(&mut self.checked);
        let again = self.record.ends.first().is_some_and(|first| first.sequence < sequence);
        if self.missing.is_other {
            return;
        }
        let (held, left_recorded) = (self.held(), u32::from(end.cards_left));
        if held[0] == held[1] && self.out.positions.are_right() && self.out.seen.replacements() == 0 {
            self.close(held[0].saturating_sub(left_recorded).saturating_add(1));
        }
        let most = self.may_be_missing();
        let is_other = self.missing.between >= 2;
        let next = self.out.positions.next().map(|next| next.saturating_add(self.out_too_late(sequence)));
        if let Some(next) = next {
            let [recorded, _] = self.held();
            let left = recorded.saturating_sub(next - 1);
            let of = |next: u32| self.held().map(|held| held.saturating_sub(next.saturating_sub(1)));
            let mut counted = self.out.positions.counts(next).flat_map(of);
            let is = |left: u32| left.checked_sub(left_recorded).is_some_and(|missing| missing <= most);
            let fits = counted.any(|left| self.with_replacements(left).any(is));
            if !fits && !is_other && self.out.burning.burn != Burn::NotRecorded {
                let wrong = cards(left_recorded);
                self.checked.accuse(at, Accusation::new(Code::ShoeCardsLeft, cards(left), wrong));
            }
        }
        if !again {
            self.reveal(at, end);
        }
    }

    /// How many cards are recorded after an end whose count was misread, and are read before it.
    fn out_too_late(&self, end: u64) -> u32 {
        if !self.misread.contains(&end) {
            return 0;
        }
        let begun = self.record.coups.iter().filter(|coup| coup.began < end);
        let behind =
            begun.flat_map(|coup| &coup.cards).filter(|card| card.sequence.is_some_and(|at| at > end));
        u32::try_from(behind.count()).unwrap_or(u32::MAX)
    }

    /// The card that lies at a position by the order that was committed to, if its end reveals it.
    fn revealed(&self, position: usize) -> Option<Face> {
        let reveal = self.record.ends.first()?.value.reveal.as_ref()?;
        let is_its_own = opens(&self.loaded.order_commitment.as_ref()?.0, reveal);
        let whole = is_its_own && holds_exactly(&reveal.order, self.loaded.decks);
        reveal.order.get(position.checked_sub(1)?).copied().filter(|_| whole)
    }

    /// The order that is revealed opens the commitment, is one of the decks, and is that in which the cards came out.
    fn reveal(&mut self, at: u64, end: &ShoeEnded) {
        let Some(commitment) = &self.loaded.order_commitment else { return };
        let decks = self.loaded.decks;
        let wrong = match &end.reveal {
            None => Some((OfShoe::OrderCommitted, OfShoe::OrderNotRevealed)),
            Some(reveal) if !opens(&commitment.0, reveal) => Some((OfShoe::OrderOpening, OfShoe::OrderOther)),
            Some(reveal) if !holds_exactly(&reveal.order, decks) => {
                Some((OfShoe::OrderOfDecks { decks: Decks(decks.into()) }, OfShoe::OrderOfOthers))
            }
            // Where its cards lay is not known, and that is found already.
            Some(_) if !self.out.positions.are_right() => None,
            Some(reveal) => self.other_card(&reveal.order),
        };
        match wrong {
            Some((OfShoe::CardAt { .. } | OfShoe::NoCardAt { .. }, _))
                if self.out.seen.replacements() > 0 =>
            {
                // The card of another deck lies somewhere in the order.
                self.leave_open(Open::Ruled);
            }
            Some((expected, recorded)) => {
                self.checked.accuse(at, Accusation::new(Code::ShoeOrderCommitment, expected, recorded));
            }
            None => {}
        }
    }

    /// The first card that came out as another than the order has it.
    fn other_card(&self, order: &[Face]) -> Option<(OfShoe, OfShoe)> {
        let is = |at: usize| order.get(at).copied().unwrap_or(Face::Unseen);
        let (at, card) =
            self.out.order.iter().enumerate().find(|(at, read)| reads_otherwise(**read, is(*at)))?;
        let position = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let expected = match order.get(at) {
            Some(&card) => OfShoe::CardAt { card, position },
            None => OfShoe::NoCardAt { position },
        };
        Some((expected, OfShoe::CardDrawn { card: *card }))
    }

    fn leave_open(&mut self, open: Open) {
        self.checked.open = self.checked.open.or(Some(open));
    }
}
