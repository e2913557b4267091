//! How the mode of an answer is chosen, and what people see on a day that is fixed.

use crate::{app, cli, context::Context};
use jiff::civil::date;
use jiff::tz::TimeZone;
use manila_clap::testing::{Called, Surroundings};
use tempfile::TempDir;

/// A directory with a few tasks, on a Monday.
struct Office {
    directory: TempDir,
}

impl Office {
    fn new() -> Office {
        let office = Office { directory: tempfile::tempdir().unwrap() };
        for words in [
            &["project", "add", "Work"][..],
            &["add", "Buy milk", "--due", "tomorrow"],
            &["add", "Water plants", "--due", "today"],
            &["add", "Call Ann", "--due", "friday", "--priority", "p2"],
            &["add", "Deploy", "-p", "Work", "--priority", "p1", "--due", "2026-11-13"],
            &["add", "Sleep"],
        ] {
            assert_eq!(office.call(Surroundings::default(), words).status, 0, "{words:?}");
        }
        office
    }

    fn call(&self, surroundings: Surroundings, words: &[&str]) -> Called {
        let monday = date(2026, 11, 16).at(9, 0, 0, 0).to_zoned(TimeZone::UTC).unwrap();
        let context = Context::at(self.directory.path().join("td.json"), &monday);
        let called = app().call_in(surroundings, words, |cli, _| cli::run(cli, &context));
        called.assert_contract();
        called
    }

    fn seen(&self, surroundings: Surroundings, words: &[&str]) -> String {
        String::from_utf8(self.call(surroundings, words).stdout).unwrap()
    }
}

/// The first characters of each mode's answer to `td ls`.
const RICH: &str = "ID ";
const PLAIN: &str = "daa66d13\tp";
const JSON: &str = "{\n  \"ok\": true";

fn watched() -> Surroundings {
    Surroundings::watched().variable("NO_COLOR", "1")
}

#[test]
fn people_see_a_table_with_days_in_words() {
    let seen = Office::new().seen(watched(), &["ls"]);
    let expected = "\
ID        PRI  TASK          PROJECT  DUE                 LABELS
17156075  p1   Deploy        Work     2026-11-13 overdue
78dde6c4  p2   Call Ann      Inbox    Friday
daa66d13  p4   Water plants  Inbox    today
3c6ef362  p4   Buy milk      Inbox    tomorrow
b54cda26  p4   Sleep         Inbox

5 open, 1 overdue
";
    assert_eq!(seen, expected);
}

#[test]
fn what_is_overdue_is_red_where_there_is_colour() {
    let office = Office::new();
    let coloured = office.seen(Surroundings::watched(), &["ls"]);
    assert!(coloured.contains("\u{1b}[31m5 open, 1 overdue"), "{coloured}");
    office.call(Surroundings::default(), &["done", "deploy"]);
    let calm = office.seen(Surroundings::watched(), &["ls"]);
    assert!(calm.contains("4 open") && !calm.contains("\u{1b}[31m"), "{calm}");
}

#[test]
fn a_terminal_gets_tables_and_a_pipe_json() {
    let office = Office::new();
    assert!(office.seen(watched(), &["ls"]).starts_with(RICH));
    assert!(office.seen(Surroundings::default(), &["ls"]).starts_with(JSON));
}

#[test]
fn without_a_command_the_open_tasks_are_listed() {
    let office = Office::new();
    let list = office.seen(Surroundings::default(), &["ls"]);
    assert_eq!(office.seen(Surroundings::default(), &[]), list);
    assert_eq!(office.seen(Surroundings::default(), &["list"]), list);
}

#[test]
fn the_flags_stand_anywhere() {
    let office = Office::new();
    let expected = office.seen(watched(), &["ls", "--json"]);
    assert!(expected.starts_with(JSON));
    for words in [&["--json", "ls"][..], &["ls", "--json", "--all"], &["--json"]] {
        assert_eq!(office.seen(watched(), words), expected, "{words:?}");
    }
}

#[test]
fn json_beats_plain_beats_the_variable_beats_the_terminal() {
    let office = Office::new();
    let says = |format: &str| watched().variable("TD_FORMAT", format);
    let table = [
        (says("rich"), &["ls", "--json", "--plain"][..], JSON),
        (says("rich"), &["--plain", "ls", "--json"], JSON),
        (says("json"), &["ls", "--priority", "p4", "--plain"], PLAIN),
        (says("json"), &["ls", "--output", "rich"], RICH),
        (says("json"), &["ls"], JSON),
        (says("JSON"), &["ls"], JSON),
        (says("rich"), &["ls"], RICH),
        (says("plain"), &["ls", "--priority", "p4"], PLAIN),
        // Without colour the table and the document are still there.
        (Surroundings::default().variable("NO_COLOR", "1"), &["ls"], JSON),
    ];
    for (surroundings, words, start) in table {
        let seen = office.seen(surroundings.clone(), words);
        assert!(seen.starts_with(start), "{words:?} in {surroundings:?}: {seen}");
    }
}

#[test]
fn a_mode_that_there_is_not_is_an_error_that_names_them() {
    let office = Office::new();
    let called = office.call(watched().variable("TD_FORMAT", "yaml"), &["ls", "--quiet"]);
    let stderr = String::from_utf8(called.stderr.clone()).unwrap();
    assert_eq!(called.status, 2);
    assert!(
        stderr.starts_with("error[invalid_input]: invalid value 'yaml' for 'TD_FORMAT'"),
        "{stderr}"
    );
    assert!(stderr.contains("rich, plain"), "{stderr}");
}
