//! `audit_build_info`: which program serves, and by what it judges.

use std::fmt::Error;
use std::sync::OnceLock;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric};
use prometheus_client::metrics::info::Info;
use replay::{JudgeInputs, Program};

/// Labels of the one sample.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    version: &'static str,
    commit: &'static str,
    /// Digest of the built-in rulebooks.
    rulebooks: String,
    /// Versions of the formats that are judged.
    formats: String,
    /// Digest of everything by which the program judges.
    judge_inputs: String,
}

/// The program, once it is known.
#[derive(Debug, Default, Clone)]
pub(super) struct Build(std::sync::Arc<OnceLock<Program>>);

impl Build {
    pub(super) fn is(&self, program: Program) {
        // A service is one program.
        let _ = self.0.set(program);
    }
}

impl Collector for Build {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), Error> {
        let Some(Program { version, commit }) = self.0.get() else { return Ok(()) };
        let inputs = JudgeInputs::of_this_program();
        let (rulebooks, formats) = (inputs.rulebooks_digest(), inputs.formats_text());
        let judge_inputs = inputs.digest();
        let info = Info::new(Labels { version, commit, rulebooks, formats, judge_inputs });
        let what = "The program that serves, and by what it judges";
        info.encode(encoder.encode_descriptor("build", what, None, info.metric_type())?)
    }
}
