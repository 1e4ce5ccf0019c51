//! Opening: finds the store's end from what sled gives back, and refuses what does not join up; for a
//! reader of evidence, who needs what is left, it stops there instead.

use std::path::Path;
use std::sync::Arc;

use sealed_log::{Frontier, SignedCheckpoint, StoreError, TreeHash, leaf_hash};

use crate::closing::Closing;
use crate::guard::from_sled;
use crate::keys;
use crate::medium::Medium;
use crate::pieces;
use crate::running::Running;
use crate::store::{FORMAT, OLDEST_FORMAT, SledStore, TILE};
use crate::tail::read_entry;

/// Sled's page cache, bytes.
const CACHE_BYTES: u64 = 64 << 20;

impl SledStore {
    /// The folder as sled opens it, nothing of it read yet.
    pub(crate) fn connect(folder: &Path, running: Option<Running>) -> Result<Self, StoreError> {
        let config = sled::Config::new().path(folder).cache_capacity(CACHE_BYTES).flush_every_ms(None);
        let sealed = config.open().map_err(|error| opening(folder, &error))?;
        let newest = sealed.open_tree("newest").map_err(from_sled(0))?;
        let closing = Closing::new(sealed.clone(), folder, running);
        Ok(Self::assemble(sealed, newest, Medium::of(folder)?, closing))
    }

    /// Finds the store's end.
    pub(crate) fn load(&mut self) -> Result<(), StoreError> {
        self.load_edge()?;
        self.load_upper()?;
        self.load_bundled_leaves()?;
        self.load_newest()?;
        self.head = self.kept_head()?;
        match &self.head {
            Some(head) if head.checkpoint().size > self.size => {
                let why = format!("it is not there; the head kept with it covers {}", head.checkpoint().size);
                Err(damaged(self.size, &why))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The same as far as it goes: entries up to the newest full tile, whose hashes do not hang on what
    /// comes after, and of the others what is found. Its own head is left aside: readers go by the one outside.
    pub(crate) fn load_what_is_found(&mut self) -> Result<(), StoreError> {
        self.load_edge()?;
        if let Err(error) = self.load_upper() {
            self.upper = Err(error.to_string());
        }
        // No tail until it is found: every entry is looked for in a bundle.
        self.tail_first = u64::MAX;
        if let Err(StoreError::Medium(why)) = self.load_bundled_leaves().and_then(|()| self.load_newest()) {
            return Err(StoreError::Medium(why));
        }
        Ok(())
    }

    /// The newest signed head.
    fn kept_head(&self) -> Result<Option<Arc<SignedCheckpoint>>, StoreError> {
        let Some(text) = self.newest.get(keys::HEAD).map_err(from_sled(self.size))? else { return Ok(None) };
        let text = std::str::from_utf8(&text).map_err(|error| error.to_string());
        let head = text.and_then(|text| SignedCheckpoint::parse(text).map_err(|error| error.to_string()));
        let illegible =
            |why: String| damaged(self.size, &format!("the head kept with it is illegible: {why}"));
        Ok(Some(Arc::new(head.map_err(illegible)?)))
    }

    /// The tree at the newest full tile.
    fn load_edge(&mut self) -> Result<(), StoreError> {
        let Some(meta) = self.get(keys::META, 0)? else {
            return if self.sealed.is_empty() { Ok(()) } else { Err(damaged(0, "entries without a format")) };
        };
        let (version, edge) = meta.split_first().ok_or_else(|| damaged(0, "an empty format record"))?;
        if !(OLDEST_FORMAT..=FORMAT).contains(version) {
            let why =
                format!("store format {version}; this program knows formats {OLDEST_FORMAT} to {FORMAT}");
            return Err(damaged(0, &why));
        }
        self.frontier = Frontier::from_bytes(edge).map_err(|error| damaged(0, &error.to_string()))?;
        self.size = self.frontier.size();
        if !self.size.is_multiple_of(TILE) {
            return Err(damaged(self.size, "the tree kept with the newest tile ends within a tile"));
        }
        Ok(())
    }

    /// Leaf hashes of bundled entries after the newest full tile.
    fn load_bundled_leaves(&mut self) -> Result<(), StoreError> {
        for item in self.sealed.scan_prefix(keys::LEAVES) {
            let (key, hashes) = item.map_err(from_sled(self.size))?;
            let (hashes, rest) = hashes.as_chunks::<32>();
            let first = keys::number_of(&key).filter(|first| *first <= self.size && rest.is_empty());
            let first = first.ok_or_else(|| damaged(self.size, "the leaf hashes before it are not there"))?;
            // A bundle may begin in the tile before: those hashes are in the tile already.
            hashes.iter().skip((self.size - first) as usize).for_each(|hash| self.push_leaf(*hash));
        }
        let newest = self.newest_bundle(&keys::bundle(u64::MAX), self.size)?;
        self.tail_first = newest.map_or(0, |(first, entries)| first + entries.len() as u64);
        Ok(())
    }

    /// Entries that are in no bundle yet; the first of them may be in a full tile already.
    fn load_newest(&mut self) -> Result<(), StoreError> {
        let mut next = self.newest.first().map_err(from_sled(self.size))?;
        while let Some((piece, _)) = next.filter(|(key, _)| *key != *keys::HEAD) {
            let index = self.tail_first + self.tail.len() as u64;
            let key = index.to_be_bytes();
            if *pieces::whole_key(&piece) != key {
                return Err(damaged(index, "the newest entries are not all there"));
            }
            let bytes = pieces::get(&self.newest, &key, index)?.unwrap_or_default();
            let entry = read_entry(index, bytes)?;
            if index >= self.size {
                self.push_leaf(leaf_hash(&entry.digest));
            }
            self.tail.push(entry);
            next = self
                .newest
                .range((index + 1).to_be_bytes()..)
                .next()
                .transpose()
                .map_err(from_sled(index))?;
        }
        let end = self.tail_first + self.tail.len() as u64;
        if end != self.size {
            return Err(damaged(end, "it is not there, and its leaf hash is"));
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
}

fn damaged(index: u64, why: &str) -> StoreError {
    StoreError::Damaged { index, why: why.to_owned() }
}

fn opening(folder: &Path, error: &sled::Error) -> StoreError {
    if error.to_string().contains("could not acquire lock") {
        let what = "is being written by another process; stop that first, or work on an export";
        return StoreError::Medium(format!("{} {what}", folder.display()));
    }
    match from_sled(0)(error.clone()) {
        StoreError::Medium(why) => StoreError::Medium(format!("{}: {why}", folder.display())),
        error @ (StoreError::Damaged { .. }
        | StoreError::Unopened(_)
        | StoreError::WrongIndex { .. }
        | StoreError::Stopped) => error,
    }
}
