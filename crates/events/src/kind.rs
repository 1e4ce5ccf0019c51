//! The table of all kinds of event: the number in canonical bytes, the minor version of the schema that
//! introduced it, the name in JSON, and the record it carries.
//!
//! Numbers never change their meaning, and never move to another minor version.

use crate::Body;

/// Hands the table to a macro as rows of `number minor Name Record`.
macro_rules! every_kind {
    ($take:ident) => {
        $take! {
            1 0 ShoeLoaded ShoeLoaded
            2 0 BurnCards BurnCards
            3 0 BetPlaced BetPlaced
            4 0 CardDrawn CardDrawn
            5 0 CoupSettled CoupSettled
            6 0 TableOpened TableOpened
            7 0 TableClosed TableClosed
            8 0 LimitsChanged Limits
            9 0 SeatTaken Seat
            10 0 SeatLeft Seat
            11 0 DealOffered Deal
            12 0 DealAccepted Deal
            13 0 DealDeclined Deal
            14 0 BetWithdrawn BetWithdrawn
            15 0 BetsClosed BetsClosed
            16 0 PuntoHolder PuntoHolder
            17 0 CutCardDrawn CutCardDrawn
            18 0 CommissionCollected CommissionCollected
            19 0 CoupVoided CoupVoided
            20 0 IrregularityRecorded Irregularity
            21 0 CorrectionRecorded CorrectionRecorded
            22 0 ShoeEnded ShoeEnded
            23 1 BankTaken BankTaken
            24 1 BankPassed BankPassed
            25 1 BancoCalled BancoCalled
            26 1 AbonoPlaced AbonoPlaced
            27 1 GarajeSet GarajeSet
            28 1 DrawDecided DrawDecided
            29 1 PlayersPresent PlayersPresent
            30 1 BankSettled BankSettled
            31 1 BankBid BankBid
            32 1 LeaveGiven LeaveGiven
            33 2 CardReplaced CardReplaced
            34 2 ValuesComputed ValuesComputed
            35 2 ExtensionRecorded Extension
        }
    };
}
pub(crate) use every_kind;

/// The minor version since which a name may hold control characters.
const CONTROL_IN_NAMES: u32 = 2;

/// Number of [`Body::CorrectionRecorded`].
const CORRECTION: u32 = 21;

/// Number of [`Body::ExtensionRecorded`].
const EXTENSION: u32 = 35;

/// Whether a correction may say that an event should have been of this kind: not a correction, and not an extension, or
/// an event would be replaced by something that is not judged.
pub(crate) const fn may_be_corrected(kind: u32) -> bool {
    kind != CORRECTION && kind != EXTENSION
}

macro_rules! numbers_and_names {
    ($($number:literal $minor:literal $name:ident $record:ident)+) => {
        /// Names of all kinds, as JSON spells them.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),+];

        /// How many kinds of event this version knows.
        pub const KINDS: usize = NAMES.len();

        /// Newest minor version of the schema this program writes and fully understands: the newest
        /// that brought a kind.
        pub const SCHEMA_MINOR: u32 = newest(&[$($minor),+]);

        impl Body {
            /// The least minor version that has this event; `None` for one this version does not know.
            /// A correction needs what the corrected event needs.
            #[must_use]
            #[inline]
            pub fn minor(&self) -> Option<u32> {
                let (mut body, mut of_names) = (self, self.minor_of_names());
                while let Self::CorrectionRecorded(correction) = body {
                    body = &correction.corrected;
                    of_names = of_names.max(body.minor_of_names());
                }
                match body {
                    $(Self::$name(_) => Some(of_names.max($minor)),)+
                    Self::Unknown(_) => None,
                }
            }

            /// The least minor version that has the names of this event.
            fn minor_of_names(&self) -> u32 {
                let mut has_control = false;
                self.each_name(|_, name| has_control |= name.has_control());
                if has_control { CONTROL_IN_NAMES } else { 0 }
            }

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

const fn newest(minors: &[u32]) -> u32 {
    let (mut newest, mut at) = (0, 0);
    while at < minors.len() {
        if minors[at] > newest {
            newest = minors[at];
        }
        at += 1;
    }
    newest
}
