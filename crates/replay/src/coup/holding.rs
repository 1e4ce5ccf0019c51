//! Punto's cards: told once, between the close of the bets and the first card, and given to the seated
//! player who has most on punto.

use baccarat::{Money, PuntoHolderRule, TieBreak};
use events::Holder;
use serde::{Deserialize, Serialize};

use super::{Bet, CoupInPlay, Standing};
use crate::Code;
use crate::rules::Rules;
use crate::seating::{Seating, Sits};
use crate::sink::{Accusation, Place, Sink};
use crate::stakes::{Pile, Player, Stakes};
use crate::verdict::Reason;

/// What was told of punto's holder.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Holding {
    told: bool,
    /// Told while bets and cards were still to come, and what is wrong with it where no close follows.
    early: Option<(Place, Option<Accusation>)>,
    /// Cards drawn when the bets were closed.
    drawn_at_close: u32,
}

/// A player who may hold punto's cards.
struct Claim {
    seats: Vec<u8>,
    sits: Sits,
    sum: Money,
    /// The first of the player's bets on punto.
    first: usize,
}

impl CoupInPlay {
    /// Punto's cards are handed out.
    pub(crate) fn hold(&mut self, holder: Holder, rules: &Rules, seating: &Seating, sink: &mut Sink) {
        let dealt = self.closed && self.drawn > self.holding.drawn_at_close && !self.reopened();
        if std::mem::replace(&mut self.holding.told, true) {
            return sink.accuse(self.holder_late("told once", "told again"));
        }
        if dealt {
            self.may_hold(rules);
            return sink.accuse(self.holder_late("told before the first card", "told afterwards"));
        }
        self.judge_limits(Some(rules).filter(|_| self.closed), sink);
        let wrong = self.judge_holder(holder, rules, seating);
        if self.under_way() {
            sink.accuse_all(wrong);
        } else {
            self.holding.early = Some((sink.place(), wrong));
        }
    }

    fn holder_late(&self, expected: &str, recorded: &str) -> Accusation {
        let told = |what: &str| format!("punto's holder {what}");
        self.accusation(Code::PuntoHolderLate, told(expected), told(recorded))
    }

    /// The bets are closed: whoever holds punto's cards was not to be told before.
    pub(super) fn close_before_holder(&mut self, sink: &mut Sink) {
        self.holding.drawn_at_close = self.drawn;
        if let Some((place, _)) = self.holding.early.take() {
            let late = self.holder_late("told once the bets are closed", "told before");
            sink.accuse(late.at(place));
        }
    }

    /// The first card comes and the bets were not closed: that is told by itself.
    pub(super) fn deal_without_close(&mut self, sink: &mut Sink) {
        if let Some((place, Some(wrong))) = self.holding.early.take() {
            sink.accuse(wrong.at(place));
        }
    }

    /// Whether it was dealt and nobody was told to hold punto's cards, where that has to be.
    pub(crate) fn lacks_holder(&self, rules: &Rules) -> bool {
        let staked = |bet: &Bet| bet.kind == rules.punto() && bet.standing != Standing::Withdrawn;
        let due = match rules.book.deal.punto_holder {
            PuntoHolderRule::HighestPuntoBet => true,
            PuntoHolderRule::Banco => self.bets.iter().any(staked),
            PuntoHolderRule::Croupier => false,
        };
        due && self.drawn > 0 && !self.holding.told
    }

    fn judge_holder(&mut self, holder: Holder, rules: &Rules, seating: &Seating) -> Option<Accusation> {
        let allowed = match rules.book.deal.punto_holder {
            PuntoHolderRule::Croupier => vec![Holder::Croupier],
            PuntoHolderRule::Banco => self.may_hold(rules)?,
            PuntoHolderRule::HighestPuntoBet => self.with_most(holder, rules, seating)?,
        };
        (!allowed.contains(&holder)).then(|| {
            let names: Vec<String> = allowed.iter().map(|holder| holder_name(*holder)).collect();
            self.accusation(Code::PuntoHolder, names.join(" or "), holder_name(holder))
        })
    }

    /// Whoever may have most on punto; `None` where that may be anybody. A bet that came too late may
    /// count or not.
    fn with_most(&mut self, holder: Holder, rules: &Rules, seating: &Seating) -> Option<Vec<Holder>> {
        let rule = rules.book.deal.tie_break;
        let most = |counts: fn(&Bet) -> bool| {
            let punto = rules.punto();
            let stakes = Stakes::on_kinds(&self.bets, counts, |kind| Some(kind) == punto);
            let boxes = punto.map(|kind| stakes.mixed_on(kind).nameless).unwrap_or_default();
            holders(&claims(&stakes, &self.bets, seating), boxes, rule)
        };
        let late = self.bets.iter().any(|bet| bet.late);
        let Most { mut allowed, sure } = most(Bet::counts);
        let (mut anybody, mut sure) =
            (allowed.is_empty(), sure.as_ref().unwrap_or(&allowed).contains(&holder));
        if late {
            let with_late = most(Bet::stands);
            anybody |= with_late.allowed.is_empty();
            sure |= with_late.sure.as_ref().unwrap_or(&with_late.allowed).contains(&holder);
            allowed.extend(with_late.allowed);
        }
        if !sure && (anybody || allowed.contains(&holder)) {
            self.doubt(Reason::PlayerUnnamed);
        }
        (!anybody).then_some(allowed)
    }
}

/// Who may hold punto's cards.
struct Most {
    /// Nobody: it may be anybody.
    allowed: Vec<Holder>,
    /// Those of them who may whosever the nameless boxes are, where that is not all of them.
    sure: Option<Vec<Holder>>,
}

/// `boxes` is what nameless boxes hold that may be anybody's.
fn holders(claims: &[Claim], boxes: Money, rule: TieBreak) -> Most {
    let sums = claims.iter().filter(|claim| claim.sits == Sits::Yes).map(|claim| claim.sum);
    let least = sums.max();
    if boxes > Money::ZERO && least.is_none_or(|least| boxes >= least) {
        return Most { allowed: Vec::new(), sure: None };
    }
    let may = |claim: &&Claim| claim.sits != Sits::No;
    let with = |enough: &dyn Fn(&Claim) -> bool| -> Vec<&Claim> {
        claims.iter().filter(may).filter(|claim| enough(claim)).collect()
    };
    let certain = boxes == Money::ZERO && claims.iter().all(|claim| claim.sits != Sits::Perhaps);
    let best = with(&|claim| least.is_none_or(|least| claim.sum.plus(boxes) >= least));
    let mut allowed = if certain { first_of(best, rule) } else { seats(&best) };
    if least.is_none() {
        allowed.push(Holder::Croupier);
    }
    let sure = (boxes > Money::ZERO).then(|| {
        seats(&with(&|claim| {
            let others = claims.iter().filter(may).filter(|other| other.first != claim.first);
            claim.sits == Sits::Yes && others.map(|other| other.sum.plus(boxes)).all(|sum| sum <= claim.sum)
        }))
    });
    Most { allowed, sure }
}

/// Between equal sums.
fn first_of(mut equal: Vec<&Claim>, rule: TieBreak) -> Vec<Holder> {
    match rule {
        TieBreak::Unstated => equal.sort_by_key(|claim| claim.seats.first().copied()),
        TieBreak::FirstPlaced => {
            equal.sort_by_key(|claim| claim.first);
            equal.truncate(1);
        }
        TieBreak::LowestSeat | TieBreak::Priority => {
            equal.sort_by_key(|claim| claim.seats.first().copied());
            equal.truncate(1);
        }
    }
    seats(&equal)
}

fn seats(claims: &[&Claim]) -> Vec<Holder> {
    claims.iter().flat_map(|claim| &claim.seats).map(|seat| Holder::Seat(*seat)).collect()
}

/// The players who staked on punto: those with a name where boxes may be anybody's.
fn claims(stakes: &Stakes<'_>, bets: &[Bet], seating: &Seating) -> Vec<Claim> {
    let own = |pile: &&Pile<'_>| pile.player.is_named() || !stakes.is_mixed();
    stakes.piles().iter().filter(own).map(|pile| claim(stakes, pile, bets, seating)).collect()
}

fn claim(stakes: &Stakes<'_>, pile: &Pile<'_>, bets: &[Bet], seating: &Seating) -> Claim {
    let staked = |wanted: &dyn Fn(u8) -> bool| {
        let mut seats: Vec<u8> = stakes.bets(pile).map(|at| bets[at].seat).filter(|at| wanted(*at)).collect();
        seats.sort_unstable();
        seats.dedup();
        seats
    };
    let (seats, sits) = match pile.player {
        Player::Box(seat) => (vec![seat], Sits::Yes),
        Player::Named(name) => match seating.seats_of(name) {
            mut own if !own.is_empty() => {
                // A seat that nobody took can only mean the player who bets there.
                own.extend(staked(&|seat| seating.is_free(seat)));
                (own, Sits::Yes)
            }
            _ => among(&staked(&|_| true), |seat| seating.sits(seat, name)),
        },
    };
    Claim { seats, sits, sum: pile.sum, first: stakes.first(pile) }
}

/// Of the seats a player bets at, those at which they sit or may sit.
fn among(staked: &[u8], sits: impl Fn(u8) -> Sits) -> (Vec<u8>, Sits) {
    let at = |wanted: Sits| staked.iter().copied().filter(|seat| sits(*seat) == wanted).collect::<Vec<_>>();
    match (at(Sits::Yes), at(Sits::Perhaps)) {
        (yes, _) if !yes.is_empty() => (yes, Sits::Yes),
        (_, perhaps) if !perhaps.is_empty() => (perhaps, Sits::Perhaps),
        (none, _) => (none, Sits::No),
    }
}

fn holder_name(holder: Holder) -> String {
    match holder {
        Holder::Croupier => "the croupier".to_owned(),
        Holder::Seat(seat) => format!("seat {seat}"),
    }
}
