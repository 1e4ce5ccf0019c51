//! The reading of a record, the second stage of the judge that is being built, compared with what the judge in use shows.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod bank;
mod bank_slips;
mod compared;
mod costs;
mod followed;
mod found;
mod holes;
mod judged;
mod kept;
mod map;
mod money;
mod parts;
mod records;
mod remarks;
mod results;
mod slips;
