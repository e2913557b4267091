//! How a daemon is started: in the background, with a log of its own, and not believed to run before
//! it says so.

use super::log::Log;
use super::protocol::Sign;
use super::wait::is_readable;
use super::{DaemonError, Place};
use std::error::Error;
use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a daemon may take until it can be called.
const PATIENCE: Duration = Duration::from_secs(20);

/// Starts the daemon that this command is, and waits until it can be called; its number.
pub(crate) fn start(place: &Place, command: Command) -> Result<u32, DaemonError> {
    let started = launch(place, command);
    let (mut child, log) = started.map_err(|error| DaemonError::failed_to_start(&error))?;
    match sign(&mut child) {
        Ok(Sign::Ready) => Ok(child.id()),
        Ok(Sign::Taken) => {
            let _ = child.wait();
            Err(DaemonError::AlreadyRunning)
        }
        Err(reason) => {
            // It may still be at it; one that is given up must not come to life later.
            let _ = child.kill().and_then(|()| child.wait());
            match log.tail() {
                Ok(tail) if !tail.is_empty() => {
                    Err(DaemonError::FailedToStart { startup_log_tail: tail })
                }
                _ => Err(DaemonError::failed_to_start(&reason)),
            }
        }
    }
}

fn launch(place: &Place, mut command: Command) -> Result<(Child, Log), Box<dyn Error>> {
    place.make()?;
    let log = Log::open(&place.log())?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log.stdio()?);
    Ok((command.spawn()?, log))
}

/// What the daemon says on its stdout.
fn sign(child: &mut Child) -> io::Result<Sign> {
    let failed = |reason| Err(io::Error::other(reason));
    let Some(mut output) = child.stdout.take() else { return failed("it has no output") };
    let deadline = Instant::now() + PATIENCE;
    while !is_readable(&output, 1)? {
        if Instant::now() >= deadline {
            return failed("it was not ready in time");
        }
    }
    let mut word = [0; 16];
    let length = output.read(&mut word)?;
    Sign::from_bytes(&word[..length]).map_or_else(|| failed("it ended without a word"), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Starts this as if it were a daemon.
    fn start_script(script: &str) -> Result<u32, DaemonError> {
        let directory = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        start(&Place::below(directory.path()), command)
    }

    fn tail(script: &str) -> String {
        match start_script(script) {
            Err(DaemonError::FailedToStart { startup_log_tail }) => startup_log_tail,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn it_runs_once_it_says_so() {
        assert!(start_script("printf ready").is_ok());
    }

    #[test]
    fn there_can_be_another() {
        let taken = start_script("printf taken; exit 4");
        assert!(matches!(taken, Err(DaemonError::AlreadyRunning)));
    }

    #[test]
    fn one_that_ends_leaves_its_last_words() {
        assert_eq!(
            tail("echo error: panic in scheduler loop >&2; exit 1"),
            "error: panic in scheduler loop"
        );
        assert_eq!(tail("exit 0"), "it ended without a word");
        assert_eq!(tail("printf readier"), "it ended without a word");
    }
}
