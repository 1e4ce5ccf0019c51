//! Which page an address asks for, and the page.

use std::collections::BTreeMap;

use askama::Template;
use replay::CoupView;
use texts::{Language, Texts};

use crate::finding::FindingView;
use crate::frame::{Frame, Link, Place, Section, or_dash};
use crate::links;
use crate::odds;
use crate::pages::coup::Coup;
use crate::pages::findings::{self, Findings};
use crate::pages::house::{HousePage, Shown};
use crate::pages::log::Log;
use crate::pages::overview::{self, Overview, TableRow};
use crate::pages::problem::{Problem, SignIn};
use crate::pages::rulebooks::{Linted, Rulebook, RulebookLine, Rulebooks};
use crate::pages::shoe::Shoe;
use crate::pages::table::{ShoeLine, Table};
use crate::seal::SealView;
use crate::source::{LogFacts, Refusal, ShoeFacts, Source, Unavailable};

/// Tables on the overview.
const TABLES: usize = 200;
/// Shoes on the page of a table, the newest.
const SHOES: usize = 500;
/// Rulebooks that are listed.
const LISTED: usize = 500;

/// What somebody asks for.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The path, from `/` on, as it was sent.
    pub path: String,
    /// The parts of the query, decoded.
    pub query: BTreeMap<String, String>,
    /// The query as it was sent.
    pub query_text: String,
    /// The language of the page.
    pub language: Language,
    /// Where the page is shown.
    pub place: Place,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status of HTTP.
    pub status: u16,
    /// The type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
}

const HTML: &str = "text/html; charset=utf-8";

/// Files that every page uses: name, type, text.
const ASSETS: [(&str, &str, &str); 3] = [
    ("/desk/desk.css", "text/css; charset=utf-8", include_str!("../assets/desk.css")),
    ("/desk/desk.js", "text/javascript; charset=utf-8", include_str!("../assets/desk.js")),
    ("/desk/icon.svg", "image/svg+xml", include_str!("../assets/icon.svg")),
];

/// A file that pages use, by its path; they are the same for everybody.
#[must_use]
pub fn asset(path: &str) -> Option<Answer> {
    let (_, content_type, body) = ASSETS.iter().find(|(name, ..)| *name == path)?;
    Some(Answer { status: 200, content_type, body: (*body).to_owned() })
}

/// The page that is asked for; a page that says so where there is none.
pub fn answer(source: &dyn Source, ask: &Ask) -> Answer {
    let page = Pages { t: Texts::of(ask.language), source, ask };
    match page.made() {
        Ok(body) => Answer { status: 200, content_type: HTML, body },
        Err(unavailable) => page.problem(unavailable),
    }
}

/// The page where somebody signs in who wanted to see another one. `refused` says whether a token was refused.
#[must_use]
pub fn sign_in(origin: &str, ask: &Ask, back: &str, refused: bool) -> Answer {
    let t = Texts::of(ask.language);
    let place = Place { can_sign_out: false, is_live: false };
    let here = links::page("sign-in", [("back", back)].into_iter().filter(|(_, back)| !back.is_empty()));
    let mut frame = Frame::new(t, &place, origin, Section::Overview, t.sign_in(), &here);
    frame.navigation.clear();
    let refused = refused.then(|| t.sign_in_refused());
    let status = if refused.is_some() { 403 } else { 401 };
    Answer { status, content_type: HTML, body: rendered(&SignIn { frame, refused, back: back.to_owned() }) }
}

/// The page for somebody who gets none, with the status of the answer and the id that the service's log has for it.
#[must_use]
pub fn refusal(origin: &str, ask: &Ask, why: Refusal, status: u16, request: Option<&str>) -> Answer {
    let t = Texts::of(ask.language);
    let (title, what) = why.words(t);
    let place = Place { is_live: false, ..ask.place.clone() };
    let mut frame = Frame::new(t, &place, origin, Section::Overview, title, "/desk/");
    frame.navigation.clear();
    let request = request.map(|id| t.request_in_the_log(id));
    Answer { status, content_type: HTML, body: rendered(&Problem { frame, what, request }) }
}

/// A template writes into memory, which does not fail.
fn rendered(template: &impl Template) -> String {
    template.render().unwrap_or_else(|error| error.to_string())
}

/// Makes a page.
type Make = fn(&Pages<'_>) -> Result<String, Unavailable>;

/// All pages of a log, by the last part of their path.
const PAGES: [(&str, Make); 9] = [
    ("", |pages| pages.overview()),
    ("findings", |pages| pages.findings()),
    ("table", |pages| pages.table()),
    ("shoe", |pages| pages.shoe()),
    ("coup", |pages| pages.coup()),
    ("rulebooks", |pages| pages.rulebooks()),
    ("rulebook", |pages| pages.rulebook()),
    ("log", |pages| pages.log_page()),
    ("house", |pages| pages.house()),
];

/// The paths of all pages of a log.
pub fn paths() -> impl Iterator<Item = String> {
    PAGES.iter().map(|(name, _)| format!("/desk/{name}"))
}

struct Pages<'a> {
    t: Texts,
    source: &'a dyn Source,
    ask: &'a Ask,
}

impl Pages<'_> {
    fn made(&self) -> Result<String, Unavailable> {
        let asked = self.ask.path.strip_prefix("/desk/");
        let page = PAGES.iter().find(|(name, _)| Some(*name) == asked);
        page.map_or(Err(Unavailable::NotThere), |(_, make)| make(self))
    }

    fn problem(&self, unavailable: Unavailable) -> Answer {
        let (status, title, what) = match unavailable {
            Unavailable::Refused(why) => return refusal("", self.ask, why, why.status(), None),
            Unavailable::NotThere if self.ask.place.is_live => {
                (404, self.t.page_not_there(), self.t.not_in_the_live_log())
            }
            Unavailable::NotThere => (404, self.t.page_not_there(), self.t.not_in_the_log()),
            Unavailable::NotYet => (503, self.t.page_not_now(), self.t.log_being_read()),
            Unavailable::Now(why) => (503, self.t.page_not_now(), why),
        };
        let frame = Frame::new(self.t, &self.ask.place, "", Section::Overview, title, "/desk/");
        Answer { status, content_type: HTML, body: rendered(&Problem { frame, what, request: None }) }
    }

    fn asked(&self, name: &str) -> Option<&str> {
        self.ask.query.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    fn frame(&self, log: &LogFacts, section: Section, title: String) -> Frame {
        let query = &self.ask.query_text;
        // The other language replaces this one.
        let kept: Vec<&str> =
            query.split('&').filter(|part| !part.is_empty() && !part.starts_with("lang=")).collect();
        let here = match kept.is_empty() {
            true => self.ask.path.clone(),
            false => format!("{}?{}", self.ask.path, kept.join("&")),
        };
        let origin = log.seal().origin.as_deref().unwrap_or("-");
        let mut frame = Frame::new(self.t, &self.ask.place, origin, section, title, &here);
        if self.source.house().is_some() {
            frame.navigation.push(Link {
                name: self.t.desk_house(),
                href: links::page("house", []),
                is_here: section == Section::House,
            });
        }
        frame
    }

    fn overview(&self) -> Result<String, Unavailable> {
        let log = self.source.log()?;
        let after = self.asked("after").unwrap_or_default();
        let tables = self.source.tables_after(after, TABLES + 1)?;
        let more = tables.get(TABLES - 1).filter(|_| tables.len() > TABLES);
        let more = more.map(|last| links::page("", [("after", last.table.as_str())]));
        let stopped = log.live.as_ref().and_then(|live| live.stopped.as_ref());
        Ok(rendered(&Overview {
            verdicts: overview::verdicts(&log, self.t),
            numbers: overview::numbers(&log, self.t),
            codes: overview::codes(&log, self.t),
            tables: tables
                .iter()
                .take(TABLES)
                .map(|table| TableRow::of(table, log.is_sealed(), self.t))
                .collect(),
            more,
            stopped: stopped.map(|why| self.t.certification_stopped(why)),
            agree: overview::agree_heading(&log, self.t),
            frame: self.frame(&log, Section::Overview, self.t.desk_overview()),
        }))
    }

    fn findings(&self) -> Result<String, Unavailable> {
        let log = self.source.log()?;
        let wanted = findings::wanted(|name| self.asked(name));
        let found = self.source.findings(&wanted)?;
        let rulebooks = &log.summary().rulebooks;
        let behind = found.skipped.saturating_add(findings::MOST);
        let t = self.t;
        Ok(rendered(&Findings {
            codes: overview::codes(&log, t),
            severities: findings::severities(&wanted, t),
            orders: findings::orders(&wanted, t),
            table: wanted.table.clone().unwrap_or_default(),
            code: wanted.code.clone().unwrap_or_default(),
            total: t.findings(found.total),
            shown: findings::shown(&found, t),
            unlisted: findings::unlisted(&found, t),
            findings: FindingView::tree(&found.list, rulebooks, t),
            before: (found.skipped > 0)
                .then(|| findings::from(&wanted, found.skipped.saturating_sub(findings::MOST))),
            after: (found.listed > behind).then(|| findings::from(&wanted, behind)),
            frame: self.frame(&log, Section::Findings, self.t.desk_findings()),
        }))
    }

    fn table(&self) -> Result<String, Unavailable> {
        let name = self.asked("table").ok_or(Unavailable::NotThere)?;
        let facts = self.source.table(name)?;
        let log = self.source.log()?;
        let state = &facts.state;
        let newest = &facts.shoes[facts.shoes.len().saturating_sub(SHOES)..];
        let t = self.t;
        // After its end no rulebook is in force at the table; where the log has only one, its coups were played by that.
        let only = match log.summary().rulebooks.as_slice() {
            [only] if state.coups.total() > 0 => Some(&only.id),
            _ => None,
        };
        let rulebook = state.rulebook.as_ref().or(only);
        let frame = self.frame(&log, Section::Overview, t.page_of_table(name));
        Ok(rendered(&Table {
            row: TableRow::of(state, log.is_sealed(), t),
            facts: vec![
                (t.rulebook_heading(), or_dash(rulebook)),
                (t.desk_events(), t.grouped(state.events)),
                (t.coups_heading(), t.grouped(state.coups.total())),
                (t.shoes_heading(), t.grouped(state.shoes.total())),
                (t.table_clock(), or_dash(state.clock.as_ref().map(|time| t.time(time)).as_ref())),
            ],
            shoes: newest.iter().map(|row| ShoeLine::of(name, row, t)).collect(),
            has_older: facts.has_older || newest.len() < facts.shoes.len(),
            agree: overview::agree_heading(&log, t),
            findings: FindingView::tree(&facts.findings, &log.summary().rulebooks, t),
            all_findings: links::page("findings", [("table", name)]),
            frame: frame.below(t.desk_overview(), links::page("", [])),
        }))
    }

    fn shoe_name(&self, shoe: Option<&str>) -> String {
        shoe.map_or_else(|| self.t.without_shoe(), |shoe| self.t.page_of_shoe(shoe))
    }

    fn shoe(&self) -> Result<String, Unavailable> {
        let (table, shoe) = (self.asked("table").ok_or(Unavailable::NotThere)?, self.asked("shoe"));
        let facts = self.source.shoe(table, shoe)?;
        let log = self.source.log()?;
        let frame = self.frame(&log, Section::Overview, self.shoe_name(shoe));
        let frame = frame
            .below(self.t.desk_overview(), links::page("", []))
            .below(self.t.page_of_table(table), links::table(table));
        let from = self.asked("from").and_then(|from| from.parse().ok()).unwrap_or(0);
        Ok(rendered(&Shoe::of(frame, &facts, table, shoe, from)))
    }

    fn coup(&self) -> Result<String, Unavailable> {
        let (table, shoe) = (self.asked("table").ok_or(Unavailable::NotThere)?, self.asked("shoe"));
        let number = self.asked("coup").and_then(|coup| coup.parse::<u32>().ok());
        let number = number.ok_or(Unavailable::NotThere)?;
        let place = |facts: &ShoeFacts| facts.coups.iter().position(|coup| coup.coup == number);
        let facts = match self.source.shoe(table, shoe) {
            Ok(facts) if facts.is_cut && place(&facts).is_none() => self.source.coup(table, shoe, number)?,
            Err(Unavailable::NotThere) => self.source.coup(table, shoe, number)?,
            facts => facts?,
        };
        let at = place(&facts).ok_or(Unavailable::NotThere)?;
        let log = self.source.log()?;
        let frame = self.frame(&log, Section::Overview, self.t.page_of_coup(number));
        let frame = frame
            .below(self.t.desk_overview(), links::page("", []))
            .below(self.t.page_of_table(table), links::table(table))
            .below(self.shoe_name(shoe), links::shoe(table, shoe));
        let mut page = Coup::of(frame, &facts.coups[at], &facts.rulebooks, facts.is_sealed);
        let href = |coup: &CoupView| links::coup(table, shoe, coup.coup);
        page.before = at.checked_sub(1).and_then(|at| facts.coups.get(at)).map(href);
        page.after = facts.coups.get(at + 1).map(href);
        Ok(rendered(&page))
    }

    fn rulebooks(&self) -> Result<String, Unavailable> {
        let log = self.source.log()?;
        let built_in = |id: &str, digest: &str| {
            baccarat::builtin(id).is_ok_and(|book| book.digest().to_string() == digest)
        };
        let lines = log.summary().rulebooks.iter().take(LISTED).map(|used| RulebookLine {
            title: used.title.clone(),
            id: used.id.clone(),
            href: links::rulebook(&used.digest),
            digest: used.digest.clone(),
            coups: self.t.coups(used.coups),
            is_built_in: built_in(&used.id, &used.digest),
        });
        Ok(rendered(&Rulebooks {
            rulebooks: lines.collect(),
            frame: self.frame(&log, Section::Rulebooks, self.t.desk_rulebooks()),
        }))
    }

    fn rulebook(&self) -> Result<String, Unavailable> {
        let digest = self.asked("digest").ok_or(Unavailable::NotThere)?;
        let log = self.source.log()?;
        let used = log.summary().rulebooks.iter().find(|used| used.digest == digest);
        let book = used.and_then(|used| used.passages.rulebook()).ok_or(Unavailable::NotThere)?;
        let page = self.t.rulebook_page(&book);
        let frame = self.frame(&log, Section::Rulebooks, page.title.clone());
        let frame = frame.below(self.t.desk_rulebooks(), links::page("rulebooks", []));
        let said = odds::of(&book, digest).map(|report| Linted::of(&report, self.t));
        Ok(rendered(&Rulebook { frame, page, said }))
    }

    fn log_page(&self) -> Result<String, Unavailable> {
        let log = self.source.log()?;
        Ok(rendered(&Log {
            verdicts: overview::verdicts(&log, self.t),
            seal: SealView::new(&log, self.t),
            frame: self.frame(&log, Section::Log, self.t.desk_log()),
        }))
    }

    fn house(&self) -> Result<String, Unavailable> {
        let seen = self.source.house().ok_or(Unavailable::NotThere)?;
        let title = match &seen {
            Some((house, _)) => self.t.house_heading(&house.site),
            None => self.t.desk_house(),
        };
        let frame = self.frame(&self.source.log()?, Section::House, title);
        let shown = seen.map(|(house, seconds)| Shown::of(&house, seconds, self.t));
        Ok(rendered(&HousePage { frame, shown }))
    }
}

#[cfg(test)]
mod tests {
    // Names of tables and shoes stand in the headings of rows: two that differ in one capital must look different.
    #[test]
    fn the_style_alters_no_name_of_a_record() {
        let css = include_str!("../assets/desk.css");
        let altering = css.split('}').filter(|rule| rule.contains("text-transform"));
        let selectors = altering.filter_map(|rule| rule.split('{').next()).flat_map(|list| list.split(','));
        let of_headings: Vec<&str> =
            selectors.map(str::trim).filter(|one| one.contains("th") || one.contains("td")).collect();
        assert_eq!(of_headings, ["thead th::first-letter"]);
    }
}
