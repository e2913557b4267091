//! The program that the benchmark weighs, with an envelope: the same arguments, the same payload.

use clap::{Parser, Subcommand};
use manila_clap::{App, Call, Failure, Flag, Reply, Screen, Streamed, dialects};
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
    /// Get one after the other
    Stream {
        /// How many
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

#[derive(Serialize, Reply)]
#[reply(kind = "items", show = nothing)]
struct Counted(Streamed<Item>);

fn nothing(_: &Counted, _: &mut Screen) {}

#[derive(Reply)]
enum Answer {
    One(Item),
    Many(Items),
    Streamed(Counted),
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

fn run(cli: &Cli, call: &Call) -> Result<Answer, ItemError> {
    match cli.command {
        Command::Get { id: 0 } => Err(ItemError::NoSuchItem { id: 0 }),
        Command::Get { id } => Ok(Answer::One(item(id))),
        Command::Stream { count } => {
            let mut stream = call.stream();
            let _ = (0..count).all(|id| stream.item(item(id)));
            Ok(Answer::Streamed(Counted(stream.finish())))
        }
        Command::List { count } => Ok(Answer::Many(Items((0..count).map(item).collect()))),
    }
}

fn main() -> ExitCode {
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0)
        .flag(Flag::Output)
        .run(|cli, call| run(&cli, call))
}
