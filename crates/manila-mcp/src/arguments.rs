//! The arguments of `manila mcp` and of `manila-mcp`, which are the same.

use crate::error::{Error, ErrorKind};
use clap::{Args, ValueEnum};
use manila_run::duration;
use std::env;
use std::path::PathBuf;
use std::time::Duration;

/// Calls to show in help, and what each does.
pub const EXAMPLES: &[(&str, &str)] = &[
    ("manila mcp --print-config claude -- git", "print what to paste into the client"),
    ("manila mcp -- git", "serve git; only calls that read are run"),
    ("manila mcp --allow writes --cwd /srv/app --program git --program gh", "serve two programs"),
];

/// How long a call may take unless the operator says otherwise.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(600);

/// What to serve, and what is allowed.
#[derive(Clone, Debug, Args)]
// Flattened into arguments of the same name, whose group has it already.
#[group(skip)]
pub struct Arguments {
    /// Serve this program, with the arguments that begin each of its calls. No shell is involved
    #[arg(last = true, value_name = "COMMAND", value_hint = clap::ValueHint::CommandName, conflicts_with = "programs")]
    pub command: Vec<String>,

    /// Serve this program; repeat it for several. Arguments that begin each call follow the name, split as a
    /// shell does [default: the programs that manila.toml names]
    #[arg(long = "program", value_name = "COMMAND")]
    pub programs: Vec<String>,

    /// Let `act` run calls with at most this effect. Calls that destroy something, or may, need a person's confirmation
    #[arg(long, value_name = "EFFECT", default_value = "none", help_heading = "Limits")]
    pub allow: Allow,

    /// Run programs in this directory [default: the current one]
    #[arg(long, value_name = "DIR", help_heading = "Limits")]
    pub cwd: Option<PathBuf>,

    /// End a call after this time, all attempts and waits included
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10m", help_heading = "Limits")]
    pub timeout: Duration,

    /// Append one line for each call to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub log: Option<PathBuf>,

    /// Print the configuration of this client instead of serving
    #[arg(long, value_name = "CLIENT", help_heading = "Output")]
    pub print_config: Option<Client>,
}

/// The worst effect that `act` may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Allow {
    /// Nothing changes
    #[default]
    None,
    /// A second call changes nothing more
    Idempotent,
    /// Something changes
    Writes,
    /// Something is lost, or the effect is unknown
    Destroys,
}

impl Allow {
    /// The value as written on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Allow::None => "none",
            Allow::Idempotent => "idempotent",
            Allow::Writes => "writes",
            Allow::Destroys => "destroys",
        }
    }
}

/// A client whose configuration is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// Claude Code and Claude Desktop
    Claude,
    /// Codex
    Codex,
    /// Visual Studio Code
    Vscode,
    /// Cursor
    Cursor,
    /// Windsurf
    Windsurf,
    /// Gemini CLI
    Gemini,
    /// Zed
    Zed,
    /// opencode
    Opencode,
}

fn time(text: &str) -> Result<Duration, String> {
    duration::parse(text)
        .filter(|time| !time.is_zero())
        .ok_or_else(|| format!("not {}", duration::EXPECTED))
}

impl Arguments {
    /// The words of each program that is named; none if `manila.toml` is to name them.
    pub fn commands(&self) -> Result<Vec<Vec<String>>, Error> {
        if !self.command.is_empty() {
            return Ok(vec![self.command.clone()]);
        }
        let split = |text: &String| {
            let words = shlex::split(text).filter(|words| !words.is_empty());
            words.ok_or_else(|| {
                Error::new(
                    ErrorKind::InvalidArgument,
                    format!("--program {text:?} is not a command"),
                    "write it as in a shell; quotes must be closed",
                )
            })
        };
        self.programs.iter().map(split).collect()
    }

    /// The directory, absolute.
    pub fn directory(&self) -> Result<PathBuf, Error> {
        let current = || {
            env::current_dir().map_err(|error| {
                Error::new(
                    ErrorKind::NoDirectory,
                    format!("the current directory cannot be used: {error}"),
                    "name a directory with --cwd",
                )
            })
        };
        match &self.cwd {
            None => current(),
            Some(directory) if directory.is_absolute() => Ok(directory.clone()),
            Some(directory) => Ok(current()?.join(directory)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, Parser};

    /// The same values as `manila` passes.
    mod outer {
        #[derive(Debug, clap::Args)]
        pub(super) struct Arguments {
            #[command(flatten)]
            pub(super) served: super::super::Arguments,
        }
    }

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        arguments: outer::Arguments,
    }

    #[test]
    fn they_can_be_flattened_into_others() {
        Cli::command().debug_assert();
        let cli = Cli::parse_from(["manila", "--allow", "writes", "--", "git", "-C", "x"]);
        assert_eq!(cli.arguments.served.commands().unwrap(), [["git", "-C", "x"]]);
        assert_eq!(cli.arguments.served.timeout, TIMEOUT);
        assert!(Cli::try_parse_from(["manila", "--program", "git", "--", "git"]).is_err());
    }
}
