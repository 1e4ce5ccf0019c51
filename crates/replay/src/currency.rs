//! The list of currencies and the number of digits of their minor units.
//!
//! Source: ISO 4217:2015, list one (current currency and fund codes), as published by its maintenance agency
//! in 2025. From list three it also has the codes withdrawn since 2021, for older records: ANG, BGN, CUC, HRK,
//! SLL, ZWL. Metals, test codes and units of account between institutions (`XAU`, `XTS`, `XDR`) are not money
//! and are left out.

/// Currencies by the digits of their minor unit, each list in the order of the codes.
const CURRENCIES: [(u8, &[&str]); 4] = [(0, NO_DIGITS), (2, TWO_DIGITS), (3, THREE_DIGITS), (4, FOUR_DIGITS)];

#[rustfmt::skip]
const NO_DIGITS: &[&str] = &[
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
    "XOF", "XPF",
];

#[rustfmt::skip]
const TWO_DIGITS: &[&str] = &[
    "AED", "AFN", "ALL", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BGN", "BMD",
    "BND", "BOB", "BOV", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHE", "CHF", "CHW", "CNY",
    "COP", "COU", "CRC", "CUC", "CUP", "CVE", "CZK", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD",
    "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GTQ", "GYD", "HKD", "HNL", "HRK", "HTG", "HUF", "IDR", "ILS",
    "INR", "IRR", "JMD", "KES", "KGS", "KHR", "KPW", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "MAD",
    "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MXV", "MYR", "MZN", "NAD",
    "NGN", "NIO", "NOK", "NPR", "NZD", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "QAR", "RON", "RSD", "RUB",
    "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SLL", "SOS", "SRD", "SSP", "STN", "SVC", "SYP",
    "SZL", "THB", "TJS", "TMT", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "USD", "USN", "UYU", "UZS", "VED",
    "VES", "WST", "XAD", "XCD", "XCG", "YER", "ZAR", "ZMW", "ZWG", "ZWL",
];

const THREE_DIGITS: &[&str] = &["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];

const FOUR_DIGITS: &[&str] = &["CLF", "UYW"];

/// ISO 4217's code for a record in which no money moves.
pub(crate) const NO_MONEY: &str = "XXX";

/// Digits of a currency's minor unit; `None` where there is no such currency.
pub(crate) fn digits_of(code: &str) -> Option<u8> {
    let holds = |(_, codes): &&(u8, &[&str])| codes.binary_search(&code).is_ok();
    CURRENCIES.iter().find(holds).map(|(digits, _)| *digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_in_order_and_every_code_stands_once() {
        let mut all: Vec<&str> = CURRENCIES.iter().flat_map(|(_, codes)| codes.iter().copied()).collect();
        assert!(CURRENCIES.iter().all(|(_, codes)| codes.is_sorted()));
        assert!(all.iter().all(|code| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase())));
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!([digits_of("EUR"), digits_of("JPY"), digits_of("KWD")], [Some(2), Some(0), Some(3)]);
        assert_eq!([digits_of("XXX"), digits_of("XAU"), digits_of("eur")], [None; 3]);
    }
}
