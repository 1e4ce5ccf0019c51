//! The integration tests of this crate, in one program: a module for each subject.
#![allow(clippy::unwrap_used)]

mod bodies;
