//! The store on sled: a tail of single entries, bundles behind it, leaf hashes beside both.
//!
//! Everything an append changes goes into one atomic sled batch; then sled is flushed and the
//! file system told to put the folder on the medium, because sled's own flush on Linux is
//! `sync_file_range`, which promises nothing after a power cut.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use sealed_log::{
    Batch, ChainHead, ChainName, Digest, EntryView, Frontier, Store, StoreError, StoredEntry, leaf_hash, parse_entry,
};

use crate::bundle::{CLOSE_AT_BYTES, MOST_ENTRIES, pack, unpack};
use crate::guard::{from_sled, guarded};
use crate::keys;

/// Version of the layout below. 1: first.
const FORMAT: u8 = 1;
const TILE: u64 = 256;
/// Sled's page cache.
const CACHE_BYTES: u64 = 64 << 20;

/// A [`Store`] in a folder.
#[derive(Debug)]
pub struct SledStore {
    tree: sled::Db,
    folder: PathBuf,
    size: u64,
    frontier: Frontier,
    /// Index of the first entry that is not in a bundle yet.
    tail_first: u64,
    /// Sizes of the tail's entries.
    tail: Vec<TailEntry>,
    durable: bool,
    stopped: bool,
    /// Removed at a clean close.
    marker: Option<PathBuf>,
}

#[derive(Debug, Clone)]
struct TailEntry {
    bytes: usize,
    chain: ChainName,
    first: u64,
    last: u64,
}

impl SledStore {
    /// Opens the folder, making it if absent.
    ///
    /// # Errors
    /// [`StoreError::Medium`] where it cannot be opened (another program has it open, for
    /// example), [`StoreError::Damaged`] where it contradicts itself.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        guarded(0, || Self::open_unguarded(folder))
    }

    fn open_unguarded(folder: &Path) -> Result<Self, StoreError> {
        let fresh = !folder.exists();
        let tree = sled::Config::new()
            .path(folder)
            .cache_capacity(CACHE_BYTES)
            .flush_every_ms(None)
            .mode(sled::Mode::LowSpace)
            .open()
            .map_err(|error| opening(folder, &error))?;
        let mut store = Self {
            tree,
            folder: folder.to_owned(),
            size: 0,
            frontier: Frontier::default(),
            tail_first: 0,
            tail: Vec::new(),
            durable: true,
            stopped: false,
            marker: None,
        };
        match store.get(keys::META, 0)? {
            Some(meta) => store.load(&meta)?,
            None if !store.tree.is_empty() => {
                return Err(StoreError::Damaged { index: 0, why: "entries without a size".to_owned() });
            }
            None => {}
        }
        if fresh {
            store.sync(folder.parent().unwrap_or(folder))?;
            store.sync(folder)?;
        }
        Ok(store)
    }

    fn load(&mut self, meta: &[u8]) -> Result<(), StoreError> {
        let damaged = |why: String| StoreError::Damaged { index: 0, why };
        let (version, frontier) = meta.split_first().ok_or_else(|| damaged("an empty size record".to_owned()))?;
        if *version != FORMAT {
            return Err(damaged(format!("store format {version}; this program knows format {FORMAT}")));
        }
        self.frontier = Frontier::from_bytes(frontier).map_err(|error| damaged(error.to_string()))?;
        self.size = self.frontier.size();
        self.tail_first = self.size;
        let first_kept = self.tree.scan_prefix(b"t").keys().next().transpose().map_err(from_sled(0))?;
        if let Some(key) = first_kept {
            let number = key.get(1..).and_then(|bytes| bytes.try_into().ok()).map(u64::from_be_bytes);
            self.tail_first = number.ok_or_else(|| damaged("an entry without an index".to_owned()))?;
        }
        for index in self.tail_first..self.size {
            let bytes = self.tail_bytes(index)?;
            self.tail.push(tail_entry(index, &bytes)?);
        }
        Ok(())
    }

    /// Says by a file that the store is in use; a clean close removes it.
    pub(crate) fn mark(&mut self, marker: PathBuf) {
        self.marker = Some(marker);
    }

    /// Bulk measuring only: appends return before they are on the medium.
    #[doc(hidden)]
    pub fn without_durability(mut self) -> Self {
        self.durable = false;
        self
    }

    fn get(&self, key: &[u8], index: u64) -> Result<Option<sled::IVec>, StoreError> {
        self.tree.get(key).map_err(from_sled(index))
    }

    fn tail_bytes(&self, index: u64) -> Result<sled::IVec, StoreError> {
        let missing = || StoreError::Damaged { index, why: "it is not there".to_owned() };
        self.get(&keys::tail(index), index)?.ok_or_else(missing)
    }

    /// The bundle that holds an entry: its first index and its entries.
    fn bundle_of(&self, index: u64) -> Result<(u64, Vec<Vec<u8>>), StoreError> {
        let missing = || StoreError::Damaged { index, why: "its bundle is not there".to_owned() };
        let found = self.tree.get_lt(keys::bundle(index + 1)).map_err(from_sled(index))?;
        let (key, value) = found.filter(|(key, _)| key.first() == Some(&b'b')).ok_or_else(missing)?;
        let first = key.get(1..).and_then(|bytes| bytes.try_into().ok()).map(u64::from_be_bytes).ok_or_else(missing)?;
        let entries = unpack(&value).map_err(|why| StoreError::Damaged { index, why })?;
        Ok((first, entries))
    }

    /// Puts the folder's files on the medium, sled's own flush being no promise.
    fn sync(&self, folder: &Path) -> Result<(), StoreError> {
        let medium = |error: std::io::Error| StoreError::Medium(format!("{}: {error}", folder.display()));
        let handle = File::open(folder).map_err(medium)?;
        rustix::fs::syncfs(&handle).map_err(|error| medium(error.into()))
    }

    fn append_unguarded(&mut self, batch: &Batch) -> Result<(), StoreError> {
        let mut changes = sled::Batch::default();
        let mut hashes = Vec::with_capacity(batch.entries.len());
        let mut heads: BTreeMap<&ChainName, Head> = BTreeMap::new();
        let mut pending = Pending { store: self, fresh: &batch.entries, base: batch.first_index };
        let mut tail = pending.store.tail.clone();
        for (entry, index) in batch.entries.iter().zip(batch.first_index..) {
            hashes.push(leaf_hash(&entry.digest));
            pending.head(&mut heads, entry, index)?;
            tail.push(TailEntry {
                bytes: entry.bytes.len(),
                chain: entry.chain.clone(),
                first: entry.first,
                last: entry.first + u64::from(entry.count) - 1,
            });
        }
        let sealed = pending.seal_bundles(&tail, &mut changes)?;
        pending.write_tail(sealed, &mut changes);
        pending.write_leaves(&hashes, &mut changes)?;
        for (name, head) in heads {
            changes.insert(keys::chain(name), head.to_bytes());
        }
        let mut meta = vec![FORMAT];
        meta.extend_from_slice(&batch.frontier.to_bytes());
        changes.insert(keys::META, meta);
        self.tree.apply_batch(changes).map_err(from_sled(batch.first_index))?;
        if self.durable {
            self.tree.flush().map_err(from_sled(batch.first_index))?;
            self.sync(&self.folder)?;
        }
        tail.drain(..sealed);
        self.tail = tail;
        self.tail_first += sealed as u64;
        self.size += batch.entries.len() as u64;
        self.frontier = batch.frontier.clone();
        Ok(())
    }
}

impl Drop for SledStore {
    fn drop(&mut self) {
        let index = self.size;
        let flushed = guarded(index, || self.tree.flush().map_err(from_sled(index)));
        let clean = flushed.is_ok() && !self.stopped && self.sync(&self.folder).is_ok();
        if let (true, Some(marker)) = (clean, self.marker.take()) {
            // A marker that stays only makes the next start more careful.
            let _ = std::fs::remove_file(marker);
        }
    }
}

/// The entries of an append beside those already in the tail.
struct Pending<'a> {
    store: &'a SledStore,
    fresh: &'a [StoredEntry],
    base: u64,
}

impl<'a> Pending<'a> {
    fn head(&mut self, heads: &mut BTreeMap<&'a ChainName, Head>, entry: &'a StoredEntry, index: u64) -> Result<(), StoreError> {
        if !heads.contains_key(&entry.chain) {
            let kept = self.store.get(&keys::chain(&entry.chain), index)?;
            let head = match kept {
                Some(bytes) => Head::from_bytes(&bytes, index)?,
                None => Head::default(),
            };
            heads.insert(&entry.chain, head);
        }
        if let Some(head) = heads.get_mut(&entry.chain) {
            head.follow(entry, index);
        }
        Ok(())
    }

    fn bytes(&self, index: u64) -> Result<Vec<u8>, StoreError> {
        match index.checked_sub(self.base) {
            Some(fresh) => Ok(self.fresh[fresh as usize].bytes.clone()),
            None => self.store.tail_bytes(index).map(|bytes| bytes.to_vec()),
        }
    }

    /// Turns full stretches of the tail into bundles; gives how many entries went.
    fn seal_bundles(&self, tail: &[TailEntry], changes: &mut sled::Batch) -> Result<usize, StoreError> {
        let mut sealed = 0;
        while let Some(count) = full_bundle(&tail[sealed..]) {
            let first = self.store.tail_first + sealed as u64;
            let indexes = first..first + count as u64;
            let entries = indexes.clone().map(|index| self.bytes(index)).collect::<Result<Vec<_>, _>>()?;
            let value = pack(&entries).map_err(|why| StoreError::Damaged { index: first, why })?;
            changes.insert(keys::bundle(first), value);
            let members = &tail[sealed..sealed + count];
            for index in indexes {
                if index < self.base {
                    changes.remove(keys::tail(index));
                }
            }
            summarise(members, first, changes);
            sealed += count;
        }
        Ok(sealed)
    }

    fn write_tail(&self, sealed: usize, changes: &mut sled::Batch) {
        let tail_first = self.store.tail_first + sealed as u64;
        for (entry, index) in self.fresh.iter().zip(self.base..) {
            if index >= tail_first {
                changes.insert(keys::tail(index), entry.bytes.as_slice());
            }
        }
    }

    /// Adds leaf hashes; a tile that becomes full is written whole and its single hashes go.
    fn write_leaves(&self, hashes: &[[u8; 32]], changes: &mut sled::Batch) -> Result<(), StoreError> {
        let end = self.base + hashes.len() as u64;
        let mut start = self.base / TILE * TILE;
        while start < end {
            let full = start + TILE <= end;
            let mut tile = Vec::new();
            for index in start..(start + TILE).min(end) {
                match index.checked_sub(self.base) {
                    Some(fresh) if full => tile.extend_from_slice(&hashes[fresh as usize]),
                    Some(fresh) => {
                        changes.insert(keys::leaf(index), &hashes[fresh as usize]);
                    }
                    None if full => {
                        let kept = self.store.get(&keys::leaf(index), index)?;
                        let missing = || StoreError::Damaged { index, why: "its leaf hash is not there".to_owned() };
                        tile.extend_from_slice(&kept.ok_or_else(missing)?);
                        changes.remove(keys::leaf(index));
                    }
                    None => {}
                }
            }
            if full {
                changes.insert(keys::tile(start / TILE), tile);
            }
            start += TILE;
        }
        Ok(())
    }
}

/// How many entries at the front of the tail make a full bundle.
fn full_bundle(tail: &[TailEntry]) -> Option<usize> {
    let mut bytes = 0;
    for (at, entry) in tail.iter().enumerate() {
        bytes += entry.bytes;
        if bytes >= CLOSE_AT_BYTES || at + 1 == MOST_ENTRIES {
            return Some(at + 1);
        }
    }
    None
}

/// Says for each chain of a bundle which positions lie in it.
fn summarise(members: &[TailEntry], first_index: u64, changes: &mut sled::Batch) {
    let mut ranges: BTreeMap<&ChainName, (u64, u64)> = BTreeMap::new();
    for member in members {
        let range = ranges.entry(&member.chain).or_insert((member.first, member.last));
        *range = (range.0.min(member.first), range.1.max(member.last));
    }
    for (chain, (first, last)) in ranges {
        changes.insert(keys::place(chain, first, first_index), &last.to_be_bytes());
    }
}

fn tail_entry(index: u64, bytes: &[u8]) -> Result<TailEntry, StoreError> {
    let damaged = |why: String| StoreError::Damaged { index, why };
    let view: EntryView<'_> = parse_entry(bytes).map_err(|error| damaged(error.to_string()))?;
    let chain = ChainName::new(view.chain).map_err(|error| damaged(error.to_string()))?;
    Ok(TailEntry { bytes: bytes.len(), chain, first: view.first, last: view.last() })
}

fn opening(folder: &Path, error: &sled::Error) -> StoreError {
    let text = error.to_string();
    if text.contains("could not acquire lock") {
        let what = "is open in another program; stop that first, or work on an export";
        return StoreError::Medium(format!("{} {what}", folder.display()));
    }
    match from_sled(0)(error.clone()) {
        StoreError::Medium(why) => StoreError::Medium(format!("{}: {why}", folder.display())),
        other => other,
    }
}

/// A chain's newest state as kept: digest, index, highest position, and whether every entry so
/// far began above all positions before it (then a position is found without a search).
#[derive(Debug, Clone)]
struct Head {
    head: ChainHead,
    in_order: bool,
}

impl Default for Head {
    fn default() -> Self {
        Self { head: ChainHead { digest: Digest::ZERO, index: 0, last: 0 }, in_order: true }
    }
}

impl Head {
    fn follow(&mut self, entry: &StoredEntry, index: u64) {
        let last = entry.first + u64::from(entry.count) - 1;
        self.in_order &= entry.first > self.head.last;
        self.head = ChainHead { digest: entry.digest, index, last: self.head.last.max(last) };
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.head.digest.as_bytes().to_vec();
        bytes.extend_from_slice(&self.head.index.to_be_bytes());
        bytes.extend_from_slice(&self.head.last.to_be_bytes());
        bytes.push(u8::from(self.in_order));
        bytes
    }

    fn from_bytes(bytes: &[u8], index: u64) -> Result<Self, StoreError> {
        let parse = || {
            let (digest, rest) = bytes.split_first_chunk::<32>()?;
            let (at, rest) = rest.split_first_chunk::<8>()?;
            let (last, order) = rest.split_first_chunk::<8>()?;
            let (index, last) = (u64::from_be_bytes(*at), u64::from_be_bytes(*last));
            let head = ChainHead { digest: Digest::from_bytes(*digest), index, last };
            Some(Self { head, in_order: order == [1] })
        };
        parse().ok_or_else(|| StoreError::Damaged { index, why: "its chain's state is illegible".to_owned() })
    }
}

impl Store for SledStore {
    fn size(&self) -> u64 {
        self.size
    }

    fn frontier(&self) -> Frontier {
        self.frontier.clone()
    }

    fn append(&mut self, batch: &Batch) -> Result<(), StoreError> {
        if self.stopped {
            return Err(StoreError::Stopped);
        }
        if batch.first_index != self.size {
            return Err(StoreError::WrongIndex { given: batch.first_index, size: self.size });
        }
        let index = self.size;
        let outcome = guarded(index, || self.append_unguarded(batch));
        self.stopped = outcome.is_err();
        outcome
    }

    fn read(&self, first: u64, most: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        if first >= self.size || most == 0 {
            return Ok(Vec::new());
        }
        guarded(first, || {
            if first >= self.tail_first {
                let end = self.size.min(first.saturating_add(most as u64));
                return (first..end).map(|index| self.tail_bytes(index).map(|bytes| bytes.to_vec())).collect();
            }
            let (start, entries) = self.bundle_of(first)?;
            let rest: Vec<Vec<u8>> = entries.into_iter().skip((first - start) as usize).take(most).collect();
            if rest.is_empty() {
                return Err(StoreError::Damaged { index: first, why: "its bundle does not hold it".to_owned() });
            }
            Ok(rest)
        })
    }

    fn leaf_hashes(&self, first: u64, count: usize) -> Result<Vec<[u8; 32]>, StoreError> {
        guarded(first, || {
            let end = first.saturating_add(count as u64);
            if end > self.size {
                let why = format!("the store holds {} entries", self.size);
                return Err(StoreError::Damaged { index: self.size, why });
            }
            let mut hashes = Vec::with_capacity(count.min(1 << 16));
            let mut index = first;
            while index < end {
                let missing = || StoreError::Damaged { index, why: "its leaf hash is not there".to_owned() };
                let tile = index / TILE;
                let to = end.min((tile + 1) * TILE);
                if (tile + 1) * TILE <= self.size {
                    let value = self.get(&keys::tile(tile), index)?.filter(|value| value.len() == 8_192).ok_or_else(missing)?;
                    let (chunks, _) = value.as_chunks::<32>();
                    hashes.extend((index..to).map(|at| chunks[(at % TILE) as usize]));
                } else {
                    for at in index..to {
                        let value = self.get(&keys::leaf(at), at)?.ok_or_else(missing)?;
                        hashes.push(value.as_ref().try_into().map_err(|_| missing())?);
                    }
                }
                index = to;
            }
            Ok(hashes)
        })
    }

    fn chain(&self, name: &ChainName) -> Result<Option<ChainHead>, StoreError> {
        guarded(self.size, || {
            let kept = self.get(&keys::chain(name), self.size)?;
            kept.map(|bytes| Head::from_bytes(&bytes, self.size).map(|head| head.head)).transpose()
        })
    }

    fn locate(&self, name: &ChainName, position: u64) -> Result<Vec<u64>, StoreError> {
        guarded(self.size, || {
            let Some(kept) = self.get(&keys::chain(name), self.size)? else { return Ok(Vec::new()) };
            let head = Head::from_bytes(&kept, self.size)?;
            if position > head.head.last {
                return Ok(Vec::new());
            }
            let mut found = self.in_bundles(name, position, head.in_order)?;
            found.extend(self.in_tail(name, position)?);
            found.sort_unstable();
            Ok(found)
        })
    }
}

impl SledStore {
    fn in_tail(&self, name: &ChainName, position: u64) -> Result<Vec<u64>, StoreError> {
        let covers = |(entry, index): (&TailEntry, u64)| {
            (entry.chain == *name && (entry.first..=entry.last).contains(&position)).then_some(index)
        };
        Ok(self.tail.iter().zip(self.tail_first..).filter_map(covers).collect())
    }

    fn in_bundles(&self, name: &ChainName, position: u64, in_order: bool) -> Result<Vec<u64>, StoreError> {
        let mut found = Vec::new();
        let from = keys::places(name);
        let to = keys::place(name, position, u64::MAX);
        for item in self.tree.range(from..=to).rev() {
            let (key, value) = item.map_err(from_sled(self.size))?;
            let damaged = || StoreError::Damaged { index: self.size, why: "an illegible place".to_owned() };
            let (_, bundle) = keys::place_of(&key).ok_or_else(damaged)?;
            let last = u64::from_be_bytes(value.as_ref().try_into().map_err(|_| damaged())?);
            if last >= position {
                self.search_bundle(bundle, name, position, &mut found)?;
            }
            if in_order {
                break;
            }
        }
        Ok(found)
    }

    fn search_bundle(&self, first: u64, name: &ChainName, position: u64, found: &mut Vec<u64>) -> Result<(), StoreError> {
        let (start, entries) = self.bundle_of(first)?;
        for (bytes, index) in entries.iter().zip(start..) {
            let view = parse_entry(bytes).map_err(|error| StoreError::Damaged { index, why: error.to_string() })?;
            if view.chain == name.as_str() && (view.first..=view.last()).contains(&position) {
                found.push(index);
            }
        }
        Ok(())
    }
}
