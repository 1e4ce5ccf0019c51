//! The examples of `docs/fleet.md` are what this program reads.
#![allow(clippy::unwrap_used, reason = "a test ends where it fails")]

use fleet::{LeaseRecord, Outcome, Receipt, Site};

#[test]
fn the_page_shows_what_is_read_and_written() {
    let page = include_str!("../../../docs/fleet.md");
    let examples: Vec<&str> =
        page.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let [recorded, before, refused, lease] = examples[..] else { panic!("{} examples", examples.len()) };
    for (example, is_recorded) in [(recorded, true), (before, false), (refused, false)] {
        let receipt = Receipt::parse(example.as_bytes()).unwrap();
        assert_eq!(matches!(receipt.outcome, Outcome::Recorded { .. }), is_recorded);
        let written: serde_json::Value = serde_json::to_value(&receipt).unwrap();
        assert_eq!(written, serde_json::from_str::<serde_json::Value>(example).unwrap());
    }
    let record = LeaseRecord::parse(lease.as_bytes()).unwrap();
    assert!(record.others.is_empty());
    let written: serde_json::Value = serde_json::from_slice(&record.to_bytes().unwrap()).unwrap();
    assert_eq!(written, serde_json::from_str::<serde_json::Value>(lease).unwrap());

    let site = Site::new("X").unwrap();
    for name in [site.stream(), site.refused_stream(), site.receipt_stream(), site.bucket_stream()] {
        assert!(page.contains(&name.replace('X', "<site>")), "{name}");
    }
    for subject in [site.table_subject("T").unwrap(), site.receipt_subject("T").unwrap()] {
        assert!(page.contains(&subject.replace('X', "<site>").replace('T', "<table>")), "{subject}");
    }
}
