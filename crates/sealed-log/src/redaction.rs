//! Entries whose payload was erased (personal data), so that the log still verifies without it.
//!
//! A redacted entry keeps its header and its digest; a notice on the log's own chain says which entries are
//! redacted, why, and by whom. What no notice covers is a fault.

mod stand_in;
pub(crate) mod withheld;

pub(crate) use stand_in::is_stand_in;
pub use stand_in::{KeptEntry, parse_kept, sealed_digest, stand_in_for};
pub use withheld::{MAX_KEPT_NOTICES, MAX_KEPT_WITHHELD};
