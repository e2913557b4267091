//! The daemon's log: it is the stderr of the daemon, and its last lines say why one did not start.

use super::place::own_file;
use jiff::Timestamp;
use showcase_store::{Error as StoreError, Operation};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Stdio;

/// How much of its end is reported.
const LINES: usize = 20;
const BYTES: u64 = 8192;

/// Writes a line. A log that cannot be written does not end the daemon.
pub(crate) fn line(text: &str) {
    let _ = writeln!(io::stderr(), "{:.0} {text}", Timestamp::now());
}

/// The log of a daemon that is being started.
pub(crate) struct Log {
    file: File,
    /// Where the lines of this start begin.
    start: u64,
}

impl Log {
    /// The log of this file, to be written on at its end.
    pub(crate) fn open(path: &Path) -> Result<Log, StoreError> {
        let failed = |error| StoreError::new(Operation::Open, path, error);
        let file = own_file().create(true).read(true).append(true).open(path).map_err(failed)?;
        let start = file.metadata().map_err(failed)?.len();
        Ok(Log { file, start })
    }

    /// Somewhere for a process to write to.
    pub(crate) fn stdio(&self) -> io::Result<Stdio> {
        self.file.try_clone().map(Stdio::from)
    }

    /// The last lines since it was opened.
    pub(crate) fn tail(&self) -> io::Result<String> {
        // Where it is read does not matter to who appends, though they share the file.
        let mut file = &self.file;
        let start = self.start.max(file.metadata()?.len().saturating_sub(BYTES));
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.take(BYTES).read_to_end(&mut bytes)?;
        Ok(last_lines(&String::from_utf8_lossy(&bytes)))
    }
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_tail_is_of_this_start_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        fs::write(&path, "an older start\n").unwrap();
        let mut log = Log::open(&path).unwrap();
        assert_eq!(log.tail().unwrap(), "");
        log.file.write_all(b"this one\nfailed\n").unwrap();
        assert_eq!(log.tail().unwrap(), "this one\nfailed");
    }

    #[test]
    fn of_a_long_log_there_is_the_end() {
        let directory = tempfile::tempdir().unwrap();
        let mut log = Log::open(&directory.path().join("log")).unwrap();
        for number in 0..10_000 {
            writeln!(log.file, "line {number}").unwrap();
        }
        let tail = log.tail().unwrap();
        assert_eq!(tail.lines().count(), LINES);
        assert!(tail.ends_with("line 9999"), "{tail}");
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        let directory = tempfile::tempdir().unwrap();
        let mut log = Log::open(&directory.path().join("log")).unwrap();
        log.file.write_all(b"bad \xff byte").unwrap();
        assert_eq!(log.tail().unwrap(), "bad \u{fffd} byte");
    }
}
