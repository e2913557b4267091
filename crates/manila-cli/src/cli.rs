//! The arguments: what the program takes, in the order in which its help shows it.

use crate::answer::Reply;
use crate::code::Refusal;
use crate::command::{completions, decide, dialects, explain, help, man, open, schema};
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand, ValueEnum};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The envelope for command-line programs: open what any of them answered, and decide what to do
///
/// Exit status: 0 done, 1 failed, 3 wrong arguments, 4 a limit or a condition stands in the way,
/// 5 not found, 7 may not be read. `manila explain 5` says more.
#[derive(Debug, Parser)]
#[command(name = "manila", version, styles = STYLES, arg_required_else_help = true)]
#[command(max_term_width = 100, args_override_self = true, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Answer in one response-envelope/1.0 document
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// No warnings on standard error
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,

    /// When to use colour; `NO_COLOR` and `CLICOLOR_FORCE` are heard
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Colour,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    #[default]
    Auto,
    Always,
    Never,
}

macro_rules! commands {
    ($($(#[$doc:meta])* $variant:ident = $module:ident, $name:literal;)*) => {
        /// The commands, one file each.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command { $($(#[$doc])* $variant($module::Arguments),)* }

        /// Every command's name.
        pub(crate) const COMMANDS: &[&str] = &[$($name,)*];

        impl Command {
            /// The name, as it is called.
            pub(crate) fn name(&self) -> &'static str {
                match self { $(Command::$variant(_) => $name,)* }
            }

            pub(crate) fn run(&self) -> Result<Reply, Refusal> {
                match self { $(Command::$variant(arguments) => $module::run(arguments),)* }
            }
        }
    };
}

commands! {
    /// Recognise what a program wrote and show its normal form, or convert it
    Open = open, "open";
    /// Decide what a caller should do about what a program wrote
    Decide = decide, "decide";
    /// List the dialects
    Dialects = dialects, "dialects";
    /// Print the JSON Schema of a dialect, or of one of its commands
    Schema = schema, "schema";
    /// Explain a dialect, an exit class or status, an error code, a row of the table or a fact
    Explain = explain, "explain";
    /// Print a completion script for a shell
    Completions = completions, "completions";
    /// Print the manual page
    Man = man, "man";
    /// Print the help of a command
    Help = help, "help";
}

/// The name of a command, if the word is one.
pub(crate) fn command_name(word: &str) -> Option<&'static str> {
    COMMANDS.iter().copied().find(|name| *name == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn the_arguments_make_sense() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_commands_and_the_folder_agree() {
        let command = Cli::command();
        let commands: BTreeSet<_> =
            command.get_subcommands().map(|command| format!("{}.rs", command.get_name())).collect();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/command");
        let files: BTreeSet<_> = std::fs::read_dir(folder)
            .expect("the folder of the commands")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name != "mod.rs")
            .collect();
        assert_eq!(commands, files);
    }
}
