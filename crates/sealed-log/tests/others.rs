//! What others wrote reads what is written here: tiles, roots, proofs and checkpoints.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::sync::Mutex;

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use ct_merkle::{ConsistencyProof, InclusionProof, RootHash};
use sealed_log::entry::Digest;
use sealed_log::store::contract::Dice;
use sealed_log::store::{MemoryReader, MemoryStore, StoreNodes, StoreReader, resource_bytes};
use sealed_log::writer::{LogWriter, MemoryCheckpoint, Submission};
use sha2::{Digest as _, Sha256};
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::SigningKey;
use tlog::proof::{consistency_proof, inclusion_proof};
use tlog::tree::Frontier;
use tlog_tiles::{
    Hash, HashReader, Tile, TileHashReader, TileReader, check_record, check_tree, prove_record, prove_tree,
    stored_hash_index,
};

const ORIGIN: &str = "casino.example/sala/1";
const SIZES: [u64; 9] = [1, 2, 255, 256, 257, 511, 512, 513, 65_537];

fn key() -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[7; 32]).unwrap()
}

/// A log of 65,538 entries, written in random batches.
fn log() -> MemoryReader {
    let mut writer = LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key(), None).unwrap();
    let mut dice = Dice::new(7);
    while writer.reader().size() < 65_538 {
        let from = writer.reader().size();
        let until = 65_538.min(from + dice.below(3_000) + 1);
        let submissions: Vec<_> = (from..until)
            .map(|number| Submission {
                producer: "pit".parse().unwrap(),
                chain: "mesa-1".parse().unwrap(),
                first: number + 1,
                count: 1,
                received_at: 1,
                payload: number.to_be_bytes().to_vec(),
            })
            .collect();
        writer.append(&submissions).unwrap();
    }
    writer.reader().clone()
}

fn signed_at(store: &MemoryReader, size: u64) -> SignedCheckpoint {
    let mut frontier = Frontier::default();
    frontier.extend(&store.leaf_hashes(0, size as usize).unwrap());
    SignedCheckpoint::sign(&Checkpoint::of(ORIGIN, &frontier), &key()).unwrap()
}

fn digests(store: &MemoryReader) -> Vec<[u8; 32]> {
    store.read(0, 65_538).unwrap().iter().map(|entry| *Digest::of(entry).as_bytes()).collect()
}

/// Hands our tiles to the other reader by the paths that it asks for.
struct Served<'a> {
    store: &'a MemoryReader,
    signed: SignedCheckpoint,
    confirmed: Mutex<BTreeSet<String>>,
}

/// Their paths name the tiles' height, C2SP's do not.
fn path(tile: &Tile) -> String {
    tile.path().replacen("tile/8/", "tile/", 1)
}

impl TileReader for Served<'_> {
    fn height(&self) -> u8 {
        8
    }

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, tlog_tiles::Error> {
        let read = |tile| resource_bytes(self.store, &self.signed, &path(tile).parse().unwrap()).unwrap();
        Ok(tiles.iter().map(read).collect())
    }

    fn save_tiles(&self, tiles: &[Tile], _: &[Vec<u8>]) {
        self.confirmed.lock().unwrap().extend(tiles.iter().map(path));
    }
}

#[test]
fn tlog_tiles_authenticates_every_tile_and_makes_the_same_proofs() {
    let store = log();
    let digests = digests(&store);
    let mut dice = Dice::new(8);
    for size in SIZES {
        let signed = signed_at(&store, size);
        let root = Hash(signed.checkpoint().root);
        let theirs = tlog_tiles::Checkpoint::from_bytes(signed.checkpoint().to_string().as_bytes()).unwrap();
        assert_eq!((theirs.origin(), theirs.size(), *theirs.hash()), (ORIGIN, size, root));
        let served = Served { store: &store, signed, confirmed: Mutex::default() };
        let reader = TileHashReader::new(size, root, &served);
        let nodes = StoreNodes(&store);
        for index in (0..size).step_by((size / 300).max(1) as usize).chain([size - 1]) {
            let ours: Vec<Hash> =
                inclusion_proof(&nodes, index, size).unwrap().into_iter().map(Hash).collect();
            assert_eq!(prove_record(size, index, &reader).unwrap(), ours, "{index} of {size}");
            let leaf = tlog_tiles::record_hash(&digests[index as usize]);
            check_record(&ours, size, root, index, leaf).unwrap();
        }
        for first in [1, 2, size / 2 + 1, size, dice.below(size) + 1].into_iter().filter(|n| *n <= size) {
            let ours: Vec<Hash> =
                consistency_proof(&nodes, first, size).unwrap().into_iter().map(Hash).collect();
            assert_eq!(prove_tree(size, first, &reader).unwrap(), ours, "{first} to {size}");
            let old = Hash(signed_at(&store, first).checkpoint().root);
            check_tree(&ours, size, root, first, old).unwrap();
        }
        let indexes: Vec<u64> = (0..size).map(|index| stored_hash_index(0, index)).collect();
        let leaves = store.leaf_hashes(0, size as usize).unwrap();
        assert!(reader.read_hashes(&indexes).unwrap().iter().map(|hash| &hash.0).eq(&leaves));
        let confirmed = served.confirmed.into_inner().unwrap();
        let all: BTreeSet<String> = tlog::tile::Tile::of_tree(size).map(|tile| tile.to_string()).collect();
        assert_eq!(confirmed, all, "every tile of {size} was read and led to the root, and no other");
    }
}

#[test]
fn ct_merkle_makes_the_same_roots_and_believes_our_proofs() {
    let store = log();
    let digests = digests(&store);
    let mut tree: MemoryBackedTree<Sha256, [u8; 32]> = MemoryBackedTree::new();
    let mut roots: Vec<RootHash<Sha256>> = Vec::new();
    let nodes = StoreNodes(&store);
    let bytes = |hashes: Vec<[u8; 32]>| hashes.into_flattened();
    for size in SIZES {
        while tree.len() < size {
            tree.push(digests[tree.len() as usize]);
        }
        let root = tree.root();
        assert_eq!(root.as_bytes().as_slice(), signed_at(&store, size).checkpoint().root, "{size}");
        for index in [0, size / 3, size - 1] {
            let proof = bytes(inclusion_proof(&nodes, index, size).unwrap());
            let proof = InclusionProof::try_from_bytes(proof).unwrap();
            root.verify_inclusion(&digests[index as usize], index, &proof).unwrap();
            let other = digests[index as usize + 1];
            assert!(root.verify_inclusion(&other, index, &proof).is_err());
        }
        for old in &roots {
            let proof = bytes(consistency_proof(&nodes, old.num_leaves(), size).unwrap());
            let proof = ConsistencyProof::try_from_bytes(proof).unwrap();
            root.verify_consistency(old, &proof).unwrap();
        }
        roots.push(root);
    }
}

/// The eight leaves and the roots that RFC 6962's first implementation was tested with, and that
/// every one since was (certificate-transparency, tests of `merkletree`).
#[test]
fn the_reference_tree_s_published_roots_and_proofs() {
    let leaves: [&[u8]; 8] = [
        b"",
        &[0x00],
        &[0x10],
        &[0x20, 0x21],
        &[0x30, 0x31],
        &[0x40, 0x41, 0x42, 0x43],
        &[0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57],
        &[0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f],
    ];
    let hash = |leaf: &&[u8]| Sha256::new().chain_update([0]).chain_update(leaf).finalize().into();
    let leaves: Vec<[u8; 32]> = leaves.iter().map(hash).collect();
    let hex = |hash: &[u8; 32]| Digest::from_bytes(*hash).to_string();
    let roots = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    for (size, root) in (1..).zip(roots) {
        assert_eq!(hex(&tlog::tree::root_of(&leaves[..size])), root, "{size} leaves");
    }
    let proof = inclusion_proof(leaves.as_slice(), 0, 8).unwrap();
    let published = [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ];
    assert_eq!(proof.iter().map(hex).collect::<Vec<_>>(), published);
    let extension = consistency_proof(leaves.as_slice(), 1, 8).unwrap();
    assert_eq!(extension.iter().map(hex).collect::<Vec<_>>(), published);
}
