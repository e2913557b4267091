//! The languages, one file each with the same functions, and the table of them.

mod go;
mod python;
mod rust;
mod spell;
mod typescript;

use crate::answers;
use crate::by_hand;
use crate::cases::{self, Cases};
use crate::contract::{ClassRow, Contract};
use crate::decisions;
use crate::error::Error;
use crate::layout::{Claim, Default, Given, GivenType, Layout, Part, Slot};
use crate::name::pascal;
use crate::template::Fill;
use crate::types::{Body, Definition};
use crate::{File, MARK, Side};
use manila::Exit;
use manila::table::Field;
use serde_json::{Map, Value, json};

/// One language.
pub struct Language {
    /// Its name on the command line.
    pub name: &'static str,
    /// What its files are called, for people.
    pub title: &'static str,
    /// The ending of its sources, if a directory is one package and holds one side.
    pub(crate) one_side: Option<&'static str>,
    pub(crate) generate: fn(&Contract, Side) -> Result<Vec<File>, Error>,
}

/// Every language.
pub static LANGUAGES: &[&Language] =
    &[&typescript::LANGUAGE, &python::LANGUAGE, &go::LANGUAGE, &rust::LANGUAGE];

impl Language {
    /// The language of that name.
    pub fn find(name: &str) -> Option<&'static Language> {
        LANGUAGES.iter().copied().find(|language| language.name == name)
    }

    /// The file of the other side, if it cannot be in the same directory.
    pub fn rival(&self, side: Side) -> Option<String> {
        let stem = match side {
            Side::Producer => "client",
            Side::Caller => "envelope",
        };
        self.one_side.map(|ending| format!("{stem}.{ending}"))
    }
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A list of JSON values, one on each line.
fn json_lines(values: &[Value]) -> String {
    let lines: Vec<String> = values.iter().map(|value| format!("  {value}")).collect();
    raw(&format!("[\n{}\n]", lines.join(",\n")))
}

/// The members of a JSON object, one on each line.
fn json_members<'v>(members: impl IntoIterator<Item = (&'v String, &'v Value)>) -> String {
    let lines: Vec<String> = members
        .into_iter()
        .map(|(name, value)| format!("  {}: {value}", Value::from(name.as_str())))
        .collect();
    raw(&format!("{{\n{}\n}}", lines.join(",\n")))
}

/// JSON that can be in the raw strings of every language.
fn raw(json: &str) -> String {
    let json = json.replace('`', "\\u0060").replace("${", "\\u0024{");
    let json = json.replace("\"##", "\"\\u0023#");
    let is_hidden = |it: char| it != '\n' && spell::is_hidden(it);
    let spell = |it: char| match it {
        it if is_hidden(it) => format!("\\u{:04x}", u32::from(it)),
        it => it.to_string(),
    };
    if json.contains(is_hidden) { json.chars().map(spell).collect() } else { json }
}

/// JSON with every member on its own line.
fn json_pretty(value: &Value) -> String {
    raw(&format!("{value:#}"))
}

/// The choices between texts that handlers state, as types of their own.
fn choices(given: &[Given]) -> Vec<Definition> {
    let mut found = Vec::new();
    for one in given {
        match &one.of {
            GivenType::OneOf(texts) => found.push(Definition {
                name: pascal(one.name),
                doc: one.doc.to_owned(),
                body: Body::Choice(texts.iter().map(|text| (*text).to_owned()).collect()),
            }),
            GivenType::Object(_, members) => found.extend(choices(members)),
            _ => {}
        }
    }
    found
}

/// What the files of every language say alike.
fn facts(contract: &Contract, layout: &Layout) -> Fill {
    let table = contract.table;
    let truncated = layout.meta_name(Field::Truncated);
    let not_modified = layout.meta_name(Field::NotModified);
    let data_schemas: Vec<(String, Value)> = contract
        .commands
        .iter()
        .filter_map(|command| Some((command.path.clone(), command.schema.clone()?)))
        .collect();
    let claim = match layout.claim {
        Claim::Ok(name) | Claim::Status(name) | Claim::Outcome(name, _) => name,
    };
    Fill::default()
        .text("header", format!("{MARK} from {}.", contract.origin))
        .text("dialect", table.id)
        .flag("retryable", has_retryable(layout))
        .flag("warnings", layout.has_warnings())
        .flag("issues", layout.has_issues())
        .flag("meta", !layout.meta.is_empty())
        .flag("kind", layout.kind.is_some())
        .flag("page", truncated.is_some())
        .text("truncated", truncated.unwrap_or_default())
        .text("cursor", layout.meta_name(Field::Cursor).unwrap_or_default())
        .flag("cache", not_modified.is_some())
        .text("not_modified", not_modified.unwrap_or_default())
        .flag("data_needed", !layout.data_may_be_null)
        .text("claim", claim)
        .text("schema", json_pretty(&contract.envelope_schema))
        .flag("payload", layout.success.iter().any(|slot| slot.part == Part::Payload))
        .flag("timestamp", layout.success.iter().any(|slot| slot.part == Part::Timestamp))
        .flag("samples", !data_schemas.is_empty())
        .text(
            "data_schemas",
            json_members(data_schemas.iter().map(|(path, schema)| (path, schema))),
        )
        .text("definitions", json_pretty(&json!({ "$defs": contract.schemas })))
}

/// What the tests of every language say alike.
fn test_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let cases = Cases::new(contract, layout);
    let table = contract.table;
    let classes: Map<String, Value> =
        contract.own_exits().map(|row| (row.exit.name().to_owned(), json!(row.status))).collect();
    let codes: Map<String, Value> =
        contract.codes.iter().map(|row| (row.code.clone(), json!(row.status))).collect();
    let exits = json!({ "classes": classes, "codes": codes, "retryable": retryable(contract) });
    let samples: Vec<Value> =
        cases.samples.iter().map(|(path, good, bad)| json!([path, good, bad])).collect();
    let retryable = layout.path(Field::Retryable).and_then(|path| path.last().copied());
    let row = contract.any_code();
    fill.text("expected", json_members(&cases.expected))
        .text("broken", json_lines(&cases.broken))
        .text("accepted", json_lines(&cases.accepted))
        .flag("samples", !samples.is_empty())
        .text("samples", json_lines(&samples))
        .flag("volatile", !cases.volatile.is_empty())
        .text("failure_exit", row.status.to_string())
        .flag("redirect", cases::redirect(contract, layout).is_some())
        .text("redirect_exit", table.exits.status(Exit::Redirected).to_string())
        .text("exits", json_pretty(&exits))
        .text("retryable_key", retryable.unwrap_or_default())
        .text("success_stream", table.success.stream.as_str())
        .text("failure_stream", table.failure.stream.as_str())
        .text(
            "own_names",
            json_lines(&own_keys(layout).into_iter().map(Value::from).collect::<Vec<_>>()),
        )
}

/// The tests of the checker, which both sides have. A module is how they name what they test.
fn checker_test(template: &str, module: &str) -> String {
    Fill::default()
        .text("module", module)
        .text("keywords", json_lines(&cases::keywords()))
        .text("places", json_lines(&cases::places()))
        .fill(template)
}

/// The numbers after which the same call may be made again.
fn retryable(contract: &Contract) -> Vec<i32> {
    let rows = contract.table.exits.rows.iter().map(|row| row.status);
    rows.filter(|status| cases::is_retryable(contract, *status)).collect()
}

fn has_retryable(layout: &Layout) -> bool {
    layout.error.iter().any(|given| given.default == Some(Default::Retryable))
}

/// Every member that a payload at the top must not have.
fn own_keys(layout: &Layout) -> Vec<&'static str> {
    let mut names: Vec<&str> =
        layout.success.iter().chain(&layout.failure).map(|slot| slot.name).collect();
    names.extend(layout.error.iter().map(|given| given.name));
    names.extend(["data", "error", "ok", "status", "pagination"]);
    names.sort_unstable();
    names.dedup();
    names.retain(|name| !name.is_empty());
    names
}

/// What the callers' files of every language say alike.
fn caller_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let slot = |part: fn(&Part) -> bool| layout.failure.iter().find(|slot| part(&slot.part));
    let is_always = |slot: &&Slot| layout.success.iter().any(|it| it.name == slot.name);
    let error = slot(|part| matches!(part, Part::Error(_))).filter(is_always);
    let meta = slot(|part| matches!(part, Part::Meta(_)));
    let says_nothing = error.is_some() && layout.failure.iter().any(|slot| slot.part == Part::Null);
    let mut reasons: Vec<&str> = layout.meta_name(Field::NotModified).into_iter().collect();
    reasons.extend(contract.table.no_data);
    let reasons: Vec<String> = reasons.iter().map(|name| format!("\"{name}\"")).collect();
    let codes: Map<String, Value> =
        contract.commands.iter().map(|it| (it.path.clone(), json!(it.codes))).collect();
    fill.flag("error_always", error.is_some())
        .text("error_key", error.map_or("", |slot| slot.name))
        .flag("nothing_said", says_nothing)
        .text("meta_key", meta.map_or("", |slot| slot.name))
        .text("no_data", reasons.join(", "))
        .flag("issue_error", layout.failure.iter().any(|slot| slot.part == Part::IssuesAndError))
        .flag("coarse", contract.is_coarse())
        .flag("wait_ms", layout.path(Field::WaitMs).is_some())
        .flag(
            "wait_seconds",
            layout.path(Field::WaitMs).is_none() && layout.path(Field::WaitSeconds).is_some(),
        )
        .flag("has_redirect", layout.path(Field::Redirect).is_some())
        .text("command_codes", json_members(&codes))
        .text("cases", json_lines(&decisions::cases(contract)))
        .text("answers", json_lines(&answers::cases(contract, layout)))
        .text("classes", json_lines(&classes(contract)))
        .text("exit_rows", json_lines(&exit_rows(contract)))
        .text("by_hand", json_lines(&by_hand::cases(contract)))
        .flag(
            "has_wait",
            [Field::WaitMs, Field::WaitSeconds].iter().any(|it| layout.path(*it).is_some()),
        )
}

/// Each class with what a caller may conclude from it.
fn classes(contract: &Contract) -> Vec<Value> {
    let class = |row: &ClassRow| json!([row.exit.name(), row.retry.as_str(), row.effects.as_str()]);
    contract.classes.iter().map(class).collect()
}

/// Each exit code with its class.
fn exit_rows(contract: &Contract) -> Vec<Value> {
    contract.exits.iter().map(|row| json!([row.status, row.exit.name()])).collect()
}

/// The error codes of each command: a list, or the name of an equal one.
fn code_sets(contract: &Contract) -> Vec<(String, Result<Vec<String>, String>)> {
    let all: Vec<&String> = contract.codes.iter().map(|row| &row.code).collect();
    let mut sets: Vec<(String, Result<Vec<String>, String>)> = Vec::new();
    for command in &contract.commands {
        let name = format!("{}ErrorCode", command.name);
        let is_all = command.codes.iter().collect::<Vec<_>>() == all;
        let same = sets.iter().find(|(_, codes)| codes.as_ref() == Ok(&command.codes));
        let codes = match same {
            _ if is_all => Err("ErrorCode".to_owned()),
            Some((other, _)) => Err(other.clone()),
            None => Ok(command.codes.clone()),
        };
        sets.push((name, codes));
    }
    sets
}
