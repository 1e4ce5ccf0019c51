//! `audit watch`: follows a running service and shows each finding as it appears.
//!
//! What a service says is its operator's claim. It is shown, and compared only with what the service said before.

mod asking;
mod said;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use client::{Client, ClientError, FindingsPage, Options};

use self::asking::{Answer, ask};
pub(super) use self::said::Line;
use self::said::{Said, Tally};
use crate::cli::Watch;
use crate::errors::{said as said_of, said_text};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::machine::is_trouble_of_network;
use crate::shown::plain;
use crate::{output, served, signals};

/// Findings asked for at once.
const AT_ONCE: usize = 100;
/// Longest time for one answer.
const LONGEST_ANSWER: Duration = Duration::from_secs(20);
/// Pause between two requests where nothing is left to ask for.
const PAUSE: Duration = Duration::from_secs(1);
/// Least time between two lines about growth.
const GROWTH: Duration = Duration::from_secs(10);
/// Pause after the first answer that does not come; it doubles.
const FIRST_RETRY: Duration = Duration::from_secs(1);
/// Longest such pause.
const LONGEST_RETRY: Duration = Duration::from_secs(30);

pub(crate) fn run(ask: &Watch) -> Result<Exit, Failure> {
    let options = Options { timeout: LONGEST_ANSWER, ..served::options(&ask.url, &ask.ask_as)? };
    let has_token = options.token.is_some();
    let client = Client::new(&ask.url, options).map_err(|error| match error {
        ClientError::Options(why) => Failure::usage(said_text(&why)),
        ClientError::Refused { .. } | ClientError::Unanswered { .. } | ClientError::Unexpected { .. } => {
            Failure::of_reading(error)
        }
    })?;
    let asked_to_end = signals::end_asked();
    let mut watching = Watching {
        ask,
        client,
        has_token,
        after: ask.since,
        said: Said::new(ask.json),
        tally: Tally::default(),
        lost: None,
        is_first: true,
    };
    let ended = watching.follow(&asked_to_end);
    if !ask.json && !watching.is_first {
        output::note(&texts().watched_up_to(watching.after));
    }
    let exit = watching.tally.exit();
    ended.map(|ended| if ended == End::Stopped { exit.worse(Exit::Open) } else { exit })
}

/// Why watching ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Somebody asked for it, or nobody reads any longer.
    Asked,
    CaughtUp,
    /// Live certification has stopped, and waiting for it would not end.
    Stopped,
}

/// No answer since.
struct Lost {
    since: Instant,
    pause: Duration,
}

struct Watching<'a> {
    ask: &'a Watch,
    client: Client,
    has_token: bool,
    after: u64,
    said: Said,
    tally: Tally,
    lost: Option<Lost>,
    is_first: bool,
}

impl Watching<'_> {
    fn follow(&mut self, asked_to_end: &AtomicBool) -> Result<End, Failure> {
        loop {
            let Some(answer) = ask(&self.client, self.after, AT_ONCE, asked_to_end)? else {
                return Ok(End::Asked);
            };
            let pause = match answer {
                Ok(answer) => {
                    self.is_back()?;
                    let before = self.after;
                    let end = self.take(answer)?;
                    if self.said.is_unread() || end.is_some() {
                        return Ok(end.unwrap_or(End::Asked));
                    }
                    if self.after > before { Duration::ZERO } else { PAUSE }
                }
                Err(error) => self.is_lost(&error)?,
            };
            if asking::wait(pause, asked_to_end) || self.said.is_unread() {
                return Ok(End::Asked);
            }
        }
    }

    /// An answer came.
    fn is_back(&mut self) -> Result<(), Failure> {
        self.is_first = false;
        if self.lost.take().is_some() {
            self.said.back()?;
        }
        Ok(())
    }

    /// No answer came: gives how long to wait.
    fn is_lost(&mut self, error: &ClientError) -> Result<Duration, Failure> {
        let may_pass = is_trouble_of_network(error) && !self.is_first;
        let lost = self.lost.get_or_insert_with(|| Lost { since: Instant::now(), pause: FIRST_RETRY });
        let has_patience =
            self.ask.patience.is_none_or(|most| lost.since.elapsed() < Duration::from_secs(most));
        if !may_pass || !has_patience {
            return Err(served::refused(error, self.has_token));
        }
        let pause = lost.pause.max(asking::asked_pause(error)).min(LONGEST_RETRY);
        lost.pause = lost.pause.saturating_mul(2).min(LONGEST_RETRY);
        self.said.lost(&plain(&said_of(error)), pause)?;
        Ok(pause)
    }

    fn take(&mut self, Answer { page, checkpoint }: Answer) -> Result<Option<End>, Failure> {
        self.check(&page)?;
        if let Some(checkpoint) = checkpoint {
            self.said.checkpoint(checkpoint.checkpoint()).map_err(|why| self.broken(&why))??;
        }
        for raw in &page.findings {
            let number = self.said.published(raw.get(), &mut self.tally)?;
            let Some(number) = number.filter(|number| (self.after + 1..=page.next).contains(number)) else {
                return Err(self.strange(&texts().findings_out_of_order(self.after)));
            };
            self.after = number;
            if self.said.is_unread() {
                return Ok(Some(End::Asked));
            }
        }
        self.after = page.next;
        let is_caught_up = page.next >= page.published && page.judged >= page.size;
        self.said.growth(&page, is_caught_up)?;
        Ok(match (self.ask.until_caught_up, page.follower.state.as_str()) {
            (true, _) if is_caught_up => Some(End::CaughtUp),
            (true, state) if state != "following" && page.next >= page.published => Some(End::Stopped),
            (_, _) => None,
        })
    }

    /// Whether a page goes on from the last one.
    fn check(&self, page: &FindingsPage) -> Result<(), Failure> {
        if page.published < self.after {
            return Err(self.strange(&texts().fewer_findings_than_seen(page.published, self.after)));
        }
        if page.next < self.after || page.next > page.published {
            return Err(self.strange(&texts().findings_out_of_order(self.after)));
        }
        Ok(())
    }

    fn strange(&self, why: &str) -> Failure {
        Failure::unreadable(format!("{}: {why}", self.client.base()))
    }

    fn broken(&self, why: &str) -> Failure {
        Failure::seal(format!("{}: {why}", self.client.base()))
    }
}
