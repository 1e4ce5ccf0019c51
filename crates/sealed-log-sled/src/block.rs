//! A block: entries side by side in one value, their exact bytes kept compressed.
//!
//! Layout before compression: count (u16 BE), then per entry its length (u32 BE), then the bytes.
//! The value starts with the layout's length (u32 BE), so that reading is bounded.

/// Most entries a block holds.
pub(crate) const MOST_ENTRIES: usize = 256;
/// Bytes at which a block is closed; one entry may be larger.
pub(crate) const CLOSE_AT_BYTES: usize = 16 * 1024;
/// No block is larger than this before compression.
const LARGEST: usize = CLOSE_AT_BYTES + sealed_log::entry::MAX_ENTRY_BYTES + 2 + 4 * MOST_ENTRIES;
const LEVEL: i32 = 3;

pub(crate) fn pack<T: AsRef<[u8]>>(entries: &[T]) -> Result<Vec<u8>, String> {
    let mut plain = Vec::new();
    let count = u16::try_from(entries.len()).map_err(|_| "too many entries for a block".to_owned())?;
    plain.extend_from_slice(&count.to_be_bytes());
    for entry in entries {
        let length =
            u32::try_from(entry.as_ref().len()).map_err(|_| "an entry too long for a block".to_owned())?;
        plain.extend_from_slice(&length.to_be_bytes());
    }
    entries.iter().for_each(|entry| plain.extend_from_slice(entry.as_ref()));
    let packed = zstd::bulk::compress(&plain, LEVEL).map_err(|error| error.to_string())?;
    let length = u32::try_from(plain.len()).map_err(|_| "a block too long".to_owned())?;
    Ok([&length.to_be_bytes()[..], &packed].concat())
}

pub(crate) fn unpack(value: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let (length, packed) = value.split_first_chunk::<4>().ok_or("a block without a length")?;
    let length = u32::from_be_bytes(*length) as usize;
    if length > LARGEST {
        return Err(format!("a block that claims {length} bytes; at most {LARGEST} are possible"));
    }
    let plain = zstd::bulk::decompress(packed, length).map_err(|error| error.to_string())?;
    if plain.len() != length {
        return Err(format!("a block of {} bytes that claims {length}", plain.len()));
    }
    split(&plain).ok_or_else(|| "a block whose lengths do not add up".to_owned())
}

fn split(plain: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (count, rest) = plain.split_first_chunk::<2>()?;
    let count = usize::from(u16::from_be_bytes(*count));
    let (lengths, mut bytes) = rest.split_at_checked(count * 4)?;
    let mut entries = Vec::with_capacity(count);
    for length in lengths.chunks_exact(4) {
        let length = u32::from_be_bytes(length.try_into().ok()?) as usize;
        let (entry, after) = bytes.split_at_checked(length)?;
        entries.push(entry.to_vec());
        bytes = after;
    }
    bytes.is_empty().then_some(entries)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_packed_comes_back_byte_for_byte() {
        for entries in
            [vec![vec![7; 60_000]], vec![vec![]; 256], (0..200_u8).map(|n| vec![n; usize::from(n)]).collect()]
        {
            assert_eq!(unpack(&pack(&entries).unwrap()).unwrap(), entries);
        }
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let value = pack(&[b"one".to_vec(), b"two and a half".to_vec()]).unwrap();
        for cut in 0..value.len() {
            assert!(unpack(&value[..cut]).is_err(), "cut at {cut}");
        }
        for at in 0..value.len() {
            for bit in 0..8 {
                let mut wrong = value.clone();
                wrong[at] ^= 1 << bit;
                let _ = unpack(&wrong);
            }
        }
        assert!(unpack(&u32::MAX.to_be_bytes()).unwrap_err().contains("at most"));
    }
}
