//! Statements about rulings and corrections.

use baccarat::{Consequence, Face, Side};

use super::rows::statements;
use super::{Decisions, EventName};

statements! {
    /// About rulings and corrections.
    OfRulings
    Asked "ruling-asks" { consequence: Consequence, irregularity: Box<str> }
        "{consequence}, after {irregularity}"
        "{consequence}, tras {irregularity}"
    CoupSettled "ruled-coup-settled"
        "the coup settled"
        "la jugada liquidada"
    CardRemoved "card-removed" { position: u16 }
        "the card at position {position} removed"
        "la carta de la posición {position}, retirada"
    CardNotRemoved "card-not-removed" { position: u16 }
        "the card at position {position} not removed"
        "la carta de la posición {position}, sin retirar"
    NotThird "card-not-third" { position: u16, hand: Side }
        "the card at position {position} not {hand}'s third"
        "la carta de la posición {position} no es la tercera para {hand}"
    NotOneOfTwo "not-one-of-two-kept" { hand: Side }
        "not one of the two cards kept by {hand} and the other removed"
        "no es que {hand} conserve una de las dos cartas y se retire la otra"
    KeptForTotal "kept-for-total" { kept: Face, total: u8, removed: Face, other_total: u8 }
        "{kept} kept for a total of {total}, {removed} removed for one of {other_total}"
        "{kept} conservada para una puntuación de {total}, {removed} retirada con la que serían {other_total}"
    KeptCardFirst "kept-card-first"
        "the card kept from the coup before first"
        "primero la carta guardada de la jugada anterior"
    AnotherCard "another-card"
        "another card"
        "otra carta"
    RulingOnEach "ruling-on-each-card"
        "a ruling on every card removed"
        "una resolución por cada carta retirada"
    NoClaimOncePaid "no-claim-once-paid"
        "no claim once the stakes are paid"
        "ninguna reclamación después de pagadas las apuestas"
    CoupVoided "coup-voided"
        "the coup declared void"
        "la jugada anulada"

    EarlierEvent "event-before-sequence" { sequence: u64 }
        "an event before sequence {sequence}"
        "un suceso anterior al número {sequence}"
    AsDecided "as-decided" { event: EventName, decided: Decisions }
        "{event} as it was decided before the cards{decided}"
        "lo decidido antes de las cartas: {event}{decided}"
    ChangedAfterCards "changed-after-cards" { corrected: Decisions }
        "changed by a correction after them{corrected}"
        "cambiado por una corrección después de ellas{corrected}"
    CorrectedAsSuch "corrected-as-such" { event: EventName }
        "{event}, corrected as such"
        "un suceso del mismo tipo: {event}"
    CorrectedInCoup "corrected-as-such-in-coup" { event: EventName, coup: u32 }
        "{event} of coup {coup}, corrected as such"
        "un suceso del mismo tipo: {event} de la jugada {coup}"
    Correctable "correctable-event" { event: EventName }
        "an event that can be corrected, not {event}"
        "un suceso que se pueda corregir, no {event}"
    Event "event" { event: EventName }
        "{event}"
        "{event}"
    HandAndPosition "hand-and-position" { card: Face, position: u16 }
        "the hand and position of the card, {card} at position {position}"
        "la mano y la posición de la carta, {card} en la posición {position}"
    SameShoe "same-shoe"
        "the same shoe, commitment and place of the cut card"
        "el mismo sabot, compromiso y lugar de la carta de detención"
}
