//! Statements about seats, the deal that goes from seat to seat, and who holds punto's cards.

use events::{Holder, Name};

use super::rows::statements;
use super::{All, AnyOf, AnySeat, Refusals};

statements! {
    /// About seats and the deal.
    OfSeats
    Seat "seat" { seat: u8 }
        "seat {seat}"
        "departamento {seat}"
    OfTheTable "seat-of-the-table"
        "a seat of the table"
        "un departamento de la mesa"
    Taken "seat-taken" { seat: u8 }
        "seat {seat} taken"
        "departamento {seat} ocupado"
    FreeSeat "free-seat"
        "a free seat"
        "un departamento libre"
    TakenAgain "seat-taken-again" { seat: u8 }
        "seat {seat} taken again"
        "departamento {seat} ocupado otra vez"
    TakenSeat "taken-seat"
        "a taken seat"
        "un departamento ocupado"
    LeftAgain "seat-left-again" { seat: u8 }
        "seat {seat} left again"
        "departamento {seat} dejado otra vez"
    LeftByOwner "seat-left-by-owner"
        "left by whoever sits there"
        "dejado por quien lo ocupa"
    LeftBy "seat-left-by" { seat: u8, player: Name }
        "seat {seat} left by {player}"
        "departamento {seat} dejado por {player}"
    GivenUp "seat-given-up" { seat: u8 }
        "seat {seat} given up"
        "departamento {seat} cedido"
    Kept "seat-kept" { seat: u8, refusals: Refusals }
        "seat {seat} kept after {refusals}"
        "departamento {seat} conservado tras {refusals}"
    Numbered "seats-numbered"
        "seats the rulebook numbers"
        "departamentos que numera el reglamento"
    Listed "seats" { seats: All<u8> }
        "seats {seats}"
        "departamentos {seats}"
    ListedOnce "seats-listed-once"
        "each seat listed once"
        "cada departamento, una sola vez"
    ListedAgain "seats-listed-again" { seats: All<u8> }
        "seats {seats} listed again"
        "departamentos {seats}, otra vez"
    AsWell "seats-as-well" { seats: All<u8> }
        "seats {seats} as well"
        "también los departamentos {seats}"
    LeftOut "seats-left-out"
        "left out"
        "omitidos"

    OfferedTo "offered-to" { seat: u8 }
        "offered to seat {seat}"
        "ofrecido al departamento {seat}"
    OfferedNext "offered-next" { seats: AnySeat }
        "offered to {seats} next"
        "ofrecido después al {seats}"
    OfferedFirst "offered-first" { seats: AnySeat }
        "offered to {seats} first"
        "ofrecida antes al {seats}"
    NobodyToAsk "nobody-to-ask"
        "no offer: nobody is left to ask"
        "ningún ofrecimiento: no queda a quién preguntar"
    OfferedToFree "offered-to-free-seat" { seat: u8 }
        "offered to seat {seat}, which is free"
        "ofrecido al departamento {seat}, que está libre"
    OfferedToPlayer "offered-to-player"
        "offered to a player"
        "ofrecido a un jugador"
    AnswerFrom "answer-from" { seat: u8 }
        "an answer from seat {seat}"
        "una respuesta del departamento {seat}"
    OfferFirst "offer-first"
        "an offer first"
        "antes, un ofrecimiento"
    AcceptedBy "accepted-by" { seat: u8 }
        "accepted by seat {seat}"
        "aceptado por el departamento {seat}"
    DeclinedBy "declined-by" { seat: u8 }
        "declined by seat {seat}"
        "rechazado por el departamento {seat}"
    DealUntilPunto "deal-until-punto-wins" { seat: u8 }
        "the deal with seat {seat} until punto wins"
        "el reparto en el departamento {seat} hasta que gane el punto"
    DealOfferedOn "deal-offered-on" { seat: u8 }
        "the deal offered on, to seat {seat} among others"
        "el reparto ofrecido a los siguientes, entre ellos el departamento {seat}"
    DealsOn "deals-on" { seat: u8 }
        "seat {seat} deals on"
        "el departamento {seat} sigue repartiendo"
    DealtWithoutDealer "dealt-without-dealer"
        "dealt although nobody had taken the deal"
        "se repartió sin que nadie hubiera aceptado el reparto"
    CroupierDeals "croupier-deals"
        "the croupier deals"
        "reparte el crupier"
    DealOfferedTo "deal-offered-to" { seat: u8 }
        "the deal offered to seat {seat}"
        "el reparto ofrecido al departamento {seat}"
    DealAcceptedBy "deal-accepted-by" { seat: u8 }
        "the deal accepted by seat {seat}"
        "el reparto aceptado por el departamento {seat}"
    DealDeclinedBy "deal-declined-by" { seat: u8 }
        "the deal declined by seat {seat}"
        "el reparto rechazado por el departamento {seat}"

    Holders "holders" { holders: AnyOf<Holder> }
        "{holders}"
        "{holders}"
    Holder "holder" { holder: Holder }
        "{holder}"
        "{holder}"
    HolderOnce "holder-recorded-once"
        "punto's holder recorded once"
        "quien lleva las cartas del punto, indicado una vez"
    HolderAgain "holder-recorded-again"
        "punto's holder recorded again"
        "quien lleva las cartas del punto, indicado otra vez"
    HolderBeforeCard "holder-before-first-card"
        "punto's holder recorded before the first card"
        "quien lleva las cartas del punto, indicado antes de la primera carta"
    HolderAfterCard "holder-after-first-card"
        "punto's holder recorded afterwards"
        "quien lleva las cartas del punto, indicado después"
    HolderAfterClose "holder-after-close"
        "punto's holder recorded after the bets are closed"
        "quien lleva las cartas del punto, indicado tras el «no va más»"
    HolderBeforeClose "holder-before-close"
        "punto's holder recorded before"
        "quien lleva las cartas del punto, indicado antes"
}
