//! How a fault changes the verdicts on its coup and its shoe.

use super::Fault;

/// Findings that say only that something is missing.
const INCOMPLETE: [&str; 3] = ["sequence-gap", "coups-not-recorded", "sequence-late"];

/// Findings about a shoe as a whole: its cards, its burn, its numbering, its end.
const OF_THE_SHOE: [&str; 18] = [
    "shoe-decks",
    "shoe-count",
    "shoe-cut-depth",
    "shoe-surplus-card",
    "shoe-position",
    "shoe-cards-left",
    "shoe-order-commitment",
    "shoe-not-ended",
    "shoe-id-reused",
    "deck-reused",
    "burn-count",
    "burn-missing",
    "burn-repeated",
    "cut-card-position",
    "cut-card-missing",
    "coup-after-last",
    "coup-number",
    "play-after-end",
];

impl Fault {
    /// Whether the shoe after the one it is planted in shows it.
    pub(crate) const fn needs_two_shoes(self) -> bool {
        matches!(self, Self::ShoeIdReused | Self::DeckReused)
    }

    /// Whether it changes or removes the result of its coup, so that other faults of the coup may not show.
    pub(crate) const fn takes_away(self) -> bool {
        matches!(
            self,
            Self::VoidMillion
                | Self::VoidDoubled
                | Self::VoidWithoutRefund
                | Self::VoidAfterPaid
                | Self::VoidUnsigned
                | Self::UnsettledRuling
                | Self::NineUnread
                | Self::TotalUnread
                | Self::WinnerUnread
                | Self::TotalAfterGap
                | Self::CorrectionTurns
        )
    }

    /// Whether it alters cards, so that no order may be committed to.
    pub(crate) const fn needs_unknown_order(self) -> bool {
        matches!(self, Self::RankTooOften | Self::CorrectionTurns)
    }

    /// Numbers of coups and shoes it makes violated, by whether it belongs to a coup and whether there is a shoe.
    pub(crate) fn violates(self, in_coup: bool, in_shoe: bool) -> (u64, u64) {
        if INCOMPLETE.contains(&self.finding()) {
            return (0, 0);
        }
        let shoe = OF_THE_SHOE.contains(&self.finding()) || (!in_coup && in_shoe);
        (u64::from(in_coup), u64::from(shoe))
    }
}
