//! The end of a coup of chemin de fer: the bank's account, and what every stake returns.

use baccarat::{Money, Outcome, Settlement, Side, Winner};
use events::{BankSettled, CoupSettled};

use super::money::{Due, due, judge_account};
use super::{Chemin, CheminCoup};
use crate::Code;
use crate::account::{BetMoney, CoupMoney, SumRange, net};
use crate::coup::drawing::each_has_two;
use crate::coup::{Bet, BetState, CoupInPlay, Held};
use crate::finding::SeatMoney;
use crate::person;
use crate::rules::Rules;
use crate::settlement::{Comparison, compare, is_boxed, match_bets, stake_back};
use crate::sink::{Accusation, Sink, clamp, seat_money};
use crate::statement::OfBank;
use crate::verdict::Reason;
use crate::worlds::{Owed, Worlds};

impl CoupInPlay {
    /// The cards are out: works out what the coup comes to for the bank.
    fn reckon(&mut self, rules: &Rules, sink: &mut Sink) {
        self.judge_stakes(rules, sink);
        self.check_choices(rules, sink);
        if self.rests_on_ruling() {
            self.doubt(Reason::Ruled);
        }
        self.find_dues(rules);
    }

    /// What the account has to be, by everybody who may have won.
    fn find_dues(&mut self, rules: &Rules) {
        let winners = self.winners(&self.worlds_at_bank(rules));
        let Some(mut coup) = self.chemin.take() else { return };
        coup.dues.clear();
        if coup.is_bank_known() {
            let staked = self.staked(rules, coup.bank);
            let due = |winner| due(staked, coup.bank, winner, rules).map(|due| (winner, due));
            coup.dues = winners.iter().filter_map(|winner| due(*winner)).collect();
            if coup.dues.is_empty() && !winners.is_empty() {
                self.doubt(Reason::RuleSilent);
            }
        }
        self.chemin = Some(coup);
        self.narrow_by_account();
    }

    /// What the coup comes to for the bank, as recorded: it is judged once the coup is settled.
    pub(crate) fn settle_bank(&mut self, settled: &BankSettled, sink: &mut Sink) {
        let first = self.bets.is_empty() && !self.under_way();
        // An account recorded before the previous coup was settled is reported as such.
        let account_early = |coup: &CheminCoup| coup.early && coup.account_first;
        let another =
            self.chemin.as_deref().is_some_and(|coup| coup.account.is_some() && !account_early(coup));
        if another {
            return sink.accuse(self.accusation(Code::BankWrong, OfBank::OneAccount, OfBank::AnotherAccount));
        }
        if let Some(coup) = self.chemin.as_mut() {
            coup.account = Some(settled.clone());
            (coup.account_sequence, coup.account_at) = (sink.sequence(), sink.location());
            coup.account_first = first;
        }
    }

    /// Whether the bank goes on with an account of the coup: that of a void coup has to come after the void.
    pub(crate) fn account_counts(&self) -> bool {
        let counts = |coup: &CheminCoup| !self.voided || coup.account_sequence > self.voided_at;
        self.chemin.as_deref().is_some_and(|coup| coup.account.is_some() && counts(coup))
    }

    /// The account as recorded against what the coup may have come to.
    fn judge_account(&self, rules: &Rules) -> Vec<Accusation> {
        let Some((coup, account)) =
            self.chemin.as_deref().and_then(|coup| Some((coup, coup.account.as_ref()?)))
        else {
            return Vec::new();
        };
        if coup.dues.iter().any(|(winner, _)| self.is_account_by_rules(*winner, rules)) {
            return Vec::new();
        }
        // Where the account fits any, those that it does not fit are gone.
        let mut dues: Vec<Due> = coup.dues.iter().map(|(_, due)| *due).collect();
        let Some(nearest) = dues.iter().copied().min_by_key(|due| due.distance(account)) else {
            return Vec::new();
        };
        dues.retain(|due| *due != nearest);
        let found = judge_account(self, coup, nearest, account, rules);
        let others: Vec<Vec<Accusation>> =
            dues.iter().map(|due| judge_account(self, coup, *due, account, rules)).collect();
        let found = found.into_iter().map(|one| as_far_as_certain(one, &others).at(coup.account_at));
        found.collect()
    }

    /// Whether the account says what the coup comes to if nothing that was done too late counts: the bank got its due,
    /// though the stakes may not have.
    fn is_account_by_rules(&self, winner: Winner, rules: &Rules) -> bool {
        let Some((coup, account)) =
            self.chemin.as_deref().and_then(|coup| Some((coup, coup.account.as_ref()?)))
        else {
            return false;
        };
        if !self.bets.iter().any(Bet::is_disputed) {
            return false;
        }
        let stakes = self.staked_by_rules(rules, coup.bank);
        due(stakes, coup.bank, winner, rules).is_some_and(|due| due.is_account(coup, account))
    }

    /// Of all who may have won, the account leaves those whom it fits, where it fits any.
    fn narrow_by_account(&mut self) {
        let Some(coup) = self.chemin.as_mut() else { return };
        let Some(account) = coup.account.clone() else { return };
        let mut dues = coup.dues.clone();
        dues.retain(|(_, due)| due.is_account(coup, &account));
        if !dues.is_empty() && dues.len() < coup.dues.len() {
            coup.dues = dues;
            self.doubt(Reason::CardUnread);
        }
    }

    /// The coup is void: the bank stays what it was, and an account from before the void says nothing. One behind it
    /// has to say so, and the bank goes on with it.
    pub(crate) fn forget_account(&mut self) -> Option<BankSettled> {
        let coup = self.chemin.as_mut()?;
        coup.dues.clear();
        coup.account.take().filter(|_| self.voided && coup.account_sequence > self.voided_at)
    }

    /// The account of a void coup, recorded behind the void, against the bank before the coup.
    pub(crate) fn judge_void_account(&self, account: &BankSettled, rules: &Rules) -> Vec<Accusation> {
        let Some(coup) = self.chemin.as_deref().filter(|coup| !coup.sum_missing) else { return Vec::new() };
        let nothing = Due { won: Money::ZERO, lost: Money::ZERO, commission: Money::ZERO };
        let found = judge_account(self, coup, nothing, account, rules);
        found.into_iter().map(|accusation| accusation.at(coup.account_at)).collect()
    }

    /// The coup is settled: its account has to be recorded, and what was not covered set aside.
    pub(crate) fn check_account(&mut self, winner: Winner, rules: &Rules, sink: &mut Sink) {
        self.reckon(rules, sink);
        let mut found = self.judge_account(rules);
        let Some(coup) = self.chemin.as_deref().filter(|coup| coup.banker.is_some()) else { return };
        // Hands that were not dealt have no result.
        if coup.account.is_none() && (each_has_two(&self.deal) || self.missing_cards) {
            found.push(missing_account(self, coup, winner));
        }
        let uncovered = self.uncovered(rules);
        let dealt = !self.awaits_first_card() && !coup.sum_missing;
        if dealt && uncovered > Money::ZERO && coup.compulsory.is_none() && !coup.todo_va {
            let expected = OfBank::UncoveredSetAside { amount: uncovered.into() };
            found.push(self.accusation(Code::GarajeMissing, expected, OfBank::NotRecorded));
        }
        sink.accuse_all(found);
    }

    /// Totals and winner as announced against the hands as dealt and ruled upon; gives the worlds
    /// they leave, and who won where that is known.
    pub(crate) fn check_announced(
        &mut self,
        settled: &CoupSettled,
        rules: &Rules,
        sink: &mut Sink,
    ) -> (Worlds, Option<Winner>) {
        self.find_dues(rules);
        let mut worlds = self.worlds_at_bank(rules);
        let ruled = self.winner_by_ruling();
        if worlds.outcomes().is_empty() {
            self.doubt(Reason::CardUnread);
            if ruled.is_none() {
                return (worlds, None);
            }
        } else {
            let dues = self.chemin.as_deref().map_or(&[][..], |coup| &coup.dues);
            let is_due = |winner: Winner| dues.iter().any(|(other, _)| *other == winner);
            worlds.keep(|outcome| is_due(outcome.winner()));
            self.check_totals(settled, &mut worlds, sink);
        }
        let winners = self.winners(&worlds);
        if !winners.contains(&settled.winner) {
            sink.accuse(self.wrong_winner(winners, settled.winner));
        } else if ruled.is_none() {
            worlds.keep(|outcome| outcome.winner() == settled.winner);
        }
        let winners = self.winners(&worlds);
        if let Some(coup) = self.chemin.as_mut() {
            coup.dues.retain(|(winner, _)| winners.contains(winner));
        }
        let winner = ruled.or_else(|| worlds.winner());
        (worlds, winner)
    }

    /// What a bet would have brought, had nothing been taken back too late. That what was taken back leaves more staked
    /// than bank and abonos hold changes nothing of it.
    pub(crate) fn would_bring(&self, bet: &Bet, winner: Option<Winner>, rules: &Rules) -> Option<Settlement> {
        let coup = self.chemin.as_deref().filter(|coup| coup.is_bank_known() && is_certain(bet))?;
        let winner = winner?;
        let owner_decides = winner == Winner::Banca && is_abono(bet, rules);
        let known = self.staked_at_close(rules, coup.bank).are_covered(coup.bank)
            && !(owner_decides && coup.is_own(bet).is_none());
        known.then(|| even(bet, coup, winner, rules))
    }

    /// Every stake wins as much as it is, or comes back on a tie.
    pub(crate) fn judge_even_payouts(
        &mut self,
        settled: &CoupSettled,
        worlds: &mut Worlds,
        rules: &Rules,
        sink: &mut Sink,
    ) -> Vec<Comparison> {
        let mut comparisons = match_bets(self, settled, sink);
        let ruled = self.winner_by_ruling();
        let completed = self.completed().filter(|_| !self.rulings.any());
        let winners = self.winners(completed.as_ref().unwrap_or(worlds));
        let is_judged = |coup: &&CheminCoup| match completed {
            Some(_) => coup.is_bank_known(),
            None => !coup.dues.is_empty(),
        };
        let coup = self.chemin.as_deref().filter(is_judged);
        let mut whose_unknown = false;
        for comparison in &mut comparisons {
            let bet = &self.bets[comparison.bet];
            let stands = bet.state != BetState::WithdrawnLate;
            let Some(coup) = coup.filter(|_| stands && is_certain(bet)) else { continue };
            // Whether it is the banker's own, who sits and who stands being unknown, decides the
            // commission.
            if winners.contains(&Winner::Banca) && is_abono(bet, rules) && coup.is_own(bet).is_none() {
                whose_unknown = true;
                continue;
            }
            let settle = |winner| even(bet, coup, winner, rules);
            let by_winner = |outcome: &Outcome| Some(outcome.winner());
            comparison.owe(match (ruled, &completed) {
                (Some(winner), _) => Owed { due: Some(settle(winner)), ..Owed::default() },
                // The coup could not be settled by hands that lack cards: the stake may have to come back as well, and one
                // bet says nothing about another.
                (None, Some(_)) => {
                    let dues = winners.iter().map(|winner| settle(*winner));
                    Owed::of(dues.chain([stake_back(bet)]).collect(), comparison.recorded)
                }
                (None, None) => worlds.due(comparison.recorded, by_winner, settle),
            });
        }
        if whose_unknown {
            // The rest of the coup is judged all the same.
            self.undecided.get_or_insert(crate::Reason::EventsMissing);
        }
        if let Some(reason) = worlds.open() {
            self.doubt(reason);
        }
        compare(self, &comparisons, rules, sink);
        comparisons
    }

    /// Notes the money of the stakes, where `winner` won.
    pub(crate) fn note_even_money(
        &mut self,
        comparisons: &[Comparison],
        winner: Option<Winner>,
        rules: &Rules,
    ) {
        let boxed = is_boxed(rules);
        let mut money = CoupMoney::recorded(self, comparisons, boxed);
        let taken_back = |of: &&mut BetMoney| {
            let bet = &self.bets[of.bet];
            bet.state == BetState::WithdrawnLate && !bet.late
        };
        for of in money.bets.iter_mut().filter(taken_back) {
            of.due = self.would_bring(&self.bets[of.bet], winner, rules).map(|due| net(due, boxed));
            of.as_dealt = of.due.map(SumRange::exactly);
            of.by_rules = of.as_dealt;
        }
        for comparison in comparisons {
            let of = money.of_mut(comparison.bet).filter(|of| of.as_dealt.is_none());
            of.into_iter().for_each(|of| {
                (of.as_dealt, of.by_rules) = (comparison.any_of(boxed), comparison.any_of(boxed));
            });
        }
        money.leave_stakes_alone(self, |bet| bet.kind.is_some());
        match self.late_at_bank(winner, rules) {
            Some(moved) => {
                for (bet, at_bank) in moved {
                    money.of_mut(bet).iter_mut().for_each(|of| of.at_bank = Some(at_bank));
                }
            }
            None => money.bank_open = true,
        }
        *self.money = money;
        if self.dealt_wrongly() {
            self.leave_dues_open();
        }
    }

    /// What each bet that was placed too late, or taken back too late, moved at the bank: what the coup comes to for it as
    /// the stakes stand, less what it would come to without the one, or with the other. One is put right after the other, in the
    /// order of the record. `None` where that is not known.
    fn late_at_bank(&self, winner: Option<Winner>, rules: &Rules) -> Option<Vec<(usize, SeatMoney)>> {
        let coup = self.chemin.as_deref()?;
        let is_late = |bet: &Bet| bet.late && bet.stood();
        let is_taken_back = |bet: &Bet| !bet.late && bet.state == BetState::WithdrawnLate;
        let late = self.bets.iter().enumerate().filter(|(_, bet)| bet.kind.is_some());
        let mut late = late.filter(|(_, bet)| is_late(bet) || is_taken_back(bet)).peekable();
        if late.peek().is_none() {
            return Some(Vec::new());
        }
        let (winner, seat) = (winner?, coup.banker.as_ref().filter(|_| coup.is_bank_known())?.seat);
        if self.is_account_by_rules(winner, rules) {
            return Some(Vec::new());
        }
        let mut stakes = self.staked(rules, coup.bank);
        let mut before = due(stakes, coup.bank, winner, rules)?.net();
        let mut moved = Vec::new();
        for (at, bet) in late {
            stakes = stakes.with(bet, is_taken_back(bet), coup.bank, rules);
            let after = due(stakes, coup.bank, winner, rules).filter(|_| is_certain(bet))?.net();
            moved.push((at, SeatMoney::exactly(seat, clamp(before.saturating_sub(after)))));
            before = after;
        }
        Some(moved)
    }
}

/// What a finding on the account moved as far as that is certain: so much at least, if the account would be off to the same
/// side by all that the coup may come to.
pub(crate) fn as_far_as_certain(mut one: Accusation, others: &[Vec<Accusation>]) -> Accusation {
    let Some(moved) = one.money.first().copied().filter(|_| !others.is_empty()) else { return one };
    let of_code = |found: &Vec<Accusation>| {
        let same = found.iter().find(|other| other.code == one.code);
        same.and_then(|other| other.money.first()).map_or(0, |money| money.minor_units)
    };
    let sums = others.iter().map(of_code).chain([moved.minor_units]);
    let certain = SumRange::over(sums).and_then(SumRange::certain);
    one.money = certain.map(|sum| SeatMoney::at_least(moved.seat, sum)).into_iter().collect();
    one
}

/// The finding of a missing account. If several sides may have won, the announced winner decides the sums.
fn missing_account(play: &CoupInPlay, coup: &CheminCoup, winner: Winner) -> Accusation {
    let announced = coup.dues.iter().find(|(due, _)| *due == winner).map(|(_, due)| *due);
    let due = coup.due().or(announced);
    let expected = due.map_or(OfBank::SomeAccount, |due| OfBank::AccountDue {
        won: due.won.into(),
        lost: due.lost.into(),
        commission: due.commission.into(),
    });
    let accusation = play.accusation(Code::BankNotSettled, expected, OfBank::NotRecorded);
    match (due.filter(|due| due.won > due.commission), &coup.banker) {
        (Some(due), Some(banker)) => {
            accusation.moving(vec![seat_money(banker.seat, Money::ZERO, due.won.minus(due.commission))])
        }
        (_, _) => accusation,
    }
}

/// Whether what comes back for a bet follows from who won.
fn is_certain(bet: &Bet) -> bool {
    bet.kind.is_some() && bet.held != Held::Open
}

/// Whether a bet is an abono: a stake on the bank's side.
pub(super) fn is_abono(bet: &Bet, rules: &Rules) -> bool {
    bet.kind.is_some_and(|kind| rules.name(kind).as_str() != "punto")
}

/// What has to come back for a stake; of one above the bank what is too much comes back.
fn even(bet: &Bet, coup: &CheminCoup, winner: Winner, rules: &Rules) -> Settlement {
    let side = if is_abono(bet, rules) { Side::Banca } else { Side::Punto };
    let at_risk = if side == Side::Punto { bet.covered(coup.bank) } else { bet.within_limit() };
    let rest = bet.stake.minus(at_risk);
    let (won, commission) = match (winner, side) {
        (Winner::Tie, _) => return Settlement { returned: bet.stake, commission: Money::ZERO },
        (Winner::Punto, Side::Punto) => (true, Money::ZERO),
        // What the banker wins carries commission, in whatever form.
        (Winner::Banca, Side::Banca) => {
            let own = coup.is_own(bet) == Some(true);
            (true, if own { rules.book.commission_on(at_risk) } else { Money::ZERO })
        }
        (Winner::Punto, Side::Banca) | (Winner::Banca, Side::Punto) => (false, Money::ZERO),
    };
    let returned = if won { at_risk.plus(at_risk).plus(rest).minus(commission) } else { rest };
    Settlement { returned, commission }
}

impl CheminCoup {
    /// Whether a bet is the banker's own; `None` where that depends on who sits where, and nobody knows.
    fn is_own(&self, bet: &Bet) -> Option<bool> {
        if self.seats_known {
            return Some(self.banker.as_ref() == Some(&self.who(bet.seat, bet.player.as_ref())));
        }
        let (name, player) = self.name.as_ref().zip(bet.player.as_ref())?;
        Some(person::same(name, player))
    }
}

impl Chemin {
    /// A void coup is over: whoever had the bank goes on with what its account behind the void says.
    pub(crate) fn go_on_with(&mut self, play: &CoupInPlay, account: &BankSettled) {
        let banker = play.chemin.as_deref().and_then(|coup| coup.banker.as_ref());
        if let Some(banker) = self.banker.as_mut().filter(|has| Some(&has.who) == banker) {
            banker.go_on_with(account);
        }
    }

    /// A void coup is over in which events are missing: money of its banker may have been set aside.
    pub(crate) fn doubt_sum(&mut self, play: &CoupInPlay) {
        let banker = play.chemin.as_deref().and_then(|coup| coup.banker.as_ref());
        let has = self.banker.as_mut().filter(|has| Some(&has.who) == banker);
        has.into_iter().for_each(|banker| banker.sum_missing = true);
    }

    /// A coup is over, settled (by these rules for whoever won) or not; the banker `lost` it, or nobody knows.
    pub(crate) fn close_coup(
        &mut self,
        play: &CoupInPlay,
        settled: Option<(&Rules, Option<Winner>)>,
        lost: Option<bool>,
    ) {
        // What is missing before a coup that is left without settlement does not touch the bank, taken since.
        let missing = if settled.is_some() { play.missing_events > 0 } else { play.missing_behind > 0 };
        if let Some(coup) = play.chemin.as_deref().filter(|_| !play.voided) {
            self.end_coup(coup, lost, missing);
            let may_be_corrected = coup.account.is_some() && coup.account_sequence < play.missing_behind;
            let banker = self.banker.as_mut().filter(|banker| Some(&banker.who) == coup.banker.as_ref());
            banker.into_iter().for_each(|banker| banker.sum_missing |= may_be_corrected && banker.coups > 0);
        }
        if let Some((rules, winner)) = settled {
            self.remember_banco(play, rules, winner);
            let account = play.chemin.as_deref().map(|coup| coup.account.is_some());
            self.settled = account.map(|account| (play.number, account));
        }
    }

    /// An account is recorded after the settlement of its coup. That it was missing is reported, and the bank goes
    /// on with it if nothing else came between. A second account changes nothing.
    pub(crate) fn settle_late(&mut self, account: &BankSettled, sequence: u64) -> Option<Accusation> {
        self.of_another = Some(sequence);
        let (_, recorded) = self.settled.as_mut().filter(|(coup, _)| *coup == account.coup)?;
        if std::mem::replace(recorded, true) {
            return Some(
                Accusation::new(Code::BankWrong, OfBank::OneAccount, OfBank::AnotherAccount)
                    .in_coup(account.coup),
            );
        }
        if let Some(banker) = self.banker.as_mut().filter(|banker| banker.coups > 0) {
            banker.go_on_with(account);
        }
        None
    }
}
