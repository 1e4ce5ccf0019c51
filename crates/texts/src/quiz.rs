//! What a trainee is asked and told.

use replay::CoupView;

use crate::{Texts, texts};

texts! {
    quiz_heading(coups, rulebook, seed)
        "{coups} under {rulebook}, seed {seed}. Some have a fault. Returned sums include the stake; audit rules show {rulebook} prints the rules"
        "{coups} según {rulebook}, semilla {seed}. Algunas tienen un defecto. Los importes devueltos incluyen lo apostado; audit rules show {rulebook} imprime las reglas";
    quiz_question(number, of) "question {number} of {of}" "pregunta {number} de {of}";
    quiz_place(table, shoe, coup) "table {table}, shoe {shoe}, coup {coup}" "mesa {table}, sabot {shoe}, jugada {coup}";
    announced_label() "announced" "anunciado";
    quiz_right_or_wrong() "right or wrong? (r/w)" "¿bien o mal? (b/m)";
    quiz_which(choices) "what is wrong? (1 to {choices})" "¿qué está mal? (1 a {choices})";
    quiz_no_answer() "that is not one of the answers" "esa no es ninguna de las respuestas";
    quiz_no_answers(lines)
        "{lines} lines in a row were no answer; answer r or w, and then a number of the list"
        "{lines} líneas seguidas no eran una respuesta; responda b o m, y después un número de la lista";
    quiz_it_is_right() "Yes: nothing is wrong with it." "Sí: no tiene nada mal.";
    quiz_it_is_that() "Yes: that is what is wrong." "Sí: eso es lo que está mal.";
    quiz_wrong_otherwise(codes) "It is wrong, but otherwise: {codes}." "Está mal, pero por otra cosa: {codes}.";
    quiz_nothing_is_wrong() "No: the judge finds nothing wrong with it." "No: el juez no halla nada mal.";
    quiz_something_is_wrong(codes) "No: something is wrong: {codes}." "No: algo está mal: {codes}.";
    quiz_broken_off(answered, of)
        "the answers ended: {answered} of {of} coups were judged"
        "se acabaron las respuestas: se juzgaron {answered} de {of} jugadas";
    quiz_score(judged, coups, named, wrong)
        "right or wrong: {judged} of {coups}; faults named: {named} of {wrong}"
        "bien o mal: {judged} de {coups}; defectos nombrados: {named} de {wrong}";
    quiz_no_coup(rulebook)
        "no coup was found under {rulebook} that the judge decides; choose another seed or another rulebook"
        "no se halló ninguna jugada según {rulebook} que el juez decida; elija otra semilla u otro reglamento";
    quiz_of_another_game(rulebook)
        "{rulebook} is a rulebook of chemin de fer; the quiz is about punto y banca: audit rules list lists its rulebooks"
        "{rulebook} es un reglamento de chemin de fer; el ejercicio trata de punto y banca: audit rules list enumera los suyos";
}

impl Texts {
    /// The totals and the winner as announced.
    #[must_use]
    pub fn announced_of(self, coup: &CoupView) -> String {
        let announced =
            CoupView { totals: coup.totals_recorded, winner: coup.winner_recorded, ..coup.clone() };
        self.totals_of(&announced)
    }
}
