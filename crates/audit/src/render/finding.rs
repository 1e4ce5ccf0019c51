//! One finding, as a person reads it.

use replay::Finding;

use super::money;

/// Codes of these families tell of sums, which the judge writes in minor units.
const OF_SUMS: [&str; 6] = ["abono-", "bank-", "bet-", "commission-", "garaje-", "limits-"];

/// In what the sums of a finding's two texts are told, where there may be some.
fn minor_units(finding: &Finding) -> String {
    let of_sums = OF_SUMS.iter().any(|family| finding.code.as_str().starts_with(family))
        && [&finding.expected, &finding.recorded].iter().any(|text| text.contains(char::is_numeric));
    match &finding.currency {
        Some(currency) if currency.minor_digits > 0 && (of_sums || !finding.money.is_empty()) => {
            let one = money(1, Some(currency));
            format!("    (sums there are in minor units: 1 is {one})\n")
        }
        Some(_) | None => String::new(),
    }
}

/// One finding, as a person reads it.
pub(super) fn one_finding(text: &mut String, finding: &Finding, spanish: bool) {
    let shoe = finding.shoe.as_ref().map(|shoe| format!(", shoe {shoe}")).unwrap_or_default();
    let coup = finding.coup.map(|coup| format!(", coup {coup}")).unwrap_or_default();
    let sentence = if spanish { finding.frase } else { finding.sentence };
    text.push_str(&format!("\n  {}: {sentence}\n", finding.code));
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
        let sum = money(i128::from(moved.minor_units.unsigned_abs()), finding.currency.as_ref());
        let way = if moved.minor_units < 0 { "was denied" } else { "got too much:" };
        text.push_str(&format!("    seat {} {way} {sum}\n", moved.seat));
    }
}
