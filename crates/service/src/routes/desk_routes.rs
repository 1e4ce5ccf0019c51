//! The pages of a running service: signing in, findings that appear while a page is open, and the pages themselves.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Form, FromRequest as _, Query, Request, State};
use axum::http::header::{CACHE_CONTROL, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Extension, Router};
use desk::Place;
use follower::Filter;
use replay::Finding;
use serde::{Deserialize, Serialize};
use texts::Texts;

use crate::access::{Access, SESSION, SignedIn};
use crate::app_state::AppState;
use crate::json::Json;
use crate::problem::Problem;
use crate::routes::bodies::BodyFault;
use crate::routes::live_pages::LivePages;
use crate::routes::pages::{SharedSource, Shown, answered, asked, language, sent, to_overview};
use crate::routes::read_threads;

/// The routes of pages.
pub(crate) fn routes(app: &Arc<AppState>) -> Router<Arc<AppState>> {
    let source: SharedSource = Arc::new(LivePages::new(Arc::clone(app)));
    let router = all().into_iter().fold(Router::new(), |router, (path, route)| router.route(path, route));
    router.layer(Extension(source))
}

/// The paths of the routes of pages, which no document lists: tests walk them.
pub fn page_routes() -> impl Iterator<Item = &'static str> {
    all().into_iter().map(|(path, _)| path)
}

fn all() -> [(&'static str, MethodRouter<Arc<AppState>>); 9] {
    [
        ("/", get(to_overview)),
        ("/desk/", get(page)),
        ("/desk/{page}", get(page)),
        // Files that show nothing of the log need no token.
        ("/desk/desk.css", get(page)),
        ("/desk/desk.js", get(page)),
        ("/desk/icon.svg", get(page)),
        ("/desk/news", get(news)),
        ("/desk/sign-in", get(sign_in_page).post(sign_in)),
        ("/desk/sign-out", post(sign_out)),
    ]
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
    let chosen = query.get("lang").and_then(|lang| crate::routes::pages::of_code(lang));
    let ask = asked("/desk/sign-in", request, query, place);
    sent(desk::sign_in(app.key.name(), &ask, back, refused), "no-store", chosen)
}

async fn sign_in(
    State(app): State<Arc<AppState>>,
    access: Option<Extension<Arc<Access>>>,
    request: Request,
) -> Response {
    let Some(Extension(access)) = access else { return to_overview().await };
    let headers = request.headers().clone();
    let SignIn { token, back } = match form(&app, request).await {
        Ok(form) => form,
        Err(problem) => return problem.into_response(),
    };
    let name = match access.sign_in(&token) {
        Ok(name) => name,
        Err(asker) => {
            let mut page = sign_in_again(&app, &with_headers(headers), BTreeMap::new(), &back, true);
            page.extensions_mut().insert(asker);
            return page;
        }
    };
    with_cookie(&app, &page_to_show(&back), &name, "")
}

/// Where somebody goes on who signed in: only a page of this service, as `//host` and `..` would lead elsewhere. The header
/// that says so holds characters of an address alone.
fn page_to_show(back: &str) -> String {
    let path = back.split(['?', '#']).next().unwrap_or_default();
    let leads_up = path.to_lowercase().replace("%2e", ".").contains("..");
    if !back.starts_with("/desk/") || leads_up {
        return "/desk/".to_owned();
    }
    let of_address = |byte: u8| byte.is_ascii_alphanumeric() || b"/?#&=%-._~!$'()*+,;:@".contains(&byte);
    back.bytes()
        .map(|byte| if of_address(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Reads what somebody filled in. Nobody has shown a token yet, so little is held of it, and not for long.
async fn form(app: &AppState, request: Request) -> Result<SignIn, Problem> {
    let (parts, body) = request.into_parts();
    let body = app.forms.read(body).await.map_err(|fault| match fault {
        BodyFault::TooLong => Problem::form_too_large(app.forms.longest()),
        BodyFault::TooSlow => Problem::too_slow(),
        BodyFault::Broken => Problem::broken(),
        BodyFault::Evicted => Problem::many_ask(),
    })?;
    let request = Request::from_parts(parts, Body::from(body.bytes.clone()));
    let form = Form::from_request(request, &()).await;
    form.map(|Form(form)| form).map_err(|_| Problem::query("expected a form with the field token"))
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
    let secure = if app.is_https.get().is_some() { "; Secure" } else { "" };
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

/// Most findings that a page is told of at once: it shows three.
const MOST_NEWS: usize = 20;

/// What is new for an open page. It asks again and again: a stream for each page would leave a browser no connection for
/// another one, and would go on after its reader signed out.
#[derive(Serialize)]
struct News {
    /// The number of the newest finding that this tells of, to ask with next.
    after: u64,
    findings: Vec<Item>,
}

/// A finding as an open page shows it.
#[derive(Serialize)]
struct Item {
    href: String,
    text: String,
}

/// The findings that were published after a number; without one, the number of the newest.
async fn news(
    State(app): State<Arc<AppState>>,
    Query(query): Query<BTreeMap<String, String>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let following = app.following()?;
    let published = following.follower().findings().published();
    // What is no number is taken for nothing seen: a page sends what it was sent.
    let seen = query.get("after").and_then(|after| after.parse().ok()).unwrap_or(published).min(published);
    let mut news = News { after: seen, findings: Vec::new() };
    if seen < published {
        let page = read_threads::ask(move || {
            following.follower().findings().page(&Filter::default(), seen, MOST_NEWS)
        });
        let page = page.await?;
        let page =
            page.map_err(|error| Problem::own_fault(format!("the findings cannot be read: {error}")))?;
        let texts = Texts::of(language(&headers));
        let items = page.lines.iter().filter_map(|(_, line)| item(line, texts));
        news = News { after: page.next, findings: items.collect() };
    }
    Ok(([(CACHE_CONTROL, "no-store")], Json(news)).into_response())
}

/// A line of the published findings, as far as news tell it.
#[derive(Deserialize)]
struct Line {
    finding: Option<Finding>,
}

/// A published finding as news; none where it follows from another or was taken back.
fn item(line: &str, texts: Texts) -> Option<Item> {
    let line: Line = serde_json::from_str(line).ok()?;
    let finding = line.finding.filter(|finding| finding.cause.is_none())?;
    let (href, text) = desk::news(&finding, texts);
    Some(Item { href, text })
}

#[cfg(test)]
mod tests {
    use super::page_to_show;

    #[test]
    fn who_signed_in_is_led_to_a_page_of_this_service() {
        for (back, to) in [
            ("/desk/", "/desk/"),
            (
                "/desk/coup?table=PB%201&shoe=a..b&coup=3#bets",
                "/desk/coup?table=PB%201&shoe=a..b&coup=3#bets",
            ),
            ("/desk/\u{202e}\t\u{85}x y\"<", "/desk/%E2%80%AE%09%C2%85x%20y%22%3C"),
            ("/desk/a\r\nforged: x", "/desk/a%0D%0Aforged:%20x"),
            ("/desk/../v1/key", "/desk/"),
            ("/desk/.%2E/v1/key", "/desk/"),
            ("/desk/..\\v1", "/desk/"),
            ("/desk", "/desk/"),
            ("//elsewhere.example/desk/", "/desk/"),
            ("https://elsewhere.example/desk/", "/desk/"),
            ("", "/desk/"),
        ] {
            assert_eq!(page_to_show(back), to, "{back:?}");
        }
    }
}
