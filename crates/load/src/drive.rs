//! Runs the load: one thread per connection, whose tables post in turn.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use client::{Client, ClientError, Options, Posted};

use crate::script::{Script, last_day, table_name};
use crate::session::Session;
use crate::tally::{Driven, TableProgress, Tally};
use crate::{LoadError, Plan};

/// How long a post waits before its connection is dropped on purpose: some are dropped before the service has
/// read them, some while it writes, some just before the answer.
const DROPPED_AFTER_MICROS: [u64; 6] = [100, 300, 700, 1_500, 3_000, 6_000];

/// Runs a load against the service at `base`; `progress` is called with the number of events of each
/// acknowledged post.
///
/// # Errors
/// [`LoadError`] for a plan that cannot be run, and if the service refuses a post permanently. Posts without
/// an answer are no error; they are counted.
pub fn drive(
    plan: &Plan,
    base: &str,
    options: &Options,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Driven, LoadError> {
    plan.check()?;
    let last = last_day();
    let scripts = (0..plan.tables).map(|table| Script::of(plan, &plan.rulebook, table, &last));
    let scripts = Arc::new(scripts.collect::<Result<Vec<_>, _>>()?);
    let (next_table, stop) = (AtomicU32::new(plan.tables), AtomicBool::new(false));
    let began = Instant::now();
    let tallies = std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for connection in 0..plan.connections {
            let client = Client::new(base, options.clone())?;
            let (scripts, next_table, stop) = (&scripts, &next_table, &stop);
            let shared = Shared { plan, scripts, next_table, stop, progress, began };
            let play = move || Connection::new(shared, client, connection)?.play();
            threads.push(std::thread::Builder::new().spawn_scoped(scope, play).map_err(|error| {
                stop.store(true, Ordering::Relaxed);
                LoadError::Plan(format!(
                    "no thread for connection {connection}: {error}; use fewer connections"
                ))
            })?);
        }
        let joined: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
        joined
            .into_iter()
            .map(|tally| tally.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect::<Result<Vec<Tally>, LoadError>>()
    })?;
    Driven::of(scripts, tallies, began.elapsed())
}

/// What all connections share.
#[derive(Clone, Copy)]
struct Shared<'a> {
    plan: &'a Plan,
    scripts: &'a [Script],
    next_table: &'a AtomicU32,
    /// Set when a post was refused: continuing is useless.
    stop: &'a AtomicBool,
    progress: &'a (dyn Fn(u64) + Sync),
    began: Instant,
}

/// A table that is playing.
struct Playing {
    /// Its index in `tally.played`.
    at: usize,
    session: Session,
    /// Its next post of the session.
    post: usize,
}

/// One connection with its tables.
struct Connection<'a> {
    shared: Shared<'a>,
    client: Client,
    connection: u32,
    playing: Vec<Playing>,
    tally: Tally,
    body: Vec<u8>,
    to_drop: u32,
}

impl<'a> Connection<'a> {
    fn new(shared: Shared<'a>, client: Client, connection: u32) -> Result<Self, LoadError> {
        let (tally, body) = (Tally::new()?, Vec::new());
        let mut opened_connection =
            Self { shared, client, connection, playing: Vec::new(), tally, body, to_drop: 0 };
        let plan = shared.plan;
        for table in (connection..plan.tables).step_by(plan.connections as usize) {
            let opened = opened_connection.open(table, table as usize);
            opened_connection.playing.push(opened);
        }
        Ok(opened_connection)
    }

    /// Opens a table that plays a script.
    fn open(&mut self, number: u32, script: usize) -> Playing {
        let name = table_name(self.shared.plan.run, number);
        let session = Session::first(&self.shared.scripts[script], &name);
        self.tally.played.push(TableProgress { number, name, script, acknowledged: 0, posted: 0 });
        Playing { at: self.tally.played.len() - 1, session, post: 0 }
    }

    fn play(mut self) -> Result<Tally, LoadError> {
        let mut due = Duration::ZERO;
        if self.shared.plan.rate.is_some() {
            // Connections take turns from the first moment on.
            due = self.gap(1) * self.connection / self.shared.plan.connections;
        }
        let mut turn = 0;
        while self.shared.began.elapsed() < self.shared.plan.time && !self.shared.stop.load(Ordering::Relaxed)
        {
            let count = self.post_next(turn, due)?;
            if self.shared.plan.rate.is_some() {
                due += self.gap(count);
            }
            turn = (turn + 1) % self.playing.len();
        }
        Ok(self.tally)
    }

    /// Time between two posts of this connection, the first of `count` events, that gives the plan's rate.
    fn gap(&self, count: u32) -> Duration {
        let Some(rate) = self.shared.plan.rate else { return Duration::ZERO };
        let nanos = u128::from(count) * u128::from(self.shared.plan.connections) * 1_000_000_000;
        Duration::from_nanos(u64::try_from(nanos / u128::from(rate.get())).unwrap_or(u64::MAX))
    }

    /// Makes the next post of the table whose turn it is; returns its number of events.
    fn post_next(&mut self, turn: usize, due: Duration) -> Result<u32, LoadError> {
        let scripts = self.shared.scripts;
        let Playing { at, session, post } = &self.playing[turn];
        let (at, played) = (*at, self.tally.played[*at].clone());
        let script = &scripts[played.script];
        let post = &script.posts[*post];
        let mut body = std::mem::take(&mut self.body);
        script.body(post, session, &mut body);
        let first = script.first(post, session.number);
        let from = self.when_due(due);
        self.tally.played[at].posted += u64::from(post.count);
        let outcome = self.post(&played.name, &body);
        self.body = body;
        match outcome {
            Ok(posted) => self.take(at, first..first + u64::from(post.count), posted, from.elapsed()),
            Err(error) if error.may_pass() => self.tally.given_up += 1,
            Err(error) => {
                self.shared.stop.store(true, Ordering::Relaxed);
                return Err(error.into());
            }
        }
        self.go_on(turn, script);
        Ok(post.count)
    }

    /// After a post: the table has another one, or opens again for its next session. If it is unknown what
    /// the log holds of it, or if it has no days left, another table opens.
    fn go_on(&mut self, turn: usize, script: &Script) {
        let playing = &mut self.playing[turn];
        let played = &self.tally.played[playing.at];
        let (known, number) = (played.acknowledged == played.posted, played.script);
        playing.post += 1;
        if known && playing.post == script.posts.len() {
            playing.post = 0;
            if playing.session.go_on(script) {
                return;
            }
        } else if known {
            return;
        }
        let next = self.shared.next_table.fetch_add(1, Ordering::Relaxed);
        self.playing[turn] = self.open(next, number);
    }

    /// Waits until a post is due; returns the moment from which its time is measured.
    fn when_due(&self, due: Duration) -> Instant {
        if self.shared.plan.rate.is_none() {
            return Instant::now();
        }
        let due = self.shared.began + due;
        sleep(due.saturating_duration_since(Instant::now()));
        due
    }

    /// Posts until there is an answer; for some posts, drops the connection on purpose first.
    fn post(&mut self, table: &str, body: &[u8]) -> Result<Posted, ClientError> {
        self.to_drop += u32::from(self.shared.plan.disconnect);
        if self.to_drop >= 100 {
            self.to_drop -= 100;
            let wait = DROPPED_AFTER_MICROS[self.tally.disconnected as usize % DROPPED_AFTER_MICROS.len()];
            self.tally.disconnected += 1;
            match self.client.post_and_drop(table, body, Duration::from_micros(wait)) {
                Err(error) if error.may_pass() => {}
                answered => return answered,
            }
        }
        let tally = &mut self.tally;
        self.client.post_until(table, body, |error| tally.failed(error))
    }

    fn take(&mut self, at: usize, events: Range<u64>, posted: Posted, took: Duration) {
        let table = &mut self.tally.played[at];
        let count = events.end - events.start;
        table.acknowledged += count;
        let number = table.number;
        self.tally.answered(number, events, posted, took);
        (self.shared.progress)(count);
    }
}
