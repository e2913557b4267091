//! `#[derive(Failure)]` on every form of type: with data, parameters, by hand, from a macro.

use super::*;

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
        let error = failure.into_error();
        assert_eq!(Rc::strong_count(&held), 2, "the error holds the reply");
        drop(error);
        assert_eq!(Rc::strong_count(&held), 1);
    };
    check(Partial::Some { all: 3, report: report() });
    check(Partial::Plain(report(), "x"));
    check(Partial::All(report()));
    let expected = Error::new("SOME", Exit::PartialFailure, "2 of 3");
    let expected = expected.details(&report()).data(report());
    assert_error(Partial::Some { all: 3, report: report() }, &expected);
}

#[derive(Debug, Failure)]
#[failure(exit = NotFound, message = "no {name}", missing = name.asked())]
struct Missing {
    name: Name,
}

#[derive(Debug)]
struct Name(Rc<()>);

impl Name {
    /// Leaves a trace, because an error does not show the name that it holds.
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
    let expected = Error::new("MISSING", Exit::NotFound, "no milk").missing("milk");
    assert_error(missing, &expected);
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
    let expected = Error::new("VALUE", Exit::Conflict, "5 of [\"a\", \"b\"]").details(&5);
    assert_error(generic(), &expected);
    assert_eq!(declared::<Generic<'_, u8, 0>>().len(), 1);
    let error: &dyn StdError = &generic();
    assert!(error.source().is_none());
}

#[derive(Debug, Failure)]
enum Wrapped<E: StdError + 'static> {
    #[failure(exit = Unavailable, message = "the service failed")]
    Service(#[source] E),
}

#[test]
fn a_source_with_a_parameter() {
    let wrapped = Wrapped::Service(disk());
    assert!(wrapped.source().is_some());
    let expected = Error::new("SERVICE", Exit::Unavailable, "the service failed");
    assert_error(wrapped, &expected.detail("disk full"));
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
    assert_error(error, &Error::new("IO", Exit::General, "short").detail("disk full"));
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
    assert_error(guarded, &Error::new("GUARDED", Exit::General, "guarded x"));
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
    let expected = Error::new("ONE", Exit::NotFound, "first 1").suggestion("look");
    assert_error(Made::First { id: 1 }, &expected);
    let expected = Error::new("TWO", Exit::Conflict, "second 2").suggestion("not 2");
    assert_error(Made::Second { number: 2 }, &expected);
    let expected = Error::new("REST", Exit::General, "rest 3").suggestion("3");
    assert_error(Made::Rest(3), &expected);
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
