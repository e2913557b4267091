//! The recorded runs of the real program, and ours in the same situation: the same keys, types and
//! exit class, but for what is listed here with its reason.
//!
//! `type` differs where the real one says `success` for four shapes: its document wants a type for
//! each, so `done` answers with `task_done` and `move` with `task_moved`. The form is the same.
//!
//! Keys that were null in every recorded run need no exception, and do not exist here either:
//! `parent_id`, `deadline` and `duration` (not kept), `assignee_id`, `assigner_id`, `workspace_id`
//! and `folder_id` (the file is not shared), `timezone` (a due date is a day), `attachment` and a
//! comment's `project_id` (comments are texts on tasks), `meta`.

mod common;

use common::{broken, empty, stocked};
use showcase_test_support::{Sandbox, assert_same_form, assert_twins, recorded};

/// A place where the answers differ, and why.
type Difference = (&'static str, &'static str);

const ONE_PERSON: &str = "the file is not shared, so there is only one author";
const ANOTHER_CLIENT: &str = "it is how another program shows it";
const FIXED_DAYS: &str = "a due date is one day, in English";
const MORE_NAMES: &str = "ids come with names here";

const TASK: &[Difference] = &[
    ("creator_id", ONE_PERSON),
    ("is_collapsed", ANOTHER_CLIENT),
    ("due.lang", FIXED_DAYS),
    ("due.is_recurring", FIXED_DAYS),
    ("section_name", MORE_NAMES),
];
const NEW_TASK: &[Difference] =
    &[("project_name", "the real one has it in some answers alone, ours always")];
const PROJECT: &[Difference] = &[
    ("color", ANOTHER_CLIENT),
    ("view_style", ANOTHER_CLIENT),
    ("is_collapsed", ANOTHER_CLIENT),
    ("is_favorite", ANOTHER_CLIENT),
    ("is_shared", ONE_PERSON),
    ("can_assign_tasks", ONE_PERSON),
    ("is_archived", "what is over is deleted"),
    ("description", "a project has a name alone"),
    ("updated_at", "a project does not change"),
    ("open_tasks", "how much there is to do is worth knowing"),
];
const COMMENT: &[Difference] = &[("poster_id", ONE_PERSON)];
const MISSING: &[Difference] =
    &[("details", "every missing thing is reported alike here; there, only a project has details")];
const BROKEN: &[Difference] = &[
    ("details", "the file and what was being done with it"),
    ("suggestion", "the document wants one, and the real one has none"),
];

/// The recorded runs that every checkout has a twin of.
const TWINS: &[&str] = &[
    "add_idempotent_existing",
    "comments_list",
    "done_success",
    "err_project_not_found",
    "err_section_not_found",
    "ls_task_list",
    "projects_list",
    "show_task",
];

#[test]
fn the_twins_are_there() {
    assert_twins(env!("CARGO_MANIFEST_DIR"), TWINS);
}

#[test]
fn ours_answers_as_the_real_one() {
    let deploy_again = "add 'Deploy v2.1' -p Work --idempotent";
    assert_same("ls_empty", &empty(), "--json ls", "data", &[]);
    assert_same("ls_task_list", &stocked(), "ls", "data[]", &[TASK]);
    assert_same("ls_all_unicode", &stocked(), "--json ls --all", "data[]", &[TASK]);
    assert_same("show_task", &stocked(), "--json show deploy", "data", &[TASK]);
    assert_same("add_idempotent_existing", &stocked(), deploy_again, "data", &[TASK, NEW_TASK]);
    assert_same("done_success", &stocked(), "--json done milk", "data", &[]);
    assert_same("move_success", &stocked(), "--json move milk -p Work", "data", &[]);
    assert_same("projects_list", &stocked(), "--json projects", "data[]", &[PROJECT]);
    assert_same("json_beats_plain", &stocked(), "--json --plain projects", "data[]", &[PROJECT]);
    assert_same("comments_list", &stocked(), "--json comments milk", "data[]", &[COMMENT]);
    assert_same("err_project_not_found", &stocked(), "--json ls -p Worx", "error", &[]);
    assert_same("err_section_not_found", &stocked(), "add x -p Work -s Nope", "error", &[MISSING]);
    assert_same("err_bad_toml_config", &broken("["), "--json ls", "error", &[BROKEN]);
}

/// What the real program answers in prose, or beside prose, ours answers with one document.
#[test]
fn ours_keeps_the_document_where_the_real_one_does_not() {
    for line in ["--json frobnicate", "--json ls --bogus", "ls --json", "schema --json"] {
        // The sandbox holds the answer against the contract: one document, nothing beside it.
        stocked().call(line).opened();
    }
}

/// Asserts that ours answers the call as the real one did in a recorded run, but for differences at
/// or below a place.
#[track_caller]
fn assert_same(
    case: &str,
    sandbox: &Sandbox,
    line: &str,
    place: &str,
    differences: &[&[Difference]],
) {
    let ours = sandbox.call(line).opened();
    let places: Vec<(String, &str)> = differences
        .concat()
        .into_iter()
        .map(|(key, why)| (format!("{place}.{key}"), why))
        .collect();
    let except: Vec<(&str, &str)> = places.iter().map(|(at, why)| (at.as_str(), *why)).collect();
    for theirs in recorded(env!("CARGO_MANIFEST_DIR"), "td", case) {
        assert_same_form(&ours, &theirs, &except);
    }
}
