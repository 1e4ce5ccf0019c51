//! Tables of chemin de fer: what is read there, and what the checks find, compared with the judge in use.

use std::collections::{BTreeMap, BTreeSet};

use replay::checks::{self, Open};
use replay::{BetAccount, Code, Received};

use super::compared::{differences, judged};
use super::found::{Tables, differences_in};
use super::records::{Record, all_at_the_bank, of_lines};

/// What is compared here.
const CODES: &[Code] = &[
    Code::PuntoHolderLate,
    Code::SeatWrong,
    Code::PayoutWrongSeat,
    Code::BetNotSettled,
    Code::BetSettledTwice,
    Code::CoupSettledTwice,
    Code::BetUnknown,
    Code::BetKind,
    Code::GameWrong,
    Code::DealOrder,
    Code::ExtraCard,
    Code::PuntoStood,
    Code::PuntoDrew,
    Code::BancaStood,
    Code::BancaDrew,
    Code::NaturalDrawn,
    Code::DealShort,
    Code::TotalWrong,
    Code::WinnerWrong,
    Code::PayoutOver,
    Code::PayoutUnder,
    Code::CommissionMissing,
    Code::CommissionWrong,
    Code::BetLate,
    Code::BetWithdrawnLate,
    Code::DrawNotAsDecided,
    Code::ThirdCardUnseen,
    Code::BankWrong,
    Code::BankNotSettled,
    Code::StakesAboveBank,
    Code::GarajeNotAllowed,
    Code::GarajeAmount,
    Code::GarajeMissing,
    Code::TodoVa,
    Code::AbonoNotAllowed,
    Code::AbonoCount,
    Code::AbonoAmount,
    Code::BancoStake,
    Code::BancoPriority,
    Code::BancoSeguido,
    Code::BancoLate,
    Code::ClaimAfterPayment,
    Code::BankMissing,
    Code::BankTurn,
    Code::BankKept,
    Code::BankTakenAway,
    Code::BankNotDealt,
    Code::BankBelowPassed,
    Code::BankBelowMinimum,
    Code::BankAboveMaximum,
    Code::AuctionExcluded,
    Code::AuctionWinner,
    Code::SaludoOwed,
    Code::SeatKept,
    Code::PlayersTooFew,
    Code::LeaveWrong,
    Code::DealOfferOrder,
    Code::DealNotOffered,
    Code::PuntoHolder,
];

/// Records in which the two find different things, each with the reason.
const FOUND: &[(&str, &str)] =
    &[("bank-wrong: two accounts of one coup", TWICE), ("bank-wrong: another account of one coup", TWICE)];

const LATE: &str = "what a correction moved that came too late is a check of its own";
const TWICE: &str = "the same account again is a remark: it was recorded twice";

/// Records in which the two have other accounts of bets, each with the reason.
const ACCOUNTS: &[(&str, &str)] = &[("abono-corrected.ndjson", LATE)];

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

#[test]
fn the_checks_find_at_the_bank_what_the_judge_in_use_finds() {
    compare(FOUND, |record| differences_in(record, Some(CODES)));
    let seen: BTreeSet<Code> =
        all_at_the_bank().flat_map(|record| judged(&record).findings).map(|finding| finding.code).collect();
    // No record of chemin de fer shows the first eight.
    let never: Vec<_> = CODES.iter().skip(8).filter(|code| !seen.contains(code)).collect();
    assert!(never.is_empty(), "codes that no record shows: {never:?}");
}

#[test]
fn bets_at_the_bank_have_the_accounts_that_the_judge_in_use_has() {
    compare(ACCOUNTS, accounts);
}

/// All differences are of records that are listed, and each that is listed differs.
fn compare(listed: &[(&str, &str)], differences: impl Fn(&Record) -> Vec<String>) {
    let (mut differ, mut unknown) = (BTreeSet::new(), Vec::new());
    for record in all_at_the_bank() {
        let found = differences(&record);
        if found.is_empty() {
            continue;
        }
        if !listed.iter().any(|(known, _)| *known == record.name) {
            unknown.extend(found);
        }
        differ.insert(record.name);
    }
    unknown.iter().for_each(|one| eprintln!("{one}"));
    assert!(unknown.is_empty(), "{}", unknown.len());
    let gone: Vec<_> = listed.iter().filter(|(known, _)| !differ.contains(*known)).collect();
    assert!(gone.is_empty(), "these do not differ any more: {gone:?}");
}

/// Coups that are decided and whose bets have other accounts.
fn accounts(record: &Record) -> Vec<String> {
    let (reading, range, tables) = (record.read(), record.range(), Tables::of(&record.books));
    let checked = checks::table(&reading, &range, &tables, &|_| Received::Unknown);
    let mut views: BTreeMap<(Option<String>, u32), Vec<Vec<BetAccount>>> = BTreeMap::new();
    for view in judged(record).coup_views {
        views.entry((view.shoe, view.coup)).or_default().push(view.account.bets);
    }
    let mut found = Vec::new();
    for ((shoe, at), of_check) in &checked.coups {
        let shoe = &reading.shoes[*shoe];
        let id = shoe.loading.map(|loading| loading.value.shoe.to_string());
        let key = (id, shoe.coups[*at].number);
        let Some([view]) = views.get(&key).map(Vec::as_slice) else { continue };
        let is_compared = matches!(
            of_check.checked.open,
            None | Some(Open::CardUnread | Open::SuitUnread | Open::RuleSilent | Open::PlayersNotCounted)
        );
        if is_compared && *view != of_check.bets {
            let of = format!("{} {} {key:?} {:?}", record.name, record.table, of_check.checked.open);
            found.push(format!("{of}\n    judge {view:?}\n    check {:?}", of_check.bets));
        }
    }
    found
}

/// `READING_HISTORIES=FILE`, made by `.ci/mutate.py`: what differs there. Without it nothing is compared.
#[test]
fn the_checks_find_at_the_bank_in_mutated_histories_what_the_judge_in_use_finds() {
    let Ok(file) = std::env::var("READING_HISTORIES") else { return };
    let records = of_lines("history", &std::fs::read_to_string(file).unwrap());
    let records = || records.iter().filter(|record| !record.books.is_punto_y_banca());
    let differ: Vec<String> = records().flat_map(|record| differences_in(record, Some(CODES))).collect();
    differ.iter().for_each(|one| eprintln!("{one}"));
    eprintln!("{} tables, {} findings differ", records().count(), differ.len());
}
