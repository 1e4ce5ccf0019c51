//! Spellings of one name, names that look alike, and the published tables.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

use super::*;

fn alike(one: &str, other: &str) -> bool {
    let looks_of_other = looks(other);
    looks(one).iter().any(|look| looks_of_other.contains(look))
}

/// A name of an honest table, and ways to write it that people cannot tell from it.
#[test]
fn every_spelling_of_a_name_is_that_name() {
    let names = ["José Núñez", "Strauß", "Σίσυφος", "Ana de la O", "oﬃce 1", "Ángel ½", "한글", "İpek", "ᾳΰ"];
    for name in names {
        let composed: String = name.nfc().collect();
        let spellings = [
            name.nfd().collect(),
            name.nfkc().collect(),
            name.nfkd().collect(),
            name.to_lowercase(),
            name.to_uppercase(),
            name.to_uppercase().nfd().collect(),
            format!(" {name}\u{a0}"),
            name.replace(' ', "\u{3000} "),
            name.chars().flat_map(|c| [c, '\u{200b}']).collect(),
            format!("\u{feff}{name}\u{ad}"),
            name.chars().map(full_width).collect::<String>(),
        ];
        for spelling in spellings {
            assert_eq!(fold(&spelling), fold(&composed), "{name}: {spelling:?}");
        }
        assert_eq!(fold(&fold(name)), fold(name), "{name}");
    }
}

fn full_width(c: char) -> char {
    match c {
        '!'..='~' => char::from_u32(c as u32 + 0xfee0).unwrap(),
        _ => c,
    }
}

#[test]
fn one_name_is_not_another() {
    for (one, other) in [
        ("José", "Jose"),
        ("Núñez", "Nunez"),
        ("Ana de la O", "Anade la O"),
        ("jefe-1", "jefe-11"),
        ("Ana", "Ana O"),
        ("Анна", "Anna"),
        ("ø", "o"),
        ("ı", "i"),
    ] {
        assert_ne!(fold(one), fold(other), "{one} {other}");
    }
}

#[test]
fn names_are_written_composed_in_small_letters_with_single_blanks() {
    for (name, folded) in [
        ("Ana  Ruiz", "ana ruiz"),
        (" ana", "ana"),
        ("ana ", "ana"),
        ("P-7", "p-7"),
        ("N\u{303}ico", "ñico"),
        ("a\u{a0} b", "a b"),
        ("ẞ", "ss"),
        ("ß", "ss"),
        ("ΣΑΣ", "σασ"),
        ("σας", "σασ"),
        ("ﬁ", "fi"),
        ("\u{1d400}\u{200d}", "a"),
        ("a\tb", "a b"),
    ] {
        assert_eq!(fold(name), folded, "{name}");
    }
}

/// Of such a name nothing would be left: then any of them would be any other.
#[test]
fn a_name_that_folds_to_nothing_is_its_bytes() {
    for name in ["\u{200b}", "\u{200b}\u{200b}", "\u{ad}", " ", "  ", "\u{3000}", "\u{115f}"] {
        assert_eq!(fold(name), name);
    }
}

#[test]
fn names_that_look_alike_do_and_their_neighbours_do_not() {
    for (one, other) in [
        ("Ana", "\u{410}na"),
        ("Ana", "An\u{430}"),
        ("MARTA", "\u{39c}arta"),
        ("ana", "\u{13aa}na"),
        ("jefe", "jefe\u{2800}"),
        ("jefe", "je\u{fff9}fe"),
        ("jefe", "jefe\u{1}"),
        ("Ivan", "\u{4c0}van"),
        ("lv\u{430}n", "Ivan"),
        ("D\u{41e}", "d0"),
        ("D1", "\u{13a0}1"),
        ("\u{200b}", "\u{200b}\u{200b}"),
    ] {
        assert_ne!(fold(one), fold(other), "{one} {other:?}");
        assert!(alike(one, other) && alike(other, one), "{one} {other:?}");
        assert!(!(is_printable_ascii(one) && is_printable_ascii(other)));
    }
    for (one, other) in [("José", "Jose"), ("Ana", "Anna"), ("Nuño", "Nuno"), ("Анна", "Anna"), ("A1", "A2")]
    {
        assert!(!alike(one, other), "{one} {other}");
    }
}

#[test]
fn ids_of_tables_that_look_alike_are_listed() {
    let of = |ids: &[&str]| look_alike_tables(ids);
    let ids = ["PB-01", "pb-01", "PB-O1", "PB-02", "CF-l", "CF-I", "CF-2", "rn", "m"];
    let groups: [&[&str]; 3] = [&["CF-I", "CF-l"], &["PB-01", "PB-O1", "pb-01"], &["m", "rn"]];
    assert_eq!(of(&ids), groups);
    assert!(of(&["PB-01", "PB-02", "PB-11", "PB-10"]).is_empty());
    let many: Vec<String> =
        (0..500).map(|number| format!("{}{}", "a".repeat(number / 4 + 1), number % 4)).collect();
    assert!(of(&many.iter().map(String::as_str).collect::<Vec<_>>()).is_empty());
    let many: Vec<String> =
        (0..500).flat_map(|number| [format!("a{number}"), format!("A{number}")]).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(of(&many).len(), MOST_LISTED);
    // Those that come first by name, in whatever order the ids are given.
    assert_eq!((of(&many)[0][0].as_str(), of(&many)[99][0].as_str()), ("A0", "A188"));
    assert_eq!(of(&many), of(&many.iter().copied().rev().collect::<Vec<_>>()));
    assert!(of(&["PB-01", "PB-01"]).is_empty(), "one id twice");
}

#[test]
fn what_is_unseen_is_a_control_a_format_character_or_never_shown() {
    for name in ["a\u{1}", "a\u{7f}", "\u{85}", "a\u{200d}b", "\u{202e}abc", "\u{ad}", "\u{e0041}"] {
        assert!(has_unseen(name), "{name:?}");
    }
    // Neither Cc nor Cf: fillers of Hangul, a joiner, selectors of variations.
    for name in ["Ana\u{3164}", "A\u{34f}na", "Ana\u{fe0f}", "Ana\u{e0100}", "\u{115f}Ana", "\u{ffa0}"] {
        assert!(has_unseen(name), "{name:?}");
    }
    for name in ["Ana", "José", "e\u{301}", "\u{3000}", "\u{2800}", "\u{1100}", "한"] {
        assert!(!has_unseen(name), "{name:?}");
    }
}

/// The tables of `docs/names.txt`, used as `docs/judging.md` says: a judge that has no library.
#[derive(Default)]
struct Published {
    sections: BTreeMap<String, BTreeMap<char, String>>,
}

fn hexadecimal(text: &str) -> char {
    char::from_u32(u32::from_str_radix(text, 16).unwrap()).unwrap()
}

impl Published {
    fn read(text: &str) -> Self {
        let (mut sections, mut section) = (BTreeMap::<String, BTreeMap<char, String>>::new(), String::new());
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = name.to_owned();
                continue;
            }
            let (codes, value) = line.split_once(' ').unwrap_or((line, ""));
            let (first, last) = codes.split_once("..").unwrap_or((codes, codes));
            let rows = sections.entry(section.clone()).or_default();
            let is_class = section == "class";
            let texts = || value.split_whitespace().map(hexadecimal).collect();
            let value: String = if is_class { value.to_owned() } else { texts() };
            rows.extend((hexadecimal(first)..=hexadecimal(last)).map(|c| (c, value.clone())));
        }
        Self { sections }
    }

    fn map(&self, section: &str, text: &str) -> String {
        let rows = &self.sections[section];
        text.chars().map(|c| rows.get(&c).cloned().unwrap_or_else(|| c.into())).collect()
    }

    fn class(&self, c: char) -> u8 {
        self.sections["class"].get(&c).map_or(0, |class| class.parse().unwrap())
    }

    /// Without what is never seen, decomposed, with combining marks in their order.
    fn decomposed(&self, text: &str) -> String {
        let ignorable = &self.sections["ignorable"];
        let seen: String = text.chars().filter(|c| !ignorable.contains_key(c)).collect();
        let hangul = |c: char| match c as u32 {
            0xac00..=0xd7a3 => {
                let index = c as u32 - 0xac00;
                let parts = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11a7 + index % 28];
                parts.into_iter().filter(|part| *part != 0x11a7).filter_map(char::from_u32).collect()
            }
            _ => c.to_string(),
        };
        let mut all: Vec<char> = Vec::new();
        for c in self.map("canonical", &seen).chars().flat_map(|c| hangul(c).chars().collect::<Vec<_>>()) {
            let class = self.class(c);
            let behind = |before: &char| class == 0 || self.class(*before) <= class;
            let at = all.iter().rposition(behind).map_or(0, |at| at + 1);
            all.insert(at, c);
        }
        all.into_iter().collect()
    }

    fn mapped(&self, section: &str, text: &str) -> String {
        self.decomposed(&self.map(section, &self.decomposed(text)))
    }

    fn blanks(text: &str) -> String {
        let blank = |c: char| matches!(c as u32, 0x9..=0xd | 0x20 | 0x85 | 0xa0 | 0x1680 | 0x2000..=0x200a | 0x2028 | 0x2029 | 0x202f | 0x205f | 0x3000);
        text.split(blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    fn fold(&self, name: &str) -> String {
        let folded = Self::blanks(&self.mapped("fold", name));
        if folded.is_empty() { name.to_owned() } else { folded }
    }

    fn looks(&self, name: &str) -> [String; 2] {
        let unseen = &self.sections["unseen"];
        let seen: String = name.chars().filter(|c| !unseen.contains_key(c)).collect();
        [self.mapped("fold", &seen), self.mapped("fold", &self.mapped("look", &seen))]
            .map(|folded| Self::blanks(&self.mapped("fold", &self.mapped("look", &folded))))
    }
}

fn page() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/names.txt")
}

const HEAD: &str = "\
# How names are compared: the tables of Unicode 18.0.0 that docs/judging.md (\"Names\") uses.
# Made by a test from the tables that the judge uses; a row is a code point, or a range of them, in
# hexadecimal, and what it stands for in its section:
#   ignorable  it is never seen (Default_Ignorable_Code_Point)
#   unseen     nobody sees it (General_Category Cc or Cf, or Default_Ignorable_Code_Point)
#   class      its Canonical_Combining_Class, decimal, where that is not 0
#   canonical  its full canonical decomposition, but for Hangul syllables
#   fold       its NFKC_Casefold, fully decomposed, where it has no canonical decomposition
#   look       its prototype (UTS #39, confusables.txt), fully decomposed, where it has no canonical decomposition
";

fn tables() -> String {
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    let every = || ('\0'..=char::MAX).map(|c| (c, c.to_string()));
    let decomposed = |text: &str| text.nfd().collect::<String>();
    let is_syllable = |c: char| ('\u{ac00}'..='\u{d7a3}').contains(&c);
    let base = |text: &String, c: char| decomposed(text) == *text && !ignorable.contains(c);
    let codes = |text: &str| text.chars().map(|c| format!("{:04X}", c as u32)).collect::<Vec<_>>().join(" ");
    let changed = |of: &dyn Fn(&str) -> String| {
        every()
            .filter(|(c, text)| base(text, *c))
            .map(|(c, text)| (c, of(&text), text))
            .filter(|(_, other, text)| other != text)
            .map(|(c, other, _)| (c, codes(&other)))
            .collect::<Vec<_>>()
    };
    let is = |what: &dyn Fn(char) -> bool| {
        every().filter(|(c, _)| what(*c)).map(|(c, _)| (c, String::new())).collect::<Vec<_>>()
    };
    let class = |c: char| canonical_combining_class(c);
    let sections = [
        ("ignorable", is(&|c| ignorable.contains(c))),
        ("unseen", is(&is_unseen)),
        ("class", every().filter(|(c, _)| class(*c) > 0).map(|(c, _)| (c, class(c).to_string())).collect()),
        (
            "canonical",
            every()
                .filter(|(c, text)| !is_syllable(*c) && decomposed(text) != *text)
                .map(|(c, text)| (c, codes(&decomposed(&text))))
                .collect(),
        ),
        ("fold", changed(&case_folded)),
        ("look", changed(&|text| skeleton(text).collect())),
    ];
    let mut page = HEAD.to_owned();
    for (name, rows) in sections {
        writeln!(page, "\n[{name}]").unwrap();
        for run in
            rows.chunk_by(|(one, value), (next, other)| value == other && *one as u32 + 1 == *next as u32)
        {
            let ((first, value), (last, _)) = (&run[0], run.last().unwrap());
            let range = match first == last {
                true => format!("{:04X}", *first as u32),
                false => format!("{:04X}..{:04X}", *first as u32, *last as u32),
            };
            writeln!(page, "{}", format!("{range} {value}").trim_end()).unwrap();
        }
    }
    page
}

/// `UPDATE_NAMES=1 cargo test -p replay --lib names` writes the page. A change of it changes who is who: it is a
/// change of judging.
#[test]
fn the_published_tables_are_those_of_the_judge() {
    let tables = tables();
    if std::env::var_os("UPDATE_NAMES").is_some() {
        std::fs::write(page(), &tables).unwrap();
    }
    assert!(std::fs::read_to_string(page()).unwrap() == tables, "docs/names.txt is not what the judge uses");
    for version in [unicode_normalization::UNICODE_VERSION.0.into(), unicode_security::UNICODE_VERSION.0] {
        assert_eq!(UNICODE, format!("{version}.0.0"));
    }
}

/// Every character that the tables name and many that they do not, and every three of those that make names differ,
/// compared with and without a library.
#[test]
fn the_published_tables_fold_every_name_as_the_judge_does() {
    let published = Published::read(&std::fs::read_to_string(page()).unwrap());
    let agrees = |name: &str| {
        let decomposed = |text: String| text.nfd().collect::<String>();
        let is_nothing = tidy(&case_folded(name)).is_empty();
        let folded = if is_nothing { fold(name) } else { decomposed(fold(name)) };
        assert_eq!(published.fold(name), folded, "{name:?}");
        assert_eq!(published.looks(name), looks(name), "{name:?}");
    };
    let ignorable = &published.sections["ignorable"];
    let named = published.sections.values().flat_map(BTreeMap::keys).filter(|c| !ignorable.contains_key(c));
    named.copied().chain(('\0'..=char::MAX).step_by(101)).for_each(|c| agrees(&c.to_string()));
    let odd = [
        'A',
        ' ',
        'é',
        '\u{301}',
        '\u{323}',
        '\u{345}',
        '\u{34f}',
        'ẞ',
        'ς',
        'ᾳ',
        'İ',
        'ﬁ',
        'Ａ',
        '\u{200b}',
        '\u{a0}',
        '\u{a8}',
        '한',
        '\u{1100}',
        '\u{1161}',
        '\u{430}',
        '\u{1}',
        '\u{105d2}',
        '\u{307}',
    ];
    for one in odd {
        for two in odd {
            odd.iter().for_each(|three| agrees(&String::from_iter([one, two, *three])));
        }
    }
}

/// Each character of ASCII looks like itself whatever stands beside it, so its looks are worked out once.
#[test]
fn looks_of_ascii_are_those_of_its_characters() {
    let of_all = |name: &str| looks_of_seen(name).map(|look| tidy(&look));
    let printable: Vec<char> = (' '..='~').collect();
    for one in &printable {
        for other in &printable {
            for name in [format!("{one}{other}"), format!("{other}a{one} {other}m{one}")] {
                assert_eq!(looks(&name), of_all(&name), "{name:?}");
            }
        }
    }
    let all: String = printable.iter().collect();
    assert_eq!(looks(&all), of_all(&all));
}
