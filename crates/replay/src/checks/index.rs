//! Where things lie in a shoe, so that no check of one coup looks through all of it: the writer of the record decides how many
//! coups a shoe has, and how much of it is wrong. Each list is made when it is asked for first.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use events::Body;

use crate::reading::{Consequence, CoupRecord, Explanation, Lost, Misread, Remark, ShoeRecord, Told};

/// Where things lie in a shoe.
#[derive(Debug)]
pub struct Index<'s> {
    pub(super) shoe: &'s ShoeRecord<'s>,
    began: OnceCell<Vec<u64>>,
    places: OnceCell<BTreeMap<u32, Vec<usize>>>,
    remarks: OnceCell<BTreeMap<u64, Vec<usize>>>,
    slips: OnceCell<Slips>,
    rulings: OnceCell<Rulings>,
    /// By the place of a coup: the place of the first to begin of the coups after it.
    first_behind: OnceCell<Vec<Option<usize>>>,
    /// By sequence of a card to a hand: the number of its coup.
    dealt: OnceCell<BTreeMap<u64, u32>>,
    /// By its sequence: the place of what was recorded again.
    again: OnceCell<BTreeMap<u64, usize>>,
    /// Sequence of the last event that says how many cards left the shoe.
    last_position: OnceCell<Option<u64>>,
}

/// What is ruled, by what a check asks for.
#[derive(Debug, Default)]
struct Rulings {
    /// Voids, by the number of the coup.
    voids: BTreeSet<(u32, u64)>,
    /// By the number of a coup: where it is declared void first by what is of no coup.
    early_voids: BTreeMap<u32, u64>,
    /// Positions of the cards that are named.
    positions: BTreeSet<u16>,
}

impl Rulings {
    fn add(&mut self, told: &Told<'_, Body>) {
        self.voids.extend(void(told));
        if let Body::IrregularityRecorded(ruled) = told.value {
            self.positions.extend(&ruled.positions);
        }
    }
}

/// What is remarked, by what a check asks for.
#[derive(Debug, Default)]
struct Slips {
    /// Numbers of coups whose settlement was lost, and those where that may be.
    settlements: BTreeSet<u32>,
    perhaps_settlements: BTreeSet<u32>,
    /// By the number of the coup: sequences of settlements in which an id was mistyped.
    mistyped: BTreeSet<(u32, u64)>,
    /// Sequences of events that were moved, and of those that may have been.
    moved: BTreeSet<u64>,
    perhaps_moved: BTreeSet<u64>,
}

impl Slips {
    fn add(&mut self, remark: &Remark) {
        let is_certain = remark.is_certain();
        for of in remark.alternatives.iter().flatten() {
            match *of {
                Explanation::Lost { coup, what: Lost::Settlement, .. } => {
                    self.perhaps_settlements.insert(coup);
                    self.settlements.extend(is_certain.then_some(coup));
                }
                Explanation::Misread { at, what: Misread::Bet(_), .. } if is_certain => {
                    self.mistyped.extend(remark.coups.iter().map(|coup| (*coup, at)));
                }
                Explanation::Moved { at, .. } => {
                    self.perhaps_moved.insert(at);
                    self.moved.extend(is_certain.then_some(at));
                }
                Explanation::Lost { .. }
                | Explanation::Doubled { .. }
                | Explanation::Mislabelled { .. }
                | Explanation::Misread { .. }
                | Explanation::Departed { .. } => {}
            }
        }
    }
}

impl<'s> Index<'s> {
    /// Of a shoe.
    pub(super) const fn of(shoe: &'s ShoeRecord<'s>) -> Self {
        Self {
            shoe,
            began: OnceCell::new(),
            places: OnceCell::new(),
            remarks: OnceCell::new(),
            slips: OnceCell::new(),
            rulings: OnceCell::new(),
            first_behind: OnceCell::new(),
            dealt: OnceCell::new(),
            again: OnceCell::new(),
            last_position: OnceCell::new(),
        }
    }

    /// Where its coups began, in the order of the record.
    fn began(&self) -> &[u64] {
        self.began.get_or_init(|| {
            let mut began: Vec<u64> = self.shoe.coups.iter().map(|coup| coup.began).collect();
            began.sort_unstable();
            began
        })
    }

    /// Where the next coup began after a sequence.
    pub(super) fn began_after(&self, at: u64) -> Option<u64> {
        let began = self.began();
        began.get(began.partition_point(|began| *began <= at)).copied()
    }

    /// The places of the coups with this number, in their order.
    pub(super) fn coups(&self, number: u32) -> &[usize] {
        let places = self.places.get_or_init(|| {
            let mut places: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
            for (at, coup) in self.shoe.coups.iter().enumerate() {
                places.entry(coup.number).or_default().push(at);
            }
            places
        });
        places.get(&number).map_or(&[], Vec::as_slice)
    }

    /// Whether an event is a further settlement of a coup with this number.
    pub(super) fn is_settled_again(&self, number: u32, at: u64) -> bool {
        let coups = self.coups(number).iter().filter_map(|place| self.shoe.coups.get(*place));
        coups.flat_map(|coup| coup.settlements.iter().skip(1)).any(|again| again.sequence == at)
    }

    /// The coup with this number that an event is of: of two the last that began before it.
    pub(super) fn coup_at(&self, number: u32, at: u64) -> Option<&'s CoupRecord<'s>> {
        let (places, coups) = (self.coups(number), &self.shoe.coups);
        let began = places.partition_point(|place| coups.get(*place).is_some_and(|coup| coup.began <= at));
        coups.get(*places.get(began.saturating_sub(1))?)
    }

    /// The remarks from which this follows.
    pub(super) fn remarks(&self, follows: Consequence) -> impl Iterator<Item = &'s Remark> {
        let remarks = self.remarks.get_or_init(|| {
            let mut remarks: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
            for (place, remark) in self.shoe.remarks.iter().enumerate() {
                remarks.entry(remark.at).or_default().push(place);
            }
            remarks
        });
        let places = remarks.get(&follows.at()).into_iter().flatten();
        places.filter_map(|place| self.shoe.remarks.get(*place))
    }

    /// Nothing is remarked in most shoes.
    fn slips(&self) -> Option<&Slips> {
        let all = || {
            let mut slips = Slips::default();
            self.shoe.remarks.iter().for_each(|remark| slips.add(remark));
            slips
        };
        (!self.shoe.remarks.is_empty()).then(|| self.slips.get_or_init(all))
    }

    /// Whether the settlement of a coup was lost for certain: it was settled some time after its last event.
    pub(super) fn is_settlement_lost(&self, coup: u32) -> bool {
        self.slips().is_some_and(|slips| slips.settlements.contains(&coup))
    }

    /// Whether it may have been lost.
    pub(super) fn may_settlement_be_lost(&self, coup: u32) -> bool {
        self.slips().is_some_and(|slips| slips.perhaps_settlements.contains(&coup))
    }

    /// Whether the reading understands an id in a settlement of a coup as mistyped.
    pub(super) fn is_mistyped(&self, coup: u32, settled: u64) -> bool {
        self.slips().is_some_and(|slips| slips.mistyped.contains(&(coup, settled)))
    }

    /// Whether an event was recorded at another place than its own for certain.
    pub(super) fn is_moved(&self, at: u64) -> bool {
        self.slips().is_some_and(|slips| slips.moved.contains(&at))
    }

    /// Whether it may have been.
    pub(super) fn may_be_moved(&self, at: u64) -> bool {
        self.slips().is_some_and(|slips| slips.perhaps_moved.contains(&at))
    }

    /// Where a coup of this number was declared void first by what is of no coup.
    pub(super) fn early_void(&self, coup: u32) -> Option<u64> {
        if self.shoe.rulings.is_empty() { None } else { self.rulings().early_voids.get(&coup).copied() }
    }

    /// Whether a coup of another number begins between two sequences.
    pub(super) fn begins_another(&self, coup: u32, (from, to): (u64, u64)) -> bool {
        let (began, own) = (self.began(), self.coups(coup));
        let of_own = |at: &usize| self.shoe.coups.get(*at).map_or(0, |coup| coup.began);
        let all = began.partition_point(|at| *at < to) - began.partition_point(|at| *at <= from);
        all > own.partition_point(|at| of_own(at) < to) - own.partition_point(|at| of_own(at) <= from)
    }

    /// Where a coup of this number was declared void first after a sequence.
    pub(super) fn void_after(&self, coup: u32, at: u64) -> Option<u64> {
        let after = (coup, at.saturating_add(1))..=(coup, u64::MAX);
        self.rulings().voids.range(after).next().map(|(_, void)| *void)
    }

    /// Whether a ruling names the card at a position.
    pub(super) fn is_ruled(&self, position: u16) -> bool {
        self.rulings().positions.contains(&position)
    }

    fn rulings(&self) -> &Rulings {
        self.rulings.get_or_init(|| {
            let mut rulings = Rulings::default();
            let of_coups = self.shoe.coups.iter().flat_map(|coup| &coup.rulings);
            of_coups.chain(&self.shoe.rulings).for_each(|told| rulings.add(told));
            let early = self.shoe.rulings.iter().rev();
            rulings.early_voids = early.filter_map(|told| void(told)).collect();
            rulings
        })
    }

    /// What was recorded again at a sequence, and counts for nothing.
    pub(super) fn again(&self, at: u64) -> Option<&'s Told<'s, Body>> {
        let places = self.again.get_or_init(|| {
            (0..).zip(&self.shoe.again).map(|(place, told)| (told.sequence, place)).collect()
        });
        self.shoe.again.get(*places.get(&at)?)
    }

    /// Whether an event from this sequence on says how many cards left the shoe.
    pub(super) fn shows_positions_from(&self, at: u64) -> bool {
        let last = self.last_position.get_or_init(|| {
            let cards = self.shoe.coups.iter().flat_map(|coup| &coup.cards).filter_map(|card| card.sequence);
            let cuts = self.shoe.cuts.iter().map(|told| told.sequence);
            let ends = self.shoe.ends.iter().map(|told| told.sequence);
            cards.chain(cuts).chain(ends).max()
        });
        last.is_some_and(|last| last >= at)
    }

    /// The number of the coup that the next card to a hand after a sequence is of.
    pub(super) fn dealt_after(&self, at: u64) -> Option<u32> {
        let dealt = self.dealt.get_or_init(|| {
            let of_coup = |coup: &'s CoupRecord<'s>| {
                let hands = coup.cards.iter().filter(|card| card.to.side().is_some());
                hands.filter_map(|card| Some((card.sequence?, coup.number)))
            };
            self.shoe.coups.iter().flat_map(of_coup).collect()
        });
        dealt.range(at.saturating_add(1)..).next().map(|(_, coup)| *coup)
    }

    /// The first to begin of the coups after the one at this place of the shoe.
    pub(super) fn next(&self, at: usize) -> Option<&'s CoupRecord<'s>> {
        let first = self.first_behind.get_or_init(|| {
            let began = |at: &usize| self.shoe.coups.get(*at).map(|coup| coup.began);
            let (mut first, mut all) = (None, Vec::with_capacity(self.shoe.coups.len()));
            for at in (0..self.shoe.coups.len()).rev() {
                all.push(first);
                first = std::iter::once(at).chain(first).min_by_key(began);
            }
            all.reverse();
            all
        });
        self.shoe.coups.get((*first.get(at)?)?)
    }
}

/// Which coup an event declares void, and its sequence.
const fn void(told: &Told<'_, Body>) -> Option<(u32, u64)> {
    if let Body::CoupVoided(void) = told.value { Some((void.coup, told.sequence)) } else { None }
}
