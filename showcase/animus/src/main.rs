//! Keeps the subjects of a project, and a daemon beside them.

mod cli;
mod command;
mod daemon;
mod error;
mod project;
mod subject;

use cli::Cli;
use command::{daemon as daemons, subject as subjects};
use manila_clap::{App, Code, Exit, Mode, dialects};
use std::process::ExitCode;

fn main() -> ExitCode {
    let app = App::<Cli>::new(dialects::ANIMUS_1)
        .all_flags()
        .unified_errors()
        .piped(Mode::Plain)
        .command("subject create", subjects::create::spec())
        .command("subject get", subjects::get::spec())
        .command("subject list", subjects::list::spec())
        .command("subject status", subjects::status::spec())
        .command("daemon start", daemons::start::spec())
        .command("daemon status", daemons::status::spec())
        .command("daemon stop", daemons::stop::spec())
        .command("daemon serve", daemons::serve::spec())
        .schema()
        .manifest();
    let app = Code::ALL.iter().fold(app, |app, code| app.rename(*code, category(code.exit())));
    app.run(cli::run)
}

/// There are five categories of error, and what goes wrong before a command is in one of them too.
fn category(exit: Exit) -> &'static str {
    match exit {
        Exit::ArgError | Exit::Redirected => "invalid_input",
        Exit::NotFound => "not_found",
        Exit::Conflict | Exit::Precondition => "conflict",
        Exit::Unavailable | Exit::RateLimited | Exit::Timeout => "unavailable",
        _ => "internal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_programs_are_reported_the_same_category() {
        let about = dialects::ANIMUS_1.table();
        for code in Code::ALL {
            let status = about.exits.status(code.exit());
            let class = about.exits.row(status).unwrap().exit;
            let (written, _) = about.codes.iter().find(|(_, exit)| *exit == class).unwrap();
            assert_eq!(category(code.exit()), *written, "{code:?}");
        }
    }
}
