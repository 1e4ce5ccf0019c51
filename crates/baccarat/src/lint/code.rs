//! The findings of the linter, each with a code that never changes its meaning.

use std::fmt;

/// How much weight a finding has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The rulebook cannot be used for judging, or a table that follows it loses money or cannot be dealt.
    Error,
    /// Allowed, but most likely not what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $code:ident $text:literal $severity:ident,)*) => {
        /// What a finding is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[doc = $doc])+ $code,)* }

        impl Code {
            /// All of them, in the order of `docs/linter.md`.
            pub const ALL: &[Self] = &[$(Self::$code,)*];

            /// Its stable name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$code => $text,)* }
            }

            /// Its weight.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$code => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// A cell of the tableau is `?`.
    CellNotStated "cell-not-stated" Error,
    /// What a card counts is `?`.
    CardValueNotStated "card-value-not-stated" Error,
    /// How many cards an indicator burns is `?`.
    BurnValueNotStated "burn-value-not-stated" Error,
    /// Another value is `?`.
    NotStated "not-stated" Error,
    /// A clause or key that every rulebook has is not there.
    Missing "missing" Error,
    /// A value of the wrong form, or one that is not allowed.
    NotAllowed "not-allowed" Error,
    /// Fewer cards behind the cut card than the coups still allowed may need.
    CutCardTooShallow "cut-card-too-shallow" Error,
    /// Banca's table is read by punto's total.
    ColumnsPuntoTotal "columns-punto-total" Error,
    /// A bet that no coup pays.
    BetNeverWins "bet-never-wins" Error,
    /// A bet that nobody can place.
    BetCannotBePlaced "bet-cannot-be-placed" Error,
    /// Cells of the tableau that differ from the one every complete source has.
    TableauDeparts "tableau-departs" Warning,
    /// A row whose conditions no coup meets.
    RowNeverMet "row-never-met" Warning,
    /// A row that is met only by coups that earlier rows decide.
    RowNeverReached "row-never-reached" Warning,
    /// A bet whose largest stake lies below the table's minimum at some tables.
    CapBelowMinimum "cap-below-minimum" Warning,
    /// A bet that carries commission although no win of it owes any.
    CommissionNeverDue "commission-never-due" Warning,
    /// A bet that favours the player.
    FavoursPlayer "favours-player" Warning,
    /// A row that pays less than the stake, where its odds the other way round would be those of a usual bet.
    PayoutSwapped "payout-swapped" Warning,
    /// A bet that costs the player more than bets do.
    CostsTooMuch "costs-too-much" Warning,
    /// A value that differs from the base's and cites the base's text.
    CiteOfBase "cite-of-base" Warning,
    /// A clause that names no source.
    NotCited "not-cited" Warning,
    /// Rows that share coups and pay differently, so that their order decides.
    RowsOverlap "rows-overlap" Note,
    /// A source that no clause follows.
    CitationUnused "citation-unused" Note,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
