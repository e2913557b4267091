//! Writes a corpus to stdout: `cargo run --release -p manila-log --example corpus -- 1GiB [SEED]`.

mod generate;

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let size = arguments.next().and_then(|size| parse(&size));
    let seed = arguments.next().map_or(Some(42), |seed| seed.parse().ok());
    let (Some(size), Some(seed)) = (size, seed) else {
        let _ =
            writeln!(io::stderr(), "usage: corpus SIZE [SEED], as in: corpus 1GiB, corpus 20MB 7");
        return ExitCode::from(2);
    };
    match write(size, seed) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that closed the pipe is not a failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "corpus: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write(size: u64, seed: u64) -> io::Result<()> {
    let mut corpus = generate::Corpus::new(seed);
    let mut out = io::stdout().lock();
    let mut block = Vec::with_capacity(1 << 20);
    let mut written = 0;
    while written < size {
        block.clear();
        while block.len() < 1 << 18 && written + (block.len() as u64) < size {
            corpus.record(&mut block);
        }
        out.write_all(&block)?;
        written += block.len() as u64;
    }
    out.flush()
}

/// `1GiB`, `20MB`, `512`.
fn parse(size: &str) -> Option<u64> {
    let digits = size.find(|character: char| !character.is_ascii_digit()).unwrap_or(size.len());
    let (number, unit) = size.split_at(digits);
    let unit = match unit {
        "" | "B" => 1,
        "kB" | "KB" => 1000,
        "KiB" => 1 << 10,
        "MB" => 1_000_000,
        "MiB" => 1 << 20,
        "GB" => 1_000_000_000,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}
