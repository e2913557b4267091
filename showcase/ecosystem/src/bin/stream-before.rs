//! Finds numbers: a program that prints as it goes, before.

use clap::Parser;
use std::process;

/// Find the multiples of a number
#[derive(Parser)]
#[command(name = "multiples")]
struct Cli {
    of: u32,
    #[arg(long, default_value_t = 10)]
    up_to: u32,
}

fn main() {
    let cli = Cli::parse();
    let mut found = false;
    for number in (1..=cli.up_to).filter(|number| number.is_multiple_of(cli.of)) {
        println!("{number}");
        found = true;
    }
    process::exit(i32::from(!found));
}
