//! What people look at: pages about a log, in English and Spanish.
//!
//! This crate renders what `replay` derives. It judges nothing, opens no files and knows no connection: whoever has a
//! log implements [`Source`], and [`answer`] gives the page for an address. So the same pages are served beside a
//! running service, shown of a log on an inspector's own machine, and written into a report.
//!
//! Every text from outside is escaped by the templates, together with characters that turn or hide text. Pages work
//! without their script, but for stepping through a coup and findings that appear while the page is open.

mod answer;
mod cards;
mod escape;
mod expected;
mod finding;
mod frame;
mod links;
mod odds;
mod pages;
mod report;
mod roads;
mod seal;
mod source;

pub use answer::{Answer, Ask, answer, asset, paths, refusal, sign_in};
pub use finding::news;
pub use frame::Place;
pub use pages::house::{Flow, House, HouseLease, HousePartition, HouseStream};
pub use pages::rulebooks::anchor;
pub use report::{Reported, report};
pub use source::{
    Findings, Live, LogFacts, Order, Refusal, ShoeFacts, ShoeRow, Source, TableFacts, Unavailable, Wanted,
    Witnesses,
};
