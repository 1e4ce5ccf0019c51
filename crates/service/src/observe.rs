//! What operators see of the service: metrics, traces, and the lines of its log. It changes no answer.

pub(crate) mod metrics;
pub(crate) mod refusal_log;
pub(crate) mod requests;
pub(crate) mod traces;
