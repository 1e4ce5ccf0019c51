//! TLS of the client: the authorities it trusts and the certificate it shows.

use ureq::tls::{Certificate, ClientCert, PemItem, PrivateKey, RootCerts, TlsConfig, parse_pem};

use crate::{ClientError, Options};

pub(crate) fn tls(options: &Options) -> Result<TlsConfig, ClientError> {
    let mut config = TlsConfig::builder();
    if let Some(pem) = &options.ca {
        let authorities = certificates("the authorities that vouch for the service", pem)?;
        config = config.root_certs(RootCerts::new_with_certs(&authorities));
    }
    if options.accept_any_certificate {
        config = config.disable_verification(true);
    }
    if let Some(identity) = &options.identity {
        let own = certificates("the certificate to show", &identity.certificates)?;
        let key = parse_pem(&identity.key).find_map(|item| private_key(item.ok()?));
        let key = key.ok_or_else(|| no_pem("the key of the certificate to show", "a private key"))?;
        config = config.client_cert(Some(ClientCert::new_with_certs(&own, key)));
    }
    Ok(config.build())
}

fn certificates(what: &str, pem: &[u8]) -> Result<Vec<Certificate<'static>>, ClientError> {
    let mut found = Vec::new();
    for item in parse_pem(pem) {
        let item = item.map_err(|error| ClientError::Options(format!("{what}: {error}")))?;
        if let PemItem::Certificate(certificate) = item {
            found.push(certificate);
        }
    }
    if found.is_empty() { Err(no_pem(what, "certificates")) } else { Ok(found) }
}

fn private_key(item: PemItem<'static>) -> Option<PrivateKey<'static>> {
    if let PemItem::PrivateKey(key) = item { Some(key) } else { None }
}

fn no_pem(what: &str, expected: &str) -> ClientError {
    ClientError::Options(format!("{what}: no PEM with {expected} in it"))
}
