//! Errors of asking a service, and of a load that is put on one.

use ::client::{ClientError, Problem};
use load::LoadError;

use super::Spanish;
use super::phrases::{Phrase, because, or_detail};

pub(super) const PHRASES: &[Phrase] = &[
    (
        "`{0}` is not a service's address: expected http://HOST:PORT or https://HOST",
        "`{0}` no es la dirección de un servicio: se esperaba http://MÁQUINA:PUERTO o https://MÁQUINA",
    ),
    (
        "a token is sent only to a service whose certificate is checked",
        "una credencial solo se envía a un servicio cuyo certificado se comprueba",
    ),
    (
        "the token is empty or holds something else than visible ASCII; give it as `audit tokens new` printed it",
        "la credencial está vacía o contiene algo que no es ASCII visible; dela como la imprimió `audit tokens \
         new`",
    ),
    (
        "the authorities that vouch for the service: {0}",
        "las autoridades que responden por el servicio: {~0}",
    ),
    ("the certificate to show: {0}", "el certificado que se presenta: {~0}"),
    ("the key of the certificate to show: {0}", "la clave del certificado que se presenta: {~0}"),
    ("no PEM with {0} in it", "no contiene PEM con {~0}"),
    ("certificates", "certificados"),
    ("a private key", "una clave privada"),
    (
        "`{0}` is no table's name: expected letters, digits and -._~",
        "`{0}` no es el nombre de una mesa: se esperaban letras, cifras y -._~",
    ),
    (
        "this machine's clock shows a time before 1970, at which no certificate is valid; set the clock",
        "el reloj de esta máquina marca una fecha anterior a 1970, en la que ningún certificado es válido; ponga en \
         hora el reloj",
    ),
    ("nobody answers: {0}", "nadie responde: {~0}"),
    ("io: {0}", "{~0}"),
    ("host not found", "no se halla esa máquina"),
    ("connection failed", "no se pudo conectar"),
    ("Connection refused", "conexión rechazada"),
    ("Peer disconnected", "la otra parte se desconectó"),
    ("timeout: {0}", "se agotó el tiempo de espera ({0})"),
    ("bytes that are not UTF-8", "hay bytes que no son UTF-8"),
    ("{0} findings, and {1} were asked for", "{0} hallazgos, y se pidieron {1}"),
    ("an answer of more than {0} bytes", "una respuesta de más de {0} bytes"),
    ("{0} connections: expected 1 to {1}", "{0} conexiones: se esperaba de 1 a {1}"),
    ("{0} tables: expected 1 to {1}", "{0} mesas: se esperaba de 1 a {1}"),
    ("{0} shoes: expected 1 to {1}", "{0} sabots: se esperaba de 1 a {1}"),
    (
        "{0} tables for {1} connections: a table's posts come one after the other, so there must be a table for each connection",
        "{0} mesas para {1} conexiones: los envíos de una mesa van uno tras otro, así que debe haber una mesa por \
         conexión",
    ),
    ("{0} of a hundred posts: expected 0 to 100", "{0} de cada cien envíos: se esperaba de 0 a 100"),
    (
        "no thread for connection {0}: {1}; use fewer connections",
        "no hay hilo para la conexión {0} ({~1}); use menos conexiones",
    ),
];

impl Spanish for ClientError {
    fn spanish(&self) -> String {
        match self {
            Self::Options(why) => or_detail(why),
            Self::Refused { url, problem, retry_after: _ } => format!("{url}: {}", problem.spanish()),
            Self::Unanswered { url, why, timed_out } => {
                let said =
                    if *timed_out { "se agotó el tiempo de espera".to_owned() } else { or_detail(why) };
                format!("{url}: {said}")
            }
            Self::Unexpected { url, why } => {
                format!("{url} no responde como un registro servido{}", because(why))
            }
        }
    }
}

/// The status and the type are for programs; the rest is what the service wrote.
impl Spanish for Problem {
    fn spanish(&self) -> String {
        let Self { status, kind, detail, line, column } = self;
        let detail = if detail.is_empty() { String::new() } else { because(detail) };
        let column = match (line, column) {
            (Some(_), Some(column)) => format!(" (columna {column})"),
            (Some(_) | None, _) => String::new(),
        };
        format!("el servicio rehusó con {status} {kind}{detail}{column}")
    }
}

impl Spanish for LoadError {
    fn spanish(&self) -> String {
        match self {
            Self::Plan(why) => or_detail(why),
            Self::Client(error) => error.spanish(),
            Self::Log(why) => format!("el registro servido no se puede leer{}", because(why)),
            Self::OwnFault(why) => format!("error interno{}", because(why)),
        }
    }
}
