//! What the judge loses with a payload: coups of other entries may need what it holds, above all a table's
//! rulebook.

use std::collections::{BTreeMap, BTreeSet};

use events::Body;
use replay::{Code, Counts, Entry, Finding, Judge, Judgement, Language, Rejudged};
use sealed_log::notice::{MAX_GONE, MAX_GONE_BYTES};
use sealed_log::reader::{Expectations, StoreSource};
use sealed_log_sled::SledReader;
use serde::Serialize;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;

use crate::failure::Failure;
use crate::judging::LogEntries;
use crate::log::read_all;
use crate::render::in_a_line;

/// What can no longer be decided once payloads are erased.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Loss {
    /// Coups that were certified or violated, and would be undecided.
    pub(super) coups: u64,
    /// How many of these are in other entries, which stay.
    pub(super) in_other_entries: u64,
    /// Findings that would no longer be found.
    pub(super) findings: u64,
    /// These findings, one line each, as the notice has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) gone: Vec<String>,
}

/// Judges a log as it is and as it will be.
pub(super) fn loss(
    store: &SledReader,
    signed: &SignedCheckpoint,
    key: &VerifierKey,
    chosen: &BTreeSet<u64>,
) -> Result<Loss, Failure> {
    let (mut before, mut after) = (Judge::new(None, None), Judge::new(None, None));
    let (mut own, mut of_log) = (OwnCoups::default(), LogEntries::default());
    let source = StoreSource::new(store, Some(signed.clone()), Some(key.clone()));
    read_all(
        source,
        Expectations::default(),
        Vec::new(),
        |_| (),
        |window| {
            let entries = of_log.of(&window);
            before.judge(&entries);
            entries.iter().for_each(|entry| own.see(entry, chosen.contains(&entry.index)));
            let left: Vec<Entry<'_>> = entries
                .into_iter()
                .map(|entry| match chosen.contains(&entry.index) {
                    true => Entry { withheld: true, payload: &[], ..entry },
                    false => entry,
                })
                .collect();
            after.judge(&left);
        },
    )?;
    let (before, after) = (before.finish(), after.finish());
    let coups = decided(before.summary.coups).saturating_sub(decided(after.summary.coups));
    let gone = Rejudged::new(&before, &after).disappear;
    let findings = found(&before).saturating_sub(found(&after)).max(gone.len() as u64);
    Ok(Loss {
        coups,
        in_other_entries: coups.saturating_sub(own.coups.len() as u64),
        findings,
        gone: lines(gone, findings),
    })
}

/// The findings that are lost, one line each. Where they are too many: those that moved the most money, and
/// how many more there are.
fn lines(mut gone: Vec<Finding>, findings: u64) -> Vec<String> {
    if findings > MAX_GONE as u64 {
        gone.sort_by_key(|finding| std::cmp::Reverse(finding.moved()));
        let rest = gone.split_off(gone.len().min(MAX_GONE - 1));
        let more = findings.saturating_sub(gone.len() as u64);
        gone.sort_unstable();
        let named = gone.iter().map(in_a_line);
        return named.chain([of_rest(more, &rest)]).map(cut).collect();
    }
    gone.iter().map(in_a_line).map(cut).collect()
}

/// How many more there are, and of which codes.
fn of_rest(more: u64, rest: &[Finding]) -> String {
    let mut by_code: BTreeMap<Code, u64> = BTreeMap::new();
    rest.iter().for_each(|finding| *by_code.entry(finding.code).or_default() += 1);
    let codes: Vec<String> = by_code.keys().map(Code::to_string).collect();
    format!("and {} more: {}", Language::English.grouped(more), codes.join(", "))
}

/// As long as a line of the notice may be.
fn cut(line: String) -> String {
    let fits = |(position, letter): &(usize, char)| position + letter.len_utf8() <= MAX_GONE_BYTES;
    line.char_indices().take_while(fits).map(|(_, letter)| letter).collect()
}

const fn decided(coups: Counts) -> u64 {
    coups.certified + coups.violated
}

fn found(judgement: &Judgement) -> u64 {
    judgement.summary.findings_by_code.values().chain(judgement.summary.consequences_by_code.values()).sum()
}

/// The coups of the payloads themselves.
#[derive(Default)]
struct OwnCoups {
    /// Shoes of each table so far.
    shoes: BTreeMap<String, u64>,
    /// By table, shoe and number.
    coups: BTreeSet<(String, u64, u32)>,
}

impl OwnCoups {
    fn see(&mut self, entry: &Entry<'_>, chosen: bool) {
        // What cannot be decoded holds no coup.
        for event in events::decode_payload(entry.payload).unwrap_or_default() {
            let shoes = self.shoes.entry(entry.table.to_owned()).or_default();
            if matches!(event.body, Body::ShoeLoaded(_)) {
                *shoes += 1;
            }
            if let Some(coup) = event.body.coup().filter(|_| chosen) {
                self.coups.insert((entry.table.to_owned(), *shoes, coup));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use replay::{RuleReference, SeatMoney, Statement};

    use super::*;

    fn finding(entry: u64) -> Finding {
        let code = if entry.is_multiple_of(2) { Code::PayoutOver } else { Code::BetLate };
        let seats = if entry == 7 { 0..200 } else { 0..1 };
        Finding {
            entry,
            table: "PB-01".to_owned(),
            sequence: entry + 1,
            code,
            severity: code.severity(),
            shoe: None,
            coup: None,
            expected: Statement::of_text(""),
            recorded: Statement::of_text(""),
            rule: RuleReference { rulebook: String::new(), clause: String::new(), citations: Vec::new() },
            money: seats.map(|seat| SeatMoney::exactly(seat, 1_000 - entry as i64)).collect(),
            currency: None,
            sentence: code.english(),
            frase: code.spanish(),
            cause: None,
        }
    }

    #[test]
    fn few_findings_have_a_line_each() {
        let lines = lines(vec![finding(0), finding(2)], 2);
        assert_eq!(
            lines[0],
            "payout-over at table PB-01, event 1 (entry 0): seat 0 got too much: 1,000 minor units"
        );
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn of_many_the_largest_have_a_line_and_the_rest_are_counted() {
        let lines = lines((0..100).map(finding).collect(), 20_000);
        assert_eq!(lines.len(), MAX_GONE);
        assert!(lines[62].starts_with("payout-over at table PB-01, event 63 "), "{}", lines[62]);
        assert_eq!(lines[63], "and 19,937 more: bet-late, payout-over");
        assert!(
            lines.iter().all(|line| (1..=MAX_GONE_BYTES).contains(&line.len())),
            "as long as a line may be"
        );
    }
}
