//! Counts words: a program of clap's derive, after.

use clap::Parser;
use manila_clap::{App, Call, Failure, Reply, Screen, dialects};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, io};

/// Count the words of a file
#[derive(Parser)]
#[command(name = "words", version)]
struct Cli {
    file: PathBuf,
}

#[derive(Serialize, Reply)]
#[reply(kind = "count", show = show)]
struct Count {
    words: usize,
}

fn show(count: &Count, screen: &mut Screen) {
    screen.line(count.words);
}

#[derive(Debug, Failure)]
enum WordsError {
    #[failure(
        exit = NotFound, status = 1, message = "cannot read {path}: {source}",
        show = "words: {path}: {source}"
    )]
    Unreadable { path: String, source: io::Error },
}

fn run(cli: Cli, _call: &Call) -> Result<Count, WordsError> {
    let path = cli.file.display().to_string();
    let read = fs::read_to_string(&cli.file);
    let text = read.map_err(|source| WordsError::Unreadable { path, source })?;
    Ok(Count { words: text.split_whitespace().count() })
}

fn main() -> ExitCode {
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0).run(run)
}
