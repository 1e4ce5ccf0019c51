//! `audit verify fleet`: the logs of one house, verified together.
//!
//! Every log is read twice: first its seal, with what the other logs state of it; then, once it is known which log
//! continues which, its play, chain by chain.

use std::collections::BTreeMap;

use replay::Footprint;
use replay::fleet::{Chain, Fleet, FleetJudge, FleetLog, FleetTally, Standing};
use sealed_log::reader::{Expectations, SealReport};
use tempfile::NamedTempFile;
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;
use tlog::policy::{WitnessPolicy, Witnessed};

use crate::cli::{LogRead, VerifyFleet};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::{OpenedLog, signed_checkpoint, verifier_key};
use crate::shown::plain;
use crate::{judging, output, progress, render, trust, witnesses};

/// A log that is open, and what it says of itself before it is read.
struct Given {
    path: String,
    opened: OpenedLog,
    /// What it was copied to, if it could be read only once.
    _copy: Option<NamedTempFile>,
    own: SignedCheckpoint,
    continued: Option<SignedCheckpoint>,
}

impl Given {
    fn origin(&self) -> &str {
        &self.own.checkpoint().origin
    }
}

pub(crate) fn run(ask: &VerifyFleet) -> Result<Exit, Failure> {
    let approved = trust::approved(&ask.approved)?;
    let policy = ask.witness_policy.as_deref().map(witnesses::policy).transpose()?;
    let given = ask.each().map(|log| open(&log)).collect::<Result<Vec<Given>, _>>()?;
    let keys = keys(ask, &given)?;
    let anchors = anchors(ask, &given)?;
    let mut read = Vec::with_capacity(given.len());
    let mut said: Vec<(String, Witnessed)> = Vec::new();
    let mut tables = 0;
    for (number, log) in given.iter().enumerate() {
        let mut anchors = anchors.get(log.origin()).cloned().unwrap_or_default();
        if policy.is_some() {
            anchors.extend(witnesses::kept(log.path.as_ref())?);
        }
        let verifier = keys.get(log.origin()).cloned();
        let mut kept = anchors.iter().map(|anchor| anchor.checkpoint().size).max().unwrap_or(0);
        let claims = claims(&given, number);
        let expectations = Expectations { verifier, anchors: anchors.clone() };
        let (mut seal, firsts) = read_seal(log, expectations, claims, tables)?;
        tables += firsts.len();
        if let Some(witnessed) = policy.as_ref().and_then(|policy| seal.require_quorum(policy, &anchors)) {
            if witnessed.quorum {
                kept = kept.max(witnessed.size);
            }
            said.push((log.origin().to_owned(), witnessed));
        }
        read.push((log, FleetLog { seal, tables: firsts, kept }));
    }
    // As the fleet sorts them, whatever the order of the arguments.
    read.sort_by(|(_, one), (_, other)| one.order().cmp(&other.order()));
    let (given, logs): (Vec<&Given>, Vec<FleetLog>) = read.into_iter().unzip();
    let fleet = Fleet::of(logs);
    let mut tally = FleetTally::default();
    for chain in &fleet.chains {
        match chain.standing {
            Standing::Judged | Standing::Disputed => {
                let judge = judge(FleetJudge::new(approved.clone(), chain), chain, &fleet, &given)?;
                tally.add(&fleet, chain, judge);
            }
            Standing::GivenUp => tally.pass_over(&fleet, chain),
        }
    }
    let report = tally.finish(fleet);
    said.sort_by(|(one, _), (other, _)| one.cmp(other));
    let view = render::FleetView { report: &report, witnessed: &said, all: ask.all };
    if ask.json {
        output::print_json(&view.json())?;
    } else {
        output::print_shown(&view.heading())?;
        output::print(&view.text())?;
    }
    let asks_witnesses = policy.as_ref().is_some_and(WitnessPolicy::asks_for_witnesses);
    let not_listed = said.iter().any(|(_, said)| !said.log_listed);
    Ok(Exit::of_fleet(&report, asks_witnesses || not_listed))
}

fn open(log: &LogRead) -> Result<Given, Failure> {
    let path = log.log.display().to_string();
    let (opened, copy) = OpenedLog::open_to_verify(log, None)?.that_reads_again()?;
    let Some(own) = opened.claimed()? else {
        return Err(Failure::unreadable(texts().fleet_needs_seals(path)));
    };
    let continued = opened.continued()?;
    Ok(Given { path, opened, _copy: copy, own, continued })
}

/// The keys given, by the log that each is of.
fn keys(ask: &VerifyFleet, given: &[Given]) -> Result<BTreeMap<String, VerifierKey>, Failure> {
    let mut keys: BTreeMap<String, VerifierKey> = BTreeMap::new();
    for text in &ask.key {
        let key = verifier_key(text)?;
        let origin = key.name().to_owned();
        if !given.iter().any(|log| log.origin() == origin) {
            return Err(Failure::usage(texts().fleet_key_of_none(&origin, names(given))));
        }
        if keys.insert(origin.clone(), key.clone()).is_some_and(|other| other != key) {
            return Err(Failure::usage(texts().fleet_two_keys(&origin)));
        }
    }
    Ok(keys)
}

/// The checkpoints given, by the log that each is of.
fn anchors(ask: &VerifyFleet, given: &[Given]) -> Result<BTreeMap<String, Vec<SignedCheckpoint>>, Failure> {
    let mut anchors: BTreeMap<String, Vec<SignedCheckpoint>> = BTreeMap::new();
    for file in &ask.checkpoint {
        let signed = signed_checkpoint(file)?;
        let origin = signed.checkpoint().origin.clone();
        if !given.iter().any(|log| log.origin() == origin) {
            let (file, logs) = (file.display(), names(given));
            return Err(Failure::usage(texts().fleet_checkpoint_of_none(file, &origin, logs)));
        }
        anchors.entry(origin).or_default().push(signed);
    }
    Ok(anchors)
}

fn names(given: &[Given]) -> String {
    let mut names: Vec<String> = given.iter().map(|log| plain(log.origin())).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

/// What the other logs state of one: where they continue it, and what other copies of it are.
fn claims(given: &[Given], number: usize) -> Vec<SignedCheckpoint> {
    let Some(origin) = given.get(number).map(Given::origin) else { return Vec::new() };
    let others = given.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, log)| log);
    let stated = others.flat_map(|log| log.continued.iter().chain([&log.own]));
    stated.filter(|signed| signed.checkpoint().origin == origin).cloned().collect()
}

/// Reads a log's seal, and where each of its tables begins. `before` tables are in the logs read before.
fn read_seal(
    log: &Given,
    expectations: Expectations,
    claims: Vec<SignedCheckpoint>,
    before: usize,
) -> Result<(SealReport, BTreeMap<String, u64>), Failure> {
    let mut reading = progress::Reading::start();
    let bar = reading.bar();
    let mut tables: BTreeMap<String, u64> = BTreeMap::new();
    let mut is_crowded = false;
    let sized = |size| progress::Reading::of_size(&bar, size);
    let seal = log.opened.read_claimed(expectations, claims, sized, |window| {
        let entries = judging::entries(&window);
        for entry in entries.iter().filter(|_| !is_crowded) {
            if !tables.contains_key(entry.table) {
                tables.insert(entry.table.to_owned(), entry.index);
            }
        }
        is_crowded = judging::is_crowded(before + tables.len());
        let read = entries.last().map_or(0, |entry| entry.index.saturating_add(1));
        reading.read(read, entries.iter().map(|entry| u64::from(entry.count)).sum());
    })?;
    if is_crowded { Err(judging::crowded(log.path.as_ref())) } else { Ok((seal, tables)) }
}

/// Judges a chain, log by log.
fn judge(
    mut judge: FleetJudge,
    chain: &Chain,
    fleet: &Fleet,
    given: &[&Given],
) -> Result<FleetJudge, Failure> {
    for part in &chain.parts {
        let (Some(log), Some(before)) = (given.get(part.log), fleet.logs.get(part.log)) else { continue };
        judge.next_log();
        let mut reading = progress::Reading::start();
        progress::Reading::of_size(&reading.bar(), before.seal.size);
        let mut is_crowded = false;
        let seal = log.opened.read_again(|window| {
            if is_crowded {
                return;
            }
            let entries = judging::entries(&window);
            judge.judge(&entries);
            is_crowded = !judge.footprint().is_within(Footprint::AT_ONCE);
            let read = entries.last().map_or(0, |entry| entry.index.saturating_add(1));
            reading.read(read, entries.iter().map(|entry| u64::from(entry.count)).sum());
        })?;
        if is_crowded {
            return Err(judging::crowded(log.path.as_ref()));
        }
        if (seal.size, seal.root) != (before.seal.size, before.seal.root) {
            return Err(Failure::unreadable(texts().fleet_log_changed(&log.path)));
        }
    }
    Ok(judge)
}
