//! The program's side in Rust.

use super::payload::{choice, choice_checks, payload_types};
use super::{
    CARGO, CHECKER, JSON, TEST_CHECKER, TEST_JSON, arm, identifier, sample, stated, text, unique,
};
use crate::cases::{self, Cases};
use crate::contract::Contract;
use crate::error::Error;
use crate::language::{
    checker_test, choices, facts, json_members, own_keys, retryable, test_facts,
};
use crate::layout::{Claim, Default, Given, GivenType, Layout, Part, Slot};
use crate::name::pascal;
use crate::template::Fill;
use crate::types::Body;
use crate::{File, Side};
use manila::Stream;
use manila::table::Field;
use serde_json::{Map, Value, json};

const ENVELOPE: &str = include_str!("../../../templates/rust/envelope.rs.txt");
const TIMES: &str = include_str!("../../../templates/rust/times.txt");
const TEST_ENVELOPE: &str = include_str!("../../../templates/rust/envelope_test.rs.txt");

pub(super) fn files(contract: &Contract) -> Result<Vec<File>, Error> {
    let layout = Layout::new(contract.table);
    let fill = own_facts(contract, &layout, facts(contract, &layout))?;
    let (source, cargo) = (fill.fill(ENVELOPE), fill.fill(CARGO));
    let fill = own_test_facts(contract, &layout, test_facts(contract, &layout, fill));
    Ok(vec![
        File::new("Cargo.toml", cargo),
        File::new("envelope.rs", source),
        File::new("envelope_test.rs", fill.fill(TEST_ENVELOPE)),
    ])
}

fn own_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Result<Fill, Error> {
    let table = contract.table;
    let numbers: Vec<String> = contract
        .own_exits()
        .map(|row| format!("({}, {})", text(row.exit.name()), row.status))
        .collect();
    let codes = unique(contract.codes.iter().map(|row| row.code.as_str()));
    let all: Vec<String> = codes.iter().map(|(name, _)| format!("ErrorCode::{name}")).collect();
    let lines = |line: &dyn Fn(&str, &str, i32) -> String| {
        let rows = codes.iter().zip(&contract.codes);
        rows.map(|((name, code), row)| line(name, code, row.status)).collect::<Vec<_>>().join("\n")
    };
    let claim_test = match layout.claim {
        Claim::Ok(_) => "claim != Some(&Json::Bool(exit_code == 0))".to_owned(),
        Claim::Status(_) => "claim != Some(&Json::Integer(exit_code.into()))".to_owned(),
        Claim::Outcome(_, success) => {
            format!("(claim == Some(&text({}))) != (exit_code == 0)", text(success))
        }
    };
    let stream = match (table.success.stream, table.failure.stream) {
        (Stream::Stdout, Stream::Stdout) => "let (stream, _) = (stdout, stderr);",
        (Stream::Stderr, Stream::Stderr) => "let (stream, _) = (stderr, stdout);",
        _ => "let stream: &mut dyn Write = if envelope.ok() { stdout } else { stderr };",
    };
    let nothing_said = match layout.meta_name(Field::NotModified) {
        Some(name) => format!(
            "let is_cached = outcome.meta.{name} == Some(true);\nif outcome.exit_code == 0 && outcome.data.is_none() && !is_cached {{"
        ),
        None => "if outcome.exit_code == 0 && outcome.data.is_none() {".to_owned(),
    };
    let types = types(contract, layout)?;
    let own: Vec<String> = own_keys(layout).iter().map(|name| format!("{},", text(name))).collect();
    Ok(fill
        .text("exit_codes", array("pub const EXIT_CODES: &[(&str, i32)]", &numbers))
        .text("error_variants", lines(&|name, _, _| format!("{name},")))
        .text("error_all", array("pub const ALL: &'static [ErrorCode]", &all))
        .text(
            "error_texts",
            lines(&|name, code, _| arm(&format!("ErrorCode::{name}"), &text(code), 12)),
        )
        .text("error_exits", lines(&|name, _, status| format!("ErrorCode::{name} => {status},")))
        .flag("put_some", types.contains("put_some("))
        .text("types", types)
        .flag("exit_number", document(layout).contains("exit_number"))
        .text("document", document(layout))
        .text("nothing_said", nothing_said)
        .text("kind_value", if layout.kind.is_some() { "kind, " } else { "" })
        .text("stream", stream)
        .text("claim_test", claim_test)
        .text("own_keys", own.join("\n"))
        .text("checker", CHECKER)
        .text("checker_test", checker_test(TEST_CHECKER, ""))
        .text("json", JSON)
        .text("crate", "envelope"))
}

fn own_test_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let cases = Cases::new(contract, layout);
    let codes = unique(contract.codes.iter().map(|row| row.code.as_str()));
    let variant = |code: &str| {
        let found = codes.iter().find(|(_, own)| *own == code);
        found.map_or_else(String::new, |(name, _)| format!("ErrorCode::{name}"))
    };
    let code = variant(&contract.any_code().code);
    let message = text(cases::MESSAGE);
    let suggestion = layout.path(Field::Suggestion).and_then(|path| path.last().copied());
    let failure = match suggestion {
        Some(name) => {
            let rest = if layout.error.len() > 1 { "\n    ..ErrorExtras::default()" } else { "" };
            format!(
                "let more = ErrorExtras {{\n    {name}: Some({}.to_owned()),{rest}\n}};\nlet code = {code};\nfail(code, {message}, more)",
                text(cases::SUGGESTION)
            )
        }
        None => format!(
            "let more = ErrorExtras::default();\nlet code = {code};\nfail(code, {message}, more)"
        ),
    };
    let mut settled = "let document = envelope.document();\n".to_owned();
    for (number, (path, value)) in cases.volatile.iter().enumerate() {
        let (path, value) = (text(path), text(&value.to_string()));
        let change = format!("change(document, {path}, Some(&value))");
        let is_last = number + 1 == cases.volatile.len();
        let change = if is_last { change } else { format!("let document = {change};\n") };
        settled.push_str(&format!("let value = Json::parse({value}).unwrap();\n{change}"));
    }
    if cases.volatile.is_empty() {
        settled = "envelope.document()".to_owned();
    }
    let kind =
        if layout.kind.is_some() { format!("{}, ", text(cases::KIND)) } else { String::new() };
    let kind_last =
        if layout.kind.is_some() { format!(", {}", text(cases::KIND)) } else { String::new() };
    let redirect = cases::redirect(contract, layout).map(|row| variant(&row.code));
    let mut names = stated::choice_checks(layout);
    for definition in &contract.definitions {
        if let Body::Choice(texts) = &definition.body {
            names.extend(choice_checks(&definition.name, texts));
        }
    }
    let (functions, checks) = sample::producer(contract);
    let mut expected = Map::new();
    expected
        .insert("error".to_owned(), Value::Object(stated_error(layout, &contract.any_code().code)));
    expected.insert("meta".to_owned(), Value::Object(stated::document(&layout.meta)));
    if layout.has_issues() {
        let mut issue = stated_error(layout, "odd");
        issue.insert("severity".to_owned(), json!("warning"));
        expected.insert("issue".to_owned(), Value::Object(issue));
    }
    let is_empty = layout.error.is_empty();
    let more = stated::literal("ErrorExtras", &layout.error);
    let own: Vec<String> = own_keys(layout).iter().map(|name| format!("{},", text(name))).collect();
    let (code_name, message_name) = (identifier(layout.code), identifier(layout.message));
    let issue = stated::literal("Issue", &layout.issue).replacen(
        "{\n",
        &format!("{{\n    severity: \"warning\".to_owned(),\n    {code_name}: \"odd\".to_owned(),\n    {message_name}: Some(\"it failed\".to_owned()),\n"),
        1,
    );
    fill.text("failure", failure)
        .text("failure_code", &code)
        .flag("has_names", !names.is_empty())
        .text("name_checks", names.join("\n"))
        .flag("has_payloads", !functions.is_empty())
        .text("payload_values", functions)
        .text("payload_checks", checks)
        .text("stated", json_members(&expected))
        .flag("has_more", !is_empty)
        .text("more", format!("let more = {more};"))
        .text(
            "stated_meta",
            format!("let meta = {};", stated::literal("ResponseMeta", &layout.meta)),
        )
        .text("stated_issue", format!("let issue = {issue};"))
        .text("own_names_list", own.join("\n"))
        .text("json_test", TEST_JSON)
        .text("times", TIMES)
        .text("kind_last", kind_last)
        .text("settled", settled)
        .text("kind_argument", kind)
        .text("replacement", text(cases::REPLACEMENT))
        .text("redirect_code", redirect.unwrap_or_default())
}

/// An error that says everything, as JSON.
fn stated_error(layout: &Layout, code: &str) -> Map<String, Value> {
    let mut error = stated::document(&layout.error);
    error.insert(layout.code.to_owned(), json!(code));
    error.insert(layout.message.to_owned(), json!("it failed"));
    error
}

/// A constant list, on one line if rustfmt would have it there.
fn array(head: &str, items: &[String]) -> String {
    let inner = items.join(", ");
    if inner.len() <= 60 {
        return format!("{head} = &[{inner}];");
    }
    let lines: Vec<String> = items.iter().map(|item| format!("    {item},\n")).collect();
    format!("{head} = &[\n{}];", lines.concat())
}

/// The types of what handlers state, and of every payload.
fn types(contract: &Contract, layout: &Layout) -> Result<String, Error> {
    let mut all = Vec::new();
    for definition in choices(&layout.error) {
        if let Body::Choice(texts) = &definition.body {
            all.push(format!(
                "/// {}\n{}",
                definition.doc,
                choice(&definition.name, texts, Side::Producer)
            ));
        }
    }
    for given in &layout.error {
        if let GivenType::Object(name, members) = &given.of {
            all.push(object(&pascal(name), given.doc, members));
        }
    }
    all.push(extras(
        "ErrorExtras",
        "What an error may say beside its code and message.",
        &layout.error,
    ));
    all.push(error(contract, layout));
    if !layout.meta.is_empty() {
        all.push(extras("ResponseMeta", "What an answer may say about itself.", &layout.meta));
        all.push(format!(
            "impl ResponseMeta {{\n    fn put_into(&self, members: &mut Members) {{\n{}    }}\n}}",
            puts(&layout.meta, "self")
        ));
    }
    if layout.has_issues() {
        all.push(issue(layout));
    }
    all.extend(payload_types(contract, Side::Producer)?);
    Ok(all.join("\n\n"))
}

fn extras(name: &str, doc: &str, given: &[Given]) -> String {
    let fields: Vec<String> = given.iter().map(|one| field(one, false)).collect();
    format!(
        "/// {doc}\n#[derive(Clone, Debug, Default, PartialEq)]\npub struct {name} {{\n{}}}",
        fields.concat()
    )
}

fn field(given: &Given, is_required: bool) -> String {
    let of = match &given.of {
        GivenType::Text => "String".to_owned(),
        GivenType::Flag => "bool".to_owned(),
        GivenType::Integer => "i64".to_owned(),
        GivenType::OneOf(_) => pascal(given.name),
        GivenType::Json => "BTreeMap<String, Json>".to_owned(),
        GivenType::Object(name, _) => pascal(name),
    };
    let of = if is_required { of } else { format!("Option<{of}>") };
    let doc = if given.doc.is_empty() { String::new() } else { format!("    /// {}\n", given.doc) };
    format!("{doc}    pub {}: {of},\n", identifier(given.name))
}

fn object(name: &str, doc: &str, members: &[Given]) -> String {
    let fields: Vec<String> = members.iter().map(|one| field(one, one.default.is_some())).collect();
    let puts: Vec<String> = members
        .iter()
        .map(|one| {
            let (key, own) = (text(one.name), identifier(one.name));
            match one.default {
                Some(_) => format!("        put(&mut members, {key}, self.{own}.to_json());\n"),
                None => format!("        put_some(&mut members, {key}, &self.{own});\n"),
            }
        })
        .collect();
    format!(
        "/// {doc}\n#[derive(Clone, Debug, PartialEq)]\npub struct {name} {{\n{}}}\n\nimpl ToJson for {name} {{\n    fn to_json(&self) -> Json {{\n        let mut members = Members::new();\n{}        Json::Object(members)\n    }}\n}}",
        fields.concat(),
        puts.concat()
    )
}

/// The statements that write what is stated.
fn puts(given: &[Given], of: &str) -> String {
    let one = |one: &Given| {
        let (key, own) = (text(one.name), identifier(one.name));
        match one.default {
            Some(Default::Null) => format!("        put(members, {key}, {of}.{own}.to_json());\n"),
            Some(Default::Empty) => {
                let empty =
                    if matches!(one.of, GivenType::Flag) { "false" } else { "String::new()" };
                if empty == "false" {
                    format!(
                        "        put(members, {key}, Json::Bool({of}.{own}.unwrap_or(false)));\n"
                    )
                } else {
                    format!(
                        "        let {own} = {of}.{own}.clone().unwrap_or_default();\n        put(members, {key}, Json::Text({own}));\n"
                    )
                }
            }
            Some(Default::Retryable) => format!(
                "        let {own} = {of}.{own}.unwrap_or(self.is_retryable());\n        put(members, {key}, Json::Bool({own}));\n"
            ),
            None => format!("        put_some(members, {key}, &{of}.{own});\n"),
        }
    };
    given.iter().map(one).collect()
}

fn error(contract: &Contract, layout: &Layout) -> String {
    let has_retryable = layout.error.iter().any(|given| given.default == Some(Default::Retryable));
    let again: Vec<String> = retryable(contract).iter().map(ToString::to_string).collect();
    let is_retryable = match (has_retryable, again.is_empty()) {
        (false, _) => String::new(),
        (true, true) => "\n    /// Whether the same call may be made again.\n    fn is_retryable(&self) -> bool {\n        false\n    }\n".to_owned(),
        (true, false) => format!(
            "\n    /// Whether the same call may be made again.\n    fn is_retryable(&self) -> bool {{\n        matches!(self.code.exit_code(), {})\n    }}\n",
            again.join(" | ")
        ),
    };
    format!(
        "/// What went wrong.\n#[derive(Clone, Debug, PartialEq)]\npub struct ErrorDetail {{\n    pub code: ErrorCode,\n    pub message: String,\n    pub more: ErrorExtras,\n}}\n\nimpl ErrorDetail {{\n    fn put_into(&self, members: &mut Members) {{\n        put(members, {}, text(self.code.as_str()));\n        put(members, {}, text(&self.message));\n{}    }}\n{is_retryable}}}",
        text(layout.code),
        text(layout.message),
        puts(&layout.error, "self.more")
    )
}

fn issue(layout: &Layout) -> String {
    let fields: Vec<String> = layout.issue.iter().map(|one| field(one, false)).collect();
    let (code, message) = (identifier(layout.code), identifier(layout.message));
    format!(
        "/// Something that was found.\n#[derive(Clone, Debug, Default, PartialEq)]\npub struct Issue {{\n    pub severity: String,\n    pub {code}: String,\n    pub {message}: Option<String>,\n{}}}\n\nimpl ToJson for Issue {{\n    fn to_json(&self) -> Json {{\n        let mut issue = Members::new();\n        let members = &mut issue;\n        put(members, \"severity\", text(&self.severity));\n        put(members, {}, text(&self.{code}));\n        put_some(members, {}, &self.{message});\n{}        Json::Object(issue)\n    }}\n}}",
        fields.concat(),
        text(layout.code),
        text(layout.message),
        puts(&layout.issue, "self")
    )
}

/// The body of `document()`.
fn document(layout: &Layout) -> String {
    let mut lines = vec!["let mut members = Members::new();".to_owned()];
    lines.push("if let Some(error) = &outcome.error {".to_owned());
    lines.extend(statements(&layout.failure).into_iter().map(|line| format!("    {line}")));
    lines.push("} else {".to_owned());
    lines.extend(statements(&layout.success).into_iter().map(|line| format!("    {line}")));
    lines.push("}".to_owned());
    lines.push("Json::Object(members)".to_owned());
    lines.join("\n")
}

fn statements(slots: &[Slot]) -> Vec<String> {
    let mut lines = Vec::new();
    for slot in slots {
        let put = |value: &str| format!("put(&mut members, {}, {value});", text(slot.name));
        match &slot.part {
            Part::FlatError => lines.push("error.put_into(&mut members);".to_owned()),
            Part::Payload => {
                lines.push("put_payload(&mut members, outcome.data.to_json());".to_owned());
            }
            Part::Error(more) => {
                lines.push("let mut inner = Members::new();".to_owned());
                lines.push("error.put_into(&mut inner);".to_owned());
                lines.extend(computed(more));
                lines.push(put("Json::Object(inner)"));
            }
            Part::Meta(more) => {
                lines.push("let mut inner = Members::new();".to_owned());
                if !more.iter().any(|slot| slot.part == Part::Cwd) {
                    lines.push("outcome.meta.put_into(&mut inner);".to_owned());
                }
                lines.extend(computed(more));
                lines.push(put("Json::Object(inner)"));
            }
            Part::IssuesAndError => {
                lines.push("let mut inner = Members::new();".to_owned());
                lines.push("put(&mut inner, \"severity\", text(\"error\"));".to_owned());
                lines.push("error.put_into(&mut inner);".to_owned());
                lines.push("let mut issues = Vec::new();".to_owned());
                lines.push("issues.extend(outcome.issues.iter().map(Issue::to_json));".to_owned());
                lines.push("issues.push(Json::Object(inner));".to_owned());
                lines.push(put("Json::List(issues)"));
            }
            part => lines.push(put(&expression(part))),
        }
    }
    lines
}

fn computed(slots: &[Slot]) -> Vec<String> {
    let mut lines = Vec::new();
    for slot in slots {
        if slot.part == Part::DurationMs {
            lines.push("let duration = self.duration.as_millis() as i64;".to_owned());
        }
        if slot.part == Part::Cwd {
            lines.push("let cwd = std::env::current_dir().unwrap_or_default();".to_owned());
        }
        lines.push(format!("put(&mut inner, {}, {});", text(slot.name), expression(&slot.part)));
    }
    lines
}

fn expression(part: &Part) -> String {
    match part {
        Part::True => "Json::Bool(true)".to_owned(),
        Part::False => "Json::Bool(false)".to_owned(),
        Part::Text(one) => format!("text({})", text(one)),
        Part::ExitCode => "self.exit_number()".to_owned(),
        Part::Kind => "text(&self.kind)".to_owned(),
        Part::Data => "outcome.data.to_json()".to_owned(),
        Part::Null => "Json::Null".to_owned(),
        Part::EmptyObject => "Json::Object(Members::new())".to_owned(),
        Part::Warnings => "outcome.warnings.to_json()".to_owned(),
        Part::Issues => "outcome.issues.to_json()".to_owned(),
        Part::DurationMs => "Json::Integer(duration)".to_owned(),
        Part::Timestamp => "text(&now())".to_owned(),
        Part::Cwd => "text(&cwd.to_string_lossy())".to_owned(),
        _ => String::new(),
    }
}
