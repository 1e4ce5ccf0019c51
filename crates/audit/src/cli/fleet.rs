//! Arguments of everything that works with a fleet: `audit fleet`, and `audit serve --from`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// What `audit fleet` can be asked.
#[derive(Debug, Subcommand)]
pub(crate) enum Fleet {
    /// Make the streams of a site on the servers, or check that they are as asked; what is there is never altered
    Setup(FleetSetup),
    /// Show a site: who writes which partition, what waits, how much is sealed, whether the servers keep up
    Show(FleetShow),
    /// Send events (one JSON object per line) to a site, and wait until each of them is sealed
    Send(FleetSend),
}

/// The servers of NATS, and how to log in to them.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct StreamLogin {
    /// A NATS credentials file: a JWT and the seed of its key
    #[arg(long, value_name = "FILE", help_heading = "Fleet servers")]
    pub(crate) nats_credentials: Option<PathBuf>,
    /// The user to log in as
    #[arg(long, value_name = "NAME", requires = "nats_password", help_heading = "Fleet servers")]
    pub(crate) nats_user: Option<String>,
    /// File with the user's password
    #[arg(long, value_name = "FILE", requires = "nats_user", help_heading = "Fleet servers")]
    pub(crate) nats_password: Option<PathBuf>,
    /// File with the token to log in with
    #[arg(long, value_name = "FILE", help_heading = "Fleet servers",
          conflicts_with_all = ["nats_credentials", "nats_user"])]
    pub(crate) nats_token: Option<PathBuf>,
    /// Require TLS, and accept the servers' certificates only if one of these authorities (PEM) issued them
    #[arg(long, value_name = "FILE", help_heading = "Fleet servers")]
    pub(crate) nats_ca: Option<PathBuf>,
    /// Client certificate (PEM) to present to the servers
    #[arg(long, value_name = "FILE", requires = "nats_key", help_heading = "Fleet servers")]
    pub(crate) nats_cert: Option<PathBuf>,
    /// Private key of the client certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "nats_cert", help_heading = "Fleet servers")]
    pub(crate) nats_key: Option<PathBuf>,
}

/// Which site of which servers.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct SiteAt {
    /// A server of the fleet, as nats://HOST:4222 or tls://HOST:4222; may be given several times
    #[arg(long, value_name = "URL", required = true, value_delimiter = ',')]
    pub(crate) server: Vec<String>,
    /// The name of the site, as producers and writers of one house give it
    #[arg(long, value_name = "NAME")]
    pub(crate) site: String,
    #[command(flatten)]
    pub(crate) login: StreamLogin,
}

#[derive(Debug, Args)]
pub(crate) struct FleetSetup {
    #[command(flatten)]
    pub(crate) at: SiteAt,
    /// Number of partitions, each with a writer and a log of its own (1 to 256); it cannot be changed later
    #[arg(long, default_value_t = 16, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) partitions: u32,
    /// On how many servers everything is kept: 1, 3 or 5
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5))]
    pub(crate) replicas: u8,
    /// Longest message, in bytes (1 KiB to 8 MiB); the servers' own limit (max_payload) must not be lower
    #[arg(long, default_value_t = 1 << 20, value_name = "BYTES",
          value_parser = clap::value_parser!(u32).range(1 << 10..=8 << 20))]
    pub(crate) max_message: u32,
    /// Most bytes that may wait to be sealed; beyond, producers keep what they have
    #[arg(long, default_value_t = 8 << 30, value_name = "BYTES")]
    pub(crate) max_waiting: u64,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FleetShow {
    #[command(flatten)]
    pub(crate) at: SiteAt,
    /// How long to look, in seconds (1 to 600): what is not renewed and not sealed meanwhile needs somebody
    #[arg(long, default_value_t = 5, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=600))]
    pub(crate) watch: u64,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FleetSend {
    /// File of events, one JSON object per line; `-` for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) at: SiteAt,
    /// Most events of a message (1 to 16384); a message holds events of one table
    #[arg(long, default_value_t = 256, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=16_384))]
    pub(crate) batch: u16,
    /// How long to wait for receipts after the end of the file, in seconds
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) patience: u64,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Where `audit serve` takes events from, if not from posts.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct FromStream {
    /// Take events from the stream of these servers (nats://HOST:4222, tls://HOST:4222; may be given several times)
    /// and from no posts. --log is then a folder of logs: each time this program takes its partition over from
    /// another one, it makes a log there that continues the other's
    #[arg(
        long,
        value_name = "URL",
        value_delimiter = ',',
        requires = "site",
        requires = "partition",
        help_heading = "Fleet"
    )]
    pub(crate) from: Vec<String>,
    /// The name of the site, as producers and writers of one house give it
    #[arg(long, value_name = "NAME", requires = "from", help_heading = "Fleet")]
    pub(crate) site: Option<String>,
    /// Which partition of how many: 3/16 is the third of sixteen. Of several programs with the same partition one
    /// writes, and the others wait to take over
    #[arg(long, value_name = "K/N", requires = "from", value_parser = partition, help_heading = "Fleet")]
    pub(crate) partition: Option<Partition>,
    /// What this writer is called in the lease [default: the machine's name]
    #[arg(long, value_name = "NAME", requires = "from", help_heading = "Fleet")]
    pub(crate) holder: Option<String>,
    /// Seconds without a sign from a partition's writer after which another one takes over (1 to 600)
    #[arg(long, default_value_t = 8, value_name = "SECONDS",
          value_parser = clap::value_parser!(u64).range(1..=600), help_heading = "Fleet")]
    pub(crate) lease_seconds: u64,
    #[command(flatten)]
    pub(crate) login: StreamLogin,
}

/// One of a site's partitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Partition {
    /// Its number, from 1.
    pub(crate) number: u32,
    /// How many there are.
    pub(crate) of: u32,
}

impl Partition {
    /// Its number as the servers count, from 0.
    pub(crate) const fn index(self) -> u32 {
        self.number.saturating_sub(1)
    }
}

impl std::fmt::Display for Partition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

fn partition(text: &str) -> Result<Partition, String> {
    let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((number, of)) if number >= 1 && number <= of => Ok(Partition { number, of }),
        Some(_) | None => Err(crate::language::texts().bad_partition()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Partition, partition};

    #[test]
    fn a_partition_is_one_of_so_many() {
        assert_eq!(partition("3/16"), Ok(Partition { number: 3, of: 16 }));
        assert_eq!(partition("1/1").map(Partition::index), Ok(0));
        for wrong in ["0/16", "17/16", "3", "3/", "/3", "a/b", "-1/3", "3/16/1", ""] {
            assert!(partition(wrong).is_err(), "{wrong}");
        }
    }
}
