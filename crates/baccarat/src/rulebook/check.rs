//! Checks that every value of a rulebook is allowed. Each fault names the key, its value and what is allowed.
//!
//! This module decides whether a rulebook *can* be used for judging. Whether it is sensible (a cut card deep
//! enough for its last coup, a bet that favours the player) is the linter's question.

use std::fmt::Display;
use std::ops::RangeInclusive;

use time::Date;
use time::macros::format_description;

use super::*;
use crate::sentence::{Sentence, sentence};

mod bets;
mod chemin;

/// Longest id and longest citation key, in bytes.
const ID_BYTES: usize = 64;
/// Longest title, jurisdiction and source, in characters.
const TITLE_CHARS: usize = 200;
/// Longest text of a citation, in characters.
const CITATION_CHARS: usize = 2_000;
/// Longest canonical JSON: an entry of the log carries a whole rulebook beside its events.
pub(super) const CANONICAL_BYTES: usize = 48 * 1024;
/// Cards that have to fit in front of the cut card: an indicator, thirteen burned, one coup of six.
const FIRST_COUP_CARDS: u16 = 1 + 13 + 6;

/// Longest time a key of `[clock]` may say, in microseconds: some 32 years.
const CLOCK_MICROS: u64 = 1_000_000_000_000_000;

/// A value that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) key: String,
    pub(crate) sentence: Sentence,
}

/// Values that are not allowed, in the order of the file's sections.
#[derive(Debug, Default)]
struct Faults(Vec<Fault>);

impl Faults {
    fn say(&mut self, key: impl Display, sentence: Sentence) {
        self.0.push(Fault { key: key.to_string(), sentence });
    }

    /// Every value lies in the range.
    fn within<'v, T: Copy + PartialOrd + Display + 'v>(
        &mut self,
        key: impl Display,
        values: impl IntoIterator<Item = &'v T>,
        allowed: RangeInclusive<T>,
    ) {
        for value in values.into_iter().filter(|value| !allowed.contains(value)) {
            let (least, most) = (allowed.start(), allowed.end());
            self.say(
                &key,
                sentence!(
                    "holds {value}; expected {least} to {most}",
                    "contiene {value}; se espera de {least} a {most}"
                ),
            );
        }
    }

    /// One line of text that is not empty.
    fn line(&mut self, key: impl Display, text: &str) {
        let length = text.chars().count();
        if length == 0 || length > TITLE_CHARS {
            self.say(
                key,
                sentence!(
                    "has {length} characters; expected 1 to {TITLE_CHARS}",
                    "tiene {length} caracteres; se esperan de 1 a {TITLE_CHARS}"
                ),
            );
        } else if let Some(mark) = text.chars().find(|mark| mark.is_control()) {
            self.say(
                key,
                sentence!(
                    "holds the control character {mark:?}; expected one plain line",
                    "contiene el carácter de control {mark:?}; se espera una sola línea sin él"
                ),
            );
        }
    }

    fn date(&mut self, key: &str, text: &str) -> Option<Date> {
        let day = Date::parse(text, format_description!("[year]-[month]-[day]")).ok();
        let day = day.filter(|day| day.to_string() == text);
        if day.is_none() {
            let text = shown(text);
            self.say(
                key,
                sentence!(
                    "is {text}; expected a day of the calendar as YYYY-MM-DD",
                    "es {text}; se espera un día del calendario como AAAA-MM-DD"
                ),
            );
        }
        day
    }

    fn rounding(&mut self, key: &str, rounding: Rounding) {
        self.within(format_args!("{key}.unit"), [&rounding.unit.get()], 1..=1_000_000);
    }
}

impl Rulebook {
    /// Every value that is not allowed; none in a rulebook that can be judged by.
    pub(crate) fn faults(&self) -> Vec<Fault> {
        let mut faults = Faults::default();
        self.check_identity(&mut faults);
        self.check_citations(&mut faults);
        self.check_shoe(&mut faults);
        self.check_deal(&mut faults);
        self.check_seats(&mut faults);
        self.check_limits(&mut faults);
        self.check_commission(&mut faults);
        self.check_bets(&mut faults);
        self.check_required(&mut faults);
        self.check_pairs(&mut faults);
        self.check_irregularities(&mut faults);
        self.check_clock(&mut faults);
        self.check_game(&mut faults);
        self.check_cites(&mut faults);
        let bytes = self.canonical_json().len();
        if bytes > CANONICAL_BYTES {
            faults.say(
                "rulebook",
                sentence!(
                    "is {bytes} bytes as canonical JSON; at most {CANONICAL_BYTES}: shorten its texts",
                    "ocupa {bytes} bytes como JSON canónico; {CANONICAL_BYTES} como máximo: acorte sus textos"
                ),
            );
        }
        faults.0
    }

    fn check_identity(&self, faults: &mut Faults) {
        if self.format != 1 {
            let format = self.format;
            faults.say(
                "format",
                sentence!(
                    "is {format}; this program reads format 1",
                    "es {format}; este programa lee el formato 1"
                ),
            );
        }
        if !is_code(&self.id) {
            let id = shown(&self.id);
            faults.say(
                "id",
                sentence!(
                    "is {id}; expected 1 to {ID_BYTES} of a-z, 0-9 and -",
                    "es {id}; se esperan de 1 a {ID_BYTES} de a-z, 0-9 y -"
                ),
            );
        }
        faults.line("title", &self.title);
        faults.line("jurisdiction", &self.jurisdiction);
        let from = faults.date("effective.from", &self.effective.from);
        let Some(text) = &self.effective.until else { return };
        let until = faults.date("effective.until", text);
        if let (Some(from), Some(until)) = (from, until)
            && until < from
        {
            faults.say(
                "effective.until",
                sentence!(
                    "is {until}, before effective.from, {from}; expected that day or a later one",
                    "es {until}, anterior a effective.from, {from}; se espera ese día o uno posterior"
                ),
            );
        }
    }

    fn check_citations(&self, faults: &mut Faults) {
        for (key, citation) in &self.citations {
            if key.is_empty() || key.len() > ID_BYTES || key.chars().any(char::is_control) {
                let key = shown(key);
                faults.say(
                    "citations",
                    sentence!(
                        "has a key {key}; expected 1 to {ID_BYTES} bytes",
                        "tiene una clave {key}; se esperan de 1 a {ID_BYTES} bytes"
                    ),
                );
            }
            faults.line(format_args!("citations.{key}.source"), &citation.source);
            let length = citation.text.chars().count();
            if length > CITATION_CHARS {
                faults.say(
                    format_args!("citations.{key}.text"),
                    sentence!(
                        "has {length} characters; at most {CITATION_CHARS}",
                        "tiene {length} caracteres; {CITATION_CHARS} como máximo"
                    ),
                );
            }
            if let Some(mark) = citation.text.chars().find(|mark| mark.is_control() && *mark != '\n') {
                faults.say(
                    format_args!("citations.{key}.text"),
                    sentence!(
                        "holds the control character {mark:?}; only line ends are allowed",
                        "contiene el carácter de control {mark:?}; solo se admiten finales de línea"
                    ),
                );
            }
        }
    }

    fn check_shoe(&self, faults: &mut Faults) {
        let decks = &self.shoe.decks;
        faults.within("shoe.decks", decks, 1..=12);
        match decks.first() {
            None => faults.say(
                "shoe.decks",
                sentence!(
                    "is empty; expected at least one number of decks, 1 to 12",
                    "está vacío; se espera al menos un número de barajas, de 1 a 12"
                ),
            ),
            Some(fewest @ 1..=12) => {
                let most = u16::from(*fewest) * 52 - FIRST_COUP_CARDS;
                faults.within("cut-card.cards-behind", [&self.cut_card.cards_behind], 1..=most);
            }
            // Reported above; such a shoe has no depth for the cut card.
            Some(0 | 13..) => {}
        }
        if self.cut_card.first_card_counts && self.cut_card.last_coup == LastCoup::FinishCoup {
            faults.say(
                "cut-card.first-card-counts",
                sentence!(
                    "is true although no coup follows the one in play; leave it out",
                    "es true aunque a la jugada en curso no le sigue ninguna; quítelo"
                ),
            );
        }
        match &self.burn.method {
            BurnMethod::Indicator { values } => faults.within("burn.values", values, 1..=13),
            BurnMethod::Fixed { count } => faults.within("burn.count", [count], 1..=8),
            BurnMethod::Decks | BurnMethod::None => {}
        }
    }

    fn check_deal(&self, faults: &mut Faults) {
        if self.deal.new_shoe != NewShoe::Unstated && self.deal.dealer != Dealer::Players {
            faults.say(
                "deal.new-shoe",
                sentence!(
                    "stands here although players do not deal in turn; leave it out",
                    "está aquí aunque los jugadores no reparten por turno; quítelo"
                ),
            );
        }
    }

    fn check_seats(&self, faults: &mut Faults) {
        let SeatRules { numbers, may_leave_out, own_place: _, cite: _ } = &self.seats;
        if numbers.is_empty() {
            faults.say(
                "seats.numbers",
                sentence!(
                    "is empty; expected seat numbers, 1 to 99",
                    "está vacío; se esperan números de asiento, de 1 a 99"
                ),
            );
        }
        faults.within("seats.numbers", numbers, 1..=99);
        let Some(optional) = may_leave_out else { return };
        if let Some(stranger) = optional.difference(numbers).next() {
            let numbers = list(numbers);
            faults.say(
                "seats.may-leave-out",
                sentence!(
                    "names {stranger}; expected some of seats.numbers, {numbers}",
                    "nombra {stranger}; se esperan algunos de seats.numbers, {numbers}"
                ),
            );
        } else if optional == numbers {
            faults.say(
                "seats.may-leave-out",
                sentence!(
                    "names every seat; leave the key out where any may be missing",
                    "nombra todos los asientos; quite la clave si puede faltar cualquiera"
                ),
            );
        }
    }

    fn check_limits(&self, faults: &mut Faults) {
        faults.within("limits.maximum-over-minimum", &self.limits.maximum_over_minimum, 1..=1_000_000);
        if self.limits.multiple_is_minimum && !self.limits.multiples_allowed {
            faults.say(
                "limits.multiple-is-minimum",
                sentence!(
                    "is true although limits.multiples-allowed is false; allow multiples or leave it out",
                    "es true aunque limits.multiples-allowed es false; permita múltiplos o quítelo"
                ),
            );
        }
        faults.rounding("payout-rounding", self.payout_rounding);
    }

    fn check_commission(&self, faults: &mut Faults) {
        let carrier = self.bets.iter().find(|(_, rule)| rule.commission);
        if self.game() == Game::CheminDeFer {
            // The bank carries it; wrong values of its bets are reported elsewhere.
            if let Some(rules) = &self.commission {
                check_commission_rules(rules, faults);
            }
            return;
        }
        match (&self.commission, carrier) {
            (None, None) => {}
            (None, Some((kind, _))) => faults.say(
                format_args!("bets.{kind}.commission"),
                sentence!(
                    "is true although there is no [commission]; add that section or leave this out",
                    "es true aunque no hay [commission]; añada esa sección o quite esto"
                ),
            ),
            (Some(_), None) => faults.say("commission", sentence!(
                "stands here although no bet carries it; say `commission = true` at a bet or leave it out",
                "está aquí aunque ninguna apuesta la lleva; escriba `commission = true` en una apuesta o quítela"
            )),
            (Some(rules), Some(_)) => check_commission_rules(rules, faults),
        }
    }

    fn check_irregularities(&self, faults: &mut Faults) {
        for code in self.irregularities.keys().filter(|code| !is_code(code)) {
            let code = shown(code);
            faults.say(
                "irregularities",
                sentence!(
                    "has a code {code}; expected 1 to {ID_BYTES} of a-z, 0-9 and -",
                    "tiene un código {code}; se esperan de 1 a {ID_BYTES} de a-z, 0-9 y -"
                ),
            );
        }
    }

    fn check_clock(&self, faults: &mut Faults) {
        let Some(ClockRules { step, ahead, recorded_within, cite: _ }) = &self.clock else { return };
        for (key, micros) in [("step", step), ("ahead", ahead), ("recorded-within", recorded_within)] {
            faults.within(format_args!("clock.{key}"), micros, 0..=CLOCK_MICROS);
        }
    }

    fn check_cites(&self, faults: &mut Faults) {
        for clause in self.clauses() {
            let strangers = self.cited(&clause).into_iter().filter(|key| !self.citations.contains_key(*key));
            for key in strangers {
                let (key, all) = (shown(key), list(self.citations.keys()));
                faults.say(
                    format_args!("{clause}.cite"),
                    sentence!(
                        "names {key}, which is not in [citations]; expected one of: {all}",
                        "nombra {key}, que no está en [citations]; se espera una de: {all}"
                    ),
                );
            }
        }
    }
}

fn check_commission_rules(rules: &CommissionRules, faults: &mut Faults) {
    if rules.rate.numerator() == 0 {
        let rate = rules.rate;
        faults.say(
            "commission.rate",
            sentence!(
                "is {rate}; expected a share above 0, such as `5/100`",
                "es {rate}; se espera una parte mayor que 0, como `5/100`"
            ),
        );
    }
    faults.rounding("commission.rounding", rules.rounding);
}

/// 1 to 64 of a-z, 0-9 and -.
fn is_code(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.len() <= ID_BYTES && text.bytes().all(allowed)
}

/// A text as messages quote it: shortened, without control characters.
fn shown(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    format!("`{}`", short.escape_debug())
}

fn list<T: Display>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(", ")
}
