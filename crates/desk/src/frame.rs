//! What stands round every page: title, navigation, language, and who is signed in.

use std::fmt::Display;

use replay::{Currency, Verdict};
use texts::{Language, Texts};

use crate::links;

/// Where a page is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Whether the person signed in, and can sign out.
    pub can_sign_out: bool,
    /// Whether findings appear while the page is open.
    pub is_live: bool,
}

/// One entry of the navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) name: String,
    pub(crate) href: String,
    pub(crate) is_here: bool,
}

/// What stands round a page.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) t: Texts,
    pub(crate) title: String,
    pub(crate) origin: String,
    pub(crate) navigation: Vec<Link>,
    /// The same page in the other language.
    pub(crate) other_language: Link,
    pub(crate) can_sign_out: bool,
    pub(crate) is_live: bool,
    /// The way to this page: name and address, from the outside in.
    pub(crate) trail: Vec<Link>,
}

/// The main pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Overview,
    Findings,
    Rulebooks,
    Log,
    House,
}

impl Frame {
    /// `here` is the address of this page.
    pub(crate) fn new(
        t: Texts,
        place: &Place,
        origin: &str,
        section: Section,
        title: String,
        here: &str,
    ) -> Self {
        let link = |name: String, page: &str, of: Section| Link {
            name,
            href: links::page(page, []),
            is_here: of == section,
        };
        let navigation = vec![
            link(t.desk_overview(), "", Section::Overview),
            link(t.desk_findings(), "findings", Section::Findings),
            link(t.desk_rulebooks(), "rulebooks", Section::Rulebooks),
            link(t.desk_log(), "log", Section::Log),
        ];
        let other = match t.language() {
            Language::English => Language::Spanish,
            Language::Spanish => Language::English,
        };
        let mark = if here.contains('?') { '&' } else { '?' };
        let other_language = Link {
            name: Texts::of(other).own_name(),
            href: format!("{here}{mark}lang={}", other.code()),
            is_here: false,
        };
        let Place { can_sign_out, is_live } = *place;
        Self {
            t,
            title,
            origin: origin.to_owned(),
            navigation,
            other_language,
            can_sign_out,
            is_live,
            trail: Vec::new(),
        }
    }

    /// The same, with a step of the way to this page.
    pub(crate) fn below(mut self, name: String, href: String) -> Self {
        self.trail.push(Link { name, href, is_here: false });
        self
    }

    /// The code of the language.
    pub(crate) fn lang(&self) -> &'static str {
        self.t.language().code()
    }

    /// The code of the other language.
    pub(crate) fn other_lang(&self) -> &'static str {
        self.t.language().of("es", "en")
    }
}

/// The class that colours an answer.
pub(crate) const fn colour(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Yes => "good",
        Verdict::No => "bad",
        Verdict::Unknown => "open",
    }
}

/// A sum in minor units, in the table's currency.
pub(crate) fn sum(t: Texts, minor_units: u64, currency: Option<&Currency>) -> String {
    t.money(i128::from(minor_units), currency)
}

/// How many of so many things are not among the first that are listed.
pub(crate) fn more(all: usize, listed: usize, t: Texts) -> Option<String> {
    let rest = all.saturating_sub(listed) as u64;
    (rest > 0).then(|| t.more_of_these(t.grouped(rest)))
}

/// A name, or a dash where there is none.
pub(crate) fn or_dash(name: Option<&impl Display>) -> String {
    name.map_or_else(|| "-".to_owned(), ToString::to_string)
}
