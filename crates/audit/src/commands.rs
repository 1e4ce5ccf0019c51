//! The commands, one file each.

mod backup;
mod check;
mod demo;
mod desk;
mod explain;
mod export;
mod export_tiles;
mod fleet;
mod health;
mod import;
mod ingest;
mod init;
mod keep_checkpoint;
mod keys;
mod load;
mod pages;
mod prove;
mod quiz;
mod redact;
mod release;
mod report;
mod restore;
mod rules;
mod sample;
mod schema;
mod serve;
mod show;
mod simulate;
mod tokens;
mod verify;
mod verify_checkpoint;
mod verify_fleet;
mod verify_proof;
mod version;
mod watch;
mod witness;
mod witness_submit;

pub(crate) use health::Figures;

use crate::cli::{Cli, Command};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;

pub(crate) fn run(cli: Cli) -> Result<Exit, Failure> {
    match cli.command {
        Command::Demo(ask) => demo::run(&ask),
        Command::Init(ask) => init::run(&ask),
        Command::Ingest(ask) => ingest::run(&ask),
        Command::Check(ask) => check::run(&ask),
        Command::Verify(crate::cli::Verify::Log(ask)) => verify::run(&ask),
        Command::Verify(crate::cli::Verify::Fleet(ask)) => verify_fleet::run(&ask),
        Command::Verify(crate::cli::Verify::Proof(ask)) => verify_proof::run(&ask),
        Command::Verify(crate::cli::Verify::Checkpoint(ask)) => verify_checkpoint::run(&ask),
        Command::Prove(ask) => prove::run(&ask),
        Command::Show(ask) => show::run(&ask),
        Command::Export(ask) => match (&ask.tiles, &ask.out) {
            (Some(folder), _) => export_tiles::run(&ask.log.log, folder, ask.json),
            (None, Some(out)) => export::run(&ask, out),
            (None, None) => Err(Failure::usage(texts().give_out_or_tiles())),
        },
        Command::Keys(ask) => keys::run(&ask),
        Command::Serve(ask) => serve::run(&ask),
        Command::Desk(ask) => desk::run(&ask),
        Command::Health(ask) => health::run(&ask),
        Command::Watch(ask) => watch::run(&ask),
        Command::Fleet(crate::cli::Fleet::Setup(ask)) => fleet::setup(&ask),
        Command::Fleet(crate::cli::Fleet::Show(ask)) => fleet::show(&ask),
        Command::Fleet(crate::cli::Fleet::Send(ask)) => fleet::send(&ask),
        Command::Tokens(ask) => tokens::run(&ask),
        Command::Backup(ask) => backup::run(&ask),
        Command::Restore(ask) => restore::run(&ask),
        Command::Load(ask) => load::run(&ask),
        Command::Redact(ask) => redact::run(&ask),
        Command::Witness(crate::cli::Witness::New(ask)) => witness::new(&ask),
        Command::Witness(crate::cli::Witness::Serve(ask)) => witness::serve(&ask),
        Command::Witness(crate::cli::Witness::Submit(ask)) => witness_submit::run(&ask),
        Command::Witness(crate::cli::Witness::Recover(ask)) => witness::recover(&ask),
        Command::Quiz(ask) => quiz::run(&ask),
        Command::Report(ask) => report::run(&ask),
        Command::Sample(ask) => sample::run(&ask),
        Command::Simulate(ask) => simulate::run(&ask),
        Command::Import(crate::cli::Import::CoupsCsv(ask)) => import::run(&ask),
        Command::Rules(ask) => rules::run(&ask),
        Command::Version(ask) => version::run(&ask),
        Command::Explain(ask) => explain::run(&ask),
        Command::Release(crate::cli::Release::Sign(ask)) => release::sign(&ask),
        Command::Release(crate::cli::Release::Verify(ask)) => release::verify(&ask),
        Command::Man { out } => pages::man(&out),
        Command::Completions { shell } => pages::completions(shell),
        Command::Schema(ask) => schema::run(&ask),
    }
}
