//! Checks after a load: every receipt is in the log, and every event of its tables is there exactly once, as
//! posted.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufReader;

use client::{Client, ReceiptError};
use events::decode_payload;
use sealed_log::archive::ArchiveSource;
use sealed_log::entry::Digest;
use sealed_log::reader::{Expectations, LogReader, SealFault, SealedEntry, Verdict};
use tlog::note::VerifierKey;

use crate::LoadError;
use crate::script::Script;
use crate::tally::{AcknowledgedEntry, Driven, TableProgress};

/// Most complaints that are stored; all are counted.
pub const MAX_KEPT_COMPLAINTS: usize = 20;

/// Something that the check found wrong.
#[derive(Debug)]
pub enum Complaint {
    /// The seal of the served log has a fault.
    Seal(SealFault),
    /// The proof of a receipt does not hold.
    Proof {
        /// The receipt's entry.
        index: u64,
        /// Why not.
        why: ReceiptError,
    },
    /// An entry is not the one that its receipt is of.
    OtherEntry {
        /// Its index.
        index: u64,
        /// The digest that the receipt has.
        digest: Digest,
    },
    /// An entry was acknowledged and is not in the log.
    EntryMissing(u64),
    /// An entry holds events of a table that are not those posted, or not once and in their order.
    OtherEvents {
        /// The entry.
        index: u64,
        /// The table.
        table: String,
        /// How many events the entry holds.
        count: u64,
        /// The sequence of the first.
        first: u64,
        /// The sequence that was due.
        due: u64,
    },
    /// A table ends before the last event that was acknowledged.
    EventsMissing {
        /// The table.
        table: String,
        /// Its last event.
        up_to: u64,
        /// How many were acknowledged.
        acknowledged: u64,
    },
    /// A table has more events than were posted.
    EventsAdded {
        /// The table.
        table: String,
        /// How many it has.
        up_to: u64,
        /// How many were posted.
        posted: u64,
    },
}

/// The result of the check.
#[derive(Debug, Default)]
pub struct Checked {
    /// Whether the served log is intact, signed by the key, and extends the checkpoint that was served after
    /// the last answer.
    pub intact: bool,
    /// Entries of the log, including those of other tables.
    pub entries: u64,
    /// Receipts whose entry is at the acknowledged index, with that digest and those events.
    pub receipts_held: u64,
    /// Receipts that do not match the log.
    pub receipts_broken: u64,
    /// Proofs of receipts that are valid by themselves.
    pub proofs_held: u64,
    /// Proofs that are not.
    pub proofs_broken: u64,
    /// Events of this load's tables that are in the log as they were posted.
    pub events_held: u64,
    /// Acknowledged events that the log does not hold.
    pub events_missing: u64,
    /// Events that are in the log more than once, out of order, or altered.
    pub events_wrong: u64,
    /// The first complaints.
    pub complaints: Vec<Complaint>,
    more_complaints: u64,
}

impl Checked {
    /// Whether nothing is wrong.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.intact && self.complaints.is_empty()
    }

    /// Number of complaints that are not stored.
    #[must_use]
    pub const fn more_complaints(&self) -> u64 {
        self.more_complaints
    }

    fn complain(&mut self, complaint: Complaint) {
        if self.complaints.len() < MAX_KEPT_COMPLAINTS {
            self.complaints.push(complaint);
        } else {
            self.more_complaints += 1;
        }
    }
}

/// Reads the whole served log, signed by `key`, and compares it with everything that was acknowledged. Needs
/// memory for the receipts, not for the log.
///
/// # Errors
/// [`LoadError::Client`] and [`LoadError::Log`] if the log cannot be fetched or read. What is missing in it
/// is no error; [`Checked`] reports it.
pub fn check(driven: &Driven, client: &Client, key: &VerifierKey) -> Result<Checked, LoadError> {
    let mut checked = Checked::default();
    check_proofs(driven, key, &mut checked);
    let anchors = vec![client.checkpoint()?];
    let archive = BufReader::with_capacity(1 << 18, client.archive()?);
    let unreadable = |error: &dyn std::fmt::Display| LoadError::Log(error.to_string());
    let source = ArchiveSource::new(archive).map_err(|error| unreadable(&error))?;
    let mut reader = LogReader::new(source, Expectations { verifier: Some(key.clone()), anchors });
    let mut comparison = Comparison::new(driven, checked);
    while let Some(window) = reader.next_window().map_err(|error| unreadable(&error))? {
        window.entries().for_each(|entry| comparison.entry(&entry));
    }
    let mut checked = comparison.finish();
    let report = reader.finish();
    checked.entries = report.size;
    checked.intact = report.intact == Verdict::Yes && report.anchored == Verdict::Yes;
    report.faults.into_iter().for_each(|fault| checked.complain(Complaint::Seal(fault)));
    Ok(checked)
}

fn check_proofs(driven: &Driven, key: &VerifierKey, checked: &mut Checked) {
    for receipt in &driven.tally.proofs {
        match client::check(receipt, key, None) {
            Ok(_) => checked.proofs_held += 1,
            Err(why) => {
                checked.proofs_broken += 1;
                checked.complain(Complaint::Proof { index: receipt.index, why });
            }
        }
    }
}

/// Compares the log, while it is read, with what was acknowledged.
struct Comparison<'a> {
    scripts: &'a [Script],
    /// Acknowledged entries in log order; those before `next` are done.
    kept: Vec<AcknowledgedEntry>,
    next: usize,
    /// By name: the table, and how far its events were found.
    tables: BTreeMap<&'a str, Found<'a>>,
    checked: Checked,
}

struct Found<'a> {
    played: &'a TableProgress,
    up_to: u64,
}

impl<'a> Comparison<'a> {
    fn new(driven: &'a Driven, checked: Checked) -> Self {
        let mut kept = driven.tally.kept.clone();
        kept.sort_unstable_by_key(|kept| kept.index);
        let tables = driven.tally.played.iter();
        let tables = tables.map(|played| (played.name.as_str(), Found { played, up_to: 0 })).collect();
        Self { scripts: &driven.scripts, kept, next: 0, tables, checked }
    }

    fn entry(&mut self, entry: &SealedEntry<'_>) {
        let view = entry.view.as_ref().ok();
        let number = view.and_then(|view| self.tables.get(view.chain)).map(|found| found.played.number);
        while let Some(kept) = self.kept.get(self.next).filter(|kept| kept.index <= entry.index) {
            let acknowledged = (kept.index, kept.digest, kept.first, kept.count);
            let in_log = view.map(|view| (entry.index, entry.digest, view.first, view.count));
            if in_log == Some(acknowledged) && number == Some(kept.table) && !entry.altered {
                self.checked.receipts_held += 1;
            } else {
                self.checked.receipts_broken += 1;
                self.checked.complain(Complaint::OtherEntry { index: kept.index, digest: kept.digest });
            }
            self.next += 1;
        }
        if let Some(view) = view {
            self.events(entry.index, view.chain, view.first, view.payload);
        }
    }

    /// Events of a table of this load: they must be the next ones, as posted.
    fn events(&mut self, index: u64, table: &str, first: u64, payload: &[u8]) {
        let Some(found) = self.tables.get_mut(table) else { return };
        let script = &self.scripts[found.played.script];
        let events = decode_payload(payload).unwrap_or_default();
        let as_posted =
            || events.iter().zip(first..).all(|(event, at)| script.posted(at).as_ref() == Some(event));
        if first == found.up_to + 1 && !events.is_empty() && as_posted() {
            found.up_to += events.len() as u64;
            self.checked.events_held += events.len() as u64;
        } else {
            self.checked.events_wrong += events.len().max(1) as u64;
            let due = found.up_to + 1;
            let (table, count) = (table.to_owned(), events.len() as u64);
            let complaint = Complaint::OtherEvents { index, table, count, first, due };
            self.checked.complain(complaint);
        }
    }

    fn finish(mut self) -> Checked {
        let lost: BTreeSet<u64> = self.kept[self.next..].iter().map(|kept| kept.index).collect();
        self.checked.receipts_broken += (self.kept.len() - self.next) as u64;
        for index in lost {
            self.checked.complain(Complaint::EntryMissing(index));
        }
        for (name, found) in &self.tables {
            let (up_to, table) = (found.up_to, (*name).to_owned());
            let TableProgress { acknowledged, posted, .. } = *found.played;
            if up_to < acknowledged {
                self.checked.events_missing += acknowledged - up_to;
                self.checked.complain(Complaint::EventsMissing { table, up_to, acknowledged });
            } else if up_to > posted {
                self.checked.events_wrong += up_to - posted;
                self.checked.complain(Complaint::EventsAdded { table, up_to, posted });
            }
        }
        self.checked
    }
}
