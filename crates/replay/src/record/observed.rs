//! What corrections of observations moved: the range that may still be played again is played without them, and the
//! accounts of its coups are compared.
//!
//! It is asked once for each such range (usually a shoe), when what was found in it becomes final, and only if an
//! observation was corrected in it: then the range is played once more as corrected, and once as first recorded or, where
//! that shows facts of its own, at most [`Cap::Rejudgings`] times. What it learns of the first version is forgotten again.

use events::{Body, CorrectionRecorded};

use super::amendments::{Amendments, Playing};
use super::{Record, Revision};
use crate::caps::Cap;
use crate::corrected::{Accounts, Compared};
use crate::settled_before;

/// Whether a correction says what someone saw, counted, paid or collected.
pub(crate) fn is_of_an_observation(correction: &CorrectionRecorded) -> bool {
    settled_before::kind(&correction.corrected).is_some_and(|kind| kind.until.is_none())
}

impl Record {
    /// What the events before this sequence show is final: adds what corrections of observations moved in them. `ends`:
    /// the record ends here.
    pub(super) fn compare_corrected(&mut self, to: u64, ends: bool) {
        let Some(first_version) = self.as_first_recorded() else { return };
        let table = self.before();
        let table = std::mem::replace(&mut self.table, table);
        let played_back = self.played_back;
        let corrected = self.accounts(to, ends);
        let known = self.known.put(first_version);
        for _ in 1..Cap::Rejudgings.most() {
            let learned = self.play_through(to, Playing::AsDecided, None, true);
            let mut news = false;
            for (location, revision) in learned.into_iter().filter(|(_, revision)| shows_play(revision)) {
                news |= self.known.add(location, revision);
            }
            if !news {
                break;
            }
        }
        let first = self.accounts(to, ends);
        self.known.put(known);
        (self.table, self.played_back) = (table, played_back);
        self.table.tally.note_corrected(Compared::of(&first, &corrected));
    }

    fn accounts(&mut self, to: u64, ends: bool) -> Accounts {
        let _ = self.play_through(to, Playing::AsDecided, None, true);
        if ends {
            self.table.finish();
        }
        self.table.take_accounts()
    }

    /// What is known without the corrections of observations; `None` where there are none.
    fn as_first_recorded(&self) -> Option<Amendments> {
        if self.known.is_as_it_began() || !self.known.any_corrected() {
            return None;
        }
        let bodies = self.known.bodies(&self.runs, Playing::AsDecided);
        let is_observed = |body: &Body| settled_before::kind(body).is_some_and(|kind| kind.until.is_none());
        let observed =
            bodies.iter().filter(|(_, (_, body))| is_observed(body)).map(|(sequence, _)| *sequence);
        let observed: Vec<u64> = observed.collect();
        (!observed.is_empty()).then(|| self.known.without(&observed))
    }
}

/// Whether a fact is about how the record was played, and not about corrections.
const fn shows_play(revision: &Revision) -> bool {
    match revision {
        Revision::Corrected { .. }
        | Revision::CorrectedLate { .. }
        | Revision::Concluded { .. }
        | Revision::OutOfReach { .. }
        | Revision::Reseated(_)
        | Revision::Ruled { .. } => false,
        Revision::Voided { .. }
        | Revision::SettledAgain { .. }
        | Revision::Hidden { .. }
        | Revision::Order { .. }
        | Revision::Pool { .. }
        | Revision::Behind { .. }
        | Revision::GoesOn { .. }
        | Revision::WaitedFor { .. }
        | Revision::Labelled { .. }
        | Revision::Mended { .. }
        | Revision::Compared { .. }
        | Revision::Early { .. } => true,
    }
}
