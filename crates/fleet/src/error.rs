//! What can be wrong with a fleet, one sentence each with what to do.

use std::path::PathBuf;

use crate::setup::Difference;

/// Why a fleet cannot be reached, set up or used.
#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    /// A name that fits in no subject.
    #[error("the name of a {what} has {bytes} bytes, and at most {most} are possible: choose a shorter name")]
    Name {
        /// `site` or `table`.
        what: &'static str,
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        most: usize,
    },
    /// A setting outside its range.
    #[error("{setting} is {value}: it must be {range}")]
    Setting {
        /// The setting.
        setting: &'static str,
        /// What was asked.
        value: String,
        /// What is possible.
        range: String,
    },
    /// An address that cannot be used.
    #[error("the address of server {number} cannot be used: {why}")]
    Address {
        /// Which of the addresses, from 1: an address may hold a secret, so it is not shown.
        number: usize,
        /// What is wrong.
        why: String,
    },
    /// A file with a secret or a certificate that cannot be used.
    #[error("{what} {}: {why}", path.display())]
    File {
        /// What it is for.
        what: &'static str,
        /// Which.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// No server answers.
    #[error(
        "no server of {servers} lets this program in: {why}; check that nats-server runs there, its certificate, \
         and the user, token or credentials"
    )]
    Unreachable {
        /// The servers, without what is secret.
        servers: String,
        /// What the last one said.
        why: String,
    },
    /// What is on the servers is not what is asked for; nothing was changed.
    #[error(
        "the stream {stream} is not as asked: {}; ask for what is there; what can be changed is changed with the tools of NATS, but never the number of partitions",
        Difference::listed(differences)
    )]
    Differs {
        /// The stream.
        stream: String,
        /// Each field that differs.
        differences: Vec<Difference>,
    },
    /// The site was not set up.
    #[error("the site {site:?} has no stream {stream} on these servers: set it up first (audit fleet setup)")]
    NotSetUp {
        /// The site.
        site: String,
        /// The stream that is missing.
        stream: String,
    },
    /// A partition that the site does not have.
    #[error("partition {partition} does not exist: the site has {partitions}, numbered from 0")]
    Partition {
        /// What was asked for.
        partition: u32,
        /// How many there are.
        partitions: u32,
    },
    /// The servers did not do something.
    #[error("the servers did not {what}: {why}")]
    Server {
        /// What was asked.
        what: String,
        /// What they said.
        why: String,
    },
    /// Another holder has the partition.
    #[error("the lease of partition {partition} was lost: another holder has taken it over")]
    Fenced {
        /// The partition.
        partition: u32,
    },
    /// The lease was deleted, and its epochs began again, while consumers of higher epochs were left.
    #[error(
        "the consumer {consumer} is of a later epoch than the lease, {epoch}: if the lease was deleted on purpose, \
         delete this consumer as well"
    )]
    NewerConsumer {
        /// The consumer.
        consumer: String,
        /// The epoch of the lease.
        epoch: u64,
    },
    /// The system gave no random bytes.
    #[error("the system gives no random bytes: {0}")]
    Random(String),
}

impl FleetError {
    pub(crate) fn server(what: impl Into<String>, why: impl std::fmt::Display) -> Self {
        Self::Server { what: what.into(), why: why.to_string() }
    }
}
