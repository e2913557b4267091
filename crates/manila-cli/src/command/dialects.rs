//! `manila dialects`: list, show, check and propose dialects.

use crate::checking;
use crate::error::CliError;
use crate::help::examples;
use crate::known::{self, known_dialect};
use crate::lint::{self, LintedFile, Report, Severity};
use clap::{Args, Subcommand};
use manila::dialect_file::{self, Finding, InferError, Weight};
use manila::exit::{Effects, Retry};
use manila::{Dialect, Exit, Stream, commands, every_dialect};
use manila_clap::{Call, Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila dialects", "list the dialects"),
    ("manila dialects show td/1", "print a dialect as a file, to begin your own with"),
    ("manila dialects check acme.toml", "check the file of a dialect and its examples"),
    ("manila dialects infer runs/ --id acme/1 > acme.toml", "propose one from recorded runs"),
];

pub(crate) const FAILS: &[&str] = &[
    "BAD_DIALECT",
    "DIALECT_HAS_MISTAKES",
    "NOTHING_INFERRED",
    "BAD_RECORDING",
    "FILE_NOT_FOUND",
    "FILE_FORBIDDEN",
    "FILE_UNREADABLE",
    "OVER_LIMIT",
];

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the dialects
    List,
    /// Print a dialect as a file
    Show {
        /// The dialect
        #[arg(value_name = "DIALECT", value_parser = known_dialect(), hide_possible_values = true)]
        dialect: &'static dyn Dialect,
    },
    /// Lint files of dialects and read the examples in them
    Check(lint::Arguments),
    /// Propose a dialect from recorded runs of a program: at least one success and one failure
    Infer {
        /// Recorded runs: directories with run.json, or their parents
        #[arg(required = true, value_name = "RUNS")]
        runs: Vec<PathBuf>,

        /// The id of the dialect
        #[arg(long, value_name = "ID", default_value = "acme/1")]
        id: String,
    },
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    match &arguments.what {
        None | Some(What::List) => {
            known::install(None)?;
            Ok(Answer::List(Listed { dialects: every_dialect().map(One::of).collect() }))
        }
        Some(What::Show { dialect }) => {
            known::install(None)?;
            Ok(Answer::Show(Shown::of(*dialect)))
        }
        Some(What::Check(arguments)) => check(arguments).map(Answer::Check),
        Some(What::Infer { runs, id }) => infer(runs, id, call).map(Answer::Infer),
    }
}

#[derive(Reply)]
pub(crate) enum Answer {
    List(Listed),
    Show(Shown),
    Check(Report),
    Infer(Proposal),
}

/// The dialects.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "Dialects")]
#[reply(kind = "dialects", show = show_list)]
pub(crate) struct Listed {
    dialects: Vec<One>,
}

/// A dialect.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Dialect")]
struct One {
    id: &'static str,
    summary: &'static str,
    /// The file that describes it, if it is not built in.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
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
    fn of(dialect: &'static dyn Dialect) -> One {
        let about = dialect.table();
        let rows = about.exits.rows.iter();
        One {
            id: dialect.id(),
            summary: about.summary,
            file: known::origin(dialect),
            success_stream: dialect.form(true).stream,
            failure_stream: dialect.form(false).stream,
            layout: dialect.form(false).style.layout.as_str(),
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

fn show_list(listed: &Listed, screen: &mut Screen) {
    for One { id, summary, .. } in &listed.dialects {
        if screen.is_rich() {
            screen.line(format_args!("{id:<22} {summary}"));
        } else {
            screen.field(id, summary);
        }
    }
}

/// A dialect as a file.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "DialectFile")]
#[reply(kind = "dialect-file", show = show_file)]
pub(crate) struct Shown {
    id: &'static str,
    /// The text of the file.
    toml: String,
    /// Whether the file says everything; a dialect that needs code is only described.
    whole: bool,
}

impl Shown {
    fn of(dialect: &'static dyn Dialect) -> Shown {
        let toml = dialect_file::save(dialect.table());
        Shown { id: dialect.id(), toml, whole: dialect.is_only_a_table() }
    }
}

fn show_file(shown: &Shown, screen: &mut Screen) {
    screen.verbatim(&shown.toml);
}

fn check(arguments: &lint::Arguments) -> Result<Report, CliError> {
    let linted: Result<Vec<_>, _> = arguments.files.iter().map(|file| lint_file(file)).collect();
    let verdict = Report::new(linted?, arguments.format).verdict();
    verdict.map_err(|found| CliError::DialectHasMistakes { found })
}

fn lint_file(path: &Path) -> Result<LintedFile, CliError> {
    let text = known::read(path).map_err(|error| CliError::unreadable(path.to_owned(), error))?;
    let (file, findings) = dialect_file::check(&text);
    let finding = |Finding { weight, line, example, message, hint }| lint::Finding {
        severity: if weight == Weight::Mistake { Severity::Mistake } else { Severity::Note },
        line: Some(line),
        sample: example.map(|name| format!("example {name:?}")),
        message,
        hint,
    };
    Ok(LintedFile {
        file: path.display().to_string(),
        name: file.as_ref().map(|file| file.dialect.id().to_owned()),
        samples: file.as_ref().map_or(0, |file| file.examples.len()),
        findings: findings.into_iter().map(finding).collect(),
    })
}

/// A dialect that is proposed.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "InferredDialect")]
#[reply(kind = "dialects-infer", show = show_proposal)]
pub(crate) struct Proposal {
    id: String,
    /// The text of its file.
    toml: String,
    /// How many runs it was made from.
    runs: usize,
}

fn infer(dirs: &[PathBuf], id: &str, call: &Call) -> Result<Proposal, CliError> {
    let mut runs = checking::recorded(dirs)?;
    for (name, _) in &mut runs {
        let last = Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned());
        *name = last.unwrap_or_else(|| name.clone());
    }
    let inferred = dialect_file::infer(id, &runs).map_err(|error| CliError::NothingInferred {
        message: error.to_string(),
        hint: match error {
            InferError::NoFailure => "record a run that fails: manila run --record DIR -- PROGRAM",
            InferError::NoOutcome => {
                "record more runs, or write the file by hand: docs/dialects.md"
            }
        },
    })?;
    if let Err(error) = dialect_file::load(&inferred.text) {
        let (message, hint) = (error.message, "choose an id such as acme/1 with --id");
        return Err(CliError::NothingInferred { message, hint });
    }
    inferred.notes.into_iter().for_each(|note| call.warn(note));
    Ok(Proposal { id: id.to_owned(), toml: inferred.text, runs: runs.len() })
}

fn show_proposal(proposal: &Proposal, screen: &mut Screen) {
    screen.verbatim(&proposal.toml);
}
