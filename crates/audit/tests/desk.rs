//! `audit desk`: the pages of a log, as a browser asks for them.
#![allow(clippy::unwrap_used)]

mod command;

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use command::serving::{Started, agent};
use command::{TestFolder, fixture};

/// Pages of a log; they end when this goes.
struct Pages(Started);

impl Pages {
    fn of(folder: &TestFolder, log: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
        command.args(["desk", log, "--json"]).current_dir(folder.path(".")).stderr(Stdio::piped());
        Self(Started::by(&mut command))
    }

    fn get(&self, path: &str) -> (u16, String) {
        let base = self.0.url.trim_end_matches("/desk/");
        let mut response = agent().get(format!("{base}{path}")).call().unwrap();
        (response.status().as_u16(), response.body_mut().read_to_string().unwrap())
    }

    fn page(&self, path: &str) -> String {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {body}");
        body
    }
}

/// The addresses that a page links to.
fn links(page: &str) -> BTreeSet<String> {
    let each = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    each.map(|link| link.replace("&#38;", "&")).collect()
}

fn ingested(folder: &TestFolder, events: &str) {
    folder.see(&["ingest", events, "--log", "log", "--create", "--origin", "casa.example/mesas"]);
}

#[test]
fn every_page_that_is_linked_is_there_and_every_finding_stands_where_its_link_leads() {
    let folder = TestFolder::new();
    ingested(&folder, &fixture("crooked.ndjson"));
    let pages = Pages::of(&folder, "log");
    let (mut seen, mut next) = (BTreeSet::new(), vec!["/desk/".to_owned()]);
    let mut findings = 0;
    while let Some(link) = next.pop() {
        let (path, anchor) = link.split_once('#').map_or((&*link, None), |(path, at)| (path, Some(at)));
        if !path.starts_with('/') {
            continue;
        }
        let page = pages.page(path);
        if let Some(anchor) = anchor {
            assert!(page.contains(&format!("id=\"{anchor}\"")), "{link} leads nowhere");
            findings += 1;
        }
        // The other language has the same pages.
        let found = links(&page).into_iter().filter(|link| !link.contains("lang="));
        next.extend(found.filter(|link| seen.insert(link.clone())));
    }
    assert!(findings > 0 && seen.iter().any(|link| link.starts_with("/desk/coup?")), "{seen:?}");
}

#[test]
fn pages_are_in_spanish_and_english_and_say_the_same() {
    let folder = TestFolder::new();
    ingested(&folder, &fixture("crooked.ndjson"));
    let pages = Pages::of(&folder, "log");
    let [spanish, english] = ["es", "en"].map(|lang| pages.page(&format!("/desk/findings?lang={lang}")));
    assert!(spanish.contains("lang=\"es\"") && spanish.contains("Hallazgos"), "{spanish}");
    assert!(english.contains("lang=\"en\"") && english.contains("Findings"), "{english}");
    let count = |page: &str| page.matches("<article class=\"finding").count();
    assert_eq!(count(&spanish), count(&english));
    for (page, words) in
        [(&spanish, [">Show<", "expected<", "recorded<"]), (&english, ["Mostrar", "esperaba", "mesa "])]
    {
        for word in words {
            assert!(!page.contains(word), "{word}: {page}");
        }
    }
}

#[test]
fn what_a_log_says_is_no_markup_and_turns_no_text() {
    let folder = TestFolder::new();
    let hostile = "x<script>alert(1)</script>\\u202e\\\"";
    let events = std::fs::read_to_string(fixture("crooked.ndjson")).unwrap();
    let events = events.replace("\"title\":\"", &format!("\"title\":\"{hostile}"));
    folder.write("hostile.ndjson", events);
    ingested(&folder, "hostile.ndjson");
    let pages = Pages::of(&folder, "log");
    let page = pages.page("/desk/rulebooks");
    assert!(page.contains("&#60;script&#62;alert(1)"), "{page}");
    assert!(!page.contains("<script>alert") && !page.contains('\u{202e}'), "{page}");
    assert_eq!(pages.get("/desk/table?table=%3Cscript%3E").0, 404);
    assert_eq!(pages.get("/desk/..%2f..%2fetc").0, 404);
}

#[test]
fn a_page_allows_nothing_from_elsewhere_and_no_other_host() {
    let folder = TestFolder::new();
    ingested(&folder, &fixture("honest.ndjson"));
    let pages = Pages::of(&folder, "log");
    let response = agent().get(&pages.0.url).call().unwrap();
    let policy = response.headers().get("content-security-policy").unwrap().to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let rebound = agent().get(&pages.0.url).header("host", "evil.example").call().unwrap();
    assert_eq!(rebound.status().as_u16(), 421);
    let page = pages.page("/desk/");
    assert!(!page.contains("style=\"") && !page.contains("onclick"), "{page}");
}

#[test]
fn a_broken_seal_certifies_nothing_and_says_so() {
    let folder = TestFolder::new();
    let pages = Pages::of(&folder, &fixture("bit-flipped.auditlog"));
    let page = pages.page("/desk/?lang=en");
    assert!(page.contains("verdict bad") && !page.contains("badge good"), "{page}");
    assert!(pages.page("/desk/log?lang=en").contains("faults of the seal"), "no faults");
}

#[test]
fn it_is_for_this_machine_only() {
    let folder = TestFolder::new();
    let said = folder.see(&["desk", &fixture("honest.auditlog"), "--listen", "0.0.0.0:0"]);
    assert!(said.contains("for this machine only"), "{said}");
    let said = folder.see(&["desk", "nowhere", "--lang", "es"]);
    assert!(said.contains("no existe"), "{said}");
}
