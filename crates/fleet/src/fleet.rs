//! A site on its servers, as a program that reads or writes it sees it.

use std::time::Duration;

use async_nats::jetstream::stream::{Info, Stream};
use async_nats::jetstream::{self, Context};

use crate::lease::{Bucket, Looked};
use crate::{FleetError, LeaseRecord, Site};

/// How long an answer of the servers is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// A site that was set up.
#[derive(Debug, Clone)]
pub struct Fleet {
    context: Context,
    site: Site,
    partitions: u32,
}

impl Fleet {
    /// Opens a site that [`crate::set_up`] has set up. How many partitions it has, its stream says.
    ///
    /// # Errors
    /// [`FleetError::NotSetUp`], or what the servers say.
    pub async fn open(client: async_nats::Client, site: Site) -> Result<Self, FleetError> {
        let context = context(client, PATIENCE);
        let name = site.stream();
        let info = shown(&context, &site, &name).await?;
        shown(&context, &site, &site.receipt_stream()).await?;
        let transform = info.cached_info().config.subject_transform.as_ref();
        let partitions = transform.and_then(|transform| site.partitions_in(&transform.destination));
        let Some(partitions) = partitions else {
            return Err(FleetError::NotSetUp { site: site.name().to_owned(), stream: name });
        };
        Ok(Self { context, site, partitions })
    }

    /// The site.
    #[must_use]
    pub fn site(&self) -> &Site {
        &self.site
    }

    /// How many partitions it has, numbered from 0.
    #[must_use]
    pub fn partitions(&self) -> u32 {
        self.partitions
    }

    /// The lease of a partition as it is now; `None` if nobody has ever held it.
    ///
    /// # Errors
    /// [`FleetError::Partition`], or what the servers say.
    pub async fn lease(&self, partition: u32) -> Result<Option<LeaseRecord>, FleetError> {
        self.check_partition(partition)?;
        match self.look_at(partition).await? {
            Looked::Found { record, .. } => Ok(Some(record)),
            Looked::Absent { .. } => Ok(None),
            Looked::Unknown(why) => Err(FleetError::server("show the lease", why)),
        }
    }

    /// What lies under the key of a partition.
    pub(crate) async fn look_at(&self, partition: u32) -> Result<Looked, FleetError> {
        Ok(Bucket::open(self.context.clone(), &self.site, partition, PATIENCE).await?.look().await)
    }

    pub(crate) fn check_partition(&self, partition: u32) -> Result<(), FleetError> {
        let partitions = self.partitions;
        if partition < partitions { Ok(()) } else { Err(FleetError::Partition { partition, partitions }) }
    }

    pub(crate) fn client(&self) -> async_nats::Client {
        self.context.client()
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// What the servers say of a stream.
    pub(crate) async fn info(&self, name: &str) -> Result<Info, FleetError> {
        let info = self.stream(name).await?.get_info().await;
        info.map_err(|error| FleetError::server(format!("show the stream {name}"), error))
    }

    /// A stream by name, without asking for it.
    pub(crate) async fn stream(&self, name: &str) -> Result<Stream<()>, FleetError> {
        let found = self.context.get_stream_no_info(name).await;
        found.map_err(|error| FleetError::server(format!("open the stream {name}"), error))
    }
}

/// A stream of a site that was set up.
async fn shown(context: &Context, site: &Site, name: &str) -> Result<Stream, FleetError> {
    context.get_stream(name).await.map_err(|error| {
        if is_not_found(&error) {
            FleetError::NotSetUp { site: site.name().to_owned(), stream: name.to_owned() }
        } else {
            FleetError::server(format!("show the stream {name}"), error)
        }
    })
}

/// JetStream over a connection, with the time that an answer is waited for.
pub(crate) fn context(client: async_nats::Client, patience: Duration) -> Context {
    jetstream::context::ContextBuilder::new().timeout(patience).ack_timeout(patience).build(client)
}

/// A time of the servers, from nanoseconds to milliseconds since 1970.
pub(crate) fn millis(nanoseconds: i128) -> i64 {
    i64::try_from(nanoseconds / 1_000_000).unwrap_or(i64::MAX)
}

/// Whether the servers say for certain that there is no such stream.
pub(crate) fn is_not_found(error: &jetstream::context::GetStreamError) -> bool {
    use jetstream::ErrorCode;
    use jetstream::context::GetStreamErrorKind as Kind;
    match error.kind() {
        Kind::JetStream(error) => error.error_code() == ErrorCode::STREAM_NOT_FOUND,
        Kind::EmptyName | Kind::Request | Kind::InvalidStreamName => false,
    }
}
