//! Every kind of event once: its number in canonical bytes, its name in JSON, the record it carries.
//!
//! Numbers never change their meaning; those from 23 on came with minor version 1.

use crate::Body;

/// Hands the table to a macro as rows of `number Name Record`.
macro_rules! every_kind {
    ($take:ident) => {
        $take! {
            1 ShoeLoaded ShoeLoaded
            2 BurnCards BurnCards
            3 BetPlaced BetPlaced
            4 CardDrawn CardDrawn
            5 CoupSettled CoupSettled
            6 TableOpened TableOpened
            7 TableClosed TableClosed
            8 LimitsChanged Limits
            9 SeatTaken Seat
            10 SeatLeft Seat
            11 DealOffered Deal
            12 DealAccepted Deal
            13 DealDeclined Deal
            14 BetWithdrawn BetWithdrawn
            15 BetsClosed BetsClosed
            16 PuntoHolder PuntoHolder
            17 CutCardDrawn CutCardDrawn
            18 CommissionCollected CommissionCollected
            19 CoupVoided CoupVoided
            20 IrregularityRecorded Irregularity
            21 CorrectionRecorded CorrectionRecorded
            22 ShoeEnded ShoeEnded
            23 BankTaken BankTaken
            24 BankPassed BankPassed
            25 BancoCalled BancoCalled
            26 AbonoPlaced AbonoPlaced
            27 GarajeSet GarajeSet
            28 DrawDecided DrawDecided
            29 PlayersPresent PlayersPresent
            30 BankSettled BankSettled
            31 BankBid BankBid
            32 LeaveGiven LeaveGiven
        }
    };
}
pub(crate) use every_kind;

/// Number of [`Body::CorrectionRecorded`].
pub(crate) const CORRECTION: u32 = 21;

/// Highest number that minor version 0 has.
const LAST_OF_MINOR_0: u32 = 22;

impl Body {
    /// The least minor version that has this event; `None` for one this version does not know.
    #[must_use]
    pub fn minor(&self) -> Option<u32> {
        if let Self::CorrectionRecorded(correction) = self {
            return correction.corrected.minor();
        }
        let known = !matches!(self, Self::Unknown(_));
        known.then(|| u32::from(self.kind() > LAST_OF_MINOR_0))
    }
}

macro_rules! numbers_and_names {
    ($($number:literal $name:ident $record:ident)+) => {
        /// Names of all kinds, as JSON spells them.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),+];

        impl Body {
            /// Number of the kind in canonical bytes.
            #[must_use]
            pub const fn kind(&self) -> u32 {
                match self {
                    $(Self::$name(_) => $number,)+
                    Self::Unknown(unknown) => unknown.kind,
                }
            }

            /// Name of the kind, as JSON spells it; `Unknown` for one this version does not know.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => stringify!($name),)+
                    Self::Unknown(_) => "Unknown",
                }
            }
        }
    };
}
every_kind!(numbers_and_names);
