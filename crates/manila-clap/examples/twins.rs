//! The programs of the differential test, each with clap alone or with this crate.

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command};
use manila_clap::{App, Flag, Printed, dialects};
use std::convert::Infallible;
use std::process::ExitCode;

#[path = "../tests/differential/mod.rs"]
#[expect(dead_code, reason = "the test reads the rest")]
mod differential;

/// What clap alone makes of a call. Its help has the flag in it that this crate adds.
fn plain(command: Command, has_json: bool) -> ExitCode {
    let error = match command.clone().try_get_matches() {
        Ok(matches) => {
            say(&matches);
            return ExitCode::SUCCESS;
        }
        Err(error) => error,
    };
    let is_help = error.kind() == ErrorKind::DisplayHelp
        || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    let has_own = command.get_arguments().any(|arg| arg.get_long() == Some("json"));
    if is_help && has_json && !has_own {
        let json = Arg::new("json").long("json").help("Answer in JSON").global(true);
        let json = json.action(ArgAction::SetTrue);
        let with = |command: Command| command.arg(json.clone());
        // The commands of a multicall program are programs of their own.
        let is_multicall = command.is_multicall_set();
        let command = if is_multicall { command.mut_subcommands(with) } else { with(command) };
        command.get_matches();
    }
    error.exit()
}

fn say(matches: &ArgMatches) {
    let ids: Vec<_> = matches.ids().map(clap::Id::as_str).collect();
    let values = ids.iter().map(|id| matches.try_get_raw(id).ok().flatten());
    let values: Vec<_> = values.map(|raw| raw.map(Iterator::collect::<Vec<_>>)).collect();
    differential::say(&(&ids, values, matches.subcommand_name()));
    if let Some((_, below)) = matches.subcommand() {
        say(below);
    }
}

fn main() -> ExitCode {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let (name, side) = (variable("TWINS_PROGRAM"), variable("TWINS_SIDE"));
    let Some(program) = differential::programs().find(|program| program.name == name) else {
        return ExitCode::from(99);
    };
    let has_json = !side.ends_with("-bare");
    if let Some(typed) = program.typed.filter(|_| side.ends_with("-typed")) {
        return if side.starts_with("plain") { (typed.plain)() } else { (typed.enveloped)() };
    }
    if side.starts_with("plain") {
        return plain((program.command)(), has_json);
    }
    let mut app = App::from_command((program.command)(), dialects::RESPONSE_ENVELOPE_1_0);
    if !has_json {
        app = app.no_flag(Flag::Json);
    }
    app.run(|matches, _| {
        say(&matches);
        Ok::<_, Infallible>(Printed)
    })
}
