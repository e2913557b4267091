//! `cargo demo`: manila in front of a flaky program and of git, and one finding of `manila check`.
//!
//! The session runs in a temporary directory. This executable plays three parts there, by the name it is called: the
//! demo, the program `orders`, and `manila` itself. What `manila run --explain` prints is abridged to what
//! does not change from run to run: no durations, no repeated prose. `--svg FILE` writes the session as a picture.

mod orders;
mod picture;
mod session;

use session::Session;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let mut words = env::args_os();
    let called = words.next().unwrap_or_default();
    match Path::new(&called).file_name().and_then(|name| name.to_str()) {
        Some("manila") => manila_cli::main(),
        Some("orders") => orders::main(&words.map(lossy).collect::<Vec<_>>()),
        _ => match play(&words.map(lossy).collect::<Vec<_>>()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                let _ =
                    io::Write::write_all(&mut io::stderr(), format!("error: {why}\n").as_bytes());
                ExitCode::FAILURE
            }
        },
    }
}

fn lossy(word: OsString) -> String {
    word.to_string_lossy().into_owned()
}

fn play(words: &[String]) -> io::Result<()> {
    let picture = match words {
        [] => None,
        [flag, file] if flag == "--svg" => Some(file),
        _ => return Err(io::Error::other("usage: demo [--svg FILE]")),
    };
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let coloured = io::stdout().is_terminal() && !is_set("NO_COLOR");
    let mut session = Session::begin(coloured)?;
    session.run("manila run --explain orders list", "rate-limited twice")?;
    session.locked_repository()?;
    session.run("manila run --explain git -C shop commit -qam 'Ship order 7'", "locked")?;
    session.run("manila run --explain --timeout 1s orders pay 7", "never paid twice")?;
    session.check("manila check --select failure-with-exit-zero orders", "finds a bug")?;
    match picture {
        None => Ok(()),
        Some(file) => fs::write(file, picture::svg(session.lines())),
    }
}
