//! The clauses of a rulebook by name, so that a finding can say which one was broken and which
//! text it follows.

use std::fmt;

use super::{Citation, Rulebook};
use crate::BetKind;

/// A clause of a rulebook.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Clause {
    /// Decks and composition of the shoe.
    Shoe,
    /// The cut card and the last coup.
    CutCard,
    /// The burn.
    Burn,
    /// Order of the deal, who deals, who holds punto's cards.
    Deal,
    /// Who draws a third card.
    Tableau,
    /// An 8 or 9 ends the coup.
    Naturals,
    /// What cards count and who wins.
    CardValues,
    /// Seats.
    Seats,
    /// Bets that exclude each other.
    ForbiddenPairs,
    /// Limits.
    Limits,
    /// Commission.
    Commission,
    /// One kind of bet and its paytable.
    Bet(BetKind),
    /// When bets are accepted ("no va más").
    Betting,
    /// Paying and collecting.
    Settlement,
    /// What follows from one kind of irregularity.
    Irregularity(String),
    /// How exact clocks have to be.
    Clock,
    /// Who signs rulings.
    Rulings,
    /// Chemin de fer: players without whom there is no game.
    Players,
    /// Chemin de fer: how much the bank may hold.
    Bank,
    /// Chemin de fer: whose turn the bank is.
    Turn,
    /// Chemin de fer: banco and its kinds.
    Banco,
    /// Chemin de fer: free play.
    FreePlay,
    /// Chemin de fer: whether banca's table binds.
    Chart,
    /// Chemin de fer: what is set aside.
    Garaje,
    /// Chemin de fer: stakes beside the bank.
    Abonos,
}

impl Clause {
    /// Its key in a rulebook file.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::Shoe => "shoe".to_owned(),
            Self::CutCard => "cut-card".to_owned(),
            Self::Burn => "burn".to_owned(),
            Self::Deal => "deal".to_owned(),
            Self::Tableau => "tableau".to_owned(),
            Self::Naturals => "naturals".to_owned(),
            Self::CardValues => "card-values".to_owned(),
            Self::Seats => "seats".to_owned(),
            Self::ForbiddenPairs => "forbidden-pairs".to_owned(),
            Self::Limits => "limits".to_owned(),
            Self::Commission => "commission".to_owned(),
            Self::Bet(kind) => format!("bets.{kind}"),
            Self::Betting => "betting".to_owned(),
            Self::Settlement => "settlement".to_owned(),
            Self::Irregularity(code) => format!("irregularities.{code}"),
            Self::Clock => "clock".to_owned(),
            Self::Rulings => "rulings".to_owned(),
            Self::Players => "chemin.players".to_owned(),
            Self::Bank => "chemin.bank".to_owned(),
            Self::Turn => "chemin.turn".to_owned(),
            Self::Banco => "chemin.banco".to_owned(),
            Self::FreePlay => "chemin.free-play".to_owned(),
            Self::Chart => "chemin.chart".to_owned(),
            Self::Garaje => "chemin.garaje".to_owned(),
            Self::Abonos => "chemin.abonos".to_owned(),
        }
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.path())
    }
}

impl Rulebook {
    /// Every clause this rulebook has: no commission where none is taken, no forbidden pairs where
    /// there are none, one clause for each bet it offers.
    #[must_use]
    pub fn clauses(&self) -> Vec<Clause> {
        use Clause::{
            Betting, Burn, CardValues, Commission, CutCard, Deal, ForbiddenPairs, Limits, Naturals, Seats,
            Settlement, Shoe, Tableau,
        };
        let mut clauses = vec![Shoe, CutCard, Burn, Deal, CardValues, Naturals, Tableau, Betting, Settlement];
        clauses.extend([Seats, Limits]);
        clauses.extend((!self.forbidden_pairs.is_empty()).then_some(ForbiddenPairs));
        clauses.extend(self.commission.is_some().then_some(Commission));
        clauses.extend(self.clock.is_some().then_some(Clause::Clock));
        clauses.extend(self.rulings.is_some().then_some(Clause::Rulings));
        clauses.extend(self.chemin.iter().flat_map(|chemin| chemin.clauses()));
        clauses.extend(self.bets.keys().cloned().map(Clause::Bet));
        clauses.extend(self.irregularities.keys().cloned().map(Clause::Irregularity));
        clauses
    }

    /// Keys of the citations a clause follows.
    pub(super) fn cited(&self, clause: &Clause) -> Vec<&String> {
        if let Some(cite) = self.chemin.as_ref().and_then(|chemin| chemin.cited(clause)) {
            return cite.iter().collect();
        }
        match clause {
            Clause::Players
            | Clause::Bank
            | Clause::Turn
            | Clause::Banco
            | Clause::FreePlay
            | Clause::Chart
            | Clause::Garaje
            | Clause::Abonos => Vec::new(),
            Clause::Shoe => self.shoe.cite.iter().collect(),
            Clause::CutCard => self.cut_card.cite.iter().collect(),
            Clause::Burn => self.burn.cite.iter().collect(),
            Clause::Deal => self.deal.cite.iter().collect(),
            Clause::Tableau => self.tableau.cite().iter().collect(),
            Clause::Naturals => self.naturals.cite.iter().collect(),
            Clause::CardValues => self.card_values.cite.iter().collect(),
            Clause::Seats => self.seats.cite.iter().collect(),
            Clause::ForbiddenPairs => self.forbidden_pairs.iter().flat_map(|pair| &pair.cite).collect(),
            Clause::Limits => self.limits.cite.iter().collect(),
            Clause::Commission => self.commission.iter().flat_map(|rules| &rules.cite).collect(),
            Clause::Clock => self.clock.iter().flat_map(|rules| &rules.cite).collect(),
            Clause::Rulings => self.rulings.iter().flat_map(|rules| &rules.cite).collect(),
            Clause::Bet(kind) => self.bets.get(kind).into_iter().flat_map(|rule| &rule.cite).collect(),
            Clause::Betting => self.betting.cite.iter().collect(),
            Clause::Settlement => self.settlement.cite.iter().collect(),
            Clause::Irregularity(code) => {
                self.irregularities.get(code).into_iter().flat_map(|rule| &rule.cite).collect()
            }
        }
    }

    /// The texts a clause follows, by key.
    pub fn citations_of<'a>(
        &'a self,
        clause: &Clause,
    ) -> impl Iterator<Item = (&'a String, &'a Citation)> + use<'a> {
        let keys = self.cited(clause);
        keys.into_iter().filter_map(|key| self.citations.get_key_value(key))
    }
}
