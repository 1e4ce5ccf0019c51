//! What an event decides, field by field.

use std::fmt::{self, Formatter};

use events::Body;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Style;
use super::amounts::Sum;
use super::said::Say;

/// A field of an event, and what it says there as JSON; `null` where it says nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Its name in JSON.
    pub field: Box<str>,
    /// What it says.
    pub value: Value,
}

/// Fields of an event, each with its value: those that a correction changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Decisions(Box<[Decision]>);

impl Decisions {
    /// Of these fields those in which two events of one kind differ, with the values of the first.
    #[must_use]
    pub fn of<'a>(event: &Body, other: &Body, fields: impl IntoIterator<Item = &'a str>) -> Self {
        let [event, other] =
            [event, other].map(|body| serde_json::to_value(body).unwrap_or_default()[body.name()].take());
        let value = |of: &Value, field: &str| of.get(field).cloned().unwrap_or_default();
        let differing = fields.into_iter().filter(|field| value(&event, field) != value(&other, field));
        Self(differing.map(|field| Decision { field: field.into(), value: value(&event, field) }).collect())
    }
}

/// `; stake 5000, seat 3`, where the style has differences.
impl Say for Decisions {
    const HOLDS: &'static str = "decision";
    const LIST: bool = true;

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() || !style.differences {
            return Ok(());
        }
        for (at, Decision { field, value }) in self.0.iter().enumerate() {
            f.write_str(if at == 0 { "; " } else { ", " })?;
            write!(f, "{} ", style.language.of(&field.replace('_', " "), spanish(field)))?;
            match (&**field, value) {
                ("stake" | "amount", Value::Number(sum)) => {
                    Sum(sum.as_u64().unwrap_or(u64::MAX)).say(style, f)?;
                }
                // Words of the format; everything else that is a text was written by people.
                (
                    "kind" | "how" | "why" | "call" | "hand" | "decision" | "counsel" | "leave" | "holder",
                    Value::String(code),
                ) => {
                    f.write_str(style.language.of(code, word(code)))?;
                }
                _ => say_value(value, style, f)?,
            }
        }
        Ok(())
    }
}

fn say_value(value: &Value, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let none = style.language.of("not recorded", "sin constancia");
    match value {
        Value::Null => f.write_str(none),
        Value::Array(all) if all.is_empty() => f.write_str(none),
        Value::String(text) => f.write_str(text),
        Value::Array(all) => {
            for (at, one) in all.iter().enumerate() {
                f.write_str(if at == 0 { "" } else { " + " })?;
                say_value(one, style, f)?;
            }
            Ok(())
        }
        // Punto's holder, by the seat.
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("seat") => {
            write!(f, "{} {}", style.language.of("seat", "departamento"), fields["seat"])
        }
        other @ (Value::Bool(_) | Value::Number(_) | Value::Object(_)) => write!(f, "{other}"),
    }
}

fn spanish(field: &str) -> &str {
    match field {
        "seat" => "departamento",
        "player" => "jugador",
        "kind" => "clase",
        "stake" => "apuesta",
        "amount" => "importe",
        "holder" => "cartas del punto",
        "how" => "modo",
        "why" => "motivo",
        "partners" => "socios",
        "call" => "petición",
        "hand" => "mano",
        "decision" => "decisión",
        "counsel" => "consejo",
        "decks" => "barajas",
        "cards" => "cartas",
        "deck_serials" => "números de serie",
        "back_colours" => "colores del dorso",
        "leave" => "autorización",
        "office" => "cargo",
        "given_by" => "concedida por",
        other => other,
    }
}

/// A word of events in Spanish.
fn word(text: &str) -> &str {
    match text {
        "tie" => "empate",
        "turn" => "por turno",
        "standing" => "jugador de pie",
        "auction" => "por subasta",
        "retaken" => "retomada",
        "minimum" => "por el mínimo",
        "continued" => "continuada",
        "lost" => "perdida",
        "refused" => "rechazada",
        "left" => "abandono",
        "voluntary" => "voluntario",
        "compulsory" => "obligatorio",
        "improper" => "impropio",
        "todo-va" => "todo va",
        "con-la-mesa" => "con la mesa",
        "ultimo-completo" => "último completo",
        "shoe-end" => "final del sabot",
        "unlimited-bank" => "banca sin máximo",
        "free-play" => "juego libre",
        "none" => "ninguno",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use events::{BetPlaced, Body};

    use super::super::said::Said;
    use super::*;
    use crate::{Currency, Language};

    fn placed(seat: u8, stake: u64, player: Option<&str>) -> Body {
        let bet = serde_json::json!({
            "coup": 1, "bet": 4, "seat": seat, "player": player, "kind": "tie", "stake": stake
        });
        Body::BetPlaced(serde_json::from_value::<BetPlaced>(bet).unwrap())
    }

    #[test]
    fn what_a_correction_changes_is_said_from_what_and_to_what() {
        let (first, corrected) = (placed(2, 5_000, None), placed(3, 9_000, Some("ana")));
        let fields = ["coup", "seat", "player", "kind", "stake"];
        let euro = Currency { code: "EUR".to_owned(), minor_digits: 2 };
        let text = |of: &Decisions, language| {
            let style = Style { language, currency: Some(&euro), differences: true, ..Style::default() };
            Said { value: of, style: &style }.to_string()
        };
        let before = Decisions::of(&first, &corrected, fields);
        let after = Decisions::of(&corrected, &first, fields);
        assert_eq!(text(&before, Language::English), "; seat 2, player not recorded, stake 50.00 EUR");
        assert_eq!(text(&after, Language::English), "; seat 3, player ana, stake 90.00 EUR");
        assert_eq!(text(&after, Language::Spanish), "; departamento 3, jugador ana, apuesta 90,00 EUR");
        assert_eq!(Said { value: &after, style: &Style::default() }.to_string(), "");
    }
}
