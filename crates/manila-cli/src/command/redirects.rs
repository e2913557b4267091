//! `manila redirects`: the permanent redirects that are remembered, to look at and to forget.

use crate::error::CliError;
use crate::help::examples;
use crate::paths;
use crate::trace::line;
use clap::{Args, Subcommand};
use manila_clap::{Call, Effect, Reply, Screen};
use manila_run::RedirectStore;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila redirects list", "what is remembered"),
    ("manila redirects forget note rm", "forget where `note rm` has moved"),
];

pub(crate) const FAILS: &[&str] =
    &["NO_PLACE", "NOT_REMEMBERED", "FILE_FORBIDDEN", "FILE_UNREADABLE"];

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,

    /// Use this file instead of the default one
    #[arg(long, value_name = "FILE", global = true)]
    redirect_store: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List remembered redirects
    List,
    /// Forget redirects of commands that begin with these words
    Forget {
        /// A program, or a program and the first words of its call
        #[arg(required = true)]
        words: Vec<String>,
    },
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    let path = arguments.redirect_store.clone().map_or_else(paths::redirects, Ok)?;
    let store = RedirectStore::at(&path);
    let unreadable = |error| CliError::unreadable(path.clone(), error);
    let file = path.display().to_string();
    match &arguments.what {
        What::List => {
            let moves = store.list().map_err(unreadable)?;
            Ok(Answer::of(file, moves, State::Remembered))
        }
        What::Forget { words } => {
            let moves = store.forget(words).map_err(unreadable)?;
            if moves.is_empty() {
                return Err(CliError::NotRemembered { words: line(words) });
            }
            call.effect(Effect::Deleted);
            Ok(Answer::of(file, moves, State::Forgotten))
        }
    }
}

/// What is remembered, or what was until now.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "Redirects")]
#[reply(kind = "redirects", show = show)]
pub(crate) struct Answer {
    file: String,
    state: State,
    moves: Vec<Move>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum State {
    Remembered,
    Forgotten,
}

#[derive(Serialize, JsonSchema)]
struct Move {
    from: Vec<String>,
    to: Vec<String>,
}

impl Answer {
    fn of(file: String, moves: Vec<manila_run::Move>, state: State) -> Answer {
        let own = |manila_run::Move { from, to }| Move { from, to };
        Answer { file, state, moves: moves.into_iter().map(own).collect() }
    }
}

fn show(answer: &Answer, screen: &mut Screen) {
    if answer.moves.is_empty() {
        return screen.line(format_args!("no redirects are remembered in {}", answer.file));
    }
    if answer.state == State::Forgotten {
        screen.heading("forgotten");
    }
    let rows = answer.moves.iter().map(|moved| [line(&moved.from), line(&moved.to)]);
    screen.table(["CALLED", "IS NOW"], rows);
}
