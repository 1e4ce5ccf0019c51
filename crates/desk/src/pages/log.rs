//! The log itself: what was sealed and signed, what witnesses said, what the log says of itself, and how to check it.

use askama::Template;

use super::overview::VerdictView;
use crate::frame::Frame;
use crate::seal::SealView;

#[derive(Template)]
#[template(path = "log.html")]
pub(crate) struct Log {
    pub(crate) frame: Frame,
    pub(crate) verdicts: Vec<VerdictView>,
    pub(crate) seal: SealView,
}
