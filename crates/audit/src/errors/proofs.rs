//! Errors of proofs, of receipts, and of the tree that both are about.

use client::ReceiptError;
use sealed_log::proof::{EntryProofError, ProveError};
use sealed_log::store::StoreError;
use tlog::inclusion::InclusionError;
use tlog::proof::{MakeProofError, MissingNodes, ProofError};
use tlog::proof_text::ProofTextError;
use tlog::tile::{PathError, TileError};
use tlog::tree::FrontierError;

use super::Spanish;
use super::phrases::{Phrase, because, known, or_detail};

pub(super) const PHRASES: &[Phrase] = &[
    ("`old ` and a size in decimal digits", "`old ` y un tamaño en cifras decimales"),
    ("c2sp.org/tlog-proof@v1", "c2sp.org/tlog-proof@v1"),
    ("bytes in base64 behind `extra `", "bytes en base64 tras `extra `"),
    ("an entry's bytes in base64 behind `extra `", "los bytes de una entrada en base64 tras `extra `"),
    ("`index ` and a number in decimal digits", "`index ` y un número en cifras decimales"),
    ("more lines; it is cut off", "más líneas; está cortada"),
    ("a hash of 32 bytes in base64, or an empty line", "una huella de 32 bytes en base64, o una línea vacía"),
    ("an empty line behind at most 65 hashes", "una línea vacía tras 65 huellas como mucho"),
    ("a proof of some kilobytes, not more than 595 KiB", "una prueba de unos kilobytes, no más de 595 KiB"),
    (
        "an array of four, with tag 18 before it (COSE_Sign1)",
        "una lista de cuatro, precedida de la etiqueta 18 (COSE_Sign1)",
    ),
    (
        "protected headers in a byte string, and all of it",
        "cabeceras protegidas en una cadena de bytes, y completa",
    ),
    (
        "protected headers: a map in which each label occurs once, and nothing behind it",
        "cabeceras protegidas: un mapa en el que cada etiqueta aparece una vez, y nada detrás",
    ),
    (
        "unprotected headers with inclusion proofs [size, index, [hashes]]",
        "cabeceras sin proteger con pruebas de inclusión [tamaño, índice, [huellas]]",
    ),
    (
        "at least one inclusion proof in the unprotected headers",
        "al menos una prueba de inclusión en las cabeceras sin proteger",
    ),
    (
        "a detached payload (null), or the root of 32 bytes",
        "un contenido separado (null), o la raíz de 32 bytes",
    ),
    ("a signature in a byte string, and all of it", "una firma en una cadena de bytes, y completa"),
    ("the end, but more bytes follow", "el final, pero siguen más bytes"),
    (
        "the protected header 395 to be 1: a tree of the kind RFC9162_SHA256",
        "que la cabecera protegida 395 fuera 1: un árbol de la clase RFC9162_SHA256",
    ),
    (
        "no critical header that is not known here",
        "que no hubiera ninguna cabecera crítica que aquí no se conoce",
    ),
    ("an algorithm in the protected headers", "un algoritmo en las cabeceras protegidas"),
    (
        "an algorithm that is read here: ES256 (-7) is not, but Ed25519 (-8, -19) and ML-DSA-44 (-48) are",
        "un algoritmo que se lea aquí: ES256 (-7) no, pero sí Ed25519 (-8, -19) y ML-DSA-44 (-48)",
    ),
    (
        "an algorithm that is read here: Ed25519 (-8, -19) or ML-DSA-44 (-48)",
        "un algoritmo que se lea aquí: Ed25519 (-8, -19) o ML-DSA-44 (-48)",
    ),
    ("the proof leads to another root", "la prueba lleva a otra raíz"),
    ("the proof has a wrong number of hashes: {0}", "la prueba tiene un número de huellas incorrecto: {0}"),
    ("entry {0} is not in a tree of {1} entries", "la entrada {0} no está en un árbol de {1} entradas"),
    ("the tree's hashes cannot be read: {0}", "las huellas del árbol no se pueden leer{:0}"),
];

impl Spanish for ProofError {
    fn spanish(&self) -> String {
        match self {
            Self::Index { index, size } => {
                format!("la entrada {index} no está en un árbol de {size} entradas")
            }
            Self::Sizes { first, second } => format!(
                "una prueba de consistencia lleva de un árbol de 1 a {second} entradas a uno de {second}; se pidió \
                 desde {first}"
            ),
            Self::Length(hashes) => format!("la prueba tiene un número de huellas incorrecto: {hashes}"),
            Self::Root => "la prueba lleva a otra raíz".to_owned(),
        }
    }
}

impl Spanish for MakeProofError<StoreError> {
    fn spanish(&self) -> String {
        match self {
            Self::NoSuchProof(error) => error.spanish(),
            Self::Nodes(error) => {
                format!("las huellas del árbol no se pueden leer: {}", error.spanish())
            }
        }
    }
}

impl Spanish for MissingNodes {
    fn spanish(&self) -> String {
        let Self { level, first, count, leaves } = self;
        format!("se pidieron {count} huellas del nivel {level} desde {first}, de un árbol de {leaves} hojas")
    }
}

impl Spanish for TileError {
    fn spanish(&self) -> String {
        let Self { level, number, width } = self;
        format!(
            "ninguna pieza tiene {width} huellas desde el número {number} en el nivel {level}: se esperaban de 1 a \
             256 de los niveles 0 a 7"
        )
    }
}

impl Spanish for PathError {
    fn spanish(&self) -> String {
        let english = self.to_string();
        let path =
            english.strip_prefix('`').and_then(|rest| rest.split_once("` is not a path of a tiled log"));
        match path {
            Some((path, _)) => format!(
                "`{path}` no es una ruta de un registro en piezas: se esperaba checkpoint, tile/L/N, tile/entries/N, \
                 o una de estas con .p/W"
            ),
            None => or_detail(&english),
        }
    }
}

impl Spanish for FrontierError {
    fn spanish(&self) -> String {
        match self {
            Self::Short(length) => format!("un borde del árbol tiene al menos 8 bytes; este tiene {length}"),
            Self::Length { size, expected, length } => {
                format!("el borde de un árbol de {size} hojas tiene {expected} bytes; este tiene {length}")
            }
        }
    }
}

/// What a line of a proof should have been.
fn expected_in(line: usize, expected: &str) -> String {
    match known(expected) {
        Some(expected) => format!("no es una prueba, línea {line}: se esperaba {expected}"),
        None => format!("no es una prueba, línea {line}{}", because(expected)),
    }
}

impl Spanish for ProofTextError {
    fn spanish(&self) -> String {
        match self {
            Self::Form { line, expected } => expected_in(*line, expected),
            Self::Checkpoint(error) => {
                format!("el punto de control que contiene no es creíble: {}", error.spanish())
            }
        }
    }
}

impl Spanish for InclusionError {
    fn spanish(&self) -> String {
        match self {
            Self::Checkpoint(error) => {
                format!("el punto de control que contiene no es creíble: {}", error.spanish())
            }
            Self::Proof { index, size, why } => format!(
                "la prueba no muestra la entrada {index} en el árbol firmado de {size}: {}",
                why.spanish()
            ),
        }
    }
}

impl Spanish for EntryProofError {
    fn spanish(&self) -> String {
        match self {
            Self::Form { line, expected } => expected_in(*line, expected),
            Self::Receipt { at, expected } => match known(expected) {
                Some(expected) => {
                    format!("no es el recibo COSE de una entrada, byte {at}: se esperaba {expected}")
                }
                None => format!("no es el recibo COSE de una entrada, byte {at}{}", because(expected)),
            },
            Self::Checkpoint(error) => {
                format!("el punto de control que contiene no es creíble: {}", error.spanish())
            }
            Self::Signature { key } => {
                format!("el recibo no está firmado con {key}, o se alteró la entrada, la prueba o la firma")
            }
            Self::Inclusion { digest, index, size, why } => format!(
                "no se prueba que la entrada {digest} esté en el puesto {index} del árbol firmado de {size}: {}",
                why.spanish()
            ),
        }
    }
}

impl Spanish for ProveError {
    fn spanish(&self) -> String {
        let Self { index, why, disk: _ } = self;
        format!("la entrada {index} no se puede probar{}; verifique el registro", because(why))
    }
}

impl Spanish for ReceiptError {
    fn spanish(&self) -> String {
        match self {
            Self::Proof(error) => error.spanish(),
            Self::OtherIndex { claimed, proven } => {
                format!("el recibo es de la entrada {claimed}, y su prueba de la entrada {proven}")
            }
            Self::OtherEntry { claimed, found } => {
                format!("el recibo es de una entrada con la huella {claimed}; la dada tiene {found}")
            }
            Self::NoEntry(error) => {
                format!("lo que se dio con el recibo no es una entrada: {}", error.spanish())
            }
            Self::OtherEvents { claimed, claimed_count, first, count } => format!(
                "el recibo es de {claimed_count} sucesos desde el {claimed}; la entrada contiene {count} desde el \
                 {first}"
            ),
        }
    }
}
