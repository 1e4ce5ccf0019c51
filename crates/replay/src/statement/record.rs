//! Statements about the record itself: the numbering of events and coups, their order, their times.

use std::fmt::{self, Formatter};

use events::OccurredAt;

use super::rows::statements;
use super::said::Say;
use super::{Differs, EventName, Span, Style};
use crate::Cap;

impl Say for Cap {
    const HOLDS: &'static str = "limit";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.words(style.language))
    }
}

statements! {
    /// About numbering, order and time.
    OfRecord
    Sequence "sequence" { sequence: u64 }
        "sequence {sequence}"
        "número {sequence}"
    SequenceAgain "sequence-again" { sequence: u64 }
        "sequence {sequence} again; the event judged under it is not at hand to compare"
        "otra vez el número {sequence}; el suceso juzgado con él no está disponible para compararlo"
    EventOfEntry "event-of-entry" { sequence: u64, entry: u64 }
        "the event of sequence {sequence} as entry {entry} has it"
        "el suceso número {sequence} tal como figura en la entrada {entry}"
    AnotherInEntry "another-event-in-entry" { entry: u64, differs: Differs }
        "another under that number in entry {entry}{differs}"
        "otro con ese número en la entrada {entry}{differs}"

    KeptAtMost "kept-at-most" { most: u64, what: Cap }
        "at most {most} {what}"
        "como mucho {most} {what}"
    MoreThanKept "more-than-kept"
        "more"
        "más"
    MoreThanKeptBy "more-than-kept-by" { producer: Box<str> }
        "more, in an entry of producer {producer}"
        "más, en una entrada del productor {producer}"

    Coup "coup" { coup: u32 }
        "coup {coup}"
        "jugada {coup}"
    NotVoidBefore "coup-not-void-before"
        "a coup that was not declared void before it began"
        "una jugada no anulada antes de empezar"
    NoFurtherCoup "no-further-coup"
        "no further coup in this shoe"
        "ninguna jugada más en este sabot"
    NoCoupAfterEnd "no-coup-after-end"
        "no coup after the shoe's end"
        "ninguna jugada tras el final del sabot"
    CoupSettled "coup-settled" { coup: u32 }
        "coup {coup} settled"
        "jugada {coup} liquidada"
    PlayWentOn "play-went-on"
        "play went on without it"
        "se siguió jugando sin ello"
    EndedWithoutIt "ended-without-it"
        "the shoe or the table ended without it"
        "el sabot o la mesa terminó sin ella"
    SettledAfterPlay "settled-after-play"
        "settled once its play is over"
        "liquidada cuando ha terminado"
    MoreBehind "more-of-coup-behind" { coup: u32 }
        "more of coup {coup} behind it"
        "detrás, más de la jugada {coup}"
    CoupBeforeSettled "coup-before-settled" { coup: u32 }
        "the coup before coup {coup} settled first"
        "antes, la liquidación de la jugada anterior a la {coup}"
    Event "event-recorded" { event: EventName }
        "{event}"
        "{event}"
    EventOfCoup "event-of-coup" { coup: u32 }
        "an event of coup {coup}"
        "un suceso de la jugada {coup}"
    NamedOfCoup "named-event-of-coup" { event: EventName, coup: u32 }
        "{event} of coup {coup}"
        "{event} de la jugada {coup}"
    CardsOfCoup "cards-of-coup" { coup: u32 }
        "cards of coup {coup}"
        "cartas de la jugada {coup}"

    NotBefore "not-before" { time: OccurredAt }
        "not before {time}"
        "no antes de {time}"
    Time "time" { time: OccurredAt }
        "{time}"
        "{time}"
    AheadAtMost "ahead-at-most" { by: Span }
        "at most {by} ahead of the log's clock"
        "como mucho {by} por delante del reloj del registro"
    AheadBy "ahead-by" { time: OccurredAt, by: Span }
        "{time}, {by} ahead"
        "{time}, {by} por delante"
    RecordedWithin "recorded-within" { within: Span }
        "recorded within {within}"
        "registrado en {within} como mucho"
    RecordedLater "recorded-later" { time: OccurredAt, by: Span }
        "{time}, recorded {by} later"
        "{time}, registrado {by} después"
}
