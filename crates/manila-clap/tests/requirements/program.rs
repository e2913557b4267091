//! The program that the requirements are tried on, in process.

use clap::{Parser, Subcommand};
use manila::dialects;
use manila_clap::testing::{Called, Surroundings};
use manila_clap::{
    App, Call, Danger, Done, Effect, Failure, InputRequired, Issue, Listed, Mode, Page, PageArgs,
    Reply, Secret, Severity, Spec,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::ffi::OsString;
use std::time::Duration;

/// Keeps things
#[derive(Debug, Parser)]
#[command(name = "keep", version = "1.2.3")]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say it back
    Say {
        text: String,
        #[arg(long)]
        times: Option<u8>,
        #[arg(long)]
        every: Option<u8>,
    },
    /// List the things
    List {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Add a thing
    Add,
    /// Remove everything
    Remove,
    /// Fail in a way
    Fail { how: String },
    /// Prompt
    Ask,
    /// Start an editor
    Edit,
    /// Start a pager
    Look,
    /// Show the environment of a child
    Child,
    /// Log in
    Login {
        #[arg(long)]
        token: Option<Secret>,
        #[arg(long, value_parser = Secret::by_reference)]
        key: Option<Secret>,
    },
    /// Warn
    Warn,
    /// Ask whether someone is sure
    Sure,
    /// Find something harmless and something bad
    Find,
    /// Say what is not the handler's to say
    Claim,
    /// Look after the store
    Store {
        #[command(subcommand)]
        what: Store,
    },
}

#[derive(Debug, Subcommand)]
enum Store {
    /// Empty it
    Wipe,
}

#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "said")]
struct Text {
    text: String,
}

#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "things", page)]
struct Things(Page<String>);

#[derive(Reply)]
enum Answer {
    Done(Done),
    Text(Text),
    Things(Things),
}

#[derive(Debug, Failure)]
enum ProgramError {
    /// too many calls
    #[failure(exit = RateLimited, wait = Duration::from_millis(1500))]
    TooMany,
    /// not logged in
    #[failure(exit = AuthRequired, fix = "a user is logged in", fix_command = "keep login")]
    LoggedOut,
    /// it is not there
    #[failure(exit = NotFound)]
    Missing,
    #[failure(transparent)]
    NoInput(#[from] InputRequired),
}

/// How many things there are.
pub(crate) const THINGS: usize = 45;

#[expect(clippy::unnecessary_wraps, reason = "it is what a handler returns")]
fn said(text: impl Into<String>) -> Result<Answer, ProgramError> {
    Ok(Answer::Text(Text { text: text.into() }))
}

/// What the boundary says of an answer.
pub(crate) const CLAIMED: [&str; 16] = [
    "returned",
    "total",
    "has_more",
    "truncated",
    "cursor",
    "total_bytes",
    "timeout_ms",
    "tool_version",
    "command",
    "trace_id",
    "request_id",
    "duration_ms",
    "schema_version",
    "etag",
    "not_modified",
    "validation_only",
];

fn issue(code: &str, severity: Severity) -> Issue {
    Issue {
        code: code.to_owned(),
        severity,
        message: Some("found".to_owned()),
        path: None,
        link: None,
        extra: manila::json::Members::default(),
    }
}

fn work(cli: Cli, call: &Call) -> Result<Answer, ProgramError> {
    let debugged = format!("{cli:?}");
    match cli.command {
        Command::Say { text, .. } => said(text),
        Command::List { page } => {
            let things = (0..THINGS).map(|id| format!("thing {id}")).collect();
            Ok(Answer::Things(Things(page.paginate(things))))
        }
        Command::Add => {
            call.effect(Effect::Created);
            Ok(Answer::Done(Done::new("added")))
        }
        Command::Remove => {
            call.effect(Effect::Deleted);
            Ok(Answer::Done(Done::new("removed")))
        }
        Command::Fail { how } => Err(match how.as_str() {
            "busy" => ProgramError::TooMany,
            "login" => ProgramError::LoggedOut,
            _ => ProgramError::Missing,
        }),
        Command::Ask => said(call.ask("which?", "--which")?),
        Command::Edit => said(call.edit("before", "--text")?),
        Command::Look => {
            call.browse("https://example.org/login", "--token")?;
            said("looked")
        }
        Command::Child => {
            let output = call.child("env").output().expect("a system has env");
            said(String::from_utf8_lossy(&output.stdout))
        }
        Command::Login { token, key } => {
            let exposed = |secret: &Secret| secret.expose().to_owned();
            let leaked = token.as_ref().or(key.as_ref()).map(exposed).unwrap_or_default();
            call.warn(format!("{debugged} and {leaked}"));
            said(leaked)
        }
        Command::Warn => {
            call.warn("careful");
            said("warned")
        }
        Command::Sure => said(call.confirm("sure?", "--yes")?.to_string()),
        Command::Find => {
            call.issue(issue("HARMLESS", Severity::Info));
            call.issue(issue("BAD", Severity::Error));
            said("found")
        }
        Command::Claim => {
            for key in CLAIMED {
                call.note(key, &"claimed");
            }
            said("claimed nothing")
        }
        Command::Store { what: Store::Wipe } => said("wiped"),
    }
}

pub(crate) fn app() -> App<Cli, Listed> {
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_6)
        .all_flags()
        .piped(Mode::Json)
        .unified_errors()
        .command("add", Spec::new().danger(Danger::Mutating))
        .command("remove", Spec::new().danger(Danger::Destructive))
        .command("say", Spec::new().cacheable())
        .command("store", Spec::new().danger(Danger::Destructive))
        .manifest()
        .schema()
}

/// Calls the program in words that no space is part of.
pub(crate) fn call(words: &str) -> Called {
    call_in(Surroundings::default(), words.split_whitespace())
}

/// The same in surroundings, with arguments of any sort.
pub(crate) fn call_in(
    surroundings: Surroundings,
    words: impl IntoIterator<Item = impl Into<OsString>>,
) -> Called {
    app().call_in(surroundings, words, work)
}

/// The same of a program that is set up otherwise.
pub(crate) fn call_of(app: App<Cli, Listed>, words: &str) -> Called {
    app.call(words.split_whitespace(), work)
}

/// The document of an answer, which is all of stdout and keeps the contract.
#[track_caller]
pub(crate) fn document(called: &Called) -> Value {
    called.assert_contract();
    serde_json::from_slice(&called.stdout).expect("one document")
}

/// The document of a call.
#[track_caller]
pub(crate) fn answer(words: &str) -> Value {
    document(&call(words))
}
