//! Compares `manila mcp` with a server that has a tool for each subcommand, made from the same help: scripted tasks on
//! git and on the four programs in `showcase/`.
//!
//! ```text
//! cargo run -p manila-mcp --example compare
//! ```
//!
//! A task is a query and the call that solves it, as an agent that makes no mistake would choose it. With `manila mcp`
//! that agent searches first and then calls; with a tool for each subcommand it has read all definitions and calls.

mod compare;
mod per_command;
mod session;
mod tasks;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let table = build().and_then(|bin| compare::table(&bin));
    let printed = match table {
        Ok(table) => writeln!(io::stdout(), "{table}").map(|()| ExitCode::SUCCESS),
        Err(error) => writeln!(io::stderr(), "error: {error}").map(|()| ExitCode::FAILURE),
    };
    printed.unwrap_or(ExitCode::FAILURE)
}

/// Builds the programs that are compared. Says where they are.
fn build() -> io::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.arg("build").arg("--quiet").current_dir(Path::new(env!("CARGO_MANIFEST_DIR")));
    for package in
        ["manila-mcp", "showcase-td", "showcase-animus", "showcase-claw", "showcase-i18nprune"]
    {
        command.args(["--package", package]);
    }
    if !command.status()?.success() {
        return Err(io::Error::other("the programs could not be built"));
    }
    // This program is target/PROFILE/examples/compare.
    let own = std::env::current_exe()?;
    let bin = own.parent().and_then(Path::parent);
    bin.map(Path::to_owned).ok_or_else(|| io::Error::other("the target directory was not found"))
}
