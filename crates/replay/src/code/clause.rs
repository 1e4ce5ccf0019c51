//! For each code: the clause of the rulebook that it breaks, whether it concerns the shoe, and which events
//! must be known before it can be reported.

use baccarat::Clause;

use super::Code;
use crate::mended::{Cluster, Judged, MendedBy};
use crate::settled_before::Moment;

impl Code {
    /// The clause of a rulebook it breaks; `None` where no single clause stands behind it: the record
    /// contradicts itself, or it is about a ruling, a currency, or which rulebook was chosen.
    #[must_use]
    pub fn clause(self) -> Option<Clause> {
        Some(match self {
            Self::ShoeDecks
            | Self::ShoeCount
            | Self::ShoeSurplusCard
            | Self::ShoeCardsLeft
            | Self::ShoeMissing
            | Self::ShoeIdReused
            | Self::DeckReused => Clause::Shoe,
            Self::ShoeCutDepth
            | Self::CutCardPosition
            | Self::CutCardMissing
            | Self::CoupAfterLast
            | Self::ShoeNotEnded
            | Self::PlayAfterEnd => Clause::CutCard,
            Self::BurnCount | Self::BurnMissing | Self::BurnRepeated => Clause::Burn,
            Self::DealOrder
            | Self::DealShort
            | Self::PuntoHolder
            | Self::PuntoHolderLate
            | Self::DealOfferOrder
            | Self::DealNotOffered
            | Self::DealTakenAway
            | Self::DealKept
            | Self::DealByCroupier => Clause::Deal,
            Self::NaturalDrawn => Clause::Naturals,
            Self::PuntoDrew | Self::PuntoStood | Self::BancaDrew | Self::BancaStood | Self::ExtraCard => {
                Clause::Tableau
            }
            Self::TotalWrong | Self::WinnerWrong => Clause::CardValues,
            Self::CardBeforeBetsClosed
            | Self::BetLate
            | Self::BetWithdrawnLate
            | Self::BetCorrectedLate
            | Self::CorrectedLate => Clause::Betting,
            Self::BetSeat | Self::BetPlace | Self::TableSeats | Self::SeatWrong => Clause::Seats,
            Self::BetBelowMinimum
            | Self::BetAboveMaximum
            | Self::BetMultiple
            | Self::BetWithoutMain
            | Self::BetAboveMain
            | Self::LimitsRatio
            | Self::LimitsRange
            | Self::LimitsInCoup => Clause::Limits,
            Self::TimeBackwards | Self::ClockAhead | Self::RecordedLate => Clause::Clock,
            Self::SameSigner | Self::RulingUnsigned | Self::SignerPlays => Clause::Rulings,
            Self::BetForbiddenPair => Clause::ForbiddenPairs,
            Self::BankMissing
            | Self::BankTurn
            | Self::BankKept
            | Self::BankTakenAway
            | Self::BankNotDealt
            | Self::BankBelowPassed
            | Self::AuctionExcluded
            | Self::AuctionWinner
            | Self::SaludoOwed
            | Self::SeatKept => Clause::Turn,
            Self::BankBelowMinimum | Self::BankAboveMaximum | Self::BankWrong | Self::BankNotSettled => {
                Clause::Bank
            }
            Self::PlayersTooFew => Clause::Players,
            Self::LeaveWrong => Clause::FreePlay,
            Self::GarajeNotAllowed | Self::GarajeAmount | Self::GarajeMissing | Self::TodoVa => {
                Clause::Garaje
            }
            Self::BancoStake | Self::BancoPriority | Self::BancoSeguido | Self::BancoLate => Clause::Banco,
            Self::AbonoNotAllowed | Self::AbonoCount | Self::AbonoAmount => Clause::Abonos,
            Self::DrawNotAsDecided | Self::ThirdCardUnseen => Clause::Tableau,
            Self::StakesAboveBank => Clause::Limits,
            Self::CommissionMissing
            | Self::CommissionWrong
            | Self::CommissionUncollected
            | Self::CommissionOverCollected => Clause::Commission,
            Self::BetKind
            | Self::BetNotSettled
            | Self::BetSettledTwice
            | Self::PayoutOver
            | Self::PayoutUnder
            | Self::PayoutWrongSeat
            | Self::VoidStakeKept
            | Self::VoidOverpaid
            | Self::CoupNotSettled => Clause::Settlement,
            Self::ShoePosition
            | Self::ShoeOrderCommitment
            | Self::BetIdReused
            | Self::BetUnknown
            | Self::CoupNumber
            | Self::CoupSettledTwice
            | Self::CoupOverlap
            | Self::CoupLabel
            | Self::CoupSettledEarly
            | Self::TableNotOpen
            | Self::TableAlreadyOpen
            | Self::RulebookNotApproved
            | Self::RulebookNotInForce
            | Self::SequenceGap
            | Self::CoupsNotRecorded
            | Self::SequenceLate
            | Self::MoreThanKept
            | Self::SequenceConflict
            | Self::CardRemoved
            | Self::RulingNotFollowed
            | Self::CorrectionTarget
            | Self::GameWrong
            | Self::ClaimAfterPayment
            | Self::RulebookAltered
            | Self::RulebookTwoTexts
            | Self::CurrencyWrong
            | Self::CurrencyChanged
            | Self::NameLookAlike
            | Self::NameUnseen => return None,
        })
    }

    /// Whether it is about the limits in force.
    pub(crate) const fn concerns_limits(self) -> bool {
        matches!(
            self,
            Self::BetBelowMinimum
                | Self::BetAboveMaximum
                | Self::BetMultiple
                | Self::BankBelowMinimum
                | Self::BankAboveMaximum
                | Self::GarajeNotAllowed
        )
    }

    /// What has to be corrected for it to be no finding; `at` says at which event it is found.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named no correction of an observation mends"
    )]
    pub(crate) const fn mended_by(self, at: Judged) -> MendedBy {
        match self {
            Self::BurnCount | Self::CutCardPosition | Self::BankWrong => MendedBy::ItsEvent,
            Self::ShoeCardsLeft | Self::ShoeSurplusCard => MendedBy::ItsEventOrLoading,
            Self::ShoeOrderCommitment => MendedBy::FacesOrLoading,
            Self::ShoePosition => MendedBy::Burn,
            Self::ShoeDecks | Self::ShoeCount | Self::DeckReused | Self::LeaveWrong => {
                MendedBy::Decision(Moment::FirstCard)
            }
            Self::BetSeat
            | Self::BetKind
            | Self::BetBelowMinimum
            | Self::BetMultiple
            | Self::BankBelowMinimum
            | Self::BankAboveMaximum
            | Self::GarajeAmount
            | Self::TodoVa
            | Self::StakesAboveBank
            | Self::BancoStake
            | Self::AbonoCount
            | Self::AbonoAmount => MendedBy::AnyOf(Cluster::Stakes),
            Self::BetPlace
            | Self::BetAboveMaximum
            | Self::BetForbiddenPair
            | Self::BetWithoutMain
            | Self::BetAboveMain
            | Self::PuntoHolder
            | Self::GarajeNotAllowed
            | Self::BancoPriority
            | Self::BancoSeguido => MendedBy::AnyOf(Cluster::StakesOrTurns),
            Self::LimitsRatio | Self::LimitsRange if matches!(at, Judged::Limits) => {
                MendedBy::Decision(Moment::CoupBegun)
            }
            Self::SeatWrong
            | Self::SeatKept
            | Self::PlayersTooFew
            | Self::DealOfferOrder
            | Self::DealNotOffered
            | Self::DealTakenAway
            | Self::DealKept
            | Self::BankMissing
            | Self::BankTurn
            | Self::BankKept
            | Self::BankTakenAway
            | Self::BankNotDealt
            | Self::BankBelowPassed
            | Self::AuctionExcluded
            | Self::AuctionWinner
            | Self::SaludoOwed => MendedBy::AnyOf(Cluster::Turns),
            Self::CommissionUncollected | Self::CommissionOverCollected => MendedBy::AnyOf(Cluster::Boxes),
            Self::PuntoDrew | Self::PuntoStood | Self::BancaDrew | Self::BancaStood | Self::NaturalDrawn => {
                MendedBy::FaceAndResult
            }
            Self::TotalWrong
            | Self::WinnerWrong
            | Self::PayoutOver
            | Self::PayoutUnder
            | Self::PayoutWrongSeat
            | Self::CommissionMissing
            | Self::CommissionWrong
            | Self::BetNotSettled
            | Self::BetSettledTwice
            | Self::BetUnknown
            | Self::VoidStakeKept
            | Self::VoidOverpaid
                if matches!(at, Judged::Settlement) =>
            {
                MendedBy::ItsEvent
            }
            _ => MendedBy::Nothing,
        }
    }

    /// Whether it is on the draws and has money: what it moved is what other hands would have brought.
    pub(crate) const fn has_counterfactual(self) -> bool {
        matches!(
            self,
            Self::PuntoDrew
                | Self::PuntoStood
                | Self::BancaDrew
                | Self::BancaStood
                | Self::NaturalDrawn
                | Self::DealOrder
        )
    }

    /// Whether it compares something with what the bank holds.
    pub(crate) const fn rests_on_bank(self) -> bool {
        matches!(
            self,
            Self::GarajeAmount
                | Self::GarajeMissing
                | Self::AbonoAmount
                | Self::StakesAboveBank
                | Self::BancoStake
                | Self::BankAboveMaximum
        )
    }

    /// Whether it is about whose turn a deal or a bank is, which follows from the coups before.
    pub(crate) const fn concerns_turn(self) -> bool {
        matches!(
            self,
            Self::DealOfferOrder
                | Self::DealNotOffered
                | Self::DealTakenAway
                | Self::BankTurn
                | Self::BankTakenAway
                | Self::BankBelowPassed
                | Self::AuctionExcluded
                | Self::AuctionWinner
                | Self::SaludoOwed
        )
    }

    /// Whether it is certain only if two different names are two people's. (What the bets of one player come to is
    /// held against the limits for every possible owner: `stakes.rs`.)
    pub(crate) const fn rests_on_who(self) -> bool {
        matches!(
            self,
            Self::SeatWrong
                | Self::PuntoHolder
                | Self::BankTurn
                | Self::BankKept
                | Self::BankTakenAway
                | Self::BankNotDealt
                | Self::BankBelowPassed
                | Self::AuctionExcluded
                | Self::AuctionWinner
                | Self::SaludoOwed
                | Self::SeatKept
                | Self::BancoStake
                | Self::BancoPriority
                | Self::BancoSeguido
        )
    }

    /// Whether it is about the shoe as a whole: its cards, its burn, its end.
    pub(crate) const fn concerns_shoe(self) -> bool {
        matches!(
            self,
            Self::ShoeDecks
                | Self::ShoeCount
                | Self::ShoeCutDepth
                | Self::ShoeSurplusCard
                | Self::ShoePosition
                | Self::ShoeCardsLeft
                | Self::ShoeOrderCommitment
                | Self::ShoeNotEnded
                | Self::BurnCount
                | Self::BurnMissing
                | Self::BurnRepeated
                | Self::CutCardPosition
                | Self::CutCardMissing
                | Self::CoupAfterLast
                | Self::CoupNumber
                | Self::ShoeIdReused
                | Self::DeckReused
                | Self::PlayAfterEnd
                | Self::TimeBackwards
                | Self::ClockAhead
                | Self::RecordedLate
        )
    }

    /// Whether its money is commission that was not paid.
    #[must_use]
    pub const fn is_of_commission(self) -> bool {
        matches!(self, Self::CommissionMissing | Self::CommissionWrong | Self::CommissionUncollected)
    }

    /// What of a coup has to be known for it to be certain.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not named is certain by itself")]
    pub(crate) const fn rests_on(self) -> Rests {
        match self {
            Self::DealOrder
            | Self::DealShort
            | Self::NaturalDrawn
            | Self::PuntoDrew
            | Self::PuntoStood
            | Self::BancaDrew
            | Self::BancaStood
            | Self::ExtraCard
            | Self::ThirdCardUnseen => Rests::Cards,
            Self::CardBeforeBetsClosed
            | Self::BetBelowMinimum
            | Self::BetAboveMaximum
            | Self::BetMultiple
            | Self::BetForbiddenPair
            | Self::BetWithoutMain
            | Self::BetAboveMain
            | Self::PuntoHolder
            | Self::CoupNotSettled
            | Self::CardRemoved
            | Self::RulingNotFollowed
            | Self::DealKept
            | Self::BankMissing
            | Self::BankTurn
            | Self::BankKept
            | Self::BankTakenAway
            | Self::BankAboveMaximum
            | Self::BankWrong
            | Self::BankNotSettled
            | Self::PlayersTooFew
            | Self::GarajeAmount
            | Self::GarajeMissing
            | Self::GarajeNotAllowed
            | Self::StakesAboveBank
            | Self::BancoStake
            | Self::BancoPriority
            | Self::BancoSeguido
            | Self::AbonoAmount
            | Self::DrawNotAsDecided
            | Self::SeatKept => Rests::Events,
            _ => Rests::Nothing,
        }
    }
}

/// What of a coup has to be known for a finding to be certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rests {
    /// Nothing more than the recorded events.
    Nothing,
    /// No event may be missing.
    Events,
    /// No card may be missing.
    Cards,
}
