//! The events of a table, written down before the clock starts: when they are posted, only the table's name
//! and what differs between sessions is inserted.

use std::ops::Range;
use std::time::UNIX_EPOCH;

use baccarat::Rulebook;
use events::{Body, Event, Line, OccurredAt, TableId};

use crate::numbers::{Ahead, Number, numbers};
use crate::plan::Batch;
use crate::session::Session;
use crate::{LoadError, Plan};

/// Placeholder of a table's name; it has the length of a real name.
const NAME_PLACEHOLDER: &str = "000000-00000";
/// The text before the table's name in every line, as [`Line::to_json`] writes it.
const BEFORE_NAME: &str = "{\"table\":\"";
/// The text between the table and the sequence.
const BEFORE_SEQUENCE: &str = "\",\"sequence\":";
/// The text between the sequence and the day.
const BEFORE_DAY: &str = ",\"occurred_at\":\"";
/// Most bytes of one post, as the service has it by default.
const MOST_BYTES: usize = 8 << 20;
const MICROS_OF_A_DAY: i64 = 86_400_000_000;

/// One post of a script.
#[derive(Debug, Clone)]
pub(crate) struct Post {
    /// Its first event, in the script's own numbering from 1.
    first: u64,
    /// How many events it has.
    pub(crate) count: u32,
    /// Bytes of its body, in the first session.
    bytes: usize,
}

/// One line: the text after its day.
#[derive(Debug)]
struct Rest {
    text: Range<usize>,
    placeholders: Range<usize>,
    /// Its day, of those of the script.
    day: usize,
}

/// A position in the text at which a number is inserted that advances from session to session.
#[derive(Debug)]
struct NumberPlaceholder {
    at: usize,
    number: Number,
}

/// A table's session from its opening to its closing, which it repeats with advanced sequences, days, bets
/// and shoes.
#[derive(Debug, Default)]
pub(crate) struct Script {
    text: Vec<u8>,
    lines: Vec<Rest>,
    placeholders: Vec<NumberPlaceholder>,
    pub(crate) posts: Vec<Post>,
    /// The events of the first session, to be found again in the log.
    events: Vec<Event>,
    /// Days from its first event to its last, both counted.
    days: u64,
    /// Its highest numbers: each session is advanced by them.
    ahead: Ahead,
    /// The last day it may play on, as `YYYY-MM-DD`: its rulebook no longer holds, or the day is not over yet.
    until: String,
}

impl Script {
    /// The script of a plan's table, which plays up to the day `last`, as `YYYY-MM-DD`.
    pub(crate) fn of(plan: &Plan, rulebook: &Rulebook, table: u32, last: &str) -> Result<Self, LoadError> {
        let seed = plan.seed.wrapping_add(u64::from(table).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let played = casino::Plan { shoes: plan.shoes, seed, ..casino::Plan::new(rulebook.clone()) };
        let name: TableId = NAME_PLACEHOLDER.parse().map_err(own_fault)?;
        let until = rulebook.effective.until.as_deref().map_or(last, |until| until.min(last)).to_owned();
        let mut script = Self { until, ..Self::default() };
        let mut open = false;
        for line in casino::simulate(&played).lines {
            open = !script.push(Line { table: name.clone(), ..line }, plan.batch, open)?;
        }
        script.days(0).ok_or_else(|| own_fault("a script outside the calendar"))?;
        Ok(script)
    }

    /// Adds an event to the newest post where that is open, or to a new one; whether that is complete
    /// with it.
    fn push(&mut self, mut line: Line, batch: Batch, open: bool) -> Result<bool, LoadError> {
        if line.sequence != self.events.len() as u64 + 1 {
            return Err(own_fault("a script is not numbered as a script is"));
        }
        let bytes = self.write(&mut line)?;
        if !open {
            self.posts.push(Post { first: line.sequence, count: 0, bytes: 0 });
        }
        let Some(post) = self.posts.last_mut() else { return Ok(true) };
        post.bytes += bytes;
        post.count += 1;
        let full = post.count as usize >= crate::MAX_BATCH || post.bytes > MOST_BYTES / 2;
        let ends = full || ends_post(&line.event, post.count, batch);
        self.events.push(line.into_event());
        Ok(ends)
    }

    /// Writes down a line; gives its length.
    fn write(&mut self, line: &mut Line) -> Result<usize, LoadError> {
        if let Body::ShoeLoaded(loaded) = &mut line.event {
            // A deck is not played twice; which decks a session has nobody asks.
            loaded.deck_serials.clear();
        }
        let unlike = || own_fault(format!("event {} of a script is not written as expected", line.sequence));
        let text = line.to_json().map_err(own_fault)?;
        let day = line.occurred_at.local_day();
        let prefix =
            format!("{BEFORE_NAME}{NAME_PLACEHOLDER}{BEFORE_SEQUENCE}{}{BEFORE_DAY}{day}", line.sequence);
        let mut rest = text.strip_prefix(&prefix).ok_or_else(unlike)?;
        let (start, first_placeholder) = (self.text.len(), self.placeholders.len());
        for (before, number) in numbers(&mut line.event)? {
            let (kept, behind) =
                split_around(rest, &before, Ahead::default().of(number)).ok_or_else(unlike)?;
            self.text.extend_from_slice(kept.as_bytes());
            self.placeholders.push(NumberPlaceholder { at: self.text.len(), number });
            rest = behind;
            match number {
                Number::Bet(bet) => self.ahead.bets = self.ahead.bets.max(bet),
                Number::Shoe(shoe) => self.ahead.shoes = self.ahead.shoes.max(shoe),
            }
        }
        self.text.extend_from_slice(rest.as_bytes());
        self.text.push(b'\n');
        let first_day = self.events.first().map_or(line.occurred_at, |event| event.occurred_at);
        let day = usize::try_from(day_number(line.occurred_at) - day_number(first_day)).map_err(own_fault)?;
        self.days = self.days.max(day as u64 + 1);
        self.lines.push(Rest {
            text: start..self.text.len(),
            placeholders: first_placeholder..self.placeholders.len(),
            day,
        });
        Ok(text.len() + 1)
    }

    /// The beginning of a table's lines, up to the sequence.
    pub(crate) fn prefix(table: &str) -> String {
        format!("{BEFORE_NAME}{table}{BEFORE_SEQUENCE}")
    }

    /// The days of a session, the first having the number 0, as `YYYY-MM-DD`. None where the calendar
    /// ends before it does, or where it is a later one and lies behind the last day.
    pub(crate) fn days(&self, session: u64) -> Option<Vec<String>> {
        let opening = self.events.first()?.occurred_at;
        let day = |day| Some(later(opening, day)?.local_day());
        let first = session.checked_mul(self.days)?;
        let days: Vec<String> = (first..first + self.days).map(day).collect::<Option<_>>()?;
        (session == 0 || days.last() <= Some(&self.until)).then_some(days)
    }

    /// Sequence of a post's first event, in this session of a table.
    pub(crate) fn first(&self, post: &Post, session: u64) -> u64 {
        post.first + session * self.events.len() as u64
    }

    /// Writes a post's body as it is in this session.
    pub(crate) fn body(&self, post: &Post, session: &Session, body: &mut Vec<u8>) {
        body.clear();
        let (mut digits, first) = (itoa::Buffer::new(), post.first as usize - 1);
        let lines = &self.lines[first..first + post.count as usize];
        let ahead = self.ahead(session.number);
        for (line, sequence) in lines.iter().zip(self.first(post, session.number)..) {
            body.extend_from_slice(session.prefix.as_bytes());
            body.extend_from_slice(digits.format(sequence).as_bytes());
            body.extend_from_slice(BEFORE_DAY.as_bytes());
            body.extend_from_slice(session.days[line.day].as_bytes());
            let mut written = line.text.start;
            for placeholder in &self.placeholders[line.placeholders.clone()] {
                body.extend_from_slice(&self.text[written..placeholder.at]);
                body.extend_from_slice(digits.format(ahead.of(placeholder.number)).as_bytes());
                written = placeholder.at;
            }
            body.extend_from_slice(&self.text[written..line.text.end]);
        }
    }

    /// The event that a table posts under this sequence, in whatever session that is.
    pub(crate) fn posted(&self, sequence: u64) -> Option<Event> {
        let (before, length) = (sequence.checked_sub(1)?, self.events.len() as u64);
        let session = before.checked_div(length)?;
        let Event { occurred_at, body } = self.events.get(usize::try_from(before % length).ok()?)?;
        let occurred_at = later(*occurred_at, session.checked_mul(self.days)?)?;
        Some(Event { occurred_at, body: self.ahead(session).moved(body.clone())? })
    }

    const fn ahead(&self, session: u64) -> Ahead {
        Ahead { bets: session * self.ahead.bets, shoes: session * self.ahead.shoes }
    }
}

/// Splits a text around a number: returns the parts before and after it, where the number follows the first
/// `before`.
fn split_around<'a>(text: &'a str, before: &str, number: u64) -> Option<(&'a str, &'a str)> {
    let (kept, rest) = text.split_at(text.find(before)? + before.len());
    let rest = rest.strip_prefix(&number.to_string())?;
    (!rest.starts_with(|next: char| next.is_ascii_digit())).then_some((kept, rest))
}

/// Whether a post of `count` events is complete with this one.
const fn ends_post(event: &Body, count: u32, batch: Batch) -> bool {
    match batch {
        Batch::Events(events) => count as usize >= events,
        Batch::Coup => matches!(event, Body::CoupSettled(_) | Body::CoupVoided(_)),
        Batch::Shoe => matches!(event, Body::ShoeEnded(_)),
    }
}

/// The local day, counted from 1970.
fn day_number(time: OccurredAt) -> i64 {
    (time.micros() + i64::from(time.offset_minutes()) * 60_000_000).div_euclid(MICROS_OF_A_DAY)
}

/// The last day that is over in every time zone, by this machine's clock.
pub(crate) fn last_day() -> String {
    let now = UNIX_EPOCH.elapsed().unwrap_or_default().as_micros();
    let now = i64::try_from(now).ok().and_then(|now| OccurredAt::new(now - 2 * MICROS_OF_A_DAY, 0));
    now.map(OccurredAt::local_day).unwrap_or_default()
}

/// The same time of day so many days later.
fn later(time: OccurredAt, days: u64) -> Option<OccurredAt> {
    let micros = i64::try_from(days).ok()?.checked_mul(MICROS_OF_A_DAY)?;
    OccurredAt::new(time.micros().checked_add(micros)?, time.offset_minutes())
}

fn own_fault(error: impl ToString) -> LoadError {
    LoadError::OwnFault(error.to_string())
}

/// The name of a run's table, in digits of base 36.
pub(crate) fn table_name(run: u64, number: u32) -> String {
    let mut name = [b'-'; NAME_PLACEHOLDER.len()];
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::collections::BTreeSet;
    use std::time::Duration;

    use events::encode_payload;
    use replay::{Entry, Judge};

    use super::*;

    const TABLE: &str = "00000a-00001";

    fn plan(rulebook: &Rulebook, batch: Batch) -> Plan {
        Plan {
            rulebook: rulebook.clone(),
            tables: 1,
            connections: 1,
            shoes: 2,
            batch,
            rate: None,
            time: Duration::ZERO,
            disconnect: 0,
            seed: 5,
            run: 10,
        }
    }

    fn script(rulebook: &Rulebook, batch: Batch) -> Script {
        Script::of(&plan(rulebook, batch), rulebook, 3, "9999-12-31").unwrap()
    }

    /// The lines of each post of these many sessions of a table.
    fn play(script: &Script, sessions: u64) -> Vec<Vec<Line>> {
        let (mut session, mut body, mut played) = (Session::first(script, TABLE), Vec::new(), Vec::new());
        for number in 0..sessions {
            assert_eq!(session.number, number);
            for post in &script.posts {
                script.body(post, &session, &mut body);
                let lines = std::str::from_utf8(&body).unwrap().lines();
                let lines: Vec<Line> = lines.map(|line| Line::from_json(line).unwrap()).collect();
                assert_eq!(lines[0].sequence, script.first(post, number));
                assert_eq!(lines.len(), post.count as usize);
                played.push(lines);
            }
            assert!(session.go_on(script));
        }
        played
    }

    #[test]
    fn sessions_go_on_without_a_finding_under_every_rulebook() {
        for (name, _) in baccarat::builtins() {
            let (mut judge, mut due, mut shoes) = (Judge::default(), 1, BTreeSet::new());
            let script = script(&baccarat::builtin(name).unwrap(), Batch::Coup);
            for (index, lines) in (0..).zip(play(&script, 12)) {
                let (first, mut events) = (lines[0].sequence, Vec::new());
                for line in lines {
                    assert_eq!((line.table.as_str(), line.sequence), (TABLE, due), "{name}");
                    if let Body::ShoeLoaded(loaded) = &line.event {
                        assert!(shoes.insert(loaded.shoe.clone()), "{name}: {} again", loaded.shoe);
                    }
                    let event = line.into_event();
                    assert_eq!(script.posted(due).as_ref(), Some(&event), "{name}: event {due}");
                    events.push(event);
                    due += 1;
                }
                let (count, payload) = (events.len() as u32, encode_payload(&events).unwrap());
                let entry =
                    Entry { index, table: TABLE, first, count, payload: &payload, ..Entry::default() };
                judge.judge(&[entry]);
            }
            let judgement = judge.finish();
            assert_eq!(judgement.summary.findings_by_code.len(), 0, "{name}: {:#?}", judgement.findings);
            assert_eq!(
                (shoes.len(), judgement.missing_events, judgement.repeated_events),
                (24, 0, 0),
                "{name}"
            );
            assert!(
                judgement.summary.coups.judged + judgement.summary.coups.certified > 240,
                "{name}: {:?}",
                judgement.summary.coups
            );
        }
    }

    #[test]
    fn a_day_that_is_not_over_yet_is_not_played() {
        let rulebook = baccarat::builtin("mini-punto-banco").unwrap();
        let script = Script::of(&plan(&rulebook, Batch::Shoe), &rulebook, 3, "2026-03-04").unwrap();
        assert_eq!(script.days(3).unwrap(), ["2026-03-04"]);
        assert!(script.days(4).is_none());
        let (first, last) = (script.days(0).unwrap(), last_day());
        assert!(first[0] < last && last.len() == first[0].len(), "{last}");
    }

    #[test]
    fn a_session_on_a_day_without_its_rulebook_is_not_played() {
        let mut rulebook = baccarat::builtin("mini-punto-banco").unwrap();
        rulebook.effective.until = Some("2026-03-03".to_owned());
        let script = script(&rulebook, Batch::Shoe);
        assert_eq!(script.days, 1);
        let mut session = Session::first(&script, TABLE);
        let mut days = session.days.clone();
        while session.go_on(&script) {
            days.extend(session.days.clone());
        }
        assert_eq!(days, ["2026-03-01", "2026-03-02", "2026-03-03"]);
        // The calendar's last year is 9999.
        let script = Script { until: "9999-12-31".to_owned(), ..script };
        assert_eq!(script.days(365 * 7_973).unwrap().len(), 1);
        assert!(script.days(366 * 7_974).is_none());
    }
}
