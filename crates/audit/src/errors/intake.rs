//! Errors of taking events in: of a message, and of the log that it is to go to.

use ::intake::{BodyError, IntakeError};

use super::Spanish;
use super::phrases::{Phrase, because, or_detail};

pub(super) const PHRASES: &[Phrase] = &[
    ("there is no event in it", "no contiene ningún suceso"),
    ("more than {0} events; send them in several posts", "más de {0} sucesos; mándelos en varios envíos"),
    ("line {0}: {1}", "línea {0}: {~1}"),
    ("element {0}: {1}", "elemento {0}: {~1}"),
    ("item {0}: {1}", "elemento {0}: {~1}"),
    ("not a JSON array of {0}: {1}", "no es una lista JSON{:1}"),
    (
        "it begins with a byte order mark; send UTF-8 without one",
        "empieza por una marca de orden de bytes; envíe UTF-8 sin ella",
    ),
];

impl Spanish for IntakeError {
    fn spanish(&self) -> String {
        match self {
            Self::Log(error) => error.spanish(),
            Self::Closed(error) => error.spanish(),
            Self::Store(error) => error.spanish(),
            Self::Table(error) => format!("mesa: {}", error.spanish()),
            Self::OwnFault(why) => format!("error interno{}", because(why)),
        }
    }
}

impl Spanish for BodyError {
    fn spanish(&self) -> String {
        or_detail(&self.message)
    }
}
