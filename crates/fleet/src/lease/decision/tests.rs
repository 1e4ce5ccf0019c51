use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;

use super::{LeaseMachine, Moment, Reading, Step, Writing};
use crate::lease::record::{Committed, LeaseRecord};
use crate::lease::terms::Terms;

const TTL: u64 = 8_000;

fn terms() -> Terms {
    Terms::new(at(TTL)).expect("within the range")
}

fn at(millis: u64) -> Moment {
    Duration::from_millis(millis)
}

fn candidate(name: &str) -> LeaseMachine {
    LeaseMachine::new(terms(), name.into(), format!("{name}-1"))
}

fn written(machine: &mut LeaseMachine, now: Moment) -> (u64, LeaseRecord) {
    match machine.next(now) {
        Step::Write { expected, record } => (expected, record),
        step @ (Step::Read | Step::Wait(_) | Step::Fenced) => panic!("it writes nothing: {step:?}"),
    }
}

fn committed(size: u64) -> Committed {
    Committed { origin: "log".into(), size, checkpoint: format!("log\n{size}\n"), ..Committed::default() }
}

/// Holds a fresh key from the moment 0, under revision 1.
fn holder() -> LeaseMachine {
    let mut machine = candidate("a");
    assert_eq!(machine.next(at(0)), Step::Read);
    machine.was_read(at(0), Reading::Absent { revision: 0 });
    let (expected, record) = written(&mut machine, at(0));
    assert_eq!((expected, record.epoch, record.write), (0, 1, 1));
    assert!(!machine.may_commit(at(0)));
    machine.was_written(at(0), Writing::Stored(1));
    machine
}

/// What another holder, `c`, has written.
fn others_record(epoch: u64) -> LeaseRecord {
    let record = holder().held().expect("held").clone();
    LeaseRecord { epoch, holder: "c".into(), instance: "c-1".into(), committed: committed(40), ..record }
}

#[test]
fn a_fresh_key_is_taken_at_once_and_commits_for_half_a_ttl() {
    let machine = holder();
    assert!(machine.may_commit(at(0)) && machine.may_commit(at(TTL / 2 - 1)));
    assert!(!machine.may_commit(at(TTL / 2)));
}

#[test]
fn a_holder_renews_after_a_quarter_and_counts_from_the_beginning_of_a_renewal() {
    let mut machine = holder();
    assert_eq!(machine.next(at(10)), Step::Wait(at(TTL / 4)));
    let (expected, record) = written(&mut machine, at(TTL / 4));
    assert_eq!((expected, record.epoch, record.write), (1, 1, 2));
    assert!(matches!(machine.next(at(TTL / 4)), Step::Wait(_)), "one write at a time");
    machine.was_written(at(TTL / 4 + 900), Writing::Stored(5));
    assert!(machine.may_commit(at(TTL / 4 + TTL / 2 - 1)));
    assert!(!machine.may_commit(at(TTL / 4 + TTL / 2)));
}

#[test]
fn a_commit_is_written_at_once_and_settles_when_it_is_stored() {
    let mut machine = holder();
    let first = machine.commit(committed(7));
    let second = machine.commit(committed(9));
    let (_, record) = written(&mut machine, at(10));
    assert_eq!(record.committed, committed(9));
    let third = machine.commit(committed(11));
    assert!(machine.settled() < first);
    machine.was_written(at(20), Writing::Stored(2));
    assert_eq!(machine.settled(), second);
    let (expected, record) = written(&mut machine, at(20));
    assert_eq!((expected, record.committed), (2, committed(11)));
    machine.was_written(at(30), Writing::Stored(3));
    assert_eq!(machine.settled(), third);
    assert!(matches!(machine.next(at(40)), Step::Wait(_)));
}

#[test]
fn another_revision_fences_at_once_and_for_good() {
    let mut machine = holder();
    let ticket = machine.commit(committed(7));
    written(&mut machine, at(10));
    machine.was_written(at(20), Writing::WrongRevision);
    assert!(machine.is_fenced() && !machine.may_commit(at(20)));
    assert_eq!(machine.next(at(20)), Step::Fenced);
    machine.was_written(at(21), Writing::Stored(9));
    machine.was_read(at(21), Reading::Absent { revision: 0 });
    assert_eq!(machine.next(at(99_999_999)), Step::Fenced);
    assert!(machine.settled() < ticket);
}

#[test]
fn nothing_is_committed_while_an_outcome_is_unknown() {
    let mut machine = holder();
    let ticket = machine.commit(committed(7));
    let (_, record) = written(&mut machine, at(10));
    machine.was_written(at(1_010), Writing::Unknown);
    assert!(!machine.may_commit(at(1_010)));
    let again = at(1_010) + terms().again();
    assert_eq!(machine.next(at(1_010)), Step::Wait(again));
    assert_eq!(machine.next(again), Step::Read);
    machine.was_read(again, Reading::Unknown);
    assert!(matches!(machine.next(again), Step::Wait(_)));
    assert!(!machine.may_commit(again));
    machine.was_read(at(2_000), Reading::Found { revision: 2, record });
    assert_eq!(machine.settled(), ticket);
    // It counts from when the write began.
    assert!(machine.may_commit(at(4_009)) && !machine.may_commit(at(4_010)));
}

#[test]
fn a_write_that_was_not_stored_is_written_again() {
    let mut machine = holder();
    let before = machine.held().expect("held").clone();
    let ticket = machine.commit(committed(7));
    written(&mut machine, at(10));
    machine.was_written(at(1_010), Writing::Unknown);
    machine.was_read(at(2_000), Reading::Found { revision: 1, record: before });
    assert!(machine.settled() < ticket);
    let (expected, record) = written(&mut machine, at(2_000));
    assert_eq!((expected, record.write, record.committed.clone()), (1, 3, committed(7)));
    // The first one was stored in the meantime: that is no other holder.
    machine.was_written(at(2_010), Writing::WrongRevision);
    assert!(!machine.is_fenced() && !machine.may_commit(at(2_010)));
    assert_eq!(machine.next(at(2_010)), Step::Read);
    let first = LeaseRecord { write: 2, ..record };
    machine.was_read(at(2_020), Reading::Found { revision: 2, record: first });
    let (expected, _) = written(&mut machine, at(2_020));
    assert_eq!(expected, 2);
    machine.was_written(at(2_030), Writing::Stored(3));
    assert_eq!(machine.settled(), ticket);
    // Nothing is uncertain any more.
    machine.commit(committed(8));
    written(&mut machine, at(2_040));
    machine.was_written(at(2_050), Writing::WrongRevision);
    assert!(machine.is_fenced());
}

#[test]
fn a_server_that_knows_less_than_was_stored_is_asked_again() {
    let mut machine = holder();
    written(&mut machine, at(TTL / 4));
    machine.was_written(at(TTL / 4), Writing::Stored(6));
    machine.commit(committed(7));
    let (_, record) = written(&mut machine, at(TTL / 4 + 10));
    machine.was_written(at(TTL / 4 + 20), Writing::Unknown);
    machine.was_read(at(TTL / 4 + 300), Reading::Found { revision: 5, record: others_record(1) });
    assert!(!machine.is_fenced() && !machine.may_commit(at(TTL / 4 + 300)));
    machine.was_read(at(TTL / 4 + 600), Reading::Found { revision: 7, record });
    assert!(machine.may_commit(at(TTL / 4 + 600)));
}

#[test]
fn whoever_reads_anothers_record_or_none_is_fenced() {
    for reading in [Reading::Found { revision: 9, record: others_record(2) }, Reading::Absent { revision: 0 }]
    {
        let mut machine = holder();
        machine.commit(committed(7));
        written(&mut machine, at(10));
        machine.was_written(at(1_010), Writing::Unknown);
        machine.was_read(at(2_000), reading);
        assert!(machine.is_fenced());
    }
}

#[test]
fn a_candidate_watches_one_revision_for_a_whole_ttl() {
    let mut machine = candidate("b");
    let found = |revision| Reading::Found { revision, record: others_record(4) };
    let mut now = 100;
    machine.was_read(at(now), found(7));
    while now < 4_000 {
        now += 1_000;
        assert_eq!(machine.next(at(now)), Step::Read);
        machine.was_read(at(now), found(7));
    }
    // It was renewed: from the beginning.
    now += 1_000;
    machine.was_read(at(now), found(8));
    let seen = now;
    while now + 1_000 < seen + TTL {
        now += 1_000;
        assert_eq!(machine.next(at(now)), Step::Read);
        machine.was_read(at(now), found(8));
    }
    assert!(matches!(machine.next(at(now)), Step::Wait(_)));
    machine.was_read(at(seen + TTL), found(8));
    let (expected, record) = written(&mut machine, at(seen + TTL));
    assert_eq!((expected, record.epoch, record.holder.as_str()), (8, 5, "b"));
    assert_eq!(record.committed, committed(40), "what the predecessor committed is kept");
    machine.was_written(at(seen + TTL + 10), Writing::Stored(9));
    assert!(machine.may_commit(at(seen + TTL + 10)));
}

#[test]
fn a_candidate_that_saw_nothing_for_long_watches_from_the_beginning() {
    let mut machine = candidate("b");
    let found = || Reading::Found { revision: 7, record: others_record(4) };
    machine.was_read(at(0), found());
    for millis in [1_000, 3_000, 6_000, 9_000] {
        machine.was_read(at(millis), Reading::Unknown);
    }
    machine.was_read(at(9_500), found());
    assert!(matches!(machine.next(at(9_500)), Step::Wait(_)), "the holder could not renew either");
    for millis in (10_000..=17_500).step_by(500) {
        machine.was_read(at(millis), found());
    }
    written(&mut machine, at(17_500));
}

#[test]
fn a_candidate_watches_for_as_long_as_the_holder_goes_by() {
    let mut machine = candidate("b");
    let record = LeaseRecord { ttl_millis: 2 * TTL, ..others_record(4) };
    for millis in (0..2 * TTL).step_by(1_000) {
        machine.was_read(at(millis), Reading::Found { revision: 7, record: record.clone() });
        assert!(matches!(machine.next(at(millis)), Step::Wait(_)));
    }
    machine.was_read(at(2 * TTL), Reading::Found { revision: 7, record });
    let (_, record) = written(&mut machine, at(2 * TTL));
    assert_eq!(record.ttl_millis, TTL);
}

/// Anyone who may write the bucket could otherwise end takeovers for ever.
#[test]
fn a_time_that_no_holder_goes_by_is_not_believed() {
    let mut machine = candidate("b");
    let longest = u64::try_from(Terms::LONGEST.as_millis()).expect("some minutes");
    let record = LeaseRecord { ttl_millis: u64::MAX, ..others_record(u64::MAX) };
    for millis in (0..longest).step_by(1_000) {
        machine.was_read(at(millis), Reading::Found { revision: 7, record: record.clone() });
        assert!(matches!(machine.next(at(millis)), Step::Wait(_)));
    }
    machine.was_read(at(longest), Reading::Found { revision: 7, record });
    let (_, record) = written(&mut machine, at(longest));
    assert_eq!((record.ttl_millis, record.epoch), (TTL, u64::MAX), "its epoch cannot grow");
}

#[test]
fn what_was_given_up_is_taken_at_once_and_commits_no_more() {
    let mut machine = holder();
    machine.commit(committed(7));
    let (expected, record) = machine.release().expect("it holds");
    assert_eq!((expected, record.is_released()), (1, true));
    assert!(machine.is_fenced() && !machine.may_commit(at(0)) && machine.release().is_none());
    let mut next = candidate("b");
    assert_eq!(next.release(), None, "it holds nothing");
    next.was_read(at(10), Reading::Found { revision: 2, record: record.clone() });
    let (expected, claim) = written(&mut next, at(10));
    assert_eq!((expected, claim.epoch, claim.released_by), (2, 2, None));
    // What an earlier holder gave up says nothing of this one, whoever carries the words on.
    let held = LeaseRecord { instance: "c-1".into(), ..record };
    let mut other = candidate("b");
    other.was_read(at(10), Reading::Found { revision: 3, record: held });
    assert!(matches!(other.next(at(10)), Step::Wait(_)));
}

#[test]
fn a_claim_that_another_won_is_given_up() {
    let mut machine = candidate("b");
    machine.was_read(at(0), Reading::Absent { revision: 0 });
    written(&mut machine, at(0));
    machine.was_written(at(10), Writing::WrongRevision);
    assert_eq!(machine.next(at(10)), Step::Read);
    machine.was_read(at(20), Reading::Found { revision: 1, record: others_record(1) });
    assert!(matches!(machine.next(at(20)), Step::Wait(_)));
    assert!(!machine.is_fenced() && machine.held().is_none());
}

#[test]
fn a_claim_of_unknown_outcome_is_recognised_and_renewed_before_it_counts() {
    let mut machine = candidate("b");
    machine.was_read(at(0), Reading::Absent { revision: 0 });
    let (_, record) = written(&mut machine, at(0));
    machine.was_written(at(1_000), Writing::Unknown);
    machine.was_read(at(1_500), Reading::Found { revision: 1, record });
    assert!(machine.held().is_some() && !machine.may_commit(at(1_500)));
    let (expected, record) = written(&mut machine, at(1_500));
    assert_eq!((expected, record.epoch), (1, 1));
    machine.was_written(at(1_600), Writing::Stored(2));
    assert!(machine.may_commit(at(1_600)));
}

#[test]
fn a_record_that_vanished_had_a_holder() {
    let mut machine = candidate("b");
    machine.was_read(at(0), Reading::Found { revision: 7, record: others_record(4) });
    machine.was_read(at(1_000), Reading::Absent { revision: 0 });
    assert!(matches!(machine.next(at(1_000)), Step::Wait(_)));
    for millis in (2_000..=9_000).step_by(1_000) {
        machine.was_read(at(millis), Reading::Absent { revision: 0 });
    }
    let (expected, record) = written(&mut machine, at(9_000));
    assert_eq!((expected, record.epoch), (0, 1));
    // A marker of a deletion shows as much.
    let mut machine = candidate("b");
    machine.was_read(at(0), Reading::Absent { revision: 8 });
    assert!(matches!(machine.next(at(0)), Step::Wait(_)));
}

// Two candidates, a store, and a network that delays and loses what it likes. Each candidate has a clock that starts
// anywhere and runs between three quarters and five quarters as fast as it should.

#[derive(Debug, Clone, Copy)]
enum Happening {
    /// Time goes by.
    Pass(u64),
    /// A candidate looks what to do, and asks the store.
    Act(usize),
    /// The same, and the answer is there at once.
    Round(usize),
    /// The store does what was asked first.
    Reach(usize),
    /// The store's answer arrives.
    Answer(usize),
    /// No answer arrives in time. What was asked may still reach the store.
    Lose(usize),
    /// A write that was given up reaches the store after all.
    Late(usize),
    /// A holder commits something.
    Commit(usize),
    /// A holder gives the partition up; the store may do what it asks now, later or never.
    Release(usize),
}

#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "a test")]
enum Asked {
    Read,
    Write(u64, LeaseRecord),
}

struct Node {
    machine: LeaseMachine,
    offset: u64,
    rate: u64,
    asked: Option<Asked>,
    read: Option<Reading>,
    wrote: Option<Writing>,
    late: Vec<(u64, LeaseRecord)>,
    tickets: BTreeMap<u64, u64>,
}

struct World {
    now: u64,
    revision: u64,
    record: Option<LeaseRecord>,
    nodes: Vec<Node>,
    /// Sizes that were written, by epoch.
    written: BTreeMap<u64, Vec<u64>>,
    sizes: u64,
}

impl World {
    fn new(clocks: [(u64, u64); 2]) -> Self {
        let nodes = clocks.into_iter().zip(["a", "b"]).map(|((offset, rate), name)| Node {
            machine: candidate(name),
            offset,
            rate,
            asked: None,
            read: None,
            wrote: None,
            late: Vec::new(),
            tickets: BTreeMap::new(),
        });
        Self { now: 0, revision: 0, record: None, nodes: nodes.collect(), written: BTreeMap::new(), sizes: 0 }
    }

    fn clock(&self, node: usize) -> Moment {
        let node = &self.nodes[node];
        at(node.offset + self.now * node.rate / 100)
    }

    fn store(&mut self, expected: u64, record: LeaseRecord) -> Writing {
        let there = if self.record.is_some() { self.revision } else { 0 };
        if expected != there {
            return Writing::WrongRevision;
        }
        self.revision += 1;
        self.written.entry(record.epoch).or_default().push(record.committed.size);
        self.record = Some(record);
        Writing::Stored(self.revision)
    }

    fn happens(&mut self, happening: Happening) {
        match happening {
            Happening::Pass(millis) => self.now += millis,
            Happening::Act(index) => {
                let now = self.clock(index);
                let node = &mut self.nodes[index];
                if node.asked.is_none() && node.read.is_none() && node.wrote.is_none() {
                    node.asked = match node.machine.next(now) {
                        Step::Read => Some(Asked::Read),
                        Step::Write { expected, record } => Some(Asked::Write(expected, record)),
                        Step::Wait(_) | Step::Fenced => None,
                    };
                }
            }
            Happening::Round(index) => {
                for happening in [Happening::Act(index), Happening::Reach(index), Happening::Answer(index)] {
                    self.happens(happening);
                }
            }
            Happening::Reach(index) => match self.nodes[index].asked.take() {
                Some(Asked::Read) => {
                    let reading = match &self.record {
                        Some(record) => Reading::Found { revision: self.revision, record: record.clone() },
                        None => Reading::Absent { revision: 0 },
                    };
                    self.nodes[index].read = Some(reading);
                }
                Some(Asked::Write(expected, record)) => {
                    let writing = self.store(expected, record);
                    self.nodes[index].wrote = Some(writing);
                }
                None => {}
            },
            Happening::Answer(index) => {
                let now = self.clock(index);
                let node = &mut self.nodes[index];
                if let Some(reading) = node.read.take() {
                    node.machine.was_read(now, reading);
                } else if let Some(writing) = node.wrote.take() {
                    node.machine.was_written(now, writing);
                }
            }
            Happening::Lose(index) => {
                let now = self.clock(index);
                let node = &mut self.nodes[index];
                match (node.asked.take(), node.read.take(), node.wrote.take()) {
                    (Some(Asked::Read), ..) | (_, Some(_), _) => node.machine.was_read(now, Reading::Unknown),
                    (Some(Asked::Write(expected, record)), ..) => {
                        node.late.push((expected, record));
                        node.machine.was_written(now, Writing::Unknown);
                    }
                    (_, _, Some(_)) => node.machine.was_written(now, Writing::Unknown),
                    (None, None, None) => {}
                }
            }
            Happening::Late(index) => {
                if let Some((expected, record)) = self.nodes[index].late.pop() {
                    self.store(expected, record);
                }
            }
            Happening::Commit(index) => {
                let now = self.clock(index);
                if self.nodes[index].machine.may_commit(now) {
                    self.sizes += 1;
                    let ticket = self.nodes[index].machine.commit(committed(self.sizes));
                    self.nodes[index].tickets.insert(ticket, self.sizes);
                }
            }
            Happening::Release(index) => {
                let release = self.nodes[index].machine.release();
                self.nodes[index].late.extend(release);
            }
        }
    }

    fn check(&self) {
        let commits: Vec<bool> =
            (0..2).map(|index| self.nodes[index].machine.may_commit(self.clock(index))).collect();
        assert!(commits != [true, true], "two hold at {}", self.now);
        for node in &self.nodes {
            let settled = node.machine.settled();
            if let (Some(size), Some(record)) = (node.tickets.get(&settled), node.machine.held()) {
                let written = &self.written[&record.epoch];
                assert!(written.contains(size), "size {size} counts and was never written");
            }
        }
    }
}

fn happening() -> impl Strategy<Value = Happening> {
    let node = 0_usize..2;
    prop_oneof![
        6 => (1_u64..TTL / 4).prop_map(Happening::Pass),
        10 => node.clone().prop_map(Happening::Round),
        2 => node.clone().prop_map(Happening::Act),
        2 => node.clone().prop_map(Happening::Reach),
        2 => node.clone().prop_map(Happening::Answer),
        1 => node.clone().prop_map(Happening::Lose),
        1 => node.clone().prop_map(Happening::Late),
        1 => node.clone().prop_map(Happening::Commit),
        1 => node.prop_map(Happening::Release),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn two_never_hold_at_once(
        clocks in [(0..100_000_u64, 75..125_u64), (0..100_000_u64, 75..125_u64)],
        happenings in proptest::collection::vec(happening(), 1..600),
    ) {
        let mut world = World::new(clocks);
        for happening in happenings {
            world.happens(happening);
            world.check();
        }
    }

    #[test]
    fn whoever_is_left_takes_over(
        clocks in [(0..100_000_u64, 75..125_u64), (0..100_000_u64, 75..125_u64)],
        happenings in proptest::collection::vec(happening(), 1..200),
        left in 0_usize..2,
    ) {
        let mut world = World::new(clocks);
        for happening in happenings {
            world.happens(happening);
        }
        // The other one is gone, and what it sent has arrived or is lost.
        let mut rounds = 0;
        while !world.nodes[left].machine.may_commit(world.clock(left)) && !world.nodes[left].machine.is_fenced() {
            for happening in [Happening::Act(left), Happening::Reach(left), Happening::Answer(left), Happening::Pass(500)] {
                world.happens(happening);
            }
            rounds += 1;
            prop_assert!(rounds < 60, "half a minute has passed");
        }
    }
}
