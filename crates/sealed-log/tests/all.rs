//! The integration tests of this crate, in one program: a module for each subject.

mod others;
mod worked_example;
