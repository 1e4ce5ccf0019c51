//! The front door: takes events over HTTP, answers once they are sealed and durable, and lets the log be
//! read. It records first: wrong play is stored as it comes, and judged elsewhere.

pub mod access;
mod archive;
mod attending;
mod bodies;
pub mod body;
mod caretaker;
mod certificate;
mod content;
mod deadline;
mod findings;
mod following;
mod ingest;
pub mod intake;
mod metrics;
mod names;
mod noise;
mod observe;
mod openapi;
mod passing;
mod problem;
mod readers;
mod reading;
mod receipts;
mod room;
mod server;
mod table_list;
mod tables;
mod tables_in_mind;
mod traces;
mod webhook;

pub use door::{Host, HostError, Limits, Tls, TlsError, TlsFiles};
pub use room::Bounds;
pub use server::{Service, ServiceError};
pub use traces::{Collector, CollectorError};
pub use webhook::{Webhook, WebhookError};
