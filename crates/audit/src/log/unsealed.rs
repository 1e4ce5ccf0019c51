//! Events that nobody sealed, as a source of entries: each line becomes an entry of its own. There is no checkpoint
//! and no key, so the reader can never find them intact.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use events::Line as EventLine;
use sealed_log::entry::{ChainName, Digest, EntryHeader, encode_entry};
use sealed_log::reader::{Claims, EntrySource, RawBlock, SourceError, Step};

use crate::cli::DEFAULT_PRODUCER;
use crate::errors::{Said, said};
use crate::language::texts;
use crate::line_reader::{Line, LineReader};

/// Entries given at once.
const AT_ONCE: usize = 256;

/// A file of events, one JSON object per line.
pub(super) struct UnsealedSource<R> {
    name: String,
    lines: LineReader<R>,
    claims: Claims,
    /// Digest of each table's newest entry.
    newest: BTreeMap<String, Digest>,
    next: u64,
}

impl<R: BufRead> UnsealedSource<R> {
    pub(super) fn new(name: String, input: R) -> Self {
        let lines = LineReader::new(input);
        Self { name, lines, claims: Claims::default(), newest: BTreeMap::new(), next: 0 }
    }

    fn next_entries(&mut self) -> io::Result<Vec<Vec<u8>>> {
        let mut entries = Vec::new();
        while entries.len() < AT_ONCE {
            let refused = |name: &str, number: u64, column: usize, why: &str| {
                io::Error::new(io::ErrorKind::InvalidData, Said(format!("{name}:{number}:{column}: {why}")))
            };
            let (number, text) = match self.lines.next()? {
                Line::End => break,
                Line::TooLong(number) => {
                    return Err(refused(&self.name, number, 1, &texts().line_longer_than_event()));
                }
                Line::Text(number, text) => (number, text),
            };
            if text.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let line = std::str::from_utf8(text)
                .map_err(|error| refused(&self.name, number, error.valid_up_to() + 1, &texts().not_utf8()))?;
            let event = EventLine::from_json(line)
                .map_err(|error| refused(&self.name, number, error.column, &said(&error)))?;
            let entry = entry(event, &mut self.newest)
                .map_err(|error| refused(&self.name, number, 1, &said(&*error)))?;
            entries.push(entry);
        }
        Ok(entries)
    }
}

/// The entry of one event. It was received when it happened, as far as anybody knows.
fn entry(
    event: EventLine,
    newest: &mut BTreeMap<String, Digest>,
) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let EventLine { table, sequence, occurred_at, event: body } = event;
    let table = table.to_string();
    let payload = events::encode_payload(&[events::Event { occurred_at, body }])?;
    let previous = newest.get(&table).copied().unwrap_or(Digest::ZERO);
    let header = EntryHeader {
        producer: DEFAULT_PRODUCER.parse()?,
        chain: ChainName::new(&table)?,
        first: sequence,
        count: 1,
        previous,
        received_at: occurred_at.micros(),
    };
    let bytes = encode_entry(&header, &payload)?;
    newest.insert(table, Digest::of(&bytes));
    Ok(bytes)
}

impl<R: BufRead> EntrySource for UnsealedSource<R> {
    fn claims(&self) -> &Claims {
        &self.claims
    }

    fn next_step(&mut self) -> Result<Step, SourceError> {
        let entries = self.next_entries()?;
        if entries.is_empty() {
            return Ok(Step::End);
        }
        let first = self.next;
        self.next += entries.len() as u64;
        Ok(Step::Block(RawBlock::of_entries(first, entries)))
    }
}
