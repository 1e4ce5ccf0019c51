//! The two languages in which everything that a person reads exists.

use crate::Currency;

/// A language of texts for people.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Spanish.
    Spanish,
}

impl Language {
    /// Both, the default first.
    pub const ALL: [Self; 2] = [Self::English, Self::Spanish];

    /// Its ISO 639-1 code: `en` or `es`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.of("en", "es")
    }

    /// The one of two texts that is in this language.
    #[must_use]
    pub const fn of<'a>(self, english: &'a str, spanish: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::Spanish => spanish,
        }
    }

    /// A number with its thousands apart: `1,234` in English, `1.234` in Spanish.
    #[must_use]
    pub fn grouped(self, number: u64) -> String {
        let digits = number.to_string();
        let mut text = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                text.push_str(self.of(",", "."));
            }
            text.push(digit);
        }
        text
    }

    /// A sum in the table's currency: 12345 minor units of two digits are `123.45 EUR` in English and
    /// `123,45 EUR` in Spanish.
    #[must_use]
    pub fn money(self, minor_units: i128, currency: Option<&Currency>) -> String {
        let Some(Currency { code, minor_digits }) = currency.filter(|currency| currency.minor_digits <= 6)
        else {
            return format!("{minor_units} {}", self.of("minor units", "unidades mínimas"));
        };
        let unit = 10_u128.pow(u32::from(*minor_digits));
        let (sign, sum) = (if minor_units < 0 { "-" } else { "" }, minor_units.unsigned_abs());
        let (whole, width) = (sum / unit, usize::from(*minor_digits));
        match minor_digits {
            0 => format!("{sign}{sum} {code}"),
            _ => format!("{sign}{whole}{}{:0width$} {code}", self.of(".", ","), sum % unit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_written_in_the_currency() {
        let euro = Currency { code: "EUR".to_owned(), minor_digits: 2 };
        let yen = Currency { code: "JPY".to_owned(), minor_digits: 0 };
        let [english, spanish] = Language::ALL;
        assert_eq!(english.money(12_345, Some(&euro)), "123.45 EUR");
        assert_eq!(spanish.money(12_345, Some(&euro)), "123,45 EUR");
        assert_eq!(english.money(-5, Some(&euro)), "-0.05 EUR");
        assert_eq!(english.money(7, Some(&yen)), "7 JPY");
        assert_eq!(english.money(7, None), "7 minor units");
        assert_eq!(spanish.money(7, None), "7 unidades mínimas");
    }

    #[test]
    fn thousands_stand_apart() {
        let [english, spanish] = Language::ALL;
        assert_eq!(
            [0, 999, 1_000, 1_234_567].map(|number| english.grouped(number)),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(spanish.grouped(1_234_567), "1.234.567");
    }
}
