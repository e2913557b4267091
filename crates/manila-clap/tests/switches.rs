//! Every flag and every variable that the crate adds can be switched off, one by one.

use clap::Command;
use manila_clap::testing::{Called, Surroundings};
use manila_clap::{App, Danger, Done, Flag, Listed, Migration, Spec, Stage, Variable, dialects};
use std::convert::Infallible;

/// A call with each flag, without a value that it could not have.
const FLAGS: [(Flag, &str); 16] = [
    (Flag::Json, "--json"),
    (Flag::Plain, "--plain"),
    (Flag::Output, "--output=json"),
    (Flag::Color, "--color=never"),
    (Flag::Quiet, "--quiet"),
    (Flag::Timeout, "--timeout=5s"),
    (Flag::Etag, "--etag=x"),
    (Flag::MaxBytes, "--max-bytes=900"),
    (Flag::Heartbeat, "--heartbeat=5s"),
    (Flag::ValidateOnly, "--validate-only"),
    (Flag::NoInput, "--no-input"),
    (Flag::Yes, "--yes"),
    (Flag::EnvelopeVersion, "--envelope-version=1.6"),
    (Flag::LegacyEnvelope, "--legacy-envelope"),
    (Flag::Schema, "--schema"),
    (Flag::Manifest, "--manifest"),
];

/// A program that can have every flag.
fn app() -> App<clap::ArgMatches, Listed> {
    let command = Command::new("tool").subcommands(["list", "remove"].map(Command::new));
    let old = ("1.0", dialects::RESPONSE_ENVELOPE_1_0);
    let new = ("1.6", dialects::RESPONSE_ENVELOPE_1_6);
    App::from_command(command, dialects::RESPONSE_ENVELOPE_1_6)
        .command("remove", Spec::new().danger(Danger::Destructive))
        .migrate(Migration::new(old, new, Stage::Default))
        .schema()
        .manifest()
        .all_flags()
}

fn call(app: App<clap::ArgMatches, Listed>, around: Surroundings, words: &[&str]) -> Called {
    app.call_in(around, words, |_, _| Ok::<_, Infallible>(Done::new("listed ".repeat(40))))
}

#[test]
fn each_flag_can_be_switched_off_and_the_others_stay() {
    assert_eq!(FLAGS.len(), Flag::ALL.len());
    for (off, _) in FLAGS {
        for (flag, word) in FLAGS {
            let called = call(app().no_flag(off), Surroundings::default(), &["list", word]);
            let all = [called.stdout, called.stderr].concat();
            let is_unknown = String::from_utf8_lossy(&all).contains("unexpected argument");
            assert_eq!(is_unknown, flag == off, "{word} without {off:?}");
        }
        let help = call(app().no_flag(off), Surroundings::default(), &["--help"]).stdout;
        let help = String::from_utf8_lossy(&help).into_owned();
        for (flag, word) in FLAGS {
            let long = word.split('=').next().unwrap_or_default();
            let is_shown = help.split_whitespace().any(|shown| shown.trim_end_matches(',') == long);
            assert_eq!(is_shown, flag != off, "{long} in the help without {off:?}: {help}");
        }
    }
}

#[test]
fn each_variable_can_be_switched_off_and_the_others_stay() {
    let around = || {
        Surroundings::default()
            .variable("TOOL_OUTPUT", "json")
            .variable("TOOL_TRACE_ID", "trace-4711")
            .variable("TOOL_MAX_OUTPUT_BYTES", "9")
    };
    for off in [None].into_iter().chain(Variable::ALL.iter().copied().map(Some)) {
        let app = |words: &[&str]| {
            let app = off.into_iter().fold(app(), App::no_variable);
            String::from_utf8_lossy(&call(app, around(), words).stdout).into_owned()
        };
        assert_eq!(app(&["list"]).starts_with('{'), off != Some(Variable::Output), "{off:?}");
        let json = app(&["list", "--json"]);
        assert_eq!(json.contains("trace-4711"), off != Some(Variable::TraceId), "{off:?}: {json}");
        assert_eq!(json.contains("left out"), off != Some(Variable::MaxOutputBytes), "{json}");
    }
}

#[test]
fn what_clap_shows_is_for_the_program_to_choose() {
    let tree = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges", "normal,features", "--prefix", "none"])
        .args(["--package", "manila-clap"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let tree = String::from_utf8_lossy(&tree.stdout).into_owned();
    assert!(tree.contains("clap feature \"error-context\""), "{tree}");
    for feature in ["color", "default", "help", "suggestions", "usage", "wrap_help"] {
        assert!(!tree.contains(&format!("clap feature \"{feature}\"")), "{feature}: {tree}");
    }
}

#[test]
fn without_a_word_a_program_reads_no_variable_and_has_one_flag() {
    let command = Command::new("tool");
    let app = App::from_command(command, dialects::RESPONSE_ENVELOPE_1_6);
    let around = Surroundings::default().variable("TOOL_OUTPUT", "json");
    let called = app.call_in(around, ["--help"], |_, _| Ok::<_, Infallible>(Done::new("done")));
    let help = String::from_utf8_lossy(&called.stdout).into_owned();
    let flags: Vec<&str> = help.split_whitespace().filter(|word| word.starts_with("--")).collect();
    assert_eq!(flags, ["--json", "--help"], "{help}");
}
