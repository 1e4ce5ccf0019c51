//! Errors of writing to a log. Who hands something in has to know whether it was recorded.

use sealed_log::writer::{LogClosed, ReopenError, SubmitError, WriteError};

use super::Spanish;
use super::phrases::{Phrase, because, or_detail};

pub(super) const PHRASES: &[Phrase] = &[
    (
        "no thread can be started: {0}; raise the limits (ulimit -u, ulimit -v), or stop others",
        "no se puede iniciar ningún hilo ({~0}); suba los límites (ulimit -u, ulimit -v), o detenga otros",
    ),
    ("its thread has ended", "su hilo terminó"),
    ("the log has shut down; reopen it", "el registro está cerrado; ábralo de nuevo"),
    ("the log is closed", "el registro está cerrado"),
    (
        "the log is closed until it can be opened anew",
        "el registro está cerrado hasta que se pueda abrir de nuevo",
    ),
    (
        "the log is closed, it cannot be opened anew: {0}",
        "el registro está cerrado, no se puede abrir de nuevo{:0}",
    ),
    (
        "this log is opened anew by starting the program again",
        "este registro se abre de nuevo arrancando otra vez el programa",
    ),
    ("the log has stopped: {0}", "el registro se detuvo{:0}"),
    (
        "a checkpoint of {0} entries would contradict the signed one of {1}",
        "un punto de control de {0} entradas contradiría el firmado de {1}",
    ),
    (
        "NOT acknowledged: the log stopped after an earlier failure; reopen it",
        "SIN acuse: el registro se detuvo tras un fallo anterior; ábralo de nuevo",
    ),
    (
        "nothing was recorded: the log is closed, and another log continues it",
        "no se registró nada: el registro está cerrado, y otro lo continúa",
    ),
    ("NOT acknowledged: {0}", "SIN acuse{:0}"),
];

impl Spanish for WriteError {
    fn spanish(&self) -> String {
        let stopped = |why: String| format!("SIN acuse, el registro se detuvo: {why}");
        match self {
            Self::Refused { position, why } => format!(
                "el envío {position} no está bien formado, no se registró nada de esta llamada: {}",
                why.spanish()
            ),
            Self::Store(error) => stopped(error.spanish()),
            Self::Checkpoint(error) => stopped(error.spanish()),
            Self::WouldFork { size, signed } => {
                stopped(format!("un punto de control de {size} entradas contradiría el firmado de {signed}"))
            }
            Self::Sign(error) => stopped(error.spanish()),
            Self::Rotation(error) => format!("la clave del registro queda como está: {}", error.spanish()),
            Self::Notice(error) => format!("el aviso no se registró: {}", error.spanish()),
            Self::Closed => "no se registró nada: el registro está cerrado, y otro lo continúa".to_owned(),
            Self::Stopped => {
                "SIN acuse: el registro se detuvo tras un fallo anterior; ábralo de nuevo".to_owned()
            }
        }
    }
}

impl Spanish for SubmitError {
    fn spanish(&self) -> String {
        match self {
            Self::Refused { position, why } => format!(
                "el envío {position} no está bien formado, no se registró nada de esta llamada: {}",
                why.spanish()
            ),
            Self::NotAcknowledged { why, disk: _ } => format!("SIN acuse{}", because(why)),
        }
    }
}

impl Spanish for ReopenError {
    fn spanish(&self) -> String {
        or_detail(&self.to_string())
    }
}

impl Spanish for LogClosed {
    fn spanish(&self) -> String {
        let Self = self;
        "el registro está cerrado hasta que se pueda abrir de nuevo".to_owned()
    }
}
