//! What the commands of operators print: copies, erasures, tokens, witnesses, simulations, load.

use crate::texts;

texts! {
    backup_made(backup, origin, entries, bytes, root)
        "{backup}: {origin}, {entries} in {bytes} bytes, read back and intact\nroot {root}\n"
        "{backup}: {origin}, {entries} en {bytes} bytes, releído e íntegro\nraíz {root}\n";
    signed_by_given(key) "signed by {key}\n" "firmado con {key}\n";
    signed_by_carried(key)
        "signed by {key}; use --key to compare this with a key you obtained independently\n"
        "firmado con {key}; use --key para compararla con una clave obtenida por otro medio\n";
    holds_previous_backup(size)
        "it holds all {size} entries of the previous backup\n"
        "contiene las {size} entradas de la copia anterior\n";
    its_checkpoint(file)
        "its checkpoint: {file}; store it somewhere else\n"
        "su punto de control: {file}; guárdelo en otro lugar\n";
    restored(log, origin, entries, root)
        "{log}: {origin}, {entries} restored\nroot {root}\n"
        "{log}: {origin}, {entries} restauradas\nraíz {root}\n";
    restored_without_anchor()
        "not compared with a checkpoint kept elsewhere (--checkpoint): any entries acknowledged after the backup are missing, and new entries would begin a second history\n"
        "no se comparó con un punto de control guardado en otro lugar (--checkpoint): faltan las entradas acusadas después de la copia, y las nuevas empezarían una segunda historia\n";

    nothing_to_erase(log) "{log}: nothing is left to erase\n" "{log}: no queda nada que borrar\n";
    erased_with_notice(log, indexes, notice)
        "{log}: erased: {indexes}; entry {notice} is the notice\n"
        "{log}: borradas: {indexes}; la entrada {notice} es el aviso\n";
    erased_as_announced(log, indexes)
        "{log}: erased, as an earlier notice announced: {indexes}\n"
        "{log}: borradas, como anunció un aviso anterior: {indexes}\n";
    lost_by_erasure(coups, findings)
        "lost by this erasure: the verdict of {coups}, {findings}\n"
        "se pierde con este borrado: el veredicto de {coups}, {findings}\n";
    may_still_hold(copy)
        "{copy} may still hold the payloads: check it and remove it\n"
        "{copy} puede contener aún los contenidos: compruébelo y elimínelo\n";
    copies_still_hold()
        "earlier exports, backups and copies still hold the payloads\n"
        "exportaciones y copias anteriores contienen aún los contenidos\n";
    others_depend(log, coups, findings)
        "{log}: nothing was erased, because other entries depend on these (for the rulebook, the limits, the shoe or who has the bank): without them {coups} in other entries could not be judged, and {findings} would be lost. Erase only the entries that hold what must be erased, or give --also-rules"
        "{log}: no se borró nada, porque otras entradas dependen de estas (por el reglamento, los límites, el sabot o quién tiene la banca): sin ellas no se podrían juzgar {coups} de otras entradas, y se perderían {findings}. Borre solo las entradas que contienen lo que hay que borrar, o dé --also-rules";

    token_made(role, id, until, token)
        "{role} token {id}{until}\n{token}\nThe token is shown only this once; store it where only its bearer can read it.\n"
        "credencial {id} ({role}){until}\n{token}\nLa credencial se muestra solo esta vez; guárdela donde solo quien la lleva pueda leerla.\n";
    token_until(end) ", until {end}" ", hasta {end}";
    token_revoked(role, id, since)
        "{role} token {id} is revoked since {since}\n"
        "la credencial {id} ({role}) está revocada desde {since}\n";
    token_good() "good" "válido";
    token_expired() "expired" "caducado";
    token_is_revoked() "revoked" "revocado";
    role_heading() "role" "papel";
    state_heading() "state" "estado";
    producer_heading() "producer" "productor";
    tables_heading() "tables" "mesas";
    made_heading() "made" "creado";
    expires_heading() "expires" "caduca";
    note_heading() "note" "nota";
    only_with_token() "only clients with a token are accepted" "solo se aceptan clientes con credencial";
    without_tokens()
        "no tokens: every client on this machine may post and read"
        "sin credenciales: cualquier cliente de esta máquina puede enviar y leer";
    without_tokens_or_posts()
        "no tokens: every client on this machine may read; posts are refused"
        "sin credenciales: cualquier cliente de esta máquina puede leer; los envíos se rechazan";
    serving(origin, size, url)
        "{origin} with {size} entries, listening at {url}"
        "{origin} con {size} entradas, escucha en {url}";

    planted(fault, table, shoe, coup, sequence, finding)
        "planted {fault}: table {table}{shoe}{coup}, sequence {sequence}; expected finding: {finding}"
        "introducida {fault}: mesa {table}{shoe}{coup}, suceso {sequence}; hallazgo esperado: {finding}";
    fault_heading() "fault" "falta";
    found_as_heading() "found as" "se halla como";
    what_heading() "what" "qué";

    witness_made(state, name, key)
        "{state}: created the witness {name}\nkey {key}\n"
        "{state}: se creó el testigo {name}\nclave {key}\n";
    taken_up(origin, size)
        "{origin} is taken up at {size} entries\n"
        "{origin} se retoma con {size} entradas\n";
    nothing_missing() "nothing was missing\n" "no faltaba nada\n";
    witness_line(key) "witness {key}\n" "testigo {key}\n";
    nothing_signed_yet() "nothing signed yet" "aún nada firmado";
    signed_at_size(size) "signed at {size} entries" "firmado con {size} entradas";
    watches(origin, signed) "watches {origin}, {signed}\n" "vigila {origin}, {signed}\n";
    listens_at(address) "listens at http://{address}/\n" "escucha en http://{address}/\n";
    witness_signed(origin, size) "signed {origin} at {size} entries\n" "firmado {origin} con {size} entradas\n";
    witness_refused(status, why)
        "refused with status {status}: {why}\n"
        "rehusado con el estado {status}: {why}\n";
    signed_on(time) "signed at {time}" "firmó el {time}";
    stored_in(file) "stored in {file}\n" "guardado en {file}\n";
    not_stored()
        "not stored: no witness signed, or an earlier checkpoint with enough signatures is kept\n"
        "sin guardar: no firmó ningún testigo, o se conserva un punto de control anterior con bastantes firmas\n";
    tiles_written(tiles, size, origin, files, new, root)
        "{tiles}: {size} entries of {origin} in {files}, {new} of them new\nroot {root}\n"
        "{tiles}: {size} entradas de {origin} en {files}, {new} nuevos\nraíz {root}\n";

    nothing_sealed() "nothing was sealed" "no se selló nada";
    sealed_before(line, events, entries)
        "all events before line {line} are sealed ({events} new in {entries} entries)"
        "todos los sucesos anteriores a la línea {line} están sellados ({events} nuevos en {entries} entradas)";
    bad_line(location, message, sealed, resume)
        "{location}: {message}\n  {sealed}; correct the line and resume with\n  {resume}"
        "{location}: {message}\n  {sealed}; corrija la línea y siga con\n  {resume}";

    load_heading() "load" "carga";
    posts() "posts" "envíos";
    posted_events() "events" "sucesos";
    per_second(count) "{count} per second" "{count} por segundo";
    response_time(which) "response time, {which}" "tiempo de respuesta, {which}";
    connections_dropped() "connections dropped" "conexiones cortadas";
    repeated_posts(kind) "repeated: {kind}" "repetidos: {kind}";
    given_up() "given up" "abandonados";
    answered_as_conflict() "answered as a conflict" "respondidos como conflicto";
    answered_without_receipts() "answered without all receipts" "respondidos sin todos los recibos";
    check_afterwards() "check afterwards" "comprobación posterior";
    served_log_intact() "the served log is intact and signed" "el registro servido está íntegro y firmado";
    receipts_agree() "receipts agree with the log" "los recibos concuerdan con el registro";
    proofs_verify() "kept proofs verify on their own" "las pruebas guardadas se verifican por sí solas";
    events_once()
        "events are in the log once, in order, as posted"
        "los sucesos están en el registro una vez, en orden, como se enviaron";
    yes() "yes" "sí";
    no_in_capitals() "NO" "NO";
    all_of_them(count) "all {count}" "{count} todos";
    some_do_not(broken, all) "{broken} of {all} do NOT" "{broken} de {all} NO";
    lost_or_wrong(lost, wrong, all) "{lost} LOST, {wrong} WRONG of {all}" "{lost} PERDIDOS, {wrong} ERRÓNEOS de {all}";
    load_seal(fault) "the seal: {fault}" "el sello: {fault}";
    load_proof(index, why)
        "the proof of entry {index} does not hold: {why}"
        "la prueba de la entrada {index} no es válida: {why}";
    load_other_entry(index, digest)
        "entry {index} is not what its receipt says ({digest})"
        "la entrada {index} no es la que dice su recibo ({digest})";
    load_entry_missing(index)
        "entry {index} was acknowledged and is not in the log"
        "la entrada {index} se confirmó y no está en el registro";
    load_other_events(index, events, table, first, due)
        "entry {index} holds {events} of table {table} from {first} that are not those posted, or not once and in their order: {due} was due"
        "la entrada {index} contiene {events} de la mesa {table} desde el {first} que no son los enviados, o no lo son una vez y en su orden: correspondía el {due}";
    load_events_missing(table, up_to, acknowledged)
        "table {table} ends with event {up_to}; {acknowledged} were acknowledged"
        "la mesa {table} termina en el suceso {up_to}; se confirmaron {acknowledged}";
    load_events_added(table, up_to, posted)
        "table {table} has {up_to} events; {posted} were posted"
        "la mesa {table} tiene {up_to} sucesos; se enviaron {posted}";
    and_more_of_them(count) "and {count} more\n" "y {count} más\n";
}
