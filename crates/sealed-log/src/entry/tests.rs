//! Tests of the entry's bytes: golden bytes, a CBOR reader that is not ours, and every refusal.
#![allow(clippy::unwrap_used)]

use super::*;
use proptest::prelude::*;

fn header() -> EntryHeader {
    EntryHeader {
        producer: ProducerId::new("pit-1").unwrap(),
        chain: ChainName::new("mesa-07").unwrap(),
        first: 300,
        count: 7,
        previous: Digest::of(b"before"),
        received_at: 1_700_000_000_000_000,
    }
}

#[test]
fn golden_bytes() {
    let mut header = header();
    header.previous = Digest::ZERO;
    let bytes = encode_entry(&header, b"abc").unwrap();
    let mut expected = b"\x88\x01\x65pit-1\x67mesa-07\x19\x01\x2c\x07\x58\x20".to_vec();
    expected.extend_from_slice(&[0; 32]);
    expected.extend_from_slice(b"\x1b\x00\x06\x0a\x24\x18\x1e\x40\x00\x43abc");
    assert_eq!(bytes, expected);
}

#[test]
fn another_cbor_reader_reads_it() {
    let bytes = encode_entry(&header(), b"abc").unwrap();
    let mut decoder = minicbor::Decoder::new(&bytes);
    assert_eq!(decoder.array().unwrap(), Some(8));
    assert_eq!(decoder.u64().unwrap(), 1);
    assert_eq!(decoder.str().unwrap(), "pit-1");
    assert_eq!(decoder.str().unwrap(), "mesa-07");
    assert_eq!(decoder.u64().unwrap(), 300);
    assert_eq!(decoder.u32().unwrap(), 7);
    assert_eq!(decoder.bytes().unwrap(), Digest::of(b"before").as_bytes());
    assert_eq!(decoder.i64().unwrap(), 1_700_000_000_000_000);
    assert_eq!(decoder.bytes().unwrap(), b"abc");
    assert_eq!(decoder.position(), bytes.len());
}

#[test]
fn another_version_is_told_apart() {
    let mut bytes = encode_entry(&header(), b"abc").unwrap();
    bytes[1] = 2;
    assert_eq!(parse_entry(&bytes), Err(EntryError::UnknownVersion(2)));
    // A later version may have more fields.
    bytes[0] = 0x89;
    assert_eq!(parse_entry(&bytes), Err(EntryError::UnknownVersion(2)));
}

#[test]
fn every_truncation_and_a_surplus_byte_are_refused() {
    let mut bytes = encode_entry(&header(), b"abc").unwrap();
    for length in 0..bytes.len() {
        assert!(matches!(parse_entry(&bytes[..length]), Err(EntryError::Malformed { .. })), "{length}");
    }
    bytes.push(0);
    assert!(matches!(parse_entry(&bytes), Err(EntryError::Malformed { .. })));
}

/// The entry with one of its items replaced by other bytes.
fn with_item(position: usize, item: &[u8]) -> Vec<u8> {
    let mut items: Vec<Vec<u8>> =
        [&b"\x88"[..], b"\x01", b"\x61p", b"\x61c", b"\x05", b"\x01"].map(<[u8]>::to_vec).into();
    items.push([&b"\x58\x20"[..], &[7; 32]].concat());
    items.push(b"\x00".to_vec());
    items.push(b"\x41x".to_vec());
    items[position] = item.to_vec();
    items.concat()
}

#[test]
fn only_the_shortest_definite_spelling_is_read() {
    assert!(parse_entry(&with_item(4, b"\x05")).is_ok());
    let refused: &[(usize, &[u8])] = &[
        (0, b"\x9f"),                 // indefinite array
        (0, b"\x98\x08"),             // long array head
        (0, b"\x87"),                 // seven fields
        (1, b"\x18\x01"),             // long version
        (2, b"\x78\x01p"),            // long text head
        (2, b"\x7f\x61p\xff"),        // indefinite text
        (2, b"\x60"),                 // empty name
        (2, b"\x62\xc3\xa9"),         // not in the alphabet
        (2, b"\x61\xff"),             // not UTF-8
        (3, b"\x63a/b"),              // slash in a chain
        (3, b"\x41c"),                // bytes for text
        (4, b"\x00"),                 // position zero
        (4, b"\x18\x05"),             // long number
        (4, b"\x19\x00\x05"),         // longer
        (4, b"\x1a\x00\x00\x00\x05"), // longer
        (4, b"\x1b\x00\x00\x00\x00\x00\x00\x00\x05"),
        (4, b"\x20"),                                 // negative
        (4, b"\x1b\xff\xff\xff\xff\xff\xff\xff\xff"), // first + count overflows
        (5, b"\x00"),                                 // count zero
        (5, b"\x19\x10\x01"),                         // count 4097
        (5, b"\x1b\x00\x00\x00\x01\x00\x00\x00\x01"), // count past 32 bits
        (6, b"\x41\x00"),                             // short digest
        (7, b"\x1b\x80\x00\x00\x00\x00\x00\x00\x00"), // past i64
        (7, b"\x3b\x80\x00\x00\x00\x00\x00\x00\x00"), // below i64
        (7, b"\xf6"),                                 // null
        (8, b"\x5f\x41x\xff"),                        // indefinite bytes
        (8, b"\x61x"),                                // text for bytes
        (8, b"\x5b\xff\xff\xff\xff\xff\xff\xff\xff"), // claims the address space
    ];
    for (position, item) in refused {
        assert!(parse_entry(&with_item(*position, item)).is_err(), "item {position}: {item:02x?}");
    }
}

#[test]
fn size_and_positions_are_bounded() {
    let header = header();
    let overhead = encode_entry(&header, &[0; 60_000]).unwrap().len() - 60_000;
    let most = MAX_ENTRY_BYTES - overhead;
    assert_eq!(encode_entry(&header, &vec![0; most]).unwrap().len(), MAX_ENTRY_BYTES);
    assert_eq!(encode_entry(&header, &vec![0; most + 1]), Err(EntryError::TooLong(MAX_ENTRY_BYTES + 1)));
    let wrong =
        |first, count| encode_entry(&EntryHeader { first, count, ..header.clone() }, b"").unwrap_err();
    assert_eq!(wrong(0, 1), EntryError::ZeroFirst);
    assert_eq!(wrong(1, 0), EntryError::Count(0));
    assert_eq!(wrong(1, 4_097), EntryError::Count(4_097));
    assert_eq!(wrong(u64::MAX, 1), EntryError::Overflow { first: u64::MAX, count: 1 });
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        producer in "[A-Za-z0-9._:#@+-]{1,64}", chain in "[A-Za-z0-9._:#@+-]{1,64}",
        first in 1..=u64::MAX - 4_096, count in 1..=4_096_u32, received_at: i64, seed: [u8; 32],
        payload in proptest::collection::vec(any::<u8>(), 0..600),
    ) {
        let header = EntryHeader {
            producer: ProducerId::new(&producer).unwrap(), chain: ChainName::new(&chain).unwrap(),
            first, count, previous: Digest::from_bytes(seed), received_at,
        };
        let bytes = encode_entry(&header, &payload).unwrap();
        let (producer_id, chain_name) = (&header.producer, &header.chain);
        let length = check_entry(producer_id, chain_name, first, count, received_at, payload.len());
        prop_assert_eq!(length, Ok(bytes.len()));
        let view = parse_entry(&bytes).unwrap();
        prop_assert_eq!((view.producer, view.chain), (&*producer, &*chain));
        prop_assert_eq!((view.first, view.count, view.received_at), (first, count, received_at));
        prop_assert_eq!((view.previous, view.payload), (header.previous, &*payload));
    }

    /// Whatever parses has exactly the bytes we would have written: one entry, one spelling.
    #[test]
    fn one_spelling(at in 0..70_usize, byte: u8, second in 0..70_usize, other: u8) {
        let mut bytes = encode_entry(&header(), b"abc").unwrap();
        let length = bytes.len();
        bytes[at % length] = byte;
        bytes[second % length] = other;
        if let Ok(view) = parse_entry(&bytes) {
            let header = EntryHeader {
                producer: ProducerId::new(view.producer).unwrap(), chain: ChainName::new(view.chain).unwrap(),
                first: view.first, count: view.count, previous: view.previous, received_at: view.received_at,
            };
            prop_assert_eq!(encode_entry(&header, view.payload).unwrap(), bytes);
        }
    }
}
