//! Statements about the shoe: its decks, its burn, the positions of its cards, its cut card, its order.

use baccarat::Face;

use super::rows::statements;
use super::{All, AnyOf, Burned, Cards, Decks, Faces};

statements! {
    /// About the shoe.
    OfShoe
    Decks "decks" { decks: Decks }
        "{decks}"
        "{decks}"
    DecksAllowed "decks-allowed" { decks: AnyOf<u8> }
        "{decks} decks"
        "{decks} barajas"
    Cards "cards" { cards: Cards }
        "{cards}"
        "{cards}"
    LoadedFirst "shoe-loaded-first"
        "a shoe loaded before play"
        "un sabot cargado antes de jugar"
    NotLoaded "no-shoe"
        "none"
        "ninguno"
    End "shoe-end" { shoe: Box<str> }
        "the end of shoe {shoe}"
        "el final del sabot {shoe}"
    EndNotRecorded "shoe-end-not-recorded"
        "none recorded"
        "nada"
    Shoe "shoe" { shoe: Box<str> }
        "shoe {shoe}"
        "sabot {shoe}"
    ShoeAgain "shoe-again" { shoe: Box<str> }
        "shoe {shoe} again"
        "otra vez el sabot {shoe}"
    SerialsUnused "serials-unused"
        "serials not used before"
        "números de serie sin usar"
    DecksAgain "decks-again" { serials: All<Box<str>> }
        "deck {serials} again"
        "otra vez la baraja {serials}"
    UsedAlike "used-alike" { names: All<Box<str>> }
        "{names}: looks like one that was used before"
        "{names}: se parece a otro ya usado"
    UsedAlikeWith "used-alike-with" { names: All<Box<str>>, characters: All<Box<str>> }
        "{names}, with {characters}: looks like one that was used before"
        "{names}, con {characters}: se parece a otro ya usado"

    BurnOnce "burn-once"
        "one burn, before the first coup"
        "una sola quema, antes de la primera jugada"
    BurnAgain "burn-again"
        "another burn"
        "otra quema"
    BurnFirst "burn-first"
        "a burn before the first coup"
        "una quema antes de la primera jugada"
    BurnNotRecorded "burn-not-recorded"
        "none recorded"
        "nada"
    NoBurn "no-burn"
        "no burn"
        "sin quema"
    BurnDue "burn-due" { cards: AnyOf<u8>, indicator: Face }
        "{cards} burned after {indicator}"
        "{cards} quemadas tras {indicator}"
    BurnDueInAll "burn-due-in-all" { cards: Burned }
        "{cards} in all"
        "{cards} en total"
    Burned "burned" { cards: Burned }
        "{cards}"
        "{cards}"
    BurnFaces "burn-faces" { faces: Faces }
        "{faces}"
        "{faces}"

    Position "position" { position: u32 }
        "position {position}"
        "posición {position}"
    NoCardLeft "no-card-left" { held: u32 }
        "no card: the shoe held {held}"
        "ninguna carta: el sabot contenía {held}"
    CardAtMost "card-at-most" { card: Face, held: u16, decks: Decks }
        "at most {held} of {card} in {decks}"
        "como mucho {held} de {card} en {decks}"
    CardNumber "card-number" { card: Face, number: u16 }
        "{card} number {number}"
        "{card} por {number}.ª vez"
    RankAtMost "rank-at-most" { card: Face, held: u16, decks: Decks }
        "at most {held} cards of rank {card} in {decks}"
        "como mucho {held} cartas {card}, de cualquier palo, en {decks}"
    RankNumber "rank-number" { card: Face, number: u16 }
        "card number {number} of rank {card}"
        "{card} de cualquier palo por {number}.ª vez"
    CardAt "card-at" { card: Face, position: u32 }
        "{card} at position {position}"
        "{card} en la posición {position}"
    NoCardAt "no-card-at" { position: u32 }
        "no card at position {position}"
        "ninguna carta en la posición {position}"
    CardDrawn "card-drawn" { card: Face }
        "{card} drawn"
        "salió {card}"

    CutCardDue "cut-card-due" { position: u32 }
        "the cut card before position {position}"
        "la carta de detención antes de la posición {position}"
    CutCardNotYet "cut-card-not-yet" { position: u16 }
        "a card at position {position} and no cut card yet"
        "una carta en la posición {position} y aún ninguna carta de detención"
    OneCutCard "one-cut-card"
        "one cut card"
        "una sola carta de detención"
    CutCardAgain "cut-card-again" { position: u32 }
        "another at position {position}"
        "otra en la posición {position}"
    BeforeCard "before-card" { position: u32 }
        "before the card at position {position}"
        "antes de la carta de la posición {position}"
    BeforePosition "before-position" { position: u32 }
        "before position {position}"
        "antes de la posición {position}"
    BehindAtLeast "behind-at-least" { cards: Cards }
        "at least {cards} behind"
        "al menos {cards} detrás"
    Behind "behind" { cards: u32 }
        "{cards} behind"
        "{cards} detrás"

    OrderCommitted "order-committed"
        "the order committed to"
        "el orden comprometido"
    OrderNotRevealed "order-not-revealed"
        "no order revealed"
        "no se reveló ningún orden"
    OrderOpening "order-opening"
        "an order that opens the commitment"
        "un orden que corresponda al compromiso"
    OrderOther "order-other"
        "another order"
        "otro orden"
    OrderOfDecks "order-of-decks" { decks: Decks }
        "an order of the cards of {decks}"
        "un orden de las cartas de {decks}"
    OrderOfOthers "order-of-other-cards"
        "an order of other cards"
        "un orden de otras cartas"
}
