//! Errors of witnesses: what one refuses, what one holds against a log, and what one must never lose.

use ::witness::{AskError, Contradiction, DoorError, KeyFileError, Loss, LostState, Refusal, StateError};

use super::Spanish;
use super::phrases::{Phrase, because, behind_path, known};

pub(super) const PHRASES: &[Phrase] = &[
    ("no thread can be started: {0}", "no se puede iniciar ningún hilo{:0}"),
    ("its answer cannot be read: {0}", "su respuesta no se puede leer{:0}"),
    ("it asks for a proof from {0} entries again", "pide otra vez una prueba desde {0} entradas"),
    ("status 409 without the size it has", "estado 409 sin el tamaño que tiene"),
    (
        "status {0}; it asks to be left alone for {1} seconds",
        "estado {0}; pide que no se le pregunte en {1} segundos",
    ),
    (
        "status {0}; it asks to be left alone for more than an hour",
        "estado {0}; pide que no se le pregunte en más de una hora",
    ),
    ("status {0}", "estado {0}"),
    ("it is longer than {0} bytes", "tiene más de {0} bytes"),
    ("it is not UTF-8", "no es UTF-8"),
    ("its proof has more than {0} hashes", "su prueba tiene más de {0} huellas"),
    ("it is gone", "ha desaparecido"),
    (
        "it is the checkpoint of another log than its name says",
        "es el punto de control de otro registro que el de su nombre",
    ),
    (
        "{0}; this witness cannot tell what it signed and must not start: put the file back as it was",
        "{/0}; este testigo no puede saber qué firmó y no debe arrancar: deje el archivo como estaba",
    ),
    ("{0} could not be written: {1}", "{0} no se pudo escribir{:1}"),
    (
        "the list of what a witness signed cannot be in its state's own folder; give another one",
        "la lista de lo que firmó un testigo no puede estar en la carpeta de su estado; dé otra",
    ),
    (
        "{0} is the state of a witness that is running; two must never sign from one folder",
        "{0} es el estado de un testigo en marcha; dos no deben firmar nunca desde una carpeta",
    ),
    (
        "{0} is the state of a witness that is running; stop it first",
        "{0} es el estado de un testigo en marcha; deténgalo antes",
    ),
    (
        "{0} is the list of a witness that is running; two must never sign with one key",
        "{0} es la lista de un testigo en marcha; dos no deben firmar nunca con una clave",
    ),
    (
        "the list of what this witness signed ({0}) is not there, and this folder may be an older copy or empty; what was signed since may have been lost, so nothing is signed: put the list back or say where it is with --signed; if this witness never signed anything, say so with audit witness recover --nothing-signed",
        "la lista de lo que firmó este testigo ({0}) no existe, y esta carpeta puede ser una copia antigua o estar \
         vacía; puede haberse perdido lo que se firmó después, así que no se firma nada: devuelva la lista a su lugar \
         o diga dónde está con --signed; si este testigo nunca firmó nada, dígalo con audit witness recover \
         --nothing-signed",
    ),
    (
        "{0} is there already; give another folder for the list of what was signed with --signed",
        "{0} ya existe; dé otra carpeta para la lista de lo firmado con --signed",
    ),
    (
        "{0}; give another folder for the list of what was signed with --signed",
        "{/0}; dé otra carpeta para la lista de lo firmado con --signed",
    ),
    (
        "this is the list of another witness than {0}; give this one's with --signed",
        "esta es la lista de otro testigo que {0}; dé la de este con --signed",
    ),
    (
        "nothing says what this witness signed; give the newest checkpoint of each log with its cosignature (--checkpoint), or --nothing-signed if it never signed any",
        "nada dice qué firmó este testigo; dé el último punto de control de cada registro con su firma (--checkpoint), \
         o --nothing-signed si nunca firmó ninguno",
    ),
    ("the checkpoint of {0}: {1}", "el punto de control de {0}: {~1}"),
    (
        "two roots of {0} entries of the log {1} carry this witness's cosignature: it signed two histories and must sign nothing any more; keep everything, and make a new witness",
        "dos raíces de {0} entradas del registro {1} llevan la firma de este testigo: firmó dos historias y no debe \
         firmar nada más; consérvelo todo y cree un testigo nuevo",
    ),
];

impl Spanish for StateError {
    fn spanish(&self) -> String {
        behind_path(&self.to_string())
    }
}

impl Spanish for LostState {
    fn spanish(&self) -> String {
        let Self { origin, size, loss } = self;
        let found = match loss {
            Loss::Missing => "falta su estado de ese registro".to_owned(),
            Loss::Older(size) => {
                format!("su estado de ese registro tiene {size}: se restauró de una copia antigua")
            }
            Loss::OtherRoot => "su estado de ese registro tiene otra raíz de ese tamaño".to_owned(),
        };
        format!(
            "no se firmó nada: este testigo firmó {size} entradas del registro {origin}, y {found}; su responsable debe \
             recuperar el estado (audit witness recover)"
        )
    }
}

impl Spanish for Refusal {
    fn spanish(&self) -> String {
        match self {
            Self::Malformed(why) => format!("no es una petición add-checkpoint{}", because(why)),
            Self::OldBeyondNew { old, new } => {
                format!("el tamaño antiguo {old} es mayor que el del punto de control, {new}")
            }
            Self::UnknownOrigin(origin) => {
                let short: String = origin.chars().take(80).collect();
                format!("este testigo no vigila el registro `{short}`")
            }
            Self::NotSigned(error) => format!("el punto de control no es creíble: {}", error.spanish()),
            Self::OtherSize { cosigned, old } => format!(
                "el último punto de control que firmó este testigo tiene {cosigned} entradas, y la prueba empieza en \
                 {old}"
            ),
            Self::Forked { size } => {
                format!("este testigo firmó otra raíz de {size} entradas: el registro muestra dos historias")
            }
            Self::NotExtended(error) => error.spanish(),
            Self::Lost(lost) => lost.spanish(),
            Self::Clock => "no se firmó nada: el reloj de este testigo está antes de 1970".to_owned(),
            Self::State(error) => format!("no se firmó nada: {}", error.spanish()),
        }
    }
}

impl Spanish for Contradiction {
    fn spanish(&self) -> String {
        match self {
            Self::SawMore { seen, size } => format!(
                "ha visto {seen} entradas, y el registro tiene {size}: este registro es más antiguo que lo que ha visto \
                 el testigo"
            ),
            Self::OtherRoot { size } => {
                format!("firmó otra raíz de {size} entradas: se firmaron dos historias de este registro")
            }
            Self::OtherHistory { seen, size } => format!(
                "halla que las {size} entradas no continúan las {seen} que firmó: se firmaron dos historias de este \
                 registro"
            ),
            Self::Conflict { size } => format!(
                "choca con las {size} entradas del propio registro y no nombra un tamaño suyo (409): firmó otra cosa \
                 que la que muestra este registro, o está averiado"
            ),
        }
    }
}

impl Spanish for AskError {
    fn spanish(&self) -> String {
        match self {
            Self::NoUrl => "la política no da ninguna URL suya".to_owned(),
            Self::Contradiction(what) => what.spanish(),
            Self::Refused { status, said } => {
                let said = if said.is_empty() { String::new() } else { format!(" (detalle: {said})") };
                format!("rehusó con el estado {status}{said}")
            }
            Self::NotBelieved(error) => {
                format!("respondió, pero la respuesta no es creíble: {}", error.spanish())
            }
            Self::Unanswered { attempts, last } => {
                format!("no respondió en {attempts} intentos{}", because(last))
            }
            Self::Proof(why) => format!("no se le preguntó{}", because(why)),
        }
    }
}

impl Spanish for KeyFileError {
    fn spanish(&self) -> String {
        match self {
            Self::Missing(path) => format!(
                "{} no existe; cree un testigo con audit witness new, o devuelva su clave a su lugar",
                path.display()
            ),
            Self::Lost(path) => format!(
                "{} no existe, pero sí lo que se firmó con ella; devuelva la clave a su lugar, o cree un testigo nuevo \
                 en otro sitio",
                path.display()
            ),
            Self::There(path) => format!(
                "{} ya existe; la clave de un testigo no se sustituye nunca: elija otra carpeta",
                path.display()
            ),
            Self::Readable { path, mode } => {
                format!("{}: otros pueden leer esta clave (modo {mode:o}); use chmod 600", path.display())
            }
            Self::File { path, error } => format!("{}: {}", path.display(), error.spanish()),
            Self::Key { path, error } => format!("{}: {}", path.display(), error.spanish()),
            Self::Name(error) => error.spanish(),
            Self::Random(why) => format!("no hay números aleatorios para una clave{}", because(why)),
        }
    }
}

impl Spanish for DoorError {
    fn spanish(&self) -> String {
        let english = self.to_string();
        let error = std::error::Error::source(self).and_then(|error| error.downcast_ref::<std::io::Error>());
        let said = |error: &std::io::Error| {
            let what = english.strip_suffix(&format!(": {error}"))?;
            Some(format!("{}: {}", known(what)?, error.spanish()))
        };
        error.and_then(said).unwrap_or_else(|| format!("el servidor no puede funcionar{}", because(&english)))
    }
}
