//! What every command answers when it works and when it fails, for people and for programs,
//! compared with `tests/golden`; and that `td schema` lists every type and every code among it.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod common;

use common::{broken, empty, stocked};
use serde_json::Value;
use showcase_test_support::Sandbox;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");
const MODES: [&str; 3] = ["json", "rich", "plain"];

/// Where a case plays, the name of its files, and the call.
type Case = (fn() -> Sandbox, &'static str, &'static str);

#[rustfmt::skip]
const CASES: &[Case] = &[
    (stocked, "ls", "ls"),
    (stocked, "ls_all", "ls --all"),
    (stocked, "ls_chosen", "ls -p work -s later -l URGENT --priority p1"),
    (stocked, "ls_none_chosen", "ls -p Home"),
    (empty, "ls_empty", "ls"),
    (stocked, "ls_no_project", "ls -p Worx"),
    (stocked, "ls_no_section", "ls -p Work -s Sooner"),
    (stocked, "ls_ambiguous_section", "ls -s later"),
    (stocked, "ls_no_label", "ls -l 'not there; $(reboot)'"),
    (stocked, "ls_bad_priority", "ls --priority 5"),
    (stocked, "ls_unknown_option", "ls --prioritty p1"),
    (stocked, "search", "search SHIP"),
    (stocked, "search_none", "search submarine"),
    (stocked, "search_nothing", "search ' '"),
    (empty, "add", "add 'Water the plants'"),
    (stocked, "add_everything", "add 'Call Ann' -p Work -s Later -l urgent -l Urgent --priority 3 --due 2999-01-01 --description 'about the plan'"),
    (stocked, "add_idempotent", "add 'Buy milk' --idempotent"),
    (stocked, "add_no_section", "add x -p Work -s Nope"),
    (stocked, "add_bad_due", "add x --due 2026-02-30"),
    (stocked, "add_nothing", "add ''"),
    (stocked, "add_without", "add"),
    (stocked, "show", "show deploy"),
    (stocked, "show_completed", "show 8ff34739"),
    (stocked, "show_no_task", "show 'by milk'"),
    (stocked, "show_no_task_at_all", "show submarine"),
    (stocked, "show_completed_by_text", "show 'write the plan'"),
    (stocked, "show_ambiguous", "show buy"),
    (stocked, "edit", "edit milk --content 'Buy oat milk' --priority p2 --due 2999-01-01 -l urgent"),
    (stocked, "edit_clear", "edit deploy --no-due --no-labels --no-description"),
    (stocked, "edit_without_change", "edit deploy"),
    (stocked, "edit_ambiguous", "edit buy --content 'Buy; eat' --priority 4 --due today -l urgent --no-description"),
    (stocked, "edit_contradiction", "edit deploy --due today --no-due"),
    (stocked, "done", "done milk"),
    (stocked, "done_several", "done milk f1bb"),
    (stocked, "done_twice", "done 8ff34739"),
    (stocked, "done_one_missing", "done milk submarine"),
    (stocked, "done_ambiguous", "done buy"),
    (stocked, "done_one_ambiguous", "done 'deploy v2' buy"),
    (stocked, "undo", "undo plan"),
    (stocked, "undo_open", "undo 'buy milk'"),
    (stocked, "move", "move milk -p Work -s Later"),
    (stocked, "move_ambiguous", "move buy -p 'Work' -s Later"),
    (stocked, "move_no_project", "move milk -p Garden"),
    (stocked, "delete", "delete milk --yes"),
    (stocked, "delete_unconfirmed", "delete milk"),
    (stocked, "delete_no_task", "delete submarine --yes"),
    (stocked, "projects", "projects"),
    (empty, "projects_new", "projects"),
    (stocked, "project_add", "project add Garden"),
    (stocked, "project_add_known", "project add WORK"),
    (stocked, "project_add_idempotent", "project add WORK --idempotent"),
    (stocked, "project_delete", "project delete Work --yes"),
    (stocked, "project_delete_inbox", "project delete inbox --yes"),
    (stocked, "project_delete_missing", "project delete Wok --yes"),
    (stocked, "sections", "sections"),
    (stocked, "sections_of", "sections -p Home"),
    (empty, "sections_empty", "sections"),
    (stocked, "sections_no_project", "sections -p Hoome"),
    (stocked, "section_add", "section add Sooner -p Work"),
    (stocked, "section_add_known", "section add later -p Work"),
    (stocked, "section_add_idempotent", "section add later -p Work --idempotent"),
    (stocked, "labels", "labels"),
    (empty, "labels_empty", "labels"),
    (stocked, "label_add", "label add waiting"),
    (stocked, "label_add_known", "label add urgent"),
    (stocked, "label_add_idempotent", "label add urgent --idempotent"),
    (stocked, "comments", "comments milk"),
    (stocked, "comments_none", "comments deploy"),
    (stocked, "comments_no_task", "comments submarine"),
    (stocked, "comment", "comment milk 'only oat'"),
    (stocked, "comment_ambiguous", "comment buy 'it'\\''s late'"),
    (stocked, "comment_nothing", "comment milk ''"),
    (torn, "broken_file", "ls"),
    (torn, "broken_file_changed", "add x"),
    (contradictory, "contradictory_file", "ls"),
    (homeless, "no_data_directory", "ls"),
    (empty, "unknown_command", "frobnicate"),
    (empty, "version", "--version"),
    (empty, "schema_of_one", "schema task_done"),
    (empty, "schema_of_none", "schema task_lst"),
];

fn torn() -> Sandbox {
    broken("{\"given\": 1,\n  \"projects\": [")
}

fn contradictory() -> Sandbox {
    let store = include_str!("common/store.json");
    broken(store.replace("\"task_id\": \"b54cda26\"", "\"task_id\": \"00000000\""))
}

fn homeless() -> Sandbox {
    empty().variable("TD_FILE", "").variable("HOME", "")
}

#[test]
fn every_answer_in_json_is_as_it_was() {
    assert_as_it_was("json");
}

#[test]
fn every_rich_answer_is_as_it_was() {
    assert_as_it_was("rich");
}

#[test]
fn every_plain_answer_is_as_it_was() {
    assert_as_it_was("plain");
}

#[track_caller]
fn assert_as_it_was(mode: &str) {
    for (sandbox, name, line) in CASES {
        sandbox().golden(PACKAGE, &format!("{name}.{mode}"), &format!("{line} --output {mode}"));
    }
}

#[test]
fn every_command_has_an_example_that_works() {
    let manifest: Value = empty().succeeds("manifest").data();
    let boundary =
        |name: &str| matches!(name, "" | "schema" | "manifest") || name.ends_with("help");
    for (name, command) in manifest["commands"].as_object().unwrap() {
        if boundary(name) || command["runnable"] == false {
            continue;
        }
        let line = command["examples"][0]["call"].as_str().unwrap();
        let called = format!("td {}", name.replace('.', " "));
        assert!(line.starts_with(&called), "{line} is not a call of {called}");
        stocked().succeeds(line.trim_start_matches("td "));
    }
}

#[test]
fn every_golden_file_has_its_case() {
    let expected: BTreeSet<String> = CASES
        .iter()
        .flat_map(|(_, name, _)| MODES.map(|mode| format!("{name}.{mode}.txt")))
        .collect();
    let directory = fs::read_dir(Path::new(PACKAGE).join("tests/golden")).unwrap();
    let found: BTreeSet<String> =
        directory.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_schema_lists_every_type_and_every_code() {
    let schema: Value = empty().succeeds("schema").data();
    let listed = |list: &str, key: &str| -> BTreeSet<String> {
        let list = schema[list].as_array().unwrap().iter();
        list.map(|one| one[key].as_str().unwrap().to_owned()).collect()
    };
    let answers: Vec<Value> = CASES.iter().map(|(_, name, _)| document(name)).collect();
    let met = |place: &str| -> BTreeSet<String> {
        let words = answers.iter().filter_map(|answer| answer.pointer(place)?.as_str());
        words.map(str::to_owned).collect()
    };

    let (types, met_types) = (listed("types", "name"), met("/type"));
    assert!(types.is_superset(&met_types), "{:?}", met_types.difference(&types));
    let boundary = ["schema", "type_schema", "manifest", "help", "version", "valid"];
    let own: BTreeSet<String> =
        types.into_iter().filter(|name| !boundary.contains(&name.as_str())).collect();
    assert!(met_types.is_superset(&own), "no case for {:?}", own.difference(&met_types));

    let (codes, met_codes) = (listed("codes", "code"), met("/error/code"));
    assert!(codes.is_superset(&met_codes), "{:?}", met_codes.difference(&codes));
    // What the program itself can report, rather than the boundary.
    let own = [
        "not_found",
        "ambiguous_match",
        "invalid_input",
        "already_exists",
        "storage_error",
        "no_data_directory",
    ];
    assert!(own.iter().all(|code| met_codes.contains(*code)), "{met_codes:?}");
    assert!(codes.iter().all(|code| code.chars().all(|c| c.is_ascii_lowercase() || c == '_')));
}

/// The one document of an answer, as the golden file has it.
fn document(name: &str) -> Value {
    let path = Path::new(PACKAGE).join(format!("tests/golden/{name}.json.txt"));
    let seen = fs::read_to_string(path).unwrap();
    let (_, answer) = seen.split_once("-- std").unwrap();
    let (_, answer) = answer.split_once('\n').unwrap();
    let (document, _) = answer.split_once("-- status").unwrap();
    serde_json::from_str(document).unwrap()
}
