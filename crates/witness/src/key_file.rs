//! A witness's key in its folder: `key`, which only its owner may read, and `key.pub`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tlog::cosignature::WitnessSigningKey;
use tlog::key::{Algorithm, KeyError};

use crate::state_folder::ENDING;

/// Longest text of a key that is read, bytes.
const LONGEST_KEY: u64 = 16_384;

/// Why a witness's key cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// There is none.
    #[error("{0} is not there; make a witness with audit witness new, or put its key back")]
    Missing(PathBuf),
    /// There is none, but the folder holds what one signed.
    #[error(
        "{0} is not there, but what was signed with it is; put the key back, or make a new witness elsewhere"
    )]
    Lost(PathBuf),
    /// There is one already.
    #[error("{0} is there already; a witness's key is never replaced: choose another folder")]
    There(PathBuf),
    /// Others can read it.
    #[error("{path}: others can read this key (mode {mode:o}); chmod 600 it")]
    Readable {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// The file holds no witness's key.
    #[error("{path}: {error}")]
    Key {
        /// The file.
        path: PathBuf,
        /// Why.
        error: KeyError,
    },
    /// The name cannot be a witness's.
    #[error(transparent)]
    Name(KeyError),
    /// The system gives no random numbers.
    #[error("no random numbers for a key: {0}")]
    Random(String),
}

/// Reads the key in `folder`.
///
/// # Errors
/// [`KeyFileError`].
pub fn read_key(folder: &Path) -> Result<WitnessSigningKey, KeyFileError> {
    let path = folder.join("key");
    let mode = match fs::metadata(&path) {
        Ok(meta) if !meta.is_file() => {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "it is no file");
            return Err(KeyFileError::File { path, error });
        }
        Ok(meta) => meta.permissions().mode() & 0o777,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(if has_signed(folder) {
                KeyFileError::Lost(path)
            } else {
                KeyFileError::Missing(path)
            });
        }
        Err(error) => return Err(KeyFileError::File { path, error }),
    };
    if mode & 0o077 != 0 {
        return Err(KeyFileError::Readable { path, mode });
    }
    let mut text = String::new();
    File::open(&path)
        .and_then(|file| file.take(LONGEST_KEY).read_to_string(&mut text))
        .map_err(|error| KeyFileError::File { path: path.clone(), error })?;
    text.trim_end().parse().map_err(|error| KeyFileError::Key { path, error })
}

/// Whether a witness signed something from this folder.
fn has_signed(folder: &Path) -> bool {
    let state = |item: io::Result<fs::DirEntry>| {
        item.is_ok_and(|item| item.path().extension() == Some(ENDING.as_ref()))
    };
    fs::read_dir(folder).is_ok_and(|mut items| items.any(state))
}

/// Makes the folder and an Ed25519 key in it, on disk before this returns. A key that is there is never
/// replaced.
///
/// # Errors
/// [`KeyFileError`].
pub fn make_key(folder: &Path, name: &str) -> Result<WitnessSigningKey, KeyFileError> {
    make_key_with(Algorithm::Ed25519, folder, name)
}

/// The same with a key of either algorithm.
///
/// # Errors
/// [`KeyFileError`].
pub fn make_key_with(
    algorithm: Algorithm,
    folder: &Path,
    name: &str,
) -> Result<WitnessSigningKey, KeyFileError> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|error| KeyFileError::Random(error.to_string()))?;
    let key = WitnessSigningKey::with_algorithm(algorithm, name, &seed).map_err(KeyFileError::Name)?;
    let (secret, public) = (folder.join("key"), folder.join("key.pub"));
    if secret.exists() {
        return Err(KeyFileError::There(secret));
    }
    if has_signed(folder) {
        return Err(KeyFileError::Lost(secret));
    }
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| KeyFileError::File { path, error }
    };
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed(folder))?;
    let mut file = OpenOptions::new();
    let mut file = file.write(true).create_new(true).mode(0o600).open(&secret).map_err(failed(&secret))?;
    writeln!(file, "{}", key.to_secret_text()).and_then(|()| file.sync_all()).map_err(failed(&secret))?;
    let mut file = File::create(&public).map_err(failed(&public))?;
    writeln!(file, "{}", key.verifier_key()).and_then(|()| file.sync_all()).map_err(failed(&public))?;
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed(folder))?;
    Ok(key)
}
