//! The integration tests of this crate, in one program: a module for each subject.
#![allow(clippy::unwrap_used)]

mod call_sheet;
mod corrected;
mod decisions;
mod floods;
mod reading;
mod reported;
mod sheets;
mod statements;
mod texts;
