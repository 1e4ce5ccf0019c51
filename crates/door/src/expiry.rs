//! When a TLS certificate expires: the one field of X.509 (RFC 5280, section 4.1.2.5) that an operator has to watch.
//! Whether a certificate is good is for rustls to say.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use der::asn1::{GeneralizedTime, UtcTime};
use der::{Decode as _, Reader, SliceReader, Tag};
use tokio_rustls::rustls::pki_types::CertificateDer;

/// When the first certificate of the chain in force expires; follows the files while the server runs.
#[derive(Debug, Clone, Default)]
pub struct Expiry(Arc<AtomicU64>);

impl Expiry {
    /// Seconds since 1970 UTC; 0 if no certificate of the chain says.
    #[must_use]
    pub fn seconds(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn of(chain: &[CertificateDer<'_>]) -> u64 {
        chain.iter().filter_map(|certificate| not_after(certificate).ok()).min().unwrap_or(0)
    }

    pub(crate) fn set(&self, seconds: u64) {
        self.0.store(seconds, Ordering::Relaxed);
    }
}

/// The end of a certificate's validity, seconds since 1970 UTC.
fn not_after(certificate: &[u8]) -> der::Result<u64> {
    SliceReader::new(certificate)?.sequence(|certificate| {
        let expires = certificate.sequence(|signed| {
            if Tag::peek(signed)?.is_context_specific() {
                // The version, which certificates of version 1 leave out.
                signed.tlv_bytes()?;
            }
            // Serial number, algorithm, issuer.
            for _ in 0..3 {
                signed.tlv_bytes()?;
            }
            let expires = signed.sequence(|validity| {
                validity.tlv_bytes()?;
                time(validity)
            })?;
            skip(signed)?;
            Ok::<_, der::Error>(expires)
        })?;
        skip(certificate)?;
        Ok(expires)
    })
}

fn time<'a>(reader: &mut impl Reader<'a>) -> der::Result<u64> {
    let since = if Tag::peek(reader)? == Tag::UtcTime {
        UtcTime::decode(reader)?.to_unix_duration()
    } else {
        GeneralizedTime::decode(reader)?.to_unix_duration()
    };
    Ok(since.as_secs())
}

fn skip<'a>(reader: &mut impl Reader<'a>) -> der::Result<()> {
    while !reader.is_finished() {
        reader.tlv_bytes()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::*;

    fn until(year: i32) -> CertificateDer<'static> {
        let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        params.not_after = date_time_ymd(year, 1, 31);
        params.self_signed(&KeyPair::generate().unwrap()).unwrap().der().clone()
    }

    // Until 2049 a certificate has the year in two digits, from then on in four.
    #[test]
    fn the_first_of_a_chain_to_expire_counts_in_both_forms_of_time() {
        let (soon, late) = (until(2027), until(2055));
        assert_eq!(Expiry::of(std::slice::from_ref(&late)), 2_684_966_400);
        assert_eq!(Expiry::of(&[late, soon]), 1_801_353_600);
    }

    #[test]
    fn what_is_no_certificate_says_nothing() {
        assert_eq!(Expiry::of(&[]), 0);
        let whole = until(2027);
        for length in 0..whole.len() {
            assert_eq!(Expiry::of(&[CertificateDer::from(whole[..length].to_vec())]), 0, "{length}");
        }
    }
}
