//! What a table plays, written down before the clock starts: bodies of posts in which only the table's
//! name is put in later, so that a script can be played at one table after the other.

use std::ops::Range;

use baccarat::Rulebook;
use events::{Body, Event, Line, TableId};

use crate::plan::Batch;
use crate::{LoadError, Plan};

/// What every line begins with, as [`Line::to_json`] writes it.
const BEFORE_NAME: &str = "{\"table\":\"";
/// Stands where a table's name will; all names are of this length.
const PLACE_OF_NAME: &str = "000000-00000";
/// Most bytes of one post, as the service has it by default.
const MOST_BYTES: usize = 8 << 20;

/// One post of a script.
#[derive(Debug, Clone)]
pub(crate) struct Post {
    bytes: Range<usize>,
    /// Sequence of its first event.
    pub(crate) first: u64,
    /// How many events it has.
    pub(crate) count: u32,
}

/// A table's session from its opening to its closing.
#[derive(Debug, Default)]
pub(crate) struct Script {
    text: Vec<u8>,
    /// Where lines begin in the text.
    starts: Vec<usize>,
    pub(crate) posts: Vec<Post>,
    /// What is posted, to be found again in the log.
    pub(crate) events: Vec<Event>,
}

impl Script {
    /// The script of a plan's table.
    pub(crate) fn of(plan: &Plan, rulebook: &Rulebook, table: u32) -> Result<Self, LoadError> {
        let seed = plan.seed.wrapping_add(u64::from(table).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let played = casino::Plan { shoes: plan.shoes, seed, ..casino::Plan::new(rulebook.clone()) };
        let name: TableId = PLACE_OF_NAME.parse().map_err(own_fault)?;
        let (mut script, mut open) = (Self::default(), None);
        for line in casino::simulate(&played).lines {
            let sequence = line.sequence;
            let ends = script.push(Line { table: name.clone(), ..line }, plan.batch, open)?;
            open = Some(open.unwrap_or(sequence)).filter(|_| !ends);
        }
        Ok(script)
    }

    /// Adds an event to the post that begins with the event `open`, or to a new one; whether that is
    /// complete with it.
    fn push(&mut self, line: Line, batch: Batch, open: Option<u64>) -> Result<bool, LoadError> {
        let text = line.to_json().map_err(own_fault)?;
        let start = self.text.len();
        if !text.starts_with(BEFORE_NAME) || line.sequence != self.events.len() as u64 + 1 {
            return Err(LoadError::OwnFault("a script is not written as a script is".to_owned()));
        }
        if open.is_none() {
            self.posts.push(Post { bytes: start..start, first: line.sequence, count: 0 });
        }
        self.starts.push(start);
        self.text.extend_from_slice(text.as_bytes());
        self.text.push(b'\n');
        let Some(post) = self.posts.last_mut() else { return Ok(true) };
        post.bytes.end = self.text.len();
        post.count += 1;
        let full = post.count as usize >= crate::MAX_BATCH || post.bytes.len() > MOST_BYTES / 2;
        let ends = full || ends_post(&line.event, post.count, batch);
        self.events.push(line.into_event());
        Ok(ends)
    }

    /// Writes a post's body for the table of this name.
    pub(crate) fn body(&self, post: &Post, name: &str, body: &mut Vec<u8>) {
        body.clear();
        body.extend_from_slice(&self.text[post.bytes.clone()]);
        let first = post.first as usize - 1;
        for start in &self.starts[first..first + post.count as usize] {
            let place = start - post.bytes.start + BEFORE_NAME.len();
            body[place..place + PLACE_OF_NAME.len()].copy_from_slice(name.as_bytes());
        }
    }
}

/// Whether a post of `count` events is complete with this one.
const fn ends_post(event: &Body, count: u32, batch: Batch) -> bool {
    match batch {
        Batch::Events(events) => count as usize >= events,
        Batch::Coup => matches!(event, Body::CoupSettled(_) | Body::CoupVoided(_)),
        Batch::Shoe => matches!(event, Body::ShoeEnded(_)),
    }
}

fn own_fault(error: impl ToString) -> LoadError {
    LoadError::OwnFault(error.to_string())
}

/// The name of a run's table, in digits of base 36.
pub(crate) fn table_name(run: u64, number: u32) -> String {
    let mut name = [b'-'; PLACE_OF_NAME.len()];
    let (before, after) = name.split_at_mut(6);
    write_base36(before, run);
    write_base36(&mut after[1..], u64::from(number));
    name.iter().copied().map(char::from).collect()
}

fn write_base36(digits: &mut [u8], mut number: u64) {
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789abcdefghijklmnopqrstuvwxyz"[(number % 36) as usize];
        number /= 36;
    }
}
