//! A rulebook for people: parameters with their sources, tableau, paytables.

use baccarat::{BetRule, BurnMethod, CheminRules, Clause, Game, NewShoe, PayRow, Points, Rank, Rulebook};
use replay::Language;

use crate::language::texts;

pub(crate) fn rulebook(book: &Rulebook) -> String {
    let until = book.effective.until.as_ref().map(|day| texts().until(texts().day(day))).unwrap_or_default();
    let Rulebook { id, title, jurisdiction, effective, .. } = book;
    let digest = book.digest();
    let mut text =
        texts().rulebook_head(id, title, jurisdiction, texts().day(&effective.from), until, digest);
    for (clause, what) in parameters(book) {
        line(&mut text, book, &clause, &what);
    }
    tableau(&mut text, book);
    for (kind, rule) in &book.bets {
        bet(&mut text, book, kind.as_str(), rule);
        sources(&mut text, book, &Clause::Bet(kind.clone()));
    }
    text.push_str(&format!("\n{}\n", texts().sources_heading()));
    for (key, citation) in &book.citations {
        text.push_str(&format!("  [{key}] {}\n", citation.source));
        if !citation.text.is_empty() {
            text.push_str(&format!("      {}\n", citation.text));
        }
    }
    text
}

/// A value in the words of the rulebook file, which are English, or as it is said in Spanish.
fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => texts().file_word(&text),
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
    let reuse = said(book.shoe.reuse, || texts().may_be_reused());
    let overnight = said(book.shoe.overnight, || texts().overnight());
    let cut = &book.cut_card;
    let first = said(cut.first_card_counts, || texts().coup_beginning_counts());
    let turn = match deal.new_shoe {
        NewShoe::Unstated => String::new(),
        NewShoe::GoesOn => texts().turn_goes_on(),
        NewShoe::Anew => texts().turn_starts_again(),
    };
    let (order, dealer, holder) = (word(&deal.order), word(&deal.dealer), word(&deal.punto_holder));
    let own_place = said(book.seats.own_place, || texts().own_place_only());
    let ratio = match limits.maximum_over_minimum.is_empty() {
        true => texts().free(),
        false => list(&limits.maximum_over_minimum),
    };
    let multiples =
        if limits.multiples_allowed { texts().may_be_asked() } else { texts().may_not_be_asked() };
    let mut rows = vec![
        (Clause::Shoe, texts().shoe_decks(list(&book.shoe.decks), reuse, overnight)),
        (Clause::CutCard, texts().cut_card(cut.cards_behind, word(&cut.last_coup), first)),
        (Clause::Burn, burn(&book.burn.method)),
        (Clause::Deal, texts().deal(order, dealer, turn, holder, word(&deal.tie_break))),
        (Clause::Seats, format!("{}{own_place}", list(&book.seats.numbers))),
        (Clause::Limits, texts().limits(ratio, multiples, word(&limits.over_limit))),
    ];
    if let Some(commission) = &book.commission {
        let (mode, unit) = (word(&commission.rounding.mode), commission.rounding.unit);
        rows.push((
            Clause::Commission,
            texts().commission(commission.rate, word(&commission.charge), mode, unit),
        ));
    }
    for pair in &book.forbidden_pairs {
        rows.push((Clause::ForbiddenPairs, texts().forbidden_pair(&pair.bets[0], &pair.bets[1])));
    }
    if book.clock.is_some() {
        let (step, ahead, within) = (book.clock_step(), book.clock_ahead(), book.recorded_within());
        rows.push((Clause::Clock, texts().clock(step, ahead, within)));
    }
    if book.rulings.is_some() {
        let second =
            if book.rulings_countersigned() { texts().countersigned() } else { texts().one_signature() };
        rows.push((Clause::Rulings, second));
    }
    if let Some(chemin) = &book.chemin {
        rows.extend(of_chemin(chemin));
    }
    for (code, rule) in &book.irregularities {
        let consequence = match texts().language() {
            Language::English => rule.consequence.to_string(),
            Language::Spanish => word(&rule.consequence),
        };
        rows.push((Clause::Irregularity(code.clone()), consequence));
    }
    rows
}

/// A remark where it applies.
fn said(applies: bool, remark: impl FnOnce() -> String) -> String {
    if applies { remark() } else { String::new() }
}

fn of_chemin(rules: &CheminRules) -> Vec<(Clause, String)> {
    let CheminRules { players, bank, turn, banco: _, free_play, chart, garaje, abonos } = rules;
    let unlimited = said(bank.may_be_unlimited, || texts().unlimited_by_permission());
    let newcomers = said(turn.newcomers_pass, || texts().newcomers_pass());
    let zero = said(free_play.zero_draws, || texts().zero_draws());
    let garaje = match garaje.voluntary_over {
        Some(times) => texts().garaje_over(times),
        None => texts().garaje_unstated(),
    };
    let mut rows = vec![
        (Clause::Players, texts().at_least(players.least)),
        (Clause::Bank, texts().bank_maximum(bank.maximum, unlimited)),
        (Clause::Turn, texts().turn_from_seat_one(turn.leaves_after, newcomers)),
        (Clause::Banco, texts().bancos()),
        (Clause::FreePlay, texts().free_play(&free_play.office, zero)),
        (Clause::Chart, texts().binds_banker(word(&chart.binds))),
        (Clause::Garaje, garaje),
    ];
    rows.extend(abonos.as_ref().map(|abonos| {
        let limits = said(abonos.within_limits, || texts().within_limits());
        (Clause::Abonos, texts().abonos(abonos.most, limits))
    }));
    rows
}

fn burn(method: &BurnMethod) -> String {
    match method {
        BurnMethod::Indicator { values } => {
            let each = Rank::ALL.iter().zip(values).map(|(rank, count)| format!("{rank} {count}"));
            texts().burn_by_first_card(list(each))
        }
        BurnMethod::Decks => texts().burn_decks(),
        BurnMethod::Fixed { count } => texts().burn_fixed(count),
        BurnMethod::None => texts().burn_none(),
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
        Game::PuntoBanca => String::new(),
        Game::CheminDeFer => texts().tableau_open(),
    };
    let legend = texts().tableau_legend(open, word(&book.columns));
    text.push_str(&format!("\ntableau          {legend}\n"));
    let mark = |draw: baccarat::Draw| match draw {
        baccarat::Draw::Draws => 'T',
        baccarat::Draw::Stands => 'P',
        baccarat::Draw::Optional => 'O',
        baccarat::Draw::Unstated => 'U',
    };
    let points = |range: std::ops::Range<u8>| range.filter_map(Points::new);
    let row: Vec<String> =
        points(0..8).map(|total| format!("{total}{}", mark(book.tableau.punto(total)))).collect();
    text.push_str(&format!("  {}\n", texts().punto_on_total(row.join(" "))));
    text.push_str(&format!("  banca   0 1 2 3 4 5 6 7 8 9  {}\n", texts().punto_stood_column()));
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
    let commission = said(rule.commission && book.commission.is_some(), || texts().commission_on_wins());
    let cap = rule.cap.map(|cap| texts().cap_of_maximum(cap)).unwrap_or_default();
    let requires = said(!rule.requires.is_empty(), || {
        let most = rule.cap_of_required.map(|cap| texts().cap_of_it(cap)).unwrap_or_default();
        let kinds: Vec<&str> = rule.requires.iter().map(baccarat::BetKind::as_str).collect();
        texts().only_with(kinds.join(&texts().or()), most)
    });
    text.push_str(&format!("\nbets.{kind:<11} {}{commission}{cap}{requires}\n", rule.title));
    for row in &rule.rows {
        let pays = format!("{:<8}", word(&row.pays));
        text.push_str(&format!("  {}\n", texts().pays_when(pays, conditions(row))));
    }
    text.push_str(&format!("  {}\n", texts().bet_loses()));
}

/// A value of a condition.
fn yes_or_no(value: &serde_json::Value) -> String {
    match value.as_bool() {
        Some(true) => texts().condition_true(),
        Some(false) => texts().condition_false(),
        None => word(value),
    }
}

/// The condition that one of these is the winner, as people say it in Spanish. In English the words of the file are
/// those that people say.
fn won(key: &str, winners: &[serde_json::Value]) -> Option<String> {
    if key != "winner" || texts().language() == Language::English {
        return None;
    }
    let said = winners.iter().map(|winner| match winner.as_str()? {
        "punto" => Some(texts().punto_wins()),
        "banca" => Some(texts().banca_wins()),
        "tie" => Some(texts().there_is_a_tie()),
        _ => None,
    });
    Some(said.collect::<Option<Vec<_>>>()?.join(&texts().or()))
}

/// The conditions of a row in the words of the rulebook file.
fn conditions(row: &PayRow) -> String {
    let Ok(serde_json::Value::Object(members)) = serde_json::to_value(row) else { return String::new() };
    let conditions: Vec<String> = members
        .iter()
        .filter(|(key, _)| *key != "pays" && *key != "commission")
        .map(|(key, value)| match value.as_array() {
            Some(values) => won(key, values).unwrap_or_else(|| {
                let values: Vec<String> = values.iter().map(word).collect();
                texts().condition_is(key, values.join(&texts().or()))
            }),
            None => texts().condition_is(key, yes_or_no(value)),
        })
        .collect();
    if conditions.is_empty() { texts().in_any_case() } else { conditions.join(&texts().and_condition()) }
}
