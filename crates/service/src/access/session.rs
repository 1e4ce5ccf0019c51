//! People in a browser: a session stands for the token that somebody signed in with, and the token is checked
//! against the tokens in force at every request. Neither a token's secret nor a session's name is kept.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use time::{Duration, OffsetDateTime};

use super::token::{Shown, TokenId};

/// Most sessions; one more ends the oldest of the token that has most.
const MOST: usize = 1_024;
/// Longest time that a session lasts, where nothing shorter was asked for.
pub(super) const LASTS: Duration = Duration::hours(12);
/// Random bytes of a session's name.
const BYTES: usize = 32;

/// The sessions of people who signed in, by the hash of their names.
pub(super) struct Sessions {
    lasting: Mutex<BTreeMap<[u8; 32], Session>>,
    /// How long each lasts.
    length: Duration,
}

struct Session {
    shown: Shown,
    begun: OffsetDateTime,
}

impl Sessions {
    /// Sessions that last this long, at most half a day.
    pub(super) fn of_length(length: Duration) -> Self {
        Self { lasting: Mutex::default(), length: length.min(LASTS) }
    }

    /// Begins a session with a token that is in force; gives its name, or `None` where the system gives no random
    /// numbers.
    pub(super) fn begin(&self, shown: Shown, now: OffsetDateTime) -> Option<String> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).ok()?;
        let name = URL_SAFE_NO_PAD.encode(bytes);
        let mut sessions = self.sessions();
        sessions.retain(|_, session| now - session.begun < self.length);
        if sessions.len() >= MOST {
            let one_too_many = oldest_of_most(&sessions);
            one_too_many.and_then(|key| sessions.remove(&key));
        }
        sessions.insert(key(&name), Session { shown, begun: now });
        Some(name)
    }

    /// The token behind a session that lasts.
    pub(super) fn shown(&self, name: &str, now: OffsetDateTime) -> Option<Shown> {
        let sessions = self.sessions();
        let session = sessions.get(&key(name)).filter(|session| now - session.begun < self.length)?;
        Some(session.shown.clone())
    }

    /// Ends a session.
    pub(super) fn end(&self, name: &str) {
        self.sessions().remove(&key(name));
    }

    fn sessions(&self) -> MutexGuard<'_, BTreeMap<[u8; 32], Session>> {
        self.lasting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The oldest session of the token that has most: nobody can end the sessions of others by beginning many.
fn oldest_of_most(sessions: &BTreeMap<[u8; 32], Session>) -> Option<[u8; 32]> {
    let mut of_token: BTreeMap<&TokenId, Vec<(OffsetDateTime, [u8; 32])>> = BTreeMap::new();
    for (key, session) in sessions {
        of_token.entry(&session.shown.id).or_default().push((session.begun, *key));
    }
    let oldest = of_token.into_values().filter_map(|all| Some((all.len(), all.into_iter().min()?)));
    oldest.max_by_key(|(count, oldest)| (*count, Reverse(*oldest))).map(|(_, (_, key))| key)
}

/// Looking up a hash takes no time that depends on the name that was sent.
fn key(name: &str) -> [u8; 32] {
    *blake3::hash(name.as_bytes()).as_bytes()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::token::{Role, Tables, Token, Wanted};
    use super::*;

    fn shown() -> Shown {
        let wanted = Wanted {
            role: Role::Read,
            producer: None,
            tables: Tables::Named(std::collections::BTreeSet::new()),
            expires_at: None,
            note: String::new(),
        };
        Shown::parse(&Token::make(wanted, OffsetDateTime::UNIX_EPOCH).unwrap().1).unwrap()
    }

    #[test]
    fn a_session_lasts_half_a_day_and_no_longer() {
        let (sessions, now) = (Sessions::of_length(LASTS), OffsetDateTime::UNIX_EPOCH);
        let name = sessions.begin(shown(), now).unwrap();
        assert!(sessions.shown(&name, now + LASTS - Duration::SECOND).is_some());
        assert!(sessions.shown(&name, now + LASTS).is_none());
        assert!(sessions.shown("another", now).is_none());
        sessions.end(&name);
        assert!(sessions.shown(&name, now).is_none());
    }

    #[test]
    fn a_shorter_session_ends_earlier_and_no_session_lasts_longer() {
        let now = OffsetDateTime::UNIX_EPOCH;
        for (wanted, lasts) in [(Duration::MINUTE, Duration::MINUTE), (Duration::DAY, LASTS)] {
            let sessions = Sessions::of_length(wanted);
            let name = sessions.begin(shown(), now).unwrap();
            assert!(sessions.shown(&name, now + lasts - Duration::SECOND).is_some());
            assert!(sessions.shown(&name, now + lasts).is_none());
        }
    }

    #[test]
    fn a_crowd_of_sessions_ends_the_oldest() {
        let (sessions, now) = (Sessions::of_length(LASTS), OffsetDateTime::UNIX_EPOCH);
        let names: Vec<String> = (0..=MOST)
            .map(|at| sessions.begin(shown(), now + Duration::SECOND * at as i32).unwrap())
            .collect();
        let last = now + Duration::HOUR;
        assert!(sessions.shown(&names[0], last).is_none());
        assert!(names[1..].iter().all(|name| sessions.shown(name, last).is_some()));
    }

    #[test]
    fn a_crowd_of_one_token_ends_its_own_and_no_other() {
        let (sessions, now, flood) = (Sessions::of_length(LASTS), OffsetDateTime::UNIX_EPOCH, shown());
        let other = sessions.begin(shown(), now).unwrap();
        let later = now + Duration::HOUR;
        let names: Vec<String> =
            (0..2 * MOST).map(|_| sessions.begin(flood.clone(), later).unwrap()).collect();
        assert!(sessions.shown(&other, later).is_some());
        let lasting = names.iter().filter(|name| sessions.shown(name, later).is_some()).count();
        assert_eq!(lasting, MOST - 1);
    }
}
