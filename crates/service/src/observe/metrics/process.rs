//! Metrics of the process, by the names that Prometheus' own clients give them (`process_*`), read from `/proc` when
//! somebody asks. What the system does not say is left out.

use std::fmt::Error;
use std::fs;
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;
use rustix::process::{Resource, getrlimit};

/// Linux counts processor time in hundredths of a second for programs, whatever it uses itself.
const TICK: Duration = Duration::from_millis(10);

/// The process of the service.
#[derive(Debug)]
pub(super) struct Process {
    /// When it started, seconds since 1970 UTC.
    started: f64,
}

impl Default for Process {
    fn default() -> Self {
        let since = Duration::from_micros(u64::try_from(intake::clock::now()).unwrap_or(0));
        Self { started: since.as_secs_f64() }
    }
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), Error> {
        let mut gauge = |name: &str, what: &str, unit: Option<Unit>, value: Option<f64>| {
            let Some(value) = value else { return Ok(()) };
            let gauge = ConstGauge::new(value);
            gauge.encode(encoder.encode_descriptor(name, what, unit.as_ref(), gauge.metric_type())?)
        };
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let (resident, virtual_memory) = (bytes_of(&status, "VmRSS:"), bytes_of(&status, "VmSize:"));
        gauge("process_start_time", "When the process started", Some(Unit::Seconds), Some(self.started))?;
        gauge("process_resident_memory", "Memory of the process in use", Some(Unit::Bytes), resident)?;
        gauge(
            "process_virtual_memory",
            "Addresses of the process in use",
            Some(Unit::Bytes),
            virtual_memory,
        )?;
        gauge("process_open_fds", "Files and connections that are open", None, open_files())?;
        let most = getrlimit(Resource::Nofile).current.map(|most| most as f64);
        gauge("process_max_fds", "Files and connections that may be open", None, most)?;
        let Some(used) = processor_time(&fs::read_to_string("/proc/self/stat").unwrap_or_default()) else {
            return Ok(());
        };
        let used = ConstCounter::new(used.as_secs_f64());
        let what = "Processor time that the process has used";
        used.encode(encoder.encode_descriptor(
            "process_cpu",
            what,
            Some(&Unit::Seconds),
            used.metric_type(),
        )?)
    }
}

fn open_files() -> Option<f64> {
    // One of them is the folder that is being read.
    Some(fs::read_dir("/proc/self/fd").ok()?.count().saturating_sub(1) as f64)
}

/// A size that `/proc/self/status` gives in KiB.
fn bytes_of(status: &str, name: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib.saturating_mul(1024) as f64)
}

/// Time in user and system mode, the 14th and 15th item of `/proc/self/stat`; the second is a name in brackets.
fn processor_time(stat: &str) -> Option<Duration> {
    let items: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let ticks: u32 = items.get(11)?.parse::<u32>().ok()?.checked_add(items.get(12)?.parse().ok()?)?;
    TICK.checked_mul(ticks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_read() {
        let stat = "7 (audit ) x) S 1 7 7 0 -1 4194304 1 0 0 0 250 50 0 0 20 0 9 0 100 1 1 1";
        assert_eq!(processor_time(stat), Some(Duration::from_secs(3)));
        assert_eq!(processor_time(""), None);
        assert_eq!(processor_time("7 (audit) S 1"), None);
        let status = "Name:\taudit\nVmSize:\t  200 kB\nVmRSS:\t      12 kB\n";
        assert_eq!(bytes_of(status, "VmRSS:"), Some(12_288.0));
        assert_eq!(bytes_of(status, "VmSwap:"), None);
    }
}
