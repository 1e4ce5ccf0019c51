//! Why commands about logs, copies, proofs, releases and services fail, and what to do.

use crate::texts;

texts! {
    standard_output() "standard output" "salida estándar";
    standard_input() "standard input" "entrada estándar";
    findings_not_buffered()
        "the findings cannot be buffered in a temporary file"
        "los hallazgos no se pueden guardar en un archivo temporal";
    events_not_buffered()
        "the events cannot be buffered in a temporary file"
        "los sucesos no se pueden guardar en un archivo temporal";
    too_many_tables(log, most)
        "{log}: it has more than {most} tables, or its tables hold more than 2 GiB in memory, which is more than this command judges at once; audit verify log (without --all) and audit report (without --csv) judge such a log in passes"
        "{log}: tiene más de {most} mesas, o sus mesas ocupan más de 2 GiB de memoria, más de lo que esta orden juzga de una vez; audit verify log (sin --all) y audit report (sin --csv) juzgan un registro así por partes";
    clock_after_9999()
        "this machine's clock shows a year after 9999; set the clock"
        "el reloj de este equipo muestra un año posterior a 9999; ponga el reloj en hora";
    log_changed_between_passes(log)
        "{log}: it has to be read several times, because it does not fit in memory, and was not the same each time; give an archive of it (audit export), as a file"
        "{log}: hay que leerlo varias veces, porque no cabe en la memoria, y no fue el mismo cada vez; indique un archivo exportado de él (audit export), como fichero";
    seal_broken_see(log, word)
        "{log}: the seal is broken; run audit verify log {word} for details"
        "{log}: el sello está roto; ejecute audit verify log {word} para ver el detalle";
    key_file_without_key(log)
        "{log}/key.pub holds no verifier key; put it back"
        "{log}/key.pub no contiene ninguna clave de verificación; devuélvalo a su lugar";
    seal_not_checked() "its seal could not be checked" "no se pudo comprobar su sello";

    give_out_or_tiles()
        "give --out FILE or --tiles DIR"
        "dé --out ARCHIVO o --tiles CARPETA";
    nothing_to_export(log)
        "{log} is not a log's folder; an archive is already exported (use --table to make a slice of it)"
        "{log} no es la carpeta de un registro; un archivo ya está exportado (use --table para hacer un extracto de él)";
    withheld_beyond(index, size)
        "--withhold {index}: the log has {size} entries, counted from 0"
        "--withhold {index}: el registro tiene {size} entradas, contadas desde 0";
    withheld_not_in_slice(index)
        "--withhold {index}: entry {index} is not in this slice"
        "--withhold {index}: la entrada {index} no está en este extracto";
    notice_not_withheld(index)
        "--withhold {index}: entry {index} is a notice of the log itself; notices are never withheld"
        "--withhold {index}: la entrada {index} es un aviso del propio registro; los avisos no se retienen nunca";
    served_withholds_nothing(url)
        "--withhold: {url} hands out its archive unchanged; payloads can be withheld only from a log's own folder"
        "--withhold: {url} entrega su archivo sin cambios; los contenidos solo se pueden retener desde la carpeta del propio registro";
    served_archive_broken(archive, url, word)
        "{archive} is the archive that {url} hands out, but its seal is broken; run audit verify log {word} for details"
        "{archive} es el archivo que entrega {url}, pero su sello está roto; ejecute audit verify log {word} para ver el detalle";
    served_archive_unconfirmed(archive, url, word)
        "{archive} is the archive that {url} hands out, but its seal could not be confirmed; run audit verify log {word} for details"
        "{archive} es el archivo que entrega {url}, pero su sello no se pudo confirmar; ejecute audit verify log {word} para ver el detalle";
    nothing_at_table(log, table)
        "{log} has nothing at table {table}; audit show table lists what it has"
        "{log} no tiene nada de la mesa {table}; audit show table enumera lo que tiene";
    nothing_of_shoe(log, shoe, table)
        "{log} has nothing of shoe {shoe} at table {table}; audit show table lists what it has"
        "{log} no tiene nada del sabot {shoe} de la mesa {table}; audit show table enumera lo que tiene";
    no_coup_at_table(log, coup, table)
        "{log} has no coup {coup} at table {table}; audit show table lists what it has"
        "{log} no tiene ninguna jugada {coup} de la mesa {table}; audit show table enumera lo que tiene";
    no_coup_of_shoe(log, coup, shoe, table)
        "{log} has no coup {coup} of shoe {shoe} at table {table}; audit show table lists what it has"
        "{log} no tiene ninguna jugada {coup} del sabot {shoe} de la mesa {table}; audit show table enumera lo que tiene";
    add_shoe(coup, shoes)
        "several shoes have a coup {coup}; add --shoe, one of: {shoes}"
        "varios sabots tienen una jugada {coup}; añada --shoe, uno de: {shoes}";

    tiles_need_folder(log)
        "{log} is not a log's folder; tiles are made from a log's folder"
        "{log} no es la carpeta de un registro; las piezas se hacen desde la carpeta de un registro";
    not_published(log, why)
        "{log} cannot be published: {why}; run audit verify log {log} for details"
        "{log} no se puede publicar: {why}; ejecute audit verify log {log} para ver el detalle";
    leaves_lead_elsewhere()
        "its leaf hashes do not lead to the signed root"
        "sus huellas de hoja no llevan a la raíz firmada";
    published_not_extended(folder, why)
        "{folder} holds a published tree that this log does not extend: {why}"
        "{folder} contiene un árbol publicado que este registro no continúa: {why}";
    tile_altered(file)
        "{file} has other bytes than the log's tile; a tile never changes, so the file was altered; remove it and try again"
        "{file} tiene otros bytes que la pieza del registro; una pieza no cambia nunca, así que el archivo se alteró; quítelo e inténtelo de nuevo";

    give_out_or_into()
        "give --out FILE or --into DIR"
        "dé --out ARCHIVO o --into CARPETA";
    checkpoint_or_key_missing(log)
        "{log}: its checkpoint or its file key.pub is missing"
        "{log}: falta su punto de control o su archivo key.pub";
    from_to(log, backup) "{log} to {backup}" "de {log} a {backup}";
    is_an_archive(log)
        "{log} is already an archive; copy the file itself"
        "{log} ya es un archivo exportado; copie el propio archivo";
    backup_not_intact(backup, why)
        "{backup} was not written: the copy is not intact: {why}"
        "{backup} no se ha escrito: la copia no está íntegra: {why}";
    backup_not_extending(backup, size, why)
        "{backup} was not written: the log does not extend the {size} entries of the previous backup: {why}"
        "{backup} no se ha escrito: el registro no continúa las {size} entradas de la copia anterior: {why}";
    backup_not_whole(backup)
        "{backup} was not written: the copy is not a whole log"
        "{backup} no se ha escrito: la copia no es un registro entero";
    no_checkpoint_to_extend(archive)
        "{archive}: this archive has no checkpoint to extend"
        "{archive}: este archivo no tiene ningún punto de control que continuar";

    restore_needs_archive(log)
        "{log} is a log's folder; give an archive of it"
        "{log} es la carpeta de un registro; dé un archivo suyo";
    restored_nothing_not_intact(archive, why)
        "{archive} is not intact; nothing was restored: {why}"
        "{archive} no está íntegro; no se ha restaurado nada: {why}";
    restored_nothing_not_anchored(archive, why)
        "{archive} does not agree with a given checkpoint; nothing was restored: {why}"
        "{archive} no concuerda con un punto de control dado; no se ha restaurado nada: {why}";
    restored_nothing_not_compared(archive)
        "{archive} could not be compared with a given checkpoint: it is of another log, its signature is not valid under this key, or it lies in what the archive leaves out; nothing was restored"
        "{archive} no se pudo comparar con un punto de control dado: es de otro registro, su firma no es válida con esta clave, o está en lo que el archivo omite; no se ha restaurado nada";
    restore_needs_whole(archive)
        "{archive} is a slice; a log can be restored only from an archive of the whole log"
        "{archive} es un extracto; un registro solo se puede restaurar desde un archivo del registro entero";
    restore_needs_payload(archive, index)
        "{archive} withholds the payload of entry {index}, which the log did not erase; give an archive that holds it"
        "{archive} retiene el contenido de la entrada {index}, que el registro no borró; dé un archivo que lo contenga";
    no_checkpoint_to_continue(archive)
        "{archive} has no checkpoint to continue from"
        "{archive} no tiene ningún punto de control desde el que seguir";

    no_entry_to_erase(log, size, index)
        "{log} has {size} entries, counted from 0; there is no entry {index}"
        "{log} tiene {size} entradas, contadas desde 0; no hay ninguna entrada {index}";
    notice_not_erased(index)
        "entry {index} is a notice of the log itself; notices are never erased"
        "la entrada {index} es un aviso del propio registro; los avisos no se borran nunca";
    already_erased(index)
        "the payload of entry {index} is already erased"
        "el contenido de la entrada {index} ya está borrado";

    give_log_or_proof() "give the log, or --proof FILE" "dé el registro o --proof ARCHIVO";
    give_key() "the log holds no key; give --key" "el registro no contiene ninguna clave; dé --key";
    proof_file_too_long(file, most)
        "{file}: longer than {most} bytes, which this kind of file never is"
        "{file}: tiene más de {most} bytes, y los archivos de esta clase nunca los tienen";

    file_named_twice(name)
        "two files are called {name}; a release has each name once"
        "dos archivos se llaman {name}; una versión tiene cada nombre una vez";
    files_signed(count, key) "signed {count} files as {key}" "firmados {count} archivos como {key}";
    line_not_of_release(file, line)
        "{file}: line {line} is not one of a release's list"
        "{file}: la línea {line} no es de la lista de una versión";
    release_file_name(file)
        "{file}: a file of a release has a name of visible characters"
        "{file}: un archivo de una versión tiene un nombre de caracteres visibles";
    release_file_same() "same" "igual";
    release_file_differs() "DIFFERS from what was signed" "DIFIERE de lo que se firmó";
    release_file_missing() "is not there" "no existe";
    release_file_not_listed() "is NOT in the signed list" "NO está en la lista firmada";
    release_file_no_file()
        "is NOT a file (but a folder, a pipe or a device); it was not read"
        "NO es un archivo (sino una carpeta, una tubería o un dispositivo); no se ha leído";
    release_file_too_long(most)
        "is longer than {most} bytes, which no file of a release is; it was not read to its end"
        "tiene más de {most} bytes, y ningún archivo de una publicación los tiene; no se ha leído hasta el final";

    give_url_or_config()
        "give the service's URL, or --config FILE"
        "dé la URL del servicio o --config ARCHIVO";
    listen_is_no_address(file, listen)
        "{file}: listen = {listen}: expected an address and port"
        "{file}: listen = {listen}: se esperaba una dirección con su puerto";
    listen_at_any_port(file, listen)
        "{file}: listen = {listen}: a service at port 0 is at another one each time; give its URL"
        "{file}: listen = {listen}: un servicio en el puerto 0 está cada vez en otro; dé su URL";
    no_log_given()
        "no log: give --log DIR, or `log` in the file of --config, or AUDIT_SERVE_LOG"
        "falta el registro: dé --log CARPETA, o `log` en el archivo de --config, o AUDIT_SERVE_LOG";
    bad_host(name)
        "--host {name}: not a host name; expected one such as audit.casino.example, without scheme or port"
        "--host {name}: no es un nombre de máquina; se esperaba uno como audit.casino.example, sin esquema ni puerto";
    listening_needs_tokens(address)
        "--listen {address}: without tokens anyone who can connect may write to the log, so the service listens on this machine only (127.0.0.1 or [::1]); to accept other machines, give --tokens, --tls-cert and --tls-key"
        "--listen {address}: sin credenciales cualquiera que pueda conectarse podría escribir en el registro, así que el servicio solo escucha en esta máquina (127.0.0.1 o [::1]); para aceptar otras máquinas dé --tokens, --tls-cert y --tls-key";
    listening_needs_tls(address)
        "--listen {address}: without TLS anyone on the network path could read the tokens; give --tls-cert and --tls-key, or confirm with --plain-http-beyond-this-machine"
        "--listen {address}: sin TLS cualquiera en el camino de la red podría leer las credenciales; dé --tls-cert y --tls-key, o confírmelo con --plain-http-beyond-this-machine";
    bad_expiry(text)
        "--expires {text}: write 2027-01-31, or 2027-01-31T12:00:00Z (RFC 3339)"
        "--expires {text}: escriba 2027-01-31, o 2027-01-31T12:00:00Z (RFC 3339)";
    not_a_token_id()
        "this is not a token's id; expected the twelve digits after `audit_`, as audit tokens list shows them"
        "esto no es el identificador de una credencial; se esperaban las doce cifras que siguen a `audit_`, como las muestra audit tokens list";

    list_was_made(list)
        "{list}: the list of what this witness signed was not there and was made from its folder; if there was one, stop and put it back"
        "{list}: la lista de lo que firmó este testigo no existía y se ha hecho a partir de su carpeta; si existía, detenga el testigo y devuélvala a su lugar";
    list_of_another_witness(list)
        "{list} is the list of what another witness signed; give another folder with --signed"
        "{list} es la lista de lo que firmó otro testigo; dé otra carpeta con --signed";
    another_witness(state, own, name)
        "{state} is the witness {own}, not {name}; omit --name"
        "{state} es el testigo {own}, no {name}; omita --name";
    submit_needs_folder(log)
        "{log} is not a log's folder; the cosigned checkpoint is stored in the log's folder"
        "{log} no es la carpeta de un registro; el punto de control con firmas de testigos se guarda en la carpeta del registro";
    others_submit_faster(log)
        "{log}: somebody else submits this log's checkpoints faster than this command does; run it again"
        "{log}: otro presenta los puntos de control de este registro más deprisa que esta orden; ejecútela de nuevo";

    unknown_fault(code)
        "`{code}` is not a fault of the catalogue; audit simulate --list-faults lists them"
        "`{code}` no es una falta del catálogo; audit simulate --list-faults las enumera";
    fault_cannot_happen(code, rulebook)
        "the fault {code} cannot happen under the rulebook {rulebook}"
        "la falta {code} no puede ocurrir con el reglamento {rulebook}";
    unknown_schema(name, known)
        "there is no schema `{name}`; there are {known}"
        "no hay ningún esquema `{name}`; los que hay son {known}";
    schema_heading() "schema" "esquema";
    schema_of_heading() "of" "de qué";
    schema_of_event()
        "An event: one line of what a table recorded"
        "Un suceso: una línea de lo que registró una mesa";
    schema_of_output(command) "What `{command}` prints" "Lo que imprime `{command}`";

    page_ending()
        "--out: give a file that ends in .html or .md"
        "--out: dé un archivo que acabe en .html o .md";
    extends_elsewhere()
        "--extends names a file in another folder than --out; a rulebook extends files of its own folder"
        "--extends nombra un archivo de otra carpeta que --out; un reglamento amplía archivos de su carpeta";
    rulebook_begun(file)
        "written; check it with: audit rules check {file}"
        "escrito; compruébelo con: audit rules check {file}";
    rulebook_is_a_folder(name)
        "{name}: is a folder; give a rulebook file"
        "{name}: es una carpeta; dé un archivo de reglamento";
    or_give_a_file(error) "{error}; or give a file" "{error}; o dé un archivo";
    or_that_file(error, file) "{error}; did you mean the file {file}?" "{error}; ¿quería decir el archivo {file}?";
    no_such_rulebook(name, all)
        "file {name} does not exist; built-in rulebooks: {all}"
        "el archivo {name} no existe; reglamentos incluidos: {all}";
    no_such_rulebook_but(name, meant, all)
        "file {name} does not exist; built-in rulebooks (did you mean `{meant}`?): {all}"
        "el archivo {name} no existe; reglamentos incluidos (¿quería decir `{meant}`?): {all}";

    events_judged[events]() "{events} event judged" "{events} suceso juzgado"
        / "{events} events judged" "{events} sucesos juzgados";
    time_left(time) "{time} left" "quedan {time}";
    counting_events_written() "events written" "sucesos escritos";
    counting_events_read() "events read" "sucesos leídos";
    counting_events_acknowledged() "events acknowledged" "sucesos acusados";
    counting_while_checking()
        "checking the log; acknowledged"
        "comprobando el registro; acusados";
    counting_lines_read() "lines read" "líneas leídas";
    counting_events_compared() "events compared" "sucesos comparados";
}
