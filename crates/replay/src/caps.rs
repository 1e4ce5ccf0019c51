//! What the judge keeps a limited number of, so that nobody who writes a record can fill its memory.
//!
//! Beyond a limit something is forgotten. That is reported once for each limit from one opening of the table to the next
//! (`more-than-kept`), and from there on until the next opening every coup and shoe is undecided: a flood buys no
//! silence. What concerns a shoe or a coup that is over leaves that one undecided. No honest table reaches one of these limits. What is merely listed (findings, views, rows of a report) has
//! limits of its own, is counted beyond them, and decides nothing.

use serde::{Deserialize, Serialize};

use crate::Language;

macro_rules! caps {
    ($($(#[$doc:meta])* $variant:ident $name:literal $most:literal $english:literal $spanish:literal)+) => {
        /// A limit of what the judge keeps of one table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Cap {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)+
        }

        impl Cap {
            /// Every limit, in the order of the table in `docs/judging.md`.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name, as it is printed.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// How many are kept at most.
            #[must_use]
            pub const fn most(self) -> usize {
                match self { $(Self::$variant => $most,)+ }
            }

            /// What there may be at most so many of, in words.
            #[must_use]
            pub const fn words(self, language: Language) -> &'static str {
                match self { $(Self::$variant => language.of($english, $spanish),)+ }
            }
        }
    };
}

caps! {
    /// Rulings that concern one coup.
    RulingsOfCoup "rulings-of-coup" 1_024 "rulings on one coup" "resoluciones sobre una jugada"
    /// Cards taken away in one coup.
    RemovedCards "removed-cards" 1_024 "cards removed in one coup" "cartas retiradas en una jugada"
    /// Cards of one coup, those included that went to no hand.
    CardsOfCoup "cards-of-coup" 64 "cards of one coup" "cartas de una jugada"
    /// Coups of one shoe.
    CoupsOfShoe "coups-of-shoe" 65_536 "coups in one shoe" "jugadas en un sabot"
    /// Bets of one shoe.
    BetsOfShoe "bets-of-shoe" 131_072 "bets in one shoe" "apuestas en un sabot"
    /// Ranges of consecutive ids of bets.
    BetIds "bet-ids" 65_536 "ranges of bet ids" "intervalos de identificadores de apuestas"
    /// Ids of shoes, the newest.
    ShoeIds "shoe-ids" 65_536 "ids of shoes" "identificadores de sabots"
    /// Serial numbers of decks, the newest.
    DeckSerials "deck-serials" 65_536 "serial numbers of decks" "números de serie de barajas"
    /// Texts of rulebooks that one table was opened under.
    RulebookTexts "rulebook-texts" 1_024 "texts of rulebooks at one table" "textos de reglamentos en una mesa"
    /// Players who staked in one shoe.
    Players "players" 4_096 "players in one shoe" "jugadores en un sabot"
    /// Bids in one auction of the bank.
    Bids "bids" 1_024 "bids for the bank" "pujas por la banca"
    /// Calls of banco in one coup, and players who may call banco seguido.
    Calls "calls" 1_024 "calls of banco" "peticiones de banco"
    /// Sums set aside between the account of a coup and its settlement.
    Garajes "garajes" 1_024 "garajes in one coup" "garajes en una jugada"
    /// Events of other coups that wait until the coup in play is settled.
    WaitingEvents "waiting-events" 2_048 "events before a coup is settled" "sucesos antes de liquidar una jugada"
    /// Coups that are over and that a correction may still name, and shoes.
    PastCoups "past-coups" 2_048 "past coups or shoes" "jugadas o sabots pasados"
    /// Times that a shoe is judged again for what later events show of it.
    Rejudgings "rejudgings" 6 "times that a shoe is judged again" "veces que se vuelve a juzgar un sabot"
    /// Bytes of the events of one shoe.
    BytesOfShoe "bytes-of-shoe" 8_388_608 "bytes of events in one shoe" "bytes de sucesos en un sabot"
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Every other limit in this crate, by file, with what becomes of what lies beyond it.
    const OTHERS: &[(&str, &str, &str)] = &[
        ("boxes.rs", "MOST_PLAYERS", "counts as somebody else's"),
        ("checks/positions.rs", "MOST", "is a position out of order once more"),
        ("checks/rulings.rs", "MOST_CARRIED", "a rule: two cards may lie exposed"),
        ("checks/shoe_cards.rs", "MOST_AFTER", "a rule: a coup has six cards"),
        ("corrected.rs", "MAX_CORRECTED_ROWS", "shares one row"),
        ("corrected.rs", "MOST_SIGNERS", "is named as others"),
        ("detail.rs", "MOST_CHANGES", "is left out"),
        ("detail.rs", "MOST_RULINGS", "a list, counted"),
        ("fleet.rs", "MAX_CONTRADICTIONS", "a list, counted"),
        ("fleet/sealed_twice.rs", "MAX_SEALED_TWICE", "is an open question of its own"),
        ("house_edges.rs", "MOST_PRICED", "a list"),
        ("house_edges.rs", "MOST_REMEMBERED", "is worked out again"),
        ("identity/things.rs", "MAX_NAMES", "the limits `shoe-ids` and `deck-serials`"),
        ("identity/things.rs", "MAX_NEW", "is put with the older ones"),
        ("judge.rs", "MAX_AWAKE", "is made again"),
        ("judge.rs", "MAX_UNREADABLE", "a list, counted"),
        ("judge.rs", "MOST_STATES", "a list, counted"),
        ("kept.rs", "MAX_FINDINGS", "a list, counted"),
        ("ledger.rs", "MAX_LEDGER_ROWS", "a list, counted"),
        ("looks.rs", "MOST", "leaves open of anybody whether another name looks alike"),
        ("mended.rs", "MOST", "is judged as if nothing were mended"),
        ("looks.rs", "MOST_REPORTED", "may be reported once more"),
        ("names.rs", "MOST_LISTED", "a list"),
        ("question.rs", "MAX_READ", "is read again"),
        ("reading/build.rs", "MOST_HOLES", "is put together with the next"),
        ("reading/irregular.rs", "MOST_LOST", "is explained as another position"),
        ("reading/search.rs", "MOST_ALTERNATIVES", "is not explained"),
        ("reading/search.rs", "MOST_COST", "is not explained"),
        ("reading/search.rs", "MOST_EVENTS", "is not explained"),
        ("reading/search.rs", "MOST_WAYS", "is not explained"),
        ("reading/state.rs", "MOST_HIDDEN", "is put together with the next"),
        ("reading/tape.rs", "MOST_OF_COUP", "is not looked at for a ruling ahead of its event"),
        ("numbering.rs", "MAX_WAITING", "is a `sequence-gap`"),
        ("record/runs.rs", "MAX_COMPARED", "is a `sequence-late`"),
        ("shoe.rs", "MOST_BURNED", "a rule: no indicator asks for more"),
        ("shoe/replaced.rs", "MOST", "leaves the shoe undecided instead of a card too many"),
        ("shoe_locations.rs", "MAX_SHOE_LOCATIONS", "a list"),
        ("shoe_marks.rs", "MOST_BURNED", "a list"),
        ("bounds.rs", "MOST_TIMES", "a rule: no bet pays more"),
        ("stages/judged.rs", "MAX_CORRECTED_LATER", "is the oldest: its shoe has no location any more"),
        ("reading/range.rs", "MOST_EXTENSIONS", "is an event that is not known"),
        ("reading/range.rs", "MOST_EXTENSION_BYTES", "is an event that is not known"),
        ("stages/table.rs", "MOST_READ_AGAIN", "waits for the end of the shoe"),
        ("statement/differs.rs", "MOST", "a list"),
        ("producers.rs", "MOST_PRODUCERS", "is not named"),
        ("tally.rs", "MAX_COUP_VIEWS", "a list"),
        ("tally.rs", "MAX_PAST", "the limit `past-coups`"),
    ];

    fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
        for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
            if file.is_dir() {
                sources(&file, found);
            } else if file.extension().is_some_and(|extension| extension == "rs") {
                found.push(file);
            }
        }
    }

    /// A limit that somebody adds has to be one of [`Cap`], or say here what becomes of what lies beyond it.
    #[test]
    fn every_limit_says_what_becomes_of_what_lies_beyond_it() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        sources(&root, &mut files);
        let mut found = BTreeSet::new();
        for file in files {
            let name = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            for line in fs::read_to_string(&file).unwrap().lines() {
                let line = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(crate) ");
                let constant = line.strip_prefix("const ").and_then(|rest| rest.split_once(':'));
                let limit = constant.map(|(constant, _)| constant).filter(|constant| {
                    ["MAX", "MOST"].contains(constant)
                        || constant.starts_with("MAX_")
                        || constant.starts_with("MOST_")
                });
                found.extend(limit.map(|limit| (name.clone(), limit.to_owned())));
            }
        }
        let listed: BTreeSet<(String, String)> =
            OTHERS.iter().map(|(file, limit, _)| ((*file).to_owned(), (*limit).to_owned())).collect();
        assert_eq!(found, listed);
        let page = fs::read_to_string(root.join("../../../docs/judging.md")).unwrap();
        for cap in Cap::ALL {
            assert!(
                page.contains(&format!("| `{}` |", cap.as_str())),
                "docs/judging.md lacks {}",
                cap.as_str()
            );
        }
    }
}
