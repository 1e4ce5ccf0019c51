//! The HTTP service of a log: takes events, answers once they are sealed and durable, and lets clients read
//! and verify the log. It records first: wrong play is stored as it comes and judged by the follower.

pub mod access;
mod app_state;
mod deadline;
mod json;
mod live;
mod observe;
mod problem;
mod problem_type;
mod routes;
pub mod schema;
mod server;

pub use app_state::Bounds;
pub use door::stop_signal;
pub use door::{Host, HostError, Limits, Tls, TlsError, TlsFiles, read_pem_file};
pub use live::house::{HouseBoard, IntakeCounts};
pub use live::webhook::{Webhook, WebhookError};
pub use live::witnessing::{Submit, WitnessAnswers, Witnesses};
pub use observe::traces::{Collector, CollectorError};
pub use problem_type::ProblemType;
pub use routes::desk_routes::page_routes;
pub use routes::pages::{Pages, SharedSource};
pub use server::{Service, ServiceError};
