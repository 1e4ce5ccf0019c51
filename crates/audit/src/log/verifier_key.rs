//! A verifier key as a command is given it: its text, or a file that holds it.

use std::path::Path;

use tlog::key::KeyError;
use tlog::note::VerifierKey;

use crate::errors::said;
use crate::failure::Failure;
use crate::language::texts;
use crate::shown::plain;
use crate::text_file::plain_text_in;

/// How the text of a secret key begins.
const SECRET: &str = "PRIVATE+KEY+";

/// A verifier key as `--key` gives it: its text, or a file that holds it.
pub(crate) fn verifier_key(given: &str) -> Result<VerifierKey, Failure> {
    log_key("--key", given)
}

/// A verifier key as an option of this name gives it. What a file holds is not repeated.
pub(crate) fn log_key(option: &str, given: &str) -> Result<VerifierKey, Failure> {
    if let Ok(key) = given.trim().parse() {
        return Ok(key);
    }
    // What was given is not repeated: it is a secret.
    if given.trim().starts_with(SECRET) {
        return Err(Failure::usage(format!("{option}: {}", texts().secret_key_given())));
    }
    let path = Path::new(given);
    if path.is_dir() {
        return Err(Failure::unreadable(texts().key_is_a_folder(option, given)));
    }
    if path.exists() {
        let text = plain_text_in(path)?;
        let key = text.trim().parse();
        return key.map_err(|error| {
            if text.trim().starts_with(SECRET) {
                let why = texts().secret_key_given();
                return Failure::unreadable(format!("{option} {}: {why}", plain(given)));
            }
            // An error about the name would repeat the file's content.
            let why = if text.trim().contains('\n') || matches!(error, KeyError::Name(_)) {
                texts().no_key_in_file()
            } else {
                said(&error)
            };
            Failure::unreadable(format!("{option} {}: {why}", plain(given)))
        });
    }
    // A key has two `+`; nothing else is likely to.
    match given.trim().parse::<VerifierKey>() {
        Err(error) if given.contains('+') => {
            Err(Failure::usage(format!("{option} {}: {}", plain(given), said(&error))))
        }
        Err(_) | Ok(_) => Err(Failure::usage(texts().no_such_key(option, given))),
    }
}
