//! Test mode on itself: programs that keep the contract pass in every dialect, and of each lie
//! exactly the one that was told is named.

use clap::{Parser, Subcommand};
use manila::{DIALECTS, Spoken, dialects};
use manila_clap::testing::{Called, Program, Surroundings};
use manila_clap::{
    App, Call, Danger, Declared, Exit, Failure, Kind, Mode, Page, PageArgs, Paged, Problem, Reply,
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

fn work(cli: Cli, call: &Call) -> Result<Answer, Trouble> {
    match cli.command {
        Command::Show { id: 0 } | Command::Remove { id: 0 } => {
            Err(Trouble::NoSuchNote { id: 0 })
        }
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
    ("list --max-bytes 300", true),
    ("show 1 --max-bytes 3", true),
    ("show 1 --max-bytes many", false),
    ("show 1 --output nonsense", false),
    ("show 1 --timeout", false),
    ("show 1 --timeout 30s", true),
    ("show 1 --etag unknown", true),
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
                let words = words.split_whitespace().chain(["--output", mode]);
                let called = app(dialect).call(words, work);
                called.assert_contract();
                assert_eq!(called.status == 0, *ok, "{called:?}");
            }
        }
    }
}
