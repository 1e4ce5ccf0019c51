//! Checks that every row of a paytable has an effect, by trying every outcome that a coup can have under the
//! rulebook's own deal, kinds of pairs included.

use super::{Code, Finding};
use crate::exact::{Fraction, Tally};
use crate::outcome::Outcome;
use crate::sentence::sentence;
use crate::{BetKind, BetRule, PayRow};

/// An outcome with its draws at the most decks allowed, nothing where only fewer decks give it.
type Counted = (Outcome, u128);

/// What the rows of a bet do with every outcome.
struct Rows<'r> {
    key: String,
    rows: &'r [PayRow],
    /// By row: the outcomes that meet it.
    met: Vec<Vec<bool>>,
    /// By row: those it decides, because no earlier row is met.
    decided: Vec<Vec<bool>>,
}

pub(super) fn of_bet(kind: &BetKind, rule: &BetRule, tallies: &[(u8, Tally)], found: &mut Vec<Finding>) {
    let outcomes = outcomes(tallies);
    let rows = Rows::new(kind, rule, &outcomes);
    rows.report_dead(found);
    rows.report_overlaps(tallies, &outcomes, found);
    let wins = |outcome: &Outcome| {
        rule.decide_outcome(outcome).filter(|decision| matches!(decision.pays, crate::Pays::Wins(_)))
    };
    let mut won = outcomes.iter().filter_map(|(outcome, _)| wins(outcome)).peekable();
    if won.peek().is_none() {
        let sentence = sentence!(
            "pays in no coup: whoever bets it can only lose or get the stake back",
            "no paga en ninguna jugada: quien la hace solo puede perder o recuperar la apuesta"
        );
        found.push(Finding::new(Code::BetNeverWins, format!("bets.{kind}"), sentence));
    } else if rule.commission && !won.any(|decision| decision.commission) {
        let sentence = sentence!(
            "is true, but every row that pays says `commission = false`: leave it out",
            "es true, pero toda fila que paga dice `commission = false`: quítelo"
        );
        found.push(Finding::new(Code::CommissionNeverDue, format!("bets.{kind}.commission"), sentence));
    }
}

/// Every outcome that some allowed number of decks gives.
fn outcomes(tallies: &[(u8, Tally)]) -> Vec<Counted> {
    let mut numbered = std::collections::BTreeMap::new();
    for (_, tally) in tallies {
        for (outcome, _) in tally.outcomes() {
            numbered.insert(outcome.number(), (*outcome, 0));
        }
    }
    if let Some((_, most)) = tallies.last() {
        for (outcome, draws) in most.outcomes() {
            numbered.insert(outcome.number(), (*outcome, draws));
        }
    }
    numbered.into_values().collect()
}

impl<'r> Rows<'r> {
    fn new(kind: &BetKind, rule: &'r BetRule, outcomes: &[Counted]) -> Self {
        let meets = |row: &PayRow| -> Vec<bool> {
            outcomes.iter().map(|(outcome, _)| row.holds(outcome) == Some(true)).collect()
        };
        let met: Vec<Vec<bool>> = rule.rows.iter().map(meets).collect();
        let mut open = vec![true; outcomes.len()];
        let decided = (met.iter())
            .map(|met| {
                met.iter()
                    .zip(&mut open)
                    .map(|(met, open)| *met && std::mem::replace(open, *open && !*met))
                    .collect()
            })
            .collect();
        Self { key: format!("bets.{kind}.rows"), rows: &rule.rows, met, decided }
    }

    fn report_dead(&self, found: &mut Vec<Finding>) {
        for (index, (met, decided)) in self.met.iter().zip(&self.decided).enumerate() {
            let key = format!("{}[{index}]", self.key);
            if !met.contains(&true) {
                let sentence = sentence!(
                    "is met by no coup: its conditions exclude each other, or the deal never comes to them",
                    "no la cumple ninguna jugada: sus condiciones se excluyen, o el reparto nunca llega a ellas"
                );
                found.push(Finding::new(Code::RowNeverMet, key, sentence));
            } else if !decided.contains(&true) {
                let earlier: Vec<String> = (0..index)
                    .filter(|other| both(&self.decided[*other], met).next().is_some())
                    .map(|other| format!("rows[{other}]"))
                    .collect();
                let (all, todas) = (earlier.join(" and "), earlier.join(" y "));
                let sentence = sentence!(
                    "is never reached: {all} decide every coup that meets it; leave it out, or put it first",
                    "nunca se alcanza: {todas} deciden toda jugada que la cumple; quítela o póngala antes"
                );
                found.push(Finding::new(Code::RowNeverReached, key, sentence));
            }
        }
    }

    /// Rows that share coups with later ones that pay otherwise, where neither is a special case of
    /// the other: the order decides, and the order of a list is easily changed by mistake.
    fn report_overlaps(&self, tallies: &[(u8, Tally)], outcomes: &[Counted], found: &mut Vec<Finding>) {
        let all = tallies.last().map_or(1, |(_, tally)| tally.draws());
        for (index, decided) in self.decided.iter().enumerate() {
            let later: Vec<usize> =
                (index + 1..self.rows.len()).filter(|later| self.crosses(index, *later)).collect();
            if later.is_empty() {
                continue;
            }
            let shared = |at: usize| later.iter().any(|row| self.met[*row][at]);
            let draws =
                (0..outcomes.len()).filter(|at| decided[*at] && shared(*at)).map(|at| outcomes[at].1).sum();
            let names: Vec<String> = later.iter().map(|row| format!("rows[{row}]")).collect();
            let (percent, names) = (Fraction::new(draws, all).percent(4), names.join(", "));
            let sentence = sentence!(
                "shares {percent} % of coups with {names}, which pay otherwise; here the first row decides, so \
                 their order matters",
                "comparte el {percent} % de las jugadas con {names}, que pagan otra cosa; decide la primera fila, así \
                 que su orden importa"
            );
            found.push(Finding::new(Code::RowsOverlap, format!("{}[{index}]", self.key), sentence));
        }
    }

    /// Whether a row decides coups that meet a later one which pays otherwise, and each of the two
    /// has coups of its own.
    fn crosses(&self, row: usize, later: usize) -> bool {
        let pays = |row: usize| (self.rows[row].pays, self.rows[row].commission);
        let has_own =
            |one: &[bool], other: &[bool]| one.iter().zip(other).any(|(one, other)| *one && !*other);
        pays(row) != pays(later)
            && both(&self.decided[row], &self.met[later]).next().is_some()
            && has_own(&self.met[row], &self.met[later])
            && has_own(&self.met[later], &self.met[row])
    }
}

/// The indexes at which both are true.
fn both<'a>(one: &'a [bool], other: &'a [bool]) -> impl Iterator<Item = usize> + use<'a> {
    one.iter().zip(other).enumerate().filter(|(_, (one, other))| **one && **other).map(|(at, _)| at)
}
