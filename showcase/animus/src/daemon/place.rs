//! Where a daemon keeps what it needs, and how it makes sure that it is alone there.

use rustix::fs::OFlags;
use showcase_store::{Error as StoreError, Operation};
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::ErrorKind::NotADirectory;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::os::unix::net::SocketAddr;
use std::path::{Path, PathBuf};

const SOCKET: &str = "socket";

/// Whether the system has a short name for every directory that is open.
const HAS_SHORT_NAMES: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// A name of the socket that fits into an address.
#[derive(Debug)]
pub(super) struct Address {
    path: PathBuf,
    /// The name leads through it for as long as it is open.
    _directory: Option<File>,
}

impl AsRef<Path> for Address {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

/// The directory of a project's daemon.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    directory: PathBuf,
}

impl Place {
    /// The place below the directory of a project's files. Nothing is made yet.
    pub(crate) fn below(state: &Path) -> Place {
        Place { directory: state.join("daemon") }
    }

    /// Where it listens.
    pub(crate) fn socket(&self) -> PathBuf {
        self.directory.join(SOCKET)
    }

    /// The same as an address, which may not be as long as a path may.
    pub(super) fn address(&self) -> io::Result<Address> {
        let path = self.socket();
        if SocketAddr::from_pathname(&path).is_ok() || !HAS_SHORT_NAMES {
            return Ok(Address { path, _directory: None });
        }
        let directory = File::open(&self.directory)?;
        let path = Path::new("/proc/self/fd").join(directory.as_raw_fd().to_string()).join(SOCKET);
        Ok(Address { path, _directory: Some(directory) })
    }

    /// What it has to say for itself.
    pub(crate) fn log(&self) -> PathBuf {
        self.directory.join("log")
    }

    /// The file with its number, which it holds the lock on.
    pub(crate) fn pid_file(&self) -> PathBuf {
        self.directory.join("pid")
    }

    /// Creates the directory, private to its owner: a process that may enter it may stop the daemon.
    pub(crate) fn make(&self) -> Result<(), StoreError> {
        let state = self.directory.parent().unwrap_or(&self.directory);
        let mut private = DirBuilder::new();
        private.recursive(true).mode(0o700);
        fs::create_dir_all(state)
            .and_then(|()| private.create(&self.directory))
            .and_then(|()| fs::symlink_metadata(&self.directory))
            .and_then(|found| if found.is_dir() { Ok(()) } else { Err(NotADirectory.into()) })
            .map_err(|error| StoreError::new(Operation::Create, &self.directory, error))
    }

    /// The right to be the daemon, which the system takes back when the process ends, however it
    /// ends; nothing if another process has it.
    pub(crate) fn take(&self) -> Result<Option<File>, StoreError> {
        let path = &self.pid_file();
        let failed = |operation| move |error| StoreError::new(operation, path, error);
        // Not emptied: it may be the file of the daemon that has the lock.
        let file = own_file().create(true).truncate(false).write(true).open(path);
        let mut file = file.map_err(failed(Operation::Open))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(failed(Operation::Lock)(error)),
            Ok(()) => {}
        }
        file.set_len(0)
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(failed(Operation::Write))?;
        Ok(Some(file))
    }
}

/// How files of the daemon are opened. A project may come from anywhere: a link in place of one of
/// them would have another file written, and a pipe would block the process that opens it.
pub(super) fn own_file() -> OpenOptions {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let mut options = OpenOptions::new();
    options.custom_flags(flags);
    options
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn only_one_has_the_right_and_the_next_gets_it() {
        let directory = tempfile::tempdir().unwrap();
        let place = Place::below(directory.path());
        place.make().unwrap();
        let first = place.take().unwrap();
        assert!(first.is_some());
        assert!(place.take().unwrap().is_none());
        let number = fs::read_to_string(place.pid_file()).unwrap();
        assert_eq!(number, format!("{}\n", std::process::id()));
        drop(first);
        assert!(place.take().unwrap().is_some());
    }

    #[test]
    fn the_directory_is_private_and_may_exist() {
        let directory = tempfile::tempdir().unwrap();
        let place = Place::below(&directory.path().join("state"));
        place.make().unwrap();
        place.make().unwrap();
        let mode = fs::metadata(&place.directory).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn links_are_not_followed() {
        let directory = tempfile::tempdir().unwrap();
        let (place, victim) = (Place::below(directory.path()), directory.path().join("victim"));
        fs::write(&victim, "precious").unwrap();
        place.make().unwrap();
        symlink(&victim, place.pid_file()).unwrap();
        assert!(place.take().is_err());
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
        fs::remove_dir_all(&place.directory).unwrap();
        symlink(directory.path(), &place.directory).unwrap();
        assert!(place.make().is_err());
    }
}
