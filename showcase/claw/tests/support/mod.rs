//! The situations that every test of the answers goes through, and the scenes they happen in.

#![allow(dead_code, reason = "each test file uses a part of it")]

use manila_clap::{Mode, dialects};
use showcase_test_support::Sandbox;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_showcase-claw");

/// A call, and the name of the situation that it meets.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) line: &'static str,
    /// The status in envelope 2.0.
    status: i32,
}

const fn case(name: &'static str, line: &'static str, status: i32) -> Case {
    Case { name, line, status }
}

/// Every command, in success and in failure. The first part of a name is the command.
pub(crate) const CASES: &[Case] = &[
    case("list-sessions", "list-sessions", 0),
    case("list-sessions.empty", "list-sessions --directory none", 0),
    case("list-sessions.filesystem", "list-sessions --directory notes.txt", 1),
    case("list-sessions.usage", "list-sessions --bogus", 1),
    case("delete-session", "delete-session sess_abc123", 0),
    case("delete-session.not_found", "delete-session sess_nope", 1),
    case("load-session", "load-session sess_abc123", 0),
    case("load-session.torn", "load-session sess_torn", 0),
    case("load-session.not_found", "load-session does-not-exist", 1),
    case("load-session.corrupt", "load-session corrupt --directory broken", 1),
    case("load-session.usage", "load-session ../sess_abc123", 1),
    case("flush-transcript", "flush-transcript sess_abc123", 0),
    case("flush-transcript.torn", "flush-transcript sess_torn", 0),
    case("flush-transcript.not_found", "flush-transcript sess_nope", 1),
    case("flush-transcript.corrupt", "flush-transcript corrupt --directory broken", 1),
    case("show-command", "show-command add-dir", 0),
    case("show-command.skill", "show-command review", 0),
    case("show-command.not_found", "show-command nope", 1),
    case("show-tool", "show-tool BashTool", 0),
    case("show-tool.not_found", "show-tool nope", 1),
    case("exec-command", "exec-command add-dir 'create src/'", 0),
    case("exec-command.init", "exec-command init", 0),
    case("exec-command.status", "exec-command status", 0),
    case("exec-command.add_file", "exec-command add-file new.txt", 0),
    case("exec-command.exists", "exec-command add-file notes.txt", 1),
    case("exec-command.filesystem", "exec-command add-dir 'create src/util/'", 1),
    case("exec-command.policy", "exec-command add-dir 'create ../out'", 1),
    case("exec-command.usage", "exec-command add-dir \"create 'src\"", 1),
    case("exec-command.not_handled", "exec-command review 'the last change'", 0),
    case("exec-command.not_found", "exec-command nope hi", 1),
    case("exec-tool", "exec-tool BashTool 'echo built'", 0),
    case("exec-tool.exit_code", "exec-tool BashTool false", 0),
    case("exec-tool.file_read", "exec-tool FileReadTool notes.txt", 0),
    case("exec-tool.glob", "exec-tool GlobTool '**/*.md'", 0),
    case("exec-tool.grep", "exec-tool GrepTool milk", 0),
    case("exec-tool.not_handled", "exec-tool mcp__tickets__open {}", 0),
    case("exec-tool.policy", "exec-tool BashTool 'rm -rf src'", 1),
    case("exec-tool.filesystem", "exec-tool FileReadTool nope.txt", 1),
    case("exec-tool.timeout", "exec-tool BashTool 'sleep 30' --timeout-seconds 0.01", 2),
    case("exec-tool.not_found", "exec-tool nope {}", 1),
    case("route", "route 'add a test'", 0),
    case("route.limit", "route 'show a session' --limit 1", 0),
    case("route.empty", "route zzzzqqqq", 0),
    case("route.usage", "route ''", 1),
    case("bootstrap", "bootstrap hello", 0),
    case("bootstrap.routed", "bootstrap '/BashTool echo hi'", 0),
    case("bootstrap.timeout", "bootstrap '/BashTool sleep 30' --timeout-seconds 0.01", 2),
    case("bootstrap.filesystem", "bootstrap hello --directory notes.txt/sessions", 1),
    case("command-graph", "command-graph", 0),
    case("tool-pool", "tool-pool", 0),
    case("tool-pool.simple", "tool-pool --simple-mode --no-mcp", 0),
    case("bootstrap-graph", "bootstrap-graph", 0),
    case("turn-loop", "turn-loop hello --max-turns 2 --continuation-prompt more", 0),
    case("turn-loop.session", "turn-loop 'read a file' --session sess_abc123", 0),
    case("turn-loop.max_turns", "turn-loop hello --session sess_abc123 --max-turns 1", 0),
    case("turn-loop.max_budget", "turn-loop hello --max-budget 9 --continuation-prompt more", 0),
    case("turn-loop.denied", "turn-loop '/BashTool rm x'", 0),
    case("turn-loop.timeout", "turn-loop hello --timeout-seconds 0.0000001", 2),
    case("turn-loop.not_found", "turn-loop hello --session sess_nope", 1),
];

impl Case {
    pub(crate) fn command(&self) -> &'static str {
        self.name.split('.').next().unwrap_or_default()
    }

    /// The status that it ends with; envelope 1.0 knows none above 1.
    pub(crate) fn status_in(&self, version: Version) -> i32 {
        match version {
            Version::V1 => self.status.min(1),
            Version::V2 => self.status,
        }
    }
}

/// An envelope, and the flags that ask for it whatever the default is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    V1,
    V2,
}

pub(crate) const VERSIONS: [Version; 2] = [Version::V1, Version::V2];

impl Version {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Version::V1 => "1.0",
            Version::V2 => "2.0",
        }
    }

    pub(crate) fn line(self, line: &str) -> String {
        match self {
            Version::V1 => format!("{line} --output-format json --legacy-envelope"),
            Version::V2 => format!("{line} --output-format json --envelope-version=2.0"),
        }
    }

    /// A sandbox whose program says that it uses this version.
    pub(crate) fn sandbox(self) -> Sandbox {
        match self {
            Version::V1 => sandbox().program(|program| program.speaks(dialects::CLAW_1_0)),
            Version::V2 => sandbox()
                .variable("CLAW_ENVELOPE_PHASE", "2")
                .program(|program| program.speaks(dialects::CLAW_2_0)),
        }
    }
}

impl Version {
    /// Makes a call in a sandbox of its own: what it wrote to stdout, and its status. Golden
    /// files hold the same calls against the contract, which takes longer than all the rest.
    pub(crate) fn run(self, line: &str) -> (Vec<u8>, i32) {
        let output = self.sandbox().command(line).stdin(Stdio::null()).output().unwrap();
        (output.stdout, output.status.code().unwrap())
    }
}

/// A directory with some sessions, a plugin, a skill and an interpreter that is the same everywhere.
pub(crate) fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new("claw", BINARY)
        .program(|program| program.piped(Mode::Plain))
        .mask("sess_[0-9a-f]{24}", "<session>")
        .mask(r#"("updated_at_ms": )\d+"#, "${1}0")
        .mask(r"\b(linux|macos)\b", "<platform>")
        .file("Cargo.toml", "")
        .file("notes.txt", "buy milk\nread the contract\n")
        .file(".claw/plugins/tickets.json", PLUGIN)
        .file(".claw/skills/review.md", "# Review a change\n\nLook twice.\n")
        .file(".claw/sessions/sess_abc123.jsonl", SESSION)
        .file(".claw/sessions/sess_torn.jsonl", format!("{SESSION}{{\"role\":\"us"))
        .file("broken/corrupt.jsonl", format!("{SESSION}{{\"role\":\n"))
        .file(".tools/python3", "#!/bin/sh\necho 3.13.12 CPython\n");
    let python = sandbox.directory().join(".tools/python3");
    fs::set_permissions(python, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", sandbox.directory().join(".tools").display());
    sandbox.variable("PATH", path)
}

const PLUGIN: &str = r#"{
  "commands": [{ "name": "open-ticket", "responsibility": "opens a ticket" }],
  "tools": [{ "name": "mcp__tickets__open", "responsibility": "opens a ticket" }]
}"#;

const SESSION: &str = r#"{"session_id":"sess_abc123","created_at":"2026-04-21T15:30:00Z"}
{"role":"user","text":"hello","tokens":1}
{"role":"assistant","text":"Prompt: hello","tokens":2,"stop_reason":"completed"}
"#;
