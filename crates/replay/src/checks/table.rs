//! All late checks of what was played at a table, each where it stands in the record.

use std::collections::BTreeSet;

use baccarat::Winner;
use events::{Body, Name, TableOpened};

use super::bank::{Bank, Terms};
use super::bank_account::{account, account_of_void};
use super::bank_coup::{Against, AtBank, coup_at_bank};
use super::before::{Before, Book, Books, Standing, keep};
use super::clock::is_bet_after_cards;
use super::coup::coup;
use super::doubt::Open;
use super::facts::{Facts, ShoeSoFar};
use super::index::Index;
use super::late::weigh;
use super::mending::mend;
use super::moments::{Moment, What, moments};
use super::numbers::numbers;
use super::order::order;
use super::paytables::Paytables;
use super::play::{Play, Setting};
use super::remarks::remarks;
use super::shoe::shoe;
use super::shoe_cards::ShoeCards;
use super::unruled::unruled;
use super::{Checked, Found, TableChecked};
use crate::clock::Received;
use crate::reading::{CoupRecord, OpenRange, Reading, ShoeRecord, Told};
use crate::sink::Accusation;
use crate::statement::OfTable;
use crate::{Code, Severity};

/// Checks all that was played at a table, up to the end of its record. `received` says of each sequence when the log received
/// its event, and how.
#[must_use]
pub fn table<'r, 'a: 'r>(
    reading: &'r Reading<'a>,
    range: &'r OpenRange<'a>,
    books: &'r dyn Books,
    received: &'r dyn Fn(u64) -> Received,
) -> TableChecked {
    let mut facts = Facts::default();
    let mut checked = range_of_table(&mut facts, (reading, range), books, received);
    end_of_table(&mut checked, (reading, &facts), books);
    checked
}

/// The record ends after a range that was checked: what is wrong because of that, and what is left in the boxes.
pub fn end_of_table(checked: &mut TableChecked, (reading, facts): (&Reading<'_>, &Facts), books: &dyn Books) {
    let shoe = reading.shoes.len().checked_sub(1);
    let at_end = facts.end(books).found.into_iter().map(|found| Found { shoe, ..found });
    checked.found.extend(at_end);
    checked.found.sort_by_key(|found| found.sequence);
    (checked.boxes.left, checked.boxes.is_owed) = facts.boxes_left();
}

/// Checks what was played in a range. `facts` is what is known before it, and then what is known after it.
pub fn range_of_table<'r, 'a: 'r>(
    facts: &mut Facts,
    (reading, range): (&'r Reading<'a>, &'r OpenRange<'a>),
    books: &'r dyn Books,
    received: &'r dyn Fn(u64) -> Received,
) -> TableChecked {
    let began = reading.as_corrected.as_deref().map(|corrected| (corrected, facts.clone()));
    let mut checked = walk(facts, (reading, range), books, received);
    if let Some((corrected, mut began)) = began {
        let opened = began.standing.last_opened.clone();
        let corrected = (corrected, walk(&mut began, (corrected, range), books, received));
        weigh((reading, &mut checked), corrected, opened.as_deref(), books);
    }
    checked.found.sort_by_key(|found| found.sequence);
    let violates = |found: &&Found| found.code.severity() == Severity::Violation;
    let of_coup = |found: &Found| Some((found.shoe?, found.coup?));
    let violated: BTreeSet<(usize, u32)> =
        checked.found.iter().filter(violates).filter_map(of_coup).collect();
    for ((shoe, at), coup) in &mut checked.coups {
        coup.violated = violated.contains(&(*shoe, reading.shoes[*shoe].coups[*at].number));
    }
    checked
}

/// Asks each check at each moment.
fn walk<'r, 'a: 'r>(
    facts: &mut Facts,
    (reading, range): (&'r Reading<'a>, &'r OpenRange<'a>),
    books: &'r dyn Books,
    received: &'r dyn Fn(u64) -> Received,
) -> TableChecked {
    let moments = moments(reading, range.items().len());
    let (standing, mut last) = (std::mem::take(&mut facts.standing), facts.shoe.take());
    let is_the_same = |shoe: &ShoeRecord<'_>| shoe.loading.is_none() && !shoe.is_loading_lost;
    let goes_on = facts.loadings.is_in_play() && reading.shoes.first().is_some_and(is_the_same);
    let in_play = goes_on.then_some(0);
    facts.loadings.begin_range(in_play);
    facts.seats.begin_range(in_play);
    facts.names.begin_range();
    facts.clock.begin_range(reading);
    let mut rules = vec![None; reading.shoes.len()];
    let shoe = last.as_ref().filter(|_| goes_on);
    let opened = shoe.and_then(|shoe| shoe.opened.clone());
    in_play.into_iter().for_each(|at| rules[at] = opened.as_deref());
    let read = |at: usize| shoe.filter(|_| Some(at) == in_play).map(|shoe| &shoe.read);
    let shoes: Vec<Index<'_>> = reading.shoes.iter().map(Index::of).collect();
    let cards = |(at, index): (usize, _)| ShoeCards::of(&reading.shoes[at], index, read(at));
    let mut all = All {
        reading,
        cards: shoes.iter().enumerate().map(cards).collect(),
        before: Before::of(&standing, books, (reading, range), &shoes),
        play: Play::of(in_play, reading, &moments),
        facts,
        received,
        rules,
        setting: Setting::default(),
        checked: TableChecked::default(),
    };
    let mut found = Checked::default();
    for moment in &moments {
        all.check(moment, &mut found);
        all.before.take(moment);
        all.follow_bank(moment);
    }
    if let Some(left) = last.take_if(|_| !goes_on && all.facts.loadings.has_changed()) {
        let mut checked = Checked::default();
        let mut out = left.out;
        out.burn_is_over(&mut checked);
        all.add(None, checked);
    }
    for at in 0..reading.shoes.len() {
        last = all.shoe(at, last.filter(|_| Some(at) == in_play));
    }
    let books = all.before.books;
    let rules = |shoe: usize| Some(books.of((*all.rules.get(shoe)?)?).known()?.rules());
    mend(reading, &all.before, &rules, &mut all.checked);
    all.over(&standing, last)
}

struct All<'f, 'r, 'a> {
    reading: &'r Reading<'a>,
    /// Of each shoe.
    cards: Vec<ShoeCards<'r, 'a>>,
    before: Before<'r>,
    /// What is known after the range. The opening in force and the shoe in play are added when the range ends.
    facts: &'f mut Facts,
    play: Play<'r, 'a>,
    received: &'r dyn Fn(u64) -> Received,
    /// Of each shoe: the opening under which it was first played.
    rules: Vec<Option<&'r TableOpened>>,
    /// Of the coup that is over at this moment.
    setting: Setting<'r>,
    checked: TableChecked,
}

/// A card that went to a hand out of turn is remarked, and found among the cards of its coup: that is one finding, with its money.
fn say_once(found: &mut Vec<Found>) {
    let place = |one: &Found| (one.shoe, one.coup, one.sequence);
    let is_order = |one: &&Found| one.code == Code::DealOrder;
    let mut said: BTreeSet<_> =
        found.iter().filter(is_order).filter(|one| !one.money.is_empty()).map(place).collect();
    found.retain(|one| one.code != Code::DealOrder || !one.money.is_empty() || said.insert(place(one)));
}

impl<'r, 'a: 'r> All<'_, 'r, 'a> {
    /// All is checked: gives what was found. What is known now is in the facts.
    fn over(mut self, began: &Standing, shoe: Option<Box<ShoeSoFar>>) -> TableChecked {
        say_once(&mut self.checked.found);
        let facts = self.facts;
        let (over, before_over) = (facts.loadings.over.clone(), facts.loadings.before_over);
        let boxes = facts.lasting.boxes_over();
        facts.standing = self.before.standing(began);
        facts.shoe = shoe.filter(|_| facts.loadings.is_in_play());
        TableChecked { over, before_over, boxes, ..self.checked }
    }

    /// Asks the checks of a moment; `now` is what they find, until it is added.
    fn check(&mut self, moment: &Moment<'r, 'a>, now: &mut Checked) {
        let stays = self.facts.loadings.stays(&self.before);
        let event = self.before.event(moment.sequence);
        self.play.check(&mut self.facts.lasting, moment, &self.before, stays, now);
        self.facts.clock.check((moment, event), &self.before, self.received, stays, now);
        self.facts.names.check((moment, event), self.reading, &self.before, now);
        self.leave_signed_open(moment);
        self.facts.openings.check(moment, self.reading, &self.before, now);
        self.facts.loadings.check(moment, self.reading, &self.before, now);
        now.open.take().into_iter().for_each(|open| self.leave_shoe_open(open));
        self.facts.bet_ids.check(moment, now);
        self.take(now);
        let at_a_bank = || self.before.rules().is_some_and(|tables| tables.rules().chemin.is_some());
        if matches!(moment.what, What::Loaded(_) | What::LoadingLost) && self.before.is_missed && at_a_bank()
        {
            self.leave_shoe_open(Open::SeatsMissing);
        }
        if self.facts.openings.has_forgotten() {
            match (moment.what, moment.shoe.zip(moment.coup)) {
                (What::Began(_), Some(place)) => self.play.leave_open(place, Open::MoreThanKept),
                (What::Loaded(_) | What::LoadingLost, _) => self.leave_shoe_open(Open::MoreThanKept),
                (_, _) => {}
            }
        }
        if let Some(rules) = moment.shoe.and_then(|shoe| self.rules.get_mut(shoe)) {
            *rules = rules.or(self.before.opened.filter(|_| self.before.rules().is_some()));
        }
        let place = moment.shoe.zip(moment.coup);
        let winner = place.and_then(|(shoe, at)| self.coup_over(moment, shoe, at));
        self.facts.seats.check(moment, self.reading, &self.before, &self.facts.names, winner, now);
        if let (Some(place), Some(open)) = (place, now.open) {
            self.play.leave_open(place, open);
        }
        if !now.found.is_empty() {
            self.leave_who_open(place, now);
        }
        self.take(now);
    }

    /// Checks a coup where it is settled, or once it is over without; gives who won it.
    #[allow(clippy::wildcard_enum_match_arm, reason = "a coup is over with nothing else")]
    fn coup_over(&mut self, moment: &Moment<'_, '_>, shoe: usize, at: usize) -> Option<Winner> {
        let settled = || self.reading.shoes[shoe].coups[at].settlements.first();
        let is_over = match moment.what {
            What::Settled(_) => settled().is_some_and(|settled| settled.sequence == moment.sequence),
            What::Over => settled().is_none(),
            _ => return None,
        };
        if is_over {
            self.coup(shoe, at);
        }
        self.checked.coups.get(&(shoe, at)).and_then(|checked| checked.winner)
    }

    /// Takes what a check found. Nearly always that is nothing.
    fn take(&mut self, checked: &mut Checked) {
        if !checked.found.is_empty() || !checked.beyond.is_empty() {
            self.add(None, std::mem::take(checked));
        }
        checked.open = None;
    }

    /// What is found belongs to this coup, unless it says otherwise.
    fn add(&mut self, coup: Option<u32>, mut checked: Checked) {
        for (at, cap) in std::mem::take(&mut checked.beyond) {
            self.facts.openings.forget(at, cap, &mut checked);
            let in_play = self.before.place_in_play();
            in_play.into_iter().for_each(|place| self.play.leave_open(place, Open::MoreThanKept));
            if self.facts.loadings.is_in_play() {
                self.leave_shoe_open(Open::MoreThanKept);
            }
        }
        if checked.found.is_empty() {
            return;
        }
        let shoe = self.play.shoe;
        let of = |found: Found| Found { shoe, coup: found.coup.or(coup), ..found };
        self.checked.found.extend(checked.found.into_iter().map(of));
    }

    fn leave_shoe_open(&mut self, why: Open) {
        if let Some(shoe) = self.play.shoe {
            self.checked.shoes.entry(shoe).or_insert(why);
        }
    }

    /// Checks a shoe. `so_far`: what is known of it before this part of its record. Gives what is known after it.
    fn shoe(&mut self, at: usize, so_far: Option<Box<ShoeSoFar>>) -> Option<Box<ShoeSoFar>> {
        self.play.shoe = Some(at);
        let tables = self.rules[at].and_then(|opened| self.before.books.of(opened).known());
        let (record, rules) = (&self.reading.shoes[at], tables.map(|tables| tables.rules()));
        let over = self.facts.loadings.over.get(&at).copied();
        let until = over.unwrap_or(u64::MAX);
        let begun = record.loading.map(|loading| Box::new(ShoeSoFar::load(loading.value)));
        let mut so_far = begun.or(so_far);
        if let Some(of) = &mut so_far {
            of.opened = keep(&[&of.opened], self.rules[at]);
            let of_cards = (&self.cards[at], &*of.loaded);
            let mut checked = shoe(of_cards, &mut of.out, until, rules, &self.before);
            if over.is_some() {
                of.out.burn_is_over(&mut checked);
            }
            self.checked.shoes.extend(checked.open.map(|open| (at, open)));
            self.add(None, checked);
            if let Some(read) = self.cards[at].read.take() {
                of.read = read;
            }
            let is_cut = of.out.is_cut();
            let (checked, numbers) =
                numbers(of.numbers, self.cards[at].index, until, (rules, is_cut), &self.before);
            self.add(None, checked);
            of.numbers = numbers;
        }
        let checked = order(self.cards[at].index, over, &self.play.ends, &self.before);
        self.add(None, checked);
        let checked = remarks(&self.cards[at], rules, &self.before);
        self.add(None, checked);
        so_far
    }

    fn coup(&mut self, shoe: usize, at: usize) {
        let setting = self.play.end((shoe, at));
        let Some(tables) = self.before.rules() else { return self.without_rules((shoe, at), &setting) };
        if tables.rules().chemin.is_some() {
            self.setting = setting;
            return;
        }
        let (cards, beside) = (&self.cards[shoe], (&self.play.ends[..], &self.before.gaps));
        let who = |seat: u8, name: &Name| self.facts.names.who(seat, name);
        let mut checked = coup(cards, at, tables, &setting, beside, &who);
        self.leave_open((shoe, at), false, tables, &setting, &mut checked.checked);
        self.add(Some(self.reading.shoes[shoe].coups[at].number), checked.checked.clone());
        self.checked.coups.insert((shoe, at), checked);
    }

    /// What names that look alike, and the clock, leave open of a coup that is over.
    fn leave_open(
        &self,
        (shoe, at): (usize, usize),
        is_alike: bool,
        tables: &Paytables,
        setting: &Setting<'_>,
        checked: &mut Checked,
    ) {
        let is_alike = is_alike || self.facts.names.leaves_open(Some((shoe, at)));
        if let Some(open) = setting.open.or(is_alike.then_some(Open::Alike)) {
            checked.open = checked.open.filter(|open| open.is_before_names()).or(Some(open));
        }
        let coup = &self.reading.shoes[shoe].coups[at];
        if checked.open.is_none() && is_bet_after_cards(coup, &setting.carried, tables, &self.before) {
            checked.open = Some(Open::ByClock);
        }
    }

    /// A coup is over for which no rulebook says what is due.
    fn without_rules(&mut self, (shoe, at): (usize, usize), setting: &Setting<'_>) {
        let why = match self.before.book {
            Some(Book::NotApproved) => Open::RulebookUnapproved,
            Some(Book::NotReadable | Book::Known(_)) => Open::RulebookUnreadable,
            None => Open::RulebookMissing,
        };
        let of = (self.cards[shoe].index, at);
        let why = (why, self.facts.loadings.is_in_play());
        let checked = unruled(of, why, setting, (&self.play.ends, &self.before.gaps));
        self.add(Some(of.0.shoe.coups[at].number), checked.checked.clone());
        self.checked.coups.insert((shoe, at), checked);
    }

    /// Somebody signs, or takes, passes or bids for the bank, and it is not known who, since the name looks like another.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else leaves more open than its coup")]
    fn leave_signed_open(&mut self, moment: &Moment<'r, 'a>) {
        let coup = match moment.what {
            What::Ruled(told) if self.facts.names.is_signed_alike(told.value) => {
                self.play.signed_for(told, moment, &self.before)
            }
            What::Around(Told {
                value: Body::BankTaken(_) | Body::BankPassed(_) | Body::BankBid(_), ..
            }) if self.facts.names.leaves_open(None) => None,
            _ => return,
        };
        self.leave_alike(coup);
    }

    /// It is not known who somebody is: that leaves this coup open if it is in play, or else the shoe.
    fn leave_alike(&mut self, coup: Option<u32>) {
        let in_play = self.before.place_in_play();
        let is_it = |(shoe, at): &(usize, usize)| Some(self.reading.shoes[*shoe].coups[*at].number) == coup;
        match in_play.filter(is_it) {
            Some(place) => self.play.leave_open(place, Open::Alike),
            None => self.leave_shoe_open(Open::Alike),
        }
    }

    /// What is certain only if two names that look alike are two people's is not found: that is open.
    fn leave_who_open(&mut self, place: Option<(usize, usize)>, checked: &mut Checked) {
        if self.facts.names.leaves_open(place) {
            let (open, certain) = checked.found.drain(..).partition(|found| found.code.rests_on_who());
            checked.found = certain;
            open.iter().for_each(|found: &Found| self.leave_alike(found.coup));
        }
    }

    /// The rules at a bank.
    fn terms(&self) -> Option<Terms<'r>> {
        let rules = self.before.rules()?.rules();
        Some(Terms { book: rules.chemin.as_deref()?, limits: self.before.limits })
    }

    /// The bank is followed as it is after what was checked.
    fn follow_bank(&mut self, moment: &Moment<'r, 'a>) {
        if let What::Around(Told { value: Body::TableOpened(_), .. }) = moment.what {
            self.facts.bank = self.terms().map(|_| Box::new(Bank::open()));
        }
        if self.facts.bank.is_none() {
            return self.other_game(moment);
        }
        let (place, reading, terms) = (moment.shoe.zip(moment.coup), self.reading, self.terms());
        let record = place.map(|(shoe, at)| &reading.shoes[shoe].coups[at]);
        let in_play = self.before.in_play(reading);
        let Some(bank) = &mut self.facts.bank else { return };
        if let What::Around(Told { value: Body::BankPassed(_), .. }) = moment.what {
            let is_void = |told: &Told<'_, Body>| matches!(told.value, Body::CoupVoided(_));
            let in_play = in_play.filter(|coup| !coup.rulings.iter().any(is_void));
            let accounts = in_play.and_then(|coup| coup.chemin.accounts.first());
            let account = accounts.filter(|account| account.sequence < moment.sequence);
            bank.pass_in_coup(account.map(|told| told.value));
        }
        let checked = match (moment.what, record, terms) {
            (What::Around(told), ..) => {
                let at = told.sequence;
                let beside = [at.checked_sub(1), at.checked_add(1)];
                let [former, next] = beside.map(|at| Some(&self.before.event(at?)?.body));
                bank.around(told, (former, next), terms)
            }
            (What::Loaded(_) | What::LoadingLost, ..) => nothing(|| bank.load()),
            (What::Cut(_), ..) => nothing(|| bank.cut()),
            (What::Ended(_), ..) => nothing(|| bank.end_shoe()),
            (What::Missing(hole), ..) => {
                let gap = self.before.gaps.at(hole.first).filter(|gap| gap.within);
                let is_dealt = |coup: &CoupRecord<'_>| {
                    let mut hands = coup.cards.iter().filter(|card| card.to.side().is_some());
                    hands.any(|card| card.sequence.is_some_and(|card| card < hole.first))
                };
                let inside = gap.map(|gap| (gap.others(), !in_play.is_some_and(is_dealt)));
                nothing(|| bank.miss(inside))
            }
            (What::Began(true) | What::InPlay, Some(coup), Some(terms)) => {
                bank.begin(coup, moment.sequence, terms)
            }
            (What::Account(told), Some(coup), _) => {
                let settled =
                    coup.settlements.first().is_some_and(|settled| settled.sequence < told.sequence);
                let is_first =
                    coup.chemin.accounts.first().is_some_and(|first| first.sequence == told.sequence);
                if settled && is_first {
                    bank.settle_late(told.value);
                }
                Checked::default()
            }
            (What::Settled(told), Some(_), Some(terms)) => self.settle(told, place, terms),
            (What::Over, Some(coup), Some(_)) if coup.settlements.is_empty() => self.leave(place),
            _ => return,
        };
        // What is found says itself to which coup it belongs.
        self.add_at_bank(None, checked, place);
        if let What::Around(Told { value: Body::TableClosed(_), .. }) = moment.what {
            self.facts.bank = None;
        }
    }

    /// Nobody is accused of what is certain only if two names are two people's.
    fn add_at_bank(&mut self, coup: Option<u32>, mut checked: Checked, place: Option<(usize, usize)>) {
        self.leave_who_open(place, &mut checked);
        let found = checked.found.len();
        if self.facts.lasting.are_limits_doubted() {
            checked.found.retain(|found| !found.code.concerns_limits());
        }
        if checked.found.len() < found {
            let in_play = self.before.place_in_play();
            in_play.into_iter().for_each(|place| self.play.leave_open(place, Open::Limits));
        }
        self.add(coup, checked);
    }

    /// A coup is settled at a bank.
    fn settle(
        &mut self,
        settled: &Told<'a, events::CoupSettled>,
        place: Option<(usize, usize)>,
        terms: Terms<'r>,
    ) -> Checked {
        let Some((shoe, at)) = place else { return Checked::default() };
        let coup = &self.reading.shoes[shoe].coups[at];
        let is_first = coup.settlements.first().is_some_and(|first| first.sequence == settled.sequence);
        let of = if is_first { self.coup_at_bank(shoe, at) } else { None };
        let Some((AtBank { checked, result }, bank)) = of.zip(self.facts.bank.as_mut()) else {
            return Checked::default();
        };
        let missing = may_be_set_aside(coup, &self.before);
        let after = if result.is_void {
            bank.void(account_of_void(coup).map(|told| told.value), missing);
            bank.set_aside_after(coup, settled.sequence, terms)
        } else {
            let told = account(self.cards[shoe].index, coup, settled).map(|told| told.value);
            bank.settle(coup, told, settled, &result, terms)
        };
        self.add_at_bank(Some(coup.number), checked.checked.clone(), place);
        self.checked.coups.insert((shoe, at), checked);
        after
    }

    /// A coup at a bank is over, and was never settled.
    fn leave(&mut self, place: Option<(usize, usize)>) -> Checked {
        let of = place.and_then(|(shoe, at)| self.coup_at_bank(shoe, at));
        let Some(((shoe, at), AtBank { checked, result })) = place.zip(of) else { return Checked::default() };
        let coup = &self.reading.shoes[shoe].coups[at];
        let lost = coup.chemin.accounts.first().filter(|_| self.before.is_settlement_lost((shoe, at)));
        let missing = may_be_set_aside(coup, &self.before);
        let terms = self.terms();
        let after = match (&mut self.facts.bank, lost, terms) {
            (Some(bank), _, terms) if result.is_void => {
                bank.void(account_of_void(coup).map(|told| told.value), missing);
                terms.map(|terms| bank.set_aside_after(coup, u64::MAX, terms)).unwrap_or_default()
            }
            (Some(bank), Some(account), Some(terms)) => bank.leave_at(coup, account, terms),
            (Some(bank), None, _) if missing => nothing(|| bank.leave(true)),
            _ => Checked::default(),
        };
        self.add_at_bank(Some(coup.number), checked.checked.clone(), place);
        self.checked.coups.insert((shoe, at), checked);
        after
    }

    /// Checks the coup in play at a bank, which is over.
    fn coup_at_bank(&self, shoe: usize, at: usize) -> Option<AtBank> {
        let playing = self.facts.bank.as_ref().and_then(|bank| bank.playing())?;
        let (tables, setting, ends) = (self.before.rules()?, &self.setting, &self.play.ends[..]);
        let (gaps, names) = (&self.before.gaps, &self.facts.names);
        let who = |seat: u8, name: &Name| names.who(seat, name);
        let against = Against { playing, tables, setting, ends, gaps, who: &who };
        let mut of = coup_at_bank(&self.cards[shoe], at, against);
        let is_banker = playing.name.as_ref().is_some_and(|name| names.is_alike(name));
        self.leave_open((shoe, at), is_banker, tables, setting, &mut of.checked.checked);
        Some(of)
    }

    /// What only chemin de fer has, at a table of punto y banca. An abono is a stake all the same.
    fn other_game(&mut self, moment: &Moment<'r, 'a>) {
        let (What::Around(told), Some(_)) = (moment.what, self.before.rules()) else { return };
        let is_of_bank = matches!(
            told.value,
            Body::BankTaken(_)
                | Body::BankPassed(_)
                | Body::BancoCalled(_)
                | Body::GarajeSet(_)
                | Body::DrawDecided(_)
                | Body::PlayersPresent(_)
                | Body::BankSettled(_)
                | Body::BankBid(_)
                | Body::LeaveGiven(_)
        );
        if is_of_bank {
            let mut checked = Checked::default();
            let recorded = OfTable::Event { event: told.value.into() };
            let accusation = Accusation::new(Code::GameWrong, OfTable::PuntoYBanca, recorded);
            let in_play = self.before.in_play(self.reading).map(|coup| coup.number);
            let coup = told.value.coup().filter(|coup| in_play == Some(*coup));
            checked.accuse(told.corrected_by.unwrap_or(told.sequence), Accusation { coup, ..accusation });
            self.add(None, checked);
        }
    }
}

/// Whether something of the bank may have been set aside in events that are missing from a coup.
fn may_be_set_aside(coup: &CoupRecord<'_>, before: &Before<'_>) -> bool {
    let others = |first: u64| before.gaps.at(first).is_some_and(|gap| gap.others() > 0);
    coup.missing.iter().any(|hole| hole.first > coup.began && others(hole.first))
}

fn nothing(step: impl FnOnce()) -> Checked {
    step();
    Checked::default()
}
