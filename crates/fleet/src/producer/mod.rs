//! A table's side: publishes messages, and keeps each until its receipt arrives.
//!
//! Messages of one table are published one after another, each when the stream has stored the one before, so that they
//! stay in order. A message without a receipt after a time is looked for. While it waits in the stream, so does the producer;
//! if it left the stream, its receipt was kept before. Where there is neither, the servers have lost it, and it is published
//! again. A stream that does not store ([`ProducerState::refusing`]) is not the same as a writer that is slow
//! ([`ProducerState::stored`]).

mod receipts;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use futures_util::{StreamExt, stream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};

use crate::intake::Pauses;
use crate::lease::instance;
use crate::receipt::{MESSAGE_ID, message_id};
use crate::{Fleet, FleetError, Receipt, Stop};

/// What the headers of a message need beyond its bytes, at most.
const HEADER_BYTES: usize = 512;
/// Most messages that are looked for at once.
const LOOKS_AT_ONCE: usize = 16;
/// Longest content type, in bytes.
const MAX_CONTENT_TYPE_BYTES: usize = 128;

/// How much a producer keeps, and when it looks for what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProducerSettings {
    /// Most messages without a receipt.
    pub max_messages: usize,
    /// Most bytes of them.
    pub max_bytes: usize,
    /// How long after it was stored a message without a receipt is looked for.
    pub look_after: Duration,
}

impl Default for ProducerSettings {
    /// 4,096 messages, 64 MiB, 10 seconds.
    fn default() -> Self {
        Self { max_messages: 4096, max_bytes: 64 << 20, look_after: Duration::from_secs(10) }
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
    /// How often a message was published again because the servers had lost it.
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

/// A message that the stream has taken.
#[derive(Debug, Clone, Copy)]
struct Stored {
    /// Its place there.
    place: u64,
    /// When that was known, or when it was last seen there.
    seen: Instant,
}

struct Kept {
    token: String,
    subject: String,
    content_type: String,
    payload: Vec<u8>,
    answer: oneshot::Sender<Receipt>,
    stored: Option<Stored>,
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
    /// Tables of which something was sent, by the last tokens of their subjects.
    tables: watch::Sender<BTreeSet<String>>,
    /// How often the reading of receipts began or ended: odd while they are read.
    readings: AtomicU64,
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

    /// Hands a receipt to whoever waits for it, if it is of a message that is kept here. Who may publish for another table
    /// can copy an id, and gets a receipt on the subject of that table.
    fn answer(&self, receipt: Receipt, subject: &str) {
        let id = receipt.message.as_deref().and_then(|id| id.strip_prefix(&self.instance)?.strip_prefix('-'));
        let Some(id) = id.and_then(|id| id.parse::<u64>().ok()) else { return };
        let kept = {
            let mut messages = self.messages();
            let is_of_table = |kept: &Kept| subject.rsplit('.').next() == Some(&kept.token);
            if !messages.kept.get(&id).is_some_and(is_of_table) {
                return;
            }
            let kept = messages.kept.remove(&id);
            messages.bytes -= kept.as_ref().map_or(0, |kept| kept.payload.len());
            kept
        };
        if let Some(kept) = kept {
            // Whoever sent it may not wait for the receipt.
            let _ = kept.answer.send(receipt);
        }
    }

    fn message_id(&self, id: u64) -> String {
        format!("{}-{id}", self.instance)
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
        let read = fleet.info(&fleet.site().receipt_stream()).await?.state.last_sequence;
        let info = fleet.info(&fleet.site().stream()).await?;
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
            tables: watch::Sender::default(),
            readings: AtomicU64::new(0),
            stop: Stop::default(),
        });
        tokio::spawn(receipts::receive(Arc::clone(&shared), read));
        tokio::spawn(look_for(Arc::clone(&shared)));
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
        let (stored, payload) = (None, message);
        let kept = Kept { token: token.clone(), subject, content_type, payload, answer, stored, _room: room };
        shared.tables.send_if_modified(|tables| !tables.contains(&token) && tables.insert(token.clone()));
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
                Ok(place) => {
                    let mut messages = shared.messages();
                    messages.refusing = None;
                    if let Some(kept) = messages.kept.get_mut(&id) {
                        kept.stored = Some(Stored { place, seen: Instant::now() });
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
    headers.insert(MESSAGE_ID, shared.message_id(id));
    Some((kept.subject.clone(), headers, kept.payload.clone()))
}

async fn publish(
    shared: &Shared,
    subject: String,
    headers: HeaderMap,
    payload: Vec<u8>,
) -> Result<u64, String> {
    // What is handed to a client without a connection is sent later, and once for each attempt.
    if shared.fleet.client().connection_state() != async_nats::connection::State::Connected {
        return Err("there is no connection to the servers".into());
    }
    let published = shared.fleet.context().publish_with_headers(subject, headers, payload.into());
    let stored = async { published.await?.await };
    stored.await.map(|stored| stored.sequence).map_err(|error| error.to_string())
}

/// Looks for what has no receipt after a time, and publishes again what the servers have lost.
async fn look_for(shared: Arc<Shared>) {
    let pause = (shared.settings.look_after / 4).max(Duration::from_millis(10));
    // Messages that are not in the stream any more, and the reading of receipts that they were missed in.
    let mut missed: BTreeMap<u64, (u64, Instant)> = BTreeMap::new();
    loop {
        tokio::select! {
            () = shared.stop.requested() => return,
            () = tokio::time::sleep(pause) => {}
        }
        let overdue: Vec<(u64, u64)> = {
            let messages = shared.messages();
            let is_overdue = |stored: Stored| stored.seen.elapsed() >= shared.settings.look_after;
            let stored = messages.kept.iter().filter_map(|(id, kept)| Some((*id, kept.stored?)));
            stored.filter(|(_, stored)| is_overdue(*stored)).map(|(id, stored)| (id, stored.place)).collect()
        };
        missed.retain(|id, _| overdue.iter().any(|(other, _)| other == id));
        let looked: Vec<(u64, Option<bool>)> = stream::iter(overdue)
            .map(|(id, place)| {
                let shared = &shared;
                async move { (id, is_waiting(shared, id, place).await) }
            })
            .buffer_unordered(LOOKS_AT_ONCE)
            .collect()
            .await;
        let reading = shared.readings.load(Ordering::SeqCst);
        for (id, is_waiting) in looked {
            match is_waiting {
                // The servers do not say.
                None => {}
                Some(true) => {
                    missed.remove(&id);
                    if let Some(stored) =
                        shared.messages().kept.get_mut(&id).and_then(|kept| kept.stored.as_mut())
                    {
                        stored.seen = Instant::now();
                    }
                }
                // A receipt was kept before the message left the stream; so it comes, if receipts are read from here on.
                Some(false) => match missed.get(&id) {
                    Some((before, since)) if *before == reading => {
                        if receipts::is_reading(reading) && since.elapsed() >= receipts::NOTICED {
                            publish_again(&shared, id);
                        }
                    }
                    Some(_) | None => {
                        missed.insert(id, (reading, Instant::now()));
                    }
                },
            }
        }
    }
}

/// Whether a message is still in the stream. `None`: the servers do not say.
async fn is_waiting(shared: &Shared, id: u64, place: u64) -> Option<bool> {
    let stream = shared.fleet.stream(&shared.fleet.site().stream()).await.ok()?;
    match stream.get_raw_message(place).await {
        Ok(found) => Some(message_id(Some(&found.headers)) == Some(shared.message_id(id))),
        Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Some(false),
        Err(_) => None,
    }
}

fn publish_again(shared: &Arc<Shared>, id: u64) {
    let token = {
        let mut messages = shared.messages();
        let Some(kept) = messages.kept.get_mut(&id) else { return };
        kept.stored = None;
        let token = kept.token.clone();
        messages.resent += 1;
        token
    };
    queue(shared, token, id);
}
