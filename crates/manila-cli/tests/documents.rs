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

#[test]
fn the_showcase_shows_what_really_happens() {
    check("showcase/README.md");
}

#[test]
fn the_page_on_logs_shows_what_really_happens() {
    check("docs/logs.md");
}

#[test]
fn the_page_on_dialects_shows_what_really_happens() {
    check("docs/dialects.md");
}

#[test]
fn the_page_of_checks_shows_what_really_happens() {
    check("docs/check.md");
}

#[test]
fn the_page_of_packs_shows_what_really_happens() {
    check("docs/packs.md");
}

#[test]
fn the_page_of_effects_shows_what_really_happens() {
    check("docs/effects.md");
}

#[test]
fn the_page_of_generate_shows_what_really_happens() {
    check("docs/generate.md");
}

#[test]
fn the_page_of_open_shows_what_really_happens() {
    check("docs/open.md");
}

#[test]
fn the_page_of_exit_codes_shows_what_really_happens() {
    check("docs/exit-codes.md");
}

#[test]
fn the_page_of_recorded_runs_shows_what_really_happens() {
    check("docs/recorded-runs.md");
}

#[test]
fn the_picture_shows_what_the_demo_does() {
    let home = tempfile::tempdir().expect("a directory");
    let drawn = home.path().join("demo.svg");
    let said = run(&format!("cargo demo -- --svg {}", drawn.display()), home.path());
    let drawn = fs::read_to_string(drawn).expect(&said);
    let path = root().join("docs/demo.svg");
    showcase_test_support::assert_golden(&path, &drawn);
}

#[test]
fn every_link_in_the_documents_and_the_guide_leads_somewhere() {
    let home = tempfile::tempdir().expect("a directory");
    let said = run("cargo run -q -p manila-cli --example guide -- check", home.path());
    let last = said.lines().last().unwrap_or_default();
    assert!(last.ends_with(" chapters: 0 lead nowhere"), "{said}");
}

#[test]
fn the_page_of_mcp_shows_what_really_happens() {
    check("docs/mcp.md");
}

#[test]
fn the_page_of_contracts_shows_what_really_happens() {
    check("docs/contract.md");
}

fn check(name: &str) {
    let path = root().join(name);
    let document = fs::read_to_string(&path).expect("a document");
    // Whatever a document shows begins with nothing.
    let home = tempfile::tempdir().expect("a directory");
    let replayed = replay(&document, home.path());
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
fn replay(document: &str, home: &Path) -> String {
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
                    out.push_str(&run(command, home));
                }
            }
            (false, _) => out.push_str(line),
        }
    }
    out
}

/// What a shell shows for a command, with this build of manila first in its path.
fn run(command: &str, home: &Path) -> String {
    let dir = Path::new(env!("CARGO_BIN_EXE_manila")).parent().expect("a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    let command = without_builds(command, dir);
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(root())
        .env("PATH", format!("{}:{path}", dir.display()))
        .env("NO_COLOR", "1")
        .env("HOME", home)
        .env_remove("XDG_DATA_HOME")
        .env_remove("XDG_CONFIG_HOME")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let mut text = String::from_utf8(output.stdout).expect("UTF-8");
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The command with what was built with the tests, as far as it was, in place of `cargo run`.
fn without_builds(command: &str, dir: &Path) -> String {
    let built = ["td", "animus", "claw", "i18nprune"].map(|name| format!("showcase-{name}"));
    let built = built.map(|name| (format!("cargo run -q -p {name} --"), dir.join(name)));
    let example = "cargo run -q -p manila-clap --example note --".to_owned();
    let guide = "cargo run -q -p manila-cli --example guide --".to_owned();
    let demo = dir.join("examples/demo");
    let all = built
        .into_iter()
        .chain([(example, dir.join("examples/note")), (guide, dir.join("examples/guide"))]);
    // With arguments first: the shorter one is a part of the longer.
    let all =
        all.chain([("cargo demo --".to_owned(), demo.clone()), ("cargo demo".to_owned(), demo)]);
    let command = all.filter(|(_, file)| file.exists()).fold(command.to_owned(), |command, it| {
        command.replace(&it.0, &it.1.display().to_string())
    });
    // The alias shows that it builds; here only its output counts.
    let command = command.replace("cargo demo", "cargo run -q -p manila-cli --example demo");
    command.replace("cargo run -q --", "manila")
}
