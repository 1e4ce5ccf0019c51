//! Reads COSE receipts as others spell them: headers in any order, numbers and lengths in any well-formed spelling
//! (deterministic or not, definite or not), headers that are not known here passed over.
//!
//! What has to be there: an algorithm and the kind of tree in the protected headers, at least one inclusion proof
//! in the unprotected ones, and a signature. What RFC 9052 forbids is refused: a label that occurs twice, and
//! critical headers that are not known here.

use super::Inclusion;
use super::{ALGORITHM, CLAIMS, COSE_SIGN1, ED25519, EDDSA, INCLUSION, ISSUER, KEY_ID, ML_DSA_44, PROOFS};
use super::{RFC9162_SHA256, STRUCTURE, SUBJECT};
use minicbor::data::Type;
use minicbor::decode::{Decoder, Error};
use std::collections::BTreeSet;
use tlog::proof::MAX_PROOF_HASHES;
use tlog::tree::TreeHash;

/// Most inclusion proofs of one receipt that are read.
const MAX_INCLUSIONS: usize = 64;
/// Headers that have to be understood (RFC 9052 section 3.1).
const CRITICAL: u64 = 2;

/// What a receipt says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Read {
    /// The protected headers' bytes as they came: they are signed so.
    pub(super) protected: Vec<u8>,
    pub(super) algorithm: i64,
    /// A hint at the key, of any length.
    pub(super) key_id: Option<Vec<u8>>,
    pub(super) issuer: Option<String>,
    pub(super) subject: Option<String>,
    pub(super) inclusions: Vec<Inclusion>,
    /// The root, where it is attached as the payload.
    pub(super) root: Option<TreeHash>,
    pub(super) signature: Vec<u8>,
}

/// What is not as it must be.
#[derive(Debug)]
pub(super) struct Wrong {
    /// Offset in the receipt; of a nested part, where its byte string ends.
    pub(super) at: usize,
    pub(super) expected: &'static str,
}

/// A header's label.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Number(i128),
    Text(String),
}

impl Label {
    fn is(&self, number: impl Into<i128>) -> bool {
        *self == Self::Number(number.into())
    }
}

/// The protected headers that are known here.
#[derive(Default)]
struct Protected {
    algorithm: Option<i128>,
    structure: Option<i128>,
    key_id: Option<Vec<u8>>,
    issuer: Option<String>,
    subject: Option<String>,
    critical: Vec<Label>,
}

pub(super) fn read(receipt: &[u8]) -> Result<Read, Wrong> {
    let mut decoder = Decoder::new(receipt);
    let wrong = |at, expected| Wrong { at, expected };
    let end =
        sign1(&mut decoder).map_err(|_| wrong(0, "an array of four, with tag 18 before it (COSE_Sign1)"))?;
    let protected = bytes(&mut decoder)
        .map_err(|_| wrong(decoder.position(), "protected headers in a byte string, and all of it"))?;
    let at = decoder.position();
    let headers = read_protected(&protected).map_err(|_| {
        wrong(at, "protected headers: a map in which each label occurs once, and nothing behind it")
    })?;
    let algorithm = check(&headers).map_err(|expected| wrong(at, expected))?;
    let (inclusions, unprotected_key_id) = read_unprotected(&mut decoder)
        .map_err(|_| wrong(at, "unprotected headers with inclusion proofs [size, index, [hashes]]"))?;
    if inclusions.is_empty() {
        return Err(wrong(at, "at least one inclusion proof in the unprotected headers"));
    }
    let at = decoder.position();
    let root =
        payload(&mut decoder).map_err(|_| wrong(at, "a detached payload (null), or the root of 32 bytes"))?;
    let at = decoder.position();
    let signature =
        bytes(&mut decoder).map_err(|_| wrong(at, "a signature in a byte string, and all of it"))?;
    let closed = end.is_some() || take_break(&mut decoder);
    if !closed || decoder.position() != receipt.len() {
        return Err(wrong(decoder.position(), "the end, but more bytes follow"));
    }
    let Protected { key_id, issuer, subject, .. } = headers;
    let key_id = key_id.or(unprotected_key_id);
    Ok(Read { protected, algorithm, key_id, issuer, subject, inclusions, root, signature })
}

/// The algorithm, where everything that must be there is, and nothing that must be understood is unknown.
fn check(headers: &Protected) -> Result<i64, &'static str> {
    if headers.structure != Some(RFC9162_SHA256.into()) {
        return Err("the protected header 395 to be 1: a tree of the kind RFC9162_SHA256");
    }
    let known = [ALGORITHM, CRITICAL, KEY_ID, CLAIMS, STRUCTURE];
    if headers.critical.iter().any(|label| !known.iter().any(|known| label.is(*known))) {
        return Err("no critical header that is not known here");
    }
    let algorithm = headers.algorithm.ok_or("an algorithm in the protected headers")?;
    match [EDDSA, ED25519, ML_DSA_44].into_iter().find(|known| algorithm == i128::from(*known)) {
        Some(algorithm) => Ok(algorithm),
        None if algorithm == -7 => Err(
            "an algorithm that is read here: ES256 (-7) is not, but Ed25519 (-8, -19) and ML-DSA-44 (-48) are",
        ),
        None => Err("an algorithm that is read here: Ed25519 (-8, -19) or ML-DSA-44 (-48)"),
    }
}

/// The start of a COSE_Sign1, tagged or not; `None` when the array's end is marked by a break.
fn sign1(decoder: &mut Decoder<'_>) -> Result<Option<u64>, Error> {
    if decoder.datatype()? == Type::Tag && decoder.tag()?.as_u64() != COSE_SIGN1 {
        return Err(Error::message("another tag"));
    }
    match decoder.array()? {
        Some(4) => Ok(Some(4)),
        None => Ok(None),
        Some(_) => Err(Error::message("another length")),
    }
}

fn read_protected(bytes_of_map: &[u8]) -> Result<Protected, Error> {
    let mut decoder = Decoder::new(bytes_of_map);
    let mut found = Protected::default();
    each_pair(&mut decoder, |label, decoder| {
        if label.is(ALGORITHM) {
            found.algorithm = Some(number_or_other(decoder)?);
        } else if label.is(STRUCTURE) {
            found.structure = Some(number_or_other(decoder)?);
        } else if label.is(KEY_ID) {
            found.key_id = Some(bytes(decoder)?);
        } else if label.is(CRITICAL) {
            each_item(decoder, |decoder| {
                found.critical.push(read_label(decoder)?);
                Ok(())
            })?;
        } else if label.is(CLAIMS) {
            read_claims(decoder, &mut found)?;
        } else {
            decoder.skip()?;
        }
        Ok(())
    })?;
    if decoder.position() == bytes_of_map.len() { Ok(found) } else { Err(Error::message("more bytes")) }
}

fn read_claims(decoder: &mut Decoder<'_>, found: &mut Protected) -> Result<(), Error> {
    each_pair(decoder, |label, decoder| {
        if label.is(ISSUER) {
            found.issuer = Some(text(decoder)?);
        } else if label.is(SUBJECT) {
            found.subject = Some(text(decoder)?);
        } else {
            decoder.skip()?;
        }
        Ok(())
    })
}

/// The inclusion proofs, and the key id where it is not protected.
fn read_unprotected(decoder: &mut Decoder<'_>) -> Result<(Vec<Inclusion>, Option<Vec<u8>>), Error> {
    let (mut inclusions, mut key_id) = (Vec::new(), None);
    each_pair(decoder, |label, decoder| {
        if label.is(PROOFS) {
            each_pair(decoder, |kind, decoder| {
                if kind.is(INCLUSION) { read_inclusions(decoder, &mut inclusions) } else { decoder.skip() }
            })?;
        } else if label.is(KEY_ID) {
            key_id = Some(bytes(decoder)?);
        } else {
            decoder.skip()?;
        }
        Ok(())
    })?;
    Ok((inclusions, key_id))
}

fn read_inclusions(decoder: &mut Decoder<'_>, inclusions: &mut Vec<Inclusion>) -> Result<(), Error> {
    each_item(decoder, |decoder| {
        if inclusions.len() == MAX_INCLUSIONS {
            return Err(Error::message("too many inclusion proofs"));
        }
        inclusions.push(read_inclusion(&bytes(decoder)?)?);
        Ok(())
    })
}

fn read_inclusion(encoded: &[u8]) -> Result<Inclusion, Error> {
    let mut decoder = Decoder::new(encoded);
    let length = decoder.array()?;
    let (size, index, mut hashes) = (decoder.u64()?, decoder.u64()?, Vec::new());
    each_item(&mut decoder, |decoder| {
        let hash = bytes(decoder)?.try_into().map_err(|_| Error::message("a hash has 32 bytes"))?;
        hashes.push(hash);
        if hashes.len() > MAX_PROOF_HASHES { Err(Error::message("too many hashes")) } else { Ok(()) }
    })?;
    let closed = length == Some(3) || (length.is_none() && take_break(&mut decoder));
    if closed && decoder.position() == encoded.len() {
        return Ok(Inclusion { size, index, hashes });
    }
    Err(Error::message("three items and nothing behind them"))
}

fn payload(decoder: &mut Decoder<'_>) -> Result<Option<TreeHash>, Error> {
    if decoder.datatype()? == Type::Null {
        decoder.null()?;
        return Ok(None);
    }
    let root = bytes(decoder)?.try_into().map_err(|_| Error::message("a root has 32 bytes"))?;
    Ok(Some(root))
}

/// Goes through a map of known or unknown length; no label may occur twice.
fn each_pair<'b>(
    decoder: &mut Decoder<'b>,
    mut pair: impl FnMut(&Label, &mut Decoder<'b>) -> Result<(), Error>,
) -> Result<(), Error> {
    let length = decoder.map()?;
    let mut seen = BTreeSet::new();
    each(decoder, length, |decoder| {
        let label = read_label(decoder)?;
        pair(&label, decoder)?;
        if seen.insert(label) { Ok(()) } else { Err(Error::message("a label occurs twice")) }
    })
}

/// Goes through an array of known or unknown length.
fn each_item<'b>(
    decoder: &mut Decoder<'b>,
    item: impl FnMut(&mut Decoder<'b>) -> Result<(), Error>,
) -> Result<(), Error> {
    let length = decoder.array()?;
    each(decoder, length, item)
}

fn each<'b>(
    decoder: &mut Decoder<'b>,
    length: Option<u64>,
    mut item: impl FnMut(&mut Decoder<'b>) -> Result<(), Error>,
) -> Result<(), Error> {
    match length {
        Some(length) => (0..length).try_for_each(|_| item(decoder)),
        None => {
            while !take_break(decoder) {
                item(decoder)?;
            }
            Ok(())
        }
    }
}

/// Takes the break that ends an item of unknown length.
fn take_break(decoder: &mut Decoder<'_>) -> bool {
    let is_break = decoder.datatype().is_ok_and(|kind| kind == Type::Break);
    if is_break {
        decoder.set_position(decoder.position() + 1);
    }
    is_break
}

fn read_label(decoder: &mut Decoder<'_>) -> Result<Label, Error> {
    if matches!(decoder.datatype()?, Type::String | Type::StringIndef) {
        return text(decoder).map(Label::Text);
    }
    decoder.int().map(|number| Label::Number(number.into()))
}

/// A number; 0, which stands for no algorithm and no kind of tree, for a name.
fn number_or_other(decoder: &mut Decoder<'_>) -> Result<i128, Error> {
    match read_label(decoder)? {
        Label::Number(number) => Ok(number),
        Label::Text(_) => Ok(0),
    }
}

fn bytes(decoder: &mut Decoder<'_>) -> Result<Vec<u8>, Error> {
    let mut whole = Vec::new();
    for piece in decoder.bytes_iter()? {
        whole.extend_from_slice(piece?);
    }
    Ok(whole)
}

fn text(decoder: &mut Decoder<'_>) -> Result<String, Error> {
    let mut whole = String::new();
    for piece in decoder.str_iter()? {
        whole.push_str(piece?);
    }
    Ok(whole)
}
