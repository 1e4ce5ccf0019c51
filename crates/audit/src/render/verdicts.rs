//! The four verdicts of a report in a sentence each.

use replay::{Report, Verdict, Verdicts};
use texts::Question;
use tlog::policy::Witnessed;

use crate::colour::{self, Style};
use crate::errors::said_text;
use crate::language::texts;

/// The verdicts, a line each with its reason: escaped already, and painted where there is colour.
pub(super) fn verdicts(text: &mut String, report: &Report, witnessed: Option<&Witnessed>) {
    let Verdicts { intact, anchored, complete, certified } = report.verdicts;
    for (question, answer) in [
        (Question::Intact, intact),
        (Question::Anchored, anchored),
        (Question::Complete, complete),
        (Question::Certified, certified),
    ] {
        verdict_line(text, question, answer, &texts().why(question, report, witnessed, said_text));
    }
}

/// One verdict with its reason.
pub(super) fn verdict_line(text: &mut String, question: Question, answer: Verdict, why: &str) {
    let (name, verdict) = (texts().question(question), texts().verdict(answer));
    let (names, verdicts): (usize, usize) = match texts().language() {
        texts::Language::English => (10, 8),
        texts::Language::Spanish => (11, 11),
    };
    let styled = colour::styled(Style::of(answer), verdict);
    let space = " ".repeat(verdicts.saturating_sub(verdict.chars().count()));
    text.push_str(&format!("{name:<names$} {styled}{space} {}\n", colour::lines(why)));
}
