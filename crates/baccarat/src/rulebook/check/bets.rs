//! Checks the bets of a rulebook.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::{Faults, list};
use crate::sentence::sentence;
use crate::{BetKind, BetRule, Game, Odds, OneOf, PayRow, Pays, Rulebook};

/// Rows of one paytable.
const ROWS: RangeInclusive<usize> = 1..=64;

impl Rulebook {
    pub(super) fn check_bets(&self, faults: &mut Faults) {
        let needed: &[&str] = if self.game() == Game::PuntoBanca { &["punto", "banca"] } else { &[] };
        for kind in needed {
            if !self.bets.keys().any(|offered| offered.as_str() == *kind) {
                let kinds = self.kinds();
                faults.say(
                    format_args!("bets.{kind}"),
                    sentence!(
                        "is missing; every rulebook offers `punto` and `banca`, this one {kinds}",
                        "falta; todo reglamento ofrece `punto` y `banca`, este {kinds}"
                    ),
                );
            }
        }
        for (kind, rule) in &self.bets {
            bet(kind, rule, faults);
        }
    }

    pub(super) fn check_required(&self, faults: &mut Faults) {
        for (kind, rule) in &self.bets {
            let key = |name: &str| format!("bets.{kind}.{name}");
            let stranger = |other: &&BetKind| *other == kind || !self.bets.contains_key(*other);
            for other in rule.requires.iter().filter(stranger) {
                let kinds = self.kinds();
                faults.say(
                    key("requires"),
                    sentence!(
                        "names `{other}`; expected other bets offered: {kinds}",
                        "nombra `{other}`; se esperan otras apuestas que se ofrecen: {kinds}"
                    ),
                );
            }
            match rule.cap_of_required {
                Some(_) if rule.requires.is_empty() => {
                    faults.say(
                        key("cap-of-required"),
                        sentence!(
                            "stands here although `requires` names no bet",
                            "está aquí aunque `requires` no nombra ninguna apuesta"
                        ),
                    );
                }
                Some(cap) if cap.numerator() == 0 => {
                    faults.say(
                        key("cap-of-required"),
                        sentence!(
                            "is {cap}; expected a share above 0, such as `1/1`",
                            "es {cap}; se espera una parte mayor que 0, como `1/1`"
                        ),
                    );
                }
                Some(_) | None => {}
            }
        }
    }

    pub(super) fn check_pairs(&self, faults: &mut Faults) {
        let mut seen = BTreeSet::new();
        for (index, pair) in self.forbidden_pairs.iter().enumerate() {
            let key = format!("forbidden-pairs[{index}].bets");
            let [one, other] = &pair.bets;
            if let Some(stranger) = pair.bets.iter().find(|kind| !self.bets.contains_key(*kind)) {
                let kinds = self.kinds();
                faults.say(
                    key,
                    sentence!(
                        "names `{stranger}`, which is not offered; expected two of {kinds}",
                        "nombra `{stranger}`, que no se ofrece; se esperan dos de {kinds}"
                    ),
                );
            } else if one == other {
                faults.say(
                    key,
                    sentence!(
                        "names `{one}` twice; expected two different bets",
                        "nombra `{one}` dos veces; se esperan dos apuestas distintas"
                    ),
                );
            } else if !seen.insert((one.min(other), one.max(other))) {
                faults.say(
                    key,
                    sentence!(
                        "repeats the pair `{one}` and `{other}`; once is enough",
                        "repite el par `{one}` y `{other}`; basta una vez"
                    ),
                );
            }
        }
    }

    fn kinds(&self) -> String {
        list(self.bets.keys())
    }
}

fn bet(kind: &BetKind, rule: &BetRule, faults: &mut Faults) {
    faults.line(format_args!("bets.{kind}.title"), &rule.title);
    if !ROWS.contains(&rule.rows.len()) {
        let (least, most) = ROWS.into_inner();
        let rows = rule.rows.len();
        faults.say(
            format_args!("bets.{kind}.rows"),
            sentence!(
                "has {rows} rows; expected {least} to {most}",
                "tiene {rows} filas; se esperan de {least} a {most}"
            ),
        );
    }
    if let Some(cap) = rule.cap
        && cap.numerator() == 0
    {
        faults.say(
            format_args!("bets.{kind}.cap"),
            sentence!(
                "is {cap}; expected a share of the table's maximum above 0, such as `1/10`",
                "es {cap}; se espera una parte del máximo de la mesa mayor que 0, como `1/10`"
            ),
        );
    }
    for (index, row) in rule.rows.iter().enumerate() {
        pay_row(&format!("bets.{kind}.rows[{index}]"), row, faults);
    }
}

fn pay_row(key: &str, row: &PayRow, faults: &mut Faults) {
    let conditions = [
        ("punto-total", &row.punto_total, 0..=9),
        ("banca-total", &row.banca_total, 0..=9),
        ("margin", &row.margin, 0..=9),
        ("punto-cards", &row.punto_cards, 2..=3),
        ("banca-cards", &row.banca_cards, 2..=3),
        ("cards", &row.cards, 4..=6),
    ];
    for (name, condition, allowed) in conditions {
        let values = condition.as_ref().map_or(&[][..], OneOf::values);
        faults.within(format_args!("{key}.{name}"), values, allowed);
    }
    if matches!(row.pays, Pays::Wins(odds) if odds.wins() == 0) {
        let (pays, most) = (row.pays, Odds::MOST);
        faults.say(
            format_args!("{key}.pays"),
            sentence!(
                "is {pays}; expected `push` where only the stake comes back, or odds up to {most}:1",
                "es {pays}; se espera `push` si solo se devuelve la apuesta, o un pago de hasta {most}:1"
            ),
        );
    }
}
