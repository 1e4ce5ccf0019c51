//! Bounds that the types alone do not express: lengths of lists, and corrections of corrections.

use crate::codec::MAX_LIST;
use crate::kind::every_kind;
use crate::*;

/// A record whose bounds serde and the types cannot check; those that have none say so in
/// `codec/fields.rs`.
pub(crate) trait Bounded {
    fn check(&self) -> Result<(), String>;
}

macro_rules! check_by_kind {
    ($($number:literal $minor:literal $name:ident $record:ident)+) => {
        impl Body {
            /// Checks what serde and the types cannot.
            ///
            /// # Errors
            /// A sentence that names the field, what it holds and what is allowed.
            pub fn check(&self) -> Result<(), String> {
                match self {
                    $(Self::$name(record) => record.check(),)+
                    Self::Unknown(_) => Ok(()),
                }
            }
        }
    };
}
every_kind!(check_by_kind);

impl Bounded for ShoeLoaded {
    fn check(&self) -> Result<(), String> {
        at_most("deck_serials", self.deck_serials.len(), 16)?;
        at_most("back_colours", self.back_colours.len(), 16)
    }
}

impl Bounded for BurnCards {
    fn check(&self) -> Result<(), String> {
        at_most("faces", self.faces.len(), 255)
    }
}

impl Bounded for CoupSettled {
    fn check(&self) -> Result<(), String> {
        at_most("bets", self.bets.len(), MAX_LIST)
    }
}

impl Bounded for TableOpened {
    fn check(&self) -> Result<(), String> {
        at_most("seats", self.seats.len(), 255)?;
        at_most("limits.bets", self.limits.bets.len(), 255)?;
        if self.minor_digits > 6 {
            return Err(format!("minor_digits is {}; at most 6 is allowed", self.minor_digits));
        }
        Ok(())
    }
}

impl Bounded for Limits {
    fn check(&self) -> Result<(), String> {
        at_most("bets", self.bets.len(), 255)
    }
}

impl Bounded for Irregularity {
    fn check(&self) -> Result<(), String> {
        at_most("positions", self.positions.len(), 16)
    }
}

impl Bounded for ShoeEnded {
    fn check(&self) -> Result<(), String> {
        at_most("reveal.order", self.reveal.as_ref().map_or(0, |reveal| reveal.order.len()), 624)
    }
}

impl Bounded for PuntoHolder {
    fn check(&self) -> Result<(), String> {
        if self.holder == Holder::Seat(0) {
            return Err("holder is seat 0; seats are numbered from 1".to_owned());
        }
        Ok(())
    }
}

impl Bounded for CorrectionRecorded {
    fn check(&self) -> Result<(), String> {
        if matches!(*self.corrected, Body::CorrectionRecorded(_)) {
            return Err("corrected is itself a correction; name the event it corrects".to_owned());
        }
        if matches!(*self.corrected, Body::ExtensionRecorded(_)) {
            return Err("corrected is an extension, which cannot stand for an event".to_owned());
        }
        if matches!(*self.corrected, Body::Unknown(_)) {
            return Err("corrected is an event of a kind this version does not know".to_owned());
        }
        self.corrected.check()
    }
}

impl Bounded for ValuesComputed {
    fn check(&self) -> Result<(), String> {
        if self.values.is_empty() {
            return Err("values holds 0 items; at least 1 is needed".to_owned());
        }
        at_most("values", self.values.len(), 3)
    }
}

impl Bounded for BankTaken {
    fn check(&self) -> Result<(), String> {
        at_most("partners", self.partners.len(), 16)
    }
}

fn at_most(field: &str, found: usize, most: usize) -> Result<(), String> {
    if found <= most {
        Ok(())
    } else {
        Err(format!("{field} holds {found} items; at most {most} are allowed"))
    }
}
