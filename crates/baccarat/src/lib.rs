//! The game: cards, hands, tableau, coup, rulebooks, bets and exact money. No I/O, no clock, no floats.
