//! What a service says, shown to people in blocks and to programs in lines of JSON.

use std::time::{Duration, Instant};

use client::FindingsPage;
use replay::{Code, Finding, Severity, TakenBack};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tlog::checkpoint::Checkpoint;
use tlog::tree::TreeHash;
use utoipa::ToSchema;
use utoipa::openapi::Schema;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, SchemaType, Type};

use super::GROWTH;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::shown::plain;
use crate::{output, render};

/// Most characters of one text that are shown to people.
const LONGEST_TEXT: usize = 2_000;

/// Findings that were shown and still stand.
#[derive(Debug, Default)]
pub(super) struct Tally {
    violations: u64,
    incomplete: u64,
    /// Findings with a code of a newer program.
    unknown: u64,
}

impl Tally {
    fn found(&mut self, code: Option<Code>) {
        match code.map(Code::severity) {
            Some(Severity::Violation) => self.violations += 1,
            Some(Severity::Incomplete) => self.incomplete += 1,
            None => self.unknown += 1,
        }
    }

    const fn taken_back(&mut self, code: Code) {
        match code.severity() {
            Severity::Violation => self.violations = self.violations.saturating_sub(1),
            Severity::Incomplete => self.incomplete = self.incomplete.saturating_sub(1),
        }
    }

    pub(super) const fn exit(&self) -> Exit {
        match (self.violations + self.unknown, self.incomplete) {
            (0, 0) => Exit::Good,
            (0, _) => Exit::Open,
            (_, _) => Exit::Findings,
        }
    }
}

/// The number of a published line, whatever else it holds.
#[derive(Deserialize)]
struct Numbered {
    number: u64,
}

/// A line of what `audit watch --json` prints.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schema(as = WatchLine)]
pub(in crate::commands) enum Line<'a> {
    /// A finding that the service published.
    Finding {
        /// Its number, from 1, among all that the service published.
        number: u64,
        /// Log index of the entry that shows it.
        #[schema(value_type = u64)]
        shown_by: &'a Value,
        /// What was found.
        #[schema(value_type = Finding)]
        finding: &'a Value,
    },
    /// A finding published before that no longer holds.
    TakenBack {
        /// The number of this withdrawal among all that the service published.
        number: u64,
        /// Log index of the entry that shows it.
        #[schema(value_type = u64)]
        shown_by: &'a Value,
        /// What is taken back.
        #[schema(value_type = TakenBack)]
        taken_back: &'a Value,
    },
    /// Something that a newer program published and this one does not know.
    NotKnown {
        /// Its number.
        number: u64,
        /// It as the service published it.
        #[schema(schema_with = any_object)]
        published: &'a Value,
    },
    /// Live certification stopped, or continues.
    Follower {
        /// `following` or `stopped`.
        state: &'a str,
        /// Why it stopped.
        why: Option<&'a str>,
    },
    /// How far recording and judging are.
    Growth {
        /// Entries of the log.
        size: u64,
        /// Entries that were judged.
        judged: u64,
        /// Findings and withdrawals published so far.
        published: u64,
    },
    /// A new checkpoint of the log.
    Checkpoint {
        /// The log's name.
        origin: &'a str,
        /// How many entries it covers.
        size: u64,
        /// The root in base64.
        root: String,
    },
    /// There is no answer.
    Lost {
        /// Why.
        why: &'a str,
        /// When it is asked again.
        again_in_seconds: u64,
    },
    /// There is an answer again.
    Back {},
}

/// Shows what a service says.
pub(super) struct Said {
    is_json: bool,
    is_unread: bool,
    /// Name, size and root of the newest checkpoint that was shown.
    newest: Option<(String, u64, TreeHash)>,
    /// What was last said of growth, and when.
    growth: Option<([u64; 3], Instant)>,
    follower: String,
}

impl Said {
    pub(super) fn new(is_json: bool) -> Self {
        Self { is_json, is_unread: false, newest: None, growth: None, follower: "following".to_owned() }
    }

    /// Whether whoever read standard output is gone.
    pub(super) const fn is_unread(&self) -> bool {
        self.is_unread
    }

    fn print(&mut self, text: impl FnOnce() -> String, line: &Line<'_>) -> Result<(), Failure> {
        // A line's members are in the order of their names.
        let json = || serde_json::to_value(line).map(|value| format!("{value}\n"));
        let shown = if self.is_json { json().map_err(own_fault)? } else { text() };
        self.is_unread |= !output::print_live(&shown, self.is_json)?;
        Ok(())
    }

    /// Shows a finding or a withdrawal; gives its number, none where it has none.
    pub(super) fn published(&mut self, raw: &str, tally: &mut Tally) -> Result<Option<u64>, Failure> {
        let numbered = serde_json::from_str::<Numbered>(raw);
        let (Ok(Numbered { number }), Ok(value)) = (numbered, serde_json::from_str::<Value>(raw)) else {
            return Ok(None);
        };
        let shown_by = &value["shown_by"];
        let shown = one_line(value.clone());
        let finding = serde_json::from_value::<Finding>(shown["finding"].clone()).ok();
        let taken_back = serde_json::from_value::<TakenBack>(shown["taken_back"].clone()).ok();
        match (finding, taken_back) {
            (Some(finding), None) => {
                tally.found(Some(finding.code));
                let line = Line::Finding { number, shown_by, finding: &value["finding"] };
                self.print(|| render::published(number, &finding), &line)?;
            }
            (None, Some(gone)) => {
                tally.taken_back(gone.code);
                let line = Line::TakenBack { number, shown_by, taken_back: &value["taken_back"] };
                self.print(|| withdrawn(number, &gone), &line)?;
            }
            // Newer programs find more, and say it in other words.
            (_, _) => {
                tally.found(None);
                let code = shown["finding"]["code"].as_str().unwrap_or("?").to_owned();
                let text = || {
                    format!(
                        "\n{}\n  {}\n",
                        texts().published_finding(number),
                        texts().finding_not_known(code)
                    )
                };
                self.print(text, &Line::NotKnown { number, published: &value })?;
            }
        }
        Ok(Some(number))
    }

    /// Shows how far recording and judging are: the first time, when they have caught up, and now and then between.
    pub(super) fn growth(&mut self, page: &FindingsPage, is_caught_up: bool) -> Result<(), Failure> {
        if page.follower.state != self.follower {
            self.follower.clone_from(&page.follower.state);
            let state = cut(&page.follower.state);
            let why = page.follower.why.as_deref().map(cut).unwrap_or_default();
            let line = Line::Follower { state: &page.follower.state, why: page.follower.why.as_deref() };
            let is_following = page.follower.state == "following";
            let text = || match is_following {
                true => format!("\n{}\n", texts().judging_goes_on()),
                false => format!("\n{}\n", texts().judging_stopped(state, why)),
            };
            self.print(text, &line)?;
        }
        let now = [page.size, page.judged, page.published];
        let is_due = match &self.growth {
            None => true,
            Some((before, at)) => *before != now && (is_caught_up || at.elapsed() >= GROWTH),
        };
        if !is_due {
            return Ok(());
        }
        self.growth = Some((now, Instant::now()));
        let [size, judged, findings] = now;
        let text = || {
            let (entries, judged) = (texts().entries(size), render::grouped(judged));
            format!("\n{}\n", texts().watched_growth(entries, judged, texts().published_findings(findings)))
        };
        self.print(text, &Line::Growth { size, judged, published: findings })
    }

    /// Shows a new checkpoint, and compares it with the newest one before: the outer error is a contradiction.
    pub(super) fn checkpoint(&mut self, now: &Checkpoint) -> Result<Result<(), Failure>, String> {
        if let Some((origin, size, root)) = &self.newest {
            if *origin != now.origin {
                return Err(texts().watches_another_log(origin, cut(&now.origin)));
            }
            if *size == now.size && *root != now.root {
                return Err(texts().two_roots_of_one_size(texts().entries(*size)));
            }
            if *size >= now.size {
                return Ok(Ok(()));
            }
        }
        self.newest = Some((now.origin.clone(), now.size, now.root));
        let text = || {
            let entries = texts().entries(now.size);
            format!("\n{}\n", texts().watched_checkpoint(cut(&now.origin), entries, now.root_text()))
        };
        let line = Line::Checkpoint { origin: &now.origin, size: now.size, root: now.root_text() };
        Ok(self.print(text, &line))
    }

    /// There is no answer, for this reason; it is asked again after a pause.
    pub(super) fn lost(&mut self, why: &str, pause: Duration) -> Result<(), Failure> {
        let seconds = pause.as_secs();
        if self.is_json {
            return self.print(String::new, &Line::Lost { why, again_in_seconds: seconds });
        }
        output::note(&texts().asks_again(why, seconds));
        Ok(())
    }

    /// There is an answer again.
    pub(super) fn back(&mut self) -> Result<(), Failure> {
        if self.is_json {
            return self.print(String::new, &Line::Back {});
        }
        output::note(&texts().answers_again());
        Ok(())
    }
}

/// The schema of an object of which nothing is known.
fn any_object() -> Schema {
    let object = ObjectBuilder::new().schema_type(SchemaType::new(Type::Object));
    Schema::Object(object.additional_properties(Some(AdditionalProperties::FreeForm(true))).build())
}

fn own_fault(error: serde_json::Error) -> Failure {
    Failure { exit: Exit::OwnFault, message: error.to_string() }
}

/// A finding that is taken back.
fn withdrawn(number: u64, gone: &TakenBack) -> String {
    let shoe = gone.shoe.as_deref().map(|shoe| texts().of_shoe(shoe)).unwrap_or_default();
    let coup = gone.coup.map(|coup| texts().of_coup(coup)).unwrap_or_default();
    let place = format!("{}{shoe}{coup}", texts().of_table(&gone.table));
    let line = texts().published_withdrawal(number, gone.code, place, gone.sequence, gone.entry);
    format!("\n{}\n", plain(&line))
}

/// Every text in it as one piece of a line, and none so long that it floods a screen.
fn one_line(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(cut(&text)),
        Value::Array(items) => Value::Array(items.into_iter().map(one_line).collect()),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (name, one_line(value))).collect())
        }
        value @ (Value::Null | Value::Bool(_) | Value::Number(_)) => value,
    }
}

fn cut(text: &str) -> String {
    let mut shown: String = text.chars().take(LONGEST_TEXT).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    plain(&shown)
}
