//! Events that were recorded a moment before an event that precedes them in play: a settlement before the last card,
//! two cards in the wrong order, an answer before the offer. They are judged after it, and that is one finding.

use events::{Body, BurnCards, Event};
use serde::{Deserialize, Serialize};

use super::queue::Waiting;
use super::{Seen, Table};
use crate::Code;
use crate::record::Revision;
use crate::sink::Accusation;
use crate::statement::{OfBets, OfRecord, OfSeats, OfShoe};

/// What an event before may have been recorded too early for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Early {
    #[default]
    Nothing,
    /// A card at this position, recorded at sequence `at`: too early for the cards before it.
    Card { coup: u32, position: u16, at: u64 },
    /// The settlement of a coup, recorded at sequence `at`: too early for what is still played of it.
    Settled { coup: u32, at: u64 },
    /// An answer of a seat that was not asked: too early for the offer.
    Answered { seat: u8, at: u64 },
    /// The withdrawal of a bet that does not stand: too early for the bet.
    TakenBack { bet: u64, at: u64 },
    /// A burn: too early for the loading of its shoe.
    Burned(Box<BurnCards>),
}

/// An event that is judged behind another.
#[derive(Debug, Clone)]
pub(crate) struct HeldBack {
    waiting: Waiting,
    /// The sequence of that.
    behind: u64,
}

impl HeldBack {
    const fn is_card(&self) -> bool {
        matches!(self.waiting.event.body, Body::CardDrawn(_))
    }

    const fn is_settlement(&self) -> bool {
        matches!(self.waiting.event.body, Body::CoupSettled(_))
    }

    /// Cards by their positions, then the others.
    const fn order(&self) -> (u16, u64) {
        let mut position = u16::MAX;
        if let Body::CardDrawn(drawn) = &self.waiting.event.body {
            position = drawn.position;
        }
        (position, self.waiting.location.sequence)
    }
}

impl Table {
    /// What an event may have been recorded too early for, given the state of the table before it. `None` where the
    /// event may lie between another early event and the one it was too early for.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is recorded too early")]
    pub(super) fn early(&mut self, body: &Body) -> Option<Early> {
        let at = self.location.sequence;
        match body {
            Body::CardDrawn(drawn) => Some(Early::Card { coup: drawn.coup, position: drawn.position, at }),
            Body::CoupSettled(settled) => Some(Early::Settled { coup: settled.coup, at }),
            Body::DealAccepted(deal) if self.chemin.is_none() && !self.is_asked(deal.seat) => {
                Some(Early::Answered { seat: deal.seat, at })
            }
            Body::DealDeclined(deal) if !self.is_asked(deal.seat) => {
                Some(Early::Answered { seat: deal.seat, at })
            }
            Body::BetWithdrawn(withdrawn) if !self.stands(withdrawn.bet) => {
                Some(Early::TakenBack { bet: withdrawn.bet, at })
            }
            Body::BurnCards(burn) if self.shoe.as_deref().is_none_or(crate::shoe::Shoe::ended) => {
                Some(Early::Burned(Box::new(burn.clone())))
            }
            _ if self.may_stand_between(body) => None,
            _ => Some(Early::Nothing),
        }
    }

    /// Whether this may stand between an event and what comes before that: nothing by which it matters whether a card is
    /// out already.
    fn may_stand_between(&self, body: &Body) -> bool {
        match &self.before {
            Early::Card { .. } => matches!(body, Body::DrawDecided(_)),
            Early::Settled { .. } => matches!(body, Body::DrawDecided(_) | Body::BankSettled(_)),
            Early::TakenBack { .. } => matches!(body, Body::BetPlaced(_)),
            Early::Burned(_) => {
                matches!(body, Body::SeatTaken(_) | Body::SeatLeft(_) | Body::PlayersPresent(_))
            }
            Early::Answered { .. } => false,
            Early::Nothing => true,
        }
    }

    fn is_asked(&self, seat: u8) -> bool {
        match &self.chemin {
            Some(chemin) => chemin.turn.was_offered(seat),
            None => self.dealing.is_asked(seat),
        }
    }

    fn stands(&mut self, bet: u64) -> bool {
        self.play.as_mut().is_some_and(|play| play.has_bet(bet))
    }

    /// An event shows that one before it was recorded too early.
    #[inline]
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else shows it")]
    pub(super) fn shows_early(&self, body: &Body, seen: &Seen<'_>) -> Option<Revision> {
        let behind = seen.location.sequence;
        let sequence = match (&self.before, body) {
            (Early::Card { coup, position, at }, Body::CardDrawn(drawn)) => {
                let beside = self.held_back.iter().all(|held| held.is_card() || held.is_settlement());
                let turned = *coup == drawn.coup && *position > drawn.position && beside;
                let skipped = |shoe: &crate::shoe::Shoe| shoe.passed_over(drawn.position);
                (turned && self.shoe.as_deref().is_some_and(skipped)).then_some(*at)?
            }
            (_, _) if !self.held_back.is_empty() => return None,
            (Early::Settled { coup, at }, _) if self.goes_on_behind(*at, body, seen) => {
                // What waited for it may have begun the next.
                let over = self.over.last_of(*coup)?;
                (over.settled == *at && body.coup() == Some(*coup)).then_some(*at)?
            }
            (Early::Answered { seat, at }, Body::DealOffered(deal)) => (*seat == deal.seat).then_some(*at)?,
            (Early::TakenBack { bet, at }, Body::BetPlaced(placed)) => {
                let closed = self.play.as_ref().is_some_and(|play| play.bets_closed());
                (*bet == placed.bet && !closed).then_some(*at)?
            }
            _ => return None,
        };
        (sequence >= seen.first).then_some(Revision::Early { sequence, behind })
    }

    /// Whether an event may be what was still to be played of a coup when it was settled: a card, where one was due, or
    /// what was announced before it, and the account behind it.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "nothing else is played before a settlement and names a coup"
    )]
    fn goes_on_behind(&self, settled: u64, body: &Body, seen: &Seen<'_>) -> bool {
        match body {
            Body::CardDrawn(_) | Body::DrawDecided(_) => {
                self.settled_short.is_some_and(|short| short.get() == settled)
            }
            Body::BankSettled(_) => seen.known.judged_behind(settled).is_some(),
            _ => false,
        }
    }

    /// The event is judged after another one that was recorded after it.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is recorded too early")]
    pub(super) fn hold_back(&mut self, event: &Event, seen: &Seen<'_>, behind: u64) {
        let body = seen.amended.map_or(&event.body, |(_, body)| body);
        let named = seen.known.label_of(seen.location.sequence).or_else(|| body.coup());
        let accusation = match body {
            Body::CardDrawn(drawn) => {
                let due = self.shoe.as_deref().and_then(crate::shoe::Shoe::next_due);
                // If other cards are still passed over, that is reported when it is judged.
                let between = behind - seen.location.sequence;
                let ahead = |due: u32| u64::from(u32::from(drawn.position).saturating_sub(due));
                // Of several cards that wait for the same card only the first is reported.
                let reported = self.held_back.iter().any(HeldBack::is_card);
                due.filter(|due| !reported && (1..=between).contains(&ahead(*due))).map(|due| {
                    let at = |position: u32| OfShoe::Position { position };
                    Accusation::new(Code::ShoePosition, at(due), at(drawn.position.into()))
                })
            }
            Body::CoupSettled(settled) => {
                let recorded = OfRecord::MoreBehind { coup: named.unwrap_or(settled.coup) };
                Some(Accusation::new(Code::CoupSettledEarly, OfRecord::SettledAfterPlay, recorded))
            }
            Body::BetWithdrawn(withdrawn) => {
                let recorded = OfBets::TakenBack { bet: withdrawn.bet };
                Some(Accusation::new(Code::BetUnknown, OfBets::StandsInSomeCoup, recorded))
            }
            _ => {
                let recorded = OfRecord::Event { event: body.into() };
                Some(Accusation::new(Code::DealNotOffered, OfSeats::OfferFirst, recorded))
            }
        };
        let coup = named.or_else(|| {
            let of_a_coup = matches!(body, Body::BetWithdrawn(_));
            self.play.as_ref().filter(|_| of_a_coup).map(|play| play.number)
        });
        self.sink.enter(coup);
        self.sink.accuse_all(accusation);
        self.sink.enter(None);
        self.write_findings();
        self.held_back.push(HeldBack { waiting: Waiting::of(event, seen), behind });
    }

    /// What was held back until now is judged: cards as they lie in the shoe.
    pub(super) fn take_held_back(&mut self, seen: &Seen<'_>) -> Option<Revision> {
        let now = seen.location.sequence;
        if !self.held_back.iter().any(|held| held.behind == now) {
            return None;
        }
        let (mut held, later) =
            self.held_back.begin_anew().into_iter().partition::<Vec<_>, _>(|held| held.behind <= now);
        self.held_back = later.into_iter().collect();
        held.sort_by_key(HeldBack::order);
        let (now, judged, time) = (self.sink.location(), self.location, self.sink.time());
        let mut revision = None;
        for HeldBack { waiting, .. } in held {
            self.go_to_waiting(&waiting);
            let amended = waiting.first.as_ref().map(|(by, _)| (*by, &waiting.event.body));
            let first = waiting.first.as_ref().map_or(&waiting.event, |(_, first)| first);
            let shown = self.judge_event(first, &Seen { location: waiting.location, amended, ..*seen });
            revision = revision.or(shown);
        }
        self.go_to(judged);
        self.sink.shown_by(now);
        self.sink.occurred(time);
        revision
    }

    /// The burn of a shoe was recorded right before it was loaded, and that is reported.
    pub(super) fn burn_ahead(&mut self, before: Option<Early>) {
        if let Some(Early::Burned(burn)) = before {
            self.in_shoe(|shoe, rules, sink| shoe.burn(&burn, rules, sink));
        }
    }
}
