//! A fleet: many programs that write the audit logs of one site, fed by a stream of NATS JetStream.
//!
//! Producers publish messages to `baccarat.<site>.<table>`. The servers assign each table to one of N partitions. Each
//! partition has one writer at a time, which holds its **lease**; it records messages in its log, writes its newest
//! checkpoint into the lease (the fence), and only then acknowledges and answers with a receipt. If it fails, another
//! one takes over and is given everything that was not acknowledged, at once and in order.
//!
//! ```no_run
//! # async fn example(recorder: std::sync::Arc<impl fleet::Recorder>) -> Result<(), fleet::FleetError> {
//! use std::time::Duration;
//!
//! use fleet::{Candidate, Connection, Fleet, Intake, Lease, Plan, Site, Stop, Terms, Watchdog};
//!
//! let client = Connection::to(["nats://127.0.0.1:4222"]).open().await?;
//! let site = Site::new("Barcelona")?;
//! fleet::set_up(&client, &site, &Plan::default()).await?;
//!
//! let fleet = Fleet::open(client, site).await?;
//! let terms = Terms::new(Duration::from_secs(8)).expect("within the range");
//! let lease = Lease::acquire(&fleet, 3, Candidate { name: "pit-2".into(), terms }).await?;
//! let watchdog = Watchdog::default();
//! let stop = Stop::default();
//! Intake::new(&fleet, &lease, recorder, &watchdog).run(&stop).await?;
//! # Ok(())
//! # }
//! ```
//!
//! This crate does not know what an event means, and no store: both are behind [`Recorder`].

mod connection;
mod error;
mod fleet;
mod intake;
mod lease;
mod overview;
mod producer;
mod receipt;
mod recorder;
mod setup;
mod site;
mod stop;
pub mod token;
mod watchdog;

pub use async_nats::Client;
pub use connection::{Connection, Login};
pub use error::FleetError;
pub use fleet::Fleet;
pub use intake::{Counting, Counts, Intake, IntakeSettings};
pub use lease::{
    Candidate, Committed, FORMAT, Lease, LeaseMachine, LeaseRecord, MAX_RECORD_BYTES, Moment, Reading,
    RecordError, Step, Terms, Writing,
};
pub use overview::{
    ConsumerOverview, LeaseOverview, Observer, Overview, PartitionOverview, ReplicaOverview, StreamOverview,
};
pub use producer::{Producer, ProducerSettings, ProducerState, Refusing, Sent};
pub use receipt::{Outcome, Receipt};
pub use recorder::{NotRecorded, Recorded, Recorder};
pub use setup::{Difference, Found, Plan, set_up};
pub use site::{MAX_PARTITIONS, MAX_SITE_BYTES, Site, partition_of};
pub use stop::Stop;
pub use watchdog::{Flow, FlowState, Watchdog, WatchdogSettings};
