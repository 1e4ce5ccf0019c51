//! Bounds that the types alone do not hold: lengths of lists, and corrections of corrections.

use crate::codec::MAX_LIST;
use crate::{Body, Holder};

impl Body {
    /// Checks what serde and the types cannot.
    ///
    /// # Errors
    /// A sentence that names the field, what it holds and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::ShoeLoaded(loaded) => {
                at_most("deck_serials", loaded.deck_serials.len(), 16)?;
                at_most("back_colours", loaded.back_colours.len(), 16)
            }
            Self::BurnCards(burn) => at_most("faces", burn.faces.len(), 255),
            Self::CoupSettled(settled) => at_most("bets", settled.bets.len(), MAX_LIST),
            Self::TableOpened(opened) => {
                at_most("seats", opened.seats.len(), 255)?;
                at_most("limits.bets", opened.limits.bets.len(), 255)?;
                if opened.minor_digits > 6 {
                    return Err(format!("minor_digits is {}; at most 6 is allowed", opened.minor_digits));
                }
                Ok(())
            }
            Self::LimitsChanged(limits) => at_most("bets", limits.bets.len(), 255),
            Self::IrregularityRecorded(irregularity) => {
                at_most("positions", irregularity.positions.len(), 16)
            }
            Self::ShoeEnded(ended) => {
                at_most("reveal.order", ended.reveal.as_ref().map_or(0, |reveal| reveal.order.len()), 624)
            }
            Self::PuntoHolder(given) if given.holder == Holder::Seat(0) => {
                Err("holder is seat 0; seats are numbered from 1".to_owned())
            }
            Self::CorrectionRecorded(correction) => {
                if matches!(*correction.corrected, Self::CorrectionRecorded(_)) {
                    return Err("corrected is itself a correction; name the event it corrects".to_owned());
                }
                if matches!(*correction.corrected, Self::Unknown(_)) {
                    return Err("corrected is an event of a kind this version does not know".to_owned());
                }
                correction.corrected.check()
            }
            Self::BankTaken(taken) => at_most("partners", taken.partners.len(), 16),
            Self::BankPassed(_)
            | Self::BancoCalled(_)
            | Self::AbonoPlaced(_)
            | Self::GarajeSet(_)
            | Self::DrawDecided(_)
            | Self::PlayersPresent(_)
            | Self::BankSettled(_)
            | Self::BankBid(_)
            | Self::LeaveGiven(_)
            | Self::BetPlaced(_)
            | Self::CardDrawn(_)
            | Self::TableClosed(_)
            | Self::SeatTaken(_)
            | Self::SeatLeft(_)
            | Self::DealOffered(_)
            | Self::DealAccepted(_)
            | Self::DealDeclined(_)
            | Self::BetWithdrawn(_)
            | Self::BetsClosed(_)
            | Self::PuntoHolder(_)
            | Self::CutCardDrawn(_)
            | Self::CommissionCollected(_)
            | Self::CoupVoided(_)
            | Self::Unknown(_) => Ok(()),
        }
    }
}

fn at_most(field: &str, found: usize, most: usize) -> Result<(), String> {
    if found <= most {
        Ok(())
    } else {
        Err(format!("{field} holds {found} items; at most {most} are allowed"))
    }
}
