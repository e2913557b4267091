//! Many processes on the same locales at once, a third of them killed: nothing is lost or torn.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::Value;
use showcase_test_support::{Outcome, Sandbox, stress};
use std::fs;
use support::project;

const PROCESSES: usize = 48;

/// A project with a key of its own for each process, and target locales that lack them all.
fn crowded() -> Sandbox {
    let calls: Vec<String> =
        (0..PROCESSES).map(|number| format!("t('key{number}.text')")).collect();
    project(
        &[
            ("locales/en.json", "{\n  \"kept\": \"as it is\"\n}\n"),
            ("locales/de.json", "{\n  \"kept\": \"wie es ist\"\n}\n"),
            ("locales/fr.json", "{\n  \"kept\": \"tel quel\"\n}\n"),
        ],
        &[("src/a.js", &calls.join(";\n"))],
    )
}

fn locale(sandbox: &Sandbox, code: &str) -> Value {
    let text = fs::read(sandbox.directory().join(format!("locales/{code}.json"))).unwrap();
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{code} is torn: {error}"))
}

#[test]
fn keys_that_many_add_at_once_are_all_there() {
    let sandbox = crowded();
    let outcomes =
        stress(PROCESSES, |number| sandbox.command(&format!("missing key{number}.text --json")));
    let source = locale(&sandbox, "en");
    assert_eq!(source["kept"], "as it is");
    for (number, outcome) in outcomes.iter().enumerate() {
        let Outcome::Ended(output) = outcome else { continue };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = &source[format!("key{number}")]["text"];
        assert_eq!(*text, format!("[missing] key{number}.text"));
    }
    assert!(outcomes.iter().any(|outcome| matches!(outcome, Outcome::Killed)));
}

#[test]
fn locales_are_whole_while_many_change_them() {
    let sandbox = crowded();
    let commands = ["sync", "missing", "sync --prune", "validate --json"];
    stress(PROCESSES, |number| sandbox.command(commands[number % commands.len()]));
    sandbox.succeeds("missing");
    sandbox.succeeds("sync --prune");
    let source = locale(&sandbox, "en");
    assert_eq!(source.as_object().unwrap().len(), PROCESSES + 1);
    for (code, kept) in [("de", "wie es ist"), ("fr", "tel quel")] {
        let target = locale(&sandbox, code);
        assert_eq!(target["kept"], kept);
        assert_eq!(target.as_object().unwrap().len(), PROCESSES + 1);
    }
    let left: Vec<_> =
        fs::read_dir(sandbox.directory().join("locales")).unwrap().flatten().collect();
    let is_locale = |name: &str| [".keep", "en.json", "de.json", "fr.json"].contains(&name);
    for entry in left {
        let name = entry.file_name().into_string().unwrap();
        // What a killed process left beside a file is overwritten by the next writer.
        assert!(is_locale(&name) || name.ends_with(".json.new"), "{name}");
    }
}

#[test]
fn one_of_many_makes_the_project() {
    let sandbox = support::empty();
    let outcomes = stress(16, |_| sandbox.command("init --json"));
    let config = fs::read(sandbox.directory().join("i18nprune.config.json")).unwrap();
    serde_json::from_slice::<Value>(&config).unwrap();
    let made = outcomes.iter().filter(|outcome| match outcome {
        Outcome::Ended(output) => {
            let document: Value = serde_json::from_slice(&output.stdout).unwrap();
            document["data"]["skippedExistingConfig"] == false
        }
        Outcome::Killed => false,
    });
    assert!(made.count() <= 1);
}
