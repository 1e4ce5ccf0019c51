//! The account of a coup against what it comes to for the bank (`docs/judging.md`, "The account of a coup").

use baccarat::{Money, Rulebook, Winner};
use events::{BankSettled, Body, CoupSettled};

use super::Checked;
use super::bank_play::{Due, Playing};
use super::index::Index;
use crate::account::SumRange;
use crate::reading::{CheminRecord, CoupRecord, Told};
use crate::sink::{Accusation, clamp, seat_money};
use crate::statement::{OfBank, OfPayouts};
use crate::{Code, SeatMoney};

/// The account of a coup, if it was recorded before the settlement, or if the settlement was certainly recorded too early.
pub(super) fn account<'r, 'a>(
    index: &Index<'_>,
    coup: &'r CoupRecord<'a>,
    settled: &Told<'_, CoupSettled>,
) -> Option<&'r Told<'a, BankSettled>> {
    let is_in_time = |at: u64| at < settled.sequence || index.is_moved(settled.sequence);
    coup.chemin.accounts.first().filter(|account| is_in_time(account.sequence))
}

/// The account of a void coup. It counts only if it was recorded after the void.
pub(super) fn account_of_void<'r, 'a>(coup: &'r CoupRecord<'a>) -> Option<&'r Told<'a, BankSettled>> {
    let void = coup.rulings.iter().find(|told| matches!(told.value, Body::CoupVoided(_)))?;
    coup.chemin.accounts.first().filter(|account| account.sequence > void.sequence)
}

/// Whether the account of a coup says this.
pub(super) fn is_account(due: Due, playing: &Playing, account: &BankSettled) -> bool {
    let bank = playing.bank.plus(due.won).minus(due.lost).minus(due.commission);
    let sums = (account.won, account.lost, account.commission);
    sums == (due.won, due.lost, due.commission) && (account.bank, account.garaje) == (bank, playing.garaje)
}

/// Compares an account with what the coup may have come to, for each winner that is still possible.
pub(super) fn compare(
    told: &Told<'_, BankSettled>,
    dues: &[(Winner, Due)],
    playing: &Playing,
    rules: &Rulebook,
) -> Checked {
    let mut checked = Checked::default();
    let at = told.corrected_by.unwrap_or(told.sequence);
    let distance = |due: &Due| told.value.won.over(told.value.lost).abs_diff(due.won.over(due.lost));
    let Some((_, nearest)) = dues.iter().min_by_key(|(_, due)| distance(due)) else { return checked };
    let others = dues.iter().filter(|(_, due)| due != nearest);
    let others: Vec<Vec<Accusation>> =
        others.map(|(_, due)| compare_with(told.value, *due, playing, rules)).collect();
    for one in compare_with(told.value, *nearest, playing, rules) {
        checked.accuse(at, as_far_as_certain(one, &others));
    }
    checked
}

/// Compares an account with one result.
pub(super) fn compare_with(
    account: &BankSettled,
    due: Due,
    playing: &Playing,
    rules: &Rulebook,
) -> Vec<Accusation> {
    let Some(banker) = playing.banker.as_ref() else { return Vec::new() };
    let mut found = Vec::new();
    // Commission that fits a wrong win is reported with the win.
    let fits = account.commission == rules.commission_on(account.won);
    let wrong = account.commission != due.commission && !fits;
    let as_due = BankSettled { commission: due.commission, ..account.clone() };
    if wrong {
        let missing = account.commission == Money::ZERO;
        let code = if missing { Code::CommissionMissing } else { Code::CommissionWrong };
        let (commission, won) = (due.commission.into(), due.won.into());
        let expected = OfPayouts::BankCommission { commission, won };
        let recorded = OfPayouts::Commission { commission: account.commission.into() };
        // If bank and garaje are right, the commission was taken rightly and only noted wrongly.
        let money = if is_account(due, playing, &as_due) {
            seat_money(0, account.commission, due.commission)
        } else {
            seat_money(banker.seat, due.commission, account.commission)
        };
        let money = vec![money];
        found.push(Accusation::new(code, expected, recorded).moving(money));
    }
    // A wrong commission moves the balance by the same sum. It is reported already.
    let moves = wrong && !is_account(due, playing, &as_due);
    let commission = if moves { account.commission } else { due.commission };
    let bank = playing.bank.plus(due.won).minus(due.lost).minus(commission);
    let says = |won: Money, lost: Money, bank: Money, garaje: Money| OfBank::Account {
        won: won.into(),
        lost: lost.into(),
        bank: bank.into(),
        garaje: garaje.into(),
    };
    let expected = says(due.won, due.lost, bank, playing.garaje);
    let recorded = says(account.won, account.lost, account.bank, account.garaje);
    if expected != recorded {
        let got = account.bank.plus(account.garaje).over(bank.plus(playing.garaje));
        let money = vec![SeatMoney::exactly(banker.seat, clamp(got))];
        found.push(Accusation::new(Code::BankWrong, expected, recorded).moving(money));
    }
    found
}

/// A coup has no account. If several sides may have won, the announced winner decides the sums.
pub(super) fn missing(settled: &Told<'_, CoupSettled>, dues: &[(Winner, Due)], playing: &Playing) -> Checked {
    let mut checked = Checked::default();
    let one = dues.first().filter(|first| dues.iter().all(|other| other.1 == first.1));
    let announced = dues.iter().find(|(winner, _)| *winner == settled.value.winner);
    let due = one.or(announced).map(|(_, due)| *due);
    let expected = due.map_or(OfBank::SomeAccount, |due| OfBank::AccountDue {
        won: due.won.into(),
        lost: due.lost.into(),
        commission: due.commission.into(),
    });
    let lacks = due.filter(|due| due.won > due.commission).zip(playing.banker.as_ref());
    let money =
        lacks.map(|(due, banker)| seat_money(banker.seat, Money::ZERO, due.won.minus(due.commission)));
    let accusation = Accusation::new(Code::BankNotSettled, expected, OfBank::NotRecorded);
    let at = settled.corrected_by.unwrap_or(settled.sequence);
    checked.accuse(at, accusation.moving(money.into_iter().collect()));
    checked
}

/// Further accounts of a coup change nothing.
pub(super) fn further(of: &CheminRecord<'_>) -> Checked {
    let mut checked = Checked::default();
    for told in of.accounts.iter().skip(1) {
        let accusation = Accusation::new(Code::BankWrong, OfBank::OneAccount, OfBank::AnotherAccount);
        checked.accuse(told.corrected_by.unwrap_or(told.sequence), accusation);
    }
    checked
}

/// What a finding on the account moved as far as that is certain: so much at least, if the account would be off to the same
/// side by all that the coup may come to.
fn as_far_as_certain(mut one: Accusation, others: &[Vec<Accusation>]) -> Accusation {
    let Some(moved) = one.money.first().copied().filter(|_| !others.is_empty()) else { return one };
    let of_code = |found: &Vec<Accusation>| {
        let same = found.iter().find(|other| other.code == one.code);
        same.and_then(|other| other.money.first()).map_or(0, |money| money.minor_units)
    };
    let sums = others.iter().map(of_code).chain([moved.minor_units]);
    let certain = SumRange::over(sums).and_then(SumRange::certain);
    one.money = certain.map(|sum| SeatMoney::at_least(moved.seat, sum)).into_iter().collect();
    one
}
