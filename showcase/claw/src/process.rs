//! Children that end when they should: in a group of their own, under a watch, heard up to a limit.

use crate::watch::{Stop, Watch};
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, PipeReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How much of what a child says is kept.
const HEARD: u64 = 64 << 10;
/// How often the watch is asked.
const PACE: Duration = Duration::from_millis(5);
/// How long its words may take to arrive once it has ended. Somebody whom it left behind may hold
/// the line open.
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

/// Runs a child to its end, or to the end of the watch.
pub(crate) fn run(mut command: Command, watch: &Watch<'_>) -> Result<Ended, Halt> {
    // Whoever has asked once is given the time to end what was started.
    watch.check().map_err(Halt::Stopped)?;
    let (reader, writer) = io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer).process_group(0);
    let mut child = command.spawn()?;
    // It holds ends of the pipe that would keep it open.
    drop(command);
    let (sender, said) = mpsc::channel();
    thread::spawn(move || sender.send(heard(reader)));
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if let Err(stop) = watch.check() {
            kill(&mut child)?;
            return Err(Halt::Stopped(stop));
        }
        thread::sleep(PACE);
    };
    Ok(Ended { status, said: said.recv_timeout(LAST_WORDS).unwrap_or_default() })
}

/// Ends a child that is not yet waited for, so that its group cannot be somebody else's.
fn kill(child: &mut Child) -> io::Result<()> {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        kill_process_group(group, Signal::KILL)?;
    }
    child.wait().map(drop)
}

/// The beginning of what is said; the rest is let go, so that nobody waits for a reader.
fn heard(reader: PipeReader) -> String {
    let mut bytes = Vec::new();
    let mut beginning = reader.take(HEARD);
    let is_cut = beginning.read_to_end(&mut bytes).is_ok_and(|read| read as u64 == HEARD);
    let rest = io::copy(&mut beginning.into_inner(), &mut io::sink()).unwrap_or_default();
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if is_cut && rest > 0 {
        text.push_str("\n… (cut)\n");
    }
    text
}
