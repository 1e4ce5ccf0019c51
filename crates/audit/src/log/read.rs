//! Reads a log from its first entry to its last, on a thread of its own.

use sealed_log::reader::{EntrySource, Expectations, LogReader, SealReport, Window};
use sealed_log::threads;
use tlog::checkpoint::SignedCheckpoint;

use crate::errors::said;
use crate::failure::Failure;
use crate::language::texts;

/// Reads ahead on a thread of its own while the previous windows are processed; `sized` is told first how many entries
/// the log's checkpoint names. `claims` are checkpoints that other logs state of this one.
pub(crate) fn read_all<S: EntrySource + Send>(
    source: S,
    expectations: Expectations,
    claims: Vec<SignedCheckpoint>,
    sized: impl FnOnce(u64),
    mut each: impl FnMut(Window),
) -> Result<SealReport, Failure> {
    threads::start().map_err(|error| Failure::machine(said(&error)))?;
    if let Some(signed) = &source.claims().checkpoint {
        sized(signed.checkpoint().size);
    }
    let (sender, windows) = std::sync::mpsc::sync_channel(1);
    std::thread::scope(|scope| {
        let named = std::thread::Builder::new().name("reader".to_owned());
        let reader = named.spawn_scoped(scope, move || {
            let mut reader = LogReader::with_claims(source, expectations, claims);
            while let Some(window) = reader.next_window()? {
                if sender.send(window).is_err() {
                    break;
                }
            }
            Ok::<SealReport, sealed_log::reader::SourceError>(reader.finish())
        });
        let reader = reader.map_err(|error| Failure::machine(texts().no_thread(said(&error))))?;
        windows.iter().for_each(&mut each);
        match reader.join() {
            Ok(report) => report.map_err(Failure::of_reading),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
