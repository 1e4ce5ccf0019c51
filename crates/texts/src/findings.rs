//! Findings, and the lines around them in a report.

use crate::texts;

texts! {
    findings[findings]() "{findings} finding" "{findings} hallazgo"
        / "{findings} findings" "{findings} hallazgos";
    findings_and_following(findings, following)
        "{findings}, and {following} that follow from them"
        "{findings}, y {following} que se siguen de ellos";
    of_table(table) "table {table}" "mesa {table}";
    of_shoe(shoe) ", shoe {shoe}" ", sabot {shoe}";
    of_coup(coup) ", coup {coup}" ", jugada {coup}";
    first_shown(place, event, entry)
        "{place}; first shown by event {event} (entry {entry})"
        "{place}; consta por primera vez en el suceso {event} (entrada {entry})";
    expected(what) "expected {what}" "se esperaba: {what}";
    recorded(what) "recorded {what}" "se registró: {what}";
    rule(clause, rulebook) "rule {clause} of {rulebook}" "regla {clause} de {rulebook}";
    caused_by(cause, event, code, coup, sequence, entry, sentence)
        "caused by {cause} at event {event}: {code} ({coup}event {sequence}, entry {entry}): {sentence}"
        "causado por {cause} en el suceso {event}: {code} ({coup}suceso {sequence}, entrada {entry}): {sentence}";
    in_coup(coup) "coup {coup}, " "jugada {coup}, ";
    underpaid_by(seat, sum)
        "seat {seat} was underpaid by {sum}"
        "el departamento {seat} cobró {sum} de menos";
    overpaid_by(seat, sum)
        "seat {seat} was overpaid by {sum}"
        "el departamento {seat} cobró {sum} de más";
    commission_not_paid_by(seat, sum)
        "{sum} of commission not paid by seat {seat}"
        "el departamento {seat} dejó de pagar {sum} de comisión";
    sum_or_more(sum) "at least {sum}" "al menos {sum}";
    more_that_follow(count)
        "... and {count} more that follow"
        "... y {count} más que se siguen";
    more(count) "... and {count} more (--all, or --json)" "... y {count} más (--all, o --json)";
    all_findings_by_code() "all findings by code" "todos los hallazgos por código";
    follow_from_others(count) ", {count} that follow from others" ", {count} que se siguen de otros";
    overpaid(sum) "; {sum} overpaid" "; pagado de más: {sum}";
    underpaid(sum) "; {sum} underpaid" "; pagado de menos: {sum}";
    over_and_underpaid(over, under)
        "; {over} overpaid, {under} underpaid"
        "; pagado de más: {over}, de menos: {under}";
    faults_of_the_seal() "faults of the seal" "defectos del sello";
    fault_at(entry, what) "entry {entry}: {what}" "entrada {entry}: {what}";
    unreadable_entry(entry, table, what)
        "entry {entry} of table {table}: {what}"
        "entrada {entry} de la mesa {table}: {what}";
    given_of_another_log()
        "given, but belonging to another log"
        "lo que usted ha dado pertenece a otro registro";
    given_with_invalid_signature()
        "given, but with a signature that is not valid"
        "lo que usted ha dado tiene una firma que no es válida";
    stated_by_rulebook(title, jurisdiction, from)
        "the rulebook states: {title}; jurisdiction {jurisdiction}; in force from {from}; the words are those of the sources named here"
        "según el reglamento: {title}; jurisdicción {jurisdiction}; en vigor desde el {from}; las palabras son de las fuentes que se nombran";
    files_of_the_folder() "files of the log's folder" "archivos de la carpeta del registro";
    note(what) "note: {what}" "nota: {what}";
    certificate() "certificate" "certificado";
    result_without_certificate() "result, not a certificate" "resultado, que no es un certificado";
    four_answers(intact, anchored, complete, certified)
        "intact {intact}, anchored {anchored}, complete {complete}, certified {certified}"
        "íntegro: {intact}, continúa: {anchored}, completo: {complete}, certificado: {certified}";
    certificate_fields(origin, size, root, key, findings, judge)
        "  log {origin}\n  size {size}\n  root {root}\n  key {key}\n  findings {findings}\n  judge {judge}\n"
        "  registro {origin}\n  tamaño {size}\n  raíz {root}\n  clave {key}\n  huella de los hallazgos {findings}\n  juez {judge}\n";
    certificate_not_anchored()
        "not compared with a checkpoint that somebody kept: whoever holds the key could have sealed another history"
        "sin compararlo con un punto de control que alguien guardó: quien tiene la clave pudo sellar otra historia";
    not_shown_of_them(count) ", {count} of them not shown" ", {count} de ellas sin mostrar";

    judged_under(rulebook) "judged under {rulebook}" "juzgado con {rulebook}";
    coups_under_own() "coups under their own rulebook" "jugadas con su propio reglamento";
    coups_under_other() "coups under that rulebook" "jugadas con ese reglamento";
    nothing_changes() "nothing changes" "nada cambia";
    would_be_found[findings]() "{findings} finding would be found" "{findings} hallazgo aparecería"
        / "{findings} findings would be found" "{findings} hallazgos aparecerían";
    would_not_be_found[findings]()
        "{findings} finding would no longer be found" "{findings} hallazgo desaparecería"
        / "{findings} findings would no longer be found" "{findings} hallazgos desaparecerían";
    lists_incomplete()
        "there are more findings than are kept: these lists are incomplete"
        "hay más hallazgos de los que se guardan: estas listas están incompletas";

    witnesses_of(size)
        "witnesses of the checkpoint of {size} entries"
        "testigos del punto de control de {size} entradas";
    signed_at(name, time) "{name} signed at {time}" "{name} firmó el {time}";
    does_not_count(name, why) "{name} does not count: {why}" "{name} no cuenta: {why}";
    policy_rejects_checkpoint(why)
        "the policy rejects the checkpoint: {why}"
        "la política rechaza el punto de control: {why}";
    policy_lists_not()
        "the policy does not list this log, so no number of witnesses is enough"
        "la política no incluye este registro, así que ningún número de testigos basta";
    policy_asks_none() "the policy asks for no witness" "la política no pide ningún testigo";
    enough_signed() "enough witnesses signed" "firmaron bastantes testigos";
    not_enough_signed() "NOT enough witnesses signed" "NO firmaron bastantes testigos";
    seconds_after_1970(seconds) "{seconds} seconds after 1970" "{seconds} segundos después de 1970";
}
