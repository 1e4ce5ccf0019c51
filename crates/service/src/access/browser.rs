//! Signing in and out with a browser, and who sees pages.

use axum::extract::Request;
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use super::asker::Asker;
use super::guard::{Access, Denied, Needed};
use super::token::Shown;
use super::tokens::Refused;
use crate::routes::pages::cookie;
use intake::clock;

/// The cookie of a session.
pub(crate) const SESSION: &str = "audit_session";

/// Marks a request whose bearer signed in, and can sign out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignedIn;

impl Access {
    /// The token of the session that a browser sends.
    pub(super) fn of_session(&self, headers: &HeaderMap) -> Option<Shown> {
        self.sessions.shown(cookie(headers, SESSION)?, clock::date_to_compare())
    }

    /// Begins a session with a token's text; gives its name.
    ///
    /// # Errors
    /// Who was refused, and why, for the log: the token may not read now.
    pub(crate) fn sign_in(&self, token: &str) -> Result<String, Asker> {
        let admitted = Shown::parse(token.trim()).ok_or(Refused::NoToken).map_err(Denied::from);
        let shown = admitted.and_then(|shown| self.admit(&Needed::Read, &shown).map(|_| shown));
        let shown = shown.map_err(|denied| denied.asker)?;
        let id = shown.id.clone();
        let begun = self.sessions.begin(shown, clock::date_to_compare());
        begun.ok_or_else(|| Asker::refused("this machine gives no random numbers", id))
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
