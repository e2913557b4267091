//! Owns: what an author and a caller may rely on in every dialect: how failures are completed, which
//! redirects can be answered, and which limits are offered.
#![cfg(feature = "testing")]
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

use clap::Parser;
use manila::DialectWriter;
use manila::dialects::{self, WRITTEN};
use manila::json::Members;
use manila_clap::testing::{Called, Surroundings};
use manila_clap::{
    App, Call, Declared, Done, Error, Exit, Failure, InputRequired, Issue, Migration, Mode, Page,
    PageArgs, Phase, Reason, Redirect, Reply, Severity, Stage,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

fn every_dialect() -> impl Iterator<Item = &'static dyn DialectWriter> {
    assert_eq!(WRITTEN.len(), 7);
    WRITTEN.iter().map(|dialect| *dialect as &'static dyn DialectWriter)
}

/// The document of a call, on whichever stream it is.
#[track_caller]
fn document(called: &Called) -> Value {
    let stream = if called.stdout.is_empty() { &called.stderr } else { &called.stdout };
    serde_json::from_slice(stream).expect("one document")
}

/// A failure that a test makes by hand.
struct Made(Error);

impl Failure for Made {
    fn into_error(self) -> Error {
        self.0
    }

    fn declared(list: &mut Vec<Declared>) {
        let declared = |code, exit| Declared::new(code, exit, "made by hand");
        list.push(declared("MADE", Exit::ArgError));
        list.push(declared("ELSEWHERE", Exit::Redirected));
        let classes = Exit::ALL.iter().filter(|exit| !exit.is_success());
        list.extend(classes.map(|&exit| declared(exit.name(), exit)));
    }
}

/// A program without commands, whose handler fails.
fn failed(dialect: &'static dyn DialectWriter, mode: &str, error: Error) -> Called {
    let bare = App::from_command(clap::Command::new("bare"), dialect)
        .all_flags()
        .piped(Mode::Json)
        .unified_errors();
    bare.call(["--output", mode], |_, _| Err::<Done, _>(Made(error)))
}

// proves: F-002
#[test]
fn only_a_handler_that_says_so_promises_that_nothing_was_done() {
    for dialect in [dialects::RESPONSE_ENVELOPE_1_0, dialects::RESPONSE_ENVELOPE_1_6] {
        let phase = |called: &Called| document(called)["error"]["phase"].clone();
        let error = || Error::new("MADE", Exit::ArgError, "too late");
        assert_eq!(phase(&failed(dialect, "json", error())), "execution");
        let early = error().phase(Phase::Validation);
        assert_eq!(phase(&failed(dialect, "json", early)), "validation");
        // A handler that asks may have worked before.
        let asking = App::from_command(clap::Command::new("bare"), dialect)
            .all_flags()
            .piped(Mode::Json)
            .unified_errors();
        let asked = asking.call(["--json"], |_, call| call.ask("which?", "--which").map(Done::new));
        assert_eq!((phase(&asked), asked.status), (json!("execution"), 4));
        // Here it did not run.
        for words in ["keep", "list --what", "lst", "list --limit many"] {
            let called = notes(dialect).call(words.split(' '), work);
            assert_eq!(phase(&called), "validation", "{words}");
        }
    }
}

#[test]
fn no_code_and_no_message_is_empty() {
    let blank = || Error::new(" ", Exit::NotFound, "\n");
    let meaning = "The thing that was named does not exist";
    for dialect in every_dialect() {
        let called = failed(dialect, "json", blank());
        called.assert_contract();
        let opened = called.opened();
        let error = opened.envelope.error().expect("an error");
        assert_eq!(error.message, meaning, "{dialect:?}");
        assert!(!error.code.trim().is_empty(), "{dialect:?}");
        let shown = String::from_utf8(failed(dialect, "plain", blank()).stderr).expect("UTF-8");
        assert_eq!(shown, format!("error[NOT_FOUND]: {meaning}\n"), "{dialect:?}");
    }
}

#[test]
fn no_issue_is_without_a_code_and_no_warning_without_words() {
    let bare = App::from_command(clap::Command::new("bare"), dialects::RESPONSE_ENVELOPE_1_0)
        .all_flags()
        .piped(Mode::Json)
        .unified_errors();
    let called = bare.call(["--json"], |_, call: &Call| {
        call.warn("  ");
        call.issue(Issue {
            code: String::new(),
            severity: Severity::Warning,
            message: Some(String::new()),
            path: None,
            link: None,
            extra: Members::default(),
        });
        Ok::<_, InputRequired>(Done::new("done"))
    });
    let document = document(&called);
    assert_eq!(document["warnings"], json!([]));
    assert_eq!(document["meta"]["issues"], json!([{"code": "warning", "severity": "warning"}]));
}

#[test]
fn a_failure_ends_with_a_failing_number_in_every_mode() {
    for dialect in every_dialect() {
        for mode in ["json", "plain"] {
            let called = failed(dialect, mode, Error::new("MADE", Exit::Success, "it failed"));
            assert_eq!(called.status, dialect.status(Exit::General), "{dialect:?} {mode}");
        }
    }
}

/// Both ways in which a redirect holds, for every reason.
fn every_redirect(to: &'static str) -> Vec<Redirect> {
    let both =
        |reason: &Reason| [Redirect::permanent(to, *reason), Redirect::temporary(to, *reason)];
    let redirects: Vec<Redirect> = Reason::ALL.iter().flat_map(both).collect();
    assert_eq!(redirects.len(), 8);
    redirects
}

/// What `error.redirect` says of each of them.
fn every_statement(command: &str) -> Vec<Value> {
    let reasons = ["renamed", "restructured", "deprecated", "typo_corrected"];
    let both = |reason| {
        [true, false]
            .map(|permanent| json!({"command": command, "permanent": permanent, "reason": reason}))
    };
    reasons.into_iter().flat_map(both).collect()
}

#[test]
fn a_handler_redirects_for_every_reason_for_good_and_for_now() {
    for dialect in [dialects::RESPONSE_ENVELOPE_1_0, dialects::RESPONSE_ENVELOPE_1_6] {
        let answers = every_redirect("bare there 'a b'").into_iter().map(|redirect| {
            let error = Error::new("ELSEWHERE", Exit::General, "not here").redirect(redirect);
            let called = failed(dialect, "json", error);
            called.assert_contract();
            assert_eq!(called.status, 13);
            document(&called)["error"]["redirect"].clone()
        });
        assert_eq!(answers.collect::<Vec<_>>(), every_statement("bare there 'a b'"));
    }
}

// proves: F-075
#[test]
fn a_command_is_redirected_for_every_reason_for_good_and_for_now() {
    let mut codes = Vec::new();
    let answers = every_redirect("list").into_iter().map(|redirect| {
        let app = notes(dialects::RESPONSE_ENVELOPE_1_0).moved("ls", redirect);
        let called = app.call(["ls", "--limit", "3", "--json"], work);
        called.assert_contract();
        let error = document(&called)["error"].clone();
        codes.push(error["code"].as_str().expect("a code").to_owned());
        assert_eq!((called.status, &error["phase"]), (13, &json!("validation")));
        error["redirect"].clone()
    });
    assert_eq!(answers.collect::<Vec<_>>(), every_statement("notes --json list --limit 3"));
    codes.dedup();
    let expected =
        ["COMMAND_RENAMED", "COMMAND_RESTRUCTURED", "COMMAND_DEPRECATED", "TYPO_CORRECTED"];
    assert_eq!(codes, expected);
}

#[test]
fn a_redirect_is_a_suggestion_where_the_dialect_has_none() {
    for dialect in every_dialect().filter(|dialect| !dialect.table().has_meta) {
        let redirect = Redirect::temporary("bare there", Reason::Restructured);
        let error = Error::new("ELSEWHERE", Exit::Redirected, "not here").redirect(redirect);
        let shown = failed(dialect, "plain", error);
        let text = String::from_utf8(shown.stderr).expect("UTF-8");
        assert_eq!(text, "error[ELSEWHERE]: not here\n  hint: call `bare there`\n", "{dialect:?}");
        assert_eq!(shown.status, dialect.status(Exit::ArgError), "{dialect:?}");
    }
}

/// Keeps notes
#[derive(Parser)]
#[command(name = "notes", version)]
enum Notes {
    /// List the notes
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show all of them at once
    Show,
    /// Keep one that is kept elsewhere
    Keep { text: String },
}

#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "note_list", page)]
struct NoteList(Page<String>);

#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "notes")]
struct AllNotes {
    notes: Vec<String>,
}

#[derive(Reply)]
enum Answer {
    List(NoteList),
    All(AllNotes),
}

#[derive(Debug, Failure)]
enum NoteError {
    /// notes are kept by another program this week
    #[failure(
        exit = Redirected,
        redirect = Redirect::temporary(format!("vault keep {text}"), Reason::Restructured)
    )]
    KeptElsewhere { text: String },
}

fn work(cli: Notes, _: &Call) -> Result<Answer, NoteError> {
    let all = || (0..45).map(|id| format!("note {id}")).collect();
    match cli {
        Notes::List { page } => Ok(Answer::List(NoteList(page.paginate(all())))),
        Notes::Show => Ok(Answer::All(AllNotes { notes: all() })),
        Notes::Keep { text } => Err(NoteError::KeptElsewhere { text }),
    }
}

fn notes(dialect: &'static dyn DialectWriter) -> App<Notes> {
    App::new(dialect).all_flags().piped(Mode::Json).unified_errors()
}

#[test]
fn a_derived_failure_redirects() {
    let called = notes(dialects::RESPONSE_ENVELOPE_1_0).call(["keep", "milk", "--json"], work);
    called.assert_contract();
    let expected =
        json!({"command": "vault keep milk", "permanent": false, "reason": "restructured"});
    assert_eq!(document(&called)["error"]["redirect"], expected);
}

#[test]
fn checked_arguments_are_answered_with_an_empty_object() {
    let mut with_data = Vec::new();
    for dialect in every_dialect() {
        let called = notes(dialect).call(["show", "--validate-only", "--json"], work);
        called.assert_contract();
        assert_eq!(called.status, 0, "{dialect:?}");
        let document = document(&called);
        if let Some(data) = document.get("data") {
            assert_eq!(*data, json!({}), "{dialect:?}");
            with_data.push(dialect.id());
        }
    }
    // An envelope of claw has its payload beside its other members.
    let expected =
        ["response-envelope/1.0", "response-envelope/1.6", "animus/1", "td/1", "i18nprune/1"];
    assert_eq!(with_data, expected);
}

// proves: F-052
#[test]
fn a_limit_is_offered_only_where_the_answer_can_say_that_there_is_more() {
    let mut offering = Vec::new();
    for dialect in every_dialect() {
        let help = notes(dialect).call(["show", "--help", "--plain"], work).stdout;
        let is_offered = String::from_utf8(help).expect("UTF-8").contains("--max-bytes");
        let limited = |command| notes(dialect).call([command, "--max-bytes", "99", "--json"], work);
        for command in ["list", "show"] {
            let called = limited(command);
            called.assert_contract();
            if is_offered {
                let meta = &document(&called)["meta"];
                assert_eq!((called.status, &meta["truncated"]), (0, &json!(true)), "{dialect:?}");
            } else {
                let usage = dialect.status(Exit::ArgError);
                assert_eq!(called.status, usage, "{dialect:?} {command}");
                let error = called.opened().envelope.error().cloned().expect("an error");
                assert!(error.message.contains("--max-bytes"), "{dialect:?}: {}", error.message);
            }
        }
        if is_offered {
            offering.push(dialect.id());
        }
    }
    assert_eq!(offering, ["response-envelope/1.0", "response-envelope/1.6"]);
}

#[test]
fn a_variable_never_empties_an_answer_that_cannot_say_so() {
    for dialect in every_dialect().filter(|dialect| !dialect.table().has_meta) {
        let little = Surroundings::default().variable("NOTES_MAX_OUTPUT_BYTES", "10");
        let called = notes(dialect).call_in(little.clone(), ["show", "--json"], work);
        called.assert_contract();
        let text = String::from_utf8(called.stdout.clone()).expect("UTF-8");
        assert!(text.contains("note 44"), "{dialect:?}: {text}");
        let warned = String::from_utf8(called.stderr).expect("UTF-8");
        assert!(warned.contains("no place for a cursor"), "{dialect:?}: {warned}");
        let list = notes(dialect).call_in(little, ["list", "--limit", "0", "--json"], work);
        assert_eq!(list.data::<Vec<String>>().len(), 45, "{dialect:?}");
    }
}

#[test]
fn a_limit_is_refused_in_the_older_envelope_that_has_no_cursor() {
    let old = ("1", dialects::TD_1);
    let new = ("2", dialects::RESPONSE_ENVELOPE_1_0);
    let app = || notes(dialects::TD_1).migrate(Migration::new(old, new, Stage::Default));
    let limited = |more: &[&'static str]| {
        let words = ["list", "--max-bytes", "99", "--json"].into_iter().chain(more.iter().copied());
        app().call(words, work)
    };
    assert_eq!(limited(&[]).status, 0);
    let called = limited(&["--legacy-envelope"]);
    called.assert_contract();
    assert_eq!(called.status, dialects::TD_1.status(Exit::ArgError));
    let error = document(&called)["error"].clone();
    assert_eq!(error["code"], "CONFLICTING_ARGUMENTS");
    assert!(error["message"].as_str().expect("a message").contains("td/1"), "{error}");
}

#[test]
fn a_suggestion_is_in_every_document_of_a_failure() {
    let suggested = || Error::new("MADE", Exit::ArgError, "it failed").suggestion("try again");
    for dialect in every_dialect() {
        let called = failed(dialect, "json", suggested());
        called.assert_contract();
        assert!(document(&called).to_string().contains("\"try again\""), "{dialect:?}");
        // What the boundary suggests too.
        let called = notes(dialect).call(["list", "--limt", "3", "--json"], work);
        called.assert_contract();
        assert!(document(&called).to_string().contains("--limit"), "{dialect:?}");
    }
    let animus = document(&failed(dialects::ANIMUS_1, "json", suggested()));
    assert_eq!(animus["error"]["details"], json!({"suggestion": "try again"}));
    let with_details = suggested().details(&json!({"line": 3}));
    let animus = document(&failed(dialects::ANIMUS_1, "json", with_details));
    assert_eq!(animus["error"]["details"], json!({"line": 3, "suggestion": "try again"}));
    let i18nprune = document(&failed(dialects::I18NPRUNE_1, "json", suggested()));
    assert_eq!(i18nprune["data"], json!({"suggestion": "try again"}));
    let with_data = suggested().data(AllNotes { notes: vec!["milk".to_owned()] });
    let i18nprune = document(&failed(dialects::I18NPRUNE_1, "json", with_data));
    let expected = json!({"notes": ["milk"], "suggestion": "try again"});
    assert_eq!(i18nprune["data"], expected);
}

#[test]
fn the_command_of_an_answer_is_the_word_that_was_typed() {
    for (words, expected) in [
        ("show", "show"),
        ("list --what", "list"),
        ("frobnicate", "frobnicate"),
        ("--json frobnicate now", "frobnicate"),
        ("help list", "help"),
        ("--help", "notes"),
    ] {
        let words = words.split(' ').chain(["--json"]);
        let called = notes(dialects::CLAW_2_0).call(words, work);
        called.assert_contract();
        assert_eq!(document(&called)["command"], expected);
    }
}

#[test]
fn json_is_heard_for_the_declared_commands_alone() {
    let app = || notes(dialects::I18NPRUNE_1).piped(Mode::Plain).json_commands(&["list"]);
    let call = |words: &str| app().schema().manifest().call(words.split_whitespace(), work);
    let is_json = |called: &Called| serde_json::from_slice::<Value>(&called.stdout).is_ok();
    for words in ["list --json", "--json list --limit 3", "list --what --json"] {
        let called = call(words);
        called.assert_contract();
        assert!(is_json(&called), "{words}");
    }
    let others = [
        "",
        "show",
        "keep milk",
        "help",
        "--help",
        "list --help",
        "--version",
        "schema",
        "manifest",
        "list --schema",
        "--manifest",
        "lst",
        "frobnicate",
        "show --what",
    ];
    for words in others {
        let (asked, plain) = (call(&format!("{words} --json")), call(words));
        assert!(!is_json(&asked), "{words}");
        let seen = |called: Called| (called.stdout, called.stderr, called.status);
        assert_eq!(seen(asked), seen(plain), "{words}");
    }
    // Another flag is not the one that is declared.
    assert!(is_json(&call("schema --output json")));
    let coloured = |words: &[&str]| {
        let watched = Surroundings::watched();
        app().call_in(watched, words.iter().copied(), work).stdout
    };
    assert_eq!(coloured(&["--help", "--json"]), coloured(&["--help"]));
    let manifest: Value =
        serde_json::from_slice(&call("manifest --output json").stdout).expect("JSON");
    let json = |command: &str| manifest["data"]["commands"][command]["json"].clone();
    assert_eq!(["list", "show", "schema"].map(json), [json!(true), json!(false), json!(false)]);
}
