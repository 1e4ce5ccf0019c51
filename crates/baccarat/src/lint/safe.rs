//! Checks that a table can be run by the rulebook to its last coup, and that every clause names its source.

use std::collections::BTreeSet;

use super::{Code, Finding};
use crate::sentence::sentence;
use crate::{BetKind, BetRule, CutCardRules, LastCoup, Rulebook};

/// Cards one coup may need.
const COUP: u32 = 6;

pub(super) fn of_rulebook(rulebook: &Rulebook, found: &mut Vec<Finding>) {
    cut_card(&rulebook.cut_card, found);
    placeable(rulebook, found);
    caps(rulebook, found);
    citations(rulebook, found);
}

/// What can be asked of a draft: questions that look at nothing that was filled in.
pub(super) fn of_draft(draft: &Rulebook, found: &mut Vec<Finding>) {
    if !found.iter().any(|finding| finding.touches("cut-card")) {
        cut_card(&draft.cut_card, found);
    }
    super::tableau::departures_of_draft(draft, found);
}

/// Cards the coups still allowed may need once the cut card has come out.
///
/// It comes out before some card of the coup in play. Before its first, that coup still needs six;
/// later, five at most. Each coup after it may need six. Where the coup counts among those to come
/// if the cut card was met before its first card, that case needs six less.
fn cards_needed(rules: &CutCardRules) -> u32 {
    let after = rules.last_coup.coups_after() * COUP;
    if rules.first_card_counts { after.max(COUP - 1 + after) } else { COUP + after }
}

fn cut_card(rules: &CutCardRules, found: &mut Vec<Finding>) {
    let (behind, needed) = (u32::from(rules.cards_behind), cards_needed(rules));
    if behind >= needed {
        return;
    }
    let (coups, jugadas) = match rules.last_coup {
        LastCoup::FinishCoup => ("the coup in play", "la jugada en curso puede"),
        LastCoup::OneMore => ("the coup in play and one more", "la jugada en curso y una más pueden"),
        LastCoup::FiveMore => ("the coup in play and five more", "la jugada en curso y cinco más pueden"),
    };
    let sentence = sentence!(
        "is {behind}, but {coups} may need {needed} cards: the shoe can run out in the middle of a coup; \
         say at least {needed}, or allow fewer coups",
        "es {behind}, pero {jugadas} necesitar {needed} cartas: el sabot puede agotarse en medio de una jugada; \
         escriba al menos {needed}, o permita menos jugadas"
    );
    found.push(Finding::new(Code::CutCardTooShallow, "cut-card.cards-behind", sentence));
}

/// Bets that need another bet which nobody may place beside them.
fn placeable(rulebook: &Rulebook, found: &mut Vec<Finding>) {
    let forbidden = |one: &BetKind, other: &BetKind| {
        rulebook.forbidden_pairs.iter().any(|pair| pair.bets.contains(one) && pair.bets.contains(other))
    };
    let mut stranded: BTreeSet<&BetKind> = BTreeSet::new();
    loop {
        let can_stand = |kind: &BetKind, rule: &BetRule| {
            let beside = |other: &BetKind| !stranded.contains(other) && !forbidden(kind, other);
            rule.requires.is_empty() || rule.requires.iter().any(beside)
        };
        let next =
            rulebook.bets.iter().find(|(kind, rule)| !stranded.contains(*kind) && !can_stand(kind, rule));
        let Some((kind, rule)) = next else { return };
        stranded.insert(kind);
        let (others, otras) = (super::list(&rule.requires, " or "), super::list(&rule.requires, " o "));
        let sentence = sentence!(
            "is only allowed beside {others}, with which nobody may place it: take the pair out of \
             forbidden-pairs or the bet out of requires",
            "solo se permite junto a {otras}, con la que nadie puede hacerla: quite el par de forbidden-pairs o la \
             apuesta de requires"
        );
        found.push(Finding::new(Code::BetCannotBePlaced, format!("bets.{kind}.requires"), sentence));
    }
}

/// Caps below the table's minimum, where the ratio of maximum and minimum is laid down.
fn caps(rulebook: &Rulebook, found: &mut Vec<Finding>) {
    let ratios = &rulebook.limits.maximum_over_minimum;
    for (kind, rule) in rulebook.bets.iter().filter(|(_, rule)| rule.minimum_binds) {
        let Some(cap) = rule.cap else { continue };
        let too_small =
            |ratio: &&u32| u64::from(cap.numerator()) * u64::from(**ratio) < u64::from(cap.denominator());
        let small: Vec<u32> = ratios.iter().filter(too_small).copied().collect();
        if small.is_empty() {
            continue;
        }
        let (times, veces) = (super::list(&small, " or "), super::list(&small, " o "));
        let key = format!("bets.{kind}.cap");
        if small.len() == ratios.len() {
            let sentence = sentence!(
                "is {cap}, less than the table's minimum where the maximum is {times} times the minimum, which is \
                 everywhere: raise it, or leave minimum-binds out",
                "es {cap}, menos que el mínimo de la mesa donde el máximo es {veces} veces el mínimo, que es en todas \
                 partes: súbalo, o quite minimum-binds"
            );
            found.push(Finding::new(Code::BetCannotBePlaced, key, sentence));
        } else {
            let sentence = sentence!(
                "is {cap}, less than the table's minimum where the maximum is {times} times the minimum: nobody can \
                 bet it there",
                "es {cap}, menos que el mínimo de la mesa donde el máximo es {veces} veces el mínimo: ahí nadie puede \
                 hacerla"
            );
            found.push(Finding::new(Code::CapBelowMinimum, key, sentence));
        }
    }
}

/// Clauses without a source, and sources without a clause.
fn citations(rulebook: &Rulebook, found: &mut Vec<Finding>) {
    let mut followed: BTreeSet<&String> = BTreeSet::new();
    for clause in rulebook.clauses() {
        let keys: Vec<&String> = rulebook.citations_of(&clause).map(|(key, _)| key).collect();
        if keys.is_empty() {
            let sentence = sentence!(
                "says no text it follows: name one in `cite`",
                "no dice qué texto sigue: nombre uno en `cite`"
            );
            found.push(Finding::new(Code::NotCited, clause.path(), sentence));
        }
        followed.extend(keys);
    }
    for key in rulebook.citations.keys().filter(|key| !followed.contains(key)) {
        let sentence = sentence!(
            "is followed by no clause: name it in a `cite`, or leave it out",
            "no lo sigue ninguna cláusula: nómbrelo en un `cite`, o quítelo"
        );
        found.push(Finding::new(Code::CitationUnused, format!("citations.{}", key.escape_debug()), sentence));
    }
}
