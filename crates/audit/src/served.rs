//! Reading a log that is served elsewhere: where it is, who we are there, and whom we believe to be it.
//! What is read is not trusted.

use std::fs;
use std::io::Read;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

use ureq::http::Uri;
use ureq::tls::{Certificate, ClientCert, PemItem, PrivateKey, RootCerts, TlsConfig, parse_pem};

use crate::Failure;
use crate::cli::LogRead;
use crate::log::small_text;

/// A served log, and how to ask for it.
pub(crate) struct ServedLog {
    url: String,
    agent: ureq::Agent,
    token: Option<String>,
}

impl ServedLog {
    /// The served log that is meant; `None` where a folder or a file is.
    pub(crate) fn meant(ask: &LogRead) -> Result<Option<Self>, Failure> {
        let Some(url) = url(&ask.log) else {
            return if ask.token_file.is_some() || ask.ca.is_some() || ask.client_cert.is_some() {
                let log = ask.log.display();
                Err(Failure::usage(format!(
                    "{log} is no URL; --token-file, --ca and --client-cert are for logs that are served"
                )))
            } else {
                Ok(None)
            };
        };
        let token = token(ask.token_file.as_deref())?;
        if token.is_some() && !ask.plain_http_beyond_this_machine && is_overheard(&url) {
            return Err(Failure::usage(format!(
                "{url}: whoever is in between could read the token; use https://, or give \
                 --plain-http-beyond-this-machine if that is meant"
            )));
        }
        let config = ureq::Agent::config_builder()
            .timeout_connect(Some(Duration::from_secs(10)))
            .timeout_recv_response(Some(Duration::from_secs(30)))
            .http_status_as_error(false)
            .tls_config(tls(ask)?)
            .build();
        Ok(Some(Self { url, agent: ureq::Agent::new_with_config(config), token }))
    }

    /// Where it is, without a slash at its end.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The archive the service hands out, as it comes.
    pub(crate) fn archive(&self) -> Result<impl Read + Send + 'static, Failure> {
        let url = &self.url;
        let mut request = self.agent.get(format!("{url}/v1/archive"));
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let response = request.call().map_err(|error| Failure::unreadable(format!("{url}: {error}")))?;
        let advice = match response.status().as_u16() {
            200 => return Ok(response.into_body().into_reader()),
            401 if self.token.is_none() => "; it asks for a token: give --token-file, or AUDIT_TOKEN",
            401 => "; it does not know this token, or no longer takes it",
            403 => "; this token may not read: it takes one of the role read",
            _ => "",
        };
        Err(Failure::unreadable(format!("{url}: http status: {}{advice}", response.status().as_u16())))
    }
}

/// The URL of a served log.
fn url(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    let is_url = text.starts_with("http://") || text.starts_with("https://");
    is_url.then(|| text.trim_end_matches('/').to_owned())
}

/// Whether what is sent there leaves this machine in the clear.
fn is_overheard(url: &str) -> bool {
    let uri: Option<Uri> = url.parse().ok();
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default();
    let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
    let is_here = host == "localhost" || address.is_some_and(|address| address.is_loopback());
    !url.starts_with("https://") && !is_here
}

/// The token in a file, or else in the environment.
fn token(file: Option<&Path>) -> Result<Option<String>, Failure> {
    let (from, text) = match file {
        Some(path) => (path.display().to_string(), small_text(path)?),
        None => match std::env::var("AUDIT_TOKEN") {
            Ok(text) if !text.is_empty() => ("AUDIT_TOKEN".to_owned(), text),
            Ok(_) | Err(_) => return Ok(None),
        },
    };
    let token = text.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if token.is_empty() || !token.chars().all(plain) {
        return Err(Failure::usage(format!("{from} holds no token; one looks like audit_0123456789ab_...")));
    }
    Ok(Some(token.to_owned()))
}

fn tls(ask: &LogRead) -> Result<TlsConfig, Failure> {
    let mut config = TlsConfig::builder();
    if let Some(path) = &ask.ca {
        config = config.root_certs(RootCerts::new_with_certs(&certificates(path)?));
    }
    if let (Some(certificate), Some(key)) = (&ask.client_cert, &ask.client_key) {
        let key_of = |pem: &[u8]| parse_pem(pem).find_map(|item| private_key(item.ok()?));
        let key = key_of(&read(key)?).ok_or_else(|| no_pem(key, "a private key"))?;
        config = config.client_cert(Some(ClientCert::new_with_certs(&certificates(certificate)?, key)));
    }
    Ok(config.build())
}

fn certificates(path: &Path) -> Result<Vec<Certificate<'static>>, Failure> {
    let pem = read(path)?;
    let found = parse_pem(&pem).filter_map(|item| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        Ok(_) | Err(_) => None,
    });
    let found: Vec<_> = found.collect();
    if found.is_empty() { Err(no_pem(path, "certificates")) } else { Ok(found) }
}

fn private_key(item: PemItem<'static>) -> Option<PrivateKey<'static>> {
    if let PemItem::PrivateKey(key) = item { Some(key) } else { None }
}

fn no_pem(path: &Path, expected: &str) -> Failure {
    Failure::unreadable(format!("{}: no PEM with {expected} in it", path.display()))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| Failure::unreadable(format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::is_overheard;

    #[test]
    fn a_token_leaves_this_machine_over_tls_only() {
        for here in ["http://127.0.0.1:7370", "http://localhost", "http://[::1]:80/x", "https://a.example"] {
            assert!(!is_overheard(here), "{here}");
        }
        let beyond = [
            "http://a.example",
            "http://10.0.0.7:7370",
            "http://localhost.example",
            "http://[::2]",
            "http://",
        ];
        for beyond in beyond {
            assert!(is_overheard(beyond), "{beyond}");
        }
    }
}
