//! The program's side in Go.

use super::{
    CHECKER, TEST_CHECKER, check_declared, comment, constants, fields_of, payload_types, text,
    unique, with_imports,
};
use crate::File;
use crate::cases::{self, Cases};
use crate::contract::Contract;
use crate::error::Error;
use crate::language::{checker_test, choices, facts, json_lines, own_keys, retryable, test_facts};
use crate::layout::{Claim, Default, Given, GivenType, Layout, Part, Slot};
use crate::name::pascal;
use crate::template::Fill;
use crate::types::{Body, Definition};
use manila::Stream;
use manila::json::Layout as Spelling;
use manila::table::Field;

const ENVELOPE: &str = include_str!("../../../templates/go/envelope.go");
const TEST_ENVELOPE: &str = include_str!("../../../templates/go/envelope_test.go");

pub(super) fn files(contract: &Contract) -> Result<Vec<File>, Error> {
    let layout = Layout::new(contract.table);
    let fill = own_facts(contract, &layout, facts(contract, &layout))?;
    let (fill, source) = with_imports(fill, ENVELOPE);
    check_declared(&source)?;
    let fill = own_test_facts(contract, &layout, test_facts(contract, &layout, fill));
    let (_, test) = with_imports(fill, TEST_ENVELOPE);
    Ok(vec![File::new("envelope.go", source), File::new("envelope_test.go", test)])
}

fn own_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Result<Fill, Error> {
    let table = contract.table;
    let constants: Vec<String> = contract
        .own_exits()
        .map(|row| format!("const Exit{} = {}", pascal(row.exit.name()), row.status))
        .collect();
    let names: Vec<String> =
        contract.own_exits().map(|row| format!("\"{}\":", row.exit.name())).collect();
    let width = names.iter().map(String::len).max().unwrap_or_default();
    let numbers: Vec<String> = contract
        .own_exits()
        .zip(&names)
        .map(|(row, name)| format!("{name:<width$} Exit{},", pascal(row.exit.name())))
        .collect();
    let codes = unique(contract.codes.iter().map(|row| row.code.as_str()), "Code");
    let code_constants: Vec<String> = codes
        .iter()
        .map(|(name, code)| format!("const {name} ErrorCode = {}", text(code)))
        .collect();
    let claim_test = match layout.claim {
        Claim::Ok(_) => "claim != (exitCode == 0)".to_owned(),
        Claim::Status(_) => "!isEqual(claim, float64(exitCode))".to_owned(),
        Claim::Outcome(_, success) => format!("(claim == {}) != (exitCode == 0)", text(success)),
    };
    let stream = match (table.success.stream, table.failure.stream) {
        (Stream::Stdout, Stream::Stdout) => "stream := stdout".to_owned(),
        (Stream::Stderr, Stream::Stderr) => "stream := stderr".to_owned(),
        _ => "stream := stdout\nif !envelope.OK() {\n\tstream = stderr\n}".to_owned(),
    };
    let nothing_said = match layout.meta_name(Field::NotModified) {
        Some(name) => {
            format!("result.ExitCode == 0 && result.Data == nil && !result.Meta.{}", pascal(name))
        }
        None => "result.ExitCode == 0 && result.Data == nil".to_owned(),
    };
    let again: Vec<String> = retryable(contract).iter().map(ToString::to_string).collect();
    let again = if again.is_empty() {
        String::new()
    } else {
        format!("case {}:\n\treturn true", again.join(", "))
    };
    let own: Vec<String> = own_keys(layout).iter().map(|name| text(name)).collect();
    let document = document(layout);
    let is_pretty = table.success.style.layout == Spelling::Pretty;
    let kind = if layout.kind.is_some() { ", kind string" } else { "" };
    let name = |field| layout.meta_name(field).map(pascal).unwrap_or_default();
    Ok(fill
        .text("exit_constants", constants.join("\n"))
        .text("exit_codes", numbers.join("\n"))
        .text("error_constants", code_constants.join("\n"))
        .text("error_exits", exits(contract, &codes))
        .text("retryable", again)
        .text("types", types(contract, layout)?)
        .text("result_fields", result_fields(layout))
        .text("fail", fail(layout))
        .text("truncated_field", name(Field::Truncated))
        .text("cursor_field", name(Field::Cursor))
        .text("not_modified_literal", format!("ResponseMeta{{{}: true}}", name(Field::NotModified)))
        .flag("merge", document.contains("merged("))
        .text("document", document)
        .text(
            "respond_signature",
            format!("func Respond[T any](handler func() Result[T]{kind}) (*ResponseEnvelope[T], error) {{"),
        )
        .text("nothing_said", nothing_said)
        .text("stream", stream)
        .text("marshal", if is_pretty { "MarshalIndent(envelope, \"\", \"  \")" } else { "Marshal(envelope)" })
        .text("claim_test", claim_test)
        .text("own_keys", own.join(", "))
        .text("checker", CHECKER)
        .text("checker_test", checker_test(TEST_CHECKER, "")))
}

fn own_test_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let cases = Cases::new(contract, layout);
    let row = contract.any_code();
    let codes = unique(contract.codes.iter().map(|row| row.code.as_str()), "Code");
    let constant = |code: &str| {
        codes
            .iter()
            .find(|(_, own)| *own == code)
            .map_or_else(|| text(code), |(name, _)| name.clone())
    };
    let suggestion = layout.error.iter().find(|given| {
        layout.path(Field::Suggestion).is_some_and(|path| path.last() == Some(&given.name))
    });
    let code = constant(&row.code);
    let message = text(cases::MESSAGE);
    let failure = match suggestion {
        Some(given) if given.default == Some(Default::Null) => format!(
            "Fail[T]({code}, {message}, ErrorExtras{{{}: pointer({})}})",
            pascal(given.name),
            text(cases::SUGGESTION)
        ),
        Some(given) => format!(
            "Fail[T]({code}, {message}, ErrorExtras{{{}: {}}})",
            pascal(given.name),
            text(cases::SUGGESTION)
        ),
        None => format!("Fail[T]({code}, {message}, ErrorExtras{{}})"),
    };
    let volatile: Vec<String> = cases
        .volatile
        .iter()
        .map(|(path, value)| format!("change(found, {}, json.RawMessage(`{value}`))", text(path)))
        .collect();
    let kind =
        if layout.kind.is_some() { format!(", {}", text(cases::KIND)) } else { String::new() };
    let redirect = cases::redirect(contract, layout).map(|row| constant(&row.code));
    let retryable = layout.path(Field::Retryable).and_then(|path| path.last().copied());
    let retryable = retryable.map(pascal).unwrap_or_default();
    let (constants, names) = constants(contract, &choices(&layout.error));
    let own: Vec<String> = own_keys(layout).iter().map(|name| text(name)).collect();
    fill.text("failure", failure)
        .text("failure_code", code)
        .flag("has_names", !names.is_empty())
        .text("names", json_lines(&names))
        .text("constants", constants)
        .text("own_keys_go", format!("{{{}}}", own.join(", ")))
        .text("retryable_stated", format!("ErrorExtras{{{retryable}: &again}}"))
        .text("volatile", volatile.join("\n"))
        .text("kind_argument", kind)
        .text("replacement", text(cases::REPLACEMENT))
        .text("redirect_code", redirect.unwrap_or_default())
        .text("no_extras", ", ErrorExtras{}")
        .text("retryable_field", retryable)
        .flag("pointer", suggestion.is_some_and(|given| given.default == Some(Default::Null)))
}

/// The cases of the switch from codes to numbers.
fn exits(contract: &Contract, codes: &[(String, &str)]) -> String {
    let mut numbers: Vec<i32> = contract.codes.iter().map(|row| row.status).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let one = |number: &i32| {
        let rows = contract.codes.iter().zip(codes).filter(|(row, _)| row.status == *number);
        let names: Vec<&str> = rows.map(|(_, (name, _))| name.as_str()).collect();
        format!("case {}:\n\treturn {number}", names.join(", "))
    };
    numbers.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn result_fields(layout: &Layout) -> String {
    let field =
        |name: &str, of: &str| (String::new(), name.to_owned(), of.to_owned(), String::new());
    let mut fields =
        vec![field("ExitCode", "int"), field("Data", "*T"), field("Err", "*ErrorDetail")];
    fields.extend(layout.has_warnings().then(|| field("Warnings", "[]string")));
    fields.extend(layout.has_issues().then(|| field("Issues", "[]Issue")));
    fields.extend((!layout.meta.is_empty()).then(|| field("Meta", "ResponseMeta")));
    fields_of(&fields).lines().map(str::trim_start).collect::<Vec<_>>().join("\n")
}

fn fail(layout: &Layout) -> String {
    let mut lines = vec![
        "func Fail[T any](code ErrorCode, message string, more ErrorExtras) Result[T] {".to_owned(),
        "\texitCode := code.ExitCode()".to_owned(),
    ];
    for given in &layout.error {
        if given.default == Some(Default::Retryable) {
            let name = pascal(given.name);
            lines.push(format!(
                "\tif more.{name} == nil {{\n\t\tretryable := isRetryable(exitCode)\n\t\tmore.{name} = &retryable\n\t}}"
            ));
        }
    }
    let (code, message) = (pascal(layout.code), pascal(layout.message));
    lines.push(format!(
        "\terr := &ErrorDetail{{{code}: code, {message}: message, ErrorExtras: more}}\n\treturn Result[T]{{ExitCode: exitCode, Err: err}}\n}}"
    ));
    lines.join("\n")
}

/// The statements that make the document.
fn document(layout: &Layout) -> String {
    let mut lines = Vec::new();
    if layout.has_one_shape() && is_uniform(layout) {
        lines.push("document := map[string]any{}".to_owned());
        for (success, failure) in layout.success.iter().zip(&layout.failure) {
            let value = match (&success.part, &failure.part) {
                (Part::True, Part::False) => "envelope.OK()".to_owned(),
                (Part::Null, Part::Error(_)) => "result.Err".to_owned(),
                (part, _) => expression(part),
            };
            lines.push(format!("document[{}] = {value}", text(success.name)));
        }
        lines.push("return json.Marshal(document)".to_owned());
        return lines.join("\n");
    }
    lines.push("if envelope.OK() {".to_owned());
    lines.extend(statements(&layout.success).iter().map(|line| format!("\t{line}")));
    lines.push("}".to_owned());
    lines.extend(statements(&layout.failure));
    lines.join("\n")
}

/// Whether one expression serves both outcomes for each member.
fn is_uniform(layout: &Layout) -> bool {
    layout.success.iter().zip(&layout.failure).all(|(success, failure)| {
        match (&success.part, &failure.part) {
            (Part::True, Part::False) | (Part::Data, Part::Null) => true,
            (Part::Null, Part::Error(more)) => more.is_empty(),
            (one, other) => one == other,
        }
    })
}

fn statements(slots: &[Slot]) -> Vec<String> {
    let mut lines = Vec::new();
    let is_flat = slots.iter().any(|slot| slot.part == Part::FlatError);
    let start = if is_flat { "merged(result.Err, nil)" } else { "map[string]any{}" };
    lines.push(format!("document := {start}"));
    let mut end = "return json.Marshal(document)";
    for slot in slots {
        match &slot.part {
            Part::FlatError => {}
            Part::Payload => end = "return json.Marshal(withPayload(document, result.Data))",
            Part::IssuesAndError => {
                lines.push("issues := []any{}".to_owned());
                lines.push("for _, issue := range result.Issues {".to_owned());
                lines.push("\tissues = append(issues, issue)".to_owned());
                lines.push("}".to_owned());
                lines.push(
                    "issues = append(issues, merged(result.Err, map[string]any{\"severity\": \"error\"}))"
                        .to_owned(),
                );
                lines.push(format!("document[{}] = issues", text(slot.name)));
            }
            part => lines.push(format!("document[{}] = {}", text(slot.name), expression(part))),
        }
    }
    lines.push(end.to_owned());
    lines
}

fn expression(part: &Part) -> String {
    match part {
        Part::True => "true".to_owned(),
        Part::False => "false".to_owned(),
        Part::Text(one) => text(one),
        Part::ExitCode => "result.ExitCode".to_owned(),
        Part::Kind => "envelope.kind".to_owned(),
        Part::Data => "result.Data".to_owned(),
        Part::Null => "nil".to_owned(),
        Part::EmptyObject => "map[string]any{}".to_owned(),
        Part::Error(more) | Part::Meta(more) => {
            let of = if matches!(part, Part::Error(_)) { "result.Err" } else { "result.Meta" };
            if more.is_empty() {
                return of.to_owned();
            }
            let members: Vec<String> = more
                .iter()
                .map(|slot| format!("{}: {}", text(slot.name), expression(&slot.part)))
                .collect();
            let members = format!("map[string]any{{{}}}", members.join(", "));
            let is_stated =
                matches!(part, Part::Error(_)) || !more.iter().any(|slot| slot.part == Part::Cwd);
            if is_stated { format!("merged({of}, {members})") } else { members }
        }
        Part::Warnings => "append([]string{}, result.Warnings...)".to_owned(),
        Part::Issues => "append([]Issue{}, result.Issues...)".to_owned(),
        Part::DurationMs => "envelope.durationMs".to_owned(),
        Part::Timestamp => "now().UTC().Format(\"2006-01-02T15:04:05Z\")".to_owned(),
        Part::Cwd => "workingDirectory()".to_owned(),
        Part::Payload | Part::FlatError | Part::IssuesAndError => String::new(),
    }
}

/// The types of what handlers state, and of every payload.
fn types(contract: &Contract, layout: &Layout) -> Result<String, Error> {
    let mut all: Vec<String> = Vec::new();
    for Definition { name, doc, body } in choices(&layout.error) {
        all.push(format!("{}type {name} string", comment(&name, &doc)));
        if let Body::Choice(texts) = body {
            let constants: Vec<String> = unique(texts.iter().map(String::as_str), &name)
                .iter()
                .map(|(constant, value)| format!("const {constant} {name} = {}", text(value)))
                .collect();
            all.push(constants.join("\n"));
        }
    }
    for given in &layout.error {
        if let GivenType::Object(name, members) = &given.of {
            let name = pascal(name);
            all.push(structure(&name, given.doc, members, true));
        }
    }
    let doc = "what an error may say beside its code and message.";
    all.push(structure("ErrorExtras", doc, &layout.error, false));
    let plain = |name: &str, of: &str, key: &str| {
        (String::new(), pascal(name), of.to_owned(), format!("`json:\"{key}\"`"))
    };
    let own = [
        plain(layout.code, "ErrorCode", layout.code),
        plain(layout.message, "string", layout.message),
    ];
    all.push(format!(
        "// ErrorDetail: what went wrong.\ntype ErrorDetail struct {{\n{}\n\n\tErrorExtras\n}}",
        fields_of(&own)
    ));
    if !layout.meta.is_empty() {
        all.push(structure(
            "ResponseMeta",
            "what an answer may say about itself.",
            &layout.meta,
            false,
        ));
    }
    if layout.has_issues() {
        let field = |name: &str, key: &str| {
            (String::new(), name.to_owned(), "string".to_owned(), format!("`json:\"{key}\"`"))
        };
        let mut fields = vec![
            field("Severity", "severity"),
            field(&pascal(layout.code), layout.code),
            field(&pascal(layout.message), &format!("{},omitempty", layout.message)),
        ];
        fields.extend(
            layout.issue.iter().map(|given| member(&Given { doc: "", ..given.clone() }, false)),
        );
        all.push(format!(
            "// Issue: something that was found.\ntype Issue struct {{\n{}\n}}",
            fields_of(&fields)
        ));
    }
    if layout.failure.iter().any(
        |slot| matches!(&slot.part, Part::Meta(more) if more.iter().any(|it| it.part == Part::Cwd)),
    ) {
        all.push(
            "func workingDirectory() string {\n\tpath, _ := os.Getwd()\n\treturn path\n}"
                .to_owned(),
        );
    }
    all.extend(payload_types(contract)?);
    Ok(all.join("\n\n"))
}

fn structure(name: &str, doc: &str, given: &[Given], is_whole: bool) -> String {
    let fields: Vec<_> =
        given.iter().map(|one| member(one, is_whole && one.default.is_some())).collect();
    format!("{}type {name} struct {{\n{}\n}}", comment(name, doc), fields_of(&fields))
}

fn member(given: &Given, is_required: bool) -> (String, String, String, String) {
    let is_written = is_required || matches!(given.default, Some(Default::Empty | Default::Null));
    let option = if is_written { "" } else { ",omitempty" };
    let of = match &given.of {
        GivenType::Text if given.default == Some(Default::Null) => "*string".to_owned(),
        GivenType::Text => "string".to_owned(),
        GivenType::Flag if given.default == Some(Default::Retryable) => "*bool".to_owned(),
        GivenType::Flag => "bool".to_owned(),
        GivenType::Integer => "*int".to_owned(),
        GivenType::OneOf(_) => pascal(given.name),
        GivenType::Json => "map[string]any".to_owned(),
        GivenType::Object(name, _) => format!("*{}", pascal(name)),
    };
    let tag = format!("`json:\"{}{option}\"`", given.name);
    (given.doc.to_owned(), pascal(given.name), of, tag)
}
