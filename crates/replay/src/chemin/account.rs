//! The end of a coup: what it came to for the bank, and what every stake brings.

use baccarat::{Money, Settlement, Side, Winner};
use events::{BankSettled, CoupSettled};

use super::money::{due, judge_account};
use super::{Chemin, CheminCoup};
use crate::Code;
use crate::coup::{Bet, CoupInPlay, Held};
use crate::rules::Rules;
use crate::settlement::{Comparison, compare, match_bets};
use crate::sink::{Accusation, Sink, seat_money};
use crate::verdict::Reason;

impl CoupInPlay {
    /// The cards are out: works out what the coup comes to for the bank.
    fn reckon(&mut self, rules: &Rules, sink: &mut Sink) {
        self.judge_stakes(rules, sink);
        self.check_choices(rules, sink);
        let result = self.result();
        if result.is_some_and(|result| result.by_ruling) {
            self.doubt(Reason::Ruled);
        }
        let Some(mut coup) = self.chemin.take() else { return };
        let winner = result.map(|result| result.winner);
        coup.due = winner
            .filter(|_| coup.banker.is_some())
            .and_then(|winner| due(self.staked(rules, coup.bank), coup.bank, winner, rules));
        if winner.is_some() && coup.due.is_none() && coup.banker.is_some() {
            self.doubt(Reason::RuleSilent);
        }
        self.chemin = Some(coup);
    }

    /// What the coup comes to for the bank, as recorded.
    pub(crate) fn settle_bank(&mut self, settled: &BankSettled, rules: &Rules, sink: &mut Sink) {
        self.reckon(rules, sink);
        let Some(mut coup) = self.chemin.take() else { return };
        if coup.account.is_some() {
            let accusation = self.accusation(Code::BankWrong, "one account of the coup", "another");
            sink.accuse(accusation);
        } else {
            sink.accuse_all(judge_account(self, &coup, settled, rules));
            coup.account = Some(settled.clone());
        }
        self.chemin = Some(coup);
    }

    /// The account was recorded wrongly.
    pub(crate) fn forget_account(&mut self) {
        if let Some(coup) = self.chemin.as_mut() {
            coup.account = None;
        }
    }

    /// The coup is settled: its account has to stand there, and what was not covered set aside.
    pub(crate) fn check_account(&mut self, rules: &Rules, sink: &mut Sink) {
        self.reckon(rules, sink);
        let Some(coup) = self.chemin.as_deref().filter(|coup| coup.banker.is_some()) else { return };
        let mut found = Vec::new();
        if coup.account.is_none() {
            found.push(missing_account(self, coup));
        }
        let uncovered = self.uncovered(rules);
        if uncovered > Money::ZERO && coup.compulsory.is_none() && !coup.todo_va {
            let expected = format!("{uncovered} set aside, what the stakes do not cover");
            found.push(self.accusation(Code::GarajeMissing, expected, "none recorded"));
        }
        sink.accuse_all(found);
    }

    /// Totals and winner as announced against the hands as dealt and ruled upon.
    pub(crate) fn check_announced(&mut self, settled: &CoupSettled, sink: &mut Sink) -> Option<Winner> {
        let Some(result) = self.result() else {
            self.doubt(Reason::CardUnread);
            return None;
        };
        if let Some(totals) =
            result.totals.filter(|totals| *totals != (settled.punto_total, settled.banca_total))
        {
            let told = |(punto, banca): (u8, u8)| format!("punto {punto}, banca {banca}");
            let recorded = told((settled.punto_total, settled.banca_total));
            sink.accuse(self.accusation(Code::TotalWrong, told(totals), recorded));
        }
        if result.winner != settled.winner {
            sink.accuse(self.accusation(Code::WinnerWrong, result.winner, settled.winner));
        }
        Some(result.winner)
    }

    /// What a bet would have brought, had it not been taken back.
    pub(crate) fn would_bring(&self, bet: &Bet, winner: Option<Winner>, rules: &Rules) -> Option<Settlement> {
        let coup = self.chemin.as_deref().filter(|coup| coup.due.is_some())?;
        even(bet, coup, winner?, rules)
    }

    /// Every stake wins as much as it is, or comes back on a tie.
    pub(crate) fn judge_even_payouts(
        &mut self,
        settled: &CoupSettled,
        winner: Option<Winner>,
        rules: &Rules,
        sink: &mut Sink,
    ) -> Vec<Comparison> {
        let mut comparisons = match_bets(self, settled, sink);
        let coup = self.chemin.as_deref();
        let certain = coup.is_some_and(|coup| coup.due.is_some());
        let mut whose_unknown = false;
        for comparison in &mut comparisons {
            let bet = &self.bets[comparison.bet];
            if let (Some(coup), Some(winner), true) = (coup, winner, certain) {
                comparison.due = even(bet, coup, winner, rules);
                // Whether it is the banker's own, who sits and who stands being unknown, decides the
                // commission.
                if winner == Winner::Banca && is_abono(bet, rules) && !coup.seats_known {
                    (comparison.due, whose_unknown) = (None, true);
                }
            }
        }
        if whose_unknown {
            // The rest of the coup is judged all the same.
            self.undecided.get_or_insert(crate::Reason::EventsMissing);
        }
        compare(self, &comparisons, rules, sink);
        comparisons
    }
}

fn missing_account(play: &CoupInPlay, coup: &CheminCoup) -> Accusation {
    let expected = coup.due.map_or_else(
        || "what the coup comes to for the bank".to_owned(),
        |due| format!("won {}, lost {}, commission {}", due.won, due.lost, due.commission),
    );
    let accusation = play.accusation(Code::BankNotSettled, expected, "none recorded");
    match (coup.due.filter(|due| due.won > due.commission), &coup.banker) {
        (Some(due), Some(banker)) => {
            accusation.moving(vec![seat_money(banker.seat, Money::ZERO, due.won.minus(due.commission))])
        }
        (_, _) => accusation,
    }
}

/// Whether a bet is an abono: a stake on the bank's side.
fn is_abono(bet: &Bet, rules: &Rules) -> bool {
    bet.kind.is_some_and(|kind| rules.name(kind).as_str() != "punto")
}

/// What has to come back for a stake; of one above the bank what is too much comes back.
fn even(bet: &Bet, coup: &CheminCoup, winner: Winner, rules: &Rules) -> Option<Settlement> {
    bet.kind.filter(|_| bet.held != Held::Open)?;
    let side = if is_abono(bet, rules) { Side::Banca } else { Side::Punto };
    let at_risk = if side == Side::Punto { bet.covered(coup.bank) } else { bet.stake };
    let rest = bet.stake.minus(at_risk);
    let (won, commission) = match (winner, side) {
        (Winner::Tie, _) => return Some(Settlement { returned: bet.stake, commission: Money::ZERO }),
        (Winner::Punto, Side::Punto) => (true, Money::ZERO),
        // What the banker wins carries commission, in whatever form.
        (Winner::Banca, Side::Banca) => {
            let own = coup.banker.as_ref() == Some(&coup.who(bet.seat, bet.player.as_ref()));
            (true, if own { rules.book.commission_on(bet.stake) } else { Money::ZERO })
        }
        (Winner::Punto, Side::Banca) | (Winner::Banca, Side::Punto) => (false, Money::ZERO),
    };
    let returned = if won { at_risk.plus(at_risk).plus(rest).minus(commission) } else { rest };
    Some(Settlement { returned, commission })
}

impl Chemin {
    /// A coup is over, settled or not.
    pub(crate) fn close_coup(&mut self, play: &CoupInPlay, rules: Option<&Rules>, winner: Option<Winner>) {
        if let Some(coup) = play.chemin.as_deref() {
            self.end_coup(coup, winner);
        }
        if let Some(rules) = rules {
            self.remember_banco(play, rules, winner);
        }
    }
}
