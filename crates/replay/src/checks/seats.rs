//! Who sits where, who deals, and who holds punto's cards (`docs/judging.md`, "Who has a seat", "The player's own seat" and
//! "Punto's holder"; `docs/findings.md`, "The deal and the seats").

use std::collections::{BTreeMap, BTreeSet};

use baccarat::{Dealer, Winner};
use events::{Body, Deal, Name, Seat};
use serde::{Deserialize, Serialize};

use super::Checked;
use super::before::Before;
use super::holder::holder;
use super::left_out::begins_late;
use super::moments::{Moment, What};
use super::names::Names;
use super::paytables::Paytables;
use crate::Code;
use crate::dealing::Dealing;
use crate::person::Person;
use crate::reading::{CardRecord, CorrectionRecord, CoupRecord, Reading, Standing, Told};
use crate::seating::Seating;
use crate::sink::{Accusation, Sink};
use crate::statement::{OfBets, OfRecord, OfSeats};

/// Who sits where, and who deals.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Seats {
    dealing: Dealing,
    seating: Seating,
    /// The shoe in play.
    #[serde(skip)]
    shoe: Option<usize>,
    /// Answers that were recorded right before the offer: at its sequence.
    answers: BTreeMap<u64, Body>,
    /// First cards of coups that were recorded before the coup before them was settled: by the number of that coup's place.
    #[serde(skip)]
    ahead: BTreeMap<(usize, usize), (u32, u64)>,
    /// Sequences of bets at seats that were known to be another player's.
    #[serde(skip)]
    misplaced: BTreeSet<u64>,
    /// Sequence of the settlement of a coup that was over before, as the reading has it.
    #[serde(skip)]
    settled_late: Option<u64>,
}

impl Seats {
    /// Before a range; `shoe`: the place in it of the shoe in play.
    pub(super) fn begin_range(&mut self, shoe: Option<usize>) {
        self.shoe = shoe;
        self.misplaced.clear();
    }

    /// Checks a moment. Of a coup that is settled here, `winner` is what its cards result in, if that is certain.
    pub(super) fn check<'r, 'a: 'r>(
        &mut self,
        moment: &Moment<'r, 'a>,
        reading: &'r Reading<'a>,
        before: &Before<'r>,
        names: &Names,
        winner: Option<Winner>,
        checked: &mut Checked,
    ) {
        let place = moment.shoe.zip(moment.coup);
        let coup = place.and_then(|(shoe, at)| reading.shoes.get(shoe)?.coups.get(at));
        match (moment.what, coup) {
            (What::Around(told), _) => {
                if let Body::DealOffered(_) = told.value
                    && let Some(settled) = settled_late(moment, reading, before)
                {
                    // It was settled before the offer, as the reading has it.
                    self.dealing.end_coup(None);
                    self.settled_late = Some(settled);
                }
                self.around(told, before, checked);
            }
            (What::Loaded(_) | What::LoadingLost, _) => {
                self.shoe = moment.shoe;
                self.dealing
                    .new_shoe(before.rules().map(|tables| tables.rules().deal.new_shoe).unwrap_or_default());
                self.correct(moment, reading);
            }
            // Cards of a coup that goes on change nothing of who sits where, and who deals.
            (What::Missing(hole), _)
                if before.gaps.at(hole.first).is_some_and(|gap| gap.within && gap.others() == 0) => {}
            (What::Missing(_), _) => {
                self.dealing.doubt();
                self.seating.doubt();
            }
            (What::Placed(bet), Some(coup)) => {
                let (seat, player) = (bet.placed.value.seat, bet.placed.value.player.as_ref());
                self.place(&bet.placed, (seat, player), coup, before, checked);
            }
            (What::Abono(abono), Some(coup)) => {
                let (seat, player) = (abono.placed.value.seat, abono.placed.value.player.as_ref());
                self.place(&abono.placed, (seat, player), coup, before, checked);
            }
            (What::Holder(given), Some(coup)) => {
                let index = moment.shoe.and_then(|shoe| before.index(shoe));
                let tables = before.rules().filter(|_| coup.missing.is_empty());
                if let Some((index, tables)) = index.zip(tables) {
                    checked.and(holder(index, coup, given, tables, &self.seating));
                }
            }
            (What::Card(card), Some(coup)) => {
                self.deal(card, coup, place, reading, before, checked);
            }
            (What::Settled(settled), Some(coup)) => {
                let is_first =
                    coup.settlements.first().is_some_and(|first| first.sequence == moment.sequence);
                if self.settled_late.take_if(|late| *late == moment.sequence).is_some() {
                    self.deal_ahead(place, before, checked);
                } else if is_first && before.rules().is_some() {
                    let announced = settled.value.winner;
                    let won = winner.filter(|won| (*won == Winner::Punto) == (announced == Winner::Punto));
                    self.dealing.end_coup(won.map(|won| won == Winner::Punto));
                    self.deal_ahead(place, before, checked);
                }
            }
            (What::Over, Some(_)) if place.is_some_and(|place| before.is_settlement_lost(place)) => {
                self.dealing.end_coup(None);
            }
            (What::Ruled(told), Some(_)) if matches!(told.value, Body::CoupVoided(_)) => {
                self.dealing.end_coup(None);
                self.deal_ahead(place, before, checked);
            }
            _ => {}
        }
        if !checked.found.is_empty() && self.joins_late(moment, reading) {
            checked.found.retain(|found| !found.code.concerns_turn());
        }
        if let (What::Closed(_) | What::Card(_) | What::Settled(_), Some(coup)) = (moment.what, coup) {
            self.own_place(coup, moment.sequence, before, names, checked);
        }
    }

    /// If it is corrected in this shoe who took a seat before it, nobody is known to sit anywhere.
    fn correct(&mut self, loaded: &Moment<'_, '_>, reading: &Reading<'_>) {
        let next =
            loaded.shoe.and_then(|shoe| reading.shoes.get(shoe + 1)).map_or(u64::MAX, |shoe| shoe.began);
        let is_of_seat = |record: &CorrectionRecord<'_>| {
            record.standing == Standing::OutOfReach && matches!(record.says, Body::SeatTaken(_))
        };
        let first = reading.corrections.partition_point(|record| record.sequence < loaded.sequence);
        let mut here = reading.corrections.iter().skip(first).take_while(|record| record.sequence < next);
        if here.any(is_of_seat) {
            self.seating.doubt();
        }
    }

    /// Whether coups that are not recorded decide whose turn it is.
    fn joins_late(&self, moment: &Moment<'_, '_>, reading: &Reading<'_>) -> bool {
        let Some(shoe) = self.shoe.and_then(|shoe| reading.shoes.get(shoe)) else { return false };
        let first = shoe.coups.first();
        let is_before = first.is_none_or(|first| moment.sequence < first.began);
        let said = begins_late(shoe).is_some_and(|said| said < moment.sequence);
        said && is_before && first.is_some_and(|first| first.number > 1)
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is about seats and the deal")]
    fn around(&mut self, told: &Told<'_, Body>, before: &Before<'_>, checked: &mut Checked) {
        let at = told.corrected_by.unwrap_or(told.sequence);
        match told.value {
            Body::TableOpened(_) => (self.dealing, self.seating) = (Dealing::open(), Seating::default()),
            Body::SeatTaken(seat) => self.sit(at, seat, before, checked),
            Body::SeatLeft(seat) => self.get_up(at, seat, checked),
            Body::DealOffered(_) | Body::DealAccepted(_) | Body::DealDeclined(_) => {
                // At a player's bank it is the bank that is offered.
                let at_table = |tables: &&Paytables| tables.rules().chemin.is_none();
                let Some(tables) = before.rules().filter(at_table) else { return };
                self.answer_or_offer(told, at, tables.rules().deal.dealer, before, checked);
            }
            _ => {}
        }
    }

    fn sit(&mut self, at: u64, Seat { seat, player }: &Seat, before: &Before<'_>, checked: &mut Checked) {
        let opened = before.last_opened.filter(|_| !before.is_missed);
        if opened.is_some_and(|opened| !opened.seats.contains(seat)) {
            let recorded = OfSeats::Taken { seat: *seat };
            checked.accuse(at, Accusation::new(Code::SeatWrong, OfSeats::OfTheTable, recorded));
        }
        let taken = self.dealing.sit(*seat);
        taken.into_iter().for_each(|accusation| checked.accuse(at, accusation));
        self.seating.sit(*seat, player.as_ref().map(Person::from));
    }

    fn get_up(&mut self, at: u64, Seat { seat, player }: &Seat, checked: &mut Checked) {
        let is_anothers =
            |seating: &Seating| player.clone().filter(|name| seating.is_anothers(*seat, &Person::from(name)));
        if let Some(player) = is_anothers(&self.seating) {
            let recorded = OfSeats::LeftBy { seat: *seat, player };
            checked.accuse(at, Accusation::new(Code::SeatWrong, OfSeats::LeftByOwner, recorded));
            self.seating.leave_by_another(*seat);
            self.dealing.forget(*seat);
            return;
        }
        self.seating.leave(*seat);
        let free = self.dealing.leave(*seat);
        free.into_iter().for_each(|accusation| checked.accuse(at, accusation));
    }

    /// The deal is offered, accepted or refused. An answer that is recorded right before its offer is that alone.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is an answer")]
    fn answer_or_offer(
        &mut self,
        told: &Told<'_, Body>,
        at: u64,
        rule: Dealer,
        before: &Before<'_>,
        checked: &mut Checked,
    ) {
        let next = told.sequence.saturating_add(1);
        let answers = |Deal { seat }: &Deal| {
            let offers = |body: &Body| matches!(body, Body::DealOffered(deal) if deal.seat == *seat);
            !self.dealing.is_asked(*seat) && before.event(next).is_some_and(|event| offers(&event.body))
        };
        let is_early = match told.value {
            Body::DealAccepted(deal) | Body::DealDeclined(deal) => answers(deal),
            _ => false,
        };
        if is_early {
            let recorded = OfRecord::Event { event: told.value.into() };
            checked.accuse(at, Accusation::new(Code::DealNotOffered, OfSeats::OfferFirst, recorded));
            self.answers.insert(next, told.value.clone());
            return;
        }
        checked.accuse_by(at, |sink| self.turn(told.value, rule, sink));
        if let Some(answer) = self.answers.remove(&told.sequence) {
            checked.accuse_by(at, |sink| self.turn(&answer, rule, sink));
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is about the deal")]
    fn turn(&mut self, body: &Body, rule: Dealer, sink: &mut Sink) {
        match body {
            Body::DealOffered(deal) => self.dealing.offer(deal.seat, rule, sink),
            Body::DealAccepted(deal) => self.dealing.accept(deal.seat, rule, sink),
            Body::DealDeclined(deal) => self.dealing.decline(deal.seat, rule, sink),
            _ => {}
        }
    }

    /// A bet is placed at a seat of the table.
    fn place<T>(
        &mut self,
        placed: &Told<'_, T>,
        (seat, player): (u8, Option<&Name>),
        coup: &CoupRecord<'_>,
        before: &Before<'_>,
        checked: &mut Checked,
    ) {
        let opened = before.last_opened.filter(|_| !before.is_missed);
        if opened.is_some_and(|opened| !opened.seats.contains(&seat)) {
            let accusation = Accusation::new(Code::BetSeat, OfSeats::OfTheTable, OfSeats::Seat { seat });
            let at = placed.corrected_by.unwrap_or(placed.sequence);
            checked.accuse(at, accusation.in_coup(coup.number));
        }
        let owner = self.seating.owner(seat);
        if owner.zip(player).is_some_and(|(owner, player)| !owner.is(player)) {
            self.misplaced.insert(placed.sequence);
        }
    }

    /// The bets of a coup are closed: each player bets in their own place.
    fn own_place(
        &self,
        coup: &CoupRecord<'_>,
        now: u64,
        before: &Before<'_>,
        names: &Names,
        checked: &mut Checked,
    ) {
        let is_own = before.rules().is_some_and(|tables| tables.rules().seats.own_place);
        if !is_own || self.misplaced.is_empty() || closed_at(coup) != Some(now) {
            return;
        }
        let mut found = BTreeSet::new();
        for bet in &coup.bets {
            let (placed, sequence) = (bet.placed.value, bet.placed.sequence);
            let counts = sequence < now && bet.withdrawn.is_none_or(|withdrawn| withdrawn > now);
            let offered = before.rules().is_some_and(|tables| tables.number(&placed.kind).is_some());
            let is_known = |player: &&Name| counts && offered && !names.is_alike(player);
            let Some(player) = placed.player.as_ref().filter(is_known) else { continue };
            if self.misplaced.contains(&sequence) && found.insert((Person::from(player), &placed.kind)) {
                let (bet_id, player, seat) = (placed.bet, player.clone(), placed.seat);
                let recorded = OfBets::InAnothersPlace { bet: bet_id, player, seat };
                let accusation = Accusation::new(Code::BetPlace, OfBets::OwnPlace, recorded);
                let at = bet.placed.corrected_by.unwrap_or(sequence);
                checked.accuse(at, accusation.in_coup(coup.number));
            }
        }
    }

    /// The first card of a coup is dealt by whoever has the deal.
    fn deal(
        &mut self,
        card: &CardRecord,
        coup: &CoupRecord<'_>,
        place: Option<(usize, usize)>,
        reading: &Reading<'_>,
        before: &Before<'_>,
        checked: &mut Checked,
    ) {
        let dealt = coup.cards.iter().filter(|card| card.to.side().is_some());
        let is_first = dealt.filter_map(|card| card.sequence).all(|dealt| card.sequence <= Some(dealt));
        let (true, Some(at), Some((shoe, own))) =
            (is_first && card.to.side().is_some(), card.sequence, place)
        else {
            return;
        };
        let former = own.checked_sub(1).and_then(|former| reading.shoes.get(shoe)?.coups.get(former));
        let over = former.map(|former| former.settlements.first().map(|settled| settled.sequence));
        match over.zip(own.checked_sub(1)) {
            Some((Some(settled), former)) if at < settled => {
                self.ahead.insert((shoe, former), (coup.number, at));
                return;
            }
            // It was left without a settlement.
            Some((None, _)) => self.dealing.end_coup(None),
            Some((Some(_), _)) | None => {}
        }
        self.begin(coup.number, at, before, checked);
    }

    fn begin(&mut self, coup: u32, at: u64, before: &Before<'_>, checked: &mut Checked) {
        let Some(tables) = before.rules() else { return };
        if let Some(kept) = self.dealing.begin_coup(tables.rules().deal.dealer) {
            checked.accuse(at, kept.in_coup(coup));
        }
    }

    /// The coup is over before which the first card of the next was recorded: it is not known whether the deal was offered
    /// on in time.
    fn deal_ahead(&mut self, place: Option<(usize, usize)>, before: &Before<'_>, checked: &mut Checked) {
        if let Some((coup, at)) = place.and_then(|place| self.ahead.remove(&place)) {
            self.dealing.begin_coup_ahead();
            self.begin(coup, at, before, checked);
        }
    }
}

/// Sequence of the settlement of the coup in play, if it is recorded too late, and after this.
fn settled_late<'r, 'a: 'r>(
    moment: &Moment<'r, 'a>,
    reading: &'r Reading<'a>,
    before: &Before<'r>,
) -> Option<u64> {
    let settled = before.in_play(reading).and_then(|coup| Some(coup.settlements.first()?.sequence));
    let may_be_moved = |settled: u64| {
        (0..reading.shoes.len())
            .filter_map(|shoe| before.index(shoe))
            .any(|index| index.may_be_moved(settled))
    };
    settled.filter(|settled| *settled > moment.sequence && may_be_moved(*settled))
}

/// Sequence of the event by which the bets of a coup are closed.
fn closed_at(coup: &CoupRecord<'_>) -> Option<u64> {
    let closes = coup.closes.iter().map(|close| close.sequence);
    let dealt = coup.cards.iter().filter(|card| card.to.side().is_some()).filter_map(|card| card.sequence);
    let settled = coup.settlements.iter().map(|settled| settled.sequence);
    closes.chain(dealt).chain(settled).min()
}
