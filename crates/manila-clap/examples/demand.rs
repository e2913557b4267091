//! A program that shows what a child of it sees, for tests that must ask a real process.

use clap::{Parser, Subcommand};
use manila_clap::{App, Call, Failure, Reply, dialects};
use schemars::JsonSchema;
use serde::Serialize;
use std::io;
use std::process::ExitCode;

/// Shows what a child sees
#[derive(Parser)]
#[command(name = "demand", version = "1.2.3")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The descriptors that a child has
    Descriptors,
    /// The words that a child gets
    Words {
        /// Passed on as they are
        words: Vec<String>,
    },
}

/// What the child wrote, line by line.
#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "seen")]
struct Seen {
    lines: Vec<String>,
}

#[derive(Debug, Failure)]
enum Trouble {
    /// the child did not start
    #[failure(exit = Unavailable)]
    Unstarted(#[from] io::Error),
}

fn work(cli: Cli, call: &Call) -> Result<Seen, Trouble> {
    let output = match cli.command {
        Command::Descriptors => call.child("ls").arg("/proc/self/fd").output()?,
        Command::Words { words } => call.child("printf").arg("%s\\n").args(words).output()?,
    };
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(Seen { lines: text.lines().map(str::to_owned).collect() })
}

fn main() -> ExitCode {
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_6).run(work)
}
