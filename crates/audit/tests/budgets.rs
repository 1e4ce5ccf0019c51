//! What one client that may post to one table costs everybody else: it chooses numbers that lie far apart, sends
//! thousands of events under one number, posts all of it again, and does so while the service is being stopped.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::command::TestFolder;
use crate::command::serving::{Started, agent};

/// Longest that a post of the hostile client may take, built without optimisations, while others use the processors. What grows with the
/// square of what it holds takes minutes.
const LONGEST_POST: Duration = Duration::from_secs(40);
/// Most memory that the service may take besides what it took before.
const MOST_MEMORY: u64 = 400 << 20;
/// Longest time from the signal to stop to the end of the process.
const STOP_TIME: Duration = Duration::from_secs(20);

/// An event that says nothing but its number; `ends` makes it an entry of its own.
fn event(table: &str, sequence: u64, micros: u64, ends: bool) -> String {
    let what = if ends {
        r#""TableClosed":{}"#.to_owned()
    } else {
        format!(r#""BetsClosed":{{"coup":{}}}"#, sequence % 60 + 1)
    };
    let (second, micros) = (micros / 1_000_000 % 60, micros % 1_000_000);
    let at = format!("2026-03-01T20:00:{second:02}.{micros:06}Z");
    format!(r#"{{"table":"{table}","sequence":{sequence},"occurred_at":"{at}","event":{{{what}}}}}"#)
}

fn try_post(service: &str, table: &str, lines: &[String]) -> Option<(u16, Value)> {
    let url = format!("{service}/v1/tables/{table}/events");
    let asked = agent().post(&url).header("content-type", "application/x-ndjson");
    let mut answer = asked.send(lines.join("\n")).ok()?;
    let text = answer.body_mut().with_config().limit(100 << 20).read_to_string().ok()?;
    Some((answer.status().as_u16(), serde_json::from_str(&text).ok()?))
}

struct Service(Started);

impl Service {
    fn start(folder: &TestFolder) -> Self {
        Self(Started::by(&mut Started::command(folder, &["--log-level", "error"])))
    }

    /// A post that is answered, and how long that took.
    fn post(&self, table: &str, lines: &[String]) -> (Value, Duration) {
        let began = Instant::now();
        let (status, answer) = try_post(&self.0.url, table, lines).unwrap();
        assert!(matches!(status, 200 | 201 | 409), "{status} {answer:#}");
        (answer, began.elapsed())
    }

    /// Resident memory, bytes.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
    }

    /// How long a post of an honest table takes.
    fn honest_post(&self, number: u64) -> Duration {
        self.post("honest", &[event("honest", number, number, false)]).1
    }

    /// The median of some posts of an honest table.
    fn honest(&self, from: u64) -> Duration {
        median((from..from + 60).map(|number| self.honest_post(number)).collect())
    }

    fn stopped(mut self) -> ExitStatus {
        self.0.send_signal("-TERM");
        let began = Instant::now();
        loop {
            if let Some(status) = self.0.child.try_wait().unwrap() {
                println!("stopped after {:?}", began.elapsed());
                return status;
            }
            assert!(began.elapsed() < STOP_TIME + Duration::from_secs(2), "it does not stop");
            sleep(Duration::from_millis(20));
        }
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    println!("honest posts: median {:?}, slowest {:?}", times[times.len() / 2], times[times.len() - 1]);
    times[times.len() / 2]
}

fn in_time((answer, took): (Value, Duration)) -> Value {
    assert!(took < LONGEST_POST, "{took:?} for {:.300}", answer.to_string());
    answer
}

// Every batch of the store then covered every position, each look-up read all of them, and other tables waited.
#[test]
fn numbers_that_lie_far_apart_cost_nobody_else_anything() {
    let folder = TestFolder::new();
    let service = Service::start(&folder);
    let post = |round: u64| -> Vec<String> {
        let low = (0..1_000).map(|n| round * 1_000 + n + 1);
        low.flat_map(|n| [n, (1 << 50) - n]).map(|n| event("far", n, n, false)).collect()
    };
    for round in 0..20 {
        in_time(service.post("far", &post(round)));
    }
    for round in [0, 7, 19] {
        let answer = in_time(service.post("far", &post(round)));
        assert_eq!(
            (&answer["recorded"], &answer["already_there"]),
            (&0.into(), &2_000.into()),
            "round {round}"
        );
    }
    // In turn with a service that knows nothing of it: other programs may take the machine at any moment.
    let other_folder = TestFolder::new();
    let other = Service::start(&other_folder);
    let (here, there): (Vec<_>, Vec<_>) =
        (1..61).map(|number| (service.honest_post(number), other.honest_post(number))).unzip();
    let (here, there) = (median(here), median(there));
    assert!(here < 5 * there + Duration::from_millis(5), "{here:?} here, {there:?} where nobody did");
    assert!(service.stopped().success());
}

#[test]
fn thousands_of_events_under_one_number_are_recorded_and_make_the_next_no_dearer() {
    let folder = TestFolder::new();
    let mut service = Service::start(&folder);
    let before = service.memory();
    let flood = |round: u64| -> Vec<String> {
        (0..4_000).map(|n| event("same", 7, round * 4_000 + n, false)).collect()
    };
    for round in 0..12 {
        let answer = in_time(service.post("same", &flood(round)));
        assert_eq!(answer["recorded"], 4_000, "round {round}: all is recorded");
        assert!(answer["not_compared"].as_u64().unwrap() > 3_900, "round {round}: and reported");
    }
    for start in 0..2 {
        let (answer, took) = service.post("same", &[event("same", 8 + start, 1, false)]);
        assert_eq!((&answer["recorded"], answer.get("not_compared")), (&1.into(), None));
        assert!(took < Duration::from_secs(1), "{took:?} at start {start}");
        assert!(service.memory() < before + MOST_MEMORY, "{before} before, {} now", service.memory());
        assert!(service.stopped().success());
        service = Service::start(&folder);
    }
    let answer = in_time(service.post("same", &[event("same", 7, 999_999, false)]));
    assert_eq!(answer["not_compared"], 1, "there are more under the number than are compared");
}

#[test]
fn a_long_post_again_is_known_event_by_event_and_others_do_not_wait_for_it() {
    let folder = TestFolder::new();
    let service = Service::start(&folder);
    let before = service.memory();
    let entries: Vec<String> = (1..=16_384).map(|n| event("many", n, n, true)).collect();
    let answer = in_time(service.post("many", &entries));
    assert_eq!(answer["recorded"], 16_384);
    let quiet = service.honest(1);
    let done = AtomicBool::new(false);
    scope(|scope| {
        let again = scope.spawn(|| {
            for _ in 0..3 {
                let answer = in_time(service.post("many", &entries));
                assert_eq!((&answer["already_there"], &answer["recorded"]), (&16_384.into(), &0.into()));
                assert_eq!(answer["receipts"].as_array().map(Vec::len), Some(16_384));
            }
            done.store(true, Ordering::Relaxed);
        });
        let meanwhile = service.honest(61);
        assert!(meanwhile < 10 * quiet + Duration::from_millis(20), "{quiet:?} before, {meanwhile:?} then");
        again.join().unwrap();
    });
    assert!(service.memory() < before + MOST_MEMORY, "{before} before, {} now", service.memory());
    assert!(service.stopped().success());
}

#[test]
fn a_stop_does_not_wait_for_whoever_posts_most() {
    let folder = TestFolder::new();
    let service = Service::start(&folder);
    let entries: Vec<String> = (1..=8_000).map(|n| event("many", n, n, true)).collect();
    in_time(service.post("many", &entries));
    scope(|scope| {
        for _ in 0..24 {
            let (url, entries) = (service.0.url.clone(), &entries);
            scope.spawn(move || while try_post(&url, "many", entries).is_some() {});
        }
        sleep(Duration::from_secs(2));
        // Whoever is answered meanwhile is answered whole; the others ask again.
        assert!(service.stopped().code().is_some());
    });
}
