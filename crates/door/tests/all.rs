//! The integration tests of this crate, in one program: a module for each subject.
#![allow(clippy::unwrap_used)]

mod certificates;
mod floods;
mod frames;
mod memory_limit;
mod over_tls;
mod running_door;
mod slots;
