//! The integration tests of this crate, in one program: a module for each subject.
#![allow(clippy::unwrap_used)]

#[path = "../examples/post.rs"]
#[allow(dead_code)]
mod example;
mod served;
mod serving;
mod slow;
