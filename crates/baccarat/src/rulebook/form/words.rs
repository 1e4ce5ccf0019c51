//! The words of a rulebook file as people say them.

use super::{Form, Key, keys};
use crate::sentence::Sentence;

/// A word that may stand in a rulebook file, as people say it in each language; none for any other text, and for the
/// game's own names.
#[must_use]
pub fn word(text: &str) -> Option<Sentence> {
    let (_, english, spanish) = WORDS.iter().find(|(word, _, _)| *word == text)?;
    Some(Sentence { english: (*english).to_owned(), spanish: (*spanish).to_owned() })
}

/// Whether words of the file stand at keys of this name, wherever in a rulebook they are. At other keys stand texts of
/// the writer's own, which may happen to be the same.
pub(crate) fn has_words(name: &str) -> bool {
    fn among(keys: &[Key], name: &str) -> bool {
        keys.iter().any(|key| match key.form {
            Form::Word(_) | Form::Words(_) | Form::Pays => key.name == name,
            Form::Section(keys) | Form::Named(_, keys) | Form::List(keys) => among(keys, name),
            Form::Line
            | Form::Prose
            | Form::Code
            | Form::Day
            | Form::Share
            | Form::Number(..)
            | Form::OneOrNumbers(..)
            | Form::Numbers(..)
            | Form::BurnValues
            | Form::Flag
            | Form::Citations
            | Form::Bets
            | Form::TwoBets
            | Form::PuntoRow
            | Form::BancaRows
            | Form::Points => false,
        })
    }
    among(keys(), name)
}

/// Word of the file, in English, in Spanish.
const WORDS: &[(&str, &str, &str)] = &[
    ("third-card", "punto's third card", "tercera carta del punto"),
    ("punto-total", "punto's total", "puntuación del punto"),
    ("down", "down", "hacia abajo"),
    ("up", "up", "hacia arriba"),
    ("half-up", "to the nearest, a half up", "al más próximo, la mitad hacia arriba"),
    ("half-even", "to the nearest, a half to the even one", "al más próximo, la mitad al par"),
    ("finish-coup", "the coup in play is the last", "la jugada en curso es la última"),
    ("one-more", "the coup in play and one more", "la jugada en curso y una más"),
    ("five-more", "the coup in play and five more", "la jugada en curso y cinco más"),
    ("indicator", "as many as the first card says", "tantas como diga la primera carta"),
    ("decks", "as many as decks", "tantas como barajas"),
    ("fixed", "a fixed number", "un número fijo"),
    ("none", "none", "ninguna"),
    ("alternate", "punto, banca, punto, banca", "punto, banca, punto, banca"),
    ("pairs", "punto, punto, banca, banca", "punto, punto, banca, banca"),
    ("players", "the players in turn", "los jugadores por turno"),
    ("croupier", "the croupier", "el crupier"),
    ("either", "the croupier, who may offer it", "el crupier, que puede ofrecerlo"),
    ("banker", "the banker", "el banquero"),
    ("highest-punto-bet", "the highest bet on punto", "la apuesta mayor al punto"),
    ("banco", "who called banco, else the highest bet", "quien hizo banco, y si no la apuesta mayor"),
    ("unstated", "not stated: either is right", "no consta: cualquiera vale"),
    ("lowest-seat", "the lowest seat", "el departamento más bajo"),
    ("first-placed", "the bet placed first", "la apuesta hecha antes"),
    ("priority", "first on the banker's right", "el primero a la derecha del banquero"),
    ("goes-on", "the turn goes on", "el turno sigue"),
    ("anew", "it begins at the lowest seat", "empieza por el departamento más bajo"),
    ("paid-in-full", "it is settled in full", "se liquida entera"),
    ("capped", "the part above the limit comes back", "se devuelve lo que pasa del límite"),
    ("void", "all of it comes back", "se devuelve entera"),
    ("collected", "deducted when the win is paid", "se deduce al pagar"),
    (
        "boxed",
        "marked in the seat's box, due at shoe end or before leaving",
        "se anota en el casillero y se cobra al acabar el sabot o al levantarse",
    ),
    ("card-removed", "the card leaves the game", "la carta sale del juego"),
    ("card-stays", "the card stays in its place", "la carta se queda en su sitio"),
    ("next-coup", "the card is the first of the next coup", "la carta es la primera de la jugada siguiente"),
    ("coup-void", "the coup is void", "la jugada es nula"),
    ("ruling", "left to whoever rules", "lo que decida quien dirige"),
    ("banca-takes-card", "the card is banca's third", "la carta es la tercera de la banca"),
    ("banca-counts-zero", "banca's two cards count 0", "las dos cartas de la banca valen 0"),
    ("higher-card", "punto keeps the better card", "el punto se queda con la mejor carta"),
    ("lower-card", "banca keeps the worse card", "la banca se queda con la peor carta"),
    ("punto-counts-nine", "punto counts 9", "el punto vale 9"),
    ("banca-loses", "banca loses the coup", "la banca pierde la jugada"),
    ("punto-loses", "punto loses the coup", "el punto pierde la jugada"),
    ("chart-binds", "banca plays by its table", "la banca juega según el cuadro"),
    (
        "chart-draws",
        "banca plays by its table, drawing where it may choose",
        "la banca juega según el cuadro y pide donde puede elegir",
    ),
    ("always", "always, but for free play", "siempre, salvo en juego libre"),
    ("asked", "where the croupier was asked", "si se preguntó al crupier"),
    ("tie", "tie", "empate"),
    ("any", "a pair of any kind", "una pareja cualquiera"),
    ("suited", "a pair of one suit", "una pareja del mismo palo"),
    ("same-colour", "a pair of one colour and two suits", "una pareja del mismo color y distinto palo"),
    ("mixed", "a pair of two colours", "una pareja de distinto color"),
    ("push", "the stake comes back", "se devuelve la apuesta"),
    ("lose", "the stake is lost", "se pierde la apuesta"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(keys: &'static [Key], found: &mut Vec<&'static str>) {
        for key in keys {
            if let Form::Word(words) | Form::Words(words) = key.form {
                found.extend(words);
            } else if let Form::Section(keys) | Form::Named(_, keys) | Form::List(keys) = key.form {
                words_of(keys, found);
            }
        }
    }

    #[test]
    fn no_text_of_the_writers_own_stands_where_words_do() {
        fn each(keys: &[Key], found: &mut Vec<(&'static str, bool)>) {
            for key in keys {
                let is_word = matches!(key.form, Form::Word(_) | Form::Words(_) | Form::Pays);
                let is_text = matches!(
                    key.form,
                    Form::Line | Form::Prose | Form::Code | Form::Citations | Form::Bets | Form::TwoBets
                );
                if is_word || is_text {
                    found.push((key.name, is_word));
                }
                if let Form::Section(keys) | Form::Named(_, keys) | Form::List(keys) = key.form {
                    each(keys, found);
                }
            }
        }
        let mut found = Vec::new();
        each(keys(), &mut found);
        assert!(found.len() > 30);
        for (name, is_word) in found {
            assert_eq!(has_words(name), is_word, "{name}");
        }
    }

    #[test]
    fn every_word_of_the_form_is_said_in_both_languages() {
        let mut found = Vec::new();
        words_of(keys(), &mut found);
        // The game's own names are the same in every language.
        for word in found.into_iter().filter(|word| !["punto", "banca"].contains(word)) {
            assert!(WORDS.iter().any(|(known, _, _)| *known == word), "{word}");
        }
    }
}
