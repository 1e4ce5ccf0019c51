//! The numbers in an event that a table must not use twice: those of bets and of shoes. It finds them in an
//! event's line and advances them from session to session.

use events::{Body, Name};

use crate::LoadError;

/// A number as it is in the first session.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Number {
    /// A bet's number, never used twice at a table.
    Bet(u64),
    /// A shoe's number; a shoe with a number used before could not be queried.
    Shoe(u64),
}

/// How far the numbers are advanced.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ahead {
    pub(crate) bets: u64,
    pub(crate) shoes: u64,
}

impl Ahead {
    /// A number, advanced.
    pub(crate) const fn of(self, number: Number) -> u64 {
        match number {
            Number::Bet(bet) => bet + self.bets,
            Number::Shoe(shoe) => shoe + self.shoes,
        }
    }

    /// An event with its numbers advanced; `None` if a shoe's id has no number.
    pub(crate) fn moved(self, mut event: Body) -> Option<Body> {
        each_bet(&mut event, &mut |bet| *bet = self.of(Number::Bet(*bet)));
        if let Body::ShoeLoaded(loaded) = &mut event {
            let (before, number) = parts(&loaded.shoe)?;
            loaded.shoe = format!("{before}{}", self.of(Number::Shoe(number))).parse().ok()?;
        }
        Some(event)
    }
}

/// The numbers of an event in the order of its line, each with the text before it.
///
/// # Errors
/// [`LoadError::OwnFault`] for an event that could not be posted in another session.
pub(crate) fn numbers(event: &mut Body) -> Result<Vec<(String, Number)>, LoadError> {
    let mut numbers = Vec::new();
    each_bet(event, &mut |bet| numbers.push(("\"bet\":".to_owned(), Number::Bet(*bet))));
    if let Body::ShoeLoaded(loaded) = event {
        let parts = parts(&loaded.shoe);
        let (before, number) = parts.ok_or_else(|| fault("a shoe whose id does not end with a number"))?;
        numbers.push((format!("\"shoe\":\"{before}"), Number::Shoe(number)));
    }
    if let Body::CorrectionRecorded(_) = event {
        return Err(fault("a correction, which names another event's sequence"));
    }
    Ok(numbers)
}

fn fault(what: &str) -> LoadError {
    LoadError::OwnFault(format!("a script has {what}"))
}

/// A shoe's id up to its last number, and that number.
fn parts(shoe: &Name) -> Option<(&str, u64)> {
    let before = shoe.as_str().trim_end_matches(|last: char| last.is_ascii_digit());
    Some((before, shoe.as_str()[before.len()..].parse().ok()?))
}

fn each_bet(event: &mut Body, act: &mut dyn FnMut(&mut u64)) {
    match event {
        Body::BetPlaced(placed) => act(&mut placed.bet),
        Body::AbonoPlaced(placed) => act(&mut placed.bet),
        Body::BetWithdrawn(withdrawn) => act(&mut withdrawn.bet),
        Body::CoupSettled(settled) => settled.bets.iter_mut().for_each(|line| act(&mut line.bet)),
        Body::ShoeLoaded(_)
        | Body::BurnCards(_)
        | Body::CardDrawn(_)
        | Body::TableOpened(_)
        | Body::TableClosed(_)
        | Body::LimitsChanged(_)
        | Body::SeatTaken(_)
        | Body::SeatLeft(_)
        | Body::DealOffered(_)
        | Body::DealAccepted(_)
        | Body::DealDeclined(_)
        | Body::BetsClosed(_)
        | Body::PuntoHolder(_)
        | Body::CutCardDrawn(_)
        | Body::CommissionCollected(_)
        | Body::CoupVoided(_)
        | Body::IrregularityRecorded(_)
        | Body::CorrectionRecorded(_)
        | Body::ShoeEnded(_)
        | Body::BankTaken(_)
        | Body::BankPassed(_)
        | Body::BancoCalled(_)
        | Body::GarajeSet(_)
        | Body::DrawDecided(_)
        | Body::PlayersPresent(_)
        | Body::BankSettled(_)
        | Body::BankBid(_)
        | Body::LeaveGiven(_)
        | Body::CardReplaced(_)
        | Body::ValuesComputed(_)
        | Body::ExtensionRecorded(_)
        | Body::Unknown(_) => {}
    }
}
