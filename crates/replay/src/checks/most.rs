//! Which players may have the highest stake on punto, where it is not known whether a bet counts, whose a box is, or whether a player sits.

use baccarat::{Money, TieBreak};
use events::Holder;

use crate::person::Person;
use crate::seating::{Seating, Sits};
use crate::stakes::{Pile, Player, Stake, Stakes};

/// Most bets that may count or not. All their combinations are tried; with more such bets the holder is not judged.
const DISPUTED: usize = 4;

/// Whether a bet counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counts {
    Yes,
    /// It was placed or taken back too late.
    Perhaps,
    No,
}

/// A bet of a coup.
#[derive(Debug, Clone)]
pub(super) struct Bet {
    pub(super) seat: u8,
    pub(super) person: Option<Person>,
    /// Number of its kind; `None` if that is not offered.
    pub(super) kind: Option<usize>,
    pub(super) stake: Money,
    /// Sequence of the event that placed it.
    pub(super) sequence: u64,
    pub(super) counts: Counts,
}

impl Stake for Bet {
    fn person(&self) -> Option<&Person> {
        self.person.as_ref()
    }

    fn seat(&self) -> u8 {
        self.seat
    }

    fn kind(&self) -> Option<usize> {
        self.kind
    }

    fn stake(&self) -> Money {
        self.stake
    }

    fn is_alike(&self) -> bool {
        false
    }
}

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

fn ways_to_count(bets: &[Bet]) -> Option<Vec<Vec<u64>>> {
    let mut ways = vec![Vec::new()];
    for bet in bets.iter().filter(|bet| bet.counts == Counts::Perhaps) {
        if ways.len() == 1 << DISPUTED {
            return None;
        }
        let with: Vec<Vec<u64>> =
            ways.iter().map(|way: &Vec<u64>| [way.as_slice(), &[bet.sequence]].concat()).collect();
        ways.extend(with);
    }
    Some(ways)
}

/// The players who may have most on punto.
#[derive(Debug)]
pub(super) struct WithMost {
    /// `None`: that may be anybody.
    pub(super) allowed: Option<Vec<Holder>>,
    /// Whether it depends on whose the boxes without a name are.
    pub(super) is_open: bool,
}

/// The players who may have most on `punto`, a number of a kind of bet; `None` if too many bets may count or not.
pub(super) fn with_most(
    holder: Holder,
    bets: &[Bet],
    punto: usize,
    rule: TieBreak,
    seating: &Seating,
) -> Option<WithMost> {
    let most = |way: &[u64]| {
        let counts = |bet: &Bet| bet.counts == Counts::Yes || way.contains(&bet.sequence);
        let stakes = Stakes::on_kinds(bets, counts, |kind| kind == punto);
        let boxes = stakes.mixed_on(punto).nameless;
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
    /// Those who may hold them, no matter whose the boxes without a name are; `None`: all of `allowed`.
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
