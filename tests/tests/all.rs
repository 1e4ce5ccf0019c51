//! The integration tests of this crate, in one program: a module for each subject.
#![allow(clippy::unwrap_used)]

mod book;
mod certainty;
mod conservation;
mod decided;
#[path = "../../crates/replay/tests/decisions/mod.rs"]
mod decisions;
mod detection;
mod fixtures;
mod in_play;
mod judgement;
mod ledger;
mod map;
mod missing;
mod mutations;
mod opens;
mod other_rules;
mod paused;
mod programs_of_tests;
mod repeats;
mod seeds;
mod slices;
mod swapped;
mod tamper;
