//! What an event may be that does not fit how play stands: for each possibility the explanations, and how play stands then.
//!
//! Events that are moved need to know more than one event; they are in `search.rs`.

use baccarat::Side;
use events::{
    Announced, BankSettled, Body, BurnCards, CardDrawn, CoupSettled, Destination, DrawDecided, ShoeLoaded,
};

use super::explanation::{Departure, Explanation, Lost, Misread, cost};
use super::grammar::{BurnDue, Due, Grammar};
use super::state::{Coup, Shoe, State};
use super::tape::{Entry, NEAR, Tape};

/// Most cards of a coup that may be lost at once.
const MOST_LOST: u32 = 2;

/// How an event is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ReadAs {
    /// A card before it was lost: to this hand, if it is known to which, and at this position.
    LostCard(Option<Side>, u32),
    /// The card lies at this position.
    At(u32),
    /// The card went to this hand.
    To(Side),
    /// An earlier card of the coup was misread: of this hand, counted from 0.
    Unread(Side, u8),
}

/// A possibility.
#[derive(Debug, Clone)]
pub(super) struct Possible {
    /// How play stands then.
    pub(super) state: State,
    pub(super) why: Vec<Explanation>,
    /// The coup of the event; 0: none.
    pub(super) coup: u32,
    /// The event is a repetition, and counts for nothing.
    pub(super) dropped: bool,
    /// A shoe whose loading was lost begins with the event.
    pub(super) loads: bool,
    pub(super) reads: Vec<ReadAs>,
}

impl Possible {
    fn of(state: State) -> Self {
        let coup = state.coup.as_ref().map_or(0, |coup| coup.number);
        Self { state, why: Vec::new(), coup, dropped: false, loads: false, reads: Vec::new() }
    }

    pub(super) fn cost(&self) -> u32 {
        cost(&self.why)
    }

    fn because(mut self, why: Explanation) -> Self {
        self.why.push(why);
        self
    }

    fn departs(self, at: u64, how: Departure) -> Self {
        let coup = self.coup;
        self.because(Explanation::Departed { at, coup, how })
    }

    fn lost(self, at: u64, what: Lost) -> Self {
        let coup = self.coup;
        self.because(Explanation::Lost { at, coup, what })
    }

    fn misread(self, at: u64, what: Misread) -> Self {
        let coup = self.coup;
        self.because(Explanation::Misread { at, coup, what })
    }

    fn in_coup(mut self, change: impl FnOnce(&mut Coup)) -> Self {
        self.state.coup.iter_mut().for_each(change_once(change));
        self
    }

    fn in_shoe(mut self, change: impl FnOnce(&mut Shoe)) -> Self {
        self.state.shoe.iter_mut().for_each(change_once(change));
        self
    }
}

/// There is one at most.
fn change_once<T>(change: impl FnOnce(&mut T)) -> impl FnMut(&mut T) {
    let mut change = Some(change);
    move |one| {
        if let Some(change) = change.take() {
            change(one);
        }
    }
}

/// What an event may be that does not fit.
#[allow(clippy::wildcard_enum_match_arm, reason = "no other event can fail to fit")]
pub(super) fn possibilities(state: &State, tape: &Tape<'_>, at: usize) -> Vec<Possible> {
    let Some(event) = tape.event(at) else { return Vec::new() };
    let now = event.sequence;
    let mut all = match event.body {
        Body::ShoeLoaded(loaded) => load(state, loaded, now),
        Body::BurnCards(burn) => burned(state, burn, &event),
        Body::BetPlaced(placed) => bet(state, tape, at, placed.bet),
        Body::AbonoPlaced(placed) => bet(state, tape, at, placed.bet),
        Body::BancoCalled(called) => {
            let mut all = joined(state, tape, at);
            all.iter_mut().for_each(|one| one.state.call(called));
            all
        }
        Body::DrawDecided(decided) => announced(state, tape, at, decided),
        Body::BankSettled(settled) => account(state, tape, at, settled),
        Body::BetWithdrawn(withdrawn) => taken_back(state, withdrawn.bet, now),
        Body::BetsClosed(_) => closed(state, tape, at),
        Body::PuntoHolder(_) => holder(state, tape, at),
        Body::CardDrawn(drawn) => card(state, tape, at, drawn),
        Body::CutCardDrawn(cut) => cut_card(state, cut.position, &event),
        Body::CoupSettled(settled) => settlement(state, tape, at, settled),
        Body::CoupVoided(_) => void(state, tape, at),
        Body::ShoeEnded(end) => ended(state, end.cards_left, now),
        Body::TableOpened(_) => vec![left(state, now)],
        Body::TableClosed(_) => over(state, now, event.grammar),
        _ => vec![Possible::of(state.clone())],
    };
    if tape.is_repeated(at) && !is_lacked(state, tape, at) {
        let settlement = matches!(event.body, Body::CoupSettled(_));
        let mut again = Possible::of(state.clone());
        let is_of_shoe = matches!(
            event.body,
            Body::ShoeEnded(_) | Body::CutCardDrawn(_) | Body::BurnCards(_) | Body::ShoeLoaded(_)
        );
        again.coup = event.body.coup().unwrap_or(if is_of_shoe { 0 } else { again.coup });
        let coup = again.coup;
        again.dropped = true;
        all.push(again.because(Explanation::Doubled { at: now, coup, settlement }));
    }
    all
}

/// Whether an event carries the number of a settled coup and happens once in a coup, and the coup in play lacks it: then it is no
/// repetition.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "nothing else happens once and is taken for nothing if it is repeated"
)]
fn is_lacked(state: &State, tape: &Tape<'_>, at: usize) -> bool {
    let Some(event) = tape.event(at) else { return false };
    let (play, next) = (state.coup.as_ref(), state.shoe.as_ref().and_then(|shoe| shoe.next_coup));
    let lacks = match (event.body, play) {
        (Body::BetsClosed(_), Some(play)) => !play.closed && play.hands.count() == 0,
        (Body::PuntoHolder(_), Some(play)) => !play.holder,
        (Body::BancoCalled(_), play) => play.is_none_or(|play| play.hands.count() == 0),
        (Body::DrawDecided(decided), Some(play)) => {
            play.hands.clone().announce(decided.hand, decided.decision == Announced::Carta)
        }
        (Body::BankSettled(_), Some(play)) => !play.account,
        (_, _) => false,
    };
    lacks
        && event.body.coup().is_some_and(|label| is_past(state, label))
        && play.map(|play| play.number).or(next).is_some_and(|number| !tape.has_own(at, number))
}

/// The coup in play is left, if one is.
fn left(state: &State, now: u64) -> Possible {
    let mut over = Possible::of(state.clone());
    if let Some(coup) = &state.coup {
        over = match (coup.void, coup.bets.is_empty()) {
            (true, true) => over,
            (true, false) => over.departs(now, Departure::NoRefund),
            (false, _) => over.lost(now, Lost::Settlement),
        };
        over.state.coup = None;
        over.coup = 0;
    }
    over
}

/// The states in which an event may be that names a coup: of the coup in play, or of one that begins.
fn joined(state: &State, tape: &Tape<'_>, at: usize) -> Vec<Possible> {
    let Some(event) = tape.event(at) else { return Vec::new() };
    let (now, Some(label)) = (event.sequence, event.body.coup()) else { return Vec::new() };
    let mut all = Vec::new();
    let relabelled = |one: Possible| {
        let coup = one.coup;
        let known = one.state.coup.as_ref().is_some_and(|coup| coup.named && coup.label == Some(label));
        let one = one.in_coup(|coup| coup.label = Some(label));
        // Events of one coup that carry the same other number are one slip, if others carry its own.
        if known { one } else { one.because(Explanation::Mislabelled { at: now, coup }) }
    };
    let bet = placed(event.body);
    let may_be_of = |coup: u32| bet.is_none_or(|bet| tape.may_be_bet_of(at, bet, coup));
    let keeps = matches!(event.body, Body::CoupVoided(_));
    if let Some(coup) = &state.coup {
        let one = Possible::of(state.clone());
        if coup.number == label {
            return vec![one];
        }
        if !coup.void && !keeps && may_be_of(coup.number) {
            all.push(relabelled(one));
        }
    }
    let over = left(state, now);
    let known = over.state.shoe.as_ref();
    let over = match known {
        Some(shoe) if !shoe.ended => over,
        Some(_) => {
            let mut loaded = without_loading(over.clone(), now);
            loaded.state.begin(label, tape, at);
            loaded.coup = label;
            all.push(loaded);
            over.departs(now, Departure::NoShoe).in_shoe(|shoe| shoe.ended = false)
        }
        None => over.departs(now, Departure::NoShoe),
    };
    let next = over.state.shoe.as_ref().and_then(|shoe| shoe.next_coup);
    let begun = |number: u32| {
        let mut begun = over.clone();
        begun.state.begin(number, tape, at);
        begun.coup = number;
        begun
    };
    match next.filter(|next| *next != label) {
        None => all.push(begun(label)),
        Some(next) => {
            all.push(begun(label).departs(now, Departure::Number));
            if state.coup.is_none() && !keeps && may_be_of(next) {
                all.push(relabelled(begun(next)).in_coup(|coup| coup.named = false));
            }
        }
    }
    all
}

/// The id of a stake that is placed.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is a stake")]
pub(super) const fn placed(body: &Body) -> Option<u64> {
    match body {
        Body::BetPlaced(placed) => Some(placed.bet),
        Body::AbonoPlaced(placed) => Some(placed.bet),
        _ => None,
    }
}

/// Whether an event is of the next coup and is recorded while one is in play, so that it is read with its coup: a bet, or a void
/// that comes shortly before the coup in play is settled.
pub(super) fn is_read_with_next(state: &State, tape: &Tape<'_>, at: usize) -> bool {
    let next = state.shoe.as_ref().and_then(|shoe| shoe.next_coup);
    let (Some(play), Some(event)) = (&state.coup, tape.event(at)) else { return false };
    let settles =
        |entry: Entry<'_>| matches!(entry.body, Body::CoupSettled(settled) if settled.coup == play.number);
    let is_settled_soon = || (at + 1..=at + NEAR).map_while(|at| tape.event(at)).any(settles);
    let is_early_void = || matches!(event.body, Body::CoupVoided(_)) && is_settled_soon();
    next.is_some() && event.body.coup() == next && (placed(event.body).is_some() || is_early_void())
}

/// An event is of the next coup, and was recorded too early.
fn of_next(state: &State, number: u32, now: u64, change: impl FnOnce(&mut Coup)) -> Possible {
    let mut early = Possible::of(state.clone());
    early.state.in_next(number, |state| state.coup.iter_mut().for_each(change_once(change)));
    early.coup = number;
    early.because(Explanation::Moved { at: now, coup: number })
}

/// The shoe in play is over, though no end of it is recorded.
fn without_end(one: Possible, now: u64) -> Vec<Possible> {
    let one = one.in_shoe(|shoe| shoe.ended = true);
    vec![one.clone().departs(now, Departure::NotEnded), one.lost(now, Lost::End)]
}

/// The table closes.
fn over(state: &State, now: u64, grammar: &dyn Grammar) -> Vec<Possible> {
    let one = left(state, now);
    if state.is_left_by_closing(grammar) { without_end(one, now) } else { vec![one] }
}

/// A shoe was loaded, and the loading was not recorded.
fn without_loading(one: Possible, now: u64) -> Possible {
    let mut loaded = one.lost(now, Lost::Loading);
    loaded.state = State { shoe: Some(Shoe::unknown()), ..State::default() };
    loaded.loads = true;
    loaded
}

fn load(state: &State, loaded: &ShoeLoaded, now: u64) -> Vec<Possible> {
    let in_play = state.shoe.as_ref().is_some_and(|shoe| !shoe.ended);
    let one = left(state, now);
    let mut ends = if in_play { without_end(one, now) } else { vec![one] };
    ends.iter_mut().for_each(|one| one.state = State::loaded(loaded, now));
    ends
}

fn burned(state: &State, burn: &BurnCards, event: &Entry<'_>) -> Vec<Possible> {
    let now = event.sequence;
    let here = Possible::of(state.clone());
    let Some(shoe) = state.shoe.as_ref().filter(|shoe| !shoe.ended) else {
        return vec![without_loading(left(state, now), now), here.departs(now, Departure::NoShoe)];
    };
    let passes = |one: Possible, cards: u8| {
        one.in_shoe(|shoe| {
            shoe.burned = true;
            shoe.may_burn_more = false;
            shoe.pass(1 + u32::from(cards));
        })
    };
    if shoe.burned && !shoe.may_burn_more
        || state.coup.is_some()
        || shoe.next_coup.is_some_and(|next| next > 1)
    {
        return vec![passes(here, burn.burned).departs(now, Departure::Again)];
    }
    let as_recorded = passes(here.clone(), burn.burned).departs(now, Departure::Burn);
    match event.grammar.burn(burn.indicator, shoe.decks) {
        BurnDue::Cards(due) if due != burn.burned => {
            vec![as_recorded, passes(here, due).misread(now, Misread::Burned)]
        }
        BurnDue::Cards(_) | BurnDue::None | BurnDue::Unknown => vec![as_recorded],
    }
}

fn bet(state: &State, tape: &Tape<'_>, at: usize, bet: u64) -> Vec<Possible> {
    let Some(event) = tape.event(at) else { return Vec::new() };
    let now = event.sequence;
    let number = event.body.coup().unwrap_or_default();
    let early =
        is_read_with_next(state, tape, at).then(|| of_next(state, number, now, |coup| coup.place(bet)));
    // While another coup is in play, a coup that was settled does not begin again with a bet.
    let past = (state.coup.is_some() && is_past(state, number)).then(|| {
        let mut past = Possible::of(state.clone());
        past.coup = number;
        past.departs(now, Departure::Again)
    });
    joined(state, tape, at)
        .into_iter()
        .map(|one| {
            let Some(coup) = &one.state.coup else { return one };
            let late = !coup.is_open();
            let reused = coup.has(bet);
            let mut one = one.in_coup(|coup| coup.place(bet));
            if late {
                one = one.departs(now, Departure::BetLate);
            }
            if reused { one.departs(now, Departure::IdReused) } else { one }
        })
        .chain(early)
        .chain(past)
        .collect()
}

fn taken_back(state: &State, bet: u64, now: u64) -> Vec<Possible> {
    let here = Possible::of(state.clone());
    let stands = state.coup.as_ref().is_some_and(|coup| coup.has(bet));
    if stands {
        // A settlement names a bet that was taken back too late, or does not.
        let kept = here.clone().departs(now, Departure::BetLate);
        let gone = kept.clone().in_coup(|coup| {
            coup.take_back(bet);
        });
        return vec![gone, kept];
    }
    vec![here.clone().departs(now, Departure::NotPlaced(bet)), here.lost(now, Lost::Bet(bet))]
}

fn closed(state: &State, tape: &Tape<'_>, at: usize) -> Vec<Possible> {
    let Some(event) = tape.event(at) else { return Vec::new() };
    let again = tape.comes_again(at).then(|| {
        let mut twice = Possible::of(state.clone());
        (twice.coup, twice.dropped) = (event.body.coup().unwrap_or_default(), true);
        let coup = twice.coup;
        twice.because(Explanation::Doubled { at: event.sequence, coup, settlement: false })
    });
    joined(state, tape, at)
        .into_iter()
        .map(|one| {
            let again = one.state.coup.as_ref().is_some_and(|coup| coup.closed || coup.hands.count() > 0);
            let one = one.in_coup(|coup| coup.closed = true);
            if again { one.departs(event.sequence, Departure::Again) } else { one }
        })
        .chain(again)
        .collect()
}

fn holder(state: &State, tape: &Tape<'_>, at: usize) -> Vec<Possible> {
    let Some(event) = tape.event(at) else { return Vec::new() };
    joined(state, tape, at)
        .into_iter()
        .map(|one| {
            let again = one.state.coup.as_ref().is_some_and(|coup| coup.holder);
            let one = one.in_coup(|coup| coup.holder = true);
            if again { one.departs(event.sequence, Departure::Again) } else { one }
        })
        .collect()
}

fn announced(state: &State, tape: &Tape<'_>, at: usize, decided: &DrawDecided) -> Vec<Possible> {
    let Some(event) = tape.event(at) else { return Vec::new() };
    let draws = decided.decision == Announced::Carta;
    let of_coup = joined(state, tape, at).into_iter().map(|mut one| {
        let coup = one.state.coup.as_mut();
        let first = coup.is_none_or(|coup| coup.hands.announce(decided.hand, draws));
        if first { one } else { one.departs(event.sequence, Departure::Again) }
    });
    of_past(state, decided.coup, event.sequence, of_coup)
}

/// Whether a coup of this number is over.
fn is_past(state: &State, coup: u32) -> bool {
    let in_play = state.coup.as_ref().is_some_and(|play| play.number == coup);
    !in_play && state.shoe.as_ref().is_some_and(|shoe| shoe.next_coup.is_some_and(|next| coup < next))
}

/// No coup begins with what is recorded of one that was settled: it is of that coup, and comes too late.
fn of_past(state: &State, coup: u32, now: u64, joined: impl Iterator<Item = Possible>) -> Vec<Possible> {
    let is_past = is_past(state, coup);
    let mut all: Vec<Possible> = joined.filter(|one| !is_past || one.state.begun == state.begun).collect();
    if is_past {
        let mut again = Possible::of(state.clone());
        again.coup = coup;
        all.push(again.departs(now, Departure::Again));
    }
    all
}

/// The account of a bank.
fn account(state: &State, tape: &Tape<'_>, at: usize, settled: &BankSettled) -> Vec<Possible> {
    let Some(event) = tape.event(at) else { return Vec::new() };
    let of_coup = joined(state, tape, at).into_iter().map(|one| {
        let again = one.state.coup.as_ref().is_some_and(|coup| coup.account);
        let one = one.in_coup(|coup| coup.account = true);
        if again { one.departs(event.sequence, Departure::Again) } else { one }
    });
    of_past(state, settled.coup, event.sequence, of_coup)
}

fn cut_card(state: &State, position: u16, event: &Entry<'_>) -> Vec<Possible> {
    let (now, position) = (event.sequence, u32::from(position));
    let here = Possible::of(state.clone());
    let Some(shoe) = state.shoe.as_ref().filter(|shoe| !shoe.ended) else {
        return vec![here.departs(now, Departure::NoShoe)];
    };
    let next = shoe.next_position.filter(|next| *next != position);
    let out = here.in_shoe(|shoe| shoe.cut = true);
    let out = if shoe.cut { out.departs(now, Departure::Again) } else { out };
    let Some(next) = next else { return vec![out] };
    let mut all = vec![out.clone().misread(now, Misread::CutCard)];
    all.extend(lost_between(out, now, next, position, event.grammar));
    all
}

fn ended(state: &State, left_over: u16, now: u64) -> Vec<Possible> {
    let over = left(state, now);
    let Some(shoe) = over.state.shoe.clone() else { return vec![over.departs(now, Departure::NoShoe)] };
    let one = over.in_shoe(|shoe| shoe.ended = true);
    if shoe.ended {
        return vec![one.departs(now, Departure::Again)];
    }
    let wrong = shoe.left().is_some_and(|left| left != u32::from(left_over));
    vec![if wrong { one.misread(now, Misread::CardsLeft) } else { one }]
}

fn void(state: &State, tape: &Tape<'_>, at: usize) -> Vec<Possible> {
    let Some(event) = tape.event(at) else { return Vec::new() };
    let number = event.body.coup().unwrap_or_default();
    let of_coup = joined(state, tape, at).into_iter();
    let mut all: Vec<Possible> = of_coup.map(|one| one.in_coup(|coup| coup.void = true)).collect();
    if is_read_with_next(state, tape, at) {
        all.push(of_next(state, number, event.sequence, |coup| coup.void = true));
        return all;
    }
    // It names a coup that is not in play, and nothing is played in it.
    let mut of_none = Possible::of(state.clone());
    of_none.coup = number;
    all.push(of_none.departs(event.sequence, Departure::Number));
    all
}

fn card(state: &State, tape: &Tape<'_>, at: usize, drawn: &CardDrawn) -> Vec<Possible> {
    let Some(event) = tape.event(at) else { return Vec::new() };
    let (now, grammar) = (event.sequence, event.grammar);
    let next = state.shoe.as_ref().and_then(|shoe| shoe.next_position);
    let is_next = next.is_none_or(|next| next == u32::from(drawn.position));
    let is_named = drawn.to == Destination::Removed || tape.is_named(at, drawn.position);
    let is_relabelled = |one: &Possible| one.coup != drawn.coup;
    // A number and a position that are both wrong are no slip.
    let of_coup = joined(state, tape, at).into_iter().filter(|one| is_next || !is_relabelled(one));
    let is_stray = !is_next && state.shoe.as_ref().is_some_and(|shoe| shoe.is_behind(drawn));
    let stray = is_stray.then(|| {
        let mut stray = Possible::of(state.clone());
        (stray.coup, stray.dropped) = (0, true);
        stray.departs(now, Departure::Again)
    });
    of_coup
        .flat_map(|one| if is_named { vec![one] } else { once_closed(one, now) })
        .flat_map(|one| once_burned(one, now, grammar))
        .flat_map(|one| at_position(one, now, u32::from(drawn.position), grammar))
        .flat_map(|one| dealt(one, now, drawn, grammar))
        .chain(stray)
        .collect()
}

fn once_closed(one: Possible, now: u64) -> Vec<Possible> {
    if one.state.coup.as_ref().is_none_or(|coup| coup.closed || coup.void) {
        return vec![one];
    }
    let closed = one.in_coup(|coup| coup.closed = true);
    vec![closed.clone().departs(now, Departure::NotClosed), closed.lost(now, Lost::Close)]
}

fn once_burned(mut one: Possible, now: u64, grammar: &dyn Grammar) -> Vec<Possible> {
    if one.state.has_burned(grammar) {
        return vec![one];
    }
    let burned = one.in_shoe(|shoe| (shoe.burned, shoe.next_position) = (true, None));
    vec![burned.clone().departs(now, Departure::NoBurn), burned.lost(now, Lost::Burn)]
}

/// A card lies at this position: at the next, or it does not.
fn at_position(one: Possible, now: u64, position: u32, grammar: &dyn Grammar) -> Vec<Possible> {
    let next = one.state.shoe.as_ref().and_then(|shoe| shoe.next_position);
    let moves = |one: Possible, position: u32| {
        one.in_shoe(|shoe| shoe.next_position = Some(position.saturating_add(1)))
    };
    let Some(next) = next.filter(|next| *next != position) else { return vec![moves(one, position)] };
    let mut misread = moves(one.clone(), next).misread(now, Misread::Position);
    misread.reads.push(ReadAs::At(next));
    let mut all = vec![misread, moves(one.clone(), position).departs(now, Departure::Position)];
    all.extend(lost_between(one, now, next, position, grammar).map(|one| moves(one, position)));
    all
}

/// The cards at these positions were lost, if they are few.
fn lost_between(one: Possible, now: u64, next: u32, to: u32, grammar: &dyn Grammar) -> Option<Possible> {
    let lost = to.checked_sub(next).is_some_and(|lost| (1..=MOST_LOST).contains(&lost));
    lost.then(|| {
        let one = (next..to).fold(one, |one, lost| lose(one, now, lost, grammar));
        one.in_shoe(|shoe| shoe.next_position = Some(to))
    })
}

/// A card was lost. It went where it was due, or nobody knows where it went.
fn lose(one: Possible, now: u64, position: u32, grammar: &dyn Grammar) -> Possible {
    let to = one.state.coup.as_ref().and_then(|coup| match coup.due(grammar) {
        Due::Card(side) => Some(side),
        Due::Nothing | Due::Unknown => None,
    });
    let mut one = one.lost(now, Lost::Card);
    one.reads.push(ReadAs::LostCard(to, position));
    one.in_coup(|coup| {
        to.map(|side| coup.hands.give(side, baccarat::Face::Unseen));
    })
}

fn dealt(one: Possible, now: u64, drawn: &CardDrawn, grammar: &dyn Grammar) -> Vec<Possible> {
    let side = match drawn.to {
        Destination::Removed => return vec![one],
        Destination::Punto => Side::Punto,
        Destination::Banca => Side::Banca,
    };
    let gives = |one: Possible, side: Side| {
        one.in_coup(|coup| {
            coup.hands.give(side, drawn.card);
        })
    };
    let Some(coup) = one.state.coup.clone() else { return vec![one] };
    let due = match coup.due(grammar) {
        Due::Unknown => return vec![gives(one, side)],
        Due::Card(due) if due == side => return vec![gives(one, side)],
        Due::Card(due) => Some(due),
        Due::Nothing => None,
    };
    let mut all = vec![gives(one.clone(), side).departs(now, Departure::Drew)];
    if let Some(due) = due {
        let mut other = gives(one.clone(), due).misread(now, Misread::Hand);
        other.reads.push(ReadAs::To(due));
        all.push(other);
    }
    all.extend(
        unread(&one, now, |coup| match coup.due(grammar) {
            Due::Card(due) => due == side,
            Due::Nothing => false,
            Due::Unknown => true,
        })
        .map(|one| gives(one, side)),
    );
    all
}

/// One card of the coup was misread, so that what comes now fits.
fn unread(one: &Possible, now: u64, fits: impl Fn(&Coup) -> bool) -> impl Iterator<Item = Possible> {
    let coup = one.state.coup.clone();
    let cards = coup.into_iter().flat_map(|coup| {
        coup.hands.with_one_unread().map(move |(side, at, hands)| (side, at, Coup { hands, ..coup.clone() }))
    });
    cards.filter(move |(.., coup)| fits(coup)).map(move |(side, at, coup)| {
        let mut read = one.clone().misread(now, Misread::Face(side, at));
        read.reads.push(ReadAs::Unread(side, at));
        read.state.coup = Some(coup);
        read
    })
}

fn settlement(state: &State, tape: &Tape<'_>, at: usize, settled: &CoupSettled) -> Vec<Possible> {
    let Some(event) = tape.event(at) else { return Vec::new() };
    let (now, grammar) = (event.sequence, event.grammar);
    let is_past = is_past(state, settled.coup);
    let mut all = Vec::new();
    if is_past {
        let mut again = Possible::of(state.clone());
        again.coup = settled.coup;
        // Bets of the coup in play are none of the one that it names.
        let has = |bet: u64| state.coup.as_ref().is_some_and(|coup| coup.has(bet));
        let others = settled.bets.iter().map(|line| line.bet).filter(|bet| has(*bet));
        again = others.fold(again, |again, bet| again.departs(now, Departure::LineWithoutBet(bet)));
        all.push(again.departs(now, Departure::Again));
    }
    let of_coup = joined(state, tape, at).into_iter();
    // A coup that was settled does not begin again with a settlement.
    let of_coup = of_coup.filter(|one| !is_past || one.coup != settled.coup);
    let played = of_coup
        .flat_map(|one| played_out(one, now, grammar))
        .flat_map(|one| totalled(one, now, settled, grammar))
        .flat_map(|one| lined(one, now, settled));
    all.extend(played.map(|mut one| {
        one.state.end_coup(grammar);
        one
    }));
    all
}

/// No card is due any more, or one is.
fn played_out(one: Possible, now: u64, grammar: &dyn Grammar) -> Vec<Possible> {
    let Some(coup) = &one.state.coup else { return vec![one] };
    let waits = |coup: &Coup| matches!(coup.due(grammar), Due::Card(_));
    if coup.void || !waits(coup) {
        return vec![one];
    }
    let how = if coup.hands.are_dealt() { Departure::Stood } else { Departure::Short };
    let mut all = vec![one.clone().departs(now, how)];
    if coup.hands.are_dealt() {
        all.extend(unread(&one, now, |coup| !waits(coup)));
    }
    let mut lost = one;
    for _ in 0..MOST_LOST {
        let next = lost.state.shoe.as_ref().and_then(|shoe| shoe.next_position).unwrap_or_default();
        lost = lose(lost, now, next, grammar).in_shoe(|shoe| shoe.pass(1));
        if lost.state.coup.as_ref().is_some_and(|coup| !waits(coup)) {
            all.push(lost);
            break;
        }
    }
    all
}

/// The announced totals and the winner follow from the cards, or not.
fn totalled(one: Possible, now: u64, settled: &CoupSettled, grammar: &dyn Grammar) -> Vec<Possible> {
    let Some(coup) = &one.state.coup else { return vec![one] };
    let [punto, banca, winner] = coup.compare_totals(settled, grammar);
    if !(punto || banca || winner) {
        return vec![one];
    }
    let mut all: Vec<Possible> =
        unread(&one, now, |coup| coup.compare_totals(settled, grammar) == [false; 3]).collect();
    let wrong = [
        (punto, Misread::Total(Side::Punto)),
        (banca, Misread::Total(Side::Banca)),
        (winner, Misread::Winner),
    ];
    let wrong = wrong.into_iter().filter(|(wrong, _)| *wrong);
    all.push(wrong.fold(one, |one, (_, what)| one.misread(now, what)));
    all
}

/// Each bet has its line, and each line its bet, or not.
fn lined(one: Possible, now: u64, settled: &CoupSettled) -> Vec<Possible> {
    let Some(coup) = &one.state.coup else { return vec![one] };
    let (unknown, left) = coup.compare_lines(settled);
    let both = unknown.len().min(left.len());
    let one = unknown[..both].iter().fold(one, |one, bet| one.misread(now, Misread::Bet(*bet)));
    let (unknown, left) = (&unknown[both..], &left[both..]);
    if unknown.is_empty() && left.is_empty() {
        return vec![one];
    }
    let recorded = |one: Possible| {
        let one = unknown.iter().fold(one, |one, bet| one.departs(now, Departure::LineWithoutBet(*bet)));
        left.iter().fold(one, |one, bet| one.departs(now, Departure::BetWithoutLine(*bet)))
    };
    let lost = |one: Possible| {
        let one = unknown.iter().fold(one, |one, bet| one.lost(now, Lost::Bet(*bet)));
        left.iter().fold(one, |one, bet| one.lost(now, Lost::Withdrawal(*bet)))
    };
    vec![recorded(one.clone()), lost(one)]
}
