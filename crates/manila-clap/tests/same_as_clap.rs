//! Without JSON a program writes what clap writes, byte for byte, and ends as clap does: every program
//! of `differential` is run with clap alone and with this crate, on pipes and on a terminal.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(target_os = "linux")]

#[expect(dead_code, reason = "the programs themselves run in the example")]
mod differential;
#[expect(dead_code, unused_imports, reason = "other tests need the rest")]
mod support;

use differential::Program;
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use support::{drained, terminal};

/// The example that holds the programs.
fn twins() -> PathBuf {
    let test = std::env::current_exe().expect("this test is a file");
    let directory = test.parent().and_then(|deps| deps.parent()).expect("a directory of cargo's");
    directory.join("examples").join("twins")
}

/// A word of a line: `%FF` is that byte, and `''` nothing.
fn word(text: &str) -> OsString {
    let text = text.replace("''", "");
    let pieces: Vec<&[u8]> = text.split("%FF").map(str::as_bytes).collect();
    OsString::from_vec(pieces.join(&0xff))
}

/// Where a program writes to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Pipe,
    Terminal,
}

/// What a run wrote, and how it ended. On a terminal both streams are one.
#[derive(PartialEq, Debug)]
struct Ran {
    stdout: OsString,
    stderr: OsString,
    status: ExitStatus,
}

fn run(program: &Program, side: &str, line: &str, place: Place) -> Ran {
    run_with(program, side, line, place, None)
}

/// The same with another variable set.
fn run_with(
    program: &Program,
    side: &str,
    line: &str,
    place: Place,
    variable: Option<(&str, &str)>,
) -> Ran {
    let mut command = Command::new(twins());
    command.arg0("tool").args(line.split_whitespace().map(word)).stdin(Stdio::null());
    command.env("TWINS_PROGRAM", program.name).env("TWINS_SIDE", side);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI", "RUST_BACKTRACE", "COLUMNS"] {
        command.env_remove(name);
    }
    // Variables that this crate could take for its own.
    command.env("TERM", "xterm").env("TOOL_OUTPUT", "json").env("TWINS_OUTPUT", "json");
    command.envs(variable);
    if place == Place::Pipe {
        let output = command.output().expect("the example was built");
        let [stdout, stderr] = [output.stdout, output.stderr].map(OsString::from_vec);
        return Ran { stdout, stderr, status: output.status };
    }
    let (ours, theirs) = terminal();
    let other = theirs.try_clone().expect("a second end");
    let mut child = command.stdout(theirs).stderr(other).spawn().expect("the example was built");
    drop(command);
    let reader = drained(ours);
    let status = child.wait().expect("it ends");
    let stdout = OsString::from_vec(reader.join().expect("read"));
    Ran { stdout, stderr: OsString::new(), status }
}

/// Every way in which a program is run, with clap alone and with this crate.
fn sides(program: &Program) -> Vec<(&'static str, &'static str)> {
    let mut sides = vec![("plain", "enveloped"), ("plain-bare", "enveloped-bare")];
    if program.typed.is_some() {
        sides.push(("plain-typed", "enveloped-typed"));
    }
    sides
}

fn program(name: &str) -> &'static Program {
    differential::programs().find(|program| program.name == name).expect("there is one")
}

#[test]
fn what_is_wrong_about_the_flag_is_said_as_clap_says_it() {
    let ran = run(program("flag"), "enveloped", "--json=x --all", Place::Pipe);
    let expected = "error: unexpected value 'x' for '--json': it takes none\n\n\
                    Usage: tool [OPTIONS]\n\nFor more information, try '--help'.\n";
    assert_eq!((ran.stdout, ran.stderr), (OsString::new(), expected.into()));
    assert_eq!(ran.status.code(), Some(2));
    let both = run(program("flag"), "enveloped", "--json=x --bad", Place::Pipe);
    assert_eq!(both.stderr, run(program("flag"), "plain", "--bad", Place::Pipe).stderr);
}

#[test]
fn a_program_that_ignores_its_errors_answers_in_json_too() {
    for line in ["--json", "--json --bad", "--bad --json"] {
        let ran = run(program("ignore-errors"), "enveloped", line, Place::Pipe);
        let stdout = ran.stdout.to_string_lossy();
        assert!(stdout.starts_with("{\"ok\":true"), "`{line}`: {stdout}");
    }
}

#[test]
fn variables_change_nothing_but_what_clap_makes_of_them() {
    let variables = [
        ("NO_COLOR", "1"),
        ("CLICOLOR_FORCE", "1"),
        ("CLICOLOR", "0"),
        ("TERM", "dumb"),
        ("CI", "true"),
        ("COLUMNS", "30"),
        ("TOOL_OUTPUT", "plain"),
    ];
    for name in ["subcommands", "colour-always", "colour-never", "styles", "environment-required"] {
        let program = program(name);
        for line in ["", "--help", "-h", "--bad", "list --bad"] {
            for (variable, place) in
                variables.iter().flat_map(|it| [(*it, Place::Pipe), (*it, Place::Terminal)])
            {
                let [plain, enveloped] = ["plain", "enveloped"]
                    .map(|side| run_with(program, side, line, place, Some(variable)));
                assert_eq!(plain, enveloped, "{name} `{line}` {place:?} {variable:?}");
            }
        }
    }
}

#[test]
fn a_program_without_json_is_clap_byte_for_byte() {
    let programs: Vec<&Program> = differential::programs().collect();
    let (next, cases) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut different = Vec::new();
        while let Some(program) = programs.get(next.fetch_add(1, SeqCst)) {
            for line in program.usual.iter().chain(program.lines) {
                for (plain, enveloped) in sides(program) {
                    // Without its one flag the crate adds nothing that a terminal could change.
                    let bare = plain == "plain-bare";
                    let places: &[Place] =
                        if bare { &[Place::Pipe] } else { &[Place::Pipe, Place::Terminal] };
                    for &place in places {
                        let expected = run(program, plain, line, place);
                        let actual = run(program, enveloped, line, place);
                        cases.fetch_add(1, SeqCst);
                        if expected != actual {
                            let case = format!("{} `{line}` {place:?} {enveloped}", program.name);
                            different.push(format!("{case}\n{expected:#?}\n{actual:#?}"));
                        }
                    }
                }
            }
        }
        different
    };
    let different: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    let cases = cases.into_inner();
    // Past the capture of the test runner: the count is part of what the test shows.
    let _ = writeln!(io::stderr(), "{} programs, {cases} cases", programs.len());
    assert!(programs.len() >= 60, "{} programs", programs.len());
    let count = different.len();
    assert!(different.is_empty(), "{count} of {cases} differ:\n{}", different.join("\n"));
}
