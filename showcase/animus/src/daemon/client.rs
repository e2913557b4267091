//! How commands talk to the daemon: one question, one answer, and never longer than they want to wait.

use super::place::Address;
use super::protocol::{Report, Request, STOPPING};
use super::{DaemonError, Place};
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long a daemon may take to say how it is.
const PATIENCE: Duration = Duration::from_secs(5);
/// No answer is longer, unless it is none.
const LONGEST: u64 = 1 << 20;

/// How a daemon ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// As it was asked to.
    Graceful,
    /// Before it could answer.
    Abrupt,
}

/// What the daemon reports about itself; nothing if none runs.
pub(crate) fn report(place: &Place) -> Result<Option<Report>, DaemonError> {
    let Some(answer) = ask(place, Request::Status, PATIENCE)? else { return Ok(None) };
    let report = serde_json::from_slice(&answer);
    report.map(Some).map_err(|_| silent(place, &"it hung up without a report"))
}

/// Asks the daemon to end and waits until it has; nothing if none runs.
pub(crate) fn stop(place: &Place, patience: Duration) -> Result<Option<End>, DaemonError> {
    let answer = ask(place, Request::Stop, patience)?;
    Ok(answer.map(|answer| if answer == STOPPING { End::Graceful } else { End::Abrupt }))
}

/// The whole answer to a request, or `None` if no daemon listens.
fn ask(
    place: &Place,
    request: Request,
    patience: Duration,
) -> Result<Option<Vec<u8>>, DaemonError> {
    let (sender, receiver) = mpsc::channel();
    let address = place.address();
    // A daemon that hangs can hold up its callers at every step, and connecting knows no limit: so
    // all of it happens elsewhere, and what is late is not waited for.
    let talker = thread::Builder::new().spawn(move || {
        let _ = sender.send(address.and_then(|address| talk(&address, request)));
    });
    talker.map_err(|error| silent(place, &error))?;
    match receiver.recv_timeout(patience) {
        Ok(Ok(answer)) => Ok(Some(answer)),
        Ok(Err(error)) if is_absent(&error) => Ok(None),
        Ok(Err(error)) => Err(silent(place, &error)),
        Err(_) => Err(silent(place, &format_args!("nothing within {patience:?}"))),
    }
}

fn talk(address: &Address, request: Request) -> io::Result<Vec<u8>> {
    let mut stream = UnixStream::connect(address)?;
    let mut answer = Vec::new();
    let said = stream.write_all(request.as_str().as_bytes());
    match said.and_then(|()| stream.take(LONGEST).read_to_end(&mut answer)) {
        // It ended in the middle of it.
        Err(error) if is_cut(&error) => Ok(answer),
        read => read.map(|_| answer),
    }
}

fn is_cut(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe)
}

/// Whether no daemon listens: there is no socket, it is that of a daemon that was killed, or there can be
/// none, for its path is too long or leads through a file.
fn is_absent(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionRefused, InvalidInput, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | ConnectionRefused | InvalidInput | NotADirectory)
}

fn silent(place: &Place, reason: &impl ToString) -> DaemonError {
    DaemonError::Silent { reason: reason.to_string(), pid_file: place.pid_file() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;
    use std::path::Path;

    /// A place whose daemon answers with these bytes and closes the connection.
    fn answering(answer: &'static [u8]) -> (tempfile::TempDir, Place) {
        let directory = tempfile::tempdir().unwrap();
        let place = Place::below(directory.path());
        place.make().unwrap();
        let listener = UnixListener::bind(place.socket()).unwrap();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; Request::LONGEST];
            assert!(stream.read(&mut request).unwrap() > 0);
            stream.write_all(answer).unwrap();
        });
        (directory, place)
    }

    #[test]
    fn no_daemon_is_not_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let place = Place::below(directory.path());
        assert!(report(&place).unwrap().is_none());
        place.make().unwrap();
        drop(UnixListener::bind(place.socket()).unwrap());
        assert!(report(&place).unwrap().is_none());
        let deep = Place::below(Path::new(&"x/".repeat(200)));
        assert!(report(&deep).unwrap().is_none());
    }

    #[test]
    fn what_is_no_report_is_no_answer() {
        for answer in [&b""[..], b"{", b"null", b"\xff\xfe"] {
            let (_directory, place) = answering(answer);
            assert!(matches!(report(&place), Err(DaemonError::Silent { .. })));
        }
    }

    #[test]
    fn who_says_nothing_is_not_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let place = Place::below(directory.path());
        place.make().unwrap();
        let _listener = UnixListener::bind(place.socket()).unwrap();
        let silent = ask(&place, Request::Status, Duration::from_millis(10));
        assert!(matches!(silent, Err(DaemonError::Silent { .. })));
    }

    #[test]
    fn an_end_is_graceful_if_it_was_announced() {
        let (_directory, place) = answering(STOPPING);
        assert_eq!(stop(&place, PATIENCE).unwrap(), Some(End::Graceful));
        let (_directory, place) = answering(b"");
        assert_eq!(stop(&place, PATIENCE).unwrap(), Some(End::Abrupt));
    }
}
