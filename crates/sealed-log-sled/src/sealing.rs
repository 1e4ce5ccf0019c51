//! What an append changes: newest entries, blocks, leaf hashes, tiles, chains, runs of positions; prepared
//! in memory, written in one atomic step.

use std::collections::BTreeMap;

use sealed_log::entry::ChainName;
use sealed_log::store::{StoreError, StoredEntry, WriteBatch};
use tlog::checkpoint::SignedCheckpoint;
use tlog::tree::{Frontier, TreeHash, root_of};

use crate::block::pack;
use crate::chains::{ChainState, runs};
use crate::guard::from_sled;
use crate::keys;
use crate::pieces;
use crate::store::{FORMAT, SledStore, TILE};
use crate::tail::{check_entry, full_block};
use crate::upper::Upper;

/// Leaf hashes in one value.
const HASHES_AT_ONCE: usize = pieces::PIECE_BYTES / 32;

/// One append that is ready to be written, and the tree after it.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) changes: Changes,
    /// How many of the tail and the batch together go into blocks.
    pub(crate) leaving: usize,
    pub(crate) growth: Growth,
}

/// What is written for an append: no part of it is on the disk without its entries.
#[derive(Debug)]
pub(crate) enum Changes {
    /// Values among the newest entries, one after the other: an entry, and the signed checkpoint that covers it.
    /// Sled writes a batch, which is there as a whole or not at all, to its file in two steps, these in one.
    One(Vec<(Vec<u8>, Vec<u8>)>),
    /// Among the newest entries, where the newest signed checkpoint is as well.
    Newest(sled::Batch),
    /// Among the newest entries, and among blocks, tiles, chains and runs.
    Sealed { newest: sled::Batch, sealed: sled::Batch },
}

/// The tree after an append.
#[derive(Debug)]
pub(crate) struct Growth {
    pub(crate) frontier: Frontier,
    /// Entries whose leaf hashes are in full tiles.
    tiled: u64,
    /// The tree's right edge there, if this append filled a tile.
    edge: Option<Frontier>,
    /// Leaf hashes of the newest, partial tile.
    pub(crate) leaves: Vec<TreeHash>,
    /// Tiles that became full, by number.
    tiles: Vec<(u64, Vec<TreeHash>)>,
    /// The newest, partial tiles above the leaf hashes, if this append filled a tile.
    pub(crate) upper: Option<Upper>,
}

impl Growth {
    fn new(frontier: &Frontier, leaves: &[TreeHash], new: &[TreeHash]) -> Self {
        let mut growth = Self {
            frontier: frontier.clone(),
            tiled: frontier.size() - leaves.len() as u64,
            edge: None,
            leaves: leaves.to_vec(),
            tiles: Vec::new(),
            upper: None,
        };
        let mut rest = new;
        while !rest.is_empty() {
            let space = TILE as usize - growth.leaves.len();
            let (now, later) = rest.split_at(space.min(rest.len()));
            growth.frontier.extend(now);
            growth.leaves.extend_from_slice(now);
            if growth.leaves.len() == TILE as usize {
                growth.tiles.push((growth.tiled / TILE, std::mem::take(&mut growth.leaves)));
                growth.tiled += TILE;
                growth.edge = Some(growth.frontier.clone());
            }
            rest = later;
        }
        growth
    }
}

impl SledStore {
    /// Prepares an append; nothing is written and the store's state is as before.
    pub(crate) fn prepare(&self, batch: &WriteBatch) -> Result<Step, StoreError> {
        for (entry, index) in batch.entries.iter().zip(batch.first_index..) {
            check_entry(index, entry)?;
        }
        let new: Vec<TreeHash> = batch.entries.iter().map(|entry| entry.digest.leaf_hash()).collect();
        let mut growth = Growth::new(&self.state().frontier, &self.state().leaves, &new);
        if growth.frontier != batch.frontier {
            let why = "it was handed in with a tree that does not follow from the entries".to_owned();
            return Err(StoreError::Damaged { index: batch.first_index, why });
        }
        let mut sealed = sled::Batch::default();
        self.put_tiles(&growth, &mut sealed)?;
        growth.upper = self.put_upper_tiles(&growth, &mut sealed)?;
        let pending: Vec<&StoredEntry> =
            self.state().tail.iter().map(|entry| &**entry).chain(&batch.entries).collect();
        let leaving = self.put_blocks(&pending, &growth, &mut sealed)?;
        let seals = self.state().size == 0 || leaving > 0 || !growth.tiles.is_empty();
        let signed = batch.signed.as_deref();
        let changes = match batch.entries.as_slice() {
            _ if seals => Changes::Sealed { newest: self.newest_changes(&pending, leaving, signed), sealed },
            [only] if only.bytes.len() <= pieces::PIECE_BYTES => {
                let key = pieces::piece_key(&batch.first_index.to_be_bytes(), 0);
                let signed =
                    signed.map(|signed| (keys::CHECKPOINT.to_vec(), signed.text().as_bytes().to_vec()));
                Changes::One([(key, only.bytes.clone())].into_iter().chain(signed).collect())
            }
            _ => Changes::Newest(self.newest_changes(&pending, leaving, signed)),
        };
        Ok(Step { changes, leaving, growth })
    }

    fn newest_changes(
        &self,
        pending: &[&StoredEntry],
        leaving: usize,
        signed: Option<&SignedCheckpoint>,
    ) -> sled::Batch {
        let mut newest = sled::Batch::default();
        let known = self.state().tail.len();
        for (entry, index) in pending.iter().zip(self.state().tail_first..).take(leaving.min(known)) {
            pieces::remove(&mut newest, &index.to_be_bytes(), entry.bytes.len());
        }
        for (entry, index) in pending.iter().zip(self.state().tail_first..).skip(leaving.max(known)) {
            pieces::put(&mut newest, &index.to_be_bytes(), &entry.bytes);
        }
        if let Some(signed) = signed {
            newest.insert(keys::CHECKPOINT, signed.text());
        }
        newest
    }

    /// Full tiles, the tree's right edge at the newest of them; leaf hashes kept by block go once
    /// tiles hold them.
    fn put_tiles(&self, growth: &Growth, changes: &mut sled::Batch) -> Result<(), StoreError> {
        let Some(edge) = &growth.edge else {
            if self.state().size == 0 {
                changes.insert(keys::META, meta(&Frontier::default()));
            }
            return Ok(());
        };
        for (number, tile) in &growth.tiles {
            pieces::put(changes, &keys::tile(*number), tile.as_flattened());
        }
        changes.insert(keys::META, meta(edge));
        for item in self.sealed.scan_prefix(keys::LEAVES) {
            let (key, hashes) = item.map_err(from_sled(self.state().size))?;
            let first = keys::number_of(&key).unwrap_or_default();
            if first + hashes.len() as u64 / 32 <= growth.tiled {
                changes.remove(key);
            }
        }
        Ok(())
    }

    /// What full tiles come to above the leaf hashes; returns the partial tiles there.
    fn put_upper_tiles(
        &self,
        growth: &Growth,
        changes: &mut sled::Batch,
    ) -> Result<Option<Upper>, StoreError> {
        if growth.tiles.is_empty() {
            return Ok(None);
        }
        let mut upper = self.upper(self.state().size)?.clone();
        for (_, tile) in &growth.tiles {
            upper.push(root_of(tile), changes);
        }
        Ok(Some(upper))
    }

    /// Turns the oldest pending entries into blocks as long as they fill one; returns how many went into blocks.
    fn put_blocks(
        &self,
        pending: &[&StoredEntry],
        growth: &Growth,
        changes: &mut sled::Batch,
    ) -> Result<usize, StoreError> {
        let mut leaving = 0;
        let mut states: BTreeMap<&ChainName, ChainState> = BTreeMap::new();
        while let Some(count) = full_block(&pending[leaving..]) {
            let first = self.state().tail_first + leaving as u64;
            let members = &pending[leaving..leaving + count];
            put_block(first, members, growth, changes)?;
            for (member, index) in members.iter().zip(first..) {
                if !states.contains_key(&member.chain) {
                    states
                        .insert(&member.chain, self.reader.sealed_state(&member.chain)?.unwrap_or_default());
                }
                if let Some(state) = states.get_mut(&member.chain) {
                    state.follow(member, index);
                }
            }
            leaving += count;
        }
        for (name, state) in states {
            changes.insert(keys::chain(name), state.to_bytes());
        }
        Ok(leaving)
    }
}

/// Puts a block, its leaf hashes where no full tile holds them yet, and its runs of positions.
fn put_block(
    first: u64,
    members: &[&StoredEntry],
    growth: &Growth,
    changes: &mut sled::Batch,
) -> Result<(), StoreError> {
    let entries: Vec<&[u8]> = members.iter().map(|member| member.bytes.as_slice()).collect();
    let value = pack(&entries).map_err(|why| StoreError::Damaged { index: first, why })?;
    pieces::put(changes, &keys::block(first), &value);
    if first + members.len() as u64 > growth.tiled {
        let hashes: Vec<TreeHash> = members.iter().map(|member| member.digest.leaf_hash()).collect();
        for (hashes, number) in hashes.chunks(HASHES_AT_ONCE).zip(0..) {
            changes.insert(keys::leaves(first + number * HASHES_AT_ONCE as u64), hashes.as_flattened());
        }
    }
    for (chain, runs) in runs(members.iter().copied()) {
        for (lowest, highest) in runs {
            changes.insert(keys::run(chain, lowest, first), &highest.to_be_bytes());
        }
    }
    Ok(())
}

pub(crate) fn meta(edge: &Frontier) -> Vec<u8> {
    let mut bytes = vec![FORMAT];
    bytes.extend_from_slice(&edge.to_bytes());
    bytes
}
