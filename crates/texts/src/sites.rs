//! What commands and pages say of a fleet.

use crate::{Texts, texts};

/// Something in a fleet that needs an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteTrouble {
    /// Nobody writes this partition (numbers are from 1).
    NobodyWrites(u32),
    /// The writer of this partition gives no sign; its name.
    NotRenewed(u32, String),
    /// So many messages of this partition wait, and none was sealed between two looks.
    NothingSealed(u32, u64),
    /// The lease of this partition is not known, and why, if that is said.
    LeaseUnknown(u32, String),
    /// A server does not keep up with a stream: the stream and the server.
    ServerBehind(String, String),
    /// So many messages were refused, and lie in the stream of refused messages.
    Refused(u64),
    /// The servers do not say how the site is, and why, if that is said.
    NotShown(String),
}

impl SiteTrouble {
    /// Its name for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NobodyWrites(_) => "nobody-writes",
            Self::NotRenewed(..) => "lease-not-renewed",
            Self::NothingSealed(..) => "nothing-sealed",
            Self::LeaseUnknown(..) => "lease-unknown",
            Self::ServerBehind(..) => "server-behind",
            Self::Refused(_) => "messages-refused",
            Self::NotShown(_) => "not-shown",
        }
    }

    /// Every name.
    pub const CODES: [&str; 7] = [
        "nobody-writes",
        "lease-not-renewed",
        "nothing-sealed",
        "lease-unknown",
        "server-behind",
        "messages-refused",
        "not-shown",
    ];
}

/// A reason in brackets, if there is one.
fn reason(why: String) -> String {
    if why.is_empty() { why } else { format!(" ({why})") }
}

impl Texts {
    /// Who writes a partition, or did before giving it up.
    #[must_use]
    pub fn holder(self, name: impl std::fmt::Display, released: bool) -> String {
        if released { self.fleet_stopped(name) } else { name.to_string() }
    }

    /// What needs an operator. `shown` makes a name from outside a piece of a line.
    #[must_use]
    pub fn site_trouble(self, what: &SiteTrouble, shown: impl Fn(&str) -> String) -> String {
        match what {
            SiteTrouble::NobodyWrites(number) => self.fleet_nobody_writes(number),
            SiteTrouble::NotRenewed(number, holder) => self.fleet_not_renewed(number, shown(holder)),
            SiteTrouble::NothingSealed(number, waiting) => {
                self.fleet_nothing_sealed(number, self.grouped(*waiting))
            }
            SiteTrouble::LeaseUnknown(number, why) => self.fleet_lease_unknown(number, reason(shown(why))),
            SiteTrouble::ServerBehind(stream, server) => self.fleet_server_trouble(stream, shown(server)),
            SiteTrouble::Refused(messages) => self.fleet_refused_wait(*messages),
            SiteTrouble::NotShown(why) => self.fleet_not_shown_now(reason(shown(why))),
        }
    }
}

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
    fleet_nobody() "no one yet" "nadie aún";
    fleet_not_known() "not known" "no se sabe";
    fleet_refused_wait[messages]()
        "{messages} message was refused and lies in the stream of refused messages; see why, correct the table system, and purge it"
        "se rechazó {messages} mensaje, que está en el flujo de mensajes rechazados; vea por qué, corrija el sistema de la mesa y vacíelo"
        / "{messages} messages were refused and lie in the stream of refused messages; see why, correct the table system, and purge it"
        "se rechazaron {messages} mensajes, que están en el flujo de mensajes rechazados; vea por qué, corrija el sistema de la mesa y vacíelo";
    fleet_stopped(holder) "no one; {holder} stopped" "nadie; {holder} paró";
    fleet_stream() "stream" "flujo";
    fleet_leader() "leader" "líder";
    fleet_messages() "messages" "mensajes";
    fleet_bytes() "bytes" "bytes";
    fleet_servers() "other servers" "otros servidores";
    fleet_server_current(name) "{name}: has everything" "{name}: lo tiene todo";
    fleet_server_behind(name, lag) "{name}: {lag} behind" "{name}: {lag} por detrás";
    fleet_server_gone(name) "{name}: does not answer" "{name}: no responde";
    fleet_nobody_writes(partition)
        "partition {partition}: no one writes it; start audit serve --from with --partition {partition}"
        "partición {partition}: nadie la escribe; arranque audit serve --from con --partition {partition}";
    fleet_not_renewed(partition, holder)
        "partition {partition}: {holder} gives no sign; another writer takes over if one waits, else start one"
        "partición {partition}: {holder} no da señales; otro escritor la asumirá si alguno espera; si no, arranque uno";
    fleet_nothing_sealed(partition, waiting)
        "partition {partition}: {waiting} messages wait and none was sealed between two looks; see what its writer says"
        "partición {partition}: esperan {waiting} mensajes y entre dos miradas no se selló ninguno; vea lo que dice su escritor";
    fleet_not_shown_now(why)
        "the servers do not say how the fleet is{why}; what is below is what they said last"
        "los servidores no dicen cómo está la flota{why}; lo que sigue es lo último que dijeron";
    desk_house() "Partitions" "Particiones";
    house_heading(site) "The partitions of {site}" "Las particiones de {site}";
    house_seen(seconds)
        "As the servers said {seconds} s ago. This page is of one writer; the others show the same."
        "Como dijeron los servidores hace {seconds} s. Esta página es de un escritor; los demás muestran lo mismo.";
    house_not_seen()
        "The servers have not been asked yet."
        "Aún no se ha preguntado a los servidores.";
    house_is_well()
        "Every partition has a writer, what waits is being sealed, and every server keeps up."
        "Cada partición tiene quien la escribe, lo que espera se va sellando y todos los servidores siguen el ritmo.";
    house_needs_somebody() "What needs attention" "Lo que requiere atención";
    house_streams() "Streams" "Flujos";
    house_own() "this page" "esta página";
    house_silence() "last sign, s" "última señal, s";
    house_flow() "Through this partition" "Por esta partición";
    flow_unknown() "nothing is known yet" "aún no se sabe nada";
    flow_flows() "messages flow" "los mensajes pasan";
    flow_refuses()
        "the stream does not store what is published"
        "el flujo no guarda lo que se publica";
    flow_does_not_deliver()
        "what the stream stores does not come"
        "lo que el flujo guarda no llega";
    flow_lease()
        "the lease cannot be renewed, so nothing is sealed"
        "el arriendo no se puede renovar, así que no se sella nada";
    fleet_lease_unknown(partition, why)
        "partition {partition}: its lease is not known{why}"
        "partición {partition}: no se conoce su arriendo{why}";
    fleet_server_trouble(stream, server)
        "{stream}: the server {server} does not keep up; if it is gone for good, replace it before a second one is"
        "{stream}: el servidor {server} no sigue el ritmo; si se perdió, sustitúyalo antes de que falte un segundo";
    fleet_sent[messages](events)
        "sent {events} in {messages} message"
        "se enviaron {events} en {messages} mensaje"
        / "sent {events} in {messages} messages"
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
        "{messages} message has no receipt: see audit fleet show, keep the file, and send it again; what this log holds is recognised"
        "{messages} mensaje no tiene acuse: vea audit fleet show, guarde el archivo y envíelo otra vez; lo que ya está en este registro se reconoce"
        / "{messages} messages have no receipt: see audit fleet show, keep the file, and send it again; what this log holds is recognised"
        "{messages} mensajes no tienen acuse: vea audit fleet show, guarde el archivo y envíelo otra vez; lo que ya está en este registro se reconoce";
    fleet_tries_again(why) "{why}; trying again" "{why}; se intenta otra vez";
    fleet_takes_nothing(why)
        "the servers store nothing of what is sent ({why})"
        "los servidores no guardan nada de lo que se envía ({why})";
}
