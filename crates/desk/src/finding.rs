//! A finding as pages show it, with what follows from it.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use replay::{Cause, Finding, Passage, RulebookUsed, Severity};
use texts::Texts;

use crate::frame::more;
use crate::links;

/// Findings on the page of a coup or a shoe; the list of findings has all of them.
pub(crate) const OF_A_PLACE: usize = 100;
/// Findings shown that follow from one finding.
const FOLLOWING_SHOWN: usize = 5;

/// A finding, drawn.
#[derive(Debug, Clone, Template)]
#[template(path = "finding.html")]
pub(crate) struct FindingView {
    t: Texts,
    /// The place of the finding on its page, for links.
    pub(crate) anchor: String,
    pub(crate) code: &'static str,
    pub(crate) sentence: &'static str,
    /// `bad` for a violation, `open` for what is incomplete.
    pub(crate) colour: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) place: String,
    /// The page of the coup, the shoe or the table where it is.
    pub(crate) href: String,
    pub(crate) expected: String,
    pub(crate) recorded: String,
    pub(crate) rule: Option<String>,
    pub(crate) passages: Vec<Passage>,
    pub(crate) money: Vec<String>,
    /// Whether what it cites and what follows from it is shown at once, as on paper.
    is_open: bool,
    pub(crate) following: Vec<FindingView>,
    /// What follows from it beyond those.
    pub(crate) more: Option<String>,
}

impl FindingView {
    pub(crate) fn of(finding: &Finding, rulebooks: &[RulebookUsed], t: Texts) -> Self {
        let rule = &finding.rule;
        let cited = rulebooks.iter().find(|used| used.id == rule.rulebook);
        Self {
            t,
            anchor: anchor(finding),
            code: finding.code.as_str(),
            sentence: finding.code.sentence(t.language()),
            colour: match finding.severity {
                Severity::Violation => "bad",
                Severity::Incomplete => "open",
            },
            severity: finding.severity.word(t.language()),
            place: t.place_of(finding),
            href: href(finding),
            expected: t.worded(&finding.expected, finding),
            recorded: t.worded(&finding.recorded, finding),
            rule: (!rule.rulebook.is_empty()).then(|| t.rule_heading(t.clause(&rule.clause), &rule.rulebook)),
            passages: cited.map(|used| used.passages.of_clause(&rule.clause)).unwrap_or_default(),
            money: finding.money.iter().map(|moved| t.moved_at_seat(finding, moved)).collect(),
            is_open: false,
            following: Vec::new(),
            more: None,
        }
    }

    /// The first findings of a coup or a shoe.
    pub(crate) fn of_place(findings: &[Finding], rulebooks: &[RulebookUsed], t: Texts) -> Vec<Self> {
        Self::tree(&findings[..findings.len().min(OF_A_PLACE)], rulebooks, t)
    }

    /// The same where no page is behind it, and nothing can be opened.
    pub(crate) fn for_paper(&mut self) {
        (self.is_open, self.href) = (true, String::new());
        self.following.iter_mut().for_each(Self::for_paper);
    }

    /// Findings in log order as roots with what follows from them. What follows from a finding that is not in the
    /// list stands alone.
    pub(crate) fn tree(findings: &[Finding], rulebooks: &[RulebookUsed], t: Texts) -> Vec<Self> {
        let roots: BTreeSet<(&str, Cause)> = findings.iter().filter_map(Finding::as_cause).collect();
        let mut following: BTreeMap<(&str, Cause), Vec<&Finding>> = BTreeMap::new();
        let mut alone = Vec::new();
        for finding in findings {
            match finding.cause.map(|cause| (finding.table.as_str(), cause)) {
                Some(cause) if roots.contains(&cause) => following.entry(cause).or_default().push(finding),
                Some(_) | None => alone.push(finding),
            }
        }
        let mut anchors = BTreeSet::new();
        let with_following = |root: &Finding| {
            let mut view = Self::of(root, rulebooks, t);
            if !anchors.insert(view.anchor.clone()) {
                // Two of one kind at one event: links lead to the first.
                view.anchor.clear();
            }
            let follows =
                root.as_cause().and_then(|cause| following.get(&cause)).map_or(&[][..], Vec::as_slice);
            view.following =
                follows.iter().take(FOLLOWING_SHOWN).map(|one| Self::of(one, rulebooks, t)).collect();
            let rest = follows.len().saturating_sub(FOLLOWING_SHOWN) as u64;
            view.more = (rest > 0).then(|| t.more_that_follow(t.grouped(rest)));
            view
        };
        alone.into_iter().map(with_following).collect()
    }
}

/// How many findings of a place are not on its page.
pub(crate) fn left_out(findings: &[Finding], t: Texts) -> Option<String> {
    more(findings.len(), OF_A_PLACE, t)
}

/// The address of a finding and what it says, for a page that is open while it is found.
#[must_use]
pub fn news(finding: &Finding, t: Texts) -> (String, String) {
    let table = t.of_table(&finding.table);
    (href(finding), format!("{table}: {}", finding.code.sentence(t.language())))
}

fn anchor(finding: &Finding) -> String {
    format!("{}-{}-{}", finding.entry, finding.sequence, finding.code)
}

fn href(finding: &Finding) -> String {
    let (table, shoe) = (&finding.table, finding.shoe.as_deref());
    match (shoe, finding.coup) {
        (shoe, Some(coup)) => format!("{}#{}", links::coup(table, shoe, coup), anchor(finding)),
        (Some(_), None) => format!("{}#{}", links::shoe(table, shoe), anchor(finding)),
        (None, None) => format!("{}#{}", links::table(table), anchor(finding)),
    }
}
