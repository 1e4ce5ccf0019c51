//! One shoe: its cards in order, its five scoreboards, and its coups as a line of time.

use askama::Template;
use baccarat::roads::{Roads, Score};
use replay::{CoupVerdict, CoupView};
use texts::Texts;

use crate::cards::CardFace;
use crate::finding::FindingView;
use crate::frame::{Frame, sum};
use crate::links;
use crate::roads::{Board, boards};
use crate::source::ShoeFacts;

/// A coup in a line.
pub(crate) struct CoupLine {
    number: u32,
    href: String,
    colour: &'static str,
    verdict: String,
    punto: Vec<CardFace>,
    banca: Vec<CardFace>,
    /// Cards that went to neither hand.
    removed: Vec<CardFace>,
    totals: String,
    winner: &'static str,
    winner_word: String,
    /// `12:04:31`, for the line of time.
    time: String,
    codes: Vec<&'static str>,
    staked: String,
}

/// The class that colours a coup.
pub(crate) const fn coup_colour(verdict: CoupVerdict) -> &'static str {
    match verdict {
        CoupVerdict::Certified => "good",
        CoupVerdict::Violated => "bad",
        CoupVerdict::Judged | CoupVerdict::Undecided => "open",
    }
}

/// The cards of one hand.
pub(crate) fn hand(coup: &CoupView, to: &str, t: Texts) -> Vec<CardFace> {
    coup.cards.iter().filter(|card| card.to == to).map(|card| CardFace::of(card, t)).collect()
}

impl CoupLine {
    fn of(coup: &CoupView, t: Texts) -> Self {
        let (table, shoe) = (coup.table.as_str(), coup.shoe.as_deref());
        let staked = coup.bets.iter().filter(|bet| !bet.withdrawn).map(|bet| bet.stake).sum();
        Self {
            number: coup.coup,
            href: links::coup(table, shoe, coup.coup),
            colour: coup_colour(coup.verdict),
            verdict: t.coup_verdict(coup),
            punto: hand(coup, "punto", t),
            banca: hand(coup, "banca", t),
            removed: hand(coup, "removed", t),
            totals: coup.totals.map(|(punto, banca)| format!("{punto}-{banca}")).unwrap_or_default(),
            winner: coup.winner.map_or("", winner_class),
            winner_word: coup.winner.map(|winner| t.winner_word(winner)).unwrap_or_default(),
            time: coup.settled_at.get(11..19).unwrap_or_default().to_owned(),
            codes: coup.findings.iter().map(|finding| finding.code.as_str()).collect(),
            staked: sum(t, staked, coup.currency.as_ref()),
        }
    }
}

const fn winner_class(winner: baccarat::Winner) -> &'static str {
    match winner {
        baccarat::Winner::Punto => "punto",
        baccarat::Winner::Banca => "banca",
        baccarat::Winner::Tie => "tie",
    }
}

/// A card of the shoe in its order.
pub(crate) struct Dealt {
    position: u16,
    face: Option<CardFace>,
    /// `punto`, `banca`, `removed`, or `unknown` where no coup shows the card.
    to: &'static str,
    coup: Option<u32>,
}

/// Positions drawn at most: a shoe of twelve decks.
const POSITIONS: u16 = 624;

/// The cards of the shoe by position, with those that no coup shows between them.
fn sequence(coups: &[CoupView], t: Texts) -> Vec<Dealt> {
    let mut dealt: Vec<Dealt> = Vec::new();
    let shown = coups.iter().flat_map(|coup| coup.cards.iter().map(move |card| (coup.coup, card)));
    let mut shown: Vec<_> = shown.filter(|(_, card)| card.position < POSITIONS).collect();
    shown.sort_by_key(|(_, card)| card.position);
    let mut next = 0;
    for (coup, card) in shown {
        dealt.extend((next..card.position).map(|position| Dealt {
            position,
            face: None,
            to: "unknown",
            coup: None,
        }));
        next = next.max(card.position.saturating_add(1));
        let to = match card.to.as_str() {
            "punto" => "punto",
            "banca" => "banca",
            _ => "removed",
        };
        dealt.push(Dealt {
            position: card.position,
            face: Some(CardFace::of(card, t)),
            to,
            coup: Some(coup),
        });
    }
    dealt
}

#[derive(Template)]
#[template(path = "shoe.html")]
pub(crate) struct Shoe {
    pub(crate) frame: Frame,
    pub(crate) is_sealed: bool,
    pub(crate) coups: Vec<CoupLine>,
    pub(crate) sequence: Vec<Dealt>,
    pub(crate) boards: Vec<Board>,
    pub(crate) left_out: Option<String>,
    pub(crate) findings: Vec<FindingView>,
    pub(crate) boxes: Vec<[String; 4]>,
}

impl Shoe {
    pub(crate) fn of(frame: Frame, facts: &ShoeFacts) -> Self {
        let t = frame.t;
        let scores: Vec<Score> = facts.coups.iter().filter_map(CoupView::score).collect();
        let without: Vec<String> = facts
            .coups
            .iter()
            .filter(|coup| coup.score().is_none())
            .map(|coup| coup.coup.to_string())
            .collect();
        let boxes = facts.boxes.iter().map(|one| {
            let in_currency = |minor_units| sum(t, minor_units, one.currency.as_ref());
            let sums = [one.marked, one.collected, one.outstanding].map(in_currency);
            let [marked, collected, outstanding] = sums;
            [one.seat.to_string(), marked, collected, outstanding]
        });
        Self {
            is_sealed: facts.is_sealed,
            coups: facts.coups.iter().map(|coup| CoupLine::of(coup, t)).collect(),
            sequence: sequence(&facts.coups, t),
            boards: boards(&Roads::of(&scores), t),
            left_out: (!without.is_empty()).then(|| t.left_out_of_board(without.join(", "))),
            findings: FindingView::tree(&facts.findings, &facts.rulebooks, t),
            boxes: boxes.collect(),
            frame,
        }
    }
}
