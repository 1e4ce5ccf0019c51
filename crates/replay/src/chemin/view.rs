//! The view of the bank in one coup of chemin de fer: who had it, what was called and announced, and what
//! it won or lost. It judges nothing.

use baccarat::Side;
use events::{Announced, BankSettled, Call, Counsel};
use serde::{Serialize, Serializer};

use crate::statement::Party;

/// What somebody called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CallView {
    /// Who, as `seat 3` or `NAME behind seat 3`.
    #[serde(serialize_with = "in_words")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub who: Party,
    /// What.
    pub call: Call,
}

/// What a hand announced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DecisionView {
    /// The hand.
    pub hand: Side,
    /// `no` or `carta`.
    pub decision: Announced,
    /// Whether the croupier was asked.
    pub counsel: Counsel,
}

/// What a coup had to come to for the bank, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BankDue {
    /// Won, before commission.
    pub won: u64,
    /// Paid.
    pub lost: u64,
    /// To the house, out of what was won.
    pub commission: u64,
}

/// The bank in one coup, sums in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BankView {
    /// Who had it; absent if no one had, or events are missing.
    #[serde(serialize_with = "in_words_if_known")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub banker: Option<Party>,
    /// In play when the coup began.
    pub before: u64,
    /// Set aside when the coup began.
    pub garaje: u64,
    /// Set aside for this coup, as recorded: what the stakes did not cover.
    pub uncovered: Option<u64>,
    /// Staked against it, no stake counted for more than it held.
    pub staked: u64,
    /// What was called.
    pub calls: Vec<CallView>,
    /// What was announced.
    pub decisions: Vec<DecisionView>,
    /// Its result, as due; absent if it cannot be derived.
    pub due: Option<BankDue>,
    /// Its account as recorded; absent where it was left out.
    pub recorded: Option<BankSettled>,
}

/// In English, as `seat 3` or `NAME behind seat 3`.
fn in_words<S: Serializer>(party: &Party, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(party)
}

fn in_words_if_known<S: Serializer>(party: &Option<Party>, serializer: S) -> Result<S::Ok, S::Error> {
    party.as_ref().map(ToString::to_string).serialize(serializer)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Programs read these texts in JSON; whoever writes for people has the seat and the name.
    #[test]
    fn players_are_texts_in_json() {
        let who =
            |standing: Option<&str>| Party { seat: 3, standing: standing.map(|name| name.parse().unwrap()) };
        let call = |who| serde_json::to_value(CallView { who, call: Call::Banco }).unwrap();
        assert_eq!(call(who(None)), serde_json::json!({"who": "seat 3", "call": "banco"}));
        assert_eq!(call(who(Some("Ana")))["who"], "Ana behind seat 3");
        let bank = |banker| BankView {
            banker,
            before: 0,
            garaje: 0,
            uncovered: None,
            staked: 0,
            calls: Vec::new(),
            decisions: Vec::new(),
            due: None,
            recorded: None,
        };
        let banker = |party| serde_json::to_value(bank(party)).unwrap()["banker"].clone();
        assert_eq!(banker(Some(who(Some("Ana")))), "Ana behind seat 3");
        assert_eq!(banker(None), serde_json::Value::Null);
    }
}
