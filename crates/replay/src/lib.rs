//! The judge: derives every coup again from the recorded events and reports where the record departs from
//! the rules.
//!
//! It is a pure fold per table. It has no clock, opens no files, uses no randomness, no floating point
//! and no unordered map: the same log gives the same report on any machine. It never trusts a
//! recorded total, and after a wrong coup it judges the next one on its own.
//!
//! [`Judge`] takes the entries of a log in order and gives a [`Judgement`]: counts, findings, and the coups
//! that were asked for. [`Report`] joins the judgement with what the seal shows.
//!
//! # A shoe in which somebody was paid too much
//!
//! ```
//! use casino::{Fault, Plan, simulate};
//! use replay::{Code, Judge, Verdict};
//!
//! let rules = baccarat::builtin("punto-banco")?;
//! let plan = Plan { seed: 7, shoes: 1, fault: Some(Fault::Overpaid), ..Plan::new(rules) };
//! let events = simulate(&plan).lines.map(|line| (line.table.to_string(), line.sequence, line.into_event()));
//!
//! let mut judge = Judge::default();
//! judge.judge_events(events)?;
//! let judgement = judge.finish();
//!
//! // Every event is there. One coup is not as it had to be, and the others are certified all the same.
//! assert_eq!((judgement.complete(), judgement.certified()), (Verdict::Yes, Verdict::No));
//! assert_eq!(judgement.summary.coups.violated, 1);
//! let finding = &judgement.findings[0];
//! assert_eq!(finding.code, Code::PayoutOver);
//! // The finding says which coup, which clause, who got how much too much, and who paid it.
//! assert!(finding.coup.is_some() && !finding.rule.clause.is_empty());
//! assert!(finding.money.iter().any(|money| money.seat > 0 && money.minor_units > 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A log
//!
//! [`Judge::judge`] takes the entries of a log as [`Entry`], and needs no proof of them: a judgement says what the
//! entries come to. [`Report`] certifies it only with the proof of the seal that
//! [`sealed_log::reader::LogReader`] makes.

mod account;
mod asked;
mod attested;
mod bounds;
mod boxes;
mod by_seat;
mod caps;
pub mod checks;
mod chemin;
mod clock;
mod code;
mod continuing;
mod corrected;
mod currency;
mod dealing;
mod detail;
mod few;
mod finding;
pub mod fleet;
mod footprint;
mod house_edge;
mod house_edges;
mod identity;
mod judge;
mod judge_inputs;
mod kept;
mod language;
mod ledger;
mod looks;
mod mended;
pub mod names;
mod numbering;
mod passages;
mod people;
mod person;
mod place;
mod producers;
mod question;
pub mod reading;
mod record;
mod rejudged;
mod report;
pub mod results;
mod revision;
mod rules;
mod sample;
mod saved;
#[cfg(feature = "schema")]
pub mod schema;
mod seating;
mod seldom;
mod settled_before;
mod shoe;
mod shoe_locations;
mod shoe_marks;
mod sink;
mod slice;
pub mod stages;
mod stakes;
pub mod statement;
mod summary;
mod table_state;
mod tally;
mod totals;
mod verdict;
mod worlds;

pub use account::{BetAccount, CoupAccount, OtherMoney, SeatAccount, SumRange};
pub use attested::Attested;
pub use caps::Cap;
pub use chemin::{BankDue, BankView, CallView, DecisionView};
pub use clock::Received;
pub use code::{Code, Severity};
pub use continuing::Continuing;
pub use corrected::{CorrectedBy, CorrectionTotals, CoupCorrected, SeatCorrected};
pub use detail::{
    BetView, CardView, ChangedMember, CommissionView, CoupView, RulingKind, RulingView, SettlementView,
    ThirdCard, Wanted,
};
pub use finding::{Cause, Currency, Finding, RuleReference, SeatMoney};
pub use footprint::Footprint;
pub use house_edge::{BetEdge, HouseEdge};
pub use judge::{Entry, Judge, Judgement, Unreadable};
pub use judge_inputs::{Formats, JudgeInputs, Program};
pub use kept::{FIRST_OF_EACH_CODE, LARGEST_OF_EACH_CODE, MAX_FINDINGS};
pub use language::Language;
pub use ledger::{
    BetKey, BetLine, BoxKey, BoxLine, Ledger, MAX_LEDGER_ROWS, NotKnown, NotKnownKey, Owed, OwedKey, Results,
    ResultsKey, Rows, ShoeKey, ShoeLine, Sum,
};
pub use passages::{Passage, Passages};
pub use reading::BURN_NOT_RECORDED;
pub use record::{MAX_COMPARED, TakenBack};
pub use rejudged::Rejudged;
pub use report::{
    Certificate, Closed, Continued, Fault, Read, Redacted, Report, Rotated, Seal, SignedByAnother, Verdicts,
    findings_digest,
};
pub use sample::{CoupPlace, Draw};
pub use saved::SavedError;
/// Why a log is neither shown to be intact nor shown to be broken, as the seal says it.
pub use sealed_log::reader::IntactUnknown;
/// Answer to one of the four questions about a log: the seal's own, so that none is another.
pub use sealed_log::reader::Verdict;
pub use shoe_locations::{MAX_SHOE_LOCATIONS, ShoeLocation};
pub use shoe_marks::ShoeMarks;
pub use slice::Slicer;
pub use statement::{Statement, Style};
pub use summary::{AfterTheFact, Counts, RulebookUsed, Summary};
pub use table_state::{FindingChange, Found, TableState};
pub use tally::MAX_COUP_VIEWS;
pub use totals::{MoneyMoved, MoneyTotals, Turnover, Turnovers};
pub use verdict::{CoupVerdict, Reason};
