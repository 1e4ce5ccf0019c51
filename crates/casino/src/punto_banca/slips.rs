//! Bets that honest guests add to their own: more chips on the same thing, or at another seat.

use baccarat::{Money, PuntoHolderRule};
use events::Name;

use super::PuntoBanca;
use super::bets::Bet;
use crate::session::money;

impl PuntoBanca {
    /// Now and then a guest adds to the bet placed last, within the limit of all their bets on it.
    pub(super) fn place_more(&mut self, seat: u8, player: &Name, bets: &mut Vec<Bet>) {
        let Some(first) = bets.last().filter(|bet| bet.seat == seat).cloned() else { return };
        let left = self.most(&first.kind).saturating_sub(first.stake.get());
        let stake = self.slip();
        let target_seat = if self.session.varies(12) {
            Some(seat)
        } else if self.session.varies(6) {
            self.empty_seat(&first)
        } else {
            None
        };
        if let Some(target_seat) = target_seat.filter(|_| stake <= left) {
            bets.push(self.place_exactly(target_seat, player, first.kind, money(stake)).0);
        }
    }

    /// A stake that may be under the minimum, because only the sum has to reach it.
    fn slip(&self) -> u64 {
        self.session.limits.multiple.map_or(200, Money::get)
    }

    /// A seat at which nobody sits, where it does not matter who holds punto's cards.
    fn empty_seat(&self, bet: &Bet) -> Option<u8> {
        let holds = self.session.book.deal.punto_holder == PuntoHolderRule::HighestPuntoBet;
        let free = |seat: &&u8| !self.session.players.contains_key(*seat);
        let seats = || self.session.seats.iter().find(free).copied();
        if holds && bet.kind.as_str() == "punto" { None } else { seats() }
    }
}
