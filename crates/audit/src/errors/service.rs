//! Errors of a service: its settings, its certificates and tokens.

use ::service::access::{TokenError, TokenFileError};
use ::service::{CollectorError, HostError, ServiceError, TlsError, WebhookError};

use super::phrases::{Phrase, because, known, or_detail};
use super::{Spanish, by_type};

pub(super) const PHRASES: &[Phrase] = &[
    ("cannot listen at {0}", "no se puede escuchar en {0}"),
    ("the server cannot start", "el servidor no puede arrancar"),
    ("there is none in it", "no contiene ninguno"),
    ("no items found", "no contiene nada de eso"),
    (
        "the seal is broken: {0}; run audit verify log for the details",
        "el sello está roto (detalle: {0}); ejecute audit verify log para ver el detalle",
    ),
    (
        "a checkpoint of the log is not signed by its key: {0}",
        "un punto de control del registro no está firmado con su clave{:0}",
    ),
    (
        "a file of tokens of this version begins with {0}",
        "un archivo de credenciales de esta versión empieza por {0}",
    ),
    ("a second token of this id", "una segunda credencial con este identificador"),
    ("tables are \"*\" or a list of names, not {0}", "las mesas son \"*\" o una lista de nombres, no {0}"),
    ("an id is twelve hexadecimal digits", "un identificador son doce cifras hexadecimales"),
    ("a hash is 64 hexadecimal digits", "una huella son 64 cifras hexadecimales"),
    (
        "an append token needs a producer: who hands the events in",
        "una credencial append necesita un productor: quién entrega los sucesos",
    ),
    ("an append token needs its tables, or all of them", "una credencial append necesita sus mesas, o todas"),
    (
        "a read token has neither producer nor tables: it reads the whole log, which is one chain of proofs",
        "una credencial read no tiene ni productor ni mesas: lee todo el registro, que es una sola cadena de \
         pruebas",
    ),
    ("it would have expired before it is made", "habría caducado antes de crearse"),
    (
        "a note has at most 200 characters, and no control characters",
        "una nota tiene 200 caracteres como mucho, y ninguno de control",
    ),
];

impl Spanish for ServiceError {
    fn spanish(&self) -> String {
        match self {
            Self::Door(error) => error.spanish(),
            Self::Follower(error) => {
                let english = error.to_string();
                let said = by_type(error).or_else(|| known(&english));
                let said = said.map_or_else(|| format!(" (detalle: {english})"), |said| format!(": {said}"));
                format!("la certificación en vivo no puede empezar{said}")
            }
            Self::Random(error) => format!("este equipo no da números aleatorios: {}", error.spanish()),
            Self::Thread(error) => format!("no se puede iniciar un hilo del servicio: {}", error.spanish()),
            Self::Collector(error) => error.spanish(),
            Self::Log(error) => error.spanish(),
        }
    }
}

impl Spanish for TlsError {
    fn spanish(&self) -> String {
        match self {
            Self::File { path, error } => format!("{}: {}", path.display(), error.spanish()),
            Self::Readable { path, mode } => {
                format!("{}: otros pueden leer esta clave (modo {mode:o}); use chmod 600", path.display())
            }
            Self::Pem { path, expected, why } => {
                let expected = match *expected {
                    "certificates" => "certificados",
                    "a private key" => "una clave privada",
                    other => other,
                };
                format!("{}: no hay PEM con {expected}{}", path.display(), because(why))
            }
            Self::Unusable { path, why } => format!("{}: no se puede usar{}", path.display(), because(why)),
        }
    }
}

impl Spanish for HostError {
    fn spanish(&self) -> String {
        match self {
            Self::Missing => "una petición dice para qué máquina es; esta no tiene cabecera Host",
            Self::Several => "una petición tiene una sola cabecera Host; esta tiene varias",
            Self::Malformed => "la cabecera Host no es un nombre ni una dirección, con puerto o sin él",
            Self::Differs => "la cabecera Host nombra otra máquina que el destino de la propia petición",
        }
        .to_owned()
    }
}

impl Spanish for WebhookError {
    fn spanish(&self) -> String {
        match self {
            Self::Url(url) => format!("`{url}` no es una URL que empiece por https:// o http://"),
            Self::Secret => "el secreto no es `whsec_` y al menos 24 bytes en base64".to_owned(),
        }
    }
}

impl Spanish for CollectorError {
    fn spanish(&self) -> String {
        match self {
            Self::Address(address) => format!(
                "`{address}` no es la dirección de un colector que acepte OTLP por HTTP: empieza por http:// o https:// \
                 y no tiene consulta, fragmento ni usuario, como http://127.0.0.1:4318 (una contraseña va en \
                 OTEL_EXPORTER_OTLP_HEADERS)"
            ),
            Self::Exporter(error) => {
                format!("no se pueden enviar trazas{}", because(&error.to_string()))
            }
        }
    }
}

impl Spanish for TokenFileError {
    fn spanish(&self) -> String {
        match self {
            Self::File { path, error } => format!("{}: {}", path.display(), error.spanish()),
            Self::Open { path, mode } => format!(
                "{}: otros pueden leer o cambiar estas credenciales (modo {mode:o}); use chmod 600",
                path.display()
            ),
            Self::Line { path, line, why } => {
                format!("{}, línea {line}: {}", path.display(), or_detail(why))
            }
            Self::Long(path) => {
                format!("{}: tiene más de 16 MiB, y ningún archivo de credenciales los tiene", path.display())
            }
            Self::Token(error) => error.spanish(),
            Self::NoSuch { path, id } => {
                format!("{}: no hay ninguna credencial {id}; audit tokens list los muestra", path.display())
            }
        }
    }
}

impl Spanish for TokenError {
    fn spanish(&self) -> String {
        match self {
            Self::NoProducer | Self::NoTables | Self::ReadsAll | Self::Expired | Self::Note => {
                or_detail(&self.to_string())
            }
            Self::Random(why) => {
                format!("no hay números aleatorios para una credencial{}", because(why))
            }
        }
    }
}
