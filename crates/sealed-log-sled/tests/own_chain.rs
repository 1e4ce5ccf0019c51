//! The log's own chain, `@log`: whatever its entries say of their positions, opening the log comes to an end, and says
//! what is wrong.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;

use sealed_log::entry::Digest;
use sealed_log::notice::{Redaction, encode_redaction};
use sealed_log::store::StoredEntry;
use sealed_log::writer::OpenError;
use sealed_log_sled::{FolderError, LogFolder, Restoring};

use crate::support::{Maker, key, signed};

/// Restores entries as `audit restore` does, and opens the log; what the log said against it.
fn restored(folder: &Path, entries: &[StoredEntry], maker: &Maker) -> Result<(), FolderError> {
    let mut restoring = Restoring::begin(folder)?;
    for entry in entries {
        restoring.push(&entry.bytes)?;
    }
    restoring.seal(&signed(&maker.frontier))?;
    LogFolder::new(restoring.partial()).open_writer(key()).map(drop)
}

/// A minute is far more than any of these logs takes.
fn within_a_minute<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, waiting) = channel();
    std::thread::spawn(move || done.send(act()));
    waiting.recv_timeout(Duration::from_secs(60)).expect("it comes to an end")
}

/// Entries of tables, and notices at these positions, among `between` others each.
fn log(positions: &[u64], between: usize) -> (Vec<StoredEntry>, Maker) {
    let mut maker = Maker::default();
    let mut entries = maker.next(3).entries;
    let redaction = Redaction {
        entries: vec![(0, Digest::of(&entries[0].bytes))],
        reason: "art. 17".to_owned(),
        by: "dpo".to_owned(),
        countersigned_by: "director".to_owned(),
        gone_with_them: Vec::new(),
    };
    let payload = encode_redaction(&redaction).unwrap();
    for position in positions {
        let own = maker.entry_of("audit", "@log", *position, 1, &payload);
        entries.extend(maker.batch(vec![own]).entries);
        entries.extend(maker.next(between as u64).entries);
    }
    (entries, maker)
}

#[test]
fn opening_ends_whatever_positions_the_own_chain_has() {
    let dense: Vec<u64> = (1..=3_000).collect();
    let odd: Vec<u64> = (1..=3_000).map(|number| 2 * number - 1).collect();
    let far: Vec<u64> = (1..=3_000).map(|number| number << 50).collect();
    let back: Vec<u64> = odd.iter().rev().copied().collect();
    let chains: [(&[u64], usize, bool); 13] = [
        (&dense, 0, true),
        (&odd, 0, false),
        (&odd, 1, false),
        (&far, 0, false),
        (&back, 0, false),
        (&[1, 2, 3], 1, true),
        (&[1, 2, 3], 400, true),
        (&[1, 3], 1, false),
        (&[1, 3], 400, false),
        (&[1, 1 << 40, u64::MAX - 1], 300, false),
        (&[u64::MAX - 1, 1, 1 << 33], 300, false),
        (&[9, 8, 7, 6, 5], 260, false),
        (&[5, 5, 5], 260, false),
    ];
    for (positions, between, opens) in chains {
        let given = positions.to_vec();
        let outcome = within_a_minute(move || {
            let scratch = tempfile::tempdir().unwrap();
            let (entries, maker) = log(&given, between);
            restored(&scratch.path().join("log"), &entries, &maker)
        });
        match outcome {
            Ok(()) => assert!(opens, "{between} between"),
            Err(FolderError::Open { error, .. }) => {
                assert!(!opens && matches!(*error, OpenError::Notice { .. }), "{between} between: {error}");
                assert!(error.to_string().contains("on the chain `@log`"), "{error}");
            }
            Err(other) => panic!("{between} between: {other}"),
        }
    }
}
