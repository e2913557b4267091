//! `manifest`: every command of the program as data, so that a caller need not read help pages.

use super::argument::{self, Conflicts};
use super::tree::{Tree, about, is_help_flag};
use crate::call::Call;
use crate::call::setup::BuiltIn;
use crate::error::Error;
use crate::flag::Flag;
use crate::mode::Mode;
use crate::reply::{Kind, Reply, Shape, data_of};
use crate::respond::etag;
use crate::screen::Screen;
use clap::{Arg, ArgMatches, Command};
use manila::json::{Raw, SerializeError};
use manila::manifest::{Argument, Entry, Manifest, Tool};

pub(super) const BUILT_IN: BuiltIn = BuiltIn {
    command: || {
        Command::new("manifest")
            .about("Describe every command: its arguments, what it answers, how it fails")
    },
    run,
    flag: Some(Flag::Manifest),
    text: false,
    kinds: Answer::kinds,
};

fn run(call: &Call, _: &ArgMatches) -> Result<Box<dyn Reply>, Error> {
    let manifest = describe(call).map_err(|error| {
        let message = format!("the manifest has no JSON form: {error}");
        call.error(crate::Code::SerializationFailed, message)
    })?;
    // What a caller keeps is this tag, so this is what `--etag` is compared with.
    call.annotations().tag = Some(manifest.etag.clone());
    Ok(Box::new(Answer(manifest)))
}

/// Describes the program that is called.
fn describe(call: &Call) -> Result<Manifest, SerializeError> {
    let mut root = call.setup.named_command(&call.program.name);
    root.build();
    let everywhere: Vec<&Arg> =
        root.get_arguments().filter(|arg| arg.is_global_set() || is_help_flag(arg)).collect();
    let conflicts = Conflicts::of_command(&root, &[], &Conflicts::default());
    let listed = |arg: &&Arg| Argument { global: true, ..argument::describe(arg, &conflicts) };
    let visible = everywhere.iter().filter(|arg| !arg.is_hide_set());
    let global_flags = visible.map(listed).collect();
    let mut commands = Tree::entries(call, &root, everywhere, &conflicts);
    let root_arguments = match commands.get("") {
        Some(entry) if !entry.runnable => commands.remove(""),
        _ => None,
    };
    let root_arguments =
        root_arguments.map(|root| [root.positionals, root.flags].into_iter().flatten());
    let mut manifest = Manifest {
        schema_version: "1.0".to_owned(),
        framework_version: env!("CARGO_PKG_VERSION").to_owned(),
        tool: Tool {
            name: call.program.name.clone(),
            version: call.program.version.clone(),
            about: about(&root),
        },
        dialect: call.dialect.id().to_owned(),
        etag: String::new(),
        output_modes: [Mode::Rich, Mode::Plain, Mode::Json, Mode::Jsonl]
            .map(|mode| mode.as_str().to_owned())
            .to_vec(),
        global_flags,
        root_arguments: root_arguments.into_iter().flatten().collect(),
        commands,
    };
    // Of everything, not of the commands alone: a caller that gets `not modified` keeps the rest
    // too.
    manifest.etag = etag(Raw::from_serialize(&manifest)?.as_str());
    Ok(manifest)
}

/// The manifest as an answer of the program.
struct Answer(Manifest);

impl Reply for Answer {
    fn kind(&self) -> &'static str {
        "manifest"
    }

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        data_of(&self.0)
    }

    fn show(&self, screen: &mut Screen) {
        let row = |(path, entry): (&String, &Entry)| {
            let call = format!("{} {}", self.0.tool.name, path.replace('.', " "));
            let danger = entry.danger_level.as_deref().unwrap_or("-").to_owned();
            [call.trim_end().to_owned(), danger, entry.description.clone()]
        };
        screen.table(["COMMAND", "DANGER", "WHAT IT DOES"], self.0.commands.iter().map(row));
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::new::<Manifest>("manifest"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::program;
    use super::super::tree::HELP;
    use super::*;
    use serde_json::{Value, json};

    fn manifest() -> Value {
        program::envelope("notes manifest --json")["data"].take()
    }

    /// The paths of all commands that help shows, as clap shows them.
    fn shown(command: &Command, path: &str, paths: &mut Vec<String>) {
        let mut command = command.clone();
        let help = command.render_help().to_string();
        let listed = help.split("Commands:\n").nth(1).unwrap_or_default();
        for line in listed.lines().take_while(|line| !line.is_empty()) {
            let name = line.split_whitespace().next().expect("a name").to_owned();
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            if name != HELP {
                shown(command.find_subcommand(&name).expect("it is there"), &path, paths);
            }
            paths.push(path);
        }
    }

    /// The names of a list of arguments.
    fn names(arguments: &Value) -> Vec<&str> {
        let arguments = arguments.as_array().expect("a list");
        arguments.iter().map(|one| one["name"].as_str().expect("a name")).collect()
    }

    /// An entry, without its numbers and its schema, which have tests of their own.
    fn entry(path: &str) -> Value {
        let mut entry = manifest()["commands"][path].take();
        let members = entry.as_object_mut().expect("an entry");
        assert!(members.remove("exit_codes").is_some());
        members.remove("output_schema");
        entry
    }

    #[test]
    fn the_program_is_described_before_its_commands() {
        let manifest = manifest();
        let keys: Vec<&String> = manifest.as_object().expect("an object").keys().collect();
        let expected = [
            "schema_version",
            "framework_version",
            "tool",
            "dialect",
            "etag",
            "output_modes",
            "global_flags",
            "root_arguments",
            "commands",
        ];
        assert_eq!(keys, expected);
        let tool = json!({"name": "notes", "version": "2.1.0", "about": "Keeps notes"});
        assert_eq!((&manifest["schema_version"], &manifest["tool"]), (&json!("1.0"), &tool));
        assert_eq!(manifest["dialect"], "response-envelope/1.6");
        assert_eq!(manifest["output_modes"], json!(["rich", "plain", "json", "jsonl"]));
        assert_eq!(manifest["etag"].as_str().map(str::len), Some(32));
        assert_eq!(names(&manifest["root_arguments"]), ["sync", "version"]);
        let flags = "directory json plain output color quiet timeout etag max-bytes heartbeat \
                     validate-only no-input yes schema manifest help";
        assert_eq!(names(&manifest["global_flags"]), flags.split(' ').collect::<Vec<_>>());
        let quiet = json!({
            "name": "quiet",
            "long": "quiet",
            "short": "q",
            "type": "boolean",
            "required": false,
            "help": "Print no warnings and no progress on stderr",
            "global": true,
        });
        assert_eq!(manifest["global_flags"][5], quiet);
    }

    #[test]
    fn a_command_is_described_with_its_arguments() {
        let newest = json!({"name": "newest", "help": "The newest first"});
        let oldest = json!({"name": "oldest", "help": "The oldest first"});
        let list = json!({
            "description": "List the notes",
            "aliases": ["ls"],
            "runnable": true,
            "json": true,
            "cacheable": true,
            "positionals": [],
            "flags": [
                {"name": "all", "long": "all", "type": "boolean", "required": false,
                 "help": "All of them", "conflicts": ["day"]},
                {"name": "day", "long": "day", "value_name": "DAY", "type": "integer",
                 "required": false, "help": "Those of a day", "conflicts": ["all"]},
                {"name": "order", "long": "order", "value_name": "ORDER", "type": "enum",
                 "required": false, "default": ["newest"], "choices": [newest, oldest],
                 "help": "In which order"},
            ],
            "require_one_of": [["all", "day"]],
            "output_kinds": ["note_list"],
        });
        assert_eq!(entry("list"), list);
        let add = entry("add");
        let text = json!({"repeat": false, "min": 1});
        assert_eq!(add["positionals"][0]["multiple"], text);
        assert_eq!(names(&add["flags"]), ["tag", "token"]);
        assert_eq!(add["flags"][0]["multiple"], json!({"repeat": true, "min": 1, "max": 1}));
        assert_eq!(add["flags"][1]["type"], "secret");
        let example =
            json!({"call": "notes add hello --tag work", "what": "writes a note with a tag"});
        assert_eq!(add["examples"], json!([example]));
        let instead = json!({"since": "2.0.0", "instead": "notes tag move"});
        assert_eq!(entry("tag.rename")["deprecated"], instead);
        assert_eq!(entry("tag")["subcommands"], json!(["rename", "drop", "help"]));
        assert_eq!(
            (&entry("tag")["runnable"], &entry("edit")["json"]),
            (&json!(false), &json!(false))
        );
    }

    #[test]
    fn what_help_shows_is_in_it_and_nothing_else() {
        let mut root = program::setup(&program::ALL[..2]).described_command();
        root.build();
        let mut paths = Vec::new();
        shown(&root, "", &mut paths);
        paths.sort();
        let manifest = manifest();
        let commands = manifest["commands"].as_object().expect("a map");
        assert_eq!(commands.keys().cloned().collect::<Vec<_>>(), paths);
        assert!(paths.contains(&"tag.drop".to_owned()) && !paths.contains(&"debug".to_owned()));
    }

    #[test]
    fn its_tag_is_the_same_each_time_and_spares_the_rest() {
        let first = program::envelope("notes manifest --json");
        let second = program::envelope("notes --manifest --output json");
        assert_eq!(first["data"].to_string(), second["data"].to_string());
        let tag = first["data"]["etag"].as_str().expect("a tag");
        assert_eq!(first["meta"]["etag"], tag);
        let third = program::envelope(&format!("notes manifest --json --etag {tag}"));
        assert_eq!(third["meta"]["not_modified"], true, "{third}");
        assert_eq!(third["meta"]["etag"], tag);
        assert!(third["data"].is_null(), "{third}");
        let fourth = program::envelope("notes manifest --json --etag stale");
        assert!(!fourth["data"].is_null());
    }

    #[test]
    fn its_tag_changes_with_anything_in_it() {
        let tag = |version| {
            let mut call = program::call_in(manila::dialects::TD_1, "notes manifest");
            call.program.version = Some(version);
            describe(&call).expect("serialises").etag
        };
        assert_eq!(tag("1".to_owned()), tag("1".to_owned()));
        assert_ne!(tag("1".to_owned()), tag("2".to_owned()));
    }

    // proves: C-001
    #[test]
    fn every_command_has_success_and_its_own_failures() {
        let manifest = manifest();
        let commands = &manifest["commands"];
        for (path, entry) in commands.as_object().expect("a map") {
            assert_eq!(entry["exit_codes"]["0"]["name"], "SUCCESS", "{path}");
        }
        let codes =
            |path: &str, status: &str| commands[path]["exit_codes"][status]["codes"].clone();
        assert_eq!(codes("list", "12"), json!(["SERVER_DOWN"]));
        assert_eq!(codes("list", "5"), Value::Null);
        assert_eq!(codes("add", "5"), json!(["NO_SUCH_NOTE"]));
        assert_eq!(codes("tag.drop", "12"), Value::Null);
        assert_eq!(codes("tag.drop", "10"), json!(["TIMEOUT"]));
        assert_eq!(codes("manifest", "5"), Value::Null);
        // The class alone says no, the only code of it says yes.
        assert_eq!(commands["add"]["exit_codes"]["6"]["retryable"], true);
    }

    // proves: C-002
    #[test]
    fn what_a_program_does_not_declare_is_not_made_up() {
        let manifest = program::envelope("notes manifest --json")["data"].take();
        let commands = &manifest["commands"];
        assert_eq!(commands["tag.drop"]["danger_level"], "destructive");
        assert_eq!(commands["manifest"]["danger_level"], "safe");
        assert_eq!(commands["tag.drop"]["output_schema"], Value::Null);
        assert_eq!(commands["tag.drop"]["output_kinds"], json!(["note", "note_list"]));
        assert_eq!(commands["edit"]["output_kinds"], json!([]));
        let mut setup = program::setup(&[BUILT_IN]);
        setup.specs.clear();
        let undeclared = program::called(setup, "notes manifest --json").1;
        let undeclared: Value = serde_json::from_slice(&undeclared.stdout).expect("JSON");
        let entry = &undeclared["data"]["commands"]["tag.drop"];
        assert_eq!(entry["danger_level"], Value::Null, "{entry}");
    }

    #[test]
    fn a_program_without_commands_is_the_command_itself() {
        let command = || {
            let name = Arg::new("file").required(true);
            Command::new("one").version("1").arg(name).arg(Arg::new("deep").long("deep"))
        };
        let mut setup = program::setup(&program::ALL);
        setup.command = Box::new(command);
        setup.specs = vec![("", crate::Spec::new().danger(crate::Danger::Mutating))];
        let output = program::called(setup, "one --manifest --json").1;
        let envelope: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let manifest = &envelope["data"];
        assert_eq!(manifest["commands"].as_object().map(serde_json::Map::len), Some(1));
        let entry = &manifest["commands"][""];
        assert_eq!(entry["danger_level"], "mutating");
        assert_eq!(entry["positionals"][0]["name"], "file");
        let flags: Vec<&Value> =
            entry["flags"].as_array().expect("a list").iter().map(|flag| &flag["name"]).collect();
        assert_eq!(flags, ["deep", "version"]);
        assert_eq!(manifest["root_arguments"], Value::Null);
    }

    #[test]
    fn the_long_help_lists_the_numbers_where_the_program_wants_it() {
        let help = |exit_help| {
            let setup = crate::call::setup::Setup { exit_help, ..program::setup(&program::ALL) };
            let output = program::called(setup, "notes add --help --output plain").1;
            String::from_utf8(output.stdout).expect("UTF-8")
        };
        assert!(!help(None).contains("Exit status"));
        let help = help(Some(super::super::exits::describe));
        let section = help.split("Exit status:\n").nth(1).expect("a section");
        assert!(section.starts_with("  0    SUCCESS\n"), "{section}");
        assert!(section.contains("\n  100  there are typos\n"), "{section}");
    }

    #[test]
    fn people_get_a_table() {
        let plain = program::answer("notes manifest --output plain").stdout;
        let plain = String::from_utf8(plain).expect("UTF-8");
        assert!(plain.contains("notes tag drop\tdestructive\tDrop a tag\n"), "{plain}");
    }

    #[cfg(feature = "testing")]
    #[test]
    fn every_schema_in_it_holds_for_what_is_answered() {
        let envelope = program::envelope("notes manifest --json");
        let commands = &envelope["data"]["commands"];
        let valid = |path: &str, data: &Value| {
            let schema = &commands[path]["output_schema"];
            let validator = jsonschema::validator_for(schema).expect("a schema");
            let errors: Vec<String> =
                validator.iter_errors(data).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{path}: {errors:?}");
        };
        let [(_, note), (_, notes)] = program::examples();
        valid("add", &note);
        valid("list", &notes);
        valid("manifest", &envelope["data"]);
        valid("schema", &program::envelope("notes schema --json")["data"]);
        valid("schema", &program::envelope("notes schema note --json")["data"]);
        valid("help", &program::envelope("notes help --json")["data"]);
        valid("tag", &program::envelope("notes tag --help --json")["data"]);
        let wrong = jsonschema::is_valid(&commands["add"]["output_schema"], &notes);
        assert!(!wrong, "a list is not a note");
    }
}
