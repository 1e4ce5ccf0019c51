//! Who is let in: passwords, tokens, and certificates of both sides.
#![allow(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fleet::{Connection, Fleet, FleetError, Login, Plan, Site, set_up};
use nkeys::KeyPair as LoginKey;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

use std::time::Duration;

use crate::holding::{Holder, producer, receipt, recorded};
use crate::memory::message;
use crate::servers::{Servers, until};

const WITHIN: Duration = Duration::from_secs(20);

fn file(servers: &Servers, name: &str, text: &str) -> PathBuf {
    let path = servers.folder().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

async fn refused(connection: Connection) -> String {
    let error = connection.open().await.expect_err("it is not let in");
    assert!(matches!(error, FleetError::Unreachable { .. }), "{error}");
    error.to_string()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_password_lets_in_and_is_never_shown() {
    let servers = Servers::start_with(1, "authorization { user: fleet, password: \"hunter2\" }");
    let to = |password: &str| {
        let password = file(&servers, password, &format!("{password}\n"));
        Connection::to(servers.urls()).login(Login::User { name: "fleet".into(), password })
    };
    until(WITHIN, async || to("hunter2").open().await.ok()).await;
    let message = refused(to("hunter3")).await;
    assert!(message.contains(&servers.urls()[0]) && message.contains("authorization"), "{message}");
    assert!(!message.contains("hunter"), "{message}");
    refused(Connection::to(servers.urls())).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_token_lets_in() {
    let servers = Servers::start_with(1, "authorization { token: \"hunter2\" }");
    let to = |token: &str| Connection::to(servers.urls()).login(Login::Token(file(&servers, token, token)));
    until(WITHIN, async || to("hunter2").open().await.ok()).await;
    refused(to("hunter3")).await;
}

/// A claim of the decentralised logins of NATS (JWT of the algorithm `ed25519-nkey`), signed by its issuer.
fn claim(issuer: &LoginKey, subject: &LoginKey, nats: &serde_json::Value) -> String {
    let header = r#"{"typ":"JWT","alg":"ed25519-nkey"}"#;
    let (iss, sub) = (issuer.public_key(), subject.public_key());
    let body =
        serde_json::json!({"jti": sub, "iat": 1, "iss": iss, "sub": sub, "name": "test", "nats": nats});
    let signed = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(body.to_string()));
    let signature = issuer.sign(signed.as_bytes()).unwrap();
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// A credentials file as the tools of NATS write it.
fn credentials(account: &LoginKey, user: &LoginKey) -> String {
    let open = serde_json::json!({"type": "user", "version": 2, "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1});
    let (jwt, seed) = (claim(account, user, &open), user.seed().unwrap());
    format!(
        "-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_credentials_file_lets_in() {
    let (operator, system, account) =
        (LoginKey::new_operator(), LoginKey::new_account(), LoginKey::new_account());
    let operator_claim = claim(&operator, &operator, &serde_json::json!({"type": "operator", "version": 2}));
    let limits = serde_json::json!({"subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true,
        "conn": -1, "leaf": -1, "mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1});
    let preload = |account: &LoginKey, limits: &serde_json::Value| {
        let nats = serde_json::json!({"type": "account", "version": 2, "limits": limits});
        format!("{}: {}", account.public_key(), claim(&operator, account, &nats))
    };
    let without = serde_json::json!({"subs": -1, "data": -1, "payload": -1, "conn": -1, "wildcards": true});
    let (systems, accounts) = (preload(&system, &without), preload(&account, &limits));
    let config = format!(
        "operator: {operator_claim}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{ {systems}, {accounts} }}",
        system.public_key()
    );
    let servers = Servers::start_with(1, &config);
    let (user, stranger) = (LoginKey::new_user(), LoginKey::new_user());
    let to = |name: &str, text: &str| {
        Connection::to(servers.urls()).login(Login::Credentials(file(&servers, name, text)))
    };
    let given = credentials(&account, &user);
    let client = until(WITHIN, async || to("user.creds", &given).open().await.ok()).await;
    let site = Site::new("Casino 1").unwrap();
    let plan = Plan {
        partitions: 1,
        replicas: 1,
        max_bytes: 8 << 20,
        max_refused_bytes: 4 << 20,
        ..Plan::default()
    };
    set_up(&client, &site, &Plan { max_receipt_bytes: 4 << 20, ..plan }).await.unwrap();
    let fleet = Fleet::open(client, site).await.unwrap();
    let holder = Holder::start(&fleet, 0, "log", None).await;
    assert_eq!(recorded(&receipt(&producer(&fleet).await, "7", message(1..=3)).await), ("log", 1, 3, 3, 0));
    holder.stop().await.unwrap();
    // Signed by nobody whom the servers know; and no credentials at all.
    let said = refused(to("stranger.creds", &credentials(&LoginKey::new_account(), &stranger))).await;
    assert!(!said.contains(&stranger.seed().unwrap()), "{said}");
    let none = to("none.creds", "nothing of the kind").open().await.expect_err("it is no such file");
    assert!(matches!(none, FleetError::File { .. }), "{none}");
    refused(Connection::to(servers.urls())).await;
}

/// The permissions of docs/fleet.md.
const ACCOUNTS: &str = r#"authorization { users: [
    { user: writer, password: writer },
    { user: producer, password: producer, permissions: {
        publish: ["baccarat.Casino%201.*", "$JS.API.STREAM.INFO.baccarat_Casino_201", "$JS.API.STREAM.INFO.receipt_Casino_201",
            "$JS.API.CONSUMER.*.receipt_Casino_201.>", "$JS.API.CONSUMER.MSG.NEXT.receipt_Casino_201.*",
            "$JS.API.STREAM.MSG.GET.baccarat_Casino_201"],
        subscribe: ["_INBOX.>"] } } ] }"#;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn a_producer_needs_no_more_than_documented() {
    let servers = Servers::start_with(1, ACCOUNTS);
    let to = |name: &str| {
        let password = file(&servers, name, name);
        Connection::to(servers.urls()).login(Login::User { name: name.into(), password })
    };
    let client = until(WITHIN, async || to("writer").open().await.ok()).await;
    let site = Site::new("Casino 1").unwrap();
    let plan = Plan { partitions: 1, replicas: 1, ..Plan::default() };
    set_up(
        &client,
        &site,
        &Plan { max_bytes: 64 << 20, max_refused_bytes: 4 << 20, max_receipt_bytes: 4 << 20, ..plan },
    )
    .await
    .unwrap();
    let holder = Holder::start(&Fleet::open(client, site.clone()).await.unwrap(), 0, "log", None).await;
    let restricted = to("producer").open().await.unwrap();
    let fleet = Fleet::open(restricted.clone(), site.clone()).await.unwrap();
    let producer = producer(&fleet).await;
    assert_eq!(recorded(&receipt(&producer, "7", message(1..=3)).await), ("log", 1, 3, 3, 0));
    // It can neither forge a receipt nor touch a lease.
    restricted.publish("$KV.lease_Casino_201.0", "{}".into()).await.unwrap();
    restricted.publish(site.receipt_subject("7").unwrap(), "{}".into()).await.unwrap();
    assert_eq!(recorded(&receipt(&producer, "7", message(4..=5)).await), ("log", 4, 5, 2, 0));
    assert!(set_up(&restricted, &site, &Plan::default()).await.is_err());
    holder.stop().await.unwrap();
}

/// An authority that issues certificates for this machine.
struct Authority {
    folder: PathBuf,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    fn new(folder: PathBuf) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "authority");
        let key = KeyPair::generate().unwrap();
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("authority.pem"), params.self_signed(&key).unwrap().pem()).unwrap();
        Self { issuer: Issuer::new(params, key), folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.join("authority.pem")
    }

    fn issue(&self, who: &str) -> (PathBuf, PathBuf) {
        let mut params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, who);
        let key = KeyPair::generate().unwrap();
        let at = |ending: &str| self.folder.join(format!("{who}.{ending}"));
        std::fs::write(at("pem"), params.signed_by(&key, &self.issuer).unwrap().pem()).unwrap();
        std::fs::write(at("key"), key.serialize_pem()).unwrap();
        (at("pem"), at("key"))
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn certificates_of_both_sides_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new(folder.path().join("own"));
    let other = Authority::new(folder.path().join("other"));
    let (certificate, key) = authority.issue("server");
    let authority_file = authority.path();
    let servers = Servers::start_with(
        1,
        &format!(
            "tls {{ cert_file: {certificate:?}, key_file: {key:?}, ca_file: {authority_file:?}, verify: true }}"
        ),
    );
    let (own_certificate, own_key) = authority.issue("writer");
    let to = || Connection::to(servers.urls()).authority(authority.path());
    let open = || to().certificate(own_certificate.clone(), own_key.clone());
    until(WITHIN, async || open().open().await.ok()).await;
    refused(
        Connection::to(servers.urls())
            .authority(other.path())
            .certificate(own_certificate.clone(), own_key.clone()),
    )
    .await;
    let (others_certificate, others_key) = other.issue("stranger");
    refused(to().certificate(others_certificate, others_key)).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: .ci/check_fleet runs it"]
async fn tls_that_was_required_is_not_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::new(folder.path().join("own"));
    let servers = Servers::start(1);
    servers.connect().await;
    let message = refused(Connection::to(servers.urls()).authority(authority.path())).await;
    assert!(message.contains("certificate"), "{message}");
}
