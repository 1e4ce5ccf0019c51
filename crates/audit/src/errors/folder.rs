//! Errors of a log's folder on disk.

use std::path::PathBuf;

use sealed_log::store::StoreError;
use sealed_log_sled::{CheckpointFileError, FileTrouble, FolderError, WhatIsWrong};

use super::Spanish;
use super::phrases::{Phrase, behind_path, or_detail};

pub(super) const PHRASES: &[Phrase] = &[
    (
        "{0}; put it back as it was, or remove it if `checkpoint` beside it is the newest there was",
        "{/0}; déjelo como estaba, o quítelo si el `checkpoint` que está a su lado es el más nuevo que hubo",
    ),
    (
        "{0}; put the right checkpoint file back",
        "{/0}; devuelva a su lugar el archivo de punto de control correcto",
    ),
    ("none of its three slots holds a checkpoint", "ninguno de sus tres huecos contiene un punto de control"),
    (
        "two checkpoints of {0} entries contradict each other",
        "dos puntos de control de {0} entradas se contradicen",
    ),
    (
        "a checkpoint of {0} bytes, and {1} fit into `head`; put the checkpoint back as this program signed it, without other lines behind its root",
        "un punto de control de {0} bytes, y en `head` caben {1}; devuelva el punto de control como lo firmó este \
         programa, sin otras líneas tras la raíz",
    ),
    ("a checkpoint of {0} bytes; {1} fit", "un punto de control de {0} bytes; caben {1}"),
    ("invalid utf-8 sequence of {0} bytes from index {1}", "no es un texto UTF-8 desde el byte {1}"),
    ("incomplete utf-8 byte sequence from index {0}", "no es un texto UTF-8 desde el byte {0}"),
];

impl Spanish for FolderError {
    fn spanish(&self) -> String {
        match self {
            Self::NoLog(folder) => format!(
                "{} no contiene ningún registro: se esperaba una carpeta con `store` dentro, como la crea \
                 `audit init`",
                folder.display()
            ),
            Self::Busy(folder) => format!(
                "otro proceso está escribiendo en {}; deténgalo antes, o trabaje con una exportación",
                folder.display()
            ),
            Self::Moving(folder) => format!(
                "otro proceso está escribiendo en {} y no se detuvo lo bastante para copiarlo; pruebe de nuevo, \
                 detenga ese proceso, o trabaje con una exportación",
                folder.display()
            ),
            Self::Unclean(folder) => format!(
                "el programa que escribió por última vez en {} no lo cerró; haga que se compruebe antes, añadiéndole \
                 algo (audit ingest, con un archivo que puede estar vacío)",
                folder.display()
            ),
            Self::There(folder) => format!(
                "{} ya existe; un registro se restaura en una carpeta que aún no existe: muévala, o nombre otra",
                folder.display()
            ),
            Self::NoSpace { folder, free, needed } => format!(
                "{}: quedan {free} bytes libres, y abrir de nuevo el registro puede ocupar {needed}; libere espacio",
                folder.display()
            ),
            Self::Store { folder, error, aside } => format!(
                "{}: {}{}{}",
                folder.display(),
                error.spanish(),
                set_aside(aside.as_ref()),
                advice(error)
            ),
            Self::Open { folder, error, aside } => {
                format!("{}: {}{}", folder.display(), error.spanish(), set_aside(aside.as_ref()))
            }
            Self::Checkpoint(why) => behind_path(why),
            Self::Contradiction(folder) => format!(
                "{}: `head` y `checkpoint` son dos puntos de control distintos con las mismas entradas, y las firmas de \
                 los dos son válidas: se firmaron dos historias; conserve los dos archivos como prueba",
                folder.display()
            ),
            Self::Cosigned(why) => format!(
                "{}; deje el archivo como estaba, o quítelo y vuelva a preguntar a los testigos",
                behind_path(why)
            ),
            Self::NotKept(error) => error.spanish(),
            Self::File { path, error } => format!("{}: {}", path.display(), error.spanish()),
        }
    }
}

impl Spanish for CheckpointFileError {
    fn spanish(&self) -> String {
        match self {
            Self::File { path, error } => format!("{}: {}", path.display(), error.spanish()),
            Self::Illegible { path, why } => format!("{}: {}", path.display(), or_detail(why)),
        }
    }
}

/// The sentence on such a file, and on what was used in its place.
pub(super) fn trouble_in_spanish(trouble: &FileTrouble) -> String {
    let FileTrouble { file, what, used } = trouble;
    let what = match what {
        WhatIsWrong::Missing => format!("falta `{file}`"),
        WhatIsWrong::Illegible => format!("`{file}` no se puede leer, o no se puede leer una parte"),
        WhatIsWrong::Altered => format!("se alteró `{file}`: su firma no es válida"),
        WhatIsWrong::NotSigned => format!("`{file}` no está firmado con la clave del registro"),
        WhatIsWrong::Differs => format!("`{file}` es distinto, y no hay clave con la que comprobar su firma"),
    };
    used.map_or_else(|| what.clone(), |used| format!("{what}; se usó `{used}`"))
}

/// What to do about a damaged store.
pub(super) fn damaged_advice() -> &'static str {
    "conserve la carpeta como está; use una copia de seguridad, un archivo o una copia de su lado (store.before-N), y \
     verifíquela con el último punto de control"
}

fn advice(error: &StoreError) -> String {
    match error {
        StoreError::Damaged { .. } | StoreError::Unopened(_) => format!("; {}", damaged_advice()),
        StoreError::WrongIndex { .. }
        | StoreError::Stopped
        | StoreError::Closed
        | StoreError::Disk(_)
        | StoreError::Machine(_) => String::new(),
    }
}

fn set_aside(aside: Option<&PathBuf>) -> String {
    aside
        .map(|copy| format!(" (el almacén, como se encontró, está en {})", copy.display()))
        .unwrap_or_default()
}
