//! What a rulebook requires of the record itself: how exact its clocks are, and who signs rulings.
//!
//! Both sections may be left out: sources of the game say nothing about them, and then defaults apply.

use super::*;

/// Microseconds a table's clock may run back where the rulebook says nothing: one second.
const STEP: u64 = 1_000_000;
/// Microseconds it may lie ahead of the log's own: five minutes.
const AHEAD: u64 = 300_000_000;
/// Microseconds within which a service takes an event in: a day.
const RECORDED_WITHIN: u64 = 157_680_000_000_000;

/// How exact clocks have to be, in microseconds; what is absent is the usual.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ClockRules {
    /// How far a table's clock may run back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
    /// How far the time of an event may lie ahead of the log's own clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ahead: Option<u64>,
    /// How long after the fact a service may take an event in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_within: Option<u64>,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// Who signs rulings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RulingRules {
    /// Whether a second person has to sign; absent: so it is.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub countersigned: bool,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

const fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands in a reference")]
const fn is_true(value: &bool) -> bool {
    *value
}

impl Rulebook {
    /// Microseconds a table's clock may run back.
    #[must_use]
    pub fn clock_step(&self) -> u64 {
        self.clock.as_ref().and_then(|clock| clock.step).unwrap_or(STEP)
    }

    /// Microseconds the time of an event may lie ahead of the log's own clock.
    #[must_use]
    pub fn clock_ahead(&self) -> u64 {
        self.clock.as_ref().and_then(|clock| clock.ahead).unwrap_or(AHEAD)
    }

    /// Microseconds after the fact within which a service has to take an event in.
    #[must_use]
    pub fn recorded_within(&self) -> u64 {
        self.clock.as_ref().and_then(|clock| clock.recorded_within).unwrap_or(RECORDED_WITHIN)
    }

    /// Whether rulings need a second signature.
    #[must_use]
    pub fn rulings_countersigned(&self) -> bool {
        self.rulings.as_ref().is_none_or(|rulings| rulings.countersigned)
    }
}
