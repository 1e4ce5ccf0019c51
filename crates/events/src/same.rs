//! Whether two recordings are of the same event. A table system that sends its outbox again may write the times in
//! another offset, or the lines of a settlement in another order; it does not report anything else by that.
//!
//! `docs/events.md`, "The same event", has a row for each field of the format. This module does what the rows say, and
//! everything that compares events uses it. What was recorded first stays as it is.

use std::borrow::Cow;

use crate::cbor::{ARRAY, UNSIGNED, head, integer};
use crate::codec::write_body;
use crate::{Body, Event, Limits, Line, OccurredAt};

impl Event {
    /// Whether both are recordings of one event: the same instant on the same local day, and fields that mean the same.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        same((self.occurred_at, &self.body), (other.occurred_at, &other.body))
    }

    /// Bytes that are equal exactly where [`Self::same_as`] holds, to be hashed or kept for a comparison: canonical CBOR
    /// of `[micros, local day since 1970, kind, fields]`, with each list in order whose order has no meaning. They are
    /// not the bytes that are sealed.
    #[must_use]
    pub fn identity(&self) -> Vec<u8> {
        identity(self.occurred_at, &self.body)
    }
}

impl Line {
    /// Whether it records this event, table and sequence aside.
    #[must_use]
    pub fn records(&self, event: &Event) -> bool {
        same((self.occurred_at, &self.event), (event.occurred_at, &event.body))
    }

    /// Whether both record one event under one number of one table.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        (&self.table, self.sequence) == (&other.table, other.sequence)
            && same((self.occurred_at, &self.event), (other.occurred_at, &other.event))
    }
}

impl OccurredAt {
    /// Whether both are the same instant on the same local day, perhaps written in different offsets.
    #[must_use]
    pub const fn same_as(self, other: Self) -> bool {
        self.micros() == other.micros() && self.local_day_number() == other.local_day_number()
    }
}

impl Body {
    /// The body with each list in order whose order has no meaning: the lines of a settlement by the id of the bet,
    /// limits of single kinds by kind, seats by number, computed values by theirs. Items with one key keep their order.
    #[must_use]
    pub fn in_order(&self) -> Cow<'_, Self> {
        match self {
            Self::CoupSettled(_)
            | Self::TableOpened(_)
            | Self::LimitsChanged(_)
            | Self::CorrectionRecorded(_)
            | Self::ValuesComputed(_) => {
                let mut body = self.clone();
                put_in_order(&mut body);
                Cow::Owned(body)
            }
            Self::ShoeLoaded(_)
            | Self::BurnCards(_)
            | Self::BetPlaced(_)
            | Self::CardDrawn(_)
            | Self::TableClosed(_)
            | Self::SeatTaken(_)
            | Self::SeatLeft(_)
            | Self::DealOffered(_)
            | Self::DealAccepted(_)
            | Self::DealDeclined(_)
            | Self::BetWithdrawn(_)
            | Self::BetsClosed(_)
            | Self::PuntoHolder(_)
            | Self::CutCardDrawn(_)
            | Self::CommissionCollected(_)
            | Self::CoupVoided(_)
            | Self::IrregularityRecorded(_)
            | Self::ShoeEnded(_)
            | Self::BankTaken(_)
            | Self::BankPassed(_)
            | Self::BancoCalled(_)
            | Self::AbonoPlaced(_)
            | Self::GarajeSet(_)
            | Self::DrawDecided(_)
            | Self::PlayersPresent(_)
            | Self::BankSettled(_)
            | Self::BankBid(_)
            | Self::LeaveGiven(_)
            | Self::CardReplaced(_)
            | Self::ExtensionRecorded(_)
            | Self::Unknown(_) => Cow::Borrowed(self),
        }
    }
}

fn put_in_order(body: &mut Body) {
    let by_kind = |limits: &mut Limits| {
        limits.bets.sort_by(|one, other| one.kind.as_str().cmp(other.kind.as_str()));
    };
    if let Body::CoupSettled(settled) = body {
        settled.bets.sort_by_key(|line| line.bet);
    } else if let Body::TableOpened(opened) = body {
        opened.seats.sort_unstable();
        by_kind(&mut opened.limits);
    } else if let Body::LimitsChanged(limits) = body {
        by_kind(limits);
    } else if let Body::ValuesComputed(computed) = body {
        computed.values.sort_unstable();
    } else if let Body::CorrectionRecorded(correction) = body {
        put_in_order(&mut correction.corrected);
    }
}

type Recorded<'a> = (OccurredAt, &'a Body);

fn same(one: Recorded<'_>, other: Recorded<'_>) -> bool {
    let alike = || one.0.same_as(other.0) && one.1.kind() == other.1.kind();
    one == other || (alike() && identity(one.0, one.1) == identity(other.0, other.1))
}

fn identity(at: OccurredAt, body: &Body) -> Vec<u8> {
    let mut out = Vec::with_capacity(48);
    head(&mut out, ARRAY, 4);
    integer(&mut out, at.micros());
    integer(&mut out, at.local_day_number());
    head(&mut out, UNSIGNED, u64::from(body.kind()));
    write_body(&body.in_order(), &mut out);
    out
}
