//! `audit redact`: erases payloads that must be erased by law; the log records the erasure permanently.
//!
//! The notice is sealed first, then the payloads are erased. A stop in between leaves a log that says what
//! is still to be erased (`--finish`), never one from which something is missing without notice. The notice
//! repeats what had been found in the payloads: findings cannot be erased with them.

mod loss;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use intake::clock::now;
use replay::names::fold;
use sealed_log::entry::LOG_CHAIN;
use sealed_log::notice::{Notice, NoticeError, Redaction, encode_redaction};
use sealed_log::redaction::{parse_kept, sealed_digest};
use sealed_log::store::{StoreError, StoreReader as _};
use sealed_log::writer::{OpenError, notices};
use sealed_log_sled::{LogFolder, SledReader, Writer};
use serde::Serialize;

use crate::cli::Redact;
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::{KeyedFolder, not_opened};
use crate::output;
use crate::shown::printable;
use loss::Loss;

#[derive(Serialize)]
struct RedactionView {
    log: String,
    /// Index of the entry that gives notice; none with `--finish`.
    notice: Option<u64>,
    /// Log indexes of the entries whose payload is erased now.
    erased: Vec<u64>,
    /// What the judge can no longer decide; none with `--finish`.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<Loss>,
    /// Folders beside the store that still hold the payloads.
    copies: Vec<String>,
}

pub(crate) fn run(ask: &Redact) -> Result<Exit, Failure> {
    let texts = [("--reason", &ask.reason), ("--by", &ask.by), ("--countersigned-by", &ask.countersigned_by)];
    for (option, text) in texts {
        printable(option, text.as_deref().unwrap_or_default())?;
    }
    let folder = LogFolder::new(&ask.log);
    let mut writer = KeyedFolder::new(&ask.log).open_writer_even_closed()?;
    let (notice, lost) = if ask.finish { (None, None) } else { give_notice(ask, &mut writer)? };
    let announced = announced(writer.reader()).map_err(Failure::of_seal)?;
    drop(writer);
    let copies =
        if announced.is_empty() { Vec::new() } else { folder.erase(&announced).map_err(not_opened)? };
    let view = RedactionView {
        log: ask.log.display().to_string(),
        notice,
        erased: announced.into_iter().collect(),
        lost,
        copies: copies.iter().map(|path| path.display().to_string()).collect(),
    };
    if ask.json {
        output::print_json(&view)?;
    } else {
        output::print(&text(&view))?;
    }
    Ok(Exit::Good)
}

/// Seals the notice of what is to be erased, and gives what the judge loses with it.
fn give_notice(ask: &Redact, writer: &mut Writer) -> Result<(Option<u64>, Option<Loss>), Failure> {
    let mut redaction = redaction(ask, writer.reader())?;
    redaction.check().map_err(|error| Failure::usage(said(&error)))?;
    // The seal compares bytes, so that every notice ever written stays valid.
    let [by, countersigned_by] = [&redaction.by, &redaction.countersigned_by];
    if fold(by) == fold(countersigned_by) {
        return Err(Failure::usage(said(&NoticeError::OneSigner(by.clone()))));
    }
    let chosen: BTreeSet<u64> = redaction.entries.iter().map(|(index, _)| *index).collect();
    let lost = loss::loss(writer.reader(), &writer.signed_checkpoint(), &writer.verifier_key(), &chosen)?;
    // The coup behind each gap is undecided anyway: what is missing may belong to it.
    if lost.in_other_entries > chosen.len() as u64 && !ask.also_rules {
        let log = ask.log.display();
        let coups = texts().coups(lost.in_other_entries);
        let findings = texts().findings(lost.findings);
        return Err(Failure::usage(texts().others_depend(log, coups, findings)));
    }
    redaction.gone_with_them.clone_from(&lost.gone);
    let payload = encode_redaction(&redaction).map_err(|error| Failure::usage(said(&error)))?;
    let sealed = writer.append_notice(payload, now()).map_err(Failure::of_reading)?;
    Ok((sealed.entries.first().map(|entry| entry.index), Some(lost)))
}

/// What is to be recorded, from what was asked and what the log holds.
fn redaction(ask: &Redact, store: &SledReader) -> Result<Redaction, Failure> {
    let mut entries = BTreeMap::new();
    for &index in &ask.entry {
        entries.insert(index, redactable(&ask.log, store, index)?);
    }
    Ok(Redaction {
        entries: entries.into_iter().collect(),
        reason: ask.reason.clone().unwrap_or_default(),
        by: ask.by.clone().unwrap_or_default(),
        countersigned_by: ask.countersigned_by.clone().unwrap_or_default(),
        gone_with_them: Vec::new(),
    })
}

/// The digest of an entry whose payload can be erased.
fn redactable(log: &Path, store: &SledReader, index: u64) -> Result<sealed_log::entry::Digest, Failure> {
    let read = store.read(index, 1).map_err(Failure::of_seal)?;
    let Some(bytes) = read.first() else {
        return Err(Failure::usage(texts().no_entry_to_erase(log.display(), store.size(), index)));
    };
    let kept = parse_kept(bytes).map_err(Failure::of_seal)?;
    if kept.view.chain == LOG_CHAIN {
        return Err(Failure::usage(texts().notice_not_erased(index)));
    }
    if kept.withheld.is_some() {
        return Err(Failure::usage(texts().already_erased(index)));
    }
    Ok(sealed_digest(bytes))
}

/// Entries that a notice declares erased and that still exist.
fn announced(store: &SledReader) -> Result<BTreeSet<u64>, OpenError> {
    let mut announced = BTreeSet::new();
    for (_, notice) in notices(store)? {
        if let Notice::EntriesRedacted(redaction) = notice {
            announced.extend(still_here(store, &redaction)?);
        }
    }
    Ok(announced)
}

fn still_here(store: &SledReader, redaction: &Redaction) -> Result<Vec<u64>, StoreError> {
    let mut here = Vec::new();
    for (index, digest) in &redaction.entries {
        let whole = |bytes: &Vec<u8>| {
            parse_kept(bytes).is_ok_and(|kept| kept.withheld.is_none()) && sealed_digest(bytes) == *digest
        };
        if store.read(*index, 1)?.first().is_some_and(whole) {
            here.push(*index);
        }
    }
    Ok(here)
}

fn text(view: &RedactionView) -> String {
    let RedactionView { log, notice, erased, lost, copies } = view;
    let indexes: Vec<String> = erased.iter().map(u64::to_string).collect();
    let mut text = match (notice, erased.as_slice()) {
        (_, []) => texts().nothing_to_erase(log),
        (Some(notice), _) => texts().erased_with_notice(log, indexes.join(", "), notice),
        (None, _) => texts().erased_as_announced(log, indexes.join(", ")),
    };
    if let Some(lost) = lost.as_ref().filter(|lost| lost.coups + lost.findings > 0) {
        let (coups, findings) = (texts().coups(lost.coups), texts().findings(lost.findings));
        text.push_str(&texts().lost_by_erasure(coups, findings));
        lost.gone.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    for copy in copies {
        text.push_str(&texts().may_still_hold(copy));
    }
    if !erased.is_empty() {
        text.push_str(&texts().copies_still_hold());
    }
    text
}
