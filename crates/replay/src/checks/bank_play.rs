//! What a coup is played against, and what it came to: data that a bank and the checks of its coups share.

use baccarat::{BancaPlay, Money, Winner};
use events::Name;

use super::doubt::Open;
use crate::OtherMoney;
use crate::chemin::turn::Seats;
use crate::chemin::{Leaves, Who};

/// What a coup is played against.
#[derive(Debug, Clone, Default)]
pub(super) struct Playing {
    pub(super) banker: Option<Who>,
    /// The banker's name, if it was recorded.
    pub(super) name: Option<Name>,
    /// It is not known what the bank holds.
    pub(super) sum_missing: bool,
    /// What the bank had in play when the coup began.
    pub(super) bank: Money,
    /// What was set aside when the coup began.
    pub(super) garaje: Money,
    pub(super) leaves: Leaves,
    pub(super) todo_va: bool,
    /// Who had the bank before its banker, and what it held.
    pub(super) before: Option<(Who, Money)>,
    /// It is the first coup of its banker.
    pub(super) first_of_banker: bool,
    pub(super) seats: Seats,
    pub(super) seats_known: bool,
    /// Who may call banco seguido; `None`: not known.
    pub(super) seguido: Option<Vec<Who>>,
    /// Why it is not known whether all is right.
    pub(super) open: Option<Open>,
    /// Nobody has the bank. That is reported, and the coup is played against the next bank that is taken.
    pub(super) lacks_bank: bool,
}

impl Playing {
    /// What the bank holds in play, if that is known.
    pub(super) fn known_bank(&self) -> Option<Money> {
        self.banker.as_ref().filter(|_| !self.sum_missing).map(|_| self.bank)
    }
}

/// What a coup came to.
#[derive(Debug, Clone, Default)]
pub(super) struct Ending {
    /// It was declared void: the bank stays what it was.
    pub(super) is_void: bool,
    /// Who won, if it is known.
    pub(super) winner: Option<Winner>,
    /// What it had to come to for the bank, if that does not depend on who won.
    pub(super) due: Option<Due>,
    /// Who played for the whole bank.
    pub(super) granted: Option<Who>,
    /// Who alone staked against the bank.
    pub(super) alone: Option<Who>,
    /// The rule by which banca drew or stood; `None`: its cards were not checked.
    pub(super) banca: Option<BancaPlay>,
    /// What bets that came too late, or were taken back too late, moved at the bank; `None`: not known.
    pub(super) moved: Option<Vec<OtherMoney>>,
}

/// What a coup had to come to for the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Due {
    pub(super) won: Money,
    pub(super) lost: Money,
    pub(super) commission: Money,
}

impl Due {
    /// What the bank gains; negative if it loses.
    pub(super) fn net(self) -> i128 {
        self.won.over(self.lost).saturating_sub(self.commission.over(Money::ZERO))
    }
}
