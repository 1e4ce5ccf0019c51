//! One shoe: its cards in order, its five scoreboards, and its coups as a line of time.

use askama::Template;
use baccarat::Face;
use baccarat::roads::{Roads, Score};
use replay::{CardView, CoupVerdict, CoupView, ShoeMarks};
use texts::Texts;

use crate::cards::CardFace;
use crate::finding::{FindingView, left_out};
use crate::frame::{Frame, more, sum};
use crate::links;
use crate::roads::{Board, boards};
use crate::source::ShoeFacts;

/// Coups on a page; a shoe of eight decks has about eighty.
const COUPS: usize = 200;
/// Coups that are named because they are not on the scoreboards.
const WITHOUT: usize = 50;

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
    /// `punto`, `banca`, `removed`, `burned`, or `unknown` where the record does not show the card.
    to: &'static str,
    coup: Option<u32>,
    /// Whether the cut card lay before it.
    is_behind_cut: bool,
}

/// Positions drawn at most: a shoe of twelve decks.
const POSITIONS: u16 = 624;

/// The cards of the shoe by position, from 1 on, with those that the record does not show between them.
fn sequence(coups: &[CoupView], marks: Option<&ShoeMarks>, t: Texts) -> Vec<Dealt> {
    let burned = marks.map(|marks| marks.burned.as_slice()).unwrap_or_default();
    let cut_before = marks.and_then(|marks| marks.cut_before);
    // The burn comes before every coup.
    let mut dealt: Vec<Dealt> = (1..=POSITIONS)
        .zip(burned)
        .map(|(position, face)| Dealt {
            position,
            face: face.card().map(|_| CardFace::of(&burned_card(position, *face), t)),
            to: "burned",
            coup: None,
            is_behind_cut: false,
        })
        .collect();
    let shown = coups.iter().flat_map(|coup| coup.cards.iter().map(move |card| (coup.coup, card)));
    let mut shown: Vec<_> = shown.filter(|(_, card)| card.position <= POSITIONS).collect();
    shown.sort_by_key(|(_, card)| card.position);
    // Cards at one position again and again are in their coups.
    shown.truncate(usize::from(POSITIONS));
    let mut next = dealt.last().map_or(1, |last| last.position + 1);
    for (coup, card) in shown {
        let unknown =
            |position| Dealt { position, face: None, to: "unknown", coup: None, is_behind_cut: false };
        dealt.extend((next..card.position).map(unknown));
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
            is_behind_cut: false,
        });
    }
    if let Some(first) = dealt.iter_mut().find(|card| Some(card.position) == cut_before) {
        first.is_behind_cut = true;
    }
    dealt
}

fn burned_card(position: u16, face: Face) -> CardView {
    CardView { position, card: face.to_string(), to: "burned".to_owned() }
}

/// What the record says of the shoe beside its coups, in words.
fn notes(marks: &ShoeMarks, t: Texts) -> Vec<String> {
    let cards = marks.cards.map(|cards| t.shoe_holds(t.grouped(cards.into())));
    let burned = match marks.burned.len() as u64 {
        0 => t.burn_not_shown(),
        burned => t.cards_burned(burned),
    };
    let cut = match marks.cut_before {
        Some(position) => t.cut_card_before(position),
        None => t.cut_card_not_out(),
    };
    cards.into_iter().chain([burned, cut]).collect()
}

#[derive(Template)]
#[template(path = "shoe.html")]
pub(crate) struct Shoe {
    pub(crate) frame: Frame,
    pub(crate) is_sealed: bool,
    pub(crate) coups: Vec<CoupLine>,
    pub(crate) sequence: Vec<Dealt>,
    /// Its cards, its burn and its cut card, a sentence each.
    pub(crate) notes: Vec<String>,
    pub(crate) boards: Vec<Board>,
    pub(crate) left_out: Option<String>,
    pub(crate) findings: Vec<FindingView>,
    pub(crate) more_findings: Option<String>,
    pub(crate) all_findings: String,
    /// Addresses of the coups before and after these, where a shoe has more than a page lists.
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    /// That there are more coups than a shoe lists.
    pub(crate) first_only: Option<String>,
    pub(crate) boxes: Vec<[String; 4]>,
}

impl Shoe {
    /// The page with the coups from this one on, counted from 0.
    pub(crate) fn of(frame: Frame, facts: &ShoeFacts, table: &str, shoe: Option<&str>, from: usize) -> Self {
        let t = frame.t;
        let scores: Vec<Score> = facts.coups.iter().filter_map(CoupView::score).collect();
        let without: Vec<String> = facts
            .coups
            .iter()
            .filter(|coup| coup.score().is_none())
            .map(|coup| coup.coup.to_string())
            .collect();
        let from = if from < facts.coups.len() { from } else { 0 };
        let left_out_here =
            more(without.len(), WITHOUT, t).map(|more| format!(" ({more})")).unwrap_or_default();
        let without: Vec<String> = without.into_iter().take(WITHOUT).collect();
        let boxes = facts.boxes.iter().map(|one| {
            let in_currency = |minor_units| sum(t, minor_units, one.currency.as_ref());
            let sums = [one.marked, one.collected, one.outstanding].map(in_currency);
            let [marked, collected, outstanding] = sums;
            [one.seat.to_string(), marked, collected, outstanding]
        });
        Self {
            is_sealed: facts.is_sealed,
            coups: facts.coups.iter().skip(from).take(COUPS).map(|coup| CoupLine::of(coup, t)).collect(),
            before: (from > 0).then(|| links::shoe_from(table, shoe, from.saturating_sub(COUPS))),
            after: (facts.coups.len() > from + COUPS).then(|| links::shoe_from(table, shoe, from + COUPS)),
            first_only: facts.is_cut.then(|| t.page_first_coups(t.grouped(facts.coups.len() as u64))),
            sequence: sequence(&facts.coups, facts.marks.as_ref(), t),
            notes: facts.marks.as_ref().map(|marks| notes(marks, t)).unwrap_or_default(),
            boards: boards(&Roads::of(&scores), t),
            left_out: (!without.is_empty()).then(|| t.left_out_of_board(without.join(", ") + &left_out_here)),
            findings: FindingView::of_place(&facts.findings, &facts.rulebooks, t),
            more_findings: left_out(&facts.findings, t),
            all_findings: links::page("findings", [("table", table)]),
            boxes: boxes.collect(),
            frame,
        }
    }
}
