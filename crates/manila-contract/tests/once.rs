//! One change is reported once: what follows from it is not a change of its own.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

use manila_contract::{Lock, Versions, compare};

/// The rules by which two contracts of `/list` differ.
fn changes(old: &str, new: &str) -> Vec<String> {
    let [old, new] = [old, new].map(|lines| {
        let lines: String = lines.lines().map(|line| format!("/list {}\n", line.trim())).collect();
        let text = format!("manila.lock 1\n/ : group\n/list : command\n{lines}end\n");
        Lock::read(&text).expect("a lock")
    });
    let changes = compare(&old, &new, &Versions::default());
    changes.iter().map(|it| format!("{} {}", it.rule.id, it.subject())).collect()
}

#[test]
fn another_exit_code_is_reported_although_other_failures_have_it() {
    let found = changes(
        "call missing : exit 4\ncall unknown-flag : exit 2\nexit 2\nexit 2 status : 2\nexit 4\nexit 4 status : 4",
        "call missing : exit 2\ncall unknown-flag : exit 2\nexit 2\nexit 2 status : 2",
    );
    assert_eq!(found, ["exit-status-changed exit 4 status → exit 2 status"]);
}

#[test]
fn a_failure_of_another_class_has_another_exit_code() {
    let found = changes(
        "call missing : error GONE\nerror GONE\nerror GONE class : NOT_FOUND\nerror GONE status : 5",
        "call missing : error GONE\nerror GONE\nerror GONE class : PRECONDITION\nerror GONE status : 4",
    );
    assert_eq!(found, ["error-class-changed error GONE class"]);
}

#[test]
fn a_call_that_fails_with_and_without_json_fails() {
    let found = changes(
        "call sample : ok\ncall sample-text : ok\nok\ntext",
        "call sample : exit 1\ncall sample-text : exit 1\nexit 1\nfailure",
    );
    assert_eq!(found, ["success-became-failure call sample"]);
    let found = changes(
        "call sample : ok\ncall sample-text : ok\nok\ntext",
        "call sample : ok\ncall sample-text : exit 1\nok\nexit 1\nfailure",
    );
    assert_eq!(found, ["success-became-failure call sample-text"]);
}

#[test]
fn a_cursor_comes_and_goes_with_its_pages() {
    let whole = "call sample : ok\nok\nok . : object\nok .items : array always\nok stream : stdout";
    let pages = format!("{whole}\nok .next_cursor : string always\nok paging : cursor");
    assert_eq!(changes(whole, &pages), ["paging-added ok paging"]);
    assert_eq!(changes(&pages, whole), ["paging-removed ok paging"]);
}

#[test]
fn a_payload_is_wrapped_inside_its_envelope_too() {
    let list = "call sample : ok\nok\nok . : object\nok .data : array always\nok .data[] : object\n\
                ok .data[].id : integer always\nok stream : stdout";
    let wrapped = "call sample : ok\nok\nok . : object\nok .data : object always\nok .data.jobs : array always\n\
                   ok .data.jobs[] : object\nok .data.jobs[].id : integer always\nok stream : stdout";
    assert_eq!(changes(list, wrapped), ["payload-wrapped ok .data → ok .data.jobs"]);
    assert_eq!(changes(wrapped, list), ["payload-unwrapped ok .data.jobs → ok .data"]);
}

#[test]
fn text_on_the_other_stream_was_moved() {
    let of = |stdout: &str, stderr: &str| {
        format!("call sample-text : ok\ntext\ntext stderr : {stderr}\ntext stdout : {stdout}")
    };
    let (stdout, stderr) = (of("text", "nothing"), of("nothing", "text"));
    assert_eq!(changes(&stdout, &stderr), ["answer-moved-to-stderr text stdout"]);
    assert_eq!(changes(&stderr, &stdout), ["answer-moved-to-stdout text stdout"]);
    assert_eq!(changes(&stdout, &of("text", "text")), ["text-on-stderr-appeared text stderr"]);
}

#[test]
fn a_failure_that_says_both_is_between_the_two() {
    let of = |values: &str| format!("error BUSY\nerror BUSY retryable : {values}");
    assert_eq!(
        changes(&of("true"), &of("false true")),
        ["retryable-became-false error BUSY retryable"]
    );
    assert_eq!(
        changes(&of("false true"), &of("true")),
        ["retryable-became-true error BUSY retryable"]
    );
}

#[test]
fn one_document_per_line_is_the_list_that_it_was() {
    let fields = |at: &str| {
        format!("ok {at} : object\nok {at}.id : integer always\nok {at}.title : string always\n")
    };
    let of = |shape: &str, stdout: &str| {
        format!("call sample : ok\nok\n{shape}ok stdout : {stdout}\nok stream : stdout")
    };
    let lines = of("ok . : object\nok .id : integer always\nok .title : string always\n", "lines");
    let list = of(&format!("ok . : array\n{}", fields(".[]")), "document");
    let named = format!("ok . : object\nok .notes : array always\n{}", fields(".notes[]"));
    for document in [list, of(&named, "document")] {
        assert_eq!(changes(&document, &lines), ["document-became-lines ok stdout"]);
        assert_eq!(changes(&lines, &document), ["lines-became-document ok stdout"]);
    }
}

#[test]
fn a_field_that_states_a_fact_of_failures_comes_and_goes_with_it() {
    let whole = "call sample : error BUSY\nerror BUSY\nfailure\nfailure . : object\nfailure .error : object always\n\
                 failure stream : stdout";
    let with =
        format!("{whole}\nerror BUSY retryable : true\nfailure .error.retryable : boolean always");
    assert_eq!(changes(&with, whole), ["retryable-removed error BUSY retryable"]);
    assert_eq!(changes(whole, &with), ["retryable-added error BUSY retryable"]);
}

#[test]
fn a_failure_that_ends_with_zero_is_of_the_class_of_successes() {
    let of = |class: &str, status: &str| {
        format!(
            "call missing : error GONE\nerror GONE\nerror GONE class : {class}\nerror GONE status : {status}"
        )
    };
    let found = changes(&of("NOT_FOUND", "4"), &of("SUCCESS", "0"));
    assert_eq!(found, ["failure-now-zero error GONE status"]);
}

#[test]
fn a_call_that_repeats_another_repeats_its_change() {
    let of = |outcome: &str| format!("call missing : {outcome}\ncall missing-2 : {outcome}");
    let found = changes(&of("exit 4"), &of("ok"));
    assert_eq!(found, ["missing-became-success call missing"]);
}

#[test]
fn what_moves_with_json_moves_without_it() {
    let of = |stdout: &str, stderr: &str, stream: &str| {
        format!(
            "call sample : ok\ncall sample-text : ok\nok\nok stream : {stream}\n\
             text\ntext stderr : {stderr}\ntext stdout : {stdout}"
        )
    };
    let found = changes(&of("text", "nothing", "stdout"), &of("nothing", "text", "stderr"));
    assert_eq!(found, ["answer-moved-to-stderr ok stream"]);
}

#[test]
fn another_switch_for_json_is_one_change() {
    let failure = "failure\nfailure . : object\nfailure stream : stderr";
    let old = format!(
        "call sample : error BAD\nerror BAD\nflag --json : switch\njson : --json\n{failure}"
    );
    let new = "call sample : exit 2\nexit 2\nflag --as-json : switch\nfailure";
    assert_eq!(changes(&old, new), ["json-switch-changed json"]);
    assert_eq!(changes(new, &old), ["json-switch-changed json"]);
}

#[test]
fn a_switch_for_json_that_is_gone_is_one_change() {
    let old = "call sample : ok\nflag --json : switch\njson : --json";
    assert_eq!(changes(old, "call sample : ok"), ["json-switch-removed json"]);
    assert_eq!(changes("call sample : ok", old), ["json-switch-added json"]);
}

#[test]
fn a_code_of_fewer_classes_is_of_the_same_class() {
    let of = |class: &str| format!("error BAD\nerror BAD class : {class}\nerror BAD status : 2");
    assert!(changes(&of("ARG_ERROR PRECONDITION"), &of("PRECONDITION")).is_empty());
}

#[test]
fn a_credential_in_a_new_field_is_reported() {
    let old = "call sample : ok\nok\nok . : object\nok .id : integer always\nok stream : stdout";
    let new = format!("{old}\nok .token : string always secret");
    assert_eq!(changes(old, &new), ["field-added ok .token", "secret-appeared ok .token"]);
    assert_eq!(changes(&new, old), ["field-removed ok .token", "secret-gone ok .token"]);
}

#[test]
fn a_flag_with_the_same_default_is_the_same_flag() {
    let of = |name: &str| format!("flag {name} : number\nflag {name} default : 20");
    assert_eq!(changes(&of("--limit"), &of("--max")), ["flag-renamed flag --limit → flag --max"]);
}
