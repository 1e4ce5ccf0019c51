//! Checks `Host` and `Origin` before access is checked: requests to a host name that is not the service's,
//! and requests of foreign web pages, are refused. The owner of a domain can point it to this machine (DNS
//! rebinding); the browser would then let any page read and post here. This module does not know the paths.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::ORIGIN;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use door::Host;

use crate::problem::Problem;
use door::drain_body;

/// The name every machine has for itself.
const LOCALHOST: &str = "localhost";

/// The accepted host names and what is expected of callers.
#[derive(Debug)]
pub(crate) struct Hosts {
    /// Configured names.
    pub(crate) given: Vec<Host>,
    /// Whether a token is required: a foreign page has none.
    pub(crate) asks_for_tokens: bool,
    /// `http` or `https`.
    pub(crate) scheme: &'static str,
}

impl Hosts {
    /// Puts the check before all routes of a router and before its fallback.
    pub(crate) fn before(self, router: Router) -> Router {
        router.layer(from_fn_with_state(Arc::new(self), check))
    }

    fn check(&self, request: &Request) -> Result<(), Problem> {
        let host = Host::of(request).map_err(|error| Problem::no_host(&error))?;
        if let Some(host) = host.as_ref().filter(|host| !self.is_called(host)) {
            return Err(Problem::misdirected(host));
        }
        self.check_origin(host.as_ref(), request.headers())
    }

    /// Whether this is a name of the service. Addresses are accepted: nobody can redirect an address.
    fn is_called(&self, host: &Host) -> bool {
        let is_given = self.given.iter().any(|given| given.name() == host.name());
        let takes_any = self.asks_for_tokens && self.given.is_empty();
        is_given || takes_any || host.is_address() || host.name() == LOCALHOST
    }

    /// A browser sends the page's origin, except when the page cannot see the answer.
    fn check_origin(&self, host: Option<&Host>, headers: &HeaderMap) -> Result<(), Problem> {
        let mut given = headers.get_all(ORIGIN).iter();
        let Some(origin) = given.next() else { return Ok(()) };
        let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
        let is_own = origin.is_some_and(|(scheme, page)| {
            let page = page.parse::<Host>().ok();
            let alike =
                |page: Host, host: &Host| page.name() == host.name() && self.port(&page) == self.port(host);
            scheme == self.scheme && page.zip(host).is_some_and(|(page, host)| alike(page, host))
        });
        if is_own && given.next().is_none() { Ok(()) } else { Err(Problem::foreign_page()) }
    }

    fn port(&self, host: &Host) -> u16 {
        host.port().unwrap_or(if self.scheme == "https" { 443 } else { 80 })
    }
}

async fn check(State(hosts): State<Arc<Hosts>>, request: Request, next: Next) -> Response {
    match hosts.check(&request) {
        Ok(()) => next.run(request).await,
        Err(problem) => {
            drain_body(request).await;
            problem.into_response()
        }
    }
}
