//! One coup in full, and the coups of a shoe a line each.

use baccarat::Winner;
use replay::statement::Party;
use replay::{BankView, BetView, CoupVerdict, CoupView, RulebookUsed, SettlementView, ThirdCard};

use super::cited::cited;
use super::finding::one_finding;
use super::format::{card, money, table};
use crate::language::texts;

pub(crate) fn coup(coup: &CoupView, rulebooks: &[RulebookUsed]) -> String {
    let mut text = heading(coup);
    text.push_str(&format!("\n{:<7} {}\n", texts().cards_label(), cards(coup)));
    text.push_str(&format!("{:<7} {}\n", texts().totals_label(), totals(coup)));
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
        one_finding(&mut text, finding);
    }
    text + &cited(&coup.findings, rulebooks)
}

/// The bank of chemin de fer: who had it, what was called and announced, what it won or lost.
fn of_bank(bank: &BankView, coup: &CoupView) -> String {
    let sum = |minor_units: u64| money(i128::from(minor_units), coup.currency.as_ref());
    let banker = bank.banker.as_ref().map_or_else(|| texts().banker_unknown(), party);
    let line = texts().bank_line(banker, sum(bank.before), sum(bank.garaje), sum(bank.staked));
    let mut text = format!("\n{:<7} {line}\n", texts().bank_label());
    let mut line = |words: String| text.push_str(&format!("        {words}\n"));
    for call in &bank.calls {
        line(format!("{}: «{}»", party(&call.who), call.call.words()));
    }
    for said in &bank.decisions {
        let asked = match said.counsel {
            events::Counsel::Croupier => texts().asked_the_croupier(),
            _ => String::new(),
        };
        line(format!("{}: «{}»{asked}", side(&said.hand.to_string()), said.decision.words()));
    }
    if let Some(uncovered) = bank.uncovered {
        line(texts().uncovered(sum(uncovered)));
    }
    let result = |won: u64, lost: u64, commission: u64| match (won, lost) {
        (0, 0) => texts().won_nothing(),
        (won, 0) => texts().won(sum(won), sum(commission)),
        (_, lost) => texts().lost(sum(lost)),
    };
    let due = bank.due.map(|due| result(due.won, due.lost, due.commission));
    let due = due.unwrap_or_else(|| texts().not_derived());
    match &bank.recorded {
        None => line(texts().no_account(due)),
        Some(recorded) => {
            let said = result(recorded.won.get(), recorded.lost.get(), recorded.commission.get());
            let differs = if said == due { String::new() } else { texts().account_differs(said) };
            line(texts().account(due, differs, sum(recorded.bank.get()), sum(recorded.garaje.get())));
        }
    }
    text
}

/// A player by the seat they sit at, or stand behind.
fn party(party: &Party) -> String {
    match &party.standing {
        Some(name) => texts().standing(name, party.seat),
        None => texts().seated(party.seat),
    }
}

fn verdict(coup: &CoupView) -> String {
    let word = coup.verdict.word(texts().language());
    match (coup.verdict, coup.undecided) {
        (CoupVerdict::Undecided, Some(reason)) => texts().undecided_for(reason),
        (CoupVerdict::Certified | CoupVerdict::Judged, _) if coup.subject_to_ruling => {
            texts().subject_to_ruling(word)
        }
        (_, _) => word.to_owned(),
    }
}

fn heading(coup: &CoupView) -> String {
    let shoe = coup.shoe.as_deref().unwrap_or("-");
    let rulebook = coup.rulebook.as_deref().unwrap_or("-");
    let ((first, last), (first_entry, last_entry)) = (coup.sequences, coup.entries);
    let heading = texts().coup_heading(&coup.table, shoe, coup.coup, verdict(coup));
    let place = texts().coup_place(rulebook, first, last, first_entry, last_entry, &coup.settled_at);
    format!("{heading}\n{place}\n")
}

fn cards(coup: &CoupView) -> String {
    let words: Vec<String> =
        coup.cards.iter().map(|drawn| format!("{} {}", side(&drawn.to), card(&drawn.card))).collect();
    if words.is_empty() { texts().none_recorded() } else { words.join(", ") }
}

/// A hand by its name in JSON.
fn side(name: &str) -> String {
    match name {
        "punto" => texts().punto(),
        "banca" => texts().banca(),
        other => other.to_owned(),
    }
}

fn totals(coup: &CoupView) -> String {
    let result = |totals: Option<(u8, u8)>, winner: Option<Winner>| match (totals, winner) {
        (Some((punto, banca)), Some(winner)) => texts().totals(punto, banca, wins(winner)),
        (_, _) => texts().not_known(),
    };
    let dealt = result(coup.totals, coup.winner);
    let announced = result(coup.totals_recorded, coup.winner_recorded);
    if dealt == announced { dealt } else { texts().announced(dealt, announced) }
}

/// How a coup ended, as a sentence says it.
fn wins(winner: Winner) -> String {
    match winner {
        Winner::Punto => texts().punto_wins(),
        Winner::Banca => texts().banca_wins(),
        Winner::Tie => texts().a_tie(),
    }
}

/// How a coup ended, in a word.
fn winner(winner: Winner) -> String {
    match winner {
        Winner::Punto => texts().punto(),
        Winner::Banca => texts().banca(),
        Winner::Tie => texts().tie(),
    }
}

fn why(third: &ThirdCard) -> String {
    let against = third.against.map(|value| texts().against_third(value)).unwrap_or_default();
    let did = if third.drew { texts().drew() } else { texts().stood() };
    let ThirdCard { side: hand, total, rule, .. } = third;
    let hand = side(&hand.to_string());
    let rule = match rule.as_str() {
        "natural" => return texts().natural(hand, total, did),
        "draws" => texts().must_draw(),
        "stands" => texts().must_stand(),
        "may choose" => texts().may_choose(),
        "has no stated rule" => texts().not_stated(),
        other => other.to_owned(),
    };
    texts().third_card(hand, rule, total, against, did)
}

fn bets(coup: &CoupView) -> String {
    let sum = |minor_units: u64| money(i128::from(minor_units), coup.currency.as_ref());
    let settlement = |settlement: Option<SettlementView>, bet: &BetView| match settlement {
        _ if bet.withdrawn => texts().withdrawn(),
        None => "-".to_owned(),
        Some(SettlementView { returned, commission: 0 }) => sum(returned),
        Some(SettlementView { returned, commission }) => {
            texts().with_commission(sum(returned), sum(commission))
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
            if agrees { String::new() } else { texts().differs() },
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
        let winner = coup.winner.map(winner).unwrap_or_default();
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
        let winner = coup.winner.map(winner).unwrap_or_default();
        let codes: Vec<&str> = coup.findings.iter().map(|finding| finding.code.as_str()).collect();
        [
            coup.shoe.clone().unwrap_or_default(),
            coup.coup.to_string(),
            bank.and_then(|bank| bank.banker.as_ref()).map_or_else(|| "-".to_owned(), party),
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
