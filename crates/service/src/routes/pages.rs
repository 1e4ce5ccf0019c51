//! Pages for people over HTTP: which page, in which language, under which policy of the browser.
//!
//! The pages come from `desk`, for any log that implements its [`Source`]. This module knows neither what stands on
//! them nor who may see them.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, Request, State};
use axum::http::header::{
    ACCEPT, ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE,
    LOCATION, REFERRER_POLICY, SET_COOKIE, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use desk::{Answer, Ask, Place, Refusal, Source, asset};
use door::{Door, DoorError, Limits};
use texts::Language;

use crate::observe::requests::request_id;
use crate::problem::Problem;
use crate::problem_type::ProblemType;
use crate::routes::hosts::Hosts;
use crate::routes::pages_key::{PagesKey, with_key};
use crate::routes::read_threads::ask as ask_reader;
use crate::server::ServiceError;

/// A log that pages are made of.
pub type SharedSource = Arc<dyn Source + Send + Sync>;

/// No script, style, image or request from anywhere else, none within a page, and no page of others round this one.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// How long a browser keeps the language that somebody chose: a year, in seconds.
const A_YEAR: u32 = 31_536_000;

/// The pages of a log that was read once, for whoever on this machine has their key.
#[derive(Debug)]
pub struct Pages {
    door: Door,
    key: Arc<PagesKey>,
}

impl Pages {
    /// Listens at `address`; port 0 takes a free one. With `language` the pages begin in it, whatever the browser prefers or
    /// was asked for before; a link still changes it.
    ///
    /// # Errors
    /// [`ServiceError`] if nothing can listen there, or this machine gives no random numbers.
    pub fn bind(address: &str, language: Option<Language>) -> Result<Self, ServiceError> {
        let door = Door::open(address, Limits { connections: 64, ..Limits::default() })?;
        let key = PagesKey::new(door.address().port(), language);
        let key = key.map_err(|error| ServiceError::Random(error.into()))?;
        Ok(Self { door, key })
    }

    /// The address of the first page, with the key.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/desk/{}", self.door.address(), self.key.query())
    }

    /// The same with a key that works once, for a program's arguments, which other users of the machine can read.
    #[must_use]
    pub fn url_once(&self) -> String {
        format!("http://{}/desk/{}", self.door.address(), self.key.query_once())
    }

    /// The address it listens at.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.door.address()
    }

    /// Serves until the process receives SIGTERM or SIGINT.
    ///
    /// # Errors
    /// [`DoorError`] if the server breaks off.
    pub fn run(self, source: SharedSource) -> Result<(), DoorError> {
        let place = Place { can_sign_out: false, is_live: false };
        let shown = Shown { source, place };
        let router = Router::new()
            .route("/", get(to_overview))
            .route("/desk/", get(page))
            .route("/desk/{page}", get(page))
            .fallback(no_page)
            .method_not_allowed_fallback(async |method: Method| Problem::not_for(&method))
            .layer(from_fn_with_state(self.key, with_key))
            .with_state(shown);
        // Nobody redirects this machine's own address, and no page of others may ask.
        let hosts = Hosts { given: Vec::new(), asks_for_tokens: false, scheme: "http" };
        self.door.serve(with_refusals_as_pages(hosts.before(router)), door::stop_signal)
    }
}

/// What the pages show.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) source: SharedSource,
    pub(crate) place: Place,
}

/// The root leads to the overview.
pub(crate) async fn to_overview() -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, "/desk/")]).into_response()
}

/// Every other address.
async fn no_page() -> Problem {
    Problem::absent("there is no such page; /desk/ has the first one")
}

/// One page, or a file that pages use.
pub(crate) async fn page(
    State(shown): State<Shown>,
    Query(query): Query<BTreeMap<String, String>>,
    request: Request,
) -> Response {
    answered(shown, query, request).await
}

pub(crate) async fn answered(shown: Shown, query: BTreeMap<String, String>, request: Request) -> Response {
    let path = request.uri().path();
    if let Some(file) = asset(path) {
        return sent(file, "max-age=300", None);
    }
    let chosen = query.get("lang").and_then(|lang| of_code(lang));
    let ask = asked(path, &request, query, shown.place.clone());
    let made = ask_reader(move || desk::answer(&*shown.source, &ask)).await;
    match made {
        Ok(answer) => sent(answer, "no-store", chosen),
        Err(problem) => problem.into_response(),
    }
}

/// A request as pages know it.
pub(crate) fn asked(path: &str, request: &Request, query: BTreeMap<String, String>, place: Place) -> Ask {
    let chosen = query.get("lang").and_then(|lang| of_code(lang));
    Ask {
        path: path.to_owned(),
        language: chosen.unwrap_or_else(|| language(request.headers())),
        query_text: request.uri().query().unwrap_or_default().to_owned(),
        query,
        place,
    }
}

/// An answer with what the browser must keep to; with the language that was chosen for the next pages.
pub(crate) fn sent(answer: Answer, kept: &'static str, chosen: Option<Language>) -> Response {
    let Answer { status, content_type, body } = answer;
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers: [(HeaderName, &'static str); 6] = [
        (CONTENT_TYPE, content_type),
        (CACHE_CONTROL, kept),
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Without any referrer browsers send a form with `Origin: null`, as a page of others would.
        (REFERRER_POLICY, "same-origin"),
        (VARY, "accept-language, cookie"),
    ];
    let mut response = (status, headers, body).into_response();
    chosen.into_iter().for_each(|language| keep_language(&mut response, language));
    response
}

/// Has the browser keep a language for the next pages.
pub(crate) fn keep_language(response: &mut Response, language: Language) {
    let cookie =
        format!("lang={}; Path=/desk/; Max-Age={A_YEAR}; SameSite=Strict; HttpOnly", language.code());
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}

/// The language that somebody chose before, or the first that the browser prefers and this program has.
pub(crate) fn language(headers: &HeaderMap) -> Language {
    let before = cookie(headers, "lang").and_then(of_code);
    let preferred = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    // Browsers send their languages in the order of preference.
    let mut preferred = preferred.split(',').filter_map(|one| of_code(one.split([';', '-']).next()?.trim()));
    before.or_else(|| preferred.next()).unwrap_or_default()
}

pub(crate) fn of_code(code: &str) -> Option<Language> {
    Language::ALL.into_iter().find(|language| language.code() == code)
}

/// The value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let each = all.flat_map(|value| value.split(';')).filter_map(|one| one.trim().split_once('='));
    each.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
}

/// A problem as a page says it.
pub(crate) fn unavailable(problem: &Problem) -> desk::Unavailable {
    if problem.is_absent() {
        desk::Unavailable::NotThere
    } else {
        desk::Unavailable::Refused(refusal(problem.kind()))
    }
}

/// What a page says of a problem of this type.
const fn refusal(kind: ProblemType) -> Refusal {
    match kind {
        ProblemType::Host => Refusal::Host,
        ProblemType::WhoAreYou => Refusal::NoToken,
        ProblemType::NotAllowed => Refusal::NotAllowed,
        ProblemType::Origin => Refusal::OtherSite,
        ProblemType::Absent => Refusal::NotThere,
        ProblemType::Method => Refusal::Method,
        ProblemType::Busy => Refusal::Busy,
        ProblemType::Fault => Refusal::Fault,
        ProblemType::Stopped => Refusal::Stopped,
        ProblemType::NotYet => Refusal::NotYet,
        ProblemType::Malformed
        | ProblemType::Query
        | ProblemType::TooSlow
        | ProblemType::Conflict
        | ProblemType::TooLarge
        | ProblemType::MediaType => Refusal::Unreadable,
    }
}

/// Puts in front of a router that a person in a browser reads refusals of pages as pages, in their language. Programs
/// get problem documents, and what is refused stays refused.
pub(crate) fn with_refusals_as_pages(router: Router) -> Router {
    router.layer(from_fn(refused_as_page))
}

async fn refused_as_page(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if !(path == "/" || path.starts_with("/desk")) || !takes_html(request.headers()) {
        return next.run(request).await;
    }
    let mut asked_with = Request::default();
    *asked_with.uri_mut() = request.uri().clone();
    *asked_with.headers_mut() = request.headers().clone();
    let answer = next.run(request).await;
    let Some(kind) = answer.extensions().get::<ProblemType>().copied() else { return answer };
    let query = Query::try_from_uri(asked_with.uri()).map(|Query(query)| query).unwrap_or_default();
    let place = Place { can_sign_out: false, is_live: false };
    let ask = asked("/desk/", &asked_with, query, place);
    let status = answer.status().as_u16();
    let page = desk::refusal("", &ask, refusal(kind), status, request_id().as_deref());
    let mut page = sent(page, "no-store", None);
    // What else the refusal says, for the browser and for the service's log.
    let (parts, _) = answer.into_parts();
    for (name, value) in &parts.headers {
        if !page.headers().contains_key(name) && name != CONTENT_LENGTH {
            page.headers_mut().append(name.clone(), value.clone());
        }
    }
    page.extensions_mut().extend(parts.extensions);
    page
}

/// Whether whoever asks reads HTML: a browser that opens a page.
pub(crate) fn takes_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|one| one.trim().starts_with("text/html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(cookies: &str, preferred: &str) -> HeaderMap {
        let value = |text: &str| HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static(""));
        HeaderMap::from_iter([(COOKIE, value(cookies)), (ACCEPT_LANGUAGE, value(preferred))])
    }

    #[test]
    fn the_language_is_the_chosen_one_then_the_preferred_one() {
        assert_eq!(language(&headers("a=b; lang=en", "es-ES,es;q=0.9")), Language::English);
        assert_eq!(language(&headers("", "fr, es-AR;q=0.8, en;q=0.7")), Language::Spanish);
        assert_eq!(language(&headers("lang=fr", "")), Language::English);
        assert_eq!(language(&HeaderMap::new()), Language::English);
    }
}
