//! The check of a whole store after an unclean stop, when its files may be torn.

use std::collections::BTreeMap;

use sealed_log::entry::ChainName;
use sealed_log::store::{StoreError, StoreReader as _, StoreWriter as _, StoredEntry, check_tiles};
use tlog::tree::Frontier;

use crate::chains::{ChainState, runs};
use crate::guard::guarded;
use crate::keys;
use crate::reader::SledReader;
use crate::store::SledStore;
use crate::tail::read_entry;

/// Entries asked for at once; a read ends with its block.
const AT_ONCE: usize = 1_024;

/// Reads every entry and holds it against leaf hashes, tree, tiles, chains and runs of positions. Takes some
/// three seconds for each million small entries.
pub(crate) fn check_every_entry(store: &SledStore) -> Result<(), StoreError> {
    let mut frontier = Frontier::default();
    let mut states: BTreeMap<ChainName, ChainState> = BTreeMap::new();
    let reader = store.reader();
    while frontier.size() < reader.size() {
        let first = frontier.size();
        let members = read_members(reader, first, &mut frontier)?;
        for (member, index) in members.iter().zip(first..) {
            match states.get_mut(&member.chain) {
                Some(state) => state.follow(member, index),
                None => {
                    let mut state = ChainState::default();
                    state.follow(member, index);
                    states.insert(member.chain.clone(), state);
                }
            }
        }
        if first < store.state().tail_first {
            check_runs(store, first, &members)?;
        }
    }
    if frontier != reader.frontier() {
        return Err(damaged(0, "the tree kept is not that of the entries"));
    }
    check_tiles(reader, reader.size())?;
    for (name, state) in &states {
        if store.chain(name)?.as_ref() != Some(&state.tip) {
            return Err(damaged(
                state.tip.index,
                "it is not what the store names as the newest of its chain",
            ));
        }
    }
    Ok(())
}

/// What is left of the block at `first` (or of the tail), each with the leaf hash it was sealed with.
fn read_members(
    reader: &SledReader,
    first: u64,
    frontier: &mut Frontier,
) -> Result<Vec<StoredEntry>, StoreError> {
    let entries = reader.read(first, AT_ONCE)?;
    let kept = reader.leaf_hashes(first, entries.len())?;
    if kept.is_empty() {
        return Err(damaged(first, "it is not there"));
    }
    let mut members = Vec::with_capacity(entries.len());
    for ((bytes, kept), index) in entries.into_iter().zip(&kept).zip(first..) {
        let member = read_entry(index, bytes)?;
        if member.digest.leaf_hash() != *kept {
            return Err(damaged(index, "its bytes are not those that were sealed"));
        }
        members.push(member);
    }
    frontier.extend(&kept);
    Ok(members)
}

/// Every run of a block's positions is kept. In a store that an older program wrote one run may reach from the lowest
/// to the highest position of a chain.
fn check_runs(store: &SledStore, first: u64, members: &[StoredEntry]) -> Result<(), StoreError> {
    let is_there = |chain: &ChainName, lowest: u64, highest: u64| {
        let kept = store.get(&keys::run(chain, lowest, first), first)?;
        Ok::<_, StoreError>(kept.as_deref() == Some(&highest.to_be_bytes()))
    };
    guarded(first, || {
        for (chain, runs) in runs(members) {
            let (Some((lowest, _)), Some((_, highest))) = (runs.first(), runs.last()) else { continue };
            if is_there(chain, *lowest, *highest)? {
                continue;
            }
            for (lowest, highest) in runs {
                if !is_there(chain, lowest, highest)? {
                    return Err(damaged(first, "the run of its chain's positions is not there"));
                }
            }
        }
        Ok(())
    })
}

fn damaged(index: u64, why: &str) -> StoreError {
    StoreError::Damaged { index, why: why.to_owned() }
}
