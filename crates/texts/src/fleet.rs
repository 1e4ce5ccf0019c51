//! The logs of one house, verified together: what contradicts what, and what is not shown.

use replay::fleet::{Contradiction, FleetPlace, OpenQuestion};

use crate::{Texts, texts};

impl Texts {
    /// Two statements of logs that cannot both be true. `shown` makes a name out of a log a piece of a line.
    #[must_use]
    pub fn contradiction(self, what: &Contradiction, shown: impl Fn(&str) -> String) -> String {
        let place = |place: &FleetPlace| self.fleet_place(place.entry, shown(&place.log));
        match what {
            Contradiction::Fork { log, size } => self.fleet_fork(shown(log), self.entries(*size)),
            Contradiction::OneName { log } => self.fleet_one_name(shown(log)),
            Contradiction::HandoverRefuted { log, predecessor, size } => {
                self.handover_refuted(shown(log), shown(predecessor), self.entries(*size))
            }
            Contradiction::HandoverNotSigned { log, predecessor, size } => {
                self.handover_not_signed(shown(log), shown(predecessor), self.entries(*size))
            }
            Contradiction::HandoverBeyond { log, predecessor, size, has } => {
                self.handover_beyond(shown(log), shown(predecessor), self.entries(*size), self.grouped(*has))
            }
            Contradiction::TwoSuccessors { predecessor, log, other } => {
                self.two_successors(shown(log), shown(other), shown(predecessor))
            }
            Contradiction::Cycle { logs } => {
                let logs: Vec<String> = logs.iter().map(|log| shown(log)).collect();
                self.fleet_cycle(self.listed(&logs))
            }
            Contradiction::ClosedOtherwise { log, size, predecessor, closed, successor } => {
                let (log, predecessor) = (shown(log), shown(predecessor));
                let (size, closed) = (self.entries(*size), self.entries(*closed));
                match successor {
                    Some(successor) => {
                        self.closed_for_another(log, size, predecessor, closed, shown(successor))
                    }
                    None => self.closed_at_another(log, size, predecessor, closed),
                }
            }
            Contradiction::TableInTwoLogs { table, first, second } => {
                self.table_in_two_logs(shown(table), place(first), place(second))
            }
            Contradiction::SealedOtherwise { table, sequence, first, second } => {
                self.sealed_otherwise(shown(table), sequence, place(first), place(second))
            }
            Contradiction::NotSealedAgain { table, sequence, first } => {
                self.not_sealed_again(shown(table), sequence, place(first))
            }
        }
    }

    /// What the logs given do not show, and what to do. `shown` makes a name out of a log a piece of a line.
    #[must_use]
    pub fn open_question(self, what: &OpenQuestion, shown: impl Fn(&str) -> String) -> String {
        match what {
            OpenQuestion::PredecessorMissing { log, predecessor, size } => {
                self.predecessor_missing(shown(log), shown(predecessor), self.entries(*size))
            }
            OpenQuestion::SuccessorMissing { log, successor: Some(successor) } => {
                self.successor_missing(shown(log), shown(successor))
            }
            OpenQuestion::SuccessorMissing { log, successor: None } => {
                self.some_successor_missing(shown(log))
            }
            OpenQuestion::HandoverNotShown { log, predecessor, size } => {
                self.handover_not_shown(shown(log), shown(predecessor), self.entries(*size))
            }
            OpenQuestion::CopyNotShown { log, size } => self.copy_not_shown(shown(log), self.entries(*size)),
            OpenQuestion::GivenUp { log, predecessor } => self.log_given_up(shown(log), shown(predecessor)),
            OpenQuestion::NotSealedAgainYet { table, sequence, first } => {
                let place = self.fleet_place(first.entry, shown(&first.log));
                self.not_sealed_again_yet(shown(table), sequence, place)
            }
            OpenQuestion::NotCompared { log, events } => {
                self.not_compared_behind(self.events(*events), shown(log))
            }
        }
    }
}

texts! {
    fleet_seals_hold[logs]() "every entry of {logs} log is as it was sealed" "cada entrada de {logs} registro está como se selló"
        / "every entry of {logs} logs is as it was sealed" "cada entrada de {logs} registros está como se selló";
    fleet_keys_stored[keys]()
        "; {keys} signature was checked against the key stored in the log itself; use --key with a key you obtained independently"
        "; {keys} firma se comprobó con la clave guardada en el propio registro; use --key con una clave obtenida por otro medio"
        / "; {keys} signatures were checked against keys stored in the logs themselves; use --key with keys you obtained independently"
        "; {keys} firmas se comprobaron con claves guardadas en los propios registros; use --key con claves obtenidas por otro medio";
    fleet_seals_broken[logs]() "the seal of {logs} log is broken" "el sello de {logs} registro está roto"
        / "the seals of {logs} logs are broken" "los sellos de {logs} registros están rotos";
    fleet_seals_unconfirmed[logs]()
        "the seal of {logs} log could not be confirmed" "el sello de {logs} registro no se ha podido confirmar"
        / "the seals of {logs} logs could not be confirmed" "los sellos de {logs} registros no se han podido confirmar";
    fleet_anchored()
        "every log extends a checkpoint given, or is continued by one that does"
        "cada registro continúa un punto de control dado, o lo continúa uno que lo hace";
    fleet_contradicted[contradictions]()
        "{contradictions} contradiction between logs"
        "{contradictions} contradicción entre registros"
        / "{contradictions} contradictions between logs"
        "{contradictions} contradicciones entre registros";
    fleet_not_anchored[logs]()
        "{logs} log does not extend a checkpoint given: its history was changed, cut or forked"
        "{logs} registro no continúa un punto de control dado: su historia se cambió, se cortó o se bifurcó"
        / "{logs} logs do not extend a checkpoint given: their histories were changed, cut or forked"
        "{logs} registros no continúan un punto de control dado: sus historias se cambiaron, se cortaron o se bifurcaron";
    fleet_anchor_missing[logs]()
        "of {logs} log no checkpoint kept elsewhere was given (--checkpoint FILE)"
        "de {logs} registro no se ha dado ningún punto de control guardado en otro lugar (--checkpoint ARCHIVO)"
        / "of {logs} logs no checkpoint kept elsewhere was given (--checkpoint FILE)"
        "de {logs} registros no se ha dado ningún punto de control guardado en otro lugar (--checkpoint ARCHIVO)";
    fleet_open[questions]()
        "{questions} question is open, see below" "queda {questions} cuestión abierta, véase abajo"
        / "{questions} questions are open, see below" "quedan {questions} cuestiones abiertas, véanse abajo";
    fleet_not_whole()
        "the logs given do not show all of the history"
        "los registros dados no muestran toda la historia";
    fleet_logs[logs]() "{logs} log" "{logs} registro" / "{logs} logs" "{logs} registros";
    fleet_chains[chains]() "in {chains} chain" "en {chains} cadena" / "in {chains} chains" "en {chains} cadenas";
    fleet_log_line(log, entries, tables, intact, anchored)
        "{log}: {entries}, {tables}; intact {intact}, anchored {anchored}"
        "{log}: {entries}, {tables}; íntegro {intact}, continúa {anchored}";
    fleet_history(entries, history)
        "{entries} ({history} of them in the history)"
        "{entries} ({history} de ellas en la historia)";
    fleet_arrow(history, log) " -> at {history} -> {log}" " -> a las {history} -> {log}";
    fleet_before_it() "... -> " "... -> ";
    fleet_behind_it() " -> ..." " -> ...";
    fleet_chain_verdicts(complete, certified)
        "complete {complete}, certified {certified}"
        "completo: {complete}, certificado: {certified}";
    fleet_chain_not_judged() "its play is not judged" "su juego no se juzga";
    fleet_contradictions() "contradictions between logs" "contradicciones entre registros";
    fleet_not_shown() "not shown by the logs given" "lo que no muestran los registros dados";
    fleet_sealed_twice(events)
        "{events} sealed after a handover and again, the same, in the later log"
        "{events} sellados después de un relevo y otra vez, iguales, en el registro posterior";
    fleet_in_log(log) "in the log {log}" "en el registro {log}";
    fleet_entry_elsewhere(entry, log) "entry {entry} is in the log {log}" "la entrada {entry} está en el registro {log}";
    fleet_place(entry, log) "entry {entry} of {log}" "la entrada {entry} de {log}";

    fleet_fork(log, size)
        "{log} was forked: two copies have other entries among the first {size}, and its key signed both"
        "{log} se bifurcó: dos copias difieren en sus primeras {size}, y su clave firmó las dos";
    fleet_one_name(log)
        "two logs have the name {log}, signed by different keys: somebody else made one of them, or one is made up; use --key with the key that the house published"
        "dos registros tienen el nombre {log}, firmados con claves distintas: uno lo hizo otra persona o es inventado; use --key con la clave que publicó la casa";
    handover_refuted(log, predecessor, size)
        "{log} continues {predecessor} from a checkpoint of {size} that the key of {predecessor} signed, and the copy given has other entries: its history was changed or forked"
        "{log} continúa {predecessor} desde un punto de control de {size} que firmó la clave de {predecessor}, y la copia dada tiene otras entradas: su historia se cambió o se bifurcó";
    handover_not_signed(log, predecessor, size)
        "{log} says that it continues {predecessor} from a checkpoint of {size} that no key of {predecessor} signed"
        "{log} dice que continúa {predecessor} desde un punto de control de {size} que no firmó ninguna clave de {predecessor}";
    handover_beyond(log, predecessor, size, has)
        "{log} continues {predecessor} from a checkpoint of {size} that its key signed, and the copy given has {has}: it is an older copy, or its end was cut off"
        "{log} continúa {predecessor} desde un punto de control de {size} que firmó su clave, y la copia dada tiene {has}: es una copia más antigua, o se le ha cortado el final";
    two_successors(log, other, predecessor)
        "{log} and {other} both continue {predecessor}, and both hold play: there are two histories, and each is judged by itself"
        "{log} y {other} continúan {predecessor}, y los dos contienen juego: hay dos historias, y cada una se juzga por separado";
    fleet_cycle(logs)
        "{logs} continue each other in a circle; each is judged by itself"
        "{logs} se continúan unos a otros en círculo; cada uno se juzga por separado";
    closed_for_another(log, size, predecessor, closed, successor)
        "{log} continues {predecessor} after {size}, and {predecessor} was closed after {closed} for {successor}"
        "{log} continúa {predecessor} tras {size}, y {predecessor} se cerró tras {closed} para {successor}";
    closed_at_another(log, size, predecessor, closed)
        "{log} continues {predecessor} after {size}, and {predecessor} was closed after {closed} with another root or size"
        "{log} continúa {predecessor} tras {size}, y {predecessor} se cerró tras {closed} con otra raíz u otro tamaño";
    table_in_two_logs(table, first, second)
        "table {table} is in two logs that do not continue each other: first in {first}, and in {second}; its play is judged in both"
        "la mesa {table} está en dos registros que no se continúan: primero en {first}, y en {second}; su juego se juzga en los dos";
    sealed_otherwise(table, sequence, first, second)
        "event {sequence} of table {table} was sealed in {first} after the handover, and {second} has another event under that number"
        "el suceso {sequence} de la mesa {table} se selló en {first} después del relevo, y {second} tiene otro suceso con ese número";
    not_sealed_again(table, sequence, first)
        "event {sequence} of table {table} was sealed in {first} after the handover; the later log does not contain it"
        "el suceso {sequence} de la mesa {table} se selló en {first} después del relevo; el registro posterior no lo contiene";

    predecessor_missing(log, predecessor, size)
        "{log} continues {predecessor} from its first {size}; give that log as well"
        "{log} continúa {predecessor} desde sus primeras {size}; dé también ese registro";
    successor_missing(log, successor)
        "{log} is closed, and {successor} continues it; give that log as well"
        "{log} está cerrado, y lo continúa {successor}; dé también ese registro";
    some_successor_missing(log)
        "{log} is closed; give the log that continues it as well"
        "{log} está cerrado; dé también el registro que lo continúa";
    handover_not_shown(log, predecessor, size)
        "whether {predecessor} extends the checkpoint of {size} from which {log} continues it cannot be shown with this copy"
        "con esta copia no se puede mostrar si {predecessor} continúa el punto de control de {size} desde el que lo continúa {log}";
    copy_not_shown(log, size)
        "whether the copy of {log} with {size} is the beginning of the other copy cannot be shown"
        "no se puede mostrar si la copia de {log} con {size} es el comienzo de la otra copia";
    log_given_up(log, predecessor)
        "{log} continues {predecessor}, which another log continues, and holds no play: it was given up"
        "{log} continúa {predecessor}, que continúa otro registro, y no contiene juego: se abandonó";
    not_sealed_again_yet(table, sequence, place)
        "event {sequence} of table {table} was sealed in {place} after the handover, and no later log has it yet"
        "el suceso {sequence} de la mesa {table} se selló en {place} después del relevo, y ningún registro posterior lo tiene aún";
    not_compared_behind(events, log)
        "{events} sealed in {log} after the handover cannot be compared with the later logs"
        "{events} sellados en {log} después del relevo no se pueden comparar con los registros posteriores";

    fleet_key_of_none(key, logs)
        "--key: the key is of the log {key}, which is not one of those given: {logs}"
        "--key: la clave es del registro {key}, que no es ninguno de los dados: {logs}";
    fleet_two_keys(log)
        "--key: two keys of the log {log} are given; give the one that you obtained independently"
        "--key: se han dado dos claves del registro {log}; dé la que obtuvo por otro medio";
    fleet_checkpoint_of_none(file, log, logs)
        "--checkpoint {file}: the checkpoint is of the log {log}, which is not one of those given: {logs}"
        "--checkpoint {file}: el punto de control es del registro {log}, que no es ninguno de los dados: {logs}";
    fleet_needs_seals(log)
        "{log} has no signed checkpoint, so nothing says which log it is; give a log's folder, an archive or a served log's URL"
        "{log} no tiene ningún punto de control firmado, así que nada dice qué registro es; dé la carpeta de un registro, un archivo o la URL de un registro servido";
    fleet_log_changed(log)
        "{log} changed while it was read; verify again, on a copy that no one writes"
        "{log} cambió mientras se leía; verifique de nuevo, con una copia en la que nadie escriba";
}
