//! `audit verify LOG` is `audit verify log LOG`: what people try first works.

use std::ffi::OsString;

/// What else can follow `verify`.
const NAMED: [&str; 7] = ["log", "fleet", "proof", "checkpoint", "help", "--help", "-h"];
/// Options of every command that take a value.
const WITH_VALUE: [&str; 2] = ["--lang", "--color"];

/// The arguments with the word `log` where `verify` is followed by something else than what it verifies.
pub(crate) fn completed(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let mut at = 1;
    while let Some(argument) = arguments.get(at).and_then(|argument| argument.to_str()) {
        match argument {
            "verify" => break,
            option if WITH_VALUE.contains(&option) => at += 2,
            option if option.starts_with("--") && option.contains('=') => at += 1,
            _ => return arguments,
        }
    }
    let what = arguments.get(at + 1..).and_then(|rest| {
        let mut rest = rest.iter();
        while let Some(next) = rest.next() {
            let text = next.to_string_lossy();
            if WITH_VALUE.contains(&&*text) {
                rest.next();
            } else if !WITH_VALUE.iter().any(|option| text.starts_with(&format!("{option}="))) {
                return Some(text.into_owned());
            }
        }
        None
    });
    if what.is_some_and(|what| !NAMED.contains(&what.as_str())) {
        arguments.insert(at + 1, "log".into());
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> String {
        let arguments = completed(text.split(' ').map(OsString::from).collect());
        arguments.iter().map(|one| one.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_log_may_follow_verify() {
        assert_eq!(line("audit verify pit.auditlog"), "audit verify log pit.auditlog");
        assert_eq!(line("audit verify --key k pit"), "audit verify log --key k pit");
        assert_eq!(line("audit --lang es verify -"), "audit --lang es verify log -");
        assert_eq!(line("audit verify --lang es pit"), "audit verify log --lang es pit");
    }

    #[test]
    fn what_is_named_stays() {
        for text in [
            "audit verify log pit",
            "audit verify fleet a b",
            "audit verify proof p --key k",
            "audit verify --lang es checkpoint a b",
            "audit verify --help",
            "audit verify",
            "audit show verify",
            "audit explain verify",
            "audit",
        ] {
            assert_eq!(line(text), text);
        }
    }
}
