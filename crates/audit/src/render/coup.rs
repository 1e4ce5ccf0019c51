//! One coup in full, and the coups of a shoe a line each.

use replay::{BetView, CoupView, RulebookUsed};

use super::cited::cited;
use super::finding::one_finding;
use super::format::{card, money, table};
use crate::language::texts;

pub(crate) fn coup(coup: &CoupView, rulebooks: &[RulebookUsed]) -> String {
    let mut text = heading(coup);
    text.push_str(&format!("\n{:<7} {}\n", texts().cards_label(), cards(coup)));
    text.push_str(&format!("{:<7} {}\n", texts().totals_label(), texts().totals_of(coup)));
    for third in &coup.third_cards {
        text.push_str(&format!("        {}\n", texts().why_third_card(third)));
    }
    let rulings = texts().ruling_lines(coup);
    if !rulings.is_empty() {
        text.push_str(&format!("\n{}\n", texts().rulings_heading()));
        rulings.iter().for_each(|line| text.push_str(&format!("        {line}\n")));
    }
    text.push_str(&of_bank(coup));
    if !coup.bets.is_empty() {
        text.push('\n');
        text.push_str(&bets(coup));
    }
    let account = texts().account_lines(coup);
    if !account.is_empty() {
        text.push_str(&format!("\n{}\n", texts().account_heading()));
        account.iter().for_each(|line| text.push_str(&format!("        {line}\n")));
    }
    for finding in &coup.findings {
        one_finding(&mut text, finding);
    }
    text + &cited(&coup.findings, rulebooks)
}

/// The bank of chemin de fer: who had it, what was called and announced, what it won or lost.
fn of_bank(coup: &CoupView) -> String {
    let lines = texts().bank_lines(coup);
    let lines = lines.iter().enumerate().map(|(at, line)| match at {
        0 => format!("\n{:<7} {line}\n", texts().bank_label()),
        _ => format!("        {line}\n"),
    });
    lines.collect()
}

fn heading(coup: &CoupView) -> String {
    let or_none = |name: Option<&str>| name.map_or_else(|| texts().none_there(), str::to_owned);
    let (shoe, rulebook) = (or_none(coup.shoe.as_deref()), or_none(coup.rulebook.as_deref()));
    let ((first, last), (first_entry, last_entry)) = (coup.sequences, coup.entries);
    let heading = texts().coup_heading(&coup.table, shoe, coup.coup, texts().coup_verdict(coup));
    let settled = texts().time(&coup.settled_at);
    let place = texts().coup_place(rulebook, first, last, first_entry, last_entry, settled);
    format!("{heading}\n{place}\n")
}

pub(crate) fn cards(coup: &CoupView) -> String {
    let words: Vec<String> =
        coup.cards.iter().map(|drawn| format!("{} {}", texts().hand(&drawn.to), card(&drawn.card))).collect();
    if words.is_empty() { texts().none_recorded() } else { words.join(", ") }
}

fn bets(coup: &CoupView) -> String {
    let sum = |minor_units: u64| money(i128::from(minor_units), coup.currency.as_ref());
    let settlement =
        |bet: &BetView, settlement| texts().settlement_of(bet, settlement, coup.currency.as_ref());
    let rows = coup.bets.iter().map(|bet| {
        let who = bet.player.as_ref().map(|player| format!(" {player}")).unwrap_or_default();
        [
            bet.bet.to_string(),
            format!("{}{who}", bet.seat),
            texts().bet_word(&bet.kind),
            sum(bet.stake),
            settlement(bet, bet.expected),
            settlement(bet, bet.recorded),
            if texts::Texts::is_settled_otherwise(bet) { texts().differs() } else { String::new() },
        ]
    });
    let (due, recorded) = (texts().due(), texts().as_recorded());
    let headings = [texts().bet(), texts().seat(), texts().kind(), texts().stake(), due, recorded];
    let [bet, seat, kind, stake, due, recorded] = headings;
    table([bet, seat, kind, stake, due, recorded, String::new()], rows)
}

pub(crate) fn shoes(coups: &[CoupView]) -> String {
    if coups.iter().any(|coup| coup.bank.is_some()) {
        return shoes_of_chemin(coups);
    }
    let rows = coups.iter().map(|coup| {
        let totals = coup.totals.map(|(punto, banca)| format!("{punto}-{banca}")).unwrap_or_default();
        let winner = coup.winner.map(|winner| texts().winner_word(winner)).unwrap_or_default();
        let codes: Vec<&str> = coup.findings.iter().map(|finding| finding.code.as_str()).collect();
        let shoe = coup.shoe.clone().unwrap_or_default();
        [
            shoe,
            coup.coup.to_string(),
            hand(coup, "punto"),
            hand(coup, "banca"),
            totals,
            winner,
            texts().coup_verdict(coup),
            codes.join(" "),
        ]
    });
    let headings = [
        texts().shoe(),
        texts().coup(),
        texts().punto(),
        texts().banca(),
        texts().totals_label(),
        texts().winner(),
        texts().verdict_heading(),
        texts().findings_heading(),
    ];
    table(headings, rows)
}

/// The cards of one hand.
fn hand(coup: &CoupView, side: &str) -> String {
    let cards: Vec<String> =
        coup.cards.iter().filter(|drawn| drawn.to == side).map(|drawn| card(&drawn.card)).collect();
    cards.join(" ")
}

/// Coups of chemin de fer: who had the bank, what it had in play and what it has afterwards.
fn shoes_of_chemin(coups: &[CoupView]) -> String {
    let rows = coups.iter().map(|coup| {
        let sum = |minor_units: u64| money(i128::from(minor_units), coup.currency.as_ref());
        let bank = coup.bank.as_ref();
        let recorded = bank.and_then(|bank| bank.recorded.as_ref());
        let winner = coup.winner.map(|winner| texts().winner_word(winner)).unwrap_or_default();
        let codes: Vec<&str> = coup.findings.iter().map(|finding| finding.code.as_str()).collect();
        [
            coup.shoe.clone().unwrap_or_default(),
            coup.coup.to_string(),
            bank.and_then(|bank| bank.banker.as_ref())
                .map_or_else(|| "-".to_owned(), |party| texts().party(party)),
            bank.map(|bank| sum(bank.before)).unwrap_or_default(),
            bank.map(|bank| sum(bank.staked)).unwrap_or_default(),
            hand(coup, "punto"),
            hand(coup, "banca"),
            winner,
            recorded.map(|account| sum(account.bank.get())).unwrap_or_default(),
            recorded.map(|account| sum(account.garaje.get())).unwrap_or_default(),
            texts().coup_verdict(coup),
            codes.join(" "),
        ]
    });
    let headings = [
        texts().shoe(),
        texts().coup(),
        texts().banker(),
        texts().bank_label(),
        texts().staked(),
        texts().punto(),
        texts().banca(),
        texts().winner(),
        texts().afterwards(),
        texts().garaje(),
        texts().verdict_heading(),
        texts().findings_heading(),
    ];
    table(headings, rows)
}
