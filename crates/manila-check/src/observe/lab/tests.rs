//! The lab where the system allows no namespaces; elsewhere its own tests look at it.

use super::*;
use crate::observe::probe::{Form, Purpose};
use crate::observe::run::Ended;
use crate::surface::model::{Command, Json};
use manila::Status;
use std::time::Duration;

fn run(text: &str, limit: Duration) -> Run {
    let argv = ["/bin/sh", "-c", text, "script"].map(OsString::from).to_vec();
    let subject = Subject { argv, shown: Vec::new(), variables: Vec::new(), fixture: None };
    let deadline = Instant::now() + Duration::from_secs(120);
    let unconfined = Unconfined::All;
    let conditions = Conditions { limit, unconfined, ..Conditions::until(deadline) };
    let lab = Lab::with(&subject, conditions, in_sessions).unwrap();
    assert!(lab.containment().contains("processes in sessions"), "{}", lab.containment());
    let root = Command::default();
    let probe = Probe::new(&root, Purpose::Sample, Form::Text, [""; 0], &Json::Unknown);
    lab.run(&[probe]).remove(0).unwrap()
}

fn in_sessions(_: &Sandbox) -> io::Result<(ForkServer, Option<String>)> {
    Ok((ForkServer::in_sessions(1)?, Some("a test says so".to_owned())))
}

#[test]
fn without_confinement_only_help_and_version_are_asked() {
    let argv = ["/bin/echo"].map(OsString::from).to_vec();
    let subject = Subject { argv, shown: Vec::new(), variables: Vec::new(), fixture: None };
    let conditions = Conditions::until(Instant::now() + Duration::from_secs(120));
    let lab = Lab::with(&subject, conditions, in_sessions).unwrap();
    let root = Command::default();
    let probe = |purpose, word| Probe::new(&root, purpose, Form::Text, [word], &Json::Unknown);
    let probes = [
        probe(Purpose::Help, "--help"),
        probe(Purpose::Version, "--version"),
        probe(Purpose::Help, "-h"),
        probe(Purpose::Help, "help"),
        probe(Purpose::Sample, "--help"),
        probe(Purpose::UnknownCommand, "x"),
    ];
    let made: Vec<bool> = lab.run(&probes).iter().map(Option::is_some).collect();
    assert_eq!(made, [true, true, false, false, false, false]);
    assert_eq!(lab.why_unconfined(), Some("a test says so"));
}

#[test]
fn a_trial_runs_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let mark = directory.path().join("mark");
    let argv = ["/bin/sh", "-c", &format!("echo x >>{}", mark.display())].map(OsString::from);
    let subject =
        Subject { argv: argv.to_vec(), shown: Vec::new(), variables: Vec::new(), fixture: None };
    let unconfined = Unconfined::All;
    let until = Conditions::until(Instant::now() + Duration::from_secs(120));
    let lab = Lab::with(&subject, Conditions { unconfined, ..until }, in_sessions).unwrap();
    assert!(!mark.exists());
    let root = Command::default();
    lab.run(&[Probe::new(&root, Purpose::Sample, Form::Text, [""; 0], &Json::Unknown)]);
    assert_eq!(std::fs::read_to_string(&mark).unwrap(), "x\n");
}

/// Whether a process has this among its arguments.
fn is_running(mark: &str) -> bool {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut lines = entries.map(|entry| std::fs::read(entry.path().join("cmdline")));
    lines.any(|line| {
        line.is_ok_and(|line| line.split(|it| *it == 0).any(|it| it == mark.as_bytes()))
    })
}

#[test]
fn a_program_ends_by_itself() {
    let run = run("echo out; exit 3", Duration::from_secs(60));
    assert_eq!((run.ended, run.transcript.status), (Ended::ByItself, Status::Exited(3)));
    assert_eq!(run.transcript.stdout, b"out\n");
}

#[test]
fn a_process_that_left_the_group_is_ended_too() {
    let mark = "86399.125";
    let run = run(
        &format!("setsid sleep {mark} >/dev/null 2>&1 </dev/null & exit 0"),
        Duration::from_secs(60),
    );
    assert_eq!((run.ended, run.left), (Ended::ByItself, 1));
    assert!(!is_running(mark));
}

#[test]
fn one_that_hangs_is_ended_with_its_group() {
    let mark = "86399.25";
    let run = run(&format!("trap '' TERM; sleep {mark} & wait"), Duration::from_millis(500));
    assert!(matches!(run.ended, Ended::AtLimit(_)), "{run:?}");
    assert!(!is_running(mark));
}

/// A run where the system has no layers, so that nothing can be written.
fn run_without_layers(text: &str) -> Option<Run> {
    let argv = ["/bin/sh", "-c", text, "script"].map(OsString::from).to_vec();
    let subject = Subject { argv, shown: Vec::new(), variables: Vec::new(), fixture: None };
    let conditions = Conditions::until(Instant::now() + Duration::from_secs(120));
    let lab = Lab::with(&subject, conditions, |sandbox| {
        let mut steps = sandbox.steps.clone();
        for step in steps.all.iter_mut().filter(|it| it.action == sys::Action::Overlay) {
            step.source = c"lowerdir=/no/such/directory".to_owned();
        }
        match ForkServer::confined(1, Wanted::NoNetwork, &steps) {
            Ok(fork_server) => Ok((fork_server, None)),
            Err((error, step)) => {
                let why = format!("{}: {error}", sandbox.describe(step));
                Ok((ForkServer::in_sessions(1)?, Some(why)))
            }
        }
    })
    .unwrap();
    if let Some(why) = lab.why_unconfined() {
        let _ = io::Write::write_all(&mut io::stderr(), format!("SKIPPED: {why}\n").as_bytes());
        return None;
    }
    let root = Command::default();
    let probe = Probe::new(&root, Purpose::Sample, Form::Text, [""; 0], &Json::Unknown);
    Some(lab.run(&[probe]).remove(0).unwrap())
}

#[test]
fn without_layers_the_file_system_can_only_be_read() {
    let text = "touch /etc/manila-mark /usr/manila-mark 2>/dev/null; ls -d /etc/manila-mark; \
                touch /tmp/manila-mark && echo x >\"$HOME/mark\" && ls /tmp/manila-mark && cat mark; true";
    let Some(run) = run_without_layers(text) else { return };
    assert_eq!(run.transcript.stdout, b"/tmp/manila-mark\n", "{:?}", run.transcript);
    let wrote: Vec<(Place, &str)> =
        run.wrote.iter().map(|it| (it.place, it.path.as_str())).collect();
    assert_eq!(wrote, [(Place::Temporary, "/tmp/manila-mark"), (Place::Home, "mark")]);
    for place in ["/etc/manila-mark", "/usr/manila-mark", "/tmp/manila-mark"] {
        assert!(!std::path::Path::new(place).exists(), "{place}");
    }
}
