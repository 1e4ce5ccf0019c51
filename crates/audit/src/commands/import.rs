//! `audit import coups-csv`: coups written down by hand, as events.
//!
//! What the list does not say is recorded as not known, never invented; what it says is recorded
//! as written, impossible coups included, because judging comes later. A winner or total that a row lacks is computed
//! from its cards, and the record says so.

mod bounded;
mod row;

use std::io::{self, BufWriter, Seek, Write};

use baccarat::{Face, Game, Rulebook};
use events::{
    BetsClosed, Body, CardDrawn, CoupSettled, Irregularity, Limits, Line, OccurredAt, RulebookDocument,
    ShoeEnded, ShoeLoaded, TableClosed, TableId, TableOpened, ValuesComputed,
};

use crate::cli::CoupsCsv;
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::{Failure, about};
use crate::language::texts;
use crate::line_reader;
use crate::log::rulebook;
use crate::new_file::NewFile;
use crate::output;
use bounded::Bounded;
use row::{Columns, Row};

pub(crate) fn run(ask: &CoupsCsv) -> Result<Exit, Failure> {
    let book = rulebook(&ask.rulebook)?;
    if book.game() == Game::CheminDeFer {
        return Err(Failure::usage(texts().coups_without_bank(&book.id)));
    }
    let table: TableId =
        ask.table.parse().map_err(|error| Failure::usage(format!("--table: {}", said(&error))))?;
    // Times begin in 1970; a rulebook may be older.
    let first_day = book.effective.from.as_str().max("1970-01-01");
    let start = ask.start.clone().unwrap_or_else(|| format!("{first_day}T00:00:00Z"));
    let start: OccurredAt =
        start.parse().map_err(|error| Failure::usage(format!("--start: {}", said(&error))))?;
    let most = book.shoe.decks.last().copied().unwrap_or(8);
    let decks = ask.decks.unwrap_or(most);
    if decks == 0 || decks > 12 {
        return Err(Failure::usage(texts().bad_decks(decks)));
    }
    let file = ask.out.as_deref().map(|path| NewFile::begin(path, ask.force).map(|file| (path, file)));
    let file = file.transpose()?;
    // Nothing is handed on before the last row is read: a program behind a pipe must not get half a list.
    let mut converted = tempfile::tempfile().map_err(not_buffered)?;
    import(ask, Writer::new(BufWriter::new(&mut converted), table, start), &book, decks)?;
    converted.rewind().map_err(not_buffered)?;
    match file {
        Some((path, mut file)) => {
            let copied = io::copy(&mut converted, &mut file);
            copied.map_err(|error| Failure::machine(about(path.display(), &error)))?;
            file.keep()?;
        }
        None => output::print_json_by(|out| io::copy(&mut converted, out).map(drop))?,
    }
    Ok(Exit::Good)
}

fn not_buffered(error: io::Error) -> Failure {
    Failure::temporary(texts().events_not_buffered(), &error)
}

fn import<W: Write>(ask: &CoupsCsv, mut out: Writer<W>, book: &Rulebook, decks: u8) -> Result<(), Failure> {
    let (input, name) = line_reader::open(&ask.file)?;
    let (input, record) = Bounded::new(row::with_commas(input));
    let mut rows =
        csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).delimiter(b',').from_reader(input);
    let headers = rows.headers().map_err(|error| Failure::of_reading_in(&name, error))?.clone();
    let columns =
        Columns::of(&headers).map_err(|problem| Failure::unreadable(format!("{name}:1: {problem}")))?;
    columns.note(&name);
    out.open(book)?;
    let mut shoe: Option<OpenShoe> = None;
    let mut fields = csv::StringRecord::new();
    loop {
        record.begins();
        let line = rows.position().line();
        let read = rows.read_record(&mut fields);
        if !read.map_err(|error| Failure::of_reading_in(format!("{name}:{line}"), error))? {
            break;
        }
        let line = fields.position().map_or(line, csv::Position::line);
        let row = columns
            .read(&fields)
            .map_err(|problem| Failure::unreadable(format!("{name}:{line}: {problem}")))?;
        let id = row.shoe.clone().unwrap_or_else(|| format!("line-{line}"));
        if shoe.as_ref().is_none_or(|open| open.id != id || row.shoe.is_none()) {
            if let Some(open) = shoe.take() {
                out.end_shoe(&open)?;
            }
            shoe = Some(out.load_shoe(&id, decks, &name)?);
        }
        if let Some(open) = shoe.as_mut() {
            out.coup(&row, book, open, &format!("{name}:{line}"))?;
        }
    }
    if let Some(open) = shoe {
        out.end_shoe(&open)?;
    }
    out.event(Body::TableClosed(TableClosed {}))?;
    out.finish()
}

/// The shoe being written.
struct OpenShoe {
    id: String,
    cards: u16,
    drawn: u16,
    coups: u32,
}

/// Writes events with sequence and time counted on.
struct Writer<W> {
    out: W,
    table: TableId,
    sequence: u64,
    now: OccurredAt,
}

impl<W: Write> Writer<W> {
    const fn new(out: W, table: TableId, now: OccurredAt) -> Self {
        Self { out, table, sequence: 0, now }
    }

    fn event(&mut self, event: Body) -> Result<(), Failure> {
        self.sequence += 1;
        let line = Line { table: self.table.clone(), sequence: self.sequence, occurred_at: self.now, event };
        let later = OccurredAt::new(self.now.micros() + 1_000_000, self.now.offset_minutes());
        self.now = later.unwrap_or(self.now);
        let text = line.to_json().map_err(Failure::of_reading)?;
        writeln!(self.out, "{text}").map_err(Failure::of_reading)
    }

    fn finish(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(Failure::of_reading)
    }

    fn open(&mut self, book: &Rulebook) -> Result<(), Failure> {
        let rulebook =
            RulebookDocument::from_canonical(&book.canonical_json()).map_err(Failure::of_reading)?;
        let factor = book.limits.maximum_over_minimum.last().copied().unwrap_or(100);
        let sum = |minor_units: u64| baccarat::Money::new(minor_units).map_err(Failure::of_reading);
        // The list has no bets: the smallest limits the rulebook allows bind nobody.
        let limits =
            Limits { minimum: sum(1)?, maximum: sum(u64::from(factor))?, multiple: None, bets: Vec::new() };
        let seats = book.seats.numbers.iter().copied().collect();
        let currency = "XXX".parse().map_err(Failure::of_reading)?;
        self.event(Body::TableOpened(Box::new(TableOpened {
            rulebook,
            limits,
            currency,
            minor_digits: 0,
            seats,
        })))
    }

    fn load_shoe(&mut self, id: &str, decks: u8, name: &str) -> Result<OpenShoe, Failure> {
        let shoe = id.parse().map_err(|error| Failure::unreadable(texts().bad_shoe(name, said(&error))))?;
        let cards = u16::from(decks) * 52;
        self.event(Body::ShoeLoaded(Box::new(ShoeLoaded {
            shoe,
            decks,
            cards,
            cards_behind_cut: None,
            deck_serials: Vec::new(),
            back_colours: Vec::new(),
            order_commitment: None,
        })))?;
        let text = "imported from a list of coups: burn, cut card and bets were not written down";
        self.event(Body::IrregularityRecorded(Box::new(Irregularity {
            code: replay::BURN_NOT_RECORDED.parse().map_err(Failure::of_reading)?,
            coup: None,
            positions: Vec::new(),
            ruling: text.parse().map_err(Failure::of_reading)?,
            ruled_by: "import".parse().map_err(Failure::of_reading)?,
            countersigned_by: None,
        })))?;
        Ok(OpenShoe { id: id.to_owned(), cards, drawn: 0, coups: 0 })
    }

    fn end_shoe(&mut self, open: &OpenShoe) -> Result<(), Failure> {
        let cards_left = open.cards.saturating_sub(open.drawn);
        self.event(Body::ShoeEnded(ShoeEnded { cards_left, reveal: None }))
    }

    /// A coup, of which `place` says where it is written.
    fn coup(&mut self, row: &Row, book: &Rulebook, open: &mut OpenShoe, place: &str) -> Result<(), Failure> {
        let too_many = |why: String| Failure::unreadable(format!("{place}: {why}"));
        let next = || open.coups.checked_add(1).ok_or_else(|| too_many(texts().no_coup_behind(open.coups)));
        let coup = row.coup.map_or_else(next, Ok)?;
        open.coups = coup;
        self.event(Body::BetsClosed(BetsClosed { coup }))?;
        for (to, card) in row.draws(book) {
            let drawn = open.drawn.checked_add(1);
            open.drawn = drawn.ok_or_else(|| too_many(texts().too_many_cards(&open.id, u16::MAX)))?;
            self.event(Body::CardDrawn(CardDrawn {
                coup,
                position: open.drawn,
                card: Face::Seen(card),
                to,
            }))?;
        }
        let values = row.computed();
        if !values.is_empty() {
            self.event(Body::ValuesComputed(ValuesComputed { coup, values }))?;
        }
        let (winner, punto_total, banca_total) = row.result();
        self.event(Body::CoupSettled(CoupSettled {
            coup,
            winner,
            punto_total,
            banca_total,
            bets: Vec::new(),
        }))
    }
}
