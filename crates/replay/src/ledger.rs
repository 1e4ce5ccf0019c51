//! What a log comes to shoe by shoe, seat by seat and bet by bet, for whoever writes a report of it.
//!
//! It is kept only where it is asked for ([`crate::Judge::with_ledger`]). Every row is a sum, and of more rows than
//! [`MAX_LEDGER_ROWS`] those with the least keys are kept, so it does not depend on how the log was cut into windows.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use baccarat::{Coup, Winner};
use serde::Serialize;

use crate::names::fold;
use crate::{Counts, CoupVerdict, Currency, Finding};

/// Most rows of each list of a ledger.
pub const MAX_LEDGER_ROWS: usize = 20_000;

/// The totals of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Ledger {
    /// Shoes, by table and in the order of play.
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::ShoeRows))]
    pub shoes: Rows<ShoeKey, ShoeLine>,
    /// What seats got beyond what was due, or less, by the accounts of their coups and by findings outside of any, by
    /// table, seat and player.
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::OwedRows))]
    pub owed: Rows<OwedKey, Owed>,
    /// Coups of whose money something is not known, by currency: that is not zero.
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::NotKnownRows))]
    pub not_known: Rows<NotKnownKey, NotKnown>,
    /// Commission boxes of shoes that are over, by table and seat.
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::BoxRows))]
    pub boxes: Rows<BoxKey, BoxLine>,
    /// Results of the coups, by rulebook.
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::ResultsRows))]
    pub results: Rows<ResultsKey, Results>,
    /// Bets, by rulebook, currency and kind. Their stakes are those of the turnover: those of void coups are in neither.
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::BetRows))]
    pub bets: Rows<BetKey, BetLine>,
}

/// A sum that others of its kind are added to.
pub trait Sum: Default {
    /// Adds another.
    fn add(&mut self, other: Self);
}

/// Sums by key: those with the least keys, at most [`MAX_LEDGER_ROWS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows<K, V> {
    rows: BTreeMap<K, V>,
    is_cut: bool,
}

impl<K, V> Default for Rows<K, V> {
    fn default() -> Self {
        Self { rows: BTreeMap::new(), is_cut: false }
    }
}

impl<K: Ord, V: Sum> Rows<K, V> {
    /// In the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.rows.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether there are more in the log than these.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }

    fn add(&mut self, key: K, more: V) {
        self.rows.entry(key).or_default().add(more);
        if self.rows.len() > MAX_LEDGER_ROWS {
            // What is left out once comes after all that stay, now and later.
            self.rows.pop_last();
            self.is_cut = true;
        }
    }

    fn merge(&mut self, other: Self) {
        self.is_cut |= other.is_cut;
        other.rows.into_iter().for_each(|(key, more)| self.add(key, more));
    }
}

/// In JSON `rows`, each with the fields of its key and its sums, and `is_cut`.
impl<K: Serialize, V: Serialize> Serialize for Rows<K, V> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Row<'a, K, V> {
            #[serde(flatten)]
            key: &'a K,
            #[serde(flatten)]
            sums: &'a V,
        }
        #[derive(Serialize)]
        struct Listed<'a, K, V> {
            rows: Vec<Row<'a, K, V>>,
            is_cut: bool,
        }
        let rows = self.rows.iter().map(|(key, sums)| Row { key, sums }).collect();
        Listed { rows, is_cut: self.is_cut }.serialize(serializer)
    }
}

/// Which shoe.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ShoeKey {
    /// The table.
    pub table: String,
    /// Sequence of the event that loaded it; 0 for what was played before any was loaded.
    pub loaded: u64,
}

/// What one shoe came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ShoeLine {
    /// Its name; none for what was played without one.
    pub shoe: Option<String>,
    /// Id of the rulebook that its coups were judged by, of several the last; none where none was known.
    pub rulebook: Option<String>,
    /// Its result, once it is over.
    pub verdict: Option<CoupVerdict>,
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::CoupsByResult))]
    coups: CoupSums,
    /// Findings, without those that follow from others.
    pub findings: u64,
}

/// How bad a result is, beside others of the same shoe.
const fn badness(verdict: CoupVerdict) -> u8 {
    match verdict {
        CoupVerdict::Certified | CoupVerdict::Judged => 0,
        CoupVerdict::Undecided => 1,
        CoupVerdict::Violated => 2,
    }
}

/// Coups by result. A coup may be counted in one part of the record and turn out otherwise in another, so that one part
/// alone may come to less than nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct CoupSums {
    certified: i64,
    is_unsealed: bool,
    subject_to_ruling: i64,
    violated: i64,
    undecided: i64,
}

impl CoupSums {
    const fn counts(self) -> Counts {
        let certified = at_least_zero(self.certified);
        let ruled = at_least_zero(self.subject_to_ruling);
        let counts = Counts {
            certified,
            judged: 0,
            violated: at_least_zero(self.violated),
            undecided: at_least_zero(self.undecided),
            subject_to_ruling: if ruled < certified { ruled } else { certified },
        };
        if self.is_unsealed { counts.unsealed() } else { counts }
    }

    const fn count(&mut self, verdict: CoupVerdict, is_ruled: bool, by: i64) {
        match verdict {
            CoupVerdict::Certified | CoupVerdict::Judged => {
                self.certified += by;
                if is_ruled {
                    self.subject_to_ruling += by;
                }
            }
            CoupVerdict::Violated => self.violated += by,
            CoupVerdict::Undecided => self.undecided += by,
        }
    }
}

const fn at_least_zero(count: i64) -> u64 {
    if count < 0 { 0 } else { count.unsigned_abs() }
}

impl Serialize for CoupSums {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written {
            coups: Counts,
        }
        Written { coups: self.counts() }.serialize(serializer)
    }
}

impl ShoeLine {
    /// Its coups by result.
    #[must_use]
    pub const fn coups(&self) -> Counts {
        self.coups.counts()
    }
}

impl Sum for ShoeLine {
    fn add(&mut self, other: Self) {
        self.shoe = self.shoe.take().or(other.shoe);
        self.rulebook = other.rulebook.or(self.rulebook.take());
        // Where parts of the record differ, the worst holds.
        self.verdict = self.verdict.into_iter().chain(other.verdict).max_by_key(|verdict| badness(*verdict));
        self.findings += other.findings;
        let (coups, more) = (&mut self.coups, other.coups);
        coups.certified += more.certified;
        coups.subject_to_ruling += more.subject_to_ruling;
        coups.violated += more.violated;
        coups.undecided += more.undecided;
    }
}

/// Whose money, and where. Two spellings of one name are one player; the one that came first is kept.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OwedKey {
    /// The table.
    pub table: String,
    /// The seat.
    pub seat: u8,
    /// Who had bets, or the bank, at the seat in that coup, by their names in the record; empty if it has none.
    pub players: Vec<String>,
    /// The currency; none where the table was not opened.
    pub currency: Option<Currency>,
}

impl Ord for OwedKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let folded = |key: &Self| key.players.iter().map(|name| fold(name)).collect::<Vec<_>>();
        let players = || match self.players == other.players {
            true => Ordering::Equal,
            false => folded(self).cmp(&folded(other)),
        };
        let by_place = (&self.table, self.seat).cmp(&(&other.table, other.seat));
        by_place.then_with(players).then_with(|| self.currency.cmp(&other.currency))
    }
}

impl PartialOrd for OwedKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for OwedKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OwedKey {}

/// Money that went the wrong way, in minor units.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Owed {
    /// Findings that moved it.
    pub findings: u64,
    /// Got beyond what was due.
    pub gained: u128,
    /// Got less than what was due.
    pub lost: u128,
    /// Stakes whose difference is not known: how much had to come back, or whether anything did.
    pub undecided: u128,
    /// Commission that was paid after it was due, and that is therefore no longer in what was gained.
    pub paid_late: u128,
    /// Whether more may have been gained or lost: what is certain of it is in these sums.
    #[serde(skip_serializing_if = "is_exact")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub at_least: bool,
    /// What of it was not taken off what was gained yet: the finding may be in another part of the log.
    #[serde(skip)]
    pub(crate) paid_before: u128,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it so")]
const fn is_exact(at_least: &bool) -> bool {
    !*at_least
}

impl Sum for Owed {
    fn add(&mut self, other: Self) {
        self.findings += other.findings;
        self.gained = self.gained.saturating_add(other.gained);
        self.lost = self.lost.saturating_add(other.lost);
        self.undecided = self.undecided.saturating_add(other.undecided);
        self.paid_late = self.paid_late.saturating_add(other.paid_late);
        self.at_least |= other.at_least;
        let paid = self.paid_before.saturating_add(other.paid_before);
        let settled = paid.min(self.gained);
        (self.gained, self.paid_before) = (self.gained - settled, paid - settled);
    }
}

impl Owed {
    /// Whether no money went the wrong way, for however long, and none may have.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.gained == 0 && self.lost == 0 && self.undecided == 0 && self.paid_late == 0
    }

    /// Commission was paid after it was due.
    pub(crate) fn paid_late(sum: u128) -> Self {
        Self { paid_late: sum, paid_before: sum, ..Self::default() }
    }

    /// A seat got this much beyond what was due, or less; so many findings moved it.
    pub(crate) fn moved(minor_units: i64, findings: u64) -> Self {
        let sum = u128::from(minor_units.unsigned_abs());
        let (gained, lost) = if minor_units > 0 { (sum, 0) } else { (0, sum) };
        Self { findings, gained, lost, ..Self::default() }
    }
}

/// Of which coups something is not known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NotKnownKey {
    /// The currency; none where the table was not opened.
    pub currency: Option<Currency>,
}

/// Coups of whose money something is not known: what came back for a bet, what had to come back by the rules, or what the
/// bank got. In minor units.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NotKnown {
    /// How many.
    pub coups: u64,
    /// Stakes of those of their bets of which it is not known.
    pub staked: u128,
    /// What came back for these bets, as far as the record says.
    pub returned: u128,
}

impl Sum for NotKnown {
    fn add(&mut self, other: Self) {
        self.coups += other.coups;
        self.staked = self.staked.saturating_add(other.staked);
        self.returned = self.returned.saturating_add(other.returned);
    }
}

/// Which commission box.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BoxKey {
    /// The table.
    pub table: String,
    /// The seat.
    pub seat: u8,
    /// The currency; none where the table was not opened.
    pub currency: Option<Currency>,
}

/// What a seat's box came to, over the shoes that are over, in minor units.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BoxLine {
    /// Shoes in which something was marked or collected.
    pub shoes: u64,
    /// Marked.
    pub marked: u128,
    /// Collected.
    pub collected: u128,
    /// Marked and not collected by the end of its shoe.
    pub outstanding: u128,
}

impl Sum for BoxLine {
    fn add(&mut self, other: Self) {
        self.shoes += other.shoes;
        self.marked = self.marked.saturating_add(other.marked);
        self.collected = self.collected.saturating_add(other.collected);
        self.outstanding = self.outstanding.saturating_add(other.outstanding);
    }
}

/// Whose results.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ResultsKey {
    /// The rulebook's id.
    pub rulebook: String,
}

/// Results of coups that were settled, by the hands as dealt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Results {
    /// Coups whose hands are known.
    pub coups: u64,
    /// Won by punto.
    pub punto: u64,
    /// Won by banca.
    pub banca: u64,
    /// Ties.
    pub tie: u64,
    /// Coups in which a hand had a natural.
    pub natural: u64,
    /// Coups of four, five and six cards.
    pub cards: [u64; 3],
}

impl Results {
    pub(crate) fn of(coup: &Coup) -> Self {
        let won = |winner| u64::from(coup.winner() == winner);
        let cards = coup.punto.count() + coup.banca.count();
        Self {
            coups: 1,
            punto: won(Winner::Punto),
            banca: won(Winner::Banca),
            tie: won(Winner::Tie),
            natural: u64::from(coup.punto.is_natural() || coup.banca.is_natural()),
            cards: [4, 5, 6].map(|count| u64::from(cards == count)),
        }
    }
}

impl Sum for Results {
    fn add(&mut self, other: Self) {
        self.coups += other.coups;
        self.punto += other.punto;
        self.banca += other.banca;
        self.tie += other.tie;
        self.natural += other.natural;
        for (sum, more) in self.cards.iter_mut().zip(other.cards) {
            *sum += more;
        }
    }
}

/// Which bets.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BetKey {
    /// The rulebook's id; empty where none was known.
    pub rulebook: String,
    /// The currency; none where the table was not opened.
    pub currency: Option<Currency>,
    /// Kind, as the rulebook names it; `?` where it does not.
    pub kind: String,
}

/// Bets that have a line in their settlement, and stakes of those that have none, in minor units.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BetLine {
    /// How many.
    pub bets: u64,
    /// Their stakes.
    pub staked: u128,
    /// Stakes of further bets, which no settlement mentions: these are not among those staked.
    pub open: u128,
    /// Returned as recorded, stakes included.
    pub returned: u128,
    /// Commission as recorded, collected or marked.
    pub commission: u128,
    /// The part of it that was marked in boxes: it was not taken out of what was returned.
    pub marked: u128,
}

impl BetLine {
    /// What the house kept of the stakes, or else what came back beyond them: one of the two is 0. Commission that was
    /// marked counts as kept.
    #[must_use]
    pub const fn kept(&self) -> (u128, u128) {
        let in_all = self.staked.saturating_add(self.marked);
        (in_all.saturating_sub(self.returned), self.returned.saturating_sub(in_all))
    }
}

impl Sum for BetLine {
    fn add(&mut self, other: Self) {
        self.bets += other.bets;
        self.staked = self.staked.saturating_add(other.staked);
        self.open = self.open.saturating_add(other.open);
        self.returned = self.returned.saturating_add(other.returned);
        self.commission = self.commission.saturating_add(other.commission);
        self.marked = self.marked.saturating_add(other.marked);
    }
}

impl Ledger {
    /// Id of the rulebook by which coups of a table were judged last.
    #[must_use]
    pub fn last_rulebook(&self, table: &str) -> Option<&str> {
        let of = |loaded| ShoeKey { table: table.to_owned(), loaded };
        let mut lines = self.shoes.rows.range(of(0)..=of(u64::MAX)).rev();
        lines.find_map(|(_, line)| line.rulebook.as_deref())
    }

    /// The same of a log whose seal was not shown to hold: nothing in it is certified.
    #[must_use]
    pub fn unsealed(mut self) -> Self {
        for line in self.shoes.rows.values_mut() {
            line.coups.is_unsealed = true;
            line.verdict = line.verdict.map(CoupVerdict::unsealed);
        }
        self
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.shoes.merge(other.shoes);
        self.owed.merge(other.owed);
        self.not_known.merge(other.not_known);
        self.boxes.merge(other.boxes);
        self.results.merge(other.results);
        self.bets.merge(other.bets);
    }

    fn shoe(&mut self, key: ShoeKey, line: ShoeLine) {
        self.shoes.add(key, line);
    }

    /// A coup of this shoe is over, or (`by` -1) was counted so and turns out otherwise.
    pub(crate) fn coup(&mut self, key: ShoeKey, shoe: Option<String>, result: (CoupVerdict, bool), by: i64) {
        let mut coups = CoupSums::default();
        coups.count(result.0, result.1, by);
        self.shoe(key, ShoeLine { shoe, coups, ..ShoeLine::default() });
    }

    /// Coups of this shoe are judged by this rulebook.
    pub(crate) fn judged_by(&mut self, key: ShoeKey, rulebook: &str) {
        let is_known = |line: &ShoeLine| line.rulebook.as_deref() == Some(rulebook);
        if !self.shoes.rows.get(&key).is_some_and(is_known) {
            self.shoe(key, ShoeLine { rulebook: Some(rulebook.to_owned()), ..ShoeLine::default() });
        }
    }

    /// A shoe is over, or turns out worse.
    pub(crate) fn end_shoe(&mut self, key: ShoeKey, shoe: Option<String>, verdict: CoupVerdict) {
        self.shoe(key, ShoeLine { shoe, verdict: Some(verdict), ..ShoeLine::default() });
    }

    /// Something was found in this shoe.
    pub(crate) fn found(&mut self, finding: &Finding, loaded: Option<u64>) {
        if let (Some(loaded), None) = (loaded, finding.cause) {
            let key = ShoeKey { table: finding.table.clone(), loaded };
            let line = ShoeLine { shoe: finding.shoe.clone(), findings: 1, ..ShoeLine::default() };
            self.shoe(key, line);
        }
    }

    pub(crate) fn owed(&mut self, key: OwedKey, owed: Owed) {
        self.owed.add(key, owed);
    }

    pub(crate) fn not_known(&mut self, currency: Option<Currency>, not_known: NotKnown) {
        self.not_known.add(NotKnownKey { currency }, not_known);
    }

    pub(crate) fn boxed(&mut self, key: BoxKey, line: BoxLine) {
        self.boxes.add(key, line);
    }

    pub(crate) fn result(&mut self, rulebook: &str, results: Results) {
        self.results.add(ResultsKey { rulebook: rulebook.to_owned() }, results);
    }

    pub(crate) fn bet(&mut self, key: BetKey, line: BetLine) {
        self.bets.add(key, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u64) -> ShoeKey {
        ShoeKey { table: "T".to_owned(), loaded: number }
    }

    /// One player whose name two systems write in two ways is owed one sum.
    #[test]
    fn spellings_of_one_name_are_one_row() {
        let mut owed = Rows::<OwedKey, Owed>::default();
        for (name, lost) in [("Jos\u{e9}", 5), ("JOSE\u{301}", 7), ("Jose", 11)] {
            let (table, players) = ("T".to_owned(), vec![name.to_owned()]);
            let key = OwedKey { table, seat: 1, players, currency: None };
            owed.add(key, Owed { findings: 1, lost, ..Owed::default() });
        }
        let sums: Vec<(&str, u128)> =
            owed.rows.iter().map(|(key, owed)| (key.players[0].as_str(), owed.lost)).collect();
        assert_eq!(sums, [("Jose", 11), ("Jos\u{e9}", 12)]);
    }

    #[test]
    fn rows_beyond_the_most_are_those_with_the_greatest_keys_in_whatever_order_they_come() {
        let most = MAX_LEDGER_ROWS as u64;
        let numbers: Vec<u64> = (0..most + 50).collect();
        let of = |numbers: &mut dyn Iterator<Item = u64>| {
            let mut ledger = Ledger::default();
            numbers.for_each(|number| ledger.coup(key(number), None, (CoupVerdict::Violated, false), 1));
            ledger
        };
        let rising = of(&mut numbers.iter().copied());
        let falling = of(&mut numbers.iter().rev().copied());
        assert_eq!(rising, falling);
        assert!(rising.shoes.is_cut());
        assert_eq!(
            (rising.shoes.len() as u64, rising.shoes.iter().last().expect("a shoe").0.loaded),
            (most, most - 1)
        );
        let mut joined = of(&mut numbers[..30_000.min(numbers.len())].iter().copied());
        joined.merge(of(&mut std::iter::empty()));
        assert_eq!(joined.shoes.len() as u64, most);
    }

    #[test]
    fn a_coup_that_turns_out_otherwise_in_a_later_part_is_counted_once() {
        let (mut first, mut later) = (Ledger::default(), Ledger::default());
        first.coup(key(1), Some("S".to_owned()), (CoupVerdict::Certified, true), 1);
        first.end_shoe(key(1), Some("S".to_owned()), CoupVerdict::Certified);
        later.coup(key(1), None, (CoupVerdict::Certified, true), -1);
        later.coup(key(1), None, (CoupVerdict::Violated, false), 1);
        later.end_shoe(key(1), None, CoupVerdict::Violated);
        later.merge(first);
        let (_, line) = later.shoes.iter().next().expect("a shoe");
        assert_eq!(line.coups(), Counts { violated: 1, ..Counts::default() });
        assert_eq!((line.shoe.as_deref(), line.verdict), (Some("S"), Some(CoupVerdict::Violated)));
    }
}
