//! A part of a record, and what all results are made from, worked out once.

use super::Evidence;
use super::begun::{Begun, says_who_deals};
use super::coups::{CoupOver, coups};
use super::course::Course;
use super::findings::{Placed, all};
use super::ruled::Ruled;
use super::shoes::{ShoeOver, shoes};

/// A part of a record, or all of it.
pub(super) struct Part<'e, 'r, 'a> {
    pub(super) evidence: &'e Evidence<'r, 'a>,
    pub(super) course: Course<'r>,
    /// What is wrong, in log order.
    pub(super) found: Vec<Placed>,
    /// The coups, in the order in which they are over.
    pub(super) coups: Vec<CoupOver<'r, 'a>>,
    /// The shoes that are over.
    pub(super) shoes: Vec<ShoeOver>,
}

impl<'e, 'r, 'a> Part<'e, 'r, 'a> {
    /// A whole record.
    pub(super) fn whole(evidence: &'e Evidence<'r, 'a>) -> Self {
        Self::of(evidence, &Begun::default()).0
    }

    /// A part, and what was before the next.
    pub(super) fn of(evidence: &'e Evidence<'r, 'a>, begun: &Begun) -> (Self, Begun) {
        let course = Course::of(evidence);
        let found = all(evidence, &course);
        let (ruled, next) = Ruled::of(evidence.reading, &begun.ruled);
        let coups = coups(evidence, &course, &found, &ruled);
        let (shoes, shoe) = shoes(evidence, &course, (&found, &coups), begun);
        let says_who_deals = says_who_deals(evidence, begun.says_who_deals, u64::MAX);
        (Self { evidence, course, found, coups, shoes }, Begun { shoe, ruled: next, says_who_deals })
    }
}
