//! The four verdicts and why each is what it is.

use replay::IntactUnknown;

use crate::{Texts, texts};

/// One of the four questions about a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Whether every byte is as it was sealed.
    Intact,
    /// Whether the log extends what others have kept of it.
    Anchored,
    /// Whether nothing is missing from the tables' numbering.
    Complete,
    /// Whether every coup was re-derived and agrees with the record.
    Certified,
}

impl Texts {
    /// A question in a word.
    #[must_use]
    pub const fn question(self, question: Question) -> &'static str {
        match question {
            Question::Intact => self.language().of("intact", "íntegro"),
            Question::Anchored => self.language().of("anchored", "continúa"),
            Question::Complete => self.language().of("complete", "completo"),
            Question::Certified => self.language().of("certified", "certificado"),
        }
    }

    /// The answer to one of the four questions, in a word.
    #[must_use]
    pub const fn verdict(self, verdict: replay::Verdict) -> &'static str {
        match verdict {
            replay::Verdict::Yes => self.language().of("yes", "sí"),
            replay::Verdict::No => "no",
            replay::Verdict::Unknown => self.language().of("unknown", "no se sabe"),
        }
    }

    /// Why the seal is neither shown to be intact nor broken.
    #[must_use]
    pub const fn intact_unknown(self, why: IntactUnknown) -> &'static str {
        let spanish = match why {
            IntactUnknown::NotReadToEnd => "el registro no se leyó hasta el final",
            IntactUnknown::NoCheckpoint => "las entradas no vienen con ningún punto de control firmado",
            IntactUnknown::NoKey => {
                "falta una clave legible con la que comprobar la firma del punto de control"
            }
            IntactUnknown::KeyOfAnotherLog => "la clave dada es de otro registro",
            IntactUnknown::NoticeUnknown => {
                "un aviso del propio registro es de una clase que este programa no conoce; quizá la conozca una versión más nueva"
            }
            IntactUnknown::NotCompared => {
                "hay demasiadas entradas para comparar cada una con los avisos de contenidos borrados"
            }
            IntactUnknown::NoSeal => "no hay sello: nada queda probado",
        };
        self.language().of(why.as_str(), spanish)
    }

    /// Why a log is not shown to be intact, where no fault was found.
    #[must_use]
    pub fn why_not_intact(self, why: Option<IntactUnknown>) -> String {
        why.map_or_else(|| self.seal_not_checked(), |why| self.intact_unknown(why).to_owned())
    }
}

texts! {
    seal_holds(here, beyond, key)
        "{here} is as it was sealed{beyond}; signature checked against {key}"
        "{here} está como se selló{beyond}; firma comprobada con {key}";
    every_entry() "every entry" "cada entrada";
    every_entry_present() "every entry present" "cada entrada presente";
    key_given() "the key you gave" "la clave que usted ha dado";
    key_stored()
        "the key stored in the log itself; use --key with a key you obtained independently"
        "la clave guardada en el propio registro; use --key con una clave obtenida por otro medio";
    beyond_checkpoint[entries]()
        "; no signature covers {entries} entry after the newest checkpoint"
        "; ninguna firma cubre {entries} entrada posterior al último punto de control"
        / "; no signature covers {entries} entries after the newest checkpoint"
        "; ninguna firma cubre {entries} entradas posteriores al último punto de control";
    faults_in_seal[faults]() "{faults} fault in the seal" "{faults} defecto en el sello"
        / "{faults} faults in the seal" "{faults} defectos en el sello";
    signed_by_another(given, signers)
        "the newest checkpoint is not signed by the key you gave (id {given}) but by {signers}, of the same name: somebody else signed the log, or your key is another or an older one; compare it with the one the operator published"
        "el último punto de control no está firmado por la clave que usted ha dado (id {given}), sino por {signers}, del mismo nombre: el registro lo firmó otro, o su clave es otra o una anterior; compárela con la que publicó el operador";
    not_shown() "not shown" "no se ha demostrado";

    extends_every_checkpoint()
        "the log extends every checkpoint given"
        "el registro continúa cada punto de control dado";
    not_extended()
        "the log does not extend a given checkpoint: its history was changed, cut or forked"
        "el registro no continúa un punto de control dado: su historia se cambió, se cortó o se bifurcó";
    checkpoint_of_another_key()
        "the checkpoint given and this log are signed by two keys of one name: somebody else may have signed the log or the checkpoint; the key you obtained independently (--key) shows which"
        "el punto de control dado y este registro están firmados por dos claves con un mismo nombre: puede que otro firmara el registro o el punto de control; la clave que usted obtuvo por otro medio (--key) muestra cuál";
    checkpoint_not_by_the_key_given()
        "the checkpoint given is not signed by the key you gave either"
        "el punto de control dado tampoco está firmado por la clave que usted ha dado";
    invalid_checkpoint(sizes)
        "the signature of the checkpoint given of {sizes} entries is not valid under your key: that file was altered, or the key is another one; this says nothing about the log: look for another copy of the checkpoint"
        "la firma del punto de control dado de {sizes} entradas no es válida con su clave: se alteró ese archivo, o la clave es otra; del registro no dice nada: busque otra copia del punto de control";
    invalid_checkpoint_carried(sizes)
        "the signature of the checkpoint given of {sizes} entries is not valid under the key stored in the log: that file was altered, or the log's key is not the one that signed it; verify again with --key and a key you obtained independently"
        "la firma del punto de control dado de {sizes} entradas no es válida con la clave guardada en el registro: se alteró ese archivo, o la clave del registro no es la que lo firmó; verifique de nuevo con --key y una clave obtenida por otro medio";
    older_copy(copy, checkpoint)
        "this copy has {copy} entries, the checkpoint you gave {checkpoint}: it is an older copy of the log, its end was cut off, or it is another history"
        "esta copia tiene {copy} entradas y el punto de control que usted ha dado {checkpoint}: es una copia más antigua del registro, se le ha cortado el final o es otra historia";
    of_another_log()
        "the given key or checkpoint belongs to another log"
        "la clave o el punto de control dados son de otro registro";
    slice_anchored()
        "a slice can only be compared with its own checkpoint (for others use audit verify checkpoint)"
        "un extracto solo se puede comparar con su propio punto de control (para otros use audit verify checkpoint)";
    no_checkpoint_given()
        "no checkpoint kept elsewhere was given (--checkpoint FILE)"
        "no se ha dado ningún punto de control guardado en otro lugar (--checkpoint ARCHIVO)";
    policy_rejects(size, why)
        "the witness policy rejects the checkpoint of {size} entries: {why}"
        "la política de testigos rechaza el punto de control de {size} entradas: {why}";
    enough_witnesses(size)
        "the log extends a checkpoint of {size} entries that enough witnesses signed"
        "el registro continúa un punto de control de {size} entradas que firmaron bastantes testigos";
    policy_without_log()
        "the witness policy does not list this log"
        "la política de testigos no incluye este registro";
    too_few_witnesses(signed, all)
        "too few witnesses signed: {signed} of {all}"
        "firmaron muy pocos testigos: {signed} de {all}";

    no_gap[tables]() "no gap in the numbering of {tables} table" "sin saltos en la numeración de {tables} mesa"
        / "no gap in the numbering of {tables} tables" "sin saltos en la numeración de {tables} mesas";
    events_missing[events]()
        "{events} event missing from the tables' numbering" "falta {events} suceso en la numeración de las mesas"
        / "{events} events missing from the tables' numbering" "faltan {events} sucesos en la numeración de las mesas";
    coups_not_recorded()
        "the record of a shoe begins later than the shoe, or leaves out coups"
        "el registro de un sabot empieza más tarde que el sabot, o se salta jugadas";
    slice_complete()
        "a slice cannot show that nothing is missing, or that no later entry changes what it shows"
        "un extracto no puede demostrar que no falte nada, ni que ninguna entrada posterior cambie lo que muestra";
    withheld_unchecked()
        "the content of withheld entries cannot be checked"
        "el contenido de las entradas retenidas no se puede comprobar";
    begins_in_another()
        "the log continues another one, which is not here; audit verify fleet verifies both together"
        "el registro continúa otro, que no está aquí; audit verify fleet verifica los dos juntos";
    log_empty() "the log is empty" "el registro está vacío";
    repeated_too_late()
        "events were repeated too late to be compared"
        "se repitieron sucesos demasiado tarde para compararlos";
    cannot_be_judged[entries]() "{entries} entry cannot be judged" "{entries} entrada no se puede juzgar"
        / "{entries} entries cannot be judged" "{entries} entradas no se pueden juzgar";
    seal_broken() "the seal is broken" "el sello está roto";
    seal_unconfirmed() "the seal could not be confirmed" "el sello no se ha podido confirmar";
    all_agree[coups](here)
        "the only coup{here} was re-derived and agrees with the record"
        "la única jugada{here} se ha recalculado y coincide con el registro"
        / "all {coups} coups{here} were re-derived and agree with the record"
        "las {coups} jugadas{here} se han recalculado y coinciden con el registro";
    of_this_slice() " of this slice" " de este extracto";
    violations[violations]() "{violations} violation" "{violations} infracción"
        / "{violations} violations" "{violations} infracciones";
    gaps[gaps]() "{gaps} incompleteness" "{gaps} incompleto"
        / "{gaps} incompletenesses" "{gaps} incompletos";
    no_coup() "the log holds no coup" "el registro no contiene ninguna jugada";
    findings_erased()
        "there were findings in entries that are erased"
        "hubo hallazgos en entradas que se han borrado";
    coups_and_shoes_undecided(coups, shoes)
        "{coups} and {shoes} undecided"
        "{coups} y {shoes} sin decidir";
}
