//! The sentences for differences. Every key has one; keys that people ask about have better ones.

use serde_json::Value;

use crate::Rank;

/// One sentence for a difference at a path.
pub(super) fn of(path: &[String], values: [Option<&Value>; 2], names: [&str; 2]) -> String {
    let steps: Vec<&str> = path.iter().map(String::as_str).collect();
    match (steps.as_slice(), values) {
        (["tableau", "punto"], [Some(Value::String(one)), Some(Value::String(other))]) => {
            cells([one, other], names, |total| format!("punto with {total}"))
        }
        (["tableau", "banca", row], [Some(Value::String(one)), Some(Value::String(other))]) => {
            let total = row.trim_matches(['[', ']']);
            cells([one, other], names, |column| match column {
                10.. => format!("banca with {total} after punto stood"),
                column => format!("banca with {total} in column {column}"),
            })
        }
        (["burn", "values", index], _) => {
            let index = index.trim_matches(['[', ']']).parse::<usize>().ok();
            let rank = index.and_then(|index| Rank::ALL.get(index)).map(ToString::to_string);
            plain(&format!("Cards burned after a {}", rank.unwrap_or_default()), values, names)
        }
        (["bets", kind, "rows"], [Some(one), Some(other)]) => rows(kind, [one, other], names),
        (["bets", kind], _) => only(&format!("The bet {kind}"), values, names),
        (["commission"], _) => only("Commission", values, names),
        (["chemin"] | ["chemin", "abonos"], _) => only(&subject(&steps), values, names),
        (["clock"], _) => only("How exact clocks have to be", values, names),
        (["rulings"], _) => only("Who signs rulings", values, names),
        (["irregularities"], _) => only("What follows from irregularities", values, names),
        (["irregularities", code], _) => only(&format!("What follows from {code}"), values, names),
        (["citations", key, rest @ ..], values) => citation(key, rest, values, names),
        ([.., "cite"], _) => {
            let clause = steps[..steps.len() - 1].join(".");
            plain(&format!("The sources of {clause}"), values, names)
        }
        (steps, _) => plain(&subject(steps), values, names),
    }
}

/// A source, its words in quotation marks.
fn citation(key: &str, rest: &[&str], values: [Option<&Value>; 2], names: [&str; 2]) -> String {
    let quoted = values.map(|value| value.map(quoted));
    let values = [quoted[0].as_ref(), quoted[1].as_ref()];
    match rest {
        [] => only(&format!("The source [{key}]"), values, names),
        ["text"] => plain(&format!("The words of the source [{key}]"), values, names),
        ["source"] => plain(&format!("The place of the source [{key}]"), values, names),
        rest => plain(&format!("The {} of the source [{key}]", rest.join(".")), values, names),
    }
}

fn quoted(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(format!("“{}”", text.replace('\n', " "))),
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), quoted(value))).collect(),
        Value::Array(_) | Value::Number(_) | Value::Bool(_) | Value::Null => value.clone(),
    }
}

/// What a key is about.
fn subject(steps: &[&str]) -> String {
    let known = match steps {
        ["id"] => "The name",
        ["title"] => "The title",
        ["jurisdiction"] => "The jurisdiction",
        ["effective", "from"] => "The first day in force",
        ["effective", "until"] => "The last day in force",
        ["shoe", "decks"] => "Decks in the shoe",
        ["cut-card", "cards-behind"] => "Cards behind the cut card",
        ["cut-card", "last-coup"] => "The last coup after the cut card",
        ["cut-card", "first-card-counts"] => {
            "Whether a coup met by the cut card before its first card counts"
        }
        ["burn", "method"] => "How many cards are burned",
        ["burn", "count"] => "Cards burned",
        ["burn", "values"] => "Cards burned by the indicator A 2 3 4 5 6 7 8 9 T J Q K",
        ["shoe", "reuse"] => "Whether shoes' ids and decks' serials may come again",
        ["shoe", "overnight"] => "Whether a shoe may stay loaded over a closing of the table",
        ["deal", "new-shoe"] => "Whose turn it is in a new shoe",
        ["clock", "step"] => "Microseconds a table's clock may run back",
        ["clock", "ahead"] => "Microseconds an event may lie ahead of the log's clock",
        ["clock", "recorded-within"] => "Microseconds within which an event has to be taken in",
        ["rulings", "countersigned"] => "Whether rulings need a second signature",
        ["deal", "order"] => "The order of the first four cards",
        ["deal", "dealer"] => "Who deals",
        ["deal", "punto-holder"] => "Who holds punto's cards",
        ["deal", "tie-break"] => "Who holds them when bets are equal",
        ["columns"] => "The columns of banca's table",
        ["seats", "numbers"] => "Seats",
        ["seats", "may-leave-out"] => "Seats that a table may leave out",
        ["seats", "own-place"] => "Whether players bet in their own place alone",
        ["forbidden-pairs"] => "Bets that one player may not place together",
        ["limits", "maximum-over-minimum"] => "The maximum in minimums",
        ["limits", "multiples-allowed"] => "Whether stakes may have to be multiples",
        ["limits", "multiple-is-minimum"] => "Whether that multiple is the minimum",
        ["limits", "over-limit"] => "What becomes of a stake over the limit",
        ["commission", "rate"] => "The commission's share of the win",
        ["commission", "charge"] => "When commission is paid",
        ["commission", "rounding", "mode"] => "How commission is rounded",
        ["commission", "rounding", "unit"] => "Minor units commission is rounded to",
        ["payout-rounding", "mode"] => "How payouts are rounded",
        ["payout-rounding", "unit"] => "Minor units payouts are rounded to",
        ["bets", kind, rest @ ..] => return of_bet(kind, rest),
        ["chemin", rest @ ..] => return of_chemin(rest),
        ["irregularities", code, "consequence"] => return format!("What follows from {code}"),
        other => return other.join("."),
    };
    known.to_owned()
}

fn of_chemin(rest: &[&str]) -> String {
    let known = match rest {
        [] => "That a player is the bank",
        ["players", "least"] => "Players without whom there is no game",
        ["bank", "maximum"] => "Most the bank may have in play, in minimums",
        ["bank", "may-be-unlimited"] => "Whether leave may be given for a bank without a maximum",
        ["turn", "leaves-after"] => "Refusals of the bank in a row after which a player leaves the seat",
        ["turn", "newcomers-pass"] => "Whether newcomers first let the bank pass",
        ["free-play", "office"] => "Who gives leave for free play",
        ["free-play", "zero-draws"] => "Whether a banker with 0 has to draw all the same",
        ["chart", "binds"] => "When banca's table binds the banker",
        ["garaje", "voluntary-over"] => "Winnings above which a garaje by choice is allowed, in minimums",
        ["abonos"] => "Abonos",
        ["abonos", "most"] => "Most abonos in a coup",
        ["abonos", "within-limits"] => "Whether the table's minimum binds abonos",
        other => return format!("chemin.{}", other.join(".")),
    };
    known.to_owned()
}

fn of_bet(kind: &str, rest: &[&str]) -> String {
    match rest {
        ["title"] => format!("The title of {kind}"),
        ["cap"] => format!("The largest stake on {kind} (share of the maximum)"),
        ["commission"] => format!("Whether {kind} carries commission"),
        ["minimum-binds"] => format!("Whether the minimum binds {kind}"),
        ["requires"] => format!("Bets beside which alone {kind} may stand"),
        ["cap-of-required"] => format!("The largest stake on {kind} (share of the bet it stands beside)"),
        rest => format!("{kind}.{}", rest.join(".")),
    }
}

/// `X: A says this; B says that.`
fn plain(subject: &str, [one, other]: [Option<&Value>; 2], [first, second]: [&str; 2]) -> String {
    let says = |name: &str, value: Option<&Value>| match value {
        Some(value) => format!("{name} says {}", text(value)),
        None => format!("{name} says nothing"),
    };
    format!("{subject}: {}; {}.", says(first, one), says(second, other))
}

/// For what one has and the other has not.
fn only(subject: &str, values: [Option<&Value>; 2], [first, second]: [&str; 2]) -> String {
    match values {
        [Some(value), None] => format!("{subject}: only in {first}, {}.", text(value)),
        [None, Some(value)] => format!("{subject}: only in {second}, {}.", text(value)),
        both => plain(subject, both, [first, second]),
    }
}

/// A value in words.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Null => "nothing".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(", "),
        Value::Object(members) => {
            let filled = |value: &Value| value.as_array().is_none_or(|values| !values.is_empty());
            let members = members.iter().filter(|(_, value)| filled(value));
            members.map(|(key, value)| member(key, value)).collect::<Vec<_>>().join("; ")
        }
    }
}

fn member(key: &str, value: &Value) -> String {
    match (key, value.as_array()) {
        ("rows", Some(rows)) => format!("pays {}", paytable(rows).join(", ")),
        _ => format!("{key} {}", text(value)),
    }
}

/// `draws` and `stands` where two rows of the tableau differ.
fn cells(rows: [&String; 2], [first, second]: [&str; 2], cell_name: impl Fn(usize) -> String) -> String {
    let word = |mark: char| match mark {
        'T' => "draws",
        'P' => "stands",
        'O' => "may choose",
        _ => "not stated",
    };
    let marks = rows[0].chars().zip(rows[1].chars()).enumerate();
    let apart: Vec<String> = marks
        .filter(|(_, (one, other))| one != other)
        .map(|(at, (one, other))| format!("{} {} / {}", cell_name(at), word(one), word(other)))
        .collect();
    format!("Third cards ({first} / {second}): {}.", apart.join("; "))
}

/// The rows that only one of two paytables has; where they have the same ones, their order.
fn rows(kind: &str, [one, other]: [&Value; 2], [first, second]: [&str; 2]) -> String {
    let read = |rows: &Value| rows.as_array().map_or_else(Vec::new, |rows| paytable(rows));
    let (one, other) = (read(one), read(other));
    let lacks = |here: &[String], there: &[String]| -> Vec<String> {
        here.iter().filter(|row| !there.contains(row)).cloned().collect()
    };
    let pays = |name: &str, rows: &[String]| match rows {
        [] => format!("{name} has no row of its own"),
        rows => format!("{name} pays {}", rows.join(", ")),
    };
    let (here, there) = (lacks(&one, &other), lacks(&other, &one));
    if here.is_empty() && there.is_empty() {
        let order = "the same rows in another order";
        return format!("Paytable of {kind}: {order}; {}; {}.", pays(first, &one), pays(second, &other));
    }
    format!("Paytable of {kind}: {}; {}.", pays(first, &here), pays(second, &there))
}

/// Rows in words: `8:1 when winner is tie and punto-total is 9`.
fn paytable(rows: &[Value]) -> Vec<String> {
    rows.iter().map(row).collect()
}

fn row(row: &Value) -> String {
    let Some(members) = row.as_object() else { return row.to_string() };
    let pays = members.get("pays").map(text).unwrap_or_default();
    let condition = |(key, value): (&String, &Value)| match (key.as_str(), value) {
        ("pays", _) | ("commission", Value::Bool(true)) => None,
        ("commission", Value::Bool(false)) => Some("no commission is due".to_owned()),
        (key, Value::Array(values)) => {
            Some(format!("{key} is {}", values.iter().map(text).collect::<Vec<_>>().join(" or ")))
        }
        (key, value) => Some(format!("{key} is {}", text(value))),
    };
    let conditions: Vec<String> = members.iter().filter_map(condition).collect();
    if conditions.is_empty() {
        format!("{pays} always")
    } else {
        format!("{pays} when {}", conditions.join(" and "))
    }
}
