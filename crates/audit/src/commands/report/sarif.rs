//! Findings as SARIF 2.1.0 (OASIS), for programs that show what other programs find.

use std::collections::BTreeMap;

use replay::{Finding, Report, Severity};
use serde_json::{Value, json};
use texts::Texts;

use crate::program::PROGRAM;
use crate::shown::plain;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The findings that the report lists.
pub(super) fn of(report: &Report, t: Texts) -> Value {
    let mut rules: BTreeMap<&str, &Finding> = BTreeMap::new();
    for finding in &report.findings {
        rules.entry(finding.code.as_str()).or_insert(finding);
    }
    let indexes: BTreeMap<&str, usize> = rules.keys().copied().zip(0..).collect();
    let described: Vec<Value> = rules
        .values()
        .map(|finding| {
            json!({
                "id": finding.code.as_str(),
                "shortDescription": { "text": finding.code.sentence(t.language()) },
                "defaultConfiguration": { "level": level(finding) },
            })
        })
        .collect();
    let found = |finding: &Finding| result(finding, indexes.get(finding.code.as_str()).copied(), t);
    let results: Vec<Value> = report.findings.iter().map(found).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "audit", "semanticVersion": PROGRAM.version, "rules": described } },
            "language": t.language().code(),
            "results": results,
            "properties": {
                "origin": report.seal.origin.as_deref().map(plain),
                "root": report.seal.root,
                "size": report.seal.size,
                "verdicts": report.verdicts,
                "findingsNotListed": report.summary.findings_not_listed,
            },
        }],
    })
}

fn result(finding: &Finding, index: Option<usize>, t: Texts) -> Value {
    let sentence = finding.code.sentence(t.language());
    let (expected, recorded) = (t.worded(&finding.expected, finding), t.worded(&finding.recorded, finding));
    let money: Vec<String> = finding.money.iter().map(|moved| t.moved_at_seat(finding, moved)).collect();
    let mut lines = vec![
        sentence.to_owned(),
        t.place_of(finding),
        format!("{}: {expected}", t.expected_heading()),
        format!("{}: {recorded}", t.recorded_heading()),
    ];
    lines.extend(money);
    let message: Vec<String> = lines.iter().map(|line| plain(line)).collect();
    let shoe = finding.shoe.as_deref().map(plain);
    let coup = finding.coup.map(|coup| coup.to_string());
    let place: Vec<String> = [Some(plain(&finding.table)), shoe, coup].into_iter().flatten().collect();
    json!({
        "ruleId": finding.code.as_str(),
        "ruleIndex": index,
        "level": level(finding),
        "message": { "text": message.join("\n") },
        "locations": [{ "logicalLocations": [{ "fullyQualifiedName": place.join("/") }] }],
        "partialFingerprints": {
            "place/v1": format!("{}/{}/{}", finding.entry, finding.sequence, finding.code),
        },
        "properties": {
            "entry": finding.entry,
            "sequence": finding.sequence,
            "money": finding.money,
            "currency": finding.currency,
            "rulebook": plain(&finding.rule.rulebook),
            "clause": plain(&finding.rule.clause),
            "followsFrom": finding.cause,
        },
    })
}

fn level(finding: &Finding) -> &'static str {
    match finding.severity {
        Severity::Violation => "error",
        Severity::Incomplete => "warning",
    }
}
