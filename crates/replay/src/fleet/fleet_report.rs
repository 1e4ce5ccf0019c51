//! What verifying the logs of a house came to: verdicts of each log, of each chain and of the house, what contradicts
//! what, and the findings with the log that shows each.

use std::collections::BTreeMap;

use serde::Serialize;

use super::chains::{Chain, Fleet, Standing};
use super::judge::{FleetJudge, Judged, Places};
use super::sealed_twice::Compared;
use super::{Contradiction, MAX_CONTRADICTIONS, OpenQuestion};
use crate::report::{as_text, erased_findings, sealed, worst};
use crate::{Finding, Read, Seal, Summary, Unreadable, Verdict, Verdicts, names};

/// Everything `audit verify fleet` says.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FleetReport {
    /// Version of this form, 1.
    pub format: u32,
    /// The four verdicts on the house: the worst of its logs and chains, and what contradicts itself between them.
    pub verdicts: Verdicts,
    /// The logs, by name.
    pub logs: Vec<LogReport>,
    /// The chains, by the name of their first log.
    pub chains: Vec<ChainReport>,
    /// The first 1,000 contradictions between logs.
    pub contradictions: Vec<Contradiction>,
    /// How many there are.
    pub contradiction_count: u64,
    /// The first 1,000 things that the logs given do not show.
    pub open: Vec<OpenQuestion>,
    /// How many there are.
    pub open_count: u64,
    /// Events that were sealed after a handover, and once more, unchanged, in a later log.
    pub sealed_twice: u64,
    /// What was read of all histories.
    pub read: Read,
    /// Groups of tables whose ids look alike, over all logs, the first 100; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub look_alike_tables: Vec<Vec<String>>,
    /// What judging came to, counted, of all chains.
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schema(value_type = Summary<Vec<crate::RulebookUsed>>))]
    pub summary: Summary,
    /// The findings, chain by chain in the order of the logs: of each chain those that a report of it would list.
    pub findings: Vec<FleetFinding>,
    /// Entries that could not be judged, of each chain the first 1,000.
    pub unreadable: Vec<FleetUnreadable>,
    /// How many there are.
    pub unreadable_count: u64,
}

/// One log.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = FleetLog))]
pub struct LogReport {
    /// Every byte is what was sealed.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::VerdictText))]
    pub intact: Verdict,
    /// It extends a checkpoint somebody else kept, or a later log that does continues it.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schema(value_type = crate::schema::VerdictText))]
    pub anchored: Verdict,
    /// Tables with entries in it.
    pub tables: u64,
    /// What was sealed.
    pub seal: Seal,
}

/// One chain of logs.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = FleetChain))]
pub struct ChainReport {
    /// The four verdicts.
    pub verdicts: Verdicts,
    /// Its logs, the first one first.
    pub logs: Vec<LogPart>,
    /// Whether its first log continues none.
    pub has_beginning: bool,
    /// Whether its last log is not closed.
    pub has_end: bool,
    /// Whether its play was judged: not where it has none and was given up.
    pub judged: bool,
    /// What was read of its history.
    pub read: Read,
}

/// A log of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = FleetPart))]
pub struct LogPart {
    /// The log's name.
    pub log: String,
    /// Its first so many entries belong to the history.
    pub history: u64,
    /// Its entries.
    pub size: u64,
}

/// A finding, and the log whose entry shows it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FleetFinding {
    /// The log's name.
    pub log: String,
    /// Entries that the finding names and that are in another log of the chain; left out where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<Elsewhere>,
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
}

/// An entry that a finding names and that is not in the finding's own log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = FleetElsewhere))]
pub struct Elsewhere {
    /// Log index.
    pub entry: u64,
    /// The name of the log.
    pub log: String,
}

/// An entry that could not be judged.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FleetUnreadable {
    /// The log's name.
    pub log: String,
    /// The entry.
    #[serde(flatten)]
    pub unreadable: Unreadable,
}

/// What the chains came to so far.
#[derive(Debug, Default)]
pub struct Tally {
    chains: Vec<(Verdicts, Read, bool)>,
    summaries: Vec<Summary>,
    findings: Vec<FleetFinding>,
    unreadable: Vec<FleetUnreadable>,
    unreadable_count: u64,
    contradictions: Vec<Contradiction>,
    open: Vec<OpenQuestion>,
    sealed_twice: u64,
}

/// The worse of two answers.
const fn worse(one: Verdict, other: Verdict) -> Verdict {
    match (one, other) {
        (Verdict::No, _) | (_, Verdict::No) => Verdict::No,
        (Verdict::Unknown, _) | (_, Verdict::Unknown) => Verdict::Unknown,
        (Verdict::Yes, Verdict::Yes) => Verdict::Yes,
    }
}

const NOTHING_READ: Read = Read { entries: 0, events: 0, tables: 0, missing_events: 0, repeated_events: 0 };

impl Tally {
    /// A chain was judged.
    pub fn add(&mut self, fleet: &Fleet, chain: &Chain, judge: FleetJudge) {
        let Judged { judgement, twice, places } = judge.finish();
        let logs = || chain.parts.iter().map(|part| &fleet.logs[part.log].seal);
        let name = |part: usize| chain.parts.get(part).map(|part| fleet.name(part.log)).unwrap_or_default();
        let intact = logs().map(|seal| seal.intact).fold(Verdict::Yes, worse);
        let whole = logs().all(|seal| seal.left_out == 0 && seal.withheld == 0);
        let Compared { same, contradictions, open } =
            twice.finish(name, whole && intact == Verdict::Yes && chain.has_end);
        let whole = whole && chain.has_beginning && chain.has_end;
        let mut verdicts = Verdicts::of(intact, Verdict::Unknown, whole, &judgement);
        let erased = logs().flat_map(|seal| &seal.notices).any(|(_, notice)| erased_findings(notice));
        let is_disputed = chain.standing == Standing::Disputed || !chain.shared.is_empty();
        if erased || is_disputed {
            verdicts.certified = worst(verdicts.certified);
        }
        let read = Read {
            entries: judgement.entries,
            events: judgement.events,
            tables: judgement.tables,
            missing_events: judgement.missing_events,
            repeated_events: judgement.repeated_events,
        };
        let is_sealed = intact == Verdict::Yes;
        self.chains.push((verdicts, read, true));
        self.summaries.push(if is_sealed { judgement.summary } else { judgement.summary.unsealed() });
        self.findings.extend(judgement.findings.into_iter().map(|finding| placed(finding, &places, &name)));
        self.unreadable.extend(judgement.unreadable.into_iter().map(|unreadable| {
            let (part, entry) = places.of(unreadable.entry);
            FleetUnreadable { log: name(part), unreadable: Unreadable { entry, ..unreadable } }
        }));
        self.unreadable_count += judgement.unreadable_count;
        self.contradictions.extend(contradictions);
        self.open.extend(open);
        self.sealed_twice += same;
    }

    /// A chain that was given up has nothing to judge.
    pub fn pass_over(&mut self, fleet: &Fleet, chain: &Chain) {
        let intact =
            chain.parts.iter().map(|part| fleet.logs[part.log].seal.intact).fold(Verdict::Yes, worse);
        let (anchored, complete, certified) = (Verdict::Unknown, Verdict::Unknown, Verdict::Unknown);
        self.chains.push((Verdicts { intact, anchored, complete, certified }, NOTHING_READ, false));
    }

    /// All chains were judged or passed over, in their order.
    #[must_use]
    pub fn finish(self, fleet: Fleet) -> FleetReport {
        let mut anchored = anchored(&fleet);
        let parts_of = |chain: &Chain| -> Vec<LogPart> {
            let part = |part: &super::Part| LogPart {
                log: fleet.name(part.log),
                history: part.until,
                size: fleet.logs[part.log].seal.size,
            };
            chain.parts.iter().map(part).collect()
        };
        let parts: Vec<Vec<LogPart>> = fleet.chains.iter().map(parts_of).collect();
        let Fleet { logs, chains, mut contradictions, mut open } = fleet;
        let tables: Vec<&String> = logs.iter().flat_map(|log| log.tables.keys()).collect();
        let look_alike_tables = names::look_alike_tables(&tables);
        contradictions.extend(self.contradictions);
        open.extend(self.open);
        for (log, anchored) in logs.iter().zip(&mut anchored) {
            let origin = log.seal.origin.as_deref().unwrap_or_default();
            let against =
                |one: &&Contradiction| !one.is_of_a_table() && one.speaks_against().contains(&origin);
            if contradictions.iter().any(|one| against(&one)) {
                *anchored = Verdict::No;
            }
        }
        let reports: Vec<ChainReport> = chains
            .iter()
            .zip(parts)
            .zip(self.chains)
            .map(|((chain, logs), (judged, read, is_judged))| {
                let of_logs = chain.parts.iter().filter_map(|part| anchored.get(part.log).copied());
                let anchored = of_logs.fold(Verdict::Yes, worse);
                let complete = completed(judged.complete, &logs, &contradictions, &open);
                let verdicts = Verdicts { anchored, complete, ..judged };
                let Chain { has_beginning, has_end, .. } = *chain;
                ChainReport { verdicts, logs, has_beginning, has_end, judged: is_judged, read }
            })
            .collect();
        let verdicts = of_the_house(&logs, &chains, &reports, &contradictions);
        let read = reports.iter().fold(NOTHING_READ, |sum, chain| added(sum, chain.read));
        let (contradiction_count, open_count) = (contradictions.len() as u64, open.len() as u64);
        contradictions.truncate(MAX_CONTRADICTIONS);
        open.truncate(MAX_CONTRADICTIONS);
        let summary = Summary::joined(self.summaries, self.findings.len());
        FleetReport {
            format: 1,
            verdicts,
            logs: logs
                .into_iter()
                .zip(anchored)
                .map(|(log, anchored)| LogReport {
                    intact: log.seal.intact,
                    anchored,
                    tables: log.tables.len() as u64,
                    seal: sealed(log.seal),
                })
                .collect(),
            chains: reports,
            contradictions,
            contradiction_count,
            open,
            open_count,
            sealed_twice: self.sealed_twice,
            read,
            look_alike_tables,
            summary,
            findings: self.findings,
            unreadable: self.unreadable,
            unreadable_count: self.unreadable_count,
        }
    }
}

/// Whether each log is anchored. A checkpoint that was kept of a later log covers its first entry, which states the
/// checkpoint of the log before: what extends that is anchored as well.
fn anchored(fleet: &Fleet) -> Vec<Verdict> {
    let mut anchored: Vec<Verdict> = fleet.logs.iter().map(|log| log.seal.anchored).collect();
    let mut kept: Vec<u64> = fleet.logs.iter().map(|log| log.kept).collect();
    for chain in &fleet.chains {
        for pair in chain.parts.windows(2).rev() {
            let [before, behind] = pair else { continue };
            let is_extended = !fleet.open.iter().any(|open| {
                matches!(open, OpenQuestion::HandoverNotShown { log, .. } if *log == fleet.name(behind.log))
            });
            let covers = anchored[behind.log] == Verdict::Yes && kept[behind.log] > 0 && is_extended;
            if covers && before.until > 0 && anchored[before.log] == Verdict::Unknown {
                anchored[before.log] = Verdict::Yes;
                kept[before.log] = kept[before.log].max(before.until);
            }
        }
    }
    anchored
}

/// Whether the numbering of a chain's tables is complete, with what other logs say of it.
fn completed(
    judged: Verdict,
    logs: &[LogPart],
    contradictions: &[Contradiction],
    open: &[OpenQuestion],
) -> Verdict {
    let is_here = |name: &str| logs.iter().any(|part| part.log == name);
    let against = contradictions.iter().filter(|one| one.is_of_a_table());
    if against.flat_map(Contradiction::speaks_against).any(is_here) {
        return Verdict::No;
    }
    if open.iter().filter(|one| one.leaves_complete_open()).any(|one| is_here(one.log())) {
        return worst(judged);
    }
    judged
}

fn of_the_house(
    logs: &[super::FleetLog],
    chains: &[Chain],
    reports: &[ChainReport],
    contradictions: &[Contradiction],
) -> Verdicts {
    let intact = logs.iter().map(|log| log.seal.intact).fold(Verdict::Yes, worse);
    let in_force = || chains.iter().zip(reports).filter(|(chain, _)| chain.standing != Standing::GivenUp);
    let has_play = |(chain, report): &(&Chain, &ChainReport)| {
        report.read.entries > 0 || chain.standing == Standing::Disputed
    };
    let of_play = |answer: fn(&Verdicts) -> Verdict| {
        let mut answers = in_force().filter(has_play).map(|(_, report)| answer(&report.verdicts)).peekable();
        if answers.peek().is_none() { Verdict::Unknown } else { answers.fold(Verdict::Yes, worse) }
    };
    let mut verdicts = Verdicts {
        intact,
        anchored: in_force().map(|(_, report)| report.verdicts.anchored).fold(Verdict::Yes, worse),
        complete: of_play(|verdicts| verdicts.complete),
        certified: of_play(|verdicts| verdicts.certified),
    };
    for contradiction in contradictions {
        if contradiction.is_of_a_table() {
            verdicts.complete = Verdict::No;
        } else {
            verdicts.anchored = Verdict::No;
        }
    }
    verdicts
}

const fn added(one: Read, other: Read) -> Read {
    Read {
        entries: one.entries.saturating_add(other.entries),
        events: one.events.saturating_add(other.events),
        tables: one.tables.saturating_add(other.tables),
        missing_events: one.missing_events.saturating_add(other.missing_events),
        repeated_events: one.repeated_events.saturating_add(other.repeated_events),
    }
}

/// A finding with the indexes that its entries have in their logs.
fn placed(mut finding: Finding, places: &Places, name: &impl Fn(usize) -> String) -> FleetFinding {
    let (own, entry) = places.of(finding.entry);
    finding.entry = entry;
    let mut elsewhere: BTreeMap<u64, String> = BTreeMap::new();
    let mut place = |index: &mut u64| {
        let (part, entry) = places.of(*index);
        *index = entry;
        if part != own {
            elsewhere.insert(entry, name(part));
        }
    };
    finding.cause.iter_mut().for_each(|cause| place(&mut cause.entry));
    finding.expected.entry_mut().into_iter().for_each(&mut place);
    finding.recorded.entry_mut().into_iter().for_each(&mut place);
    let elsewhere = elsewhere.into_iter().map(|(entry, log)| Elsewhere { entry, log }).collect();
    FleetFinding { log: name(own), elsewhere, finding }
}
