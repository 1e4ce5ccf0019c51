//! Forgeries that a correction is meant to hide.

use baccarat::{Deal, Money, PuntoHolderRule, Winner};
use events::{Body, CardDrawn, CorrectionRecorded, CoupSettled, Destination, Holder, Limits, Name};

use super::coup::{BetAt, CoupAt};
use super::tape::Tape;
use super::{Moving, Shown};
use crate::session::{inspector, money, name, remark, signed};

const TEN_MILLION: u64 = 1_000_000_000;

fn correction(corrects: u64, corrected: Body, signed_by: [Name; 2]) -> CorrectionRecorded {
    CorrectionRecorded {
        corrects,
        corrected: Box::new(corrected),
        reason: remark("recorded wrongly"),
        signed_by,
    }
}

/// Inserts a correction that two people signed.
fn correct(tape: &mut Tape, at: usize, of: usize, corrected: Body) -> usize {
    let corrects = tape.sequence(of);
    tape.insert(at, correction(corrects, corrected, [inspector(), name("manager-1")]))
}

/// The settlement of three coups back is corrected: it pays a loser ten million.
pub(super) fn paid(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let before = tape.coup_in(coup.shoe, coup.number.checked_sub(3)?)?;
    let bet = before.plain_bet(|bet| bet.lost())?;
    let account = before.paying(bet.placed.bet, |line| line.returned = money(TEN_MILLION));
    let at = correct(tape, coup.settled + 1, before.settled, Body::CoupSettled(account));
    Shown::in_coup(at, before.number).moving([(bet.placed.seat, 1_000_000_000)])
}

/// Banca's third card is corrected to one of which no copy is left, and another side wins.
pub(super) fn card(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let (at, drawn) = coup.cards.last().filter(|_| coup.cards.len() == 6)?;
    let loaded = tape.loaded(coup.shoe).filter(|loaded| loaded.order_commitment.is_none())?;
    let read = tape.read_before(coup.shoe, *at);
    let spent = |card: &&baccarat::Card| {
        card.suit.is_some() && read.iter().filter(|seen| seen == card).count() >= usize::from(loaded.decks)
    };
    let (card, account) = read.iter().filter(spent).find_map(|card| {
        Some((*card, turned(tape, coup, *card).filter(|account| account.winner != coup.winner())?))
    })?;
    let corrected = CardDrawn { card: card.into(), ..drawn.clone() };
    let of = *at;
    tape.replace(coup.settled, account);
    let at = correct(tape, coup.settled, of, Body::CardDrawn(corrected));
    Shown::in_coup(at, coup.number)
}

/// The account of the coup with another last card.
fn turned(tape: &Tape, coup: &CoupAt, last: baccarat::Card) -> Option<CoupSettled> {
    let mut deal = Deal::default();
    for (index, (_, drawn)) in coup.cards.iter().enumerate() {
        deal.give(drawn.to.side()?, if index == 5 { last.into() } else { drawn.card });
    }
    let hands = deal.coup()?;
    let mut account = coup.account.clone();
    (account.winner, account.banca_total) = (hands.winner(), hands.banca.total().get());
    for bet in &coup.bets {
        let due = tape.due(&bet.placed.kind, bet.placed.stake, &hands)?;
        let line = account.bets.iter_mut().find(|line| line.bet == bet.placed.bet)?;
        (line.returned, line.commission) = (due.returned, due.commission);
    }
    Some(account)
}

/// A winning stake is doubled by a correction once cards are out.
pub(super) fn raised(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let most = tape.limits_at(coup.begins)?.maximum;
    let holds = |bet: &BetAt| match coup.holder.map(|at| tape.body(at)) {
        Some(Body::PuntoHolder(given)) => given.holder == Holder::Seat(bet.placed.seat),
        Some(_) | None => true,
    };
    let fits =
        |bet: &BetAt| bet.is_on("punto") && bet.won() && bet.placed.stake.plus(bet.placed.stake) <= most;
    let bet = coup.plain_bet(|bet| fits(bet) && holds(bet))?.clone();
    let stake = bet.placed.stake.plus(bet.placed.stake);
    let corrected = events::BetPlaced { stake, ..bet.placed.clone() };
    correct_bet(tape, coup, &bet, corrected)
}

/// A losing bet is corrected to the winning side once cards are out.
pub(super) fn moved(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let free = tape.book.deal.punto_holder != PuntoHolderRule::HighestPuntoBet;
    let bet = coup.plain_bet(|bet| free && bet.is_on("banca") && bet.lost())?.clone();
    let alone = |other: &&BetAt| other.placed.player == bet.placed.player;
    if coup.bets.iter().filter(alone).count() > 1 {
        return None;
    }
    let corrected = events::BetPlaced { kind: "punto".parse().ok()?, ..bet.placed.clone() };
    correct_bet(tape, coup, &bet, corrected)
}

fn correct_bet(tape: &mut Tape, coup: &CoupAt, bet: &BetAt, corrected: events::BetPlaced) -> Option<Shown> {
    let due = tape.due(&corrected.kind, corrected.stake, &coup.hands()?)?;
    let account = coup.paying(bet.placed.bet, |line| line.returned = due.returned);
    let net = signed(due.returned) - signed(corrected.stake);
    let first = signed(bet.settled.returned) - signed(bet.placed.stake);
    tape.replace(coup.settled, account);
    let at = correct(tape, coup.cards[1].0 + 1, bet.at, Body::BetPlaced(corrected));
    Shown::in_coup(at, coup.number).moving([(bet.placed.seat, net - first)])
}

/// One person signs a correction twice, once with a capital letter.
pub(super) fn signed_twice(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    repeat(tape, coup, [name("Jefe-1"), name("jefe-1")])
}

/// A player signs a correction.
pub(super) fn signed_by_player(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let player = tape.seated_at(coup.begins).into_values().next()?;
    repeat(tape, coup, [inspector(), player])
}

/// The settlement is corrected to what it says already.
fn repeat(tape: &mut Tape, coup: &CoupAt, signed_by: [Name; 2]) -> Option<Shown> {
    let account = Body::CoupSettled(coup.account.clone());
    let corrects = tape.sequence(coup.settled);
    let at = tape.insert(coup.settled + 1, correction(corrects, account, signed_by));
    Shown::in_coup(at, coup.number)
}

/// Limits that were recorded before the coup are raised by a correction while it is in play.
pub(super) fn limits(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let limits = tape.limits_at(coup.begins)?;
    let changed = tape.insert(coup.begins, limits.clone());
    let raised = Limits { maximum: limits.maximum.plus(limits.maximum), ..limits };
    let at = correct(tape, coup.closed + 1, changed, Body::LimitsChanged(raised));
    Shown::in_coup(at, coup.number)
}

/// Half of the commission that was collected is corrected away.
pub(super) fn commission(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let ended = tape.find(coup.settled, |body| matches!(body, Body::ShoeEnded(_)))?;
    let of = ended + 1;
    let Body::CommissionCollected(collected) = tape.lines.get(of)?.event.clone() else { return None };
    let half = Money::new(collected.amount.get() / 2).ok()?;
    let at = tape.find(of, |body| !matches!(body, Body::CommissionCollected(_)))?;
    let seat = collected.seat;
    correct(
        tape,
        at,
        of,
        Body::CommissionCollected(events::CommissionCollected { amount: half, ..collected }),
    );
    let due = |body: &Body| {
        matches!(body, Body::SeatLeft(left) if left.seat == seat)
            || matches!(body, Body::ShoeLoaded(_) | Body::TableClosed(_))
    };
    let shown = tape.find(at, due)?;
    Shown::in_shoe(shown).moving([(seat, signed(collected.amount.minus(half)))])
}

/// The opening of the table is "corrected".
pub(super) fn opening(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let opened = tape.body(0).clone();
    let at = correct(tape, coup.settled + 1, 0, opened);
    Shown::in_shoe(at)
}

/// A card goes to the other hand by a correction.
pub(super) fn other_hand(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let (of, drawn) = coup.cards[0].clone();
    let to = Destination::from(drawn.to.side()?.other());
    let fits = coup.winner() != Winner::Tie;
    let at = fits.then(|| correct(tape, of + 1, of, Body::CardDrawn(CardDrawn { to, ..drawn })))?;
    Shown::in_coup(at, coup.number)
}
