//! Every console transcript in the documents is executed; `MANILA_BLESS=1` writes them anew.

#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[test]
fn the_readme_shows_what_really_happens() {
    check("README.md");
}

#[test]
fn the_contributing_guide_shows_what_really_happens() {
    check("CONTRIBUTING.md");
}

fn check(name: &str) {
    let path = root().join(name);
    let document = fs::read_to_string(&path).expect("a document");
    let replayed = replay(&document);
    if std::env::var_os("MANILA_BLESS").is_some() {
        fs::write(&path, &replayed).expect("writes");
    } else {
        assert!(document.contains("```console"), "{name} shows nothing");
        for (number, (shown, real)) in document.lines().zip(replayed.lines()).enumerate() {
            let place = format!("{name}:{} (MANILA_BLESS=1 writes it anew)", number + 1);
            assert_eq!(shown, real, "{place}");
        }
        assert_eq!(document.lines().count(), replayed.lines().count(), "{name}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The document with what its commands print now.
fn replay(document: &str) -> String {
    let mut out = String::new();
    let mut in_console = false;
    for line in document.split_inclusive('\n') {
        match (in_console, line.trim_end()) {
            (false, "```console") => {
                in_console = true;
                out.push_str(line);
            }
            (true, "```") => {
                in_console = false;
                out.push_str(line);
            }
            (true, text) => {
                if let Some(command) = text.strip_prefix("$ ") {
                    out.push_str(line);
                    out.push_str(&run(command));
                }
            }
            (false, _) => out.push_str(line),
        }
    }
    out
}

/// What a shell shows for a command, with this build of manila first in its path.
fn run(command: &str) -> String {
    let folder = Path::new(env!("CARGO_BIN_EXE_manila")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    // `cargo run -q --` is the same program without a second build, and so is an example that was
    // built with the tests.
    let note = folder.join("examples/note");
    let example = "cargo run -q -p manila-clap --example note --";
    let built = if note.exists() { note.display().to_string() } else { example.to_owned() };
    let command = command.replace(example, &built);
    let command = command.replace("cargo run -q --", "manila");
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(root())
        .env("PATH", format!("{}:{path}", folder.display()))
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let mut text = String::from_utf8(output.stdout).expect("UTF-8");
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
