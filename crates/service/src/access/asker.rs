//! The author of a request, kept in the answer's extensions for the service's log. It contains no secret.

use super::token::TokenId;

/// The author of a request, as far as a token identifies them.
#[derive(Debug, Clone)]
pub(crate) struct Asker {
    /// The token that was shown.
    pub(crate) token: Option<TokenId>,
    /// Whether the token is one of the service's. A client can invent any number of others.
    is_known: bool,
    /// Why access was refused.
    pub(crate) refused: Option<&'static str>,
}

impl Asker {
    /// A bearer who may do what the request asks.
    pub(super) const fn let_in(token: TokenId) -> Self {
        Self { token: Some(token), is_known: true, refused: None }
    }

    /// A bearer of one of the service's tokens that is not valid, or not valid for this request.
    pub(super) const fn refused(why: &'static str, token: TokenId) -> Self {
        Self { token: Some(token), is_known: true, refused: Some(why) }
    }

    /// Anybody else.
    pub(super) const fn unknown(why: &'static str, token: Option<TokenId>) -> Self {
        Self { token, is_known: false, refused: Some(why) }
    }

    /// The token, if it is one of the service's.
    pub(crate) fn known(&self) -> Option<TokenId> {
        self.token.clone().filter(|_| self.is_known)
    }
}
