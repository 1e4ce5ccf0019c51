//! A sample of a log's coups for a manual inspection. Which coups are drawn depends on the log, the seed and the
//! number alone: whoever has these three draws the same, on any machine and in any language.

use std::collections::BTreeSet;

/// One coup of a log, by its place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CoupPlace {
    /// The table.
    pub table: String,
    /// The shoe; absent where none was loaded.
    pub shoe: Option<String>,
    /// Number within the shoe.
    pub coup: u32,
    /// Sequence of its first event. Two coups of one number differ in it.
    pub first: u64,
}

/// The first line of what a rank is the digest of.
const FORMAT: &str = "audit sample, format 1";

/// Draws coups by their ranks: the lowest are the sample. It holds no more than are to be drawn.
#[derive(Debug, Clone)]
pub struct Draw {
    root: String,
    seed: u64,
    most: usize,
    offered: u64,
    drawn: BTreeSet<([u8; 32], CoupPlace)>,
}

impl Draw {
    /// Draws at most so many coups of the log whose checkpoint has this root (base64; empty for events that nobody
    /// sealed).
    #[must_use]
    pub const fn new(root: String, seed: u64, most: usize) -> Self {
        Self { root, seed, most, offered: 0, drawn: BTreeSet::new() }
    }

    /// Takes the next coup, in any order.
    pub fn offer(&mut self, place: CoupPlace) {
        self.offered = self.offered.saturating_add(1);
        let rank = self.rank(&place);
        let is_low = self.drawn.last().is_none_or(|(highest, _)| rank <= *highest);
        if is_low || self.drawn.len() < self.most {
            self.drawn.insert((rank, place));
        }
        if self.drawn.len() > self.most {
            self.drawn.pop_last();
        }
    }

    /// How many coups were offered.
    #[must_use]
    pub const fn offered(&self) -> u64 {
        self.offered
    }

    /// The sample, the lowest rank first: its first coups are the sample of so many.
    #[must_use]
    pub fn drawn(self) -> Vec<([u8; 32], CoupPlace)> {
        self.drawn.into_iter().collect()
    }

    /// BLAKE3 of seven lines: the format, root, seed, table, shoe, coup and the sequence of its first event.
    fn rank(&self, place: &CoupPlace) -> [u8; 32] {
        let Self { root, seed, .. } = self;
        let CoupPlace { table, shoe, coup, first } = place;
        let shoe = shoe.as_deref().unwrap_or_default();
        let text = format!("{FORMAT}\n{root}\n{seed}\n{table}\n{shoe}\n{coup}\n{first}\n");
        *blake3::hash(text.as_bytes()).as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(number: u32) -> CoupPlace {
        CoupPlace { table: "PB-01".to_owned(), shoe: Some("S-1".to_owned()), coup: number, first: 4 }
    }

    fn drawn(seed: u64, most: usize, numbers: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut draw = Draw::new("root".to_owned(), seed, most);
        numbers.for_each(|number| draw.offer(place(number)));
        draw.drawn().into_iter().map(|(_, place)| place.coup).collect()
    }

    /// `docs/sampling.md` states the bytes: whoever changes them changes every sample.
    #[test]
    fn a_rank_is_what_the_documents_say() {
        let draw = Draw::new("root".to_owned(), 7, 1);
        let text = b"audit sample, format 1\nroot\n7\nPB-01\nS-1\n29\n4\n";
        assert_eq!(draw.rank(&place(29)), *blake3::hash(text).as_bytes());
        let without = CoupPlace { shoe: None, ..place(29) };
        let text = b"audit sample, format 1\nroot\n7\nPB-01\n\n29\n4\n";
        assert_eq!(draw.rank(&without), *blake3::hash(text).as_bytes());
    }

    #[test]
    fn the_sample_depends_on_seed_and_root_and_not_on_the_order_in_which_coups_come() {
        let forwards = drawn(7, 10, 1..=500);
        assert_eq!(forwards, drawn(7, 10, (1..=500).rev()));
        assert_eq!(forwards[..4], drawn(7, 4, 1..=500), "a smaller sample is the beginning of a larger one");
        assert_ne!(forwards, drawn(8, 10, 1..=500));
        let mut other = Draw::new("another".to_owned(), 7, 10);
        (1..=500).for_each(|number| other.offer(place(number)));
        assert_ne!(forwards, other.drawn().iter().map(|(_, place)| place.coup).collect::<Vec<_>>());
    }

    #[test]
    fn no_more_are_held_than_are_drawn_and_fewer_where_there_are_fewer() {
        assert_eq!(drawn(1, 10, 1..=3).len(), 3);
        assert!(drawn(1, 10, 1..1).is_empty() && drawn(1, 0, 1..9).is_empty());
        let mut draw = Draw::new(String::new(), 1, 5);
        for number in 1..=10_000 {
            draw.offer(place(number));
            assert!(draw.drawn.len() <= 5);
        }
        assert_eq!(draw.offered(), 10_000);
    }

    /// Every coup has the same chance: over many seeds each of twenty is drawn about as often.
    #[test]
    fn every_coup_has_the_same_chance() {
        let mut counts = [0_u32; 20];
        for seed in 0..4_000 {
            for number in drawn(seed, 5, 0..20) {
                counts[number as usize] += 1;
            }
        }
        assert!(counts.iter().all(|count| (880..=1_120).contains(count)), "{counts:?}");
    }
}
