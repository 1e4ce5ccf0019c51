//! What a running service says of itself, and which program this is.

use crate::texts;

texts! {
    records(url) "{url} records events" "{url} registra sucesos";
    records_nothing(url) "{url} records nothing" "{url} no registra nada";
    service_says(line) "the service says: {line}" "el servicio dice: {line}";
    health_needs_token()
        "a token with the role read shows more: give --token-file, or set AUDIT_TOKEN"
        "una credencial de lectura (rol read) muestra más: use --token-file o la variable AUDIT_TOKEN";
    health_entries[entries](seconds)
        "{entries} entry; the newest checkpoint was signed {seconds} seconds ago"
        "{entries} entrada; el último punto de control se firmó hace {seconds} segundos"
        / "{entries} entries; the newest checkpoint was signed {seconds} seconds ago"
        "{entries} entradas; el último punto de control se firmó hace {seconds} segundos";
    health_judged[entries](findings)
        "{entries} entry is not judged yet; findings published: {findings}"
        "{entries} entrada por juzgar; hallazgos publicados: {findings}"
        / "{entries} entries are not judged yet; findings published: {findings}"
        "{entries} entradas por juzgar; hallazgos publicados: {findings}";
    health_disk(free, log)
        "{free} MiB are free on the disk; the log takes {log} MiB"
        "{free} MiB libres en el disco; el registro ocupa {log} MiB";
    health_certificate[days](moment)
        "the TLS certificate expires at {moment}, in {days} day"
        "el certificado TLS caduca el {moment}, dentro de {days} día"
        / "the TLS certificate expires at {moment}, in {days} days"
        "el certificado TLS caduca el {moment}, dentro de {days} días";
    attention(what) "attention: {what}" "atención: {what}";
    follower_stopped()
        "live certification has stopped: nothing more is judged until it continues; read the service's log"
        "la certificación en vivo se ha detenido: no se juzga nada más hasta que continúe; lea los mensajes del servicio";
    follower_behind()
        "live certification is far behind what is recorded"
        "la certificación en vivo va muy por detrás de lo que se registra";
    disk_nearly_full()
        "the disk has less free space than opening the log after a crash may need"
        "el disco tiene menos espacio libre del que puede hacer falta para abrir el registro tras una caída";
    certificate_expires()
        "the TLS certificate expires within two weeks, or has expired"
        "el certificado TLS caduca en menos de dos semanas, o ya ha caducado";
    witness_contradicts()
        "a witness contradicts the log: somebody should look at once"
        "un testigo contradice el registro: alguien debe mirarlo de inmediato";
    judge_and_inputs(judge, digest) "{judge}, inputs {digest}" "{judge}, datos {digest}";
    judged_by_program(version, commit)
        "program audit {version}, commit {commit}"
        "programa audit {version}, commit {commit}";
    name_version() "version" "versión";
    name_commit() "commit" "commit";
    name_judge() "judge" "juez";
    name_inputs() "inputs" "datos";
    name_rulebooks() "rulebooks" "reglamentos";
    name_formats() "formats" "formatos";
    name_findings() "findings" "hallazgos";
}
