//! How play stands between two events, and what may come next in an honest record.
//!
//! [`State::follow`] takes an event that fits, and nothing else. What else an event may be is in `irregular.rs`.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use baccarat::{Face, Game, Side, Winner};
use events::{
    Announced, BancoCalled, BankSettled, Body, Call, CardDrawn, CoupSettled, Destination, ShoeLoaded,
};

use super::grammar::{BurnDue, Due, Grammar, Hands};
use super::range::ShoeFacts;
use super::tape::{Tape, is_of_a_coup};
use super::{BURN_CORRECTED, BURN_NOT_RECORDED};
use crate::shoe::least_events_before;

/// Events of a coup before its settlement, at least: the close of its bets and four cards.
const LEAST_BEFORE_SETTLEMENT: u64 = 5;

/// Most gaps of a shoe that are kept apart.
const MOST_HIDDEN: usize = 64;

/// How an event is taken at its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Believed {
    /// It is of the coup that it names, or of the one in play.
    AsNamed,
    /// It is of this coup, and carries another number.
    Of(u32),
    /// It is of the next coup, while one is in play.
    Ahead,
}

/// The shoe in play.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shoe {
    pub(super) loaded: u64,
    pub(super) decks: u8,
    pub(super) cards: u16,
    pub(super) burned: bool,
    /// A ruling allows that more are burned.
    pub(super) may_burn_more: bool,
    pub(super) cut: bool,
    pub(super) ended: bool,
    pub(super) next_position: Option<u32>,
    pub(super) next_coup: Option<u32>,
    /// Coups that were declared void after their settlement, whose stakes have to come back.
    pub(super) refunds: BTreeSet<u32>,
    /// A ruling between two coups concerns the next.
    pub(super) ruled: bool,
    /// The coup settled last, if it was settled without an account of its bank: that may follow.
    pub(super) lacks_account: Option<u32>,
    /// Where events are missing in it: the number of the next coup before them, and how many they are.
    hidden: Vec<(u32, u64)>,
    /// Whether it had ended before the last of them.
    ended_before: bool,
}

impl Shoe {
    pub(super) fn load(loaded: &ShoeLoaded, sequence: u64) -> Self {
        Self {
            loaded: sequence,
            decks: loaded.decks,
            cards: loaded.cards,
            burned: false,
            may_burn_more: false,
            cut: false,
            ended: false,
            next_position: Some(1),
            next_coup: Some(1),
            refunds: BTreeSet::new(),
            ruled: false,
            lacks_account: None,
            hidden: Vec::new(),
            ended_before: false,
        }
    }

    /// A shoe of which no loading is recorded.
    pub(super) const fn unknown() -> Self {
        Self {
            loaded: 0,
            decks: 0,
            cards: 0,
            burned: true,
            may_burn_more: false,
            cut: false,
            ended: false,
            next_position: None,
            next_coup: None,
            refunds: BTreeSet::new(),
            ruled: false,
            lacks_account: None,
            hidden: Vec::new(),
            ended_before: false,
        }
    }

    /// How many cards are left in it, if it is known how many it held.
    pub(super) fn left(&self) -> Option<u32> {
        let next = self.next_position.filter(|_| self.cards > 0);
        next.map(|next| (u32::from(self.cards) + 1).saturating_sub(next))
    }

    /// Whether a coup of this number began before, and what is missing cannot have ended this shoe, loaded another and played its
    /// coups up to that number; and that one as well, but for its settlement, if this settles it.
    fn is_past(&self, number: u32, settles: bool) -> bool {
        let since = self.hidden.iter().filter(|(next, _)| number < *next).map(|(_, events)| *events);
        let missing = since.reduce(u64::saturating_add);
        let ends = u64::from(!self.ended_before);
        let own = if settles { LEAST_BEFORE_SETTLEMENT } else { 0 };
        let another = least_events_before(number).saturating_add(1 + ends + own);
        missing.is_some_and(|missing| missing < another) || self.next_coup.is_some_and(|next| number < next)
    }

    /// Events are missing. Of many such places the oldest are as one.
    fn hide(&mut self, events: u64) {
        let before = self.hidden.last().map_or(0, |(next, _)| *next);
        let next = self.next_coup.map_or(before, |next| next.max(before));
        match self.hidden.last_mut() {
            Some((last, missing)) if *last == next => *missing = missing.saturating_add(events),
            Some(_) | None => self.hidden.push((next, events)),
        }
        if self.hidden.len() > MOST_HIDDEN {
            let (_, oldest) = self.hidden.remove(0);
            self.hidden[0].1 = self.hidden[0].1.saturating_add(oldest);
        }
    }

    /// Whether a card is recorded of a coup that is over, at a position that another card had.
    pub(super) fn is_behind(&self, drawn: &CardDrawn) -> bool {
        let is_past = self.next_coup.is_some_and(|next| drawn.coup.saturating_add(1) < next);
        is_past && self.next_position.is_some_and(|next| u32::from(drawn.position) < next)
    }

    /// Cards leave it.
    pub(super) fn pass(&mut self, cards: u32) {
        self.next_position = self.next_position.map(|next| next.saturating_add(cards));
    }
}

/// The coup in play.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Coup {
    pub(super) number: u32,
    pub(super) closed: bool,
    pub(super) holder: bool,
    /// Banco seguido was called: until somebody holds punto's cards, bets may be placed though they were closed.
    pub(super) seguido: bool,
    /// The account of its bank is recorded.
    pub(super) account: bool,
    pub(super) hands: Hands,
    /// The ids of its bets, sorted.
    pub(super) bets: Vec<u64>,
    pub(super) void: bool,
    /// Something is ruled in it: its cards may go where no rule sends them.
    pub(super) ruled: bool,
    /// How many of its cards a ruling let be dealt before its bets were closed.
    pub(super) early: u8,
    /// Whether it began with an event that carries its number.
    pub(super) named: bool,
    /// The other number that events of it carry: that is one slip, however many they are.
    pub(super) label: Option<u32>,
    /// How many events are missing since the last of its events.
    pub(super) hidden: u64,
}

impl Coup {
    fn new(number: u32, ruled: bool) -> Self {
        Self {
            number,
            closed: false,
            holder: false,
            seguido: false,
            account: false,
            hands: Hands::default(),
            bets: Vec::with_capacity(8),
            void: false,
            ruled,
            early: 0,
            named: true,
            label: None,
            hidden: 0,
        }
    }

    /// Whether bets may be placed and taken back.
    pub(super) const fn is_open(&self) -> bool {
        !self.closed || self.seguido && !self.holder
    }

    pub(super) fn has(&self, bet: u64) -> bool {
        self.bets.binary_search(&bet).is_ok()
    }

    pub(super) fn place(&mut self, bet: u64) {
        let place = self.bets.partition_point(|placed| *placed < bet);
        self.bets.insert(place, bet);
    }

    /// Whether such a bet was there.
    pub(super) fn take_back(&mut self, bet: u64) -> bool {
        let place = self.bets.binary_search(&bet);
        place.map(|place| self.bets.remove(place)).is_ok()
    }

    pub(super) fn due(&self, grammar: &dyn Grammar) -> Due {
        if self.void || self.ruled { Due::Unknown } else { grammar.due(&self.hands) }
    }

    /// Whether a settlement has a line for each of its bets, and no other. Mostly it has them in the order of their ids.
    fn has_all_lines(&self, settled: &CoupSettled) -> bool {
        let lines = settled.bets.iter().map(|line| line.bet);
        lines.eq(self.bets.iter().copied()) || self.compare_lines(settled) == (Vec::new(), Vec::new())
    }

    /// Bets for which a settlement has a line and that were not placed, and those that were placed and have none.
    pub(super) fn compare_lines(&self, settled: &CoupSettled) -> (Vec<u64>, Vec<u64>) {
        let mut lines: Vec<u64> = settled.bets.iter().map(|line| line.bet).collect();
        lines.sort_unstable();
        let (mut unknown, mut left) = (Vec::new(), Vec::new());
        let mut bets = self.bets.iter().copied().peekable();
        for line in lines {
            while let Some(bet) = bets.next_if(|bet| *bet < line) {
                left.push(bet);
            }
            if bets.next_if_eq(&line).is_none() {
                unknown.push(line);
            }
        }
        left.extend(bets);
        (unknown, left)
    }

    /// Which announced values cannot follow from the cards that were read: punto's total, banca's, the winner.
    pub(super) fn compare_totals(&self, settled: &CoupSettled, grammar: &dyn Grammar) -> [bool; 3] {
        if self.void || self.ruled || grammar.game().is_none() {
            return [false; 3];
        }
        let [punto, banca] = [Side::Punto, Side::Banca].map(|side| self.hands.total(side));
        let winner = punto.zip(banca).map(|(punto, banca)| match punto.cmp(&banca) {
            Ordering::Greater => Winner::Punto,
            Ordering::Less => Winner::Banca,
            Ordering::Equal => Winner::Tie,
        });
        [
            punto.is_some_and(|total| total != settled.punto_total),
            banca.is_some_and(|total| total != settled.banca_total),
            winner.is_some_and(|winner| winner != settled.winner),
        ]
    }
}

/// How play stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    pub(super) shoe: Option<Shoe>,
    pub(super) coup: Option<Coup>,
    /// The next coup, if bets or the void of it were recorded before the coup in play was settled.
    pub(super) next: Option<Coup>,
    /// How many coups of the shoe began.
    pub(super) begun: u32,
}

impl State {
    pub(super) fn of(shoe: Option<ShoeFacts>) -> Self {
        let shoe = shoe.map(|facts| Shoe {
            loaded: facts.loaded,
            decks: facts.decks,
            cards: facts.cards,
            burned: facts.burned,
            may_burn_more: false,
            cut: facts.cut,
            ended: facts.ended,
            next_position: facts.next_position,
            next_coup: facts.next_coup,
            refunds: BTreeSet::new(),
            ruled: false,
            lacks_account: None,
            hidden: Vec::new(),
            ended_before: false,
        });
        Self { shoe, coup: None, next: None, begun: 0 }
    }

    pub(super) fn loaded(loaded: &ShoeLoaded, sequence: u64) -> Self {
        Self { shoe: Some(Shoe::load(loaded, sequence)), ..Self::default() }
    }

    pub(super) fn facts(&self) -> Option<ShoeFacts> {
        self.shoe.as_ref().map(|shoe| ShoeFacts {
            loaded: shoe.loaded,
            decks: shoe.decks,
            cards: shoe.cards,
            next_position: shoe.next_position,
            next_coup: shoe.next_coup,
            burned: shoe.burned,
            cut: shoe.cut,
            ended: shoe.ended,
        })
    }

    /// Begins a coup.
    pub(super) fn begin(&mut self, number: u32, tape: &Tape<'_>, at: usize) {
        let shoe = self.shoe.get_or_insert_with(Shoe::unknown);
        shoe.next_coup = Some(number.saturating_add(1));
        shoe.lacks_account = None;
        let ruled = std::mem::take(&mut shoe.ruled) || tape.is_ruled(at, number);
        if let Some(next) = self.next.take().filter(|next| next.number == number) {
            self.coup = Some(Coup { ruled: ruled || next.ruled, ..next });
            return;
        }
        self.begun += 1;
        self.coup = Some(Coup::new(number, ruled));
    }

    /// Something of the next coup is recorded while one is in play.
    pub(super) fn in_next(&mut self, number: u32, change: impl FnOnce(&mut Self)) {
        if self.next.as_ref().is_none_or(|next| next.number != number) {
            self.begun += 1;
            self.next = Some(Coup::new(number, false));
        }
        std::mem::swap(&mut self.coup, &mut self.next);
        change(self);
        std::mem::swap(&mut self.coup, &mut self.next);
    }

    /// Takes back a bet of the next coup.
    fn take_back_next(&mut self, bet: u64) -> bool {
        self.next.as_mut().is_some_and(|next| next.take_back(bet))
    }

    /// Whether an event that names this coup is of the coup in play, or begins the next.
    fn joins(&mut self, number: u32, tape: &Tape<'_>, at: usize) -> bool {
        if let Some(coup) = &self.coup
            && coup.number == number
        {
            return true;
        }
        // A void coup without stakes is over without a settlement.
        let over = self.coup.as_ref().is_none_or(|coup| coup.void && coup.bets.is_empty());
        let next = self.shoe.as_ref().filter(|shoe| !shoe.ended);
        let begins = over && next.is_some_and(|shoe| shoe.next_coup.is_none_or(|next| next == number));
        if begins {
            self.begin(number, tape, at);
        }
        begins
    }

    /// Takes an event that fits. `false`: it does not; what is left of the state is then of no use.
    pub(super) fn follow(&mut self, tape: &Tape<'_>, at: usize) -> bool {
        let Some(event) = tape.event(at) else { return false };
        let grammar = event.grammar;
        match event.body {
            Body::ShoeLoaded(loaded) => {
                let fits = self.is_between() && self.shoe.as_ref().is_none_or(|shoe| shoe.ended);
                *self = Self::loaded(loaded, event.sequence);
                fits
            }
            Body::BurnCards(burn) => self.follow_burn(burn, grammar),
            Body::BetPlaced(placed) => self.joins(placed.coup, tape, at) && self.follow_bet(placed.bet),
            Body::AbonoPlaced(placed) => self.joins(placed.coup, tape, at) && self.follow_bet(placed.bet),
            Body::BetWithdrawn(withdrawn) => match &mut self.coup {
                Some(coup) if coup.has(withdrawn.bet) => coup.take_back(withdrawn.bet) && coup.is_open(),
                Some(_) | None => self.take_back_next(withdrawn.bet),
            },
            Body::BetsClosed(closed) => {
                self.joins(closed.coup, tape, at)
                    && self.coup.as_mut().is_some_and(|coup| {
                        coup.hands.count() == coup.early && !std::mem::replace(&mut coup.closed, true)
                    })
            }
            Body::PuntoHolder(given) => self.follow_holder(given.coup, tape, at),
            Body::CardDrawn(drawn) => {
                self.joins(drawn.coup, tape, at)
                    && self.has_burned(grammar)
                    && self.may_be_dealt(drawn, tape, at)
                    && self.leaves(u32::from(drawn.position))
                    && self.coup.as_mut().is_some_and(|coup| match drawn.to {
                        Destination::Removed => true,
                        Destination::Punto => coup.follow_card(Side::Punto, drawn.card, grammar),
                        Destination::Banca => coup.follow_card(Side::Banca, drawn.card, grammar),
                    })
            }
            Body::CutCardDrawn(cut) => self.shoe.as_mut().is_some_and(|shoe| {
                let due = shoe.next_position.is_none_or(|next| next == u32::from(cut.position));
                !shoe.ended && due && !std::mem::replace(&mut shoe.cut, true)
            }),
            Body::CoupSettled(settled) => self.follow_settlement(settled, grammar),
            Body::CoupVoided(voided) => self.follow_void(voided.coup, tape, at),
            Body::ShoeEnded(end) => {
                self.is_between()
                    && self.shoe.as_mut().is_some_and(|shoe| {
                        let fits = shoe.left().is_none_or(|left| left == u32::from(end.cards_left));
                        !std::mem::replace(&mut shoe.ended, true) && fits
                    })
            }
            Body::TableOpened(_) => self.is_between(),
            Body::TableClosed(_) => self.is_between() && !self.is_left_by_closing(grammar),
            Body::IrregularityRecorded(_) | Body::CardReplaced(_) => {
                self.rule(event.body);
                true
            }
            Body::BancoCalled(_) | Body::DrawDecided(_) | Body::BankSettled(_) if !is_at_bank(grammar) => {
                true
            }
            Body::BancoCalled(called) => {
                let joins = self.joins(called.coup, tape, at);
                self.call(called);
                joins
            }
            Body::DrawDecided(decided) => {
                let draws = decided.decision == Announced::Carta;
                let coup = self.joins(decided.coup, tape, at).then_some(&mut self.coup);
                coup.and_then(Option::as_mut).is_some_and(|coup| coup.hands.announce(decided.hand, draws))
            }
            Body::BankSettled(settled) => self.follow_account(settled, tape, at),
            Body::LimitsChanged(_)
            | Body::SeatTaken(_)
            | Body::SeatLeft(_)
            | Body::DealOffered(_)
            | Body::DealAccepted(_)
            | Body::DealDeclined(_)
            | Body::CommissionCollected(_)
            | Body::CorrectionRecorded(_)
            | Body::BankTaken(_)
            | Body::BankPassed(_)
            | Body::GarajeSet(_)
            | Body::PlayersPresent(_)
            | Body::BankBid(_)
            | Body::LeaveGiven(_)
            | Body::ValuesComputed(_)
            | Body::ExtensionRecorded(_)
            | Body::Unknown(_) => true,
        }
    }

    /// Whether [`Self::facts`] say all that matters for what follows: no coup is in play, and nothing is ruled or void that
    /// the next events depend on.
    pub(super) fn leaves_nothing_open(&self) -> bool {
        let open = |shoe: &Shoe| {
            shoe.ruled || shoe.may_burn_more || !shoe.refunds.is_empty() || shoe.lacks_account.is_some()
        };
        let waits = self.next.is_some() && self.shoe.as_ref().is_some_and(|shoe| !shoe.ended);
        self.coup.is_none() && !waits && !self.shoe.as_ref().is_some_and(open)
    }

    /// Whether a shoe is in play that does not stay in play when the table closes.
    pub(super) fn is_left_by_closing(&self, grammar: &dyn Grammar) -> bool {
        !grammar.may_stay_overnight() && self.shoe.as_ref().is_some_and(|shoe| !shoe.ended)
    }

    /// Whether no coup is in play that something is still due for.
    pub(super) fn is_between(&self) -> bool {
        self.coup.as_ref().is_none_or(|coup| coup.void && coup.bets.is_empty())
    }

    fn follow_burn(&mut self, burn: &events::BurnCards, grammar: &dyn Grammar) -> bool {
        let Some(shoe) = self.shoe.as_mut().filter(|shoe| !shoe.ended && self.coup.is_none()) else {
            return false;
        };
        let due = match grammar.burn(burn.indicator, shoe.decks) {
            BurnDue::None => false,
            BurnDue::Cards(due) => due == burn.burned || shoe.may_burn_more,
            BurnDue::Unknown => true,
        };
        let first = !std::mem::replace(&mut shoe.burned, true) || std::mem::take(&mut shoe.may_burn_more);
        shoe.pass(1 + u32::from(burn.burned));
        first && due && shoe.next_coup.is_none_or(|next| next == 1)
    }

    /// Whether cards were burned, or need not be. Without a rulebook nobody knows whether they have to be.
    pub(super) fn has_burned(&mut self, grammar: &dyn Grammar) -> bool {
        let Some(shoe) = &mut self.shoe else { return false };
        if !shoe.burned && grammar.game().is_none() {
            (shoe.burned, shoe.next_position) = (true, None);
        }
        shoe.burned || grammar.burn(Face::Unseen, shoe.decks) == BurnDue::None
    }

    /// Whether the bets are closed, or need not be: for a card that is taken away, or that a ruling names.
    fn may_be_dealt(&mut self, drawn: &CardDrawn, tape: &Tape<'_>, at: usize) -> bool {
        let Some(coup) = &mut self.coup else { return false };
        let is_free = coup.closed || coup.void || drawn.to == Destination::Removed;
        let is_named = !is_free && tape.is_named(at, drawn.position);
        coup.early += u8::from(is_named);
        is_free || is_named
    }

    /// A card at this position leaves the shoe, if it is the next.
    fn leaves(&mut self, position: u32) -> bool {
        self.shoe.as_mut().is_some_and(|shoe| {
            let fits = shoe.next_position.is_none_or(|next| next == position);
            shoe.next_position = Some(position.saturating_add(1));
            fits
        })
    }

    fn follow_bet(&mut self, bet: u64) -> bool {
        self.coup.as_mut().is_some_and(|coup| {
            let fits = coup.is_open() && !coup.has(bet);
            coup.place(bet);
            fits
        })
    }

    /// Somebody is given punto's cards. If the record begins in the middle of a shoe, it may begin between the close of a coup and
    /// this.
    fn follow_holder(&mut self, number: u32, tape: &Tape<'_>, at: usize) -> bool {
        let begins_late = self.shoe.as_ref().is_some_and(|shoe| shoe.next_coup.is_none());
        if self.coup.is_none() && begins_late && self.joins(number, tape, at) {
            self.coup.iter_mut().for_each(|coup| coup.closed = true);
        }
        let coup = self.coup.as_mut().filter(|coup| coup.number == number);
        coup.is_some_and(|coup| !std::mem::replace(&mut coup.holder, true))
    }

    /// Somebody plays for the bank.
    pub(super) fn call(&mut self, called: &BancoCalled) {
        self.coup.iter_mut().for_each(|coup| coup.seguido |= called.call == Call::Seguido);
    }

    /// The account of a coup comes before its settlement. If it was missed, it may come right after.
    fn follow_account(&mut self, settled: &BankSettled, tape: &Tape<'_>, at: usize) -> bool {
        let lacks = self.shoe.as_mut().map(|shoe| &mut shoe.lacks_account);
        if lacks.is_some_and(|lacks| lacks.take_if(|coup| *coup == settled.coup).is_some()) {
            return true;
        }
        self.joins(settled.coup, tape, at)
            && self.coup.as_mut().is_some_and(|coup| !std::mem::replace(&mut coup.account, true))
    }

    /// The coup in play is settled. If the next was declared void before that, it is in play now.
    pub(super) fn end_coup(&mut self, grammar: &dyn Grammar) {
        let Some(coup) = self.coup.take() else { return };
        let lacks = Some(coup.number).filter(|_| !coup.account && is_at_bank(grammar));
        self.shoe.iter_mut().for_each(|shoe| shoe.lacks_account = lacks);
        self.coup = self.next.take_if(|next| next.void);
        if let (Some(next), Some(shoe)) = (&self.coup, &mut self.shoe) {
            shoe.next_coup = Some(next.number.saturating_add(1));
        }
    }

    fn follow_settlement(&mut self, settled: &CoupSettled, grammar: &dyn Grammar) -> bool {
        if let Some(coup) = self.coup.as_ref().filter(|coup| coup.number == settled.coup) {
            let played = coup.void || coup.closed && !matches!(coup.due(grammar), Due::Card(_));
            let whole = coup.compare_totals(settled, grammar) == [false; 3];
            let fits = played && whole && coup.has_all_lines(settled);
            self.end_coup(grammar);
            return fits;
        }
        self.shoe.as_mut().is_some_and(|shoe| shoe.refunds.remove(&settled.coup))
    }

    /// A coup was declared void after its settlement.
    fn await_refund(&mut self, coup: u32) {
        self.shoe.iter_mut().for_each(|shoe| {
            shoe.refunds.insert(coup);
        });
    }

    fn follow_void(&mut self, coup: u32, tape: &Tape<'_>, at: usize) -> bool {
        let over = self.shoe.as_ref().is_some_and(|shoe| shoe.next_coup.is_none_or(|next| coup < next));
        let in_play = self.coup.as_ref().is_some_and(|play| play.number == coup);
        if over && !in_play {
            self.await_refund(coup);
            return true;
        }
        let joins = self.joins(coup, tape, at);
        self.coup.iter_mut().for_each(|coup| coup.void = true);
        joins
    }

    fn rule(&mut self, body: &Body) {
        let Some(shoe) = &mut self.shoe else { return };
        if let Body::IrregularityRecorded(ruled) = body {
            if ruled.code.as_str() == BURN_NOT_RECORDED && !shoe.burned {
                (shoe.burned, shoe.next_position, shoe.next_coup) = (true, None, None);
            } else if ruled.code.as_str() == BURN_CORRECTED && shoe.next_coup == Some(1) {
                shoe.may_burn_more = true;
            }
        }
        if is_of_a_coup(body) {
            // It concerns the coup that it names.
            let named = body.coup();
            match &mut self.coup {
                Some(coup) if named.is_none_or(|named| named == coup.number) => coup.ruled = true,
                Some(coup) => shoe.ruled |= named == coup.number.checked_add(1),
                None => {
                    let next = shoe.next_coup;
                    shoe.ruled |= named.is_none_or(|named| next.is_none_or(|next| named >= next));
                }
            }
        }
    }

    /// Takes an event at its word, whatever it says.
    #[allow(clippy::wildcard_enum_match_arm, reason = "everything else that names a coup is of it")]
    pub(super) fn believe(&mut self, tape: &Tape<'_>, at: usize) -> Believed {
        let Some(event) = tape.event(at) else { return Believed::AsNamed };
        let named = event.body.coup();
        if let Some(coup) = named.and_then(|label| self.dealt_under(event.body, label, tape, at)) {
            self.insist(event.body, event.sequence);
            return Believed::Of(coup);
        }
        let names = match event.body {
            Body::IrregularityRecorded(_) | Body::CardReplaced(_) | Body::ValuesComputed(_) => false,
            Body::BancoCalled(_) | Body::DrawDecided(_) | Body::BankSettled(_) => is_at_bank(event.grammar),
            _ => true,
        };
        let number = self.coup.as_ref().map(|coup| coup.number);
        if let Some(next) = named.filter(|named| names && self.is_ahead(*named, tape, at)) {
            self.in_next(next, |state| state.insist(event.body, event.sequence));
            return Believed::Ahead;
        }
        let other = number != named || names && self.is_another(event.body, tape, at);
        self.coup.iter_mut().filter(|_| number == named).for_each(|coup| coup.hidden = 0);
        if let Some(number) = named.filter(|_| names && other) {
            let settles = matches!(event.body, Body::CoupSettled(_) | Body::BankSettled(_));
            let past = |shoe: &Shoe| shoe.is_past(number, settles);
            let again =
                matches!(event.body, Body::CoupSettled(_) | Body::CoupVoided(_) | Body::BankSettled(_))
                    || self.coup.is_none() && tape.is_bet_alone(at);
            if !(again && self.shoe.as_ref().is_some_and(past)) {
                self.begin(number, tape, at);
            }
        }
        self.insist(event.body, event.sequence);
        if let (Body::CoupSettled(settled), None, true) = (event.body, &self.coup, is_at_bank(event.grammar))
        {
            // Its account may be missing, and then it may come right after.
            self.shoe.iter_mut().for_each(|shoe| shoe.lacks_account = Some(settled.coup));
        }
        Believed::AsNamed
    }

    /// The coup in play, if it has no cards under its own number, and this is one under another: all up to its settlement are
    /// (`docs/judging.md`, "Events under another number").
    fn dealt_under(&mut self, body: &Body, label: u32, tape: &Tape<'_>, at: usize) -> Option<u32> {
        let coup = self.coup.as_mut().filter(|coup| coup.number != label && !coup.void)?;
        let is_card = matches!(body, Body::CardDrawn(drawn) if drawn.to.side().is_some());
        let is_first = coup.hands.count() == 0 || coup.label == Some(label);
        if !is_card || !is_first || !tape.is_dealt_as(at, coup.number, another_up_to(coup.number)) {
            return None;
        }
        (coup.label, coup.hidden) = (Some(label), 0);
        Some(coup.number)
    }

    /// Whether an event names the next coup, and the coup in play is settled before that.
    fn is_ahead(&self, named: u32, tape: &Tape<'_>, at: usize) -> bool {
        let in_play = self.coup.as_ref().filter(|coup| !(coup.void && coup.bets.is_empty()));
        in_play.is_some_and(|coup| {
            named == coup.number.saturating_add(1) && tape.settles_next(at) == Some(coup.number)
        })
    }

    /// Whether the coup in play may be over, and this be of another of its number, in another shoe that was loaded in what is
    /// missing. No bet shows that it is the same.
    fn is_another(&self, body: &Body, tape: &Tape<'_>, at: usize) -> bool {
        let may_be = |coup: &&Coup| coup.hidden >= another_up_to(coup.number);
        let coup = self.coup.as_ref().filter(|_| !matches!(body, Body::CoupVoided(_))).filter(may_be);
        coup.is_some_and(|coup| !tape.names_any(at, coup.number, &coup.bets))
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else changes how play stands")]
    fn insist(&mut self, body: &Body, sequence: u64) {
        match body {
            Body::ShoeLoaded(loaded) => *self = Self::loaded(loaded, sequence),
            Body::BurnCards(burn) => {
                if let Some(shoe) = &mut self.shoe {
                    shoe.burned = true;
                    shoe.pass(1 + u32::from(burn.burned));
                }
            }
            Body::CardDrawn(drawn) => {
                if let Some(shoe) = &mut self.shoe {
                    shoe.burned = true;
                    shoe.next_position = Some(u32::from(drawn.position).saturating_add(1));
                }
                if let (Some(coup), Some(side)) = (&mut self.coup, drawn.to.side()) {
                    coup.closed = true;
                    coup.hands.give(side, drawn.card);
                }
            }
            Body::BetsClosed(_) => self.coup.iter_mut().for_each(|coup| coup.closed = true),
            Body::BetPlaced(placed) => self.coup.iter_mut().for_each(|coup| coup.place(placed.bet)),
            Body::AbonoPlaced(placed) => self.coup.iter_mut().for_each(|coup| coup.place(placed.bet)),
            Body::BancoCalled(called) => self.call(called),
            Body::PuntoHolder(_) => self.coup.iter_mut().for_each(|coup| coup.holder = true),
            Body::DrawDecided(decided) => {
                let draws = decided.decision == Announced::Carta;
                self.coup.iter_mut().for_each(|coup| {
                    coup.hands.announce(decided.hand, draws);
                });
            }
            Body::BankSettled(_) => self.coup.iter_mut().for_each(|coup| coup.account = true),
            Body::BetWithdrawn(withdrawn) => {
                let is_own = self.coup.as_mut().is_some_and(|coup| coup.take_back(withdrawn.bet));
                if !is_own {
                    self.take_back_next(withdrawn.bet);
                }
            }
            Body::CoupSettled(settled) => {
                let over = self.coup.take_if(|coup| coup.number == settled.coup);
                if let (Some(over), Some(shoe)) = (over, &mut self.shoe) {
                    shoe.next_coup = shoe.next_coup.or(over.number.checked_add(1));
                }
            }
            Body::CoupVoided(voided) => match &mut self.coup {
                Some(coup) if coup.number == voided.coup => coup.void = true,
                Some(_) | None => self.await_refund(voided.coup),
            },
            Body::CutCardDrawn(_) => self.shoe.iter_mut().for_each(|shoe| shoe.cut = true),
            Body::ShoeEnded(_) => {
                (self.coup, self.next) = (None, None);
                self.shoe.iter_mut().for_each(|shoe| shoe.ended = true);
            }
            Body::TableOpened(_) | Body::TableClosed(_) => (self.coup, self.next) = (None, None),
            Body::IrregularityRecorded(_) | Body::CardReplaced(_) => self.rule(body),
            _ => {}
        }
    }

    /// Behind a hole of so many events: what is not known any more.
    pub(super) fn doubt(&mut self, events: u64) {
        self.coup.iter_mut().for_each(|coup| coup.hidden = coup.hidden.saturating_add(events));
        if let Some(shoe) = &mut self.shoe {
            shoe.hide(events);
            shoe.ended_before = shoe.ended;
            (shoe.next_position, shoe.next_coup) = (None, None);
            (shoe.burned, shoe.may_burn_more) = (true, true);
        }
    }
}

/// Events at least before a coup of the same number in another shoe: a settlement, an end, a load, a burn, and the coups before it.
fn another_up_to(coup: u32) -> u64 {
    least_events_before(coup).saturating_add(4)
}

/// Whether a player has the bank.
pub(super) fn is_at_bank(grammar: &dyn Grammar) -> bool {
    grammar.game() == Some(Game::CheminDeFer)
}

impl Coup {
    /// Deals a card, if it is due.
    fn follow_card(&mut self, side: Side, face: Face, grammar: &dyn Grammar) -> bool {
        let fits = match self.due(grammar) {
            Due::Card(due) => due == side,
            Due::Nothing => false,
            Due::Unknown => true,
        };
        self.hands.give(side, face);
        fits
    }
}
