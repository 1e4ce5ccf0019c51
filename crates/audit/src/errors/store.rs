//! Errors of a store, and of a log that is opened on one.

use sealed_log::store::{ResourceError, StoreError};
use sealed_log::writer::{CheckpointSinkError, OpenError};

use super::Spanish;
use super::phrases::{Phrase, because};

pub(super) const PHRASES: &[Phrase] = &[
    ("it is not there", "no está"),
    ("piece {0} of it is not there", "falta su trozo {0}"),
    ("its block is not there", "falta su bloque"),
    ("its block does not hold it", "su bloque no la contiene"),
    ("its bytes are not those that were sealed", "sus bytes no son los que se sellaron"),
    ("its files contradict themselves", "sus archivos se contradicen"),
    ("a checksum of its files does not hold", "no se cumple una suma de comprobación de sus archivos"),
    ("a part of its files is not there", "falta una parte de sus archivos"),
    ("its files are cut off or not all there", "sus archivos están cortados o incompletos"),
    (
        "its files are not of the kind this program writes",
        "sus archivos no son de la clase que escribe este programa",
    ),
    ("its chain's state is illegible", "el estado de su cadena es ilegible"),
    ("an illegible run of positions", "un tramo de posiciones ilegible"),
    ("the run of its chain's positions is not there", "falta el tramo de posiciones de su cadena"),
    ("an illegible block key", "la clave de un bloque es ilegible"),
    ("a block without a length", "un bloque sin longitud"),
    ("a block whose lengths do not add up", "un bloque cuyas longitudes no cuadran"),
    (
        "a block that claims {0} bytes; at most {1} are possible",
        "un bloque que dice tener {0} bytes; como mucho caben {1}",
    ),
    ("a block of {0} bytes that claims {1}", "un bloque de {0} bytes que dice tener {1}"),
    ("the tile of its hash is not there", "falta la pieza de su huella"),
    (
        "a hash above it, at level {0}, is not that of the tile below",
        "una huella por encima, en el nivel {0}, no es la de la pieza inferior",
    ),
    (
        "{0} hashes of level {1} from {2} were asked for, of a tree of {3} entries",
        "se pidieron {0} huellas del nivel {1} desde {2}, de un árbol de {3} entradas",
    ),
    (
        "{0} hashes of level {1} from {2} were asked for, of a tree of {3} leaves",
        "se pidieron {0} huellas del nivel {1} desde {2}, de un árbol de {3} hojas",
    ),
    (
        "{0} hashes of level {1} from {2} were asked for, {3} are kept",
        "se pidieron {0} huellas del nivel {1} desde {2} y se guardan {3}",
    ),
    (
        "{0} leaf hashes from {1} were asked for, {2} are kept",
        "se pidieron {0} huellas de hojas desde {1} y se guardan {2}",
    ),
    (
        "{0} hashes of level {1} were read where {2} are kept",
        "se leyeron {0} huellas del nivel {1} donde se guardan {2}",
    ),
    (
        "it is not there; the checkpoint kept with it covers {0}",
        "no está; el punto de control que se guarda con ella cubre {0}",
    ),
    (
        "the checkpoint kept with it is illegible: {0}",
        "el punto de control que se guarda con él es ilegible{:0}",
    ),
    ("entries without a format", "hay entradas sin formato"),
    ("an empty format record", "la indicación del formato está vacía"),
    (
        "store format {0}; this program knows formats {1} to {2}",
        "formato de almacén {0}; este programa conoce los formatos {1} a {2}",
    ),
    (
        "the tree kept with the newest tile ends within a tile",
        "el árbol guardado con la pieza más nueva acaba dentro de una pieza",
    ),
    ("the leaf hashes before it are not there", "faltan las huellas de hojas anteriores"),
    ("the newest entries are not all there", "faltan algunas de las entradas más nuevas"),
    ("it is not there, and its leaf hash is", "no está, y la huella de su hoja sí"),
    ("the tree kept is not that of the entries", "el árbol guardado no es el de las entradas"),
    (
        "it is not what the store names as the newest of its chain",
        "no es la que el almacén nombra como la más nueva de su cadena",
    ),
    (
        "the entries given do not have the root that was signed for {0}",
        "las entradas dadas no tienen la raíz que se firmó para {0}",
    ),
    (
        "the entries do not give the tree that is kept; audit verify log reports where",
        "las entradas no dan el árbol guardado; audit verify log dice dónde",
    ),
    (
        "the leaf hashes do not give the tree that was kept with them",
        "las huellas de hojas no dan el árbol que se guardó con ellos",
    ),
    (
        "the tiles above its leaf hashes cannot be made again ({0}); verify the log",
        "las piezas por encima de sus huellas de hojas no se pueden rehacer ({~0}); verifique el registro",
    ),
    (
        "it was handed in with a tree that does not follow from the entries",
        "se entregó con un árbol que no se sigue de las entradas",
    ),
    ("it was handed in wrong: {0}", "se entregó mal{:0}"),
    ("its bytes say {0} from {1}, {2} positions", "sus bytes dicen {0} desde {1}, {2} posiciones"),
    (
        "{0} is no file; a store holds files and folders only",
        "{0} no es un archivo; un almacén solo contiene archivos y carpetas",
    ),
    ("{0} claims {1} bytes that it does not hold", "{0} dice tener {1} bytes que no contiene"),
    (
        "{0} is being written by another process; stop that first, or work on an export",
        "otro proceso está escribiendo en {0}; deténgalo antes, o trabaje con una exportación",
    ),
    (
        "this machine's clock shows a time before 1970, at which no store can be opened; set the clock",
        "el reloj de esta máquina marca una fecha anterior a 1970, con la que no se puede abrir ningún almacén; ponga \
         en hora el reloj",
    ),
    (
        "there is too little memory; raise the limit (ulimit -v), stop others, or use a machine with more",
        "no hay memoria suficiente; suba el límite (ulimit -v), detenga otros o use una máquina con más",
    ),
    ("{0}: sled did not let go of it", "{0}: el almacén no quedó libre"),
    ("it counts {0} entries, its tree {1}", "cuenta {0} entradas, y su árbol {1}"),
    (
        "the checkpoint it keeps does not agree with it ({0})",
        "el punto de control que guarda no concuerda con él ({~0})",
    ),
    (
        "the tree kept for entries {0} to {1} is not that of their hashes",
        "el árbol guardado de las entradas {0} a {1} no es el de sus huellas",
    ),
    ("the entry is missing", "falta la entrada"),
    ("the store does not know its chain `{0}`", "el almacén no conoce su cadena `{0}`"),
    (
        "the store names entry {0} as the newest of chain `{1}`",
        "el almacén nombra la entrada {0} como la más nueva de la cadena `{1}`",
    ),
    ("entry {0} cannot be read: {1}", "la entrada {0} no se puede leer{:1}"),
    ("the store is damaged: {0}", "el almacén está dañado{:0}"),
    ("the store's disk failed: {0}", "falló el disco del almacén{:0}"),
    ("the store cannot be used on this machine: {0}", "el almacén no se puede usar en esta máquina{:0}"),
    ("the newest checkpoint could not be kept: {0}", "el último punto de control no se pudo guardar{:0}"),
];

impl Spanish for StoreError {
    fn spanish(&self) -> String {
        match self {
            Self::WrongIndex { given, size } => {
                format!("el lote empieza en la entrada {given}, y el almacén contiene {size} entradas")
            }
            Self::Damaged { index, why } => format!("la entrada {index} no se puede leer{}", because(why)),
            Self::Unopened(why) => format!("el almacén está dañado{}", because(why)),
            Self::Stopped => "el almacén se detuvo tras un error anterior; ábralo de nuevo".to_owned(),
            Self::Closed => "el almacén se cerró entretanto; pregunte de nuevo".to_owned(),
            Self::Machine(why) => format!("el almacén no se puede usar en esta máquina{}", because(why)),
            Self::Disk(why) => format!("falló el disco del almacén{}", because(why)),
        }
    }
}

impl Spanish for ResourceError {
    fn spanish(&self) -> String {
        match self {
            Self::Beyond { path, size } => {
                format!("`{path}` no es parte del árbol firmado de {size} entradas")
            }
            Self::Store(error) => error.spanish(),
        }
    }
}

impl Spanish for CheckpointSinkError {
    fn spanish(&self) -> String {
        format!("el último punto de control no se pudo guardar{}", because(&self.0))
    }
}

impl Spanish for OpenError {
    fn spanish(&self) -> String {
        match self {
            Self::CheckpointMissing { size } => format!(
                "el almacén contiene {size} entradas, pero falta el último punto de control firmado; devuelva su \
                 archivo a su lugar, o exporte las entradas y verifíquelas con un punto de control que guarde otro"
            ),
            Self::Checkpoint(error) => format!(
                "el punto de control guardado no es de este registro: {}; devuelva a su lugar el archivo (o la \
                 clave) correcto",
                error.spanish()
            ),
            Self::Key { at, key } => format!(
                "la clave del registro pasó en la entrada {at} a {key}; devuelva a su lugar el archivo de esa clave"
            ),
            Self::Closed { index, successor } => {
                let whither = match successor {
                    Some(successor) => format!("registre en `{successor}`, que lo continúa"),
                    None => "registre en el que lo continúa".to_owned(),
                };
                format!("el registro se cerró en la entrada {index} y no admite más entradas; {whither}")
            }
            Self::Notice { index, why } => format!(
                "lo que el registro dice de sí mismo en la entrada {index} no es creíble{}; restaure una copia sana",
                because(why)
            ),
            Self::Shorter { size, kept } => format!(
                "el almacén contiene {size} entradas, pero se firmaron {kept}: se cortó o se restauró de una copia \
                 antigua; consérvelo como está y restaure una copia que contenga las {kept}"
            ),
            Self::Different { kept } => format!(
                "las primeras {kept} entradas no dan la raíz que se firmó para ellas: hay entradas alteradas o \
                 sustituidas; conserve el almacén como está y restaure una copia que concuerde con el punto de \
                 control"
            ),
            Self::RightEdge { index, why } => format!(
                "el almacén se contradice en la entrada {index}{}; consérvelo como está y restaure una copia sana",
                because(why)
            ),
            Self::Store(error) => format!("el almacén no se puede leer: {}", error.spanish()),
            Self::Write(error) => format!(
                "el punto de control hallado al empezar no se pudo firmar y guardar: {}",
                error.spanish()
            ),
        }
    }
}
