//! Which event is of which coup, over the whole range: as the events say it where they fit, as the cheapest explanations
//! have it where they do not, and at their word next to what is missing or cannot be explained.

use std::collections::BTreeMap;

use events::Body;

use super::explanation::Explanation;
use super::range::{Hole, TableFacts};
use super::remark::Remark;
use super::search::{MOST_WORK, Placed, before, explain};
use super::state::{Believed, State};
use super::tape::{Part, Tape};

/// Work that explanations may take in any range, and more for each of its events.
const FREE_WORK: u64 = 5 * MOST_WORK;
const WORK_FOR_EVENT: u64 = 16;

/// One step of a reading.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// An event, and whether it is taken at its word.
    Event(Placed, AtWord),
    /// Events of which nothing is known; the coup in play before them.
    Hole(Hole, Option<u32>),
}

/// What was read of a range.
#[derive(Debug)]
pub(super) struct Attributed {
    pub(super) steps: Vec<Step>,
    pub(super) remarks: Vec<Remark>,
    /// The state of play after it.
    pub(super) state: State,
    /// Sequence of the last event, or hole, that is not read as an honest record is.
    pub(super) misfit: Option<u64>,
    /// How much work explanations were.
    pub(super) work: u64,
}

/// Whether events are taken at their word, up to the next settlement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtWord {
    No,
    /// They are next to a hole.
    Hole,
    /// What is wrong cannot be explained.
    Unexplained,
}

struct Attribution<'t, 'a> {
    tape: &'t Tape<'a>,
    state: State,
    at: usize,
    steps: Vec<Step>,
    remarks: Vec<Remark>,
    /// The last point at which no coup was in play: the index of the next event, and how many steps there were.
    between: (usize, usize),
    /// The same or an earlier point, and how play stood there. All between the two fits.
    began: (usize, State),
    at_word: AtWord,
    /// How much work explanations may still be.
    left: u64,
    misfit: Option<u64>,
}

/// Attributes every event of a range.
pub(super) fn attribute(tape: &Tape<'_>, facts: &TableFacts<'_>) -> Attributed {
    let state = State::of(facts.shoe);
    let (between, began) = ((0, 0), (0, state.clone()));
    let most = FREE_WORK + WORK_FOR_EVENT * tape.parts.len() as u64;
    let (steps, remarks) = (Vec::with_capacity(tape.parts.len()), Vec::new());
    let mut all = Attribution {
        tape,
        state,
        at: 0,
        steps,
        remarks,
        between,
        began,
        at_word: AtWord::No,
        left: most,
        misfit: None,
    };
    while let Some(part) = tape.parts.get(all.at) {
        match part {
            Part::Hole(hole) => all.pass(*hole),
            Part::Event(_) => all.event(),
        }
    }
    let Attribution { steps, remarks, state, misfit, left, .. } = all;
    Attributed { steps, remarks, state, misfit, work: most - left }
}

impl Attribution<'_, '_> {
    fn pass(&mut self, hole: Hole) {
        self.misfit = Some(hole.first);
        self.steps.push(Step::Hole(hole, self.state.coup.as_ref().map(|coup| coup.number)));
        self.state.doubt(hole.events);
        self.at_word = AtWord::Hole;
        self.at += 1;
    }

    fn event(&mut self) {
        if self.at_word != AtWord::No {
            return self.believe();
        }
        if self.state.coup.is_none() {
            self.between = (self.at, self.steps.len());
        }
        let before = before(&self.state);
        if self.state.follow(self.tape, self.at) {
            let placed = Placed::at_its_word(self.tape, self.at, before, &self.state);
            self.steps.push(Step::Event(placed, AtWord::No));
            self.at += 1;
        } else {
            self.explain();
        }
    }

    /// The event does not fit.
    fn explain(&mut self) {
        let ((start, steps), (began, mut state)) = (self.between, self.began.clone());
        for at in began..start {
            state.follow(self.tape, at);
        }
        let (found, work) = explain(self.tape, start, state.clone(), self.at, self.left);
        self.left = self.left.saturating_sub(work);
        // What is missing in a coup may be what explains it.
        let is_hole = |to: usize| matches!(self.tape.parts.get(to), Some(Part::Hole(_)));
        let found = found.map(|found| (found.state.coup.is_some() && is_hole(found.to), found));
        let meets_hole = found.as_ref().is_some_and(|(meets, _)| *meets);
        if let Some((false, found)) = found {
            self.steps.truncate(steps);
            self.steps.extend(found.placed.into_iter().map(|placed| Step::Event(placed, AtWord::No)));
            self.began = (found.to, found.state.clone());
            (self.at, self.state) = (found.to, found.state);
            self.misfit = self.tape.event(found.to - 1).map(|event| event.sequence);
            self.remarks.extend(remarks(&found.alternatives));
        } else {
            // What fits of the coup is taken again, because nothing of the state after the event is of use.
            self.state = state;
            for at in start..self.at {
                self.state.follow(self.tape, at);
            }
            self.at_word = if meets_hole { AtWord::Hole } else { AtWord::Unexplained };
            self.believe();
        }
    }

    fn believe(&mut self) {
        let before = before(&self.state);
        let believed = self.state.believe(self.tape, self.at);
        let mut placed = Placed::at_its_word(self.tape, self.at, before, &self.state);
        let event = self.tape.event(self.at);
        let mut at_word = self.at_word;
        match believed {
            Believed::AsNamed => {}
            Believed::Of(coup) => placed.coup = coup,
            // It may be the close of the coup in play, under a wrong number.
            Believed::Ahead if event.is_some_and(|event| matches!(event.body, Body::BetsClosed(_))) => {
                at_word = AtWord::Unexplained;
            }
            Believed::Ahead => {}
        }
        self.steps.push(Step::Event(placed, at_word));
        self.misfit = event.map(|event| event.sequence).or(self.misfit);
        let body = event.map(|event| event.body);
        // What is recorded again of a coup that is over does not show what was missing of the next.
        let was_in_play = before.1.is_some() || self.state.begun > before.0;
        let settles = was_in_play && matches!(body, Some(Body::CoupSettled(_)));
        if settles && self.state.coup.is_none() || matches!(body, Some(Body::ShoeLoaded(_))) {
            self.at_word = AtWord::No;
            self.began = (self.at + 1, self.state.clone());
        }
        self.at += 1;
    }
}

/// What all alternatives share is one remark for each event; where they differ, one remark lists them.
fn remarks(alternatives: &[Vec<Explanation>]) -> Vec<Remark> {
    let Some((first, others)) = alternatives.split_first() else { return Vec::new() };
    let shared: Vec<Explanation> =
        first.iter().filter(|one| others.iter().all(|other| other.contains(one))).copied().collect();
    let mut certain: BTreeMap<u64, Vec<Explanation>> = BTreeMap::new();
    for slip in shared.iter().filter(|one| one.is_slip()) {
        certain.entry(slip.at()).or_default().push(*slip);
    }
    let rest: Vec<Vec<Explanation>> = alternatives
        .iter()
        .map(|one| one.iter().filter(|of| !shared.contains(of)).copied().collect())
        .collect();
    let open = (!others.is_empty()).then_some(rest);
    certain.into_values().map(|slips| vec![slips]).chain(open).filter_map(Remark::new).collect()
}
