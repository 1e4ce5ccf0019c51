//! Who asked, for the service's log: stands among an answer's extensions. It holds no secret.

use super::token::TokenId;

/// Who asked, as far as a token says it.
#[derive(Debug, Clone)]
pub(crate) struct Asker {
    /// The token that was shown.
    pub(crate) token: Option<TokenId>,
    /// Whether it is one of the service's. Of others a client can name any number.
    is_known: bool,
    /// Why its bearer was not let in.
    pub(crate) refused: Option<&'static str>,
}

impl Asker {
    /// Somebody who may ask that.
    pub(super) const fn let_in(token: TokenId) -> Self {
        Self { token: Some(token), is_known: true, refused: None }
    }

    /// Somebody with a token of this service, which is not good, or not for that.
    pub(super) const fn refused(why: &'static str, token: TokenId) -> Self {
        Self { token: Some(token), is_known: true, refused: Some(why) }
    }

    /// Somebody else.
    pub(super) const fn unknown(why: &'static str, token: Option<TokenId>) -> Self {
        Self { token, is_known: false, refused: Some(why) }
    }

    /// The token, if it is one of the service's.
    pub(crate) fn known(&self) -> Option<TokenId> {
        self.token.clone().filter(|_| self.is_known)
    }
}
