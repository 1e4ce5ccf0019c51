//! What was given of another log.

use crate::texts;

texts! {
    key_of_another(given, log)
        "the key is of the log `{given}`; this is the log `{log}`"
        "la clave es del registro `{given}`; este es el registro `{log}`";
    checkpoint_not_valid(size, name, id)
        "a checkpoint of {size} entries bears a signature of {name} (key id {id}) that does not hold"
        "un punto de control de {size} entradas lleva una firma de {name} (id de clave {id}) que no es correcta";
    checkpoint_of_another(size, given, log)
        "a checkpoint of {size} entries is of the log `{given}`; this is the log `{log}`"
        "un punto de control de {size} entradas es del registro `{given}`; este es el registro `{log}`";
}
