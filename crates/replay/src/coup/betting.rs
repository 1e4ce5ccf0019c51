//! Placing and withdrawing bets, and the close of the bets.

use events::BetPlaced;

use super::late::Act;
use super::{Bet, BetState, CoupInPlay, Held};
use crate::Code;
use crate::lookup::Lookup;
use crate::person::Person;
use crate::rules::Rules;
use crate::seating::Seating;
use crate::sink::Sink;
use crate::statement::OfBets;

impl CoupInPlay {
    /// A bet is placed: its seat and its id are judged by the caller, its stake once the bets are closed.
    pub(crate) fn place(
        &mut self,
        placed: &BetPlaced,
        person: Option<Person>,
        rules: Option<&Rules>,
        seating: &Seating,
        sink: &mut Sink,
    ) {
        let kind = rules.and_then(|rules| rules.kind(&placed.kind));
        let is_offered = rules.is_none() || kind.is_some();
        self.lay_down(placed, person, kind, seating, sink);
        if !is_offered {
            self.place_on_no_kind(&placed.kind, sink.location());
        }
    }

    /// An abono is placed where the rulebook has none, or in another game: a stake that nothing is due for but itself.
    pub(crate) fn place_abono_not_allowed(
        &mut self,
        placed: &BetPlaced,
        person: Option<Person>,
        is_of_game: bool,
        seating: &Seating,
        sink: &mut Sink,
    ) {
        self.lay_down(placed, person, None, seating, sink);
        let act = if is_of_game { Act::NoAbonos } else { Act::OtherGame };
        self.place_no_abono(act, sink.location());
    }

    fn lay_down(
        &mut self,
        placed: &BetPlaced,
        person: Option<Person>,
        kind: Option<usize>,
        seating: &Seating,
        sink: &mut Sink,
    ) {
        let late = self.under_way() && !self.reopened();
        if late {
            self.act_late(Act::Placed, self.bets.len(), sink.location());
        }
        self.bets.push(Bet {
            id: placed.bet,
            seat: placed.seat,
            misplaced: person.as_ref().is_some_and(|person| seating.is_anothers(placed.seat, person)),
            player: placed.player.clone(),
            person,
            alike: false,
            kind,
            stake: placed.stake,
            sequence: sink.sequence(),
            time: sink.time(),
            placed_at: sink.location(),
            late,
            held: Held::NotYet,
            limit: None,
            state: BetState::Stands,
        });
    }

    /// Whether a bet of this id was placed.
    pub(crate) fn has_bet(&mut self, id: u64) -> bool {
        self.index.see(&self.bets, |bet| bet.id);
        self.index.first(id).is_some()
    }

    /// Index of its bets by their ids.
    pub(crate) fn bet_index(&self) -> Lookup {
        Lookup::new(&self.bets, |bet| bet.id)
    }

    /// No more bets.
    pub(crate) fn close(&mut self, rules: Option<&Rules>, sink: &mut Sink) {
        let again = std::mem::replace(&mut self.closed, true);
        if !again {
            self.closed_at = sink.sequence();
        }
        self.judge_limits(rules, sink);
        // Stakes for a banco seguido are judged when punto's holder is recorded, or with the first card.
        if let Some(rules) = rules.filter(|_| !self.reopened()) {
            self.judge_stakes(rules, sink);
        }
        if !again {
            self.close_before_holder(sink);
        }
    }

    pub(crate) fn withdraw(&mut self, id: u64, sink: &mut Sink) {
        let late = self.under_way() && !self.reopened();
        let stands = |at: &usize| self.bets[*at].state == BetState::Stands;
        self.index.see(&self.bets, |bet| bet.id);
        let Some(at) = self.index.of(id).find(stands) else {
            if self.missing_events > 0 {
                // It may have been placed in what is missing.
                return;
            }
            sink.accuse(self.accusation(
                Code::BetUnknown,
                OfBets::StandsInCoup,
                OfBets::TakenBack { bet: id },
            ));
            return;
        };
        self.bets[at].state = if late { BetState::WithdrawnLate } else { BetState::Withdrawn };
        if late {
            self.act_late(Act::Withdrawn, at, sink.location());
        }
    }
}
