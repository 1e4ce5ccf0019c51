//! Counts of what the judge cannot derive: events that somebody only signed for, and facts that nobody
//! recorded. Certificates list these counts beside their own.

use baccarat::Face;
use events::{Body, BurnCards, CardDrawn};
use serde::{Deserialize, Serialize};

use crate::totals::is_zero;

/// Counts of facts that someone signed for and the judge cannot derive, and of facts that were not recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Attested {
    /// Coups declared void.
    pub voids: u64,
    /// Irregularities ruled upon.
    pub irregularities: u64,
    /// Corrections of earlier events.
    pub corrections: u64,
    /// All three together: everything that somebody ruled.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rulings: u64,
    /// Cards drawn, and indicators of the burn, that were not read (`??`).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unread_cards: u64,
    /// Shoes for which the record says that the burned cards are not known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub burns_unknown: u64,
    /// Values of settlements, winners and totals, that a program computed from the cards and nobody read: that they agree
    /// with the cards confirms nothing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub values_computed: u64,
    /// Extensions, by which nothing is judged.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub extensions: u64,
    /// Bytes of their names and data.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub extension_bytes: u64,
}

impl Attested {
    /// Counts one event.
    pub(crate) fn count(&mut self, body: &Body) {
        self.unread_cards += u64::from(is_unread(body));
        self.rulings += u64::from(is_ruling(body));
    }

    pub(crate) fn merge(&mut self, other: Self) {
        self.voids += other.voids;
        self.irregularities += other.irregularities;
        self.corrections += other.corrections;
        self.rulings += other.rulings;
        self.unread_cards += other.unread_cards;
        self.burns_unknown += other.burns_unknown;
        self.values_computed += other.values_computed;
        self.extensions += other.extensions;
        self.extension_bytes += other.extension_bytes;
    }
}

const fn is_unread(body: &Body) -> bool {
    matches!(
        body,
        Body::CardDrawn(CardDrawn { card: Face::Unseen, .. })
            | Body::BurnCards(BurnCards { indicator: Face::Unseen, .. })
    )
}

const fn is_ruling(body: &Body) -> bool {
    matches!(
        body,
        Body::IrregularityRecorded(_)
            | Body::CardReplaced(_)
            | Body::CoupVoided(_)
            | Body::CorrectionRecorded(_)
    )
}
