//! The arguments.

use crate::router;
use crate::session::{DEFAULT_DIRECTORY, SessionId};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser};
use std::path::PathBuf;
use std::time::Duration;

/// Keeps sessions, routes prompts to commands and tools, and takes turns with a local engine
#[derive(Debug, Parser)]
#[command(name = "claw",
    bin_name = "claw", version, after_help = AFTER_HELP)]
pub(crate) enum Cli {
    /// Lists the stored sessions
    ListSessions(SessionsArgs),
    /// Deletes a session
    DeleteSession(One),
    /// Loads a session and checks every line of it
    LoadSession(One),
    /// Brings the transcript of a session to the disk, without torn lines
    FlushTranscript(One),
    /// Shows a command of the inventory
    ShowCommand {
        /// Its name
        name: String,
    },
    /// Shows a tool of the inventory
    ShowTool {
        /// Its name
        name: String,
    },
    /// Runs a command of the inventory
    ExecCommand(ExecCommand),
    /// Runs a tool of the inventory
    ExecTool(ExecTool),
    /// Finds the commands and tools that fit a prompt
    Route(Route),
    /// Looks around, routes a prompt, takes one turn and stores the session
    Bootstrap(Bootstrap),
    /// Lists all commands by where they come from
    CommandGraph,
    /// Lists the tools
    ToolPool(ToolPool),
    /// Lists the stages of bootstrap
    BootstrapGraph,
    /// Takes turns until the work is done or a limit is reached
    TurnLoop(TurnLoop),
}

const AFTER_HELP: &str = "\
JSON comes in two envelopes: 1.0, the default, and 2.0 with --envelope-version=2.0. The variable
CLAW_ENVELOPE_PHASE rehearses what is to come: 1 is today, in 2 the default is 2.0 and
--legacy-envelope asks for 1.0, in 3 that comes with a warning.

A prompt that begins with /NAME runs that command or tool in the turn: '/BashTool cargo test'.";

/// Where the sessions are.
#[derive(Debug, Args)]
// Else what is said here would become the help of the commands that take it in.
#[command(about = None, long_about = None)]
pub(crate) struct SessionsArgs {
    /// The directory of the sessions
    #[arg(long, value_name = "DIR", default_value = DEFAULT_DIRECTORY)]
    pub(crate) directory: PathBuf,
}

/// One session.
#[derive(Debug, Args)]
pub(crate) struct One {
    /// The id of the session
    pub(crate) session_id: SessionId,
    #[command(flatten)]
    pub(crate) sessions: SessionsArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ExecCommand {
    /// The name of the command
    pub(crate) name: String,
    /// What it is to do, such as 'create src/util/'
    #[arg(default_value = "", hide_default_value = true)]
    pub(crate) prompt: String,
}

#[derive(Debug, Args)]
pub(crate) struct ExecTool {
    /// The name of the tool
    pub(crate) name: String,
    /// What it gets, such as 'cargo build'
    pub(crate) payload: String,
    /// How long it may take
    #[arg(long, value_name = "S", default_value_t = Seconds::A_MINUTE)]
    pub(crate) timeout_seconds: Seconds,
}

#[derive(Debug, Args)]
pub(crate) struct Route {
    /// The prompt
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub(crate) prompt: String,
    /// How many matches at most
    #[arg(long, value_name = "N", default_value_t = router::DEFAULT_LIMIT)]
    pub(crate) limit: u16,
}

#[derive(Debug, Args)]
pub(crate) struct Bootstrap {
    /// The prompt of the first turn
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub(crate) prompt: String,
    /// How long the turn may take
    #[arg(long, value_name = "S", default_value_t = Seconds::A_MINUTE)]
    pub(crate) timeout_seconds: Seconds,
    #[command(flatten)]
    pub(crate) sessions: SessionsArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ToolPool {
    /// Only the tools that everybody needs
    #[arg(long)]
    pub(crate) simple_mode: bool,
    /// Without the tools that plugins add, which others serve
    #[arg(long)]
    pub(crate) no_mcp: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TurnLoop {
    /// The prompt of the first turn
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub(crate) prompt: String,
    /// The prompt of every turn after it; without one there is a single turn
    #[arg(long, value_name = "PROMPT", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) continuation_prompt: Option<String>,
    /// How many turns the session may have
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) max_turns: u16,
    /// How many tokens the session may use; words count as tokens
    #[arg(long, value_name = "TOKENS")]
    pub(crate) max_budget: Option<u64>,
    /// How long all turns may take together
    #[arg(long, value_name = "S")]
    pub(crate) timeout_seconds: Option<Seconds>,
    /// The session to continue; its turns and tokens count, and the new turns are stored in it
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<SessionId>,
    #[command(flatten)]
    pub(crate) sessions: SessionsArgs,
}

/// A time in seconds, with a fraction or without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seconds(f64);

impl Seconds {
    const A_MINUTE: Seconds = Seconds(60.0);

    /// The number.
    pub(crate) fn number(self) -> f64 {
        self.0
    }

    /// The time; what is too long for a clock never ends.
    pub(crate) fn duration(self) -> Duration {
        Duration::try_from_secs_f64(self.0).unwrap_or(Duration::MAX)
    }
}

impl std::str::FromStr for Seconds {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Seconds, &'static str> {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
        number.map(Seconds).ok_or("a number of seconds such as 1.5")
    }
}

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn clap_finds_no_fault() {
        Cli::command().debug_assert();
    }

    #[test]
    fn only_a_time_is_a_time() {
        for bad in ["", "x", "-1", "nan", "inf", "1s"] {
            assert!(bad.parse::<Seconds>().is_err(), "{bad}");
        }
        let time = |text: &str| text.parse::<Seconds>().unwrap().duration();
        assert_eq!(time("0.0000001"), Duration::from_nanos(100));
        assert_eq!(time("1.5"), Duration::from_millis(1500));
        assert_eq!(time("1e300"), Duration::MAX);
    }
}
