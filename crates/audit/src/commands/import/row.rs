//! One row of a list of coups.

use std::io::{BufRead, Read};

use baccarat::{Card, Points, Rulebook, Side, Winner};
use csv::StringRecord;
use events::{ComputedValue, Destination};

use crate::language::texts;
use crate::output;

/// Which column holds what.
pub(super) struct Columns {
    names: Vec<String>,
    shoe: Option<usize>,
    coup: Option<usize>,
    punto: [Option<usize>; 4],
    banca: [Option<usize>; 4],
    winner: Option<usize>,
    punto_total: Option<usize>,
    banca_total: Option<usize>,
}

/// A coup as written.
pub(super) struct Row {
    pub(super) shoe: Option<String>,
    pub(super) coup: Option<u32>,
    punto: Vec<Card>,
    banca: Vec<Card>,
    winner: Option<Winner>,
    punto_total: Option<u8>,
    banca_total: Option<u8>,
}

/// Lists may be written with semicolons: the first line decides.
pub(super) fn with_commas(mut input: Box<dyn BufRead>) -> Box<dyn Read> {
    let mut first = Vec::new();
    // A list whose first line is longer than this has no such header.
    let _ = (&mut input).take(1 << 16).read_until(b'\n', &mut first);
    let semicolons = first.contains(&b';') && !first.contains(&b',');
    let whole = std::io::Cursor::new(first).chain(input);
    if semicolons { Box::new(Commas(whole)) } else { Box::new(whole) }
}

struct Commas<R>(R);

impl<R: Read> Read for Commas<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.0.read(buffer)?;
        for byte in &mut buffer[..count] {
            if *byte == b';' {
                *byte = b',';
            }
        }
        Ok(count)
    }
}

impl Columns {
    pub(super) fn of(headers: &StringRecord) -> Result<Self, String> {
        let names: Vec<String> = headers
            .iter()
            .map(|name| name.trim_start_matches('\u{feff}').trim().to_ascii_lowercase())
            .collect();
        let at = |wanted: &str| names.iter().position(|name| name == wanted);
        let hand = |letter: char| [1, 2, 3, 4].map(|number| at(&format!("{letter}{number}")));
        let columns = Self {
            shoe: at("shoe"),
            coup: at("coup"),
            punto: hand('p'),
            banca: hand('b'),
            winner: at("winner"),
            punto_total: at("punto_total"),
            banca_total: at("banca_total"),
            names: names.clone(),
        };
        for wanted in ["p1", "p2", "b1", "b2"] {
            if at(wanted).is_none() {
                return Err(texts().no_such_column(wanted));
            }
        }
        Ok(columns)
    }

    /// Prints to standard error which columns are ignored, and which are computed.
    pub(super) fn note(&self, name: &str) {
        let known = [
            "shoe",
            "coup",
            "winner",
            "punto_total",
            "banca_total",
            "p1",
            "p2",
            "p3",
            "p4",
            "b1",
            "b2",
            "b3",
            "b4",
        ];
        let others: Vec<&str> =
            self.names.iter().map(String::as_str).filter(|name| !known.contains(name)).collect();
        let mut notes = Vec::new();
        if !others.is_empty() {
            notes.push(texts().columns_ignored(others.join(", ")));
        }
        if self.shoe.is_none() {
            notes.push(texts().every_coup_in_a_shoe());
        }
        let results =
            [("winner", self.winner), ("punto_total", self.punto_total), ("banca_total", self.banca_total)];
        let missing: Vec<&str> =
            results.iter().filter(|(_, at)| at.is_none()).map(|(name, _)| *name).collect();
        if !missing.is_empty() {
            notes.push(texts().columns_computed(missing.join(", ")));
        }
        for note in notes {
            output::note(&format!("{name}: {note}"));
        }
    }

    pub(super) fn read(&self, record: &StringRecord) -> Result<Row, String> {
        let text = |at: Option<usize>| {
            at.and_then(|at| record.get(at)).map(str::trim).filter(|text| !text.is_empty())
        };
        let number = |at: Option<usize>, most: u32| {
            text(at)
                .map(|text| match text.parse::<u32>() {
                    Ok(number) if number <= most => Ok(number),
                    Ok(_) | Err(_) => Err(texts().not_a_number_to(self.name(at), text, most)),
                })
                .transpose()
        };
        let total = |at| number(at, 255).map(|total| total.and_then(|total| u8::try_from(total).ok()));
        let row = Row {
            shoe: text(self.shoe).map(str::to_owned),
            coup: number(self.coup, u32::MAX - 1)?,
            punto: self.hand(&self.punto, &text)?,
            banca: self.hand(&self.banca, &text)?,
            winner: text(self.winner)
                .map(|text| winner(text).ok_or_else(|| texts().not_a_winner(self.name(self.winner), text)))
                .transpose()?,
            punto_total: total(self.punto_total)?,
            banca_total: total(self.banca_total)?,
        };
        if row.coup == Some(0) {
            return Err(texts().coups_from_one());
        }
        Ok(row)
    }

    fn name(&self, at: Option<usize>) -> &str {
        at.and_then(|at| self.names.get(at)).map_or("?", String::as_str)
    }

    fn hand<'r>(
        &self,
        columns: &[Option<usize>; 4],
        text: &impl Fn(Option<usize>) -> Option<&'r str>,
    ) -> Result<Vec<Card>, String> {
        let written = columns.iter().filter_map(|at| text(*at).map(|card| (at, card)));
        written.map(|(at, text)| card(text).ok_or_else(|| texts().not_a_card(self.name(*at), text))).collect()
    }
}

/// A card as people write it: `7H`, `th`, `10h`, or only its rank.
fn card(text: &str) -> Option<Card> {
    let upper = text.to_uppercase().replace("10", "T");
    let spelled = if upper.chars().count() == 1 { format!("{upper}?") } else { upper };
    spelled.parse().ok()
}

fn winner(text: &str) -> Option<Winner> {
    match text.to_lowercase().as_str() {
        "punto" | "player" | "p" => Some(Winner::Punto),
        "banca" | "banker" | "b" => Some(Winner::Banca),
        "tie" | "empate" | "t" | "e" => Some(Winner::Tie),
        _ => None,
    }
}

/// Where a card written in a hand's column went.
const fn destination(side: Side) -> Destination {
    match side {
        Side::Punto => Destination::Punto,
        Side::Banca => Destination::Banca,
    }
}

impl Row {
    /// The cards in the order they must have been drawn: the first four by the rulebook, then
    /// third cards, then any beyond.
    pub(super) fn draws(&self, book: &Rulebook) -> Vec<(Destination, Card)> {
        let (mut punto, mut banca) = (self.punto.iter(), self.banca.iter());
        let later = [Side::Punto, Side::Banca, Side::Punto, Side::Banca];
        let order = book.deal.order.first_four().into_iter().chain(later);
        let next = |side| match side {
            Side::Punto => punto.next().map(|card| (destination(side), *card)),
            Side::Banca => banca.next().map(|card| (destination(side), *card)),
        };
        order.filter_map(next).collect()
    }

    /// Which of the winner and the totals are not written, and follow from the rest of the row.
    pub(super) fn computed(&self) -> Vec<ComputedValue> {
        let values = [
            (self.winner.is_none(), ComputedValue::Winner),
            (self.punto_total.is_none(), ComputedValue::PuntoTotal),
            (self.banca_total.is_none(), ComputedValue::BancaTotal),
        ];
        values.into_iter().filter(|(missing, _)| *missing).map(|(_, value)| value).collect()
    }

    /// Winner and totals as written; what was not written follows from the rest of the row.
    pub(super) fn result(&self) -> (Winner, u8, u8) {
        let total =
            |hand: &[Card]| hand.iter().fold(Points::default(), |sum, card| sum.plus(card.points())).get();
        let punto = self.punto_total.unwrap_or_else(|| total(&self.punto));
        let banca = self.banca_total.unwrap_or_else(|| total(&self.banca));
        let winner = self.winner.unwrap_or_else(|| match punto.cmp(&banca) {
            std::cmp::Ordering::Greater => Winner::Punto,
            std::cmp::Ordering::Less => Winner::Banca,
            std::cmp::Ordering::Equal => Winner::Tie,
        });
        (winner, punto, banca)
    }
}
