//! Entries whose payload was erased (personal data), so that the log still verifies without it.
//!
//! A redacted entry keeps its header and its digest; a notice on the log's own chain says which entries are
//! redacted, why, and by whom. What no notice covers is a fault.

mod redacted;

pub(crate) use redacted::is_redacted;
pub use redacted::{KeptEntry, parse_kept, redact_entry, sealed_digest};
