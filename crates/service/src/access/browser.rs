//! Signing in and out with a browser, and who sees pages.

use axum::extract::Request;
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use time::OffsetDateTime;

use super::guard::{Access, Needed};
use super::token::Shown;
use crate::pages::cookie;

/// The cookie of a session.
pub(crate) const SESSION: &str = "audit_session";

/// Marks a request whose bearer signed in, and can sign out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignedIn;

impl Access {
    /// The token of the session that a browser sends.
    pub(super) fn of_session(&self, headers: &HeaderMap) -> Option<Shown> {
        self.sessions.shown(cookie(headers, SESSION)?, OffsetDateTime::now_utc())
    }

    /// Begins a session with a token's text; gives its name, or `None` where the token may not read now.
    pub(crate) fn sign_in(&self, token: &str) -> Option<String> {
        let shown = Shown::parse(token.trim())?;
        self.admit(&Needed::Read, &shown).ok()?;
        self.sessions.begin(shown, OffsetDateTime::now_utc())
    }

    /// Ends the session that a browser sends.
    pub(crate) fn sign_out(&self, headers: &HeaderMap) {
        cookie(headers, SESSION).into_iter().for_each(|name| self.sessions.end(name));
    }
}

/// Sends whoever has not signed in to the page where they can, and back to this one afterwards.
pub(super) fn to_sign_in(request: &Request) -> Response {
    let back = request.uri().path_and_query().map_or("/desk/", |asked| asked.as_str());
    let back = percent_encoding::utf8_percent_encode(back, percent_encoding::NON_ALPHANUMERIC);
    (StatusCode::SEE_OTHER, [(LOCATION, format!("/desk/sign-in?back={back}"))]).into_response()
}
