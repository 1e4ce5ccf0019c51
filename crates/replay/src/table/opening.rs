//! A table's opening and closing: the rulebook in force, its seats and limits.

use baccarat::Rulebook;
use events::{Limits, TableOpened};

use super::{InForce, Opened, Table};
use crate::Code;
use crate::dealing::Dealing;
use crate::rules::stake_ranges;
use crate::seating::Seating;
use crate::sink::{Accusation, Sink};

impl Table {
    /// Says once that the table is in play without a rulebook.
    pub(super) fn require_open(&mut self) {
        if matches!(self.in_force, InForce::None) && !self.not_open_told && self.taint.is_none() {
            self.not_open_told = true;
            self.sink.accuse(Accusation::new(Code::TableNotOpen, "a table opened under a rulebook", "play"));
        }
    }

    pub(super) fn open(&mut self, opened: TableOpened) {
        self.abandon_coup();
        if !matches!(self.in_force, InForce::None) && !std::mem::take(&mut self.closing_missed) {
            let expected = "the table closed before it is opened again";
            self.sink.accuse(Accusation::new(Code::TableAlreadyOpen, expected, "opened while open"));
        }
        let text = opened.rulebook.as_str();
        let digest = baccarat::Digest::of(text).to_string();
        if self.question.approved.as_ref().is_some_and(|approved| !approved.contains(&digest)) {
            self.sink.accuse(Accusation::new(
                Code::RulebookNotApproved,
                "an approved rulebook",
                format!("digest {digest}"),
            ));
        }
        self.in_force = match self.question.rules(text, digest) {
            Some(rules) => InForce::Known(rules),
            None => InForce::Unreadable,
        };
        (self.not_open_told, self.not_in_force_told) = (false, false);
        self.check_in_force();
        if let Some(rules) = self.rules() {
            check_seats(&opened.seats, &rules.book, &mut self.sink);
        }
        self.dealing = Dealing::open();
        self.seating = Seating::default();
        self.open_bank();
        let TableOpened { rulebook: _, limits, currency, minor_digits, seats } = opened;
        self.opened = Some(Box::new(Opened { limits: limits.clone(), currency, minor_digits, seats }));
        self.change_limits(limits);
    }

    /// Says once for each opening that the rulebook does not hold on this day.
    pub(super) fn check_in_force(&mut self) {
        let (Some(rules), Some(now)) = (self.rules(), self.clock) else { return };
        let (day, effective) = (now.local_day(), &rules.book.effective);
        let over = effective.until.as_ref().is_some_and(|until| day > *until);
        if self.not_in_force_told || self.question.asks_for_another() || (day >= effective.from && !over) {
            return;
        }
        self.not_in_force_told = true;
        let until = effective.until.as_ref().map(|until| format!(" to {until}")).unwrap_or_default();
        let expected = format!("a day from {}{until}", effective.from);
        self.sink.accuse(Accusation::new(Code::RulebookNotInForce, expected, day));
    }

    pub(super) fn change_limits(&mut self, limits: Limits) {
        let Some(rules) = self.rules() else { return self.require_open() };
        check_limits(&limits, &rules.book, &mut self.sink);
        self.ranges = stake_ranges(&rules, &limits);
        self.limits_doubted = false;
        if let Some(opened) = self.opened.as_mut() {
            opened.limits = limits;
        }
    }

    pub(super) fn close(&mut self) {
        self.require_open();
        self.leave_shoe();
        self.close_bank();
        self.in_force = InForce::None;
        self.not_open_told = false;
    }
}

/// Seats the rulebook does not number, and seats a table may not leave out.
fn check_seats(seats: &[u8], book: &Rulebook, sink: &mut Sink) {
    let listed = |seats: &[u8]| seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let strangers: Vec<u8> =
        seats.iter().copied().filter(|seat| !book.seats.numbers.contains(seat)).collect();
    if !strangers.is_empty() {
        let recorded = format!("seats {}", listed(&strangers));
        return sink.accuse(Accusation::new(Code::TableSeats, "seats the rulebook numbers", recorded));
    }
    let missing = book.seats.wrongly_left_out(&seats.iter().copied().collect());
    if !missing.is_empty() {
        let expected = format!("seats {} as well", listed(&missing));
        sink.accuse(Accusation::new(Code::TableSeats, expected, "left out"));
    }
}

/// Limits that no rulebook can mean, and those this one does not allow.
fn check_limits(limits: &Limits, book: &Rulebook, sink: &mut Sink) {
    if limits.minimum > limits.maximum {
        let recorded = format!("{} to {}", limits.minimum, limits.maximum);
        sink.accuse(Accusation::new(Code::LimitsRange, "a minimum not above the maximum", recorded));
    }
    if let (Some(multiple), false) = (limits.multiple, book.limits.multiples_allowed) {
        let recorded = format!("multiples of {multiple}");
        sink.accuse(Accusation::new(Code::LimitsRange, "no multiples", recorded));
    }
    if let Some(multiple) =
        limits.multiple.filter(|multiple| book.limits.multiple_is_minimum && *multiple != limits.minimum)
    {
        let expected = format!("multiples of the minimum, {}", limits.minimum);
        sink.accuse(Accusation::new(Code::LimitsRange, expected, format!("multiples of {multiple}")));
    }
    let allowed = &book.limits.maximum_over_minimum;
    let times = |factor: &u32| i128::from(limits.minimum.get()) * i128::from(*factor);
    if !allowed.is_empty() && !allowed.iter().any(|factor| times(factor) == i128::from(limits.maximum.get()))
    {
        let factors: Vec<String> = allowed.iter().map(ToString::to_string).collect();
        let expected = format!("a maximum of {} times {}", factors.join(" or "), limits.minimum);
        sink.accuse(Accusation::new(Code::LimitsRatio, expected, limits.maximum));
    }
}
