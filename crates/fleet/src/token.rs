//! One subject token for any name. Subjects of NATS are tokens between dots; names of sites and tables may hold any
//! character. The encoding is injective: two names never share a token, and a token that is no name's is refused.

/// Longest name that is encoded, in bytes. A subject must fit into the control line of the protocol (4,096 bytes).
pub const MAX_NAME_BYTES: usize = 512;
/// Where the escape character stands alone, the name is empty: a token must not be.
const EMPTY: char = '%';

/// The token of a name, for subjects: everything but ASCII letters, digits, `-` and `_` becomes `%` and two
/// hexadecimal digits for each byte of UTF-8.
///
/// ```
/// assert_eq!(fleet::token::of("Salón.7"), "Sal%C3%B3n%2E7");
/// assert_eq!(fleet::token::name_in("Sal%C3%B3n%2E7").as_deref(), Some("Salón.7"));
/// ```
#[must_use]
pub fn of(name: &str) -> String {
    escaped(name, '%', b"-_")
}

/// The same for names of streams and buckets, where `%` is not allowed: escaped by `_`.
#[must_use]
pub(crate) fn for_stream(name: &str) -> String {
    escaped(name, '_', b"-")
}

fn escaped(name: &str, escape: char, plain: &[u8]) -> String {
    if name.is_empty() {
        return escape.to_string();
    }
    let mut token = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || plain.contains(&byte) {
            token.push(char::from(byte));
        } else {
            token.push(escape);
            token.push(hex_digit(byte >> 4));
            token.push(hex_digit(byte & 15));
        }
    }
    token
}

fn hex_digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16).map_or('0', |digit| digit.to_ascii_uppercase())
}

/// The name whose token this is. `None` when it is no name's: probes use such tokens.
#[must_use]
pub fn name_in(token: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(token.len());
    let mut rest = token.bytes();
    if token != EMPTY.to_string() {
        while let Some(byte) = rest.next() {
            bytes.push(if byte == b'%' {
                hex_value(rest.next()?)? << 4 | hex_value(rest.next()?)?
            } else {
                byte
            });
        }
    }
    let name = String::from_utf8(bytes).ok()?;
    (of(&name) == token).then_some(name)
}

fn hex_value(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{for_stream, name_in, of};

    proptest! {
        #[test]
        fn every_name_comes_back(name in any::<String>()) {
            let token = of(&name);
            prop_assert!(!token.is_empty());
            prop_assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_%".contains(&byte)));
            prop_assert_eq!(name_in(&token), Some(name));
        }

        #[test]
        fn a_token_is_of_one_name(token in "[-%_0-9A-Fa-z~.]{0,12}") {
            if let Some(name) = name_in(&token) {
                prop_assert_eq!(of(&name), token);
            }
        }

        #[test]
        fn two_names_share_no_stream(one in any::<String>(), other in any::<String>()) {
            prop_assert_eq!(one == other, for_stream(&one) == for_stream(&other));
        }
    }

    #[test]
    fn what_is_no_token_has_no_name() {
        for token in ["", "%4", "%41", "%e1", "%FF", "a.b", "~probe", "a b", "%%"] {
            assert_eq!(name_in(token), None, "{token}");
        }
        assert_eq!(name_in("%"), Some(String::new()));
    }

    #[test]
    fn a_stream_is_named_by_what_streams_may_be_named_by() {
        assert_eq!(for_stream("Barcelona_2"), "Barcelona_5F2");
        assert_eq!(for_stream(""), "_");
    }
}
