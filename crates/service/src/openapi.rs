//! The API as an OpenAPI 3.1 document, generated from the same routes as the router.
//!
//! The judge's types do not know OpenAPI; the schemas of their JSON are declared here, and a test compares
//! them with real answers.

#![allow(dead_code, reason = "these types are never made: they say what answers look like")]

use std::collections::BTreeMap;

use axum::Extension;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use door::Shared;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::{IntoResponses, Modify, OpenApi, ToSchema};

/// The document without its paths, which come from the router.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "audit serve",
        description = "Takes what happened at baccarat tables, answers once it is sealed and durable, and lets the \
                       log be read, proven and judged."
    ),
    modifiers(&Tokens),
    security((), ("token" = [])),
    tags(
        (name = "ingest", description = "For table systems"),
        (name = "log", description = "What was sealed, and its proofs (C2SP tlog-tiles)"),
        (name = "certification", description = "What the record comes to"),
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
    pub(crate) fn of(mut document: utoipa::openapi::OpenApi) -> Self {
        // The router calls the rest of a path `{*path}`, which OpenAPI does not know.
        let paths = std::mem::take(&mut document.paths.paths);
        document.paths.paths =
            paths.into_iter().map(|(path, item)| (path.replace("{*", "{"), item)).collect();
        // A document of texts and lists is always JSON.
        Self(document.to_pretty_json().unwrap_or_default().into())
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
#[schema(as = ProblemTold)]
pub(crate) struct ProblemSchema {
    /// Stable type of the problem.
    #[schema(rename = "type", example = "urn:audit:malformed")]
    kind: String,
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
    /// The request's id in the service's log.
    #[schema(nullable = false)]
    request_id: Option<String>,
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
    /// The request is for another host.
    #[response(status = 421, content_type = "application/problem+json")]
    Misdirected(ProblemSchema),
    /// Busy: repeat the request after `Retry-After`.
    #[response(status = 429, content_type = "application/problem+json")]
    Busy(ProblemSchema),
    /// The log has stopped, or what is asked for does not exist yet: repeat the request after `Retry-After`.
    #[response(status = 503, content_type = "application/problem+json")]
    NotNow(ProblemSchema),
}

/// One thing that happened at a table: docs/events.md has every kind.
#[derive(ToSchema)]
#[schema(as = EventTold)]
pub(crate) struct EventSchema {
    /// The table.
    #[schema(example = "PB-01")]
    table: String,
    /// Its number within the table, from 1.
    #[schema(minimum = 1)]
    sequence: u64,
    /// When, by the table's clock (RFC 3339).
    #[schema(example = "2026-03-01T20:00:00.000000+01:00")]
    occurred_at: String,
    /// One member: its name is the kind of event, its value what happened.
    #[schema(value_type = Object)]
    event: serde_json::Value,
}

/// Coups or shoes by result.
#[derive(ToSchema)]
#[schema(as = CountsTold)]
pub(crate) struct CountsSchema {
    certified: u64,
    violated: u64,
    undecided: u64,
    /// Of the certified, how many rest on a ruling, a void or a correction; left out where none does.
    #[schema(nullable = false)]
    subject_to_ruling: Option<u64>,
}

/// Whether live certification is running.
#[derive(ToSchema)]
#[schema(as = StandingTold)]
pub(crate) struct FollowerStateSchema {
    /// `following` or `stopped`.
    state: String,
    /// Why it stopped.
    #[schema(nullable = false)]
    why: Option<String>,
}

/// One irregularity.
#[derive(ToSchema)]
#[schema(as = FindingTold)]
pub(crate) struct FindingSchema {
    /// Log index of the entry that shows it first.
    entry: u64,
    table: String,
    /// Sequence of the event that shows it first.
    sequence: u64,
    /// Stable code (docs/findings.md).
    code: String,
    /// `violation` or `incomplete`.
    severity: String,
    shoe: Option<String>,
    coup: Option<u32>,
    /// What the rule asks for.
    expected: String,
    /// What the record says.
    recorded: String,
    /// `expected` as an object on which a program can compute: `kind` says which fields it has
    /// (docs/statements.md). Absent where an earlier version stored the finding.
    #[schema(value_type = Object, nullable = false)]
    expected_value: Option<serde_json::Value>,
    /// `recorded` as an object.
    #[schema(value_type = Object, nullable = false)]
    recorded_value: Option<serde_json::Value>,
    /// Rulebook, clause and citations.
    #[schema(value_type = Object)]
    rule: serde_json::Value,
    /// Money that went the wrong way, by seat, in minor units.
    #[schema(value_type = Vec<Object>)]
    money: Vec<serde_json::Value>,
    /// ISO 4217 code and digits of the minor unit.
    #[schema(value_type = Option<Object>)]
    currency: Option<serde_json::Value>,
    /// What happened, in English.
    sentence: String,
    /// What happened, in Spanish.
    frase: String,
    /// Entry, sequence and code of the finding it follows from.
    #[schema(value_type = Option<Object>, nullable = false)]
    cause: Option<serde_json::Value>,
}

/// A finding that no longer holds, because a late event or a correction explains it.
#[derive(ToSchema)]
#[schema(as = TakenBackTold)]
pub(crate) struct TakenBackSchema {
    table: String,
    /// Sequence of the finding.
    sequence: u64,
    /// Log index of the entry it named.
    entry: u64,
    code: String,
    shoe: Option<String>,
    coup: Option<u32>,
}

/// A numbered statement: a finding, or the withdrawal of one. Exactly one of the two is present.
#[derive(ToSchema)]
#[schema(as = PublishedTold)]
pub(crate) struct PublishedSchema {
    /// Its number, from 1: the id of the stream's events.
    number: u64,
    /// Log index of the entry with which it showed.
    shown_by: u64,
    finding: Option<FindingSchema>,
    taken_back: Option<TakenBackSchema>,
}

/// The location of one shoe in its table's numbering.
#[derive(ToSchema)]
#[schema(as = ShoePlaceTold)]
pub(crate) struct ShoeLocationSchema {
    shoe: String,
    /// Sequence of the event that loaded it.
    first: u64,
    /// Sequence of its last event; none for the newest shoe.
    last: Option<u64>,
    /// Sequence of the table's opening, and of its limits.
    opening: Vec<u64>,
}

/// The results of one table so far.
#[derive(ToSchema)]
#[schema(as = TableStandingTold)]
pub(crate) struct TableStateSchema {
    table: String,
    /// Events judged.
    events: u64,
    /// The sequence that its next event must have.
    next: u64,
    /// Events that wait for others before them.
    waiting: u64,
    /// Events missing from its numbering.
    missing: u64,
    clock: Option<String>,
    rulebook: Option<String>,
    shoe: Option<String>,
    coup: Option<u32>,
    coups: CountsSchema,
    shoes: CountsSchema,
    undecided: BTreeMap<String, u64>,
    findings_by_code: BTreeMap<String, u64>,
}

/// The four verdicts: `yes`, `no` or `unknown`.
#[derive(ToSchema)]
#[schema(as = VerdictsTold)]
pub(crate) struct VerdictsSchema {
    intact: String,
    anchored: String,
    complete: String,
    certified: String,
}

/// The certificate of the log as far as it was judged.
#[derive(ToSchema)]
pub(crate) struct CertificateSchema {
    origin: String,
    size: u64,
    /// Base64.
    root: String,
    key: String,
    verdicts: VerdictsSchema,
    events: u64,
    tables: u64,
    coups: CountsSchema,
    shoes: CountsSchema,
    /// Coups.
    undecided: BTreeMap<String, u64>,
    /// Shoes; those in play are `not-ended-yet`.
    undecided_shoes: BTreeMap<String, u64>,
    missing_events: u64,
    #[schema(value_type = Object)]
    attested: serde_json::Value,
    /// What was read from a file, and how long after the fact at most; left out where nothing was.
    #[schema(value_type = Option<Object>, nullable = false)]
    recorded_after_the_fact: Option<serde_json::Value>,
    /// Digests of the rulebooks used.
    rulebooks: Vec<String>,
    findings_by_code: BTreeMap<String, u64>,
    /// Findings that follow from others, which break no rule of their own; left out where there are none.
    #[schema(nullable = false)]
    consequences_by_code: Option<BTreeMap<String, u64>>,
    /// Whether fewer findings are listed than were counted.
    findings_cut: bool,
    /// Number of findings that are not listed; left out if there are none.
    #[schema(nullable = false)]
    findings_not_listed: Option<u64>,
    /// Money moved by all findings, by code, currency and seat, in minor units.
    #[schema(value_type = Vec<Object>)]
    money: Vec<serde_json::Value>,
    /// Stakes of settled coups by currency, and of undecided ones, in minor units.
    #[schema(value_type = Vec<Object>)]
    turnover: Vec<serde_json::Value>,
    /// BLAKE3 of the findings, equal to the one in the certificate of `audit verify log`.
    findings_digest: String,
    /// Number of entries of the log now.
    log_size: u64,
    follower: FollowerStateSchema,
    /// Name and version of the judge.
    judge: String,
    /// BLAKE3 of the built-in rulebooks, formats and codes by which it judges.
    judge_inputs: String,
    /// `version` and `commit` of the program that judged; left out where it was not told.
    #[schema(value_type = Option<Object>, nullable = false)]
    program: Option<serde_json::Value>,
    /// In log order the first 10,000, and of each code the first 200 and the 100 that moved the most money.
    findings: Vec<FindingSchema>,
}
