//! The clauses of a rulebook by name. In English the key of the file is the name.

use crate::{Language, Texts};

/// Key of the file, name in Spanish.
const NAMES: &[(&str, &str)] = &[
    ("shoe", "sabot y barajas"),
    ("cut-card", "carta de detención"),
    ("burn", "quema de cartas"),
    ("deal", "reparto de cartas"),
    ("tableau", "cuadro de la tercera carta"),
    ("naturals", "naturales"),
    ("card-values", "valor de las cartas"),
    ("seats", "departamentos"),
    ("forbidden-pairs", "apuestas que se excluyen"),
    ("limits", "límites de las apuestas"),
    ("commission", "comisión"),
    ("betting", "admisión de apuestas hasta el «no va más»"),
    ("settlement", "cobro y pago"),
    ("clock", "hora de los sucesos"),
    ("rulings", "quién firma las resoluciones"),
    ("chemin.players", "jugadores"),
    ("chemin.bank", "importe de la banca"),
    ("chemin.turn", "turno de la banca"),
    ("chemin.banco", "banco"),
    ("chemin.free-play", "juego libre"),
    ("chemin.chart", "si el cuadro obliga a la banca"),
    ("chemin.garaje", "garaje"),
    ("chemin.abonos", "abonos"),
    ("bets.punto", "apuesta al punto"),
    ("bets.banca", "apuesta a la banca"),
    ("bets.tie", "apuesta al empate"),
];

impl Texts {
    /// A clause by the name that people give it, with its key in the file.
    #[must_use]
    pub fn clause(self, key: &str) -> String {
        let named = NAMES.iter().find(|(known, _)| *known == key).map(|(_, name)| (*name).to_owned());
        let of_kind = || match key.split_once('.')? {
            ("bets", _) => Some("apuesta".to_owned()),
            ("irregularities", _) => Some("irregularidad".to_owned()),
            (_, _) => None,
        };
        match (self.language(), named.or_else(of_kind)) {
            (Language::Spanish, Some(name)) => format!("{name} ({key})"),
            (Language::Spanish | Language::English, _) => key.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn every_clause_of_the_built_in_rulebooks_has_a_name_in_spanish() {
        let [english, spanish] = Language::ALL.map(Texts::of);
        for (id, _) in baccarat::builtins() {
            for clause in baccarat::builtin(id).unwrap().clauses() {
                let key = clause.path();
                assert_eq!(english.clause(&key), key);
                assert!(spanish.clause(&key).ends_with(&format!(" ({key})")), "{id}: {key}");
            }
        }
        assert_eq!(spanish.clause("bets.punto"), "apuesta al punto (bets.punto)");
        assert_eq!(spanish.clause("no-such-clause"), "no-such-clause");
    }
}
