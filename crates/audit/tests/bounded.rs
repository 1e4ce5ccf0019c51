//! What lies in a log's folder, and what the system refuses, must not hold a command up, fill the disk or end it without a
//! word.
#![allow(clippy::unwrap_used)]

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::command::{TestFolder, fixture};

/// Far more than any of these commands takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a command that has to end by itself.
fn ends(mut command: Command) -> Output {
    let piped =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).env("NO_COLOR", "1");
    let (mut child, began) = (piped.spawn().unwrap(), Instant::now());
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{command:?} did not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

fn audit(folder: &TestFolder, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
    command.args(arguments).current_dir(folder.path(""));
    seen(&ends(command))
}

/// The exit status, `None` where a signal ended the program; and what it said.
fn seen(output: &Output) -> (Option<i32>, String) {
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

fn log() -> TestFolder {
    let folder = TestFolder::new();
    let (status, said) = audit(&folder, &["ingest", "--create", &fixture("honest.ndjson"), "--log", "log"]);
    assert_eq!(status, Some(0), "{said}");
    folder
}

fn pipe(path: &Path) {
    if path.exists() {
        std::fs::remove_file(path).unwrap();
    }
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_pipe_in_place_of_a_file_of_the_log_is_waited_for_by_nobody() {
    for name in ["key.pub", "key", "key.next", "head", "checkpoint", "checkpoint.cosigned", "running"] {
        let folder = log();
        pipe(&folder.path("log").join(name));
        for arguments in [
            vec!["verify", "log", "log"],
            vec!["ingest", &fixture("honest.ndjson"), "--log", "log"],
            vec!["backup", "log", "--out", "copy.auditlog"],
        ] {
            let (status, said) = audit(&folder, &arguments);
            assert!(status.is_some_and(|status| status != 70), "{name}, {arguments:?}: {status:?} {said}");
        }
    }
}

/// Read to its end, a device takes all memory, and a pipe is waited for.
#[test]
fn a_file_of_certificates_that_does_not_end_is_refused() {
    let folder = log();
    pipe(&folder.path("pipe"));
    for name in ["/dev/zero", "pipe", "."] {
        let trusted = ["--client-cert", name, "--client-key", name];
        let served = ["--client-ca", name, "--tls-cert", name, "--tls-key", name];
        let commands: [(&[&str], &[&str]); 5] = [
            (&["verify", "log", "https://127.0.0.1:1", "--ca", name], &[]),
            (&["verify", "log", "https://127.0.0.1:1"], &trusted),
            (&["health", "https://127.0.0.1:1", "--ca", name], &[]),
            (&["watch", "https://127.0.0.1:1"], &trusted),
            (&["serve", "--log", "log", "--listen", "127.0.0.1:0"], &served),
        ];
        for (arguments, more) in commands {
            let arguments = [arguments, more].concat();
            let (status, said) = audit(&folder, &arguments);
            assert_eq!(status, Some(4), "{arguments:?}: {said}");
            assert!(said.contains("it is not a file of at most 4194304 bytes"), "{arguments:?}: {said}");
        }
    }
}

#[test]
fn a_pipe_or_a_link_to_a_device_in_the_store_is_named() {
    let folder = log();
    pipe(&folder.path("log/store/db"));
    let (status, said) = audit(&folder, &["ingest", &fixture("honest.ndjson"), "--log", "log"]);
    assert!(said.contains("store/db is no file"), "{said}");
    assert!(status.is_some_and(|status| status != 0 && status != 70), "{status:?} {said}");
    let (status, said) = audit(&folder, &["verify", "log", "log"]);
    assert!(status.is_some_and(|status| status != 0 && status != 70), "{status:?} {said}");
    let other = log();
    std::os::unix::fs::symlink("/dev/zero", other.path("log/store/zeros")).unwrap();
    let (_, said) = audit(&other, &["ingest", &fixture("honest.ndjson"), "--log", "log"]);
    assert!(said.contains("store/zeros is no file"), "{said}");
}

#[test]
fn a_file_of_a_terabyte_without_bytes_fills_no_disk() {
    let folder = log();
    let sparse = folder.path("log/store/sparse");
    if std::fs::File::create(&sparse).unwrap().set_len(1 << 40).is_err() {
        return; // The file system has no files of this length.
    }
    // An unclean stop: then a copy is compared byte by byte as well, and set aside.
    folder.write("log/running", "");
    let (status, said) = audit(&folder, &["verify", "log", "log"]);
    assert_eq!(status, Some(0), "{said}");
    let (status, said) = audit(&folder, &["ingest", &fixture("honest.ndjson"), "--log", "log"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(sparse.metadata().unwrap().blocks() < 64);
}

// Sled reads its file from end to end, and notes every part of it.
#[test]
fn a_store_that_claims_a_terabyte_is_named() {
    let folder = log();
    let db = std::fs::File::options().write(true).open(folder.path("log/store/db")).unwrap();
    if db.set_len(1 << 40).is_err() {
        return;
    }
    for arguments in [vec!["verify", "log", "log"], vec!["ingest", &fixture("honest.ndjson"), "--log", "log"]]
    {
        let (status, said) = audit(&folder, &arguments);
        assert!(said.contains("bytes that it does not hold"), "{said}");
        assert!(status.is_some_and(|status| status != 0 && status != 70), "{status:?} {said}");
    }
}

/// A shell that sets a limit, then becomes `audit`.
fn limited(folder: &TestFolder, limit: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{limit} && exec \"$@\"")).arg("sh").arg(env!("CARGO_BIN_EXE_audit"));
    command.args(arguments).current_dir(folder.path(""));
    seen(&ends(command))
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_not_the_end() {
    let folder = log();
    // 16 blocks of 512 bytes: less than any of these commands writes.
    for arguments in [
        vec!["ingest", "--create", &fixture("crooked.ndjson"), "--log", "other"],
        vec!["verify", "log", "log"],
        vec!["export", "log", "--out", "log.auditlog"],
        vec!["simulate", "--rulebook", "es-1979", "--tables", "2", "--shoes", "2", "--out", "night.ndjson"],
    ] {
        let (status, said) = limited(&folder, "ulimit -f 16", &arguments);
        assert!(status.is_some_and(|status| status != 0 && status != 70), "{arguments:?}: {status:?} {said}");
        assert!(said.contains("File too large"), "{arguments:?}: {said}");
    }
    // What was acknowledged before is there.
    let (status, said) = audit(&folder, &["verify", "log", "log"]);
    assert_eq!(status, Some(0), "{said}");
}

#[test]
fn without_threads_left_a_command_says_so() {
    let folder = TestFolder::new();
    for (from, to) in [(env!("CARGO_BIN_EXE_audit").to_owned(), "audit"), (fixture("honest.auditlog"), "log")]
    {
        std::fs::copy(from, folder.path(to)).unwrap();
    }
    let open = std::fs::Permissions::from_mode(0o755);
    for name in ["", "audit", "log"] {
        std::fs::set_permissions(folder.path(name), open.clone()).unwrap();
    }
    // The limit does not hold for root.
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
    let mut command = Command::new("setpriv");
    command.args(nobody).args(["prlimit", "--nproc=1", "./audit", "verify", "log", "./log"]);
    command.current_dir(folder.path(""));
    let is_root = rustix::process::getuid().is_root();
    if !is_root || Command::new("setpriv").arg("--version").output().is_err() {
        return;
    }
    let (status, said) = seen(&ends(command));
    assert!(said.contains("no thread can be started"), "{status:?} {said}");
    assert!(status.is_some_and(|status| status != 0 && status != 70), "{status:?} {said}");
}

/// Moves the time of the day that a program sees; other clocks stay as they are.
const CLOCK: &str = r#"
#define _GNU_SOURCE
#include <time.h>
#include <sys/syscall.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
  long failed = syscall(SYS_clock_gettime, clock, time);
  if (!failed && clock == CLOCK_REALTIME) time->tv_sec += SHIFT;
  return (int) failed;
}
"#;

/// Runs `audit` so many seconds from now.
fn shifted(folder: &TestFolder, seconds: i64, arguments: &[&str]) -> (Option<i32>, String) {
    folder.write("clock.c", CLOCK);
    // The compiler that links this test.
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o", "clock.so", "clock.c"]).arg(format!("-DSHIFT={seconds}L"));
    assert!(compiler.current_dir(folder.path("")).status().unwrap().success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
    command.args(arguments).current_dir(folder.path("")).env("LD_PRELOAD", folder.path("clock.so"));
    seen(&ends(command))
}

// The story: the program panicked (status 70) at a year that a date cannot hold.
#[test]
fn a_clock_after_9999_is_named() {
    let folder = log();
    let (status, said) = audit(&folder, &["tokens", "new", "--tokens", "tokens", "--role", "read"]);
    assert_eq!(status, Some(0), "{said}");
    let late = |arguments: &[&str]| shifted(&folder, 300_000_000_000, arguments);
    for arguments in [
        vec!["tokens", "list", "--tokens", "tokens"],
        vec!["tokens", "new", "--tokens", "tokens", "--role", "read"],
    ] {
        let (status, said) = late(&arguments);
        assert!(said.contains("after 9999; set the clock"), "{arguments:?}: {said}");
        assert_eq!(status, Some(74), "{arguments:?}: {said}");
    }
    let (status, said) = late(&["verify", "log", &fixture("honest.auditlog")]);
    assert_eq!(status, Some(0), "{said}");
}

// The story: sled panics at a time before 1970, and an honest log was called damaged (status 3).
#[test]
fn a_clock_before_1970_accuses_no_log() {
    let folder = log();
    let early = |arguments: &[&str]| shifted(&folder, -3_000_000_000, arguments);
    // An archive needs no clock.
    let (status, said) = early(&["verify", "log", &fixture("honest.auditlog")]);
    assert_eq!(status, Some(0), "{said}");
    for arguments in [
        vec!["verify", "log", "log"],
        vec!["ingest", &fixture("honest.ndjson"), "--log", "log"],
        vec!["export", "log", "--out", "log.auditlog"],
        vec!["verify", "log", "https://127.0.0.1:1"],
    ] {
        let (status, said) = early(&arguments);
        assert!(said.contains("before 1970") && said.contains("set the clock"), "{arguments:?}: {said}");
        assert_eq!(status, Some(74), "{arguments:?}: {said}");
    }
    let (status, said) = audit(&folder, &["verify", "log", "log"]);
    assert_eq!(status, Some(0), "{said}");
}

#[test]
fn a_temporary_folder_that_is_none_says_nothing_of_the_log() {
    let folder = log();
    folder.write("file", "");
    for temporary in ["file", "missing"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
        command
            .args(["verify", "log", "log"])
            .current_dir(folder.path(""))
            .env("TMPDIR", folder.path(temporary));
        let (status, said) = seen(&ends(command));
        assert!(said.contains("set TMPDIR"), "{temporary}: {said}");
        assert_eq!(status, Some(74), "{temporary}: {said}");
    }
}

/// From what a program can be loaded with, up to what is enough.
#[test]
fn without_address_space_a_command_says_so() {
    let folder = log();
    let mut statuses = Vec::new();
    for mebibytes in (150..1_600).step_by(50) {
        let limit = format!("ulimit -v {}", mebibytes * 1_024);
        let (status, said) = limited(&folder, &limit, &["verify", "log", "log"]);
        assert!(matches!(status, Some(0 | 74)), "{mebibytes} MiB: {status:?} {said}");
        assert!(status == Some(0) || said.contains("ulimit -v"), "{mebibytes} MiB: {said}");
        statuses.push(status);
    }
    assert!(statuses.contains(&Some(0)) && statuses.contains(&Some(74)), "{statuses:?}");
}

/// The C library and unwinding abort the program where they have no memory, for a thread say.
#[test]
fn under_a_limit_of_address_space_an_abort_is_trouble_of_the_machine() {
    let script = "ulimit -v 4000000; (sleep 1; kill -ABRT $$) & exec \"$0\" verify log -";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_audit")]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It waits for its input.
    let input = child.stdin.take();
    let (status, said) = seen(&child.wait_with_output().unwrap());
    drop(input);
    assert!(said.contains("ulimit -v"), "{said}");
    assert_eq!(status, Some(74), "{said}");
}

// The story: sled passes over an error of the disk while it looks for the end of its log, as if the log ended there.
#[test]
fn an_error_of_the_disk_inside_sled_is_no_damage() {
    let folder = log();
    let traced = |injected: &str| {
        let mut command = Command::new("strace");
        command.args(["-f", "-o", "/dev/null", "-e", "trace=pread64", "-e", injected]);
        command.arg(env!("CARGO_BIN_EXE_audit")).args(["verify", "log", "log"]).current_dir(folder.path(""));
        seen(&ends(command))
    };
    if Command::new("strace").arg("-V").output().is_err() {
        return;
    }
    // The first ones are those of the loader, which cannot load the program then.
    for number in 3..30 {
        let (status, said) = traced(&format!("inject=pread64:error=EIO:when={number}"));
        assert!(matches!(status, Some(0 | 74)), "read {number} fails: {status:?} {said}");
        let (status, said) = traced(&format!("inject=pread64:error=EIO:when={number}+"));
        assert!(matches!(status, Some(0 | 74)), "read {number} and all after it fail: {status:?} {said}");
    }
}

#[test]
#[ignore = "slow: a quarter of a million tables"]
fn more_tables_than_fit_into_memory_are_told() {
    use sealed_log::entry::{Digest, EntryHeader, encode_entry};
    let folder = TestFolder::new();
    let file = std::fs::File::create(folder.path("crowd.auditlog")).unwrap();
    let mut writer = sealed_log::archive::ArchiveWriter::new(file, None, None).unwrap();
    for number in 0..300_000 {
        let header = EntryHeader {
            producer: "pit".parse().unwrap(),
            chain: format!("T{number}").parse().unwrap(),
            first: 1,
            count: 1,
            previous: Digest::ZERO,
            received_at: 0,
        };
        writer.push(&encode_entry(&header, b"").unwrap()).unwrap();
    }
    writer.finish().unwrap();
    let (status, said) = audit(&folder, &["verify", "log", "crowd.auditlog"]);
    assert_eq!(status, Some(4), "{said}");
    assert!(said.contains("more than 250000 tables"), "{said}");
}
