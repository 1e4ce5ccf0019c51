//! The encoding of each field type. A body is the array of its fields in the order of declaration; an
//! absent option is null.

use baccarat::{BetKind, Card, Face, Money, Rank, Side, Suit, Winner};

use crate::bounds::Bounded;
use crate::cbor::{ARRAY, Reader, UNSIGNED, bytes, head, null, text};
use crate::codec::{DecodeError, MAX_LIST};
use crate::kind::{every_kind, may_be_corrected};
use crate::*;

/// A value with exactly one encoding.
pub(super) trait Field: Sized {
    fn write(&self, out: &mut Vec<u8>);
    fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>>;
}

macro_rules! unsigned {
    ($($type:ty)+) => {$(
        impl Field for $type {
            fn write(&self, out: &mut Vec<u8>) {
                head(out, UNSIGNED, u64::from(*self));
            }
            #[inline]
            fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
                let value = reader.head(UNSIGNED, "an unsigned integer")?;
                Self::try_from(value).map_err(|_| reader.wrong(format!("{value} is more than {}", Self::MAX)))
            }
        }
    )+};
}
unsigned!(u8 u16 u32 u64);

macro_rules! short_text {
    ($($type:ty)+) => {$(
        impl Field for $type {
            fn write(&self, out: &mut Vec<u8>) {
                text(out, self.as_str());
            }
            fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
                let text = reader.text()?;
                text.parse().map_err(|error| reader.wrong(format!("{error}")))
            }
        }
    )+};
}
short_text!(Name Remark Data BetKind);

impl Field for RulebookDocument {
    fn write(&self, out: &mut Vec<u8>) {
        text(out, self.as_str());
    }
    fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
        let text = reader.text()?;
        let rulebook = match reader.rulebooks() {
            Some(rulebooks) => rulebooks.read(text),
            None => Self::from_canonical(text),
        };
        rulebook.map_err(|error| reader.wrong(error.to_string()))
    }
}

impl Field for Hex32 {
    fn write(&self, out: &mut Vec<u8>) {
        bytes(out, &self.0);
    }
    fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
        let bytes = reader.byte_string()?;
        bytes
            .try_into()
            .map(Self)
            .map_err(|_| reader.wrong(format!("{} bytes where 32 are due", bytes.len())))
    }
}

impl Field for Money {
    fn write(&self, out: &mut Vec<u8>) {
        head(out, UNSIGNED, self.get());
    }
    fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
        Self::new(u64::read(reader)?).map_err(|error| reader.wrong(error.to_string()))
    }
}

impl Field for Face {
    fn write(&self, out: &mut Vec<u8>) {
        head(out, UNSIGNED, u64::from(face_code(*self)));
    }
    fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
        let code = u8::read(reader)?;
        face_of(code).ok_or_else(|| reader.wrong(format!("{code} is no card: expected 0 to 65")))
    }
}

/// 0 unseen; 1 to 52 by suit (clubs, diamonds, hearts, spades) and rank; 53 to 65 by rank alone.
fn face_code(face: Face) -> u8 {
    match face {
        Face::Unseen => 0,
        Face::Seen(Card { rank, suit: Some(suit) }) => suit as u8 * 13 + rank.number(),
        Face::Seen(Card { rank, suit: None }) => 52 + rank.number(),
    }
}

fn face_of(code: u8) -> Option<Face> {
    let Some(index) = code.checked_sub(1) else { return Some(Face::Unseen) };
    let rank = Rank::from_number(index % 13 + 1)?;
    match index / 13 {
        suit @ 0..4 => Some(Face::Seen(Card::new(rank, Suit::ALL[usize::from(suit)]))),
        4 => Some(Face::Seen(Card { rank, suit: None })),
        _ => None,
    }
}

macro_rules! choice {
    ($type:ty, $what:literal, $($number:literal $variant:path),+) => {
        impl Field for $type {
            fn write(&self, out: &mut Vec<u8>) {
                head(out, UNSIGNED, match self { $($variant => $number,)+ });
            }
            fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
                match reader.head(UNSIGNED, $what)? {
                    $($number => Ok($variant),)+
                    other => Err(reader.not_known(format!("{other} is not {}", $what))),
                }
            }
        }
    };
}
choice!(Winner, "a winner (0 punto, 1 banca, 2 tie)", 0 Winner::Punto, 1 Winner::Banca, 2 Winner::Tie);
choice!(
    Destination,
    "a destination (0 punto, 1 banca, 2 removed)",
    0 Destination::Punto,
    1 Destination::Banca,
    2 Destination::Removed
);
choice!(Side, "a hand (0 punto, 1 banca)", 0 Side::Punto, 1 Side::Banca);
choice!(
    BankHow,
    "a way to the bank (0 turn, 1 standing, 2 auction, 3 retaken, 4 minimum, 5 continued)",
    0 BankHow::Turn,
    1 BankHow::Standing,
    2 BankHow::Auction,
    3 BankHow::Retaken,
    4 BankHow::Minimum,
    5 BankHow::Continued
);
choice!(
    BankWhy,
    "a reason (0 lost, 1 voluntary, 2 refused, 3 left, 4 shoe end)",
    0 BankWhy::Lost,
    1 BankWhy::Voluntary,
    2 BankWhy::Refused,
    3 BankWhy::Left,
    4 BankWhy::ShoeEnd
);
choice!(
    Call,
    "a call (0 banco, 1 con la mesa, 2 último completo, 3 seguido, 4 asociado)",
    0 Call::Banco,
    1 Call::ConLaMesa,
    2 Call::UltimoCompleto,
    3 Call::Seguido,
    4 Call::Asociado
);
choice!(
    Garaje,
    "a garaje (0 voluntary, 1 compulsory, 2 improper, 3 todo va)",
    0 Garaje::Voluntary,
    1 Garaje::Compulsory,
    2 Garaje::Improper,
    3 Garaje::TodoVa
);
choice!(Announced, "a decision (0 no, 1 carta)", 0 Announced::No, 1 Announced::Carta);
choice!(Counsel, "counsel (0 none, 1 the croupier's)", 0 Counsel::None, 1 Counsel::Croupier);
choice!(Leave, "leave (0 unlimited bank, 1 free play)", 0 Leave::UnlimitedBank, 1 Leave::FreePlay);
choice!(
    ComputedValue,
    "a value (0 winner, 1 punto's total, 2 banca's total)",
    0 ComputedValue::Winner,
    1 ComputedValue::PuntoTotal,
    2 ComputedValue::BancaTotal
);
choice!(
    CommissionReason,
    "a reason (0 shoe end, 1 leaving, 2 request)",
    0 CommissionReason::ShoeEnd,
    1 CommissionReason::Leaving,
    2 CommissionReason::Request
);

/// The croupier is 0, a seat its number, which is never 0.
impl Field for Holder {
    fn write(&self, out: &mut Vec<u8>) {
        let number = match self {
            Self::Croupier => 0,
            Self::Seat(seat) => *seat,
        };
        number.write(out);
    }
    fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
        Ok(match u8::read(reader)? {
            0 => Self::Croupier,
            seat => Self::Seat(seat),
        })
    }
}

impl<T: Field> Field for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Some(value) => value.write(out),
            None => null(out),
        }
    }
    fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
        if reader.null() { Ok(None) } else { T::read(reader).map(Some) }
    }
}

impl<T: Field> Field for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        head(out, ARRAY, self.len() as u64);
        self.iter().for_each(|item| item.write(out));
    }
    fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
        let count = reader.head(ARRAY, "an array")?;
        if count > MAX_LIST as u64 {
            return Err(reader.wrong(format!("a list of {count} items; at most {MAX_LIST} are allowed")));
        }
        // No item takes less than a byte.
        let mut items = Self::with_capacity(usize::try_from(count).unwrap_or_default().min(reader.left()));
        for _ in 0..count {
            items.push(T::read(reader)?);
        }
        Ok(items)
    }
}

impl Field for [Name; 2] {
    fn write(&self, out: &mut Vec<u8>) {
        head(out, ARRAY, 2);
        self.iter().for_each(|name| name.write(out));
    }
    fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
        super::length(reader, 2, "an array")?;
        Ok([Name::read(reader)?, Name::read(reader)?])
    }
}

/// A body inside another: its kind, then itself.
impl Field for Box<Body> {
    fn write(&self, out: &mut Vec<u8>) {
        head(out, ARRAY, 2);
        self.kind().write(out);
        write_body(self, out);
    }
    fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
        super::length(reader, 2, "a corrected event [kind, body]")?;
        let kind = u32::read(reader)?;
        if !may_be_corrected(kind) {
            return Err(reader.wrong("a correction or an extension cannot be what an event should have been"));
        }
        // Its bounds are those of the correction.
        read_body(reader, kind, None).map(Box::new)
    }
}

/// Adds the field's name to an error; the innermost field is kept.
#[cold]
fn in_field(mut error: Box<DecodeError>, field: &'static str) -> Box<DecodeError> {
    error.field.get_or_insert(field);
    error
}

/// A record with its fields in order; `bounded` says that [`Bounded`] is implemented in `bounds.rs`, all
/// others need no more than their types.
macro_rules! record {
    ($type:ident { $($field:ident),* }) => {
        record!($type { $($field),* } bounded);
        impl Bounded for $type {
            fn check(&self) -> Result<(), String> {
                Ok(())
            }
        }
    };
    ($type:ident { $($field:ident),* } bounded) => {
        impl Field for $type {
            fn write(&self, out: &mut Vec<u8>) {
                head(out, ARRAY, <$type>::FIELDS);
                $(self.$field.write(out);)*
            }
            #[inline]
            fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
                super::length(reader, <$type>::FIELDS, concat!("a ", stringify!($type)))?;
                Ok(Self {
                    $($field: Field::read(reader).map_err(|error| in_field(error, stringify!($field)))?,)*
                })
            }
        }
        impl $type {
            const FIELDS: u64 = [$(stringify!($field)),*].len() as u64;
        }
    };
}
record!(ShoeLoaded { shoe, decks, cards, cards_behind_cut, deck_serials, back_colours, order_commitment } bounded);
record!(BurnCards { indicator, burned, faces } bounded);
record!(BetPlaced { coup, bet, seat, player, kind, stake });
record!(CardDrawn { coup, position, card, to });
record!(BetSettled { bet, returned, commission });
record!(CoupSettled { coup, winner, punto_total, banca_total, bets } bounded);
record!(BetLimit { kind, minimum, maximum });
record!(Limits { minimum, maximum, multiple, bets } bounded);
record!(TableOpened { rulebook, limits, currency, minor_digits, seats } bounded);
record!(Seat { seat, player });
record!(Deal { seat });
record!(BetWithdrawn { bet });
record!(BetsClosed { coup });
record!(PuntoHolder { coup, holder } bounded);
record!(CutCardDrawn { position });
record!(CommissionCollected { seat, amount, why });
record!(CoupVoided { coup, reason, ruled_by, countersigned_by });
record!(Irregularity { code, coup, positions, ruling, ruled_by, countersigned_by } bounded);
record!(CorrectionRecorded { corrects, corrected, reason, signed_by } bounded);
record!(OrderReveal { nonce, order });
record!(ShoeEnded { cards_left, reveal } bounded);
record!(Partner { player, amount });
record!(BankTaken { seat, player, amount, how, partners } bounded);
record!(BankPassed { seat, player, amount, why });
record!(BancoCalled { coup, seat, player, call });
record!(AbonoPlaced { coup, bet, seat, player, stake });
record!(GarajeSet { kind, amount });
record!(DrawDecided { coup, hand, decision, counsel });
record!(PlayersPresent { players });
record!(BankSettled { coup, won, lost, commission, bank, garaje });
record!(BankBid { seat, player, amount });
record!(LeaveGiven { leave, office, given_by });
record!(CardReplaced { coup, position, card, reason, ruled_by, countersigned_by });
record!(ValuesComputed { coup, values } bounded);
record!(Extension { name, data });

impl Field for TableClosed {
    fn write(&self, out: &mut Vec<u8>) {
        head(out, ARRAY, 0);
    }
    fn read(reader: &mut Reader<'_>) -> Result<Self, Box<DecodeError>> {
        super::length(reader, 0, "a TableClosed")?;
        Ok(Self {})
    }
}

impl Bounded for TableClosed {
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

macro_rules! bodies {
    ($($number:literal $minor:literal $variant:ident $type:ident)+) => {
        pub(crate) fn write_body(body: &Body, out: &mut Vec<u8>) {
            match body {
                $(Body::$variant(value) => value.write(out),)+
                Body::Unknown(unknown) => out.extend_from_slice(&unknown.bytes),
            }
        }

        /// Reads a body of this kind; checks the bounds of its record if `start`, the reader at its beginning, is given.
        pub(super) fn read_body(
            reader: &mut Reader<'_>,
            kind: u32,
            start: Option<&Reader<'_>>,
        ) -> Result<Body, Box<DecodeError>> {
            match kind {
                $($number => {
                    let record = $type::read(reader)?;
                    if let Some(start) = start {
                        record.check().map_err(|message| start.wrong(message))?;
                    }
                    Ok(Body::$variant(record.into()))
                })+
                other => Err(reader.not_known(format!("{other} is no kind of event this version knows"))),
            }
        }
    };
}

every_kind!(bodies);
