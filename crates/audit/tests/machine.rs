//! Trouble of the machine ends with status 74, whatever command meets it, and never with a broken seal (3) or an
//! unreadable file (4). What a log, a file or the user did wrong keeps its own status.
//!
//! A full disk needs root (a small tmpfs is mounted); where that is not possible, the test says so and passes.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::certificates::Authority;
use crate::command::serving::Started;
use crate::command::{TestFolder, fixture};
use crate::ports::free_port;

/// `EX_IOERR` of sysexits.
const MACHINE: i32 = 74;
/// A user and a group without any right, where there is one.
const NOBODY: u32 = 65_534;

/// A sealed log `log`, its archive, a witness and a policy.
fn world() -> TestFolder {
    let folder = TestFolder::new();
    let made = folder.run(&["ingest", "--create", &fixture("honest.ndjson"), "--log", "log"]);
    assert!(made.status.success(), "{}", text(&made));
    assert!(folder.run(&["export", "log", "--out", "archive.auditlog"]).status.success());
    let more = fs::read_to_string(fixture("crooked.ndjson")).unwrap();
    folder.write("more.ndjson", more.replace("\"PB-01\"", "\"PB-02\""));
    folder
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn ends(output: &Output, status: i32, what: &str) {
    let text = text(output);
    assert_eq!(output.status.code(), Some(status), "{what}\n{text}");
    assert!(!text.contains("internal error") && !text.contains("panicked"), "{what}\n{text}");
}

fn all_end(folder: &TestFolder, status: i32, commands: &[&[&str]]) {
    for command in commands {
        ends(&folder.run(command), status, &command.join(" "));
    }
}

/// A shell sets a limit, then becomes the program.
fn limited(folder: &TestFolder, limit: &str, arguments: &[&str]) -> Output {
    Command::new("sh")
        .args(["-c", &format!("{limit}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_audit")])
        .args(arguments)
        .current_dir(folder.path("."))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn a_missing_file_is_trouble_of_the_machine() {
    let folder = world();
    all_end(
        &folder,
        MACHINE,
        &[
            &["ingest", "missing", "--log", "log"],
            &["verify", "log", "missing"],
            &["verify", "log", "log", "--checkpoint", "missing"],
            &["verify", "log", "log", "--witness-policy", "missing"],
            &["verify", "proof", "missing", "--key", "log/key.pub"],
            &["show", "table", "missing"],
            &["show", "coup", "missing", "--table", "PB-01", "--coup", "1"],
            &["export", "missing", "--out", "x"],
            &["export", "log", "--out", "no/such/folder/x"],
            &["export", "missing", "--tiles", "x"],
            &["backup", "missing", "--out", "x"],
            &["backup", "log", "--out", "x", "--since", "missing"],
            &["restore", "missing", "--log", "x", "--key", "log/key"],
            &["restore", "archive.auditlog", "--log", "x", "--key", "missing"],
            &["prove", "entry", "missing", "--index", "0", "--out", "x"],
            &["keys", "show", "missing"],
            &["tokens", "list", "--tokens", "missing"],
            &["import", "coups-csv", "missing", "--rulebook", "es-1979", "--table", "T", "--out", "x"],
            &["serve", "--config", "missing"],
            &[
                "serve",
                "--log",
                "log",
                "--listen",
                "127.0.0.1:0",
                "--tls-cert",
                "missing",
                "--tls-key",
                "missing",
            ],
            &["witness", "serve", "--state", "missing", "--log", "log/key.pub"],
            &["witness", "submit", "log", "--policy", "missing"],
        ],
    );
}

#[test]
fn a_port_in_use_and_a_refused_connection_are_trouble_of_the_machine() {
    let folder = world();
    let busy = TcpListener::bind("127.0.0.1:0").unwrap();
    let in_use = busy.local_addr().unwrap().to_string();
    let url = format!("http://127.0.0.1:{}", free_port());
    folder.run(&["witness", "new", "desk", "--name", "desk.example/w1"]);
    all_end(
        &folder,
        MACHINE,
        &[
            &["serve", "--log", "log", "--listen", &in_use],
            &["witness", "serve", "--state", "desk", "--log", "log/key.pub", "--listen", &in_use],
            &["verify", "log", &url],
            &["show", "table", &url],
            &["export", &url, "--out", "x"],
            &["backup", &url, "--out", "x"],
            &["keys", "show", &url],
            &["load", "--url", &url, "--seconds", "1", "--tables", "1"],
        ],
    );
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_trouble_of_the_machine() {
    let folder = world();
    Authority::new(&folder.path("."), "ca").vouch("door");
    let more = ["--tls-cert", "door.pem", "--tls-key", "door.key"];
    let started = Started::by(Started::command(&folder, &more).stderr(Stdio::piped()));
    let read = folder.run(&["verify", "log", &started.url]);
    ends(&read, MACHINE, "an unknown authority");
    started.stop();
}

#[test]
fn what_takes_no_bytes_is_trouble_of_the_machine() {
    let folder = world();
    all_end(
        &folder,
        MACHINE,
        &[
            &["export", "log", "--out", "/dev/full", "--force"],
            &["export", "log", "--table", "PB-01", "--out", "/dev/full", "--force"],
            &["ingest", "more.ndjson", "--log", "log", "--receipts", "/dev/full"],
            &["simulate", "--rulebook", "mini-punto-banco", "--seed", "8", "--out", "/dev/full", "--force"],
        ],
    );
    for arguments in
        [&["verify", "log", "log", "--json"][..], &["rules", "show", "es-1979"], &["show", "table", "log"]]
    {
        ends(&limited(&folder, "exec > /dev/full", arguments), MACHINE, &arguments.join(" "));
    }
}

#[test]
fn too_few_open_files_are_trouble_of_the_machine() {
    let folder = world();
    let mut met = 0;
    for files in 5..40 {
        for arguments in [
            &["ingest", "more.ndjson", "--log", "log", "--live"][..],
            &["verify", "log", "log"],
            &["keys", "rotate", "log"],
            &["export", "log", "--out", "x", "--force"],
        ] {
            let output = limited(&folder, &format!("ulimit -n {files}"), arguments);
            let what = format!("ulimit -n {files}: {}", arguments.join(" "));
            match output.status.code() {
                Some(MACHINE) => met += 1,
                // There were enough, or the loader itself had too few.
                Some(0 | 1 | 5 | 127) => {}
                _ => panic!("{what}: {:?}\n{}", output.status, text(&output)),
            }
        }
    }
    assert!(met > 10, "{met}");
    // Nothing of it hurt the log.
    ends(&folder.run(&["ingest", "more.ndjson", "--log", "log"]), 0, "after it");
    let status = folder.run(&["verify", "log", "log"]).status.code();
    assert!(matches!(status, Some(0 | 1 | 5)), "{status:?}");
}

/// A user who may not read everything: the one who runs this, or one without rights where that is root.
struct Stranger {
    prefix: Vec<&'static str>,
}

impl Stranger {
    fn find(folder: &TestFolder) -> Option<Self> {
        let script = "test -r \"$0\" && exit 1 || exit 0";
        let closed = folder.path("closed");
        fs::write(&closed, "").unwrap();
        fs::set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
        fs::set_permissions(folder.path("."), Permissions::from_mode(0o777)).unwrap();
        let as_nobody = vec!["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
        let run = |prefix: &[&str], command: &[&str]| {
            let words = [prefix, command].concat();
            Command::new(words[0]).args(&words[1..]).output().is_ok_and(|output| output.status.success())
        };
        let closed = closed.display().to_string();
        let is_stranger = |prefix: &Vec<&str>| {
            run(prefix, &["sh", "-c", script, &closed])
                && run(prefix, &[env!("CARGO_BIN_EXE_audit"), "--version"])
        };
        [Vec::new(), as_nobody].into_iter().find(is_stranger).map(|prefix| Self { prefix })
    }

    /// Everything below a path is this user's.
    fn owns(&self, path: &Path) {
        if self.prefix.is_empty() {
            return;
        }
        chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
        if path.is_dir() {
            fs::read_dir(path).unwrap().for_each(|entry| self.owns(&entry.unwrap().path()));
        }
    }

    fn run(&self, folder: &TestFolder, arguments: &[&str]) -> Output {
        let mut command = self.prefix.iter().copied().chain([env!("CARGO_BIN_EXE_audit")]);
        let first = command.next().unwrap();
        Command::new(first)
            .args(command)
            .args(arguments)
            .current_dir(folder.path("."))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }
}

#[test]
fn missing_permission_is_trouble_of_the_machine() {
    let folder = world();
    let Some(stranger) = Stranger::find(&folder) else {
        eprintln!(
            "SKIPPED: there is no user here who may not read everything (run it as another user than root)"
        );
        return;
    };
    stranger.owns(&folder.path("log"));
    stranger.owns(&folder.path("archive.auditlog"));
    let closed = |path: PathBuf, commands: &[&[&str]]| {
        let before = fs::metadata(&path).unwrap().permissions();
        fs::set_permissions(&path, Permissions::from_mode(0o000)).unwrap();
        for command in commands {
            let what = format!("{} closed: {}", path.display(), command.join(" "));
            ends(&stranger.run(&folder, command), MACHINE, &what);
        }
        fs::set_permissions(&path, before).unwrap();
    };
    let writing: [&[&str]; 4] = [
        &["ingest", "more.ndjson", "--log", "log"],
        &["serve", "--log", "log", "--listen", "127.0.0.1:0"],
        &["keys", "rotate", "log"],
        &["redact", "log", "--entry", "1", "--reason", "r", "--by", "a", "--countersigned-by", "b"],
    ];
    let reading: [&[&str]; 4] = [
        &["verify", "log", "log"],
        &["show", "table", "log"],
        &["export", "log", "--out", "x"],
        &["backup", "log", "--out", "y"],
    ];
    let both = [writing, reading].concat();
    for part in ["log/head", "log/store", "log"] {
        closed(folder.path(part), &both);
    }
    closed(folder.path("log/store/db"), &both);
    closed(folder.path("log/key"), &writing);
    closed(folder.path("archive.auditlog"), &[&["verify", "log", "archive.auditlog"]]);
    fs::set_permissions(folder.path("log"), Permissions::from_mode(0o500)).unwrap();
    for command in writing {
        ends(
            &stranger.run(&folder, command),
            MACHINE,
            &format!("a folder to read only: {}", command.join(" ")),
        );
    }
    fs::set_permissions(folder.path("log"), Permissions::from_mode(0o700)).unwrap();
    ends(&stranger.run(&folder, &["verify", "log", "log"]), 0, "after it");
}

/// A small disk of its own; unmounted when this goes.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(path: PathBuf, bytes: &str) -> Option<Self> {
        fs::create_dir(&path).unwrap();
        let options = format!("size={bytes}");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "none"]).arg(&path).output();
        mounted.is_ok_and(|output| output.status.success()).then_some(Self(path))
    }

    /// Leaves this many bytes free, or none.
    fn fill(&self, but: usize) {
        let filler = self.0.join("filler");
        let _ = fs::remove_file(&filler);
        let mut file = fs::File::create(&filler).unwrap();
        while std::io::Write::write_all(&mut file, &[7; 4_096]).is_ok() {}
        let length = file.metadata().unwrap().len();
        file.set_len(length.saturating_sub(but as u64)).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_trouble_of_the_machine() {
    let folder = world();
    let Some(disk) = SmallDisk::mount(folder.path("disk"), "24m") else {
        eprintln!("SKIPPED: no file system can be mounted here (run it as root)");
        return;
    };
    assert!(
        folder.run(&["ingest", "--create", &fixture("honest.ndjson"), "--log", "disk/log"]).status.success()
    );
    let commands: [&[&str]; 6] = [
        &["serve", "--log", "disk/log", "--listen", "127.0.0.1:0"],
        &["ingest", "more.ndjson", "--log", "disk/log", "--live"],
        &["keys", "rotate", "disk/log"],
        &["redact", "disk/log", "--entry", "1", "--reason", "r", "--by", "a", "--countersigned-by", "b"],
        &["backup", "log", "--out", "disk/x"],
        &["export", "log", "--out", "disk/x"],
    ];
    for free in [0, 4_096, 16_384, 65_536] {
        disk.fill(free);
        for command in commands {
            let what = format!("{free} bytes free: {}", command.join(" "));
            let mut command = Command::new(env!("CARGO_BIN_EXE_audit"))
                .args(command)
                .current_dir(folder.path("."))
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            // A service with just enough space runs.
            let started = std::time::Instant::now();
            while command.try_wait().unwrap().is_none() && started.elapsed().as_secs() < 20 {
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            let _ = Command::new("kill").arg(command.id().to_string()).output();
            let output = command.wait_with_output().unwrap();
            let said = text(&output);
            assert!(matches!(output.status.code(), Some(0 | MACHINE)), "{what}: {:?}\n{said}", output.status);
            assert!(free > 0 || output.status.code() == Some(MACHINE), "{what}: {:?}\n{said}", output.status);
            assert!(!said.contains("internal error"), "{what}\n{said}");
        }
    }
    fs::remove_file(disk.0.join("filler")).unwrap();
    // The log was never hurt: with space it goes on.
    ends(&folder.run(&["ingest", "more.ndjson", "--log", "disk/log"]), 0, "with space again");
    let verified = folder.run(&["verify", "log", "disk/log", "--json"]);
    assert!(text(&verified).contains("\"intact\": \"yes\""), "{}", text(&verified));
}

/// The other side of the border: what was read, or asked, keeps its status.
#[test]
fn what_the_log_the_file_or_the_user_did_wrong_is_not_blamed_on_the_machine() {
    let folder = world();
    folder.write("text", "no log");
    fs::create_dir(folder.path("empty")).unwrap();
    let mut altered = fs::read(folder.path("archive.auditlog")).unwrap();
    let middle = altered.len() / 2;
    altered[middle] ^= 1;
    folder.write("altered.auditlog", altered);
    all_end(
        &folder,
        4,
        &[&["verify", "log", "text"], &["verify", "log", "empty"], &["ingest", "text", "--log", "log"]],
    );
    all_end(&folder, 2, &[&["ingest", "more.ndjson", "--log", "empty"], &["keys", "rotate", "empty"]]);
    all_end(&folder, 3, &[&["verify", "log", "altered.auditlog"]]);
    let head = folder.path("log/head");
    let kept = fs::read(&head).unwrap();
    fs::write(&head, vec![7; kept.len()]).unwrap();
    all_end(&folder, 3, &[&["ingest", "more.ndjson", "--log", "log"], &["verify", "log", "log"]]);
    fs::write(&head, kept).unwrap();
}

/// What a reading command copies names players: it is for whoever reads alone, and goes however the command ends.
#[test]
fn a_private_copy_is_private_and_goes_when_a_signal_ends_the_program() {
    let folder = TestFolder::new();
    assert!(folder.run(&["ingest", &fixture("honest.ndjson"), "--log", "log", "--create"]).status.success());
    std::fs::create_dir(folder.path("tmp")).unwrap();
    let copies = || -> Vec<std::path::PathBuf> {
        std::fs::read_dir(folder.path("tmp")).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    for signal in ["-INT", "-TERM", "-HUP"] {
        // The second log never comes, so the copies of the first and of the second are there until the end.
        let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
        command.args(["verify", "fleet", "log", "-"]).current_dir(folder.path("."));
        command
            .env("TMPDIR", folder.path("tmp"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let until = Instant::now() + Duration::from_secs(30);
        while copies().len() < 2 {
            assert!(Instant::now() < until, "no copy was made: {:?}", copies());
            std::thread::sleep(Duration::from_millis(20));
        }
        for copy in copies() {
            let mode = std::fs::metadata(&copy).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{copy:?} has mode {mode:o}");
        }
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert!(!child.wait().unwrap().success());
        assert_eq!(copies(), Vec::<std::path::PathBuf>::new(), "{signal}");
    }
}
