//! Many processes on the same locales at once, a third of them killed: nothing is lost or torn.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

mod support;

use serde_json::Value;
use showcase_proof::{Fate, Scene, storm};
use std::fs;
use support::project;

const PROCESSES: usize = 48;

/// A project with a key of its own for each process, and target locales that lack them all.
fn crowded() -> Scene {
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

fn locale(scene: &Scene, code: &str) -> Value {
    let text = fs::read(scene.folder().join(format!("locales/{code}.json"))).unwrap();
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{code} is torn: {error}"))
}

#[test]
fn keys_that_many_add_at_once_are_all_there() {
    let scene = crowded();
    let fates =
        storm(PROCESSES, |number| scene.command(&format!("missing key{number}.text --json")));
    let source = locale(&scene, "en");
    assert_eq!(source["kept"], "as it is");
    for (number, fate) in fates.iter().enumerate() {
        let Fate::Ended(output) = fate else { continue };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = &source[format!("key{number}")]["text"];
        assert_eq!(*text, format!("[missing] key{number}.text"));
    }
    assert!(fates.iter().any(|fate| matches!(fate, Fate::Killed)));
}

#[test]
fn locales_are_whole_while_many_change_them() {
    let scene = crowded();
    let commands = ["sync", "missing", "sync --prune", "validate --json"];
    storm(PROCESSES, |number| scene.command(commands[number % commands.len()]));
    scene.succeeds("missing");
    scene.succeeds("sync --prune");
    let source = locale(&scene, "en");
    assert_eq!(source.as_object().unwrap().len(), PROCESSES + 1);
    for (code, kept) in [("de", "wie es ist"), ("fr", "tel quel")] {
        let target = locale(&scene, code);
        assert_eq!(target["kept"], kept);
        assert_eq!(target.as_object().unwrap().len(), PROCESSES + 1);
    }
    let left: Vec<_> = fs::read_dir(scene.folder().join("locales")).unwrap().flatten().collect();
    let is_locale = |name: &str| [".keep", "en.json", "de.json", "fr.json"].contains(&name);
    for entry in left {
        let name = entry.file_name().into_string().unwrap();
        // What a killed process left beside a file is overwritten by the next writer.
        assert!(is_locale(&name) || name.ends_with(".json.new"), "{name}");
    }
}

#[test]
fn one_of_many_makes_the_project() {
    let scene = support::empty();
    let fates = storm(16, |_| scene.command("init --json"));
    let config = fs::read(scene.folder().join("i18nprune.config.json")).unwrap();
    serde_json::from_slice::<Value>(&config).unwrap();
    let made = fates.iter().filter(|fate| match fate {
        Fate::Ended(output) => {
            let document: Value = serde_json::from_slice(&output.stdout).unwrap();
            document["data"]["skippedExistingConfig"] == false
        }
        Fate::Killed => false,
    });
    assert!(made.count() <= 1);
}
