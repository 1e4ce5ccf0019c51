//! The server over TLS: who is accepted, who is refused, and that a slow handshake delays nobody else.
#![allow(clippy::unwrap_used)]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::routing::get;
use door::{Limits, Peer, Tls, TlsError, TlsFiles, WhenFull};

use crate::certificates::Authority;
use crate::running_door::{RunningDoor, TestClient, served_by};

/// A server that answers with the address of the client.
fn open(files: &TlsFiles) -> RunningDoor {
    let request = Duration::from_millis(700);
    let limits = Limits {
        connections: 16,
        when_full: WhenFull::CloseIdle,
        request,
        answer: request,
        held: 64 << 20,
        stop: Duration::from_secs(2),
    };
    let who = |request: Request<Body>| async move {
        let Peer(peer) = request.extensions().get().copied().unwrap();
        format!("{:?} from {}", request.version(), peer.ip())
    };
    RunningDoor::with(limits, Some(files), Router::new().route("/", get(who)))
}

#[test]
fn both_versions_of_http_are_spoken_and_the_peer_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let casino = Authority::new(folder.path(), "casino");
    let open = open(&served_by(&casino));
    for (speaks, version) in [("http/1.1", "HTTP/1.1"), ("h2", "HTTP/2.0")] {
        let answer = TestClient::of(&casino, speaks).ask(open.address);
        assert_eq!(answer.unwrap(), format!("{version} from 127.0.0.1"));
    }
    let other = Authority::new(folder.path(), "other");
    assert!(TestClient::of(&other, "h2").ask(open.address).is_err(), "a client believes only whom it knows");
}

#[test]
fn who_dawdles_over_a_handshake_is_cut_off_and_nobody_waits() {
    let folder = tempfile::tempdir().unwrap();
    let casino = Authority::new(folder.path(), "casino");
    let open = open(&served_by(&casino));
    let mut slow: Vec<TcpStream> = (0..8).map(|_| TcpStream::connect(open.address).unwrap()).collect();
    let begun = Instant::now();
    assert!(TestClient::of(&casino, "h2").ask(open.address).is_ok());
    assert!(begun.elapsed() < Duration::from_millis(600), "the slow ones held up who came after them");
    for stream in &mut slow {
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        assert_eq!(stream.read(&mut [0; 64]).unwrap(), 0, "it is closed");
    }
    open.wait_for_notice("the TLS handshake took too long");
    let mut plain = TcpStream::connect(open.address).unwrap();
    plain.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    let _ = plain.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP"), "nothing is answered in the clear");
    open.wait_for_notice("refused a connection from 127.0.0.1:");
}

#[test]
fn a_connection_on_which_nothing_is_asked_ends() {
    let folder = tempfile::tempdir().unwrap();
    let casino = Authority::new(folder.path(), "casino");
    let open = open(&served_by(&casino));
    for speaks in ["http/1.1", "h2"] {
        let client = TestClient::of(&casino, speaks);
        client.within(async {
            let mut stream = client.connect(open.address).await.unwrap();
            if speaks == "h2" {
                // The preface and empty settings; then silence.
                let hello = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
                tokio::io::AsyncWriteExt::write_all(&mut stream, hello).await.unwrap();
            }
            let mut rest = Vec::new();
            let ended = tokio::io::AsyncReadExt::read_to_end(&mut stream, &mut rest);
            let ended = tokio::time::timeout(Duration::from_secs(8), ended).await;
            assert!(ended.is_ok(), "{speaks}: it stays open for ever");
        });
    }
}

#[test]
fn only_those_with_a_certificate_are_let_in_where_one_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let casino = Authority::new(folder.path(), "casino");
    let stranger = Authority::new(folder.path(), "stranger");
    let files = TlsFiles { client_ca: Some(casino.path()), ..served_by(&casino) };
    let open = open(&files);
    let ask = |shows| TestClient { shows, ..TestClient::of(&casino, "h2") }.ask(open.address);
    assert_eq!(ask(Some(casino.vouch("pit"))).unwrap(), "HTTP/2.0 from 127.0.0.1");
    assert!(ask(None).is_err());
    open.wait_for_notice("peer sent no certificates");
    assert!(ask(Some(stranger.vouch("somebody"))).is_err());
    open.wait_for_notice("invalid peer certificate");
}

#[test]
fn a_certificate_that_is_renewed_is_served_and_one_that_is_broken_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let old = Authority::new(folder.path(), "old");
    let files = served_by(&old);
    let open = open(&files);
    assert!(TestClient::of(&old, "h2").ask(open.address).is_ok());
    std::fs::write(&files.certificate, "no certificate").unwrap();
    sleep(Duration::from_millis(1_100));
    assert!(TestClient::of(&old, "h2").ask(open.address).is_ok(), "the last good one stays in force");
    open.wait_for_notice("the previous one stays in force");
    // Read to its end, it would take all memory.
    std::fs::remove_file(&files.certificate).unwrap();
    std::os::unix::fs::symlink("/dev/zero", &files.certificate).unwrap();
    sleep(Duration::from_millis(1_100));
    assert!(TestClient::of(&old, "h2").ask(open.address).is_ok(), "the last good one stays in force");
    open.wait_for_notice("it is not a file of at most 4194304 bytes");
    std::fs::remove_file(&files.certificate).unwrap();
    let new = Authority::new(folder.path(), "new");
    served_by(&new);
    sleep(Duration::from_millis(1_100));
    assert!(TestClient::of(&new, "h2").ask(open.address).is_ok());
    assert!(TestClient::of(&old, "h2").ask(open.address).is_err());
    open.wait_for_notice("the TLS certificate was read again");
}

#[test]
fn unusable_tls_files_are_reported() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let casino = Authority::new(folder.path(), "casino");
    let files = served_by(&casino);
    let load = |files: TlsFiles| Tls::load(files).map(drop).unwrap_err();
    let (_, key) = casino.vouch("else");
    let error = load(TlsFiles { key, ..files.clone() });
    assert!(matches!(error, TlsError::Unusable { .. }), "another key: {error}");
    let error = load(TlsFiles { certificate: files.key.clone(), ..files.clone() });
    assert!(matches!(error, TlsError::Pem { .. }), "a key is no certificate: {error}");
    let error = load(TlsFiles { key: files.certificate.clone(), ..files.clone() });
    assert!(matches!(error, TlsError::Readable { .. } | TlsError::Pem { .. }), "{error}");
    let error = load(TlsFiles { client_ca: Some(folder.path().join("none")), ..files.clone() });
    assert!(matches!(error, TlsError::File { .. }), "{error}");
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").args(["-m", "600"]).arg(&pipe).status().unwrap().success());
    let long = folder.path().join("long");
    std::fs::write(&long, vec![b'\n'; (4 << 20) + 1]).unwrap();
    for name in ["/dev/zero".as_ref(), folder.path(), &pipe, &long] {
        for files in [
            TlsFiles { certificate: name.to_owned(), ..files.clone() },
            TlsFiles { client_ca: Some(name.to_owned()), ..files.clone() },
        ] {
            let error = load(files).to_string();
            assert!(error.ends_with("it is not a file of at most 4194304 bytes"), "{error}");
        }
    }
    let error = load(TlsFiles { key: pipe, ..files.clone() }).to_string();
    assert!(error.ends_with("it is not a file of at most 4194304 bytes"), "{error}");
    std::fs::set_permissions(&files.key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let error = load(files);
    assert!(error.to_string().ends_with("others can read this key (mode 644); chmod 600 it"), "{error}");
}
