//! Descriptions that programs give of themselves, in every format that is known, and what is made of
//! each.

use crate::program::{Scripted, page};
use manila_check::Declaration;
use manila_check::surface::{Command, Json, Surface};
use manila_pack::Effect;
use std::fs;
use std::path::Path;

/// The surface of a program whose help leads nowhere and which prints this when asked with these words,
/// as its author declares.
pub(crate) fn described(args: &str, document: &str) -> Surface {
    let help =
        "Usage: notes [OPTIONS] <COMMAND>\n\nOptions:\n  --json  Answer in JSON\n  --help  Help\n";
    let words = args.split(' ').map(str::to_owned).collect();
    let declaration = Declaration { manifest: Some(words), ..Declaration::default() };
    Scripted::new("notes", &[("--help", help), (args, document)]).discover(&declaration)
}

#[expect(clippy::expect_used, reason = "a test fails so")]
fn command<'s>(surface: &'s Surface, name: &str) -> &'s Command {
    let found = surface.commands.iter().find(|command| command.name() == name);
    found.expect(name)
}

#[test]
fn every_format_has_its_surface() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/manifest");
    let mut seen = 0;
    for entry in fs::read_dir(&directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|it| it != "json") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a text");
        let surface = described("schema", &text);
        showcase_test_support::assert_golden(&path.with_extension("surface"), &page(&surface));
        // Whatever the format, the same is known of these.
        let list = command(&surface, "note list");
        assert_eq!(list.effects, Effect::None, "{}", path.display());
        assert!(
            list.flag("limit").is_some_and(|flag| flag.is_number && flag.in_manifest),
            "{}",
            path.display()
        );
        let show = command(&surface, "note show");
        assert!(
            show.positionals.first().is_some_and(|it| it.is_required && it.name == "id"),
            "{}",
            path.display()
        );
        seen += 1;
    }
    assert!(seen >= 8, "only {seen} formats in {}", directory.display());
}

#[test]
fn a_description_is_found_behind_other_words_too() {
    let document = r#"{"ok":true,"data":{"commands":{"list":{"description":"List"}}}}"#;
    for args in [
        "manifest",
        "--manifest",
        "introspect",
        "describe",
        "commands",
        "--schema",
        "--cli-schema",
        "--opencli",
        "--help --json",
    ] {
        let help = "Usage: notes <COMMAND>\n\nCommands:\n  list  List\n";
        let program = Scripted::new("notes", &[("--help", help), (args, document)]);
        let surface = program.discover(&Declaration::default());
        let manifest = surface.manifest.as_ref().unwrap_or_else(|| panic!("{args} finds nothing"));
        assert_eq!(manifest.args.join(" "), args);
        assert!(command(&surface, "list").known_from.manifest);
    }
}

#[test]
fn a_description_that_is_mentioned_is_asked_for_in_json_too() {
    let help = "Usage: notes <COMMAND>\n\nCommands:\n  list  List\n  manifest  Describe it\n\nOptions:\n  --json  Answer in JSON\n";
    let document = r#"{"commands":[{"name":"list"}]}"#;
    let answers = [("--help", help), ("manifest", "a table\n"), ("manifest --json", document)];
    let surface = Scripted::new("notes", &answers).discover(&Declaration::default());
    assert_eq!(surface.manifest.map(|it| it.args.join(" ")).as_deref(), Some("manifest --json"));
    // The same without a mention in the help.
    let hidden = help.replace("  manifest  Describe it\n", "  stats  Show counts\n");
    let answers = [("--help", hidden.as_str()), answers[1], answers[2]];
    let surface = Scripted::new("notes", &answers).discover(&Declaration::default());
    assert_eq!(surface.manifest.map(|it| it.args.join(" ")).as_deref(), Some("manifest --json"));
}

#[test]
fn the_declared_words_are_the_only_ones() {
    let program = Scripted::new(
        "notes",
        &[
            ("about", r#"{"commands":[{"name":"list"}]}"#),
            ("manifest", r#"{"commands":[{"name":"other"}]}"#),
        ],
    );
    let declaration =
        Declaration { manifest: Some(vec!["about".to_owned()]), ..Declaration::default() };
    let surface = program.discover(&declaration);
    assert_eq!(surface.manifest.map(|it| it.args), Some(vec!["about".to_owned()]));
    let names: Vec<String> = surface.commands.iter().map(Command::name).collect();
    assert_eq!(names, ["", "list"]);
}

#[test]
fn what_only_one_of_them_names_is_kept_and_marked() {
    let help = "Usage: notes <COMMAND>\n\nCommands:\n  list   List\n  stats  Show counts\n\nOptions:\n  --json  Answer in JSON\n";
    let manifest =
        r#"{"commands":{"list":{"flags":[{"name":"--all"}]},"ghost":{"danger_level":"safe"}}}"#;
    let surface = Scripted::new("notes", &[("--help", help), ("manifest", manifest)])
        .discover(&Declaration::default());
    let from = |name: &str| {
        (command(&surface, name).known_from.help, command(&surface, name).known_from.manifest)
    };
    assert_eq!(
        (from("list"), from("stats"), from("ghost")),
        ((true, true), (true, false), (false, true))
    );
    assert!(
        command(&surface, "list").flag("all").is_some_and(|flag| flag.in_manifest && !flag.in_help)
    );
    assert_eq!(
        command(&surface, "ghost").safe_call(),
        None,
        "a command that may not exist is not called"
    );
}

#[test]
fn prose_around_a_description_does_not_hide_it() {
    let surface = described("schema", "Loading…\n{\"commands\":[{\"name\":\"list\"}]}\nDone.\n");
    assert!(command(&surface, "list").known_from.manifest);
}

#[test]
fn documents_that_describe_nothing_are_not_taken_for_descriptions() {
    for document in [
        "{}",
        "[]",
        "7",
        "{\"commands\":[]}",
        "{\"commands\":3}",
        "{\"commands\":[1,2]}",
        "{\"ok\":true,\"data\":{\"items\":[{\"name\":\"x\"}]}}",
        "{\"ok\":false,\"error\":{\"code\":\"UNKNOWN_COMMAND\",\"message\":\"no\"}}",
    ] {
        assert!(described("schema", document).manifest.is_none(), "{document}");
    }
}

#[test]
fn words_for_json_are_those_that_work() {
    let help = "Usage: notes <COMMAND>\n\nCommands:\n  list  List\n  stats  Show counts\n\nOptions:\n  --json  Ignored\n  --format <text|json>  How to answer\n";
    let list = ("list --format json", "[{\"id\":1}]");
    let surface = Scripted::new("notes", &[("--help", help), ("list --json", "one\n"), list])
        .discover(&Declaration::default());
    assert_eq!(surface.json, Json::Arguments(vec!["--format".to_owned(), "json".to_owned()]));
    let plain = "Usage: notes <COMMAND>\n\nCommands:\n  list  List\n  stats  Show counts\n";
    let always = Scripted::new("notes", &[("--help", plain), ("list", "{\"ok\":true}")])
        .discover(&Declaration::default());
    assert_eq!(always.json, Json::Always);
    let hidden =
        Scripted::new("notes", &[("--help", plain), ("list", "one\n"), ("list --json", "[]")]);
    assert_eq!(
        hidden.discover(&Declaration::default()).json,
        Json::Arguments(vec!["--json".to_owned()])
    );
    let never = Scripted::new("notes", &[("--help", plain), ("list", "one\n")])
        .discover(&Declaration::default());
    assert_eq!(never.json, Json::Unknown);
}

#[test]
fn what_is_declared_counts_before_all_else() {
    let text = "[program]\njson = []\n[commands.list]\neffects = \"writes\"\n[commands.frob]\neffects = \"none\"\nargs = [\"1\"]\nslow = [\"9\"]\n";
    let declaration = Declaration::parse(text).expect("a declaration");
    let help = "Usage: notes <COMMAND>\n\nCommands:\n  list  List\n  frob  Frob\n  stats  Show\n";
    let surface = Scripted::new("notes", &[("--help", help)]).discover(&declaration);
    assert_eq!(surface.json, Json::Always);
    assert_eq!(command(&surface, "list").effects, Effect::Writes);
    assert_eq!(
        command(&surface, "frob").safe_call(),
        Some(vec!["frob".to_owned(), "1".to_owned()])
    );
    assert_eq!(command(&surface, "frob").slow, Some(vec!["9".to_owned()]));
}
