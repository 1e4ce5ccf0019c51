//! All checks of one coup at a bank, and its money (`docs/judging.md`, "Chemin de fer").

use baccarat::{Money, Settlement, Side, Winner};
use events::{BankSettled, Body, CoupSettled, Garaje};

use super::Checked;
use super::bank_account::{account, account_of_void, compare, compare_with, further, is_account, missing};
use super::bank_calls::{calls, each_call, each_called, holder};
use super::bank_draws::{Hands, hands};
use super::bank_play::{Due, Ending, Playing};
use super::bank_stakes::Stakes;
use super::bets::{Bet, Within, bets, late, not_placed};
use super::cards::each_has_two;
use super::coup::{BankChecked, CoupChecked, FOLLOWS_FROM_LATE, HeldBank};
use super::coup::{goes_on_after_void, is_again, leave_what_is_certain, overlaps};
use super::doubt::{Doubt, Open, at_its_word, doubt};
use super::gaps::Gaps;
use super::index::Index;
use super::lacking::Lacking;
use super::limits::{InForce, Who, limits};
use super::lines::{Line, LineChecked, again, lines};
use super::payouts::payouts;
use super::paytables::Paytables;
use super::play::Setting;
use super::rulings::{Followed, carried};
use super::shoe_cards::ShoeCards;
use super::voids::{Returned, Void};
use crate::account::{BetAccount, OtherMoney, SumRange, signed};
use crate::reading::{CoupRecord, Told};
use crate::sink::{Accusation, clamp};
use crate::statement::{Abonos, AnyOf, OfBank, OfBets, OfCards, OfRulings, Party};
use crate::worlds::{Owed, Worlds, total};
use crate::{BankDue, BankView, Code, DecisionView, SeatMoney};

/// What is wrong in a coup at a bank, and what it came to.
pub(super) struct AtBank {
    pub(super) checked: CoupChecked,
    pub(super) result: Ending,
}

/// What a coup at a bank is checked against.
#[derive(Clone, Copy)]
pub(super) struct Against<'c, 'r> {
    pub(super) playing: &'c Playing,
    pub(super) tables: &'c Paytables,
    pub(super) setting: &'c Setting<'r>,
    /// Where play ended at the table, or another shoe was loaded.
    pub(super) ends: &'c [u64],
    pub(super) gaps: &'c Gaps,
    pub(super) who: &'c Who<'c>,
}

/// Checks a coup of a shoe, by its place in it.
pub(super) fn coup_at_bank(cards: &ShoeCards<'_, '_>, at: usize, against: Against<'_, '_>) -> AtBank {
    let Against { playing, tables, setting, .. } = against;
    let (shoe, coup) = (cards.shoe, &cards.shoe.coups[at]);
    let mut doubt = doubt(cards.index, coup);
    let lacking = Lacking::of(shoe, at, against.gaps, setting.limits, Some(tables));
    let lacking = lacking.at_bank(playing.known_bank(), tables);
    if lacking.any() && (doubt.all.is_some() || overlaps(shoe, at)) {
        doubt.all = Some(Open::Missing);
    }
    let is_void = is_void(coup);
    let mut bets = bets(coup, carried(coup, &setting.carried), Some(tables), Some(cards.index));
    // As at a table without a bank.
    let is_again = is_again(cards.index, at);
    if is_again {
        bets.iter_mut().for_each(|bet| bet.late = true);
    }
    let held = within_limits(coup, &mut bets, against, doubt);
    let stakes = Stakes::of(bets, playing);
    let called = calls(coup, &stakes, playing);
    let stood = |bet: &Bet<'_, '_>| bet.taken_back().is_none();
    let alone = stakes.by_player(stood);
    let alone = if alone.len() == 1 { alone.into_iter().next().map(|(who, _)| who) } else { None };
    let granted = called.granted;
    let mut checked = claims(coup);
    if doubt.all.is_none() && !doubt.order {
        checked.and(if doubt.stakes { Checked::open(Open::Remarked) } else { called.checked });
        checked.and(each_call(coup, playing));
        if !doubt.stakes {
            checked.and(garajes(coup, &stakes, playing));
        }
        checked.and(abonos(coup, tables));
    }
    if doubt.all.is_none() && !doubt.holder {
        checked.and(holder(coup, &stakes, playing, granted.as_ref()));
    }
    let free = granted.is_some() && playing.leaves.free_play;
    let mut result = Ending { is_void, granted, alone, moved: Some(Vec::new()), ..Ending::default() };
    let staked = stakes.sums(stood).punto;
    let hands = || hands(coup, tables.rules(), &setting.rulings, cards.pool(), free);
    let of = match (doubt.all, coup.settlements.first().filter(|_| !is_void)) {
        (Some(open), _) => AtBank { checked: CoupChecked::of(Checked::open(open), Vec::new()), result },
        (None, None) => {
            checked.and(further(&coup.chemin));
            if !doubt.cards {
                let hands = hands();
                result.banca = Some(hands.banca_plays(u64::MAX));
                checked.and(hands.checked);
            }
            stakes.bets.iter().for_each(|bet| late(bet, None, None, Some(tables), &mut checked));
            let of_void =
                is_void.then(|| of_void(cards.index, coup, &stakes.bets, &lacking, against)).flatten();
            let not_settled = if doubt.cards || doubt.order { Open::Remarked } else { Open::NotSettled };
            let checked = of_void.unwrap_or(CoupChecked::of(Checked::open(not_settled), Vec::new()));
            AtBank { checked, result }
        }
        (None, Some(settled)) => {
            let mistyped = cards.index.is_mistyped(coup.number, settled.sequence);
            let (lines, mut of_lines) = lines(settled, &stakes.bets, mistyped, &lacking);
            coup.settlements.iter().skip(1).for_each(|settled| of_lines.and(again(settled, coup)));
            let mut not_placed = not_placed(coup);
            not_placed.found.retain(|found| !lacking.any_before(found.sequence));
            of_lines.and(not_placed);
            of_lines.and(further(&coup.chemin));
            let checked = of_lines;
            let (account, hands, moved) = (account(cards.index, coup, settled), hands(), Vec::new());
            let money = Coup {
                coup,
                settled,
                account,
                tables,
                playing,
                stakes,
                lines,
                hands,
                checked,
                moved,
                lacking: &lacking,
                is_again,
            };
            money.judge(doubt, result)
        }
    };
    checked.and(held);
    checked.and(of.checked.checked);
    if let (None, Some(settled)) = (doubt.all, coup.settlements.first()) {
        let (rulings, carried) = (&setting.rulings, &setting.carried);
        let followed = Followed { coup, rulings, carried, void: is_void };
        checked.and(followed.check(settled.corrected_by.unwrap_or(settled.sequence)));
    }
    checked.open = checked.open.or(playing.open);
    checked.found.retain(|found| !(is_again && FOLLOWS_FROM_LATE.contains(&found.code)));
    leave_what_is_certain(coup, &lacking, &mut checked);
    checked.open = checked.open.or_else(|| at_its_word(coup));
    checked.found.sort_unstable();
    let shown = shown((cards.index, coup), playing, (staked, free), &of.result);
    let banker = playing.banker.as_ref();
    let bank = playing.known_bank().zip(banker).map(|(bank, who)| HeldBank { seat: who.seat, bank });
    let winner = of.result.winner;
    let checked = CoupChecked { checked, winner, bank, at_bank: Some(Box::new(shown)), ..of.checked };
    AtBank { checked, result: of.result }
}

/// What a coup was played against at the bank, as it is shown; `staked` against the bank, and whether punto may play freely.
fn shown(
    (index, coup): (&Index<'_>, &CoupRecord<'_>),
    playing: &Playing,
    (staked, is_free): (Money, bool),
    result: &Ending,
) -> BankChecked {
    let compulsory = coup.chemin.garajes.iter().rfind(|told| told.value.kind == Garaje::Compulsory);
    let told = match coup.settlements.first() {
        _ if result.is_void => account_of_void(coup),
        Some(settled) => account(index, coup, settled),
        None => coup.chemin.accounts.first(),
    };
    let decision = |hand: Side| {
        let last = coup.chemin.decisions.iter().rfind(|told| told.value.hand == hand)?.value;
        Some(DecisionView { hand, decision: last.decision, counsel: last.counsel })
    };
    let view = BankView {
        banker: playing.banker.as_ref().map(Party::from),
        before: playing.bank.get(),
        garaje: playing.garaje.get(),
        uncovered: compulsory.map(|told| told.value.amount.get()),
        staked: staked.get(),
        calls: each_called(coup, playing),
        decisions: Side::ALL.into_iter().filter_map(decision).collect(),
        due: result.due.map(|due| BankDue {
            won: due.won.get(),
            lost: due.lost.get(),
            commission: due.commission.get(),
        }),
        recorded: told.map(|told| told.value.clone()),
    };
    let banker = playing.banker.as_ref().zip(playing.name.as_ref());
    BankChecked {
        view,
        banker: banker.map(|(who, name)| (who.seat, name.clone())),
        is_free,
        banca: result.banca,
        moved: result.moved.clone(),
    }
}

/// Whether a coup was declared void. After its stakes were paid that changes nothing.
fn is_void(coup: &CoupRecord<'_>) -> bool {
    let settled = coup.settlements.first().map_or(u64::MAX, |told| told.sequence);
    let voids = |told: &Told<'_, Body>| matches!(told.value, Body::CoupVoided(_));
    coup.rulings.iter().any(|told| voids(told) && told.sequence < settled)
}

/// Checks the stakes against the limits once the bets are closed. The most that may be staked against a bank is what it holds.
fn within_limits(
    coup: &CoupRecord<'_>,
    bets: &mut [Bet<'_, '_>],
    against: Against<'_, '_>,
    doubt: Doubt,
) -> Checked {
    let is_dealt = coup.cards.iter().any(|card| card.to.side().is_some());
    let is_closed = is_dealt || !coup.closes.is_empty() || !coup.settlements.is_empty();
    let Some(in_force) = against.setting.limits.filter(|_| is_closed && doubt.all.is_none()) else {
        return Checked::default();
    };
    let bank = against.playing.known_bank().unwrap_or(Money::MAX_RECORDED);
    let in_force = InForce { bank: Some(bank), ..in_force };
    let mut checked = limits(bets, against.tables, in_force, against.who);
    if doubt.order || doubt.stakes {
        // It is not known which of them came in time, or whether all are recorded.
        checked.found.clear();
    }
    checked
}

/// Checks what came back of a void coup, and its account if that was recorded after the void. `None`: stakes may still come
/// back.
fn of_void(
    index: &Index<'_>,
    coup: &CoupRecord<'_>,
    bets: &[Bet<'_, '_>],
    lacking: &Lacking,
    against: Against<'_, '_>,
) -> Option<CoupChecked> {
    let goes_on = goes_on_after_void(index, coup, against.ends);
    let void = Void::of(coup, goes_on)?;
    let Returned { mut checked, bets: accounts } = void.returned(coup, bets, goes_on, lacking)?;
    void.again.iter().for_each(|settled| checked.and(again(settled, coup)));
    if let Some(account) = account_of_void(coup).filter(|_| void.refund.is_some()) {
        let nothing = Due { won: Money::ZERO, lost: Money::ZERO, commission: Money::ZERO };
        let (playing, rules) = (against.playing, against.tables.rules());
        let known = playing.known_bank().map(|_| compare_with(account.value, nothing, playing, rules));
        let at = account.corrected_by.unwrap_or(account.sequence);
        known.into_iter().flatten().for_each(|accusation| checked.accuse(at, accusation));
    }
    Some(CoupChecked::of(checked, accounts))
}

/// A coup is declared void after its stakes were paid.
fn claims(coup: &CoupRecord<'_>) -> Checked {
    let mut checked = Checked::default();
    let settled = coup.settlements.first().map_or(u64::MAX, |told| told.sequence);
    for told in coup.rulings.iter().filter(|told| told.sequence > settled) {
        if let Body::CoupVoided(_) = told.value {
            let expected = OfRulings::NoClaimOncePaid;
            let accusation = Accusation::new(Code::ClaimAfterPayment, expected, OfRulings::CoupVoided);
            checked.accuse(told.sequence, accusation.under("claim-after-payment"));
        }
    }
    checked
}

/// Checks what is set aside within the coup: before its account, only what the stakes do not cover may be.
fn garajes<'r, 'a>(coup: &CoupRecord<'_>, stakes: &Stakes<'r, 'a>, playing: &Playing) -> Checked {
    let mut checked = Checked::default();
    let account = coup.chemin.accounts.first().map_or(u64::MAX, |told| told.sequence);
    for told in &coup.chemin.garajes {
        let at = told.corrected_by.unwrap_or(told.sequence);
        let amount = told.value.amount.into();
        if told.value.kind == Garaje::Compulsory {
            let stood = |bet: &Bet<'_, '_>| {
                bet.placed() < told.sequence && bet.taken_back().is_none_or(|back| back > told.sequence)
            };
            let Some(bank) = playing.known_bank() else { continue };
            let uncovered = bank.minus(stakes.sums(stood).punto);
            if told.value.amount != uncovered {
                let expected = OfBank::Uncovered { amount: uncovered.into() };
                let recorded = OfBets::Amount { amount };
                checked.accuse(at, Accusation::new(Code::GarajeAmount, expected, recorded));
            }
        } else if told.sequence < account {
            let accusation =
                Accusation::new(Code::GarajeNotAllowed, OfBank::SetBeforeCoup, OfBank::SetInCoup { amount });
            checked.accuse(at, accusation);
        }
    }
    checked
}

/// There are no more abonos than the rulebook allows.
fn abonos(coup: &CoupRecord<'_>, tables: &Paytables) -> Checked {
    let mut checked = Checked::default();
    let rules = tables.rules().chemin.as_ref().and_then(|chemin| chemin.abonos.as_ref());
    let Some(rules) = rules else { return checked };
    let mut others: Vec<Option<u64>> = Vec::new();
    for abono in &coup.chemin.abonos {
        let now = abono.placed.sequence;
        others.retain(|taken_back| taken_back.is_none_or(|taken_back| taken_back > now));
        if others.len() >= usize::from(rules.most) {
            let number = u32::try_from(others.len()).unwrap_or(u32::MAX).saturating_add(1);
            let expected = OfBank::AbonosAtMost { abonos: Abonos(rules.most.into()) };
            let recorded = OfBank::AbonoNumber { number };
            let at = abono.placed.corrected_by.unwrap_or(now);
            checked.accuse(at, Accusation::new(Code::AbonoCount, expected, recorded));
        }
        others.push(abono.withdrawn);
    }
    checked
}

/// The money of a settled coup while it is worked out.
struct Coup<'r, 'a> {
    coup: &'r CoupRecord<'a>,
    settled: &'r Told<'a, CoupSettled>,
    account: Option<&'r Told<'a, BankSettled>>,
    tables: &'r Paytables,
    playing: &'r Playing,
    stakes: Stakes<'r, 'a>,
    lines: Vec<Line>,
    hands: Hands<'r, 'a>,
    checked: Checked,
    /// What late bets moved at the bank.
    moved: Vec<OtherMoney>,
    lacking: &'r Lacking,
    /// Its bets are late bets on a coup that was settled.
    is_again: bool,
}

impl Coup<'_, '_> {
    fn at(&self) -> u64 {
        self.settled.corrected_by.unwrap_or(self.settled.sequence)
    }

    fn open(&mut self, open: Open) {
        self.checked.open = self.checked.open.or(Some(open));
    }

    fn judge(mut self, doubt: Doubt, mut result: Ending) -> AtBank {
        let is_short = !each_has_two(&self.hands.lying);
        let mut worlds = self.deal(doubt, result.granted.is_some());
        let mut dues = self.dues(&worlds);
        self.judge_account(&mut dues);
        if doubt.stakes {
            // What the missing stake moves at the bank follows from its not being recorded.
            let cause = Some((self.at(), Code::BetUnknown));
            let of_bank = self.checked.found.iter_mut().filter(|found| found.code == Code::BankWrong);
            of_bank.for_each(|found| found.follows = cause);
        }
        if !doubt.order && !doubt.stakes {
            self.set_aside();
        }
        let lacks_cards = is_short && !doubt.cards && !self.lacking.cards;
        if lacks_cards {
            self.open(Open::CardUnread);
        }
        if !lacks_cards || self.hands.winner_by_ruling().is_some() {
            self.announced(&mut worlds, &mut dues, doubt);
        }
        self.owe(&mut worlds, &dues, doubt, lacks_cards && self.hands.are_not_ruled());
        if worlds.open().is_some() {
            self.open(if doubt.cards { Open::Remarked } else { Open::CardUnread });
        }
        if doubt.order {
            self.open(Open::Remarked);
        }
        let (found, open) = payouts(&self.stakes.bets, &self.lines, self.settled, self.tables, self.lacking);
        self.checked.and(found);
        let won = self.hands.winner_by_ruling().or_else(|| worlds.winner());
        result.winner = won.filter(|_| !doubt.cards);
        let one = dues.first().filter(|first| dues.iter().all(|other| other.1 == first.1));
        result.due = one.map(|(_, due)| *due);
        let at_bank = self.late_at_bank(result.winner);
        let is_known = at_bank.is_some();
        let (bets, lines) = self.accounts(result.winner, doubt, &at_bank.unwrap_or_default());
        result.moved = is_known.then_some(self.moved);
        result.banca = Some(self.hands.banca_plays(u64::MAX));
        let winner = result.winner;
        let mut checked = CoupChecked { winner, lines, ..CoupChecked::of(self.checked, bets) };
        checked.leave_open(&open, false);
        AtBank { checked, result }
    }

    /// What the hands may come to, with what is wrong with them.
    fn deal(&mut self, doubt: Doubt, banco: bool) -> Worlds {
        if doubt.cards {
            return Worlds::any();
        }
        self.hands.finish(self.settled);
        let leaves = self.playing.leaves;
        let called = self.playing.banker.is_none() && !self.coup.chemin.calls.is_empty();
        let mut found = std::mem::take(&mut self.hands.checked);
        let bet_missing = !banco && self.lacking.bets > 0;
        if leaves.uncertain && (banco || called || bet_missing) || leaves.free_play && bet_missing {
            // Leave to play freely, or the bet of who has banco, may be among what is missing.
            let by_rule = [Code::PuntoDrew, Code::PuntoStood, Code::BancaDrew, Code::BancaStood];
            let all = found.found.len();
            found.found.retain(|found| !by_rule.contains(&found.code));
            if found.found.len() < all {
                self.open(Open::Missing);
            }
        }
        self.checked.and(found);
        if self.hands.silent {
            self.open(Open::RuleSilent);
        }
        if self.hands.rest_on_ruling() {
            self.open(Open::Ruled);
        }
        if self.lacking.cards { Worlds::any() } else { self.hands.worlds() }
    }

    /// Everybody who may have won.
    fn winners(&self, worlds: &Worlds) -> Vec<Winner> {
        self.hands.winner_by_ruling().map_or_else(|| worlds.winners(), |winner| vec![winner])
    }

    /// What the coup has to come to for the bank, by everybody who may have won.
    fn dues(&mut self, worlds: &Worlds) -> Vec<(Winner, Due)> {
        let Some(bank) = self.playing.known_bank() else { return Vec::new() };
        let sums = self.stakes.sums(|bet| bet.taken_back().is_none());
        let winners = self.winners(worlds);
        let due = |winner: &Winner| Some((*winner, sums.due(bank, *winner, self.tables.rules())?));
        let dues: Vec<_> = winners.iter().filter_map(due).collect();
        if dues.is_empty() && !winners.is_empty() {
            self.open(Open::RuleSilent);
        }
        dues
    }

    /// What the coup comes to for the bank if late bets and late withdrawals do not count.
    fn due_by_rules(&self, winner: Winner) -> Option<Due> {
        if !self.stakes.bets.iter().any(|bet| bet.late || bet.is_taken_back()) {
            return None;
        }
        let bank = self.playing.known_bank()?;
        self.stakes.sums(|bet| !bet.late).due(bank, winner, self.tables.rules())
    }

    /// Whether the account says that. Then the bank got its due, even if the stakes did not.
    fn is_by_rules(&self, winner: Winner) -> bool {
        let told = self.account;
        told.zip(self.due_by_rules(winner))
            .is_some_and(|(told, due)| is_account(due, self.playing, told.value))
    }

    fn judge_account(&mut self, dues: &mut Vec<(Winner, Due)>) {
        let Some(told) = self.account else {
            // Hands that were not dealt have no result.
            if self.playing.banker.is_some() && (each_has_two(&self.hands.lying) || self.lacking.cards) {
                let found = missing(self.settled, dues, self.playing);
                self.checked.and(found);
            }
            return;
        };
        let mut fitting = dues.clone();
        fitting.retain(|(_, due)| is_account(*due, self.playing, told.value));
        if !fitting.is_empty() && fitting.len() < dues.len() {
            *dues = fitting;
            self.open(Open::CardUnread);
        }
        if !dues.iter().any(|(winner, _)| self.is_by_rules(*winner)) {
            let found = compare(told, dues, self.playing, self.tables.rules());
            self.checked.and(found);
        }
    }

    /// What the stakes do not cover had to be set aside.
    fn set_aside(&mut self) {
        let dealt = self.coup.cards.iter().any(|card| card.to.side().is_some());
        let bank = self.playing.known_bank().filter(|_| dealt && !self.playing.todo_va);
        let compulsory = |told: &Told<'_, _>| {
            let events::GarajeSet { kind, .. } = told.value;
            *kind == Garaje::Compulsory && told.sequence < self.settled.sequence
        };
        let Some(bank) = bank.filter(|_| !self.coup.chemin.garajes.iter().any(compulsory)) else { return };
        let uncovered = bank.minus(self.stakes.sums(|bet| bet.taken_back().is_none()).punto);
        if uncovered > Money::ZERO {
            let expected = OfBank::UncoveredSetAside { amount: uncovered.into() };
            let accusation = Accusation::new(Code::GarajeMissing, expected, OfBank::NotRecorded);
            self.checked.accuse(self.at(), accusation);
        }
    }

    /// Totals and winner as announced; they narrow what the hands may come to.
    fn announced(&mut self, worlds: &mut Worlds, dues: &mut Vec<(Winner, Due)>, doubt: Doubt) {
        let of = self.settled.value;
        worlds.keep(|outcome| dues.iter().any(|(winner, _)| *winner == outcome.winner()));
        if !doubt.cards && !worlds.outcomes().is_empty() {
            let announced = (of.punto_total, of.banca_total);
            let totals = |outcome: &_| (total(outcome, Side::Punto), total(outcome, Side::Banca));
            if !worlds.keep(|outcome| totals(outcome) == announced) {
                let [punto, banca] = Side::ALL.map(|side| worlds.totals(side));
                let recorded = OfCards::TotalsAnnounced { punto: of.punto_total, banca: of.banca_total };
                let expected = OfCards::TotalsDue { punto, banca };
                let accusation = Accusation::new(Code::TotalWrong, expected, recorded);
                self.checked.accuse(self.at(), accusation);
            }
        }
        let winners = self.winners(worlds);
        if winners.contains(&of.winner) {
            if self.hands.winner_by_ruling().is_none() {
                worlds.keep(|outcome| outcome.winner() == of.winner);
            }
        } else {
            let expected = OfCards::WinnerDue { winners: AnyOf(winners.into()) };
            let recorded = OfCards::WinnerAnnounced { winner: of.winner };
            self.checked.accuse(self.at(), Accusation::new(Code::WinnerWrong, expected, recorded));
        }
        let winners = self.winners(worlds);
        dues.retain(|(winner, _)| winners.contains(winner));
    }

    /// Whether what comes back for a bet follows from who won.
    fn is_certain(&self, bet: &Bet<'_, '_>) -> bool {
        bet.is_offered() && bet.within != Within::Open
    }

    /// What has to come back for a stake. The part of it that the bank does not cover comes back too.
    fn even(&self, at: usize, winner: Winner) -> Settlement {
        let bet = &self.stakes.bets[at];
        let (stake, at_risk) = (bet.stake(), self.stakes.at_risk(at));
        let rest = stake.minus(at_risk);
        let (won, commission) = match (winner, bet.is_abono()) {
            (Winner::Tie, _) => return bet.stake_back(),
            (Winner::Punto, false) => (true, Money::ZERO),
            // What the banker wins carries commission, in whatever form.
            (Winner::Banca, true) => {
                let own = self.stakes.is_own(bet) == Some(true);
                (true, if own { self.tables.rules().commission_on(at_risk) } else { Money::ZERO })
            }
            (Winner::Punto, true) | (Winner::Banca, false) => (false, Money::ZERO),
        };
        let returned = if won { at_risk.plus(at_risk).plus(rest).minus(commission) } else { rest };
        Settlement { returned, commission }
    }

    fn owe(&mut self, worlds: &mut Worlds, dues: &[(Winner, Due)], doubt: Doubt, short: bool) {
        let completed = short.then(|| Worlds::of_short(&self.hands.lying));
        let winners = self.winners(completed.as_ref().unwrap_or(worlds));
        let ruled = self.hands.winner_by_ruling();
        // Whether the stakes are covered is not known if one of them was not recorded.
        let is_known = self.playing.known_bank().is_some();
        let is_judged = !self.is_again && if short || doubt.stakes { is_known } else { !dues.is_empty() };
        for at in 0..self.stakes.bets.len() {
            let bet = self.stakes.bets[at];
            if !is_judged || bet.is_taken_back() || !self.is_certain(&bet) {
                continue;
            }
            if winners.contains(&Winner::Banca) && bet.is_abono() && self.stakes.is_own(&bet).is_none() {
                self.open(Open::Missing);
                continue;
            }
            let recorded = self.lines[at].recorded;
            let owed = if short {
                // The stake may have to come back as well. One bet says nothing about another.
                let dues = winners.iter().map(|winner| self.even(at, *winner));
                Owed::of(dues.chain([bet.stake_back()]).collect(), recorded)
            } else if let Some(winner) = ruled {
                Owed { due: Some(self.even(at, winner)), ..Owed::default() }
            } else {
                worlds.due(recorded, |outcome| Some(outcome.winner()), |winner| self.even(at, winner))
            };
            self.lines[at].owed = owed;
        }
    }

    /// What a bet that was taken back too late would have returned, if the stakes were covered when they were placed.
    fn would_bring(&self, at: usize, winner: Option<Winner>) -> Option<i64> {
        let (bet, winner) = (&self.stakes.bets[at], winner?);
        let bank = self.playing.known_bank().filter(|_| self.is_certain(bet))?;
        let at_close = self.stakes.sums(|bet| !bet.late || bet.is_abono());
        let whose = winner == Winner::Banca && bet.is_abono() && self.stakes.is_own(bet).is_none();
        (at_close.are_covered(bank) && !whose).then(|| self.tables.net(self.even(at, winner)))
    }

    /// The money of every bet, and its line; what came too late is reported with it.
    fn accounts(
        &mut self,
        winner: Option<Winner>,
        doubt: Doubt,
        at_bank: &[(usize, SeatMoney)],
    ) -> (Vec<BetAccount>, Vec<LineChecked>) {
        let (mut all, mut lines) = (Vec::new(), Vec::new());
        for at in 0..self.stakes.bets.len() {
            let (bet, tables) = (self.stakes.bets[at], self.tables);
            let line = &self.lines[at];
            let back = line.recorded.map_or(0, |recorded| tables.net(recorded));
            let stake = signed(bet.stake());
            let recorded = if bet.is_taken_back() { stake.saturating_add(back) } else { back };
            let mut due = line.measured_from(tables);
            let any = SumRange::over(line.owed.among.iter().map(|due| tables.net(*due)));
            let mut as_dealt = line.range(tables).or(any);
            if bet.is_taken_back() && !bet.late {
                due = self.would_bring(at, winner);
                as_dealt = due.map(SumRange::exactly);
            }
            let mut by_rules = as_dealt;
            if bet.late || !bet.is_offered() {
                by_rules = Some(SumRange::exactly(stake));
            } else if self.hands.are_wrong() {
                by_rules = None;
            }
            let may_be_gone = !bet.is_taken_back() && self.lacking.may_be_gone(&bet);
            let known = Some(recorded).filter(|_| line.recorded.is_some() || !may_be_gone);
            if !doubt.order || bet.late_in_any_case {
                let mut found = Checked::default();
                late(&bet, known, due, Some(self.tables), &mut found);
                found.found.iter_mut().for_each(|found| found.bets = vec![at]);
                let moved = at_bank.iter().find(|(of, _)| *of == at).map(|(_, money)| *money);
                let of_act = |code: Code| matches!(code, Code::BetLate | Code::BetWithdrawnLate);
                for one in found.found.iter_mut().filter(|one| of_act(one.code)) {
                    let known = one.code == Code::BetLate || due.is_some();
                    let moved = moved.filter(|_| known);
                    let other = |SeatMoney { seat, minor_units, .. }| OtherMoney {
                        code: one.code,
                        seat,
                        minor_units,
                    };
                    self.moved.extend(moved.map(other));
                    beside(&mut one.money, moved);
                }
                self.checked.and(found);
            }
            lines.push(self.lines[at].checked(&bet, due));
            let (bet, seat) = (bet.id(), bet.seat());
            all.push(BetAccount { bet, seat, staked: stake, recorded: known, as_dealt, by_rules });
        }
        (all, lines)
    }

    /// What each bet that was placed too late, or taken back too late, moved at the bank: what the coup comes to as the stakes
    /// stand, less what it would come to without the one, or with the other; one after the other, in the order of the record.
    /// `None`: not known.
    fn late_at_bank(&self, winner: Option<Winner>) -> Option<Vec<(usize, SeatMoney)>> {
        let is_late = |bet: &Bet<'_, '_>| bet.is_offered() && (bet.late != bet.is_taken_back());
        if !self.stakes.bets.iter().any(is_late) {
            return Some(Vec::new());
        }
        let (winner, bank) = (winner?, self.playing.known_bank()?);
        let seat = self.playing.banker.as_ref()?.seat;
        if self.is_by_rules(winner) {
            return Some(Vec::new());
        }
        let rules = self.tables.rules();
        let mut sums = self.stakes.sums(|bet| bet.taken_back().is_none());
        let mut before = sums.due(bank, winner, rules)?.net();
        let mut moved = Vec::new();
        for at in 0..self.stakes.bets.len() {
            let bet = &self.stakes.bets[at];
            if is_late(bet) {
                sums = self.stakes.with(sums, at, bet.is_taken_back());
                let due = sums.due(bank, winner, rules).filter(|_| self.is_certain(bet))?;
                let after = due.net();
                moved.push((at, SeatMoney::exactly(seat, clamp(before.saturating_sub(after)))));
                before = after;
            }
        }
        Some(moved)
    }
}

/// Adds money that a seat got besides its bets.
fn beside(money: &mut Vec<SeatMoney>, more: Option<SeatMoney>) {
    let Some(more) = more.filter(|more| more.minor_units != 0) else { return };
    match money.iter_mut().find(|one| one.seat == more.seat) {
        Some(one) => {
            one.minor_units = one.minor_units.saturating_add(more.minor_units);
            one.at_least |= more.at_least;
        }
        None => money.push(more),
    }
    money.retain(|one| one.minor_units != 0);
    money.sort_unstable();
}
