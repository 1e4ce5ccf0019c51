//! Files, keys, served logs and witnesses that cannot be used, and what to do.

use crate::texts;

texts! {
    secret_key_given()
        "this is the secret key; give the public one, key.pub, and keep this one from everybody"
        "esta es la clave secreta; dé la pública, key.pub, y no muestre esta a nadie";
    key_pub_missing(used) "`key.pub` is missing{used}" "falta `key.pub`{used}";
    no_key_in_key_pub(used) "`key.pub` holds no key that can be read{used}" "`key.pub` no contiene ninguna clave legible{used}";
    given_key_used() "; the key you gave was used" "; se usó la clave que usted ha dado";
    text_file_too_long(file)
        "{file}: the file is longer than 1 MiB, which files of this kind never are"
        "{file}: el archivo tiene más de 1 MiB, y los de esta clase nunca los tienen";
    text_file_not_utf8(file, line)
        "{file}:{line}: the file is not UTF-8 from this line on; if it is a text, save it as UTF-8 in your editor (Save as, encoding)"
        "{file}:{line}: el archivo no es UTF-8 a partir de esta línea; si es un texto, guárdelo como UTF-8 en su editor (Guardar como, codificación)";
    archive_not_text(file)
        "{file}: it is an archive of a log (.auditlog), where a small text file is expected: a checkpoint or a key, say; leave it as it is, and give it in the place of the log"
        "{file}: es el archivo de un registro (.auditlog), y se esperaba un archivo de texto pequeño: un punto de control o una clave, por ejemplo; déjelo como está, y delo donde va el registro";
    proof_not_log(file)
        "{file}: it is a proof and not a log; audit verify proof reads it"
        "{file}: es una prueba y no un registro; la lee audit verify proof";
    checkpoint_not_log(file)
        "{file}: it is a checkpoint and not a log; give the log first, then --checkpoint FILE"
        "{file}: es un punto de control y no un registro; dé primero el registro, y después --checkpoint ARCHIVO";
    key_not_log(file)
        "{file}: it is a key and not a log; give the log first, then --key FILE"
        "{file}: es una clave y no un registro; dé primero el registro, y después --key ARCHIVO";
    no_file_there(file)
        "{file}: it is no file; put the file back"
        "{file}: no es un archivo; devuelva el archivo a su lugar";
    folder_not_file(file)
        "{file} is a folder; expected a file"
        "{file} es una carpeta; se esperaba un archivo";
    not_a_regular_file(file)
        "{file}: not a regular file, so what is written there cannot be read back"
        "{file}: no es un archivo normal, así que lo que se escribe en él no se puede releer";
    key_is_readable(file, mode)
        "{file}: others can read this key (mode {mode}); chmod 600 it"
        "{file}: otros pueden leer esta clave (modo {mode}); use chmod 600";
    key_never_overwritten(file)
        "{file} already exists; a key is never overwritten"
        "{file} ya existe; una clave no se sobrescribe nunca";
    no_random_numbers(error)
        "the system gave no random numbers for a key: {error}"
        "el sistema no dio números aleatorios para una clave: {error}";
    no_thread(error)
        "no thread can be started: {error}; raise the limits (ulimit -u, ulimit -v), or stop others"
        "no se puede iniciar ningún hilo: {error}; suba los límites (ulimit -u, ulimit -v), o detenga otros";
    no_private_copy()
        "a private copy cannot be made in the temporary folder"
        "no se puede hacer una copia privada en la carpeta temporal";
    set_tmpdir(what, error)
        "{what}: {error}; set TMPDIR to a folder that exists, can be written and has space"
        "{what}: {error}; indique en TMPDIR una carpeta que exista, en la que se pueda escribir y que tenga espacio";
    line_longer_than_event()
        "the line is longer than any event"
        "la línea es más larga que cualquier suceso";
    not_utf8() "not UTF-8" "no es UTF-8";
    no_signed_checkpoint(log)
        "{log} has no signed checkpoint; put the checkpoint file back"
        "{log} no tiene ningún punto de control firmado; devuelva su archivo a su lugar";
    slice_proves_nothing(log)
        "{log} is itself a slice and lacks the hashes that a proof needs; use the whole log"
        "{log} es un extracto y le faltan las huellas que necesita una prueba; use el registro entero";

    only_for_served(log)
        "{log} is not a URL; --token-file, --ca and --client-cert are only for served logs"
        "{log} no es una URL; --token-file, --ca y --client-cert son solo para registros servidos";
    service_requires_token()
        "; the service requires a token: give --token-file, or set AUDIT_TOKEN"
        "; el servicio exige una credencial: use --token-file o la variable AUDIT_TOKEN";
    service_refuses_token()
        "; the service does not accept this token: it is unknown, expired or revoked"
        "; el servicio no acepta esta credencial: es desconocida, o está caducada o revocada";
    token_may_not_read()
        "; this token may not read: use a token with the role read"
        "; esta credencial no puede leer: use una de lectura (rol read)";
    give_printed_address()
        "; give the address that audit serve prints"
        "; dé la dirección que imprime audit serve";
    token_overheard(url)
        "{url}: anyone on the network path could read the token; use https://, or confirm with --plain-http-beyond-this-machine"
        "{url}: cualquiera en el camino de la red podría leer la credencial; use https://, o confírmelo con --plain-http-beyond-this-machine";
    holds_no_token(from)
        "{from} holds no token; expected text such as audit_0123456789ab_..."
        "{from} no contiene ninguna credencial; se esperaba un texto como audit_0123456789ab_...";

    witness_contradicts_log(log, witness, what)
        "{log}: witness {witness} {what}"
        "{log}: el testigo {witness} {what}";
    restore_what_witness_saw()
        "keep the log as it is, and restore a copy that holds everything the witness has seen"
        "conserve el registro como está, y restaure una copia que contenga todo lo que ha visto el testigo";
    witness_did_not_say(witness, why)
        "witness {witness} {why}; it is not known whether this witness has seen a newer state of the log"
        "testigo {witness}: {why}; no se sabe si este testigo ha visto un estado más nuevo del registro";
    cosigned_for_more(newest, size)
        "the log has {newest} entries, and its own cosigned checkpoint was signed for {size}"
        "el registro tiene {newest} entradas, y su propio punto de control firmado por testigos es de {size}";
    cosigned_for_others(size)
        "the first {size} entries are not those that its own cosigned checkpoint was signed for"
        "las primeras {size} entradas no son aquellas para las que se firmó su propio punto de control con testigos";
    restore_what_checkpoint_saw()
        "nothing is sealed; keep the log as it is, and restore the copy that the checkpoint is of"
        "no se sella nada; conserve el registro como está, y restaure la copia de la que es el punto de control";
}
