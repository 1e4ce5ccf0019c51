//! Faults and frauds that can be planted, one at a time.

use baccarat::{
    BetRule, BurnMethod, Charge, ChartBinds, CheminRules, Consequence, Dealer, IrregularityRules,
    PuntoHolderRule, Rulebook,
};

macro_rules! faults {
    ($($variant:ident $code:literal $finding:literal $what:literal)+) => {
        /// One fault of the catalogue.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Fault {
            $(#[doc = $what] $variant,)+
        }

        impl Fault {
            /// The whole catalogue.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name on the command line.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// The finding it must lead to.
            #[must_use]
            pub const fn finding(self) -> &'static str {
                match self { $(Self::$variant => $finding,)+ }
            }

            /// What happens, in a sentence.
            #[must_use]
            pub const fn describe(self) -> &'static str {
                match self { $(Self::$variant => $what,)+ }
            }
        }
    };
}

faults! {
    PuntoDrew "punto-drew" "punto-drew" "Punto draws although it has to stand."
    PuntoStood "punto-stood" "punto-stood" "Punto stands although it has to draw."
    BancaDrew "banca-drew" "banca-drew" "Banca draws although it has to stand."
    BancaStood "banca-stood" "banca-stood" "Banca stands although it has to draw."
    NaturalDrawn "natural-drawn" "natural-drawn" "A card is drawn after a natural."
    ExtraCard "extra-card" "extra-card" "Banca is given a fourth card."
    DealSwapped "deal-swapped" "deal-order" "Two of the first four cards go to the wrong hands."
    EarlyCard "early-card" "card-before-bets-closed" "The first card is drawn before the bets are closed."
    WrongWinner "wrong-winner" "winner-wrong" "Another winner is announced."
    AlteredTotal "altered-total" "total-wrong" "Another total is announced."
    Overpaid "overpaid" "payout-over" "A bet is paid too much."
    Underpaid "underpaid" "payout-under" "A bet is paid too little."
    WrongSeat "wrong-seat" "payout-wrong-seat" "A winner's money goes to a loser at another seat."
    CommissionMissing "commission-missing" "commission-missing" "No commission is taken on a win that carries it."
    CommissionWrong "commission-wrong" "commission-wrong" "A minor unit too much commission is taken."
    BoxNotCollected "box-not-collected" "commission-uncollected" "A seat's box is not collected at the end of the shoe."
    LeftWithoutPaying "left-without-paying" "commission-uncollected" "A player leaves without paying the commission marked."
    LateBet "late-bet" "bet-late" "A bet is accepted after the bets are closed."
    LateWithdrawal "late-withdrawal" "bet-withdrawn-late" "A bet is taken back after the bets are closed."
    OverLimit "over-limit" "bet-above-maximum" "A stake is above the maximum."
    BelowMinimum "below-minimum" "bet-below-minimum" "A stake is below the minimum."
    NotAMultiple "not-a-multiple" "bet-multiple" "A stake is not a multiple of the table's unit."
    OverCap "over-cap" "bet-above-maximum" "A stake is above its bet's share of the table's maximum."
    SideBetAlone "side-bet-alone" "bet-without-main" "A side bet that needs a main bet beside it is accepted alone."
    SideBetTooLarge "side-bet-too-large" "bet-above-main" "A side bet is larger than the main bets beside it allow."
    ForbiddenPair "forbidden-pair" "bet-forbidden-pair" "A player bets on two things that exclude each other."
    UnknownSeat "unknown-seat" "bet-seat" "A bet stands at a seat the table does not have."
    UnknownKind "unknown-kind" "bet-kind" "A bet of a kind the rulebook does not offer is accepted."
    BetIdReused "bet-id-reused" "bet-id-reused" "A bet gets the id of an earlier one."
    BetLeftOut "bet-left-out" "bet-not-settled" "A bet is left out of the settlement."
    BetSettledTwice "bet-settled-twice" "bet-settled-twice" "A bet is settled twice."
    DuplicateCard "duplicate-card" "shoe-surplus-card" "A card comes out more often than the decks hold it."
    BurnShort "burn-short" "burn-count" "One card too few is burned."
    BurnOver "burn-over" "burn-count" "One card too many is burned."
    BurnMissing "burn-missing" "burn-missing" "No cards are burned."
    ShoeShort "shoe-short" "shoe-count" "The shoe is short of a deck."
    WrongDecks "wrong-decks" "shoe-decks" "The shoe has a number of decks the rulebook does not allow."
    CutTooDeep "cut-too-deep" "shoe-cut-depth" "A card too few lies behind the cut card."
    CutMissing "cut-missing" "cut-card-missing" "The cut card's appearance is not recorded."
    CutMoved "cut-moved" "cut-card-position" "The cut card comes out somewhere else than it was placed."
    CoupAfterLast "coup-after-last" "coup-after-last" "A coup is played after the last one."
    CoupNumberSkipped "coup-number-skipped" "coup-number" "A coup's number is skipped."
    CoupNotSettled "coup-not-settled" "coup-not-settled" "A coup is never settled."
    CoupSettledTwice "coup-settled-twice" "coup-settled-twice" "A coup is settled twice."
    PositionSkipped "position-skipped" "shoe-position" "A card leaves the shoe unrecorded."
    PositionRepeated "position-repeated" "shoe-position" "Two cards have the same position in the shoe."
    CardsLeftWrong "cards-left-wrong" "shoe-cards-left" "The cards left in the shoe are miscounted."
    OrderBroken "order-broken" "shoe-order-commitment" "The order revealed is not the one committed to."
    HolderWrong "holder-wrong" "punto-holder" "Punto's cards are given to the wrong holder."
    OfferedOutOfTurn "offered-out-of-turn" "deal-offer-order" "The deal is offered to the seat after the next."
    AcceptedUnoffered "accepted-unoffered" "deal-not-offered" "The deal is taken by a seat it was not offered to."
    DealTakenAway "deal-taken-away" "deal-taken-away" "The deal is offered on although punto has not won."
    DealKept "deal-kept" "deal-kept" "The dealer deals on after punto has won."
    OfferedByCroupier "offered-by-croupier" "deal-by-croupier" "The deal is offered where the croupier deals."
    SeatTakenTwice "seat-taken-twice" "seat-wrong" "A seat is taken that is taken."
    ShoeNotEnded "shoe-not-ended" "shoe-not-ended" "The end of a shoe is not recorded."
    LimitsRatio "limits-ratio" "limits-ratio" "The limits are changed to a ratio the rulebook does not allow."
    CardRemoved "card-removed" "card-removed" "A card is removed from play and nobody rules on it."
    RulingIgnored "ruling-ignored" "ruling-not-followed" "A coup that has to be void is settled."
    VoidStakeKept "void-stake-kept" "void-stake-kept" "A stake of a void coup is kept."
    CorrectionWrong "correction-wrong" "payout-over" "A right payout is corrected to a higher one."
    CorrectionAhead "correction-ahead" "correction-target" "A correction names an event that is still to come."
    SameSigner "same-signer" "same-signer" "One person signs a ruling twice."
    BankTooSmall "bank-too-small" "bank-below-minimum" "The bank is taken for less than the least stake."
    BankTooLarge "bank-too-large" "bank-above-maximum" "The bank plays with more than its maximum."
    BankOutOfTurn "bank-out-of-turn" "bank-turn" "The bank goes to the seat after the next."
    BankKept "bank-kept" "bank-kept" "The banker deals on after punto has won."
    BankTakenFromWinner "bank-taken-from-winner" "bank-taken-away" "The bank is taken from a banker who has not lost."
    BankGivenUpUnplayed "bank-given-up-unplayed" "bank-not-dealt" "The bank is given up before a coup is dealt."
    BankUndercut "bank-undercut" "bank-below-passed" "The bank is taken for less than it was given up for."
    BankSkimmed "bank-skimmed" "bank-wrong" "Part of what the bank won is missing from it."
    BankTakesTooMuch "bank-takes-too-much" "bank-wrong" "The banker takes more away than the bank holds."
    AccountMissing "account-missing" "bank-not-settled" "What a coup comes to for the bank is not recorded."
    PozoEmpty "pozo-empty" "commission-missing" "No commission is taken on what the bank won."
    PozoOver "pozo-over" "commission-wrong" "A minor unit too much is taken of what the bank won."
    AuctionByLastBanker "auction-by-last-banker" "auction-excluded" "Whoever gave the bank up bids for it."
    AuctionToLower "auction-to-lower" "auction-winner" "The bank is sold to the lower bid."
    SaludoSkipped "saludo-skipped" "saludo-owed" "A newcomer takes the bank without having let it pass."
    SeatKept "seat-kept" "seat-kept" "A player keeps the seat after refusing the bank too often."
    TableTooSmall "table-too-small" "players-too-few" "Play goes on with three players."
    LeaveByAnother "leave-by-another" "leave-wrong" "Leave for free play is given by somebody who cannot."
    LeaveTooLate "leave-too-late" "leave-wrong" "Leave for free play is given once play has begun."
    GarajeEarly "garaje-early" "garaje-not-allowed" "Winnings are set aside before they are large enough."
    GarajeWrong "garaje-wrong" "garaje-amount" "Not all that the stakes leave uncovered is set aside."
    GarajeForgotten "garaje-forgotten" "garaje-missing" "What the stakes leave uncovered is not set aside."
    TodoVaLimited "todo-va-limited" "todo-va" "«Todo va» is announced at a bank with a maximum."
    StakesAboveBank "stakes-above-bank" "stakes-above-bank" "More is staked than the bank holds."
    StakeAboveBank "stake-above-bank" "bet-above-maximum" "One player stakes more than the bank holds."
    BancoShort "banco-short" "banco-stake" "Whoever calls banco stakes less than the bank."
    BancoOutOfPriority "banco-out-of-priority" "banco-priority" "Banco is given to the last who has a right to it."
    SeguidoWithoutRight "seguido-without-right" "banco-seguido" "Banco seguido is called by somebody who has no right to it."
    BancoTooLate "banco-too-late" "banco-late" "Banco is called after the bets are closed."
    AbonoForbidden "abono-forbidden" "abono-not-allowed" "An abono is accepted where there are none."
    FourthAbono "fourth-abono" "abono-count" "An abono more than allowed is accepted."
    AbonoTooLarge "abono-too-large" "abono-amount" "The abonos are more than the stakes go beyond the bank."
    CartaAgainstNo "carta-against-no" "draw-not-as-decided" "A hand that said no is given a card."
    ThirdCardUnread "third-card-unread" "third-card-unseen" "A third card is not read."
    ClaimHeard "claim-heard" "claim-after-payment" "A coup is declared void once its stakes were paid."
    MissingEvent "missing-event" "sequence-gap" "An event is missing from the table's numbering."
    SequenceConflict "sequence-conflict" "sequence-conflict" "Two different events have the same number."
    TimeBackwards "time-backwards" "time-backwards" "The table's clock runs backwards."
}

impl Fault {
    /// Whether only chemin de fer has it.
    fn is_of_chemin(self) -> bool {
        (Self::BankTooSmall..=Self::ClaimHeard).contains(&self)
    }

    /// Whether it can happen under a rulebook of chemin de fer.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what is not named is of the other game")]
    fn applies_to_chemin(self, rules: &CheminRules) -> bool {
        match self {
            Self::GarajeEarly => rules.garaje.voluntary_over.is_some(),
            Self::AbonoForbidden => rules.abonos.is_none(),
            Self::FourthAbono | Self::AbonoTooLarge => rules.abonos.is_some(),
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
            Self::BurnShort | Self::BurnOver | Self::BurnMissing => book.burn.method != BurnMethod::None,
            Self::HolderWrong => book.deal.punto_holder == PuntoHolderRule::HighestPuntoBet,
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
