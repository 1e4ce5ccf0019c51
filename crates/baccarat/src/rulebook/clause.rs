//! The clauses of a rulebook by name, so that a finding can say which one was broken and which
//! text it follows.

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
}

impl Clause {
    /// Where it stands in a rulebook file.
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
        }
    }
}

impl Rulebook {
    /// Keys of the citations a clause follows.
    fn cited(&self, clause: &Clause) -> Vec<&String> {
        match clause {
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
            Clause::Bet(kind) => self.bets.get(kind).into_iter().flat_map(|rule| &rule.cite).collect(),
            Clause::Betting => self.betting.cite.iter().collect(),
            Clause::Settlement => self.settlement.cite.iter().collect(),
        }
    }

    /// The texts a clause follows, by key.
    pub fn citations_of<'a>(&'a self, clause: &Clause) -> impl Iterator<Item = (&'a String, &'a Citation)> + use<'a> {
        let keys = self.cited(clause);
        keys.into_iter().filter_map(|key| self.citations.get_key_value(key))
    }
}
