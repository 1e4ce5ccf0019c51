//! The log itself: what was sealed and signed, what witnesses said, what the log says of itself, and how to check it.

use askama::Template;

use super::overview::VerdictView;
use crate::frame::Frame;

#[derive(Template)]
#[template(path = "log.html")]
pub(crate) struct Log {
    pub(crate) frame: Frame,
    pub(crate) verdicts: Vec<VerdictView>,
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) checkpoint: Option<String>,
    /// What is wrong with the seal, a sentence each.
    pub(crate) faults: Vec<String>,
    pub(crate) more_faults: Option<String>,
    /// What witnesses said, a sentence each.
    pub(crate) witnesses: Vec<String>,
    /// What the log says of itself: keys replaced, payloads erased.
    pub(crate) notices: Vec<String>,
    /// What rests on signatures alone, and what was not read.
    pub(crate) attested: Vec<String>,
    /// The certificate, as names and values.
    pub(crate) certificate: Vec<(String, String)>,
}
