//! The store on sled: a tail of single entries, bundles behind it, leaf hashes beside both.
//!
//! Everything an append changes goes into one atomic sled batch; then sled is flushed and the
//! file system told to put the folder on the medium, because sled's own flush on Linux is
//! `sync_file_range`, which promises nothing after a power cut.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use sealed_log::{
    Batch, ChainHead, ChainName, Digest, Frontier, Store, StoreError, TreeHash, leaf_hash, parse_entry,
};
use sled::Transactional;

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
    /// Bundles, tiles, chains and places: written when a bundle or a tile is full.
    sealed: sled::Db,
    /// Newest entries by index: all that most appends write, in a tree of its own so that its
    /// busy pages hold nothing else.
    newest: sled::Tree,
    folder: PathBuf,
    size: u64,
    frontier: Frontier,
    /// Index of the first entry that is not in a bundle yet.
    tail_first: u64,
    /// The entries that are not in a bundle yet.
    tail: Vec<TailEntry>,
    /// Leaf hashes of the newest, partial tile.
    leaves: Vec<TreeHash>,
    durable: bool,
    stopped: bool,
    /// Removed at a clean close.
    marker: Option<PathBuf>,
}

#[derive(Debug, Clone)]
struct TailEntry {
    bytes: Vec<u8>,
    digest: Digest,
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
        let sealed = sled::Config::new()
            .path(folder)
            .cache_capacity(CACHE_BYTES)
            .flush_every_ms(None)
            .mode(sled::Mode::LowSpace)
            .open()
            .map_err(|error| opening(folder, &error))?;
        let newest = sealed.open_tree("newest").map_err(from_sled(0))?;
        let mut store = Self {
            sealed,
            newest,
            folder: folder.to_owned(),
            size: 0,
            frontier: Frontier::default(),
            tail_first: 0,
            tail: Vec::new(),
            leaves: Vec::new(),
            durable: true,
            stopped: false,
            marker: None,
        };
        store.load()?;
        if fresh {
            store.sync(folder.parent().unwrap_or(folder))?;
            store.sync(folder)?;
        }
        Ok(store)
    }

    /// Finds the store's end: full tiles, the leaf hashes of bundles after them, the tail.
    fn load(&mut self) -> Result<(), StoreError> {
        let damaged = |index: u64, why: &str| StoreError::Damaged { index, why: why.to_owned() };
        match self.get(keys::META, 0)? {
            Some(meta) => {
                let (version, frontier) =
                    meta.split_first().ok_or_else(|| damaged(0, "an empty size record"))?;
                if *version != FORMAT {
                    let why = format!("store format {version}; this program knows format {FORMAT}");
                    return Err(damaged(0, &why));
                }
                self.frontier =
                    Frontier::from_bytes(frontier).map_err(|error| damaged(0, &error.to_string()))?;
            }
            None if self.sealed.is_empty() => {}
            None => return Err(damaged(0, "entries without a format")),
        }
        self.size = self.frontier.size();
        self.tail_first = self.size;
        for item in self.sealed.scan_prefix(b"h") {
            let (key, hashes) = item.map_err(from_sled(self.size))?;
            self.load_leaves(keys::number_of(&key).unwrap_or(u64::MAX), &hashes)?;
        }
        self.tail_first = self.size.max(self.tail_first);
        for item in &self.newest {
            let (key, bytes) = item.map_err(from_sled(self.size))?;
            if keys::number_of(&key) != Some(self.size) {
                return Err(damaged(self.size, "it is not there, and later ones are"));
            }
            let entry = tail_entry(self.size, &bytes)?;
            self.push_leaf(leaf_hash(&entry.digest));
            self.tail.push(entry);
        }
        Ok(())
    }

    fn load_leaves(&mut self, first: u64, hashes: &[u8]) -> Result<(), StoreError> {
        let (hashes, rest) = hashes.as_chunks::<32>();
        if first > self.size || !rest.is_empty() {
            let why = "the leaf hashes before it are not there".to_owned();
            return Err(StoreError::Damaged { index: self.size, why });
        }
        // A bundle may begin in the tile before: those hashes are in the tile already.
        let known = (self.size - first) as usize;
        for hash in hashes.iter().skip(known) {
            self.push_leaf(*hash);
        }
        Ok(())
    }

    fn push_leaf(&mut self, hash: TreeHash) {
        self.frontier.push_leaf(hash);
        self.size += 1;
        self.leaves.push(hash);
        if self.size.is_multiple_of(TILE) {
            self.leaves.clear();
        }
    }

    /// Says by a file that the store is in use; a clean close removes it.
    pub(crate) fn mark(&mut self, marker: PathBuf) {
        self.marker = Some(marker);
    }

    /// Bulk measuring only: appends return before they are known to be on the medium.
    #[doc(hidden)]
    pub fn without_durability(mut self) -> Self {
        self.durable = false;
        self
    }

    fn get(&self, key: &[u8], index: u64) -> Result<Option<sled::IVec>, StoreError> {
        self.sealed.get(key).map_err(from_sled(index))
    }

    /// The bundle that holds an entry: its first index and its entries.
    fn bundle_of(&self, index: u64) -> Result<(u64, Vec<Vec<u8>>), StoreError> {
        let missing = || StoreError::Damaged { index, why: "its bundle is not there".to_owned() };
        let found = self.sealed.get_lt(keys::bundle(index + 1)).map_err(from_sled(index))?;
        let (key, value) = found.filter(|(key, _)| key.first() == Some(&b'b')).ok_or_else(missing)?;
        let first = keys::number_of(&key).ok_or_else(missing)?;
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
        let index = batch.first_index;
        let known = self.tail.len();
        self.tail.extend(batch.entries.iter().map(|entry| TailEntry {
            bytes: entry.bytes.clone(),
            digest: entry.digest,
            chain: entry.chain.clone(),
            first: entry.first,
            last: entry.first + u64::from(entry.count) - 1,
        }));
        let mut sealed = sled::Batch::default();
        let leaving = self.seal_bundles(&mut sealed)?;
        self.seal_tiles(batch, leaving, &mut sealed)?;
        let mut newest = sled::Batch::default();
        for gone in 0..leaving.min(known) {
            newest.remove(&(self.tail_first + gone as u64).to_be_bytes());
        }
        for (entry, number) in self.tail.iter().zip(self.tail_first..).skip(leaving.max(known)) {
            newest.insert(&number.to_be_bytes(), entry.bytes.as_slice());
        }
        let fills_a_tile = batch.frontier.size() / TILE > index / TILE;
        self.commit(index == 0 || leaving > 0 || fills_a_tile, &sealed, &newest)?;
        self.tail.drain(..leaving);
        self.tail_first += leaving as u64;
        for entry in &batch.entries {
            self.push_leaf(leaf_hash(&entry.digest));
        }
        Ok(())
    }

    /// Writes what changed in one atomic step and puts it on the medium.
    fn commit(&self, both: bool, sealed: &sled::Batch, newest: &sled::Batch) -> Result<(), StoreError> {
        let index = self.size;
        if both {
            let written = (&*self.sealed, &self.newest).transaction(|(in_sealed, in_newest)| {
                in_sealed.apply_batch(sealed)?;
                in_newest.apply_batch(newest)?;
                Ok::<(), sled::transaction::ConflictableTransactionError<()>>(())
            });
            written.map_err(|error| match error {
                sled::transaction::TransactionError::Storage(error) => from_sled(index)(error),
                sled::transaction::TransactionError::Abort(()) => StoreError::Stopped,
            })?;
        } else {
            self.newest.apply_batch(newest.clone()).map_err(from_sled(index))?;
        }
        self.sealed.flush().map_err(from_sled(index))?;
        if self.durable { self.sync(&self.folder) } else { Ok(()) }
    }

    /// Turns full stretches of the tail into bundles; gives how many entries went.
    fn seal_bundles(&self, changes: &mut sled::Batch) -> Result<usize, StoreError> {
        let mut leaving = 0;
        let mut heads: BTreeMap<&ChainName, Head> = BTreeMap::new();
        while let Some(count) = full_bundle(&self.tail[leaving..]) {
            let first = self.tail_first + leaving as u64;
            let members = &self.tail[leaving..leaving + count];
            let entries: Vec<&[u8]> = members.iter().map(|member| member.bytes.as_slice()).collect();
            let value = pack(&entries).map_err(|why| StoreError::Damaged { index: first, why })?;
            changes.insert(keys::bundle(first), value);
            changes.insert(
                keys::leaves(first),
                members.iter().flat_map(|m| leaf_hash(&m.digest)).collect::<Vec<u8>>(),
            );
            for (member, index) in members.iter().zip(first..) {
                if !heads.contains_key(&member.chain) {
                    heads.insert(&member.chain, self.sealed_head(&member.chain)?.unwrap_or_default());
                }
                if let Some(head) = heads.get_mut(&member.chain) {
                    head.follow(member, index);
                }
            }
            summarise(members, first, changes);
            leaving += count;
        }
        for (name, head) in heads {
            changes.insert(keys::chain(name), head.to_bytes());
        }
        Ok(leaving)
    }

    /// Writes the tiles that this append fills, and the tree's right edge at the newest of them;
    /// leaf hashes of bundles that lie wholly before it go.
    fn seal_tiles(&self, batch: &Batch, leaving: usize, changes: &mut sled::Batch) -> Result<(), StoreError> {
        let (start, end) = (self.size / TILE, batch.frontier.size() / TILE);
        if start == end {
            if self.size == 0 {
                changes.insert(keys::META, meta(&Frontier::default()));
            }
            return Ok(());
        }
        let mut frontier = self.frontier.clone();
        let mut tile: Vec<u8> = self.leaves.iter().flatten().copied().collect();
        let mut edge = frontier.clone();
        for entry in &batch.entries {
            let hash = leaf_hash(&entry.digest);
            frontier.push_leaf(hash);
            tile.extend_from_slice(&hash);
            if frontier.size().is_multiple_of(TILE) {
                changes.insert(keys::tile(frontier.size() / TILE - 1), std::mem::take(&mut tile));
                edge = frontier.clone();
            }
        }
        changes.insert(keys::META, meta(&edge));
        let bundled_end = self.tail_first + leaving as u64;
        for item in self.sealed.scan_prefix(b"h") {
            let (key, hashes) = item.map_err(from_sled(self.size))?;
            let first = keys::number_of(&key).unwrap_or_default();
            if first + hashes.len() as u64 / 32 <= edge.size() {
                changes.remove(key);
            }
        }
        let mut first = self.tail_first;
        while let Some(count) =
            full_bundle(&self.tail[(first - self.tail_first) as usize..]).filter(|_| first < bundled_end)
        {
            if first + count as u64 <= edge.size() {
                changes.remove(keys::leaves(first));
            }
            first += count as u64;
        }
        Ok(())
    }

    fn sealed_head(&self, name: &ChainName) -> Result<Option<Head>, StoreError> {
        let kept = self.get(&keys::chain(name), self.size)?;
        kept.map(|bytes| Head::from_bytes(&bytes, self.size)).transpose()
    }

    /// A chain's state with the tail's entries on top.
    fn head_of(&self, name: &ChainName) -> Result<Option<Head>, StoreError> {
        let mut head = self.sealed_head(name)?;
        for (member, index) in
            self.tail.iter().zip(self.tail_first..).filter(|(member, _)| member.chain == *name)
        {
            head.get_or_insert_default().follow(member, index);
        }
        Ok(head)
    }
}

fn meta(edge: &Frontier) -> Vec<u8> {
    let mut bytes = vec![FORMAT];
    bytes.extend_from_slice(&edge.to_bytes());
    bytes
}

impl Drop for SledStore {
    fn drop(&mut self) {
        let index = self.size;
        let flushed = guarded(index, || self.sealed.flush().map_err(from_sled(index)));
        let clean = flushed.is_ok() && !self.stopped && self.sync(&self.folder).is_ok();
        if let (true, Some(marker)) = (clean, self.marker.take()) {
            // A marker that stays only makes the next start more careful.
            let _ = std::fs::remove_file(marker);
        }
    }
}

/// How many entries at the front of the tail make a full bundle.
fn full_bundle(tail: &[TailEntry]) -> Option<usize> {
    let mut bytes = 0;
    for (at, entry) in tail.iter().enumerate() {
        bytes += entry.bytes.len();
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
    let view = parse_entry(bytes).map_err(|error| damaged(error.to_string()))?;
    let chain = ChainName::new(view.chain).map_err(|error| damaged(error.to_string()))?;
    let (digest, first, last) = (Digest::of(bytes), view.first, view.last());
    Ok(TailEntry { bytes: bytes.to_vec(), digest, chain, first, last })
}

fn opening(folder: &Path, error: &sled::Error) -> StoreError {
    let text = error.to_string();
    if text.contains("could not acquire lock") {
        let what = "is open in another program; stop that first, or work on an export";
        return StoreError::Medium(format!("{} {what}", folder.display()));
    }
    let named = from_sled(0)(error.clone());
    if let StoreError::Medium(why) = named {
        StoreError::Medium(format!("{}: {why}", folder.display()))
    } else {
        named
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
    fn follow(&mut self, entry: &TailEntry, index: u64) {
        self.in_order &= entry.first > self.head.last;
        self.head = ChainHead { digest: entry.digest, index, last: self.head.last.max(entry.last) };
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
                let from = (first - self.tail_first) as usize;
                return Ok(self.tail.iter().skip(from).take(most).map(|entry| entry.bytes.clone()).collect());
            }
            let (start, entries) = self.bundle_of(first)?;
            let rest: Vec<Vec<u8>> = entries.into_iter().skip((first - start) as usize).take(most).collect();
            if rest.is_empty() {
                return Err(StoreError::Damaged {
                    index: first,
                    why: "its bundle does not hold it".to_owned(),
                });
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
                    let value = self
                        .get(&keys::tile(tile), index)?
                        .filter(|value| value.len() == 8_192)
                        .ok_or_else(missing)?;
                    let (chunks, _) = value.as_chunks::<32>();
                    hashes.extend((index..to).map(|at| chunks[(at % TILE) as usize]));
                } else {
                    hashes.extend((index..to).map(|at| self.leaves[(at % TILE) as usize]));
                }
                index = to;
            }
            Ok(hashes)
        })
    }

    fn chain(&self, name: &ChainName) -> Result<Option<ChainHead>, StoreError> {
        guarded(self.size, || Ok(self.head_of(name)?.map(|head| head.head)))
    }

    fn locate(&self, name: &ChainName, position: u64) -> Result<Vec<u64>, StoreError> {
        guarded(self.size, || {
            let Some(head) = self.head_of(name)? else { return Ok(Vec::new()) };
            if position > head.head.last {
                return Ok(Vec::new());
            }
            let mut found = self.in_bundles(name, position, head.in_order)?;
            found.extend(self.in_tail(name, position));
            found.sort_unstable();
            Ok(found)
        })
    }
}

impl SledStore {
    fn in_tail(&self, name: &ChainName, position: u64) -> Vec<u64> {
        let covers = |(entry, index): (&TailEntry, u64)| {
            (entry.chain == *name && (entry.first..=entry.last).contains(&position)).then_some(index)
        };
        self.tail.iter().zip(self.tail_first..).filter_map(covers).collect()
    }

    fn in_bundles(&self, name: &ChainName, position: u64, in_order: bool) -> Result<Vec<u64>, StoreError> {
        let mut found = Vec::new();
        let from = keys::places(name);
        let to = keys::place(name, position, u64::MAX);
        for item in self.sealed.range(from..=to).rev() {
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

    fn search_bundle(
        &self,
        first: u64,
        name: &ChainName,
        position: u64,
        found: &mut Vec<u64>,
    ) -> Result<(), StoreError> {
        let (start, entries) = self.bundle_of(first)?;
        for (bytes, index) in entries.iter().zip(start..) {
            let view =
                parse_entry(bytes).map_err(|error| StoreError::Damaged { index, why: error.to_string() })?;
            if view.chain == name.as_str() && (view.first..=view.last()).contains(&position) {
                found.push(index);
            }
        }
        Ok(())
    }
}
