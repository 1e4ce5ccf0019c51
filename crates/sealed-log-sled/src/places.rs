//! The file `head`: the newest signed head in one of three places. A place is overwritten where it stands,
//! without waiting for the medium; that is done for many heads at once, and then the next place is written.
//! So at any moment one place is being written, one may be on its way to the medium, and one is there.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sealed_log::entry::Digest;
use sealed_log::writer::HeadError;
use tlog::checkpoint::SignedCheckpoint;

use crate::disk::{sync_all, sync_data, sync_folder};
use crate::head::open_if_there;

const PLACES: usize = 3;
/// Bytes of a place: the length of the text (four, big-endian), its digest, the text, zeros.
const PLACE: usize = 4_096;
const LENGTH: usize = 4;
const DIGEST: usize = 32;
/// Longest text of a head, bytes.
const MOST: usize = PLACE - LENGTH - DIGEST;

/// What stands in a place.
#[derive(Debug)]
enum Held {
    /// Nothing was ever written there.
    Nothing,
    Head(SignedCheckpoint),
    /// A part of a head, or damage.
    Illegible,
}

/// The places, open for writing.
#[derive(Debug)]
pub(crate) struct Places {
    path: PathBuf,
    file: File,
    next: Mutex<Next>,
}

#[derive(Debug)]
struct Next {
    /// The place that is written: not the one on its way to the medium, nor the one that is there.
    place: usize,
    /// Something was written there.
    written: bool,
}

impl Places {
    /// Opens the file, making it if absent; it is on the medium before this returns.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if file.metadata()?.len() < (PLACES * PLACE) as u64 {
            file.set_len((PLACES * PLACE) as u64)?;
        }
        sync_all(&file)?;
        sync_folder(path.parent().unwrap_or(Path::new(".")))?;
        let sizes = read(&file)?.map(|held| held.head().map(|head| head.checkpoint().size));
        let newest = (0..PLACES).max_by_key(|place| sizes[*place]).unwrap_or_default();
        let next = Mutex::new(Next { place: (newest + 1) % PLACES, written: false });
        Ok(Self { path: path.to_owned(), file, next })
    }

    /// The newest head of the file at `path`, `None` where there is no file or no head in it.
    ///
    /// # Errors
    /// A sentence with the file's name when it cannot be read, or when all places are illegible: a power
    /// cut spoils no more than two.
    pub(crate) fn newest(path: &Path) -> Result<Option<SignedCheckpoint>, String> {
        let place = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let Some(file) = open_if_there(path).map_err(|error| place(&error))? else { return Ok(None) };
        let held = read(&file).map_err(|error| place(&error))?;
        if held.iter().all(|held| matches!(held, Held::Illegible)) {
            return Err(place(&"none of its three places holds a checkpoint"));
        }
        let mut heads: Vec<SignedCheckpoint> = held.into_iter().filter_map(Held::head).collect();
        heads.sort_by_key(|head| head.checkpoint().size);
        for pair in heads.windows(2).map(|pair| [pair[0].checkpoint(), pair[1].checkpoint()]) {
            if pair[0].size == pair[1].size && pair[0] != pair[1] {
                return Err(place(&format!(
                    "two checkpoints of {} entries contradict each other",
                    pair[0].size
                )));
            }
        }
        Ok(heads.pop())
    }

    /// Writes a head, not yet to the medium: after `Ok` it survives the end of the program.
    pub(crate) fn put(&self, head: &SignedCheckpoint) -> Result<(), HeadError> {
        let bytes = place_of(&fitting(head)).map_err(|error| self.failed(&error))?;
        let mut next = self.next();
        next.written = true;
        let written = self.file.write_all_at(&bytes, (next.place * PLACE) as u64);
        written.map_err(|error| self.failed(&error))
    }

    /// Puts what was written on the medium: after `Ok` it survives a power cut. One at a time.
    pub(crate) fn sync(&self) -> Result<(), HeadError> {
        {
            let mut next = self.next();
            if !std::mem::take(&mut next.written) {
                return Ok(());
            }
            next.place = (next.place + 1) % PLACES;
        }
        sync_data(&self.file).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> HeadError {
        HeadError(format!("{}: {error}", self.path.display()))
    }

    fn next(&self) -> MutexGuard<'_, Next> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn of(place: &[u8]) -> Self {
        if place.iter().all(|byte| *byte == 0) {
            return Self::Nothing;
        }
        let head = || {
            let (length, rest) = place.split_first_chunk::<LENGTH>()?;
            let (digest, rest) = rest.split_first_chunk::<DIGEST>()?;
            let text = rest.get(..u32::from_be_bytes(*length) as usize)?;
            let is_whole = Digest::of(text) == Digest::from_bytes(*digest);
            let text = std::str::from_utf8(text).ok().filter(|_| is_whole)?;
            SignedCheckpoint::parse(text).ok()
        };
        head().map_or(Self::Illegible, Self::Head)
    }

    fn head(self) -> Option<SignedCheckpoint> {
        match self {
            Self::Head(head) => Some(head),
            Self::Nothing | Self::Illegible => None,
        }
    }
}

/// What stands in each place; what a file is too short for was never written.
fn read(file: &File) -> io::Result<[Held; PLACES]> {
    let mut bytes = [0; PLACES * PLACE];
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], filled as u64) {
            Ok(0) => break,
            Ok(more) => filled += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(std::array::from_fn(|place| Held::of(&bytes[place * PLACE..][..PLACE])))
}

/// The head with as many of its signature lines as fit, at least the first: that of the key in force. Two ML-DSA-44
/// lines, which a head has where such a key passes on to another, do not.
fn fitting(head: &SignedCheckpoint) -> String {
    let (mut text, mut lines) = (format!("{}\n", head.body()), head.signatures().iter());
    text.extend(lines.next().map(ToString::to_string));
    for line in lines.map(ToString::to_string) {
        if text.len() + line.len() > MOST {
            break;
        }
        text += &line;
    }
    text
}

fn place_of(text: &str) -> io::Result<[u8; PLACE]> {
    let length = u32::try_from(text.len()).ok().filter(|_| text.len() <= MOST);
    let length = length.ok_or_else(|| {
        let why = format!("a checkpoint of {} bytes; {MOST} fit", text.len());
        io::Error::new(io::ErrorKind::InvalidInput, why)
    })?;
    let mut place = [0; PLACE];
    let (head, rest) = place.split_at_mut(LENGTH + DIGEST);
    head[..LENGTH].copy_from_slice(&length.to_be_bytes());
    head[LENGTH..].copy_from_slice(Digest::of(text.as_bytes()).as_bytes());
    rest[..text.len()].copy_from_slice(text.as_bytes());
    Ok(place)
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use tlog::checkpoint::Checkpoint;
    use tlog::key::Algorithm;
    use tlog::note::SigningKey;
    use tlog::tree::Frontier;

    pub(crate) fn head(size: u64) -> SignedCheckpoint {
        let key = SigningKey::from_seed("casino.example/test", &[7; 32]).unwrap();
        let mut tree = Frontier::default();
        (0..size).for_each(|number| tree.push_leaf([number as u8; 32]));
        SignedCheckpoint::sign(&Checkpoint::of("casino.example/test", &tree), &key).unwrap()
    }

    fn newest(path: &Path) -> Option<u64> {
        Places::newest(path).unwrap().map(|head| head.checkpoint().size)
    }

    #[test]
    fn the_newest_head_is_found_and_an_older_one_written_over() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("head");
        assert_eq!(newest(&path), None);
        for size in 0..9 {
            // Opened anew each time: which place is next is read from the file.
            Places::open(&path).unwrap().put(&head(size)).unwrap();
            assert_eq!(newest(&path), Some(size));
        }
        assert_eq!(std::fs::metadata(&path).unwrap().len(), (PLACES * PLACE) as u64);
    }

    /// The places that differ.
    fn changed(before: &[u8], after: &[u8]) -> Vec<usize> {
        let place = |bytes: &[u8], number: usize| bytes[number * PLACE..][..PLACE].to_vec();
        (0..PLACES).filter(|number| place(before, *number) != place(after, *number)).collect()
    }

    #[test]
    fn a_head_with_two_long_signatures_is_kept_with_the_first() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("head");
        let name = "casino.example/test";
        let key = |seed: u8| SigningKey::with_algorithm(Algorithm::MlDsa44, name, &[seed; 32]).unwrap();
        let head = SignedCheckpoint::sign(head(5).checkpoint(), &key(1)).unwrap();
        let both = head.also_signed_by(&key(2)).unwrap();
        Places::open(&path).unwrap().put(&both).unwrap();
        assert_eq!(Places::newest(&path).unwrap(), Some(head));
    }

    #[test]
    fn what_is_on_the_medium_and_what_is_on_its_way_is_not_written_over() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("head");
        let places = Places::open(&path).unwrap();
        let now = || std::fs::read(&path).unwrap();
        let mut recent: Vec<usize> = Vec::new();
        for size in (1..40).step_by(3) {
            let before = now();
            (size..size + 3).for_each(|size| places.put(&head(size)).unwrap());
            let written = changed(&before, &now());
            assert_eq!(written.len(), 1, "heads that are not on the medium take one place");
            assert!(!recent.contains(&written[0]), "{written:?} after {recent:?}");
            assert_eq!(newest(&path), Some(size + 2));
            // However often: the place with the newest head is not come to again.
            (0..=size).for_each(|_| places.sync().unwrap());
            recent.extend(written);
            recent.drain(..recent.len().saturating_sub(2));
        }
    }

    #[test]
    fn a_write_that_was_cut_off_leaves_the_head_before_it() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("head");
        let places = Places::open(&path).unwrap();
        let put = |size| places.put(&head(size)).and_then(|()| places.sync()).unwrap();
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
        std::fs::write(&path, &before[..PLACE + 20]).unwrap();
        assert_eq!(newest(&path), Some(4), "the other places cut off");
    }

    #[test]
    fn places_that_are_all_illegible_are_damage_and_one_alone_is_a_first_write_cut_off() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("head");
        let mut bytes = vec![0; PLACES * PLACE];
        for place in 0..PLACES - 1 {
            bytes[place * PLACE + 7] = 1;
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(newest(&path), None);
        }
        bytes[(PLACES - 1) * PLACE + 7] = 1;
        std::fs::write(&path, &bytes).unwrap();
        let why = Places::newest(&path).unwrap_err();
        assert!(why.contains("head: none of its three places"), "{why}");
        for length in [u32::MAX, PLACE as u32, 0] {
            bytes[..4].copy_from_slice(&length.to_be_bytes());
            std::fs::write(&path, &bytes).unwrap();
            assert!(Places::newest(&path).is_err(), "a length of {length}");
        }
    }

    #[test]
    fn a_head_that_does_not_fit_is_refused() {
        assert_eq!(place_of(&"x".repeat(MOST)).unwrap().last(), Some(&b'x'));
        let why = place_of(&"x".repeat(MOST + 1)).unwrap_err().to_string();
        assert!(why.contains("4061 bytes; 4060 fit"), "{why}");
    }
}
