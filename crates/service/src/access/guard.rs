//! Checks access before any handler runs, and rejects every request whose bearer may not do what it asks.
//! Access is checked again for as long as the request or its answer lasts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::HttpBody as _;
use axum::extract::{MatchedPath, RawPathParams, Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{RequestExt, Router};
use sealed_log::entry::ProducerId;

use super::asker::Asker;
use super::browser::{SignedIn, to_sign_in};
use super::file::{TokenFile, TokenFileError};
use super::in_force::InForce;
use super::notice::AccessNotice;
use super::revocable::{PIECE, revocable};
use super::session::{LASTS, Sessions};
use super::token::{Role, Shown, Token, TokenId};
use super::tokens::Refused;
use crate::problem::Problem;
use door::drain_body;
use intake::clock;

/// Paths that need no token: health, the API document, and everything that contains only hashes and
/// signatures, because witnesses and monitors read it without an account (C2SP tlog-tiles has no tokens).
const OPEN: &[&str] = &[
    "/healthz",
    "/readyz",
    "/openapi.json",
    "/checkpoint",
    "/tile/{*path}",
    "/v1/key",
    "/desk/desk.css",
    "/desk/desk.js",
    "/desk/icon.svg",
];
/// Where people sign in and out.
const SIGN: [&str; 2] = ["/desk/sign-in", "/desk/sign-out"];
/// Pages for people, who may have signed in instead of sending a token.
const PAGES: [&str; 4] = ["/", "/desk/", "/desk/{page}", "/desk/news"];
/// The route that takes events.
const EVENTS: &str = "/v1/tables/{table}/events";

/// The access rules of a service.
pub struct Access {
    tokens: InForce,
    pub(super) sessions: Sessions,
    observer: Box<dyn Fn(&AccessNotice) + Send + Sync>,
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Access").field("tokens", &self.tokens).finish_non_exhaustive()
    }
}

impl Access {
    /// Access by the tokens of this file, which is read again when it changes. Notices go to `observer`,
    /// which must not block.
    ///
    /// # Errors
    /// [`TokenFileError`] when the file cannot be used now.
    pub fn by_tokens(
        file: TokenFile,
        observer: impl Fn(&AccessNotice) + Send + Sync + 'static,
    ) -> Result<Self, TokenFileError> {
        let (tokens, sessions) = (InForce::open(file)?, Sessions::of_length(LASTS));
        Ok(Self { tokens, sessions, observer: Box::new(observer) })
    }

    /// Lets a person who signed in with a browser see pages for this long, at most twelve hours.
    #[must_use]
    pub fn with_sessions_of(self, length: std::time::Duration) -> Self {
        let length = time::Duration::try_from(length).unwrap_or(LASTS);
        Self { sessions: Sessions::of_length(length), ..self }
    }

    /// The caller, if the request is permitted.
    pub(super) fn admit(&self, needed: &Needed, shown: &Shown) -> Result<Caller, Denied> {
        let tokens = self.tokens.tokens(&*self.observer);
        let token = tokens.admit(shown, clock::date_to_compare())?;
        needed.allows(token)?;
        Ok(Caller { id: token.id().clone(), producer: token.wanted.producer.clone() })
    }
}

/// The caller of a permitted request.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    id: TokenId,
    producer: Option<ProducerId>,
}

impl Caller {
    /// The token that permitted it.
    pub(crate) fn token(&self) -> TokenId {
        self.id.clone()
    }
}

/// The producer of what `request` contains: the one its token is bound to, or `otherwise`.
pub(crate) fn producer(request: &Request, otherwise: &ProducerId) -> ProducerId {
    let caller = request.extensions().get::<Caller>();
    caller.and_then(|caller| caller.producer.clone()).unwrap_or_else(|| otherwise.clone())
}

/// Puts the check before all routes of a router and before its fallback.
pub(crate) fn guarded(router: Router, access: Option<Access>) -> Router {
    match access {
        None => router,
        Some(access) => router.layer(from_fn_with_state(Arc::new(access), guard)),
    }
}

/// A granted request: what it needed, and which token granted it.
struct Grant {
    access: Arc<Access>,
    needed: Needed,
    shown: Shown,
    is_over: AtomicBool,
}

impl Grant {
    /// Whether it would still be granted now.
    fn holds(&self) -> bool {
        let holds = self.access.admit(&self.needed, &self.shown).is_ok();
        self.is_over.fetch_or(!holds, Ordering::Relaxed);
        holds
    }
}

async fn guard(State(access): State<Arc<Access>>, mut request: Request, next: Next) -> Response {
    let needed = Needed::by(&mut request).await;
    match needed {
        Needed::Nothing => return next.run(request).await,
        Needed::ToSign => {
            request.extensions_mut().insert(access);
            return next.run(request).await;
        }
        Needed::Page | Needed::Read | Needed::Append { .. } | Needed::Admin => {}
    }
    let session = match needed {
        Needed::Page => access.of_session(request.headers()),
        Needed::Nothing | Needed::ToSign | Needed::Read | Needed::Append { .. } | Needed::Admin => None,
    };
    let signed_in = session.filter(|shown| access.admit(&needed, shown).is_ok());
    let shown = match signed_in {
        Some(shown) => {
            request.extensions_mut().insert(SignedIn);
            Ok(shown)
        }
        None if needed == Needed::Page && !request.headers().contains_key(AUTHORIZATION) => {
            return to_sign_in(&request);
        }
        None => bearer(request.headers()).map_err(Denied::from),
    };
    match shown.and_then(|shown| Ok((access.admit(&needed, &shown)?, shown))) {
        Ok((caller, shown)) => {
            let grant = Grant { access, needed, shown, is_over: AtomicBool::new(false) };
            let_in(Arc::new(grant), caller, request, next).await
        }
        Err(refused) => {
            drain_body(request).await;
            refused.into_response()
        }
    }
}

async fn let_in(grant: Arc<Grant>, caller: Caller, mut request: Request, next: Next) -> Response {
    let asker = Asker::let_in(caller.id.clone());
    request.extensions_mut().insert(caller);
    let response = next.run(request.map(|body| revocable(body, still(&grant)))).await;
    if grant.is_over.load(Ordering::Relaxed)
        && let Err(refused) = grant.access.admit(&grant.needed, &grant.shown)
    {
        // The body was cut off before it was complete, and no handler used it.
        return refused.into_response();
    }
    let mut response = revocable_answer(response, &grant);
    response.extensions_mut().insert(asker);
    response
}

/// Wraps an answer so that it is cut off when access ends. Short answers that are sent at once are not
/// wrapped.
fn revocable_answer(mut response: Response, grant: &Arc<Grant>) -> Response {
    match response.body().size_hint().exact() {
        Some(length) if length <= PIECE as u64 => return response,
        Some(length) => drop(response.headers_mut().insert(CONTENT_LENGTH, length.into())),
        None => {}
    }
    response.map(|body| revocable(body, still(grant)))
}

fn still(grant: &Arc<Grant>) -> impl FnMut() -> bool + Send + Unpin + 'static {
    let grant = Arc::clone(grant);
    move || grant.holds()
}

/// What a request needs.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Needed {
    Nothing,
    /// Signing in and out, which tokens decide about.
    ToSign,
    /// A page: reading, also by a session.
    Page,
    Read,
    Append {
        table: String,
    },
    Admin,
}

/// The least role of a token that an operation needs; none where it needs no token.
pub(crate) fn role_needed(method: &Method, path: &str) -> Option<Role> {
    match Needed::of(method, Some(path), || Some(String::new())) {
        Needed::Nothing | Needed::ToSign => None,
        Needed::Page | Needed::Read => Some(Role::Read),
        Needed::Append { .. } => Some(Role::Append),
        Needed::Admin => Some(Role::Admin),
    }
}

impl Needed {
    async fn by(request: &mut Request) -> Self {
        let parts = request.extract_parts::<RawPathParams>().await;
        let table = || {
            let parts = parts.ok()?;
            parts.iter().find(|(name, _)| *name == "table").map(|(_, table)| table.to_owned())
        };
        let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
        Self::of(request.method(), path, table)
    }

    /// What a route needs; `table` is the table that its path names.
    fn of(method: &Method, path: Option<&str>, table: impl FnOnce() -> Option<String>) -> Self {
        let reads = matches!(*method, Method::GET | Method::HEAD);
        match path {
            Some(path) if reads && OPEN.contains(&path) => Self::Nothing,
            Some(path) if SIGN.contains(&path) => Self::ToSign,
            Some(path) if reads && PAGES.contains(&path) => Self::Page,
            Some(EVENTS) if *method == Method::POST => {
                table().map_or(Self::Admin, |table| Self::Append { table })
            }
            Some(_) | None if reads => Self::Read,
            Some(_) | None => Self::Admin,
        }
    }

    fn allows(&self, token: &Token) -> Result<(), Denied> {
        let role = token.wanted.role;
        let allowed = match (self, role) {
            (Self::Nothing | Self::ToSign, _) | (_, Role::Admin) | (Self::Read | Self::Page, Role::Read) => {
                true
            }
            (Self::Append { table }, Role::Append) => {
                if !token.wanted.tables.hold(table) {
                    return Err(Denied::table(token));
                }
                true
            }
            (Self::Read | Self::Page | Self::Admin, Role::Append)
            | (Self::Append { .. } | Self::Admin, Role::Read) => false,
        };
        if allowed { Ok(()) } else { Err(Denied::role(token)) }
    }
}

/// The token of `Authorization: Bearer TOKEN`.
fn bearer(headers: &HeaderMap) -> Result<Shown, Refused> {
    let mut given = headers.get_all(AUTHORIZATION).iter();
    let value = given.next().ok_or(Refused::None)?;
    let text = value.to_str().ok().filter(|_| given.next().is_none()).ok_or(Refused::NoToken)?;
    let (scheme, token) = text.split_once(' ').ok_or(Refused::NoToken)?;
    let token = Some(token.trim()).filter(|_| scheme.eq_ignore_ascii_case("bearer"));
    token.and_then(Shown::parse).ok_or(Refused::NoToken)
}

/// A rejected request.
#[derive(Debug)]
pub(super) struct Denied {
    status: StatusCode,
    /// The challenge that RFC 6750 asks for.
    challenge: &'static str,
    /// For the client.
    detail: &'static str,
    /// For the log.
    pub(super) asker: Asker,
}

impl Denied {
    const fn forbidden(detail: &'static str, asker: Asker) -> Self {
        let challenge = "Bearer realm=\"audit\", error=\"insufficient_scope\"";
        Self { status: StatusCode::FORBIDDEN, challenge, detail, asker }
    }

    fn table(token: &Token) -> Self {
        let asker = Asker::refused("a token for other tables", token.id().clone());
        Self::forbidden("this token is for other tables; nothing was recorded", asker)
    }

    fn role(token: &Token) -> Self {
        let (why, detail) = match token.wanted.role {
            Role::Append => {
                ("a token that may append", "this token may post events of its tables, and nothing else")
            }
            Role::Read => ("a token that may read", "this token may read, and nothing else"),
            Role::Admin => ("a token that may not do that", "this token may not do that"),
        };
        Self::forbidden(detail, Asker::refused(why, token.id().clone()))
    }
}

impl From<Refused> for Denied {
    fn from(refused: Refused) -> Self {
        let bare = "Bearer realm=\"audit\"";
        let invalid = "Bearer realm=\"audit\", error=\"invalid_token\"";
        let (challenge, detail, asker) = match refused {
            Refused::None => {
                (bare, "send a token: Authorization: Bearer audit_...", Asker::unknown("no token", None))
            }
            Refused::NoToken => {
                let detail = "what was sent is no token: Authorization: Bearer audit_...";
                (invalid, detail, Asker::unknown("what was given is no token", None))
            }
            Refused::Unknown(id) => {
                let why = "a token that is not known, or with a wrong secret";
                (invalid, "this token is not known here", Asker::unknown(why, Some(id)))
            }
            Refused::Revoked(id) => {
                let detail = "this token was revoked; ask for another one";
                (invalid, detail, Asker::refused("a revoked token", id))
            }
            Refused::Expired(id) => {
                let detail = "this token's time is over; ask for another one";
                (invalid, detail, Asker::refused("an expired token", id))
            }
        };
        Self { status: StatusCode::UNAUTHORIZED, challenge, detail, asker }
    }
}

impl IntoResponse for Denied {
    fn into_response(self) -> Response {
        let mut response = Problem::access_refused(self.status, self.detail).into_response();
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static(self.challenge));
        response.extensions_mut().insert(self.asker);
        response
    }
}
