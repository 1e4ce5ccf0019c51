//! What people see: reports, coups, shoes, rulebooks as text.

mod cited;
mod counts;
mod coup;
mod diff;
mod finding;
mod findings;
mod fleet;
mod format;
mod health;
mod identity;
mod ingest;
mod lint;
mod printed;
mod quiz;
mod report;
mod roads;
mod rulebook;
mod sample;
pub(crate) mod site;
mod verdicts;

pub(crate) use coup::{cards, coup, shoes};
pub(crate) use diff::{diff, diff_json};
pub(crate) use finding::{in_a_line, published};
pub(crate) use fleet::{FleetView, WitnessesOfLog};
pub(crate) use format::{events, grouped, moment, money, shell_word, table};
pub(crate) use health::{HealthView, NotKnown};
pub(crate) use identity::identity;
pub(crate) use ingest::ingested;
pub(crate) use lint::{lint, lint_json};
pub(crate) use printed::{html, markdown};
pub(crate) use quiz::unjudged;
pub(crate) use report::{ReportView, WitnessesJson, seal_fault, witnesses};
pub(crate) use roads::roads;
pub(crate) use rulebook::rulebook;
pub(crate) use sample::{SampleJson, SampleView};
