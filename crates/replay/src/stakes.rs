//! What each player has standing on each kind of bet in one coup, for bets that exclude or require
//! one another. Kinds that do neither are not noted.

use std::collections::BTreeMap;

use baccarat::Money;
use events::Name;
use serde::{Deserialize, Serialize};

/// A player at a seat, with or without a name, and a kind of bet by its number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct On {
    seat: u8,
    player: Option<Name>,
    kind: usize,
}

/// Bets of one kind that one player has standing.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Standing {
    bets: u32,
    sum: Money,
}

/// Stakes of one coup.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Stakes {
    #[serde(with = "crate::saved::pairs")]
    standing: BTreeMap<On, Standing>,
}

impl Stakes {
    pub(crate) fn place(&mut self, seat: u8, player: Option<&Name>, kind: usize, stake: Money) {
        let on = self.standing.entry(On { seat, player: player.cloned(), kind }).or_default();
        on.bets += 1;
        on.sum = on.sum.plus(stake);
    }

    pub(crate) fn withdraw(&mut self, seat: u8, player: Option<&Name>, kind: usize, stake: Money) {
        if let Some(on) = self.standing.get_mut(&On { seat, player: player.cloned(), kind }) {
            on.bets = on.bets.saturating_sub(1);
            on.sum = on.sum.minus(stake);
        }
    }

    /// What the player has standing on a kind; `None` where there is no bet.
    pub(crate) fn on(&self, seat: u8, player: Option<&Name>, kind: usize) -> Option<Money> {
        let standing = self.standing.get(&On { seat, player: player.cloned(), kind })?;
        (standing.bets > 0).then_some(standing.sum)
    }
}
