//! Failures of erased types, silent failures, replies that are bytes, and calls that threads hold.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use clap::Parser;
use manila_clap::testing::{Called, Surroundings};
use manila_clap::{
    App, Call, Cancelled, Declared, Done, Error, Exit, Failure, InputRequired, Reply, Screen,
    dialects,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::convert::Infallible;
use std::io;

#[derive(Parser)]
#[command(name = "find")]
struct Cli {}

const NO_FILE: Declared = Declared::new("FILE_NOT_FOUND", Exit::NotFound, "A file does not exist.");
const NOT_UTF8: Declared = Declared::new("NOT_UTF8", Exit::ArgError, "A file is not text.");

fn app() -> App<Cli> {
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0)
        .all_flags()
        .classify(NO_FILE, |error: &io::Error| error.kind() == io::ErrorKind::NotFound)
        .classify(NOT_UTF8, |_: &std::string::FromUtf8Error| true)
}

/// The answer for programs to a handler that fails like this.
fn json<F: Failure>(failure: F) -> (Called, Value) {
    let called = app().call(["--json"], |_, _| Err::<Done, F>(failure));
    called.assert_contract();
    let document = serde_json::from_slice(&called.stdout).unwrap();
    (called, document)
}

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "no such file")
}

#[test]
fn a_class_is_found_anywhere_in_the_chain() {
    let anyhow = || anyhow::Error::from(missing()).context("cannot read a.txt").context("no notes");
    let (called, document) = json(anyhow());
    assert_eq!(called.status, 5, "{document}");
    assert_eq!(document["error"]["code"], "FILE_NOT_FOUND");
    assert_eq!(document["error"]["message"], "no notes");
    assert_eq!(document["error"]["detail"], "cannot read a.txt: no such file");

    let eyre = eyre::Report::from(missing()).wrap_err("no notes");
    assert_eq!(json(eyre).1["error"]["code"], "FILE_NOT_FOUND");
    let boxed: Box<dyn std::error::Error + Send + Sync> = Box::new(missing());
    assert_eq!(json(boxed).1["error"]["code"], "FILE_NOT_FOUND");
}

#[test]
fn an_error_of_no_class_is_a_general_one() {
    let (called, document) = json(anyhow::anyhow!("odd"));
    assert_eq!(called.status, 1);
    assert_eq!(document["error"]["code"], "GENERAL_ERROR");
    assert_eq!(document["error"].get("detail"), None);
    let bytes = String::from_utf8(vec![0xff]).unwrap_err();
    assert_eq!(json(anyhow::Error::from(bytes)).1["error"]["code"], "NOT_UTF8");
}

#[test]
fn failures_of_this_crate_stay_what_they_are() {
    let asked = |_: Cli, call: &Call| -> anyhow::Result<Done> {
        let name: Result<String, InputRequired> = call.ask("Which name?", "--name");
        Ok(Done::new(name.map_err(|error| anyhow::Error::from(error).context("cannot add"))?))
    };
    let called = app().call(["--json"], asked);
    let document: Value = serde_json::from_slice(&called.stdout).unwrap();
    assert_eq!(document["error"]["code"], "INPUT_REQUIRED");
    let mut list = Vec::new();
    Cancelled::declared(&mut list);
    assert_eq!(list[0].code, "CANCELLED");
}

#[test]
fn an_error_is_a_failure_itself() {
    let error = Error::new("NO_MATCH", Exit::NotFound, "nothing matches");
    let called = app().call(["--json"], |_, _| Err::<Done, Error>(error));
    assert_eq!(called.status, 5);
}

#[derive(Debug, Failure)]
enum Quiet {
    /// Nothing matches.
    #[failure(exit = NotFound, status = 1, silent)]
    NoMatch,
}

#[test]
fn a_silent_failure_is_a_status_for_people_and_a_document_for_programs() {
    for mode in ["plain", "rich"] {
        let called = app().call(["--output", mode], |_, _| Err::<Done, _>(Quiet::NoMatch));
        called.assert_contract();
        assert_eq!((called.status, &*called.stdout, &*called.stderr), (1, &b""[..], &b""[..]));
    }
    let (called, document) = json(Quiet::NoMatch);
    assert_eq!(called.status, 1);
    assert_eq!(document["error"]["code"], "NO_MATCH");
    assert_eq!(document["error"]["message"], "Nothing matches.");
}

#[test]
fn people_get_the_text_that_the_author_chose() {
    let plain = |failure: anyhow::Error| {
        let called = app().call(["--plain"], |_, _| Err::<Done, _>(failure));
        String::from_utf8(called.stderr).unwrap()
    };
    let erased = anyhow::Error::from(missing()).context("no notes");
    let expected = format!("Error: {erased:?}\n");
    assert_eq!(plain(erased), expected);

    let error = Error::new("NO_MATCH", Exit::NotFound, "nothing").show("[find error]: nothing");
    let called = app().call(["--plain"], |_, _| Err::<Done, Error>(error));
    assert_eq!(called.stderr, b"[find error]: nothing\n");
}

#[derive(Serialize, JsonSchema, Reply)]
#[reply(show = show_path)]
struct Found {
    path: String,
    #[serde(skip)]
    bytes: Vec<u8>,
}

fn show_path(found: &Found, screen: &mut Screen) {
    screen.bytes(&found.bytes);
    screen.bytes(b"\0");
}

#[test]
fn people_get_the_bytes_of_a_path() {
    let found = |_: Cli, _: &Call| {
        Ok::<_, Infallible>(Found { path: "caf\u{fffd}".to_owned(), bytes: b"caf\xe9".to_vec() })
    };
    assert_eq!(app().call(["--plain"], found).stdout, b"caf\xe9\0");
    assert_eq!(app().call_in(Surroundings::watched(), [""; 0], found).stdout, b"caf\xe9\0");
}

#[test]
fn threads_hold_the_call() {
    #[expect(clippy::unnecessary_wraps, reason = "handlers return results")]
    fn work(_: Cli, call: &'static Call) -> Result<Done, Infallible> {
        let thread = std::thread::spawn(move || call.warn("from a thread"));
        let _ = thread.join();
        Ok(Done::new("done"))
    }
    let called = app().call(["--json"], work);
    let document: Value = serde_json::from_slice(&called.stdout).unwrap();
    assert_eq!(document["warnings"][0], "from a thread");
}

#[test]
fn a_program_lists_its_classes() {
    let called = app().schema().call(["--schema", "--json"], |_, _| {
        Err::<Done, anyhow::Error>(anyhow::anyhow!("not asked"))
    });
    let document = String::from_utf8(called.stdout).unwrap();
    assert!(document.contains("FILE_NOT_FOUND") && document.contains("NOT_UTF8"), "{document}");
}
