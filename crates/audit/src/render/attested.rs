//! What a certificate must mention: what rests on rulings, what was not read, what share of the turnover is
//! undecided. In English and in Spanish.

use replay::{Attested, Report, Turnover};

use super::format::{counted, grouped, money};

/// A phrase in the singular and the plural, in English and in Spanish.
struct Words([[&'static str; 2]; 2]);

const OF_THEM: Words = Words([
    ["of them subject to a ruling", "of them subject to a ruling"],
    ["de ellas sujeta a una resolución", "de ellas sujetas a una resolución"],
]);
const COUPS: Words = Words([
    ["coup subject to a ruling", "coups subject to a ruling"],
    ["jugada sujeta a una resolución", "jugadas sujetas a una resolución"],
]);
const RULINGS: Words = Words([
    ["ruling is attested only", "rulings are attested only"],
    ["resolución consta solo por sus firmas", "resoluciones constan solo por sus firmas"],
]);
const UNREAD: Words =
    Words([["card was not read", "cards were not read"], ["carta no se leyó", "cartas no se leyeron"]]);
const BURNS: Words = Words([
    ["shoe's burn is not known", "shoes' burns are not known"],
    ["sabot sin constancia de la quema", "sabots sin constancia de la quema"],
]);
const VOIDS: Words = Words([["void coup", "void coups"], ["jugada anulada", "jugadas anuladas"]]);
const RULED: Words = Words([["ruling", "rulings"], ["resolución", "resoluciones"]]);
const CORRECTIONS: Words = Words([["correction", "corrections"], ["corrección", "correcciones"]]);

impl Words {
    fn of(&self, number: u64, spanish: bool) -> String {
        let words = self.0[usize::from(spanish)];
        format!("{} {}", grouped(number), words[usize::from(number != 1)])
    }

    /// The same, unless there is none.
    fn of_some(&self, number: u64, spanish: bool) -> Option<String> {
        (number > 0).then(|| self.of(number, spanish))
    }
}

/// The sentence that all coups agree, with what a reader must know beside it.
pub(super) fn all_agree(report: &Report, coups: u64, spanish: bool) -> String {
    let here = match (report.seal.left_out > 0, spanish) {
        (false, _) => "",
        (true, false) => " of this slice",
        (true, true) => " de este extracto",
    };
    let all = match (spanish, coups) {
        (false, _) => {
            format!("all {}{here} were re-derived and agree with the record", counted(coups, "coup"))
        }
        (true, 1) => format!("la única jugada{here} se ha vuelto a derivar y coincide con el registro"),
        (true, _) => {
            format!(
                "las {} jugadas{here} se han vuelto a derivar y coinciden con el registro",
                grouped(coups)
            )
        }
    };
    let subject = OF_THEM.of_some(report.summary.coups.subject_to_ruling, spanish);
    let beside = subject.map(|subject| format!(", {subject}")).unwrap_or_default();
    let others: String = others(report, spanish).map(|other| format!("; {other}")).collect();
    format!("{all}{beside}{others}")
}

/// What a certificate says beside its counts; empty where there is nothing to say.
pub(super) fn beside(report: &Report, spanish: bool) -> String {
    let subject = COUPS.of_some(report.summary.coups.subject_to_ruling, spanish);
    subject.into_iter().chain(others(report, spanish)).collect::<Vec<_>>().join("; ")
}

fn others(report: &Report, spanish: bool) -> impl Iterator<Item = String> {
    let Attested { voids, irregularities, corrections, unread_cards, burns_unknown, .. } =
        report.summary.attested;
    let said = [
        RULINGS.of_some(voids + irregularities + corrections, spanish),
        UNREAD.of_some(unread_cards, spanish),
        BURNS.of_some(burns_unknown, spanish),
    ];
    said.into_iter().flatten()
}

/// What is only attested or was not read, and the turnover.
pub(super) fn attested(text: &mut String, report: &Report, spanish: bool) {
    let Attested { voids, irregularities, corrections, unread_cards, burns_unknown, .. } =
        report.summary.attested;
    if voids + irregularities + corrections > 0 {
        let what = if spanish { "consta solo por sus firmas" } else { "attested only" };
        let (voids, rulings) = (VOIDS.of(voids, spanish), RULED.of(irregularities, spanish));
        text.push_str(&format!("{what}: {voids}, {rulings}, {}\n", CORRECTIONS.of(corrections, spanish)));
    }
    let unknown = [UNREAD.of_some(unread_cards, spanish), BURNS.of_some(burns_unknown, spanish)];
    let unknown: Vec<String> = unknown.into_iter().flatten().collect();
    if !unknown.is_empty() {
        text.push_str(&format!("{}\n", unknown.join("; ")));
    }
    for turnover in report.summary.turnover.iter().filter(|turnover| turnover.staked > 0) {
        text.push_str(&staked(turnover, spanish));
    }
}

fn staked(turnover: &Turnover, spanish: bool) -> String {
    let Turnover { currency, staked, undecided } = turnover;
    let sum = |minor_units: u128| money(i128::try_from(minor_units).unwrap_or(i128::MAX), currency.as_ref());
    let (all, share) = (sum(*staked), share(*undecided, *staked));
    match (undecided, spanish) {
        (0, false) => format!("turnover: {all}, none of it undecided\n"),
        (0, true) => format!("volumen apostado: {all}, nada sin decidir\n"),
        (_, false) => format!("turnover: {all}, of which {} ({share}) undecided\n", sum(*undecided)),
        (_, true) => {
            format!("volumen apostado: {all}, de los cuales {} ({share}) sin decidir\n", sum(*undecided))
        }
    }
}

/// A share in percent, rounded up to a tenth: a share above nothing is never shown as 0.0 %.
fn share(part: u128, whole: u128) -> String {
    let tenths = part.saturating_mul(1_000).div_ceil(whole.max(1));
    format!("{}.{} %", tenths / 10, tenths % 10)
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
    fn one_and_several_have_their_words_in_both_languages() {
        assert_eq!(UNREAD.of(1, false), "1 card was not read");
        assert_eq!(UNREAD.of(2, false), "2 cards were not read");
        assert_eq!(OF_THEM.of(1, true), "1 de ellas sujeta a una resolución");
        assert_eq!(RULINGS.of(1_200, true), "1,200 resoluciones constan solo por sus firmas");
        assert_eq!(BURNS.of_some(0, true), None);
    }
}
