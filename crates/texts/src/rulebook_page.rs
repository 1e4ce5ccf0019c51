//! A rulebook as one page to print, in either language: every parameter with its meaning and its sources, the
//! tableau, the paytables, and the texts themselves. The page is made of pieces, which HTML and Markdown write each
//! in their way.

use std::collections::BTreeSet;

use baccarat::form::{self, Form, Key, keys};
use baccarat::{Draw, Game, Points, Rank, Rulebook, Sentence};
use serde_json::{Map, Value};

use crate::{Language, Texts};

/// A part of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A heading of the second level.
    Heading(String),
    /// What a heading is about.
    Paragraph(String),
    /// Rows of what a parameter means and what it is.
    Facts(Vec<[String; 2]>),
    /// A table with headings, of cells as narrow as they can be.
    Table(Vec<String>, Vec<Vec<String>>),
    /// The texts that a clause follows, by key.
    Sources(Vec<String>),
    /// A text that is followed: its key, its source, its words.
    Source(String, String, String),
}

/// The page, from its title on.
#[derive(Debug, Clone)]
pub struct Page {
    t: Texts,
    /// The rulebook's title.
    pub title: String,
    /// The page below it.
    pub pieces: Vec<Piece>,
}

/// Keys that have their own place on the page.
const APART: [&str; 8] =
    ["format", "id", "title", "jurisdiction", "effective", "citations", "tableau", "bets"];

impl Page {
    fn identity(&mut self, book: &Rulebook) {
        let until = book
            .effective
            .until
            .as_ref()
            .map(|day| self.t.day(day))
            .map(|day| self.t.until(day))
            .unwrap_or_default();
        self.pieces.push(Piece::Facts(vec![
            [self.t.printed_name(), book.id.clone()],
            [self.t.printed_jurisdiction(), book.jurisdiction.clone()],
            [self.t.printed_in_force(), format!("{}{until}", self.t.day(&book.effective.from))],
            [self.t.printed_digest(), book.digest().to_string()],
        ]));
        self.pieces.push(Piece::Paragraph(self.t.printed_note()));
    }

    /// A section, a list of sections, or one value, as a part of the page.
    fn clause(&mut self, key: &Key, value: &Value) {
        match (key.form, value) {
            (Form::Section(keys), Value::Object(members)) => self.section(key.name, key, keys, members),
            (Form::Named(_, keys), Value::Object(members)) => {
                for (name, member) in members {
                    if let Value::Object(member) = member {
                        self.section(&format!("{}: {name}", key.name), key, keys, member);
                    }
                }
            }
            (Form::List(_), Value::Array(rows)) => {
                for row in rows.iter().filter_map(Value::as_object) {
                    self.heading(key.name, key);
                    let bets = row.get("bets").map(|value| self.t.shown(value)).unwrap_or_default();
                    self.pieces.push(Piece::Paragraph(bets));
                    self.cite(row);
                }
            }
            (form, value) => {
                self.heading(key.name, key);
                self.pieces.push(Piece::Paragraph(self.t.said(form, value)));
            }
        }
    }

    fn heading(&mut self, path: &str, key: &Key) {
        self.pieces.push(Piece::Heading(format!("{} ({path})", capital(self.t.meaning(key)))));
    }

    fn section(&mut self, path: &str, key: &Key, keys: &[Key], members: &Map<String, Value>) {
        self.heading(path, key);
        let mut facts = Vec::new();
        for inner in keys.iter().filter(|inner| inner.name != "cite") {
            match (inner.form, members.get(inner.name)) {
                (_, None) | (Form::Section(_), Some(_)) if path == "chemin" => {}
                (Form::Section(keys), Some(Value::Object(members))) => {
                    facts.extend(self.t.facts_of(keys, members))
                }
                // Without a ratio the table sets its maximum freely, as if the key were not there.
                (_, Some(Value::Array(values)))
                    if inner.name == "maximum-over-minimum" && values.is_empty() => {}
                (form, Some(value)) => facts.push([capital(self.t.meaning(inner)), self.t.said(form, value)]),
                (_, None) => {}
            }
        }
        if !facts.is_empty() {
            self.pieces.push(Piece::Facts(facts));
        }
        self.cite(members);
        for inner in keys.iter().filter(|_| path == "chemin") {
            if let (Form::Section(keys), Some(Value::Object(members))) = (inner.form, members.get(inner.name))
            {
                self.section(&format!("{path}.{}", inner.name), inner, keys, members);
            }
        }
    }

    fn cite(&mut self, members: &Map<String, Value>) {
        let cited = members.get("cite").and_then(Value::as_array);
        let keys: Vec<String> =
            cited.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
        if !keys.is_empty() {
            self.pieces.push(Piece::Sources(keys));
        }
    }

    fn tableau(&mut self, book: &Rulebook) {
        let mark = |draw: Draw| {
            match draw {
                Draw::Draws => "T",
                Draw::Stands => "P",
                Draw::Optional => "O",
                Draw::Unstated => "U",
            }
            .to_owned()
        };
        let open = match book.game() {
            Game::PuntoBanca => String::new(),
            Game::CheminDeFer => self.t.tableau_open(),
        };
        let columns = self.t.word(match book.columns {
            baccarat::Columns::ThirdCard => "third-card",
            baccarat::Columns::PuntoTotal => "punto-total",
        });
        let points = |range: std::ops::Range<u8>| range.filter_map(Points::new);
        self.pieces.push(Piece::Heading(self.t.printed_tableau()));
        self.pieces.push(Piece::Paragraph(self.t.tableau_legend(open, columns)));
        let totals = || points(0..8).map(|total| total.to_string());
        let punto = points(0..8).map(|total| mark(book.tableau.punto(total)));
        let head = [self.t.printed_punto_total()].into_iter().chain(totals()).collect();
        self.pieces.push(Piece::Table(head, vec![["punto".to_owned()].into_iter().chain(punto).collect()]));
        let columns = points(0..10).map(|column| column.to_string());
        let head = [self.t.printed_banca_total()].into_iter().chain(columns);
        let head = head.chain([self.t.punto_stood_column()]).collect();
        let row = |total: Points| {
            let cells = points(0..10).map(|column| mark(book.tableau.banca(total, Some(column))));
            let stood = mark(book.tableau.banca(total, None));
            [total.to_string()].into_iter().chain(cells).chain([stood]).collect()
        };
        self.pieces.push(Piece::Table(head, points(0..8).map(row).collect()));
        self.pieces.push(Piece::Sources(book.tableau.cite().to_vec()));
    }

    fn bets(&mut self, values: &Map<String, Value>) {
        let Some(Form::Named(_, keys)) = keys().iter().find(|key| key.name == "bets").map(|key| key.form)
        else {
            return;
        };
        let bets = values.get("bets").and_then(Value::as_object).into_iter().flatten();
        for (name, bet) in bets.filter_map(|(name, bet)| Some((name, bet.as_object()?))) {
            let title = bet.get("title").map(|value| self.t.shown(value)).unwrap_or_default();
            self.pieces.push(Piece::Heading(self.t.printed_bet(title, name)));
            let rows = bet.get("rows").and_then(Value::as_array).into_iter().flatten();
            let mut table: Vec<Vec<String>> =
                rows.filter_map(Value::as_object).map(|value| self.t.pay_row(value)).collect();
            table.push(vec![self.t.word("lose"), self.t.printed_otherwise()]);
            self.pieces.push(Piece::Table(vec![self.t.printed_pays(), self.t.printed_when()], table));
            let apart = BTreeSet::from(["title", "rows", "cite"]);
            let facts = keys.iter().filter(|key| !apart.contains(key.name)).filter_map(|key| {
                let value = bet.get(key.name).filter(|value| **value != Value::Bool(false))?;
                Some([capital(self.t.meaning(key)), self.t.said(key.form, value)])
            });
            let facts: Vec<[String; 2]> = facts.collect();
            if !facts.is_empty() {
                self.pieces.push(Piece::Facts(facts));
            }
            self.cite(bet);
        }
    }
}

impl Texts {
    /// The page of a rulebook.
    #[must_use]
    pub fn rulebook_page(self, book: &Rulebook) -> Page {
        let mut page = Page { t: self, title: book.title.clone(), pieces: Vec::new() };
        let Ok(Value::Object(values)) = serde_json::to_value(book) else { return page };
        page.identity(book);
        for key in keys().iter().filter(|key| !APART.contains(&key.name)) {
            if let Some(value) = values.get(key.name) {
                page.clause(key, value);
            }
            if key.name == "deal" {
                page.tableau(book);
            }
        }
        page.bets(&values);
        page.pieces.push(Piece::Heading(self.printed_sources()));
        for (key, citation) in &book.citations {
            page.pieces.push(Piece::Source(key.clone(), citation.source.clone(), citation.text.clone()));
        }
        page
    }

    /// A word of a rulebook file where it stands among other words of the file: as it is in English, which the file is
    /// written in, and said in Spanish.
    #[must_use]
    pub fn file_word(self, text: &str) -> String {
        match self.language() {
            Language::English => text.to_owned(),
            Language::Spanish => self.word(text),
        }
    }

    fn facts_of(self, keys: &[Key], members: &Map<String, Value>) -> Vec<[String; 2]> {
        let fact =
            |key: &Key| Some([capital(self.meaning(key)), self.said(key.form, members.get(key.name)?)]);
        keys.iter().filter_map(fact).collect()
    }

    /// What a row pays, and when.
    fn pay_row(self, row: &Map<String, Value>) -> Vec<String> {
        let Some(Form::Named(_, bet)) = keys().iter().find(|key| key.name == "bets").map(|key| key.form)
        else {
            return Vec::new();
        };
        let Some(Form::List(conditions)) = bet.iter().find(|key| key.name == "rows").map(|key| key.form)
        else {
            return Vec::new();
        };
        let pays = row.get("pays").and_then(Value::as_str).map(|value| self.word(value)).unwrap_or_default();
        let no_commission = row.get("commission") == Some(&Value::Bool(false));
        let mut when: Vec<String> = conditions
            .iter()
            .filter(|key| key.name != "pays" && key.name != "commission")
            .filter_map(|key| {
                Some(format!("{}: {}", bare(self.meaning(key)), self.said(key.form, row.get(key.name)?)))
            })
            .collect();
        if when.is_empty() {
            when.push(self.in_any_case());
        }
        if no_commission {
            when.push(self.printed_no_commission());
        }
        vec![pays, when.join("; ")]
    }

    fn meaning(self, key: &Key) -> &'static str {
        self.language().of(key.meaning, key.significado)
    }

    /// A value in words.
    fn said(self, form: Form, value: &Value) -> String {
        match (form, value) {
            (Form::BurnValues, Value::Array(counts)) => {
                let each = Rank::ALL.iter().zip(counts).map(|(rank, count)| format!("{rank}: {count}"));
                each.collect::<Vec<_>>().join(", ")
            }
            (Form::Words(_) | Form::OneOrNumbers(..), Value::Array(values)) => {
                values.iter().map(|value| self.shown(value)).collect::<Vec<_>>().join(&self.or())
            }
            (_, value) => self.shown(value),
        }
    }

    fn shown(self, value: &Value) -> String {
        match value {
            Value::Bool(value) => {
                if *value {
                    self.printed_yes()
                } else {
                    self.printed_no()
                }
            }
            Value::String(text) => self.word(text),
            Value::Array(values) if values.is_empty() => self.printed_none(),
            Value::Array(values) => {
                values.iter().map(|value| self.shown(value)).collect::<Vec<_>>().join(", ")
            }
            Value::Object(members) => {
                members.values().map(|value| self.shown(value)).collect::<Vec<_>>().join(", ")
            }
            Value::Number(number) => number.to_string(),
            Value::Null => String::new(),
        }
    }

    /// A word of the file in the language of these texts; any other text as it is.
    fn word(self, text: &str) -> String {
        form::word(text).map_or_else(
            || text.to_owned(),
            |Sentence { english, spanish }| self.language().of(&english, &spanish).to_owned(),
        )
    }
}

/// A meaning without what it says about the file's words, which are written out here.
fn bare(meaning: &str) -> &str {
    meaning.split(" (").next().unwrap_or_default()
}

fn capital(text: &str) -> String {
    let mut marks = text.chars();
    marks.next().map(|first| first.to_uppercase().chain(marks).collect()).unwrap_or_default()
}
