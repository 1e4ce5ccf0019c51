//! `audit keys`: the keys that sign logs.

use std::path::Path;

use intake::clock::now;
use sealed_log::notice::Notice;
use sealed_log::reader::Expectations;
use serde::Serialize;
use tlog::key::Algorithm;
use tlog::note::VerifierKey;

use crate::cli::{AskAs, Keys, LogRead};
use crate::exit::Exit;
use crate::failure::{Failure, about};
use crate::keys::{self, KeyFiles};
use crate::language::texts;
use crate::log::{KeyedFolder, OpenedLog};
use crate::output;
use crate::served;
use crate::text_file::small_text;

/// A key, never its secret half.
#[derive(Serialize)]
struct KeyView {
    key: String,
    id: String,
    origin: String,
    /// Of a log: the rotations it gives notice of.
    #[serde(skip_serializing_if = "Option::is_none")]
    rotations: Option<Vec<Rotation>>,
}

#[derive(Serialize)]
struct Rotation {
    /// Index of the notice.
    entry: u64,
    old: String,
    new: String,
}

impl KeyView {
    fn of(key: &VerifierKey, rotations: Option<Vec<Rotation>>) -> Self {
        let id = format!("{:08x}", u32::from_be_bytes(key.id()));
        Self { key: key.to_string(), id, origin: key.name().to_owned(), rotations }
    }
}

pub(crate) fn run(ask: &Keys) -> Result<Exit, Failure> {
    let (view, json) = match ask {
        Keys::New { file, origin, algorithm, json } => (new(file, origin, (*algorithm).into())?, *json),
        Keys::Show { what, ask_as, json } => (show(what, ask_as)?, *json),
        Keys::Rotate { log, algorithm, json } => (rotate(log, algorithm.map(Into::into))?, *json),
    };
    if json {
        output::print_json(&view)?;
    } else {
        output::print(&text(&view))?;
    }
    Ok(Exit::Good)
}

fn new(file: &Path, origin: &str, algorithm: Algorithm) -> Result<KeyView, Failure> {
    let key = keys::fresh(origin, algorithm)?;
    keys::write_pair(file, &key)?;
    Ok(KeyView::of(&key.verifier_key(), None))
}

/// The key in a file, signing or verifier key, or of a log.
fn show(what: &Path, ask_as: &AskAs) -> Result<KeyView, Failure> {
    let log = || LogRead { log: what.to_owned(), ask_as: ask_as.clone() };
    if served::url(what).is_some() {
        return show_log(&log());
    }
    let meta = std::fs::metadata(what);
    let meta = meta.map_err(|error| Failure::file(what.display(), &error))?;
    let mut start = [0; 8];
    let archive = meta.is_file()
        && std::fs::File::open(what)
            .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut start))
            .is_ok()
        && start == *b"AUDITLOG";
    if meta.is_dir() || archive {
        return show_log(&log());
    }
    let text = small_text(what)?;
    if text.starts_with("PRIVATE+KEY+") {
        return keys::read_signing(what).map(|key| KeyView::of(&key.verifier_key(), None));
    }
    let key = text.strip_prefix('\u{feff}').unwrap_or(&text).trim_end().parse::<VerifierKey>();
    key.map(|key| KeyView::of(&key, None)).map_err(|error| Failure::unreadable(about(what.display(), &error)))
}

fn show_log(log: &LogRead) -> Result<KeyView, Failure> {
    let opened = OpenedLog::open_as(log)?;
    let seal = opened.read(Expectations::default(), drop)?;
    let rotations: Vec<Rotation> = seal
        .notices
        .iter()
        .filter_map(|(entry, notice)| match notice {
            Notice::KeyRotated(rotation) => {
                let (old, new) = (rotation.old().to_string(), rotation.new_key().to_string());
                Some(Rotation { entry: *entry, old, new })
            }
            Notice::EntriesRedacted(_)
            | Notice::LogContinued(_)
            | Notice::LogClosed(_)
            | Notice::Unknown { .. } => None,
        })
        .collect();
    let name = log.log.display();
    let carried = seal.key.ok_or_else(|| Failure::unreadable(texts().holds_no_key(name)))?;
    let newest = rotations.last().map(|rotation| rotation.new.parse::<VerifierKey>());
    let key = newest.transpose().map_err(Failure::of_seal)?.unwrap_or(carried);
    Ok(KeyView::of(&key, Some(rotations)))
}

/// The new key is on disk before the log names it; `settle` replaces the old key's file.
fn rotate(log: &Path, algorithm: Option<Algorithm>) -> Result<KeyView, Failure> {
    let mut writer = KeyedFolder::new(log).open_writer(None)?;
    let files = KeyFiles::new(log);
    let old = writer.verifier_key();
    let new = files.make_next(old.name(), algorithm.unwrap_or(old.algorithm()))?;
    writer.rotate(new, now()).map_err(Failure::of_reading)?;
    let in_force = writer.verifier_key();
    drop(writer);
    files.settle(&in_force)?;
    show_log(&LogRead::at(log))
}

fn text(view: &KeyView) -> String {
    let KeyView { key, id, origin, rotations } = view;
    let mut text = texts().key_line(key, id, origin);
    match rotations.as_deref() {
        None => {}
        Some([]) => text.push_str(&format!("  {}\n", texts().never_rotated())),
        Some(rotations) => {
            for Rotation { entry, old, .. } in rotations {
                text.push_str(&format!("  {}\n", texts().until_entry(entry, old)));
            }
        }
    }
    text
}
