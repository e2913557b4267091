//! Finds numbers: a program that prints as it goes, after.

use clap::Parser;
use manila_clap::{App, Call, Failure, Flag, Reply, Screen, Streamed, dialects};
use serde::Serialize;
use std::process::ExitCode;

/// Find the multiples of a number
#[derive(Parser)]
#[command(name = "multiples")]
struct Cli {
    of: u32,
    #[arg(long, default_value_t = 10)]
    up_to: u32,
}

#[derive(Serialize, Reply)]
#[reply(show = show)]
struct Multiple {
    number: u32,
}

fn show(multiple: &Multiple, screen: &mut Screen) {
    screen.line(multiple.number);
}

#[derive(Serialize, Reply)]
#[reply(kind = "multiples", show = show_nothing)]
struct Multiples(Streamed<Multiple>);

fn show_nothing(_: &Multiples, _: &mut Screen) {}

#[derive(Debug, Failure)]
enum NotFound {
    /// There is no multiple.
    #[failure(exit = NotFound, status = 1, silent)]
    NoMultiple,
}

fn run(cli: Cli, call: &Call) -> Result<Multiples, NotFound> {
    let mut stream = call.stream();
    let mut found = false;
    for number in (1..=cli.up_to).filter(|number| number.is_multiple_of(cli.of)) {
        found = true;
        if !stream.item(Multiple { number }) {
            break;
        }
    }
    if found { Ok(Multiples(stream.finish())) } else { Err(NotFound::NoMultiple) }
}

fn main() -> ExitCode {
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0).flag(Flag::Output).run(run)
}
