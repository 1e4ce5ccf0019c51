//! A crowd at the door of a real service: connections that say nothing, send half a head, trickle a body or do
//! not read their answers, while tables post. The tables are answered, and nothing of theirs is missing.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use client::{Client, Options};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::Value;

use crate::command::TestFolder;
use crate::command::serving::Serving;

/// Connections that ask for much and read nothing.
const SLOW_READERS: usize = 20;
/// Posts of a table a second, about.
const PAUSE: Duration = Duration::from_millis(25);
/// All slots are taken within this time.
const PATIENCE: Duration = Duration::from_secs(60);

/// How somebody in the crowd behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    Silent,
    HalfAHead,
    Trickle,
    DoesNotRead,
}

/// One of the crowd. It comes again when it is cut off.
struct Idler {
    manner: Manner,
    stream: TcpStream,
}

impl Idler {
    fn come(address: &str, manner: Manner) -> Self {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_nonblocking(true).unwrap();
        let asked = match manner {
            Manner::Silent => String::new(),
            Manner::HalfAHead => "GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: ".to_owned(),
            Manner::Trickle => "POST /v1/tables/x/events HTTP/1.1\r\nhost: localhost\r\ncontent-type: \
                                application/x-ndjson\r\ncontent-length: 100000\r\n\r\n"
                .to_owned(),
            Manner::DoesNotRead => "GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(300),
        };
        // Cut off already: found out at the next look.
        let _ = stream.write_all(asked.as_bytes());
        Self { manner, stream }
    }

    /// Whether it is still there; trickles a byte.
    fn lingers(&mut self) -> bool {
        match self.manner {
            Manner::DoesNotRead => return self.stream.write(b"\r\n").is_ok_and(|count| count > 0),
            Manner::Silent => {}
            Manner::HalfAHead | Manner::Trickle => drop(self.stream.write(b"x")),
        }
        let read = self.stream.read(&mut [0; 512]);
        matches!(read, Err(error) if error.kind() == ErrorKind::WouldBlock)
    }
}

/// Keeps a crowd at the door until it is sent away; gives how many were cut off and came again.
fn crowd(address: &str, size: usize, stop: &AtomicBool, there: &AtomicUsize) -> usize {
    let manners = [Manner::Silent, Manner::HalfAHead, Manner::Trickle];
    let mut crowd: Vec<Idler> = Vec::new();
    for number in 0..size {
        crowd.push(Idler::come(address, manners[number % manners.len()]));
        there.store(crowd.len(), Ordering::Relaxed);
    }
    crowd.extend((0..SLOW_READERS).map(|_| Idler::come(address, Manner::DoesNotRead)));
    there.store(crowd.len(), Ordering::Relaxed);
    let mut again = 0;
    while !stop.load(Ordering::Relaxed) {
        let begun = Instant::now();
        for idler in &mut crowd {
            if !idler.lingers() {
                *idler = Idler::come(address, idler.manner);
                again += 1;
            }
        }
        sleep(Duration::from_secs(1).saturating_sub(begun.elapsed()));
    }
    again
}

/// Sends the crowd away when it goes, also from a test that fails.
struct SendAway<'a>(&'a AtomicBool);

impl Drop for SendAway<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Posts of one table, and how long each took until it was answered for good.
#[derive(Default)]
struct Posting {
    took: Vec<Duration>,
    tried_again: usize,
    events: u64,
}

/// Posts as a table does, on one connection that is kept or on a new one each time.
fn post(url: &str, table: &str, lines: &[String], is_kept: bool, time: Duration) -> Posting {
    let (begun, mut done) = (Instant::now(), Posting::default());
    let mut client = Client::new(url, Options::default()).unwrap();
    for some in lines.chunks(10).take_while(|_| begun.elapsed() < time) {
        if !is_kept {
            client = Client::new(url, Options::default()).unwrap();
        }
        let asked = Instant::now();
        let posted = client.post_until(table, some.join("\n").as_bytes(), |_| done.tried_again += 1).unwrap();
        assert!(!posted.conflict && !posted.receipts.is_empty(), "{posted:?}");
        done.took.push(asked.elapsed());
        done.events += some.len() as u64;
        sleep(PAUSE);
    }
    done
}

fn percentiles(mut took: Vec<Duration>) -> String {
    took.sort();
    let at = |part: usize| took[(took.len() - 1) * part / 100];
    format!("{} posts, p50 {:.1?}, p99 {:.1?}, max {:.1?}", took.len(), at(50), at(99), at(100))
}

/// Memory of a process that is in RAM, MB.
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().split(' ').next().unwrap().parse::<u64>().unwrap() / 1024
}

fn metric(serving: &Serving, name: &str) -> u64 {
    let text = String::from_utf8(serving.get("/metrics").1).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
    line.unwrap_or_else(|| panic!("{name} is not served")).parse().unwrap()
}

/// Tables of a simulated casino and their events.
fn tables(folder: &TestFolder) -> BTreeMap<String, Vec<String>> {
    let simulated = ["simulate", "--tables", "4", "--shoes", "8", "--seed", "5", "--out", "events.ndjson"];
    assert!(folder.run(&simulated).status.success());
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in std::fs::read_to_string(folder.path("events.ndjson")).unwrap().lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        tables.entry(event["table"].as_str().unwrap().to_owned()).or_default().push(line.to_owned());
    }
    tables
}

/// Tables post for `time` to a service with so many slots while a crowd of `size` stands at its door; every
/// post is answered, and is there afterwards.
fn posts_in_a_crowd(slots: usize, size: usize, time: Duration) {
    let folder = TestFolder::new();
    let tables = tables(&folder);
    let serving = Serving::start(&folder, "log", &format!("export AUDIT_SERVE_MAX_CONNECTIONS={slots};"));
    let (process, address) =
        (serving.started.child.id(), serving.url.trim_start_matches("http://").to_owned());
    let (stop, there, before) = (AtomicBool::new(false), AtomicUsize::new(0), memory(process));
    scope(|scope| {
        let (begun, send_away) = (Instant::now(), SendAway(&stop));
        let crowd = scope.spawn(|| crowd(&address, size, &stop, &there));
        while there.load(Ordering::Relaxed) < size {
            sleep(Duration::from_millis(5));
        }
        let opened_in = begun.elapsed();
        // Where there are too few slots somebody is always on the way out.
        let mut open = metric(&serving, "audit_connections_open");
        while (open as usize) < size.min(slots) {
            assert!(begun.elapsed() < PATIENCE, "only {open} of {} are open", size.min(slots));
            open = metric(&serving, "audit_connections_open");
        }
        let posting: Vec<_> = tables
            .iter()
            .zip([true, false].into_iter().cycle())
            .map(|((table, lines), is_kept)| {
                let url = &serving.url;
                (is_kept, scope.spawn(move || post(url, table, lines, is_kept, time)))
            })
            .collect();
        sleep(time / 2);
        let (with, open_then) = (memory(process), metric(&serving, "audit_connections_open"));
        let (mut all, mut events, mut tried_again) = (BTreeMap::<bool, Vec<Duration>>::new(), 0, 0);
        for (is_kept, thread) in posting {
            let done = thread.join().unwrap();
            all.entry(is_kept).or_default().extend(done.took);
            events += done.events;
            tried_again += done.tried_again;
        }
        let closed = metric(&serving, "audit_connections_closed_for_newcomers_total");
        let slow = metric(&serving, "audit_posts_arriving");
        drop(send_away);
        let again = crowd.join().unwrap();
        println!(
            "{slots} slots, a crowd of {size} and {SLOW_READERS} who do not read, opened in {opened_in:.1?}"
        );
        println!("  connections open: {open}, later {open_then}; bodies coming in: {slow}");
        println!("  closed for newcomers {closed}; cut off and come again {again}");
        println!("  kept connections: {}", percentiles(all.remove(&true).unwrap()));
        println!("  a connection each: {}", percentiles(all.remove(&false).unwrap()));
        println!("  events {events}; posts tried again {tried_again}");
        println!("  memory: {before} MB before, {with} MB with them");
        if slots < size {
            assert!(closed > 0, "no slot was freed");
        }
        assert_eq!(metric(&serving, "audit_events_recorded_total"), events, "each event once");
    });
    let gone = Instant::now();
    while metric(&serving, "audit_connections_open") > 8 {
        assert!(gone.elapsed() < Duration::from_secs(60), "connections stay open");
        sleep(Duration::from_millis(200));
    }
    println!("  memory: {} MB after they left", memory(process));
    let verified = folder.run(&["verify", "log", &serving.url, "--key", "log/key.pub", "--json"]);
    let report: Value = serde_json::from_slice(&verified.stdout).unwrap();
    for verdict in ["intact", "complete"] {
        assert_eq!(report["verdicts"][verdict], "yes", "{report:#}");
    }
}

/// This process holds the other end of every connection.
fn raise_the_limit_of_files(needed: u64) {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).unwrap();
    let allowed = limit.maximum.unwrap_or(u64::MAX);
    assert!(allowed >= needed, "{needed} files are needed, {allowed} allowed (ulimit -Hn)");
}

#[test]
fn tables_are_answered_while_three_times_as_many_idle_as_there_are_places() {
    posts_in_a_crowd(100, 300, Duration::from_secs(3));
}

#[test]
#[ignore = "needs 11,000 open files; a minute"]
fn tables_are_answered_while_ten_thousand_connections_idle() {
    raise_the_limit_of_files(11_000);
    for slots in [10_200, 1_000] {
        posts_in_a_crowd(slots, 10_000, Duration::from_secs(25));
    }
}
