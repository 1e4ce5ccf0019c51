//! One finding, as a person reads it.

use replay::{Cause, Finding, SeatMoney};

use super::format::money;

/// Codes of these families are about sums, which the judge writes in minor units.
const OF_SUMS: [&str; 6] = ["abono-", "bank-", "bet-", "commission-", "garaje-", "limits-"];

/// The unit of the sums in a finding's two texts, where there may be sums.
fn minor_units(finding: &Finding) -> String {
    let of_sums = OF_SUMS.iter().any(|family| finding.code.as_str().starts_with(family))
        && [&finding.expected, &finding.recorded].iter().any(|text| text.contains(char::is_numeric));
    match &finding.currency {
        Some(currency) if currency.minor_digits > 0 && (of_sums || !finding.money.is_empty()) => {
            let one = money(1, Some(currency));
            format!("    (the sums above are in minor units: 1 is {one})\n")
        }
        Some(_) | None => String::new(),
    }
}

/// Writes one finding: in full, or in one line where it follows from another.
pub(super) fn push_finding(text: &mut String, finding: &Finding, spanish: bool) {
    match finding.cause {
        None => one_finding(text, finding, spanish),
        Some(cause) => text.push_str(&consequence(finding, cause, spanish)),
    }
}

/// One finding, as a person reads it.
pub(super) fn one_finding(text: &mut String, finding: &Finding, spanish: bool) {
    let shoe = finding.shoe.as_ref().map(|shoe| format!(", shoe {shoe}")).unwrap_or_default();
    let coup = finding.coup.map(|coup| format!(", coup {coup}")).unwrap_or_default();
    text.push_str(&format!("\n  {}: {}\n", finding.code, sentence(finding, spanish)));
    text.push_str(&format!(
        "    table {}{shoe}{coup}; first shown by event {} (entry {})\n",
        finding.table, finding.sequence, finding.entry
    ));
    text.push_str(&format!("    expected {}\n    recorded {}\n", finding.expected, finding.recorded));
    text.push_str(&minor_units(finding));
    if !finding.rule.rulebook.is_empty() {
        let sources = finding.rule.citations.join("; ");
        let sources = if sources.is_empty() { String::new() } else { format!(": {sources}") };
        text.push_str(&format!("    rule {} of {}{sources}\n", finding.rule.clause, finding.rule.rulebook));
    }
    for moved in &finding.money {
        text.push_str(&format!("    {}\n", at_seat(finding, moved)));
    }
}

const fn sentence(finding: &Finding, spanish: bool) -> &'static str {
    if spanish { finding.frase } else { finding.sentence }
}

/// What follows from another finding, in one line.
fn consequence(finding: &Finding, cause: Cause, spanish: bool) -> String {
    let coup = finding.coup.map(|coup| format!("coup {coup}, ")).unwrap_or_default();
    let moved: String = finding.money.iter().map(|moved| format!("; {}", at_seat(finding, moved))).collect();
    format!(
        "    caused by {} at event {}: {} ({coup}event {}, entry {}): {}{moved}\n",
        cause.code,
        cause.sequence,
        finding.code,
        finding.sequence,
        finding.entry,
        sentence(finding, spanish)
    )
}

fn at_seat(finding: &Finding, moved: &SeatMoney) -> String {
    let way = if moved.minor_units < 0 { "was underpaid by" } else { "was overpaid by" };
    format!("seat {} {way} {}", moved.seat, sum_of(finding, moved))
}

fn sum_of(finding: &Finding, moved: &SeatMoney) -> String {
    money(i128::from(moved.minor_units.unsigned_abs()), finding.currency.as_ref())
}

/// A finding in one line that names no person: its code, its position, its money. Notices of erased entries
/// hold such lines, so their words do not change.
pub(crate) fn in_a_line(finding: &Finding) -> String {
    let Finding { code, table, sequence, entry, .. } = finding;
    let moved: Vec<String> = finding.money.iter().map(|moved| stored_at_seat(finding, moved)).collect();
    let moved = if moved.is_empty() { String::new() } else { format!(": {}", moved.join("; ")) };
    format!("{code} at table {table}, event {sequence} (entry {entry}){moved}")
}

fn stored_at_seat(finding: &Finding, moved: &SeatMoney) -> String {
    let way = if moved.minor_units < 0 { "was denied" } else { "got too much:" };
    format!("seat {} {way} {}", moved.seat, sum_of(finding, moved))
}

#[cfg(test)]
mod tests {
    use replay::{Code, Currency, RuleReference};

    use super::*;

    fn finding(cause: Option<Cause>) -> Finding {
        Finding {
            entry: 4,
            table: "PB-01".to_owned(),
            sequence: 31,
            code: Code::PayoutOver,
            severity: Code::PayoutOver.severity(),
            shoe: None,
            coup: Some(5),
            expected: "1000 returned".to_owned(),
            recorded: "4000 returned".to_owned(),
            rule: RuleReference { rulebook: String::new(), clause: String::new(), citations: Vec::new() },
            money: vec![SeatMoney { seat: 3, minor_units: 3_000 }],
            currency: Some(Currency { code: "EUR".to_owned(), minor_digits: 2 }),
            sentence: Code::PayoutOver.english(),
            frase: Code::PayoutOver.spanish(),
            cause,
        }
    }

    #[test]
    fn a_consequence_is_one_line_with_its_cause_and_its_money() {
        let mut text = String::new();
        push_finding(
            &mut text,
            &finding(Some(Cause { entry: 3, sequence: 30, code: Code::BancaDrew })),
            false,
        );
        let line = "    caused by banca-drew at event 30: payout-over (coup 5, event 31, entry 4): A bet was \
                    paid more than was due.; seat 3 was overpaid by 30.00 EUR\n";
        assert_eq!(text, line);
    }

    #[test]
    fn a_finding_in_a_line_has_its_position_and_its_money() {
        let line = "payout-over at table PB-01, event 31 (entry 4): seat 3 got too much: 30.00 EUR";
        assert_eq!(in_a_line(&finding(None)), line);
    }
}
