//! The collector's address, checked before the service starts.

use std::sync::Arc;

use axum::http::Uri;
use axum::http::uri::Scheme;
use opentelemetry_otlp::ExporterBuildError;

use super::queue::Kept;
use super::sending::Sending;

/// The path for traces below the collector's address.
const PATH: &str = "/v1/traces";

/// An OpenTelemetry collector that takes OTLP over HTTP (protobuf).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collector {
    pub(crate) traces: String,
}

/// Why the collector cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CollectorError {
    /// The address.
    #[error(
        "`{0}` is not the address of a collector that takes OTLP over HTTP: it begins with http:// or https:// \
         and has neither query nor fragment nor a user, as http://127.0.0.1:4318 (a password goes into \
         OTEL_EXPORTER_OTLP_HEADERS)"
    )]
    Address(String),
    /// One of the `OTEL_EXPORTER_OTLP_...` variables of the environment.
    #[error("spans cannot be sent: {0}")]
    Exporter(#[from] ExporterBuildError),
}

impl Collector {
    /// A collector at `address` (`http://127.0.0.1:4318`); traces go to `/v1/traces` below it.
    ///
    /// # Errors
    /// [`CollectorError`].
    pub fn at(address: &str) -> Result<Self, CollectorError> {
        let wrong = || CollectorError::Address(address.to_owned());
        let uri: Uri = address.parse().map_err(|_| wrong())?;
        let is_http = uri.scheme().is_some_and(|scheme| [Scheme::HTTP, Scheme::HTTPS].contains(scheme));
        let has_host = uri.host().is_some_and(|host| !host.is_empty());
        // User information does not belong in a log: a password is given in OTEL_EXPORTER_OTLP_HEADERS.
        let authority = uri.authority().map_or("", |authority| authority.as_str());
        let after_host = authority.rsplit(']').next().unwrap_or_default();
        let is_plain = !authority.contains('@') && after_host.contains(':') == uri.port_u16().is_some();
        if !is_http || !has_host || !is_plain || uri.query().is_some() || address.contains('#') {
            return Err(wrong());
        }
        let traces = format!("{}{PATH}", address.trim_end_matches('/'));
        // The environment is checked now, not when the service runs.
        Sending::to(&traces, Kept::default(), Arc::default())?;
        Ok(Self { traces })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn traces_go_below_the_address_that_was_given() {
        for (address, traces) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("https://collector.example/", "https://collector.example/v1/traces"),
            ("http://[::1]:4318/otel", "http://[::1]:4318/otel/v1/traces"),
        ] {
            assert_eq!(Collector::at(address).unwrap().traces, traces, "{address}");
        }
    }

    #[test]
    fn an_invalid_address_is_reported() {
        for wrong in [
            "",
            "127.0.0.1:4318",
            "collector",
            "grpc://a:4317",
            "http://",
            "http://a/?b",
            "http://a/#b",
            "http://a b",
            "http://user:password@a:4318",
            "http://a:99999",
            "http://a:",
        ] {
            let said = Collector::at(wrong).unwrap_err().to_string();
            assert!(said.contains(&format!("`{wrong}`")) && said.contains("127.0.0.1:4318"), "{said}");
        }
    }
}
