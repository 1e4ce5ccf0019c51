//! The verdict on a coup or a shoe, and the reasons why one could not be decided.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Language;

/// Result for one coup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CoupVerdict {
    /// Dealing, result and every payout were derived and agree with the record.
    Certified,
    /// The same of bytes that were not shown to be those sealed; no judge says so of its own accord.
    Judged,
    /// A rule was broken.
    Violated,
    /// Not wrong as far as the record shows, but not shown to be right.
    Undecided,
}

impl CoupVerdict {
    /// The same in a log whose seal was not shown to hold: nothing in it is certified.
    #[must_use]
    pub const fn unsealed(self) -> Self {
        match self {
            Self::Certified | Self::Judged => Self::Judged,
            Self::Violated => Self::Violated,
            Self::Undecided => Self::Undecided,
        }
    }

    /// In a word, as it is printed in this language.
    #[must_use]
    pub const fn word(self, language: Language) -> &'static str {
        match self {
            Self::Certified => language.of("certified", "certificada"),
            Self::Judged => language.of("judged", "juzgada"),
            Self::Violated => language.of("violated", "irregular"),
            Self::Undecided => language.of("undecided", "sin decidir"),
        }
    }
}

impl fmt::Display for CoupVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Certified => "certified",
            Self::Judged => "judged",
            Self::Violated => "violated",
            Self::Undecided => "undecided",
        })
    }
}

macro_rules! reasons {
    ($($(#[$doc:meta])+ $variant:ident $name:literal $english:literal $spanish:literal)+) => {
        /// Why a coup or a shoe could not be decided.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Reason {
            $($(#[$doc])+ $variant,)+
        }

        impl Reason {
            /// Every reason, in the order of `docs/findings.md`.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// As it is printed.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// What it means, in a sentence.
            #[must_use]
            pub const fn sentence(self, language: Language) -> &'static str {
                match self { $(Self::$variant => language.of($english, $spanish),)+ }
            }
        }
    };
}

reasons! {
    /// Events are missing from the table's numbering.
    EventsMissing "events-missing"
        "Events are missing from the table's numbering in or before the coup."
        "Faltan sucesos en la numeración de la mesa, en la jugada o antes de ella."
    /// An event of a newer kind.
    EventUnknown "event-unknown"
        "An event of a newer kind stands in the coup."
        "Hay en la jugada un suceso de una clase más nueva."
    /// An entry that cannot be read.
    EntryUnreadable "entry-unreadable"
        "An entry of the coup cannot be decoded."
        "Una entrada de la jugada no se puede descodificar."
    /// Events whose payload is withheld from this copy, or erased.
    PayloadWithheld "payload-withheld"
        "The payload of an entry was withheld from this copy, or erased."
        "El contenido de una entrada se ha retenido en esta copia, o se ha borrado."
    /// Entries that this copy of the log leaves out.
    LeftOut "left-out"
        "This copy does not hold what comes right before the coup: it is a slice, or a log that continues another one."
        "Esta copia no contiene lo que precede a la jugada: es un extracto, o un registro que continúa otro."
    /// No rulebook was in force.
    RulebookMissing "rulebook-missing"
        "The table was not opened under a rulebook."
        "La mesa no se abrió con un reglamento."
    /// The rulebook is of a format this program does not know.
    RulebookUnreadable "rulebook-unreadable"
        "The rulebook is of a format this program does not know."
        "El reglamento tiene un formato que este programa no conoce."
    /// The rulebook is none of those approved.
    RulebookUnapproved "rulebook-unapproved"
        "The rulebook is none of those approved: nothing is judged by it."
        "El reglamento no es ninguno de los aprobados: no se juzga nada por él."
    /// No shoe was loaded: nobody knows which cards there were.
    ShoeMissing "shoe-missing"
        "No shoe was loaded: nobody knows which cards there were."
        "No se cargó ningún sabot: nadie sabe qué cartas había."
    /// A stake is outside the limits last recorded, and events are missing that may have changed them.
    LimitsUnknown "limits-unknown"
        "A stake is outside the limits last recorded, and events are missing that may have changed them."
        "Una apuesta está fuera de los últimos límites registrados, y faltan sucesos que pueden haberlos cambiado."
    /// A card that decides was not read.
    CardUnread "card-unread"
        "A card was not read, and some card the decks still allow makes the record wrong."
        "No se leyó una carta, y alguna de las que aún permiten las barajas haría falso el registro."
    /// A suit that decides was not read.
    SuitUnread "suit-unread"
        "A suit was not read, and some suit the decks still allow makes the record wrong."
        "No se leyó un palo, y alguno de los que aún permiten las barajas haría falso el registro."
    /// The coup was declared void; who ruled is recorded, whether rightly cannot be derived.
    Voided "voided"
        "Of earlier versions: a void coup is now certified subject to a ruling."
        "De versiones anteriores: una jugada anulada se certifica ahora a reserva de una resolución."
    /// A card was removed by a ruling that the rulebook does not provide for, or a ruling alone says
    /// who won: only attested.
    Ruled "ruled"
        "A card was removed by a ruling that the rulebook does not provide for, or a ruling alone says who won."
        "Se retiró una carta por una resolución que el reglamento no prevé, o solo una resolución dice quién ganó."
    /// An event of the coup was corrected: which of the two stories is true is only attested.
    Corrected "corrected"
        "An event of the coup was corrected after its shoe was over, and is not judged again."
        "Se corrigió un suceso de la jugada cuando su sabot ya había terminado, y no se juzga de nuevo."
    /// The rulebook does not say what decides.
    RuleSilent "rule-silent"
        "The rulebook does not say what decides: a cell of the table that its source does not state, a garaje by choice without its condition, more staked than the bank holds."
        "El reglamento no dice lo que decide: una casilla del cuadro que su fuente no indica, un garaje voluntario sin su condición, más apostado de lo que tiene la banca."
    /// Players were not counted, and fewer than the rulebook asks for are known to sit.
    PlayersNotCounted "players-not-counted"
        "Players were not counted, and fewer than the rulebook asks for are known to sit."
        "No se contaron los jugadores, y se sabe de menos sentados de los que exige el reglamento."
    /// Some bets of the coup have names and others have none: whose these are decides.
    PlayerUnnamed "player-unnamed"
        "Some bets of the coup have names and others have none, and whose these are decides whether a rule was kept."
        "Unas apuestas de la jugada llevan nombre y otras no, y de quién son éstas decide si se cumplió una regla."
    /// Names look alike, and whether they are one person's decides.
    NameLookAlike "name-look-alike"
        "A name in the coup or of the shoe looks like another one at the table, and whether they are those of one person or thing decides whether a rule was kept."
        "Un nombre de la jugada o del sabot se parece a otro de la mesa, y si son de una misma persona o cosa decide si se cumplió una regla."
    /// A bet's own time is after cards of its coup.
    BetAfterCardsByClock "bet-after-cards-by-clock"
        "By its own time a bet was placed after cards of its coup; its sequence says that it came before them."
        "Por su propia hora, una apuesta se hizo después de salir cartas de su jugada; por su número de suceso, antes."
    /// The record holds more of something than the judge keeps.
    MoreThanKept "more-than-kept"
        "The record holds more of something than the judge keeps; what was forgotten is not judged."
        "El registro contiene de algo más de lo que se conserva para juzgar; lo olvidado no se juzga."
    /// The record ends before the coup was settled.
    NotSettledYet "not-settled-yet"
        "The record ends before the coup was settled."
        "El registro termina antes de liquidarse la jugada."
    /// The record says that it does not know what was burned.
    BurnNotRecorded "burn-not-recorded"
        "The record says that it does not know what was burned (an `IrregularityRecorded` of this code)."
        "El registro dice que no sabe qué se quemó (un `IrregularityRecorded` con este código)."
    /// Players deal, and the table never records who.
    DealNotRecorded "deal-not-recorded"
        "Players deal, and the table never records who."
        "Reparten los jugadores, y la mesa nunca registra quién."
    /// A coup was dealt, and nothing says who held punto's cards.
    HolderNotRecorded "holder-not-recorded"
        "A coup was dealt, and nothing says who held punto's cards."
        "Se repartió una jugada y nada dice quién llevó las cartas del punto."
    /// The record ends before the shoe did: what comes of it may still be wrong.
    NotEndedYet "not-ended-yet"
        "The record ends before the shoe did."
        "El registro termina antes de acabar la talla."
    /// The record ends before the commission marked in the shoe was collected.
    NotCollectedYet "not-collected-yet"
        "The shoe ended, and the record ends before the commission marked in it was collected."
        "El sabot terminó, y el registro acaba antes de cobrarse la comisión anotada en él."
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Reason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let known = Self::ALL.iter().copied().find(|reason| reason.as_str() == text);
        known.ok_or_else(|| D::Error::custom(format!("`{text}` is no reason")))
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
