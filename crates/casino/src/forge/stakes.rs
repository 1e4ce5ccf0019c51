//! Stakes that are wrong only in the sum of a player's bets, and limits that were changed to allow them.

use baccarat::{BetKind, Money, Winner};
use events::{BetPlaced, BetSettled, BetWithdrawn, Body, Limits, Name};

use super::Shown;
use super::coup::{BetAt, CoupAt};
use super::tape::Tape;
use crate::session::money;

/// A bet of a guest at a seat.
struct Slip {
    seat: u8,
    player: Name,
    kind: BetKind,
    stake: Money,
}

/// Places bets before "no va más" and settles them; returns the index of the first.
fn place(tape: &mut Tape, coup: &CoupAt, slips: Vec<Slip>) -> Option<usize> {
    let (hands, mut account) = (coup.hands()?, coup.account.clone());
    for (slip, bet) in slips.iter().zip(coup.new_bet()..) {
        let due = tape.due(&slip.kind, slip.stake, &hands)?;
        account.bets.push(BetSettled { bet, returned: due.returned, commission: due.commission });
    }
    tape.replace(coup.settled, account);
    for ((count, slip), bet) in slips.into_iter().enumerate().zip(coup.new_bet()..) {
        let Slip { seat, player, kind, stake } = slip;
        let placed = BetPlaced { coup: coup.number, bet, seat, player: Some(player), kind, stake };
        tape.insert(coup.closed + count, placed);
    }
    Some(coup.closed)
}

/// A guest who sits and has no bet of these kinds, at whatever seat, settled or not.
fn guest(tape: &Tape, coup: &CoupAt, without: &[&str]) -> Option<(u8, Name)> {
    let has = |seat: u8, player: &Name| {
        let theirs = |placed: &BetPlaced| placed.seat == seat || placed.player.as_ref() == Some(player);
        (coup.shoe..coup.settled).any(|at| {
            matches!(tape.body(at), Body::BetPlaced(placed) if placed.coup == coup.number
                && theirs(placed) && without.contains(&placed.kind.as_str()))
        })
    };
    tape.seated_at(coup.begins).into_iter().find(|(seat, player)| !has(*seat, player))
}

/// Limits are doubled in the middle of a coup to let a stake through, and put back after it.
pub(super) fn limits(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let limits = tape.limits_at(coup.begins)?;
    let bet = coup.plain_bet(|bet| bet.is_on("banca") && bet.lost() && bet.at > coup.begins)?.clone();
    let stake = limits.maximum.plus(limits.multiple.unwrap_or(money(100)));
    let twice = |sum: Money| sum.plus(sum);
    let doubled = Limits {
        minimum: twice(limits.minimum),
        maximum: twice(limits.maximum),
        multiple: limits.multiple.map(twice),
        ..limits.clone()
    };
    tape.replace(bet.at, BetPlaced { stake, ..bet.placed });
    tape.insert(coup.settled + 1, limits);
    let at = tape.insert(bet.at, doubled);
    Shown::in_coup(at, coup.number)
}

/// One player has ten bets of the maximum each on a tie.
pub(super) fn ties(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let kind: BetKind = "tie".parse().ok()?;
    let (maximum, cap) = (tape.limits_at(coup.begins)?.maximum, tape.book.bets.get(&kind)?.cap);
    let share =
        |rate: baccarat::Rate| maximum.get() * u64::from(rate.numerator()) / u64::from(rate.denominator());
    let stake = money(cap.map_or(maximum.get(), share));
    let (seat, player) = guest(tape, coup, &["tie"]).filter(|_| coup.winner() != Winner::Tie)?;
    let slip = || Slip { seat, player: player.clone(), kind: kind.clone(), stake };
    let at = place(tape, coup, (0..10).map(|_| slip()).collect())?;
    Shown::in_coup(at + 1, coup.number)
}

/// One player is on punto at one seat and on banca at another.
pub(super) fn two_seats(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let stake = tape.limits_at(coup.begins)?.minimum;
    let bet = coup.plain_bet(|bet| bet.is_on("punto")).filter(|_| coup.winner() != Winner::Banca)?;
    let (player, taken) = (bet.placed.player.clone()?, tape.seated_at(coup.begins));
    let seat = tape.seats().into_iter().find(|seat| !taken.contains_key(seat))?;
    let at = place(tape, coup, vec![Slip { seat, player, kind: "banca".parse().ok()?, stake }])?;
    Shown::in_coup(at, coup.number)
}

/// The main bet that a side bet needs is taken back before "no va más".
pub(super) fn orphaned(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let needs =
        |bet: &&BetAt| tape.book.bets.get(&bet.placed.kind).is_some_and(|rule| !rule.requires.is_empty());
    let of = |seat: u8| coup.bets.iter().filter(move |bet| bet.placed.seat == seat);
    let pair = |side: &&BetAt| {
        let own: Vec<&BetAt> = of(side.placed.seat).collect();
        let player = side.placed.player.as_ref();
        let all = coup.bets.iter().filter(|bet| player.is_some() && bet.placed.player.as_ref() == player);
        let elsewhere = all.filter(|bet| bet.placed.seat != side.placed.seat).count();
        own.len() == 2 && own.iter().filter(|bet| needs(bet)).count() == 1 && elsewhere == 0
    };
    let side = coup.bets.iter().filter(needs).find(pair)?;
    let main = of(side.placed.seat).find(|bet| bet.at != side.at)?;
    let due = tape.due(&main.placed.kind, main.placed.stake, &coup.hands()?)?;
    let lines = coup.account.bets.iter().filter(|line| line.bet == main.placed.bet);
    let as_due = lines.count() == 1 && main.settled.returned == due.returned;
    if !as_due || main.settled.commission > Money::ZERO || coup.holder.is_some() {
        return None;
    }
    let mut account = coup.account.clone();
    account.bets.retain(|line| line.bet != main.placed.bet);
    tape.replace(coup.settled, account);
    tape.insert(coup.closed, BetWithdrawn { bet: main.placed.bet });
    Shown::in_coup(side.at, coup.number)
}

/// Two slips of one player come to less than the minimum.
pub(super) fn slips_under(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let limits = tape.limits_at(coup.begins)?;
    let free = limits.multiple.is_none() && limits.minimum > money(400);
    slips(tape, coup, free, [money(200), money(200)])
}

/// Two slips of one player come to more than the maximum, and neither does alone.
pub(super) fn slips_over(tape: &mut Tape, coup: &CoupAt) -> Option<Shown> {
    let limits = tape.limits_at(coup.begins)?;
    slips(tape, coup, true, [limits.maximum, limits.minimum])
}

fn slips(tape: &mut Tape, coup: &CoupAt, free: bool, stakes: [Money; 2]) -> Option<Shown> {
    let free = free && coup.winner() != Winner::Banca;
    // Nor a bet that needs one of these beside it.
    let needs = tape.book.bets.iter().filter(|(_, rule)| !rule.requires.is_empty());
    let without: Vec<&str> = needs.map(|(kind, _)| kind.as_str()).chain(["punto", "banca"]).collect();
    let (seat, player) = guest(tape, coup, &without).filter(|_| free)?;
    let kind: BetKind = "banca".parse().ok()?;
    let slip = |stake| Slip { seat, player: player.clone(), kind: kind.clone(), stake };
    let at = place(tape, coup, stakes.map(slip).into())?;
    Shown::in_coup(at + 1, coup.number)
}
