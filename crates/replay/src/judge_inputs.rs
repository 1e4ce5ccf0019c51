//! What a judgement depends on besides the log: the program, its built-in rulebooks, the formats it reads and the
//! codes it knows. Certificates name it, so that whoever reads one later knows which judge that was.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use baccarat::{Rulebook, builtins};
use sealed_log::archive::ARCHIVE_VERSION;
use sealed_log::entry::ENTRY_VERSION;
use serde::Serialize;

use crate::revision::JUDGE;
use crate::saved::FORM;
use crate::{Code, Reason, Severity, names};

/// The program that judged. It is a function of the program alone, not of the machine it runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Program {
    /// Its version.
    pub version: &'static str,
    /// The commit of the source it was built from, with `-modified` where that had been changed; `unknown` in a
    /// build that does not know it.
    pub commit: &'static str,
}

/// Versions of the formats by which a judge reads a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Formats {
    /// Of archives.
    pub archive: u32,
    /// Of entries.
    pub entry: u64,
    /// Minor version of the events.
    pub events: u32,
    /// Of a judge that is saved.
    pub saved_judge: u32,
}

/// By what this program judges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JudgeInputs {
    /// Name and version of the judge.
    pub judge: &'static str,
    /// The formats it reads.
    pub formats: Formats,
    /// The version of Unicode by which names are compared.
    pub unicode: &'static str,
    /// Digests of the built-in rulebooks, by their names.
    pub rulebooks: BTreeMap<&'static str, String>,
    /// Codes of findings, with their weight.
    pub findings: BTreeMap<&'static str, Severity>,
    /// Codes of reasons for which something stays undecided.
    pub reasons: Vec<&'static str>,
}

static INPUTS: LazyLock<JudgeInputs> = LazyLock::new(JudgeInputs::gathered);

impl JudgeInputs {
    /// Those of this program, the same on any machine.
    #[must_use]
    pub fn of_this_program() -> &'static Self {
        &INPUTS
    }

    fn gathered() -> Self {
        let digest = |(name, text): (&'static str, &str)| {
            // Tests read every built-in rulebook; one that could not be read would have no digest.
            let book = Rulebook::from_toml(name, text).map(|book| book.digest().to_string());
            (name, book.unwrap_or_default())
        };
        let mut reasons: Vec<&str> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
        reasons.sort_unstable();
        Self {
            judge: JUDGE,
            formats: Formats {
                archive: ARCHIVE_VERSION,
                entry: ENTRY_VERSION,
                events: events::SCHEMA_MINOR,
                saved_judge: FORM,
            },
            unicode: names::UNICODE,
            rulebooks: builtins().map(digest).collect(),
            findings: Code::ALL.iter().map(|code| (code.as_str(), code.severity())).collect(),
            reasons,
        }
    }

    /// BLAKE3 of the canonical JSON (RFC 8785) of all of it: two programs with the same one judge by the same
    /// rulebooks, formats and codes.
    #[must_use]
    pub fn digest(&self) -> String {
        digest_of(self)
    }

    /// [`Self::digest`] without the judge's name, so that a revision can be listed with it.
    #[cfg(test)]
    pub(crate) fn digest_without_judge(&self) -> String {
        digest_of(&Self { judge: "", ..self.clone() })
    }

    /// BLAKE3 of the canonical JSON of the built-in rulebooks' digests.
    #[must_use]
    pub fn rulebooks_digest(&self) -> String {
        digest_of(&self.rulebooks)
    }

    /// The formats in one line: `archive=2,entry=1,events=1,saved-judge=14`.
    #[must_use]
    pub fn formats_text(&self) -> String {
        let Formats { archive, entry, events, saved_judge } = self.formats;
        format!("archive={archive},entry={entry},events={events},saved-judge={saved_judge}")
    }
}

fn digest_of(value: &impl Serialize) -> String {
    #[allow(clippy::expect_used, reason = "they hold only texts, integers, lists and maps with text keys")]
    let text = serde_json_canonicalizer::to_string(value).expect("they are always JSON");
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rulebook_format_and_code_counts() {
        let inputs = JudgeInputs::of_this_program();
        assert_eq!(inputs.rulebooks.len(), builtins().count());
        assert!(inputs.rulebooks.values().all(|digest| digest.len() == 64), "{:?}", inputs.rulebooks);
        assert_eq!(inputs.findings.len(), Code::ALL.len());
        let digest = inputs.digest();
        assert_eq!(digest, JudgeInputs::gathered().digest());
        let mut others: [JudgeInputs; 6] = std::array::from_fn(|_| inputs.clone());
        others[0].rulebooks.insert("es-1979", "0".repeat(64));
        others[1].formats.events += 1;
        others[2].findings.remove("payout-under");
        others[3].reasons.pop();
        others[4].judge = "replay 0.0.9";
        others[5].unicode = "17.0.0";
        for (number, other) in others.iter().enumerate() {
            assert_ne!(other, inputs, "{number}");
            assert_ne!(other.digest(), digest, "{number}");
        }
    }
}
