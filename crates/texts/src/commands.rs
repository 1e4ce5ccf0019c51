//! What commands print and why they fail.

use crate::texts;

texts! {
    sealed(events, entries) "sealed {events} in {entries}" "sellados {events} en {entries}";
    skipped(events) "skipped {events} that the log already holds" "omitidos {events} que el registro ya contiene";
    conflicting(events)
        "recorded {events} with a number under which the log already holds a different event; audit verify log will report this"
        "registrados con un número que ya figura en el registro con otro contenido: {events}; audit verify log lo mostrará";
    key_line(key, id, origin) "key {key}\n  id {id}\n  of {origin}\n" "clave {key}\n  id {id}\n  de {origin}\n";
    never_rotated() "never rotated" "nunca sustituida";
    until_entry(entry, key) "until entry {entry}: {key}" "hasta la entrada {entry}: {key}";
    holds_no_key(log) "{log} holds no verifier key" "{log} no contiene ninguna clave de verificación";

    proof_line(proof, index, size, origin)
        "{proof}: entry {index} of {size} in {origin}"
        "{proof}: entrada {index} de {size} en {origin}";
    table_and_events(table, events) "table {table}, {events}" "mesa {table}, {events}";
    give_an_entry()
        "give --index, --digest, or --table and --sequence"
        "dé --index, --digest, o --table y --sequence";
    signed_but_unreadable(log, size, index)
        "{log} has {size} signed entries, but entry {index} cannot be read"
        "{log} tiene {size} entradas firmadas, pero la entrada {index} no se puede leer";
    no_such_entry(log, size)
        "{log} has no such entry among its {size} signed entries"
        "{log} no tiene tal entrada entre sus {size} firmadas";
    cose_needs_folder(log)
        "{log} is not a log's folder: --format cose signs a new receipt with the key in the log's folder"
        "{log} no es la carpeta de un registro: --format cose firma un recibo nuevo con la clave de la carpeta";
    entry_not_provable(log, index, why, word)
        "{log}: entry {index} cannot be proven: {why}; run audit verify log {word} for details"
        "{log}: la entrada {index} no se puede probar: {why}; ejecute audit verify log {word} para ver el detalle";
    differs_from_signed()
        "the entry or the tree's hashes differ from what was signed"
        "la entrada o las huellas del árbol difieren de lo que se firmó";
    proves_growth(file, new, origin, old)
        "{file}: proves that the {new} entries of {origin} extend the first {old}"
        "{file}: prueba que las {new} entradas de {origin} continúan las primeras {old}";
    checkpoint_of_another_log(file, given, own)
        "{file} is a checkpoint of the log {given}, not of {own}; give one of {own}"
        "{file} es un punto de control del registro {given}, no de {own}; dé uno de {own}";
    extends(origin, new, old, key)
        "{origin}: the {new} entries extend the first {old}; both signatures checked against {key}"
        "{origin}: las {new} entradas continúan las primeras {old}; las dos firmas se comprobaron con {key}";
    key_and_checkpoint_differ(key, file, origin)
        "--key is the key of the log {key}, but {file} is of the log {origin}"
        "--key es la clave del registro {key}, pero {file} es del registro {origin}";
    fewer_than_checkpoint(log, size, wanted)
        "{log} has {size} signed entries, but the newer checkpoint has {wanted}: entries are missing, or this is an older copy"
        "{log} tiene {size} entradas firmadas, pero el punto de control más nuevo tiene {wanted}: faltan entradas, o es una copia más antigua";
    rewritten_or_damaged(log, error, word)
        "{log}: {error}: history was rewritten or the log is damaged; run audit verify log {word} to see which"
        "{log}: {error}: la historia se reescribió o el registro está dañado; ejecute audit verify log {word} para verlo";
    leads_elsewhere(file, size, wanted)
        "{file} leads to another checkpoint: it has {size} entries, the given one has {wanted}"
        "{file} lleva a otro punto de control: tiene {size} entradas, y el dado {wanted}";
    not_proven(proof, why) "{proof}: NOT proven: {why}" "{proof}: NO probado: {why}";
    proof_not_checked(proof, why) "{proof}: not checked: {why}" "{proof}: sin comprobar: {why}";
    signed_by_other_log(origin, key)
        "the checkpoint in it is of the log {origin}, and the key that you gave, {key}, is of another log; this says nothing against the proof: give the key of {origin}"
        "el punto de control que contiene es del registro {origin}, y la clave que usted ha dado, {key}, es de otro; eso no dice nada contra la prueba: dé la clave de {origin}";
    signed_by_other_key(key, signers)
        "the checkpoint in it is not signed by the key that you gave, {key}; it names another key, {signers}, which was not checked. So nothing is known of the proof: ask the operator which key of the log was in force then, and take it from nowhere else"
        "el punto de control que contiene no está firmado con la clave que usted ha dado, {key}; nombra otra, {signers}, que no se ha comprobado. De la prueba no se sabe nada: pregunte al operador qué clave del registro estaba en vigor entonces, y no la tome de ningún otro sitio";
    proven(proof, entry, tree) "{proof}: proven, {entry} {tree}" "{proof}: probado, {entry} {tree}";
    an_entry() "an entry" "una entrada";
    this_entry(index) "entry {index}" "entrada {index}";
    tree_of(size, origin) "of {size} in {origin}" "de {size} en {origin}";
    tree_without_size(origin)
        "in {origin}; the signature covers neither its index nor their number"
        "en {origin}; la firma no cubre ni su índice ni cuántas son";
    tree_of_signer(size, signer)
        "of {size} in a tree that the key of {signer} signed"
        "de {size} en un árbol que firmó la clave de {signer}";
    tree_without_anything(signer)
        "in a tree that the key of {signer} signed; the signature covers neither the log's name nor the entry's index nor their number"
        "en un árbol que firmó la clave de {signer}; la firma no cubre ni el nombre del registro, ni el índice de la entrada, ni cuántas son";
    proof_without_entry() "the proof does not contain the entry" "la prueba no contiene la entrada";
    entry_wanted()
        "the proof does not bring the entry; give --entry FILE or --digest DIGEST"
        "la prueba no trae la entrada; dé --entry ARCHIVO o --digest HUELLA";
    not_a_proof()
        "not a proof: neither text nor a COSE receipt"
        "no es una prueba: ni un texto ni un recibo COSE";
    key_is_a_folder(option, given)
        "{option} {given} is a folder; give the key, or its file"
        "{option} {given} es una carpeta; dé la clave, o su archivo";
    no_key_in_file()
        "the file holds no verifier key; expected one line, NAME+8 HEX DIGITS+BASE64"
        "el archivo no contiene ninguna clave de verificación; se esperaba una línea, NOMBRE+8 CIFRAS HEX+BASE64";
    no_such_key(option, given)
        "{option} {given}: not a verifier key, and no such file exists"
        "{option} {given}: no es una clave de verificación, ni existe tal archivo";
    file_empty(file) "{file}: the file is empty" "{file}: el archivo está vacío";
    bad_approved(word)
        "--approved: `{word}` is neither a file nor a rulebook digest (64 hexadecimal digits, as `audit rules list` prints them)"
        "--approved: `{word}` no es un archivo ni la huella de un reglamento (64 cifras hexadecimales, como las imprime `audit rules list`)";
    empty_approved(given)
        "--approved {given} holds no digest; give the digests of the rulebooks you approve of, as `audit rules list` prints them"
        "--approved {given} no contiene ninguna huella; dé las de los reglamentos que aprueba, como los imprime `audit rules list`";
    log_holds(origin, size, root, checkpoint)
        "{origin} holds {size}\nroot {root}\ncheckpoint {checkpoint}"
        "{origin} contiene {size}\nraíz {root}\npunto de control {checkpoint}";
    archive_whole(archive, entries, origin, bytes)
        "{archive}: {entries} of {origin} in {bytes} bytes"
        "{archive}: {entries} de {origin} en {bytes} bytes";
    archive_slice(archive, entries, size, origin, bytes)
        "{archive}: {entries} of the {size} entries of {origin} in {bytes} bytes, with proofs in place of the others"
        "{archive}: {entries} de las {size} entradas de {origin} en {bytes} bytes, con pruebas en lugar de las demás";
    some_withheld(count)
        "the payload of {count} of them is withheld"
        "se retiene el contenido de {count} de ellas";
    root(root) "root {root}" "raíz {root}";
    has_cosignatures(cosignatures)
        "the checkpoint has {cosignatures}"
        "el punto de control lleva {cosignatures}";
    cosigned_elsewhere(size, log)
        "the newest checkpoint that witnesses signed has {size} entries: hand over {log}/checkpoint.cosigned as well, or run audit witness submit and export again"
        "el último punto de control que firmaron testigos tiene {size} entradas: entregue también {log}/checkpoint.cosigned, o ejecute audit witness submit y exporte de nuevo";
    rulebook_title() "title" "título";
    rulebook_where() "where" "dónde";
    digest_heading() "digest" "huella";
    superseded_heading() "superseded by" "sustituido por";
    rulebook_superseded(id, newer)
        "{newer} follows the same sources as {id} and states more of what they say: open new tables under {newer}"
        "{newer} sigue las mismas fuentes que {id} y recoge más de lo que dicen: abra las mesas nuevas con {newer}";
    the_event(event) "event {event}" "suceso {event}";
    the_events(first, last) "events {first} to {last}" "sucesos {first} a {last}";
    cosignatures[count]() "{count} cosignature" "{count} firma de testigos"
        / "{count} cosignatures" "{count} firmas de testigos";
    files[count]() "{count} file" "{count} archivo" / "{count} files" "{count} archivos";
    for_more_help() "For more information, try '--help'." "Para más información use '--help'.";
    unknown_argument(argument)
        "unexpected argument '{argument}'"
        "argumento desconocido: '{argument}'";
    missing_argument(arguments)
        "the following required arguments were not provided: {arguments}"
        "faltan argumentos obligatorios: {arguments}";
    conflicting_arguments(argument, other)
        "the argument '{argument}' cannot be used with '{other}'"
        "el argumento '{argument}' no se puede usar junto con '{other}'";
    unknown_command(command) "unrecognized subcommand '{command}'" "orden desconocida: '{command}'";
    invalid_value(value, argument)
        "invalid value '{value}' for '{argument}'"
        "valor no válido '{value}' para '{argument}'";
    invalid_value_of(value, argument, valid)
        "invalid value '{value}' for '{argument}' [possible values: {valid}]"
        "valor no válido '{value}' para '{argument}' [valores posibles: {valid}]";
    no_such_language(value)
        "invalid value '{value}' for '--lang': give --lang en (English) or --lang es (Spanish)"
        "valor no válido '{value}' para '--lang': dé --lang es (español) o --lang en (inglés)";
    exists_and_stays(file)
        "{file} already exists, and nothing is replaced; choose another name"
        "{file} ya existe y no se sustituye; elija otro nombre";
    proof_not_read(proof, why) "{proof}: not read: {why}" "{proof}: no se ha leído: {why}";
    exists_already(file)
        "{file} already exists; choose another name, or give --force"
        "{file} ya existe; elija otro nombre o dé --force";
    internal_error(what)
        "internal error, please report it: {what}"
        "error interno, comuníquelo por favor: {what}";
    no_memory_left()
        "there is too little memory: raise the limit (ulimit -v), stop other programs, or use a machine with more; this says nothing about the log"
        "no hay memoria suficiente: suba el límite (ulimit -v), cierre otros programas o use una máquina con más; esto no dice nada del registro";
    system_refused(error)
        "the system refused what the program needs: {error}; raise the limits of this machine (ulimit -u, ulimit -v), or stop other programs; this says nothing about the log"
        "el sistema negó algo que el programa necesita: {error}; suba los límites de esta máquina (ulimit -u, ulimit -v) o cierre otros programas; esto no dice nada del registro";
    lines_not_printed(count)
        "{count} lines were not printed: standard output was read too slowly"
        "no se imprimieron {count} líneas: la salida estándar se leyó demasiado despacio";
    new_log(log, origin, key, secret)
        "{log} is the new log {origin}\nits key, for everybody who verifies it: {key}\nits signing key: {secret}; store a copy elsewhere, no backup holds it"
        "{log} es el registro nuevo {origin}\nsu clave, para quien lo verifique: {key}\nsu clave de firma: {secret}; guarde una copia en otro lugar, ninguna copia de seguridad la contiene";
    holds_a_log(log)
        "{log} holds a log already; nothing was written"
        "{log} ya contiene un registro; no se ha escrito nada";
    holds_other_files(log, other)
        "{log} holds {other} and no log; nothing was written. Give a log a folder of its own"
        "{log} contiene {other} y ningún registro; no se ha escrito nada. Dé al registro una carpeta propia";
    is_not_there(log) "{log} is not there" "{log} no existe";
    holds_nothing(log) "{log} holds no log, nor anything else" "{log} no contiene ningún registro ni ninguna otra cosa";
    make_a_log(what, log)
        "{what}; nothing was written. If the log is on a disk that is not mounted, mount it; to make a new log, run audit init {log}, or give --create"
        "{what}; no se ha escrito nada. Si el registro está en un disco sin montar, móntelo; para crear un registro nuevo use audit init {log} o dé --create";
    a_log_is_a_folder(log) "{log} is a file; a log is a folder" "{log} es un archivo; un registro es una carpeta";
    key_is_missing(key) "{key} is missing; put the log's key back" "falta {key}; devuelva la clave del registro a su lugar";
    another_origin(log, name, origin)
        "{log} is the log {name}, not {origin}; omit --origin"
        "{log} es el registro {name}, no {origin}; omita --origin";
    cannot_be_seen(option, code)
        "{option}: it holds {code}, which cannot be seen, or changes how the text around it reads; leave it out"
        "{option}: contiene {code}, que no se ve o cambia cómo se lee el texto a su alrededor; quítelo";
    all_in_conflict() "every event of the file has a number" "todos los sucesos del archivo tienen un número";
    many_in_conflict(count, line)
        "{count} events, the first in line {line}, and no new one between them, have numbers"
        "{count} sucesos, el primero en la línea {line}, sin ninguno nuevo entre ellos, tienen números";
    events_of_another_log(what)
        "{what} under which the log already holds another event; nothing of this was sealed. Is this the right file for this log? audit check FILE --against LOG lists what is in conflict; --record-conflicts records these events as well"
        "{what} bajo los que el registro ya contiene otro suceso; nada de esto se ha sellado. ¿Es este el archivo de este registro? audit check ARCHIVO --against REGISTRO enumera lo que choca; --record-conflicts registra los sucesos junto a los otros";
    of_tables[count]() "{count} table" "{count} mesa" / "{count} tables" "{count} mesas";
    in_lines[count]() "{count} line" "{count} línea" / "{count} lines" "{count} líneas";
    checked(file, events, tables, lines)
        "{file}: {events} of {tables} in {lines}"
        "{file}: {events} de {tables} en {lines}";
    compared_with(log) "compared with {log}" "comparado con {log}";
    would_be_recorded() "would be recorded" "se registrarían";
    already_in_the_log() "already in the log" "ya en el registro";
    repeated_in_the_file() "repeated in the file" "repetidos en el archivo";
    in_conflict() "in conflict" "en conflicto";
    not_compared() "not compared" "no comparados";
    malformed_lines() "malformed lines" "líneas mal formadas";
    nothing_was_recorded() "nothing was recorded" "no se ha registrado nada";
    line_at(line, column) "line {line}, column {column}" "línea {line}, columna {column}";
    the_line(line) "line {line}" "línea {line}";
    the_log() "the log" "el registro";
    has_another_event(line, table, sequence, other)
        "{line}: {table} {sequence}: {other} has another event under this number"
        "{line}: {table} {sequence}: {other} tiene otro suceso con este número";
    more_with_limit[count]()
        "and {count} more; --limit N lists more of them" "y {count} más; --limit N enumera más"
        / "and {count} more; --limit N lists more of them" "y {count} más; --limit N enumera más";
    not_read_behind(line) "nothing after line {line} was read" "no se ha leído nada tras la línea {line}";
    why_not_compared(most)
        "not compared: events beyond the first {most}, or such that the log holds erased or withheld"
        "no comparados: sucesos tras los primeros {most}, o que el registro contiene borrados o reservados";
    no_event_in_it() "there is no event in it" "no contiene ningún suceso";
}
