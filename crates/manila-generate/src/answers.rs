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
    all.extend(all.first().and_then(after_a_warning));
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
            "expect": read(&envelope, layout),
        });
        if !cases.contains(&case) {
            cases.push(case);
        }
    }
    cases
}

/// The same failure behind an issue that is none, where errors are among the issues.
fn after_a_warning(case: &Case) -> Option<Case> {
    let text = case.document();
    let mut document: Value = serde_json::from_str(&text).ok()?;
    let issues = document.get_mut("issues")?.as_array_mut()?;
    let mut warning = issues.first()?.clone();
    warning["severity"] = json!("warning");
    warning["code"] = json!("another");
    warning["message"] = json!("it is old");
    issues.insert(0, warning);
    let place =
        |stream: &str| if stream.is_empty() { String::new() } else { format!("{document}\n") };
    let mut changed = case.clone();
    (changed.stdout, changed.stderr) = (place(&case.stdout), place(&case.stderr));
    Some(changed)
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
    let families = ["thing_not_found", "THING_NOT_FOUND", "token_old", "TOKEN_OLD", "odd"];
    stated.chain(known).chain(classes).chain(families).map(str::to_owned).collect()
}

/// What an envelope says, as far as generated callers read it.
fn read(envelope: &Envelope, layout: &Layout) -> Value {
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
        add("message", json!(error.message));
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
