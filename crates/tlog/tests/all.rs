//! The integration tests of this crate, in one program: a module for each subject.
#![allow(clippy::unwrap_used)]

mod logs;
mod signed_note;
mod tlog_checkpoint;
mod tlog_cosignature;
mod tlog_policy;
mod tlog_proof;
mod tlog_tiles;
