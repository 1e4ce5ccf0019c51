//! The state of one shoe: how many cards it holds, which have come out, the burn, the cut card, the last coup.

pub(crate) mod composition;
pub(crate) mod replaced;

use baccarat::{BurnMethod, Face, Rank, Rulebook};
use events::{BurnCards, CardDrawn, CutCardDrawn, Destination, Name, OrderReveal, ShoeEnded, ShoeLoaded};
use serde::{Deserialize, Serialize};

use crate::record::Revision;
use crate::seldom::Seldom;
use crate::sink::{Accusation, Sink};
use crate::statement::{AnyOf, Burned, Cards, Decks, Faces, OfRecord, OfShoe};
use crate::worlds::Pool;
use crate::{Code, Reason};
use composition::{Composition, Surplus, face_code, holds_exactly};
use replaced::Replaced;

/// Most gaps between two positions that are kept apart.
const MOST_GAPS: usize = 64;
/// Most cards that leave a shoe when cards are burned: the indicator, and as many as a king counts.
pub(crate) const MOST_BURNED: u32 = 14;
/// Events of the shortest coup: the close of its bets, four cards and its settlement.
const LEAST_EVENTS: u64 = 6;

/// Fewest events of all coups of a shoe before the one of this number.
pub(crate) fn least_events_before(coup: u32) -> u64 {
    u64::from(coup.saturating_sub(1)) * LEAST_EVENTS
}

/// Whether cards were burned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Burn {
    NotYet,
    Done,
    /// The record says that it does not know.
    NotRecorded,
}

/// The coups right before another of which nothing is recorded.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NotRecorded {
    pub(crate) coups: u32,
    /// Whether no gap in the numbering of events explains them: the record leaves them out.
    pub(crate) beyond_gaps: bool,
}

/// The state of a shoe.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Shoe {
    loaded: ShoeLoaded,
    /// Sequence of the event that loaded it.
    pub(crate) began: u64,
    /// Position the next card must have; `None` where events are missing.
    next_position: Option<u32>,
    seen: Composition,
    /// Faces by position, kept where the order was committed to.
    order: Vec<Face>,
    burn: Burn,
    /// The record says that it does not know the burn: it may begin in the middle of the shoe.
    #[serde(default)]
    begins_late: bool,
    /// A ruling says that more are burned than were.
    #[serde(default)]
    burn_ruled: bool,
    /// How many cards were burned, and how many had to be, where that is known.
    #[serde(default)]
    burned: (u32, Option<u32>),
    /// The accusation that too few were burned, until the first card shows that no more are.
    #[serde(default)]
    burned_too_few: Option<Box<Accusation>>,
    /// Sequences of the event that says what was burned last, and of the first card after it, as far as they are known.
    #[serde(default)]
    first_after_burn: (u64, u64),
    /// Its order as it was revealed, if cards were read as others.
    #[serde(default)]
    compared: Seldom<Vec<Face>>,
    /// Sequences of the events that read cards otherwise than that order has them.
    #[serde(default)]
    misread: Seldom<Vec<u64>>,
    /// Whether the order that was revealed was committed to, and holds the cards of other decks.
    #[serde(default)]
    reveals_other_decks: bool,
    cut: Option<u16>,
    /// Sequence of the event that recorded the cut card; 0 before it.
    cut_at: u64,
    cut_missed: bool,
    /// Coups that may still be begun, once the cut card is out.
    coups_left: Option<u32>,
    /// Whether the coup in which the cut card came out may have begun in missing events.
    cut_coup_unknown: bool,
    /// Number of the coup begun last; `None` where events are missing.
    last_coup: Option<u32>,
    ended: bool,
    /// Sequence of its end: events that waited since before it are judged after it.
    #[serde(default)]
    ended_at: u64,
    /// Whether play after its end is already reported, or cannot be reported.
    after_end_reported: bool,
    /// Events are missing: another shoe may have been loaded meanwhile.
    doubted: bool,
    /// Gaps since the last position that is known: the sequence behind each, and how many events it has.
    gaps: Vec<(u64, u64)>,
    /// How many coups may lie in them beside those recorded.
    missing_coups: u64,
    /// From this sequence on it may be another shoe, whose loading is missing; 0: it is this one.
    #[serde(default)]
    another_since: u64,
    /// Whether its burn or its cut card may lie in missing events.
    missing_events: bool,
    /// Whether its end may lie in what is missing since its last card.
    #[serde(default)]
    end_missing: bool,
    /// The order that it was shown to have, where cards were not read.
    revealed: Vec<Face>,
    /// What its unread cards may be, by all that was read of it.
    whole: Option<Pool>,
    /// Whether a card of a coup, or the indicator of its burn, was not read.
    unread: bool,
    /// Positions that were passed over: a card may still be recorded at one.
    skipped: Vec<u32>,
    /// Cards that were removed, and those of other decks that replaced some of them.
    replaced: Replaced,
    /// Cards for which it is reported that more came out than the decks hold.
    reported_surplus: Vec<Face>,
    /// Other positions that the next card may have after a wrong position, by each way to count the cards.
    others: Vec<u32>,
    pub(crate) violated: bool,
    /// Why it is not shown to be right; the first reason stays.
    pub(crate) undecided: Option<Reason>,
}

impl Shoe {
    /// A shoe is loaded by the event of this sequence.
    pub(crate) fn load(loaded: ShoeLoaded, began: u64, rules: Option<&Rulebook>, sink: &mut Sink) -> Self {
        let whole = u16::from(loaded.decks) * 52;
        if loaded.cards != whole {
            sink.accuse(Accusation::new(
                Code::ShoeCount,
                cards(u32::from(whole)),
                cards(u32::from(loaded.cards)),
            ));
        }
        if let Some(rules) = rules {
            check_load(&loaded, rules, sink);
        }
        Self {
            began,
            next_position: Some(1),
            seen: Composition::new(loaded.decks),
            order: Vec::new(),
            burn: Burn::NotYet,
            begins_late: false,
            burn_ruled: false,
            burned: (0, None),
            burned_too_few: None,
            first_after_burn: (0, 0),
            compared: Seldom::default(),
            misread: Seldom::default(),
            reveals_other_decks: false,
            cut: None,
            cut_at: 0,
            cut_missed: false,
            coups_left: None,
            cut_coup_unknown: false,
            last_coup: Some(0),
            ended: false,
            ended_at: 0,
            after_end_reported: false,
            doubted: false,
            gaps: Vec::new(),
            missing_coups: 0,
            another_since: 0,
            missing_events: false,
            end_missing: false,
            revealed: Vec::new(),
            whole: None,
            unread: false,
            skipped: Vec::new(),
            replaced: Replaced::default(),
            reported_surplus: Vec::new(),
            others: Vec::new(),
            violated: false,
            undecided: None,
            loaded,
        }
    }

    /// Frees spare capacity.
    pub(crate) fn rest(&mut self) {
        self.order.shrink_to_fit();
        self.revealed.shrink_to_fit();
    }

    pub(crate) fn id(&self) -> &Name {
        &self.loaded.shoe
    }

    /// Whether a coup was begun.
    pub(crate) fn begun(&self) -> bool {
        self.last_coup.is_none_or(|coup| coup > 0)
    }

    /// Whether no further coup may begin; where events are missing, nobody knows.
    pub(crate) const fn is_over(&self) -> bool {
        let unknown = self.doubted || self.missing_events;
        self.ended || unknown || self.cut_missed || matches!(self.coups_left, Some(0))
    }

    pub(crate) const fn ended(&self) -> bool {
        self.ended
    }

    /// Events are missing, perhaps even the loading of another shoe: from here on only what the
    /// events that are there show together is judged.
    pub(crate) fn doubt(&mut self, behind: u64, reason: Reason) {
        self.another_since = behind;
        self.next_position = None;
        self.last_coup = None;
        self.coups_left = None;
        self.leave_open(reason);
        self.doubted = true;
        self.after_end_reported |= self.ended;
        self.burn = Burn::NotRecorded;
        self.cut_missed = true;
        self.order.clear();
        self.others.clear();
    }

    /// Events are missing that may have taken cards, burned, met the cut card or ended the shoe: so many of
    /// these as there are events, and no more. Other coups lie in them only where they are not `within` one.
    pub(crate) fn miss(&mut self, events: u64, within: bool, behind: u64, reason: Reason) {
        self.leave_open(reason);
        self.missing_events = true;
        self.end_missing |= !within;
        self.after_end_reported |= self.ended && !within;
        self.missing_coups = self.missing_coups.saturating_add(if within { 0 } else { events });
        if self.gaps.len() < MOST_GAPS {
            self.gaps.push((behind, events));
        } else {
            self.doubt(behind, reason);
        }
        // More may have been burned, by a ruling.
        let missing: u64 = self.gaps.iter().map(|(_, events)| *events).sum();
        if !self.begun() && missing + u64::from(self.burn_ruled) >= 2 {
            self.burned_too_few = None;
        }
    }

    /// Most cards that may have left it in missing events: one each, and a burn at once.
    fn may_be_missing(&self) -> u64 {
        let burn = if self.burn == Burn::NotYet { u64::from(MOST_BURNED) } else { 0 };
        let events: u64 = self.gaps.iter().map(|(_, events)| *events).sum();
        if events == 0 { 0 } else { events.saturating_add(burn) }
    }

    /// Whether so many events can have loaded another shoe and played all its coups before this one.
    pub(crate) fn may_be_another(&self, coup: u32) -> bool {
        self.missing_coups > least_events_before(coup)
    }

    /// Whether so many events since the last coup can have ended this shoe and loaded another, of which no coup is recorded.
    const fn another_may_be_loaded(&self) -> bool {
        self.missing_coups >= 2
    }

    /// The coup in play is shown to go on behind what is missing: no other lies in it.
    pub(crate) const fn miss_no_coups(&mut self) {
        self.missing_coups = 0;
    }

    /// Missing events since the last coup that may have held others.
    pub(crate) const fn missing_coups(&self) -> u64 {
        self.missing_coups
    }

    pub(crate) const fn end_may_be_missing(&self) -> bool {
        self.end_missing
    }

    /// The order it was shown to have, and what its unread cards may be by all that was read of it.
    pub(crate) fn know(&mut self, order: Option<&[Face]>, whole: Option<Pool>) {
        self.revealed = order.unwrap_or_default().to_vec();
        self.whole = whole;
    }

    /// The order that was revealed, if cards were read as others.
    pub(crate) fn compare(&mut self, order: Option<&[Face]>) {
        self.compared = order.unwrap_or_default().iter().copied().collect();
    }

    /// Sequences of the events that read cards otherwise than the order that was revealed has them.
    pub(crate) fn misread(&self) -> &[u64] {
        &self.misread
    }

    pub(crate) const fn reveals_other_decks(&self) -> bool {
        self.reveals_other_decks
    }

    /// A card as it is known: where it was not read, by the order that was revealed.
    pub(crate) fn read(&self, position: u16, face: Face) -> Face {
        let known = usize::from(position).checked_sub(1).and_then(|at| self.revealed.get(at)).copied();
        let fits = |known: &Face| match (face.card(), known.card()) {
            (None, Some(_)) => true,
            (Some(read), Some(known)) => read.suit.is_none() && read.rank == known.rank,
            (_, None) => false,
        };
        known.filter(fits).unwrap_or(face)
    }

    /// It is not shown to be right.
    pub(crate) const fn leave_open(&mut self, reason: Reason) {
        if self.undecided.is_none() {
            self.undecided = Some(reason);
        }
    }

    /// The record says that it does not know what was burned; `false` where it says otherwise.
    pub(crate) fn burn_not_recorded(&mut self) -> bool {
        let unknown = self.burn == Burn::NotYet;
        if unknown {
            self.burn = Burn::NotRecorded;
            self.begins_late = true;
            self.leave_open(Reason::BurnNotRecorded);
        }
        unknown
    }

    pub(crate) fn burn(&mut self, burn: &BurnCards, rules: Option<&Rulebook>, sink: &mut Sink) {
        if self.doubted {
            return self.next_position = None;
        }
        let another = self.missing_events && (self.burn != Burn::NotYet || self.begun());
        if another {
            // The loading of another shoe is among what is missing.
            self.doubt(sink.sequence(), Reason::EventsMissing);
            return self.next_position = None;
        }
        self.gaps.clear();
        self.begins_late = false;
        if self.burn == Burn::NotRecorded && self.undecided == Some(Reason::BurnNotRecorded) {
            // It is recorded after all.
            self.undecided = None;
        }
        let again = self.burn == Burn::Done || self.last_coup.is_some_and(|coup| coup > 0);
        if again && self.burn_ruled && !self.begun() {
            self.burn_more(burn, sink);
        } else if again {
            sink.accuse(Accusation::new(Code::BurnRepeated, OfShoe::BurnOnce, OfShoe::BurnAgain));
        }
        self.burn = Burn::Done;
        if let Some(rules) = rules.filter(|_| !again) {
            let indicator = self.next_position.and_then(|position| u16::try_from(position).ok());
            let indicator = indicator.map_or(burn.indicator, |position| self.read(position, burn.indicator));
            self.check_burn(&BurnCards { indicator, ..burn.clone() }, rules, sink);
        }
        self.unread |= burn.indicator.card().is_none();
        self.first_after_burn = (sink.location().sequence, 0);
        self.leave(burn.indicator, None, sink);
        for position in 0..usize::from(burn.burned) {
            self.leave(burn.faces.get(position).copied().unwrap_or(Face::Unseen), None, sink);
        }
    }

    fn check_burn(&mut self, burn: &BurnCards, rules: &Rulebook, sink: &mut Sink) {
        let due = match rules.burn.method {
            BurnMethod::Indicator { values } => match burn.indicator.card() {
                Some(card) => values[usize::from(card.rank.number()) - 1],
                None => return self.check_burn_unread(burn, values, sink),
            },
            BurnMethod::Decks => self.loaded.decks,
            BurnMethod::Fixed { count } => count,
            BurnMethod::None => {
                sink.accuse(Accusation::new(Code::BurnCount, OfShoe::NoBurn, burned(burn.burned)));
                return;
            }
        };
        self.burned = (u32::from(burn.burned), Some(u32::from(due)));
        let shown = u8::try_from(burn.faces.len()).unwrap_or(u8::MAX);
        if burn.burned != due {
            let expected = OfShoe::BurnDue { cards: [due].into_iter().collect(), indicator: burn.indicator };
            let wrong = Accusation::new(Code::BurnCount, expected, burned(burn.burned));
            self.count_burned(wrong, sink);
        } else if shown != 0 && shown != burn.burned {
            let faces = |faces: u8| OfShoe::BurnFaces { faces: Faces(faces.into()) };
            sink.accuse(Accusation::new(Code::BurnCount, faces(due), faces(shown)));
        }
    }

    /// Further cards are burned by a ruling, for those before were too few: they count with these.
    fn burn_more(&mut self, burn: &BurnCards, sink: &mut Sink) {
        let (before, due) = self.burned;
        let burned = before.saturating_add(1).saturating_add(u32::from(burn.burned));
        self.burned = (burned, due);
        self.burned_too_few = None;
        if let Some(due) = due.filter(|due| *due != burned) {
            let expected = OfShoe::BurnDueInAll { cards: Burned(due) };
            let recorded = OfShoe::Burned { cards: Burned(burned) };
            self.count_burned(Accusation::new(Code::BurnCount, expected, recorded), sink);
        }
    }

    /// The count of the burn is wrong; where it is too small a ruling may still have more burned.
    fn count_burned(&mut self, wrong: Accusation, sink: &mut Sink) {
        let (burned, due) = self.burned;
        if due.is_some_and(|due| burned < due) {
            self.burned_too_few = Some(Box::new(wrong.at(sink.location())));
        } else {
            sink.accuse(wrong);
        }
    }

    /// The event that says what was burned, if the card of this sequence is the first after it.
    pub(crate) fn burn_before(&self, card: u64) -> Option<u64> {
        let (burn, first) = self.first_after_burn;
        (burn > 0 && first == card).then_some(burn)
    }

    /// A ruling on the burn, before the first coup.
    pub(crate) fn rule_on_burn(&mut self) {
        self.burn_ruled |= !self.begun();
    }

    /// That too few cards were burned, once no more are.
    pub(crate) fn take_burned_too_few(&mut self) -> Option<Accusation> {
        self.burned_too_few.take().map(|accusation| *accusation)
    }

    /// Nobody read the indicator: as many may have been burned as any of them asks for.
    fn check_burn_unread(&mut self, burn: &BurnCards, values: [u8; 13], sink: &mut Sink) {
        let of = |rank: Rank| values[usize::from(rank.number()) - 1];
        let mut due: Vec<u8> = self.pool().ranks().map(of).collect();
        due.sort_unstable();
        due.dedup();
        if !due.contains(&burn.burned) {
            let expected = OfShoe::BurnDue { cards: AnyOf(due.into()), indicator: burn.indicator };
            sink.accuse(Accusation::new(Code::BurnCount, expected, burned(burn.burned)));
        } else if due.len() > 1 {
            self.leave_open(Reason::CardUnread);
        }
    }

    /// A coup begins with this number; `settled` says whether one of that number was settled before, `void` whether one
    /// was declared void and left. Returns which coups right before it are not recorded.
    pub(crate) fn begin_coup(
        &mut self,
        number: u32,
        settled: bool,
        void: bool,
        sink: &mut Sink,
    ) -> NotRecorded {
        if self.missing_coups > 0 && self.may_be_another(number) {
            self.doubt(sink.sequence(), Reason::EventsMissing);
        }
        let missing = u32::try_from(std::mem::take(&mut self.missing_coups)).unwrap_or(u32::MAX);
        let (mut skipped, mut wrong, mut again) = (0, false, false);
        let mut hidden = number.saturating_sub(1).min(missing);
        let mut beyond_gaps = false;
        if let Some(last) = self.last_coup {
            let due = last.saturating_add(1);
            skipped = number.saturating_sub(due);
            if number < due && missing > 0 && !settled {
                // It began before what is missing.
                self.doubt(sink.sequence(), Reason::EventsMissing);
            } else if skipped > missing && self.begins_late {
                // The record says that it is not of the whole shoe.
                let (expected, recorded) = (OfRecord::Coup { coup: due }, OfRecord::Coup { coup: number });
                let accusation = Accusation::new(Code::CoupsNotRecorded, expected, recorded);
                sink.accuse(accusation.in_coup(number));
                (hidden, beyond_gaps) = (skipped, true);
                self.missing_events = true;
                skipped = 0;
            } else if number < due || skipped > missing {
                let expected = OfRecord::Coup { coup: due };
                let accusation = Accusation::new(Code::CoupNumber, expected, OfRecord::Coup { coup: number });
                sink.accuse(accusation.in_coup(number));
                (skipped, wrong, again) = (0, true, number < due);
                hidden = 0;
            } else if void && missing == 0 {
                let expected = OfRecord::NotVoidBefore;
                let accusation = Accusation::new(Code::CoupNumber, expected, OfRecord::Coup { coup: number });
                sink.accuse(accusation.in_coup(number));
                hidden = skipped;
            } else {
                hidden = skipped;
            }
        }
        self.last_coup = Some(number);
        if self.ended {
            self.go_on_after_end(number, sink);
        } else {
            self.count_down(number, skipped, wrong, again, sink);
        }
        NotRecorded { coups: hidden, beyond_gaps }
    }

    /// Whether the record may turn out to begin in the middle of the shoe.
    pub(crate) fn may_begin_late(&self) -> bool {
        self.begins_late && !self.begun()
    }

    /// Whether this coup may lie in what is missing behind the last, at the end of the shoe.
    pub(crate) fn may_have_ended_with(&self, coup: u32) -> bool {
        let last = self.last_coup.unwrap_or(0);
        self.ended && coup > last && u64::from(coup - last) <= self.missing_coups
    }

    /// Whether a coup that was settled then may be one of the shoe before.
    pub(crate) const fn may_be_another_since(&self, settled: u64) -> bool {
        settled < self.another_since
    }

    /// Behind the cut card so many coups are left, and this takes one of them, and one each for those skipped.
    fn count_down(&mut self, number: u32, skipped: u32, wrong: bool, again: bool, sink: &mut Sink) {
        let cut_coup = std::mem::take(&mut self.cut_coup_unknown);
        match self.coups_left {
            None => {}
            // The cut card may have come out in this coup, whose beginning is missing.
            Some(_) if cut_coup => {}
            // One of its events was recorded before the cut card, and that is reported.
            Some(_) if sink.sequence() < self.cut_at => {}
            // A coup recorded again takes none of the coups left.
            Some(_) if again => {}
            // Of a coup that should not be it is no other error that it comes after the last.
            Some(left) if left < skipped.saturating_add(1) && !wrong => {
                let accusation = Accusation::new(
                    Code::CoupAfterLast,
                    OfRecord::NoFurtherCoup,
                    OfRecord::Coup { coup: number },
                );
                sink.accuse(accusation.in_coup(number));
                self.coups_left = Some(0);
            }
            Some(left) => self.coups_left = Some(left.saturating_sub(skipped.saturating_add(1))),
        }
    }

    /// The position of the next card, where that is known.
    pub(crate) const fn next_due(&self) -> Option<u32> {
        self.next_position
    }

    /// Whether the card at this position was passed over.
    pub(crate) fn passed_over(&self, position: u16) -> bool {
        self.skipped.contains(&u32::from(position))
    }

    /// A coup is over; reports once that this comes after the shoe's end.
    pub(crate) fn end_coup(&mut self, number: u32, sink: &mut Sink) {
        if self.ended {
            self.go_on_after_end(number, sink);
        }
    }

    fn go_on_after_end(&mut self, number: u32, sink: &mut Sink) {
        let recorded_before = sink.location().sequence < self.ended_at;
        if !recorded_before && !std::mem::replace(&mut self.after_end_reported, true) {
            let recorded = OfRecord::Coup { coup: number };
            let accusation = Accusation::new(Code::PlayAfterEnd, OfRecord::NoCoupAfterEnd, recorded);
            sink.accuse(accusation.in_coup(number));
        }
    }

    /// A card of a coup leaves the shoe; gives how many cards were hidden by what is missing before it, where
    /// that shows.
    pub(crate) fn draw(
        &mut self,
        drawn: &CardDrawn,
        rules: Option<&Rulebook>,
        sink: &mut Sink,
    ) -> Option<Revision> {
        let hidden = self.close_gaps(u32::from(drawn.position));
        self.end_missing = false;
        if self.first_after_burn.1 == 0 {
            self.first_after_burn.1 = sink.location().sequence;
        }
        if self.burn == Burn::NotYet && rules.is_some_and(|rules| rules.burn.method != BurnMethod::None) {
            if !self.missing_events {
                sink.accuse(Accusation::new(Code::BurnMissing, OfShoe::BurnFirst, OfShoe::BurnNotRecorded));
            }
            self.burn = Burn::Done;
            self.next_position = None;
        }
        if self.burn == Burn::NotRecorded && self.next_position == Some(1) {
            self.next_position = None;
        }
        self.leave(drawn.card, Some(drawn.position), sink);
        if drawn.to == Destination::Removed {
            // Behind it: the card itself is one of the decks'.
            self.replaced.remove(drawn.position, drawn.card);
            self.seen.replace(self.replaced.cards());
        }
        if self.burn == Burn::NotYet {
            // There was none to be: no later gap hides one.
            self.burn = Burn::Done;
        }
        if let Some(rules) = rules {
            self.check_cut_missing(drawn.position, rules, sink);
        }
        hidden
    }

    /// The next position that is known shows how many cards left the shoe in what is missing.
    fn close_gaps(&mut self, position: u32) -> Option<Revision> {
        let most = self.may_be_missing();
        let gaps = std::mem::take(&mut self.gaps);
        let burned = if self.first_after_burn.1 == 0 { self.first_after_burn.0 } else { 0 };
        let since_burn: u64 = gaps.iter().filter(|(at, _)| *at > burned).map(|(_, events)| *events).sum();
        let next = self.next_position?;
        let hidden = position.checked_sub(next).filter(|hidden| u64::from(*hidden) <= most)?;
        if gaps.is_empty() {
            return None;
        }
        self.next_position = Some(position);
        self.others.iter_mut().for_each(|other| *other = other.saturating_add(hidden));
        if burned > 0 && since_burn > 0 && since_burn + u64::from(hidden) >= 2 {
            // How many were burned may have been corrected in what is missing: then the position says nothing of it.
            return None;
        }
        let mut cards = hidden;
        if hidden > 0 && self.burn == Burn::NotYet {
            self.burn = Burn::NotRecorded;
            // One event may have burned most of them.
            cards = hidden.saturating_sub(MOST_BURNED - 1).max(1);
        }
        match gaps.as_slice() {
            [(behind, _)] => Some(Revision::Hidden { behind: vec![*behind], cards }),
            _ if hidden == 0 => {
                let behind = gaps.iter().map(|(behind, _)| *behind).collect();
                Some(Revision::Hidden { behind, cards: 0 })
            }
            _ => None,
        }
    }

    /// A ruling that the rulebook does not provide for names these cards.
    pub(crate) fn rule_on(&mut self, positions: &[u16]) {
        self.replaced.rule_on(positions);
    }

    /// A ruling says that the card at this position, which is removed, was replaced by the same one of another deck.
    pub(crate) fn replace(&mut self, position: u16, card: Face) {
        self.replaced.replace(position, card);
        self.seen.replace(self.replaced.cards());
    }

    /// How many cards it held: as recorded, and 52 for each deck. A difference is reported, and either may be
    /// right.
    fn held(&self) -> [u32; 2] {
        [u32::from(self.loaded.cards), u32::from(self.loaded.decks) * 52]
    }

    fn most_held(&self) -> u32 {
        let [recorded, by_decks] = self.held();
        recorded.max(by_decks).saturating_add(self.seen.replacements())
    }

    /// The same number, and with each card that went into the shoe for another: where such a card lay is not recorded,
    /// and houses count them or do not.
    fn with_replacements(&self, number: u32) -> impl Iterator<Item = u32> + use<> {
        number..=number.saturating_add(self.seen.replacements())
    }

    fn check_cut_missing(&mut self, position: u16, rules: &Rulebook, sink: &mut Sink) {
        let behind = self.loaded.cards_behind_cut.unwrap_or(rules.cut_card.cards_behind);
        let last_before = self.most_held().saturating_sub(u32::from(behind));
        let next = self.next_position.unwrap_or_else(|| u32::from(position).saturating_add(1));
        let first = self.counts(next).min().unwrap_or(next).saturating_sub(1);
        if self.cut.is_none() && !self.cut_missed && !self.missing_events && first > last_before {
            self.cut_missed = true;
            let expected = OfShoe::CutCardDue { position: last_before + 1 };
            let recorded = OfShoe::CutCardNotYet { position };
            sink.accuse(Accusation::new(Code::CutCardMissing, expected, recorded));
        }
    }

    /// One card leaves the shoe; where its position was recorded it has to be the next.
    fn leave(&mut self, face: Face, position: Option<u16>, sink: &mut Sink) {
        let recorded = position.map(u32::from);
        let position = recorded.or(self.next_position).unwrap_or(0);
        if recorded.is_some() {
            self.check_position(position, sink);
        } else if self.next_position.is_some() {
            self.next_position = Some(position.saturating_add(1));
            self.others.iter_mut().for_each(|other| *other = other.saturating_add(1));
        }
        self.unread |= recorded.is_some() && face.card().is_none_or(|card| card.suit.is_none());
        let reported = |surplus: &Surplus| self.reported_surplus.contains(&surplus.of);
        if let Some(surplus) = self.seen.add(face).filter(|surplus| !self.doubted && !reported(surplus)) {
            if surplus.count <= surplus.held.saturating_add(self.replaced.perhaps(surplus.of)) {
                self.leave_open(Reason::Ruled);
            } else {
                self.reported_surplus.push(surplus.of);
                sink.accuse(surplus_card(&surplus, self.loaded.decks));
            }
        }
        let revealed = usize::try_from(position).ok().and_then(|at| self.compared.get(at.checked_sub(1)?));
        let sequence = sink.location().sequence;
        if revealed.is_some_and(|is| reads_otherwise(face, *is)) && self.misread.last() != Some(&sequence) {
            self.misread.push(sequence);
        }
        self.remember(position, face);
    }

    /// What a card that was not read may be, by what was read so far; anything where another shoe
    /// may have been loaded.
    pub(crate) fn pool(&self) -> Pool {
        if self.doubted { Pool::default() } else { self.whole.unwrap_or_else(|| self.seen.pool()) }
    }

    /// What its unread cards may be by all that was read of it, where one was not read.
    pub(crate) fn whole(&self) -> Option<Pool> {
        (self.unread && !self.doubted).then(|| self.seen.pool())
    }

    /// Checks that the card at this position is the next; a wrong position is reported once for all cards that follow.
    fn check_position(&mut self, position: u32, sink: &mut Sink) {
        let cards = self.most_held();
        let expected = self.next_position.unwrap_or(position);
        let beyond = position > cards && !self.doubted;
        if position > 0 && !beyond && (position == expected || self.others.contains(&position)) {
            return self.count_on(position);
        }
        if let Some(at) = self.skipped.iter().position(|skipped| *skipped == position) {
            // Two cards were recorded in the wrong order, and that is reported already.
            self.skipped.swap_remove(at);
            self.others.iter_mut().for_each(|other| *other = other.saturating_add(1));
            self.others.retain(|other| *other != expected && *other != position.saturating_add(1));
            return;
        }
        let wanted = if expected > cards {
            OfShoe::NoCardLeft { held: cards }
        } else {
            OfShoe::Position { position: expected }
        };
        sink.accuse(Accusation::new(Code::ShoePosition, wanted, OfShoe::Position { position }));
        self.skipped.extend((expected..position).take(MOST_GAPS));
        self.count_on(position);
    }

    /// The count goes on behind a card at this position, and so do the others that it may be by.
    fn count_on(&mut self, position: u32) {
        let next = position.saturating_add(1);
        let before = self.next_position.replace(next);
        if before == Some(position) && self.others.is_empty() {
            return;
        }
        self.others.extend(before);
        self.others.iter_mut().for_each(|other| *other = other.saturating_add(1));
        self.others.retain(|other| *other != next);
        self.others.sort_unstable();
        self.others.dedup();
        self.others.truncate(MOST_GAPS);
    }

    /// The positions that the next card may have: first by the recorded positions, then by the number of
    /// recorded cards. They differ once a wrong position was reported.
    fn counts(&self, next: u32) -> impl Iterator<Item = u32> {
        let off = i64::from(next) - i64::from(self.next_position.unwrap_or(next));
        let others = self.others.iter().map(move |other| i64::from(*other) + off);
        std::iter::once(next).chain(others.map(move |other| u32::try_from(other).unwrap_or(next)))
    }

    fn remember(&mut self, position: u32, face: Face) {
        if self.loaded.order_commitment.is_none() {
            return;
        }
        let Some(position) = usize::try_from(position).ok().and_then(|position| position.checked_sub(1))
        else {
            return;
        };
        if u32::try_from(position).is_ok_and(|position| position < self.most_held()) {
            if self.order.len() <= position {
                self.order.resize(position + 1, Face::Unseen);
            }
            self.order[position] = face;
        }
    }

    /// The cut card comes out: the coup in play may end, and the rulebook says how many may follow.
    /// `first` says whether it came in place of the first card of the coup in play.
    pub(crate) fn cut(&mut self, cut: &CutCardDrawn, first: bool, rules: Option<&Rulebook>, sink: &mut Sink) {
        if self.doubted {
            return;
        }
        if !self.another_may_be_loaded() {
            return self.cut_of_this(cut, first, rules, sink);
        }
        // What is wrong as this shoe's cut card is another's, whose loading is missing.
        let (mut this, mut apart) = (self.clone(), sink.apart());
        this.cut_of_this(cut, first, rules, &mut apart);
        if apart.is_empty() {
            *self = this;
        }
    }

    fn cut_of_this(&mut self, cut: &CutCardDrawn, first: bool, rules: Option<&Rulebook>, sink: &mut Sink) {
        let position = u32::from(cut.position);
        let coup_unknown = self.missing_coups > 0 && !self.gaps.is_empty();
        let _ = self.close_gaps(position);
        if self.cut.is_some() {
            sink.accuse(Accusation::new(
                Code::CutCardPosition,
                OfShoe::OneCutCard,
                OfShoe::CutCardAgain { position },
            ));
            return;
        }
        (self.cut, self.cut_at) = (Some(cut.position), sink.sequence());
        let behind = self.loaded.cards_behind_cut.map(u32::from);
        let counted = behind.map(|behind| self.held().map(|held| held.saturating_sub(behind) + 1));
        let due = counted.map(|[recorded, _]| recorded).or(self.next_position).unwrap_or(position);
        let stands = |at: u32| self.counts(at).any(|count| count == position);
        // Where it was placed is a count of cards; positions that are off move it.
        let at_position = counted.is_none_or(|counted| {
            let mut due = counted.into_iter().flat_map(|at| self.with_replacements(at));
            due.any(|due| self.counts(position).any(|count| count == due))
        });
        if !at_position || self.next_position.is_some_and(|next| !stands(next)) {
            let expected = OfShoe::BeforeCard { position: due };
            sink.accuse(Accusation::new(
                Code::CutCardPosition,
                expected,
                OfShoe::BeforePosition { position },
            ));
        } else if let (None, Some(rules)) = (counted, rules) {
            // Where positions are off, either count of the cards may be the right one.
            let before = self.counts(position).map(|at| at.saturating_sub(1)).min();
            let behind = self.most_held().saturating_sub(before.unwrap_or_default());
            check_depth(behind, rules, sink);
        }
        if let Some(rules) = rules {
            let after = rules.cut_card.last_coup.coups_after();
            // Between two coups none is in play, so none is finished besides those that may follow.
            let counted = u32::from(first && rules.cut_card.first_card_counts);
            self.coups_left = Some(after.saturating_sub(counted));
            self.cut_coup_unknown = coup_unknown;
        }
    }

    pub(crate) fn end(&mut self, end: &ShoeEnded, sink: &mut Sink) {
        let again = std::mem::replace(&mut self.ended, true);
        self.ended_at = sink.location().sequence;
        if self.doubted {
            return;
        }
        let [recorded, by_decks] = self.held();
        let left_recorded = u32::from(end.cards_left);
        // Where positions are off, what is missing may hold cards by one count of them and none by the other.
        if recorded == by_decks && self.positions_are_right() && self.seen.replacements() == 0 {
            let _ = self.close_gaps(recorded.saturating_sub(left_recorded).saturating_add(1));
        }
        if let Some(next) = self.next_position {
            let left = recorded.saturating_sub(next - 1);
            let of = |next: u32| self.held().map(|held| held.saturating_sub(next.saturating_sub(1)));
            // Where it is not known how many it held, nor is how many of them left it in what is missing.
            let most = self.may_be_missing();
            let fits =
                |left: u32| left.checked_sub(left_recorded).is_some_and(|missing| u64::from(missing) <= most);
            let counted =
                self.counts(next).flat_map(of).flat_map(|left| self.with_replacements(left)).any(fits);
            if !counted && self.burn != Burn::NotRecorded && !self.another_may_be_loaded() {
                sink.accuse(Accusation::new(Code::ShoeCardsLeft, cards(left), cards(left_recorded)));
            }
        }
        if let Some(commitment) = self.loaded.order_commitment.filter(|_| !again) {
            self.check_reveal(&commitment.0, end, sink);
        }
    }

    /// The order that an end of the shoe reveals, where it opens the commitment, and where a card of a coup or the
    /// burn's indicator was not read: what lay face down by the rules is nobody's to know. Where a card that was
    /// read is another, the shoe was not dealt in that order, and it says nothing of the others.
    pub(crate) fn opened_by(&self, end: &ShoeEnded) -> Option<Vec<Face>> {
        let (commitment, reveal) = (self.loaded.order_commitment.as_ref()?, end.reveal.as_ref()?);
        let asked = self.revealed.is_empty() && self.unread;
        let rightly = asked && self.is_rightly_revealed(&commitment.0, reveal);
        let order = || self.first_other(&reveal.order).is_none().then(|| reveal.order.clone());
        rightly.then(order).flatten()
    }

    /// The same order, if cards that were read are others in it.
    pub(crate) fn differs_from(&self, end: &ShoeEnded) -> Option<Vec<Face>> {
        let (commitment, reveal) = (self.loaded.order_commitment.as_ref()?, end.reveal.as_ref()?);
        let asked = self.compared.is_empty() && !self.doubted;
        let rightly = asked && self.is_rightly_revealed(&commitment.0, reveal);
        let order = || self.first_other(&reveal.order).is_some().then(|| reveal.order.clone());
        rightly.then(order).flatten()
    }

    /// Whether an order is the one that was committed to, and can be compared with its cards.
    fn is_rightly_revealed(&self, commitment: &[u8; 32], reveal: &OrderReveal) -> bool {
        opens(commitment, reveal)
            && holds_exactly(&reveal.order, self.loaded.decks)
            && self.positions_are_right()
            && self.seen.replacements() == 0
    }

    /// Whether every card lies where it was recorded.
    fn positions_are_right(&self) -> bool {
        self.others.is_empty() && self.skipped.is_empty()
    }

    /// The index of the first card that was read as another card than the order has there.
    fn first_other(&self, order: &[Face]) -> Option<usize> {
        let differs = |(position, face): &(usize, &Face)| {
            reads_otherwise(**face, order.get(*position).copied().unwrap_or(Face::Unseen))
        };
        self.order.iter().enumerate().find(differs).map(|(position, _)| position)
    }

    fn check_reveal(&mut self, commitment: &[u8; 32], end: &ShoeEnded, sink: &mut Sink) {
        let Some(reveal) = &end.reveal else {
            sink.accuse(Accusation::new(
                Code::ShoeOrderCommitment,
                OfShoe::OrderCommitted,
                OfShoe::OrderNotRevealed,
            ));
            return;
        };
        if !opens(commitment, reveal) {
            sink.accuse(Accusation::new(Code::ShoeOrderCommitment, OfShoe::OrderOpening, OfShoe::OrderOther));
            return;
        }
        if !holds_exactly(&reveal.order, self.loaded.decks) {
            self.reveals_other_decks = true;
            let expected = OfShoe::OrderOfDecks { decks: Decks(self.loaded.decks.into()) };
            sink.accuse(Accusation::new(Code::ShoeOrderCommitment, expected, OfShoe::OrderOfOthers));
            return;
        }
        if !self.positions_are_right() {
            // The positions of the cards are not known; the wrong positions are reported already.
            return;
        }
        let other = self.first_other(&reveal.order);
        if self.seen.replacements() > 0 && other.is_some() {
            // The card of another deck lies somewhere in the order.
            return self.leave_open(Reason::Ruled);
        }
        if let Some(position) = other {
            let number = u32::try_from(position + 1).unwrap_or(u32::MAX);
            let expected = match reveal.order.get(position) {
                Some(&card) => OfShoe::CardAt { card, position: number },
                None => OfShoe::NoCardAt { position: number },
            };
            let recorded = OfShoe::CardDrawn { card: self.order[position] };
            sink.accuse(Accusation::new(Code::ShoeOrderCommitment, expected, recorded));
        }
    }
}

/// Whether a card was read as another than the one that lies in the order.
pub(crate) fn reads_otherwise(read: Face, is: Face) -> bool {
    match (read.card(), is.card()) {
        (None, _) => false,
        (Some(read), Some(is)) => read.rank != is.rank || read.suit.is_some_and(|suit| Some(suit) != is.suit),
        (Some(_), None) => true,
    }
}

/// Whether an order is the one that was committed to.
pub(crate) fn opens(commitment: &[u8; 32], reveal: &OrderReveal) -> bool {
    let mut bytes = reveal.nonce.0.to_vec();
    bytes.extend(reveal.order.iter().map(|face| face_code(*face)));
    blake3::hash(&bytes).as_bytes() == commitment
}

/// A number of cards, as it was due or recorded.
pub(crate) fn cards(number: u32) -> OfShoe {
    OfShoe::Cards { cards: Cards(number) }
}

pub(crate) fn burned(number: u8) -> OfShoe {
    OfShoe::Burned { cards: Burned(number.into()) }
}

/// A card, or a rank where the suit was not read, that came out too often.
pub(crate) fn surplus_card(surplus: &Surplus, decks: u8) -> Accusation {
    let Surplus { of: card, count: number, held } = *surplus;
    let decks = Decks(decks.into());
    if card.card().is_some_and(|card| card.suit.is_none()) {
        let expected = OfShoe::RankAtMost { card, held, decks };
        return Accusation::new(Code::ShoeSurplusCard, expected, OfShoe::RankNumber { card, number });
    }
    let expected = OfShoe::CardAtMost { card, held, decks };
    Accusation::new(Code::ShoeSurplusCard, expected, OfShoe::CardNumber { card, number })
}

fn check_load(loaded: &ShoeLoaded, rules: &Rulebook, sink: &mut Sink) {
    if !rules.shoe.decks.contains(&loaded.decks) {
        let expected = OfShoe::DecksAllowed { decks: rules.shoe.decks.iter().copied().collect() };
        let recorded = OfShoe::Decks { decks: Decks(loaded.decks.into()) };
        sink.accuse(Accusation::new(Code::ShoeDecks, expected, recorded));
    }
    if let Some(behind) = loaded.cards_behind_cut {
        check_depth(u32::from(behind), rules, sink);
    }
}

pub(crate) fn check_depth(behind: u32, rules: &Rulebook, sink: &mut Sink) {
    let least = u32::from(rules.cut_card.cards_behind);
    if behind < least {
        sink.accuse(Accusation::new(
            Code::ShoeCutDepth,
            OfShoe::BehindAtLeast { cards: Cards(least) },
            OfShoe::Behind { cards: behind },
        ));
    }
}
