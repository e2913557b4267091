//! Files that many processes may change at once: read whole, changed under a lock, replaced atomically.
//!
//! The lock is on the directory, so that nothing is left behind; the system lets go of it when its
//! holder ends, however it ends. A file is never changed in place: its successor is written beside
//! it, brought to the disk, and takes its name in one step.

mod error;

pub use error::{Error, Operation};

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// No file of these programs is larger, unless something is wrong with it.
pub const LARGEST: u64 = 64 << 20;

/// One value in one file.
#[derive(Debug)]
pub struct JsonFile<T> {
    path: PathBuf,
    value: PhantomData<fn() -> T>,
}

impl<T: Default + Serialize + DeserializeOwned> JsonFile<T> {
    /// The value in this file. Nothing is opened yet.
    pub fn at(path: impl Into<PathBuf>) -> JsonFile<T> {
        JsonFile { path: path.into(), value: PhantomData }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The value as it is now; the default if there is no file yet, which is not made.
    pub fn read(&self) -> Result<T, Error> {
        self.parse(read(&self.path)?.as_deref())
    }

    /// Changes the value while no other process can. If the work fails, or changes nothing, the file
    /// stays as it is.
    pub fn change<R, E: From<Error>>(
        &self,
        work: impl FnOnce(&mut T) -> Result<R, E>,
    ) -> Result<R, E> {
        let lock = Lock::on(self.path.parent().unwrap_or(Path::new(".")))?;
        let before = read(&self.path)?;
        let mut value = self.parse(before.as_deref())?;
        let result = work(&mut value)?;
        let mut after = serde_json::to_vec_pretty(&value)
            .map_err(|error| Error::new(Operation::Write, &self.path, error.into()))?;
        after.push(b'\n');
        if before.as_ref() != Some(&after) {
            lock.replace(&self.path, &after)?;
        }
        Ok(result)
    }

    fn parse(&self, bytes: Option<&[u8]>) -> Result<T, Error> {
        let Some(bytes) = bytes else { return Ok(T::default()) };
        serde_json::from_slice(bytes).map_err(|error| {
            Error::new(
                Operation::Parse,
                &self.path,
                io::Error::new(io::ErrorKind::InvalidData, error),
            )
        })
    }
}

/// The bytes of a file, or nothing if there is none.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let failed = |operation| move |error| Error::new(operation, path, error);
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(Operation::Open)(error)),
        // Opening a pipe would wait for a writer.
        Ok(it) if !it.is_file() => {
            return Err(failed(Operation::Open)(io::Error::other("it is not a regular file")));
        }
        Ok(_) => {}
    }
    let file = File::open(path).map_err(failed(Operation::Open))?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed(Operation::Read))?;
    if bytes.len() as u64 > LARGEST {
        return Err(failed(Operation::Read)(too_large()));
    }
    Ok(Some(bytes))
}

fn too_large() -> io::Error {
    let reason = format!("larger than {} MiB", LARGEST >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, reason)
}

/// The right to change what is in a directory. It ends when this is dropped.
#[derive(Debug)]
pub struct Lock {
    directory: File,
    path: PathBuf,
}

impl Lock {
    /// Waits until no other process has it. The directory is made if it does not exist.
    pub fn on(directory: &Path) -> Result<Lock, Error> {
        let path = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        fs::create_dir_all(path).map_err(|error| Error::new(Operation::Create, path, error))?;
        let directory =
            File::open(path).map_err(|error| Error::new(Operation::Open, path, error))?;
        directory.lock().map_err(|error| Error::new(Operation::Lock, path, error))?;
        Ok(Lock { directory, path: path.to_owned() })
    }

    /// Puts a whole file in the place of another, in this directory or below: a reader sees the
    /// one or the other, also after a power failure.
    pub fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let failed = |error| Error::new(Operation::Write, path, error);
        // What a link leads to is replaced, not the link.
        let target = fs::canonicalize(path).or_else(|_| led_to(path)).unwrap_or(path.to_owned());
        // Only the holder of the lock writes it, so one name will do, and what a killed process left
        // behind is overwritten by the next.
        let mut name = OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(".new");
        let successor = target.with_file_name(name);
        if bytes.len() as u64 > LARGEST {
            // `read` would reject it.
            return Err(failed(too_large()));
        }
        if fs::metadata(&target).is_ok_and(|it| !it.is_file()) {
            return Err(failed(io::Error::other("it is not a regular file")));
        }
        let written = write(&successor, bytes, fs::metadata(&target).ok());
        if let Err(error) = written.and_then(|()| fs::rename(&successor, &target)) {
            // A partial file is useless, and it may be what fills the disk.
            let _ = fs::remove_file(&successor);
            return Err(failed(error));
        }
        self.sync(target.parent())
    }

    /// Removes a file; whether there was one.
    pub fn remove(&self, path: &Path) -> Result<bool, Error> {
        match fs::remove_file(path) {
            Ok(()) => self.sync(path.parent()).map(|()| true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Error::new(Operation::Remove, path, error)),
        }
    }

    /// Brings the names in a directory to the disk.
    fn sync(&self, directory: Option<&Path>) -> Result<(), Error> {
        let below = directory
            .filter(|directory| *directory != self.path && !directory.as_os_str().is_empty());
        let synced = match below {
            Some(directory) => File::open(directory).and_then(|directory| directory.sync_all()),
            None => self.directory.sync_all(),
        };
        synced.map_err(|error| Error::new(Operation::Write, &self.path, error))
    }
}

/// What a link leads to, although it is not there yet.
fn led_to(link: &Path) -> io::Result<PathBuf> {
    let to = fs::read_link(link)?;
    Ok(link.parent().map_or(to.clone(), |directory| directory.join(to)))
}

/// Writes a file, with the rights of the one that it succeeds, and brings it to the disk.
fn write(path: &Path, bytes: &[u8], before: Option<fs::Metadata>) -> io::Result<()> {
    let mut file = File::create(path)?;
    if let Some(before) = before {
        file.set_permissions(before.permissions())?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    type Numbers = JsonFile<Vec<u32>>;

    fn push(store: &Numbers, number: u32) -> Result<usize, Error> {
        store.change(|numbers| {
            numbers.push(number);
            Ok(numbers.len())
        })
    }

    #[test]
    fn reading_makes_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let store = Numbers::at(directory.path().join("sub/numbers.json"));
        assert_eq!(store.read().unwrap(), Vec::<u32>::new());
        assert!(!directory.path().join("sub").exists());
    }

    #[test]
    fn a_change_is_there_for_the_next() {
        let directory = tempfile::tempdir().unwrap();
        let store = Numbers::at(directory.path().join("sub/numbers.json"));
        assert_eq!(push(&store, 7).unwrap(), 1);
        assert_eq!(push(&store, 8).unwrap(), 2);
        assert_eq!(store.read().unwrap(), [7, 8]);
        let left: Vec<_> = fs::read_dir(directory.path().join("sub")).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }

    #[test]
    fn work_that_fails_changes_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let store = Numbers::at(directory.path().join("numbers.json"));
        push(&store, 7).unwrap();
        let failed: Result<(), Error> = store.change(|numbers| {
            numbers.clear();
            Err(Error::new(Operation::Read, Path::new("x"), io::Error::other("no")))
        });
        assert!(failed.is_err());
        assert_eq!(store.read().unwrap(), [7]);
    }

    #[test]
    fn threads_that_change_it_at_once_lose_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let store = &Numbers::at(directory.path().join("numbers.json"));
        std::thread::scope(|scope| {
            for number in 0..16 {
                scope.spawn(move || push(store, number).unwrap());
            }
        });
        let mut numbers = store.read().unwrap();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..16).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_no_json_is_reported_with_its_place() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("numbers.json");
        fs::write(&path, "[1,\n 2,,]").unwrap();
        let error = push(&Numbers::at(&path), 3).unwrap_err();
        assert_eq!(error.operation(), Operation::Parse);
        assert_eq!(error.path(), path);
        assert!(error.to_string().contains("line 2 column 4"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "[1,\n 2,,]");
    }

    #[test]
    fn nesting_without_end_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("numbers.json");
        fs::write(&path, "[".repeat(100_000)).unwrap();
        assert_eq!(Numbers::at(&path).read().unwrap_err().operation(), Operation::Parse);
    }

    #[test]
    fn what_is_too_large_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("numbers.json");
        File::create(&path).unwrap().set_len(LARGEST + 1).unwrap();
        let error = Numbers::at(&path).read().unwrap_err();
        assert!(error.to_string().contains("larger than 64 MiB"), "{error}");
    }

    #[test]
    fn what_would_be_too_large_is_not_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("texts.json");
        let store = JsonFile::<Vec<String>>::at(&path);
        let grown: Result<(), Error> = store.change(|texts| {
            texts.push("x".repeat(usize::try_from(LARGEST).unwrap()));
            Ok(())
        });
        assert!(grown.unwrap_err().to_string().contains("larger than 64 MiB"));
        assert!(!path.exists());
    }

    #[test]
    fn what_is_no_file_is_not_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pipe.json");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.is_ok_and(|made| made.success()));
        for path in [path.as_path(), directory.path()] {
            let error = Numbers::at(path).read().unwrap_err();
            assert!(error.to_string().contains("not a regular file"), "{error}");
        }
    }

    #[test]
    fn a_successor_that_cannot_take_the_name_is_not_left_behind() {
        let directory = tempfile::tempdir().unwrap();
        let taken = directory.path().join("taken");
        fs::create_dir_all(taken.join("not empty")).unwrap();
        assert!(Lock::on(directory.path()).unwrap().replace(&taken, b"x").is_err());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn rights_and_links_survive() {
        let directory = tempfile::tempdir().unwrap();
        let (real, link) = (directory.path().join("real.json"), directory.path().join("link.json"));
        fs::write(&real, "[]").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        push(&Numbers::at(&link), 1).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(Numbers::at(&real).read().unwrap(), [1]);
    }

    #[test]
    fn a_link_to_a_file_that_is_not_there_yet_leads_to_it() {
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("link.json");
        std::os::unix::fs::symlink("real.json", &link).unwrap();
        push(&Numbers::at(&link), 1).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(Numbers::at(directory.path().join("real.json")).read().unwrap(), [1]);
    }

    #[test]
    fn removing_says_whether_there_was_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("numbers.json");
        fs::write(&path, "[]").unwrap();
        let lock = Lock::on(directory.path()).unwrap();
        assert!(lock.remove(&path).unwrap());
        assert!(!lock.remove(&path).unwrap());
    }
}
