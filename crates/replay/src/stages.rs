//! The stages of the judge, joined (`docs/architecture.md`, "The way of an event through the judge"):
//!
//! ```text
//! entries ──▶ numbering ──▶ reading ──▶ checks ──▶ results
//! ```
//!
//! [`Record`] takes the entries of one table. [`Table`] takes its events in the order of their numbering, and decides what is
//! read together.

mod judged;
mod record;
mod table;

pub use crate::asked::Asked;
pub use crate::producers::Producers;
pub(crate) use judged::Judged;
pub use record::{Record, Rulebooks};
pub use table::{Judging, Recorded, SavedTable, Table};
