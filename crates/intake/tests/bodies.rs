//! Bodies without a service around them: bytes that another CBOR library wrote, and hostile ones.
#![allow(clippy::unwrap_used)]

use intake::{Form, read_events};

const LINES: [&str; 2] = [
    r#"{"table":"PB-01","sequence":1,"occurred_at":"2026-03-01T21:04:05.123456+01:00","event":{"ShoeLoaded":{"shoe":"S-1","decks":6,"cards":312,"cards_behind_cut":14}}}"#,
    r#"{"table":"PB-01","sequence":2,"occurred_at":"2026-03-01T21:04:06.123456+01:00","event":{"BetPlaced":{"coup":1,"bet":9007199254740991,"seat":3,"player":"peón-7","kind":"banca","stake":100000}}}"#,
];

// Written by Python's cbor2 6.2.1 from the two lines above.
/// `dumps([one, two])`.
const PLAIN: &str = "\
    82a4657461626c656550422d30316873657175656e6365016b6f636375727265645f61747820323032362d30332d3031\
    5432313a30343a30352e3132333435362b30313a3030656576656e74a16a53686f654c6f61646564a46473686f656353\
    2d31656465636b73066563617264731901387063617264735f626568696e645f6375740ea4657461626c656550422d30\
    316873657175656e6365026b6f636375727265645f61747820323032362d30332d30315432313a30343a30362e313233\
    3435362b30313a3030656576656e74a169426574506c61636564a664636f757001636265741b001fffffffffffff6473\
    6561740366706c61796572677065c3b36e2d37646b696e646562616e6361657374616b651a000186a0";
/// `dumps([one, two], canonical=True)`: keys in another order.
const CANONICAL: &str = "\
    82a4656576656e74a16a53686f654c6f61646564a46473686f6563532d31656361726473190138656465636b73067063\
    617264735f626568696e645f6375740e657461626c656550422d30316873657175656e6365016b6f636375727265645f\
    61747820323032362d30332d30315432313a30343a30352e3132333435362b30313a3030a4656576656e74a169426574\
    506c61636564a6636265741b001fffffffffffff64636f757001646b696e646562616e6361647365617403657374616b\
    651a000186a066706c61796572677065c3b36e2d37657461626c656550422d30316873657175656e6365026b6f636375\
    727265645f61747820323032362d30332d30315432313a30343a30362e3132333435362b30313a3030";
/// `dumps([one, two], indefinite_containers=True)`.
const INDEFINITE: &str = "\
    9fbf657461626c656550422d30316873657175656e6365016b6f636375727265645f61747820323032362d30332d3031\
    5432313a30343a30352e3132333435362b30313a3030656576656e74bf6a53686f654c6f61646564bf6473686f656353\
    2d31656465636b73066563617264731901387063617264735f626568696e645f6375740effffffbf657461626c656550\
    422d30316873657175656e6365026b6f636375727265645f61747820323032362d30332d30315432313a30343a30362e\
    3132333435362b30313a3030656576656e74bf69426574506c61636564bf64636f757001636265741b001fffffffffff\
    ff64736561740366706c61796572677065c3b36e2d37646b696e646562616e6361657374616b651a000186a0ffffffff";
/// `dumps(one) + dumps(two)`.
const SEQUENCE: &str = "\
    a4657461626c656550422d30316873657175656e6365016b6f636375727265645f61747820323032362d30332d303154\
    32313a30343a30352e3132333435362b30313a3030656576656e74a16a53686f654c6f61646564a46473686f6563532d\
    31656465636b73066563617264731901387063617264735f626568696e645f6375740ea4657461626c656550422d3031\
    6873657175656e6365026b6f636375727265645f61747820323032362d30332d30315432313a30343a30362e31323334\
    35362b30313a3030656576656e74a169426574506c61636564a664636f757001636265741b001fffffffffffff647365\
    61740366706c61796572677065c3b36e2d37646b696e646562616e6361657374616b651a000186a0";

fn bytes(hex: &str) -> Vec<u8> {
    hex.as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// What is said of a CBOR array that is refused, and of which element.
fn refused(body: &[u8]) -> (Option<usize>, String) {
    let error = read_events("PB-01", Form::CborArray, body).unwrap_err();
    (error.position, error.message)
}

/// An array of one event: `{"event": {"X": {"stake": VALUE}}}`.
fn with_stake(value: &str) -> Vec<u8> {
    bytes(&format!("81a1656576656e74a16158a1657374616b65{value}"))
}

#[test]
fn what_another_library_writes_is_what_the_lines_say() {
    let lines = read_events("PB-01", Form::Lines, LINES.join("\n").as_bytes()).unwrap();
    for (form, hex) in [
        (Form::CborArray, PLAIN),
        (Form::CborArray, CANONICAL),
        (Form::CborArray, INDEFINITE),
        (Form::CborSequence, SEQUENCE),
    ] {
        assert_eq!(read_events("PB-01", form, &bytes(hex)).unwrap(), lines, "{form:?} {hex}");
    }
}

#[test]
fn texts_in_pieces_and_wide_integers_are_the_same_event() {
    // "PB-01" as "PB", an empty piece and "-01"; then the sequence in eight bytes.
    let table = PLAIN.replacen("6550422d3031", "7f62504260632d3031ff", 1);
    let wide = table.replacen("6873657175656e636501", "6873657175656e63651b0000000000000001", 1);
    assert!(wide.len() > table.len() && table.len() > PLAIN.len());
    assert_eq!(
        read_events("PB-01", Form::CborArray, &bytes(&wide)).unwrap(),
        read_events("PB-01", Form::CborArray, &bytes(PLAIN)).unwrap()
    );
}

#[test]
fn a_body_that_is_cut_anywhere_is_refused() {
    let whole = bytes(PLAIN);
    for at in 0..whole.len() {
        let (folder, message) = refused(&whole[..at]);
        assert!(folder.is_some() || at < 1, "at {at}: {message}");
        assert!(message.contains("end"), "at {at}: {message}");
    }
    let sequence = bytes(SEQUENCE);
    let cut = read_events("PB-01", Form::CborSequence, &sequence[..sequence.len() - 1]).unwrap_err();
    assert_eq!(
        (cut.position, &*cut.message),
        (Some(2), "item 2: event.BetPlaced.stake: the body ends in the middle of it")
    );
    for form in [Form::CborArray, Form::CborSequence] {
        let body: &[u8] = if form == Form::CborArray { &[0x80] } else { &[] };
        assert_eq!(read_events("PB-01", form, body).unwrap_err().message, "there is no event in it");
    }
    let (_, message) = refused(&[whole, vec![0x80]].concat());
    assert_eq!(message, "1 bytes follow the array; send application/cbor-seq for one value after the other");
}

#[test]
fn a_declared_length_is_not_believed() {
    let huge = "1000000000000000";
    for (hex, said) in [
        (format!("9b{huge}"), "element 1: the body ends in the middle of it"),
        (format!("819b{huge}"), "element 1: 0: the body ends in the middle of it"),
        (format!("81bb{huge}"), "element 1: the body ends in the middle of it"),
        (format!("817b{huge}61"), "element 1: the body ends in the middle of it"),
        (format!("81a17b{huge}61"), "element 1: the body ends in the middle of it"),
        (format!("815b{huge}"), "element 1: a byte string; bytes are written as text of hexadecimal digits"),
    ] {
        assert_eq!(refused(&bytes(&hex)), (Some(1), said.to_owned()), "{hex}");
    }
}

#[test]
fn deep_nesting_is_refused_before_it_is_followed() {
    for head in ["81", "9f", "a16178", "bf6178"] {
        let body = bytes(&format!("81{}", head.repeat(100_000)));
        let (folder, message) = refused(&body);
        assert_eq!(folder, Some(1));
        assert!(message.ends_with("arrays and maps nest more than 100 deep"), "{message}");
        assert!(message.len() < 1_000, "{message}");
    }
    let tags = bytes(&format!("81{}00", "c1".repeat(100_000)));
    assert!(refused(&tags).1.contains("tag 1;"));
    let pieces = bytes(&format!("81{}", "7f".repeat(100_000)));
    assert!(refused(&pieces).1.contains("not CBOR"), "a piece of a text is whole: {}", refused(&pieces).1);
}

#[test]
fn what_json_events_do_not_have_is_refused_under_its_name() {
    for (hex, said) in [
        ("f97e00", "a float; expected an integer"),
        ("fa447a0000", "a float; expected an integer"),
        ("fb7ff8000000000000", "a float; expected an integer"),
        ("3bffffffffffffffff", "an integer below -9223372036854775808"),
        ("4103", "a byte string; bytes are written as text of hexadecimal digits"),
        ("5f4103ff", "a byte string; bytes are written as text of hexadecimal digits"),
        ("c249010000000000000000", "tag 2; values are written without tags, times as RFC 3339 text"),
        ("f7", "undefined; leave the field out, or say null"),
        ("f820", "a simple value that is none of true, false and null"),
        ("ff", "a break where a value is due"),
        ("1c", "not CBOR: byte 0x1c begins no value"),
        ("a10102", "a key of type u8; keys are text"),
        ("61ff", "not CBOR: invalid utf-8 at position 18"),
    ] {
        let (folder, message) = refused(&with_stake(hex));
        assert_eq!((folder, message), (Some(1), format!("element 1: event.X.stake: {said}")), "{hex}");
    }
}

#[test]
fn names_that_stand_twice_are_refused() {
    // `sequence` twice in the line, `stake` twice in the bet.
    for (from, to, said) in [
        ("82a4657461626c65", "82a56873657175656e636501657461626c65", "element 1: duplicate field `sequence`"),
        (
            "a664636f757001",
            "a764636f75700164636f757001",
            "element 2: event.BetPlaced: duplicate field `coup`",
        ),
    ] {
        let twice = PLAIN.replacen(from, to, 1);
        assert_ne!(twice, PLAIN);
        let (folder, message) = refused(&bytes(&twice));
        assert!(folder.is_some() && message == said, "{message}");
    }
}

#[test]
fn an_event_longer_than_any_is_refused_however_it_grows() {
    // A control character is six times as long in JSON.
    let long = |length: u32| {
        let head = [&[0x81, 0x7a], &length.to_be_bytes()[..]].concat();
        [head, vec![1; length as usize]].concat()
    };
    for length in [200_000, 2_000_000] {
        assert_eq!(refused(&long(length)).1, "element 1: longer than 1 MiB of JSON, which no event is");
    }
    let nulls = [vec![0x81, 0x9f], vec![0xf6; 1 << 20]].concat();
    assert!(refused(&nulls).1.contains("longer than 1 MiB"), "{}", refused(&nulls).1);
}

#[test]
fn more_events_than_a_post_may_have_are_refused() {
    let many = vec![LINES[0]; 16_385];
    let lines = read_events("PB-01", Form::Lines, many.join("\n").as_bytes()).unwrap_err();
    let array = format!("[{}]", many.join(","));
    let array = read_events("PB-01", Form::Array, array.as_bytes()).unwrap_err();
    let first = &bytes(SEQUENCE)[..131];
    let sequence = read_events("PB-01", Form::CborSequence, &first.repeat(16_385)).unwrap_err();
    for error in [lines, array, sequence] {
        assert_eq!(error.message, "more than 16384 events; send them in several posts");
    }
    assert_eq!(read_events("PB-01", Form::CborSequence, &first.repeat(16_384)).unwrap().len(), 16_384);
}

#[test]
fn a_cloud_event_that_is_none_is_refused_with_the_reason() {
    let event = |more: &str| format!(r#"{{"specversion":"1.0","id":"1","source":"/x","type":"y"{more}}}"#);
    let data = format!(r#","data":{}"#, LINES[0]);
    let read = |text: &str| read_events("PB-01", Form::CloudEvent, text.as_bytes());
    assert_eq!(read(&event(&data)).unwrap(), read_events("PB-01", Form::Lines, LINES[0].as_bytes()).unwrap());
    for kind in ["application/json", "text/JSON; charset=utf-8", "application/vnd.example+json"] {
        assert!(read(&event(&format!(r#","datacontenttype":"{kind}"{data}"#))).is_ok(), "{kind}");
    }
    for (text, said) in [
        (event(""), "no `data`; the event belongs there"),
        (event(r#","data":null"#), "no `data`; the event belongs there"),
        (event(r#","data_base64":"e30=""#), "`data_base64`: write the event as a JSON object in `data`"),
        (event(&format!(r#","data_base64":"e30="{data}"#)), "`data_base64`: write the event"),
        (
            event(&format!(r#","datacontenttype":"text/xml"{data}"#)),
            "datacontenttype `text/xml`: `data` is JSON",
        ),
        (event(r#","data":{}"#), "data: missing field `table`"),
        (event(r#","data":[]"#), "data: invalid type: sequence, expected an object with the fields by name"),
        (event(&data).replace("1.0", "0.3"), "specversion `0.3`: CloudEvents 1.0 is read"),
        (event(&data).replace(r#""id":"1""#, r#""id":"""#), "no id; every CloudEvent has one"),
        (event(&data).replace(r#""id":"1","#, ""), "not a CloudEvent: missing field `id`"),
        (event(r#","id":"2""#), "not a CloudEvent: duplicate field `id`"),
        (format!("[{}]", event(&data)), "not a CloudEvent: expected a JSON object"),
        (
            format!(r#"["1.0","1","/x","y",null,null,{}]"#, LINES[0]),
            "not a CloudEvent: expected a JSON object",
        ),
        ("[".repeat(100_000), "not a CloudEvent: expected a JSON object"),
        (event(&format!(r#","x":{}"#, "[".repeat(100_000))), "not a CloudEvent: expected value"),
        (
            event(&format!(r#","data":{}{}"#, "[".repeat(100_000), "]".repeat(100_000))),
            "data: invalid type: sequence, expected an object with the fields by name",
        ),
    ] {
        let error = read(&text).unwrap_err();
        assert!(error.position.is_none() && error.message.starts_with(said), "{error}");
    }
}
