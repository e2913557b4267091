//! Owns: a program that tries to do harm does none, as the superuser and as an ordinary user, with
//! namespaces and without.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

#[path = "../lab_support/mod.rs"]
mod lab_support;
mod program;

use lab_support::{patient, program as subject, script, stdout, within};
use manila_check::internal::{Conditions, Fate, Form, Home, Lab, Place, Probe, Purpose, Run};
use manila_check::surface::{Command as Called, Json};
use manila_check::{Declaration, Options, Report, Subject, Unconfined, check};
use program::MARK;
use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The user whom nothing belongs to.
const NOBODY: u32 = 65534;
/// Places where the program tries to write.
const PLACES: &[&str] = &["/etc", "/usr/local", "/tmp", "/var/tmp", "/dev/shm", "/root"];

/// A test; a reason why it could not be made, or nothing if it passed.
type Test = fn() -> Option<String>;

const TESTS: &[(&str, Test)] = &[
    ("it_does_no_harm_in_namespaces", it_does_no_harm_in_namespaces),
    (
        "it_does_no_harm_in_namespaces_of_an_ordinary_user",
        it_does_no_harm_in_namespaces_of_an_ordinary_user,
    ),
    ("it_does_no_harm_without_namespaces", it_does_no_harm_without_namespaces),
    (
        "it_does_no_harm_without_namespaces_of_an_ordinary_user",
        it_does_no_harm_without_namespaces_of_an_ordinary_user,
    ),
    (
        "a_program_that_takes_an_argument_is_never_called_with_one",
        a_program_that_takes_an_argument_is_never_called_with_one,
    ),
    ("commands_with_effects_are_never_called", commands_with_effects_are_never_called),
];

/// What an inner process says when it has done all that it was asked for.
const DONE: &str = "the inner process is done";

/// The harness is our own, because this file is the program under test as well: with `honeypot` as its
/// first argument it is that, and with `inner` one part of a test, as another user.
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["honeypot", kind, ..] => program::run(kind, &words[2..]),
        ["inner", "confined"] => confined(),
        ["inner", "unconfined"] => unconfined(),
        ["--list", ..] => TESTS.iter().for_each(|(name, _)| say(&format!("{name}: test"))),
        _ => return harness(&words),
    }
    ExitCode::SUCCESS
}

fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Makes the tests whose names hold one of these words, or all.
fn harness(words: &[String]) -> ExitCode {
    let wanted: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|it| name.contains(*it));
    let mut failed = 0;
    for (name, test) in TESTS.iter().filter(|(name, _)| is_wanted(name)) {
        match std::panic::catch_unwind(test) {
            Ok(None) => say(&format!("test {name} ... ok")),
            Ok(Some(why)) => say(&format!("test {name} ... SKIPPED: {why}")),
            Err(_) => {
                failed += 1;
                say(&format!("test {name} ... FAILED"));
            }
        }
    }
    say(&format!("test result: {}", if failed == 0 { "ok" } else { "FAILED" }));
    ExitCode::from(u8::from(failed > 0))
}

/// What belongs to a process belongs to its user.
fn is_superuser() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// Makes one part of a test in a process of its own: as which user, and whether it may have namespaces.
fn inner(part: &str, user: Option<u32>, has_namespaces: bool) {
    let directory = tempfile::Builder::new().prefix("manila-honeypot-").tempdir().unwrap();
    let open = |path: &Path| fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    open(directory.path());
    // The user that runs it must be able to reach it, and no process may have it open for writing.
    let test = directory.path().join("test");
    let us = std::env::current_exe().unwrap();
    assert!(Command::new("cp").arg(us).arg(&test).status().unwrap().success());
    open(&test);
    let home = directory.path().join("home");
    fs::create_dir_all(home.join(".ssh")).unwrap();
    fs::write(home.join(".ssh/id"), "a key\n").unwrap();
    for path in [&home, &home.join(".ssh"), &home.join(".ssh/id")] {
        open(path);
    }
    let mut command = if has_namespaces { Command::new(&test) } else { forbidden(&test) };
    command.args(["inner", part]).env("HOME", &home).env("TMPDIR", directory.path());
    let output = become_user(&mut command, user).output().unwrap();
    // What it should not have written must not stay.
    let places = PLACES.iter().map(Path::new).chain([home.as_path()]);
    let marks = places.map(|place| place.join(MARK)).filter(|mark| fs::remove_file(mark).is_ok());
    let written: Vec<String> = marks.map(|mark| mark.display().to_string()).collect();
    let said = String::from_utf8_lossy(&output.stdout);
    let is_done = output.status.success() && said.ends_with(&format!("{DONE}\n"));
    assert!(is_done, "{}\n{said}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    assert_eq!(written, [""; 0], "it wrote there");
}

/// A call in a namespace in which there may be no other.
fn forbidden(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new("unshare");
    let text = "echo 0 >/proc/sys/user/max_user_namespaces && exec \"$@\"";
    command.args(["--user", "--map-root-user", "sh", "-c", text, "sh"]).arg(program);
    command
}

fn become_user(command: &mut Command, user: Option<u32>) -> &mut Command {
    if let Some(user) = user {
        command.uid(user).gid(user);
    }
    command.current_dir("/").stdin(Stdio::null())
}

/// Why programs cannot be confined here, if they cannot.
fn why_unconfined() -> Option<String> {
    let lab = Lab::open(&script(""), patient()).unwrap();
    lab.why_unconfined().map(str::to_owned)
}

/// Why no namespace can be had in which there are no others, if none can.
fn why_not_forbidden(user: Option<u32>) -> Option<String> {
    let output = become_user(&mut forbidden("true"), user).output();
    match output {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; ")),
        Err(error) => Some(format!("unshare: {error}")),
    }
}

/// Why we cannot become another user, if we cannot.
fn why_the_same() -> Option<String> {
    let why =
        "only the superuser can become another user, and the other tests are of an ordinary one";
    (!is_superuser()).then(|| why.to_owned())
}

fn it_does_no_harm_in_namespaces() -> Option<String> {
    why_unconfined().or_else(|| {
        inner("confined", None, true);
        None
    })
}

fn it_does_no_harm_in_namespaces_of_an_ordinary_user() -> Option<String> {
    why_the_same().or_else(why_unconfined).or_else(|| {
        inner("confined", Some(NOBODY), true);
        None
    })
}

fn it_does_no_harm_without_namespaces() -> Option<String> {
    why_not_forbidden(None).or_else(|| {
        inner("unconfined", None, false);
        None
    })
}

fn it_does_no_harm_without_namespaces_of_an_ordinary_user() -> Option<String> {
    why_the_same().or_else(|| why_not_forbidden(Some(NOBODY))).or_else(|| {
        inner("unconfined", Some(NOBODY), false);
        None
    })
}

/// Sockets of the host that the program should not reach.
struct Sockets {
    path: PathBuf,
    name: String,
    listeners: [UnixListener; 2],
    _directory: tempfile::TempDir,
}

impl Sockets {
    /// The one with a path is in this directory.
    fn new(below: &Path) -> Sockets {
        let directory = tempfile::tempdir_in(below).unwrap();
        let path = directory.path().join("socket");
        fs::write(path.with_file_name("victim"), "it is here\n").unwrap();
        let name = format!("{MARK}-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let listeners =
            [UnixListener::bind(&path).unwrap(), UnixListener::bind_addr(&address).unwrap()];
        for listener in &listeners {
            listener.set_nonblocking(true).unwrap();
        }
        Sockets { path, name, listeners, _directory: directory }
    }

    fn assert_untouched(&self) {
        for listener in &self.listeners {
            assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
        }
        assert!(self.path.with_file_name("victim").exists());
    }
}

fn home() -> PathBuf {
    std::env::var_os("HOME").unwrap().into()
}

/// The program that tries everything.
fn deeds(sockets: &Sockets) -> Subject {
    let kind = format!("deeds:{}:{}:{}", home().display(), sockets.path.display(), sockets.name);
    honeypot(&kind)
}

/// The program of that kind.
fn honeypot(kind: &str) -> Subject {
    let us = std::env::current_exe().unwrap().into_os_string();
    subject([us, "honeypot".into(), kind.into()])
}

/// What became of each deed.
fn outcomes(run: &Run) -> BTreeMap<String, String> {
    let text = stdout(run);
    let lines = text.lines().filter_map(|line| line.split_once(": "));
    lines.map(|(deed, outcome)| (deed.to_owned(), outcome.to_owned())).collect()
}

fn probe(purpose: Purpose, word: &str) -> Probe {
    let words = Some(word).filter(|word| !word.is_empty());
    Probe::new(&Called::default(), purpose, Form::Text, words, &Json::Unknown)
}

/// What the program does where it can be confined.
fn confined() {
    let is_root = is_superuser();
    // Once in a directory that is hidden, once in one that is not, where there is any.
    let elsewhere = ["/opt", "/srv", "/var/lib", "/usr/local"].map(Path::new);
    let elsewhere = elsewhere.into_iter().find(|it| is_root && it.is_dir());
    for below in [Some(std::env::temp_dir()), elsewhere.map(Path::to_owned)].into_iter().flatten() {
        let sockets = Sockets::new(&below);
        let subject = deeds(&sockets);
        let conditions = Conditions { unconfined: Unconfined::Help, ..patient() };
        let lab = Lab::open(&subject, conditions).unwrap();
        assert_eq!(lab.why_unconfined(), None);
        let sample = probe(Purpose::Sample, "");
        let probes = [sample.clone(), sample.clone().home(Home::Unset), sample.home(Home::Used)];
        let runs = within(move || lab.run(&probes));
        for run in &runs {
            assert_deeds(run.as_ref().unwrap(), is_root);
            assert_removed(run.as_ref().unwrap(), &sockets);
        }
        sockets.assert_untouched();
    }
    a_project_in_a_home_can_be_run();
    say(DONE);
}

/// A program in a home finds what belongs to it, and neither credentials nor the rest of the home.
fn a_project_in_a_home_can_be_run() {
    let project = home().join("project");
    fs::create_dir_all(project.join("bin")).unwrap();
    let tool = project.join("bin/tool");
    let text = "cd \"${0%/*}/..\"; cat lib/words; cat .env; echo x >>lib/words; ls -A \"$1\"";
    for (name, text) in [
        ("package.json", "{}"),
        (".env", "TOKEN=secret\n"),
        ("lib/words", "found\n"),
        ("bin/tool", &format!("#!/bin/sh\n{text} 2>/dev/null\n")),
    ] {
        let file = project.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        // Another process writes it, so that this one does not have it open for writing when it is
        // run.
        let write = "printf %s \"$1\" >\"$2\" && chmod 755 \"$2\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", write, "sh", text]).arg(&file);
        assert!(shell.status().unwrap().success());
    }
    let home = format!("{}/", home().display());
    let run = lab_support::run_of(subject([tool]), probe(Purpose::Sample, &home), patient());
    assert_eq!(stdout(&run), "found\nproject\n", "{run:?}");
    assert_eq!(fs::read_to_string(project.join("lib/words")).unwrap(), "found\n");
}

/// What it removes is gone for it alone, and is reported.
#[track_caller]
fn assert_removed(run: &Run, sockets: &Sockets) {
    let path = sockets.path.with_file_name("victim").display().to_string();
    let reported = run.wrote.iter().find(|it| it.path == path).map(|it| it.fate);
    let is_done = outcomes(run)["remove-victim"] == "done";
    // The second run in one home finds it gone.
    let is_new = run.probe.setting.home != Home::Used;
    assert!(!is_done || !is_new || reported == Some(Fate::Removed), "{:?}", run.wrote);
}

#[track_caller]
fn assert_deeds(run: &Run, is_root: bool) {
    let outcomes = outcomes(run);
    let is_done = |deed: &str| outcomes[deed] == "done";
    for deed in [
        "unmount-home",
        "unmount-in-namespace",
        "enter-host",
        "read-key",
        "read-shadow",
        "read-through-process",
        "connect-socket",
        "connect-abstract",
        "connect-docker",
        "connect-bus",
        "change-kernel",
        "open-disk",
    ] {
        assert!(!is_done(deed), "{deed}: {outcomes:?}");
    }
    // What it may write to, it writes to a place of its own, and it is reported.
    let mut reported: Vec<(Place, String)> =
        run.wrote.iter().map(|it| (it.place, it.path.clone())).collect();
    reported.sort();
    for (deed, place, directory) in [
        ("write-home", Place::Host, home()),
        ("write-tmp", Place::Temporary, "/tmp".into()),
        ("write-var-tmp", Place::Temporary, "/var/tmp".into()),
        ("write-shm", Place::Temporary, "/dev/shm".into()),
    ] {
        assert!(is_done(deed) || !directory.is_dir(), "{deed}: {outcomes:?}");
        // A home that is in a temporary directory is reported as such.
        let place = if directory.starts_with("/tmp") { Place::Temporary } else { place };
        let path = directory.join(MARK).display().to_string();
        let is_new = run.probe.setting.home != Home::Used;
        assert!(
            !is_done(deed) || !is_new || reported.contains(&(place, path)),
            "{deed}: {reported:?}"
        );
    }
    // The rest depends on the user, and on whether the system has overlays; what is done is
    // reported.
    for (deed, path) in [("write-etc", "/etc"), ("write-usr", "/usr/local")] {
        assert!(is_root || !is_done(deed), "{deed}: {outcomes:?}");
        let path = format!("{path}/{MARK}");
        let is_new = run.probe.setting.home != Home::Used;
        assert!(
            !is_done(deed) || !is_new || reported.contains(&(Place::Host, path)),
            "{reported:?}"
        );
    }
}

/// What it is called for where it cannot.
fn unconfined() {
    let sockets = Sockets::new(&std::env::temp_dir());
    let subject = deeds(&sockets);
    let conditions = Conditions { unconfined: Unconfined::Help, ..patient() };
    let lab = Lab::open(&subject, conditions).unwrap();
    assert!(lab.why_unconfined().is_some());
    let words = ["", "prune", "rm", "apply", "help", "-h", "--manila-no-such-flag"];
    let mut probes: Vec<Probe> = words.iter().map(|word| probe(Purpose::Sample, word)).collect();
    probes.push(probe(Purpose::Version, "--version"));
    let runs = within(move || lab.run(&probes));
    assert!(runs[..words.len()].iter().all(Option::is_none));
    assert_eq!(stdout(runs[words.len()].as_ref().unwrap()), "honeypot 1.0\n");
    sockets.assert_untouched();
    // A whole check says first why it knows so little.
    let report = checked("commands", None);
    let [note] = report.notes.as_slice() else { panic!("{:?}", report.notes) };
    assert!(note.contains("--unconfined") && note.contains("could not be confined"), "{note}");
    assert!(report.summary.probes > 0, "{:?}", report.summary);
    say(DONE);
}

/// A check of the program of that kind, of which each run is left.
fn checked(kind: &str, record: Option<&Path>) -> Report {
    let subject = honeypot(kind);
    let options = Options { record: record.map(Path::to_owned), ..Options::default() };
    within(move || check(&subject, &Declaration::default(), &options).unwrap())
}

/// The arguments of all runs that a check makes.
fn calls(kind: &str) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    checked(kind, Some(directory.path()));
    let mut calls: Vec<String> = fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| {
            let run = fs::read(entry.unwrap().path().join("run.json")).unwrap();
            let run: serde_json::Value = serde_json::from_slice(&run).unwrap();
            let words = run["argv"].as_array().unwrap().iter().skip(3);
            words.map(|word| word.as_str().unwrap()).collect::<Vec<_>>().join(" ")
        })
        .collect();
    calls.sort();
    calls.dedup();
    calls
}

fn a_program_that_takes_an_argument_is_never_called_with_one() -> Option<String> {
    assert_eq!(calls("script"), ["--help", "--version"]);
    None
}

fn commands_with_effects_are_never_called() -> Option<String> {
    let calls = calls("commands");
    let is_help = |call: &&String| call.ends_with("--help") || call.ends_with("--version");
    let others: Vec<&String> = calls.iter().filter(|call| !is_help(call)).collect();
    // A group whose help names nothing but commands may be called with a word that is not one.
    let is_right = |call: &&String| {
        let first = call.split(' ').next().unwrap_or_default();
        first == "list" || call.as_str() == "store manila-no-such-command"
    };
    assert!(others.iter().all(is_right), "{others:?}");
    for word in ["prune", "rm", "apply", "audit", "status"] {
        assert!(others.iter().all(|call| !call.split(' ').any(|it| it == word)), "{others:?}");
    }
    let is_confined = why_unconfined().is_none();
    assert!(!is_confined || !others.is_empty(), "the one that reads is called: {calls:?}");
    None
}
