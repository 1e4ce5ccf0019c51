//! `audit fleet`: sets a site up, shows it, sends events to it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use events::Line as EventLine;
use fleet::{Fleet, FleetError, Observer, Outcome, Plan, Producer, ProducerSettings, Sent, Site, set_up};
use serde::Serialize;
use serde_json::json;
use texts::SiteTrouble;

use crate::cli::fleet::SiteAt;
use crate::cli::{FleetSend, FleetSetup, FleetShow};
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::line_reader::{self, LONGEST_LINE, Line, LineReader};
use crate::shown::plain;
use crate::site::{connect, failure, open, runtime};
use crate::{output, progress, render};

/// The form in which messages are sent.
const LINES: &str = "application/x-ndjson";
/// Most messages without a receipt.
const WITHOUT_RECEIPT: usize = 1_024;
/// Bytes of events with which a message is complete.
const MESSAGE_BYTES: usize = 128 << 10;
/// How long after servers did not answer they are asked again.
const AGAIN: Duration = Duration::from_secs(1);
/// Refusals that are listed.
const LISTED: usize = 20;

pub(crate) fn setup(ask: &FleetSetup) -> Result<Exit, Failure> {
    let site = Site::new(&ask.at.site).map_err(failure)?;
    let plan = Plan {
        partitions: ask.partitions,
        replicas: ask.replicas,
        max_message_bytes: ask.max_message,
        max_bytes: ask.max_waiting,
        ..Plan::default()
    };
    let found = runtime()?.block_on(async {
        let client = connect(&ask.at.server, &ask.at.login).await?;
        set_up(&client, &site, &plan).await.map_err(failure)
    })?;
    if ask.json {
        let streams: Vec<_> =
            found.iter().map(|one| json!({"stream": one.stream, "made": one.made})).collect();
        output::print_json(&json!({"site": site.name(), "partitions": ask.partitions, "streams": streams}))?;
        return Ok(Exit::Good);
    }
    let mut text = String::new();
    for one in &found {
        let line = if one.made {
            texts().fleet_stream_made(&one.stream)
        } else {
            texts().fleet_stream_there(&one.stream)
        };
        text.push_str(&format!("{line}\n"));
    }
    text.push_str(&format!("{}\n", texts().fleet_ready(u64::from(ask.partitions), site.name())));
    output::print(&text)?;
    Ok(Exit::Good)
}

pub(crate) fn show(ask: &FleetShow) -> Result<Exit, Failure> {
    let looks = runtime()?.block_on(async {
        let fleet = open(&ask.at).await?;
        let mut observer = Observer::of(&fleet);
        let before = observer.look().await.map_err(failure)?;
        tokio::time::sleep(Duration::from_secs(ask.watch)).await;
        let now = observer.look().await.map_err(failure)?;
        Ok::<_, Failure>((before, now))
    })?;
    let (before, overview) = looks;
    let trouble = render::site::trouble(&before, &overview);
    let exit = if trouble.is_empty() { Exit::Good } else { Exit::Open };
    if ask.json {
        let attention: Vec<&str> = trouble.iter().map(SiteTrouble::code).collect();
        let trouble: Vec<_> = trouble.iter().map(trouble_json).collect();
        output::print_json(&json!({"fleet": overview, "attention": attention, "trouble": trouble}))?;
    } else {
        output::print(&render::site::shown(&overview, &trouble))?;
    }
    Ok(exit)
}

/// What needs an operator, for a monitor: its code, and where it is.
fn trouble_json(what: &SiteTrouble) -> serde_json::Value {
    let code = what.code();
    match what {
        SiteTrouble::NobodyWrites(partition) => json!({"code": code, "partition": partition}),
        SiteTrouble::NotRenewed(partition, holder) => {
            json!({"code": code, "partition": partition, "holder": holder})
        }
        SiteTrouble::NothingSealed(partition, messages) => {
            json!({"code": code, "partition": partition, "messages": messages})
        }
        SiteTrouble::LeaseUnknown(partition, why) => {
            json!({"code": code, "partition": partition, "why": why})
        }
        SiteTrouble::ServerBehind(stream, server) => {
            json!({"code": code, "stream": stream, "server": server})
        }
        SiteTrouble::Refused(messages) => json!({"code": code, "messages": messages}),
        SiteTrouble::NotShown(why) => json!({"code": code, "why": why}),
    }
}

/// What was sent, and what became of it.
#[derive(Debug, Default, Serialize)]
struct SentView {
    events: u64,
    messages: u64,
    recorded: u64,
    already_there: u64,
    conflicts: u64,
    /// Messages that an earlier writer had sealed.
    sealed_before: u64,
    refused: u64,
    without_receipt: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<String>,
}

pub(crate) fn send(ask: &FleetSend) -> Result<Exit, Failure> {
    let (input, name) = line_reader::open(&ask.file)?;
    let mut lines = LineReader::new(input);
    let runtime = runtime()?;
    let patience = Duration::from_secs(ask.patience);
    let producer = runtime.block_on(producer(&ask.at, patience))?;
    let bar = progress::counter(texts().counting_events_read());
    let mut view = SentView::default();
    let mut open_messages: BTreeMap<String, (Vec<u8>, u16)> = BTreeMap::new();
    let mut sent: Vec<Sent> = Vec::new();
    let mut hand_over = |table: &str, message: Vec<u8>, view: &mut SentView| {
        view.messages += 1;
        let taken = async { tokio::time::timeout(patience, producer.send(table, LINES, message)).await };
        let why = || producer.state().refusing.map_or_else(String::new, |refusing| refusing.why);
        match runtime.block_on(taken) {
            Ok(taken) => sent.push(taken.map_err(failure)?),
            Err(_) => return Err(Failure::machine(texts().fleet_takes_nothing(why()))),
        }
        Ok(())
    };
    // Whatever ends the reading, what was read before is sent, and waited for.
    let ended = loop {
        let (number, text) = match lines.next() {
            Err(error) => break Some(Failure::of_reading(error)),
            Ok(Line::End) => break None,
            Ok(Line::TooLong(number)) => {
                break Some(bad(&name, number, 0, &texts().line_too_long(LONGEST_LINE)));
            }
            Ok(Line::Text(number, text)) => (number, text),
        };
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let event: EventLine = match super::ingest::parse(text) {
            Ok(event) => event,
            Err((column, why)) => break Some(bad(&name, number, column, &why)),
        };
        view.events += 1;
        bar.inc(1);
        let table = event.table.to_string();
        let (message, count) = open_messages.entry(table.clone()).or_default();
        message.extend_from_slice(text);
        message.push(b'\n');
        *count += 1;
        if *count >= ask.batch || message.len() >= MESSAGE_BYTES {
            let (message, _) = open_messages.remove(&table).unwrap_or_default();
            hand_over(&table, message, &mut view)?;
        }
    };
    for (table, (message, _)) in std::mem::take(&mut open_messages) {
        hand_over(&table, message, &mut view)?;
    }
    bar.finish_and_clear();
    runtime.block_on(receipts(sent, patience, &mut view));
    let refusing = producer.state().refusing.map(|refusing| refusing.why);
    if ask.json {
        output::print_json(&view)?;
    } else {
        output::print(&view.text(refusing.as_deref()))?;
    }
    if let Some(failure) = ended {
        return Err(failure);
    }
    Ok(match () {
        () if view.without_receipt > 0 => Exit::Machine,
        () if view.refused > 0 => Exit::Unreadable,
        () if view.conflicts > 0 => Exit::Findings,
        () => Exit::Good,
    })
}

impl SentView {
    fn text(&self, refusing: Option<&str>) -> String {
        let t = texts();
        let mut lines = vec![
            t.fleet_sent(self.messages, t.events(self.events)),
            t.fleet_receipts(t.events(self.recorded), t.grouped(self.already_there)),
        ];
        if self.sealed_before > 0 {
            lines.push(t.fleet_sealed_before(self.sealed_before));
        }
        if self.conflicts > 0 {
            lines.push(t.fleet_conflicts(self.conflicts));
        }
        if self.refused > 0 {
            lines.push(t.fleet_refused(self.refused));
            lines.extend(self.reasons.iter().map(|why| format!("  {}", plain(why))));
        }
        if self.without_receipt > 0 {
            lines.push(t.fleet_without_receipt(self.without_receipt));
            lines.extend(refusing.map(|why| t.fleet_takes_nothing(why)));
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// A producer, once the servers that are reached answer: while they elect their leaders, they do not.
async fn producer(at: &SiteAt, patience: Duration) -> Result<Producer, Failure> {
    let settings = ProducerSettings { max_messages: WITHOUT_RECEIPT, ..ProducerSettings::default() };
    let client = connect(&at.server, &at.login).await?;
    let site = Site::new(&at.site).map_err(failure)?;
    let end = Instant::now() + patience;
    loop {
        let started = async {
            let fleet = Fleet::open(client.clone(), site.clone()).await?;
            Producer::start(&fleet, settings).await
        };
        match started.await {
            Err(error @ FleetError::Server { .. }) if Instant::now() < end => {
                output::note(&texts().fleet_tries_again(said(&error)));
                tokio::time::sleep(AGAIN).await;
            }
            done => return done.map_err(failure),
        }
    }
}

/// Waits for the receipts, all together as long as patience lasts.
async fn receipts(sent: Vec<Sent>, patience: Duration, view: &mut SentView) {
    let end = tokio::time::Instant::now() + patience;
    for one in sent {
        let Ok(Some(receipt)) = tokio::time::timeout_at(end, one.receipt()).await else {
            view.without_receipt += 1;
            continue;
        };
        match receipt.outcome {
            Outcome::Recorded { recorded, .. } => {
                view.recorded += recorded.recorded;
                view.already_there += recorded.already_there;
                view.conflicts += recorded.conflicts;
            }
            Outcome::SealedBefore { .. } => view.sealed_before += 1,
            Outcome::Refused { reason } => {
                view.refused += 1;
                if view.reasons.len() < LISTED {
                    view.reasons.push(format!("{}: {reason}", receipt.table));
                }
            }
        }
    }
}

fn bad(name: &str, number: u64, column: usize, why: &str) -> Failure {
    let location = if column > 0 { format!("{name}:{number}:{column}") } else { format!("{name}:{number}") };
    Failure::unreadable(format!("{location}: {}", plain(why)))
}
