//! Which program this is and by what it judges, for people.

use replay::JudgeInputs;

use crate::language::texts;
use crate::program::PROGRAM;

/// A line each: version, commit, judge, inputs.
pub(crate) fn identity() -> String {
    let inputs = JudgeInputs::of_this_program();
    let rows = [
        (texts().name_version(), PROGRAM.version.to_owned()),
        (texts().name_commit(), PROGRAM.commit.to_owned()),
        (texts().name_judge(), inputs.judge.to_owned()),
        (texts().name_inputs(), inputs.digest()),
        (texts().name_rulebooks(), format!("{}, {}", inputs.rulebooks.len(), inputs.rulebooks_digest())),
        (texts().name_formats(), inputs.formats_text()),
        (texts().name_findings(), inputs.findings.len().to_string()),
    ];
    rows.iter().map(|(name, value)| format!("{name:<12} {value}\n")).collect()
}
