//! Counts with what is counted, in the singular and the plural.

use std::fmt::{self, Formatter};

use serde::{Deserialize, Serialize};

use super::Style;
use super::said::Say;

macro_rules! counted {
    ($($name:ident $one:literal $many:literal $una:literal $unas:literal)+) => {
        $(
            #[doc = concat!("A number of ", $many, ".")]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
            #[serde(transparent)]
            pub struct $name(pub u32);

            impl Say for $name {
                const HOLDS: &'static str = "integer";

                fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
                    let words = match self.0 {
                        1 => style.language.of($one, $una),
                        _ => style.language.of($many, $unas),
                    };
                    write!(f, "{} {words}", self.0)
                }
            }
        )+
    };
}

counted! {
    Abonos "abono" "abonos" "abono" "abonos"
    Burned "burned" "burned" "quemada" "quemadas"
    Cards "card" "cards" "carta" "cartas"
    Decks "deck" "decks" "baraja" "barajas"
    Digits "digit" "digits" "decimal" "decimales"
    Faces "face" "faces" "carta vista" "cartas vistas"
    Players "player" "players" "jugador" "jugadores"
    Refusals "refusal in a row" "refusals in a row" "negativa seguida" "negativas seguidas"
    Stakes "stake" "stakes" "apuesta" "apuestas"
}
