//! What stands behind a code or a reason: how the judge comes to it, and what an inspector does next.

use baccarat::Clause;
use replay::{Code, Reason, Severity};

use crate::{Texts, texts};

impl Texts {
    /// How the judge comes to a finding of this code.
    #[must_use]
    pub fn how_judged(self, code: Code) -> String {
        match code.clause() {
            None => self.judged_by_the_record(),
            Some(Clause::Shoe) => self.judged_by_the_shoe(),
            Some(Clause::CutCard) => self.judged_by_the_cut_card(),
            Some(Clause::Burn) => self.judged_by_the_burn(),
            Some(Clause::Deal) => self.judged_by_the_deal(),
            Some(Clause::Tableau | Clause::Naturals | Clause::Chart) => self.judged_by_the_tableau(),
            Some(Clause::CardValues) => self.judged_by_the_values(),
            Some(Clause::Seats) => self.judged_by_the_seats(),
            Some(Clause::Limits | Clause::ForbiddenPairs) => self.judged_by_the_limits(),
            Some(Clause::Commission) => self.judged_by_the_commission(),
            Some(Clause::Bet(_) | Clause::Settlement) => self.judged_by_the_payouts(),
            Some(Clause::Betting) => self.judged_by_the_close(),
            Some(Clause::Clock) => self.judged_by_the_clock(),
            Some(Clause::Rulings | Clause::Irregularity(_)) => self.judged_by_the_rulings(),
            Some(
                Clause::Players
                | Clause::Bank
                | Clause::Turn
                | Clause::Banco
                | Clause::FreePlay
                | Clause::Garaje
                | Clause::Abonos,
            ) => self.judged_by_the_bank(),
        }
    }

    /// What an inspector does next with a finding of this code.
    #[must_use]
    pub fn what_next(self, code: Code) -> String {
        match (code.severity(), code.clause()) {
            (Severity::Incomplete, _) => self.next_ask_for_the_rest(),
            (Severity::Violation, None) => self.next_compare_the_records(),
            (Severity::Violation, Some(Clause::Bet(_) | Clause::Settlement | Clause::Commission)) => {
                self.next_follow_the_money()
            }
            (Severity::Violation, Some(Clause::Rulings | Clause::Irregularity(_))) => {
                self.next_hear_the_signers()
            }
            (Severity::Violation, Some(_)) => self.next_see_the_coup(),
        }
    }

    /// What an inspector does next where something is undecided for this reason.
    #[must_use]
    pub fn what_next_undecided(self, reason: Reason) -> String {
        match reason {
            Reason::EventsMissing | Reason::LeftOut | Reason::EntryUnreadable => self.next_ask_for_the_rest(),
            Reason::PayloadWithheld => self.next_ask_for_the_payload(),
            Reason::EventUnknown | Reason::RulebookUnreadable => self.next_newer_program(),
            Reason::RulebookMissing | Reason::RulebookUnapproved => self.next_ask_for_the_rulebook(),
            Reason::NotSettledYet | Reason::NotEndedYet | Reason::NotCollectedYet => self.next_verify_later(),
            Reason::ShoeMissing
            | Reason::LimitsUnknown
            | Reason::CardUnread
            | Reason::SuitUnread
            | Reason::Voided
            | Reason::Ruled
            | Reason::Corrected
            | Reason::RuleSilent
            | Reason::PlayersNotCounted
            | Reason::PlayerUnnamed
            | Reason::BurnNotRecorded
            | Reason::DealNotRecorded
            | Reason::HolderNotRecorded => self.next_other_evidence(),
        }
    }
}

texts! {
    code_heading(code, weight) "{code} ({weight})" "{code} ({weight})";
    reason_heading(reason) "{reason} (why something is undecided)" "{reason} (por qué algo queda sin decidir)";
    clause_label(clause)
        "clause: {clause}; the finding names the rulebook and the paragraph, audit rules show prints them"
        "cláusula: {clause}; el hallazgo nombra el reglamento y el párrafo, audit rules show los imprime";
    clause_none()
        "clause: none; the record contradicts itself, whatever the rulebook says"
        "cláusula: ninguna; el registro se contradice a sí mismo, diga lo que diga el reglamento";
    judged_label(how) "how it is judged: {how}" "cómo se juzga: {how}";
    next_label(next) "what to do next: {next}" "qué hacer después: {next}";
    example_label() "an example to look at:" "un ejemplo que mirar:";
    findings_list() "findings" "hallazgos";
    reasons_list() "reasons why something is undecided" "motivos por los que algo queda sin decidir";
    weight_heading() "weight" "peso";
    code_column() "code" "código";
    reason_column() "reason" "motivo";
    meaning_column() "what happened" "qué ocurrió";
    reason_meaning_column() "meaning" "significado";
    not_explained(what)
        "`{what}` is neither a finding's code nor a reason; audit explain lists them all"
        "`{what}` no es un código de hallazgo ni un motivo; audit explain los enumera todos";

    judged_by_the_record()
        "the events of the table are read in their order; numbers, names and labels must fit together, and an event may only refer to what was recorded before it"
        "se leen los sucesos de la mesa en su orden; números, nombres y etiquetas deben concordar, y un suceso solo puede referirse a lo que se registró antes";
    judged_by_the_shoe()
        "every card that comes out is counted against the decks that were loaded; no card can come out more often than they hold it, and what is left must be the rest"
        "cada carta que sale se cuenta contra las barajas que se cargaron; ninguna puede salir más veces de las que la contienen, y lo que queda debe ser el resto";
    judged_by_the_cut_card()
        "the position of every card is counted on from the first; the cut card lies where the shoe was loaded with it, and the rulebook says which coup is then the last"
        "se cuenta la posición de cada carta desde la primera; la carta de detención está donde se puso al cargar el sabot, y el reglamento dice qué jugada es entonces la última";
    judged_by_the_burn()
        "the rulebook says how many cards are burned, often from the first card; the recorded burn is counted before the first coup"
        "el reglamento dice cuántas cartas se queman, a menudo según la primera; la quema registrada se cuenta antes de la primera jugada";
    judged_by_the_deal()
        "the rulebook says in which order the first four cards fall, who deals and who holds punto's cards; each is derived from the seats and the bets"
        "el reglamento dice en qué orden caen las cuatro primeras cartas, quién reparte y quién lleva las cartas del punto; cada cosa se deriva de los departamentos y las apuestas";
    judged_by_the_tableau()
        "both totals are computed from the cards; the tableau of the rulebook says whether a third card is drawn, by the total and, for banca, by the value of punto's third card. audit show coup prints each step"
        "ambas puntuaciones se calculan de las cartas; el cuadro del reglamento dice si se pide tercera carta, según los puntos y, para la banca, según el valor de la tercera carta del punto. audit show coup muestra cada paso";
    judged_by_the_values()
        "totals and winner are computed from the cards, never taken from what was announced, and then compared with it"
        "las puntuaciones y la mano ganadora se calculan de las cartas, nunca se toman de lo anunciado, y después se comparan con ello";
    judged_by_the_seats()
        "the seats are those of the rulebook and of the table's opening; who sits where follows from the recorded arrivals and departures"
        "los departamentos son los del reglamento y los de la apertura de la mesa; quién se sienta dónde se sigue de las llegadas y salidas registradas";
    judged_by_the_limits()
        "the bets of one player on one thing are added up at the close and compared with the limits that were in force at the table"
        "las apuestas de un jugador a una misma cosa se suman al «no va más» y se comparan con los límites vigentes en la mesa";
    judged_by_the_commission()
        "the commission on each winning bet is computed by the rulebook's rate and rounding; boxes are added up by shoe and seat. audit show commission prints them"
        "la comisión de cada apuesta ganadora se calcula con el tipo y el redondeo del reglamento; las casillas se suman por sabot y departamento. audit show commission las muestra";
    judged_by_the_payouts()
        "what each bet returns is computed from the cards by the rulebook's paytable and compared, bet by bet, with what was recorded"
        "lo que devuelve cada apuesta se calcula de las cartas con la tabla de pagos del reglamento y se compara, apuesta por apuesta, con lo registrado";
    judged_by_the_close()
        "after «no va más» or the first card nothing may be bet, taken back or changed; the order of the events decides"
        "después del «no va más» o de la primera carta no se puede apostar, retirar ni cambiar nada; decide el orden de los sucesos";
    judged_by_the_clock()
        "the times of the table's events may go back, run ahead of the log or arrive late by no more than the rulebook allows"
        "las horas de los sucesos de la mesa no pueden retroceder, adelantarse al registro ni llegar tarde más de lo que permite el reglamento";
    judged_by_the_rulings()
        "whether a ruling was right cannot be derived; who signed it and whether its consequence followed can"
        "si una resolución fue acertada no se puede derivar; sí quién la firmó y si se siguió su consecuencia";
    judged_by_the_bank()
        "who has the bank, what it holds and whose turn it is are followed coup by coup from the opening of the table; each call and each sum is compared with that account"
        "quién tiene la banca, cuánto contiene y de quién es el turno se siguen jugada a jugada desde la apertura de la mesa; cada petición y cada cantidad se compara con esa cuenta";

    next_see_the_coup()
        "look at the coup with audit show coup, compare it with the video and the table sheet, and take a proof of it along: audit prove coup"
        "mire la jugada con audit show coup, compárela con el vídeo y la hoja de mesa, y llévese una prueba: audit prove coup";
    next_follow_the_money()
        "the finding says which seat got how much too much or too little; look at the bets with audit show coup, ask whether the sum was put right, and take a proof along: audit prove coup"
        "el hallazgo dice qué departamento recibió cuánto de más o de menos; mire las apuestas con audit show coup, pregunte si la cantidad se regularizó y llévese una prueba: audit prove coup";
    next_compare_the_records()
        "ask the operator for the table system's own record of these events and compare the two; take a proof of the entry along: audit prove entry"
        "pida al operador el registro propio del sistema de la mesa para estos sucesos y compare los dos; llévese una prueba de la entrada: audit prove entry";
    next_hear_the_signers()
        "hear who signed and who should have; the names stand in the event that the finding names"
        "oiga a quien firmó y a quien debió firmar; los nombres están en el suceso que el hallazgo señala";
    next_ask_for_the_rest()
        "ask for a complete copy of the log and verify it against the checkpoint of your last visit; what is missing there too is missing from the record"
        "pida una copia completa del registro y verifíquela con el punto de control de su última visita; lo que también falte allí falta en el registro";
    next_ask_for_the_payload()
        "ask for a copy that does not withhold it; where it was erased, the notice in the log says who ordered it and why"
        "pida una copia que no lo retenga; si se borró, el aviso del registro dice quién lo ordenó y por qué";
    next_newer_program()
        "verify the log with a newer version of this program"
        "verifique el registro con una versión más nueva de este programa";
    next_ask_for_the_rulebook()
        "ask which rulebook the table was licensed for, and why it was opened without it"
        "pregunte con qué reglamento estaba autorizada la mesa y por qué se abrió sin él";
    next_verify_later()
        "nothing is wrong: verify again once the shoe is over"
        "no hay nada malo: verifique de nuevo cuando termine el sabot";
    next_other_evidence()
        "the log alone cannot decide this; look at the coup with audit show coup and decide it by the video or the table sheet"
        "el registro solo no puede decidirlo; mire la jugada con audit show coup y decídalo con el vídeo o la hoja de mesa";

    cited_rules() "the rules cited" "las reglas citadas";
    rule_heading(clause, rulebook) "{clause} of {rulebook}" "{clause} de {rulebook}";
    no_passage() "(the rulebook does not quote the passage)" "(el reglamento no cita el pasaje)";
    all_findings_counted(found)
        "audit verify log counts the same: {found}"
        "audit verify log cuenta lo mismo: {found}";
    beside_coups_row() "(no coup)" "(sin jugada)";
    unsealed_note(file)
        "{file} is a file of events without a seal: they are judged, but nothing is proven; entry N is the Nth event of the file, counted from 0"
        "{file} es un archivo de sucesos sin sello: se juzgan, pero nada queda probado; la entrada N es el suceso N del archivo, contando desde 0";
    checkpoint_kept(file, size)
        "checkpoint of {size} entries kept in {file}; bring it along to the next visit (--checkpoint)"
        "punto de control de {size} entradas guardado en {file}; tráigalo en la próxima visita (--checkpoint)";
    not_kept_not_intact(file)
        "{file} was not written: the log is not shown to be intact"
        "{file} no se escribió: no se ha demostrado que el registro esté íntegro";
    not_kept_not_anchored(file)
        "{file} was not written: the log does not extend a given checkpoint"
        "{file} no se escribió: el registro no continúa un punto de control dado";
    not_kept_other_log(file, given, log)
        "{file} holds a checkpoint of the log {given}, not of {log}; give another file"
        "{file} contiene un punto de control del registro {given}, no de {log}; dé otro archivo";
    not_kept_newer(file, kept, size)
        "{file} holds a checkpoint of {kept} entries, and this log has {size}: a newer one is not replaced by an older one"
        "{file} contiene un punto de control de {kept} entradas, y este registro tiene {size}: uno más nuevo no se sustituye por uno más antiguo";
    not_kept_not_a_checkpoint(file)
        "{file} exists and holds no checkpoint; give another file"
        "{file} existe y no contiene ningún punto de control; dé otro archivo";
    not_kept_not_extended(file, kept)
        "{file} holds a checkpoint of {kept} entries that this log was not compared with; give it as --checkpoint as well"
        "{file} contiene un punto de control de {kept} entradas con el que este registro no se ha comparado; delo también con --checkpoint";
    archive_on_standard_input() "standard input" "la entrada estándar";
}
