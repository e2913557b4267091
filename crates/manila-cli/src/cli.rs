//! The arguments: what the program takes, in the order in which its help shows it, and what each
//! command declares about itself.

use crate::command::{
    check, decide, dialects, effects, explain, open, packs, redirects, run, scan, schema, stats,
};
use crate::refusal::Refusal;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Subcommand};
use manila_clap::{Call, Danger, Reply, Spec};
use std::env;
use std::ffi::OsString;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const ABOUT: &str = "The envelope for command-line programs: run any of them, check it, open what it \
                     answered, decide what to do, and count what is logged";
const EXITS: &str = "Exit status: 0 done, 1 failed, does not conform or a log has bad records, 2 partly done, 3 \
                     wrong arguments, 4 a limit or a condition stands in the way, 5 not found, 6 something \
                     is there already, 7 may not be read, 10 out of time, 13 a misspelled command; \
                     `manila run` ends as what it hands on. `manila explain 5` says more.";

/// The arguments of a call.
#[derive(Debug)]
pub(crate) struct Cli {
    pub(crate) command: Command,
}

impl CommandFactory for Cli {
    fn command() -> clap::Command {
        let root = clap::Command::new("manila")
            .version(env!("CARGO_PKG_VERSION"))
            .about(ABOUT)
            .long_about(format!("{ABOUT}\n\n{EXITS}"))
            .styles(STYLES)
            .max_term_width(100)
            .args_override_self(true)
            .subcommand_required(true)
            .arg_required_else_help(true);
        with_commands(root, called())
    }

    fn command_for_update() -> clap::Command {
        Cli::command()
    }
}

impl FromArgMatches for Cli {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Cli, clap::Error> {
        Command::from_arg_matches(matches).map(|command| Cli { command })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.command.update_from_arg_matches(matches)
    }
}

/// The command that is called, if it is certain that no other is asked about. To build all of them
/// takes an eighth of the instructions of a short call.
fn called() -> Option<&'static str> {
    let words: Vec<OsString> = env::args_os().skip(1).take_while(|word| word != "--").collect();
    let asks_about_all =
        words.iter().any(|word| ["--manifest", "--help", "-h"].iter().any(|flag| word == flag));
    let named =
        COMMANDS.iter().copied().find(|name| words.first().is_some_and(|word| word == name));
    named.filter(|_| !asks_about_all)
}

macro_rules! commands {
    ($(#[doc = $about:literal] $variant:ident = $module:ident, $name:literal, $danger:ident;)*) => {
        /// The commands, one file each.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command { $(#[doc = $about] $variant($module::Arguments),)* }

        /// Their names.
        const COMMANDS: &[&str] = &[$($name,)*];

        /// The program with one of its commands, or with all of them.
        fn with_commands(root: clap::Command, only: Option<&str>) -> clap::Command {
            match only {
                $(Some($name) => {
                    let command = $module::Arguments::augment_args(clap::Command::new($name));
                    root.subcommand(command.about($about.trim_start()))
                })*
                _ => Command::augment_subcommands(root),
            }
        }

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

        /// What each declares about itself, as far as it is built.
        pub(crate) fn specs() -> Vec<(&'static str, Spec)> {
            let only = called();
            let mut specs = Vec::new();
            $(if only.is_none_or(|only| only == $name) {
                let spec = Spec::new().danger(Danger::$danger).reply::<$module::Answer>();
                let spec = spec.fails($module::FAILS);
                let examples = $module::EXAMPLES.iter();
                specs.push(($name, examples.fold(spec, |spec, (call, what)| spec.example(call, what))));
            })*
            specs
        }
    };
}

commands! {
    /// Run any program, do what its answer asks for, and hand on one envelope
    Run = run, "run", Mutating;
    /// Find what is wrong with the answers of any program
    Check = check, "check", Mutating;
    /// Recognise what a program wrote and show its normal form, or convert it
    Open = open, "open", Safe;
    /// Decide what a caller should do about what a program wrote
    Decide = decide, "decide", Safe;
    /// Judge logs of envelopes: every record's dialect, bytes and contract
    Scan = scan, "scan", Mutating;
    /// Tally logs of envelopes: counts, rates, times, storms and drift
    Stats = stats, "stats", Mutating;
    /// Look at the redirects that are remembered, or forget some
    Redirects = redirects, "redirects", Mutating;
    /// Say what a call would change: nothing, the same each time, something, or for good
    Effects = effects, "effects", Safe;
    /// List, show, check and record what is known about programs
    Packs = packs, "packs", Mutating;
    /// List the dialects
    Dialects = dialects, "dialects", Safe;
    /// Print the JSON Schema of a dialect, or of one of its commands
    Schema = schema, "schema", Safe;
    /// Explain a dialect, an exit class or status, an error code, a rule, a row of the table, a fact or a program
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
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn the_arguments_make_sense() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_command_alone_is_what_it_is_among_all() {
        let mut all = Cli::command();
        all.build();
        for name in COMMANDS {
            let mut alone = with_commands(clap::Command::new("manila").styles(STYLES), Some(name));
            alone.build();
            let help = |program: &mut clap::Command| {
                let command = program.find_subcommand_mut(name).expect("it is there");
                command.clone().max_term_width(100).render_long_help().to_string()
            };
            assert_eq!(help(&mut alone), help(&mut all), "{name}");
        }
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
