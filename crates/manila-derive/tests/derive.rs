//! What the derives make, as a program that uses them sees it.

use manila_clap::{
    Declared, Done, Exit, Failure, Kind, Page, Paged, Phase, Problem, Reply, Screen, Shape,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::error::Error;
use std::fmt::{self, Debug, Display};
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

/// Asserts that a failure is this problem, in all that a problem shows of itself.
#[track_caller]
fn assert_problem(failure: impl Failure, expected: &Problem) {
    assert_eq!(format!("{:#?}", failure.problem()), format!("{expected:#?}"));
}

fn declared<F: Failure>() -> Vec<Declared> {
    let mut list = Vec::new();
    F::declared(&mut list);
    list
}

fn kinds<R: Reply>() -> Vec<Kind> {
    let mut list = Vec::new();
    R::kinds(&mut list);
    list
}

fn data(reply: &impl Reply, shape: Shape) -> String {
    reply.data(shape).map(|data| data.as_str().to_owned()).unwrap_or_default()
}

mod failure {
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
        assert_problem(error, &Problem::new("NOTE_NOT_FOUND", Exit::NotFound, message));
    }

    #[test]
    fn every_key_is_a_method() {
        let error = NoteError::Held { path: "a/b".into(), owner: "ann".to_owned() };
        let message = "\"a/b\" is locked by    ann; {sorry}";
        assert_eq!(error.to_string(), message);
        let expected = Problem::new("LOCKED", Exit::Conflict, message)
            .suggestion("ask ann")
            .retryable(true)
            .phase(Phase::Cleanup)
            .detail("flock: \"a/b\"")
            .details(&("ann", "a/b"))
            .operation("flock")
            .target("a/b")
            .fix("ann has gone")
            .fix_command("unlock ann");
        assert_problem(error, &expected);
    }

    #[test]
    fn fields_without_names_have_numbers() {
        let wrong = |number| NoteError::Wrong(number, "even", true);
        let expected = Problem::new("WRONG", Exit::ArgError, "3 is not \"even\", 3");
        assert_problem(wrong(3), &expected);
        let expected = Problem::new("WRONG", Exit::ArgError, "11 is not \"even\", 11");
        assert_problem(wrong(11), &expected.suggestion("take a smaller one"));
    }

    #[test]
    fn a_wait_does_not_make_it_retryable_against_the_author() {
        let expected = Problem::new("SILENT", Exit::Timeout, "no answer");
        let expected = expected.wait(Duration::from_secs(300)).retryable(false);
        assert_problem(NoteError::Silent, &expected);
    }

    #[test]
    fn every_variant_is_declared_in_order() {
        let of = |code, exit, meaning, retryable, suggestion| Declared {
            code,
            exit,
            meaning,
            retryable,
            suggestion,
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
        Told { after: Duration },
        #[failure(exit = RateLimited, message = "wait", wait = *_0, retryable = true)]
        Perhaps(Option<Duration>),
    }

    #[test]
    fn a_wait_is_a_literal_or_an_expression() {
        let problem = |code| Problem::new(code, Exit::RateLimited, "wait");
        assert_problem(Waiting::Always, &problem("ALWAYS").wait(Duration::from_millis(500)));
        let after = Duration::from_secs(2);
        assert_problem(Waiting::Told { after }, &problem("TOLD").wait(after));
        assert_problem(Waiting::Perhaps(None), &problem("PERHAPS").retryable(true));
        assert_problem(Waiting::Perhaps(Some(after)), &problem("PERHAPS").wait(after));
        let retryable: Vec<_> = declared::<Waiting>().iter().map(|it| it.retryable).collect();
        assert_eq!(retryable, [Some(true), None, Some(true)]);
    }

    #[derive(Debug, Failure)]
    enum Spoken {
        #[failure(exit = General, message = if *loud { "NO" } else { "no" })]
        No { loud: bool },
        /// Yes.
        #[failure(exit = General, message = _0)]
        Yes(String),
    }

    #[test]
    fn a_message_may_be_an_expression() {
        assert_eq!(Spoken::No { loud: true }.to_string(), "NO");
        let yes = Spoken::Yes("oui".to_owned());
        assert_problem(yes, &Problem::new("YES", Exit::General, "oui"));
        let meanings: Vec<&str> = declared::<Spoken>().iter().map(|it| it.meaning).collect();
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
        let expected = Problem::new("ODD", Exit::Precondition, "  1.00|f64").details(&2);
        assert_problem(odd, &expected);
        assert_eq!(declared::<Odd>()[0].meaning, "{value:width$.places$}|{type}");
    }

    /// Fields that have the names of what stands around the expressions.
    #[derive(Debug, Failure)]
    #[failure(
        exit = General,
        message = format!("{formatter}{f}{list}{error}"),
        detail = format!("{}{}", self_, problem.message),
        data = problem
    )]
    struct Names {
        formatter: u8,
        f: u8,
        list: u8,
        error: u8,
        self_: u8,
        problem: Done,
    }

    #[test]
    fn fields_hide_nothing() {
        let problem = Done::new("done");
        let names = Names { formatter: 1, f: 2, list: 3, error: 4, self_: 5, problem };
        assert_eq!(names.to_string(), "1234");
        let expected = Problem::new("NAMES", Exit::General, "1234").detail("5done");
        assert_problem(names, &expected.data(Done::new("done")));
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
            cause: Option<Box<dyn Error + Send + Sync>>,
        },
        #[failure(exit = General, message = "nothing")]
        Nothing,
    }

    fn disk() -> io::Error {
        io::Error::other("disk full")
    }

    #[test]
    fn what_the_source_says_is_the_detail_once() {
        let problem =
            |code: &str, message: &str| Problem::new(code, Exit::General, message.to_owned());
        let read = Caused::from(disk());
        assert_problem(read, &problem("READ", "cannot read").detail("disk full"));
        let write = Caused::Write { source: disk() };
        assert_problem(write, &problem("WRITE", "cannot write: disk full"));
        let copy = Caused::Copy(disk());
        assert_problem(copy, &problem("COPY", "cannot copy: disk full"));
        let moved = Caused::Move(disk());
        assert_problem(moved, &problem("MOVE", "cannot move").detail("as said"));
        let link = |cause| Caused::Link { to: "b", cause };
        assert_problem(link(None), &problem("LINK", "cannot link to b"));
        let expected = problem("LINK", "cannot link to b").detail("loop");
        assert_problem(link(Some("loop".into())), &expected);
    }

    #[test]
    fn the_source_is_that_of_the_error() {
        let source = |error: &dyn Error| error.source().map(ToString::to_string);
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
        Any(Box<dyn Error + Send + Sync>),
    }

    #[test]
    fn a_transparent_variant_is_its_field() {
        let outer = Outer::from(Caused::Move(disk()));
        assert_eq!(outer.to_string(), "cannot move");
        assert_eq!(outer.source().map(ToString::to_string).as_deref(), Some("disk full"));
        assert_problem(outer, &Caused::Move(disk()).problem());

        let odd = || Odd { value: 1.0, width: 0, places: 0, r#type: "x" };
        assert_problem(Outer::Odd { odd: odd() }, &odd().problem());

        let any: Box<dyn Error + Send + Sync> = Box::new(Caused::Move(disk()));
        assert_eq!(any.source().map(ToString::to_string).as_deref(), Some("disk full"));
        let any = Outer::Any(any);
        assert_eq!(any.source().map(ToString::to_string).as_deref(), Some("disk full"));
        let expected = Problem::new("GENERAL_ERROR", Exit::General, "cannot move");
        assert_problem(any, &expected.detail("disk full"));
    }

    #[test]
    fn a_transparent_variant_declares_what_its_field_does() {
        let codes: Vec<&str> = declared::<Outer>().iter().map(|it| it.code).collect();
        let expected =
            ["FIRST", "READ", "WRITE", "COPY", "MOVE", "LINK", "NOTHING", "ODD", "GENERAL_ERROR"];
        assert_eq!(codes, expected);
        assert_problem(Outer::First, &Problem::new("FIRST", Exit::General, "first"));
    }

    #[derive(Debug, Serialize, JsonSchema, Reply)]
    struct Report {
        done: u8,
        #[serde(skip)]
        _held: Rc<()>,
    }

    #[derive(Debug, Failure)]
    enum Partial {
        #[failure(
            exit = PartialFailure,
            message = format!("{} of {all}", report.done),
            details = report,
            data = report
        )]
        Some { all: u8, report: Report },
        #[failure(exit = PartialFailure, message = "{1}", data = 0)]
        Plain(Report, &'static str),
        #[failure(exit = PartialFailure, message = "all", data = _0)]
        All(Report),
    }

    #[test]
    fn data_is_moved_after_it_was_read() {
        let held = Rc::new(());
        let report = || Report { done: 2, _held: Rc::clone(&held) };
        let check = |failure: Partial| {
            let problem = failure.problem();
            assert_eq!(Rc::strong_count(&held), 2, "the problem holds the reply");
            drop(problem);
            assert_eq!(Rc::strong_count(&held), 1);
        };
        check(Partial::Some { all: 3, report: report() });
        check(Partial::Plain(report(), "x"));
        check(Partial::All(report()));
        let expected = Problem::new("SOME", Exit::PartialFailure, "2 of 3");
        let expected = expected.details(&report()).data(report());
        assert_problem(Partial::Some { all: 3, report: report() }, &expected);
    }

    #[derive(Debug, Failure)]
    #[failure(exit = NotFound, message = "no {name}", missing = name.asked())]
    struct Missing {
        name: Name,
    }

    #[derive(Debug)]
    struct Name(Rc<()>);

    impl Name {
        /// Leaves a trace, because a problem shows nobody the name that it holds.
        fn asked(&self) -> String {
            std::mem::forget(Rc::clone(&self.0));
            self.to_string()
        }
    }

    impl Display for Name {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("milk")
        }
    }

    #[test]
    fn the_missing_entity_is_named() {
        let trace = Rc::new(());
        let missing = Missing { name: Name(Rc::clone(&trace)) };
        let expected = Problem::new("MISSING", Exit::NotFound, "no milk").missing("milk");
        assert_problem(missing, &expected);
        assert_eq!(Rc::strong_count(&trace), 2);
    }

    #[derive(Debug, Failure)]
    enum Generic<'a, T: Display, const N: usize>
    where
        T: Serialize,
    {
        #[failure(exit = Conflict, message = "{value} of {list:?}", details = value)]
        Value { value: T, list: [&'a str; N] },
        #[failure(transparent)]
        #[expect(dead_code, reason = "there is nothing to make it of")]
        Other(std::convert::Infallible),
    }

    #[test]
    fn types_with_parameters() {
        let generic = || Generic::Value { value: 5, list: ["a", "b"] };
        assert_eq!(generic().to_string(), "5 of [\"a\", \"b\"]");
        let expected = Problem::new("VALUE", Exit::Conflict, "5 of [\"a\", \"b\"]").details(&5);
        assert_problem(generic(), &expected);
        assert_eq!(declared::<Generic<'_, u8, 0>>().len(), 1);
        let error: &dyn Error = &generic();
        assert!(error.source().is_none());
    }

    #[derive(Debug, Failure)]
    enum Wrapped<E: Error + 'static> {
        #[failure(exit = Unavailable, message = "the service failed")]
        Service(#[source] E),
    }

    #[test]
    fn a_source_with_a_parameter() {
        let wrapped = Wrapped::Service(disk());
        assert!(wrapped.source().is_some());
        let expected = Problem::new("SERVICE", Exit::Unavailable, "the service failed");
        assert_problem(wrapped, &expected.detail("disk full"));
    }

    #[derive(Failure)]
    #[failure(no_error)]
    enum ByHand {
        #[failure(exit = General, message = "short")]
        Io(#[from] io::Error),
    }

    impl Display for ByHand {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("long")
        }
    }

    #[test]
    fn display_may_be_written_by_hand() {
        let error = ByHand::from(disk());
        assert_eq!(error.to_string(), "long");
        assert_problem(error, &Problem::new("IO", Exit::General, "short").detail("disk full"));
    }

    #[derive(Debug, Failure)]
    enum Nothing {}

    #[test]
    fn an_empty_enum_declares_nothing() {
        assert!(declared::<Nothing>().is_empty());
    }

    #[derive(Debug, Failure)]
    #[failure(exit = General, message = "guarded {0}")]
    struct Guarded(Rc<str>);

    impl Drop for Guarded {
        fn drop(&mut self) {}
    }

    #[test]
    fn a_type_that_cleans_up_is_not_taken_apart() {
        let guarded = Guarded("x".into());
        assert_problem(guarded, &Problem::new("GUARDED", Exit::General, "guarded x"));
    }

    macro_rules! errors {
        ($(
            $name:ident($class:ident, $code:literal, $message:literal, $field:ident, $hint:expr);
        )*) => {
            #[derive(Debug, Failure)]
            enum Made {
                $(
                    #[failure(exit = $class, code = $code, message = $message, suggestion = $hint)]
                    $name { $field: u8 },
                )*
                #[failure(exit = General, message = "rest {0}", suggestion = format!("{_0}"))]
                Rest(u8),
            }
        };
    }

    errors! {
        First(NotFound, "ONE", "first {id}", id, "look");
        Second(Conflict, "TWO", "second {number}", number, format!("not {number}"));
    }

    #[test]
    fn a_macro_may_write_the_type() {
        let expected = Problem::new("ONE", Exit::NotFound, "first 1").suggestion("look");
        assert_problem(Made::First { id: 1 }, &expected);
        let expected = Problem::new("TWO", Exit::Conflict, "second 2").suggestion("not 2");
        assert_problem(Made::Second { number: 2 }, &expected);
        let expected = Problem::new("REST", Exit::General, "rest 3").suggestion("3");
        assert_problem(Made::Rest(3), &expected);
    }

    mod elsewhere {
        //! A crate that re-exports the other one, and a module in which common names mean
        //! something else.

        pub(super) mod kit {
            pub(in super::super) use manila_clap::*;
        }

        #[expect(dead_code, reason = "they are in the way, which is all that they are for")]
        mod shadows {
            pub(super) struct Option;
            pub(super) struct String;
            pub(super) struct Vec;
            pub(super) struct Exit;
            pub(super) struct Some;
        }

        #[expect(unused_imports, reason = "the derives name nothing that could be hidden")]
        use shadows::{Exit, Option, Some, String, Vec};

        #[derive(Debug, kit::Failure)]
        #[failure(crate = kit)]
        pub(super) enum Hidden {
            #[failure(exit = General, message = "io", suggestion = "{0}", wait = "1s")]
            Io(#[from] std::io::Error),
            #[failure(exit = General, message = "none")]
            Empty,
        }

        #[derive(serde::Serialize, schemars::JsonSchema, kit::Reply)]
        #[reply(crate = kit)]
        pub(super) struct Hello(pub(super) u8);

        #[derive(kit::Reply)]
        #[reply(crate = kit)]
        pub(super) enum Either {
            Hello(Hello),
        }
    }

    #[test]
    fn the_code_depends_on_no_names() {
        assert_eq!(elsewhere::Hidden::from(disk()).to_string(), "io");
        assert_eq!(elsewhere::Hidden::Empty.to_string(), "none");
        assert_eq!(elsewhere::Either::Hello(elsewhere::Hello(1)).kind(), "hello");
    }
}

mod reply {
    use super::*;

    #[derive(Serialize, JsonSchema, Reply)]
    struct TodoItem {
        id: u8,
        title: &'static str,
    }

    #[derive(Serialize, JsonSchema, Reply)]
    #[reply(kind = "task", show = Self::show_it, legacy = before)]
    struct Task {
        id: u8,
    }

    impl Task {
        fn show_it(&self, screen: &mut Screen) {
            screen.line(self.id);
        }
    }

    fn before(task: &Task) -> impl Serialize {
        [task.id]
    }

    #[test]
    fn the_kind_is_named_after_the_type() {
        let item = TodoItem { id: 1, title: "milk" };
        assert_eq!(item.kind(), "todo_item");
        assert_eq!(kinds::<TodoItem>()[0].name, "todo_item");
        assert_eq!(Task { id: 1 }.kind(), "task");
        assert_eq!(kinds::<Task>()[0].name, "task");
    }

    #[test]
    fn the_payload_is_the_value() {
        let item = TodoItem { id: 1, title: "milk" };
        let text = r#"{"id":1,"title":"milk"}"#;
        assert_eq!(data(&item, Shape::Current), text);
        assert_eq!(data(&item, Shape::Legacy), text);
        assert!(item.page().is_none());
    }

    #[test]
    fn the_older_payload_is_what_the_function_makes() {
        assert_eq!(data(&Task { id: 1 }, Shape::Current), r#"{"id":1}"#);
        assert_eq!(data(&Task { id: 1 }, Shape::Legacy), "[1]");
    }

    #[test]
    fn the_schema_is_that_of_the_type() {
        let mut generator = schemars::SchemaGenerator::default();
        let kind = kinds::<Task>()[0];
        let schema = (kind.schema)(&mut generator);
        let expected = generator.subschema_for::<Task>();
        assert_eq!(schema, expected);
    }

    #[derive(Serialize, JsonSchema, Reply)]
    #[reply(page)]
    struct Tasks(Page<Task>);

    #[derive(Serialize, JsonSchema, Reply)]
    #[reply(page = tasks, kind = "found")]
    struct Found<T: Serialize + JsonSchema> {
        query: String,
        tasks: Page<T>,
    }

    #[test]
    fn a_page_is_a_field() {
        let tasks = Tasks(Page::from_service(vec![Task { id: 1 }], None, None));
        assert_eq!(tasks.page().map(Paged::returned), Some(1));
        assert_eq!(data(&tasks, Shape::Current), r#"[{"id":1}]"#);
        let found = Found {
            query: "m".to_owned(),
            tasks: Page::from_service(vec![1, 2, 3], Some(9), None),
        };
        assert_eq!(found.page().map(Paged::returned), Some(3));
        assert_eq!(found.page().and_then(Paged::total), Some(9));
        assert_eq!(kinds::<Found<u8>>()[0].name, "found");
    }

    #[derive(Reply)]
    enum Answer<T: Reply> {
        Task(Task),
        Tasks(Tasks),
        Other(T),
    }

    #[test]
    fn an_enum_is_what_it_holds() {
        let task = Answer::<Done>::Task(Task { id: 1 });
        assert_eq!(task.kind(), "task");
        assert_eq!(data(&task, Shape::Current), r#"{"id":1}"#);
        assert_eq!(data(&task, Shape::Legacy), "[1]");
        assert!(task.page().is_none());
        let tasks = Answer::<Done>::Tasks(Tasks(Page::from_service(Vec::new(), None, None)));
        assert_eq!(tasks.page().map(Paged::returned), Some(0));
        assert_eq!(Answer::Other(Done::new("gone")).kind(), "message");
        let names: Vec<&str> = kinds::<Answer<Done>>().iter().map(|kind| kind.name).collect();
        assert_eq!(names, ["task", "tasks", "message"]);
    }

    #[derive(Reply)]
    enum Nothing {}

    #[test]
    fn an_enum_may_be_empty() {
        assert!(kinds::<Nothing>().is_empty());
    }
}
