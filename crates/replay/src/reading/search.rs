//! All cheapest explanations of a stretch of the record.
//!
//! The search is dynamic programming over the events: a node is how far the record was read, and how play stands then, so
//! that two ways to the same place are continued once. Nodes are continued in the order of their cost (as in CPCT+, the
//! error recovery of `lrpar`). Only where an event does not fit are there several ways to continue, so an honest record has
//! one node for each event.

use std::collections::{BTreeMap, BTreeSet};

use events::Body;

use super::explanation::{Explanation, cost};
use super::irregular::{Possible, ReadAs, is_read_with_next, placed, possibilities};
use super::state::{State, is_at_bank};
use super::tape::{NEAR, Part, Tape};

/// Highest cost that is looked for.
const MOST_COST: u32 = 16;

/// Most work for one stretch: nodes, each counted the more the more bets its coup has.
pub(super) const MOST_WORK: u64 = 20_000;

/// Most alternatives that are listed.
const MOST_ALTERNATIVES: usize = 16;

/// Most events of a stretch.
const MOST_EVENTS: usize = 1_024;

/// Most ways that are followed back to find them.
const MOST_WAYS: usize = 1_024;

/// An event as it is understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placed {
    /// Its index among the parts of the range.
    pub(super) at: usize,
    /// Its coup; 0: none.
    pub(super) coup: u32,
    /// Whether a coup begins with it.
    pub(super) begins: bool,
    /// Whether it is a repetition, and counts for nothing.
    pub(super) dropped: bool,
    /// Whether a shoe begins with it, of which the loading was lost.
    pub(super) loads: bool,
    pub(super) reads: Vec<ReadAs>,
}

impl Placed {
    /// An event that is taken at its word; how play stands before and after it.
    pub(super) fn at_its_word(tape: &Tape<'_>, at: usize, before: (u32, Option<u32>), after: &State) -> Self {
        let (begun, in_play) = before;
        let named = tape.event(at).and_then(|event| event.body.coup());
        // A void coup without stakes is over, and what is set aside then is of the next.
        let is_over = after.coup.as_ref().is_some_and(|coup| coup.void && coup.bets.is_empty());
        let of_none = tape.is_of_new_bank(at) || is_over && tape.sets_aside(at);
        let coup = named.or_else(|| in_play.filter(|_| !of_none)).unwrap_or(0);
        Self { at, coup, begins: after.begun > begun, dropped: false, loads: false, reads: Vec::new() }
    }
}

/// What [`Placed::at_its_word`] needs of the state before an event.
pub(super) fn before(state: &State) -> (u32, Option<u32>) {
    (state.begun, state.coup.as_ref().map(|coup| coup.number))
}

/// A stretch that was explained.
#[derive(Debug)]
pub(super) struct Explained {
    /// The index after its last part.
    pub(super) to: usize,
    /// How play stands then.
    pub(super) state: State,
    pub(super) placed: Vec<Placed>,
    /// All cheapest explanations. The first is the one that `placed` follows.
    pub(super) alternatives: Vec<Vec<Explanation>>,
}

/// An event that was moved, and is read at another place than where it was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Moved {
    Nothing,
    /// It was recorded too early, and is still to be read.
    Waits(usize),
    /// It was recorded too late, and was read already.
    Read(usize),
    /// A settlement was recorded too early and is still to be read, and a card too late, which was read already.
    Both(usize, usize),
}

impl Moved {
    const fn waits(self) -> Option<usize> {
        match self {
            Self::Waits(at) | Self::Both(at, _) => Some(at),
            Self::Nothing | Self::Read(_) => None,
        }
    }

    const fn read(self) -> Option<usize> {
        match self {
            Self::Read(at) | Self::Both(_, at) => Some(at),
            Self::Nothing | Self::Waits(_) => None,
        }
    }

    const fn of(waits: Option<usize>, read: Option<usize>) -> Self {
        match (waits, read) {
            (None, None) => Self::Nothing,
            (Some(waits), None) => Self::Waits(waits),
            (None, Some(read)) => Self::Read(read),
            (Some(waits), Some(read)) => Self::Both(waits, read),
        }
    }
}

#[derive(Debug)]
struct Edge {
    from: usize,
    placed: Option<Placed>,
    why: Vec<Explanation>,
}

#[derive(Debug)]
struct Node {
    at: usize,
    moved: Moved,
    state: State,
    cost: u32,
    from: Vec<Edge>,
}

struct Search<'t, 'a> {
    tape: &'t Tape<'a>,
    /// No event from here on is looked at.
    end: usize,
    nodes: Vec<Node>,
    known: BTreeMap<(usize, Moved, State), usize>,
    /// Nodes to continue, by cost and then by how far they are.
    open: BTreeSet<(u32, usize, usize)>,
    work: u64,
}

/// Explains the record from `start`, where play stands like this, over the event at `trouble` to where it can be read on.
/// Also returns how much work it was.
pub(super) fn explain(
    tape: &Tape<'_>,
    start: usize,
    state: State,
    trouble: usize,
    most: u64,
) -> (Option<Explained>, u64) {
    if trouble - start > MOST_EVENTS {
        return (None, 0);
    }
    let mut search = Search {
        tape,
        end: trouble + MOST_EVENTS,
        nodes: Vec::new(),
        known: BTreeMap::new(),
        open: BTreeSet::new(),
        work: 0,
    };
    search.reach(start, Moved::Nothing, state, 0, None);
    let (mut goals, mut cheapest) = (Vec::new(), MOST_COST);
    while let Some((cost, at, node)) = search.open.pop_first() {
        if cost > cheapest || search.work > most.min(MOST_WORK) {
            break;
        }
        if at > trouble && search.is_goal(node) {
            cheapest = cost;
            goals.push(node);
        } else {
            search.continue_from(node);
        }
    }
    let complete = search.work <= most.min(MOST_WORK);
    let explained = if complete { search.explained(&goals) } else { None };
    (explained, search.work)
}

/// Whether an event may have been recorded at another place than its own.
fn may_move(body: &Body) -> bool {
    matches!(
        body,
        Body::BurnCards(_)
            | Body::BetPlaced(_)
            | Body::AbonoPlaced(_)
            | Body::BancoCalled(_)
            | Body::DrawDecided(_)
            | Body::BankSettled(_)
            | Body::BetWithdrawn(_)
            | Body::BetsClosed(_)
            | Body::PuntoHolder(_)
            | Body::CardDrawn(_)
            | Body::CutCardDrawn(_)
            | Body::CoupSettled(_)
            | Body::ShoeEnded(_)
            | Body::ShoeLoaded(_)
    )
}

impl Search<'_, '_> {
    fn reach(&mut self, at: usize, moved: Moved, state: State, cost: u32, edge: Option<Edge>) {
        if cost > MOST_COST || at > self.end {
            return;
        }
        let next = self.nodes.len();
        let bets = state.coup.as_ref().map_or(0, |coup| coup.bets.len());
        let node = *self.known.entry((at, moved, state)).or_insert_with_key(|(_, _, state)| {
            self.nodes.push(Node { at, moved, state: state.clone(), cost, from: Vec::new() });
            next
        });
        if node == next {
            self.work += 1 + bets as u64 / 32;
            self.open.insert((cost, at, node));
        }
        let known = &mut self.nodes[node];
        if cost < known.cost {
            self.open.remove(&(known.cost, at, node));
            self.open.insert((cost, at, node));
            (known.cost, known.from) = (cost, Vec::new());
        }
        if cost == known.cost {
            known.from.extend(edge);
        }
    }

    /// The event fits, at the place where it is read.
    fn fits(&self, state: &State, at: usize) -> Option<(State, Placed)> {
        let mut after = state.clone();
        let fits = after.follow(self.tape, at);
        fits.then(|| {
            let placed = Placed::at_its_word(self.tape, at, before(state), &after);
            (after, placed)
        })
    }

    fn moved(&self, at: usize, coup: u32) -> Explanation {
        Explanation::Moved { at: self.tape.event(at).map_or(0, |event| event.sequence), coup }
    }

    fn continue_from(&mut self, node: usize) {
        let Node { at, moved, ref state, cost: so_far, .. } = self.nodes[node];
        let state = state.clone();
        if moved.read() == Some(at) {
            let edge = Edge { from: node, placed: None, why: Vec::new() };
            return self.reach(at + 1, Moved::of(moved.waits(), None), state, so_far, Some(edge));
        }
        if let Some(waits) = moved.waits() {
            if let Some((after, placed)) = self.fits(&state, waits) {
                let edge = Edge { from: node, placed: Some(placed), why: Vec::new() };
                self.reach(at, Moved::of(None, moved.read()), after, so_far, Some(edge));
            }
            if at - waits > NEAR || self.is_settled_again(waits, at) || self.is_final(waits, at) {
                return;
            }
        }
        let Some(body) = self.tape.event(at).map(|event| event.body) else { return };
        let coup = body.coup().unwrap_or(0);
        let fits = self.fits(&state, at);
        let is_regular = fits.is_some();
        if let Some((after, placed)) = fits {
            let edge = Edge { from: node, placed: Some(placed), why: Vec::new() };
            self.reach(at + 1, moved, after, so_far, Some(edge));
        } else {
            for one in possibilities(&state, self.tape, at) {
                let begins = one.state.begun > state.begun;
                let Possible { dropped, loads, .. } = one;
                let placed = Placed { at, coup: one.coup, begins, dropped, loads, reads: one.reads.clone() };
                let cost = so_far + one.cost();
                let edge = Edge { from: node, placed: Some(placed), why: one.why };
                self.reach(at + 1, moved, one.state, cost, Some(edge));
            }
        }
        // Of a coup that was settled too early, two cards may have changed places.
        let turns = moved.read().is_none()
            && matches!(body, Body::CardDrawn(_))
            && moved.waits().is_some_and(|waits| self.settles(waits).is_some());
        if moved != Moved::Nothing && !turns || is_regular {
            return;
        }
        // What fits at its place is not moved: otherwise the bets after a close would be in time, as if it had come later.
        let may_wait = (may_move(body) || matches!(body, Body::CoupVoided(_)))
            && !is_read_with_next(&state, self.tape, at);
        if moved == Moved::Nothing && may_wait {
            let why = vec![self.moved(at, coup)];
            let cost = so_far + cost(&why);
            let edge = Edge { from: node, placed: None, why };
            self.reach(at + 1, Moved::Waits(at), state.clone(), cost, Some(edge));
        }
        self.read_later_first(node, (&state, moved), at, so_far);
    }

    /// Whether both are settlements of one coup. The first that is recorded counts, so neither is moved over the other:
    /// otherwise a settlement that pays the wrong hand could be followed by the right one, and would have been paid after it.
    fn is_settled_again(&self, first: usize, second: usize) -> bool {
        self.settles(first).is_some_and(|coup| self.settles(second) == Some(coup))
    }

    /// The coup that an event settles.
    fn settles(&self, at: usize) -> Option<u32> {
        let event = self.tape.event(at)?;
        if let Body::CoupSettled(settled) = event.body { Some(settled.coup) } else { None }
    }

    /// Whether a stake is recorded before the settlement of its coup: it is not read after it.
    fn is_of(&self, stake: usize, settlement: usize) -> bool {
        let (Some(stake), Some(coup)) = (self.tape.event(stake), self.settles(settlement)) else {
            return false;
        };
        placed(stake.body).is_some() && stake.body.coup() == Some(coup)
    }

    /// Whether a coup was declared void over which an event of it is not moved: a settlement at a bank, because the void is a claim
    /// then, or a card, because nothing is dealt after it. Otherwise a thief who pays the wrong hand could declare the coup void, and a
    /// card that was not due would hide which stakes did not come back.
    fn is_final(&self, moved: usize, void: usize) -> bool {
        let Some((moved, void)) = self.tape.event(moved).zip(self.tape.event(void)) else { return false };
        match (moved.body, void.body) {
            (Body::CoupSettled(settled), Body::CoupVoided(voided)) => {
                settled.coup == voided.coup && is_at_bank(void.grammar)
            }
            (Body::CardDrawn(drawn), Body::CoupVoided(voided)) => drawn.coup == voided.coup,
            _ => false,
        }
    }

    /// An event does not fit: one that was recorded after it may belong before it.
    fn read_later_first(&mut self, node: usize, (state, moved): (&State, Moved), at: usize, so_far: u32) {
        for later in at + 1..=at + NEAR {
            let Some(body) = self.tape.event(later).map(|event| event.body) else { break };
            let again =
                (at..later).any(|first| self.is_settled_again(first, later) || self.is_of(first, later));
            let turns = moved == Moved::Nothing || matches!(body, Body::CardDrawn(_));
            if !may_move(body) || again || !turns {
                continue;
            }
            let coup = body.coup().unwrap_or(0);
            if let Some((after, placed)) = self.fits(state, later) {
                let why = vec![self.moved(later, coup)];
                let cost = so_far + cost(&why);
                let edge = Edge { from: node, placed: Some(placed), why };
                self.reach(at, Moved::of(moved.waits(), Some(later)), after, cost, Some(edge));
            }
        }
    }

    /// Whether the record can be read on from here: up to the next card, or to the end of what is known.
    fn is_goal(&mut self, node: usize) -> bool {
        let Node { at, moved, state, .. } = &self.nodes[node];
        if *moved != Moved::Nothing {
            return false;
        }
        if !matches!(self.tape.parts.get(*at), Some(Part::Event(_))) {
            return true;
        }
        let mut state = state.clone();
        if state.coup.is_some() {
            return false;
        }
        let from = *at;
        for at in from..from + MOST_EVENTS {
            let Some(body) = self.tape.event(at).map(|event| event.body) else { return true };
            self.work += u64::from((at - from) % 32 == 31);
            if !state.follow(self.tape, at) {
                return false;
            }
            if matches!(body, Body::CardDrawn(_)) {
                return true;
            }
        }
        true
    }

    /// The explanations that end at these nodes, compared up to the same event.
    fn explained(&self, goals: &[usize]) -> Option<Explained> {
        let to = goals.iter().map(|goal| self.nodes[*goal].at).max()?;
        let mut found: BTreeMap<Vec<Explanation>, (Vec<Placed>, State)> = BTreeMap::new();
        let mut ways = 0;
        for goal in goals {
            let Some((state, rest)) = self.read_on(*goal, to) else { continue };
            self.go_back(*goal, &mut Vec::new(), &mut Vec::new(), &mut ways, &mut |why, placed| {
                let mut why: Vec<Explanation> = why.iter().copied().flatten().copied().collect();
                why.sort_unstable();
                found.entry(why).or_insert_with(|| {
                    let placed = placed.iter().rev().copied().cloned().chain(rest.clone());
                    (placed.collect(), state.clone())
                });
            });
        }
        if ways >= MOST_WAYS || found.len() > MOST_ALTERNATIVES {
            return None;
        }
        let slips = |why: &Vec<Explanation>| why.iter().filter(|one| one.is_slip()).count();
        let followed = found.keys().min_by_key(|why| (slips(why), (*why).clone()))?.clone();
        let (placed, state) = found.remove(&followed)?;
        let alternatives = std::iter::once(followed).chain(found.into_keys()).collect();
        Some(Explained { to, state, placed, alternatives })
    }

    /// Reads on from a goal to where all explanations are compared.
    fn read_on(&self, goal: usize, to: usize) -> Option<(State, Vec<Placed>)> {
        let Node { at, state, .. } = &self.nodes[goal];
        let (mut state, mut placed) = (state.clone(), Vec::new());
        for at in *at..to {
            let (after, one) = self.fits(&state, at)?;
            state = after;
            placed.push(one);
        }
        Some((state, placed))
    }

    /// Every way back from a node to the beginning.
    fn go_back<'n>(
        &'n self,
        node: usize,
        why: &mut Vec<&'n [Explanation]>,
        placed: &mut Vec<&'n Placed>,
        ways: &mut usize,
        found: &mut impl FnMut(&[&'n [Explanation]], &[&'n Placed]),
    ) {
        if *ways >= MOST_WAYS {
            return;
        }
        let edges = &self.nodes[node].from;
        if edges.is_empty() {
            *ways += 1;
            found(why, placed);
        }
        for edge in edges {
            why.push(&edge.why);
            placed.extend(&edge.placed);
            self.go_back(edge.from, why, placed, ways, found);
            if edge.placed.is_some() {
                placed.pop();
            }
            why.pop();
        }
    }
}
