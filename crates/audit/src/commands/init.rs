//! `audit init`: makes a new, empty log with its key.

use serde::Serialize;

use crate::cli::Init;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::{Creation, KeyedFolder};
use crate::output;
use crate::render::shell_word;

#[derive(Serialize)]
struct InitView {
    log: String,
    origin: String,
    /// The verifier key, to be handed out.
    key: String,
    /// Where its newest checkpoint is.
    checkpoint: String,
}

pub(crate) fn run(ask: &Init) -> Result<Exit, Failure> {
    let folder = KeyedFolder::new(&ask.log);
    if folder.check(Creation::Asked)? {
        let log = ask.log.display();
        return Err(Failure::usage(texts().holds_a_log(log)));
    }
    let writer = folder.open_or_make(ask.origin.as_deref(), Creation::Asked)?;
    let key = writer.verifier_key();
    let view = InitView {
        log: ask.log.display().to_string(),
        origin: key.name().to_owned(),
        key: key.to_string(),
        checkpoint: folder.checkpoint().display().to_string(),
    };
    drop(writer);
    if ask.json {
        output::print_json(&view)?;
    } else {
        let secret = shell_word(&ask.log.join("key"));
        let InitView { log, origin, key, .. } = &view;
        let made = texts().new_log(log, origin, key, secret);
        output::print(&format!("{made}\n"))?;
    }
    Ok(Exit::Good)
}
