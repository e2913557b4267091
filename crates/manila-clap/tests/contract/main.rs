//! Test mode on itself: programs that keep the contract pass in every dialect, and each violation is
//! named, and no other.
#![cfg(feature = "testing")]
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod lies;
mod real;
mod spoiled;

use clap::{Parser, Subcommand};
use manila::DialectWriter;
use manila::dialects::{self, WRITTEN};
use manila_clap::testing::{Called, Surroundings};
use manila_clap::{
    App, Call, Danger, Declared, Error, Exit, Failure, Kind, Mode, Page, PageArgs, Paged, Reply,
    Screen, Shape, Spec, Streamed,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

            fn data(&self, _: Shape) -> Result<manila::json::Raw, manila::json::SerializeError> {
                manila::json::Raw::from_serialize(self)
            }

            fn show(&self, screen: &mut Screen) {
                screen.line($kind);
            }

            $($page)*

            fn kinds(list: &mut Vec<Kind>) {
                list.push(Kind::new::<$type>($kind));
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
enum NoteError {
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
fn work(cli: Cli, call: &Call) -> Result<Answer, NoteError> {
    match cli.command {
        Command::Show { id: 0 } | Command::Remove { id: 0 } => Err(NoteError::NoSuchNote { id: 0 }),
        Command::Show { id } | Command::Remove { id } => Ok(Answer::One(note(id))),
        Command::List { page } => {
            Ok(Answer::Many(Notes(page.paginate((1..=45).map(note).collect()))))
        }
        Command::Follow { count } => {
            let mut stream = call.stream();
            for id in 1..=count {
                call.progress(u64::from(id), Some(u64::from(count)), "reading");
                stream.item(note(id));
            }
            if count == 3 {
                return Err(NoteError::Away);
            }
            Ok(Answer::Followed(Followed(stream.finish())))
        }
        Command::Sync { how } if how == "forbidden" => Err(NoteError::Forbidden),
        Command::Sync { how } if how == "panic" => panic!("a bug"),
        Command::Sync { .. } => Err(NoteError::Away),
    }
}

fn app(dialect: &'static dyn DialectWriter) -> App<Cli> {
    App::new(dialect)
        .all_flags()
        .piped(Mode::Json)
        .unified_errors()
        .command("show", Spec::new().reply::<Note>().fails(&["NO_SUCH_NOTE"]))
        .command("remove", Spec::new().danger(Danger::Destructive))
        .moved("print", "show")
}

fn spoken() -> impl Iterator<Item = &'static dyn DialectWriter> {
    WRITTEN.iter().map(|dialect| *dialect as &'static dyn DialectWriter)
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
    ("", false),
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

// proves: F-001, F-004
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
    dialect: &'static dyn DialectWriter,
    answer: impl FnOnce() -> Result<R, F>,
) -> Called {
    App::from_command(clap::Command::new("bare"), dialect)
        .all_flags()
        .piped(Mode::Json)
        .unified_errors()
        .call(["--json"], |_, _| answer())
}

/// What a failed assertion says.
fn panics(assertion: impl FnOnce() -> i32) -> String {
    let asserted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(assertion));
    let words = asserted.expect_err("a failed assertion").downcast::<String>();
    *words.expect("words")
}
