//! Faults and frauds that can be planted, one at a time.

mod applies;
mod weight;

macro_rules! faults {
    ($($variant:ident $code:literal $finding:literal $(+ $also:literal)* $what:literal)+) => {
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

            /// Codes of further findings that necessarily appear with it.
            #[must_use]
            pub const fn also(self) -> &'static [&'static str] {
                match self { $(Self::$variant => &[$($also),*],)+ }
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
    ThirdCardTurns "third-card-turns" "banca-drew" "Banca draws although it has to stand, and another side wins."
    BurnUnread "burn-unread" "burn-count" "The indicator is not shown, and more cards are burned than any asks for."
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
    ClaimAfterPayment "claim-heard" "claim-after-payment" "A coup is declared void once its stakes were paid."
    MissingEvent "missing-event" "sequence-gap" "An event is missing from the table's numbering."
    SequenceConflict "sequence-conflict" "sequence-conflict" "Two different events have the same number."
    TimeBackwards "time-backwards" "time-backwards" "The table's clock runs backwards."
    MillionsUnread "millions-unread" "payout-over" "A losing bet brings millions, and a card of the coup was not read."
    MillionsSuitUnread "millions-suit-unread" "payout-over" "A losing bet brings millions, and a suit was not read."
    NineUnread "nine-unread" "total-wrong" "Punto's 9 is announced against its cards, and banca's third was not read."
    TotalUnread "total-unread" "total-wrong" "Banca's total is wrong, and one of punto's cards was not read."
    WinnerUnread "winner-unread" "winner-wrong" "Another winner is announced, and a card was not read."
    PaidAfterGap "paid-after-gap" "payout-over" + "sequence-gap" "A bet brings nine million in the coup after a missing event."
    PaidLaterAfterGap "paid-later-after-gap" "payout-over" + "sequence-gap" "A bet is overpaid two coups after a missing event."
    TotalAfterGap "total-after-gap" "total-wrong" + "sequence-gap" "A total is wrong in the coup after a missing event."
    TwoBetsForGap "two-bets-for-gap" "bet-unknown" + "sequence-gap" "One event is missing, and two bets are settled that nobody placed."
    CollectedAfterGap "collected-after-gap" "commission-over-collected" + "sequence-gap" "More is collected than a missing event could have put into the box."
    NumberAfterGap "number-after-gap" "coup-number" + "sequence-gap" "One event is missing, and the coup's number leaps by five."
    CorrectionPays "correction-pays" "payout-over" "The settlement of three coups back is corrected to pay a loser ten million."
    CorrectionTurns "correction-turns" "shoe-surplus-card" "A card is corrected to one that the shoe has no more, and another side wins."
    StakeCorrected "stake-corrected" "bet-corrected-late" "A winning stake is doubled by a correction after the first card."
    BetCorrected "bet-corrected" "bet-corrected-late" "A losing bet is corrected to the winning side after the first card."
    SignedTwice "signed-twice" "same-signer" "One person signs a correction twice, in other letters."
    SignedByPlayer "signed-by-player" "signer-plays" "A player at the table signs a correction."
    LimitsCorrected "limits-corrected" "limits-in-coup" "The limits are raised by a correction while a coup is in play."
    CommissionCorrected "commission-corrected" "commission-uncollected" "Half of the commission collected is corrected away."
    OpeningCorrected "opening-corrected" "correction-target" "The opening of the table is corrected."
    HandCorrected "hand-corrected" "correction-target" "A card goes to the other hand by a correction."
    VoidMillion "void-million" "void-overpaid" "A void returns a million for a bet that was never placed."
    VoidDoubled "void-doubled" "void-overpaid" "A void returns a stake twice over."
    VoidWithoutRefund "void-without-refund" "void-stake-kept" "A void returns nothing, and play goes on."
    VoidAfterPaid "void-after-paid" "void-overpaid" "A coup is declared void once it is paid, and its winner keeps the winnings."
    VoidUnsigned "void-unsigned" "ruling-unsigned" "Nobody countersigns a void."
    RulingUnsigned "ruling-unsigned" "ruling-unsigned" "Nobody countersigns a ruling."
    RulingByPlayer "ruling-by-player" "signer-plays" "A player at the table countersigns a ruling."
    UnsettledRuling "unsettled-ruling" "coup-not-settled" "A coup is ruled upon and never settled."
    LimitsInCoup "limits-in-coup" "limits-in-coup" + "bet-above-maximum" "The limits are raised in the middle of a coup to let a stake through."
    TiesSummed "ties-summed" "bet-above-maximum" "One player has ten bets of the maximum each on a tie."
    PairAtTwoSeats "pair-at-two-seats" "bet-forbidden-pair" "One player is on punto at one seat and on banca at another."
    SideBetOrphaned "side-bet-orphaned" "bet-without-main" "The main bet that a side bet needs is taken back before the bets are closed."
    SlipsUnderMinimum "slips-under-minimum" "bet-below-minimum" "A player's slips come to less than the minimum."
    SlipsOverMaximum "slips-over-maximum" "bet-above-maximum" "A player's slips come to more than the maximum, and none does alone."
    PastPosted "past-posted" "bet-late" "A winning bet is placed after the last card."
    LoserWithdrawn "loser-withdrawn" "bet-withdrawn-late" "A losing bet is taken back after the last card."
    BetInvented "bet-invented" "bet-unknown" "A bet is settled that was never placed."
    KindInvented "kind-invented" "bet-kind" "A bet of a kind that nobody offers is accepted and paid."
    HolderRecordedTwice "holder-told-twice" "punto-holder-late" "The holder of punto's cards is recorded twice."
    HolderStanding "holder-standing" "punto-holder" "Punto's cards are given to a player who stands."
    LatePost "late-post" "payout-over" "A crooked settlement reaches the log long after its coup."
    LateConflict "late-conflict" "sequence-conflict" "Another settlement reaches the log under an old number."
    SettledAgain "settled-again" "coup-settled-twice" "A coup is settled, and paid, again three coups later."
    Flood "flood" "payout-over" "Hundreds of payouts are a minor unit too high, and one a million."
    CommissionKept "commission-kept" "commission-missing" "Commission is deducted from a payout and recorded nowhere."
    OverCollected "over-collected" "commission-over-collected" "More commission is collected than the box holds."
    CollectedTooLate "collected-too-late" "commission-uncollected" "A player's commission is collected once they have left."
    CardsLabelled "cards-labelled" "coup-label" "The cards of a coup carry the number of the next."
    PositionsShifted "positions-shifted" "shoe-position" "Positions are off by one from a card on."
    CoupsOverlap "coups-overlap" "coup-overlap" "A bet of the next coup is taken before this one is settled."
    RankTooOften "rank-too-often" "shoe-surplus-card" "Kings without suits come out more often than the decks hold kings."
    ShoeIdReused "shoe-id-reused" "shoe-id-reused" "A shoe has the id of the one before it."
    DeckReused "deck-reused" "deck-reused" "A deck of the shoe before comes back."
    PlayAfterEnd "play-after-end" "play-after-end" "A coup is played after the end of the shoe was recorded."
    ClockBackHour "clock-back-hour" "time-backwards" "The clock runs an hour back for the cards of a coup."
    NumberingRestarted "numbering-restarted" "sequence-conflict" "The numbering of the events begins again at 1."
    CurrencyChanged "currency-changed" "currency-changed" "The next opening of the table has another currency."
    CurrencyDigits "currency-digits" "currency-wrong" "The currency has another number of decimals than ISO 4217 gives it."
    CurrencyUnknown "currency-unknown" "currency-wrong" "The currency is one that ISO 4217 does not have."
    RulebookAltered "rulebook-altered" "rulebook-altered" "The rulebook has the id of a built-in one and other rules."
    RulebookTwoTexts "rulebook-two-texts" "rulebook-two-texts" "Two openings name one rulebook, and its text is another."
}
