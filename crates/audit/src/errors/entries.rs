//! Errors of entries, of names and digests, and of what a log says about itself.

use sealed_log::entry::{DigestError, ENTRY_VERSION, EntryError, LOG_CHAIN, NameError};
use sealed_log::keys::RotationError;
use sealed_log::notice::{NoticeError, OwnChainError};

use super::Spanish;
use super::phrases::{Phrase, because, known, or_detail};

pub(super) const PHRASES: &[Phrase] = &[
    ("not a notice of the log: {0}", "no es un aviso del registro{:0}"),
    (
        "a notice of kind {0} is not known to this program",
        "este programa no conoce los avisos de la clase {0}",
    ),
    (
        "the notice names entry {0} as erased, and no such entry stands before it",
        "el aviso da por borrada la entrada {0}, y antes de él no hay tal entrada",
    ),
    (
        "the notice names entry {0} as erased, with a digest that is not that entry's",
        "el aviso da por borrada la entrada {0}, con un resumen que no es el de esa entrada",
    ),
    (
        "its payload is withheld, and a notice of the log is never withheld or erased",
        "su contenido está retenido, y un aviso del registro nunca se retiene ni se borra",
    ),
    (
        "the producer is `{0}`, and only the log itself (`{1}`) writes on the chain `{2}`",
        "el productor es `{0}`, y en la cadena `{2}` solo escribe el propio registro",
    ),
    (
        "it covers {0} positions of the chain `{1}`, and a notice has one",
        "abarca {0} posiciones de la cadena `{1}`, y un aviso tiene una",
    ),
    (
        "it is number {0} on the chain `{1}`, and the next is number {2}",
        "es el número {0} de la cadena `{1}`, y el siguiente es el {2}",
    ),
    ("not a key rotation: expected {0}", "no es una sustitución de clave: se esperaba {~0}"),
    ("not a key rotation: {0}", "no es una sustitución de clave{:0}"),
    (
        "the keys are of the logs `{0}` and `{1}`: a key is followed by another of the same log",
        "las claves son de los registros `{0}` y `{1}`: a una clave la sigue otra del mismo registro",
    ),
    ("the new key is the old one", "la clave nueva es la antigua"),
    ("it says that it stands at entry {0}", "dice que está en la entrada {0}"),
    (
        "it passes on {0}, but the log's key is {1} there",
        "sustituye la clave {0}, pero ahí la clave del registro es {1}",
    ),
    ("more bytes; the entry is cut off", "más bytes; la entrada está cortada"),
    ("the shortest spelling of a number", "un número en su forma más corta"),
    ("an item of known length", "un elemento de longitud conocida"),
    ("an array of known length", "una lista de longitud conocida"),
    ("a signed 64-bit number", "un número de 64 bits con signo"),
    ("text in UTF-8", "un texto en UTF-8"),
    ("a byte string of 32 bytes", "una cadena de 32 bytes"),
    ("an item that occurs in an entry", "un elemento propio de una entrada"),
    ("the entry's end, but more bytes follow", "el final de la entrada, pero siguen más bytes"),
    ("an array of {0} fields", "una lista de {0} campos"),
    ("at most 16,384 bytes", "16.384 bytes como mucho"),
    (
        "a title, the origin, the size, the old and the new key",
        "un título, el origen, el tamaño, la clave antigua y la nueva",
    ),
    ("a size in decimal digits in the third line", "un tamaño en cifras decimales en la tercera línea"),
    (
        "the origin that the keys are of in the second line",
        "el origen del que son las claves en la segunda línea",
    ),
    (
        "a name must have 1 to 64 bytes; this one has {0}",
        "un nombre debe tener de 1 a 64 bytes; este tiene {0}",
    ),
    (
        "a name may hold ASCII letters, digits and `. _ - : # @ +`; byte {0} is {1}",
        "un nombre puede contener letras ASCII, cifras y `. _ - : # @ +`; el byte {0} es {1}",
    ),
    ("`{0}` is not a digest: expected 64 lower-case hexadecimal digits", DIGEST),
    ("not a well-formed entry at byte {0}: {1}", "no es una entrada bien formada, byte {0}{:1}"),
    (
        "an entry may have at most {0} bytes; this one has {1}",
        "una entrada tiene {0} bytes como mucho; esta tiene {1}",
    ),
];

const DIGEST: &str = "`{0}` no es un resumen: se esperaban 64 cifras hexadecimales en minúsculas";

impl Spanish for EntryError {
    fn spanish(&self) -> String {
        match self {
            Self::UnknownVersion(version) => format!(
                "no se conoce la versión {version} del formato de entrada; este programa lee la versión \
                 {ENTRY_VERSION}"
            ),
            Self::Malformed { at, why } => {
                format!("no es una entrada bien formada: en el byte {at} se esperaba {}", or_detail(why))
            }
            Self::TooLong(length) => format!("la entrada es demasiado larga: tiene {length} bytes"),
            Self::Producer(error) => format!("productor: {}", error.spanish()),
            Self::Chain(error) => format!("nombre de la cadena: {}", error.spanish()),
            Self::ReservedChain => {
                format!("la cadena `{LOG_CHAIN}` es la del propio registro; nada más se registra en ella")
            }
            Self::ZeroFirst => "la primera posición es 0; las posiciones empiezan en 1".to_owned(),
            Self::Count(count) => {
                format!(
                    "la entrada abarca {count} posiciones; se admiten de 1 a {}",
                    sealed_log::entry::MAX_ENTRY_COUNT
                )
            }
            Self::Overflow { first, count } => {
                format!("las posiciones {first} y {count} más superan el mayor número de 64 bits")
            }
        }
    }
}

impl Spanish for NameError {
    fn spanish(&self) -> String {
        match self {
            Self::Length(length) => format!("un nombre debe tener de 1 a 64 bytes; este tiene {length}"),
            Self::Byte { at, byte } => format!(
                "un nombre puede contener letras ASCII, cifras y `. _ - : # @ +`; el byte {at} es 0x{byte:02x}"
            ),
        }
    }
}

impl Spanish for DigestError {
    fn spanish(&self) -> String {
        or_detail(&self.to_string())
    }
}

impl Spanish for NoticeError {
    fn spanish(&self) -> String {
        match self {
            Self::Form(error) => format!("no es un aviso del registro: {}", error.spanish()),
            Self::Rotation(error) => error.spanish(),
            Self::Name { name, why } => format!("el aviso nombra a `{name}`: {}", why.spanish()),
            Self::OneSigner(name) => {
                format!("`{name}` no puede refrendar lo suyo: hacen falta dos personas")
            }
            Self::Reason(length) => format!(
                "un motivo tiene de 1 a {} bytes; este tiene {length}",
                sealed_log::notice::MAX_REASON_BYTES
            ),
            Self::Entries => format!(
                "un aviso nombra de 1 a {} entradas, cada una una vez, en el orden del registro",
                sealed_log::notice::MAX_REDACTED
            ),
            Self::NotBefore(index) => {
                format!("el aviso da por borrada la entrada {index}, y antes de él no hay tal entrada")
            }
            Self::OtherDigest(index) => {
                format!(
                    "el aviso da por borrada la entrada {index}, con un resumen que no es el de esa entrada"
                )
            }
            Self::UnknownKind(kind) => format!("este programa no conoce los avisos de la clase {kind}"),
            Self::Gone => format!(
                "lo que se pierde con los contenidos borrados se dice en {} líneas como mucho, de 1 a {} bytes, sin \
                 caracteres de control",
                sealed_log::notice::MAX_GONE,
                sealed_log::notice::MAX_GONE_BYTES
            ),
        }
    }
}

impl Spanish for OwnChainError {
    fn spanish(&self) -> String {
        match self {
            Self::Withheld => {
                "su contenido está retenido, y un aviso del registro nunca se retiene ni se borra".to_owned()
            }
            Self::Producer(producer) => format!(
                "el productor es `{producer}`, y en la cadena `{LOG_CHAIN}` solo escribe el propio registro"
            ),
            Self::Count(count) => {
                format!("abarca {count} posiciones de la cadena `{LOG_CHAIN}`, y un aviso tiene una")
            }
            Self::Position { expected, found } => {
                format!("es el número {found} de la cadena `{LOG_CHAIN}`, y el siguiente es el {expected}")
            }
        }
    }
}

impl Spanish for RotationError {
    fn spanish(&self) -> String {
        match self {
            Self::Form(expected) => match known(expected) {
                Some(expected) => format!("no es una sustitución de clave: se esperaba {expected}"),
                None => format!("no es una sustitución de clave{}", because(expected)),
            },
            Self::Note(error) => format!("no es una sustitución de clave: {}", error.spanish()),
            Self::Names { old, new } => format!(
                "las claves son de los registros `{old}` y `{new}`: a una clave la sigue otra del mismo registro"
            ),
            Self::SameKey => "la clave nueva es la antigua".to_owned(),
            Self::Index { says } => format!("dice que está en la entrada {says}"),
            Self::NotInForce { says, is } => {
                format!("sustituye la clave {says}, pero ahí la clave del registro es {is}")
            }
            Self::TooMany => format!(
                "la clave de un registro se sustituye {} veces como mucho",
                sealed_log::keys::MAX_ROTATIONS
            ),
        }
    }
}
