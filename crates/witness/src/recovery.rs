//! Takes the state of a witness up again after a loss, because its keeper says so: from the list of what was
//! signed, and from checkpoints that others kept with this witness's cosignature.

use std::path::Path;

use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::cosignature::WitnessKey;

use crate::checkpoint_files::{CheckpointFiles, take_lock};
use crate::signed_list::SignedList;
use crate::state::StateError;
use crate::state_folder::{ENDING, is_listed, mark_listed};

/// What is taken up besides the list.
#[derive(Debug, Default)]
pub struct Recovery {
    /// Checkpoints with this witness's cosignature.
    pub given: Vec<SignedCheckpoint>,
    /// The keeper says that the witness never signed anything: an empty list is made where there is none.
    pub nothing_signed: bool,
}

impl Recovery {
    /// Makes the newest checkpoint of each log, of its state, the list and those given, its state and its entry
    /// of the list. Gives those that were changed, on disk before this returns. It is safe to do again.
    ///
    /// # Errors
    /// [`StateError`] when a witness is running from the folder, when something is not this witness's own, when
    /// two roots of one size were signed, or when there is nothing to tell from what was signed. What was taken up before the error stays, and is safe.
    pub fn run(&self, state: &Path, list: &Path, key: &WitnessKey) -> Result<Vec<Checkpoint>, StateError> {
        let _lock = take_lock(state, "is the state of a witness that is running; stop it first")?;
        let files = CheckpointFiles::new(state, ENDING);
        let states = files.all(key)?;
        if !SignedList::exists(list) {
            if (states.is_empty() || is_listed(state)) && self.given.is_empty() && !self.nothing_signed {
                let what = "nothing says what this witness signed; give the newest checkpoint of each log with its \
                            cosignature (--checkpoint), or --nothing-signed if it never signed any";
                return Err(StateError::new(format!("{}: {what}", state.display())));
            }
            SignedList::make(list, key)?;
        }
        mark_listed(state)?;
        let list = SignedList::open(list, key)?;
        for given in &self.given {
            let origin = &given.checkpoint().origin;
            key.verify(given)
                .map_err(|error| StateError::new(format!("the checkpoint of {origin}: {error}")))?;
        }
        let known = list.all(key)?.into_iter().chain(states).chain(self.given.iter().cloned());
        let mut changed = Vec::new();
        for newest in newest_of_each(known)? {
            let checkpoint = newest.checkpoint();
            let has =
                |kept: Option<SignedCheckpoint>| kept.is_some_and(|kept| kept.checkpoint() == checkpoint);
            if has(files.load(&checkpoint.origin)?) && has(list.newest(&checkpoint.origin)?) {
                continue;
            }
            files.keep(&newest)?;
            list.note(&newest)?;
            changed.push(checkpoint.clone());
        }
        Ok(changed)
    }
}

/// The largest checkpoint of each log, in order of their origins.
fn newest_of_each(
    known: impl Iterator<Item = SignedCheckpoint>,
) -> Result<Vec<SignedCheckpoint>, StateError> {
    let mut known: Vec<SignedCheckpoint> = known.collect();
    let place = |signed: &SignedCheckpoint| (signed.checkpoint().origin.clone(), signed.checkpoint().size);
    known.sort_by_key(place);
    for two in known.windows(2) {
        let [one, other] = [two[0].checkpoint(), two[1].checkpoint()];
        if place(&two[0]) == place(&two[1]) && one.root != other.root {
            let (origin, size) = (&one.origin, one.size);
            return Err(StateError::new(format!(
                "two roots of {size} entries of the log {origin} carry this witness's cosignature: it signed two \
                 histories and must sign nothing any more; keep everything, and make a new witness"
            )));
        }
    }
    known.reverse();
    known.dedup_by_key(|signed| signed.checkpoint().origin.clone());
    known.reverse();
    Ok(known)
}
