//! Small programs made with clap's derive whose settings meet each other.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::net::IpAddr;
use std::num::NonZeroU8;
use std::path::PathBuf;

/// What every command takes
#[derive(Args, Debug)]
struct Common {
    /// Say more
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// The configuration
    #[arg(long, global = true, value_name = "FILE", env = "TOOL_OUTPUT")]
    config: Option<PathBuf>,
}

/// Flattened
#[derive(Debug, Parser)]
#[command(version = "5", infer_subcommands = true)]
struct Flattened {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Commands,
}

#[derive(Debug, Subcommand)]
enum Commands {
    /// Build it
    #[command(visible_alias = "b", short_flag = 'B')]
    Build {
        #[arg(last = true)]
        rest: Vec<OsString>,
        #[arg(short, long, num_args = 2..=3)]
        pair: Vec<u8>,
    },
    /// Test it
    Test(Test),
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

#[derive(Args, Debug)]
struct Test {
    /// Which
    #[arg(allow_hyphen_values = true)]
    pattern: Option<String>,
    #[arg(long, num_args = 0..=1, default_missing_value = "all", require_equals = true)]
    only: Option<String>,
}

/// Wraps a program
#[derive(Debug, Parser)]
#[command(disable_help_subcommand = true)]
struct Wrap {
    #[arg(short = 'C', long)]
    directory: Option<PathBuf>,
    program: OsString,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Its own `--json`, with fields
#[derive(Debug, Parser)]
struct Fields {
    #[arg(long, value_delimiter = ',', num_args = 0..=1, default_missing_value = "id")]
    json: Option<Vec<String>>,
    #[command(subcommand)]
    command: Option<Below>,
}

#[derive(Debug, Subcommand)]
enum Below {
    List {
        #[arg(long)]
        json: Option<String>,
    },
}

/// Values of many types
#[derive(Debug, Parser)]
#[command(allow_negative_numbers = true, args_override_self = true)]
struct Values {
    #[arg(long)]
    address: Option<IpAddr>,
    #[arg(long)]
    count: Option<NonZeroU8>,
    #[arg(long, action = clap::ArgAction::Set)]
    on: Option<bool>,
    #[arg(long)]
    letter: Option<char>,
    #[arg(long, value_parser = clap::value_parser!(i64).range(-3..))]
    low: Option<i64>,
    #[arg(value_enum, ignore_case = true)]
    pace: Option<Pace>,
    number: Option<i32>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Pace {
    /// Without haste
    Slow,
    #[value(alias = "quick", name = "fast")]
    Fast,
    #[value(hide = true)]
    Absurd,
}

/// Groups
#[derive(Debug, Parser)]
#[command(arg_required_else_help = true, color = clap::ColorChoice::Always)]
struct Groups {
    #[command(flatten)]
    source: Source,
    #[arg(long, exclusive = true)]
    list: bool,
    #[arg(long, requires = "source", hide_short_help = true)]
    deep: bool,
}

#[derive(Args, Debug)]
#[group(id = "source", multiple = false)]
struct Source {
    #[arg(long)]
    file: Option<PathBuf>,
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

derived! { DERIVED;
    "derive-flattened": Flattened, ["build", "-vv build", "build -vv -- --json", "-B", "bui -p 1 2", "build -p 1",
        "b -p 1 2 3 4", "test", "test -x", "test --only", "test --only=x", "test --only x", "other %FF --json", "-v other -v",
        "tes --bad", "--config %FF test", "help build", "help", "test -V", "build extra"];
    "derive-wrap": Wrap, ["curl --json -C x", "-C / ls -C y --help", "-C", "ls -- --json", "-- ls --json", "%FF %FF", "--bad ls"];
    "derive-fields": Fields, ["--json", "--json a,b", "--json=a,b", "--json list", "list --json x", "list --json",
        "list", "--json=a list --json=b"];
    "derive-values": Values, ["--address ::1", "--address x", "--count 0", "--on true", "--on", "--letter ab", "--letter ''",
        "--low -3", "--low -4", "SLOW -5", "absurd", "quick 5", "sloww", "--on true --on false", "-7"];
    "derive-groups": Groups, ["--file a", "--file a --url b", "--list", "--list --file a", "--deep", "--deep --url x"];
}
