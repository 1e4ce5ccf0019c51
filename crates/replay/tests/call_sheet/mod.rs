//! Call sheets: scenarios written the way a table is called.
//!
//! ```text
//! == punto stands on five
//! open es-1979
//! shoe
//! burn 2H 2
//! bet 1 seat 1 punto 1000
//! closed
//! holder seat 1
//! cards P:2D B:3C P:3D B:4S
//! settle banca 5-7 1=0        !punto-stood
//! ```
//!
//! A line is an event (a `cards` line is one for each card). `!code` at the end of a line, or of a
//! card, is a finding expected at that event; nothing else may be found. `verdict` says what the
//! coups come to. `owed 3:-500 4:500` says what each seat got beyond what was due in all; `owed` alone, that none did. `not-known 5000` says for how
//! much of the stakes that is not known. `at-least 1 3` says of which seats what is owed is only the part that is certain. Coups, positions, sequences and times count themselves; `coup=`, `at=`,
//! `skip`, `back`, `again`, `repeat` (the event before, recorded once more), `withheld` (the next one is) and
//! `clock` say otherwise; `many N a | b` writes lines over and over. Two people sign a ruling unless
//! `by=` names one. `received service 60`: from here on a service takes events in a minute after they happened
//! (`file`: they are read from one). A rulebook that `but=` changes is named after its text unless `as=` names
//! it. `\u{200b}` is that character. Lines of chemin de fer: see `chemin.rs`.

mod chemin;

use std::collections::BTreeMap;

use baccarat::{Card, Face, Money};
use events::{
    BetLimit, BetPlaced, BetSettled, BetWithdrawn, BetsClosed, Body, BurnCards, CardDrawn, CardReplaced,
    CommissionCollected, CommissionReason, ComputedValue, CorrectionRecorded, CoupSettled, CoupVoided,
    CutCardDrawn, Destination, Event, Extension, Holder, Irregularity, Limits, OccurredAt, OrderReveal,
    PuntoHolder, RulebookDocument, Seat, ShoeEnded, ShoeLoaded, TableClosed, TableOpened, UnknownEvent,
    ValuesComputed,
};
use replay::{Entry, Judge, Judgement, Received};
use unicode_normalization::UnicodeNormalization as _;

/// One scenario.
pub struct Scenario {
    pub title: String,
    lines: Vec<String>,
}

/// All scenarios of a file.
pub fn scenarios(text: &str) -> Vec<Scenario> {
    let mut found: Vec<Scenario> = Vec::new();
    for line in text.lines() {
        let line = unescaped(line.split(" #").next().unwrap_or_default().trim());
        if let Some(title) = line.strip_prefix("== ") {
            found.push(Scenario { title: title.to_owned(), lines: Vec::new() });
        } else if !line.is_empty() && !line.starts_with('#') {
            found.last_mut().expect("a title before the first line").lines.push(line.to_owned());
        }
    }
    found
}

/// Writes `\u{200b}` as the character: nobody sees it in a sheet.
fn unescaped(line: &str) -> String {
    let mut parts = line.split("\\u{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('}').expect("the end of an escape");
        let code = u32::from_str_radix(code, 16).expect("a code point");
        text.push(char::from_u32(code).expect("a character"));
        text.push_str(rest);
    }
    text
}

/// A name as another system might write it: in capitals, decomposed, in full width, with a character that is never seen.
fn spelling(name: &str, turn: usize) -> String {
    let wide = |c: char| match c {
        '!'..='~' => char::from_u32(c as u32 + 0xfee0).expect("a wide character"),
        _ => c,
    };
    let after_first = |unseen: char| {
        let mut chars = name.chars();
        chars.next().into_iter().chain([unseen]).chain(chars.clone()).collect::<String>()
    };
    match turn % 7 {
        0 => name.to_owned(),
        1 => name.to_uppercase(),
        2 => name.nfd().collect(),
        3 => name.nfkc().map(wide).collect(),
        4 => after_first('\u{200b}'),
        5 => after_first('\u{ad}'),
        _ => name.to_lowercase().nfd().collect(),
    }
}

/// What a scenario came to.
pub struct Outcome {
    pub expected: Vec<(u64, String)>,
    pub found: Vec<(u64, String)>,
    pub verdict_expected: Option<String>,
    pub verdict: String,
    pub owed_expected: Option<Vec<(u8, i128)>>,
    pub owed: Vec<(u8, i128)>,
    pub not_known_expected: Option<u128>,
    pub not_known: u128,
    pub at_least_expected: Option<Vec<u8>>,
    pub at_least: Vec<u8>,
    pub judgement: Judgement,
}

impl Scenario {
    /// Its events, with their sequences.
    #[allow(dead_code, reason = "not every test binary asks for them")]
    pub fn events(&self) -> Vec<(u64, Event)> {
        let mut sheet = Sheet::default();
        self.lines.iter().for_each(|line| sheet.line(line));
        sheet.events.into_iter().map(|(sequence, event, ..)| (sequence, event)).collect()
    }

    /// When its events were received, by sequence.
    #[allow(dead_code, reason = "not every test binary asks for it")]
    pub fn received(&self) -> BTreeMap<u64, Received> {
        let mut sheet = Sheet::default();
        self.lines.iter().for_each(|line| sheet.line(line));
        sheet.events.into_iter().map(|(sequence, _, _, received)| (sequence, received)).collect()
    }

    /// Digests of the rulebooks that are approved, if only some are.
    #[allow(dead_code, reason = "not every test binary asks for it")]
    pub fn approved(&self) -> Option<std::collections::BTreeSet<String>> {
        let mut sheet = Sheet::default();
        self.lines.iter().for_each(|line| sheet.line(line));
        sheet.approved
    }

    /// Whether some of its entries are withheld.
    #[allow(dead_code, reason = "not every test binary asks for it")]
    pub fn withholds(&self) -> bool {
        self.lines.iter().any(|line| line == "withheld")
    }

    /// The same scenario with every name of a person or a deck written in another way, each time in another one.
    pub fn respelled(&self) -> Self {
        let mut turn = 0;
        let mut respell = |names: &str| {
            let respelled = names.split(',').map(|name| {
                turn += 1;
                let (name, amount) = name.split_once(':').unwrap_or((name, ""));
                let spelled = spelling(name, turn);
                let spelled = if spelled.len() > 64 { name.to_owned() } else { spelled };
                if amount.is_empty() { spelled } else { format!("{spelled}:{amount}") }
            });
            respelled.collect::<Vec<_>>().join(",")
        };
        let mut line = |line: &String| {
            let words = line.split(' ').map(|word| match word.split_once('=') {
                Some((key @ ("player" | "by" | "serials" | "partner"), names)) => {
                    format!("{key}={}", respell(names))
                }
                Some(_) | None => word.to_owned(),
            });
            words.collect::<Vec<_>>().join(" ")
        };
        Self { title: self.title.clone(), lines: self.lines.iter().map(&mut line).collect() }
    }

    pub fn run(&self) -> Outcome {
        let mut sheet = Sheet::default();
        for line in &self.lines {
            sheet.line(line);
        }
        let mut judge = Judge::with_ledger(sheet.approved.take());
        for (index, (sequence, event, minor, received)) in sheet.events.iter().enumerate() {
            let of = std::slice::from_ref(event);
            let payload = minor
                .map_or_else(|| events::encode_payload(of), |minor| events::encode_payload_at(minor, of));
            let payload = payload.expect("the event encodes");
            let entry = Entry {
                index: index as u64,
                table: "T",
                first: *sequence,
                count: 1,
                payload: &payload,
                received: *received,
                withheld: sheet.withheld.contains(&index),
                ..Entry::default()
            };
            judge.judge(&[entry]);
        }
        let judgement = judge.finish();
        let mut found: Vec<(u64, String)> =
            judgement.findings.iter().map(|f| (f.sequence, f.code.to_string())).collect();
        found.sort();
        let coups = judgement.summary.coups;
        let verdict = format!(
            "{} certified, {} violated, {} undecided",
            coups.certified, coups.violated, coups.undecided
        );
        sheet.expected.sort();
        let owed = owed(&judgement);
        let at_least = judgement.ledger.owed.iter().filter(|(_, owed)| owed.at_least);
        let at_least = at_least.map(|(key, _)| key.seat).collect();
        let not_known = judgement.ledger.not_known.iter().map(|(_, sums)| sums.staked).sum();
        Outcome {
            expected: sheet.expected,
            found,
            verdict_expected: sheet.verdict,
            verdict,
            owed_expected: sheet.owed,
            owed,
            not_known_expected: sheet.not_known,
            not_known,
            at_least_expected: sheet.at_least,
            at_least,
            judgement,
        }
    }
}

/// What each seat got beyond what was due, of all coups together.
fn owed(judgement: &Judgement) -> Vec<(u8, i128)> {
    let mut sums: BTreeMap<u8, i128> = BTreeMap::new();
    for (key, owed) in judgement.ledger.owed.iter() {
        let [gained, lost] = [owed.gained, owed.lost].map(|sum| i128::try_from(sum).expect("a sum"));
        *sums.entry(key.seat).or_default() += gained - lost;
    }
    sums.into_iter().filter(|(_, sum)| *sum != 0).collect()
}

pub struct Sheet {
    events: Vec<(u64, Event, Option<u32>, Received)>,
    received: Received,
    shoes: u32,
    expected: Vec<(u64, String)>,
    verdict: Option<String>,
    owed: Option<Vec<(u8, i128)>>,
    not_known: Option<u128>,
    at_least: Option<Vec<u8>>,
    approved: Option<std::collections::BTreeSet<String>>,
    sequence: u64,
    micros: i64,
    coup: u32,
    position: u16,
    again: bool,
    /// Minutes that the table's clock says it is ahead of UTC.
    offset: i16,
    /// Entries whose payload is withheld.
    withheld: std::collections::BTreeSet<usize>,
}

impl Default for Sheet {
    fn default() -> Self {
        Self {
            events: Vec::new(),
            received: Received::Unknown,
            shoes: 0,
            expected: Vec::new(),
            verdict: None,
            owed: None,
            not_known: None,
            at_least: None,
            approved: None,
            sequence: 0,
            micros: 1_700_000_000_000_000,
            coup: 1,
            position: 1,
            again: false,
            offset: 60,
            withheld: std::collections::BTreeSet::new(),
        }
    }
}

/// The words of a line: plain ones in order, and `key=value` ones.
pub struct Words<'a> {
    plain: Vec<&'a str>,
    given: BTreeMap<&'a str, &'a str>,
}

impl<'a> Words<'a> {
    fn of(line: &'a str) -> Self {
        let (mut plain, mut given) = (Vec::new(), BTreeMap::new());
        for word in line.split_whitespace() {
            match word.split_once('=') {
                Some((key, value)) if !key.contains(':') => {
                    given.insert(key, value);
                }
                _ => plain.push(word),
            }
        }
        Self { plain, given }
    }

    fn number<T: std::str::FromStr>(&self, at: usize) -> T {
        let word = self.plain[at];
        word.parse().unwrap_or_else(|_| panic!("`{word}` is no number in {:?}", self.plain))
    }

    fn given<T: std::str::FromStr>(&self, key: &str) -> Option<T> {
        self.given.get(key).map(|text| text.parse().unwrap_or_else(|_| panic!("{key}={text}")))
    }
}

fn name(text: &str) -> events::Name {
    text.parse().expect("a name")
}

fn remark(text: &str) -> events::Remark {
    text.parse().expect("a remark")
}

fn money(minor_units: u64) -> Money {
    Money::new(minor_units).expect("a sum")
}

impl Sheet {
    fn push(&mut self, body: Body, expected: Option<&str>) {
        self.push_minor(body, expected, None);
    }

    fn push_minor(&mut self, body: Body, expected: Option<&str>, minor: Option<u32>) {
        if !std::mem::take(&mut self.again) {
            self.sequence += 1;
        }
        self.micros += 1_000_000;
        let occurred_at = OccurredAt::new(self.micros, self.offset).expect("a time");
        let received = match self.received {
            Received::Unknown => Received::Unknown,
            Received::ByService(later) => Received::ByService(self.micros + later),
            Received::FromFile(later) => Received::FromFile(self.micros + later),
        };
        self.events.push((self.sequence, Event { occurred_at, body }, minor, received));
        for code in
            expected.into_iter().flat_map(|codes| codes.split('!')).filter(|code| !code.trim().is_empty())
        {
            assert!(!code.trim().contains(' '), "`!{}`: a code ends its line", code.trim());
            self.expected.push((self.sequence, code.trim().to_owned()));
        }
    }

    fn repeat(&mut self, expected: Option<&str>) {
        self.events.extend(self.events.last().cloned());
        self.expected.extend(expected.map(|code| (self.sequence, code.trim().to_owned())));
    }

    fn line(&mut self, line: &str) {
        let (line, expected) = match line.split_once(" !") {
            Some((line, codes)) if !line.starts_with("cards") => (line.trim(), Some(codes)),
            _ => (line, None),
        };
        let words = Words::of(line);
        self.offset = words.given("offset").unwrap_or(60);
        let coup = words.given("coup").unwrap_or(self.coup);
        match words.plain[0] {
            "verdict" => return self.verdict = Some(line["verdict ".len()..].to_owned()),
            "owed" => {
                let sums = words.plain[1..].iter().map(|sum| {
                    let (seat, sum) = sum.split_once(':').expect("SEAT:SUM");
                    (seat.parse().expect("a seat"), sum.parse().expect("a sum"))
                });
                self.owed = Some(sums.collect());
                return;
            }
            "not-known" => return self.not_known = Some(words.number(1)),
            "at-least" => {
                let seats = words.plain[1..].iter().map(|seat| seat.parse().expect("a seat"));
                return self.at_least = Some(seats.collect());
            }
            "approve" => return self.approve(&words),
            "skip" => return self.sequence += words.number::<u64>(1),
            "again" => return self.again = true,
            "repeat" => return self.repeat(expected),
            "withheld" => {
                self.withheld.insert(self.events.len());
                return;
            }
            "many" => return self.many(line, &words),
            "back" => return self.sequence -= words.number::<u64>(1),
            "clock" => return self.micros += words.number::<i64>(1) * 1_000_000,
            "received" => {
                let later = words.number::<i64>(2) * 1_000_000;
                self.received = match words.plain[1] {
                    "service" => Received::ByService(later),
                    "file" => Received::FromFile(later),
                    other => panic!("received {other}"),
                };
                return;
            }
            "cards" => return self.cards(&words, coup),
            "chemin" => return chemin::preamble(self, &words),
            "unknown" => {
                let body = Body::Unknown(UnknownEvent { kind: 99, bytes: vec![0x80] });
                return self.push_minor(body, expected, Some(3));
            }
            _ => {}
        }
        let body = self.body(line, &words, coup);
        self.push(body, expected);
    }

    /// `many 300 sit 1 | leave 1`: these lines in turn, so often each.
    fn many(&mut self, line: &str, words: &Words<'_>) {
        let lines = line.splitn(3, ' ').nth(2).expect("lines");
        for _ in 0..words.number::<u32>(1) {
            lines.split('|').for_each(|line| self.line(line.trim()));
        }
    }

    fn body(&mut self, line: &str, words: &Words<'_>, coup: u32) -> Body {
        if let Some(body) = chemin::body(words, coup) {
            return body;
        }
        match words.plain[0] {
            "open" => self.open(words),
            "close" => Body::TableClosed(TableClosed {}),
            "limits" => Body::LimitsChanged(limits(words)),
            "shoe" => self.shoe(words),
            "burn" => self.burn(words),
            "bet" => Body::BetPlaced(BetPlaced {
                coup,
                bet: words.number(1),
                seat: words.number(3),
                player: words.given.get("player").map(|text| name(text)),
                kind: words.plain[4].parse().expect("a kind of bet"),
                stake: money(words.number(5)),
            }),
            "withdraw" => Body::BetWithdrawn(BetWithdrawn { bet: words.number(1) }),
            "closed" => Body::BetsClosed(BetsClosed { coup }),
            "holder" => Body::PuntoHolder(PuntoHolder {
                coup,
                holder: if words.plain[1] == "croupier" {
                    Holder::Croupier
                } else {
                    Holder::Seat(words.number(2))
                },
            }),
            "settle" => {
                self.coup = coup + 1;
                settled(words, coup)
            }
            "void" => {
                self.coup = coup + 1;
                let (ruled_by, countersigned_by) = signers(words);
                Body::CoupVoided(CoupVoided { coup, reason: remark("ruled"), ruled_by, countersigned_by })
            }
            "cut" => {
                Body::CutCardDrawn(CutCardDrawn { position: words.given("at").unwrap_or(self.position) })
            }
            "irregularity" => {
                let (ruled_by, countersigned_by) = signers(words);
                let at = words.given.get("at").into_iter().flat_map(|at| at.split(','));
                Body::IrregularityRecorded(Box::new(Irregularity {
                    code: name(words.plain[1]),
                    coup: words.given("coup"),
                    positions: at.map(|at| at.parse().expect("a position")).collect(),
                    ruling: remark("recorded"),
                    ruled_by,
                    countersigned_by,
                }))
            }
            "replaced" => {
                let (ruled_by, countersigned_by) = signers(words);
                Body::CardReplaced(Box::new(CardReplaced {
                    coup: words.given("coup"),
                    position: words.given("at").expect("at="),
                    card: words.plain[1].parse().expect("a face"),
                    reason: remark("torn"),
                    ruled_by,
                    countersigned_by,
                }))
            }
            "computed" => {
                let value = |word: &str| match word {
                    "winner" => ComputedValue::Winner,
                    "punto-total" => ComputedValue::PuntoTotal,
                    "banca-total" => ComputedValue::BancaTotal,
                    other => panic!("no such value: {other}"),
                };
                Body::ValuesComputed(ValuesComputed {
                    coup,
                    values: words.plain[1].split(',').map(value).collect(),
                })
            }
            "extension" => Body::ExtensionRecorded(Box::new(Extension {
                name: name(words.plain[1]),
                data: words.plain[2].repeat(words.given("times").unwrap_or(1)).parse().expect("data"),
            })),
            "correct" => self.correction(line, words, coup),
            "card" => {
                let (to, card) = words.plain[1].split_once(':').expect("P:7H");
                let (to, card) = (destination(to), card.parse().expect("a face"));
                Body::CardDrawn(CardDrawn { coup, position: words.given("at").expect("at="), card, to })
            }
            "collect" => Body::CommissionCollected(CommissionCollected {
                seat: words.number(2),
                amount: money(words.number(3)),
                why: CommissionReason::ShoeEnd,
            }),
            "sit" => {
                let player = words.given.get("player").map(|text| name(text));
                Body::SeatTaken(Seat { seat: words.number(1), player })
            }
            "offer" => Body::DealOffered(events::Deal { seat: words.number(1) }),
            "accept" => Body::DealAccepted(events::Deal { seat: words.number(1) }),
            "decline" => Body::DealDeclined(events::Deal { seat: words.number(1) }),
            "leave" => {
                let player = words.given.get("player").map(|text| name(text));
                Body::SeatLeft(Seat { seat: words.number(1), player })
            }
            "end" => Body::ShoeEnded(ShoeEnded {
                cards_left: words.number(1),
                reveal: words.given.get("reveal").map(|order| reveal(order)),
            }),
            other => panic!("no such line: {other}"),
        }
    }

    /// `correct back=2 settle banca 5-7 1=0`: what the event two before this one should have said.
    fn correction(&mut self, line: &str, words: &Words<'_>, coup: u32) -> Body {
        let rest = line.splitn(3, ' ').nth(2).expect("an event");
        let (now, coup_now) = (self.sequence + 1, self.coup);
        let inner = Words::of(rest);
        let corrected = self.body(rest, &inner, inner.given("coup").unwrap_or(coup));
        self.coup = coup_now;
        let (one, other) = signers(&inner);
        Body::CorrectionRecorded(CorrectionRecorded {
            corrects: now - words.given::<u64>("back").expect("back="),
            corrected: Box::new(corrected),
            reason: remark("recorded wrongly"),
            signed_by: [one, other.unwrap_or_else(|| name("manager"))],
        })
    }

    fn approve(&mut self, words: &Words<'_>) {
        let digest = baccarat::builtin(words.plain[1]).expect("a built-in rulebook").digest().to_string();
        self.approved.get_or_insert_default().insert(digest);
    }

    fn open(&mut self, words: &Words<'_>) -> Body {
        let mut text = baccarat::builtin(words.plain[1]).expect("a built-in rulebook").canonical_json();
        for change in words.given.get("but").into_iter().flat_map(|changes| changes.split(';')) {
            let (from, to) = change.split_once("->").expect("but=from->to");
            assert!(text.contains(from), "{from} does not stand in the rulebook");
            text = text.replace(from, to);
        }
        if words.given.contains_key("but") || words.given.contains_key("as") {
            let named_after = format!("house-{}", &baccarat::Digest::of(&text).to_string()[..8]);
            let id = words.given.get("as").copied().unwrap_or(&named_after);
            text = text.replace(&format!("\"id\":\"{}\"", words.plain[1]), &format!("\"id\":\"{id}\""));
        }
        let seats = words.given.get("seats").map_or_else(
            || (1..=7).collect(),
            |seats| seats.split(',').map(|seat| seat.parse().expect("a seat")).collect(),
        );
        Body::TableOpened(Box::new(TableOpened {
            rulebook: RulebookDocument::from_json(&text).expect("a rulebook"),
            limits: limits(words),
            currency: name(words.given.get("currency").unwrap_or(&"EUR")),
            minor_digits: words.given("digits").unwrap_or(2),
            seats,
        }))
    }

    fn shoe(&mut self, words: &Words<'_>) -> Body {
        (self.coup, self.position) = (1, 1);
        self.shoes += 1;
        let decks = words.given("decks").unwrap_or(6);
        let shoe = words.plain.get(1).map_or_else(|| format!("shoe-{}", self.shoes), ToString::to_string);
        Body::ShoeLoaded(Box::new(ShoeLoaded {
            shoe: name(&shoe),
            decks,
            cards: words.given("cards").unwrap_or(u16::from(decks) * 52),
            cards_behind_cut: words.given("behind"),
            deck_serials: words
                .given
                .get("serials")
                .into_iter()
                .flat_map(|list| list.split(','))
                .map(name)
                .collect(),
            back_colours: Vec::new(),
            order_commitment: words.given.get("commit").map(|order| commitment(order)),
        }))
    }

    fn burn(&mut self, words: &Words<'_>) -> Body {
        let burned: u8 = words.number(2);
        self.position += 1 + u16::from(burned);
        let faces = words.plain[3..].iter().map(|face| face.parse().expect("a face")).collect();
        Body::BurnCards(BurnCards { indicator: words.plain[1].parse().expect("a face"), burned, faces })
    }

    /// `P:7H`, `B:TS`, `R:2C` (removed), each perhaps with `!code`; `xN` before a card moves the
    /// position on by N.
    fn cards(&mut self, words: &Words<'_>, coup: u32) {
        self.position = words.given("at").unwrap_or(self.position);
        for word in &words.plain[1..] {
            let (card, expected) = match word.split_once('!') {
                Some((card, codes)) => (card, Some(codes)),
                None => (*word, None),
            };
            let (to, face) = card.split_once(':').expect("P:7H");
            let to = destination(to);
            let card: Face = face.parse().expect("a face");
            let position = self.position;
            self.position += 1;
            self.push(Body::CardDrawn(CardDrawn { coup, position, card, to }), expected);
        }
    }
}

/// `by=anna,berta`: who signs, `by=anna`: who signs alone; else the inspector and the manager.
fn signers(words: &Words<'_>) -> (events::Name, Option<events::Name>) {
    let by = words.given.get("by").unwrap_or(&"inspector,manager");
    match by.split_once(',') {
        Some((one, other)) => (name(one), Some(name(other))),
        None => (name(by), None),
    }
}

fn destination(text: &str) -> Destination {
    match text {
        "P" => Destination::Punto,
        "B" => Destination::Banca,
        _ => Destination::Removed,
    }
}

fn limits(words: &Words<'_>) -> Limits {
    let tie = words.given("tie-minimum").map(|minimum| BetLimit {
        kind: "tie".parse().expect("a kind of bet"),
        minimum: Some(money(minimum)),
        maximum: None,
    });
    // `only=banca:500-20000,tie:-5000`: limits of single kinds; what is left out is the table's.
    let only = words.given.get("only").into_iter().flat_map(|kinds| kinds.split(',')).map(|text| {
        let (kind, range) = text.split_once(':').expect("a kind and its limits");
        let (minimum, maximum) = range.split_once('-').expect("two limits");
        let limit = |text: &str| (!text.is_empty()).then(|| money(text.parse().expect("a sum")));
        let kind = kind.parse().expect("a kind of bet");
        BetLimit { kind, minimum: limit(minimum), maximum: limit(maximum) }
    });
    Limits {
        minimum: money(words.given("min").unwrap_or(1_000)),
        maximum: money(words.given("max").unwrap_or(100_000)),
        multiple: words.given("multiple").map(money),
        bets: tie.into_iter().chain(only).collect(),
    }
}

/// `settle banca 5-7 1=1950c50 2=0`
fn settled(words: &Words<'_>, coup: u32) -> Body {
    let (punto, banca) = words.plain[2].split_once('-').expect("totals such as 5-7");
    let winner = serde_json::from_value(words.plain[1].into()).expect("a winner");
    let mut bets: Vec<BetSettled> = words
        .given
        .iter()
        .filter(|(bet, _)| !["coup", "by"].contains(*bet))
        .map(|(bet, sums)| settled_bet(bet, sums))
        .collect();
    bets.extend(words.plain[3..].iter().map(|word| {
        let (bet, sums) = word.trim_start_matches("twice:").split_once(':').expect("twice:1:2000");
        settled_bet(bet, sums)
    }));
    Body::CoupSettled(CoupSettled {
        coup,
        winner,
        punto_total: punto.parse().expect("a total"),
        banca_total: banca.parse().expect("a total"),
        bets,
    })
}

fn settled_bet(bet: &str, sums: &str) -> BetSettled {
    let (returned, commission) = sums.split_once('c').unwrap_or((sums, "0"));
    BetSettled {
        bet: bet.parse().expect("a bet"),
        returned: money(returned.parse().expect("a sum")),
        commission: money(commission.parse().expect("a sum")),
    }
}

/// `2H,3D,rest`: cards in order; `rest` are all others of six decks.
fn order(text: &str) -> Vec<Face> {
    let named: Vec<&str> = text.split(',').filter(|card| *card != "rest").collect();
    let mut order: Vec<Face> =
        named.iter().map(|card| Face::Seen(card.parse::<Card>().expect("a card"))).collect();
    if text.ends_with(",rest") {
        for card in
            baccarat::Rank::ALL.into_iter().flat_map(|rank| baccarat::Suit::ALL.map(|s| Card::new(rank, s)))
        {
            let named = order[..named.len()].iter().filter(|face| **face == Face::Seen(card)).count();
            order.extend(vec![Face::Seen(card); 6_usize.saturating_sub(named)]);
        }
    }
    order
}

fn reveal(text: &str) -> OrderReveal {
    OrderReveal { nonce: events::Hex32([7; 32]), order: order(text) }
}

fn commitment(text: &str) -> events::Hex32 {
    let mut bytes = vec![7; 32];
    bytes.extend(order(text).iter().map(|face| {
        let card = face.card().expect("a card");
        let suit = baccarat::Suit::ALL.iter().position(|suit| Some(*suit) == card.suit).expect("a suit");
        u8::try_from(suit * 13).expect("small") + card.rank.number()
    }));
    events::Hex32(*blake3::hash(&bytes).as_bytes())
}
