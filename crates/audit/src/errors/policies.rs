//! Errors of policies of witnesses.

use tlog::policy::PolicyError;

use super::Spanish;
use super::phrases::{Phrase, or_detail};

pub(super) const PHRASES: &[Phrase] = &[
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

impl Spanish for PolicyError {
    fn spanish(&self) -> String {
        format!("línea {}: {}", self.line, or_detail(&self.why))
    }
}
