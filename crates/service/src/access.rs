//! Access control. A token shows that its bearer is a producer that may append events of its tables, a
//! reader, or an admin. All tokens are in one file, which contains no secret; the running service reads the
//! file again when it changes.
//!
//! Every path that is not listed as open needs a token, so a path that is added later is never open by
//! mistake. This module does not know what the paths do.

mod asker;
mod browser;
mod file;
mod guard;
mod in_force;
mod notice;
mod revocable;
mod session;
mod token;
mod tokens;

pub(crate) use asker::Asker;
pub(crate) use browser::{SESSION, SignedIn};
pub use file::{TokenFile, TokenFileError};
pub use guard::Access;
pub(crate) use guard::{Caller, guarded, producer, role_needed};
pub use notice::AccessNotice;
pub use token::{Role, Tables, Token, TokenError, TokenId, Wanted};
pub use tokens::Tokens;
