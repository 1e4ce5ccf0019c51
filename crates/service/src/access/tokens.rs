//! All tokens of a service, and the check of a token that is shown.

use std::collections::BTreeMap;

use time::OffsetDateTime;

use super::token::{Shown, Token, TokenId};

/// The tokens of a service, in the order they were made.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    tokens: Vec<Token>,
    by_id: BTreeMap<TokenId, usize>,
}

/// Why access was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The request has no token.
    None,
    /// The text is not a token.
    NoToken,
    /// No token has this id, or the secret differs; only the log says which.
    Unknown(TokenId),
    /// It was revoked.
    Revoked(TokenId),
    /// It expired.
    Expired(TokenId),
}

impl Tokens {
    /// All tokens, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter()
    }

    /// Number of tokens, valid or not.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Adds a token; `false` if one with its id exists.
    #[must_use]
    pub fn add(&mut self, token: Token) -> bool {
        let free = !self.by_id.contains_key(token.id());
        if free {
            self.by_id.insert(token.id().clone(), self.tokens.len());
            self.tokens.push(token);
        }
        free
    }

    /// Revokes a token; a token that was revoked before is not changed. `None` if there is no token with this
    /// id.
    pub fn revoke(&mut self, id: &TokenId, now: OffsetDateTime) -> Option<&Token> {
        let token = self.tokens.get_mut(*self.by_id.get(id)?)?;
        token.revoked_at.get_or_insert(now);
        Some(token)
    }

    /// The token that was shown, if it is valid.
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
