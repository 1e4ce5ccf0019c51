//! What the commands of a fleet say.

use crate::texts;

texts! {
    bad_partition()
        "expected K/N, as 3/16 for the third of sixteen partitions"
        "se esperaba K/N, como 3/16 para la tercera de dieciséis particiones";
    other_partitions(site, there, asked)
        "--partition {asked}: the site {site} has {there} partitions; give one of these"
        "--partition {asked}: el sitio {site} tiene {there} particiones; dé una de ellas";
    bad_lease(why)
        "what the lease says of the log of the last commit cannot be read: {why}"
        "no se puede leer lo que el arriendo dice del registro de la última confirmación: {why}";
    continued_by_other(log)
        "{log} holds a log that continues another one than the lease says; nothing was written. Move it aside, it is evidence"
        "{log} contiene un registro que continúa otro que el que dice el arriendo; no se escribió nada. Apártelo, es una prueba";
    fleet_stream_made(stream) "made {stream}" "se creó {stream}";
    fleet_stream_there(stream)
        "{stream} is there, as asked"
        "{stream} ya existe, y es como se pide";
    fleet_ready[partitions](site)
        "the site {site} has {partitions} partition"
        "el sitio {site} tiene {partitions} partición"
        / "the site {site} has {partitions} partitions"
        "el sitio {site} tiene {partitions} particiones";
    fleet_partition() "partition" "partición";
    fleet_holder() "written by" "la escribe";
    fleet_log() "log" "registro";
    fleet_sealed() "sealed" "selladas";
    fleet_waiting() "waiting" "en espera";
    fleet_given() "being sealed" "sellándose";
    fleet_term() "term" "mandato";
    fleet_nobody() "nobody yet" "nadie aún";
    fleet_stream() "stream" "flujo";
    fleet_leader() "leader" "líder";
    fleet_messages() "messages" "mensajes";
    fleet_bytes() "bytes" "bytes";
    fleet_servers() "other servers" "otros servidores";
    fleet_server_current(name) "{name}: has everything" "{name}: lo tiene todo";
    fleet_server_behind(name, lag) "{name}: {lag} behind" "{name}: {lag} por detrás";
    fleet_server_gone(name) "{name}: does not answer" "{name}: no responde";
    fleet_nobody_writes(partition)
        "partition {partition}: nobody writes it; start audit serve --from with --partition {partition}"
        "partición {partition}: nadie la escribe; arranque audit serve --from con --partition {partition}";
    fleet_not_renewed(partition, holder)
        "partition {partition}: {holder} gives no sign; another writer takes over if one waits, else start one"
        "partición {partition}: {holder} no da señales; otro escritor la asumirá si alguno espera; si no, arranque uno";
    fleet_nothing_sealed(partition, waiting)
        "partition {partition}: {waiting} messages wait and none was sealed while this command looked; look at its writer's log"
        "partición {partition}: esperan {waiting} mensajes y no se selló ninguno mientras miraba esta orden; vea los mensajes de su escritor";
    fleet_lease_unknown(partition, why)
        "partition {partition}: its lease is not known ({why})"
        "partición {partition}: no se conoce su arriendo ({why})";
    fleet_server_trouble(stream, server)
        "{stream}: the server {server} does not keep up; if it is gone for good, replace it before a second one is"
        "{stream}: el servidor {server} no sigue el ritmo; si se perdió, sustitúyalo antes de que falte un segundo";
    fleet_sent(events, messages)
        "sent {events} in {messages} messages"
        "se enviaron {events} en {messages} mensajes";
    fleet_receipts(recorded, already)
        "sealed {recorded}; {already} were there already"
        "sellados {recorded}; {already} ya estaban";
    fleet_conflicts[conflicts]()
        "{conflicts} event has a number that another event has as well; both are sealed"
        "{conflicts} suceso tiene un número que también tiene otro; ambos están sellados"
        / "{conflicts} events have numbers that other events have as well; all are sealed"
        "{conflicts} sucesos tienen números que también tienen otros; todos están sellados";
    fleet_sealed_before[messages]()
        "{messages} message was sealed by an earlier writer, in its log"
        "{messages} mensaje lo selló un escritor anterior, en su registro"
        / "{messages} messages were sealed by an earlier writer, in its log"
        "{messages} mensajes los selló un escritor anterior, en su registro";
    fleet_refused[messages]()
        "{messages} message was refused; it is kept in the stream of refused messages:"
        "se rechazó {messages} mensaje; queda en el flujo de mensajes rechazados:"
        / "{messages} messages were refused; they are kept in the stream of refused messages:"
        "se rechazaron {messages} mensajes; quedan en el flujo de mensajes rechazados:";
    fleet_without_receipt[messages]()
        "{messages} message has no receipt: keep the file, and send it again; what is sealed already is recognised"
        "{messages} mensaje no tiene acuse: guarde el archivo y envíelo otra vez; lo ya sellado se reconoce"
        / "{messages} messages have no receipt: keep the file, and send it again; what is sealed already is recognised"
        "{messages} mensajes no tienen acuse: guarde el archivo y envíelo otra vez; lo ya sellado se reconoce";
    fleet_takes_nothing(why)
        "the servers store nothing of what is sent ({why})"
        "los servidores no guardan nada de lo que se envía ({why})";
}
