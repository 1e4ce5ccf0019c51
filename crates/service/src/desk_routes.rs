//! The pages of a running service: signing in, findings that appear while a page is open, and the pages themselves.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Form, Query, Request, State};
use axum::http::header::{CACHE_CONTROL, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use desk::Place;
use follower::Filter;
use replay::Finding;
use serde::{Deserialize, Serialize};
use texts::{Language, Texts};

use crate::access::{Access, SESSION, SignedIn};
use crate::app_state::AppState;
use crate::findings::{last_seen, streamed};
use crate::live_pages::LivePages;
use crate::pages::{SharedSource, Shown, answered, asked, language, sent, to_overview};
use crate::problem::Problem;

/// The routes of pages.
pub(crate) fn routes(app: &Arc<AppState>) -> Router<Arc<AppState>> {
    let source: SharedSource = Arc::new(LivePages::new(Arc::clone(app)));
    Router::new()
        .route("/", get(to_overview))
        .route("/desk/", get(page))
        .route("/desk/{page}", get(page))
        // Files that show nothing of the log need no token.
        .route("/desk/desk.css", get(page))
        .route("/desk/desk.js", get(page))
        .route("/desk/icon.svg", get(page))
        .route("/desk/news", get(news))
        .route("/desk/sign-in", get(sign_in_page).post(sign_in))
        .route("/desk/sign-out", post(sign_out))
        .layer(Extension(source))
}

async fn page(
    Extension(source): Extension<SharedSource>,
    Query(query): Query<BTreeMap<String, String>>,
    request: Request,
) -> Response {
    let can_sign_out = request.extensions().get::<SignedIn>().is_some();
    let shown = Shown { source, place: Place { can_sign_out, is_live: true } };
    answered(shown, query, request).await
}

/// What somebody fills in to sign in.
#[derive(Deserialize)]
struct SignIn {
    token: String,
    #[serde(default)]
    back: String,
}

async fn sign_in_page(
    State(app): State<Arc<AppState>>,
    Query(query): Query<BTreeMap<String, String>>,
    access: Option<Extension<Arc<Access>>>,
    request: Request,
) -> Response {
    if access.is_none() {
        // Without tokens there is nothing to sign in to.
        return to_overview().await;
    }
    let back = query.get("back").cloned().unwrap_or_default();
    sign_in_again(&app, &request, query, &back, false)
}

/// The page to sign in; in English or Spanish.
fn sign_in_again(
    app: &AppState,
    request: &Request,
    query: BTreeMap<String, String>,
    back: &str,
    refused: bool,
) -> Response {
    let place = Place { can_sign_out: false, is_live: false };
    let chosen = query.get("lang").and_then(|lang| crate::pages::of_code(lang));
    let ask = asked("/desk/sign-in", request, query, place);
    sent(desk::sign_in(app.key.name(), &ask, back, refused), "no-store", chosen)
}

async fn sign_in(
    State(app): State<Arc<AppState>>,
    access: Option<Extension<Arc<Access>>>,
    headers: HeaderMap,
    form: Result<Form<SignIn>, axum::extract::rejection::FormRejection>,
) -> Response {
    let Some(Extension(access)) = access else { return to_overview().await };
    let Ok(Form(SignIn { token, back })) = form else {
        return Problem::query("expected a form with the field token").into_response();
    };
    let Some(name) = access.sign_in(&token) else {
        let request = with_headers(headers);
        return sign_in_again(&app, &request, BTreeMap::new(), &back, true);
    };
    // Only a page of this service: `//host` would lead elsewhere.
    let back = Some(back).filter(|back| back.starts_with("/desk/")).unwrap_or_else(|| "/desk/".to_owned());
    with_cookie(&app, &back, &name, "")
}

async fn sign_out(
    State(app): State<Arc<AppState>>,
    access: Option<Extension<Arc<Access>>>,
    headers: HeaderMap,
) -> Response {
    if let Some(Extension(access)) = access {
        access.sign_out(&headers);
    }
    with_cookie(&app, "/desk/", "", "; Max-Age=0")
}

fn with_headers(headers: HeaderMap) -> Request {
    let mut request = Request::default();
    *request.headers_mut() = headers;
    request
}

/// Leads to a page with the session's cookie: scripts cannot read it, and other sites' pages do not send it.
fn with_cookie(app: &AppState, to: &str, name: &str, ends: &str) -> Response {
    let secure = if app.tls_expiry.get().is_some() { "; Secure" } else { "" };
    let cookie = format!("{SESSION}={name}; Path=/; HttpOnly; SameSite=Strict{secure}{ends}");
    let mut response = StatusCode::SEE_OTHER.into_response();
    for (header, value) in
        [(LOCATION, to.to_owned()), (SET_COOKIE, cookie), (CACHE_CONTROL, "no-store".to_owned())]
    {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().append(header, value);
        }
    }
    response
}

/// A finding as an open page shows it.
#[derive(Serialize)]
struct News {
    href: String,
    text: String,
}

/// The findings that are published from now on, or after the one that the browser saw last.
async fn news(State(app): State<Arc<AppState>>, headers: HeaderMap) -> Result<Response, Problem> {
    let following = app.following()?;
    // What is no number is taken for nothing seen: a browser sends what it was sent.
    let seen = last_seen(&headers).ok().flatten();
    let after = seen.unwrap_or_else(|| following.follower().findings().published());
    let language = language(&headers);
    streamed(&app, following, Filter::default(), after, move |number, line| event(number, &line, language))
}

/// A line of the published findings, as far as news tell it.
#[derive(Deserialize)]
struct Line {
    finding: Option<Finding>,
}

/// A published finding as news; none where it follows from another or was taken back.
fn event(number: u64, line: &str, language: Language) -> Option<Event> {
    let line: Line = serde_json::from_str(line).ok()?;
    let finding = line.finding.filter(|finding| finding.cause.is_none())?;
    let (href, text) = desk::news(&finding, Texts::of(language));
    let data = serde_json::to_string(&News { href, text }).ok()?;
    Some(Event::default().id(number.to_string()).event("finding").data(data))
}
