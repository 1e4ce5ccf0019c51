//! What the house keeps of the rulebooks of one judgement, each worked out once.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::house_edge::HouseEdge;
use crate::summary::RulebookUsed;

/// Most rulebooks of one report whose edges are worked out: each costs some hundredths of a second.
const MOST_PRICED: usize = 16;

/// Most that are remembered.
const MOST_REMEMBERED: usize = 64;

/// What was worked out of the rulebooks of one judgement, by digest: it is asked for with every certificate.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct HouseEdges(BTreeMap<String, Option<HouseEdge>>);

impl HouseEdges {
    /// Adds what the house keeps to rulebooks that the reader has not approved, sixteen at most.
    pub(crate) fn price(&mut self, used: &mut [RulebookUsed]) {
        for used in used.iter_mut().filter(|used| used.unapproved).take(MOST_PRICED) {
            used.house_edge = self.of(used);
        }
    }

    fn of(&mut self, used: &RulebookUsed) -> Option<HouseEdge> {
        if let Some(edge) = self.0.get(&used.digest) {
            return edge.clone();
        }
        let edge = HouseEdge::of(&used.passages.rulebook()?);
        if self.0.len() >= MOST_REMEMBERED {
            self.0.clear();
        }
        self.0.insert(used.digest.clone(), edge.clone());
        edge
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use super::*;

    #[test]
    fn a_rulebook_is_priced_once_and_sixteen_at_most() {
        let texts = ["es-1979", "chemin-de-fer-es-1979"]
            .map(|id| -> std::sync::Arc<str> { baccarat::builtin(id).unwrap().canonical_json().into() });
        let used = |number: usize, text: Option<&std::sync::Arc<str>>| RulebookUsed {
            id: format!("house-{number}"),
            title: String::new(),
            digest: number.to_string(),
            coups: 1,
            unapproved: number != 1,
            house_edge: None,
            passages: crate::passages::Passages::of(text.cloned()),
        };
        let mut edges = HouseEdges::default();
        let mut all: Vec<RulebookUsed> = (0..20).map(|number| used(number, Some(&texts[0]))).collect();
        edges.price(&mut all);
        let priced: Vec<usize> = (0..20).filter(|number| all[*number].house_edge.is_some()).collect();
        assert_eq!(priced, [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
        // What has no text any more can only be known from before.
        let mut again = [used(2, None), used(19, None)];
        edges.price(&mut again);
        assert!(again[0].house_edge == all[2].house_edge && again[1].house_edge.is_none());
        (20..200).for_each(|number| edges.price(&mut [used(number, Some(&texts[1]))]));
        assert!(edges.0.len() <= MOST_REMEMBERED);
    }
}
