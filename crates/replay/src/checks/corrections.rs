//! What a correction may make of an event, and what is wrong with one of a decision after its moment.

use events::Body;

use crate::settled_before::{self, Kind};
use crate::sink::Accusation;
use crate::statement::{Decisions, OfBets, OfRulings, OfShoe};
use crate::{Code, Statement};

/// Why an event cannot have been meant to say this: what was expected, and what is recorded.
pub(super) fn cannot_become(said: &Body, corrected: &Body) -> Option<(Statement, Statement)> {
    let named = || OfRulings::Event { event: corrected.into() }.into();
    let bet = |bet: u64| OfBets::Bet { bet }.into();
    let Some(kind) = settled_before::kind(said).filter(|kind| kind.correctable) else {
        return Some((OfRulings::Correctable { event: said.into() }.into(), named()));
    };
    if said.name() != corrected.name() || said.coup() != corrected.coup() {
        let event = said.into();
        let expected = match said.coup() {
            Some(coup) => OfRulings::CorrectedInCoup { event, coup },
            None => OfRulings::CorrectedAsSuch { event },
        };
        return Some((expected.into(), named()));
    }
    if kind.is_same(said, corrected) {
        return None;
    }
    match (said, corrected) {
        (Body::CardDrawn(said), Body::CardDrawn(corrected)) => {
            let expected = OfRulings::HandAndPosition { card: said.card, position: said.position };
            let position = corrected.position.into();
            Some((expected.into(), OfShoe::CardAt { card: corrected.card, position }.into()))
        }
        (Body::BetPlaced(said), Body::BetPlaced(corrected)) => Some((bet(said.bet), bet(corrected.bet))),
        (Body::BetWithdrawn(said), Body::BetWithdrawn(corrected)) => {
            Some((bet(said.bet), bet(corrected.bet)))
        }
        (Body::AbonoPlaced(said), Body::AbonoPlaced(corrected)) => Some((bet(said.bet), bet(corrected.bet))),
        (Body::ShoeLoaded(_), Body::ShoeLoaded(corrected)) => {
            let recorded = OfShoe::Shoe { shoe: corrected.shoe.as_str().into() };
            Some((OfRulings::SameShoe.into(), recorded.into()))
        }
        (_, _) => Some((OfRulings::CorrectedAsSuch { event: said.into() }.into(), named())),
    }
}

/// What is wrong with a correction of a decision after its moment, but for its money.
pub(super) fn corrected_late(first: &Body, corrected: &Body, kind: &Kind) -> Accusation {
    let fields = || kind.decided();
    let (decided, changed) =
        (Decisions::of(first, corrected, fields()), Decisions::of(corrected, first, fields()));
    match (first, corrected) {
        (Body::BetPlaced(first), Body::BetPlaced(bet)) => {
            let expected = OfBets::AsItStood { bet: first.bet, stake: first.stake.into(), decided };
            let recorded = OfBets::CorrectedTo { stake: bet.stake.into(), corrected: changed };
            Accusation::new(Code::BetCorrectedLate, expected, recorded)
        }
        (first, _) => {
            let expected = OfRulings::AsDecided { event: first.into(), decided };
            let recorded = OfRulings::ChangedAfterCards { corrected: changed };
            Accusation::new(Code::CorrectedLate, expected, recorded)
        }
    }
}

/// The seat whose money an event decides.
#[allow(clippy::wildcard_enum_match_arm, reason = "no other decision is of a seat's money")]
pub(super) fn seat_decided(body: &Body) -> Option<u8> {
    match body {
        Body::BetPlaced(placed) => Some(placed.seat),
        Body::AbonoPlaced(placed) => Some(placed.seat),
        Body::BankTaken(taken) => Some(taken.seat),
        Body::BankPassed(passed) => Some(passed.seat),
        Body::BancoCalled(called) => Some(called.seat),
        _ => None,
    }
}
