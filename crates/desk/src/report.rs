//! A report of a whole log: one file that needs nothing else, to be read on a screen or printed.

use std::collections::BTreeMap;

use askama::Template;
use baccarat::Winner;
use baccarat::exact::Fraction;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use replay::{BetKey, BetLine, Counts, CoupVerdict, Currency, Finding, Ledger, Results, TableState};
use sha2::{Digest as _, Sha256};
use texts::Texts;

use crate::expected::Expected;
use crate::finding::FindingView;
use crate::frame::or_dash;
use crate::pages::overview::{CodeBar, TableRow, VerdictView, agree_heading, codes, numbers, verdicts};
use crate::seal::SealView;
use crate::source::LogFacts;

/// Findings that are shown, without those that follow from others.
const FINDINGS: usize = 500;
/// Rulebooks of which is said what they are expected to come to.
const EXPECTED: usize = 64;
/// Rows that are shown of each table.
const ROWS: usize = 2_000;

/// What a report is made of.
#[derive(Debug)]
pub struct Reported<'a> {
    /// What is known of the log as a whole.
    pub log: &'a LogFacts,
    /// Its tables, by name.
    pub tables: &'a [TableState],
    /// What it comes to by shoe, seat, box and bet.
    pub ledger: &'a Ledger,
}

/// The report as HTML. The same log gives the same bytes.
///
/// # Errors
/// Never for what `replay` gives: the template writes into memory.
pub fn report(of: &Reported<'_>, t: Texts) -> Result<String, askama::Error> {
    Page::new(of, t).render()
}

/// The digest by which the file allows its own style and nothing else.
fn style_hash() -> String {
    STANDARD.encode(Sha256::digest(STYLE))
}

/// What stands between the tags of the style.
const STYLE: &str = concat!(include_str!("../assets/desk.css"), include_str!("../assets/report.css"));

/// What the templates that pages share ask for.
struct Around {
    t: Texts,
    title: String,
    origin: String,
}

/// Who is owed what, a row.
struct OwedRow {
    table: String,
    seat: String,
    players: String,
    lost: String,
    gained: String,
    undecided: String,
    paid_late: String,
    findings: String,
}

/// A shoe, a row.
struct ShoeRow {
    table: String,
    shoe: String,
    colour: &'static str,
    state: String,
    rulebook: String,
    counts: [String; 3],
    findings: String,
}

/// A part of a bar: its class, where it begins and its length, of 1,000.
struct Part {
    class: &'static str,
    from: u64,
    length: u64,
}

/// Results under one rulebook.
struct ResultsView {
    heading: String,
    /// What is expected of which shoe, where a rulebook says so.
    note: Option<String>,
    parts: Vec<Part>,
    rows: Vec<ResultRow>,
}

/// What coups came to, a row.
struct ResultRow {
    /// The class of its colour; empty where it has none.
    class: &'static str,
    name: String,
    count: String,
    share: String,
    expected: Option<String>,
}

/// Bets of one kind, a row.
struct BetRow {
    rulebook: String,
    kind: String,
    bets: String,
    staked: String,
    open: String,
    returned: String,
    commission: String,
    kept: String,
    /// What a fresh shoe is expected to leave with the house.
    expected: String,
    /// Length of its bar, of 100; none where more came back than was staked.
    bar: u64,
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page {
    frame: Around,
    style: &'static str,
    style_hash: String,
    verdicts: Vec<VerdictView>,
    numbers: Vec<(String, String)>,
    proven: Vec<String>,
    seal: SealView,
    not_observable: Vec<String>,
    kinds: Vec<CodeBar>,
    not_known: Vec<String>,
    owed: Vec<OwedRow>,
    owed_cut: Option<String>,
    findings: Vec<FindingView>,
    findings_cut: Option<String>,
    agree: String,
    tables: Vec<TableRow>,
    tables_cut: Option<String>,
    shoes: Vec<ShoeRow>,
    shoes_cut: Option<String>,
    boxes: Vec<[String; 6]>,
    boxes_cut: Option<String>,
    results: Vec<ResultsView>,
    bets: Vec<BetRow>,
}

impl Page {
    fn new(of: &Reported<'_>, t: Texts) -> Self {
        let (log, ledger) = (of.log, of.ledger);
        let origin = log.seal().origin.clone().unwrap_or_else(|| "-".to_owned());
        let cut = |is_cut: bool, shown: usize| is_cut.then(|| t.report_rows_cut(t.grouped(shown as u64)));
        let (owed, shoes) = (owed(ledger, t), shoes(ledger, t));
        let owed_cut = cut(ledger.owed.is_cut() || all_owed(ledger).count() > ROWS, owed.len());
        let shoes_cut = cut(ledger.shoes.is_cut() || ledger.shoes.len() > ROWS, shoes.len());
        let (findings, findings_cut) = findings(log, t);
        let tables = tables(of, t);
        let tables_cut = cut(of.tables.len() > ROWS, tables.len());
        let boxes: Vec<[String; 6]> = boxes(ledger, t);
        let boxes_cut = cut(ledger.boxes.is_cut() || ledger.boxes.len() > ROWS, boxes.len());
        let expected = expected(log);
        let mut seal = SealView::new(log, t);
        if seal.attested.is_empty() {
            seal.attested.push(t.report_nothing_attested());
        }
        let judged_by = log.report.certificate.iter().flat_map(|one| &one.summary.rulebooks);
        let used = log.summary().rulebooks.iter();
        let ids: BTreeMap<&str, &str> = used.map(|used| (&*used.digest, &*used.id)).collect();
        let named = |digest: &String| match ids.get(&**digest) {
            Some(id) => format!("{id} {digest}"),
            None => digest.clone(),
        };
        seal.certificate.extend(judged_by.map(|digest| (t.report_rulebook(), named(digest))));
        Self {
            frame: Around { t, title: t.report_title(), origin },
            style: STYLE,
            style_hash: style_hash(),
            verdicts: verdicts(log, t),
            numbers: numbers(log, t),
            proven: proven(log, t),
            seal,
            not_observable: vec![
                t.report_not_cards(),
                t.report_not_chips(),
                t.report_not_beside(),
                t.report_not_collusion(),
            ],
            kinds: codes(log, t),
            not_known: not_known(log, ledger, t),
            owed,
            owed_cut,
            findings,
            findings_cut,
            agree: agree_heading(log, t),
            tables,
            tables_cut,
            shoes,
            shoes_cut,
            boxes,
            boxes_cut,
            results: ledger
                .results
                .iter()
                .map(|(key, sums)| results(&key.rulebook, sums, &expected, t))
                .collect(),
            bets: ledger.bets.iter().take(ROWS).map(|(key, line)| bet(key, line, &expected, t)).collect(),
        }
    }
}

fn proven(log: &LogFacts, t: Texts) -> Vec<String> {
    let Counts { certified, judged, violated, undecided, .. } = log.summary().coups;
    let total = t.coups(log.summary().coups.total());
    let mut lines = vec![match log.is_sealed() {
        true => t.report_proven_coups(certified, total),
        false => t.report_unsealed_coups(certified + judged, total),
    }];
    lines.extend((violated > 0).then(|| t.report_proven_violated(violated)));
    lines.extend((undecided > 0).then(|| t.report_undecided(undecided)));
    let reasons = log.summary().undecided.iter();
    lines.extend(reasons.map(|(why, count)| t.report_because(t.grouped(*count), why.sentence(t.language()))));
    lines
}

/// Those of whom the account of every coup is known and settled are left out.
fn all_owed(ledger: &Ledger) -> impl Iterator<Item = (&replay::OwedKey, &replay::Owed)> {
    ledger.owed.iter().filter(|(_, owed)| !owed.is_settled())
}

/// Why the rows may not be all: coups of whose money something is not known, and events that are missing.
fn not_known(log: &LogFacts, ledger: &Ledger, t: Texts) -> Vec<String> {
    let line = |(key, of): (&replay::NotKnownKey, &replay::NotKnown)| {
        let sum = |minor_units| sum(t, minor_units, key.currency.as_ref());
        t.report_not_known(of.coups, sum(of.staked), sum(of.returned))
    };
    let missing = log.verdicts().complete == replay::Verdict::No;
    let cut = ledger.not_known.is_cut().then(|| t.report_rows_cut(t.grouped(ledger.not_known.len() as u64)));
    let lines = ledger.not_known.iter().map(line);
    lines.chain(cut).chain(missing.then(|| t.report_owed_missing())).collect()
}

/// Those who are owed the most first.
fn owed(ledger: &Ledger, t: Texts) -> Vec<OwedRow> {
    let mut rows: Vec<_> = all_owed(ledger).collect();
    rows.sort_by_key(|(key, owed)| {
        (std::cmp::Reverse(owed.lost.max(owed.gained).max(owed.undecided).max(owed.paid_late)), *key)
    });
    rows.into_iter()
        .take(ROWS)
        .map(|(key, owed)| OwedRow {
            table: key.table.clone(),
            seat: if key.seat == 0 { t.report_no_seat() } else { key.seat.to_string() },
            players: if key.players.is_empty() { t.report_no_name() } else { key.players.join(", ") },
            lost: certain_or_dash(t, owed.lost, (key, owed)),
            gained: certain_or_dash(t, owed.gained, (key, owed)),
            undecided: sum_or_dash(t, owed.undecided, key.currency.as_ref()),
            paid_late: sum_or_dash(t, owed.paid_late, key.currency.as_ref()),
            findings: t.grouped(owed.findings),
        })
        .collect()
}

fn findings(log: &LogFacts, t: Texts) -> (Vec<FindingView>, Option<String>) {
    let listed = &log.report.findings;
    let is_root = |finding: &&Finding| finding.cause.is_none();
    let shown = listed.iter().filter(is_root).count().min(FINDINGS);
    // What follows from a finding comes after it, not always right after it.
    let last = listed.iter().filter(is_root).nth(FINDINGS).map(|finding| finding.entry);
    let some: Vec<Finding> =
        listed.iter().filter(|finding| last.is_none_or(|last| finding.entry <= last)).cloned().collect();
    let mut views = FindingView::tree(&some, &log.summary().rulebooks, t);
    views.truncate(FINDINGS);
    views.iter_mut().for_each(FindingView::for_paper);
    let total: u64 = log.summary().findings_by_code.values().sum();
    let cut = (total > shown as u64)
        .then(|| t.report_findings_cut(t.grouped(views.len() as u64), t.grouped(total)));
    (views, cut)
}

/// Of many tables those with findings first.
fn tables(of: &Reported<'_>, t: Texts) -> Vec<TableRow> {
    let found = |table: &TableState| table.findings_by_code.values().sum::<u64>() > 0;
    let mut tables: Vec<&TableState> = of.tables.iter().collect();
    if tables.len() > ROWS {
        tables.sort_by_key(|table| (!found(table), table.table.clone()));
    }
    let is_sealed = of.log.is_sealed();
    tables.into_iter().take(ROWS).map(|table| TableRow::of(table, is_sealed, t)).collect()
}

fn shoes(ledger: &Ledger, t: Texts) -> Vec<ShoeRow> {
    let mut lines: Vec<_> = ledger.shoes.iter().collect();
    if lines.len() > ROWS {
        // Findings first; a stable sort keeps the order of play among the others.
        lines.sort_by_key(|(_, line)| line.findings == 0);
    }
    let row = |(key, line): (&replay::ShoeKey, &replay::ShoeLine)| {
        let counts = line.coups();
        let (colour, state) = match (line.verdict, counts.violated + line.findings) {
            (Some(CoupVerdict::Violated), _) => ("bad", t.table_with_findings()),
            (_, found) if found > 0 => ("bad", t.table_with_findings()),
            (Some(CoupVerdict::Certified), _) if counts.undecided == 0 => ("good", t.table_clean()),
            (Some(CoupVerdict::Judged), _) if counts.undecided == 0 => ("open", t.table_without_findings()),
            (Some(CoupVerdict::Certified | CoupVerdict::Judged | CoupVerdict::Undecided) | None, _) => {
                ("open", t.table_open())
            }
        };
        ShoeRow {
            table: key.table.clone(),
            shoe: or_dash(line.shoe.as_ref()),
            rulebook: or_dash(line.rulebook.as_ref()),
            colour,
            state,
            counts: [counts.certified + counts.judged, counts.violated, counts.undecided]
                .map(|count| t.grouped(count)),
            findings: t.grouped(line.findings),
        }
    };
    lines.into_iter().take(ROWS).map(row).collect()
}

fn boxes(ledger: &Ledger, t: Texts) -> Vec<[String; 6]> {
    let row = |(key, line): (&replay::BoxKey, &replay::BoxLine)| {
        let of = |minor_units| sum(t, minor_units, key.currency.as_ref());
        let (marked, collected, left) = (of(line.marked), of(line.collected), of(line.outstanding));
        [key.table.clone(), key.seat.to_string(), t.grouped(line.shoes), marked, collected, left]
    };
    ledger.boxes.iter().take(ROWS).map(row).collect()
}

/// What is expected under each rulebook that is the only one of its name.
fn expected(log: &LogFacts) -> BTreeMap<&str, Expected> {
    let used = &log.summary().rulebooks;
    let mut named: BTreeMap<&str, u64> = BTreeMap::new();
    used.iter().for_each(|one| *named.entry(&one.id).or_default() += 1);
    let known = used.iter().filter(|one| named.get(&*one.id) == Some(&1)).take(EXPECTED);
    known.filter_map(|one| Some((&*one.id, Expected::of(&one.passages.rulebook()?)?))).collect()
}

fn results(rulebook: &str, sums: &Results, expected: &BTreeMap<&str, Expected>, t: Texts) -> ResultsView {
    let expected = expected.get(rulebook);
    let share = |count: u64| per(count, sums.coups, 1_000);
    let won = [
        ("banca", t.hand("banca"), sums.banca, Winner::Banca),
        ("punto", t.hand("punto"), sums.punto, Winner::Punto),
        ("tie", t.winner_word(Winner::Tie), sums.tie, Winner::Tie),
    ];
    let mut from = 0;
    let parts = won.iter().map(|(class, _, count, _)| {
        let part = Part { class, from, length: share(*count) };
        from += part.length;
        part
    });
    let parts = parts.collect();
    let row = |class, name, count, share: Option<Fraction>| ResultRow {
        class,
        name,
        count: t.grouped(count),
        share: t.percent(&tenths(per(count, sums.coups, 1_000))),
        expected: share.map(|share| t.report_expected(t.percent(&share.percent(1)))),
    };
    let won = won
        .into_iter()
        .map(|(class, name, count, winner)| row(class, name, count, expected.map(|of| of.won(winner))));
    let natural = row("", t.report_naturals(), sums.natural, expected.map(Expected::natural));
    let cards = (4..)
        .zip(sums.cards)
        .map(|(cards, count)| row("", t.report_of_cards(cards), count, expected.map(|of| of.cards(cards))));
    ResultsView {
        heading: t.report_results_of(rulebook, t.grouped(sums.coups)),
        note: expected.map(|of| t.report_expected_of(of.decks)),
        parts,
        rows: won.chain([natural]).chain(cards).collect(),
    }
}

fn bet(key: &BetKey, line: &BetLine, expected: &BTreeMap<&str, Expected>, t: Texts) -> BetRow {
    let of = |minor_units| sum(t, minor_units, key.currency.as_ref());
    let (kept, lost) = line.kept();
    let is_kept = lost == 0;
    let thousandths = per(kept.max(lost), line.staked, 1_000);
    let sign = if is_kept { "" } else { "-" };
    let edge = expected.get(&*key.rulebook).and_then(|of| of.edge(&key.kind));
    BetRow {
        rulebook: key.rulebook.clone(),
        kind: t.bet_word(&key.kind),
        bets: t.grouped(line.bets),
        staked: of(line.staked),
        open: sum_or_dash(t, line.open, key.currency.as_ref()),
        returned: of(line.returned),
        commission: of(line.commission),
        kept: t.percent(&format!("{sign}{}", tenths(thousandths))),
        expected: edge.map_or_else(|| "-".to_owned(), |edge| t.percent(&edge.percent(1))),
        bar: if is_kept { (thousandths / 10).min(100) } else { 0 },
    }
}

/// `count` of `whole`, in parts of `of`, to the nearest.
fn per(count: impl Into<u128>, whole: impl Into<u128>, of: u128) -> u64 {
    let whole = whole.into();
    let parts = count.into().saturating_mul(of).saturating_add(whole / 2).checked_div(whole);
    u64::try_from(parts.unwrap_or(0)).unwrap_or(u64::MAX)
}

/// Thousandths as percent with one digit behind the point.
fn tenths(thousandths: u64) -> String {
    format!("{}.{}", thousandths / 10, thousandths % 10)
}

/// What is certain of a sum that may be more, and a dash for nothing.
fn certain_or_dash(t: Texts, minor_units: u128, (key, owed): (&replay::OwedKey, &replay::Owed)) -> String {
    let sum = sum_or_dash(t, minor_units, key.currency.as_ref());
    if owed.at_least && minor_units > 0 { t.sum_or_more(sum) } else { sum }
}

/// The same, and a dash for nothing.
fn sum_or_dash(t: Texts, minor_units: u128, currency: Option<&Currency>) -> String {
    if minor_units == 0 { "-".to_owned() } else { sum(t, minor_units, currency) }
}

fn sum(t: Texts, minor_units: u128, currency: Option<&Currency>) -> String {
    t.money(i128::try_from(minor_units).unwrap_or(i128::MAX), currency)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_whole_thousandths_and_never_divide_by_nothing() {
        assert_eq!(
            (per(1_u64, 3_u64, 1_000), per(0_u64, 0_u64, 1_000), per(u64::MAX, 1_u64, 2)),
            (333, 0, u64::MAX)
        );
        assert_eq!(tenths(458), "45.8");
    }
}
