//! The names that an event holds: those of people, and those of things.

use events::{Body, Name};

/// A name in an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named<'a> {
    /// Of a player, or of somebody who signs.
    Person(&'a Name),
    /// Of a shoe, a deck, a colour, an office, a currency or an irregularity.
    Thing(&'a Name),
}

impl<'a> Named<'a> {
    pub(crate) const fn name(self) -> &'a Name {
        match self {
            Self::Person(name) | Self::Thing(name) => name,
        }
    }
}

/// The names of an event. Those of an event that a correction puts in its place are not among those of the correction:
/// they come with the event itself, once it is judged again.
pub(crate) fn names_of(body: &Body) -> Vec<Named<'_>> {
    match body {
        Body::SeatTaken(seat) | Body::SeatLeft(seat) => of_player(&seat.player),
        Body::BetPlaced(placed) => of_player(&placed.player),
        Body::AbonoPlaced(placed) => of_player(&placed.player),
        Body::BancoCalled(called) => of_player(&called.player),
        Body::BankPassed(passed) => of_player(&passed.player),
        Body::BankBid(bid) => of_player(&bid.player),
        Body::BankTaken(taken) => {
            let partners = taken.partners.iter().map(|partner| &partner.player);
            taken.player.iter().chain(partners).map(Named::Person).collect()
        }
        Body::CoupVoided(voided) => [Some(&voided.ruled_by), voided.countersigned_by.as_ref()]
            .into_iter()
            .flatten()
            .map(Named::Person)
            .collect(),
        Body::IrregularityRecorded(irregularity) => {
            let signers = [Some(&irregularity.ruled_by), irregularity.countersigned_by.as_ref()];
            let signers = signers.into_iter().flatten().map(Named::Person);
            signers.chain([Named::Thing(&irregularity.code)]).collect()
        }
        Body::CardReplaced(replaced) => [Some(&replaced.ruled_by), replaced.countersigned_by.as_ref()]
            .into_iter()
            .flatten()
            .map(Named::Person)
            .collect(),
        Body::ExtensionRecorded(extension) => vec![Named::Thing(&extension.name)],
        Body::CorrectionRecorded(correction) => correction.signed_by.iter().map(Named::Person).collect(),
        Body::LeaveGiven(given) => vec![Named::Person(&given.given_by), Named::Thing(&given.office)],
        Body::TableOpened(opened) => vec![Named::Thing(&opened.currency)],
        Body::ShoeLoaded(loaded) => {
            let decks = loaded.deck_serials.iter().chain(&loaded.back_colours);
            [&loaded.shoe].into_iter().chain(decks).map(Named::Thing).collect()
        }
        Body::TableClosed(_)
        | Body::LimitsChanged(_)
        | Body::BurnCards(_)
        | Body::CutCardDrawn(_)
        | Body::ShoeEnded(_)
        | Body::BetWithdrawn(_)
        | Body::BetsClosed(_)
        | Body::PuntoHolder(_)
        | Body::CardDrawn(_)
        | Body::CoupSettled(_)
        | Body::CommissionCollected(_)
        | Body::DealOffered(_)
        | Body::DealAccepted(_)
        | Body::DealDeclined(_)
        | Body::GarajeSet(_)
        | Body::DrawDecided(_)
        | Body::PlayersPresent(_)
        | Body::BankSettled(_)
        | Body::ValuesComputed(_)
        | Body::Unknown(_) => Vec::new(),
    }
}

fn of_player(player: &Option<Name>) -> Vec<Named<'_>> {
    player.as_ref().map(Named::Person).into_iter().collect()
}
