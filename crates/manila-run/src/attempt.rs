//! One run of one program, from its start to the end of its last output: both pipes drained at once,
//! limits kept, the whole group ended when it must be, and nothing left behind.

use crate::cancel::Cancel;
use crate::capture::{Capture, Captured, Keep};
use crate::deliver::{Delivery, Gate, Hold, Pending};
use crate::invocation::Invocation;
use crate::spawn_error::SpawnError;
use crate::sys::{self, Exited, Guardian, Place, Reaped, Target};
use crate::usage::{Cut, Stopped, Usage};
use manila::{Status, Stream, Transcript};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, PipeReader};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How much is read at once.
const CHUNK: usize = 256 << 10;
/// From here on a pipe is worth enlarging.
const MUCH: u64 = 64 << 10;
/// How much of the beginning of a stream is looked at where its middle is missing.
const LOOKED_AT: usize = 128 << 10;
/// How often to check whether the caller wants to end the call.
pub(crate) const HEARTBEAT: Duration = Duration::from_millis(100);
/// How often to poll for what is not reported.
const LOOK: Duration = Duration::from_millis(5);
/// How long a program runs before its group is guarded against our own death.
const GUARDED_AFTER: Duration = Duration::from_millis(50);
/// Longer than anyone waits, and short enough to be added to any moment.
const AGES: Duration = Duration::from_secs(u32::MAX as u64);
/// A caller that cancels a call may be ended itself before long.
const HURRY: Duration = Duration::from_secs(1);
/// How long pipes may stay open after all reachable processes were killed.
const AFTER_KILL: Duration = Duration::from_secs(1);

/// What one run may take.
pub(crate) struct Limits<'h> {
    pub(crate) time: Option<Duration>,
    /// From the word to end until it is made to.
    pub(crate) grace: Duration,
    /// How long others may hold its pipes when the program itself has ended.
    pub(crate) linger: Duration,
    /// How many bytes of each stream are kept, or held back.
    pub(crate) output: u64,
    /// How much of them is kept beyond the run.
    pub(crate) keep: Keep,
    /// Where its own bytes go while it runs, and how long stdout is held back. That is asked when the program
    /// has started: what is known about it is read while it starts.
    pub(crate) delivery: Option<(Delivery, &'h dyn Fn() -> Hold)>,
}

/// What one run left behind.
#[derive(Debug)]
pub(crate) struct Execution {
    pub(crate) transcript: Transcript,
    pub(crate) usage: Usage,
    /// The end of stdout, if not all of it is kept.
    pub(crate) stdout_tail: Option<Vec<u8>>,
    /// The end of stderr, if not all of it is kept.
    pub(crate) stderr_tail: Option<Vec<u8>>,
    /// Whether the streams are kept as data.
    pub(crate) keep: Keep,
    /// What is to be handed on if this attempt is the last.
    pub(crate) pending: Pending,
    /// Which of its streams were handed on while it ran.
    pub(crate) delivered: Delivered,
    /// A file without a name that holds more of stdout than was kept.
    pub(crate) overflow: Option<File>,
}

/// Which streams of an attempt were handed on while it ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Delivered {
    pub(crate) stdout: bool,
    pub(crate) stderr: bool,
}

impl Execution {
    /// Whether all of both streams is kept.
    pub(crate) fn is_whole(&self) -> bool {
        self.stdout_tail.is_none() && self.stderr_tail.is_none()
    }

    /// What stdout ends with, whether there is all of it or not.
    pub(crate) fn stdout_end(&self) -> &[u8] {
        self.stdout_tail.as_ref().unwrap_or(&self.transcript.stdout)
    }

    /// The run with what is kept of its streams: where the middle is missing, whole lines before and after it.
    pub(crate) fn ends(&self) -> Cow<'_, Transcript> {
        if self.is_whole() {
            return Cow::Borrowed(&self.transcript);
        }
        Cow::Owned(Transcript {
            argv: self.transcript.argv.clone(),
            stdout: with_tail(&self.transcript.stdout, self.stdout_tail.as_deref()),
            stderr: with_tail(&self.transcript.stderr, self.stderr_tail.as_deref()),
            status: self.transcript.status,
            duration_ms: self.transcript.duration_ms,
        })
    }

    /// The same of stderr.
    pub(crate) fn stderr_end(&self) -> &[u8] {
        self.stderr_tail.as_ref().unwrap_or(&self.transcript.stderr)
    }
}

/// The whole lines of a beginning and of an end.
fn with_tail(head: &[u8], tail: Option<&[u8]>) -> Vec<u8> {
    let Some(tail) = tail else { return head.to_vec() };
    let head = &head[..head.len().min(LOOKED_AT)];
    let end = head.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let start = tail.iter().position(|byte| *byte == b'\n').map_or(tail.len(), |at| at + 1);
    [&head[..end], &tail[start..]].concat()
}

/// A time in milliseconds.
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// So long after a moment.
pub(crate) fn after(moment: Instant, time: Duration) -> Instant {
    moment + time.min(AGES)
}

/// Runs it to its end.
pub(crate) fn attempt(
    call: &Invocation,
    limits: &Limits<'_>,
    cancel: &Cancel,
) -> Result<Execution, SpawnError> {
    let (stdout, to_stdout) = io::pipe().map_err(|error| SpawnError::of_system(&error))?;
    let (stderr, to_stderr) = io::pipe().map_err(|error| SpawnError::of_system(&error))?;
    for pipe in [&stdout, &stderr] {
        sys::unblock(pipe).map_err(|error| SpawnError::of_system(&error))?;
    }
    let stdin = call.open_stdin().map_err(|error| SpawnError::of_input(call, &error))?;
    let to_stdout = (!call.inherits_stdout).then(|| to_stdout.into());
    let mut launch = call.launch(stdin, to_stdout, to_stderr);
    let guardian = if call.is_guarded_at_once && call.place == Place::OwnGroup {
        let group = Arc::default();
        launch.group = Some(Arc::clone(&group));
        Guard::Begun { _guardian: Guardian::ahead(&group) }
    } else {
        Guard::Later
    };
    let _terminal = (call.place == Place::Foreground).then(sys::TerminalSignals::leave_to_child);
    let begin = Instant::now();
    // It closes our copies of the writing ends, without which the pipes would never be at their end.
    let target = sys::start(launch).map_err(|error| SpawnError::of(call, &error))?;
    let gate = limits.delivery.as_ref().map(|(delivery, hold)| Gate::new(delivery.clone(), hold()));
    let capture = |stream| {
        let capture = Capture::new(limits.output, limits.keep);
        match &gate {
            Some(gate) if gate.is_open(stream) => capture.released(),
            _ => capture,
        }
    };
    let mut run = Run {
        target,
        limits,
        begin,
        has_terminal: call.place == Place::OwnGroup && sys::has_terminal(),
        streams: [
            Some((stdout, capture(Stream::Stdout).spilling_over())),
            Some((stderr, capture(Stream::Stderr))),
        ],
        captured: [None, None],
        gate,
        guardian,
        exited: Exited::of(target),
        ended: None,
        reaped: None,
        phase: Phase::Running,
        stopped: None,
    };
    let watched = run.watch(cancel);
    Ok(run.into_execution(call, watched))
}

struct Run<'l> {
    target: Target,
    limits: &'l Limits<'l>,
    begin: Instant,
    /// Whether there is a terminal that could stop the program.
    has_terminal: bool,
    /// Stdout and error, as long as they are open.
    streams: [Option<(PipeReader, Capture)>; 2],
    captured: [Option<Captured>; 2],
    gate: Option<Gate>,
    guardian: Guard,
    /// What reports the end of the program, if the system had one to spare.
    exited: Option<Exited>,
    ended: Option<Instant>,
    reaped: Option<Reaped>,
    phase: Phase,
    stopped: Option<Stopped>,
}

/// Whether a guardian ends the group if this process is killed. A short run is over before that is
/// worth a process.
enum Guard {
    Later,
    Begun { _guardian: Option<Guardian> },
}

impl Guard {
    fn new(target: Target) -> Guard {
        Guard::Begun { _guardian: Guardian::of(target) }
    }
}

/// How far it is with ending the group.
#[derive(Clone, Copy)]
enum Phase {
    Running,
    /// It got a signal to end, and is killed at this moment.
    Terminating(Instant),
    /// It was killed, and what still holds the pipes at this moment is beyond reach.
    Killed(Instant),
}

impl Run<'_> {
    /// Until it has ended and its pipes have no writer any more, or nothing is waited for.
    fn watch(&mut self, cancel: &Cancel) -> io::Result<()> {
        let mut chunk = vec![0; CHUNK];
        loop {
            self.reap()?;
            if self.is_done() || self.enforce_limits(cancel) {
                return Ok(());
            }
            if self.is_unguarded() && self.begin.elapsed() >= GUARDED_AFTER {
                self.guardian = Guard::new(self.target);
            }
            let streams = self.streams.each_ref().map(|it| it.as_ref().map(|(pipe, _)| pipe));
            let ready = sys::wait_for(streams, self.exited.as_ref(), self.patience(cancel))?;
            for (at, ready) in ready.streams.into_iter().enumerate() {
                if ready {
                    self.read(at, &mut chunk)?;
                }
            }
            if self.ended.is_none()
                && (ready.exited || (self.exited.is_none() && sys::has_ended(self.target)))
            {
                self.ended = Some(Instant::now());
                self.exited = None;
            }
        }
    }

    /// Takes it out of the table once its group needs no signal any more. Until then its number,
    /// which is that of the group, cannot be anyone else's.
    fn reap(&mut self) -> io::Result<()> {
        let is_time = !self.is_open() || matches!(self.phase, Phase::Killed(_));
        if self.ended.is_some() && self.reaped.is_none() && is_time {
            self.reaped = sys::reap(self.target)?;
        }
        Ok(())
    }

    fn is_open(&self) -> bool {
        self.streams.iter().any(Option::is_some)
    }

    /// Whether it has ended, and with it the whole group if the group was asked to end.
    fn is_done(&self) -> bool {
        let is_group_done = || matches!(self.phase, Phase::Running) || sys::is_gone(self.target);
        self.reaped.is_some() && !self.is_open() && is_group_done()
    }

    fn read(&mut self, at: usize, chunk: &mut [u8]) -> io::Result<()> {
        let Some((pipe, capture)) = &mut self.streams[at] else { return Ok(()) };
        match sys::read_some(pipe, chunk)? {
            None => {}
            Some(0) => self.close(at),
            Some(read) => {
                let before = capture.total();
                let bytes = &chunk[..read];
                let passed = if let Some(gate) = &mut self.gate {
                    let stream = if at == 0 { Stream::Stdout } else { Stream::Stderr };
                    let passed = gate.pass(stream, bytes, capture);
                    capture.take(bytes);
                    // What cannot be held back any longer must not be lost.
                    let is_stuck = !gate.is_open(stream) && capture.has_lost();
                    if is_stuck { passed.and_then(|()| gate.open(stream, capture)) } else { passed }
                } else {
                    capture.take(bytes);
                    Ok(())
                };
                if before < MUCH && capture.total() >= MUCH {
                    sys::enlarge(pipe);
                }
                // The reader is gone: the program notices it as it would without manila.
                if passed.is_err() {
                    self.close(at);
                }
            }
        }
        Ok(())
    }

    fn close(&mut self, at: usize) {
        if let Some((_, capture)) = self.streams[at].take() {
            self.captured[at] = Some(capture.finish());
        }
    }

    /// Ends what must be ended, and returns whether nothing more can be done.
    fn enforce_limits(&mut self, cancel: &Cancel) -> bool {
        let now = Instant::now();
        match self.phase {
            Phase::Running => {
                if let Some(signal) = cancel.signal() {
                    self.terminate(Stopped::Cancelled, signal);
                } else if self.deadline().is_some_and(|deadline| now >= deadline) {
                    let held = self.ended.is_some();
                    let why = if held { Stopped::HeldOpen } else { Stopped::TimeLimit };
                    self.terminate(why, libc::SIGTERM);
                } else if self.has_terminal && sys::wants_terminal(self.target) {
                    self.terminate(Stopped::Terminal, libc::SIGTERM);
                }
                false
            }
            Phase::Terminating(until) if now >= until => {
                sys::signal(self.target, libc::SIGKILL);
                self.phase = Phase::Killed(now + AFTER_KILL);
                false
            }
            // Not even that ends one that the system holds, or that is another user's.
            Phase::Killed(until) => now >= until,
            Phase::Terminating(_) => false,
        }
    }

    fn terminate(&mut self, why: Stopped, signal: i32) {
        self.stopped = Some(why);
        sys::signal(self.target, signal);
        // A stopped process would not receive it.
        sys::signal(self.target, libc::SIGCONT);
        let grace = match why {
            Stopped::Cancelled => self.limits.grace.min(HURRY),
            _ => self.limits.grace,
        };
        self.phase = Phase::Terminating(after(Instant::now(), grace));
    }

    /// When the present phase ends.
    fn deadline(&self) -> Option<Instant> {
        match self.phase {
            Phase::Running => {
                let whole = self.limits.time.map(|time| after(self.begin, time));
                let held = self.ended.map(|ended| after(ended, self.limits.linger));
                [whole, held].into_iter().flatten().min()
            }
            Phase::Terminating(until) | Phase::Killed(until) => Some(until),
        }
    }

    /// Whether what the program has started would keep running if this process were killed.
    fn is_unguarded(&self) -> bool {
        matches!(self.guardian, Guard::Later) && self.ended.is_none()
    }

    /// How long to wait for anything to happen.
    fn patience(&self, cancel: &Cancel) -> Option<Duration> {
        let left = self.deadline().map(|at| at.saturating_duration_since(Instant::now()));
        // The end of another process's children is not reported.
        let is_looking = match self.ended {
            Some(_) => !self.is_open(),
            None => self.exited.is_none(),
        };
        let often = match () {
            () if is_looking => Some(LOOK),
            () if cancel.is_possible() || self.has_terminal => Some(HEARTBEAT),
            () => None,
        };
        let guarded =
            self.is_unguarded().then(|| GUARDED_AFTER.saturating_sub(self.begin.elapsed()));
        [left, often, guarded].into_iter().flatten().min()
    }

    /// What is left of it. One that could not be watched to its end is ended all the same.
    fn into_execution(mut self, call: &Invocation, watched: io::Result<()>) -> Execution {
        if self.reaped.is_none() {
            sys::signal(self.target, libc::SIGKILL);
            sys::reap_later(self.target);
        }
        (0..self.streams.len()).for_each(|at| self.close(at));
        let [stdout, stderr] = self.captured.map(Option::unwrap_or_default);
        let duration_ms = millis(self.ended.unwrap_or_else(Instant::now) - self.begin);
        let unread = watched.err().map(|error| format!("it could not be read: {error}"));
        let whys = [(Stream::Stdout, unread.or(stdout.cut)), (Stream::Stderr, stderr.cut)];
        let cut: Vec<Cut> =
            whys.into_iter().filter_map(|(stream, why)| Some(Cut { stream, why: why? })).collect();
        let status = self.reaped.map_or(Status::Unknown, |reaped| reaped.status);
        let usage = Usage {
            status,
            pid: self.target.number(),
            duration_ms,
            peak_memory_bytes: self.reaped.map_or(0, |reaped| reaped.peak_bytes),
            stdout_bytes: stdout.total,
            stderr_bytes: stderr.total,
            cut,
            stopped: self.stopped,
        };
        let stdout_tail =
            (usage.is_cut(Stream::Stdout) || stdout.is_partial).then_some(stdout.tail);
        let stderr_tail =
            (usage.is_cut(Stream::Stderr) || stderr.is_partial).then_some(stderr.tail);
        let delivered = self.gate.as_ref().map_or_else(Delivered::default, |gate| Delivered {
            stdout: gate.is_open(Stream::Stdout),
            stderr: gate.is_open(Stream::Stderr),
        });
        let transcript = Transcript {
            argv: call.argv_lossy(),
            stdout: stdout.bytes,
            stderr: stderr.bytes,
            status,
            duration_ms: Some(duration_ms),
        };
        Execution {
            transcript,
            usage,
            stdout_tail,
            stderr_tail,
            keep: self.limits.keep,
            pending: Pending { stdout: stdout.held, stderr: stderr.held },
            delivered,
            overflow: stdout.file,
        }
    }
}
