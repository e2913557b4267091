//! The arguments: what the program takes, in the order in which its help shows it, and what each
//! command declares about itself.

use crate::command::{
    check, decide, dialects, diff, effects, explain, freeze, generate, mcp, open, packs, redirects,
    run, scan, schema, stats, verify,
};
use crate::error::CliError;
use crate::help::examples;
use clap::builder::PossibleValuesParser;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Subcommand};
use manila_clap::{Call, Danger, Reply, Spec};
use std::ffi::OsString;
use std::sync::OnceLock;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const ABOUT: &str = "Run command-line programs, parse and check their answers, and act on them";
const LONG_ABOUT: &str = "\
manila gives command-line programs one machine-readable response format, and callers one way to treat every \
program. `run` stands in front of any command: it retries what is safe to retry and answers with one envelope. \
`check` finds what is wrong with a program's answers. `freeze`, `verify` and `diff` keep what it promises its callers \
and find every change. `open` and `decide` parse an answer and say what to do \
next. `scan` and `stats` read logs of answers. `effects` and `packs` know what calls of common programs change \
and what their failures mean. `mcp` serves programs to agents.";
const EXAMPLES: &[(&str, &str)] = &[
    ("manila run git fetch", ""),
    ("manila run --json --timeout 30s -- kubectl get pods -o json", ""),
    ("manila effects -- git push --force", ""),
    ("manila check -- ./mytool", ""),
    ("mytool list --json | manila open", ""),
    ("manila explain RATE_LIMITED", ""),
];
const EXITS: &str = "\
Exit codes: 0 success, 1 failure, 2 partial failure, 3 invalid arguments, 4 a limit or a precondition, \
5 not found, 6 conflict, 7 permission denied, 10 timeout, 13 misspelled command, 100 findings. `manila run` ends \
as the program it ran. `manila explain 5` says more.";

/// The arguments of a call.
#[derive(Debug)]
pub(crate) struct Cli {
    pub(crate) command: Command,
}

impl CommandFactory for Cli {
    fn command() -> clap::Command {
        let root = clap::Command::new("manila")
            .version(env!("CARGO_PKG_VERSION"))
            .styles(STYLES)
            .max_term_width(100)
            .args_override_self(true)
            .subcommand_required(true)
            .arg_required_else_help(true);
        if called() == Called::PlainRun {
            return root.subcommand(run::plain_command());
        }
        let root = root
            .about(ABOUT)
            .long_about(LONG_ABOUT)
            .after_help(examples(EXAMPLES))
            .after_long_help(format!("{}\n\n{EXITS}", examples(EXAMPLES)));
        with_commands(root, called())
    }

    fn command_for_update() -> clap::Command {
        Cli::command()
    }
}

impl FromArgMatches for Cli {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Cli, clap::Error> {
        if let (Called::PlainRun, Some((_, run))) = (called(), matches.subcommand()) {
            return Ok(Cli { command: Command::Run(run::Arguments::plain(run)) });
        }
        Command::from_arg_matches(matches).map(|command| Cli { command })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.command.update_from_arg_matches(matches)
    }
}

/// The commands that a call can be about. To build all of them takes most of the instructions of a short
/// call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Called {
    /// Any: the call asks about all of them, or no call was looked at yet.
    Any,
    /// This one alone.
    Only(&'static str),
    /// `run` alone, with a program and no option of its own, so that clap has nothing to reject.
    PlainRun,
    /// None: it asks for the version of the program and nothing else.
    Version,
}

impl Called {
    fn includes(self, name: &str) -> bool {
        match self {
            Called::Any => true,
            Called::Only(only) => only == name,
            Called::PlainRun => name == "run",
            Called::Version => false,
        }
    }
}

static CALLED: OnceLock<Called> = OnceLock::new();

/// Says with which words the program is called, before clap is asked.
pub(crate) fn called_with(words: &[OsString]) {
    // The program's name, `run`, and the program or `--` and the program.
    let has_program =
        words.len() > if words.get(2).is_some_and(|word| word == "--") { 3 } else { 2 };
    let all = words.iter().skip(1);
    let words: Vec<&OsString> = all.take_while(|word| *word != "--").collect();
    let asks_about_all =
        words.iter().any(|word| ["--manifest", "--help", "-h"].iter().any(|flag| word == flag));
    let named =
        COMMANDS.iter().copied().find(|name| words.first().is_some_and(|word| *word == name));
    let asks_for_version = matches!(words[..], [word] if word == "--version" || word == "-V");
    let begins_program = words.get(1).is_none_or(|word| !word.as_encoded_bytes().starts_with(b"-"));
    CALLED.get_or_init(|| match named {
        Some("run") if has_program && begins_program && !asks_about_all => Called::PlainRun,
        Some(name) if !asks_about_all => Called::Only(name),
        None if asks_for_version => Called::Version,
        _ => Called::Any,
    });
}

/// The names that completion scripts offer beyond what the arguments allow alone.
pub(crate) fn complete(command: clap::Command) -> clap::Command {
    let mut names = explain::names();
    names.sort_unstable();
    names.dedup();
    let with = |command: clap::Command, names: Vec<_>| {
        command.mut_arg("name", |name| name.value_parser(PossibleValuesParser::new(names)))
    };
    let packs = manila_pack::BUILTIN.names().collect();
    command
        .mut_subcommand("explain", |explain| with(explain, names))
        .mut_subcommand("packs", |all| all.mut_subcommand("show", |show| with(show, packs)))
}

fn called() -> Called {
    CALLED.get().copied().unwrap_or(Called::Any)
}

macro_rules! commands {
    ($(#[doc = $about:literal] $variant:ident = $module:ident, $name:literal, $danger:ident;)*) => {
        // A doc comment here would be the description of the whole program.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command { $(#[doc = $about] $variant($module::Arguments),)* }

        /// Their names.
        const COMMANDS: &[&str] = &[$($name,)*];

        /// The program with the commands that a call can be about.
        fn with_commands(root: clap::Command, called: Called) -> clap::Command {
            match called {
                Called::Version => root,
                $(Called::Only($name) => {
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
            pub(crate) fn run(&self, call: &Call) -> Result<Answer, CliError> {
                match self {
                    $(Command::$variant(arguments) => {
                        $module::run(arguments, call).map(Answer::$variant)
                    })*
                }
            }
        }

        /// What each declares about itself, as far as it is built.
        pub(crate) fn specs() -> Vec<(&'static str, Spec)> {
            let called = called();
            let mut specs = Vec::new();
            $(if called.includes($name) {
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
    /// Run a program, retry what is safe to retry, and pass on its answer
    Run = run, "run", Mutating;
    /// Check a program's answers against the rules of its dialect
    Check = check, "check", Mutating;
    /// Freeze what a program promises its callers in a lock
    Freeze = freeze, "freeze", Mutating;
    /// Verify that a program does what its lock says
    Verify = verify, "verify", Mutating;
    /// Compare two locks or two programs, and say what breaks whom
    Diff = diff, "diff", Mutating;
    /// Serve programs to agents over MCP, with three tools and known effects
    Mcp = mcp, "mcp", Mutating;
    /// Parse an answer in any dialect, or convert it
    Open = open, "open", Safe;
    /// Decide what to do about an answer
    Decide = decide, "decide", Safe;
    /// Check logs of answers record by record
    Scan = scan, "scan", Mutating;
    /// Summarise logs of answers: counts, rates, durations, storms and drift
    Stats = stats, "stats", Mutating;
    /// List or forget remembered redirects
    Redirects = redirects, "redirects", Mutating;
    /// Classify what a call changes: none, idempotent, writes, destroys or unknown
    Effects = effects, "effects", Safe;
    /// List, show, check and record packs: what is known about programs
    Packs = packs, "packs", Mutating;
    /// List, show, check and propose dialects
    Dialects = dialects, "dialects", Safe;
    /// Print the JSON Schema of a dialect, or of one of its commands
    Schema = schema, "schema", Safe;
    /// Generate source files from a dialect or a program's manifest
    Generate = generate, "generate", Mutating;
    /// Explain a dialect, exit class or code, error code, rule, decision, fact or program
    Explain = explain, "explain", Safe;
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
            let mut alone =
                with_commands(clap::Command::new("manila").styles(STYLES), Called::Only(name));
            alone.build();
            let help = |program: &mut clap::Command| {
                let command = program.find_subcommand_mut(name).expect("it is there");
                command.clone().max_term_width(100).render_long_help().to_string()
            };
            assert_eq!(help(&mut alone), help(&mut all), "{name}");
        }
    }

    #[test]
    fn the_commands_and_the_dir_agree() {
        let command = Cli::command();
        let commands: BTreeSet<_> =
            command.get_subcommands().map(|command| format!("{}.rs", command.get_name())).collect();
        let named: BTreeSet<_> = FAILS.iter().map(|(name, _)| format!("{name}.rs")).collect();
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/command");
        let files: BTreeSet<_> = std::fs::read_dir(dir)
            .expect("the directory of the commands")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".rs") && name != "mod.rs")
            .collect();
        assert_eq!(commands, files);
        assert_eq!(named, files);
    }
}
