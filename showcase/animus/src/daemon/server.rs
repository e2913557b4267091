//! The daemon itself: it watches the subjects and answers its clients until it is asked to end.

use super::protocol::{Report, Request, Running, STOPPING, Sign};
use super::wait::is_readable;
use super::watch::Watch;
use super::{DaemonError, Place, ServeError, log};
use crate::subject::Subjects;
use jiff::Timestamp;
use showcase_store::{Error as StoreError, JsonFile, Operation};
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How many seconds pass at most before it looks around without a request.
const TICK: u32 = 1;
/// How long a caller may keep it waiting: there may be others.
const PATIENCE: Duration = Duration::from_secs(1);

/// Is the daemon of a project until it is asked to end, by a caller or by a signal.
pub(crate) fn serve(
    place: &Place,
    root: &Path,
    subjects: JsonFile<Subjects>,
    is_cancelled: impl Fn() -> bool,
) -> Result<(), ServeError> {
    // A session of its own, so that it survives the terminal. A process that leads one already, as when it is
    // started by hand, cannot have another and needs none.
    let _ = rustix::process::setsid();
    let Some(right) = place.take()? else {
        announce(Sign::Taken);
        return Err(ServeError::Daemon(DaemonError::AlreadyRunning));
    };
    let mut daemon = Daemon::begin(root, subjects)?;
    let door = Door::open(place)?;
    log::line(&format!("daemon {} is ready", std::process::id()));
    announce(Sign::Ready);
    // From here on stdout has no reader; messages go to the log.
    let _ = rustix::stdio::dup2_stdout(rustix::stdio::stderr());
    let farewell = daemon.work(&door, is_cancelled)?;
    // A caller that waits for the end may start the next daemon at once, so nothing of this one may remain.
    drop((door, right));
    // The end of the process is what they wait for, and it closes this.
    std::mem::forget(farewell);
    Ok(())
}

/// The process that started it may be gone; the daemon runs anyway.
fn announce(sign: Sign) {
    let mut output = io::stdout();
    let _ = output.write_all(sign.as_str().as_bytes()).and_then(|()| output.flush());
}

/// The socket that callers connect to. It is there for as long as this is.
struct Door {
    listener: UnixListener,
    path: PathBuf,
    inode: u64,
}

impl Door {
    /// Only for who has the right to be the daemon: what is there already was left by one that was
    /// killed.
    fn open(place: &Place) -> Result<Door, StoreError> {
        let path = &place.socket();
        let failed = |operation| move |error| StoreError::new(operation, path, error);
        if let Err(error) = fs::remove_file(path)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(failed(Operation::Remove)(error));
        }
        let listener = place.address().and_then(UnixListener::bind);
        let listener = listener.map_err(failed(Operation::Create))?;
        let inode = fs::metadata(path).map_err(failed(Operation::Open))?.ino();
        Ok(Door { listener, path: path.clone(), inode })
    }

    /// Whether callers still find it: the project may be gone, or another daemon in its place.
    fn is_there(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|file| file.ino() == self.inode)
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        if self.is_there() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

struct Daemon {
    watch: Watch,
    project_root: String,
    started_at: Timestamp,
    start: Instant,
}

impl Daemon {
    fn begin(root: &Path, subjects: JsonFile<Subjects>) -> Result<Daemon, StoreError> {
        Ok(Daemon {
            watch: Watch::begin(subjects)?,
            project_root: root.display().to_string(),
            started_at: Timestamp::now(),
            start: Instant::now(),
        })
    }

    /// Answers callers until one asks it to end, who then waits for that.
    fn work(
        &mut self,
        door: &Door,
        is_cancelled: impl Fn() -> bool,
    ) -> Result<Option<UnixStream>, StoreError> {
        let failed = |error| StoreError::new(Operation::Read, &door.path, error);
        while !is_cancelled() && door.is_there() {
            self.look();
            if !is_readable(&door.listener, TICK).map_err(failed)? {
                continue;
            }
            let (mut caller, _) = door.listener.accept().map_err(failed)?;
            // What becomes of a caller is the caller's concern.
            if let Ok(Some(Request::Stop)) = self.answer(&mut caller) {
                return Ok(Some(caller));
            }
        }
        Ok(None)
    }

    fn look(&mut self) {
        if self.watch.look()
            && let Some(problem) = self.watch.problem()
        {
            log::line(problem);
        }
    }

    /// Answers one caller; what was asked.
    fn answer(&mut self, caller: &mut UnixStream) -> io::Result<Option<Request>> {
        caller.set_read_timeout(Some(PATIENCE))?;
        caller.set_write_timeout(Some(PATIENCE))?;
        let mut word = [0; Request::LONGEST];
        let length = caller.read(&mut word)?;
        let request = Request::from_bytes(&word[..length]);
        match request {
            Some(Request::Status) => {
                self.look();
                caller.write_all(&serde_json::to_vec(&self.report())?)?;
            }
            Some(Request::Stop) => caller.write_all(STOPPING)?,
            None => {}
        }
        Ok(request)
    }

    fn report(&self) -> Report {
        Report {
            status: Running::Running,
            pid: std::process::id(),
            started_at: self.started_at,
            uptime_secs: self.start.elapsed().as_secs(),
            project_root: self.project_root.clone(),
            subjects: self.watch.count().clone(),
            problem: self.watch.problem().map(str::to_owned),
        }
    }
}
