//! What a coup and a finding came to, in words.

use baccarat::Winner;
use events::{ComputedValue, Counsel};
use replay::statement::{Party, Suits};
use replay::{
    BankView, BetView, ChangedMember, CoupVerdict, CoupView, Currency, Finding, RulingKind, RulingView,
    SeatAccount, SeatMoney, SettlementView, Statement, Style, SumRange, ThirdCard,
};

use crate::Texts;
use crate::screen::plain;

/// Members of events that are sums, in minor units.
const SUMS: [&str; 7] = ["stake", "returned", "commission", "amount", "bank", "garaje", "paid"];

impl Texts {
    /// What a coup came to, with the reason where it is undecided.
    #[must_use]
    pub fn coup_verdict(self, coup: &CoupView) -> String {
        let word = coup.verdict.word(self.language());
        match (coup.verdict, coup.undecided) {
            (CoupVerdict::Undecided, Some(reason)) => self.undecided_for(reason),
            (CoupVerdict::Certified | CoupVerdict::Judged, _) if coup.subject_to_ruling => {
                self.subject_to_ruling(word)
            }
            (_, _) => word.to_owned(),
        }
    }

    /// A hand by its name in JSON.
    #[must_use]
    pub fn hand(self, name: &str) -> String {
        match name {
            "punto" => self.punto(),
            "banca" => self.banca(),
            "removed" => self.removed_key(),
            other => other.to_owned(),
        }
    }

    /// What a bet is on, as a sentence says it.
    #[must_use]
    pub fn on_bet(self, kind: &str) -> String {
        match kind {
            "punto" => self.on_punto(),
            "banca" => self.on_banca(),
            "tie" => self.on_tie(),
            _ => self.on_kind(kind),
        }
    }

    /// The totals and the winner as dealt, as announced where that differs, and which of the announced ones nobody read.
    #[must_use]
    pub fn totals_of(self, coup: &CoupView) -> String {
        let result = |totals: Option<(u8, u8)>, winner: Option<Winner>| match (totals, winner) {
            (Some((punto, banca)), Some(winner)) => self.totals(punto, banca, self.wins(winner)),
            (_, _) => self.not_known(),
        };
        let dealt = result(coup.totals, coup.winner);
        let announced = result(coup.totals_recorded, coup.winner_recorded);
        let said = if dealt == announced { dealt } else { self.announced(dealt, announced) };
        if coup.computed.is_empty() {
            return said;
        }
        let word = |value: &ComputedValue| match value {
            ComputedValue::Winner => self.value_winner(),
            ComputedValue::PuntoTotal => self.value_punto_total(),
            ComputedValue::BancaTotal => self.value_banca_total(),
        };
        let values: Vec<String> = coup.computed.iter().map(word).collect();
        self.totals_computed(said, values.join(", "))
    }

    /// How a coup ended, as a sentence says it.
    fn wins(self, winner: Winner) -> String {
        match winner {
            Winner::Punto => self.punto_wins(),
            Winner::Banca => self.banca_wins(),
            Winner::Tie => self.a_tie(),
        }
    }

    /// The kind of a bet: the three main ones in a word, others as their rulebook names them.
    #[must_use]
    pub fn bet_word(self, kind: &str) -> String {
        match kind {
            "punto" => self.punto(),
            "banca" => self.banca(),
            "tie" => self.tie(),
            _ => kind.to_owned(),
        }
    }

    /// How a coup ended, in a word.
    #[must_use]
    pub fn winner_word(self, winner: Winner) -> String {
        match winner {
            Winner::Punto => self.punto(),
            Winner::Banca => self.banca(),
            Winner::Tie => self.tie(),
        }
    }

    /// Why a hand drew or stood.
    #[must_use]
    pub fn why_third_card(self, third: &ThirdCard) -> String {
        let against = third.against.map(|value| self.against_third(value)).unwrap_or_default();
        let ThirdCard { side, total, rule, drew, .. } = third;
        let side = side.to_string();
        let (rule, as_asked) = match rule.as_str() {
            "natural" if *drew => return self.natural_drew(self.hand(&side), total),
            "natural" => return self.natural_stood(self.hand(&side), total),
            "draws" => (self.must_draw(), *drew),
            "stands" => (self.must_stand(), !*drew),
            "may choose" => (self.may_choose(), true),
            "has no stated rule" => (self.not_stated(), true),
            other => (other.to_owned(), true),
        };
        let did = match (drew, as_asked) {
            (true, true) => self.and_drew(),
            (true, false) => self.but_drew(),
            (false, true) => self.and_stood(),
            (false, false) => self.but_stood(),
        };
        self.third_card(self.the_hand(&side), rule, total, against, did)
    }

    /// A hand as a sentence names it.
    #[must_use]
    pub fn the_hand(self, name: &str) -> String {
        match name {
            "punto" => self.the_punto(),
            "banca" => self.the_banca(),
            other => self.hand(other),
        }
    }

    /// A rank in a word where it has one, else as it is.
    #[must_use]
    pub fn rank_word(self, rank: &str) -> String {
        match rank {
            "A" => self.ace(),
            "J" => self.jack(),
            "Q" => self.queen(),
            "K" => self.king(),
            _ => rank.to_owned(),
        }
    }

    /// The bank of chemin de fer, a line each: who had it, what was called and announced, what it won or lost; none
    /// in punto y banca.
    #[must_use]
    pub fn bank_lines(self, coup: &CoupView) -> Vec<String> {
        let Some(bank) = &coup.bank else { return Vec::new() };
        let sum = |minor_units: u64| self.money(i128::from(minor_units), coup.currency.as_ref());
        let banker = bank.banker.as_ref().map_or_else(|| self.banker_unknown(), |banker| self.party(banker));
        let mut lines = vec![self.bank_line(banker, sum(bank.before), sum(bank.garaje), sum(bank.staked))];
        lines.extend(
            bank.calls.iter().map(|call| format!("{}: «{}»", self.party(&call.who), call.call.words())),
        );
        lines.extend(bank.decisions.iter().map(|said| {
            let asked = match said.counsel {
                Counsel::Croupier => self.asked_the_croupier(),
                _ => String::new(),
            };
            format!("{}: «{}»{asked}", self.hand(&said.hand.to_string()), said.decision.words())
        }));
        lines.extend(bank.uncovered.map(|uncovered| self.uncovered(sum(uncovered))));
        lines.push(self.bank_account(bank, sum));
        lines
    }

    /// A player by the seat they sit at, or stand behind.
    #[must_use]
    pub fn party(self, party: &Party) -> String {
        match &party.standing {
            Some(name) => self.standing(name, party.seat),
            None => self.seated(party.seat),
        }
    }

    /// What a coup came to for the bank, as due and as recorded.
    fn bank_account(self, bank: &BankView, sum: impl Fn(u64) -> String) -> String {
        let result = |won: u64, lost: u64, commission: u64| match (won, lost) {
            (0, 0) => self.won_nothing(),
            (won, 0) => self.won(sum(won), sum(commission)),
            (_, lost) => self.lost(sum(lost)),
        };
        let due = bank.due.map(|due| result(due.won, due.lost, due.commission));
        let due = due.unwrap_or_else(|| self.not_derived());
        let Some(recorded) = &bank.recorded else { return self.no_account(due) };
        let said = result(recorded.won.get(), recorded.lost.get(), recorded.commission.get());
        let differs = if said == due { String::new() } else { self.account_differs(said) };
        self.account(due, differs, sum(recorded.bank.get()), sum(recorded.garaje.get()))
    }

    /// The account of a coup's money where it is not plain: a line for each seat that did not get what was due, or of
    /// which that is not known, or for which something else was due by the rules than by the cards as dealt.
    #[must_use]
    pub fn account_lines(self, coup: &CoupView) -> Vec<String> {
        let (account, sum) = (&coup.account, |sum: i64| self.money(i128::from(sum), coup.currency.as_ref()));
        let range = |range: Option<SumRange>| match range {
            None => self.account_unknown(),
            Some(SumRange { least, most }) if least == most => sum(least),
            Some(SumRange { least, most }) => self.account_between(sum(least), sum(most)),
        };
        let difference = |of: Option<SumRange>| {
            let at_least = of.is_some_and(|of| of.known().is_none());
            let sum = |units: i64| if at_least { self.sum_or_more(sum(units)) } else { sum(units) };
            match of.and_then(|of| of.known().or(of.certain())) {
                None => self.account_unknown(),
                Some(0) => self.account_even(),
                Some(short) if short < 0 => self.account_short(sum(short.saturating_neg())),
                Some(over) => self.account_over(sum(over)),
            }
        };
        let plain = |seat: &&SeatAccount| {
            seat.difference != Some(SumRange::exactly(0)) || seat.as_dealt != seat.by_rules
        };
        let mut lines = Vec::new();
        lines.extend(account.void.then(|| self.account_void()));
        lines.extend(account.seats.iter().filter(plain).map(|seat| {
            let recorded = seat.recorded.map_or_else(|| self.account_unknown(), sum);
            let (as_dealt, by_rules) = (range(seat.as_dealt), range(seat.by_rules));
            self.account_of_seat(seat.seat, recorded, as_dealt, by_rules, difference(seat.difference))
        }));
        lines.extend((account.unattributed != 0).then(|| self.account_of_house(sum(account.unattributed))));
        let known = |sums: Option<i64>| sums.map_or_else(|| self.account_unknown(), sum);
        if let Some(corrected) = &coup.corrected {
            let names = self.who_signed(&corrected.signers, corrected.more_signers);
            lines.extend(corrected.seats.iter().map(|seat| {
                let whose = if seat.seat == 0 { self.account_no_seat() } else { self.seated(seat.seat) };
                let [due_first, due] = [seat.due_first, seat.due].map(range);
                let [recorded_first, recorded] = [seat.recorded_first, seat.recorded].map(known);
                self.account_corrected(whose, &names, due_first, due, recorded_first, recorded)
            }));
        }
        lines
    }

    /// What was ruled on a coup and corrected in it, a line each: what, who signed it, when and why.
    #[must_use]
    pub fn ruling_lines(self, coup: &CoupView) -> Vec<String> {
        let mut lines: Vec<String> =
            coup.rulings.iter().map(|one| self.ruling_line(one, coup.currency.as_ref())).collect();
        lines.extend((coup.more_rulings > 0).then(|| self.ruled_more(coup.more_rulings)));
        lines
    }

    fn ruling_line(self, one: &RulingView, currency: Option<&Currency>) -> String {
        let names = self.who_signed(&one.signed_by, false);
        let (time, text) = (self.time(&one.at), plain(&one.text));
        match &one.what {
            RulingKind::Void => self.ruled_void(names, time, text),
            RulingKind::Irregularity { code, positions } => {
                let cards = (!positions.is_empty()).then(|| self.ruled_positions(self.listed(positions)));
                self.ruled_irregularity(plain(code), cards.unwrap_or_default(), names, time, text)
            }
            RulingKind::CardReplaced { position, card } => {
                self.ruled_replaced(plain(card), *position, names, time, text)
            }
            RulingKind::Correction { corrects, event, counts, changes } => {
                let event = event.word(self.language());
                let changes: Vec<String> =
                    changes.iter().map(|change| self.changed(change, currency)).collect();
                let changes = if changes.is_empty() { self.ruled_no_change() } else { changes.join("; ") };
                let said = self.ruled_correction(event, *corrects, changes, names, time, text);
                if *counts { said } else { self.ruled_counts_not(said) }
            }
        }
    }

    /// How a correction changes a member of an event; sums in the table's currency.
    fn changed(self, change: &ChangedMember, currency: Option<&Currency>) -> String {
        let member = change.member.rsplit('.').next().unwrap_or_default();
        let value = |value: &Option<String>| match (value, member) {
            (None, _) => self.ruled_nothing(),
            (Some(kind), "kind" | "winner") => self.bet_word(&plain(kind)),
            (Some(hand), "to" | "hand") => self.hand(&plain(hand)),
            (Some(text), _) => match text.parse::<u64>().ok().filter(|_| SUMS.contains(&member)) {
                Some(sum) => self.money(i128::from(sum), currency),
                None => plain(text),
            },
        };
        let name = match change.member.as_str() {
            "stake" => self.stake(),
            "kind" => self.kind(),
            "seat" => self.seat(),
            "winner" => self.value_winner(),
            "player" => self.member_player(),
            "card" => self.member_card(),
            "position" => self.member_position(),
            "to" | "hand" => self.member_hand(),
            "amount" => self.member_amount(),
            "decision" => self.member_decision(),
            other => format!("`{}`", plain(other)),
        };
        self.ruled_changed(name, value(&change.first), value(&change.corrected))
    }

    /// People who signed.
    #[must_use]
    pub(crate) fn who_signed(self, names: &[String], others: bool) -> String {
        let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
        match (names.is_empty(), others) {
            (true, _) => self.others_signed(),
            (false, false) => self.listed(&names),
            (false, true) => self.and_others(names.join(", ")),
        }
    }

    /// Whether a bet did not return what was due by the cards as dealt, where that is known.
    #[must_use]
    pub fn is_settled_otherwise(bet: &BetView) -> bool {
        !bet.withdrawn && bet.expected.is_some() && bet.expected != bet.recorded
    }

    /// What a finding moved at one seat.
    #[must_use]
    pub fn moved_at_seat(self, finding: &Finding, moved: &SeatMoney) -> String {
        let sum = self.money(i128::from(moved.minor_units.unsigned_abs()), finding.currency.as_ref());
        let sum = if moved.at_least { self.sum_or_more(sum) } else { sum };
        if moved.minor_units < 0 {
            self.underpaid_by(moved.seat, sum)
        } else if finding.code.is_of_commission() && moved.seat != 0 {
            self.commission_not_paid_by(moved.seat, sum)
        } else {
            self.overpaid_by(moved.seat, sum)
        }
    }

    /// Where a finding is: table, shoe, coup, and the event that shows it first.
    #[must_use]
    pub fn place_of(self, finding: &Finding) -> String {
        let shoe = finding.shoe.as_ref().map(|shoe| self.of_shoe(shoe)).unwrap_or_default();
        let coup = finding.coup.map(|coup| self.of_coup(coup)).unwrap_or_default();
        let place = format!("{}{shoe}{coup}", self.of_table(&finding.table));
        self.first_shown(place, finding.sequence, finding.entry)
    }

    /// A statement of a finding, with sums in the table's currency and suits as symbols.
    #[must_use]
    pub fn worded(self, statement: &Statement, finding: &Finding) -> String {
        let currency = finding.currency.as_ref();
        statement.text(Style {
            language: self.language(),
            currency,
            suits: Suits::Symbols,
            differences: true,
        })
    }

    /// What a bet came to, as due or as recorded.
    #[must_use]
    pub fn settlement_of(
        self,
        bet: &BetView,
        settlement: Option<SettlementView>,
        currency: Option<&Currency>,
    ) -> String {
        let sum = |minor_units: u64| self.money(i128::from(minor_units), currency);
        match settlement {
            _ if bet.withdrawn => self.withdrawn(),
            None => "-".to_owned(),
            Some(SettlementView { returned, commission: 0 }) => sum(returned),
            Some(SettlementView { returned, commission }) => {
                self.with_commission(sum(returned), sum(commission))
            }
        }
    }
}
