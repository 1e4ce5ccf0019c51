//! What was found, for people: each finding with what follows from it, and the sums of all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use replay::{Cause, Code, Currency, Finding, Report};

use super::finding::push_finding;
use super::format::{grouped, money};
use crate::language::texts;
use crate::spool::Spooled;

/// Findings shown unless all are asked for.
const SHOWN: usize = 20;
/// Findings shown that follow from one finding.
const FOLLOWING_SHOWN: usize = 5;

/// How many findings there are, and how many that follow from them.
pub(super) fn headline(report: &Report) -> String {
    let total: u64 = report.summary.findings_by_code.values().sum();
    let following: u64 = report.summary.consequences_by_code.values().sum();
    match (total, following) {
        (0, 0) => String::new(),
        (_, 0) => format!("\n{}\n", texts().findings(total)),
        (_, _) => {
            let (found, following) = (texts().findings(total), grouped(following));
            format!("\n{}\n", texts().findings_and_following(found, following))
        }
    }
}

/// The first findings, and the sums of all where not all are shown.
pub(super) fn first(text: &mut String, report: &Report) {
    listed(text, report, &report.findings, false, |finding| finding, push_finding);
}

/// Findings that are listed in any form, each with what follows from it: the first, or every one; and the sums of all
/// where not all are shown.
pub(super) fn listed<F>(
    text: &mut String,
    report: &Report,
    findings: &[F],
    all: bool,
    finding: impl Fn(&F) -> &Finding,
    push: impl Fn(&mut String, &F),
) {
    let most = |bounded| if all { findings.len() } else { bounded };
    let roots: BTreeSet<(&str, Cause)> = findings.iter().filter_map(|one| finding(one).as_cause()).collect();
    let stands_alone = |one: &&F| {
        let one = finding(one);
        one.cause.is_none_or(|cause| !roots.contains(&(one.table.as_str(), cause)))
    };
    let mut shown = 0;
    for root in findings.iter().filter(stands_alone).take(most(SHOWN)) {
        push(text, root);
        let follows = || findings.iter().filter(|one| finding(one).follows_from(finding(root)));
        let most = most(FOLLOWING_SHOWN);
        follows().take(most).for_each(|one| push(text, one));
        let all = follows().count();
        shown += 1 + all.min(most);
        let hidden = all.saturating_sub(most) as u64;
        if hidden > 0 {
            text.push_str(&format!("    {}\n", texts().more_that_follow(grouped(hidden))));
        }
    }
    let total: u64 =
        report.summary.findings_by_code.values().chain(report.summary.consequences_by_code.values()).sum();
    more(text, total, shown);
    if total > shown as u64 {
        sums(text, report);
    }
}

/// All findings, as they are read from the disk.
pub(super) fn all(out: &mut dyn Write, findings: &Spooled) -> io::Result<()> {
    for finding in findings.each()? {
        let mut text = String::new();
        push_finding(&mut text, &finding?);
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// By code and currency: what was gained, what was lost, and whether more may have been.
type MovedByCode<'a> = BTreeMap<Code, BTreeMap<Option<&'a Currency>, (u128, u128, bool)>>;

/// Number and money of every code, listed or not.
pub(super) fn sums(text: &mut String, report: &Report) {
    text.push_str(&format!("\n{}\n", texts().all_findings_by_code()));
    let mut moved: MovedByCode<'_> = BTreeMap::new();
    for row in report.summary.money.iter() {
        let sum = moved.entry(row.code).or_default().entry(row.currency.as_ref()).or_default();
        *sum = (sum.0.saturating_add(row.gained), sum.1.saturating_add(row.lost), sum.2 | row.at_least);
    }
    let codes: BTreeSet<&Code> =
        report.summary.findings_by_code.keys().chain(report.summary.consequences_by_code.keys()).collect();
    for code in codes {
        let count = |by_code: &BTreeMap<Code, u64>| by_code.get(code).copied().unwrap_or(0);
        let roots = count(&report.summary.findings_by_code);
        let following = match count(&report.summary.consequences_by_code) {
            0 => String::new(),
            following => texts().follow_from_others(grouped(following)),
        };
        let sums: String = moved.get(code).into_iter().flatten().map(sum).collect();
        text.push_str(&format!("  {code}: {}{following}{sums}\n", grouped(roots)));
    }
}

fn sum((currency, (gained, lost, at_least)): (&Option<&Currency>, &(u128, u128, bool))) -> String {
    let in_currency = |sum: u128| {
        let sum = money(i128::try_from(sum).unwrap_or(i128::MAX), *currency);
        if *at_least { texts().sum_or_more(sum) } else { sum }
    };
    match (*gained, *lost) {
        (gained, 0) => texts().overpaid(in_currency(gained)),
        (0, lost) => texts().underpaid(in_currency(lost)),
        (gained, lost) => texts().over_and_underpaid(in_currency(gained), in_currency(lost)),
    }
}

pub(super) fn more(text: &mut String, total: u64, shown: usize) {
    let rest = total.saturating_sub(shown as u64);
    if rest > 0 {
        text.push_str(&format!("  {}\n", texts().more(grouped(rest))));
    }
}
