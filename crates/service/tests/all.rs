//! The integration tests of this crate, in one program: a module for each subject.
#![allow(clippy::unwrap_used)]

mod access;
mod bodies_that_trickle;
mod certifying;
mod dry_run;
mod forms;
mod hosts;
mod metrics;
mod openapi;
mod over_http;
mod pages;
#[path = "../../door/tests/ports/mod.rs"]
mod ports;
mod recorder;
mod rulebooks;
mod serving;
mod traces;
mod witnessing;
