//! One token: the text shown once to its bearer, and what is stored of it.
//!
//! The secret is 32 random bytes, so its BLAKE3 hash reveals nothing: it cannot be guessed, and no slow
//! password hash is needed. Hashes are compared in constant time.

use std::collections::BTreeSet;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sealed_log::entry::{ChainName, ProducerId};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

/// Every token begins with this, so that people and secret scanners recognise it.
const PREFIX: &str = "audit_";
/// Bytes of an id, written as twice as many hexadecimal digits.
const ID_BYTES: usize = 6;
const SECRET_BYTES: usize = 32;

/// What a token's bearer may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Post events of its tables.
    Append,
    /// Read the log and everything that follows from it.
    Read,
    /// Both, and everything that is done to a running service.
    Admin,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Append => "append",
            Self::Read => "read",
            Self::Admin => "admin",
        })
    }
}

/// Tables whose events may be posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tables {
    /// All, also those that are opened later.
    All,
    /// These.
    Named(BTreeSet<ChainName>),
}

impl Tables {
    /// Whether `table` is one of them.
    #[must_use]
    pub fn hold(&self, table: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named(names) => names.contains(table),
        }
    }
}

impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("*"),
            Self::Named(names) => {
                let names: Vec<&str> = names.iter().map(ChainName::as_str).collect();
                f.write_str(&names.join(", "))
            }
        }
    }
}

/// Names a token in lists and logs: twelve hexadecimal digits, no secret.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenId(String);

impl TokenId {
    /// Reads an id; `None` when it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let plain = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 2 * ID_BYTES && text.bytes().all(plain)).then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The properties of a new token.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// What its bearer may do.
    pub role: Role,
    /// The producer recorded for events posted with it. [`Role::Append`] needs one, [`Role::Read`] has none.
    pub producer: Option<ProducerId>,
    /// The tables whose events may be posted. [`Role::Append`] names at least one; [`Role::Read`] has none.
    pub tables: Tables,
    /// When it expires.
    pub expires_at: Option<OffsetDateTime>,
    /// For people: whose it is, where it is kept.
    pub note: String,
}

/// Why a token with these properties is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// An append token without a producer.
    #[error("an append token needs a producer: who hands the events in")]
    NoProducer,
    /// An append token without tables.
    #[error("an append token needs its tables, or all of them")]
    NoTables,
    /// A read token with a producer or tables: a reader reads the whole log.
    #[error(
        "a read token has neither producer nor tables: it reads the whole log, which is one chain of proofs"
    )]
    ReadsAll,
    /// It would already be expired.
    #[error("it would have expired before it is made")]
    Expired,
    /// The note is too long or contains control characters.
    #[error("a note has at most 200 characters, and no control characters")]
    Note,
    /// The system gives no random numbers.
    #[error("no random numbers for a token: {0}")]
    Random(String),
}

/// A token as it is stored.
#[derive(Debug, Clone)]
pub struct Token {
    pub(super) id: TokenId,
    pub(super) hash: blake3::Hash,
    /// Its properties.
    pub wanted: Wanted,
    /// When it was made.
    pub made_at: OffsetDateTime,
    /// When it was revoked, if it was.
    pub revoked_at: Option<OffsetDateTime>,
}

impl Token {
    /// A new token, and the text to hand to its bearer: it is nowhere else.
    ///
    /// # Errors
    /// [`TokenError`].
    pub fn make(wanted: Wanted, now: OffsetDateTime) -> Result<(Self, String), TokenError> {
        check(&wanted)?;
        if wanted.expires_at.is_some_and(|end| end <= now) {
            return Err(TokenError::Expired);
        }
        let (mut id, mut secret) = ([0; ID_BYTES], [0; SECRET_BYTES]);
        for bytes in [&mut id[..], &mut secret[..]] {
            getrandom::fill(bytes).map_err(|error| TokenError::Random(error.to_string()))?;
        }
        let id = TokenId(id.iter().map(|byte| format!("{byte:02x}")).collect());
        let shown = format!("{PREFIX}{id}_{}", URL_SAFE_NO_PAD.encode(secret));
        let token = Self { id, hash: blake3::hash(&secret), wanted, made_at: now, revoked_at: None };
        Ok((token, shown))
    }

    /// Its name in lists and logs.
    #[must_use]
    pub const fn id(&self) -> &TokenId {
        &self.id
    }

    /// Whether it has expired at `now`.
    #[must_use]
    pub fn is_expired(&self, now: OffsetDateTime) -> bool {
        self.wanted.expires_at.is_some_and(|end| end <= now)
    }
}

/// The rules for every token, whether made here or read from a file.
pub(super) fn check(wanted: &Wanted) -> Result<(), TokenError> {
    let no_tables = matches!(&wanted.tables, Tables::Named(names) if names.is_empty());
    match wanted.role {
        Role::Append if wanted.producer.is_none() => return Err(TokenError::NoProducer),
        Role::Append if no_tables => return Err(TokenError::NoTables),
        Role::Read if wanted.producer.is_some() || !no_tables => return Err(TokenError::ReadsAll),
        Role::Append | Role::Read | Role::Admin => {}
    }
    if wanted.note.chars().count() > 200 || wanted.note.chars().any(char::is_control) {
        return Err(TokenError::Note);
    }
    Ok(())
}

/// A token shown with a request.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) id: TokenId,
    pub(crate) hash: blake3::Hash,
}

impl Shown {
    /// Parses a token's text; `None` if it is not one. The secret is not kept.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (id, secret) = text.strip_prefix(PREFIX)?.split_once('_')?;
        let mut bytes = [0; SECRET_BYTES];
        let length = URL_SAFE_NO_PAD.decode_slice(secret, &mut bytes).ok()?;
        (length == SECRET_BYTES).then_some(())?;
        Some(Self { id: TokenId::parse(id)?, hash: blake3::hash(&bytes) })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn wanted() -> Wanted {
        let tables = Tables::Named(BTreeSet::from(["PB-01".parse().unwrap()]));
        let producer = Some("pit-1".parse().unwrap());
        Wanted { role: Role::Append, producer, tables, expires_at: None, note: String::new() }
    }

    #[test]
    fn a_token_is_shown_once_and_known_again_by_its_hash_alone() {
        let (token, text) = Token::make(wanted(), OffsetDateTime::UNIX_EPOCH).unwrap();
        let shown = Shown::parse(&text).unwrap();
        assert_eq!((&shown.id, shown.hash), (token.id(), token.hash));
        let secret = text.rsplit_once('_').unwrap().1;
        assert!(!format!("{token:?}").contains(&text[19..]), "{secret}");
        let other = Token::make(wanted(), OffsetDateTime::UNIX_EPOCH).unwrap();
        assert_ne!(other.1, text);
    }

    #[test]
    fn what_is_no_token_is_none() {
        let (_, text) = Token::make(wanted(), OffsetDateTime::UNIX_EPOCH).unwrap();
        let broken = [
            String::new(),
            "audit_".to_owned(),
            text.to_uppercase(),
            text[1..].to_owned(),
            text[..text.len() - 1].to_owned(),
            format!("{text}A"),
            format!("{text}="),
            text.replacen("audit_", "audit_0", 1),
            text.replacen("audit_", "audit__", 1),
        ];
        for text in broken {
            assert!(Shown::parse(&text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_token_that_says_too_little_or_too_much_is_not_made() {
        let make = |change: fn(&mut Wanted)| {
            let mut wanted = wanted();
            change(&mut wanted);
            Token::make(wanted, OffsetDateTime::UNIX_EPOCH).map(drop)
        };
        assert_eq!(make(|_| {}), Ok(()));
        assert_eq!(make(|wanted| wanted.producer = None), Err(TokenError::NoProducer));
        assert_eq!(make(|wanted| wanted.tables = Tables::Named(BTreeSet::new())), Err(TokenError::NoTables));
        assert_eq!(make(|wanted| wanted.role = Role::Read), Err(TokenError::ReadsAll));
        assert_eq!(make(|wanted| wanted.note = "a\nb".to_owned()), Err(TokenError::Note));
        assert_eq!(
            make(|wanted| wanted.expires_at = Some(OffsetDateTime::UNIX_EPOCH)),
            Err(TokenError::Expired)
        );
    }
}
