//! The list of forgeries, each with the fault it plants and the rulebooks under which it is possible.

use baccarat::{BetRule, Charge, Dealer, LastCoup, PuntoHolderRule, Rulebook};

use super::{
    Forge, boxes, cards, corrections, gaps, late, opening, payouts, rulings, shoes, stakes, unread, voids,
};
use crate::Fault;

/// Under which rulebooks it can happen.
type Fits = fn(&Rulebook) -> bool;

#[rustfmt::skip]
const FORGERIES: &[(Fault, Forge, Fits)] = &[
    (Fault::MillionsUnread, unread::millions, any),
    (Fault::MillionsSuitUnread, unread::millions_suit, any),
    (Fault::NineUnread, unread::nine, any),
    (Fault::TotalUnread, unread::total, any),
    (Fault::WinnerUnread, unread::winner, any),
    (Fault::PaidAfterGap, gaps::paid, any),
    (Fault::PaidLaterAfterGap, gaps::paid_later, any),
    (Fault::TotalAfterGap, gaps::total, any),
    (Fault::TwoBetsForGap, gaps::two_bets, any),
    (Fault::CollectedAfterGap, gaps::collected, boxed),
    (Fault::NumberAfterGap, gaps::number, any),
    (Fault::CorrectionPays, corrections::paid, any),
    (Fault::CorrectionTurns, corrections::card, turns),
    (Fault::StakeCorrected, corrections::raised, any),
    (Fault::BetCorrected, corrections::moved, no_holder),
    (Fault::SignedTwice, corrections::signed_twice, any),
    (Fault::SignedByPlayer, corrections::signed_by_player, any),
    (Fault::LimitsCorrected, corrections::limits, free_ratio),
    (Fault::CommissionCorrected, corrections::commission, boxed),
    (Fault::OpeningCorrected, corrections::opening, any),
    (Fault::HandCorrected, corrections::other_hand, any),
    (Fault::VoidMillion, voids::million, any),
    (Fault::VoidDoubled, voids::doubled, any),
    (Fault::VoidWithoutRefund, voids::kept, any),
    (Fault::VoidAfterPaid, voids::paid, any),
    (Fault::VoidUnsigned, voids::unsigned, any),
    (Fault::RulingUnsigned, rulings::unsigned, any),
    (Fault::RulingByPlayer, rulings::signed_by_player, any),
    (Fault::UnsettledRuling, rulings::unsettled, any),
    (Fault::LimitsInCoup, stakes::limits, any),
    (Fault::TiesSummed, stakes::ties, tie),
    (Fault::PairAtTwoSeats, stakes::two_seats, pairs),
    (Fault::SideBetOrphaned, stakes::orphaned, side),
    (Fault::SlipsUnderMinimum, stakes::slips_under, any),
    (Fault::SlipsOverMaximum, stakes::slips_over, any),
    (Fault::PastPosted, late::past_posted, any),
    (Fault::LoserWithdrawn, late::withdrawn, any),
    (Fault::BetInvented, late::invented, any),
    (Fault::KindInvented, late::kind, any),
    (Fault::HolderRecordedTwice, late::holder_twice, holder),
    (Fault::HolderStanding, late::holder_standing, holder),
    (Fault::LatePost, payouts::late, any),
    (Fault::LateConflict, payouts::conflicting, any),
    (Fault::SettledAgain, payouts::again, any),
    (Fault::Flood, payouts::flood, any),
    (Fault::CommissionKept, payouts::commission_kept, collected),
    (Fault::OverCollected, boxes::too_much, boxed),
    (Fault::CollectedTooLate, boxes::too_late, boxed),
    (Fault::CardsLabelled, cards::labelled, any),
    (Fault::PositionsShifted, cards::shifted, any),
    (Fault::CoupsOverlap, cards::overlapping, any),
    (Fault::RankTooOften, cards::rank_too_often, no_pairs),
    (Fault::ShoeIdReused, shoes::id_reused, any),
    (Fault::DeckReused, shoes::deck_reused, any),
    (Fault::PlayAfterEnd, shoes::play_after_end, goes_on),
    (Fault::ClockBackHour, shoes::clock_back, any),
    (Fault::NumberingRestarted, shoes::numbering, any),
    (Fault::CurrencyChanged, opening::currency_changed, any),
    (Fault::CurrencyDigits, opening::currency_digits, any),
    (Fault::CurrencyUnknown, opening::currency_unknown, any),
    (Fault::RulebookAltered, opening::altered_rules, any),
    (Fault::RulebookTwoTexts, opening::two_texts, any),
];

/// How a fault is forged; `None` for one that is played.
pub(super) fn forgery_of(fault: Fault) -> Option<Forge> {
    entry(fault).map(|(_, forge, _)| *forge)
}

fn entry(fault: Fault) -> Option<&'static (Fault, Forge, Fits)> {
    FORGERIES.iter().find(|(other, ..)| *other == fault)
}

/// Whether a fault is forged after the play.
pub(crate) fn is_forged(fault: Fault) -> bool {
    entry(fault).is_some()
}

/// Whether a forgery can happen under a rulebook.
pub(crate) fn fits(fault: Fault, book: &Rulebook) -> bool {
    entry(fault).is_some_and(|(_, _, fits)| book.chemin.is_none() && fits(book))
}

const fn any(_: &Rulebook) -> bool {
    true
}

fn charges(book: &Rulebook, charge: Charge) -> bool {
    book.commission.as_ref().is_some_and(|rules| rules.charge == charge)
}

fn boxed(book: &Rulebook) -> bool {
    charges(book, Charge::Boxed)
}

fn collected(book: &Rulebook) -> bool {
    charges(book, Charge::Collected)
}

/// Whether the winner may change and nothing but payouts with it.
fn turns(book: &Rulebook) -> bool {
    !boxed(book) && book.deal.dealer != Dealer::Players
}

fn holder(book: &Rulebook) -> bool {
    book.deal.punto_holder == PuntoHolderRule::HighestPuntoBet
}

fn no_holder(book: &Rulebook) -> bool {
    !holder(book)
}

fn free_ratio(book: &Rulebook) -> bool {
    book.limits.maximum_over_minimum.is_empty()
}

fn tie(book: &Rulebook) -> bool {
    let alone = |rule: &BetRule| rule.requires.is_empty();
    book.bets.iter().any(|(kind, rule)| kind.as_str() == "tie" && alone(rule))
}

fn pairs(book: &Rulebook) -> bool {
    !book.forbidden_pairs.is_empty()
}

fn side(book: &Rulebook) -> bool {
    no_holder(book) && book.bets.values().any(|rule| !rule.requires.is_empty())
}

/// Whether no bet asks for ranks.
fn no_pairs(book: &Rulebook) -> bool {
    !book.bets.keys().any(|kind| kind.as_str().contains("pair"))
}

/// Whether a coup may follow the one in which the cut card comes out.
fn goes_on(book: &Rulebook) -> bool {
    book.cut_card.last_coup != LastCoup::FinishCoup
}
