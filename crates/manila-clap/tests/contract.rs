//! Test mode on itself: programs that keep the contract pass in every dialect, and of each lie
//! exactly the one that was told is named.
#![cfg(feature = "testing")]
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

use clap::{Parser, Subcommand};
use manila::{DIALECTS, Spoken, dialects};
use manila_clap::testing::{Called, Program, Surroundings};
use manila_clap::{
    App, Call, Danger, Declared, Exit, Failure, Kind, Mode, Page, PageArgs, Paged, Problem, Reply,
    Screen, Shape, Spec, Streamed,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Mutex;

/// Keeps notes
#[derive(Parser)]
#[command(name = "note", version = "1.2.3")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show a note
    Show { id: u32 },
    /// List the notes
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Follow the notes as they come
    Follow { count: u32 },
    /// Remove a note
    Remove { id: u32 },
    /// Do as an API of the machine does: fail
    Sync { how: String },
}

#[derive(Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
struct Note {
    id: u32,
    text: String,
    /// How good it is
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
}

fn note(id: u32) -> Note {
    Note { id, text: format!("note {id} — “ünïcödé”"), score: 0.5, author: None }
}

/// The reply of a type that serialises, by hand.
macro_rules! reply {
    ($type:ty, $kind:literal, $($page:tt)*) => {
        impl Reply for $type {
            fn kind(&self) -> &'static str {
                $kind
            }

            fn data(&self, _: Shape) -> serde_json::Result<manila::json::Raw> {
                manila::json::Raw::of(self)
            }

            fn show(&self, screen: &mut Screen) {
                screen.line($kind);
            }

            $($page)*

            fn kinds(list: &mut Vec<Kind>) {
                list.push(Kind::of::<$type>($kind));
            }
        }
    };
}

reply!(Note, "note",);

#[derive(Serialize, JsonSchema)]
struct Notes(Page<Note>);

reply!(
    Notes,
    "note_list",
    fn page(&self) -> Option<&dyn Paged> {
        Some(&self.0)
    }
);

#[derive(Serialize, JsonSchema)]
struct Followed(Streamed<Note>);

reply!(Followed, "followed",);

#[derive(Reply)]
enum Answer {
    One(Note),
    Many(Notes),
    Followed(Followed),
}

#[derive(Debug, Failure)]
enum Trouble {
    /// there is no note {id}
    #[failure(exit = NotFound, suggestion = "see `note list`", missing = id.to_string())]
    NoSuchNote { id: u32 },
    /// the other side says no
    #[failure(exit = PermissionDenied)]
    Forbidden,
    /// the other side is not there
    #[failure(exit = Unavailable, wait = "30s")]
    Away,
}

#[expect(clippy::panic, reason = "one of its commands has a bug")]
fn work(cli: Cli, call: &Call) -> Result<Answer, Trouble> {
    match cli.command {
        Command::Show { id: 0 } | Command::Remove { id: 0 } => Err(Trouble::NoSuchNote { id: 0 }),
        Command::Show { id } | Command::Remove { id } => Ok(Answer::One(note(id))),
        Command::List { page } => Ok(Answer::Many(Notes(page.of((1..=45).map(note).collect())))),
        Command::Follow { count } => {
            let mut stream = call.stream();
            for id in 1..=count {
                call.progress(u64::from(id), Some(u64::from(count)), "reading");
                stream.item(note(id));
            }
            if count == 3 {
                return Err(Trouble::Away);
            }
            Ok(Answer::Followed(Followed(stream.finish())))
        }
        Command::Sync { how } if how == "forbidden" => Err(Trouble::Forbidden),
        Command::Sync { how } if how == "panic" => panic!("a bug"),
        Command::Sync { .. } => Err(Trouble::Away),
    }
}

fn app(dialect: &'static dyn Spoken) -> App<Cli> {
    App::new(dialect)
        .command("show", Spec::new().reply::<Note>().fails(&["NO_SUCH_NOTE"]))
        .command("remove", Spec::new().danger(Danger::Destructive))
        .moved("print", "show")
}

fn spoken() -> impl Iterator<Item = &'static dyn Spoken> {
    DIALECTS.iter().map(|dialect| *dialect as &'static dyn Spoken)
}

/// The names of the checks that a call does not pass.
fn broken(called: &Called) -> Vec<&'static str> {
    called.violations().iter().map(manila_clap::testing::Violation::check).collect()
}

const CALLS: &[(&str, bool)] = &[
    ("show 1", true),
    ("show 0", false),
    ("show", false),
    ("show one", false),
    ("shw 1", false),
    ("shwo", false),
    ("print 1", false),
    ("unheard-of", false),
    ("show 1 --what --ever", false),
    ("", true),
    ("--help", true),
    ("show --help", true),
    ("help show", true),
    ("--version", true),
    ("list", true),
    ("list --limit 3 --cursor at-44", true),
    ("list --cursor nonsense", false),
    ("show 1 --max-bytes many", false),
    ("show 1 --output nonsense", false),
    ("show 1 --timeout", false),
    ("show 1 --timeout 30s", true),
    ("show 1 --etag unknown", true),
    ("show 1 --validate-only", true),
    ("show one --validate-only", false),
    ("remove 1", false),
    ("remove 1 --yes", true),
    ("remove 0 --yes", false),
    ("sync forbidden", false),
    ("sync away", false),
    ("sync panic", false),
    ("follow 0", true),
    ("follow 2", true),
    ("follow 3", false),
];

#[test]
fn good_programs_keep_the_contract_in_every_dialect_and_mode() {
    for dialect in spoken() {
        for mode in ["json", "jsonl", "plain", "rich"] {
            for (words, ok) in CALLS {
                let words = ["--output", mode].into_iter().chain(words.split_whitespace());
                let called = app(dialect).call(words, work);
                called.assert_contract();
                assert_eq!(called.status == 0, *ok, "{called:?}");
            }
        }
    }
}

#[test]
fn json_beats_plain_in_any_order_and_plain_beats_the_rest() {
    let mode = |line: &str| {
        let called = app(dialects::TD_1).call(line.split(' '), work);
        if called.stdout.starts_with(b"{") { "json" } else { "text" }
    };
    let json = ["show 7 --json --plain", "--plain show 7 --json", "--output rich show 7 --json"];
    for line in
        json.into_iter().chain(["show 7 --output json --plain", "--json show 7 --output plain"])
    {
        assert_eq!(mode(line), "json", "{line}");
    }
    for line in ["show 7 --plain", "--output rich show 7 --plain"] {
        assert_eq!(mode(line), "text", "{line}");
    }
}

#[test]
fn data_come_back_as_they_were_in_every_dialect() {
    for dialect in spoken() {
        assert_eq!(app(dialect).call(["show", "7"], work).data::<Note>(), note(7));
        let notes: Vec<Note> = app(dialect).call(["list", "--limit", "2"], work).data();
        assert_eq!(notes, [note(1), note(2)]);
    }
}

/// A program without commands, whose handler says anything.
fn bare<R: Reply + 'static, F: Failure>(
    dialect: &'static dyn Spoken,
    answer: impl FnOnce() -> Result<R, F>,
) -> Called {
    App::of(clap::Command::new("bare"), dialect).call(["--json"], |_, _| answer())
}

/// A failure that declares one thing and says another.
struct Lie {
    says: (&'static str, Exit),
}

impl Failure for Lie {
    fn problem(self) -> Problem {
        let (code, exit) = self.says;
        Problem::new(code, exit, "a lie")
    }

    fn declared(list: &mut Vec<Declared>) {
        let declare = |code, exit| Declared {
            code,
            exit,
            meaning: "something",
            retryable: None,
            suggestion: None,
        };
        list.push(declare("DECLARED", Exit::NotFound));
        list.push(declare("ELSEWHERE", Exit::Redirected));
    }
}

fn lie(dialect: &'static dyn Spoken, code: &'static str, exit: Exit) -> Called {
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
    assert_eq!(broken(&called), ["status-of-class", "class-of-code"]);
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

    fn data(&self, _: Shape) -> serde_json::Result<manila::json::Raw> {
        manila::json::Raw::of(&self.data)
    }

    fn show(&self, screen: &mut Screen) {
        screen.line(self.kind);
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::of::<Note>("note"));
        list.push(Kind::of::<Option<f64>>("number"));
    }
}

fn tale(dialect: &'static dyn Spoken, kind: &'static str, data: serde_json::Value) -> Called {
    bare(dialect, || Ok::<_, Trouble>(Tale { kind, data }))
}

#[test]
fn data_that_contradict_their_schema_are_named_with_their_place_in_every_dialect() {
    for dialect in spoken() {
        let data = serde_json::json!({ "id": 1, "text": ["not", "text"], "score": 1.0 });
        let called = tale(dialect, "note", data);
        assert_eq!(broken(&called), ["data-schema"], "{dialect:?}");
        assert_eq!(called.violations()[0].place(), "data/text");
        // Whatever a dialect does to a payload that is no object is not the program's fault.
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
            let called = bare(dialect, || Ok::<_, Trouble>(Note { score, ..note(1) }));
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
    let with = |spec: fn() -> Spec| App::new(dialects::TD_1).command("show", spec());
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
fn what_has_no_json_form_is_told_as_that_in_every_dialect() {
    struct Formless;

    impl Reply for Formless {
        fn kind(&self) -> &'static str {
            "note"
        }

        fn data(&self, _: Shape) -> serde_json::Result<manila::json::Raw> {
            let no_keys = std::collections::BTreeMap::from([(vec![1], 2)]);
            manila::json::Raw::of(&no_keys)
        }

        fn show(&self, _: &mut Screen) {}

        fn kinds(list: &mut Vec<Kind>) {
            list.push(Kind::of::<Note>("note"));
        }
    }

    for dialect in spoken() {
        let called = bare(dialect, || Ok::<_, Trouble>(Formless));
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

/// A good answer, spoiled, and what is broken then.
fn spoiled(words: &str, dialect: &'static dyn Spoken, spoil: fn(&mut Called)) -> Vec<&'static str> {
    let mut called = app(dialect).call(words.split(' '), work);
    called.assert_contract();
    spoil(&mut called);
    broken(&called)
}

fn replace(stream: &mut Vec<u8>, from: &str, to: &str) {
    let text = String::from_utf8(std::mem::take(stream)).expect("UTF-8");
    assert!(text.contains(from), "{text}");
    *stream = text.replacen(from, to, 1).into_bytes();
}

fn put_before(stream: &mut Vec<u8>, bytes: &[u8]) {
    stream.splice(0..0, bytes.iter().copied());
}

#[test]
fn of_a_spoiled_answer_the_fault_is_named() {
    let td = |spoil| spoiled("show 1", dialects::TD_1, spoil);
    let one = ["one-document"];
    assert_eq!(td(|it| it.stdout.clear()), one);
    assert_eq!(td(|it| put_before(&mut it.stdout, b"Loading\n")), one);
    assert_eq!(td(|it| it.stdout.extend(b"done\n")), one);
    assert_eq!(td(|it| put_before(&mut it.stdout, b"{\"level\":\"info\"}\n")), one);
    assert_eq!(td(|it| put_before(&mut it.stdout, "\u{feff}".as_bytes())), one);
    assert_eq!(td(|it| it.stdout.truncate(it.stdout.len() / 2)), one);
    assert_eq!(td(|it| it.stderr.extend(b"a log is no fault\n")), [""; 0]);
    assert_eq!(td(|it| it.stderr.extend(b"\x1b[31ma log\n")), ["no-escape"]);
    assert_eq!(td(|it| put_before(&mut it.stdout, b"\x1b[2m")), ["one-document", "no-escape"]);
    assert_eq!(td(|it| std::mem::swap(&mut it.stdout, &mut it.stderr)), ["stream"]);
    assert_eq!(td(|it| it.status = 9), ["ok-is-status", "status-of-class"]);
    let named = |it: &mut Called| replace(&mut it.stdout, "\"id\": 1", "\"id\": 1, \"id\": 1");
    assert_eq!(td(named), ["plain-json"]);
    let large = |it: &mut Called| replace(&mut it.stdout, "note 1", "note \\u001b[0m");
    assert_eq!(td(large), ["plain-json"]);

    let failed = |spoil| spoiled("show 0", dialects::TD_1, spoil);
    assert_eq!(failed(|it| it.stdout.extend(b"oh\n")), one);
    assert_eq!(failed(|it| it.stderr.extend(b"a log\n")), one);
    assert_eq!(failed(|it| it.status = 0), ["ok-is-status"]);
    let silent = |it: &mut Called| replace(&mut it.stderr, "see `note list`", "");
    assert_eq!(failed(silent), [""; 0]);

    let first = |words, spoil| spoiled(words, dialects::RESPONSE_ENVELOPE_1_0, spoil);
    let nothing = |it: &mut Called| {
        it.stdout = br#"{"ok":true,"data":null,"error":null,"warnings":[],"meta":{"duration_ms":1,"schema_version":"1.0"}}"#.to_vec();
    };
    assert_eq!(first("show 1", nothing), ["envelope-schema", "something-said"]);
    let newer = |it: &mut Called| replace(&mut it.stdout, "\"1.0\"", "\"1.6\"");
    assert_eq!(first("show 1", newer), ["dialect"]);
    let lost = |it: &mut Called| replace(&mut it.stdout, "\"cursor\":\"at-20\",", "");
    assert_eq!(first("list", lost), ["page-cursor"]);
    let wordless = |it: &mut Called| replace(&mut it.stdout, "\"warnings\":[],", "");
    assert_eq!(first("show 1", wordless), ["dialect", "envelope-schema"]);
}

#[test]
fn of_a_spoiled_stream_the_fault_is_named() {
    const WORDS: &str = "follow 2 --output jsonl";
    let first = |spoil| spoiled(WORDS, dialects::RESPONSE_ENVELOPE_1_0, spoil);
    assert_eq!(first(|it| replace(&mut it.stdout, "\"seq\":3", "\"seq\":7")), ["frames"]);
    assert_eq!(first(|it| replace(&mut it.stdout, "\"frames\":4", "\"frames\":5")), ["frames"]);
    let cut = |it: &mut Called| {
        let end = it.stdout.iter().position(|byte| *byte == b'\n').expect("a line");
        it.stdout.drain(..=end);
    };
    assert_eq!(first(cut), ["frames", "frames"]);
    let late = |it: &mut Called| it.stdout.extend(b"{\"frame\":\"heartbeat\",\"seq\":5}\n");
    assert_eq!(first(late), ["frames", "frames"]);
    assert_eq!(first(|it| put_before(&mut it.stdout, b"Loading\n")), ["one-document"]);
    let lines = |it: &mut Called| replace(&mut it.stdout, "\"error\":", "\n\"error\":");
    assert_eq!(first(lines), ["one-document"]);
    let other = |it: &mut Called| replace(&mut it.stdout, "\"score\":0.5", "\"score\":null");
    assert_eq!(first(other), ["frame-data"]);
    let unanswered = |it: &mut Called| {
        let end = it.stdout.iter().rposition(|byte| *byte == b'{').expect("an envelope");
        it.stdout.truncate(end);
    };
    assert_eq!(first(unanswered)[0], "one-document");
}

#[test]
fn of_a_spoiled_page_the_fault_is_named() {
    let plain = |words, spoil| spoiled(words, dialects::TD_1, spoil);
    let shown = "show 1 --output plain";
    assert_eq!(plain(shown, |it| it.stdout.extend(b"\x1b[1mbold")), ["no-colour"]);
    let failed = "show 0 --output plain";
    assert_eq!(plain(failed, |it| it.stderr.clear()), ["failure-says-why"]);
    let coloured = "show 0 --output rich --color always";
    assert_eq!(plain(coloured, |it| assert!(it.stderr.contains(&0x1b))), [""; 0]);
}

/// What a failed assertion says.
fn panics(assertion: impl FnOnce() -> i32) -> String {
    let asserted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(assertion));
    let words = asserted.expect_err("a failed assertion").downcast::<String>();
    *words.expect("words")
}

#[test]
fn an_assertion_that_fails_lists_everything() {
    let called = bare(dialects::TD_1, || {
        Ok::<_, Trouble>(Note { score: f64::NAN, text: "\u{7}".to_owned(), ..note(1) })
    });
    let message = panics(|| called.assert_contract().status);
    let expected = [
        "`bare --json` (td/1, status 0) breaks its contract",
        "plain-json at stdout bytes",
        "data-schema at data/score: null is not of type \"number\"",
        "\"type\": \"note\"",
    ];
    for words in expected {
        assert!(message.contains(words), "{words} is missing in {message}");
    }
}

#[test]
fn a_program_that_checks_itself_does_not_let_a_lie_out() {
    let check = || Surroundings::default().variable("MANILA_CHECK", "1");
    for dialect in spoken() {
        for mode in ["json", "jsonl"] {
            for (words, ok) in CALLS {
                let words = ["--output", mode].into_iter().chain(words.split_whitespace());
                let called = app(dialect).call_in(check(), words, work);
                assert_eq!(called.assert_contract().status == 0, *ok, "{called:?}");
            }
        }
        let called =
            App::of(clap::Command::new("bare"), dialect).call_in(check(), ["--json"], |_, _| {
                Ok::<_, Trouble>(Note { score: f64::NAN, ..note(1) })
            });
        assert_eq!(broken(&called), ["self-check"], "{dialect:?}");
        assert_ne!(called.status, 0);
        let opened = called.opened();
        let error = opened.envelope.error().expect("a failure");
        assert!(error.message.contains("data-schema at data/score"), "{}", error.message);
    }
}

/// Held by whoever starts programs: a child that was just forked still holds the files that another
/// test writes, and what is being written cannot be started.
static ALONE: Mutex<()> = Mutex::new(());

/// The example of that name, which `cargo test` builds beside the tests.
fn example(name: &str) -> Program {
    let test = std::env::current_exe().expect("this test");
    let folder = test.ancestors().nth(2).expect("the folder of the profile").join("examples");
    let file = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !file.exists() {
        // Of a single test it builds nothing else.
        let arguments = ["build", "--features", "testing", "--example", name];
        let built = std::process::Command::new(env!("CARGO")).args(arguments).status();
        assert!(built.is_ok_and(|status| status.success()), "{name} is built");
    }
    Program::new(file).speaks(dialects::RESPONSE_ENVELOPE_1_0)
}

#[test]
fn the_real_program_keeps_the_contract() {
    let _alone = ALONE.lock();
    let note = example("note");
    let calls = [
        "show 1",
        "show 7",
        "show x --nope",
        "shwo 1",
        "list",
        "list --limit 2",
        "delete 1",
        "delete 1 --yes",
        "rm 1",
        "schema",
        "manifest",
        "--help",
        "--version",
        "show",
        "nothing at all",
    ];
    for words in calls {
        for mode in ["json", "jsonl", "plain", "rich"] {
            note.call(words.split(' ').chain(["--output", mode])).assert_contract();
        }
    }
    assert_eq!(note.call(["show", "3"]).data::<serde_json::Value>()["text"], "sleep");
    assert_eq!(note.call(["show", "7"]).status, 5);
    note.piped(Mode::Plain).variable("NOTE_OUTPUT", "plain").call(["list"]).assert_contract();
}

/// Programs that are none of ours, in the shell.
#[cfg(unix)]
mod foreign {
    use super::*;
    use std::path::PathBuf;

    const SCHEMA: &str = r#"{"ok":true,"type":"schema","data":{"dialect":"td/1",
        "types":[{"name":"note","schema":{"type":"object","required":["id"]}},
                 {"name":"schema","schema":true}],
        "codes":[{"code":"NO_SUCH_NOTE","exit":"NOT_FOUND","status":1}]}}"#;

    fn folder() -> PathBuf {
        PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
    }

    fn program(name: &str, script: &str) -> Program {
        use std::os::unix::fs::PermissionsExt;
        let file = folder().join(name);
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).expect("a script");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).expect("a program");
        Program::new(file)
    }

    /// Keeps what a call left behind, for a program that says it again.
    fn record(name: &str, called: &Called) {
        let write =
            |end, bytes: &[u8]| std::fs::write(folder().join(format!("{name}.{end}")), bytes);
        let written = write("stdout", &called.stdout)
            .and_then(|()| write("stderr", &called.stderr))
            .and_then(|()| write("status", format!("{}\n", called.status).as_bytes()));
        written.expect("a recording");
    }

    #[test]
    fn what_is_known_from_outside_is_enough_in_every_dialect() {
        let _alone = ALONE.lock();
        let script = r#"cd "${0%/*}"
            case "$1" in --schema) it=schema ;; *) it=answer ;; esac
            cat "$it.stdout"; cat "$it.stderr" >&2; read -r status <"$it.status"; exit "$status""#;
        let again = program("again", script);
        for dialect in spoken() {
            record("schema", &app(dialect).schema().call(["--schema", "--json"], work));
            let again = again.clone();
            for (words, _) in CALLS {
                let mode = if words.starts_with("follow") { "jsonl" } else { "json" };
                let words = ["--output", mode].into_iter().chain(words.split_whitespace());
                record("answer", &app(dialect).schema().call(words.clone(), work));
                again.call(words).assert_contract();
            }
        }
    }

    #[test]
    fn a_program_is_held_to_what_it_says_of_itself() {
        let _alone = ALONE.lock();
        let script = format!(
            r#"case "$1" in
            --schema) echo '{SCHEMA}' ;;
            show) echo '{{"ok":true,"type":"note","data":{{"id":1}}}}' ;;
            other) echo '{{"ok":true,"type":"other","data":{{"id":1}}}}' ;;
            empty) echo '{{"ok":true,"type":"note","data":{{}}}}' ;;
            missing) echo '{{"ok":false,"error":{{"code":"NO_SUCH_NOTE","message":"m","suggestion":"s"}}}}' >&2; exit "$2" ;;
            surprise) echo '{{"ok":false,"error":{{"code":"SURPRISE","message":"m","suggestion":"s"}}}}' >&2; exit 1 ;;
            killed) echo '{{"ok":false,"error":{{"code":"NO_SUCH_NOTE","message":"m","suggestion":"s"}}}}' >&2; kill -9 $$ ;;
            variables) echo "{{\"ok\":true,\"type\":\"note\",\"data\":{{\"id\":\"$CARGO$MANILA_CHECK$MORE\"}}}}" ;;
            *) echo plain text; exit 3 ;;
            esac"#
        );
        let note = program("note", &script);
        let broken = |words: &str| broken(&note.call(words.split(' ')));
        assert_eq!(broken("--schema"), [""; 0]);
        assert_eq!(broken("show"), [""; 0]);
        assert_eq!(broken("other"), ["kind-declared"]);
        assert_eq!(broken("empty"), ["data-schema"]);
        assert_eq!(broken("missing 1"), [""; 0]);
        assert_eq!(broken("missing 2"), ["class-of-code"]);
        assert_eq!(broken("surprise"), ["code-declared"]);
        assert_eq!(broken("killed"), ["status-of-class"]);
        assert_eq!(broken("nonsense"), ["one-document"]);
        assert_eq!(broken("nonsense --output plain"), ["failure-says-why"]);
        assert_eq!(note.call(["killed"]).status, 137);
        let seen = note.variable("MORE", "and this").call(["variables"]);
        assert_eq!(seen.data::<serde_json::Value>()["id"], "1and this");
    }

    #[test]
    fn a_program_that_says_nothing_of_itself_needs_a_word_from_its_author() {
        let _alone = ALONE.lock();
        let script = r#"echo '{"schema":"animus.cli.v1","ok":true,"data":1}'"#;
        let quiet = program("quiet", script);
        quiet.clone().speaks(dialects::ANIMUS_1).call([""; 0]).assert_contract();
        let other = quiet.clone().speaks(dialects::TD_1).call([""; 0]);
        assert_eq!(broken(&other), ["dialect"]);
        let message = panics(|| quiet.call([""; 0]).status);
        assert!(message.contains("Program::speaks"), "{message}");
    }
}
