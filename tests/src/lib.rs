//! Whole-house tests live in `tests/tests`; this library holds what they share.

pub mod commands;
pub mod forged;
pub mod fuzzing;
pub mod judges;
pub mod mutations;
pub mod sealed;
