//! Open streams of findings: how many there are, and how many of each token. Nobody can take all of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::access::TokenId;
use crate::problem::Problem;

/// All open streams.
#[derive(Debug)]
pub(crate) struct Streams {
    most: usize,
    /// Most of one token: a quarter of all.
    most_of_token: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    all: usize,
    of_token: BTreeMap<TokenId, usize>,
}

/// One open stream; it counts until it is dropped.
#[derive(Debug)]
pub(crate) struct OpenStream {
    streams: Arc<Streams>,
    token: Option<TokenId>,
}

impl Streams {
    /// At most so many at the same time.
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, most_of_token: (most / 4).max(1), open: Mutex::default() })
    }

    /// Opens one, of a token where the service asks for tokens.
    ///
    /// # Errors
    /// [`Problem`]: 429 if there are as many as may be.
    pub(crate) fn open(self: &Arc<Self>, token: Option<TokenId>) -> Result<OpenStream, Problem> {
        let mut open = self.counts();
        if open.all >= self.most {
            return Err(Problem::many_streams(self.most, false));
        }
        if let Some(token) = &token {
            let of_token = open.of_token.entry(token.clone()).or_default();
            if *of_token >= self.most_of_token {
                return Err(Problem::many_streams(self.most_of_token, true));
            }
            *of_token += 1;
        }
        open.all += 1;
        Ok(OpenStream { streams: Arc::clone(self), token })
    }

    fn counts(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut open = self.streams.counts();
        open.all -= 1;
        let Some(token) = &self.token else { return };
        if let Some(of_token) = open.of_token.get_mut(token) {
            *of_token -= 1;
            if *of_token == 0 {
                open.of_token.remove(token);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn token(digit: char) -> Option<TokenId> {
        TokenId::parse(&digit.to_string().repeat(12))
    }

    #[test]
    fn one_token_takes_a_quarter_and_others_the_rest() {
        let streams = Streams::new(8);
        let greedy: Vec<OpenStream> = (0..2).map(|_| streams.open(token('1')).unwrap()).collect();
        assert!(streams.open(token('1')).is_err());
        let others: Vec<OpenStream> = ('2'..'5')
            .flat_map(|digit| [digit; 2])
            .map(|digit| streams.open(token(digit)).unwrap())
            .collect();
        assert!(streams.open(token('6')).is_err(), "all are taken");
        drop(greedy);
        streams.open(token('1')).unwrap();
        drop(others);
        let open = streams.counts();
        assert_eq!((open.all, open.of_token.len()), (0, 0));
    }
}
