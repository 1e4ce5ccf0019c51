//! What is wrong with an entry, a notice, a key rotation, a checkpoint, a note or a key, in Spanish.

use sealed_log::entry::{ENTRY_VERSION, EntryError, LOG_CHAIN, MAX_ENTRY_BYTES, MAX_ENTRY_COUNT, NameError};
use sealed_log::keys::{MAX_ROTATIONS, RotationError};
use sealed_log::notice::{
    LOG_PRODUCER, MAX_CONTINUED_BYTES, MAX_GONE, MAX_GONE_BYTES, MAX_REASON_BYTES, MAX_REDACTED, NoticeError,
    OwnChainError,
};
use tlog::checkpoint::CheckpointError;
use tlog::key::KeyError;
use tlog::note::NoteError;

use super::phrases::SEAL;

/// An error of a seal in Spanish. In English it says itself.
pub trait SealErrorInSpanish {
    /// The error in Spanish.
    fn seal_error_in_spanish(&self) -> String;
}

impl SealErrorInSpanish for OwnChainError {
    fn seal_error_in_spanish(&self) -> String {
        match self {
            Self::Withheld => {
                "su contenido está retenido, y un aviso del registro nunca se retiene ni se borra".to_owned()
            }
            Self::Producer(producer) => format!(
                "el productor es `{producer}`, y en la cadena `{LOG_CHAIN}` solo escribe el propio registro \
                 (`{LOG_PRODUCER}`)"
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

impl SealErrorInSpanish for NoticeError {
    fn seal_error_in_spanish(&self) -> String {
        match self {
            Self::Form(error) => format!("no es un aviso del registro: {}", error.seal_error_in_spanish()),
            Self::Rotation(error) => error.seal_error_in_spanish(),
            Self::Name { name, why } => {
                format!("el aviso nombra a `{name}`: {}", why.seal_error_in_spanish())
            }
            Self::OneSigner(name) => {
                format!("`{name}` no puede refrendar lo suyo: hacen falta dos personas")
            }
            Self::Reason(bytes) => {
                format!("un motivo tiene de 1 a {MAX_REASON_BYTES} bytes; este tiene {bytes}")
            }
            Self::Entries => format!(
                "un aviso nombra de 1 a {MAX_REDACTED} entradas, cada una una vez, en el orden del registro"
            ),
            Self::NotBefore(index) => {
                format!("el aviso da por borrada la entrada {index}, y antes de él no hay tal entrada")
            }
            Self::OtherDigest(index) => format!(
                "el aviso da por borrada la entrada {index}, con una huella que no es la de esa entrada"
            ),
            Self::UnknownKind(kind) => format!("este programa no conoce los avisos de la clase {kind}"),
            Self::Checkpoint(error) => {
                format!("el registro que este continúa: {}", error.seal_error_in_spanish())
            }
            Self::CheckpointLength(bytes) => format!(
                "el punto de control del registro que este continúa tiene {bytes} bytes; en una entrada caben \
                 {MAX_CONTINUED_BYTES} como mucho"
            ),
            Self::NotFirst => {
                "dice qué registro continúa este, y eso solo lo puede decir la primera entrada de un registro"
                    .to_owned()
            }
            Self::Itself(name) => {
                format!("nombra este mismo registro, `{name}`, como el anterior o el siguiente")
            }
            Self::Successor(name) => format!(
                "`{name}` no puede ser el registro que continúa este: el nombre de un registro tiene de 1 a 255 \
                 bytes, sin espacios, caracteres de control ni `+`"
            ),
            Self::ClosedBeyond(size) => {
                format!("cierra el registro después de {size} entradas, y antes de él hay menos")
            }
            Self::ClosedRoot(size) => {
                format!("cierra el registro después de {size} entradas, con una raíz que no es la suya")
            }
            Self::Gone => format!(
                "lo que se pierde con los contenidos borrados se dice en {MAX_GONE} líneas como mucho, de 1 a \
                 {MAX_GONE_BYTES} bytes, sin caracteres de control"
            ),
        }
    }
}

impl SealErrorInSpanish for RotationError {
    fn seal_error_in_spanish(&self) -> String {
        match self {
            Self::Form(expected) => {
                format!("no es una sustitución de clave: se esperaba {}", SEAL.or_detail(expected))
            }
            Self::Note(error) => format!("no es una sustitución de clave: {}", error.seal_error_in_spanish()),
            Self::Names { old, new } => format!(
                "las claves son de los registros `{old}` y `{new}`: a una clave la sigue otra del mismo registro"
            ),
            Self::SameKey => "la clave nueva es la antigua".to_owned(),
            Self::Index { says } => format!("dice que está en la entrada {says}"),
            Self::NotInForce { says, is } => {
                format!("sustituye la clave {says}, pero ahí la clave del registro es {is}")
            }
            Self::TooMany => {
                format!("la clave de un registro se sustituye {MAX_ROTATIONS} veces como mucho")
            }
        }
    }
}

impl SealErrorInSpanish for EntryError {
    fn seal_error_in_spanish(&self) -> String {
        match self {
            Self::UnknownVersion(version) => format!(
                "no se conoce la versión {version} del formato de entrada; este programa lee la versión \
                 {ENTRY_VERSION}"
            ),
            Self::Malformed { at, why } => {
                format!("no es una entrada bien formada: en el byte {at} se esperaba {}", SEAL.or_detail(why))
            }
            Self::TooLong(bytes) => {
                format!("una entrada tiene {MAX_ENTRY_BYTES} bytes como mucho; esta tiene {bytes}")
            }
            Self::Producer(why) => {
                format!("identificador del productor: {}", why.seal_error_in_spanish())
            }
            Self::Chain(why) => format!("nombre de la cadena: {}", why.seal_error_in_spanish()),
            Self::ReservedChain => {
                format!("la cadena `{LOG_CHAIN}` es la del propio registro; en ella no se registra nada más")
            }
            Self::ZeroFirst => "la primera posición es 0; las posiciones empiezan en 1".to_owned(),
            Self::Count(count) => {
                format!("la entrada abarca {count} posiciones; se admiten de 1 a {MAX_ENTRY_COUNT}")
            }
            Self::Overflow { first, count } => {
                format!("las posiciones desde la {first}, y {count} más, superan el mayor número de 64 bits")
            }
        }
    }
}

impl SealErrorInSpanish for NameError {
    fn seal_error_in_spanish(&self) -> String {
        match self {
            Self::Length(bytes) => format!("un nombre debe tener de 1 a 64 bytes; este tiene {bytes}"),
            Self::Byte { at, byte } => format!(
                "un nombre puede contener letras ASCII, cifras y `. _ - : # @ +`; el byte {at} es 0x{byte:02x}"
            ),
        }
    }
}

impl SealErrorInSpanish for CheckpointError {
    fn seal_error_in_spanish(&self) -> String {
        match self {
            Self::Body(expected) => {
                format!("no es un punto de control: se esperaba {}", SEAL.or_detail(expected))
            }
            Self::Note(error) => error.seal_error_in_spanish(),
            Self::Origin { origin, key } => {
                format!("el punto de control es del registro `{origin}`, pero la clave es de `{key}`")
            }
        }
    }
}

impl SealErrorInSpanish for NoteError {
    fn seal_error_in_spanish(&self) -> String {
        match self {
            Self::Key(error) => error.seal_error_in_spanish(),
            Self::Form(why) => format!("no es una nota firmada{}", SEAL.because(why)),
            Self::NotSigned(key) => format!("no hay firma de {key}"),
            Self::BadSignature(key) => {
                format!("una firma de {key} no es válida: se alteró el texto o la firma")
            }
        }
    }
}

impl SealErrorInSpanish for KeyError {
    fn seal_error_in_spanish(&self) -> String {
        match self {
            Self::Name(name) => format!(
                "`{name}` no puede ser el nombre de una clave: de 1 a 255 bytes sin espacios, caracteres de control \
                 ni `+`"
            ),
            Self::VerifierKey(why) => format!(
                "no es una clave de verificación ({}): se esperaba NOMBRE+8 CIFRAS HEX+BASE64 de una clave pública \
                 Ed25519 o ML-DSA-44",
                in_brackets(why)
            ),
            Self::SigningKey(why) => format!(
                "no es una clave de firma ({}): se esperaba PRIVATE+KEY+NOMBRE+8 CIFRAS HEX+BASE64 de una semilla \
                 Ed25519 o ML-DSA-44",
                in_brackets(why)
            ),
            Self::WitnessKey(why) => format!(
                "no es la clave de verificación de un testigo ({}): se esperaba NOMBRE+8 CIFRAS HEX+BASE64 de 0x04 y \
                 una clave pública Ed25519, o de 0x06 y una ML-DSA-44",
                in_brackets(why)
            ),
            Self::WitnessSigningKey(why) => format!(
                "no es la clave de firma de un testigo ({}): se esperaba PRIVATE+KEY+NOMBRE+8 CIFRAS HEX+BASE64 de \
                 0x04 y una semilla Ed25519, o de 0x06 y una ML-DSA-44",
                in_brackets(why)
            ),
        }
    }
}

/// A text that stands in brackets already.
fn in_brackets(english: &str) -> String {
    SEAL.known(english).unwrap_or_else(|| format!("detalle: {english}"))
}
