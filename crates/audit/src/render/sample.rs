//! Coups drawn for a manual inspection, as a list to tick off.

use std::path::Path;

use replay::{CoupView, Report, Verdicts};
use serde::Serialize;
use tlog::checkpoint::SignedCheckpoint;
use tlog::policy::Witnessed;
use utoipa::ToSchema;

use super::coup::cards;
use super::format::{grouped, money, shell_word};
use super::report::{ReportView, WitnessesJson};
use crate::language::texts;
use crate::shown::plain;

/// What was drawn, from what, and how.
pub(crate) struct SampleView<'a> {
    pub(crate) log: &'a Path,
    pub(crate) report: &'a Report,
    /// What witnesses said, where they were asked for.
    pub(crate) witnessed: Option<&'a Witnessed>,
    pub(crate) checkpoint: Option<&'a SignedCheckpoint>,
    pub(crate) seed: u64,
    pub(crate) asked: u32,
    /// How many coups the log has.
    pub(crate) of: u64,
    /// Entries in which there may be more.
    pub(crate) not_shown: u64,
    /// In the order in which they were drawn, each with its rank.
    pub(crate) coups: Vec<([u8; 32], CoupView)>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct SampleJson<'a> {
    /// The four answers about the log.
    verdicts: Verdicts,
    /// The witnesses' answers; left out if they were not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    witnesses: Option<WitnessesJson<'a>>,
    /// The log as its checkpoint names it; absent for events without a seal.
    log: Option<DrawnFrom<'a>>,
    /// The seed it was drawn with.
    seed: u64,
    /// How many coups were asked for.
    asked: u32,
    /// How many coups the log has.
    of: u64,
    /// Entries whose events this copy does not show: coups in them could not be drawn.
    entries_not_shown: u64,
    /// What was drawn, from the lowest rank.
    coups: Vec<Drawn<'a>>,
}

#[derive(Serialize, ToSchema)]
struct DrawnFrom<'a> {
    /// Its name.
    origin: &'a str,
    /// How many entries it has.
    size: u64,
    /// The root of its tree in base64.
    root: String,
}

#[derive(Serialize, ToSchema)]
struct Drawn<'a> {
    /// BLAKE3 in hexadecimal digits; the lowest were drawn.
    rank: String,
    /// Sum of the bets that were not taken back, in minor units.
    staked: u128,
    #[serde(flatten)]
    coup: &'a CoupView,
}

impl SampleView<'_> {
    pub(crate) fn json(&self) -> SampleJson<'_> {
        let log = self.checkpoint.map(|signed| {
            let checkpoint = signed.checkpoint();
            DrawnFrom { origin: &checkpoint.origin, size: checkpoint.size, root: checkpoint.root_text() }
        });
        let drawn = |(rank, coup)| Drawn { rank: hexadecimal(rank), staked: staked(coup), coup };
        SampleJson {
            verdicts: self.report.verdicts,
            witnesses: self.witnessed.map(WitnessesJson::of),
            log,
            seed: self.seed,
            asked: self.asked,
            of: self.of,
            entries_not_shown: self.not_shown,
            coups: self.coups.iter().map(|(rank, coup)| drawn((rank, coup))).collect(),
        }
    }

    /// The four verdicts: escaped already.
    pub(crate) fn heading(&self) -> String {
        ReportView { report: self.report, witnessed: self.witnessed, troubles: &[], all: false }.heading()
    }

    pub(crate) fn text(&self) -> String {
        let of = texts().coups(self.of);
        let drawn = grouped(self.coups.len() as u64);
        let mut text = format!("\n{}\n", texts().sample_heading(drawn, of, self.seed));
        let from = match self.checkpoint.map(SignedCheckpoint::checkpoint) {
            Some(log) => {
                let entries = texts().entries(log.size);
                texts().sample_of_log(&log.origin, entries, log.root_text())
            }
            None => texts().sample_of_unsealed(),
        };
        text.push_str(&format!("  {from}\n"));
        if self.of < u64::from(self.asked) {
            text.push_str(&format!("  {}\n", texts().sample_is_all(grouped(u64::from(self.asked)))));
        }
        if self.not_shown > 0 {
            text.push_str(&format!("  {}\n", texts().sample_not_shown(texts().entries(self.not_shown))));
        }
        for (number, (_, coup)) in (1..).zip(&self.coups) {
            text.push_str(&self.one(number, coup));
        }
        text
    }

    fn one(&self, number: usize, coup: &CoupView) -> String {
        let mut text = format!("\n[ ] {number:>3}  {}\n", texts().sample_place(coup));
        let staked = money(i128::try_from(staked(coup)).unwrap_or(i128::MAX), coup.currency.as_ref());
        let last_event = match coup.settled_at.as_str() {
            "" => String::new(),
            at => texts().sample_last_event(texts().time(at)),
        };
        let lines = [
            last_event,
            cards(coup),
            texts().totals_of(coup),
            texts().sample_staked(texts().bets(coup.bets.len() as u64), staked),
            command_of(self.log, coup),
        ];
        lines
            .iter()
            .filter(|line| !line.is_empty())
            .for_each(|line| text.push_str(&format!("         {line}\n")));
        text
    }
}

/// The command that shows a coup of a log.
fn command_of(log: &Path, coup: &CoupView) -> String {
    let word = |text: &str| plain(&shell_word(Path::new(text)));
    let shoe = coup.shoe.as_deref().map(|shoe| format!(" --shoe {}", word(shoe))).unwrap_or_default();
    let (log, table) = (plain(&shell_word(log)), word(&coup.table));
    format!("audit show coup {log} --table {table}{shoe} --coup {}", coup.coup)
}

/// Sum of the bets that were not taken back.
fn staked(coup: &CoupView) -> u128 {
    coup.bets.iter().filter(|bet| !bet.withdrawn).map(|bet| u128::from(bet.stake)).sum()
}

fn hexadecimal(rank: &[u8; 32]) -> String {
    rank.iter().map(|byte| format!("{byte:02x}")).collect()
}
