//! One finding, as a person reads it.

use replay::{Cause, Finding, Language, SeatMoney};

use crate::language::texts;
use crate::shown::plain;

/// Writes one finding: in full, or in one line where it follows from another.
pub(super) fn push_finding(text: &mut String, finding: &Finding) {
    match finding.cause {
        None => one_finding(text, finding),
        Some(cause) => text.push_str(&consequence(finding, cause)),
    }
}

/// One finding, as a person reads it.
pub(super) fn one_finding(text: &mut String, finding: &Finding) {
    text.push_str(&format!("\n  {}: {}\n", finding.code, sentence(finding)));
    for line in [
        texts().place_of(finding),
        texts().expected(texts().worded(&finding.expected, finding)),
        texts().recorded(texts().worded(&finding.recorded, finding)),
    ] {
        text.push_str(&format!("    {line}\n"));
    }
    if !finding.rule.rulebook.is_empty() {
        let sources = finding.rule.citations.join("; ");
        let sources = if sources.is_empty() { String::new() } else { format!(": {sources}") };
        let rule = texts().rule(texts().clause(&finding.rule.clause), &finding.rule.rulebook);
        text.push_str(&format!("    {rule}{sources}\n"));
    }
    for moved in &finding.money {
        text.push_str(&format!("    {}\n", texts().moved_at_seat(finding, moved)));
    }
}

fn sentence(finding: &Finding) -> &'static str {
    finding.code.sentence(texts().language())
}

/// What follows from another finding, in one line.
fn consequence(finding: &Finding, cause: Cause) -> String {
    let coup = finding.coup.map(|coup| texts().in_coup(coup)).unwrap_or_default();
    let moved: String =
        finding.money.iter().map(|moved| format!("; {}", texts().moved_at_seat(finding, moved))).collect();
    let Cause { sequence, code, .. } = cause;
    let (own, at, entry) = (finding.code, finding.sequence, finding.entry);
    let line = texts().caused_by(code, sequence, own, coup, at, entry, sentence(finding));
    format!("    {line}{moved}\n")
}

/// A finding of a served log, below its number.
pub(crate) fn published(number: u64, finding: &Finding) -> String {
    let mut text = format!("\n{}\n", texts().published_finding(number));
    push_finding(&mut text, finding);
    text.replacen("\n\n", "\n", 1)
}

/// A finding in one line that names no person: its code, its position, its money. Notices of erased entries
/// hold such lines, so their words do not change.
pub(crate) fn in_a_line(finding: &Finding) -> String {
    let Finding { code, table, sequence, entry, .. } = finding;
    let moved: Vec<String> = finding.money.iter().map(|moved| stored_at_seat(finding, moved)).collect();
    let moved = if moved.is_empty() { String::new() } else { format!(": {}", moved.join("; ")) };
    plain(&format!("{code} at table {table}, event {sequence} (entry {entry}){moved}"))
}

fn stored_at_seat(finding: &Finding, moved: &SeatMoney) -> String {
    let way = if moved.minor_units < 0 { "was denied" } else { "got too much:" };
    let sum = i128::from(moved.minor_units.unsigned_abs());
    // The notice is in English, whoever erases.
    format!("seat {} {way} {}", moved.seat, Language::English.money(sum, finding.currency.as_ref()))
}

#[cfg(test)]
mod tests {
    use replay::statement::{NO_COMMISSION, OfPayouts, Sum};
    use replay::{Code, Currency, RuleReference, Statement};

    use super::*;

    fn returned(minor_units: u64) -> Statement {
        OfPayouts::Returned { amount: Sum(minor_units), commission: NO_COMMISSION }.into()
    }

    fn finding(cause: Option<Cause>) -> Finding {
        Finding {
            entry: 4,
            table: "PB-01".to_owned(),
            sequence: 31,
            code: Code::PayoutOver,
            severity: Code::PayoutOver.severity(),
            shoe: None,
            coup: Some(5),
            expected: returned(1_000),
            recorded: returned(4_000),
            rule: RuleReference { rulebook: String::new(), clause: String::new(), citations: Vec::new() },
            money: vec![SeatMoney::exactly(3, 3_000)],
            currency: Some(Currency { code: "EUR".to_owned(), minor_digits: 2 }),
            sentence: Code::PayoutOver.english(),
            frase: Code::PayoutOver.spanish(),
            cause,
        }
    }

    #[test]
    fn a_consequence_is_one_line_with_its_cause_and_its_money() {
        let mut text = String::new();
        push_finding(&mut text, &finding(Some(Cause { entry: 3, sequence: 30, code: Code::BancaDrew })));
        let line = "    caused by banca-drew at event 30: payout-over (coup 5, event 31, entry 4): A bet was \
                    paid more than was due.; seat 3 was overpaid by 30.00 EUR\n";
        assert_eq!(text, line);
    }

    #[test]
    fn sums_stand_in_the_tables_currency() {
        let mut text = String::new();
        push_finding(&mut text, &finding(None));
        let lines = "    expected 10.00 EUR returned\n    recorded 40.00 EUR returned\n";
        assert!(text.contains(lines), "{text}");
        assert!(!text.contains("minor units"), "{text}");
    }

    #[test]
    fn a_finding_in_a_line_has_its_position_and_its_money() {
        let line = "payout-over at table PB-01, event 31 (entry 4): seat 3 got too much: 30.00 EUR";
        assert_eq!(in_a_line(&finding(None)), line);
    }
}
