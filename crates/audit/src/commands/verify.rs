//! `audit verify log`: the four verdicts, the findings and the certificate.

use replay::{Judge, Rejudged, Report, Verdict};
use tlog::checkpoint::SignedCheckpoint;
use tlog::policy::Witnessed;

use super::keep_checkpoint;
use crate::cli::VerifyLog;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::log::{OpenedLog, rulebook};
use crate::program::PROGRAM;
use crate::spool::{Spool, Spooled};
use crate::trust::Trust;
use crate::{judging, output, render};

pub(crate) fn run(ask: &VerifyLog) -> Result<Exit, Failure> {
    let held = keep_checkpoint::held(ask.keep_checkpoint.as_deref())?;
    let Verified { report, exit, witnessed, changed, spooled, newest, extends_given, troubles } =
        verified(ask)?;
    let view = render::ReportView {
        report: &report,
        witnessed: witnessed.as_ref(),
        troubles: &troubles,
        all: ask.all,
    };
    if ask.json {
        troubles.iter().for_each(|trouble| output::note(trouble));
    }
    if let Some((changed, title)) = changed {
        print_changed(&view, &changed, &title, ask.json)?;
        return Ok(if changed.same() { exit } else { exit.worse(Exit::Findings) });
    }
    match (spooled, ask.json) {
        (Some(all), true) => output::print_json_by(|out| {
            serde_json::to_writer_pretty(&mut *out, &view.json_of_all(all))?;
            out.write_all(b"\n")
        })?,
        (Some(all), false) => {
            output::print_shown(&view.heading())?;
            output::print_by(|out| view.write_all(out, &all))?;
        }
        (None, true) => output::print_json(&view.json())?,
        (None, false) => {
            output::print_shown(&view.heading())?;
            output::print(&view.text())?;
        }
    }
    if let Some(file) = &ask.keep_checkpoint {
        keep_checkpoint::keep(file, held.as_ref(), &report, newest.as_ref(), extends_given, ask.json)?;
    }
    Ok(exit)
}

/// What came out, before any of it is printed.
pub(super) struct Verified {
    pub(super) report: Report,
    /// The status of the command, as far as the report decides it.
    pub(super) exit: Exit,
    witnessed: Option<Witnessed>,
    /// What another rulebook would change, and its title.
    changed: Option<(Rejudged, String)>,
    spooled: Option<Spooled>,
    newest: Option<SignedCheckpoint>,
    extends_given: bool,
    /// What is wrong with files of the log's folder.
    troubles: Vec<String>,
}

/// Verifies a log, and prints nothing.
pub(super) fn verified(ask: &VerifyLog) -> Result<Verified, Failure> {
    // What is to be replaced must be extended as well.
    let kept = keep_checkpoint::held(ask.keep_checkpoint.as_deref())?;
    let trust = Trust::new(&ask.trusted, &ask.log.log, kept)?;
    let mut own = Judge::new(trust.approved.clone(), None);
    let other = ask.other.as_deref().map(rulebook).transpose()?;
    let title = other.as_ref().map(|book| format!("{} ({})", book.id, book.title)).unwrap_or_default();
    let mut under = other.map(Judge::under);
    let mut spool = (ask.all && under.is_none()).then(Spool::new).transpose()?;
    let opened = OpenedLog::open_to_report(&ask.log, trust.key())?;
    let (log, expectations) = (&ask.log.log, trust.expectations());
    let mut seal = match &mut spool {
        Some(spool) => spool.read(&opened, log, expectations, &mut own)?,
        None => {
            let mut judges: Vec<&mut Judge> = std::iter::once(&mut own).chain(under.iter_mut()).collect();
            judging::read_in_passes(&opened, log, expectations, &mut judges)?
        }
    };
    let extends_given = trust.extended_by(&seal);
    let witnessed = trust.witnessed(&mut seal);
    let (own, at_the_end) = own.finish_reporting();
    let spooled = spool.map(|spool| spool.finish(&at_the_end)).transpose()?;
    let changed = under.map(|under| (Rejudged::new(&own, &under.finish()), title));
    let newest = seal.checkpoint.clone();
    let report = Report::new(seal, own).judged_by(PROGRAM);
    let exit = trust.exit(&report, witnessed.as_ref());
    let troubles = opened.troubles().to_vec();
    Ok(Verified { report, exit, witnessed, changed, spooled, newest, extends_given, troubles })
}

/// Prints what another rulebook would change, below the log's own verdicts.
fn print_changed(
    view: &render::ReportView<'_>,
    changed: &Rejudged,
    title: &str,
    json: bool,
) -> Result<(), Failure> {
    let sealed = view.report.verdicts.intact == Verdict::Yes;
    let changed = if sealed { changed.clone() } else { changed.clone().unsealed() };
    if json {
        output::print_json(&view.changed_json(&changed, title))
    } else {
        output::print_shown(&view.heading())?;
        output::print(&view.changed_text(&changed, title))
    }
}
