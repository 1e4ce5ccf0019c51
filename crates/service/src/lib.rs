//! The HTTP service of a log: takes events, answers once they are sealed and durable, and lets clients read
//! and verify the log. It records first: wrong play is stored as it comes and judged by the follower.
//!
//! # Serve a log, post an event
//!
//! ```
//! use sealed_log_sled::LogFolder;
//! use service::{Bounds, Limits, Service};
//! use tlog::note::SigningKey;
//!
//! let folder = tempfile::tempdir()?;
//! // In a real log the seed is 32 random, secret bytes.
//! let key = SigningKey::from_seed("casino.example/sala/1", &[7; 32])?;
//! let writer = LogFolder::new(folder.path()).open_writer(key)?;
//! let producer = "audit-serve:pit".parse()?;
//! let service = Service::bind("127.0.0.1:0", writer, producer, Limits::default(), Bounds::default())?;
//! let tables = format!("http://{}/v1/tables", service.address());
//!
//! let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
//! let running = std::thread::spawn(|| {
//!     service.run_until(|| async {
//!         let _ = stopped.await;
//!     })
//! });
//!
//! let event = r#"{"table":"PB-01","sequence":1,"occurred_at":"2026-03-01T20:00:00+01:00",
//!     "event":{"BetsClosed":{"coup":1}}}"#.replace('\n', "");
//! let answer = ureq::post(format!("{tables}/PB-01/events")).content_type("application/x-ndjson").send(&event)?;
//! // It is sealed and on disk. That no table opened before it is for the judge to say.
//! assert_eq!(answer.status(), 201);
//!
//! drop(stop);
//! running.join().expect("it does not panic")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Inside
//!
//! `routes` has what is asked over HTTP, `live` what goes on without a request (the follower that certifies, witnesses,
//! webhooks), `observe` what operators see. Taking events in is crate [`intake`], connections are crate [`door`], and pages
//! crate [`desk`].

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
