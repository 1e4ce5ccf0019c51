//! A redacted entry: what is kept of an entry whose payload is withheld from a copy or erased from a store.
//!
//! ```text
//! [0, digest (32 bytes), producer, chain, first, count, previous (32 bytes), received_at]
//! ```
//! The digest is the entry's own, so the tree over it is the one that was signed; the rest repeats
//! the entry's header, and is only a claim: without the payload nobody can hash it again.

use crate::entry::{BEFORE_PRODUCER, read_header};
use crate::entry::{Digest, EntryError, EntryView, parse_entry};
use canonical_cbor::{Reader, write};

/// The first field of a redacted entry, where a whole entry has its format version.
const REDACTED: u64 = 0;
/// Bytes before a redacted entry's producer: as in an entry, and the digest.
const BEFORE_REDACTED_PRODUCER: usize = BEFORE_PRODUCER + 34;
/// The first bytes of every redacted entry: an array of eight, [`REDACTED`].
const START: [u8; 2] = [0x88, 0x00];

/// An entry as it is kept: whole or redacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptEntry<'a> {
    /// Its fields; the payload is empty where it is withheld.
    pub view: EntryView<'a>,
    /// The digest it was sealed under, where its payload is withheld.
    pub withheld: Option<Digest>,
}

impl KeptEntry<'_> {
    /// Bytes before the producer.
    pub(crate) const fn before_producer(&self) -> usize {
        if self.withheld.is_some() { BEFORE_REDACTED_PRODUCER } else { BEFORE_PRODUCER }
    }
}

/// Reads an entry, whole or redacted, without copying it.
///
/// # Errors
/// [`EntryError`] names the byte and what was expected there.
pub fn parse_kept(bytes: &[u8]) -> Result<KeptEntry<'_>, EntryError> {
    if !bytes.starts_with(&START) {
        return parse_entry(bytes).map(|view| KeptEntry { view, withheld: None });
    }
    let mut reader = Reader::new(bytes);
    let (_eight, _redacted) = (reader.array("an array of known length")?, reader.unsigned()?);
    let digest = Digest::from_bytes(reader.byte_array()?);
    let view = read_header(&mut reader)?;
    reader.end()?;
    Ok(KeptEntry { view, withheld: Some(digest) })
}

/// Whether the bytes are a redacted entry.
pub(crate) fn is_redacted(bytes: &[u8]) -> bool {
    bytes.starts_with(&START) && parse_kept(bytes).is_ok()
}

/// The digest an entry was sealed under: BLAKE3 of its bytes; for a redacted entry the digest it states.
#[must_use]
pub fn sealed_digest(bytes: &[u8]) -> Digest {
    if !bytes.starts_with(&START) {
        return Digest::of(bytes);
    }
    parse_kept(bytes).ok().and_then(|kept| kept.withheld).unwrap_or_else(|| Digest::of(bytes))
}

/// The redacted form of an entry; that of a redacted entry is itself.
///
/// # Errors
/// [`EntryError`] when the bytes are neither.
pub fn redact_entry(bytes: &[u8]) -> Result<Vec<u8>, EntryError> {
    let KeptEntry { view, withheld } = parse_kept(bytes)?;
    let digest = withheld.unwrap_or_else(|| Digest::of(bytes));
    let mut bytes = Vec::with_capacity(BEFORE_REDACTED_PRODUCER + 200);
    write::array(&mut bytes, 8);
    write::unsigned(&mut bytes, REDACTED);
    write::bytes(&mut bytes, digest.as_bytes());
    write::text(&mut bytes, view.producer);
    write::text(&mut bytes, view.chain);
    write::unsigned(&mut bytes, view.first);
    write::unsigned(&mut bytes, u64::from(view.count));
    write::bytes(&mut bytes, view.previous.as_bytes());
    write::integer(&mut bytes, view.received_at);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::entry::chain_name_offset;
    use crate::entry::{EntryHeader, encode_entry};

    fn entry(payload: &[u8]) -> Vec<u8> {
        let header = EntryHeader {
            producer: "pit-1".parse().unwrap(),
            chain: "mesa-07".parse().unwrap(),
            first: 300,
            count: 7,
            previous: Digest::of(b"before"),
            received_at: -5,
        };
        encode_entry(&header, payload).unwrap()
    }

    #[test]
    fn it_keeps_everything_but_the_payload() {
        let whole = entry(b"what was played");
        let redacted = redact_entry(&whole).unwrap();
        let (before, after) = (parse_kept(&whole).unwrap(), parse_kept(&redacted).unwrap());
        assert_eq!(after.withheld, Some(Digest::of(&whole)));
        assert_eq!(EntryView { payload: b"what was played", ..after.view }, before.view);
        assert_eq!(sealed_digest(&redacted), sealed_digest(&whole));
        assert_eq!(redact_entry(&redacted).unwrap(), redacted);
        assert!(!redacted.windows(4).any(|bytes| bytes == b"what"));
    }

    #[test]
    fn its_bytes_are_these() {
        let digest = Digest::of(&entry(b""));
        let mut expected = vec![0x88, 0x00, 0x58, 0x20];
        expected.extend_from_slice(digest.as_bytes());
        expected.extend_from_slice(b"\x65pit-1\x67mesa-07\x19\x01\x2c\x07\x58\x20");
        expected.extend_from_slice(Digest::of(b"before").as_bytes());
        expected.push(0x24);
        assert_eq!(redact_entry(&entry(b"")).unwrap(), expected);
    }

    #[test]
    fn the_chain_name_is_where_it_is_said_to_be() {
        for bytes in [entry(b"x"), redact_entry(&entry(b"x")).unwrap()] {
            let kept = parse_kept(&bytes).unwrap();
            assert!(bytes[chain_name_offset(&kept.view, kept.before_producer())..].starts_with(b"mesa-07"));
        }
    }

    #[test]
    fn anything_else_is_neither() {
        let redacted = redact_entry(&entry(b"x")).unwrap();
        for cut in 0..redacted.len() {
            assert!(parse_kept(&redacted[..cut]).is_err(), "cut at {cut}");
        }
        let longer = [&redacted[..], &[0x41, 0x78]].concat();
        assert!(parse_kept(&longer).is_err());
        assert_eq!(sealed_digest(&longer), Digest::of(&longer));
        assert!(parse_entry(&redacted).is_err(), "a redacted entry is no entry");
    }
}
