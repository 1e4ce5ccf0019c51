//! `audit tokens`: who may do what at a service.

use std::collections::BTreeSet;

use serde::Serialize;
use service::access::{Role, Tables, Token, TokenFile, TokenFileError, TokenId, Wanted};
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, OffsetDateTime};

use crate::cli::{RoleAsked, Tokens, TokensList, TokensNew, TokensRevoke};
use crate::errors::said;
use crate::exit::Exit;
use crate::failure::{Failure, about};
use crate::language::texts;
use crate::shown::printable;
use crate::{output, render};

/// A token as people and scripts see it: no secret, no hash.
#[derive(Debug, Serialize)]
struct TokenView {
    id: String,
    /// Of a token that was just made: shown this once.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    role: Role,
    producer: Option<String>,
    /// Names, or `["*"]`.
    tables: Vec<String>,
    state: &'static str,
    made_at: String,
    expires_at: Option<String>,
    revoked_at: Option<String>,
    note: String,
}

impl TokenView {
    fn of(token: &Token, now: OffsetDateTime) -> Self {
        let Wanted { role, producer, tables, expires_at, note } = &token.wanted;
        let tables = match tables {
            Tables::All => vec!["*".to_owned()],
            Tables::Named(names) => names.iter().map(ToString::to_string).collect(),
        };
        let state = match token.revoked_at {
            Some(_) => "revoked",
            None if token.is_expired(now) => "expired",
            None => "good",
        };
        Self {
            id: token.id().to_string(),
            token: None,
            role: *role,
            producer: producer.as_ref().map(ToString::to_string),
            tables,
            state,
            made_at: moment(token.made_at),
            expires_at: expires_at.map(moment),
            revoked_at: token.revoked_at.map(moment),
            note: note.clone(),
        }
    }
}

pub(crate) fn run(ask: &Tokens) -> Result<Exit, Failure> {
    match ask {
        Tokens::New(ask) => new(ask),
        Tokens::List(ask) => list(ask),
        Tokens::Revoke(ask) => revoke(ask),
    }
}

fn new(ask: &TokensNew) -> Result<Exit, Failure> {
    let now = now()?;
    let (token, shown) = TokenFile::new(&ask.tokens).make(wanted(ask)?, now).map_err(failed)?;
    let mut view = TokenView::of(&token, now);
    if ask.json {
        view.token = Some(shown);
        output::print_json(&view)?;
    } else {
        let until = view.expires_at.map_or_else(String::new, |end| texts().token_until(end));
        output::print(&texts().token_made(view.role, view.id, until, shown))?;
    }
    Ok(Exit::Good)
}

fn wanted(ask: &TokensNew) -> Result<Wanted, Failure> {
    let named = |option: &str, name: &str| {
        name.parse().map_err(|error| Failure::usage(about(format!("--{option} {name}"), &error)))
    };
    let tables = if ask.all_tables {
        Tables::All
    } else {
        let names = ask.tables.iter().map(|name| named("table", name));
        Tables::Named(names.collect::<Result<BTreeSet<_>, Failure>>()?)
    };
    let role = match ask.role {
        RoleAsked::Append => Role::Append,
        RoleAsked::Read => Role::Read,
        RoleAsked::Admin => Role::Admin,
    };
    printable("--note", &ask.note)?;
    printable("--producer", ask.producer.as_deref().unwrap_or_default())?;
    let producer = ask.producer.as_deref().map(|name| named("producer", name)).transpose()?;
    let expires_at = ask.expires.as_deref().map(end).transpose()?;
    Ok(Wanted { role, producer, tables, expires_at, note: ask.note.clone() })
}

/// A moment, or a day as it begins.
fn end(text: &str) -> Result<OffsetDateTime, Failure> {
    let day = Date::parse(text, format_description!("[year]-[month]-[day]"));
    let moment = day.map(|day| day.midnight().assume_utc());
    moment
        .or_else(|_| OffsetDateTime::parse(text, &Rfc3339))
        .map_err(|_| Failure::usage(texts().bad_expiry(text)))
}

fn list(ask: &TokensList) -> Result<Exit, Failure> {
    let (tokens, now) = (TokenFile::new(&ask.tokens).read().map_err(failed)?, now()?);
    let views: Vec<TokenView> = tokens.iter().map(|token| TokenView::of(token, now)).collect();
    if ask.json {
        output::print_json(&views)?;
        return Ok(Exit::Good);
    }
    let headings = [
        "id".to_owned(),
        texts().role_heading(),
        texts().state_heading(),
        texts().producer_heading(),
        texts().tables_heading(),
        texts().made_heading(),
        texts().expires_heading(),
        texts().note_heading(),
    ];
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let rows = views.into_iter().map(|view| {
        let tables = if view.tables.is_empty() { "-".to_owned() } else { view.tables.join(" ") };
        let state = match view.state {
            "revoked" => texts().token_is_revoked(),
            "expired" => texts().token_expired(),
            _ => texts().token_good(),
        };
        let role = view.role.to_string();
        let (producer, expires) = (or_none(view.producer), or_none(view.expires_at));
        [view.id, role, state, producer, tables, view.made_at, expires, view.note]
    });
    output::print(&render::table(headings, rows))?;
    Ok(Exit::Good)
}

fn revoke(ask: &TokensRevoke) -> Result<Exit, Failure> {
    let id = TokenId::parse(&ask.id).ok_or_else(|| {
        // It may be a whole token, which is not to be seen in terminals and their logs.
        Failure::usage(texts().not_a_token_id())
    })?;
    let now = now()?;
    let token = TokenFile::new(&ask.tokens).revoke(&id, now).map_err(failed)?;
    let view = TokenView::of(&token, now);
    if ask.json {
        output::print_json(&view)?;
    } else {
        let since = view.revoked_at.unwrap_or_default();
        output::print(&texts().token_revoked(view.role, id, since))?;
    }
    Ok(Exit::Good)
}

/// Now, to the second.
fn now() -> Result<OffsetDateTime, Failure> {
    intake::clock::date().ok_or_else(|| Failure::machine(texts().clock_after_9999()))
}

fn moment(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).unwrap_or_default()
}

fn failed(error: TokenFileError) -> Failure {
    match error {
        TokenFileError::Token(_) | TokenFileError::NoSuch { .. } => Failure::usage(said(&error)),
        TokenFileError::File { .. }
        | TokenFileError::Open { .. }
        | TokenFileError::Line { .. }
        | TokenFileError::Long(_) => Failure::of_reading(error),
    }
}
