//! The folder of the demonstration: events, logs, an archive with a changed byte, a proof.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use baccarat::Money;
use casino::{Plan, simulate};
use clap::Parser as _;
use events::{Body, Line};
use tlog::key::Algorithm;
use tlog::note::SigningKey;

use super::not_as_meant;
use crate::cli::{self, Cli, Command};
use crate::commands::ingest::{self, IngestView};
use crate::commands::{export, prove, show, simulate as simulating, verify};
use crate::failure::Failure;
use crate::keys;
use crate::language::texts;
use crate::log::OpenedLog;
use crate::new_file::{self, NewFile};
use crate::signals;

const RULEBOOK: &str = "punto-banco";
/// An evening of two tables, and the bet at one of them that is paid too little in the crooked record. The entries of the
/// tables alternate, so that no coup has the number of its entry.
const SEED: u64 = 5;
const TABLES: u32 = 2;
const TABLE: &str = "PB-01";
const COUP: u32 = 17;
const BET: u64 = 68;
/// One euro.
const STOLEN: u64 = 100;
/// The secret key is a text that everybody can read, and says so.
const SECRET: &[u8; 32] = b"demo: worthless, everyone has it";
const ORIGIN: &str = "demo.invalid/worthless-everyone-has-the-secret-key";
/// The morning after it was played, in microseconds since 1970 UTC.
const RECEIVED_AT: i64 = 1_772_427_600_000_000;

/// One of the two logs.
pub(super) struct Log {
    pub(super) name: &'static str,
    /// Its folder.
    pub(super) path: PathBuf,
    /// Where its public key is kept, as someone who was given it keeps it.
    pub(super) key: PathBuf,
    pub(super) sealed: IngestView,
    pub(super) verified: verify::Verified,
}

/// A byte of a copy that was changed.
pub(super) struct Changed {
    /// The copy.
    pub(super) archive: PathBuf,
    pub(super) at: usize,
    pub(super) size: usize,
    pub(super) was: u8,
    pub(super) is: u8,
}

/// The honest record, sealed with the key of the crooked log under its name.
pub(super) struct Resealed {
    pub(super) log: Log,
    /// A checkpoint of the crooked log, as someone keeps it who saw that log before.
    pub(super) kept: PathBuf,
}

/// A folder that is removed with all that was made in it, unless it is complete.
pub(super) struct Made {
    pub(super) folder: PathBuf,
    pub(super) logs: [Log; 2],
    pub(super) coup: replay::CoupView,
    pub(super) changed: Changed,
    pub(super) resealed: Resealed,
    pub(super) proof: PathBuf,
    unfinished: Unfinished,
}

/// Removes the folder when it goes.
struct Unfinished(Option<PathBuf>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        let Some(folder) = self.0.take() else { return };
        // While a signal removes it this waits: the signal ends the program, and no error is its.
        signals::keep(&folder);
        // Whatever went wrong before is said; a folder that cannot be removed is refused the next time.
        let _ = fs::remove_dir_all(folder);
    }
}

impl Made {
    pub(super) fn in_folder(folder: &Path) -> Result<Self, Failure> {
        fs::DirBuilder::new().mode(0o700).create(folder).map_err(|error| not_made(folder, &error))?;
        let unfinished = Unfinished(Some(folder.to_owned()));
        signals::remove_if_ended(folder);
        let honest = log(folder, "honest", |_| Ok(()))?;
        let crooked = log(folder, "crooked", steal)?;
        let [found] = crooked.verified.report.findings.as_slice() else {
            return Err(not_as_meant("the crooked record has not one finding"));
        };
        let Some((coup, shoe)) = found.coup.zip(found.shoe.clone()) else {
            return Err(not_as_meant("the finding names no coup"));
        };
        let place = [found.table.clone(), shoe, coup.to_string()];
        let changed = change_a_byte(folder, &crooked.path)?;
        let coup = coup_at(&crooked.path, &place)?;
        let resealed = seal_in_place(folder, &crooked)?;
        let proof = prove(folder, &crooked.path, &place)?;
        let logs = [honest, crooked];
        Ok(Self { folder: folder.to_owned(), logs, coup, changed, resealed, proof, unfinished })
    }

    /// The log with the theft.
    pub(super) const fn crooked(&self) -> &Log {
        let [_, crooked] = &self.logs;
        crooked
    }

    /// It is complete, and stays.
    pub(super) fn keep(mut self) {
        signals::keep(&self.folder);
        self.unfinished.0 = None;
    }
}

fn not_made(folder: &Path, error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::AlreadyExists {
        return Failure::usage(texts().demo_is_there(folder.display(), super::shown::program()));
    }
    // What is not there is the folder in which it would be made.
    let missing = folder.parent().filter(|_| error.kind() == io::ErrorKind::NotFound);
    Failure::file(missing.unwrap_or(folder).display(), error)
}

/// What a person asks for with these words.
pub(super) fn asked<const N: usize>(words: [&dyn AsRef<std::ffi::OsStr>; N]) -> Result<Command, Failure> {
    let words = words.iter().map(|word| OsString::from(word.as_ref()));
    let asked = Cli::try_parse_from([OsString::from("audit")].into_iter().chain(words));
    asked.map(|asked| asked.command).map_err(|error| not_as_meant(&error.to_string()))
}

/// Plays the evening, seals it and verifies the log with its key alone.
fn log(folder: &Path, name: &'static str, hand: Hand) -> Result<Log, Failure> {
    let events = folder.join(format!("{name}.ndjson"));
    play(&events, hand)?;
    let key = folder.join(format!("{name}.pub"));
    new_file::write_new(&key, format!("{}\n", signing_key(name)?.verifier_key()).as_bytes())?;
    seal(folder, name, &events, (name, key))
}

/// Seals the honest record under the name of another log. That takes the other log's key.
fn seal_in_place(folder: &Path, of: &Log) -> Result<Resealed, Failure> {
    let kept = folder.join(format!("{}.checkpoint", of.name));
    let newest = of.path.join("checkpoint");
    let bytes = fs::read(&newest).map_err(|error| Failure::file(newest.display(), &error))?;
    new_file::write_new(&kept, &bytes)?;
    let log = seal(folder, "resealed", &folder.join("honest.ndjson"), (of.name, of.key.clone()))?;
    Ok(Resealed { log, kept })
}

fn signing_key(name: &str) -> Result<SigningKey, Failure> {
    let origin = format!("{ORIGIN}/{name}");
    SigningKey::with_algorithm(Algorithm::Ed25519, &origin, SECRET).map_err(Failure::of_seal)
}

/// Seals events in a folder of this name, as the log of another name and its key.
fn seal(
    folder: &Path,
    name: &'static str,
    events: &Path,
    (named, key): (&str, PathBuf),
) -> Result<Log, Failure> {
    let (path, signing) = (folder.join(name), signing_key(named)?);
    let made = fs::DirBuilder::new().mode(0o700).create(&path);
    made.map_err(|error| Failure::file(path.display(), &error))?;
    keys::write_pair(&path.join("key"), &signing)?;
    let verifier = signing.verifier_key().to_string();
    let Command::Ingest(ask) = asked([&"ingest", &events, &"--log", &path, &"--create"])? else {
        return Err(not_as_meant("ingest"));
    };
    let sealed = ingest::sealed(&ask, || RECEIVED_AT)?;
    let Command::Verify(cli::Verify::Log(ask)) = asked([&"verify", &"log", &path, &"--key", &verifier])?
    else {
        return Err(not_as_meant("verify"));
    };
    Ok(Log { name, path, key, sealed, verified: verify::verified(&ask)? })
}

/// What somebody does to an event before it is recorded.
type Hand = fn(&mut Line) -> Result<(), Failure>;

/// Pays one bet too little.
fn steal(line: &mut Line) -> Result<(), Failure> {
    if let Body::CoupSettled(settled) = &mut line.event
        && line.table.as_str() == TABLE
        && settled.coup == COUP
    {
        for bet in settled.bets.iter_mut().filter(|bet| bet.bet == BET) {
            let less = bet.returned.get().saturating_sub(STOLEN);
            bet.returned = Money::new(less).map_err(|error| not_as_meant(&error.to_string()))?;
        }
    }
    Ok(())
}

fn play(file: &Path, hand: Hand) -> Result<(), Failure> {
    let book = baccarat::builtin(RULEBOOK).map_err(|error| not_as_meant(&error.to_string()))?;
    let plan = Plan { tables: TABLES, shoes: 1, seed: SEED, ..Plan::new(book) };
    let mut lines: Vec<Line> = simulate(&plan).lines.collect();
    lines.iter_mut().try_for_each(hand)?;
    let mut out = NewFile::begin(file, false)?;
    let written = simulating::write(&mut out, lines.into_iter());
    written.map_err(|error| Failure::file(file.display(), &error))?;
    out.keep()
}

/// Changes a byte of a copy of the log, past its middle.
fn change_a_byte(folder: &Path, log: &Path) -> Result<Changed, Failure> {
    let archive = folder.join("changed.auditlog");
    let Command::Export(ask) = asked([&"export", &log, &"--out", &archive])? else {
        return Err(not_as_meant("export"));
    };
    export::whole(&ask, &OpenedLog::open_as(&ask.log)?, &archive)?;
    let failed = |error: io::Error| Failure::file(archive.display(), &error);
    let mut bytes = fs::read(&archive).map_err(failed)?;
    let (at, size) = (bytes.len() / 5 * 3, bytes.len());
    let byte = bytes.get_mut(at).ok_or_else(|| not_as_meant("the archive is empty"))?;
    let (was, is) = (*byte, *byte ^ 1);
    *byte = is;
    new_file::write(&archive, &bytes, true)?;
    Ok(Changed { archive, at, size, was, is })
}

fn coup_at(log: &Path, [table, shoe, coup]: &[String; 3]) -> Result<replay::CoupView, Failure> {
    let words = asked([&"show", &"coup", &log, &"--table", table, &"--shoe", shoe, &"--coup", coup])?;
    let Command::Show(cli::Show::Coup(ask)) = words else { return Err(not_as_meant("show")) };
    let (coup, ..) =
        show::one_coup(&ask.log, (&ask.table, ask.shoe.as_deref(), ask.coup, ask.event), ask.json)?;
    Ok(coup)
}

fn prove(folder: &Path, log: &Path, [table, shoe, coup]: &[String; 3]) -> Result<PathBuf, Failure> {
    let proof = folder.join(format!("coup-{coup}.tlog-proof"));
    let place: [&dyn AsRef<std::ffi::OsStr>; 11] =
        [&"prove", &"coup", &log, &"--table", table, &"--shoe", shoe, &"--coup", coup, &"--out", &proof];
    let Command::Prove(cli::Prove::Coup(ask)) = asked(place)? else { return Err(not_as_meant("prove")) };
    let (_, written) = prove::proven_coup(&ask)?;
    if written.len() == 1 { Ok(proof) } else { Err(not_as_meant("the coup is not one entry")) }
}
