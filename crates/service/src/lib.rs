//! The HTTP service of a log: takes events, answers once they are sealed and durable, and lets clients read
//! and verify the log. It records first: wrong play is stored as it comes and judged by the follower.

pub mod access;
mod app_state;
mod archive;
mod bodies;
pub mod body;
mod certificate;
mod content;
mod deadline;
mod desk_routes;
mod dry_run;
mod findings;
mod following;
mod hosts;
mod ingest;
pub mod intake;
mod live_pages;
mod maintenance;
mod metrics;
mod observe;
mod openapi;
mod pages;
mod problem;
mod problem_type;
mod query;
mod read_threads;
mod reading;
mod receipts;
mod refusal_log;
pub mod schema;
mod server;
mod table_cache;
mod table_list;
mod tables;
mod traces;
mod webhook;
mod witnessing;
mod writer_events;

pub use app_state::Bounds;
pub use door::{Host, HostError, Limits, Tls, TlsError, TlsFiles};
pub use pages::{Pages, SharedSource};
pub use problem_type::ProblemType;
pub use server::{Service, ServiceError};
pub use traces::{Collector, CollectorError};
pub use webhook::{Webhook, WebhookError};
pub use witnessing::{Submit, WitnessAnswers, Witnesses};
