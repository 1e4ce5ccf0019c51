//! `audit quiz`: a trainee judges simulated coups. The judge, not the quiz, decides what is right.

mod questions;

use std::io::{self, BufRead, IsTerminal as _};

use replay::Code;
use serde::Serialize;
use utoipa::ToSchema;

use self::questions::{Question, Questions};
use crate::cli::Quiz;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::line_reader::{Line, LineReader};
use crate::log::rulebook;
use crate::{output, render};

/// Answers in a row that say nothing before the quiz ends: whatever sends them does not read the questions.
const MOST_STRANGE: u32 = 20;

pub(crate) fn run(ask: &Quiz) -> Result<Exit, Failure> {
    let book = rulebook(&ask.rulebook)?;
    if book.chemin.is_some() {
        return Err(Failure::usage(texts().quiz_of_another_game(&ask.rulebook)));
    }
    let id = book.id.clone();
    let questions = Questions::new(book, ask.seed);
    if ask.json {
        let questions = (1..=ask.coups).map(|number| questions.make(number)).collect::<Result<_, _>>()?;
        output::print_json(&Printed { seed: ask.seed, rulebook: id, questions })?;
        return Ok(Exit::Good);
    }
    output::print(&format!(
        "{}\n",
        texts().quiz_heading(texts().coups(u64::from(ask.coups)), &id, ask.seed)
    ))?;
    let mut answers =
        Answers { lines: LineReader::new(io::stdin().lock()), is_terminal: io::stdin().is_terminal() };
    let mut score = Score::default();
    for number in 1..=ask.coups {
        let question = questions.make(number)?;
        let heading = texts().quiz_question(number, ask.coups);
        output::print(&format!("\n{heading}\n{}\n", render::unjudged(&question.coup)))?;
        if !asked(&question, &mut answers, &mut score)? {
            output::note(&texts().quiz_broken_off(score.asked, ask.coups));
            break;
        }
    }
    output::print(&format!("\n{}\n", score.text()))?;
    Ok(if score.asked == u64::from(ask.coups) { Exit::Good } else { Exit::Open })
}

/// All questions with their answers.
#[derive(Serialize, ToSchema)]
#[schema(as = Quiz)]
pub(super) struct Printed {
    /// The seed they were made with.
    seed: u64,
    /// The rulebook's id.
    rulebook: String,
    /// The questions, in the order in which they are asked.
    questions: Vec<Question>,
}

/// What was answered so far.
#[derive(Debug, Default, PartialEq, Eq)]
struct Score {
    asked: u64,
    judged: u64,
    /// Coups that are wrong, and those of them whose fault was named.
    wrong: u64,
    named: u64,
}

impl Score {
    fn text(&self) -> String {
        let Self { asked, judged, wrong, named } = *self;
        texts().quiz_score(judged, texts().coups(asked), named, wrong)
    }
}

/// Asks for an answer to one question; gives whether there was one.
fn asked(
    question: &Question,
    answers: &mut Answers<impl BufRead>,
    score: &mut Score,
) -> Result<bool, Failure> {
    let Some(says_right) = answers.next(&texts().quiz_right_or_wrong(), right_or_wrong)? else {
        return Ok(false);
    };
    let mut named = None;
    if !says_right {
        let choices = question.choices();
        let listed = choices
            .iter()
            .zip(1..)
            .map(|(code, number)| format!("  {number}  {code}: {}\n", code.sentence(texts().language())));
        output::print(&listed.collect::<String>())?;
        let prompt = texts().quiz_which(choices.len());
        let Some(chosen) = answers.next(&prompt, |text| one_of(text, choices))? else { return Ok(false) };
        named = Some(chosen);
    }
    let wrong = question.wrong();
    let is_judged = says_right == wrong.is_empty();
    let is_named = named.is_some_and(|code| wrong.contains(&code));
    score.asked += 1;
    score.judged += u64::from(is_judged);
    score.wrong += u64::from(!wrong.is_empty());
    score.named += u64::from(is_named);
    let said = match (is_judged, wrong.is_empty()) {
        (true, true) => texts().quiz_it_is_right(),
        (true, false) if is_named => texts().quiz_it_is_that(),
        (true, false) => texts().quiz_wrong_otherwise(listed(wrong)),
        (false, true) => texts().quiz_nothing_is_wrong(),
        (false, false) => texts().quiz_something_is_wrong(listed(wrong)),
    };
    output::print(&format!(
        "\n{said}\n\n{}{}",
        render::coup(&question.coup, question.rulebooks()),
        why(wrong)
    ))?;
    Ok(true)
}

fn listed(codes: &[Code]) -> String {
    texts().listed(codes)
}

/// How the judge comes to these codes.
fn why(codes: &[Code]) -> String {
    codes
        .iter()
        .map(|code| format!("\n{code}\n  {}\n", texts().judged_label(texts().how_judged(*code))))
        .collect()
}

/// Whether an answer says that the coup is right, in either language.
fn right_or_wrong(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "r" | "right" | "b" | "bien" => Some(true),
        "w" | "wrong" | "m" | "mal" => Some(false),
        _ => None,
    }
}

/// The choice that is meant, by its number or its code.
fn one_of(text: &str, choices: &[Code]) -> Option<Code> {
    let by_number = text.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
    by_number.or_else(|| choices.iter().find(|code| code.as_str() == text)).copied()
}

/// Lines of answers.
struct Answers<R> {
    lines: LineReader<R>,
    is_terminal: bool,
}

impl<R: BufRead> Answers<R> {
    /// The next answer that says something; none at the end of the input.
    fn next<T>(&mut self, prompt: &str, read: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Failure> {
        for _ in 0..MOST_STRANGE {
            output::print(&format!("{prompt} "))?;
            let line = self.lines.next().map_err(|error| Failure::file(texts().standard_input(), &error))?;
            if !self.is_terminal {
                // Nobody pressed the key that ends the line of the question.
                output::print("\n")?;
            }
            let answer = match line {
                Line::End => return Ok(None),
                Line::TooLong(_) => None,
                Line::Text(_, text) => std::str::from_utf8(text).ok().and_then(|text| read(text.trim())),
            };
            if answer.is_some() {
                return Ok(answer);
            }
            output::print(&format!("{}\n", texts().quiz_no_answer()))?;
        }
        Err(Failure::usage(texts().quiz_no_answers(MOST_STRANGE)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn answers_are_read_in_both_languages_and_choices_by_number_or_code() {
        let read =
            ["r", "Right", "B", "bien", "w", "WRONG", "m", "mal"].map(|text| right_or_wrong(text).unwrap());
        assert_eq!(read, [true, true, true, true, false, false, false, false]);
        assert!(["", "rw", "1", "righ", "\u{1b}"].iter().all(|text| right_or_wrong(text).is_none()));
        let choices = [Code::PuntoDrew, Code::PayoutOver];
        assert_eq!(one_of("2", &choices), Some(Code::PayoutOver));
        assert_eq!(one_of("punto-drew", &choices), Some(Code::PuntoDrew));
        assert!(
            ["0", "3", "-1", "99999999999999999999", "payout-under"]
                .iter()
                .all(|text| one_of(text, &choices).is_none())
        );
    }
}
