//! `audit serve --from`: a partition of a fleet's stream, taken into logs of one folder.
//!
//! The program waits until it holds the partition's lease, then serves the log that the partition goes on in: its own,
//! if the last commit was to it, else a new one that continues the log of the last commit. When another program has
//! taken the partition over, this one closes its log and waits again.

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ::fleet::{Candidate, Committed, Fleet, FleetError, Intake, Lease, LeaseRecord, Stop, Terms, Watchdog};
use rustix::system::uname;
use sealed_log_sled::Writer;
use service::HouseBoard;
use tlog::checkpoint::SignedCheckpoint;
use tlog::key::Algorithm;
use tokio::runtime::Runtime;

use super::{Around, can_listen, too_late};
use crate::cli::{FromStream, Partition, Serve};
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::{Creation, KeyedFolder};
use crate::site::{IntoLog, failure, open_site, runtime, show};
use crate::{keys, logging};

/// How a term as writer of the partition ended.
enum Ended {
    /// Somebody asked the program to stop.
    Stopped,
    /// Another program has the partition.
    Fenced,
}

/// A program that writes a partition, or waits for it.
struct Writing<'a> {
    ask: &'a Serve,
    logs: &'a Path,
    partition: Partition,
    runtime: Runtime,
    fleet: Fleet,
    stop: Stop,
}

pub(super) fn run(ask: &Serve, logs: &Path) -> Result<Exit, Failure> {
    let FromStream { from, site, partition, holder, lease_seconds, login } = &ask.stream;
    let terms = Terms::new(Duration::from_secs(*lease_seconds));
    // The arguments are required beside --from, and the seconds within a range.
    let (Some(site), Some(partition), Some(terms)) = (site, *partition, terms) else {
        return Err(Failure::usage(texts().bad_partition()));
    };
    can_listen(ask)?;
    usable(ask, logs)?;
    logging::start(ask.log_format, ask.log_level);
    let runtime = runtime()?;
    let stop = Stop::default();
    let asked = stop.clone();
    runtime.spawn(async move {
        service::stop_signal().await;
        asked.request();
    });
    let fleet = runtime.block_on(open_site(from, site, login))?;
    if fleet.partitions() != partition.of {
        return Err(Failure::usage(texts().other_partitions(site, fleet.partitions(), partition)));
    }
    let name = holder.clone().unwrap_or_else(|| uname().nodename().to_string_lossy().into_owned());
    let writing = Writing { ask, logs, partition, runtime, fleet, stop };
    let candidate = Candidate { name, terms };
    loop {
        let Some(lease) = writing.lease(candidate.clone())? else { return Ok(Exit::Good) };
        match writing.term(&lease)? {
            Ended::Stopped => return Ok(Exit::Good),
            Ended::Fenced => {}
        }
    }
}

/// Whether logs can be made here under this name, before anybody counts on this writer.
fn usable(ask: &Serve, logs: &Path) -> Result<(), Failure> {
    if let Some(origin) = &ask.origin {
        keys::fresh(&format!("{origin}/p1-e1"), Algorithm::Ed25519)?;
    }
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(logs);
    made.map_err(|error| Failure::file(logs.display(), &error))?;
    // Only writing shows that one may write.
    tempfile::tempfile_in(logs).map(drop).map_err(|error| Failure::file(logs.display(), &error))
}

impl Writing<'_> {
    /// The lease, once this program holds it; `None` if it was asked to stop before.
    fn lease(&self, candidate: Candidate) -> Result<Option<Lease>, Failure> {
        tracing::info!(partition = %self.partition, "waiting until no other program writes this partition");
        let lease = self.runtime.block_on(async {
            tokio::select! {
                lease = Lease::acquire(&self.fleet, self.partition.index(), candidate) => Some(lease),
                () = self.stop.requested() => None,
            }
        });
        lease.transpose().map_err(failure)
    }

    /// Writes the partition until it is told to stop or fenced.
    fn term(&self, lease: &Lease) -> Result<Ended, Failure> {
        let Some(record) = lease.record() else { return Ok(Ended::Fenced) };
        let (log, writer) = self.log(&record)?;
        let (service, said) = Around::of(self.ask)?.service(self.ask, &log, writer)?;
        let board = Arc::<HouseBoard>::default();
        let service = service.without_posts().with_house(Arc::clone(&board));
        said.print(self.ask.json)?;
        let watchdog = Watchdog::default();
        let recorder = Arc::new(IntoLog(service.recorder()));
        let intake = Intake::new(&self.fleet, lease, recorder, &watchdog);
        let shown = show(self.fleet.clone(), self.partition.number, intake.counting(), watchdog, board);
        let shown = self.runtime.spawn(shown);
        // The service stops once nothing more is taken in.
        let (over, stop) = (Stop::default(), self.stop.clone());
        let is_over = over.clone();
        let intake = self.runtime.spawn(async move {
            let ended = intake.run(&stop).await;
            is_over.request();
            ended
        });
        let served = service.run_after(|| async move { over.requested().await }, too_late);
        if served.is_err() {
            intake.abort();
        }
        let ended = self.runtime.block_on(intake);
        shown.abort();
        served.map_err(Failure::of_reading)?;
        match ended {
            Ok(Ok(())) => {
                // The log is closed by now: whoever waits may go on at once.
                self.runtime.block_on(lease.release());
                Ok(Ended::Stopped)
            }
            Ok(Err(FleetError::Fenced { .. })) => {
                self.close(&log)?;
                Ok(Ended::Fenced)
            }
            Ok(Err(error)) => Err(failure(error)),
            Err(error) => Err(Failure { exit: Exit::OwnFault, message: error.to_string() }),
        }
    }

    /// The log that the partition goes on in, open for writing, and its folder.
    fn log(&self, record: &LeaseRecord) -> Result<(PathBuf, Writer), Failure> {
        let before = &record.committed;
        if let Some(own) = self.own(before)
            && let Some(writer) = goes_on(&own, before)?
        {
            return Ok((own, writer));
        }
        let name = format!("p{}-e{}", self.partition.number, record.epoch);
        let log = self.logs.join(&name);
        let origin = format!("{}/{name}", self.house());
        let folder = KeyedFolder::new(&log);
        let writer = match before.size {
            0 => folder.open_or_make(Some(&origin), Creation::Asked)?,
            _ => folder.continue_log(&origin, &signed(before)?)?,
        };
        Ok((log, writer))
    }

    /// What the names of this house's logs begin with.
    fn house(&self) -> String {
        let site = || format!("audit.invalid/{}", KeyedFolder::plain_name(self.fleet.site().name()));
        self.ask.origin.clone().unwrap_or_else(site)
    }

    /// The folder of the log of the last commit, if it is one of this program's.
    fn own(&self, before: &Committed) -> Option<PathBuf> {
        let name = before.origin.strip_prefix(&self.house())?.strip_prefix('/')?;
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let log = self.logs.join(name);
        (name.starts_with('p') && name.bytes().all(is_of_name) && log.is_dir()).then_some(log)
    }

    /// Notes in the log that another program has taken its tables over, if it is known for certain at which size.
    fn close(&self, log: &Path) -> Result<(), Failure> {
        let folder = KeyedFolder::new(log);
        let own = folder.read_key()?.name().to_owned();
        let record = self.runtime.block_on(self.fleet.lease(self.partition.index()));
        let handed_over = match record {
            Ok(Some(record)) if record.committed.origin == own => Some((record.committed, None)),
            Ok(Some(LeaseRecord { before: Some(before), committed, .. })) if before.origin == own => {
                Some((*before, Some(committed.origin)))
            }
            Ok(_) | Err(_) => None,
        };
        let Some((last, successor)) = handed_over else {
            tracing::warn!(log = ?log, "another program has taken the partition over; up to which entry is not known here, so the log does not say that it is closed");
            return Ok(());
        };
        if last.size > 0 {
            folder.close_log(signed(&last)?.checkpoint(), successor.as_deref())?;
        }
        tracing::warn!(log = ?log, size = last.size, "another program has taken the partition over; this log is closed");
        Ok(())
    }
}

/// The log in this folder, open for writing, if it holds everything that was committed. Trouble of the machine is an
/// error: the log may be whole.
fn goes_on(log: &Path, before: &Committed) -> Result<Option<Writer>, Failure> {
    let writer = match KeyedFolder::new(log).open_writer(None) {
        Ok(writer) => writer,
        Err(failure) if matches!(failure.exit, Exit::Machine | Exit::InUse) => return Err(failure),
        Err(failure) => {
            tracing::error!(log = ?log, why = ?failure.message, "this log is not continued; a new one continues from its last commit");
            return Ok(None);
        }
    };
    match writer.check(&signed(before)?) {
        Ok(_) => Ok(Some(writer)),
        Err(error) => {
            tracing::error!(log = ?log, why = ?error.to_string(), "this log lacks what was committed to it; a new one continues from its last commit");
            Ok(None)
        }
    }
}

fn signed(committed: &Committed) -> Result<SignedCheckpoint, Failure> {
    let parsed = SignedCheckpoint::parse(&committed.checkpoint);
    parsed.map_err(|error| Failure::unreadable(texts().bad_lease(said(&error))))
}
