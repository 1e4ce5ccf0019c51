//! The fold over one table's events: each state consumes an event and gives the next state plus
//! what was found.
//!
//! Events are taken in the order of the table's own numbering. An entry beyond a gap waits for
//! the missing ones, up to [`MAX_WAITING`] events; then the gap is a finding and judging goes on.

mod chemin;
mod ending;
mod opening;
mod play;
mod rulings;
mod sequence;
mod taken;
mod telling;

use std::collections::BTreeMap;
use std::sync::Arc;

use baccarat::Rulebook;
use events::{Body, CoupSettled, Event, Limits, Name, OccurredAt, Seat};
use serde::{Deserialize, Serialize};

pub(crate) use self::sequence::{Content, Told};
pub use self::taken::MAX_COMPARED;
use self::taken::Taken;
use crate::boxes::Boxes;
use crate::chemin::Chemin;
use crate::coup::CoupInPlay;
use crate::dealing::Dealing;
use crate::detail::{third_cards, third_cards_chosen};
use crate::identity::Identities;
use crate::places::Places;
use crate::question::Question;
use crate::rules::{Rules, StakeRange};
use crate::rulings::Rulings;
use crate::settlement::Comparison;
use crate::shoe::Shoe;
use crate::sink::{Accusation, Place, Sink};
use crate::tally::{MAX_TOLD, Tally};
use crate::{Code, CoupVerdict, Finding, Reason, TableStanding};

/// Events that wait for a gap to be filled before it is declared.
pub const MAX_WAITING: usize = 512;

/// The code of an irregularity by which a record says that it does not know the burn.
pub const BURN_NOT_RECORDED: &str = "burn-not-recorded";

/// The rulebook in force.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
enum InForce {
    #[default]
    None,
    /// Of a format this program does not know.
    Unreadable,
    Known(Arc<Rules>),
}

impl InForce {
    /// The rules, where there are any to judge by.
    fn rules(&self) -> Option<&Rules> {
        match self {
            Self::Known(rules) => Some(rules),
            Self::None | Self::Unreadable => None,
        }
    }
}

/// The coup that was over last.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Last {
    play: Box<CoupInPlay>,
    /// Its settlement, `None` where it was left without.
    settled: Option<CoupSettled>,
    /// Sequence of its settlement, or of the newest correction of it.
    sequence: u64,
    /// Declared void after it was settled: stakes have to come back.
    voided: bool,
}

/// What a table was opened with, but for its rulebook: many tables have the same.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Opened {
    limits: Limits,
    currency: Name,
    minor_digits: u8,
    seats: Vec<u8>,
}

/// One table's state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Table {
    pub(crate) id: String,
    #[serde(skip)]
    question: Arc<Question>,
    next: u64,
    #[serde(with = "crate::saved::waiting")]
    waiting: BTreeMap<u64, (u64, Content)>,
    /// The newest events judged.
    taken: Taken,
    /// Ranges of sequences declared missing, for entries that arrive too late.
    gaps: Vec<(u64, u64)>,
    /// Ranges of sequences that this copy leaves out.
    left_out: Vec<(u64, u64)>,
    pub(crate) missing: u64,
    clock: Option<OccurredAt>,
    place: Place,
    in_force: InForce,
    not_open_told: bool,
    not_in_force_told: bool,
    shoe_missing_told: bool,
    opened: Option<Box<Opened>>,
    ranges: Vec<StakeRange>,
    /// Whether events are missing that may have changed the limits,
    limits_doubted: bool,
    /// or closed the table.
    closing_missed: bool,
    shoe: Option<Shoe>,
    play: Option<Box<CoupInPlay>>,
    play_began: Place,
    /// Why the first coup settled from here on cannot be decided.
    taint: Option<Reason>,
    last: Option<Last>,
    /// Positions of cards that a ruling made the first of the next coup.
    carried: Vec<u16>,
    /// Rulings made while no coup was in play: they concern the next.
    rulings_before: Rulings,
    boxes: Boxes,
    dealing: Dealing,
    /// The bank, at a table of chemin de fer.
    chemin: Option<Box<Chemin>>,
    bet_ids: Identities,
    sink: Sink,
    pub(crate) places: Places,
    /// Findings of the coup in play, kept where coups are to be told in full.
    coup_findings: Vec<Finding>,
    pub(crate) tally: Tally,
}

impl Table {
    pub(crate) fn new(id: String, question: Arc<Question>) -> Self {
        Self {
            id,
            question,
            next: 1,
            waiting: BTreeMap::new(),
            taken: Taken::default(),
            gaps: Vec::new(),
            left_out: Vec::new(),
            missing: 0,
            clock: None,
            place: Place::default(),
            in_force: InForce::None,
            not_open_told: false,
            not_in_force_told: false,
            shoe_missing_told: false,
            opened: None,
            ranges: Vec::new(),
            limits_doubted: false,
            closing_missed: false,
            shoe: None,
            play: None,
            play_began: Place::default(),
            taint: None,
            last: None,
            carried: Vec::new(),
            rulings_before: Rulings::default(),
            boxes: Boxes::default(),
            dealing: Dealing::default(),
            chemin: None,
            bet_ids: Identities::default(),
            sink: Sink::default(),
            places: Places::default(),
            coup_findings: Vec::new(),
            tally: Tally::default(),
        }
    }

    pub(crate) fn standing(&self) -> TableStanding {
        let waiting: usize = self.waiting.values().map(|(_, content)| sequence::events_of(content)).sum();
        TableStanding {
            table: self.id.clone(),
            events: self.tally.events,
            next: self.next,
            waiting: waiting as u64,
            missing: self.missing,
            clock: self.clock.map(|clock| clock.to_string()),
            rulebook: self.in_force.rules().map(|rules| rules.book.id.to_string()),
            shoe: self.shoe.as_ref().filter(|shoe| !shoe.ended()).map(|shoe| shoe.id().to_string()),
            coup: self.play.as_ref().map(|play| play.number),
            coups: self.tally.coups,
            shoes: self.tally.shoes,
            undecided: self.tally.undecided.clone(),
            findings_by_code: self.tally.by_code.clone(),
        }
    }

    /// Taken up again, it is asked this.
    pub(crate) fn ask(&mut self, question: &Arc<Question>) {
        self.question = Arc::clone(question);
    }

    /// Something of the record is missing here.
    fn doubt(&mut self, reason: Reason) {
        self.taint = Some(reason);
        (self.limits_doubted, self.closing_missed) = (true, true);
        if let Some(play) = self.play.as_mut() {
            play.doubt(reason);
        }
        if let Some(shoe) = self.shoe.as_mut() {
            shoe.doubt(reason);
        }
        self.boxes.doubt();
        self.dealing.doubt();
        if let Some(chemin) = self.chemin.as_mut() {
            chemin.doubt();
        }
        self.not_open_told |= matches!(self.in_force, InForce::None);
        self.shoe_missing_told |= self.shoe.is_none();
    }

    fn rules(&self) -> Option<Arc<Rules>> {
        match &self.in_force {
            InForce::Known(rules) => Some(Arc::clone(rules)),
            InForce::None | InForce::Unreadable => None,
        }
    }

    fn event(&mut self, event: Event) {
        self.tally.events += 1;
        self.tally.attested.count(&event.body);
        self.check_time(event.occurred_at);
        match event.body {
            Body::TableOpened(opened) => {
                self.places.open(self.place.sequence);
                self.open(opened);
            }
            Body::TableClosed(_) => self.close(),
            Body::LimitsChanged(limits) => {
                self.places.limit(self.place.sequence);
                self.change_limits(limits);
            }
            Body::ShoeLoaded(loaded) => {
                self.places.load(&loaded.shoe, self.place.sequence);
                self.leave_shoe();
                // No coup goes on from one shoe into the next: whatever was missed of one is over.
                self.taint = None;
                let rules = self.rules();
                self.require_open();
                self.check_in_force();
                self.dealing.new_shoe();
                if let Some(chemin) = self.chemin.as_mut() {
                    chemin.turn.new_shoe();
                }
                let (book, began) = (rules.as_deref().map(|rules| &rules.book), self.place.sequence);
                self.shoe = Some(Shoe::load(loaded, began, book, &mut self.sink));
            }
            Body::BurnCards(burn) => self.in_shoe(|shoe, rules, sink| shoe.burn(&burn, rules, sink)),
            Body::CutCardDrawn(cut) => {
                let first = self.play.as_ref().is_some_and(|play| play.awaits_first_card());
                self.in_shoe(|shoe, rules, sink| shoe.cut(&cut, first, rules, sink));
            }
            Body::ShoeEnded(end) => {
                self.abandon_coup();
                self.in_shoe(|shoe, _, sink| shoe.end(&end, sink));
            }
            Body::BetPlaced(placed) => {
                self.begin(placed.coup);
                self.place_bet(&placed);
            }
            Body::BetWithdrawn(withdrawn) => match self.play.as_mut() {
                Some(play) => play.withdraw(withdrawn.bet, &mut self.sink),
                // It may have been placed in what is missing.
                None if self.taint.is_some() => {}
                None => {
                    let recorded = format!("bet {} taken back", withdrawn.bet);
                    self.sink.accuse(Accusation::new(Code::BetUnknown, "a bet standing in a coup", recorded));
                }
            },
            Body::BetsClosed(closed) => {
                self.begin(closed.coup);
                if let Some(play) = self.play.as_mut() {
                    play.close(self.in_force.rules(), &mut self.sink);
                }
            }
            Body::PuntoHolder(given) => {
                self.begin(given.coup);
                if let (Some(rules), Some(play)) = (self.in_force.rules(), self.play.as_mut()) {
                    play.hold(given.holder, rules, &mut self.sink);
                }
            }
            Body::CardDrawn(drawn) => self.draw(&drawn),
            Body::CoupSettled(settled) => self.settle(settled),
            Body::CoupVoided(voided) => self.void(&voided),
            Body::CommissionCollected(collected) => {
                let accusation = self.boxes.collect(collected.seat, collected.amount);
                self.sink.accuse_all(accusation);
            }
            Body::SeatLeft(Seat { seat, .. }) => {
                let left = [self.dealing.leave(seat), self.boxes.leave(seat)];
                let bank = self.chemin.as_mut().and_then(|chemin| chemin.leave(seat));
                self.sink.accuse_all(left.into_iter().flatten().chain(bank));
            }
            Body::IrregularityRecorded(irregularity) => self.attest(&irregularity),
            Body::CorrectionRecorded(correction) => self.correct(correction),
            Body::SeatTaken(Seat { seat, player }) => {
                if self.opened.as_ref().is_some_and(|opened| !opened.seats.contains(&seat)) {
                    let recorded = format!("seat {seat} taken");
                    self.sink.accuse(Accusation::new(Code::SeatWrong, "a seat of the table", recorded));
                }
                let accusation = self.dealing.sit(seat);
                self.sink.accuse_all(accusation);
                self.sit_at_bank(seat, player);
            }
            Body::DealOffered(deal) => {
                if !self.offer_bank(deal.seat, false) {
                    self.deal(|dealing, rule, sink| dealing.offer(deal.seat, rule, sink));
                }
            }
            Body::DealAccepted(deal) => {
                self.deal(|dealing, rule, sink| dealing.accept(deal.seat, rule, sink));
            }
            Body::DealDeclined(deal) => {
                if !self.offer_bank(deal.seat, true) {
                    self.deal(|dealing, rule, sink| dealing.decline(deal.seat, rule, sink));
                }
            }
            body @ (Body::BankTaken(_)
            | Body::BankPassed(_)
            | Body::BancoCalled(_)
            | Body::AbonoPlaced(_)
            | Body::GarajeSet(_)
            | Body::DrawDecided(_)
            | Body::PlayersPresent(_)
            | Body::BankSettled(_)
            | Body::BankBid(_)
            | Body::LeaveGiven(_)) => self.chemin_event(body),
            Body::Unknown(_) => self.doubt(Reason::EventUnknown),
        }
    }

    fn check_time(&mut self, now: OccurredAt) {
        if let Some(clock) = self.clock
            && now.micros() < clock.micros()
        {
            self.sink.accuse(Accusation::new(Code::TimeBackwards, format!("not before {clock}"), now));
        }
        self.clock = Some(now);
    }

    fn in_shoe(&mut self, act: impl FnOnce(&mut Shoe, Option<&Rulebook>, &mut Sink)) {
        let rules = self.in_force.rules().map(|rules| &rules.book);
        let coup = self.play.as_ref().map(|play| play.number);
        self.sink.stand_in(coup);
        match self.shoe.as_mut() {
            Some(shoe) => act(shoe, rules, &mut self.sink),
            None if self.taint.is_none() && !self.shoe_missing_told => {
                self.shoe_missing_told = true;
                self.sink.accuse(Accusation::new(Code::ShoeMissing, "a shoe loaded before play", "none"));
            }
            None => {}
        }
        self.sink.stand_in(None);
    }
}
