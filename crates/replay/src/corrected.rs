//! What corrections of observations moved, in money, by those who signed them.
//!
//! A face, a total or a payout may be corrected at any time, and the coup is then judged as corrected. What was due by
//! the first version is not lost: the shoe is played once more without these corrections (`record/observed.rs`), and
//! this module compares the two accounts of each coup. It accuses nobody. A sum that is not known in one of the two is
//! never zero.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use events::Name;
use serde::{Deserialize, Serialize};

use crate::account::{CoupAccount, SumRange};
use crate::names::fold;
use crate::totals::is_zero;
use crate::{Code, Currency};

/// A coup: where its shoe was loaded, and its number.
pub(crate) type CoupKey = (u64, u32);

/// Most people whose signatures are named together; of more it is said that there are others.
const MOST_SIGNERS: usize = 16;

/// Most groups of signers with sums of their own; what further groups moved is one sum.
pub(crate) const MAX_CORRECTED_ROWS: usize = 1_000;

/// Who signed corrections: each person once, in the order of their folded names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signers {
    /// By fold, the spelling that comes first in the alphabet.
    names: BTreeMap<String, String>,
    others: bool,
}

impl Signers {
    pub(crate) fn of(names: &[Name]) -> Self {
        let mut signers = Self::default();
        names.iter().for_each(|name| signers.insert(fold(name.as_str()), name.as_str()));
        signers
    }

    fn insert(&mut self, folded: String, spelled: &str) {
        match self.names.get_mut(&folded) {
            Some(known) if spelled < known.as_str() => spelled.clone_into(known),
            Some(_) => {}
            None => {
                self.names.insert(folded, spelled.to_owned());
            }
        }
        if self.names.len() > MOST_SIGNERS {
            // Of all that come, the same stay, in whatever order they come.
            self.names.pop_last();
            self.others = true;
        }
    }

    pub(crate) fn join(&mut self, other: &Self) {
        other.names.iter().for_each(|(folded, spelled)| self.insert(folded.clone(), spelled));
        self.others |= other.others;
    }

    fn spelled(&self) -> Vec<String> {
        self.names.values().cloned().collect()
    }
}

/// What was due to a seat in a coup, and what came back by the record: as first recorded and as corrected, in minor
/// units of what the seat was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeatCorrected {
    /// The seat; 0 is the house, where it is not known who got it.
    pub seat: u8,
    /// What was due by the first version. Absent if nothing is known of it.
    pub due_first: Option<SumRange>,
    /// What was due by the corrected version. Absent if nothing is known of it.
    pub due: Option<SumRange>,
    /// What came back by the first version. Absent if that is not known.
    pub recorded_first: Option<i64>,
    /// What came back by the corrected version. Absent if that is not known.
    pub recorded: Option<i64>,
    /// What the corrections moved: by how much the sum due or the sum recorded differs, whichever is more. Absent if one
    /// of the four sums is not known.
    pub moved: Option<u64>,
}

/// What corrections of observations moved in one coup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CoupCorrected {
    /// Who signed them: at most 16 names.
    pub signers: Vec<String>,
    /// Whether others signed too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more_signers: bool,
    /// The seats whose money they moved, or may have moved.
    pub seats: Vec<SeatCorrected>,
}

impl CoupCorrected {
    /// What they moved in all, as far as it is known.
    #[must_use]
    pub fn moved(&self) -> u128 {
        self.seats.iter().filter_map(|seat| seat.moved).map(u128::from).sum()
    }

    /// Whether that is all.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.seats.iter().all(|seat| seat.moved.is_some())
    }
}

/// Sums of a seat in one version of a coup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sums {
    due: Option<SumRange>,
    recorded: Option<i64>,
}

impl Sums {
    const NOTHING: Self = Self { due: Some(SumRange::exactly(0)), recorded: Some(0) };
    const UNKNOWN: Self = Self { due: None, recorded: None };

    fn add(&mut self, more: Self) {
        self.due = self.due.zip(more.due).map(|(one, other)| one.plus(other));
        self.recorded = self.recorded.zip(more.recorded).map(|(one, other)| one.saturating_add(other));
    }

    fn known(self) -> Option<(i64, i64)> {
        self.due.and_then(SumRange::known).zip(self.recorded)
    }
}

/// A coup in one version.
#[derive(Debug, Clone, Default)]
struct CoupSums {
    shoe: Option<String>,
    currency: Option<Currency>,
    seats: BTreeMap<u8, Sums>,
}

/// Commission that was collected: seat and amount, as first recorded and as last corrected.
#[derive(Debug, Clone)]
pub(crate) struct Collected {
    pub(crate) first: (u8, u64),
    pub(crate) last: (u8, u64),
    pub(crate) currency: Option<Currency>,
}

/// The accounts of the coups in one version of the record, and who signed corrections in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Accounts {
    coups: BTreeMap<CoupKey, CoupSums>,
    /// By the shoe in play, and the coup of the event that they correct; `None` where it is of no coup of this shoe.
    signed: BTreeMap<(u64, Option<u32>), Signers>,
    /// Collections that were corrected, by the sequence of the first.
    collected: BTreeMap<u64, (Collected, Signers)>,
}

impl Accounts {
    /// A coup is over. `bank` is the banker's seat and what the bank brought by its account, where there is one.
    pub(crate) fn coup(
        &mut self,
        coup: CoupKey,
        shoe: Option<String>,
        currency: Option<Currency>,
        account: &CoupAccount,
        bank: Option<(u8, i64)>,
    ) {
        let of = self.coups.entry(coup).or_default();
        (of.shoe, of.currency) = (shoe, currency);
        let mut seats: BTreeMap<u8, Sums> = account
            .seats
            .iter()
            .map(|seat| (seat.seat, Sums { due: seat.by_rules, recorded: seat.recorded }))
            .collect();
        if let Some((seat, net)) = bank {
            let all_known = account.seats.iter().all(|seat| seat.by_rules.is_some());
            let due = all_known.then_some(SumRange::exactly(net));
            seats.entry(seat).or_insert(Sums::NOTHING).add(Sums { due, recorded: Some(net) });
        }
        for (seat, sums) in seats {
            of.seats.entry(seat).or_insert(Sums::NOTHING).add(sums);
        }
        for other in &account.others {
            of.add(other.code, other.seat, other.minor_units);
        }
    }

    /// Something was found in a coup that is over.
    pub(crate) fn found(&mut self, coup: CoupKey, code: Code, seat: u8, minor_units: i64) {
        if let Some(of) = self.coups.get_mut(&coup) {
            of.add(code, seat, minor_units);
        }
    }

    /// Whether this coup is over.
    pub(crate) fn has(&self, shoe: u64, coup: u32) -> bool {
        self.coups.contains_key(&(shoe, coup))
    }

    pub(crate) fn sign(&mut self, shoe: u64, coup: Option<u32>, signers: &Signers) {
        self.signed.entry((shoe, coup)).or_default().join(signers);
    }

    /// Who signed a correction of something in this shoe; if nobody did, who signed one at all.
    fn signed_in(&self, shoe: u64) -> Signers {
        let mut all = Signers::default();
        let here = self.signed.range((shoe, None)..=(shoe, Some(u32::MAX)));
        here.for_each(|(_, signers)| all.join(signers));
        if all.names.is_empty() {
            self.signed.values().for_each(|signers| all.join(signers));
        }
        all
    }

    pub(crate) fn collect(&mut self, first: u64, collected: Collected, signers: &Signers) {
        let (of, signed) = self.collected.entry(first).or_insert((collected.clone(), Signers::default()));
        of.last = collected.last;
        signed.join(signers);
    }
}

impl CoupSums {
    /// Money that is not about what a recorded bet returned. An account of the bank is what was recorded of it, and how
    /// far it is off what was due; everything else came back beyond what was due.
    fn add(&mut self, code: Code, seat: u8, minor_units: i64) {
        let of = self.seats.entry(seat).or_insert(Sums::NOTHING);
        let of_commission = matches!(code, Code::CommissionMissing | Code::CommissionWrong) && seat != 0;
        let of_account = code == Code::BankWrong || of_commission;
        if of_account {
            let due = Some(SumRange::exactly(minor_units.saturating_neg()));
            of.add(Sums { due, recorded: Some(0) });
        } else {
            of.add(Sums { due: Some(SumRange::exactly(0)), recorded: Some(minor_units) });
        }
    }
}

/// What the corrections of some events moved.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    /// By shoe and number.
    pub(crate) coups: BTreeMap<(Option<String>, u32), CoupCorrected>,
    pub(crate) totals: CorrectionTotals,
}

impl Compared {
    /// Compares the record without the corrections of observations and with them.
    pub(crate) fn of(first: &Accounts, corrected: &Accounts) -> Self {
        let mut compared = Self::default();
        let signed = corrected.signed.keys().filter_map(|(shoe, coup)| Some((*shoe, (*coup)?)));
        let coups: BTreeSet<CoupKey> =
            first.coups.keys().chain(corrected.coups.keys()).copied().chain(signed).collect();
        for coup in coups {
            let own = corrected.signed.get(&(coup.0, Some(coup.1)));
            let versions = [first, corrected].map(|accounts| accounts.coups.get(&coup));
            let seats = seats_of(versions, own.is_some());
            if seats.is_empty() {
                continue;
            }
            let all = if own.is_none() { corrected.signed_in(coup.0) } else { Default::default() };
            let signers = own.unwrap_or(&all);
            let of = versions.into_iter().flatten().next_back().cloned().unwrap_or_default();
            let moved = CoupCorrected { signers: signers.spelled(), more_signers: signers.others, seats };
            compared.totals.coup(signers, of.currency, &moved);
            compared.coups.insert((of.shoe, coup.1), moved);
        }
        for (collected, signers) in corrected.collected.values() {
            let Collected { first, last, .. } = *collected;
            let moved = if first.0 == last.0 {
                u128::from(first.1.abs_diff(last.1))
            } else {
                u128::from(first.1) + u128::from(last.1)
            };
            compared.totals.collection(signers, collected.currency.clone(), moved);
        }
        compared
    }
}

/// The seats whose sums differ; of a coup with a corrected event (`own`) also those of which that is not known.
fn seats_of([first, corrected]: [Option<&CoupSums>; 2], own: bool) -> Vec<SeatCorrected> {
    let of = |version: Option<&CoupSums>, seat: u8| match version {
        Some(coup) => coup.seats.get(&seat).copied().unwrap_or(Sums::NOTHING),
        None => Sums::UNKNOWN,
    };
    let mut seats: Vec<u8> =
        [first, corrected].into_iter().flatten().flat_map(|coup| coup.seats.keys().copied()).collect();
    seats.sort_unstable();
    seats.dedup();
    if seats.is_empty() && own && (first.is_none() || corrected.is_none()) {
        // The coup is not over here: nobody knows what it would have come to.
        seats.push(0);
    }
    let compare = |seat: u8| {
        let (before, after) = (of(first, seat), of(corrected, seat));
        let known = before.known().zip(after.known());
        let moved = known.map(|(before, after)| before.0.abs_diff(after.0).max(before.1.abs_diff(after.1)));
        let differs = moved.map_or(own || before != after, |moved| moved > 0);
        differs.then_some(SeatCorrected {
            seat,
            due_first: before.due,
            due: after.due,
            recorded_first: before.recorded,
            recorded: after.recorded,
            moved,
        })
    };
    seats.into_iter().filter_map(compare).collect()
}

/// What corrections of observations moved that the same people signed, in one currency.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CorrectedBy {
    /// Who signed them: at most 16 names. Of more than 1,000 such groups the last share one row without names.
    pub signers: Vec<String>,
    /// Whether others signed too; left out if no one did.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more_signers: bool,
    /// The currency; none where a table was not opened.
    pub currency: Option<Currency>,
    /// Coups in which they moved money, or may have.
    pub coups: u64,
    /// What they moved, in minor units, as far as it is known: at each seat of these coups by how much the sum due or the
    /// sum recorded differs, whichever is more; and by how much commission collected differs.
    #[cfg_attr(feature = "schema", schema(format = "u-int128"))]
    pub moved: u128,
    /// How many of these coups moved sums that are not known, or not known for every seat.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_known: u64,
    /// Collections of commission that were corrected to another sum or seat.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub collections: u64,
    /// Corrections of an event that is missing or of an earlier shoe: what they moved is not known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub out_of_reach: u64,
}

/// Whose sums: by folded names. A row without names comes last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Key {
    folded: Vec<String>,
    others: bool,
    currency: Option<Currency>,
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = |key: &Self| (key.folded.is_empty(), key.others);
        let names = self.folded.cmp(&other.folded);
        order(self)
            .0
            .cmp(&order(other).0)
            .then(names)
            .then(order(self).cmp(&order(other)))
            .then_with(|| self.currency.cmp(&other.currency))
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What corrections of observations moved, by those who signed them and by currency.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<CorrectedBy>", into = "Vec<CorrectedBy>")]
pub struct CorrectionTotals(BTreeMap<Key, CorrectedBy>);

impl CorrectionTotals {
    /// By those who signed.
    pub fn iter(&self) -> impl Iterator<Item = &CorrectedBy> {
        self.0.values()
    }

    /// Whether no correction moved anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn coup(&mut self, signers: &Signers, currency: Option<Currency>, coup: &CoupCorrected) {
        let not_known = u64::from(!coup.is_known());
        self.add(CorrectedBy {
            coups: 1,
            moved: coup.moved(),
            not_known,
            ..CorrectedBy::by(signers, currency)
        });
    }

    fn collection(&mut self, signers: &Signers, currency: Option<Currency>, moved: u128) {
        if moved > 0 {
            self.add(CorrectedBy { collections: 1, moved, ..CorrectedBy::by(signers, currency) });
        }
    }

    /// What this correction moved is not known.
    pub(crate) fn out_of_reach(&mut self, signers: &Signers, currency: Option<Currency>) {
        self.add(CorrectedBy { out_of_reach: 1, ..CorrectedBy::by(signers, currency) });
    }

    pub(crate) fn merge(&mut self, other: Self) {
        other.0.into_values().for_each(|row| self.add(row));
    }

    fn add(&mut self, more: CorrectedBy) {
        self.insert(more);
        let is_named = |key: &Key| !key.folded.is_empty();
        if self.0.len() > MAX_CORRECTED_ROWS
            && self.0.keys().filter(|key| is_named(key)).count() > MAX_CORRECTED_ROWS
        {
            // What is joined once comes after all that stay, now and later.
            let last = self.0.keys().rev().find(|key| is_named(key)).cloned();
            if let Some(row) = last.and_then(|key| self.0.remove(&key)) {
                self.insert(CorrectedBy { signers: Vec::new(), more_signers: true, ..row });
            }
        }
    }

    fn insert(&mut self, more: CorrectedBy) {
        let key = Key {
            folded: more.signers.iter().map(|name| fold(name)).collect(),
            others: more.more_signers,
            currency: more.currency.clone(),
        };
        match self.0.get_mut(&key) {
            Some(sum) => {
                for (known, other) in sum.signers.iter_mut().zip(more.signers) {
                    if other < *known {
                        *known = other;
                    }
                }
                sum.coups += more.coups;
                sum.moved = sum.moved.saturating_add(more.moved);
                sum.not_known += more.not_known;
                sum.collections += more.collections;
                sum.out_of_reach += more.out_of_reach;
            }
            None => {
                self.0.insert(key, more);
            }
        }
    }
}

impl CorrectedBy {
    fn by(signers: &Signers, currency: Option<Currency>) -> Self {
        Self { signers: signers.spelled(), more_signers: signers.others, currency, ..Self::default() }
    }
}

impl From<Vec<CorrectedBy>> for CorrectionTotals {
    fn from(rows: Vec<CorrectedBy>) -> Self {
        let mut totals = Self::default();
        rows.into_iter().for_each(|row| totals.add(row));
        totals
    }
}

impl From<CorrectionTotals> for Vec<CorrectedBy> {
    fn from(totals: CorrectionTotals) -> Self {
        totals.0.into_values().collect()
    }
}
