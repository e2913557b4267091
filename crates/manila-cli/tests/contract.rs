//! Owns: every answer of every command keeps the contract that the program declares.

mod support;

use manila_clap::Mode;
use manila_clap::dialects::RESPONSE_ENVELOPE_1_0;
use manila_clap::testing::{Called, Program};
use support::{COMMANDS, root};

/// Calls that work: nothing is on stdin.
const WORKING: &[&str] = &[
    "open --run SEEDS/td-not-found",
    "open --run SEEDS/response-envelope-success",
    "open --run SEEDS/claw-v2-error --to td/1",
    "open --run SEEDS/i18nprune-validate-failed --to animus/1",
    "open --run SEEDS/response-envelope-rate-limited --to response-envelope/1.6 --quiet",
    "decide --run SEEDS/response-envelope-rate-limited",
    "decide --run SEEDS/response-envelope-redirected",
    "decide --run SEEDS/response-envelope-redirected --program other",
    "decide --exit-code 137",
    "scan SEEDS/response-envelope-success/stdout",
    "scan SEEDS/response-envelope-success/stdout --limit 0 --select missing-field,wrong-type",
    "dialects",
    "schema response-envelope/1.0",
    "schema claw/2.0 --command bootstrap",
    "explain animus/1",
    "explain REDIRECTED",
    "explain 2",
    "explain TOKEN_EXPIRED",
    "explain INTERNAL_ERROR",
    "explain row-15",
    "explain duplicate-key",
    "explain missing-field",
    "explain failure-with-exit-zero",
    "explain field-removed",
    "freeze --run SEEDS/td-not-found SEEDS/claw-v2-error --out=-",
    "diff SEEDS/../../../manila-contract/tests/pairs/field-removed/new.lock SEEDS/../../../manila-contract/tests/pairs/field-removed/old.lock",
    "diff SEEDS/../../../manila-contract/tests/pairs/field-removed/new.lock SEEDS/../../../manila-contract/tests/pairs/field-removed/new.lock --format sarif",
    "check --list",
    "check --run SEEDS/response-envelope-success",
    "check --run SEEDS/response-envelope-success --spec",
    "check --run SEEDS/response-envelope-success --format sarif",
    "check --run SEEDS/response-envelope-success SEEDS/td-not-found --select status",
    "explain certain",
    "manifest",
    "--manifest",
    "completions bash",
    "completions zsh",
    "man",
    "man decide",
    "help",
    "help open",
    "--help",
    "--version",
    "open --validate-only",
];

/// Calls that fail, with their status and code.
const FAILING: &[(&str, i32, &str)] = &[
    ("open", 5, "EMPTY_INPUT"),
    ("open no/such/file", 5, "FILE_NOT_FOUND"),
    ("open SEEDS/td-not-found", 1, "FILE_UNREADABLE"),
    ("open --run SEEDS", 4, "BAD_RECORDING"),
    ("open PROSE", 5, "NO_ENVELOPE"),
    ("open PROSE --max-bytes 1", 4, "OVER_LIMIT"),
    ("open --run SEEDS/td-not-found --to animus/1 --strict", 4, "LOSSY_CONVERSION"),
    ("decide no/such/file", 5, "FILE_NOT_FOUND"),
    ("decide --run SEEDS", 4, "BAD_RECORDING"),
    ("scan PROSE", FOUND, "VIOLATIONS_FOUND"),
    ("scan PROSE no/such/file", 2, "INPUT_INCOMPLETE"),
    ("scan PROSE --to td/1 --out PROSE", 3, "INVALID_VALUE"),
    ("scan no/such/file", 5, "FILE_NOT_FOUND"),
    ("scan --select nope", 3, "INVALID_VALUE"),
    ("scan --out x", 3, "MISSING_ARGUMENT"),
    ("scan", 5, "EMPTY_INPUT"),
    ("check", 3, "NOTHING_TO_CHECK"),
    ("check --run no/such/directory", 5, "FILE_NOT_FOUND"),
    ("check --run SEEDS/../readme", 4, "BAD_RECORDING"),
    ("check --run SEEDS/td-not-found --strict", FOUND, "DOES_NOT_CONFORM"),
    ("check --select nope --list", 3, "INVALID_VALUE"),
    ("check --spec --format html --run SEEDS/td-not-found", 3, "INVALID_VALUE"),
    ("freeze", 3, "NOTHING_TO_OBSERVE"),
    ("freeze --run no/such/directory", 5, "FILE_NOT_FOUND"),
    ("verify --lock no/such/file", 5, "FILE_NOT_FOUND"),
    ("verify --lock PROSE", 4, "BAD_LOCK"),
    ("diff PROSE", 3, "INVALID_VALUE"),
    ("diff PROSE PROSE", 4, "COULD_NOT_COMPARE"),
    (
        "diff SEEDS/../../../manila-contract/tests/pairs/field-removed/old.lock SEEDS/../../../manila-contract/tests/pairs/field-removed/new.lock",
        FOUND,
        "BREAKING_CHANGES",
    ),
    ("schema claw/2.0 --command nope", 3, "INVALID_VALUE"),
    ("schema", 3, "MISSING_ARGUMENT"),
    ("explain zzzz", 5, "UNKNOWN_NAME"),
    ("dialects extra", 3, "UNKNOWN_COMMAND"),
    ("manifest extra", 3, "UNKNOWN_ARGUMENT"),
    ("completions nope", 3, "INVALID_VALUE"),
    ("man nope", 3, "INVALID_VALUE"),
    ("frobnicate", 3, "UNKNOWN_COMMAND"),
    ("opne", 13, "TYPO_CORRECTED"),
    ("open PROSE --run SEEDS", 3, "CONFLICTING_ARGUMENTS"),
    ("dialects --output nope", 3, "INVALID_VALUE"),
];

/// The exit status of commands that found something.
const FOUND: i32 = 100;

fn manila() -> Program {
    Program::new(env!("CARGO_BIN_EXE_manila")).speaks(RESPONSE_ENVELOPE_1_0).piped(Mode::Rich)
}

/// The words of a line, with its names for files in place.
fn call(program: &Program, line: &str, more: &[&str]) -> Called {
    let seeds = root().join("crates/manila/tests/seeds").display().to_string();
    let prose = root().join("LICENSE-MIT").display().to_string();
    let words = line.split_whitespace().chain(more.iter().copied());
    program.call(words.map(|word| word.replace("SEEDS", &seeds).replace("PROSE", &prose)))
}

#[test]
fn every_command_is_among_the_calls_of_this_file() {
    for command in COMMANDS {
        let is_it = |line: &str| line.split(' ').next() == Some(command);
        assert!(WORKING.iter().any(|line| is_it(line)), "{command} works");
        assert!(FAILING.iter().any(|(line, ..)| is_it(line)), "{command} fails");
    }
}

#[test]
fn every_success_keeps_the_contract() {
    let manila = manila();
    for line in WORKING {
        for more in [&["--json"][..], &["--output", "jsonl"], &["--output", "plain"], &[]] {
            let called = call(&manila, line, more);
            called.assert_contract();
            assert_eq!(called.status, 0, "{line} {more:?}");
        }
    }
}

#[test]
fn every_failure_keeps_the_contract() {
    let manila = manila();
    for (line, status, code) in FAILING {
        for more in [&["--json"][..], &["--output", "plain"], &[]] {
            let called = call(&manila, line, more);
            // A number of our own is in no table of the dialect; the program compares it with what it
            // declares before it answers.
            if *status != FOUND {
                called.assert_contract();
            }
            assert_eq!(called.status, *status, "{line} {more:?}");
        }
        let opened = call(&manila, line, &["--json"]).opened();
        assert_eq!(opened.envelope.error().map(|error| error.code.as_str()), Some(*code), "{line}");
    }
}
