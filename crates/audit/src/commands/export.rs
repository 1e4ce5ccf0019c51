//! `audit export`: a log as one self-contained file.

use std::fs;
use std::io::BufWriter;
use std::path::Path;

use sealed_log::write_archive;
use serde::Serialize;

use crate::cli::Export;
use crate::exit::Exit;
use crate::log::OpenedLog;
use crate::{Failure, render};

#[derive(Serialize)]
struct Told {
    archive: String,
    entries: u64,
    entry_bytes: u64,
    file_bytes: u64,
    origin: String,
    size: u64,
    root: String,
}

pub(crate) fn run(ask: &Export, out: &Path) -> Result<Exit, Failure> {
    let name = out.display().to_string();
    if out.exists() && !ask.force {
        return Err(Failure::usage(format!("{name} is there already; choose another name, or give --force")));
    }
    let opened = OpenedLog::open(&ask.log)?;
    let log = ask.log.display();
    let Some((store, head, key)) = opened.store() else {
        return Err(Failure::usage(format!("{log} is no log's folder; an archive is exported already")));
    };
    let head = head.ok_or_else(|| {
        Failure::seal(format!("{log} has no signed checkpoint; put the checkpoint file back"))
    })?;
    let key =
        key.ok_or_else(|| Failure::unreadable(format!("{log}/key.pub holds no verifier key; put it back")))?;
    let failed = |error: std::io::Error| Failure::unreadable(format!("{name}: {error}"));
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(".audit-export-").tempfile_in(folder).map_err(failed)?;
    let written = write_archive(BufWriter::with_capacity(1 << 20, file), store, head, key);
    let (file, summary) = written.map_err(|error| Failure::seal(format!("{name}: {error}")))?;
    let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(out).map_err(|error| failed(error.error))?;
    fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
    readable(out);
    let checkpoint = head.checkpoint();
    let told = Told {
        archive: name,
        entries: summary.entries,
        entry_bytes: summary.entry_bytes,
        file_bytes: summary.file_bytes,
        origin: checkpoint.origin.clone(),
        size: checkpoint.size,
        root: checkpoint.root_text(),
    };
    if ask.json {
        super::print_json(&told)?;
    } else {
        let (entries, bytes) = (render::grouped(told.entries), render::grouped(told.file_bytes));
        super::print(&format!(
            "{}: {entries} entries of {} in {bytes} bytes\nroot {}\n",
            told.archive, told.origin, told.root
        ))?;
    }
    Ok(Exit::Good)
}

/// An archive is made to be handed on: others may read it.
pub(super) fn readable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    // Where the file system knows no modes there is nothing to do.
    let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o644));
}
