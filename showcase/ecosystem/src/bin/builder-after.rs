//! Adds numbers: a program of clap's builder with `anyhow`, after.

use anyhow::{Context, Result};
use clap::{Arg, ArgMatches, Command};
use manila_clap::{App, Call, Declared, Exit, Reply, Screen, dialects};
use serde::Serialize;
use std::num::ParseIntError;
use std::process::ExitCode;

#[derive(Serialize, Reply)]
#[reply(kind = "sum", show = show)]
struct Sum {
    sum: i64,
}

fn show(sum: &Sum, screen: &mut Screen) {
    screen.line(sum.sum);
}

const NOT_A_NUMBER: Declared =
    Declared::new("NOT_A_NUMBER", Exit::ArgError, "An argument is not a number.").with_status(1);

fn run(matches: ArgMatches, _call: &Call) -> Result<Sum> {
    let mut sum = 0_i64;
    for number in matches.get_many::<String>("numbers").into_iter().flatten() {
        sum += number.parse::<i64>().with_context(|| format!("{number} is not a number"))?;
    }
    Ok(Sum { sum })
}

fn main() -> ExitCode {
    let command = Command::new("sum").about("Add numbers").arg(Arg::new("numbers").num_args(0..));
    App::from_command(command, dialects::RESPONSE_ENVELOPE_1_0)
        .classify(NOT_A_NUMBER, |_: &ParseIntError| true)
        .run(run)
}
