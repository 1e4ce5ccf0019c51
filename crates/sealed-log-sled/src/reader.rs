//! Readers: each shows the store as one append left it while others append. What sled keeps for good is read from sled,
//! one call for each question; the rest is in memory.

use std::collections::{BTreeSet, VecDeque};
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use sealed_log::entry::ChainName;
use sealed_log::redaction::parse_kept;
use sealed_log::store::{StoreError, StoreReader, StoredEntry};
use tlog::checkpoint::SignedCheckpoint;
use tlog::tree::{Frontier, TreeHash};

use crate::block::unpack;
use crate::blocks::Block;
use crate::chains::ChainState;
use crate::guard::from_sled;
use crate::keys;
use crate::open::Open;
use crate::pieces;
use crate::state::State;
use crate::store::TILE;

/// Reads what a [`crate::SledStore`] held after an append.
#[derive(Debug, Clone)]
pub struct SledReader {
    pub(crate) open: Arc<Open>,
    pub(crate) state: Arc<State>,
}

impl StoreReader for SledReader {
    fn size(&self) -> u64 {
        self.state.size
    }

    fn frontier(&self) -> Frontier {
        self.state.frontier.clone()
    }

    fn signed_checkpoint(&self) -> Option<Arc<SignedCheckpoint>> {
        self.state.signed.clone()
    }

    fn read(&self, first: u64, most: usize) -> Result<Vec<Vec<u8>>, StoreError> {
        if first >= self.state.size || most == 0 {
            return Ok(Vec::new());
        }
        if let Some(from) = first.checked_sub(self.state.tail_first) {
            let newest = self.state.tail.iter().skip(from as usize).take(most);
            return Ok(newest.map(|entry| entry.bytes.clone()).collect());
        }
        let block = self.block_of(first)?;
        let (start, entries) = &*block;
        let rest: Vec<Vec<u8>> = entries.iter().skip((first - start) as usize).take(most).cloned().collect();
        if rest.is_empty() {
            let why = "its block does not hold it".to_owned();
            return Err(StoreError::Damaged { index: first, why });
        }
        Ok(rest)
    }

    fn leaf_hashes(&self, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        let (end, size) = (first.saturating_add(count as u64), self.state.size);
        if end > size {
            let why = format!("{count} leaf hashes from {first} were asked for, {size} are kept");
            return Err(StoreError::Damaged { index: size, why });
        }
        let mut hashes = Vec::with_capacity(count);
        let mut index = first;
        while index < end {
            let tile = self.tile_of(index)?;
            let wanted = tile.into_iter().skip((index % TILE) as usize).take((end - index) as usize);
            hashes.extend(wanted);
            index = first + hashes.len() as u64;
        }
        Ok(hashes)
    }

    fn tile_hashes(&self, level: u8, first: u64, count: usize) -> Result<Vec<TreeHash>, StoreError> {
        if level == 0 {
            return self.leaf_hashes(first, count);
        }
        let end = first.checked_add(count as u64);
        let kept = self.state.size.checked_shr(8 * u32::from(level)).unwrap_or(0);
        let Some(end) = end.filter(|end| *end <= kept) else {
            let why = format!("{count} hashes of level {level} from {first} were asked for, {kept} are kept");
            return Err(StoreError::Damaged { index: self.state.size, why });
        };
        let mut hashes = Vec::with_capacity(count);
        let mut position = first;
        while position < end {
            let tile = self.upper_tile_of(level, position)?;
            let wanted = tile.into_iter().skip((position % TILE) as usize).take((end - position) as usize);
            hashes.extend(wanted);
            position = first + hashes.len() as u64;
        }
        Ok(hashes)
    }

    /// Visits the entries that cover one of the positions: the newest first, then those in blocks.
    fn visit(
        &self,
        name: &ChainName,
        positions: RangeInclusive<u64>,
        visit: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let covers = |(_, entry): &(u64, &Arc<StoredEntry>)| entry.chain == *name && entry.covers(&positions);
        for (index, entry) in (self.state.tail_first..).zip(&self.state.tail).filter(covers) {
            if visit(index, &entry.bytes).is_break() {
                return Ok(());
            }
        }
        let Some(chain) = self.sealed_state(name)? else { return Ok(()) };
        let mut blocks = BlocksOfPositions::of(self, name, &positions, chain.in_order);
        while let Some(block) = blocks.next()? {
            if self.visit_block(block, name, &positions, visit)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl SledReader {
    /// Visits the entries of one block, the newest first.
    fn visit_block(
        &self,
        first: u64,
        name: &ChainName,
        positions: &RangeInclusive<u64>,
        visit: &mut dyn FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StoreError> {
        let block = self.block_of(first)?;
        let (start, entries) = &*block;
        for (offset, bytes) in entries.iter().enumerate().rev() {
            let index = start + offset as u64;
            let damaged =
                |error: sealed_log::entry::EntryError| StoreError::Damaged { index, why: error.to_string() };
            let view = parse_kept(bytes).map_err(damaged)?.view;
            let covers = view.first <= *positions.end() && view.last() >= *positions.start();
            if view.chain == name.as_str() && covers && visit(index, bytes).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// A chain's state as of the newest block there is, which may be newer than this reader.
    pub(crate) fn sealed_state(&self, name: &ChainName) -> Result<Option<ChainState>, StoreError> {
        let size = self.state.size;
        let kept = self.open.ask(size, |sealed| sealed.get(keys::chain(name)).map_err(from_sled(size)))?;
        kept.map(|bytes| ChainState::from_bytes(&bytes, size)).transpose()
    }

    /// The block that holds an entry.
    pub(crate) fn block_of(&self, index: u64) -> Result<Block, StoreError> {
        if let Some(block) = self.open.blocks.of(index) {
            return Ok(block);
        }
        let key = keys::block(index.saturating_add(1));
        let block = self.open.ask(index, |sealed| newest_block(sealed, &key, index))?;
        let block =
            block.ok_or_else(|| StoreError::Damaged { index, why: "its block is not there".to_owned() })?;
        self.open.blocks.keep(&block);
        Ok(block)
    }

    fn upper_tile_of(&self, level: u8, position: u64) -> Result<Vec<TreeHash>, StoreError> {
        let (number, index) = (position / TILE, position << (8 * u32::from(level)));
        let upper = (*self.state.upper).as_ref();
        let upper = upper.map_err(|why| StoreError::Damaged { index, why: why.clone() })?;
        if number == upper.count(level) / TILE {
            return Ok(upper.row(level).to_vec());
        }
        self.open.ask(index, |sealed| full_tile(sealed, &keys::upper_tile(level, number), index))
    }

    fn tile_of(&self, index: u64) -> Result<Vec<TreeHash>, StoreError> {
        let number = index / TILE;
        if number == self.state.size / TILE {
            return Ok(self.state.leaves.clone());
        }
        self.open.ask(index, |sealed| full_tile(sealed, &keys::tile(number), index))
    }
}

/// The newest block before a key; `index` is the entry concerned if it cannot be read.
pub(crate) fn newest_block(
    sealed: &sled::Tree,
    before: &[u8],
    index: u64,
) -> Result<Option<Block>, StoreError> {
    let from = keys::block(0);
    let Some(last) = sealed.range::<&[u8], _>(from.as_slice()..before).next_back() else {
        return Ok(None);
    };
    let (piece, _) = last.map_err(from_sled(index))?;
    let key = pieces::whole_key(&piece);
    let damaged = |why: String| StoreError::Damaged { index, why };
    let first = keys::number_of(key).ok_or_else(|| damaged("an illegible block key".to_owned()))?;
    let value = pieces::get(sealed, key, index)?.unwrap_or_default();
    Ok(Some(Arc::new((first, unpack(&value).map_err(damaged)?))))
}

/// A tile that is full.
pub(crate) fn full_tile(sealed: &sled::Tree, key: &[u8], index: u64) -> Result<Vec<TreeHash>, StoreError> {
    let value = pieces::get(sealed, key, index)?;
    match value.as_ref().map(|value| value.as_chunks::<32>()) {
        Some((hashes, [])) if hashes.len() as u64 == TILE => Ok(hashes.to_vec()),
        Some(_) | None => {
            Err(StoreError::Damaged { index, why: "the tile of its hash is not there".to_owned() })
        }
    }
}

/// Walks over the blocks in which positions of a chain may lie, from the highest run of positions downwards.
/// No run is longer than [`State::longest_run`], so a run that begins further down than that cannot reach the
/// positions. Of a chain whose entries came in order at most one run begins below the positions and reaches them.
struct BlocksOfPositions<'a> {
    reader: &'a SledReader,
    /// Lowest key that is read.
    from: Vec<u8>,
    /// Keys from this one on are not read, or were read already.
    before: Vec<u8>,
    positions: &'a RangeInclusive<u64>,
    in_order: bool,
    /// Runs that were read ahead: keys and values.
    ahead: VecDeque<(sled::IVec, sled::IVec)>,
    /// No more runs are to be read.
    is_last: bool,
    /// Blocks returned so far: several runs may lie in one block.
    given: BTreeSet<u64>,
}

/// Runs read from sled at once.
const AHEAD: usize = 64;

impl<'a> BlocksOfPositions<'a> {
    fn of(
        reader: &'a SledReader,
        name: &ChainName,
        positions: &'a RangeInclusive<u64>,
        in_order: bool,
    ) -> Self {
        let lowest =
            if in_order { 0 } else { positions.start().saturating_sub(reader.state.longest_run - 1) };
        Self {
            reader,
            from: keys::run(name, lowest, 0),
            before: keys::run(name, *positions.end(), u64::MAX),
            positions,
            in_order,
            ahead: VecDeque::new(),
            is_last: false,
            given: BTreeSet::new(),
        }
    }

    /// The next block's first index.
    fn next(&mut self) -> Result<Option<u64>, StoreError> {
        let size = self.reader.state.size;
        let damaged = || StoreError::Damaged { index: size, why: "an illegible run of positions".to_owned() };
        while let Some((key, value)) = self.next_run()? {
            let (lowest, block) = keys::run_of(&key).ok_or_else(damaged)?;
            let highest = u64::from_be_bytes(value.as_ref().try_into().map_err(|_| damaged())?);
            // What was sealed after this reader is in its own tail, or is not there for it.
            let is_there = block < self.reader.state.tail_first;
            if self.in_order && is_there && lowest <= *self.positions.start() {
                self.ahead.clear();
                self.is_last = true;
            }
            if is_there && highest >= *self.positions.start() && self.given.insert(block) {
                return Ok(Some(block));
            }
        }
        Ok(None)
    }

    fn next_run(&mut self) -> Result<Option<(sled::IVec, sled::IVec)>, StoreError> {
        if self.ahead.is_empty() && !self.is_last {
            let size = self.reader.state.size;
            let most = if self.in_order { 1 } else { AHEAD };
            self.ahead = self.reader.open.ask(size, |sealed| {
                let range = sealed.range::<&[u8], _>(self.from.as_slice()..self.before.as_slice());
                range.rev().take(most).collect::<Result<_, _>>().map_err(from_sled(size))
            })?;
            self.is_last = self.ahead.len() < most;
            if let Some((key, _)) = self.ahead.back() {
                self.before = key.to_vec();
            }
        }
        Ok(self.ahead.pop_front())
    }
}
