//! What the streams, subjects and keys of a site are called. One place, so that a producer, a writer and an overview
//! never mean different things by one name.

use crate::FleetError;
use crate::token;

/// Most partitions of a site. Each has a consumer with replicas of its own.
pub const MAX_PARTITIONS: u32 = 256;
/// Longest name of a site, in bytes: it stands in the name of a stream, which may have 255.
pub const MAX_SITE_BYTES: usize = 64;
/// A token that starts with this is no table's: [`token::of`] never gives one.
const PROBE: &str = "~probe";

/// A casino or another place whose tables share one stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    name: String,
    token: String,
    stream: String,
}

/// What a subject of a partition is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Addressed {
    /// Events of this table.
    Table(String),
    /// A probe of the watchdog.
    Probe,
    /// A last token that is no table's, as it stands.
    Unknown(String),
}

impl Site {
    /// A site by its name, of any characters.
    ///
    /// # Errors
    /// [`FleetError::Name`] beyond [`MAX_SITE_BYTES`], and of an empty name.
    pub fn new(name: &str) -> Result<Self, FleetError> {
        if name.is_empty() {
            let (value, range) =
                ("empty".into(), "the name of a site, as producers and writers give it".into());
            return Err(FleetError::Setting { setting: "the site", value, range });
        }
        if name.len() > MAX_SITE_BYTES {
            return Err(FleetError::Name { what: "site", bytes: name.len(), most: MAX_SITE_BYTES });
        }
        Ok(Self { name: name.to_owned(), token: token::of(name), stream: token::for_stream(name) })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The stream of what its tables publish.
    #[must_use]
    pub fn stream(&self) -> String {
        format!("baccarat_{}", self.stream)
    }

    /// The stream of messages that no log takes.
    #[must_use]
    pub fn refused_stream(&self) -> String {
        format!("refused_{}", self.stream)
    }

    /// The stream of receipts.
    #[must_use]
    pub fn receipt_stream(&self) -> String {
        format!("receipt_{}", self.stream)
    }

    /// The key-value bucket of the leases.
    #[must_use]
    pub fn bucket(&self) -> String {
        format!("lease_{}", self.stream)
    }

    /// The stream that is this bucket.
    #[must_use]
    pub fn bucket_stream(&self) -> String {
        format!("KV_{}", self.bucket())
    }

    /// The subject of a partition's lease.
    pub(crate) fn lease_subject(&self, partition: u32) -> String {
        format!("$KV.{}.{partition}", self.bucket())
    }

    /// Where a table publishes.
    ///
    /// # Errors
    /// [`FleetError::Name`] if the table's name is longer than [`token::MAX_NAME_BYTES`].
    pub fn table_subject(&self, table: &str) -> Result<String, FleetError> {
        Ok(format!("baccarat.{}.{}", self.token, table_token(table)?))
    }

    /// What producers of the site publish to.
    pub(crate) fn published_subjects(&self) -> String {
        format!("baccarat.{}.*", self.token)
    }

    /// Where the server stores what a table publishes, as the destination of a subject transform.
    pub(crate) fn transform(&self, partitions: u32) -> String {
        format!("partition.{}.{{{{partition({partitions},1)}}}}.{{{{wildcard(1)}}}}", self.token)
    }

    /// The number of partitions in such a destination, if it is this site's.
    pub(crate) fn partitions_in(&self, transform: &str) -> Option<u32> {
        let start = format!("partition.{}.{{{{partition(", self.token);
        let number = transform.strip_prefix(&start)?.split(',').next()?.parse().ok()?;
        (self.transform(number) == transform).then_some(number)
    }

    /// What a partition's consumer is given.
    pub(crate) fn partition_subjects(&self, partition: u32) -> String {
        format!("partition.{}.{partition}.*", self.token)
    }

    /// What a stored subject is about.
    pub(crate) fn addressed(subject: &str) -> Addressed {
        let last = subject.rsplit('.').next().unwrap_or_default();
        match token::name_in(last) {
            Some(table) => Addressed::Table(table),
            None if last.starts_with(PROBE) => Addressed::Probe,
            None => Addressed::Unknown(last.to_owned()),
        }
    }

    /// Where receipts of a table are published.
    ///
    /// # Errors
    /// As [`Site::table_subject`].
    pub fn receipt_subject(&self, table: &str) -> Result<String, FleetError> {
        Ok(self.receipt_subject_of(&table_token(table)?))
    }

    /// The same, by the last token of a subject.
    pub(crate) fn receipt_subject_of(&self, last_token: &str) -> String {
        format!("receipt.{}.{last_token}", self.token)
    }

    /// Where receipts of all its tables are published.
    #[must_use]
    pub fn receipt_subjects(&self) -> String {
        format!("receipt.{}.*", self.token)
    }

    /// Where a message that no log takes is kept, by the last token of its subject.
    pub(crate) fn refused_subject(&self, last_token: &str) -> String {
        format!("refused.{}.{last_token}", self.token)
    }

    pub(crate) fn refused_subjects(&self) -> String {
        format!("refused.{}.*", self.token)
    }

    /// A subject that the server puts into this partition, and that is no table's.
    pub(crate) fn probe_subject(&self, partition: u32, partitions: u32) -> String {
        let token = (0_u32..)
            .map(|salt| format!("{PROBE}{salt}"))
            .find(|token| partition_of_token(token, partitions) == partition)
            .unwrap_or_default();
        format!("baccarat.{}.{token}", self.token)
    }
}

fn table_token(table: &str) -> Result<String, FleetError> {
    if table.len() > token::MAX_NAME_BYTES {
        return Err(FleetError::Name { what: "table", bytes: table.len(), most: token::MAX_NAME_BYTES });
    }
    Ok(token::of(table))
}

/// The partition that the server assigns a table to, from 0.
#[must_use]
pub fn partition_of(table: &str, partitions: u32) -> u32 {
    partition_of_token(&token::of(table), partitions)
}

/// FNV-1a of 32 bits over the token, modulo the partitions: `partition(n,1)` of nats-server's subject transforms
/// (`server/subject_transform.go`).
fn partition_of_token(token: &str, partitions: u32) -> u32 {
    let hash =
        token.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash % partitions.max(1)
}

#[cfg(test)]
mod tests {
    use super::{Addressed, Site, partition_of_token};

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(partition_of_token("", u32::MAX), 0x811c_9dc5);
        assert_eq!(partition_of_token("foobar", u32::MAX), 0xbf9c_f968);
    }

    #[test]
    fn every_partition_has_a_probe_that_is_no_tables() {
        let site = Site::new("Casino.1").expect("a short name");
        for partition in 0..256 {
            let subject = site.probe_subject(partition, 256);
            let token = subject.rsplit('.').next().expect("a token");
            assert_eq!(partition_of_token(token, 256), partition);
            assert_eq!(Site::addressed(&subject), Addressed::Probe);
        }
    }

    #[test]
    fn subjects_say_what_they_are_about() {
        let site = Site::new("Casino.1").expect("a short name");
        assert_eq!(site.table_subject("7*>").expect("short"), "baccarat.Casino%2E1.7%2A%3E");
        assert_eq!(Site::addressed("partition.x.3.7%2A%3E"), Addressed::Table("7*>".into()));
        assert_eq!(Site::addressed("partition.x.3.%zz"), Addressed::Unknown("%zz".into()));
        assert_eq!(site.partitions_in(&site.transform(12)), Some(12));
        assert_eq!(site.partitions_in("partition.other.{{partition(12,1)}}.{{wildcard(1)}}"), None);
        assert!(site.table_subject(&"x".repeat(513)).is_err());
        assert!(Site::new(&"x".repeat(65)).is_err());
    }
}
