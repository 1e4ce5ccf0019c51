//! How numbers, sums, moments, paths and tables are written for people.

use std::path::Path;

use comfy_table::presets::NOTHING;
use comfy_table::{ContentArrangement, Table};
use replay::Currency;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Rows under headings, in columns.
pub(crate) fn table<const N: usize>(
    headings: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled).set_header(headings);
    for row in rows {
        table.add_row(row);
    }
    let mut text = String::new();
    for line in table.to_string().lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 coup`, `2 coups`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

/// `1 entry`, `2 entries`.
pub(crate) fn entries(number: u64) -> String {
    if number == 1 { "1 entry".to_owned() } else { format!("{} entries", grouped(number)) }
}

/// A path as one word of a command that can be pasted into a shell.
pub(crate) fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:@%+=,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// `event 7`, `events 7 to 9`: which of a table's events an entry holds.
pub(crate) fn events(first: u64, last: u64) -> String {
    if first == last { format!("event {first}") } else { format!("events {first} to {last}") }
}

/// Seconds since 1970 as UTC date and time; the plain number where it is beyond the calendar.
pub(crate) fn moment(seconds: u64) -> String {
    let known =
        i64::try_from(seconds).ok().and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
    let text = known.and_then(|moment| moment.format(&Rfc3339).ok());
    text.unwrap_or_else(|| format!("{seconds} seconds after 1970"))
}

/// A sum in the table's currency: 12345 minor units of two digits are `123.45 EUR`.
pub(crate) fn money(minor_units: i128, currency: Option<&Currency>) -> String {
    let Some(Currency { code, minor_digits }) = currency.filter(|currency| currency.minor_digits <= 6) else {
        return format!("{minor_units} minor units");
    };
    let unit = 10_u128.pow(u32::from(*minor_digits));
    let (sign, sum) = (if minor_units < 0 { "-" } else { "" }, minor_units.unsigned_abs());
    match minor_digits {
        0 => format!("{sign}{sum} {code}"),
        _ => {
            format!("{sign}{}.{:0width$} {code}", sum / unit, sum % unit, width = usize::from(*minor_digits))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_written_in_the_currency() {
        let euro = Currency { code: "EUR".to_owned(), minor_digits: 2 };
        assert_eq!(money(12_345, Some(&euro)), "123.45 EUR");
        assert_eq!(money(-5, Some(&euro)), "-0.05 EUR");
        assert_eq!(money(7, Some(&Currency { code: "JPY".to_owned(), minor_digits: 0 })), "7 JPY");
        assert_eq!(money(7, None), "7 minor units");
    }

    #[test]
    fn a_path_is_one_word_of_a_shell() {
        let words = ["/tmp/log-1.x", "lo g/new one", "it's", ""].map(|path| shell_word(Path::new(path)));
        assert_eq!(words, ["/tmp/log-1.x", "'lo g/new one'", r"'it'\''s'", "''"]);
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
