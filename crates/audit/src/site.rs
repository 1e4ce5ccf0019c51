//! A fleet as the commands use it: its servers reached, and a log behind them that takes messages in.

use std::sync::Arc;
use std::time::Duration;

use ::fleet::{
    Client, Committed, Connection, Counting, Counts, Fleet, FleetError, Flow, Login, NotRecorded, Observer,
    Overview, PartitionOverview, Recorded, Recorder, ReplicaOverview, Site, StreamOverview, Watchdog,
};
use desk::{House, HouseLease, HousePartition, HouseStream};
use sealed_log_sled::SledReader;
use service::{HouseBoard, IntakeCounts};
use texts::SiteTrouble;
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

use crate::cli::fleet::{SiteAt, StreamLogin};
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::render;

/// Threads that wait for the servers.
const THREADS: usize = 2;

/// What waits for the servers.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    let runtime =
        Builder::new_multi_thread().worker_threads(THREADS).thread_name("fleet").enable_all().build();
    runtime.map_err(|error| Failure::machine(said(&error)))
}

/// The servers, reached. Secrets come from files.
pub(crate) async fn connect(servers: &[String], login: &StreamLogin) -> Result<Client, Failure> {
    let who = match (&login.nats_credentials, &login.nats_user, &login.nats_password, &login.nats_token) {
        (Some(file), ..) => Login::Credentials(file.clone()),
        (None, Some(name), Some(password), _) => {
            Login::User { name: name.clone(), password: password.clone() }
        }
        (None, _, _, Some(file)) => Login::Token(file.clone()),
        (None, ..) => Login::Nobody,
    };
    let connection = Connection::to(servers.iter().map(String::as_str)).login(who).name("audit");
    let connection = match &login.nats_ca {
        Some(file) => connection.authority(file.clone()),
        None => connection,
    };
    let connection = match (&login.nats_cert, &login.nats_key) {
        (Some(certificate), Some(key)) => connection.certificate(certificate.clone(), key.clone()),
        (None, _) | (_, None) => connection,
    };
    connection.open().await.map_err(failure)
}

/// A site that was set up.
pub(crate) async fn open(at: &SiteAt) -> Result<Fleet, Failure> {
    open_site(&at.server, &at.site, &at.login).await
}

/// The same by its parts.
pub(crate) async fn open_site(servers: &[String], site: &str, login: &StreamLogin) -> Result<Fleet, Failure> {
    let client = connect(servers, login).await?;
    let site = Site::new(site).map_err(failure)?;
    Fleet::open(client, site).await.map_err(failure)
}

/// Whose turn it is when a fleet cannot be used.
pub(crate) fn failure(error: FleetError) -> Failure {
    let exit = match &error {
        FleetError::Unreachable { .. }
        | FleetError::Server { .. }
        | FleetError::Random(_)
        | FleetError::File { .. } => Exit::Machine,
        FleetError::Name { .. }
        | FleetError::Setting { .. }
        | FleetError::Address { .. }
        | FleetError::Differs { .. }
        | FleetError::NotSetUp { .. }
        | FleetError::Partition { .. }
        | FleetError::NewerConsumer { .. } => Exit::Usage,
        FleetError::Fenced { .. } => Exit::InUse,
    };
    Failure { exit, message: said(&error) }
}

/// How often a writer looks at its fleet.
const LOOKS: Duration = Duration::from_secs(5);
/// How often it notes what its intake has done.
const COUNTS: Duration = Duration::from_secs(1);

/// Shows a fleet, and what a writer of it does, on the board of its service. It never ends.
pub(crate) async fn show(
    fleet: Fleet,
    own: u32,
    counting: Counting,
    watchdog: Watchdog,
    board: Arc<HouseBoard>,
) {
    // Servers that do not answer must not hide what the watchdog has found.
    tokio::join!(show_writer(&counting, &watchdog, &board), show_fleet(&fleet, own, &board));
}

async fn show_writer(counting: &Counting, watchdog: &Watchdog, board: &HouseBoard) {
    loop {
        let state = watchdog.state();
        board.counted(counts(counting.counts(), state.step_downs));
        board.flows(flow(state.flow));
        sleep(COUNTS).await;
    }
}

async fn show_fleet(fleet: &Fleet, own: u32, board: &HouseBoard) {
    let mut observer = Observer::of(fleet);
    let mut before: Option<Overview> = None;
    loop {
        match observer.look().await {
            Ok(now) => {
                let trouble = render::site::trouble(before.as_ref().unwrap_or(&now), &now);
                board.is(house(&now, own, trouble));
                before = Some(now);
            }
            Err(error) => {
                tracing::warn!(why = ?error.to_string(), "the servers do not say how the fleet is");
                board.change(|house| house.trouble = vec![SiteTrouble::NotShown(String::new())]);
            }
        }
        sleep(LOOKS).await;
    }
}

fn counts(of: Counts, step_downs: u64) -> IntakeCounts {
    let Counts {
        messages,
        refused,
        unavailable,
        sealed_before,
        commits,
        receipts_lost,
        leases_disbelieved,
        ..
    } = of;
    IntakeCounts {
        messages,
        refused,
        sealed_before,
        unavailable,
        commits,
        receipts_lost,
        leases_disbelieved,
        step_downs,
    }
}

const fn flow(of: Flow) -> desk::Flow {
    match of {
        Flow::Unknown => desk::Flow::Unknown,
        Flow::Flows => desk::Flow::Flows,
        Flow::RefusesWrites => desk::Flow::RefusesWrites,
        Flow::DoesNotDeliver => desk::Flow::DoesNotDeliver,
        Flow::LeaseRefusesWrites => desk::Flow::LeaseRefusesWrites,
    }
}

fn house(overview: &Overview, own: u32, trouble: Vec<SiteTrouble>) -> House {
    let partition = |one: &PartitionOverview| HousePartition {
        number: one.partition + 1,
        is_known: one.problem.is_none(),
        lease: one.lease.as_ref().map(|lease| HouseLease {
            holder: lease.holder.clone(),
            released: lease.released,
            term: lease.epoch,
            log: lease.origin.clone(),
            sealed: lease.size,
            silent_seconds: lease.unchanged_millis / 1_000,
        }),
        waiting: one.consumer.as_ref().map(|waits| (waits.pending, waits.unacknowledged)),
    };
    let server = |one: &ReplicaOverview| {
        let behind = if one.current { 0 } else { one.lag.max(1) };
        (one.name.clone(), (!render::site::is_gone(one)).then_some(behind))
    };
    let stream = |one: &StreamOverview| HouseStream {
        name: one.name.clone(),
        leader: one.leader.clone(),
        messages: one.messages,
        bytes: one.bytes,
        servers: one.replicas.iter().map(server).collect(),
    };
    House {
        site: overview.site.clone(),
        own,
        partitions: overview.partitions.iter().map(partition).collect(),
        streams: overview.streams.iter().map(stream).collect(),
        trouble: trouble.into_iter().map(without_reason).collect(),
        ..House::default()
    }
}

/// What libraries and servers say is in English, and a page is in the language of its reader.
fn without_reason(what: SiteTrouble) -> SiteTrouble {
    if let SiteTrouble::LeaseUnknown(partition, _) = what {
        SiteTrouble::LeaseUnknown(partition, String::new())
    } else {
        what
    }
}

/// A log, as the fleet's intake gives messages to it.
#[derive(Debug)]
pub(crate) struct IntoLog(pub(crate) intake::Recorder<SledReader>);

impl Recorder for IntoLog {
    async fn record(
        &self,
        table: &str,
        content_type: Option<&str>,
        message: &[u8],
    ) -> Result<Recorded, NotRecorded> {
        let recorded = self.0.record(table, content_type, message).await.map_err(|why| match why {
            intake::NotRecorded::Refused(why) => NotRecorded::Refused(why),
            intake::NotRecorded::Unavailable(why) => NotRecorded::Unavailable(why),
        })?;
        let intake::RecordedEvents { first, last, entries, recorded, already_there, conflicts } = recorded;
        let (first_sequence, last_sequence) = (first, last);
        Ok(Recorded { first_sequence, last_sequence, entries, recorded, already_there, conflicts })
    }

    async fn checkpoint(&self) -> Result<Committed, String> {
        let signed = self.0.signed_checkpoint();
        let checkpoint = signed.checkpoint();
        Ok(Committed {
            origin: checkpoint.origin.clone(),
            size: checkpoint.size,
            checkpoint: signed.text().to_owned(),
            ..Committed::default()
        })
    }
}
