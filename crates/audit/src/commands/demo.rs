//! `audit demo`: an honest and a crooked record are sealed, the theft is found, a changed byte is caught, a coup is proven.
//!
//! It only asks the other commands, with arguments as a person types them, and prints what they returned. It knows no
//! clock and no random numbers: what it makes and prints is the same on every machine.

mod made;
mod shown;

use std::path::PathBuf;

use crate::cli::Demo;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

use self::made::Made;
pub(super) use self::shown::Json;
use self::shown::Shown;

pub(crate) fn run(ask: &Demo) -> Result<Exit, Failure> {
    let made = Made::in_folder(&unmistakable(ask))?;
    {
        let shown = Shown::of(&made)?;
        if ask.json {
            output::print_json(&shown.json())?;
        } else {
            output::print_shown(&shown.text())?;
        }
    }
    made.keep();
    Ok(Exit::Good)
}

/// The folder by a path that no command takes for an option or an address.
fn unmistakable(ask: &Demo) -> PathBuf {
    let text = ask.folder.to_string_lossy();
    if text.starts_with('-') || text.contains("://") {
        PathBuf::from(".").join(&ask.folder)
    } else {
        ask.folder.clone()
    }
}

/// What the demonstration shows did not happen.
fn not_as_meant(what: &str) -> Failure {
    Failure { exit: Exit::OwnFault, message: format!("audit demo: {what}") }
}
