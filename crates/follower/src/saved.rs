//! The file `certificate.json`: the last certificate and all that is needed to go on from it. The file is
//! replaced as a whole, so it is never half written.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use replay::{Continued, Continuing, Footprint, Judge, SavedError};
use sealed_log::entry::{ChainName, Digest, DigestError, NameError};
use sealed_log::reader::LogTail;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use tlog::checkpoint::{CheckpointError, SignedCheckpoint};
use tlog::note::VerifierKey;
use tlog::tree::{Frontier, FrontierError};

use crate::findings::{self, Findings, Kept};
use crate::{Follower, LiveCertificate};

const FORM: u32 = 2;
const FILE: &str = "certificate.json";
/// How the name of a state begins that is being written.
const UNFINISHED: &str = ".certificate-";

/// Why the saved state cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotTakenUp {
    #[error("the saved state cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("the saved state is damaged: its digest does not match its bytes")]
    Digest,
    #[error("the saved state has form {0}, and this program reads form {FORM}")]
    Form(u32),
    #[error("the saved state is not the expected JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the saved judge cannot be used: {0}")]
    Judge(#[from] SavedError),
    #[error("the saved checkpoint: {0}")]
    Checkpoint(#[from] CheckpointError),
    #[error("the saved edge of the tree: {0}")]
    Frontier(#[from] FrontierError),
    #[error("a saved chain name: {0}")]
    Chain(#[from] NameError),
    #[error("a saved digest: {0}")]
    Newest(#[from] DigestError),
    #[error("the saved edge of the tree does not match the saved checkpoint")]
    Edge,
}

#[derive(Serialize, Deserialize)]
struct Saved<J, C> {
    form: u32,
    checkpoint: String,
    frontier: Vec<u8>,
    chains: C,
    withheld: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    continued: Option<Continued>,
    findings: (u64, u64),
    /// BLAKE3 of the file of findings. A state saved before it was kept is made again.
    #[serde(default)]
    findings_digest: String,
    judge: J,
    /// The certificate, for people who read the file; it is not read back.
    #[serde(skip_deserializing)]
    certificate: Option<LiveCertificate>,
}

/// The newest digest of each chain, by the name of the chain.
struct Chains<'a>(&'a BTreeMap<ChainName, Digest>);

impl Serialize for Chains<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, digest)| (name.as_str(), digest.to_string())))
    }
}

fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// A writer that hashes what passes through it.
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

pub(crate) fn save(follower: &Follower, signed: &SignedCheckpoint) -> io::Result<()> {
    let Kept { count, bytes, digest } = follower.findings.kept()?;
    let saved = Saved {
        form: FORM,
        checkpoint: signed.text().to_owned(),
        frontier: follower.tail.frontier().to_bytes(),
        chains: Chains(follower.tail.chains()),
        withheld: follower.withheld,
        continued: follower.continuing.continued().cloned(),
        findings: (count, bytes),
        findings_digest: digest,
        judge: follower.judge.save(),
        certificate: follower.certificate(),
    };
    let file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(&follower.folder)?;
    let mut written = BufWriter::new(Hashed { writer: file, hasher: blake3::Hasher::new() });
    serde_json::to_writer(&mut written, &saved)?;
    let Hashed { writer: mut file, hasher } = written.into_inner().map_err(io::IntoInnerError::into_error)?;
    write!(file, "\n{}\n", hasher.finalize().to_hex())?;
    file.as_file().sync_all()?;
    file.persist(path(&follower.folder)).map_err(|error| error.error)?;
    File::open(&follower.folder)?.sync_all()
}

fn path(folder: &Path) -> std::path::PathBuf {
    folder.join(FILE)
}

/// Removes what a program left that was killed while it saved. The folder is one follower's.
pub(crate) fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for item in fs::read_dir(folder)?.flatten() {
        if item.file_name().to_string_lossy().starts_with(UNFINISHED) {
            // What cannot be removed is in nobody's way.
            let _ = fs::remove_file(item.path());
        }
    }
    Ok(())
}

/// Removes a pipe, a device, a folder or a link to one that lies under a name of the follower's files, to begin again.
pub(crate) fn remove_what_is_no_file(folder: &Path) -> io::Result<()> {
    for path in [folder.join(FILE), folder.join(findings::FILE)] {
        if fs::metadata(&path).is_ok_and(|meta| !meta.is_file()) {
            match fs::symlink_metadata(&path)?.is_dir() {
                true => fs::remove_dir_all(&path)?,
                false => fs::remove_file(&path)?,
            }
        }
    }
    Ok(())
}

/// Longest state that is read, bytes: some kilobytes for each table. It is in memory while the tables are read from it.
const LONGEST: u64 = 1 << 30;

/// The text of the file, `None` where there is none. Something else under its name (a pipe, say) would be waited for.
fn text_of(path: &Path) -> io::Result<Option<String>> {
    let wrong = |why: &str| io::Error::new(io::ErrorKind::InvalidInput, why.to_owned());
    match fs::metadata(path) {
        Ok(meta) if !meta.is_file() => Err(wrong("it is no file")),
        Ok(meta) if meta.len() > LONGEST => Err(wrong("it is longer than 1 GiB")),
        Ok(_) => fs::read_to_string(path).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads the saved state; `None` where nothing was saved.
pub(crate) fn load(folder: &Path, key: &VerifierKey) -> Result<Option<Follower>, NotTakenUp> {
    let Some(text) = text_of(&path(folder))? else { return Ok(None) };
    let (text, recorded) = text.split_once('\n').ok_or(NotTakenUp::Digest)?;
    if recorded.trim_end() != digest(text) {
        return Err(NotTakenUp::Digest);
    }
    let saved: Saved<&RawValue, BTreeMap<String, String>> = serde_json::from_str(text)?;
    if saved.form != FORM {
        return Err(NotTakenUp::Form(saved.form));
    }
    let signed = SignedCheckpoint::parse(&saved.checkpoint)?;
    signed.verify(key)?;
    let frontier = Frontier::from_bytes(&saved.frontier)?;
    if (frontier.size(), frontier.root()) != (signed.checkpoint().size, signed.checkpoint().root) {
        return Err(NotTakenUp::Edge);
    }
    let mut chains = BTreeMap::new();
    for (name, newest) in saved.chains {
        chains.insert(name.parse()?, newest.parse::<Digest>()?);
    }
    let judge = Judge::load(saved.judge.get())?;
    let continuing = Continuing::resume(saved.continued, chains.keys().map(ChainName::as_str));
    let (count, bytes) = saved.findings;
    let kept = Kept { count, bytes, digest: saved.findings_digest };
    Ok(Some(Follower {
        folder: folder.to_owned(),
        key: key.clone(),
        tail: LogTail::resume(frontier, chains),
        judge,
        most: Footprint::AT_ONCE,
        withheld: saved.withheld,
        continuing,
        findings: Arc::new(Findings::open(folder, &kept)?),
        checkpoint: Some(signed),
    }))
}
