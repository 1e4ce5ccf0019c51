//! The token file: a header line, then one JSON object per line. The file is replaced in one step, so a
//! reader sees either the old or the new content, never a mix.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use sealed_log::entry::NameError;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::token::{Role, Tables, Token, TokenError, TokenId, Wanted, check};
use super::tokens::Tokens;

/// The first line. Version 1 is the form described in `docs/access.md`.
const HEAD: &str = r#"{"format":"audit-tokens","version":1}"#;
/// Longest file, bytes: some 50,000 tokens.
const LONGEST: u64 = 16 << 20;

/// Why the token file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TokenFileError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// Other users can read or write the file.
    #[error("{path}: others can read or change these tokens (mode {mode:o}); chmod 600 it")]
    Open {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// A line does not have the expected form.
    #[error("{path} line {line}: {why}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        why: String,
    },
    /// It is longer than any file of tokens.
    #[error("{0}: longer than 16 MiB, which no file of tokens is")]
    Long(PathBuf),
    /// The requested token is not possible.
    #[error("{0}")]
    Token(#[from] TokenError),
    /// There is no token of this id.
    #[error("{path}: there is no token {id}; audit tokens list shows them")]
    NoSuch {
        /// The file.
        path: PathBuf,
        /// The id that was asked for.
        id: TokenId,
    },
}

/// The file that holds a service's tokens.
#[derive(Debug, Clone)]
pub struct TokenFile {
    path: PathBuf,
}

impl TokenFile {
    /// The tokens kept at `path`.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads all tokens.
    ///
    /// # Errors
    /// [`TokenFileError`], also when others than its owner can read or write the file.
    pub fn read(&self) -> Result<Tokens, TokenFileError> {
        let failed = |error| self.failed(error);
        let file = File::open(&self.path).map_err(failed)?;
        let mode = file.metadata().map_err(failed)?.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(TokenFileError::Open { path: self.path.clone(), mode });
        }
        let mut text = String::new();
        file.take(LONGEST + 1).read_to_string(&mut text).map_err(failed)?;
        if text.len() as u64 > LONGEST {
            return Err(TokenFileError::Long(self.path.clone()));
        }
        self.parse(&text)
    }

    /// Makes a token, which is on disk before this returns. Returns the token and the text for its bearer.
    /// The file is created if it does not exist.
    ///
    /// # Errors
    /// [`TokenFileError`].
    pub fn make(&self, wanted: Wanted, now: OffsetDateTime) -> Result<(Token, String), TokenFileError> {
        self.change(|tokens| {
            loop {
                let (token, shown) = Token::make(wanted.clone(), now)?;
                if tokens.add(token.clone()) {
                    return Ok((token, shown));
                }
            }
        })
    }

    /// Revokes a token; this is on disk before it returns.
    ///
    /// # Errors
    /// [`TokenFileError`].
    pub fn revoke(&self, id: &TokenId, now: OffsetDateTime) -> Result<Token, TokenFileError> {
        let absent = || TokenFileError::NoSuch { path: self.path.clone(), id: id.clone() };
        self.read()?;
        self.change(|tokens| tokens.revoke(id, now).cloned().ok_or_else(absent))
    }

    /// Changes the tokens under a lock; other writers wait.
    fn change<R>(
        &self,
        change: impl FnOnce(&mut Tokens) -> Result<R, TokenFileError>,
    ) -> Result<R, TokenFileError> {
        let failed = |error| self.failed(error);
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = File::open(folder.unwrap_or(Path::new("."))).map_err(failed)?;
        folder.lock().map_err(failed)?;
        let mut tokens = match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Tokens::default(),
            Ok(_) | Err(_) => self.read()?,
        };
        let changed = change(&mut tokens)?;
        replace(&path, &write(&tokens).map_err(failed)?).map_err(failed)?;
        folder.sync_all().map_err(failed)?;
        Ok(changed)
    }

    fn parse(&self, text: &str) -> Result<Tokens, TokenFileError> {
        let wrong = |line, why| TokenFileError::Line { path: self.path.clone(), line, why };
        let mut lines = (1..).zip(text.lines());
        if lines.next().is_none_or(|(_, first_line)| first_line != HEAD) {
            return Err(wrong(1, format!("a file of tokens of this version begins with {HEAD}")));
        }
        let mut tokens = Tokens::default();
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let written: Written =
                serde_json::from_str(line).map_err(|error| wrong(number, error.to_string()))?;
            let token = written.token().map_err(|why| wrong(number, why))?;
            if !tokens.add(token) {
                return Err(wrong(number, "a second token of this id".to_owned()));
            }
        }
        Ok(tokens)
    }

    fn failed(&self, error: io::Error) -> TokenFileError {
        TokenFileError::File { path: self.path.clone(), error }
    }
}

/// One line of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: String,
    /// BLAKE3 of the secret, in hexadecimal.
    hash: String,
    role: Role,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    producer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tables: Option<WrittenTables>,
    #[serde(with = "time::serde::rfc3339")]
    made_at: OffsetDateTime,
    #[serde(default, with = "time::serde::rfc3339::option", skip_serializing_if = "Option::is_none")]
    expires_at: Option<OffsetDateTime>,
    #[serde(default, with = "time::serde::rfc3339::option", skip_serializing_if = "Option::is_none")]
    revoked_at: Option<OffsetDateTime>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    note: String,
}

/// `"*"`, or a list of names.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenTables {
    All(String),
    Named(BTreeSet<String>),
}

impl Written {
    fn of(token: &Token) -> Self {
        let Wanted { role, producer, tables, expires_at, note } = &token.wanted;
        let tables = match tables {
            Tables::All => Some(WrittenTables::All("*".to_owned())),
            Tables::Named(names) if names.is_empty() => None,
            Tables::Named(names) => {
                Some(WrittenTables::Named(names.iter().map(ToString::to_string).collect()))
            }
        };
        Self {
            id: token.id.to_string(),
            hash: token.hash.to_string(),
            role: *role,
            producer: producer.as_ref().map(ToString::to_string),
            tables,
            made_at: token.made_at,
            expires_at: *expires_at,
            revoked_at: token.revoked_at,
            note: note.clone(),
        }
    }

    fn token(self) -> Result<Token, String> {
        let message = |error: NameError| error.to_string();
        let tables = match self.tables {
            None => Tables::Named(BTreeSet::new()),
            Some(WrittenTables::All(all)) if all == "*" => Tables::All,
            Some(WrittenTables::All(other)) => {
                return Err(format!("tables are \"*\" or a list of names, not {other:?}"));
            }
            Some(WrittenTables::Named(names)) => Tables::Named(
                names.iter().map(|name| name.parse()).collect::<Result<_, _>>().map_err(message)?,
            ),
        };
        let producer = self.producer.map(|name| name.parse()).transpose().map_err(message)?;
        let wanted =
            Wanted { role: self.role, producer, tables, expires_at: self.expires_at, note: self.note };
        check(&wanted).map_err(|error| error.to_string())?;
        Ok(Token {
            id: TokenId::parse(&self.id).ok_or("an id is twelve hexadecimal digits")?,
            hash: blake3::Hash::from_hex(&self.hash).map_err(|_| "a hash is 64 hexadecimal digits")?,
            wanted,
            made_at: self.made_at,
            revoked_at: self.revoked_at,
        })
    }
}

fn write(tokens: &Tokens) -> Result<Vec<u8>, io::Error> {
    let mut bytes = format!("{HEAD}\n").into_bytes();
    for token in tokens.iter() {
        serde_json::to_writer(&mut bytes, &Written::of(token))?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

/// Replaces a file in one step: the content is first written to disk under another name. The owner stays the
/// same.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut next = path.as_os_str().to_owned();
    next.push(".next");
    let next = PathBuf::from(next);
    match fs::remove_file(&next) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&next)?;
    if let Ok(before) = fs::metadata(path)
        && (before.uid(), before.gid()) != file.metadata().map(|made| (made.uid(), made.gid()))?
    {
        fchown(&file, Some(before.uid()), Some(before.gid()))?;
    }
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&next, path)
}
