//! The program that the benchmark weighs, in plain clap: it prints its payload and knows no envelope.

use clap::{Parser, Subcommand};
use serde::Serialize;
use std::io::Write;

/// Looks things up
#[derive(Parser)]
#[command(name = "weigh", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Get one
    Get {
        /// Which
        id: u32,
    },
    /// Get many
    List {
        /// How many
        #[arg(long, default_value_t = 5)]
        count: u32,
    },
}

#[derive(Serialize)]
struct Item {
    id: u32,
    name: String,
    done: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    One(Item),
    Many(Vec<Item>),
}

fn item(id: u32) -> Item {
    Item { id, name: format!("item {id}"), done: id.is_multiple_of(2) }
}

fn main() -> std::io::Result<()> {
    let answer = match Cli::parse().command {
        Command::Get { id } => Answer::One(item(id)),
        Command::List { count } => Answer::Many((0..count).map(item).collect()),
    };
    let mut text = serde_json::to_string(&answer)?;
    text.push('\n');
    std::io::stdout().write_all(text.as_bytes())
}
