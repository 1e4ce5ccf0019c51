//! The opening and closing of a table: the rulebook in force, its seats and limits.

use std::collections::BTreeSet;
use std::sync::Arc;

use baccarat::Rulebook;
use events::{Limits, TableOpened};
use serde::{Deserialize, Serialize};

use super::limits::check_limits;
use super::{InForce, Opened, Table};
use crate::caps::Cap;
use crate::coup::CoupInPlay;
use crate::dealing::Dealing;
use crate::place::day_at;
use crate::question::Question;
use crate::rules::{Rules, stake_ranges};
use crate::seating::Seating;
use crate::sink::{Accusation, Sink};
use crate::statement::{All, OfSeats, OfTable, Until};
use crate::{Code, Currency};

impl Table {
    /// Says once that the table is in play without a rulebook.
    pub(super) fn require_open(&mut self) {
        let known = self.taint.is_none() || self.closed;
        if matches!(self.in_force, InForce::None) && !self.not_open_reported && known {
            self.not_open_reported = true;
            self.sink.accuse(Accusation::new(Code::TableNotOpen, OfTable::OpenedFirst, OfTable::Play));
        }
    }

    pub(super) fn open(&mut self, opened: &TableOpened) {
        self.abandon_coups();
        // A shoe that is judged too often is so on both sides of an opening.
        if let Some(forgotten) = self.forgotten.begun_mut() {
            forgotten.retain(|cap| *cap == Cap::Rejudgings);
        }
        self.closed = false;
        let missed = std::mem::take(&mut self.closing_missed);
        if !matches!(self.in_force, InForce::None) && !missed {
            let (expected, recorded) = (OfTable::ClosedFirst, OfTable::OpenedWhileOpen);
            self.sink.accuse(Accusation::new(Code::TableAlreadyOpen, expected, recorded));
        }
        let text = opened.rulebook.shared();
        let digest = baccarat::Digest::of(&text).to_string();
        self.check_rulebook(&text, &digest);
        let approved = self.question.approved.as_ref().is_none_or(|approved| approved.contains(&digest));
        if !approved {
            self.sink.accuse(Accusation::new(
                Code::RulebookNotApproved,
                OfTable::ApprovedRulebook,
                OfTable::Digest { digest: digest.as_str().into() },
            ));
        }
        let in_force = match self.question.rules(&text, digest) {
            _ if !approved => InForce::Unapproved,
            Some(rules) => InForce::Known(rules),
            None => InForce::Unreadable,
        };
        self.end_night(&in_force);
        self.in_force = in_force;
        self.leave_unruled();
        (self.not_open_reported, self.not_in_force_reported) = (false, false);
        self.check_in_force();
        if let Some(rules) = self.rules() {
            check_seats(&opened.seats, &rules.book, &mut self.sink);
        }
        self.dealing = Dealing::open();
        self.seating = Seating::default();
        self.open_bank();
        self.check_currency(opened);
        let TableOpened { limits, seats, .. } = opened.clone();
        let currency = Currency::of(opened);
        self.opened = Some(Box::new(Opened { limits, currency, seats }));
        self.change_limits(&opened.limits);
    }

    /// Says once for each opening that the rulebook does not hold on this day.
    pub(super) fn check_in_force(&mut self) {
        let (Some(rules), Some(now)) = (self.rules(), self.clock) else { return };
        let (day, effective) = (day_at(now, &rules.book.jurisdiction), &rules.book.effective);
        let over = effective.until.as_ref().is_some_and(|until| day > *until);
        if self.not_in_force_reported || self.question.asks_for_another() || (day >= effective.from && !over)
        {
            return;
        }
        self.not_in_force_reported = true;
        let until = Until(effective.until.as_ref().map(|until| until.to_string().into()));
        let expected = OfTable::DayFrom { from: effective.from.to_string().into(), until };
        let recorded = OfTable::Day { day: day.to_string().into() };
        self.sink.accuse(Accusation::new(Code::RulebookNotInForce, expected, recorded));
    }

    pub(super) fn change_limits(&mut self, limits: &Limits) {
        self.check_limits(limits);
        self.bind_limits(limits);
    }

    /// Limits change at an open table: those of a coup in play stay its own.
    pub(super) fn limits_changed(&mut self, limits: &Limits) {
        let in_play = |play: &&CoupInPlay| play.is_staked() && !play.voided && play.perhaps_over.is_none();
        let Some(play) = self.play.as_deref().filter(in_play) else { return self.change_limits(limits) };
        let expected = OfTable::BetweenCoups;
        let recorded = OfTable::ChangedInCoup { coup: play.number };
        self.sink.accuse(play.accusation(Code::LimitsInCoup, expected, recorded));
        self.check_limits(limits);
        self.around.next_limits = Some(Box::new(limits.clone()));
    }

    fn check_limits(&mut self, limits: &Limits) {
        match self.rules() {
            Some(rules) => check_limits(limits, &rules.book, &mut self.sink),
            None => self.require_open(),
        }
    }

    /// The coup in play is over: limits that were changed in it bind.
    pub(super) fn bind_next_limits(&mut self) {
        if let Some(limits) = self.around.next_limits.take() {
            self.bind_limits(&limits);
        }
    }

    /// From here on these limits bind.
    pub(super) fn bind_limits(&mut self, limits: &Limits) {
        if let Some(rules) = self.rules() {
            self.ranges = stake_ranges(&rules, limits).into();
        }
        self.limits_doubted = false;
        if let Some(opened) = self.opened.as_mut() {
            opened.limits = limits.clone();
        }
    }

    pub(super) fn close(&mut self) {
        self.require_open();
        if !self.keep_overnight() {
            self.accuse_clock();
            self.leave_shoe();
        }
        self.close_bank();
        self.in_force = InForce::None;
        (self.not_open_reported, self.closed) = (false, true);
    }
}

/// A rulebook that one table alone is played under, while nothing is played there.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RulesAtRest {
    id: String,
    digest: String,
    text: Arc<str>,
}

impl RulesAtRest {
    pub(super) fn new(rules: &Rules, text: impl Fn(String) -> Arc<str>) -> Self {
        let Rules { book, digest, .. } = rules;
        Self { id: book.id.clone(), digest: digest.clone(), text: text(book.canonical_json()) }
    }

    /// It was read before, so reading it again cannot fail.
    pub(super) fn read(&self, question: &Question) -> InForce {
        question.rules(&self.text, self.digest.clone()).map_or(InForce::Unreadable, InForce::Known)
    }
}

impl InForce {
    /// The id of the rulebook judged by.
    pub(super) fn rulebook(&self) -> Option<&str> {
        match self {
            Self::Known(rules) => Some(&rules.book.id),
            Self::AtRest(rules) => Some(&rules.id),
            Self::None | Self::Unreadable | Self::Unapproved => None,
        }
    }
}

/// Seats the rulebook does not number, seats listed twice, and seats a table may not leave out.
fn check_seats(seats: &[u8], book: &Rulebook, sink: &mut Sink) {
    let strangers: Box<[u8]> =
        seats.iter().copied().filter(|seat| !book.seats.numbers.contains(seat)).collect();
    if !strangers.is_empty() {
        let recorded = OfSeats::Listed { seats: All(strangers) };
        return sink.accuse(Accusation::new(Code::TableSeats, OfSeats::Numbered, recorded));
    }
    let mut listed = BTreeSet::new();
    let again: BTreeSet<u8> = seats.iter().copied().filter(|seat| !listed.insert(*seat)).collect();
    if !again.is_empty() {
        let recorded = OfSeats::ListedAgain { seats: again.into_iter().collect() };
        return sink.accuse(Accusation::new(Code::TableSeats, OfSeats::ListedOnce, recorded));
    }
    let missing = book.seats.wrongly_left_out(&seats.iter().copied().collect());
    if !missing.is_empty() {
        let expected = OfSeats::AsWell { seats: missing.into_iter().collect() };
        sink.accuse(Accusation::new(Code::TableSeats, expected, OfSeats::LeftOut));
    }
}
