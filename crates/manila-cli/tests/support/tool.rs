//! Small programs for `manila run`: POSIX scripts in a directory of their own, and how they are
//! called.
#![allow(dead_code, reason = "not every file uses everything")]
#![allow(clippy::expect_used, clippy::panic, reason = "a test may stop at the first surprise")]

use super::support::{Call, Ran, empty_dir, manila, words};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What every script can say: `ok DATA META WARNINGS`, `fail STATUS CODE MEMBERS`, `moved COMMAND
/// PERMANENT`, and `count NAME`, which sets `n` to how often it was called.
const PRELUDE: &str = r#"#!/bin/sh
here=$(dirname "$0")
ok() { echo "{\"ok\":true,\"data\":$1,\"error\":null,\"warnings\":[${3-}],\"meta\":{${2-}}}"; }
fail() {
    echo "{\"ok\":false,\"data\":null,\"error\":{\"code\":\"$2\",\"message\":\"it failed\"${3:+,$3}},\"warnings\":[],\"meta\":{\"schema_version\":\"1.0\"}}"
    exit "$1"
}
moved() { fail 13 MOVED "\"redirect\":{\"command\":\"$1\",\"permanent\":${2-true}}"; }
count() { echo x >>"$here/$1"; n=$(($(wc -l <"$here/$1"))); }
"#;

/// One program, called `tool`, in a directory of its own.
pub(crate) struct Tool {
    pub(crate) dir: PathBuf,
}

impl Tool {
    /// The program of a test, with this body.
    pub(crate) fn new(test: &str, body: &str) -> Tool {
        let dir = empty_dir(test);
        let tool = Tool { dir: fs::canonicalize(dir).expect("a directory") };
        // Another process writes it: one that is started meanwhile would hold a copy of our
        // descriptor, and nothing can run what is being written.
        let script = "printf %s \"$1\" >\"$2\" && chmod 755 \"$2\"";
        let status = Command::new("sh")
            .args(["-c", script, "sh", &format!("{PRELUDE}{body}\n"), &tool.path()])
            .stdin(Stdio::null())
            .status();
        assert!(status.expect("a shell").success());
        tool
    }

    /// Where a file beside it is.
    pub(crate) fn file(&self, name: &str) -> String {
        self.dir.join(name).to_str().expect("UTF-8").to_owned()
    }

    pub(crate) fn path(&self) -> String {
        self.file("tool")
    }

    /// `manila run` with these flags on the program with these words; nothing of it is remembered
    /// anywhere but in the program's directory.
    pub(crate) fn call(&self, flags: &[&str], line: &str) -> Call {
        let state = self.file("state");
        let call = manila(["run"]).env("XDG_STATE_HOME", &state).env("HOME", &state);
        let call = call.args(flags).args(&["--", &self.path()]);
        line.split_whitespace().fold(call, Call::arg)
    }

    /// The same for programs, run to its end.
    pub(crate) fn json(&self, flags: &[&str], line: &str) -> Ran {
        let flags: Vec<&str> = flags.iter().copied().chain(["--json", "--trace"]).collect();
        self.call(&flags, line).run()
    }

    /// How often it counted something.
    pub(crate) fn counted(&self, name: &str) -> usize {
        fs::read_to_string(self.dir.join(name)).map_or(0, |text| text.lines().count())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.dir.join(name).exists()
    }

    pub(crate) fn write(&self, name: &str, content: &str) -> String {
        fs::write(self.dir.join(name), content).expect("a file");
        self.file(name)
    }
}

/// Why each attempt of an answer was made.
pub(crate) fn causes(envelope: &Value) -> Vec<&str> {
    let steps = envelope["meta"]["run"]["trace"]["steps"].as_array();
    let steps = steps.unwrap_or_else(|| panic!("no story: {envelope}"));
    steps.iter().map(|step| step["because"].as_str().expect("a cause")).collect()
}

/// The words of an attempt behind the name of the program.
pub(crate) fn called(envelope: &Value, at: usize) -> String {
    let argv = envelope["meta"]["run"]["trace"]["steps"][at]["argv"].as_array().expect("words");
    argv[1..].iter().map(|word| word.as_str().expect("text")).collect::<Vec<_>>().join(" ")
}

/// Asserts that one of the warnings has these words in it.
#[track_caller]
pub(crate) fn assert_warns(envelope: &Value, part: &str) {
    let warnings = envelope["warnings"].as_array().expect("a list");
    let has = warnings.iter().any(|it| it.as_str().is_some_and(|text| text.contains(part)));
    assert!(has, "{part:?} in {warnings:?}");
}

/// The envelope, which `manila open` is certain of too.
#[track_caller]
pub(crate) fn certain(ran: &Ran) -> Value {
    let envelope = ran.envelope();
    let opened = words("open --json").input(&ran.stdout).data();
    assert_eq!(opened["confidence"], "certain", "{envelope}");
    assert_eq!(opened["dialect"], "response-envelope/1.0");
    assert_eq!(opened["envelope"]["ok"], envelope["ok"]);
    envelope
}

/// The lines of a file.
pub(crate) fn lines(path: impl AsRef<Path>) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a file");
    text.lines().map(str::to_owned).collect()
}
