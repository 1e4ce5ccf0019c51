//! The service's own log, on standard error: lines for people, or JSON lines for a collector.

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;

/// How the lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// A JSON object a line.
    Json,
}

/// From which level on lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogLevel {
    /// The log stopped, or was found wrong.
    Error,
    /// A request failed, something is tried again.
    Warn,
    /// Start and stop, refused requests.
    Info,
    /// Every request.
    Debug,
    /// What libraries say.
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
}

/// Writes what is logged from now on to standard error.
pub(crate) fn start(format: LogFormat, level: LogLevel) {
    let lines = tracing_subscriber::fmt()
        .with_max_level(level.filter())
        .with_writer(std::io::stderr)
        .with_target(false)
        .with_ansi(false);
    // It fails where somebody logs already, and then there is nothing left to do.
    let _ = match format {
        LogFormat::Text => lines.try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
}
