//! The map of the modules of the stages, as `tests/tests/map.rs` has it of the crates: which may use which. There is no
//! cycle, and of the judge in use they take only what is listed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The stages, from the user to the used.
const ARROWS: &[(&str, &[&str])] = &[
    ("asked", &["Judge", "RulebookUsed", "checks", "question", "reading", "rules"]),
    ("checks", &["Code", "SeatMoney", "Statement", "caps", "sink"]),
    (
        "checks/bank",
        &[
            "Code",
            "Reason",
            "checks",
            "checks/bank_play",
            "checks/bank_sums",
            "checks/doubt",
            "chemin",
            "person",
            "reading",
            "sink",
            "statement",
        ],
    ),
    (
        "checks/bank_account",
        &["Code", "SeatMoney", "checks", "checks/bank_play", "chemin", "reading", "sink", "statement"],
    ),
    (
        "checks/bank_calls",
        &[
            "CallView",
            "Code",
            "checks",
            "checks/bank_play",
            "checks/bank_stakes",
            "checks/bets",
            "chemin",
            "reading",
            "sink",
            "statement",
        ],
    ),
    (
        "checks/bank_coup",
        &[
            "BankDue",
            "BankView",
            "Code",
            "DecisionView",
            "SeatMoney",
            "account",
            "checks",
            "checks/bank_account",
            "checks/bank_calls",
            "checks/bank_draws",
            "checks/bank_play",
            "checks/bank_stakes",
            "checks/bets",
            "checks/coup",
            "checks/doubt",
            "checks/gaps",
            "checks/lacking",
            "checks/limits",
            "checks/lines",
            "checks/payouts",
            "checks/paytables",
            "checks/play",
            "checks/rulings",
            "checks/shoe_cards",
            "checks/voids",
            "coup",
            "reading",
            "sink",
            "statement",
            "worlds",
        ],
    ),
    (
        "checks/bank_draws",
        &["Code", "checks", "checks/rulings", "coup", "reading", "sink", "statement", "worlds"],
    ),
    ("checks/bank_play", &["OtherMoney", "checks/doubt", "chemin"]),
    ("checks/bank_stakes", &["checks/bank_play", "checks/bets", "chemin"]),
    ("checks/bank_sums", &["Code", "checks", "checks/bank_play", "chemin", "reading", "sink", "statement"]),
    ("checks/before", &["RulebookUsed", "checks/gaps", "checks/moments", "checks/paytables", "reading"]),
    (
        "checks/bets",
        &["Code", "SeatMoney", "account", "checks", "checks/paytables", "reading", "sink", "statement"],
    ),
    (
        "checks/boxes",
        &[
            "boxes",
            "checks",
            "checks/before",
            "checks/bets",
            "checks/doubt",
            "checks/lacking",
            "checks/lines",
            "checks/moments",
            "checks/paytables",
            "person",
            "reading",
            "rules",
            "seating",
        ],
    ),
    ("checks/cards", &["Code", "checks", "checks/doubt", "coup", "reading", "sink", "statement", "worlds"]),
    (
        "checks/clock",
        &[
            "checks",
            "checks/before",
            "checks/bets",
            "checks/moments",
            "checks/paytables",
            "checks/rulings",
            "clock",
            "reading",
            "sink",
        ],
    ),
    (
        "checks/coup",
        &[
            "BankView",
            "Code",
            "CoupVerdict",
            "SeatMoney",
            "account",
            "checks",
            "checks/bets",
            "checks/cards",
            "checks/doubt",
            "checks/gaps",
            "checks/lacking",
            "checks/limits",
            "checks/lines",
            "checks/payouts",
            "checks/paytables",
            "checks/play",
            "checks/result",
            "checks/rulings",
            "checks/shoe_cards",
            "checks/voids",
            "reading",
            "worlds",
        ],
    ),
    ("checks/doubt", &["Reason", "reading"]),
    (
        "checks/facts",
        &[
            "boxes",
            "caps",
            "checks",
            "checks/bank",
            "checks/before",
            "checks/clock",
            "checks/loading",
            "checks/names",
            "checks/numbers",
            "checks/opening",
            "checks/play",
            "checks/remarks",
            "checks/seats",
            "checks/shoe",
            "reading",
            "shoe",
        ],
    ),
    ("checks/gaps", &["reading", "shoe", "table"]),
    (
        "checks/holder",
        &[
            "Code",
            "checks",
            "checks/doubt",
            "checks/paytables",
            "coup",
            "person",
            "reading",
            "seating",
            "sink",
            "statement",
        ],
    ),
    (
        "checks/lacking",
        &[
            "Code",
            "checks/bets",
            "checks/gaps",
            "checks/left_out",
            "checks/limits",
            "checks/paytables",
            "code",
            "reading",
            "rules",
            "shoe",
        ],
    ),
    (
        "checks/late",
        &[
            "Code",
            "SeatMoney",
            "account",
            "checks",
            "checks/bank_account",
            "checks/before",
            "checks/doubt",
            "reading",
            "settled_before",
            "sink",
            "table",
        ],
    ),
    ("checks/left_out", &["reading", "table"]),
    (
        "checks/limits",
        &[
            "Code",
            "checks",
            "checks/bets",
            "checks/doubt",
            "checks/paytables",
            "person",
            "rules",
            "sink",
            "stakes",
            "statement",
        ],
    ),
    (
        "checks/lines",
        &[
            "Code",
            "SeatMoney",
            "account",
            "checks",
            "checks/bets",
            "checks/lacking",
            "checks/paytables",
            "reading",
            "sink",
            "statement",
            "worlds",
        ],
    ),
    (
        "checks/loading",
        &[
            "Code",
            "caps",
            "checks",
            "checks/before",
            "checks/doubt",
            "checks/moments",
            "identity",
            "reading",
            "shoe",
            "sink",
            "statement",
            "table",
        ],
    ),
    (
        "checks/mending",
        &[
            "Code",
            "SeatMoney",
            "checks",
            "checks/before",
            "checks/doubt",
            "checks/gaps",
            "mended",
            "reading",
            "settled_before",
            "shoe",
        ],
    ),
    ("checks/moments", &["checks/left_out", "reading", "shoe"]),
    (
        "checks/names",
        &[
            "Code",
            "checks",
            "checks/before",
            "checks/moments",
            "checks/signers",
            "looks",
            "names",
            "people",
            "person",
            "reading",
            "sink",
            "statement",
            "table",
        ],
    ),
    (
        "checks/numbers",
        &["Code", "checks", "checks/before", "checks/left_out", "reading", "shoe", "sink", "statement"],
    ),
    (
        "checks/opening",
        &[
            "Code",
            "caps",
            "checks",
            "checks/before",
            "checks/moments",
            "currency",
            "identity",
            "place",
            "reading",
            "sink",
            "statement",
            "table",
        ],
    ),
    (
        "checks/order",
        &[
            "Code",
            "checks",
            "checks/before",
            "checks/gaps",
            "checks/left_out",
            "reading",
            "sink",
            "statement",
        ],
    ),
    (
        "checks/payouts",
        &[
            "Code",
            "SeatMoney",
            "account",
            "checks",
            "checks/bets",
            "checks/lacking",
            "checks/lines",
            "checks/paytables",
            "reading",
            "sink",
            "statement",
        ],
    ),
    ("checks/paytables", &["account"]),
    (
        "checks/play",
        &[
            "Code",
            "boxes",
            "caps",
            "checks",
            "checks/before",
            "checks/boxes",
            "checks/doubt",
            "checks/limits",
            "checks/moments",
            "checks/rulings",
            "checks/signers",
            "reading",
            "sink",
            "statement",
            "table",
        ],
    ),
    ("checks/positions", &["statement"]),
    (
        "checks/remarks",
        &[
            "Code",
            "caps",
            "checks",
            "checks/bank_draws",
            "checks/before",
            "checks/cards",
            "checks/moments",
            "checks/result",
            "checks/shoe_cards",
            "identity",
            "reading",
            "sink",
            "statement",
            "worlds",
        ],
    ),
    ("checks/result", &["Code", "checks", "reading", "sink", "statement", "worlds"]),
    ("checks/rulings", &["Code", "checks", "checks/doubt", "reading", "sink", "statement", "table"]),
    (
        "checks/seats",
        &[
            "Code",
            "checks",
            "checks/before",
            "checks/holder",
            "checks/left_out",
            "checks/moments",
            "checks/names",
            "checks/paytables",
            "dealing",
            "person",
            "reading",
            "seating",
            "sink",
            "statement",
        ],
    ),
    (
        "checks/shoe",
        &[
            "Code",
            "checks",
            "checks/before",
            "checks/doubt",
            "checks/gaps",
            "checks/positions",
            "checks/shoe_cards",
            "reading",
            "shoe",
            "sink",
            "statement",
            "table",
        ],
    ),
    ("checks/shoe_cards", &["reading", "shoe", "worlds"]),
    ("checks/signers", &["Code", "caps", "checks", "person", "sink", "statement", "table"]),
    (
        "checks/table",
        &[
            "Code",
            "Severity",
            "checks",
            "checks/bank",
            "checks/bank_account",
            "checks/bank_coup",
            "checks/before",
            "checks/clock",
            "checks/coup",
            "checks/doubt",
            "checks/facts",
            "checks/late",
            "checks/mending",
            "checks/moments",
            "checks/numbers",
            "checks/order",
            "checks/paytables",
            "checks/play",
            "checks/remarks",
            "checks/shoe",
            "checks/shoe_cards",
            "checks/unruled",
            "clock",
            "reading",
            "sink",
            "statement",
        ],
    ),
    (
        "checks/unruled",
        &[
            "Code",
            "account",
            "bounds",
            "checks",
            "checks/bets",
            "checks/coup",
            "checks/doubt",
            "checks/gaps",
            "checks/lacking",
            "checks/lines",
            "checks/play",
            "checks/rulings",
            "checks/voids",
            "reading",
            "sink",
            "statement",
        ],
    ),
    (
        "checks/voids",
        &[
            "Code",
            "SeatMoney",
            "account",
            "checks",
            "checks/bets",
            "checks/lacking",
            "reading",
            "sink",
            "statement",
        ],
    ),
    (
        "either",
        &[
            "Code",
            "CoupPlace",
            "Finding",
            "Received",
            "RulebookUsed",
            "TableState",
            "TakenBack",
            "identity",
            "kept",
            "ledger",
            "question",
            "record",
            "shoe_locations",
            "stages",
            "tally",
        ],
    ),
    ("numbering", &["Code", "Reason", "reading", "record", "sink", "statement"]),
    (
        "reading/attribute",
        &[
            "reading/explanation",
            "reading/range",
            "reading/remark",
            "reading/search",
            "reading/state",
            "reading/tape",
        ],
    ),
    (
        "reading/build",
        &[
            "reading/attribute",
            "reading/irregular",
            "reading/range",
            "reading/record",
            "reading/remark",
            "reading/search",
            "reading/state",
            "reading/tape",
            "shoe",
        ],
    ),
    ("reading/corrected", &["reading/range", "reading/record", "settled_before"]),
    ("reading/explanation", &[]),
    ("reading/grammar", &[]),
    ("reading/irregular", &["reading/explanation", "reading/grammar", "reading/state", "reading/tape"]),
    ("reading/range", &[]),
    ("reading/record", &["reading/range", "reading/remark"]),
    ("reading/remark", &["reading/explanation"]),
    ("reading/search", &["reading/explanation", "reading/irregular", "reading/state", "reading/tape"]),
    ("reading/state", &["reading/grammar", "reading/range", "reading/tape", "shoe", "table"]),
    ("reading/tape", &["reading/corrected", "reading/grammar", "reading/range", "reading/record", "table"]),
    ("results", &["Received", "checks", "reading"]),
    (
        "results/account",
        &["BetAccount", "Code", "Finding", "SeatMoney", "account", "checks", "results/coups"],
    ),
    ("results/attested", &["attested", "clock", "reading", "results", "results/course", "summary", "table"]),
    ("results/begun", &["Reason", "results", "sink"]),
    ("results/commission", &["CommissionView", "results/part"]),
    (
        "results/corrected",
        &[
            "corrected",
            "decided_late",
            "reading",
            "results",
            "results/account",
            "results/attested",
            "results/coups",
            "results/course",
            "results/part",
            "settled_before",
            "sink",
        ],
    ),
    (
        "results/coups",
        &[
            "BetAccount",
            "Code",
            "CoupVerdict",
            "Finding",
            "Reason",
            "Severity",
            "SumRange",
            "checks",
            "reading",
            "results",
            "results/course",
            "results/findings",
            "results/ruled",
            "tally",
        ],
    ),
    ("results/course", &["Currency", "checks", "reading", "results"]),
    (
        "results/findings",
        &[
            "Cause",
            "Code",
            "Finding",
            "RuleReference",
            "checks",
            "results",
            "results/course",
            "results/numbering",
            "sink",
        ],
    ),
    (
        "results/ledger",
        &[
            "CoupAccount",
            "Currency",
            "Finding",
            "SeatMoney",
            "ledger",
            "person",
            "results",
            "results/account",
            "results/coups",
            "results/course",
            "results/part",
            "results/views",
        ],
    ),
    ("results/numbering", &["Code", "checks", "reading", "statement"]),
    ("results/out_of_reach", &["reading", "results", "results/course"]),
    (
        "results/part",
        &[
            "Code",
            "results",
            "results/begun",
            "results/coups",
            "results/course",
            "results/findings",
            "results/out_of_reach",
            "results/ruled",
            "results/shoes",
            "sink",
        ],
    ),
    (
        "results/places",
        &[
            "CoupPlace",
            "ShoeLocation",
            "Summary",
            "TableState",
            "checks",
            "reading",
            "results",
            "results/attested",
            "results/coups",
            "results/part",
            "shoe_locations",
        ],
    ),
    ("results/ruled", &["reading", "table"]),
    (
        "results/shoes",
        &[
            "CoupVerdict",
            "Reason",
            "Severity",
            "checks",
            "reading",
            "results",
            "results/begun",
            "results/coups",
            "results/course",
            "results/findings",
            "results/out_of_reach",
            "table",
        ],
    ),
    (
        "results/summary",
        &[
            "CoupVerdict",
            "RulebookUsed",
            "checks",
            "passages",
            "results",
            "results/attested",
            "results/coups",
            "results/course",
            "results/part",
            "summary",
            "tally",
            "totals",
        ],
    ),
    (
        "results/together",
        &[
            "CommissionView",
            "CoupPlace",
            "CoupView",
            "Finding",
            "Judge",
            "Ledger",
            "Wanted",
            "checks",
            "question",
            "results",
            "results/begun",
            "results/part",
            "results/places",
            "seldom",
            "sink",
            "summary",
            "tally",
        ],
    ),
    (
        "results/views",
        &[
            "BetAccount",
            "CoupAccount",
            "CoupVerdict",
            "DecisionView",
            "Reason",
            "ThirdCard",
            "account",
            "checks",
            "corrected",
            "detail",
            "results",
            "results/account",
            "results/attested",
            "results/coups",
            "results/course",
            "results/part",
        ],
    ),
    ("stages", &[]),
    (
        "stages/judged",
        &[
            "Code",
            "CoupPlace",
            "Currency",
            "Finding",
            "Received",
            "RuleReference",
            "RulebookUsed",
            "TableState",
            "TakenBack",
            "asked",
            "caps",
            "identity",
            "kept",
            "ledger",
            "question",
            "record",
            "results",
            "shoe_locations",
            "sink",
            "stages/record",
            "table",
            "tally",
        ],
    ),
    (
        "stages/record",
        &[
            "Code",
            "Reason",
            "Received",
            "checks",
            "numbering",
            "reading",
            "record",
            "results",
            "sink",
            "stages/table",
        ],
    ),
    ("stages/table", &["Received", "caps", "checks", "reading", "results"]),
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The modules that a file takes something from, as its `use` lines say it.
fn used(module: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(source().join(format!("{module}.rs"))).unwrap();
    let parent = module.rsplit_once('/').map_or("", |(parent, _)| parent);
    let mut used = BTreeSet::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("use ")) {
        let first = |rest: &str| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            rest[..end].to_owned()
        };
        if let Some(rest) = line.strip_prefix("super::") {
            let name = first(rest);
            let below = source().join(parent).join(format!("{name}.rs")).exists();
            used.insert(if below { format!("{parent}/{name}") } else { parent.to_owned() });
        } else if let Some(rest) = line.strip_prefix("crate::") {
            let all = rest.strip_prefix('{').map_or(rest, |names| names.trim_end_matches("};"));
            let names = all.split(", ").take(if all == rest { 1 } else { usize::MAX });
            used.extend(names.map(first));
        }
    }
    used
}

#[test]
fn every_arrow_between_modules_is_on_the_map() {
    for folder in ["reading", "checks", "results", "stages"] {
        for file in fs::read_dir(source().join(folder)).unwrap() {
            let name = file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
            let module = format!("{folder}/{name}");
            assert!(ARROWS.iter().any(|(of, _)| *of == module), "{module} is not on the map");
        }
    }
    for (module, known) in ARROWS {
        let known: BTreeSet<String> = known.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(used(module), known, "{module}");
    }
}

#[test]
fn no_module_uses_itself_by_way_of_others() {
    let map: BTreeMap<&str, &[&str]> = ARROWS.iter().copied().collect();
    for start in map.keys() {
        let (mut open, mut seen) = (vec![*start], BTreeSet::new());
        while let Some(module) = open.pop() {
            for used in map.get(module).copied().unwrap_or_default() {
                assert_ne!(used, start, "{start} uses itself by way of {module}");
                if seen.insert(*used) {
                    open.push(used);
                }
            }
        }
    }
}

/// A struct with more fields has no invariant that anyone can state.
#[test]
fn no_struct_has_more_than_fifteen_fields() {
    let mut structs = 0;
    for (module, _) in ARROWS {
        let text = fs::read_to_string(source().join(format!("{module}.rs"))).unwrap();
        for block in text.split("struct ").skip(1) {
            let body = block.split("\n}").next().unwrap_or_default();
            let is_field = |line: &&str| {
                let line = line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(super) ");
                line.split_once(": ")
                    .is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
            };
            let fields = body.lines().filter(|line| line.starts_with("    ")).filter(is_field).count();
            structs += 1;
            assert!(
                fields <= 15,
                "{module}: {fields} fields in {}",
                block.lines().next().unwrap_or_default()
            );
        }
    }
    assert!(structs > 20, "{structs}");
}
