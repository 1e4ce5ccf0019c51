//! Selects the findings that are kept in full, so that many findings of one code hide neither other codes nor
//! the largest sums.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Code, Finding};

/// Findings kept in full whatever their code: the first in log order.
pub const MAX_FINDINGS: usize = 10_000;
/// Findings of each code that are kept besides: the first in log order.
pub const FIRST_OF_EACH_CODE: usize = 200;
/// Findings of each code that are kept besides: those that moved the most money.
pub const LARGEST_OF_EACH_CODE: usize = 100;

/// The findings that are kept, in whatever order they are added: a dropped finding has so many before it in
/// each of the three orders that nothing added later can bring it back.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Kept {
    findings: Vec<Finding>,
    /// How many were left when it was last cut.
    cut_to: usize,
}

impl Kept {
    pub(crate) fn keep(&mut self, finding: Finding) {
        self.findings.push(finding);
        if self.findings.len() >= 2 * self.cut_to.max(MAX_FINDINGS) {
            self.cut();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Takes over what another keeps.
    pub(crate) fn absorb(&mut self, other: Self) {
        other.findings.into_iter().for_each(|finding| self.keep(finding));
    }

    /// In log order.
    pub(crate) fn into_sorted(mut self) -> Vec<Finding> {
        self.cut();
        self.findings
    }

    fn cut(&mut self) {
        self.findings.sort_unstable();
        if self.findings.len() > MAX_FINDINGS {
            let chosen = chosen(&self.findings);
            let mut chosen = chosen.iter();
            self.findings.retain(|_| chosen.next().is_some_and(|keep| *keep));
        }
        self.cut_to = self.findings.len();
    }
}

/// Which of these findings, given in log order, are kept.
fn chosen(findings: &[Finding]) -> Vec<bool> {
    let mut by_code: BTreeMap<Code, Vec<usize>> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        by_code.entry(finding.code).or_default().push(index);
    }
    let mut keep: Vec<bool> = (0..findings.len()).map(|index| index < MAX_FINDINGS).collect();
    for mut indexes in by_code.into_values() {
        indexes.iter().take(FIRST_OF_EACH_CODE).for_each(|index| keep[*index] = true);
        indexes.retain(|index| findings[*index].moved() > 0);
        indexes.sort_by_key(|index| (std::cmp::Reverse(findings[*index].moved()), *index));
        indexes.iter().take(LARGEST_OF_EACH_CODE).for_each(|index| keep[*index] = true);
    }
    keep
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RuleReference, SeatMoney, Statement};

    fn finding(entry: u64, code: Code, minor_units: i64) -> Finding {
        Finding {
            entry,
            table: "T".to_owned(),
            sequence: entry + 1,
            code,
            severity: code.severity(),
            shoe: None,
            coup: None,
            expected: Statement::of_text(""),
            recorded: Statement::of_text(""),
            rule: RuleReference { rulebook: String::new(), clause: String::new(), citations: Vec::new() },
            money: vec![SeatMoney::exactly(1, minor_units)],
            currency: None,
            sentence: code.english(),
            frase: code.spanish(),
            cause: None,
        }
    }

    /// A flood of one code, with a larger sum now and then, and one finding of another behind it.
    fn flood() -> Vec<Finding> {
        let mut flood: Vec<Finding> = (0..30_000).map(|entry| finding(entry, Code::BetMultiple, 0)).collect();
        flood.extend((30_000..30_250).map(|entry| finding(entry, Code::PayoutOver, 5)));
        flood.extend((30_250..30_500).map(|entry| finding(entry, Code::PayoutOver, -7)));
        flood.push(finding(30_500, Code::PayoutOver, 1_000_000));
        flood.push(finding(30_501, Code::WinnerWrong, 0));
        flood
    }

    #[test]
    fn a_flood_hides_neither_another_code_nor_the_largest_sums() {
        let mut kept = Kept::default();
        flood().into_iter().for_each(|finding| kept.keep(finding));
        let kept = kept.into_sorted();
        let entries: Vec<u64> = kept.iter().map(|finding| finding.entry).collect();
        let expected = (0..10_000).chain(30_000..30_200).chain(30_250..30_349).chain([30_500, 30_501]);
        assert_eq!(entries, expected.collect::<Vec<u64>>());
    }

    #[test]
    fn what_is_kept_depends_on_no_order() {
        let mut straight = Kept::default();
        flood().into_iter().for_each(|finding| straight.keep(finding));
        let (mut parts, mut shuffled) = (Kept::default(), flood());
        shuffled.sort_by_key(|finding| (finding.entry * 7_919 % 1_009, finding.entry));
        for part in shuffled.chunks(11_000) {
            let mut some = Kept::default();
            part.iter().for_each(|finding| some.keep(finding.clone()));
            some.cut();
            parts.absorb(some);
        }
        assert_eq!(straight.into_sorted(), parts.into_sorted());
    }
}
