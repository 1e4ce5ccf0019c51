//! Commission that is marked in boxes: each has to be empty when its player leaves, and at the end of the shoe
//! (`docs/judging.md`, "Commission boxes").

use std::collections::BTreeMap;
use std::sync::Arc;

use baccarat::{Money, Pays};
use events::{Body, CoupSettled};
use serde::{Deserialize, Serialize};

use super::Checked;
use super::before::Before;
use super::bets::{Bet, bets};
use super::index::Index;
use super::lacking::Lacking;
use super::lines::lines;
use super::moments::{Moment, What};
use super::paytables::Paytables;
use crate::boxes::{Account, Boxes, Mark};
use crate::person::Person;
use crate::reading::{CoupRecord, Told};
use crate::rules::{DOWN, stake_range};
use crate::seating::Seating;

/// The boxes of a table, and who sits at them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Commission {
    boxes: Boxes,
    seating: Seating,
    /// The rulebook of a shoe that is kept while the table is closed.
    overnight: Option<Arc<str>>,
    /// Events are missing that may have changed the limits.
    doubted: bool,
    /// In the range that is checked.
    #[serde(skip)]
    over: BoxesOver,
}

/// What was marked in the boxes of a table, and collected.
#[derive(Debug, Clone, Default)]
pub(crate) struct BoxesOver {
    /// What was marked and collected by seat, each time that all boxes had to be empty: at which sequence.
    pub(crate) accounts: Vec<(u64, BTreeMap<u8, Account>)>,
    /// The same since then, if the record ends.
    pub(crate) left: BTreeMap<u8, Account>,
    /// Commission that was collected after it was due: at which sequence, and from which seat.
    pub(crate) late: Vec<(u64, u8, Money)>,
    /// Whether boxes hold anything, if the record ends.
    pub(crate) is_owed: bool,
}

impl Commission {
    /// What is wrong with what happens at a moment. `stays` says whether the shoe stays in play if the table closes here.
    pub(super) fn check<'r, 'a: 'r>(
        &mut self,
        moment: &Moment<'r, 'a>,
        before: &Before<'r>,
        stays: bool,
        checked: &mut Checked,
    ) {
        let shoe = moment.shoe.and_then(|shoe| before.index(shoe));
        let coup = shoe.zip(moment.coup).and_then(|(index, at)| Some((index, index.shoe.coups.get(at)?)));
        match moment.what {
            What::Around(told) => self.around(told, before, checked, stays),
            What::Loaded(_) | What::LoadingLost => {
                self.overnight = None;
                self.end(moment.sequence, checked);
            }
            What::Settled(settled) => match (before.rules(), coup) {
                (Some(tables), Some((index, coup))) if tables.is_boxed() && is_played(coup, settled) => {
                    let at = moment.coup.unwrap_or_default();
                    let lacking = Lacking::of(index.shoe, at, &before.gaps, None, None);
                    let mistyped = index.is_mistyped(coup.number, settled.sequence);
                    self.mark(coup, settled, (mistyped, &lacking));
                }
                (None, _) => self.boxes.miss(1, None),
                (Some(_), _) => {}
            },
            What::Ruled(Told { sequence, value: Body::CoupVoided(_), .. }) => {
                let settled = coup.and_then(|(_, coup)| Some((coup, coup.settlements.first()?)));
                if let Some((coup, settled)) = settled.filter(|(_, settled)| settled.sequence < *sequence)
                    && before.rules().is_some_and(Paytables::is_boxed)
                {
                    for Mark { seat, person, commission } in marked(coup, settled.value) {
                        self.boxes.unmark(seat, person.as_ref(), commission);
                    }
                }
            }
            // What it marked was not recorded.
            What::Over if coup.is_some_and(|(index, coup)| may_settlement_be_lost(index, coup)) => {
                if let Some(most) = most_commission(before) {
                    self.boxes.mark_somewhere(most);
                }
            }
            What::Missing(hole) => {
                let (events, within) = before.gaps.beside_play(&hole);
                if events > 0 {
                    let most = if self.doubted { None } else { most_commission(before) };
                    self.boxes.miss(events, most);
                    self.seating.doubt();
                }
                self.doubted |= !within;
            }
            What::Ruled(_)
            | What::Burned(_)
            | What::Cut(_)
            | What::Ended(_)
            | What::Began(_)
            | What::Placed(_)
            | What::Abono(_)
            | What::TakenBack(_)
            | What::Closed(_)
            | What::Holder(_)
            | What::Card(_)
            | What::Again(_)
            | What::InPlay
            | What::Said
            | What::Account(_)
            | What::Over => {}
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else concerns boxes")]
    fn around(&mut self, told: &Told<'_, Body>, before: &Before<'_>, checked: &mut Checked, stays: bool) {
        let at = told.corrected_by.unwrap_or(told.sequence);
        match told.value {
            Body::TableOpened(opened) => {
                if self.overnight.take().is_some_and(|kept| *kept != *opened.rulebook.as_str()) {
                    self.end(at, checked);
                }
                self.seating = Seating::default();
                self.doubted = false;
            }
            Body::LimitsChanged(_) => self.doubted = false,
            Body::TableClosed(_) => {
                self.overnight = before.opened.filter(|_| stays).map(|opened| opened.rulebook.shared());
                if self.overnight.is_none() {
                    self.end(at, checked);
                }
            }
            Body::SeatTaken(taken) => {
                if self.seating.may_be_taken(taken.seat) {
                    self.boxes.sit(taken.seat);
                }
                self.seating.sit(taken.seat, taken.player.as_ref().map(Person::from));
            }
            Body::SeatLeft(left) => {
                let player = left.player.as_ref().map(Person::from);
                if player.as_ref().is_some_and(|player| self.seating.is_anothers(left.seat, player)) {
                    return self.seating.leave_by_another(left.seat);
                }
                let leaves = player.or_else(|| self.seating.owner(left.seat).cloned());
                self.seating.leave(left.seat);
                let uncollected = self.boxes.leave(left.seat, leaves.as_ref());
                uncollected.into_iter().for_each(|accusation| checked.accuse(at, accusation));
            }
            Body::CommissionCollected(collected) => {
                let (late, over) = self.boxes.collect(collected.seat, collected.amount);
                if late > Money::ZERO {
                    self.over.late.push((told.sequence, collected.seat, late));
                }
                // Without a rulebook nobody knows what is to be collected. What is collected after the table closed is
                // collected under the last.
                let last = before.last_opened.and_then(|opened| before.books.of(opened).known());
                let over = over.filter(|_| last.is_some());
                over.into_iter().for_each(|accusation| checked.accuse(at, accusation));
            }
            _ => {}
        }
    }

    /// Ends a range and gives what was marked and collected in it.
    pub(super) fn take_over(&mut self) -> BoxesOver {
        std::mem::take(&mut self.over)
    }

    /// The record ends: what was marked and collected by seat since all boxes had to be empty, and whether they hold anything.
    pub(super) fn left(&self) -> (BTreeMap<u8, Account>, bool) {
        (self.boxes.clone().take_accounts(), self.boxes.owed())
    }

    /// The shoe is done with: every box has to be empty.
    fn end(&mut self, at: u64, checked: &mut Checked) {
        self.over.accounts.push((at, self.boxes.take_accounts()));
        let uncollected = self.boxes.shoe_over();
        uncollected.into_iter().for_each(|accusation| checked.accuse(at, accusation));
    }

    /// A coup is settled: what it marks. Commission on lines that should not be there may be marked or not: in the box of the
    /// bet's seat or, if no such bet is recorded, in any box.
    fn mark(
        &mut self,
        coup: &CoupRecord<'_>,
        settled: &Told<'_, CoupSettled>,
        (mistyped, lacking): (bool, &Lacking),
    ) {
        if settled.value.bets.iter().all(|line| line.commission == Money::ZERO) {
            return;
        }
        let bets = bets(coup, 0, None, None);
        let (lines, _) = lines(settled, &bets, mistyped, &Lacking::default());
        let mut beyond: BTreeMap<u64, Money> = BTreeMap::new();
        for line in settled.value.bets.iter().filter(|line| line.commission > Money::ZERO) {
            let commission = beyond.entry(line.bet).or_default();
            *commission = commission.plus(line.commission);
        }
        for (bet, line) in bets.iter().zip(&lines) {
            let commission = line.recorded.map(|recorded| recorded.commission).unwrap_or_default();
            if commission > Money::ZERO {
                self.boxes.mark(bet.seat(), person(bet).as_ref(), commission);
                if lacking.may_be_another(bet) {
                    self.boxes.doubt_mark(bet.seat(), commission);
                }
                beyond.entry(bet.id()).and_modify(|left| *left = left.minus(commission));
            }
        }
        let seats: BTreeMap<u64, u8> = bets.iter().rev().map(|bet| (bet.id(), bet.seat())).collect();
        for (id, commission) in beyond.into_iter().filter(|(_, commission)| *commission > Money::ZERO) {
            match seats.get(&id) {
                Some(seat) => self.boxes.mark_perhaps(*seat, commission),
                None => self.boxes.mark_somewhere(commission),
            }
        }
    }
}

/// Whether the settlement of a coup may have been lost.
fn may_settlement_be_lost(index: &Index<'_>, coup: &CoupRecord<'_>) -> bool {
    coup.settlements.is_empty() && index.may_settlement_be_lost(coup.number)
}

/// Whether a settlement is the first of a coup that was not declared void before it.
fn is_played(coup: &CoupRecord<'_>, settled: &Told<'_, CoupSettled>) -> bool {
    let is_void =
        |told: &Told<'_, Body>| told.sequence < settled.sequence && matches!(told.value, Body::CoupVoided(_));
    let first = coup.settlements.first().is_some_and(|first| first.sequence == settled.sequence);
    first && !coup.rulings.iter().any(is_void)
}

fn person(bet: &Bet<'_, '_>) -> Option<Person> {
    bet.player().map(Person::from)
}

/// What a settlement marked, line by line.
fn marked(coup: &CoupRecord<'_>, settled: &CoupSettled) -> Vec<Mark> {
    let placed: BTreeMap<u64, _> =
        coup.bets.iter().rev().map(|bet| (bet.placed.value.bet, bet.placed.value)).collect();
    let lines = settled.bets.iter().filter_map(|line| Some((placed.get(&line.bet)?, line.commission)));
    let mark = |(placed, commission): (&&events::BetPlaced, Money)| Mark {
        seat: placed.seat,
        person: placed.player.as_ref().map(Person::from),
        commission,
    };
    lines.map(mark).collect()
}

/// Most commission that one missing event can have marked or collected; `None`: without bound.
fn most_commission(before: &Before<'_>) -> Option<Money> {
    let (rules, limits, opened) = (before.rules()?.rules(), before.limits?, before.opened?);
    let largest = rules.bets.iter().map(|kind| stake_range(rules, limits, kind).maximum).max()?;
    let won = rules.bets.values().flat_map(|rule| &rule.rows).filter_map(|row| match row.pays {
        Pays::Wins(odds) => Some(odds.wins().div_ceil(odds.per())),
        Pays::Push | Pays::Lose => None,
    });
    let each = rules.commission_on(largest.times(won.max().unwrap_or(1), 1, DOWN));
    // A settlement marks for as many bets as it has; a table has no more boxes than seats.
    Some(each.times(u32::try_from(opened.seats.len()).unwrap_or(99), 1, DOWN))
}
