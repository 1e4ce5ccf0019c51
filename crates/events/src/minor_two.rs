//! The bodies of the events that minor version 2 brought: a card that was replaced, values that were computed and not
//! read, and room for what other systems want to keep in the record.

use baccarat::Face;
use serde::{Deserialize, Serialize};

use crate::{Data, Name, Remark};

/// A damaged card was removed by a ruling, and the same card of another deck went into the shoe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CardReplaced {
    /// The coup in which it was removed, if in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coup: Option<u32>,
    /// Position in the shoe of the card that was removed, from 1.
    pub position: u16,
    /// The card: the removed one and the one that replaces it.
    pub card: Face,
    /// Why.
    pub reason: Remark,
    /// Who ruled.
    pub ruled_by: Name,
    /// Who signed with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub countersigned_by: Option<Name>,
}

/// A value of a settlement that may have been computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ComputedValue {
    /// The winner.
    Winner,
    /// Punto's total.
    PuntoTotal,
    /// Banca's total.
    BancaTotal,
}

/// Values of a coup's settlement that no one read: a program computed them from the cards. It comes before the
/// settlement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ValuesComputed {
    /// The coup.
    pub coup: u32,
    /// Which, 1 to 3 of them.
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 3))]
    pub values: Vec<ComputedValue>,
}

/// Something that another system keeps in the record. It is sealed and shown, and nothing is judged by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Extension {
    /// What it is, by a name of those who define it, such as `example.com/camera`.
    pub name: Name,
    /// What it says.
    pub data: Data,
}
