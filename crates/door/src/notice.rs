//! Events of the server that an operator should know about and that no HTTP answer shows.

use std::net::SocketAddr;

use crate::tls::TlsError;

/// An event, displayed as one sentence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Notice {
    /// A client was refused: no TLS, no client certificate, or a certificate of another authority.
    #[error("refused a connection from {peer}: {why}")]
    ConnectionRefused {
        /// The client's address.
        peer: SocketAddr,
        /// What went wrong.
        why: String,
    },
    /// All slots are in use, and connections were closed for new ones. Reported at most once a minute.
    #[error(
        "all {slots} connection slots are in use; idle connections closed for new ones since the last such report: {closed}"
    )]
    SlotsExhausted {
        /// Most connections that may be open.
        slots: usize,
        /// How many were closed since the last such notice.
        closed: u64,
    },
    /// Requests that wait for their clients held more than the limit, and connections were closed. Reported
    /// at most once a minute.
    #[error(
        "requests that wait for their clients held more than {limit} bytes; connections closed since the last such report: {closed}"
    )]
    MemoryExhausted {
        /// Most they may hold, bytes.
        limit: usize,
        /// How many were closed since the last such notice.
        closed: u64,
    },
    /// Changed certificate files were read and are in force.
    #[error("the TLS certificate was read again")]
    CertificateReloaded,
    /// Changed certificate files cannot be used; the previous ones stay in force.
    #[error("the changed TLS certificate cannot be used, the previous one stays in force: {0}")]
    CertificateUnusable(TlsError),
}
