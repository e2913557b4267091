//! The directory of sessions, which many processes may change at once.

mod id;
mod transcript;
mod turn;

pub(crate) use id::SessionId;
pub(crate) use transcript::{Header, Message, Role, Transcript, to_the_second, tokens};
pub(crate) use turn::{StopReason, Turn};

use crate::directory;
use crate::error::Error;
use jiff::Timestamp;
use showcase_store::{Error as StoreError, Lock, Operation};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{self, Path, PathBuf};
use transcript::lines;

/// The default directory of sessions.
pub(crate) const DEFAULT_DIRECTORY: &str = ".claw/sessions";

const ENDING: &str = ".jsonl";

/// A directory of sessions.
#[derive(Debug)]
pub(crate) struct Sessions {
    directory: PathBuf,
}

/// What became of a line that was never finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tail {
    Whole,
    Healed,
}

impl Sessions {
    /// The sessions of a directory. Nothing is opened yet.
    pub(crate) fn at(directory: &Path) -> Sessions {
        Sessions { directory: directory.to_owned() }
    }

    /// The directory, as it was named.
    pub(crate) fn directory(&self) -> String {
        self.directory.display().to_string()
    }

    /// The file of a session.
    pub(crate) fn path(&self, id: &SessionId) -> PathBuf {
        self.directory.join(format!("{id}{ENDING}"))
    }

    /// The same from the root, as the older envelope names it.
    pub(crate) fn absolute_path(&self, id: &SessionId) -> String {
        let path = self.path(id);
        path::absolute(&path).unwrap_or(path).display().to_string()
    }

    /// Every id that has a file, in order.
    pub(crate) fn ids(&self) -> Result<Vec<SessionId>, Error> {
        let names = directory::names(&self.directory, ENDING)?;
        Ok(names.iter().filter_map(|name| name.parse().ok()).collect())
    }

    /// Reads a session.
    pub(crate) fn load(&self, id: &SessionId) -> Result<Transcript, Error> {
        let path = self.path(id);
        let bytes = showcase_store::read(&path)?.ok_or_else(|| self.not_found(id))?;
        Transcript::parse(&bytes).map_err(|corrupt| Error::Session {
            id: id.to_string(),
            message: format!("{}:{corrupt}", path.display()),
            hint: format!("correct the line, or delete the session with 'delete-session {id}'"),
        })
    }

    /// When the file of a session last changed.
    pub(crate) fn last_modified(&self, id: &SessionId) -> Result<Timestamp, Error> {
        let path = self.path(id);
        let modified = fs::metadata(&path).and_then(|metadata| metadata.modified());
        let modified = modified.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => self.not_found(id),
            _ => Error::system("stat", &path, &error),
        })?;
        // A clock that is centuries off must not hide the session.
        Ok(Timestamp::try_from(modified).unwrap_or(Timestamp::UNIX_EPOCH))
    }

    /// Writes a new session down, all of it or nothing.
    pub(crate) fn create(&self, id: &SessionId, messages: Vec<Message>) -> Result<(), Error> {
        let lock = Lock::on(&self.directory)?;
        self.sweep()?;
        let header = Header::now(id.as_str());
        self.replace(&lock, id, &Transcript { header, messages, torn: 0 })
    }

    /// Adds messages to a session, with one write. A line that was never finished is taken away
    /// first, or theirs would become part of it.
    pub(crate) fn append(&self, id: &SessionId, messages: &[Message]) -> Result<Tail, Error> {
        let lock = self.lock(id)?;
        let path = self.path(id);
        let mut transcript = self.load(id)?;
        if transcript.torn > 0 {
            transcript.messages.extend_from_slice(messages);
            self.replace(&lock, id, &transcript)?;
            return Ok(Tail::Healed);
        }
        let written = lines(messages).map_err(io::Error::from).and_then(|lines| {
            let mut file = File::options().append(true).open(&path)?;
            file.write_all(&lines)?;
            file.sync_data()
        });
        written.map_err(|error| StoreError::new(Operation::Write, &path, error))?;
        Ok(Tail::Whole)
    }

    /// Brings a session to the disk, every line finished.
    pub(crate) fn flush(&self, id: &SessionId) -> Result<Transcript, Error> {
        let lock = self.lock(id)?;
        let transcript = self.load(id)?;
        self.replace(&lock, id, &transcript)?;
        Ok(transcript)
    }

    /// Deletes a session, corrupt or not.
    pub(crate) fn delete(&self, id: &SessionId) -> Result<(), Error> {
        let lock = self.lock(id)?;
        if lock.remove(&self.path(id))? { Ok(()) } else { Err(self.not_found(id)) }
    }

    /// The right to change the directory. One that has no such session is not even made.
    fn lock(&self, id: &SessionId) -> Result<Lock, Error> {
        match fs::symlink_metadata(self.path(id)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(self.not_found(id)),
            _ => Ok(Lock::on(&self.directory)?),
        }
    }

    fn replace(&self, lock: &Lock, id: &SessionId, to: &Transcript) -> Result<(), Error> {
        let path = self.path(id);
        let bytes = to
            .to_bytes()
            .map_err(|error| StoreError::new(Operation::Write, &path, io::Error::from(error)))?;
        Ok(lock.replace(&path, &bytes)?)
    }

    /// Takes away what killed processes left of files that will never be finished: their ids are never
    /// used again. Only the holder of the lock may.
    fn sweep(&self) -> Result<(), Error> {
        let failed = |error: &io::Error| Error::system("read", &self.directory, error);
        for entry in fs::read_dir(&self.directory).map_err(|error| failed(&error))? {
            let entry = entry.map_err(|error| failed(&error))?;
            let name = entry.file_name();
            let is_left = |name: &str| name.starts_with('.') && name.ends_with(".jsonl.new");
            if name.to_str().is_some_and(is_left) {
                let path = entry.path();
                fs::remove_file(&path).map_err(|error| Error::system("remove", &path, &error))?;
            }
        }
        Ok(())
    }

    fn not_found(&self, id: &SessionId) -> Error {
        Error::SessionNotFound { id: id.to_string(), directory: self.directory() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Message {
        Message { role: Role::User, text: text.to_owned(), tokens: 1, stop_reason: None }
    }

    fn texts(sessions: &Sessions, id: &SessionId) -> Vec<String> {
        let transcript = sessions.load(id).unwrap();
        transcript.messages.into_iter().map(|message| message.text).collect()
    }

    #[test]
    fn a_torn_line_is_healed_by_the_next_message() {
        let directory = tempfile::tempdir().unwrap();
        let sessions = Sessions::at(directory.path());
        let id: SessionId = "sess_1".parse().unwrap();
        sessions.create(&id, vec![message("one")]).unwrap();
        let mut file = File::options().append(true).open(sessions.path(&id)).unwrap();
        file.write_all(b"{\"role\":\"us").unwrap();
        assert_eq!(sessions.load(&id).unwrap().torn, 11);
        assert_eq!(sessions.append(&id, &[message("two")]).unwrap(), Tail::Healed);
        assert_eq!(sessions.append(&id, &[message("three")]).unwrap(), Tail::Whole);
        assert_eq!(texts(&sessions, &id), ["one", "two", "three"]);
    }

    #[test]
    fn nothing_is_made_for_a_session_that_does_not_exist() {
        let directory = tempfile::tempdir().unwrap();
        let sessions = Sessions::at(&directory.path().join("sub"));
        let id: SessionId = "sess_1".parse().unwrap();
        let is_missing = |error| matches!(error, Error::SessionNotFound { .. });
        assert!(is_missing(sessions.load(&id).unwrap_err()));
        assert!(is_missing(sessions.append(&id, &[]).unwrap_err()));
        assert!(is_missing(sessions.flush(&id).unwrap_err()));
        assert!(is_missing(sessions.delete(&id).unwrap_err()));
        assert!(sessions.ids().unwrap().is_empty());
        assert!(!directory.path().join("sub").exists());
    }

    #[test]
    fn what_killed_processes_left_behind_is_swept_away() {
        let directory = tempfile::tempdir().unwrap();
        let sessions = Sessions::at(directory.path());
        fs::write(directory.path().join(".sess_0.jsonl.new"), "{").unwrap();
        let id: SessionId = "sess_1".parse().unwrap();
        sessions.create(&id, Vec::new()).unwrap();
        assert_eq!(sessions.ids().unwrap(), [id]);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
