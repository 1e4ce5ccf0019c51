//! An append-only log. Each entry has a digest and a link to the previous entry of its chain; a Merkle tree with signed
//! checkpoints covers them all. One writer appends, anybody can verify, and a log fits in one file.
//!
//! An entry's payload is bytes; this crate does not know what they mean. It opens no files (what it reads and
//! writes is handed in), and has no clock and no randomness of its own. The tree, proofs and checkpoints
//! themselves are crate [`tlog`].
//!
//! | module | what it does |
//! |---|---|
//! | [`entry`] | an entry's bytes, its digest, the names of chains and producers |
//! | [`writer`] | appends entries, signs checkpoints, makes both durable before it answers; checks a store at the start |
//! | [`store`] | what a store must do, with a contract suite; a store in memory; its tiles |
//! | [`reader`] | reads a whole log and checks every part of its seal; the report with its verdicts |
//! | [`archive`] | a log, or a slice of it, as one file |
//! | [`proof`] | one entry's proof, as C2SP tlog-proof or as a COSE receipt |
//! | [`threads`] | starts the threads on which entries are hashed |
//! | [`redaction`] | entries whose payload was erased |
//! | [`keys`] | which key signs at which size, and how a key is rotated |
//! | [`notice`] | what the log records about itself: rotations and redactions |
//!
//! ```
//! use sealed_log::reader::{Expectations, LogReader, StoreSource, Verdict};
//! use sealed_log::store::{MemoryStore, StoreWriter as _};
//! use sealed_log::writer::{LogWriter, MemoryCheckpoint, Submission};
//! use tlog::note::SigningKey;
//!
//! // In a real log the seed is 32 random, secret bytes.
//! let key = SigningKey::from_seed("casino.example/sala/1", &[7; 32])?;
//! let mut writer = LogWriter::open(MemoryStore::new(), MemoryCheckpoint::default(), key.clone(), None)?;
//! let submission = Submission {
//!     producer: "pit".parse()?,
//!     chain: "mesa-1".parse()?,
//!     first: 1,
//!     count: 1,
//!     received_at: 1_790_000_000_000_000,
//!     payload: b"what happened".to_vec(),
//! };
//! let acknowledged = writer.append(&[submission])?;
//! assert_eq!(acknowledged.signed.checkpoint().size, 1);
//!
//! // Anybody with the key reads it.
//! let (store, _) = writer.into_parts();
//! let source = StoreSource::new(store.reader(), Some((*acknowledged.signed).clone()), None);
//! let expectations = Expectations { verifier: Some(key.verifier_key()), anchors: Vec::new() };
//! let mut reader = LogReader::new(source, expectations);
//! while let Some(window) = reader.next_window()? {
//!     assert_eq!(window.blocks().len(), 1);
//! }
//! assert_eq!(reader.finish().intact, Verdict::Yes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod archive;
pub mod entry;
#[cfg(test)]
mod fixture;
pub mod keys;
pub mod notice;
pub mod proof;
pub mod reader;
pub mod redaction;
pub mod store;
pub mod threads;
pub mod writer;
