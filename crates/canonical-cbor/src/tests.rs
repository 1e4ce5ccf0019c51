//! Every item against another implementation, and every other spelling refused.
#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;

fn integer(value: i64) -> Vec<u8> {
    let mut out = Vec::new();
    write::integer(&mut out, value);
    out
}

#[test]
fn the_examples_of_rfc_8949_appendix_a() {
    for (value, bytes) in [
        (0, &[0x00][..]),
        (23, &[0x17]),
        (24, &[0x18, 0x18]),
        (100, &[0x18, 0x64]),
        (1_000, &[0x19, 0x03, 0xe8]),
        (1_000_000, &[0x1a, 0x00, 0x0f, 0x42, 0x40]),
        (1_000_000_000_000, &[0x1b, 0x00, 0x00, 0x00, 0xe8, 0xd4, 0xa5, 0x10, 0x00]),
        (-1, &[0x20]),
        (-10, &[0x29]),
        (-100, &[0x38, 0x63]),
        (-1_000, &[0x39, 0x03, 0xe7]),
    ] {
        assert_eq!(integer(value), bytes, "{value}");
        assert_eq!(Reader::new(bytes).integer().unwrap(), value);
    }
    let mut out = Vec::new();
    write::text(&mut out, "\u{fc}");
    write::bytes(&mut out, &[1, 2, 3, 4]);
    write::null(&mut out);
    assert_eq!(out, [0x62, 0xc3, 0xbc, 0x44, 1, 2, 3, 4, 0xf6]);
}

#[test]
fn other_spellings_and_other_items_are_refused_where_they_begin() {
    use Problem::{CutOff, Indefinite, IntegerTooLarge, NotShortest};
    let found = |expected, found| Problem::Other { expected, found };
    for (bytes, problem) in [
        (&[][..], CutOff),
        (&[0x18], CutOff),
        (&[0x18, 0x17], NotShortest(23)),
        (&[0x19, 0x00, 0xff], NotShortest(255)),
        (&[0x1a, 0x00, 0x00, 0xff, 0xff], NotShortest(65_535)),
        (&[0x1b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff], NotShortest(0xffff_ffff)),
        (&[0x1c], Indefinite),
        (&[0x1f], Indefinite),
        (&[0x1b, 0x80, 0, 0, 0, 0, 0, 0, 0], IntegerTooLarge),
        (&[0x3b, 0x80, 0, 0, 0, 0, 0, 0, 0], IntegerTooLarge),
        (&[0x61, 0x61], found("an integer", "a text")),
        (&[0xf6], found("an integer", "null")),
        (&[0xf5], found("an integer", "a float or simple value")),
        (&[0xf9, 0x3c, 0x00], found("an integer", "a float or simple value")),
    ] {
        let whole = [&[0x00], bytes].concat();
        let mut reader = Reader::new(&whole);
        reader.integer().unwrap();
        assert_eq!(*reader.integer().unwrap_err(), Error { at: 1, problem }, "{bytes:02x?}");
        assert_eq!(reader.at(), 1, "what was refused is still the next item");
    }
    assert_eq!(Reader::new(&[0x61, 0xff]).text().unwrap_err().problem, Problem::NotUtf8);
    assert_eq!(Reader::new(&[0x7f, 0xff]).text().unwrap_err().problem, Indefinite);
    assert_eq!(Reader::new(&[0x41, 0]).byte_array::<32>().unwrap_err().problem, Problem::Length(32));
    assert_eq!(
        Reader::new(&[0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]).bytes().unwrap_err().problem,
        CutOff
    );
    assert_eq!(Reader::new(&[0x00]).end().unwrap_err().problem, Problem::Surplus);
}

#[test]
fn deep_arrays_and_items_that_do_not_occur_are_not_passed_over() {
    assert!(Reader::new(&[vec![0x81; 16], vec![0]].concat()).skip().is_ok());
    let deep = [vec![0x81; 17], vec![0]].concat();
    assert_eq!(Reader::new(&deep).skip().unwrap_err().problem, Problem::TooDeep);
    for (bytes, kind) in [(&[0xa0][..], "a map"), (&[0xc1, 0], "a tag"), (&[0xf5], "a float or simple value")]
    {
        assert_eq!(Reader::new(bytes).skip().unwrap_err().problem, Problem::Foreign(kind));
    }
    let many = [0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0];
    assert_eq!(Reader::new(&many).skip().unwrap_err().problem, Problem::CutOff);
}

proptest! {
    #[test]
    fn items_are_those_of_another_implementation(number: i64, big: u64, text: String, bytes: Vec<u8>) {
        let mut ours = Vec::new();
        write::array(&mut ours, 6);
        write::integer(&mut ours, number);
        write::unsigned(&mut ours, big);
        write::text(&mut ours, &text);
        write::bytes(&mut ours, &bytes);
        write::tag(&mut ours, big);
        write::null(&mut ours);
        write::map(&mut ours, 0);
        let mut theirs = minicbor::Encoder::new(Vec::new());
        theirs.array(6).unwrap().i64(number).unwrap().u64(big).unwrap().str(&text).unwrap();
        theirs.bytes(&bytes).unwrap().tag(minicbor::data::Tag::new(big)).unwrap().null().unwrap();
        theirs.map(0).unwrap();
        prop_assert_eq!(&ours, theirs.writer());
        prop_assert_eq!(write::head_len(big), 1 + [24, 0x100, 0x1_0000, 0x1_0000_0000].map(|least| big >= least)
            .iter().zip([1, 1, 2, 4]).map(|(longer, more)| if *longer { more } else { 0 }).sum::<usize>());
        let mut reader = Reader::new(&ours);
        prop_assert_eq!(reader.array("an array").unwrap(), 6);
        prop_assert_eq!(reader.integer().unwrap(), number);
        prop_assert_eq!(reader.unsigned().unwrap(), big);
        prop_assert_eq!(reader.text().unwrap(), &text);
        prop_assert_eq!(reader.bytes().unwrap(), &bytes);
        prop_assert_eq!(reader.tag().unwrap(), big);
        prop_assert!(reader.take_null());
        prop_assert_eq!(reader.map().unwrap(), 0);
        prop_assert!(reader.end().is_ok());
    }

    #[test]
    fn whatever_is_passed_over_is_canonical(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let mut reader = Reader::new(&bytes);
        if reader.skip().is_ok() {
            // Another reader finds the same end, and writing what it read gives the same bytes.
            let read = reader.since(0);
            let mut decoder = minicbor::Decoder::new(read);
            decoder.skip().unwrap();
            prop_assert_eq!(decoder.position(), read.len());
        }
    }
}
