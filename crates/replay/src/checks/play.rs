//! What checks of coups need to know of what came before: the limits that bind a coup, what was ruled on it, who plays, which
//! ids were used, what is in the boxes.

use std::collections::{BTreeMap, VecDeque};

use events::{Body, CorrectionRecorded, Name};
use serde::{Deserialize, Serialize};

use super::Checked;
use super::before::Before;
use super::boxes::{BoxesOver, Commission};
use super::corrections::cannot_become;
use super::doubt::Open;
use super::index::Index;
use super::limits::InForce;
use super::moments::{Moment, What};
use super::rulings::{Ruling, carried_over};
use super::signers::{Players, Signatures};
use crate::Code;
use crate::boxes::Account;
use crate::caps::Cap;
use crate::reading::{AbonoRecord, BetRecord, CorrectionRecord, CoupRecord, Reading, Standing, Told};
use crate::sink::Accusation;
use crate::statement::{OfBets, OfRecord, OfRulings};

/// What was true when a coup began, and what was ruled on it.
#[derive(Debug, Clone, Default)]
pub(super) struct Setting<'r> {
    pub(super) limits: Option<InForce<'r>>,
    pub(super) rulings: Vec<Ruling<'r>>,
    /// Positions of the cards that the coup before left for it.
    pub(super) carried: Vec<u16>,
    settled: bool,
    /// Why it is not known whether all is right, by what happened before it was over.
    pub(super) open: Option<Open>,
}

/// The same as far as it outlasts the coups.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Lasting {
    players: Players,
    /// Events are missing that may have changed the limits.
    limits_doubted: bool,
    commission: Commission,
}

impl Lasting {
    /// Somebody bets.
    fn bet(&mut self, at: u64, (seat, player): (u8, Option<&Name>), checked: &mut Checked) {
        self.players.bet(seat, player);
        if self.players.has_forgotten() {
            checked.forget(at, Cap::Players);
        }
    }

    /// Whether events are missing that may have changed the limits.
    pub(super) const fn are_limits_doubted(&self) -> bool {
        self.limits_doubted
    }

    /// Ends a range and gives what was marked and collected in it.
    pub(super) fn boxes_over(&mut self) -> BoxesOver {
        self.commission.take_over()
    }

    /// The record ends: what is left of the boxes.
    pub(super) fn boxes_left(&self) -> (BTreeMap<u8, Account>, bool) {
        self.commission.left()
    }
}

/// What is known before a moment.
pub(super) struct Play<'r, 'a> {
    reading: &'r Reading<'a>,
    /// Coups that began and are not over, by the place of the shoe and of the coup, in that order: mostly one.
    begun: VecDeque<((usize, usize), Setting<'r>)>,
    /// Where a coup was settled last.
    settled: u64,
    /// What is ruled between two coups.
    ruled: Vec<Ruling<'r>>,
    carried: Vec<u16>,
    /// The place of the shoe in play.
    pub(super) shoe: Option<usize>,
    /// Where play ended at the table, or another shoe was loaded.
    pub(super) ends: Vec<u64>,
}

impl<'r, 'a: 'r> Play<'r, 'a> {
    /// Before a range; `shoe`: the place in it of the shoe in play.
    pub(super) fn of(shoe: Option<usize>, reading: &'r Reading<'a>, moments: &[Moment<'r, 'a>]) -> Self {
        let ends = moments.iter().filter(|moment| moment.ends_play()).map(|moment| moment.sequence);
        Self {
            reading,
            begun: VecDeque::new(),
            settled: 0,
            ruled: Vec::new(),
            carried: Vec::new(),
            shoe,
            ends: ends.collect(),
        }
    }

    /// What is wrong with what happens at a moment. Whatever belongs to a coup says so.
    /// `stays` says whether the shoe stays in play if the table closes here.
    pub(super) fn check(
        &mut self,
        lasting: &mut Lasting,
        moment: &Moment<'r, 'a>,
        before: &Before<'r>,
        stays: bool,
        checked: &mut Checked,
    ) {
        self.shoe = moment.shoe.or(self.shoe);
        lasting.commission.check(moment, before, stays, checked);
        let place = moment.shoe.zip(moment.coup);
        match moment.what {
            What::Around(told) => self.around(lasting, told, before, checked),
            What::Loaded(_) | What::LoadingLost => {
                lasting.players.new_shoe();
                (self.ruled, self.carried) = (Vec::new(), Vec::new());
            }
            What::Began(_) => place.into_iter().for_each(|place| self.begin(lasting, place, before)),
            What::Placed(BetRecord { placed: Told { value: bet, .. }, .. }) => {
                lasting.bet(moment.sequence, (bet.seat, bet.player.as_ref()), checked);
            }
            What::Abono(AbonoRecord { placed: Told { value: abono, .. }, .. }) => {
                lasting.bet(moment.sequence, (abono.seat, abono.player.as_ref()), checked);
            }
            What::Settled(_) => {
                let setting = place.and_then(|place| self.setting(place));
                setting.into_iter().for_each(|setting| setting.settled = true);
                let first = self.coup(place).and_then(|coup| coup.settlements.first());
                if first.is_some_and(|first| first.sequence == moment.sequence) {
                    self.settled = moment.sequence;
                }
            }
            What::Ruled(told) => {
                self.rule(told, place, before);
                checked.and(self.signed(lasting, told, moment, before));
            }
            What::Missing(hole) => {
                let (events, within) = before.gaps.beside_play(&hole);
                if events > 0 {
                    lasting.players.doubt(within);
                }
                lasting.limits_doubted |= !within;
            }
            What::InPlay => {
                let limits = in_force(lasting, before);
                let setting = place.and_then(|place| self.setting(place));
                setting.into_iter().for_each(|setting| setting.limits = limits);
            }
            What::TakenBack(_)
            | What::Burned(_)
            | What::Cut(_)
            | What::Ended(_)
            | What::Closed(_)
            | What::Holder(_)
            | What::Card(_)
            | What::Again(_)
            | What::Said
            | What::Account(_)
            | What::Over => {}
        }
    }

    /// A coup is over: what was true when it began, and what was ruled on it.
    pub(super) fn end(&mut self, place: (usize, usize)) -> Setting<'r> {
        let at = self.begun.binary_search_by_key(&place, |(begun, _)| *begun).ok();
        let begun = at.and_then(|at| self.begun.remove(at));
        let setting = begun.map(|(_, setting)| setting).unwrap_or_default();
        self.carried = carried_over(&setting.rulings);
        setting
    }

    fn setting(&mut self, place: (usize, usize)) -> Option<&mut Setting<'r>> {
        let at = self.begun.binary_search_by_key(&place, |(begun, _)| *begun).ok()?;
        self.begun.get_mut(at).map(|(_, setting)| setting)
    }

    /// It is not known of a coup that is not over whether all is right.
    pub(super) fn leave_open(&mut self, place: (usize, usize), why: Open) {
        if let Some(setting) = self.setting(place) {
            setting.open = setting.open.or(Some(why));
        }
    }

    fn coup(&self, place: Option<(usize, usize)>) -> Option<&'r CoupRecord<'a>> {
        let (shoe, at) = place?;
        self.reading.shoes.get(shoe)?.coups.get(at)
    }

    fn number(&self, place: Option<(usize, usize)>) -> Option<u32> {
        self.coup(place).map(|coup| coup.number)
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else concerns coups")]
    fn around(
        &self,
        lasting: &mut Lasting,
        told: &Told<'r, Body>,
        before: &Before<'r>,
        checked: &mut Checked,
    ) {
        lasting.players.see(told.value);
        match told.value {
            Body::TableOpened(_) | Body::LimitsChanged(_) => lasting.limits_doubted = false,
            Body::BetWithdrawn(withdrawn) if !self.may_be_missing(told.sequence, before) => {
                let recorded = OfBets::TakenBack { bet: withdrawn.bet };
                let unknown = Accusation::new(Code::BetUnknown, OfBets::StandsInSomeCoup, recorded);
                checked.accuse(told.corrected_by.unwrap_or(told.sequence), unknown);
            }
            _ => {}
        }
    }

    /// Whether a bet of the coup that follows may be among events that are missing before this.
    fn may_be_missing(&self, at: u64, before: &Before<'_>) -> bool {
        before.gaps.between(self.settled, at).next().is_some()
    }

    fn begin(&mut self, lasting: &Lasting, place: (usize, usize), before: &Before<'r>) {
        let number = self.number(Some(place));
        let mut rulings = std::mem::take(&mut self.ruled);
        rulings.retain(|ruling| ruling.coup.is_none() || ruling.coup == number);
        let limits = in_force(lasting, before);
        let carried = std::mem::take(&mut self.carried);
        let at = self.begun.partition_point(|(begun, _)| *begun < place);
        self.begun.insert(at, (place, Setting { limits, rulings, carried, settled: false, open: None }));
    }

    /// What is ruled binds the coup that it names, or the one in play, or else the next.
    fn rule(&mut self, told: &Told<'r, Body>, place: Option<(usize, usize)>, before: &Before<'r>) {
        let rules = before.rules().map(|tables| tables.rules());
        let Some(ruling) = Ruling::of(told, rules) else { return };
        // Nothing of that coup is recorded: what is ruled on it while another is in play asks nothing of it.
        let is_early = place.is_none() && ruling.coup.is_some() && self.is_in_play(before);
        match place.and_then(|place| self.setting(place)) {
            Some(setting) if !setting.settled => setting.rulings.push(ruling),
            Some(_) => {}
            None if place.is_some() && ruling.coup.is_some() => {}
            None if is_early => self.ruled.push(ruling.asking_nothing()),
            None => self.ruled.push(ruling),
        }
    }

    /// Whether a coup is in play that is not void.
    fn is_in_play(&self, before: &Before<'_>) -> bool {
        let is_void = |told: &Told<'_, Body>| matches!(told.value, Body::CoupVoided(_));
        before.in_play(self.reading).is_some_and(|coup| !coup.rulings.iter().any(is_void))
    }

    /// What is wrong with a ruling, a void or a correction itself.
    fn signed(
        &self,
        lasting: &Lasting,
        told: &Told<'r, Body>,
        moment: &Moment<'r, 'a>,
        before: &Before<'r>,
    ) -> Checked {
        let Some(signatures) = Signatures::of(told.value) else { return Checked::default() };
        let rules = before.rules().map(|tables| tables.rules());
        let mut checked = signatures.check(told.sequence, &lasting.players, rules);
        if let Body::CorrectionRecorded(correction) = told.value {
            let record = self.correction(told.sequence);
            checked.and(record.map(|record| target(record, correction)).unwrap_or_default());
        }
        let coup = self.signed_for(told, moment, before);
        checked.found.iter_mut().for_each(|found| found.coup = found.coup.or(coup));
        checked
    }

    fn correction(&self, sequence: u64) -> Option<&'r CorrectionRecord<'a>> {
        let at = self.reading.corrections.binary_search_by_key(&sequence, |record| record.sequence);
        self.reading.corrections.get(at.ok()?)
    }

    /// The coup that the signatures under an event belong to.
    pub(super) fn signed_for(
        &self,
        told: &Told<'r, Body>,
        moment: &Moment<'r, 'a>,
        before: &Before<'_>,
    ) -> Option<u32> {
        let place = moment.shoe.zip(moment.coup);
        if let Body::CoupVoided(void) = told.value {
            Some(void.coup)
        } else if let Body::CorrectionRecorded(correction) = told.value {
            let record = self.correction(told.sequence);
            // A correction of a correction belongs to the coup in which it is made.
            let said =
                record.filter(|record| record.corrects == correction.corrects).and_then(|record| record.said);
            match said.and_then(Body::coup) {
                Some(coup) => Some(coup).filter(|coup| has_begun(moment, *coup, before)),
                None => self.number(place),
            }
        } else {
            self.number(place)
        }
    }
}

/// The limits of a coup that begins.
fn in_force<'r>(lasting: &Lasting, before: &Before<'r>) -> Option<InForce<'r>> {
    let doubted = lasting.limits_doubted;
    before.limits.map(|limits| InForce { limits, doubted, bank: None })
}

/// Whether a coup of the shoe began before a moment.
fn has_begun(moment: &Moment<'_, '_>, coup: u32, before: &Before<'_>) -> bool {
    let index = moment.shoe.and_then(|shoe| before.index(shoe));
    let began = |index: &Index<'_>| Some(index.shoe.coups.get(*index.coups(coup).first()?)?.began);
    index.and_then(began).is_some_and(|began| began < moment.sequence)
}

/// What is wrong with what a correction corrects.
fn target(record: &CorrectionRecord<'_>, correction: &CorrectionRecorded) -> Checked {
    let mut checked = Checked::default();
    let (at, sequence) = (record.sequence, record.corrects);
    match (record.standing, record.said) {
        (Standing::NoTarget, Some(said)) => {
            if let Some((expected, recorded)) = cannot_become(said, &correction.corrected) {
                let coup = said.coup();
                let wrong = Accusation::new(Code::CorrectionTarget, expected, recorded);
                checked.accuse(at, Accusation { coup, ..wrong });
            }
        }
        (Standing::NoTarget, None) => {
            let expected = OfRulings::EarlierEvent { sequence: at };
            let recorded = OfRecord::Sequence { sequence };
            checked.accuse(at, Accusation::new(Code::CorrectionTarget, expected, recorded));
        }
        (_, _) => {}
    }
    checked
}
