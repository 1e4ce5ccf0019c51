//! Live certification: follows a log while it grows and judges it as an inspector would. It keeps its
//! findings in a folder of its own and, after a stop, goes on from its last certificate.
//!
//! Its caller hands it entries and checkpoints, and it checks both. It does not know where they come
//! from or who reads its findings. Everything in its folder can be made again from the log.

mod certificate;
mod findings;
mod saved;
#[cfg(feature = "schema")]
mod schema;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use replay::{Code, Continued, Continuing, Entry, Footprint, Judge, Report, ShoeLocation, TableState};
use sealed_log::reader::{LogTail, SealFault};
use tlog::checkpoint::{CheckpointError, SignedCheckpoint};
use tlog::note::VerifierKey;

pub use certificate::LiveCertificate;
pub use findings::{Filter, Findings, Page, Published};

/// Why the follower stops.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The log is not the one that was followed before, or not the one that was signed.
    #[error("the seal is broken: {0}; run audit verify log for the details")]
    Seal(Box<SealFault>),
    /// The checkpoint is not signed by the log's key.
    #[error("a checkpoint of the log is not signed by its key: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// The tables take more memory than [`Footprint::AT_ONCE`].
    #[error(
        "the log has more than {} tables, or its tables take more than {} GiB of memory: audit verify log judges all of it, in passes",
        Footprint::AT_ONCE.tables,
        Footprint::AT_ONCE.bytes >> 30
    )]
    Full,
    /// The follower's own folder cannot be written or read.
    #[error("{path}: {error}", path = path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
}

impl From<Box<SealFault>> for FollowError {
    fn from(fault: Box<SealFault>) -> Self {
        Self::Seal(fault)
    }
}

/// Where a follower began to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// At the log's first entry. Holds the reason where a certificate was there but could not be used.
    Anew(Option<String>),
    /// Behind its last certificate, which covers this many entries.
    From(u64),
}

/// Follows one log.
#[derive(Debug)]
pub struct Follower {
    folder: PathBuf,
    key: VerifierKey,
    tail: LogTail,
    judge: Judge,
    /// What the judge may take.
    most: Footprint,
    /// Entries whose payload is withheld. Only a whole `verify log` can show whether somebody accounts for them.
    withheld: u64,
    continuing: Continuing,
    findings: Arc<Findings>,
    /// The last checkpoint that was reached.
    checkpoint: Option<SignedCheckpoint>,
}

impl Follower {
    /// Opens the follower's folder for the log with this key, and makes the folder if it does not exist.
    ///
    /// A folder that cannot be used is begun anew from the log's first entry: the log has everything.
    ///
    /// # Errors
    /// [`FollowError::Folder`].
    pub fn open(folder: &Path, key: VerifierKey) -> Result<(Self, Begun), FollowError> {
        let failed = |error| FollowError::Folder { path: folder.to_owned(), error };
        fs::create_dir_all(folder).map_err(failed)?;
        saved::remove_unfinished(folder).map_err(failed)?;
        let why = match saved::load(folder, &key) {
            Ok(Some(follower)) => {
                let size = follower.size();
                return Ok((follower, Begun::From(size)));
            }
            Ok(None) => None,
            Err(why) => Some(why.to_string()),
        };
        Ok((Self::anew(folder, key).map_err(failed)?, Begun::Anew(why)))
    }

    fn anew(folder: &Path, key: VerifierKey) -> io::Result<Self> {
        saved::remove_what_is_no_file(folder)?;
        let findings = Arc::new(Findings::empty(folder)?);
        let (tail, judge, folder) = (LogTail::default(), Judge::default(), folder.to_owned());
        let continuing = Continuing::default();
        let most = Footprint::AT_ONCE;
        Ok(Self { folder, key, tail, judge, most, withheld: 0, continuing, findings, checkpoint: None })
    }

    /// The same, but it stops with [`FollowError::Full`] once its judge takes more than this.
    #[must_use]
    pub fn within(self, most: Footprint) -> Self {
        Self { most, ..self }
    }

    /// Number of entries read.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.tail.size()
    }

    /// The last checkpoint that was reached: the entries up to its size are the ones it signs.
    #[must_use]
    pub const fn last_checkpoint(&self) -> Option<&SignedCheckpoint> {
        self.checkpoint.as_ref()
    }

    /// The last checkpoint, or `None` if entries were read since it was reached.
    #[must_use]
    pub fn current_checkpoint(&self) -> Option<&SignedCheckpoint> {
        self.checkpoint.as_ref().filter(|signed| signed.checkpoint().size == self.size())
    }

    /// The findings that a checkpoint covers.
    #[must_use]
    pub fn findings(&self) -> Arc<Findings> {
        Arc::clone(&self.findings)
    }

    /// The states of the tables whose names come after `table`, ordered by name; pass the empty name to begin.
    pub fn tables_after(&self, table: &str) -> impl Iterator<Item = TableState> {
        self.judge.table_states_after(table)
    }

    /// How often each code was found, at all tables.
    #[must_use]
    pub fn findings_by_code(&self) -> BTreeMap<Code, u64> {
        self.judge.findings_by_code()
    }

    /// The state of one table; `None` if the log has no such table.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<TableState> {
        self.judge.table_state(name)
    }

    /// Where a table's newest shoes are in its numbering.
    #[must_use]
    pub fn shoes(&self, table: &str) -> Vec<ShoeLocation> {
        self.judge.shoes(table)
    }

    /// Sequences of a shoe's events that corrections in later shoes name.
    #[must_use]
    pub fn corrected_after(&self, table: &str, shoe: &ShoeLocation) -> Vec<u64> {
        self.judge.corrected_after(table, shoe)
    }

    /// Reads and judges the next entries, as the log's store keeps them. Findings are not published
    /// before a checkpoint covers them.
    ///
    /// # Errors
    /// [`FollowError`]: stop following.
    pub fn read(&mut self, entries: &[Vec<u8>]) -> Result<(), FollowError> {
        let first = self.size();
        let kept = self.tail.read(entries)?;
        self.withheld += kept.iter().filter(|entry| entry.withheld.is_some()).count() as u64;
        let judged = (first..).zip(&kept).filter_map(|(index, entry)| {
            let withheld = entry.withheld.is_some();
            self.continuing.next(Entry { withheld, ..Entry::of(index, &entry.view) })
        });
        let judged: Vec<Entry<'_>> = judged.collect();
        let found = self.judge.judge_reporting(&judged);
        self.findings.append(&found).map_err(|error| self.folder_failed(error))?;
        if self.judge.footprint().is_within(self.most) { Ok(()) } else { Err(FollowError::Full) }
    }

    /// Accepts a checkpoint up to which all entries were read, publishes what was found, and returns
    /// the number of findings published so far.
    ///
    /// # Errors
    /// [`FollowError`]: stop following.
    pub fn reach(&mut self, signed: &SignedCheckpoint) -> Result<u64, FollowError> {
        signed.verify(&self.key)?;
        self.tail.check(signed.checkpoint())?;
        self.checkpoint = Some(signed.clone());
        Ok(self.findings.publish())
    }

    /// Saves the last certificate and all that is needed to go on from it. If entries were read beyond the
    /// last checkpoint, nothing is saved and the certificate saved before stays.
    ///
    /// # Errors
    /// [`FollowError::Folder`].
    pub fn save(&self) -> Result<(), FollowError> {
        self.current_checkpoint()
            .map_or(Ok(()), |signed| saved::save(self, signed))
            .map_err(|error| self.folder_failed(error))
    }

    /// The certificate of the log at the last checkpoint; `None` if entries were read since.
    #[must_use]
    pub fn certificate(&self) -> Option<LiveCertificate> {
        let signed = self.current_checkpoint()?;
        let continued = self.continuing.continued();
        Some(LiveCertificate::new(signed, &self.key, self.withheld, continued, self.judge.as_it_stands()))
    }

    /// A copy of the judge at the last checkpoint, to be certified while the follower reads on.
    #[must_use]
    pub fn as_it_stands(&self) -> Option<Judged> {
        let (checkpoint, key) = (self.current_checkpoint()?.clone(), self.key.clone());
        let continued = self.continuing.continued().cloned();
        Some(Judged { checkpoint, key, withheld: self.withheld, continued, judge: self.judge.clone() })
    }

    fn folder_failed(&self, error: io::Error) -> FollowError {
        FollowError::Folder { path: self.folder.clone(), error }
    }
}

/// A log judged up to one checkpoint.
#[derive(Debug)]
pub struct Judged {
    checkpoint: SignedCheckpoint,
    key: VerifierKey,
    withheld: u64,
    continued: Option<Continued>,
    judge: Judge,
}

impl Judged {
    /// Its certificate.
    #[must_use]
    pub fn certificate(self) -> LiveCertificate {
        let Self { checkpoint, key, withheld, continued, judge } = self;
        LiveCertificate::new(&checkpoint, &key, withheld, continued.as_ref(), judge.finish())
    }

    /// The report that a whole `verify log` of this checkpoint would give, of what the follower has checked: it
    /// names no notice of the log itself but the log that it continues, and has no certificate.
    #[must_use]
    pub fn report(self) -> Report {
        let Self { checkpoint, key, withheld, continued, judge } = self;
        certificate::report(&checkpoint, &key, withheld, continued, judge.finish())
    }
}
