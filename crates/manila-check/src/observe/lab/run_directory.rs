//! The directories of a run: made anew, compared with what they were, and removed whatever became
//! of them.

use super::{canary, sandbox, shim};
use crate::observe::probe::{Home, Setting};
use crate::observe::run::{Fate, Place, Written};
use crate::observe::sample_input;
use crate::subject::Subject;
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// How many files are reported, and how many are looked at.
pub(super) const MOST_REPORTED: usize = 100;
const MOST_SEEN: usize = 10_000;
/// How deep directories are looked into.
const DEEPEST: usize = 32;
/// How much is kept of each file.
const HEAD: u64 = 64 << 10;
/// Where a run is that is to be elsewhere.
const ELSEWHERE: &str = "some where/else";

/// The directory of all runs, which is removed in the end.
#[derive(Debug)]
pub(super) struct Root(PathBuf);

impl Root {
    pub(super) fn new() -> io::Result<Root> {
        let directory = tempfile::Builder::new().prefix("manila-check-").tempdir()?.keep();
        // Programs see the path without links, and so must the comparison.
        let root = Root(directory.canonicalize()?);
        fs::create_dir(root.0.join(sandbox::TOP))?;
        let shims = root.0.join(shim::DIRECTORY);
        fs::create_dir(&shims)?;
        shim::make(&shims)?;
        Ok(root)
    }
}

impl Root {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// The directories of one run, which are removed with it.
#[derive(Debug)]
pub(super) struct RunDirectory {
    /// Holds all of it, and what only the lab should touch.
    pub(super) own: PathBuf,
    /// Holds the three directories that the program knows.
    pub(super) place: PathBuf,
    before: Snapshot,
    tops: Tops,
    has_canaries: bool,
}

/// When the three directories themselves were changed, and what holds them.
type Tops = [Option<(i64, i64)>; 4];

type Snapshot = BTreeMap<(Place, PathBuf), Mark>;

/// Whatever changes when a file does.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mark {
    kind: Kind,
    inode: u64,
    size: u64,
    changed: (i64, i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    File,
    /// With whether anything is in it, so that only leaves are reported.
    Directory {
        is_empty: bool,
    },
    Other,
}

impl RunDirectory {
    /// Makes the directories of the run of that number.
    pub(super) fn new(
        root: &Root,
        number: usize,
        setting: &Setting,
        subject: &Subject,
    ) -> io::Result<RunDirectory> {
        let own = root.0.join(format!("{number:05}"));
        let place = match setting.home {
            Home::Elsewhere => own.join(ELSEWHERE),
            Home::Fresh | Home::Unset | Home::Used => own.clone(),
        };
        let has_canaries = setting.has_canaries;
        let (before, tops) = (Snapshot::new(), Tops::default());
        let mut directory = RunDirectory { own, place, before, tops, has_canaries };
        fs::create_dir_all(&directory.place)?;
        for path in [Place::Home, Place::Temporary, Place::Working].map(|it| directory.path(it)) {
            fs::create_dir(path)?;
        }
        symlink(Path::new("..").join(shim::DIRECTORY), directory.own.join(shim::DIRECTORY))?;
        match &subject.fixture {
            Some(fixture) => copy(fixture, &directory.path(Place::Working), 0)?,
            None => sample_input::write(&directory.path(Place::Working))?,
        }
        if setting.has_canaries {
            canary::write_files(&directory.path(Place::Home), &subject.name())?;
        }
        directory.take_snapshot();
        Ok(directory)
    }

    /// One of the three directories.
    pub(super) fn path(&self, place: Place) -> PathBuf {
        self.place.join(match place {
            Place::Home => "home",
            Place::Temporary => "tmp",
            Place::Working => "cwd",
            // Nothing of a run is there.
            Place::Host => "host",
        })
    }

    /// Remembers the present state; only later changes are reported.
    pub(super) fn take_snapshot(&mut self) {
        (self.before, self.tops) = (self.snapshot(), self.tops());
    }

    /// What is new, changed or gone, and whether nothing at all was touched, so that another run can have these
    /// directories.
    pub(super) fn changes(&self) -> (Vec<Written>, bool) {
        let after = self.snapshot();
        let is_untouched = after == self.before && self.tops() == self.tops;
        let mut wrote: Vec<Written> = after
            .iter()
            .filter_map(|(key, mark)| {
                let fate = match self.before.get(key) {
                    None => Fate::Made,
                    Some(before) if before == mark => return None,
                    // A change in a directory changes its metadata, and is reported separately.
                    Some(Mark { kind: Kind::Directory { .. }, .. }) => return None,
                    Some(_) => Fate::Changed,
                };
                (mark.kind != Kind::Directory { is_empty: false })
                    .then(|| self.written(key, mark.kind, fate))
            })
            .collect();
        let gone = self.before.iter().filter(|(key, _)| !after.contains_key(*key));
        wrote.extend(gone.map(|(key, mark)| self.written(key, mark.kind, Fate::Removed)));
        wrote.sort();
        wrote.truncate(MOST_REPORTED);
        (wrote, is_untouched)
    }

    fn written(&self, (place, path): &(Place, PathBuf), kind: Kind, fate: Fate) -> Written {
        let full = self.path(*place).join(path);
        let head = match (kind, fate) {
            (Kind::File, Fate::Made | Fate::Changed) => head(&full),
            (Kind::Other, Fate::Made | Fate::Changed) => fs::read_link(&full)
                .map(|to| to.as_os_str().as_bytes().to_vec())
                .unwrap_or_default(),
            _ => Vec::new(),
        };
        let end = if matches!(kind, Kind::Directory { .. }) { "/" } else { "" };
        let path = format!("{}{end}", path.to_string_lossy());
        Written { place: *place, path, fate, head }
    }

    fn tops(&self) -> Tops {
        let changed = |place: Place| {
            let metadata = fs::symlink_metadata(self.path(place)).ok()?;
            Some((metadata.ctime(), metadata.ctime_nsec()))
        };
        // Another name changes the other time too.
        let own = fs::symlink_metadata(&self.own).ok();
        let own = own.map(|metadata| (metadata.mtime(), metadata.mtime_nsec()));
        [changed(Place::Home), changed(Place::Temporary), changed(Place::Working), own]
    }

    fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::new();
        for place in [Place::Home, Place::Temporary, Place::Working] {
            see(&self.path(place), place, Path::new(""), 0, &mut snapshot);
        }
        snapshot
    }
}

impl Drop for RunDirectory {
    fn drop(&mut self) {
        remove(&self.own);
    }
}

/// Directories in which earlier runs changed nothing. Another run has them under another name, which takes less time
/// than to make new ones.
#[derive(Debug, Default)]
pub(super) struct Pool(Mutex<Vec<RunDirectory>>);

impl Pool {
    /// Directories as a run with this setting finds them, if there are any.
    pub(super) fn take(
        &self,
        root: &Root,
        number: usize,
        setting: &Setting,
    ) -> Option<RunDirectory> {
        let mut directory = {
            let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let is_alike = |it: &RunDirectory| it.has_canaries == setting.has_canaries;
            let at = free.iter().position(is_alike).filter(|_| is_usual(setting))?;
            free.swap_remove(at)
        };
        let own = root.0.join(format!("{number:05}"));
        fs::rename(&directory.own, &own).ok()?;
        directory.place.clone_from(&own);
        directory.own = own;
        Some(directory)
    }

    /// Keeps the directories of a run that changed nothing in them.
    pub(super) fn put(&self, directory: RunDirectory, setting: &Setting) {
        if is_usual(setting) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(directory);
        }
    }
}

/// Whether the directories of a run are where most are, and it is the first run in them.
fn is_usual(setting: &Setting) -> bool {
    matches!(setting.home, Home::Fresh | Home::Unset)
}

/// Looks at all that is in a directory; whether there is anything.
fn see(top: &Path, place: Place, below: &Path, depth: usize, seen: &mut Snapshot) -> bool {
    let Ok(entries) = fs::read_dir(top.join(below)) else { return false };
    let mut has_any = false;
    for entry in entries.flatten() {
        has_any = true;
        if seen.len() >= MOST_SEEN {
            break;
        }
        let path = below.join(entry.file_name());
        let Ok(metadata) = fs::symlink_metadata(top.join(&path)) else { continue };
        let kind = if metadata.is_dir() {
            let is_empty = depth >= DEEPEST || !see(top, place, &path, depth + 1, seen);
            Kind::Directory { is_empty }
        } else if metadata.is_file() {
            Kind::File
        } else {
            Kind::Other
        };
        seen.insert((place, path), mark(kind, &metadata));
    }
    has_any
}

fn mark(kind: Kind, metadata: &Metadata) -> Mark {
    Mark {
        kind,
        inode: metadata.ino(),
        size: metadata.size(),
        // Set by the system whenever anything about the file changes: it cannot be set back.
        changed: (metadata.ctime(), metadata.ctime_nsec()),
    }
}

fn head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    if let Ok(file) = File::open(path) {
        let _ = file.take(HEAD).read_to_end(&mut head);
    }
    head
}

/// Copies a directory: files, directories and links; nothing else is worth having in one.
fn copy(from: &Path, to: &Path, depth: usize) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, to) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() && depth < DEEPEST {
            fs::create_dir(&to)?;
            copy(&entry.path(), &to, depth + 1)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &to)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(entry.path())?, &to)?;
        }
    }
    Ok(())
}

/// Removes a directory with its content, also without permission to write to it or read it.
fn remove(directory: &Path) {
    if fs::remove_dir_all(directory).is_ok() {
        return;
    }
    open_up(directory, 0);
    let _ = fs::remove_dir_all(directory);
}

/// Gives us the right to empty all directories; links are not followed.
fn open_up(directory: &Path, depth: usize) {
    let is_directory = fs::symlink_metadata(directory).is_ok_and(|metadata| metadata.is_dir());
    if !is_directory || depth > DEEPEST * 8 {
        return;
    }
    let _ = fs::set_permissions(directory, Permissions::from_mode(0o700));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        open_up(&entry.path(), depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject() -> Subject {
        Subject {
            argv: vec!["/bin/td".into()],
            shown: vec!["td".to_owned()],
            variables: Vec::new(),
            fixture: None,
        }
    }

    fn wrote(directory: &RunDirectory) -> Vec<(Fate, String)> {
        directory.changes().0.into_iter().map(|it| (it.fate, it.path)).collect()
    }

    #[test]
    fn what_is_new_changed_or_gone_is_reported() {
        let root = Root::new().unwrap();
        let mut directory = RunDirectory::new(&root, 1, &Setting::default(), &subject()).unwrap();
        let home = directory.path(Place::Home);
        for name in ["kept", "changed", "gone"] {
            fs::write(home.join(name), name).unwrap();
        }
        directory.take_snapshot();
        assert!(directory.changes().0.is_empty());
        fs::write(home.join("changed"), "other").unwrap();
        fs::remove_file(home.join("gone")).unwrap();
        fs::create_dir_all(home.join("a/empty")).unwrap();
        fs::write(home.join("a/new"), "new").unwrap();
        symlink("/nowhere", home.join("link")).unwrap();
        let expected = [
            (Fate::Made, "a/empty/"),
            (Fate::Made, "a/new"),
            (Fate::Changed, "changed"),
            (Fate::Removed, "gone"),
            (Fate::Made, "link"),
        ];
        assert_eq!(wrote(&directory), expected.map(|(fate, path)| (fate, path.to_owned())));
        assert_eq!(directory.changes().0[4].head, b"/nowhere");
    }

    #[test]
    fn only_untouched_directories_serve_another_run() {
        let root = Root::new().unwrap();
        let pool = Pool::default();
        let setting = Setting::default();
        let new = |number| RunDirectory::new(&root, number, &setting, &subject()).unwrap();
        assert!(new(1).changes().1);
        let touched: [fn(&RunDirectory); 4] = [
            |it| fs::write(it.path(Place::Working).join("sample.txt"), "alpha 2\n").unwrap(),
            |it| fs::write(it.path(Place::Home).join("new"), "").unwrap(),
            |it| fs::write(it.own.join("started"), "less").unwrap(),
            |it| fs::remove_dir(it.path(Place::Temporary)).unwrap(),
        ];
        for (number, touch) in (2..).zip(touched) {
            let directory = new(number);
            touch(&directory);
            assert!(!directory.changes().1, "{number}");
        }
        let directory = new(9);
        let first = directory.own.clone();
        pool.put(directory, &setting);
        let canaries = Setting { has_canaries: true, ..Setting::default() };
        assert!(pool.take(&root, 10, &canaries).is_none());
        let again = pool.take(&root, 11, &setting).unwrap();
        assert!(!first.exists() && again.path(Place::Working).join("sample.txt").is_file());
        assert!(again.own.ends_with("00011") && again.changes() == (Vec::new(), true));
        assert!(pool.take(&root, 12, &setting).is_none());
    }

    #[test]
    fn what_is_there_from_the_start_is_not_reported() {
        let root = Root::new().unwrap();
        let fixture = tempfile::tempdir().unwrap();
        fs::create_dir(fixture.path().join("sub")).unwrap();
        fs::write(fixture.path().join("sub/file"), "x").unwrap();
        let subject = Subject { fixture: Some(fixture.path().to_owned()), ..subject() };
        let setting = Setting { has_canaries: true, home: Home::Elsewhere, ..Setting::default() };
        let directory = RunDirectory::new(&root, 2, &setting, &subject).unwrap();
        assert!(directory.path(Place::Working).join("sub/file").is_file());
        assert!(directory.path(Place::Working).to_str().unwrap().contains(' '));
        assert!(directory.changes().0.is_empty());
    }

    #[test]
    fn directories_without_permissions_are_removed() {
        let root = Root::new().unwrap();
        let top = root.0.clone();
        let directory = RunDirectory::new(&root, 3, &Setting::default(), &subject()).unwrap();
        let locked = directory.path(Place::Home).join("locked");
        fs::create_dir_all(locked.join("inner")).unwrap();
        for path in [locked.join("inner"), locked] {
            fs::set_permissions(path, Permissions::from_mode(0o000)).unwrap();
        }
        drop(directory);
        assert_eq!(
            fs::read_dir(&top).unwrap().count(),
            2,
            "only the shims and the file system are left"
        );
        drop(root);
        assert!(!top.exists());
    }
}
