//! The view of the bank in one coup of chemin de fer: who had it, what was called and announced, and what
//! it won or lost. It judges nothing.

use baccarat::{BancaPlay, Side};
use events::{Announced, BankSettled, Call, Counsel};
use serde::Serialize;

use crate::coup::CoupInPlay;
use crate::rules::Rules;

/// What somebody called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CallView {
    /// Who, as `seat 3` or `NAME behind seat 3`.
    pub who: String,
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
    /// Who had it; absent where nobody had, or events are missing.
    pub banker: Option<String>,
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
    /// What it came to, as due; absent where that cannot be derived.
    pub due: Option<BankDue>,
    /// Its account as recorded; absent where it was left out.
    pub recorded: Option<BankSettled>,
}

impl CoupInPlay {
    /// The view of the bank in this coup.
    pub(crate) fn bank_view(&self, rules: Option<&Rules>) -> Option<BankView> {
        let coup = self.chemin.as_deref()?;
        let decided = [(Side::Punto, coup.punto), (Side::Banca, coup.banca)];
        let decision = |(hand, decided): (Side, Option<(Announced, Counsel)>)| {
            decided.map(|(decision, counsel)| DecisionView { hand, decision, counsel })
        };
        Some(BankView {
            banker: coup.banker.as_ref().map(ToString::to_string),
            before: coup.bank.get(),
            garaje: coup.garaje.get(),
            uncovered: coup.compulsory.map(baccarat::Money::get),
            staked: rules.map_or(0, |rules| self.staked(rules, coup.bank).punto.get()),
            calls: coup
                .calls
                .iter()
                .map(|(who, call)| CallView { who: who.to_string(), call: *call })
                .collect(),
            decisions: decided.into_iter().filter_map(decision).collect(),
            due: coup.due().map(|due| BankDue {
                won: due.won.get(),
                lost: due.lost.get(),
                commission: due.commission.get(),
            }),
            recorded: coup.account.clone(),
        })
    }

    /// Whether punto and banca played freely.
    pub(crate) fn plays_freely(&self, rules: &Rules) -> (bool, BancaPlay) {
        self.chemin
            .as_deref()
            .map_or((false, BancaPlay::Chart), |coup| (coup.is_free(), self.banca_plays(coup, rules)))
    }

    /// Whether punto asked the croupier.
    pub(crate) fn punto_asked(&self) -> bool {
        let asked = |(_, counsel): (Announced, Counsel)| counsel == Counsel::Croupier;
        self.chemin.as_deref().and_then(|coup| coup.punto).is_some_and(asked)
    }
}
