//! Proofs that one entry is in a signed log, for somebody who has the log's key and nothing else of the log.
//!
//! [`EntryProof`] is a C2SP tlog-proof with the entry's bytes in its extra line; [`CoseReceipt`] says the same as
//! a COSE receipt (RFC 9942).

mod cose_receipt;
mod entry_proof;

pub use cose_receipt::CoseReceipt;
pub use entry_proof::{EntryProof, EntryProofError, MAX_PROOF_BYTES, ProveError, ProvenEntry};
