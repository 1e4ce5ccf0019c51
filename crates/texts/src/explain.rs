//! What stands behind a code or a reason: how the judge comes to it, and what an inspector does next.
//!
//! Every code and every reason is named in a match, so a new one is not forgotten. Codes share a sentence where the
//! same thing is done for them.

pub(crate) mod judged;
pub(crate) mod next;

use crate::texts;

texts! {
    code_heading(code, weight) "{code} ({weight})" "{code} ({weight})";
    reason_heading(reason) "{reason} (why something is undecided)" "{reason} (por qué algo queda sin decidir)";
    clause_label(clause)
        "clause: {clause}; the finding names the rulebook and the paragraph, audit rules show prints them"
        "cláusula: {clause}; el hallazgo nombra el reglamento y el párrafo, audit rules show los imprime";
    clause_none()
        "clause: no single one; how it is judged says what the record is compared with"
        "cláusula: ninguna en particular; cómo se juzga dice con qué se compara lo registrado";
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
    not_kept_invalid(file)
        "{file} was not written: the signature of a given checkpoint is not valid, so the log was not compared with it"
        "{file} no se escribió: la firma de un punto de control dado no es válida, y el registro no se ha comparado con él";
    not_kept_of_another(file)
        "{file} was not written: a given checkpoint is of another log, so this log was not compared with it"
        "{file} no se escribió: un punto de control dado es de otro registro, y este no se ha comparado con él";
    not_kept_other_log(file, given, log)
        "{file} holds a checkpoint of the log {given}, not of {log}; give another file"
        "{file} contiene un punto de control del registro {given}, no de {log}; dé otro archivo";
    not_kept_newer(file, kept, size)
        "{file} holds a checkpoint of {kept} entries, and this log has {size}: a newer one is not replaced by an older one"
        "{file} contiene un punto de control de {kept} entradas, y este registro tiene {size}: uno más nuevo no se sustituye por uno más antiguo";
    not_kept_not_a_checkpoint(file)
        "{file} exists and holds no checkpoint; give another file"
        "{file} existe y no contiene ningún punto de control; dé otro archivo";
    not_kept_not_compared(file)
        "{file} was not written: the log could not be compared with every checkpoint given or with the one in that file"
        "{file} no se escribió: el registro no se pudo comparar con todos los puntos de control dados o con el de ese archivo";
    archive_on_standard_input() "standard input" "la entrada estándar";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use replay::{Code, Reason};

    use crate::{Language, Texts};

    #[test]
    fn every_code_and_every_reason_is_explained_and_most_in_words_of_their_own() {
        let [english, spanish] = Language::ALL.map(Texts::of);
        let (mut judged, mut next) = (BTreeSet::new(), BTreeSet::new());
        for code in Code::ALL {
            assert_ne!(english.how_judged(*code), spanish.how_judged(*code), "{code}");
            assert_ne!(english.what_next(*code), spanish.what_next(*code), "{code}");
            judged.insert(spanish.how_judged(*code));
            next.insert(spanish.what_next(*code));
        }
        for reason in Reason::ALL {
            assert_ne!(
                english.what_next_undecided(*reason),
                spanish.what_next_undecided(*reason),
                "{reason}"
            );
        }
        assert!(judged.len() >= 60 && next.len() >= 27, "{} and {}", judged.len(), next.len());
    }

    /// What is done about one of these is of no use for the other, though a rulebook has them in one clause or in none.
    #[test]
    fn what_is_judged_otherwise_is_explained_otherwise() {
        let text = Texts::of(Language::Spanish);
        for (one, other) in [
            (Code::CommissionWrong, Code::CommissionUncollected),
            (Code::PayoutUnder, Code::VoidStakeKept),
            (Code::PayoutUnder, Code::BetNotSettled),
            (Code::ShoeSurplusCard, Code::ShoePosition),
            (Code::PuntoStood, Code::ThirdCardUnseen),
            (Code::BetLate, Code::BetCorrectedLate),
            (Code::SequenceGap, Code::SequenceLate),
            (Code::SequenceLate, Code::SequenceConflict),
            (Code::CardRemoved, Code::CoupNumber),
            (Code::CorrectionTarget, Code::SameSigner),
            (Code::TimeBackwards, Code::RecordedLate),
            (Code::BankTurn, Code::BankWrong),
        ] {
            assert_ne!(text.how_judged(one), text.how_judged(other), "{one} {other}");
        }
        for (one, other) in [(Reason::CardUnread, Reason::Voided), (Reason::Voided, Reason::Corrected)] {
            assert_ne!(text.what_next_undecided(one), text.what_next_undecided(other), "{one} {other}");
        }
    }
}
