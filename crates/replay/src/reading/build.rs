//! Puts attributed events into records.

use std::collections::{BTreeMap, BTreeSet};

use baccarat::{Face, Side};
use events::{BetWithdrawn, Body, CardDrawn, Destination, Garaje};

use super::attribute::{AtWord, Attributed, Step};
use super::irregular::ReadAs;
use super::range::{Hole, TableFacts};
use super::record::{AbonoRecord, BetRecord, CardRecord, CoupRecord, Reading, ShoeRecord, Told};
use super::remark::{Consequence, Remark};
use super::search::Placed;
use super::state::is_at_bank;
use super::tape::{Entry, Part, Tape};
use crate::shoe::composition::holds_exactly;
use crate::shoe::{opens, reads_otherwise};

/// Most holes next to which a coup may lie that are told apart; older ones are put together.
const MOST_HOLES: usize = 64;

#[derive(Default)]
struct Records<'a> {
    reading: Reading<'a>,
    /// Holes next to which events are taken at their word.
    holes: Vec<Hole>,
    /// By its number: the last coup of the shoe in play.
    last: BTreeMap<u32, usize>,
    /// By the number of such a coup, once one of its bets is taken back: those that stand.
    standing: BTreeMap<u32, BTreeSet<Stake>>,
}

/// A bet or an abono of a coup: its id, whether it is an abono, and its place among those.
type Stake = (u64, bool, usize);

/// The records of a range.
pub(super) fn records<'a>(tape: &Tape<'a>, attributed: Attributed) -> Reading<'a> {
    let mut records = Records::default();
    for step in &attributed.steps {
        match step {
            Step::Hole(hole, coup) => records.pass(*hole, *coup),
            Step::Event(placed, at_word) => {
                if let Some(Part::Event(entry)) = tape.parts.get(placed.at) {
                    records.event(entry, placed, *at_word);
                }
            }
        }
    }
    let mut reading = Reading { misfit: attributed.misfit, work: attributed.work, ..records.reading };
    reading.shoes.iter_mut().for_each(rule);
    reading.shoes.iter_mut().for_each(reveal);
    attach(&mut reading.shoes, attributed.remarks);
    if attributed.state.leaves_nothing_open() {
        reading.after = Some(TableFacts { opened: tape.opened, shoe: attributed.state.facts() });
    }
    reading
}

/// A ruling on a coup that began early, before the coup in play was settled, is one of that coup.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is ruled of a coup that may wait")]
fn rule(shoe: &mut ShoeRecord<'_>) {
    let named = |body: &Body| match body {
        Body::IrregularityRecorded(ruled) => ruled.coup,
        Body::CardReplaced(replaced) => replaced.coup,
        _ => None,
    };
    if shoe.rulings.iter().all(|told| named(told.value).is_none()) {
        return;
    }
    let (places, mut ruled) = (places(&shoe.coups), BTreeSet::new());
    let coups = &mut shoe.coups;
    shoe.rulings.retain(|told| {
        let of_number = named(told.value).and_then(|number| places.get(&number));
        let began = of_number.map_or(0, |of| of.partition_point(|at| coups[*at].began < told.sequence));
        let of = began.checked_sub(1).and_then(|last| of_number?.get(last)).copied();
        let settled = of.and_then(|of| coups[of].settlements.first());
        let of = of.filter(|_| settled.is_none_or(|settled| settled.sequence >= told.sequence));
        if let Some(of) = of {
            coups[of].rulings.push(*told);
            ruled.insert(of);
        }
        of.is_none()
    });
    for of in ruled {
        coups[of].rulings.sort_by_key(|told| told.sequence);
    }
}

/// By its sequence: the place of the coup that an event is of.
fn events_of(coups: &[CoupRecord<'_>]) -> BTreeMap<u64, usize> {
    let of_coup = |(at, coup): (usize, &CoupRecord<'_>)| {
        let bets = coup.bets.iter().flat_map(|bet| [Some(bet.placed.sequence), bet.withdrawn]);
        let abonos = coup.chemin.abonos.iter().flat_map(|of| [Some(of.placed.sequence), of.withdrawn]);
        let cards = coup.cards.iter().map(|card| card.sequence);
        let closes = coup.closes.iter().map(|told| told.sequence);
        let holders = coup.holders.iter().map(|told| told.sequence);
        let settlements = coup.settlements.iter().map(|told| told.sequence);
        let calls = coup.chemin.calls.iter().map(|told| told.sequence);
        let decisions = coup.chemin.decisions.iter().map(|told| told.sequence);
        let accounts = coup.chemin.accounts.iter().map(|told| told.sequence);
        let told = closes.chain(holders).chain(settlements).chain(calls).chain(decisions).chain(accounts);
        let all: Vec<(u64, usize)> =
            bets.chain(abonos).chain(cards).flatten().chain(told).map(|sequence| (sequence, at)).collect();
        all
    };
    coups.iter().enumerate().flat_map(of_coup).collect()
}

/// The places of coups by their numbers.
fn places(coups: &[CoupRecord<'_>]) -> BTreeMap<u32, Vec<usize>> {
    let mut places: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, coup) in coups.iter().enumerate() {
        places.entry(coup.number).or_default().push(at);
    }
    places
}

/// Reads cards that were not read, if the order of the shoe was committed to and its end reveals it (`docs/judging.md`, "Unread
/// cards"): no card that was read is another, every card lies where it was recorded, and none was replaced.
fn reveal(shoe: &mut ShoeRecord<'_>) {
    let Some(order) = order(shoe) else { return };
    for card in shoe.coups.iter_mut().flat_map(|coup| &mut coup.cards) {
        let is = usize::from(card.position).checked_sub(1).and_then(|at| order.get(at)).copied();
        let is_whole = card.face.card().is_some_and(|card| card.suit.is_some());
        card.face = is.filter(|_| !is_whole).unwrap_or(card.face);
    }
}

/// The order in which a shoe was dealt, if it is known.
fn order<'a>(shoe: &ShoeRecord<'a>) -> Option<&'a [Face]> {
    let (loaded, revealed) = (shoe.loading?.value, shoe.ends.first()?.value.reveal.as_ref()?);
    let replaced = |body: &Body| matches!(body, Body::CardReplaced(_));
    let mut rulings = shoe.rulings.iter().chain(shoe.coups.iter().flat_map(|coup| &coup.rulings));
    let cards = || shoe.coups.iter().flat_map(|coup| &coup.cards);
    let burned: usize = shoe.burns.iter().map(|burn| 1 + usize::from(burn.value.burned)).sum();
    let in_place = |(card, at): (&CardRecord, usize)| usize::from(card.position) == at;
    let fits = |at: usize, face: Face| revealed.order.get(at).is_some_and(|is| !reads_otherwise(face, *is));
    let burn = shoe.burns.first().into_iter().flat_map(|burn| {
        std::iter::once(burn.value.indicator).chain(burn.value.faces.iter().copied()).enumerate()
    });
    let is_known = shoe.missing.is_empty()
        && shoe.burns.len() <= 1
        && !rulings.any(|told| replaced(told.value))
        && cards().zip(burned + 1..).all(in_place)
        && cards().zip(burned..).all(|(card, at)| fits(at, card.face))
        && burn.into_iter().all(|(at, face)| fits(at, face))
        && opens(&loaded.order_commitment.as_ref()?.0, revealed)
        && holds_exactly(&revealed.order, loaded.decks);
    is_known.then_some(&revealed.order)
}

/// Puts each remark into the shoe in which it shows, and its consequence into the coups that it concerns.
fn attach(shoes: &mut Vec<ShoeRecord<'_>>, mut remarks: Vec<Remark>) {
    // Of one stretch what is open comes last, also if it lies in a shoe before.
    remarks.sort_by_key(|remark| remark.at);
    if let (true, Some(first)) = (shoes.is_empty(), remarks.first()) {
        shoes.push(ShoeRecord::new(first.at));
    }
    if remarks.is_empty() {
        return;
    }
    let mut remarks = remarks.into_iter().peekable();
    for at in 0..shoes.len() {
        let next = shoes.get(at + 1).map(|shoe| shoe.began);
        let shoe = &mut shoes[at];
        let (places, mut events) = (places(&shoe.coups), None);
        while let Some(remark) = remarks.next_if(|remark| next.is_none_or(|next| remark.at < next)) {
            let follows = Consequence::of(&remark);
            let mut concerned: BTreeSet<usize> = BTreeSet::new();
            for one in remark.alternatives.iter().flatten() {
                let (at, number) = (one.at(), one.coup());
                let of_number = places.get(&number).map_or(&[][..], Vec::as_slice);
                let began = of_number.partition_point(|of| shoe.coups[*of].began <= at);
                let mut of = of_number.get(began.saturating_sub(1)).copied();
                if of_number.len() > 1 {
                    // It concerns the one that its event is of.
                    let events = events.get_or_insert_with(|| events_of(&shoe.coups));
                    let own = events.get(&at).filter(|of| shoe.coups[**of].number == number);
                    of = own.copied().or(of);
                }
                concerned.extend(of);
            }
            concerned.into_iter().for_each(|of| shoe.coups[of].follows.push(follows));
            shoe.remarks.push(remark);
        }
    }
}

impl<'a> Records<'a> {
    /// The shoe in play; one without loading if none was loaded in the range.
    fn shoe(&mut self, sequence: u64) -> &mut ShoeRecord<'a> {
        if self.reading.shoes.is_empty() {
            self.reading.shoes.push(ShoeRecord::new(sequence));
        }
        let last = self.reading.shoes.len() - 1;
        &mut self.reading.shoes[last]
    }

    /// The last coup of this number in the shoe in play.
    fn coup(&mut self, number: u32) -> Option<&mut CoupRecord<'a>> {
        let at = self.at(number)?;
        self.reading.shoes.last_mut()?.coups.get_mut(at)
    }

    /// Its place in the shoe.
    fn at(&self, number: u32) -> Option<usize> {
        // Mostly it is the one that began last.
        match self.reading.shoes.last()?.coups.split_last() {
            Some((last, others)) if last.number == number => Some(others.len()),
            Some(_) | None => self.last.get(&number).copied(),
        }
    }

    fn pass(&mut self, hole: Hole, coup: Option<u32>) {
        self.shoe(hole.first).missing.push(hole);
        if let Some(coup) = coup.and_then(|number| self.coup(number)) {
            coup.missing.push(hole);
        }
        self.holes.push(hole);
        if self.holes.len() > MOST_HOLES {
            let oldest = self.holes.remove(0);
            self.holes[0] = Hole { events: oldest.events.saturating_add(self.holes[0].events), ..oldest };
        }
    }

    fn event(&mut self, entry: &Entry<'a>, placed: &Placed, at_word: AtWord) {
        if at_word == AtWord::No {
            self.holes.clear();
        }
        if placed.dropped {
            return self.shoe(entry.sequence).again.push(entry.told(entry.body));
        }
        if let Body::ShoeLoaded(loaded) = entry.body {
            let mut shoe = ShoeRecord::new(entry.sequence);
            shoe.loading = Some(entry.told(loaded));
            self.reading.shoes.push(shoe);
            (self.last, self.standing) = (BTreeMap::new(), BTreeMap::new());
            return;
        }
        if placed.loads {
            let mut shoe = ShoeRecord::new(entry.sequence);
            shoe.is_loading_lost = true;
            self.reading.shoes.push(shoe);
            (self.last, self.standing) = (BTreeMap::new(), BTreeMap::new());
        }
        if placed.coup == 0 || is_around(entry) || self.is_of_no_coup(placed.coup, entry) {
            // A card may be lost before an event that is not of its coup: before the cut card.
            if let Some(coup) = self.coup(placed.coup) {
                lose(coup, &placed.reads);
            }
            return self.of_no_coup(entry);
        }
        let mut at = self.at(placed.coup);
        let names = || is_of_play(entry.body) || matches!(entry.body, Body::CoupSettled(_));
        if placed.begins || at.is_none() && names() {
            let coups = &mut self.shoe(entry.sequence).coups;
            coups.push(CoupRecord::new(placed.coup, entry.sequence));
            let last = coups.len() - 1;
            self.last.insert(placed.coup, last);
            self.standing.remove(&placed.coup);
            at = Some(last);
        }
        let coups = self.reading.shoes.last_mut().map(|shoe| &mut shoe.coups);
        let Some(coup) = coups.zip(at).and_then(|(coups, at)| coups.get_mut(at)) else {
            return self.of_no_coup(entry);
        };
        coup.unexplained |= at_word == AtWord::Unexplained;
        if coup.settlements.is_empty() || is_of_play(entry.body) {
            let known = coup.missing.last().map(|hole| hole.first);
            let further = self.holes.iter().filter(|hole| known.is_none_or(|known| known < hole.first));
            coup.missing.extend(further);
        }
        if let Body::BetWithdrawn(withdrawn) = entry.body {
            self.take_back(placed.coup, entry.told(withdrawn));
        } else {
            take(coup, entry, &placed.reads);
            self.note_stake(placed.coup, entry.body);
        }
    }

    /// Whether part of a bank is set aside before anything is recorded of a coup: it lies between that and the coup before. So it is
    /// with a bank that a player took after a hole: then the coup before the hole has ended.
    fn is_of_no_coup(&self, coup: u32, entry: &Entry<'_>) -> bool {
        if !matches!(entry.body, Body::GarajeSet(set) if set.kind != Garaje::Compulsory) {
            return false;
        }
        let coups = self.reading.shoes.last().map(|shoe| &shoe.coups);
        let coup = coups.zip(self.last.get(&coup)).and_then(|(coups, at)| coups.get(*at));
        if coup.is_some_and(|coup| coup.began > entry.sequence) {
            return true;
        }
        let Some(hole) = self.holes.last() else { return false };
        let is_before = coup.is_some_and(|coup| coup.began < hole.first);
        let mut around = self.reading.around.iter().rev().take_while(|told| told.sequence > hole.first);
        is_before && around.any(|told| matches!(told.value, Body::BankTaken(_)))
    }

    /// A bet of the coup in play is taken back; or one of the next coup, if it was placed early.
    fn take_back(&mut self, in_play: u32, told: Told<'a, BetWithdrawn>) {
        let coups = [in_play, in_play.saturating_add(1)];
        let stake = coups.into_iter().find_map(|of| Some((of, self.take_standing(of, told.value.bet)?)));
        let Some(coup) = self.coup(stake.map_or(in_play, |(of, _)| of)) else { return };
        match stake {
            Some((_, (_, false, at))) => coup.bets[at].withdrawn = Some(told.sequence),
            Some((_, (_, true, at))) => coup.chemin.abonos[at].withdrawn = Some(told.sequence),
            None => coup.withdrawals.push(told),
        }
    }

    /// Removes the first bet with this id from those of a coup that were not taken back.
    fn take_standing(&mut self, coup: u32, bet: u64) -> Option<Stake> {
        if !self.standing.contains_key(&coup) {
            let standing = stakes(self.coup(coup)?);
            self.standing.insert(coup, standing);
        }
        let standing = self.standing.get_mut(&coup)?;
        let stake = *standing.range((bet, false, 0)..).next().filter(|(id, ..)| *id == bet)?;
        standing.take(&stake)
    }

    /// A bet was placed in a coup.
    fn note_stake(&mut self, coup: u32, body: &Body) {
        if self.standing.contains_key(&coup)
            && let Some(stake) = self.coup(coup).and_then(|coup| last_stake(coup, body))
        {
            self.standing.entry(coup).or_default().insert(stake);
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "everything else is around play")]
    fn of_no_coup(&mut self, entry: &Entry<'a>) {
        let body = entry.body;
        match body {
            Body::BurnCards(burn) => self.shoe(entry.sequence).burns.push(entry.told(burn)),
            Body::CutCardDrawn(cut) => self.shoe(entry.sequence).cuts.push(entry.told(cut)),
            Body::ShoeEnded(end) => self.shoe(entry.sequence).ends.push(entry.told(end)),
            Body::IrregularityRecorded(_)
            | Body::CardReplaced(_)
            | Body::CorrectionRecorded(_)
            | Body::CoupVoided(_) => self.shoe(entry.sequence).rulings.push(entry.told(body)),
            _ => self.reading.around.push(entry.told(body)),
        }
    }
}

/// Whether an event belongs to the play of its coup: what is recorded of a coup that is over is not.
const fn is_of_play(body: &Body) -> bool {
    !matches!(
        body,
        Body::IrregularityRecorded(_)
            | Body::CardReplaced(_)
            | Body::CorrectionRecorded(_)
            | Body::CoupVoided(_)
            | Body::CoupSettled(_)
    )
}

/// Whether an event belongs to no coup even if it was recorded in one.
fn is_around(entry: &Entry<'_>) -> bool {
    let is_of_bank = matches!(
        entry.body,
        Body::BancoCalled(_) | Body::DrawDecided(_) | Body::BankSettled(_) | Body::GarajeSet(_)
    );
    let is_of_coup = matches!(
        entry.body,
        Body::BetPlaced(_)
            | Body::AbonoPlaced(_)
            | Body::BetWithdrawn(_)
            | Body::BetsClosed(_)
            | Body::PuntoHolder(_)
            | Body::CardDrawn(_)
            | Body::CoupSettled(_)
            | Body::CoupVoided(_)
            | Body::IrregularityRecorded(_)
            | Body::CardReplaced(_)
            | Body::CorrectionRecorded(_)
    );
    !(is_of_coup || is_of_bank && is_at_bank(entry.grammar))
}

/// The bets of a coup that stand.
fn stakes(coup: &CoupRecord<'_>) -> BTreeSet<Stake> {
    let bets = coup.bets.iter().map(|bet| (bet.placed.value.bet, bet.withdrawn)).enumerate();
    let abonos = coup.chemin.abonos.iter().map(|abono| (abono.placed.value.bet, abono.withdrawn)).enumerate();
    let bets = bets.map(|(at, (bet, withdrawn))| (bet, false, at, withdrawn));
    let abonos = abonos.map(|(at, (bet, withdrawn))| (bet, true, at, withdrawn));
    let all = bets.chain(abonos).filter(|(.., withdrawn)| withdrawn.is_none());
    all.map(|(bet, is_abono, at, _)| (bet, is_abono, at)).collect()
}

/// The bet or abono of a coup that was placed last, by this event.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is a stake")]
fn last_stake(coup: &CoupRecord<'_>, body: &Body) -> Option<Stake> {
    match body {
        Body::BetPlaced(placed) => Some((placed.bet, false, coup.bets.len().checked_sub(1)?)),
        Body::AbonoPlaced(placed) => Some((placed.bet, true, coup.chemin.abonos.len().checked_sub(1)?)),
        _ => None,
    }
}

/// Cards that were lost before an event, or were misread.
fn lose(coup: &mut CoupRecord<'_>, reads: &[ReadAs]) {
    for read in reads {
        match read {
            ReadAs::LostCard(to, position) => coup.cards.push(lost(*to, *position)),
            ReadAs::Unread(side, at) => unread(coup, *side, *at),
            ReadAs::At(_) | ReadAs::To(_) => {}
        }
    }
}

#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is of a coup")]
fn take<'a>(coup: &mut CoupRecord<'a>, entry: &Entry<'a>, reads: &[ReadAs]) {
    lose(coup, reads);
    match entry.body {
        Body::BetPlaced(placed) => {
            coup.bets.push(BetRecord { placed: entry.told(placed), withdrawn: None });
        }
        Body::AbonoPlaced(placed) => {
            coup.chemin.abonos.push(AbonoRecord { placed: entry.told(placed), withdrawn: None });
        }
        Body::BancoCalled(called) => coup.chemin.calls.push(entry.told(called)),
        Body::GarajeSet(set) => coup.chemin.garajes.push(entry.told(set)),
        Body::DrawDecided(decided) => coup.chemin.decisions.push(entry.told(decided)),
        Body::BankSettled(settled) => coup.chemin.accounts.push(entry.told(settled)),
        Body::BetsClosed(closed) => coup.closes.push(entry.told(closed)),
        Body::PuntoHolder(given) => coup.holders.push(entry.told(given)),
        Body::CardDrawn(drawn) => coup.cards.push(card(entry, drawn, reads)),
        Body::CoupSettled(settled) => coup.settlements.push(entry.told(settled)),
        body => coup.rulings.push(entry.told(body)),
    }
}

fn card(entry: &Entry<'_>, drawn: &CardDrawn, reads: &[ReadAs]) -> CardRecord {
    let (mut position, mut to) = (drawn.position, drawn.to);
    for read in reads {
        match read {
            ReadAs::At(at) => position = u16::try_from(*at).unwrap_or(u16::MAX),
            ReadAs::To(side) => to = Destination::from(*side),
            ReadAs::LostCard(..) | ReadAs::Unread(..) => {}
        }
    }
    CardRecord { sequence: Some(entry.sequence), position, face: drawn.card, to, corrected_by: entry.by }
}

/// A card that was lost; if it is not known to which hand it went, it is as if it had been removed.
fn lost(to: Option<Side>, position: u32) -> CardRecord {
    CardRecord {
        sequence: None,
        position: u16::try_from(position).unwrap_or(u16::MAX),
        face: Face::Unseen,
        to: to.map_or(Destination::Removed, Destination::from),
        corrected_by: None,
    }
}

fn unread(coup: &mut CoupRecord<'_>, side: Side, at: u8) {
    let of_hand = coup.cards.iter_mut().filter(|card| card.to == Destination::from(side));
    of_hand.skip(usize::from(at)).take(1).for_each(|card| card.face = Face::Unseen);
}
