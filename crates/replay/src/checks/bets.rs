//! The bets of a coup that were not taken back in time, and those that came too late or are of kinds that are not offered
//! (`docs/judging.md`, "Too late, unknown, twice").

use baccarat::{BetKind, Money, Outcome, OverLimit, Settlement};
use events::{Call, Name};

use super::Checked;
use super::index::Index;
use super::paytables::Paytables;
use crate::account::signed;
use crate::reading::{AbonoRecord, BetRecord, CoupRecord};
use crate::sink::Accusation;
use crate::statement::{EventName, OfBank, OfBets, OfTable};
use crate::{Code, SeatMoney};

/// A bet or an abono, as it is recorded.
#[derive(Debug, Clone, Copy)]
enum Laid<'r, 'a> {
    Bet(&'r BetRecord<'a>),
    Abono(&'r AbonoRecord<'a>),
}

/// A bet, or an abono.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bet<'r, 'a> {
    laid: Laid<'r, 'a>,
    /// It was placed once the bets were closed.
    pub(super) late: bool,
    /// It was placed, or taken back, once the bets were closed, by every explanation of the record.
    pub(super) late_in_any_case: bool,
    /// Number of its kind; `None`: it is not offered.
    pub(super) kind: Option<usize>,
    /// What it is called if its kind is not offered.
    not_offered: Code,
    /// What of it is within the limits.
    pub(super) within: Within,
}

/// What of a bet is within the limits, if what is beyond them comes back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Within {
    #[default]
    All,
    Part(Money),
    /// That depends on whose the bets without a name are.
    Open,
}

impl<'r> Bet<'r, '_> {
    pub(super) const fn id(&self) -> u64 {
        match self.laid {
            Laid::Bet(bet) => bet.placed.value.bet,
            Laid::Abono(abono) => abono.placed.value.bet,
        }
    }

    pub(super) const fn seat(&self) -> u8 {
        match self.laid {
            Laid::Bet(bet) => bet.placed.value.seat,
            Laid::Abono(abono) => abono.placed.value.seat,
        }
    }

    pub(super) const fn stake(&self) -> Money {
        match self.laid {
            Laid::Bet(bet) => bet.placed.value.stake,
            Laid::Abono(abono) => abono.placed.value.stake,
        }
    }

    /// The player's name, if it was recorded.
    pub(super) fn player(&self) -> Option<&'r Name> {
        match self.laid {
            Laid::Bet(bet) => bet.placed.value.player.as_ref(),
            Laid::Abono(abono) => abono.placed.value.player.as_ref(),
        }
    }

    /// Sequence of its placing.
    pub(super) const fn placed(&self) -> u64 {
        match self.laid {
            Laid::Bet(bet) => bet.placed.sequence,
            Laid::Abono(abono) => abono.placed.sequence,
        }
    }

    /// Sequence of the event that took it back.
    pub(super) const fn taken_back(&self) -> Option<u64> {
        match self.laid {
            Laid::Bet(bet) => bet.withdrawn,
            Laid::Abono(abono) => abono.withdrawn,
        }
    }

    /// Whether it is a stake on the bank's side.
    pub(super) fn is_abono(&self) -> bool {
        match self.laid {
            Laid::Bet(bet) => bet.placed.value.kind.as_str() != "punto",
            Laid::Abono(_) => true,
        }
    }

    /// Whether it is an abono where none may be: what becomes of it is reported with that.
    pub(super) const fn is_no_abono(&self) -> bool {
        matches!(self.laid, Laid::Abono(_)) && self.kind.is_none()
    }

    /// The kind of a bet; of an abono the name of its kind, if there are any.
    pub(super) fn name<'t>(&self, tables: &'t Paytables) -> Option<&'t BetKind> {
        self.kind.map(|kind| tables.name(kind))
    }

    pub(super) const fn is_offered(&self) -> bool {
        self.kind.is_some()
    }

    /// Whether it was taken back once the bets were closed.
    pub(super) const fn is_taken_back(&self) -> bool {
        self.taken_back().is_some()
    }

    /// Whether the hands decide it.
    pub(super) const fn is_judged(&self) -> bool {
        self.kind.is_some() && !self.late
    }

    /// Whether what it brings follows from the hands.
    pub(super) fn may_be_paid(&self, tables: &Paytables) -> bool {
        self.is_offered() && !(self.within == Within::Open && tables.has_limited_payouts())
    }

    /// What it brings if the hands result in this.
    pub(super) fn brings(&self, outcome: &Outcome, tables: &Paytables) -> Option<Settlement> {
        let decision = tables.paytable(self.kind?).decide(outcome)?;
        let settle = |stake| tables.rules().settle(stake, decision);
        match (tables.rules().limits.over_limit, self.within) {
            (OverLimit::PaidInFull, _) | (_, Within::All) => Some(settle(self.stake())),
            (_, Within::Open) => None,
            (OverLimit::Void, Within::Part(_)) => Some(self.stake_back()),
            (OverLimit::Capped, Within::Part(within)) => {
                let settled = settle(within);
                let returned = settled.returned.plus(self.stake().minus(within));
                Some(Settlement { returned, ..settled })
            }
        }
    }

    pub(super) const fn stake_back(&self) -> Settlement {
        Settlement { returned: self.stake(), commission: Money::ZERO }
    }

    pub(super) fn placed_at(&self) -> u64 {
        let by = match self.laid {
            Laid::Bet(bet) => bet.placed.corrected_by,
            Laid::Abono(abono) => abono.placed.corrected_by,
        };
        by.unwrap_or(self.placed())
    }
}

/// The bets of a coup that were not taken back in time. Without a rulebook the kinds that are offered are not known, and without
/// an `index` the events that were recorded at another place are not. Cards that the coup before left for it are not its first card.
pub(super) fn bets<'r, 'a>(
    coup: &'r CoupRecord<'a>,
    carried: usize,
    tables: Option<&Paytables>,
    index: Option<&Index<'_>>,
) -> Vec<Bet<'r, 'a>> {
    let hands = coup.cards.iter().filter(|card| card.to.side().is_some()).skip(carried);
    let cards = hands.filter_map(|card| card.sequence);
    let ends = coup.closes.iter().map(|close| close.sequence).chain(cards);
    let closed = ends.clone().min().unwrap_or(u64::MAX);
    let stands = |at: &u64| !index.is_some_and(|index| index.may_be_moved(*at));
    let surely_closed = ends.filter(stands).min().unwrap_or(u64::MAX);
    // A banco seguido opens the bets again until somebody holds punto's cards.
    let seguido = coup.chemin.calls.iter().filter(|told| told.value.call == Call::Seguido);
    let seguido = seguido.map(|told| told.sequence).min().unwrap_or(u64::MAX);
    let holder = coup.holders.first().map_or(u64::MAX, |told| told.sequence);
    let is_late = |at: u64| at > closed && !(seguido < at && at < holder);
    let surely = |at: u64| is_late(at) && at > surely_closed && stands(&at);
    let in_any_case = |placed: u64, taken_back: Option<u64>| {
        surely(placed) && taken_back.is_none_or(surely) || !is_late(placed) && taken_back.is_some_and(surely)
    };
    let own = coup.bets.iter().map(|bet| Bet {
        laid: Laid::Bet(bet),
        late: is_late(bet.placed.sequence),
        late_in_any_case: in_any_case(bet.placed.sequence, bet.withdrawn),
        kind: tables.and_then(|tables| tables.number(&bet.placed.value.kind)),
        not_offered: Code::BetKind,
        within: Within::All,
    });
    let at_bank = tables.is_some_and(|tables| tables.rules().chemin.is_some());
    let not_offered = if at_bank { Code::AbonoNotAllowed } else { Code::GameWrong };
    let abonos = coup.chemin.abonos.iter().map(|abono| Bet {
        laid: Laid::Abono(abono),
        late: is_late(abono.placed.sequence),
        late_in_any_case: in_any_case(abono.placed.sequence, abono.withdrawn),
        kind: tables.and_then(Paytables::abono),
        not_offered,
        within: Within::All,
    });
    let mut all: Vec<_> = own.chain(abonos).collect();
    all.retain(|bet| bet.taken_back().is_none_or(is_late));
    if !coup.chemin.abonos.is_empty() {
        all.sort_by_key(Bet::placed);
    }
    all
}

/// Reports a bet that came too late, was taken back too late, or is of a kind that is not offered. What came back for it,
/// and what was due by the cards as dealt, are as the account has them.
pub(super) fn late(
    bet: &Bet<'_, '_>,
    recorded: Option<i64>,
    due: Option<i64>,
    tables: Option<&Paytables>,
    checked: &mut Checked,
) {
    let money = |sum: Option<i64>| sum.map(|sum| SeatMoney::exactly(bet.seat(), sum)).into_iter().collect();
    let base = recorded.map(|recorded| due.unwrap_or(recorded).saturating_sub(signed(bet.stake())));
    if bet.late {
        let recorded = OfBets::Afterwards { bet: bet.id() };
        let late = Accusation::new(Code::BetLate, OfBets::BeforeClose, recorded);
        checked.accuse(bet.placed_at(), late.moving(money(base)));
    }
    if let Some(tables) = tables.filter(|_| !bet.is_offered()) {
        let of_kind = not_offered(bet, tables);
        checked.accuse(bet.placed_at(), of_kind.moving(money(base.filter(|_| !bet.late))));
    }
    if let Some(taken_back) = bet.taken_back() {
        let recorded_as = OfBets::TakenBack { bet: bet.id() };
        let withdrawn = Accusation::new(Code::BetWithdrawnLate, OfBets::NoWithdrawal, recorded_as);
        let beyond = recorded.zip(due).map(|(recorded, due)| recorded.saturating_sub(due));
        checked.accuse(taken_back, withdrawn.moving(money(beyond)));
    }
}

/// A bet of a kind that is not offered, or an abono where none may be.
fn not_offered(bet: &Bet<'_, '_>, tables: &Paytables) -> Accusation {
    match bet.laid {
        Laid::Bet(of) => {
            let expected = OfBets::KindsOffered { kinds: tables.rules().bets.keys().cloned().collect() };
            let recorded = OfBets::Kind { bet_kind: of.placed.value.kind.clone() };
            Accusation::new(bet.not_offered, expected, recorded)
        }
        Laid::Abono(_) if bet.not_offered == Code::GameWrong => {
            let recorded = OfTable::Event { event: EventName::AbonoPlaced };
            Accusation::new(bet.not_offered, OfTable::PuntoYBanca, recorded)
        }
        Laid::Abono(_) => {
            let recorded = OfBank::Abono { amount: bet.stake().into() };
            Accusation::new(bet.not_offered, OfBank::NoAbonos, recorded)
        }
    }
}

/// Withdrawals of bets that were not placed.
pub(super) fn not_placed(coup: &CoupRecord<'_>) -> Checked {
    let mut checked = Checked::default();
    for withdrawn in &coup.withdrawals {
        let recorded = OfBets::TakenBack { bet: withdrawn.value.bet };
        let unknown = Accusation::new(Code::BetUnknown, OfBets::StandsInCoup, recorded);
        checked.accuse(withdrawn.corrected_by.unwrap_or(withdrawn.sequence), unknown);
    }
    checked
}
