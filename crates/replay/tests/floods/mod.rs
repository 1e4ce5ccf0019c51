//! For every limit of what the judge keeps a record that fills it to the brim, and one that goes one beyond.

use std::fmt::Write;

use replay::{Cap, Code, CoupVerdict, Entry, Judge, Judgement, Reason, Style, Verdict, Wanted};

use crate::call_sheet;

const OPEN: &str = "== flood\nopen punto-banco seats=1,2,3\n";
const SHOE: &str = "shoe decks=8\nburn 2H 2\n";
/// A coup that is right, without bets.
const COUP: &str = "closed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7\n";
const CHEMIN: &str = "== flood\nchemin\nburn 2H 2\n";

/// A call sheet in which so many of something are recorded.
fn sheet(cap: Cap, count: usize) -> Option<String> {
    let mut text = OPEN.to_owned();
    match cap {
        Cap::RulingsOfCoup => write!(text, "{SHOE}many {count} irregularity nothing coup=1\n{COUP}"),
        Cap::RemovedCards | Cap::CardsOfCoup => {
            text.push_str(SHOE);
            text.push_str("closed\n");
            (0..count).for_each(|_| text.push_str("cards R:9D\n"));
            write!(text, "cards P:9D B:2C P:KD B:5S\nsettle punto 9-7\n")
        }
        Cap::CoupsOfShoe => {
            text.push_str(SHOE);
            (1..count).for_each(|_| text.push_str("settle punto 0-0\n"));
            write!(text, "{COUP}")
        }
        Cap::BetsOfShoe => {
            text.push_str(SHOE);
            // Coups before it hold as many as one alone.
            let last = count - count / 2;
            let bets = |text: &mut String, ids: std::ops::Range<usize>| {
                ids.for_each(|id| _ = writeln!(text, "bet {} seat 1 punto 1000", id + 1));
            };
            bets(&mut text, 0..count / 2);
            text.push_str("void\nsettle punto 0-0 coup=1\n");
            bets(&mut text, count / 2..count / 2 + last);
            // A line for the last of them, which may be one that is not kept, is no accusation.
            write!(text, "closed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7 coup=2 {count}=2000\n")
        }
        Cap::BetIds => {
            text.push_str(SHOE);
            // Every other id: each is a range of its own.
            (0..count).for_each(|id| _ = writeln!(text, "bet {} seat 1 punto 1000", 2 * id + 1));
            write!(text, "void\nsettle punto 0-0 coup=1\n")
        }
        Cap::ShoeIds => {
            (0..count).for_each(|_| text.push_str("shoe\n"));
            write!(text, "burn 2H 2\n{COUP}")
        }
        Cap::DeckSerials => {
            let serials = |shoe: usize| (0..16).map(move |deck| format!("{}", 16 * shoe + deck));
            let mut of = |serials: Vec<String>| _ = writeln!(text, "shoe serials={}", serials.join(","));
            (0..count / 16).for_each(|shoe| of(serials(shoe).collect()));
            let rest = count % 16;
            if rest > 0 {
                of(serials(count / 16).take(rest).collect());
            }
            write!(text, "burn 2H 2\n{COUP}")
        }
        Cap::Players => {
            text.push_str(SHOE);
            (0..count).for_each(|id| _ = writeln!(text, "bet {} seat 1 punto 1000 player=p{id}", id + 1));
            write!(text, "void\nsettle punto 0-0 coup=1\n")
        }
        Cap::Bids => {
            text = CHEMIN.to_owned();
            (0..count).for_each(|_| text.push_str("bid 1 1000\n"));
            write!(text, "take 1 1000 how=auction\nbet 1 seat 2 punto 1000\n{COUP}")
        }
        Cap::Calls => {
            text = format!("{CHEMIN}take 1 1000 how=auction\nbet 1 seat 2 punto 1000\n");
            (0..count).for_each(|_| text.push_str("call banco 2\n"));
            write!(text, "{COUP}")
        }
        Cap::Garajes => {
            text =
                format!("{CHEMIN}take 1 1000 how=auction\nbet 1 seat 2 punto 1000\nclosed\nholder seat 2\n");
            text.push_str("cards P:9D B:2C P:KD B:5S\nbank lost=1000 bank=0\n");
            (0..count).for_each(|_| text.push_str("garaje voluntary 1000\n"));
            writeln!(text, "settle punto 9-7 1=2000")
        }
        Cap::WaitingEvents => {
            write!(text, "{SHOE}closed\ncards P:9D B:2C P:KD B:5S\n").ok()?;
            (0..count).for_each(|id| _ = writeln!(text, "bet {} seat 1 punto 1000 coup=2", id + 1));
            // One more finds as many waiting as may.
            write!(text, "bet 999999 seat 1 punto 1000 coup=2\nsettle punto 9-7 coup=1\n")
        }
        Cap::PastCoups => {
            text.push_str(SHOE);
            text.push_str(COUP);
            text.push_str("end 407\nshoe decks=8\nburn 2H 2\n");
            (1..count).for_each(|_| text.push_str(COUP));
            text.push_str("shoe decks=8\nburn 2H 2\n");
            // The settlement of the very first coup, of which 9 events lie before the end of its shoe.
            let back = (count - 1) * 6 + 6;
            writeln!(text, "correct back={back} settle punto 9-7 coup=1")
        }
        Cap::BytesOfShoe => {
            text.push_str(SHOE);
            let name = "x".repeat(60);
            // Each is some eighty bytes.
            (0..count / 80).for_each(|_| _ = writeln!(text, "sit 1 player={name}"));
            write!(text, "{COUP}")
        }
        Cap::RulebookTexts => {
            text.clear();
            text.push_str("== flood\n");
            let open = |number: usize| format!("open punto-banco but=\"title\":\"->\"title\":\"{number}-\n");
            (1..count).for_each(|number| text.push_str(&format!("{}close\n", open(number))));
            write!(text, "{}{SHOE}{COUP}", open(count))
        }
        // Judges up to revision 39 had it.
        Cap::Rejudgings => return None,
    }
    .ok()?;
    Some(text)
}

fn judged(cap: Cap, count: usize) -> Option<Judgement> {
    let text = sheet(cap, count)?;
    Some(call_sheet::scenarios(&text)[0].run().judgement)
}

/// How often it is reported that more of this was recorded than is kept.
fn reported(judgement: &Judgement, cap: Cap) -> usize {
    let of = |found: &&replay::Finding| {
        found.code == Code::MoreThanKept
            && found.expected.to_string().contains(cap.words(replay::Language::English))
    };
    let found: Vec<_> = judgement.findings.iter().filter(of).collect();
    assert!(found.iter().all(|found| found.table == "T" && found.coup.is_none()));
    found.len()
}

/// The limits that the judge needs (`docs/judging.md`, "More than is kept"). Of the calls in one coup, and of what is set aside in
/// it, they forget nothing.
const NEEDED: &[Cap] = &[
    Cap::BetIds,
    Cap::ShoeIds,
    Cap::DeckSerials,
    Cap::RulebookTexts,
    Cap::Players,
    Cap::Bids,
    Cap::PastCoups,
    Cap::BytesOfShoe,
];

#[test]
fn what_is_forgotten_is_reported_and_leaves_open_what_it_concerns() {
    is_reported(NEEDED);
}

/// Whatever fills one of these limits to the brim is judged, and one more is reported.
fn is_reported(caps: &[Cap]) {
    for &cap in caps {
        let Some(most) = Some(cap.most()).filter(|_| sheet(cap, 1).is_some()) else { continue };
        let (brim, beyond) = if cap == Cap::BytesOfShoe {
            // Sizes, not counts: of a shoe's events, far below and far above.
            (most / 4, most * 2)
        } else if cap == Cap::WaitingEvents {
            // One waits for each that is recorded, so the limit itself is one too many.
            (most - 1, most)
        } else {
            (most, most + 1)
        };
        let full = judged(cap, brim).expect("a record");
        assert_eq!(reported(&full, cap), 0, "{}: {brim} are kept", cap.as_str());
        let flooded = judged(cap, beyond).expect("a record");
        assert_eq!(reported(&flooded, cap), 1, "{}: {beyond} are not", cap.as_str());
        assert_ne!(flooded.certified(), Verdict::Yes, "{}", cap.as_str());
        let of =
            |reasons: &std::collections::BTreeMap<Reason, u64>| reasons.get(&Reason::MoreThanKept).copied();
        let open = of(&flooded.summary.undecided).or(of(&flooded.summary.undecided_shoes));
        let violated = flooded.summary.coups.violated + flooded.summary.shoes.violated;
        // Where the flood itself breaks a rule, what is in play is violated already.
        assert!(open.is_some() || violated > 0, "{}", cap.as_str());
    }
}

/// What a call sheet comes to where its coups are shown.
fn shown(text: &str) -> Judgement {
    shown_by(text, |_| "")
}

/// The same where each entry has a producer.
fn shown_by(text: &str, producer_of: impl Fn(u64) -> &'static str) -> Judgement {
    let mut judge = Judge::new(None, Some(Wanted::default()));
    for (index, (first, event)) in (0..).zip(call_sheet::scenarios(text)[0].events()) {
        let payload = events::encode_payload(&[event]).expect("the event encodes");
        let (table, producer) = ("T", producer_of(index));
        judge.judge(&[Entry {
            index,
            table,
            first,
            count: 1,
            payload: &payload,
            producer,
            ..Entry::default()
        }]);
    }
    judge.finish()
}

/// The producer whose entry goes beyond a limit is named, also if the shoe is judged again for what another records later.
#[test]
fn who_records_more_than_is_kept_is_named() {
    for cap in [Cap::Bids, Cap::Players, Cap::BetIds] {
        let text = sheet(cap, cap.most() + 1).expect("a sheet");
        let more = |producer_of: &dyn Fn(u64) -> &'static str| {
            let judgement = shown_by(&text, producer_of);
            let found: Vec<_> =
                judgement.findings.into_iter().filter(|found| found.code == Code::MoreThanKept).collect();
            let [found] = &found[..] else { panic!("{found:?}") };
            let texts = [replay::Language::English, replay::Language::Spanish]
                .map(|language| found.recorded.text(Style { language, ..Style::default() }));
            (found.entry, texts)
        };
        let (beyond, of_nobody) = more(&|_| "");
        assert_eq!(of_nobody, ["more", "más"]);
        let named = more(&|entry| if entry == beyond { "pit-2" } else { "pit-1" });
        let texts = ["more, in an entry of producer pit-2", "más, en una entrada del productor pit-2"];
        assert_eq!(named, (beyond, texts.map(str::to_owned)), "{}", cap.as_str());
    }
    // A correction of an event that is forgotten is found apart from the play.
    let text = sheet(Cap::PastCoups, Cap::PastCoups.most() + 1).expect("a sheet");
    let judgement = shown_by(&text, |_| "pit-3");
    let found = judgement.findings.iter().find(|found| found.code == Code::MoreThanKept).expect("a finding");
    assert_eq!(found.recorded.to_string(), "more, in an entry of producer pit-3");
}

/// Both sides of the limit: a coup whose result is remembered, and one whose result is not.
const LONG_AGO: [(usize, Reason); 2] =
    [(Cap::PastCoups.most(), Reason::Corrected), (Cap::PastCoups.most() + 1, Reason::MoreThanKept)];

#[test]
fn a_coup_that_is_corrected_long_after_it_is_itself_undecided() {
    for (count, reason) in LONG_AGO {
        let judgement = shown(&sheet(Cap::PastCoups, count).expect("a sheet"));
        let open = judgement.coup_views.iter().filter(|view| view.undecided == Some(reason));
        let open: Vec<_> = open.map(|view| (view.shoe.as_deref(), view.coup, view.verdict)).collect();
        assert_eq!(open, [(judgement.coup_views[0].shoe.as_deref(), 1, CoupVerdict::Undecided)], "{count}");
        assert_eq!(judgement.summary.undecided.get(&reason), Some(&1), "{count}");
    }
}

#[test]
fn a_shoe_that_is_corrected_long_after_it_is_certified_no_longer() {
    // The last shoe that is over is counted with the next, in which the correction is recorded.
    for (count, reason) in LONG_AGO.map(|(count, reason)| (count + 1, reason)) {
        let shoe = "shoe decks=8\nburn 2H 2\n";
        let back = 3 * (count - 1) + 4;
        let past = format!("{shoe}end 413\n").repeat(count);
        let judgement = shown(&format!("{OPEN}{past}{shoe}correct back={back} burn 2H 2\n"));
        let shoes = judgement.summary.shoes;
        let reasons = &judgement.summary.undecided_shoes;
        assert_eq!((shoes.certified as usize, reasons.get(&reason)), (count - 1, Some(&1)), "{reasons:?}");
        assert_eq!(reported(&judgement, Cap::PastCoups), usize::from(reason == Reason::MoreThanKept));
    }
}

/// A settlement has a line for each bet, and no more than these: each is judged, and what is not paid to one of them is found.
#[test]
fn a_coup_with_as_many_bets_as_can_be_settled_is_judged() {
    const MOST: usize = 8_192;
    for (paid, found, verdict) in
        [(2_000, vec![], CoupVerdict::Certified), (1_000, vec![Code::PayoutUnder], CoupVerdict::Violated)]
    {
        let mut text = format!("{OPEN}{SHOE}");
        (1..MOST).for_each(|id| {
            _ = writeln!(text, "bet {id} seat {} banca 1000 player=p{}", 1 + id % 3, id % 4_000)
        });
        let lost: String = (1..MOST).map(|id| format!(" {id}=0")).collect();
        writeln!(text, "bet {MOST} seat 1 punto 1000 player=other").expect("text");
        writeln!(text, "closed\ncards P:9D B:2C P:KD B:5S\nsettle punto 9-7{lost} {MOST}={paid}")
            .expect("text");
        let judgement = shown(&text);
        let codes: Vec<Code> = judgement.findings.iter().map(|found| found.code).collect();
        assert!(codes == found, "{} findings, first {:?}", codes.len(), codes.first());
        let verdicts: Vec<CoupVerdict> = judgement.coup_views.iter().map(|view| view.verdict).collect();
        assert_eq!(verdicts, [verdict]);
    }
}
