//! Owns: redirects are followed as far as the caller trusts them, permanent ones are remembered for
//! the next call, `manila redirects` shows and forgets them, and no crowd or kill loses one.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;
#[path = "support/tool.rs"]
mod tool;

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use support::{Call, manila};
use tool::{Tool, assert_warns, called, causes, certain, lines};

const MOVED: &str = r#"
count calls
case "$1" in
old) moved "tool new $2" ;;
for-now) moved 'tool new' false ;;
chain) moved 'tool old' ;;
circle) moved 'tool elcric' ;;
elcric) moved 'tool circle' ;;
self) moved 'tool self' ;;
forever) moved "tool forever x$2" false ;;
forced) moved 'tool new --yes=1' ;;
other) moved 'rm new' ;;
shell) moved 'tool new; rm x' ;;
stolen) moved '/bin/tool new' ;;
*) ok "{\"called\":\"$*\"}" ;;
esac"#;

fn redirects(tool: &Tool, arguments: &[&str]) -> Call {
    manila(["redirects"]).args(arguments).args(&["--redirect-store", &tool.file("moves")])
}

/// What is remembered, without the program.
fn remembered(tool: &Tool) -> Vec<(String, String)> {
    let data = redirects(tool, &["list", "--json"]).run().data();
    assert_eq!(data["file"], tool.file("moves"));
    let words = |argv: &Value| {
        let words: Vec<&str> =
            argv.as_array().expect("words").iter().filter_map(Value::as_str).collect();
        assert_eq!(words[0], tool.path());
        words[1..].join(" ")
    };
    let moves = data["moves"].as_array().expect("a list").clone();
    moves.iter().map(|moved| (words(&moved["from"]), words(&moved["to"]))).collect()
}

/// What comes of a call that uses the store beside the program.
fn calling(tool: &Tool, flags: &[&str], line: &str) -> Value {
    let moves = tool.file("moves");
    let flags: Vec<&str> =
        ["--redirect-store", &moves].into_iter().chain(flags.iter().copied()).collect();
    certain(&tool.json(&flags, line))
}

#[test]
fn a_permanent_redirect_is_followed_and_used_in_the_next_call() {
    let tool = Tool::new("redirects-used", MOVED);
    let first = calling(&tool, &[], "old a");
    assert_eq!(
        (causes(&first), called(&first, 1)),
        (vec!["first", "redirect"], "new a".to_owned())
    );
    assert_eq!(first["data"], json!({"called": "new a"}));
    assert_eq!(remembered(&tool), [("old".to_owned(), "new".to_owned())]);
    let second = calling(&tool, &[], "old b --all");
    assert_eq!(
        (causes(&second), called(&second, 0)),
        (vec!["remembered"], "new b --all".to_owned())
    );
    assert_eq!(tool.counted("calls"), 3);

    let moves = tool.file("moves");
    let plan = tool.json(&["--redirect-store", &moves, "--dry-run"], "old c").data();
    assert_eq!((&plan["because"], &plan["argv"][1]), (&json!("remembered"), &json!("new")));
    let unknown = calling(&tool, &["--redirects", "never"], "old a");
    assert_eq!(called(&unknown, 0), "old a");
    assert_warns(&unknown, "follows no redirects");
    let without = certain(&tool.json(&["--no-redirect-store", "--redirects", "never"], "old a"));
    assert_eq!((called(&without, 0), &without["warnings"]), ("old a".to_owned(), &json!([])));
}

#[test]
fn the_usual_place_is_used_unless_another_is_named() {
    let tool = Tool::new("redirects-usual", MOVED);
    certain(&tool.json(&[], "old a"));
    assert_eq!(causes(&certain(&tool.json(&[], "old a"))), ["remembered"]);
    assert!(tool.has("state/manila/moves.jsonl"));
    let listed =
        manila(["redirects", "list"]).env("XDG_STATE_HOME", &tool.file("state")).run().text();
    assert!(listed.contains("old") && listed.contains("IS NOW"), "{listed}");
    let nowhere =
        manila(["redirects", "list", "--json"]).env("XDG_STATE_HOME", "x").env("HOME", "");
    nowhere.run().error(4, "NO_PLACE");
    let own = Tool::new("redirects-none", MOVED);
    certain(&own.json(&["--no-redirect-store"], "old a"));
    assert!(!own.has("state"));
}

#[test]
fn a_redirect_for_this_call_is_not_remembered() {
    let tool = Tool::new("redirects-for-now", MOVED);
    assert_eq!(causes(&calling(&tool, &[], "for-now")), ["first", "redirect"]);
    assert_eq!(causes(&calling(&tool, &[], "for-now")), ["first", "redirect"]);
    assert!(!tool.has("moves"));
}

#[test]
fn a_chain_is_followed_and_a_circle_is_not() {
    let tool = Tool::new("redirects-chain", MOVED);
    assert_eq!(calling(&tool, &[], "chain")["data"]["called"], "new");
    let circle = calling(&tool, &["--no-input"], "circle");
    assert_eq!(circle["error"]["code"], "MOVED");
    assert_eq!(causes(&circle).len(), 3, "{circle}");
    // The circle that is remembered now does not keep the next call from being made.
    assert_eq!(calling(&tool, &[], "circle")["error"]["code"], "MOVED");
    let own = calling(&tool, &[], "self");
    assert_eq!(own["error"]["code"], "MOVED");
    assert!(causes(&own).len() <= 2, "{own}");
    for (hops, attempts) in [("0", 1), ("3", 4)] {
        let forever = calling(&tool, &["--max-hops", hops], "forever");
        assert_eq!(
            (causes(&forever).len(), &forever["error"]["code"]),
            (attempts, &json!("MOVED"))
        );
    }
}

#[test]
fn a_command_of_another_program_is_not_run() {
    let tool = Tool::new("redirects-other-program", MOVED);
    for line in ["other", "shell", "stolen"] {
        let refused = calling(&tool, &[], line);
        assert_eq!((causes(&refused), &refused["error"]["code"]), (vec!["first"], &json!("MOVED")));
        assert_eq!(
            refused["meta"]["run"]["trace"]["steps"][0]["decision"]["do"], "escalate",
            "{line}"
        );
    }
    for flags in [["--redirects", "never"], ["--redirects", "ask"]] {
        assert_eq!(causes(&calling(&tool, &flags, "old a")), ["first"]);
    }
    let forbidden = calling(&tool, &["--deny-arg", "--force", "--deny-arg", "--yes"], "forced");
    assert_eq!(causes(&forbidden), ["first"]);
    assert_warns(&forbidden, "brings in --yes=1");
    // A confirmation is the caller's to give, whether it is named or not.
    let confirmed = calling(&tool, &[], "forced");
    assert_eq!(causes(&confirmed), ["first"]);
    assert_warns(&confirmed, "it adds --yes=1");
    assert!(!tool.has("moves"));
}

#[test]
fn a_redirect_never_does_more_than_the_call() {
    let tool = Tool::new("redirects-raise", "moved 'tool delete everything'");
    let refused = calling(&tool, &[], "list");
    assert_eq!(causes(&refused), ["first"]);
    assert_warns(&refused, "it does more than the call");
    assert!(!tool.has("moves"));
}

#[test]
fn a_redirect_that_is_more_than_a_new_name_is_not_remembered() {
    let tool = Tool::new(
        "redirects-more",
        "case $1 in list) moved 'tool ls --long' ;; *) ok '{}' ;; esac",
    );
    assert_eq!(causes(&calling(&tool, &[], "list")), ["first", "redirect"]);
    assert!(!tool.has("moves"));
}

#[test]
fn another_program_is_called_if_the_caller_says_so() {
    let tool = Tool::new("redirects-any", "moved 'echo new'");
    let envelope = calling(&tool, &["--redirects", "any"], "old");
    assert_eq!(envelope["data"]["stdout"], "new\n");
}

#[test]
fn what_is_forgotten_is_asked_again() {
    let tool = Tool::new("redirects-forget", MOVED);
    calling(&tool, &[], "old a");
    let path = tool.path();
    let forgotten = manila([
        "redirects",
        "--redirect-store",
        &tool.file("moves"),
        "forget",
        "--json",
        &path,
        "old",
    ]);
    let envelope = forgotten.run().envelope();
    assert_eq!(
        (&envelope["data"]["state"], &envelope["meta"]["effect"]),
        (&json!("forgotten"), &json!("deleted"))
    );
    assert_eq!(envelope["data"]["moves"][0]["from"], json!([path, "old"]));
    assert!(remembered(&tool).is_empty());
    let text = redirects(&tool, &["list"]).run().text();
    assert!(text.starts_with("no redirects are remembered in "), "{text}");
    let again = manila([
        "redirects",
        "--redirect-store",
        &tool.file("moves"),
        "forget",
        "--json",
        &path,
        "old",
    ]);
    again.run().error(5, "NOT_REMEMBERED");
    assert_eq!(causes(&calling(&tool, &[], "old a")), ["first", "redirect"]);
    let text = manila(["redirects", "--redirect-store", &tool.file("moves"), "forget", &path])
        .run()
        .text();
    assert!(text.starts_with("forgotten\n") && text.contains(" new"), "{text}");
}

#[test]
fn a_program_is_forgotten_by_the_name_it_was_called_by() {
    let tool = Tool::new("redirects-relative", MOVED);
    let moves = tool.file("moves");
    let mut call =
        manila(["run", "--json", "--redirect-store", &moves, "--", "./tool", "old", "a"]);
    call.0.current_dir(&tool.dir);
    certain(&call.run());
    assert_eq!(remembered(&tool).len(), 1);
    let mut forget =
        manila(["redirects", "--redirect-store", &moves, "forget", "--json", "./tool", "old"]);
    forget.0.current_dir(&tool.dir);
    forget.run().data();
    assert!(remembered(&tool).is_empty());
}

#[test]
fn a_redirect_store_that_cannot_be_read_or_written_costs_a_warning_and_no_answer() {
    let tool = Tool::new("redirects-bad", MOVED);
    for place in ["/dev/null/moves", tool.dir.to_str().expect("UTF-8")] {
        let envelope = certain(&tool.json(&["--redirect-store", place], "old a"));
        assert_eq!(envelope["data"]["called"], "new a");
        assert_warns(&envelope, place);
        let ran = manila(["redirects", "list", "--json", "--redirect-store", place]).run();
        assert!(!ran.envelope()["ok"].as_bool().expect("a word"));
    }
    tool.write("moves", "not a line of ours\n{\"moved\":{\"from\":[\"half");
    assert_eq!(causes(&calling(&tool, &[], "old a")), ["first", "redirect"]);
    assert_eq!(remembered(&tool).len(), 1);
}

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("a number") % end
    }
}

/// Lets a call run until it has printed so many lines, and then kills it; whether it got so far
/// that the redirect must be remembered, and whether it was killed.
fn killed_after(mut manila: Child, most: usize) -> (bool, bool) {
    let lines = BufReader::new(manila.stderr.take().expect("a pipe")).lines().take(most);
    // The second attempt is only made when the redirect is written.
    let is_acknowledged = lines.map_while(Result::ok).any(|line| line.starts_with("attempt 2"));
    // It may have ended by itself.
    let _ = manila.kill();
    let status = manila.wait().expect("it ends");
    (is_acknowledged || status.success(), status.code().is_none())
}

#[test]
fn fifty_callers_with_random_kills_lose_nothing_that_was_acknowledged() {
    const CALLERS: usize = 50;
    const LINES: usize = 9;
    let tool = Tool::new(
        "redirects-crowd",
        "case $1 in old*) moved \"tool new${1#old}\" ;; *) ok '{}' ;; esac",
    );
    let moves = tool.file("moves");
    let mut random = Random(7);
    let mut acknowledged = BTreeSet::new();
    let mut killed = 0;
    for round in 0..3 {
        let ended: Vec<_> = (0..CALLERS)
            .map(|number| {
                let name = format!("{round}-{number}");
                let call = tool.call(
                    &["--explain", "--json", "--redirect-store", &moves],
                    &format!("old{name}"),
                );
                let child = call.stdout(Stdio::null()).0.spawn().expect("manila starts");
                let most = random.below(LINES);
                (name, std::thread::spawn(move || killed_after(child, most)))
            })
            .collect();
        for (name, ended) in ended {
            let (is_acknowledged, is_killed) = ended.join().expect("no panic");
            killed += usize::from(is_killed);
            if is_acknowledged {
                acknowledged.insert(name);
            }
        }
    }
    let known: BTreeSet<String> =
        remembered(&tool).into_iter().map(|(from, _)| from.replacen("old", "", 1)).collect();
    let lost: Vec<_> = acknowledged.difference(&known).collect();
    assert!(lost.is_empty(), "{lost:?} of {}", acknowledged.len());
    assert!(killed > 0 && !acknowledged.is_empty(), "{killed} {}", acknowledged.len());
    for line in lines(&moves) {
        let line: Value = serde_json::from_str(&line).expect("a whole line");
        assert_eq!(line["moved"]["to"][0], tool.path().as_str());
    }
    // A call after all the others finds a store that works.
    let late = acknowledged.first().expect("one");
    assert_eq!(causes(&calling(&tool, &[], &format!("old{late}"))), ["remembered"]);
}

#[test]
fn callers_who_forget_and_learn_at_once_leave_a_whole_file() {
    let tool = Tool::new("redirects-both", MOVED);
    let (moves, path) = (tool.file("moves"), tool.path());
    std::thread::scope(|scope| {
        for number in 0..8 {
            let (tool, moves, path) = (&tool, &moves, &path);
            scope.spawn(move || {
                if number % 2 == 0 {
                    calling(tool, &[], "old a");
                } else {
                    manila(["redirects", "--redirect-store", moves, "forget", "--json", path])
                        .run();
                }
            });
        }
    });
    for line in lines(&moves) {
        let _: Value = serde_json::from_str(&line).expect("a whole line");
    }
    assert!(remembered(&tool).len() <= 1);
}
