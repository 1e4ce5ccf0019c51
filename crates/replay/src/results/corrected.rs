//! What corrections of observations moved: the record as it was first recorded beside the record as it was corrected
//! (`docs/judging.md`, "Corrections").

use std::collections::BTreeSet;

use events::{Body, CorrectionRecorded};

use super::Evidence;
use super::account::account;
use super::attested::events;
use super::coups::{CoupOver, FoundInCoups};
use super::course::Course;
use super::part::Part;
use crate::corrected::{Accounts, Collected, Compared, CoupKey, Signers};
use crate::reading::{CorrectionRecord, Item, OpenRange, Standing};
use crate::settled_before::kind;
use crate::sink::clamp;

/// The range without corrections of observations; `None` if none of them counts.
#[must_use]
pub fn as_first_recorded<'a>(evidence: &Evidence<'_, 'a>) -> Option<OpenRange<'a>> {
    let observed = evidence.reading.corrections.iter().filter(|one| is_of_observation(one));
    let observed: BTreeSet<u64> = observed.map(|one| one.sequence).collect();
    let is_left = |item: &&Item<'_>| match item {
        Item::Event(sequence, _) => !observed.contains(sequence),
        Item::Hole(_) => true,
    };
    let left = evidence.range.items().iter().filter(is_left).copied().collect();
    (!observed.is_empty()).then(|| OpenRange::of_items(left))
}

/// Whether a correction counts, or did until another one of the same event came, and says what somebody observed.
fn is_of_observation(one: &CorrectionRecord<'_>) -> bool {
    matches!(one.standing, Standing::Counts | Standing::Superseded) && says_observation(one.says)
}

fn says_observation(body: &Body) -> bool {
    kind(body).is_some_and(|kind| kind.until.is_none())
}

/// What they moved.
pub(super) fn corrected(part: &Part<'_, '_, '_>) -> Compared {
    let Part { evidence, course, .. } = part;
    let mut compared = evidence.first.map_or_else(Compared::default, |first| {
        let (before, mut after) = (accounts(&Part::whole(first)), accounts(part));
        sign(evidence, course, &mut after);
        Compared::of(&before, &after)
    });
    if evidence.reading.corrections.is_empty() {
        return compared;
    }
    for (one, correction) in corrections(evidence) {
        let of_money = one.says.coup().is_some() || matches!(one.says, Body::CommissionCollected(_));
        let is_known = !matches!(one.standing, Standing::Missing | Standing::OutOfReach);
        if of_money && !is_known && says_observation(one.says) {
            let signers = Signers::of(&correction.signed_by);
            compared.totals.out_of_reach(&signers, course.currency(one.sequence));
        }
    }
    compared
}

/// Every correction, as it is read and as it was recorded.
pub(super) fn corrections<'r, 'a: 'r>(
    evidence: &Evidence<'r, 'a>,
) -> impl Iterator<Item = (&'r CorrectionRecord<'a>, &'a CorrectionRecorded)> + use<'r, 'a> {
    let records = &evidence.reading.corrections;
    events(evidence).filter_map(move |(sequence, event)| {
        let Body::CorrectionRecorded(correction) = &event.body else { return None };
        let at = records.binary_search_by_key(&sequence, |one| one.sequence).ok()?;
        Some((records.get(at)?, correction))
    })
}

/// The accounts of all coups.
fn accounts(part: &Part<'_, '_, '_>) -> Accounts {
    let Part { course, found, coups, .. } = part;
    let (mut accounts, found) = (Accounts::default(), FoundInCoups::of(found));
    for coup in coups {
        let key: CoupKey = (course.loaded(coup.place.0), coup.record.number);
        let (own, after) = coup.found_in_time(&found, course);
        let (shoe, currency) =
            (course.id_of_coup(coup.place.0, coup.record.began), course.currency(coup.over));
        let bank = bank(coup).filter(|_| !coup.is_void);
        accounts.coup(key, shoe, currency, &account(coup, &own), bank);
        for finding in after {
            for money in &finding.money {
                accounts.found(key, finding.code, money.seat, money.minor_units);
            }
        }
    }
    accounts
}

/// The banker's seat, and by how much the account changes what is in play and set aside.
fn bank(coup: &CoupOver<'_, '_>) -> Option<(u8, i64)> {
    let view = &coup.checked?.at_bank.as_deref()?.view;
    let (banker, told) = view.banker.as_ref().zip(view.recorded.as_ref())?;
    let after = i128::from(told.bank.get()) + i128::from(told.garaje.get());
    let before = i128::from(view.before) + i128::from(view.garaje);
    Some((banker.seat, clamp(after - before)))
}

/// Who signed corrections of observations.
fn sign(evidence: &Evidence<'_, '_>, course: &Course<'_>, accounts: &mut Accounts) {
    for (one, correction) in corrections(evidence).filter(|(one, _)| is_of_observation(one)) {
        let signers = Signers::of(&correction.signed_by);
        let coup = one.said.and_then(Body::coup);
        let is_loose = || coup.is_some_and(|coup| accounts.has(0, coup));
        let began = match course.shoe(one.sequence) {
            Some(loaded) => loaded,
            None if is_loose() => 0,
            None => course.last_loaded(one.sequence),
        };
        if let (Some(Body::CommissionCollected(first)), Body::CommissionCollected(last)) =
            (one.said, one.says)
        {
            let [first, last] = [first, last].map(|collected| (collected.seat, collected.amount.get()));
            let currency = course.currency(one.sequence);
            accounts.collect(one.corrects, Collected { first, last, currency }, &signers);
        }
        // Of a coup of a shoe before it is not known here which.
        accounts.sign(began, coup.filter(|_| one.corrects > began), &signers);
    }
}
