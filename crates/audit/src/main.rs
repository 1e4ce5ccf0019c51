//! The one command: seal a table's events and certify every coup.
//!
//! This crate parses arguments, calls the libraries and renders what they return. It holds no logic that a
//! library should hold.

mod access;
mod cli;
mod colour;
mod commands;
mod errors;
mod exit;
mod failure;
mod help;
mod judging;
mod keys;
mod language;
mod line_reader;
mod log;
mod logging;
mod machine;
mod memory;
mod new_file;
mod output;
mod printer;
mod private_copies;
mod program;
mod progress;
mod proving;
mod render;
mod seal_view;
mod served;
mod settings;
mod shown;
mod signals;
mod site;
mod spool;
mod text_file;
mod trust;
mod witnesses;

use std::process::ExitCode;

use exit::Exit;

fn main() -> ExitCode {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    language::choose(language::asked(&arguments, |name| std::env::var_os(name)));
    memory::prepare();
    colour::choose(&arguments, |name| std::env::var_os(name));
    let arguments = cli::completed(arguments);
    std::panic::set_hook(Box::new(|panic| match machine::refused_in(panic) {
        Some(error) => {
            signals::an_abort_is_the_machines();
            output::note(&language::texts().system_refused(errors::said(&error)));
        }
        None => output::note(&language::texts().internal_error(panic)),
    }));
    signals::tell_aborts_apart();
    memory::tell_aborts();
    signals::outlive_the_file_limit();
    let outcome = std::panic::catch_unwind(|| match settings::cli(arguments)? {
        Some(asked) => commands::run(asked),
        None => Ok(Exit::Good),
    });
    let exit = match outcome {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) => {
            output::note(&failure.message);
            failure.exit
        }
        Err(_) if signals::is_an_abort_the_machines() => Exit::Machine,
        Err(_) => Exit::OwnFault,
    };
    ExitCode::from(exit.status())
}
