//! The host that a request names, parsed and checked for form. Which names belong to this server is not known
//! here.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use hyper::header::HOST;
use hyper::{Request, Version};

/// Longest name of a host, bytes (RFC 1035).
const LONGEST: usize = 253;

/// Why a request has no usable host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// There is no `Host` header.
    #[error("a request says which host it is for; this one has no Host header")]
    Missing,
    /// There are several.
    #[error("a request has one Host header; this one has several")]
    Several,
    /// It is neither a name nor an address, with a port or without.
    #[error("the Host header is neither a name nor an address, with a port or without")]
    Malformed,
    /// The request's target (`:authority` in HTTP/2) names another host.
    #[error("the Host header names another host than the request's own target does")]
    Differs,
}

/// A host and an optional port. Names compare without regard to case and to a dot at their end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// Lower-case letters, digits, `-`, `_` and dots; or an address.
    name: String,
    address: Option<IpAddr>,
    port: Option<u16>,
}

impl Host {
    /// The host a request is for. `None` for an HTTP/1.0 request without one; no browser sends those.
    ///
    /// # Errors
    /// [`HostError`].
    pub fn of<B>(request: &Request<B>) -> Result<Option<Self>, HostError> {
        let mut given = request.headers().get_all(HOST).iter();
        let header = given.next();
        if given.next().is_some() {
            return Err(HostError::Several);
        }
        let header =
            header.map(|host| host.to_str().map_err(|_| HostError::Malformed)?.parse()).transpose()?;
        let target: Option<Self> = request.uri().authority().map(|host| host.as_str().parse()).transpose()?;
        match (header, target, request.version()) {
            (Some(header), Some(target), _) if header != target => Err(HostError::Differs),
            (Some(header), _, _) => Ok(Some(header)),
            (None, None, Version::HTTP_10) => Ok(None),
            (None, Some(target), Version::HTTP_10 | Version::HTTP_2) => Ok(Some(target)),
            (None, _, _) => Err(HostError::Missing),
        }
    }

    /// The name, or the address in its usual form.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same host without a port.
    #[must_use]
    pub fn without_port(&self) -> Self {
        Self { port: None, ..self.clone() }
    }

    /// Whether it is an IP address. Nobody can redirect an address through DNS.
    #[must_use]
    pub const fn is_address(&self) -> bool {
        self.address.is_some()
    }

    /// The port, if one is given.
    #[must_use]
    pub const fn port(&self) -> Option<u16> {
        self.port
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.address {
            Some(IpAddr::V6(address)) => write!(f, "[{address}]")?,
            Some(IpAddr::V4(_)) | None => f.write_str(&self.name)?,
        }
        self.port.map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

impl FromStr for Host {
    type Err = HostError;

    fn from_str(text: &str) -> Result<Self, HostError> {
        let (host, port) = split(text).ok_or(HostError::Malformed)?;
        let (name, address) = match host {
            Written::Bracketed(host) => {
                let address: Ipv6Addr = host.parse().map_err(|_| HostError::Malformed)?;
                (address.to_string(), Some(address.into()))
            }
            Written::Plain(host) => match host.parse::<Ipv4Addr>() {
                Ok(address) => (address.to_string(), Some(address.into())),
                Err(_) => (named(host).ok_or(HostError::Malformed)?, None),
            },
        };
        Ok(Self { name, address, port })
    }
}

/// How a host is written: IPv6 addresses are in brackets.
enum Written<'a> {
    Bracketed(&'a str),
    Plain(&'a str),
}

fn split(text: &str) -> Option<(Written<'_>, Option<u16>)> {
    let (host, rest) = match text.strip_prefix('[') {
        Some(text) => text.split_once(']').map(|(host, rest)| (Written::Bracketed(host), rest))?,
        None => {
            let (host, rest) = text.split_at(text.find(':').unwrap_or(text.len()));
            (Written::Plain(host), rest)
        }
    };
    if rest.is_empty() {
        return Some((host, None));
    }
    let port = rest.strip_prefix(':').filter(|port| port.bytes().all(|byte| byte.is_ascii_digit()))?;
    // A colon without a port counts as no port (RFC 3986).
    if port.is_empty() { Some((host, None)) } else { Some((host, Some(port.parse().ok()?))) }
}

/// A DNS name in lower case and without a final dot, if it is one.
fn named(host: &str) -> Option<String> {
    let host = host.strip_suffix('.').unwrap_or(host);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_name = (1..=LONGEST).contains(&host.len()) && host.bytes().all(plain);
    is_name.then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn of(request: hyper::http::request::Builder) -> Result<Option<String>, HostError> {
        Host::of(&request.body(()).unwrap()).map(|host| host.map(|host| host.to_string()))
    }

    #[test]
    fn a_well_formed_host_is_parsed_and_anything_else_is_malformed() {
        for (text, name) in [
            ("localhost", "localhost"),
            ("LocalHost.:80", "localhost:80"),
            ("audit_1.casino.example:", "audit_1.casino.example"),
            ("127.0.0.1:7370", "127.0.0.1:7370"),
            ("[::1]:7370", "[::1]:7370"),
            ("[0:0::1]", "[::1]"),
            ("127.1", "127.1"),
        ] {
            assert_eq!(text.parse::<Host>().map(|host| host.to_string()).as_deref(), Ok(name), "{text}");
        }
        let long = "a".repeat(254);
        for text in [
            "",
            ".",
            ":80",
            "a b",
            "a/b",
            "a?b",
            "user@a",
            "a:b",
            "a:80:80",
            "a:+80",
            "a:65536",
            "::1",
            "[::1",
            "[a]",
            "[127.0.0.1]",
            "[::1]a",
            "[fe80::1%25eth0]",
            "ñ",
            "$(a)",
            "a%41",
            &long,
        ] {
            assert_eq!(text.parse::<Host>(), Err(HostError::Malformed), "{text}");
        }
        let is_address = |text: &str| text.parse::<Host>().unwrap().is_address();
        assert!(is_address("127.0.0.1") && is_address("[::1]:1"));
        // Forms that other programs accept as an address are names here.
        assert!(!["127.1", "2130706433", "0x7f.1", "0177.0.0.1", "localhost"].into_iter().any(is_address));
    }

    #[test]
    fn a_request_names_one_host_and_its_target_the_same() {
        let get = || Request::get("/");
        assert_eq!(of(get().header("host", "a:1")), Ok(Some("a:1".to_owned())));
        assert_eq!(of(get()), Err(HostError::Missing));
        assert_eq!(of(get().header("host", "a").header("host", "a")), Err(HostError::Several));
        assert_eq!(of(get().header("host", "a, b")), Err(HostError::Malformed));
        assert_eq!(of(get().header("host", "")), Err(HostError::Malformed));
        assert_eq!(of(get().version(Version::HTTP_10)), Ok(None));
        let whole = || Request::get("http://a/");
        assert_eq!(of(whole().header("host", "b")), Err(HostError::Differs));
        assert_eq!(of(whole().header("host", "A")), Ok(Some("a".to_owned())));
        assert_eq!(of(whole()), Err(HostError::Missing), "the target alone is not enough in HTTP/1.1");
        let whole = || Request::get("https://a:1/").version(Version::HTTP_2);
        assert_eq!(of(whole()), Ok(Some("a:1".to_owned())));
        assert_eq!(of(whole().header("host", "a:1")), Ok(Some("a:1".to_owned())));
        assert_eq!(of(whole().header("host", "a:2")), Err(HostError::Differs));
        assert_eq!(of(get().version(Version::HTTP_2)), Err(HostError::Missing));
        assert_eq!(of(Request::get("https://u@a/").version(Version::HTTP_2)), Err(HostError::Malformed));
    }
}
