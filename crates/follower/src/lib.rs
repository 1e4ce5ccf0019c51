//! Live certification: follows a log while it grows, judges it as an inspector would, keeps what it
//! found in a folder of its own, and after a stop goes on from its last certificate.
//!
//! It is handed entries and signed heads and trusts neither; where they come from, and who asks for
//! what was found, is not known here. Everything in its folder can be made again from the log.

mod certificate;
mod findings;
mod saved;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use replay::{Code, Entry, Judge, ShoePlace, TableStanding};
use sealed_log::{CheckpointError, LOG_CHAIN, LogTail, SealFault, SignedCheckpoint, VerifierKey};

pub use certificate::LiveCertificate;
pub use findings::{Filter, Findings, MAX_LOOKED_AT, Page, Published};

/// Why the follower goes no further.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The log is not what it was, or not what was signed.
    #[error("the seal is broken: {0}; audit verify log tells more")]
    Seal(Box<SealFault>),
    /// A head that is not signed by the log's key.
    #[error("a head of the log is not believed: {0}")]
    Head(#[from] CheckpointError),
    /// Its own folder cannot be written or read.
    #[error("{path}: {error}", path = path.display())]
    Folder {
        /// Which file.
        path: PathBuf,
        /// What happened.
        error: io::Error,
    },
}

impl From<Box<SealFault>> for FollowError {
    fn from(fault: Box<SealFault>) -> Self {
        Self::Seal(fault)
    }
}

/// How a follower began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// At the log's first entry; why not from a certificate, where there was one.
    Anew(Option<String>),
    /// From its last certificate, which covers this many entries.
    From(u64),
}

/// Follows one log.
#[derive(Debug)]
pub struct Follower {
    folder: PathBuf,
    key: VerifierKey,
    tail: LogTail,
    judge: Judge,
    /// Entries whose payload is withheld: whether somebody accounts for them a whole verify tells.
    withheld: u64,
    findings: Arc<Findings>,
    head: Option<SignedCheckpoint>,
}

impl Follower {
    /// Opens the follower's folder, made where it is not there, for the log with this key.
    ///
    /// What cannot be taken up is put away and begun anew: the log has it all.
    ///
    /// # Errors
    /// [`FollowError::Folder`].
    pub fn open(folder: &Path, key: VerifierKey) -> Result<(Self, Begun), FollowError> {
        let failed = |error| FollowError::Folder { path: folder.to_owned(), error };
        fs::create_dir_all(folder).map_err(failed)?;
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
        let findings = Arc::new(Findings::open(folder, 0, 0)?);
        let (tail, judge, folder) = (LogTail::default(), Judge::default(), folder.to_owned());
        Ok(Self { folder, key, tail, judge, withheld: 0, findings, head: None })
    }

    /// Entries read.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.tail.size()
    }

    /// The head that was reached last: what was read up to there is what was signed.
    #[must_use]
    pub const fn head(&self) -> Option<&SignedCheckpoint> {
        self.head.as_ref()
    }

    /// The same, unless more was read since.
    #[must_use]
    pub fn stands_at(&self) -> Option<&SignedCheckpoint> {
        self.head.as_ref().filter(|head| head.checkpoint().size == self.size())
    }

    /// What was found, as far as a signed head covers it.
    #[must_use]
    pub fn findings(&self) -> Arc<Findings> {
        Arc::clone(&self.findings)
    }

    /// How the tables stand whose names come behind `table`, by name; no name comes before the empty one.
    pub fn tables_after(&self, table: &str) -> impl Iterator<Item = TableStanding> {
        self.judge.standings_after(table)
    }

    /// How often each code was found, at all tables.
    #[must_use]
    pub fn findings_by_code(&self) -> BTreeMap<Code, u64> {
        self.judge.findings_by_code()
    }

    /// How one table stands.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<TableStanding> {
        self.judge.standing(name)
    }

    /// Where a table's newest shoes are.
    #[must_use]
    pub fn shoes(&self, table: &str) -> Vec<ShoePlace> {
        self.judge.shoes(table)
    }

    /// Reads and judges the next entries, as the log's store keeps them. What is found is not
    /// published before a signed head covers it.
    ///
    /// # Errors
    /// [`FollowError`]: follow no further.
    pub fn read(&mut self, entries: &[Vec<u8>]) -> Result<(), FollowError> {
        let first = self.size();
        let kept = self.tail.read(entries)?;
        self.withheld += kept.iter().filter(|entry| entry.withheld.is_some()).count() as u64;
        let of_tables = (first..).zip(&kept).filter(|(_, entry)| entry.view.chain != LOG_CHAIN);
        let judged = of_tables.map(|(index, entry)| {
            let withheld = entry.withheld.is_some();
            Entry { withheld, ..Entry::of(index, &entry.view) }
        });
        let judged: Vec<Entry<'_>> = judged.collect();
        let found = self.judge.judge_telling(&judged);
        self.findings.append(&found).map_err(|error| self.folder_failed(error))
    }

    /// The log has this head, and all entries up to it were read: publishes what was found, and gives
    /// how many findings there are now.
    ///
    /// # Errors
    /// [`FollowError`]: follow no further.
    pub fn reach(&mut self, head: &SignedCheckpoint) -> Result<u64, FollowError> {
        head.verify(&self.key)?;
        self.tail.check(head.checkpoint())?;
        self.head = Some(head.clone());
        Ok(self.findings.publish())
    }

    /// Keeps the last certificate and all that is needed to go on from it. Where more was read than the
    /// head that was reached, nothing is kept: the certificate before stays.
    ///
    /// # Errors
    /// [`FollowError::Folder`].
    pub fn save(&self) -> Result<(), FollowError> {
        self.stands_at()
            .map_or(Ok(()), |head| saved::save(self, head))
            .map_err(|error| self.folder_failed(error))
    }

    /// What the log comes to as it stands at the head that was reached.
    #[must_use]
    pub fn certificate(&self) -> Option<LiveCertificate> {
        let head = self.stands_at()?;
        Some(LiveCertificate::new(head, &self.key, self.withheld, self.judge.as_it_stands()))
    }

    /// The log as it stands at the head that was reached, to be certified while more is judged: a copy.
    #[must_use]
    pub fn as_it_stands(&self) -> Option<Judged> {
        let (head, key) = (self.stands_at()?.clone(), self.key.clone());
        Some(Judged { head, key, withheld: self.withheld, judge: self.judge.clone() })
    }

    fn folder_failed(&self, error: io::Error) -> FollowError {
        FollowError::Folder { path: self.folder.clone(), error }
    }
}

/// A log as far as it was judged.
#[derive(Debug)]
pub struct Judged {
    head: SignedCheckpoint,
    key: VerifierKey,
    withheld: u64,
    judge: Judge,
}

impl Judged {
    /// What it comes to.
    #[must_use]
    pub fn certificate(self) -> LiveCertificate {
        LiveCertificate::new(&self.head, &self.key, self.withheld, self.judge.finish())
    }
}
