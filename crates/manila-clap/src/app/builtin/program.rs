//! A small program to try the built-in commands on.

use super::{manifest, schema};
use crate::call::Call;
use crate::call::setup::{BuiltIn, Catalogue, Setup};
use crate::contract::{Danger, Spec};
use crate::failure::Failure;
use crate::flag::FlagSet;
use crate::mode::{Environment, Mode};
use crate::output::Output;
use crate::prepare::prepare;
use crate::reply::Reply;
use crate::respond::respond;
use crate::secret::Secret;
use crate::sink::Sink;
use clap::{ArgGroup, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use manila::{DialectWriter, dialects};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

/// Every built-in command.
pub(super) const ALL: [BuiltIn;
    2 + cfg!(feature = "completions") as usize + cfg!(feature = "man") as usize] = [
    manifest::BUILT_IN,
    schema::BUILT_IN,
    #[cfg(feature = "completions")]
    super::completions::BUILT_IN,
    #[cfg(feature = "man")]
    super::man::BUILT_IN,
];

/// Keeps notes
#[derive(Debug, Parser)]
#[command(name = "notes", version = "2.1.0")]
struct Cli {
    /// Where the notes are
    #[arg(long, env = "NOTES_DIRECTORY", value_name = "DIRECTORY", global = true)]
    directory: Option<PathBuf>,

    /// Before the command, and nowhere else
    #[arg(long)]
    sync: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the notes
    #[command(visible_alias = "ls")]
    List(List),
    /// Write a note
    Add {
        /// What it says
        text: Vec<String>,
        /// A word to find it by
        #[arg(long = "tag", short = 't')]
        tags: Vec<String>,
        /// What to pay with
        #[arg(long)]
        token: Option<Secret>,
    },
    /// Everything about tags
    #[command(subcommand)]
    Tag(Tag),
    /// Open the editor
    Edit,
    #[command(hide = true)]
    Debug,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").args(["all", "day"]).required(true))]
struct List {
    /// All of them
    #[arg(long)]
    all: bool,
    /// Those of a day
    #[arg(long)]
    day: Option<u8>,
    /// In which order
    #[arg(long, value_enum, default_value_t = Order::Newest)]
    order: Order,
    #[arg(long, hide = true)]
    trace: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Order {
    /// The newest first
    Newest,
    /// The oldest first
    Oldest,
    #[value(hide = true)]
    Random,
}

#[derive(Debug, Subcommand)]
enum Tag {
    /// Rename a tag
    Rename { from: String, to: String },
    /// Drop a tag
    Drop { name: String },
}

#[derive(Debug, Serialize, JsonSchema)]
struct Note {
    id: u32,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
}

macro_rules! replies {
    ($($type:ty = $kind:literal;)*) => {$(
        impl Reply for $type {
            fn kind(&self) -> &'static str {
                $kind
            }

            fn data(&self, _: crate::Shape) -> Result<manila::json::Raw, manila::json::SerializeError> {
                crate::reply::data_of(self)
            }

            fn show(&self, screen: &mut crate::Screen) {
                screen.line($kind);
            }

            fn kinds(list: &mut Vec<crate::Kind>) {
                list.push(crate::Kind::new::<$type>($kind));
            }
        }
    )*};
}

#[derive(Debug, Serialize, JsonSchema)]
struct Notes(Vec<Note>);

replies! {
    Note = "note";
    Notes = "note_list";
}

enum Answer {}

impl Reply for Answer {
    fn kind(&self) -> &'static str {
        match *self {}
    }

    fn data(&self, _: crate::Shape) -> Result<manila::json::Raw, manila::json::SerializeError> {
        match *self {}
    }

    fn show(&self, _: &mut crate::Screen) {
        match *self {}
    }

    fn kinds(list: &mut Vec<crate::Kind>) {
        Note::kinds(list);
        Notes::kinds(list);
    }
}

enum ProgramError {}

impl Failure for ProgramError {
    fn into_error(self) -> crate::Error {
        match self {}
    }

    fn declared(list: &mut Vec<crate::Declared>) {
        let of = crate::Declared::new;
        let suggestion = Some("ids begin at 1");
        let missing = of("NO_SUCH_NOTE", crate::Exit::NotFound, "there is no note {id}");
        list.push(crate::Declared { suggestion, ..missing });
        let locked = of("LOCKED", crate::Exit::Conflict, "another process writes");
        list.push(crate::Declared { retryable: Some(true), ..locked });
        list.push(of("SERVER_DOWN", crate::Exit::Unavailable, "the server does not answer"));
        let found = of("TYPOS_FOUND", crate::Exit::General, "there are typos");
        list.push(crate::Declared { status: Some(100), ..found });
    }
}

/// The program with some of the built-in commands.
pub(super) fn setup(built_ins: &[BuiltIn]) -> Setup {
    let mut setup = Setup::new(dialects::RESPONSE_ENVELOPE_1_6, Box::new(Cli::command));
    setup.catalogue = Catalogue::new::<Answer, ProgramError>();
    setup.built_ins = built_ins.to_vec();
    setup.flags = FlagSet::all();
    setup.piped = Mode::Json;
    setup.unified_errors = true;
    setup.specs = vec![
        ("list", Spec::new().reply::<Notes>().fails(&["SERVER_DOWN"]).cacheable()),
        (
            "add",
            Spec::new()
                .reply::<Note>()
                .danger(Danger::Mutating)
                .example("notes add hello --tag work", "writes a note with a tag"),
        ),
        ("tag rename", Spec::new().danger(Danger::Mutating).deprecated("2.0.0", "notes tag move")),
        ("tag drop", Spec::new().danger(Danger::Destructive).fails(&[])),
        ("edit", Spec::new().text_only()),
    ];
    setup
}

/// A call of some setup, in words that no space is part of; the first is the program.
pub(super) fn called(setup: Setup, words: &str) -> (Call, Output) {
    let environment = Environment {
        is_terminal: Box::new(|_| false),
        terminal_width: Box::new(|| None),
        variable: Box::new(|_| None),
    };
    let words = words.split(' ').skip(1).map(Into::into).collect();
    let sink = Sink::Memory(Mutex::default());
    let (call, ready) = prepare(setup, environment, sink.into(), words, Instant::now());
    let output = match ready {
        Err(outcome) => respond(&call, outcome),
        Ok(mut matches) => {
            Cli::from_arg_matches_mut(&mut matches).expect("the arguments are right");
            respond(&call, Ok(Box::new(crate::Done::new("done"))))
        }
    };
    (call, output)
}

/// A call in another dialect.
pub(super) fn call_in(dialect: &'static dyn DialectWriter, words: &str) -> Call {
    called(Setup { dialect, ..setup(&ALL) }, words).0
}

/// What a call of a built-in command comes to.
pub(super) fn answer(words: &str) -> Output {
    called(setup(&ALL), words).1
}

/// The envelope of what it comes to, with those built-in commands alone that every build has.
pub(super) fn envelope(words: &str) -> serde_json::Value {
    let Output { stdout, stderr, .. } = called(setup(&ALL[..2]), words).1;
    assert!(stderr.is_empty(), "{}", String::from_utf8_lossy(&stderr));
    serde_json::from_slice(&stdout).expect("JSON")
}

/// The same in a dialect that states the type of each answer.
pub(super) fn typed(words: &str) -> serde_json::Value {
    let setup = Setup { dialect: dialects::TD_1, ..setup(&ALL[..2]) };
    let output = called(setup, words).1;
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The example notes, as the data of each kind.
pub(super) fn examples() -> [(&'static str, serde_json::Value); 2] {
    let note =
        |tag: Option<&str>| Note { id: 1, text: "hello".to_owned(), tag: tag.map(str::to_owned) };
    let value = |reply: &dyn Reply| {
        let data = reply.data(crate::Shape::Current).expect("serialises");
        (reply.kind(), serde_json::from_str(data.as_str()).expect("JSON"))
    };
    [value(&note(None)), value(&Notes(vec![note(Some("work")), note(None)]))]
}
