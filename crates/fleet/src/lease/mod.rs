//! A lease on a partition: at most one writer of it at a time, and a fence at every commit.
//!
//! - `record.rs`: what lies in the bucket.
//! - `terms.rs`: its times.
//! - `decision.rs`: who may hold the partition. No clock, no I/O.
//! - `bucket.rs`: reads and writes the record.
//! - `holding.rs`: the task that does what the decision says.

mod bucket;
mod decision;
mod holding;
mod record;
mod terms;

pub(crate) use bucket::{Bucket, Looked};
pub use decision::{LeaseMachine, Moment, Reading, Step, Writing};
pub(crate) use holding::instance;
pub use holding::{Candidate, Lease};
pub use record::{Committed, FORMAT, LeaseRecord, MAX_RECORD_BYTES, RecordError};
pub use terms::Terms;
