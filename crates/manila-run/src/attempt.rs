//! One run of one program, from its start to the end of its last output: both pipes drained at once,
//! limits kept, the whole group ended when it must be, and nothing left behind.

use crate::cancel::Cancel;
use crate::capture::{Capture, Captured};
use crate::invocation::Invocation;
use crate::sys::{self, Exited, Reaped, Target};
use crate::unstarted::Unstarted;
use manila::{Status, Transcript};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::io::{self, PipeReader};
use std::time::{Duration, Instant};

/// How much is read at once.
const CHUNK: usize = 256 << 10;
/// From here on a pipe is worth enlarging.
const MUCH: u64 = 64 << 10;
/// How often somebody who may want to end the call is asked.
const HEARTBEAT: Duration = Duration::from_millis(100);
/// Whoever ends a call from outside may be ended too before long.
const HURRY: Duration = Duration::from_secs(1);
/// How long pipes may stay open after everybody was killed who could be.
const AFTER_KILL: Duration = Duration::from_secs(1);

/// What one run may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) time: Option<Duration>,
    /// From the word to end until it is made to.
    pub(crate) grace: Duration,
    /// How long others may hold its pipes when the program itself has ended.
    pub(crate) linger: Duration,
    /// How many bytes of each stream are kept.
    pub(crate) output: u64,
}

/// What one run left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) transcript: Transcript,
    pub(crate) usage: Usage,
    /// The end of standard error, also when it was too much.
    pub(crate) stderr_tail: Vec<u8>,
}

/// What one run took, and how it came to its end.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Usage {
    /// How it ended.
    #[serde(flatten, serialize_with = "status_as_two")]
    pub status: Status,
    /// Its number as a process.
    pub pid: u32,
    /// How long it ran.
    pub duration_ms: u64,
    /// The largest it ever was. The system counts from our own size.
    pub peak_memory_bytes: u64,
    /// How much it wrote to standard output.
    pub stdout_bytes: u64,
    /// How much it wrote to standard error.
    pub stderr_bytes: u64,
    /// What of its output is not whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<String>,
    /// Why it was ended, if it did not end by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
}

/// Why a program was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    /// It ran longer than it may.
    TimeLimit,
    /// Somebody wants the call to end.
    Cancelled,
    /// It had ended, but others it started kept its output open.
    HeldOpen,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
fn status_as_two<S: Serializer>(status: &Status, serializer: S) -> Result<S::Ok, S::Error> {
    let (exit_code, signal) = match *status {
        Status::Exited(code) => (Some(code), None),
        Status::Signaled(signal) => (None, Some(signal)),
        Status::Unknown => (None, None),
    };
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry("exit_code", &exit_code)?;
    map.serialize_entry("signal", &signal)?;
    map.end()
}

/// A time in milliseconds.
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Runs it to its end.
pub(crate) fn attempt(
    call: &Invocation,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Ran, Unstarted> {
    let (stdout, to_stdout) = io::pipe().map_err(|error| Unstarted::of_system(&error))?;
    let (stderr, to_stderr) = io::pipe().map_err(|error| Unstarted::of_system(&error))?;
    for pipe in [&stdout, &stderr] {
        sys::unblock(pipe).map_err(|error| Unstarted::of_system(&error))?;
    }
    let mut command = call.command().map_err(|error| Unstarted::of_input(call, &error))?;
    command.stdout(to_stdout).stderr(to_stderr);
    let begin = Instant::now();
    let target = sys::start(&mut command).map_err(|error| Unstarted::of(call, &error))?;
    // It holds our copies of the writing ends, without which the pipes would never be at their end.
    drop(command);
    let mut run = Run {
        target,
        limits,
        begin,
        streams: [stdout, stderr].map(|pipe| Some((pipe, Capture::new(limits.output)))),
        captured: [None, None],
        exited: None,
        reaped: None,
        phase: Phase::Running,
        stopped: None,
    };
    if let Err(error) = run.watch(cancel) {
        run.abandon();
        return Err(Unstarted::of_system(&error));
    }
    Ok(run.into_ran(call))
}

struct Run<'l> {
    target: Target,
    limits: &'l Limits,
    begin: Instant,
    /// Standard output and error, as long as they are open.
    streams: [Option<(PipeReader, Capture)>; 2],
    captured: [Option<Captured>; 2],
    exited: Option<Exited>,
    reaped: Option<(Reaped, Instant)>,
    phase: Phase,
    stopped: Option<Stopped>,
}

/// How far it is with ending the group.
#[derive(Clone, Copy)]
enum Phase {
    Running,
    /// It was told to end, and will be killed at this moment.
    Told(Instant),
    /// It was killed, and what still holds the pipes at this moment is beyond reach.
    Killed(Instant),
}

impl Run<'_> {
    /// Until it has ended and nobody can write to its pipes any more, or nobody is waited for.
    fn watch(&mut self, cancel: &Cancel) -> io::Result<()> {
        self.exited = Some(Exited::of(self.target)?);
        let mut chunk = vec![0; CHUNK];
        loop {
            let is_open = self.streams.iter().any(Option::is_some);
            if self.reaped.is_some() && !is_open && self.is_group_done() {
                return Ok(());
            }
            if self.is_over(cancel) {
                return Ok(());
            }
            let streams = self.streams.each_ref().map(|it| it.as_ref().map(|(pipe, _)| pipe));
            let ready = sys::wait_for(streams, self.exited.as_ref(), self.patience(cancel))?;
            for (at, ready) in ready.streams.into_iter().enumerate() {
                if ready {
                    self.read(at, &mut chunk)?;
                }
            }
            if ready.exited
                && let Some(reaped) = sys::reap(self.target)?
            {
                self.reaped = Some((reaped, Instant::now()));
                self.exited = None;
            }
        }
    }

    fn read(&mut self, at: usize, chunk: &mut [u8]) -> io::Result<()> {
        let Some((pipe, capture)) = &mut self.streams[at] else { return Ok(()) };
        match sys::read_some(pipe, chunk)? {
            None => {}
            Some(0) => self.close(at),
            Some(read) => {
                let before = capture.total();
                capture.take(&chunk[..read]);
                if before < MUCH && capture.total() >= MUCH {
                    sys::enlarge(pipe);
                }
            }
        }
        Ok(())
    }

    fn close(&mut self, at: usize) {
        self.captured[at] = self.streams[at].take().map(|(_, capture)| capture.finish());
    }

    /// Whether nobody of a group that was told to end is left.
    fn is_group_done(&self) -> bool {
        matches!(self.phase, Phase::Running) || sys::is_gone(self.target)
    }

    /// Ends what must be ended; whether nothing more can be done.
    fn is_over(&mut self, cancel: &Cancel) -> bool {
        let now = Instant::now();
        match self.phase {
            Phase::Running => {
                if let Some(signal) = cancel.signal() {
                    self.tell(Stopped::Cancelled, signal);
                } else if self.deadline().is_some_and(|deadline| now >= deadline) {
                    let held = self.reaped.is_some();
                    let why = if held { Stopped::HeldOpen } else { Stopped::TimeLimit };
                    self.tell(why, libc::SIGTERM);
                }
                false
            }
            Phase::Told(until) if now >= until => {
                sys::signal(self.target, libc::SIGKILL);
                self.phase = Phase::Killed(now + AFTER_KILL);
                false
            }
            Phase::Killed(until) => now >= until && self.reaped.is_some(),
            Phase::Told(_) => false,
        }
    }

    fn tell(&mut self, why: Stopped, signal: i32) {
        self.stopped = Some(why);
        sys::signal(self.target, signal);
        // One that is stopped would not hear it.
        sys::signal(self.target, libc::SIGCONT);
        let grace = match why {
            Stopped::Cancelled => self.limits.grace.min(HURRY),
            _ => self.limits.grace,
        };
        self.phase = Phase::Told(Instant::now() + grace);
    }

    /// When the present phase ends.
    fn deadline(&self) -> Option<Instant> {
        match (self.phase, self.reaped) {
            (Phase::Running, ended) => {
                let whole = self.limits.time.map(|time| self.begin + time);
                let held = ended.map(|(_, ended)| ended + self.limits.linger);
                [whole, held].into_iter().flatten().min()
            }
            (Phase::Told(until) | Phase::Killed(until), _) => Some(until),
        }
    }

    /// How long to wait for anything to happen.
    fn patience(&self, cancel: &Cancel) -> Option<Duration> {
        let left = self.deadline().map(|at| at.saturating_duration_since(Instant::now()));
        // The end of somebody else's children is not reported.
        let is_looking = self.reaped.is_some() && self.streams.iter().all(Option::is_none);
        let often = match () {
            () if is_looking => Some(Duration::from_millis(5)),
            () if cancel.is_possible() => Some(HEARTBEAT),
            () => None,
        };
        [left, often].into_iter().flatten().min()
    }

    /// Leaves nothing behind although the system failed us.
    fn abandon(&self) {
        sys::signal(self.target, libc::SIGKILL);
        while self.reaped.is_none() && matches!(sys::reap(self.target), Ok(None)) {
            std::thread::yield_now();
        }
    }

    fn into_ran(mut self, call: &Invocation) -> Ran {
        (0..self.streams.len()).for_each(|at| {
            if self.streams[at].is_some() {
                self.close(at);
            }
        });
        let [stdout, stderr] = self.captured.map(Option::unwrap_or_default);
        let (reaped, ended) = self.reaped.unzip();
        let duration = ended.unwrap_or_else(Instant::now) - self.begin;
        let duration_ms = millis(duration);
        let cut = [("standard output", &stdout.cut), ("standard error", &stderr.cut)];
        let cut =
            cut.into_iter().filter_map(|(name, cut)| Some(format!("{name}: {}", cut.as_ref()?)));
        let status = reaped.map_or(Status::Unknown, |reaped| reaped.status);
        let usage = Usage {
            status,
            pid: self.target.number(),
            duration_ms,
            peak_memory_bytes: reaped.map_or(0, |reaped| reaped.peak_bytes),
            stdout_bytes: stdout.total,
            stderr_bytes: stderr.total,
            cut: cut.collect(),
            stopped: self.stopped,
        };
        let is_whole = stderr.cut.is_none();
        let stderr_tail = if is_whole { stderr.bytes.clone() } else { stderr.tail };
        let transcript = Transcript {
            argv: call.words(),
            stdout: stdout.bytes,
            stderr: stderr.bytes,
            status,
            duration_ms: Some(duration_ms),
        };
        Ran { transcript, usage, stderr_tail }
    }
}
