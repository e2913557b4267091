//! The callers' side in TypeScript.

use super::{CHECKER, TEST_CHECKER, WIDTH, alias, key, payload_types, text};
use crate::File;
use crate::contract::Contract;
use crate::decisions;
use crate::error::Error;
use crate::language::spell::at;
use crate::language::{caller_facts, checker_test, code_sets, facts, test_facts};
use crate::layout::{Claim, Layout, Part};
use crate::template::Fill;
use manila::Stream;
use manila::table::Field;

const CLIENT: &str = include_str!("../../../templates/typescript/client.ts");
const DECIDE: &str = include_str!("../../../templates/typescript/decide.ts");
const TEST_CLIENT: &str = include_str!("../../../templates/typescript/client.test.ts");

#[expect(clippy::unnecessary_wraps, reason = "a language may refuse")]
pub(super) fn files(contract: &Contract) -> Result<Vec<File>, Error> {
    let layout = Layout::new(contract.table);
    let fill = caller_facts(contract, &layout, facts(contract, &layout));
    let fill = own_facts(contract, &layout, fill);
    let source = fill.fill(CLIENT);
    let fill = own_test_facts(contract, &layout, test_facts(contract, &layout, fill));
    Ok(vec![File::new("client.ts", source), File::new("client.test.ts", fill.fill(TEST_CLIENT))])
}

fn own_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let lines = |lines: Vec<String>| lines.join("\n");
    let classes: Vec<String> = contract.classes.iter().map(|row| text(row.exit.name())).collect();
    let exits =
        contract.exits.iter().map(|row| format!("[{}, {}],", row.status, text(row.exit.name())));
    let conclusions = contract.classes.iter().map(|row| {
        let (retry, effects) = (row.retry.as_str(), row.effects.as_str());
        format!("{}: [{}, {}],", row.exit.name(), text(retry), text(effects))
    });
    let codes: Vec<String> = contract.codes.iter().map(|row| text(&row.code)).collect();
    let known = decisions::code_classes(contract).into_iter();
    let known = known.map(|(code, exit)| format!("[{}, {}],", text(code), text(exit.name())));
    let name = |ok| match contract.table.form(ok).stream {
        Stream::Stdout => "stdout",
        Stream::Stderr => "stderr",
    };
    let stream = match (name(true), name(false)) {
        (one, other) if one == other => one.to_owned(),
        (one, other) => format!("exitCode === 0 ? {one} : {other}"),
    };
    let claimed = match layout.claim {
        Claim::Ok(name) => format!("flag(document[{}])", text(name)),
        Claim::Status(name) => format!("document[{}] === 0", text(name)),
        Claim::Outcome(name, success) => format!("document[{}] === {}", text(name), text(success)),
    };
    let data = match layout.success.iter().find(|slot| slot.part == Part::Data) {
        Some(slot) => format!("document[{}]", text(slot.name)),
        None => "payload(document)".to_owned(),
    };
    let is_issue = layout.failure.iter().any(|slot| slot.part == Part::IssuesAndError);
    let has_flags = matches!(layout.claim, Claim::Ok(_)) || layout.path(Field::Retryable).is_some();
    let has_lists = is_issue || layout.path(Field::Warnings).is_some();
    let is_coarse = contract.is_coarse();
    fill.text("exit_class_type", alias("ExitClass", &classes))
        .text("exits", lines(exits.collect()))
        .text("conclusions", lines(conclusions.collect()))
        .text("code_classes", lines(known.collect()))
        .text("error_code_type", alias("ErrorCode", &codes))
        .flag("types", !contract.commands.is_empty())
        .text("types", types(contract))
        .flag("commands", !contract.commands.is_empty())
        .text("stream", stream)
        .text("claimed", claimed)
        .text("data", data)
        .text("exit_argument", if is_issue { ", exitCode" } else { "" })
        .text("code_argument", if is_coarse { ", error?.code ?? \"\"" } else { "" })
        .text("warnings", list(layout, Field::Warnings))
        .text("not_modified", flag(layout, Field::NotModified))
        .text("truncated", flag(layout, Field::Truncated))
        .text("cursor", optional("text", layout, Field::Cursor))
        .text("failure_function", failure(layout, is_issue))
        .flag("has_flags", has_flags)
        .flag("has_lists", has_lists)
        .text("own_set", own_set(layout))
        .text("decide", DECIDE)
        .text("checker", CHECKER)
        .text("checker_test", checker_test(TEST_CHECKER, "client"))
}

fn own_test_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let put_data = if let Some(slot) = layout.success.iter().find(|slot| slot.part == Part::Data) {
        format!("return {{ ...EXPECTED[\"success\"], {}: data }};", key(slot.name))
    } else {
        let own: Vec<&str> =
            layout.success.iter().map(|slot| slot.name).filter(|it| !it.is_empty()).collect();
        let lines: Vec<String> = own.iter().map(|name| format!("    {},\n", text(name))).collect();
        format!(
            "const own = [\n{}  ];\n  const document = Object.fromEntries(\n    Object.entries(EXPECTED[\"success\"] ?? {{}}).filter(([name]) => own.includes(name)),\n  );\n  const isFlat =\n    typeof data === \"object\" &&\n    data !== null &&\n    !Array.isArray(data) &&\n    !Object.keys(data).some((name) => own.includes(name));\n  return isFlat ? {{ ...document, ...data }} : {{ ...document, data }};",
            lines.concat()
        )
        .replace("\n  ", "\n")
    };
    fill.text("failure_code", text(&contract.any_code().code)).text("put_data", put_data)
}

fn path(layout: &Layout, field: Field) -> Option<String> {
    at(layout, field, text)
}

fn optional(convert: &str, layout: &Layout, field: Field) -> String {
    path(layout, field).map_or("undefined".to_owned(), |path| format!("{convert}({path})"))
}

fn flag(layout: &Layout, field: Field) -> String {
    path(layout, field).map_or("false".to_owned(), |path| format!("{path} === true"))
}

fn list(layout: &Layout, field: Field) -> String {
    path(layout, field).map_or("[]".to_owned(), |path| format!("list({path}).map(String)"))
}

/// The function that reads the error, as far as the dialect has a place for its parts.
fn failure(layout: &Layout, is_issue: bool) -> String {
    if is_issue {
        return "function failure(\n  document: { [name: string]: unknown },\n  exitCode: number,\n): Failure<string> {\n  const issues = list(document[\"issues\"]);\n  const isError = (issue: unknown) => at(issue, \"severity\") === \"error\";\n  const issue = issues.find(isError) ?? issues[0];\n  const byNumber = EXIT_CLASSES.get(exitCode) ?? \"GENERAL_ERROR\";\n  const code = text(at(issue, \"code\")) ?? byNumber;\n  return { code, message: text(at(issue, \"message\")) ?? code };\n}".to_owned();
    }
    let mut lines = vec![
        format!("code: {} ?? \"\",", optional("text", layout, Field::Code)),
        format!("message: {} ?? \"\",", optional("text", layout, Field::Message)),
    ];
    for (name, convert, field) in [
        ("suggestion", "text", Field::Suggestion),
        ("retryable", "flag", Field::Retryable),
        ("strategy", "text", Field::Strategy),
        ("phase", "text", Field::Phase),
        ("fixRequired", "text", Field::FixRequired),
        ("fixCommand", "text", Field::FixCommand),
    ] {
        if layout.path(field).is_some() {
            let is_empty = field == Field::Suggestion && layout.has_empty_suggestion();
            let or_none = if is_empty { " || undefined" } else { "" };
            lines.push(format!("{name}: {}{or_none},", optional(convert, layout, field)));
        }
    }
    if let Some(path) = path(layout, Field::WaitMs) {
        lines.push(format!("waitMs: integer({path}),"));
    } else if let Some(path) = path(layout, Field::WaitSeconds) {
        lines.push(format!("waitMs: milliseconds({path}),"));
    }
    if let Some(path) = path(layout, Field::Redirect) {
        lines.push(format!("redirect: redirectOf({path}),"));
    }
    let lines: Vec<String> = lines.iter().map(|line| format!("    {line}\n")).collect();
    format!(
        "function failure(document: {{ [name: string]: unknown }}): Failure<string> {{\n  return {{\n{}  }};\n}}",
        lines.concat()
    )
}

/// The types of payloads and of each command's error codes.
fn types(contract: &Contract) -> String {
    let mut all = payload_types(contract);
    let mut members = Vec::new();
    for ((name, codes), command) in code_sets(contract).into_iter().zip(&contract.commands) {
        let of = match codes {
            Ok(codes) => {
                let codes: Vec<String> = codes.iter().map(|code| text(code)).collect();
                let codes = if codes.is_empty() { vec!["never".to_owned()] } else { codes };
                all.push(alias(&name, &codes));
                name
            }
            Err(other) => other,
        };
        members.push(format!("  readonly {}: {of};", key(&command.path)));
    }
    if !contract.commands.is_empty() {
        all.push(format!(
            "/** The error codes of each command. */\nexport interface ErrorCodes {{\n{}\n}}",
            members.join("\n")
        ));
        all.push("/** The path of a command. */\nexport type Command = keyof Payloads;".to_owned());
    }
    all.join("\n\n")
}

fn own_set(layout: &Layout) -> String {
    let own = layout.success.iter().map(|slot| slot.name).filter(|name| !name.is_empty());
    let own: Vec<String> = own.map(text).collect();
    let line = format!("[{}]", own.join(", "));
    if "  const own = ;".len() + line.len() <= WIDTH {
        return line;
    }
    let lines: Vec<String> = own.iter().map(|one| format!("    {one},\n")).collect();
    format!("[\n{}  ]", lines.concat())
}
