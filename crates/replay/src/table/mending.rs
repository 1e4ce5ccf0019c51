//! What a missing event may mend: the event that shows something wrong may have been corrected in a gap after it.
//!
//! A correction says what one event should have said. So n missing events can mend n events, and a wrong draw takes two:
//! the face of a card and the announced result that follows from it. Where that result does not fit the cards as they are
//! recorded, the face alone may be wrong. If the missing events suffice for all that is wrong before them in the shoe, it
//! is left open. If they do not, no way of filling the gaps makes the record right, and everything is reported.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Gap, Table};
use crate::record::Revision;
use crate::sink::Accusation;
use crate::{Code, Reason, SeatMoney};

/// Most wrong events of a shoe, and most gaps in it, that are compared. A shoe with more is judged as if nothing were mended.
const MOST: usize = 1_024;

/// Wrong events of the shoe that one correction each would mend, and the gaps in it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Mending {
    /// Sequences of the wrong events.
    wrong: BTreeSet<u64>,
    /// The sequence after each gap, and how many of its events are no cards.
    gaps: Vec<(u64, u64)>,
    /// Sequences of wrong events that are known to be explained, since the shoe was loaded.
    explained: BTreeSet<u64>,
    /// Whether a gap was added since this was asked last, or something wrong before one.
    fresh: bool,
    /// Sequence of the account that says what the bank holds, if it is wrong, and its money.
    #[serde(default)]
    wrong_bank: (Option<u64>, Vec<SeatMoney>),
    /// The same of the account of the coup that is being settled.
    #[serde(default)]
    wrong_account: Option<(u64, Vec<SeatMoney>)>,
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

    fn miss(&mut self, at: u64, events: u64) {
        if events > 0 && self.gaps.len() <= MOST {
            self.gaps.push((at, events));
            self.fresh = true;
        }
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
    fn note_wrong(&mut self, sequences: Vec<u64>) {
        for wrong in sequences {
            self.fresh |= self.wrong.insert(wrong) && self.gaps.iter().any(|(at, _)| *at > wrong);
        }
    }

    /// The wrong events that the gaps explain: all of those before the last gap, if each can have a missing event of its
    /// own after it; otherwise none.
    fn explained(&self) -> BTreeSet<u64> {
        if self.wrong.len() > MOST || self.gaps.len() > MOST {
            return BTreeSet::new();
        }
        let last = self.gaps.iter().map(|(at, _)| *at).max().unwrap_or(0);
        let before: BTreeSet<u64> = self.wrong.range(..last).copied().collect();
        let missing_after = |wrong: u64| -> u64 {
            let after = self.gaps.iter().filter(|(at, _)| *at > wrong);
            after.fold(0, |sum, (_, events)| sum.saturating_add(*events))
        };
        let suffices = (1..).zip(before.iter().rev()).all(|(needed, wrong)| needed <= missing_after(*wrong));
        if suffices { before } else { BTreeSet::new() }
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
        self.settling = false;
        self.mending.miss(gap.location.sequence, gap.events.saturating_sub(cards));
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
        let settled = self.sink.location().sequence;
        let first_card =
            self.play.as_ref().and_then(|play| play.dealt_at()).map_or(settled, |(first, _)| first);
        let misread = found.iter().any(|one| one.code == Code::TotalWrong);
        let (mut open, mut of_coup) = (false, false);
        let mut left = Vec::with_capacity(found.len());
        for one in found {
            let at = one.location.map_or(settled, |location| location.sequence);
            let needed = match one.code.mended_by(self.settling) {
                _ if self.mending.rests_on_wrong_bank(&one) => {
                    self.mending.wrong_bank.0.into_iter().collect()
                }
                MendedBy::Nothing => Vec::new(),
                MendedBy::Burn => {
                    let burn = self.shoe.as_deref().and_then(|shoe| shoe.burn_before(at));
                    burn.into_iter().collect()
                }
                // The face of one card makes the result right, and all that follows from it; which card is not known.
                _ if misread => vec![first_card],
                MendedBy::ItsEvent => {
                    if one.code == Code::BankWrong && one.coup.is_some() && self.settling {
                        self.mending.wrong_account.get_or_insert_with(|| (at, one.money.clone()));
                    }
                    vec![at]
                }
                // Its result is not recorded, or is that of a void coup.
                MendedBy::FaceAndResult if !self.settling => vec![first_card],
                // Which card was misread is not known; any of the coup comes after its first event.
                MendedBy::FaceAndResult => vec![self.play_began.sequence, settled],
            };
            if needed.is_empty() {
                left.push(one);
                continue;
            }
            let explained = needed.iter().all(|wrong| self.mending.explained.contains(wrong));
            if self.mending.wrong.len() <= MOST {
                self.mending.note_wrong(needed);
            }
            if explained {
                open = true;
                of_coup |= one.coup.is_some();
                self.leave_open_in_account(&one);
            } else {
                left.push(one);
            }
        }
        if open && (self.settling || of_coup) {
            self.play.iter_mut().for_each(|play| play.doubt(Reason::EventsMissing));
        } else if open {
            self.shoe.iter_mut().for_each(|shoe| shoe.leave_open(Reason::EventsMissing));
        }
        left
    }
}

/// What has to be corrected for a finding at a settlement to be none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MendedBy {
    /// No correction of what was observed makes it right.
    Nothing,
    /// The settlement, or the bank's account.
    ItsEvent,
    /// What was burned, if it is about the first card after that.
    Burn,
    /// The face of a card, and the result that was announced.
    FaceAndResult,
}
