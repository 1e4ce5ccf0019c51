//! `audit release`: a release's files, listed by their SHA-256 sums in a signed note (C2SP signed-note).
//!
//! The list is text. Its first line says what it is, so that no signature of it can be taken for that of a
//! checkpoint; the others are what `sha256sum` prints.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use tlog::note::Note;

use crate::cli::{ReleaseSign, ReleaseVerify};
use crate::exit::Exit;
use crate::failure::{Failure, about};
use crate::language::texts;
use crate::log::verifier_key;
use crate::text_file::small_text;
use crate::{keys, new_file, output, shown};

/// The first line of a list, with the version of its format.
const HEADING: &str = "audit release, format 1: SHA-256 sums";

/// Signs the list of the files.
pub(crate) fn sign(ask: &ReleaseSign) -> Result<Exit, Failure> {
    let key = keys::read_signing(&ask.key)?;
    let mut sums = BTreeMap::new();
    for file in &ask.files {
        let name = name_of(file)?;
        if sums.insert(name.clone(), sum_of(file).map_err(|error| not_signed(file, error))?).is_some() {
            return Err(Failure::usage(texts().file_named_twice(name)));
        }
    }
    let lines: String = sums.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
    let note = key.sign(&format!("{HEADING}\n{lines}"));
    new_file::write_new(&ask.out, note.as_bytes())?;
    output::note(&texts().files_signed(sums.len(), key.verifier_key()));
    Ok(Exit::Good)
}

/// Most bytes of a file of a release, 4 GiB: a longer one is neither signed nor read to its end.
const MOST_BYTES: u64 = 4 << 30;

/// What was found of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Found {
    /// It has the sum that was signed.
    Same,
    /// It has another one.
    Differs,
    /// It is not there.
    Missing,
    /// The list does not name it.
    NotListed,
    /// It is something else than a file (a pipe, a device, a folder): nothing of it was read.
    NotAFile,
    /// It is longer than a file of a release may be.
    TooLong,
}

#[derive(Serialize)]
struct FileView {
    file: String,
    found: Found,
}

#[derive(Serialize)]
struct ReleaseView {
    key: String,
    files: Vec<FileView>,
}

/// Verifies the list's signature, and then the files.
pub(crate) fn verify(ask: &ReleaseVerify) -> Result<Exit, Failure> {
    let key = verifier_key(&ask.key)?;
    let name = ask.note.display();
    let text = small_text(&ask.note)?;
    let note = Note::parse(&text).map_err(|error| Failure::unreadable(about(&name, &error)))?;
    note.verify(&key).map_err(|error| Failure::seal(about(&name, &error)))?;
    let sums =
        sums_in(note.text).map_err(|line| Failure::unreadable(texts().line_not_of_release(&name, line)))?;
    let mut files = Vec::new();
    for (name, path) in wanted(ask, &sums)? {
        let found = match sums.get(&name) {
            None => Found::NotListed,
            Some(_) if !path.exists() => Found::Missing,
            Some(signed) => match sum_of(&path) {
                Ok(sum) if *signed == sum => Found::Same,
                Ok(_) => Found::Differs,
                Err(Unsummed::NotAFile) => Found::NotAFile,
                Err(Unsummed::TooLong) => Found::TooLong,
                Err(Unsummed::Io(error)) => return Err(unread(&path, &error)),
            },
        };
        files.push(FileView { file: name, found });
    }
    let exit = files.iter().map(|file| exit_of(file.found)).fold(Exit::Good, Exit::worse);
    let view = ReleaseView { key: key.to_string(), files };
    if ask.json {
        output::print_json(&view)?
    } else {
        output::print(&lines(&view))?
    }
    Ok(exit)
}

/// The files to look at: those that were given, or all that the list names.
fn wanted(ask: &ReleaseVerify, sums: &BTreeMap<String, String>) -> Result<Vec<(String, PathBuf)>, Failure> {
    if ask.files.is_empty() {
        return Ok(sums.keys().map(|name| (name.clone(), ask.note.with_file_name(name))).collect());
    }
    ask.files.iter().map(|file| Ok((name_of(file)?, file.clone()))).collect()
}

fn lines(view: &ReleaseView) -> String {
    let mut text = texts().signed_by_given(&view.key);
    for FileView { file, found } in &view.files {
        let found = match found {
            Found::Same => texts().release_file_same(),
            Found::Differs => texts().release_file_differs(),
            Found::Missing => texts().release_file_missing(),
            Found::NotListed => texts().release_file_not_listed(),
            Found::NotAFile => texts().release_file_no_file(),
            Found::TooLong => texts().release_file_too_long(MOST_BYTES),
        };
        text.push_str(&format!("{} {found}\n", shown::plain(file)));
    }
    text
}

const fn exit_of(found: Found) -> Exit {
    match found {
        Found::Same => Exit::Good,
        Found::Missing => Exit::Open,
        Found::Differs | Found::NotListed | Found::NotAFile | Found::TooLong => Exit::Seal,
    }
}

/// The sums of a list by file name; or the number of the line that does not belong in one.
fn sums_in(text: &str) -> Result<BTreeMap<String, String>, usize> {
    let mut lines = text.lines().enumerate();
    if lines.next().is_none_or(|(_, heading)| heading != HEADING) {
        return Err(1);
    }
    let mut sums = BTreeMap::new();
    for (index, line) in lines {
        let (sum, name) = line.split_once("  ").ok_or(index + 1)?;
        let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let good = sum.len() == 64 && sum.bytes().all(hex) && is_name(name);
        if !good || sums.insert(name.to_owned(), sum.to_owned()).is_some() {
            return Err(index + 1);
        }
    }
    Ok(sums)
}

/// Whether a file of a release may be called so: it leads to no other folder, and a screen shows it as it is.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '\\']) && name != "." && name != ".." && shown::is_plain(name)
}

fn name_of(path: &Path) -> Result<String, Failure> {
    let name = path.file_name().and_then(|name| name.to_str()).filter(|name| is_name(name));
    name.map(str::to_owned).ok_or_else(|| Failure::usage(texts().release_file_name(path.display())))
}

/// Why a file has no sum.
enum Unsummed {
    NotAFile,
    TooLong,
    Io(io::Error),
}

impl From<io::Error> for Unsummed {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The sum of a file. It is opened without waiting, as a pipe under its name would be waited for, and read to a length
/// that no file of a release has, as a device would never end.
fn sum_of(path: &Path) -> Result<String, Unsummed> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::open(path, flags, Mode::empty()).map_err(io::Error::from)?);
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(Unsummed::NotAFile);
    }
    let (mut hash, mut piece, mut rest) = (Sha256::new(), vec![0; 1 << 16], MOST_BYTES);
    if meta.len() > rest {
        return Err(Unsummed::TooLong);
    }
    loop {
        match file.read(&mut piece)? {
            0 => break,
            read => {
                // It may grow meanwhile.
                rest = rest.checked_sub(read as u64).ok_or(Unsummed::TooLong)?;
                hash.update(&piece[..read]);
            }
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn not_signed(path: &Path, error: Unsummed) -> Failure {
    let why = match error {
        Unsummed::NotAFile => texts().release_file_no_file(),
        Unsummed::TooLong => texts().release_file_too_long(MOST_BYTES),
        Unsummed::Io(error) => return unread(path, &error),
    };
    Failure::usage(format!("{} {why}", shown::plain(&path.display().to_string())))
}

fn unread(path: &Path, error: &io::Error) -> Failure {
    Failure::file(path.display(), error)
}
