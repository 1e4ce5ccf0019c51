//! Errors of events: lines of JSON, payloads in canonical bytes, names, cards, sums of money.

use baccarat::{BetKindError, CardError, MoneyError, RatioError, RulebookError};
use events::{
    DecodeError, EncodeError, LineError, MAX_EVENTS, MAX_RULEBOOK_BYTES, MAX_RULEBOOK_DEPTH, OccurredAtError,
    RulebookDocumentError, SCHEMA_MINOR, TextError,
};

use super::Spanish;
use super::phrases::{Phrase, because, known, or_detail};

pub(super) const PHRASES: &[Phrase] = &[
    ("an empty line; expected an event", "una línea vacía; se esperaba un suceso"),
    (
        "a byte order mark; save the file as UTF-8 without one",
        "una marca de orden de bytes; guarde el archivo como UTF-8 sin ella",
    ),
    ("bytes that are not UTF-8; JSON is UTF-8", "hay bytes que no son UTF-8; JSON es UTF-8"),
    (
        "sequence {0} is out of range: expected 1 to 9007199254740991",
        "el número {0} está fuera de rango: se esperaba de 1 a 9007199254740991",
    ),
    (
        "an event of kind {0}, which this version cannot spell in JSON",
        "un suceso de la clase {0}, que esta versión no sabe escribir en JSON",
    ),
    ("an object without the event's name", "un objeto sin el nombre del suceso"),
    (
        "`{0}` is followed by `{1}`; a line holds one event, under one name",
        "a `{0}` lo sigue `{1}`; una línea contiene un solo suceso, con un solo nombre",
    ),
    ("an object with the fields by name", "un objeto con los campos por su nombre"),
    ("an object whose only key is the event's name", "un objeto cuya única clave es el nombre del suceso"),
    ("the rulebook names `{0}` twice in one object", "el reglamento nombra `{0}` dos veces en un objeto"),
    ("{0} holds {1} items; at most {2} are allowed", "{0} contiene {1} elementos; se admiten {2} como mucho"),
    ("minor_digits is {0}; at most 6 is allowed", "minor_digits es {0}; se admite 6 como mucho"),
    ("holder is seat 0; seats are numbered from 1", "holder es el puesto 0; los puestos se numeran desde 1"),
    (
        "corrected is itself a correction; name the event it corrects",
        "corrected es a su vez una corrección; nombre el suceso que corrige",
    ),
    (
        "corrected is an event of a kind this version does not know",
        "corrected es un suceso de una clase que esta versión no conoce",
    ),
    (
        "a correction or an extension cannot be what an event should have been",
        "lo que un suceso debió decir no puede ser una corrección ni una extensión",
    ),
    ("a payload holds 1 to {0} events, not {1}", "un contenido tiene de 1 a {0} sucesos, no {1}"),
    ("surplus bytes after the last event", "sobran bytes tras el último suceso"),
    (
        "minor version {0}; these events are written under {1}",
        "versión menor {0}; estos sucesos se escriben con la {1}",
    ),
    ("a time out of range", "una hora fuera de rango"),
    ("expected {0} of {1} items, found {2}", "se esperaba {~0} de {1} elementos, y hay {2}"),
    ("a payload [minor version, events]", "un contenido [versión menor, sucesos]"),
    ("an event [micros, offset, kind, body]", "un suceso [micros, desfase, clase, cuerpo]"),
    ("a corrected event [kind, body]", "un suceso corregido [clase, cuerpo]"),
    ("an array of events", "una lista de sucesos"),
    ("a body", "un cuerpo"),
    ("a list of {0} items; at most {1} are allowed", "una lista de {0} elementos; se admiten {1} como mucho"),
    ("{0} bytes where 32 are due", "{0} bytes donde debe haber 32"),
    ("{0} is no card: expected 0 to 65", "{0} no es una carta: se esperaba de 0 a 65"),
    (
        "the bytes of kind {0} are not one unknown body",
        "los bytes de la clase {0} no son un cuerpo desconocido",
    ),
    ("the bytes of kind {0}: {1}", "los bytes de la clase {0}: {~1}"),
    ("event {0}, {1}, byte {2}: {3}", "suceso {0}, {1}, byte {2}: {~3}"),
    ("event {0}, byte {1}: {2}", "suceso {0}, byte {1}: {~2}"),
    ("byte {0}: {1}", "byte {0}: {~1}"),
    (
        "`{0}` is not a time: expected RFC 3339 with an offset and at most six decimals, from 1970 to 9999, for example `{1}`",
        "`{0}` no es una hora: se esperaba RFC 3339 con desfase y seis decimales como mucho, de 1970 a 9999, por \
         ejemplo `{1}`",
    ),
    (
        "`{0}` is not a card: expected a rank A 2 3 4 5 6 7 8 9 T J Q K and a suit C D H S, for example `7H`; `7?` where the suit is not known, `??` where nothing is",
        "`{0}` no es una carta: se esperaba un valor A 2 3 4 5 6 7 8 9 T J Q K y un palo C D H S, por ejemplo `7H`; \
         `7?` si no se conoce el palo, `??` si no se conoce nada",
    ),
    (
        "`{0}` cannot name a kind of bet: expected 1 to 32 of a-z, 0-9 and -, such as `banca` or `dragon-7`",
        "`{0}` no puede ser el nombre de una apuesta: se esperaban de 1 a 32 de a-z, 0-9 y -, como `banca` o \
         `dragon-7`",
    ),
    (
        "an amount of {0} minor units is more than the largest allowed, {1}",
        "un importe de {0} unidades menores es más que el mayor admitido, {1}",
    ),
    ("a negative number is not allowed here", "aquí no se admite un número negativo"),
    ("the rulebook is not JSON: {0}", "el reglamento no es JSON{:0}"),
    ("the rulebook must be a JSON object", "el reglamento debe ser un objeto JSON"),
    (
        "the rulebook holds the number {0}; only integers up to 9007199254740991 are allowed",
        "el reglamento contiene el número {0}; solo se admiten enteros hasta 9007199254740991",
    ),
    (
        "the rulebook nests objects and lists more than {0} deep",
        "el reglamento anida objetos y listas a más de {0} niveles",
    ),
    (
        "the rulebook takes {0} bytes; at most {1} are allowed",
        "el reglamento ocupa {0} bytes; se admiten {1} como mucho",
    ),
    (
        "the rulebook is not in canonical spelling (RFC 8785)",
        "el reglamento no está en su forma canónica (RFC 8785)",
    ),
    (
        "a table id: 1 to 64 of letters, digits, `.`, `_` and `-`",
        "el nombre de una mesa: de 1 a 64 letras, cifras, `.`, `_` y `-`",
    ),
    ("a name of 1 to 64 bytes", "un nombre de 1 a 64 bytes"),
    (
        "a remark of 1 to 500 bytes without control characters",
        "una observación de 1 a 500 bytes sin caracteres de control",
    ),
    ("64 lower-case hexadecimal digits", "64 cifras hexadecimales en minúsculas"),
    ("a card such as \"7H\", \"7?\" or \"??\"", "una carta como \"7H\", \"7?\" o \"??\""),
    ("a kind of bet such as \"banca\"", "una apuesta como \"banca\""),
    ("odds such as \"8:1\" or \"1:2\"", "un pago como \"8:1\" o \"1:2\""),
    ("a share such as \"5/100\"", "una parte como \"5/100\""),
    (
        "odds such as `8:1`, `1:2` (won : staked) or `9 for 1` (paid, stake included), at most 1000:1",
        "un pago como `8:1`, `1:2` (ganado : apostado) o `9 for 1` (pagado, con lo apostado), 1000:1 como mucho",
    ),
    ("a share such as `5/100`, from 0 to 1", "una parte como `5/100`, de 0 a 1"),
    ("a text", "un texto"),
    ("a JSON value", "un valor JSON"),
    ("an integer", "un entero"),
    ("an unsigned integer", "un entero sin signo"),
    ("an integer from {0} to {1}", "un entero de {0} a {1}"),
    ("an integer of 0 or more", "un entero de 0 o más"),
    ("an array", "una lista"),
    ("a byte string", "una cadena de bytes"),
    ("a map", "un mapa"),
    ("a float or simple value", "un número con decimales o un valor simple"),
    ("a tag", "una etiqueta"),
    ("the bytes end in the middle of an item", "los bytes acaban a mitad de un elemento"),
    ("{0} is not written in its fewest bytes", "{0} no está escrito en los menos bytes posibles"),
    (
        "an indefinite or reserved length; only definite lengths are canonical",
        "una longitud indefinida o reservada; solo las definidas son canónicas",
    ),
    ("an integer beyond 64 bits", "un entero de más de 64 bits"),
    ("a text that is not UTF-8", "un texto que no es UTF-8"),
    ("expected a byte string of {0} bytes", "se esperaba una cadena de {0} bytes"),
    ("arrays nested too deep", "listas anidadas en exceso"),
    ("{0} does not occur in this record", "{~0} no aparece en estos datos"),
    ("more bytes follow the last item", "siguen más bytes tras el último elemento"),
];

/// What readers of JSON and of other formats say, and forms of words that others share.
pub(super) const OF_READERS: &[Phrase] = &[
    ("{0} at line {1} column {2}", "{~0}, línea {1}, columna {2}"),
    ("missing field `{0}`", "falta el campo `{0}`"),
    ("duplicate field `{0}`", "el campo `{0}` está dos veces"),
    ("unknown field `{0}`, there are no fields", "campo desconocido `{0}`; no se esperaba ninguno"),
    ("unknown field `{0}`, expected one of {1}", "campo desconocido `{0}`; se esperaba uno de {1}"),
    ("unknown field `{0}`, expected `{1}` or `{2}`", "campo desconocido `{0}`; se esperaba `{1}` o `{2}`"),
    ("unknown field `{0}`, expected {1}", "campo desconocido `{0}`; se esperaba {1}"),
    ("unknown variant `{0}`, expected one of {1}", "valor desconocido `{0}`; se esperaba uno de {1}"),
    ("unknown variant `{0}`, expected `{1}` or `{2}`", "valor desconocido `{0}`; se esperaba `{1}` o `{2}`"),
    ("unknown variant `{0}`, expected {1}", "valor desconocido `{0}`; se esperaba {1}"),
    ("invalid type: {0}, expected {1}", "tipo incorrecto: {~0}; se esperaba {~1}"),
    ("invalid value: {0}, expected {1}", "valor incorrecto: {~0}; se esperaba {~1}"),
    ("invalid length {0}, expected {1}", "longitud incorrecta {0}; se esperaba {~1}"),
    ("null", "null"),
    ("boolean `{0}`", "el valor lógico `{0}`"),
    ("integer `{0}`", "el entero `{0}`"),
    ("floating point `{0}`", "el número con decimales `{0}`"),
    ("number", "un número"),
    ("string {0}", "el texto {0}"),
    ("sequence", "una lista"),
    ("map", "un objeto"),
    ("unit value", "null"),
    ("a string", "un texto"),
    ("a boolean", "true o false"),
    ("EOF while parsing a list", "acaba a mitad de una lista"),
    ("EOF while parsing an object", "acaba a mitad de un objeto"),
    ("EOF while parsing a string", "acaba a mitad de un texto"),
    ("EOF while parsing a value", "acaba a mitad de un valor"),
    ("expected `:`", "se esperaba `:`"),
    ("expected `,` or `]`", "se esperaba `,` o `]`"),
    ("expected `,` or `}`", "se esperaba `,` o `}`"),
    ("expected ident", "se esperaba una palabra de JSON"),
    ("expected value", "se esperaba un valor"),
    ("invalid escape", "secuencia de escape no válida"),
    ("invalid number", "número no válido"),
    ("number out of range", "número fuera de rango"),
    ("invalid unicode code point", "carácter Unicode no válido"),
    (
        "control character (\\u0000-\\u001F) found while parsing a string",
        "un carácter de control (\\u0000-\\u001F) dentro de un texto",
    ),
    ("key must be a string", "la clave debe ser un texto"),
    ("lone leading surrogate in hex escape", "la secuencia de escape hexadecimal está incompleta"),
    ("unexpected end of hex escape", "la secuencia de escape hexadecimal está incompleta"),
    ("trailing comma", "sobra una coma al final"),
    ("trailing characters", "sobran caracteres al final"),
    ("recursion limit exceeded", "demasiados niveles anidados"),
    ("`{0}` is not {1}", "`{0}` no es {~1}"),
    ("{0} is more than {1}", "{0} es más de {1}"),
    ("expected {0}, found {1}", "se esperaba {~0}, y hay {~1}"),
];

/// A message that may stand behind the name of a field, as `event.BetPlaced.stake: ...`.
fn of_field(message: &str) -> String {
    let is_name =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._[]?".contains(&byte));
    match message.split_once(": ").filter(|(field, _)| is_name(field)) {
        Some((field, rest)) if known(message).is_none() => format!("{field}: {}", of_field(rest)),
        Some(_) | None => or_detail(message),
    }
}

impl Spanish for LineError {
    fn spanish(&self) -> String {
        of_field(&self.message)
    }
}

impl Spanish for EncodeError {
    fn spanish(&self) -> String {
        match self {
            Self::Count(count) => format!("un contenido tiene de 1 a {MAX_EVENTS} sucesos, no {count}"),
            Self::Bounds { event, message } => format!("suceso {event}: {}", of_field(message)),
            Self::Unknown(event) => format!(
                "el suceso {event} es de una clase más nueva que las de la versión menor {SCHEMA_MINOR}"
            ),
            Self::Minor { given, due } => {
                format!("versión menor {given}; estos sucesos se escriben con la {due}")
            }
        }
    }
}

impl Spanish for DecodeError {
    fn spanish(&self) -> String {
        let event = self.event.map(|event| format!("suceso {event}, ")).unwrap_or_default();
        let field = self.field.map(|field| format!("{field}, ")).unwrap_or_default();
        format!("{event}{field}byte {}: {}", self.offset, or_detail(&self.message))
    }
}

impl Spanish for TextError {
    fn spanish(&self) -> String {
        or_detail(&self.to_string())
    }
}

impl Spanish for OccurredAtError {
    fn spanish(&self) -> String {
        or_detail(&self.to_string())
    }
}

impl Spanish for RulebookDocumentError {
    fn spanish(&self) -> String {
        match self {
            Self::Json(why) => format!("el reglamento no es JSON{}", because(why)),
            Self::NotAnObject => "el reglamento debe ser un objeto JSON".to_owned(),
            Self::Number(number) => format!(
                "el reglamento contiene el número {number}; solo se admiten enteros hasta 9007199254740991"
            ),
            Self::TooDeep => {
                format!("el reglamento anida objetos y listas a más de {MAX_RULEBOOK_DEPTH} niveles")
            }
            Self::TooLarge(length) => {
                format!("el reglamento ocupa {length} bytes; se admiten {MAX_RULEBOOK_BYTES} como mucho")
            }
            Self::NotCanonical => "el reglamento no está en su forma canónica (RFC 8785)".to_owned(),
        }
    }
}

impl Spanish for RulebookError {
    fn spanish(&self) -> String {
        self.in_spanish()
    }
}

impl Spanish for CardError {
    fn spanish(&self) -> String {
        or_detail(&self.to_string())
    }
}

impl Spanish for MoneyError {
    fn spanish(&self) -> String {
        or_detail(&self.to_string())
    }
}

impl Spanish for BetKindError {
    fn spanish(&self) -> String {
        or_detail(&self.to_string())
    }
}

impl Spanish for RatioError {
    fn spanish(&self) -> String {
        or_detail(&self.to_string())
    }
}
