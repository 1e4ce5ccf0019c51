//! The archive: a whole log, or a slice of it, as one file (`docs/format.md` draws it).
//!
//! A writer takes entries in log order and needs no seeking; a reader gives them back batch by batch, and finds
//! out by itself whether the file is cut or damaged. An archive is read through [`crate::reader::LogReader`], which
//! judges what the file merely says.

pub(crate) mod layout;
mod range;
#[cfg(test)]
mod slice_tests;
mod source;
pub(crate) mod tape;
mod writer;

pub use layout::ARCHIVE_VERSION;
pub use range::ArchiveIndex;
pub use source::{ArchiveError, ArchiveSource};
pub use writer::{ArchiveSummary, ArchiveWriteError, ArchiveWriter, write_archive, write_slice};
