//! Starts the program that misbehaves as a real process, in surroundings that a test chooses, and
//! waits for its end, but not forever.
#![allow(clippy::expect_used, clippy::panic, reason = "a test may stop at the first surprise")]

mod ends;
mod ran;

pub(crate) use ends::{full, full_disk, hung_up, nonblocking, terminal};
pub(crate) use ran::{Ran, shows, warnings};

use manila::Dialect;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::ffi::OsStr;
use std::io::{PipeReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

pub(crate) const ESC: u8 = 0x1b;
/// Whatever takes longer will never end.
const DEADLINE: Duration = Duration::from_secs(60);

/// What would change how the program answers.
const UNWANTED: &[&str] = &[
    "CI",
    "GITHUB_ACTIONS",
    "JENKINS_URL",
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "FORCE_COLOR",
    "TERM",
    "TRACEPARENT",
    "MANILA_CHECK",
    "RUST_BACKTRACE",
];

/// The dialect of tests that need only one.
fn usual() -> &'static dyn Dialect {
    manila::dialects::WRITTEN[0]
}

/// One call that has not begun yet.
pub(crate) struct Run {
    command: Command,
    dialect: &'static dyn Dialect,
    stdout: Option<Stdio>,
    stderr: Option<Stdio>,
}

/// The program with these words as arguments, in the usual dialect.
pub(crate) fn misbehave(line: &str) -> Run {
    speaking(usual(), line)
}

/// The same in another dialect.
pub(crate) fn speaking(dialect: &'static dyn Dialect, line: &str) -> Run {
    let mut command = Command::new(program());
    command.args(line.split_whitespace()).stdin(Stdio::null());
    command.env("MISBEHAVE_DIALECT", dialect.id());
    for name in UNWANTED {
        command.env_remove(name);
    }
    let run = Run { command, dialect, stdout: None, stderr: None };
    // A shell that starts the tests in the background has some of them ignored, and `nohup` others.
    run.first(|| {
        for signal in (1..=31).filter(|it| ![libc::SIGKILL, libc::SIGSTOP].contains(it)) {
            // SAFETY: a plain call that is allowed between fork and exec.
            #[expect(unsafe_code, reason = "there is no other way")]
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
            }
        }
    })
}

/// Cargo builds examples before it runs tests, and puts them beside their directory.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("this test is a file");
    let directory =
        test.parent().and_then(|deps| deps.parent()).expect("it is in a directory of cargo's");
    directory.join("examples").join("misbehave")
}

impl Run {
    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Run {
        self.command.arg(argument);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Run {
        self.command.env(name, value);
        self
    }

    pub(crate) fn stdin(mut self, from: impl Into<Stdio>) -> Run {
        self.command.stdin(from);
        self
    }

    /// Stdout goes there, and the test does not read it.
    pub(crate) fn stdout(mut self, to: impl Into<Stdio>) -> Run {
        self.stdout = Some(to.into());
        self
    }

    /// Stderr goes there, and the test does not read it.
    pub(crate) fn stderr(mut self, to: impl Into<Stdio>) -> Run {
        self.stderr = Some(to.into());
        self
    }

    /// It runs in this directory.
    pub(crate) fn inside(mut self, directory: &Path) -> Run {
        self.command.current_dir(directory);
        self
    }

    /// Whether its dialect has a place for warnings.
    pub(crate) fn has_meta(&self) -> bool {
        self.dialect.table().has_meta
    }

    /// Something that the process does before it is the program.
    pub(crate) fn first(mut self, act: fn()) -> Run {
        // SAFETY: what tests do here is allowed between fork and exec.
        #[expect(unsafe_code, reason = "there is no other way")]
        unsafe {
            self.command.pre_exec(move || {
                act();
                Ok(())
            });
        }
        self
    }

    /// Runs it to its end, both streams drained at once.
    #[track_caller]
    pub(crate) fn run(self) -> Ran {
        self.start().end()
    }

    /// Starts it.
    #[track_caller]
    pub(crate) fn start(self) -> Started {
        let Run { mut command, dialect, stdout, stderr } = self;
        let (out, stdout) = ends::given_or_pipe(stdout);
        let (err, stderr) = ends::given_or_pipe(stderr);
        command.stdout(out).stderr(err);
        // A group of its own, so that whatever it leaves behind can be ended with it.
        let child = command.process_group(0).spawn().expect("the example was built");
        let watch = Watch::over(&child);
        Started { child, dialect, stdout, stderr, watch }
    }
}

/// One call that has begun.
pub(crate) struct Started {
    pub(crate) child: Child,
    dialect: &'static dyn Dialect,
    pub(crate) stdout: Option<PipeReader>,
    pub(crate) stderr: Option<PipeReader>,
    watch: Watch,
}

impl Started {
    /// Waits until it says that it waits.
    #[track_caller]
    pub(crate) fn ready(mut self) -> Started {
        let stderr = self.stderr.as_mut().expect("a pipe");
        let (mut seen, mut byte) = (Vec::new(), [0]);
        while !seen.ends_with(b"ready\n") {
            let read = stderr.read(&mut byte).expect("a readable pipe");
            assert_ne!(read, 0, "it is never ready: {}", String::from_utf8_lossy(&seen));
            seen.push(byte[0]);
        }
        self
    }

    pub(crate) fn signal(self, signal: Signal) -> Started {
        kill_process(id(&self.child), signal).expect("it still runs");
        self
    }

    /// The same, if it has not ended yet.
    pub(crate) fn try_signal(self, signal: Signal) -> Started {
        let _ = kill_process(id(&self.child), signal);
        self
    }

    pub(crate) fn stdin(&mut self) -> ChildStdin {
        self.child.stdin.take().expect("a pipe")
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn end(self) -> Ran {
        let Started { mut child, dialect, stdout, stderr, watch } = self;
        let [stdout, stderr] = [stdout, stderr].map(|end| end.map(drained));
        let status = child.wait().expect("it ends");
        let stdout = stdout.map(joined).unwrap_or_default();
        // A process that it left behind may hold stderr, but nothing else.
        let _ = kill_process_group(id(&child), Signal::KILL);
        let stderr = stderr.map(joined).unwrap_or_default();
        let ran = Ran { stdout, stderr, status, dialect };
        assert!(!watch.has_expired(), "it never ended: {ran:?}");
        ran
    }
}

fn id(child: &Child) -> Pid {
    Pid::from_child(child)
}

/// Reads something to its end in a thread of its own.
pub(crate) fn drained(mut from: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // The end of a terminal is an error.
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}

fn joined(reader: JoinHandle<Vec<u8>>) -> Vec<u8> {
    reader.join().expect("reading does not panic")
}

/// Ends a process that has passed its deadline.
struct Watch {
    has_expired: Arc<AtomicBool>,
    _until: Sender<()>,
}

impl Watch {
    fn over(child: &Child) -> Watch {
        let has_expired = Arc::new(AtomicBool::new(false));
        let (until, over) = channel();
        let (group, flag) = (id(child), Arc::clone(&has_expired));
        std::thread::spawn(move || {
            if over.recv_timeout(DEADLINE) == Err(RecvTimeoutError::Timeout) {
                flag.store(true, SeqCst);
                let _ = kill_process_group(group, Signal::KILL);
            }
        });
        Watch { has_expired, _until: until }
    }

    fn has_expired(&self) -> bool {
        self.has_expired.load(SeqCst)
    }
}
