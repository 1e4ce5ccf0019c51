//! The clock of a table against itself and against that of the log, shoe by shoe (`docs/judging.md`, "The clock").

use std::collections::BTreeSet;
use std::sync::Arc;

use events::{Body, Event, OccurredAt, TableOpened};
use serde::{Deserialize, Serialize};

use super::Checked;
use super::before::Before;
use super::bets::bets as bets_of;
use super::moments::{Moment, What};
use super::paytables::Paytables;
use super::rulings::carried;
use crate::clock::{Received, ShoeClock};
use crate::reading::{CoupRecord, Explanation, Reading, Remark, Told};
use crate::sink::Location;

/// The clock since a shoe was loaded, or since the table opened.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Clock {
    /// Sequences of events that were recorded elsewhere than they belong, or again: that their times are out of order follows
    /// from that.
    #[serde(skip)]
    moved: BTreeSet<u64>,
    clock: ShoeClock,
    /// Sequence of the last event, and its time.
    last: (u64, Option<OccurredAt>),
    /// The opening under which the shoe was played that is kept while the table is closed.
    overnight: Option<Arc<TableOpened>>,
}

impl Clock {
    /// Before a range.
    pub(super) fn begin_range(&mut self, reading: &Reading<'_>) {
        let moves = |of: &Explanation| matches!(of, Explanation::Moved { .. } | Explanation::Doubled { .. });
        let remarks = reading.shoes.iter().flat_map(|shoe| &shoe.remarks);
        let in_each = |remark: &&Remark| remark.alternatives.iter().all(|of| of.iter().any(moves));
        let moved = remarks.filter(|remark| remark.is_certain() || in_each(remark)).flat_map(|remark| {
            remark.alternatives.iter().flatten().filter(|of| moves(of)).map(Explanation::at)
        });
        self.moved = moved.collect();
    }

    /// Looks at the clock of a moment. `received` says how the log received the event of a sequence. `is_kept` says whether the shoe stays in play if the table
    /// closes here.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else begins a shoe")]
    pub(super) fn check<'r, 'a: 'r>(
        &mut self,
        (moment, event): (&Moment<'r, 'a>, Option<&Event>),
        before: &Before<'r>,
        received: &dyn Fn(u64) -> Received,
        is_kept: bool,
        checked: &mut Checked,
    ) {
        let Some(event) = event.filter(|_| self.last.0 != moment.sequence) else { return };
        match &event.body {
            _ if matches!(moment.what, What::LoadingLost) => self.judge(before, checked),
            Body::ShoeLoaded(_) => self.judge(before, checked),
            Body::TableOpened(opened) => {
                let goes_on = is_kept
                    && before
                        .last_opened
                        .is_some_and(|last| last.rulebook.as_str() == opened.rulebook.as_str());
                if !goes_on {
                    self.judge(before, checked);
                }
                self.overnight = None;
            }
            _ => {}
        }
        let location = Location { entry: 0, sequence: moment.sequence };
        if !self.moved.contains(&moment.sequence) {
            self.clock.see(event.occurred_at, received(moment.sequence), location);
        }
        self.last = (moment.sequence, Some(event.occurred_at));
        if matches!(moment.what, What::Around(told) if matches!(told.value, Body::TableClosed(_))) {
            if is_kept {
                self.overnight = before.opened.map(|opened| Arc::new(opened.clone()));
            } else {
                self.judge(before, checked);
            }
        }
    }

    /// The shoe, or what came before the first, is over.
    pub(super) fn judge(&mut self, before: &Before<'_>, checked: &mut Checked) {
        let (last, latest) = self.last;
        let clock = std::mem::replace(&mut self.clock, ShoeClock::after(latest));
        let overnight = self.overnight.as_deref().and_then(|opened| before.books.of(opened).known());
        if let Some(tables) = before.rules().or(overnight) {
            clock.judge(tables.rules()).for_each(|accusation| checked.accuse(last, accusation));
        }
    }
}

/// Fewest cards of a coup: of so many all are dealt after a bet in less than a clock's step only if it came late.
const LEAST_CARDS: usize = 4;

/// Whether a bet of a settled coup was placed, by its own time, after cards that are recorded after it: after the first of them
/// by more than a clock may run back, or after all cards of a whole deal. `carried`: positions of the cards that the coup before
/// left for it.
pub(super) fn is_bet_after_cards(
    coup: &CoupRecord<'_>,
    carried_over: &[u16],
    tables: &Paytables,
    before: &Before<'_>,
) -> bool {
    let voids = |told: &Told<'_, Body>| matches!(told.value, Body::CoupVoided(_));
    if coup.settlements.is_empty() || coup.rulings.iter().any(voids) {
        return false;
    }
    let time = |sequence: u64| Some((sequence, before.time(sequence)?.micros()));
    let cards = || coup.cards.iter().filter_map(|card| card.sequence).filter_map(time);
    let Some(first) = cards().map(|(_, dealt)| dealt).min() else { return false };
    let bets = coup.bets.iter().map(|bet| bet.placed.sequence);
    let abonos = coup.chemin.abonos.iter().map(|abono| abono.placed.sequence);
    let mut later = bets.chain(abonos).filter_map(time).filter(|(_, placed)| *placed > first).peekable();
    if later.peek().is_none() {
        return false;
    }
    let cards: Vec<(u64, i64)> = cards().collect();
    let step = i64::try_from(tables.rules().clock_step()).unwrap_or(i64::MAX);
    let is_after = |(bet, placed): &(u64, i64)| {
        let behind =
            || cards.iter().filter(|(card, _)| card > bet).map(|(_, dealt)| placed.saturating_sub(*dealt));
        behind().max().is_some_and(|most| most > step)
            || behind().count() >= LEAST_CARDS && behind().min().is_some_and(|least| least > 0)
    };
    let in_time = bets_of(coup, carried(coup, carried_over), Some(tables), None);
    let counts = |bet: u64| in_time.iter().any(|one| one.placed() == bet && !one.late);
    later.any(|one| is_after(&one) && counts(one.0))
}
