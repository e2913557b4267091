//! The `manila` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    manila_cli::main()
}
