//! Kinds of event in a sentence: by the name that JSON has in English, in words in Spanish.

use std::fmt::{self, Formatter};

use events::Body;
use serde::{Deserialize, Serialize};

use super::Style;
use super::said::Say;
use crate::language::Language;

impl Say for EventName {
    const HOLDS: &'static str = "event";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.word(style.language))
    }
}

macro_rules! event_names {
    ($($name:ident $spanish:literal)+) => {
        /// A kind of event.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "the names are those of `events::Body`")]
        pub enum EventName {
            $($name,)+
        }

        impl From<&Body> for EventName {
            fn from(body: &Body) -> Self {
                match body { $(Body::$name(_) => Self::$name,)+ }
            }
        }

        impl EventName {
            /// What it is called in a sentence.
            #[must_use]
            pub const fn word(self, language: Language) -> &'static str {
                match self { $(Self::$name => language.of(stringify!($name), $spanish),)+ }
            }
        }
    };
}

event_names! {
    ShoeLoaded "carga del sabot"
    BurnCards "quema de cartas"
    BetPlaced "apuesta"
    CardDrawn "carta extraída"
    CoupSettled "liquidación de la jugada"
    TableOpened "apertura de la mesa"
    TableClosed "cierre de la mesa"
    LimitsChanged "cambio de límites"
    SeatTaken "departamento ocupado"
    SeatLeft "departamento dejado"
    DealOffered "ofrecimiento del reparto"
    DealAccepted "aceptación del reparto"
    DealDeclined "rechazo del reparto"
    BetWithdrawn "apuesta retirada"
    BetsClosed "«no va más»"
    PuntoHolder "entrega de las cartas del punto"
    CutCardDrawn "aparición de la carta de detención"
    CommissionCollected "cobro de la comisión"
    CoupVoided "anulación de la jugada"
    IrregularityRecorded "irregularidad"
    CorrectionRecorded "corrección"
    ShoeEnded "final del sabot"
    BankTaken "toma de la banca"
    BankPassed "cesión de la banca"
    BancoCalled "petición de banco"
    AbonoPlaced "abono"
    GarajeSet "formación de garaje"
    DrawDecided "decisión sobre la tercera carta"
    PlayersPresent "recuento de jugadores"
    BankSettled "cuenta de la banca"
    BankBid "puja por la banca"
    LeaveGiven "autorización"
    CardReplaced "sustitución de una carta"
    ValuesComputed "valores calculados"
    ExtensionRecorded "extensión"
    Unknown "suceso desconocido"
}
