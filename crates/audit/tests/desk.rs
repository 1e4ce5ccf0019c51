//! `audit desk`: the pages of a log, as a browser asks for them.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use crate::command::serving::{Started, agent, desk_cookie};
use crate::command::{TestFolder, fixture};

/// Pages of a log; they end when this goes.
pub struct Pages(Started);

impl Pages {
    pub fn of(folder: &TestFolder, log: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
        command.args(["desk", log, "--json"]).current_dir(folder.path(".")).stderr(Stdio::piped());
        Self(Started::by(&mut command))
    }

    /// Asks as a browser that keeps the key, for this host if for another.
    fn ask(&self, path: &str, host: Option<&str>) -> ureq::http::Response<ureq::Body> {
        let (base, cookie) = desk_cookie(&self.0.url);
        let request = agent().get(format!("{base}{path}")).header("cookie", cookie);
        host.into_iter().fold(request, |request, host| request.header("host", host)).call().unwrap()
    }

    fn get(&self, path: &str) -> (u16, String) {
        let mut response = self.ask(path, None);
        (response.status().as_u16(), response.body_mut().read_to_string().unwrap())
    }

    pub fn page(&self, path: &str) -> String {
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

pub fn ingested(folder: &TestFolder, events: &str) {
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

/// `--lang` decides, and not what the browser prefers; a link changes it for good.
#[test]
fn the_option_decides_in_which_language_the_pages_begin() {
    let folder = TestFolder::new();
    ingested(&folder, &fixture("honest.ndjson"));
    for (options, kept) in
        [(&["--lang", "es"][..], Some("lang=es")), (&["--lang=en"], Some("lang=en")), (&[], None)]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_audit"));
        command.args(["desk", "log", "--json"]).args(options).current_dir(folder.path("."));
        let pages = Pages(Started::by(command.stderr(Stdio::null())));
        let first = agent().get(&pages.0.url).header("accept-language", "en").config();
        let first = first.max_redirects(0).max_redirects_will_error(false).build().call().unwrap();
        let cookies = first.headers().get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
        let language =
            cookies.filter_map(|cookie| cookie.split(';').next()).find(|one| one.starts_with("lang="));
        assert_eq!(language, kept, "{options:?}");
        let (base, key) = desk_cookie(&pages.0.url);
        let cookies = [Some(&*key), kept].into_iter().flatten().collect::<Vec<_>>().join("; ");
        let page = |path: &str| {
            let asked = agent().get(format!("{base}{path}")).header("cookie", &cookies);
            let mut answer = asked.header("accept-language", "en").call().unwrap();
            answer.body_mut().read_to_string().unwrap()
        };
        let spanish = kept == Some("lang=es");
        assert_eq!(page("/desk/").contains("<html lang=\"es\""), spanish, "{options:?}");
        assert!(page("/desk/?lang=es").contains("<html lang=\"es\""));
    }
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
    let response = pages.ask("/desk/", None);
    let policy = response.headers().get("content-security-policy").unwrap().to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(pages.ask("/desk/", Some("evil.example")).status().as_u16(), 421);
    let page = pages.page("/desk/");
    assert!(!page.contains("style=\"") && !page.contains("onclick"), "{page}");
}

#[test]
fn whoever_has_no_key_sees_nothing_of_the_log() {
    let folder = TestFolder::new();
    ingested(&folder, &fixture("crooked.ndjson"));
    let pages = Pages::of(&folder, "log");
    let base = pages.0.url.split("/desk/").next().unwrap().to_owned();
    for path in ["/", "/desk/", "/desk/findings", "/desk/desk.css", "/desk/?key=", "/desk/?key=x", "/nowhere"]
    {
        let mut said = agent().get(format!("{base}{path}")).call().unwrap();
        assert_eq!(said.status().as_u16(), 403, "{path}");
        assert!(said.body_mut().read_to_string().unwrap().contains("audit desk printed"), "{path}");
    }
    let cookie = pages.0.url.split_once("key=").unwrap().1.to_owned();
    let wrong = agent().get(format!("{base}/desk/")).header("cookie", format!("audit_desk_1={cookie}"));
    assert_eq!(wrong.call().unwrap().status().as_u16(), 403, "the cookie of another port");
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

/// Every fault of the catalogue, each at a table of its own.
fn every_fault(folder: &TestFolder) {
    let files = std::fs::read_dir(fixture("faults")).unwrap().map(|file| file.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == "ndjson")).collect();
    files.sort();
    let mut lines = String::new();
    for path in &files {
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let mut event: serde_json::Value = serde_json::from_str(line).unwrap();
            event["table"] = path.file_stem().unwrap().to_str().into();
            lines.push_str(&format!("{event}\n"));
        }
    }
    folder.write("faults.ndjson", lines);
    ingested(folder, "faults.ndjson");
}

/// The findings of a list, page by page: the place of each, as it stands there.
fn listed(pages: &Pages, first: &str) -> Vec<Vec<String>> {
    let (mut all, mut next) = (Vec::new(), Some(first.to_owned()));
    while let Some(path) = next {
        let page = pages.page(&path);
        let places = page.split("<p class=\"place\">").skip(1);
        all.push(places.map(|one| one.split("</p>").next().unwrap().to_owned()).collect());
        let after = page.split("rel=\"next\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
        next = after.map(|link| link.replace("&#38;", "&"));
        assert!(all.len() < 20, "the pages do not end");
    }
    all
}

#[test]
fn every_finding_stands_on_one_page_in_every_order() {
    let folder = TestFolder::new();
    every_fault(&folder);
    let pages = Pages::of(&folder, "log");
    let oldest = listed(&pages, "/desk/findings");
    assert!(oldest.len() > 1 && oldest.iter().all(|page| page.len() <= 100), "{}", oldest.len());
    let oldest = oldest.concat();
    let newest = listed(&pages, "/desk/findings?sort=newest").concat();
    assert!(newest.iter().eq(oldest.iter().rev()), "the newest come first");
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    for order in ["money", "severity", "unheard-of"] {
        let other = listed(&pages, &format!("/desk/findings?sort={order}")).concat();
        assert_eq!(sorted(other), sorted(oldest.clone()), "{order}");
    }
    let [violations, incomplete] = ["violation", "incomplete"]
        .map(|severity| listed(&pages, &format!("/desk/findings?severity={severity}")).concat());
    assert!(!violations.is_empty() && !incomplete.is_empty());
    assert_eq!(listed(&pages, "/desk/findings?sort=severity").concat()[..violations.len()], violations);
    let one = listed(&pages, "/desk/findings?code=payout-over&sort=money").concat();
    assert!(one.iter().all(|place| place.contains("payout-over</code>")) && one.len() > 1, "{one:?}");
    // A page behind the last one is the last one.
    let behind = listed(&pages, "/desk/findings?from=1000000").concat();
    assert!(!behind.is_empty() && oldest.ends_with(&behind), "{behind:?}");
    // The sums of each finding, in hundredths: the most money comes first.
    let page = pages.page("/desk/findings?lang=en&sort=money&code=payout-over");
    let articles = page.split("<article").skip(1).map(|one| one.split("</article>").next().unwrap());
    let moved: Vec<u64> = articles
        .map(|article| {
            let money = article.split("<ul class=\"money\">").nth(1).unwrap().split("</ul>").next().unwrap();
            let words = money.split(|c: char| !(c.is_ascii_digit() || ".,".contains(c)));
            words
                .filter(|word| word.contains('.'))
                .filter_map(|sum| sum.replace(['.', ','], "").parse::<u64>().ok())
                .sum()
        })
        .collect();
    assert!(moved.iter().any(|sum| *sum > 0) && moved.is_sorted_by(|one, next| one >= next), "{moved:?}");
}

#[test]
fn a_shoe_shows_its_burn_and_its_cut_card_as_they_were_recorded() {
    let folder = TestFolder::new();
    ingested(&folder, &fixture("crooked.ndjson"));
    let pages = Pages::of(&folder, "log");
    let page = pages.page("/desk/shoe?table=PB-01&shoe=S-PB-01-1&lang=en");
    let recorded = std::fs::read_to_string(fixture("crooked.ndjson")).unwrap();
    assert!(recorded.contains(r#""BurnCards":{"indicator":"8D","burned":8}"#));
    assert_eq!(page.matches("<li class=\"burned\">").count(), 9, "{page}");
    assert!(page.contains("9 cards were burned") && page.contains("loaded with 416 cards"), "{page}");
    assert!(page.contains("before the card at position 410"), "{page}");
    assert_eq!(page.matches(" behind-cut\"").count(), 1, "{page}");
    // Positions count from 1.
    assert!(page.contains("<span class=\"at\">1</span>") && !page.contains("<span class=\"at\">0</span>"));
}

#[test]
fn a_rulebook_says_what_its_bets_cost_and_whether_it_is_fit() {
    let folder = TestFolder::new();
    ingested(&folder, &fixture("honest.ndjson"));
    let pages = Pages::of(&folder, "log");
    let list = pages.page("/desk/rulebooks");
    let link = links(&list).into_iter().find(|link| link.starts_with("/desk/rulebook?")).unwrap();
    let [english, spanish] = ["en", "es"].map(|lang| pages.page(&format!("{link}&lang={lang}")));
    assert!(english.contains("fit for certifying"), "{english}");
    assert!(spanish.contains("apto para certificar") && spanish.contains("ventaja de la casa"), "{spanish}");
    // What `audit rules check` says of banca by the same rules, exactly.
    let name = list.split("<code>").nth(1).and_then(|rest| rest.split('<').next()).unwrap();
    let said = folder.see(&["rules", "check", name]);
    let edge = said.lines().find(|line| line.trim_start().starts_with("banca")).unwrap();
    let edge = edge.split_whitespace().last().unwrap();
    assert!(edge.contains('/') && english.contains(edge), "{edge}: {english}");
}

/// Whoever writes the record may write so much of a shoe that a coup of it is far down; it is shown all the same.
#[test]
fn a_coup_behind_ten_thousand_others_is_shown_and_so_are_the_shoes_behind_it() {
    let folder = TestFolder::new();
    let opened = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    let opened: serde_json::Value = serde_json::from_str(opened.lines().next().unwrap()).unwrap();
    let loaded = |shoe: &str| format!(r#"{{"ShoeLoaded":{{"shoe":"{shoe}","decks":8,"cards":416}}}}"#);
    let void = |coup: u32| {
        format!(r#"{{"CoupVoided":{{"coup":{coup},"reason":"r","ruled_by":"a","countersigned_by":"b"}}}}"#)
    };
    let mut bodies = vec![opened["event"].to_string(), loaded("S-1")];
    bodies.extend((1..=10_050).map(void));
    bodies.extend([loaded("S-2"), void(1)]);
    let line = |(sequence, body): (u32, &String)| {
        format!(
            "{{\"table\":\"W\",\"sequence\":{sequence},\"occurred_at\":\"2026-03-01T20:00:00Z\",\"event\":{body}}}\n"
        )
    };
    folder.write("long.ndjson", (1..).zip(&bodies).map(line).collect::<String>());
    ingested(&folder, "long.ndjson");
    let pages = Pages::of(&folder, "log");
    let table = pages.page("/desk/table?table=W&lang=en");
    assert!(table.contains("shoe=S-1") && table.contains("shoe=S-2"), "{table}");
    assert!(pages.page("/desk/shoe?table=W&shoe=S-1&lang=en").contains("The first 10,000 coups are listed"));
    assert!(!pages.page("/desk/shoe?table=W&shoe=S-2&lang=en").contains("coups are listed"));
    for (shoe, coup) in [("S-1", 1), ("S-1", 10_000), ("S-1", 10_001), ("S-1", 10_050), ("S-2", 1)] {
        pages.page(&format!("/desk/coup?table=W&shoe={shoe}&coup={coup}"));
    }
    for (shoe, coup) in [("S-1", 10_051), ("S-2", 2), ("S-3", 1)] {
        assert_eq!(pages.get(&format!("/desk/coup?table=W&shoe={shoe}&coup={coup}")).0, 404, "{shoe} {coup}");
    }
}

#[test]
fn ten_thousand_tables_and_a_shoe_of_thousands_of_faults_make_no_page_large() {
    let folder = TestFolder::new();
    let at = r#""occurred_at":"2026-03-01T20:00:00Z""#;
    let mut lines: String = (0..10_000)
        .map(|table| {
            let shoe = r#"{"ShoeLoaded":{"shoe":"S","decks":8,"cards":415}}"#;
            format!("{{\"table\":\"T-{table:05}\",\"sequence\":1,{at},\"event\":{shoe}}}\n")
        })
        .collect();
    // One table plays coups of a single card each, at positions where it played before.
    let opened = std::fs::read_to_string(fixture("honest.ndjson")).unwrap();
    let opened: serde_json::Value = serde_json::from_str(opened.lines().next().unwrap()).unwrap();
    let mut bodies =
        vec![opened["event"].to_string(), r#"{"ShoeLoaded":{"shoe":"S","decks":8,"cards":416}}"#.to_owned()];
    for coup in 1..=3_000 {
        let position = coup % 400 + 1;
        bodies.push(format!(
            r#"{{"CardDrawn":{{"coup":{coup},"position":{position},"card":"9H","to":"banca"}}}}"#
        ));
        bodies.push(format!(
            r#"{{"CoupSettled":{{"coup":{coup},"winner":"tie","punto_total":1,"banca_total":2,"bets":[]}}}}"#
        ));
    }
    for (sequence, body) in (1..).zip(bodies) {
        lines.push_str(&format!("{{\"table\":\"W\",\"sequence\":{sequence},{at},\"event\":{body}}}\n"));
    }
    folder.write("many.ndjson", lines);
    ingested(&folder, "many.ndjson");
    let pages = Pages::of(&folder, "log");
    // From the first table to the last one, page by page.
    let (mut seen, mut next) = (BTreeSet::new(), Some("/desk/".to_owned()));
    while let Some(path) = next {
        let page = pages.page(&path);
        assert!(page.len() < 300_000, "{path}: {}", page.len());
        let links = links(&page);
        seen.extend(links.iter().filter(|link| link.starts_with("/desk/table?")).cloned());
        next = links.into_iter().find(|link| link.starts_with("/desk/?after=") && !link.contains("lang="));
    }
    assert_eq!(seen.len(), 10_001);
    for path in [
        "/desk/shoe?table=W&shoe=S",
        "/desk/table?table=W",
        "/desk/findings",
        "/desk/findings?table=W&sort=newest",
        "/desk/coup?table=W&shoe=S&coup=7",
        "/desk/log",
    ] {
        let page = pages.page(path);
        assert!(page.len() < 600_000, "{path}: {}", page.len());
    }
    let page = pages.page("/desk/shoe?table=W&shoe=S&from=200");
    assert!(page.contains("rel=\"prev\"") && page.contains("rel=\"next\""), "a long shoe has pages");
}
