//! The arguments: what the program takes, in the order in which its help shows it, and what each
//! command declares about itself.

use crate::command::{decide, dialects, explain, memory, open, run, schema};
use crate::refusal::Refusal;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand};
use manila_clap::{Call, Danger, Reply, Spec};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The envelope for command-line programs: open what any of them answered, and decide what to do
///
/// Exit status: 0 done, 1 failed, 3 wrong arguments, 4 a limit or a condition stands in the way,
/// 5 not found, 7 may not be read, 10 out of time, 13 a misspelled command. `manila explain 5` says
/// more.
#[derive(Debug, Parser)]
#[command(name = "manila", version, styles = STYLES, max_term_width = 100)]
#[command(args_override_self = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

macro_rules! commands {
    ($($(#[$doc:meta])* $variant:ident = $module:ident, $name:literal, $danger:ident;)*) => {
        /// The commands, one file each.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command { $($(#[$doc])* $variant($module::Arguments),)* }

        /// What they answer.
        #[derive(Reply)]
        pub(crate) enum Answer { $($variant($module::Answer),)* }

        /// The codes that each may fail with, beside those of the boundary.
        #[cfg(test)]
        pub(crate) const FAILS: &[(&str, &[&str])] = &[$(($name, $module::FAILS),)*];

        impl Command {
            pub(crate) fn run(&self, call: &Call) -> Result<Answer, Refusal> {
                match self {
                    $(Command::$variant(arguments) => {
                        $module::run(arguments, call).map(Answer::$variant)
                    })*
                }
            }
        }

        /// What each declares about itself.
        pub(crate) fn specs() -> Vec<(&'static str, Spec)> {
            vec![$(($name, {
                let spec = Spec::new().danger(Danger::$danger).reply::<$module::Answer>();
                let spec = spec.fails($module::FAILS);
                $module::EXAMPLES.iter().fold(spec, |spec, (call, what)| spec.example(call, what))
            }),)*]
        }
    };
}

commands! {
    /// Run any program, do what its answer asks for, and hand on one envelope
    Run = run, "run", Mutating;
    /// Recognise what a program wrote and show its normal form, or convert it
    Open = open, "open", Safe;
    /// Decide what a caller should do about what a program wrote
    Decide = decide, "decide", Safe;
    /// Look at the redirects that are remembered, or forget some
    Memory = memory, "memory", Mutating;
    /// List the dialects
    Dialects = dialects, "dialects", Safe;
    /// Print the JSON Schema of a dialect, or of one of its commands
    Schema = schema, "schema", Safe;
    /// Explain a dialect, an exit class or status, an error code, a row of the table or a fact
    Explain = explain, "explain", Safe;
}

/// Examples as the help shows them.
pub(crate) fn examples(examples: &[(&str, &str)]) -> String {
    let title = if examples.len() == 1 { "Example:" } else { "Examples:" };
    examples.iter().fold(title.to_owned(), |text, (call, _)| format!("{text}\n  {call}"))
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
        let named: BTreeSet<_> = FAILS.iter().map(|(name, _)| format!("{name}.rs")).collect();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/command");
        let files: BTreeSet<_> = std::fs::read_dir(folder)
            .expect("the folder of the commands")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name != "mod.rs")
            .collect();
        assert_eq!(commands, files);
        assert_eq!(named, files);
    }
}
