//! A recorder that keeps what it is given in memory. An event is a line with its sequence, or `!` and anything: a
//! message with such a line is refused.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use fleet::{Committed, NotRecorded, Recorded, Recorder};

/// An event: its table and its sequence.
pub type Event = (String, u64);

#[derive(Default)]
struct Log {
    /// What was recorded, in order.
    history: Vec<Event>,
    /// Where each event is.
    known: BTreeMap<Event, u64>,
}

/// A log in memory.
#[derive(Default)]
pub struct Memory {
    origin: String,
    log: Mutex<Log>,
    /// What a predecessor has recorded and committed.
    inherited: BTreeSet<Event>,
    /// It takes nothing.
    pub full: AtomicBool,
    /// For so many milliseconds, recording stops this whole thread.
    pub pauses_thread: AtomicU64,
    /// How often it was asked.
    pub asked: AtomicU64,
}

impl Memory {
    pub fn new(origin: &str) -> Self {
        Self { origin: origin.to_owned(), ..Self::default() }
    }

    /// A log that goes on after a predecessor's, which was committed up to this size.
    pub fn after(origin: &str, predecessor: &Self, committed: &Committed) -> Self {
        let mut inherited = predecessor.inherited.clone();
        if committed.origin == predecessor.origin {
            inherited
                .extend(predecessor.history().into_iter().take(usize::try_from(committed.size).unwrap()));
        }
        Self { inherited, ..Self::new(origin) }
    }

    /// What was recorded, in order.
    pub fn history(&self) -> Vec<Event> {
        self.log.lock().unwrap().history.clone()
    }

    fn take(&self, table: &str, sequences: &[u64]) -> Recorded {
        let mut log = self.log.lock().unwrap();
        let first_sequence = sequences.iter().min().copied().unwrap_or(0);
        let last_sequence = sequences.iter().max().copied().unwrap_or(0);
        let mut recorded = Recorded { first_sequence, last_sequence, ..Recorded::default() };
        for sequence in sequences {
            let event = (table.to_owned(), *sequence);
            let index = u64::try_from(log.history.len()).unwrap();
            match log.known.get(&event) {
                Some(index) => {
                    recorded.already_there += 1;
                    recorded.entries.push(*index);
                }
                None if self.inherited.contains(&event) => recorded.already_there += 1,
                None => {
                    log.history.push(event.clone());
                    log.known.insert(event, index);
                    recorded.recorded += 1;
                    recorded.entries.push(index);
                }
            }
        }
        recorded
    }
}

impl Recorder for Memory {
    async fn record(
        &self,
        table: &str,
        content_type: Option<&str>,
        message: &[u8],
    ) -> Result<Recorded, NotRecorded> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        if self.full.load(Ordering::SeqCst) {
            return Err(NotRecorded::Unavailable("the disk is full".into()));
        }
        let pause = self.pauses_thread.swap(0, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(pause));
        if content_type != Some("text/plain") {
            return Err(NotRecorded::Refused(format!("the content type is {content_type:?}")));
        }
        let text =
            std::str::from_utf8(message).map_err(|_| NotRecorded::Refused("it is not UTF-8".into()))?;
        let sequences: Result<Vec<u64>, _> = text.lines().map(str::parse).collect();
        let sequences =
            sequences.map_err(|_| NotRecorded::Refused(format!("{text:?} has a line without a number")))?;
        // Other tables come in between.
        tokio::task::yield_now().await;
        Ok(self.take(table, &sequences))
    }

    async fn checkpoint(&self) -> Result<Committed, String> {
        let size = u64::try_from(self.log.lock().unwrap().history.len()).unwrap();
        let checkpoint = format!("{}\n{size}\n", self.origin);
        Ok(Committed { origin: self.origin.clone(), size, checkpoint, ..Committed::default() })
    }
}

/// A message of these sequences.
pub fn message(sequences: impl IntoIterator<Item = u64>) -> Vec<u8> {
    sequences.into_iter().map(|sequence| format!("{sequence}\n")).collect::<String>().into_bytes()
}
