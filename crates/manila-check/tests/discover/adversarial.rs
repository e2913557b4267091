//! Help and descriptions that are too large, too deep, broken, on the wrong stream or not there at all:
//! discovery ends, and says what it could not find out.

use crate::program::Scripted;
use manila::{Status, Transcript};
use manila_check::internal::{Probe, Run, discover as find};
use manila_check::surface::Surface;
use manila_check::{Declaration, Subject};
use manila_pack::Effect;
use std::cell::{Cell, RefCell};
use std::fmt::Write;

fn subject() -> Subject {
    Subject {
        argv: vec!["tool".into()],
        shown: vec!["tool".to_owned()],
        variables: Vec::new(),
        fixture: None,
    }
}

/// Discovers a program that answers each call with this transcript, and says how many calls it took.
fn answering(answer: impl Fn(&Probe) -> Option<Transcript>) -> (Surface, usize) {
    let calls = Cell::new(0);
    let lab = |probes: &[Probe]| {
        calls.set(calls.get() + probes.len());
        probes.iter().map(|probe| Some(Run::recorded(probe.clone(), answer(probe)?))).collect()
    };
    let surface = find(&lab, &subject(), &Declaration::default(), &manila_pack::Packs::default());
    (surface, calls.get())
}

#[expect(clippy::unnecessary_wraps, reason = "the lab may make no run")]
fn stdout(text: impl Into<Vec<u8>>) -> Option<Transcript> {
    Some(Transcript::from_stdout(text, Status::Exited(0)))
}

const HELP: &str = "Usage: tool <COMMAND>\n\nCommands:\n  list  List\n  stats  Show counts\n";

#[test]
fn no_answer_at_all_is_a_gap_and_no_crash() {
    let (surface, _) = answering(|_| None);
    assert_eq!(surface.commands.len(), 1);
    assert!(surface.gaps.iter().any(|gap| gap.contains("no help")));
    assert_eq!(surface.commands[0].effects, Effect::Unknown);
}

#[test]
fn ten_megabytes_of_help_are_read_no_further_than_needed() {
    let mut help = HELP.to_owned();
    while help.len() < 10_000_000 {
        help.push_str("  --flag-and-more <VALUE>  A description that goes on and on\n");
    }
    let (surface, _) = answering(|probe| {
        stdout(if probe.args == ["--help"] { help.clone() } else { String::new() })
    });
    assert!(surface.commands.iter().any(|command| command.name() == "list"));
}

#[test]
fn one_endless_line_is_no_list() {
    let line = format!("Usage: tool {}", "[".repeat(500_000));
    let (surface, _) = answering(|_| stdout(line.clone()));
    assert_eq!(surface.commands.len(), 1);
    let (surface, _) = answering(|_| stdout("a  b".repeat(200_000)));
    assert_eq!(surface.commands.len(), 1);
    let nested = format!("Usage: tool {}{}", "[<a> ".repeat(20_000), "]".repeat(20_000));
    let (surface, _) = answering(|_| stdout(nested.clone()));
    assert_eq!(surface.commands.len(), 1);
    let (surface, _) =
        answering(|_| stdout(format!("Usage: tool {}", "[--a] <b> ".repeat(10_000))));
    assert_eq!(surface.commands.len(), 1);
}

#[test]
fn bytes_that_are_no_text_are_survived() {
    let mut state = 7_u32;
    let noise: Vec<u8> = (0..200_000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        })
        .collect();
    let (surface, _) = answering(|_| stdout(noise.clone()));
    assert!(surface.commands.len() < 300);
    let broken = [
        b"Usage: tool <COMMAND>\n\nCommands:\n  li\xffst  L\x1b[\n  ls  \x1b]8;;List\n  stats  S\n"
            .as_slice(),
        &[0x1b],
    ]
    .concat();
    let (surface, _) = answering(|probe| {
        stdout(if probe.args == ["--help"] { broken.clone() } else { Vec::new() })
    });
    assert!(!surface.commands.is_empty());
}

#[test]
fn a_command_that_lists_itself_forever_is_left_at_the_limit() {
    let (surface, calls) = answering(|probe| {
        let path: Vec<String> = probe.command.clone();
        // Each page is another one, so that none is taken for its parent's.
        stdout(format!(
            "Page {}\n\nUsage: tool {} <COMMAND>\n\nCommands:\n  a  A\n  b  B\n  c  C\n",
            path.len(),
            path.join(" ")
        ))
    });
    assert!(surface.commands.len() <= 301, "{}", surface.commands.len());
    assert!(calls < 1_000, "{calls}");
    assert!(!surface.gaps.is_empty());
}

#[test]
fn more_commands_than_anybody_has_are_cut_with_a_word() {
    let mut help = "Usage: tool <COMMAND>\n\nCommands:\n".to_owned();
    for at in 0..5_000 {
        let _ = writeln!(help, "  command-{at}  Does it");
    }
    let (surface, _) = answering(|probe| {
        stdout(if probe.args == ["--help"] { help.clone() } else { String::new() })
    });
    assert_eq!(surface.commands.len(), 300);
    assert!(surface.gaps.iter().any(|gap| gap.contains("only the first 300")));
}

#[test]
fn help_is_found_on_the_other_stream_with_any_status_and_in_an_envelope() {
    let on_stderr = |probe: &Probe| {
        let mut transcript =
            Transcript::from_stdout(b"{\"ok\":true,\"data\":null}".to_vec(), Status::Exited(2));
        if probe.args == ["--help"] {
            transcript.stderr = HELP.as_bytes().to_vec();
        }
        Some(transcript)
    };
    let in_envelope = |probe: &Probe| {
        let document = serde_json::json!({"ok": true, "data": {"help": HELP}});
        stdout(if probe.args == ["--help"] { document.to_string() } else { String::new() })
    };
    for surface in [answering(on_stderr).0, answering(in_envelope).0] {
        assert!(surface.commands.iter().any(|command| command.name() == "stats"), "{surface:?}");
    }
}

#[test]
fn a_complaint_is_not_taken_for_help() {
    let (surface, _) = answering(|_| {
        let mut transcript = Transcript::from_stdout(Vec::new(), Status::Exited(2));
        transcript.stderr =
            b"error: unexpected argument '--help' found\n\nUsage: tool [FILE]\n".to_vec();
        Some(transcript)
    });
    assert!(surface.gaps.iter().any(|gap| gap.contains("no help")));
}

#[test]
fn a_program_that_ignores_its_arguments_is_not_called_for_more_than_help() {
    let (surface, _) = answering(|_| stdout("{\"ok\":true,\"data\":[1,2,3]}\n"));
    assert_eq!(surface.commands.len(), 1);
    assert!(surface.commands[0].safe_call().is_none());
}

/// The calls that are made of a program with this help, which answers all else with a success.
fn called(help: &str) -> Vec<String> {
    let calls = RefCell::new(Vec::new());
    answering(|probe| {
        let words: Vec<_> = probe.args.iter().map(|word| word.to_string_lossy()).collect();
        calls.borrow_mut().push(words.join(" "));
        stdout(if probe.args == ["--help"] { help } else { "done\n" })
    });
    calls.into_inner()
}

#[test]
fn a_program_that_takes_an_argument_is_asked_for_help_and_version_alone() {
    for help in [
        "Deploy to production\n",
        "Usage: deploy [options] <environment>\n\nDeploy to production\n",
        "Usage: deploy [options]\n\nDeploy to production\n\nOptions:\n  -h, --help  Help\n  --schema  Update the schema\n",
        "Usage: watch [options] <command>\n\nRun it again and again\n",
    ] {
        assert_eq!(called(help), ["--help", "--version"], "{help}");
    }
}

#[test]
fn commands_with_effects_are_asked_for_help_alone() {
    let help = "Usage: tool [command] [target]\n\nCommands:\n  apply     Apply it\n  prune     Remove all\n  manifest  Write the manifest\n  audit     Run an audit\n";
    let expected =
        ["--help", "--version", "apply --help", "prune --help", "manifest --help", "audit --help"];
    assert_eq!(called(help), expected);
    let help = "Usage: sh [command|script]\n\nCommands:\n  push  Push it\n  pull  Pull it\n";
    assert_eq!(called(help), ["--help", "--version", "push --help", "pull --help"]);
}

#[test]
fn descriptions_that_are_too_deep_or_too_large_are_survived() {
    let deep = format!("{}{}", "{\"data\":".repeat(5_000), "}".repeat(5_000));
    let nested = format!(
        "{}{}",
        "{\"commands\":[{\"name\":\"a\",\"x\":1},{\"name\":\"b\",\"y\":".repeat(30),
        "0".to_owned() + &"}]}".repeat(30)
    );
    let below = format!("{}{}", "{\"name\":\"a\",\"commands\":[".repeat(40), "]}".repeat(40));
    let many: Vec<String> = (0..20_000).map(|at| format!("{{\"name\":\"c{at}\"}}")).collect();
    let large = format!("{{\"commands\":[{}]}}", many.join(","));
    for document in [deep, nested, below, large] {
        let program = Scripted::new("tool", &[("--help", HELP), ("manifest", &document)]);
        let surface = program.discover(&Declaration::default());
        assert!(surface.commands.len() <= 2_400, "{}", surface.commands.len());
    }
}

#[test]
fn destructive_programs_are_never_safe() {
    let help = "Usage: rm [OPTION]... [FILE]...\nRemove (unlink) the FILE(s).\n\n  -f, --force  ignore nonexistent files\n  -h, --help  help\n";
    let (surface, _) = answering(|probe| stdout(if probe.args == ["--help"] { help } else { "" }));
    assert_eq!(surface.commands[0].safe_call(), None);
}
