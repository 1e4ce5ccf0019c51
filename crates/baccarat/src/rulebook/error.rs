//! Why a text is not a rulebook: every problem that can be distinguished, each with the place where it stands.

use std::fmt;

use super::files::Place;
use crate::sentence::Sentence;

/// Most problems that are listed.
const MOST: usize = 64;
/// Longest sentence, in characters: a problem may quote a line of the file.
const SENTENCE_CHARS: usize = 1_200;

/// One problem of a text that should be a rulebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where it stands.
    pub place: Place,
    /// The dotted key; empty where the text has no legible key there.
    pub key: String,
    /// What is wrong and what to write: it goes on after the key.
    pub sentence: Sentence,
}

impl Problem {
    pub(crate) fn new(place: Place, key: impl Into<String>, sentence: Sentence) -> Self {
        Self { place, key: key.into(), sentence: sentence.map(short) }
    }

    fn line(&self, sentence: &str) -> String {
        match self.key.as_str() {
            "" => format!("{}: {sentence}", self.place),
            key => format!("{}: `{key}` {sentence}", self.place),
        }
    }
}

fn short(text: String) -> String {
    match text.char_indices().nth(SENTENCE_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Why a text is not a rulebook. It is displayed in English, a line for each problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulebookError {
    problems: Vec<Problem>,
}

impl std::error::Error for RulebookError {}

impl RulebookError {
    /// The first problems of those given, at most 64.
    pub(crate) fn of(problems: impl IntoIterator<Item = Problem>) -> Self {
        Self { problems: problems.into_iter().take(MOST).collect() }
    }

    pub(crate) fn one(place: Place, key: impl Into<String>, sentence: Sentence) -> Self {
        Self::of([Problem::new(place, key, sentence)])
    }

    /// Every problem, in the order of the text.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The same in Spanish.
    #[must_use]
    pub fn in_spanish(&self) -> String {
        self.lines(|problem| &problem.sentence.spanish)
    }

    fn lines(&self, sentence: impl Fn(&Problem) -> &String) -> String {
        let lines: Vec<String> =
            // A text of the file that is quoted cannot add lines.
            self.problems.iter().map(|problem| problem.line(sentence(problem)).replace('\n', "\\u{a}")).collect();
        lines.join("\n")
    }
}

impl fmt::Display for RulebookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines(|problem| &problem.sentence.english))
    }
}
