//! Which program this is: its version, the commit it was built from, and by what it judges.

use replay::{JudgeInputs, Program};
use serde::Serialize;

/// This program, as certificates and metrics name it.
pub(crate) const PROGRAM: Program =
    Program { version: env!("CARGO_PKG_VERSION"), commit: env!("AUDIT_BUILT_FROM") };

/// What `audit --version` prints after the name.
pub(crate) const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (commit ", env!("AUDIT_BUILT_FROM"), ")");

/// Everything that `audit version` says.
#[derive(Serialize)]
pub(crate) struct Identity {
    program: &'static str,
    #[serde(flatten)]
    built: Program,
    /// BLAKE3 of all that follows, as certificates have it.
    judge_inputs: String,
    /// BLAKE3 of the built-in rulebooks.
    rulebooks_digest: String,
    #[serde(flatten)]
    inputs: &'static JudgeInputs,
}

impl Identity {
    pub(crate) fn known() -> Self {
        let inputs = JudgeInputs::of_this_program();
        Self {
            program: "audit",
            built: PROGRAM,
            judge_inputs: inputs.digest(),
            rulebooks_digest: inputs.rulebooks_digest(),
            inputs,
        }
    }
}
