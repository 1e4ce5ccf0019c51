//! Who holds punto's cards in chemin de fer: the player who called banco, otherwise the seated player with
//! the highest stake.

use baccarat::Money;
use events::{Call, Holder};

use super::betting::stakes_by_player;
use super::{CheminCoup, Who};
use crate::coup::{Bet, CoupInPlay};
use crate::rules::Rules;

impl CoupInPlay {
    /// Everybody to whom punto's cards may go; `None` where nobody knows who has the bank.
    pub(crate) fn may_hold(&mut self, rules: &Rules) -> Option<Vec<Holder>> {
        let mut coup = self.chemin.take()?;
        coup.holder_given = true;
        let known = coup.banker.is_some() && coup.seats_known;
        let ways = self.ways_to_count().filter(|_| known);
        let allowed = ways.map(|ways| ways.iter().flat_map(|way| self.holders(&coup, way, rules)).collect());
        self.chemin = Some(coup);
        allowed
    }

    /// The same where the disputed bets of these numbers count.
    fn holders(&self, coup: &CheminCoup, way: &[u64], rules: &Rules) -> Vec<Holder> {
        let called = |call: Call| coup.calls.iter().find(|(_, made)| *made == call).map(|(who, _)| who);
        let late_seguido = called(Call::Seguido).filter(|_| coup.granted.is_none());
        let banco = coup.granted().or(late_seguido).or_else(|| called(Call::UltimoCompleto));
        if let Some(who) = banco.or_else(|| called(Call::ConLaMesa)) {
            return vec![Holder::Seat(who.seat)];
        }
        let counts = |bet: &Bet| bet.stood_in_time() || way.contains(&bet.sequence);
        let players = stakes_by_player(self, coup, counts, rules);
        let seated = || players.iter().filter(|(who, _)| who.standing.is_none());
        let Some(highest) = seated().map(|(_, sum)| *sum).max() else {
            // Only players who stand have staked, or nobody: no source says who holds the cards.
            let behind = players.iter().map(|(who, _)| Holder::Seat(who.seat));
            return if players.is_empty() { vec![Holder::Croupier] } else { behind.collect() };
        };
        let banker = coup.banker.as_ref().map_or(0, |who| who.seat);
        let best = seated().filter(|(_, sum)| *sum == highest).map(|(who, _)| who);
        let first = best.min_by_key(|who| who.rank(banker)).map(|who| who.seat);
        let right = coup.right_of_the_last_banker(&players);
        first.into_iter().chain(right).map(Holder::Seat).collect()
    }
}

impl CheminCoup {
    /// Whoever passed a smaller bank than this one may take the cards in its first coup.
    fn right_of_the_last_banker(&self, players: &[(Who, Money)]) -> Option<u8> {
        let (who, bank) = self.before.as_ref().filter(|_| self.first_of_banker)?;
        let staked = players.iter().any(|(player, _)| player == who);
        (staked && self.bank > *bank).then_some(who.seat)
    }
}
