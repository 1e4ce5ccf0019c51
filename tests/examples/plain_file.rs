//! What a service costs that does nothing but keep: it takes the same posts over the same HTTP, appends the
//! bodies to one file, syncs it once for all that came meanwhile, and answers. No check, no seal, no proof.
//!
//! `plain_file serve FOLDER` prints its address and answers until it is stopped; `plain_file drive URL
//! CONNECTIONS BATCH SECONDS [RATE]` puts the load of `audit load` on it and prints what came of it as JSON.
//! `tests/compare/compare.py` runs both.
#![allow(clippy::print_stdout, reason = "it is what a command does")]

use std::error::Error;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use door::{Door, Limits};
use load::Plan;
use serde_json::json;
use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::note::SigningKey;
use tlog::tree::Frontier;
use tokio::sync::oneshot;

/// A body, and the sender to which its storing on disk is reported.
type Job = (Bytes, oneshot::Sender<()>);

#[derive(Clone)]
struct Keeper {
    jobs: Sender<Job>,
    /// An answer of the form that the client expects; it says nothing.
    answer: String,
}

async fn keep(State(keeper): State<Keeper>, body: Bytes) -> Response {
    let (kept, waiting) = oneshot::channel();
    if keeper.jobs.send((body, kept)).is_err() || waiting.await.is_err() {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    (StatusCode::CREATED, [(CONTENT_TYPE, "application/json")], keeper.answer).into_response()
}

/// Appends what is queued, syncs once, and answers all who wait.
fn append(mut file: File, jobs: &Receiver<Job>) -> std::io::Result<()> {
    while let Ok(first) = jobs.recv() {
        let group: Vec<Job> = std::iter::once(first).chain(jobs.try_iter()).collect();
        let bytes: Vec<u8> = group.iter().flat_map(|(body, _)| body.iter().copied()).collect();
        file.write_all(&bytes)?;
        file.sync_data()?;
        for (_, kept) in group {
            // Whoever is gone does not want to know.
            let _ = kept.send(());
        }
    }
    Ok(())
}

fn serve(folder: &str) -> Result<(), Box<dyn Error>> {
    let file = File::create(Path::new(folder).join("events.ndjson"))?;
    let (jobs, queued) = channel();
    let writer = std::thread::spawn(move || append(file, &queued));
    let key = SigningKey::from_seed("plain.example/file", &[1; 32])?;
    let head = SignedCheckpoint::sign(&Checkpoint::of(key.name(), &Frontier::default()), &key)?;
    let answer =
        json!({"recorded": 0, "already_there": 0, "conflicts": 0, "receipts": [], "checkpoint": head.text()});
    let door = Door::open("127.0.0.1:0", Limits { connections: 1_024, ..Limits::default() })?;
    println!("http://{}", door.address());
    let router = Router::new()
        .route("/v1/tables/{table}/events", post(keep))
        .layer(DefaultBodyLimit::max(8 << 20))
        .with_state(Keeper { jobs, answer: answer.to_string() });
    door.serve(router, door::stop_signal)?;
    drop(writer);
    Ok(())
}

fn drive(url: &str, rest: &[String]) -> Result<(), Box<dyn Error>> {
    let [connections, batch, seconds, rate @ ..] = rest else {
        return Err("give URL CONNECTIONS BATCH SECONDS [RATE]".into());
    };
    let plan = Plan {
        rulebook: baccarat::builtin("mini-punto-banco")?,
        tables: connections.parse()?,
        connections: connections.parse()?,
        shoes: 2,
        batch: batch.parse()?,
        rate: rate.first().map(|rate| rate.parse()).transpose()?,
        time: Duration::from_secs(seconds.parse()?),
        disconnect: 0,
        seed: 1,
        run: 1,
    };
    let driven = load::drive(&plan, url, &client::Options::default(), &|_| {})?;
    let times = driven.latency();
    let report = json!({"load": {
        "posts_a_second": driven.a_second(driven.posts()),
        "events_a_second": driven.a_second(driven.events()),
        "answered_microseconds": {"p50": times.p50, "p99": times.p99, "max": times.max},
    }});
    println!("{report}");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [what, folder] if what == "serve" => serve(folder),
        [what, url, rest @ ..] if what == "drive" => drive(url, rest),
        _ => Err("give `serve FOLDER` or `drive URL CONNECTIONS BATCH SECONDS [RATE]`".into()),
    }
}
