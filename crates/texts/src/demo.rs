//! What the demonstration says between the results of other commands.

use crate::texts;

texts! {
    demo_heading(folder)
        "Two records of one simulated evening at two tables of punto y banca, sealed in {folder}. They differ in one number."
        "Dos registros de una misma sesión simulada en dos mesas de punto y banca, sellados en {folder}. Difieren en un número.";
    demo_key()
        "They are signed with a demonstration key. It is worthless: everyone has its secret half. Seal nothing else with it."
        "Están firmados con una clave de demostración. No vale nada: todos tienen su parte secreta. No selle nada más con ella.";
    demo_is_there(folder, program)
        "{folder} already exists, and nothing was written; name another folder ({program} demo FOLDER), or delete this one"
        "{folder} ya existe, y no se ha escrito nada; nombre otra carpeta ({program} demo CARPETA --lang es) o borre esta";
    demo_sealed()
        "Both are sealed coup by coup, and every coup is recomputed from the record"
        "Los dos se sellan jugada por jugada, y cada jugada se recalcula a partir del registro";
    demo_log(events, entries, exit)
        "{events} in {entries}; verify: {exit}"
        "{events} en {entries}; verify: {exit}";
    demo_exit(status) "exit status {status}" "código de salida {status}";
    demo_theft() "The underpayment that verify found" "El pago de menos que encontró la verificación";
    demo_place(table, shoe, coup) "{table}, shoe {shoe}, coup {coup}" "{table}, sabot {shoe}, jugada {coup}";
    demo_finding() "finding" "hallazgo";
    demo_rule() "rule" "regla";
    demo_stake_and_won(sum, stake, won)
        "{sum}: the stake of {stake} back, and {won} won"
        "{sum}: los {stake} apostados, y {won} ganados";
    demo_bet(bet, sum, on, seat)
        "{bet}: {sum} {on}, seat {seat}"
        "{bet}: {sum} {on}, departamento {seat}";
    demo_returned() "returned" "devuelto";
    demo_who() "who" "quién";
    demo_changed(at, size, was, is)
        "One byte of a copy of crooked is changed: byte {at} of {size}, from {was} to {is}"
        "Se cambia un byte de una copia de crooked: el byte {at} de {size}, de {was} a {is}";
    demo_resealed()
        "Whoever has the key of crooked can seal the honest evening in its place. Only a checkpoint of crooked that somebody kept shows it"
        "Quien tiene la clave de crooked puede sellar en su lugar la sesión honrada. Solo lo muestra un punto de control de crooked que alguien guardó";
    demo_proven(key)
        "The coup is proven to someone who has only the key, {key}"
        "La jugada se prueba ante quien solo tiene la clave, {key}";
    demo_next()
        "Continue with (Ctrl-C ends the pages and the service):"
        "Continúe con (Ctrl-C termina las páginas y el servicio):";
    demo_next_elsewhere()
        "From another terminal, what is served is verified without trusting it:"
        "Desde otra terminal, lo que se sirve se verifica sin fiarse del servicio:";
}
