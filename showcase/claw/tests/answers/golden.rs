//! What every command answers, in success and failure, for people and in both envelopes.

use crate::support::{CASES, VERSIONS, Version, sandbox};
use jsonschema::Validator;
use manila_clap::dialects;
use serde_json::Value;
use showcase_test_support::assert_golden;
use std::fs;
use std::path::Path;

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn every_envelope_is_what_it_was() {
    for version in VERSIONS {
        for case in CASES {
            let sandbox = version.sandbox();
            let called = sandbox.call(&version.line(case.line));
            let file = format!("tests/fixtures/json/{}/{}.json", version.as_str(), case.name);
            let text = std::str::from_utf8(&called.stdout).unwrap();
            assert_golden(&Path::new(PACKAGE).join(file), &sandbox.masked(text));
            assert_eq!(called.status, case.status_in(version), "{} {version:?}", case.name);
        }
    }
}

#[test]
fn every_fixture_has_its_case() {
    let mut cases: Vec<String> = CASES.iter().map(|case| format!("{}.json", case.name)).collect();
    cases.sort_unstable();
    for version in VERSIONS {
        let directory = Path::new(PACKAGE).join("tests/fixtures/json").join(version.as_str());
        let files = fs::read_dir(directory).unwrap().map(|file| file.unwrap().file_name());
        let mut files: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
        files.sort_unstable();
        assert_eq!(files, cases, "{version:?}");
    }
}

#[test]
fn every_envelope_is_what_its_schema_says_of_the_command() {
    let old = jsonschema::validator_for(&schema_of(Version::V1, None)).unwrap();
    for case in CASES {
        let document = answer(Version::V1, case.line);
        assert!(old.is_valid(&document), "{}: {document}", case.name);
        // The document knows no session that a loop continues, and so none that is missing.
        let is_our_own = case.name == "turn-loop.not_found";
        let definition = if is_our_own { "not_found" } else { case.command() };
        let new = schema_of(Version::V2, Some(definition));
        let new: Validator = jsonschema::validator_for(&new).unwrap();
        let document = answer(Version::V2, case.line);
        let errors: Vec<String> = new.iter_errors(&document).map(|it| it.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}\n{document}", case.name);
    }
}

/// The schema of a version, or one of its definitions, such as that of a command.
fn schema_of(version: Version, definition: Option<&str>) -> Value {
    let dialect = if version == Version::V1 { dialects::CLAW_1_0 } else { dialects::CLAW_2_0 };
    let mut schema: Value = dialect.table().json_schema();
    if let Some(name) = definition {
        assert!(schema["$defs"][name].is_object(), "{name} has no schema");
        let members = schema.as_object_mut().unwrap();
        members.remove("anyOf");
        members.insert("$ref".to_owned(), format!("#/$defs/{name}").into());
    }
    schema
}

fn answer(version: Version, line: &str) -> Value {
    let (stdout, _) = version.run(&version.line(line));
    serde_json::from_slice(&stdout).unwrap()
}

#[test]
fn every_page_for_people_is_what_it_was() {
    for case in CASES {
        sandbox().golden(PACKAGE, case.name, &format!("{} --output rich", case.line));
    }
}

#[test]
fn pages_for_grep_are_what_they_were() {
    for command in ["list-sessions", "route", "exec-tool", "tool-pool", "bootstrap", "turn-loop"] {
        let case = CASES.iter().find(|case| case.name == command).unwrap();
        sandbox().golden(PACKAGE, &format!("plain.{command}"), case.line);
    }
}

#[test]
fn help_is_what_it_was() {
    sandbox().golden(PACKAGE, "help", "--help");
    sandbox().golden(PACKAGE, "help.turn-loop", "turn-loop --help");
    sandbox().golden(PACKAGE, "help.unknown_command", "lod-session x");
    sandbox().golden(PACKAGE, "help.nothing", "");
}
