//! Gives a batch to the recorder: messages of different tables side by side, those of one table in order.

use std::collections::BTreeMap;

use async_nats::Subject;
use async_nats::jetstream::{AckKind, Message};
use futures_util::{StreamExt, stream};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use super::counts::Counters;
use super::source::acknowledge;
use super::{IntakeSettings, Pauses};
use crate::fleet::millis;
use crate::receipt::{Judged, message_id};
use crate::site::{Addressed, Site};
use crate::watchdog::PROBE;
use crate::{Fleet, FleetError, Lease, NotRecorded, Recorder};

/// The header with the form of the events.
const CONTENT_TYPE: &str = "content-type";

/// A message to record.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) message: Message,
    /// Where it is acknowledged.
    pub(super) reply: Subject,
    /// The last token of its subject.
    pub(super) token: String,
    /// The table, or why there is none.
    pub(super) table: Result<String, String>,
    /// Its place in the stream, from 1; 0 if the servers did not say.
    pub(super) place: u64,
    /// When it was stored, by the servers' clock, in milliseconds since 1970.
    pub(super) stored_millis: i64,
}

/// A probe that came through.
#[derive(Debug)]
pub(super) struct Probe {
    /// Which, if its header says so.
    pub(super) id: Option<u64>,
    reply: Option<Subject>,
}

impl Probe {
    pub(super) async fn acknowledge(&self, fleet: &Fleet) {
        if let Some(reply) = &self.reply {
            acknowledge(&fleet.client(), reply, AckKind::Ack).await;
        }
    }
}

impl Item {
    /// A message that has to be recorded, or the probe that it is.
    pub(super) fn of(message: Message) -> Result<Self, Probe> {
        let subject = message.subject.as_str();
        let table = match Site::addressed(subject) {
            Addressed::Probe => {
                let header = message.headers.as_ref().and_then(|headers| headers.get(PROBE));
                let id = header.and_then(|id| id.as_str().parse().ok());
                return Err(Probe { id, reply: message.reply.clone() });
            }
            Addressed::Table(table) => Ok(table),
            Addressed::Unknown(token) => {
                Err(format!("the subject's last token, {token:?}, is the name of no table"))
            }
        };
        let token = subject.rsplit('.').next().unwrap_or_default().to_owned();
        let (place, stored_millis) = message
            .info()
            .map_or((0, 0), |info| (info.stream_sequence, millis(info.published.unix_timestamp_nanos())));
        match message.reply.clone() {
            Some(reply) => Ok(Self { reply, token, table, place, stored_millis, message }),
            // Nothing of a consumer is without; there is nothing to answer.
            None => Err(Probe { id: None, reply: None }),
        }
    }

    pub(super) fn id(&self) -> Option<String> {
        message_id(self.message.headers.as_ref())
    }

    /// What a receipt calls the table: where the subject names none, its last token.
    pub(super) fn receipt_table(&self) -> String {
        self.table.clone().unwrap_or_else(|_| self.token.clone())
    }

    /// Where and when it was stored: no other message of the stream has the same.
    pub(super) fn stored_as(&self) -> String {
        format!("{}-{}", self.place, self.stored_millis)
    }

    fn content_type(&self) -> Option<&str> {
        Some(self.message.headers.as_ref()?.get(CONTENT_TYPE)?.as_str())
    }
}

/// A message and what became of it.
pub(super) type JudgedItem = (Item, Judged);

/// What one table's messages have become, as far as they could be recorded.
struct Table {
    done: Vec<JudgedItem>,
    left: Vec<Item>,
    why: Option<String>,
}

/// Records a batch. It ends only when each message is recorded or refused.
///
/// # Errors
/// [`FleetError::Fenced`].
pub(super) async fn record<R: Recorder>(
    recorder: &R,
    lease: &Lease,
    items: Vec<Item>,
    settings: IntakeSettings,
    counters: &Counters,
) -> Result<Vec<JudgedItem>, FleetError> {
    let mut done = Vec::with_capacity(items.len());
    let mut left = items;
    let mut pauses = Pauses::default();
    // One rhythm for all attempts: each may be shorter than its period.
    let mut rhythm = interval_at(Instant::now() + settings.ack_wait / 3, settings.ack_wait / 3);
    rhythm.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !left.is_empty() {
        lease.ready().await?;
        let replies: Vec<(async_nats::Client, Subject)> =
            left.iter().map(|item| (item.message.context.client(), item.reply.clone())).collect();
        let attempt = attempt(recorder, by_table(left), settings.tables_at_once);
        let tables = keeping(&replies, &mut rhythm, attempt).await;
        left = Vec::new();
        let mut why = None;
        for table in tables {
            done.extend(table.done);
            left.extend(table.left);
            why = why.or(table.why);
        }
        if let Some(why) = why {
            counters.unavailable();
            let partition = lease.number();
            tracing::warn!(partition, why = ?why, messages = left.len(), "the recorder takes nothing; trying again");
            keeping(&replies, &mut rhythm, tokio::time::sleep(pauses.next())).await;
        }
    }
    Ok(done)
}

fn by_table(items: Vec<Item>) -> BTreeMap<String, Vec<Item>> {
    let mut tables: BTreeMap<String, Vec<Item>> = BTreeMap::new();
    for item in items {
        tables.entry(item.token.clone()).or_default().push(item);
    }
    tables
}

async fn attempt<R: Recorder>(
    recorder: &R,
    tables: BTreeMap<String, Vec<Item>>,
    at_once: usize,
) -> Vec<Table> {
    let tables = tables.into_values().map(|items| record_table(recorder, items));
    stream::iter(tables).buffer_unordered(at_once.max(1)).collect().await
}

async fn record_table<R: Recorder>(recorder: &R, items: Vec<Item>) -> Table {
    let mut table = Table { done: Vec::with_capacity(items.len()), left: Vec::new(), why: None };
    for item in items {
        if table.why.is_some() {
            table.left.push(item);
            continue;
        }
        let judged = match &item.table {
            Ok(name) => recorder.record(name, item.content_type(), &item.message.payload).await,
            Err(why) => Err(NotRecorded::Refused(why.clone())),
        };
        match judged {
            Err(NotRecorded::Unavailable(why)) => {
                table.why = Some(why);
                table.left.push(item);
            }
            Ok(_) | Err(NotRecorded::Refused(_)) => table.done.push((item, judged)),
        }
    }
    table
}

/// Does something while the servers are told that these messages are still being worked on.
async fn keeping<T>(
    replies: &[(async_nats::Client, Subject)],
    rhythm: &mut Interval,
    work: impl Future<Output = T>,
) -> T {
    let mut work = std::pin::pin!(work);
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            _ = rhythm.tick() => {
                for (client, reply) in replies {
                    acknowledge(client, reply, AckKind::Progress).await;
                }
            }
        }
    }
}
