//! The reading of a record: what was played, and what the checks make of it.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod bank;
mod bank_slips;
mod costs;
mod followed;
mod found;
mod holes;
mod judged;
mod kept;
mod map;
mod parts;
mod records;
mod remarks;
mod results;
mod slips;
