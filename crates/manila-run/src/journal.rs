//! A file of lines that many processes add to at once: a line is there whole or not at all.
//!
//! Nothing is ever changed in place. To add a line, a process takes the lock of the file, first
//! ends what a killed process left unfinished, and then writes once.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// A process that holds the lock for longer is taken to be stuck.
const PATIENCE: Duration = Duration::from_secs(10);

/// Adds a line, which must have no line end in it. The file and its directory are made if need be.
pub(crate) fn append(path: &Path, line: &str) -> io::Result<()> {
    append_within(path, line, u64::MAX)
}

/// The same, unless the file would be larger than so many bytes.
pub(crate) fn append_within(path: &Path, line: &str, most: u64) -> io::Result<()> {
    if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
        fs::create_dir_all(dir)?;
    }
    let mut file =
        OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path)?;
    lock(&file, PATIENCE)?;
    let mut last = [b'\n'];
    let end = file.seek(SeekFrom::End(0))?;
    if end > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    let unfinished = if last == [b'\n'] { "" } else { "\n" };
    let added = format!("{unfinished}{line}\n");
    if end.saturating_add(added.len() as u64) > most {
        return Err(io::Error::other(format!("it may have {most} bytes, and there is no room")));
    }
    file.write_all(added.as_bytes()).inspect_err(|_| {
        // A disk that is full took a part of it.
        let _ = file.set_len(end);
    })
}

/// Every complete line of a file that may not exist. Lines that are not text are left out.
pub(crate) fn lines(path: &Path, most: u64) -> io::Result<Vec<String>> {
    // Opening a pipe blocks until there is a writer, which may never come.
    let file = match OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file?,
    };
    if file.metadata()?.file_type().is_fifo() {
        return Err(io::Error::other("it is a pipe"));
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it is larger than {most} bytes")));
    }
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let lines = bytes[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    Ok(lines.filter_map(|line| std::str::from_utf8(line).ok()).map(str::to_owned).collect())
}

/// Waits for the lock, which ends with the file, but not forever: a process that was stopped may
/// hold it.
fn lock(file: &File, patience: Duration) -> io::Result<()> {
    let begin = Instant::now();
    loop {
        match rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::WOULDBLOCK) if begin.elapsed() < patience => {
                thread::sleep(Duration::from_millis(1));
            }
            locked => return Ok(locked?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_unfinished_is_a_line_of_its_own() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/journal");
        append(&path, "one").unwrap();
        fs::write(&path, "one\ntw").unwrap();
        assert_eq!(lines(&path, 100).unwrap(), ["one"]);
        append(&path, "three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntw\nthree\n");
    }

    #[test]
    fn a_file_that_is_not_there_has_no_lines() {
        assert!(lines(Path::new("/no/such/journal"), 10).unwrap().is_empty());
    }

    #[test]
    fn a_file_that_is_too_large_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        fs::write(&path, "0123456789\n").unwrap();
        assert!(lines(&path, 5).is_err());
    }

    #[test]
    fn a_pipe_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RUSR).unwrap();
        assert!(lines(&path, 10).is_err());
    }

    #[test]
    fn a_line_that_has_no_room_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        append_within(&path, "123", 8).unwrap();
        append_within(&path, "4567", 8).unwrap_err();
        append_within(&path, "456", 8).unwrap();
        assert_eq!(lines(&path, 8).unwrap(), ["123", "456"]);
    }

    #[test]
    fn waiting_for_a_held_lock_ends() {
        let dir = tempfile::tempdir().unwrap();
        let open = || File::create(dir.path().join("journal")).unwrap();
        let (kept, asked) = (open(), open());
        lock(&kept, Duration::ZERO).unwrap();
        lock(&asked, Duration::ZERO).unwrap_err();
        drop(kept);
        lock(&asked, Duration::ZERO).unwrap();
    }

    #[test]
    fn threads_that_add_at_once_lose_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = &dir.path().join("journal");
        std::thread::scope(|scope| {
            for number in 0..16 {
                scope.spawn(move || {
                    (0..8).for_each(|line| append(path, &format!("{number} {line}")).unwrap());
                });
            }
        });
        let mut lines = lines(path, 10_000).unwrap();
        lines.sort();
        lines.dedup();
        assert_eq!(lines.len(), 128);
    }
}
