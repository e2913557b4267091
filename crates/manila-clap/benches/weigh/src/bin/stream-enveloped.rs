//! The program whose streams the benchmark measures, with an envelope: the same lines, the same frames.

use clap::Parser;
use manila_clap::{App, Call, Flag, Reply, Screen, Streamed, dialects};
use serde::Serialize;
use std::convert::Infallible;
use std::process::ExitCode;

/// Gets one after the other
#[derive(Parser)]
#[command(name = "stream", version)]
struct Cli {
    /// How many
    count: u32,
}

#[derive(Serialize, Reply)]
#[reply(show = show)]
struct Item {
    id: u32,
    name: String,
    done: bool,
}

fn show(item: &Item, screen: &mut Screen) {
    writeln!(screen, "{}: {}", item.id, item.name);
}

#[derive(Serialize, Reply)]
#[reply(kind = "items", show = nothing)]
struct Items(Streamed<Item>);

fn nothing(_: &Items, _: &mut Screen) {}

fn item(id: u32) -> Item {
    Item { id, name: format!("item {id}"), done: id.is_multiple_of(2) }
}

fn run(cli: Cli, call: &Call) -> Result<Items, Infallible> {
    let mut stream = call.stream();
    let _ = (0..cli.count).all(|id| stream.item(item(id)));
    Ok(Items(stream.finish()))
}

fn main() -> ExitCode {
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0).flag(Flag::Output).run(run)
}
