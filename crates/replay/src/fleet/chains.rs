//! Puts logs into chains, by what each says of the one before it, and says what does not fit.

use std::collections::{BTreeMap, BTreeSet};

use sealed_log::reader::Claimed;

use super::{Contradiction, FleetLog, FleetPlace, OpenQuestion};

/// The logs of one house, in chains.
#[derive(Debug)]
pub struct Fleet {
    /// The logs, by name; of several copies of one log the largest first.
    pub logs: Vec<FleetLog>,
    /// The chains, by the name of their first log.
    pub chains: Vec<Chain>,
    /// What contradicts each other.
    pub contradictions: Vec<Contradiction>,
    /// What is not shown.
    pub open: Vec<OpenQuestion>,
}

/// Logs of which each continues the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The logs, the first one first.
    pub parts: Vec<Part>,
    /// Whether the first log begins the history: it continues none.
    pub has_beginning: bool,
    /// Whether the last log is the end: it was not closed.
    pub has_end: bool,
    /// Whether its play is judged.
    pub standing: Standing,
    /// Tables of it that another chain has as well: each chain is judged with them.
    pub shared: BTreeSet<String>,
}

/// A log of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Which of the fleet's logs.
    pub log: usize,
    /// Its first so many entries belong to the history.
    pub until: u64,
}

/// Whether a chain is the history of its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is.
    Judged,
    /// It has no entries of tables, and another log continues what it continues: there is nothing to judge.
    GivenUp,
    /// It contradicts another chain, and which of them is the history is not known. It is judged by itself, and not certified.
    Disputed,
}

/// Why a log is joined to the one before it, or is not.
enum Handover {
    /// It continues none.
    Begins,
    /// It continues a log that is not given, or one that contradicts it.
    NotJoined,
    /// It continues this log from so many entries on.
    From(usize, u64),
}

impl Fleet {
    /// Puts logs into chains. The result does not depend on their order.
    #[must_use]
    pub fn of(mut logs: Vec<FleetLog>) -> Self {
        logs.sort_by(|one, other| one.order().cmp(&other.order()));
        let mut fleet = Self { logs, chains: Vec::new(), contradictions: Vec::new(), open: Vec::new() };
        let (members, other_copies) = fleet.members();
        let handovers: BTreeMap<usize, Handover> =
            members.iter().map(|log| (*log, fleet.handover(*log, &members))).collect();
        let (behind, set_apart) = fleet.successors(&handovers);
        fleet.join(&handovers, &behind, &set_apart);
        fleet.dispute(&other_copies);
        fleet.compare_closings();
        fleet.compare_tables();
        fleet
    }

    /// The log's name; none where nothing names it.
    pub(super) fn name(&self, log: usize) -> String {
        self.logs.get(log).and_then(|log| log.seal.origin.clone()).unwrap_or_default()
    }

    /// The largest copy of each log, and those of the others that contradict it.
    fn members(&mut self) -> (Vec<usize>, Vec<usize>) {
        let (mut members, mut others): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for log in 0..self.logs.len() {
            match members.last().copied().filter(|last| self.name(*last) == self.name(log)) {
                Some(member) => {
                    let before = self.contradictions.len();
                    self.compare_copy(member, log);
                    others.extend((self.contradictions.len() > before).then_some(log));
                }
                None => members.push(log),
            }
        }
        (members, others)
    }

    /// Copies that contradict the largest one of their name are chains of their own.
    fn dispute(&mut self, copies: &[usize]) {
        for &log in copies {
            let seal = &self.logs[log].seal;
            let (has_beginning, has_end) = (seal.continued.is_none(), seal.closed.is_none());
            let (parts, standing) = (vec![self.part(log, None)], Standing::Disputed);
            self.chains.push(Chain { parts, has_beginning, has_end, standing, shared: BTreeSet::new() });
        }
    }

    /// A smaller copy of a log is its beginning, or the log was forked.
    fn compare_copy(&mut self, member: usize, copy: usize) {
        let log = self.name(copy);
        let Some(signed) = &self.logs[copy].seal.checkpoint else { return };
        let own = signed.checkpoint();
        let size = own.size;
        let mut claims = self.logs[member].seal.claimed.iter();
        let came_to = claims.find(|(claim, _)| claim == own).map(|(_, came_to)| *came_to);
        match came_to {
            Some(Claimed::Extended) => {}
            Some(Claimed::Refuted) => self.contradictions.push(Contradiction::Fork { log, size }),
            Some(Claimed::NotSigned) => self.contradictions.push(Contradiction::OneName { log }),
            Some(Claimed::Beyond | Claimed::OfAnotherLog | Claimed::NotShown) | None => {
                self.open.push(OpenQuestion::CopyNotShown { log, size });
            }
        }
    }

    /// Which log this one continues, and whether that one says the same.
    fn handover(&mut self, successor: usize, members: &[usize]) -> Handover {
        let log = self.name(successor);
        let Some(continued) = &self.logs[successor].seal.continued else { return Handover::Begins };
        let stated = continued.checkpoint();
        let (predecessor, size) = (stated.origin.clone(), stated.size);
        let Some(before) = members.iter().copied().find(|member| self.name(*member) == predecessor) else {
            self.open.push(OpenQuestion::PredecessorMissing { log, predecessor, size });
            return Handover::NotJoined;
        };
        let seal = &self.logs[before].seal;
        let came_to = seal.claimed.iter().find(|(claim, _)| claim == stated).map(|(_, came_to)| *came_to);
        let contradiction = match came_to {
            Some(Claimed::Extended) => return Handover::From(before, size),
            Some(Claimed::Refuted) => Contradiction::HandoverRefuted { log, predecessor, size },
            Some(Claimed::NotSigned) => Contradiction::HandoverNotSigned { log, predecessor, size },
            Some(Claimed::Beyond) => Contradiction::HandoverBeyond { log, predecessor, size, has: seal.size },
            Some(Claimed::OfAnotherLog | Claimed::NotShown) | None => {
                self.open.push(OpenQuestion::HandoverNotShown { log, predecessor, size });
                return Handover::From(before, size);
            }
        };
        self.contradictions.push(contradiction);
        Handover::NotJoined
    }

    /// The one log behind each, and those set apart because another continues the same log.
    fn successors(
        &mut self,
        handovers: &BTreeMap<usize, Handover>,
    ) -> (BTreeMap<usize, usize>, BTreeMap<usize, Standing>) {
        let mut all: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (log, handover) in handovers {
            if let Handover::From(before, _) = handover {
                all.entry(*before).or_default().push(*log);
            }
        }
        let has_play = |log: &usize| !self.logs[*log].tables.is_empty() || all.contains_key(log);
        let (mut behind, mut set_apart) = (BTreeMap::new(), BTreeMap::new());
        let (mut contradictions, mut open) = (Vec::new(), Vec::new());
        for (before, candidates) in &all {
            let Some(chosen) = candidates.iter().find(|log| has_play(log)).or(candidates.first()) else {
                continue;
            };
            behind.insert(*before, *chosen);
            let predecessor = self.name(*before);
            for other in candidates.iter().filter(|log| *log != chosen) {
                let (log, predecessor) = (self.name(*chosen), predecessor.clone());
                if has_play(other) {
                    let other_name = self.name(*other);
                    contradictions.push(Contradiction::TwoSuccessors { predecessor, log, other: other_name });
                    set_apart.insert(*other, Standing::Disputed);
                } else {
                    open.push(OpenQuestion::GivenUp { log: self.name(*other), predecessor });
                    set_apart.insert(*other, Standing::GivenUp);
                }
            }
        }
        self.contradictions.append(&mut contradictions);
        self.open.append(&mut open);
        (behind, set_apart)
    }

    /// Walks from each beginning to its end; what is left goes in circles.
    fn join(
        &mut self,
        handovers: &BTreeMap<usize, Handover>,
        behind: &BTreeMap<usize, usize>,
        set_apart: &BTreeMap<usize, Standing>,
    ) {
        let is_behind: BTreeSet<usize> = behind.values().copied().collect();
        let mut joined = BTreeSet::new();
        for (head, handover) in handovers.iter().filter(|(log, _)| !is_behind.contains(log)) {
            let standing = set_apart.get(head).copied().unwrap_or(Standing::Judged);
            let has_beginning = matches!(handover, Handover::Begins);
            let chain = self.chain(*head, has_beginning, standing, handovers, behind);
            joined.extend(chain.parts.iter().map(|part| part.log));
            self.chains.push(chain);
        }
        for log in handovers.keys() {
            if joined.contains(log) {
                continue;
            }
            let mut circle = vec![*log];
            while let Some(next) = circle.last().and_then(|last| behind.get(last)).filter(|next| *next != log)
            {
                circle.push(*next);
            }
            for log in &circle {
                let (parts, shared) = (vec![self.part(*log, None)], BTreeSet::new());
                let (has_beginning, has_end, standing) = (false, false, Standing::Disputed);
                self.chains.push(Chain { parts, has_beginning, has_end, standing, shared });
            }
            joined.extend(circle.iter().copied());
            let logs = circle.iter().map(|log| self.name(*log)).collect();
            self.contradictions.push(Contradiction::Cycle { logs });
        }
    }

    fn chain(
        &mut self,
        head: usize,
        has_beginning: bool,
        standing: Standing,
        handovers: &BTreeMap<usize, Handover>,
        behind: &BTreeMap<usize, usize>,
    ) -> Chain {
        let (mut parts, mut log) = (Vec::new(), head);
        while let Some(next) = behind.get(&log) {
            let from = match handovers.get(next) {
                Some(Handover::From(_, size)) => Some(*size),
                Some(Handover::Begins | Handover::NotJoined) | None => None,
            };
            parts.push(self.part(log, from));
            log = *next;
        }
        parts.push(self.part(log, None));
        let closed = self.logs[log].seal.closed.as_ref().map(|(_, closing)| closing.successor.clone());
        let has_end = closed.is_none();
        if let Some(successor) = closed {
            self.open.push(OpenQuestion::SuccessorMissing { log: self.name(log), successor });
        }
        Chain { parts, has_beginning, has_end, standing, shared: BTreeSet::new() }
    }

    /// A log of a chain: its history ends where the next log begins, or where it was closed.
    fn part(&self, log: usize, handed_over: Option<u64>) -> Part {
        let seal = &self.logs[log].seal;
        let closed = seal.closed.as_ref().map(|(_, closing)| closing.size);
        Part { log, until: handed_over.or(closed).unwrap_or(seal.size).min(seal.size) }
    }

    /// A log that was closed names the same end as the log that continues it.
    fn compare_closings(&mut self) {
        let pairs = self.chains.iter().flat_map(|chain| chain.parts.windows(2));
        let pairs: Vec<(usize, usize)> =
            pairs.filter_map(|pair| Some((pair.first()?.log, pair.get(1)?.log))).collect();
        for (before, behind) in pairs {
            let Some((_, closing)) = &self.logs[before].seal.closed else { continue };
            let Some(continued) = &self.logs[behind].seal.continued else { continue };
            let (log, predecessor) = (self.name(behind), self.name(before));
            let stated = continued.checkpoint();
            let is_same_end = (closing.size, closing.root) == (stated.size, stated.root);
            let names_it = closing.successor.as_ref().is_none_or(|successor| *successor == log);
            if is_same_end && names_it {
                continue;
            }
            let (size, closed, successor) = (stated.size, closing.size, closing.successor.clone());
            self.contradictions.push(Contradiction::ClosedOtherwise {
                log,
                size,
                predecessor,
                closed,
                successor,
            });
        }
    }

    /// A table is in one chain. Where a chain has no beginning, it may continue another one, so nothing is said of it.
    fn compare_tables(&mut self) {
        let mut owners: BTreeMap<String, (usize, FleetPlace)> = BTreeMap::new();
        let mut found = Vec::new();
        for (number, chain) in self.chains.iter().enumerate() {
            if chain.standing != Standing::Judged || !chain.has_beginning {
                continue;
            }
            for (table, place) in self.first_places(chain) {
                match owners.get(&table) {
                    None => drop(owners.insert(table, (number, place))),
                    Some((owner, first)) if *owner != number => {
                        found.push(([*owner, number], table, first.clone(), place))
                    }
                    Some(_) => {}
                }
            }
        }
        for (chains, table, first, second) in found {
            for number in chains {
                self.chains[number].shared.insert(table.clone());
            }
            self.contradictions.push(Contradiction::TableInTwoLogs { table, first, second });
        }
    }

    /// Where each table of a chain's history begins.
    fn first_places(&self, chain: &Chain) -> BTreeMap<String, FleetPlace> {
        let mut places = BTreeMap::new();
        for part in &chain.parts {
            for (table, entry) in &self.logs[part.log].tables {
                if *entry < part.until && !places.contains_key(table) {
                    places.insert(table.clone(), FleetPlace { log: self.name(part.log), entry: *entry });
                }
            }
        }
        places
    }
}
