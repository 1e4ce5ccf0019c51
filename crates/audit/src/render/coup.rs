//! One coup in full, and the coups of a shoe a line each.

use replay::{BankView, BetView, CoupVerdict, CoupView, SettlementView, ThirdCard};

use super::finding::one_finding;
use super::format::{money, table};

pub(crate) fn coup(coup: &CoupView) -> String {
    let mut text = heading(coup);
    text.push_str(&format!("\ncards   {}\n", cards(coup)));
    text.push_str(&format!("totals  {}\n", totals(coup)));
    for third in &coup.third_cards {
        text.push_str(&format!("        {}\n", why(third)));
    }
    if let Some(bank) = &coup.bank {
        text.push_str(&of_bank(bank, coup));
    }
    if !coup.bets.is_empty() {
        text.push('\n');
        text.push_str(&bets(coup));
    }
    for finding in &coup.findings {
        one_finding(&mut text, finding, false);
    }
    text
}

/// The bank of chemin de fer: who had it, what was called and announced, what it won or lost.
fn of_bank(bank: &BankView, coup: &CoupView) -> String {
    let sum = |minor_units: u64| money(i128::from(minor_units), coup.currency.as_ref());
    let banker = bank.banker.as_deref().unwrap_or("banker not known");
    let mut text = format!(
        "\nbank    {banker}: {} in play, {} set aside, {} staked against it\n",
        sum(bank.before),
        sum(bank.garaje),
        sum(bank.staked)
    );
    let mut line = |words: String| text.push_str(&format!("        {words}\n"));
    for call in &bank.calls {
        line(format!("{}: «{}»", call.who, call.call.words()));
    }
    for said in &bank.decisions {
        let asked =
            if said.counsel == events::Counsel::Croupier { ", having asked the croupier" } else { "" };
        line(format!("{}: «{}»{asked}", said.hand, said.decision.words()));
    }
    if let Some(uncovered) = bank.uncovered {
        line(format!("{} not covered and set aside for this coup", sum(uncovered)));
    }
    let result = |won: u64, lost: u64, commission: u64| match (won, lost) {
        (0, 0) => "won and lost nothing".to_owned(),
        (won, 0) => format!("won {}, commission {}", sum(won), sum(commission)),
        (_, lost) => format!("lost {}", sum(lost)),
    };
    let due = bank.due.map(|due| result(due.won, due.lost, due.commission));
    let due = due.unwrap_or_else(|| "not derived".to_owned());
    match &bank.recorded {
        None => line(format!("{due}; no account recorded")),
        Some(recorded) => {
            let said = result(recorded.won.get(), recorded.lost.get(), recorded.commission.get());
            let differs = if said == due { String::new() } else { format!("; recorded: {said}") };
            let left = format!("{} in the bank afterwards", sum(recorded.bank.get()));
            line(format!("{due}{differs}; {left}, {} set aside", sum(recorded.garaje.get())));
        }
    }
    text
}

fn verdict(coup: &CoupView) -> String {
    match (coup.verdict, coup.undecided) {
        (CoupVerdict::Undecided, Some(reason)) => format!("undecided ({reason})"),
        (verdict @ (CoupVerdict::Certified | CoupVerdict::Judged), _) if coup.subject_to_ruling => {
            format!("{verdict}, subject to a ruling")
        }
        (verdict, _) => verdict.to_string(),
    }
}

fn heading(coup: &CoupView) -> String {
    let shoe = coup.shoe.as_deref().unwrap_or("-");
    format!(
        "table {}, shoe {shoe}, coup {}: {}\nrulebook {}; events {} to {} (entries {} to {}); {}\n",
        coup.table,
        coup.coup,
        verdict(coup),
        coup.rulebook.as_deref().unwrap_or("-"),
        coup.sequences.0,
        coup.sequences.1,
        coup.entries.0,
        coup.entries.1,
        coup.settled_at
    )
}

fn cards(coup: &CoupView) -> String {
    let words: Vec<String> = coup.cards.iter().map(|card| format!("{} {}", card.to, card.card)).collect();
    if words.is_empty() { "none recorded".to_owned() } else { words.join(", ") }
}

fn totals(coup: &CoupView) -> String {
    let result = |totals: Option<(u8, u8)>, winner: Option<baccarat::Winner>| match (totals, winner) {
        (Some((punto, banca)), Some(winner)) => format!("punto {punto}, banca {banca}: {winner}"),
        (_, _) => "not known".to_owned(),
    };
    let dealt = result(coup.totals, coup.winner);
    let announced = result(coup.totals_recorded, coup.winner_recorded);
    if dealt == announced { dealt } else { format!("{dealt}; announced {announced}") }
}

fn why(third: &ThirdCard) -> String {
    let against =
        third.against.map(|value| format!(" against a third card worth {value}")).unwrap_or_default();
    let did = if third.drew { "drew" } else { "stood" };
    let ThirdCard { side, total, rule, .. } = third;
    match rule.as_str() {
        "natural" => format!("{side} {total}: a natural ends the coup; {side} {did}"),
        rule => format!("{side} {rule} on {total}{against}; it {did}"),
    }
}

fn bets(coup: &CoupView) -> String {
    let sum = |minor_units: u64| money(i128::from(minor_units), coup.currency.as_ref());
    let settlement = |settlement: Option<SettlementView>, bet: &BetView| match settlement {
        _ if bet.withdrawn => "withdrawn".to_owned(),
        None => "-".to_owned(),
        Some(SettlementView { returned, commission: 0 }) => sum(returned),
        Some(SettlementView { returned, commission }) => {
            format!("{} (commission {})", sum(returned), sum(commission))
        }
    };
    let rows = coup.bets.iter().map(|bet| {
        let who = bet.player.as_ref().map(|player| format!(" {player}")).unwrap_or_default();
        let agrees = bet.withdrawn || bet.expected == bet.recorded;
        [
            bet.bet.to_string(),
            format!("{}{who}", bet.seat),
            bet.kind.clone(),
            sum(bet.stake),
            settlement(bet.expected, bet),
            settlement(bet.recorded, bet),
            if agrees { String::new() } else { "differs".to_owned() },
        ]
    });
    table(["bet", "seat", "kind", "stake", "due", "recorded", ""], rows)
}

pub(crate) fn shoes(coups: &[CoupView]) -> String {
    if coups.iter().any(|coup| coup.bank.is_some()) {
        return shoes_of_chemin(coups);
    }
    let rows = coups.iter().map(|coup| {
        let totals = coup.totals.map(|(punto, banca)| format!("{punto}-{banca}")).unwrap_or_default();
        let winner = coup.winner.map(|winner| winner.to_string()).unwrap_or_default();
        let codes: Vec<&str> = coup.findings.iter().map(|finding| finding.code.as_str()).collect();
        let shoe = coup.shoe.clone().unwrap_or_default();
        [
            shoe,
            coup.coup.to_string(),
            hand(coup, "punto"),
            hand(coup, "banca"),
            totals,
            winner,
            verdict(coup),
            codes.join(" "),
        ]
    });
    table(["shoe", "coup", "punto", "banca", "totals", "winner", "verdict", "findings"], rows)
}

/// The cards of one hand.
fn hand(coup: &CoupView, side: &str) -> String {
    let cards: Vec<&str> =
        coup.cards.iter().filter(|card| card.to == side).map(|card| card.card.as_str()).collect();
    cards.join(" ")
}

/// Coups of chemin de fer: who had the bank, what it had in play and what it has afterwards.
fn shoes_of_chemin(coups: &[CoupView]) -> String {
    let rows = coups.iter().map(|coup| {
        let sum = |minor_units: u64| money(i128::from(minor_units), coup.currency.as_ref());
        let bank = coup.bank.as_ref();
        let recorded = bank.and_then(|bank| bank.recorded.as_ref());
        let winner = coup.winner.map(|winner| winner.to_string()).unwrap_or_default();
        let codes: Vec<&str> = coup.findings.iter().map(|finding| finding.code.as_str()).collect();
        [
            coup.shoe.clone().unwrap_or_default(),
            coup.coup.to_string(),
            bank.and_then(|bank| bank.banker.clone()).unwrap_or_else(|| "-".to_owned()),
            bank.map(|bank| sum(bank.before)).unwrap_or_default(),
            bank.map(|bank| sum(bank.staked)).unwrap_or_default(),
            hand(coup, "punto"),
            hand(coup, "banca"),
            winner,
            recorded.map(|account| sum(account.bank.get())).unwrap_or_default(),
            recorded.map(|account| sum(account.garaje.get())).unwrap_or_default(),
            verdict(coup),
            codes.join(" "),
        ]
    });
    let headings = [
        "shoe",
        "coup",
        "banker",
        "bank",
        "staked",
        "punto",
        "banca",
        "winner",
        "afterwards",
        "garaje",
        "verdict",
        "findings",
    ];
    table(headings, rows)
}
