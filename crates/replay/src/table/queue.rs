//! Events of another coup that stand before the settlement of the one in play. They wait for it: so a bet
//! recorded a moment too early is one finding, and not a coup left unsettled and all that follows from one.

use events::{Body, CardDrawn, Event};

use super::Table;
use crate::Code;
use crate::sink::{Accusation, Place};

/// An event that waits.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    pub(crate) place: Place,
    /// As it is judged.
    pub(crate) event: Event,
    /// Which correction says so, and what was said first.
    pub(crate) first: Option<(Place, Event)>,
}

/// Events that wait at most; beyond these the coup in play is left.
const MOST: usize = 8_192;

impl Table {
    /// Whether an event has to wait for the coup in play to be settled.
    #[allow(clippy::wildcard_enum_match_arm, reason = "only events of a coup wait")]
    pub(super) fn waits(&self, body: &Body) -> bool {
        let Some(play) = self.play.as_ref().filter(|play| !play.voided) else { return false };
        // Behind a gap the coup in play may be over until something shows that it is not, and nothing waits for it.
        if self.queue.len() >= MOST || play.perhaps_over.is_some() {
            return false;
        }
        match body {
            Body::BetPlaced(_)
            | Body::BetsClosed(_)
            | Body::PuntoHolder(_)
            | Body::CardDrawn(_)
            | Body::BancoCalled(_)
            | Body::AbonoPlaced(_)
            | Body::DrawDecided(_) => super::about(body) != Some(play.number),
            Body::BankSettled(settled) => settled.coup != play.number && !self.is_settled(settled.coup),
            Body::BetWithdrawn(withdrawn) => self.queue.iter().any(|waiting| match &waiting.event.body {
                Body::BetPlaced(placed) => placed.bet == withdrawn.bet,
                Body::AbonoPlaced(placed) => placed.bet == withdrawn.bet,
                _ => false,
            }),
            // They name no coup: they are of the one whose events stand before them.
            Body::GarajeSet(_) | Body::LimitsChanged(_) => !self.queue.is_empty(),
            _ => false,
        }
    }

    /// The coup in play is about to be settled: cards that carry another number, where it has none, are its own.
    #[allow(clippy::wildcard_enum_match_arm, reason = "only events of a coup wait")]
    pub(super) fn draw_mislabelled(&mut self, number: u32) {
        let without_cards = self.play.as_ref().is_some_and(|play| play.awaits_first_card());
        let first = self.queue.iter().find_map(|waiting| match &waiting.event.body {
            Body::CardDrawn(drawn) => Some((waiting.place, drawn.coup)),
            _ => None,
        });
        let (Some((place, told)), true) = (first, without_cards) else { return };
        if self.violated_ahead.take_if(|coup| *coup == told).is_some() {
            self.play.iter_mut().for_each(|play| play.violated = true);
        }
        let (now, judged) = (self.sink.place(), self.place);
        let expected = format!("cards of coup {number}");
        let accusation = Accusation::new(Code::CoupLabel, expected, format!("cards of coup {told}"));
        self.sink.accuse(accusation.in_coup(number).at(place));
        for waiting in std::mem::take(&mut self.queue) {
            match &waiting.event.body {
                Body::CardDrawn(drawn) if drawn.coup == told => {
                    self.go_to(waiting.place);
                    self.give(&CardDrawn { coup: number, ..drawn.clone() });
                }
                _ => self.queue.push(waiting),
            }
        }
        self.place = judged;
        self.sink.stand_at(now);
    }

    /// The coup in play is over: what waited for that is judged.
    pub(super) fn take_queue(&mut self, settled: bool) {
        let waiting = std::mem::take(&mut self.queue);
        let Some(first) = waiting.first() else { return };
        if settled && let Some(coup) = super::about(&first.event.body) {
            let expected = format!("the coup before coup {coup} settled first");
            let accusation = Accusation::new(Code::CoupOverlap, expected, first.event.body.name());
            self.sink.accuse(accusation.in_coup(coup).at(first.place));
        }
        let (now, judged) = (self.sink.place(), self.place);
        for waiting in waiting {
            self.go_to(waiting.place);
            if self.waits(&waiting.event.body) {
                self.queue.push(waiting);
            } else {
                self.ahead = settled;
                self.take_as_said(&waiting);
                self.ahead = false;
            }
        }
        self.place = judged;
        self.sink.stand_at(now);
    }

    fn go_to(&mut self, place: Place) {
        self.place = place;
        self.sink.stand_at(place);
    }

    /// Takes an event that waited, as a correction has it where there is one.
    fn take_as_said(&mut self, waiting: &Waiting) {
        if let Some((by, first)) = &waiting.first {
            self.sink.stand_at(*by);
            self.amended = Some((*by, first.body.clone()));
        }
        self.take_waited(&waiting.event.body);
        if self.amended.take().is_some() {
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
                self.begin(drawn.coup);
                self.give(drawn);
            }
            Body::BetWithdrawn(withdrawn) => self.withdraw(withdrawn.bet),
            Body::LimitsChanged(limits) => self.limits_changed(limits),
            Body::BancoCalled(_)
            | Body::AbonoPlaced(_)
            | Body::DrawDecided(_)
            | Body::BankSettled(_)
            | Body::GarajeSet(_) => self.chemin_event(body),
            _ => {}
        }
    }
}
