//! `#[derive(Failure)]`: keys, messages, sources, transparent variants.

use super::*;

#[derive(Debug, Failure)]
enum NoteError {
    /// There is no note with the number {id},
    ///
    /// or it is hidden.
    #[failure(exit = NotFound)]
    NoteNotFound { id: u32 },

    /// It is locked.
    #[failure(
        exit = Conflict,
        code = "LOCKED",
        message = "{path:?} is locked by {owner:>6}; {{sorry}}",
        suggestion = "ask {owner}",
        retryable,
        phase = Cleanup,
        detail = "flock: {path:?}",
        details = (owner, path),
        operation = "flock",
        target = path.display().to_string(),
        fix = "{owner} has gone",
        fix_command = Some(format!("unlock {owner}")),
        missing = None::<String>
    )]
    Held { path: PathBuf, owner: String },

    #[failure(exit = ArgError, message = "{0} is not {1:?}, {0}", suggestion = hint(*_0))]
    Wrong(u8, &'static str, bool),

    #[failure(exit = Timeout, message = "no answer", wait = "5m", retryable = false)]
    Silent,
}

fn hint(number: u8) -> Option<&'static str> {
    (number > 9).then_some("take a smaller one")
}

#[test]
fn the_doc_comment_is_the_message() {
    let error = NoteError::NoteNotFound { id: 7 };
    let message = "There is no note with the number 7, or it is hidden.";
    assert_eq!(error.to_string(), message);
    assert_error(error, &Error::new("NOTE_NOT_FOUND", Exit::NotFound, message));
}

#[test]
fn every_key_is_a_method() {
    let error = NoteError::Held { path: "a/b".into(), owner: "ann".to_owned() };
    let message = "\"a/b\" is locked by    ann; {sorry}";
    assert_eq!(error.to_string(), message);
    let expected = Error::new("LOCKED", Exit::Conflict, message)
        .suggestion("ask ann")
        .retryable(true)
        .phase(Phase::Cleanup)
        .detail("flock: \"a/b\"")
        .details(&("ann", "a/b"))
        .operation("flock")
        .target("a/b")
        .fix("ann has gone")
        .fix_command("unlock ann");
    assert_error(error, &expected);
}

#[test]
fn fields_without_names_have_numbers() {
    let wrong = |number| NoteError::Wrong(number, "even", true);
    let expected = Error::new("WRONG", Exit::ArgError, "3 is not \"even\", 3");
    assert_error(wrong(3), &expected);
    let expected = Error::new("WRONG", Exit::ArgError, "11 is not \"even\", 11");
    assert_error(wrong(11), &expected.suggestion("take a smaller one"));
}

#[test]
fn a_wait_does_not_make_it_retryable_against_the_author() {
    let expected = Error::new("SILENT", Exit::Timeout, "no answer");
    let expected = expected.wait(Duration::from_secs(300)).retryable(false);
    assert_error(NoteError::Silent, &expected);
}

#[test]
fn every_variant_is_declared_in_order() {
    let of = |code, exit, meaning, retryable, suggestion| Declared {
        retryable,
        suggestion,
        ..Declared::new(code, exit, meaning)
    };
    let expected = [
        of(
            "NOTE_NOT_FOUND",
            Exit::NotFound,
            "There is no note with the number {id}, or it is hidden.",
            None,
            None,
        ),
        of("LOCKED", Exit::Conflict, "It is locked.", Some(true), Some("ask {owner}")),
        of("WRONG", Exit::ArgError, "{0} is not {1:?}, {0}", None, None),
        of("SILENT", Exit::Timeout, "no answer", Some(false), None),
    ];
    assert_eq!(declared::<NoteError>(), expected);
}

#[derive(Debug, Failure)]
enum Waiting {
    #[failure(exit = RateLimited, message = "wait", wait = "500ms")]
    Always,
    #[failure(exit = RateLimited, message = "wait", wait = *after)]
    Retry { after: Duration },
    #[failure(exit = RateLimited, message = "wait", wait = *_0, retryable = true)]
    Perhaps(Option<Duration>),
}

#[test]
fn a_wait_is_a_literal_or_an_expression() {
    let error = |code| Error::new(code, Exit::RateLimited, "wait");
    assert_error(Waiting::Always, &error("ALWAYS").wait(Duration::from_millis(500)));
    let after = Duration::from_secs(2);
    assert_error(Waiting::Retry { after }, &error("RETRY").wait(after));
    assert_error(Waiting::Perhaps(None), &error("PERHAPS").retryable(true));
    assert_error(Waiting::Perhaps(Some(after)), &error("PERHAPS").wait(after));
    let retryable: Vec<_> = declared::<Waiting>().iter().map(|it| it.retryable).collect();
    assert_eq!(retryable, [Some(true), None, Some(true)]);
}

#[derive(Debug, Failure)]
enum Answer {
    #[failure(exit = General, message = if *loud { "NO" } else { "no" })]
    No { loud: bool },
    /// Yes.
    #[failure(exit = General, message = _0)]
    Yes(String),
}

#[test]
fn a_message_may_be_an_expression() {
    assert_eq!(Answer::No { loud: true }.to_string(), "NO");
    let yes = Answer::Yes("oui".to_owned());
    assert_error(yes, &Error::new("YES", Exit::General, "oui"));
    let meanings: Vec<&str> = declared::<Answer>().iter().map(|it| it.meaning).collect();
    assert_eq!(meanings, [Exit::General.meaning(), "Yes."]);
}

#[derive(Debug, Failure)]
#[failure(
    exit = Precondition,
    message = "{value:width$.places$}|{type}",
    details = self.places
)]
struct Odd {
    value: f64,
    width: usize,
    places: usize,
    r#type: &'static str,
}

#[test]
fn a_struct_is_a_single_variant() {
    let odd = Odd { value: 1.0, width: 6, places: 2, r#type: "f64" };
    assert_eq!(odd.to_string(), "  1.00|f64");
    let expected = Error::new("ODD", Exit::Precondition, "  1.00|f64").details(&2);
    assert_error(odd, &expected);
    assert_eq!(declared::<Odd>()[0].meaning, "{value:width$.places$}|{type}");
}

/// Fields that have the names of what stands around the expressions.
#[derive(Debug, Failure)]
#[failure(
    exit = General,
    message = format!("{formatter}{f}{list}{error}"),
    detail = format!("{}{}", self_, note.message),
    data = note
)]
struct Names {
    formatter: u8,
    f: u8,
    list: u8,
    error: u8,
    self_: u8,
    note: Done,
}

#[test]
fn fields_hide_nothing() {
    let note = Done::new("done");
    let names = Names { formatter: 1, f: 2, list: 3, error: 4, self_: 5, note };
    assert_eq!(names.to_string(), "1234");
    let expected = Error::new("NAMES", Exit::General, "1234").detail("5done");
    assert_error(names, &expected.data(Done::new("done")));
}

#[derive(Debug, Failure)]
enum Caused {
    #[failure(exit = General, message = "cannot read")]
    Read(#[from] io::Error),
    #[failure(exit = General, message = "cannot write: {source}")]
    Write { source: io::Error },
    #[failure(exit = General, message = format!("cannot copy: {_0}"))]
    Copy(#[source] io::Error),
    #[failure(exit = General, message = "cannot move", detail = "as said")]
    Move(#[source] io::Error),
    #[failure(exit = General, message = "cannot link to {to}")]
    Link {
        to: &'static str,
        #[source]
        cause: Option<Box<dyn StdError + Send + Sync>>,
    },
    #[failure(exit = General, message = "nothing")]
    Nothing,
}

#[test]
fn what_the_source_says_is_the_detail_once() {
    let error = |code: &str, message: &str| Error::new(code, Exit::General, message.to_owned());
    let read = Caused::from(disk());
    assert_error(read, &error("READ", "cannot read").detail("disk full"));
    let write = Caused::Write { source: disk() };
    assert_error(write, &error("WRITE", "cannot write: disk full"));
    let copy = Caused::Copy(disk());
    assert_error(copy, &error("COPY", "cannot copy: disk full"));
    let moved = Caused::Move(disk());
    assert_error(moved, &error("MOVE", "cannot move").detail("as said"));
    let link = |cause| Caused::Link { to: "b", cause };
    assert_error(link(None), &error("LINK", "cannot link to b"));
    let expected = error("LINK", "cannot link to b").detail("loop");
    assert_error(link(Some("loop".into())), &expected);
}

#[test]
fn the_source_is_that_of_the_error() {
    let source = |error: &dyn StdError| error.source().map(ToString::to_string);
    assert_eq!(source(&Caused::Read(disk())).as_deref(), Some("disk full"));
    assert_eq!(source(&Caused::Write { source: disk() }).as_deref(), Some("disk full"));
    let link = Caused::Link { to: "b", cause: Some("loop".into()) };
    assert_eq!(source(&link).as_deref(), Some("loop"));
    assert_eq!(source(&Caused::Link { to: "b", cause: None }), None);
    assert_eq!(source(&Caused::Nothing), None);
}

#[derive(Debug, Failure)]
enum Outer {
    #[failure(exit = General, message = "first")]
    First,
    #[failure(transparent)]
    Caused(#[from] Caused),
    #[failure(transparent)]
    Odd { odd: Odd },
    #[failure(transparent)]
    Any(Box<dyn StdError + Send + Sync>),
}

#[test]
fn a_transparent_variant_is_its_field() {
    let outer = Outer::from(Caused::Move(disk()));
    assert_eq!(outer.to_string(), "cannot move");
    assert_eq!(outer.source().map(ToString::to_string).as_deref(), Some("disk full"));
    assert_error(outer, &Caused::Move(disk()).into_error());

    let odd = || Odd { value: 1.0, width: 0, places: 0, r#type: "x" };
    assert_error(Outer::Odd { odd: odd() }, &odd().into_error());

    let any: Box<dyn StdError + Send + Sync> = Box::new(Caused::Move(disk()));
    assert_eq!(any.source().map(ToString::to_string).as_deref(), Some("disk full"));
    let any = Outer::Any(any);
    assert_eq!(any.source().map(ToString::to_string).as_deref(), Some("disk full"));
    let expected = Error::new("GENERAL_ERROR", Exit::General, "cannot move");
    assert_error(any, &expected.detail("disk full"));
}

#[test]
fn a_transparent_variant_declares_what_its_field_does() {
    let codes: Vec<&str> = declared::<Outer>().iter().map(|it| it.code).collect();
    let expected =
        ["FIRST", "READ", "WRITE", "COPY", "MOVE", "LINK", "NOTHING", "ODD", "GENERAL_ERROR"];
    assert_eq!(codes, expected);
    assert_error(Outer::First, &Error::new("FIRST", Exit::General, "first"));
}
