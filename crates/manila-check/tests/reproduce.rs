//! Owns: the line that a finding names does in bash what the run did.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod lab_support;

use lab_support::{is_confined, patient, skipped, within};
use manila_check::internal::{Home, Lab, Probe, Run, Setting, Signal, Stdin, Stdout, reproduce};
use manila_check::{Declaration, Subject};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// A program of a person, called by its path.
struct Tool {
    directory: tempfile::TempDir,
    declaration: Declaration,
}

impl Tool {
    fn new(text: &str) -> Tool {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("tool");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        Tool { directory, declaration: Declaration::default() }
    }

    /// What a run shows, and what bash shows for the line of that run.
    #[track_caller]
    fn shown(&self, probe: &Probe) -> (Run, String, String) {
        let words = ["./tool".to_owned()];
        let subject = Subject::resolve(&words, &self.declaration, self.directory.path()).unwrap();
        let (lab, made) = (subject.clone(), vec![probe.clone()]);
        let runs = within(move || Lab::open(&lab, patient()).unwrap().run(&made));
        let run = runs.into_iter().flatten().next().unwrap();
        let line = reproduce(&subject, &run, true);
        let stdout = typed(&line, self.directory.path());
        (run, line, stdout)
    }

    #[track_caller]
    fn assert_reproduces(&self, probe: &Probe) {
        let (run, line, stdout) = self.shown(probe);
        assert_eq!(stdout, String::from_utf8_lossy(&run.transcript.stdout), "{line}");
    }
}

/// What bash writes for a line, in an environment that is not that of the lab.
fn typed(line: &str, directory: &Path) -> String {
    let mut bash = Command::new("bash");
    // What the line leaves running may hold stderr.
    bash.args(["-c", line]).current_dir(directory).stdin(Stdio::null()).stderr(Stdio::null());
    bash.env("HOME", directory).env("XDG_CONFIG_HOME", directory.join("own"));
    bash.env("NO_COLOR", "1").env_remove("MODE").env_remove("SHELL");
    let output = bash.output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn call(args: impl IntoIterator<Item = impl Into<OsString>>, setting: Setting) -> Probe {
    Probe { setting, args: args.into_iter().map(Into::into).collect(), ..lab_support::plain() }
}

fn plain(setting: Setting) -> Probe {
    call([""; 0], setting)
}

#[test]
fn arguments_arrive_byte_for_byte() {
    let tool = Tool::new("for word; do printf '%s' \"$word\" | od -An -tx1; done");
    let odd = OsString::from_vec(b"it's \xff\\ $HOME".to_vec());
    for word in ["a b".into(), "$(id) `id` !!".into(), "\u{1b}[1m\n\u{202e}".into(), odd] {
        tool.assert_reproduces(&call([word], Setting::default()));
    }
    let terminal = Stdout::Terminal { columns: 80 };
    let odd = OsString::from_vec(b"\xff'".to_vec());
    let (run, line, stdout) =
        tool.shown(&call([odd], Setting { stdout: terminal, ..Setting::default() }));
    let bytes = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(bytes(&stdout), bytes(&String::from_utf8_lossy(&run.transcript.stdout)), "{line}");
}

#[test]
fn variables_are_set_and_taken_away() {
    let mut tool = Tool::new("echo \"${MODE-none} ${NO_COLOR-none} ${PLACE-none}\"");
    let variables = [("MODE".to_owned(), Some("a b".to_owned())), ("NO_COLOR".to_owned(), None)];
    let probe = plain(Setting { variables: variables.into(), ..Setting::default() });
    tool.assert_reproduces(&probe);
    tool.declaration.variables.insert("PLACE".to_owned(), "it's here".to_owned());
    tool.assert_reproduces(&probe);
}

#[test]
fn a_secret_that_is_declared_is_not_shown() {
    let mut tool = Tool::new("echo");
    tool.declaration.variables.insert("API_TOKEN".to_owned(), "hunter2".to_owned());
    let (_, line, _) = tool.shown(&plain(Setting::default()));
    assert_eq!(line, "env API_TOKEN=\"$API_TOKEN\" ./tool < /dev/null");
}

#[test]
fn a_home_is_gone_new_or_used_with_the_directories_below_it() {
    let gone = Tool::new("echo \"${HOME-none} ${XDG_CONFIG_HOME-none} ${XDG_STATE_HOME-none}\"");
    gone.assert_reproduces(&plain(Setting { home: Home::Unset, ..Setting::default() }));
    let text = "ls -A ~ | head -n 1; pwd | grep -c ' '
        case ${XDG_CONFIG_HOME-$HOME/.config} in \"$HOME\"/*) echo below ;; *) echo apart ;; esac";
    let elsewhere = plain(Setting { home: Home::Elsewhere, ..Setting::default() });
    Tool::new(text).assert_reproduces(&elsewhere);
    let text = "file=${XDG_STATE_HOME-~/.local/state}/seen
        [ -e \"$file\" ] && echo again || { mkdir -p \"${file%/*}\"; : > \"$file\"; echo first; }";
    Tool::new(text).assert_reproduces(&plain(Setting { home: Home::Used, ..Setting::default() }));
}

#[test]
fn what_it_works_on_is_there() {
    let tool = Tool::new("cat \"$1\" 2>&1 || find \"$1\" -name '*.txt' | sort");
    for word in ["sample.txt", "sample.json", "sample", "."] {
        let (run, line, stdout) = tool.shown(&call([word], Setting::default()));
        let last = |text: &str| text.lines().last().map(str::to_owned);
        let expected = last(&String::from_utf8_lossy(&run.transcript.stdout));
        assert_eq!(last(&stdout), expected, "{line}");
    }
    let fixture = tempfile::tempdir().unwrap();
    fs::write(fixture.path().join("own file"), "own\n").unwrap();
    let fixture_of = fixture.path().to_owned();
    let tool = Tool {
        declaration: Declaration { fixture: Some(fixture_of), ..Declaration::default() },
        ..tool
    };
    tool.assert_reproduces(&call(["own file"], Setting::default()));
    assert!(!tool.directory.path().join("sample.txt").exists());
}

#[test]
fn inputs_and_outputs_are_of_the_same_kind() {
    let text =
        "for fd in 0 1; do [ -t $fd ] && echo terminal; [ -p /dev/fd/$fd ] && echo pipe; done
        [ -e /proc/self/fd/0 ] || echo closed; [ ! -t 1 ] || stty size < /dev/tty | tr -d '\\r'";
    let tool = Tool::new(text);
    for stdin in [Stdin::Empty, Stdin::Silent, Stdin::Closed] {
        tool.assert_reproduces(&plain(Setting { stdin, ..Setting::default() }));
    }
    for columns in [80, 20] {
        let setting = Setting { stdout: Stdout::Terminal { columns }, ..Setting::default() };
        let (_, line, stdout) = tool.shown(&plain(setting));
        assert!(stdout.contains("terminal"), "{line}: {stdout}");
        assert!(stdout.contains(&columns.to_string()), "{line}: {stdout}");
    }
}

#[test]
fn a_reader_hangs_up() {
    // It writes more than a pipe holds, and says in a file what became of it.
    let text = "trap '' PIPE; if head -c 300000 /dev/zero; then end=whole; else end=cut; fi
        echo $end > \"${0%/*}/end\"";
    for after in [0, 1] {
        let tool = Tool::new(text);
        let setting = Setting { stdout: Stdout::ClosedPipe { after }, ..Setting::default() };
        let (_, line, _) = tool.shown(&plain(setting));
        let end = tool.directory.path().join("end");
        let _ = fs::remove_file(&end);
        typed(&format!("{line} 2> /dev/null"), tool.directory.path());
        // The reader is gone before the program is.
        while !end.exists() {
            std::thread::yield_now();
        }
        let end = fs::read_to_string(end).unwrap();
        assert!(end.is_empty() || end == "cut\n", "{line}: {end}");
    }
}

#[test]
fn a_signal_arrives() {
    let tool = Tool::new("trap 'echo heard; exit 9' INT TERM; while :; do sleep 0.1; done");
    for signal in [Signal::Interrupt, Signal::Terminate] {
        tool.assert_reproduces(&plain(Setting { signal: Some(signal), ..Setting::default() }));
    }
}

#[test]
fn the_secrets_that_show_are_given() {
    let setting = Setting { has_canaries: true, ..Setting::default() };
    let tool = Tool::new("echo \"$TOOL_TOKEN\"; cat ~/.config/tool/credentials.json");
    tool.assert_reproduces(&plain(setting.clone()));
    let (_, line, _) = Tool::new("echo nothing").shown(&plain(setting));
    assert_eq!(line, "./tool < /dev/null");
}

#[test]
fn the_lines_of_a_report_show_what_it_says() {
    if !is_confined() {
        return skipped("runs are not confined");
    }
    let text = r#"case "$*" in
        *--help) printf 'Usage: tool <COMMAND>\n\nCommands:\n  list  List things\n  show  Show a thing\n\nOptions:\n  --json\n' ;;
        list*) [ "$1 $2 $3" != "list --json " ] || { echo '{"ok":false,"error":{"code":"X"}}'; exit 0; }
            printf '\033[31mred\033[0m\n' ;;
        *) echo "no such command" >&2; exit 2 ;;
        esac"#;
    let tool = Tool::new(text);
    let words = ["./tool".to_owned()];
    let (declaration, options) = (Declaration::default(), manila_check::Options::default());
    let subject = Subject::resolve(&words, &declaration, tool.directory.path()).unwrap();
    let report = within(move || manila_check::check(&subject, &declaration, &options)).unwrap();
    let lines = |rule: &str| {
        let causes = report.causes().filter(|(judged, _)| judged.rule.id == rule);
        causes.map(|(_, cause)| cause.first.reproduce.clone()).collect::<Vec<_>>()
    };
    for (rule, shows) in [("colour-on-pipe", "\u{1b}[31m"), ("failure-with-exit-zero", "false")] {
        let lines = lines(rule);
        assert!(!lines.is_empty(), "{rule}");
        for line in lines {
            let stdout = typed(&line, tool.directory.path());
            assert!(stdout.contains(shows), "{line}: {stdout}");
        }
    }
}
