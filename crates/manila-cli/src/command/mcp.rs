//! `manila mcp`: serve programs to agents over MCP.
//!
//! The server is a program of its own, `manila-mcp`, so that `manila run` does not carry it. With the feature `mcp` it
//! is built in.

use crate::error::CliError;
use crate::help::examples;
use clap::Args;
use manila_clap::Call;
use manila_mcp::ClientConfig;

pub(crate) use manila_mcp::{Answer, EXAMPLES};

pub(crate) const FAILS: &[&str] = &["INVALID_VALUE", "PROGRAM_NOT_FOUND", "SYSTEM_REFUSED"];

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    #[command(flatten)]
    served: manila_mcp::Arguments,
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    let served = &arguments.served;
    if let Some(client) = served.print_config {
        return Ok(Answer::Config(ClientConfig::new(client, served)?));
    }
    if call.mode().is_json() {
        return Err(CliError::InvalidValue {
            message: "the server writes its protocol to stdout and cannot answer in JSON"
                .to_owned(),
            suggestion: "leave --json out, or print a configuration with --print-config".to_owned(),
        });
    }
    server::run(arguments, call)
}

/// The server is built in.
#[cfg(feature = "mcp")]
mod server {
    use super::Arguments;
    use crate::error::CliError;
    use manila_clap::Call;
    use manila_mcp::{Answer, Served, Settings, serve};
    use manila_run::{Cancel, Config};

    pub(super) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
        let settings = Settings::new(&arguments.served, Config::user_file().as_deref())?;
        serve(settings, &Cancel::when(call.cancellation()))?;
        Ok(Answer::Served(Served {}))
    }
}

/// The server is a program beside this one, or in `PATH`.
#[cfg(not(feature = "mcp"))]
mod server {
    use super::Arguments;
    use crate::error::CliError;
    use manila_clap::Call;
    use manila_mcp::Answer;
    use std::env;
    use std::ffi::OsString;
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::path::PathBuf;
    use std::process::Command;

    const PROGRAM: &str = "manila-mcp";

    /// Becomes the server. It gets the words of this call, so that nothing is lost on the way.
    pub(super) fn run(_: &Arguments, _: &Call) -> Result<Answer, CliError> {
        let beside = env::current_exe().ok().map(|own| own.with_file_name(PROGRAM));
        let program =
            beside.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(PROGRAM));
        let error = Command::new(&program).args(words(env::args_os().skip(1))).exec();
        Err(match error.kind() {
            io::ErrorKind::NotFound => CliError::ProgramNotFound {
                message: format!("{PROGRAM} is neither beside manila nor in PATH"),
                hint: Some("install it with `cargo install manila-mcp`".to_owned()),
            },
            _ => CliError::SystemRefused {
                message: format!("{}: {error}", program.display()),
                hint: Some("check its permissions".to_owned()),
            },
        })
    }

    /// The words of this call without the name of the command.
    fn words(all: impl Iterator<Item = OsString>) -> Vec<OsString> {
        let mut words: Vec<OsString> = all.collect();
        if let Some(at) = words.iter().position(|word| word == "mcp") {
            words.remove(at);
        }
        words
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_name_of_the_command_alone_is_taken_away() {
            let of = |line: &str| words(line.split(' ').map(OsString::from));
            assert_eq!(
                of("--quiet mcp --cwd mcp -- mcp"),
                ["--quiet", "--cwd", "mcp", "--", "mcp"]
            );
        }
    }
}
