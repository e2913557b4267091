//! The snippets of the document that describes the program, run as its reader would run them.

use crate::support::{BINARY, sandbox};
use serde_json::Value;
use showcase_test_support::{Snippet, is_installed};
use std::fs;
use std::path::Path;

/// The consumer of envelope 1.0, as the document has it.
const CONSUMER: &str = r#"
import json
import subprocess

result = subprocess.run(
    ["claw", "list-sessions", "--output-format", "json"],
    capture_output=True,
    text=True
)
envelope = json.loads(result.stdout)

# v1.0: type is at top level
if envelope.get("type") == "error":
    error_msg = envelope.get("error", "unknown error")  # error is a STRING
    error_kind = envelope.get("kind")  # kind is at TOP LEVEL
    print(f"Error: {error_kind} — {error_msg}")
else:
    # Success path: verb-specific fields at top level
    sessions = envelope.get("sessions", [])
    for session in sessions:
        print(f"Session: {session['id']}")
"#;

/// How a fixture is updated; the document shows it for any command, and here it is each of these.
const UPDATE: &str = r"
set -e
for command in list-sessions command-graph tool-pool bootstrap-graph; do
  claw $command --output-format json > tests/fixtures/json/$command.json
  # Review the diff, commit
  git add tests/fixtures/json/$command.json
done
";

fn run(interpreter: &str, code: &str, directory: &Path) -> (String, bool) {
    let output = Snippet { interpreter, code, program: ("claw", BINARY), directory }.run();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (said, output.status.success())
}

#[test]
fn the_consumer_of_the_flat_envelope_works_unchanged() {
    if !is_installed("python3") {
        return;
    }
    let sandbox = sandbox();
    let (said, ok) = run("python3", CONSUMER, sandbox.directory());
    assert_eq!((said.as_str(), ok), ("Session: sess_abc123\nSession: sess_torn\n", true));
    fs::remove_dir_all(sandbox.directory().join(".claw")).unwrap();
    fs::create_dir(sandbox.directory().join(".claw")).unwrap();
    fs::write(sandbox.directory().join(".claw/sessions"), "no directory").unwrap();
    let (said, ok) = run("python3", CONSUMER, sandbox.directory());
    assert!(ok && said.starts_with("Error: filesystem — Not a directory"), "{said}");
}

#[test]
fn fixtures_are_updated_as_the_document_says() {
    if !is_installed("git") {
        return;
    }
    let sandbox = sandbox();
    let directory = sandbox.directory();
    fs::create_dir_all(directory.join("tests/fixtures/json")).unwrap();
    assert!(run("sh", "git init -q .", directory).1);
    assert!(run("sh", UPDATE, directory).1);
    for command in ["list-sessions", "command-graph", "tool-pool", "bootstrap-graph"] {
        let text = fs::read(directory.join(format!("tests/fixtures/json/{command}.json"))).unwrap();
        let document: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(document["kind"], command);
    }
    let (staged, _) = run("sh", "git diff --cached --name-only", directory);
    assert_eq!(staged.lines().count(), 4, "{staged}");
}

/// "Check `type` field first", "use `jq .kind` for verb ID", and both of the later envelope.
#[test]
fn jq_finds_what_the_document_says() {
    if !is_installed("jq") {
        return;
    }
    let sandbox = sandbox();
    let jq = |line: &str| run("sh", line, sandbox.directory()).0;
    assert_eq!(
        jq("claw list-sessions --output-format json | jq -r .type,.kind"),
        "success\nlist-sessions\n"
    );
    assert_eq!(
        jq("claw load-session xyz789 --output-format json | jq -r .type,.kind,.error"),
        "error\nsession_not_found\nsession 'xyz789' not found in .claw/sessions\n"
    );
    let new = "--output-format json --envelope-version=2.0";
    assert_eq!(
        jq(&format!("claw load-session xyz789 {new} | jq -c '[.schema_version, .name, .found]'")),
        "[\"2.0\",\"xyz789\",false]\n"
    );
    assert_eq!(jq(&format!("claw list-sessions {new} | jq .sessions_count")), "2\n");
}
