//! The built-in commands on a small program, as its author adds them and in every dialect.
#![cfg(feature = "testing")]

use clap::{Parser, Subcommand};
use manila::DialectWriter;
use manila::dialects::{self, WRITTEN};
use manila_clap::testing::Called;
use manila_clap::{App, Call, Danger, Failure, Listed, Mode, Reply, Spec};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Keeps tasks
#[derive(Parser)]
#[command(name = "task", version = "1.2.3")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show a task
    Show { id: u32 },
    /// List the tasks
    List,
    /// Remove a task
    Remove { id: u32 },
}

#[derive(Serialize, JsonSchema, Reply)]
struct Task {
    id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<String>,
}

#[derive(Serialize, JsonSchema, Reply)]
#[reply(kind = "task_list")]
struct Tasks(Vec<Task>);

#[derive(Reply)]
enum Answer {
    One(Task),
    Many(Tasks),
}

#[derive(Debug, Failure)]
enum ProgramError {
    /// there is no task {id}
    #[failure(exit = NotFound, suggestion = "ids begin at 1")]
    NoSuchTask { id: u32 },
}

#[expect(clippy::needless_pass_by_value, reason = "it is a handler")]
fn run(cli: Cli, _: &Call) -> Result<Answer, ProgramError> {
    let task = |id| Task { id, due: None };
    match cli.command {
        Command::Show { id: 0 } => Err(ProgramError::NoSuchTask { id: 0 }),
        Command::Show { id } | Command::Remove { id } => Ok(Answer::One(task(id))),
        Command::List => Ok(Answer::Many(Tasks((1..4).map(task).collect()))),
    }
}

fn app(dialect: &'static dyn DialectWriter) -> App<Cli, Listed> {
    App::<Cli>::new(dialect)
        .all_flags()
        .piped(Mode::Json)
        .unified_errors()
        .command("show", Spec::new().reply::<Task>())
        .command("list", Spec::new().reply::<Tasks>().fails(&[]))
        .command("remove", Spec::new().reply::<Task>().danger(Danger::Destructive))
        .manifest()
        .schema()
}

fn call(dialect: &'static dyn DialectWriter, words: &str) -> Called {
    app(dialect).call(words.split(' '), run)
}

#[track_caller]
fn data(words: &str) -> Value {
    let called = call(dialects::RESPONSE_ENVELOPE_1_6, words);
    called.assert_contract();
    called.data()
}

#[test]
fn they_keep_the_contract_in_every_dialect_and_every_mode() {
    for &dialect in WRITTEN {
        for command in ["manifest", "schema", "schema task", "schema tsk", "--manifest"] {
            for mode in ["json", "jsonl", "plain", "rich"] {
                call(dialect, &format!("{command} --output {mode}")).assert_contract();
            }
        }
    }
}

// proves: C-002, O-041
#[test]
fn the_manifest_has_every_command_and_what_it_may_do() {
    let manifest = data("manifest");
    let commands = manifest["commands"].as_object().expect("a map");
    let names: Vec<&String> = commands.keys().collect();
    assert_eq!(names, ["help", "list", "manifest", "remove", "schema", "show"]);
    assert_eq!(commands["remove"]["danger_level"], "destructive");
    assert_eq!(commands["show"]["exit_codes"]["5"]["codes"][0], "NO_SUCH_TASK");
    assert!(commands["list"]["exit_codes"]["5"].is_null());
}

// proves: C-015
#[test]
fn every_schema_in_the_manifest_holds_for_what_is_answered() {
    let manifest = data("manifest");
    for words in ["show 1", "list", "remove 1 --yes", "manifest", "schema", "schema task"] {
        let command = words.split(' ').next().expect("a word");
        let schema = &manifest["commands"][command]["output_schema"];
        let validator = jsonschema::validator_for(schema).expect("a schema");
        assert!(validator.is_valid(&data(words)), "{words}");
    }
}

// proves: O-041
#[test]
fn a_caller_with_the_current_manifest_gets_not_modified() {
    let first = data("manifest");
    assert_eq!(first, data("--manifest"));
    let tag = first["etag"].as_str().expect("a tag");
    let called = call(dialects::RESPONSE_ENVELOPE_1_6, &format!("manifest --etag {tag}"));
    called.assert_contract();
    let envelope: Value = serde_json::from_slice(&called.stdout).expect("JSON");
    assert_eq!(envelope["meta"]["not_modified"], true, "{envelope}");
    assert!(envelope["data"].is_null(), "{envelope}");
}

#[test]
fn the_schema_lists_every_type_and_every_code() {
    let schema = data("schema");
    let names = |list: &str, key: &str| -> Vec<String> {
        let list = schema[list].as_array().expect("a list").iter();
        list.map(|one| one[key].as_str().expect("a name").to_owned()).collect()
    };
    let types = names("types", "name");
    for kind in ["task", "task_list", "manifest", "schema", "type_schema", "help", "version"] {
        assert!(types.iter().any(|name| name == kind), "{kind} is not in {types:?}");
    }
    let codes = names("codes", "code");
    assert_eq!(codes[0], "NO_SUCH_TASK");
    assert_eq!(codes.len(), 1 + manila_clap::Code::ALL.len());
}

#[cfg(feature = "completions")]
#[test]
fn a_completion_script_is_a_file_unless_the_caller_asks_for_an_envelope() {
    let app = || {
        App::<Cli>::new(dialects::TD_1).all_flags().piped(Mode::Json).unified_errors().completions()
    };
    let script = app().call(["completions", "bash"], run).stdout;
    let script = String::from_utf8(script).expect("UTF-8");
    assert!(script.starts_with("_task()"), "{script}");
    let called = app().call(["completions", "bash", "--json"], run);
    called.assert_contract();
    assert_eq!(called.data::<Value>()["text"], *script);
}

#[cfg(feature = "man")]
#[test]
fn a_manual_page_is_a_file_unless_the_caller_asks_for_an_envelope() {
    let app =
        || App::<Cli>::new(dialects::TD_1).all_flags().piped(Mode::Json).unified_errors().man();
    let page = app().call(["man", "show"], run).stdout;
    let page = String::from_utf8(page).expect("UTF-8");
    assert!(page.contains(".TH task-show 1"), "{page}");
    let called = app().call(["man", "show", "--json"], run);
    called.assert_contract();
    assert_eq!(called.data::<Value>()["text"], *page);
}
