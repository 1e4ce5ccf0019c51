//! What the demonstration prints: what the commands returned, in lines of at most [`WIDTH`] characters.

use std::ffi::OsStr;
use std::path::Path;

use replay::{CoupView, Fault, Report, Verdicts};
use sealed_log::reader::FaultKind;
use serde::Serialize;
use texts::{Question, Texts};
use utoipa::ToSchema;

use super::made::{Changed, Log, Made, Resealed, asked};
use super::not_as_meant;
use crate::cli::{self, Command, SERVED_AT};
use crate::colour::{self, Style};
use crate::commands::{verify, verify_proof};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::render::{self, shell_word};
use crate::text_file::small_text;

/// A line is not longer, except where one word is.
const WIDTH: usize = 80;
/// Where the second column begins.
const COLUMN: usize = 13;

/// What is shown of the folder that was made.
pub(super) struct Shown<'a> {
    made: &'a Made,
    /// The log with a changed byte.
    changed: verify::Verified,
    /// The log that was sealed a second time, compared with a checkpoint of the first.
    resealed: verify::Verified,
    /// The proof, checked with the key alone.
    proof: verify_proof::ProofView,
    /// Commands to continue with.
    next: [String; 4],
}

/// One of the two logs.
#[derive(Serialize, ToSchema)]
#[schema(as = DemoLog)]
struct LogJson<'a> {
    /// Its folder.
    log: String,
    /// The file with its public key.
    key: String,
    /// Its name.
    origin: &'a str,
    /// Events in it.
    events: u64,
    /// Entries in it.
    entries: u64,
    /// Root of its tree, base64.
    root: &'a str,
    /// What `audit verify log` says of it.
    verdicts: Verdicts,
    /// How `audit verify log` ends.
    exit_status: u8,
}

/// A copy of the crooked log in which a byte is changed.
#[derive(Serialize, ToSchema)]
#[schema(as = DemoChange)]
struct ChangedJson<'a> {
    /// The copy, an archive.
    archive: String,
    /// Which byte was changed, counted from 0.
    offset: usize,
    /// How many bytes it has.
    bytes: usize,
    /// The byte before.
    was: u8,
    /// The byte now.
    is: u8,
    /// What `audit verify log` says of the copy.
    verdicts: Verdicts,
    /// The faults of its seal, the first 1,000.
    faults: &'a [Fault],
    /// How `audit verify log` ends.
    exit_status: u8,
}

/// Another record, sealed with the key of the crooked log in its place.
#[derive(Serialize, ToSchema)]
#[schema(as = DemoResealed)]
struct ResealedJson<'a> {
    /// The log. Its key and its name are those of the crooked one.
    log: LogJson<'a>,
    /// A checkpoint of the crooked log, which somebody kept.
    checkpoint: String,
    /// What `audit verify log --checkpoint` says of it.
    verdicts: Verdicts,
    /// How `audit verify log --checkpoint` ends.
    exit_status: u8,
}

/// The folder that was made, and what other commands say of it.
#[derive(Serialize, ToSchema)]
#[schema(as = Demo)]
pub(in crate::commands) struct Json<'a> {
    /// The folder.
    folder: String,
    /// The honest log, then the crooked one.
    logs: Vec<LogJson<'a>>,
    /// The crooked coup, as `audit show coup` prints it, with its finding.
    theft: &'a CoupView,
    /// A copy in which a byte is changed.
    changed: ChangedJson<'a>,
    /// An honest record in place of the crooked one.
    resealed: ResealedJson<'a>,
    /// The proof of the crooked coup, checked with the log's key alone.
    proof: &'a verify_proof::ProofView,
    /// Commands to continue with.
    next: &'a [String],
}

impl<'a> Shown<'a> {
    /// Verifies the changed copy and the proof. Anything that differs from what the demonstration says is an error of this program.
    pub(super) fn of(made: &'a Made) -> Result<Self, Failure> {
        let key = small_text(&made.crooked().key)?;
        let key = key.trim_end().to_owned();
        let archive = &made.changed.archive;
        let Command::Verify(cli::Verify::Log(ask)) = asked([&"verify", &"log", archive, &"--key", &key])?
        else {
            return Err(not_as_meant("verify"));
        };
        let changed = verify::verified(&ask)?;
        let Resealed { log, kept } = &made.resealed;
        let words =
            [&"verify" as &dyn AsRef<OsStr>, &"log", &log.path, &"--key", &key, &"--checkpoint", kept];
        let Command::Verify(cli::Verify::Log(ask)) = asked(words)? else {
            return Err(not_as_meant("verify --checkpoint"));
        };
        let resealed = verify::verified(&ask)?;
        let Command::Verify(cli::Verify::Proof(ask)) =
            asked([&"verify", &"proof", &made.proof, &"--key", &key])?
        else {
            return Err(not_as_meant("verify proof"));
        };
        let (exit, proofs) = verify_proof::verified(&ask, None)?;
        let Some((proof, _)) = proofs.into_iter().next() else { return Err(not_as_meant("no proof")) };
        let [honest, crooked] = made.logs.each_ref().map(|log| log.verified.exit);
        let alone = log.verified.exit;
        if [honest, crooked, changed.exit, alone, resealed.exit, exit]
            != [Exit::Good, Exit::Findings, Exit::Seal, Exit::Good, Exit::Seal, Exit::Good]
        {
            return Err(not_as_meant("what was verified is not as it should be"));
        }
        Ok(Self { made, changed, resealed, proof, next: next(made) })
    }

    pub(super) fn json(&'a self) -> Json<'a> {
        let Changed { archive, at, size, was, is } = &self.made.changed;
        let verified = &self.changed;
        Json {
            folder: self.made.folder.display().to_string(),
            logs: self.made.logs.iter().map(log_json).collect(),
            theft: &self.made.coup,
            changed: ChangedJson {
                archive: archive.display().to_string(),
                offset: *at,
                bytes: *size,
                was: *was,
                is: *is,
                verdicts: verified.report.verdicts,
                faults: &verified.report.seal.faults,
                exit_status: verified.exit.status(),
            },
            resealed: ResealedJson {
                log: log_json(&self.made.resealed.log),
                checkpoint: self.made.resealed.kept.display().to_string(),
                verdicts: self.resealed.report.verdicts,
                exit_status: self.resealed.exit.status(),
            },
            proof: &self.proof,
            next: &self.next,
        }
    }

    /// The lines, escaped already, and painted where there is colour.
    pub(super) fn text(&self) -> String {
        let mut text = lines(0, &texts().demo_heading(self.made.folder.display()));
        text.push_str(&lines(0, &texts().demo_key()));
        text.push_str(&heading(1, &texts().demo_sealed()));
        self.made.logs.iter().for_each(|log| text.push_str(&log_lines(log)));
        text.push_str(&self.theft());
        text.push_str(&self.change());
        text.push_str(&self.sealed_anew());
        text.push_str(&heading(5, &texts().demo_proven(self.made.crooked().key.display())));
        let proof = verify_proof::text(&self.proof, false);
        proof.lines().for_each(|line| text.push_str(&lines(3, line.trim())));
        text.push_str(&format!("\n{}", lines(0, &texts().demo_next())));
        let [here @ .., elsewhere] = &self.next;
        here.iter().for_each(|one| text.push_str(&command(one)));
        text.push_str(&lines(0, &texts().demo_next_elsewhere()));
        text.push_str(&command(elsewhere));
        text
    }

    /// The coup as `show coup` has it, and its finding.
    fn theft(&self) -> String {
        let coup = &self.made.coup;
        let mut text = String::new();
        let mut row = |label: &str, what: &str| text.push_str(&labelled(label, what));
        let place = texts().demo_place(&coup.table, coup.shoe.as_deref().unwrap_or_default(), coup.coup);
        row(&texts().table(), &place);
        row(&texts().cards_label(), &render::cards(coup));
        row(&texts().totals_label(), &texts().totals_of(coup));
        for bet in coup.bets.iter().filter(|bet| Texts::is_settled_otherwise(bet)) {
            let sum = render::money(i128::from(bet.stake), coup.currency.as_ref());
            let who = bet.player.as_ref().map(|player| format!(" ({player})")).unwrap_or_default();
            row(
                &texts().bet(),
                &(texts().demo_bet(bet.bet, &sum, texts().on_bet(&bet.kind), bet.seat) + &who),
            );
            let due = texts().settlement_of(bet, bet.expected, coup.currency.as_ref());
            let won = bet.expected.and_then(|due| due.returned.checked_sub(bet.stake));
            let won =
                won.filter(|won| *won > 0).map(|won| render::money(i128::from(won), coup.currency.as_ref()));
            let due = won.map_or(due.clone(), |won| texts().demo_stake_and_won(&due, &sum, won));
            row(&texts().due(), &due);
            row(&texts().demo_returned(), &texts().settlement_of(bet, bet.recorded, coup.currency.as_ref()));
        }
        for finding in &coup.findings {
            for moved in &finding.money {
                row(&texts().demo_who(), &texts().moved_at_seat(finding, moved));
            }
            let sentence = finding.code.sentence(texts().language());
            row(&texts().demo_finding(), &format!("{}: {sentence}", finding.code));
            let clause = texts().rule_heading(texts().clause(&finding.rule.clause), &finding.rule.rulebook);
            row(&texts().demo_rule(), &format!("{clause}: {}", finding.rule.citations.join("; ")));
        }
        heading(2, &texts().demo_theft()) + &text
    }

    /// What `verify` says of the copy.
    fn change(&self) -> String {
        let Changed { archive, at, size, was, is } = &self.made.changed;
        let hex = |byte: &u8| format!("0x{byte:02x}");
        let (at, size) = (render::grouped(*at as u64), render::grouped(*size as u64));
        let mut text = heading(3, &texts().demo_changed(at, size, hex(was), hex(is)));
        let key = shell_word(&self.made.crooked().key);
        let line =
            format!("{} verify {} \\\n      --key {key}{}", program(), shell_word(archive), in_language());
        text.push_str(&command(&line));
        let verify::Verified { report, exit, .. } = &self.changed;
        // A block's checksum is wrong before any entry of it was looked at: its first entry may be sound.
        let of_entry = |fault: &&Fault| fault.kind == FaultKind::EntryAltered;
        let faults = &report.seal.faults;
        let first = faults.iter().find(of_entry).or_else(|| faults.first());
        let first =
            first.map(|fault| texts().the_first_fault(render::seal_fault(fault.entry, &fault.message)));
        let faults = format!("{}{}", texts().faults(report.seal.fault_count), first.unwrap_or_default());
        text.push_str(&format!("   {}\n", verdicts(report)));
        text.push_str(&lines(3, &faults));
        text.push_str(&lines(3, &texts().demo_exit(exit.status())));
        text
    }

    /// What `verify` says of a log that was sealed a second time: by its key, and compared with a checkpoint of the first.
    fn sealed_anew(&self) -> String {
        let Resealed { log, kept } = &self.made.resealed;
        let alone = format!("{} verify {} --key {}", program(), shell_word(&log.path), shell_word(&log.key));
        let mut text = heading(4, &texts().demo_resealed());
        let mut verified = |last_line: &str, of: &verify::Verified| {
            text.push_str(&command(&format!("{last_line}{}", in_language())));
            text.push_str(&format!("   {}\n", verdicts(&of.report)));
            text.push_str(&lines(3, &texts().demo_exit(of.exit.status())));
        };
        verified(&alone, &log.verified);
        verified(&format!("{alone} \\\n      --checkpoint {}", shell_word(kept)), &self.resealed);
        text
    }
}

/// A command to type.
fn command(command: &str) -> String {
    colour::lines(&format!("   {command}\n"))
}

fn log_json(log: &Log) -> LogJson<'_> {
    LogJson {
        log: log.path.display().to_string(),
        key: log.key.display().to_string(),
        origin: &log.sealed.origin,
        events: log.sealed.events,
        entries: log.sealed.entries,
        root: &log.sealed.root,
        verdicts: log.verified.report.verdicts,
        exit_status: log.verified.exit.status(),
    }
}

fn log_lines(log: &Log) -> String {
    let sealed = &log.sealed;
    let (events, entries) = (texts().events(sealed.events), texts().entries(sealed.entries));
    let exit = texts().demo_exit(log.verified.exit.status());
    let count = labelled(log.name, &texts().demo_log(events, entries, exit));
    format!("{count}{:COLUMN$}{}\n", "", verdicts(&log.verified.report))
}

/// The four verdicts in a line.
fn verdicts(report: &Report) -> String {
    let Verdicts { intact, anchored, complete, certified } = report.verdicts;
    let said = [
        (Question::Intact, intact),
        (Question::Anchored, anchored),
        (Question::Complete, complete),
        (Question::Certified, certified),
    ];
    // Not a text with arguments: these are painted.
    let colon = texts().language().of("", ":");
    let said = said.map(|(question, answer)| {
        let answer = colour::styled(Style::of(answer), texts().verdict(answer));
        format!("{}{colon} {answer}", texts().question(question))
    });
    said.join(", ")
}

/// Commands that work as they are printed, where this program was called as it was.
fn next(made: &Made) -> [String; 4] {
    let (program, log, lang) = (program(), shell_word(&made.crooked().path), in_language());
    let key = shell_word(&made.crooked().key);
    [
        format!("{program} verify {log} --key {key}{lang}"),
        format!("{program} desk {log} --key {key}{lang}"),
        format!("{program} serve --log {log}{lang}"),
        format!("{program} verify http://{SERVED_AT} --key {key}{lang}"),
    ]
}

/// This program as it was called, as a word for a shell.
pub(super) fn program() -> String {
    let program = std::env::args_os().next().filter(|name| !name.is_empty());
    shell_word(Path::new(&program.unwrap_or_else(|| OsStr::new("audit").to_owned())))
}

/// The option for the language, where a command would speak another without it.
fn in_language() -> &'static str {
    match texts().language() {
        texts::Language::English => "",
        texts::Language::Spanish => " --lang es",
    }
}

fn heading(number: u32, text: &str) -> String {
    format!("\n{}", hanging(&format!("{number}. "), text))
}

/// A row of two columns.
fn labelled(label: &str, text: &str) -> String {
    let label = format!("   {label} ");
    hanging(&format!("{label:<COLUMN$}"), text)
}

fn lines(indent: usize, text: &str) -> String {
    hanging(&" ".repeat(indent), text)
}

/// A text after a label, in lines that all begin where it begins.
fn hanging(label: &str, text: &str) -> String {
    let indent = label.chars().count();
    let (mut out, mut line) = (String::new(), label.to_owned());
    for word in text.split(' ') {
        let is_begun = line.chars().count() > indent;
        if is_begun && line.chars().count() + 1 + word.chars().count() > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            line = " ".repeat(indent);
        } else if is_begun {
            line.push(' ');
        }
        line.push_str(word);
    }
    out.push_str(line.trim_end());
    colour::lines(&format!("{out}\n"))
}
