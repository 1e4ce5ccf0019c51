//! The API as an OpenAPI 3.1 document, generated from the same routes as the router.
//!
//! Every schema comes from the type that is read or written (the feature `schema` of their crates). Only what no type
//! holds as a whole is declared here. A test compares all of it with real answers.

#![allow(dead_code, reason = "these types are never made: they say what answers look like")]

mod completed;

use axum::Extension;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use door::Shared;
use follower::LiveCertificate;
use replay::{Finding, Program};
use serde_json::{Map, Value};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::{IntoResponses, Modify, OpenApi, ToSchema};

use crate::problem_type::ProblemType;
use crate::routes::ingest::Receipts;
use crate::schema;

/// The document without its paths, which come from the router.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "audit serve",
        description = "Takes what happened at baccarat tables, answers once it is sealed and durable, and lets the \
                       log be read, proven and judged.\n\n\
                       Integers: every one is a whole number within the bounds of its schema, and many of these reach \
                       2^64 - 1. Readers that take numbers for doubles, as JavaScript's `JSON.parse` does, lose digits \
                       above 2^53 - 1 (9007199254740991). Sums in events and the sequences of events never exceed it. \
                       Ids of bets do if the table system chooses such ids.\n\n\
                       Words: `Code`, `Reason`, `StatementKind` and `ProblemType` are open: a newer version may send \
                       words that this document does not list. All other lists of words are closed. Members may be \
                       added to every object of an answer.\n\n\
                       Limits: a post has at most 8 MiB (unless the service is started with another `--max-body`) and \
                       16,384 events, an event at most 1 MiB of JSON, a page of findings at most 1,000. Parameters that \
                       an operation does not have are refused where it has any; a post ignores those that are not \
                       nearly one of its own."
    ),
    external_docs(
        url = "integrating.md",
        description = "The guide for those who write table systems, beside this file in `docs/`: posts, receipts, \
                       problems, limits, generated clients"
    ),
    modifiers(&Tokens),
    security((), ("token" = [])),
    tags(
        (name = "ingest", description = "For table systems"),
        (
            name = "log",
            description = "What was sealed, and its proofs (C2SP tlog-tiles)",
            external_docs(url = "https://c2sp.org/tlog-tiles", description = "C2SP tlog-tiles")
        ),
        (name = "certification", description = "The result of the record"),
        (name = "running", description = "For those who run it")
    )
)]
pub(crate) struct Document;

struct Tokens;

impl Modify for Tokens {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        document.components.get_or_insert_default().add_security_scheme("token", scheme);
    }
}

/// The document, serialised once and shared by all answers.
#[derive(Debug, Clone)]
pub(crate) struct Served(Bytes);

impl Served {
    pub(crate) fn of(document: utoipa::openapi::OpenApi) -> Self {
        // A document of texts and lists is always JSON.
        let mut document = serde_json::to_value(document).unwrap_or_default();
        completed::complete(&mut document);
        // The router calls the rest of a path `{*path}`, which OpenAPI does not know.
        if let Some(Value::Object(paths)) = document.get_mut("paths").map(Value::take) {
            let named = paths.into_iter().map(|(path, item)| (path.replace("{*", "{"), item));
            document["paths"] = named.collect::<Map<_, _>>().into();
        }
        Self(schema::document(document).unwrap_or_default().into())
    }

    pub(crate) fn answer(&self) -> Response {
        (Extension(Shared), [(CONTENT_TYPE, "application/json")], self.0.clone()).into_response()
    }
}

/// Binary data.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
pub(crate) struct Octets(Vec<u8>);

/// What went wrong (RFC 9457).
#[derive(ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemSchema {
    /// Stable type of the problem.
    #[schema(rename = "type")]
    kind: ProblemType,
    /// What kind of problem it is, in words.
    title: String,
    /// The status of the answer.
    status: u16,
    /// A sentence for people.
    detail: String,
    /// Line, element or item of the body, from 1.
    #[schema(nullable = false)]
    line: Option<u64>,
    /// Column of that line, from 1.
    #[schema(nullable = false)]
    column: Option<u64>,
    /// The parameter that is refused: of the query, the path or the headers.
    #[schema(nullable = false)]
    parameter: Option<String>,
    /// What that parameter may be, if these are words; of a parameter that is not known, those that there are.
    #[schema(nullable = false)]
    allowed: Option<Vec<String>>,
    /// The request's id in the service's log.
    #[schema(nullable = false)]
    request_id: Option<String>,
}

/// Events were recorded in addition to others with the same numbers: the problem, and the receipts.
#[derive(ToSchema)]
#[schema(as = Conflict)]
pub(crate) struct ConflictSchema {
    #[serde(flatten)]
    problem: ProblemSchema,
    #[serde(flatten)]
    recorded: Receipts,
    /// The first 100 sequences that are in conflict.
    #[schema(max_items = 100)]
    conflicting: Vec<u64>,
}

/// Answers that every request may get.
#[derive(IntoResponses)]
pub(crate) enum Refusals {
    /// The request cannot be understood, or names no host.
    #[response(status = 400, content_type = "application/problem+json")]
    NotUnderstood(ProblemSchema),
    /// A token is needed, or the one given is not valid.
    #[response(status = 401, content_type = "application/problem+json")]
    WhoAreYou(ProblemSchema),
    /// The token does not permit this, or the request comes from a foreign web page.
    #[response(status = 403, content_type = "application/problem+json")]
    NotAllowed(ProblemSchema),
    /// It does not exist.
    #[response(status = 404, content_type = "application/problem+json")]
    NotThere(ProblemSchema),
    /// The path exists, but not for the method of the request.
    #[response(status = 405, content_type = "application/problem+json")]
    OtherMethod(ProblemSchema),
    /// The request is for another host.
    #[response(status = 421, content_type = "application/problem+json")]
    Misdirected(ProblemSchema),
    /// Busy: repeat the request after `Retry-After`.
    #[response(status = 429, content_type = "application/problem+json")]
    Busy(ProblemSchema),
    /// A defect of the service.
    #[response(status = 500, content_type = "application/problem+json")]
    Fault(ProblemSchema),
    /// The log has stopped, or what is asked for does not exist yet: repeat the request after `Retry-After`.
    #[response(status = 503, content_type = "application/problem+json")]
    NotNow(ProblemSchema),
}

/// Answers that also requests get which need no token.
#[derive(IntoResponses)]
pub(crate) enum Misaddressed {
    /// The request names no host, or a parameter that the path does not have.
    #[response(status = 400, content_type = "application/problem+json")]
    NoHost(ProblemSchema),
    /// The request comes from a foreign web page.
    #[response(status = 403, content_type = "application/problem+json")]
    ForeignPage(ProblemSchema),
    /// The path exists, but not for the method of the request.
    #[response(status = 405, content_type = "application/problem+json")]
    OtherMethod(ProblemSchema),
    /// The request is for another host.
    #[response(status = 421, content_type = "application/problem+json")]
    Misdirected(ProblemSchema),
}

/// Whether live certification is running.
#[derive(ToSchema)]
#[schema(as = FollowerState)]
pub(crate) struct FollowerStateSchema {
    state: FollowerStateName,
    /// Why it stopped.
    #[schema(nullable = false)]
    why: Option<String>,
}

/// Whether entries are judged as they come.
#[derive(ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FollowerStateName {
    Following,
    Stopped,
}

/// The certificate of the log as far as it was judged.
#[derive(ToSchema)]
#[schema(as = Certificate)]
pub(crate) struct CertificateSchema {
    #[serde(flatten)]
    certificate: LiveCertificate,
    /// Number of entries of the log now.
    log_size: u64,
    follower: FollowerStateSchema,
    /// Name and version of the judge.
    judge: String,
    /// BLAKE3 of the built-in rulebooks, formats and codes by which it judges.
    judge_inputs: String,
    /// `version` and `commit` of the program that judged; left out where it is not known.
    #[schema(nullable = false)]
    program: Option<Program>,
    /// In log order the first 10,000, and of each code the first 200 and the 100 that moved the most money.
    findings: Vec<Finding>,
}
