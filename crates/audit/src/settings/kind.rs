//! What kind of value a setting takes, and what is wrong with a value.

use std::any::TypeId;
use std::error::Error as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};

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
    pub(super) const fn expected(self) -> &'static str {
        match self {
            Self::Flag => "true or false, without quotes",
            Self::Number => "a whole number, without quotes",
            Self::Text => "a text in quotes",
            Self::Texts => "a text in quotes, or a list of such texts that is not empty",
        }
    }
}

/// What is wrong with the text of a setting's value; `None` where nothing is.
pub(super) fn wrong_value(serve: &Command, long: &str, text: &str) -> Option<String> {
    let arguments = [format!("--{long}={text}")];
    let error = serve.clone().no_binary_name(true).try_get_matches_from(arguments).err()?;
    if error.kind() == ErrorKind::ValueValidation {
        // What is no number of the setting's type has only words of the programming language.
        let why = error.source().map(ToString::to_string).filter(|why| why.contains(" is not in "));
        return Some(why.unwrap_or_else(|| {
            "expected a whole number of the range that audit serve --help names".to_owned()
        }));
    }
    // What another setting requires is seen when all of them are there.
    (error.kind() == ErrorKind::InvalidValue).then(|| match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(valid)) if !valid.is_empty() => format!("expected {}", valid.join(" or ")),
        Some(_) | None => "expected a value".to_owned(),
    })
}
