//! Owns: what a run finds around it, what it leaves on disk, and programs that cannot be started.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod lab_support;

use lab_support::{
    assert_exited, is_confined, patient, plain, program, run, run_of, script, stdout, with, wrote,
};
use manila_check::internal::{Conditions, Fate, Home, Lab, Place, Setting, Stdout, Tool};
use manila_check::{ErrorKind, Subject};
use std::fs;
use std::num::NonZeroUsize;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn the_environment_is_small_and_none_of_ours() {
    let run = run("env | sed 's/=.*//' | sort", plain(), patient());
    let names = stdout(&run);
    // Which version managers this machine has does not matter.
    let tools = "ASDF_DATA_DIR FNM_DIR GOENV_ROOT JENV_ROOT MISE_DATA_DIR NODENV_ROOT NVM_DIR PYENV_ROOT \
         RBENV_ROOT RUSTUP_HOME SDKMAN_DIR VOLTA_HOME";
    let is_tool = |name: &&str| tools.split_whitespace().any(|tool| tool == *name);
    let names: Vec<&str> = names.split_whitespace().filter(|name| !is_tool(name)).collect();
    let expected = "BROWSER EDITOR GIT_EDITOR GIT_PAGER HOME LANG LOGNAME MANPAGER PAGER PATH PWD SHELL TERM \
         TMPDIR TZ USER VISUAL XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR \
         XDG_STATE_HOME";
    // `PWD` is the shell's own.
    assert_eq!(names.join(" "), expected);
}

#[test]
fn variables_come_from_the_program_and_then_from_the_probe() {
    let variables = vec![("A".into(), "subject".into()), ("B".into(), "subject".into())];
    let subject = Subject { variables, ..script("echo \"$A $B ${TERM-none} $C\"") };
    let mut probe = plain().variable("B", "probe").variable("C", "é\n");
    probe.setting.variables.insert("TERM".to_owned(), None);
    assert_eq!(stdout(&run_of(subject, probe, patient())), "subject probe none é\n\n");
}

#[test]
fn arguments_arrive_byte_by_byte() {
    use std::os::unix::ffi::OsStringExt;
    let mut probe = with(&["a b", "", "$(x)"]);
    probe.args.push(std::ffi::OsString::from_vec(vec![b'x', 0xff]));
    let run = run("printf '[%s]' \"$@\"", probe, patient());
    assert_eq!(run.transcript.stdout, b"[a b][][$(x)][x\xff]");
}

#[test]
fn homes_are_new_used_elsewhere_or_nowhere() {
    let text =
        "echo \"${HOME-none}\"; pwd; cat \"$HOME/mark\" 2>/dev/null; echo x >>\"${HOME-.}/mark\"";
    let fresh = run(text, plain(), patient());
    let lines = |run: &manila_check::internal::Run| -> Vec<String> {
        stdout(run).lines().map(|line| line.replace(&run.directory, "F")).collect()
    };
    assert_eq!(lines(&fresh), ["F/home", "F/cwd"]);
    assert_eq!(wrote(&fresh, Place::Home, "mark").map(|it| it.fate), Some(Fate::Made));
    let used = run(text, plain().home(Home::Used), patient());
    assert_eq!(lines(&used), ["F/home", "F/cwd", "x"]);
    assert_eq!(wrote(&used, Place::Home, "mark").map(|it| it.fate), Some(Fate::Changed));
    let elsewhere = run(text, plain().home(Home::Elsewhere), patient());
    assert_eq!(lines(&elsewhere), ["F/home", "F/cwd"]);
    assert!(elsewhere.directory.contains(' ') && !fresh.directory.contains(' '));
    let unset = run(text, plain().home(Home::Unset), patient());
    assert_eq!(lines(&unset), ["none", "F/cwd"]);
    assert_eq!(fresh.directory.len(), used.directory.len());
}

#[test]
fn a_fixture_is_there_anew_in_each_run() {
    let fixture = tempfile::tempdir().unwrap();
    fs::create_dir(fixture.path().join("sub")).unwrap();
    fs::write(fixture.path().join("sub/notes"), "one\n").unwrap();
    let text = "cat sub/notes; echo two >>sub/notes; rm -f gone";
    let subject = Subject { fixture: Some(fixture.path().to_owned()), ..script(text) };
    let lab = Lab::open(&subject, patient()).unwrap();
    let runs = lab.run(&[plain(), plain().round(1)]);
    assert!(matches!(runs[..], [Some(_), Some(_)]), "{runs:?}");
    for run in runs.iter().flatten() {
        assert_eq!(stdout(run), "one\n");
        assert_eq!(wrote(run, Place::Working, "sub/notes").map(|it| it.fate), Some(Fate::Changed));
        assert_eq!(run.wrote.len(), 1);
    }
    assert_eq!(fs::read_to_string(fixture.path().join("sub/notes")).unwrap(), "one\n");
}

#[test]
fn pagers_hand_on_and_are_reported() {
    let text = "echo long | $PAGER -R; echo more | less; printf x >f; less -N f";
    let run = run(text, plain().home(Home::Elsewhere), patient());
    assert_eq!(stdout(&run), "long\nmore\nx");
    let found: Vec<_> = run.started.iter().map(|it| (it.tool, it.argv.join(" "))).collect();
    let expected = ["pager -R", "less", "less -N f"].map(|it| (Tool::Pager, it.to_owned()));
    assert_eq!(found, expected);
    assert!(wrote(&run, Place::Working, "f").is_some() && run.wrote.len() == 1);
}

#[test]
fn editors_and_browsers_end_at_once_and_are_reported() {
    let text = "\"$EDITOR\" 'a file'; vi; xdg-open http://example.com/ & wait";
    for stdout in [Stdout::Pipe, Stdout::Terminal { columns: 80 }] {
        let run = run(text, plain().with_stdout(stdout), patient());
        assert_exited(&run, 0);
        let found: Vec<_> = run.started.iter().map(|it| (it.tool, it.argv.join("|"))).collect();
        let expected = [
            (Tool::Editor, "editor|a file"),
            (Tool::Editor, "vi"),
            (Tool::Browser, "xdg-open|http://example.com/"),
        ];
        assert_eq!(found, expected.map(|(tool, words)| (tool, words.to_owned())));
    }
}

#[test]
fn canaries_are_where_secrets_are_kept() {
    let text = "echo \"$GITHUB_TOKEN $SH_TOKEN\"; cat \"$HOME/.netrc\"";
    let setting = Setting { has_canaries: true, ..Setting::default() };
    let with = run(text, manila_check::internal::Probe { setting, ..plain() }, patient());
    assert_exited(&with, 0);
    assert_eq!(stdout(&with).lines().next().map(|line| line.split(' ').count()), Some(2));
    assert!(stdout(&with).contains("password "), "{}", stdout(&with));
    assert!(with.wrote.is_empty(), "they were there before: {:?}", with.wrote);
    let without = run("echo \"$GITHUB_TOKEN\"; ls -A \"$HOME\"", plain(), patient());
    assert_eq!(stdout(&without), "\n");
}

#[test]
fn runs_are_left_as_recorded_runs() {
    let directory = tempfile::tempdir().unwrap();
    let below = directory.path().join("runs");
    let conditions = Conditions { record: Some(below.clone()), ..patient() };
    let lab = Lab::open(&script("echo \"$1\"; exit 4"), conditions).unwrap();
    lab.run(&[with(&["one"]), with(&["two"]).with_stdout(Stdout::Terminal { columns: 80 })]);
    let read = |name: &str| fs::read(below.join("0002").join(name)).unwrap();
    let transcript =
        manila::Transcript::from_recorded(&read("run.json"), read("stdout"), read("stderr"));
    let transcript = transcript.unwrap();
    assert_eq!(transcript.status, manila::Status::Exited(4));
    assert_eq!(transcript.argv.last().map(String::as_str), Some("two"));
    assert_eq!(transcript.stdout, b"two\n");
    assert!(String::from_utf8(read("run.json")).unwrap().contains("terminals of 80 columns"));
}

/// Why a program cannot be started.
#[track_caller]
fn refusal(argv: &str) -> (ErrorKind, String) {
    let error = Lab::open(&program([argv]), patient()).map(|_| ()).unwrap_err();
    assert!(error.suggestion().is_some());
    (error.kind(), error.to_string())
}

/// A file that is not open for writing: another process wrote it.
fn file(directory: &Path, content: &[u8], mode: u32) -> String {
    let path = directory.join("program");
    let mut child = Command::new("sh")
        .args(["-c", "cat >\"$0\""])
        .arg(&path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), content).unwrap();
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_program_that_is_not_there() {
    for name in ["/no/such/program", "no-such-program-anywhere"] {
        let (kind, message) = refusal(name);
        assert_eq!(kind, ErrorKind::NotFound);
        assert!(message.contains(name), "{message}");
    }
}

#[test]
fn a_program_that_is_not_executable() {
    let directory = tempfile::tempdir().unwrap();
    let (kind, message) = refusal(&file(directory.path(), b"#!/bin/sh\n", 0o644));
    assert_eq!(kind, ErrorKind::NotExecutable);
    assert!(message.contains("Permission denied"), "{message}");
    assert_eq!(refusal(directory.path().to_str().unwrap()).0, ErrorKind::NotExecutable);
}

#[test]
fn a_script_without_its_interpreter() {
    let directory = tempfile::tempdir().unwrap();
    let (kind, message) = refusal(&file(directory.path(), b"#!/no/such/shell\n", 0o755));
    assert_eq!(kind, ErrorKind::NotExecutable);
    assert!(message.contains("/no/such/shell"), "{message}");
}

#[test]
fn a_program_for_another_machine_and_one_that_is_none() {
    let directory = tempfile::tempdir().unwrap();
    // A header for a machine that does not exist.
    let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
    elf.resize(16, 0);
    elf.extend([2, 0, 0x77, 0x77, 1, 0, 0, 0]);
    elf.resize(4096, 0);
    let foreign = "built for a machine of number 30583";
    for (content, reason) in [
        (elf.as_slice(), foreign),
        (b"just some text\n", "not an executable format"),
        (b"", "not an executable format"),
    ] {
        let (kind, message) = refusal(&file(directory.path(), content, 0o755));
        assert_eq!(kind, ErrorKind::NotExecutable);
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn neither_a_trial_nor_another_run_leaves_anything_for_the_next() {
    if !is_confined() {
        return;
    }
    let conditions = Conditions { jobs: NonZeroUsize::MIN, ..patient() };
    let subject = script("cat /tmp/mark 2>/dev/null; echo x >/tmp/mark; cat /tmp/mark");
    let lab = Lab::open(&subject, conditions).unwrap();
    for run in lab.run(&[plain(), plain().round(1)]).into_iter().flatten() {
        assert_eq!(stdout(&run), "x\n");
        assert!(wrote(&run, Place::Temporary, "/tmp/mark").is_some());
    }
    let used = lab.run(&[plain().home(Home::Used)]).remove(0).unwrap();
    assert_eq!(stdout(&used), "x\nx\n", "it is the second of two runs");
    assert!(!Path::new("/tmp/mark").exists());
}
