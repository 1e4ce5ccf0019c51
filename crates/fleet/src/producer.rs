//! A table's side: publishes messages, and keeps each until its receipt arrives.
//!
//! Messages of one table are published one after another, each when the stream has stored the one before, so that they
//! stay in order. What has no receipt after a time is published again; a log recognises what it has. A stream that does
//! not store ([`ProducerState::refusing`]) is not the same as a writer that is slow ([`ProducerState::stored`]).

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::{HeaderMap, Subscriber};
use futures_util::StreamExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::intake::Pauses;
use crate::lease::instance;
use crate::receipt::MESSAGE_ID;
use crate::{Fleet, FleetError, Receipt, Stop};

/// What the headers of a message need beyond its bytes, at most.
const HEADER_BYTES: usize = 512;
/// Longest content type, in bytes.
const MAX_CONTENT_TYPE_BYTES: usize = 128;

/// How much a producer keeps, and when it publishes again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProducerSettings {
    /// Most messages without a receipt.
    pub max_messages: usize,
    /// Most bytes of them.
    pub max_bytes: usize,
    /// How long after it was stored a message without a receipt is published again. Each time twice as long, up to
    /// sixteen times.
    pub resend_after: Duration,
}

impl Default for ProducerSettings {
    /// 4,096 messages, 64 MiB, 20 seconds.
    fn default() -> Self {
        Self { max_messages: 4096, max_bytes: 64 << 20, resend_after: Duration::from_secs(20) }
    }
}

/// The stream does not store what is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusing {
    /// Since when.
    pub since: Instant,
    /// Why, as the servers or the client say.
    pub why: String,
}

/// What a producer has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProducerState {
    /// Messages without a receipt.
    pub messages: usize,
    /// Bytes of them.
    pub bytes: usize,
    /// Messages among them that the stream has stored. Many: the writer is slow.
    pub stored: usize,
    /// How often a message was published again.
    pub resent: u64,
    /// The stream stores nothing. None: it has stored the newest that was published.
    pub refusing: Option<Refusing>,
}

/// A message that was taken. Its receipt may be waited for; whether or not it is, the message is kept until then.
#[derive(Debug)]
pub struct Sent(oneshot::Receiver<Receipt>);

impl Sent {
    /// Waits for the receipt. `None`: the producer was dropped before it came.
    pub async fn receipt(self) -> Option<Receipt> {
        self.0.await.ok()
    }
}

struct Kept {
    token: String,
    subject: String,
    content_type: String,
    payload: Vec<u8>,
    answer: oneshot::Sender<Receipt>,
    stored: Option<Instant>,
    attempts: u32,
    _room: [OwnedSemaphorePermit; 2],
}

#[derive(Default)]
struct Messages {
    next: u64,
    bytes: usize,
    resent: u64,
    kept: BTreeMap<u64, Kept>,
    /// What each table has to publish. A table has a task while it is here.
    tables: BTreeMap<String, VecDeque<u64>>,
    refusing: Option<Refusing>,
}

struct Shared {
    fleet: Fleet,
    instance: String,
    settings: ProducerSettings,
    longest: usize,
    room: [Arc<Semaphore>; 2],
    messages: Mutex<Messages>,
    stop: Stop,
}

/// Publishes messages of any tables of a site. What has no receipt is lost when it is dropped: the caller keeps its own
/// copy until then, if it must outlive the program.
pub struct Producer {
    shared: Arc<Shared>,
}

impl std::fmt::Debug for Producer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Producer").field("state", &self.state()).finish_non_exhaustive()
    }
}

impl Drop for Producer {
    fn drop(&mut self) {
        self.shared.stop.request();
    }
}

impl Shared {
    fn messages(&self) -> MutexGuard<'_, Messages> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Producer {
    /// A producer for a site.
    ///
    /// # Errors
    /// What the servers say, or [`FleetError::Setting`].
    pub async fn start(fleet: &Fleet, settings: ProducerSettings) -> Result<Self, FleetError> {
        for (setting, value) in [("max_messages", settings.max_messages), ("max_bytes", settings.max_bytes)] {
            if value == 0 || value > Semaphore::MAX_PERMITS {
                let range = format!("1 to {}", Semaphore::MAX_PERMITS);
                return Err(FleetError::Setting { setting, value: value.to_string(), range });
            }
        }
        let client = fleet.client();
        let listening =
            |error: &dyn std::fmt::Display| FleetError::server("take a subscription to receipts", error);
        let subjects = fleet.site().receipt_subjects();
        let receipts = client.subscribe(subjects).await.map_err(|error| listening(&error))?;
        client.flush().await.map_err(|error| listening(&error))?;
        let name = fleet.site().stream();
        let info = fleet.stream(&name).await?.get_info().await;
        let info = info.map_err(|error| FleetError::server(format!("show the stream {name}"), error))?;
        let stream_limit = usize::try_from(info.config.max_message_size).ok().filter(|limit| *limit > 0);
        let longest =
            stream_limit.unwrap_or(usize::MAX).min(client.max_payload()).saturating_sub(HEADER_BYTES);
        let shared = Arc::new(Shared {
            fleet: fleet.clone(),
            instance: instance()?,
            settings,
            longest,
            room: [settings.max_messages, settings.max_bytes].map(|most| Arc::new(Semaphore::new(most))),
            messages: Mutex::default(),
            stop: Stop::default(),
        });
        tokio::spawn(receive(Arc::clone(&shared), receipts));
        tokio::spawn(resend(Arc::clone(&shared)));
        Ok(Self { shared })
    }

    /// Takes a message: events of one table, in the form that the content type names. Waits while there is no room.
    ///
    /// # Errors
    /// [`FleetError::Name`] of the table, [`FleetError::Setting`] if the message is longer than the stream takes.
    pub async fn send(&self, table: &str, content_type: &str, message: Vec<u8>) -> Result<Sent, FleetError> {
        let shared = &self.shared;
        let subject = shared.fleet.site().table_subject(table)?;
        let most = shared.longest.min(shared.settings.max_bytes);
        if message.len() > most {
            let (setting, value) = ("the message", format!("{} bytes", message.len()));
            return Err(FleetError::Setting {
                setting,
                value,
                range: format!("at most {most} bytes: split it"),
            });
        }
        let is_plain = content_type.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
        if content_type.is_empty() || content_type.len() > MAX_CONTENT_TYPE_BYTES || !is_plain {
            let (setting, value) = ("the content type", format!("{content_type:?}"));
            let range = format!("1 to {MAX_CONTENT_TYPE_BYTES} characters of visible ASCII");
            return Err(FleetError::Setting { setting, value, range });
        }
        let room = self.room(message.len()).await?;
        let (answer, receipt) = oneshot::channel();
        let token = subject.rsplit('.').next().unwrap_or_default().to_owned();
        let content_type = content_type.to_owned();
        let (stored, attempts) = (None, 0);
        let kept = Kept {
            token: token.clone(),
            subject,
            content_type,
            payload: message,
            answer,
            stored,
            attempts,
            _room: room,
        };
        let id = {
            let mut messages = shared.messages();
            messages.next += 1;
            messages.bytes += kept.payload.len();
            let id = messages.next;
            messages.kept.insert(id, kept);
            id
        };
        queue(shared, token, id);
        Ok(Sent(receipt))
    }

    async fn room(&self, bytes: usize) -> Result<[OwnedSemaphorePermit; 2], FleetError> {
        let closed = |error| FleetError::server("make room for a message", error);
        let [messages, all_bytes] = &self.shared.room;
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let one = Arc::clone(messages).acquire_owned().await.map_err(closed)?;
        let many = Arc::clone(all_bytes).acquire_many_owned(bytes).await.map_err(closed)?;
        Ok([one, many])
    }

    /// What it has.
    #[must_use]
    pub fn state(&self) -> ProducerState {
        let messages = self.shared.messages();
        ProducerState {
            messages: messages.kept.len(),
            bytes: messages.bytes,
            stored: messages.kept.values().filter(|kept| kept.stored.is_some()).count(),
            resent: messages.resent,
            refusing: messages.refusing.clone(),
        }
    }
}

/// Puts a message at the end of its table's queue, and starts a task for the table if it has none.
fn queue(shared: &Arc<Shared>, token: String, id: u64) {
    let mut messages = shared.messages();
    if let Some(waiting) = messages.tables.get_mut(&token) {
        waiting.push_back(id);
        return;
    }
    messages.tables.insert(token.clone(), VecDeque::from([id]));
    drop(messages);
    let shared = Arc::clone(shared);
    tokio::spawn(async move {
        let stop = shared.stop.clone();
        tokio::select! {
            () = stop.requested() => {}
            () = publish_table(&shared, &token) => {}
        }
    });
}

/// Publishes what a table has, until it has nothing.
async fn publish_table(shared: &Shared, token: &str) {
    loop {
        let id = {
            let mut messages = shared.messages();
            match messages.tables.get_mut(token).and_then(VecDeque::pop_front) {
                Some(id) => id,
                None => {
                    messages.tables.remove(token);
                    return;
                }
            }
        };
        let mut pauses = Pauses::default();
        while let Some((subject, headers, payload)) = to_publish(shared, id) {
            match publish(shared, subject, headers, payload).await {
                Ok(()) => {
                    let mut messages = shared.messages();
                    messages.refusing = None;
                    if let Some(kept) = messages.kept.get_mut(&id) {
                        kept.stored = Some(Instant::now());
                    }
                    break;
                }
                Err(why) => {
                    {
                        let mut messages = shared.messages();
                        let since = messages.refusing.take().map_or_else(Instant::now, |before| before.since);
                        messages.refusing = Some(Refusing { since, why });
                    }
                    tokio::time::sleep(pauses.next()).await;
                }
            }
        }
    }
}

/// A message as it is published. `None`: its receipt has come.
fn to_publish(shared: &Shared, id: u64) -> Option<(String, HeaderMap, Vec<u8>)> {
    let messages = shared.messages();
    let kept = messages.kept.get(&id)?;
    let mut headers = HeaderMap::new();
    headers.insert("content-type", kept.content_type.as_str());
    headers.insert(MESSAGE_ID, format!("{}-{id}", shared.instance));
    Some((kept.subject.clone(), headers, kept.payload.clone()))
}

async fn publish(
    shared: &Shared,
    subject: String,
    headers: HeaderMap,
    payload: Vec<u8>,
) -> Result<(), String> {
    // What is handed to a client without a connection is sent later, and once for each attempt.
    if shared.fleet.client().connection_state() != async_nats::connection::State::Connected {
        return Err("there is no connection to the servers".into());
    }
    let published = shared.fleet.context().publish_with_headers(subject, headers, payload.into());
    let stored = async { published.await?.await };
    stored.await.map(|_| ()).map_err(|error| error.to_string())
}

/// Takes receipts, until the producer is dropped.
async fn receive(shared: Arc<Shared>, mut receipts: Subscriber) {
    loop {
        let message = tokio::select! {
            () = shared.stop.requested() => return,
            message = receipts.next() => message,
        };
        let Some(message) = message else { return };
        let Some(receipt) = Receipt::parse(&message.payload) else { continue };
        let own =
            receipt.message.as_deref().and_then(|id| id.strip_prefix(&shared.instance)?.strip_prefix('-'));
        let Some(id) = own.and_then(|id| id.parse::<u64>().ok()) else { continue };
        let kept = {
            let mut messages = shared.messages();
            let kept = messages.kept.remove(&id);
            messages.bytes -= kept.as_ref().map_or(0, |kept| kept.payload.len());
            kept
        };
        if let Some(kept) = kept {
            // Whoever sent it may not wait for the receipt.
            let _ = kept.answer.send(receipt);
        }
    }
}

/// Publishes again what has no receipt after a time.
async fn resend(shared: Arc<Shared>) {
    let look = (shared.settings.resend_after / 4).max(Duration::from_millis(10));
    loop {
        tokio::select! {
            () = shared.stop.requested() => return,
            () = tokio::time::sleep(look) => {}
        }
        let overdue: Vec<(String, u64)> = {
            let mut messages = shared.messages();
            let mut overdue = Vec::new();
            for (id, kept) in &mut messages.kept {
                let patience = shared.settings.resend_after.saturating_mul(1 << kept.attempts.min(4));
                if kept.stored.is_some_and(|stored| stored.elapsed() >= patience) {
                    kept.stored = None;
                    kept.attempts += 1;
                    overdue.push((kept.token.clone(), *id));
                }
            }
            messages.resent += u64::try_from(overdue.len()).unwrap_or(0);
            overdue
        };
        for (token, id) in overdue {
            queue(&shared, token, id);
        }
    }
}
