//! `manila schema`: the JSON Schema of a dialect, or of one of its commands.

use crate::answer::Reply;
use crate::code::{Code, Refusal};
use crate::input::{dialect_ids, known_dialect};
use crate::likeness::did_you_mean;
use clap::Args;
use manila::{commands, schema};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  manila schema response-envelope/1.0
  manila schema claw/2.0 --command bootstrap")]
pub(crate) struct Arguments {
    /// The dialect
    #[arg(value_name = "ID", value_parser = dialect_ids())]
    dialect: String,

    /// One command, or one object that the schema names, such as turn
    #[arg(long, value_name = "NAME")]
    command: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Reply, Refusal> {
    let dialect = known_dialect(&arguments.dialect)?;
    let Some(schema) = schema(dialect, arguments.command.as_deref()) else {
        let name = arguments.command.as_deref().unwrap_or_default();
        let message = format!("{} describes no command {name:?}", dialect.id());
        let known = commands(dialect);
        let closest = did_you_mean(name, known.iter().map(String::as_str));
        return Err(Refusal::new(Code::InvalidValue, message).suggest(match closest {
            _ if known.is_empty() => "leave --command out: one schema holds for all".to_owned(),
            Some(closest) => closest,
            None => format!("one of: {}", known.join(", ")),
        }));
    };
    let document = serde_json::to_vec_pretty(&schema)?;
    Ok(Reply::verbatim(schema, [document.as_slice(), b"\n"].concat()))
}
