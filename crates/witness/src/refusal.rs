//! Why a witness does not sign, as C2SP tlog-witness numbers it.

use tlog::checkpoint::CheckpointError;
use tlog::consistency::ConsistencyError;

use crate::lost::LostState;
use crate::state::StateError;

/// Most characters of a text from outside that a message repeats.
const QUOTED: usize = 80;

/// Why a witness does not sign. Each has its HTTP status; the message is for the log's keeper.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// 400: the request is not written as it must be.
    #[error("not an add-checkpoint request: {0}")]
    Malformed(String),
    /// 400: the proof begins behind the checkpoint.
    #[error("the old size {old} is larger than the checkpoint's, {new}")]
    OldBeyondNew {
        /// Where the proof begins.
        old: u64,
        /// The checkpoint's size.
        new: u64,
    },
    /// 404: this witness does not watch the log.
    #[error("this witness does not watch the log `{}`", short(.0))]
    UnknownOrigin(String),
    /// 403: no key trusted for the log signed the checkpoint, or the signature of one of them is broken.
    #[error("the checkpoint is not believed: {0}")]
    NotSigned(CheckpointError),
    /// 409: the proof does not begin where the newest cosigned checkpoint ends.
    #[error("the newest checkpoint this witness signed has {cosigned} entries, the proof begins at {old}")]
    OtherSize {
        /// Size of the newest cosigned checkpoint, 0 when there is none.
        cosigned: u64,
        /// Where the proof begins.
        old: u64,
    },
    /// 422: the log signed another checkpoint of this size before.
    #[error("this witness signed another root for {size} entries: the log shows two histories")]
    Forked {
        /// The size both have.
        size: u64,
    },
    /// 422: the checkpoint is not shown to extend the newest cosigned one.
    #[error("{0}")]
    NotExtended(ConsistencyError),
    /// 500: the witness lost its state of the log.
    #[error(transparent)]
    Lost(#[from] LostState),
    /// 500: the witness's clock is wrong: a cosignature without a moment says nothing of the newest tree.
    #[error("nothing was signed: the clock of this witness stands before 1970")]
    Clock,
    /// 500: what would be signed could not be kept.
    #[error("nothing was signed: {0}")]
    State(#[from] StateError),
}

impl Refusal {
    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::Malformed(_) | Self::OldBeyondNew { .. } => 400,
            Self::NotSigned(_) => 403,
            Self::UnknownOrigin(_) => 404,
            Self::OtherSize { .. } => 409,
            Self::Forked { .. } | Self::NotExtended(_) => 422,
            Self::Lost(_) | Self::Clock | Self::State(_) => 500,
        }
    }

    /// The size that a 409 answers in place of a message.
    #[must_use]
    pub const fn cosigned_size(&self) -> Option<u64> {
        match self {
            Self::OtherSize { cosigned, .. } => Some(*cosigned),
            Self::Malformed(_)
            | Self::OldBeyondNew { .. }
            | Self::Forked { .. }
            | Self::UnknownOrigin(_)
            | Self::NotSigned(_)
            | Self::NotExtended(_)
            | Self::Lost(_)
            | Self::Clock
            | Self::State(_) => None,
        }
    }
}

fn short(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}
