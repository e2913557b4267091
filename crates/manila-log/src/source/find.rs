//! From words to places: files as they are named, directories with all below them, globs.

use super::glob;
use super::in_words;
use super::pipe;
use crate::input::InputError;
use std::collections::{HashSet, VecDeque};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// What becomes of names in directories that begin with a dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// They are passed over.
    Skip,
    /// They are read like others.
    Read,
}

/// Something to read.
#[derive(Debug)]
pub(crate) enum Place {
    /// Ours, and which file it is if it is one.
    StandardInput {
        id: Option<FileId>,
        size: Option<u64>,
    },
    File {
        name: Arc<str>,
        path: PathBuf,
        id: FileId,
        size: Option<u64>,
    },
    Nowhere(InputError),
}

impl Place {
    pub(crate) fn name(&self) -> Arc<str> {
        match self {
            Place::StandardInput { .. } => "-".into(),
            Place::File { name, .. } => Arc::clone(name),
            Place::Nowhere(input_error) => Arc::clone(&input_error.name),
        }
    }

    /// Which file it is, if it is one.
    pub(crate) fn id(&self) -> Option<&FileId> {
        match self {
            Place::StandardInput { id, .. } => id.as_ref(),
            Place::File { id, .. } => Some(id),
            Place::Nowhere(_) => None,
        }
    }

    /// How large it is, if that is known.
    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Place::StandardInput { size, .. } | Place::File { size, .. } => *size,
            Place::Nowhere(_) => Some(0),
        }
    }
}

/// Which file it is, whatever it is called.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileId(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] PathBuf);

impl FileId {
    #[cfg(unix)]
    pub(crate) fn of(_: &Path, metadata: &Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt;
        FileId((metadata.dev(), metadata.ino()))
    }

    #[cfg(not(unix))]
    pub(crate) fn of(path: &Path, _: &Metadata) -> FileId {
        FileId(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
    }
}

/// Finds what the words name, and what of it was reached twice.
pub(crate) fn find(words: &[PathBuf], hidden: Hidden) -> (VecDeque<Place>, Vec<Arc<str>>) {
    let mut search = Search { hidden, ..Search::default() };
    for word in words {
        search.word(word);
    }
    (search.places, search.repeated)
}

struct Search {
    hidden: Hidden,
    places: VecDeque<Place>,
    known: HashSet<FileId>,
    has_input: bool,
    repeated: Vec<Arc<str>>,
}

impl Default for Search {
    fn default() -> Search {
        Search {
            hidden: Hidden::Skip,
            places: VecDeque::new(),
            known: HashSet::new(),
            has_input: false,
            repeated: Vec::new(),
        }
    }
}

impl Search {
    fn word(&mut self, word: &Path) {
        if word == Path::new("-") {
            if std::mem::replace(&mut self.has_input, true) {
                self.repeated.push("-".into());
            } else {
                self.places.push_back(standard_input());
            }
            return;
        }
        match fs::metadata(word) {
            Ok(metadata) if metadata.is_dir() => self.dir(word),
            Ok(metadata) => self.file(word, &metadata),
            // What exists is meant as it is spelled.
            Err(error)
                if error.kind() == io::ErrorKind::NotFound
                    && glob::is_pattern(word.as_os_str().as_encoded_bytes()) =>
            {
                self.pattern(word);
            }
            Err(error) => self.input_error(word, error),
        }
    }

    fn input_error(&mut self, path: &Path, error: io::Error) {
        self.nowhere(path, in_words(error));
    }

    fn nowhere(&mut self, path: &Path, error: io::Error) {
        self.places.push_back(Place::Nowhere(InputError { name: name(path), offset: None, error }));
    }

    fn file(&mut self, path: &Path, metadata: &Metadata) {
        let id = FileId::of(path, metadata);
        if !self.known.insert(id.clone()) {
            return self.repeated.push(name(path));
        }
        let size = metadata.is_file().then_some(metadata.len());
        self.places.push_back(Place::File { name: name(path), path: path.to_owned(), id, size });
    }

    /// Everything below a directory, by name. Explicit directories on a list, so that no depth is
    /// too deep.
    fn dir(&mut self, dir: &Path) {
        let mut ahead = vec![dir.to_owned()];
        while let Some(path) = ahead.pop() {
            match fs::symlink_metadata(&path) {
                // The directory that was named may be a link.
                Ok(metadata) if metadata.is_dir() || path == dir => match self.entries(&path) {
                    Ok(entries) => ahead.extend(entries.into_iter().rev()),
                    Err(error) => self.input_error(&path, error),
                },
                Ok(metadata) if metadata.is_file() => self.file(&path, &metadata),
                Ok(metadata) if metadata.is_symlink() => self.link(&path),
                // A socket or a pipe in a directory is not waited for.
                Ok(_) => {}
                Err(error) => self.input_error(&path, error),
            }
        }
    }

    /// A link in a directory. A link beside its file is how logs name the latest, and is not
    /// reported.
    fn link(&mut self, path: &Path) {
        if let Ok(metadata) = fs::metadata(path)
            && metadata.is_file()
            && !self.known.contains(&FileId::of(path, &metadata))
        {
            self.file(path, &metadata);
        }
    }

    /// What is in a directory, by name: files before links to them.
    fn entries(&self, dir: &Path) -> io::Result<Vec<PathBuf>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            let name = entry.file_name();
            if self.hidden == Hidden::Read || !is_hidden(&name) {
                let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
                entries.push((is_link, name));
            }
        }
        entries.sort();
        // As it was named: what lies in `.` is called by its name alone.
        let dir = if dir == Path::new(".") { Path::new("") } else { dir };
        Ok(entries.iter().map(|(_, name)| dir.join(name)).collect())
    }

    fn pattern(&mut self, pattern: &Path) {
        let before = self.places.len() + self.repeated.len();
        let components: Vec<Component<'_>> = pattern.components().collect();
        self.expand(Path::new(""), &components);
        if self.places.len() + self.repeated.len() == before {
            let error = io::Error::new(io::ErrorKind::NotFound, "no file matches");
            self.nowhere(pattern, error);
        }
    }

    /// Takes what the components of a pattern match below a path.
    fn expand(&mut self, below: &Path, components: &[Component<'_>]) {
        let Some((first, rest)) = components.split_first() else {
            return match fs::metadata(below) {
                Ok(metadata) if metadata.is_dir() => self.dir(below),
                Ok(metadata) => self.file(below, &metadata),
                Err(error) => self.input_error(below, error),
            };
        };
        let spelled = first.as_os_str();
        let bytes = spelled.as_encoded_bytes();
        if !glob::is_pattern(bytes) {
            let next = below.join(spelled);
            if next.symlink_metadata().is_ok() {
                self.expand(&next, rest);
            }
            return;
        }
        let here = if below.as_os_str().is_empty() { Path::new(".") } else { below };
        let entries = match fs::read_dir(here) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return,
            Err(error) => return self.input_error(here, error),
        };
        let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        if bytes == b"**" {
            // No directory at all, then each below.
            if !rest.is_empty() {
                self.expand(below, rest);
            }
            for name in names.iter().filter(|name| !is_hidden(name)) {
                let path = below.join(name);
                let is_dir = path.symlink_metadata().is_ok_and(|it| it.is_dir());
                if is_dir {
                    self.expand(&path, components);
                } else if rest.is_empty() {
                    self.expand(&path, rest);
                }
            }
            return;
        }
        let meant = |name: &&std::ffi::OsString| {
            let is_named = self.hidden == Hidden::Read || bytes.first() == Some(&b'.');
            (is_named || !is_hidden(name)) && glob::matches(bytes, name.as_encoded_bytes())
        };
        let names: Vec<_> = names.iter().filter(meant).collect();
        for name in names {
            self.expand(&below.join(name), rest);
        }
    }
}

fn standard_input() -> Place {
    let metadata = pipe::standard_input().and_then(|file| file.metadata());
    let file = metadata.ok().filter(Metadata::is_file);
    let id = file.as_ref().map(|metadata| FileId::of(Path::new("-"), metadata));
    Place::StandardInput { id, size: file.map(|metadata| metadata.len()) }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().first() == Some(&b'.')
}

fn name(path: &Path) -> Arc<str> {
    path.to_string_lossy().into()
}
