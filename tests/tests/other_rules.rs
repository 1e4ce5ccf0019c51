//! What breaks one rulebook is play by the rules of another: the same events, carrying a rulebook
//! that allows what was done, are certified with nothing found.
#![allow(clippy::unwrap_used)]

use audit_tests::judges;
use baccarat::{BurnMethod, LastCoup, Rulebook};
use casino::{Fault, Plan, simulate};
use events::{Body, Line, RulebookDocument};
use replay::{Judgement, Verdict};

type Allow = fn(&mut Rulebook);

/// A fault, a rulebook it breaks, and what another house writes instead.
const ALLOWED: &[(Fault, &str, Allow)] = &[
    (Fault::ForbiddenPair, "mini-punto-banco", |book| book.forbidden_pairs.clear()),
    (Fault::CoupAfterLast, "mini-punto-banco", |book| book.cut_card.last_coup = LastCoup::OneMore),
    (Fault::CutTooDeep, "pa-baccarat", |book| book.cut_card.cards_behind = 7),
    (Fault::WrongDecks, "macau-baccarat", |book| book.shoe.decks = (1..=12).collect()),
    (Fault::BurnMissing, "es-1979", |book| book.burn.method = BurnMethod::None),
    (Fault::LimitsRatio, "es-1979", |book| book.limits.maximum_over_minimum.clear()),
    (Fault::BelowMinimum, "bacara", |book| book.bets.values_mut().for_each(|bet| bet.minimum_binds = false)),
    (Fault::OverCap, "punto-banco", |book| book.bets.values_mut().for_each(|bet| bet.cap = None)),
    (Fault::SideBetAlone, "ez-card-room", |book| {
        book.bets.values_mut().for_each(|bet| {
            bet.requires.clear();
            bet.cap_of_required = None;
        });
    }),
    (Fault::SideBetTooLarge, "ez-card-room", |book| {
        book.bets.values_mut().for_each(|bet| bet.cap_of_required = None);
    }),
];

fn judge(lines: impl Iterator<Item = Line>) -> Judgement {
    let mut judge = judges::new();
    let events = lines.map(|line| (line.table.to_string(), line.sequence, line.into_event()));
    judge.judge_events(events).unwrap();
    judge.finish()
}

/// The line, its table opened under another rulebook.
fn under(book: &Rulebook, mut line: Line) -> Line {
    if let Body::TableOpened(opened) = &mut line.event {
        opened.rulebook = RulebookDocument::from_canonical(&book.canonical_json()).unwrap();
    }
    line
}

#[test]
fn a_fault_that_is_legal_under_another_rulebook_is_legal_there() {
    for &(fault, id, allow) in ALLOWED {
        let book = baccarat::builtin(id).unwrap();
        let mut other = book.clone();
        allow(&mut other);
        other.id.push_str("-allowing");
        let other = Rulebook::from_json(id, &other.canonical_json()).unwrap();
        for seed in 1..6 {
            let plan = Plan { seed, fault: Some(fault), ..Plan::new(book.clone()) };
            let codes = |judgement: &Judgement| -> Vec<&str> {
                judgement.findings.iter().map(|finding| finding.code.as_str()).collect()
            };
            let here = judge(simulate(&plan).lines);
            assert_eq!(codes(&here), [fault.finding()], "{fault:?} under {id}, seed {seed}");
            let there = judge(simulate(&plan).lines.map(|line| under(&other, line)));
            assert!(there.findings.is_empty(), "{fault:?}, seed {seed}: {:#?}", there.findings);
            assert_eq!(there.certified(), Verdict::Yes, "{fault:?}, seed {seed}");
        }
    }
}
