//! Errors of the libraries as people read them. In English they say what the library's own text says; in Spanish each
//! type is said by the room of its library.
//!
//! The libraries hand on some things as English texts: what a disk, another program or a reader of JSON said. What of
//! these is known is said in Spanish as well (`phrases`), and the rest stands as it is, as a detail in brackets.

mod archive;
mod checkpoints;
mod client;
mod entries;
mod events;
mod fleet;
mod folder;
mod intake;
mod phrases;
mod policies;
mod proofs;
mod service;
mod store;
mod system;
#[cfg(test)]
mod tests;
mod witness;
mod writer;

use std::error::Error;
use std::fmt;

use replay::Language;
use sealed_log::store::StoreError;
use sealed_log_sled::{DAMAGED_ADVICE, FileTrouble};

use crate::language::texts;
use crate::shown::plain;
use phrases::known;

/// An error of a library that can be said in Spanish.
trait Spanish {
    fn spanish(&self) -> String;
}

/// A sentence that is in the language of the process already.
#[derive(Debug)]
pub(crate) struct Said(pub(crate) String);

impl Error for Said {}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The error as one piece of a line for people, in the language of the process. What it quotes adds no line.
pub(crate) fn said(error: &(dyn Error + 'static)) -> String {
    plain(&match texts().language() {
        Language::English => error.to_string(),
        Language::Spanish => in_spanish(error),
    })
}

/// The same of a text that a library hands on.
pub(crate) fn said_text(english: &str) -> String {
    match texts().language() {
        Language::English => english.to_owned(),
        Language::Spanish => phrases::or_detail(english),
    }
}

/// Why a store cannot be opened, and what to do about it.
pub(crate) fn damaged(error: &StoreError) -> String {
    let advice = match texts().language() {
        Language::English => DAMAGED_ADVICE,
        Language::Spanish => folder::damaged_advice(),
    };
    format!("{}; {advice}", said(error))
}

/// A file next to a store that was altered, is missing or cannot be read.
pub(crate) fn file_trouble(trouble: &FileTrouble) -> String {
    match texts().language() {
        Language::English => trouble.to_string(),
        Language::Spanish => folder::trouble_in_spanish(trouble),
    }
}

fn in_spanish(error: &(dyn Error + 'static)) -> String {
    by_type(error).unwrap_or_else(|| {
        let english = error.to_string();
        known(&english).unwrap_or_else(|| format!("hubo un error (detalle: {english})"))
    })
}

/// Tries one type after the other.
macro_rules! by_type {
    ($($type:ty),+ $(,)?) => {
        /// The error in Spanish, if it is of a type that a room knows.
        fn by_type(error: &(dyn Error + 'static)) -> Option<String> {
            $(
                if let Some(error) = error.downcast_ref::<$type>() {
                    return Some(error.spanish());
                }
            )+
            None
        }

        /// The types that the rooms know, and whether the error is of each.
        #[cfg(test)]
        fn types(error: &(dyn Error + 'static)) -> Vec<(&'static str, bool)> {
            vec![$((stringify!($type), error.is::<$type>())),+]
        }
    };
}

by_type! {
    Said,
    std::io::Error,
    csv::Error,
    sealed_log::store::StoreError,
    sealed_log::store::ResourceError,
    sealed_log::writer::OpenError,
    sealed_log::writer::CheckpointSinkError,
    sealed_log::reader::SourceError,
    sealed_log::archive::ArchiveError,
    sealed_log::archive::ArchiveWriteError,
    sealed_log_sled::FolderError,
    sealed_log_sled::CheckpointFileError,
    sealed_log::entry::EntryError,
    sealed_log::entry::NameError,
    sealed_log::entry::DigestError,
    sealed_log::notice::NoticeError,
    sealed_log::notice::OwnChainError,
    sealed_log::keys::RotationError,
    tlog::key::KeyError,
    tlog::note::NoteError,
    tlog::policy::PolicyError,
    tlog::checkpoint::CheckpointError,
    tlog::cosignature::CosignatureError,
    tlog::consistency::ConsistencyError,
    tlog::consistency::MakeConsistencyError<sealed_log::store::StoreError>,
    tlog::proof::ProofError,
    tlog::proof::MakeProofError<sealed_log::store::StoreError>,
    tlog::proof::MissingNodes,
    tlog::proof_text::ProofTextError,
    tlog::inclusion::InclusionError,
    tlog::tile::TileError,
    tlog::tile::PathError,
    tlog::tree::FrontierError,
    sealed_log::proof::EntryProofError,
    sealed_log::proof::ProveError,
    ::client::ReceiptError,
    sealed_log::writer::WriteError,
    sealed_log::writer::SubmitError,
    sealed_log::writer::ReopenError,
    sealed_log::writer::LogClosed,
    ::events::LineError,
    ::events::EncodeError,
    ::events::DecodeError,
    ::events::TextError,
    ::events::OccurredAtError,
    ::events::RulebookDocumentError,
    baccarat::RulebookError,
    baccarat::CardError,
    baccarat::MoneyError,
    baccarat::BetKindError,
    baccarat::RatioError,
    ::witness::AskError,
    ::witness::Contradiction,
    ::witness::Refusal,
    ::witness::LostState,
    ::witness::StateError,
    ::witness::KeyFileError,
    ::client::ClientError,
    load::LoadError,
    ::fleet::FleetError,
    ::service::ServiceError,
    ::service::TlsError,
    ::service::HostError,
    ::service::WebhookError,
    ::service::CollectorError,
    ::service::access::TokenFileError,
    ::service::access::TokenError,
    ::intake::IntakeError,
    ::intake::BodyError,
    ::witness::DoorError,
}

impl Spanish for Said {
    fn spanish(&self) -> String {
        self.0.clone()
    }
}
