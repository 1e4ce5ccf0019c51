//! A rulebook for people: parameters with their sources, tableau, paytables.

use baccarat::{BetRule, BurnMethod, CheminRules, Clause, Game, NewShoe, PayRow, Points, Rank, Rulebook};

pub(crate) fn rulebook(book: &Rulebook) -> String {
    let until = book.effective.until.as_ref().map(|day| format!(" until {day}")).unwrap_or_default();
    let mut text = format!(
        "{}: {}\njurisdiction {}; in force from {}{until}\ndigest {}\n\n",
        book.id,
        book.title,
        book.jurisdiction,
        book.effective.from,
        book.digest()
    );
    for (clause, what) in parameters(book) {
        line(&mut text, book, &clause, &what);
    }
    tableau(&mut text, book);
    for (kind, rule) in &book.bets {
        bet(&mut text, book, kind.as_str(), rule);
        sources(&mut text, book, &Clause::Bet(kind.clone()));
    }
    text.push_str("\nsources\n");
    for (key, citation) in &book.citations {
        text.push_str(&format!("  [{key}] {}\n", citation.source));
        if !citation.text.is_empty() {
            text.push_str(&format!("      {}\n", citation.text));
        }
    }
    text
}

/// A value in the words of the rulebook file.
fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(value) => value.to_string(),
        Err(error) => error.to_string(),
    }
}

fn list<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(", ")
}

fn parameters(book: &Rulebook) -> Vec<(Clause, String)> {
    let deal = &book.deal;
    let limits = &book.limits;
    let mut rows = vec![
        (
            Clause::Shoe,
            format!(
                "{} decks{}{}",
                list(&book.shoe.decks),
                if book.shoe.reuse { "; shoes and decks may be used again" } else { "" },
                if book.shoe.overnight { "; a shoe may stay loaded overnight" } else { "" }
            ),
        ),
        (
            Clause::CutCard,
            format!(
                "at least {} cards behind; {}{}",
                book.cut_card.cards_behind,
                word(&book.cut_card.last_coup),
                if book.cut_card.first_card_counts { ", a coup that begins with it counts" } else { "" }
            ),
        ),
        (Clause::Burn, burn(&book.burn.method)),
        (
            Clause::Deal,
            format!(
                "order {}; dealt by {}{}; punto's cards to {}; equal bets {}",
                word(&deal.order),
                word(&deal.dealer),
                match deal.new_shoe {
                    NewShoe::Unstated => "",
                    NewShoe::GoesOn => ", with a new shoe the turn goes on",
                    NewShoe::Anew => ", with a new shoe the turn starts again",
                },
                word(&deal.punto_holder),
                word(&deal.tie_break)
            ),
        ),
        (
            Clause::Seats,
            format!(
                "{}{}",
                list(&book.seats.numbers),
                if book.seats.own_place { "; players bet in their own place only" } else { "" }
            ),
        ),
        (
            Clause::Limits,
            format!(
                "maximum over minimum {}; multiples {}; over the limit {}",
                if limits.maximum_over_minimum.is_empty() {
                    "free".to_owned()
                } else {
                    list(&limits.maximum_over_minimum)
                },
                if limits.multiples_allowed { "may be asked for" } else { "may not be asked for" },
                word(&limits.over_limit)
            ),
        ),
    ];
    if let Some(commission) = &book.commission {
        let rounding = commission.rounding;
        rows.push((
            Clause::Commission,
            format!(
                "{} of the win, {}, rounded {} to {} minor units",
                commission.rate,
                commission.charge,
                word(&rounding.mode),
                rounding.unit
            ),
        ));
    }
    for pair in &book.forbidden_pairs {
        rows.push((Clause::ForbiddenPairs, format!("{} with {} by one player", pair.bets[0], pair.bets[1])));
    }
    if book.clock.is_some() {
        let (step, ahead, within) = (book.clock_step(), book.clock_ahead(), book.recorded_within());
        let text = format!("back at most {step} microseconds, ahead {ahead}, recorded within {within}");
        rows.push((Clause::Clock, text));
    }
    if book.rulings.is_some() {
        let second = if book.rulings_countersigned() { "countersigned" } else { "one signature is enough" };
        rows.push((Clause::Rulings, second.to_owned()));
    }
    if let Some(chemin) = &book.chemin {
        rows.extend(of_chemin(chemin));
    }
    for (code, rule) in &book.irregularities {
        rows.push((Clause::Irregularity(code.clone()), rule.consequence.to_string()));
    }
    rows
}

fn of_chemin(rules: &CheminRules) -> Vec<(Clause, String)> {
    let CheminRules { players, bank, turn, banco: _, free_play, chart, garaje, abonos } = rules;
    let unlimited = if bank.may_be_unlimited { ", or without a maximum by permission" } else { "" };
    let newcomers = if turn.newcomers_pass { "; newcomers must first let it pass" } else { "" };
    let zero = if free_play.zero_draws { "; a banker with 0 draws" } else { "" };
    let mut rows = vec![
        (Clause::Players, format!("at least {}", players.least)),
        (Clause::Bank, format!("at most {} times the minimum{unlimited}", bank.maximum)),
        (
            Clause::Turn,
            format!("from seat 1 upwards; {} refusals in a row cost the seat{newcomers}", turn.leaves_after),
        ),
        (Clause::Banco, "banco, banco con la mesa, banco seguido".to_owned()),
        (Clause::FreePlay, format!("in a banco, by permission of {}{zero}", free_play.office)),
        (Clause::Chart, format!("binds the banker: {}", word(&chart.binds))),
        (
            Clause::Garaje,
            match garaje.voluntary_over {
                Some(times) => format!("by choice once winnings exceed {times} times the minimum"),
                None => "by choice under a condition that is not stated".to_owned(),
            },
        ),
    ];
    rows.extend(abonos.as_ref().map(|abonos| {
        let limits = if abonos.within_limits { ", within the table's limits" } else { "" };
        (Clause::Abonos, format!("at most {} in a coup{limits}", abonos.most))
    }));
    rows
}

fn burn(method: &BurnMethod) -> String {
    match method {
        BurnMethod::Indicator { values } => {
            let each = Rank::ALL.iter().zip(values).map(|(rank, count)| format!("{rank} {count}"));
            format!("by the first card: {}", list(each))
        }
        BurnMethod::Decks => "as many as decks".to_owned(),
        BurnMethod::Fixed { count } => format!("{count} cards"),
        BurnMethod::None => "none".to_owned(),
    }
}

fn line(text: &mut String, book: &Rulebook, clause: &Clause, what: &str) {
    text.push_str(&format!("{:<16} {what}\n", clause.path()));
    sources(text, book, clause);
}

fn sources(text: &mut String, book: &Rulebook, clause: &Clause) {
    let keys = list(book.citations_of(clause).map(|(key, _)| format!("[{key}]")));
    if !keys.is_empty() {
        text.push_str(&format!("{:<16} {keys}\n", ""));
    }
}

fn tableau(text: &mut String, book: &Rulebook) {
    let open = match book.game() {
        Game::PuntoBanca => "",
        Game::CheminDeFer => ", O may choose, U not stated",
    };
    text.push_str(&format!("\ntableau          T draws, P stands{open}; columns: {}\n", word(&book.columns)));
    let mark = |draw: baccarat::Draw| match draw {
        baccarat::Draw::Draws => 'T',
        baccarat::Draw::Stands => 'P',
        baccarat::Draw::Optional => 'O',
        baccarat::Draw::Unstated => 'U',
    };
    let points = |range: std::ops::Range<u8>| range.filter_map(Points::new);
    let row: Vec<String> =
        points(0..8).map(|total| format!("{total}{}", mark(book.tableau.punto(total)))).collect();
    text.push_str(&format!("  punto on its total: {}\n", row.join(" ")));
    text.push_str("  banca   0 1 2 3 4 5 6 7 8 9  punto stood\n");
    for total in points(0..8) {
        let cells: Vec<String> =
            points(0..10).map(|column| mark(book.tableau.banca(total, Some(column))).to_string()).collect();
        text.push_str(&format!(
            "      {total}   {}  {}\n",
            cells.join(" "),
            mark(book.tableau.banca(total, None))
        ));
    }
    sources(text, book, &Clause::Tableau);
}

fn bet(text: &mut String, book: &Rulebook, kind: &str, rule: &BetRule) {
    let commission = if rule.commission && book.commission.is_some() { ", commission on wins" } else { "" };
    let cap = rule.cap.map(|cap| format!(", at most {cap} of the table's maximum")).unwrap_or_default();
    let requires = if rule.requires.is_empty() {
        String::new()
    } else {
        let most = rule.cap_of_required.map(|cap| format!(", at most {cap} of it")).unwrap_or_default();
        let kinds: Vec<&str> = rule.requires.iter().map(baccarat::BetKind::as_str).collect();
        format!(", only together with {}{most}", kinds.join(" or "))
    };
    text.push_str(&format!("\nbets.{kind:<11} {}{commission}{cap}{requires}\n", rule.title));
    for row in &rule.rows {
        text.push_str(&format!("  {:<8} when {}\n", row.pays.to_string(), conditions(row)));
    }
    text.push_str("  lose     otherwise\n");
}

/// The conditions of a row in the words of the rulebook file.
fn conditions(row: &PayRow) -> String {
    let Ok(serde_json::Value::Object(members)) = serde_json::to_value(row) else { return String::new() };
    let conditions: Vec<String> = members
        .iter()
        .filter(|(key, _)| *key != "pays" && *key != "commission")
        .map(|(key, value)| match value.as_array() {
            Some(values) => format!("{key} is {}", values.iter().map(word).collect::<Vec<_>>().join(" or ")),
            None => format!("{key} is {value}"),
        })
        .collect();
    if conditions.is_empty() { "in any case".to_owned() } else { conditions.join(" and ") }
}
