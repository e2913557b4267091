//! `#[derive(Failure)]` beside `thiserror`, and around `anyhow`.

use super::*;
use std::error::Error as _;

#[derive(Debug, thiserror::Error, Failure)]
enum Bare {
    #[error("no note {0}")]
    NoNote(u32),
    #[error("cannot read {path}")]
    Read { path: String, source: io::Error },
    #[error("cannot write: {0}")]
    Write(#[source] io::Error),
    #[error(transparent)]
    Io(#[from] io::Error),
}

#[test]
fn beside_thiserror_no_attribute_is_needed() {
    let error = |code: &str, message: &str| Error::new(code, Exit::General, message);
    assert_error(Bare::NoNote(7), &error("NO_NOTE", "no note 7"));
    let read = Bare::Read { path: "a".to_owned(), source: disk() };
    assert_error(read, &error("READ", "cannot read a").detail("disk full"));
    assert_error(Bare::Write(disk()), &error("WRITE", "cannot write: disk full"));
    assert_error(Bare::from(disk()), &error("IO", "disk full"));
    let meanings: Vec<&str> = declared::<Bare>().iter().map(|it| it.meaning).collect();
    let general = Exit::General.meaning();
    assert_eq!(meanings, ["no note {0}", "cannot read {path}", "cannot write: {0}", general]);
}

#[derive(Debug, thiserror::Error, Failure)]
enum Classed {
    /// The id is not in the file.
    #[error("no note {id}")]
    #[failure(exit = NotFound, code = "NOTE_NOT_FOUND", suggestion = "try {id}", status = 4)]
    NoNote { id: u32 },
    #[error(transparent)]
    #[failure(transparent)]
    Inner(#[from] Bare),
}

#[test]
fn attributes_say_more_than_thiserror_does() {
    let expected = Error::new("NOTE_NOT_FOUND", Exit::NotFound, "no note 7");
    assert_error(Classed::NoNote { id: 7 }, &expected.suggestion("try 7").status(4));
    assert_error(Classed::from(Bare::NoNote(1)), &Bare::NoNote(1).into_error());
    assert_eq!(declared::<Classed>()[0].meaning, "The id is not in the file.");
    assert_eq!(declared::<Classed>()[0].status, Some(4));
}

#[derive(Debug, thiserror::Error, Failure)]
#[error("{0} is not a number")]
#[failure(exit = ArgError)]
struct NotANumber(String);

#[test]
fn a_struct_of_thiserror_is_a_single_variant() {
    let expected = Error::new("NOT_A_NUMBER", Exit::ArgError, "x is not a number");
    assert_error(NotANumber("x".to_owned()), &expected);
}

#[derive(Debug, Failure)]
enum Loose {
    #[failure(exit = Unavailable, message = "the service failed")]
    Service(#[from] anyhow::Error),
    #[failure(transparent)]
    Other(anyhow::Error),
}

#[test]
fn anyhow_is_a_source_and_a_failure() {
    let erased = || anyhow::Error::from(disk()).context("cannot save");
    let service = Loose::from(erased());
    let source = service.source().map(ToString::to_string);
    assert_eq!(source.as_deref(), Some("cannot save"));
    let expected = Error::new("SERVICE", Exit::Unavailable, "the service failed");
    assert_error(service, &expected.detail("cannot save"));

    let other = Loose::Other(erased());
    assert_eq!(other.to_string(), "cannot save");
    assert_eq!(other.source().map(ToString::to_string).as_deref(), Some("disk full"));
    let expected = Error::new("GENERAL_ERROR", Exit::General, "cannot save");
    assert_error(other, &expected.detail("disk full"));
}
