//! `audit sample`: coups drawn for a manual inspection, so that anybody can draw them again.
//!
//! The log is read twice: once to verify it and to draw, once to show what was drawn.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use replay::{CoupPlace, CoupView, Draw, Judge, Report, Verdict};

use crate::cli::Sample;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::OpenedLog;
use crate::program::PROGRAM;
use crate::trust::Trust;
use crate::{judging, output, render};

pub(crate) fn run(ask: &Sample) -> Result<Exit, Failure> {
    let trust = Trust::new(&ask.trusted, &ask.log.log, None)?;
    let (opened, _copied) = OpenedLog::open_to_verify(&ask.log, trust.key())?.that_reads_again()?;
    let checkpoint = opened.claimed()?;
    let root = checkpoint.as_ref().map(|signed| signed.checkpoint().root_text()).unwrap_or_default();
    let mut draw = Draw::new(root, ask.seed, ask.coups as usize);
    let mut judge = Judge::listing(trust.approved.clone());
    let mut seal = judging::read_opened(&opened, &ask.log.log, trust.expectations(), &mut [], |entries| {
        judge.judge(entries);
        judge.take_coups().into_iter().for_each(|coup| draw.offer(coup));
        judge.footprint()
    })?;
    let mut judgement = judge.finish();
    std::mem::take(&mut judgement.coups).into_iter().for_each(|coup| draw.offer(coup));
    let witnessed = trust.witnessed(&mut seal);
    let not_shown = seal.left_out + seal.withheld;
    let report = Report::new(seal, judgement).judged_by(PROGRAM);
    let (of, drawn) = (draw.offered(), draw.drawn());
    let is_sealed = report.verdicts.intact == Verdict::Yes;
    let places = drawn.iter().map(|(_, place)| place);
    let views = views(&opened, &ask.log.log, &trust, places, is_sealed)?;
    let ranks = drawn.iter().map(|(rank, _)| *rank);
    let view = render::SampleView {
        log: &ask.log.log,
        report: &report,
        witnessed: witnessed.as_ref(),
        checkpoint: checkpoint.as_ref(),
        seed: ask.seed,
        asked: ask.coups,
        of,
        not_shown,
        coups: ranks.zip(views).collect(),
    };
    if ask.json {
        output::print_json(&view.json())?;
    } else {
        output::print_shown(&view.heading())?;
        output::print(&view.text())?;
    }
    Ok(trust.exit(&report, witnessed.as_ref()))
}

/// What these coups came to, in their order.
fn views<'a>(
    opened: &OpenedLog,
    log: &Path,
    trust: &Trust,
    places: impl Iterator<Item = &'a CoupPlace> + Clone,
    is_sealed: bool,
) -> Result<Vec<CoupView>, Failure> {
    if places.clone().next().is_none() {
        return Ok(Vec::new());
    }
    let tables: BTreeSet<&str> = places.clone().map(|place| place.table.as_str()).collect();
    let mut judge = Judge::viewing(trust.approved.clone(), places.clone());
    let mut own = judging::LogEntries::default();
    opened.read_again(|window| {
        let mut entries = own.of(&window);
        entries.retain(|entry| tables.contains(entry.table));
        judge.judge(&entries);
    })?;
    let of_place = |mut view: CoupView| {
        if !is_sealed {
            view.verdict = view.verdict.unsealed();
        }
        (place_of(&view), view)
    };
    let mut views: BTreeMap<CoupPlace, CoupView> =
        judge.finish().coup_views.into_iter().map(of_place).collect();
    places.map(|place| views.remove(place).ok_or_else(|| changed(log))).collect()
}

fn place_of(view: &CoupView) -> CoupPlace {
    let CoupView { table, shoe, coup, sequences: (first, _), .. } = view;
    CoupPlace { table: table.clone(), shoe: shoe.clone(), coup: *coup, first: *first }
}

/// Somebody replaced the file between the two readings.
fn changed(log: &Path) -> Failure {
    Failure::unreadable(texts().changed_while_read(log.display()))
}
