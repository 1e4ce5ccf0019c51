//! Which names of a table look alike, so that it is not known whether they are one person's.
//!
//! It takes every spelling that the record of a table shows, and knows what [`names`] says of each. It does not know
//! what the names are for.

use std::collections::{BTreeMap, BTreeSet};

use compact_str::CompactString;
use events::Name;
use serde::{Deserialize, Serialize};

use crate::names;
use crate::person::Person;
use crate::statement::All;

/// Spellings that are kept of a table at most. With more, and one of them not printable ASCII, it is not known of
/// anybody there whether another name looks alike.
pub(crate) const MOST: usize = 4_096;

/// Names and pairs of names that are remembered as reported; then it begins to remember again, and a table may see one
/// of them reported once more.
const MOST_REPORTED: usize = 1_024;

/// What a name shows, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Odd {
    /// It looks like this other one.
    Like(Name),
    /// There are too many to compare them.
    TooMany,
    /// It holds characters that are not seen.
    Unseen,
}

/// Names that have one look.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Look {
    /// One spelling of each person. Nobody is added once they are alike.
    known: Vec<(Name, Person)>,
    /// Whether they are not all one person's, nor all printable ASCII.
    alike: bool,
}

/// The names of a table.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Looks {
    spellings: BTreeSet<Name>,
    /// Whether one of them is not printable ASCII. Before, nothing is compared.
    foreign: bool,
    /// Whether there were more than are kept.
    full: bool,
    looks: BTreeMap<CompactString, Look>,
    alike: BTreeSet<Person>,
    /// Names with characters that are not seen, as they are written, and pairs of people.
    reported: BTreeSet<(CompactString, Option<CompactString>)>,
}

impl Looks {
    /// Another shoe is loaded: only names of people who sit are kept.
    pub(crate) fn new_shoe(&mut self, sits: impl Fn(&Person) -> bool) {
        let before = std::mem::take(self);
        self.reported = before.reported;
        for name in before.spellings.iter().filter(|name| sits(&Person::from(*name))) {
            self.compare(name);
        }
    }

    /// Whether no name looks like another.
    pub(crate) fn is_plain(&self) -> bool {
        self.alike.is_empty() && !self.is_crowded()
    }

    /// Whether another name of the table looks like one of this person's.
    pub(crate) fn is_alike(&self, person: &Person) -> bool {
        self.alike.contains(person) || self.is_crowded()
    }

    const fn is_crowded(&self) -> bool {
        self.full && self.foreign
    }

    /// Takes the name of a thing; returns what is odd about it and was not reported yet.
    pub(crate) fn see_thing(&mut self, name: &Name) -> Vec<Odd> {
        let odd = names::has_unseen(name.as_str()) && self.is_new((name.as_str().into(), None));
        odd.then_some(Odd::Unseen).into_iter().collect()
    }

    /// Takes a person's name; returns what is odd about it and was not reported yet.
    pub(crate) fn see(&mut self, name: &Name) -> Vec<Odd> {
        let mut odd = self.see_thing(name);
        let crowded = self.is_crowded();
        if let Some(other) = self.compare(name) {
            let mut pair = [name, &other].map(|name| CompactString::from(Person::from(name).as_str()));
            pair.sort_unstable();
            let [one, two] = pair;
            if self.is_new((one, Some(two))) {
                odd.push(Odd::Like(other));
            }
        }
        if self.is_crowded() && !crowded {
            odd.push(Odd::TooMany);
        }
        odd
    }

    fn is_new(&mut self, found: (CompactString, Option<CompactString>)) -> bool {
        if self.reported.len() >= MOST_REPORTED {
            self.reported.clear();
        }
        self.reported.insert(found)
    }

    /// Compares a spelling that is new with all others; returns one that looks like it.
    fn compare(&mut self, name: &Name) -> Option<Name> {
        if self.spellings.contains(name) {
            return None;
        }
        let foreign = !names::is_printable_ascii(name.as_str());
        if self.spellings.len() >= MOST {
            self.full = true;
            self.foreign |= foreign;
            return None;
        }
        self.spellings.insert(name.clone());
        if !foreign && !self.foreign {
            return None;
        }
        if !self.foreign {
            self.foreign = true;
            let plain: Vec<Name> = self.spellings.iter().filter(|other| *other != name).cloned().collect();
            plain.iter().for_each(|other| drop(self.look_at(other)));
        }
        self.look_at(name)
    }

    fn look_at(&mut self, name: &Name) -> Option<Name> {
        let person = Person::from(name);
        let plain = |name: &Name| names::is_printable_ascii(name.as_str());
        let [one, two] = names::looks(name.as_str());
        let mut like = None;
        for look in [Some(&one), Some(&two).filter(|two| **two != one)].into_iter().flatten() {
            let Look { known, alike } = self.looks.entry(look.into()).or_default();
            let differs = |(other, of): &&(Name, Person)| *of != person && !(plain(name) && plain(other));
            if *alike || known.iter().any(|known| differs(&known)) {
                *alike = true;
                self.alike.extend(known.iter().map(|(_, person)| person.clone()));
                self.alike.insert(person.clone());
                let other = known.iter().find(|(_, of)| *of != person).map(|(other, _)| other.clone());
                like = like.or(other);
                known.truncate(2);
            } else if !known.iter().any(|(other, of)| *of == person && plain(other) == plain(name)) {
                known.push((name.clone(), person.clone()));
            }
        }
        like
    }
}

/// The code points of these names that are `odd`, each once.
pub(crate) fn characters<'a>(
    of: impl IntoIterator<Item = &'a Name>,
    odd: impl Fn(char) -> bool,
) -> All<Box<str>> {
    let mut all: Vec<char> =
        of.into_iter().flat_map(|name| name.as_str().chars()).filter(|c| odd(*c)).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(|c| format!("U+{:04X}", c as u32).into()).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests {
    use super::*;

    fn name(text: &str) -> Name {
        text.parse().unwrap()
    }

    fn is_alike(looks: &Looks, text: &str) -> bool {
        looks.is_alike(&Person::from(&name(text)))
    }

    #[test]
    fn a_pair_is_reported_once_and_both_are_alike() {
        let mut looks = Looks::default();
        assert!(looks.see(&name("Ana")).is_empty() && looks.is_plain());
        assert_eq!(looks.see(&name("\u{410}na")), [Odd::Like(name("Ana"))]);
        assert!(looks.see(&name("\u{410}NA")).is_empty(), "the same person again");
        assert!(is_alike(&looks, "ana") && is_alike(&looks, "\u{410}na") && !is_alike(&looks, "Berta"));
        looks.new_shoe(|_| true);
        assert!(is_alike(&looks, "ana") && looks.see(&name("Ana")).is_empty());
        looks.new_shoe(|person| person.as_str() == "ana");
        assert!(looks.is_plain());
    }

    #[test]
    fn spellings_of_one_name_and_two_names_in_ascii_are_not_alike() {
        let mut looks = Looks::default();
        for text in ["Jos\u{e9}", "Jose\u{301}", "JOS\u{c9}", "Jose", "IO", "l0", "10", "\u{ff29}\u{ff2f}"] {
            let odd = looks.see(&name(text));
            // The last is `IO` in full width, which is not ASCII and looks like `l0`.
            assert_eq!(odd.is_empty(), text != "\u{ff29}\u{ff2f}", "{text} {odd:?}");
        }
    }

    #[test]
    fn a_third_that_looks_like_two_others_is_alike_as_well() {
        let mut looks = Looks::default();
        ["lo", "io", "l\u{43e}", "1o", "|o"].iter().for_each(|text| drop(looks.see(&name(text))));
        for text in ["lo", "l\u{43e}", "1o", "|o"] {
            assert!(is_alike(&looks, text), "{text}");
        }
    }

    #[test]
    fn what_is_unseen_is_reported_once() {
        let mut looks = Looks::default();
        assert_eq!(looks.see(&name("a\u{200d}b")), [Odd::Unseen]);
        assert!(looks.see(&name("a\u{200d}b")).is_empty());
    }

    /// Whoever writes names without end does not make the judge forget one quietly.
    #[test]
    fn with_too_many_names_nobody_is_known_not_to_be_another() {
        let mut looks = Looks::default();
        for number in 0..MOST {
            assert!(looks.see(&name(&format!("player-{number}"))).is_empty());
        }
        assert!(looks.see(&name("one-more")).is_empty() && looks.is_plain(), "all are ASCII");
        assert_eq!(looks.see(&name("\u{410}na")), [Odd::TooMany]);
        assert!(looks.see(&name("\u{410}na")).is_empty() && is_alike(&looks, "player-1"));
    }

    #[test]
    fn what_is_remembered_as_reported_has_a_limit() {
        let mut looks = Looks::default();
        for number in 0..3 * MOST_REPORTED {
            assert_eq!(looks.see(&name(&format!("\u{200d}{number}"))).first(), Some(&Odd::Unseen));
            assert!(looks.reported.len() <= MOST_REPORTED);
        }
    }
}
