//! Runs shell scripts in a lab.
#![allow(dead_code, reason = "not every file uses everything")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

use manila::{Status, Transcript};
use manila_check::internal::{Conditions, Ended, Form, Lab, Place, Probe, Purpose, Run, Written};
use manila_check::surface::{Command, Json};
use manila_check::{Subject, Unconfined};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Whatever takes longer will never end.
const FOREVER: Duration = Duration::from_secs(120);

/// Long enough that nothing is ever ended by it.
pub(crate) const LONG: Duration = Duration::from_secs(60);
/// Short enough that a test may wait for it.
pub(crate) const SHORT: Duration = Duration::from_millis(700);

/// A program that is this script for a shell.
pub(crate) fn script(text: &str) -> Subject {
    program(["/bin/sh", "-c", text, "script"])
}

/// A program with its first arguments.
pub(crate) fn program(argv: impl IntoIterator<Item = impl Into<OsString>>) -> Subject {
    Subject {
        argv: argv.into_iter().map(Into::into).collect(),
        shown: vec!["script".to_owned()],
        variables: Vec::new(),
        fixture: None,
    }
}

/// Conditions under which nothing that ends is cut short.
pub(crate) fn patient() -> Conditions {
    Conditions {
        limit: LONG,
        jobs: NonZeroUsize::new(2).unwrap(),
        unconfined: Unconfined::All,
        ..Conditions::until(Instant::now() + FOREVER)
    }
}

/// Conditions under which what hangs is ended soon.
pub(crate) fn hasty() -> Conditions {
    Conditions { limit: SHORT, ..patient() }
}

/// A plain call without arguments.
pub(crate) fn plain() -> Probe {
    with(&[])
}

/// A plain call with arguments.
pub(crate) fn with(args: &[&str]) -> Probe {
    Probe::new(&Command::default(), Purpose::Sample, Form::Text, args, &Json::Unknown)
}

/// The only run of a call of a script.
#[track_caller]
pub(crate) fn run(text: &str, probe: Probe, conditions: Conditions) -> Run {
    run_of(script(text), probe, conditions)
}

/// The only run of a call of a program.
#[track_caller]
pub(crate) fn run_of(subject: Subject, probe: Probe, conditions: Conditions) -> Run {
    let runs = within(move || Lab::open(&subject, conditions).unwrap().run(&[probe]));
    let [Some(run)] = <[Option<Run>; 1]>::try_from(runs).unwrap() else {
        panic!("it was not made")
    };
    run
}

/// What something gives, if it ever ends.
#[track_caller]
pub(crate) fn within<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(act()));
    receiver.recv_timeout(FOREVER).unwrap_or_else(|error| panic!("it never ended: {error}"))
}

/// What a run wrote to stdout.
pub(crate) fn stdout(run: &Run) -> String {
    String::from_utf8_lossy(&run.transcript.stdout).into_owned()
}

/// What a run wrote to stderr.
pub(crate) fn stderr(run: &Run) -> String {
    String::from_utf8_lossy(&run.transcript.stderr).into_owned()
}

/// That a run ended by itself with this status.
#[track_caller]
pub(crate) fn assert_exited(run: &Run, status: i32) {
    assert_eq!(run.ended, Ended::ByItself, "{run:?}");
    assert_eq!(run.transcript.status, Status::Exited(status), "{:?}", Short(&run.transcript));
}

/// The file of that name that a run wrote.
pub(crate) fn wrote<'r>(run: &'r Run, place: Place, path: &str) -> Option<&'r Written> {
    run.wrote.iter().find(|it| it.place == place && it.path == path)
}

/// Whether runs are confined here; says so if they are not.
pub(crate) fn is_confined() -> bool {
    let lab = Lab::open(&script(""), patient()).unwrap();
    if let Some(why) = lab.why_unconfined() {
        skipped(why);
    }
    lab.why_unconfined().is_none()
}

/// Makes one test of this file that is ignored otherwise, in a process of its own. A name that there is not
/// fails: the harness calls that a success.
#[track_caller]
pub(crate) fn inner(mut command: std::process::Command, name: &str) {
    let test = ["--exact", "--ignored", "--nocapture", name];
    let output = command.args(test).stdin(std::process::Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let is_made = output.status.success() && said.contains("test result: ok. 1 passed");
    assert!(
        is_made,
        "{name}: {}\n{said}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Reports that a test could not be made here.
pub(crate) fn skipped(why: &str) {
    use std::io::Write;
    // Not a macro: what those print is only shown when a test fails.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

struct Short<'t>(&'t Transcript);

impl std::fmt::Debug for Short<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text =
            |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(500)]).into_owned();
        write!(f, "{:?} {:?}", text(&self.0.stdout), text(&self.0.stderr))
    }
}
