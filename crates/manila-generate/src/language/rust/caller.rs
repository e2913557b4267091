//! The callers' side in Rust.

use super::payload::{call, code, payload_types, type_alias};
use super::{CARGO, CHECKER, JSON, TEST_CHECKER, TEST_JSON, WIDTH, arm, sample, text};
use crate::contract::{Command, Contract, plain};
use crate::decisions;
use crate::error::Error;
use crate::language::{
    caller_facts, checker_test, code_sets, facts, json_lines, json_members, test_facts,
};
use crate::layout::{Claim, Layout, Part};
use crate::name::{pascal, snake};
use crate::template::Fill;
use crate::types::Body;
use crate::{File, Side};
use manila::Stream;
use manila::table::Field;
use serde_json::{Map, Value, json};

const CLIENT: &str = include_str!("../../../templates/rust/client.rs.txt");
const DECIDE: &str = include_str!("../../../templates/rust/decide.rs.txt");
const WORDS: &str = include_str!("../../../templates/rust/words.rs.txt");
const CONVERT: &str = include_str!("../../../templates/rust/convert.rs.txt");
const TEST_ANSWERS: &str = include_str!("../../../templates/rust/answers_test.rs.txt");
const TEST_CLIENT: &str = include_str!("../../../templates/rust/client_test.rs.txt");

pub(super) fn files(contract: &Contract) -> Result<Vec<File>, Error> {
    let layout = Layout::new(contract.table);
    let fill = caller_facts(contract, &layout, facts(contract, &layout));
    let fill = own_facts(contract, &layout, fill)?;
    let convert = fill.fill(CONVERT);
    let fill = fill.text("convert", convert);
    let (source, cargo) = (fill.fill(CLIENT), fill.fill(CARGO));
    let fill = own_test_facts(contract, &layout, test_facts(contract, &layout, fill));
    Ok(vec![
        File::new("Cargo.toml", cargo),
        File::new("client.rs", source),
        File::new("client_test.rs", fill.fill(TEST_CLIENT)),
    ])
}

fn own_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Result<Fill, Error> {
    let class = |name: &str| format!("ExitClass::{}", pascal(name));
    let lines = |lines: Vec<String>| lines.join("\n");
    let classes: Vec<String> =
        contract.classes.iter().map(|row| row.exit.name().to_owned()).collect();
    let conclusions = contract.classes.iter().map(|row| {
        let (retry, effects) = (pascal(row.retry.as_str()), pascal(row.effects.as_str()));
        format!("{} => (Retry::{retry}, Effects::{effects}),", class(row.exit.name()))
    });
    let exits =
        contract.exits.iter().map(|row| format!("{} => {},", row.status, class(row.exit.name())));
    let codes: Vec<String> = contract.codes.iter().map(|row| row.code.clone()).collect();
    let known = decisions::code_classes(contract).into_iter();
    let code_classes =
        known.map(|(code, exit)| format!("{} => return {},", text(code), class(exit.name())));
    let stream = match (contract.table.success.stream, contract.table.failure.stream) {
        (Stream::Stdout, Stream::Stdout) => "let (output, _) = (stdout, stderr);",
        (Stream::Stderr, Stream::Stderr) => "let (output, _) = (stderr, stdout);",
        _ => "let output = if exit_code == 0 { stdout } else { stderr };",
    };
    let claimed = match layout.claim {
        Claim::Ok(name) => format!("let claimed = flag(document.get({}));", text(name)),
        Claim::Status(name) => {
            format!("let claimed = Some(document.get({}) == Some(&Json::Integer(0)));", text(name))
        }
        Claim::Outcome(name, success) => format!(
            "let claimed = Some(text(document.get({})).as_deref() == Some({}));",
            text(name),
            text(success)
        ),
    };
    let data = match layout.success.iter().find(|slot| slot.part == Part::Data) {
        Some(slot) => format!("let data = document.get({}).cloned();", text(slot.name)),
        None => "let data = payload(&document);".to_owned(),
    };
    let is_issue = layout.failure.iter().any(|slot| slot.part == Part::IssuesAndError);
    let own = layout.success.iter().map(|slot| slot.name).filter(|name| !name.is_empty());
    let own: Vec<String> = own.map(text).collect();
    let has = |field| layout.path(field).is_some();
    let types = types(contract)?;
    let is_flag = matches!(layout.claim, Claim::Ok(_)) || has(Field::Retryable);
    let is_deep =
        !is_issue || has(Field::Warnings) || has(Field::Truncated) || types.contains("fits(");
    Ok(fill
        .text("crate", "client")
        .text("exit_class", code("ExitClass", &classes))
        .text("conclusions", lines(conclusions.collect()))
        .text("exits", lines(exits.collect()))
        .text("error_code", code("ErrorCode", &codes))
        .text("code_classes", lines(code_classes.collect()))
        .flag("has_members", types.contains("member("))
        .flag("has_optional", types.contains("optional("))
        .flag("has_variants", types.contains("fits("))
        .flag("no_codes", types.contains("Infallible"))
        .flag("types", !types.is_empty())
        .text("types", types)
        .text("stream", stream)
        .text("claimed", claimed)
        .text("data", data)
        .text("exit_argument", if is_issue { ", exit_code" } else { "" })
        .text("warnings", path(layout, Field::Warnings, "texts", "Vec::new()"))
        .text("not_modified", flag(layout, Field::NotModified))
        .text("truncated", flag(layout, Field::Truncated))
        .text("cursor", path(layout, Field::Cursor, "text", "None"))
        .text("failure_function", failure(layout, is_issue))
        .flag("has_at", is_deep)
        .flag("has_flags", is_flag)
        .flag("has_lists", has(Field::Warnings))
        .text("own_list", list("let own", &own))
        .text("decide", DECIDE)
        .text("words", WORDS)
        .text("checker", CHECKER)
        .text("checker_test", checker_test(TEST_CHECKER, ""))
        .text("json", JSON)
        .flag("command_functions", !contract.commands.is_empty())
        .text("command_functions", functions(contract)))
}

fn own_test_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let put_data = match layout.success.iter().find(|slot| slot.part == Part::Data) {
        Some(slot) => format!("document.insert({}.to_owned(), data.clone());", text(slot.name)),
        None => "document.remove(\"id\");\ndocument.remove(\"state\");\ndocument.insert(\"data\".to_owned(), data.clone());"
            .to_owned(),
    };
    let arms = |types: &dyn Fn(&Command) -> String| {
        let arm = |command: &Command| {
            let value = format!("has_types::<{}>(answer)", types(command));
            arm(&text(&command.path), &value, 8)
        };
        contract.commands.iter().map(arm).collect::<Vec<_>>().join("\n")
    };
    let readers = contract.commands.iter().map(|command| {
        let (path, function) = (text(&command.path), snake(&command.path));
        format!("{path} => {{\n    read_{function}(text, text, exit_code)?;\n}}")
    });
    let values = sample::caller(contract);
    let types = sample::objects(contract)
        .map(|(name, _)| arm(&text(name), &format!("is::<{name}>(value)"), 8));
    let (lines, names) = names(contract);
    fill.text("put_data", put_data)
        .text("failure_code", text(&contract.any_code().code))
        .text("typed", arms(&|it| format!("{}Data, {}ErrorCode", it.name, it.name)))
        .text("coded", arms(&|it| format!("Json, {}ErrorCode", it.name)))
        .text("readers", readers.collect::<Vec<_>>().join("\n"))
        .flag("has_values", !values.is_empty())
        .text("values", json_lines(&values))
        .text("value_types", types.collect::<Vec<_>>().join("\n"))
        .text("names", json_members(&names))
        .text("literals", lines)
        .text("json_test", TEST_JSON)
        .text("answers_test", TEST_ANSWERS)
}

/// A check of every enum of texts, and the texts of each.
fn names(contract: &Contract) -> (String, Map<String, Value>) {
    let classes = contract.classes.iter().map(|row| row.exit.name()).collect();
    let codes = contract.codes.iter().map(|row| row.code.as_str()).collect();
    let mut all: Vec<(String, Vec<&str>)> =
        vec![("ExitClass".to_owned(), classes), ("ErrorCode".to_owned(), codes)];
    for definition in &contract.definitions {
        if let Body::Choice(texts) = &definition.body {
            all.push((definition.name.clone(), texts.iter().map(String::as_str).collect()));
        }
    }
    let sets = code_sets(contract);
    for (name, codes) in &sets {
        if let Ok(codes) = codes {
            let is_some = !codes.is_empty();
            all.extend(is_some.then(|| (name.clone(), codes.iter().map(String::as_str).collect())));
        }
    }
    let lines: Vec<String> =
        all.iter().map(|(name, _)| format!("check::<{name}>({});", text(name))).collect();
    let names = all.into_iter().map(|(name, texts)| (name, json!(texts))).collect();
    (lines.join("\n"), names)
}

/// A list, on one line if rustfmt would have it there.
fn list(head: &str, items: &[String]) -> String {
    let line = items.join(", ");
    if line.len() <= 60 {
        return format!("{head} = [{line}];");
    }
    let lines: String = items.iter().map(|item| format!("    {item},\n")).collect();
    format!("{head} = [\n{lines}];")
}

/// Where a field stands, read by a function.
fn path(layout: &Layout, field: Field, convert: &str, absent: &str) -> String {
    layout.path(field).map_or(absent.to_owned(), |path| format!("{convert}({})", at(&path)))
}

fn at(path: &[&str]) -> String {
    let names: Vec<String> = path.iter().map(|name| text(name)).collect();
    format!("at(&document, &[{}])", names.join(", "))
}

fn flag(layout: &Layout, field: Field) -> String {
    let is_true = |path: Vec<&str>| format!("{} == Some(&Json::Bool(true))", at(&path));
    layout.path(field).map_or("false".to_owned(), is_true)
}

/// The function that reads the error, as far as the dialect has a place for its parts.
fn failure(layout: &Layout, is_issue: bool) -> String {
    let read = |field, convert: &str| {
        path(layout, field, convert, "None").replace("&document", "document")
    };
    let mut lines = Vec::new();
    let head = if is_issue {
        lines.push("let issues = document.list(\"issues\");".to_owned());
        lines.push("let is_error = |issue: &&Json| text(issue.get(\"severity\")).as_deref() == Some(\"error\");".to_owned());
        lines.push("let issue = issues.iter().find(is_error).or(issues.first());".to_owned());
        lines.push("let issue = issue.unwrap_or(&Json::Null);".to_owned());
        lines.push("let by_number = ExitClass::of(exit_code).as_text().to_owned();".to_owned());
        lines.push("let code = text(issue.get(\"code\")).unwrap_or(by_number);".to_owned());
        lines.push("let message = text(issue.get(\"message\")).or(Some(code.clone()));".to_owned());
        "fn failure(document: &Json, exit_code: i32) -> Failure<String> {"
    } else {
        lines.push(format!("let code = {};", read(Field::Code, "text")));
        lines.push("let code = code.unwrap_or_default();".to_owned());
        lines.push(format!("let message = {};", read(Field::Message, "text")));
        "fn failure(document: &Json) -> Failure<String> {"
    };
    lines.push("Failure {".to_owned());
    lines.push("    code,".to_owned());
    lines.push("    message: message.unwrap_or_default(),".to_owned());
    let wait = if let Some(path) = layout.path(Field::WaitMs) {
        format!("milliseconds({}, 1)", at(&path)).replace("&document", "document")
    } else if let Some(path) = layout.path(Field::WaitSeconds) {
        format!("milliseconds({}, 1000)", at(&path)).replace("&document", "document")
    } else {
        "None".to_owned()
    };
    let mut suggestion = read(Field::Suggestion, "text");
    if layout.has_empty_suggestion() {
        suggestion.push_str(".filter(|it| !it.is_empty())");
    }
    for (name, value) in [
        ("suggestion", suggestion),
        ("retryable", read(Field::Retryable, "flag")),
        ("wait_ms", wait),
        ("strategy", read(Field::Strategy, "text")),
        ("phase", read(Field::Phase, "text")),
        ("fix_required", read(Field::FixRequired, "text")),
        ("fix_command", read(Field::FixCommand, "text")),
        ("redirect", read(Field::Redirect, "redirect_of")),
    ] {
        // What an issue says is no more than its code and message.
        let value = if is_issue { "None" } else { &value };
        lines.push(format!("    {name}: {value},"));
    }
    lines.push("}".to_owned());
    let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    format!("{head}\n{lines}}}")
}

/// The types of payloads, of error codes and of answers.
fn types(contract: &Contract) -> Result<String, Error> {
    let mut all = payload_types(contract, Side::Caller)?;
    for ((name, codes), command) in code_sets(contract).into_iter().zip(&contract.commands) {
        all.push(match codes {
            Ok(codes) if codes.is_empty() => {
                format!("/// It has none.\npub type {name} = std::convert::Infallible;")
            }
            Ok(codes) => code(&name, &codes),
            Err(other) => format!("pub type {name} = {other};"),
        });
        let Command { name, .. } = command;
        let of = format!("Answer<{name}Data, {name}ErrorCode>");
        all.push(type_alias(&format!("{name}Answer"), &of));
    }
    Ok(all.join("\n\n"))
}

/// A reader for each command.
fn functions(contract: &Contract) -> String {
    let one = |command: &Command| {
        let (name, function) = (&command.name, snake(&command.path));
        let path = plain(&command.path);
        let of =
            if path.is_empty() { "the program itself".to_owned() } else { format!("`{path}`") };
        let parameters = ["stdout: &[u8]", "stderr: &[u8]", "exit_code: i32"];
        let head = format!("pub fn read_{function}(");
        let tail = format!(") -> Result<{name}Answer, Contradiction> {{");
        let line = format!("{head}{}{tail}", parameters.join(", "));
        let head = if line.len() <= WIDTH {
            line
        } else {
            format!("{head}\n    {},\n{tail}", parameters.join(",\n    "))
        };
        let command = format!("Some({})", text(&command.path));
        let arguments = ["stdout", "stderr", "exit_code", &command];
        let answer = call("    let answer = read", &arguments, "?;", 0);
        format!("/// Reads an answer of {of}.\n{head}\n{answer}    answer.typed()\n}}")
    };
    contract.commands.iter().map(one).collect::<Vec<_>>().join("\n\n")
}
