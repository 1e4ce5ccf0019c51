//! The key of `audit desk`: other users of the machine can reach its address as well, and only whoever was given the key
//! sees pages. The address has the key; a browser keeps it in a cookie from then on, and the address that it shows has
//! none.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Query, Request, State};
use axum::http::header::{CACHE_CONTROL, LOCATION, SET_COOKIE};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use desk::{Place, Refusal};
use serde::Deserialize;
use texts::Language;

use crate::problem::Problem;
use crate::routes::pages::{asked, cookie, keep_language, sent, takes_html};

/// Random bytes of a key.
const BYTES: usize = 32;

/// The key of the pages at one address.
#[derive(Debug)]
pub(crate) struct PagesKey {
    /// The cookie's name. Cookies are the same for all ports of a machine, so it has the port.
    cookie: String,
    key: String,
    /// The language of the first page, where one was asked for.
    language: Option<Language>,
    /// Opens the pages once. Other users can read the arguments of a browser that is started, but too late.
    once: Mutex<Option<String>>,
}

/// A key, as an address has it.
#[derive(Deserialize)]
struct Given {
    key: Option<String>,
}

impl PagesKey {
    /// A new one for the pages at this port.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub(crate) fn new(port: u16, language: Option<Language>) -> Result<Arc<Self>, getrandom::Error> {
        Ok(Arc::new(Self {
            cookie: format!("audit_desk_{port}"),
            key: fresh()?,
            language,
            once: Mutex::new(Some(fresh()?)),
        }))
    }

    /// The end of the address that opens the pages as often as it is used.
    pub(crate) fn query(&self) -> String {
        format!("?key={}", self.key)
    }

    /// The end of the address that opens them once.
    pub(crate) fn query_once(&self) -> String {
        let once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        once.as_ref().map_or_else(|| self.query(), |key| format!("?key={key}"))
    }

    fn opens(&self, given: &str) -> bool {
        same(&self.key, given)
            || self
                .once
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take_if(|once| same(once, given))
                .is_some()
    }
}

fn fresh() -> Result<String, getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Comparing hashes takes no time that depends on the key: blake3::Hash does so in constant time.
fn same(key: &str, given: &str) -> bool {
    blake3::hash(key.as_bytes()) == blake3::hash(given.as_bytes())
}

/// Lets in whoever has the key.
pub(crate) async fn with_key(State(key): State<Arc<PagesKey>>, request: Request, next: Next) -> Response {
    if cookie(request.headers(), &key.cookie).is_some_and(|kept| same(&key.key, kept)) {
        return next.run(request).await;
    }
    let given = Query::<Given>::try_from_uri(request.uri()).ok().and_then(|Query(given)| given.key);
    if given.is_some_and(|given| key.opens(&given)) {
        let PagesKey { cookie, key, language, .. } = &*key;
        let cookie = format!("{cookie}={key}; Path=/; HttpOnly; SameSite=Strict");
        let mut response =
            (StatusCode::SEE_OTHER, [(LOCATION, "/desk/"), (CACHE_CONTROL, "no-store")]).into_response();
        if let Ok(cookie) = HeaderValue::try_from(cookie) {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
        language.iter().for_each(|language| keep_language(&mut response, *language));
        return response;
    }
    if !takes_html(request.headers()) {
        let detail = "open the whole address that audit desk printed: it ends with the key";
        return Problem::access_refused(StatusCode::FORBIDDEN, detail).into_response();
    }
    let place = Place { can_sign_out: false, is_live: false };
    let ask = asked("/desk/", &request, std::collections::BTreeMap::new(), place);
    sent(desk::refusal("", &ask, Refusal::NoKey, Refusal::NoKey.status(), None), "no-store", None)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn one_address_opens_the_pages_always_and_the_other_once() {
        let key = PagesKey::new(7370, None).unwrap();
        let (always, once) = (key.query(), key.query_once());
        let opens = |query: &str| key.opens(query.strip_prefix("?key=").unwrap());
        assert!(opens(&always) && opens(&always));
        assert!(opens(&once) && !opens(&once));
        assert!(!opens("?key=") && !opens(&always[..always.len() - 1]));
        assert_eq!(key.query_once(), always, "what is used up opens nothing");
    }
}
