//! The clock of a table against itself and against that of the log, shoe by shoe (`docs/judging.md`, "The clock").

use std::collections::BTreeSet;
use std::sync::Arc;

use events::{Body, OccurredAt, TableOpened};
use serde::{Deserialize, Serialize};

use super::Checked;
use super::before::Before;
use super::moments::{Moment, What};
use crate::clock::{Received, ShoeClock};
use crate::reading::{Explanation, Reading, Remark};
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
        let all = |remark: &&Remark| remark.alternatives.iter().flatten().all(moves);
        let moved = remarks.filter(|remark| remark.is_certain() || all(remark)).flat_map(|remark| {
            remark.alternatives.iter().flatten().filter(|of| moves(of)).map(Explanation::at)
        });
        self.moved = moved.collect();
    }

    /// Looks at the clock of a moment, which the log received so. `is_kept` says whether the shoe stays in play if the table
    /// closes here.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else begins a shoe")]
    pub(super) fn check<'r, 'a: 'r>(
        &mut self,
        moment: &Moment<'r, 'a>,
        before: &Before<'r>,
        received: Received,
        is_kept: bool,
    ) -> Checked {
        let mut checked = Checked::default();
        let Some(event) = before.event(moment.sequence).filter(|_| self.last.0 != moment.sequence) else {
            return checked;
        };
        match &event.body {
            Body::ShoeLoaded(_) => self.judge(before, &mut checked),
            Body::TableOpened(opened) => {
                let goes_on = is_kept
                    && before
                        .last_opened
                        .is_some_and(|last| last.rulebook.as_str() == opened.rulebook.as_str());
                if !goes_on {
                    self.judge(before, &mut checked);
                }
                self.overnight = None;
            }
            _ => {}
        }
        let location = Location { entry: 0, sequence: moment.sequence };
        if !self.moved.contains(&moment.sequence) {
            self.clock.see(event.occurred_at, received, location);
        }
        self.last = (moment.sequence, Some(event.occurred_at));
        if matches!(moment.what, What::Around(told) if matches!(told.value, Body::TableClosed(_))) {
            if is_kept {
                self.overnight = before.opened.map(|opened| Arc::new(opened.clone()));
            } else {
                self.judge(before, &mut checked);
            }
        }
        checked
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
