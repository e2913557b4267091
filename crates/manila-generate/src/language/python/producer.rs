//! The program's side in Python.

use super::{
    CHECKER, TEST_CHECKER, WIDTH, definition, imports, join, literal, payload_types, text,
};
use crate::File;
use crate::cases::{self, Cases};
use crate::contract::Contract;
use crate::error::Error;
use crate::language::{checker_test, choices, facts, own_keys, retryable, test_facts};
use crate::layout::{Claim, Default, Given, GivenType, Layout, Part, Slot};
use crate::name::pascal;
use crate::template::Fill;
use manila::Stream;
use manila::json::Layout as Spelling;
use manila::table::Field;

const ENVELOPE: &str = include_str!("../../../templates/python/envelope.py");
const TEST_ENVELOPE: &str = include_str!("../../../templates/python/test_envelope.py");

#[expect(clippy::unnecessary_wraps, reason = "a language may refuse")]
pub(super) fn files(contract: &Contract) -> Result<Vec<File>, Error> {
    let layout = Layout::new(contract.table);
    let fill = producer_facts(contract, &layout, facts(contract, &layout));
    let names = imports(&fill.fill(ENVELOPE));
    let fill = fill.text("imports", names);
    let source = fill.fill(ENVELOPE);
    let fill = fill.text("spelled", text(&cases::spelled(contract, "é")));
    let fill = producer_test_facts(contract, &layout, test_facts(contract, &layout, fill));
    Ok(vec![
        File::new("envelope.py", source),
        File::new("test_envelope.py", fill.fill(TEST_ENVELOPE)),
    ])
}

/// What only the templates of this language are filled with.
fn producer_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let table = contract.table;
    let classes: Vec<String> =
        contract.own_exits().map(|row| format!("{},", text(row.exit.name()))).collect();
    let numbers: Vec<String> = contract
        .own_exits()
        .map(|row| format!("{}: {},", text(row.exit.name()), row.status))
        .collect();
    let codes: Vec<String> =
        contract.codes.iter().map(|row| format!("{},", text(&row.code))).collect();
    let code_exits: Vec<String> =
        contract.codes.iter().map(|row| format!("{}: {},", text(&row.code), row.status)).collect();
    let numbers_again: Vec<String> = retryable(contract).iter().map(ToString::to_string).collect();
    let claim_test = match layout.claim {
        Claim::Ok(_) => "claim is not (exit_code == 0)".to_owned(),
        Claim::Status(_) => "claim != exit_code or isinstance(claim, bool)".to_owned(),
        Claim::Outcome(_, success) => {
            format!("(claim == {}) is not (exit_code == 0)", text(success))
        }
    };
    let stream = |ok| match table.form(ok).stream {
        Stream::Stdout => "stdout or sys.stdout",
        Stream::Stderr => "stderr or sys.stderr",
    };
    let stream = if stream(true) == stream(false) {
        format!("stream = {}", stream(true))
    } else {
        format!("stream = ({}) if envelope.ok else ({})", stream(true), stream(false))
    };
    let style = table.success.style;
    let to_json = match (style.layout, style.ascii) {
        (Spelling::Pretty, true) => "json.dumps(self.document(), indent=2)",
        (Spelling::Pretty, false) => "json.dumps(self.document(), ensure_ascii=False, indent=2)",
        (Spelling::Spaced, true) => "json.dumps(self.document())",
        _ => "_json(self.document())",
    };
    let nothing_said = match layout.meta_name(Field::NotModified) {
        Some(name) => format!(
            "if (\n    result.exit_code == 0\n    and result.data is None\n    and not result.meta.get({})\n):",
            text(name)
        ),
        None => "if result.exit_code == 0 and result.data is None:".to_owned(),
    };
    let own: Vec<String> = own_keys(layout).iter().map(|name| format!("{},", text(name))).collect();
    fill.text("exit_classes", classes.join("\n"))
        .text("exit_codes", numbers.join("\n"))
        .text("error_codes", codes.join("\n"))
        .text("error_exits", code_exits.join("\n"))
        .text("retryable", set(&numbers_again))
        .text("types", types(contract, layout))
        .text("nothing_said", nothing_said)
        .text("succeed_signature", succeed_signature(layout))
        .text("succeed_arguments", succeed_arguments(layout))
        .text("fail_signature", fail_signature(layout))
        .text("fail_arguments", fail_arguments(layout))
        .text("error_literal", error_literal(layout))
        .text("respond_signature", respond_signature(contract, layout))
        .text("document", document(layout))
        .text("to_json", to_json)
        .text("stream", stream)
        .text("claim_test", claim_test)
        .text("checker", CHECKER)
        .text("checker_test", checker_test(TEST_CHECKER, "program"))
        .text("own_keys", own.join("\n"))
}

fn producer_test_facts(contract: &Contract, layout: &Layout, fill: Fill) -> Fill {
    let cases = Cases::new(contract, layout);
    let row = contract.any_code();
    let suggestion = layout.path(Field::Suggestion).and_then(|path| path.last().copied());
    let more = suggestion.map(|name| format!("{{{}: {}}}", text(name), text(cases::SUGGESTION)));
    let more_argument = if more.is_some() { ", MORE" } else { "" };
    let redirect = cases::redirect(contract, layout).map(|row| {
        let replacement = text(cases::REPLACEMENT);
        format!(
            "program.fail(\n    {},\n    \"It was renamed\",\n    {{\n        \"redirect\": {{\n            \"command\": {replacement},\n            \"permanent\": permanent,\n            \"reason\": \"renamed\",\n        }}\n    }},\n)",
            text(&row.code)
        )
    });
    let volatile: Vec<String> = cases
        .volatile
        .iter()
        .map(|(path, value)| format!("({}, {})", text(path), literal(value)))
        .collect();
    let kind =
        if layout.kind.is_some() { format!(", {}", text(cases::KIND)) } else { String::new() };
    fill.text("data", literal(&cases::data()))
        .text("kind_argument", kind)
        .text("volatile", format!("[{}]", volatile.join(", ")))
        .text("failure_code", text(&row.code))
        .text("failure_more", more.unwrap_or_else(|| "None".to_owned()))
        .text("more_argument", more_argument)
        .text("redirect", redirect.unwrap_or_default())
}

/// A set of numbers.
fn set(numbers: &[String]) -> String {
    if numbers.is_empty() {
        "frozenset()".to_owned()
    } else {
        format!("frozenset({{{}}})", numbers.join(", "))
    }
}

fn succeed_signature(layout: &Layout) -> String {
    let mut parameters = vec!["data: T".to_owned()];
    parameters.extend(layout.has_warnings().then(|| "warnings: Sequence[str] = ()".to_owned()));
    parameters.extend(layout.has_issues().then(|| "issues: Sequence[Issue] = ()".to_owned()));
    let has_meta = !layout.meta.is_empty();
    parameters.extend(has_meta.then(|| "meta: Optional[ResponseMeta] = None".to_owned()));
    signature("succeed", &parameters, "Result[T]")
}

fn succeed_arguments(layout: &Layout) -> String {
    let mut arguments = vec!["0", "data"];
    arguments.extend(layout.has_warnings().then_some("warnings=warnings"));
    arguments.extend(layout.has_issues().then_some("issues=issues"));
    arguments.extend((!layout.meta.is_empty()).then_some("meta=meta or {}"));
    arguments.join(", ")
}

fn fail_signature(layout: &Layout) -> String {
    let mut parameters = vec!["code: ErrorCode".to_owned(), "message: str".to_owned()];
    let has_extras = !layout.error.is_empty();
    parameters.extend(has_extras.then(|| "more: Optional[ErrorExtras] = None".to_owned()));
    parameters.extend(layout.has_warnings().then(|| "warnings: Sequence[str] = ()".to_owned()));
    parameters.extend(layout.has_issues().then(|| "issues: Sequence[Issue] = ()".to_owned()));
    signature("fail", &parameters, "Result[Never]")
}

fn fail_arguments(layout: &Layout) -> String {
    let mut arguments = vec!["exit_code", "error=error"];
    arguments.extend(layout.has_warnings().then_some("warnings=warnings"));
    arguments.extend(layout.has_issues().then_some("issues=issues"));
    arguments.join(", ")
}

fn respond_signature(contract: &Contract, layout: &Layout) -> String {
    let mut parameters = vec!["handler: Callable[[], Result[T]]".to_owned()];
    parameters.extend(layout.kind.map(|_| "kind: str".to_owned()));
    parameters.extend(contract.has_schemas().then(|| "command: Optional[str] = None".to_owned()));
    signature("respond", &parameters, "ResponseEnvelope[T]")
}

fn signature(name: &str, parameters: &[String], returns: &str) -> String {
    let line = format!("def {name}({}) -> {returns}:", parameters.join(", "));
    if line.len() <= WIDTH {
        return line;
    }
    let inner = format!("    {}", parameters.join(", "));
    if inner.len() <= WIDTH {
        return format!("def {name}(\n{inner}\n) -> {returns}:");
    }
    let lines: Vec<String> = parameters.iter().map(|one| format!("    {one},\n")).collect();
    format!("def {name}(\n{}) -> {returns}:", lines.concat())
}

/// The error that `fail()` makes: what is always there, then what the handler says.
fn error_literal(layout: &Layout) -> String {
    let mut members =
        vec![format!("{}: code", text(layout.code)), format!("{}: message", text(layout.message))];
    for given in &layout.error {
        let default = match given.default {
            Some(Default::Empty) if matches!(given.of, GivenType::Flag) => "False",
            Some(Default::Empty) => "\"\"",
            Some(Default::Null) => "None",
            Some(Default::Retryable) => "exit_code in RETRYABLE",
            None => continue,
        };
        members.push(format!("{}: {default}", text(given.name)));
    }
    if !layout.error.is_empty() {
        members.push("**(more or {})".to_owned());
    }
    let line = format!("{{{}}}", members.join(", "));
    if "    error: ErrorDetail = ".len() + line.len() <= WIDTH {
        return line;
    }
    let lines: Vec<String> = members.iter().map(|one| format!("        {one},\n")).collect();
    format!("{{\n{}    }}", lines.concat())
}

/// The body of `document()`.
fn document(layout: &Layout) -> String {
    if let Some(slots) = one_shape(layout) {
        return format!("return {}", members(&slots, 0));
    }
    format!(
        "if self.error is None:\n    return {}\nreturn {}",
        members(&expressions(&layout.success), 1),
        members(&expressions(&layout.failure), 0)
    )
}

/// The members of both outcomes, where one expression serves both.
fn one_shape(layout: &Layout) -> Option<Vec<(String, String)>> {
    if !layout.has_one_shape() {
        return None;
    }
    let both = layout.success.iter().zip(&layout.failure);
    both.map(|(success, failure)| {
        let part = match (&success.part, &failure.part) {
            (Part::True, Part::False) => "self.ok".to_owned(),
            (Part::Data, Part::Null) => "self.data".to_owned(),
            (Part::Null, Part::Error(more)) if more.is_empty() => "self.error".to_owned(),
            (one, other) if one == other => expression(one, 0),
            _ => return None,
        };
        Some((success.name.to_owned(), part))
    })
    .collect()
}

fn expressions(slots: &[Slot]) -> Vec<(String, String)> {
    slots.iter().map(|slot| (slot.name.to_owned(), expression(&slot.part, 0))).collect()
}

fn members(members: &[(String, String)], depth: usize) -> String {
    let indent = "    ".repeat(depth);
    let lines: Vec<String> = members
        .iter()
        .map(|(name, value)| {
            let value = value.replace('\n', &format!("\n{indent}    "));
            match name.as_str() {
                "" => format!("{indent}    **{value},\n"),
                name => format!("{indent}    {}: {value},\n", text(name)),
            }
        })
        .collect();
    format!("{{\n{}{indent}}}", lines.concat())
}

fn expression(part: &Part, depth: usize) -> String {
    match part {
        Part::True => "True".to_owned(),
        Part::False => "False".to_owned(),
        Part::Text(literal) => text(literal),
        Part::ExitCode => "self.exit_code".to_owned(),
        Part::Kind => "self.kind".to_owned(),
        Part::Data => "self.data".to_owned(),
        Part::Payload => "_payload(self.data)".to_owned(),
        Part::Null => "None".to_owned(),
        Part::EmptyObject => "{}".to_owned(),
        Part::Error(more) | Part::Meta(more) => {
            let of = if matches!(part, Part::Error(_)) { "self.error" } else { "self.meta" };
            let has_given =
                !matches!(part, Part::Meta(_)) || !more.iter().any(|slot| slot.part == Part::Cwd);
            if more.is_empty() {
                return of.to_owned();
            }
            let mut all = Vec::new();
            all.extend(has_given.then(|| (String::new(), of.to_owned())));
            all.extend(expressions(more));
            members(&all, depth)
        }
        Part::FlatError => "self.error".to_owned(),
        Part::Warnings => "list(self.warnings)".to_owned(),
        Part::Issues => "list(self.issues)".to_owned(),
        Part::IssuesAndError => {
            "[*self.issues, {\"severity\": \"error\", **self.error}]".to_owned()
        }
        Part::DurationMs => "self.duration_ms".to_owned(),
        Part::Timestamp => "_now()".to_owned(),
        Part::Cwd => "os.getcwd()".to_owned(),
    }
}

/// The types of what handlers state, and of every payload.
fn types(contract: &Contract, layout: &Layout) -> String {
    let mut nested: Vec<String> = choices(&layout.error).iter().map(definition).collect();
    let mut all = Vec::new();
    if !layout.error.is_empty() {
        all.push(given_class(
            "ErrorExtras",
            "What an error may say beside its code and message.",
            &layout.error,
            "TypedDict, total=False",
        ));
    }
    let base = if layout.error.is_empty() { "TypedDict" } else { "ErrorExtras" };
    all.push(format!(
        "class ErrorDetail({base}):\n    \"\"\"What went wrong.\"\"\"\n\n    {}: ErrorCode\n    {}: str",
        layout.code, layout.message
    ));
    for given in &layout.error {
        if let GivenType::Object(name, members) = &given.of {
            nested.push(object_class(&pascal(name), given.doc, members));
        }
    }
    if !layout.meta.is_empty() {
        all.push(given_class(
            "ResponseMeta",
            "What an answer may say about itself.",
            &layout.meta,
            "TypedDict, total=False",
        ));
    }
    if layout.has_issues() {
        all.push(issue_class(layout));
    }
    nested.extend(all);
    nested.extend(payload_types(contract));
    join(&nested)
}

fn given_class(name: &str, doc: &str, given: &[Given], base: &str) -> String {
    let lines: Vec<String> = given.iter().map(|one| member_line(one, false)).collect();
    format!("class {name}({base}):\n    \"\"\"{doc}\"\"\"\n\n{}", lines.join("\n"))
}

fn object_class(name: &str, doc: &str, given: &[Given]) -> String {
    let lines: Vec<String> =
        given.iter().map(|one| member_line(one, one.default.is_none())).collect();
    format!("class {name}(TypedDict):\n    \"\"\"{doc}\"\"\"\n\n{}", lines.join("\n"))
}

fn issue_class(layout: &Layout) -> String {
    let mut lines = vec![
        "    severity: Literal[\"error\", \"warning\", \"info\"]".to_owned(),
        format!("    {}: str", layout.code),
        format!("    {}: NotRequired[str]", layout.message),
    ];
    lines.extend(layout.issue.iter().map(|one| member_line(one, true)));
    format!(
        "class Issue(TypedDict):\n    \"\"\"Something that was found.\"\"\"\n\n{}",
        lines.join("\n")
    )
}

fn member_line(given: &Given, is_optional: bool) -> String {
    let of = match &given.of {
        GivenType::Text if given.default == Some(Default::Null) => "Optional[str]".to_owned(),
        GivenType::Text => "str".to_owned(),
        GivenType::Flag => "bool".to_owned(),
        GivenType::Integer => "int".to_owned(),
        GivenType::OneOf(_) => pascal(given.name),
        GivenType::Json => "Mapping[str, Json]".to_owned(),
        GivenType::Object(name, _) => pascal(name),
    };
    let of = if is_optional { format!("NotRequired[{of}]") } else { of };
    let doc = if given.doc.is_empty() { String::new() } else { format!("    # {}\n", given.doc) };
    format!("{doc}    {}: {of}", given.name)
}
