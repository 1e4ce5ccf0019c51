//! The names that an event holds, and what the event says of whoever has them. This is the one list of them: who looks
//! for people, or for names that nobody can read, asks here.

use crate::{Body, Name};

/// What an event says of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Takes this seat.
    Sits(u8),
    /// Leaves a seat.
    Leaves,
    /// Stakes money at this seat: a bet, an abono, a banco.
    Stakes(u8),
    /// Has the bank, or part of it.
    Banks,
    /// Passes the bank, or bids for it.
    Plays,
    /// Signs a ruling, a correction or leave.
    Signs,
    /// Is no person: a shoe, a deck, a colour, an office, a currency, an irregularity or an extension.
    Thing,
}

impl Role {
    /// Whether it is a person's name.
    #[must_use]
    pub const fn is_of_person(self) -> bool {
        !matches!(self, Self::Thing)
    }
}

impl Body {
    /// Whether this event holds a name.
    #[must_use]
    pub fn has_names(&self) -> bool {
        let mut any = false;
        self.each_name(|_, _| any = true);
        any
    }

    /// Hands over each name of this event. The names of an event that a correction puts in the place of another are
    /// not among them.
    #[inline]
    pub fn each_name<'a>(&'a self, mut see: impl FnMut(Role, &'a Name)) {
        let signed = |by: &'a Name, countersigned: &'a Option<Name>, see: &mut dyn FnMut(Role, &'a Name)| {
            see(Role::Signs, by);
            countersigned.iter().for_each(|name| see(Role::Signs, name));
        };
        match self {
            Self::BetPlaced(placed) => {
                placed.player.iter().for_each(|name| see(Role::Stakes(placed.seat), name));
            }
            Self::AbonoPlaced(placed) => {
                placed.player.iter().for_each(|name| see(Role::Stakes(placed.seat), name));
            }
            Self::BancoCalled(called) => {
                called.player.iter().for_each(|name| see(Role::Stakes(called.seat), name));
            }
            Self::SeatTaken(seat) => seat.player.iter().for_each(|name| see(Role::Sits(seat.seat), name)),
            Self::SeatLeft(seat) => seat.player.iter().for_each(|name| see(Role::Leaves, name)),
            Self::BankPassed(passed) => passed.player.iter().for_each(|name| see(Role::Plays, name)),
            Self::BankBid(bid) => bid.player.iter().for_each(|name| see(Role::Plays, name)),
            Self::BankTaken(taken) => {
                let partners = taken.partners.iter().map(|partner| &partner.player);
                taken.player.iter().chain(partners).for_each(|name| see(Role::Banks, name));
            }
            Self::CoupVoided(voided) => signed(&voided.ruled_by, &voided.countersigned_by, &mut see),
            Self::IrregularityRecorded(irregularity) => {
                signed(&irregularity.ruled_by, &irregularity.countersigned_by, &mut see);
                see(Role::Thing, &irregularity.code);
            }
            Self::CardReplaced(replaced) => signed(&replaced.ruled_by, &replaced.countersigned_by, &mut see),
            Self::CorrectionRecorded(correction) => {
                correction.signed_by.iter().for_each(|name| see(Role::Signs, name));
            }
            Self::LeaveGiven(given) => {
                see(Role::Signs, &given.given_by);
                see(Role::Thing, &given.office);
            }
            Self::ExtensionRecorded(extension) => see(Role::Thing, &extension.name),
            Self::TableOpened(opened) => see(Role::Thing, &opened.currency),
            Self::ShoeLoaded(loaded) => {
                let decks = loaded.deck_serials.iter().chain(&loaded.back_colours);
                [&loaded.shoe].into_iter().chain(decks).for_each(|name| see(Role::Thing, name));
            }
            Self::TableClosed(_)
            | Self::LimitsChanged(_)
            | Self::BurnCards(_)
            | Self::CutCardDrawn(_)
            | Self::ShoeEnded(_)
            | Self::BetWithdrawn(_)
            | Self::BetsClosed(_)
            | Self::PuntoHolder(_)
            | Self::CardDrawn(_)
            | Self::CoupSettled(_)
            | Self::CommissionCollected(_)
            | Self::DealOffered(_)
            | Self::DealAccepted(_)
            | Self::DealDeclined(_)
            | Self::GarajeSet(_)
            | Self::DrawDecided(_)
            | Self::PlayersPresent(_)
            | Self::BankSettled(_)
            | Self::ValuesComputed(_)
            | Self::Unknown(_) => {}
        }
    }
}
