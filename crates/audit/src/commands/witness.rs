//! `audit witness new` and `serve`: a small witness for somebody else's logs.

use std::path::Path;

use sealed_log::{VerifierKey, WitnessKey, WitnessSigningKey};
use serde_json::json;
use witness::{
    Cosigned, KeyFileError, Limits, Refusal, Server, StateFolder, Witness, make_key, make_key_with, read_key,
};

use crate::cli::{WitnessNew, WitnessServe};
use crate::exit::Exit;
use crate::log::log_key;
use crate::{Failure, render};

pub(crate) fn new(ask: &WitnessNew) -> Result<Exit, Failure> {
    let key = make_key_with(ask.algorithm.into(), &ask.state, &ask.name).map_err(no_key)?.verifier_key();
    let state = ask.state.display();
    if ask.json {
        super::print_json(
            &json!({ "state": state.to_string(), "witness": ask.name, "key": key.to_string() }),
        )?;
    } else {
        super::print(&format!("{state}: made the witness {}\nkey {key}\n", ask.name))?;
    }
    Ok(Exit::Good)
}

pub(crate) fn serve(ask: &WitnessServe) -> Result<Exit, Failure> {
    let logs = ask.logs.iter().map(|log| log_key("--log", log)).collect::<Result<Vec<VerifierKey>, _>>()?;
    let key = own_key(&ask.state, ask.name.as_deref())?;
    let state = StateFolder::open(&ask.state, &key.verifier_key()).map_err(Failure::unreadable)?;
    let witness = Witness::open(key, logs, state).map_err(Failure::unreadable)?;
    let server = Server::bind(&ask.listen, witness, Limits::default()).map_err(Failure::unreadable)?;
    begin(&server, ask.json)?;
    let json = ask.json;
    // Who reads along may go away; the witness goes on.
    server.run(move |decided| drop(super::print(&told(decided, json)))).map_err(Failure::unreadable)?;
    Ok(Exit::Good)
}

/// The key in the folder; made there when a name is given and nothing was ever signed from it.
fn own_key(state: &Path, name: Option<&str>) -> Result<WitnessSigningKey, Failure> {
    let key = match (read_key(state), name) {
        (Err(KeyFileError::Missing(_)), Some(name)) => make_key(state, name),
        (read, _) => read,
    };
    let key = key.map_err(no_key)?;
    match name {
        Some(name) if name != key.verifier_key().name() => {
            let own = key.verifier_key();
            let message =
                format!("{} is the witness {}, not {name}; leave --name out", state.display(), own.name());
            Err(Failure::usage(message))
        }
        Some(_) | None => Ok(key),
    }
}

fn no_key(error: KeyFileError) -> Failure {
    match error {
        KeyFileError::There(_) | KeyFileError::Name(_) => Failure::usage(error),
        KeyFileError::Missing(_)
        | KeyFileError::Lost(_)
        | KeyFileError::Readable { .. }
        | KeyFileError::File { .. }
        | KeyFileError::Key { .. }
        | KeyFileError::Random(_) => Failure::unreadable(error),
    }
}

fn begin(server: &Server<StateFolder>, json: bool) -> Result<(), Failure> {
    let (key, address): (WitnessKey, _) = (server.witness().key(), server.address());
    let logs: Vec<(&str, Option<u64>)> = server.witness().logs().collect();
    if json {
        let logs: Vec<_> =
            logs.iter().map(|(origin, size)| json!({ "origin": origin, "size": size })).collect();
        let begun = json!({ "witness": key.to_string(), "url": format!("http://{address}/"), "logs": logs });
        return super::print(&format!("{begun}\n"));
    }
    let mut text = format!("witness {key}\n");
    for (origin, size) in logs {
        let signed = size.map_or_else(
            || "nothing signed yet".to_owned(),
            |size| format!("signed at {} entries", render::grouped(size)),
        );
        text.push_str(&format!("watches {origin}, {signed}\n"));
    }
    super::print(&format!("{text}listens at http://{address}/\n"))
}

fn told(decided: &Result<Cosigned, Refusal>, json: bool) -> String {
    match (decided, json) {
        (Ok(Cosigned { checkpoint, .. }), true) => {
            let (origin, size, root) = (&checkpoint.origin, checkpoint.size, checkpoint.root_text());
            format!("{}\n", json!({ "signed": { "origin": origin, "size": size, "root": root } }))
        }
        (Ok(Cosigned { checkpoint, .. }), false) => {
            format!("signed {} at {} entries\n", checkpoint.origin, render::grouped(checkpoint.size))
        }
        (Err(refusal), true) => {
            format!("{}\n", json!({ "refused": { "status": refusal.status(), "why": refusal.to_string() } }))
        }
        (Err(refusal), false) => format!("refused with status {}: {refusal}\n", refusal.status()),
    }
}
