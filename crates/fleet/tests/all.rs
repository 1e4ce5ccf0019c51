//! The integration tests of this crate, in one program: a module for each subject.
#![allow(clippy::unwrap_used)]

mod cut;
mod documented;
mod holding;
mod let_in;
mod memory;
mod one_server;
#[path = "../../door/tests/ports/mod.rs"]
mod ports;
mod servers;
mod three_servers;
mod throughput;
