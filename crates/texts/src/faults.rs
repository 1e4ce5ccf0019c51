//! Faults of the seal, and what was given of another log.

use crate::texts;

texts! {
    fault(what, detail) "{what} ({detail})" "{what} (detalle: {detail})";
    entry_altered()
        "the bytes of the entry are not those that were sealed"
        "los bytes de la entrada no son los que se sellaron";
    entry_malformed()
        "the bytes that were sealed are not an entry"
        "los bytes que se sellaron no son una entrada";
    unknown_version()
        "the entry is of a format that this program does not know"
        "la entrada tiene un formato que este programa no conoce";
    entries_unreadable() "entries cannot be read" "hay entradas que no se pueden leer";
    entries_missing() "entries are missing" "faltan entradas";
    surplus_entries() "there are entries where none belong" "hay entradas donde no debe haberlas";
    link_broken()
        "the entry does not name the previous entry of its table"
        "la entrada no nombra la entrada anterior de su mesa";
    withheld_unaccounted()
        "a payload is missing and no notice accounts for it"
        "falta un contenido y ningún aviso lo justifica";
    notice_unreadable()
        "what the log says about itself is not right"
        "lo que el registro dice de sí mismo no es correcto";
    root_differs()
        "the entries are not those that the checkpoint was signed for"
        "las entradas no son aquellas para las que se firmó el punto de control";
    checkpoint_unsigned()
        "the checkpoint is not signed by the log's key, or cannot be read"
        "el punto de control no está firmado con la clave del registro, o no se puede leer";
    archive_altered()
        "a part of the file was altered, or is cut off"
        "una parte del archivo se alteró o está cortada";
    anchor_refuted()
        "the log does not agree with a checkpoint kept elsewhere"
        "el registro no concuerda con un punto de control guardado en otro lugar";
    key_of_another(given, log)
        "the key is of the log `{given}`; this is the log `{log}`"
        "la clave es del registro `{given}`; este es el registro `{log}`";
    checkpoint_of_another(size, given, log)
        "a checkpoint of {size} entries is of the log `{given}`; this is the log `{log}`"
        "un punto de control de {size} entradas es del registro `{given}`; este es el registro `{log}`";
}
