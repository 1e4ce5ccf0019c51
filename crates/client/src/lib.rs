//! A typed, blocking client of a served log: for table systems, which post until they have receipts, and for
//! readers, who verify what they are served.
//!
//! It speaks HTTP and HTTPS and returns what was answered. It does not know what an event means, stores
//! nothing on disk, and checks a receipt only through [`check`], with the log's key.
//!
//! ```no_run
//! use client::{Client, Options};
//!
//! let client = Client::new("http://127.0.0.1:7370", Options::default())?;
//! let posted = client.post("PB-01", &[r#"{"table":"PB-01","sequence":1}"#])?;
//! println!("{} receipts under {}", posted.receipts.len(), client.key()?);
//! # Ok::<(), client::ClientError>(())
//! ```

mod error;
mod findings;
mod options;
mod paced;
mod posted;
mod posting;
mod receipt;
mod requests;
mod single_packet;
mod tls;

pub use error::{ClientError, Problem};
pub use findings::{FindingsPage, Follower};
pub use options::{Identity, Options};
pub use posted::Posted;
pub use receipt::{Receipt, ReceiptError, check};
pub use requests::{Client, Health, Readiness, host};
