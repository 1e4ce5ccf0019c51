//! All tokens, and what becomes of one that is shown.

use std::collections::BTreeMap;

use time::OffsetDateTime;

use super::token::{Shown, Token, TokenId};

/// The tokens of a service, in the order they were made.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    tokens: Vec<Token>,
    by_id: BTreeMap<TokenId, usize>,
}

/// Why somebody is not let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refused {
    /// No token came with the request.
    None,
    /// What came is no token.
    NoToken,
    /// No such token, or another secret: which of both, only the log is told.
    Unknown(TokenId),
    /// It was revoked.
    Revoked(TokenId),
    /// Its time is over.
    Expired(TokenId),
}

impl Tokens {
    /// The tokens, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter()
    }

    /// How many there are, good or not.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Adds one; false when there is one of its id.
    #[must_use]
    pub fn add(&mut self, token: Token) -> bool {
        let free = !self.by_id.contains_key(token.id());
        if free {
            self.by_id.insert(token.id().clone(), self.tokens.len());
            self.tokens.push(token);
        }
        free
    }

    /// Revokes one, for good; one that was revoked before stays as it is. `None` when there is none of
    /// this id.
    pub fn revoke(&mut self, id: &TokenId, now: OffsetDateTime) -> Option<&Token> {
        let token = self.tokens.get_mut(*self.by_id.get(id)?)?;
        token.revoked_at.get_or_insert(now);
        Some(token)
    }

    /// The token that was shown, if it is good.
    pub(crate) fn admit(&self, shown: &Shown, now: OffsetDateTime) -> Result<&Token, Refused> {
        // Hashes are compared in constant time: blake3::Hash does.
        let token = self.by_id.get(&shown.id).and_then(|position| self.tokens.get(*position));
        let token = token.filter(|token| token.hash == shown.hash);
        let token = token.ok_or_else(|| Refused::Unknown(shown.id.clone()))?;
        if token.revoked_at.is_some() {
            return Err(Refused::Revoked(token.id().clone()));
        }
        if token.is_expired(now) {
            return Err(Refused::Expired(token.id().clone()));
        }
        Ok(token)
    }
}
