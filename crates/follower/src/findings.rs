//! The findings of a log, numbered from 1 in the order in which they showed: one line of JSON each, in a
//! file that only grows.
//!
//! Every follower of the same log gives the same numbers, so a reader who goes on from a number misses
//! nothing and sees nothing twice.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use replay::{Code, Finding, FindingChange, Found, TakenBack};
use serde::{Deserialize, Serialize};

/// The name of the file.
pub(crate) const FILE: &str = "findings.ndjson";

/// Most findings looked at for one page, whether they match or not.
pub(crate) const MAX_LOOKED_AT: u64 = 10_000;

/// A numbered statement: a finding, or the withdrawal of an earlier one that a late event or a correction
/// explains. A published statement is never edited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Published {
    /// Its number, from 1.
    pub number: u64,
    /// Log index of the entry that shows it.
    pub shown_by: u64,
    /// What was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<Finding>,
    /// The finding that is taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken_back: Option<TakenBack>,
}

impl Published {
    fn new(number: u64, shown_by: u64, change: FindingChange) -> Self {
        match change {
            FindingChange::Found(finding) => {
                Self { number, shown_by, finding: Some(finding), taken_back: None }
            }
            FindingChange::TakenBack(gone) => {
                Self { number, shown_by, finding: None, taken_back: Some(gone) }
            }
        }
    }
}

/// Which findings are asked for; empty fields match everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only of this table.
    pub table: Option<String>,
    /// Only of this shoe.
    pub shoe: Option<String>,
    /// Only of this coup.
    pub coup: Option<u32>,
    /// Only with this code.
    pub code: Option<String>,
    /// Only of this weight: `violation` or `incomplete`.
    pub severity: Option<String>,
}

impl Filter {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn matches_line(&self, line: &str) -> io::Result<bool> {
        Ok(serde_json::from_str::<Line>(line)?.facts().is_some_and(|facts| self.matches(&facts)))
    }

    fn matches(&self, finding: &Facts) -> bool {
        let wants = |wanted: &Option<String>, is: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| Some(wanted) == is)
        };
        wants(&self.table, Some(&finding.table))
            && wants(&self.shoe, finding.shoe.as_deref())
            && wants(&self.code, Some(&finding.code))
            && wants(&self.severity, Some(&finding.severity))
            && self.coup.is_none_or(|wanted| finding.coup == Some(wanted))
    }
}

/// The fields of a finding that a filter compares.
#[derive(Deserialize)]
struct Facts {
    table: String,
    shoe: Option<String>,
    coup: Option<u32>,
    code: String,
    severity: String,
}

#[derive(Deserialize)]
struct Line {
    finding: Option<Facts>,
    taken_back: Option<TakenBack>,
}

impl Line {
    /// The fields to filter by. A finding that is taken back has the same fields as when it was found.
    fn facts(self) -> Option<Facts> {
        let gone = |TakenBack { table, code, shoe, coup, .. }: TakenBack| {
            let severity = match code.severity() {
                replay::Severity::Violation => "violation",
                replay::Severity::Incomplete => "incomplete",
            };
            Facts { table, shoe, coup, code: Code::as_str(code).to_owned(), severity: severity.to_owned() }
        };
        self.finding.or_else(|| self.taken_back.map(gone))
    }
}

/// A page of findings, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Their numbers and their lines of JSON.
    pub lines: Vec<(u64, String)>,
    /// The number to read on from: never below the one that was asked for.
    pub next: u64,
    /// How many findings there are in all.
    pub published: u64,
}

#[derive(Debug)]
struct Inner {
    /// Where each line ends.
    ends: Vec<u64>,
    /// How many of them a checkpoint covers.
    published: u64,
    /// Of all lines.
    hasher: blake3::Hasher,
    /// Of those that a checkpoint covers.
    digest: blake3::Hash,
}

/// What is kept of the file beside it, by which it is known again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    /// How many findings it holds.
    pub(crate) count: u64,
    /// Its length in bytes.
    pub(crate) bytes: u64,
    /// BLAKE3 of them.
    pub(crate) digest: String,
}

/// The file of findings, with one writer and any number of readers.
#[derive(Debug)]
pub struct Findings {
    file: File,
    inner: Mutex<Inner>,
}

impl Findings {
    /// Opens the file and cuts it back to what was kept.
    ///
    /// # Errors
    /// It cannot be read, or it is not the file that was kept: it is not trusted then.
    pub(crate) fn open(folder: &Path, kept: &Kept) -> io::Result<Self> {
        let path = folder.join(FILE);
        if fs::metadata(&path).is_ok_and(|meta| !meta.is_file()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "findings.ndjson is no file"));
        }
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
        if file.metadata()?.len() < kept.bytes {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "findings are missing"));
        }
        file.set_len(kept.bytes)?;
        let (mut ends, mut hasher) = (Vec::new(), blake3::Hasher::new());
        let (mut reader, mut line, mut end) = (BufReader::new(&file), Vec::new(), 0);
        while reader.read_until(b'\n', &mut line)? > 0 {
            hasher.update(&line);
            end += line.len() as u64;
            ends.push(end);
            line.clear();
        }
        let (published, digest) = (ends.len() as u64, hasher.finalize());
        if (published, digest.to_hex().as_str()) != (kept.count, &*kept.digest) {
            let why = "the findings are not those that were saved";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(Self { file, inner: Mutex::new(Inner { ends, published, hasher, digest }) })
    }

    /// Opens an empty file.
    pub(crate) fn empty(folder: &Path) -> io::Result<Self> {
        let digest = blake3::hash(b"").to_hex().to_string();
        Self::open(folder, &Kept { count: 0, bytes: 0, digest })
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn append(&self, found: &[Found]) -> io::Result<()> {
        if found.is_empty() {
            return Ok(());
        }
        let mut inner = self.inner();
        let mut end = inner.ends.last().copied().unwrap_or(0);
        let (mut bytes, mut ends, begin) = (Vec::new(), Vec::with_capacity(found.len()), end);
        for (number, Found { shown_by, change }) in (inner.ends.len() as u64 + 1..).zip(found) {
            let line = Published::new(number, *shown_by, change.clone());
            serde_json::to_writer(&mut bytes, &line)?;
            bytes.write_all(b"\n")?;
            end = begin + bytes.len() as u64;
            ends.push(end);
        }
        self.file.write_all_at(&bytes, begin)?;
        inner.hasher.update(&bytes);
        inner.ends.extend(ends);
        Ok(())
    }

    pub(crate) fn publish(&self) -> u64 {
        let mut inner = self.inner();
        (inner.published, inner.digest) = (inner.ends.len() as u64, inner.hasher.finalize());
        inner.published
    }

    /// Flushes the file to disk; returns what to keep of its published findings.
    pub(crate) fn kept(&self) -> io::Result<Kept> {
        self.file.sync_data()?;
        let inner = self.inner();
        let (count, bytes) = (inner.published, end(&inner, inner.published));
        Ok(Kept { count, bytes, digest: inner.digest.to_hex().to_string() })
    }

    /// How many findings are published.
    #[must_use]
    pub fn published(&self) -> u64 {
        self.inner().published
    }

    /// The matching findings whose number is above `after`, at most `most`.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn page(&self, filter: &Filter, after: u64, most: usize) -> io::Result<Page> {
        let (published, after, ends) = {
            let inner = self.inner();
            if after > inner.published {
                return Ok(Page { lines: Vec::new(), next: after, published: inner.published });
            }
            let last = inner.published.min(after.saturating_add(MAX_LOOKED_AT));
            let begin = std::iter::once(end(&inner, after));
            let ends: Vec<u64> = begin.chain((after..last).map(|before| end(&inner, before + 1))).collect();
            (inner.published, after, ends)
        };
        let mut page = Page { lines: Vec::new(), next: after + ends.len() as u64 - 1, published };
        for (number, bounds) in (after + 1..).zip(ends.windows(2)) {
            if page.lines.len() >= most {
                page.next = number - 1;
                break;
            }
            let line = self.line(bounds[0], bounds[1])?;
            if filter.is_empty() || filter.matches_line(&line)? {
                page.lines.push((number, line));
            }
        }
        Ok(page)
    }

    fn line(&self, begin: u64, end: u64) -> io::Result<String> {
        let length = usize::try_from(end - begin).unwrap_or(usize::MAX).saturating_sub(1);
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, begin)?;
        String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }
}

fn end(inner: &Inner, count: u64) -> u64 {
    let last = usize::try_from(count).ok().and_then(|count| count.checked_sub(1));
    last.and_then(|last| inner.ends.get(last).copied()).unwrap_or(0)
}
