//! Keeps the service's own log readable under attack: the first few refusals of each kind are logged as they
//! come, then one line per minute gives the number of the others and their most frequent peer.
//!
//! Kinds depend on values of this program only, never on a client's text, so their number is bounded and one
//! kind cannot hide another. Lines that are not refusals do not pass through here; they are always logged.

mod peers;
mod summary;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use door::Notice;
use tracing::{info, warn};

use crate::access::TokenId;
use peers::Peers;
pub(crate) use summary::SummaryThread;

/// Lines of a kind that are logged as they come.
const WRITTEN: u32 = 5;
/// The same in a minute that follows one with suppressed lines.
const WRITTEN_STILL: u32 = 1;
/// How long suppressed refusals are counted before they are summed up.
const MINUTE: Duration = Duration::from_secs(60);
/// Most kinds that are distinguished by route and token; further ones are distinguished by answer only.
const MOST_KINDS: usize = 512;

/// Longest logged reason for a refused connection, characters.
const LONGEST_WHY: usize = 200;

/// A kind of refusal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Requests answered with a problem.
    Request {
        /// Status of the answer, 400 to 599.
        status: u16,
        /// What kind of problem.
        problem: &'static str,
        /// Why access was refused.
        why: Option<&'static str>,
        /// The path as the service names it.
        route: Option<String>,
        /// The token that was shown, if it belongs to the service.
        token: Option<TokenId>,
    },
    /// Connections that were refused before any request.
    Connection {
        /// The reason, without text that a client chooses.
        why: String,
    },
}

impl Kind {
    /// The kind reduced to fields with few values.
    fn in_short(self) -> Self {
        match self {
            Self::Request { status, problem, why, .. } => {
                Self::Request { status, problem, why, route: None, token: None }
            }
            Self::Connection { .. } => Self::Connection { why: "several reasons".to_owned() },
        }
    }

    /// Logs a summary of the suppressed refusals.
    fn report(&self, held: &Held) {
        let (more, seconds, peers) = (held.count, held.since.elapsed().as_secs(), held.peers.len());
        let most = held.peers.most();
        let (most_from, of_those) =
            (most.as_ref().map(|(peer, _)| peer), most.as_ref().map(|(_, count)| count));
        match self {
            Self::Request { status, problem, why, route, token } => {
                let token = token.as_ref().map(ToString::to_string);
                macro_rules! line {
                    ($write:ident, $message:literal) => {
                        $write!(
                            more, seconds, status, problem, why, route, token, peers, most_from, of_those,
                            $message
                        )
                    };
                }
                if is_grave(*status) {
                    line!(warn, "more requests like those before");
                } else {
                    line!(info, "more requests like those before");
                }
            }
            Self::Connection { why } => {
                warn!(more, seconds, why, peers, most_from, of_those, "more connections like those before");
            }
        }
    }
}

/// Whether a refusal is logged as a warning: the service failed, or access was refused.
pub(crate) const fn is_grave(status: u16) -> bool {
    matches!(status, 401 | 403 | 500..)
}

/// Suppressed refusals of one kind.
#[derive(Debug)]
struct Held {
    since: Instant,
    count: u64,
    peers: Peers,
}

impl Held {
    fn begun(since: Instant) -> Self {
        Self { since, count: 0, peers: Peers::default() }
    }

    fn is_over(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.since) >= MINUTE
    }
}

/// One kind during one minute.
#[derive(Debug)]
struct Minute {
    /// Lines that may still be logged.
    left: u32,
    held: Held,
}

/// Decides which refusals are logged.
#[derive(Debug, Default)]
pub(crate) struct RefusalLog(Mutex<BTreeMap<Kind, Minute>>);

impl RefusalLog {
    /// Logs a notice of the HTTP server.
    pub(crate) fn connection_notice(&self, notice: &Notice) {
        let Notice::ConnectionRefused { peer, why } = notice else {
            warn!("{notice}");
            return;
        };
        let why = plain(why, LONGEST_WHY);
        // The text after a colon differs each time: a certificate's times, for example.
        let alike = why.split(':').next().unwrap_or_default().to_owned();
        if self.should_write(Kind::Connection { why: alike }, Some(peer.ip())) {
            warn!(peer = %peer, why, "connection refused");
        }
    }

    /// Whether a refusal of this kind is logged; if not, it is counted for the summary.
    pub(crate) fn should_write(&self, kind: Kind, peer: Option<IpAddr>) -> bool {
        self.should_write_at(kind, peer, Instant::now())
    }

    fn should_write_at(&self, kind: Kind, peer: Option<IpAddr>, now: Instant) -> bool {
        let mut kinds = self.kinds();
        let is_kept_apart = kinds.len() < MOST_KINDS || kinds.contains_key(&kind);
        let kind = if is_kept_apart { kind } else { kind.in_short() };
        let minute = kinds.entry(kind).or_insert_with(|| Minute { left: WRITTEN, held: Held::begun(now) });
        if minute.left > 0 {
            minute.left -= 1;
            return true;
        }
        minute.held.count += 1;
        peer.into_iter().for_each(|peer| minute.held.peers.count(peer));
        false
    }

    /// Logs summaries of minutes that are over, and forgets kinds without suppressed refusals.
    fn report(&self, now: Instant) {
        self.take(|held| held.is_over(now), now).iter().for_each(|(kind, held)| kind.report(held));
    }

    /// Logs summaries of everything suppressed.
    fn report_all(&self) {
        self.take(|_| true, Instant::now()).iter().for_each(|(kind, held)| kind.report(held));
    }

    /// Removes the counts of minutes that are over; a kind with suppressed refusals begins another minute.
    fn take(&self, is_over: impl Fn(&Held) -> bool, now: Instant) -> Vec<(Kind, Held)> {
        let mut taken = Vec::new();
        self.kinds().retain(|kind, minute| {
            if !is_over(&minute.held) {
                return true;
            }
            let held = std::mem::replace(&mut minute.held, Held::begun(now));
            minute.left = WRITTEN_STILL;
            let goes_on = held.count > 0;
            if goes_on {
                taken.push((kind.clone(), held));
            }
            goes_on
        });
        taken
    }

    fn kinds(&self) -> MutexGuard<'_, BTreeMap<Kind, Minute>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A client's text made safe for a log: printable ASCII stays, everything else is escaped; at most `most`
/// characters.
pub(crate) fn plain(text: &str, most: usize) -> String {
    let is_plain = |letter: char| letter == ' ' || letter.is_ascii_graphic();
    let spelled = |plain: &mut String, letter: char| {
        if is_plain(letter) { plain.push(letter) } else { plain.extend(letter.escape_unicode()) }
    };
    let mut plain = String::new();
    text.chars().take(most).for_each(|letter| spelled(&mut plain, letter));
    plain
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const WHO: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::LOCALHOST));

    fn refused(status: u16, route: &str) -> Kind {
        let (problem, route) = ("urn:audit:absent", Some(route.to_owned()));
        Kind::Request { status, problem, why: None, route, token: None }
    }

    /// How many of `count` refusals are logged.
    fn written(refusal_log: &RefusalLog, kind: &Kind, count: usize, now: Instant) -> usize {
        (0..count).filter(|_| refusal_log.should_write_at(kind.clone(), WHO, now)).count()
    }

    #[test]
    fn the_first_few_are_written_and_the_others_are_summed_up_once_a_minute() {
        let (refusal_log, begun) = (RefusalLog::default(), Instant::now());
        assert_eq!(written(&refusal_log, &refused(404, "/a"), 20_000, begun), 5);
        let over = |now| refusal_log.take(|held| held.is_over(now), now);
        assert!(over(begun + MINUTE / 2).is_empty(), "once a minute");
        let over_minute = over(begun + MINUTE);
        let [(kind, held)] = &over_minute[..] else { panic!("{over_minute:?}") };
        assert_eq!((kind, held.count), (&refused(404, "/a"), 19_995));
        assert_eq!(held.peers.most().unwrap(), ("127.0.0.1".to_owned(), 19_995));
        // A client that goes on is logged once a minute, with the number of further refusals.
        assert_eq!(written(&refusal_log, &refused(404, "/a"), 3, begun + MINUTE), 1);
        assert_eq!(over(begun + 2 * MINUTE)[0].1.count, 2);
        assert!(over(begun + 3 * MINUTE).is_empty());
        assert!(refusal_log.kinds().is_empty(), "a kind that is quiet is forgotten");
        assert_eq!(written(&refusal_log, &refused(404, "/a"), 9, begun + 3 * MINUTE), 5);
    }

    #[test]
    fn one_kind_drowns_no_other() {
        let (refusal_log, now) = (RefusalLog::default(), Instant::now());
        assert_eq!(written(&refusal_log, &refused(401, "/a"), 20_000, now), 5);
        for other in [refused(503, "/a"), refused(401, "/b"), refused(403, "/a")] {
            assert!(refusal_log.should_write_at(other, WHO, now));
        }
        assert!(refusal_log.should_write_at(Kind::Connection { why: "no certificate".to_owned() }, WHO, now));
    }

    #[test]
    fn however_many_kinds_there_are_memory_is_bounded_and_a_grave_one_is_written() {
        let (refusal_log, now) = (RefusalLog::default(), Instant::now());
        for number in 0..4 * MOST_KINDS {
            refusal_log.should_write_at(refused(404, &number.to_string()), WHO, now);
        }
        assert_eq!(refusal_log.kinds().len(), MOST_KINDS + 1);
        assert!(refusal_log.should_write_at(refused(503, "/a"), WHO, now));
        assert!(refusal_log.should_write_at(Kind::Connection { why: "one more".to_owned() }, WHO, now));
        let counted: u64 = refusal_log.take(|_| true, now).iter().map(|(_, held)| held.count).sum();
        assert_eq!(counted, 3 * MOST_KINDS as u64 - u64::from(WRITTEN), "nothing is lost");
    }

    #[test]
    fn what_a_client_sends_cannot_steer_a_terminal_and_is_cut() {
        assert_eq!(plain("/v1/tables/PB-01\u{1b}[2J\n", 100), "/v1/tables/PB-01\\u{1b}[2J\\u{a}");
        assert_eq!(plain("\u{9b}31m\u{202e}ñ", 100), "\\u{9b}31m\\u{202e}\\u{f1}");
        assert_eq!(plain(&"x".repeat(1_000), 200).len(), 200);
        assert!(plain(&"\u{10ffff}".repeat(1_000), 200).len() <= 200 * 10);
    }
}
