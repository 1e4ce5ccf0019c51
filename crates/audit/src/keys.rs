//! A log's key files: `key` (0600), `key.pub`, and during a rotation `key.next` (0600).
//!
//! A new key is on disk before the log names it, and replaces the old file afterwards. If the program stops
//! in between, one of the two files holds the key in force, and the next start puts them in order.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tlog::key::Algorithm;
use tlog::note::{SigningKey, VerifierKey};

use crate::errors::said;
use crate::failure::Failure;
use crate::language::texts;
use crate::shown::printable;
use crate::text_file::{only_a_file, regular_text, small_text};

/// The key files of a log's folder.
pub(crate) struct KeyFiles {
    folder: PathBuf,
}

impl KeyFiles {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Where the signing key is.
    pub(crate) fn signing(&self) -> PathBuf {
        self.folder.join("key")
    }

    fn next(&self) -> PathBuf {
        self.folder.join("key.next")
    }

    /// Where the verifier key is.
    pub(crate) fn public(&self) -> PathBuf {
        self.folder.join("key.pub")
    }

    /// The verifier key beside the log.
    pub(crate) fn public_key(&self) -> Option<VerifierKey> {
        regular_text(&self.public()).ok()?.trim_end().parse().ok()
    }

    /// Makes the key of a new log.
    pub(crate) fn make(&self, origin: &str) -> Result<(), Failure> {
        let key = fresh(origin, Algorithm::Ed25519)?;
        let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.folder);
        made.map_err(|error| failed(&self.folder, &error))?;
        write_pair(&self.signing(), &key)
    }

    /// The key, and the next key where a rotation was interrupted.
    pub(crate) fn available(&self) -> Result<Vec<SigningKey>, Failure> {
        only_a_file(&self.signing())?;
        let mut keys = vec![read_signing(&self.signing())?];
        if self.next().is_file() {
            // An incomplete key file was never used: nothing is signed before the file is complete.
            keys.extend(read_signing(&self.next()).ok());
        }
        Ok(keys)
    }

    /// A new key, on disk beside the old one.
    pub(crate) fn make_next(&self, origin: &str, algorithm: Algorithm) -> Result<SigningKey, Failure> {
        let (key, path) = (fresh(origin, algorithm)?, self.next());
        remove(&path)?;
        write_secret(&path, &key)?;
        sync_folder(&path)?;
        Ok(key)
    }

    /// Puts the files in order for the key that is in force.
    pub(crate) fn settle(&self, in_force: &VerifierKey) -> Result<(), Failure> {
        let next = self.next();
        if next.exists() {
            if read_signing(&next).is_ok_and(|key| key.verifier_key() == *in_force) {
                fs::rename(&next, self.signing()).map_err(|error| failed(&next, &error))?;
            } else {
                remove(&next)?;
            }
            sync_folder(&next)?;
        }
        if self.public_key().as_ref() != Some(in_force) {
            write_public(&self.public(), in_force)?;
            sync_folder(&next)?;
        }
        Ok(())
    }
}

/// A signing key from its file, which only its owner may be able to read.
pub(crate) fn read_signing(path: &Path) -> Result<SigningKey, Failure> {
    only_for_its_owner(path)?;
    small_text(path)?.trim_end().parse().map_err(|error| Failure::of_reading_in(path.display(), error))
}

/// Checks that only the owner of a file with a secret can read it.
pub(crate) fn only_for_its_owner(path: &Path) -> Result<(), Failure> {
    let mode = fs::metadata(path).map_err(|error| failed(path, &error))?.permissions().mode();
    if mode & 0o077 != 0 {
        let mode = format!("{:o}", mode & 0o777);
        return Err(Failure::unreadable(texts().key_is_readable(path.display(), mode)));
    }
    Ok(())
}

/// A new key from the system's random numbers.
pub(crate) fn fresh(origin: &str, algorithm: Algorithm) -> Result<SigningKey, Failure> {
    printable("--origin", origin)?;
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|error| Failure::machine(texts().no_random_numbers(said(&error))))?;
    SigningKey::with_algorithm(algorithm, origin, &seed)
        .map_err(|error| Failure::usage(format!("--origin: {}", said(&error))))
}

/// Writes a signing key and, beside it, `FILE.pub`; neither may be there.
pub(crate) fn write_pair(path: &Path, key: &SigningKey) -> Result<(), Failure> {
    write_secret(path, key)?;
    write_public(&public_of(path), &key.verifier_key())?;
    sync_folder(path)
}

/// Where the public half of a key is kept.
pub(crate) fn public_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".pub");
    PathBuf::from(name)
}

fn write_secret(path: &Path, key: &SigningKey) -> Result<(), Failure> {
    let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let mut file = opened.map_err(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            Failure::usage(texts().key_never_overwritten(path.display()))
        } else {
            failed(path, &error)
        }
    })?;
    writeln!(file, "{}", key.to_secret_text())
        .and_then(|()| file.sync_all())
        .map_err(|error| failed(path, &error))
}

/// Replaces the public key's file in one step.
fn write_public(path: &Path, key: &VerifierKey) -> Result<(), Failure> {
    let next = path.with_extension("pub-next");
    let written = File::create(&next)
        .and_then(|mut file| writeln!(file, "{key}").and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&next, path));
    written.map_err(|error| failed(path, &error))
}

fn remove(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(path, &error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn sync_folder(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| failed(folder, &error))
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::file(path.display(), error)
}
