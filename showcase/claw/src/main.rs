//! Sessions on disk, an inventory with a router, and turns of a small local engine.
//!
//! The program is on its way from the flat envelope to the wrapped one. Nothing below this file
//! knows: a command returns a reply or an error.

mod builtin;
mod cli;
mod command;
mod directory;
mod engine;
mod error;
mod inventory;
mod phase;
mod probe;
mod process;
mod router;
mod session;
mod site;
mod tool;
mod watch;

use crate::cli::Cli;
use crate::error::BOUNDARY;
use crate::phase::Phase;
use manila_clap::{App, Migration, Mode, dialects};
use std::process::ExitCode;

fn main() -> ExitCode {
    let phase = Phase::rehearsed();
    let stage = phase.as_ref().copied().unwrap_or_default().stage();
    let old = ("1.0", dialects::CLAW_1_0);
    let new = ("2.0", dialects::CLAW_2_0);
    let app = App::<Cli>::new(dialects::CLAW_2_0)
        .migrate(Migration::new(old, new, stage))
        // JSON only on request.
        .all_flags()
        .unified_errors()
        .piped(Mode::Plain)
        .schema()
        .manifest();
    let app = BOUNDARY.iter().fold(app, |app, (code, kind)| app.rename(*code, kind));
    command::declare(app).run(|cli, call| phase.and_then(|_| command::run(cli, call)))
}
