//! What happened at a table, in the order of its numbering: each event of a reading, with the record that it is part of.

use events::{
    BankSettled, BetsClosed, Body, BurnCards, CoupSettled, CutCardDrawn, PuntoHolder, ShoeEnded, ShoeLoaded,
};

use super::left_out::left_out;
use crate::reading::{
    AbonoRecord, Absent, BetRecord, CardRecord, CoupRecord, Hole, Reading, ShoeRecord, Told,
};
use crate::shoe::least_events_before;

/// Something that happened.
#[allow(dead_code, reason = "the checks that ask for the others are not written yet")]
#[derive(Debug, Clone, Copy)]
pub(super) enum What<'r, 'a> {
    /// An event of no shoe and no coup: seats, the deal, limits, openings, commission.
    Around(&'r Told<'a, Body>),
    /// A shoe was loaded.
    Loaded(&'r Told<'a, ShoeLoaded>),
    /// A shoe begins whose loading was lost.
    LoadingLost,
    /// Cards were burned.
    Burned(&'r Told<'a, BurnCards>),
    /// The cut card came out.
    Cut(&'r Told<'a, CutCardDrawn>),
    /// A shoe ended.
    Ended(&'r Told<'a, ShoeEnded>),
    /// A void, a ruling, a replaced card or a correction.
    Ruled(&'r Told<'a, Body>),
    /// Something was recorded again, and counts for nothing.
    Again(&'r Told<'a, Body>),
    /// A coup began. Whether it is in play: the coup before it is settled.
    Began(bool),
    /// A coup is in play that began before.
    InPlay,
    /// A bet was placed.
    Placed(&'r BetRecord<'a>),
    /// An abono was placed.
    Abono(&'r AbonoRecord<'a>),
    /// A bet was taken back.
    TakenBack(&'r BetRecord<'a>),
    /// "No va más".
    Closed(&'r Told<'a, BetsClosed>),
    /// Somebody was given punto's cards.
    Holder(&'r Told<'a, PuntoHolder>),
    /// A card was dealt.
    Card(&'r CardRecord),
    /// Anything else of a coup: who plays for the bank, what a hand announced, what is set aside, a bet is taken back that was not
    /// placed.
    Said,
    /// An account of a coup's bank.
    Account(&'r Told<'a, BankSettled>),
    /// A coup was settled; also once more.
    Settled(&'r Told<'a, CoupSettled>),
    /// All events of a coup have passed. Only for a coup that was not settled, or in whose shoe the recording is wrong.
    Over,
    /// Events are missing.
    Missing(Hole),
}

/// Something that happened, and where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment<'r, 'a> {
    pub(super) sequence: u64,
    /// The place of its shoe in the reading.
    pub(super) shoe: Option<usize>,
    /// The place of its coup in the shoe.
    pub(super) coup: Option<usize>,
    pub(super) what: What<'r, 'a>,
}

impl Moment<'_, '_> {
    /// Whether play ends at the table, or with the shoe before.
    pub(super) const fn ends_play(&self) -> bool {
        let loads = matches!(self.what, What::Loaded(_) | What::LoadingLost);
        loads
            || matches!(
                self.what,
                What::Around(Told { value: Body::TableOpened(_) | Body::TableClosed(_), .. })
            )
    }
}

/// Everything that happened, in its order.
///
/// `events`: about how many there are.
pub(super) fn moments<'r, 'a>(reading: &'r Reading<'a>, events: usize) -> Vec<Moment<'r, 'a>> {
    // Each event, and that a coup begins and is over.
    let mut all = Moments(Vec::with_capacity(events + 2));
    for told in &reading.around {
        all.push(told.sequence, None, None, What::Around(told));
    }
    for (at, shoe) in reading.shoes.iter().enumerate() {
        all.of_shoe(at, shoe);
        let mut settled = 0;
        for (of, coup) in shoe.coups.iter().enumerate() {
            all.left_out(at, coup.began, left_out(shoe, of));
            let is_over = all.of_coup((at, of), coup, settled);
            if coup.settlements.is_empty() || !shoe.remarks.is_empty() {
                all.push(is_over, Some(at), Some(of), What::Over);
            }
            settled = coup.settlements.first().map_or(settled, |told| told.sequence.max(settled));
        }
    }
    let Moments(mut moments) = all;
    // The first moment of an event stays the first, and that its coup is over the last.
    moments.sort_by_key(|moment| moment.sequence);
    moments
}

struct Moments<'r, 'a>(Vec<Moment<'r, 'a>>);

impl<'r, 'a> Moments<'r, 'a> {
    fn push(&mut self, sequence: u64, shoe: Option<usize>, coup: Option<usize>, what: What<'r, 'a>) {
        self.0.push(Moment { sequence, shoe, coup, what });
    }

    fn of_shoe(&mut self, at: usize, shoe: &'r ShoeRecord<'a>) {
        let mut push = |sequence, what| self.push(sequence, Some(at), None, what);
        shoe.loading.iter().for_each(|told| push(told.sequence, What::Loaded(told)));
        if shoe.is_loading_lost {
            push(shoe.began, What::LoadingLost);
        }
        shoe.burns.iter().for_each(|told| push(told.sequence, What::Burned(told)));
        shoe.cuts.iter().for_each(|told| push(told.sequence, What::Cut(told)));
        shoe.ends.iter().for_each(|told| push(told.sequence, What::Ended(told)));
        shoe.rulings.iter().for_each(|told| push(told.sequence, What::Ruled(told)));
        shoe.again.iter().for_each(|told| push(told.sequence, What::Again(told)));
        shoe.missing.iter().for_each(|hole| push(hole.first, What::Missing(*hole)));
    }

    /// So many coups are left out right before a coup that begins here: that is like events that are missing between two coups.
    fn left_out(&mut self, shoe: usize, began: u64, coups: u32) {
        if coups > 0 {
            let events = least_events_before(coups.saturating_add(1));
            let hole = Hole { first: began, events, why: Absent::LeftOut };
            self.push(began, Some(shoe), None, What::Missing(hole));
        }
    }

    /// A coup; `before`: where the last one before it was settled. Gives where its last event is.
    fn of_coup(&mut self, (shoe, at): (usize, usize), coup: &'r CoupRecord<'a>, before: u64) -> u64 {
        let mut last = coup.began;
        let mut push = |sequence: u64, what| {
            if !matches!(what, What::Ruled(_)) {
                last = last.max(sequence);
            }
            self.push(sequence, Some(shoe), Some(at), what);
        };
        let in_play = in_play_from(coup, before);
        push(coup.began, What::Began(in_play == coup.began));
        if in_play != coup.began {
            push(in_play, What::InPlay);
        }
        for bet in &coup.bets {
            push(bet.placed.sequence, What::Placed(bet));
            bet.withdrawn.iter().for_each(|withdrawn| push(*withdrawn, What::TakenBack(bet)));
        }
        for abono in &coup.chemin.abonos {
            push(abono.placed.sequence, What::Abono(abono));
        }
        coup.closes.iter().for_each(|told| push(told.sequence, What::Closed(told)));
        coup.holders.iter().for_each(|told| push(told.sequence, What::Holder(told)));
        let cards = coup.cards.iter().filter_map(|card| Some((card.sequence?, card)));
        cards.for_each(|(sequence, card)| push(sequence, What::Card(card)));
        coup.withdrawals.iter().for_each(|told| push(told.sequence, What::Said));
        coup.chemin.calls.iter().for_each(|told| push(told.sequence, What::Said));
        coup.chemin.garajes.iter().for_each(|told| push(told.sequence, What::Said));
        coup.chemin.decisions.iter().for_each(|told| push(told.sequence, What::Said));
        coup.chemin.accounts.iter().for_each(|told| push(told.sequence, What::Account(told)));
        coup.settlements.iter().for_each(|told| push(told.sequence, What::Settled(told)));
        coup.rulings.iter().for_each(|told| push(told.sequence, What::Ruled(told)));
        last
    }
}

/// From where on a coup is in play. One of which an event was recorded before the last coup was settled is in play with the
/// next event of it.
fn in_play_from(coup: &CoupRecord<'_>, before: u64) -> u64 {
    if coup.began > before {
        return coup.began;
    }
    let bets = coup.bets.iter().map(|bet| bet.placed.sequence);
    let abonos = coup.chemin.abonos.iter().map(|abono| abono.placed.sequence);
    let closes = coup.closes.iter().map(|told| told.sequence);
    let cards = coup.cards.iter().filter_map(|card| card.sequence);
    let settlements = coup.settlements.iter().map(|told| told.sequence);
    let own = bets.chain(abonos).chain(closes).chain(cards).chain(settlements);
    own.filter(|sequence| *sequence > before).min().unwrap_or(before)
}
