//! Calls the actor through the library, meets it while it runs, and never waits forever.
#![allow(dead_code, reason = "not every file uses everything")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

use manila_run::{Invocation, Outcome, Policy, Step, Stopped, run};
use std::io::Read;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Whatever takes longer will never end.
const FOREVER: Duration = Duration::from_secs(60);

/// Long enough that nothing is ever ended by it.
pub(crate) const LONG: Duration = Duration::from_secs(3600);
/// Short enough that a test may wait for it.
pub(crate) const SHORT: Duration = Duration::from_millis(200);

pub(crate) const SUCCESS: &str =
    r#"out {"ok":true,"data":{"id":7},"error":null,"warnings":[],"meta":{}}"#;

/// Cargo builds examples before it runs tests, and puts them beside their directory.
pub(crate) fn actor() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().and_then(Path::parent).unwrap().join("examples/actor")
}

/// The actor with these arguments.
pub(crate) fn acting(arguments: &[&str]) -> Invocation {
    static DEFAULT_SIGNALS: Once = Once::new();
    DEFAULT_SIGNALS.call_once(default_signals);
    Invocation::new(actor()).args(arguments)
}

/// A shell that starts the tests in the background has some signals ignored, and `nohup` others. What is ignored
/// stays so in the actor.
#[expect(unsafe_code, reason = "dispositions have no safe interface")]
fn default_signals() {
    for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
        // SAFETY: the number of a signal, and no handler.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

/// What comes of the actor with these arguments and nothing but the defaults.
#[track_caller]
pub(crate) fn outcome(arguments: &[&str]) -> Outcome {
    settled(&acting(arguments), &Policy::default())
}

/// What comes of a call, if anything ever does.
#[track_caller]
pub(crate) fn settled(call: &Invocation, policy: &Policy) -> Outcome {
    let (call, policy) = (call.clone(), policy.clone());
    within(move || run(&call, &policy))
}

/// What something gives, if it ever ends.
#[track_caller]
pub(crate) fn within<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(act()));
    receiver.recv_timeout(FOREVER).unwrap_or_else(|error| panic!("it never ended: {error}"))
}

/// The only attempt of a call.
#[track_caller]
pub(crate) fn only(outcome: &Outcome) -> &Step {
    let [step] = outcome.trace.steps.as_slice() else { panic!("{:?}", outcome.trace.steps) };
    step
}

/// Why the only attempt was ended.
#[track_caller]
pub(crate) fn stopped(outcome: &Outcome) -> Option<Stopped> {
    only(outcome).usage.as_ref().unwrap().stopped
}

/// The code of the error.
#[track_caller]
pub(crate) fn code(outcome: &Outcome) -> &str {
    &outcome.envelope.error().unwrap_or_else(|| panic!("{outcome:?}")).code
}

/// The data as they are spelled.
pub(crate) fn data(outcome: &Outcome) -> &str {
    outcome.envelope.content().data.as_ref().map_or("", |data| data.as_str())
}

/// What a program without an envelope wrote to stdout.
#[track_caller]
pub(crate) fn stdout_text(outcome: &Outcome) -> String {
    let data: serde_json::Value = serde_json::from_str(data(outcome)).unwrap();
    data["stdout"].as_str().unwrap_or_else(|| panic!("{outcome:?}")).to_owned()
}

/// A place where a test and the processes of a call meet.
pub(crate) struct Meeting {
    _dir: tempfile::TempDir,
    listener: UnixListener,
    path: String,
}

impl Meeting {
    pub(crate) fn new() -> Meeting {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        Meeting { listener, path: path.to_str().unwrap().to_owned(), _dir: dir }
    }

    /// The step that comes here.
    pub(crate) fn step(&self) -> String {
        format!("meet {}", self.path)
    }

    /// Waits for the next one to come.
    #[track_caller]
    pub(crate) fn next(&self) -> Met {
        let listener = self.listener.try_clone().unwrap();
        let mut stream = within(move || listener.accept().unwrap().0);
        stream.set_read_timeout(Some(FOREVER)).unwrap();
        let mut word = [0; 4];
        stream.read_exact(&mut word).unwrap();
        assert_eq!(&word, b"here");
        Met(stream)
    }
}

/// A visitor.
pub(crate) struct Met(pub(crate) UnixStream);

impl Met {
    /// Waits until it is no more; the connection is the last thing that a process loses.
    #[track_caller]
    pub(crate) fn ends(mut self) {
        match self.0.read(&mut [0]) {
            Ok(0) => {}
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
            other => panic!("it still lives: {other:?}"),
        }
    }
}
