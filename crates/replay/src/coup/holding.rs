//! Who holds punto's cards: this has to be recorded once, between the close of the bets and the first card,
//! and has to name the seated player with the highest stake on punto.

use baccarat::{Money, PuntoHolderRule, TieBreak};
use events::Holder;
use serde::{Deserialize, Serialize};

use super::{Bet, BetState, CoupInPlay};
use crate::Code;
use crate::rules::Rules;
use crate::seating::{Seating, Sits};
use crate::sink::{Accusation, Location, Sink};
use crate::stakes::{Pile, Player, Stakes};
use crate::statement::{AnyOf, OfSeats};
use crate::verdict::Reason;

/// What the record says about punto's holder.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Holding {
    recorded: bool,
    /// Where the holder was recorded before the close of the bets, and the accusation if no close follows.
    early: Option<(Location, Option<Accusation>)>,
    /// Cards drawn when the bets were closed.
    drawn_at_close: u32,
}

impl Holding {
    pub(super) const fn is_recorded(&self) -> bool {
        self.recorded
    }
}

/// Most disputed bets (they may count or not) of which all combinations are tried; with more the holder is not
/// judged.
const DISPUTED: usize = 4;

/// A player who may hold punto's cards.
struct Claim<'a> {
    pile: &'a Pile<'a>,
    sits: Sits,
    sum: Money,
    /// The first of the player's bets on punto.
    first: usize,
}

/// The players who staked on punto; only those with a name where boxes may belong to anybody.
struct Claims<'a> {
    stakes: &'a Stakes<'a>,
    bets: &'a [Bet],
    seating: &'a Seating,
    all: Vec<Claim<'a>>,
}

impl CoupInPlay {
    /// Punto's cards are handed out.
    pub(crate) fn hold(&mut self, holder: Holder, rules: &Rules, seating: &Seating, sink: &mut Sink) {
        let dealt = self.closed && self.drawn > self.holding.drawn_at_close && !self.reopened();
        if std::mem::replace(&mut self.holding.recorded, true) {
            return sink.accuse(self.holder_late(OfSeats::HolderOnce, OfSeats::HolderAgain));
        }
        if dealt {
            self.may_hold(rules);
            return sink.accuse(self.holder_late(OfSeats::HolderBeforeCard, OfSeats::HolderAfterCard));
        }
        self.judge_limits(Some(rules).filter(|_| self.closed), sink);
        if self.closed {
            self.judge_stakes(rules, sink);
        }
        let wrong = self.judge_holder(holder, rules, seating);
        if self.under_way() {
            sink.accuse_all(wrong);
        } else {
            self.holding.early = Some((sink.location(), wrong));
        }
    }

    fn holder_late(&self, expected: OfSeats, recorded: OfSeats) -> Accusation {
        self.accusation(Code::PuntoHolderLate, expected, recorded)
    }

    /// The bets are closed: reports a holder that was recorded before.
    pub(super) fn close_before_holder(&mut self, sink: &mut Sink) {
        self.holding.drawn_at_close = self.drawn;
        if let Some((location, _)) = self.holding.early.take() {
            let late = self.holder_late(OfSeats::HolderAfterClose, OfSeats::HolderBeforeClose);
            sink.accuse(late.at(location));
        }
    }

    /// The first card is drawn and the bets were not closed, which has a finding of its own.
    pub(super) fn deal_without_close(&mut self, sink: &mut Sink) {
        if let Some((location, Some(wrong))) = self.holding.early.take() {
            sink.accuse(wrong.at(location));
        }
    }

    /// Whether it was dealt without a recorded holder of punto's cards, where one has to be recorded.
    pub(crate) fn lacks_holder(&self, rules: &Rules) -> bool {
        let staked = |bet: &Bet| bet.kind == rules.punto() && bet.state != BetState::Withdrawn;
        let due = match rules.book.deal.punto_holder {
            PuntoHolderRule::HighestPuntoBet => true,
            PuntoHolderRule::Banco => self.bets.iter().any(staked),
            PuntoHolderRule::Croupier => false,
        };
        due && self.drawn > 0 && !self.holding.recorded
    }

    fn judge_holder(&mut self, holder: Holder, rules: &Rules, seating: &Seating) -> Option<Accusation> {
        let allowed = match rules.book.deal.punto_holder {
            PuntoHolderRule::Croupier => vec![Holder::Croupier],
            PuntoHolderRule::Banco => self.may_hold(rules)?,
            PuntoHolderRule::HighestPuntoBet if self.plainly_has_most(holder, rules, seating) => return None,
            PuntoHolderRule::HighestPuntoBet => self.with_most(holder, rules, seating)?,
        };
        (!allowed.contains(&holder)).then(|| {
            let mut holders: Vec<Holder> = Vec::new();
            for holder in allowed {
                if !holders.contains(&holder) {
                    holders.push(holder);
                }
            }
            let expected = OfSeats::Holders { holders: AnyOf(holders.into()) };
            self.accusation(Code::PuntoHolder, expected, OfSeats::Holder { holder })
        })
    }

    /// The ways in which bets may count that came too late, or were taken back too late, each by the numbers of those
    /// that do beside the others; `None` where there are too many.
    pub(crate) fn ways_to_count(&self) -> Option<Vec<Vec<u64>>> {
        ways_to_count(&self.bets)
    }

    /// Whoever may have most on punto; `None` where that may be anybody.
    pub(super) fn with_most(
        &mut self,
        holder: Holder,
        rules: &Rules,
        seating: &Seating,
    ) -> Option<Vec<Holder>> {
        let most = with_most(holder, &self.bets, rules.punto(), rules.book.deal.tie_break, seating)?;
        if most.is_open {
            self.doubt(Reason::PlayerUnnamed);
        }
        most.allowed
    }
}

fn ways_to_count(bets: &[Bet]) -> Option<Vec<Vec<u64>>> {
    let mut ways = vec![Vec::new()];
    for bet in bets.iter().filter(|bet| bet.is_disputed()) {
        if ways.len() == 1 << DISPUTED {
            return None;
        }
        let with: Vec<Vec<u64>> =
            ways.iter().map(|way: &Vec<u64>| [way.as_slice(), &[bet.sequence]].concat()).collect();
        ways.extend(with);
    }
    Some(ways)
}

/// Whoever may have most on punto.
#[derive(Debug)]
pub(crate) struct WithMost {
    /// `None`: that may be anybody.
    pub(crate) allowed: Option<Vec<Holder>>,
    /// Whether it depends on whose the boxes without a name are.
    pub(crate) is_open: bool,
}

/// Whoever may have most on punto, by its number among the kinds of the bets; `None` if too many bets may count or not.
pub(crate) fn with_most(
    holder: Holder,
    bets: &[Bet],
    punto: Option<usize>,
    rule: TieBreak,
    seating: &Seating,
) -> Option<WithMost> {
    let most = |way: &[u64]| {
        let counts = |bet: &Bet| bet.stood_in_time() || way.contains(&bet.sequence);
        let stakes = Stakes::on_kinds(bets, counts, |kind| Some(kind) == punto);
        let boxes = punto.map(|kind| stakes.mixed_on(kind).nameless).unwrap_or_default();
        Claims::of(&stakes, bets, seating).holders(boxes, rule)
    };
    let (mut allowed, mut anybody, mut sure) = (Vec::new(), false, false);
    for way in ways_to_count(bets)? {
        let Most { allowed: may, sure: must } = most(&way);
        anybody |= may.is_empty();
        sure |= must.as_ref().unwrap_or(&may).contains(&holder);
        allowed.extend(may);
    }
    let is_open = !sure && (anybody || allowed.contains(&holder));
    Some(WithMost { allowed: (!anybody).then_some(allowed), is_open })
}

/// Who may hold punto's cards.
struct Most {
    /// Empty: anybody may hold them.
    allowed: Vec<Holder>,
    /// Those who may hold them whoever owns the boxes without a name, where that is not all of them.
    sure: Option<Vec<Holder>>,
}

impl<'a> Claims<'a> {
    fn of(stakes: &'a Stakes<'a>, bets: &'a [Bet], seating: &'a Seating) -> Self {
        let own = |pile: &&Pile<'_>| pile.player.is_named() || !stakes.is_mixed();
        let mut claims = Self { stakes, bets, seating, all: Vec::new() };
        claims.all = stakes.piles().iter().filter(own).map(|pile| claims.claim(pile)).collect();
        claims
    }

    fn claim(&self, pile: &'a Pile<'a>) -> Claim<'a> {
        Claim { pile, sits: self.sits(pile), sum: pile.sum, first: self.stakes.first(pile) }
    }

    /// The seats of the bets of a pile.
    fn staked_at(&self, pile: &Pile<'a>) -> impl Iterator<Item = u8> {
        self.stakes.bets(pile).map(|at| self.bets[at].seat)
    }

    fn sits(&self, pile: &Pile<'a>) -> Sits {
        let Player::Named(name) = pile.player else { return Sits::Yes };
        if self.seating.seats_of(name).next().is_some() {
            return Sits::Yes;
        }
        let sits = |wanted: Sits| self.staked_at(pile).any(|seat| self.seating.sits(seat, name) == wanted);
        [Sits::Yes, Sits::Perhaps].into_iter().find(|wanted| sits(*wanted)).unwrap_or(Sits::No)
    }

    /// The seats at which a player sits or may sit; of one who does neither those of the bets.
    fn seats(&self, claim: &Claim<'a>) -> Vec<u8> {
        let staked = |wanted: &dyn Fn(u8) -> bool| {
            let mut seats: Vec<u8> = self.staked_at(claim.pile).filter(|seat| wanted(*seat)).collect();
            seats.sort_unstable();
            seats.dedup();
            seats
        };
        let name = match claim.pile.player {
            Player::Box(seat) => return vec![seat],
            Player::Named(name) => name,
        };
        let mut own: Vec<u8> = self.seating.seats_of(name).collect();
        if own.is_empty() {
            return staked(&|seat| self.seating.sits(seat, name) == claim.sits);
        }
        // A seat that nobody took can only mean the player who bets there.
        own.extend(staked(&|seat| self.seating.is_free(seat)));
        own
    }

    fn holders_of(&self, claims: &[&Claim<'a>]) -> Vec<Holder> {
        claims.iter().flat_map(|claim| self.seats(claim)).map(Holder::Seat).collect()
    }

    /// `boxes` is what nameless boxes hold that may be anybody's.
    fn holders(&self, boxes: Money, rule: TieBreak) -> Most {
        let sums = self.all.iter().filter(|claim| claim.sits == Sits::Yes).map(|claim| claim.sum);
        let least = sums.max();
        if boxes > Money::ZERO && least.is_none_or(|least| boxes >= least) {
            return Most { allowed: Vec::new(), sure: None };
        }
        let may = |claim: &&Claim<'a>| claim.sits != Sits::No;
        let with = |enough: &dyn Fn(&Claim<'a>) -> bool| -> Vec<&Claim<'a>> {
            self.all.iter().filter(may).filter(|claim| enough(claim)).collect()
        };
        let certain = boxes == Money::ZERO && self.all.iter().all(|claim| claim.sits != Sits::Perhaps);
        let best = with(&|claim| least.is_none_or(|least| claim.sum.plus(boxes) >= least));
        let mut allowed = if certain { self.first_of(best, rule) } else { self.holders_of(&best) };
        if least.is_none() {
            allowed.push(Holder::Croupier);
        }
        let sure = (boxes > Money::ZERO).then(|| {
            self.holders_of(&with(&|claim| {
                let others = self.all.iter().filter(may).filter(|other| other.first != claim.first);
                claim.sits == Sits::Yes
                    && others.map(|other| other.sum.plus(boxes)).all(|sum| sum <= claim.sum)
            }))
        });
        Most { allowed, sure }
    }

    /// Between equal sums.
    fn first_of(&self, mut equal: Vec<&Claim<'a>>, rule: TieBreak) -> Vec<Holder> {
        if equal.len() > 1 {
            match rule {
                TieBreak::FirstPlaced => equal.sort_by_key(|claim| claim.first),
                TieBreak::LowestSeat | TieBreak::Priority | TieBreak::Unstated => {
                    equal.sort_by_cached_key(|claim| self.seats(claim).first().copied());
                }
            }
            if rule != TieBreak::Unstated {
                equal.truncate(1);
            }
        }
        self.holders_of(&equal)
    }
}
