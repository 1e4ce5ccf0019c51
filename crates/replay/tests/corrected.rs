//! Every decision of two histories is corrected after every later event: whatever the correction says, nothing is
//! certified by it once the moment of the decision is past.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use events::Event;
use replay::{Judge, Judgement};

use crate::call_sheet;
use crate::decisions::{changed, check_late, decisions, is_late, with_correction};

const HISTORIES: &str = "
== punto y banca
open punto-banco seats=1,2,3
sit 1 player=ana
sit 2 player=bea
shoe decks=8
burn 2H 2
bet 1 seat 1 punto 1000 player=ana
bet 2 seat 2 banca 2000 player=bea
closed
cards P:9D B:2C P:KD B:5S
settle punto 9-7 1=2000 2=0
bet 3 seat 1 punto 1000 player=ana
closed
cards P:2H B:9C P:KH B:KS
settle banca 2-9 3=0
== chemin de fer
chemin
bid 1 20000
take 1 20000 player=p1
call banco 2 player=p2
bet 1 seat 2 punto 20000 player=p2
closed
holder seat 2
cards P:2D B:3C P:4D B:KS
says punto no
says banca carta
cards B:4H
bank won=20000 c=1000 bank=39000
settle banca 6-7 1=0
pass 1 39000 voluntary player=p1
take 2 39000 player=p2
bet 2 seat 3 punto 39000 player=p3
closed
holder seat 3
cards P:2C B:9S P:KC B:KH
bank won=39000 c=1950 bank=76050
settle banca 2-9 2=0
";

fn judge(events: &[Event]) -> Judgement {
    judge_with(None, events)
}

fn judge_with(wanted: Option<replay::Wanted>, events: &[Event]) -> Judgement {
    let mut judge = Judge::new(None, wanted);
    judge.judge_events((1..).zip(events).map(|(sequence, event)| ("T", sequence, event))).unwrap();
    judge.finish()
}

#[test]
fn no_decision_is_certified_by_a_correction_after_its_moment() {
    let (mut late, mut accused, mut in_time) = (BTreeMap::<String, u32>::new(), 0, 0);
    let decisions = decisions();
    for scenario in call_sheet::scenarios(HISTORIES) {
        let events: Vec<Event> = scenario.events().into_iter().map(|(_, event)| event).collect();
        let honest = judge(&events);
        assert!(honest.findings.is_empty(), "{}: {:?}", scenario.title, honest.findings);
        for (at, event) in events.iter().enumerate() {
            let Some((fields, moment)) = decisions.get(event.body.name()) else { continue };
            for (body, field) in fields
                .iter()
                .flat_map(|field| changed(event, field).into_iter().map(move |body| (body, field)))
            {
                for until in at..events.len() {
                    let events = with_correction(&events, at, until, &body);
                    let judged = judge(&events);
                    let said = format!("{} {field} {body:?} after event {}", event.body.name(), until + 1);
                    let codes: Vec<&str> = judged.findings.iter().map(|found| found.code.as_str()).collect();
                    if is_late(&events, at, until, moment) {
                        *late.entry(event.body.name().to_owned()).or_default() += 1;
                        accused += usize::from(check_late(&said, &event.body, &honest, &judged));
                    } else if moment != "coup begun" {
                        in_time += 1;
                        assert!(
                            !codes.iter().any(|code| code.contains("corrected-late")),
                            "{said}: {codes:?}"
                        );
                    }
                }
            }
        }
    }
    let kinds: Vec<&str> = late.keys().map(String::as_str).collect();
    assert_eq!(
        kinds,
        [
            "BancoCalled",
            "BankBid",
            "BankPassed",
            "BankTaken",
            "BetPlaced",
            "DrawDecided",
            "PuntoHolder",
            "ShoeLoaded"
        ]
    );
    assert!(accused > 200 && in_time > 100, "{accused} accused, {in_time} in time");
}

/// What two signatures moved by a correction of what was observed. The line `moved` says for each coup who signed, and at
/// each seat the sums due (by the first version, and as corrected) and recorded (the same); `total` what they moved in the
/// record: the sum, the coups, those of which it is not known, collections of commission, corrections out of reach.
const OBSERVED: &str = "
== banca won 7-6; a face is corrected, and the settlement with it: punto had a 9
punto-banco
bet 1 seat 1 punto 1000
bet 2 seat 2 banca 1000
closed
cards P:KD B:3C P:6D B:4S
settle banca 6-7 1=0 2=2000c50
correct back=3 card P:9D at=6 coup=1
correct back=2 settle punto 9-7 1=2000 2=0 coup=1
moved coup=1 inspector,manager seat=1 due=0..2000 recorded=0..2000 seat=2 due=1950..0 recorded=1950..0
total inspector,manager 3950 coups=1 unknown=0 collections=0 beyond=0

== only the settlement is corrected: what was overpaid is so no more
punto-banco
bet 1 seat 1 punto 1000
closed
cards P:6D B:3C P:KD B:4S
settle banca 6-7 1=500
correct back=1 settle banca 6-7 1=0 coup=1
moved coup=1 inspector,manager seat=1 due=0..0 recorded=500..0
total inspector,manager 500 coups=1 unknown=0 collections=0 beyond=0

== the shoe has ended and the table closed: one correction of one coup is counted once, in its currency
punto-banco
bet 1 seat 1 punto 1000
closed
cards P:6D B:3C P:KD B:4S
settle banca 6-7 1=0
end 409
close
correct back=3 settle banca 6-7 1=500 coup=1
moved coup=1 inspector,manager seat=1 due=0..0 recorded=0..500
total inspector,manager 500 coups=1 unknown=0 collections=0 beyond=0

== commission is corrected into the account of a tie, and the bank holds what it held: the house is said to have it
chemin
take 1 20000
bet 1 seat 2 punto 20000
closed
cards P:9D B:9C P:KD B:KS
bank bank=20000
settle tie 9-9 1=20000
correct back=2 bank c=1000 bank=20000 coup=1
moved coup=1 inspector,manager seat=0 due=0..0 recorded=0..1000
total inspector,manager 1000 coups=1 unknown=0 collections=0 beyond=0

== the bank of an account is corrected: that is what moved
chemin
take 1 20000
bet 1 seat 2 punto 20000
closed
cards P:9D B:9C P:KD B:KS
bank bank=20000
settle tie 9-9 1=20000
correct back=2 bank bank=21000 coup=1
moved coup=1 inspector,manager seat=1 due=0..0 recorded=0..1000
total inspector,manager 1000 coups=1 unknown=0 collections=0 beyond=0

== a second correction takes the first one back: nothing moved
punto-banco
bet 1 seat 1 punto 1000
closed
cards P:6D B:3C P:KD B:4S
settle banca 6-7 1=0
correct back=1 settle banca 6-7 1=5000 coup=1
correct back=2 settle banca 6-7 1=0 coup=1 by=zoe,yan

== a suit is corrected, which no bet asks for: nothing moved
punto-banco
bet 1 seat 1 punto 1000
closed
cards P:6D B:3C P:KD B:4S
settle banca 6-7 1=0
correct back=5 card P:6H at=4 coup=1

== a chain of corrections: all who signed one of them are named, each once whatever the spelling
punto-banco
bet 1 seat 1 punto 1000
closed
cards P:6D B:3C P:KD B:4S
settle banca 6-7 1=0
correct back=1 settle banca 6-7 1=5000 coup=1
correct back=1 settle banca 6-7 1=700 coup=1 by=Ann,bob
correct back=3 settle banca 6-7 1=300 coup=1 by=ANN,bob
moved coup=1 ANN,bob,inspector,manager seat=1 due=0..0 recorded=0..300
total ANN,bob,inspector,manager 300 coups=1 unknown=0 collections=0 beyond=0

== two coups by the same people are one sum
punto-banco
bet 1 seat 1 punto 1000
closed
cards P:6D B:3C P:KD B:4S
settle banca 6-7 1=0
correct back=1 settle banca 6-7 1=200 coup=1
bet 2 seat 1 punto 1000
closed
cards P:6D B:3C P:KD B:4S
settle banca 6-7 2=0
correct back=1 settle banca 6-7 2=300 coup=2
moved coup=1 inspector,manager seat=1 due=0..0 recorded=0..200
moved coup=2 inspector,manager seat=1 due=0..0 recorded=0..300
total inspector,manager 500 coups=2 unknown=0 collections=0 beyond=0

== by the first version punto drew wrongly: due is what the rules would have brought
punto-banco
bet 1 seat 1 punto 1000
closed
cards P:6D B:3C P:KD B:4S P:4D
settle banca 0-7 1=0
correct back=6 card P:5D at=4 coup=1
moved coup=1 inspector,manager seat=1 due=0..2000 recorded=0..0
total inspector,manager 2000 coups=1 unknown=0 collections=0 beyond=0

== the coup was never settled: it is not known what a face moved
punto-banco
bet 1 seat 1 punto 1000
closed
cards P:KD B:3C P:6D B:4S
correct back=2 card P:9D at=6 coup=1
moved coup=1 inspector,manager seat=1 due=none..none recorded=none..none
total inspector,manager 0 coups=1 unknown=1 collections=0 beyond=0

== an event of an earlier shoe: it is not known what its correction moved
punto-banco
bet 1 seat 1 punto 1000
closed
cards P:6D B:3C P:KD B:4S
settle banca 6-7 1=0
end 407
shoe decks=8
correct back=3 settle banca 6-7 1=5000 coup=1
total inspector,manager 0 coups=0 unknown=0 collections=0 beyond=1

== the bank's account is corrected: the commission was another
chemin
take 1 20000
bet 1 seat 2 punto 20000
closed
holder seat 2
cards P:2D B:9C P:KD B:KS
bank won=20000 c=1000 bank=39000
settle banca 2-9 1=0
correct back=2 bank won=20000 c=500 bank=39500 coup=1
moved coup=1 inspector,manager seat=1 due=19000..19000 recorded=19000..19500
total inspector,manager 500 coups=1 unknown=0 collections=0 beyond=0

== commission collected is corrected: it belongs to no coup
punto-banco
bet 1 seat 1 banca 1000
closed
cards P:6D B:3C P:KD B:4S
settle banca 6-7 1=2000c50
end 407
collect seat 1 50
correct back=1 collect seat 1 20
total inspector,manager 30 coups=0 unknown=0 collections=1 beyond=0

== a bet that is corrected before the cards is no observation
punto-banco
bet 1 seat 1 punto 1000
correct back=1 bet 1 seat 1 punto 2000
closed
cards P:6D B:3C P:KD B:4S
settle banca 6-7 1=0
";

/// What the lines `moved` and `total` say.
fn told_of(judged: &Judgement) -> Vec<String> {
    let sum = |sum: Option<i64>| sum.map_or_else(|| "none".to_owned(), |sum| sum.to_string());
    let range = |range: Option<replay::SumRange>| match range {
        None => "none".to_owned(),
        Some(range) => {
            range.known().map_or_else(|| format!("{}-{}", range.least, range.most), |sum| sum.to_string())
        }
    };
    let mut told = Vec::new();
    for view in &judged.coup_views {
        let Some(corrected) = &view.corrected else { continue };
        let seats = corrected.seats.iter().map(|seat| {
            let due = format!("due={}..{}", range(seat.due_first), range(seat.due));
            format!(" seat={} {due} recorded={}..{}", seat.seat, sum(seat.recorded_first), sum(seat.recorded))
        });
        let seats: String = seats.collect();
        told.push(format!("moved coup={} {}{seats}", view.coup, corrected.signers.join(",")));
    }
    told.extend(judged.summary.corrected.iter().map(|row| {
        format!(
            "total {} {} coups={} unknown={} collections={} beyond={}",
            row.signers.join(","),
            row.moved,
            row.coups,
            row.not_known,
            row.collections,
            row.out_of_reach
        )
    }));
    told
}

#[test]
fn what_two_signatures_moved_is_a_number_by_signer() {
    let is_told = |line: &&str| line.starts_with("moved ") || line.starts_with("total ");
    for text in OBSERVED.split("\n== ").skip(1) {
        let sheet: Vec<&str> = text.lines().filter(|line| !is_told(line)).collect();
        let sheet = format!("== {}", sheet.join("\n"));
        let opened = "open punto-banco seats=1,2,3\nshoe decks=8\nburn 2H 2";
        let sheet = sheet.replace("\npunto-banco\n", &format!("\n{opened}\n"));
        let scenario = &call_sheet::scenarios(&sheet)[0];
        let events: Vec<Event> = scenario.events().into_iter().map(|(_, event)| event).collect();
        let judged = judge_with(Some(replay::Wanted::default()), &events);
        let expected: Vec<&str> = text.lines().filter(is_told).collect();
        assert_eq!(told_of(&judged), expected, "{}", scenario.title);
        let without_views = judge(&events).summary.corrected;
        assert_eq!(
            without_views, judged.summary.corrected,
            "{}: asking for views changes nothing",
            scenario.title
        );
    }
}
