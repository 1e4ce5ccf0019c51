//! A served log's archive, fetched as it is handed out and then read like any other.

use std::io::{self, Write};
use std::path::Path;

use sealed_log::archive::ArchiveSummary;
use sealed_log::reader::{Expectations, Verdict};
use tlog::checkpoint::SignedCheckpoint;

use crate::cli::Export;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::OpenedLog;
use crate::new_file::NewFile;
use crate::render::shell_word;
use crate::served::ServedLog;

/// Fetches the archive. What was handed out is kept even where its seal is broken: it is evidence.
pub(super) fn fetch(
    ask: &Export,
    served: &ServedLog,
    out: &Path,
) -> Result<(ArchiveSummary, SignedCheckpoint), Failure> {
    let url = served.url();
    if !ask.withhold.is_empty() {
        return Err(Failure::usage(texts().served_withholds_nothing(url)));
    }
    let failed = |error: io::Error| Failure::file(url, &error);
    let mut file = NewFile::begin(out, ask.force)?;
    let file_bytes = io::copy(&mut served.archive()?, &mut file).map_err(failed)?;
    file.flush().map_err(failed)?;
    file.keep_private()?;
    let (mut entries, mut entry_bytes) = (0, 0);
    let seal = OpenedLog::open(out)?.read(Expectations::default(), |window| {
        window.entries().for_each(|entry| {
            entries += 1;
            entry_bytes += entry.bytes.len() as u64;
        });
    })?;
    let (name, word) = (out.display(), shell_word(out));
    match (seal.intact, seal.checkpoint) {
        (Verdict::Yes, Some(signed)) => {
            let (withheld, left_out) = (seal.withheld, seal.left_out);
            Ok((ArchiveSummary { entries, withheld, left_out, entry_bytes, file_bytes }, signed))
        }
        (Verdict::No, _) => Err(Failure::seal(texts().served_archive_broken(name, url, word))),
        (Verdict::Yes | Verdict::Unknown, _) => {
            Err(Failure::seal(texts().served_archive_unconfirmed(name, url, word)))
        }
    }
}
