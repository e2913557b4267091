//! A small program without a library for arguments that answers in envelopes. A program with clap has `manila-clap`.
//!
//! manila generate --lang rust -o envelope && rustc --edition 2021 notes.rs

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use envelope::{emit, fail, respond, succeed, ErrorCode, ErrorExtras, Json, Outcome, Phase};

#[allow(dead_code)]
#[path = "envelope/envelope.rs"]
mod envelope;

const NOTES: &[(&str, &str)] = &[("1", "buy milk"), ("2", "call home")];

const HELP: &str = "Keeps notes.

Usage: notes <COMMAND>

Commands:
  list  List the notes
  show  Show one note

Options:
  -h, --help     Print help
  -V, --version  Print the version
";

const LIST_HELP: &str = "List the notes.

Usage: notes list

Options:
  -h, --help  Print help
";

const SHOW_HELP: &str = "Show one note.

Usage: notes show <NOTE>

Arguments:
  <NOTE>  The number of the note

Options:
  -h, --help  Print help
";

fn note((id, text): &(&str, &str)) -> Json {
    let member = |name: &str, value: &str| (name.to_owned(), Json::Text(value.to_owned()));
    Json::Object(BTreeMap::from([member("id", id), member("text", text)]))
}

fn show(id: &str) -> Outcome<Json> {
    let more = ErrorExtras {
        suggestion: Some("`notes list` has all of them".to_owned()),
        ..ErrorExtras::default()
    };
    match NOTES.iter().find(|(known, _)| *known == id) {
        Some(found) => succeed(note(found)),
        None => fail(
            ErrorCode::NotFound,
            &format!("there is no note {id:?}"),
            more,
        ),
    }
}

fn misused(message: &str) -> Outcome<Json> {
    let more = ErrorExtras {
        phase: Some(Phase::Validation),
        suggestion: Some("`notes --help` has the commands".to_owned()),
        ..ErrorExtras::default()
    };
    fail(ErrorCode::ArgError, message, more)
}

fn run(words: &[&str]) -> Outcome<Json> {
    let options: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| word.starts_with('-'))
        .collect();
    if !options.is_empty() {
        return misused(&format!("there is no option {}", options.join(", ")));
    }
    match words {
        ["list"] => succeed(Json::List(NOTES.iter().map(note).collect())),
        ["show", id] => show(id),
        ["show"] => misused("show needs the number of a note"),
        ["list", other, ..] | ["show", _, other, ..] => misused(&format!("{other:?} is too much")),
        [other, ..] => misused(&format!("there is no command {other:?}")),
        [] => misused("no command was called"),
    }
}

/// Help and the version are text.
fn text(words: &[&str]) -> Option<String> {
    let is_asked = |names: [&str; 2]| words.iter().any(|word| names.contains(word));
    if is_asked(["-h", "--help"]) {
        let page = match words.first() {
            Some(&"list") => LIST_HELP,
            Some(&"show") => SHOW_HELP,
            _ => HELP,
        };
        return Some(page.to_owned());
    }
    matches!(words, ["-V" | "--version"]).then(|| "notes 1.0\n".to_owned())
}

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let (mut stdout, mut stderr) = (io::stdout().lock(), io::stderr().lock());
    let written = match text(&words) {
        Some(text) => stdout.write_all(text.as_bytes()).map(|()| 0),
        None => match respond(|| run(&words)) {
            Ok(answer) => emit(&answer, &mut stdout, &mut stderr),
            Err(bug) => writeln!(stderr, "{bug}").map(|()| 1),
        },
    };
    match written {
        Ok(exit_code) => ExitCode::from(u8::try_from(exit_code).unwrap_or(1)),
        // A reader that hangs up, such as `head`, is no failure.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
