//! Tiles above the leaf hashes. A full tile becomes one hash of the level above; the hashes of a
//! partial tile are kept one by one until 256 of them are a tile. Nothing of this is the seal: all
//! of it follows from the leaf hashes, and is computed from them again where it does not hold.

use std::sync::Arc;

use sealed_log::store::StoreError;
use tlog::tree::{Frontier, TreeHash, root_of};

use crate::guard::from_sled;
use crate::keys;
use crate::pieces;
use crate::reader::full_tile;
use crate::sealing::meta;
use crate::store::{SledStore, TILE};

/// The newest, partial tile of every level from 1, and how many hashes each level has.
#[derive(Debug, Clone, Default)]
pub(crate) struct Upper {
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Default)]
struct Row {
    /// How many full tiles come before the partial one.
    full: u64,
    /// Hashes of the partial tile, less than 256.
    hashes: Vec<TreeHash>,
}

impl Upper {
    /// Appends the root of a full tile of leaf hashes, and adds what is to be kept to `changes`.
    pub(crate) fn push(&mut self, mut root: TreeHash, changes: &mut sled::Batch) {
        for (row, level) in (0..).zip(1_u8..) {
            if self.rows.len() == row {
                self.rows.push(Row::default());
            }
            let Row { full, hashes } = &mut self.rows[row];
            let (first, position) = (*full * TILE, *full * TILE + hashes.len() as u64);
            hashes.push(root);
            if (hashes.len() as u64) < TILE {
                changes.insert(keys::node(level, position), &root);
                return;
            }
            pieces::put(changes, &keys::upper_tile(level, *full), hashes.as_flattened());
            (first..position).for_each(|position| changes.remove(keys::node(level, position)));
            root = root_of(hashes);
            hashes.clear();
            *full += 1;
        }
    }

    /// How many hashes a level from 1 has.
    pub(crate) fn count(&self, level: u8) -> u64 {
        self.at(level).map_or(0, |row| row.full * TILE + row.hashes.len() as u64)
    }

    /// The partial tile of a level from 1.
    pub(crate) fn row(&self, level: u8) -> &[TreeHash] {
        self.at(level).map_or(&[], |row| &row.hashes)
    }

    fn at(&self, level: u8) -> Option<&Row> {
        self.rows.get(usize::from(level).checked_sub(1)?)
    }

    /// The tree's right edge as these tiles have it.
    fn edge(&self) -> Option<Frontier> {
        let mut edge = Frontier::default();
        for level in (1..=self.rows.len() as u8).rev() {
            for hash in self.row(level) {
                if !edge.push_node(level, *hash) {
                    return None;
                }
            }
        }
        Some(edge)
    }
}

impl SledStore {
    /// The partial tiles at the tree's right edge as it was loaded; where they are not there (an
    /// older store) or do not agree with it, all tiles are made again from the leaf hashes. Where
    /// even that does not lead to the edge the store opens without them: leaf hashes were damaged,
    /// and reading the log reports which.
    pub(crate) fn load_upper(&mut self) -> Result<(), StoreError> {
        let kept = self.kept_upper()?;
        if let Some(kept) = kept.filter(|kept| kept.edge().as_ref() == Some(&self.state().frontier)) {
            self.state_mut().upper = Arc::new(Ok(kept));
            return Ok(());
        }
        self.state_mut().upper = Arc::new(self.rebuild_upper().map_err(|why| {
            format!("the tiles above its leaf hashes cannot be made again ({why}); verify the log")
        }));
        Ok(())
    }

    /// What is kept of partial tiles; `None` where it does not hang together.
    fn kept_upper(&self) -> Result<Option<Upper>, StoreError> {
        let mut upper = Upper::default();
        let mut count = self.state().size / TILE;
        while count > 0 {
            upper.rows.push(Row { full: count / TILE, hashes: Vec::new() });
            count /= TILE;
        }
        for item in self.sealed.scan_prefix(keys::NODES) {
            let (key, hash) = item.map_err(from_sled(self.state().size))?;
            let Some((level @ 1.., position)) = keys::node_of(&key) else { return Ok(None) };
            let next = upper.count(level);
            let Some(row) = upper.rows.get_mut(usize::from(level) - 1) else { return Ok(None) };
            match TreeHash::try_from(hash.as_ref()) {
                Ok(hash) if position == next => row.hashes.push(hash),
                Ok(_) | Err(_) => return Ok(None),
            }
        }
        Ok(Some(upper))
    }

    /// All tiles above the leaf hashes, made again and kept if they lead to the right edge.
    fn rebuild_upper(&self) -> Result<Upper, String> {
        let mut changes = sled::Batch::default();
        let mut upper = Upper::default();
        for key in self.sealed.scan_prefix(keys::NODES).keys() {
            changes.remove(key.map_err(|error| error.to_string())?);
        }
        for number in 0..self.state().size / TILE {
            let tile = full_tile(&self.sealed, &keys::tile(number), number * TILE);
            upper.push(root_of(&tile.map_err(|error| error.to_string())?), &mut changes);
        }
        if upper.edge().as_ref() != Some(&self.state().frontier) {
            return Err("the leaf hashes do not give the tree that was kept with them".to_owned());
        }
        changes.insert(keys::META, meta(&self.state().frontier));
        self.sealed.apply_batch(changes).map_err(|error| error.to_string())?;
        Ok(upper)
    }
}
