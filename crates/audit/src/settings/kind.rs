//! What kind of value a setting takes, and what is wrong with a value.

use std::any::TypeId;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};

use crate::help::not_in_range;
use crate::language::texts;

/// The kind of value that a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Flag,
    Number,
    Text,
    /// A text that may be given several times.
    Texts,
}

impl Kind {
    pub(super) fn of(argument: &Arg) -> Self {
        let numbers = [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>()];
        let value = argument.get_value_parser().type_id();
        if matches!(argument.get_action(), ArgAction::Append) {
            Self::Texts
        } else if !argument.get_action().takes_values() {
            Self::Flag
        } else if numbers.iter().any(|number| value == *number) {
            Self::Number
        } else {
            Self::Text
        }
    }

    /// What a file must have for it.
    pub(super) fn expected(self) -> String {
        match self {
            Self::Flag => texts().expected_flag(),
            Self::Number => texts().expected_number(),
            Self::Text => texts().expected_text(),
            Self::Texts => texts().expected_texts(),
        }
    }
}

/// What is wrong with the text of a setting's value; `None` where nothing is.
pub(super) fn wrong_value(serve: &Command, long: &str, text: &str) -> Option<String> {
    let arguments = [format!("--{long}={text}")];
    let error = serve.clone().no_binary_name(true).try_get_matches_from(arguments).err()?;
    if error.kind() == ErrorKind::ValueValidation {
        // What is no number of the setting's type has only words of the programming language.
        return Some(not_in_range(&error).unwrap_or_else(|| texts().expected_in_range()));
    }
    // What another setting requires is seen when all of them are there.
    (error.kind() == ErrorKind::InvalidValue).then(|| match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(valid)) if !valid.is_empty() => {
            let either = valid.iter().cloned().reduce(|one, other| texts().either_of(one, other));
            texts().expected_one_of(either.unwrap_or_default())
        }
        Some(_) | None => texts().expected_a_value(),
    })
}
