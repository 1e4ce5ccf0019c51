//! Errors of cosignatures, and of one checkpoint compared with another.

use sealed_log::store::StoreError;
use tlog::consistency::{ConsistencyError, MakeConsistencyError};
use tlog::cosignature::CosignatureError;

use super::Spanish;
use super::phrases::{Phrase, because};

pub(super) const PHRASES: &[Phrase] = &[
    ("it has not 72 bytes", "no tiene 72 bytes"),
    ("it has not 2,428 bytes", "no tiene 2.428 bytes"),
    ("its time is past what the format allows", "su hora pasa de lo que admite el formato"),
    (
        "the checkpoint, the time or the signature was altered",
        "se alteró el punto de control, la hora o la firma",
    ),
    ("a cosignature by {0} does not hold: {1}", "una firma del testigo {0} no es válida{:1}"),
    ("witness {0}: {1}", "testigo {0}: {~1}"),
];

impl Spanish for CosignatureError {
    fn spanish(&self) -> String {
        match self {
            Self::Missing(key) => format!("no hay firma del testigo {key}"),
            Self::Bad { name, why } => format!("una firma del testigo {name} no es válida{}", because(why)),
            Self::UnknownKind(kind) => format!(
                "su clave es de la clase 0x{kind:02x}, que aquí no se lee, así que sus firmas no se pueden comprobar"
            ),
            Self::OwnWitness(name) => {
                format!("{name} es el propio registro, que no puede ser su propio testigo")
            }
            Self::NoStatement(name) => format!(
                "una firma del testigo {name} no dice cuándo se hizo, así que no dice que el árbol fuera el mayor que \
                 había visto"
            ),
            Self::Time(seconds) => format!(
                "no se pueden firmar {seconds} segundos desde 1970: como mucho 9.223.372.036.854.775.807"
            ),
            Self::Origin(length) => {
                format!("un origen de {length} bytes no se puede firmar con ML-DSA-44: 255 como mucho")
            }
            Self::Lines { line } => format!(
                "la línea {line} de lo que respondió el testigo no es una línea de firma `\u{2014} NOMBRE BASE64`"
            ),
            Self::Full(error) => {
                format!("el punto de control no puede llevar más firmas: {}", error.spanish())
            }
        }
    }
}

impl Spanish for ConsistencyError {
    fn spanish(&self) -> String {
        match self {
            Self::Checkpoint { which, why } => {
                let which = match *which {
                    "older" => "más antiguo",
                    "newer" => "más nuevo",
                    other => other,
                };
                format!("el punto de control {which} no es creíble: {}", why.spanish())
            }
            Self::Origin { old, new } => {
                format!("el punto de control más antiguo es del registro `{old}`, y el más nuevo de `{new}`")
            }
            Self::Shrunk { old, new } => format!(
                "el punto de control más nuevo tiene {new} entradas, y el más antiguo {old}: se intercambiaron, o el \
                 registro se cortó"
            ),
            Self::Forked { size } => format!(
                "los dos puntos de control tienen {size} entradas pero raíces distintas: se firmaron dos historias"
            ),
            Self::OtherSize { proof, old } => format!(
                "la prueba empieza en {proof} entradas, y el punto de control más antiguo tiene {old}"
            ),
            Self::NotExtended { old, new, why } => format!(
                "no se muestra que el punto de control de {new} entradas continúe el de {old}: {}",
                why.spanish()
            ),
        }
    }
}

impl Spanish for MakeConsistencyError<StoreError> {
    fn spanish(&self) -> String {
        match self {
            Self::Not(error) => error.spanish(),
            Self::Nodes(error) => {
                format!("las huellas del árbol no se pueden leer: {}", error.spanish())
            }
        }
    }
}
