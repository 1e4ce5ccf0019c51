//! Makes coups to judge: simulated play, in more than half of it one planted fault that can be seen in the coup.

use std::sync::Arc;

use baccarat::Rulebook;
use casino::{Fault, Plan, Planted, simulate};
use replay::{Code, CoupVerdict, CoupView, Judge, RulebookUsed, Wanted};
use serde::Serialize;
use utoipa::ToSchema;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;

/// Faults that can be seen in the cards, the announcements and the payments of one coup.
const SEEN_IN_A_COUP: [Fault; 14] = [
    Fault::PuntoDrew,
    Fault::PuntoStood,
    Fault::BancaDrew,
    Fault::BancaStood,
    Fault::NaturalDrawn,
    Fault::ExtraCard,
    Fault::DealSwapped,
    Fault::WrongWinner,
    Fault::AlteredTotal,
    Fault::Overpaid,
    Fault::Underpaid,
    Fault::CommissionMissing,
    Fault::CommissionWrong,
    Fault::BetLeftOut,
];
/// Kinds of faults to choose from.
const CHOICES: usize = 5;
/// Seeds that are tried for one question.
const ATTEMPTS: u64 = 16;

/// One coup to judge, with what the judge says of it.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Question {
    /// Its number, from 1.
    number: u32,
    /// Codes to choose from where the answer is that it is wrong.
    choices: Vec<Code>,
    /// Whether the judge finds nothing wrong.
    right: bool,
    /// Codes of what the judge finds wrong, without what follows from them.
    wrong: Vec<Code>,
    /// The whole coup, as `audit show coup` prints it, with the judge's findings.
    pub(super) coup: CoupView,
    #[serde(skip)]
    rulebooks: Vec<RulebookUsed>,
}

impl Question {
    pub(super) fn choices(&self) -> &[Code] {
        &self.choices
    }

    pub(super) fn wrong(&self) -> &[Code] {
        &self.wrong
    }

    pub(super) fn rulebooks(&self) -> &[RulebookUsed] {
        &self.rulebooks
    }
}

/// Makes questions; each depends on the rulebook, the seed and its number alone.
pub(super) struct Questions {
    book: Arc<Rulebook>,
    seed: u64,
    faults: Vec<Fault>,
}

/// Numbers that look random and are the same everywhere (splitmix64).
struct Dice(u64);

impl Dice {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below this one, which is not 0.
    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % most.max(1) as u64).unwrap_or_default()
    }
}

impl Questions {
    pub(super) fn new(book: Rulebook, seed: u64) -> Self {
        let faults = SEEN_IN_A_COUP.into_iter().filter(|fault| fault.applies_to(&book)).collect();
        Self { book: Arc::new(book), seed, faults }
    }

    /// The question with this number.
    pub(super) fn make(&self, number: u32) -> Result<Question, Failure> {
        let mut dice = Dice(self.seed ^ u64::from(number).wrapping_mul(0xd134_2543_de82_ef95));
        for _ in 0..ATTEMPTS {
            let is_faulty = dice.below(5) < 3 && !self.faults.is_empty();
            let fault = is_faulty.then(|| self.faults[dice.below(self.faults.len())]);
            let plan = Plan { fault, seed: dice.next() >> 1, ..Plan::new(Rulebook::clone(&self.book)) };
            if let Some((coup, rulebooks)) = played(&plan, &mut dice)? {
                let mut wrong: Vec<Code> = coup
                    .findings
                    .iter()
                    .filter(|found| found.cause.is_none())
                    .map(|found| found.code)
                    .collect();
                wrong.sort();
                wrong.dedup();
                let choices = self.choices(wrong.first().copied(), &mut dice);
                let right = coup.verdict != CoupVerdict::Violated;
                return Ok(Question { number, choices, right, wrong, coup, rulebooks });
            }
        }
        Err(Failure::usage(texts().quiz_no_coup(&self.book.id)))
    }

    /// A few codes in a random order, the right one among them.
    fn choices(&self, right: Option<Code>, dice: &mut Dice) -> Vec<Code> {
        let named = |fault: &Fault| Code::ALL.iter().copied().find(|code| code.as_str() == fault.finding());
        let mut others: Vec<Code> =
            self.faults.iter().filter_map(named).filter(|code| Some(*code) != right).collect();
        others.sort();
        others.dedup();
        let mut choices: Vec<Code> = right.into_iter().collect();
        while choices.len() < CHOICES && !others.is_empty() {
            choices.push(others.swap_remove(dice.below(others.len())));
        }
        for at in (1..choices.len()).rev() {
            choices.swap(at, dice.below(at + 1));
        }
        choices
    }
}

/// Plays the plan and judges it; gives the coup with the fault, or any where none was planted. None where the judge does
/// not decide on that coup.
fn played(plan: &Plan, dice: &mut Dice) -> Result<Option<(CoupView, Vec<RulebookUsed>)>, Failure> {
    let simulation = simulate(plan);
    let mut judge = Judge::new(None, Some(Wanted::default()));
    let events = simulation.lines.map(|line| (line.table.to_string(), line.sequence, line.into_event()));
    judge.judge_events(events).map_err(own_fault)?;
    let judgement = judge.finish();
    let mut coups = judgement.coup_views;
    let at = match (plan.fault, &simulation.planted) {
        (Some(_), Some(Planted { coup: Some(coup), .. })) => coups.iter().position(|view| view.coup == *coup),
        (Some(_), _) => None,
        (None, _) => Some(dice.below(coups.len())),
    };
    let decided = at.filter(|at| coups.get(*at).is_some_and(|coup| coup.verdict != CoupVerdict::Undecided));
    Ok(decided.map(|at| {
        let coup = coups.swap_remove(at);
        // Nobody sealed it.
        let verdict = coup.verdict.unsealed();
        (CoupView { verdict, ..coup }, judgement.summary.rulebooks)
    }))
}

fn own_fault(why: impl ToString) -> Failure {
    Failure { exit: Exit::OwnFault, message: why.to_string() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use super::*;

    /// The judge decides: what is asked is wrong exactly where it found something, and that can be chosen.
    #[test]
    fn questions_depend_on_seed_and_number_alone_and_their_answers_are_the_judges() {
        for id in ["es-1979", "punto-banco", "no-commission-six-half"] {
            let questions = Questions::new(baccarat::builtin(id).unwrap(), 3);
            let (mut wrong, mut kinds) = (0, BTreeSet::new());
            for number in 1..=24 {
                let question = questions.make(number).unwrap();
                assert_eq!(question.right, question.wrong.is_empty(), "{id} {number}");
                assert_eq!(question.choices.len(), CHOICES);
                let chosen: BTreeSet<Code> = question.choices.iter().copied().collect();
                assert_eq!(chosen.len(), CHOICES, "no choice twice");
                assert!(question.wrong.first().is_none_or(|code| chosen.contains(code)), "{id} {number}");
                wrong += usize::from(!question.right);
                kinds.extend(question.wrong.iter().copied());
            }
            assert!((6..=20).contains(&wrong) && kinds.len() >= 4, "{id}: {wrong} wrong, {kinds:?}");
            let again = Questions::new(baccarat::builtin(id).unwrap(), 3).make(7).unwrap();
            assert_eq!(
                serde_json::to_string(&again).unwrap(),
                serde_json::to_string(&questions.make(7).unwrap()).unwrap()
            );
            let other = Questions::new(baccarat::builtin(id).unwrap(), 4).make(7).unwrap();
            assert_ne!(other.coup, again.coup);
        }
    }

    /// Every kind of fault can be asked under a rulebook of commission, and the judge finds it in the coup that is shown.
    #[test]
    fn each_fault_is_found_by_the_judge_in_the_coup_that_is_shown() {
        let book = baccarat::builtin("es-1979").unwrap();
        for fault in SEEN_IN_A_COUP.into_iter().filter(|fault| fault.applies_to(&book)) {
            let plan = Plan { fault: Some(fault), seed: 5, ..Plan::new(book.clone()) };
            let (coup, _) = played(&plan, &mut Dice(1)).unwrap().unwrap();
            let found = coup.findings.iter().any(|found| found.code.as_str() == fault.finding());
            assert!(found && coup.verdict == CoupVerdict::Violated, "{fault:?}: {:?}", coup.findings);
        }
    }
}
