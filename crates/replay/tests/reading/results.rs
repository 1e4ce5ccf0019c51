//! What a judgement shows, made from what was read and checked, compared with the judge in use.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use replay::checks::{self, CoupChecked, InForce, Open};
use replay::reading::{TableFacts, read};
use replay::results::{self, Evidence, Together};
use replay::{CoupPlace, CoupVerdict, CoupView, Finding, Judge, Judgement, Summary, TableState};
use serde_json::{Value, json};

use super::compared::{fed, judge_of, judged};
use super::found::{Seen, Tables, checked, of_judge};
use super::records::{Record, all_at_the_bank, all_fixtures, all_sheets};

/// Log index of each event, one entry for each.
pub fn entry(record: &Record, sequence: u64) -> u64 {
    let at = record.events.binary_search_by_key(&sequence, |(sequence, _)| *sequence);
    at.unwrap_or(usize::MAX) as u64
}

/// Calls `with` with what the results of a record are made from.
pub fn with_evidence<T>(record: &Record, with: impl FnOnce(&Evidence<'_, '_>) -> T) -> T {
    let (range, reading, tables) = (record.range(), record.read(), Tables::of(&record.books));
    let checked = checked(record, &reading);
    let received = |sequence: u64| record.received.get(&sequence).copied().unwrap_or_default();
    let evidence = Evidence {
        table: &record.table,
        before: &InForce::default(),
        range: &range,
        ends: true,
        reading: &reading,
        checked: &checked,
        books: &tables,
        entry: &|sequence| entry(record, sequence),
        received: &received,
        first: None,
    };
    let Some(range) = results::as_first_recorded(&evidence) else { return with(&evidence) };
    let reading = read(&TableFacts::default(), &range, &record.books);
    let checked = checks::table(&reading, &range, &tables, &received);
    let first = Evidence { range: &range, reading: &reading, checked: &checked, ..evidence };
    with(&Evidence { first: Some(&first), ..evidence })
}

pub fn all() -> impl Iterator<Item = Record> {
    all_fixtures().chain(all_sheets()).chain(all_at_the_bank())
}

#[derive(Default)]
struct Compared {
    same: usize,
    differ: Vec<(String, String)>,
}

impl Compared {
    fn add(&mut self, record: &Record, what: &str, judge: &Value, result: &Value) {
        if judge == result {
            self.same += 1;
            return;
        }
        let both =
            format!("{} {} {what}\n    judge  {judge}\n    result {result}", record.name, record.table);
        self.differ.push((record.name.clone(), both));
    }

    /// What is wrong, unless all that differ are listed, each that is listed differs, and so many are the same.
    fn problems(self, known: &[(&str, &str)], least: usize) -> Vec<String> {
        eprintln!("{} are the same, {} differ", self.same, self.differ.len());
        let names: BTreeSet<&str> = self.differ.iter().map(|(name, _)| name.as_str()).collect();
        let gone = known.iter().filter(|(known, _)| !names.contains(known));
        let mut problems: Vec<String> =
            gone.map(|(name, _)| format!("{name} does not differ any more")).collect();
        let is_known = |name: &str| known.iter().any(|(known, _)| *known == name);
        if self.same < least {
            problems.push(format!("{} are the same", self.same));
        }
        problems.extend(self.differ.into_iter().filter(|(name, _)| !is_known(name)).map(|(_, both)| both));
        problems
    }
}

/// The findings of both that say the same of the same event.
fn pairs(judge: &[Finding], results: &[Finding]) -> Vec<(Finding, Finding)> {
    let mut left: Vec<(Seen, &Finding)> = results.iter().map(|found| (of_judge(found), found)).collect();
    let mut pairs = Vec::new();
    for found in judge {
        let seen = of_judge(found);
        if let Some(at) = left.iter().position(|(other, _)| *other == seen) {
            pairs.push((found.clone(), left.remove(at).1.clone()));
        }
    }
    pairs
}

/// Records in which a finding is shown otherwise, each with the reason.
const FINDINGS: &[(&str, &str)] = &[
    ("deck-reused: the decks of the shoe before, their serials written otherwise", OF_SHOE),
    ("name-unseen: of a signer, once; of a deck; of a player", OF_SHOE),
    ("shoe-id-reused: the same shoe, written otherwise", OF_SHOE),
    (
        "shoe-not-ended: kept overnight, and opened under another rulebook",
        "the clause is one of the rulebook by which the shoe was played",
    ),
    (
        "bank-not-settled: the table closes and the banker has the bank",
        "the clause is one of the rulebook under which the table closes",
    ),
];

#[test]
fn findings_are_shown_as_the_judge_in_use_shows_them() {
    let mut compared = Compared::default();
    for record in all() {
        let (judge, results) =
            (judged(&record).findings, with_evidence(&record, |of| Together::whole(of).findings()));
        for (judge, result) in pairs(&judge, &results) {
            compared.add(&record, "finding", &json!(judge), &json!(result));
        }
    }
    let problems = compared.problems(FINDINGS, 900);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Whether both find the same in a record, and the checked coups have the same verdicts and accounts of bets.
fn come_to_the_same(judge: &Judgement, of: &Evidence<'_, '_>) -> bool {
    let found = Together::whole(of).findings();
    let findings = judge.findings.len() == found.len() && pairs(&judge.findings, &found).len() == found.len();
    findings && of.checked.coups.keys().all(|place| alike(judge, of, *place).is_some())
}

/// Whether the checks have the money of every coup of which the judge in use has any.
fn have_all_money(judge: &Judgement, of: &Evidence<'_, '_>) -> bool {
    let of_coup = |place| alike(judge, of, place).is_none_or(|view| has_money(view, of, place));
    of.checked.coups.keys().all(|place| of_coup(*place))
}

fn has_money(view: &CoupView, of: &Evidence<'_, '_>, place: (usize, usize)) -> bool {
    let is_known = of.checked.coups.get(&place).is_some_and(|checked| !checked.bets.is_empty());
    is_known || view.account.bets.iter().all(|bet| bet.recorded.is_none() && bet.as_dealt.is_none())
}

/// The view that the judge in use makes of a checked coup, by its place, if both come to the same.
fn alike<'j>(
    judge: &'j Judgement,
    of: &Evidence<'_, '_>,
    (shoe, at): (usize, usize),
) -> Option<&'j CoupView> {
    let checked: &CoupChecked = of.checked.coups.get(&(shoe, at))?;
    let shoe = &of.reading.shoes[shoe];
    let id = shoe.loading.map(|loading| loading.value.shoe.to_string());
    let same = |view: &&CoupView| view.shoe == id && view.coup == shoe.coups[at].number;
    let mut views = judge.coup_views.iter().filter(same);
    let (view, None) = (views.next()?, views.next()) else { return None };
    let open = checked.checked.open.filter(|_| checked.verdict() == CoupVerdict::Undecided).map(Open::reason);
    let shown = (view.verdict, view.undecided.filter(|_| view.verdict == CoupVerdict::Undecided));
    let accounts = checked.bets.is_empty() || view.account.bets == checked.bets;
    (shown == (checked.verdict(), open) && accounts).then_some(view)
}

/// Records whose counts differ though both find the same, each with the reason.
const COUNTS: &[(&str, &str)] = &[
    (
        "corrected-after-closing: a bet says another stake once the table has closed: what was decided counts",
        CLOSED,
    ),
    ("name-look-alike: a Latin and a Cyrillic name sign for one another", FIRST),
    ("name-look-alike: the id of a shoe looks like one that was used", FIRST),
    ("name-look-alike: the bank under two names", FIRST),
];

const FIRST: &str = "the shoe is undecided for both; of its reasons the checks do not keep which came first";

/// Records in which the boxes come to something else though both find the same, each with the reason.
const BOXES: &[(&str, &str)] = &[];

/// Records in which a coup is shown otherwise though both come to the same, each with the reason.
const VIEWS: &[(&str, &str)] = &[
    ("coup-settled-early: what it pays too much is reported beside it", LATER),
    ("coup-not-settled.ndjson", LEFT),
    ("unsettled-ruling.ndjson", LEFT),
    ("coup-after-last: a coup without cards that was left before takes none of those that may follow", LEFT),
    ("coup-not-settled: the next coup begins", LEFT),
    ("coup-overlap: the coup before is never settled", LEFT),
    ("unknown-cards: the coup is left, and a card of it was not read", LEFT),
    ("void-overpaid: settled, void afterwards, and nothing comes back by the end of the shoe", LEFT),
    ("mended: a misread card: its face makes draw and total right", MISREAD),
    ("signed-by-player.ndjson", VIOLATED),
    ("signed-twice.ndjson", VIOLATED),
    ("bet-corrected-late: it is changed to the winner after the settlement", VIOLATED),
    ("same-signer: of a void coup, a ruling and a correction", VIOLATED),
    ("signer-plays: and for a correction", VIOLATED),
    ("corrected-late: a bank is made larger after banca won, and wins what it never covered", VIOLATED),
    ("card-before-bets-closed: before no va mas", EARLY),
    (
        "coup-overlap: a card of the next coup stands before the settlement: the deal was not to be offered on by then",
        EARLY,
    ),
    (
        "corrected-after-closing: a bet says another stake once the table has closed: what was decided counts",
        CLOSED,
    ),
    ("more-than-kept: the table opens again", "what there is more of than is kept is not counted yet"),
    (
        "shoe-position: positions that return to the count before",
        "cards are shown where the reading understands them to have lain",
    ),
    ("void-overpaid: a coup two coups back, overpaid and then declared void: what was kept is found", BEGAN),
    (
        "chemin-errors: a correction of the bank's account puts the bank right",
        "the bank does not go on from the wrong sum, and so that moved nothing",
    ),
    (
        "chemin-draws: two cards to the wrong hands",
        "a remark leaves open which cards banca had: it is not looked at by what it drew",
    ),
];

const MISREAD: &str = "the reading understands the card as misread and shows none";
const LEFT: &str =
    "a coup that is left is over where play goes on; the judge in use shows it with a later event";
const VIOLATED: &str =
    "a coup that is violated is not subject to a ruling, also if that shows once it is over";
const EARLY: &str = "a card that was recorded too early is of its coup, and does not begin it";
const CLOSED: &str = "the coup is subject to the correction, as it is if that came before the closing";
const BEGAN: &str = "a coup that is declared void late began with its first event, and not with the void";
const OF_SHOE: &str = "a name of a shoe that is loaded is of that shoe, and not of the one before";
const LATER: &str = "a coup is over with its settlement, though a card of it is recorded after that";

/// Both views, without findings that only one has, and without what else is open in a coup that is violated.
fn shown(mut judge: CoupView, mut result: CoupView) -> (Value, Value) {
    // The judge in use also shows what is found in other coups while this one is in play.
    judge.findings.retain(|finding| result.findings.contains(finding));
    judge.findings.sort_unstable();
    // What is found once a coup is over it does not show.
    result.findings.retain(|finding| judge.findings.contains(finding));
    if judge.verdict == CoupVerdict::Violated {
        (judge.undecided, result.undecided) = (None, None);
    }
    (json!(judge), json!(result))
}

/// Records in which the ledger differs though both come to the same, each with the reason.
const LEDGERS: &[(&str, &str)] = &[
    ("mended: a misread card: its face makes draw and total right", MISREAD),
    (
        "corrected-after-closing: a bet says another stake once the table has closed: what was decided counts",
        CLOSED,
    ),
    ("deck-reused: the decks of the shoe before, their serials written otherwise", OF_SHOE),
    ("name-unseen: of a signer, once; of a deck; of a player", OF_SHOE),
    ("shoe-id-reused: the same shoe, written otherwise", OF_SHOE),
];

/// Records in which coups or shoes have other places though both come to the same, each with the reason.
const PLACES: &[(&str, &str)] = &[
    ("card-before-bets-closed: before no va mas", EARLY),
    (
        "coup-overlap: a card of the next coup stands before the settlement: the deal was not to be offered on by then",
        EARLY,
    ),
    ("void-overpaid: a coup two coups back, overpaid and then declared void: what was kept is found", BEGAN),
    (
        "corrected-after-closing: a bet says another stake once the table has closed: what was decided counts",
        CLOSED,
    ),
];

/// What is compared of the records in which both come to the same.
#[derive(Default)]
struct Whole {
    counts: Compared,
    boxes: Compared,
    views: Compared,
    ledgers: Compared,
    places: Compared,
    others: usize,
}

impl Whole {
    fn add(&mut self, record: &Record) {
        let judge = judged(record);
        with_evidence(record, |of| {
            let shown = Together::whole(of);
            self.add_views(record, &judge, of, shown.coup_views());
            if !come_to_the_same(&judge, of) {
                self.others += 1;
                return;
            }
            let summary = shown.summary();
            self.counts.add(record, "summary", &json!(judge.summary), &json!(summary));
            self.boxes.add(record, "boxes", &json!(judge.commission), &json!(shown.commission()));
            self.add_places(record, of, (&summary, shown.listed()));
            if have_all_money(&judge, of) {
                static OF_ANY: LazyLock<Judge> = LazyLock::new(|| Judge::with_ledger(None));
                let judge = fed(judge_of(record, &OF_ANY, Judge::with_ledger), record).finish();
                self.ledgers.add(record, "ledger", &json!(judge.ledger), &json!(shown.ledger()));
            }
        });
    }

    fn add_views(&mut self, record: &Record, judge: &Judgement, of: &Evidence<'_, '_>, views: &[CoupView]) {
        for view in views {
            let shoe = of.reading.shoes.iter().rposition(|shoe| shoe.began <= view.sequences.0);
            let coups = shoe.map(|shoe| &of.reading.shoes[shoe].coups);
            let at = coups.and_then(|coups| coups.iter().position(|coup| coup.began == view.sequences.0));
            let Some(place) = shoe.zip(at) else { continue };
            if let Some(judged) = alike(judge, of, place).filter(|judged| has_money(judged, of, place)) {
                let (judged, result) = shown(judged.clone(), view.clone());
                self.views.add(record, "view", &judged, &result);
            }
        }
    }

    fn add_places(
        &mut self,
        record: &Record,
        of: &Evidence<'_, '_>,
        (summary, listed): (&Summary, &[CoupPlace]),
    ) {
        static OF_ANY: LazyLock<Judge> = LazyLock::new(|| Judge::listing(None));
        let listing = fed(judge_of(record, &OF_ANY, Judge::listing), record);
        let shoes = json!(listing.shoes(&record.table));
        let live = listing.table_state(&record.table).unwrap();
        let (judgement, _, states) = listing.finish_by_table();
        let coups = |places: &[CoupPlace]| {
            let place = |place: &CoupPlace| json!([place.shoe, place.coup, place.first]);
            Value::Array(places.iter().map(place).collect())
        };
        self.places.add(record, "coups", &coups(&judgement.coups), &coups(listed));
        if live.waiting == 0 {
            self.places.add(record, "shoes", &shoes, &json!(results::shoe_locations(of)));
            let state = TableState { shoe: live.shoe, coup: live.coup, ..states[&record.table].clone() };
            self.places.add(record, "state", &json!(state), &json!(results::state(of, summary, 0)));
        }
    }
}

#[test]
fn what_a_judgement_shows_is_what_the_judge_in_use_shows() {
    let mut whole = Whole::default();
    all().for_each(|record| whole.add(&record));
    let Whole { counts, boxes, views, ledgers, places, others } = whole;
    eprintln!("{others} records in which the two come to something else");
    let problems = [
        counts.problems(COUNTS, 1_000),
        boxes.problems(BOXES, 1_000),
        views.problems(VIEWS, 7_000),
        ledgers.problems(LEDGERS, 1_000),
        places.problems(PLACES, 3_000),
    ];
    assert!(problems.iter().all(Vec::is_empty), "{}", problems.concat().join("\n"));
}
