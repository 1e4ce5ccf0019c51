//! The names of fields in which two events differ.

use std::fmt::{self, Formatter};

use serde::{Deserialize, Serialize};

use super::Style;
use super::said::Say;

/// Names of fields in which two events differ, as JSON has them: the first ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Differs(Box<[Box<str>]>);

impl Differs {
    /// Most names that a sentence has. One more is kept, which says that there are more.
    pub const MOST: usize = 5;

    /// The first of these names.
    #[must_use]
    pub fn of(names: Vec<Box<str>>) -> Self {
        Self(names.into_iter().take(Self::MOST + 1).collect())
    }
}

/// `; they differ in coup, stake`, where the style has differences.
impl Say for Differs {
    const HOLDS: &'static str = "text";
    const LIST: bool = true;

    fn say(&self, style: &Style<'_>, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() || !style.differences {
            return Ok(());
        }
        let named = self.0.iter().take(Self::MOST).map(|name| format!("`{}`", name.escape_debug()));
        let named = named.collect::<Vec<_>>().join(", ");
        write!(f, "{}{named}", style.language.of("; they differ in ", "; se diferencian en "))?;
        if self.0.len() > Self::MOST {
            f.write_str(style.language.of(" and more", " y más"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::Statement;

    /// Findings that were kept before the fields were named.
    #[test]
    fn a_statement_of_an_earlier_version_is_read_without_them() {
        let earlier = serde_json::json!({ "kind": "another-event-in-entry", "entry": 5 });
        let read: Statement = serde_json::from_value(earlier).unwrap();
        assert_eq!(read.kind(), "another-event-in-entry");
        assert_eq!(read.to_string(), "another under that number in entry 5");
    }
}
