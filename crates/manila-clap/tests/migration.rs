//! The way from one envelope to the next: every stage, every flag, and a golden file per version.

use clap::Parser;
use manila_clap::testing::Called;
use manila_clap::{App, Call, Failure, Migration, Mode, Reply, Stage, dialects};
use schemars::JsonSchema;
use serde::Serialize;
use showcase_test_support::assert_golden;
use std::path::Path;

#[derive(Parser)]
#[command(name = "claw", version = "1.4.0")]
enum Cli {
    /// List what there is
    ListSessions,
    /// Load one
    LoadSession { id: String },
}

#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "list-sessions", legacy = before)]
struct Sessions {
    directory: String,
    sessions: Vec<Session>,
}

#[derive(Serialize, JsonSchema)]
struct Session {
    session_id: String,
    prompt_count: u32,
}

/// What callers of the older envelope know: other names, fewer of them.
#[derive(Serialize)]
struct OldSessions {
    sessions: Vec<OldSession>,
}

#[derive(Serialize)]
struct OldSession {
    id: String,
    message_count: u32,
}

fn before(now: &Sessions) -> OldSessions {
    let old = |session: &Session| OldSession {
        id: session.session_id.clone(),
        message_count: session.prompt_count,
    };
    OldSessions { sessions: now.sessions.iter().map(old).collect() }
}

#[derive(Debug, Failure)]
enum NoteError {
    #[failure(
        code = "session_not_found", exit = NotFound, missing = id,
        message = "session '{id}' not found", suggestion = "use 'list-sessions'"
    )]
    NoSession { id: String },
}

fn run(cli: Cli, _: &Call) -> Result<Sessions, NoteError> {
    match cli {
        Cli::ListSessions => Ok(Sessions {
            directory: ".claw/sessions".to_owned(),
            sessions: vec![Session { session_id: "sess_abc".to_owned(), prompt_count: 5 }],
        }),
        Cli::LoadSession { id } => Err(NoteError::NoSession { id }),
    }
}

fn call(stage: Stage, words: &[&str]) -> Called {
    let old = ("1.0", dialects::CLAW_1_0);
    let new = ("2.0", dialects::CLAW_2_0);
    App::<Cli>::new(dialects::CLAW_2_0)
        .all_flags()
        .piped(Mode::Json)
        .unified_errors()
        .migrate(Migration::new(old, new, stage))
        .call(words.iter().copied(), run)
}

/// Which version an answer is in; nothing if it is neither.
fn version(called: &Called) -> Option<&'static str> {
    match called.opened().detection.dialect.id() {
        "claw/1.0" => Some("1.0"),
        "claw/2.0" => Some("2.0"),
        _ => None,
    }
}

const STAGES: [Stage; 4] = [Stage::OptIn, Stage::Default, Stage::Deprecated, Stage::Removed];

#[test]
fn each_stage_answers_in_its_own_default() {
    let defaults = STAGES.map(|stage| version(&call(stage, &["list-sessions"])));
    assert_eq!(defaults, [Some("1.0"), Some("2.0"), Some("2.0"), Some("2.0")]);
}

#[test]
fn the_new_version_can_be_asked_for_at_every_stage() {
    for stage in STAGES {
        let called = call(stage, &["list-sessions", "--envelope-version=2.0"]);
        assert_eq!((version(&called), called.status), (Some("2.0"), 0), "{stage:?}");
    }
}

#[test]
fn the_old_version_can_be_asked_for_until_it_is_removed() {
    for flag in ["--legacy-envelope", "--envelope-version=1.0"] {
        for stage in [Stage::OptIn, Stage::Default, Stage::Deprecated] {
            let called = call(stage, &[flag, "list-sessions"]);
            assert_eq!((version(&called), called.status), (Some("1.0"), 0), "{stage:?} {flag}");
        }
        let removed = call(Stage::Removed, &[flag, "list-sessions"]);
        let error = removed.opened().envelope.error().cloned().expect("a failure");
        assert_eq!(version(&removed), Some("2.0"));
        assert_eq!(error.code, "usage");
        assert_eq!(error.message, "envelope version 1.0 was removed");
        assert_eq!(error.suggestion.as_deref(), Some("read version 2.0"));
    }
}

#[test]
fn only_the_deprecated_stage_warns_and_only_callers_of_the_old_envelope() {
    for stage in STAGES {
        for flags in [&["--legacy-envelope"][..], &[]] {
            let called = call(stage, &[&["list-sessions"], flags].concat());
            let warned = String::from_utf8_lossy(&called.stderr).contains("deprecated");
            assert_eq!(warned, stage == Stage::Deprecated && !flags.is_empty(), "{stage:?}");
        }
    }
}

#[test]
fn an_unknown_version_and_a_contradiction_are_mistakes() {
    for (flags, message) in [
        (&["--envelope-version=3.0"][..], "invalid value '3.0' for '--envelope-version'"),
        (
            &["--envelope-version", "2.0", "--legacy-envelope"],
            "--legacy-envelope excludes --envelope-version 2.0",
        ),
        (&["--envelope-version"], "--envelope-version wants a value"),
    ] {
        let called = call(Stage::Default, &[&["list-sessions"], flags].concat());
        let error = called.opened().envelope.error().cloned().expect("a failure");
        assert_eq!((error.code.as_str(), error.message.as_str()), ("usage", message));
    }
}

#[test]
fn programs_that_do_not_migrate_do_not_have_the_flags() {
    let app = App::<Cli>::new(dialects::CLAW_2_0).all_flags().piped(Mode::Json).unified_errors();
    let called = app.call(["list-sessions", "--legacy-envelope"], run);
    let error = called.opened().envelope.error().cloned().expect("a failure");
    assert_eq!(error.message, "unexpected argument '--legacy-envelope' found");
}

/// Each version is what it was. Only the time is not.
#[test]
fn every_version_has_its_golden_file() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/migration");
    for (version, flag) in [("1.0", "--legacy-envelope"), ("2.0", "--envelope-version=2.0")] {
        for (name, words) in
            [("list-sessions", &["list-sessions"][..]), ("load-session", &["load-session", "x"])]
        {
            let called = call(Stage::Default, &[words, &[flag]].concat());
            let text = String::from_utf8(called.stdout).expect("UTF-8");
            assert_golden(&directory.join(format!("{name}-{version}.json")), &without_time(&text));
        }
    }
}

fn without_time(text: &str) -> String {
    match text.split_once("\"timestamp\": \"") {
        Some((before, after)) => format!("{before}\"timestamp\": \"TIME{}", &after[20..]),
        None => text.to_owned(),
    }
}
