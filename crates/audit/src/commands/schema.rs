//! `audit schema`: the JSON Schemas of events and of what commands print with `--json`.
//!
//! They are made from the types that are read and written; `docs/schemas/` holds the same, and a test compares them.

use std::collections::BTreeMap;

use replay::fleet::FleetReport;
use replay::{CommissionView, CoupView, Finding, Language, Rejudged, Report, Seal, Verdicts};
use serde_json::Value;
use service::schema::{Described, json_schema, to_text};
use texts::Texts;
use utoipa::ToSchema;

use super::report::{FilesJson, ReportJson};
use super::show::{Scoreboard, ShoeView};
use super::verify_proof::WithWitnesses;
use super::{demo, quiz, watch};
use crate::cli::Schema;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::output;
use crate::render::{self, SampleJson, WitnessesJson, WitnessesOfLog};
use crate::seal_view::SealView;

/// A schema: its name, the command whose output it describes (none: an event), and its types.
type Row = (&'static str, Option<&'static str>, fn() -> Vec<Described>);

/// The language of JSON.
const ENGLISH: Texts = Texts::of(Language::English);

const SCHEMAS: &[Row] = &[
    ("event", None, || vec![Described::of::<events::Line>()]),
    ("verify-log", Some("audit verify log --json"), || vec![Described::of::<VerifyLog<'_>>()]),
    ("verify-log-as", Some("audit verify log --as RULEBOOK --json"), || {
        vec![Described::of::<VerifyLogAs<'_>>()]
    }),
    ("verify-fleet", Some("audit verify fleet --json"), || vec![Described::of::<VerifyFleet<'_>>()]),
    ("verify-proof", Some("audit verify proof --json"), || vec![Described::of::<VerifyProof<'_>>()]),
    ("show-coup", Some("audit show coup --json"), || shown::<ShowCoup>()),
    ("show-shoe", Some("audit show shoe --json"), || shown::<ShowShoe>()),
    ("show-roads", Some("audit show shoe --roads --json"), || shown::<ShowRoads<'_>>()),
    ("show-table", Some("audit show table --json"), || shown::<ShowTable>()),
    ("show-commission", Some("audit show commission --json"), || shown::<ShowCommission>()),
    ("report", Some("audit report --out report.json"), || vec![Described::of::<ReportJson<'_>>()]),
    ("report-files", Some("audit report --json"), || vec![Described::of::<FilesJson>()]),
    ("sample", Some("audit sample --json"), || vec![Described::of::<SampleJson<'_>>()]),
    ("quiz", Some("audit quiz --json"), || vec![Described::of::<quiz::Printed>()]),
    ("demo", Some("audit demo --json"), || vec![Described::of::<demo::Json<'_>>()]),
    ("watch", Some("audit watch --json"), || vec![Described::of::<watch::Line<'_>>()]),
];

pub(crate) fn run(ask: &Schema) -> Result<Exit, Failure> {
    match (&ask.name, ask.json) {
        (Some(name), _) => output::print_json_text(&text(&named(name)?)?)?,
        (None, true) => {
            let names: BTreeMap<&str, String> =
                SCHEMAS.iter().map(|(name, of, _)| (*name, title(ENGLISH, *of))).collect();
            output::print_json(&names)?;
        }
        (None, false) => {
            let rows = SCHEMAS.iter().map(|(name, of, _)| [(*name).to_owned(), title(texts(), *of)]);
            output::print(&render::table([texts().schema_heading(), texts().schema_of_heading()], rows))?;
        }
    }
    Ok(Exit::Good)
}

fn named(name: &str) -> Result<Value, Failure> {
    let row = SCHEMAS.iter().find(|(known, ..)| *known == name);
    let Some((name, of, types)) = row else {
        let known: Vec<&str> = SCHEMAS.iter().map(|(name, ..)| *name).collect();
        return Err(Failure::usage(texts().unknown_schema(name, known.join(", "))));
    };
    Ok(json_schema(name, &title(ENGLISH, *of), &types()))
}

/// What a schema describes. A schema is JSON, and so in English whatever the language.
fn title(texts: Texts, of: Option<&str>) -> String {
    of.map_or_else(|| texts.schema_of_event(), |command| texts.schema_of_output(command))
}

fn text(schema: &Value) -> Result<String, Failure> {
    to_text(schema).map_err(|error| Failure { exit: Exit::OwnFault, message: error.to_string() })
}

/// A view, or only the state of the seal: what is shown of a log whose seal does not hold, if the view is not there.
fn shown<T: ToSchema>() -> Vec<Described> {
    vec![Described::of::<T>(), Described::of::<NothingShown>()]
}

/// The report of a log.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says what is printed")]
struct VerifyLog<'a> {
    #[serde(flatten)]
    report: Report<Vec<Finding>>,
    /// The witnesses' answers; left out if they were not asked for.
    #[schema(nullable = false)]
    witnesses: Option<WitnessesJson<'a>>,
}

/// The logs of a house.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says what is printed")]
struct VerifyFleet<'a> {
    #[serde(flatten)]
    report: FleetReport,
    /// The witnesses' answers about each log; left out if they were not asked for.
    #[schema(nullable = false)]
    witnesses: Option<Vec<WitnessesOfLog<'a>>>,
}

/// The proofs, in the order in which they were given.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says what is printed")]
struct VerifyProof<'a>(Vec<WithWitnesses<'a>>);

/// What another rulebook would change, with the log's own verdicts.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says what is printed")]
struct VerifyLogAs<'a> {
    verdicts: Verdicts,
    seal: Seal,
    /// The other rulebook.
    judged_as: String,
    #[serde(flatten)]
    changed: Rejudged,
    /// The witnesses' answers; left out if they were not asked for.
    #[schema(nullable = false)]
    witnesses: Option<WitnessesJson<'a>>,
}

/// One coup, below the state of the log's seal.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says what is printed")]
struct ShowCoup {
    seal: SealView,
    #[serde(flatten)]
    coup: CoupView,
}

/// Coups of a shoe.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says what is printed")]
struct ShowShoe {
    seal: SealView,
    coups: Vec<CoupView>,
}

/// Scoreboards of shoes.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says what is printed")]
struct ShowRoads<'a> {
    seal: SealView,
    scoreboards: Vec<Scoreboard<'a>>,
}

/// Shoes of a table.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says what is printed")]
struct ShowTable {
    seal: SealView,
    shoes: Vec<ShoeView>,
}

/// Commission boxes.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is never made: it says what is printed")]
struct ShowCommission {
    seal: SealView,
    boxes: Vec<CommissionView>,
}

/// The state of the seal alone.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "it is never made: it says what is printed")]
struct NothingShown {
    seal: SealView,
}
