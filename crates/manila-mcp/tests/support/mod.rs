//! A client that speaks JSON-RPC with the real program over its stdio, and a program that records its executions.
#![expect(dead_code, reason = "each test uses a part of it")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use rustix::event::{PollFd, PollFlags, poll};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Far more than anything takes on a busy machine. A test that waits so long has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// A server, and the client's side of its streams.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Value>,
    /// While it is open stdout is read.
    listening: Option<PipeWriter>,
    next: i64,
    /// Notifications that came on the way.
    pub(crate) notifications: Vec<Value>,
    /// What is answered to a question of the server.
    pub(crate) answer: Option<Value>,
    pub(crate) questions: Vec<Value>,
    /// What every request says about the client, where there is no `initialize`.
    meta: Option<Value>,
}

/// The server's stdout, which ends early when the other end of `stop` is closed.
struct UntilStopped {
    stdout: ChildStdout,
    stop: PipeReader,
}

impl Read for UntilStopped {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut watched =
            [PollFd::new(&self.stdout, PollFlags::IN), PollFd::new(&self.stop, PollFlags::IN)];
        poll(&mut watched, None)?;
        if watched[1].revents().is_empty() { self.stdout.read(buffer) } else { Ok(0) }
    }
}

/// Words for the command line.
pub(crate) fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

impl Client {
    /// Starts a server and does not say anything.
    pub(crate) fn start(directory: &Path, arguments: &[&str]) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_manila-mcp"));
        command.args(["--cwd".as_ref(), directory.as_os_str()]).args(arguments);
        // The configuration of the account that runs the tests has no part in them.
        command.env("XDG_CONFIG_HOME", directory.join("no-config")).current_dir("/");
        Client::of(command)
    }

    pub(crate) fn of(mut command: Command) -> Client {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (stop, listening) = std::io::pipe().unwrap();
        let stdout = UntilStopped { stdout: child.stdout.take().unwrap(), stop };
        let stdout = BufReader::new(stdout);
        let (send, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                let Ok(line) = line else { break };
                let message =
                    serde_json::from_str(&line).unwrap_or_else(|_| json!({"nonsense": line}));
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        Client {
            child,
            stdin,
            lines,
            listening: Some(listening),
            next: 0,
            notifications: Vec::new(),
            answer: None,
            questions: Vec::new(),
            meta: None,
        }
    }

    /// Starts a server and introduces a client that can do this, in this revision of the protocol.
    pub(crate) fn connect(
        directory: &Path,
        arguments: &[&str],
        revision: &str,
        can: Value,
    ) -> Client {
        let mut client = Client::start(directory, arguments);
        client.introduce(revision, can);
        client
    }

    pub(crate) fn introduce(&mut self, revision: &str, can: Value) -> Value {
        let info = json!({"name": "test", "version": "1"});
        if revision >= "2026-07-28" {
            self.meta = Some(json!({
                "io.modelcontextprotocol/protocolVersion": revision,
                "io.modelcontextprotocol/clientInfo": info,
                "io.modelcontextprotocol/clientCapabilities": can,
            }));
            return self.request("server/discover", json!({}));
        }
        let params = json!({"protocolVersion": revision, "capabilities": can, "clientInfo": info});
        let answer = self.request("initialize", params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer
    }

    pub(crate) fn send_line(&mut self, line: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(line).unwrap();
        stdin.write_all(b"\n").unwrap();
        stdin.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_line(message.to_string().as_bytes());
    }

    /// Sends a request. Says its id.
    pub(crate) fn begin(&mut self, method: &str, mut params: Value) -> i64 {
        self.next += 1;
        if let (Some(meta), Some(params)) = (&self.meta, params.as_object_mut()) {
            let own = params.entry("_meta").or_insert_with(|| json!({}));
            for (key, value) in meta.as_object().unwrap() {
                own[key] = value.clone();
            }
        }
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The next message, whatever it is.
    pub(crate) fn receive(&mut self) -> Value {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => panic!("no message came"),
            Err(RecvTimeoutError::Disconnected) => panic!("the server is gone"),
        }
    }

    /// The response to a request. What comes on the way is kept, and questions are answered.
    pub(crate) fn finish(&mut self, id: i64) -> Value {
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.take(message);
        }
    }

    fn take(&mut self, message: Value) {
        assert!(message.get("method").is_some(), "a response to nothing: {message}");
        if message.get("id").is_none() {
            self.notifications.push(message);
            return;
        }
        let answer = match (message["method"].as_str(), &self.answer) {
            (Some("elicitation/create"), Some(answer)) => answer.clone(),
            (method, _) => panic!("an unexpected request: {method:?}"),
        };
        let id = message["id"].clone();
        self.questions.push(message);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "result": answer}));
    }

    /// Waits for a notification of this kind.
    pub(crate) fn notified(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.notifications.iter().position(|it| it["method"] == method) {
                return self.notifications.remove(at);
            }
            let message = self.receive();
            self.take(message);
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.finish(id)
    }

    /// Calls a tool. The result, which is there whether the call succeeded or not.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// Calls `read` or `act`. The envelope, after what always holds has been checked.
    pub(crate) fn run(&mut self, tool: &str, argv: &[&str]) -> Value {
        envelope(&self.call(tool, json!({"argv": argv})))
    }

    pub(crate) fn close_stdin(&mut self) {
        drop(self.stdin.take());
    }

    /// Closes stdin and waits for the end of the server.
    pub(crate) fn close(mut self) -> ExitStatus {
        self.close_stdin();
        self.end()
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Both streams are closed, as if the client had been killed.
    pub(crate) fn vanish(mut self) -> ExitStatus {
        self.close_stdin();
        drop(self.listening.take());
        self.end()
    }

    pub(crate) fn end(&mut self) -> ExitStatus {
        ended(&mut self.child)
    }
}

/// Waits for the end of a server.
pub(crate) fn ended(server: &mut Child) -> ExitStatus {
    let begin = Instant::now();
    loop {
        if let Some(status) = server.try_wait().unwrap() {
            return status;
        }
        assert!(begin.elapsed() < PATIENCE, "the server did not end");
        thread::park_timeout(Duration::from_millis(10));
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The envelope in a result, after what always holds has been checked: it conforms, the text says the same, and
/// `isError` says whether it is one.
pub(crate) fn envelope(result: &Value) -> Value {
    let envelope = &result["structuredContent"];
    let schema = serde_json::to_value(&manila_mcp::definitions(&["x"])[0].output_schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(envelope), "{result}");
    assert_eq!(
        result["isError"].as_bool().unwrap(),
        !envelope["ok"].as_bool().unwrap(),
        "{result}"
    );
    let blocks = result["content"].as_array().unwrap();
    let texts = blocks.iter().filter_map(|block| block["text"].as_str());
    let same = texts.filter_map(|text| serde_json::from_str::<Value>(text).ok());
    assert!(same.into_iter().any(|value| value == *envelope), "{result}");
    envelope.clone()
}

/// A directory with a program that records each of its executions, called by two names: `git`, which a pack knows,
/// and `tool`, of which `manila.toml` says that `show` reads.
///
/// `show NAME` prints the files `NAME.out` and `NAME.err` and ends with the number in `NAME.code`. `wait` waits
/// until the file `go` exists, together with a child of its own.
pub(crate) struct Recorder {
    pub(crate) dir: tempfile::TempDir,
}

const SCRIPT: &str = r#"#!/bin/sh
case " $* " in
*" --help "*|*" -h "*|*" --version "*) echo "Usage: tool <command>"; exit 0 ;;
esac
here=HERE
printf '%s' "$#" >> "$here/record" 2>/dev/null
for word; do printf '\037%s' "$word" >> "$here/record" 2>/dev/null; done
printf '\036' >> "$here/record" 2>/dev/null
case "$1" in
show)
    if [ -f "$here/$2.out" ]; then cat "$here/$2.out"; fi
    if [ -f "$here/$2.err" ]; then cat "$here/$2.err" >&2; fi
    if [ -f "$here/$2.code" ]; then exit "$(cat "$here/$2.code")"; fi ;;
env) env ;;
where) pwd ;;
wait)
    (trap '' INT; while [ ! -f "$here/go" ]; do sleep 0.05; done) &
    echo "$$ $!" > "$here/pids"
    while [ ! -f "$here/go" ]; do sleep 0.05; done
    echo done ;;
die) kill -9 $$ ;;
*) echo "ran: $*" ;;
esac
"#;

impl Recorder {
    pub(crate) fn new() -> Recorder {
        let dir = tempfile::tempdir().unwrap();
        let here = dir.path();
        let script = SCRIPT.replace("HERE", here.to_str().unwrap());
        fs::create_dir(here.join("bin")).unwrap();
        for name in ["git", "tool"] {
            let path = here.join("bin").join(name);
            fs::write(&path, &script).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let reads = "[program.tool]\nreads = ['show', 'wait', 'env', 'where', 'die']\n";
        fs::write(here.join("manila.toml"), reads).unwrap();
        Recorder { dir }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn tool(&self) -> String {
        self.path().join("bin/tool").to_str().unwrap().to_owned()
    }

    /// A server of both names, with these further arguments.
    pub(crate) fn connect(&self, arguments: &[&str], revision: &str, can: Value) -> Client {
        let mut client = self.start(arguments);
        client.introduce(revision, can);
        client
    }

    pub(crate) fn start(&self, arguments: &[&str]) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_manila-mcp"));
        command.arg("--cwd").arg(self.path()).args(arguments);
        command.args(["--program", "git", "--program", &self.tool()]);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.path().join("bin").display()));
        command.env("XDG_CONFIG_HOME", self.path().join("no-config")).current_dir("/");
        Client::of(command)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), bytes).unwrap();
    }

    /// The arguments of each execution so far, without those that asked for help.
    pub(crate) fn executions(&self) -> Vec<Vec<String>> {
        let bytes = fs::read(self.path().join("record")).unwrap_or_default();
        let records = bytes.split(|byte| *byte == 0x1e).filter(|record| !record.is_empty());
        records
            .map(|record| {
                let words = record.split(|byte| *byte == 0x1f).skip(1);
                words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
            })
            .collect()
    }

    /// The processes of `wait`, as soon as it has said who they are.
    pub(crate) fn pids(&self) -> Vec<i32> {
        let begin = Instant::now();
        loop {
            let text = fs::read_to_string(self.path().join("pids")).unwrap_or_default();
            if text.ends_with('\n') {
                return text.split_whitespace().map(|it| it.parse().unwrap()).collect();
            }
            assert!(begin.elapsed() < PATIENCE, "it did not start");
            thread::park_timeout(Duration::from_millis(10));
        }
    }
}

/// Waits until none of these processes runs.
pub(crate) fn wait_for_end(pids: &[i32]) {
    let begin = Instant::now();
    while pids.iter().any(|pid| is_running(*pid)) {
        assert!(begin.elapsed() < PATIENCE, "still running: {pids:?}");
        thread::park_timeout(Duration::from_millis(10));
    }
}

fn is_running(pid: i32) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // A zombie has ended; its adoptive parent has not reaped it yet.
    let after_name = state.rsplit(") ").next().unwrap_or_default();
    !state.is_empty() && !after_name.starts_with(['Z', 'X'])
}

/// A built program of the workspace, or the reason why there is none.
pub(crate) fn built(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_BIN_EXE_manila-mcp")).with_file_name(name);
    path.is_file().then_some(path)
}
