//! A coup for which no rulebook says what is due: there is none in force, it cannot be read, or it is not approved
//! (`docs/judging.md`, "Too late, unknown, twice" and "Identity"). It is never shown to be right. Which bets were settled, and how
//! often, is checked all the same, unless the rulebook is not approved.

use std::collections::{BTreeMap, BTreeSet};

use events::CoupSettled;

use super::Checked;
use super::bets::{Bet, bets, late, not_placed};
use super::coup::{CoupChecked, goes_on_after_void};
use super::doubt::{Open, doubt};
use super::gaps::Gaps;
use super::index::Index;
use super::lacking::Lacking;
use super::lines::{Line, again, lines};
use super::play::Setting;
use super::rulings::carried;
use super::voids::Void;
use crate::Code;
use crate::account::{BetAccount, SumRange, signed};
use crate::bounds::beyond;
use crate::reading::{CoupRecord, Told};
use crate::sink::{Accusation, Location};
use crate::statement::OfPayouts;

/// Checks a coup of a shoe, by its place in it. `why`: why there are no rules. Without a shoe, bets that were never placed are no
/// finding of their own.
pub(super) fn unruled(
    (index, at): (&Index<'_>, usize),
    (why, has_shoe): (Open, bool),
    setting: &Setting<'_>,
    (ends, gaps): (&[u64], &Gaps),
) -> CoupChecked {
    let (shoe, coup) = (index.shoe, &index.shoe.coups[at]);
    let lacking = Lacking::of(shoe, at, gaps, setting.limits, None);
    let why = if lacking.any() { Open::Missing } else { why };
    if let Some(open) = doubt(index, coup).all {
        let open = if lacking.any() { Open::Missing } else { open };
        return CoupChecked::of(Checked::open(open), Vec::new());
    }
    let lacking = if has_shoe { lacking } else { lacking.with_bets(u64::MAX) };
    let goes_on = goes_on_after_void(index, coup, ends);
    let bets = bets(coup, carried(coup, &setting.carried), None, None);
    let mut judged = match (Void::of(coup, goes_on), coup.settlements.first()) {
        (Some(void), _) => of_void((coup, &bets), &void, goes_on, &lacking),
        (None, Some(settled)) => {
            let mistyped = index.is_mistyped(coup.number, settled.sequence);
            of_settlement((coup, settled), &bets, (why, mistyped), &lacking)
        }
        (None, None) => {
            let mut checked = Checked::default();
            bets.iter().for_each(|bet| late(bet, None, None, None, &mut checked));
            CoupChecked::of(checked, bets.iter().map(unknown).collect())
        }
    };
    let mut not_placed = not_placed(coup);
    not_placed.found.retain(|found| !lacking.any_before(found.sequence));
    judged.checked.and(not_placed);
    judged.checked.found.sort_unstable();
    judged.checked.found.retain(|found| !lacking.explains(found.code, found.sequence));
    judged.checked.open = Some(why);
    judged
}

/// Its stakes come back, under any rules. If it was settled before, they come back in one game, and no claim is allowed in the
/// other.
fn of_void(
    (coup, bets): (&CoupRecord<'_>, &[Bet<'_, '_>]),
    void: &Void<'_, '_>,
    goes_on: Option<u64>,
    lacking: &Lacking,
) -> CoupChecked {
    let mut checked = Checked::default();
    void.again.iter().for_each(|settled| checked.and(again(settled, coup)));
    bets.iter().for_each(|bet| late(bet, None, None, None, &mut checked));
    let returned = if void.first.is_none() { void.returned(coup, bets, goes_on, lacking) } else { None };
    let bets = returned.map(|returned| {
        checked.and(returned.checked);
        returned.bets
    });
    CoupChecked::of(checked, bets.unwrap_or_default())
}

fn of_settlement(
    (coup, settled): (&CoupRecord<'_>, &Told<'_, CoupSettled>),
    bets: &[Bet<'_, '_>],
    (why, mistyped): (Open, bool),
    lacking: &Lacking,
) -> CoupChecked {
    let at = settled.corrected_by.unwrap_or(settled.sequence);
    let (lines, of_lines) = lines(settled, bets, mistyped, lacking);
    let mut checked = Checked::default();
    coup.settlements.iter().skip(1).for_each(|settled| checked.and(again(settled, coup)));
    if why == Open::RulebookUnapproved {
        bets.iter().for_each(|bet| late(bet, None, None, None, &mut checked));
        return CoupChecked::of(checked, bets.iter().map(unknown).collect());
    }
    if why == Open::RulebookUnreadable {
        bound(bets, settled.value, at, &mut checked);
    }
    checked.and(of_lines);
    left_out(bets, &lines, at, lacking, &mut checked);
    let mut accounts = Vec::new();
    for (bet, line) in bets.iter().zip(&lines) {
        let account = account(bet, line, lacking);
        late(bet, account.recorded, None, None, &mut checked);
        accounts.push(account);
    }
    CoupChecked::of(checked, accounts)
}

/// Under any rulebook a bet returns so much at most.
fn bound(bets: &[Bet<'_, '_>], settled: &CoupSettled, at: u64, checked: &mut Checked) {
    let of_id: BTreeMap<u64, &Bet<'_, '_>> = bets.iter().rev().map(|bet| (bet.id(), bet)).collect();
    for line in &settled.bets {
        let wrong = of_id.get(&line.bet).and_then(|bet| beyond((bet.id(), bet.seat(), bet.stake()), line));
        wrong.into_iter().for_each(|wrong| checked.accuse(at, wrong));
    }
}

/// Bets without a line.
fn left_out(bets: &[Bet<'_, '_>], lines: &[Line], at: u64, lacking: &Lacking, checked: &mut Checked) {
    let has_line = |(bet, line): (&Bet<'_, '_>, &Line)| line.recorded.map(|_| bet.id());
    let settled: BTreeSet<u64> = bets.iter().zip(lines).filter_map(has_line).collect();
    for (bet, _) in bets.iter().zip(lines).filter(|(_, line)| line.recorded.is_none()) {
        if bet.is_taken_back() || lacking.may_be_gone(bet) {
            continue;
        }
        let expected = OfPayouts::BetSettled { bet: bet.id() };
        let left = Accusation::new(Code::BetNotSettled, expected, OfPayouts::BetLeftOut);
        let again = settled.contains(&bet.id());
        let placed = Location { sequence: bet.placed_at(), ..Location::default() };
        checked.accuse(at, if again { left.following_from(placed, Code::BetIdReused) } else { left });
    }
}

/// Nothing is known of what came back for a bet.
fn unknown(bet: &Bet<'_, '_>) -> BetAccount {
    let staked = signed(bet.stake());
    BetAccount { bet: bet.id(), seat: bet.seat(), staked, recorded: None, as_dealt: None, by_rules: None }
}

/// What came back for a bet. Of one that came too late its stake was due.
fn account(bet: &Bet<'_, '_>, line: &Line, lacking: &Lacking) -> BetAccount {
    let stake = signed(bet.stake());
    let back = line.recorded.map(|recorded| signed(recorded.returned));
    let recorded = match (bet.is_taken_back(), back) {
        (true, back) => Some(stake.saturating_add(back.unwrap_or(0))),
        (false, None) if lacking.may_be_gone(bet) => None,
        (false, back) => Some(back.unwrap_or(0)),
    };
    let by_rules = bet.late.then(|| SumRange::exactly(stake));
    BetAccount { recorded, by_rules, ..unknown(bet) }
}
