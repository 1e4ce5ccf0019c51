//! `audit version`: which program this is, and by what it judges.

use crate::cli::Version;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::program::Identity;
use crate::render;

pub(crate) fn run(ask: &Version) -> Result<Exit, Failure> {
    let identity = Identity::known();
    if ask.json {
        output::print_json(&identity)?;
    } else {
        output::print(&render::identity())?;
    }
    Ok(Exit::Good)
}
