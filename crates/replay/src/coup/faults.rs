//! What is wrong with the draws of a coup, and what it moved: the same cards, dealt by the rules,
//! would have returned other sums.

use std::collections::BTreeMap;

use baccarat::{Coup, Face, Outcome};

use super::{CoupInPlay, Dealt, Standing};
use crate::rules::Rules;
use crate::settlement::{Comparison, due};
use crate::sink::{Sink, clamp};
use crate::worlds::{Rightful, rightful};
use crate::{Code, SeatMoney};

impl CoupInPlay {
    /// A draw is wrong; it is told at the end of the coup.
    pub(super) fn fault(&mut self, code: Code, expected: String, recorded: String, sink: &Sink) {
        // Whoever overlooks a natural overlooks it once, however many cards follow.
        if code == Code::NaturalDrawn && self.faults.iter().any(|fault| fault.code == code) {
            return;
        }
        let accusation = self.accusation(code, expected, recorded).at(sink.place());
        self.faults.push(accusation);
    }

    /// Tells what is wrong with the draws where the money of it cannot be known.
    pub(crate) fn release_faults(&mut self, sink: &mut Sink) {
        sink.accuse_all(std::mem::take(&mut self.faults));
    }

    /// Tells what is wrong with the draws of a settled coup, with what it moved; `next` are the cards of the
    /// shoe that followed those of the coup, as far as they are recorded.
    pub(crate) fn tell_faults(
        &mut self,
        next: &[Face],
        payouts: &[Comparison],
        rules: &Rules,
        sink: &mut Sink,
    ) {
        if self.faults.is_empty() {
            return;
        }
        let money = match self.rightful(next, rules) {
            Rightful::Coup(coup) => self.moved(&coup, payouts, rules),
            Rightful::Needs(_) | Rightful::Unknown => Vec::new(),
        };
        for fault in std::mem::take(&mut self.faults) {
            let moves = has_counterfactual(fault.code);
            sink.accuse(if moves { fault.moving(money.clone()) } else { fault });
        }
    }

    /// Cards of the shoe after those of the coup that are needed, at most, to say what its wrong draws
    /// moved; 0 where none was wrong or none can help.
    #[allow(dead_code, reason = "asked by the table once it looks at the cards of the next coup")]
    pub(crate) fn rightful_needs(&self, rules: &Rules) -> usize {
        let asked = self.faults.iter().any(|fault| has_counterfactual(fault.code));
        match self.rightful(&[], rules) {
            Rightful::Needs(cards) if asked => cards,
            Rightful::Needs(_) | Rightful::Coup(_) | Rightful::Unknown => 0,
        }
    }

    /// The cards of the coup, in the order of their positions, dealt by the rules.
    fn rightful(&self, next: &[Face], rules: &Rules) -> Rightful {
        let mut dealt: Vec<&Dealt> = self.dealt.iter().filter(|dealt| dealt.to.is_some()).collect();
        dealt.sort_by_key(|dealt| dealt.position);
        rightful(dealt.iter().map(|dealt| dealt.face).chain(next.iter().copied()), &rules.book)
    }

    /// What each seat got beyond what the rightful coup would have returned; none where unread suits
    /// decide it.
    fn moved(&self, rightful: &Coup, payouts: &[Comparison], rules: &Rules) -> Vec<SeatMoney> {
        let outcome = Outcome::of(rightful);
        let mut by_seat: BTreeMap<u8, i128> = BTreeMap::new();
        for payout in payouts {
            let bet = &self.bets[payout.bet];
            let Some(kind) = bet.kind.filter(|_| bet.standing != Standing::WithdrawnLate) else { continue };
            let Some(decision) = rules.paytable(kind).decide(&outcome) else { return Vec::new() };
            let returned = payout.recorded.map_or(0, |recorded| i128::from(recorded.returned.get()));
            let rightful = i128::from(due(bet, decision, rules).returned.get());
            *by_seat.entry(bet.seat).or_default() += returned - rightful;
        }
        let differs = by_seat.into_iter().filter(|(_, difference)| *difference != 0);
        differs.map(|(seat, difference)| SeatMoney { seat, minor_units: clamp(difference) }).collect()
    }
}

/// Whether a finding on the draws has money: what it moved is what other hands would have brought.
const fn has_counterfactual(code: Code) -> bool {
    matches!(
        code,
        Code::PuntoDrew
            | Code::PuntoStood
            | Code::BancaDrew
            | Code::BancaStood
            | Code::NaturalDrawn
            | Code::DealOrder
    )
}
