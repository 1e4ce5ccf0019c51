//! What only the reading shows: what was recorded again, or with a wrong value, is a finding, and what follows from it is none
//! (`docs/judging.md`, "Reading"). Where something stands in the record, and under which number, is checked in `order.rs`.

use baccarat::Rulebook;
use events::{BetSettled, Body};
use serde::{Deserialize, Serialize};

use super::bank_draws::hands;
use super::before::Before;
use super::cards::deal;
use super::index::Index;
use super::moments::{Moment, What};
use super::result::result;
use super::shoe_cards::ShoeCards;
use super::{Checked, Found};
use crate::Code;
use crate::caps::Cap;
use crate::identity::Identities;
use crate::reading::{CoupRecord, Departure, Explanation, Lost, Misread, Told};
use crate::sink::Accusation;
use crate::statement::{OfBank, OfBets, OfPayouts, OfRecord, OfSeats};
use crate::worlds::Pool;

/// The ids of all bets so far: each is used once.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct BetIds(Identities);

impl BetIds {
    /// Checks a moment.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is a bet")]
    pub(super) fn check(&mut self, moment: &Moment<'_, '_>, checked: &mut Checked) {
        match moment.what {
            What::Placed(bet) => {
                let placed = bet.placed;
                self.place(&placed, placed.value.bet, placed.value.coup, checked);
            }
            What::Abono(abono) => {
                let placed = abono.placed;
                self.place(&placed, placed.value.bet, placed.value.coup, checked);
            }
            What::Again(told) => match told.value {
                Body::BetPlaced(placed) => self.place(told, placed.bet, placed.coup, checked),
                Body::AbonoPlaced(placed) => self.place(told, placed.bet, placed.coup, checked),
                _ => {}
            },
            _ => {}
        }
    }

    fn place<T>(&mut self, told: &Told<'_, T>, bet: u64, coup: u32, checked: &mut Checked) {
        let is_new = self.0.insert(bet);
        if self.0.has_forgotten() {
            checked.forget(told.sequence, Cap::BetIds);
        }
        if !is_new {
            let reused = Accusation::new(Code::BetIdReused, OfBets::IdUnused, OfBets::Bet { bet });
            checked.accuse(told.corrected_by.unwrap_or(told.sequence), reused.in_coup(coup));
        }
    }
}

/// Checks what is remarked on the recording of a shoe and shows in no record. In none of the alternatives of a remark is all
/// right, so it is a finding: as what it is by the explanation that is followed.
pub(super) fn remarks(of: &ShoeCards<'_, '_>, rules: Option<&Rulebook>, before: &Before<'_>) -> Checked {
    let mut checked = Checked::default();
    for remark in &of.shoe.remarks {
        let followed = remark.alternatives.first().into_iter().flatten();
        followed.for_each(|one| remarked(of, one, remark.is_certain(), rules, before, &mut checked));
    }
    // A card and its hand may both be misread, and bring the same.
    checked.found.sort_unstable();
    checked.found.dedup();
    checked
}

fn remarked(
    of: &ShoeCards<'_, '_>,
    one: &Explanation,
    is_certain: bool,
    rules: Option<&Rulebook>,
    before: &Before<'_>,
    checked: &mut Checked,
) {
    let coup = || of.index.coup_at(one.coup(), one.at());
    match *one {
        Explanation::Doubled { at, coup, .. } => {
            let again = of.index.again(at);
            again.into_iter().for_each(|told| doubled(told, coup, checked));
            again.into_iter().for_each(|told| doubled_early(told, of.index, coup, checked));
        }
        Explanation::Misread { at, coup: number, what: Misread::Bet(bet) } => {
            let unknown = match coup().and_then(|coup| mistyped(coup, at, bet)) {
                Some((line, own)) => {
                    let recorded = OfPayouts::UnknownSettled { bet, amount: line.returned.into() };
                    match own.filter(|_| is_certain) {
                        Some(bet) => {
                            Accusation::new(Code::BetUnknown, OfPayouts::BetSettled { bet }, recorded)
                        }
                        None => Accusation::new(Code::BetUnknown, OfBets::StandsInCoup, recorded),
                    }
                }
                None => Accusation::new(Code::BetUnknown, OfBets::StandsInCoup, OfBets::Bet { bet }),
            };
            checked.accuse(at, unknown.in_coup(number));
        }
        Explanation::Misread { what: Misread::Hand | Misread::Face(..), .. } => {
            if let Some((coup, rules)) = coup().zip(rules) {
                let found = as_recorded(coup, rules, before);
                checked.found.extend(found.into_iter().next());
            }
        }
        // Nothing that follows shows how many cards left the shoe, and so nothing else says it.
        Explanation::Lost { at, what: Lost::Card, .. } if !of.index.shows_positions_from(at) => {
            if let Some((coup, rules)) = coup().zip(rules) {
                let found = as_recorded(coup, rules, before);
                checked.found.extend(found.into_iter().next());
            }
        }
        // Which cards were dealt is not known, and so nothing else says it.
        Explanation::Departed { at, how, .. } if !is_certain && is_of_cards(how) => {
            if let Some((coup, rules)) = coup().zip(rules) {
                let found = as_recorded(coup, rules, before).into_iter();
                checked.found.extend(found.filter(|found| found.sequence == at));
            }
        }
        Explanation::Misread { .. }
        | Explanation::Lost { .. }
        | Explanation::Moved { .. }
        | Explanation::Mislabelled { .. }
        | Explanation::Departed { .. } => {}
    }
}

/// The line of a settlement that has a mistyped id, and the bet that it is of: the bets that have no line have such lines in
/// their order.
fn mistyped<'r>(coup: &'r CoupRecord<'_>, at: u64, id: u64) -> Option<(&'r BetSettled, Option<u64>)> {
    let settled = coup.settlements.iter().find(|told| told.sequence == at)?.value;
    let bets = coup.bets.iter().map(|bet| (bet.placed.sequence, bet.placed.value.bet, bet.withdrawn));
    let abonos = coup
        .chemin
        .abonos
        .iter()
        .map(|abono| (abono.placed.sequence, abono.placed.value.bet, abono.withdrawn));
    let mut stand: Vec<(u64, u64)> = bets
        .chain(abonos)
        .filter(|(.., withdrawn)| withdrawn.is_none())
        .map(|(placed, bet, _)| (placed, bet))
        .collect();
    stand.sort_unstable();
    let mut of_none = settled.bets.iter().filter(|line| stand.iter().all(|(_, bet)| *bet != line.bet));
    let place = of_none.position(|line| line.bet == id)?;
    let line = settled.bets.iter().find(|line| line.bet == id)?;
    let has_line = |bet: u64| settled.bets.iter().any(|line| line.bet == bet);
    Some((line, stand.iter().map(|(_, bet)| *bet).filter(|bet| !has_line(*bet)).nth(place)))
}

const fn is_of_cards(how: Departure) -> bool {
    matches!(how, Departure::Drew | Departure::Stood | Departure::Short)
}

/// What is wrong with the cards of a coup, and with what was announced, as they were recorded. What moved is not known.
fn as_recorded(coup: &CoupRecord<'_>, rules: &Rulebook, before: &Before<'_>) -> Vec<Found> {
    let mut recorded = coup.clone();
    recorded.cards.retain(|card| card.sequence.is_some());
    for card in &mut recorded.cards {
        let said = card.sequence.and_then(|sequence| before.said(sequence, card.corrected_by));
        if let Some(Body::CardDrawn(drawn)) = said {
            (card.face, card.to) = (drawn.card, drawn.to);
        }
    }
    let settled = recorded.settlements.first();
    let (mut checked, worlds) = if rules.chemin.is_some() {
        let mut hands = hands(&recorded, rules, &[], Pool::default(), false);
        settled.into_iter().for_each(|settled| hands.finish(settled));
        let worlds = hands.worlds();
        (hands.checked, Some(worlds).filter(|worlds| !worlds.outcomes().is_empty()))
    } else {
        let dealt = deal(&recorded, settled, rules, Pool::default());
        (dealt.checked, dealt.deals.map(|deals| deals.worlds()))
    };
    if let (Some(mut worlds), Some(settled)) = (worlds, settled) {
        checked.and(result(settled, &mut worlds));
    }
    checked.found.sort_unstable();
    checked.found.into_iter().map(|found| Found { coup: Some(coup.number), ..found }).collect()
}

/// The bets of a coup were closed twice, the first time before it began.
fn doubled_early(told: &Told<'_, Body>, index: &Index<'_>, coup: u32, checked: &mut Checked) {
    let last = index.coups(coup).last().and_then(|at| index.shoe.coups.get(*at));
    let is_early = last.is_some_and(|last| told.sequence < last.began);
    if let (Body::BetsClosed(_), true) = (told.value, is_early) {
        let recorded = OfRecord::Event { event: told.value.into() };
        let expected = OfRecord::CoupBeforeSettled { coup };
        let early = Accusation::new(Code::CoupOverlap, expected, recorded);
        checked.accuse(told.sequence, early.in_coup(coup));
    }
}

/// Something was recorded again. Cards, burns and bets are checked where they stand.
#[allow(clippy::wildcard_enum_match_arm, reason = "what else is doubled is checked where it stands")]
fn doubled(told: &Told<'_, Body>, coup: u32, checked: &mut Checked) {
    match told.value {
        Body::PuntoHolder(_) => {
            let (expected, recorded) = (OfSeats::HolderOnce, OfSeats::HolderAgain);
            let late = Accusation::new(Code::PuntoHolderLate, expected, recorded);
            checked.accuse(told.sequence, late.in_coup(coup));
        }
        Body::BetWithdrawn(withdrawn) => {
            let recorded = OfBets::TakenBack { bet: withdrawn.bet };
            let unknown = Accusation::new(Code::BetUnknown, OfBets::StandsInCoup, recorded);
            checked.accuse(told.sequence, unknown.in_coup(coup));
        }
        Body::BankSettled(_) => {
            let again = Accusation::new(Code::BankWrong, OfBank::OneAccount, OfBank::AnotherAccount);
            checked.accuse(told.sequence, again.in_coup(coup));
        }
        _ => {}
    }
}
