//! A signed checkpoint as a command is given it: a file.

use std::path::Path;

use tlog::checkpoint::SignedCheckpoint;

use crate::failure::{Failure, about};
use crate::text_file::plain_text_in;

/// A signed checkpoint from its file. Its signatures are not checked yet.
pub(crate) fn signed_checkpoint(path: &Path) -> Result<SignedCheckpoint, Failure> {
    let text = plain_text_in(path)?;
    SignedCheckpoint::parse(&text).map_err(|error| Failure::unreadable(about(path.display(), &error)))
}
