//! Threads for expensive queries. Their number is limited by the processors, and they run at a nice value of
//! 10, so that recording comes first: a heavy query delays only its own client.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread::available_parallelism;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::problem::Problem;

/// The nice value of these threads, the same as the follower's.
const NICE: i32 = 10;
/// Most threads: more would only share the same disk.
const MOST_THREADS: usize = 4;
/// Most queries that wait; one more is rejected with 429.
const MOST_WAITING: usize = 1_024;

/// One query. It occupies its thread until it is done, even if its client has left.
type Job = Box<dyn FnOnce() + Send>;

/// The threads of this process, started with the first query.
static READ_THREADS: LazyLock<ReadThreads> = LazyLock::new(ReadThreads::start);

/// Runs a query on one of the threads; it waits for a free one.
///
/// # Errors
/// [`Problem`]: 429 if too many are waiting, 500 if the work panics.
pub(crate) async fn ask<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> Result<R, Problem> {
    READ_THREADS.ask(work).await
}

/// The same for an answer that has already begun, so it is never rejected with 429.
///
/// # Errors
/// [`Problem`] if the work panics.
pub(crate) async fn go_on<R: Send + 'static>(
    work: impl FnOnce() -> R + Send + 'static,
) -> Result<R, Problem> {
    READ_THREADS.go_on(work).await
}

struct ReadThreads {
    /// One permit per thread, given out in order of arrival.
    slots: Arc<Semaphore>,
    waiting: AtomicUsize,
    jobs: Sender<Job>,
}

/// Counts a waiting query until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl ReadThreads {
    fn start() -> Self {
        let (jobs, taken) = channel();
        let taken = Arc::new(Mutex::new(taken));
        let wanted = available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let started = (0..wanted).filter(|_| {
            let taken = Arc::clone(&taken);
            std::thread::Builder::new().name("reader".to_owned()).spawn(move || read(&taken)).is_ok()
        });
        let slots = Arc::new(Semaphore::new(started.count()));
        if slots.available_permits() == 0 {
            // Without threads no query would ever be answered.
            slots.close();
        }
        Self { slots, waiting: AtomicUsize::new(0), jobs }
    }

    async fn ask<R: Send + 'static>(&self, work: impl FnOnce() -> R + Send + 'static) -> Result<R, Problem> {
        let waiting = self.waiting()?;
        let slot = self.slot().await?;
        drop(waiting);
        self.work(slot, work).await
    }

    async fn go_on<R: Send + 'static>(
        &self,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, Problem> {
        let slot = self.slot().await?;
        self.work(slot, work).await
    }

    fn waiting(&self) -> Result<Waiting<'_>, Problem> {
        let waiting = Waiting(&self.waiting);
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING {
            return Err(Problem::many_ask());
        }
        Ok(waiting)
    }

    async fn slot(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let slot = Arc::clone(&self.slots).acquire_owned().await;
        slot.map_err(|_| Problem::own_fault("there is no thread for it"))
    }

    async fn work<R: Send + 'static>(
        &self,
        slot: OwnedSemaphorePermit,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, Problem> {
        let broke_down = || Problem::own_fault("a request could not be worked on");
        let (sender, answer) = oneshot::channel();
        let job = move || {
            let done = work();
            drop(slot);
            // The client may be gone.
            let _ = sender.send(done);
        };
        self.jobs.send(Box::new(job)).map_err(|_| broke_down())?;
        answer.await.map_err(|_| broke_down())
    }
}

/// The loop of each thread.
fn read(jobs: &Mutex<Receiver<Job>>) {
    // On Linux this sets the value of this thread alone. If it fails, the thread runs with normal priority.
    let _ = rustix::process::nice(NICE);
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        // A panic ends the query, not the thread.
        let _ = catch_unwind(AssertUnwindSafe(job));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Barrier;
    use std::time::Duration;

    use tokio::task::JoinSet;
    use tokio::time::timeout;

    use super::*;

    fn within<R>(test: impl Future<Output = R>) -> R {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(test)
    }

    #[test]
    fn few_questions_run_at_once_and_too_many_waiting_ones_are_refused() {
        let (read_threads, at_once) = (Arc::new(ReadThreads::start()), Arc::new(AtomicUsize::new(0)));
        let threads = read_threads.slots.available_permits();
        let ask = |read_threads: Arc<ReadThreads>, at_once: Arc<AtomicUsize>| async move {
            let work = move || {
                let now = at_once.fetch_add(1, Ordering::SeqCst) + 1;
                std::thread::sleep(Duration::from_millis(1));
                at_once.fetch_sub(1, Ordering::SeqCst);
                now
            };
            read_threads.ask(work).await
        };
        let (answered, refused) = within(async {
            let mut asked = JoinSet::new();
            (0..2 * MOST_WAITING).for_each(|_| {
                asked.spawn(ask(Arc::clone(&read_threads), Arc::clone(&at_once)));
            });
            let results = asked.join_all().await;
            assert!(results.iter().flatten().all(|at_once| *at_once <= threads));
            (results.iter().flatten().count(), results.iter().filter(|results| results.is_err()).count())
        });
        assert!(answered >= MOST_WAITING && refused > 0, "{answered} {refused}");
        assert_eq!(answered + refused, 2 * MOST_WAITING);
        assert_eq!(read_threads.waiting.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_question_that_panics_or_is_dropped_keeps_no_slot() {
        let read_threads = ReadThreads::start();
        within(async {
            for _ in 0..4 * MOST_THREADS {
                assert!(read_threads.ask(|| panic!("a mistake")).await.is_err());
            }
            let barrier = Arc::new(Barrier::new(2));
            for _ in 0..4 * MOST_THREADS {
                let meets = Arc::clone(&barrier);
                let asked = read_threads.ask(move || meets.wait().is_leader());
                assert!(timeout(Duration::from_millis(1), asked).await.is_err(), "nobody waits any more");
                barrier.wait();
            }
            assert_eq!(read_threads.ask(|| 7).await.unwrap(), 7);
        });
    }

    #[test]
    fn they_stand_back_behind_those_that_record() {
        let nice = within(ReadThreads::start().ask(|| rustix::process::getpriority_process(None).unwrap()));
        let here = rustix::process::getpriority_process(None).unwrap();
        assert!(nice.unwrap() >= (here + NICE).min(19));
    }
}
