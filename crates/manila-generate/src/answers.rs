//! What generated callers must read: answers as manila writes them, and what manila reads in each.

use crate::contract::Contract;
use crate::decisions::{Case, failure};
use crate::layout::{Layout, Part};
use crate::schema::is_valid;
use manila::{Envelope, ErrorObject, Exit, Fix, Meta, Phase, Redirect, Strategy};
use serde_json::{Map, Value, json};

/// The answers of a dialect as JSON, one each.
pub(crate) fn cases(contract: &Contract, layout: &Layout) -> Vec<Value> {
    let mut all: Vec<Case> = Vec::new();
    for (exit, strategy) in Exit::ALL
        .iter()
        .filter(|exit| !exit.is_success())
        .zip([Strategy::Immediate, Strategy::Linear, Strategy::Exponential].into_iter().cycle())
    {
        let error = ErrorObject {
            strategy: Some(strategy),
            ..whole(failure(contract, *exit), *exit == Exit::Redirected)
        };
        all.push(Case::of(contract, *exit, error));
        all.push(Case::of(contract, *exit, failure(contract, *exit)));
    }
    for code in codes(contract) {
        let exit = contract.table.class_of_code(&code).unwrap_or(Exit::General);
        // With the number that covers every class, the code alone says which it is.
        for exit in [exit, Exit::General] {
            all.push(Case::of(contract, exit, ErrorObject::new(code.as_str(), "it failed")));
        }
    }
    // The number that covers every class is not the only one whose class the code may say.
    for exit_code in [-9, 2, 14, 100] {
        for exit in [Exit::General, Exit::NotFound, Exit::Conflict] {
            all.push(Case {
                exit_code,
                ..Case::of(contract, Exit::General, failure(contract, exit))
            });
        }
    }
    for issues in
        [json!([]), json!(["warning"]), json!(["info", "warning"]), json!(["warning", "error"])]
    {
        for exit_code in [1, 2, 14] {
            all.extend(all.first().and_then(|case| with_issues(case, &issues, exit_code)));
        }
    }
    // Members of a payload that could be the envelope's own. What is below `data` in claw/1.0 manila leaves there.
    let payloads =
        [json!([7]), json!({ "id": 7 }), json!({ "data": 7 }), json!({ "id": 7, "b": 7 })];
    for data in payloads.iter().filter(|_| contract.table.id != "claw/1.0") {
        let case = Case::with_data(contract, Some(data), Meta::default(), &[]);
        let stdout = case.stdout.replacen("\"id\"", "\"data\"", 1);
        all.push(Case { stdout, ..case.clone() });
        all.push(case);
    }
    let warnings = ["it is old".to_owned(), "so is this".to_owned()];
    let cut = Meta { truncated: true, cursor: Some("c1".to_owned()), ..Meta::default() };
    all.push(Case::success(contract, cut, &warnings));
    all.push(Case::success(contract, Meta { not_modified: true, ..Meta::default() }, &[]));
    all.push(Case::success(contract, Meta::default(), &[]));
    let mut cases: Vec<Value> = Vec::new();
    for case in all {
        let stated: Value = serde_json::from_str(&case.document()).unwrap_or_default();
        if !is_valid(&contract.envelope_schema, &stated, &contract.envelope_schema) {
            continue;
        }
        let Some(envelope) = case.opened(contract) else { continue };
        let case = json!({
            "stdout": case.stdout,
            "stderr": case.stderr,
            "exit_code": case.exit_code,
            "expect": read(&envelope, layout, &stated),
        });
        if !cases.contains(&case) {
            cases.push(case);
        }
    }
    cases
}

/// The same failure with issues of these severities, where errors are among the issues.
fn with_issues(case: &Case, severities: &Value, exit_code: i32) -> Option<Case> {
    let mut document: Value = serde_json::from_str(&case.document()).ok()?;
    let issues = document.get_mut("issues")?.as_array_mut()?;
    let whole = issues.first()?.clone();
    issues.clear();
    for severity in severities.as_array()? {
        let mut issue = whole.clone();
        issue["severity"] = severity.clone();
        issue["code"] = json!(format!("an_{}", severity.as_str()?));
        issue["message"] = json!(format!("it is {}", severity.as_str()?));
        issues.push(issue);
    }
    let place =
        |stream: &str| if stream.is_empty() { String::new() } else { format!("{document}\n") };
    let (stdout, stderr) = (place(&case.stdout), place(&case.stderr));
    Some(Case { stdout, stderr, exit_code, ..case.clone() })
}

/// An error that says everything that an error can say.
fn whole(error: ErrorObject, is_redirected: bool) -> ErrorObject {
    let text = |text: &str| Some(text.to_owned());
    let redirect =
        Redirect { command: "tool new".to_owned(), permanent: true, ..Redirect::default() };
    ErrorObject {
        suggestion: text("list them first"),
        retryable: Some(true),
        wait_ms: Some(30_000),
        phase: Some(Phase::Validation),
        fix: Fix { required: text("be logged in"), command: text("tool login") },
        redirect: is_redirected.then_some(redirect),
        ..error
    }
}

/// The codes that mean a class to a caller, one of each family, and one that means nothing.
fn codes(contract: &Contract) -> Vec<String> {
    let stated = contract.codes.iter().map(|row| row.code.as_str());
    let known = contract.table.codes.iter().map(|(code, _)| *code);
    let classes = Exit::ALL.iter().filter(|exit| !exit.is_success()).map(|exit| exit.name());
    let families =
        ["thing_not_found", "THING_NOT_FOUND", "token_old", "TOKEN_OLD", "odd", "SUCCESS"];
    stated.chain(known).chain(classes).chain(families).map(str::to_owned).collect()
}

/// What an envelope says, as far as generated callers read it.
fn read(envelope: &Envelope, layout: &Layout, document: &Value) -> Value {
    let mut members = Map::new();
    let mut add = |name: &str, value: Value| {
        if !value.is_null() {
            members.insert(name.to_owned(), value);
        }
    };
    let meta = envelope.meta();
    add("exit_class", json!(envelope.exit().name()));
    add("warnings", json!(envelope.content().warnings));
    add("not_modified", json!(meta.not_modified));
    add("truncated", json!(meta.truncated));
    add("cursor", json!(meta.cursor));
    if envelope.ok() {
        let data = envelope.content().data.as_ref();
        add("data", data.and_then(|it| serde_json::from_str(it.as_str()).ok()).unwrap_or_default());
    }
    if let Some(error) = envelope.error() {
        add("code", json!(error.code));
        // Without an issue manila describes the class.
        let is_unsaid = document.get("issues").is_some_and(|it| *it == json!([]));
        add("message", json!(if is_unsaid { &error.code } else { &error.message }));
        // Of a list of issues a caller reads the code and the message of one.
        if !layout.failure.iter().any(|slot| slot.part == Part::IssuesAndError) {
            add("suggestion", json!(error.suggestion));
            add("retryable", json!(error.retryable));
            add("wait_ms", json!(error.wait_ms));
            add("strategy", json!(error.strategy));
            add("phase", json!(error.phase));
            add("fix_required", json!(error.fix.required));
            add("fix_command", json!(error.fix.command));
            if let Some(redirect) = &error.redirect {
                add("redirect", json!([redirect.command, redirect.permanent]));
            }
        }
    }
    Value::Object(members)
}
