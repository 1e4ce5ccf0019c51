//! Tables of chemin de fer: what is read there, and what the checks find, compared with the judge in use.

use std::collections::BTreeSet;

use super::compared::differences;
use super::records::all_at_the_bank;

/// Records in which the two show different coups, each with the reason.
const SHOWN: &[(&str, &str)] = &[];

#[test]
fn what_is_read_at_the_bank_is_what_the_judge_in_use_shows() {
    let (mut tables, mut differ, mut unknown) = (0, BTreeSet::new(), Vec::new());
    for record in all_at_the_bank() {
        tables += 1;
        let found = differences(&record);
        if !found.is_empty() && !SHOWN.iter().any(|(known, _)| *known == record.name) {
            unknown.extend(found);
        }
        if !differences(&record).is_empty() {
            differ.insert(record.name);
        }
    }
    unknown.iter().for_each(|one| eprintln!("{} {}", one.0, one.1));
    assert!(tables > 250, "{tables}");
    assert!(unknown.is_empty(), "{}", unknown.len());
    let gone: Vec<_> = SHOWN.iter().filter(|(known, _)| !differ.contains(*known)).collect();
    assert!(gone.is_empty(), "these do not differ any more: {gone:?}");
}

#[test]
fn an_honest_night_at_the_bank_is_read_without_a_remark() {
    let nights = all_at_the_bank().filter(|record| record.name.starts_with("chemin-de-fer-"));
    let mut coups = 0;
    for record in nights {
        for shoe in record.read().shoes {
            assert!(shoe.remarks.is_empty(), "{}: {:?}", record.name, shoe.remarks);
            coups += shoe.coups.len();
            assert!(shoe.coups.iter().all(|coup| !coup.unexplained), "{}", record.name);
        }
    }
    assert!(coups > 20, "{coups}");
}
