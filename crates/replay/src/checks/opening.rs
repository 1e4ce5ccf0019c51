//! The openings of a table: its rulebook, its seats, its limits, its currency (`docs/judging.md`, "Identity" and "Limits").

use std::collections::BTreeSet;

use baccarat::{Digest, Rulebook};
use events::{Body, Limits, TableOpened};
use serde::{Deserialize, Serialize};

use super::Checked;
use super::before::{Before, Book, JudgedBy};
use super::moments::{Moment, What};
use super::table_limits::check_limits;
use crate::Code;
use crate::caps::Cap;
use crate::currency::{NO_MONEY, digits_of};
use crate::identity::{Texts, id_of};
use crate::place::day_at;
use crate::reading::{AbonoRecord, BetRecord, CorrectionRecord, CoupRecord, Hole, Reading, Standing, Told};
use crate::sink::{Accusation, more_than_kept};
use crate::statement::{All, Digits, OfSeats, OfTable, Until};

/// What the checks of openings remember of those before.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Openings {
    /// The texts of the rulebooks that it was opened under.
    texts: Texts,
    /// What is reported already since the last opening or closing.
    reported: BTreeSet<Code>,
    /// What there is more of than is kept, since the last opening.
    beyond: BTreeSet<Cap>,
}

impl Openings {
    /// There is more of this than is kept: says so once from one opening to the next.
    pub(super) fn forget(&mut self, at: u64, cap: Cap, checked: &mut Checked) {
        if self.beyond.insert(cap) {
            checked.accuse(at, more_than_kept(cap));
        }
    }

    /// The same where it is reported already.
    pub(super) fn note_forgotten(&mut self, cap: Cap) {
        self.beyond.insert(cap);
    }

    /// Whether there is more of anything than is kept, since the last opening.
    pub(super) fn has_forgotten(&self) -> bool {
        !self.beyond.is_empty()
    }

    /// Checks a moment.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else depends on an opening")]
    pub(super) fn check<'r, 'a: 'r>(
        &mut self,
        moment: &Moment<'r, 'a>,
        reading: &'r Reading<'a>,
        before: &Before<'r>,
        checked: &mut Checked,
    ) {
        match moment.what {
            What::Around(told) => self.around(told, reading, before, checked),
            What::Loaded(loaded) => {
                self.require_open(loaded.sequence, before, checked);
                if let Some(tables) = before.rules() {
                    self.require_in_force(loaded.sequence, tables.rules(), before, checked);
                }
            }
            What::Ruled(told) => {
                let coup = before.in_play(reading).map(|coup| coup.number);
                corrected_late(told, coup, reading, before, checked);
            }
            What::Burned(_)
            | What::Began(_)
            | What::Closed(_)
            | What::Holder(_)
            | What::Card(_)
            | What::Settled(_) => self.require_open(moment.sequence, before, checked),
            What::Placed(BetRecord { placed: Told { sequence, corrected_by, .. }, .. })
            | What::Abono(AbonoRecord { placed: Told { sequence, corrected_by, .. }, .. }) => {
                self.require_open(moment.sequence, before, checked);
                self.require_money(corrected_by.unwrap_or(*sequence), before, checked);
            }
            _ => {}
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else opens, closes or limits")]
    fn around<'a>(
        &mut self,
        told: &Told<'a, Body>,
        reading: &Reading<'a>,
        before: &Before<'_>,
        checked: &mut Checked,
    ) {
        let at = told.corrected_by.unwrap_or(told.sequence);
        match told.value {
            Body::TableOpened(opened) => self.open(at, opened, before, checked),
            Body::TableClosed(_) => {
                self.require_open(at, before, checked);
                self.reported.clear();
            }
            Body::LimitsChanged(limits) => {
                let now = told.sequence;
                let is_settled_later = |coup: &&CoupRecord<'_>| {
                    coup.settlements.first().is_some_and(|settled| settled.sequence > now)
                };
                let last = before.in_play(reading).filter(|coup| is_in_play(coup, now, before));
                // An event of the next may stand before it, and that may be void.
                let first = before.first_in_play(reading).filter(is_settled_later);
                if let Some(coup) = last.or_else(|| first.filter(|coup| is_in_play(coup, now, before))) {
                    let recorded = OfTable::ChangedInCoup { coup: coup.number };
                    let changed = Accusation::new(Code::LimitsInCoup, OfTable::BetweenCoups, recorded);
                    checked.accuse(at, changed.in_coup(coup.number));
                }
                match before.rules() {
                    Some(tables) => limited(at, limits, tables.rules(), checked),
                    None => self.require_open(at, before, checked),
                }
            }
            Body::BankTaken(_)
            | Body::BankPassed(_)
            | Body::BankBid(_)
            | Body::GarajeSet(_)
            | Body::PlayersPresent(_)
            | Body::LeaveGiven(_) => self.require_open(at, before, checked),
            _ => {}
        }
    }

    fn open(&mut self, at: u64, opened: &TableOpened, before: &Before<'_>, checked: &mut Checked) {
        if before.opened.is_some() && !before.is_missed {
            let (expected, recorded) = (OfTable::ClosedFirst, OfTable::OpenedWhileOpen);
            checked.accuse(at, Accusation::new(Code::TableAlreadyOpen, expected, recorded));
        }
        self.reported.clear();
        self.beyond.clear();
        let text = opened.rulebook.as_str();
        let digest = Digest::of(text).to_string();
        self.identify(at, text, &digest, before, checked);
        match before.books.of(opened) {
            Book::NotApproved => {
                let recorded = OfTable::Digest { digest: digest.into() };
                let expected = OfTable::ApprovedRulebook;
                checked.accuse(at, Accusation::new(Code::RulebookNotApproved, expected, recorded));
            }
            Book::NotReadable => {}
            Book::Known(tables) => {
                self.require_in_force(at, tables.rules(), before, checked);
                if let Some((expected, recorded)) = seats(&opened.seats, tables.rules()) {
                    checked.accuse(at, Accusation::new(Code::TableSeats, expected, recorded));
                }
                limited(at, &opened.limits, tables.rules(), checked);
            }
        }
        currency(at, opened, before, checked);
    }

    /// Another text under the id of a built-in rulebook. Two texts of any other id are found where all tables of a log are known.
    fn identify(&mut self, at: u64, text: &str, digest: &str, before: &Before<'_>, checked: &mut Checked) {
        if before.books.judged_by() == JudgedBy::Approved {
            return;
        }
        let Some(id) = id_of(text) else { return };
        let of = |digest: &str| OfTable::Rulebook { rulebook: id.as_str().into(), digest: digest.into() };
        let recorded = OfTable::Digest { digest: digest.into() };
        if let Some(own) = before.books.built_in(&id).filter(|own| own != digest) {
            checked.accuse(at, Accusation::new(Code::RulebookAltered, of(&own), recorded));
        }
        if self.texts.add(&id, digest).is_none() {
            checked.forget(at, Cap::RulebookTexts);
        }
    }

    /// Says once that the table is in play without having been opened.
    fn require_open(&mut self, at: u64, before: &Before<'_>, checked: &mut Checked) {
        let is_closed = before.opened.is_none() && !before.is_missed;
        if is_closed && self.reported.insert(Code::TableNotOpen) {
            let (expected, recorded) = (OfTable::OpenedFirst, OfTable::Play);
            checked.accuse(at, Accusation::new(Code::TableNotOpen, expected, recorded));
        }
    }

    /// Says once for each opening that the rulebook does not hold on the day of an event.
    fn require_in_force(&mut self, at: u64, rules: &Rulebook, before: &Before<'_>, checked: &mut Checked) {
        let Some(now) = before.time(at) else { return };
        let (day, effective) = (day_at(now, &rules.jurisdiction), &rules.effective);
        let is_over = effective.until.as_ref().is_some_and(|until| day > *until);
        let holds = day >= effective.from && !is_over;
        let is_asked = before.books.judged_by() != JudgedBy::Another;
        if is_asked && !holds && self.reported.insert(Code::RulebookNotInForce) {
            let until = Until(effective.until.as_ref().map(|until| until.to_string().into()));
            let expected = OfTable::DayFrom { from: effective.from.to_string().into(), until };
            let recorded = OfTable::Day { day: day.into() };
            checked.accuse(at, Accusation::new(Code::RulebookNotInForce, expected, recorded));
        }
    }

    /// Says once for each opening that there is no money to place a bet in.
    fn require_money(&mut self, at: u64, before: &Before<'_>, checked: &mut Checked) {
        let is_none = before.last_opened.is_some_and(|opened| opened.currency.as_str() == NO_MONEY);
        if is_none && self.reported.insert(Code::CurrencyWrong) {
            let recorded = OfTable::NoMoneyAndBet { currency: NO_MONEY.into() };
            checked.accuse(at, Accusation::new(Code::CurrencyWrong, OfTable::OfIso4217, recorded));
        }
    }
}

/// Limits under which a coup was played cannot be corrected any more.
fn corrected_late(
    told: &Told<'_, Body>,
    coup: Option<u32>,
    reading: &Reading<'_>,
    before: &Before<'_>,
    checked: &mut Checked,
) {
    let is = |one: &&CorrectionRecord<'_>| one.sequence == told.sequence && one.standing == Standing::Late;
    let Some(late) = reading.corrections.iter().find(is) else { return };
    let said = before.event(late.corrects).map(|event| &event.body);
    if matches!(said, Some(Body::LimitsChanged(_))) {
        let (expected, recorded) = (OfTable::CorrectedBefore, OfTable::CorrectedAfterwards);
        let accusation = Accusation::new(Code::LimitsInCoup, expected, recorded);
        checked.accuse(told.sequence, coup.into_iter().fold(accusation, Accusation::in_coup));
    }
}

/// Whether something is staked or dealt in a coup by then, and it was not declared void.
fn is_in_play(coup: &CoupRecord<'_>, now: u64, before: &Before<'_>) -> bool {
    let is_staked = coup.bets.iter().any(|bet| bet.placed.sequence < now);
    let is_dealt = coup.cards.iter().any(|card| card.sequence.is_some_and(|dealt| dealt < now));
    let voids = |told: &Told<'_, Body>| matches!(told.value, Body::CoupVoided(_)) && told.sequence < now;
    let may_be_over =
        |hole: &Hole| coup.began < hole.first && hole.first < now && !before.gaps.beside_play(hole).1;
    (is_staked || is_dealt) && !coup.rulings.iter().any(voids) && !coup.missing.iter().any(may_be_over)
}

/// The limits against each other and the rulebook.
fn limited(at: u64, limits: &Limits, rules: &Rulebook, checked: &mut Checked) {
    checked.accuse_by(at, |sink| check_limits(limits, rules, sink));
}

/// Seats that the rulebook does not number, seats that are listed twice, or seats that a table may not leave out.
fn seats(seats: &[u8], rules: &Rulebook) -> Option<(OfSeats, OfSeats)> {
    let numbered = |seat: &&u8| rules.seats.numbers.contains(seat);
    let strangers: All<u8> = seats.iter().filter(|seat| !numbered(seat)).copied().collect();
    if !strangers.0.is_empty() {
        return Some((OfSeats::Numbered, OfSeats::Listed { seats: strangers }));
    }
    let mut listed = BTreeSet::new();
    let again: BTreeSet<u8> = seats.iter().copied().filter(|seat| !listed.insert(*seat)).collect();
    if !again.is_empty() {
        return Some((OfSeats::ListedOnce, OfSeats::ListedAgain { seats: again.into_iter().collect() }));
    }
    let missing = rules.seats.wrongly_left_out(&listed);
    let expected = || OfSeats::AsWell { seats: missing.iter().copied().collect() };
    (!missing.is_empty()).then(|| (expected(), OfSeats::LeftOut))
}

/// The currency is one there is, and the table's.
fn currency(at: u64, opened: &TableOpened, before: &Before<'_>, checked: &mut Checked) {
    let code = opened.currency.as_str();
    let with = |digits: u8| OfTable::CurrencyDigits { currency: code.into(), digits: Digits(digits.into()) };
    let expected = match digits_of(code) {
        Some(digits) if digits == opened.minor_digits => None,
        Some(digits) => Some(with(digits)),
        None => Some(OfTable::OfIso4217).filter(|_| code != NO_MONEY),
    };
    if let Some(expected) = expected {
        checked.accuse(at, Accusation::new(Code::CurrencyWrong, expected, with(opened.minor_digits)));
    }
    let of = |code: &str| OfTable::Currency { currency: code.into() };
    let other = before.last_opened.map(|before| before.currency.as_str()).filter(|before| *before != code);
    if let Some(other) = other {
        checked.accuse(at, Accusation::new(Code::CurrencyChanged, of(other), of(code)));
    }
}
