//! Turns accusations into findings, with their location and rule, and makes the views of coups and boxes.

use baccarat::Clause;

use super::*;
use crate::account::CoupAccount;
use crate::code::Rests;
use crate::coup::BetState;
use crate::detail::{BetView, CardView, CoupView, SettlementView};
use crate::statement::OfRecord;
use crate::{CommissionView, Currency, Finding, RuleReference, Statement};

/// Most findings on turns that wait for the first coup of a shoe. No real table has more; the rest is reported at once.
const MOST_EARLY_TURNS: usize = 256;

impl Table {
    /// Turns what the state machines found at this event into findings.
    pub(crate) fn write_findings(&mut self) {
        if self.sink.is_empty() {
            return;
        }
        self.report_forgotten();
        let found = self.sink.take();
        let found = self.without_explained(found);
        for accusation in self.without_mended(found) {
            if self.limits_doubted && accusation.code.concerns_limits() {
                self.play.iter_mut().for_each(|play| play.doubt(Reason::LimitsUnknown));
                continue;
            }
            if self.is_excused(&accusation) {
                if self.is_share_of_play(&accusation) {
                    self.shares.note_late(&accusation.money);
                }
                continue;
            }
            let may_begin_late = self.shoe.as_deref().is_some_and(Shoe::may_begin_late);
            if may_begin_late && accusation.code.concerns_turn() && self.early_turns.len() < MOST_EARLY_TURNS
            {
                let location = accusation.location.or(Some(self.location));
                self.early_turns.push(Accusation { location, ..accusation });
                continue;
            }
            self.count_violation(&accusation);
            let beside = accusation.money_beside_bets();
            let finding = self.finding(accusation);
            self.tally.summary.count_finding(&finding);
            if self.question.asks_for_views() && finding.coup.is_some() {
                self.coup_findings.push(finding.clone());
            }
            self.finding_in_ledger(&finding);
            self.money_in_account(&finding, &beside);
            self.fresh.push(finding.clone());
            self.tally.kept.keep(finding);
        }
    }

    /// Whether its money is a share of what the account of the coup in play says of the bets.
    fn is_share_of_play(&self, accusation: &Accusation) -> bool {
        !accusation.bets.is_empty() && self.play.as_deref().map(|play| play.number) == accusation.coup
    }

    /// It is not reported, so its money is not certain.
    pub(super) fn leave_open_in_account(&mut self, accusation: &Accusation) {
        if self.is_share_of_play(accusation) {
            self.play.iter_mut().for_each(|play| play.leave_open(accusation));
        }
    }

    /// Whether it follows from a correction that came too late, which is reported with its money.
    fn is_excused(&self, accusation: &Accusation) -> bool {
        !self.corrections.is_as_it_began() && self.excuses(accusation)
    }

    /// What is forgotten leaves open what is in play, and is reported once from one opening to the next.
    fn report_forgotten(&mut self) {
        for cap in self.sink.take_forgotten() {
            self.play.iter_mut().for_each(|play| play.doubt(Reason::MoreThanKept));
            self.shoe.iter_mut().for_each(|shoe| shoe.leave_open(Reason::MoreThanKept));
            if self.forgotten.insert(cap) {
                self.sink.accuse(more_than_kept(cap));
            }
        }
    }

    /// Keeps what neither missing events of its coup nor names that look alike leave open. What they do leave open needs no
    /// correction, so it takes none of the missing events from what does.
    fn without_explained(&mut self, found: Vec<Accusation>) -> Vec<Accusation> {
        let mut left = Vec::with_capacity(found.len());
        let corrected = self.play.as_ref().is_some_and(|play| play.may_be_corrected(&found));
        for one in found {
            let of_bets = corrected && one.code.is_of_payout() && !one.bets.is_empty();
            let others =
                |play: &CoupInPlay| one.coup == Some(play.number) && play.may_have_been_others(&one.bets);
            let may_be_other = of_bets && self.play.as_deref().is_some_and(others);
            if one.coup.is_some() && self.is_explained(&one) || may_be_other || self.is_alike(&one) {
                self.leave_open_in_account(&one);
            } else {
                left.push(one);
            }
        }
        left
    }

    /// Whether what is missing from the coup may make it right.
    pub(super) fn is_explained(&self, accusation: &Accusation) -> bool {
        let play = self.play.as_ref().filter(|play| Some(play.number) == accusation.coup);
        play.is_some_and(|play| match accusation.code.rests_on() {
            Rests::Nothing => false,
            Rests::Events => play.missing_events > 0,
            Rests::Cards => play.missing_cards,
        })
    }

    fn count_violation(&mut self, accusation: &Accusation) {
        if accusation.code.severity() == crate::Severity::Incomplete {
            return;
        }
        match (self.play.as_mut(), accusation.coup) {
            (Some(play), Some(coup)) if play.number == coup => play.violated = true,
            (_, Some(coup)) => self.violate_past(coup),
            (_, None) => {}
        }
        if let Some(shoe) = self.shoe.as_mut()
            && (accusation.code.concerns_shoe() || accusation.coup.is_none())
        {
            shoe.violated = true;
        }
    }

    /// A coup that is over, or is still waiting to begin, is violated.
    fn violate_past(&mut self, coup: u32) {
        if self.coming == Some(coup) {
            self.violated_ahead.insert(coup);
            return;
        }
        let shoe = self.shoe.as_ref().map(|shoe| shoe.id().to_string());
        match self.over.last_of_mut(coup) {
            Some(over) => {
                if let Some(outcome) = over.result.as_mut() {
                    let before = *outcome;
                    outcome.verdict = CoupVerdict::Violated;
                    self.tally.violate(before, over.settled, coup, shoe.as_deref());
                    self.violated_in_ledger(before);
                } else {
                    self.awaited.violate(coup);
                }
            }
            None => {
                self.violated_ahead.insert(coup);
            }
        }
    }

    pub(crate) fn finding(&self, accusation: Accusation) -> Finding {
        let location = accusation.location.unwrap_or(self.location);
        Finding {
            entry: location.entry,
            table: self.id.clone(),
            sequence: location.sequence,
            code: accusation.code,
            severity: accusation.code.severity(),
            shoe: self.shoe.as_ref().map(|shoe| shoe.id().to_string()),
            coup: accusation.coup,
            rule: self.rule(&accusation),
            money: accusation.all_money(),
            expected: accusation.expected,
            recorded: if accusation.code == Code::MoreThanKept {
                more_recorded_by(self.producers.of(location.entry))
            } else {
                accusation.recorded
            },
            currency: self.currency(),
            sentence: accusation.code.english(),
            frase: accusation.code.spanish(),
            cause: accusation.cause,
        }
    }

    /// Tells what the boxes of the shoe that is over came to, where that is asked for.
    pub(super) fn view_commission(&mut self) {
        let accounts = self.boxes.take_accounts();
        self.boxes_in_ledger(&accounts);
        let shoe = self.shoe.as_ref().map(|shoe| shoe.id().to_string());
        let asked = self
            .question
            .wanted
            .as_ref()
            .is_some_and(|wanted| wanted.coup.is_none() && wanted.matches(&self.id, shoe.as_deref(), 0));
        if !asked {
            return;
        }
        let left = MAX_COUP_VIEWS.saturating_sub(self.tally.commission.len());
        let views = accounts.into_iter().take(left).map(|(seat, account)| CommissionView {
            table: self.id.clone(),
            shoe: shoe.clone(),
            currency: self.currency(),
            seat,
            marked: account.marked.get(),
            collected: account.collected.get(),
            outstanding: account.marked.minus(account.collected).get(),
        });
        let views: Vec<CommissionView> = views.collect();
        self.tally.commission.extend(views);
    }

    pub(super) fn currency(&self) -> Option<Currency> {
        Some(self.opened.as_ref()?.currency.clone())
    }

    fn rule(&self, accusation: &Accusation) -> RuleReference {
        let clause = match (&accusation.bet, &accusation.irregularity) {
            (Some(kind), _) => Some(Clause::Bet(kind.clone())),
            (None, Some(code)) => Some(Clause::Irregularity(code.clone())),
            (None, None) => accusation.code.clause(),
        };
        RuleReference::of(clause.as_ref(), self.rules().as_deref().map(|rules| &rules.book))
    }

    pub(super) fn coup_view(
        &self,
        play: &CoupInPlay,
        settled: Option<&CoupSettled>,
        payouts: &[Comparison],
        verdict: CoupVerdict,
        account: CoupAccount,
    ) -> CoupView {
        let rules = self.rules();
        let hands = play.deal.coup();
        CoupView {
            table: self.id.clone(),
            shoe: self.shoe.as_ref().map(|shoe| shoe.id().to_string()),
            coup: play.number,
            rulebook: rules.as_ref().map(|rules| rules.book.id.clone()),
            currency: self.currency(),
            sequences: (self.play_began.sequence, self.location.sequence),
            entries: (self.play_began.entry, self.location.entry),
            settled_at: self.clock.map(|clock| clock.to_string()).unwrap_or_default(),
            cards: play.drawn_cards.iter().map(card_view).collect(),
            totals: hands.map(|hands| (hands.punto.total().get(), hands.banca.total().get())),
            totals_recorded: settled.map(|settled| (settled.punto_total, settled.banca_total)),
            winner: hands.map(|hands| hands.winner()),
            winner_recorded: settled.map(|settled| settled.winner),
            computed: play.computed.to_vec(),
            third_cards: match (&rules, &hands) {
                (Some(rules), Some(hands)) if play.chemin.is_some() => {
                    let (free, banca) = play.plays_freely(rules);
                    third_cards_chosen(&rules.book, hands, free, play.punto_asked(), banca)
                }
                (Some(rules), Some(hands)) => third_cards(&rules.book, hands),
                (None, _) | (_, None) => Vec::new(),
            },
            bets: bet_views(play, payouts, rules.as_deref(), &account),
            account,
            corrected: None,
            bank: play.bank_view(rules.as_deref()),
            verdict,
            subject_to_ruling: play.ruled && verdict == CoupVerdict::Certified,
            undecided: play.undecided,
            findings: self.coup_findings.to_vec(),
        }
    }
}

fn card_view(drawn: &events::CardDrawn) -> CardView {
    let to = match drawn.to.side() {
        Some(side) => side.to_string(),
        None => "removed".to_owned(),
    };
    CardView { position: drawn.position, card: drawn.card.to_string(), to }
}

fn bet_views(
    play: &CoupInPlay,
    payouts: &[Comparison],
    rules: Option<&Rules>,
    account: &CoupAccount,
) -> Vec<BetView> {
    let view = |settlement: baccarat::Settlement| SettlementView {
        returned: settlement.returned.get(),
        commission: settlement.commission.get(),
    };
    let mut bets: Vec<BetView> = play.bets.iter().map(|bet| bet_view(bet, rules)).collect();
    for payout in payouts {
        bets[payout.bet].expected = payout.due.map(view);
        bets[payout.bet].recorded = payout.recorded.map(view);
    }
    if account.void {
        // Every stake had to come back; lines of the account and bets have one order.
        let whole = |returned: i64| SettlementView { returned: returned.unsigned_abs(), commission: 0 };
        let refunds = bets.iter_mut().zip(&play.bets).filter(|(_, bet)| bet.state != BetState::Withdrawn);
        for ((bet, _), line) in refunds.zip(&account.bets) {
            bet.expected = line.as_dealt.and_then(crate::account::SumRange::known).map(whole);
            bet.recorded = line.recorded.filter(|sum| *sum >= 0).map(whole);
        }
    }
    bets
}

fn bet_view(bet: &crate::coup::Bet, rules: Option<&Rules>) -> BetView {
    let kind =
        rules.zip(bet.kind).map_or_else(|| "?".to_owned(), |(rules, kind)| rules.name(kind).to_string());
    BetView {
        bet: bet.id,
        seat: bet.seat,
        player: bet.player.as_ref().map(ToString::to_string),
        kind,
        stake: bet.stake.get(),
        withdrawn: matches!(bet.state, BetState::Withdrawn | BetState::WithdrawnLate),
        expected: None,
        recorded: None,
    }
}

/// More of something is recorded than is kept of it.
pub(crate) fn more_than_kept(cap: Cap) -> Accusation {
    let expected = OfRecord::KeptAtMost { most: cap.most() as u64, what: cap };
    Accusation::new(Code::MoreThanKept, expected, OfRecord::MoreThanKept)
}

/// Who recorded more, if that is known.
pub(crate) fn more_recorded_by(producer: Option<&str>) -> Statement {
    match producer {
        Some(producer) => OfRecord::MoreThanKeptBy { producer: producer.into() }.into(),
        None => OfRecord::MoreThanKept.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use baccarat::{Side, Winner};

    use super::*;
    use crate::question::Question;
    use crate::statement::{NO_COMMISSION, OfCards, OfPayouts, Sum};
    use crate::{Cause, SeatMoney};

    #[test]
    fn a_consequence_names_its_cause_and_is_counted_apart_with_its_money() {
        let mut table = Table::new("T".to_owned(), Arc::new(Question::new(None, None)));
        let (root, location) = (Location { entry: 3, sequence: 7 }, Location { entry: 4, sequence: 9 });
        table.sink.go_to(root);
        table.sink.accuse(Accusation::new(
            Code::BancaDrew,
            OfCards::NoFourthCard,
            OfCards::Stood { hand: Side::Banca },
        ));
        table.sink.go_to(location);
        let money = vec![SeatMoney::exactly(2, -500)];
        let returned = |amount| OfPayouts::Returned { amount: Sum(amount), commission: NO_COMMISSION };
        let follows = Accusation::new(Code::PayoutUnder, returned(1_500), returned(1_000)).moving(money);
        table.sink.accuse(follows.following_from(root, Code::BancaDrew));
        table.write_findings();
        let found = table.take_fresh();
        assert_eq!(found[1].cause, Some(Cause { entry: 3, sequence: 7, code: Code::BancaDrew }));
        assert!(found[1].follows_from(&found[0]) && !found[0].follows_from(&found[1]));
        assert_eq!(table.tally.summary.findings_by_code, BTreeMap::from([(Code::BancaDrew, 1)]));
        assert_eq!(table.tally.summary.consequences_by_code, BTreeMap::from([(Code::PayoutUnder, 1)]));
        let moved: Vec<_> =
            table.tally.summary.money.iter().map(|row| (row.seat, row.gained, row.lost)).collect();
        assert_eq!(moved, [(2, 0, 500)]);
    }

    #[test]
    fn a_consequence_comes_back_from_json_and_a_finding_of_its_own_has_no_cause_there() {
        let mut table = Table::new("T".to_owned(), Arc::new(Question::new(None, None)));
        let announced = |winner| OfCards::WinnerAnnounced { winner };
        let (punto, banca) = (announced(Winner::Punto), announced(Winner::Banca));
        let follows = Accusation::new(Code::WinnerWrong, punto, banca);
        table.sink.accuse(follows.clone().following_from(Location::default(), Code::TotalWrong));
        table.sink.accuse(follows);
        table.write_findings();
        let found = table.take_fresh();
        let texts: Vec<String> =
            found.iter().map(|found| serde_json::to_string(found).expect("JSON")).collect();
        assert_eq!(texts.iter().filter(|text| text.contains("cause")).count(), 1);
        let back = texts.iter().map(|text| serde_json::from_str(text).expect("a finding"));
        assert_eq!(back.collect::<Vec<Finding>>(), found);
    }
}
