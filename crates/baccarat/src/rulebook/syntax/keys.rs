//! What is wrong with a key or a heading of a text that is no TOML: spaces and accents in it, or that it stands twice.

use crate::sentence::{Sentence, sentence};

/// Longest key that is quoted, in characters.
const MOST: usize = 80;

/// Something to say of a key.
pub(super) struct OfKey {
    /// The byte at which the key begins.
    pub(super) start: usize,
    /// The key as it is written.
    pub(super) key: String,
    pub(super) sentence: Sentence,
}

/// The line of a byte: where it begins, and its text, with the carriage return at its end if it has one. The byte lies in
/// it, or is its end.
fn line_of(text: &str, byte: usize) -> Option<(usize, &str)> {
    let start = text.get(..byte)?.rfind('\n').map_or(0, |at| at + 1);
    Some((start, text[start..].split('\n').next().unwrap_or_default()))
}

/// Whether a byte is in a heading's line.
pub(super) fn in_heading(text: &str, byte: usize) -> bool {
    line_of(text, byte).is_some_and(|(_, line)| line.trim_start().starts_with('['))
}

/// The name in a heading: `bets.tie` of `[bets.tie]`.
fn heading(line: &str) -> Option<&str> {
    let inner = line.trim_start().strip_prefix('[')?;
    let inner = inner.strip_prefix('[').unwrap_or(inner);
    Some(inner.split(']').next()?.trim())
}

/// The section of a byte: its name and the byte at which its heading's line ends; none before the first heading.
fn section(text: &str, byte: usize) -> (Option<&str>, usize) {
    let before = text.get(..byte).unwrap_or_default();
    let mut end = 0;
    let mut found = (None, 0);
    for line in before.split_inclusive('\n') {
        end += line.len();
        if let Some(name) = heading(line).filter(|_| line.ends_with('\n')) {
            found = (Some(name), end);
        }
    }
    found
}

/// Whether two bytes are in one section, the first of them in its heading.
pub(super) fn in_section_of(text: &str, heading: usize, byte: usize) -> bool {
    let end = text[heading..].find('\n').map(|length| heading + length + 1);
    end.is_some_and(|end| section(text, byte).1 == end)
}

/// A key with spaces or accents, which has to be written otherwise, if that is the mistake at this byte.
pub(super) fn no_bare_key(text: &str, byte: usize) -> Option<OfKey> {
    let (start, line) = line_of(text, byte)?;
    let (at, key, is_heading) = match heading(line) {
        Some(name) => (line.find(name)?, name, true),
        None => {
            let (at, key) = assigned(line, byte - start)?;
            (at, key, false)
        }
    };
    let is_word = |mark: char| mark.is_alphanumeric() || [' ', '\t', '-', '_', '.'].contains(&mark);
    let is_bare = |mark: char| mark.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&mark);
    if !key.chars().all(is_word) || key.chars().all(is_bare) || key.chars().count() > MOST {
        return None;
    }
    let of_citations = if is_heading { Some(key) } else { section(text, byte).0 };
    let of_citations = of_citations.is_some_and(|name| name.split('.').next() == Some("citations"));
    let written = |key: String| if is_heading { format!("[{key}]") } else { format!("{key} = ...") };
    let sentence = if of_citations {
        let (section, name) =
            key.split_once('.').filter(|_| is_heading).map_or(("", key), |(_, name)| ("citations.", name));
        let example = written(format!("{section}\"{name}\""));
        sentence!(
            "has a space or an accent in it and so needs quotes; write `{example}`",
            "lleva un espacio o un acento y por eso necesita comillas; escriba `{example}`"
        )
    } else {
        let example = written(bare(key));
        sentence!(
            "has a space or an accent in it, which no key has; write `{example}`",
            "lleva un espacio o un acento, que ninguna clave lleva; escriba `{example}`"
        )
    };
    Some(OfKey { start: start + at, key: key.to_owned(), sentence })
}

/// The key of the assignment in which a byte of a line lies, if it lies in the key: where it begins, and its text.
fn assigned(line: &str, mistake: usize) -> Option<(usize, &str)> {
    let (mut quote, mut begin) = (None, 0);
    for (at, mark) in line.char_indices() {
        match (quote, mark) {
            (None, '"' | '\'') => quote = Some(mark),
            (Some(open), _) if open == mark => quote = None,
            (None, '{' | ',') if at < mistake => begin = at + 1,
            (None, '=') if at >= mistake => {
                let key = &line[begin..at];
                return Some((begin + key.len() - key.trim_start().len(), key.trim()));
            }
            // The mistake lies in the value.
            (None, '=') if at > begin && at < mistake && !line[at..mistake].contains(['{', ',']) => {
                return None;
            }
            (None, '#') => return None,
            (None | Some(_), _) => {}
        }
    }
    None
}

/// The key as one of a rulebook would be written: `third-card` for `Third card`.
fn bare(key: &str) -> String {
    let plain = |mark: char| match mark {
        'á' | 'à' | 'â' | 'ä' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        ' ' | '\t' => '-',
        mark => mark,
    };
    key.to_lowercase().chars().map(plain).filter(char::is_ascii).collect()
}

/// Which key or section stands twice at this byte, and where it stands first.
pub(super) fn twice(text: &str, byte: usize) -> Option<OfKey> {
    let (start, line) = line_of(text, byte)?;
    let first_at = |from: usize, is_it: &dyn Fn(&str) -> bool| {
        let lines = text[from..start].lines().position(is_it)?;
        Some(text[..from].matches('\n').count() + lines + 1)
    };
    if let Some(name) = heading(line) {
        let sentence = match first_at(0, &|line| heading(line) == Some(name)) {
            Some(first) => sentence!(
                "is a section that stands twice: `[{name}]` is in line {first} already; write these keys there, and \
                 leave this heading out",
                "es una sección que está dos veces: `[{name}]` ya está en la línea {first}; escriba allí estas claves y \
                 quite este encabezado"
            ),
            None => sentence!(
                "stands twice, here as the section `[{name}]`; leave one of the two out",
                "está dos veces, aquí como la sección `[{name}]`; quite una de las dos"
            ),
        };
        return Some(OfKey { start: start + line.find('[')?, key: short(name), sentence });
    }
    let key: &str = text[byte..].split([' ', '\t', '=', '.', '}', ',', '\n']).next()?;
    let (section, from) = section(text, byte);
    let is_it = |line: &str| {
        let rest = line.trim_start().strip_prefix(key);
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let sentence = match first_at(from, &is_it) {
        Some(first) => sentence!(
            "stands twice, in line {first} already; leave one of the two out",
            "está dos veces, ya en la línea {first}; quite una de las dos"
        ),
        None => sentence!("stands twice; leave one of the two out", "está dos veces; quite una de las dos"),
    };
    let key = section.map_or_else(|| key.to_owned(), |section| format!("{section}.{key}"));
    Some(OfKey { start: byte, key: short(&key), sentence })
}

fn short(key: &str) -> String {
    key.chars().take(MOST).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::Rulebook;

    /// What is said of a text, in both languages.
    fn said(text: &str) -> [String; 2] {
        let error = Rulebook::from_toml("casa.toml", text).unwrap_err();
        [error.to_string(), error.in_spanish()]
    }

    #[test]
    fn a_key_with_spaces_or_accents_is_named_with_what_to_write() {
        for (text, place, written) in [
            ("[shoe]\nthird card = 3\n", "2:1: `third card`", "`third-card = ...`"),
            ("[shoe]\n  Número de barajas = [8]\n", "2:3: `Número de barajas`", "`numero-de-barajas = ...`"),
            ("[cut card]\ncards-behind = 7\n", "1:2: `cut card`", "`[cut-card]`"),
            ("[bets.Empate a seis]\ntitle = \"x\"\n", "1:2: `bets.Empate a seis`", "`[bets.empate-a-seis]`"),
            ("[citations]\ncasa 1 = { source = \"s\" }\n", "2:1: `casa 1`", "`\"casa 1\" = ...`"),
            ("[citations.casa 1]\nsource = \"s\"\n", "1:2: `citations.casa 1`", "`[citations.\"casa 1\"]`"),
            (
                "[bets.tie]\nrows = [{ banca total = 6, pays = \"8:1\" }]\n",
                "2:11: `banca total`",
                "`banca-total = ...`",
            ),
            (
                "[bets.tie]\nrows = [{ winner = \"tie\", banca total = 6 }]\n",
                "2:27: `banca total`",
                "`banca-total = ...`",
            ),
        ] {
            for said in said(text) {
                assert!(said.starts_with(&format!("casa.toml:{place} ")), "{text}{said}");
                assert!(said.contains(written), "{text}{said}");
                assert_eq!(said.lines().count(), 1, "{text}{said}");
            }
        }
        // A mistake in the value is none of the key.
        assert!(!said("[shoe]\ndecks = [8 6]\n")[0].contains("space"));
    }

    #[test]
    fn what_stands_twice_is_named_with_the_line_where_it_stands_first() {
        for (text, start, line) in [
            ("id = \"x\"\n[shoe]\ndecks = [8]\n\n[shoe]\nreuse = true\n", "5:1: `shoe` ", Some(2)),
            ("[bets.tie]\ncap = \"1/10\"\n[bets.tie]\ncap = \"1/9\"\n", "3:1: `bets.tie` ", Some(1)),
            ("[shoe]\ndecks = [8]\ndecks = [6]\n", "3:1: `shoe.decks` ", Some(2)),
            ("title = \"x\"\nid = \"x\"\ntitle = \"y\"\n", "3:1: `title` ", Some(1)),
            ("[bets]\ntie = { title = \"a\" }\n[bets.tie]\ncap = \"1/10\"\n", "3:1: `bets.tie` ", None),
        ] {
            let [english, spanish] = said(text);
            assert!(english.starts_with(&format!("casa.toml:{start}")), "{text}{english}");
            assert_eq!(english.lines().count(), 1, "{text}{english}");
            if let Some(line) = line {
                assert!(english.contains(&format!("in line {line} already")), "{text}{english}");
                assert!(spanish.contains(&format!("la línea {line}")), "{text}{spanish}");
            }
        }
        // Below a heading that is not read, a key seems to stand twice and does not.
        let [english, _] = said("title = \"x\"\n[bets.Empate a seis]\ntitle = \"x\"\n");
        assert_eq!(english.lines().count(), 1, "{english}");
    }

    /// A text that ends in a carriage return, or has a quote too many before one.
    #[test]
    fn lines_of_windows_may_be_cut_or_broken_anywhere() {
        let text =
            "id = \"casa\"\r\n\r\n[shoe]\r\ndecks = [6, 8]\r\n[bets.tie]\r\nrows = [{ winner = \"ñ\" }]\r\n";
        let [open, _] = said("id = \"\r\n\nintact\n");
        assert!(open.starts_with("casa.toml:"), "{open}");
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let (before, behind) = text.split_at(at);
            for broken in [before.to_owned(), format!("{before}\"{behind}"), format!("{before}\r{behind}")] {
                if let Err(error) = crate::rulebook::syntax::table("casa.toml", &broken) {
                    assert!(error.to_string().starts_with("casa.toml:"), "{broken:?}: {error}");
                }
            }
        }
    }
}
