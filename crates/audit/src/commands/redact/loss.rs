//! What the judge loses with a payload: coups of other entries may need what stands in it, a table's
//! rulebook above all.

use std::collections::{BTreeMap, BTreeSet};

use events::Body;
use replay::{Counts, Entry, Judge, Judgement};
use sealed_log::{Expectations, SignedCheckpoint, StoreSource, VerifierKey};
use sealed_log_sled::SledStore;
use serde::Serialize;

use crate::Failure;
use crate::judging::entries;
use crate::log::read_all;

/// What cannot be said any more once payloads are gone.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Loss {
    /// Coups that were certified or violated and are so no more.
    pub(super) coups: u64,
    /// How many of these stand in other entries, which stay.
    pub(super) in_other_entries: u64,
    /// Findings that are found no more.
    pub(super) findings: u64,
}

/// Judges a log as it is and as it will be.
pub(super) fn loss(
    store: &SledStore,
    head: &SignedCheckpoint,
    key: &VerifierKey,
    chosen: &BTreeSet<u64>,
) -> Result<Loss, Failure> {
    let (mut before, mut after) = (Judge::new(None, None), Judge::new(None, None));
    let mut own = OwnCoups::default();
    let source = StoreSource::new(store, Some(head.clone()), Some(key.clone()));
    read_all(source, Expectations::default(), |window| {
        let entries = entries(&window);
        before.judge(&entries);
        entries.iter().for_each(|entry| own.see(entry, chosen.contains(&entry.index)));
        let left: Vec<Entry<'_>> = entries
            .into_iter()
            .map(|entry| match chosen.contains(&entry.index) {
                true => Entry { withheld: true, payload: &[], ..entry },
                false => entry,
            })
            .collect();
        after.judge(&left);
    })?;
    let (before, after) = (before.finish(), after.finish());
    let coups = decided(before.coups).saturating_sub(decided(after.coups));
    Ok(Loss {
        coups,
        in_other_entries: coups.saturating_sub(own.coups.len() as u64),
        findings: found(&before).saturating_sub(found(&after)),
    })
}

const fn decided(coups: Counts) -> u64 {
    coups.certified + coups.violated
}

fn found(judgement: &Judgement) -> u64 {
    judgement.findings_by_code.values().sum()
}

/// The coups that the payloads themselves tell of.
#[derive(Default)]
struct OwnCoups {
    /// Shoes of each table so far.
    shoes: BTreeMap<String, u64>,
    /// By table, shoe and number.
    coups: BTreeSet<(String, u64, u64)>,
}

impl OwnCoups {
    fn see(&mut self, entry: &Entry<'_>, chosen: bool) {
        // What cannot be decoded tells of no coup.
        for event in events::decode_payload(entry.payload).unwrap_or_default() {
            let shoes = self.shoes.entry(entry.table.to_owned()).or_default();
            if matches!(event.body, Body::ShoeLoaded(_)) {
                *shoes += 1;
            }
            if let Some(coup) = coup(&event.body).filter(|_| chosen) {
                self.coups.insert((entry.table.to_owned(), *shoes, coup));
            }
        }
    }
}

/// The coup an event names, whatever its kind.
fn coup(body: &Body) -> Option<u64> {
    let fields = serde_json::to_value(body).ok()?;
    fields.as_object()?.values().next()?.get("coup")?.as_u64()
}
