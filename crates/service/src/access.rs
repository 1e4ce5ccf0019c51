//! Who may do what. A token says who its bearer is: a producer that may append events of its tables, a
//! reader, or an admin. Tokens stand in one file, which holds no secret; the running service reads it again
//! when it changes.
//!
//! Whatever is not named as open here needs a token, so a path that is added later is never open by
//! mistake. What the paths do is not known here.

mod asker;
mod file;
mod guard;
mod in_force;
mod notice;
mod revocable;
mod token;
mod tokens;

pub(crate) use asker::Asker;
pub use file::{TokenFile, TokenFileError};
pub use guard::Access;
pub(crate) use guard::{guarded, producer};
pub use notice::AccessNotice;
pub use token::{Role, Tables, Token, TokenError, TokenId, Wanted};
pub use tokens::Tokens;
