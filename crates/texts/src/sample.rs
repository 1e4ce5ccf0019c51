//! What is said of a sample of coups.

use replay::CoupView;

use crate::{Texts, texts};

texts! {
    sample_heading(drawn, of, seed)
        "sample: {drawn} of {of}, seed {seed}"
        "muestra: {drawn} de {of}, semilla {seed}";
    sample_of_log(origin, entries, root)
        "drawn from {origin}, {entries}, root {root}"
        "extraída de {origin}, {entries}, raíz {root}";
    sample_of_unsealed()
        "drawn from events that are not sealed: nothing binds the sample to them"
        "extraída de sucesos que nadie selló: nada ata la muestra a ellos";
    sample_is_all(asked)
        "{asked} were asked for, and there are no more coups"
        "se pidieron {asked}, y no hay más jugadas";
    sample_not_shown(entries)
        "this copy does not show the events of {entries}: coups in them could not be drawn"
        "esta copia no muestra los sucesos de {entries}: las jugadas que contengan no pudieron extraerse";
    sample_coup(table, shoe, coup, entries)
        "table {table}, shoe {shoe}, coup {coup} ({entries})"
        "mesa {table}, sabot {shoe}, jugada {coup} ({entries})";
    sample_last_event(at) "last event at {at}, by the table's clock" "último suceso: {at}, según el reloj de la mesa";
    sample_entry(entry) "entry {entry}" "entrada {entry}";
    sample_entries(first, last) "entries {first} to {last}" "entradas {first} a {last}";
    sample_staked(bets, sum) "{bets}, {sum} in all" "{bets}, {sum} en total";
    changed_while_read(log)
        "{log} changed while it was read: draw the sample from a copy that no one writes"
        "{log} cambió mientras se leía: extraiga la muestra de una copia en la que nadie escriba";
}

impl Texts {
    /// Where a drawn coup stands.
    #[must_use]
    pub fn sample_place(self, coup: &CoupView) -> String {
        let entries = match coup.entries {
            (first, last) if first == last => self.sample_entry(first),
            (first, last) => self.sample_entries(first, last),
        };
        self.sample_coup(&coup.table, coup.shoe.as_deref().unwrap_or("-"), coup.coup, entries)
    }
}
