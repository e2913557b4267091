//! Owns: `scan` and `stats` end alike when inputs cannot be read, whatever is wrong with how many of them.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(unix)]

mod support;

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use support::{Call, empty_dir, skipped, unprivileged};

const GOOD: &str = r#"{"ok":true,"type":"task","data":{"id":7}}"#;
const RECORDS: usize = 500;

/// What is named, what comes on stdin, and the status and code that it ends with.
type Case = (&'static str, Input, i32, &'static str);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Input {
    None,
    Closed,
    Empty,
    Good,
}
use Input::{Closed, Empty, Good, None};

const CASES: &[Case] = &[
    ("good", None, 0, ""),
    ("good good", None, 0, ""),
    ("empty", None, 0, ""),
    ("void", None, 0, ""),
    ("-", Good, 0, ""),
    ("", Good, 0, ""),
    // Nothing at all could be read: the first of them says why.
    ("missing", None, 5, "FILE_NOT_FOUND"),
    ("missing missing-too", None, 5, "FILE_NOT_FOUND"),
    ("*.none", None, 5, "FILE_NOT_FOUND"),
    ("dangling", None, 5, "FILE_NOT_FOUND"),
    ("missing closed", None, 5, "FILE_NOT_FOUND"),
    ("missing -", Empty, 5, "FILE_NOT_FOUND"),
    ("closed", None, 7, "FILE_FORBIDDEN"),
    ("closed missing shut", None, 7, "FILE_FORBIDDEN"),
    ("shut", None, 7, "FILE_FORBIDDEN"),
    ("shut/inside", None, 7, "FILE_FORBIDDEN"),
    ("", Empty, 5, "EMPTY_INPUT"),
    ("-", Empty, 5, "EMPTY_INPUT"),
    ("-", Closed, 5, "EMPTY_INPUT"),
    ("", Closed, 5, "EMPTY_INPUT"),
    ("- missing", Empty, 5, "EMPTY_INPUT"),
    ("/dev/null", None, 5, "EMPTY_INPUT"),
    // Some could be read, or one of them not to its end.
    ("missing good", None, 2, "INPUT_INCOMPLETE"),
    ("good missing missing-too", None, 2, "INPUT_INCOMPLETE"),
    ("good closed", None, 2, "INPUT_INCOMPLETE"),
    ("mixed", None, 2, "INPUT_INCOMPLETE"),
    ("mixed/*", None, 2, "INPUT_INCOMPLETE"),
    ("shut good", None, 2, "INPUT_INCOMPLETE"),
    ("cut.gz", None, 2, "INPUT_INCOMPLETE"),
    ("cut.gz good", None, 2, "INPUT_INCOMPLETE"),
    ("missing cut.gz", None, 2, "INPUT_INCOMPLETE"),
    ("stub.gz", None, 2, "INPUT_INCOMPLETE"),
    ("circle", None, 2, "INPUT_INCOMPLETE"),
    ("good -", Empty, 2, "INPUT_INCOMPLETE"),
    ("- good", Closed, 2, "INPUT_INCOMPLETE"),
    ("missing -", Good, 2, "INPUT_INCOMPLETE"),
];

fn furnish(dir: &Path) {
    let log = format!("{GOOD}\n").repeat(RECORDS);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(log.as_bytes()).expect("memory takes it");
    let packed = gzip.finish().expect("memory takes it");
    for name in ["void", "shut", "mixed"] {
        fs::create_dir(dir.join(name)).expect("a directory");
    }
    for (name, bytes) in [
        ("good", log.as_bytes()),
        ("empty", b""),
        ("closed", log.as_bytes()),
        ("shut/inside", log.as_bytes()),
        ("mixed/closed", log.as_bytes()),
        ("mixed/good", log.as_bytes()),
        ("cut.gz", &packed[..packed.len() - 4]),
        ("stub.gz", &packed[..5]),
    ] {
        fs::write(dir.join(name), bytes).expect("writes");
    }
    for name in ["closed", "mixed/closed", "shut"] {
        fs::set_permissions(dir.join(name), Permissions::from_mode(0o000)).expect("closes");
    }
    symlink("nowhere", dir.join("dangling")).expect("a link");
    symlink("circle", dir.join("circle")).expect("a link");
}

#[test]
fn both_end_alike_whatever_cannot_be_read() {
    let dir = empty_dir("logs_statuses");
    furnish(&dir);
    let Some(account) = unprivileged(&dir) else {
        open_up(&dir);
        return skipped("no unprivileged account can run the program here");
    };
    for &(line, input, status, code) in CASES {
        for command in ["scan", "stats"] {
            let redirected = if input == Closed { "<&-" } else { "" };
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("exec \"$0\" \"$@\" {redirected}")]);
            shell.arg(env!("CARGO_BIN_EXE_manila")).args([command, "--json"]);
            shell.args(line.split_whitespace()).current_dir(&dir);
            account.apply(&mut shell);
            let call = Call::of(shell);
            let ran = match input {
                Good => call.input(format!("{GOOD}\n")),
                Empty => call.input(""),
                None | Closed => call.run(),
            };
            let envelope = ran.envelope();
            let reported = envelope["error"]["code"].as_str().unwrap_or_default();
            assert_eq!(
                (ran.code(), reported),
                (status, code),
                "{command} {line} {input:?}: {envelope}"
            );
            if code == "INPUT_INCOMPLETE" {
                // What could be read is reported, and so is what could not.
                let detail = envelope["error"]["detail"].as_str().expect("counts");
                let is_counted = |it: &str| it.ends_with(" unread") && it != "0 unread";
                let counts = detail.split(": ").next().unwrap_or_default();
                assert!(counts.split(", ").any(is_counted), "{command} {line}: {envelope}");
            }
        }
    }
    open_up(&dir);
}

/// Lets the next run of the test take the directory away.
fn open_up(dir: &Path) {
    for name in ["closed", "mixed/closed", "shut"] {
        fs::set_permissions(dir.join(name), Permissions::from_mode(0o700)).expect("opens");
    }
}
