//! Addresses of pages. Names stand in queries: a browser takes a step `..` of a path for the folder above, however it
//! is spelled.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What stays as it is in a value of a query.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A page with the parts of its query that are there.
pub(crate) fn page<'a>(name: &str, query: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let query: Vec<String> = query
        .into_iter()
        .map(|(key, value)| format!("{key}={}", utf8_percent_encode(value, VALUE)))
        .collect();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("/desk/{name}{mark}{}", query.join("&"))
}

/// The page of a table.
pub(crate) fn table(name: &str) -> String {
    page("table", [("table", name)])
}

/// The page of a shoe; `None` stands for what was played without one.
pub(crate) fn shoe(table: &str, shoe: Option<&str>) -> String {
    page("shoe", [("table", table)].into_iter().chain(shoe.map(|shoe| ("shoe", shoe))))
}

/// The page of a shoe from one of its coups on, counted from 0.
pub(crate) fn shoe_from(table: &str, name: Option<&str>, from: usize) -> String {
    match from {
        0 => shoe(table, name),
        from => format!("{}&from={from}", shoe(table, name)),
    }
}

/// The page of a coup.
pub(crate) fn coup(table: &str, shoe: Option<&str>, coup: u32) -> String {
    let coup = coup.to_string();
    let shoe = shoe.map(|shoe| ("shoe", shoe));
    page("coup", [("table", table)].into_iter().chain(shoe).chain([("coup", &*coup)]))
}

/// The page of a rulebook, by its digest.
pub(crate) fn rulebook(digest: &str) -> String {
    page("rulebook", [("digest", digest)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_place() {
        assert_eq!(shoe("..", Some("a/b&c=\"d\"")), "/desk/shoe?table=..&shoe=a%2Fb%26c%3D%22d%22");
        assert_eq!(coup("ñ", None, 3), "/desk/coup?table=%C3%B1&coup=3");
        assert_eq!(page("", []), "/desk/");
    }
}
