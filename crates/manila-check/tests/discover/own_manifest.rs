//! Discovery reads the manifest of every format with one lenient reader. For our own format it has to say
//! what `manila::manifest` says, member by member: a member that is added there does not compile here.

#![expect(clippy::panic, reason = "a test fails so")]

use crate::manifest::described;
use manila::manifest::{
    Argument, Choice, Deprecated, Entry, Example, ExitCode, Manifest, Multiple, Tool, Type,
};
use manila_check::surface::{Command, Flag, Positional, Surface};
use manila_pack::Effect;
use std::collections::{BTreeMap, BTreeSet};

/// Compares a surface with the manifest that it was made of.
fn compare(surface: &Surface, manifest: &Manifest) {
    let Manifest {
        tool: Tool { name, version: _, about: _ },
        global_flags,
        root_arguments,
        commands,
        // About the manifest itself, the dialect and `--output`: answers show them.
        schema_version: _,
        framework_version: _,
        dialect: _,
        etag: _,
        output_modes: _,
    } = manifest;
    assert_eq!(surface.name, *name);
    let found: BTreeSet<String> = surface.commands.iter().map(|it| it.path.join(".")).collect();
    let named: BTreeSet<String> = commands.keys().cloned().chain([String::new()]).collect();
    assert_eq!(found, named);
    for (path, entry) in commands {
        let command = surface.commands.iter().find(|it| it.path.join(".") == *path);
        let command = command.unwrap_or_else(|| panic!("there is no {path}"));
        compare_command(command, entry);
        global_flags.iter().for_each(|it| compare_flag(command, it));
    }
    let root = surface.commands.iter().find(|it| it.is_root()).unwrap_or_else(|| panic!("no root"));
    root_arguments.iter().for_each(|it| compare_flag(root, it));
}

fn compare_command(command: &Command, entry: &Entry) {
    let Entry {
        description,
        aliases,
        runnable,
        danger_level,
        json,
        positionals,
        flags,
        exit_codes,
        output_schema,
        examples,
        // What no call depends on.
        deprecated: _,
        cacheable: _,
        require_one_of: _,
        external_subcommands: _,
        output_kinds: _,
        // The keys of the commands say it too.
        subcommands: _,
    } = entry;
    let name = command.name();
    assert_eq!((&command.about, &command.aliases), (description, aliases), "{name}");
    assert_eq!(command.is_group, !runnable, "{name}");
    assert_eq!(command.is_text_only, !json, "{name}");
    // Without it, other words say what the command does.
    let effects = match danger_level.as_deref() {
        Some("safe") => Some(Effect::None),
        Some("mutating") => Some(Effect::Writes),
        Some("destructive") => Some(Effect::Destroys),
        _ => None,
    };
    assert!(effects.is_none_or(|it| it == command.effects), "{name}: {:?}", command.effects);
    assert_eq!(command.positionals.len(), positionals.len(), "{name}");
    for (found, stated) in command.positionals.iter().zip(positionals) {
        compare_positional(found, stated);
    }
    flags.iter().for_each(|it| compare_flag(command, it));
    let codes = |code: &ExitCode| {
        let ExitCode { name: _, retryable: _, effects: _, codes } = code;
        codes.clone()
    };
    let stated: BTreeSet<String> = exit_codes.values().flat_map(codes).collect();
    let found: BTreeSet<String> = command.error_codes.iter().flatten().cloned().collect();
    assert_eq!(found, stated, "{name}");
    let statuses: Vec<i32> = exit_codes.keys().copied().collect();
    assert_eq!(command.exit_codes.clone().unwrap_or_default(), statuses, "{name}");
    assert_eq!(&command.output_schema, output_schema, "{name}");
    if let Some(Example { call, what: _ }) = examples.first() {
        let sample = command.safe_call().unwrap_or_default().join(" ");
        assert!(call.contains(&sample) && !sample.is_empty(), "{name}: {sample}");
    }
}

/// What both know about an argument.
#[derive(Debug, PartialEq, Eq)]
struct Known {
    has_value: bool,
    is_number: bool,
    is_required: bool,
    choices: Vec<String>,
    default: Option<String>,
}

fn stated(argument: &Argument) -> Known {
    let Argument {
        kind,
        required,
        default,
        choices,
        // How it is spelled, which is what it is found by.
        name: _,
        long: _,
        short: _,
        aliases: _,
        value_name: _,
        // What no call of ours depends on.
        multiple: _,
        env: _,
        help: _,
        global: _,
        conflicts: _,
        exclusive: _,
        requires_equals: _,
        last: _,
    } = argument;
    let choice = |it: &Choice| {
        let Choice { name, help: _ } = it;
        name.clone()
    };
    let (has_value, is_number) = match kind {
        Type::Boolean => (false, false),
        Type::Integer | Type::Number => (true, true),
        Type::String | Type::Path | Type::Enum | Type::Secret => (true, false),
    };
    Known {
        has_value,
        is_number,
        is_required: *required,
        choices: choices.iter().map(choice).collect(),
        default: default.first().cloned(),
    }
}

fn compare_flag(command: &Command, argument: &Argument) {
    let is_it = |flag: &&Flag| {
        flag.long == argument.long && (flag.short == argument.short || flag.short.is_none())
    };
    let flag = command.flags.iter().find(is_it);
    let flag = flag.unwrap_or_else(|| panic!("{} has no {argument:?}", command.name()));
    let found = Known {
        has_value: flag.value.is_some(),
        is_number: flag.is_number,
        is_required: flag.is_required,
        choices: flag.choices.clone(),
        default: flag.default.clone(),
    };
    assert_eq!(found, stated(argument), "{}", flag.spelling());
    assert_eq!(flag.value.is_some(), argument.value_name.is_some(), "{}", flag.spelling());
}

fn compare_positional(positional: &Positional, argument: &Argument) {
    let known = stated(argument);
    let is_many = argument.multiple.is_some();
    assert_eq!(positional.name, argument.name);
    assert_eq!(
        (positional.is_required, positional.is_many, &positional.choices),
        (known.is_required, is_many, &known.choices),
        "{}",
        positional.name
    );
}

fn flag(name: &str, kind: Type) -> Argument {
    Argument {
        name: name.to_owned(),
        long: Some(name.to_owned()),
        value_name: (kind != Type::Boolean).then(|| name.to_uppercase()),
        kind,
        ..Argument::default()
    }
}

/// A manifest in which every member says something.
fn manifest() -> Manifest {
    let choices = ["date", "title"].map(|name| Choice { name: name.to_owned(), help: None });
    let flags = vec![
        Argument {
            short: Some('n'),
            default: vec!["20".to_owned()],
            ..flag("limit", Type::Integer)
        },
        Argument { choices: choices.to_vec(), required: true, ..flag("sort", Type::Enum) },
        flag("factor", Type::Number),
        flag("file", Type::Path),
        flag("token", Type::Secret),
        flag("all", Type::Boolean),
    ];
    let exit = |name: &str, codes: &[&str]| ExitCode {
        name: name.to_owned(),
        codes: codes.iter().map(|it| (*it).to_owned()).collect(),
        ..ExitCode::default()
    };
    let entry = |danger: Option<&str>| Entry {
        description: "Show it".to_owned(),
        danger_level: danger.map(str::to_owned),
        exit_codes: BTreeMap::from([(0, exit("SUCCESS", &[]))]),
        ..Entry::default()
    };
    let id = Argument { name: "id".to_owned(), required: true, ..Argument::default() };
    let rest = Argument {
        name: "rest".to_owned(),
        multiple: Some(Multiple { repeat: true, min: 0, max: None, delimiter: None }),
        ..Argument::default()
    };
    let commands = [
        ("note", Entry { runnable: false, subcommands: vec!["list".to_owned()], ..entry(None) }),
        ("note.list", Entry { aliases: vec!["ls".to_owned()], flags, ..entry(Some("safe")) }),
        (
            "note.show",
            Entry {
                positionals: vec![id.clone()],
                exit_codes: BTreeMap::from([
                    (0, exit("SUCCESS", &[])),
                    (5, exit("NOT_FOUND", &["NO_NOTE", "NO_BOOK"])),
                ]),
                output_schema: Some(serde_json::json!({"type": "object"})),
                examples: vec![Example {
                    call: "notes note show 1".to_owned(),
                    ..Example::default()
                }],
                deprecated: Some(Deprecated::default()),
                ..entry(Some("safe"))
            },
        ),
        ("note.edit", Entry { positionals: vec![id.clone(), rest], ..entry(Some("mutating")) }),
        ("note.drop", Entry { positionals: vec![id], ..entry(Some("destructive")) }),
        ("man", Entry { json: false, ..entry(Some("safe")) }),
        ("frob", entry(None)),
    ];
    Manifest {
        framework_version: "0.1.0".to_owned(),
        dialect: "response-envelope/1.0".to_owned(),
        tool: Tool { name: "notes".to_owned(), ..Tool::default() },
        global_flags: vec![flag("json", Type::Boolean)],
        root_arguments: vec![Argument { short: Some('C'), ..flag("store", Type::Path) }],
        commands: commands.map(|(path, entry)| (path.to_owned(), entry)).into(),
        ..Manifest::default()
    }
}

#[test]
fn both_readers_of_our_manifest_agree() {
    let written = serde_json::to_string(&manifest()).expect("JSON");
    assert_eq!(Manifest::from_json(written.as_bytes()), Ok(manifest()));
    for document in [written.clone(), format!(r#"{{"ok":true,"data":{written}}}"#)] {
        let surface = described("schema", &document);
        assert_eq!(surface.manifest.as_ref().map(|it| it.format), Some("manila"));
        compare(&surface, &manifest());
    }
}
