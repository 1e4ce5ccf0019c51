//! The two languages in which everything that a person reads exists.

use crate::Currency;

const MONTHS: [&str; 12] = [
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
];

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
    pub fn grouped(self, number: impl Into<u128>) -> String {
        let digits = number.into().to_string();
        let mut text = String::new();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                text.push_str(self.of(",", "."));
            }
            text.push(digit);
        }
        text
    }

    /// A day of the calendar, `2026-03-01`: in Spanish `1 de marzo de 2026`. Any other text stays as it is.
    #[must_use]
    pub fn day(self, day: &str) -> String {
        let words = || {
            let mut parts = day.splitn(3, '-');
            let (year, month, number) = (parts.next()?, parts.next()?, parts.next()?);
            let month = MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
            let (year, number) = (year.parse::<u16>().ok()?, number.parse::<u8>().ok()?);
            Some(format!("{number} de {month} de {year}"))
        };
        let said = if self == Self::Spanish { words() } else { None };
        said.unwrap_or_else(|| day.to_owned())
    }

    /// A time as RFC 3339 writes it, `2026-03-01T21:00:43.5+01:00`: in Spanish `1 de marzo de 2026, 21:00:43,5 (+01:00)`.
    #[must_use]
    pub fn time(self, time: &str) -> String {
        let Some((day, clock)) = time.split_once('T').filter(|_| self == Self::Spanish) else {
            return time.to_owned();
        };
        let zone = clock.find(['Z', '+', '-']).unwrap_or(clock.len());
        let (clock, zone) = clock.split_at(zone);
        let zone = if zone == "Z" { "UTC" } else { zone };
        format!("{}, {} ({zone})", self.day(day), clock.replace('.', ","))
    }

    /// A sum in the table's currency: 1234567 minor units of two digits are `12,345.67 EUR` in English and
    /// `12.345,67 EUR` in Spanish.
    #[must_use]
    pub fn money(self, minor_units: i128, currency: Option<&Currency>) -> String {
        let (sign, sum) = (if minor_units < 0 { "-" } else { "" }, minor_units.unsigned_abs());
        let Some(Currency { code, minor_digits }) = currency.filter(|currency| currency.minor_digits <= 6)
        else {
            return format!("{sign}{} {}", self.grouped(sum), self.of("minor units", "unidades mínimas"));
        };
        let unit = 10_u128.pow(u32::from(*minor_digits));
        let (whole, width) = (self.grouped(sum / unit), usize::from(*minor_digits));
        match minor_digits {
            0 => format!("{sign}{whole} {code}"),
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
        assert_eq!(english.money(1_887_500, Some(&euro)), "18,875.00 EUR");
        assert_eq!(spanish.money(1_887_500, Some(&euro)), "18.875,00 EUR");
        assert_eq!(english.money(-123_456_789, Some(&euro)), "-1,234,567.89 EUR");
        assert_eq!(english.money(-5, Some(&euro)), "-0.05 EUR");
        assert_eq!(spanish.money(18_875, Some(&yen)), "18.875 JPY");
        assert_eq!(english.money(-18_875, None), "-18,875 minor units");
        assert_eq!(english.money(7, Some(&yen)), "7 JPY");
        assert_eq!(english.money(7, None), "7 minor units");
        assert_eq!(spanish.money(7, None), "7 unidades mínimas");
    }

    #[test]
    fn days_and_times_are_words_in_spanish() {
        let [english, spanish] = Language::ALL;
        assert_eq!(english.time("2026-03-01T21:00:43.5+01:00"), "2026-03-01T21:00:43.5+01:00");
        assert_eq!(spanish.time("2026-03-01T21:00:43.5+01:00"), "1 de marzo de 2026, 21:00:43,5 (+01:00)");
        assert_eq!(spanish.time("1970-12-31T00:00:00Z"), "31 de diciembre de 1970, 00:00:00 (UTC)");
        assert_eq!(english.day("1979-10-09"), "1979-10-09");
        assert_eq!(spanish.day("1979-10-09"), "9 de octubre de 1979");
        for other in ["", "1979", "1979-13-09", "1979-00-01", "a-b-c"] {
            assert_eq!(spanish.day(other), other);
        }
    }

    #[test]
    fn thousands_stand_apart() {
        let [english, spanish] = Language::ALL;
        assert_eq!(
            [0_u64, 999, 1_000, 1_234_567].map(|number| english.grouped(number)),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(spanish.grouped(1_234_567_u64), "1.234.567");
    }
}
