//! The service's own log, on standard error: lines for people, or JSON lines for a collector.

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::shown::{self, Escaping};

/// The crates whose lines are written. A client can make libraries log as often as it likes, a line for
/// each frame of HTTP/2.
const OURS: [&str; 3] = ["audit", "service", "fleet"];

/// Format of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Plain text.
    Text,
    /// One JSON object per line.
    Json,
}

/// Lowest level of the lines that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    /// The log stopped, or was found wrong.
    Error,
    /// A request failed, or something is tried again.
    Warn,
    /// Start and stop, rejected requests.
    Info,
    /// Every request.
    Debug,
    /// Messages of libraries, at every level.
    Trace,
}

impl LogLevel {
    const fn filter(self) -> LevelFilter {
        match self {
            Self::Error => LevelFilter::ERROR,
            Self::Warn => LevelFilter::WARN,
            Self::Info => LevelFilter::INFO,
            Self::Debug => LevelFilter::DEBUG,
            Self::Trace => LevelFilter::TRACE,
        }
    }

    /// Lines that are written, by the crate that logs them.
    fn targets(self) -> Targets {
        let others = if self == Self::Trace { LevelFilter::TRACE } else { LevelFilter::OFF };
        Targets::new().with_targets(OURS.map(|ours| (ours, self.filter()))).with_default(others)
    }
}

/// Writes what is logged from now on to standard error.
pub(crate) fn start(format: LogFormat, level: LogLevel) {
    let lines = tracing_subscriber::fmt()
        .with_max_level(level.filter())
        .with_writer(|| Escaping::new(std::io::stderr(), shown::lines))
        .with_target(false)
        .with_ansi(false);
    let whose = level.targets();
    // It fails where somebody logs already, and then there is nothing left to do.
    let _ = match format {
        LogFormat::Text => lines.finish().with(whose).try_init(),
        LogFormat::Json => lines.json().flatten_event(true).finish().with(whose).try_init(),
    };
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    /// Any client of HTTP/2 can make a library warn with every frame, before it has shown a token.
    #[test]
    fn what_libraries_warn_of_is_written_only_for_who_asks_for_it() {
        let is_written = |level: LogLevel, who: &str, said: Level| level.targets().would_enable(who, &said);
        for level in [LogLevel::Error, LogLevel::Warn, LogLevel::Info, LogLevel::Debug] {
            assert!(!is_written(level, "h2::proto::ping_pong", Level::WARN), "{level:?}");
            assert!(is_written(level, "service::writer_events", Level::ERROR), "{level:?}");
        }
        assert!(is_written(LogLevel::Info, "audit::access", Level::WARN));
        assert!(!is_written(LogLevel::Info, "service::observe", Level::DEBUG));
        assert!(is_written(LogLevel::Debug, "service::observe", Level::DEBUG));
        assert!(is_written(LogLevel::Trace, "h2::proto::ping_pong", Level::TRACE));
    }
}
