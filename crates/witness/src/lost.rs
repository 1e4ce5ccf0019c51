//! Whether what a witness holds of a log is what it signed last: the state against the list of what was signed.

use std::cmp::Ordering;

use tlog::checkpoint::SignedCheckpoint;

/// What is wrong with the state of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// There is none.
    Missing,
    /// It is older than what was signed: so many entries.
    Older(u64),
    /// It has the same size and another root: two histories were signed with the witness's key.
    OtherRoot,
}

/// A log of which this witness signed more than its state says. Nothing of it may be signed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "nothing was signed: this witness signed {size} entries of the log {origin}, and {}; its keeper has to take the \
     state up again (audit witness recover)", found(.loss)
)]
pub struct LostState {
    /// The log.
    pub origin: String,
    /// The size that was signed.
    pub size: u64,
    /// What is wrong.
    pub loss: Loss,
}

fn found(loss: &Loss) -> String {
    match loss {
        Loss::Missing => "its state of that log is missing".to_owned(),
        Loss::Older(size) => format!("its state of that log has {size}: it was put back from an older copy"),
        Loss::OtherRoot => "its state of that log has another root of that size".to_owned(),
    }
}

/// The newest checkpoint of a log, from its state and from the list of what was signed.
///
/// # Errors
/// [`LostState`] when the list has more than the state, or another root of the same size.
pub(crate) fn newest(
    state: Option<SignedCheckpoint>,
    listed: Option<&SignedCheckpoint>,
) -> Result<Option<SignedCheckpoint>, LostState> {
    let Some(listed) = listed.map(SignedCheckpoint::checkpoint) else { return Ok(state) };
    let lost = |loss| Err(LostState { origin: listed.origin.clone(), size: listed.size, loss });
    let Some(kept) = state.as_ref().map(SignedCheckpoint::checkpoint) else { return lost(Loss::Missing) };
    match kept.size.cmp(&listed.size) {
        Ordering::Less => lost(Loss::Older(kept.size)),
        Ordering::Equal if kept.root != listed.root => lost(Loss::OtherRoot),
        Ordering::Equal | Ordering::Greater => Ok(state),
    }
}
