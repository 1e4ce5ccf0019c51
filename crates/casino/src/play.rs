//! The games that a table can play: each owns its table and adds its own stages to it.

use events::Line;

use crate::Planted;
use crate::chemin::CheminDeFer;
use crate::punto_banca::PuntoBanca;
use crate::session::{Session, Stage};
use crate::stream::{Plan, Target};

/// A table with the game that is played at it.
pub(crate) enum Play {
    PuntoBanca(Box<PuntoBanca>),
    CheminDeFer(Box<CheminDeFer>),
}

/// What a game does at each stage of a table.
pub(crate) trait Game {
    fn session(&mut self) -> &mut Session;
    fn open(&mut self);
    fn load(&mut self);
    fn coup(&mut self);
    fn end_shoe(&mut self);
    fn close(&mut self);
}

impl Play {
    pub(crate) fn new(plan: &Plan, number: u32, target: Option<Target>) -> Self {
        let session = Session::new(plan, number, target);
        match plan.rulebook.chemin.as_deref() {
            Some(rules) => Self::CheminDeFer(Box::new(CheminDeFer::new(session, rules.clone()))),
            None => Self::PuntoBanca(Box::new(PuntoBanca::new(session))),
        }
    }

    fn game(&mut self) -> &mut dyn Game {
        match self {
            Self::PuntoBanca(game) => game.as_mut(),
            Self::CheminDeFer(game) => game.as_mut(),
        }
    }

    /// Plays the next stretch: the opening, the loading of a shoe, a coup, or the closing. Empty
    /// once the table is closed.
    pub(crate) fn play_on(&mut self) -> Vec<Line> {
        let game = self.game();
        while let Some(stage) = game.session().next_stage() {
            match stage {
                Stage::Open => game.open(),
                Stage::Load => game.load(),
                Stage::Coup => game.coup(),
                Stage::EndShoe => game.end_shoe(),
                Stage::Close | Stage::Closed => game.close(),
            }
        }
        game.session().take_lines()
    }

    /// The faults planted so far.
    pub(crate) fn planted(&mut self) -> &[Planted] {
        self.game().session().planted()
    }

    /// Whether everything that was to be planted is.
    pub(crate) fn is_done(&mut self) -> bool {
        self.game().session().is_done()
    }
}
