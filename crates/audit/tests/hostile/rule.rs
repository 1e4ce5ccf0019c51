//! The rule that all outputs keep, texts that break it if they are printed as they are, and a record full of them.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use sealed_log::entry::{ChainName, ProducerId};
use sealed_log::notice::{Redaction, encode_redaction};
use sealed_log::store::StoreReader as _;
use sealed_log::writer::Submission;
use sealed_log_sled::LogFolder;
use tlog::note::SigningKey;

use crate::command::{TestFolder, fixture};

/// Begins a line that the program did not print, clears the screen, moves the cursor, turns the direction of reading.
pub const LINE: &str = "x\nFORGED\u{1b}[2J\r\u{9b}\u{85}\t\u{202e}y";
/// Cannot be seen, or only in part.
pub const UNSEEN: &str =
    "x\u{3164}\u{ffa0}\u{34f}\u{200b}\u{2028}\u{e0041}\u{feff}\u{2800}\u{1d159}\u{fdd0}y";
/// Brings an element of HTML, ends an attribute, isolates text.
pub const MARKUP: &str = "x<forged a=\"'>&\u{2066}\u{ad}y";
pub const ALL: [&str; 3] = [LINE, UNSEEN, MARKUP];

/// Whether a screen acts on a character, or does not show it. Written apart from the program's own list.
pub fn is_unsafe(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}')
        || matches!(c, '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}')
        || matches!(c, '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
        || matches!(c, '\u{2800}' | '\u{1d159}' | '\u{fdd0}'..='\u{fdef}')
        || (c as u32 & 0xfffe) == 0xfffe
}

/// Why a text may not be printed, if that is so: an unsafe character, or a line that is not the program's.
pub fn fault(text: &str) -> Option<String> {
    let found: Vec<char> = text.chars().filter(|c| is_unsafe(*c)).collect();
    let forged = text.lines().find(|line| line.trim_start().starts_with("FORGED"));
    match (found.is_empty(), forged) {
        (false, _) => Some(format!("{found:?}")),
        (true, Some(line)) => Some(format!("a line of somebody else: {line}")),
        (true, None) => None,
    }
}

/// The same of a page: an unsafe character, or an element or attribute that is not the program's.
pub fn fault_in_page(page: &str) -> Option<String> {
    let found: Vec<char> = page.chars().filter(|c| is_unsafe(*c)).collect();
    let markup = ["<forged", "=\"'>"].into_iter().find(|markup| page.contains(markup));
    match (found.is_empty(), markup) {
        (false, _) => Some(format!("{found:?}")),
        (true, Some(markup)) => Some(format!("markup of somebody else: {markup}")),
        (true, None) => None,
    }
}

/// Whether a text shows that a hostile one was printed, with its characters spelled out.
pub fn is_near(text: &str) -> bool {
    ["\\u{202e}", "\\u{3164}", "\\u{2066}", "\\u202e", "\\u3164", "\\u2066"]
        .iter()
        .any(|one| text.contains(one))
}

/// A text as part of the name of a log, which has no controls, white space or plus.
pub fn in_a_name(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !c.is_whitespace() && *c != '+').collect()
}

/// The key of a log whose name is hostile.
pub fn hostile_key(seed: u8) -> SigningKey {
    SigningKey::from_seed(&format!("evil.example/{}", in_a_name(&ALL.concat())), &[seed; 32]).unwrap()
}

/// Makes a log, as a stranger would who does not use this program: its name is hostile, and so are the events of a
/// fixture, a notice, and payloads that no event has. Returns a table and a shoe of it.
pub fn make_log(folder: &TestFolder, log: &str, fixture_name: &str, seed: u8) -> (String, String) {
    let events = format!("{log}.ndjson");
    let (table, shoe) = hostile_events(folder, &events, fixture_name);
    let key = hostile_key(seed);
    std::fs::create_dir(folder.path(log)).unwrap();
    folder.write(&format!("{log}/key"), format!("{}\n", key.to_secret_text()));
    folder.write(&format!("{log}/key.pub"), format!("{}\n", key.verifier_key()));
    let secret = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(folder.path(&format!("{log}/key")), secret).unwrap();
    let mut writer = LogFolder::new(&folder.path(log)).open_writer(key).unwrap();
    for (number, payload) in payloads().into_iter().enumerate() {
        let submission = Submission {
            producer: ProducerId::new("stranger").unwrap(),
            chain: ChainName::new(&format!("HOSTILE-{number}")).unwrap(),
            first: 1,
            count: 1,
            received_at: 1,
            payload,
        };
        writer.append(&[submission]).unwrap();
    }
    let digest = sealed_log::redaction::sealed_digest(&writer.reader().read(0, 1).unwrap()[0]);
    let notice = Redaction {
        entries: vec![(0, digest)],
        reason: ALL.concat(),
        by: "one".to_owned(),
        countersigned_by: "two".to_owned(),
        gone_with_them: [UNSEEN, MARKUP].map(str::to_owned).to_vec(),
    };
    writer.append_notice(encode_redaction(&notice).unwrap(), 1).unwrap();
    drop(writer);
    let ingested = folder.run(&["ingest", &events, "--log", log]);
    assert!(ingested.status.success(), "{}", String::from_utf8_lossy(&ingested.stderr));
    (table, shoe)
}

/// Bytes that are no CBOR, texts where other things belong, maps and names that no event has.
fn payloads() -> Vec<Vec<u8>> {
    let all = ALL.concat();
    let mut text = vec![0x78, u8::try_from(all.len()).unwrap()];
    text.extend_from_slice(all.as_bytes());
    vec![
        text.clone(),
        b"\xff\x1b[2J".to_vec(),
        [&[0x81][..], &text].concat(),
        [&[0x82, 0x00][..], &text].concat(),
        [&[0xa1][..], &text, &text].concat(),
        [&[0x82, 0x00, 0x81, 0x84][..], &text].concat(),
        [&[0x81, 0x82, 0x01, 0xa1][..], &text, &[0x01]].concat(),
        [&[0x81, 0x83, 0x01][..], &text, &text].concat(),
        all.into_bytes(),
    ]
}

/// Writes the events of a fixture with hostile texts in them, one after the other in turn, wherever a line is an event
/// with them. Returns a table and a shoe.
fn hostile_events(folder: &TestFolder, name: &str, fixture_name: &str) -> (String, String) {
    let mut lines = Vec::new();
    for line in std::fs::read_to_string(fixture(fixture_name)).unwrap().lines() {
        lines.push(hostile_line(&serde_json::from_str(line).unwrap()));
    }
    folder.write(name, lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    let loaded = lines.iter().find(|line| line["event"]["ShoeLoaded"].is_object()).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let shoe = text(&loaded["event"]["ShoeLoaded"]["shoe"]);
    assert!(ALL.iter().any(|hostile| shoe.ends_with(hostile)), "the shoe's id is hostile: {shoe:?}");
    (text(&loaded["table"]), shoe)
}

fn hostile_line(line: &serde_json::Value) -> serde_json::Value {
    let mut line = line.clone();
    let mut paths = Vec::new();
    texts_in(&line, String::new(), &mut paths);
    for path in paths.iter().filter(|path| !matches!(path.as_str(), "/table" | "/occurred_at")) {
        let before = line.clone();
        let Some(serde_json::Value::String(text)) = line.pointer_mut(path) else { continue };
        // One name is made the same thing everywhere.
        let turn = text.bytes().map(usize::from).sum::<usize>() % ALL.len();
        text.push_str(ALL[turn]);
        if events::Line::from_json(&line.to_string()).is_err() {
            line = before;
        }
    }
    line
}

fn texts_in(value: &serde_json::Value, path: String, found: &mut Vec<String>) {
    match value {
        serde_json::Value::String(_) => found.push(path),
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| texts_in(item, format!("{path}/{at}"), found));
        }
        serde_json::Value::Object(members) => {
            members.iter().for_each(|(name, item)| texts_in(item, format!("{path}/{name}"), found));
        }
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
    }
}

/// Answers everybody with the same bytes, and returns its address.
pub fn answering(greeting: &'static str, answer: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.write_all(greeting.as_bytes());
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    address
}
