//! Makes the streams and the bucket of a site, or checks that they are as asked. What is there is never altered: a
//! changed number of partitions would move tables between logs, and other changes are the operator's.
//!
//! Consumers are not made here: a holder makes its own, under a name with the epoch of its lease.

use std::fmt::Display;
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, SubjectTransform};

use crate::fleet::{PATIENCE, context, is_not_found};
use crate::site::{MAX_PARTITIONS, Site};
use crate::{FleetError, MAX_RECORD_BYTES};

/// How long a receipt is kept.
const RECEIPTS_AGE: Duration = Duration::from_hours(24);
/// Longest receipt: it lists the entries of a message, of which there are at most 16,384.
const MAX_RECEIPT_BYTES: i32 = 1 << 20;

/// Longest message that is read, with its headers: the client gives up a server that sends a longer one.
const MOST_MESSAGE_BYTES: usize = 8 << 20;

/// What a site is to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Partitions, 1 to [`MAX_PARTITIONS`]. It cannot be changed later.
    pub partitions: u32,
    /// On how many servers everything is kept: 1, 3 or 5.
    pub replicas: u8,
    /// Longest message, in bytes with its headers.
    pub max_message_bytes: u32,
    /// Most bytes that wait to be recorded. Beyond, producers are refused, and keep what they have.
    pub max_bytes: u64,
    /// Most bytes of refused messages that are kept. Beyond, the oldest are dropped.
    pub max_refused_bytes: u64,
    /// Most bytes of receipts that are kept, at most a day. Beyond, the oldest are dropped; a producer that has not read its
    /// receipt publishes again.
    pub max_receipt_bytes: u64,
}

impl Default for Plan {
    /// Sixteen partitions on three servers, 1 MiB a message, 8 GiB that wait, 256 MiB each of what was refused and of
    /// receipts.
    fn default() -> Self {
        Self {
            partitions: 16,
            replicas: 3,
            max_message_bytes: 1024 * 1024,
            max_bytes: 8 << 30,
            max_refused_bytes: 256 << 20,
            max_receipt_bytes: 256 << 20,
        }
    }
}

/// A field of a stream that is not as asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Its name in the configuration of the servers.
    pub field: &'static str,
    /// What was asked for.
    pub asked: String,
    /// What is there.
    pub found: String,
}

impl Difference {
    pub(crate) fn listed(differences: &[Self]) -> String {
        let one = |difference: &Self| {
            format!("{} is {} and not {}", difference.field, difference.found, difference.asked)
        };
        differences.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// Whether a stream was made or was there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The name of the stream.
    pub stream: String,
    /// It was not there, and was made.
    pub made: bool,
}

/// Makes what a site needs, or checks that it is there as asked. May be called any number of times.
///
/// # Errors
/// [`FleetError::Differs`] with each field that is not as asked, [`FleetError::Setting`], or what the servers say.
pub async fn set_up(client: &async_nats::Client, site: &Site, plan: &Plan) -> Result<Vec<Found>, FleetError> {
    plan.check()?;
    let most = client.max_payload().min(MOST_MESSAGE_BYTES);
    if usize::try_from(plan.max_message_bytes).is_ok_and(|asked| asked > most) {
        let (setting, value) = ("max_message_bytes", plan.max_message_bytes.to_string());
        let range = format!("at most {most}: the servers' max_payload, or 8 MiB where that is less");
        return Err(FleetError::Setting { setting, value, range });
    }
    let context = context(client.clone(), PATIENCE);
    let mut found = Vec::new();
    for config in plan.streams(site) {
        found.push(make_or_check(&context, config).await?);
    }
    Ok(found)
}

async fn make_or_check(context: &Context, asked: Config) -> Result<Found, FleetError> {
    let stream = asked.name.clone();
    match context.get_stream(&stream).await {
        Ok(there) => {
            let differences = differences(&asked, &there.cached_info().config);
            if differences.is_empty() {
                Ok(Found { stream, made: false })
            } else {
                Err(FleetError::Differs { stream, differences })
            }
        }
        Err(error) if is_not_found(&error) => {
            let made = context.create_stream(asked).await;
            made.map_err(|error| FleetError::server(format!("make the stream {stream}"), error))?;
            Ok(Found { stream, made: true })
        }
        Err(error) => Err(FleetError::server(format!("show the stream {stream}"), error)),
    }
}

impl Plan {
    fn check(&self) -> Result<(), FleetError> {
        let wrong = |setting, value: &dyn Display, range: &str| {
            Err(FleetError::Setting { setting, value: value.to_string(), range: range.to_owned() })
        };
        if !(1..=MAX_PARTITIONS).contains(&self.partitions) {
            return wrong("partitions", &self.partitions, &format!("1 to {MAX_PARTITIONS}"));
        }
        if ![1, 3, 5].contains(&self.replicas) {
            return wrong("replicas", &self.replicas, "1, 3 or 5");
        }
        if !(1024..=8 << 20).contains(&self.max_message_bytes) {
            return wrong("max_message_bytes", &self.max_message_bytes, "1,024 to 8,388,608");
        }
        for (setting, value) in [
            ("max_bytes", self.max_bytes),
            ("max_refused_bytes", self.max_refused_bytes),
            ("max_receipt_bytes", self.max_receipt_bytes),
        ] {
            if value < u64::from(self.max_message_bytes) || i64::try_from(value).is_err() {
                return wrong(setting, &value, "at least the bytes of one message");
            }
        }
        Ok(())
    }

    /// The streams, with every field that is checked.
    fn streams(&self, site: &Site) -> [Config; 4] {
        let common = Config {
            storage: StorageType::File,
            num_replicas: usize::from(self.replicas),
            max_messages: -1,
            max_messages_per_subject: -1,
            max_message_size: i32::try_from(self.max_message_bytes).unwrap_or(i32::MAX),
            duplicate_window: Duration::from_secs(120),
            ..Config::default()
        };
        let messages = Config {
            name: site.stream(),
            description: Some("what tables publish, until it is sealed".into()),
            subjects: vec![site.published_subjects()],
            subject_transform: Some(SubjectTransform {
                source: site.published_subjects(),
                destination: site.transform(self.partitions),
            }),
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            max_bytes: i64::try_from(self.max_bytes).unwrap_or(i64::MAX),
            ..common.clone()
        };
        let refused = Config {
            name: site.refused_stream(),
            description: Some("messages that no log takes, with the reason".into()),
            subjects: vec![site.refused_subjects()],
            retention: RetentionPolicy::Limits,
            discard: DiscardPolicy::Old,
            max_bytes: i64::try_from(self.max_refused_bytes).unwrap_or(i64::MAX),
            // Room for the reason, so that nothing that fits into the other stream is too long for this one.
            max_message_size: common.max_message_size.saturating_add(4096),
            ..common.clone()
        };
        let receipts = Config {
            name: site.receipt_stream(),
            description: Some("what became of messages".into()),
            subjects: vec![site.receipt_subjects()],
            retention: RetentionPolicy::Limits,
            discard: DiscardPolicy::Old,
            max_age: RECEIPTS_AGE,
            max_bytes: i64::try_from(self.max_receipt_bytes).unwrap_or(i64::MAX),
            max_message_size: MAX_RECEIPT_BYTES,
            ..common.clone()
        };
        // A key-value bucket as tools of NATS know it (ADR-8), with one revision of each key. Replicas answer no
        // reads (`allow_direct`): they may be behind, and a lease is read to learn the truth.
        let bucket = Config {
            name: site.bucket_stream(),
            description: Some("who writes which partition".into()),
            subjects: vec![format!("$KV.{}.>", site.bucket())],
            retention: RetentionPolicy::Limits,
            discard: DiscardPolicy::New,
            max_messages_per_subject: 1,
            max_bytes: -1,
            max_message_size: i32::try_from(MAX_RECORD_BYTES * 2).unwrap_or(i32::MAX),
            allow_rollup: true,
            deny_delete: true,
            ..common
        };
        [messages, refused, receipts, bucket]
    }
}

/// The number of partitions that a stream has, if it is one that this program made.
fn partitions(config: &Config) -> Option<u32> {
    let destination = &config.subject_transform.as_ref()?.destination;
    destination.split_once("{{partition(")?.1.split_once(',')?.0.parse().ok()
}

fn differences(asked: &Config, found: &Config) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut compare = |field, asked: String, found: String| {
        if asked != found {
            differences.push(Difference { field, asked, found });
        }
    };
    let transform = |config: &Config| {
        let transform = config.subject_transform.as_ref();
        transform.map_or_else(|| "none".into(), |to| format!("{} to {}", to.source, to.destination))
    };
    let debug = |value: &dyn std::fmt::Debug| format!("{value:?}");
    compare("subjects", debug(&asked.subjects), debug(&found.subjects));
    match (partitions(asked), partitions(found)) {
        (Some(asked), Some(found)) if asked != found => {
            compare("partitions", asked.to_string(), found.to_string());
        }
        _ => compare("subject_transform", transform(asked), transform(found)),
    }
    compare("retention", debug(&asked.retention), debug(&found.retention));
    compare("storage", debug(&asked.storage), debug(&found.storage));
    compare("num_replicas", debug(&asked.num_replicas), debug(&found.num_replicas));
    compare("discard", debug(&asked.discard), debug(&found.discard));
    compare("max_bytes", debug(&asked.max_bytes), debug(&found.max_bytes));
    compare("max_msgs", debug(&asked.max_messages), debug(&found.max_messages));
    let per_subject = [asked, found].map(|config| config.max_messages_per_subject.to_string());
    let [asked_per_subject, found_per_subject] = per_subject;
    compare("max_msgs_per_subject", asked_per_subject, found_per_subject);
    compare("max_msg_size", debug(&asked.max_message_size), debug(&found.max_message_size));
    compare("max_age", debug(&asked.max_age), debug(&found.max_age));
    compare("duplicate_window", debug(&asked.duplicate_window), debug(&found.duplicate_window));
    compare("allow_rollup_hdrs", debug(&asked.allow_rollup), debug(&found.allow_rollup));
    compare("deny_delete", debug(&asked.deny_delete), debug(&found.deny_delete));
    compare("deny_purge", debug(&asked.deny_purge), debug(&found.deny_purge));
    compare("allow_direct", debug(&asked.allow_direct), debug(&found.allow_direct));
    compare("no_ack", debug(&asked.no_ack), debug(&found.no_ack));
    compare("sealed", debug(&asked.sealed), debug(&found.sealed));
    differences
}

#[cfg(test)]
mod tests {
    use super::{Plan, differences};
    use crate::{FleetError, Site};

    #[test]
    fn a_plan_is_within_its_ranges() {
        assert!(Plan::default().check().is_ok());
        let wrong = [
            Plan { partitions: 0, ..Plan::default() },
            Plan { partitions: 257, ..Plan::default() },
            Plan { replicas: 2, ..Plan::default() },
            Plan { max_message_bytes: 10, ..Plan::default() },
            Plan { max_bytes: 10, ..Plan::default() },
            Plan { max_refused_bytes: u64::MAX, ..Plan::default() },
        ];
        for plan in wrong {
            assert!(matches!(plan.check(), Err(FleetError::Setting { .. })), "{plan:?}");
        }
    }

    #[test]
    fn each_field_that_differs_is_named() {
        let site = Site::new("x").expect("short");
        let asked = Plan::default().streams(&site);
        let found = Plan { partitions: 8, replicas: 1, ..Plan::default() }.streams(&site);
        let fields: Vec<&str> = differences(&asked[0], &found[0]).iter().map(|one| one.field).collect();
        assert_eq!(fields, ["partitions", "num_replicas"]);
        assert_eq!(differences(&asked[3], &asked[3]), []);
    }
}
