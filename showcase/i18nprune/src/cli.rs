//! The arguments, and the way from a command to its answer.

use crate::command::COMMANDS_WITH_JSON_OUTPUT;
use crate::command::doctor::{self, DoctorArgs, Examination};
use crate::command::explain::{self, Explained};
use crate::command::init::{self, InitArgs, Initialised};
use crate::command::missing::{self, Missing, MissingArgs};
use crate::command::quality::{self, Quality};
use crate::command::report::{self, ReportArgs, Reported};
use crate::command::sync::{self, SyncArgs, Synced};
use crate::command::validate::{self, Validation};
use crate::finding::{Failed, settle};
use clap::{Parser, Subcommand};
use manila_clap::{Call, Reply};
use std::path::PathBuf;

const CONFIG: &str = "\
Write i18nprune.config.json, unless there is one.

Every key may be left out:
  locales.source     the language that others are translated from (en)
  locales.directory  the directory with en.json or en/*.json, and so on (locales)
  src                the directory of the sources (src)
  functions          whose first argument is a key (t, $t, $_, i18n.t, i18next.t, $i18n.t)
  exclude            patterns of sources that are not read, as in .gitignore (none)

The file is looked for here, above up to the root of the repository, and below if there is only one.
--config or I18NPRUNE_CONFIG name another.";

const REPORT: &str = "\
Report everything that is known about the project.

There are two contracts:
  report --format json [--out FILE]  the project report as a document of its own: kind
                                     \"i18nprune.projectReport\" with its own schemaVersion
  report --json                      the envelope of every command, with that document in
                                     data.document";

/// Which commands have an answer for programs, and how a pipeline uses it.
fn for_programs() -> String {
    let commands = COMMANDS_WITH_JSON_OUTPUT.join(", ");
    format!(
        "Commands with JSON output: {commands}\n\n\
         CI gate:\n  i18nprune validate --json | jq -e '.ok and ((.issues | length) == 0)'"
    )
}

/// Finds translation keys in source trees and compares them with locale files
#[derive(Debug, Parser)]
#[command(name = "i18nprune",
    bin_name = "i18nprune", version, after_help = for_programs())]
pub(crate) struct Cli {
    /// The configuration file
    #[arg(long, short, value_name = "FILE", global = true)]
    config: Option<PathBuf>,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check that every key in the code has a text
    Validate,
    /// Add the keys that the source locale lacks
    Missing(MissingArgs),
    /// Bring the target locales to the keys of the source locale
    Sync(SyncArgs),
    /// Find texts that are empty, copied or have other placeholders
    Quality,
    /// Examine the set-up of the project
    Doctor(DoctorArgs),
    /// Report everything that is known about the project
    #[command(long_about = REPORT)]
    Report(ReportArgs),
    /// Write i18nprune.config.json
    #[command(long_about = CONFIG)]
    Init(InitArgs),
    /// Explain a code, or list all of them
    Explain {
        /// Such as `validate.missing_literal_keys`
        code: Option<String>,
    },
}

/// What the commands answer.
#[derive(Reply)]
pub(crate) enum Answer {
    Validation(Validation),
    Missing(Missing),
    Synced(Synced),
    Quality(Quality),
    Examination(Examination),
    Reported(Reported),
    Initialised(Initialised),
    Explained(Explained),
}

/// Runs the command.
pub(crate) fn run(cli: Cli, call: &Call) -> Result<Answer, Failed> {
    let config = cli.config.as_deref();
    Ok(match cli.command {
        Command::Validate => Answer::Validation(settle(call, validate::run(config, call))?),
        Command::Missing(arguments) => {
            Answer::Missing(settle(call, missing::run(&arguments, config, call))?)
        }
        Command::Sync(arguments) => {
            Answer::Synced(settle(call, sync::run(&arguments, config, call))?)
        }
        Command::Quality => Answer::Quality(settle(call, quality::run(config, call))?),
        Command::Doctor(arguments) => {
            Answer::Examination(settle(call, Ok(doctor::run(&arguments, config, call)))?)
        }
        Command::Report(arguments) => {
            Answer::Reported(settle(call, report::run(&arguments, config, call))?)
        }
        Command::Init(arguments) => Answer::Initialised(settle(call, init::run(&arguments, call))?),
        Command::Explain { code } => {
            Answer::Explained(settle(call, explain::run(code.as_deref()))?)
        }
    })
}
