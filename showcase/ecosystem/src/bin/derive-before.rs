//! Counts words: a program of clap's derive, before.

use clap::Parser;
use std::path::PathBuf;
use std::{fs, process};

/// Count the words of a file
#[derive(Parser)]
#[command(name = "words", version)]
struct Cli {
    file: PathBuf,
}

fn main() {
    let cli = Cli::parse();
    let text = fs::read_to_string(&cli.file).unwrap_or_else(|error| {
        eprintln!("words: {}: {error}", cli.file.display());
        process::exit(1);
    });
    println!("{}", text.split_whitespace().count());
}
