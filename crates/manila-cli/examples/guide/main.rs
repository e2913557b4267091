//! The preprocessor of the guide: takes pages over from docs/ and makes the reference from manila's tables.
//!
//! `mdbook build guide` starts it. `guide check` checks without mdBook that every relative link, anchor and include in the
//! documents of the repository and in the assembled book resolves.

mod book;
mod check;
mod links;
mod picture;
mod reference;

use book::Guide;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = std::env::args_os();
    // The pages of packs are what `manila explain` prints: this executable called by that name.
    if words.next().is_some_and(|name| Path::new(&name).file_name() == Some("manila".as_ref())) {
        return manila_cli::main();
    }
    let words: Vec<OsString> = words.collect();
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    match run(&words) {
        Ok(code) => code,
        Err(why) => {
            let _ = io::stderr().write_all(format!("error: {why}\n").as_bytes());
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> io::Result<ExitCode> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match words {
        // Nothing in the pages depends on the renderer.
        ["supports", ..] => Ok(ExitCode::SUCCESS),
        ["check"] => check::check(&root),
        [] => {
            let mut input = String::new();
            io::stdin().lock().read_to_string(&mut input)?;
            let book = Guide::read(&root)?.preprocess(&input)?;
            io::stdout().lock().write_all(book.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
        _ => Err(io::Error::other("usage: guide [check | supports RENDERER]")),
    }
}
