//! `manifest`: every command of the program as data, so that a caller need not read help pages.

use super::argument::{Argument, Conflicts, required_groups};
use super::exits::{ExitCodes, exit_codes, is_ours};
use super::schema_of;
use crate::call::Call;
use crate::failure::{Declared, Problem};
use crate::flag::Name;
use crate::mode::Mode;
use crate::reply::{Kind, Reply, Shape, data_of};
use crate::screen::Screen;
use crate::seal::etag;
use crate::setup::BuiltIn;
use crate::text::{Text, Valid, Version};
use clap::builder::StyledStr;
use clap::{Arg, ArgAction, ArgMatches, Command};
use manila::json::Raw;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Not;

pub(super) const BUILT_IN: BuiltIn = BuiltIn {
    command: || {
        Command::new("manifest")
            .about("Describe every command: its arguments, what it answers, how it fails")
    },
    run,
    flag: Some(Name::Manifest),
    text: false,
    kinds: Manifest::kinds,
};

fn run(call: &Call, _: &ArgMatches) -> Result<Box<dyn Reply>, Problem> {
    let manifest = Manifest::of(call).map_err(|error| {
        let message = format!("the manifest has no JSON form: {error}");
        call.problem(crate::Code::SerializationFailed, message)
    })?;
    // What a caller keeps is this tag, so this is what `--etag` is compared with.
    call.said().tag = Some(manifest.etag.clone());
    Ok(Box::new(manifest))
}

/// Everything about a program that a caller must know.
#[derive(Debug, Serialize, JsonSchema)]
struct Manifest {
    /// The version of this description's own shape.
    schema_version: &'static str,
    /// The version of the library that made it.
    framework_version: &'static str,
    tool: Tool,
    /// The envelope that answers come in.
    dialect: &'static str,
    /// Changes whenever anything here does; with `--etag` it spares the rest.
    etag: String,
    output_modes: [&'static str; 4],
    /// What every command takes.
    global_flags: Vec<Argument>,
    /// What stands before the command, where the program does nothing without one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    root_arguments: Vec<Argument>,
    /// By dotted path, such as `task.list`; the program itself, if it can be called, is "".
    commands: BTreeMap<String, Entry>,
}

/// The program.
#[derive(Debug, Serialize, JsonSchema)]
struct Tool {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
}

/// One command.
#[derive(Debug, Serialize, JsonSchema)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, and named in the JSON"
)]
struct Entry {
    description: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    aliases: Vec<String>,
    /// Whether it can be called without one of its subcommands.
    runnable: bool,
    /// safe, mutating or destructive; absent if the program does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    danger_level: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deprecated: Option<Deprecated>,
    /// Whether it answers in an envelope when asked to.
    json: bool,
    /// Whether its answers carry a tag that `--etag` takes.
    cacheable: bool,
    positionals: Vec<Argument>,
    flags: Vec<Argument>,
    /// Of each of these at least one must be given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    require_one_of: Vec<Vec<String>>,
    /// Whether it takes the name of any other program as its subcommand.
    #[serde(skip_serializing_if = "Not::not")]
    external_subcommands: bool,
    /// The numbers that it may end with.
    exit_codes: ExitCodes,
    /// The types of its answers.
    output_kinds: Vec<&'static str>,
    /// The schema of its data; absent if the program does not say which of its types it answers
    /// with, or answers in an older shape of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    output_schema: Option<Schema>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    examples: Vec<Example>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    subcommands: Vec<String>,
}

/// Since when, and what to call instead.
#[derive(Debug, Serialize, JsonSchema)]
struct Deprecated {
    since: &'static str,
    instead: &'static str,
}

/// A call, and what it does.
#[derive(Debug, Serialize, JsonSchema)]
struct Example {
    call: &'static str,
    what: &'static str,
}

impl Manifest {
    fn of(call: &Call) -> serde_json::Result<Manifest> {
        let mut root = call.setup.described_command();
        root.build();
        let everywhere: Vec<&Arg> =
            root.get_arguments().filter(|arg| arg.is_global_set() || is_help_flag(arg)).collect();
        let conflicts = Conflicts::of_command(&root, &[], &Conflicts::default());
        let describe = |arg: &&Arg| Argument::of(arg, &conflicts);
        let visible = everywhere.iter().filter(|arg| !arg.is_hide_set());
        let global_flags = visible.map(describe).map(Argument::everywhere).collect();
        let mut tree = Tree {
            call,
            declared: call.setup.all_declared(),
            handler_kinds: handler_kinds(call),
            everywhere,
            commands: BTreeMap::new(),
        };
        tree.add(&root, "", &conflicts);
        let mut commands = tree.commands;
        let root_arguments = match commands.get("") {
            Some(entry) if !entry.runnable => commands.remove(""),
            _ => None,
        };
        let root_arguments =
            root_arguments.map(|root| [root.positionals, root.flags].into_iter().flatten());
        let mut manifest = Manifest {
            schema_version: "1.0",
            framework_version: env!("CARGO_PKG_VERSION"),
            tool: Tool {
                name: call.program.name.clone(),
                version: call.program.version.clone(),
                about: about(&root),
            },
            dialect: call.dialect.id(),
            etag: String::new(),
            output_modes: [Mode::Rich, Mode::Plain, Mode::Json, Mode::Jsonl].map(Mode::word),
            global_flags,
            root_arguments: root_arguments.into_iter().flatten().collect(),
            commands,
        };
        // Of everything, not of the commands alone: whoever is told `not modified` keeps the rest
        // too.
        manifest.etag = etag(Raw::of(&manifest)?.as_str());
        Ok(manifest)
    }
}

impl Reply for Manifest {
    fn kind(&self) -> &'static str {
        "manifest"
    }

    fn data(&self, _: Shape) -> serde_json::Result<Raw> {
        data_of(self)
    }

    fn show(&self, screen: &mut Screen) {
        let row = |(path, entry): (&String, &Entry)| {
            let call = format!("{} {}", self.tool.name, path.replace('.', " "));
            let danger = entry.danger_level.unwrap_or("-").to_owned();
            [call.trim_end().to_owned(), danger, entry.description.clone()]
        };
        screen.table(["COMMAND", "DANGER", "WHAT IT DOES"], self.commands.iter().map(row));
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::of::<Manifest>("manifest"));
    }
}

/// The commands on the way from clap to the manifest.
struct Tree<'c> {
    call: &'c Call,
    declared: Vec<Declared>,
    handler_kinds: Vec<&'static str>,
    /// The arguments that every command takes, which are told once.
    everywhere: Vec<&'c Arg>,
    commands: BTreeMap<String, Entry>,
}

/// Who answers a command.
enum Answerer<'c> {
    Program,
    BuiltIn(&'c BuiltIn),
    /// Nobody but the boundary, with help.
    Help,
}

impl<'c> Tree<'c> {
    /// Adds a command and those below it.
    fn add(&mut self, command: &'c Command, path: &str, conflicts: &Conflicts) {
        let entry = self.entry(command, path, conflicts, &self.answerer(command, path));
        self.commands.insert(path.replace(' ', "."), entry);
        let globals: Vec<&Arg> =
            command.get_arguments().filter(|arg| arg.is_global_set()).collect();
        let handed_down = conflicts.only(&globals);
        for below in visible(command) {
            let path = format!("{path} {}", below.get_name());
            let path = path.trim_start();
            if is_generated_help(command, below) {
                // What clap puts below it is a copy of the whole tree.
                let none = Conflicts::default();
                let entry = self.entry(&help_command(), path, &none, &Answerer::Help);
                self.commands.insert(path.replace(' ', "."), entry);
            } else {
                let conflicts = Conflicts::of_command(below, &globals, &handed_down);
                self.add(below, path, &conflicts);
            }
        }
    }

    fn answerer(&self, command: &Command, path: &str) -> Answerer<'c> {
        match self.call.setup.built_in(path) {
            Some(built_in) => Answerer::BuiltIn(built_in),
            None if is_runnable(command) => Answerer::Program,
            None => Answerer::Help,
        }
    }

    fn entry(
        &self,
        command: &Command,
        path: &str,
        conflicts: &Conflicts,
        answerer: &Answerer<'_>,
    ) -> Entry {
        let spec = self.call.setup.spec(path);
        let told = |arg: &&Arg| {
            let is_it = |other: &&Arg| {
                other.get_id() == arg.get_id() && (arg.is_global_set() || is_help_flag(arg))
            };
            !arg.is_hide_set() && !self.everywhere.iter().any(is_it)
        };
        let arguments = command.get_arguments().filter(told);
        let (positionals, flags) = arguments.partition::<Vec<&Arg>, _>(|arg| arg.is_positional());
        let describe = |args: Vec<&Arg>| {
            args.into_iter().map(|arg| Argument::of(arg, conflicts)).collect::<Vec<_>>()
        };
        let may_fail = |one: &&Declared| match answerer {
            Answerer::Program => {
                let codes = spec.and_then(|spec| spec.codes);
                is_ours(self.call, one) || codes.is_none_or(|codes| codes.contains(&one.code))
            }
            _ => is_ours(self.call, one),
        };
        let declared: Vec<Declared> = self.declared.iter().filter(may_fail).copied().collect();
        let mut kinds: Vec<Kind> = Vec::new();
        match answerer {
            Answerer::BuiltIn(built_in) => (built_in.kinds)(&mut kinds),
            Answerer::Help => Text::kinds(&mut kinds),
            Answerer::Program => kinds.extend(spec.into_iter().flat_map(|spec| &spec.kinds)),
        }
        let json = !spec.is_some_and(|spec| spec.text_only);
        let is_older = self.call.shape == Shape::Legacy && kinds.iter().any(|kind| kind.has_legacy);
        let output_kinds = match kinds.as_slice() {
            _ if !json => Vec::new(),
            [] => self.handler_kinds.clone(),
            kinds => kinds.iter().map(|kind| kind.name).collect(),
        };
        Entry {
            description: about(command).unwrap_or_default(),
            aliases: command.get_visible_aliases().map(str::to_owned).collect(),
            runnable: is_runnable(command),
            danger_level: match (self.call.setup.danger(path), answerer) {
                (Some(danger), _) => Some(danger.word()),
                (None, Answerer::Program) => None,
                (None, _) => Some(crate::Danger::Safe.word()),
            },
            deprecated: spec
                .and_then(|spec| spec.deprecated)
                .map(|it| Deprecated { since: it.since, instead: it.instead }),
            json,
            cacheable: spec.is_some_and(|spec| spec.cacheable)
                || matches!(answerer, Answerer::BuiltIn(it) if it.flag == BUILT_IN.flag),
            positionals: describe(positionals),
            flags: describe(flags),
            require_one_of: required_groups(command),
            external_subcommands: command.is_allow_external_subcommands_set(),
            exit_codes: exit_codes(self.call, &declared),
            output_kinds,
            output_schema: schema_of(&kinds).filter(|_| json && !is_older),
            examples: spec
                .into_iter()
                .flat_map(|spec| &spec.examples)
                .map(|(call, what)| Example { call, what })
                .collect(),
            subcommands: visible(command).map(|below| below.get_name().to_owned()).collect(),
        }
    }
}

/// What the handler can answer, for commands of which nothing more is known.
fn handler_kinds(call: &Call) -> Vec<&'static str> {
    let mut not_its = Vec::new();
    call.setup.built_ins.iter().for_each(|built_in| (built_in.kinds)(&mut not_its));
    Text::kinds(&mut not_its);
    Version::kinds(&mut not_its);
    Valid::kinds(&mut not_its);
    let names = call.setup.all_kinds().into_iter().map(|kind| kind.name);
    names.filter(|name| !not_its.iter().any(|other| other.name == *name)).collect()
}

fn about(command: &Command) -> Option<String> {
    command.get_about().or_else(|| command.get_long_about()).map(StyledStr::to_string)
}

/// Whether it does something without one of its commands.
fn is_runnable(command: &Command) -> bool {
    !command.has_subcommands() || !command.is_subcommand_required_set()
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|below| !below.is_hide_set())
}

/// The name of the command that clap adds.
const HELP: &str = "help";

fn is_generated_help(command: &Command, below: &Command) -> bool {
    below.get_name() == HELP && !command.is_disable_help_subcommand_set()
}

/// The command that clap adds, as it parses it.
fn help_command() -> Command {
    let name = Arg::new("command").action(ArgAction::Append).num_args(..).value_name("COMMAND");
    Command::new(HELP)
        .about("Print this message or the help of the given subcommand(s)")
        .disable_help_flag(true)
        .arg(name.help("The command, with those that lead to it"))
}

fn is_help_flag(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong)
}

#[cfg(test)]
mod tests {
    use super::super::program;
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

    #[test]
    #[cfg_attr(any(not(unix), manila_portable), ignore = "no signal has a number there")]
    fn it_is_what_it_was() {
        let mut manifest = manifest();
        assert_eq!(manifest["etag"].as_str().map(str::len), Some(32));
        manifest["etag"] = json!("ETAG");
        manifest["framework_version"] = json!("VERSION");
        program::assert_golden("manifest.json", &manifest);
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
            Manifest::of(&call).expect("serialises").etag
        };
        assert_eq!(tag("1".to_owned()), tag("1".to_owned()));
        assert_ne!(tag("1".to_owned()), tag("2".to_owned()));
    }

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
        let emission = program::called(setup, "one --manifest --json").1;
        let envelope: Value = serde_json::from_slice(&emission.stdout).expect("JSON");
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
        valid("tag", &program::envelope("notes tag --json")["data"]);
        let wrong = jsonschema::is_valid(&commands["add"]["output_schema"], &notes);
        assert!(!wrong, "a list is not a note");
    }
}
