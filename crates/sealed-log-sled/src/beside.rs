//! Which of the two signed checkpoints beside a store is believed, `head` or `checkpoint`, and what is wrong with the
//! other. A file whose signature does not hold accuses nobody: it was altered after it was signed.

use std::fmt;

use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;

use crate::CheckpointFileError;
use crate::slots::Head;

/// Something wrong with a file of a log's folder, and what was used in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileTrouble {
    /// The file's name in the folder.
    pub file: &'static str,
    /// What is wrong with it.
    pub what: WhatIsWrong,
    /// The file that was used in its place.
    pub used: Option<&'static str>,
}

/// What is wrong with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhatIsWrong {
    /// It is not there.
    Missing,
    /// It, or a part of it, is not what it should be: damaged, or cut off in a power cut.
    Illegible,
    /// The signature that it bears is not valid: it was altered after it was signed.
    Altered,
    /// It bears no signature by a key that is known.
    NotSigned,
    /// It differs from the file used, and there is no key to check either with.
    Differs,
}

impl FileTrouble {
    /// Sled makes the file again from what it knows.
    pub(crate) const fn settings_missing() -> Self {
        Self { file: "store/conf", what: WhatIsWrong::Missing, used: None }
    }
}

impl fmt::Display for FileTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, what, used } = self;
        let what = match what {
            WhatIsWrong::Missing => "is missing",
            WhatIsWrong::Illegible => "cannot be read, or a part of it cannot",
            WhatIsWrong::Altered => "was altered: its signature does not hold",
            WhatIsWrong::NotSigned => "is not signed by the log's key",
            WhatIsWrong::Differs => "differs, and there is no key to check its signature with",
        };
        write!(f, "`{file}` {what}")?;
        used.map_or(Ok(()), |used| write!(f, "; `{used}` was used"))
    }
}

/// What the keys that are known say of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It bears a signature by one of them, and it does not hold.
    Altered,
    /// It bears a signature by none of them.
    Open,
    /// It bears a valid signature.
    Signed,
}

const HEAD: &str = "head";
const CHECKPOINT: &str = "checkpoint";

/// The checkpoint to be believed, and what is wrong with the files; `None` where one key signed two checkpoints of one
/// size that are not the same.
pub(crate) fn choose(
    head: Head,
    as_text: Result<Option<SignedCheckpoint>, CheckpointFileError>,
    keys: &[VerifierKey],
) -> Option<(Option<SignedCheckpoint>, Vec<FileTrouble>)> {
    let text_is_illegible = as_text.is_err();
    let (in_slots, as_text) = (head.newest, as_text.ok().flatten());
    if let Some((one, other)) = in_slots.as_ref().zip(as_text.as_ref()) {
        let differ =
            one.checkpoint().size == other.checkpoint().size && one.checkpoint() != other.checkpoint();
        let signs_both = |key: &VerifierKey| one.verify(key).is_ok() && other.verify(key).is_ok();
        if differ && keys.iter().any(signs_both) {
            return None;
        }
    }
    let text_is_there = text_is_illegible || as_text.is_some();
    let of =
        |file, signed: Option<SignedCheckpoint>| signed.map(|signed| (file, standing(&signed, keys), signed));
    // The last of those that are equal is taken: `head`.
    let both: Vec<_> = of(CHECKPOINT, as_text).into_iter().chain(of(HEAD, in_slots)).collect();
    let rank = |(_, standing, signed): &&(&str, Standing, SignedCheckpoint)| {
        (*standing != Standing::Altered, signed.checkpoint().size, *standing == Standing::Signed)
    };
    let chosen = both.iter().max_by_key(rank);
    let used = chosen.map(|(file, ..)| *file);
    let mut troubles = Vec::new();
    let mut add = |file, what| {
        troubles.push(FileTrouble { file, what, used: used.filter(|used| *used != file) });
    };
    for (file, is_there, is_illegible) in
        [(HEAD, head.is_there, head.is_damaged), (CHECKPOINT, text_is_there, text_is_illegible)]
    {
        if !is_there {
            add(file, WhatIsWrong::Missing);
        } else if is_illegible {
            add(file, WhatIsWrong::Illegible);
        }
    }
    let believed = chosen.map(|(_, standing, signed)| (*standing, signed.checkpoint()));
    for (file, standing, signed) in both.iter().filter(|(file, ..)| used != Some(*file)) {
        let what = match (standing, believed) {
            (Standing::Altered, _) => WhatIsWrong::Altered,
            (Standing::Open, Some((Standing::Signed, _))) => WhatIsWrong::NotSigned,
            (_, Some((_, believed)))
                if believed.size == signed.checkpoint().size && believed != signed.checkpoint() =>
            {
                WhatIsWrong::Differs
            }
            (Standing::Open | Standing::Signed, _) => continue,
        };
        add(file, what);
    }
    Some((chosen.map(|(_, _, signed)| signed.clone()), troubles))
}

fn standing(signed: &SignedCheckpoint, keys: &[VerifierKey]) -> Standing {
    let bears_a_line_of = |key: &VerifierKey| signed.signatures().iter().any(|line| key.matches(line));
    if keys.iter().any(|key| signed.verify(key).is_ok()) {
        Standing::Signed
    } else if keys.iter().any(bears_a_line_of) {
        Standing::Altered
    } else {
        Standing::Open
    }
}
