//! The integration tests of this crate, in one program: a module for each subject.
#![allow(clippy::unwrap_used)]

mod bets;
mod builtins;
mod chemin_forms;
mod deal;
mod diff;
mod edges;
mod exact;
mod lint;
mod money;
mod overlay_file;
mod overlays;
mod refusals;
mod roads;
mod rulebook_forms;
mod tableau;
mod worked_examples;
