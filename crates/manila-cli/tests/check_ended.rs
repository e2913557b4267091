//! Owns: a check that a signal ends leaves no directory and no process behind, wherever it is.
#![cfg(unix)]
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;
#[path = "support/tool.rs"]
mod tool;

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;
use support::{empty_dir, manila};
use tool::Tool;

/// Reports that it has started, holds a pipe in its own directory, which is all that we share, and
/// so does what it starts; all of them ignore signals.
const HANG: &str = "trap '' TERM INT HUP
mkfifo \"$TMPDIR/pipe\"
exec 3>\"$TMPDIR/pipe\"
sleep 100 &
echo here >&3
while :; do sleep 100; done
";

/// Hangs as soon as discovery calls it.
fn while_found_out() -> String {
    HANG.to_owned()
}

/// Hangs in a call that only a rule makes.
fn while_run() -> String {
    let help =
        "Usage: tool <COMMAND> [--json]\n\nCommands:\n  list  List all\n  stats  Show counts\n";
    format!(
        "case \"$*\" in
*manila-no-such-flag*) ;;
*--help*) printf '{help}'; exit 0;;
*) echo '{{}}'; exit 0;;
esac
{HANG}"
    )
}

fn shell(line: &str, word: &str) {
    let status = Command::new("sh").args(["-c", line, "sh", word]).stdin(Stdio::null()).status();
    assert!(status.expect("a shell").success(), "{line} {word}");
}

/// The pipe that a run made, once it is there.
fn found(temporary: &Path) -> PathBuf {
    let below = |dir: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    };
    loop {
        let runs = below(temporary).into_iter().flat_map(|check| below(&check));
        if let Some(pipe) = runs.map(|run| run.join("tmp/pipe")).find(|pipe| pipe.exists()) {
            return pipe;
        }
        std::thread::yield_now();
    }
}

/// Checks a program until it hangs, sends a signal, and looks at what is left.
fn ends_cleanly(name: &str, body: &str, signal: &str, number: i32) {
    let tool = Tool::new(&format!("check-{name}"), body);
    let temporary = empty_dir(&format!("check-{name}-temporary"));
    let mut call =
        manila(["check", "--json", "--jobs", "1", "--limit", "10m", "--deadline", "10m"])
            .args(&["--", &tool.path()]);
    call.0.env("TMPDIR", &temporary).current_dir(&temporary);
    let manila = call.0.spawn().expect("manila starts");
    // Both wait for each other.
    let mut pipe = File::open(found(&temporary)).expect("a pipe");
    let mut word = [0; 5];
    pipe.read_exact(&mut word).expect("a writer");
    assert_eq!(&word, b"here\n");
    let left = || fs::read_dir(&temporary).expect("a directory").count();
    assert_eq!(left(), 1, "the directory of the check");
    shell(&format!("kill -s {signal} \"$1\""), &manila.id().to_string());
    let output = manila.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("CANCELLED"), "{said}");
    assert_eq!(output.status.code(), Some(128 + number), "{said}");
    assert_eq!(left(), 0, "nothing is left of it");
    let (send, receive) = channel();
    std::thread::spawn(move || send.send(pipe.read(&mut [0]).expect("a pipe")));
    // A process that does not let go within this time never will.
    assert_eq!(receive.recv_timeout(Duration::from_secs(20)), Ok(0), "a process still lives");
}

#[test]
fn while_the_program_is_found_out_a_signal_leaves_nothing() {
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        ends_cleanly(&format!("found-out-{signal}"), &while_found_out(), signal, number);
    }
}

#[test]
fn while_runs_are_made_a_signal_leaves_nothing() {
    for (signal, number) in [("INT", 2), ("TERM", 15)] {
        ends_cleanly(&format!("run-{signal}"), &while_run(), signal, number);
    }
}

#[test]
fn a_directory_for_temporary_files_that_is_missing_is_named() {
    let mut call = manila(["check", "--", "true"]);
    call.0.env("TMPDIR", "/no/such/directory");
    let output = call.0.output().expect("manila starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("/no/such/directory") && said.contains("TMPDIR"), "{said}");
    assert!(!output.status.success(), "{said}");
}
