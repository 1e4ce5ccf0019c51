//! What this program says stands in `crates/texts`, in English and in Spanish. No other sentence stands in its sources,
//! but for those named here with the reason.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

/// Where a sentence may stand: a file or a folder, how the sentence begins, and why it has no Spanish.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("machine.rs", "zstd returned null pointer", "what zstd says when it gets no memory"),
    ("errors", "", "it says the errors of libraries in Spanish; their English is the libraries' own"),
    (
        "cli/events.rs",
        "\\\nThe first line of the file names the columns",
        "help: its Spanish is in crates/texts",
    ),
    ("cli/served.rs", "Served logs", "a heading of help: its Spanish is in help.rs"),
    ("cli/fleet.rs", "Fleet servers", "a heading of help: its Spanish is in help.rs"),
    ("help.rs", "Served logs", "it is replaced by its Spanish"),
    ("help.rs", "Fleet servers", "it is replaced by its Spanish"),
    ("help.rs", "Servidores de la flota", "it is the Spanish"),
    ("help.rs", "Registros servidos", "it is the Spanish"),
    ("help.rs", "por omisión", "it is the Spanish"),
    ("help.rs", "error: {text}", "a word of both languages"),
    ("help.rs", " is not in ", "clap's words, to be recognized"),
    ("machine.rs", "(os error ", "the standard library's words, to be recognized"),
    ("render/printed/html.rs", "", "markup, and a language's own words for a page"),
    ("render/finding.rs", "", "a notice of an erasure is sealed, in English whoever erases"),
    ("render/health.rs", "the service requires a token", "JSON is in English"),
    ("commands/demo.rs", "audit demo: ", "what a mistake of this program is"),
    ("commands/demo/made.rs", "", "bytes of a key, command lines, and what a mistake of this program is"),
    ("commands/demo/shown.rs", "", "command lines, and what a mistake of this program is"),
    ("help/page.rs", "", "both languages, one page each"),
    ("commands/import.rs", "imported from a list of coups", "an event is sealed, in English whoever imports"),
    ("commands/release.rs", "audit release, format 1", "the first line of a format"),
    ("commands/serve.rs", "the stop took too long", "a service's own log is in English"),
    ("commands/serve/partition.rs", "", "a service's own log is in English"),
    ("site.rs", "the servers do not say how the fleet is", "a service's own log is in English"),
    ("commands/explain.rs", "audit ", "a command line"),
    ("commands/ingest.rs", "audit ingest ", "a command line"),
    ("commands/schema.rs", "audit ", "a command line"),
    ("render/sample.rs", "audit show coup ", "a command line"),
];

/// Ways to print a sentence, or to end with one.
const SAYS: [&str; 5] =
    ["Failure::", "output::note(", "output::error_line(", "progress::counter(", "set_message("];

/// A source file without its tests: its literals, and its code with blanks in their places.
struct Source {
    code: Vec<char>,
    literals: Vec<(usize, String)>,
}

impl Source {
    fn of(text: &str) -> Self {
        let text: Vec<char> = text.split("#[cfg(test)]\nmod tests").next().unwrap().chars().collect();
        let mut source = Self { code: text.clone(), literals: Vec::new() };
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let end = at
                + match rest {
                    ['/', '/', ..] => rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
                    ['"', ..] => text_length(rest),
                    ['r', '"', ..] | ['r', '#', '"', ..] => raw_length(rest),
                    ['\'', '\\', ..] => 2 + rest.iter().skip(3).position(|c| *c == '\'').unwrap() + 2,
                    ['\'', _, '\'', ..] => 3,
                    _ => {
                        at += 1;
                        continue;
                    }
                };
            if !rest.starts_with(&['/']) && !rest.starts_with(&['\'']) {
                let literal: String = text[at..end].iter().collect();
                let within = literal.find('"').unwrap() + 1..literal.rfind('"').unwrap();
                source.literals.push((at, literal[within].to_owned()));
            }
            source.code[at..end].fill(' ');
            at = end;
        }
        source
    }

    /// Literals that read as a sentence, but for the reasons that lints are allowed for.
    fn sentences(&self) -> impl Iterator<Item = &(usize, String)> {
        let of_lint = |at: usize| {
            let before: String = self.code[at.saturating_sub(40)..at].iter().collect();
            before.trim_end().ends_with("reason =")
        };
        self.literals.iter().filter(move |(at, text)| has_two_words(text) && !of_lint(*at))
    }

    /// Literals with any word, in what is printed or ended with.
    fn words_said(&self) -> Vec<&str> {
        let code: String = self.code.iter().map(|c| if c.is_ascii() { *c } else { ' ' }).collect();
        let mut found = Vec::new();
        for (start, says) in SAYS.iter().flat_map(|says| code.match_indices(says)) {
            let name = code[start + says.trim_end_matches('(').len()..].find(|c: char| !is_of_name(c));
            let open = start + says.trim_end_matches('(').len() + name.unwrap_or(0);
            if !code[open..].starts_with('(') {
                continue;
            }
            let end = open + call_length(&code[open..]);
            let within = self.literals.iter().filter(|(at, _)| (open..end).contains(at));
            found.extend(within.map(|(_, text)| text.as_str()).filter(|text| has_a_word(text)));
        }
        found
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Length of a text in quotation marks.
fn text_length(rest: &[char]) -> usize {
    let mut at = 1;
    while rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// Length of a raw text.
fn raw_length(rest: &[char]) -> usize {
    let hashes = rest.iter().skip(1).take_while(|c| **c == '#').count();
    let mut end = vec!['"'];
    end.extend(vec!['#'; hashes]);
    let body = &rest[2 + hashes..];
    2 + hashes + body.windows(end.len()).position(|window| window == end).unwrap() + end.len()
}

/// Length of what stands in parentheses, with them.
fn call_length(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    code.len()
}

fn is_word(word: &str) -> bool {
    word.len() > 1 && word.chars().all(char::is_alphabetic) && word.chars().skip(1).all(char::is_lowercase)
}

/// Two words side by side.
fn has_two_words(text: &str) -> bool {
    let words: Vec<&str> =
        text.split([' ', '\n']).map(|word| word.trim_matches([',', ';', ':', '.', '(', ')'])).collect();
    words.windows(2).any(|pair| pair.iter().all(|word| is_word(word)))
}

/// A word that is neither the name of an option nor of what is put in.
fn has_a_word(text: &str) -> bool {
    let outside: String =
        text.split('{').map(|part| part.split_once('}').map_or(part, |(_, after)| after)).collect();
    outside.split([' ', ':', ';', ',', '.']).any(|word| !word.starts_with("--") && is_word(word))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// How an allowed sentence may be the one found.
fn allows((file, begins, _): &(&str, &str, &str), found_in: &str, text: &str) -> bool {
    (found_in == *file || found_in.starts_with(&format!("{file}/"))) && text.starts_with(begins)
}

#[test]
fn no_sentence_is_in_english_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut paths, mut wrong, mut used) = (Vec::new(), Vec::new(), vec![false; ALLOWED.len()]);
    files(&root, &mut paths);
    paths.sort();
    for path in &paths {
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
        let source = Source::of(&fs::read_to_string(path).unwrap());
        let sentences = source.sentences().map(|(_, text)| text.as_str());
        for text in sentences.chain(source.words_said()) {
            match ALLOWED.iter().position(|allowed| allows(allowed, name, text)) {
                Some(at) => used[at] = true,
                None => wrong.push(format!("{name}: {text}")),
            }
        }
    }
    assert_eq!(wrong, [""; 0], "put them into crates/texts, in both languages");
    let unused: Vec<&str> =
        ALLOWED.iter().zip(used).filter(|(_, used)| !used).map(|((file, ..), _)| *file).collect();
    assert_eq!(unused, [""; 0], "allowed, and not there");
    assert!(paths.len() > 80, "{}", paths.len());
}

#[test]
fn a_sentence_is_found_wherever_it_stands() {
    let sentences = |text: &str| -> Vec<String> {
        let source = Source::of(text);
        let said: Vec<String> = source.words_said().into_iter().map(str::to_owned).collect();
        source.sentences().map(|(_, text)| text.clone()).chain(said).collect()
    };
    for (text, found) in [
        ("let what = \"is no file\";", "is no file"),
        ("let what = r#\"is no \"file\"\"#;", "is no \"file\""),
        ("Err(Failure::usage(format!(\n    \"{name}: missing\"\n)))", "{name}: missing"),
        ("output::note(&format!(\"written {name}\"));", "written {name}"),
        ("let c = '\"'; let what = \"is no file\";", "is no file"),
        ("let c = '\\''; let what = \"is no file\";", "is no file"),
    ] {
        assert_eq!(sentences(text), [found], "{text}");
    }
    for text in [
        "// it says \"is no file\"",
        "Failure::usage(format!(\"--listen {listen}: {}\", said(&error)))",
        "Failure::file(\"--receipts\", &error)",
        "#[allow(dead_code, reason = \"it is never made\")]",
        "#[cfg(test)]\nmod tests { const WHAT: &str = \"is no file\"; }",
        "format!(\"{name} {what}\")",
    ] {
        assert_eq!(sentences(text), [""; 0], "{text}");
    }
}
