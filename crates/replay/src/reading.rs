//! The second stage: what was played, read from the record of one table.
//!
//! ```text
//! events of the open range ──▶ corrections that count ──▶ which event is of which coup ──▶ records
//! ```
//!
//! [`read`] takes the events of a range, what was true before it, and what the rulebooks say of how play goes on. It gives
//! plain data: shoes with their coups, and remarks on what is wrong with the *recording*. It knows no money, no finding
//! and no clock. Whether play was right is decided from its records by checks.
//!
//! Where an event does not fit, all cheapest explanations of the record around it are compared ([`Explanation`]). What
//! they share is fact. Where they differ, the [`Remark`] lists the alternatives.
//!
//! Both games are read in the same way. In chemin de fer a hand may choose, so a card is due only if it was announced.

mod attribute;
mod build;
mod corrected;
mod explanation;
mod grammar;
mod irregular;
mod range;
mod record;
mod remark;
mod search;
mod state;
mod tape;

pub use explanation::{Departure, Explanation, Lost, Misread};
pub use grammar::{BurnDue, Due, Grammar, Grammars, Hands, Unknown};
pub use range::{Absent, Extensions, Hole, Item, OpenRange, ShoeFacts, TableFacts};
pub use record::{
    AbonoRecord, BetRecord, CardRecord, CheminRecord, CorrectionRecord, CoupRecord, Reading, ShoeRecord,
    Standing, Told,
};
pub use remark::{Consequence, Remark};

/// The code of an irregularity by which a record says that it does not know the burn.
pub const BURN_NOT_RECORDED: &str = "burn-not-recorded";

/// The code of an irregularity by which more cards are burned, where too few were.
pub(crate) const BURN_CORRECTED: &str = "burn-corrected";

/// Reads what was played.
#[must_use]
pub fn read<'a>(facts: &TableFacts<'a>, range: &OpenRange<'a>, grammars: &'a dyn Grammars) -> Reading<'a> {
    let corrected = corrected::corrections(facts, range);
    let with = |corrected: &corrected::Corrected<'a>| {
        let tape = tape::Tape::new(facts, range, corrected, grammars);
        let attributed = attribute::attribute(&tape, facts);
        let mut reading = build::records(&tape, attributed);
        reading.corrections.clone_from(&corrected.records);
        reading
    };
    let mut reading = with(&corrected);
    reading.as_corrected = corrected.with_late().map(|corrected| Box::new(with(&corrected)));
    reading
}
