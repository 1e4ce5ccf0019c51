//! A page of findings as a service publishes them. What a finding means is not known here.

use serde::Deserialize;
use serde_json::value::RawValue;

/// A page of findings, and how far the service is.
#[derive(Debug, Clone, Deserialize)]
pub struct FindingsPage {
    /// The findings and withdrawals, as JSON.
    pub findings: Vec<Box<RawValue>>,
    /// Ask for the findings after this number next.
    pub next: u64,
    /// How many there are in all.
    pub published: u64,
    /// Entries of the log that were judged.
    pub judged: u64,
    /// Entries of the log.
    pub size: u64,
    /// Whether live certification goes on.
    pub follower: Follower,
}

/// Whether live certification goes on.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Follower {
    /// `following`, or `stopped`.
    pub state: String,
    /// Why it stopped.
    #[serde(default)]
    pub why: Option<String>,
}
