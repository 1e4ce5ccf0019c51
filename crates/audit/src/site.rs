//! A fleet as the commands use it: its servers reached, and a log behind them that takes messages in.

use std::sync::Arc;

use ::fleet::{
    Client, Committed, Connection, Fleet, FleetError, Login, NotRecorded, Recorded, Recorder, Site,
};
use tokio::runtime::{Builder, Runtime};

use crate::cli::fleet::{SiteAt, StreamLogin};
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;

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

/// The log of a service, as the fleet's intake gives messages to it.
#[derive(Debug)]
pub(crate) struct IntoLog(pub(crate) service::Recorder);

impl Recorder for IntoLog {
    async fn record(
        &self,
        table: &str,
        content_type: Option<&str>,
        message: &[u8],
    ) -> Result<Recorded, NotRecorded> {
        let recorded = self.0.record(table, content_type, message).await.map_err(|why| match why {
            service::NotRecorded::Refused(why) => NotRecorded::Refused(why),
            service::NotRecorded::Unavailable(why) => NotRecorded::Unavailable(why),
        })?;
        let service::RecordedEvents { first, last, entries, recorded, already_there, conflicts } = recorded;
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
            message: 0,
        })
    }
}

/// The log of a partition, to be handed to several tasks.
pub(crate) fn into_log(recorder: service::Recorder) -> Arc<IntoLog> {
    Arc::new(IntoLog(recorder))
}
