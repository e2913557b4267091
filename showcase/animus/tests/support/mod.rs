//! What the tests of this program share: its sandbox, and a daemon that never outlives its test.
#![allow(dead_code, reason = "no test needs all of it")]
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use manila_clap::Mode;
use manila_clap::testing::Called;
use showcase_test_support::Sandbox;
use std::fs::File;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_showcase-animus");

/// The program in an empty directory, which is a project.
pub(crate) fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new("animus", BINARY)
        .program(|program| program.piped(Mode::Plain))
        .mask(r"pid([^\d\n]+)\d+", "pid${1}<pid>")
        .mask(r#"uptime_secs":\d+"#, r#"uptime_secs":<seconds>"#)
        .mask(r"uptime(\s+)\S.*", "uptime${1}<seconds>")
        .mask(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "0000-00-00 00:00 UTC");
    // Nothing above it is the project, wherever tests run.
    let root = sandbox.directory().to_owned();
    sandbox.variable("PROJECT_ROOT", root)
}

/// The same with two tasks and a requirement.
pub(crate) fn filled() -> Sandbox {
    let sandbox = sandbox();
    for line in [
        "subject create --kind task --title 'Fix login bug' --priority high",
        "subject create --kind task --title 'Write the manual' --description 'For newcomers.\nWith examples.'",
        "subject create --kind requirement --title 'Answers within a second' --priority critical",
        "subject status --kind task --id task:TASK-001 --set in-progress",
    ] {
        sandbox.succeeds(line);
    }
    sandbox
}

/// Stops the daemon of a sandbox when it is dropped, also when the test fails.
pub(crate) struct StopAtEnd<'s>(pub(crate) &'s Sandbox);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        let _ = self.0.command("daemon stop").output();
    }
}

/// A running daemon, which its test does not leave behind.
pub(crate) struct Daemon<'s> {
    sandbox: StopAtEnd<'s>,
    pub(crate) pid: u32,
}

impl Daemon<'_> {
    pub(crate) fn start(sandbox: &Sandbox) -> Daemon<'_> {
        let guard = StopAtEnd(sandbox);
        let started: Started = sandbox.succeeds("daemon start --json").data();
        Daemon { sandbox: guard, pid: started.pid }
    }

    /// How to know that it has ended: the lock is free then.
    pub(crate) fn lock(&self) -> File {
        File::open(self.sandbox.0.directory().join(".animus/daemon/pid")).unwrap()
    }
}

#[derive(serde::Deserialize)]
struct Started {
    pid: u32,
}

/// What a call answered, as a tree.
pub(crate) fn data(called: &Called) -> serde_json::Value {
    called.data()
}
