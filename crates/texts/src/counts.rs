//! What was read and judged, in numbers, and what rests on signatures alone.

use crate::texts;

texts! {
    coups[coups]() "{coups} coup" "{coups} jugada" / "{coups} coups" "{coups} jugadas";
    shoes[shoes]() "{shoes} shoe" "{shoes} sabot" / "{shoes} shoes" "{shoes} sabots";
    tables[tables]() "{tables} table" "{tables} mesa" / "{tables} tables" "{tables} mesas";
    events[events]() "{events} event" "{events} suceso" / "{events} events" "{events} sucesos";
    entries[entries]() "{entries} entry" "{entries} entrada" / "{entries} entries" "{entries} entradas";
    notices[notices]() "{notices} notice" "{notices} aviso" / "{notices} notices" "{notices} avisos";
    faults[faults]() "{faults} fault" "{faults} defecto" / "{faults} faults" "{faults} defectos";
    lines[lines]() "{lines} line" "{lines} línea" / "{lines} lines" "{lines} líneas";
    decks[decks]() "{decks} deck" "{decks} baraja" / "{decks} decks" "{decks} barajas";
    ties[ties]() "{ties} tie" "{ties} empate" / "{ties} ties" "{ties} empates";

    look_alike_tables(ids)
        "tables whose ids look alike, each judged on its own: {ids}"
        "mesas cuyos nombres se parecen, cada una juzgada por su cuenta: {ids}";
    of_the_log_itself(entries, notices)
        "{entries} and {notices} of the log itself"
        "{entries} y {notices} del propio registro";
    left_out(left_out, size)
        "a slice: {left_out} of the log's {size} entries are left out and replaced by proofs"
        "un extracto: se omiten {left_out} de las {size} entradas del registro, y hay pruebas en su lugar";
    withheld(entries, which)
        "the payload of {entries} is withheld: {which}"
        "se retiene el contenido de {entries}: {which}";
    key_replaced(entry, key)
        "the log's key was replaced, as recorded in entry {entry}, by {key}"
        "la clave del registro se sustituyó, según la entrada {entry}, por {key}";
    continues(origin, size)
        "this log continues the log {origin} from its first {size}, as its first entry says; audit verify fleet verifies both together"
        "este registro continúa el registro {origin} desde sus primeras {size}, según su primera entrada; audit verify fleet verifica los dos juntos";
    closed(notice, size)
        "the log is closed, as recorded in entry {notice}: only its first {size} belong to the history"
        "el registro está cerrado, según la entrada {notice}: solo sus primeras {size} pertenecen a la historia";
    closed_and_continued(notice, size, successor)
        "the log is closed, as recorded in entry {notice}: only its first {size} belong to the history, and the log {successor} continues it"
        "el registro está cerrado, según la entrada {notice}: solo sus primeras {size} pertenecen a la historia, y lo continúa el registro {successor}";
    not_yet_erased(entries)
        "{entries} of these not yet erased here; run audit redact --finish on the log's folder"
        "{entries} de ellas aún no se han borrado aquí; ejecute audit redact --finish en la carpeta del registro";
    erased(by, countersigned_by, notice, entries, reason)
        "erased by {by} and {countersigned_by}, as recorded in entry {notice}: {entries} ({reason})"
        "borradas por {by} y {countersigned_by}, según la entrada {notice}: {entries} ({reason})";
    found_before_erasure(finding)
        "found there before the erasure: {finding}"
        "hallado allí antes del borrado: {finding}";
    repeated(events)
        "{events} recorded more than once with the same content"
        "{events} registrados más de una vez con el mismo contenido";
    coups_heading() "coups" "jugadas";
    shoes_heading() "shoes" "sabots";
    shoes_alone()
        "shoes (burn, order of the cards and end; their coups are counted above)"
        "sabots (quema, orden de las cartas y final; sus jugadas se cuentan arriba)";
    coups_by_result(agree, violated, undecided, subject)
        "{agree} certified{subject}, {violated} violated, {undecided} undecided"
        "certificadas {agree}{subject}, irregulares {violated}, sin decidir {undecided}";
    coups_judged_by_result(agree, violated, undecided, subject)
        "{agree} judged{subject}, {violated} violated, {undecided} undecided"
        "juzgadas {agree}{subject}, irregulares {violated}, sin decidir {undecided}";
    shoes_by_result(agree, violated, undecided, subject)
        "{agree} certified{subject}, {violated} violated, {undecided} undecided"
        "certificados {agree}{subject}, irregulares {violated}, sin decidir {undecided}";
    shoes_judged_by_result(agree, violated, undecided, subject)
        "{agree} judged{subject}, {violated} violated, {undecided} undecided"
        "juzgados {agree}{subject}, irregulares {violated}, sin decidir {undecided}";
    some_subject_to_ruling(count)
        " ({count} of them subject to a ruling)"
        " ({count} a reserva de una resolución)";
    undecided_because(reason, count)
        "undecided because of {reason}: {count}"
        "sin decidir por {reason}: {count}";
    rulebook_used(id, title, coups)
        "rulebook {id}: {title} ({coups})"
        "reglamento {id}: {title} ({coups})";
    digest(digest) "digest {digest}" "huella {digest}";
    rulebook_unapproved(id)
        "rulebook {id} is not approved here"
        "el reglamento {id} no está aprobado aquí";
    rulebook_unapproved_with_edge(id, least, least_bet, most, most_bet)
        "rulebook {id} is not approved here: of each bet the house keeps from {least} ({least_bet}) to {most} ({most_bet})"
        "el reglamento {id} no está aprobado aquí: de cada apuesta la casa retiene de {least} ({least_bet}) a {most} ({most_bet})";
    by_unapproved[count]()
        "by {count} rulebook that is not approved here"
        "según {count} reglamento que no está aprobado aquí"
        / "by {count} rulebooks that are not approved here"
        "según {count} reglamentos que no están aprobados aquí";
    recorded_from_files[days](events)
        "read from files: {events}, up to {days} day after they happened"
        "incorporados desde archivos: {events}, con un retraso de hasta {days} día"
        / "read from files: {events}, up to {days} days after they happened"
        "incorporados desde archivos: {events}, con un retraso de hasta {days} días";
    recorded_late[days](events)
        "posted long after the fact: {events}, up to {days} day after they happened"
        "enviados mucho después de los hechos: {events}, con un retraso de hasta {days} día"
        / "posted long after the fact: {events}, up to {days} days after they happened"
        "enviados mucho después de los hechos: {events}, con un retraso de hasta {days} días";

    of_them_subject[count]() "{count} of them subject to a ruling" "{count} de ellas sujeta a una resolución"
        / "{count} of them subject to a ruling" "{count} de ellas sujetas a una resolución";
    coups_subject[count]() "{count} coup subject to a ruling" "{count} jugada sujeta a una resolución"
        / "{count} coups subject to a ruling" "{count} jugadas sujetas a una resolución";
    rulings_attested[count]() "{count} ruling is attested only" "{count} resolución consta solo por sus firmas"
        / "{count} rulings are attested only" "{count} resoluciones constan solo por sus firmas";
    cards_unread[count]() "{count} card was not read" "{count} carta no se leyó"
        / "{count} cards were not read" "{count} cartas no se leyeron";
    burns_unknown[count]() "{count} shoe's burn is not known" "{count} sabot sin constancia de la quema"
        / "{count} shoes' burns are not known" "{count} sabots sin constancia de la quema";
    values_computed[count]()
        "{count} winner or total was computed from the cards, and confirms nothing"
        "{count} ganador o puntuación se calculó a partir de las cartas y no confirma nada"
        / "{count} winners and totals were computed from the cards, and confirm nothing"
        "{count} ganadores y puntuaciones se calcularon a partir de las cartas y no confirman nada";
    extensions_not_judged[count](bytes)
        "{count} extension ({bytes} bytes) was not judged" "{count} extensión ({bytes} bytes) no se juzgó"
        / "{count} extensions ({bytes} bytes) were not judged" "{count} extensiones ({bytes} bytes) no se juzgaron";
    void_coups[count]() "{count} void coup" "{count} jugada anulada"
        / "{count} void coups" "{count} jugadas anuladas";
    rulings[count]() "{count} ruling" "{count} resolución" / "{count} rulings" "{count} resoluciones";
    corrections[count]() "{count} correction" "{count} corrección"
        / "{count} corrections" "{count} correcciones";
    collections[count]() "{count} collection of commission" "{count} cobro de comisión"
        / "{count} collections of commission" "{count} cobros de comisión";
    corrections_moved(names, sum, places)
        "corrections signed by {names} moved {sum} in {places}"
        "las correcciones firmadas por {names} movieron {sum} en {places}";
    corrections_moved_more(moved, coups)
        "{moved}; in {coups} of these not all of it is known"
        "{moved}; en {coups} de estas no se sabe todo";
    corrections_not_known(names, coups)
        "corrections signed by {names}: what they moved in {coups} is not known"
        "correcciones firmadas por {names}: no se sabe qué movieron en {coups}";
    corrections_out_of_reach(names, corrections)
        "{corrections} of missing events or of an earlier shoe, signed by {names}: what they moved is not known"
        "{corrections} de sucesos que faltan o de un sabot anterior, con firma de {names}: no se sabe qué movieron";
    and_others(names) "{names} and others" "{names} y otros";
    others_signed() "others" "otros";
    more_signers_of_corrections[count]()
        "{count} more group of people signed corrections that moved money"
        "{count} grupo más de personas firmó correcciones que movieron dinero"
        / "{count} more groups of people signed corrections that moved money"
        "{count} grupos más de personas firmaron correcciones que movieron dinero";
    attested_only() "attested only" "consta solo por sus firmas";
    turnover_decided(sum)
        "turnover: {sum}, none of it undecided"
        "total apostado: {sum}, nada pendiente de decidir";
    turnover(sum, undecided, share)
        "turnover: {sum}, of which {undecided} ({share}) undecided"
        "total apostado: {sum}; sin decidir: {undecided} ({share})";
    turnover_without_void(turnover, void)
        "{turnover}; not counted: {void} staked on void coups"
        "{turnover}; sin contar lo apostado en jugadas anuladas: {void}";
}
