//! A record as the judge of a log judges it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use events::encode_payload;
use replay::{Entry, Judge, Judgement, Wanted};

use super::records::Record;
use crate::call_sheet;

/// A judge that shows all coups has judged it.
pub fn judged(record: &Record) -> Judgement {
    static OF_ANY: LazyLock<Judge> = LazyLock::new(|| Judge::new(None, Some(Wanted::default())));
    let judge = judge_of(record, &OF_ANY, |approved| Judge::new(approved, Some(Wanted::default())));
    fed(judge, record).finish()
}

/// A judge by the rulebooks that the reader of a record has approved. Those of any rulebook share what they have read of
/// rulebooks: that takes longer than to judge most records.
fn judge_of(
    record: &Record,
    of_any: &Judge,
    of_approved: impl Fn(Option<BTreeSet<String>>) -> Judge,
) -> Judge {
    match &record.books.approved {
        None => of_any.clone(),
        approved => of_approved(approved.clone()),
    }
}

/// A judge that has judged a record.
fn fed(mut judge: Judge, record: &Record) -> Judge {
    for (index, (sequence, event)) in (0..).zip(&record.events) {
        let payload = encode_payload(std::slice::from_ref(event)).unwrap();
        let entry = Entry {
            index,
            table: &record.table,
            first: *sequence,
            count: 1,
            payload: &payload,
            received: record.received.get(sequence).copied().unwrap_or_default(),
            ..Entry::default()
        };
        judge.judge(&[entry]);
    }
    judge
}

/// What follows from a wrong account of the shoe before names the entry of that account.
#[test]
fn a_cause_in_the_shoe_before_has_its_entry() {
    let sheet = "== one\nchemin\ntake 1 20000 player=p1\nbet 1 seat 2 punto 20000\nclosed\ncards P:2D B:9C P:KD B:KS\n\
        bank won=20000 c=1000 bank=39100\nsettle banca 2-9 1=0\nend 308\nshoe\npass 1 39000 shoe-end player=p1\n";
    let findings = call_sheet::scenarios(sheet)[0].run().judgement.findings;
    let causes = findings.into_iter().filter_map(|finding| finding.cause);
    // Each event is an entry.
    assert_eq!(causes.map(|cause| (cause.entry, cause.sequence)).collect::<Vec<_>>(), [(15, 16)]);
}
