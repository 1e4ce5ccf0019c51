//! Reads a log that a service hands out: its address, our credentials, and the certificates that are
//! accepted. What is read is not trusted.

use std::io::Read;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use client::{Client, ClientError, Identity, Options};

use crate::cli::{AskAs, LogRead};
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::text_file::small_text;

/// A served log, and how to ask for it.
pub(crate) struct ServedLog {
    client: Client,
    has_token: bool,
}

impl ServedLog {
    /// The served log that is meant; `None` where a folder or a file is.
    pub(crate) fn meant(ask: &LogRead) -> Result<Option<Self>, Failure> {
        let Some(url) = url(&ask.log) else {
            let AskAs { token_file, ca, client_cert, .. } = &ask.ask_as;
            return if token_file.is_some() || ca.is_some() || client_cert.is_some() {
                let log = ask.log.display();
                Err(Failure::usage(texts().only_for_served(log)))
            } else {
                Ok(None)
            };
        };
        let options = options(&url, &ask.ask_as)?;
        let has_token = options.token.is_some();
        let client = Client::new(&url, options).map_err(Failure::of_reading)?;
        Ok(Some(Self { client, has_token }))
    }

    /// Its URL, without a slash at the end.
    pub(crate) fn url(&self) -> &str {
        self.client.base()
    }

    /// The archive the service hands out, as it comes.
    pub(crate) fn archive(&self) -> Result<impl Read + Send + use<>, Failure> {
        self.client.archive().map_err(|error| refused(&error, self.has_token))
    }
}

/// Why a service gave nothing, and what to do.
pub(crate) fn refused(error: &ClientError, has_token: bool) -> Failure {
    let advice = match error.problem().map(|problem| problem.status) {
        Some(401) if !has_token => texts().service_requires_token(),
        Some(401) => texts().service_refuses_token(),
        Some(403) => texts().token_may_not_read(),
        Some(404) => texts().give_printed_address(),
        Some(_) | None => String::new(),
    };
    Failure::by_cause(Exit::Unreadable, format!("{}{advice}", said(error)), error)
}

/// The options of a client for the service at this URL.
pub(crate) fn options(url: &str, ask: &AskAs) -> Result<Options, Failure> {
    let token = token(ask.token_file.as_deref())?;
    if token.is_some() && !ask.plain_http_beyond_this_machine && is_overheard(url) {
        return Err(Failure::usage(texts().token_overheard(url)));
    }
    let read = |path: &Option<PathBuf>| path.as_deref().map(read).transpose();
    let identity = read(&ask.client_cert)?.zip(read(&ask.client_key)?);
    let identity = identity.map(|(certificates, key)| Identity { certificates, key });
    Ok(Options { token, ca: read(&ask.ca)?, identity, ..Options::default() })
}

/// The URL of a served log.
pub(crate) fn url(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    let is_url = text.starts_with("http://") || text.starts_with("https://");
    is_url.then(|| text.trim_end_matches('/').to_owned())
}

/// Whether what is sent there leaves this machine in the clear.
fn is_overheard(url: &str) -> bool {
    let host = client::host(url).unwrap_or_default();
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
        return Err(Failure::usage(texts().holds_no_token(from)));
    }
    Ok(Some(token.to_owned()))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    service::read_pem_file(path).map_err(|error| Failure::file(path.display(), &error))
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
