//! The clauses that only chemin de fer has: a player is the bank, and some draws are free.
//!
//! Every point on which two sources differ is a value here. Who has the bank, what it holds and what was
//! announced is part of a record, not of a rulebook.

use super::*;
use crate::{Draw, Points};

/// Which game a rulebook is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Game {
    /// Punto y banca: the house is the bank and every draw is forced.
    PuntoBanca,
    /// Chemin de fer: a player is the bank.
    CheminDeFer,
}

/// The clauses of chemin de fer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CheminRules {
    /// Players without whom there is no game.
    pub players: PlayerRules,
    /// How much the bank may hold.
    pub bank: BankRules,
    /// Whose turn the bank is.
    pub turn: TurnRules,
    /// Banco, banco con la mesa, banco seguido; only the texts it follows.
    pub banco: Cited,
    /// Free play of whoever calls banco.
    pub free_play: FreePlayRules,
    /// Whether banca's table binds the banker.
    pub chart: ChartRules,
    /// What the banker may or must set aside.
    pub garaje: GarajeRules,
    /// Stakes beside the bank; absent where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abonos: Option<AbonoRules>,
}

/// Players without whom there is no game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlayerRules {
    /// Least number at the table, the banker included, 2 to 99.
    pub least: u16,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// How much the bank may hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BankRules {
    /// Most that may be in play, as a multiple of the least stake, 1 to 1,000,000.
    pub maximum: u32,
    /// Whether leave may be given for a bank without a maximum.
    pub may_be_unlimited: bool,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// Whose turn the bank is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TurnRules {
    /// Refusals in a row after which a player has to leave the seat, 1 to 99.
    pub leaves_after: u8,
    /// Whether who sits down or changes seats during a shoe first has to let the bank pass
    /// (*saludar*).
    pub newcomers_pass: bool,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// Free play of whoever calls banco.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FreePlayRules {
    /// The office that gives leave for it before play begins: 1 to 64 of `a-z 0-9 -`.
    pub office: String,
    /// Whether a banker who plays freely has to draw with 0 all the same.
    pub zero_draws: bool,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// When banca's table binds the banker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChartBinds {
    /// In every coup that is not played freely.
    Always,
    /// Where the banker asks the croupier for it; else every draw is free.
    Asked,
}

/// Whether banca's table binds the banker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ChartRules {
    /// When.
    pub binds: ChartBinds,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// What the banker may or must set aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GarajeRules {
    /// Winnings may be set aside by choice once they are more than this many times the least
    /// stake, 1 to 1,000,000; absent where the source's own condition is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voluntary_over: Option<u32>,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// Stakes beside the bank, on what the others stake beyond it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AbonoRules {
    /// Most of them in one coup, 1 to 99.
    pub most: u8,
    /// Whether what a player puts on them is at least the table's minimum too, whatever the bet says.
    #[serde(default, skip_serializing_if = "super::parts::is_false")]
    pub within_limits: bool,
    /// Keys of citations.
    #[serde(default)]
    pub cite: Vec<String>,
}

/// By what the banker plays in one coup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BancaPlay {
    /// As they like.
    Free,
    /// By banca's table.
    Chart,
    /// By banca's table, and drawing where it leaves the choice.
    ChartDrawing,
}

impl Rulebook {
    /// Which game it is about.
    #[must_use]
    pub const fn game(&self) -> Game {
        match self.chemin {
            Some(_) => Game::CheminDeFer,
            None => Game::PuntoBanca,
        }
    }

    /// What punto does on a two-card total of 0 to 7. `free`: punto called banco where leave was
    /// given for free play; `advised`: punto asked the croupier, who makes it stand where it may
    /// choose.
    #[must_use]
    pub fn punto_draw(&self, total: Points, free: bool, advised: bool) -> Draw {
        let cell = self.tableau.punto(total);
        if cell == Draw::Optional && advised {
            Draw::Stands
        } else if free {
            Draw::Optional
        } else {
            cell
        }
    }

    /// What banca does on a two-card total of 0 to 7 against punto's third card, `None` where
    /// punto stood.
    #[must_use]
    pub fn banca_draw(&self, total: Points, third: Option<Points>, play: BancaPlay) -> Draw {
        let zero_draws = self.chemin.as_ref().is_none_or(|chemin| chemin.free_play.zero_draws);
        let cell = self.tableau.banca(total, third);
        match (play, cell) {
            (BancaPlay::Free, _) if total.get() == 0 && zero_draws => Draw::Draws,
            (BancaPlay::Free, _) => Draw::Optional,
            (BancaPlay::ChartDrawing, Draw::Optional) => Draw::Draws,
            (BancaPlay::ChartDrawing | BancaPlay::Chart, cell) => cell,
        }
    }
}

impl CheminRules {
    pub(super) fn clauses(&self) -> impl Iterator<Item = Clause> + use<> {
        use Clause::{Abonos, Banco, Bank, Chart, FreePlay, Garaje, Players, Turn};
        let abonos = self.abonos.is_some().then_some(Abonos);
        [Players, Bank, Turn, Banco, FreePlay, Chart, Garaje].into_iter().chain(abonos)
    }

    /// Keys of the citations a clause of chemin de fer follows; `None` for any other clause.
    pub(super) fn cited(&self, clause: &Clause) -> Option<&[String]> {
        match clause {
            Clause::Players => Some(&self.players.cite),
            Clause::Bank => Some(&self.bank.cite),
            Clause::Turn => Some(&self.turn.cite),
            Clause::Banco => Some(&self.banco.cite),
            Clause::FreePlay => Some(&self.free_play.cite),
            Clause::Chart => Some(&self.chart.cite),
            Clause::Garaje => Some(&self.garaje.cite),
            Clause::Abonos => Some(self.abonos.as_ref().map_or(&[][..], |abonos| &abonos.cite)),
            Clause::Shoe
            | Clause::CutCard
            | Clause::Burn
            | Clause::Deal
            | Clause::Tableau
            | Clause::Naturals
            | Clause::CardValues
            | Clause::Seats
            | Clause::ForbiddenPairs
            | Clause::Limits
            | Clause::Commission
            | Clause::Bet(_)
            | Clause::Betting
            | Clause::Settlement
            | Clause::Clock
            | Clause::Rulings
            | Clause::Irregularity(_) => None,
        }
    }
}
