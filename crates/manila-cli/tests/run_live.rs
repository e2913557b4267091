//! Owns: what `manila run` decides about real programs against servers on loopback, locks and benign statuses.
//!
//! A program that is not installed is skipped. No wait is made but the two that are tested.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{empty_dir, manila, skipped};

/// A server that answers each request with the status in its path: `/503/…`, or `/once-503/…` for the first
/// request alone.
struct Server {
    address: String,
    requests: Arc<AtomicUsize>,
}

impl Server {
    fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let requests = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let before = count.fetch_add(1, Ordering::SeqCst);
                let _ = answer(&stream, before);
            }
        });
        Server { address, requests }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }
}

fn answer(stream: &TcpStream, before: usize) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let path = request.split('/').nth(1).unwrap_or_default();
    let status = match path.split_whitespace().next().unwrap_or_default().strip_prefix("once-") {
        Some(status) if before == 0 => status,
        Some(_) => "200",
        None => path,
    };
    let status = status.get(..3).unwrap_or("200");
    let body = "{}";
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status} Status\r\nWWW-Authenticate: Basic realm=\"t\"\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// A port without a listener.
const DEAD: &str = "127.0.0.1:1";

fn has(program: &str) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok();
    if !found {
        skipped(&format!("{program} is not installed"));
    }
    found
}

/// The answer about a command, which waits for nothing.
fn settled(flags: &[&str], argv: &[&str]) -> Value {
    let home = empty_dir("live-home").display().to_string();
    let call =
        manila(["run", "--json", "--no-redirect-store"]).args(flags).args(&["--"]).args(argv);
    let call = call.env("HOME", &home).env("GIT_TERMINAL_PROMPT", "0").env("no_proxy", "*");
    call.run().envelope()
}

/// What is decided about a command: class, exit code, attempts and what is next.
#[track_caller]
fn decided(argv: &[&str], class: &str, exit_code: i32, next: &str) {
    let envelope = settled(&["--max-wait", "0s"], argv);
    let run = &envelope["meta"]["run"];
    let next_is = run["next"]["do"].as_str().unwrap_or("accept");
    assert_eq!(
        (run["class"].as_str(), run["exit_code"].as_i64(), next_is, run["attempts"].as_i64()),
        (Some(class), Some(i64::from(exit_code)), next, Some(1)),
        "{argv:?}: {envelope}"
    );
}

fn repository(name: &str) -> PathBuf {
    let dir = empty_dir(name);
    let git = |line: &str| {
        let mut git = Command::new("git");
        git.current_dir(&dir).args(line.split_whitespace()).env("GIT_CONFIG_GLOBAL", "/dev/null");
        git.stdin(Stdio::null());
        assert!(git.status().expect("git").success(), "{line}");
    };
    git("init -q");
    fs::write(dir.join("a"), "a\n").expect("a file");
    git("add a");
    git("-c user.name=a -c user.email=a@b commit -qm a");
    dir
}

#[test]
fn curl_against_servers() {
    if !has("curl") {
        return;
    }
    let server = Server::start();
    let get =
        |path: &str, class, next| decided(&["curl", "-sSf", &server.url(path)], class, 22, next);
    get("401", "AUTH_REQUIRED", "acquire-credentials");
    get("403", "PERMISSION_DENIED", "give-up");
    get("404", "NOT_FOUND", "give-up");
    get("409", "CONFLICT", "give-up");
    get("429", "RATE_LIMITED", "retry");
    get("500", "UNAVAILABLE", "retry");
    get("503", "UNAVAILABLE", "retry");
    let post = server.url("503");
    decided(&["curl", "-sSf", "-d", "a=1", &post], "UNAVAILABLE", 22, "inspect-state");
    let dead = format!("http://{DEAD}/");
    decided(&["curl", "-sSf", "-d", "a=1", &dead], "UNAVAILABLE", 7, "retry");
}

#[test]
fn a_server_that_is_down_for_a_moment_is_called_again() {
    if !has("curl") {
        return;
    }
    let server = Server::start();
    let envelope = settled(&[], &["curl", "-sSf", &server.url("once-503")]);
    assert_eq!((&envelope["ok"], &envelope["data"]), (&json!(true), &json!({})), "{envelope}");
    assert_eq!(envelope["meta"]["run"]["attempts"], 2, "{envelope}");
    assert_eq!(server.requests.load(Ordering::SeqCst), 2);
}

#[test]
fn git_against_servers_and_in_directories() {
    if !has("git") {
        return;
    }
    let server = Server::start();
    let remote = |path: &str, class, next| {
        let url = server.url(&format!("{path}/x.git"));
        decided(&["git", "ls-remote", &url], class, 128, next);
    };
    remote("401", "AUTH_REQUIRED", "acquire-credentials");
    remote("403", "PERMISSION_DENIED", "give-up");
    remote("404", "NOT_FOUND", "give-up");
    remote("429", "RATE_LIMITED", "retry");
    remote("503", "UNAVAILABLE", "retry");
    decided(&["git", "-C", "/nonexistent", "status"], "NOT_FOUND", 128, "give-up");
    let dir = repository("live-git");
    let here = dir.to_str().expect("UTF-8");
    let dead = format!("http://{DEAD}/x.git");
    decided(&["git", "-C", here, "push", &dead, "HEAD"], "UNAVAILABLE", 128, "retry");
    decided(&["git", "-C", here, "grep", "zzz"], "SUCCESS", 1, "accept");
    decided(&["git", "-C", here, "log", "--nope"], "ARG_ERROR", 128, "correct-arguments");
    fs::write(dir.join("a"), "b\n").expect("a file");
    decided(&["git", "-C", here, "diff", "--exit-code"], "SUCCESS", 1, "accept");
}

#[test]
fn a_lock_is_waited_for_also_before_a_write() {
    if !has("git") {
        return;
    }
    let dir = repository("live-lock");
    let here = dir.to_str().expect("UTF-8");
    fs::write(dir.join("a"), "b\n").expect("a file");
    let lock = dir.join(".git/index.lock");
    fs::write(&lock, "").expect("a lock");
    let commit =
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", here, "commit", "-qam", "b"];
    let envelope = settled(&["--max-wait", "0s"], &commit);
    let run = &envelope["meta"]["run"];
    assert_eq!(
        (&run["class"], &run["next"]["do"]),
        (&json!("CONFLICT"), &json!("retry")),
        "{envelope}"
    );
    assert!(run["next"]["after_ms"].as_u64().is_some_and(|wait| wait > 0), "{envelope}");
    // The process that holds the lock releases it when the first attempt has failed.
    let mut call = manila(["run", "--explain", "--no-redirect-store", "--"]).args(&commit);
    let mut manila = call.0.stderr(Stdio::piped()).spawn().expect("manila starts");
    let explained = BufReader::new(manila.stderr.take().expect("a pipe"));
    let waits = explained.lines().map_while(Result::ok).any(|line| line.contains("waiting"));
    fs::remove_file(&lock).expect("the lock");
    assert!(waits && manila.wait().expect("it ends").success());
}

#[test]
fn clients_without_a_server() {
    for (program, argv, exit_code) in [
        ("psql", &["psql", "-h", "127.0.0.1", "-p", "1", "-c", "select 1"][..], 2),
        ("redis-cli", &["redis-cli", "-p", "1", "get", "x"], 1),
        ("kubectl", &["kubectl", "--server", "http://127.0.0.1:1", "get", "pods"], 1),
        ("docker", &["docker", "-H", "tcp://127.0.0.1:1", "ps"], 1),
        ("ssh", &["ssh", "-p", "1", "-o", "BatchMode=yes", "127.0.0.1", "uptime"], 255),
    ] {
        if has(program) {
            decided(argv, "UNAVAILABLE", exit_code, "retry");
        }
    }
}

#[test]
fn statuses_that_are_no_failure_and_failures_that_are_none_of_ours() {
    decided(&["grep", "zz", "/dev/null"], "SUCCESS", 1, "accept");
    decided(&["grep", "zz", "/nonexistent"], "NOT_FOUND", 2, "give-up");
    decided(&["sh", "-c", "nosuchcommand"], "NOT_FOUND", 127, "give-up");
    let envelope = settled(&[], &["sh", "-c", "kill -9 $$"]);
    assert_eq!(envelope["meta"]["run"]["signal"], 9, "{envelope}");
    assert_eq!(envelope["meta"]["run"]["next"]["do"], "inspect-state", "{envelope}");
}
