//! A live dealer's table: one coup with five thousand bets, on one core, beside hashing the same
//! bytes only. `cargo bench -p audit-tests --bench settle`.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;
use std::sync::LazyLock;

use baccarat::{BetKind, Card, Coup, Hand, Money, Outcome, Paytable, Rulebook, Settlement};
use divan::Bencher;
use divan::counter::ItemsCount;
use events::{
    BetPlaced, BetSettled, BetsClosed, Body, BurnCards, CardDrawn, CoupSettled, Destination, Event, Limits,
    OccurredAt, RulebookDocument, ShoeLoaded, TableOpened, encode_payload,
};
use rayon::ThreadPool;
use replay::{Entry, Judge};

const BETS: u64 = 5_000;

fn main() {
    divan::main();
}

/// Payloads of the events up to the settlement, and the settlement.
struct Table {
    before: Vec<(u64, u32, Vec<u8>)>,
    settlement: (u64, u32, Vec<u8>),
    one_core: ThreadPool,
}

static TABLE: LazyLock<Table> = LazyLock::new(table);

fn face(text: &str) -> baccarat::Face {
    text.parse().unwrap()
}

/// Every bet the rulebook offers, in turn; a player for each two bets.
fn bet(book: &Rulebook, index: u64) -> BetPlaced {
    let kinds: Vec<&BetKind> = book.bets.keys().filter(|kind| kind.as_str() != "punto").collect();
    BetPlaced {
        coup: 1,
        bet: index + 1,
        seat: u8::try_from(index / 2 % 7).unwrap() + 1,
        player: Some(format!("player-{:05}", index / 2).parse().unwrap()),
        kind: kinds[usize::try_from(index).unwrap() % kinds.len()].clone(),
        stake: Money::new(1_000 + index % 50 * 20).unwrap(),
    }
}

/// Punto 4, banca 9 with two cards.
fn coup() -> Coup {
    let hand =
        |one: &str, other: &str| Hand::new([one, other].map(|card| card.parse::<Card>().unwrap()), None);
    Coup { punto: hand("2D", "2C"), banca: hand("4C", "5S") }
}

fn settled(book: &Rulebook, placed: &BetPlaced) -> BetSettled {
    let decision = book.bets[&placed.kind].decide(&coup()).unwrap();
    let Settlement { returned, commission } = book.settle(placed.stake, decision);
    BetSettled { bet: placed.bet, returned, commission }
}

fn table() -> Table {
    let book = baccarat::builtin("mini-punto-banco").unwrap();
    let money = |sum| Money::new(sum).unwrap();
    let placed: Vec<BetPlaced> = (0..BETS).map(|index| bet(&book, index)).collect();
    let mut bodies = vec![
        Body::TableOpened(Box::new(TableOpened {
            rulebook: RulebookDocument::from_json(&book.canonical_json()).unwrap(),
            limits: Limits { minimum: money(100), maximum: money(100_000), multiple: None, bets: Vec::new() },
            currency: "EUR".parse().unwrap(),
            minor_digits: 2,
            seats: (1..=7).collect(),
        })),
        Body::ShoeLoaded(Box::new(ShoeLoaded {
            shoe: "S".parse().unwrap(),
            decks: 6,
            cards: 312,
            cards_behind_cut: None,
            deck_serials: Vec::new(),
            back_colours: Vec::new(),
            order_commitment: None,
        })),
        Body::BurnCards(BurnCards { indicator: face("AH"), burned: 1, faces: Vec::new() }),
    ];
    bodies.extend(placed.iter().cloned().map(Body::BetPlaced));
    bodies.push(Body::BetsClosed(BetsClosed { coup: 1 }));
    let cards = [
        ("2D", Destination::Punto),
        ("4C", Destination::Banca),
        ("2C", Destination::Punto),
        ("5S", Destination::Banca),
    ];
    bodies.extend((3..).zip(cards).map(|(position, (card, to))| {
        Body::CardDrawn(CardDrawn { coup: 1, position, card: face(card), to })
    }));
    bodies.push(Body::CoupSettled(CoupSettled {
        coup: 1,
        winner: baccarat::Winner::Banca,
        punto_total: 4,
        banca_total: 9,
        bets: placed.iter().map(|placed| settled(&book, placed)).collect(),
    }));
    let at = OccurredAt::new(1_700_000_000_000_000, 60).unwrap();
    let events: Vec<Event> = bodies.into_iter().map(|body| Event { occurred_at: at, body }).collect();
    let (settlement, before) = events.split_last().unwrap();
    let mut first = 1;
    let mut entry = |chunk: &[Event]| {
        let entry = (first, u32::try_from(chunk.len()).unwrap(), encode_payload(chunk).unwrap());
        first += chunk.len() as u64;
        entry
    };
    let before: Vec<_> = before.chunks(1_000).map(&mut entry).collect();
    let settlement = entry(std::slice::from_ref(settlement));
    let one_core = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    Table { before, settlement, one_core }
}

fn judge(judge: &mut Judge, (first, count, payload): &(u64, u32, Vec<u8>)) {
    judge.judge(&[Entry {
        index: *first,
        table: "live",
        first: *first,
        count: *count,
        payload,
        ..Entry::default()
    }]);
}

fn betting() -> Judge {
    let mut judge_before = Judge::default();
    TABLE.before.iter().for_each(|entry| judge(&mut judge_before, entry));
    judge_before
}

#[divan::bench(sample_count = 50)]
fn baseline_hash_settlement_only(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(BETS)).bench(|| black_box(blake3::hash(&TABLE.settlement.2)));
}

#[divan::bench(sample_count = 50)]
fn look_up_and_pay(bencher: Bencher<'_, '_>) {
    let book = baccarat::builtin("mini-punto-banco").unwrap();
    let bets: Vec<(Paytable, Money)> = (0..BETS)
        .map(|index| bet(&book, index))
        .map(|placed| (Paytable::new(&book.bets[&placed.kind]), placed.stake))
        .collect();
    let outcome = Outcome::of(&coup());
    bencher.counter(ItemsCount::new(BETS)).bench(|| {
        for (paytable, stake) in &bets {
            black_box(book.settle(*stake, paytable.decide(&outcome).unwrap()));
        }
    });
}

/// Decoding the settlement of five thousand bets, deriving what every one had to bring, certifying.
#[divan::bench(sample_count = 50)]
fn settle_and_certify(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(BETS)).with_inputs(betting).bench_local_values(|mut ready| {
        TABLE.one_core.install(|| judge(&mut ready, &TABLE.settlement));
        ready
    });
    let mut checked = betting();
    judge(&mut checked, &TABLE.settlement);
    let judgement = checked.finish();
    assert!(judgement.unreadable.is_empty(), "{:?}", judgement.unreadable);
    assert_eq!((judgement.summary.coups.certified, judgement.findings), (1, Vec::new()));
}

/// The same with every bet's placing: decoding, limits, what excludes what.
#[divan::bench(sample_count = 50)]
fn place_settle_and_certify(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(BETS)).bench_local(|| {
        TABLE.one_core.install(|| {
            let mut ready = betting();
            judge(&mut ready, &TABLE.settlement);
            ready
        })
    });
}
