//! Where commands and tools work: below the current directory, and for as long as they may.

use crate::error::Error;
use crate::watch::Watch;
use rustix::fs::{Mode, OFlags, openat};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// The current directory, and the watch over what is done in it.
pub(crate) struct Site<'c> {
    /// Without links, so that paths below it can be distinguished from others.
    root: PathBuf,
    /// The same, open: what is found below it cannot be led elsewhere.
    directory: File,
    pub(crate) watch: Watch<'c>,
}

/// What came of a piece of work.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Work {
    /// What happened, in a few words.
    pub(crate) message: String,
    /// What there is to read, if anything.
    pub(crate) output: Option<String>,
}

impl Work {
    /// It is done, and there is nothing to read.
    pub(crate) fn done(message: impl Into<String>) -> Work {
        Work { message: message.into(), output: None }
    }
}

impl<'c> Site<'c> {
    /// The current directory.
    pub(crate) fn here(watch: Watch<'c>) -> Result<Site<'c>, Error> {
        let dot = Path::new(".");
        let failed = |error: io::Error| Error::system("open", dot, &error);
        let directory = File::open(dot).map_err(failed)?;
        let root = fs::canonicalize(dot).map_err(failed)?;
        Ok(Site { root, directory, watch })
    }

    /// The directory, without links.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Something that exists below the directory, as the path from there that has no links.
    pub(crate) fn existing(&self, word: &str) -> Result<PathBuf, Error> {
        let path = inner(word)?;
        let real = self.real(path).map_err(|error| Error::system("open", path, &error))?;
        real.ok_or_else(|| outside(word))
    }

    /// Something that is to be made below the directory: an open directory that exists, and a name in it.
    pub(crate) fn free<'w>(&self, word: &'w str) -> Result<(File, &'w OsStr), Error> {
        let path = inner(word)?;
        let failed = |error: io::Error| Error::system("create", path, &error);
        let (parent, name) = path.parent().zip(path.file_name()).ok_or_else(|| outside(word))?;
        let parent = self.real(parent).map_err(failed)?.ok_or_else(|| outside(word))?;
        Ok((self.open(&parent).map_err(failed)?, name))
    }

    /// Opens a file or a directory by its path without links. If a link has appeared since,
    /// it is not followed, and a pipe is not waited for.
    pub(crate) fn open(&self, path: &Path) -> io::Result<File> {
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut file = self.directory.try_clone()?;
        for part in path.components() {
            file = openat(&file, part.as_os_str(), flags, Mode::empty())?.into();
        }
        Ok(file)
    }

    /// The text of a file, by its path without links. One that is larger is not read.
    pub(crate) fn read(&self, path: &Path, largest: u64) -> io::Result<String> {
        let file = self.open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        let mut bytes = Vec::new();
        file.take(largest + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > largest {
            let reason = format!("larger than {} MiB", largest >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
        }
        let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "the file is not UTF-8 text");
        String::from_utf8(bytes).map_err(no_text)
    }

    /// Where a path leads, from the directory; nothing if that is not below it.
    fn real(&self, path: &Path) -> io::Result<Option<PathBuf>> {
        let real = fs::canonicalize(self.root.join(path))?;
        Ok(real.strip_prefix(&self.root).ok().map(Path::to_owned))
    }
}

/// The last word of a prompt such as `create src/util/`, which names what it is about.
pub(crate) fn object(prompt: &str) -> Result<String, Error> {
    words(prompt)?.pop().ok_or_else(|| Error::Usage {
        target: prompt.to_owned(),
        message: "the prompt names nothing".to_owned(),
        hint: "end it with a path below the current directory".to_owned(),
    })
}

/// The words of a prompt; quotes hold one together.
pub(crate) fn words(text: &str) -> Result<Vec<String>, Error> {
    shlex::split(text).ok_or_else(|| Error::Usage {
        target: text.to_owned(),
        message: "a quote is not closed".to_owned(),
        hint: "close it, or put a backslash before it".to_owned(),
    })
}

/// A path that by its words alone stays below the directory.
fn inner(word: &str) -> Result<&Path, Error> {
    let path = Path::new(word);
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if path.components().all(stays) { Ok(path) } else { Err(outside(word)) }
}

fn outside(word: &str) -> Error {
    Error::Policy {
        operation: "resolve_path",
        target: word.to_owned(),
        message: format!("'{word}' is not below the current directory"),
        hint: "name something below the current directory, without '..'".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_is_the_last_word() {
        assert_eq!(object("create src/util/").unwrap(), "src/util/");
        assert_eq!(object("'a directory'").unwrap(), "a directory");
        assert!(matches!(object("  "), Err(Error::Usage { .. })));
        assert!(matches!(object("create 'x"), Err(Error::Usage { .. })));
    }

    #[test]
    fn words_alone_cannot_lead_out() {
        for bad in ["/etc", "..", "a/../../b", "../x"] {
            assert!(matches!(inner(bad), Err(Error::Policy { .. })), "{bad}");
        }
        assert!(inner("a/./b").is_ok());
    }
}
