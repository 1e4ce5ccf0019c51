//! What is missing from the record, and what it may have held: never more than so many events can say.

use super::Table;
use crate::record::{Amendments, Run};
use crate::sink::{Accusation, Place};
use crate::{Code, Reason};

/// Events of which nothing is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gap {
    /// How many.
    pub(crate) events: u64,
    pub(crate) reason: Reason,
    /// The event behind them, or the first of them where they are sealed and cannot be read.
    pub(crate) place: Place,
    /// The coup that the event behind them names.
    pub(crate) next: Option<u32>,
    /// Whether they are missing from the numbering, which is a finding.
    pub(crate) told: bool,
}

impl Table {
    /// The numbering jumps to a run.
    pub(crate) fn missing(&mut self, from: u64, run: &Run, known: &Amendments) {
        let place = Place { entry: run.entry, sequence: run.first };
        let first = run.events().and_then(|events| events.into_iter().next());
        let next = first.and_then(|event| super::about(&event.body));
        let (events, reason) = (run.first - from, Reason::EventsMissing);
        self.gap(&Gap { events, reason, place, next, told: true }, known);
        if from < run.first {
            let recorded = format!("sequence {}", run.first);
            let accusation = Accusation::new(Code::SequenceGap, format!("sequence {from}"), recorded);
            self.accuse(accusation.at(place));
        }
    }

    /// The same when the record is played back: some of what is passed over may be left out of this copy.
    pub(crate) fn passed_over(&mut self, from: u64, run: &Run, left_out: &[(u64, u64)], known: &Amendments) {
        let within = |range: &&(u64, u64)| range.0 < run.first && from < range.1;
        let left: u64 =
            left_out.iter().filter(within).map(|(at, to)| (*to).min(run.first) - (*at).max(from)).sum();
        if left > 0 {
            self.leave_out(left);
        }
        if from + left < run.first {
            self.missing(from + left, run, known);
        }
    }

    /// This copy of the log leaves out events here.
    pub(crate) fn leave_out(&mut self, events: u64) {
        let gap = Gap { events, reason: Reason::LeftOut, place: self.place, next: None, told: false };
        self.gap(&gap, &Amendments::default());
    }

    /// Events are sealed, and what they say is not known.
    pub(crate) fn not_known(&mut self, run: &Run, reason: Reason, known: &Amendments) {
        let place = Place { entry: run.entry, sequence: run.first };
        self.gap(&Gap { events: run.count, reason, place, next: None, told: false }, known);
        self.place = Place { sequence: run.end() - 1, ..place };
    }

    /// Something of the record is not known here.
    pub(crate) fn gap(&mut self, gap: &Gap, known: &Amendments) {
        let behind = self.place.sequence.saturating_add(1);
        if gap.told {
            (self.place, _) = (gap.place, self.sink.stand_at(gap.place));
        }
        self.release_draws();
        self.doubt_voids(gap.reason);
        let within = self.play.as_ref().is_some_and(|play| gap.next == Some(play.number));
        if !self.queue.is_empty() && !within {
            self.play.iter_mut().for_each(|play| play.miss(gap.events, gap.events, true));
            self.abandon_coup();
        }
        let Gap { events, reason, place, .. } = *gap;
        let hidden = known.hidden_before(place.sequence);
        let no_cards = hidden == Some(0);
        let most = self.most_for_one_bet();
        if let Some(play) = self.play.as_mut() {
            play.doubt(reason);
            play.miss(events, events.saturating_sub(hidden.map_or(0, u64::from)), !no_cards);
            play.missing_behind = behind;
            play.most_for_one_bet = most;
        }
        if let Some(shoe) = self.shoe.as_mut() {
            shoe.miss(events, within, place.sequence, reason);
        }
        if !within {
            if !known.goes_on(place.sequence) {
                self.play.iter_mut().for_each(|play| play.perhaps_over = Some(place.sequence));
            }
            self.doubt(reason, events, !no_cards);
        } else if let Some(chemin) = self.chemin.as_mut() {
            chemin.doubt_leaves();
        }
    }

    /// What may have happened between two coups.
    fn doubt(&mut self, reason: Reason, events: u64, cards: bool) {
        let before = self.taint.map_or(0, |taint| taint.events);
        let cards = cards || self.taint.is_some_and(|taint| taint.cards);
        self.taint = Some(super::Taint { reason, events: before.saturating_add(events), cards });
        let most = self.most_commission().filter(|_| !self.limits_doubted);
        (self.limits_doubted, self.closing_missed) = (true, true);
        self.boxes.miss(events, most);
        self.dealing.doubt();
        self.seating.doubt();
        self.around.people.doubt();
        if let Some(chemin) = self.chemin.as_mut() {
            chemin.doubt();
        }
        self.not_open_told |= matches!(self.in_force, super::InForce::None);
        self.shoe_missing_told |= self.shoe.is_none();
    }

    /// Most that one bet which is missing may bring; `None` where the limits may have changed, or where nobody
    /// knows how much the bank holds, which is the limit against it.
    pub(super) fn most_for_one_bet(&self) -> Option<baccarat::Money> {
        let rules = self.in_force.rules().filter(|_| !self.limits_doubted)?;
        let bank = self.chemin.as_ref().map_or(Some(baccarat::Money::ZERO), |chemin| chemin.in_play())?;
        let largest = self.ranges.iter().map(|range| range.maximum).max()?.max(bank);
        Some(largest.times(rules.most_paid().saturating_add(1), 1, crate::rules::DOWN))
    }

    /// Most commission that one missing event can have marked or collected; `None`: without bound.
    fn most_commission(&self) -> Option<baccarat::Money> {
        let rules = self.in_force.rules()?;
        let largest = self.ranges.iter().map(|range| range.maximum).max()?;
        // A settlement marks for as many bets as it has; a table has no more boxes than seats.
        let seats = self.opened.as_ref().map_or(99, |opened| u32::try_from(opened.seats.len()).unwrap_or(99));
        let won = largest.times(rules.most_paid(), 1, crate::rules::DOWN);
        let each = rules.book.commission_on(won);
        Some(each.times(seats, 1, crate::rules::DOWN))
    }
}
