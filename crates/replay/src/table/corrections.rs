//! Corrections of decisions after their moment, as far as the table knows them. What they would have moved is found by
//! the record, which plays the events in both ways (`decided_late.rs`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baccarat::Clause;
use events::{Body, CorrectionRecorded};
use serde::{Deserialize, Serialize};

use super::{Seen, Table};
use crate::account::CoupAccount;
use crate::corrected::{Accounts, Collected, Signers};
use crate::coup::CoupInPlay;
use crate::decided_late::{BANK, Brought, CoupKey, Late, Weighed, World};
use crate::record::{Reseated, Revision, is_of_an_observation};
use crate::rules::Rules;
use crate::settled_before::{Kind, Moment};
use crate::settlement::Comparison;
use crate::sink::{Accusation, clamp};
use crate::statement::{Decisions, OfBets, OfRulings};
use crate::{Code, Finding, Reason};

/// What a table knows of corrections in the events that may be played again.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Corrections {
    /// For each correction, the event that it corrects in the end.
    meant: BTreeMap<u64, u64>,
    /// Corrections of decisions after their moment: for each event the last.
    late: Vec<Late>,
    /// What they moved, where the record has found it.
    #[serde(skip)]
    weighed: Arc<Weighed>,
    /// Coups on which something is ruled after they are over.
    #[serde(skip)]
    ruled: BTreeSet<CoupKey>,
    /// What the coups brought, where that is asked for.
    #[serde(skip)]
    brought: Option<Box<Brought>>,
    /// A coup is over that such a correction concerns: the record has to be played again.
    #[serde(skip)]
    concluded: bool,
    /// The accounts of the coups, where they are asked for to be compared.
    #[serde(skip)]
    accounts: Option<Box<Accounts>>,
}

impl Corrections {
    /// The event that a correction corrects in the end, where the one of this sequence is a correction.
    pub(super) fn meant(&self, correction: u64) -> Option<u64> {
        self.meant.get(&correction).copied()
    }

    pub(super) fn mean(&mut self, correction: u64, target: u64) {
        self.meant.insert(correction, target);
    }
}

impl Table {
    pub(crate) fn late_corrections(&self) -> Vec<Late> {
        self.corrections.late.clone()
    }

    /// The result of the record as it was just played.
    pub(crate) fn world(&self) -> World {
        let brought = self.corrections.brought.as_deref().cloned().unwrap_or_default();
        World { findings: self.fresh.to_vec(), brought }
    }

    /// The events are played again, with what is known of corrections and rulings that came later.
    /// `compared` asks for what the coups bring.
    pub(crate) fn play_again(&mut self, weighed: Arc<Weighed>, ruled: &BTreeSet<CoupKey>, compared: bool) {
        let brought = compared.then(Box::default);
        let corrections = &mut *self.corrections;
        (corrections.weighed, corrections.ruled, corrections.brought) = (weighed, ruled.clone(), brought);
    }

    /// The accounts of the coups are kept from here on.
    pub(crate) fn keep_accounts(&mut self) {
        self.corrections.accounts = Some(Box::default());
    }

    pub(crate) fn take_accounts(&mut self) -> Accounts {
        self.corrections.accounts.take().map(|accounts| *accounts).unwrap_or_default()
    }

    pub(super) fn keeps_accounts(&self) -> bool {
        self.corrections.accounts.is_some()
    }

    /// A coup is over.
    pub(super) fn account_in_comparison(&mut self, play: &CoupInPlay, account: &CoupAccount) {
        let (shoe, currency) = (self.shoe.as_ref().map(|shoe| shoe.id().to_string()), self.currency());
        let coup = (self.shoe.as_ref().map_or(0, |shoe| shoe.began), play.number);
        let bank = play.bank_changed().filter(|_| !account.void);
        let bank = bank.map(|(seat, change)| (seat, clamp(change)));
        if let Some(accounts) = &mut self.corrections.accounts {
            accounts.coup(coup, shoe, currency, account, bank);
        }
    }

    /// Where the shoe began in which a coup was played that is corrected now. The table may be closed since; without a shoe
    /// a coup may have been played after that.
    fn shoe_of_correction(&self, coup: Option<u32>) -> u64 {
        let is_loose = |accounts: &Accounts| coup.is_some_and(|coup| accounts.has(0, coup));
        match &self.shoe {
            Some(shoe) => shoe.began,
            None if self.corrections.accounts.as_deref().is_some_and(is_loose) => 0,
            None => self.shoes.1,
        }
    }

    /// Something was found in a coup that is over.
    pub(super) fn found_in_comparison(&mut self, finding: &Finding) {
        let began = self.shoe_of_correction(finding.coup);
        if let (Some(accounts), Some(coup)) = (&mut self.corrections.accounts, finding.coup) {
            for money in &finding.money {
                accounts.found((began, coup), finding.code, money.seat, money.minor_units);
            }
        }
    }

    /// What someone observed is corrected: who signed it, for which coup.
    pub(super) fn note_observed(
        &mut self,
        (sequence, first): (u64, &Body),
        coup: Option<u32>,
        correction: &CorrectionRecorded,
    ) {
        if !self.keeps_accounts() || !is_of_an_observation(correction) {
            return;
        }
        let (began, currency) = (self.shoe_of_correction(coup), self.currency());
        let signers = Signers::of(&correction.signed_by);
        let Some(accounts) = &mut self.corrections.accounts else { return };
        if let (Body::CommissionCollected(first), Body::CommissionCollected(last)) =
            (first, &*correction.corrected)
        {
            let [first, last] = [first, last].map(|collected| (collected.seat, collected.amount.get()));
            accounts.collect(sequence, Collected { first, last, currency }, &signers);
        }
        // Of a coup of a shoe before it is not known here which.
        accounts.sign(began, coup.filter(|_| sequence > began), &signers);
    }

    /// A correction of what is missing, or of what cannot be played again: what it moved is not known.
    pub(super) fn note_out_of_reach(&mut self, correction: &CorrectionRecorded) {
        let of_money = correction.corrected.coup().is_some()
            || matches!(&*correction.corrected, Body::CommissionCollected(_));
        if of_money && is_of_an_observation(correction) {
            let currency = self.currency();
            let signers = Signers::of(&correction.signed_by);
            self.tally.summary.corrected.out_of_reach(&signers, currency);
        }
    }

    /// A correction says who took a seat before what can be played again.
    pub(crate) fn reseat(&mut self, seat: &Reseated) {
        self.seating.correct(&seat.from, &seat.to);
        self.chemin.iter_mut().for_each(|chemin| chemin.turn.correct(&seat.from, &seat.to));
    }

    /// Whether a shoe was loaded at this table.
    pub(crate) const fn had_a_shoe(&self) -> bool {
        self.shoes.0 > 0
    }

    /// An event of the shoe should have said something else, and is not judged again.
    pub(crate) fn leave_shoe_uncertified(&mut self) {
        self.shoe.iter_mut().for_each(|shoe| shoe.leave_open(Reason::Corrected));
    }

    /// What was found before the next event is final.
    pub(crate) fn settle_corrections(&mut self) {
        if !self.corrections.is_as_it_began() {
            let late = std::mem::take(&mut self.corrections.late);
            self.corrections.begin_anew();
            if !late.is_empty() {
                self.corrections.late = late;
            }
        }
    }

    /// Whether what is found follows from a correction that came too late.
    pub(super) fn excuses(&self, accusation: &Accusation) -> bool {
        self.corrections.weighed.any_excused()
            && self.corrections.weighed.excuses(&self.finding(accusation.clone()))
    }

    /// What corrections that came too late changed of the bets of a coup.
    pub(super) fn late_changes(&self, coup: CoupKey) -> Vec<((u8, u64), i128)> {
        if self.corrections.is_as_it_began() {
            return Vec::new();
        }
        self.corrections.weighed.changes(coup).collect()
    }

    /// A shoe is loaded: corrections of what came before it are not looked at again.
    pub(super) fn forget_corrections(&mut self, seen: &Seen<'_>) {
        if seen.first >= seen.location.sequence && !self.corrections.is_as_it_began() {
            (self.corrections.late, self.corrections.meant) = (Vec::new(), BTreeMap::new());
        }
    }

    /// Whether the moment of a decision is past, of the event of this sequence; `coup` is the one it names.
    pub(super) fn is_past(&self, moment: Moment, sequence: u64, coup: Option<u32>) -> bool {
        match (moment, coup) {
            (Moment::CoupBegun, _) => self.begun_since(sequence),
            // The table was closed since: every coup that had cards is over.
            (Moment::FirstCard | Moment::NextCard, Some(_))
                if self.shoe.is_none() && self.last_card > sequence =>
            {
                true
            }
            (Moment::FirstCard, Some(coup)) => self.cards_of(coup).is_some(),
            (Moment::FirstCard | Moment::NextCard, None) => self.last_card > sequence,
            (Moment::NextCard, Some(coup)) => {
                let settled = self.over.last_of(coup).is_some_and(|over| over.settled > sequence);
                settled || self.cards_of(coup).is_some_and(|(_, last)| last > sequence)
            }
        }
    }

    /// Sequences of the first and the last card of a coup.
    fn cards_of(&self, coup: u32) -> Option<(u64, u64)> {
        let in_play = self.play.as_ref().filter(|play| play.number == coup);
        let over = || self.over.last_of(coup).map(|over| over.cards).filter(|cards| cards.0 > 0);
        match in_play {
            Some(play) => play.dealt_at(),
            None => over(),
        }
        .or_else(|| self.cards_waiting(coup))
    }

    /// The coup that was decided by an event which names none: the first that was dealt after it.
    fn dealt_after(&self, sequence: u64) -> Option<u32> {
        let in_play = || self.play.as_ref().filter(|play| play.dealt_at().is_some()).map(|play| play.number);
        self.over.dealt_after(sequence).or_else(in_play)
    }

    /// A decision is corrected after its moment. What had been decided first counts.
    pub(super) fn correct_late(
        &mut self,
        kind: &Kind,
        (sequence, first): (u64, &Body),
        correction: &CorrectionRecorded,
        seen: &Seen<'_>,
    ) -> Revision {
        let by = seen.location;
        let in_time = seen.known.corrected_by(sequence).and_then(|at| seen.event(at.sequence));
        let first = match in_time.as_ref().map(|event| &event.body) {
            Some(Body::CorrectionRecorded(correction)) => &correction.corrected,
            Some(_) | None => first,
        };
        let of_no_coup = matches!(first, Body::BankPassed(_) | Body::ShoeLoaded(_));
        let coup = if of_no_coup {
            None
        } else {
            seen.known.label_of(sequence).or(first.coup()).or_else(|| self.dealt_after(sequence))
        };
        let began = self.shoe.as_ref().map_or(0, |shoe| shoe.began);
        let shoe = self.shoe.as_ref().map(|shoe| shoe.id().to_string());
        let accusation = Accusation { coup, ..accusation(first, &correction.corrected, kind) }.at(by);
        let mut late = Late {
            target: sequence,
            by,
            coup: coup.map(|coup| (began, coup)),
            shoe,
            bet: bet(first),
            seats: [first, &correction.corrected].into_iter().filter_map(seat).collect(),
            of_shoe: matches!(first, Body::ShoeLoaded(_)),
            by_clause: kind.by_clause && self.is_cited(&accusation),
            changes: *first != *correction.corrected,
            reported: false,
            accusation,
        };
        let moved = self.corrections.weighed.moved_by(by.sequence).map(<[_]>::to_vec);
        if let Some(money) = moved {
            late.reported = true;
            let accusation = late.accusation.clone().moving(money);
            match coup {
                Some(_) => self.sink.accuse(accusation),
                // What is of no coup concerns the shoe, not the coup in play.
                None => {
                    self.sink.enter(None);
                    self.sink.accuse(accusation);
                }
            }
        }
        let in_play = self.play.as_mut().filter(|play| Some(play.number) == coup);
        in_play.into_iter().for_each(|play| play.ruled = true);
        self.corrections.late.retain(|other| other.target != sequence);
        self.corrections.late.push(late);
        Revision::CorrectedLate { sequence }
    }

    /// Whether the rulebook cites a source for when bets are accepted.
    fn is_cited(&self, accusation: &Accusation) -> bool {
        let cites = |rules: &Rules| rules.book.citations_of(&Clause::Betting).next().is_some();
        self.in_force.rules().is_some_and(|rules| accusation.code == Code::BetCorrectedLate || cites(rules))
    }

    /// A coup is left without settlement: what late corrections moved in it is not known.
    pub(super) fn leave_late_corrections(&mut self) {
        let Some(play) = self.play.as_ref().filter(|_| !self.corrections.is_as_it_began()) else { return };
        let coup = Some((self.shoe.as_ref().map_or(0, |shoe| shoe.began), play.number));
        let unreported = |late: &&mut Late| late.coup == coup && !late.reported && late.changes;
        let mut open = false;
        for late in self.corrections.late.iter_mut().filter(unreported) {
            late.reported = late.by_clause;
            match late.by_clause {
                true => self.sink.accuse(late.accusation.clone()),
                false => open = true,
            }
        }
        if let Some(play) = self.play.as_mut().filter(|_| open) {
            play.doubt(Reason::Corrected);
        }
        self.write_findings();
    }

    /// A coup is over; `rules` are those its payouts were judged by, where it was settled and is not void.
    pub(super) fn conclude(
        &mut self,
        play: &mut CoupInPlay,
        settled: bool,
        rules: Option<&Rules>,
        payouts: &[Comparison],
    ) {
        if self.corrections.is_as_it_began() {
            return;
        }
        let coup = (self.shoe.as_ref().map_or(0, |shoe| shoe.began), play.number);
        let corrections = &mut *self.corrections;
        if corrections.weighed.leaves_open(coup) {
            play.doubt(Reason::Corrected);
        }
        play.ruled |= corrections.weighed.concerns(coup) || corrections.ruled.contains(&coup);
        if !settled {
            return;
        }
        corrections.concluded |= corrections.late.iter().any(|late| late.coup == Some(coup));
        if let (Some(brought), Some(_)) = (corrections.brought.as_mut(), rules) {
            brought.coup(coup, nets(play, payouts));
            play.bank_brought().into_iter().for_each(|(bank, _)| brought.bank(coup, bank));
        }
    }

    /// A bank is passed.
    pub(super) fn note_passed(&mut self, seat: u8, amount: baccarat::Money) {
        let sequence = self.location.sequence;
        if !self.corrections.is_as_it_began()
            && let Some(brought) = self.corrections.brought.as_mut()
        {
            brought.pass(sequence, seat, amount.get().into());
        }
    }

    /// The event that was just judged ended a coup that a late correction concerns.
    pub(super) fn take_concluded(&mut self) -> Option<Revision> {
        let concluded = !self.corrections.is_as_it_began() && std::mem::take(&mut self.corrections.concluded);
        concluded.then_some(Revision::Concluded { settled: self.location.sequence })
    }

    /// Something is ruled on a coup that is over. If it was settled in this shoe, it is subject to that ruling.
    pub(super) fn rule_on_past(&self, coup: u32) -> Option<Revision> {
        let over = self.over.last_of(coup).filter(|over| over.settled > 0)?;
        let began = self.shoe.as_ref()?.began;
        let ruled = over.result.is_none_or(|outcome| outcome.ruled);
        (!ruled).then_some(Revision::Ruled { coup: (began, coup) })
    }
}

/// What is wrong with a correction of a decision after its moment, but for its money.
pub(crate) fn accusation(first: &Body, corrected: &Body, kind: &Kind) -> Accusation {
    let fields = || kind.decided();
    let (decided, changed) =
        (Decisions::of(first, corrected, fields()), Decisions::of(corrected, first, fields()));
    match (first, corrected) {
        (Body::BetPlaced(first), Body::BetPlaced(bet)) => {
            let expected = OfBets::AsItStood { bet: first.bet, stake: first.stake.into(), decided };
            let recorded = OfBets::CorrectedTo { stake: bet.stake.into(), corrected: changed };
            Accusation::new(Code::BetCorrectedLate, expected, recorded)
        }
        (first, _) => {
            let expected = OfRulings::AsDecided { event: first.into(), decided };
            let recorded = OfRulings::ChangedAfterCards { corrected: changed };
            Accusation::new(Code::CorrectedLate, expected, recorded)
        }
    }
}

/// The bet that an event places, or the bank that it takes.
fn bet(body: &Body) -> Option<u64> {
    body.bet().or_else(|| matches!(body, Body::BankTaken(_)).then_some(BANK))
}

/// The seat whose money an event decides.
#[allow(clippy::wildcard_enum_match_arm, reason = "no other decision is of a seat's money")]
pub(crate) fn seat(body: &Body) -> Option<u8> {
    match body {
        Body::BetPlaced(placed) => Some(placed.seat),
        Body::AbonoPlaced(placed) => Some(placed.seat),
        Body::BankTaken(taken) => Some(taken.seat),
        Body::BankPassed(passed) => Some(passed.seat),
        Body::BancoCalled(called) => Some(called.seat),
        _ => None,
    }
}

/// What a settled coup brought by the record: for each bet what came back less its stake, and what the bank won.
fn nets(play: &CoupInPlay, payouts: &[Comparison]) -> impl Iterator<Item = ((u8, u64), i128)> {
    let of_bets = payouts.iter().map(|payout| {
        let bet = &play.bets[payout.bet];
        let returned = payout.recorded.map(|recorded| recorded.returned).unwrap_or_default();
        ((bet.seat, bet.id), returned.over(bet.stake))
    });
    of_bets.chain(play.bank_brought().map(|(bank, net)| ((bank.seat, BANK), net)))
}
