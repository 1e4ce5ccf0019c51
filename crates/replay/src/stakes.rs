//! The stakes of one coup, summed by player and kind of bet.
//!
//! A bet counts for its player over all seats; a bet without a name counts for its box. Where some bets of a
//! coup have names and others have none, a box may belong to anybody; names that look like others at the table may
//! all be one player's. Then this module gives bounds, which are never too narrow and sometimes too wide.

use std::collections::BTreeMap;
use std::ops::Range;

use baccarat::Money;

use crate::person::Person;

/// A bet, as far as sums of stakes need it.
pub(crate) trait Stake {
    /// Whose it is, if it has a name.
    fn person(&self) -> Option<&Person>;
    fn seat(&self) -> u8;
    /// Number of its kind; `None` if that is not offered.
    fn kind(&self) -> Option<usize>;
    fn stake(&self) -> Money;
    /// Whether another name of the table looks like its player's.
    fn is_alike(&self) -> bool;
}

/// A player as far as the bets identify one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Player<'a> {
    Named(&'a Person),
    Box(u8),
}

impl Player<'_> {
    pub(crate) const fn is_named(self) -> bool {
        match self {
            Self::Named(_) => true,
            Self::Box(_) => false,
        }
    }
}

/// What one player has on one kind.
#[derive(Debug, Clone)]
pub(crate) struct Pile<'a> {
    pub(crate) player: Player<'a>,
    /// The player's number among those of the coup.
    who: usize,
    pub(crate) kind: usize,
    pub(crate) sum: Money,
    /// Whether another name of the table looks like the player's.
    pub(crate) alike: bool,
    bets: Range<usize>,
}

/// The piles of one kind together.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OfKind {
    pub(crate) piles: usize,
    /// Boxes among them, and what they hold together.
    pub(crate) boxes: usize,
    pub(crate) nameless: Money,
    /// The largest that has a name; all names that look like others may be one player's.
    pub(crate) largest: Money,
    /// Piles of such names, and what they hold together.
    alikes: usize,
    alike: Money,
}

/// Stakes of one coup.
#[derive(Debug, Clone)]
pub(crate) struct Stakes<'a> {
    /// Bets by player, kind and the order in which they were placed.
    bets: Vec<(Player<'a>, usize, usize)>,
    piles: Vec<Pile<'a>>,
    /// Where some bets have names and others have none, or names look like others.
    mixed: Option<BTreeMap<usize, OfKind>>,
}

impl<'a> Stakes<'a> {
    /// Of the bets that count.
    pub(crate) fn of<B: Stake>(bets: &'a [B], counts: impl Fn(&B) -> bool) -> Self {
        Self::on_kinds(bets, counts, |_| true)
    }

    /// Of the bets that count on these kinds; whether some have names and others none is asked of all that count.
    pub(crate) fn on_kinds<B: Stake>(
        bets: &'a [B],
        counts: impl Fn(&B) -> bool,
        wanted: impl Fn(usize) -> bool,
    ) -> Self {
        let player = |bet: &'a B| bet.person().map_or(Player::Box(bet.seat()), Player::Named);
        let mut order = Vec::with_capacity(bets.len());
        let (mut names, mut boxes, mut alike) = (false, false, false);
        for (at, bet) in bets.iter().enumerate().filter(|(_, bet)| counts(bet)) {
            (names, boxes) = (names || bet.person().is_some(), boxes || bet.person().is_none());
            alike |= bet.is_alike();
            if let Some(kind) = bet.kind().filter(|kind| wanted(*kind)) {
                order.push((player(bet), kind, at));
            }
        }
        order.sort_unstable();
        let piles = piles(bets, &order);
        let mixed = (alike || (names && boxes)).then(|| by_kind(&piles));
        Self { bets: order, piles, mixed }
    }

    pub(crate) fn piles(&self) -> &[Pile<'a>] {
        &self.piles
    }

    /// The bets of a pile, in the order in which they were placed.
    pub(crate) fn bets(&self, pile: &Pile<'a>) -> impl Iterator<Item = usize> + use<'_, 'a> {
        self.bets[pile.bets.clone()].iter().map(|(_, _, at)| *at)
    }

    /// The first of them.
    pub(crate) fn first(&self, pile: &Pile<'a>) -> usize {
        self.bets[pile.bets.start].2
    }

    /// The last of them.
    pub(crate) fn last(&self, pile: &Pile<'a>) -> usize {
        self.bets[pile.bets.end - 1].2
    }

    /// What the player of a pile has on a kind; `None` where there is no bet.
    pub(crate) fn on(&self, pile: &Pile<'_>, kind: usize) -> Option<&Pile<'a>> {
        let at = self.piles.binary_search_by_key(&(pile.who, kind), |other| (other.who, other.kind));
        at.ok().map(|at| &self.piles[at])
    }

    /// Whether some bets have names and others have none, or names look like others.
    pub(crate) const fn is_mixed(&self) -> bool {
        self.mixed.is_some()
    }

    /// The piles of a kind together; nothing where every bet's player is known.
    pub(crate) fn mixed_on(&self, kind: usize) -> OfKind {
        self.mixed.as_ref().and_then(|kinds| kinds.get(&kind)).copied().unwrap_or_default()
    }

    /// Whether another pile of the kind may be of the same player's.
    pub(crate) fn may_join(&self, pile: &Pile<'_>, kind: usize) -> bool {
        if !self.is_mixed() {
            return false;
        }
        let OfKind { piles, boxes, alikes, .. } = self.mixed_on(kind);
        let own = usize::from(self.on(pile, kind).is_some());
        match pile.player {
            Player::Named(_) => boxes > 0 || (pile.alike && alikes > own),
            Player::Box(_) => piles > own,
        }
    }

    /// Most that the player of a pile can have on a kind, whosever the boxes are.
    pub(crate) fn most(&self, pile: &Pile<'_>, kind: usize) -> Money {
        let own = || self.on(pile, kind).map_or(Money::ZERO, |pile| pile.sum);
        let OfKind { nameless, largest, alike, .. } = self.mixed_on(kind);
        match pile.player {
            _ if !self.is_mixed() && pile.kind == kind => pile.sum,
            _ if !self.is_mixed() => own(),
            Player::Named(_) if pile.alike => alike.plus(nameless),
            Player::Named(_) => own().plus(nameless),
            Player::Box(_) => nameless.plus(largest),
        }
    }
}

fn piles<'a, B: Stake>(bets: &[B], order: &[(Player<'a>, usize, usize)]) -> Vec<Pile<'a>> {
    let mut piles: Vec<Pile<'a>> = Vec::with_capacity(order.len());
    for (index, &(player, kind, at)) in order.iter().enumerate() {
        let (stake, alike) = (bets[at].stake(), bets[at].is_alike());
        let before = piles.last_mut().map(|pile| (pile.player == player, pile));
        let who = match before {
            Some((true, pile)) if pile.kind == kind => {
                (pile.sum, pile.bets.end) = (pile.sum.plus(stake), index + 1);
                continue;
            }
            Some((same, pile)) => pile.who + usize::from(!same),
            None => 0,
        };
        piles.push(Pile { player, who, kind, sum: stake, alike, bets: index..index + 1 });
    }
    piles
}

fn by_kind(piles: &[Pile<'_>]) -> BTreeMap<usize, OfKind> {
    let mut kinds: BTreeMap<usize, OfKind> = BTreeMap::new();
    for pile in piles {
        let of = kinds.entry(pile.kind).or_default();
        of.piles += 1;
        match pile.player {
            Player::Named(_) if pile.alike => {
                (of.alikes, of.alike) = (of.alikes + 1, of.alike.plus(pile.sum));
                of.largest = of.largest.max(of.alike);
            }
            Player::Named(_) => of.largest = of.largest.max(pile.sum),
            Player::Box(_) => (of.boxes, of.nameless) = (of.boxes + 1, of.nameless.plus(pile.sum)),
        }
    }
    kinds
}
