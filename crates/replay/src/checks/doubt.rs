//! What is not known about a coup before any check looks at it.

use super::index::Index;
use crate::Reason;
use crate::reading::{CoupRecord, Departure, Explanation, Lost, Misread, Remark};

/// Why it is not known whether all is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Open {
    /// Events are missing next to it.
    Missing,
    /// Events are missing since the table opened, so it is not known who sits where and whose turn the bank is.
    SeatsMissing,
    /// What is wrong with its recording could not be explained.
    Unexplained,
    /// What is wrong with its recording has several explanations.
    Remarked,
    /// A card was removed by a ruling that the rulebook does not provide for.
    Ruled,
    /// A card was not read, and decides something.
    CardUnread,
    /// The suit of a card was not read, and decides something.
    SuitUnread,
    /// It was not settled, or it is void and its stakes may still come back.
    NotSettled,
    /// A stake is outside limits that missing events may have changed.
    Limits,
    /// The rulebook does not say what decides.
    RuleSilent,
    /// Players were not counted, and fewer than the rulebook asks for are known to sit.
    PlayersNotCounted,
    /// Whose the bets without a name are decides something.
    Unnamed,
    /// Whether names that look alike are one person's decides something.
    Alike,
    /// A decision was corrected, and no clause says that it was too late.
    Corrected,
    /// Something is wrong, and a correction of it may be among missing events after it.
    MayBeMended,
    /// Its stakes came back, and it may have been declared void in what is missing.
    PerhapsVoid,
    /// By its own time a bet came after cards that are recorded after it.
    ByClock,
    /// There is more of something than is kept.
    MoreThanKept,
    /// No rulebook is in force.
    RulebookMissing,
    /// The rulebook cannot be read.
    RulebookUnreadable,
    /// The rulebook is not approved.
    RulebookUnapproved,
}

impl Open {
    /// The same as a reason why a coup is undecided.
    #[must_use]
    pub const fn reason(self) -> Reason {
        match self {
            Self::Missing
            | Self::SeatsMissing
            | Self::Unexplained
            | Self::Remarked
            | Self::MayBeMended
            | Self::PerhapsVoid => Reason::EventsMissing,
            Self::ByClock => Reason::BetAfterCardsByClock,
            Self::MoreThanKept => Reason::MoreThanKept,
            Self::RulebookMissing => Reason::RulebookMissing,
            Self::RulebookUnreadable => Reason::RulebookUnreadable,
            Self::RulebookUnapproved => Reason::RulebookUnapproved,
            Self::RuleSilent => Reason::RuleSilent,
            Self::PlayersNotCounted => Reason::PlayersNotCounted,
            Self::Ruled => Reason::Ruled,
            Self::CardUnread => Reason::CardUnread,
            Self::SuitUnread => Reason::SuitUnread,
            Self::NotSettled => Reason::NotSettledYet,
            Self::Limits => Reason::LimitsUnknown,
            Self::Unnamed => Reason::PlayerUnnamed,
            Self::Alike => Reason::NameLookAlike,
            Self::Corrected => Reason::Corrected,
        }
    }

    /// Whether it is the reason, even if names of the coup look alike: the first one counts.
    pub(super) const fn is_before_names(self) -> bool {
        matches!(
            self,
            Self::Missing
                | Self::Unexplained
                | Self::Remarked
                | Self::NotSettled
                | Self::MayBeMended
                | Self::PerhapsVoid
        )
    }

    /// What is open because a card, or a suit, was not read.
    pub(super) fn unread(reason: Reason) -> Self {
        if reason == Reason::SuitUnread { Self::SuitUnread } else { Self::CardUnread }
    }
}

/// What is not known of a coup.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Doubt {
    /// Nothing of it can be checked.
    pub(super) all: Option<Open>,
    /// It is not known which cards it has.
    pub(super) cards: bool,
    /// It is not known which of its bets came in time.
    pub(super) order: bool,
    /// A bet, or its withdrawal, was not recorded, or perhaps not: what a player staked in all is not known.
    pub(super) stakes: bool,
    /// It is not known by which bets punto's cards were given to somebody. A withdrawal that was only perhaps not recorded leaves
    /// that known: otherwise who leaves a bet out of a settlement could say that it was taken back.
    pub(super) holder: bool,
}

/// Why a coup is open that is taken at its word because nothing explains it. Its faults are found all the same. Otherwise
/// enough faults in one coup would hide each other.
pub(super) fn at_its_word(coup: &CoupRecord<'_>) -> Option<Open> {
    coup.unexplained.then_some(Open::Unexplained)
}

/// What is not known of a coup of a shoe, whatever is missing.
pub(super) fn doubt(index: &Index<'_>, coup: &CoupRecord<'_>) -> Doubt {
    // A void that names the coup before it was in play is of no coup.
    let is_void_early = index.early_void(coup.number).is_some();
    let mut doubt = Doubt { all: is_void_early.then_some(Open::Unexplained), ..Doubt::default() };
    let remarks = coup.follows.iter().flat_map(|follows| index.remarks(*follows));
    let of_coup = remarks.filter(|remark| remark.coups.contains(&coup.number));
    of_coup.for_each(|remark| doubt.add(remark, coup, index));
    doubt
}

impl Doubt {
    /// If a remark is certain, the record is as it is understood, but for what came in time. Otherwise it depends on what
    /// the alternatives are about.
    fn add(&mut self, remark: &Remark, coup: &CoupRecord<'_>, index: &Index<'_>) {
        let moved = |of: &Explanation| matches!(of, Explanation::Moved { .. });
        // Of two neighbours that changed places, either may be the one that was moved. Each is of the coup that it names.
        let open = !remark.is_certain() && !remark.alternatives.iter().flatten().all(moved);
        for explanation in remark.alternatives.iter().flatten() {
            if let Explanation::Lost { what, .. } = explanation {
                self.stakes |= matches!(what, Lost::Bet(_) | Lost::Withdrawal(_));
                let is_certain = remark.is_certain() && matches!(what, Lost::Withdrawal(_));
                self.holder |= is_certain || matches!(what, Lost::Bet(_) | Lost::Close);
            }
            match Subject::of(explanation, coup, index) {
                Subject::Nothing => {}
                Subject::Close => self.order = true,
                Subject::Place if !open => self.order = true,
                Subject::Cards => self.cards |= open,
                Subject::Coup | Subject::Place => {
                    self.all = self.all.or(Some(Open::Remarked).filter(|_| open));
                }
            }
        }
    }
}

/// What of a coup would be otherwise if an explanation was not the right one.
enum Subject {
    /// Nothing that its hands, its bets and its lines depend on.
    Nothing,
    /// Which bets came before its close.
    Close,
    /// What came before what.
    Place,
    /// Its cards.
    Cards,
    /// Which events are of it.
    Coup,
}

impl Subject {
    fn of(explanation: &Explanation, coup: &CoupRecord<'_>, index: &Index<'_>) -> Self {
        // What a hand announced, and the account of a bank, decide no cards that were dealt, and no bets.
        let decisions = || coup.chemin.decisions.iter().map(|told| told.sequence);
        let accounts = || coup.chemin.accounts.iter().map(|told| told.sequence);
        let is_said = |at: u64| decisions().chain(accounts()).any(|said| said == at);
        // Which of its bets came in time does not depend on where it was settled, or declared void.
        let rulings = coup.rulings.iter().map(|told| told.sequence);
        let ends = coup.settlements.iter().map(|told| told.sequence).chain(rulings);
        let is_end = |at: u64| ends.clone().any(|end| end == at);
        match explanation {
            Explanation::Moved { at, .. } | Explanation::Departed { at, how: Departure::Again, .. }
                if is_said(*at) =>
            {
                Self::Nothing
            }
            Explanation::Moved { at, coup: of } if *of != coup.number || is_end(*at) => Self::Nothing,
            Explanation::Moved { .. } => Self::Place,
            Explanation::Mislabelled { .. } | Explanation::Doubled { settlement: false, .. } => Self::Coup,
            Explanation::Doubled { settlement: true, .. } => Self::Nothing,
            Explanation::Lost { what, .. } => match what {
                Lost::Card => Self::Cards,
                Lost::Close => Self::Close,
                Lost::Settlement => Self::Coup,
                Lost::Loading | Lost::Burn | Lost::End | Lost::Bet(_) | Lost::Withdrawal(_) => Self::Nothing,
            },
            Explanation::Misread { what, .. } => match what {
                Misread::Face(..) | Misread::Hand => Self::Cards,
                Misread::Bet(_) => Self::Coup,
                Misread::Position
                | Misread::Burned
                | Misread::Total(_)
                | Misread::Winner
                | Misread::CutCard
                | Misread::CardsLeft => Self::Nothing,
            },
            // Nor does anything of it depend on whether it, or another coup, was settled again.
            Explanation::Departed { at, coup: of, how: Departure::Again }
                if index.is_settled_again(*of, *at) =>
            {
                Self::Nothing
            }
            Explanation::Departed { how, .. } => Self::of_departure(*how),
        }
    }

    const fn of_departure(how: Departure) -> Self {
        match how {
            Departure::Drew | Departure::Stood | Departure::Short | Departure::Position => Self::Cards,
            Departure::Number | Departure::NoShoe | Departure::Again => Self::Coup,
            Departure::NotClosed
            | Departure::BetLate
            | Departure::IdReused
            | Departure::NotPlaced(_)
            | Departure::LineWithoutBet(_)
            | Departure::BetWithoutLine(_)
            | Departure::NoRefund
            | Departure::Burn
            | Departure::NoBurn
            | Departure::NotEnded => Self::Nothing,
        }
    }
}
