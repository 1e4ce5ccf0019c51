//! What had to be settled before the cards: for each kind of event and each of its fields, whether the field is a
//! *decision* or an *observation*, and for a decision the moment after which a correction cannot change it.
//!
//! Someone decides a stake, a bank or a draw, and the cards then decide who wins. If such a decision could be written
//! again after the cards, two signatures would win any coup. A face, a total or a payout is observed: the eye or the
//! pen may have been wrong, and a correction may say so later.
//!
//! `docs/judging.md` ("Corrections") has this table for readers; a test compares the two and both with
//! `docs/events.cddl`, so a new kind of event or a new field needs a row before it can be recorded.

use events::Body;
use serde::{Deserialize, Serialize};

use self::Field::{Decided, Fixed, Observed};
use self::Moment::{CoupBegun, FirstCard, NextCard};

/// What a field says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    /// Which event it is: a correction has to repeat it, and is a `correction-target` otherwise.
    Fixed,
    /// What someone saw, counted or paid: it may be corrected later.
    Observed,
    /// What someone chose: it cannot change once its moment is past.
    Decided,
}

/// The moment after which a decision cannot change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Moment {
    /// The first card of its coup; for an event that names no coup, the first card that is dealt after it.
    FirstCard,
    /// The next card of its coup, or the settlement.
    NextCard,
    /// The first coup that begins after it.
    CoupBegun,
}

/// A kind of event.
#[derive(Debug)]
pub(crate) struct Kind {
    /// Its name in JSON.
    pub(crate) name: &'static str,
    /// The moment of its decisions; `None` where nothing is decided.
    pub(crate) until: Option<Moment>,
    /// Whether the rulebook's clause on when bets are accepted settles that it is late. Where no clause does, a
    /// correction that changes the result leaves the coup undecided.
    pub(crate) by_clause: bool,
    /// Whether it may be corrected at all.
    pub(crate) correctable: bool,
    /// Its fields, in the order of `docs/events.cddl`.
    pub(crate) fields: &'static [(&'static str, Field)],
}

const fn observed(name: &'static str, fields: &'static [(&'static str, Field)]) -> Kind {
    Kind { name, until: None, by_clause: false, correctable: true, fields }
}

const fn decided(name: &'static str, until: Moment, fields: &'static [(&'static str, Field)]) -> Kind {
    Kind { name, until: Some(until), by_clause: true, correctable: true, fields }
}

const fn fixed(name: &'static str, fields: &'static [(&'static str, Field)]) -> Kind {
    Kind { name, until: None, by_clause: false, correctable: false, fields }
}

/// Every kind of event, in the order of its number.
pub(crate) const KINDS: &[Kind] = &[
    decided(
        "ShoeLoaded",
        FirstCard,
        &[
            ("shoe", Fixed),
            ("decks", Decided),
            ("cards", Decided),
            ("cards_behind_cut", Fixed),
            ("deck_serials", Decided),
            ("back_colours", Decided),
            ("order_commitment", Fixed),
        ],
    ),
    observed("BurnCards", &[("indicator", Observed), ("burned", Observed), ("faces", Observed)]),
    decided(
        "BetPlaced",
        FirstCard,
        &[
            ("coup", Fixed),
            ("bet", Fixed),
            ("seat", Decided),
            ("player", Decided),
            ("kind", Decided),
            ("stake", Decided),
        ],
    ),
    observed("CardDrawn", &[("coup", Fixed), ("position", Fixed), ("card", Observed), ("to", Fixed)]),
    observed(
        "CoupSettled",
        &[
            ("coup", Fixed),
            ("winner", Observed),
            ("punto_total", Observed),
            ("banca_total", Observed),
            ("bets", Observed),
        ],
    ),
    fixed(
        "TableOpened",
        &[
            ("rulebook", Fixed),
            ("limits", Fixed),
            ("currency", Fixed),
            ("minor_digits", Fixed),
            ("seats", Fixed),
        ],
    ),
    fixed("TableClosed", &[]),
    decided(
        "LimitsChanged",
        CoupBegun,
        &[("minimum", Decided), ("maximum", Decided), ("multiple", Decided), ("bets", Decided)],
    ),
    observed("SeatTaken", &[("seat", Observed), ("player", Observed)]),
    observed("SeatLeft", &[("seat", Observed), ("player", Observed)]),
    observed("DealOffered", &[("seat", Observed)]),
    observed("DealAccepted", &[("seat", Observed)]),
    observed("DealDeclined", &[("seat", Observed)]),
    decided("BetWithdrawn", FirstCard, &[("bet", Fixed)]),
    decided("BetsClosed", FirstCard, &[("coup", Fixed)]),
    decided("PuntoHolder", FirstCard, &[("coup", Fixed), ("holder", Decided)]),
    observed("CutCardDrawn", &[("position", Observed)]),
    observed("CommissionCollected", &[("seat", Observed), ("amount", Observed), ("why", Observed)]),
    fixed(
        "CoupVoided",
        &[("coup", Fixed), ("reason", Fixed), ("ruled_by", Fixed), ("countersigned_by", Fixed)],
    ),
    fixed(
        "IrregularityRecorded",
        &[
            ("code", Fixed),
            ("coup", Fixed),
            ("positions", Fixed),
            ("ruling", Fixed),
            ("ruled_by", Fixed),
            ("countersigned_by", Fixed),
        ],
    ),
    fixed(
        "CorrectionRecorded",
        &[("corrects", Fixed), ("corrected", Fixed), ("reason", Fixed), ("signed_by", Fixed)],
    ),
    observed("ShoeEnded", &[("cards_left", Observed), ("reveal", Observed)]),
    decided(
        "BankTaken",
        FirstCard,
        &[
            ("seat", Decided),
            ("player", Decided),
            ("amount", Decided),
            ("how", Decided),
            ("partners", Decided),
        ],
    ),
    decided(
        "BankPassed",
        FirstCard,
        &[("seat", Decided), ("player", Decided), ("amount", Decided), ("why", Decided)],
    ),
    decided(
        "BancoCalled",
        FirstCard,
        &[("coup", Fixed), ("seat", Decided), ("player", Decided), ("call", Decided)],
    ),
    decided(
        "AbonoPlaced",
        FirstCard,
        &[("coup", Fixed), ("bet", Fixed), ("seat", Decided), ("player", Decided), ("stake", Decided)],
    ),
    decided("GarajeSet", FirstCard, &[("kind", Decided), ("amount", Decided)]),
    decided(
        "DrawDecided",
        NextCard,
        &[("coup", Fixed), ("hand", Decided), ("decision", Decided), ("counsel", Decided)],
    ),
    observed("PlayersPresent", &[("players", Observed)]),
    observed(
        "BankSettled",
        &[
            ("coup", Fixed),
            ("won", Observed),
            ("lost", Observed),
            ("commission", Observed),
            ("bank", Observed),
            ("garaje", Observed),
        ],
    ),
    Kind {
        by_clause: false,
        ..decided("BankBid", FirstCard, &[("seat", Decided), ("player", Decided), ("amount", Decided)])
    },
    Kind {
        by_clause: false,
        ..decided("LeaveGiven", FirstCard, &[("leave", Decided), ("office", Decided), ("given_by", Decided)])
    },
    fixed(
        "CardReplaced",
        &[
            ("coup", Fixed),
            ("position", Fixed),
            ("card", Fixed),
            ("reason", Fixed),
            ("ruled_by", Fixed),
            ("countersigned_by", Fixed),
        ],
    ),
    fixed("ValuesComputed", &[("coup", Fixed), ("values", Fixed)]),
    fixed("ExtensionRecorded", &[("name", Fixed), ("data", Fixed)]),
];

impl Kind {
    /// The fields that are decided.
    pub(crate) fn decided(&self) -> impl Iterator<Item = &'static str> {
        self.fields.iter().filter(|(_, field)| *field == Field::Decided).map(|(name, _)| *name)
    }

    /// Whether a correction is of the same event: all that is fixed is repeated.
    pub(crate) fn is_same(&self, said: &Body, corrected: &Body) -> bool {
        let mut fixed = self.fields.iter().filter(|(_, field)| *field == Field::Fixed).peekable();
        if fixed.peek().is_none() {
            return true;
        }
        let [said, corrected] = [said, corrected].map(|body| serde_json::to_value(body).unwrap_or_default());
        fixed.all(|(field, _)| said[self.name].get(field) == corrected[self.name].get(field))
    }
}

/// The row of an event's kind; `None` for a kind of a newer version.
pub(crate) fn kind(body: &Body) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == body.name())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeMap;

    use super::*;

    const CDDL: &str = include_str!("../../../docs/events.cddl");
    const PAGE: &str = include_str!("../../../docs/judging.md");

    /// The rules of the CDDL that are arrays, with the names of their fields.
    fn arrays() -> BTreeMap<String, Vec<String>> {
        let lines = CDDL.lines().map(|line| line.split(';').next().unwrap_or_default());
        let text = lines.collect::<Vec<_>>().join(" ");
        let mut rules = BTreeMap::new();
        for (at, _) in text.match_indices(" = [") {
            let name = text[..at].rsplit([' ', ']', ')']).next().unwrap().to_owned();
            let mut depth = 0;
            let rest = &text[at + 3..];
            let end = rest
                .char_indices()
                .find(|(_, one)| {
                    depth += i32::from(*one == '[') - i32::from(*one == ']');
                    depth == 0
                })
                .unwrap()
                .0;
            let (mut depth, mut fields) = (0, vec![String::new()]);
            for one in rest[1..end].chars() {
                depth += i32::from(one == '[') - i32::from(one == ']');
                match one {
                    ',' if depth == 0 => fields.push(String::new()),
                    _ => fields.last_mut().unwrap().push(one),
                }
            }
            let fields = fields.iter().filter_map(|field| Some(field.split_once(':')?.0.trim().to_owned()));
            rules.insert(name, fields.collect());
        }
        rules
    }

    /// Number and fields of every kind of event in the CDDL.
    fn kinds() -> Vec<(usize, Vec<String>)> {
        let arrays = arrays();
        let events = CDDL.split("\nevent =\n").nth(1).unwrap().split("\n\n").next().unwrap();
        let rows = events.lines().map(|line| {
            let parts: Vec<&str> = line.trim().trim_end_matches(" /").split(", ").collect();
            let number = parts[2].parse().unwrap();
            let record = parts[3].strip_suffix(']').unwrap();
            (number, if record == "[]" { Vec::new() } else { arrays[record].clone() })
        });
        rows.collect()
    }

    #[test]
    fn every_kind_and_field_of_the_format_has_a_row_and_no_row_is_left_over() {
        let kinds = kinds();
        assert_eq!(kinds.len(), KINDS.len());
        for ((number, fields), (row, kind)) in kinds.iter().zip((1..).zip(KINDS)) {
            assert_eq!(*number, row);
            let known: Vec<&str> = kind.fields.iter().map(|(name, _)| *name).collect();
            assert_eq!(*fields, known, "{}", kind.name);
            let decides = kind.fields.iter().any(|(_, field)| *field == Field::Decided);
            assert!(!decides || kind.until.is_some(), "{} decides something, until when?", kind.name);
        }
    }

    #[test]
    fn the_page_has_the_same_table() {
        let rows: Vec<&str> = PAGE.lines().filter(|line| line.starts_with("| `")).collect();
        for kind in KINDS {
            let of = |wanted: Field| {
                let fields = kind.fields.iter().filter(|(_, field)| *field == wanted);
                let names: Vec<String> = fields.map(|(name, _)| format!("`{name}`")).collect();
                if names.is_empty() { "–".to_owned() } else { names.join(", ") }
            };
            let until = match kind.until {
                None => "–",
                Some(Moment::FirstCard) => "first card",
                Some(Moment::NextCard) => "next card",
                Some(Moment::CoupBegun) => "coup begun",
            };
            let row = format!(
                "| `{}` | {} | {} | {} | {until} |",
                kind.name,
                of(Field::Fixed),
                of(Field::Observed),
                of(Field::Decided)
            );
            assert!(rows.contains(&row.as_str()), "docs/judging.md has no row\n{row}");
        }
    }
}
