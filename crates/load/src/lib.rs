//! Load on a served log: make-believe tables post over many connections ([`drive`]), and afterwards every
//! receipt they got is held against the log ([`check`]).
//!
//! It plays honestly and judges no play; how fast the service was, and whether it kept its word, is all it
//! knows.

mod check;
mod drive;
mod error;
mod numbers;
mod plan;
mod script;
mod session;
mod tally;

pub use check::{Checked, MAX_KEPT_COMPLAINTS, check};
pub use drive::drive;
pub use error::LoadError;
pub use plan::{Batch, MAX_BATCH, MAX_CONNECTIONS, MAX_TABLES, Plan};
pub use tally::{Driven, Latency};
