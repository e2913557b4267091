//! Small programs made with clap's derive.

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Keeps notes
///
/// With a second paragraph.
#[derive(Debug, Parser)]
#[command(version, about, long_about)]
struct Notes {
    /// Where the notes are
    #[arg(short, long, default_value = ".")]
    directory: String,
    #[command(subcommand)]
    command: NotesCommand,
}

#[derive(Debug, Subcommand)]
enum NotesCommand {
    /// Write a note
    Add { text: Vec<String> },
    /// Remove one
    #[command(visible_alias = "rm")]
    Remove {
        id: u32,
        #[arg(long)]
        force: bool,
    },
}

/// Searches
#[derive(Debug, Parser)]
#[command(name = "search", version = "0.3")]
struct Search {
    #[command(flatten)]
    how: How,
    #[arg(value_enum)]
    place: Place,
    pattern: Option<String>,
}

#[derive(Debug, Args)]
struct How {
    /// Ignore case
    #[arg(short, long)]
    ignore_case: bool,
    /// At most so many
    #[arg(short = 'n', long, value_parser = clap::value_parser!(u16).range(1..=10))]
    most: Option<u16>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Place {
    /// Here
    Here,
    There,
}

/// Runs a program
#[derive(Debug, Parser)]
struct Run {
    #[arg(long)]
    verbose: bool,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<String>,
}

/// Passes on
#[derive(Debug, Parser)]
enum Pass {
    #[command(external_subcommand)]
    Other(Vec<String>),
}

/// Optional subcommand
#[derive(Debug, Parser)]
#[command(version = "1", args_conflicts_with_subcommands = true)]
struct Maybe {
    #[arg(long)]
    fast: bool,
    #[command(subcommand)]
    command: Option<Sub>,
}

#[derive(Debug, Subcommand)]
enum Sub {
    One,
    Two { value: i64 },
}

/// Groups and renames
#[derive(Debug, Parser)]
#[command(rename_all = "snake_case", version = "2", next_help_heading = "Special")]
struct Grouped {
    #[command(flatten)]
    choice: Choice,
    #[arg(short, action = clap::ArgAction::Count)]
    verbose: u8,
    #[arg(long, value_delimiter = ',')]
    some_words: Vec<String>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Choice {
    #[arg(long)]
    one: bool,
    #[expect(
        clippy::option_option,
        reason = "a flag whose value is optional, as clap's derive has it"
    )]
    #[arg(long)]
    two: Option<Option<u8>>,
}

/// Commands in commands
#[derive(Debug, Parser)]
#[command(version = "3", propagate_version = true, arg_required_else_help = true)]
struct Nested {
    #[arg(long, global = true, env = "TOOL_OUTPUT", value_enum)]
    place: Option<Place>,
    #[command(subcommand)]
    outer: Outer,
}

#[derive(Debug, Subcommand)]
enum Outer {
    /// Below
    #[command(subcommand, infer_subcommands = true)]
    Inner(Sub),
    #[command(flatten)]
    Flat(NotesCommand),
}

derived! { DERIVED;
    "derive-notes": Notes, ["add a b", "remove x", "rm 1 --force", "rm", "ad", "-d x add", "help rm"];
    "derive-search": Search, ["here x", "hier", "here -n 11", "here -in 3", "here a b"];
    "derive-run": Run, ["ls --json", "--verbose ls -q", "--bad ls"];
    "derive-pass": Pass, ["any --thing", "--thing"];
    "derive-grouped": Grouped, ["--one", "--two", "--two 3", "--one --two", "--two x", "-vv --one --some_words a,b"];
    "derive-nested": Nested, ["inner", "inner one", "inner tw 3", "inner two x", "add a", "inner -V", "--place x add a"];
    "derive-maybe": Maybe, ["--fast", "one", "two x", "two -5", "--fast one", "tow"];
}
