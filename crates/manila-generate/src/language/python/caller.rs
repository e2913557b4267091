//! The callers' side in Python.

use super::lines::{Spelled, call};
use super::{CHECKER, TEST_CHECKER, WIDTH, imports, join, payload_types, text};
use crate::File;
use crate::contract::{Contract, plain};
use crate::decisions;
use crate::error::Error;
use crate::language::spell::width;
use crate::language::{caller_facts, checker_test, code_sets, facts, test_facts};
use crate::layout::{Claim, Layout, Part};
use crate::name::snake;
use crate::template::Fill;
use manila::Stream;
use manila::table::Field;

const CLIENT: &str = include_str!("../../../templates/python/client.py");
const DECIDE: &str = include_str!("../../../templates/python/decide.py");
const TEST_CLIENT: &str = include_str!("../../../templates/python/test_client.py");

#[expect(clippy::unnecessary_wraps, reason = "a language may refuse")]
pub(super) fn files(contract: &Contract) -> Result<Vec<File>, Error> {
    let layout = Layout::new(contract.table);
    let fill = caller_facts(contract, &layout, facts(contract, &layout));
    let fill = own_facts(contract, &layout, fill);
    let names = imports(&fill.fill(CLIENT));
    let fill = fill.text("imports", names);
    let source = fill.fill(CLIENT);
    let fill = own_test_facts(contract, &layout, test_facts(contract, &layout, fill));
    Ok(vec![File::new("client.py", source), File::new("test_client.py", fill.fill(TEST_CLIENT))])
}

fn own_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let lines = |lines: Vec<String>| lines.join("\n");
    let classes = contract.classes.iter().map(|row| format!("{},", text(row.exit.name())));
    let exits =
        contract.exits.iter().map(|row| format!("{}: {},", row.status, text(row.exit.name())));
    let conclusions = contract.classes.iter().map(|row| {
        let (retry, effects) = (row.retry.as_str(), row.effects.as_str());
        format!("{}: ({}, {}),", text(row.exit.name()), text(retry), text(effects))
    });
    let codes = contract.codes.iter().map(|row| format!("{},", text(&row.code)));
    let known = decisions::code_classes(contract).into_iter();
    let known: Vec<String> =
        known.map(|(code, exit)| format!("    {}: {},\n", text(code), text(exit.name()))).collect();
    let code_classes =
        if contract.is_coarse() { format!("{{\n{}}}", known.concat()) } else { "{}".to_owned() };
    let name = |ok| match contract.table.form(ok).stream {
        Stream::Stdout => "stdout",
        Stream::Stderr => "stderr",
    };
    let stream = match (name(true), name(false)) {
        (one, other) if one == other => format!("text = {one}"),
        (one, other) => format!("text = {one} if exit_code == 0 else {other}"),
    };
    let claimed = match layout.claim {
        Claim::Ok(name) => format!("claimed = _flag(document.get({}))", text(name)),
        Claim::Status(name) => format!("claimed = document.get({}) == 0", text(name)),
        Claim::Outcome(name, success) => {
            format!("claimed = document.get({}) == {}", text(name), text(success))
        }
    };
    fill.text("exit_classes", lines(classes.collect()))
        .text("exits", lines(exits.collect()))
        .text("conclusions", lines(conclusions.collect()))
        .text("code_classes", code_classes)
        .text("error_codes", lines(codes.collect()))
        .flag("types", !contract.commands.is_empty())
        .text("types", types(contract))
        .text("stream", stream)
        .text("claimed", claimed)
        .text("data", data(layout))
        .text("warnings", list(layout, Field::Warnings))
        .text("not_modified", flag(layout, Field::NotModified))
        .text("truncated", flag(layout, Field::Truncated))
        .text("cursor", optional("_text", layout, Field::Cursor))
        .text("failure", failure(layout))
        .text("own_set", own_set(layout))
        .text("decide", DECIDE)
        .text("checker", CHECKER)
        .text("checker_test", checker_test(TEST_CHECKER, "client"))
        .flag("command_functions", !contract.commands.is_empty())
        .text("command_functions", functions(contract))
}

fn own_test_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let row = contract.any_code();
    let put_data = if let Some(slot) = layout.success.iter().find(|slot| slot.part == Part::Data) {
        format!("document[{}] = data", text(slot.name))
    } else {
        let own: Vec<String> = layout
            .success
            .iter()
            .map(|slot| slot.name)
            .filter(|it| !it.is_empty())
            .map(text)
            .collect();
        format!(
            "own = {{{}}}\ndocument = {{name: document[name] for name in own}}\nis_flat = isinstance(data, dict) and not own & data.keys()\ndocument.update(data if is_flat else {{\"data\": data}})",
            own.join(", ")
        )
    };
    let readers = contract.commands.iter();
    let readers: Vec<String> =
        readers.map(|it| format!("{}: client.read_{},", text(&it.path), snake(&it.path))).collect();
    fill.text("failure_code", text(&row.code))
        .text("readers", readers.join("\n"))
        .text("put_data", put_data)
}

/// The expression of the payload.
fn data(layout: &Layout) -> String {
    match layout.success.iter().find(|slot| slot.part == Part::Data) {
        Some(slot) => format!("document.get({})", text(slot.name)),
        None => "_payload(document)".to_owned(),
    }
}

fn path(layout: &Layout, field: Field) -> Option<String> {
    let path = layout.path(field)?;
    let names: Vec<String> = path.iter().map(|name| text(name)).collect();
    Some(format!("_at(document, {})", names.join(", ")))
}

fn optional(convert: &str, layout: &Layout, field: Field) -> String {
    path(layout, field).map_or("None".to_owned(), |path| format!("{convert}({path})"))
}

fn flag(layout: &Layout, field: Field) -> String {
    path(layout, field).map_or("False".to_owned(), |path| format!("{path} is True"))
}

fn list(layout: &Layout, field: Field) -> String {
    let list = |path| format!("tuple(str(one) for one in _list({path}))");
    path(layout, field).map_or("()".to_owned(), list)
}

/// The arguments of a failure, as far as the dialect has a place for them.
fn failure(layout: &Layout) -> String {
    let mut lines = vec![
        format!("code={} or \"\",", optional("_text", layout, Field::Code)),
        format!("message={} or \"\",", optional("_text", layout, Field::Message)),
    ];
    for (name, convert, field) in [
        ("suggestion", "_text", Field::Suggestion),
        ("retryable", "_flag", Field::Retryable),
        ("strategy", "_text", Field::Strategy),
        ("phase", "_text", Field::Phase),
        ("fix_required", "_text", Field::FixRequired),
        ("fix_command", "_text", Field::FixCommand),
    ] {
        if layout.path(field).is_some() {
            let is_empty = field == Field::Suggestion && layout.has_empty_suggestion();
            let or_none = if is_empty { " or None" } else { "" };
            lines.push(format!("{name}={}{or_none},", optional(convert, layout, field)));
        }
    }
    if let Some(path) = path(layout, Field::WaitMs) {
        lines.push(format!("wait_ms=_number({path}),"));
    } else if let Some(path) = path(layout, Field::WaitSeconds) {
        lines.push(format!("wait_ms=_milliseconds({path}),"));
    }
    if let Some(path) = path(layout, Field::Redirect) {
        lines.push(format!("redirect=_redirected({path}),"));
    }
    lines.join("\n")
}

/// The types of payloads and of each command's error codes.
fn types(contract: &Contract) -> String {
    let mut all = payload_types(contract);
    for (name, codes) in code_sets(contract) {
        let of = match codes {
            Ok(codes) => {
                let codes: Vec<String> = codes.iter().map(|code| text(code)).collect();
                let line = format!("{name} = Literal[{}]", codes.join(", "));
                if width(&line) <= WIDTH && !codes.is_empty() {
                    line
                } else if codes.is_empty() {
                    format!("{name}: TypeAlias = Never")
                } else {
                    let lines: Vec<String> =
                        codes.iter().map(|one| format!("    {one},\n")).collect();
                    format!("{name} = Literal[\n{}]", lines.concat())
                }
            }
            Err(other) => format!("{name}: TypeAlias = {other}"),
        };
        all.push(of);
    }
    if all.is_empty() { String::new() } else { join(&all) }
}

/// A reader for each command.
fn functions(contract: &Contract) -> String {
    let one = |command: &crate::contract::Command| {
        let (name, function) = (&command.name, snake(&command.path));
        let path = plain(&command.path);
        let types = [format!("{name}Data"), format!("{name}ErrorCode")];
        let types = types.map(|it| Spelled::new(it, Vec::new()));
        let answer = Spelled::new("Answer", types.into());
        let returns = answer.flat();
        let head = format!("def read_{function}(");
        let parameters = "stdout: str, stderr: str, exit_code: int";
        let line = format!("{head}{parameters}) -> {returns}:");
        let head = if line.len() <= WIDTH {
            line
        } else {
            format!("{head}\n    {parameters}\n{}", answer.lines(") -> ", ":"))
        };
        let doc = if path.is_empty() {
            "Reads an answer of the program itself.".to_owned()
        } else {
            format!("Reads an answer of `{path}`.")
        };
        let path = text(&command.path);
        let read = call("    answer = read", &["stdout", "stderr", "exit_code", &path]);
        let typed = call("    return cast", &[&text(&returns), "answer"]);
        format!("{head}\n    \"\"\"{doc}\"\"\"\n{read}\n{typed}")
    };
    contract.commands.iter().map(one).collect::<Vec<_>>().join("\n\n\n")
}

fn own_set(layout: &Layout) -> String {
    let own = layout.success.iter().map(|slot| slot.name).filter(|name| !name.is_empty());
    let own: Vec<String> = own.map(text).collect();
    let line = format!("own = {{{}}}", own.join(", "));
    if line.len() + 4 <= WIDTH {
        return line;
    }
    let lines: Vec<String> = own.iter().map(|one| format!("    {one},\n")).collect();
    format!("own = {{\n{}}}", lines.concat())
}
