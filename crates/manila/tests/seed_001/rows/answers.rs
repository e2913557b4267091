//! Rows 1 to 14: what an answer is worth, and failures that waiting does not fix.

use crate::support::*;
use manila::json::FactKind;
use manila::{Action, Change, Exit, Malformed, NoiseKind, Redirects, Status, Stream, Warning};

// ---- 1: stdout is not one JSON value; ours: recovered, and flagged ----

#[test]
fn row_01_no_envelope() {
    for nothing in ["", "done.\n", "[1,2]", "{\"ok\":tr"] {
        call(nothing, 0).does(1, Action::Escalate);
        ended(nothing, Status::Unknown).does(1, Action::Escalate);
    }
}

#[test]
fn row_01_no_envelope_flags_what_was_recovered() {
    let amid = call(format!("\u{1b}[32mworking…\u{1b}[0m\n{SUCCESS}\nbye\n"), 0);
    amid.does(0, Action::Accept);
    amid.notes("recovered from amid other output");
    let opened = amid.opened();
    assert!(opened.facts.has(FactKind::ProseBefore) && opened.facts.has(FactKind::ProseAfter));
    let noise: Vec<_> = opened.detection.noise.iter().map(|noise| noise.kind).collect();
    assert_eq!(noise, [NoiseKind::Text, NoiseKind::Text]);

    let coloured = call(SUCCESS.replace('{', "\u{1b}[1m{\u{1b}[0m"), 0);
    coloured.does(0, Action::Accept);
    assert!(coloured.opened().facts.has(FactKind::EscapeInDocument));
}

#[test]
fn row_01_no_envelope_takes_the_last_of_several() {
    let last = SUCCESS.replace("deploy-42", "deploy-43");
    let opened = call(format!("{SUCCESS}\n{last}\n"), 0).opened();
    assert!(opened.envelope.content().data.as_ref().is_some_and(|it| it.as_str().contains("-43")));
    assert_eq!(opened.detection.stream, Stream::Stdout);
    assert!(opened.facts.has(FactKind::SeveralEnvelopes));
}

// ---- 2 and 3: contradictory signals ----

#[test]
fn row_02_ok_false_exit_zero() {
    let data_and_error = r#"{"code":"X","message":"m","retryable":true,"retry_after":1}"#;
    let conflict = call(document(false, "{}", data_and_error, ""), 0).idempotent();
    conflict.does(2, Action::Escalate);
    assert!(!conflict.opened().envelope.ok(), "its data must not be acted on");
    call(document(true, "{}", data_and_error, ""), 0).does(2, Action::Escalate);
    // Without an error it still says that it failed.
    call(document(false, "{}", "null", ""), 0).does(2, Action::Escalate);
}

#[test]
fn row_02_ok_false_exit_zero_with_an_error_of_the_wrong_type() {
    // Ours: "do not act on data if error is non-null"; these are not null either.
    for error in ["[\"boom\"]", "true", "7", "{}"] {
        call(document(false, "{}", error, ""), 0).does(2, Action::Escalate);
    }
}

#[test]
fn row_03_ok_true_exit_nonzero() {
    let silent = document(true, "{}", "null", "");
    for status in 1..=255 {
        // Not even a caller that may call twice knows what was done.
        call(&*silent, status).idempotent().does(3, Action::InspectState);
    }
    ended(&*silent, Status::Signaled(9)).does(3, Action::InspectState);
}

// ---- 4 to 6: missing keys ----

#[test]
fn row_04_error_key_absent() {
    let absent = r#"{"ok":false,"data":null,"warnings":[],"meta":{"duration_ms":1}}"#;
    for status in [0, 1, 3, 11, 12, 13] {
        let call = call(absent, status).idempotent();
        assert_eq!(call.exit(), Exit::General);
        call.does(4, Action::InspectState);
    }
}

#[test]
fn row_05_data_and_error_null() {
    call(document(true, "null", "null", ""), 0).does(5, Action::Escalate);
    call(r#"{"ok":true,"error":null,"warnings":[],"meta":{}}"#, 0).does(5, Action::Escalate);
}

#[test]
fn row_05_data_and_error_null_is_allowed_when_only_validating_or_counting_tokens() {
    for meta in [r#","validation_only":true"#, r#","token_count":512"#] {
        let call = call(document(true, "null", "null", meta), 0);
        assert_eq!(call.opened().claims.malformed, None);
        call.does(0, Action::Accept);
    }
    let denied = call(document(true, "null", "null", r#","validation_only":false"#), 0);
    assert_eq!(denied.opened().claims.malformed, Some(Malformed::NothingSaid));
    denied.does(5, Action::Escalate);
}

#[test]
fn row_05_data_and_error_null_by_design_satisfies_the_schema() {
    // What may be read may be written: the schema must allow the same answers as the row.
    for meta in [r#","validation_only":true"#, r#","token_count":512"#] {
        written(&call(document(true, "null", "null", meta), 0).opened().envelope);
    }
}

#[test]
fn row_06_warnings_absent() {
    let absent = call(SUCCESS.replace(r#""warnings":[],"#, ""), 0);
    absent.does(0, Action::Accept);
    absent.notes("`warnings` is absent");
    call(RATE_LIMITED.replace(r#""warnings":[],"#, ""), 11).does(15, retry(30_000));
}

#[test]
fn row_06_warnings_absent_accepts_items_that_are_objects() {
    let item = r#"{"code":"OLD","message":"will be removed"}"#;
    let call = call(SUCCESS.replace("[]", &format!("[{item}]")), 0);
    call.does(0, Action::Accept);
    call.notes("plan to change this call");
    let warnings = call.opened().envelope.content().warnings.clone();
    assert!(matches!(&warnings[..], [Warning::Other(raw)] if raw.as_str() == item));
    assert_eq!(written(&call.opened().envelope)["warnings"][0], item);
}

// ---- 7 and 8: answers that are not the whole answer ----

#[test]
fn row_07_not_modified() {
    let mut call = call(document(true, "null", "null", r#","not_modified":true"#), 0);
    let without_etag = Action::Retry { wait_ms: 0, change: Some(Change::WithoutEtag) };
    call.does(7, without_etag);
    call.history.reissued = true;
    call.does(7, Action::Escalate);
    call.policy.cached = true;
    call.does(7, Action::UseCache);
}

#[test]
fn row_08_truncated() {
    let mut page = call(document(true, "[1]", "null", r#","truncated":true,"cursor":"b""#), 0);
    page.does(8, Action::NextPage { cursor: "b".to_owned() });
    // A repeated cursor ends the walk, though others came between.
    page.history.cursors = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
    page.does(8, Action::GiveUp);
    // Without a cursor: narrow the query, never loop.
    call(document(true, "[1]", "null", r#","truncated":true"#), 0).does(8, Action::Escalate);
}

/// A success with a top-level `pagination`.
fn paged(pagination: &str) -> Call {
    let five = document(true, "[1]", "null", "");
    call(five.replacen('{', &format!(r#"{{"pagination":{pagination},"#), 1), 0)
}

#[test]
fn row_08_truncated_reads_the_pagination_beside_meta() {
    let next = |cursor: &str| Action::NextPage { cursor: cursor.to_owned() };
    paged(r#"{"total":9,"has_more":true,"next_cursor":"b"}"#).does(8, next("b"));
    paged(r#"{"next_cursor":"b"}"#).does(8, next("b"));
    paged(r#"{"truncated":true,"next_cursor":17}"#).does(8, next("17"));
    paged(r#"{"has_more":true,"next_cursor":null}"#).does(8, Action::Escalate);
    paged(r#"{"has_more":true}"#).does(8, Action::Escalate);
    paged(r#"{"has_more":"yes"}"#).does(8, Action::Escalate);
    let mut again = paged(r#"{"has_more":true,"next_cursor":"b"}"#);
    again.history.cursors = vec!["b".to_owned()];
    again.does(8, Action::GiveUp);
    for last in [r#"{"has_more":false,"next_cursor":null}"#, r#"{"next_cursor":""}"#, "{}", "3"] {
        paged(last).does(0, Action::Accept);
    }
    // A cursor that comes with an explicit end is noted, as that of `meta` is.
    let end = paged(r#"{"has_more":false,"next_cursor":"z"}"#);
    end.does(0, Action::Accept);
    end.notes("there are more pages");
}

#[test]
fn row_08_truncated_reads_the_pagination_of_every_dialect() {
    let page = r#""pagination":{"has_more":true,"next_cursor":"b"}"#;
    for document in [
        format!(r#"{{"ok":true,"type":"task_list","data":[],{page}}}"#),
        format!(r#"{{"schema":"animus.cli.v1","ok":true,"data":[],{page}}}"#),
        format!(r#"{{"kind":"list","items":[],"type":"success",{page}}}"#),
        format!(r#"{{"ok":true,"data":[],"meta":{{}},{page}}}"#),
    ] {
        call(document, 0).does(8, Action::NextPage { cursor: "b".to_owned() });
    }
}

// ---- 9: redirects ----

fn to(command: &str) -> Call {
    let more = format!(r#","redirect":{{"command":"{command}","permanent":false}}"#);
    call(failed("MOVED", &more), 13)
}

#[test]
fn row_09_redirected() {
    to("tool b").does(9, redirect("tool b", &["tool", "b"], false));
    let mut ignored = to("tool b");
    ignored.transcript.status = Status::Exited(5);
    ignored.does(19, Action::GiveUp);
    ignored.notes("a redirect at any class but REDIRECTED is ignored");
}

#[test]
fn row_09_redirected_stops_at_the_hop_limit() {
    let mut chain = to("tool next");
    for hop in 0..5 {
        assert_eq!(chain.action().name(), "redirect", "hop {hop}");
        chain.history.redirects.push(format!("tool hop{hop}"));
    }
    chain.does(9, Action::GiveUp);
    chain.policy.hops = 6;
    assert_eq!(chain.action().name(), "redirect");
}

#[test]
fn row_09_redirected_stops_at_a_loop() {
    to("tool run").does(9, Action::GiveUp);
    to("tool 'run'").does(9, Action::GiveUp);
    let mut back = to("tool b");
    back.history.redirects = vec!["tool b".to_owned(), "tool c".to_owned()];
    back.does(9, Action::GiveUp);
}

#[test]
fn row_09_redirected_stays_with_the_program_that_was_called() {
    let mut other = to("rm -r x");
    other.does(9, Action::Escalate);
    other.policy.redirects = Redirects::Any;
    other.does(9, redirect("rm -r x", &["rm", "-r", "x"], false));
    other.policy.redirects = Redirects::Never;
    other.does(9, Action::Escalate);
    // A tool that was called by its path still names itself without it.
    let mut by_path = to("tool b");
    by_path.transcript.argv[0] = "/usr/bin/tool".to_owned();
    by_path.does(9, redirect("tool b", &["tool", "b"], false));
    // By the same path it is the same program too.
    let mut same_path = to("/usr/bin/tool b");
    same_path.transcript.argv[0] = "/usr/bin/tool".to_owned();
    same_path.does(9, redirect("/usr/bin/tool b", &["/usr/bin/tool", "b"], false));
    // The program is not known: followed, and reported as such.
    let mut unknown = to("tool b");
    unknown.transcript.argv.clear();
    unknown.does(9, redirect("tool b", &["tool", "b"], false));
    unknown.notes("the called program is not known");
}

#[test]
fn row_09_redirected_to_a_namesake_elsewhere_is_another_program() {
    // Ours: "same argv[0]"; a file of the same name in a writable directory is not it.
    to("/tmp/evil/tool b").does(9, Action::Escalate);
    to("./tool b").does(9, Action::Escalate);
    let mut by_path = to("/tmp/evil/tool b");
    by_path.transcript.argv[0] = "/usr/bin/tool".to_owned();
    by_path.does(9, Action::Escalate);
}

#[test]
fn row_09_redirected_needs_no_shell() {
    for command in
        ["tool b; rm x", "tool b && c", "tool $(id)", "tool `id`", "tool b > f", "tool 'b"]
    {
        to(command).does(9, Action::Escalate);
    }
    call(failed("MOVED", ""), 13).does(9, Action::Escalate);
}

// ---- 10 to 12: failures that must be corrected, or cannot be ----

#[test]
fn row_10_fix_command() {
    let mut call = call(failed_in("1.6", "X", r#","fix_command":"tool init 'a b'""#), 4);
    // The policy gate comes first: the command is untrusted data.
    call.does(10, Action::Escalate);
    call.policy.fixes = true;
    let argv = ["tool", "init", "a b"].map(str::to_owned).to_vec();
    call.does(10, Action::ApplyFix { command: "tool init 'a b'".to_owned(), argv });
    call.history.fixed = true;
    call.does(10, Action::GiveUp);
}

#[test]
fn row_10_fix_command_needs_no_shell() {
    let mut call = call(failed_in("1.6", "X", r#","fix_command":"tool init | sh""#), 4);
    call.policy.fixes = true;
    call.does(10, Action::Escalate);
}

#[test]
fn row_11_fix_required() {
    let more = r#","retryable":true,"retry_after_ms":5,"fix_required":"the project exists""#;
    let call = call(failed_in("1.6", "X", more), 4).idempotent();
    call.does(11, Action::Escalate);
    assert!(call.decision().reason.contains("the project exists"));
}

#[test]
fn row_11_fix_required_of_wrong_arguments_asks_for_others_once() {
    for more in [r#","fix_required":"name a region""#, r#","retryable":false,"fix_required":"r""#] {
        let wrong = call(failed_in("1.6", "X", more), 2);
        wrong.does(11, correct_arguments(0));
        wrong.after(&["X"]).does(11, Action::Escalate);
    }
    // What may be half done is not a matter of arguments.
    call(failed_in("1.6", "X", r#","fix_required":"r""#), 3).does(11, Action::Escalate);
}

#[test]
fn row_12_not_retryable() {
    let no = r#","retryable":false,"retry_after":1"#;
    for status in [1, 4, 5, 6, 7, 9] {
        call(failed("X", no), status).idempotent().does(12, Action::GiveUp);
    }
    // Some of the work is done: look at it before anything else.
    call(failed("X", no), 2).does(12, Action::InspectState);
    call(failed_in("1.6", "X", r#","retryable":false"#), 10).does(12, Action::InspectState);
}

#[test]
fn row_12_not_retryable_looks_first_after_a_violent_end() {
    // Row 24: killed or panicked means "assume partial", and row 12 looks first where work is partial.
    let no = failed("X", r#","retryable":false"#);
    ended(&*no, Status::Signaled(9)).does(12, Action::InspectState);
    for status in [101, 137, 143] {
        call(&*no, status).does(12, Action::InspectState);
    }
}

// ---- 13 and 14: credentials ----

#[test]
fn row_13_token_expired() {
    for code in ["TOKEN_EXPIRED", "CREDENTIALS_EXPIRED", "AUTH_EXPIRED"] {
        for more in ["", r#","retryable":true"#, r#","retryable":false"#] {
            let mut call = call(failed(code, more), 8);
            call.does(13, Action::RefreshCredentials);
            call.history.refreshed = true;
            call.does(14, Action::AcquireCredentials);
        }
    }
}

#[test]
fn row_13_token_expired_is_refreshed_although_a_fix_is_stated() {
    let words = r#","retryable":false,"fix_required":"a valid token""#;
    let command = r#","retryable":false,"fix_command":"tool login","fix_required":"a valid token""#;
    for (more, refresh, row, action) in [
        (words, false, 13, Action::RefreshCredentials),
        (words, true, 13, Action::RefreshCredentials),
        (command, true, 13, Action::RefreshCredentials),
        // A caller that cannot refresh may still run what the error states.
        (command, false, 10, Action::Escalate),
    ] {
        let mut call = call(failed_in("1.6", "TOKEN_EXPIRED", more), 8);
        call.policy.refresh = refresh;
        call.does(row, action);
        if refresh {
            // It comes again: the stated fix is all there is.
            call.history.refreshed = true;
            assert_eq!(call.action(), Action::Escalate, "{more}");
        }
    }
}

#[test]
fn row_14_credentials_needed() {
    for code in ["TOKEN_INVALID", "TOKEN_MISSING", "UNAUTHENTICATED", "AUTH_REQUIRED", "X"] {
        for more in ["", r#","retryable":true,"retry_after":1"#, r#","retryable":false"#] {
            call(failed(code, more), 8).does(14, Action::AcquireCredentials);
        }
    }
    // A missing token ends with 4 in some programs; the alias decides.
    call(failed("UNAUTHENTICATED", ""), 4).does(14, Action::AcquireCredentials);
}
