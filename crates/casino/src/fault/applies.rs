//! The rulebooks under which a fault is possible.

use baccarat::{
    BetRule, BurnMethod, Charge, ChartBinds, CheminRules, Consequence, Dealer, IrregularityRules,
    PuntoHolderRule, Rulebook,
};

use super::Fault;
use crate::forge::{fits, is_forged};

impl Fault {
    /// Whether only chemin de fer has it.
    fn is_of_chemin(self) -> bool {
        (Self::BankTooSmall..=Self::ClaimAfterPayment).contains(&self)
    }

    /// Whether it can happen under a rulebook of chemin de fer.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not named is of the other game")]
    fn applies_to_chemin(self, rules: &CheminRules) -> bool {
        match self {
            Self::GarajeEarly => rules.garaje.voluntary_over.is_some(),
            Self::AbonoForbidden => rules.abonos.is_none(),
            Self::FourthAbono | Self::AbonoTooLarge | Self::AbonoCorrected => rules.abonos.is_some(),
            Self::BancaDrew => rules.chart.binds == ChartBinds::Always,
            Self::PuntoDrew
            | Self::PuntoStood
            | Self::BancaStood
            | Self::NaturalDrawn
            | Self::ExtraCard
            | Self::DealSwapped
            | Self::WrongWinner
            | Self::AlteredTotal
            | Self::Overpaid
            | Self::Underpaid
            | Self::HolderWrong
            | Self::HolderCorrected
            | Self::ShoeCorrected
            | Self::DuplicateCard
            | Self::ShoeShort
            | Self::WrongDecks
            | Self::CutTooDeep
            | Self::CutMissing
            | Self::CutMoved
            | Self::PositionSkipped
            | Self::PositionRepeated
            | Self::CardsLeftWrong
            | Self::OrderBroken
            | Self::ShoeNotEnded
            | Self::MissingEvent
            | Self::SequenceConflict
            | Self::TimeBackwards => true,
            other => other.is_of_chemin(),
        }
    }

    /// Whether a bet has a share of the table's maximum and stands by itself.
    pub(crate) fn is_capped(bet: &BetRule) -> bool {
        bet.cap.is_some() && bet.requires.is_empty()
    }

    /// Whether it can happen under a rulebook.
    #[must_use]
    #[allow(clippy::wildcard_enum_match_arm, reason = "most faults can happen under any rulebook")]
    pub fn applies_to(self, book: &Rulebook) -> bool {
        if is_forged(self) {
            return fits(self, book);
        }
        if let Some(chemin) = &book.chemin {
            return self.applies_to_chemin(chemin);
        }
        if self.is_of_chemin() {
            return false;
        }
        let commission = book.commission.as_ref().map(|rules| rules.charge);
        match self {
            Self::CommissionMissing | Self::CommissionWrong => commission.is_some(),
            Self::BoxNotCollected | Self::LeftWithoutPaying => commission == Some(Charge::Boxed),
            Self::RulingIgnored => {
                let voids = |rule: &IrregularityRules| rule.consequence == Consequence::CoupVoid;
                book.irregularities.values().any(voids)
            }
            Self::CardRemoved | Self::SameSigner => {
                let rule = book.irregularities.get("card-face-up").map(|rule| rule.consequence);
                matches!(rule, None | Some(Consequence::CardRemoved | Consequence::Ruling))
            }
            Self::NotAMultiple => book.limits.multiples_allowed,
            Self::OverCap => book.bets.values().any(Self::is_capped),
            Self::SideBetAlone => book.bets.values().any(|bet| !bet.requires.is_empty()),
            Self::SideBetTooLarge => book.bets.values().any(|bet| bet.cap_of_required.is_some()),
            Self::ForbiddenPair => !book.forbidden_pairs.is_empty(),
            Self::BurnUnread => matches!(book.burn.method, BurnMethod::Indicator { .. }),
            Self::BurnShort | Self::BurnOver | Self::BurnMissing => book.burn.method != BurnMethod::None,
            Self::HolderWrong | Self::HolderCorrected => {
                book.deal.punto_holder == PuntoHolderRule::HighestPuntoBet
            }
            Self::OfferedOutOfTurn | Self::DealTakenAway | Self::DealKept => {
                book.deal.dealer == Dealer::Players
            }
            Self::AcceptedUnoffered => book.deal.dealer != Dealer::Croupier,
            Self::OfferedByCroupier => book.deal.dealer == Dealer::Croupier,
            Self::LimitsRatio => !book.limits.maximum_over_minimum.is_empty(),
            _ => true,
        }
    }
}
