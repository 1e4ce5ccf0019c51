//! `audit witness new`, `serve` and `recover`: a small witness for the logs of others.

use std::path::{Path, PathBuf};

use serde_json::json;
use tlog::cosignature::{WitnessKey, WitnessSigningKey};
use tlog::key::Algorithm;
use tlog::note::VerifierKey;
use witness::{
    Cosigned, KeyFileError, Limits, Recovery, Refusal, Server, SignedList, StateFolder, Witness,
    make_key_with, origin_hash, read_key,
};

use super::serve::connections;
use crate::cli::{WitnessNew, WitnessRecover, WitnessServe};
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::{log_key, signed_checkpoint};
use crate::printer::Printer;
use crate::{output, render, shown};

pub(crate) fn new(ask: &WitnessNew) -> Result<Exit, Failure> {
    let key = made(ask.algorithm.into(), &ask.state, &ask.name, ask.signed.as_deref())?.verifier_key();
    let state = ask.state.display();
    if ask.json {
        output::print_json(
            &json!({ "state": state.to_string(), "witness": ask.name, "key": key.to_string() }),
        )?;
    } else {
        output::print(&texts().witness_made(state, &ask.name, key))?;
    }
    Ok(Exit::Good)
}

pub(crate) fn serve(ask: &WitnessServe) -> Result<Exit, Failure> {
    let logs = ask.logs.iter().map(|log| log_key("--log", log)).collect::<Result<Vec<VerifierKey>, _>>()?;
    let key = own_key(ask)?;
    let list = list(&ask.state, ask.signed.as_deref())?;
    let state = StateFolder::open(&ask.state, &list, &key.verifier_key()).map_err(Failure::of_reading)?;
    if state.made_list() {
        output::note(&texts().list_was_made(list.display()));
    }
    let witness = Witness::open(key, logs, state).map_err(Failure::of_reading)?;
    witness.lost().for_each(|lost| output::note(&lost.to_string()));
    let limits = Limits { connections: connections(ask.max_connections), ..Limits::default() };
    let server = Server::bind(&ask.listen, witness, limits).map_err(Failure::of_reading)?;
    begin(&server, ask.json)?;
    let json = ask.json;
    let printer = Printer::start();
    let lines = printer.lines();
    let way = if json { shown::json } else { shown::lines };
    server
        .run(move |decided| lines.print(way(&decision_line(decided, json))))
        .map_err(Failure::of_reading)?;
    printer.finish();
    Ok(Exit::Good)
}

pub(crate) fn recover(ask: &WitnessRecover) -> Result<Exit, Failure> {
    let key = read_key(&ask.state).map_err(no_key)?.verifier_key();
    let given = ask.checkpoints.iter().map(|file| signed_checkpoint(file)).collect::<Result<_, _>>()?;
    let recovery = Recovery { given, nothing_signed: ask.nothing_signed };
    let list = list(&ask.state, ask.signed.as_deref())?;
    let taken_up = recovery.run(&ask.state, &list, &key).map_err(Failure::of_reading)?;
    if ask.json {
        let logs: Vec<_> =
            taken_up.iter().map(|log| json!({ "origin": log.origin, "size": log.size })).collect();
        output::print_json(&json!({ "witness": key.to_string(), "recovered": logs }))?;
        return Ok(Exit::Good);
    }
    let mut text: String =
        taken_up.iter().map(|log| texts().taken_up(&log.origin, render::grouped(log.size))).collect();
    if text.is_empty() {
        text.push_str(&texts().nothing_missing());
    }
    output::print(&text)?;
    Ok(Exit::Good)
}

/// Where the list of what a witness signed is.
fn list(state: &Path, given: Option<&Path>) -> Result<PathBuf, Failure> {
    match given {
        Some(list) => Ok(list.to_owned()),
        None => SignedList::default_path(state).map_err(Failure::of_reading),
    }
}

/// A new key, and the empty list of what will be signed with it.
fn made(
    algorithm: Algorithm,
    state: &Path,
    name: &str,
    signed: Option<&Path>,
) -> Result<WitnessSigningKey, Failure> {
    shown::printable("--name", name)?;
    let list = list(state, signed)?;
    if SignedList::exists(&list) && !state.join("key").exists() {
        return Err(Failure::usage(texts().list_of_another_witness(list.display())));
    }
    let key = make_key_with(algorithm, state, name).map_err(no_key)?;
    SignedList::make(&list, &key.verifier_key()).map_err(Failure::of_reading)?;
    Ok(key)
}

/// The key in the folder; made there when a name is given and nothing was ever signed from it.
fn own_key(ask: &WitnessServe) -> Result<WitnessSigningKey, Failure> {
    let (state, name) = (&ask.state, ask.name.as_deref());
    let key = match (read_key(state), name) {
        (Err(KeyFileError::Missing(_)), Some(name)) => {
            made(Algorithm::Ed25519, state, name, ask.signed.as_deref())?
        }
        (read, _) => read.map_err(no_key)?,
    };
    match name {
        Some(name) if name != key.verifier_key().name() => {
            let own = key.verifier_key();
            Err(Failure::usage(texts().another_witness(state.display(), own.name(), name)))
        }
        Some(_) | None => Ok(key),
    }
}

fn no_key(error: KeyFileError) -> Failure {
    match error {
        KeyFileError::There(_) | KeyFileError::Name(_) => Failure::usage(said(&error)),
        KeyFileError::Lost(_)
        | KeyFileError::Readable { .. }
        | KeyFileError::File { .. }
        | KeyFileError::Key { .. } => Failure::of_reading(error),
        KeyFileError::Missing(_) | KeyFileError::Random(_) => Failure::machine(said(&error)),
    }
}

fn begin(server: &Server<StateFolder>, json: bool) -> Result<(), Failure> {
    let (key, address): (WitnessKey, _) = (server.witness().key(), server.address());
    let logs: Vec<(&str, Option<u64>)> = server.witness().logs().collect();
    if json {
        let path = |origin: &str| format!("/{}/checkpoint", origin_hash(origin));
        let log = |(origin, size): &(&str, _)| json!({ "origin": origin, "size": size, "checkpoint": path(origin) });
        let logs: Vec<_> = logs.iter().map(log).collect();
        let begun = json!({ "witness": key.to_string(), "url": format!("http://{address}/"), "logs": logs });
        return output::print_json_text(&format!("{begun}\n"));
    }
    let mut text = texts().witness_line(key);
    for (origin, size) in logs {
        let signed = size.map_or_else(
            || texts().nothing_signed_yet(),
            |size| texts().signed_at_size(render::grouped(size)),
        );
        text.push_str(&texts().watches(origin, signed));
    }
    output::print(&format!("{text}{}", texts().listens_at(address)))
}

fn decision_line(decided: &Result<Cosigned, Refusal>, json: bool) -> String {
    match (decided, json) {
        (Ok(Cosigned { checkpoint, .. }), true) => {
            let (origin, size, root) = (&checkpoint.origin, checkpoint.size, checkpoint.root_text());
            format!("{}\n", json!({ "signed": { "origin": origin, "size": size, "root": root } }))
        }
        (Ok(Cosigned { checkpoint, .. }), false) => {
            texts().witness_signed(&checkpoint.origin, render::grouped(checkpoint.size))
        }
        (Err(refusal), true) => {
            format!("{}\n", json!({ "refused": { "status": refusal.status(), "why": refusal.to_string() } }))
        }
        (Err(refusal), false) => texts().witness_refused(refusal.status(), said(refusal)),
    }
}
