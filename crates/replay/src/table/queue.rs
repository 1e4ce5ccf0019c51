//! Events of the next coup that were recorded before the settlement of the coup in play. They wait until it is
//! settled. So a bet recorded a moment too early is one finding, not an unsettled coup with all its consequences.

use std::sync::Arc;

use events::{Body, CardDrawn, Event};
use serde::{Deserialize, Serialize};

use super::rulings::is_of_a_coup;
use super::{Seen, Table};
use crate::Code;
use crate::sink::{Accusation, Location};
use crate::statement::OfRecord;

/// An event that waits.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    pub(crate) location: Location,
    /// As it is judged.
    pub(crate) event: Event,
    /// The location of the correction and the event as first recorded, where a correction changed it.
    pub(crate) first: Option<(Location, Event)>,
}

impl Waiting {
    /// An event as it is judged, with what it said first where a correction says otherwise.
    pub(super) fn of(event: &Event, seen: &Seen<'_>) -> Self {
        let first = seen.amended.map(|(by, _)| (by, event.clone()));
        let body = seen.amended.map_or(&event.body, |(_, body)| body).clone();
        Self { location: seen.location, event: Event { body, ..event.clone() }, first }
    }
}

/// What the events that wait name, sorted: they are taken anew with each coup that is over.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Queued {
    coups: Vec<u32>,
    bets: Vec<u64>,
}

/// Puts a number where it belongs: most come in rising order.
fn insert<T: Ord>(sorted: &mut Vec<T>, number: T) {
    if sorted.last().is_none_or(|last| *last < number) {
        sorted.push(number);
    } else if let Err(at) = sorted.binary_search(&number) {
        sorted.insert(at, number);
    }
}

impl Table {
    /// Whether an event has to wait for the coup in play to be settled.
    #[allow(clippy::wildcard_enum_match_arm, reason = "only events of a coup wait")]
    pub(super) fn waits(&self, body: &Body) -> bool {
        let Some(play) = self.play.as_ref().filter(|play| !play.voided) else { return false };
        // Behind a gap the coup in play may be over until something shows that it is not, and nothing waits for it.
        if play.perhaps_over.is_some() {
            return false;
        }
        match body {
            Body::BetPlaced(_)
            | Body::BetsClosed(_)
            | Body::PuntoHolder(_)
            | Body::CardDrawn(_)
            | Body::BancoCalled(_)
            | Body::AbonoPlaced(_)
            | Body::DrawDecided(_) => body.coup() != Some(play.number),
            Body::BankSettled(settled) => settled.coup != play.number && !self.is_settled(settled.coup),
            Body::CoupVoided(voided) => {
                let behind = voided.coup > play.number || self.is_waiting(voided.coup);
                behind && !self.is_settled(voided.coup)
            }
            Body::BetWithdrawn(withdrawn) => self.queued.bets.binary_search(&withdrawn.bet).is_ok(),
            Body::IrregularityRecorded(irregularity) => match irregularity.coup {
                Some(coup) => coup != play.number && self.is_waiting(coup),
                // It belongs to the coup of the event before it; cards of a coup without cards may belong to the coup in play.
                None => self.last_waits && !play.awaits_first_card() && is_of_a_coup(irregularity),
            },
            // They name no coup: they belong to the coup of the event before them.
            Body::GarajeSet(_) | Body::LimitsChanged(_) => !self.queue.is_empty() && self.last_waits,
            _ => false,
        }
    }

    /// What names no coup is of the one that this event names; a void that waits is nothing that is played in it.
    pub(super) fn note_waits(&mut self, body: &Body, waits: bool) {
        let void_waits = waits && matches!(body, Body::CoupVoided(_));
        if body.coup().is_some() && !void_waits {
            self.last_waits = waits;
        }
    }

    /// Whether an event of this coup waits.
    pub(super) fn is_waiting(&self, coup: u32) -> bool {
        self.queued.coups.binary_search(&coup).is_ok()
    }

    /// Whether an event that waits began a coup since an event.
    pub(super) fn waits_since(&self, sequence: u64) -> bool {
        let begins = |body: &Body| {
            body.coup().is_some() && !matches!(body, Body::CoupVoided(_) | Body::IrregularityRecorded(_))
        };
        self.queue.iter().any(|waiting| waiting.location.sequence > sequence && begins(&waiting.event.body))
    }

    /// Sequences of the first card of a coup that waits, and of the last.
    pub(super) fn cards_waiting(&self, coup: u32) -> Option<(u64, u64)> {
        let is_card = |body: &Body| matches!(body, Body::CardDrawn(drawn) if drawn.coup == coup);
        let mut cards = self.queue.iter().filter(|waiting| is_card(&waiting.event.body));
        let first = cards.next()?.location.sequence;
        Some((first, cards.next_back().map_or(first, |last| last.location.sequence)))
    }

    /// Whether a card of any coup waits.
    pub(super) fn has_cards_waiting(&self) -> bool {
        self.queue.iter().any(|waiting| matches!(waiting.event.body, Body::CardDrawn(_)))
    }

    /// The coup whose event waits last.
    pub(super) fn last_waiting(&self) -> Option<u32> {
        self.queue.iter().rev().find_map(|waiting| waiting.event.body.coup())
    }

    /// An event waits.
    pub(super) fn wait(&mut self, waiting: Arc<Waiting>) {
        waiting.event.body.coup().into_iter().for_each(|coup| insert(&mut self.queued.coups, coup));
        waiting.event.body.bet().into_iter().for_each(|bet| insert(&mut self.queued.bets, bet));
        self.queue.push(waiting);
    }

    fn take_waiting(&mut self) -> Vec<Arc<Waiting>> {
        self.queued.begin_anew();
        self.queue.begin_anew()
    }

    /// The coup in play is about to be settled: cards that carry another number, where it has none, are its own.
    #[allow(clippy::wildcard_enum_match_arm, reason = "only events of a coup wait")]
    pub(super) fn draw_mislabelled(&mut self, number: u32) {
        let without_cards = self.play.as_ref().is_some_and(|play| play.awaits_first_card());
        let first = self.queue.iter().find_map(|waiting| match &waiting.event.body {
            Body::CardDrawn(drawn) => Some((waiting.location, drawn.coup)),
            _ => None,
        });
        let (Some((location, label)), true) = (first, without_cards) else { return };
        if self.violated_ahead.begun_mut().is_some_and(|ahead| ahead.remove(&label)) {
            self.play.iter_mut().for_each(|play| play.violated = true);
        }
        let (now, judged, time) = (self.sink.location(), self.location, self.sink.time());
        let of = |coup: u32| OfRecord::CardsOfCoup { coup };
        let accusation = Accusation::new(Code::CoupLabel, of(number), of(label));
        self.accuse_label(number, accusation.at(location));
        let mut of_this = false;
        for waiting in self.take_waiting() {
            let body = &waiting.event.body;
            of_this = body
                .coup()
                .map_or(of_this, |_| matches!(body, Body::CardDrawn(drawn) if drawn.coup == label));
            match body {
                Body::CardDrawn(drawn) if of_this => {
                    self.go_to_waiting(&waiting);
                    self.give(&CardDrawn { coup: number, ..drawn.clone() });
                }
                // They name no coup: they belong to the coup of the event before them.
                Body::GarajeSet(_) | Body::LimitsChanged(_) if of_this => {
                    self.go_to_waiting(&waiting);
                    self.take_as_said(&waiting);
                }
                _ => self.wait(waiting),
            }
        }
        self.go_to(judged);
        self.sink.shown_by(now);
        self.sink.occurred(time);
    }

    /// The coup in play is over: what waited for that is judged.
    pub(super) fn take_queue(&mut self, settled: bool) {
        let waiting = self.take_waiting();
        // A ruling on a coup that has not begun is nothing that is played in it.
        let played = |waiting: &&Arc<Waiting>| !matches!(waiting.event.body, Body::IrregularityRecorded(_));
        let first = waiting.iter().filter(played).find_map(|one| Some((one, one.event.body.coup()?)));
        if let Some((first, coup)) = first.filter(|_| settled) {
            let expected = OfRecord::CoupBeforeSettled { coup };
            let recorded = OfRecord::Event { event: (&first.event.body).into() };
            let accusation = Accusation::new(Code::CoupOverlap, expected, recorded);
            let accusation = accusation.in_coup(coup).at(first.location);
            self.of_coming(Some(coup), |table| table.sink.accuse(accusation));
        }
        let (now, judged, last) = (self.sink.location(), self.location, self.last_waits);
        let time = self.sink.time();
        for waiting in waiting {
            self.go_to_waiting(&waiting);
            let waits = self.waits(&waiting.event.body);
            self.note_waits(&waiting.event.body, waits);
            if waits {
                self.wait(waiting);
            } else {
                self.ahead = settled;
                self.take_as_said(&waiting);
                self.ahead = false;
            }
        }
        self.last_waits = last;
        self.go_to(judged);
        self.sink.shown_by(now);
        self.sink.occurred(time);
    }

    /// An event that waited is judged.
    pub(super) fn go_to_waiting(&mut self, waiting: &Waiting) {
        self.go_to(waiting.location);
        self.sink.occurred(waiting.event.occurred_at.micros());
    }

    pub(super) fn go_to(&mut self, location: Location) {
        self.location = location;
        self.sink.go_to(location);
    }

    /// Takes an event that waited, as a correction has it where there is one.
    fn take_as_said(&mut self, waiting: &Waiting) {
        if let Some((by, _)) = &waiting.first {
            self.sink.shown_by(*by);
            self.amended = true;
        }
        self.take_waited(&waiting.event.body);
        if std::mem::take(&mut self.amended) {
            self.play.iter_mut().for_each(|play| play.ruled = true);
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "only events of a coup wait")]
    fn take_waited(&mut self, body: &Body) {
        match body {
            Body::BetPlaced(placed) => {
                self.begin(placed.coup);
                self.place_bet(placed);
            }
            Body::BetsClosed(closed) => self.close_bets(closed.coup),
            Body::PuntoHolder(given) => self.hold(given),
            Body::CardDrawn(drawn) => {
                // It left the shoe when it was recorded.
                self.begin_with_card(drawn.coup);
                self.play.iter_mut().for_each(|play| play.number_open = self.finished);
                self.give(drawn);
            }
            Body::CoupVoided(voided) => self.void_ahead(voided),
            Body::BetWithdrawn(withdrawn) => self.withdraw(withdrawn.bet),
            Body::LimitsChanged(limits) => self.limits_changed(limits),
            Body::IrregularityRecorded(irregularity) => {
                self.rule_on(irregularity);
            }
            Body::BancoCalled(_)
            | Body::AbonoPlaced(_)
            | Body::DrawDecided(_)
            | Body::BankSettled(_)
            | Body::GarajeSet(_) => self.chemin_event(body),
            _ => {}
        }
    }
}
