//! The integration tests of this crate, in one program: a module for each subject.
#![allow(clippy::unwrap_used)]

mod decisions;
mod histories;
mod lost_state;
mod monitoring;
mod over_http;
mod running;
mod specification;
mod state;
