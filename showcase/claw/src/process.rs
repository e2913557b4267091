//! Children that end when they should: in a group of their own, supervised, read up to a limit.

use crate::watch::{Stop, Watch};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions as Options, kill_process_group, waitid};
use std::io::{self, PipeReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How many bytes of what a child says are kept.
const HEARD: usize = 64 << 10;
/// How often the watch is asked.
const PACE: Duration = Duration::from_millis(5);
/// How long its output may take to arrive once it has ended. A process that left its group may hold the
/// line open.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A child that came to its end.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// What it said on both streams.
    pub(crate) said: String,
}

/// Why a child did not.
#[derive(Debug)]
pub(crate) enum Halt {
    /// It could not be run.
    System(io::Error),
    /// It was killed, with all that it had started.
    Stopped(Stop),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Halt {
        Halt::System(error)
    }
}

/// Runs a child to its end, or to the end of the watch. Whatever it started and left behind ends with
/// it.
pub(crate) fn run(mut command: Command, watch: &Watch<'_>) -> Result<Ended, Halt> {
    // A handler that asked once gets the time to end what it started.
    watch.check().map_err(Halt::Stopped)?;
    let (reader, writer) = io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).process_group(0);
    let mut child = command.spawn()?;
    // It holds ends of the pipe that would keep it open.
    drop(command);
    let (sender, parts) = mpsc::channel();
    thread::spawn(move || listen(reader, sender));
    let group = Pid::from_child(&child);
    let stopped = wait(group, watch)?;
    // The child is not yet waited for, so its process group id cannot have been reused.
    let killed = kill_process_group(group, Signal::KILL);
    if let Some(stop) = stopped {
        killed.map_err(io::Error::from)?;
        child.wait()?;
        return Err(Halt::Stopped(stop));
    }
    Ok(Ended { status: child.wait()?, said: heard(&parts) })
}

/// Waits until a child has ended, or something stops it.
fn wait(child: Pid, watch: &Watch<'_>) -> io::Result<Option<Stop>> {
    let ended = Options::EXITED | Options::NOHANG | Options::NOWAIT;
    while waitid(WaitId::Pid(child), ended)?.is_none() {
        if let Err(stop) = watch.check() {
            return Ok(Some(stop));
        }
        thread::sleep(PACE);
    }
    Ok(None)
}

/// Hands on the beginning of what is said, with a byte too much if there is more. The rest is let go,
/// so that the child never blocks on a full pipe.
fn listen(reader: PipeReader, sender: Sender<Vec<u8>>) {
    let mut beginning = reader.take(HEARD as u64 + 1);
    let mut part = [0; 4 << 10];
    loop {
        match beginning.read(&mut part) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // After the receiver is gone the pipe is still drained.
            Ok(length @ 1..) => drop(sender.send(part[..length].to_vec())),
            _ => break,
        }
    }
    drop(sender);
    let _ = io::copy(&mut beginning.into_inner(), &mut io::sink());
}

/// What was said until the line was closed, or as much as arrived in time.
fn heard(parts: &Receiver<Vec<u8>>) -> String {
    let end = Instant::now() + LAST_WORDS;
    let left = || end.saturating_duration_since(Instant::now());
    let mut bytes = Vec::new();
    while let Ok(part) = parts.recv_timeout(left()) {
        bytes.extend(part);
    }
    let is_cut = bytes.len() > HEARD;
    bytes.truncate(HEARD);
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if is_cut {
        text.push_str("\n… (cut)\n");
    }
    text
}
