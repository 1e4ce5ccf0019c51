//! What entries, notices, checkpoints, notes and keys hand on as English texts, in Spanish.

use crate::phrases::{Phrase, Phrases};

/// Those that stand inside the errors of this part of the seal, and its errors where a library hands them on as texts.
pub const SEAL_PHRASES: &[Phrase] = &[
    ("not a notice of the log: {0}", "no es un aviso del registro{:0}"),
    (
        "a notice of kind {0} is not known to this program",
        "este programa no conoce los avisos de la clase {0}",
    ),
    (
        "the notice names entry {0} as erased, and no such entry stands before it",
        "el aviso da por borrada la entrada {0}, y antes de él no hay tal entrada",
    ),
    (
        "the notice names entry {0} as erased, with a digest that is not that entry's",
        "el aviso da por borrada la entrada {0}, con una huella que no es la de esa entrada",
    ),
    (
        "its payload is withheld, and a notice of the log is never withheld or erased",
        "su contenido está retenido, y un aviso del registro nunca se retiene ni se borra",
    ),
    (
        "the producer is `{0}`, and only the log itself (`{1}`) writes on the chain `{2}`",
        "el productor es `{0}`, y en la cadena `{2}` solo escribe el propio registro",
    ),
    (
        "it covers {0} positions of the chain `{1}`, and a notice has one",
        "abarca {0} posiciones de la cadena `{1}`, y un aviso tiene una",
    ),
    (
        "it is number {0} on the chain `{1}`, and the next is number {2}",
        "es el número {0} de la cadena `{1}`, y el siguiente es el {2}",
    ),
    ("the log that this one continues: {0}", "el registro que este continúa{:0}"),
    (
        "the checkpoint of the log that this one continues has {0} bytes; an entry holds at most {1} of it",
        "el punto de control del registro que este continúa tiene {0} bytes; en una entrada caben {1} como mucho",
    ),
    (
        "it says which log this one continues, and only the first entry of a log may say so",
        "dice qué registro continúa este, y eso solo lo puede decir la primera entrada de un registro",
    ),
    (
        "it names this log itself, `{0}`, as the one before or behind it",
        "nombra este mismo registro, `{0}`, como el anterior o el siguiente",
    ),
    (
        "`{0}` cannot be the log that continues this one: a log's name has 1 to 255 bytes without spaces, control characters or `+`",
        "`{0}` no puede ser el registro que continúa este: el nombre de un registro tiene de 1 a 255 bytes, sin espacios, \
         caracteres de control ni `+`",
    ),
    (
        "it closes the log after {0} entries, and fewer stand before it",
        "cierra el registro después de {0} entradas, y antes de él hay menos",
    ),
    (
        "it closes the log after {0} entries, with a root that is not theirs",
        "cierra el registro después de {0} entradas, con una raíz que no es la suya",
    ),
    (
        "entries stand behind entry {0}, with which the log is closed",
        "hay entradas detrás de la entrada {0}, con la que se cerró el registro",
    ),
    ("not a key rotation: expected {0}", "no es una sustitución de clave: se esperaba {~0}"),
    ("not a key rotation: {0}", "no es una sustitución de clave{:0}"),
    (
        "the keys are of the logs `{0}` and `{1}`: a key is followed by another of the same log",
        "las claves son de los registros `{0}` y `{1}`: a una clave la sigue otra del mismo registro",
    ),
    ("the new key is the old one", "la clave nueva es la antigua"),
    ("it says that it stands at entry {0}", "dice que está en la entrada {0}"),
    (
        "it passes on {0}, but the log's key is {1} there",
        "sustituye la clave {0}, pero ahí la clave del registro es {1}",
    ),
    ("more bytes; the entry is cut off", "más bytes; la entrada está cortada"),
    ("the shortest spelling of a number", "un número en su forma más corta"),
    ("an item of known length", "un elemento de longitud conocida"),
    ("an array of known length", "una lista de longitud conocida"),
    ("a signed 64-bit number", "un número de 64 bits con signo"),
    ("text in UTF-8", "un texto en UTF-8"),
    ("a byte string of 32 bytes", "una cadena de 32 bytes"),
    ("an item that occurs in an entry", "un elemento propio de una entrada"),
    ("the entry's end, but more bytes follow", "el final de la entrada, pero siguen más bytes"),
    ("an array of {0} fields", "una lista de {0} campos"),
    ("at most 16,384 bytes", "16.384 bytes como mucho"),
    (
        "a title, the origin, the size, the old and the new key",
        "un título, el origen, el tamaño, la clave antigua y la nueva",
    ),
    ("a size in decimal digits in the third line", "un tamaño en cifras decimales en la tercera línea"),
    (
        "the origin that the keys are of in the second line",
        "el origen del que son las claves en la segunda línea",
    ),
    (
        "a name must have 1 to 64 bytes; this one has {0}",
        "un nombre debe tener de 1 a 64 bytes; este tiene {0}",
    ),
    (
        "a name may hold ASCII letters, digits and `. _ - : # @ +`; byte {0} is {1}",
        "un nombre puede contener letras ASCII, cifras y `. _ - : # @ +`; el byte {0} es {1}",
    ),
    ("not a well-formed entry at byte {0}: {1}", "no es una entrada bien formada, byte {0}{:1}"),
    (
        "an entry may have at most {0} bytes; this one has {1}",
        "una entrada tiene {0} bytes como mucho; esta tiene {1}",
    ),
    ("three lines: origin, size and root", "tres líneas: origen, tamaño y raíz"),
    ("an origin in the first line", "un origen en la primera línea"),
    (
        "no empty line among those behind the root",
        "que no hubiera líneas vacías entre las que siguen a la raíz",
    ),
    ("a root of 32 bytes in base64 in the third line", "una raíz de 32 bytes en base64 en la tercera línea"),
    ("a size in decimal digits in the second line", "un tamaño en cifras decimales en la segunda línea"),
    (
        "an origin of at most 255 bytes in the first line",
        "un origen de 255 bytes como mucho en la primera línea",
    ),
    ("not a checkpoint: expected {0}", "no es un punto de control: se esperaba {~0}"),
    (
        "the checkpoint is of the log `{0}` but the key is of `{1}`",
        "el punto de control es del registro `{0}`, pero la clave es de `{1}`",
    ),
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
];

pub(super) const SEAL: Phrases = Phrases { lists: &[SEAL_PHRASES], otherwise: |_| None };
