//! What the reader of TOML says about a file, in Spanish.
//!
//! It says what is wrong, and often what was expected: `unclosed array, expected ]`. Both are looked up here; what is
//! not known stands as a detail.

use replay::Language;

use crate::Texts;
use crate::phrases::{Phrase, Phrases};

impl Texts {
    /// Why a file is no TOML, by the message of the `toml` crate.
    #[must_use]
    pub fn not_toml(self, english: &str) -> String {
        match self.language() {
            Language::English => english.to_owned(),
            Language::Spanish => {
                let why = spanish(english).unwrap_or_else(|| format!("detalle: {english}"));
                format!("no es TOML válido ({why})")
            }
        }
    }
}

fn spanish(english: &str) -> Option<String> {
    let (what, expected) = match english.split_once(", expected ") {
        Some((what, expected)) => (what, Some(expected)),
        None => (english, None),
    };
    let what = WRONG.known(what)?;
    let Some(expected) = expected else { return Some(what) };
    if expected == "nothing" {
        return Some(format!("{what}; aquí no se esperaba nada más"));
    }
    let expected: Option<Vec<String>> = expected.split(", ").map(one_expected).collect();
    Some(format!("{what}; se esperaba {}", expected?.join(", ")))
}

/// A thing that was expected: a character in quotes, as it stands, or a word.
fn one_expected(english: &str) -> Option<String> {
    let is_literal = (english.starts_with('`') && english.ends_with('`')) || english == "'`'";
    if is_literal { Some(english.to_owned()) } else { EXPECTED.known(english) }
}

const WRONG: Phrases = Phrases { lists: &[WHAT_IS_WRONG], otherwise: |_| None };
const EXPECTED: Phrases = Phrases { lists: &[WHAT_IS_EXPECTED], otherwise: |_| None };

const WHAT_IS_WRONG: &[Phrase] = &[
    ("`_` may only go between digits", "`_` solo puede ir entre cifras"),
    (
        "cannot extend value of type {0} with a dotted key",
        "una clave con puntos no puede ampliar un valor que ya está dado",
    ),
    (
        "cannot recurse further; max recursion depth met",
        "hay demasiados corchetes o llaves unos dentro de otros",
    ),
    ("recursion limit", "hay demasiadas partes en una clave con puntos"),
    ("carriage return must be followed by newline", "tras un retorno de carro debe venir un salto de línea"),
    ("duplicate key", "la clave está repetida"),
    ("extra `=`", "sobra un `=`"),
    ("extra assignment between key-value pairs", "sobra un `=` entre dos claves"),
    ("extra comma in array", "sobra una coma en la lista"),
    ("extra comma in inline table", "sobra una coma en la tabla entre llaves"),
    ("integers with a radix cannot be signed", "un número con prefijo de base no lleva signo"),
    ("invalid comment character", "hay un carácter que no se admite en un comentario"),
    ("invalid inline table element", "un elemento de la tabla entre llaves no es válido"),
    ("invalid key-value pair", "una clave con su valor no está bien escrita"),
    ("invalid unquoted key", "una clave sin comillas no está bien escrita"),
    ("invalid key", "una clave no está bien escrita"),
    ("invalid table", "el nombre de una sección no está bien escrito"),
    ("invalid value", "un valor no es válido"),
    ("invalid string", "un texto no está bien escrito"),
    ("invalid basic string", "un texto entre comillas dobles no está bien escrito"),
    ("invalid literal string", "un texto entre comillas simples no está bien escrito"),
    ("invalid multi-line basic string", "un texto entre tres comillas dobles no está bien escrito"),
    ("invalid multi-line literal string", "un texto entre tres comillas simples no está bien escrito"),
    ("invalid boolean", "no es ni true ni false"),
    ("invalid date-time", "una fecha y hora no está bien escrita"),
    ("invalid datetime", "una fecha y hora no está bien escrita"),
    ("invalid date", "una fecha no está bien escrita"),
    ("invalid time", "una hora no está bien escrita"),
    ("invalid offset", "la diferencia con UTC de una hora no está bien escrita"),
    ("invalid float", "un número con decimales no está bien escrito"),
    ("invalid mantissa", "faltan cifras delante del punto de un número"),
    ("invalid fraction", "faltan cifras tras el punto de un número"),
    ("invalid exponent", "el exponente de un número no está bien escrito"),
    ("invalid integer number", "un número entero no está bien escrito"),
    ("invalid hexadecimal number", "un número hexadecimal no está bien escrito"),
    ("invalid octal number", "un número octal no está bien escrito"),
    ("invalid binary number", "un número binario no está bien escrito"),
    ("key with no value", "una clave no tiene valor"),
    ("keys cannot be multi-line basic strings", "una clave no puede ser un texto de varias líneas"),
    ("keys cannot be multi-line literal strings", "una clave no puede ser un texto de varias líneas"),
    ("missing array opening", "falta el corchete que abre la lista"),
    ("missing assignment between key-value pairs", "falta un `=` tras una clave"),
    ("missing comma between array elements", "falta una coma entre dos elementos de la lista"),
    ("missing comma between key-value pairs", "falta una coma entre dos claves"),
    ("missing comment start", "falta el `#` del comentario"),
    ("missing escaped value", "falta lo que sigue a `\\`"),
    ("missing inline table opening", "falta la llave que abre la tabla"),
    ("missing key for inline table element", "falta la clave de un elemento de la tabla entre llaves"),
    ("missing opening quote", "falta la comilla que abre el texto"),
    ("missing table open", "falta el corchete que abre la sección"),
    ("missing value for key", "falta el valor de una clave"),
    ("missing value", "falta un valor"),
    ("radix must be lowercase", "el prefijo de base de un número va en minúscula"),
    ("redundant integer number prefix", "sobra un prefijo de base en un número"),
    ("redundant numeric sign", "sobra un signo en un número"),
    ("string values must be quoted", "los textos van entre comillas"),
    ("too few unicode value digits", "faltan cifras en el número de un carácter"),
    ("unclosed array table", "falta cerrar los corchetes de una sección"),
    ("unclosed array", "falta cerrar el corchete de una lista"),
    ("unclosed inline table", "falta cerrar la llave de una tabla"),
    ("unclosed table", "falta cerrar el corchete de una sección"),
    ("unexpected `=` in array", "sobra un `=` en la lista"),
    ("unexpected content between comment and newline", "sobra algo tras el comentario"),
    ("unexpected content", "sobra algo aquí"),
    ("unexpected key or value", "sobra una clave o un valor"),
    ("unexpected leading zero", "un número no empieza por cero"),
    ("unexpected sign", "sobra un signo"),
    ("unquoted keys cannot be empty", "una clave sin comillas no puede estar vacía"),
];

const WHAT_IS_EXPECTED: &[Phrase] = &[
    ("newline", "un salto de línea"),
    ("basic string", "un texto entre comillas dobles"),
    ("literal string", "un texto entre comillas simples"),
    ("multi-line basic string", "un texto entre tres comillas dobles"),
    ("unquoted string", "letras o cifras sin comillas"),
    ("characters", "caracteres"),
    ("digits", "cifras"),
    ("numbers", "cifras"),
    ("letters", "letras"),
    ("key", "una clave"),
    ("value", "un valor"),
    ("non-double-quote visible characters", "caracteres visibles que no sean comillas dobles"),
    ("non-single-quote characters", "caracteres que no sean comillas simples"),
    ("non-single-quote visible characters", "caracteres visibles que no sean comillas simples"),
    ("printable characters", "caracteres visibles"),
    ("unicode hexadecimal value", "el número hexadecimal de un carácter"),
    ("year or hour", "un año o una hora"),
    ("month", "un mes"),
    ("day", "un día"),
    ("hour", "una hora"),
    ("minute", "un minuto"),
    ("second", "un segundo"),
    ("nanosecond", "una fracción de segundo"),
    ("nanoseconds overflowed", "una fracción de segundo más corta"),
    ("a four-digit year (YYYY)", "un año de cuatro cifras"),
    ("a two-digit {0} ({1})", "dos cifras"),
    ("month between 01 and 12", "un mes de 01 a 12"),
    ("day between 01 and {0}", "un día de 01 a {0}"),
    ("hour between 00 and 23", "una hora de 00 a 23"),
    ("hours between 00 and 23", "horas de 00 a 23"),
    ("minute between 00 and 59", "un minuto de 00 a 59"),
    ("minutes between 00 and 59", "minutos de 00 a 59"),
    ("second between 00 and 60", "un segundo de 00 a 60"),
    ("`-` (YYYY-MM) or `:` (HH:MM)", "`-` o `:`"),
    ("`-` (MM-DD)", "`-`"),
    ("`:` (HH:MM)", "`:`"),
    ("`T` between date and time", "una `T` entre la fecha y la hora"),
    // It is split at its commas.
    ("`Z`", "`Z`"),
    ("+OFFSET", "+DIFERENCIA"),
    ("-OFFSET", "-DIFERENCIA"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_and_what_was_expected_are_said() {
        let spanish = Texts::of(Language::Spanish);
        assert_eq!(
            spanish.not_toml("extra `=`, expected nothing"),
            "no es TOML válido (sobra un `=`; aquí no se esperaba nada más)"
        );
        assert_eq!(
            spanish.not_toml("unclosed array, expected `]`"),
            "no es TOML válido (falta cerrar el corchete de una lista; se esperaba `]`)"
        );
        for unknown in ["what is new, expected `]`", "unclosed array, expected what is new"] {
            assert_eq!(spanish.not_toml(unknown), format!("no es TOML válido (detalle: {unknown})"));
            assert_eq!(Texts::of(Language::English).not_toml(unknown), unknown);
        }
    }
}
