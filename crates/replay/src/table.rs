//! The fold over the events of one table, in the order of their sequences: each event gives the next state and
//! what was found. Facts that an event shows about earlier events go to the record (`record.rs`), which plays
//! those events again.

mod alike;
mod around;
mod awaited;
mod behind;
mod chemin;
mod corrections;
mod early;
mod ending;
mod gaps;
mod labels;
mod ledger;
mod limits;
mod mending;
mod notes;
mod opening;
mod over;
mod play;
mod producers;
mod queue;
mod rulings;
mod seen;
mod views;
mod voids;

use std::collections::BTreeSet;
use std::num::NonZeroU64;
use std::sync::Arc;

use baccarat::Rulebook;
use events::{
    BetPlaced, BetsClosed, Body, CardDrawn, CoupSettled, Event, Limits, Name, OccurredAt, PuntoHolder, Seat,
};

use serde::{Deserialize, Serialize};

#[cfg(feature = "stages")]
pub(crate) use self::alike::characters;
use self::around::Around;
pub(crate) use self::awaited::AllAwaited;
use self::behind::Behind;
pub(crate) use self::corrections::Corrections;
#[cfg(feature = "stages")]
pub(crate) use self::corrections::accusation as corrected_late;
#[cfg(feature = "stages")]
pub(crate) use self::corrections::seat as seat_decided;
use self::early::Early;
pub(crate) use self::early::HeldBack;
pub(crate) use self::gaps::Gap;
pub(crate) use self::ledger::PastBettors;
#[cfg(feature = "stages")]
pub(crate) use self::limits::check_limits;
pub(crate) use self::mending::Mending;
use self::opening::RulesAtRest;
use self::over::Over;
pub(crate) use self::over::Overs;
pub(crate) use self::producers::Producers;
pub(crate) use self::queue::{Queued, Waiting};
#[cfg(feature = "stages")]
pub(crate) use self::rulings::cannot_become;
pub(crate) use self::seen::Seen;
#[cfg(feature = "stages")]
pub(crate) use self::views::more_recorded_by;
pub(crate) use self::views::more_than_kept;
use crate::account::Shares;
use crate::attested::Attested;
use crate::boxes::Boxes;
use crate::caps::Cap;
use crate::chemin::Chemin;
use crate::coup::{Bet, CoupInPlay};
use crate::dealing::Dealing;
use crate::detail::{third_cards, third_cards_chosen};
use crate::identity::Identities;
use crate::lookup::Lookup;
use crate::mended::Judged;
use crate::person::Person;
use crate::question::Question;
use crate::record::Revision;
use crate::rules::{Rules, StakeRange};
use crate::rulings::Rulings;
use crate::seating::Seating;
use crate::seldom::Seldom;
use crate::settlement::Comparison;
use crate::shoe::Shoe;
use crate::sink::{Accusation, Location, Sink};
use crate::statement::{OfBets, OfSeats, OfShoe, OfTable};
use crate::tally::{Counted, MAX_COUP_VIEWS, Tally};
use crate::{Code, CoupVerdict, Currency, Finding, Reason, TableState};

/// The code of an irregularity by which a record says that it does not know the burn.
pub const BURN_NOT_RECORDED: &str = "burn-not-recorded";

/// The code of an irregularity by which more cards are burned, where too few were.
pub(crate) const BURN_CORRECTED: &str = "burn-corrected";

/// The rulebook in force.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
enum InForce {
    #[default]
    None,
    /// Of a format this program does not know.
    Unreadable,
    /// None of those that are approved: nothing is judged by it.
    Unapproved,
    Known(Arc<Rules>),
    /// The table rests, and its rules are no other table's: they are read again when it wakes.
    AtRest(RulesAtRest),
}

impl InForce {
    /// The rules, where there are any to judge by.
    fn rules(&self) -> Option<&Rules> {
        match self {
            Self::Known(rules) => Some(rules),
            Self::None | Self::Unreadable | Self::Unapproved | Self::AtRest(_) => None,
        }
    }
}

/// What is missing right before a coup, and may be of it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Taint {
    reason: Reason,
    events: u64,
    /// Whether cards may be among it.
    cards: bool,
}

/// Coups that may have been played in what is missing before another: from one number up to the other's.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Hidden {
    first: u32,
    next: u32,
    taint: Taint,
}

/// What a table was opened with, but for its rulebook: many tables have the same.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Opened {
    limits: Limits,
    currency: Currency,
    seats: Vec<u8>,
}

/// The seats of the bets of the shoe.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct BetSeats {
    /// By coup, bet and seat, in the order in which they were placed.
    all: Vec<(u32, u64, u8)>,
    #[serde(skip)]
    index: Lookup,
}

impl Table {
    /// How many bets of the shoe are kept.
    pub(crate) fn bets(&self) -> u64 {
        self.bet_seats.all.len() as u64
    }
}

impl BetSeats {
    /// The bets of this id.
    fn of(&mut self, bet: u64) -> impl DoubleEndedIterator<Item = (u32, u64, u8)> {
        self.index.see(&self.all, |placed| placed.1);
        self.index.of(bet).map(|at| self.all[at])
    }

    /// Frees spare capacity.
    fn rest(&mut self) {
        self.index = Lookup::default();
        self.all.shrink_to_fit();
    }
}

/// One table's state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Table {
    pub(crate) id: String,
    #[serde(skip)]
    question: Arc<Question>,
    clock: Option<OccurredAt>,
    location: Location,
    in_force: InForce,
    not_open_reported: bool,
    not_in_force_reported: bool,
    shoe_missing_reported: bool,
    opened: Option<Box<Opened>>,
    ranges: Arc<[StakeRange]>,
    /// Whether events are missing that may have changed the limits.
    limits_doubted: bool,
    /// Whether events are missing that may have closed the table.
    closing_missed: bool,
    /// Whether the table was closed, as is recorded, and nothing is missing since.
    #[serde(default)]
    closed: bool,
    shoe: Option<Box<Shoe>>,
    play: Option<Box<CoupInPlay>>,
    /// An empty list with the capacity of the last coup's bets, used for the next coup.
    #[serde(skip)]
    spare_bets: Vec<Bet>,
    play_began: Location,
    /// What is missing before the next coup that is settled.
    taint: Option<Taint>,
    /// Whether it is already reported that a shoe had no end.
    #[serde(default)]
    end_reported: bool,
    /// Sequences of the first shoe loaded and of the last; 0 before.
    #[serde(default)]
    shoes: (u64, u64),
    /// Coups of the shoe that are over.
    over: Seldom<Overs>,
    /// Coups of the shoe of which nothing is recorded, and that may be declared void still.
    #[serde(default)]
    hidden: Seldom<Vec<Hidden>>,
    bet_seats: Seldom<BetSeats>,
    /// Coups that were violated before they began.
    violated_ahead: Seldom<BTreeSet<u32>>,
    /// The coup that is about to begin, or of which an event waits. A finding with this number belongs to it,
    /// not to an earlier coup of the same number.
    #[serde(skip)]
    coming: Option<u32>,
    /// The coup that was last given up behind a gap: it may be declared void still.
    #[serde(default)]
    given_up: Option<Box<CoupInPlay>>,
    /// Coups declared void after they were over, whose stakes have to come back.
    awaited: Seldom<AllAwaited>,
    /// Whether the event that is judged was corrected.
    #[serde(skip)]
    amended: bool,
    corrections: Seldom<Corrections>,
    /// Whether something between two coups was corrected: the next is subject to that.
    #[serde(default)]
    next_ruled: bool,
    /// Sequence of the last card that was dealt to a hand.
    #[serde(default)]
    last_card: u64,
    /// Events of another coup than the one in play, which is not settled yet.
    #[serde(with = "crate::saved::queue")]
    queue: Seldom<Vec<Arc<Waiting>>>,
    /// Numbers of the coups and bets whose events wait in `queue`.
    queued: Seldom<Queued>,
    /// Whether the event that is judged waited for the settlement of the coup before its own.
    #[serde(skip)]
    ahead: bool,
    /// Whether the last event that names a coup waits: one that names none is of the same coup.
    #[serde(default)]
    last_waits: bool,
    /// Whether the record ends: events that wait may then belong to the coup in play.
    #[serde(skip)]
    finished: bool,
    /// The coup for which an event with another number was reported last.
    #[serde(default)]
    label_reported: Option<u32>,
    /// Positions of cards that a ruling made the first of the next coup.
    carried: Seldom<Vec<u16>>,
    /// Rulings made while no coup was in play: they concern the next.
    rulings_before: Seldom<Rulings>,
    boxes: Seldom<Boxes>,
    dealing: Dealing,
    seating: Seating,
    /// The bank, at a table of chemin de fer.
    chemin: Option<Box<Chemin>>,
    bet_ids: Identities,
    around: Around,
    /// What was forgotten since the table opened, as far as it is reported.
    #[serde(default)]
    forgotten: Seldom<BTreeSet<Cap>>,
    /// What a hand that stood wrongly would have been dealt.
    #[serde(default)]
    behind: Option<Box<Behind>>,
    /// What the previous event may have been recorded too early for.
    #[serde(default)]
    before: Early,
    /// The last settlement, where a card was due still.
    #[serde(default)]
    settled_short: Option<NonZeroU64>,
    /// Events that were recorded too early, until the one they should come after is judged.
    #[serde(skip)]
    held_back: Seldom<Vec<HeldBack>>,
    sink: Sink,
    /// What missing events may mend.
    #[serde(default)]
    mending: Seldom<Mending>,
    /// Which kind of event is judged.
    #[serde(skip)]
    judged: Judged,
    /// What is wrong with turns before the first coup of a shoe that the record may join in the middle.
    #[serde(default)]
    early_turns: Seldom<Vec<Accusation>>,
    /// Extensions since the shoe was loaded, and their bytes.
    #[serde(default)]
    extended: Seldom<(u64, u64)>,
    /// Who recorded its entries.
    #[serde(default)]
    pub(crate) producers: Producers,
    /// What was found since the record asked last.
    fresh: Seldom<Vec<Finding>>,
    /// Findings of the coup in play, kept where coup views are asked for.
    coup_findings: Seldom<Vec<Finding>>,
    /// What they say of its money, kept where coup views are asked for or a ledger is kept.
    #[serde(default)]
    shares: Seldom<Shares>,
    /// Who had bets at which seat in the coups of the shoe that are over, kept where a ledger is.
    #[serde(skip)]
    bettors: Seldom<PastBettors>,
    pub(crate) tally: Counted,
}

impl Table {
    pub(crate) fn new(id: String, question: Arc<Question>) -> Self {
        Self {
            id,
            question,
            clock: None,
            location: Location::default(),
            in_force: InForce::None,
            not_open_reported: false,
            not_in_force_reported: false,
            shoe_missing_reported: false,
            opened: None,
            ranges: Arc::default(),
            limits_doubted: false,
            closing_missed: false,
            closed: false,
            shoe: None,
            play: None,
            spare_bets: Vec::new(),
            play_began: Location::default(),
            taint: None,
            end_reported: false,
            shoes: (0, 0),
            over: Seldom::default(),
            hidden: Seldom::default(),
            bet_seats: Seldom::default(),
            violated_ahead: Seldom::default(),
            coming: None,
            given_up: None,
            awaited: Seldom::default(),
            amended: false,
            corrections: Seldom::default(),
            next_ruled: false,
            last_card: 0,
            queue: Seldom::default(),
            queued: Seldom::default(),
            ahead: false,
            last_waits: false,
            finished: false,
            label_reported: None,
            carried: Seldom::default(),
            rulings_before: Seldom::default(),
            boxes: Seldom::default(),
            dealing: Dealing::default(),
            seating: Seating::default(),
            chemin: None,
            bet_ids: Identities::default(),
            around: Around::default(),
            forgotten: Seldom::default(),
            behind: None,
            before: Early::Nothing,
            settled_short: None,
            held_back: Seldom::default(),
            sink: Sink::default(),
            mending: Seldom::default(),
            judged: Judged::Other,
            early_turns: Seldom::default(),
            extended: Seldom::default(),
            producers: Producers::default(),
            fresh: Seldom::default(),
            coup_findings: Seldom::default(),
            shares: Seldom::default(),
            bettors: Seldom::default(),
            tally: Counted::default(),
        }
    }

    pub(crate) fn state(&self, next: u64, waiting: u64, missing: u64, tally: &Tally) -> TableState {
        TableState {
            table: self.id.clone(),
            events: tally.events,
            next,
            waiting,
            missing,
            clock: self.clock.map(|clock| clock.to_string()),
            rulebook: self.in_force.rulebook().map(str::to_owned),
            shoe: self.shoe.as_ref().filter(|shoe| !shoe.ended()).map(|shoe| shoe.id().to_string()),
            coup: self.play.as_ref().map(|play| play.number),
            coups: tally.summary.coups,
            shoes: tally.summary.shoes,
            undecided: tally.summary.undecided.clone(),
            findings_by_code: tally.summary.findings_by_code.clone(),
        }
    }

    /// The event judged last.
    pub(crate) const fn now(&self) -> Location {
        self.location
    }

    /// What was found since this was asked last.
    pub(crate) fn take_fresh(&mut self) -> Vec<Finding> {
        self.fresh.begin_anew()
    }

    /// Forgets findings and results that are reported and counted already.
    pub(crate) fn forget_found(&mut self) {
        (self.fresh, self.tally) = (Seldom::default(), Counted::default());
        drop(self.take_openings());
    }

    /// The settings of the judgement.
    pub(crate) fn question(&self) -> Arc<Question> {
        Arc::clone(&self.question)
    }

    /// An event comes.
    pub(crate) fn wake(&mut self) {
        if let InForce::AtRest(rules) = &self.in_force {
            self.in_force = rules.read(&self.question);
        }
    }

    /// Something is wrong with the numbering while the shoe is in play.
    pub(crate) fn violate_shoe(&mut self) {
        if let Some(shoe) = self.shoe.as_mut() {
            shoe.violated = true;
        }
    }

    /// Where the shoe that is in play was loaded, if an event of this number belongs to it.
    pub(crate) fn shoe_in_play_at(&self, sequence: u64) -> Option<u64> {
        self.shoe.as_ref().map(|shoe| shoe.began).filter(|began| *began <= sequence)
    }

    /// Something was forgotten of what came up to here.
    pub(crate) fn forget(&mut self, cap: Cap) {
        self.sink.forget(cap);
        self.write_findings();
    }

    /// Something was forgotten that what comes now may depend on, up to [`Self::forget_no_more`]. It is not reported here.
    pub(crate) fn leave_all_open(&mut self, cap: Cap) {
        self.forgotten.insert(cap);
        self.play.iter_mut().for_each(|play| play.doubt(Reason::MoreThanKept));
        self.shoe.iter_mut().for_each(|shoe| shoe.leave_open(Reason::MoreThanKept));
    }

    /// What comes from here on does not depend on what was forgotten.
    pub(crate) fn forget_no_more(&mut self, cap: Cap) {
        self.forgotten.remove(&cap);
    }

    /// Something is wrong that no event of the play shows.
    pub(crate) fn accuse(&mut self, accusation: Accusation) {
        self.sink.accuse(accusation);
        self.write_findings();
    }

    /// After loading: takes these settings.
    pub(crate) fn ask(&mut self, question: &Arc<Question>) {
        self.question = Arc::clone(question);
        let in_force = match &mut self.in_force {
            InForce::Known(rules) => Some(rules),
            InForce::None | InForce::Unreadable | InForce::Unapproved | InForce::AtRest(_) => None,
        };
        in_force.into_iter().chain(&mut self.around.overnight).for_each(|rules| question.share(rules));
    }

    /// No event is expected soon: frees all memory that is not needed. `text` returns the shared copy of a rulebook's
    /// text.
    pub(crate) fn rest(&mut self, text: impl Fn(String) -> Arc<str>) {
        if let InForce::Known(rules) = &self.in_force
            && !self.question.shares(rules)
        {
            self.in_force = InForce::AtRest(RulesAtRest::new(rules, text));
        }
        self.spare_bets = Vec::new();
        if !self.bet_seats.is_as_it_began() {
            self.bet_seats.rest();
        }
        self.around.people.rest();
        self.seating.rest();
        if !self.over.is_as_it_began() {
            self.over.rest();
        }
        self.tally.rest();
        self.shoe.iter_mut().for_each(|shoe| shoe.rest());
        self.play.iter_mut().for_each(|play| play.rest());
    }

    /// Reports the wrong draws and the late acts so far, which nothing that follows can take back.
    fn release_faults(&mut self) {
        self.accuse_late();
        self.release_draws();
    }

    /// Reports the wrong draws only: late acts are reported with their money if the coup goes on.
    fn release_draws(&mut self) {
        if let Some(play) = self.play.as_mut() {
            play.release_faults(&mut self.sink);
        }
        self.write_findings();
    }

    fn rules(&self) -> Option<Arc<Rules>> {
        match &self.in_force {
            InForce::Known(rules) => Some(Arc::clone(rules)),
            InForce::None | InForce::Unreadable | InForce::Unapproved | InForce::AtRest(_) => None,
        }
    }

    /// Judges the next event; gives what it shows of events before it.
    pub(crate) fn event(&mut self, event: &Event, seen: &Seen<'_>) -> Option<Revision> {
        self.tally.events += 1;
        self.location = seen.location;
        self.sink.go_to(seen.location);
        self.sink.occurred(event.occurred_at.micros());
        if Attested::counts(&event.body) {
            self.tally.summary.attested.count(&event.body);
        }
        self.look_around(event, seen);
        if let Body::CardDrawn(CardDrawn { to, coup, .. }) = &event.body
            && to.side().is_some()
        {
            let begins = |play: &&mut Box<CoupInPlay>| play.number == *coup && play.awaits_first_card();
            let first_of = self.play.as_mut().filter(begins);
            first_of.into_iter().for_each(|play| play.card_before = self.last_card);
            self.last_card = seen.location.sequence;
        }
        let (ruling, mut event) = (self.ruling_of(event), event);
        if let Some(ruling) = &ruling {
            event = ruling;
        } else if self.notes(&event.body) {
            self.write_findings();
            return None;
        }
        if let Some(behind) = seen.known.judged_behind(seen.location.sequence) {
            self.hold_back(event, seen, behind);
            return None;
        }
        let mut revision = self.judge_event(event, seen);
        self.leave_alike(&event.body);
        if !self.held_back.is_empty() {
            revision = self.take_held_back(seen).or(revision);
        }
        let revision = revision.or(self.take_concluded());
        revision
            .or_else(|| self.mended())
            .or_else(|| self.behind.take_if(|behind| behind.is_enough()).map(|behind| behind.into_revision()))
    }

    #[inline]
    fn judge_event(&mut self, event: &Event, seen: &Seen<'_>) -> Option<Revision> {
        match seen.known.label_of(seen.location.sequence) {
            Some(coup) => self.judge_labelled(event, coup, seen),
            None => self.judge_as_named(event, seen),
        }
    }

    #[inline]
    fn judge_as_named(&mut self, event: &Event, seen: &Seen<'_>) -> Option<Revision> {
        if seen.amended.is_none() && self.is_in_order(&event.body) {
            return self.judge_in_order(&event.body, seen);
        }
        let mut revision = None;
        let body = seen.amended.map_or(&event.body, |(_, body)| body);
        let label = self.shows_label(body, seen);
        let early = self.shows_early(body, seen);
        let turned = early.is_some() && matches!(self.before, Early::Card { .. });
        let before = self.early(body);
        let goes_on = self.shows_that_it_goes_on(body).or_else(|| self.goes_on_behind_the_end(body));
        self.leave_for_another(body);
        let mut waits = self.waits(body);
        if waits && self.queue.len() >= Cap::WaitingEvents.most() {
            // The coup in play is left.
            self.sink.forget(Cap::WaitingEvents);
            waits = false;
        }
        self.note_waits(body, waits);
        if waits {
            if let Body::CardDrawn(drawn) = body {
                revision = self.of_coming(Some(drawn.coup), |table| table.draw_from_shoe(drawn));
            } else if let Body::IrregularityRecorded(irregularity) = body {
                self.sign_ahead(irregularity);
            }
            self.wait(Arc::new(Waiting::of(event, seen)));
        } else if let Some((by, body)) = seen.amended {
            // What is wrong with what should have been said is shown by where that is said.
            self.sink.shown_by(by);
            self.amended = true;
            self.take(body, seen, &mut revision);
            self.end_amended(body);
        } else {
            self.take(&event.body, seen, &mut revision);
        }
        let before = before.map(|now| std::mem::replace(&mut self.before, now));
        if let Body::ShoeLoaded(_) = body {
            self.burn_ahead(before);
        }
        self.write_findings();
        // Two positions may have been recorded in the wrong order. If the cards were dealt rightly as they came, they were.
        let early = early.filter(|_| !turned || self.play.as_ref().is_some_and(|play| play.dealt_wrongly()));
        label.or(early).or(goes_on).or(revision)
    }

    /// Whether this is of the coup in play and shows nothing of another, nor of what came before: so most events are.
    #[inline]
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is seldom is looked at closely")]
    fn is_in_order(&self, body: &Body) -> bool {
        let (coup, position) = match body {
            Body::CardDrawn(drawn) => (drawn.coup, drawn.position),
            Body::BetPlaced(BetPlaced { coup, .. })
            | Body::BetsClosed(BetsClosed { coup })
            | Body::PuntoHolder(PuntoHolder { coup, .. }) => (*coup, u16::MAX),
            _ => return false,
        };
        let follows = match &self.before {
            Early::Nothing => true,
            Early::Card { position: before, .. } => *before <= position,
            Early::Settled { .. } | Early::Answered { .. } | Early::TakenBack { .. } | Early::Burned(_) => {
                false
            }
        };
        let in_play = |play: &CoupInPlay| play.number == coup && play.perhaps_over.is_none();
        follows
            && self.queue.is_empty()
            && self.held_back.is_empty()
            && self.play.as_deref().is_some_and(in_play)
            && self.shoe.as_deref().is_some_and(|shoe| !shoe.ended())
    }

    /// Judges such an event.
    #[inline]
    fn judge_in_order(&mut self, body: &Body, seen: &Seen<'_>) -> Option<Revision> {
        let (mut before, mut revision) = (Early::Nothing, None);
        if let Body::CardDrawn(CardDrawn { coup, position, .. }) = body {
            before = Early::Card { coup: *coup, position: *position, at: self.location.sequence };
        }
        self.last_waits = false;
        self.take(body, seen, &mut revision);
        self.before = before;
        self.write_findings();
        revision
    }

    /// An event shows right behind a gap that the coup in play goes on, or the one that was given up there because
    /// events of this one waited for it.
    #[allow(clippy::wildcard_enum_match_arm, reason = "a ruling may name a coup that is over")]
    fn shows_that_it_goes_on(&mut self, body: &Body) -> Option<Revision> {
        let play = self.play.as_ref()?;
        if let Some(behind) = self.shows_that_cards_are_its_own(play, body) {
            return Some(Revision::WaitedFor { behind });
        }
        let number = play.number;
        if let Body::BetWithdrawn(withdrawn) = body
            && let Some(behind) = self.left_for_another(number, [withdrawn.bet])
        {
            return Some(Revision::GoesOn { behind });
        }
        let play = self.play.as_mut()?;
        let behind = play.perhaps_over?;
        let of_this = match body {
            Body::IrregularityRecorded(_) | Body::CorrectionRecorded(_) => return None,
            Body::BetWithdrawn(withdrawn) => play.has_bet(withdrawn.bet),
            _ => body.coup() == Some(play.number) && !play.another_follows,
        };
        let given_up = |over: &Over| over.waited_for && over.left_behind == Some(behind);
        if of_this {
            return Some(Revision::GoesOn { behind });
        }
        self.over.of(body.coup()?).any(given_up).then_some(Revision::WaitedFor { behind })
    }

    /// An event shows that a coup which was left at the end of the shoe goes on behind it.
    fn goes_on_behind_the_end(&self, body: &Body) -> Option<Revision> {
        // Events with another number may come before it.
        let none_staked = self.play.as_ref().is_none_or(|play| play.bets.is_empty());
        let ended = self.shoe.as_deref().is_none_or(Shoe::ended) && none_staked;
        let number = body.coup().filter(|_| ended && !matches!(body, Body::IrregularityRecorded(_)))?;
        let left = self.over.last_of(number)?;
        let behind = left.left_at_end.filter(|_| left.left_behind.is_none())?;
        Some(Revision::GoesOn { behind })
    }

    /// A coup without cards is settled which was given up behind a gap because cards of another number waited for it:
    /// where nothing else is of that number, they were its own.
    fn shows_that_cards_are_its_own(&self, play: &CoupInPlay, body: &Body) -> Option<u64> {
        let Body::CoupSettled(settled) = body else { return None };
        let cards_alone = play.bets.is_empty() && !play.bets_closed() && !play.awaits_first_card();
        let given_up = |over: &&Over| over.waited_for && over.without_cards;
        self.over.of(settled.coup).find(given_up).filter(|_| cards_alone)?.left_behind
    }

    /// Assigns what `find` finds to the coup that is about to begin, or of which an event waits, and not to an earlier
    /// coup of the same number.
    fn of_coming<T>(&mut self, coup: Option<u32>, find: impl FnOnce(&mut Self) -> T) -> T {
        self.coming = coup;
        let done = find(self);
        self.write_findings();
        self.coming = None;
        done
    }

    fn take(&mut self, body: &Body, seen: &Seen<'_>, revision: &mut Option<Revision>) {
        self.judged = Judged::of(body);
        match body {
            Body::TableOpened(opened) => self.open(opened),
            Body::TableClosed(_) => self.close(),
            Body::LimitsChanged(limits) => self.limits_changed(limits),
            Body::ShoeLoaded(loaded) => self.load(loaded, seen),
            Body::BurnCards(burn) => {
                self.require_open();
                self.in_shoe(|shoe, rules, sink| shoe.burn(burn, rules, sink));
            }
            Body::CutCardDrawn(cut) => {
                // Cards that wait are of the coup that it comes out in.
                let first = self.play.as_ref().is_some_and(|play| play.awaits_first_card())
                    && !self.has_cards_waiting();
                // Where it comes out concerns the shoe, not the coup.
                self.of_shoe(None, |shoe, rules, sink| shoe.cut(cut, first, rules, sink));
            }
            Body::ShoeEnded(end) => {
                self.leave_coup_at_end(seen);
                self.chemin.iter_mut().for_each(|chemin| chemin.shoe_over());
                self.accuse_burn();
                // It is already reported that the previous shoe had no end when the table closed.
                if self.shoe.is_some() || !std::mem::take(&mut self.end_reported) {
                    self.of_shoe(None, |shoe, _, sink| shoe.end(end, sink));
                    *revision = self.revealed(end);
                }
            }
            Body::BetPlaced(placed) => {
                self.begin(placed.coup);
                self.place_bet(placed);
            }
            Body::BetWithdrawn(withdrawn) => self.withdraw(withdrawn.bet),
            Body::BetsClosed(closed) => self.close_bets(closed.coup),
            Body::PuntoHolder(given) => self.hold(given),
            Body::CardDrawn(drawn) => {
                *revision = self.draw(drawn);
            }
            Body::CoupSettled(settled) => *revision = self.settle(settled, seen),
            Body::CoupVoided(voided) => *revision = self.void(voided, seen),
            Body::CommissionCollected(collected) => {
                let (late, accusation) = self.boxes.collect(collected.seat, collected.amount);
                self.paid_late_in_ledger(collected.seat, late);
                // Without a rulebook nobody knows what is to be collected.
                let known = self.opened.is_some()
                    && !matches!(self.in_force, InForce::Unreadable | InForce::Unapproved);
                self.sink.accuse_all(accusation.filter(|_| known));
            }
            Body::SeatLeft(Seat { seat, player }) => self.leave_seat(*seat, player.as_ref()),
            Body::IrregularityRecorded(irregularity) => *revision = self.attest(irregularity),
            Body::CorrectionRecorded(correction) => *revision = self.correct(correction, seen),
            Body::SeatTaken(Seat { seat, player }) => {
                let no_seat = |opened: &Opened| !self.closing_missed && !opened.seats.contains(seat);
                if self.opened.as_deref().is_some_and(no_seat) {
                    let recorded = OfSeats::Taken { seat: *seat };
                    self.sink.accuse(Accusation::new(Code::SeatWrong, OfSeats::OfTheTable, recorded));
                }
                let accusation = self.dealing.sit(*seat);
                self.sink.accuse_all(accusation);
                if self.seating.may_be_taken(*seat) {
                    self.boxes.sit(*seat);
                }
                self.seating.sit(*seat, player.as_ref().map(Person::from));
                self.sit_at_bank(*seat, player.clone());
            }
            Body::DealOffered(deal) => {
                if !self.offer_bank(deal.seat, false) {
                    self.deal(|dealing, rule, sink| dealing.offer(deal.seat, rule, sink));
                }
            }
            Body::DealAccepted(_) if self.chemin.is_some() => {
                let recorded = OfTable::Event { event: body.into() };
                self.sink.accuse(Accusation::new(Code::GameWrong, OfTable::CheminDeFer, recorded));
            }
            Body::DealAccepted(deal) => {
                self.deal(|dealing, rule, sink| dealing.accept(deal.seat, rule, sink));
            }
            Body::DealDeclined(deal) => {
                if !self.offer_bank(deal.seat, true) {
                    self.deal(|dealing, rule, sink| dealing.decline(deal.seat, rule, sink));
                }
            }
            Body::BankTaken(_)
            | Body::BankPassed(_)
            | Body::BancoCalled(_)
            | Body::AbonoPlaced(_)
            | Body::GarajeSet(_)
            | Body::DrawDecided(_)
            | Body::PlayersPresent(_)
            | Body::BankSettled(_)
            | Body::BankBid(_)
            | Body::LeaveGiven(_) => self.chemin_event(body),
            // They were taken before the event was attributed to a coup (`notes.rs`).
            Body::CardReplaced(_) | Body::ValuesComputed(_) => {}
            // An extension too many is not read.
            Body::ExtensionRecorded(_) | Body::Unknown(_) => {
                let (location, reason) = (seen.location, Reason::EventUnknown);
                self.gap(&Gap { events: 1, reason, location, next: None, reported: false }, seen.known);
            }
        }
    }

    /// An event was judged as a correction has it: its coup, or the next, is subject to that.
    fn end_amended(&mut self, body: &Body) {
        let settled = !std::mem::take(&mut self.amended);
        match self.play.as_mut().filter(|_| !settled) {
            Some(play) => play.ruled = true,
            None => self.next_ruled |= body.coup().is_none() && !matches!(body, Body::ShoeEnded(_)),
        }
    }

    /// A seat is left. By whom, and which, nobody knows where it was another's.
    fn leave_seat(&mut self, seat: u8, player: Option<&Name>) {
        if let Some(name) = player.filter(|name| self.seating.is_anothers(seat, &Person::from(*name))) {
            let recorded = OfSeats::LeftBy { seat, player: name.clone() };
            self.sink.accuse(Accusation::new(Code::SeatWrong, OfSeats::LeftByOwner, recorded));
            self.seating.leave_by_another(seat);
            self.dealing.forget(seat);
            self.chemin.iter_mut().for_each(|chemin| chemin.turn.dispute(seat));
            return;
        }
        let leaves = player.map(Person::from).or_else(|| self.seating.owner(seat).cloned());
        self.seating.leave(seat);
        let left = [self.dealing.leave(seat), self.boxes.leave(seat, leaves.as_ref())];
        let bank = self.chemin.as_mut().and_then(|chemin| chemin.leave(seat));
        self.sink.accuse_all(left.into_iter().flatten().chain(bank));
    }

    fn load(&mut self, loaded: &events::ShoeLoaded, seen: &Seen<'_>) {
        self.leave_shoe();
        self.forget_corrections(seen);
        self.early_turns.clear();
        self.behind = None;
        // No coup goes on from one shoe into the next: whatever was missed of one is over.
        self.taint = None;
        let rules = self.rules();
        self.extended.clear();
        self.require_open();
        self.check_in_force();
        self.dealing.new_shoe(rules.as_deref().map(|rules| rules.book.deal.new_shoe).unwrap_or_default());
        let is_alike = self.check_reuse(loaded);
        if let Some(chemin) = self.chemin.as_mut() {
            chemin.shoe_over();
            chemin.turn.new_shoe();
        }
        let (book, began) = (rules.as_deref().map(|rules| &rules.book), self.location.sequence);
        self.shoes = (if self.shoes.0 == 0 { began } else { self.shoes.0 }, began);
        drop(self.bettors.begin_anew());
        let mut shoe = Shoe::load(loaded.clone(), began, book, &mut self.sink);
        shoe.know(seen.known.order_of(began), seen.known.pool_of(began));
        shoe.compare(seen.known.compared_with(began));
        if !self.forgotten.is_empty() {
            shoe.leave_open(Reason::MoreThanKept);
        }
        if is_alike {
            shoe.leave_open(Reason::NameLookAlike);
        }
        self.shoe = Some(Box::new(shoe));
        drop(self.mending.begin_anew());
        if let Some(explained) = seen.known.mended_in(began) {
            *self.mending = Mending::load(explained);
        }
        self.leave_unruled();
    }

    /// The order that opens the commitment shows what was not read; else all that was read says what it is not.
    fn revealed(&self, end: &events::ShoeEnded) -> Option<Revision> {
        let shoe = self.shoe.as_ref()?;
        let loaded = shoe.began;
        match (shoe.opened_by(end), shoe.differs_from(end)) {
            (Some(faces), _) => Some(Revision::Order { loaded, faces }),
            (None, Some(faces)) => Some(Revision::Compared { loaded, faces }),
            (None, None) => shoe.whole().map(|pool| Revision::Pool { loaded, pool }),
        }
    }

    fn withdraw(&mut self, bet: u64) {
        match self.play.as_mut() {
            Some(play) => play.withdraw(bet, &mut self.sink),
            // It may have been placed in what is missing.
            None if self.taint.is_some() => {}
            None => {
                let recorded = OfBets::TakenBack { bet };
                self.sink.accuse(Accusation::new(Code::BetUnknown, OfBets::StandsInSomeCoup, recorded));
            }
        }
    }

    /// Nothing more is burned: what was burned is judged.
    fn accuse_burn(&mut self) {
        if let Some(accusation) = self.shoe.as_deref_mut().and_then(Shoe::take_burned_too_few) {
            self.sink.accuse(accusation);
            self.write_findings();
        }
    }

    fn in_shoe(&mut self, act: impl FnOnce(&mut Shoe, Option<&Rulebook>, &mut Sink)) {
        self.of_shoe(self.play.as_ref().map(|play| play.number), act);
    }

    fn of_shoe(&mut self, coup: Option<u32>, act: impl FnOnce(&mut Shoe, Option<&Rulebook>, &mut Sink)) {
        let rules = self.in_force.rules().map(|rules| &rules.book);
        self.sink.enter(coup);
        match self.shoe.as_mut() {
            Some(shoe) => act(shoe, rules, &mut self.sink),
            None if (self.taint.is_none() || self.closed) && !self.shoe_missing_reported => {
                self.shoe_missing_reported = true;
                let (expected, recorded) = (OfShoe::LoadedFirst, OfShoe::NotLoaded);
                self.sink.accuse(Accusation::new(Code::ShoeMissing, expected, recorded));
            }
            None => {}
        }
        self.sink.enter(None);
    }
}
