//! The program that the benchmark weighs, with an envelope: the same arguments, the same payload.

use clap::{Parser, Subcommand};
use manila_clap::{App, Failure, Reply, Screen, dialects};
use serde::Serialize;
use std::process::ExitCode;

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

#[derive(Serialize, Reply)]
#[reply(show = show)]
struct Item {
    id: u32,
    name: String,
    done: bool,
}

#[derive(Serialize, Reply)]
#[reply(kind = "item_list")]
struct Items(Vec<Item>);

fn show(item: &Item, screen: &mut Screen) {
    screen.line(format_args!("{}: {}", item.id, item.name));
}

#[derive(Reply)]
enum Answer {
    One(Item),
    Many(Items),
}

#[derive(Debug, Failure)]
enum ItemError {
    /// there is no item {id}
    #[failure(exit = NotFound, suggestion = "ids begin at 1")]
    NoSuchItem { id: u32 },
}

fn item(id: u32) -> Item {
    Item { id, name: format!("item {id}"), done: id.is_multiple_of(2) }
}

fn run(cli: &Cli) -> Result<Answer, ItemError> {
    match cli.command {
        Command::Get { id: 0 } => Err(ItemError::NoSuchItem { id: 0 }),
        Command::Get { id } => Ok(Answer::One(item(id))),
        Command::List { count } => Ok(Answer::Many(Items((0..count).map(item).collect()))),
    }
}

fn main() -> ExitCode {
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0).run(|cli, _| run(&cli))
}
