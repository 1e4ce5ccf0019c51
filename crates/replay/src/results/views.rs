//! Views of whole coups.

use baccarat::{BancaPlay, Coup, Deal, Rulebook, Settlement, Side};
use events::{Body, ComputedValue, Counsel};

use super::Evidence;
use super::account::account;
use super::attested::{event, events};
use super::coups::{CoupOver, FoundInCoups, Laid};
use super::course::Course;
use super::part::Part;
use super::rulings::rulings;
use crate::account::SumRange;
use crate::checks::BankChecked;
use crate::corrected::Compared;
use crate::detail::{BetView, CardView, CoupView, SettlementView, third_cards, third_cards_chosen};
use crate::{BetAccount, CoupAccount, CoupVerdict, DecisionView, Reason, ThirdCard};

/// Views of those coups that are wanted, by their shoes and numbers, in the order in which they are over.
pub(super) fn views<'p>(
    part: &'p Part<'_, '_, '_>,
    corrected: &'p Compared,
    wants: impl Fn(Option<&str>, u32) -> bool + 'p,
) -> impl Iterator<Item = CoupView> + 'p {
    let Part { evidence, course, found: findings, coups, .. } = part;
    let (computed, found, rulings) = (computed(evidence), FoundInCoups::of(findings), rulings(evidence));
    let is_wanted = move |coup: &&CoupOver<'_, '_>| {
        wants(course.id_of_coup(coup.place.0, coup.record.began).as_deref(), coup.record.number)
    };
    let view = move |coup: &CoupOver<'_, '_>| {
        let found = coup.found(&found);
        let account = account(coup, &found);
        let first = computed.partition_point(|(at, ..)| *at < coup.record.began);
        let since = computed.iter().skip(first).take_while(|(at, ..)| *at <= coup.over);
        let own = since.filter(|(_, number, _)| *number == coup.record.number);
        let mut values: Vec<ComputedValue> = own.map(|(_, _, value)| *value).collect();
        values.sort_unstable();
        values.dedup();
        let view = view(evidence, course, coup, account);
        let corrected = corrected.coups.get(&(view.shoe.clone(), coup.record.number)).cloned();
        let findings = found.into_iter().cloned().collect();
        let ruled = rulings.get(&coup.place).map_or(&[][..], Vec::as_slice);
        let more_rulings = ruled.len().saturating_sub(CoupView::MOST_RULINGS) as u64;
        let rulings = ruled.iter().take(CoupView::MOST_RULINGS).cloned().collect();
        CoupView { corrected, computed: values, findings, rulings, more_rulings, ..view }
    };
    coups.iter().filter(is_wanted).map(view)
}

/// Values that a program computed: where it says so, of which coup, and which.
fn computed(evidence: &Evidence<'_, '_>) -> Vec<(u64, u32, ComputedValue)> {
    let mut all = Vec::new();
    for (sequence, event) in events(evidence) {
        if let Body::ValuesComputed(computed) = &event.body {
            all.extend(computed.values.iter().map(|value| (sequence, computed.coup, *value)));
        }
    }
    all
}

fn view(
    evidence: &Evidence<'_, '_>,
    course: &Course<'_>,
    coup: &CoupOver<'_, '_>,
    account: CoupAccount,
) -> CoupView {
    let (record, over) = (coup.record, coup.over);
    let rules = course.rules(over);
    let hands = hands(coup);
    let settled = coup.settled.map(|told| told.value);
    let outcome = coup.outcome;
    let bank = coup.checked.and_then(|checked| checked.at_bank.as_deref());
    let last = event(evidence, over);
    CoupView {
        table: evidence.table.to_owned(),
        shoe: course.id_of_coup(coup.place.0, coup.record.began),
        coup: record.number,
        rulebook: rules.map(|rules| rules.id.clone()),
        currency: course.currency(over),
        sequences: (record.began, over),
        entries: ((evidence.entry)(record.began), (evidence.entry)(over)),
        settled_at: last.map(|event| event.occurred_at.to_string()).unwrap_or_default(),
        cards: cards(coup),
        totals: hands.map(|hands| (hands.punto.total().get(), hands.banca.total().get())),
        totals_recorded: settled.map(|settled| (settled.punto_total, settled.banca_total)),
        winner: hands.map(|hands| hands.winner()),
        winner_recorded: settled.map(|settled| settled.winner),
        computed: Vec::new(),
        third_cards: rules.zip(hands).map(|(rules, hands)| drawn(rules, &hands, bank)).unwrap_or_default(),
        bets: bets(coup, rules, &account),
        account,
        corrected: None,
        bank: bank.map(|bank| bank.view.clone()),
        verdict: outcome.verdict,
        subject_to_ruling: outcome.ruled && outcome.verdict == CoupVerdict::Certified,
        undecided: undecided(coup),
        findings: Vec::new(),
        rulings: Vec::new(),
        more_rulings: 0,
    }
}

/// Why it is undecided, or would be if nothing were wrong. Of a coup that was left the verdict says enough.
fn undecided(coup: &CoupOver<'_, '_>) -> Option<Reason> {
    coup.open.filter(|reason| *reason != Reason::NotSettledYet || !coup.is_left)
}

/// The hands as dealt, if all their cards were read.
pub(super) fn hands(coup: &CoupOver<'_, '_>) -> Option<Coup> {
    let mut deal = Deal::default();
    for card in &coup.record.cards {
        if let Some(side) = card.to.side() {
            deal.give(side, card.face);
        }
    }
    deal.coup()
}

fn cards(coup: &CoupOver<'_, '_>) -> Vec<CardView> {
    let recorded = coup.record.cards.iter().filter(|card| card.sequence.is_some());
    let to = |side: Option<Side>| side.map_or_else(|| "removed".to_owned(), |side| side.to_string());
    let view = |card: &crate::reading::CardRecord| CardView {
        position: card.position,
        card: card.face.to_string(),
        to: to(card.to.side()),
    };
    recorded.map(view).collect()
}

/// Why each hand drew or stood. At a bank a hand may choose.
fn drawn(rules: &Rulebook, hands: &Coup, bank: Option<&BankChecked>) -> Vec<ThirdCard> {
    let Some(bank) = bank else { return third_cards(rules, hands) };
    let asked = |said: &DecisionView| said.hand == Side::Punto && said.counsel == Counsel::Croupier;
    let asked = bank.view.decisions.iter().any(asked);
    third_cards_chosen(rules, hands, bank.is_free, asked, bank.banca.unwrap_or(BancaPlay::Chart))
}

fn bets(coup: &CoupOver<'_, '_>, rules: Option<&Rulebook>, account: &CoupAccount) -> Vec<BetView> {
    let lines = coup.checked.is_some_and(|checked| !checked.bets.is_empty()).then(|| coup.lines());
    let shown = |settled: Settlement| SettlementView {
        returned: settled.returned.get(),
        commission: settled.commission.get(),
    };
    let view = |laid: &Laid<'_>| {
        let line = lines.as_ref().and_then(|lines| lines.of(laid.placed));
        let [expected, recorded] = [line.and_then(|line| line.due), line.and_then(|line| line.recorded)];
        BetView { expected: expected.map(shown), recorded: recorded.map(shown), ..bet(laid, rules) }
    };
    let mut views: Vec<BetView> = coup.laid().iter().map(view).collect();
    if account.void {
        of_void(&mut views, &account.bets, coup);
    }
    views
}

/// Every stake had to come back. The account has all bets that were not taken back in time, in the same order.
fn of_void(views: &mut [BetView], accounts: &[BetAccount], coup: &CoupOver<'_, '_>) {
    let whole = |returned: i64| SettlementView { returned: returned.unsigned_abs(), commission: 0 };
    let mut accounts = accounts.iter();
    for (view, laid) in views.iter_mut().zip(coup.laid()) {
        let in_time = laid.withdrawn.is_some_and(|at| !coup.is_late(at));
        let Some(account) = (if in_time { None } else { accounts.next() }) else { continue };
        view.expected = account.as_dealt.and_then(SumRange::known).map(whole);
        view.recorded = account.recorded.filter(|sum| *sum >= 0).map(whole);
    }
}

fn bet(laid: &Laid<'_>, rules: Option<&Rulebook>) -> BetView {
    let is_offered = |rules: &&Rulebook| rules.bets.keys().any(|kind| kind.as_str() == laid.kind);
    BetView {
        bet: laid.bet,
        seat: laid.seat,
        player: laid.player.map(ToString::to_string),
        kind: rules.filter(is_offered).map_or("?", |_| laid.kind).to_owned(),
        stake: laid.stake.get(),
        withdrawn: laid.withdrawn.is_some(),
        expected: None,
        recorded: None,
    }
}
