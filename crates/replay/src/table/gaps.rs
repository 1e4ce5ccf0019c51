//! Gaps in the record: what the missing events may have contained, bounded by their number.

use baccarat::BurnMethod;
use events::Body;

use super::Table;
use crate::coup::CoupInPlay;
use crate::record::{Amendments, Run};
use crate::shoe::least_events_before;
use crate::sink::{Accusation, Location};
use crate::statement::OfRecord;
use crate::{Code, Reason};

/// Events of which nothing is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gap {
    /// How many.
    pub(crate) events: u64,
    pub(crate) reason: Reason,
    /// The event behind them, or the first of them where they are sealed and cannot be read.
    pub(crate) location: Location,
    /// The coup that the event behind them is of.
    pub(crate) next: Option<u32>,
    /// Whether they are missing from the numbering, which is a finding.
    pub(crate) reported: bool,
}

impl Table {
    /// The numbering jumps to a run.
    pub(crate) fn missing(&mut self, from: u64, run: &Run, known: &Amendments) {
        let location = Location { entry: run.entry, sequence: run.first };
        let first = run.events().and_then(|events| events.into_iter().next());
        let first = first.filter(|event| !matches!(event.body, Body::IrregularityRecorded(_)));
        let next = first.and_then(|event| event.body.coup());
        let (events, reason) = (run.first - from, Reason::EventsMissing);
        self.gap(&Gap { events, reason, location, next, reported: true }, known);
        if from < run.first {
            let at = |sequence: u64| OfRecord::Sequence { sequence };
            let accusation = Accusation::new(Code::SequenceGap, at(from), at(run.first));
            self.accuse(accusation.at(location));
        }
    }

    /// The same when the record is played back: some of what is passed over may be left out of this copy.
    pub(crate) fn passed_over(&mut self, from: u64, run: &Run, left_out: &[(u64, u64)], known: &Amendments) {
        let within = |range: &&(u64, u64)| range.0 < run.first && from < range.1;
        let left: u64 =
            left_out.iter().filter(within).map(|(at, to)| (*to).min(run.first) - (*at).max(from)).sum();
        if left > 0 {
            self.leave_out(left, known);
        }
        if from + left < run.first {
            self.missing(from + left, run, known);
        }
    }

    /// This copy of the log leaves out events here.
    pub(crate) fn leave_out(&mut self, events: u64, known: &Amendments) {
        let gap =
            Gap { events, reason: Reason::LeftOut, location: self.location, next: None, reported: false };
        self.gap(&gap, known);
    }

    /// Events are sealed, and what they say is not known.
    pub(crate) fn not_known(&mut self, run: &Run, reason: Reason, known: &Amendments) {
        let location = Location { entry: run.entry, sequence: run.first };
        self.gap(&Gap { events: run.count, reason, location, next: None, reported: false }, known);
        self.location = Location { sequence: run.end() - 1, ..location };
    }

    /// Something of the record is not known here.
    pub(crate) fn gap(&mut self, gap: &Gap, known: &Amendments) {
        let behind = self.location.sequence.saturating_add(1);
        if gap.reported {
            (self.location, _) = (gap.location, self.sink.go_to(gap.location));
        }
        self.release_draws();
        self.before = super::Early::Nothing;
        self.leave_for_another_shoe(gap);
        self.doubt_voids(gap.reason);
        let behind_gap = gap.location.sequence;
        let waited_for = !self.queue.is_empty() && known.waited_for(behind_gap);
        if !self.queue.is_empty() && !waited_for && !self.goes_on_next(gap) {
            self.give_up_behind(gap);
        }
        let goes_on = waited_for || known.goes_on(behind_gap);
        let within = self.play.is_some() && (goes_on || self.goes_on_next(gap));
        let another = self.another_may_follow(gap);
        let Gap { events, reason, location, .. } = *gap;
        let hidden = known.hidden_before(location.sequence);
        self.may_mend(gap, hidden.map_or(0, u64::from));
        let no_cards = hidden == Some(0);
        let most = self.most_for_one_bet();
        if let Some(play) = self.play.as_mut() {
            play.doubt(reason);
            play.miss(events, events.saturating_sub(hidden.map_or(0, u64::from)), !no_cards);
            play.missing_behind = behind;
            play.most_for_one_bet = most;
            if play.dealt_at().is_none() {
                play.miss_early(events.saturating_sub(hidden.map_or(0, u64::from)), behind);
            }
            if play.bank_may_be_other() {
                play.most_for_one_bet = None;
            }
        }
        if let Some(shoe) = self.shoe.as_mut() {
            shoe.miss(events, within, location.sequence, reason);
        }
        if !within {
            self.play.iter_mut().for_each(|play| {
                (play.perhaps_over, play.another_follows) = (Some(location.sequence), another);
            });
            self.doubt(reason, events, !no_cards);
            if self.shoe.is_none() {
                // No shoe says whether another was loaded.
                self.over.forget_settled();
            }
        } else {
            self.doubt_beside_coup(events.saturating_sub(hidden.map_or(0, u64::from)));
        }
    }

    /// What may have happened at the table while a coup was played: so many events may be no cards of it.
    fn doubt_beside_coup(&mut self, events: u64) {
        self.chemin.iter_mut().for_each(|chemin| chemin.doubt_leaves());
        if events > 0 {
            let most = self.most_commission().filter(|_| !self.limits_doubted);
            self.boxes.miss(events, most);
            self.dealing.doubt();
            self.seating.doubt();
            self.around.people.doubt_seats();
            self.chemin.iter_mut().for_each(|chemin| chemin.doubt_seats(events));
            if let Some(play) = &mut self.play {
                let may_change = play.dealt_at().is_none();
                play.chemin.iter_mut().for_each(|coup| coup.doubt_seats(may_change));
            }
        }
    }

    /// What is of a coup that was left at the end of the shoe may be of one of another shoe behind the gap.
    fn leave_for_another_shoe(&mut self, gap: &Gap) {
        let left = self.over.left_at_end();
        if left.is_some_and(|number| self.may_be_of_another_shoe(number, gap.events, 1)) {
            self.over.take_left_at_end();
        }
    }

    /// Whether the event behind the gap shows that the coup in play goes on.
    fn goes_on_next(&self, gap: &Gap) -> bool {
        let named = |play: &CoupInPlay| gap.next == Some(play.number);
        self.play.as_deref().is_some_and(named) && !self.another_may_follow(gap)
    }

    /// Whether a coup of another shoe may have the number of the one in play, which was settled in the gap.
    fn another_may_follow(&self, gap: &Gap) -> bool {
        let may = |play: &CoupInPlay| self.may_be_of_another_shoe(play.number, gap.events, 1);
        self.play.as_deref().is_some_and(may)
    }

    /// Whether so many missing events, beside those since the last coup, can have ended the shoe, loaded another and
    /// played all coups of that before the one of this number, and so many events more.
    pub(super) fn may_be_of_another_shoe(&self, number: u32, events: u64, more: u64) -> bool {
        let shoe = self.shoe.as_deref();
        let missing = shoe.map_or(0, crate::shoe::Shoe::missing_coups).saturating_add(events);
        let burns = self.in_force.rules().is_some_and(|rules| rules.book.burn.method != BurnMethod::None);
        let ends = shoe.is_some_and(|shoe| !shoe.ended());
        let needed =
            least_events_before(number).saturating_add(1 + u64::from(ends) + u64::from(burns) + more);
        missing >= needed
    }

    /// An event behind a gap names the number of the coup before it, and that may be one of another shoe.
    pub(super) fn leave_for_another(&mut self, body: &Body) {
        let follows = |play: &CoupInPlay| play.perhaps_over.is_some() && play.another_follows;
        let Some(play) = self.play.as_deref().filter(|play| follows(play)) else { return };
        let (number, missing) = (play.number, play.missing_events);
        if !matches!(body, Body::IrregularityRecorded(_)) && body.coup() == Some(number) {
            self.abandon_coup();
            let over = self.over.last_of_mut(number);
            over.into_iter().for_each(|over| over.left_for_another = over.left_behind.take());
            self.given_up = None;
            // Or it is the same after all, and what is missing of that is missing of it.
            self.taint.iter_mut().for_each(|taint| taint.events = taint.events.max(missing));
        }
    }

    /// The sequence behind the gap at which a coup was left for another of its number, where one of these bets was placed
    /// in the former: it is no other.
    pub(super) fn left_for_another(
        &mut self,
        number: u32,
        bets: impl IntoIterator<Item = u64>,
    ) -> Option<u64> {
        let left = self.over.last_of(number)?;
        let behind = left.left_for_another?;
        let mut play = self.play.as_deref_mut().filter(|play| play.number == number);
        let mut again = |bet: u64| play.as_mut().is_some_and(|play| play.has_bet(bet));
        let seats = &mut self.bet_seats;
        let mut before = |bet: u64| seats.of(bet).any(|placed| placed.0 == number);
        bets.into_iter().any(|bet| before(bet) && !again(bet)).then_some(behind)
    }

    /// Events of another coup wait for the one in play, and nothing behind the gap shows yet that it goes on.
    fn give_up_behind(&mut self, gap: &Gap) {
        let Some(play) = self.play.as_mut() else { return };
        play.miss(gap.events, gap.events, true);
        play.perhaps_over = Some(gap.location.sequence);
        let (number, without_cards) = (play.number, play.awaits_first_card());
        self.abandon_coup();
        let over = self.over.last_of_mut(number);
        over.into_iter().for_each(|over| {
            (over.waited_for, over.without_cards) = (over.left_behind.is_some(), without_cards);
        });
    }

    /// What may have happened between two coups.
    pub(super) fn doubt(&mut self, reason: Reason, events: u64, cards: bool) {
        let before = self.taint.map_or(0, |taint| taint.events);
        let cards = cards || self.taint.is_some_and(|taint| taint.cards);
        self.taint = Some(super::Taint { reason, events: before.saturating_add(events), cards });
        let most = self.most_commission().filter(|_| !self.limits_doubted);
        (self.limits_doubted, self.closing_missed, self.closed) = (true, true, false);
        self.boxes.miss(events, most);
        self.dealing.doubt();
        self.seating.doubt();
        self.around.people.doubt();
        if let Some(chemin) = self.chemin.as_mut() {
            chemin.doubt();
        }
        self.not_open_reported |= matches!(self.in_force, super::InForce::None);
        self.shoe_missing_reported |= self.shoe.is_none();
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
