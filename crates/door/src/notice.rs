//! What happens at the door that somebody should know of, and that no answer tells.

use std::net::SocketAddr;

use crate::tls::TlsError;

/// Something to be told, in one sentence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Notice {
    /// Somebody could not be let in: no TLS, no client certificate or one of another authority.
    #[error("refused a connection from {peer}: {why}")]
    ConnectionRefused {
        /// Who.
        peer: SocketAddr,
        /// What went wrong between them.
        why: String,
    },
    /// All places are taken, and connections were closed to let others in. Told once a minute at most.
    #[error(
        "all {slots} places for connections are taken; for newcomers were closed, since this was last told: {closed}"
    )]
    SlotsExhausted {
        /// How many connections there may be.
        slots: usize,
        /// How many were closed since this was last told.
        closed: u64,
    },
    /// Requests that waited for their clients held more than they may, and connections were closed for it. Told
    /// once a minute at most.
    #[error(
        "requests that wait for their clients held more than {limit} bytes; connections closed for it since this was last told: {closed}"
    )]
    MemoryExhausted {
        /// Most they may hold, bytes.
        limit: usize,
        /// How many were closed since this was last told.
        closed: u64,
    },
    /// Changed certificate files are in force.
    #[error("the TLS certificate was read again")]
    CertificateReloaded,
    /// Changed certificate files cannot be used; those from before stay in force.
    #[error("the changed TLS certificate cannot be used, the one from before stays in force: {0}")]
    CertificateUnusable(TlsError),
}
