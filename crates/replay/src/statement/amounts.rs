//! Sums of money and spans of time in a sentence.

use std::fmt::{self, Formatter};

use baccarat::Money;
use serde::{Deserialize, Serialize};

use super::Style;
use super::said::Say;

/// A sum in minor units. It may be larger than a sum that an event may carry: it may be a limit that was derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sum(pub u64);

impl From<Money> for Sum {
    fn from(money: Money) -> Self {
        Self(money.get())
    }
}

impl Say for Sum {
    const HOLDS: &'static str = "sum";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        match style.currency {
            Some(_) => f.write_str(&style.language.money(self.0.into(), style.currency)),
            None => write!(f, "{}", self.0),
        }
    }
}

/// `, commission 50` behind what was returned, where there is commission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WithCommission(pub Sum);

impl Say for WithCommission {
    const HOLDS: &'static str = "sum";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0 == Sum(0) {
            return Ok(());
        }
        f.write_str(style.language.of(", commission ", ", comisión "))?;
        self.0.say(style, f)
    }
}

/// ` in 3 bets` behind a sum that is made up of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InBets(pub u32);

impl Say for InBets {
    const HOLDS: &'static str = "integer";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => Ok(()),
            bets => write!(
                f,
                " {} {bets} {}",
                style.language.of("in", "en"),
                style.language.of("bets", "apuestas")
            ),
        }
    }
}

/// What the box of a seat holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Boxed {
    /// The seat.
    pub seat: u8,
    /// What is in it.
    pub amount: Sum,
}

impl Say for Boxed {
    const HOLDS: &'static str = "box";

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        self.amount.say(style, f)?;
        write!(f, " {} {}", style.language.of("at seat", "en el departamento"), self.seat)
    }
}

/// A span of time in microseconds, written in hours, minutes and seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(pub u64);

impl Say for Span {
    const HOLDS: &'static str = "microseconds";

    fn say(&self, _: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        let (seconds, micros) = (self.0 / 1_000_000, self.0 % 1_000_000);
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
        let parts = [(hours, "h"), (minutes, "min")];
        for (number, unit) in parts.into_iter().filter(|(number, _)| *number > 0) {
            write!(f, "{number} {unit} ")?;
        }
        let decimals = format!(".{micros:06}");
        write!(f, "{}{} s", seconds % 60, decimals.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::super::said::Said;
    use super::*;

    #[test]
    fn a_span_is_exact_and_names_only_what_it_has() {
        let spans = [0, 1, 5_000_000, 65_250_000, 3_600_000_000, 90_061_000_000];
        let texts = spans.map(|micros| Said { value: &Span(micros), style: &Style::default() }.to_string());
        assert_eq!(texts, ["0 s", "0.000001 s", "5 s", "1 min 5.25 s", "1 h 0 s", "25 h 1 min 1 s"]);
    }
}
