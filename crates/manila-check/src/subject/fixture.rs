//! Whether a directory can be the fixture of a program: each run gets a copy of it, so it must be
//! small and readable, and not hold the copies themselves.

use crate::error::{Error, ErrorKind};
use std::fs;
use std::path::Path;

/// How many entries it may have, and how many bytes.
const MOST_ENTRIES: usize = 10_000;
const MOST_BYTES: u64 = 64 << 20;

/// An error that says what is wrong with it, if anything is.
pub(super) fn examine(fixture: &Path) -> Result<(), Error> {
    let bad = |what: &str, suggestion: &str| {
        let message = format!("the fixture {} {what}", fixture.display());
        Err(Error::new(ErrorKind::BadDeclaration, message).suggest(suggestion))
    };
    if !fixture.is_dir() {
        return bad(
            "is not a directory",
            "`fixture` below `[program]` names a directory beside manila.toml",
        );
    }
    let holds = |inner: &Path| {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        real(inner).starts_with(real(fixture))
    };
    if holds(&std::env::temp_dir()) {
        return bad(
            "contains the temporary directory, where each run gets a copy of it",
            "name a directory with only the files that the program should find",
        );
    }
    let mut size = Size::default();
    if let Err((path, error)) = size.add(fixture) {
        let what = format!("has {path}, which cannot be read: {error}");
        return bad(&what, "make it readable, or name another directory");
    }
    if size.entries > MOST_ENTRIES || size.bytes > MOST_BYTES {
        let what = format!(
            "is too large: each run gets a copy of it, and it may have {MOST_ENTRIES} files and {} \
             MiB",
            MOST_BYTES >> 20
        );
        return bad(&what, "name a directory with only what the program should find");
    }
    Ok(())
}

#[derive(Default)]
struct Size {
    entries: usize,
    bytes: u64,
}

impl Size {
    /// Adds what is in a directory, until it is too much; what cannot be read, and why.
    fn add(&mut self, directory: &Path) -> Result<(), (String, std::io::Error)> {
        let of = |path: &Path, error| (path.display().to_string(), error);
        let entries = fs::read_dir(directory).map_err(|error| of(directory, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| of(directory, error))?;
            let path = entry.path();
            let about = entry.metadata().map_err(|error| of(&path, error))?;
            self.entries += 1;
            if self.entries > MOST_ENTRIES || self.bytes > MOST_BYTES {
                return Ok(());
            }
            if about.is_dir() {
                self.add(&path)?;
            } else if about.is_file() {
                fs::File::open(&path).map_err(|error| of(&path, error))?;
                self.bytes = self.bytes.saturating_add(about.len());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_small_directory_that_can_be_copied_is_one() {
        let directory = tempfile::tempdir().expect("a directory");
        let inner = directory.path().join("inner");
        fs::create_dir(&inner).expect("a directory");
        fs::write(inner.join("file"), "x").expect("a file");
        assert_eq!(examine(directory.path()), Ok(()));
        let message = |path: &Path| examine(path).expect_err("no fixture").to_string();
        assert!(message(&inner.join("file")).ends_with("is not a directory"));
        assert!(message(Path::new("/")).contains("contains the temporary directory"));
        let large = fs::File::create(inner.join("large")).expect("a file");
        large.set_len(MOST_BYTES + 1).expect("a large file");
        assert!(message(directory.path()).contains("is too large"));
        assert_eq!(examine(directory.path()).expect_err("no").kind(), ErrorKind::BadDeclaration);
    }
}
