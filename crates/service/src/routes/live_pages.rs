//! The log that is being written, as pages ask for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use desk::{
    Findings, House, Live, LogFacts, Refusal, ShoeFacts, ShoeRow, Source, TableFacts, Unavailable, Wanted,
    Witnesses,
};
use replay::{Counts, Finding, MAX_SHOE_LOCATIONS, Report, ShoeLocation, TableState};
use tlog::checkpoint::SignedCheckpoint;

use crate::app_state::AppState;
use crate::live::following::{FollowerState, Following};
use crate::routes::pages::unavailable;
use crate::routes::tables;

/// A report is reused for this many times the time it took to make, so making them uses at most a fifth of the time.
const RESTS: u32 = 4;
/// Findings of a table on its own page.
const OF_A_TABLE: usize = 20;

/// Shoes that are counted for one page, the newest first: counting a shoe judges it.
const COUNTED_AT_ONCE: usize = 8;
/// Shoes whose counts are kept.
const COUNTS_KEPT: usize = 4_096;

/// A table, the sequence that loaded a shoe there, the sequence up to which it was counted, and how many of its events later
/// corrections named.
type Counted = (String, u64, u64, usize);

/// The newest report.
struct Made {
    signed: SignedCheckpoint,
    report: Arc<Report>,
    good_until: Instant,
}

/// The log of this service.
pub(crate) struct LivePages {
    app: Arc<AppState>,
    newest: Mutex<Option<Made>>,
    counts: Mutex<BTreeMap<Counted, Counts>>,
}

impl LivePages {
    pub(crate) fn new(app: Arc<AppState>) -> Self {
        Self { app, newest: Mutex::default(), counts: Mutex::default() }
    }

    fn following(&self) -> Result<Arc<Following>, Unavailable> {
        self.app.following().map_err(|problem| match problem.is_absent() {
            true => Unavailable::Refused(Refusal::NotJudged),
            false => unavailable(&problem),
        })
    }

    fn newest(&self) -> MutexGuard<'_, Option<Made>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The coups of a table's shoes by result, by the sequence that loaded them. Of the shoes that are not counted
    /// yet, a page counts the newest few; the next page counts the next.
    fn counts(
        &self,
        following: &Following,
        state: &TableState,
        locations: &[ShoeLocation],
    ) -> BTreeMap<u64, Counts> {
        let (mut known, mut left) = (BTreeMap::new(), COUNTED_AT_ONCE);
        for location in locations.iter().rev() {
            let corrected = following.follower().corrected_after(&state.table, location).len();
            let key: Counted =
                (state.table.clone(), location.first, location.last.unwrap_or(state.next), corrected);
            let kept = self.kept_counts().get(&key).copied();
            let counted = kept.or_else(|| {
                left = left.checked_sub(1)?;
                let counted = tables::shoe_counts(&self.app, following, &state.table, &location.shoe).ok()?;
                let mut kept = self.kept_counts();
                if kept.len() >= COUNTS_KEPT {
                    kept.pop_first();
                }
                // What was counted of the same shoe when it was shorter.
                kept.retain(|(table, first, ..), _| !(*table == key.0 && *first == key.1));
                kept.insert(key, counted);
                Some(counted)
            });
            known.extend(counted.map(|counts| (location.first, counts)));
        }
        known
    }

    fn kept_counts(&self) -> MutexGuard<'_, BTreeMap<Counted, Counts>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A shoe, or one coup of it. What was played without a shoe has no place of its own here.
    fn facts(&self, table: &str, shoe: Option<&str>, coup: Option<u32>) -> Result<ShoeFacts, Unavailable> {
        let shoe = shoe.ok_or(Unavailable::NotThere)?;
        let following = self.following()?;
        let judged = tables::judged_shoe(&self.app, &following, table, shoe, coup);
        let (judgement, marks) = judged.map_err(|problem| unavailable(&problem))?;
        let facts = ShoeFacts::of(&judgement, Some(shoe), true).ok_or(Unavailable::NotThere)?;
        Ok(ShoeFacts { marks: Some(marks), ..facts })
    }

    /// The report at the newest checkpoint that was judged, or one made a moment ago.
    fn report(&self, following: &Following) -> Result<(SignedCheckpoint, Arc<Report>), Unavailable> {
        // Others wait: two would copy all results twice.
        let mut newest = self.newest();
        let begun = Instant::now();
        if newest.as_ref().is_none_or(|made| made.good_until <= begun) {
            let reached = {
                let follower = following.follower();
                let is_newer =
                    |signed: &&SignedCheckpoint| newest.as_ref().is_none_or(|made| made.signed != **signed);
                let signed = follower.current_checkpoint().filter(is_newer).cloned();
                signed.and_then(|signed| Some((signed, follower.as_it_stands()?)))
            };
            if let Some((signed, judged)) = reached {
                let report = Arc::new(judged.report());
                *newest = Some(Made { signed, report, good_until: Instant::now() + begun.elapsed() * RESTS });
            }
        }
        match &*newest {
            Some(made) => Ok((made.signed.clone(), Arc::clone(&made.report))),
            None => Err(Unavailable::NotYet),
        }
    }
}

impl Source for LivePages {
    fn log(&self) -> Result<LogFacts, Unavailable> {
        let following = self.following()?;
        let (signed, report) = self.report(&following)?;
        let size = self.app.signed_checkpoint().checkpoint().size;
        let stopped = match following.state() {
            FollowerState::Following => None,
            FollowerState::Stopped(why) => Some(why),
        };
        let witnesses = self.app.witnessing.get().map(|witnessing| Witnesses {
            signed: witnessing.cosigned().map(|cosigned| {
                let own = self.app.key.name();
                let others = cosigned.signatures().iter().filter(|signature| signature.name != own);
                (cosigned.checkpoint().size, others.map(|signature| signature.name.clone()).collect())
            }),
            contradictions: witnessing.contradictions(),
        });
        let live = Live { judged: signed.checkpoint().size, size, stopped, witnesses };
        let checkpoint = self.app.with_cosignatures(Arc::new(signed)).text().to_owned();
        Ok(LogFacts { report, witnessed: None, checkpoint: Some(checkpoint), live: Some(live) })
    }

    fn tables_after(&self, name: &str, most: usize) -> Result<Vec<TableState>, Unavailable> {
        let following = self.following()?;
        let follower = following.follower();
        Ok(follower.tables_after(name).take(most).collect())
    }

    fn table(&self, name: &str) -> Result<TableFacts, Unavailable> {
        let following = self.following()?;
        let (state, locations) = {
            let follower = following.follower();
            (follower.table(name).ok_or(Unavailable::NotThere)?, follower.shoes(name))
        };
        let (_, report) = self.report(&following)?;
        let of_table: Vec<&Finding> =
            report.findings.iter().filter(|finding| finding.table == name).collect();
        let mut found: BTreeMap<&str, u64> = BTreeMap::new();
        for shoe in
            of_table.iter().filter(|finding| finding.cause.is_none()).filter_map(|one| one.shoe.as_deref())
        {
            *found.entry(shoe).or_default() += 1;
        }
        let has_older = locations.len() >= MAX_SHOE_LOCATIONS;
        let counts = self.counts(&following, &state, &locations);
        let row = |location: ShoeLocation| ShoeRow {
            findings: Some(found.get(&*location.shoe).copied().unwrap_or(0)),
            coups: counts.get(&location.first).copied(),
            shoe: Some(location.shoe),
        };
        let shoes = locations.into_iter().map(row).collect();
        let findings = of_table.into_iter().take(OF_A_TABLE).cloned().collect();
        Ok(TableFacts { state, shoes, has_older, findings })
    }

    fn shoe(&self, table: &str, shoe: Option<&str>) -> Result<ShoeFacts, Unavailable> {
        self.facts(table, shoe, None)
    }

    fn coup(&self, table: &str, shoe: Option<&str>, coup: u32) -> Result<ShoeFacts, Unavailable> {
        self.facts(table, shoe, Some(coup))
    }

    fn house(&self) -> Option<Option<(House, u64)>> {
        self.app.house.get().map(|board| board.seen())
    }

    fn findings(&self, wanted: &Wanted) -> Result<Findings, Unavailable> {
        let (_, report) = self.report(&*self.following()?)?;
        Ok(Findings::of(&report, wanted))
    }
}
