//! Files that records are written to, and what is left of them when a disk is full.

use crate::error::CliError;
use manila_log::source::Sources;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Stdout, Write};
use std::path::Path;

/// What stdout is called.
pub(crate) const STANDARD_OUTPUT: &str = "stdout";

/// Records on their way into a file, each with the newline that ends it.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pub(crate) bytes: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl Lines {
    /// Adds a record as it is.
    pub(crate) fn push(&mut self, record: &[u8]) {
        self.bytes.extend_from_slice(record);
        self.bytes.push(b'\n');
        self.end();
    }

    /// What was added to the bytes is a record.
    pub(crate) fn end(&mut self) {
        self.ends.push(self.bytes.len());
    }
}

/// What becomes of a file that has something in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    Refuse,
    Replace,
}

/// A file that takes records.
#[derive(Debug)]
pub(crate) struct OutputFile {
    pub(crate) name: String,
    target: Target,
    pub(crate) records: u64,
    pub(crate) bytes: u64,
}

#[derive(Debug)]
enum Target {
    File(File),
    StandardOutput(Stdout),
}

impl OutputFile {
    /// Stdout.
    pub(crate) fn standard_output() -> OutputFile {
        let target = Target::StandardOutput(io::stdout());
        OutputFile { name: STANDARD_OUTPUT.to_owned(), target, records: 0, bytes: 0 }
    }

    /// A file: none that is to be read, and none with something in it unless that may go. It goes with
    /// [`OutputFile::begin`], when nothing can be refused any more.
    pub(crate) fn create(
        path: &Path,
        sources: &Sources,
        existing: Existing,
    ) -> Result<OutputFile, CliError> {
        let refused = |error| CliError::unwritable(path, error);
        // Opening must not empty it: it may turn out to be what is to be read.
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = file.map_err(refused)?;
        let metadata = file.metadata().map_err(refused)?;
        if let Some(name) = sources.name_of(path, &metadata) {
            return Err(CliError::InvalidValue {
                message: format!(
                    "{} would be overwritten, and it is to be read: {name}",
                    path.display()
                ),
                suggestion: "name another file".to_owned(),
            });
        }
        if metadata.is_file() && metadata.len() > 0 && existing == Existing::Refuse {
            return Err(CliError::WouldOverwrite { path: path.to_owned() });
        }
        let name = path.display().to_string();
        Ok(OutputFile { name, target: Target::File(file), records: 0, bytes: 0 })
    }

    /// Makes it empty.
    pub(crate) fn begin(&self) -> Result<(), CliError> {
        match &self.target {
            Target::File(file) if file.metadata().is_ok_and(|it| it.is_file()) => {
                file.set_len(0).map_err(|error| CliError::unwritable(Path::new(&self.name), error))
            }
            _ => Ok(()),
        }
    }

    /// Whether it is the file of that path; devices take several writers.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        let same = match (fs::canonicalize(&self.name), fs::canonicalize(path)) {
            (Ok(one), Ok(other)) => one == other,
            _ => false,
        };
        same && path.is_file()
    }

    pub(crate) fn is_standard_output(&self) -> bool {
        matches!(self.target, Target::StandardOutput(_))
    }

    /// Writes records. If not all of them find room, those that did are whole.
    pub(crate) fn write(&mut self, lines: &Lines) -> io::Result<()> {
        let mut written = 0;
        let wrote = loop {
            if written == lines.bytes.len() {
                break Ok(());
            }
            let rest = &lines.bytes[written..];
            let step = match &mut self.target {
                Target::File(file) => file.write(rest),
                Target::StandardOutput(stdout) => stdout.write(rest),
            };
            match step {
                Ok(0) => break Err(io::ErrorKind::WriteZero.into()),
                Ok(more) => written += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        let whole = lines.ends.partition_point(|end| *end <= written);
        let end = whole.checked_sub(1).map_or(0, |last| lines.ends[last]);
        self.records += whole as u64;
        self.bytes += end as u64;
        if wrote.is_err()
            && let Target::File(file) = &self.target
        {
            // What is not a regular file keeps what was written to it.
            let _ = file.set_len(self.bytes);
        }
        wrote
    }

    /// Makes sure that everything has arrived.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::File(_) => Ok(()),
            Target::StandardOutput(stdout) => stdout.flush(),
        }
    }
}

/// Refuses to read the file that stdout goes to: it would never end.
#[cfg(unix)]
pub(crate) fn refuse_own_output(sources: &Sources) -> Result<(), CliError> {
    use std::os::fd::AsFd;
    let stdout = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    let metadata = stdout.and_then(|file| file.metadata()).ok().filter(fs::Metadata::is_file);
    match metadata.and_then(|metadata| sources.name_of(Path::new(STANDARD_OUTPUT), &metadata)) {
        None => Ok(()),
        Some(name) => Err(CliError::InvalidValue {
            message: format!("{name} is read, and stdout is redirected to it"),
            suggestion: "redirect stdout elsewhere".to_owned(),
        }),
    }
}

#[cfg(not(unix))]
pub(crate) fn refuse_own_output(_: &Sources) -> Result<(), CliError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_counted_as_they_are_written() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("kept");
        let sources = Sources::find(&[], manila_log::source::Hidden::Skip);
        let mut keep = OutputFile::create(&path, &sources, Existing::Refuse).expect("a file");
        let mut lines = Lines::default();
        lines.push(b"{\n}");
        lines.push(b"x");
        keep.write(&lines).expect("writes");
        assert_eq!((keep.records, keep.bytes), (2, 6));
        assert_eq!(std::fs::read(&path).expect("reads"), b"{\n}\nx\n");
        assert!(OutputFile::create(&path, &sources, Existing::Refuse).is_err());
        let keep = OutputFile::create(&path, &sources, Existing::Replace).expect("it may go");
        assert_eq!(std::fs::read(&path).expect("reads"), b"{\n}\nx\n");
        keep.begin().expect("it goes");
        assert_eq!(std::fs::read(&path).expect("reads"), b"");
    }
}
