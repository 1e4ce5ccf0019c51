//! What is said of a service that is followed.

use crate::texts;

texts! {
    published_finding(number) "finding {number}" "hallazgo {number}";
    published_findings[findings]()
        "{findings} statement published" "{findings} comunicación publicada"
        / "{findings} statements published" "{findings} comunicaciones publicadas";
    published_withdrawal(number, code, place, sequence, entry)
        "finding {number} takes one back: {code} at {place}, event {sequence} (entry {entry}) no longer holds"
        "hallazgo {number}, que retira otro: {code} en {place}, suceso {sequence} (entrada {entry}), ya no se sostiene";
    finding_not_known(code)
        "its code or form is not known to this program: {code}; ask with the version that the service has"
        "este programa no conoce su código o su forma: {code}; pregunte con la versión que tiene el servicio";
    watched_growth(entries, judged, findings)
        "{entries} recorded, {judged} judged; {findings}"
        "{entries} en el registro, {judged} juzgadas; {findings}";
    watched_checkpoint(origin, entries, root)
        "checkpoint of {origin}: {entries}, root {root}"
        "punto de control de {origin}: {entries}, raíz {root}";
    watched_up_to(number)
        "the last number is {number}: --since {number} continues from here"
        "el último número es {number}: --since {number} continúa desde aquí";
    judging_stopped(state, why)
        "live certification is {state}, nothing more is judged: {why}"
        "la certificación en vivo está en estado {state}, no se juzga nada más: {why}";
    judging_goes_on() "live certification continues" "la certificación en vivo continúa";
    asks_again(why, seconds)
        "{why}; asking again in {seconds} s"
        "{why}; se vuelve a preguntar en {seconds} s";
    answers_again() "the service answers again" "el servicio vuelve a responder";
    fewer_findings_than_seen(published, seen)
        "it has {published} findings, and {seen} were seen: it is another log, or its findings began again; start again without --since"
        "tiene {published} hallazgos, y se habían visto {seen}: es otro registro, o sus hallazgos han vuelto a empezar; empiece de nuevo sin --since";
    findings_out_of_order(after)
        "its findings do not go on from number {after}: this is not what a served log answers"
        "sus hallazgos no continúan desde el número {after}: un registro servido no responde así";
    watches_another_log(before, now)
        "it served the log {before}, and now {now}"
        "servía el registro {before}, y ahora {now}";
    two_roots_of_one_size(entries)
        "it has shown two checkpoints of {entries} with different roots: two histories of one log; keep both outputs"
        "ha mostrado dos puntos de control de {entries} con raíces distintas: dos historias de un mismo registro; conserve ambas salidas";
}
