//! The callers' side in Go.

use super::{
    CHECKER, TEST_CHECKER, check_declared, constants, payload_types, text, unique, with_imports,
};
use crate::File;
use crate::contract::{ClassRow, Contract};
use crate::decisions;
use crate::error::Error;
use crate::language::spell::at;
use crate::language::{caller_facts, checker_test, facts, json_lines, test_facts};
use crate::layout::{Claim, Layout, Part};
use crate::template::Fill;
use manila::exit::{Effects, Retry};
use manila::table::Field;
use manila::{Exit, Stream};

const CLIENT: &str = include_str!("../../../templates/go/client.go");
const DECIDE: &str = include_str!("../../../templates/go/decide.go");
const TEST_CLIENT: &str = include_str!("../../../templates/go/client_test.go");

pub(super) fn files(contract: &Contract) -> Result<Vec<File>, Error> {
    let layout = Layout::new(contract.table);
    let fill = caller_facts(contract, &layout, facts(contract, &layout));
    let fill = own_facts(contract, &layout, fill)?;
    let (fill, source) = with_imports(fill, CLIENT);
    check_declared(&source)?;
    let fill = own_test_facts(contract, &layout, test_facts(contract, &layout, fill));
    let (_, test) = with_imports(fill, TEST_CLIENT);
    Ok(vec![File::new("client.go", source), File::new("client_test.go", test)])
}

fn own_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Result<Fill, Error> {
    // What the other classes say is said after the switch.
    let is_other = |row: &&ClassRow| (row.retry, row.effects) != (Retry::Depends, Effects::Unknown);
    let conclusions: Vec<String> = contract
        .classes
        .iter()
        .filter(is_other)
        .map(|row| {
            let (retry, effects) = (text(row.retry.as_str()), text(row.effects.as_str()));
            format!("case {}:\n\treturn conclusion{{{retry}, {effects}}}", text(row.exit.name()))
        })
        .collect();
    let exits: Vec<String> = contract
        .exits
        .iter()
        .map(|row| format!("case {}:\n\treturn {}", row.status, text(row.exit.name())))
        .collect();
    let codes: Vec<String> = unique(contract.codes.iter().map(|row| row.code.as_str()), "Code")
        .iter()
        .map(|(name, code)| format!("const {name} ErrorCode = {}", text(code)))
        .collect();
    let known = decisions::code_classes(contract).into_iter();
    let code_classes: Vec<String> = known
        .map(|(code, exit)| format!("case {}:\n\treturn {}", text(code), text(exit.name())))
        .collect();
    // What these say follows from their ending, or from the number.
    let is_said = |exit: &&Exit| [Exit::Success, Exit::General, Exit::NotFound].contains(exit);
    let names = Exit::ALL.iter().filter(|exit| !is_said(exit)).map(|exit| exit.name());
    let names =
        names.filter(|name| decisions::code_classes(contract).iter().all(|(code, _)| code != name));
    let class_names: Vec<String> = names.map(text).collect();
    let stream = match (contract.table.success.stream, contract.table.failure.stream) {
        (Stream::Stdout, Stream::Stdout) => "output := stdout".to_owned(),
        (Stream::Stderr, Stream::Stderr) => "output := stderr".to_owned(),
        _ => "output := stdout\nif exitCode != 0 {\n\toutput = stderr\n}".to_owned(),
    };
    let claimed = match layout.claim {
        Claim::Ok(name) => format!("claimed, says := document[{}].(bool)", text(name)),
        Claim::Status(name) => {
            format!("claimed, says := isEqual(document[{}], 0.0), true", text(name))
        }
        Claim::Outcome(name, success) => {
            format!("claimed, says := document[{}] == {}, true", text(name), text(success))
        }
    };
    let data = match layout.success.iter().find(|slot| slot.part == Part::Data) {
        Some(slot) => format!("data := document[{}]", text(slot.name)),
        None => "data := payload(document)".to_owned(),
    };
    let is_issue = layout.failure.iter().any(|slot| slot.part == Part::IssuesAndError);
    let mut reasons: Vec<String> =
        layout.meta_name(Field::NotModified).map(text).into_iter().collect();
    reasons.extend(contract.table.no_data.iter().map(|name| text(name)));
    let own = layout.success.iter().map(|slot| slot.name).filter(|name| !name.is_empty());
    let own: Vec<String> = own.map(text).collect();
    let has = |field| layout.path(field).is_some();
    let types = payload_types(contract)?;
    Ok(fill
        .text("conclusions", conclusions.join("\n"))
        .text("exits", exits.join("\n"))
        .text("error_constants", codes.join("\n"))
        .text("code_classes", code_classes.join("\n"))
        .text("class_names", class_names.join(", "))
        .flag("types", !types.is_empty())
        .text("types", types.join("\n\n"))
        .text("stream", stream)
        .text("claimed", claimed)
        .text("no_data_list", format!("{{{}}}", reasons.join(", ")))
        .text("data", data)
        .text("exit_argument", if is_issue { ", exitCode" } else { "" })
        .text("rest", rest(layout))
        .text("failure_function", failure(layout, is_issue))
        .flag("has_optional", has(Field::FixRequired) || has(Field::FixCommand))
        .flag("has_flags", has(Field::Retryable))
        .text("own_list", own.join(", "))
        .text("decide", DECIDE)
        .text("checker", CHECKER)
        .text("checker_test", checker_test(TEST_CHECKER, ""))
        .flag("coarse", contract.is_coarse()))
}

fn own_test_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let put_data = match layout.success.iter().find(|slot| slot.part == Part::Data) {
        Some(slot) => format!("document[{}] = data", text(slot.name)),
        None => "delete(document, \"id\")\ndelete(document, \"state\")\ndocument[\"data\"] = data"
            .to_owned(),
    };
    let (constants, names) = constants(contract, &[]);
    fill.text("failure_code", text(&contract.any_code().code))
        .text("put_data", put_data)
        .flag("has_names", !names.is_empty())
        .text("names", json_lines(&names))
        .text("constants", constants)
}

fn path(layout: &Layout, field: Field) -> Option<String> {
    at(layout, field, text)
}

/// What an answer says beside its data, as far as the dialect has a place for it.
fn rest(layout: &Layout) -> String {
    let mut lines = Vec::new();
    if let Some(path) = path(layout, Field::Warnings) {
        lines.push(format!("warnings, _ := {path}.([]any)"));
        lines.push("for _, warning := range warnings {".to_owned());
        lines.push("\tanswer.Warnings = append(answer.Warnings, fmt.Sprint(warning))".to_owned());
        lines.push("}".to_owned());
    }
    for (name, field) in [("NotModified", Field::NotModified), ("Truncated", Field::Truncated)] {
        lines.extend(path(layout, field).map(|path| format!("answer.{name} = {path} == true")));
    }
    lines.extend(path(layout, Field::Cursor).map(|path| format!("answer.Cursor = text({path})")));
    lines.join("\n")
}

fn failure(layout: &Layout, is_issue: bool) -> String {
    if is_issue {
        return "func failure(document map[string]any, exitCode int) *Failure {\n\tissues, _ := document[\"issues\"].([]any)\n\tvar issue any\n\tfor _, one := range issues {\n\t\tif at(one, \"severity\") == \"error\" {\n\t\t\tissue = one\n\t\t\tbreak\n\t\t}\n\t}\n\tif issue == nil && len(issues) > 0 {\n\t\tissue = issues[0]\n\t}\n\tcode := text(at(issue, \"code\"))\n\tif code == \"\" {\n\t\tcode = string(classOfNumber(exitCode))\n\t}\n\tmessage := text(at(issue, \"message\"))\n\tif message == \"\" {\n\t\tmessage = code\n\t}\n\treturn &Failure{Code: ErrorCode(code), Message: message}\n}".to_owned();
    }
    let mut lines = vec!["failed := &Failure{}".to_owned()];
    let code = path(layout, Field::Code);
    lines.extend(code.map(|path| format!("failed.Code = ErrorCode(text({path}))")));
    for (name, convert, field) in [
        ("Message", "text", Field::Message),
        ("Suggestion", "text", Field::Suggestion),
        ("Retryable", "flag", Field::Retryable),
        ("Strategy", "text", Field::Strategy),
        ("Phase", "text", Field::Phase),
        ("FixRequired", "optionalText", Field::FixRequired),
        ("FixCommand", "optionalText", Field::FixCommand),
    ] {
        lines.extend(path(layout, field).map(|path| format!("failed.{name} = {convert}({path})")));
    }
    if let Some(path) = path(layout, Field::WaitMs) {
        lines.push(format!("failed.WaitMs = milliseconds({path}, 1)"));
    } else if let Some(path) = path(layout, Field::WaitSeconds) {
        lines.push(format!("failed.WaitMs = milliseconds({path}, 1000)"));
    }
    lines.extend(
        path(layout, Field::Redirect).map(|path| format!("failed.Redirect = redirectOf({path})")),
    );
    lines.push("return failed".to_owned());
    let lines: Vec<String> = lines.iter().map(|line| format!("\t{line}\n")).collect();
    format!("func failure(document map[string]any) *Failure {{\n{}}}", lines.concat())
}
