//! Values of a query's parameters. A value that is not allowed is refused, and the problem names the parameter and what
//! is allowed: an answer to another question would look like "nothing was found".

use std::ops::RangeInclusive;

use crate::problem::Problem;

/// A number of this range.
pub(crate) fn number(
    parameter: &'static str,
    given: Option<&str>,
    allowed: &RangeInclusive<u64>,
) -> Result<Option<u64>, Problem> {
    let Some(given) = given else { return Ok(None) };
    // `+7` is a number for Rust and for no other reader of a URL, where `+` is a space.
    let digits = given.bytes().all(|byte| byte.is_ascii_digit());
    let number = given.parse().ok().filter(|number| digits && allowed.contains(number));
    number.map(Some).ok_or_else(|| Problem::no_such_number(parameter, given, allowed))
}

/// One of these words.
pub(crate) fn word(
    parameter: &'static str,
    given: Option<String>,
    allowed: impl FnOnce() -> Vec<&'static str>,
) -> Result<Option<String>, Problem> {
    let Some(given) = given else { return Ok(None) };
    let allowed = allowed();
    if allowed.contains(&given.as_str()) {
        Ok(Some(given))
    } else {
        Err(Problem::no_such_word(parameter, &given, allowed))
    }
}
