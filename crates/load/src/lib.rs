//! A load test for a served log: simulated tables post over many connections ([`drive`]); afterwards every
//! receipt is compared with the log ([`check`]).
//!
//! The tables play honestly and nothing is judged. The crate measures only how fast the service answers and
//! whether the log keeps what was acknowledged.

mod check;
mod drive;
mod error;
mod numbers;
mod plan;
mod script;
mod session;
mod tally;

pub use check::{Checked, Complaint, MAX_KEPT_COMPLAINTS, check};
pub use drive::drive;
pub use error::LoadError;
pub use plan::{Batch, MAX_BATCH, MAX_TABLES, Plan};
pub use tally::{Driven, Latency};
