//! The `head` file: three slots, one of which holds the newest signed checkpoint. A checkpoint overwrites its slot
//! without waiting for the disk. One flush puts many checkpoints on the disk, and after it the next slot is written. So
//! at any moment one slot is being written, one may be on its way to the disk, and one is on the disk.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sealed_log::entry::Digest;
use sealed_log::writer::CheckpointSinkError;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::NoteSignature;

use crate::checkpoint_file::{CheckpointFileError, open_if_there};
use crate::disk::{sync_all, sync_data, sync_folder};

const SLOTS: usize = 3;
/// Bytes of a slot: the length of the text (four, big-endian), its digest, the text, zeros.
const SLOT_BYTES: usize = 4_096;
const LENGTH: usize = 4;
const DIGEST: usize = 32;
/// Longest text of a checkpoint, bytes.
const MOST: usize = SLOT_BYTES - LENGTH - DIGEST;

/// What a slot holds.
#[derive(Debug)]
enum Content {
    /// Nothing was ever written there.
    Nothing,
    Checkpoint(SignedCheckpoint),
    /// A part of a checkpoint, or damage.
    Illegible,
}

/// The `head` file as it was read.
#[derive(Debug, Default)]
pub(crate) struct Head {
    pub(crate) is_there: bool,
    /// At least one slot holds something that is no whole checkpoint.
    pub(crate) is_damaged: bool,
    /// The newest checkpoint in it.
    pub(crate) newest: Option<SignedCheckpoint>,
}

/// The slots, open for writing.
#[derive(Debug)]
pub(crate) struct Slots {
    path: PathBuf,
    file: File,
    next: Mutex<Next>,
}

#[derive(Debug)]
struct Next {
    /// The slot that is written: not the one on its way to the disk, nor the one that is there.
    slot: usize,
    /// Something was written there.
    written: bool,
}

impl Slots {
    /// Opens the file, making it if absent; it is on the disk before this returns.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file"));
        }
        if file.metadata()?.len() < (SLOTS * SLOT_BYTES) as u64 {
            file.set_len((SLOTS * SLOT_BYTES) as u64)?;
        }
        sync_all(&file)?;
        sync_folder(path.parent().unwrap_or(Path::new(".")))?;
        let sizes =
            read(&file)?.map(|content| content.signed_checkpoint().map(|signed| signed.checkpoint().size));
        let newest = (0..SLOTS).max_by_key(|slot| sizes[*slot]).unwrap_or_default();
        let next = Mutex::new(Next { slot: (newest + 1) % SLOTS, written: false });
        Ok(Self { path: path.to_owned(), file, next })
    }

    /// What the file at `path` holds.
    ///
    /// # Errors
    /// [`CheckpointFileError`] when it cannot be read, or when all slots are illegible: a power cut spoils no
    /// more than two.
    pub(crate) fn read(path: &Path) -> Result<Head, CheckpointFileError> {
        let failed = |error| CheckpointFileError::File { path: path.to_owned(), error };
        let wrong = |why: String| CheckpointFileError::Illegible { path: path.to_owned(), why };
        let Some(file) = open_if_there(path).map_err(failed)? else { return Ok(Head::default()) };
        let content = read(&file).map_err(failed)?;
        let is_illegible = |content: &Content| matches!(content, Content::Illegible);
        if content.iter().all(is_illegible) {
            return Err(wrong("none of its three slots holds a checkpoint".to_owned()));
        }
        let is_damaged = content.iter().any(is_illegible);
        let mut checkpoints: Vec<SignedCheckpoint> =
            content.into_iter().filter_map(Content::signed_checkpoint).collect();
        checkpoints.sort_by_key(|signed| signed.checkpoint().size);
        for pair in checkpoints.windows(2).map(|pair| [pair[0].checkpoint(), pair[1].checkpoint()]) {
            if pair[0].size == pair[1].size && pair[0] != pair[1] {
                return Err(wrong(format!(
                    "two checkpoints of {} entries contradict each other",
                    pair[0].size
                )));
            }
        }
        Ok(Head { is_there: true, is_damaged, newest: checkpoints.pop() })
    }

    /// Writes a checkpoint, not yet to the disk: after `Ok` it survives the end of the program.
    pub(crate) fn put(&self, signed: &SignedCheckpoint) -> Result<(), CheckpointSinkError> {
        let bytes = slot_bytes(&fitting(signed)).map_err(|error| self.failed(&error))?;
        let mut next = self.next();
        next.written = true;
        let written = self.file.write_all_at(&bytes, (next.slot * SLOT_BYTES) as u64);
        written.map_err(|error| self.failed(&error))
    }

    /// Puts what was written on the disk: after `Ok` it survives a power cut. One at a time.
    pub(crate) fn sync(&self) -> Result<(), CheckpointSinkError> {
        {
            let mut next = self.next();
            if !std::mem::take(&mut next.written) {
                return Ok(());
            }
            next.slot = (next.slot + 1) % SLOTS;
        }
        sync_data(&self.file).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> CheckpointSinkError {
        CheckpointSinkError(format!("{}: {error}", self.path.display()))
    }

    fn next(&self) -> MutexGuard<'_, Next> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Content {
    fn of(slot: &[u8]) -> Self {
        if slot.iter().all(|byte| *byte == 0) {
            return Self::Nothing;
        }
        let signed = || {
            let (length, rest) = slot.split_first_chunk::<LENGTH>()?;
            let (digest, rest) = rest.split_first_chunk::<DIGEST>()?;
            let text = rest.get(..u32::from_be_bytes(*length) as usize)?;
            let is_whole = Digest::of(text) == Digest::from_bytes(*digest);
            let text = std::str::from_utf8(text).ok().filter(|_| is_whole)?;
            SignedCheckpoint::parse(text).ok()
        };
        signed().map_or(Self::Illegible, Self::Checkpoint)
    }

    fn signed_checkpoint(self) -> Option<SignedCheckpoint> {
        match self {
            Self::Checkpoint(signed) => Some(signed),
            Self::Nothing | Self::Illegible => None,
        }
    }
}

/// What each slot holds; a slot that the file is too short for was never written to.
fn read(file: &File) -> io::Result<[Content; SLOTS]> {
    let mut bytes = [0; SLOTS * SLOT_BYTES];
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], filled as u64) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(std::array::from_fn(|slot| Content::of(&bytes[slot * SLOT_BYTES..][..SLOT_BYTES])))
}

/// Why a checkpoint does not fit into a slot. The ones that a log signs always fit: an origin has at most 255 bytes, and
/// only another program puts lines behind the root.
pub(crate) fn too_long(signed: &SignedCheckpoint) -> Option<String> {
    let length = fitting(signed).len();
    (length > MOST).then(|| {
        format!(
            "a checkpoint of {length} bytes, and {MOST} fit into `head`; put the checkpoint back as this program \
             signed it, without other lines behind its root"
        )
    })
}

/// The checkpoint with as many of its signature lines as fit, the log's own first, and of these at least the first: that
/// of the key in force. Two ML-DSA-44 lines, which a checkpoint has where such a key passes on to another, do not fit.
fn fitting(signed: &SignedCheckpoint) -> String {
    let own = |line: &&NoteSignature| line.name == signed.checkpoint().origin;
    let lines = signed.signatures().iter();
    let mut lines = lines.clone().filter(own).chain(lines.filter(|line| !own(line)));
    let mut text = format!("{}\n", signed.body());
    text.extend(lines.next().map(ToString::to_string));
    for line in lines.map(ToString::to_string) {
        if text.len() + line.len() <= MOST {
            text += &line;
        }
    }
    text
}

fn slot_bytes(text: &str) -> io::Result<[u8; SLOT_BYTES]> {
    let length = u32::try_from(text.len()).ok().filter(|_| text.len() <= MOST);
    let length = length.ok_or_else(|| {
        let why = format!("a checkpoint of {} bytes; {MOST} fit", text.len());
        io::Error::new(io::ErrorKind::InvalidInput, why)
    })?;
    let mut slot = [0; SLOT_BYTES];
    let (header, rest) = slot.split_at_mut(LENGTH + DIGEST);
    header[..LENGTH].copy_from_slice(&length.to_be_bytes());
    header[LENGTH..].copy_from_slice(Digest::of(text.as_bytes()).as_bytes());
    rest[..text.len()].copy_from_slice(text.as_bytes());
    Ok(slot)
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use tlog::checkpoint::Checkpoint;
    use tlog::key::Algorithm;
    use tlog::note::SigningKey;
    use tlog::tree::Frontier;

    pub(crate) fn signed(size: u64) -> SignedCheckpoint {
        let key = SigningKey::from_seed("casino.example/test", &[7; 32]).unwrap();
        let mut tree = Frontier::default();
        (0..size).for_each(|number| tree.push_leaf([number as u8; 32]));
        SignedCheckpoint::sign(&Checkpoint::of("casino.example/test", &tree), &key).unwrap()
    }

    fn newest(path: &Path) -> Option<u64> {
        Slots::read(path).unwrap().newest.map(|signed| signed.checkpoint().size)
    }

    #[test]
    fn the_newest_checkpoint_is_found_and_an_older_one_written_over() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("head");
        assert_eq!(newest(&path), None);
        for size in 0..9 {
            // Opened anew each time: which slot is next is read from the file.
            Slots::open(&path).unwrap().put(&signed(size)).unwrap();
            assert_eq!(newest(&path), Some(size));
        }
        assert_eq!(std::fs::metadata(&path).unwrap().len(), (SLOTS * SLOT_BYTES) as u64);
    }

    /// The slots that differ.
    fn changed(before: &[u8], after: &[u8]) -> Vec<usize> {
        let slot = |bytes: &[u8], number: usize| bytes[number * SLOT_BYTES..][..SLOT_BYTES].to_vec();
        (0..SLOTS).filter(|number| slot(before, *number) != slot(after, *number)).collect()
    }

    #[test]
    fn a_checkpoint_with_two_long_signatures_is_kept_with_the_first() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("head");
        let name = "casino.example/test";
        let key = |seed: u8| SigningKey::with_algorithm(Algorithm::MlDsa44, name, &[seed; 32]).unwrap();
        let signed = SignedCheckpoint::sign(signed(5).checkpoint(), &key(1)).unwrap();
        let both = signed.also_signed_by(&key(2)).unwrap();
        Slots::open(&path).unwrap().put(&both).unwrap();
        assert_eq!(Slots::read(&path).unwrap().newest, Some(signed));
    }

    /// An origin is the name of a key, and so has 255 bytes at most; the largest size has 20 digits.
    #[test]
    fn the_longest_checkpoint_that_a_log_signs_fits() {
        let origin = "c".repeat(255);
        assert!(SigningKey::from_seed(&format!("{origin}c"), &[7; 32]).is_err());
        for algorithm in [Algorithm::Ed25519, Algorithm::MlDsa44] {
            let key = |seed: u8| SigningKey::with_algorithm(algorithm, &origin, &[seed; 32]).unwrap();
            let longest = Checkpoint { origin: origin.clone(), size: u64::MAX, root: [255; 32] };
            let signed = SignedCheckpoint::sign(&longest, &key(1)).unwrap();
            let both = signed.also_signed_by(&key(2)).unwrap();
            for signed in [signed, both] {
                assert_eq!(too_long(&signed), None, "{algorithm:?}");
                slot_bytes(&fitting(&signed)).unwrap();
            }
        }
    }

    #[test]
    fn what_is_on_the_disk_and_what_is_on_its_way_is_not_written_over() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("head");
        let slots = Slots::open(&path).unwrap();
        let now = || std::fs::read(&path).unwrap();
        let mut recent: Vec<usize> = Vec::new();
        for size in (1..40).step_by(3) {
            let before = now();
            (size..size + 3).for_each(|size| slots.put(&signed(size)).unwrap());
            let written = changed(&before, &now());
            assert_eq!(written.len(), 1, "checkpoints that are not on the disk take one slot");
            assert!(!recent.contains(&written[0]), "{written:?} after {recent:?}");
            assert_eq!(newest(&path), Some(size + 2));
            // However often: the slot with the newest checkpoint is not come to again.
            (0..=size).for_each(|_| slots.sync().unwrap());
            recent.extend(written);
            recent.drain(..recent.len().saturating_sub(2));
        }
    }

    #[test]
    fn a_write_that_was_cut_off_leaves_the_checkpoint_before_it() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("head");
        let slots = Slots::open(&path).unwrap();
        let put = |size| slots.put(&signed(size)).and_then(|()| slots.sync()).unwrap();
        (1..=4).for_each(put);
        let before = std::fs::read(&path).unwrap();
        put(5);
        let after = std::fs::read(&path).unwrap();
        let changed: Vec<usize> = (0..after.len()).filter(|at| before[*at] != after[*at]).collect();
        for cut in &changed {
            for part in [..*cut, ..0] {
                let mut torn = before.clone();
                torn[part].copy_from_slice(&after[part]);
                torn[*cut] = after[*cut] ^ 0x10;
                std::fs::write(&path, torn).unwrap();
                assert_eq!(newest(&path), Some(4), "cut at byte {cut}");
            }
        }
        std::fs::write(&path, &before[..SLOT_BYTES + 20]).unwrap();
        assert_eq!(newest(&path), Some(4), "the other slots cut off");
    }

    #[test]
    fn slots_that_are_all_illegible_are_damage_and_one_alone_is_a_first_write_cut_off() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("head");
        let mut bytes = vec![0; SLOTS * SLOT_BYTES];
        for slot in 0..SLOTS - 1 {
            bytes[slot * SLOT_BYTES + 7] = 1;
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(newest(&path), None);
        }
        bytes[(SLOTS - 1) * SLOT_BYTES + 7] = 1;
        std::fs::write(&path, &bytes).unwrap();
        let why = Slots::read(&path).unwrap_err().to_string();
        assert!(why.contains("head: none of its three slots"), "{why}");
        for length in [u32::MAX, SLOT_BYTES as u32, 0] {
            bytes[..4].copy_from_slice(&length.to_be_bytes());
            std::fs::write(&path, &bytes).unwrap();
            assert!(Slots::read(&path).is_err(), "a length of {length}");
        }
    }

    #[test]
    fn a_checkpoint_that_does_not_fit_is_refused() {
        assert_eq!(slot_bytes(&"x".repeat(MOST)).unwrap().last(), Some(&b'x'));
        let why = slot_bytes(&"x".repeat(MOST + 1)).unwrap_err().to_string();
        assert!(why.contains("4061 bytes; 4060 fit"), "{why}");
    }
}
