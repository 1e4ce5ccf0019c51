//! Is every value of a rulebook one that is allowed? Names the first that is not: its key, what
//! stands there and what may.
//!
//! This room asks whether a rulebook *can* be judged by. Whether it is wise (a cut card deep
//! enough for its last coup, a bet that favours the player) is the linter's question.

use std::fmt::Display;
use std::ops::RangeInclusive;

use time::Date;
use time::macros::format_description;

use super::*;
use crate::{Odds, OneOf, PayRow};

/// Longest id and longest citation key, in bytes.
const ID_BYTES: usize = 64;
/// Longest title, jurisdiction and source, in characters.
const TITLE_CHARS: usize = 200;
/// Longest text of a citation, in characters.
const CITATION_CHARS: usize = 2_000;
/// Longest canonical JSON: an entry of the log carries a whole rulebook beside its events.
pub(super) const CANONICAL_BYTES: usize = 48 * 1024;
/// Rows of one paytable.
const ROWS: RangeInclusive<usize> = 1..=64;
/// Cards that have to fit in front of the cut card: an indicator, thirteen burned, one coup of six.
const FIRST_COUP_CARDS: u16 = 1 + 13 + 6;

/// A value that is not allowed.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) key: String,
    pub(super) problem: String,
}

type Checked = Result<(), Fault>;

fn fault(key: impl Display, problem: impl Display) -> Checked {
    Err(Fault { key: key.to_string(), problem: problem.to_string() })
}

impl Rulebook {
    /// Checks every value; the first that is not allowed is the error.
    pub(super) fn checked(&self) -> Checked {
        self.check_identity()?;
        self.check_citations()?;
        self.check_shoe()?;
        self.check_seats()?;
        self.check_limits()?;
        self.check_commission()?;
        self.check_bets()?;
        self.check_required()?;
        self.check_pairs()?;
        self.check_irregularities()?;
        self.check_cites()?;
        let bytes = self.canonical_json().len();
        if bytes > CANONICAL_BYTES {
            let problem =
                format!("is {bytes} bytes as canonical JSON; at most {CANONICAL_BYTES}: shorten its texts");
            return fault("rulebook", problem);
        }
        Ok(())
    }

    fn check_identity(&self) -> Checked {
        if self.format != 1 {
            return fault("format", format_args!("is {}; this program reads format 1", self.format));
        }
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if self.id.is_empty() || self.id.len() > ID_BYTES || !self.id.bytes().all(allowed) {
            let problem = format!("is {}; expected 1 to {ID_BYTES} of a-z, 0-9 and -", shown(&self.id));
            return fault("id", problem);
        }
        line("title", &self.title)?;
        line("jurisdiction", &self.jurisdiction)?;
        let from = date("effective.from", &self.effective.from)?;
        let Some(until) = &self.effective.until else { return Ok(()) };
        if date("effective.until", until)? < from {
            let problem =
                format!("is {until}, before effective.from, {from}; expected that day or a later one");
            return fault("effective.until", problem);
        }
        Ok(())
    }

    fn check_citations(&self) -> Checked {
        for (key, citation) in &self.citations {
            if key.is_empty() || key.len() > ID_BYTES || key.chars().any(char::is_control) {
                return fault(
                    "citations",
                    format_args!("has a key {}; expected 1 to {ID_BYTES} bytes", shown(key)),
                );
            }
            line(format_args!("citations.{key}.source"), &citation.source)?;
            let length = citation.text.chars().count();
            if length > CITATION_CHARS {
                let problem = format!("has {length} characters; at most {CITATION_CHARS}");
                return fault(format_args!("citations.{key}.text"), problem);
            }
            if let Some(mark) = citation.text.chars().find(|mark| mark.is_control() && *mark != '\n') {
                let problem = format!("holds the control character {mark:?}; only line ends are allowed");
                return fault(format_args!("citations.{key}.text"), problem);
            }
        }
        Ok(())
    }

    fn check_shoe(&self) -> Checked {
        let decks = &self.shoe.decks;
        within("shoe.decks", decks, 1..=12)?;
        let Some(fewest) = decks.first() else {
            return fault("shoe.decks", "is empty; expected at least one number of decks, 1 to 12");
        };
        within(
            "cut-card.cards-behind",
            [&self.cut_card.cards_behind],
            1..=u16::from(*fewest) * 52 - FIRST_COUP_CARDS,
        )?;
        if self.cut_card.first_card_counts && self.cut_card.last_coup == LastCoup::FinishCoup {
            let problem = "is true although no coup follows the one in play; leave it out";
            return fault("cut-card.first-card-counts", problem);
        }
        match &self.burn.method {
            BurnMethod::Indicator { values } => within("burn.values", values, 1..=13),
            BurnMethod::Fixed { count } => within("burn.count", [count], 1..=8),
            BurnMethod::Decks | BurnMethod::None => Ok(()),
        }
    }

    fn check_seats(&self) -> Checked {
        let SeatRules { numbers, may_leave_out, cite: _ } = &self.seats;
        if numbers.is_empty() {
            return fault("seats.numbers", "is empty; expected seat numbers, 1 to 99");
        }
        within("seats.numbers", numbers, 1..=99)?;
        let Some(optional) = may_leave_out else { return Ok(()) };
        if let Some(stranger) = optional.difference(numbers).next() {
            let problem = format!("names {stranger}; expected some of seats.numbers, {}", list(numbers));
            return fault("seats.may-leave-out", problem);
        }
        if optional == numbers {
            return fault(
                "seats.may-leave-out",
                "names every seat; leave the key out where any may be missing",
            );
        }
        Ok(())
    }

    fn check_limits(&self) -> Checked {
        within("limits.maximum-over-minimum", &self.limits.maximum_over_minimum, 1..=1_000_000)?;
        if self.limits.multiple_is_minimum && !self.limits.multiples_allowed {
            let problem =
                "is true although limits.multiples-allowed is false; allow multiples or leave it out";
            return fault("limits.multiple-is-minimum", problem);
        }
        rounding("payout-rounding", self.payout_rounding)
    }

    fn check_commission(&self) -> Checked {
        let carrier = self.bets.iter().find(|(_, rule)| rule.commission);
        match (&self.commission, carrier) {
            (None, None) => Ok(()),
            (None, Some((kind, _))) => fault(
                format_args!("bets.{kind}.commission"),
                "is true although there is no [commission]; add that section or leave this out",
            ),
            (Some(_), None) => fault(
                "commission",
                "stands here although no bet carries it; say `commission = true` at a bet or leave it out",
            ),
            (Some(rules), Some(_)) if rules.rate.numerator() == 0 => fault(
                "commission.rate",
                format_args!("is {}; expected a share above 0, such as `5/100`", rules.rate),
            ),
            (Some(rules), Some(_)) => rounding("commission.rounding", rules.rounding),
        }
    }

    fn check_bets(&self) -> Checked {
        for kind in ["punto", "banca"] {
            if !self.bets.keys().any(|offered| offered.as_str() == kind) {
                let problem = format!(
                    "is missing; every rulebook offers `punto` and `banca`, this one {}",
                    self.kinds()
                );
                return fault(format_args!("bets.{kind}"), problem);
            }
        }
        self.bets.iter().try_for_each(|(kind, rule)| bet(kind, rule))
    }

    fn check_required(&self) -> Checked {
        for (kind, rule) in &self.bets {
            let key = |name: &str| format!("bets.{kind}.{name}");
            let stranger = |other: &&BetKind| *other == kind || !self.bets.contains_key(*other);
            if let Some(other) = rule.requires.iter().find(stranger) {
                let problem = format!("names `{other}`; expected other bets offered: {}", self.kinds());
                return fault(key("requires"), problem);
            }
            match rule.cap_of_required {
                Some(_) if rule.requires.is_empty() => {
                    return fault(key("cap-of-required"), "stands here although `requires` names no bet");
                }
                Some(cap) if cap.numerator() == 0 => {
                    let problem = format!("is {cap}; expected a share above 0, such as `1/1`");
                    return fault(key("cap-of-required"), problem);
                }
                Some(_) | None => {}
            }
        }
        Ok(())
    }

    fn check_irregularities(&self) -> Checked {
        for code in self.irregularities.keys() {
            let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            if code.is_empty() || code.len() > ID_BYTES || !code.bytes().all(allowed) {
                let problem =
                    format!("has a code {}; expected 1 to {ID_BYTES} of a-z, 0-9 and -", shown(code));
                return fault("irregularities", problem);
            }
        }
        Ok(())
    }

    fn check_pairs(&self) -> Checked {
        let mut seen = BTreeSet::new();
        for (place, pair) in self.forbidden_pairs.iter().enumerate() {
            let key = format!("forbidden-pairs[{place}].bets");
            let [one, other] = &pair.bets;
            if let Some(stranger) = pair.bets.iter().find(|kind| !self.bets.contains_key(*kind)) {
                return fault(
                    key,
                    format_args!(
                        "names `{stranger}`, which is not offered; expected two of {}",
                        self.kinds()
                    ),
                );
            }
            if one == other {
                return fault(key, format_args!("names `{one}` twice; expected two different bets"));
            }
            if !seen.insert((one.min(other), one.max(other))) {
                return fault(key, format_args!("repeats the pair `{one}` and `{other}`; once is enough"));
            }
        }
        Ok(())
    }

    fn check_cites(&self) -> Checked {
        for clause in self.clauses() {
            if let Some(key) = self.cited(&clause).into_iter().find(|key| !self.citations.contains_key(*key))
            {
                let problem = format!(
                    "names {}, which is not in [citations]; expected one of: {}",
                    shown(key),
                    list(self.citations.keys())
                );
                return fault(format_args!("{clause}.cite"), problem);
            }
        }
        Ok(())
    }

    fn kinds(&self) -> String {
        list(self.bets.keys())
    }
}

fn bet(kind: &BetKind, rule: &BetRule) -> Checked {
    line(format_args!("bets.{kind}.title"), &rule.title)?;
    if !ROWS.contains(&rule.rows.len()) {
        let (least, most) = ROWS.into_inner();
        let problem = format!("has {} rows; expected {least} to {most}", rule.rows.len());
        return fault(format_args!("bets.{kind}.rows"), problem);
    }
    if let Some(cap) = rule.cap
        && cap.numerator() == 0
    {
        let problem = format!("is {cap}; expected a share of the table's maximum above 0, such as `1/10`");
        return fault(format_args!("bets.{kind}.cap"), problem);
    }
    rule.rows
        .iter()
        .enumerate()
        .try_for_each(|(place, row)| pay_row(&format!("bets.{kind}.rows[{place}]"), row))
}

fn pay_row(key: &str, row: &PayRow) -> Checked {
    let conditions = [
        ("punto-total", &row.punto_total, 0..=9),
        ("banca-total", &row.banca_total, 0..=9),
        ("margin", &row.margin, 0..=9),
        ("punto-cards", &row.punto_cards, 2..=3),
        ("banca-cards", &row.banca_cards, 2..=3),
        ("cards", &row.cards, 4..=6),
    ];
    for (name, condition, allowed) in conditions {
        within(format_args!("{key}.{name}"), condition.as_ref().map_or(&[][..], OneOf::values), allowed)?;
    }
    if matches!(row.pays, Pays::Wins(odds) if odds.wins() == 0) {
        let problem = format!(
            "is {}; expected `push` where only the stake comes back, or odds up to {}:1",
            row.pays,
            Odds::MOST
        );
        return fault(format_args!("{key}.pays"), problem);
    }
    Ok(())
}

fn rounding(key: &str, rounding: Rounding) -> Checked {
    within(format_args!("{key}.unit"), [&rounding.unit.get()], 1..=1_000_000)
}

/// Every value lies in the range.
fn within<'v, T: Copy + PartialOrd + Display + 'v>(
    key: impl Display,
    values: impl IntoIterator<Item = &'v T>,
    allowed: RangeInclusive<T>,
) -> Checked {
    match values.into_iter().find(|value| !allowed.contains(value)) {
        Some(value) => {
            fault(key, format_args!("holds {value}; expected {} to {}", allowed.start(), allowed.end()))
        }
        None => Ok(()),
    }
}

/// One line of text that is not empty.
fn line(key: impl Display, text: &str) -> Checked {
    let length = text.chars().count();
    if length == 0 || length > TITLE_CHARS {
        return fault(key, format_args!("has {length} characters; expected 1 to {TITLE_CHARS}"));
    }
    match text.chars().find(|mark| mark.is_control()) {
        Some(mark) => {
            fault(key, format_args!("holds the control character {mark:?}; expected one plain line"))
        }
        None => Ok(()),
    }
}

fn date(key: &str, text: &str) -> Result<Date, Fault> {
    let day = Date::parse(text, format_description!("[year]-[month]-[day]")).ok();
    day.filter(|day| day.to_string() == text).ok_or_else(|| Fault {
        key: key.to_owned(),
        problem: format!("is {}; expected a day of the calendar as YYYY-MM-DD", shown(text)),
    })
}

/// A text as messages quote it: shortened, without control characters.
fn shown(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    format!("`{}`", short.escape_debug())
}

fn list<T: Display>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(", ")
}
