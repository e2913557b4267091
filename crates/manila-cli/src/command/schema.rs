//! `manila schema`: the JSON Schema of a dialect, of one of its commands, or of a report.

use crate::error::CliError;
use crate::help::examples;
use crate::known::{self, Named, known_dialect_or};
use clap::Args;
use clap::builder::TypedValueParser;
use manila::{Dialect, commands, did_you_mean, schema};
use manila_clap::{Call, Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila schema response-envelope/1.0", "print the schema of a dialect"),
    ("manila schema claw/2.0 --command bootstrap", "print the schema of one command of it"),
    ("manila schema report", "print the schema of what `manila check --format json` writes"),
    (
        "manila schema report --command scan",
        "print the schema of what `manila scan --format json` writes",
    ),
];

pub(crate) const FAILS: &[&str] = &["INVALID_VALUE", "BAD_DIALECT"];

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    /// A dialect or a file that describes one, or `report` for what `--format json` writes: of `check`, or of the
    /// command that --command names: scan, stats, verify or diff
    #[arg(value_name = "DIALECT", value_parser = described())]
    of: Described,

    /// Print the schema of one command, or of one object that it names, such as turn
    #[arg(long, value_name = "NAME")]
    command: Option<String>,
}

/// What a schema is asked for.
#[derive(Clone, Copy, Debug)]
enum Described {
    Dialect(&'static dyn Dialect),
    Report,
}

const REPORT: &str = "report";

/// Accepts the id of a dialect, or `report`.
fn described() -> impl TypedValueParser<Value = Described> {
    known_dialect_or(&[REPORT]).map(|named| match named {
        Named::Dialect(dialect) => Described::Dialect(dialect),
        Named::Word => Described::Report,
    })
}

/// A JSON Schema.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "JsonSchema")]
#[reply(kind = "schema", show = show)]
pub(crate) struct Answer(#[schemars(with = "Map<String, Value>")] Value);

pub(crate) fn run(arguments: &Arguments, _: &Call) -> Result<Answer, CliError> {
    known::install(None)?;
    let Arguments { of, command } = arguments;
    let dialect = match of {
        Described::Dialect(dialect) => dialect,
        Described::Report => return report(command.as_deref().unwrap_or("check")),
    };
    schema(*dialect, command.as_deref()).map(Answer).ok_or_else(|| {
        let name = command.as_deref().unwrap_or_default();
        let known = commands(*dialect);
        let closest = did_you_mean(name, known.iter().map(String::as_str));
        CliError::InvalidValue {
            message: format!("{} describes no command {name:?}", dialect.id()),
            suggestion: match closest {
                _ if known.is_empty() => "leave --command out: one schema holds for all".to_owned(),
                Some(closest) => closest,
                None => format!("one of: {}", known.join(", ")),
            },
        }
    })
}

/// The commands whose `--format json` writes a report, each with its schema.
const REPORTS: &[(&str, fn() -> Value)] = &[
    ("check", manila_check::render::json::schema),
    ("packs check", || schemars::schema_for!(crate::lint::Report).to_value()),
    ("dialects check", || schemars::schema_for!(crate::lint::Report).to_value()),
    ("scan", || schemars::schema_for!(crate::scan::report::Report).to_value()),
    ("stats", || crate::stats::schema().to_value()),
    ("verify", manila_contract::render::json::schema),
    ("diff", manila_contract::render::json::schema),
];

fn report(command: &str) -> Result<Answer, CliError> {
    let known = REPORTS.iter().find(|(name, _)| *name == command);
    known.map(|(_, schema)| Answer(schema())).ok_or_else(|| {
        let names = REPORTS.iter().map(|(name, _)| *name);
        CliError::InvalidValue {
            message: format!("{command:?} writes no report"),
            suggestion: did_you_mean(command, names.clone())
                .unwrap_or_else(|| format!("one of: {}", names.collect::<Vec<_>>().join(", "))),
        }
    })
}

fn show(answer: &Answer, screen: &mut Screen) {
    // What people save should be the schema itself.
    screen.verbatim(&format!("{:#}\n", answer.0));
}
