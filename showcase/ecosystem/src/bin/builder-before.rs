//! Adds numbers: a program of clap's builder with `anyhow`, before.

use anyhow::{Context, Result};
use clap::{Arg, Command};

fn main() -> Result<()> {
    let command = Command::new("sum").about("Add numbers").arg(Arg::new("numbers").num_args(0..));
    let matches = command.get_matches();
    let mut sum = 0_i64;
    for number in matches.get_many::<String>("numbers").into_iter().flatten() {
        sum += number.parse::<i64>().with_context(|| format!("{number} is not a number"))?;
    }
    println!("{sum}");
    Ok(())
}
