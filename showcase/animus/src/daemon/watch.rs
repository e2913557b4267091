//! The live count of a project's subjects, taken anew whenever their file is another.

use super::protocol::Count;
use crate::subject::{Status, Subjects};
use clap::ValueEnum;
use showcase_store::{Error, JsonFile};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What distinguishes one state of a file from the next: it is replaced whole, never changed in
/// place.
type Stamp = (u64, i64, i64, u64);

/// A store that is watched.
pub(crate) struct Watch {
    store: JsonFile<Subjects>,
    stamp: Option<Stamp>,
    count: Count,
    problem: Option<String>,
}

impl Watch {
    /// Begins with the count of this moment.
    pub(crate) fn begin(store: JsonFile<Subjects>) -> Result<Watch, Error> {
        // First the stamp: if the file changes before it is read, it is read once more.
        let stamp = stamp(store.path());
        let count = count(&store.read()?);
        Ok(Watch { store, stamp, count, problem: None })
    }

    /// Looks again, if there is something new; whether there was.
    pub(crate) fn look(&mut self) -> bool {
        let stamp = stamp(self.store.path());
        if stamp == self.stamp {
            return false;
        }
        self.stamp = stamp;
        match self.store.read() {
            Ok(subjects) => {
                self.count = count(&subjects);
                self.problem = None;
            }
            Err(error) => self.problem = Some(error.to_string()),
        }
        true
    }

    /// How many there were when they could last be counted.
    pub(crate) fn count(&self) -> &Count {
        &self.count
    }

    /// Why they cannot be counted now.
    pub(crate) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    Some((file.ino(), file.mtime(), file.mtime_nsec(), file.len()))
}

fn count(subjects: &Subjects) -> Count {
    let mut by_status: BTreeMap<Status, usize> =
        Status::value_variants().iter().map(|status| (*status, 0)).collect();
    for subject in subjects.iter() {
        *by_status.entry(subject.status).or_default() += 1;
    }
    Count { total: by_status.values().sum(), by_status }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::subject::{Draft, Duplicates, Kind, Priority};
    use jiff::Timestamp;

    fn store(directory: &Path) -> JsonFile<Subjects> {
        JsonFile::at(directory.join("subjects.json"))
    }

    fn add(directory: &Path, title: &str) {
        let (title, description) = (title.to_owned(), String::new());
        let draft = Draft { kind: Kind::Task, title, description, priority: Priority::Low };
        let now = Timestamp::UNIX_EPOCH;
        let added = store(directory)
            .change(|all| all.create(draft, Duplicates::Refused, now).map_err(Error::from));
        added.unwrap();
    }

    #[test]
    fn it_looks_when_there_is_something_new() {
        let directory = tempfile::tempdir().unwrap();
        let mut watch = Watch::begin(store(directory.path())).unwrap();
        assert_eq!((watch.look(), watch.count().total), (false, 0));
        add(directory.path(), "a");
        assert_eq!((watch.look(), watch.count().total), (true, 1));
        assert_eq!(watch.count().by_status[&Status::Backlog], 1);
        assert_eq!(watch.count().by_status.len(), Status::value_variants().len());
        assert!(!watch.look());
    }

    #[test]
    fn a_file_that_breaks_leaves_the_last_count() {
        let directory = tempfile::tempdir().unwrap();
        add(directory.path(), "a");
        let mut watch = Watch::begin(store(directory.path())).unwrap();
        fs::write(directory.path().join("subjects.json"), "{").unwrap();
        assert!(watch.look());
        assert!(watch.problem().is_some_and(|problem| problem.contains("subjects.json")));
        assert_eq!(watch.count().total, 1);
        fs::remove_file(directory.path().join("subjects.json")).unwrap();
        assert!(watch.look());
        assert_eq!((watch.problem(), watch.count().total), (None, 0));
    }

    #[test]
    fn it_does_not_begin_with_a_broken_file() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("subjects.json"), "[]").unwrap();
        assert!(Watch::begin(store(directory.path())).is_err());
    }
}
