//! Errors of keys, signed notes and policies of witnesses.

use tlog::key::KeyError;
use tlog::note::NoteError;
use tlog::policy::PolicyError;

use super::Spanish;
use super::phrases::{Phrase, because, or_detail};

pub(super) const PHRASES: &[Phrase] = &[
    ("it has too few parts", "le faltan partes"),
    ("its key is not base64", "su clave no está en base64"),
    (
        "its id is not 8 hexadecimal digits in lower case",
        "su identificador no son 8 cifras hexadecimales en minúsculas",
    ),
    ("its key is empty", "su clave está vacía"),
    ("its id does not belong to its name and key", "su identificador no corresponde a su nombre y su clave"),
    ("its key has not {0} bytes", "su clave no tiene {0} bytes"),
    ("its key is not a point of the curve", "su clave no es un punto de la curva"),
    ("its seed has not 32 bytes", "su semilla no tiene 32 bytes"),
    ("it does not begin with PRIVATE+KEY+", "no empieza por PRIVATE+KEY+"),
    ("it is of the kind 0x04, the key of a witness", "es de la clase 0x04, la clave de un testigo"),
    ("it is of the kind 0x01, the key of a log", "es de la clase 0x01, la clave de un registro"),
    ("it is of the kind {0}, which is not read here", "es de la clase {0}, que aquí no se lee"),
    ("it is longer than 524,288 bytes", "tiene más de 524.288 bytes"),
    ("it holds control characters", "contiene caracteres de control"),
    ("there is no empty line before the signatures", "falta la línea vacía antes de las firmas"),
    ("its last line does not end in a newline", "su última línea no acaba en un salto de línea"),
    ("it has more than 100 signatures", "tiene más de 100 firmas"),
    ("a signature line is not `\u{2014} name base64`", "una línea de firma no es `\u{2014} nombre base64`"),
    ("not a signed note: {0}", "no es una nota firmada{:0}"),
    ("there is no signature by {0}", "no hay firma de {0}"),
    (
        "a signature by {0} does not hold: the text or the signature was altered",
        "una firma de {0} no es válida: se alteró el texto o la firma",
    ),
    (
        "`{0}` cannot name a key: 1 to 255 bytes without spaces, control characters or `+`",
        "`{0}` no puede ser el nombre de una clave: de 1 a 255 bytes sin espacios, caracteres de control ni `+`",
    ),
    (
        "not a verifier key ({0}): expected NAME+8 HEX DIGITS+BASE64 of an Ed25519 or ML-DSA-44 public key",
        "no es una clave de verificación ({~0}): se esperaba NOMBRE+8 CIFRAS HEX+BASE64 de una clave pública Ed25519 \
         o ML-DSA-44",
    ),
    (
        "not a witness's verifier key ({0}): expected NAME+8 HEX DIGITS+BASE64 of 0x04 and an Ed25519 public key, or of 0x06 and an ML-DSA-44 one",
        "no es la clave de verificación de un testigo ({~0}): se esperaba NOMBRE+8 CIFRAS HEX+BASE64 de 0x04 y una \
         clave pública Ed25519, o de 0x06 y una ML-DSA-44",
    ),
    (
        "the file ends without a quorum line; expected `quorum NAME` or `quorum none`",
        "el archivo acaba sin una línea de quórum; se esperaba `quorum NOMBRE` o `quorum none`",
    ),
    (
        "byte {0}: only tabs and line ends may stand beside text",
        "byte {0}: junto al texto solo puede haber tabuladores y finales de línea",
    ),
    ("expected `log VKEY [URL]`", "se esperaba `log CLAVE [URL]`"),
    ("expected `witness NAME VKEY [URL]`", "se esperaba `witness NOMBRE CLAVE [URL]`"),
    (
        "expected `group NAME all|any|NUMBER MEMBER...`",
        "se esperaba `group NOMBRE all|any|NÚMERO MIEMBRO...`",
    ),
    ("expected `quorum NAME` or `quorum none`", "se esperaba `quorum NOMBRE` o `quorum none`"),
    (
        "`{0}` begins no line; expected log, witness, group, quorum or #",
        "ninguna línea empieza por `{0}`; se esperaba log, witness, group, quorum o #",
    ),
    ("this log's key stands in the file already", "la clave de este registro ya está en el archivo"),
    (
        "a log and a witness have the same key: a log cannot be its own witness",
        "un registro y un testigo tienen la misma clave: un registro no puede ser su propio testigo",
    ),
    (
        "witness {0} has the same key: one key cannot count twice",
        "el testigo {0} tiene la misma clave: una clave no puede contar dos veces",
    ),
    ("more than {0} witnesses", "más de {0} testigos"),
    (
        "a second quorum line; exactly one says what is enough",
        "una segunda línea de quórum; una sola dice cuántos bastan",
    ),
    (
        "`none` is no name: in the quorum line it means that no witness is needed",
        "`none` no es un nombre: en la línea de quórum significa que no hace falta ningún testigo",
    ),
    ("`{0}` is the name of another witness or group", "`{0}` es el nombre de otro testigo o grupo"),
    (
        "`{0}` is not the name of a witness or group on a line before this one",
        "`{0}` no es el nombre de un testigo o grupo de una línea anterior",
    ),
    (
        "`{0}` is in a group already: each name counts in one way only",
        "`{0}` ya está en un grupo: cada nombre cuenta de una sola manera",
    ),
    (
        "expected all, any, or a number from 1 to {0}, the group's members",
        "se esperaba all, any, o un número de 1 a {0}, los miembros del grupo",
    ),
];

impl Spanish for KeyError {
    fn spanish(&self) -> String {
        match self {
            Self::Name(name) => format!(
                "`{name}` no puede ser el nombre de una clave: de 1 a 255 bytes sin espacios, caracteres de control \
                 ni `+`"
            ),
            Self::VerifierKey(why) => format!(
                "no es una clave de verificación ({}): se esperaba NOMBRE+8 CIFRAS HEX+BASE64 de una clave pública \
                 Ed25519 o ML-DSA-44",
                bare(why)
            ),
            Self::SigningKey(why) => format!(
                "no es una clave de firma ({}): se esperaba PRIVATE+KEY+NOMBRE+8 CIFRAS HEX+BASE64 de una semilla \
                 Ed25519 o ML-DSA-44",
                bare(why)
            ),
            Self::WitnessKey(why) => format!(
                "no es la clave de verificación de un testigo ({}): se esperaba NOMBRE+8 CIFRAS HEX+BASE64 de 0x04 y \
                 una clave pública Ed25519, o de 0x06 y una ML-DSA-44",
                bare(why)
            ),
            Self::WitnessSigningKey(why) => format!(
                "no es la clave de firma de un testigo ({}): se esperaba PRIVATE+KEY+NOMBRE+8 CIFRAS HEX+BASE64 de \
                 0x04 y una semilla Ed25519, o de 0x06 y una ML-DSA-44",
                bare(why)
            ),
        }
    }
}

/// A text that stands in brackets already.
fn bare(english: &str) -> String {
    super::phrases::known(english).unwrap_or_else(|| format!("detalle: {english}"))
}

impl Spanish for NoteError {
    fn spanish(&self) -> String {
        match self {
            Self::Key(error) => error.spanish(),
            Self::Form(why) => format!("no es una nota firmada{}", because(why)),
            Self::NotSigned(key) => format!("no hay firma de {key}"),
            Self::BadSignature(key) => {
                format!("una firma de {key} no es válida: se alteró el texto o la firma")
            }
        }
    }
}

impl Spanish for PolicyError {
    fn spanish(&self) -> String {
        format!("línea {}: {}", self.line, or_detail(&self.why))
    }
}
