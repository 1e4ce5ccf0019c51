//! Tables of chemin de fer: what is read there, and what the checks find, compared with the judge in use.

use std::collections::BTreeSet;

use replay::Code;

use super::compared::{differences, judged};
use super::found::{differences_in, show};
use super::records::{Record, all_at_the_bank, of_lines};

/// What is compared here.
pub const CODES: &[Code] = &[
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
    Code::BetBelowMinimum,
    Code::BetAboveMaximum,
    Code::BetMultiple,
    Code::BetForbiddenPair,
    Code::BetWithoutMain,
    Code::BetAboveMain,
    Code::RulingNotFollowed,
    Code::CardRemoved,
    Code::SameSigner,
    Code::RulingUnsigned,
    Code::SignerPlays,
    Code::VoidStakeKept,
    Code::VoidOverpaid,
    Code::CorrectionTarget,
    Code::BetCorrectedLate,
    Code::CorrectedLate,
    Code::CommissionUncollected,
    Code::CommissionOverCollected,
    Code::TableNotOpen,
    Code::TableAlreadyOpen,
    Code::TableSeats,
    Code::RulebookNotInForce,
    Code::RulebookAltered,
    Code::LimitsRatio,
    Code::LimitsRange,
    Code::LimitsInCoup,
    Code::CurrencyWrong,
    Code::CurrencyChanged,
    Code::ShoeDecks,
    Code::ShoeCount,
    Code::ShoeCutDepth,
    Code::ShoeSurplusCard,
    Code::ShoePosition,
    Code::ShoeCardsLeft,
    Code::ShoeOrderCommitment,
    Code::ShoeMissing,
    Code::ShoeNotEnded,
    Code::ShoeIdReused,
    Code::DeckReused,
    Code::BurnCount,
    Code::BurnMissing,
    Code::BurnRepeated,
    Code::CutCardPosition,
    Code::CutCardMissing,
    Code::CoupAfterLast,
    Code::CoupNumber,
    Code::CoupsNotRecorded,
    Code::PlayAfterEnd,
    Code::CoupLabel,
    Code::CoupOverlap,
    Code::CoupSettledEarly,
    Code::CoupNotSettled,
    Code::CardBeforeBetsClosed,
    Code::BetIdReused,
    Code::BetSeat,
    Code::BetPlace,
    Code::DealTakenAway,
    Code::DealKept,
    Code::DealByCroupier,
    Code::NameLookAlike,
    Code::NameUnseen,
    Code::TimeBackwards,
    Code::ClockAhead,
    Code::RecordedLate,
    Code::RulebookNotApproved,
];

/// Records in which the two find different things, each with the reason.
const FOUND: &[(&str, &str)] = &[];

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
    let shown = CODES.iter().filter(|code| seen.contains(code)).count();
    assert!(shown > 55, "{shown} of {}", CODES.len());
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

/// `READING_HISTORIES=FILE`, made by `.ci/mutate.py`: what differs there. Without it nothing is compared.
#[test]
fn the_checks_find_at_the_bank_in_mutated_histories_what_the_judge_in_use_finds() {
    let Ok(file) = std::env::var("READING_HISTORIES") else { return };
    let records = of_lines("history", &std::fs::read_to_string(file).unwrap());
    let records = || records.iter().filter(|record| !record.books.is_punto_y_banca());
    records().for_each(show);
    let differ: Vec<String> = records().flat_map(|record| differences_in(record, Some(CODES))).collect();
    differ.iter().for_each(|one| eprintln!("{one}"));
    eprintln!("{} tables, {} findings differ", records().count(), differ.len());
}
