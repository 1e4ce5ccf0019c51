//! What missing events may mend: what is wrong may have been corrected in them (`docs/judging.md`, "A correction that may be
//! missing"). It is counted for each shoe, once everything in it is found.

use std::collections::{BTreeMap, BTreeSet};

use baccarat::{BurnMethod, Rulebook};
use events::Body;

use super::before::Before;
use super::doubt::Open;
use super::gaps::Gaps;
use super::{Found, TableChecked};
use crate::mended::{Cluster, Judged, MendedBy, explained};
use crate::reading::{CardRecord, CoupRecord, Explanation, Misread, Reading, ShoeRecord};
use crate::settled_before::Moment;
use crate::shoe::composition::holds_exactly;
use crate::shoe::{opens, reads_otherwise};
use crate::{Code, SeatMoney};

/// A wrong event, and the last sequence before which its correction may be missing.
type Wrong = (u64, u64);

/// Drops what missing events may have corrected, and leaves it open. `rules`: of each shoe.
pub(super) fn mend<'m>(
    reading: &Reading<'_>,
    before: &Before<'_>,
    rules: &dyn Fn(usize) -> Option<&'m Rulebook>,
    checked: &mut TableChecked,
) {
    let gaps = &before.gaps;
    if gaps.is_empty() {
        return;
    }
    for (at, shoe) in reading.shoes.iter().enumerate() {
        let begins = |shoe: &ShoeRecord<'_>| shoe.loading.is_some() || shoe.is_loading_lost;
        let next = reading.shoes.iter().skip(at + 1).find(|shoe| begins(shoe));
        let of = Shoe {
            reading,
            shoe,
            rules: rules(at),
            gaps,
            until: next.map_or(u64::MAX, |shoe| shoe.began),
            misread: misread(shoe, before),
            wrong: BTreeMap::new(),
            clusters: [None; 2],
            wrong_result: None,
            wrong_accounts: BTreeMap::new(),
        };
        if gaps.between(of.from(), of.until).next().is_some() {
            of.mend(at, checked);
        }
    }
}

/// One shoe, while it is worked out what would have to be corrected.
struct Shoe<'m, 'a> {
    reading: &'m Reading<'a>,
    shoe: &'m ShoeRecord<'a>,
    rules: Option<&'m Rulebook>,
    gaps: &'m Gaps,
    /// Where the next shoe is loaded.
    until: u64,
    /// Sequences of cards that were read otherwise than the order has them that was revealed.
    misread: Vec<u64>,
    wrong: BTreeMap<u64, u64>,
    /// Of each cluster: the first that was found in it since a gap.
    clusters: [Option<Wrong>; 2],
    /// What is wrong with the last result that is: whose turn it is follows from results.
    wrong_result: Option<Wrong>,
    /// Accounts of the bank that are wrong, by where they are found, with what each moved.
    wrong_accounts: BTreeMap<u64, Vec<SeatMoney>>,
}

impl Shoe<'_, '_> {
    fn mend(mut self, at: usize, checked: &mut TableChecked) {
        let is_own = |found: &Found| found.shoe.map_or(at == 0, |shoe| shoe == at);
        let mut own: Vec<usize> =
            (0..checked.found.len()).filter(|one| checked.found.get(*one).is_some_and(is_own)).collect();
        own.sort_by_key(|one| self.shown_at(&checked.found[*one]));
        let totals: BTreeSet<u64> = checked
            .found
            .iter()
            .filter(|found| found.code == Code::TotalWrong)
            .map(|found| found.sequence)
            .collect();
        let mut needed: BTreeMap<usize, Vec<Wrong>> = BTreeMap::new();
        for one in own {
            let found = &checked.found[one];
            let perhaps_void = self.coup(found).is_some_and(|coup| {
                let place = self.shoe.coups.iter().position(|other| other.began == coup.began);
                let of = place.and_then(|place| checked.coups.get(&(at, place)));
                of.is_some_and(|of| of.checked.open == Some(Open::PerhapsVoid))
            });
            let misread = totals.contains(&self.shown_at(found)) || self.is_face_in_doubt(found);
            let wrong = self.needs_corrected(found, misread, perhaps_void);
            if let Some(first) = wrong.first() {
                if self.is_of_settlement(found) {
                    self.wrong_result = Some(*first);
                }
                wrong.iter().for_each(|(sequence, until)| {
                    self.wrong.entry(*sequence).or_insert(*until);
                });
                needed.insert(one, wrong);
            }
        }
        let gaps: Vec<(u64, u64)> = self
            .gaps
            .between(self.from(), self.until)
            .map(|(first, gap)| (first, gap.others()))
            .filter(|(_, events)| *events > 0)
            .collect();
        let explained = explained(self.wrong.iter().map(|(sequence, until)| (*sequence, *until)), &gaps);
        let is_mended = |wrong: &Vec<Wrong>| wrong.iter().all(|(sequence, _)| explained.contains(sequence));
        let mended: BTreeSet<usize> =
            needed.iter().filter(|(_, wrong)| is_mended(wrong)).map(|(one, _)| *one).collect();
        for one in &mended {
            self.leave_open(at, &checked.found[*one].clone(), checked);
        }
        for coup in
            self.shoe.coups.iter().enumerate().filter(|(_, coup)| has_any(coup, &self.misread, &explained))
        {
            doubt(checked, (at, coup.0));
        }
        let mut place = 0;
        checked.found.retain(|_| {
            place += 1;
            !mended.contains(&(place - 1))
        });
    }

    /// It is not known of its coup, or else of the shoe, whether all is right.
    fn leave_open(&self, at: usize, found: &Found, checked: &mut TableChecked) {
        let own = self.coup(found).map(|coup| coup.began);
        let place = own.and_then(|began| self.shoe.coups.iter().position(|coup| coup.began == began));
        match place {
            Some(place) => {
                doubt(checked, (at, place));
                if let Some(coup) = checked.coups.get_mut(&(at, place)) {
                    coup.checked.found.retain(|one| (one.sequence, one.code) != (found.sequence, found.code));
                    coup.leave_open(&found.bets, found.code.has_counterfactual());
                }
            }
            None => {
                checked.shoes.entry(at).or_insert(Open::MayBeMended);
            }
        }
    }

    /// From where on events that are missing may be of this shoe.
    fn from(&self) -> u64 {
        let lost = self.shoe.is_loading_lost.then_some(self.shoe.began);
        self.shoe.loading.map(|loading| loading.sequence).or(lost).unwrap_or(0)
    }

    /// The coup that something is found in.
    fn coup(&self, found: &Found) -> Option<&CoupRecord<'_>> {
        let of_number = self.shoe.coups.iter().filter(|coup| Some(coup.number) == found.coup);
        let (before, after): (Vec<_>, Vec<_>) = of_number.partition(|coup| coup.began <= found.sequence);
        before.last().or(after.first()).copied()
    }

    /// Whether it may follow from one card of its coup that was misread, or from a total, as the reading has it.
    fn is_face_in_doubt(&self, found: &Found) -> bool {
        let of_coup = self
            .shoe
            .remarks
            .iter()
            .filter(|remark| found.coup.is_some_and(|coup| remark.coups.contains(&coup)));
        of_coup
            .flat_map(|remark| remark.alternatives.iter().flatten())
            .any(|of| matches!(of, Explanation::Misread { what: Misread::Face(..) | Misread::Total(_), .. }))
    }

    /// Where something shows: with the settlement of its coup, if it is on the draws or in the account of the bank.
    fn shown_at(&self, found: &Found) -> u64 {
        let of_account =
            matches!(found.code, Code::BankWrong | Code::CommissionMissing | Code::CommissionWrong);
        let with_settlement = of_account || found.code.has_counterfactual();
        self.settled(found)
            .filter(|_| with_settlement)
            .map_or(found.sequence, |settled| settled.max(found.sequence))
    }

    /// Where the coup of something is settled, if it was not declared void before.
    fn settled(&self, found: &Found) -> Option<u64> {
        let coup = self.coup(found)?;
        let settled = coup.settlements.first()?;
        let voids = |body: &Body| matches!(body, Body::CoupVoided(_));
        let is_void = coup.rulings.iter().any(|told| voids(told.value) && told.sequence < settled.sequence);
        (!is_void).then(|| settled.corrected_by.unwrap_or(settled.sequence))
    }

    /// Whether it is found at a settlement.
    fn is_of_settlement(&self, found: &Found) -> bool {
        let settlements = self.shoe.coups.iter().flat_map(|coup| &coup.settlements);
        let at = self.shown_at(found);
        settlements.into_iter().any(|told| told.sequence == at || told.corrected_by == Some(at))
    }

    fn judged(&self, found: &Found) -> Judged {
        let is_here =
            |sequence: u64, by: Option<u64>| sequence == found.sequence || by == Some(found.sequence);
        let limits = self.reading.around.iter().filter(|told| matches!(told.value, Body::LimitsChanged(_)));
        if self.is_of_settlement(found) {
            Judged::Settlement
        } else if limits.into_iter().any(|told| is_here(told.sequence, told.corrected_by)) {
            Judged::Limits
        } else {
            Judged::Other
        }
    }

    /// The events that would have to be corrected for it to be no finding. `misread`: a total that was announced is not that
    /// of the cards.
    fn needs_corrected(&mut self, found: &Found, misread: bool, perhaps_void: bool) -> Vec<Wrong> {
        let at = found.sequence;
        let always = |sequence: u64| vec![(sequence, u64::MAX)];
        let loaded = self.from();
        let first_card = self.next_card(loaded);
        let early = self.gaps.between(loaded, first_card.min(self.until)).map(|(gap, _)| gap).last();
        let misloaded = self.wrong.contains_key(&loaded) || early.is_some_and(|gap| gap <= at);
        let loading = || vec![(loaded, first_card)];
        let settled = self.settled(found);
        if let Some(account) = self.wrong_account_under(found) {
            return always(account);
        }
        let of_commission = matches!(found.code, Code::CommissionMissing | Code::CommissionWrong);
        let taken = self.bank_taken(at);
        match found.code.mended_by(self.judged(found)) {
            MendedBy::Nothing => Vec::new(),
            MendedBy::Burn => self.burn_before(at).map(always).unwrap_or_default(),
            MendedBy::Decision(moment) => vec![(at, self.until(moment, at))],
            MendedBy::AnyOf(cluster) => vec![self.first_of(cluster, found)],
            MendedBy::FacesOrLoading if misloaded && reveals_other_decks(self.shoe) => loading(),
            MendedBy::FacesOrLoading => self.misread.iter().map(|card| (*card, u64::MAX)).collect(),
            MendedBy::ItsEventOrLoading if misloaded => loading(),
            MendedBy::ItsEvent if misloaded && found.code == Code::BurnCount && self.burns_by_decks() => {
                loading()
            }
            // The face of one card makes the result right, and all that follows from it; which card is not known.
            MendedBy::ItsEvent | MendedBy::FaceAndResult if misread => self.faces(found),
            // Whose abonos are the banker's own decides the commission.
            MendedBy::ItsEvent if of_commission && taken.is_some() => taken.into_iter().collect(),
            MendedBy::ItsEvent | MendedBy::ItsEventOrLoading => {
                if found.code == Code::BankWrong && self.is_of_settlement(found) {
                    self.wrong_accounts.entry(at).or_insert_with(|| found.money.clone());
                }
                always(at)
            }
            MendedBy::FaceAndResult => {
                // Its result is not recorded, or may be that of a void coup.
                let result = settled.filter(|_| !perhaps_void).map(|settled| (settled, u64::MAX));
                self.faces(found).into_iter().chain(result).collect()
            }
        }
    }

    /// Where the account is found that says what the bank holds, if that is wrong and this follows from it.
    fn wrong_account_under(&self, found: &Found) -> Option<u64> {
        let now = self.shown_at(found);
        let settled = self.shoe.coups.iter().filter_map(|coup| {
            let (settled, account) = (coup.settlements.first()?, coup.chemin.accounts.first()?);
            let is_before = account.sequence < settled.sequence && settled.sequence < now;
            is_before.then(|| (settled.sequence, account.corrected_by.unwrap_or(account.sequence)))
        });
        let (settled, account) = settled.max()?;
        if self.taken().any(|taken| settled < taken && taken < now) {
            return None;
        }
        let money = self.wrong_accounts.get(&account)?;
        let undone = |of: &SeatMoney| money.contains(&SeatMoney { minor_units: -of.minor_units, ..*of });
        let goes_back = || found.money.len() == money.len() && found.money.iter().all(undone);
        let follows = if found.code == Code::BankWrong { goes_back() } else { found.code.rests_on_bank() };
        follows.then_some(account)
    }

    /// Sequences at which a bank was taken in the shoe.
    fn taken(&self) -> impl Iterator<Item = u64> {
        let taken = self.reading.around.iter().filter(|told| matches!(told.value, Body::BankTaken(_)));
        let from = self.from();
        taken.map(|told| told.sequence).filter(move |taken| *taken > from)
    }

    /// The last bank that was taken before this, if who took it, and with what, may have been corrected before the cards.
    fn bank_taken(&self, at: u64) -> Option<Wrong> {
        let taken = self.taken().filter(|taken| *taken <= at).max()?;
        let gaps = self.gaps.between(taken, self.next_card(taken)).filter(|(_, gap)| gap.others() > 0);
        Some((taken, gaps.map(|(first, _)| first).last()?))
    }

    /// Whether as many cards are burned as the shoe has decks.
    fn burns_by_decks(&self) -> bool {
        self.rules.is_some_and(|rules| rules.burn.method == BurnMethod::Decks)
    }

    /// What stands for the event of a cluster that may have been recorded wrongly, and until when it may be corrected.
    fn first_of(&mut self, cluster: Cluster, found: &Found) -> Wrong {
        let at = found.sequence;
        let stakes = self.betting(found);
        let turns = self.clusters[0];
        let of_betting = |(first, _): &Wrong| stakes.0 < *first && *first <= stakes.1;
        let place = match cluster {
            Cluster::Stakes => return turns.filter(of_betting).unwrap_or(stakes),
            Cluster::StakesOrTurns if self.wrong.contains_key(&stakes.0) => return stakes,
            Cluster::StakesOrTurns | Cluster::Turns => 0,
            Cluster::Boxes => 1,
        };
        if let Some(taken) = self.bank_taken(at).filter(|_| place == 0) {
            return taken;
        }
        let no_gap_since =
            |(first, _): &Wrong| self.gaps.between(*first, at).all(|(_, gap)| gap.others() == 0);
        let before = self.clusters[place].filter(no_gap_since);
        let result = self.wrong_result.filter(no_gap_since).filter(|_| place == 0);
        let first = before.or(result).unwrap_or((at, u64::MAX));
        self.clusters[place] = Some(first);
        first
    }

    /// The last card to a hand before the bets that something is found in, and until when they may be corrected.
    fn betting(&self, found: &Found) -> Wrong {
        let at = found.sequence;
        let own = self.coup(found).and_then(first_card);
        match own {
            Some(first) if at > first => (at, at),
            own => {
                let next = own.unwrap_or_else(|| self.next_card(at));
                (self.cards().filter(|card| *card < next).max().unwrap_or(0), next)
            }
        }
    }

    /// The cards of its coup that were read otherwise than the order of the shoe has them. Without such an order it is not
    /// known which was misread: it counts as the first.
    fn faces(&self, found: &Found) -> Vec<Wrong> {
        let coup = self.coup(found);
        let cards: Vec<u64> =
            coup.into_iter().flat_map(|coup| &coup.cards).filter_map(|card| card.sequence).collect();
        let is_own = |card: &&u64| cards.contains(card);
        let misread: Vec<Wrong> = self.misread.iter().filter(is_own).map(|card| (*card, u64::MAX)).collect();
        if misread.is_empty() {
            let first = coup.and_then(first_card).unwrap_or(found.sequence);
            return vec![(first, u64::MAX)];
        }
        misread
    }

    /// The burn before a card, if that is the first after it.
    fn burn_before(&self, card: u64) -> Option<u64> {
        let burn = self.shoe.burns.iter().map(|told| told.sequence).filter(|burn| *burn < card).max()?;
        let all = self.shoe.coups.iter().flat_map(|coup| &coup.cards);
        let first = all
            .filter_map(|card| Some((card.sequence?, card.corrected_by)))
            .filter(|(at, _)| *at > burn)
            .min()?;
        (first.0 == card || first.1 == Some(card)).then_some(burn)
    }

    /// Where a moment is past after a decision that names no coup.
    fn until(&self, moment: Moment, at: u64) -> u64 {
        match moment {
            Moment::FirstCard | Moment::NextCard => self.next_card(at),
            Moment::CoupBegun => {
                let begins = self.shoe.coups.iter().flat_map(begins);
                begins.filter(|begins| *begins > at).min().unwrap_or(u64::MAX)
            }
        }
    }

    /// Sequences of the cards to a hand, of all shoes.
    fn cards(&self) -> impl Iterator<Item = u64> {
        let coups = self.reading.shoes.iter().flat_map(|shoe| &shoe.coups);
        let hands = coups.flat_map(|coup| &coup.cards).filter(|card| card.to.side().is_some());
        hands.filter_map(|card| card.sequence)
    }

    fn next_card(&self, at: u64) -> u64 {
        self.cards().filter(|card| *card > at).min().unwrap_or(u64::MAX)
    }
}

/// Sequences of all of a coup with which one may begin.
fn begins(coup: &CoupRecord<'_>) -> impl Iterator<Item = u64> {
    let bets = coup.bets.iter().map(|bet| bet.placed.sequence);
    let abonos = coup.chemin.abonos.iter().map(|abono| abono.placed.sequence);
    let calls = coup.chemin.calls.iter().map(|told| told.sequence);
    let closes = coup.closes.iter().map(|told| told.sequence);
    let cards = coup.cards.iter().filter_map(|card| card.sequence);
    let settled = coup.settlements.first().map(|told| told.sequence);
    bets.chain(abonos).chain(calls).chain(closes).chain(cards).chain(settled)
}

/// Sequence of the first card of a coup.
fn first_card(coup: &CoupRecord<'_>) -> Option<u64> {
    let hands = coup.cards.iter().filter(|card| card.to.side().is_some());
    hands.filter_map(|card| card.sequence).min()
}

fn has_any(coup: &CoupRecord<'_>, misread: &[u64], explained: &BTreeSet<u64>) -> bool {
    let mut cards = coup.cards.iter().filter_map(|card| card.sequence);
    cards.any(|card| misread.contains(&card) && explained.contains(&card))
}

fn doubt(checked: &mut TableChecked, place: (usize, usize)) {
    if let Some(coup) = checked.coups.get_mut(&place) {
        coup.checked.open = coup.checked.open.or(Some(Open::MayBeMended));
    }
}

/// Sequences of the cards that were read otherwise than the order has them, if that was revealed rightly.
fn misread(shoe: &ShoeRecord<'_>, before: &Before<'_>) -> Vec<u64> {
    let order = || {
        let (loaded, reveal) = (shoe.loading?.value, shoe.ends.first()?.value.reveal.as_ref()?);
        let is_its_own = opens(&loaded.order_commitment.as_ref()?.0, reveal);
        (is_its_own && holds_exactly(&reveal.order, loaded.decks)).then_some(&reveal.order)
    };
    let Some(order) = order() else { return Vec::new() };
    let is_other = |position: u16, face| {
        let is = usize::from(position).checked_sub(1).and_then(|at| order.get(at));
        is.is_some_and(|is| reads_otherwise(face, *is))
    };
    let cards = shoe.coups.iter().flat_map(|coup| &coup.cards);
    // As it was recorded: the reading may say that it is not known.
    let is_misread =
        |card: &&CardRecord| match card.sequence.and_then(|at| before.said(at, card.corrected_by)) {
            Some(Body::CardDrawn(drawn)) => is_other(drawn.position, drawn.card),
            Some(_) | None => false,
        };
    let burns = shoe.burns.iter().filter(|told| is_other(1, told.value.indicator)).map(|told| told.sequence);
    let dealt = cards.filter(is_misread).filter_map(|card| card.sequence);
    let mut all: Vec<u64> = burns.chain(dealt).collect();
    all.sort_unstable();
    all
}

/// Whether the shoe's order, as it was revealed, holds the cards of other decks.
fn reveals_other_decks(shoe: &ShoeRecord<'_>) -> bool {
    let other = || {
        let (loaded, reveal) = (shoe.loading?.value, shoe.ends.first()?.value.reveal.as_ref()?);
        let is_its_own = opens(&loaded.order_commitment.as_ref()?.0, reveal);
        Some(is_its_own && !holds_exactly(&reveal.order, loaded.decks))
    };
    other().unwrap_or(false)
}
