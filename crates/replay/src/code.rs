//! All irregularities that the judge can report: each with a stable code, a severity, the clause it breaks, and
//! one sentence in English and one in Spanish.
//!
//! A code never changes its meaning and is never used again for another irregularity.

mod clause;

pub(crate) use clause::Rests;

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Language;

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// A rule was broken.
    Violation,
    /// Something is missing from the record.
    Incomplete,
}

impl Severity {
    /// In a word, as it is printed in this language.
    #[must_use]
    pub const fn word(self, language: Language) -> &'static str {
        match self {
            Self::Violation => language.of("violation", "infracción"),
            Self::Incomplete => language.of("incomplete", "incompleto"),
        }
    }
}

macro_rules! codes {
    ($($variant:ident $code:literal $severity:ident $english:literal $spanish:literal)+) => {
        /// The stable code of a finding.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $english] $variant,)+
        }

        impl Code {
            /// Every code, in the order of `docs/findings.md`.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The code as it is printed.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// How much it weighs.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)+ }
            }

            /// What happened, in English.
            #[must_use]
            pub const fn english(self) -> &'static str {
                match self { $(Self::$variant => $english,)+ }
            }

            /// What happened, in Spanish.
            #[must_use]
            pub const fn spanish(self) -> &'static str {
                match self { $(Self::$variant => $spanish,)+ }
            }

            /// What happened, in this language.
            #[must_use]
            pub const fn sentence(self, language: Language) -> &'static str {
                language.of(self.english(), self.spanish())
            }
        }
    };
}

codes! {
    ShoeDecks "shoe-decks" Violation
        "The shoe was loaded with a number of decks the rulebook does not allow."
        "El sabot se cargó con un número de barajas que el reglamento no permite."
    ShoeCount "shoe-count" Violation
        "The shoe does not hold 52 cards for each deck."
        "El sabot no contiene 52 cartas por baraja."
    ShoeCutDepth "shoe-cut-depth" Violation
        "Fewer cards lie behind the cut card than the rulebook asks for."
        "Detrás de la carta de detención quedan menos cartas de las que exige el reglamento."
    ShoeSurplusCard "shoe-surplus-card" Violation
        "A card came out of the shoe more often than its decks hold it."
        "Una carta salió del sabot más veces de las que la contienen sus barajas."
    ShoePosition "shoe-position" Violation
        "The positions of the cards in the shoe have a gap or a repeat."
        "Las posiciones de las cartas en el sabot tienen un salto o una repetición."
    ShoeCardsLeft "shoe-cards-left" Violation
        "The cards left in the shoe are not those that had not been drawn."
        "Las cartas que quedan en el sabot no son las que faltaban por salir."
    ShoeOrderCommitment "shoe-order-commitment" Violation
        "The order of the cards is not the one committed to when the shoe was loaded."
        "El orden de las cartas no es el comprometido al cargar el sabot."
    ShoeMissing "shoe-missing" Violation
        "The table was in play although no shoe had been loaded."
        "La mesa estuvo en juego sin que se hubiera cargado un sabot."
    ShoeNotEnded "shoe-not-ended" Violation
        "A new shoe was loaded, or the table closed, before the end of the last shoe was recorded."
        "Se cargó un sabot nuevo, o se cerró la mesa, sin registrar el final del anterior."
    ShoeIdReused "shoe-id-reused" Violation
        "The id of a shoe was used again."
        "Se volvió a usar el identificador de un sabot."
    DeckReused "deck-reused" Violation
        "A deck's serial number was used again."
        "Se volvió a usar el número de serie de una baraja."
    BurnCount "burn-count" Violation
        "The number of cards burned is not the one the rulebook asks for."
        "El número de cartas quemadas no es el que exige el reglamento."
    BurnMissing "burn-missing" Violation
        "The first coup of the shoe was dealt without burning cards."
        "La primera jugada del sabot se repartió sin quemar cartas."
    BurnRepeated "burn-repeated" Violation
        "Cards were burned twice, or after the first coup had begun."
        "Se quemaron cartas dos veces, o después de empezar la primera jugada."
    DealOrder "deal-order" Violation
        "One of the first four cards went to the wrong hand."
        "Una de las cuatro primeras cartas fue a la mano equivocada."
    DealShort "deal-short" Violation
        "The coup was settled before both hands had two cards."
        "La jugada se liquidó antes de que ambas manos tuvieran dos cartas."
    NaturalDrawn "natural-drawn" Violation
        "A card was drawn although a natural had ended the coup."
        "Se sacó una carta aunque un natural había terminado la jugada."
    PuntoDrew "punto-drew" Violation
        "Punto drew a third card although it had to stand."
        "El punto pidió tercera carta debiendo plantarse."
    PuntoStood "punto-stood" Violation
        "Punto stood although it had to draw a third card."
        "El punto se plantó debiendo pedir tercera carta."
    BancaDrew "banca-drew" Violation
        "Banca drew a third card although it had to stand."
        "La banca pidió tercera carta debiendo plantarse."
    BancaStood "banca-stood" Violation
        "Banca stood although it had to draw a third card."
        "La banca se plantó debiendo pedir tercera carta."
    ExtraCard "extra-card" Violation
        "A hand that had three cards was given another."
        "Una mano que tenía tres cartas recibió otra."
    CardBeforeBetsClosed "card-before-bets-closed" Violation
        "A card was drawn before the bets were closed."
        "Se sacó una carta antes del «no va más»."
    TotalWrong "total-wrong" Violation
        "An announced total is not the total of the hand."
        "Una puntuación anunciada no es la de la mano."
    WinnerWrong "winner-wrong" Violation
        "The announced winner is not the hand nearest to nine."
        "La mano anunciada como ganadora no es la más próxima a nueve."
    BetLate "bet-late" Violation
        "A bet was accepted after the bets were closed or the first card was drawn."
        "Se aceptó una apuesta después del «no va más» o de la primera carta."
    BetWithdrawnLate "bet-withdrawn-late" Violation
        "A bet was taken back after the bets were closed or the first card was drawn."
        "Se retiró una apuesta después del «no va más» o de la primera carta."
    BetSeat "bet-seat" Violation
        "A bet stands at a seat the table does not have."
        "Una apuesta figura en un departamento que la mesa no tiene."
    BetKind "bet-kind" Violation
        "A bet of a kind the rulebook does not offer was accepted."
        "Se aceptó una apuesta de una clase que el reglamento no ofrece."
    BetBelowMinimum "bet-below-minimum" Violation
        "A stake is below the minimum."
        "Una apuesta está por debajo del mínimo."
    BetAboveMaximum "bet-above-maximum" Violation
        "A stake is above the maximum."
        "Una apuesta supera el máximo."
    BetMultiple "bet-multiple" Violation
        "A stake is not a multiple of the table's unit."
        "Una apuesta no es múltiplo de la unidad de la mesa."
    BetForbiddenPair "bet-forbidden-pair" Violation
        "One player placed two bets in one coup that exclude each other."
        "Un jugador hizo en una misma jugada dos apuestas que se excluyen."
    BetWithoutMain "bet-without-main" Violation
        "A side bet stands without the main bet it requires."
        "Una apuesta complementaria figura sin la apuesta principal que exige."
    BetAboveMain "bet-above-main" Violation
        "A side bet is larger than its share of the main bet allows."
        "Una apuesta complementaria supera la parte de la principal que se permite."
    BetIdReused "bet-id-reused" Violation
        "A bet's id was used twice."
        "El identificador de una apuesta se usó dos veces."
    BetUnknown "bet-unknown" Violation
        "A bet that was never placed in this coup was settled or taken back."
        "Se liquidó o retiró una apuesta que no se había hecho en esta jugada."
    BetNotSettled "bet-not-settled" Violation
        "A bet was left out of the coup's settlement."
        "Una apuesta quedó fuera de la liquidación de la jugada."
    BetSettledTwice "bet-settled-twice" Violation
        "A bet was settled twice."
        "Una apuesta se liquidó dos veces."
    BetPlace "bet-place" Violation
        "A player bet in another's place."
        "Un jugador apostó en el departamento de otro."
    PayoutOver "payout-over" Violation
        "A bet was paid more than was due."
        "Una apuesta se pagó de más."
    PayoutUnder "payout-under" Violation
        "A bet was paid less than was due."
        "Una apuesta se pagó de menos."
    PayoutWrongSeat "payout-wrong-seat" Violation
        "What was due to one seat was paid to another."
        "Lo que correspondía a un departamento se pagó a otro."
    CommissionMissing "commission-missing" Violation
        "No commission was taken on a win that carries it."
        "No se cobró ni anotó la comisión de una apuesta ganadora."
    CommissionWrong "commission-wrong" Violation
        "The commission taken on a win is not the one due."
        "La comisión de una apuesta ganadora no es la debida."
    CommissionUncollected "commission-uncollected" Violation
        "Commission marked in a seat's box was not collected when it was due."
        "La comisión anotada en una casilla no se cobró a su tiempo."
    CommissionOverCollected "commission-over-collected" Violation
        "More commission was collected from a seat than its box held."
        "Se cobró a un departamento más comisión de la anotada en su casilla."
    CutCardPosition "cut-card-position" Violation
        "The cut card came out somewhere else than it was placed, or twice."
        "La carta de detención apareció en otro lugar del que ocupaba, o dos veces."
    CutCardMissing "cut-card-missing" Violation
        "Play went on behind the place of the cut card without its appearance being recorded."
        "Se siguió jugando más allá de la carta de detención sin registrar su aparición."
    CoupAfterLast "coup-after-last" Violation
        "A coup was begun after the last one the cut card allows."
        "Se empezó una jugada después de la última que permite la carta de detención."
    CoupNumber "coup-number" Violation
        "The numbers of the coups in the shoe have a gap or a repeat."
        "La numeración de las jugadas del sabot tiene un salto o una repetición."
    CoupNotSettled "coup-not-settled" Violation
        "A coup was left without settlement."
        "Una jugada quedó sin liquidar."
    CoupOverlap "coup-overlap" Violation
        "An event of the next coup was recorded before the coup in play was settled."
        "Se registró un suceso de la jugada siguiente antes de liquidar la que estaba en curso."
    CoupLabel "coup-label" Violation
        "An event of a coup carries the number of another."
        "Un suceso de una jugada lleva el número de otra."
    CoupSettledEarly "coup-settled-early" Violation
        "A coup was settled before all of its play was recorded."
        "Una jugada se liquidó antes de constar todo su juego."
    CoupSettledTwice "coup-settled-twice" Violation
        "A coup was settled twice."
        "Una jugada se liquidó dos veces."
    PlayAfterEnd "play-after-end" Violation
        "Play went on after the end of the shoe."
        "Se siguió jugando tras el final del sabot."
    CardRemoved "card-removed" Violation
        "A card was removed from play without a ruling."
        "Se retiró una carta del juego sin resolución que lo ampare."
    RulingNotFollowed "ruling-not-followed" Violation
        "What the rulebook asks for after an irregularity did not happen."
        "No se hizo lo que el reglamento exige tras una irregularidad."
    VoidStakeKept "void-stake-kept" Violation
        "A stake of a void coup did not come back whole."
        "No se devolvió íntegra una apuesta de una jugada anulada."
    VoidOverpaid "void-overpaid" Violation
        "More came back for a void coup than its stakes."
        "Por una jugada anulada se devolvió más que las apuestas."
    BetCorrectedLate "bet-corrected-late" Violation
        "A bet was changed by a correction after the first card."
        "Una corrección cambió una apuesta después de la primera carta."
    CorrectedLate "corrected-late" Violation
        "What had to be settled before the cards was changed by a correction after them."
        "Una corrección cambió, después de las cartas, lo que debía estar decidido antes."
    CorrectionTarget "correction-target" Violation
        "A correction names an event that it cannot correct."
        "Una corrección señala un suceso que no puede corregir."
    SameSigner "same-signer" Violation
        "One person signed twice where two have to sign."
        "Una misma persona firmó dos veces donde han de firmar dos."
    RulingUnsigned "ruling-unsigned" Violation
        "A ruling or a void lacks the second signature."
        "Una resolución o anulación carece de la segunda firma."
    SignerPlays "signer-plays" Violation
        "Somebody who plays at the table signed."
        "Firmó alguien que juega en la mesa."
    NameLookAlike "name-look-alike" Incomplete
        "Two names at the table look alike, so they may be those of one person or thing, or of two."
        "Dos nombres de la mesa se parecen tanto que pueden ser de una misma persona o cosa, o de dos."
    NameUnseen "name-unseen" Incomplete
        "A name holds characters that nobody sees."
        "Un nombre contiene caracteres que nadie ve."
    PuntoHolder "punto-holder" Violation
        "Punto's cards were not given to whom the rulebook says."
        "Las cartas del punto no se entregaron a quien dice el reglamento."
    PuntoHolderLate "punto-holder-late" Violation
        "Punto's holder was recorded twice, or not between the close and the first card."
        "Se indicó dos veces quién lleva las cartas del punto, o no entre el «no va más» y la primera carta."
    DealOfferOrder "deal-offer-order" Violation
        "The deal was offered out of turn."
        "El reparto se ofreció fuera de turno."
    DealNotOffered "deal-not-offered" Violation
        "The deal was accepted or declined by a seat it had not been offered to."
        "Aceptó o rechazó el reparto un departamento al que no se había ofrecido."
    DealTakenAway "deal-taken-away" Violation
        "The deal was offered on although its dealer had not lost it."
        "El reparto se ofreció a otro sin que quien lo tenía lo hubiera perdido."
    DealKept "deal-kept" Violation
        "A coup was dealt although the deal had not been offered to the next player."
        "Se repartió una jugada sin haber ofrecido el reparto al jugador siguiente."
    DealByCroupier "deal-by-croupier" Violation
        "The deal was offered to a player, or taken by one, where the croupier deals."
        "Se ofreció el reparto a un jugador, o lo tomó uno, donde reparte el crupier."
    SeatWrong "seat-wrong" Violation
        "A seat was taken or left that could not be."
        "Se ocupó o se dejó un departamento que no podía serlo."
    TableNotOpen "table-not-open" Violation
        "The table was in play although it had not been opened under a rulebook."
        "La mesa estaba en juego sin haberse abierto con un reglamento."
    TableAlreadyOpen "table-already-open" Violation
        "The table was opened again although it had not been closed."
        "La mesa se abrió de nuevo sin haberse cerrado."
    TableSeats "table-seats" Violation
        "The table has seats the rulebook does not allow."
        "La mesa tiene departamentos que el reglamento no permite."
    RulebookNotApproved "rulebook-not-approved" Violation
        "The table was opened under a rulebook that is not among the approved ones."
        "La mesa se abrió con un reglamento que no figura entre los aprobados."
    RulebookNotInForce "rulebook-not-in-force" Violation
        "The table was in play under a rulebook on a day on which it was not in force."
        "La mesa estuvo en juego con un reglamento en un día en que no estaba en vigor."
    LimitsRatio "limits-ratio" Violation
        "The maximum is not an allowed multiple of the minimum."
        "El máximo no es un múltiplo permitido del mínimo."
    LimitsRange "limits-range" Violation
        "The limits contradict themselves or ask for multiples the rulebook does not allow."
        "Los límites se contradicen o exigen múltiplos que el reglamento no permite."
    RulebookAltered "rulebook-altered" Violation
        "The rulebook carries the id of a built-in one and says something else."
        "El reglamento lleva el nombre de uno incorporado y dice otra cosa."
    RulebookTwoTexts "rulebook-two-texts" Violation
        "Two different rulebooks carry one id."
        "Dos reglamentos distintos llevan el mismo nombre."
    CurrencyWrong "currency-wrong" Violation
        "The currency or its minor unit is not one of ISO 4217."
        "La moneda o su unidad menor no es una de ISO 4217."
    CurrencyChanged "currency-changed" Violation
        "The table's currency changed."
        "Cambió la moneda de la mesa."
    LimitsInCoup "limits-in-coup" Violation
        "The limits were changed while a coup was in play."
        "Se cambiaron los límites con una jugada en curso."
    GameWrong "game-wrong" Violation
        "An event of another game than the rulebook's was recorded."
        "Se registró un suceso de un juego distinto del que rige el reglamento."
    BankMissing "bank-missing" Violation
        "There was play although nobody had the bank."
        "Se jugó sin que nadie tuviera la banca."
    BankTurn "bank-turn" Violation
        "The bank went to somebody, or was passed by somebody, whose turn it was not."
        "Tomó o cedió la banca quien no tenía el turno."
    BankKept "bank-kept" Violation
        "A banker dealt on although punto had won."
        "El banquero siguió con la banca tras perder la jugada."
    BankTakenAway "bank-taken-away" Violation
        "The bank was taken from a banker who had not lost it."
        "Se quitó la banca a quien no la había perdido."
    BankNotDealt "bank-not-dealt" Violation
        "A banker gave the bank up before dealing a single coup."
        "El banquero cedió la banca sin dar cartas ni una vez."
    BankBelowPassed "bank-below-passed" Violation
        "The bank was taken for another sum than it was given up, bid or kept for."
        "La banca se tomó por una cantidad distinta de la cedida, pujada o conservada."
    BankBelowMinimum "bank-below-minimum" Violation
        "The bank was taken for less than the least stake."
        "La banca se tomó por menos del mínimo del punto."
    BankAboveMaximum "bank-above-maximum" Violation
        "The bank had more in play than its maximum."
        "La banca puso en juego más de su máximo."
    BankWrong "bank-wrong" Violation
        "What the bank holds is not what its coups come to."
        "Lo que tiene la banca no es lo que resulta de sus jugadas."
    BankNotSettled "bank-not-settled" Violation
        "What a coup came to for the bank, or what its banker took away, is not recorded."
        "No consta lo que la jugada supuso para la banca o lo que se llevó el banquero."
    AuctionExcluded "auction-excluded" Violation
        "Somebody who may not bid for the bank did."
        "Pujó por la banca quien no podía."
    AuctionWinner "auction-winner" Violation
        "The bank was not sold to the highest bidder."
        "La banca no se adjudicó al mejor postor."
    SaludoOwed "saludo-owed" Violation
        "A newcomer took the bank without having let it pass."
        "Tomó la banca un recién llegado sin haber «saludado»."
    SeatKept "seat-kept" Violation
        "A player kept the seat after refusing the bank too often."
        "Un jugador conservó su plaza tras rehusar la banca demasiadas veces."
    PlayersTooFew "players-too-few" Violation
        "There were fewer players at the table than the game needs."
        "Había en la mesa menos jugadores de los necesarios."
    LeaveWrong "leave-wrong" Violation
        "Leave was given by an office or at a time the rulebook does not provide for."
        "Dio la autorización quien no podía o cuando no debía."
    GarajeNotAllowed "garaje-not-allowed" Violation
        "Winnings were set aside although they may not be."
        "Se formó garaje sin poder hacerlo."
    GarajeAmount "garaje-amount" Violation
        "The garaje is not the sum it has to be."
        "El garaje no es la cantidad debida."
    GarajeMissing "garaje-missing" Violation
        "What the stakes did not cover was not set aside."
        "No se excluyó del juego lo que los puntos no cubrían."
    TodoVa "todo-va" Violation
        "«Todo va» was announced at a bank with a maximum."
        "Se anunció «todo va» en una banca con máximo limitado."
    StakesAboveBank "stakes-above-bank" Violation
        "More was staked than the bank can pay."
        "Se apostó más de lo que la banca puede pagar."
    BancoStake "banco-stake" Violation
        "A banco is not the whole bank, or not half of it."
        "El banco no es toda la banca, o no es la mitad."
    BancoPriority "banco-priority" Violation
        "Banco was given to somebody over a player with priority."
        "El banco se dio a quien no tenía la prioridad."
    BancoSeguido "banco-seguido" Violation
        "Banco seguido was called by somebody who had no right to it."
        "Pidió banco seguido quien no tenía derecho."
    BancoLate "banco-late" Violation
        "Banco was called after the bets were closed."
        "Se pidió banco después del «no va más»."
    AbonoNotAllowed "abono-not-allowed" Violation
        "An abono was accepted although the rulebook has none."
        "Se aceptó un abono que el reglamento no permite."
    AbonoCount "abono-count" Violation
        "There were more abonos in a coup than the rulebook allows."
        "Hubo en la jugada más abonos de los permitidos."
    AbonoAmount "abono-amount" Violation
        "The abonos are not the amount by which the stakes exceed the bank."
        "Los abonos no son la diferencia entre las apuestas y la banca."
    DrawNotAsDecided "draw-not-as-decided" Violation
        "A hand was dealt otherwise than it had announced."
        "Se dio o se negó carta en contra de lo anunciado."
    ThirdCardUnseen "third-card-unseen" Violation
        "A third card, which is dealt face up, was not read."
        "No consta una tercera carta, que se da siempre descubierta."
    ClaimAfterPayment "claim-after-payment" Violation
        "A coup was declared void after its stakes had been paid."
        "Se anuló una jugada después de pagadas las apuestas."
    SequenceGap "sequence-gap" Incomplete
        "Events are missing from the table's numbering."
        "Faltan sucesos en la numeración de la mesa."
    CoupsNotRecorded "coups-not-recorded" Incomplete
        "Coups of a shoe are not recorded: its record begins later, or leaves some out."
        "No constan jugadas del sabot: su registro empieza más tarde, o se salta alguna."
    SequenceLate "sequence-late" Incomplete
        "Events arrived too late to be judged in their place."
        "Llegaron sucesos demasiado tarde para juzgarlos en su lugar."
    SequenceConflict "sequence-conflict" Violation
        "Two different events were recorded under one number of the table."
        "Se registraron dos sucesos distintos con el mismo número de la mesa."
    TimeBackwards "time-backwards" Violation
        "The table's clock ran backwards."
        "El reloj de la mesa retrocedió."
    ClockAhead "clock-ahead" Violation
        "A table's clock lay ahead of the log's own."
        "El reloj de la mesa iba adelantado respecto al del registro."
    RecordedLate "recorded-late" Violation
        "Events were recorded longer after the fact than the rulebook allows."
        "Los sucesos se registraron más tiempo después de ocurrir del que permite el reglamento."
    MoreThanKept "more-than-kept" Incomplete
        "The record holds more of something than the judge keeps."
        "El registro contiene de algo más de lo que se conserva para juzgar."
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let known = Self::ALL.iter().copied().find(|code| code.as_str() == text);
        known.ok_or_else(|| D::Error::custom(format!("`{text}` is no finding's code")))
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
