//! The service's own log, readable while somebody makes noise: of each kind of refusal the first few are written
//! as they come, and then one line a minute says how many more there were, and of whom most.
//!
//! A kind is made of what this program says, never of what a client chooses, so there is a bounded number of
//! them, and one of them drowns no other. What is no refusal does not come through here: it is always written.

mod keeper;
mod peers;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use door::Notice;
use tracing::{info, warn};

use crate::access::TokenId;
pub(crate) use keeper::Keeper;
use peers::Peers;

/// Lines of a kind that are written as they come,
const WRITTEN: u32 = 5;
/// and in a minute behind one in which more came.
const WRITTEN_STILL: u32 = 1;
/// How long those that are held back are counted.
const MINUTE: Duration = Duration::from_secs(60);
/// Kinds told apart by route and token at once; those beyond are told apart by what was answered alone.
const MOST_KINDS: usize = 512;

/// Most of what went wrong with a connection that is written down, characters.
const LONGEST_WHY: usize = 200;

/// What is refused alike.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Requests that were answered with a problem.
    Request {
        /// Status of the answer, 400 to 599.
        status: u16,
        /// What kind of problem.
        problem: &'static str,
        /// Why its bearer was not let in.
        why: Option<&'static str>,
        /// The path as the service names it.
        route: Option<String>,
        /// The token that was shown, if it is one of the service's.
        token: Option<TokenId>,
    },
    /// Connections on which nothing could be asked.
    Connection {
        /// Why, as far as no client words it.
        why: String,
    },
}

impl Kind {
    /// The same, told apart only by what there is a small number of.
    fn in_short(self) -> Self {
        match self {
            Self::Request { status, problem, why, .. } => {
                Self::Request { status, problem, why, route: None, token: None }
            }
            Self::Connection { .. } => Self::Connection { why: "several reasons".to_owned() },
        }
    }

    /// Tells of those that were held back.
    fn tell(&self, held: &Held) {
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

/// Whether a refusal is a warning: the service failed, or somebody was not let in.
pub(crate) const fn is_grave(status: u16) -> bool {
    matches!(status, 401 | 403 | 500..)
}

/// Refusals of one kind that were not written.
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

/// One kind in one minute.
#[derive(Debug)]
struct Minute {
    /// Lines that may still be written.
    left: u32,
    held: Held,
}

/// Who sees to it that the log can be read.
#[derive(Debug, Default)]
pub(crate) struct Noise(Mutex<BTreeMap<Kind, Minute>>);

impl Noise {
    /// Something happened at the door.
    pub(crate) fn at_the_door(&self, notice: &Notice) {
        let Notice::ConnectionRefused { peer, why } = notice else {
            warn!("{notice}");
            return;
        };
        let why = plain(why, LONGEST_WHY);
        // What stands behind a colon differs from one to the next: a certificate's times, for one.
        let alike = why.split(':').next().unwrap_or_default().to_owned();
        if self.lets(Kind::Connection { why: alike }, Some(peer.ip())) {
            warn!(peer = %peer, why, "connection refused");
        }
    }

    /// Whether a refusal of this kind is to be written; else it is counted, and told with others of its kind.
    pub(crate) fn lets(&self, kind: Kind, peer: Option<IpAddr>) -> bool {
        self.lets_at(kind, peer, Instant::now())
    }

    fn lets_at(&self, kind: Kind, peer: Option<IpAddr>, now: Instant) -> bool {
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

    /// Tells of what was held back in minutes that are over, and forgets the kinds of which nothing was.
    fn tell(&self, now: Instant) {
        self.take(|held| held.is_over(now), now).iter().for_each(|(kind, held)| kind.tell(held));
    }

    /// Tells of all that was held back.
    fn tell_all(&self) {
        self.take(|_| true, Instant::now()).iter().for_each(|(kind, held)| kind.tell(held));
    }

    /// Takes out what was held back in minutes that are over; a kind of which something was begins another one.
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

/// Bytes of a client as they can be written anywhere: printable ASCII as it is, all else spelled out; the first
/// `most` characters.
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

    /// How many of so many are written.
    fn written(noise: &Noise, kind: &Kind, count: usize, now: Instant) -> usize {
        (0..count).filter(|_| noise.lets_at(kind.clone(), WHO, now)).count()
    }

    #[test]
    fn the_first_few_are_written_and_all_others_are_counted_and_told_once_a_minute() {
        let (noise, begun) = (Noise::default(), Instant::now());
        assert_eq!(written(&noise, &refused(404, "/a"), 20_000, begun), 5);
        let over = |now| noise.take(|held| held.is_over(now), now);
        assert!(over(begun + MINUTE / 2).is_empty(), "once a minute");
        let told = over(begun + MINUTE);
        let [(kind, held)] = &told[..] else { panic!("{told:?}") };
        assert_eq!((kind, held.count), (&refused(404, "/a"), 19_995));
        assert_eq!(held.peers.most().unwrap(), ("127.0.0.1".to_owned(), 19_995));
        // Who goes on is written once a minute, with how many more there were.
        assert_eq!(written(&noise, &refused(404, "/a"), 3, begun + MINUTE), 1);
        assert_eq!(over(begun + 2 * MINUTE)[0].1.count, 2);
        assert!(over(begun + 3 * MINUTE).is_empty());
        assert!(noise.kinds().is_empty(), "a kind that is quiet is forgotten");
        assert_eq!(written(&noise, &refused(404, "/a"), 9, begun + 3 * MINUTE), 5);
    }

    #[test]
    fn one_kind_drowns_no_other() {
        let (noise, now) = (Noise::default(), Instant::now());
        assert_eq!(written(&noise, &refused(401, "/a"), 20_000, now), 5);
        for other in [refused(503, "/a"), refused(401, "/b"), refused(403, "/a")] {
            assert!(noise.lets_at(other, WHO, now));
        }
        assert!(noise.lets_at(Kind::Connection { why: "no certificate".to_owned() }, WHO, now));
    }

    #[test]
    fn however_many_kinds_there_are_memory_is_bounded_and_a_grave_one_is_written() {
        let (noise, now) = (Noise::default(), Instant::now());
        for number in 0..4 * MOST_KINDS {
            noise.lets_at(refused(404, &number.to_string()), WHO, now);
        }
        assert_eq!(noise.kinds().len(), MOST_KINDS + 1);
        assert!(noise.lets_at(refused(503, "/a"), WHO, now));
        assert!(noise.lets_at(Kind::Connection { why: "one more".to_owned() }, WHO, now));
        let counted: u64 = noise.take(|_| true, now).iter().map(|(_, held)| held.count).sum();
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
