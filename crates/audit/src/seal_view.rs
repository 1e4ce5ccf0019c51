//! Whether a log's seal holds, for commands that show or prove a part of the log: they certify nothing
//! where the seal could not be confirmed.

use std::collections::BTreeMap;
use std::path::Path;

use replay::Verdict;
use replay::schema::VerdictText;
use sealed_log::reader::SealReport;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::output;
use crate::render::{seal_fault, shell_word};
use crate::shown::plain;

/// Whether a log's seal holds, and if not, why.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SealState)]
pub(crate) struct SealView {
    /// Whether the bytes are those sealed.
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = VerdictText)]
    intact: Verdict,
    /// Why it is not intact, or not shown to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    why: Option<String>,
}

fn as_text<S: Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(verdict.as_str())
}

/// A view as JSON, with the state of the seal before it.
#[derive(Serialize)]
struct WithSeal<'a, T> {
    seal: &'a SealView,
    #[serde(flatten)]
    view: T,
}

impl SealView {
    pub(crate) fn of(seal: &SealReport) -> Self {
        let intact = seal.intact;
        let why = match intact {
            Verdict::Yes => None,
            Verdict::No => {
                let first = seal
                    .faults
                    .first()
                    .map(|fault| texts().the_first_fault(seal_fault(fault.index, &fault.detail)));
                Some(format!("{}{}", texts().faults(seal.fault_count), first.unwrap_or_default()))
            }
            Verdict::Unknown => Some(match seal.intact_unknown {
                Some(why) => texts().intact_unknown(why).to_owned(),
                None => texts().not_shown(),
            }),
        };
        Self { intact, why }
    }

    /// Whether the seal is confirmed.
    pub(crate) fn holds(&self) -> bool {
        self.intact == Verdict::Yes
    }

    pub(crate) fn exit(&self) -> Exit {
        match self.intact {
            Verdict::Yes => Exit::Good,
            Verdict::No => Exit::Seal,
            Verdict::Unknown => Exit::Open,
        }
    }

    /// What a reader must know first; empty where the seal holds.
    pub(crate) fn heading(&self, log: &Path) -> String {
        let Some(why) = &self.why else { return String::new() };
        let what = match self.intact {
            Verdict::No => texts().seal_broken(),
            Verdict::Yes | Verdict::Unknown => texts().seal_unconfirmed(),
        };
        texts().seal_heading(what, why, shell_word(log))
    }

    /// Prints a view as JSON with the seal in it, or as text below the seal's heading.
    pub(crate) fn print(
        &self,
        log: &Path,
        json: bool,
        view: impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if json {
            return output::print_json(&WithSeal { seal: self, view });
        }
        output::print(&format!("{}{}", self.heading(log), text()))
    }

    /// The failure for something that was not found: wrong usage, unless the seal does not hold. In that
    /// case the state of the seal is printed first, where people and programs look for the answer.
    pub(crate) fn not_there(&self, log: &Path, json: bool, message: String) -> Result<Failure, Failure> {
        if self.holds() {
            return Ok(Failure::usage(plain(&message)));
        }
        self.print(log, json, BTreeMap::<&str, ()>::new(), String::new)?;
        Ok(Failure { exit: self.exit(), message: plain(&message) })
    }
}
