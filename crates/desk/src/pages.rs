//! The pages, a template each.

pub(crate) mod coup;
pub(crate) mod findings;
pub(crate) mod house;
pub(crate) mod log;
pub(crate) mod overview;
pub(crate) mod problem;
pub(crate) mod rulebooks;
pub(crate) mod shoe;
pub(crate) mod table;
