//! Failures and replies that declare one thing and say another.

use super::*;

/// A failure that declares one thing and says another.
struct Lie {
    says: (&'static str, Exit),
}

impl Failure for Lie {
    fn into_error(self) -> Error {
        let (code, exit) = self.says;
        Error::new(code, exit, "a lie")
    }

    fn declared(list: &mut Vec<Declared>) {
        let declare = |code, exit| Declared::new(code, exit, "something");
        list.push(declare("DECLARED", Exit::NotFound));
        list.push(declare("ELSEWHERE", Exit::Redirected));
    }
}

fn lie(dialect: &'static dyn DialectWriter, code: &'static str, exit: Exit) -> Called {
    bare(dialect, || Err::<Note, _>(Lie { says: (code, exit) }))
}

#[test]
fn a_code_that_is_not_declared_is_named_in_every_dialect() {
    for dialect in spoken() {
        lie(dialect, "DECLARED", Exit::NotFound).assert_contract();
        let called = lie(dialect, "SURPRISE", Exit::NotFound);
        assert_eq!(broken(&called), ["code-declared"], "{dialect:?}");
        assert!(called.violations()[0].to_string().contains("`SURPRISE`"));
    }
}

#[test]
fn a_code_with_another_class_than_declared_is_named_in_every_dialect() {
    for dialect in spoken() {
        let called = lie(dialect, "DECLARED", Exit::Conflict);
        assert_eq!(broken(&called), ["class-of-code"], "{dialect:?}");
        let message = called.violations()[0].to_string();
        assert!(message.contains("NOT_FOUND") && message.contains("CONFLICT"), "{message}");
    }
}

#[test]
fn a_failure_cannot_be_a_success() {
    let called = lie(dialects::TD_1, "DECLARED", Exit::Success);
    assert_eq!(broken(&called), ["class-of-code"]);
}

#[test]
fn a_redirect_that_leads_nowhere_is_named() {
    let called = lie(dialects::RESPONSE_ENVELOPE_1_6, "ELSEWHERE", Exit::Redirected);
    assert_eq!(broken(&called), ["redirect-command"]);
}

/// A reply that declares one thing and says another.
struct Tale {
    kind: &'static str,
    data: serde_json::Value,
}

impl Reply for Tale {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn data(&self, _: Shape) -> Result<manila::json::Raw, manila::json::SerializeError> {
        manila::json::Raw::from_serialize(&self.data)
    }

    fn show(&self, screen: &mut Screen) {
        screen.line(self.kind);
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::new::<Note>("note"));
        list.push(Kind::new::<Option<f64>>("number"));
    }
}

fn tale(
    dialect: &'static dyn DialectWriter,
    kind: &'static str,
    data: serde_json::Value,
) -> Called {
    bare(dialect, || Ok::<_, NoteError>(Tale { kind, data }))
}

#[test]
fn data_that_contradict_their_schema_are_named_with_their_place_in_every_dialect() {
    for dialect in spoken() {
        let data = serde_json::json!({ "id": 1, "text": ["not", "text"], "score": 1.0 });
        let called = tale(dialect, "note", data);
        assert_eq!(broken(&called), ["data-schema"], "{dialect:?}");
        assert_eq!(called.violations()[0].place(), "data/text");
        // Whatever a dialect does to a payload that is not an object is not the program's fault.
        tale(dialect, "number", 1.5.into()).assert_contract();
        tale(dialect, "number", serde_json::Value::Null).assert_contract();
        assert_eq!(broken(&tale(dialect, "number", "one".into())), ["data-schema"], "{dialect:?}");
        assert_eq!(broken(&tale(dialect, "note", 1.into()))[0], "data-schema", "{dialect:?}");
    }
}

#[test]
fn a_number_that_is_none_is_named_in_every_dialect() {
    for dialect in spoken() {
        for score in [f64::NAN, f64::INFINITY] {
            let called = bare(dialect, || Ok::<_, NoteError>(Note { score, ..note(1) }));
            assert_eq!(broken(&called), ["data-schema"], "{dialect:?}");
            assert_eq!(called.violations()[0].place(), "data/score");
        }
    }
}

#[test]
fn a_kind_that_is_not_declared_is_named_in_every_dialect() {
    for dialect in spoken() {
        let called = tale(dialect, "surprise", serde_json::json!({}));
        assert_eq!(broken(&called), ["kind-declared"], "{dialect:?}");
    }
}

#[test]
fn a_command_keeps_to_what_it_lists() {
    let with = |spec: fn() -> Spec| {
        App::new(dialects::TD_1)
            .all_flags()
            .piped(Mode::Json)
            .unified_errors()
            .command("show", spec())
    };
    let strict = with(|| Spec::new().fails(&["FORBIDDEN"]).reply::<Notes>());
    let called = strict.call(["show", "1"], work);
    assert_eq!(broken(&called), ["kind-of-command"]);
    let strict = with(|| Spec::new().fails(&["FORBIDDEN"]).reply::<Notes>());
    let called = strict.call(["show", "0"], work);
    assert_eq!(broken(&called), ["code-of-command"]);
    assert!(called.violations()[0].to_string().contains("`show` does not list `NO_SUCH_NOTE`"));
    for fine in [&["show", "--help"][..], &["show", "x"], &["show", "1", "--what"]] {
        let strict = with(|| Spec::new().fails(&["FORBIDDEN"]).reply::<Notes>());
        strict.call(fine, work).assert_contract();
    }
}

#[test]
fn what_has_no_json_form_is_reported_as_that_in_every_dialect() {
    struct Formless;

    impl Reply for Formless {
        fn kind(&self) -> &'static str {
            "note"
        }

        fn data(&self, _: Shape) -> Result<manila::json::Raw, manila::json::SerializeError> {
            let no_keys = std::collections::BTreeMap::from([(vec![1], 2)]);
            manila::json::Raw::from_serialize(&no_keys)
        }

        fn show(&self, _: &mut Screen) {}

        fn kinds(list: &mut Vec<Kind>) {
            list.push(Kind::new::<Note>("note"));
        }
    }

    for dialect in spoken() {
        let called = bare(dialect, || Ok::<_, NoteError>(Formless));
        called.assert_contract();
        assert_ne!(called.status, 0);
    }
}

#[test]
fn a_command_without_json_form_is_read_as_text() {
    let app = || app(dialects::TD_1).command("list", Spec::new().text_only());
    let called = app().call(["list", "--json"], work);
    assert!(called.assert_contract().stdout.starts_with(b"note_list"));
}

#[test]
fn surroundings_are_what_they_are_said_to_be() {
    let app = || app(dialects::TD_1);
    let help = app().call_in(Surroundings::watched(), ["--help"], work);
    assert!(help.assert_contract().stdout.contains(&0x1b), "coloured");
    let plain = Surroundings::default().variable("NOTE_OUTPUT", "plain");
    let plain = app().call_in(plain, ["show", "1"], work);
    assert_eq!(plain.assert_contract().stdout, b"note\n");
}
