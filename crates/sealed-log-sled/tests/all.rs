//! The integration tests of this crate, in one program: a module for each subject.
#![allow(clippy::unwrap_used)]

mod borders;
mod contract;
mod damage;
mod damaged_files;
mod erasing;
mod own_chain;
mod positions;
mod private_copy;
mod reopen;
mod reported;
mod succession;
mod support;
mod tiles;
mod unclean;
