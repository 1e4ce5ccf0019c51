//! Opening: finds the store's end in what sled returns and refuses a store whose parts do not fit together. For a
//! reader of evidence, who needs what is left, it stops at the first part that does not fit.

use std::path::Path;
use std::sync::Arc;

use sealed_log::store::StoreError;
use tlog::checkpoint::SignedCheckpoint;
use tlog::tree::{Frontier, TreeHash};

use crate::closing::Closing;
use crate::flush::StoreSync;
use crate::guard::from_sled;
use crate::keys;
use crate::means;
use crate::pieces;
use crate::reader::newest_block;
use crate::running::Running;
use crate::sealing::meta;
use crate::store::{FORMAT, OLDEST_FORMAT, SledStore, TILE};
use crate::tail::read_entry;

/// Sled's page cache, bytes.
pub(crate) const CACHE_BYTES: u64 = 64 << 20;

impl SledStore {
    /// The folder as sled opens it, nothing of it read yet.
    pub(crate) fn connect(folder: &Path, running: Option<Running>) -> Result<Self, StoreError> {
        if let Some(why) = means::lacking() {
            return Err(StoreError::Machine(why));
        }
        let config = sled::Config::new().path(folder).cache_capacity(CACHE_BYTES).flush_every_ms(None);
        let sealed = config.open().map_err(|error| opening(folder, &error))?;
        let newest = sealed.open_tree("newest").map_err(from_sled(0))?;
        let closing = Closing::new(sealed.clone(), folder, running);
        Ok(Self::assemble(sealed, newest, StoreSync::of(folder)?, closing))
    }

    /// Finds the store's end.
    pub(crate) fn load(&mut self) -> Result<(), StoreError> {
        let version = self.load_edge()?;
        self.load_runs(version)?;
        self.load_upper()?;
        self.load_block_leaves()?;
        self.load_newest()?;
        self.state_mut().signed = self.kept_checkpoint()?;
        match &self.state().signed {
            Some(signed) if signed.checkpoint().size > self.state().size => {
                let why = format!(
                    "it is not there; the checkpoint kept with it covers {}",
                    signed.checkpoint().size
                );
                Err(damaged(self.state().size, &why))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The same as far as it goes: entries up to the newest full tile, whose hashes do not hang on what
    /// comes after, and of the others what is found. Its own checkpoint is left aside: readers go by the one outside.
    pub(crate) fn load_what_is_found(&mut self) -> Result<(), StoreError> {
        let version = self.load_edge()?;
        // Where it fails the runs stay as long as they are, and a search goes through all of them.
        let _ = self.load_runs(version);
        if let Err(error) = self.load_upper() {
            if error.is_disk() {
                return Err(error);
            }
            self.state_mut().upper = Arc::new(Err(error.to_string()));
        }
        // No tail until it is found: every entry is looked for in a block.
        self.state_mut().tail_first = u64::MAX;
        match self.load_block_leaves().and_then(|()| self.load_newest()) {
            Err(error) if error.is_disk() => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// The newest signed checkpoint.
    fn kept_checkpoint(&self) -> Result<Option<Arc<SignedCheckpoint>>, StoreError> {
        let Some(text) = self.newest.get(keys::CHECKPOINT).map_err(from_sled(self.state().size))? else {
            return Ok(None);
        };
        let text = std::str::from_utf8(&text).map_err(|error| error.to_string());
        let signed = text.and_then(|text| SignedCheckpoint::parse(text).map_err(|error| error.to_string()));
        let illegible = |why: String| {
            damaged(self.state().size, &format!("the checkpoint kept with it is illegible: {why}"))
        };
        Ok(Some(Arc::new(signed.map_err(illegible)?)))
    }

    /// The tree at the newest full tile; returns the store's format.
    fn load_edge(&mut self) -> Result<u8, StoreError> {
        let Some(meta) = self.get(keys::META, 0)? else {
            let without = || damaged(0, "entries without a format");
            return if self.sealed.is_empty() { Ok(FORMAT) } else { Err(without()) };
        };
        let (version, edge) = meta.split_first().ok_or_else(|| damaged(0, "an empty format record"))?;
        if !(OLDEST_FORMAT..=FORMAT).contains(version) {
            let why =
                format!("store format {version}; this program knows formats {OLDEST_FORMAT} to {FORMAT}");
            return Err(damaged(0, &why));
        }
        self.state_mut().frontier =
            Frontier::from_bytes(edge).map_err(|error| damaged(0, &error.to_string()))?;
        self.state_mut().size = self.state().frontier.size();
        if !self.state().size.is_multiple_of(TILE) {
            return Err(damaged(self.state().size, "the tree kept with the newest tile ends within a tile"));
        }
        Ok(*version)
    }

    /// Cuts the runs of an older store, which reach over all positions of a block, once. Where a block cannot be read
    /// its run stays as it is, and so does the format.
    fn load_runs(&mut self, version: u8) -> Result<(), StoreError> {
        if version == FORMAT {
            return Ok(());
        }
        if self.cut_long_runs()? {
            self.sealed.insert(keys::META, meta(&self.state().frontier)).map_err(from_sled(0))?;
        } else {
            self.state_mut().longest_run = u64::MAX;
        }
        Ok(())
    }

    /// Leaf hashes of entries in blocks after the newest full tile.
    fn load_block_leaves(&mut self) -> Result<(), StoreError> {
        for item in self.sealed.scan_prefix(keys::LEAVES) {
            let (key, hashes) = item.map_err(from_sled(self.state().size))?;
            let (hashes, rest) = hashes.as_chunks::<32>();
            let first = keys::number_of(&key).filter(|first| *first <= self.state().size && rest.is_empty());
            let first =
                first.ok_or_else(|| damaged(self.state().size, "the leaf hashes before it are not there"))?;
            // A block may begin in the tile before: those hashes are in the tile already.
            hashes.iter().skip((self.state().size - first) as usize).for_each(|hash| self.push_leaf(*hash));
        }
        let newest = newest_block(&self.sealed, &keys::block(u64::MAX), self.state().size)?;
        self.state_mut().tail_first = newest.map_or(0, |block| block.0 + block.1.len() as u64);
        Ok(())
    }

    /// Entries that are in no block yet; the first of them may be in a full tile already.
    fn load_newest(&mut self) -> Result<(), StoreError> {
        let mut next = self.newest.first().map_err(from_sled(self.state().size))?;
        while let Some((piece, _)) = next.filter(|(key, _)| *key != *keys::CHECKPOINT) {
            let index = self.state().tail_first + self.state().tail.len() as u64;
            let key = index.to_be_bytes();
            if *pieces::whole_key(&piece) != key {
                return Err(damaged(index, "the newest entries are not all there"));
            }
            let bytes = pieces::get(&self.newest, &key, index)?.unwrap_or_default();
            let entry = read_entry(index, bytes)?;
            if index >= self.state().size {
                self.push_leaf(entry.digest.leaf_hash());
            }
            self.state_mut().tail.push(Arc::new(entry));
            next = self
                .newest
                .range((index + 1).to_be_bytes()..)
                .next()
                .transpose()
                .map_err(from_sled(index))?;
        }
        let end = self.state().tail_first + self.state().tail.len() as u64;
        if end != self.state().size {
            return Err(damaged(end, "it is not there, and its leaf hash is"));
        }
        Ok(())
    }

    fn push_leaf(&mut self, hash: TreeHash) {
        let state = self.state_mut();
        state.frontier.push_leaf(hash);
        state.size += 1;
        state.leaves.push(hash);
        if state.size.is_multiple_of(TILE) {
            state.leaves.clear();
        }
    }
}

fn damaged(index: u64, why: &str) -> StoreError {
    StoreError::Damaged { index, why: why.to_owned() }
}

fn opening(folder: &Path, error: &sled::Error) -> StoreError {
    if error.to_string().contains("could not acquire lock") {
        let what = "is being written by another process; stop that first, or work on an export";
        return StoreError::Disk(format!("{} {what}", folder.display()));
    }
    match from_sled(0)(error.clone()) {
        StoreError::Disk(why) => StoreError::Disk(format!("{}: {why}", folder.display())),
        error @ (StoreError::Damaged { .. }
        | StoreError::Unopened(_)
        | StoreError::WrongIndex { .. }
        | StoreError::Closed
        | StoreError::Stopped
        | StoreError::Machine(_)) => error,
    }
}
