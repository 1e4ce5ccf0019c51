//! How names are compared: the spellings of one name, and names that look alike.
//!
//! A table writes a name composed or decomposed, in capitals, in full-width letters or with characters that nobody
//! sees; all of these are one name. Source: Unicode 3.13, identifier caseless matching (D147), and UTS #39, section 4
//! (skeletons of confusable strings). `docs/judging.md`, "Names", says it step by step, and `docs/names.txt` holds the
//! tables, so that another judge needs no library. This module does not know what a name is for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use icu_casemap::CaseMapper;
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::confusable_detection::skeleton;

/// The version of Unicode by which names are compared. The tables are those of crates that `Cargo.lock` pins, and a
/// test holds them against `docs/names.txt`: no update changes them unnoticed.
pub(crate) const UNICODE: &str = "18.0.0";

/// Groups of ids of tables that are listed at most, and ids of one group.
const MOST_LISTED: usize = 100;

/// A name as names are compared: two names are one if their folds are equal.
///
/// The fold has no case, no compatibility forms and no characters that are never seen (NFKC_Casefold); its words have
/// single blanks between them and none around. A name of which nothing is left is compared by its bytes.
#[must_use]
pub fn fold(name: &str) -> String {
    if is_plain(name) {
        return name.to_ascii_lowercase();
    }
    let folded = tidy(&case_folded(name));
    if folded.is_empty() { name.to_owned() } else { folded.nfc().collect() }
}

/// Whether a name is its own fold because it is in plain lower case. Such a name is used as it is.
pub(crate) fn is_folded(name: &str) -> bool {
    is_plain_of(name, |byte| !byte.is_ascii_uppercase())
}

/// What a name looks like, with and without its case. Two names look alike if they have one of these in common.
#[must_use]
pub fn looks(name: &str) -> [String; 2] {
    if is_printable_ascii(name) {
        return looks_of_ascii(name);
    }
    let seen: String = name.chars().filter(|c| !is_unseen(*c)).collect();
    looks_of_seen(&seen).map(|look| tidy(&look))
}

fn looks_of_seen(seen: &str) -> [String; 2] {
    [case_folded(seen), case_folded(&skeleton(seen).collect::<String>())]
        .map(|folded| case_folded(&skeleton(&folded).collect::<String>()))
}

/// The same of printable ASCII, which most ids of shoes and serials of decks are: there each character looks like itself
/// whatever stands beside it.
fn looks_of_ascii(name: &str) -> [String; 2] {
    static OF_EACH: LazyLock<Vec<[String; 2]>> = LazyLock::new(|| {
        (0..128_u8).map(|byte| looks_of_seen(char::from(byte).encode_utf8(&mut [0; 4]))).collect()
    });
    [0, 1].map(|way| {
        let look: String = name.bytes().map(|byte| &*OF_EACH[usize::from(byte)][way]).collect();
        tidy(&look)
    })
}

/// Groups of ids of tables that look alike and so may be mistaken for one another; the first 100 of them, with at most
/// 100 ids each. Nothing is judged by it: an id names a chain, and two ids are two tables.
#[must_use]
pub fn look_alike_tables(ids: &[impl AsRef<str>]) -> Vec<Vec<String>> {
    // A log may have millions of tables, and few of them share a look: only of those the looks are held.
    let mut marks: Vec<(u64, usize)> = Vec::with_capacity(2 * ids.len());
    for (at, id) in ids.iter().enumerate() {
        marks.extend(looks(id.as_ref()).map(|look| (mark(&look), at)));
    }
    marks.sort_unstable();
    marks.dedup();
    let mut groups: BTreeSet<Vec<String>> = BTreeSet::new();
    for same in marks.chunk_by(|(one, _), (other, _)| one == other).filter(|same| same.len() > 1) {
        let mut by_look: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for (of_all, at) in same {
            let id = ids[*at].as_ref();
            for look in looks(id).into_iter().filter(|look| mark(look) == *of_all) {
                by_look.entry(look).or_default().insert(id);
            }
        }
        for ids in by_look.into_values().filter(|ids| ids.len() > 1) {
            groups.insert(ids.into_iter().take(MOST_LISTED).map(str::to_owned).collect());
            if groups.len() > MOST_LISTED {
                groups.pop_last();
            }
        }
    }
    groups.into_iter().collect()
}

/// Two looks with different marks differ.
fn mark(look: &str) -> u64 {
    let digest = blake3::hash(look.as_bytes());
    u64::from_le_bytes(std::array::from_fn(|at| digest.as_bytes()[at]))
}

/// Whether every character is one of printable ASCII: two such names never look alike.
#[must_use]
pub(crate) fn is_printable_ascii(name: &str) -> bool {
    name.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// Whether a name holds a character that nobody sees: a control or a format character (general categories Cc and Cf), or
/// another that is never shown (Default_Ignorable_Code_Point: fillers, joiners, variation selectors).
#[must_use]
pub(crate) fn has_unseen(name: &str) -> bool {
    !is_printable_ascii(name) && name.chars().any(is_unseen)
}

/// Whether nobody sees it.
pub(crate) fn is_unseen(c: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    matches!(category, GeneralCategory::Control | GeneralCategory::Format)
        || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// Whether these are ASCII letters with single blanks between words: names are compared for every bet.
fn is_plain(name: &str) -> bool {
    is_plain_of(name, |_| true)
}

/// The same, of bytes that `fits` has. All of a short name costs less than to stop at the first.
fn is_plain_of(name: &str, fits: impl Fn(u8) -> bool) -> bool {
    let (is_plain, ends_blank) = name.bytes().fold((true, true), |(all, after_blank), byte| {
        let blank = byte == b' ';
        (all & (b' '..=b'~').contains(&byte) & fits(byte) & !(blank & after_blank), blank)
    });
    is_plain && !ends_blank
}

/// Removes what is never seen, decomposes, folds case and decomposes compatibility forms, until nothing changes.
fn case_folded(text: &str) -> String {
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    let mut text = text.to_owned();
    loop {
        let canonical: String = text.chars().filter(|c| !ignorable.contains(*c)).nfd().collect();
        let folded: String = CaseMapper::new().fold_string(&canonical).nfkd().collect();
        if folded == text {
            return text;
        }
        text = folded;
    }
}

/// Single blanks between words and none around: every character with the property White_Space is a blank.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests;
