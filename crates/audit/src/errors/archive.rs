//! Errors of archives, and of anything that a log is read from.

use sealed_log::archive::{ARCHIVE_VERSION, ArchiveError, ArchiveWriteError};
use sealed_log::reader::SourceError;

use super::Spanish;
use super::phrases::{Phrase, because};

pub(super) const PHRASES: &[Phrase] = &[
    ("it is too short", "es demasiado corto"),
    ("it does not begin with AUDITLOG", "no empieza por AUDITLOG"),
    ("bytes 12 to 15 must be zero", "los bytes 12 a 15 deben ser cero"),
    (
        "bytes 12 to 15 are not the check of those before",
        "los bytes 12 a 15 no son la comprobación de los anteriores",
    ),
    ("it is cut off", "está cortado"),
    ("its index cannot be read", "su índice no se puede leer"),
    ("the block at byte {0}: {1}", "el bloque del byte {0}{:1}"),
    ("it does not stand there", "no está ahí"),
    (
        "the part with the checkpoint is missing or altered",
        "la parte con el punto de control falta o se alteró",
    ),
    (
        "the part with the checkpoint was altered: its checksum does not hold",
        "la parte con el punto de control se alteró: no se cumple su suma de comprobación",
    ),
    (
        "the part with the checkpoint contradicts its own lengths",
        "la parte con el punto de control contradice sus propias longitudes",
    ),
    ("the checkpoint cannot be read: {0}", "el punto de control no se puede leer{:0}"),
    ("the verifier key cannot be read: {0}", "la clave de verificación no se puede leer{:0}"),
    ("the archive is cut off at byte {0}", "el archivo está cortado en el byte {0}"),
    (
        "the part at byte {0}, on entries that are left out, was altered: its checksum does not hold",
        "la parte del byte {0}, sobre entradas omitidas, se alteró: no se cumple su suma de comprobación",
    ),
    (
        "the part at byte {0}, on entries that are left out, has not the hashes such a stretch has",
        "la parte del byte {0}, sobre entradas omitidas, no tiene las huellas de un tramo así",
    ),
    ("bytes {0} to {1} of the archive were altered", "los bytes {0} a {1} del archivo se alteraron"),
    (
        "the index was altered: its checksum does not hold",
        "el índice se alteró: no se cumple su suma de comprobación",
    ),
    ("the archive's last 64 bytes were altered", "los últimos 64 bytes del archivo se alteraron"),
    ("bytes follow the archive's end", "siguen bytes tras el final del archivo"),
    ("the index does not say what the archive holds", "el índice no dice lo que contiene el archivo"),
    (
        "the archive's last 64 bytes do not say what it holds",
        "los últimos 64 bytes del archivo no dicen lo que contiene",
    ),
    (
        "the block's checksum does not hold: it was altered",
        "no se cumple la suma de comprobación del bloque: se alteró",
    ),
    ("the block's header contradicts its length", "la cabecera del bloque contradice su longitud"),
    ("there are too few or too many", "son demasiado pocos o demasiados"),
    (
        "the leaf hashes kept for the entries cannot be read: {0}",
        "las huellas de hojas guardadas de las entradas no se pueden leer{:0}",
    ),
    ("entries cannot be read: {0}", "hay entradas que no se pueden leer{:0}"),
    ("the entry cannot be read: {0}", "la entrada no se puede leer{:0}"),
    ("{0} entries cannot be read: {1}", "{0} entradas no se pueden leer{:1}"),
    ("its digest is {0}, sealed was {1}", "su huella es {0}, y se selló {1}"),
    (
        "its digest {0} does not give the leaf hash that was sealed",
        "su huella {0} no da la huella de hoja que se selló",
    ),
    ("the entries do not have the root that was signed", "las entradas no tienen la raíz que se firmó"),
    (
        "the entries have the root that was signed; what was kept of them was altered",
        "las entradas tienen la raíz que se firmó; se alteró lo que se guardó de ellas",
    ),
    (
        "neither the entries nor the hashes kept of them have the root that was signed",
        "ni las entradas ni las huellas guardadas de ellas tienen la raíz que se firmó",
    ),
    (
        "the log has {0} entries, and {1} were read before",
        "el registro tiene {0} entradas, y antes se leyeron {1}",
    ),
    ("{0} entries were read, {1} were signed for", "se leyeron {0} entradas, y se firmaron {1}"),
    (
        "the {0} entries that were read do not have the root that was signed",
        "las {0} entradas que se leyeron no tienen la raíz que se firmó",
    ),
    ("the checkpoint is not believed: {0}", "el punto de control no es creíble{:0}"),
    (
        "a checkpoint kept elsewhere is not believed: {0}",
        "un punto de control guardado en otro lugar no es creíble{:0}",
    ),
    (
        "it and all behind it are damaged or missing: {0} entries can be read, {1} were signed for",
        "ella y todas las siguientes están dañadas o faltan: se pueden leer {0} entradas, y se firmaron {1}",
    ),
    (
        "entries go on past the checkpoint: {0} entries were found, {1} were signed for",
        "hay entradas más allá del punto de control: se hallaron {0} entradas, y se firmaron {1}",
    ),
    (
        "the log has {0} entries, a checkpoint kept elsewhere {1}",
        "el registro tiene {0} entradas, y un punto de control guardado en otro lugar {1}",
    ),
    (
        "the first {0} entries do not have the root of a checkpoint kept elsewhere",
        "las primeras {0} entradas no tienen la raíz de un punto de control guardado en otro lugar",
    ),
    (
        "its payload is gone from the store, and no notice in the log accounts for it",
        "su contenido falta en el almacén, y ningún aviso del registro lo justifica",
    ),
    (
        "it names {0} as the entry before it on chain `{1}`, but that is {2}",
        "nombra {0} como la entrada anterior de la cadena `{1}`, pero esa es {2}",
    ),
    (
        "what the log says about itself does not hold: {0}",
        "lo que el registro dice de sí mismo no se cumple{:0}",
    ),
    (
        "what the log says about itself cannot be read: {0}",
        "lo que el registro dice de sí mismo no se puede leer{:0}",
    ),
    (
        "the rotation of the log's key does not hold: {0}",
        "la sustitución de la clave del registro no se cumple{:0}",
    ),
    ("it claims {0} bytes; at most {1} are allowed", "dice tener {0} bytes; se admiten {1} como mucho"),
    ("it unpacks to {0} bytes instead of {1}", "al descomprimirlo da {0} bytes en vez de {1}"),
    (
        "the entries' lengths add up to {0} bytes instead of {1}",
        "las longitudes de las entradas suman {0} bytes en vez de {1}",
    ),
    (
        "the archive is damaged: {0}; verify the whole archive to see all of its faults",
        "el archivo está dañado{:0}; verifique el archivo entero para ver todos sus fallos",
    ),
    ("this is not an archive of a sealed log: {0}", "esto no es el archivo de un registro sellado{:0}"),
    ("the archive cannot be read: {0}", "el archivo no se puede leer{:0}"),
    ("the log cannot be read: {0}", "el registro no se puede leer{:0}"),
];

impl Spanish for ArchiveError {
    fn spanish(&self) -> String {
        match self {
            Self::NotAnArchive(why) => {
                format!("esto no es el archivo de un registro sellado{}", because(why))
            }
            Self::UnknownVersion(version) => format!(
                "no se conoce la versión {version} del formato de archivo; este programa lee las versiones 1 a \
                 {ARCHIVE_VERSION}"
            ),
            Self::Damaged(why) => format!(
                "el archivo está dañado{}; verifique el archivo entero para ver todos sus fallos",
                because(why)
            ),
            Self::Io(error) => format!("el archivo no se puede leer: {}", error.spanish()),
        }
    }
}

impl Spanish for ArchiveWriteError {
    fn spanish(&self) -> String {
        match self {
            Self::Io(error) => format!("el archivo no se puede escribir: {}", error.spanish()),
            Self::Store(error) => format!("las entradas no se pueden leer: {}", error.spanish()),
            Self::Entry { index, why } => format!(
                "la entrada {index} no se puede archivar porque no está bien formada: {}",
                why.spanish()
            ),
            Self::NotTheSigned { entries, size } => format!(
                "las {entries} entradas dadas no tienen la raíz del punto de control, que es de {size}; verifique el \
                 registro, y expórtelo cuando su punto de control concuerde"
            ),
        }
    }
}

impl Spanish for SourceError {
    fn spanish(&self) -> String {
        match self {
            Self::Io(error) => format!("el registro no se puede leer: {}", error.spanish()),
            Self::Store(error) => format!("el registro no se puede leer: {}", error.spanish()),
        }
    }
}
