//! `audit desk`: a log as pages in a browser on this machine.

mod read_once;

use std::io::IsTerminal as _;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::json;
use service::Pages;

use crate::cli::Desk;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::trust::Trust;
use crate::{language, output, signals};
use read_once::ReadOnce;

pub(crate) fn run(ask: &Desk) -> Result<Exit, Failure> {
    on_this_machine(&ask.listen)?;
    let trust = Trust::new(&ask.trusted, &ask.log.log, None)?;
    let pages = Pages::bind(&ask.listen, language::by_option()).map_err(Failure::of_reading)?;
    let source = ReadOnce::read(&ask.log, trust)?;
    let url = pages.url();
    if ask.json {
        output::print_json(&json!({ "url": url }))?;
    } else {
        output::print(&format!("{}\n", texts().desk_at(&url)))?;
        if !ask.no_browser && std::io::stdout().is_terminal() {
            open_browser(&pages.url_once());
        }
    }
    signals::ends_in_order();
    pages.run(Arc::new(source)).map_err(Failure::of_reading)?;
    Ok(Exit::Good)
}

/// The pages show the whole log to everybody who has the key, and the key is sent without TLS. So they stay on this machine.
fn on_this_machine(listen: &str) -> Result<(), Failure> {
    let addresses =
        listen.to_socket_addrs().map_err(|error| Failure::file(format!("--listen {listen}"), &error))?;
    let addresses: Vec<SocketAddr> = addresses.collect();
    if addresses.iter().all(|address| address.ip().is_loopback()) {
        return Ok(());
    }
    Err(Failure::usage(texts().desk_beyond_this_machine(listen)))
}

/// Opens the browser where the desktop has one; the address was printed in any case.
fn open_browser(url: &str) {
    let mut command = Command::new("xdg-open");
    let quiet = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Without a desktop there is no such program.
    let _ = quiet.spawn();
}
