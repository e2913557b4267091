//! `manila dialects`: the dialects, one line each.

use crate::cli::examples;
use crate::refusal::Refusal;
use clap::Args;
use manila::exit::{Effects, Retry};
use manila::{DIALECTS, Dialect, Exit, Stream, commands};
use manila_clap::{Call, Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[("manila dialects", "list the dialects")];

pub(crate) const FAILS: &[&str] = &[];

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {}

#[expect(clippy::unnecessary_wraps, reason = "every command may refuse")]
pub(crate) fn run(_: &Arguments, _: &Call) -> Result<Answer, Refusal> {
    Ok(Answer { dialects: DIALECTS.iter().map(|dialect| One::of(*dialect)).collect() })
}

/// The dialects.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "Dialects")]
#[reply(kind = "dialects", show = show)]
pub(crate) struct Answer {
    dialects: Vec<One>,
}

/// A dialect.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Dialect")]
struct One {
    id: &'static str,
    summary: &'static str,
    #[schemars(with = "String")]
    success_stream: Stream,
    #[schemars(with = "String")]
    failure_stream: Stream,
    /// How a failure is laid out.
    layout: &'static str,
    /// The commands that have a schema of their own.
    commands: Vec<String>,
    /// The exit statuses.
    exits: Vec<Row>,
}

/// An exit status and what it means.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ExitStatus")]
struct Row {
    status: i32,
    #[schemars(with = "String")]
    exit: Exit,
    #[schemars(with = "String")]
    retry: Retry,
    #[schemars(with = "String")]
    effects: Effects,
}

impl One {
    fn of(dialect: &dyn Dialect) -> One {
        let about = dialect.about();
        let rows = about.exits.rows.iter();
        One {
            id: dialect.id(),
            summary: about.summary,
            success_stream: dialect.form(true).stream,
            failure_stream: dialect.form(false).stream,
            layout: dialect.form(false).style.layout.word(),
            commands: commands(dialect),
            exits: rows
                .map(|row| Row {
                    status: row.status,
                    exit: row.exit,
                    retry: row.retry,
                    effects: row.effects,
                })
                .collect(),
        }
    }
}

fn show(answer: &Answer, screen: &mut Screen) {
    for One { id, summary, .. } in &answer.dialects {
        if screen.is_rich() {
            screen.line(format_args!("{id:<22} {summary}"));
        } else {
            screen.field(id, summary);
        }
    }
}
