//! What a missing event may mend: the event that shows something wrong may have been corrected in a gap after it.
//!
//! A correction says what one event should have said. So n missing events can mend n events; a decision only before its
//! moment (`settled_before.rs`). Which event it would have to be follows from the finding: its own, or one that stands for
//! all that may be wrong (the table in `docs/judging.md`). A wrong draw takes two, the face of a card and the announced
//! result that follows from it. If the missing events suffice for all that they can mend in the shoe, it is left open. If
//! they do not, no way of filling the gaps makes the record right, and everything is reported.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use baccarat::BurnMethod;
use serde::{Deserialize, Serialize};

use super::{Gap, Table};
use crate::coup::CoupInPlay;
use crate::mended::{Cluster, Judged, MOST, MendedBy, explained};
use crate::record::Revision;
use crate::settled_before::Moment;
use crate::sink::Accusation;
use crate::{Code, Reason, SeatMoney};

/// Wrong events of the shoe that one correction each would mend, and the gaps in it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Mending {
    /// By the sequence of each wrong event: until when it may be corrected.
    wrong: BTreeMap<u64, Until>,
    /// The sequence after each gap, and how many of its events are no cards.
    gaps: Vec<(u64, u64)>,
    /// The last of them between the loading of the shoe and its first card.
    before_cards: Option<u64>,
    /// The last bank that was taken, and the last gap between that and the card that followed.
    bank_taken: (u64, Option<u64>),
    /// Of each cluster: the first that was found in it since a gap.
    clusters: [Option<(u64, Until)>; 2],
    /// What is wrong with the last result that is: whose turn it is follows from results.
    wrong_result: Option<(u64, Until)>,
    /// Sequences of wrong events that are known to be explained, since the shoe was loaded.
    explained: BTreeSet<u64>,
    /// Whether a gap was added since this was asked last, or something wrong before one.
    fresh: bool,
    /// Sequence of the account that says what the bank holds, if it is wrong, and its money.
    wrong_bank: (Option<u64>, Vec<SeatMoney>),
    /// The same of the account of the coup that is being settled.
    wrong_account: Option<(u64, Vec<SeatMoney>)>,
}

/// Until when an event may be corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Until {
    /// As long as the shoe lasts.
    Always,
    /// Until the moment of a decision that names no coup.
    Moment(Moment),
    /// Until the event of this sequence: the moment is past.
    Past(u64),
}

impl Until {
    /// The last sequence before which a missing event may be the correction.
    const fn last(self) -> u64 {
        match self {
            Self::Always | Self::Moment(_) => u64::MAX,
            Self::Past(last) => last,
        }
    }
}

impl Mending {
    /// A shoe is loaded, in which these wrong events are explained.
    pub(super) fn load(explained: &BTreeSet<u64>) -> Self {
        Self { explained: explained.clone(), ..Self::default() }
    }

    /// Whether a gap since this sequence may hold something that is no card.
    pub(super) fn any_missing_since(&self, sequence: u64) -> bool {
        self.gaps.iter().any(|(at, _)| *at > sequence)
    }

    /// Whether one does between these two.
    fn any_missing_between(&self, from: u64, to: u64) -> bool {
        self.gaps.iter().any(|(at, _)| from < *at && *at <= to)
    }

    fn miss(&mut self, at: u64, events: u64, last_card: u64, before_cards: bool) {
        if events > 0 && self.gaps.len() <= MOST {
            self.gaps.push((at, events));
            self.fresh = true;
            if before_cards {
                self.before_cards = Some(at);
            }
            if last_card < self.bank_taken.0 {
                self.bank_taken.1 = Some(at);
            }
        }
    }

    /// A bank is taken by the event of this sequence.
    pub(super) fn take_bank(&mut self, sequence: u64) {
        self.bank_taken = (sequence, None);
    }

    /// The last bank that was taken, if who took it, and with what, may have been corrected before the cards.
    fn bank_corrected(&self) -> Option<(u64, Until)> {
        let (taken, gap) = self.bank_taken;
        gap.map(|last| (taken, Until::Past(last)))
    }

    /// A coup is settled; `account` says whether the bank goes on with an account of it.
    pub(super) fn settle_bank(&mut self, account: bool) {
        match self.wrong_account.take() {
            Some((at, money)) => self.wrong_bank = (Some(at), money),
            None if account => self.forget_wrong_bank(),
            None => {}
        }
    }

    /// Another bank is taken, or the account is right.
    pub(super) fn forget_wrong_bank(&mut self) {
        self.wrong_bank = (None, Vec::new());
    }

    /// Whether it is none if the account is corrected that said what the bank holds.
    fn rests_on_wrong_bank(&self, one: &Accusation) -> bool {
        let (wrong, money) = &self.wrong_bank;
        let undone = |of: &SeatMoney| money.contains(&SeatMoney { minor_units: -of.minor_units, ..*of });
        if one.code == Code::BankWrong {
            return wrong.is_some() && one.money.len() == money.len() && one.money.iter().all(undone);
        }
        wrong.is_some() && one.code.rests_on_bank()
    }

    /// What was wrong before a gap may be found after it.
    fn note_wrong(&mut self, wrong: &[(u64, Until)]) {
        for &(sequence, until) in wrong {
            let between = |at: u64| sequence < at && at <= until.last();
            if let Entry::Vacant(wrong) = self.wrong.entry(sequence) {
                wrong.insert(until);
                self.fresh |= self.gaps.iter().any(|(at, _)| between(*at));
            }
        }
    }

    /// The wrong events that the gaps explain.
    fn explained(&self) -> BTreeSet<u64> {
        explained(self.wrong.iter().map(|(sequence, until)| (*sequence, until.last())), &self.gaps)
    }
}

impl Table {
    /// Before the first shoe these wrong events are explained.
    pub(crate) fn explain(&mut self, sequences: &BTreeSet<u64>) {
        if self.shoes.1 == 0 {
            *self.mending = Mending::load(sequences);
        }
    }

    /// Events are missing here; so many of them are known to be cards.
    pub(super) fn may_mend(&mut self, gap: &Gap, cards: u64) {
        self.judged = Judged::Other;
        let at = gap.location.sequence;
        let past = |(sequence, until): (&u64, &Until)| match *until {
            Until::Moment(moment) => self.is_past(moment, *sequence, None).then_some(*sequence),
            Until::Always | Until::Past(_) => None,
        };
        let past: Vec<u64> = self.mending.wrong.iter().filter_map(past).collect();
        let no_card_yet = self.shoe.as_ref().is_some_and(|shoe| self.last_card < shoe.began);
        for sequence in past {
            self.mending.wrong.insert(sequence, Until::Past(at.saturating_sub(1)));
        }
        self.mending.miss(at, gap.events.saturating_sub(cards), self.last_card, no_card_yet);
    }

    /// Which wrong events of the shoe the gaps in it explain, if a gap was found since this was asked last.
    pub(crate) fn mended(&mut self) -> Option<Revision> {
        if !self.mending.fresh {
            return None;
        }
        self.mending.fresh = false;
        Some(Revision::Mended { loaded: self.shoes.1, sequences: self.mending.explained() })
    }

    /// Keeps of what was found at one event only what no missing event explains. Notes what a correction would mend.
    pub(super) fn without_mended(&mut self, found: Vec<Accusation>) -> Vec<Accusation> {
        // Before the first shoe it is one that was loaded in what is missing.
        if self.shoe.is_none() && self.shoes.1 > 0 {
            return found;
        }
        let misread = found.iter().any(|one| one.code == Code::TotalWrong);
        let (mut open, mut of_coup) = (false, false);
        let mut left = Vec::with_capacity(found.len());
        for one in found {
            let needed = self.needs_corrected(&one, misread);
            if needed.is_empty() {
                left.push(one);
                continue;
            }
            if self.settling() {
                self.mending.wrong_result = Some(needed[0]);
            }
            let explained = needed.iter().all(|(wrong, _)| self.mending.explained.contains(wrong));
            if self.mending.wrong.len() <= MOST {
                self.mending.note_wrong(&needed);
            }
            if explained {
                open = true;
                of_coup |= one.coup.is_some();
                self.leave_open_in_account(&one);
            } else {
                left.push(one);
            }
        }
        if open && (self.settling() || of_coup) {
            self.play.iter_mut().for_each(|play| play.doubt(Reason::EventsMissing));
        } else if open {
            self.shoe.iter_mut().for_each(|shoe| shoe.leave_open(Reason::EventsMissing));
        }
        left
    }

    /// Whether the card that is drawn was read otherwise than the order of the shoe has it, and missing events may correct that.
    pub(super) fn is_misread_and_corrected(&self) -> bool {
        let now = self.sink.location().sequence;
        let misread = self.shoe.as_ref().is_some_and(|shoe| shoe.misread().last() == Some(&now));
        misread && self.mending.explained.contains(&now)
    }

    /// Whether as many cards are burned as the shoe has decks.
    fn burns_by_decks(&self) -> bool {
        self.in_force.rules().is_some_and(|rules| rules.book.burn.method == BurnMethod::Decks)
    }

    /// Whether a settlement is judged.
    pub(super) fn settling(&self) -> bool {
        self.judged == Judged::Settlement
    }

    /// The events that would have to be corrected for it to be no finding, and until when they may be. `misread`: a total
    /// that was announced is not that of the cards.
    fn needs_corrected(&mut self, one: &Accusation, misread: bool) -> Vec<(u64, Until)> {
        let now = self.sink.location().sequence;
        let at = one.location.map_or(now, |location| location.sequence);
        let always = |sequence: u64| vec![(sequence, Until::Always)];
        if self.mending.rests_on_wrong_bank(one) {
            return self.mending.wrong_bank.0.map(always).unwrap_or_default();
        }
        let loaded = self.shoe.as_ref().map_or(at, |shoe| shoe.began);
        let after_gap = self.mending.before_cards.is_some_and(|gap| gap <= at);
        let misloaded = self.mending.wrong.contains_key(&loaded) || after_gap;
        let loading = || match self.mending.before_cards {
            Some(last) => vec![(loaded, Until::Past(last))],
            None => vec![(loaded, self.until(Moment::FirstCard, loaded))],
        };
        let of_commission = matches!(one.code, Code::CommissionMissing | Code::CommissionWrong);
        let perhaps_void = self.play.as_ref().is_some_and(|play| play.perhaps_void);
        match one.code.mended_by(self.judged) {
            MendedBy::Nothing => Vec::new(),
            MendedBy::Burn => {
                let burn = self.shoe.as_deref().and_then(|shoe| shoe.burn_before(at));
                burn.map(always).unwrap_or_default()
            }
            MendedBy::Decision(moment) => vec![(at, self.until(moment, at))],
            MendedBy::AnyOf(cluster) => vec![self.first_of(cluster, at)],
            MendedBy::FacesOrLoading => {
                if misloaded && self.shoe.as_ref().is_some_and(|shoe| shoe.reveals_other_decks()) {
                    return loading();
                }
                let faces = self.shoe.as_ref().map(|shoe| shoe.misread()).unwrap_or_default();
                faces.iter().map(|sequence| (*sequence, Until::Always)).collect()
            }
            MendedBy::ItsEventOrLoading if misloaded => loading(),
            MendedBy::ItsEvent if misloaded && one.code == Code::BurnCount && self.burns_by_decks() => {
                loading()
            }
            // The face of one card makes the result right, and all that follows from it; which card is not known.
            MendedBy::ItsEvent | MendedBy::FaceAndResult if misread => self.faces(now),
            // Whose abonos are the banker's own decides the commission.
            MendedBy::ItsEvent if of_commission && self.mending.bank_corrected().is_some() => {
                self.mending.bank_corrected().into_iter().collect()
            }
            MendedBy::ItsEvent | MendedBy::ItsEventOrLoading => {
                if one.code == Code::BankWrong && one.coup.is_some() && self.settling() {
                    self.mending.wrong_account.get_or_insert_with(|| (at, one.money.clone()));
                }
                always(at)
            }
            // Its result is not recorded, or may be that of a void coup.
            MendedBy::FaceAndResult if !self.settling() || perhaps_void => self.faces(now),
            MendedBy::FaceAndResult => self.faces(now).into_iter().chain(always(now)).collect(),
        }
    }

    /// What stands for the event of a cluster that may have been recorded wrongly, and until when it may be corrected.
    fn first_of(&mut self, cluster: Cluster, at: u64) -> (u64, Until) {
        let stakes = self.betting(at);
        let turns = self.mending.clusters[0];
        let of_betting = |(first, _): (u64, Until)| stakes.0 < first && first <= stakes.1.last();
        let place = match cluster {
            Cluster::Stakes => return turns.filter(|turns| of_betting(*turns)).unwrap_or(stakes),
            Cluster::StakesOrTurns if self.mending.wrong.contains_key(&stakes.0) => return stakes,
            Cluster::StakesOrTurns | Cluster::Turns => 0,
            Cluster::Boxes => 1,
        };
        if let Some(taken) = self.mending.bank_corrected().filter(|_| place == 0) {
            return taken;
        }
        let no_gap_since = |(first, _): &(u64, Until)| !self.mending.any_missing_between(*first, at);
        let found = self.mending.clusters[place].filter(no_gap_since);
        let result = self.mending.wrong_result.filter(no_gap_since).filter(|_| place == 0);
        let first = found.or(result).unwrap_or((at, Until::Always));
        self.mending.clusters[place] = Some(first);
        first
    }

    /// The last card before the bets of the coup in play, if the event of this sequence is one of them, and its first card.
    fn betting(&self, at: u64) -> (u64, Until) {
        let dealt = |play: &CoupInPlay| Some((play.card_before, play.dealt_at()?.0));
        let (before, first_card) = self.play.as_deref().and_then(dealt).unwrap_or((at, at));
        if at > self.last_card {
            (self.last_card, Until::Moment(Moment::FirstCard))
        } else if (before..=first_card).contains(&at) {
            (before, Until::Past(first_card))
        } else {
            (at, Until::Past(at))
        }
    }

    /// The cards of the coup in play that were read otherwise than the order of the shoe has them. Without such an order it is not
    /// known which was misread: it counts as the first.
    fn faces(&self, now: u64) -> Vec<(u64, Until)> {
        let (first, last) = self.play.as_ref().and_then(|play| play.dealt_at()).unwrap_or((now, now));
        let misread = self.shoe.as_ref().map(|shoe| shoe.misread()).unwrap_or_default();
        let of_coup = misread.iter().filter(|sequence| (first..=last).contains(sequence));
        let mut faces: Vec<_> = of_coup.map(|sequence| (*sequence, Until::Always)).collect();
        if faces.is_empty() {
            faces.push((first, Until::Always));
        }
        faces
    }

    /// Until when the decision of this sequence, which names no coup, may be corrected.
    fn until(&self, moment: Moment, sequence: u64) -> Until {
        if self.is_past(moment, sequence, None) { Until::Past(sequence) } else { Until::Moment(moment) }
    }
}
