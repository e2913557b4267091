//! What no call accepts: a document that states outright that it failed, and one that is cut. Reading, deciding and
//! running agree about both.

use super::law::config;
use super::runtime::{Claim, Script, ScriptedAnswer, SimulatedRuntime};
use crate::invocation::Invocation;
use crate::policy::Policy;
use manila::{Action, ErrorObject, History, Options, Transcript};
use manila_pack::{decide, open_run};
use proptest::prelude::*;
use proptest::sample::select;

/// Calls of programs with a pack and without, some of which have a dialect and some of which may start any other.
const CALLS: &[&str] = &[
    "/opt/tool get x",
    "/opt/tool get x --json",
    "npm view x --json",
    "npm ci",
    "curl -s http://127.0.0.1/",
    "kubectl get pods -o json",
    "gemini -p x --output-format json",
    "codex exec --json x",
    "claude -p x --output-format json",
    "git show HEAD:x.json",
    "gh api repos/x/y",
    "docker inspect x",
    "terraform show -json",
    "aws s3api list-buckets",
    "gcloud projects list --format=json",
    "cargo build --message-format=json",
    "sf org list --json",
];

/// Successes of several dialects and of none.
const SUCCESSES: &[&str] = &[
    r#"{"ok":true,"data":{"n":1},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#,
    r#"{"schema":"animus.cli.v1","ok":true,"data":1}"#,
    r#"{"ok":true,"type":"task","data":{}}"#,
    r#"{"status":0,"result":{"n":1},"warnings":[]}"#,
    r#"{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"}"#,
    r#"{"kind":"List","apiVersion":"v1","items":[]}"#,
    r#"{"n":1}"#,
    r#"{"name":"x","version":"1.0.0"}"#,
];

/// Members that say that it failed.
const MARKS: &[&str] = &[
    r#""ok":false"#,
    r#""success":false"#,
    r#""status":"error""#,
    r#""is_error":true"#,
    r#""isError":true"#,
    r#""error":{"code":"X","message":"boom"}"#,
    r#""error":{"code":404,"message":"boom","status":"NOT_FOUND"}"#,
    r#""error":{}"#,
    r#""error":"boom""#,
    r#""error":true"#,
    r#""errors":[{"message":"boom"}],"data":null"#,
    r#""result":{"content":[{"type":"text","text":"boom"}],"isError":true}"#,
];

/// A document with a member at its beginning or its end.
fn with(document: &str, member: &str, first: bool) -> String {
    let inside = document.strip_prefix('{').and_then(|it| it.strip_suffix('}')).unwrap();
    if first { format!("{{{member},{inside}}}") } else { format!("{{{inside},{member}}}") }
}

/// The documents that a failure may be: alone, in a list, in a batch, or the last of several.
fn forms(failure: &str) -> Vec<String> {
    let rpc = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let failed = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"boom"}}"#;
    vec![
        failure.to_owned(),
        format!("{failure}\n"),
        format!("\u{feff}{failure}\n"),
        format!("\u{1b}[32m{failure}\u{1b}[0m\n"),
        format!("[{failure}]"),
        format!("[{failure},{failure}]"),
        format!("[{rpc},{failed}]"),
        format!("[{failed},{rpc}]"),
    ]
}

fn transcript(argv: &[String], answer: &ScriptedAnswer) -> Transcript {
    Transcript {
        argv: argv.to_vec(),
        stdout: answer.stdout.clone().into_bytes(),
        stderr: answer.stderr.clone().into_bytes(),
        status: answer.status,
        duration_ms: None,
    }
}

/// Whether reading, deciding and running accept what a call left behind.
fn accepted(call: &str, answer: &ScriptedAnswer) -> [bool; 3] {
    let argv: Vec<String> = call.split(' ').map(str::to_owned).collect();
    let (options, policy) = (Options::default(), Policy::default());
    let packs = policy.packs.lookup();
    let run = transcript(&argv, answer);
    let opened = open_run(&run, &options, packs);
    let history = |_: Option<&ErrorObject>| History::default();
    let decided = decide(&run, &options, packs, history, &manila::Policy::default(), None).unwrap();
    let invocation = Invocation::new(&argv[0]).args(&argv[1..]);
    let (outcome, _) = SimulatedRuntime::play(&Script::of([answer.clone()]), &invocation, &policy);
    let is_read = opened.is_ok_and(|opened| opened.envelope.ok() && !opened.detection.denied);
    [is_read, decided.decision.action == Action::Accept, outcome.envelope.ok()]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_document_with_an_explicit_failure_mark_is_ever_accepted(
        call in select(CALLS),
        document in select(SUCCESSES),
        (mark, first) in (select(MARKS), any::<bool>()),
        form in 0..8_usize,
        is_on_stderr in any::<bool>(),
    ) {
        // GraphQL allows errors beside data.
        prop_assume!(!mark.contains("errors") || !document.contains("\"data\""));
        let text = forms(&with(document, mark, first)).swap_remove(form);
        let answer = ScriptedAnswer::new("", 0, Claim::Otherwise);
        let answer =
            if is_on_stderr { ScriptedAnswer { stderr: text, ..answer } } else { ScriptedAnswer { stdout: text, ..answer } };
        prop_assert_eq!(accepted(call, &answer), [false; 3], "{} {:?}", call, answer);
    }

    #[test]
    fn a_failure_after_other_documents_is_not_accepted(
        call in select(CALLS),
        before in select(SUCCESSES),
        mark in select(MARKS),
    ) {
        // A text as error, beside a level or not, is what records of logs have.
        prop_assume!(!mark.contains("\"boom\"") || mark.contains('{'));
        let failure = with(r#"{"n":2}"#, mark, true);
        let answer = ScriptedAnswer::new(format!("{before}\n{failure}\n"), 0, Claim::Otherwise);
        prop_assert_eq!(accepted(call, &answer), [false; 3], "{} {:?}", call, answer);
    }
}

#[test]
fn a_stream_that_ends_with_an_error_is_not_accepted() {
    let started = r#"{"type":"thread.started","thread_id":"t"}"#;
    let error = r#"{"type":"error","message":"boom"}"#;
    let done = r#"{"type":"turn.completed","usage":{}}"#;
    let codex = "codex exec --json x";
    for lines in [vec![started, error], vec![error], vec![started], vec![done, error]] {
        let answer = ScriptedAnswer::new(lines.join("\n"), 0, Claim::Otherwise);
        assert_eq!(accepted(codex, &answer), [false; 3], "{lines:?}");
    }
    // An error that was overcome is none.
    let answer = ScriptedAnswer::new([started, error, done].join("\n"), 0, Claim::Success);
    assert_eq!(accepted(codex, &answer), [true; 3]);
}

#[test]
fn an_answer_that_is_cut_is_no_success_where_a_document_was_expected() {
    let whole = r#"{"kind":"List","apiVersion":"v1","items":[{"kind":"Pod"},{"kind":"Pod"}]}"#;
    for call in ["kubectl get pods -o json", "kubectl get pods", "/opt/tool get --json", "npm ls"] {
        for end in [1, 7, 20, whole.len() - 1] {
            let answer = ScriptedAnswer::new(&whole[..end], 0, Claim::Otherwise);
            assert_eq!(accepted(call, &answer), [false; 3], "{call}: {}", &whole[..end]);
        }
    }
}

#[test]
fn text_that_begins_like_a_document_and_data_pass() {
    for (call, text) in [
        ("/opt/tool get x", "{ this is no JSON\n"),
        ("/opt/tool get x", "{\"a\": "),
        ("git show HEAD:x", "{\n  \"a\": "),
        ("git log", "[main 1a2b3c] a commit\n"),
        ("kubectl get pods -o json", r#"{"kind":"List","items":[{"error":"boom"}]}"#),
        ("gh api repos/x/y", r#"[{"id":1,"error":null},{"id":2,"error":"boom"}]"#),
        ("gh api repos/x/y", r#"{"title":"x","status":"open"}"#),
        ("kubectl logs x", "{\"level\":\"info\"}\n{\"level\":\"error\",\"error\":\"boom\"}\n"),
        (
            "docker logs x",
            "{\"level\":\"info\"}\n{\"level\":\"error\",\"error\":{\"message\":\"x\"}}\n",
        ),
    ] {
        let answer = ScriptedAnswer::new(text, 0, Claim::Silent);
        assert!(accepted(call, &answer)[2], "{call}: {text}");
    }
}
