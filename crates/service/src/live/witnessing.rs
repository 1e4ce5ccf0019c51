//! Submits the log's newest checkpoint to its witnesses on a thread of its own, and keeps what is served of their answers.
//! Recording never waits for it, and goes on whatever a witness says.
//!
//! How witnesses are asked, and how many are enough, is for the caller to decide (`Submit`).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sealed_log::store::StoreNodes;
use sealed_log_sled::SledReader;
use tlog::checkpoint::SignedCheckpoint;
use tlog::proof::range_root;
use tlog::tree::empty_root;
use tracing::{error, info, warn};

use crate::app_state::AppState;

/// How often the newest checkpoint is submitted again at once, when others submitted a newer one meanwhile.
const RESUBMISSIONS: usize = 2;
/// Longest time for one round of submissions while the service runs.
const LONGEST: Duration = Duration::from_secs(60);
/// Longest time for the last round, at a stop.
const LAST: Duration = Duration::from_secs(4);
/// Longest time that a stop waits for the last round.
const WAIT_FOR_LAST: Duration = Duration::from_secs(5);

/// The result of submitting a checkpoint.
#[derive(Debug, Clone, Default)]
pub struct WitnessAnswers {
    /// The checkpoint with the cosignatures of enough witnesses; `None` while too few signed.
    pub cosigned: Option<SignedCheckpoint>,
    /// What witnesses hold against the log: a sentence each, fit for a terminal.
    pub contradictions: Vec<String>,
    /// Witnesses, by name, that say they signed more entries than the checkpoint has, and how many. They contradict the
    /// log unless it has grown as far meanwhile.
    pub saw_more: Vec<(String, u64)>,
    /// Why there is no cosignature of those that hold nothing against it: a sentence each.
    pub unanswered: Vec<String>,
}

/// Submits a checkpoint to witnesses within this time. The reader shows at least what the checkpoint covers.
pub type Submit =
    dyn FnMut(&SledReader, &SignedCheckpoint, Duration) -> Result<WitnessAnswers, String> + Send + 'static;

/// A log's witnesses, as the service asks them.
pub struct Witnesses {
    /// Time between two times that the log is submitted while it grows.
    pub every: Duration,
    /// The newest checkpoint with the cosignatures of enough witnesses that was kept before.
    pub cosigned: Option<SignedCheckpoint>,
    /// Submits a checkpoint.
    pub submit: Box<Submit>,
}

/// What is known of the witnesses' answers, for whoever looks.
#[derive(Debug, Default)]
pub(crate) struct Witnessing {
    cosigned: Mutex<Option<Arc<SignedCheckpoint>>>,
    contradictions: Mutex<Vec<String>>,
    pub(crate) submissions: AtomicU64,
    pub(crate) failures: AtomicU64,
}

impl Witnessing {
    /// The newest checkpoint with the cosignatures of enough witnesses.
    pub(crate) fn cosigned(&self) -> Option<Arc<SignedCheckpoint>> {
        self.cosigned.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What witnesses held against the log the last time they were asked.
    pub(crate) fn contradictions(&self) -> Vec<String> {
        self.contradictions.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn serve(&self, cosigned: SignedCheckpoint) {
        *self.cosigned.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(cosigned));
    }

    /// Keeps what witnesses hold against the log; gives whether that is news.
    fn contradicted(&self, said: Vec<String>) -> bool {
        let mut known = self.contradictions.lock().unwrap_or_else(PoisonError::into_inner);
        let news = *known != said;
        *known = said;
        news
    }
}

/// The thread; [`Submitter::finish`] submits the last checkpoint.
#[derive(Debug)]
pub(crate) struct Submitter {
    stop: Sender<()>,
    done: Receiver<()>,
}

impl Submitter {
    /// Starts it. Nothing the log does not extend is served of what was kept before.
    pub(crate) fn start(app: &Arc<AppState>, witnesses: Witnesses) -> std::io::Result<Self> {
        let Witnesses { every, cosigned, submit } = witnesses;
        let state = Arc::<Witnessing>::default();
        match cosigned.map(|kept| (extends(app, &kept), kept)) {
            Some((Ok(()), kept)) => state.serve(kept),
            Some((Err(why), _)) => warn!(why, "the cosigned checkpoint that was kept is not served"),
            None => {}
        }
        let submitted = state.cosigned().map(|kept| kept.checkpoint().size);
        // Only the first is kept; a service starts once.
        let _ = app.witnessing.set(Arc::clone(&state));
        let (stop, stopped) = channel();
        let (finished, done) = channel();
        let round = Round { app: Arc::clone(app), state, submit, submitted, enough: submitted.is_some() };
        std::thread::Builder::new().name("witnesses".to_owned()).spawn(move || {
            round.walk(every, &stopped);
            // Whoever stopped may have waited long enough.
            let _ = finished.send(());
        })?;
        Ok(Self { stop, done })
    }

    /// Submits the last checkpoint, unless that takes too long: a witness that hangs does not hold up a stop.
    pub(crate) fn finish(self) {
        drop(self.stop);
        if self.done.recv_timeout(WAIT_FOR_LAST) == Err(RecvTimeoutError::Timeout) {
            warn!("witnesses still answer; the stop goes on without them");
        }
    }
}

/// Whether the log has this checkpoint in its history, signed with its key.
fn extends(app: &AppState, kept: &SignedCheckpoint) -> Result<(), String> {
    kept.verify(&app.key).map_err(|error| error.to_string())?;
    let (size, signed) = (kept.checkpoint().size, app.signed_checkpoint());
    if size > signed.checkpoint().size {
        return Err(format!("it has {size} entries, the log has {}", signed.checkpoint().size));
    }
    let reader = app.reader().map_err(|_| "the log cannot be read".to_owned())?;
    let root = match size {
        0 => empty_root(),
        size => range_root(&StoreNodes(&reader), 0, size).map_err(|error| error.to_string())?,
    };
    if root == kept.checkpoint().root {
        Ok(())
    } else {
        Err(format!("its {size} entries are not those of the log"))
    }
}

/// What the thread remembers from time to time.
struct Round {
    app: Arc<AppState>,
    state: Arc<Witnessing>,
    submit: Box<Submit>,
    /// The size that was submitted last.
    submitted: Option<u64>,
    /// Whether enough witnesses signed that size.
    enough: bool,
}

impl Round {
    fn walk(mut self, every: Duration, stopped: &Receiver<()>) {
        self.look(LONGEST);
        loop {
            match stopped.recv_timeout(every) {
                Err(RecvTimeoutError::Timeout) => self.look(LONGEST),
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return self.look(LAST),
            }
        }
    }

    /// Submits the newest checkpoint, where the log has grown since, or too few witnesses signed the last one.
    fn look(&mut self, time: Duration) {
        let begun = Instant::now();
        for again in (0..=RESUBMISSIONS).rev() {
            let signed = self.app.signed_checkpoint();
            if self.enough && self.submitted == Some(signed.checkpoint().size) {
                return;
            }
            // A log that has stopped is reported elsewhere; it is submitted once it goes on.
            let Ok(reader) = self.app.reader() else { return };
            self.state.submissions.fetch_add(1, Ordering::Relaxed);
            let left = time.saturating_sub(begun.elapsed());
            let submitted = catch_unwind(AssertUnwindSafe(|| (self.submit)(&reader, &signed, left)));
            let answers = match submitted {
                Ok(Ok(answers)) => answers,
                Ok(Err(why)) => return self.failed(&why),
                Err(_) => return self.failed("submitting panicked; this is a defect of this program"),
            };
            let grown = self.app.signed_checkpoint().checkpoint().size;
            let overtaken = answers.saw_more.iter().any(|(_, seen)| *seen <= grown);
            if overtaken && again > 0 && begun.elapsed() < time {
                continue;
            }
            return self.took(&signed, answers, grown);
        }
    }

    /// Takes the answers for this checkpoint, when the log has grown to so many entries.
    fn took(&mut self, signed: &SignedCheckpoint, answers: WitnessAnswers, grown: u64) {
        let WitnessAnswers { cosigned, mut contradictions, saw_more, mut unanswered } = answers;
        for (witness, seen) in saw_more {
            if seen > grown {
                contradictions.push(format!(
                    "witness {witness} has seen {seen} entries, the log has {grown}: this log is older than what the \
                     witness has seen"
                ));
            } else {
                unanswered
                    .push(format!("witness {witness} signed a newer checkpoint of {seen} entries meanwhile"));
            }
        }
        let size = signed.checkpoint().size;
        (self.submitted, self.enough) = (Some(size), cosigned.is_some());
        let failures = contradictions.len() + unanswered.len();
        self.state.failures.fetch_add(failures as u64, Ordering::Relaxed);
        let said = contradictions.join("; ");
        if self.state.contradicted(contradictions) && !said.is_empty() {
            error!(
                why = said,
                size, "a witness contradicts the log; recording goes on, somebody has to look today"
            );
        }
        if !unanswered.is_empty() {
            warn!(why = unanswered.join("; "), size, "witnesses did not sign the newest checkpoint");
        }
        match cosigned {
            Some(cosigned) => {
                info!(size, "enough witnesses signed the newest checkpoint");
                self.state.serve(cosigned);
            }
            None => warn!(size, "too few witnesses signed the newest checkpoint; it is submitted again"),
        }
    }

    fn failed(&mut self, why: &str) {
        self.enough = false;
        self.state.failures.fetch_add(1, Ordering::Relaxed);
        warn!(why, "the newest checkpoint was not submitted to witnesses");
    }
}
