//! The program's side in TypeScript.

use super::{CHECKER, TEST_CHECKER, WIDTH, definition, key, payload_types, text};
use crate::File;
use crate::cases;
use crate::contract::Contract;
use crate::error::Error;
use crate::language::{checker_test, choices, facts, own_keys, retryable, test_facts};
use crate::layout::{Claim, Default, Given, GivenType, Layout, Part, Slot};
use crate::name::pascal;
use crate::template::Fill;
use manila::Stream;
use manila::json::Layout as Spelling;
use manila::table::Field;

const ENVELOPE: &str = include_str!("../../../templates/typescript/envelope.ts");
const TEST_ENVELOPE: &str = include_str!("../../../templates/typescript/envelope.test.ts");

#[expect(clippy::unnecessary_wraps, reason = "a language may refuse")]
pub(super) fn files(contract: &Contract) -> Result<Vec<File>, Error> {
    let layout = Layout::new(contract.table);
    let fill = producer_facts(contract, &layout, facts(contract, &layout));
    let source = fill.fill(ENVELOPE);
    // The spaces of a dialect that is neither pretty nor dense are Python's.
    let is_pretty = contract.table.success.style.layout == Spelling::Pretty;
    let spelled = if is_pretty { cases::spelled(contract, "n") } else { "\"n\":1".to_owned() };
    let fill = fill.text("spelled", text(&spelled));
    let fill = producer_test_facts(contract, &layout, test_facts(contract, &layout, fill));
    Ok(vec![
        File::new("envelope.ts", source),
        File::new("envelope.test.ts", fill.fill(TEST_ENVELOPE)),
    ])
}

fn producer_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let table = contract.table;
    let numbers: Vec<String> =
        contract.own_exits().map(|row| format!("{}: {},", row.exit.name(), row.status)).collect();
    let codes: Vec<String> =
        contract.codes.iter().map(|row| format!("{}: {},", key(&row.code), row.status)).collect();
    let claim_test = match layout.claim {
        Claim::Ok(_) => "claim !== (exitCode === 0)".to_owned(),
        Claim::Status(_) => "claim !== exitCode".to_owned(),
        Claim::Outcome(_, success) => {
            format!("(claim === {}) !== (exitCode === 0)", text(success))
        }
    };
    let name = |ok| match table.form(ok).stream {
        Stream::Stdout => "streams.stdout",
        Stream::Stderr => "streams.stderr",
    };
    let stream = if name(true) == name(false) {
        format!("const stream = {};", name(true))
    } else {
        format!("const stream = envelope.ok ? {} : {};", name(true), name(false))
    };
    let nothing_said = match layout.meta_name(Field::NotModified) {
        Some(name) => format!(
            "if (\n  result.exitCode === 0 &&\n  result.data === null &&\n  result.meta?.{name} !== true\n) {{"
        ),
        None => "if (result.exitCode === 0 && result.data === null) {".to_owned(),
    };
    let has_extras = layout.has_warnings() || layout.has_issues() || !layout.meta.is_empty();
    let is_pretty = table.success.style.layout == Spelling::Pretty;
    let own: Vec<String> = own_keys(layout).iter().map(|name| format!("{},", text(name))).collect();
    let numbers_again: Vec<String> = retryable(contract).iter().map(ToString::to_string).collect();
    fill.text("exit_codes", numbers.join("\n"))
        .text("error_exits", codes.join("\n"))
        .text("retryable", format!("new Set([{}])", numbers_again.join(", ")))
        .text("types", types(contract, layout))
        .flag("extras", has_extras)
        .text("succeed_signature", succeed_signature(has_extras))
        .text("spread_extras", if has_extras { ", ...extras" } else { "" })
        .text("fail_signature", fail_signature(layout, has_extras))
        .text("spread_fail_extras", if has_extras { ", ...extras" } else { "" })
        .text("error_literal", error_literal(layout))
        .text("kind_parameter", if layout.kind.is_some() { ", kind: string" } else { "" })
        .text("kind_value", if layout.kind.is_some() { ", kind" } else { "" })
        .text("respond_signature", respond_signature(contract, layout))
        .text("document", document(layout))
        .text("stream", stream)
        .text("spelling", if is_pretty { ", null, 2" } else { "" })
        .text("claim_test", claim_test)
        .text("nothing_said", nothing_said)
        .text("own_keys", own.join("\n"))
        .text("checker", CHECKER)
        .text("checker_test", checker_test(TEST_CHECKER, "program"))
}

fn producer_test_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let suggestion = layout.path(Field::Suggestion).and_then(|path| path.last().copied());
    let more = suggestion.map(|name| format!("{{ {name}: {} }}", text(cases::SUGGESTION)));
    let head = "  return program.fail(CODE, \"There is no such thing\"";
    let more = match more {
        Some(more) if head.len() + more.len() + 4 > WIDTH => {
            format!(", {{\n    {},\n  }}", more.trim_matches(['{', '}', ' ']))
        }
        Some(more) => format!(", {more}"),
        None => String::new(),
    };
    let cases = cases::Cases::new(contract, layout);
    let volatile: Vec<String> = cases
        .volatile
        .iter()
        .map(|(path, value)| {
            format!("change(document, {{ path: {}, value: {value} }});", text(path))
        })
        .collect();
    let kind =
        if layout.kind.is_some() { format!(", {}", text(cases::KIND)) } else { String::new() };
    let redirect = cases::redirect(contract, layout);
    fill.text("data", "{ id: \"deploy-42\", state: \"complete\" }")
        .text("kind_argument", kind)
        .text("volatile", volatile.join("\n"))
        .text("failure_code", text(&contract.any_code().code))
        .text("more_argument", more)
        .text("code", layout.code)
        .text("replacement", text(cases::REPLACEMENT))
        .text("redirect_code", redirect.map_or_else(String::new, |row| text(&row.code)))
}

fn succeed_signature(has_extras: bool) -> String {
    let mut parameters = vec!["data: T".to_owned()];
    parameters.extend(has_extras.then(|| "extras: Extras = {}".to_owned()));
    signature("export function succeed<T>", &parameters, "Result<T>")
}

fn fail_signature(layout: &Layout, has_extras: bool) -> String {
    let mut parameters = vec!["code: ErrorCode".to_owned(), "message: string".to_owned()];
    let has_more = !layout.error.is_empty();
    parameters.extend(has_more.then(|| "more: ErrorExtras = {}".to_owned()));
    parameters.extend(has_extras.then(|| "extras: Extras = {}".to_owned()));
    signature("export function fail", &parameters, "Result<never>")
}

fn respond_signature(contract: &Contract, layout: &Layout) -> String {
    let mut parameters = vec!["handler: () => Result<T> | Promise<Result<T>>".to_owned()];
    parameters.extend(layout.kind.map(|_| "kind: string".to_owned()));
    parameters.extend(contract.has_schemas().then(|| "command?: string".to_owned()));
    signature("export async function respond<T>", &parameters, "Promise<ResponseEnvelope<T>>")
}

fn signature(head: &str, parameters: &[String], returns: &str) -> String {
    let line = format!("{head}({}): {returns} {{", parameters.join(", "));
    if line.len() <= WIDTH {
        return line;
    }
    let lines: Vec<String> = parameters.iter().map(|one| format!("  {one},\n")).collect();
    format!("{head}(\n{}): {returns} {{", lines.concat())
}

fn error_literal(layout: &Layout) -> String {
    let mut members = vec![member(layout.code, "code"), member(layout.message, "message")];
    for given in &layout.error {
        let default = match given.default {
            Some(Default::Empty) if matches!(given.of, GivenType::Flag) => "false",
            Some(Default::Empty) => "\"\"",
            Some(Default::Null) => "null",
            Some(Default::Retryable) => "RETRYABLE.has(exitCode)",
            None => continue,
        };
        members.push(member(given.name, default));
    }
    members.extend((!layout.error.is_empty()).then(|| "...more".to_owned()));
    object(&members, "  const error: ErrorDetail = ".len(), 1, 1)
}

/// `name: value`, or the name alone where it is the value.
fn member(name: &str, value: &str) -> String {
    if name == value { name.to_owned() } else { format!("{}: {value}", key(name)) }
}

/// An object, on one line if it fits between what stands around it.
fn object(members: &[String], before: usize, behind: usize, depth: usize) -> String {
    let line = format!("{{ {} }}", members.join(", "));
    if before + line.len() + behind <= WIDTH && !line.contains('\n') {
        return line;
    }
    let indent = "  ".repeat(depth);
    let lines: Vec<String> = members.iter().map(|one| format!("{indent}  {one},\n")).collect();
    format!("{{\n{}{indent}}}", lines.concat())
}

/// The body of `toJSON()`.
fn document(layout: &Layout) -> String {
    if let Some(slots) = one_shape(layout) {
        return format!("return {};", object_lines(&slots, 0));
    }
    format!(
        "if (this.error === null) {{\n  return {};\n}}\nreturn {};",
        object_lines(&expressions(&layout.success, 1), 1),
        object_lines(&expressions(&layout.failure, 0), 0)
    )
}

fn object_lines(members: &[String], depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let lines: Vec<String> = members.iter().map(|one| format!("{indent}  {one},\n")).collect();
    format!("{{\n{}{indent}}}", lines.concat())
}

fn one_shape(layout: &Layout) -> Option<Vec<String>> {
    if !layout.has_one_shape() {
        return None;
    }
    let both = layout.success.iter().zip(&layout.failure);
    both.map(|(success, failure)| {
        let value = match (&success.part, &failure.part) {
            (Part::True, Part::False) => "this.ok".to_owned(),
            (Part::Data, Part::Null) => "this.data".to_owned(),
            (Part::Null, Part::Error(more)) if more.is_empty() => "this.error".to_owned(),
            (one, other) if one == other => expression(success, one, 0),
            _ => return None,
        };
        Some(member(success.name, &value))
    })
    .collect()
}

fn expressions(slots: &[Slot], depth: usize) -> Vec<String> {
    let one = |slot: &Slot| {
        let value = expression(slot, &slot.part, depth);
        if slot.name.is_empty() { value } else { member(slot.name, &value) }
    };
    slots.iter().map(one).collect()
}

fn expression(slot: &Slot, part: &Part, depth: usize) -> String {
    match part {
        Part::True => "true".to_owned(),
        Part::False => "false".to_owned(),
        Part::Text(literal) => text(literal),
        Part::ExitCode => "this.exitCode".to_owned(),
        Part::Kind => "this.kind".to_owned(),
        Part::Data => "this.data".to_owned(),
        Part::Payload => "...payload(this.data)".to_owned(),
        Part::Null => "null".to_owned(),
        Part::EmptyObject => "{}".to_owned(),
        Part::Error(more) | Part::Meta(more) => {
            let of = if matches!(part, Part::Error(_)) { "this.error" } else { "this.meta" };
            if more.is_empty() {
                return of.to_owned();
            }
            let is_stated =
                matches!(part, Part::Error(_)) || !more.iter().any(|it| it.part == Part::Cwd);
            let mut all = Vec::new();
            all.extend(is_stated.then(|| format!("...{of}")));
            all.extend(expressions(more, depth + 1));
            let before = 4 + 2 * (depth + 1) + slot.name.len() + 2;
            object(&all, before, 1, depth + 1)
        }
        Part::FlatError => "...this.error".to_owned(),
        Part::Warnings => "this.warnings".to_owned(),
        Part::Issues => "this.issues".to_owned(),
        Part::IssuesAndError => {
            "[...this.issues, { severity: \"error\", ...this.error }]".to_owned()
        }
        Part::DurationMs => "this.durationMs".to_owned(),
        Part::Timestamp => "new Date().toISOString().replace(/\\.\\d+/, \"\")".to_owned(),
        Part::Cwd => "process.cwd()".to_owned(),
    }
}

/// The types of what handlers state, and of every payload.
fn types(contract: &Contract, layout: &Layout) -> String {
    let mut all: Vec<String> = choices(&layout.error).iter().map(definition).collect();
    for given in &layout.error {
        if let GivenType::Object(name, members) = &given.of {
            all.push(interface(&pascal(name), given.doc, "", members, true));
        }
    }
    if !layout.error.is_empty() {
        let doc = "What an error may say beside its code and message.";
        all.push(interface("ErrorExtras", doc, "", &layout.error, false));
    }
    let extends = if layout.error.is_empty() { "" } else { " extends ErrorExtras" };
    all.push(format!(
        "/** What went wrong. */\nexport interface ErrorDetail{extends} {{\n  readonly {}: ErrorCode;\n  readonly {}: string;\n}}",
        layout.code, layout.message
    ));
    if !layout.meta.is_empty() {
        let doc = "What an answer may say about itself.";
        all.push(interface("ResponseMeta", doc, "", &layout.meta, false));
    }
    if layout.has_issues() {
        all.push(issue(layout));
    }
    all.extend(payload_types(contract));
    all.join("\n\n")
}

fn interface(name: &str, doc: &str, extends: &str, given: &[Given], is_whole: bool) -> String {
    let lines: Vec<String> =
        given.iter().map(|one| given_line(one, is_whole && one.default.is_some())).collect();
    format!("/** {doc} */\nexport interface {name}{extends} {{\n{}\n}}", lines.join("\n"))
}

fn issue(layout: &Layout) -> String {
    let mut lines = vec![
        "  readonly severity: \"error\" | \"warning\" | \"info\";".to_owned(),
        format!("  readonly {}: string;", layout.code),
        format!("  readonly {}?: string;", layout.message),
    ];
    lines.extend(layout.issue.iter().map(|one| given_line(one, false)));
    format!("/** Something that was found. */\nexport interface Issue {{\n{}\n}}", lines.join("\n"))
}

fn given_line(given: &Given, is_required: bool) -> String {
    let of = match &given.of {
        GivenType::Text if given.default == Some(Default::Null) => "string | null".to_owned(),
        GivenType::Text => "string".to_owned(),
        GivenType::Flag => "boolean".to_owned(),
        GivenType::Integer => "number".to_owned(),
        GivenType::OneOf(_) => pascal(given.name),
        GivenType::Json => "{ readonly [name: string]: Json }".to_owned(),
        GivenType::Object(name, _) => pascal(name),
    };
    let doc =
        if given.doc.is_empty() { String::new() } else { format!("  /** {} */\n", given.doc) };
    let mark = if is_required { "" } else { "?" };
    format!("{doc}  readonly {}{mark}: {of};", key(given.name))
}
