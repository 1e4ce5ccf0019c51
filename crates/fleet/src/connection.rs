//! How the servers are reached. Secrets come from files and are never shown; a connection that was made is made again
//! for ever.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::{ConnectOptions, Event, ServerAddr};

use crate::FleetError;

/// Longest file with a secret that is read, in bytes.
const MAX_SECRET_BYTES: u64 = 64 * 1024;
/// Longest pause before a server is tried again.
const LONGEST_PAUSE: Duration = Duration::from_secs(4);
/// How long a server may take to let this program in.
const PATIENCE: Duration = Duration::from_secs(5);

/// Most messages of one subscription that wait to be taken. A consumer asks for fewer at once.
const MOST_WAITING: usize = 2_048;

/// How this program shows who it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Login {
    /// It does not.
    #[default]
    Nobody,
    /// By a credentials file of NATS: a JWT and the seed of its key.
    Credentials(PathBuf),
    /// By a user and the password in this file.
    User {
        /// The user.
        name: String,
        /// The file with the password: its first line.
        password: PathBuf,
    },
    /// By the token in this file: its first line.
    Token(PathBuf),
}

/// How the servers are reached.
#[derive(Debug, Clone, Default)]
pub struct Connection {
    servers: Vec<String>,
    login: Login,
    authority: Option<PathBuf>,
    certificate: Option<(PathBuf, PathBuf)>,
    name: Option<String>,
}

impl Connection {
    /// To any of these servers, as `nats://host:4222` or `tls://host:4222`.
    #[must_use]
    pub fn to(servers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { servers: servers.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Logs in.
    #[must_use]
    pub fn login(self, login: Login) -> Self {
        Self { login, ..self }
    }

    /// Requires TLS, and accepts servers whose certificates this authority signed (PEM).
    #[must_use]
    pub fn authority(self, file: PathBuf) -> Self {
        Self { authority: Some(file), ..self }
    }

    /// Requires TLS, and shows this certificate (PEM) with its key (PEM).
    #[must_use]
    pub fn certificate(self, certificate: PathBuf, key: PathBuf) -> Self {
        Self { certificate: Some((certificate, key)), ..self }
    }

    /// What the servers call this connection in their reports.
    #[must_use]
    pub fn name(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Connects to one of the servers.
    ///
    /// # Errors
    /// [`FleetError::Address`], [`FleetError::File`], [`FleetError::Unreachable`].
    pub async fn open(self) -> Result<async_nats::Client, FleetError> {
        let addresses = self.addresses()?;
        let servers: Vec<String> = addresses.iter().map(shown).collect();
        let servers = servers.join(", ");
        let options = self.options()?;
        let unreachable = |why: &dyn std::fmt::Display| FleetError::Unreachable {
            servers: servers.clone(),
            why: why.to_string(),
        };
        let opened = tokio::time::timeout(PATIENCE.saturating_mul(2), options.connect(addresses)).await;
        match opened {
            Err(_) => Err(unreachable(&"none of them answers in time")),
            Ok(Err(error)) => Err(unreachable(&error)),
            Ok(Ok(client)) => Ok(client),
        }
    }

    fn addresses(&self) -> Result<Vec<ServerAddr>, FleetError> {
        let mut addresses = Vec::new();
        for (index, text) in self.servers.iter().enumerate() {
            let wrong = |why: &str| FleetError::Address { number: index + 1, why: why.to_owned() };
            let address: ServerAddr =
                text.parse().map_err(|_| wrong("it must be like nats://host:4222 or tls://host:4222"))?;
            if address.username().is_some() || address.password().is_some() {
                return Err(wrong("it holds a user or a password: put the password into a file of its own"));
            }
            addresses.push(address);
        }
        if addresses.is_empty() {
            return Err(FleetError::Address {
                number: 1,
                why: "there is none: name at least one server".into(),
            });
        }
        Ok(addresses)
    }

    fn options(self) -> Result<ConnectOptions, FleetError> {
        let mut options = ConnectOptions::new()
            .max_reconnects(None)
            .subscription_capacity(MOST_WAITING)
            .connection_timeout(PATIENCE)
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(pause)
            .event_callback(|event| async move { report(&event) });
        if let Some(name) = self.name {
            options = options.name(name);
        }
        options = match self.login {
            Login::Nobody => options,
            Login::Credentials(path) => {
                let what = "the credentials in";
                let text = secret_text(what, &path)?;
                // What is wrong with it may quote it.
                let why = "it is not a credentials file of NATS, which holds a JWT and the seed of a key"
                    .to_owned();
                options.credentials(&text).map_err(|_| FleetError::File { what, path, why })?
            }
            Login::User { name, password } => {
                options.user_and_password(name, first_line("the password in", &password)?)
            }
            Login::Token(path) => options.token(first_line("the token in", &path)?),
        };
        if let Some(file) = self.authority {
            is_pem("the certificates of the authority in", &file, "CERTIFICATE")?;
            options = options.add_root_certificates(file).require_tls(true);
        }
        if let Some((certificate, key)) = self.certificate {
            is_pem("the certificate in", &certificate, "CERTIFICATE")?;
            is_pem("the key in", &key, "PRIVATE KEY")?;
            options = options.add_client_certificate(certificate, key).require_tls(true);
        }
        Ok(options)
    }
}

/// Half a second more for each attempt, up to the longest pause.
fn pause(attempts: usize) -> Duration {
    let attempts = u32::try_from(attempts).unwrap_or(u32::MAX);
    Duration::from_millis(250).saturating_mul(attempts).min(LONGEST_PAUSE)
}

fn shown(address: &ServerAddr) -> String {
    format!("{}://{}:{}", address.scheme(), address.host(), address.port())
}

fn report(event: &Event) {
    match event {
        Event::Connected => tracing::info!("connected to the servers of the fleet"),
        Event::Disconnected => {
            tracing::warn!("the connection to the servers of the fleet is lost; trying again")
        }
        Event::SlowConsumer(_) => {
            tracing::warn!("messages came faster than they were taken, and some were dropped")
        }
        Event::LameDuckMode
        | Event::Draining
        | Event::Closed
        | Event::ServerError(_)
        | Event::ClientError(_) => tracing::debug!(event = ?event.to_string(), "the servers of the fleet"),
    }
}

fn secret_text(what: &'static str, path: &Path) -> Result<String, FleetError> {
    let wrong = |why: String| FleetError::File { what, path: path.to_owned(), why };
    let unread = |error: std::io::Error| wrong(format!("it cannot be read: {error}"));
    let about = std::fs::metadata(path).map_err(unread)?;
    if !about.is_file() || about.len() > MAX_SECRET_BYTES {
        return Err(wrong(format!("it is not a file of at most {MAX_SECRET_BYTES} bytes")));
    }
    std::fs::read_to_string(path).map_err(unread)
}

fn first_line(what: &'static str, path: &Path) -> Result<String, FleetError> {
    let text = secret_text(what, path)?;
    match text.lines().next().map(str::trim_end).filter(|line| !line.is_empty()) {
        Some(line) => Ok(line.to_owned()),
        None => Err(FleetError::File { what, path: path.to_owned(), why: "its first line is empty".into() }),
    }
}

fn is_pem(what: &'static str, path: &Path, kind: &str) -> Result<(), FleetError> {
    let text = secret_text(what, path)?;
    if text.contains("-----BEGIN ") && text.contains(&format!("{kind}-----")) {
        return Ok(());
    }
    Err(FleetError::File { what, path: path.to_owned(), why: format!("it has no PEM block of a {kind}") })
}

#[cfg(test)]
mod tests {
    use super::{Connection, Login};
    use crate::FleetError;

    fn refused(connection: Connection) -> String {
        match connection.addresses() {
            Err(error) => error.to_string(),
            Ok(_) => connection.options().map(|_| ()).expect_err("it is refused").to_string(),
        }
    }

    #[test]
    fn what_is_wrong_names_the_file_and_no_secret() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secret");
        std::fs::write(&path, "hunter2-in-a-wrong-place").expect("written");
        let to = || Connection::to(["nats://localhost:4222"]);
        for wrong in [
            to().login(Login::Credentials(path.clone())),
            to().authority(path.clone()),
            to().certificate(path.clone(), path.clone()),
        ] {
            let message = refused(wrong);
            assert!(message.contains("secret") && !message.contains("hunter2"), "{message}");
        }
        std::fs::write(&path, "\nx").expect("written");
        let message = refused(to().login(Login::Token(path.clone())));
        assert!(message.ends_with("its first line is empty"), "{message}");
        let message = refused(to().login(Login::Token(folder.path().join("absent"))));
        assert!(message.contains("cannot be read"), "{message}");
        let message = refused(to().login(Login::Token(folder.path().to_owned())));
        assert!(message.contains("not a file"), "{message}");
    }

    #[test]
    fn an_address_is_refused_without_being_shown() {
        let message = refused(Connection::to(["nats://a:4222", "nats://me:hunter2@b:4222"]));
        assert!(message.contains("server 2") && !message.contains("hunter2"), "{message}");
        assert!(refused(Connection::to(["http://b"])).contains("nats://host:4222"));
        assert!(refused(Connection::to(Vec::<String>::new())).contains("at least one"));
    }

    #[tokio::test]
    async fn who_does_not_answer_is_named() {
        let closed =
            std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("its address");
        let error = Connection::to([format!("nats://{closed}")]).open().await.expect_err("nobody is there");
        assert!(
            matches!(&error, FleetError::Unreachable { servers, .. } if servers == &format!("nats://{closed}"))
        );
    }
}
