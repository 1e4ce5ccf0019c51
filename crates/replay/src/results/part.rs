//! A part of a record, and what all results are made from, worked out once.

use super::Evidence;
use super::begun::{Begun, says_who_deals};
use super::coups::{CoupOver, coups};
use super::course::Course;
use super::findings::{Placed, all};
use super::out_of_reach::{OutOfReach, out_of_reach};
use super::ruled::Ruled;
use super::shoes::{ShoeOver, shoes};
use crate::Code;
use crate::sink::Location;

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
    /// Corrections of what is not judged again.
    pub(super) out_of_reach: Vec<OutOfReach>,
}

impl<'e, 'r, 'a> Part<'e, 'r, 'a> {
    /// A whole record.
    pub(super) fn whole(evidence: &'e Evidence<'r, 'a>) -> Self {
        Self::of(evidence, &Begun::default()).0
    }

    /// A part, and what was before the next.
    pub(super) fn of(evidence: &'e Evidence<'r, 'a>, begun: &Begun) -> (Self, Begun) {
        let course = Course::of(evidence);
        let found = all(evidence, &course, begun.bank_wrong);
        let (ruled, next) = Ruled::of(evidence.reading, &begun.ruled);
        let coups = coups(evidence, &course, &found, &ruled);
        let first_loaded = match begun.first_loaded {
            0 => course.shoes().map(|(loaded, _)| loaded).next().unwrap_or_default(),
            known => known,
        };
        let out_of_reach = out_of_reach(evidence, &course, first_loaded);
        let (shoes, shoe) = shoes(evidence, &course, (&found, &coups, &out_of_reach), begun);
        let says_who_deals = says_who_deals(evidence, begun.says_who_deals).says_before(u64::MAX);
        let wrong = found.iter().map(|placed| &placed.finding).rfind(|one| one.code == Code::BankWrong);
        let wrong = wrong.map(|one| Location { entry: one.entry, sequence: one.sequence });
        let bank_wrong = wrong.or(begun.bank_wrong);
        let next = Begun { shoe, ruled: next, first_loaded, says_who_deals, bank_wrong };
        (Self { evidence, course, found, coups, shoes, out_of_reach }, next)
    }
}
