//! Who has the bank, and what happens to it between coups (`docs/judging.md`, "Who has the bank").
//!
//! The bank is followed event by event. Each step returns what is wrong with it. What a coup is played against is noted when
//! it begins.

use baccarat::{CheminRules, Money, Winner};
use events::{BankSettled, Body, CoupSettled, Garaje, GarajeSet, Limits, Seat};
use serde::{Deserialize, Serialize};

use super::Checked;
use super::bank_play::{Ending, Playing};
use super::bank_sums::{Otherwise, Sums};
use super::doubt::Open;
use crate::chemin::money::{Banker, Lost};
use crate::chemin::{Chemin, Who};
use crate::reading::{CoupRecord, Told};
use crate::sink::{Accusation, Sink};
use crate::statement::{OfRecord, OfSeats, OfTable};
use crate::{Code, Reason, person};

/// The rules at a bank, as they are in force.
#[derive(Clone, Copy)]
pub(super) struct Terms<'r> {
    pub(super) book: &'r CheminRules,
    pub(super) limits: Option<&'r Limits>,
}

impl Terms<'_> {
    fn least(&self) -> Option<Money> {
        self.limits.map(|limits| limits.minimum)
    }
}

/// The bank of a table, followed event by event.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Bank {
    chemin: Chemin,
    /// A coup of the shoe in play began.
    begun: bool,
    /// The shoe ended.
    ended: bool,
    /// The cut card came out, or the shoe ended: the banker may pass the bank for the end of the shoe.
    over: bool,
    /// What the coup in play is played against.
    #[serde(skip)]
    play: Option<Playing>,
    /// A coup was settled, and nothing happened to the bank since: its account may follow.
    settled: bool,
    /// What the bank holds if its last account was recorded wrongly.
    otherwise: Option<Otherwise>,
    /// A wrong garaje was found. The next account shows how the bank is divided.
    divided: bool,
    /// A seat whose answer was recorded right before the bank was offered to it.
    answered: Option<u8>,
}

/// Runs one step and collects what it finds at an event.
fn found(at: u64, coup: Option<u32>, step: impl FnOnce(&mut Sink)) -> Checked {
    let mut checked = Checked::default();
    checked.accuse_by(at, |sink| {
        sink.enter(coup);
        step(sink);
    });
    checked
}

impl Bank {
    /// A table opens: nobody has the bank.
    pub(super) fn open() -> Self {
        Self {
            chemin: Chemin::open(),
            begun: false,
            ended: false,
            over: false,
            play: None,
            settled: false,
            otherwise: None,
            divided: false,
            answered: None,
        }
    }

    /// A shoe is loaded.
    pub(super) fn load(&mut self) {
        self.leave(false);
        self.chemin.shoe_over();
        self.chemin.turn.new_shoe();
        (self.begun, self.ended, self.over) = (false, false, false);
    }

    /// The cut card comes out: nobody can count on another coup.
    pub(super) const fn cut(&mut self) {
        self.over = true;
    }

    /// The shoe ends. A coup in play may be settled after it.
    pub(super) fn end_shoe(&mut self) {
        self.chemin.shoe_over();
        (self.ended, self.over) = (true, true);
    }

    /// Events are missing. `inside`: if they are of the coup in play alone, how many may be no cards, and whether they lie before its
    /// first card, so that what the bank holds may have been corrected. Among others the cut card may be missing.
    pub(super) fn miss(&mut self, inside: Option<(u64, bool)>) {
        let Some((others, before_cards)) = inside else {
            self.chemin.doubt();
            (self.play, self.over) = (None, true);
            return;
        };
        self.chemin.doubt_leaves();
        if others > 0 {
            self.over = true;
            self.chemin.doubt_seats(others);
            if let Some(playing) = &mut self.play {
                playing.seats_known = false;
                playing.sum_missing |= before_cards;
            }
        }
    }

    /// Takes an event that is of no coup. If the same is recorded twice in a row and cannot have happened twice, that is one
    /// finding, and the second changes nothing.
    pub(super) fn around(
        &mut self,
        told: &Told<'_, Body>,
        (former, next): (Option<&Body>, Option<&Body>),
        terms: Option<Terms<'_>>,
    ) -> Checked {
        let may_repeat = matches!(told.value, Body::BankTaken(_) | Body::BankPassed(_) | Body::GarajeSet(_));
        let repeated = former.filter(|former| may_repeat && *former == told.value);
        let before = repeated.map(|_| self.chemin.clone());
        let at = told.corrected_by.unwrap_or(told.sequence);
        let mut checked = Checked::default();
        if let (Body::BankPassed(passed), Some(other), Some(banker)) =
            (told.value, self.otherwise, self.chemin.banker.as_mut())
            && other.is_passed(passed, banker)
        {
            checked.and(other.goes_on(at, banker));
        }
        let set = if let Body::GarajeSet(set) = told.value { self.set_otherwise(set, terms) } else { None };
        let happened = self.happen(told, next, terms);
        let is_found = !happened.found.is_empty();
        if let (true, Some((other, after)), Some(banker)) = (is_found, set, self.chemin.banker.as_mut()) {
            // If the account was recorded wrongly, the sum was set aside from what the bank really held.
            other.goes_on_from(at, banker, after, &mut checked);
            self.otherwise = None;
            return checked;
        }
        checked.and(happened);
        self.divided |= is_found && matches!(told.value, Body::GarajeSet(_));
        if matches!(told.value, Body::BankTaken(_) | Body::BankPassed(_)) {
            (self.otherwise, self.divided) = (None, false);
        }
        if let Some(before) = before.filter(|_| is_found) {
            self.chemin = before;
            checked.found.truncate(1);
        }
        checked
    }

    /// What the bank holds once this sum is set aside, if only its account was recorded wrongly.
    fn set_otherwise(&mut self, set: &GarajeSet, terms: Option<Terms<'_>>) -> Option<(Otherwise, Sums)> {
        let (other, terms) = self.otherwise.zip(terms)?;
        let mut chemin = self.chemin.clone();
        other.sums.give(chemin.banker.as_mut()?);
        let found = chemin.set_garaje(set, terms.least(), terms.book);
        let after = Sums::of(chemin.banker.as_ref()?);
        self.otherwise = Some(other.with(after));
        found.is_none().then_some((other, after))
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is about the bank")]
    fn happen(&mut self, told: &Told<'_, Body>, next: Option<&Body>, terms: Option<Terms<'_>>) -> Checked {
        let at = told.corrected_by.unwrap_or(told.sequence);
        let (least, chemin) = (terms.and_then(|terms| terms.least()), &mut self.chemin);
        self.settled &= !matches!(told.value, Body::BankTaken(_) | Body::BankPassed(_));
        found(at, None, |sink| match told.value {
            Body::TableClosed(_) => sink.accuse_all(chemin.still_open()),
            Body::SeatTaken(Seat { seat, player }) => chemin.turn.sit(*seat, player.clone(), self.begun),
            Body::SeatLeft(Seat { seat, player }) => {
                let owner = chemin.turn.seats().owner(*seat);
                if owner.zip(player.as_ref()).is_some_and(|(one, other)| !person::same(one, other)) {
                    return chemin.turn.dispute(*seat);
                }
                sink.accuse_all(chemin.leave(*seat));
            }
            Body::DealOffered(deal) => {
                sink.accuse_all(chemin.play_goes_on());
                sink.accuse_all(chemin.offer(deal.seat));
                if self.answered.take() == Some(deal.seat) {
                    sink.accuse_all(chemin.turn.decline(deal.seat));
                }
            }
            Body::DealDeclined(deal) => {
                sink.accuse_all(chemin.play_goes_on());
                let is_next = matches!(next, Some(Body::DealOffered(next)) if next.seat == deal.seat);
                if is_next && !chemin.turn.awaits_answer() {
                    self.answered = Some(deal.seat);
                    let recorded = OfRecord::Event { event: told.value.into() };
                    return sink.accuse(Accusation::new(Code::DealNotOffered, OfSeats::OfferFirst, recorded));
                }
                sink.accuse_all(chemin.turn.decline(deal.seat));
            }
            Body::DealAccepted(_) => {
                let recorded = OfTable::Event { event: told.value.into() };
                sink.accuse(Accusation::new(Code::GameWrong, OfTable::CheminDeFer, recorded));
            }
            Body::BankTaken(taken) => {
                sink.accuse_all(chemin.play_goes_on());
                chemin.take(taken, least, sink);
                if let Some(playing) = self.play.as_mut().filter(|playing| playing.lacks_bank) {
                    play_under(chemin, playing);
                }
            }
            Body::BankPassed(passed) => chemin.pass(passed, self.over, sink),
            Body::BankBid(bid) => {
                let who = chemin.turn.who(bid.seat, bid.player.as_ref());
                let accusation = chemin.turn.bid(who, bid.amount, sink);
                sink.accuse_all(accusation);
            }
            Body::PlayersPresent(present) => chemin.count(present.players),
            Body::LeaveGiven(given) => {
                let book = terms.map(|terms| terms.book);
                sink.accuse_all(book.and_then(|book| chemin.give_leave(given, self.begun, book)));
            }
            Body::GarajeSet(set) => {
                let book = terms.map(|terms| terms.book);
                sink.accuse_all(book.and_then(|book| chemin.set_garaje(set, least, book)));
            }
            _ => {}
        })
    }

    /// A coup begins. It is in play from this sequence on: later than its first event, if that was recorded before the
    /// settlement of the previous coup.
    pub(super) fn begin(&mut self, coup: &CoupRecord<'_>, at: u64, terms: Terms<'_>) -> Checked {
        self.leave(false);
        let early = coup.began < at;
        (self.begun, self.settled) = (true, false);
        let (least, book) = (terms.least(), terms.book);
        let mut checked = found(at, None, |sink| sink.accuse_all(self.chemin.play_goes_on()));
        let missing = self.chemin.needs_missing_leave(least, book).then_some(Reason::EventsMissing);
        let open = self.chemin.open_question(book).or(missing);
        let by_card = coup.cards.first().and_then(|card| card.sequence) == Some(coup.began)
            || coup.chemin.decisions.first().is_some_and(|told| told.sequence == coup.began);
        checked.and(found(at, Some(coup.number), |sink| {
            if !self.chemin.uncertain {
                self.chemin.check_begin(book, self.ended, sink);
            }
        }));
        let mut playing = Playing {
            todo_va: std::mem::take(&mut self.chemin.todo_va),
            leaves: self.chemin.leaves,
            before: self.chemin.before.clone(),
            seats: self.chemin.turn.seats().clone(),
            seats_known: self.chemin.turn.seats_known(),
            seguido: self.chemin.seguido.clone().filter(|_| self.chemin.turn.is_known()),
            open: open.map(open_because),
            lacks_bank: self.chemin.banker.is_none() && !self.chemin.uncertain,
            ..Playing::default()
        };
        let began = coup.chemin.accounts.first().map(|told| Sums::before(told.value));
        if let (Some(began), Some(other), Some(banker)) =
            (began, self.otherwise.take(), self.chemin.banker.as_mut())
            && began == other.sums
            && began != Sums::of(banker)
        {
            checked.and(other.goes_on(at, banker));
        }
        let above = found(at, Some(coup.number), |sink| {
            // If an event came too early, nobody knows whether the garaje was set aside in time.
            if !by_card && !early {
                sink.accuse_all(self.chemin.check_bank(least, book));
            }
        });
        let divided = std::mem::take(&mut self.divided) || !above.found.is_empty();
        checked.and(above);
        if let (true, Some(began), Some(banker)) = (divided, began, self.chemin.banker.as_mut())
            && began.all() == Sums::of(banker).all()
        {
            began.give(banker);
        }
        play_under(&mut self.chemin, &mut playing);
        self.play = Some(playing);
        checked
    }

    /// What the coup in play is played against.
    pub(super) const fn playing(&self) -> Option<&Playing> {
        self.play.as_ref()
    }

    /// A coup ends without a settlement: nobody knows who lost. `missing`: some of its events are missing.
    pub(super) fn leave(&mut self, missing: bool) {
        if let Some(playing) = self.play.take() {
            end(&mut self.chemin, &playing, None, None, &Ending::default(), missing);
        }
    }

    /// The coup in play is settled; `account` says what the bank holds then.
    pub(super) fn settle(
        &mut self,
        coup: &CoupRecord<'_>,
        account: Option<&BankSettled>,
        settled: &Told<'_, CoupSettled>,
        result: &Ending,
        terms: Terms<'_>,
    ) -> Checked {
        let Some(playing) = self.play.take() else { return Checked::default() };
        self.settled = true;
        let announced = settled.value.winner;
        let lost = result.winner.map(|winner| winner == Winner::Punto);
        let lost = lost.filter(|won| *won == (announced == Winner::Punto));
        let missing = !coup.missing.is_empty();
        end(&mut self.chemin, &playing, account, lost, result, missing);
        let told = coup.chemin.accounts.first().filter(|_| account.is_some());
        self.doubt_account(coup, told.map(|told| told.sequence));
        let told = told.filter(|_| !missing);
        self.otherwise = told.zip(result.due).and_then(|(told, due)| Otherwise::of(told, due, &playing));
        let winner = result.winner.filter(|winner| *winner == announced);
        remember_banco(&mut self.chemin.seguido, winner.filter(|_| !missing), result);
        self.set_aside_after(coup, settled.sequence, terms)
    }

    /// What was set aside after the account of a coup, or after its settlement, counts for the next coup.
    pub(super) fn set_aside_after(
        &mut self,
        coup: &CoupRecord<'_>,
        settled: u64,
        terms: Terms<'_>,
    ) -> Checked {
        let over = coup.chemin.accounts.first().map_or(settled, |told| told.sequence.min(settled));
        let mut checked = Checked::default();
        for told in &coup.chemin.garajes {
            if told.value.kind != Garaje::Compulsory && told.sequence > over {
                let accusation = self.chemin.set_garaje(told.value, terms.least(), terms.book);
                let at = told.corrected_by.unwrap_or(told.sequence);
                accusation.into_iter().for_each(|accusation| checked.accuse(at, accusation));
            }
        }
        checked
    }

    /// Events are missing after the account of a coup that is over: it may have been corrected.
    fn doubt_account(&mut self, coup: &CoupRecord<'_>, account: Option<u64>) {
        let is_after = account.is_some_and(|account| coup.missing.iter().any(|hole| hole.first > account));
        let banker = self.chemin.banker.as_mut().filter(|banker| is_after && banker.coups > 0);
        banker.into_iter().for_each(|banker| banker.sum_missing = true);
    }

    /// The settlement of the coup in play was lost: the bank holds what its account says, and nobody knows who lost.
    pub(super) fn leave_at(
        &mut self,
        coup: &CoupRecord<'_>,
        account: &Told<'_, BankSettled>,
        terms: Terms<'_>,
    ) -> Checked {
        let Some(playing) = self.play.take() else { return Checked::default() };
        end(&mut self.chemin, &playing, Some(account.value), None, &Ending::default(), false);
        self.set_aside_after(coup, account.sequence, terms)
    }

    /// The bank is passed before the coup in play is settled: it holds what the account says, and nobody knows who lost.
    pub(super) fn pass_in_coup(&mut self, account: Option<&BankSettled>) {
        if let (Some(playing), Some(_)) = (&self.play, account) {
            end(&mut self.chemin, playing, account, None, &Ending::default(), false);
        }
    }

    /// The coup in play is void: the bank is what it was before, or what an account after the void says. `missing`: something may
    /// have been set aside in missing events.
    pub(super) fn void(&mut self, account: Option<&BankSettled>, missing: bool) {
        let Some(playing) = self.play.take() else { return };
        let banker = self.chemin.banker.as_mut();
        let Some(banker) = banker.filter(|banker| Some(&banker.who) == playing.banker.as_ref()) else {
            return;
        };
        match account {
            Some(account) => banker.go_on_with(account),
            None => banker.sum_missing |= missing,
        }
    }

    /// The account of a coup was recorded after its settlement: the bank holds what it says.
    pub(super) fn settle_late(&mut self, account: &BankSettled) {
        let banker = self.chemin.banker.as_mut().filter(|banker| self.settled && banker.coups > 0);
        banker.into_iter().for_each(|banker| banker.go_on_with(account));
    }
}

fn open_because(reason: Reason) -> Open {
    if reason == Reason::RuleSilent {
        Open::RuleSilent
    } else if reason == Reason::PlayersNotCounted {
        Open::PlayersNotCounted
    } else {
        Open::Missing
    }
}

/// A coup is played against the bank as it is now.
fn play_under(chemin: &mut Chemin, playing: &mut Playing) {
    let Some(banker) = chemin.banker.as_mut() else { return };
    (playing.lacks_bank, playing.first_of_banker) = (false, banker.coups == 0);
    (playing.banker, playing.name) = (Some(banker.who.clone()), banker.name.clone());
    (playing.bank, playing.garaje) = (banker.bank, banker.garaje);
    playing.sum_missing = banker.sum_missing;
    banker.coups = banker.coups.saturating_add(1);
    // Dealing on after a loss is reported elsewhere. This coup shows whether the bank still has to be passed on.
    banker.lost = match banker.lost {
        Lost::Yes => Lost::Perhaps,
        Lost::Perhaps | Lost::No => Lost::No,
    };
}

/// A coup is over for the bank. The bank goes on with the recorded account or, if there is none, with what was due. If events
/// of the coup are missing, only its account says what it came to.
fn end(
    chemin: &mut Chemin,
    playing: &Playing,
    account: Option<&BankSettled>,
    lost: Option<bool>,
    result: &Ending,
    missing: bool,
) {
    let has = |banker: &&mut Banker| Some(&banker.who) == playing.banker.as_ref();
    let Some(banker) = chemin.banker.as_mut().filter(has) else { return };
    banker.lost = match lost {
        Some(true) => Lost::Yes,
        Some(false) => Lost::No,
        None => Lost::Perhaps,
    };
    if banker.coups == 0 {
        // The banker took the bank after this coup began.
        return;
    }
    if let Some(due) = result.due {
        let kept = due.won.minus(due.commission);
        banker.winnings = banker.winnings.map(|won| won.plus(kept).minus(due.lost));
        banker.bank = playing.bank.plus(kept).minus(due.lost);
    } else if account.is_some() {
        banker.winnings = None;
    }
    if missing {
        banker.winnings = None;
    }
    match account {
        Some(account) => banker.go_on_with(account),
        None => banker.sum_missing |= missing,
    }
}

/// A player who lost to the bank alone may call banco seguido. After a tie, whoever could call it before still can.
fn remember_banco(known: &mut Option<Vec<Who>>, winner: Option<Winner>, result: &Ending) {
    match winner {
        Some(Winner::Tie) => {
            if let Some(known) = known
                && !result.granted.as_ref().is_some_and(|who| known.contains(who))
            {
                known.extend(result.granted.clone());
            }
        }
        Some(Winner::Banca) => {
            *known = Some(result.granted.clone().or(result.alone.clone()).into_iter().collect());
        }
        Some(Winner::Punto) => *known = Some(Vec::new()),
        None => *known = None,
    }
}
