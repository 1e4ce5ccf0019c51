//! All findings of a log, however many, on disk and not in memory. Each is a line of JSON. Their order is
//! the one in which they become final, when their shoe is over.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::Path;

use replay::{Entry, Finding, Judge};
use sealed_log::reader::{Expectations, SealReport};
use serde::ser::{Error, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::failure::Failure;
use crate::judging;
use crate::language::texts;
use crate::log::OpenedLog;

/// Takes findings while a log is read.
pub(crate) struct Spool {
    file: BufWriter<File>,
    /// Why it takes no more.
    failed: Option<io::Error>,
}

impl Spool {
    pub(crate) fn new() -> Result<Self, Failure> {
        let file = tempfile::tempfile().map_err(not_spooled)?;
        Ok(Self { file: BufWriter::new(file), failed: None })
    }

    /// Reads a log for a judge, and takes the findings: in one pass, which gives them in their order.
    pub(crate) fn read(
        &mut self,
        opened: &OpenedLog,
        log: &Path,
        expectations: Expectations,
        judge: &mut Judge,
    ) -> Result<SealReport, Failure> {
        judging::read_opened(opened, log, expectations, &mut [], |entries| {
            self.judge(judge, entries);
            judge.footprint()
        })
    }

    fn judge(&mut self, judge: &mut Judge, entries: &[Entry<'_>]) {
        for finding in judge.judge_settling(entries) {
            self.add(&finding);
        }
    }

    fn add(&mut self, finding: &Finding) {
        if self.failed.is_some() {
            return;
        }
        let written = serde_json::to_writer(&mut self.file, finding).map_err(io::Error::from);
        self.failed = written.and_then(|()| self.file.write_all(b"\n")).err();
    }

    /// Takes the findings that only the end of the log shows; then all findings are complete.
    pub(crate) fn finish(mut self, at_the_end: &[Finding]) -> Result<Spooled, Failure> {
        at_the_end.iter().for_each(|finding| self.add(finding));
        let Self { file, failed } = self;
        failed.map_or(Ok(()), Err).map_err(not_spooled)?;
        let file = file.into_inner().map_err(|error| not_spooled(error.into_error()))?;
        Ok(Spooled { file })
    }
}

#[allow(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
fn not_spooled(error: io::Error) -> Failure {
    Failure::temporary(texts().findings_not_buffered(), &error)
}

/// All findings of a log, to be read again one by one.
pub(crate) struct Spooled {
    file: File,
}

impl Spooled {
    /// Reads them from the first.
    pub(crate) fn each(&self) -> io::Result<impl Iterator<Item = io::Result<Finding>>> {
        let mut file = &self.file;
        file.rewind()?;
        let lines = BufReader::new(file).lines();
        Ok(lines.map(|line| serde_json::from_str(&line?).map_err(io::Error::from)))
    }
}

impl Serialize for Spooled {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for finding in self.each().map_err(S::Error::custom)? {
            list.serialize_element(&finding.map_err(S::Error::custom)?)?;
        }
        list.end()
    }
}
