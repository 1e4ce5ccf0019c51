//! What a certificate must mention: what rests on rulings, what was not read, what share of the turnover is
//! undecided.

use replay::{Attested, Report, Turnover};

use crate::language::texts;

/// A sentence about so many, unless there is none.
fn of_some(count: u64, sentence: impl FnOnce(u64) -> String) -> Option<String> {
    (count > 0).then(|| sentence(count))
}

/// The sentence that all coups agree, with what a reader must know beside it.
pub(super) fn all_agree(report: &Report, coups: u64) -> String {
    let here = if report.seal.left_out > 0 { texts().of_this_slice() } else { String::new() };
    let all = texts().all_agree(coups, here);
    let subject = of_some(report.summary.coups.subject_to_ruling, |count| texts().of_them_subject(count));
    let beside = subject.map(|subject| format!(", {subject}")).unwrap_or_default();
    let others: String = others(report).map(|other| format!("; {other}")).collect();
    format!("{all}{beside}{others}")
}

/// What a certificate says beside its counts; empty where there is nothing to say.
pub(super) fn beside(report: &Report) -> String {
    let subject = of_some(report.summary.coups.subject_to_ruling, |count| texts().coups_subject(count));
    subject.into_iter().chain(others(report)).collect::<Vec<_>>().join("; ")
}

fn others(report: &Report) -> impl Iterator<Item = String> {
    let Attested { voids, irregularities, corrections, unread_cards, burns_unknown, .. } =
        report.summary.attested;
    let said = [
        of_some(voids + irregularities + corrections, |count| texts().rulings_attested(count)),
        of_some(unread_cards, |count| texts().cards_unread(count)),
        of_some(burns_unknown, |count| texts().burns_unknown(count)),
    ];
    said.into_iter().flatten()
}

/// What is only attested or was not read, and the turnover.
pub(super) fn attested(text: &mut String, report: &Report) {
    let Attested { voids, irregularities, corrections, unread_cards, burns_unknown, .. } =
        report.summary.attested;
    if voids + irregularities + corrections > 0 {
        let what = texts().attested_only();
        let (voids, rulings) = (texts().void_coups(voids), texts().rulings(irregularities));
        text.push_str(&format!("{what}: {voids}, {rulings}, {}\n", texts().corrections(corrections)));
    }
    let unknown = [
        of_some(unread_cards, |count| texts().cards_unread(count)),
        of_some(burns_unknown, |count| texts().burns_unknown(count)),
    ];
    let unknown: Vec<String> = unknown.into_iter().flatten().collect();
    if !unknown.is_empty() {
        text.push_str(&format!("{}\n", unknown.join("; ")));
    }
    for turnover in report.summary.turnover.iter().filter(|turnover| turnover.staked > 0) {
        text.push_str(&format!("{}\n", staked(turnover)));
    }
}

fn staked(turnover: &Turnover) -> String {
    let Turnover { currency, staked, undecided } = turnover;
    let sum = |minor_units: u128| {
        texts().money(i128::try_from(minor_units).unwrap_or(i128::MAX), currency.as_ref())
    };
    match undecided {
        0 => texts().turnover_decided(sum(*staked)),
        _ => texts().turnover(sum(*staked), sum(*undecided), share(*undecided, *staked)),
    }
}

/// A share in percent, rounded up to a tenth: a share above nothing is never shown as 0.0 %.
fn share(part: u128, whole: u128) -> String {
    let tenths = part.saturating_mul(1_000).div_ceil(whole.max(1));
    format!("{}{}{} %", tenths / 10, texts().language().of(".", ","), tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_never_shown_as_less() {
        assert_eq!(
            [(1, 100_000), (1, 3), (5, 5)].map(|(part, whole)| share(part, whole)),
            ["0.1 %", "33.4 %", "100.0 %"]
        );
    }

    #[test]
    fn what_there_is_none_of_is_not_said() {
        assert_eq!(of_some(0, |count| texts().burns_unknown(count)), None);
        assert_eq!(
            of_some(2, |count| texts().burns_unknown(count)).as_deref(),
            Some("2 shoes' burns are not known")
        );
    }
}
