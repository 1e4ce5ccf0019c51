//! The judge: re-derives every coup from the record and says where the record departs from the
//! rules.
//!
//! A pure fold per table. It has no clock, opens no files, uses no randomness, no floating point
//! and no unordered map: the same log gives the same report on any machine. It never trusts a
//! recorded total, and after a wrong coup it judges the next one on its own.

mod bounds;
mod boxes;
mod chemin;
mod clock;
mod code;
mod coup;
mod currency;
mod dealing;
mod detail;
mod finding;
mod identity;
mod judge;
mod people;
mod person;
mod places;
mod question;
mod record;
mod rejudged;
mod report;
mod rules;
mod rulings;
mod saved;
mod seating;
mod settlement;
mod shoe;
mod sink;
mod slice;
mod stakes;
mod standing;
mod table;
mod tally;
mod verdict;
mod worlds;

pub use chemin::{BankDue, BankTold, CallTold, DecisionTold};
pub use clock::Received;
pub use code::{Code, Severity};
pub use detail::{BetTold, CardTold, CommissionTold, CoupTold, SettlementTold, ThirdCard, Wanted};
pub use finding::{Currency, Finding, RuleReference, SeatMoney};
pub use judge::{Entry, Judge, Judgement, Unreadable};
pub use places::{MAX_PLACES, ShoePlace};
pub use record::{MAX_COMPARED, MAX_RECORD, MAX_WAITING, TakenBack};
pub use rejudged::Rejudged;
pub use report::{Certificate, Fault, Read, Redacted, Report, Rotated, Seal, Verdicts, findings_digest};
pub use saved::SavedError;
pub use slice::Slicer;
pub use standing::{Found, TableStanding, Told};
pub use table::BURN_NOT_RECORDED;
pub use tally::{AfterTheFact, Attested, Counts, MAX_FINDINGS, MAX_TOLD, RulebookUsed};
pub use verdict::{CoupVerdict, Reason, Verdict};
