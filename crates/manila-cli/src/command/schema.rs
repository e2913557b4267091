//! `manila schema`: the JSON Schema of a dialect, or of one of its commands.

use crate::cli::examples;
use crate::input::known_dialect;
use crate::likeness::did_you_mean;
use crate::refusal::Refusal;
use clap::Args;
use manila::{Dialect, commands, schema};
use manila_clap::{Call, Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila schema response-envelope/1.0", "print the schema of a dialect"),
    ("manila schema claw/2.0 --command bootstrap", "print the schema of one command of it"),
];

pub(crate) const FAILS: &[&str] = &["INVALID_VALUE"];

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    /// The dialect
    #[arg(value_name = "ID", value_parser = known_dialect())]
    dialect: &'static dyn Dialect,

    /// One command, or one object that the schema names, such as turn
    #[arg(long, value_name = "NAME")]
    command: Option<String>,
}

/// A JSON Schema.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "JsonSchema")]
#[reply(kind = "schema", show = show)]
pub(crate) struct Answer(#[schemars(with = "Map<String, Value>")] Value);

pub(crate) fn run(arguments: &Arguments, _: &Call) -> Result<Answer, Refusal> {
    let Arguments { dialect, command } = arguments;
    schema(*dialect, command.as_deref()).map(Answer).ok_or_else(|| {
        let name = command.as_deref().unwrap_or_default();
        let known = commands(*dialect);
        let closest = did_you_mean(name, known.iter().map(String::as_str));
        Refusal::InvalidValue {
            message: format!("{} describes no command {name:?}", dialect.id()),
            suggestion: match closest {
                _ if known.is_empty() => "leave --command out: one schema holds for all".to_owned(),
                Some(closest) => closest,
                None => format!("one of: {}", known.join(", ")),
            },
        }
    })
}

fn show(answer: &Answer, screen: &mut Screen) {
    // What people save should be the schema itself.
    screen.verbatim(&format!("{:#}\n", answer.0));
}
