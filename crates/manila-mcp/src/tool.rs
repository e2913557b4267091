//! The three tools: their definitions, and the arguments that clients may pass.

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// The longest list of program names in a definition, in bytes.
const NAMES: usize = 200;
/// How many arguments a call may have, and how many bytes they may have together.
const MOST_WORDS: usize = 1024;
const MOST_BYTES: usize = 100 << 10;

/// A request of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Commands that fit a query.
    Find(String),
    /// A call that changes nothing.
    Read(Vec<String>),
    /// A call that may change something.
    Act(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Query {
    query: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    argv: Vec<String>,
}

/// Why a request is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BadRequest {
    /// There is no such tool.
    UnknownTool,
    /// The arguments are not what the tool takes.
    Arguments(String),
}

impl Request {
    pub(crate) fn new(tool: &str, arguments: Option<JsonObject>) -> Result<Request, BadRequest> {
        let arguments = Value::Object(arguments.unwrap_or_default());
        let query = |it| serde_json::from_value::<Query>(it).map(|it| Request::Find(it.query));
        let call = |it| serde_json::from_value::<Call>(it).map(|it| it.argv);
        let request = match tool {
            "find" => query(arguments),
            "read" => call(arguments).map(Request::Read),
            "act" => call(arguments).map(Request::Act),
            _ => return Err(BadRequest::UnknownTool),
        };
        let request = request.map_err(|error| BadRequest::Arguments(error.to_string()))?;
        match &request {
            Request::Find(_) => {}
            Request::Read(argv) | Request::Act(argv) => {
                check(argv).map_err(|why| BadRequest::Arguments(why.to_owned()))?;
            }
        }
        Ok(request)
    }
}

fn check(argv: &[String]) -> Result<(), &'static str> {
    if argv.is_empty() {
        return Err("argv is empty: it begins with the program's name");
    }
    if argv.len() > MOST_WORDS || argv.iter().map(String::len).sum::<usize>() > MOST_BYTES {
        return Err("argv is too long: 1024 items and 100 KiB are the limits");
    }
    if argv.iter().any(|word| word.contains('\0')) {
        return Err("an item of argv contains a NUL byte");
    }
    Ok(())
}

/// The definitions of the tools. They are the same whatever the programs are, but for their names.
pub fn definitions(names: &[&str]) -> Vec<Tool> {
    let output = object(output_schema());
    let find = format!(
        "Search the commands of: {}. Returns up to ten with usage and effect (none, idempotent, writes, destroys, \
         unknown). The exact name of a command returns its help too.",
        listed(names)
    );
    let read = "Run a call that changes nothing, and return its answer. Refused unless a pack, a manifest or a \
                declaration proves this very call free of effects.";
    let act = "Run a call that changes something, as far as the operator allows it. A person is asked before \
               anything is destroyed.";
    let hints = ToolAnnotations::new;
    vec![
        Tool::new("find", find, object(text_schema("query", "Words about the task, or a command")))
            .with_raw_output_schema(Arc::clone(&output))
            .with_annotations(hints().read_only(true).open_world(false)),
        Tool::new("read", read, object(argv_schema()))
            .with_raw_output_schema(Arc::clone(&output))
            .with_annotations(hints().read_only(true)),
        Tool::new("act", act, object(argv_schema()))
            .with_raw_output_schema(output)
            .with_annotations(hints().read_only(false).destructive(true)),
    ]
}

fn listed(names: &[&str]) -> String {
    let all = names.join(", ");
    if all.len() <= NAMES { all } else { format!("{} programs", names.len()) }
}

fn object(schema: Value) -> Arc<JsonObject> {
    Arc::new(match schema {
        Value::Object(members) => members,
        _ => JsonObject::new(),
    })
}

fn text_schema(name: &str, about: &str) -> Value {
    json!({
        "type": "object",
        "properties": {name: {"type": "string", "description": about}},
        "required": [name],
        "additionalProperties": false,
    })
}

fn argv_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"argv": {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 1,
            "description": "The program's name and its arguments, one item each. No shell: no quotes, pipes, globs \
                            or variables",
        }},
        "required": ["argv"],
        "additionalProperties": false,
    })
}

/// The envelope, for success and failure alike: what `response-envelope/1.0` promises, in short.
pub(crate) fn output_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "ok": {"type": "boolean"},
            "data": {"type": ["object", "array", "null"]},
            "error": {
                "type": ["object", "null"],
                "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
                "required": ["code", "message"],
            },
            "warnings": {"type": "array"},
            "meta": {"type": "object"},
        },
        "required": ["ok", "data", "error", "warnings", "meta"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,200 tokens of four bytes.
    const MOST: usize = 4800;

    #[test]
    fn the_definitions_are_small_whatever_the_programs_are() {
        let many: Vec<String> = (0..500).map(|it| format!("program-{it}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let long = "x".repeat(1000);
        for names in [&["git"][..], &many, &[&long]] {
            let bytes = serde_json::to_string(&definitions(names)).unwrap().len();
            assert!(bytes <= MOST, "{bytes} bytes");
        }
    }

    #[test]
    fn the_hints_say_what_is_enforced() {
        let tools = definitions(&["git"]);
        let hint = |at: usize| tools[at].annotations.as_ref().unwrap();
        assert_eq!(hint(0).read_only_hint, Some(true));
        assert_eq!(hint(1).read_only_hint, Some(true));
        assert_eq!((hint(2).read_only_hint, hint(2).destructive_hint), (Some(false), Some(true)));
        assert!(tools.iter().all(|tool| tool.output_schema == tools[0].output_schema));
    }

    fn request(tool: &str, arguments: &Value) -> Result<Request, BadRequest> {
        Request::new(tool, arguments.as_object().cloned())
    }

    #[test]
    fn only_lists_of_texts_are_calls() {
        let argv = json!({"argv": ["git", "log"]});
        let words = vec!["git".to_owned(), "log".to_owned()];
        assert_eq!(request("read", &argv), Ok(Request::Read(words.clone())));
        assert_eq!(request("act", &argv), Ok(Request::Act(words)));
        for arguments in [
            json!({}),
            json!({"argv": []}),
            json!({"argv": "git log"}),
            json!({"argv": ["git", 1]}),
            json!({"argv": [["git"]]}),
            json!({"argv": ["git"], "env": {"A": "b"}}),
            json!({"argv": ["git"], "cwd": "/"}),
            json!({"argv": ["git\u{0}"]}),
            json!({"argv": vec!["x"; 1025]}),
            json!({"argv": ["x".repeat(200_000)]}),
            json!({"query": "x"}),
        ] {
            let refused = request("read", &arguments);
            assert!(matches!(refused, Err(BadRequest::Arguments(_))), "{arguments}");
        }
        assert_eq!(request("git_log", &argv), Err(BadRequest::UnknownTool));
        assert!(matches!(request("find", &json!({"query": 1})), Err(BadRequest::Arguments(_))));
    }
}
