//! Parameters of requests. One that an operation does not have (of a post: one that is nearly another), one that is given
//! twice, and a value that is not allowed are refused, and the problem names the parameter and what is allowed: an answer
//! to another question would look like "nothing was found". An operation without parameters answers whatever is added.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use axum::extract::{MatchedPath, Query, RawPathParams, Request, State};
use axum::http::{Method, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::{RequestExt, Router};
use door::drain_body;
use utoipa::openapi::OpenApi;

use crate::problem::{Problem, start_of};

/// The parameters that each operation's query may have, by method and path, of those that have any.
#[derive(Debug)]
struct Known(BTreeMap<String, Vec<String>>);

/// Lets each operation of a document have no other parameters in its query than the document says.
pub(crate) fn with_known_parameters<S: Clone + Send + Sync + 'static>(
    router: Router<S>,
    document: &OpenApi,
) -> Router<S> {
    router.route_layer(from_fn_with_state(Arc::new(Known::of(document)), check))
}

impl Known {
    fn of(document: &OpenApi) -> Self {
        // A document of texts and lists is always JSON.
        let document = serde_json::to_value(document).unwrap_or_default();
        let mut known = BTreeMap::new();
        for (path, operations) in document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in operations.as_object().into_iter().flatten() {
                let parameters = operation["parameters"].as_array().into_iter().flatten();
                let asked = parameters.filter(|parameter| parameter["in"] == "query");
                let names = asked.filter_map(|parameter| parameter["name"].as_str().map(str::to_owned));
                let names: Vec<String> = names.collect();
                if !names.is_empty() {
                    known.insert(operation_key(method, path), names);
                }
            }
        }
        Self(known)
    }

    /// # Errors
    /// [`Problem`] for the first parameter that this operation does not have, or has already.
    fn check(&self, method: &Method, path: &str, uri: &Uri) -> Result<(), Problem> {
        // Whatever can be read by GET answers HEAD as well.
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        let Some(known) = self.0.get(&operation_key(method.as_str(), path)) else { return Ok(()) };
        let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
        let Query(pairs) = pairs.map_err(|error| Problem::query(&error.body_text()))?;
        // Evidence is not refused for a parameter that somebody on the way added; a slip of the pen is, because what was
        // recorded cannot be taken back.
        let records = *method == Method::POST;
        for (index, (name, _)) in pairs.iter().enumerate() {
            if !known.contains(name) {
                if records && !is_nearly_one_of(name, known) {
                    continue;
                }
                return Err(unknown(name, known));
            }
            if pairs[..index].iter().any(|(earlier, _)| earlier == name) {
                let detail = format!("the parameter `{name}` is given twice");
                return Err(Problem::refused_parameter(name.clone(), Vec::new(), &detail));
            }
        }
        Ok(())
    }
}

/// Whether somebody may have meant one of these.
fn is_nearly_one_of(name: &str, known: &[String]) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).map(|one| one.to_ascii_lowercase()).collect()
    };
    let name = letters(&start_of(name));
    known.iter().map(|known| letters(known)).any(|known| {
        name.starts_with(&known[..known.len().min(3)]) || strsim::damerau_levenshtein(&name, &known) <= 2
    })
}

fn operation_key(method: &str, path: &str) -> String {
    format!("{} {path}", method.to_ascii_uppercase())
}

fn unknown(name: &str, known: &[String]) -> Problem {
    let name = start_of(name);
    let detail = format!("there is no parameter `{name}`; this path has: {}", known.join(", "));
    Problem::refused_parameter(name, known.iter().cloned().map(Cow::Owned).collect(), &detail)
}

async fn check(State(known): State<Arc<Known>>, mut request: Request, next: Next) -> Response {
    let checked = match request.extract_parts::<RawPathParams>().await {
        Ok(_) => {
            let path = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
            known.check(request.method(), path, request.uri())
        }
        Err(_) => Err(Problem::query("the path has bytes that are not UTF-8")),
    };
    match checked {
        Ok(()) => next.run(request).await,
        Err(problem) => {
            drain_body(request).await;
            problem.into_response()
        }
    }
}

/// A number of this range.
pub(crate) fn number(
    parameter: &'static str,
    given: Option<&str>,
    allowed: &RangeInclusive<u64>,
) -> Result<Option<u64>, Problem> {
    let Some(given) = given else { return Ok(None) };
    // `+7` is a number for Rust and for no other reader of a URL, where `+` is a space.
    let digits = given.bytes().all(|byte| byte.is_ascii_digit());
    let number = given.parse().ok().filter(|number| digits && allowed.contains(number));
    number.map(Some).ok_or_else(|| Problem::no_such_number(parameter, given, allowed))
}

/// One of these words.
pub(crate) fn word(
    parameter: &'static str,
    given: Option<String>,
    allowed: impl FnOnce() -> Vec<&'static str>,
) -> Result<Option<String>, Problem> {
    let Some(given) = given else { return Ok(None) };
    let allowed = allowed();
    if allowed.contains(&given.as_str()) {
        Ok(Some(given))
    } else {
        Err(Problem::no_such_word(parameter, &given, &allowed))
    }
}
