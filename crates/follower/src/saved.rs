//! The last certificate, and all that is needed to go on from it, in one file that is there whole or
//! not at all.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use replay::{Judge, SavedError};
use sealed_log::{
    ChainName, CheckpointError, Digest, DigestError, Frontier, FrontierError, LogTail, NameError,
    SignedCheckpoint, VerifierKey,
};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::findings::Findings;
use crate::{Follower, LiveCertificate};

const FORM: u32 = 2;

/// Why what was kept is not taken up.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotTakenUp {
    #[error("what was kept cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("what was kept is damaged: its digest is not that of its bytes")]
    Digest,
    #[error("what was kept is of form {0}, and this program keeps form {FORM}")]
    Form(u32),
    #[error("what was kept is not legible: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the judge cannot be taken up: {0}")]
    Judge(#[from] SavedError),
    #[error("the head that was kept: {0}")]
    Head(#[from] CheckpointError),
    #[error("the tree's edge that was kept: {0}")]
    Frontier(#[from] FrontierError),
    #[error("a chain that was kept: {0}")]
    Chain(#[from] NameError),
    #[error("a digest that was kept: {0}")]
    Newest(#[from] DigestError),
    #[error("the tree's edge that was kept is not that of the head")]
    Edge,
}

#[derive(Serialize, Deserialize)]
struct Kept<J, C> {
    form: u32,
    checkpoint: String,
    frontier: Vec<u8>,
    chains: C,
    withheld: u64,
    findings: (u64, u64),
    judge: J,
    /// For people: what was certified.
    #[serde(skip_deserializing)]
    certificate: Option<LiveCertificate>,
}

/// The newest digest of each chain, by its name.
struct Chains<'a>(&'a BTreeMap<ChainName, Digest>);

impl Serialize for Chains<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, digest)| (name.as_str(), digest.to_string())))
    }
}

fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// Writes on, and hashes what it writes.
struct Hashed<W> {
    writer: W,
    hasher: blake3::Hasher,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

pub(crate) fn save(follower: &Follower, head: &SignedCheckpoint) -> io::Result<()> {
    let kept = Kept {
        form: FORM,
        checkpoint: head.text().to_owned(),
        frontier: follower.tail.frontier().to_bytes(),
        chains: Chains(follower.tail.chains()),
        withheld: follower.withheld,
        findings: follower.findings.kept()?,
        judge: follower.judge.save(),
        certificate: follower.certificate(),
    };
    let file = tempfile::Builder::new().prefix(".certificate-").tempfile_in(&follower.folder)?;
    let mut written = BufWriter::new(Hashed { writer: file, hasher: blake3::Hasher::new() });
    serde_json::to_writer(&mut written, &kept)?;
    let Hashed { writer: mut file, hasher } = written.into_inner().map_err(io::IntoInnerError::into_error)?;
    write!(file, "\n{}\n", hasher.finalize().to_hex())?;
    file.as_file().sync_all()?;
    file.persist(path(&follower.folder)).map_err(|error| error.error)?;
    File::open(&follower.folder)?.sync_all()
}

fn path(folder: &Path) -> std::path::PathBuf {
    folder.join("certificate.json")
}

/// What was kept; `None` where nothing was.
pub(crate) fn load(folder: &Path, key: &VerifierKey) -> Result<Option<Follower>, NotTakenUp> {
    let text = match fs::read_to_string(path(folder)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let (text, told) = text.split_once('\n').ok_or(NotTakenUp::Digest)?;
    if told.trim_end() != digest(text) {
        return Err(NotTakenUp::Digest);
    }
    let kept: Kept<Box<RawValue>, BTreeMap<String, String>> = serde_json::from_str(text)?;
    if kept.form != FORM {
        return Err(NotTakenUp::Form(kept.form));
    }
    let head = SignedCheckpoint::parse(&kept.checkpoint)?;
    head.verify(key)?;
    let frontier = Frontier::from_bytes(&kept.frontier)?;
    if (frontier.size(), frontier.root()) != (head.checkpoint().size, head.checkpoint().root) {
        return Err(NotTakenUp::Edge);
    }
    let mut chains = BTreeMap::new();
    for (name, newest) in kept.chains {
        chains.insert(name.parse()?, newest.parse::<Digest>()?);
    }
    let judge = Judge::load(kept.judge.get())?;
    let (count, bytes) = kept.findings;
    Ok(Some(Follower {
        folder: folder.to_owned(),
        key: key.clone(),
        tail: LogTail::resume(frontier, chains),
        judge,
        withheld: kept.withheld,
        findings: Arc::new(Findings::open(folder, count, bytes)?),
        head: Some(head),
    }))
}
